//! Special methods: who does what an operator, or a built-in function, asks for.
//!
//! In: a value and the name of a special method. Out: the function that Python would call, or word that it is the
//! built-in type's own doing. Always: what handles a built-in type's values directly asks here first, also for
//! instances of derived classes; a special method that is no function is refused, and so is whatever would run the
//! script's methods while the region is converted.

use janus_bytecode::{BinaryOp, CompareOp, Opcode};
use janus_object::ops::{compare_name, swapped};
use janus_object::{BaseKind, Binding, Class, Name, Payload, PyRef, Value, class_of, types};
use janus_plan::{DeoptReason, ReasonId, ScalarType};

use crate::Res;
use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::objects::stored_values::Said;
use crate::state::sym::{Kind, Sym};

/// Methods that run when a class or an object is made, which is not what an operator asks for.
const NOT_ASKED_FOR: &[&str] = &[
    "__init__",
    "__new__",
    "__post_init__",
    "__init_subclass__",
    "__set_name__",
    "__class_getitem__",
    "__prepare__",
];

/// The middle of a special method's name.
pub(super) fn special_name(op: BinaryOp) -> &'static str {
    match op.plain() {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::TrueDiv => "truediv",
        BinaryOp::FloorDiv => "floordiv",
        BinaryOp::Mod => "mod",
        BinaryOp::Pow => "pow",
        BinaryOp::MatMul => "matmul",
        BinaryOp::LShift => "lshift",
        BinaryOp::RShift => "rshift",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        _ => "xor",
    }
}

fn is_not_implemented(v: &Sym) -> bool {
    matches!(v, Sym::Known(Value::NotImplemented))
}

/// Whether a class of the script's has a special method, other than one of the library's.
fn has_script_methods(class: &PyRef<Class>) -> bool {
    let mro = class.mro.borrow();
    mro.iter().filter(|c| c.flags.get().mutable).any(|c| {
        c.dict.borrow().iter().any(|(name, v)| {
            let name = name.as_str();
            let special = name.starts_with("__") && name.ends_with("__");
            special
                && !NOT_ASKED_FOR.contains(&name)
                && match v {
                    Value::Function(f) => !f.code.borrow().code.is_library(),
                    Value::Native(_) | Value::Class(_) => false,
                    other => janus_object::call::is_callable(other),
                }
        })
    })
}

/// Whether what a built-in function does with a value may run a method of the script's.
fn runs_script_methods(v: &Value) -> bool {
    match v {
        Value::Instance(i) => {
            has_script_methods(&i.class())
                || match &i.payload {
                    Payload::Tuple(t) => t.items.iter().any(runs_script_methods),
                    Payload::Set(s) => s.items().iter().any(runs_script_methods),
                    _ => false,
                }
        }
        Value::Tuple(t) => t.items.iter().any(runs_script_methods),
        Value::Set(s) => s.items().iter().any(runs_script_methods),
        _ => false,
    }
}

impl Executor<'_> {
    /// The class of a value whose class may have methods of its own.
    fn own_class(&self, v: &Sym) -> Option<PyRef<Class>> {
        let class = match v {
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Instance(_) | Kind::Found(_) | Kind::Tensor(_) => self.class_of(v).ok()?,
                _ => return None,
            },
            Sym::Known(known @ Value::Instance(_)) => class_of(known),
            _ => return None,
        };
        class.flags.get().mutable.then_some(class)
    }

    /// The special method of an object whose class is written in Python, if it has one other than the one of the
    /// built-in type that it derives from.
    pub(crate) fn python_method(&mut self, v: &Sym, name: &str) -> Res<Option<Sym>> {
        let Some(class) = self.own_class(v) else {
            return Ok(None);
        };
        if v.known().is_some() {
            // Another object of the heap has a guard of its class.
            self.guard_class(&class);
        }
        let name = Name::new(name);
        let Some(own) = class.lookup(&name) else {
            return Ok(None);
        };
        // What it inherits from a built-in type is that type's own doing.
        let is_own = class.owner_of(&name).is_some_and(|c| c.flags.get().mutable);
        let is_unhashable = own.is_none() && name.as_str() == "__hash__";
        if !is_own || is_unhashable {
            return Ok(None);
        }
        let is_function = match &own {
            Value::Function(_) => true,
            Value::Native(native) => native.binding == Binding::Method,
            _ => false,
        };
        if !is_function {
            let class = class.display_name();
            return self.refuse(
                ReasonId::SpecialMethod,
                format!("{} of {class}, which is no function", name.as_str()),
            );
        }
        self.guard_class(&class);
        Ok(Some(Sym::Known(own)))
    }

    /// The bound method of a protocol that a statement asks for: the class's, whatever the object's own attributes and its
    /// `__getattr__` say.
    pub(crate) fn protocol_method(&mut self, v: &Sym, name: &str) -> Res<Sym> {
        let name = Name::new(name);
        let Some(class) = self.own_class(v) else {
            return self.get_attr(v, &name);
        };
        self.guard_class(&class);
        match class.lookup(&name) {
            Some(found) => self.bind(&found, v, &class),
            None => self.refuse(
                ReasonId::WouldRaise,
                format!(
                    "it would raise: {} has no {}",
                    class.display_name(),
                    name.as_str()
                ),
            ),
        }
    }

    /// Refuses what somebody may change while it stays the same object, and what would run a method of the script's
    /// now instead of each time.
    pub(crate) fn told_now(&self, value: &Value) -> Res<()> {
        if runs_script_methods(value) {
            let class = value.type_name();
            return self.refuse(
                ReasonId::SpecialMethod,
                format!("a method of {class} that a built-in function calls"),
            );
        }
        self.unchanging(value)
    }

    /// Whether it is an instance of a class that has nothing of a built-in type, so that an operator that its class
    /// does not define is not implemented.
    fn is_bare(&self, v: &Sym) -> bool {
        match v {
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Instance(i) => {
                    let stands_for_deque = i.class.lookup(&Name::new("_is_deque")).is_some();
                    let is_plain = i.class.kind.get() == BaseKind::Object;
                    i.payload.is_none() && is_plain && !stands_for_deque
                }
                Kind::Found(_) => self
                    .class_of(v)
                    .is_ok_and(|c| c.flags.get().mutable && c.kind.get() == BaseKind::Object),
                Kind::Function(_) | Kind::Method { .. } => true,
                _ => false,
            },
            Sym::Known(Value::Instance(i)) => {
                matches!(i.payload, Payload::None) && i.class().flags.get().mutable
            }
            Sym::Known(v) => matches!(
                v,
                Value::None | Value::Function(_) | Value::Module(_) | Value::Method(_)
            ),
            _ => false,
        }
    }

    // ---- operators -----------------------------------------------------------------------

    /// A binary operator where the class of an operand has a method for it; `None`: it is built-in types' own.
    pub(crate) fn special_binary(&mut self, op: BinaryOp, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        if self.own_class(a).is_none() && self.own_class(b).is_none() {
            return Ok(None);
        }
        let plain = special_name(op);
        let forward = self.python_method(a, &format!("__{plain}__"))?;
        // Of two objects of one class, the right one is not asked.
        let reflected = match PyRef::ptr_eq(&self.class_of(a)?, &self.class_of(b)?) {
            true => None,
            false => self.python_method(b, &format!("__r{plain}__"))?,
        };
        let sequence = self.is_sequence_object(a);
        if op.is_inplace() {
            if let Some(m) = self.python_method(a, &format!("__i{plain}__"))? {
                let v = self.call(&m, vec![a.clone(), b.clone()], Vec::new())?;
                if !is_not_implemented(&v) {
                    return Ok(Some(v));
                }
            } else if (forward.is_some() || reflected.is_some()) && self.changes_in_place(a) {
                let class = self.class_of(a)?.display_name();
                return self.refuse(
                    ReasonId::SpecialMethod,
                    format!("a {class} is changed by an operator that a class defines, too"),
                );
            }
        }
        if forward.is_none() && reflected.is_none() {
            return Ok(None);
        }
        // A derived class goes first, and any class with a method before what sequences do.
        let of_sequence = sequence && matches!(op.plain(), BinaryOp::Add | BinaryOp::Mul);
        let reflected_first = reflected.is_some()
            && (of_sequence && forward.is_none()
                || self.derives_anew(a, b, &format!("__r{plain}__"))?);
        if sequence && forward.is_none() && op.plain() == BinaryOp::Mod && !reflected_first {
            // A format takes any object.
            return Ok(None);
        }
        let tries = [(&forward, a, b), (&reflected, b, a)];
        let order = if reflected_first { [1, 0] } else { [0, 1] };
        for (nth, i) in order.into_iter().enumerate() {
            let (method, this, other) = tries[i];
            let Some(method) = method else {
                if self.is_bare(this) {
                    continue;
                }
                if nth == 1 && i == 0 {
                    return Ok(None);
                }
                match self.as_number(this, other)? {
                    Some(Said::Result) => {
                        return self.binary_of_stored(op, a, b).map(Some);
                    }
                    Some(Said::NotImplemented) => continue,
                    None => {}
                }
                // What a built-in type does with an operand that is an object of a class it does not know.
                if !self.is_bare(other) || i == 1 && self.is_tensor(this) {
                    let (x, y) = (self.class_of(a)?, self.class_of(b)?);
                    return self.refuse(
                        ReasonId::SpecialMethod,
                        format!(
                            "`{}` on '{}' and '{}', of which one defines it",
                            op.symbol(),
                            x.display_name(),
                            y.display_name()
                        ),
                    );
                }
                continue;
            };
            let v = self.call(method, vec![this.clone(), other.clone()], Vec::new())?;
            if !is_not_implemented(&v) {
                return Ok(Some(v));
            }
        }
        self.no_operator(op.symbol(), a, b)
    }

    /// Whether the right operand's class derives from the left one's, and has another method of this name.
    fn derives_anew(&mut self, a: &Sym, b: &Sym, name: &str) -> Res<bool> {
        let (p, q) = (self.class_of(a)?, self.class_of(b)?);
        if PyRef::ptr_eq(&p, &q) || !q.is_subclass_of(&p) {
            return Ok(false);
        }
        let name = Name::new(name);
        Ok(match (p.lookup(&name), q.lookup(&name)) {
            (Some(x), Some(y)) => !janus_object::ops::is(&x, &y),
            _ => true,
        })
    }

    /// Whether `+` and `*` are what sequences do with it.
    fn is_sequence_object(&self, v: &Sym) -> bool {
        let t = types();
        let sequences = [&t.list, &t.tuple, &t.str, &t.bytes, &t.bytearray];
        let of = self.class_of(v);
        of.is_ok_and(|c| sequences.into_iter().any(|s| c.is_subclass_of(s)))
    }

    /// Whether its type changes it where an operator is applied in place.
    fn changes_in_place(&self, v: &Sym) -> bool {
        let t = types();
        let changing = [&t.list, &t.dict, &t.set, &t.bytearray];
        let of = self.class_of(v);
        self.is_tensor(v) || of.is_ok_and(|c| changing.into_iter().any(|s| c.is_subclass_of(s)))
    }

    /// A unary operator, by a method of the operand's class.
    pub(crate) fn special_unary(&mut self, op: Opcode, v: &Sym) -> Res<Option<Sym>> {
        let name = match op {
            Opcode::UnaryNegative => "__neg__",
            Opcode::UnaryPositive => "__pos__",
            _ => "__invert__",
        };
        match self.python_method(v, name)? {
            Some(m) => self.call(&m, vec![v.clone()], Vec::new()).map(Some),
            None => Ok(None),
        }
    }

    /// Whether an object is true, by a method of its class.
    pub(crate) fn special_truth(&mut self, v: &Sym) -> Res<Option<Truth>> {
        if let Some(method) = self.python_method(v, "__bool__")? {
            let told = self.call(&method, vec![v.clone()], Vec::new())?;
            if !PyRef::ptr_eq(&self.class_of(&told)?, &types().bool) {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: __bool__ should return bool",
                );
            }
            return self.truth(&told).map(Some);
        }
        if self.python_method(v, "__len__")?.is_some() {
            let len = self.len(v)?;
            return self.truth(&len).map(Some);
        }
        Ok(None)
    }

    // ---- comparisons ---------------------------------------------------------------------

    /// The method for a comparison, and whether it answers the opposite: `object.__ne__` asks `__eq__`.
    fn compare_method(&mut self, op: CompareOp, v: &Sym) -> Res<Option<(Sym, bool)>> {
        if let Some(m) = self.python_method(v, compare_name(op).as_str())? {
            return Ok(Some((m, false)));
        }
        let is_opposite = op == CompareOp::Ne
            && self.own_class(v).is_some_and(|class| {
                let owner = class.owner_of(&Name::new("__ne__"));
                owner.is_none_or(|c| PyRef::ptr_eq(&c, &types().object))
            });
        if !is_opposite {
            return Ok(None);
        }
        let eq = self.python_method(v, compare_name(CompareOp::Eq).as_str())?;
        Ok(eq.map(|m| (m, true)))
    }

    /// A comparison where the class of an operand has a method for it; `None`: it is built-in types' own.
    pub(crate) fn special_compare(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        if self.own_class(a).is_none() && self.own_class(b).is_none() {
            return Ok(None);
        }
        let mine = self.compare_method(op, a)?;
        let theirs = self.compare_method(swapped(op), b)?;
        if mine.is_none() && theirs.is_none() {
            return Ok(None);
        }
        // A derived class knows better than its base.
        let (p, q) = (self.class_of(a)?, self.class_of(b)?);
        let derived = !PyRef::ptr_eq(&p, &q) && q.is_subclass_of(&p);
        let tries = [(&mine, a, b), (&theirs, b, a)];
        let order = if derived { [1, 0] } else { [0, 1] };
        for i in order {
            let (method, this, other) = tries[i];
            let Some((method, opposite)) = method else {
                if self.is_bare(this) || self.is_bare(other) {
                    continue;
                }
                match self.as_number(this, other)? {
                    Some(Said::Result) => {
                        let (a, b) = (self.state.plain(a), self.state.plain(b));
                        return self.compare(op, &a, &b).map(Some);
                    }
                    Some(Said::NotImplemented) => continue,
                    None => {}
                }
                return self.refuse(
                    ReasonId::SpecialMethod,
                    format!(
                        "'{}' and '{}' are compared, of which one has a method for it",
                        p.display_name(),
                        q.display_name()
                    ),
                );
            };
            let v = self.call(method, vec![this.clone(), other.clone()], Vec::new())?;
            if is_not_implemented(&v) {
                continue;
            }
            return match opposite {
                true => self.not(&v).map(Some),
                false => Ok(Some(v)),
            };
        }
        match op {
            CompareOp::Eq | CompareOp::Ne => {
                let same = self.is(a, b)?;
                Ok(Some(Sym::Known(Value::bool(same == (op == CompareOp::Eq)))))
            }
            _ => self.refuse(
                ReasonId::WouldRaise,
                "it would raise TypeError: no comparison between the two",
            ),
        }
    }

    /// Whether something is an item: the same object, or equal to it. Floats that move are asserted to be no two
    /// NaNs, of which only tier 0 knows whether they are one object.
    pub(crate) fn is_same_item(&mut self, v: &Sym, item: &Sym) -> Res<Sym> {
        if v.same(item) {
            return Ok(Sym::Known(Value::bool(true)));
        }
        let may_be_nan = |v: &Sym| match v {
            Sym::Scalar(s) => s.ty == ScalarType::Float,
            Sym::Known(Value::Float(f)) => f.get().is_nan(),
            _ => false,
        };
        if may_be_nan(v) && may_be_nan(item) {
            for one in [v, item] {
                if let Sym::Scalar(number) = self.compare(CompareOp::Eq, one, one)? {
                    let (reason, key) = (DeoptReason::ArithmeticError, self.key("nan"));
                    self.assert(number.id, reason, key, "a number that is no NaN".to_owned())?;
                }
            }
        }
        self.compare(CompareOp::Eq, v, item)
    }

    // ---- keys ----------------------------------------------------------------------------

    /// Whether a class has a method of its own under this name, and no other class of the script's or the
    /// library's may answer for it.
    pub(crate) fn defines(class: &Class, name: &str) -> bool {
        let name = Name::new(name);
        class
            .owner_of(&name)
            .is_some_and(|owner| owner.flags.get().mutable)
    }
}
