//! Operations on values.
//!
//! In: values. Out: what CPython's operators and built-in protocols give. Always: operations on
//! immediates come first and neither allocate nor call; no borrow is held while Python code runs.

mod binary;
mod compare;
mod division;
mod int;
mod item;
mod iterate;
mod special;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::{Args, Name, Payload, PyRef, PyResult, Raised, Value, Vm, attr, class_of, name};

pub use binary::{binary, extend_list};
pub(crate) use binary::{concatenate, inplace_name, plain_name, reflected_name, times};
pub(crate) use binary::{native as native_binary, native_inplace};
pub use compare::{
    compare, eq, float_hash, hash, hash_simple, int_eq_float, is_by_identity, swapped,
};
pub(crate) use compare::{compare_sets, native as native_compare, pointer_hash, view_as_set};
pub use compare::{holds, method_name as compare_name};
pub use int::big_to_f64;
pub(crate) use int::{float_divmod, number, pow_mod};
pub(crate) use item::hashable;
pub use item::{
    contains, del_item, get_item, get_slice, item_offset, len, len_simple, set_item, set_slice,
    set_slice_simple, simple_bounds, slice_simple,
};
pub use iterate::{
    Taken, collect, for_each, iter, iter_simple, next, reversed, reversed_simple, unpack,
};
pub use special::Special;

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`
    Negative,
    /// `+x`
    Positive,
    /// `~x`
    Invert,
    /// `not x`
    Not,
}

/// Whether operators on the value go through its class's special methods.
#[inline]
pub(crate) fn is_custom(v: &Value) -> bool {
    match v {
        Value::Instance(_) => true,
        Value::Class(c) => c.has_metaclass(),
        _ => false,
    }
}

/// `op a`
pub fn unary(vm: &mut dyn Vm, op: UnaryOp, a: &Value) -> PyResult {
    if op == UnaryOp::Not {
        return Ok(Value::bool(!truth(vm, a)?));
    }
    if let Some(result) = native_unary(op, a) {
        return Ok(result);
    }
    let (method, symbol) = match op {
        UnaryOp::Negative => (name!("__neg__"), "-"),
        UnaryOp::Positive => (name!("__pos__"), "+"),
        UnaryOp::Invert | UnaryOp::Not => (name!("__invert__"), "~"),
    };
    match special(a, method) {
        Some(method) if is_custom(a) => call_special(vm, &method, a, &[]),
        _ => Err(Raised::type_error(format!(
            "bad operand type for unary {symbol}: '{}'",
            a.type_name()
        ))),
    }
}

/// `op a` of numbers.
pub(crate) fn native_unary(op: UnaryOp, a: &Value) -> Option<Value> {
    let a = match a {
        Value::Bool(b) => &Value::Int(i64::from(b.get())),
        other => other,
    };
    Some(match (op, a) {
        (UnaryOp::Negative, Value::Int(i)) => match i.checked_neg() {
            Some(negated) => Value::Int(negated),
            None => Value::big(-BigInt::from(*i)),
        },
        (UnaryOp::Negative, Value::Float(f)) => Value::float(-f.get()),
        (UnaryOp::Negative, Value::BigInt(b)) => Value::big(-&**b),
        (UnaryOp::Positive, Value::Int(_) | Value::Float(_) | Value::BigInt(_)) => a.clone(),
        (UnaryOp::Invert, Value::Int(i)) => Value::Int(!i),
        (UnaryOp::Invert, Value::BigInt(b)) => Value::big(-&**b - 1),
        _ => return None,
    })
}

/// `abs(a)`
pub fn abs(vm: &mut dyn Vm, a: &Value) -> PyResult {
    match a {
        Value::Int(i) if *i != i64::MIN => Ok(Value::Int(i.abs())),
        Value::Int(i) => Ok(Value::big(BigInt::from(*i).abs())),
        Value::Bool(b) => Ok(Value::Int(i64::from(b.get()))),
        Value::Float(f) => Ok(Value::float(f.get().abs())),
        Value::BigInt(b) => Ok(Value::big(b.abs())),
        _ => match special(a, name!("__abs__")) {
            Some(method) => call_special(vm, &method, a, &[]),
            None => Err(Raised::type_error(format!(
                "bad operand type for abs(): '{}'",
                a.type_name()
            ))),
        },
    }
}

/// `a / b` of ints of any size, correctly rounded.
pub(crate) fn true_divide(a: &BigInt, b: &BigInt) -> PyResult {
    Ok(int::big(janus_bytecode::BinaryOp::TrueDiv, a, b)?.unwrap_or(Value::NotImplemented))
}

/// `pow(a, b, modulus)`; without a modulus it is [`binary`].
pub fn pow_modulo(vm: &mut dyn Vm, a: &Value, b: &Value, modulus: &Value) -> PyResult {
    // Only the base is asked: there is no reflected method with three arguments.
    if matches!(a, Value::Instance(_))
        && let Some(method) = special(a, name!("__pow__"))
    {
        let result = call_special(vm, &method, a, &[b.clone(), modulus.clone()])?;
        if !matches!(result, Value::NotImplemented) {
            return Ok(result);
        }
    }
    match (a.as_bigint(), b.as_bigint(), modulus.as_bigint()) {
        (Some(a), Some(b), Some(m)) => pow_mod(&a, &b, &m),
        _ if [a, b, modulus].iter().all(|v| v.as_f64().is_some()) => Err(Raised::type_error(
            "pow() 3rd argument not allowed unless all arguments are integers",
        )),
        _ => Err(Raised::type_error(format!(
            "unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
            a.type_name(),
            b.type_name(),
            modulus.type_name()
        ))),
    }
}

/// `divmod(a, b)`
pub fn divmod(vm: &mut dyn Vm, a: &Value, b: &Value) -> PyResult {
    let names = [name!("__divmod__"), name!("__rdivmod__")];
    match binary::by_protocol(vm, names, &|_, a, b| native_divmod(a, b), a, b)? {
        Some(result) => Ok(result),
        None => Err(Raised::type_error(format!(
            "unsupported operand type(s) for divmod(): '{}' and '{}'",
            a.type_name(),
            b.type_name()
        ))),
    }
}

/// `divmod(a, b)` of numbers.
pub(crate) fn native_divmod(a: &Value, b: &Value) -> PyResult<Option<Value>> {
    use janus_bytecode::BinaryOp::{FloorDiv, Mod};
    let (a, b) = (&a.unwrapped(), &b.unwrapped());
    let float = matches!(a, Value::Float(_)) || matches!(b, Value::Float(_));
    if let (true, Some(x), Some(y)) = (float, a.as_f64(), b.as_f64()) {
        if y == 0.0 {
            return Err(Raised::zero_division("float divmod()"));
        }
        let (quotient, rest) = float_divmod(x, y);
        return Ok(Some(Value::tuple(vec![
            Value::float(quotient),
            Value::float(rest),
        ])));
    }
    let is_big = |value: &Value| matches!(value, Value::BigInt(_));
    if (is_big(a) || is_big(b))
        && let (Some(x), Some(y)) = (a.as_bigint(), b.as_bigint())
        && !y.is_zero()
    {
        let (quotient, rest) = division::div_mod_floor(&x, &y);
        return Ok(Some(Value::tuple(vec![
            Value::big(quotient),
            Value::big(rest),
        ])));
    }
    Ok(match (number(FloorDiv, a, b)?, number(Mod, a, b)?) {
        (Some(q), Some(r)) => Some(Value::tuple(vec![q, r])),
        _ => None,
    })
}

/// `bool(a)`
#[inline]
pub fn truth(vm: &mut dyn Vm, a: &Value) -> PyResult<bool> {
    match truth_simple(a) {
        Some(truth) => Ok(truth),
        None => truth_custom(vm, a),
    }
}

/// The truth of a value whose class says nothing of it.
#[inline]
pub fn truth_simple(a: &Value) -> Option<bool> {
    Some(match a {
        Value::Bool(b) => b.get(),
        Value::None => false,
        Value::Int(i) => *i != 0,
        Value::Float(f) => f.get() != 0.0,
        Value::Str(s) => !s.is_empty(),
        Value::List(l) => !l.is_empty(),
        Value::Tuple(t) => !t.is_empty(),
        Value::Dict(d) => !d.is_empty(),
        Value::Set(s) => !s.is_empty(),
        Value::Bytes(b) => !b.is_empty(),
        Value::Range(r) => !r.is_empty(),
        Value::BigInt(b) => !b.is_zero(),
        Value::Instance(instance) => return instance.truth_simple(),
        Value::Class(c) if c.has_metaclass() => return None,
        _ => true,
    })
}

fn truth_custom(vm: &mut dyn Vm, a: &Value) -> PyResult<bool> {
    if let Some(method) = special(a, name!("__bool__")) {
        return match call_special(vm, &method, a, &[])? {
            Value::Bool(b) => Ok(b.get()),
            other => Err(Raised::type_error(format!(
                "__bool__ should return bool, returned {}",
                other.type_name()
            ))),
        };
    }
    if special(a, name!("__len__")).is_some() {
        return Ok(len(vm, a)? != 0);
    }
    Ok(true)
}

/// `a is b`. Immediates are identical when they are equal (NaNs when their bits are).
#[inline]
pub fn is(a: &Value, b: &Value) -> bool {
    use Value::*;
    match (a, b) {
        (None, None) | (Ellipsis, Ellipsis) | (NotImplemented, NotImplemented) => true,
        (Bool(x), Bool(y)) => x == y,
        (Int(x), Int(y)) => x == y,
        (Float(x), Float(y)) => x.get().to_bits() == y.get().to_bits(),
        (BigInt(x), BigInt(y)) => PyRef::ptr_eq(x, y),
        // CPython keeps one empty string and one string per Latin-1 character.
        (Str(x), Str(y)) => PyRef::ptr_eq(x, y) || (x.len() <= 1 && x == y),
        (Bytes(x), Bytes(y)) => PyRef::ptr_eq(x, y),
        (Tuple(x), Tuple(y)) => PyRef::ptr_eq(x, y) || (x.is_empty() && y.is_empty()),
        (List(x), List(y)) => PyRef::ptr_eq(x, y),
        (Dict(x), Dict(y)) => PyRef::ptr_eq(x, y),
        (Set(x), Set(y)) => PyRef::ptr_eq(x, y),
        (Range(x), Range(y)) => PyRef::ptr_eq(x, y),
        (Slice(x), Slice(y)) => PyRef::ptr_eq(x, y),
        (Function(x), Function(y)) => PyRef::ptr_eq(x, y),
        (Method(x), Method(y)) => PyRef::ptr_eq(x, y),
        (Native(x), Native(y)) => PyRef::ptr_eq(x, y),
        (Class(x), Class(y)) => PyRef::ptr_eq(x, y),
        (Instance(x), Instance(y)) => PyRef::ptr_eq(x, y),
        (Module(x), Module(y)) => PyRef::ptr_eq(x, y),
        (Iter(x), Iter(y)) => PyRef::ptr_eq(x, y),
        (Generator(x), Generator(y)) => PyRef::ptr_eq(x, y),
        (Cell(x), Cell(y)) => PyRef::ptr_eq(x, y),
        (Code(x), Code(y)) => PyRef::ptr_eq(x, y),
        _ => false,
    }
}

/// `id(a)`: the address, or a number made of the content of an immediate.
pub fn identity(a: &Value) -> usize {
    use Value::*;
    fn at<T: crate::heap::Object>(rc: &PyRef<T>) -> usize {
        PyRef::as_ptr(rc) as *const () as usize
    }
    match a {
        None => 0x10,
        Ellipsis => 0x20,
        NotImplemented => 0x30,
        Bool(b) => 0x40 + 0x20 * usize::from(b.get()),
        // Odd numbers are never addresses.
        Int(i) => ((*i as usize) << 5) | 1,
        Float(f) => (f.get().to_bits().rotate_left(7) as usize) | 3,
        BigInt(x) => at(x),
        Str(x) => at(x),
        Bytes(x) => at(x),
        Tuple(x) => at(x),
        List(x) => at(x),
        Dict(x) => at(x),
        Set(x) => at(x),
        Range(x) => at(x),
        Slice(x) => at(x),
        Function(x) => at(x),
        Method(x) => at(x),
        Native(x) => at(x),
        Class(x) => at(x),
        Instance(x) => at(x),
        Module(x) => at(x),
        Iter(x) => at(x),
        Generator(x) => at(x),
        Cell(x) => at(x),
        Code(x) => at(x),
    }
}

/// `operator.index(a)`: an int value.
pub fn index(vm: &mut dyn Vm, a: &Value) -> PyResult {
    match a {
        Value::Int(_) | Value::BigInt(_) => return Ok(a.clone()),
        Value::Bool(b) => return Ok(Value::Int(i64::from(b.get()))),
        Value::Instance(i) => {
            if let Payload::Wrapped(v @ (Value::Int(_) | Value::BigInt(_))) = &i.payload {
                return Ok(v.clone());
            }
            if let Some(method) = special(a, name!("__index__")) {
                let result = call_special(vm, &method, a, &[])?;
                return match result.unwrapped() {
                    int @ (Value::Int(_) | Value::BigInt(_)) => Ok(int),
                    Value::Bool(b) => Ok(Value::Int(i64::from(b.get()))),
                    _ => Err(Raised::type_error(format!(
                        "__index__ returned non-int (type {})",
                        result.type_name()
                    ))),
                };
            }
        }
        _ => {}
    }
    Err(Raised::type_error(format!(
        "'{}' object cannot be interpreted as an integer",
        a.type_name()
    )))
}

/// `operator.index(a)` within 64 bits; larger ones are an OverflowError.
#[inline]
pub fn as_index(vm: &mut dyn Vm, a: &Value) -> PyResult<i64> {
    if let Value::Int(i) = a {
        return Ok(*i);
    }
    match index(vm, a)? {
        Value::Int(i) => Ok(i),
        _ => Err(Raised::overflow_error(
            "Python int too large to convert to C ssize_t",
        )),
    }
}

/// A bound of a slice: as [`as_index`], but clamped.
pub fn slice_index(vm: &mut dyn Vm, a: &Value) -> PyResult<i64> {
    let int = match a {
        Value::Int(_) | Value::Bool(_) | Value::BigInt(_) => index(vm, a)?,
        other if special(other, name!("__index__")).is_some() => index(vm, a)?,
        _ => {
            return Err(Raised::type_error(
                "slice indices must be integers or None or have an __index__ method",
            ));
        }
    };
    Ok(match int {
        Value::Int(i) => i,
        Value::BigInt(b) if b.is_negative() => i64::MIN,
        _ => i64::MAX,
    })
}

/// `float(a)` for numbers and objects with `__float__` or `__index__`.
pub fn to_f64(vm: &mut dyn Vm, a: &Value) -> PyResult<f64> {
    match a {
        Value::Float(f) => return Ok(f.get()),
        Value::Int(i) => return Ok(*i as f64),
        Value::Bool(b) => return Ok(f64::from(u8::from(b.get()))),
        Value::BigInt(b) => {
            let f = big_to_f64(b);
            if f.is_infinite() {
                return Err(Raised::overflow_error("int too large to convert to float"));
            }
            return Ok(f);
        }
        Value::Instance(_) => {
            if let Some(method) = special(a, name!("__float__")) {
                let result = call_special(vm, &method, a, &[])?;
                return match result.unwrapped() {
                    Value::Float(f) => Ok(f.get()),
                    _ => Err(Raised::type_error(format!(
                        "{}.__float__ returned non-float (type {})",
                        a.type_name(),
                        result.type_name()
                    ))),
                };
            }
            if special(a, name!("__index__")).is_some() {
                let int = index(vm, a)?;
                return to_f64(vm, &int);
            }
        }
        _ => {}
    }
    Err(Raised::type_error(format!(
        "must be real number, not {}",
        a.type_name()
    )))
}

/// A special method: looked up in the class, not bound.
#[inline]
pub fn special(a: &Value, name: &Name) -> Option<Value> {
    match a {
        Value::Instance(i) => i.class.borrow().lookup(name),
        other => class_of(other).lookup(name),
    }
}

/// What the short way of a special method says, if it has one.
pub(crate) fn short_way(method: &Value, this: &Value, other: &Value) -> Option<Value> {
    let Value::Native(native) = method else {
        return None;
    };
    let crate::NativeBody::Short { short, .. } = &native.func else {
        return None;
    };
    short(crate::Args::new(&[this.clone(), other.clone()]))
}

/// Calls a special method found by [`special`].
pub fn call_special(vm: &mut dyn Vm, method: &Value, a: &Value, args: &[Value]) -> PyResult {
    if !attr::is_method(method) {
        let owner = Value::Class(class_of(a));
        crate::call::enter_call(vm)?;
        let result = attr::descriptor_get(vm, method, Some(a), &owner)
            .and_then(|bound| vm.call(&bound, Args::new(args)));
        vm.leave();
        return result;
    }
    let mut full = smallvec::SmallVec::<[Value; 4]>::with_capacity(args.len() + 1);
    full.push(a.clone());
    full.extend(args.iter().cloned());
    match method {
        Value::Native(n) => n.call(vm, Args::new(&full)),
        _ => vm.call(method, Args::new(&full)),
    }
}
