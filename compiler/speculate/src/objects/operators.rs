//! Operators on objects: sequences, text, classes with methods of their own.
//!
//! In: an operator and operands that are no numbers. Out: its result. Always: methods are tried in
//! Python's order.

use janus_bytecode::{BinaryOp, CompareOp, Opcode};
use janus_object::{ExcKind, PyRef, Value, types};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymDict};

/// What functions of `operator` do.
const BINARY: &[(&str, BinaryOp)] = &[
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("mul", BinaryOp::Mul),
    ("truediv", BinaryOp::TrueDiv),
    ("floordiv", BinaryOp::FloorDiv),
    ("mod", BinaryOp::Mod),
    ("pow", BinaryOp::Pow),
    ("matmul", BinaryOp::MatMul),
    ("and_", BinaryOp::And),
    ("or_", BinaryOp::Or),
    ("xor", BinaryOp::Xor),
    ("iadd", BinaryOp::InplaceAdd),
    ("isub", BinaryOp::InplaceSub),
    ("imul", BinaryOp::InplaceMul),
    ("itruediv", BinaryOp::InplaceTrueDiv),
];
const COMPARE: &[(&str, CompareOp)] = &[
    ("lt", CompareOp::Lt),
    ("le", CompareOp::Le),
    ("eq", CompareOp::Eq),
    ("ne", CompareOp::Ne),
    ("gt", CompareOp::Gt),
    ("ge", CompareOp::Ge),
];

impl Executor<'_> {
    /// A function of `operator`; `None`: it is none of those that are an operator of Python.
    pub(crate) fn operator_function(&mut self, name: &str, args: &[Sym]) -> Res<Option<Sym>> {
        let name = name.trim_start_matches("operator.");
        let binary = BINARY.iter().find(|(n, _)| *n == name);
        let compare = COMPARE.iter().find(|(n, _)| *n == name);
        Ok(Some(match (args, binary, compare) {
            ([a, b], Some((_, op)), _) => self.binary(*op, a, b)?,
            ([a, b], _, Some((_, op))) => self.compare(*op, a, b)?,
            ([a, b], ..) if name == "getitem" => self.get_item(a, b)?,
            ([a, b], ..) if name == "contains" => self.contains(b, a)?,
            ([a], ..) => match name {
                "neg" => self.unary(Opcode::UnaryNegative, a)?,
                "pos" => self.unary(Opcode::UnaryPositive, a)?,
                "invert" | "inv" => self.unary(Opcode::UnaryInvert, a)?,
                "not_" => self.not(a)?,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    // ---- operators -----------------------------------------------------------------------

    pub(crate) fn object_binary(&mut self, op: BinaryOp, a: &Sym, b: &Sym) -> Res<Sym> {
        let x = self.container(a);
        let is_plain = |this: &Self, o: Option<Obj>| {
            o.is_some_and(|o| matches!(this.state.heap[o].kind, Kind::List(_) | Kind::Tuple(_)))
        };
        let sequence = is_plain(self, x) || matches!(a, Sym::Known(Value::Tuple(_)));
        match op {
            BinaryOp::InplaceAdd if self.is_list(a) => {
                self.extend(a, b)?;
                return Ok(a.clone());
            }
            BinaryOp::Add if let Some(joined) = self.joined_filtered(a, b)? => return Ok(joined),
            BinaryOp::Add if let Some(joined) = self.joined_lists(a, b)? => return Ok(joined),
            BinaryOp::Add | BinaryOp::InplaceAdd if sequence => {
                let (class, other) = (self.class_of(a)?, self.class_of(b)?);
                let list = x.is_some_and(|o| matches!(self.state.heap[o].kind, Kind::List(_)));
                let base = if list { &types().list } else { &types().tuple };
                if !other.is_subclass_of(base) {
                    let (name, other) = (class.display_name(), other.display_name());
                    let text = format!("can only concatenate {name} (not \"{other}\") to {name}");
                    let text = Sym::Known(Value::str(text));
                    return self.raise_kind(ExcKind::TypeError, vec![text]);
                }
                let mut items = self.stored_items(a)?;
                items.extend(self.stored_items(b)?);
                return if list {
                    Ok(self.list(items))
                } else {
                    let of_size = [&class, &other].into_iter().any(is_size);
                    self.tuple_or_size(items, of_size)
                };
            }
            BinaryOp::Mul
                if let Sym::Scalar(times) = b
                    && sequence
                    && let Some(repeated) = self.repeated(a, *times)? =>
            {
                return Ok(repeated);
            }
            BinaryOp::Mul if sequence && b.known().and_then(Value::as_int).is_some() => {
                let items = self.stored_items(a)?;
                let times =
                    usize::try_from(b.known().and_then(Value::as_int).unwrap_or(0)).unwrap_or(0);
                if items.len().saturating_mul(times) > 10_000 {
                    return self.refuse(ReasonId::TooLarge, "a long list is made");
                }
                let list = x.is_some_and(|o| matches!(self.state.heap[o].kind, Kind::List(_)));
                let all: Vec<Sym> = std::iter::repeat_n(items, times).flatten().collect();
                if list {
                    return Ok(self.list(all));
                }
                let of_size = is_size(&self.class_of(a)?);
                return self.tuple_or_size(all, of_size);
            }
            BinaryOp::Or | BinaryOp::InplaceOr if self.is_dict(a) && self.is_dict(b) => {
                let merged = match op {
                    BinaryOp::InplaceOr => a.clone(),
                    _ => self.copied_dict(a)?,
                };
                for (key, value) in self.entries(b)? {
                    self.set_item(&merged, &key, Some(value))?;
                }
                return Ok(merged);
            }
            BinaryOp::Or | BinaryOp::InplaceOr | BinaryOp::And | BinaryOp::Sub => {
                if let Some(v) = self.set_binary(op, a, b)? {
                    return Ok(v);
                }
            }
            BinaryOp::Mul | BinaryOp::InplaceMul if self.is_text(a) => {
                if let Some(v) = self.repeated_text(a, b)? {
                    return Ok(v);
                }
            }
            BinaryOp::Mul | BinaryOp::InplaceMul if self.is_text(b) => {
                if let Some(v) = self.repeated_text(b, a)? {
                    return Ok(v);
                }
            }
            BinaryOp::Mod | BinaryOp::InplaceMod if self.is_text(a) => {
                if let Some(v) = self.percent(a, b)? {
                    return Ok(v);
                }
            }
            BinaryOp::Add | BinaryOp::InplaceAdd if self.is_text(a) || self.is_text(b) => {
                return self.join_text(&[a.clone(), b.clone()]);
            }
            _ => {}
        }
        self.no_operator(op.symbol(), a, b)
    }

    /// The items of a list or tuple, whatever iteration over an object of its class gives.
    fn stored_items(&mut self, v: &Sym) -> Res<Vec<Sym>> {
        match self.container(v) {
            Some(obj) if !matches!(v, Sym::Obj(o) if *o == obj) => self.items_of(obj),
            _ => self.collect(v),
        }
    }

    fn tuple_or_size(&mut self, items: Vec<Sym>, is_size: bool) -> Res<Sym> {
        if is_size {
            self.size(items)
        } else {
            Ok(self.tuple(items))
        }
    }

    /// Whether it is a list, or what a list of a class stores.
    pub(crate) fn is_list(&self, v: &Sym) -> bool {
        let is_list = |o: Obj| matches!(self.state.heap[o].kind, Kind::List(_));
        let is_other = self.grown(v).is_some() || self.filtered(v).is_some();
        is_other || self.container(v).is_some_and(is_list)
    }

    /// Whether it is a tuple, or what a tuple of a class stores.
    fn is_tuple(&self, v: &Sym) -> bool {
        let is_tuple = |o: Obj| matches!(self.state.heap[o].kind, Kind::Tuple(_));
        matches!(v, Sym::Known(Value::Tuple(_))) || self.container(v).is_some_and(is_tuple)
    }

    /// Whether it is a dict, and of no subclass.
    fn is_dict(&self, v: &Sym) -> bool {
        matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Dict(_)))
    }

    /// A new dict with the same entries.
    pub(crate) fn copied_dict(&mut self, dict: &Sym) -> Res<Sym> {
        let entries = self.entries(dict)?.into_iter();
        Ok(self.alloc(Kind::Dict(SymDict {
            entries: entries.map(|(k, v)| (k, Slot::Loaded(v))).collect(),
            written: Vec::new(),
            removed: Vec::new(),
        })))
    }

    pub(crate) fn no_operator<T>(&self, symbol: &str, a: &Sym, b: &Sym) -> Res<T> {
        let (x, y) = (
            self.class_of(a)?.display_name(),
            self.class_of(b)?.display_name(),
        );
        let is_big = |v: &Sym| matches!(v, Sym::Known(Value::BigInt(_)));
        let is_later = |v: &Sym| matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Later { .. }));
        let what = match [a, b] {
            all if all.into_iter().any(is_big) => " with an int beyond 64 bits",
            all if all.into_iter().any(is_later) => " with what is made where the region ends",
            _ => "",
        };
        self.refuse(
            ReasonId::NoGraphForm,
            format!("`{symbol}` on '{x}' and '{y}'{what} has no graph form"),
        )
    }

    pub(crate) fn object_compare(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Sym> {
        if self.is_found_with_length(a) || self.is_found_with_length(b) {
            return self.found_compare(op, a, b);
        }
        let sequence = |this: &Self, v: &Sym| match v {
            Sym::Known(Value::Tuple(_)) => Some(false),
            _ => this
                .container(v)
                .and_then(|o| match this.state.heap[o].kind {
                    Kind::List(_) => Some(true),
                    Kind::Tuple(_) => Some(false),
                    _ => None,
                }),
        };
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        if equality && let (Some(x), Some(y)) = (sequence(self, a), sequence(self, b)) {
            let (p, q) = (self.stored_items(a)?, self.stored_items(b)?);
            let mut all = Sym::Known(Value::bool(x == y && p.len() == q.len()));
            if x == y && p.len() == q.len() {
                for (v, w) in p.iter().zip(&q) {
                    let equal = self.is_same_item(v, w)?;
                    match self.truth(&equal)? {
                        Truth::Known(true) => {}
                        Truth::Known(false) => {
                            all = Sym::Known(Value::bool(false));
                            break;
                        }
                        Truth::Dynamic(_) => all = self.binary(BinaryOp::And, &all, &equal)?,
                    }
                }
            }
            return if op == CompareOp::Ne {
                self.not(&all)
            } else {
                Ok(all)
            };
        }
        if let (false, Some(x), Some(y)) = (equality, sequence(self, a), sequence(self, b))
            && x == y
        {
            let (p, q) = (self.stored_items(a)?, self.stored_items(b)?);
            for (v, w) in p.iter().zip(&q) {
                let equal = self.is_same_item(v, w)?;
                match self.truth(&equal)? {
                    Truth::Known(true) => {}
                    Truth::Known(false) => return self.compare(op, v, w),
                    Truth::Dynamic(_) => {
                        return self.refuse(
                            ReasonId::MovingValue,
                            "sequences are ordered by numbers that move",
                        );
                    }
                }
            }
            let (p, q) = (p.len() as i64, q.len() as i64);
            return self.compare(op, &Sym::Known(Value::Int(p)), &Sym::Known(Value::Int(q)));
        }
        if equality && let Some(all) = self.equal_contents(a, b)? {
            return if op == CompareOp::Ne {
                self.not(&all)
            } else {
                Ok(all)
            };
        }
        // What these are equal to is told by what they will be.
        let later = |v: &Sym| match v {
            Sym::Obj(o) => matches!(
                self.state.heap[*o].kind,
                Kind::Later { .. }
                    | Kind::Told
                    | Kind::Choice { .. }
                    | Kind::Slice(_)
                    | Kind::Range { .. }
            ),
            _ => false,
        };
        if later(a) || later(b) {
            return self.no_operator(op.symbol(), a, b);
        }
        if equality && a.same(b) && matches!(a, Sym::Obj(_)) {
            return Ok(Sym::Known(Value::bool(op == CompareOp::Eq)));
        }
        if equality && let Some(equal) = self.equal_rows(a, b)? {
            return if op == CompareOp::Ne {
                self.not(&equal)
            } else {
                Ok(equal)
            };
        }
        if equality && self.is_equal_to_itself_only(a) && self.is_equal_to_itself_only(b) {
            let same = self.is(a, b)?;
            return Ok(Sym::Known(Value::bool(same == (op == CompareOp::Eq))));
        }
        self.no_operator(op.symbol(), a, b)
    }

    /// Whether something is equal to what is the same object, or of no kind that is compared by what it holds.
    fn is_equal_to_itself_only(&self, v: &Sym) -> bool {
        let Sym::Obj(o) = v else {
            return !self.is_text(v);
        };
        match &self.state.heap[*o].kind {
            Kind::Instance(i) => i.payload.is_none(),
            // Two of these have been compared by now.
            Kind::List(_) | Kind::Tuple(_) | Kind::Dict(_) | Kind::Set(_) => true,
            Kind::Function(_)
            | Kind::Cell(_)
            | Kind::Iter(_)
            | Kind::Generator(_)
            | Kind::Opaque { .. }
            | Kind::Traceback => true,
            _ => false,
        }
    }

    /// Whether two lists of numbers are equal of which one has a length that moves at least; `None`: they are others.
    fn equal_rows(&mut self, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let of_numbers = |v: &Sym| self.grown(v).is_some_and(|(_, g)| g.is_of_numbers());
        if !of_numbers(a) && !of_numbers(b) {
            return Ok(None);
        }
        if self.is_tuple(a) || self.is_tuple(b) {
            return Ok(Some(Sym::Known(Value::bool(false))));
        }
        if !self.is_list(a) || !self.is_list(b) {
            return Ok(None);
        }
        let args = vec![a.clone(), b.clone()];
        self.inlined_loop("equal_lists", args).map(Some)
    }

    /// Whether two sets or two dicts hold the same, in whatever order; `None`: neither is one.
    fn equal_contents(&mut self, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let unordered = |this: &Self, v: &Sym| match v {
            Sym::Known(v) => matches!(v, Value::Dict(_) | Value::Set(_)),
            Sym::Obj(o) => match &this.state.heap[*o].kind {
                Kind::Dict(_) | Kind::Set(_) | Kind::InstanceDict(_) => true,
                Kind::Instance(i) => i
                    .container()
                    .is_some_and(|p| matches!(this.state.heap[p].kind, Kind::Dict(_))),
                _ => false,
            },
            _ => false,
        };
        if a.same(b) || !unordered(self, a) && !unordered(self, b) {
            return Ok(None);
        }
        if let (Some(p), Some(q)) = (self.held(a), self.held(b)) {
            let mut all = p.len() == q.len();
            for v in &p {
                all = all && self.position(&q, v)?.is_some();
            }
            return Ok(Some(Sym::Known(Value::bool(all))));
        }
        let (Sym::Obj(x), Sym::Obj(y)) = (a, b) else {
            return self.refuse(
                ReasonId::NoGraphForm,
                "a dict or set is compared with something else",
            );
        };
        let (x, y) = (*x, *y);
        if !self.is_dict(a) || !self.is_dict(b) {
            return self.refuse(
                ReasonId::NoGraphForm,
                "a dict or set is compared with something else",
            );
        }
        let (p, q) = (self.entries(&Sym::Obj(x))?, self.entries(&Sym::Obj(y))?);
        let no = Sym::Known(Value::bool(false));
        if p.len() != q.len() {
            return Ok(Some(no));
        }
        let mut all = Sym::Known(Value::bool(true));
        for (key, v) in p {
            let Some(w) = self.dict_get(y, &key)? else {
                return Ok(Some(no));
            };
            let equal = self.is_same_item(&v, &w)?;
            match self.truth(&equal)? {
                Truth::Known(true) => {}
                Truth::Known(false) => return Ok(Some(no)),
                Truth::Dynamic(_) => all = self.binary(BinaryOp::And, &all, &equal)?,
            }
        }
        Ok(Some(all))
    }

    pub(crate) fn instance_truth(&mut self, v: &Sym) -> Res<Truth> {
        if let Some(truth) = self.special_truth(v)? {
            return Ok(truth);
        }
        if self.container(v).is_some() || self.is_found_with_length(v) {
            let len = self.len(v)?;
            return self.truth(&len);
        }
        if let Some(value) = self.state.stored_value(v) {
            return self.truth(&value);
        }
        Ok(Truth::Known(true))
    }
}

/// Whether a class is `torch.Size`, which what is made of sizes has, too.
fn is_size(class: &PyRef<janus_object::Class>) -> bool {
    PyRef::ptr_eq(class, &janus_torch::objects::classes().size)
}
