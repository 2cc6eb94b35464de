//! Text that is put together at the commit: f-strings and `str.format`.
//!
//! In: values and how they are to be shown. Out: an object that has the pieces, with the values as
//! they are now. Always: what would raise is not taken into the graph.

use std::rc::Rc;

use janus_bytecode::FormatConversion;
use janus_dialect::ValueId;
use janus_object::text::template::{self, Access, Argument, Numbering, Segment, Segments};
use janus_object::{Name, PyRef, Value, text, types};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Piece, Sym};

/// Texts at most that are put together one by one.
const MAX_TEXTS: usize = 8;

impl Executor<'_> {
    pub(crate) fn format(&mut self, value: Sym, conversion: u32, spec: Rc<str>) -> Res<Sym> {
        if self
            .texts_of(&value)
            .is_some_and(|n| (2..=MAX_TEXTS).contains(&n))
        {
            return self.for_each_text(
                std::slice::from_ref(&value),
                &mut Vec::new(),
                &|this, v| this.format(v[0].clone(), conversion, spec.clone()),
            );
        }
        if let Sym::Known(v) = &value
            && !matches!(v, Value::Instance(_))
        {
            let shown = match conversion {
                FormatConversion::STR => text::str(self.vm, v).map(Value::str),
                FormatConversion::REPR => text::repr(self.vm, v).map(Value::str),
                FormatConversion::NONE => Ok(v.clone()),
                _ => return self.refuse(ReasonId::NoGraphForm, "!a has no graph form"),
            };
            let formatted = shown.and_then(|v| text::format(self.vm, &v, &spec));
            return match formatted {
                Ok(s) => Ok(Sym::Known(Value::str(s))),
                Err(_) => self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: the value cannot be formatted so",
                ),
            };
        }
        if conversion == FormatConversion::NONE
            && let Some(method) = self.python_method(&value, "__format__")?
        {
            let args = vec![value, Sym::Known(Value::str(&*spec))];
            let shown = self.call(&method, args, Vec::new())?;
            let is_text = PyRef::ptr_eq(&self.class_of(&shown)?, &types().str);
            return match is_text {
                true => Ok(shown),
                false => self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: __format__ must return a str",
                ),
            };
        }
        if conversion == FormatConversion::NONE
            && !spec.is_empty()
            && let Some(plain) = self.state.stored_value(&value)
        {
            return self.format(plain, conversion, spec);
        }
        if conversion == FormatConversion::NONE && !self.takes_spec(&value, &spec)
            || conversion != FormatConversion::NONE
                && text::format(self.vm, &Value::str("text"), &spec).is_err()
        {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: the value cannot be formatted so",
            );
        }
        let own = self.has_own_text(&value)?;
        let value = self.frozen(&value, conversion)?;
        let conversion = match conversion {
            FormatConversion::NONE if own && !spec.is_empty() => {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: the value cannot be formatted so",
                );
            }
            // It is text by now.
            _ if own => FormatConversion::NONE,
            asked => asked,
        };
        Ok(self.alloc(Kind::Text(vec![Piece::Format {
            value,
            conversion,
            spec,
        }])))
    }

    /// Whether a value can be formatted so, whatever it is by then: what a spec makes of a number does
    /// not depend on which one it is, except for characters.
    fn takes_spec(&mut self, value: &Sym, spec: &str) -> bool {
        if let Sym::Obj(o) = value
            && let Kind::Choice {
                then, otherwise, ..
            } = &self.state.heap[*o].kind
        {
            let (then, otherwise) = (then.clone(), otherwise.clone());
            return self.takes_spec(&then, spec) && self.takes_spec(&otherwise, spec);
        }
        match self.shown_as(value) {
            // Objects may have a method for it.
            Some(Value::Instance(_)) => true,
            Some(sample) => {
                !(spec.ends_with('c') && value.known().is_none())
                    && text::format(self.vm, &sample, spec).is_ok()
            }
            None => {
                let instance = |o: &Obj| matches!(self.state.heap[*o].kind, Kind::Instance(_));
                spec.is_empty() || matches!(value, Sym::Obj(o) if instance(o))
            }
        }
    }

    /// A part of a text that is none that graphs have: of a class of the user's, say.
    fn no_text(&mut self, part: &Sym) -> Res<Sym> {
        let class = self.class_of(part)?.display_name();
        self.refuse(
            ReasonId::NoGraphForm,
            format!("text is put together with a {class}"),
        )
    }

    pub(crate) fn join_text(&mut self, parts: &[Sym]) -> Res<Sym> {
        let mut texts = parts.iter().map(|part| self.texts_of(part));
        let texts = texts.try_fold(1, |n: usize, of| Some(n * of?));
        if texts.is_some_and(|n| (2..=MAX_TEXTS).contains(&n)) {
            return self.for_each_text(parts, &mut Vec::new(), &|this, v| this.join_text(v));
        }
        let mut pieces: Vec<Piece> = Vec::new();
        for part in parts {
            match part {
                Sym::Known(Value::Str(s)) => match pieces.last_mut() {
                    Some(Piece::Text(t)) => *t = format!("{t}{}", s.as_str()).into(),
                    _ => pieces.push(Piece::Text(s.as_str().into())),
                },
                Sym::Obj(o) => match &self.state.heap[*o].kind {
                    Kind::Text(inner) => pieces.extend(inner.iter().cloned()),
                    _ if self.is_text(part) => {
                        pieces.push(Piece::Format {
                            value: part.clone(),
                            conversion: FormatConversion::NONE,
                            spec: "".into(),
                        });
                    }
                    _ => return self.no_text(part),
                },
                _ => return self.no_text(part),
            }
        }
        match pieces.as_slice() {
            [] => Ok(Sym::Known(Value::str(""))),
            [Piece::Text(t)] => Ok(Sym::Known(Value::str(&**t))),
            _ => Ok(self.alloc(Kind::Text(pieces))),
        }
    }

    /// How many texts a value may be, if each of them is known: one, or those that branches decided on.
    fn texts_of(&self, v: &Sym) -> Option<usize> {
        match v {
            Sym::Known(Value::Str(_)) => Some(1),
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Choice {
                    then, otherwise, ..
                } => Some(self.texts_of(then)? + self.texts_of(otherwise)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// What `make` gives for each of the texts that its operands may be, as one thing or another again: so it can be
    /// a key still.
    fn for_each_text(
        &mut self,
        operands: &[Sym],
        sides: &mut Vec<(ValueId, bool)>,
        make: &dyn Fn(&mut Self, &[Sym]) -> Res<Sym>,
    ) -> Res<Sym> {
        let choice = operands.iter().enumerate().find_map(|(at, v)| match v {
            Sym::Obj(o) => match self.state.heap[*o].kind.clone() {
                Kind::Choice {
                    condition,
                    then,
                    otherwise,
                } => Some((at, condition, [then, otherwise])),
                _ => None,
            },
            _ => None,
        });
        let Some((at, condition, [then, otherwise])) = choice else {
            return make(self, operands);
        };
        let known = sides.iter().find(|(c, _)| *c == condition).map(|s| s.1);
        let mut made = Vec::with_capacity(2);
        for (side, text) in [(true, then), (false, otherwise)] {
            if known.is_some_and(|known| known != side) {
                continue;
            }
            let mut operands = operands.to_vec();
            operands[at] = text;
            sides.push((condition, side));
            made.push(self.for_each_text(&operands, sides, make)?);
            sides.pop();
        }
        Ok(match <[Sym; 2]>::try_from(made) {
            Ok([then, otherwise]) if then.same(&otherwise) => then,
            Ok([then, otherwise]) => self.alloc(Kind::Choice {
                condition,
                then,
                otherwise,
            }),
            Err(made) => made.into_iter().next().unwrap_or(Sym::Null),
        })
    }

    /// Whether a value is text, whichever it is.
    pub(crate) fn is_text(&self, v: &Sym) -> bool {
        if let Sym::Obj(o) = v
            && let Kind::Choice {
                then, otherwise, ..
            } = &self.state.heap[*o].kind
        {
            return self.is_text(then) && self.is_text(otherwise);
        }
        matches!(self.shown_as(v), Some(Value::Str(_)))
    }

    /// `template.format(*args, **kwargs)`
    pub(crate) fn str_format(
        &mut self,
        template: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Sym> {
        let mut numbering = Numbering::default();
        self.formatted_by(template, args, kwargs, &mut numbering, template::MAX_DEPTH)
    }

    fn formatted_by(
        &mut self,
        template: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
        numbering: &mut Numbering,
        depth: usize,
    ) -> Res<Sym> {
        if depth == 0 {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: fields are nested too deep",
            );
        }
        let mut parts = Vec::new();
        for segment in Segments::of(template) {
            let (path, conversion, spec) = match segment {
                Ok(Segment::Text(text)) => {
                    parts.push(Sym::Known(Value::str(text)));
                    continue;
                }
                Ok(Segment::Field {
                    path,
                    conversion,
                    spec,
                }) => (path, conversion, spec),
                Err(_) => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: the format string is not one",
                    );
                }
            };
            let value = self.field(path, args, kwargs, numbering)?;
            let conversion = match conversion {
                None => FormatConversion::NONE,
                Some('s') => FormatConversion::STR,
                Some('r') => FormatConversion::REPR,
                Some(_) => {
                    return self.refuse(ReasonId::NoGraphForm, "this conversion has no graph form");
                }
            };
            let spec = if spec.contains(['{', '}']) {
                self.formatted_by(spec, args, kwargs, numbering, depth - 1)?
            } else {
                Sym::Known(Value::str(spec))
            };
            parts.push(match spec {
                Sym::Known(Value::Str(spec)) => {
                    self.format(value, conversion, spec.as_str().into())?
                }
                _ => {
                    return self.refuse(
                        ReasonId::MovingValue,
                        "a format specification that moves has no graph form",
                    );
                }
            });
        }
        self.join_text(&parts)
    }

    /// What a field of a format string shows.
    fn field(
        &mut self,
        path: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
        numbering: &mut Numbering,
    ) -> Res<Sym> {
        let (first, accesses) = template::split_path(path);
        let value = match numbering.argument(first) {
            Ok(Argument::Position(place)) => args.get(place),
            Ok(Argument::Keyword(name)) => {
                let given = kwargs.iter().find(|(given, _)| given.as_str() == name);
                given.map(|(_, v)| v)
            }
            Err(_) => None,
        };
        let Some(mut value) = value.cloned() else {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: no argument for a field of the format string",
            );
        };
        for access in accesses {
            value = match access {
                Ok(Access::Attribute(name)) => self.get_attr(&value, &name)?,
                Ok(Access::Item(key)) => self.get_item(&value, &Sym::Known(key))?,
                Err(_) => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: the format string is not one",
                    );
                }
            };
        }
        Ok(value)
    }
}
