//! Binary operators.
//!
//! In: an operator and two values. Out: the result by CPython's protocol: the built-in pairs,
//! then special methods, reflected ones first when the right operand's class is derived and
//! overrides them. Always: `native` never looks inside instances.

use std::rc::Rc;

use janus_bytecode::BinaryOp;

use super::{call_special, int, is_custom, special};
use crate::{Name, PyBytes, PyResult, PySet, Raised, Value, Vm, class_of, name, text};

/// `a op b`, in place or not.
#[inline]
pub fn binary(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => match op {
            BinaryOp::Add | BinaryOp::InplaceAdd => {
                if let Some(sum) = x.checked_add(*y) {
                    return Ok(Value::Int(sum));
                }
            }
            BinaryOp::Sub | BinaryOp::InplaceSub => {
                if let Some(difference) = x.checked_sub(*y) {
                    return Ok(Value::Int(difference));
                }
            }
            BinaryOp::Mul | BinaryOp::InplaceMul => {
                if let Some(product) = x.checked_mul(*y) {
                    return Ok(Value::Int(product));
                }
            }
            _ => {}
        },
        (Value::Float(x), Value::Float(y)) => match op {
            BinaryOp::Add | BinaryOp::InplaceAdd => return Ok(Value::Float(x + y)),
            BinaryOp::Sub | BinaryOp::InplaceSub => return Ok(Value::Float(x - y)),
            BinaryOp::Mul | BinaryOp::InplaceMul => return Ok(Value::Float(x * y)),
            BinaryOp::TrueDiv | BinaryOp::InplaceTrueDiv if *y != 0.0 => {
                return Ok(Value::Float(x / y));
            }
            _ => {}
        },
        _ => {}
    }
    let plain = op.plain();
    if let Some(result) = int::number(plain, a, b)? {
        return Ok(result);
    }
    general(vm, op, plain, a, b)
}

fn general(vm: &mut dyn Vm, op: BinaryOp, plain: BinaryOp, a: &Value, b: &Value) -> PyResult {
    if !is_custom(a) && !is_custom(b) {
        if op.is_inplace()
            && let Some(result) = native_inplace(vm, plain, a, b)?
        {
            return Ok(result);
        }
        if let Some(result) = native(vm, plain, a, b)? {
            return Ok(result);
        }
        return Err(unsupported(op, a, b));
    }
    if op.is_inplace() {
        if !is_custom(a) {
            if let Some(result) = native_inplace(vm, plain, a, b)? {
                return Ok(result);
            }
        } else if let Some(method) = special(a, inplace_name(plain)) {
            let result = call_special(vm, &method, a, std::slice::from_ref(b))?;
            if !matches!(result, Value::NotImplemented) {
                return Ok(result);
            }
        }
    }
    match by_special(vm, plain, a, b)? {
        Some(result) => Ok(result),
        None => Err(unsupported(op, a, b)),
    }
}

/// The special-method protocol of a plain operator.
fn by_special(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult<Option<Value>> {
    let (class_a, class_b) = (class_of(a), class_of(b));
    let same = Rc::ptr_eq(&class_a, &class_b);
    let mut reflected = if same {
        None
    } else {
        special(b, reflected_name(op))
    };
    if let Some(method) = &reflected
        && class_b.is_subclass_of(&class_a)
        && !class_a
            .lookup(reflected_name(op))
            .is_some_and(|inherited| super::is(&inherited, method))
    {
        let result = call_special(vm, method, b, std::slice::from_ref(a))?;
        if !matches!(result, Value::NotImplemented) {
            return Ok(Some(result));
        }
        reflected = None;
    }
    if is_custom(a) {
        if let Some(method) = special(a, plain_name(op)) {
            let result = call_special(vm, &method, a, std::slice::from_ref(b))?;
            if !matches!(result, Value::NotImplemented) {
                return Ok(Some(result));
            }
        }
    } else if let Some(result) = native(vm, op, a, b)? {
        return Ok(Some(result));
    }
    if let Some(method) = reflected {
        let result = call_special(vm, &method, b, std::slice::from_ref(a))?;
        if !matches!(result, Value::NotImplemented) {
            return Ok(Some(result));
        }
    }
    // Sequences repeat by anything with `__index__`.
    if op == BinaryOp::Mul {
        for (sequence, count) in [(a, b), (b, a)] {
            if is_sequence(sequence) && special(count, name!("__index__")).is_some() {
                let count = super::index(vm, count)?;
                return native(vm, op, sequence, &count);
            }
        }
    }
    Ok(None)
}

fn is_sequence(v: &Value) -> bool {
    matches!(
        v,
        Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Bytes(_)
    )
}

/// The TypeError of operands that do not go together.
#[cold]
pub(crate) fn unsupported(op: BinaryOp, a: &Value, b: &Value) -> Raised {
    let plain = op.plain();
    if plain == BinaryOp::Add {
        let other = b.type_name();
        match a {
            Value::Str(_) | Value::List(_) | Value::Tuple(_) => {
                let kind = a.type_name();
                return Raised::type_error(format!(
                    "can only concatenate {kind} (not \"{other}\") to {kind}"
                ));
            }
            Value::Bytes(_) => {
                return Raised::type_error(format!("can't concat {other} to {}", a.type_name()));
            }
            _ => {}
        }
    }
    if plain == BinaryOp::Mul {
        for (sequence, other) in [(a, b), (b, a)] {
            if is_sequence(sequence) {
                return Raised::type_error(format!(
                    "can't multiply sequence by non-int of type '{}'",
                    other.type_name()
                ));
            }
        }
    }
    let symbol = match op {
        BinaryOp::Pow => "** or pow()",
        BinaryOp::InplacePow => "**=",
        _ => op.symbol(),
    };
    Raised::type_error(format!(
        "unsupported operand type(s) for {symbol}: '{}' and '{}'",
        a.type_name(),
        b.type_name()
    ))
}

/// `a op b` of built-in values, `None` where CPython's slots return NotImplemented.
pub(crate) fn native(
    vm: &mut dyn Vm,
    op: BinaryOp,
    a: &Value,
    b: &Value,
) -> PyResult<Option<Value>> {
    if let Some(result) = int::number(op, a, b)? {
        return Ok(Some(result));
    }
    Ok(match (op, a, b) {
        (BinaryOp::Add, Value::Str(x), y) if let Some(text) = y.as_str() => {
            if x.is_empty() && matches!(y, Value::Str(_)) {
                return Ok(Some(y.clone()));
            }
            if text.is_empty() {
                return Ok(Some(a.clone()));
            }
            let mut joined = String::with_capacity(x.len() + text.len());
            joined.push_str(x);
            joined.push_str(text);
            Some(Value::from(joined))
        }
        (BinaryOp::Add, Value::List(x), y) if let Some(y) = y.as_list() => {
            let mut joined = x.to_vec();
            joined.extend(y.items.borrow().iter().cloned());
            Some(Value::list(joined))
        }
        (BinaryOp::Add, Value::Tuple(x), y) if let Some(y) = y.as_tuple() => {
            let joined: Vec<Value> = x.items.iter().chain(y.items.iter()).cloned().collect();
            Some(Value::tuple(joined))
        }
        (BinaryOp::Add, Value::Bytes(x), y) if let Some(y) = y.as_bytes() => {
            let mut joined = x.to_vec();
            joined.extend_from_slice(&y.bytes());
            Some(Value::Bytes(Rc::new(PyBytes::new(joined, x.mutable))))
        }
        (BinaryOp::Mul, sequence, count) if is_sequence(sequence) && count.as_int().is_some() => {
            repeat(sequence, count.as_int().unwrap_or(0))?
        }
        (BinaryOp::Mul, count, sequence) if is_sequence(sequence) && count.as_int().is_some() => {
            repeat(sequence, count.as_int().unwrap_or(0))?
        }
        (BinaryOp::Mul, Value::BigInt(_), s) | (BinaryOp::Mul, s, Value::BigInt(_))
            if is_sequence(s) =>
        {
            return Err(Raised::overflow_error(
                "cannot fit 'int' into an index-sized integer",
            ));
        }
        (BinaryOp::Mod, Value::Str(format), values) => {
            Some(Value::from(text::percent_format(vm, format, values)?))
        }
        (BinaryOp::Mod, Value::Bytes(format), values) => {
            let result = text::percent_format_bytes(vm, &format.to_vec(), values)?;
            Some(Value::Bytes(Rc::new(PyBytes::new(result, format.mutable))))
        }
        (BinaryOp::Or, Value::Dict(x), y) if let Some(y) = y.as_dict() => {
            let merged = x.copy();
            merged.update(vm, y)?;
            Some(Value::dict(merged))
        }
        (_, Value::Set(x), y) if let Some(y) = y.as_set() => {
            set_operation(vm, op, x, y)?.map(|result| Value::Set(Rc::new(result)))
        }
        (BinaryOp::Or, a, b) if is_type_like(a) && is_type_like(b) => {
            if a.is_none() && b.is_none() {
                return Ok(None);
            }
            Some(crate::builtin::alias::union_of(a, b))
        }
        _ => None,
    })
}

fn is_type_like(v: &Value) -> bool {
    match v {
        Value::Class(_) | Value::None => true,
        Value::Instance(_) => crate::builtin::alias::is_alias(v),
        _ => false,
    }
}

/// `a op= b` of built-in values that change in place.
pub(crate) fn native_inplace(
    vm: &mut dyn Vm,
    op: BinaryOp,
    a: &Value,
    b: &Value,
) -> PyResult<Option<Value>> {
    match (op, a) {
        (BinaryOp::Add, Value::List(list)) => {
            extend_list(vm, list, b)?;
        }
        (BinaryOp::Mul, Value::List(list)) => {
            let Some(count) = b.as_int() else {
                return Ok(None);
            };
            let repeated = repeat_slice(&list.items.borrow(), count)?;
            let old = list.items.replace(repeated);
            drop(old);
        }
        (BinaryOp::Add, Value::Bytes(bytes)) if bytes.mutable => {
            let Some(other) = b.as_bytes() else {
                return Ok(None);
            };
            let tail = other.to_vec();
            bytes.with_mut(|data| data.extend_from_slice(&tail));
        }
        (BinaryOp::Or, Value::Dict(dict)) => {
            crate::builtin::dict::update_from(vm, dict, b)?;
        }
        (_, Value::Set(set)) if !set.frozen => {
            let Some(other) = b.as_set() else {
                return Ok(None);
            };
            if !set_update(vm, op, set, other)? {
                return Ok(None);
            }
        }
        _ => return Ok(None),
    }
    Ok(Some(a.clone()))
}

/// `list.extend(iterable)`
pub fn extend_list(vm: &mut dyn Vm, list: &crate::PyList, iterable: &Value) -> PyResult<()> {
    match iterable {
        Value::List(other) => {
            let items = other.to_vec();
            list.items.borrow_mut().extend(items);
        }
        Value::Tuple(other) => list.items.borrow_mut().extend_from_slice(&other.items),
        _ => {
            let it = super::iter(vm, iterable)?;
            while let Some(item) = super::next(vm, &it)? {
                list.push(item);
            }
        }
    }
    Ok(())
}

/// Most elements (or bytes) that repetition makes before it is a MemoryError.
const MAX_REPEAT: usize = 1 << 36;

fn repeat_slice<T: Clone>(items: &[T], count: i64) -> PyResult<Vec<T>> {
    let count = usize::try_from(count).unwrap_or(0);
    match items.len().checked_mul(count) {
        Some(total) if total <= MAX_REPEAT => {}
        _ => return Err(Raised::memory_error()),
    }
    let mut out = Vec::with_capacity(items.len() * count);
    for _ in 0..count {
        out.extend_from_slice(items);
    }
    Ok(out)
}

fn repeat(sequence: &Value, count: i64) -> PyResult<Option<Value>> {
    Ok(Some(match sequence {
        Value::Str(s) => {
            if count == 1 {
                return Ok(Some(sequence.clone()));
            }
            let bytes = repeat_slice(s.as_bytes(), count)?;
            // Whole copies of a valid text are valid.
            Value::from(String::from_utf8(bytes).unwrap_or_default())
        }
        Value::List(l) => Value::list(repeat_slice(&l.items.borrow(), count)?),
        Value::Tuple(t) => Value::tuple(repeat_slice(&t.items, count)?),
        Value::Bytes(b) => {
            let mutable = b.mutable;
            Value::Bytes(Rc::new(PyBytes::new(
                repeat_slice(&b.bytes(), count)?,
                mutable,
            )))
        }
        _ => return Ok(None),
    }))
}

/// `x op y` of sets, of the kind of `x`.
pub(crate) fn set_operation(
    vm: &mut dyn Vm,
    op: BinaryOp,
    x: &PySet,
    y: &PySet,
) -> PyResult<Option<PySet>> {
    Ok(Some(match op {
        BinaryOp::Or => {
            let result = x.copy(x.frozen);
            result.update(vm, y)?;
            result
        }
        BinaryOp::And => x.intersection(vm, y)?,
        BinaryOp::Sub => x.difference(vm, y)?,
        BinaryOp::Xor => {
            let result = y.copy(x.frozen);
            result.symmetric_update(vm, x)?;
            result
        }
        _ => return Ok(None),
    }))
}

/// `x op= y` of sets; whether there is such an operator.
pub(crate) fn set_update(vm: &mut dyn Vm, op: BinaryOp, x: &PySet, y: &PySet) -> PyResult<bool> {
    match op {
        BinaryOp::Or => x.update(vm, y)?,
        BinaryOp::And => {
            let result = x.intersection(vm, y)?;
            x.replace_with(result);
        }
        BinaryOp::Sub => x.difference_update(vm, y)?,
        BinaryOp::Xor => x.symmetric_update(vm, y)?,
        _ => return Ok(false),
    }
    Ok(true)
}

macro_rules! method_names {
    ($($op:ident $plain:literal $reflected:literal $inplace:literal,)*) => {
        /// `__add__` and the like.
        pub(crate) fn plain_name(op: BinaryOp) -> &'static Name {
            match op.plain() { $(BinaryOp::$op => name!($plain),)* _ => name!("__add__") }
        }
        /// `__radd__` and the like.
        pub(crate) fn reflected_name(op: BinaryOp) -> &'static Name {
            match op.plain() { $(BinaryOp::$op => name!($reflected),)* _ => name!("__radd__") }
        }
        /// `__iadd__` and the like.
        pub(crate) fn inplace_name(op: BinaryOp) -> &'static Name {
            match op.plain() { $(BinaryOp::$op => name!($inplace),)* _ => name!("__iadd__") }
        }
    };
}

method_names! {
    Add "__add__" "__radd__" "__iadd__",
    Sub "__sub__" "__rsub__" "__isub__",
    Mul "__mul__" "__rmul__" "__imul__",
    TrueDiv "__truediv__" "__rtruediv__" "__itruediv__",
    FloorDiv "__floordiv__" "__rfloordiv__" "__ifloordiv__",
    Mod "__mod__" "__rmod__" "__imod__",
    Pow "__pow__" "__rpow__" "__ipow__",
    MatMul "__matmul__" "__rmatmul__" "__imatmul__",
    LShift "__lshift__" "__rlshift__" "__ilshift__",
    RShift "__rshift__" "__rrshift__" "__irshift__",
    And "__and__" "__rand__" "__iand__",
    Or "__or__" "__ror__" "__ior__",
    Xor "__xor__" "__rxor__" "__ixor__",
}
