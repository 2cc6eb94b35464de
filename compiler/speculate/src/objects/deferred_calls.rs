//! Calls that are made at the commit: their result can be kept and shown, not computed with.
//!
//! In: a function that changes nothing and cannot fail on numbers or text of these kinds
//! (`round(x, 4)`, `str.upper`, `%`). Out: an object that stands for its result. Always: the
//! arguments are as they are now.

use janus_bytecode::{CompareOp, FormatConversion};
use janus_object::{Class, Name, PyRef, Value, ops, types};
use janus_plan::{DeoptReason, ScalarType};
use janus_tensor::DType;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Sym, SymScalar};

/// Methods of strings that take any string and give one.
const TEXT_METHODS: &[&str] = &[
    "str.upper",
    "str.lower",
    "str.title",
    "str.capitalize",
    "str.swapcase",
    "str.strip",
    "str.lstrip",
    "str.rstrip",
    "str.ljust",
    "str.rjust",
    "str.center",
    "str.zfill",
    "str.replace",
];

/// How often a text is repeated at most.
const MAX_REPEATS: i64 = 10_000;

impl Executor<'_> {
    fn later(&mut self, function: Value, args: Vec<Sym>, class: &PyRef<Class>) -> Sym {
        self.alloc(Kind::Later {
            function,
            args,
            class: class.clone(),
        })
    }

    /// A value of each kind that the graph computes, to try a function with.
    pub(crate) fn sample(v: &Sym) -> Option<Value> {
        match v {
            Sym::Known(v) => Some(v.clone()),
            Sym::Scalar(s) => Some(match s.ty {
                ScalarType::Float => Value::float(1.5),
                ScalarType::Int => Value::Int(1),
                ScalarType::Bool => Value::bool(true),
            }),
            _ => None,
        }
    }

    /// A value of the kind that is shown for `v`, text or a number.
    pub(crate) fn shown_as(&self, v: &Sym) -> Option<Value> {
        let Sym::Obj(o) = v else {
            return Self::sample(v);
        };
        match &self.state.heap[*o].kind {
            Kind::Text(_) | Kind::Told => Some(Value::str("text")),
            Kind::Later { class, .. } if PyRef::ptr_eq(class, &types().str) => {
                Some(Value::str("text"))
            }
            Kind::Later { .. } => Some(Value::float(1.5)),
            Kind::Tensor(t) if t.dims.is_empty() => Some(match t.dtype {
                dtype if dtype.is_float() => Value::float(1.5),
                DType::Bool => Value::bool(true),
                _ => Value::Int(1),
            }),
            _ => None,
        }
    }

    /// A method of text that is put together at the commit.
    pub(crate) fn text_method(
        &mut self,
        function: &Value,
        name: &str,
        args: &[Sym],
    ) -> Res<Option<Sym>> {
        let rest_known = args.iter().skip(1).all(|a| a.known().is_some());
        let is_late = matches!(args.first(), Some(Sym::Obj(_)));
        if !is_late || !rest_known || !TEXT_METHODS.contains(&name) {
            return Ok(None);
        }
        // What it makes of its other arguments does not depend on the text.
        let mut sample = vec![Value::str("text")];
        sample.extend(args.iter().skip(1).filter_map(|a| a.known().cloned()));
        if janus_object::Vm::call(self.vm, function, janus_object::Args::new(&sample)).is_err() {
            return Ok(None);
        }
        let text = self.frozen(&args[0], FormatConversion::STR)?;
        let mut all = vec![text];
        all.extend(args.iter().skip(1).cloned());
        Ok(Some(self.later(function.clone(), all, &types().str)))
    }

    /// `separator.join(list)` of a list that got some of its items, which are text.
    pub(crate) fn joined_filtered_text(
        &mut self,
        function: &Value,
        separator: &Sym,
        list: &Sym,
    ) -> Res<Option<Sym>> {
        let (Sym::Known(Value::Str(_)), Some((_, items))) = (separator, self.filtered(list)) else {
            return Ok(None);
        };
        if !items.iter().all(|(v, _)| self.is_text(v)) {
            return Ok(None);
        }
        let items = items.clone();
        let list = self.frozen_filtered(&items, FormatConversion::STR)?;
        let args = vec![separator.clone(), list];
        Ok(Some(self.later(function.clone(), args, &types().str)))
    }

    /// `text[i:j]`, which fails for every text or for none.
    pub(crate) fn part_of_text(&mut self, text: &Sym, key: &Sym) -> Res<Option<Sym>> {
        let Some(sample @ Value::Str(_)) = self.shown_as(text) else {
            return Ok(None);
        };
        let slice = self.known_slice(key);
        let slice = slice.filter(|key| ops::get_item(self.vm, &sample, key).is_ok());
        let method = types().str.lookup(&Name::new("__getitem__"));
        let (Some(slice), Some(method)) = (slice, method) else {
            return Ok(None);
        };
        let text = self.frozen(text, FormatConversion::STR)?;
        let args = vec![text, Sym::Known(slice)];
        Ok(Some(self.later(method, args, &types().str)))
    }

    /// `round()` of a number that moves.
    pub(crate) fn round(&mut self, function: &Value, args: &[Sym]) -> Res<Option<Sym>> {
        let (Some(Sym::Scalar(s)), digits) = (args.first(), args.get(1)) else {
            return Ok(None);
        };
        let none = digits.is_none_or(|d| matches!(d, Sym::Known(Value::None)));
        match (s.ty, digits) {
            (ScalarType::Int, _) if none => Ok(Some(args[0].clone())),
            (ScalarType::Float, Some(Sym::Known(Value::Int(_)))) => Ok(Some(self.later(
                function.clone(),
                args.to_vec(),
                &types().float,
            ))),
            (ScalarType::Float, _) if none => self.round_to_int(s.id).map(Some),
            _ => Ok(None),
        }
    }

    /// `text * n`, where `n` moves.
    pub(crate) fn repeated_text(&mut self, text: &Sym, n: &Sym) -> Res<Option<Sym>> {
        let Sym::Scalar(SymScalar {
            ty: ScalarType::Int,
            ..
        }) = n
        else {
            return Ok(None);
        };
        let Some(method) = types().str.lookup(&Name::new("__mul__")) else {
            return Ok(None);
        };
        // So long a text is always there.
        let most = Sym::Known(Value::Int(MAX_REPEATS));
        if let Sym::Scalar(fits) = self.compare(CompareOp::Le, n, &most)? {
            let key = self.key("repeats");
            let expected = format!("a text at most {MAX_REPEATS} times");
            self.assert(fits.id, DeoptReason::IndexRange, key, expected)?;
        }
        let text = self.frozen(text, FormatConversion::STR)?;
        Ok(Some(self.later(
            method,
            vec![text, n.clone()],
            &types().str,
        )))
    }

    /// What a directive of a format makes of an object before it makes text of it.
    fn formatted(&mut self, directive: char, v: &Sym) -> Res<Sym> {
        let text = matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Text(_) | Kind::Later { .. }));
        match directive {
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' if self.is_tensor(v) => {
                self.torch("Tensor.item", vec![v.clone()], Vec::new())
            }
            's' if !text && matches!(v, Sym::Obj(_)) => {
                self.format(v.clone(), FormatConversion::STR, "".into())
            }
            _ => Ok(v.clone()),
        }
    }

    /// `format % values`
    pub(crate) fn percent(&mut self, format: &Sym, values: &Sym) -> Res<Option<Sym>> {
        let Sym::Known(text @ Value::Str(s)) = format else {
            return Ok(None);
        };
        let items = match values {
            Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Tuple(_)) => {
                self.collect(values)?
            }
            v => vec![v.clone()],
        };
        let Some(directives) = directives(s.as_str()) else {
            return Ok(None);
        };
        let mut items = items;
        for (&directive, v) in directives.iter().zip(&mut items) {
            *v = self.formatted(directive, v)?;
        }
        // An int of a float that is not finite raises, and so does a character that is none: only what
        // takes any number is made later.
        let any = |(&directive, v): (&char, &Sym)| match v {
            Sym::Scalar(s) if s.ty == ScalarType::Float => {
                !matches!(directive, 'd' | 'i' | 'u' | 'c' | 'x' | 'X' | 'o')
            }
            Sym::Scalar(_) => directive != 'c',
            _ => true,
        };
        if directives.len() != items.len() || !directives.iter().zip(&items).all(any) {
            return Ok(None);
        }
        let samples: Option<Vec<Value>> = items
            .iter()
            .map(|v| self.shown_as(v).filter(|_| !self.is_tensor(v)))
            .collect();
        let method = types().str.lookup(&Name::new("__mod__"));
        let (Some(samples), Some(method)) = (samples, method) else {
            return Ok(None);
        };
        let sample = Value::tuple(samples);
        let works = janus_object::ops::binary(
            self.vm,
            janus_bytecode::BinaryOp::Mod,
            &text.clone(),
            &sample,
        );
        if works.is_err() {
            return Ok(None);
        }
        let args = vec![format.clone(), self.tuple(items)];
        Ok(Some(self.later(method, args, &types().str)))
    }
}

/// The letters of a format's directives, in order; `None`: some take their width, or what they show, in
/// another way than one item each.
fn directives(format: &str) -> Option<Vec<char>> {
    let mut letters = Vec::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        let letter = chars.find(|c| !matches!(c, '0'..='9' | '.' | '#' | '-' | '+' | ' '))?;
        match letter {
            '*' | '(' => return None,
            '%' => {}
            letter => letters.push(letter),
        }
    }
    Some(letters)
}
