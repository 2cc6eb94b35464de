//! `match`: sequences, mappings and classes as patterns.
//!
//! In: a subject and a pattern. Out: whether it matches, and what it is made of. Always: as tier 0's
//! own matching says, told from classes that are known or guarded.

use janus_object::{Bool, Collection, Name, Value, types};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::Sym;

impl Executor<'_> {
    pub(crate) fn is_sequence(&mut self, v: &Sym) -> Res<bool> {
        Ok(self.class_of(v)?.collection() == Some(Collection::Sequence))
    }

    pub(crate) fn is_mapping(&mut self, v: &Sym) -> Res<bool> {
        Ok(self.class_of(v)?.collection() == Some(Collection::Mapping))
    }

    /// The values of these keys as a tuple, or None.
    pub(crate) fn match_keys(&mut self, subject: &Sym, keys: &Sym) -> Res<Sym> {
        let Some(dict) = self.container(subject) else {
            return self.refuse(
                ReasonId::NoGraphForm,
                "a mapping that is no dict is matched",
            );
        };
        let mut values = Vec::new();
        for key in self.collect(keys)? {
            match self.dict_get(dict, &key)? {
                Some(v) => values.push(v),
                None => return Ok(Sym::Known(Value::None)),
            }
        }
        Ok(self.tuple(values))
    }

    /// The attributes that sub-patterns look at as a tuple, or None.
    pub(crate) fn match_class(
        &mut self,
        subject: &Sym,
        class: &Sym,
        names: &Sym,
        positional: usize,
    ) -> Res<Sym> {
        let Sym::Known(Value::Class(pattern)) = class else {
            return self.refuse(ReasonId::NoGraphForm, "a class pattern of what is no class");
        };
        let pattern = pattern.clone();
        let of = self.class_of(subject)?;
        let is = self.subclass(&of, class, subject)?;
        if !matches!(is, Sym::Known(Value::Bool(Bool::True))) {
            return Ok(Sym::Known(Value::None));
        }
        let mut found = Vec::new();
        if positional > 0 {
            match self.find_attr(class, &Name::new("__match_args__"))? {
                Some(args) => {
                    let args = self.collect(&args)?;
                    if args.len() < positional {
                        return self.refuse(
                            ReasonId::WouldRaise,
                            "it would raise: too many positional sub-patterns",
                        );
                    }
                    for name in args.iter().take(positional) {
                        let Sym::Known(Value::Str(name)) = name else {
                            return self.refuse(
                                ReasonId::WouldRaise,
                                "it would raise: __match_args__ are no strings",
                            );
                        };
                        match self.find_attr(subject, &Name::new(name.as_str()))? {
                            Some(v) => found.push(v),
                            None => return Ok(Sym::Known(Value::None)),
                        }
                    }
                }
                None => {
                    let t = types();
                    let itself = [
                        &t.bool, &t.bytes, &t.dict, &t.float, &t.int, &t.list, &t.set, &t.str,
                        &t.tuple,
                    ];
                    if positional > 1 || !itself.into_iter().any(|c| pattern.is_subclass_of(c)) {
                        return self.refuse(
                            ReasonId::WouldRaise,
                            "it would raise: too many positional sub-patterns",
                        );
                    }
                    found.push(subject.clone());
                }
            }
        }
        for name in self.collect(names)? {
            let Sym::Known(Value::Str(name)) = name else {
                return self.defect("bad pattern");
            };
            match self.find_attr(subject, &Name::new(name.as_str()))? {
                Some(v) => found.push(v),
                None => return Ok(Sym::Known(Value::None)),
            }
        }
        Ok(self.tuple(found))
    }
}
