//! Binary operators.
//!
//! In: an operator and two values. Out: the result by CPython's protocol: the built-in pairs,
//! then special methods, reflected ones first when the right operand's class is derived and
//! overrides them. Always: `native` never looks inside instances.

use janus_bytecode::BinaryOp;

use super::{call_special, int, is_custom, special};
use crate::{
    Bool, Name, PyBytes, PyRef, PyResult, PySet, PyStr, Raised, Value, Vm, class_of, memory, name,
    text,
};

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
            BinaryOp::Add | BinaryOp::InplaceAdd => return Ok(Value::float(x.get() + y.get())),
            BinaryOp::Sub | BinaryOp::InplaceSub => return Ok(Value::float(x.get() - y.get())),
            BinaryOp::Mul | BinaryOp::InplaceMul => return Ok(Value::float(x.get() * y.get())),
            BinaryOp::TrueDiv | BinaryOp::InplaceTrueDiv if y.get() != 0.0 => {
                return Ok(Value::float(x.get() / y.get()));
            }
            _ => {}
        },
        (Value::Str(x), Value::Str(y)) if matches!(op, BinaryOp::Add | BinaryOp::InplaceAdd) => {
            return Ok(joined(x, y));
        }
        (Value::List(x), Value::List(y)) if op == BinaryOp::Add => {
            let (x, y) = (x.items.borrow(), y.items.borrow());
            return Ok(Value::list([x.as_slice(), y.as_slice()].concat()));
        }
        _ => {}
    }
    let plain = op.plain();
    if let Some(result) = int::number(plain, a, b)? {
        return Ok(result);
    }
    general(vm, op, plain, a, b)
}

/// `x + y`: one of them where the other one is empty.
fn joined(x: &PyRef<PyStr>, y: &PyRef<PyStr>) -> Value {
    match (x.is_empty(), y.is_empty()) {
        (true, _) => Value::Str(y.clone()),
        (_, true) => Value::Str(x.clone()),
        _ => Value::from([x.as_str(), y.as_str()].concat()),
    }
}

fn general(vm: &mut dyn Vm, op: BinaryOp, plain: BinaryOp, a: &Value, b: &Value) -> PyResult {
    if let Some(result) = by_short_way(op, plain, a, b) {
        return Ok(result);
    }
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
    if op.is_inplace()
        && let Some(result) = number_in_place(vm, plain, a, b)?
    {
        return Ok(result);
    }
    if let Some(result) = number(vm, plain, a, b)? {
        return Ok(result);
    }
    match sequence(vm, op, a, b)? {
        Some(result) => Ok(result),
        None => Err(unsupported(op, a, b)),
    }
}

/// What a short way of the first operand's class, or of the second one's beside a built-in number, says.
fn by_short_way(op: BinaryOp, plain: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Instance(left), _) => {
            if let Value::Instance(right) = b
                && !PyRef::ptr_eq(&left.class.borrow(), &right.class.borrow())
            {
                return None;
            }
            if op.is_inplace()
                && let Some(in_place) = special(a, inplace_name(plain))
            {
                return super::short_way(&in_place, a, b);
            }
            super::short_way(&special(a, plain_name(plain))?, a, b)
        }
        (Value::Float(_) | Value::Int(_), Value::Instance(_)) => {
            super::short_way(&special(b, reflected_name(plain))?, b, a)
        }
        _ => None,
    }
}

/// `a op b` once the method of `a` that is asked first gave NotImplemented.
pub(super) fn binary_after(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult {
    let plain = op.plain();
    let result = if op.is_inplace() && special(a, inplace_name(plain)).is_some() {
        number(vm, plain, a, b)?
    } else if PyRef::ptr_eq(&class_of(a), &class_of(b)) {
        None
    } else if is_custom(b) {
        by_method(vm, reflected_name(plain), b, a)?
    } else {
        None
    };
    let result = match result {
        Some(result) => Some(result),
        None => sequence(vm, op, a, b)?,
    };
    result.ok_or_else(|| unsupported(op, a, b))
}

/// Whether the class's own methods make the operator: it is a user's class that is derived from
/// no built-in one, or that overrides what it inherits.
fn overrides(v: &Value, names: [&Name; 2]) -> bool {
    let Value::Instance(_) = v else {
        return is_custom(v);
    };
    if matches!(v.unwrapped(), Value::Instance(_)) {
        return true;
    }
    names.into_iter().any(|name| !is_inherited(v, name))
}

/// Whether a method is the one of the built-in class that a value wraps an instance of, or there is none.
fn is_inherited(v: &Value, name: &Name) -> bool {
    special(v, name).is_none_or(|method| {
        let own = class_of(&v.unwrapped()).lookup(name);
        own.is_some_and(|own| super::is(&own, &method))
    })
}

/// Calls an operator's method; `None` where there is none, or where it gives NotImplemented.
fn by_method(vm: &mut dyn Vm, name: &Name, a: &Value, b: &Value) -> PyResult<Option<Value>> {
    let Some(method) = special(a, name) else {
        return Ok(None);
    };
    let result = call_special(vm, &method, a, std::slice::from_ref(b))?;
    Ok((!matches!(result, Value::NotImplemented)).then_some(result))
}

/// `a op b` by what numbers, sets and dicts define and what classes override: all but the
/// concatenation and repetition of sequences, which CPython tries last.
fn number(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult<Option<Value>> {
    let names = [plain_name(op), reflected_name(op)];
    by_protocol(vm, names, &|vm, a, b| native_number(vm, op, a, b), a, b)
}

/// What built-in classes do by themselves.
type Built<'a> = &'a dyn Fn(&mut dyn Vm, &Value, &Value) -> PyResult<Option<Value>>;

/// A binary operator by CPython's protocol: the methods `names`, plain and reflected, where a
/// class overrides them, else what `built` does.
pub(super) fn by_protocol(
    vm: &mut dyn Vm,
    names: [&Name; 2],
    built: Built<'_>,
    a: &Value,
    b: &Value,
) -> PyResult<Option<Value>> {
    let [plain, reflected] = names;
    let (class_a, class_b) = (class_of(a), class_of(b));
    let same = PyRef::ptr_eq(&class_a, &class_b);
    let derived = !same && class_b.is_subclass_of(&class_a);
    match (overrides(a, names), overrides(b, names)) {
        (true, true) => {
            let first = derived
                && special(b, reflected).is_some_and(|method| {
                    !class_a
                        .lookup(reflected)
                        .is_some_and(|inherited| super::is(&inherited, &method))
                });
            if first && let Some(result) = by_method(vm, reflected, b, a)? {
                return Ok(Some(result));
            }
            if let Some(result) = by_method(vm, plain, a, b)? {
                return Ok(Some(result));
            }
            if !same && !first {
                return by_method(vm, reflected, b, a);
            }
            Ok(None)
        }
        (true, false) => match by_method(vm, plain, a, b)? {
            Some(result) => Ok(Some(result)),
            None if takes(b, a) => built(vm, a, b),
            None => Ok(None),
        },
        (false, true) => {
            if derived && let Some(result) = by_method(vm, reflected, b, a)? {
                return Ok(Some(result));
            }
            if takes(a, b)
                && let Some(result) = built(vm, a, b)?
            {
                return Ok(Some(result));
            }
            if derived {
                return Ok(None);
            }
            by_method(vm, reflected, b, a)
        }
        (false, false) => built(vm, a, b),
    }
}

/// Whether the built-in class of an operand takes the other one: an int takes ints alone, and
/// leaves floats to the class of the float.
pub(super) fn takes(owner: &Value, other: &Value) -> bool {
    let is_int = |v: &Value| {
        matches!(
            v.unwrapped(),
            Value::Int(_) | Value::Bool(_) | Value::BigInt(_)
        )
    };
    // Text takes whatever it is to format.
    let is_text = matches!(owner.unwrapped(), Value::Str(_) | Value::Bytes(_));
    (!is_int(owner) || is_int(other)) && (is_text || !stands_apart(other))
}

/// Whether a value's class holds a number of a built-in class as numpy's scalars do: it is none to the operators of
/// that class, and `_stands_apart` of it is true.
fn stands_apart(v: &Value) -> bool {
    let Value::Instance(object) = v else {
        return false;
    };
    let told = object.class.borrow().lookup(name!("_stands_apart"));
    matches!(told, Some(Value::Bool(Bool::True)))
}

/// `a op b` of what instances of built-in classes' subclasses wrap.
fn native_number(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult<Option<Value>> {
    let inner = a.unwrapped();
    if matches!(op, BinaryOp::Add | BinaryOp::Mul)
        && (is_sequence(&inner) || is_sequence(&b.unwrapped()))
    {
        return Ok(None);
    }
    // What `%` formats is taken as it is: a subclass may define `__str__` or `__getitem__`. So is a mapping that is
    // added to a dict.
    let formats = op == BinaryOp::Mod && is_sequence(&inner);
    if formats || matches!((op, &inner), (BinaryOp::Or, Value::Dict(_))) {
        return native(vm, op, &inner, b);
    }
    native(vm, op, &inner, &b.unwrapped())
}

/// `a op= b` by what changes sets and dicts in place and by what classes override.
fn number_in_place(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult<Option<Value>> {
    let changes_sequence = matches!(op, BinaryOp::Add | BinaryOp::Mul);
    if !is_custom(a) {
        if changes_sequence && is_sequence(a) {
            return Ok(None);
        }
        return native_inplace(vm, op, a, &b.unwrapped());
    }
    let Some(method) = special(a, inplace_name(op)) else {
        return Ok(None);
    };
    if changes_sequence && matches!(method, Value::Native(_)) && is_sequence(&a.unwrapped()) {
        return Ok(None);
    }
    let result = call_special(vm, &method, a, std::slice::from_ref(b))?;
    Ok((!matches!(result, Value::NotImplemented)).then_some(result))
}

/// `a + b` and `a * b` of sequences, in place for lists and bytearrays.
fn sequence(vm: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult<Option<Value>> {
    let plain = op.plain();
    let is_native = |v: &Value, names: &[&Name]| names.iter().all(|name| is_inherited(v, name));
    if !matches!(plain, BinaryOp::Add | BinaryOp::Mul) {
        return Ok(None);
    }
    let inner = a.unwrapped();
    if op.is_inplace() && is_sequence(&inner) && is_native(a, &[inplace_name(plain)]) {
        let by = if plain == BinaryOp::Mul {
            &repetitions(vm, b)?
        } else {
            b
        };
        if native_inplace(vm, plain, &inner, by)?.is_some() {
            return Ok(Some(a.clone()));
        }
    }
    if plain == BinaryOp::Add {
        if is_sequence(&inner) && is_native(a, &[plain_name(plain)]) {
            return concatenate(vm, a, b).map(Some);
        }
        return Ok(None);
    }
    let names = [plain_name(plain), reflected_name(plain)];
    for (sequence, count) in [(a, b), (b, a)] {
        let inner = sequence.unwrapped();
        if is_sequence(&inner) && is_native(sequence, &names) {
            let count = repetitions(vm, count)?;
            return repeat(&inner, count.as_int().unwrap_or(0));
        }
    }
    Ok(None)
}

/// `a + b` where `a` is a built-in sequence or wraps one.
pub(crate) fn concatenate(vm: &mut dyn Vm, a: &Value, b: &Value) -> PyResult {
    let inner = a.unwrapped();
    match native(vm, BinaryOp::Add, &inner, b)? {
        Some(result) => Ok(result),
        None => Err(cannot_concatenate(a, &inner, b)),
    }
}

/// The TypeError of `a + b` for a sequence `a`, which may wrap `inner`.
fn cannot_concatenate(a: &Value, inner: &Value, b: &Value) -> Raised {
    let other = b.type_name();
    if matches!(inner, Value::Bytes(_)) {
        return Raised::type_error(format!("can't concat {other} to {}", a.type_name()));
    }
    let kind = inner.type_name();
    Raised::type_error(format!(
        "can only concatenate {kind} (not \"{other}\") to {kind}"
    ))
}

/// How often a sequence is repeated by `* count`.
fn repetitions(vm: &mut dyn Vm, count: &Value) -> PyResult {
    if !matches!(count, Value::Int(_) | Value::Bool(_) | Value::BigInt(_))
        && special(count, name!("__index__")).is_none()
    {
        return Err(Raised::type_error(format!(
            "can't multiply sequence by non-int of type '{}'",
            count.type_name()
        )));
    }
    times(vm, count)
}

/// The argument of a sequence's `__mul__`.
pub(crate) fn times(vm: &mut dyn Vm, count: &Value) -> PyResult {
    match super::index(vm, count)? {
        Value::BigInt(_) => Err(Raised::overflow_error(
            "cannot fit 'int' into an index-sized integer",
        )),
        count => Ok(count),
    }
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
    if plain == BinaryOp::Add && is_sequence(a) {
        return cannot_concatenate(a, a, b);
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
        (BinaryOp::Add, Value::Str(x), Value::Str(y)) => Some(joined(x, y)),
        // A string of a derived class.
        (BinaryOp::Add, Value::Str(x), y) if let Some(text) = y.as_str() => {
            Some(match text.is_empty() {
                true => a.clone(),
                false => Value::from([x.as_str(), text].concat()),
            })
        }
        (BinaryOp::Add, Value::List(x), y) if let Some(y) = y.as_list() => {
            let (x, y) = (x.items.borrow(), y.items.borrow());
            let mut joined = Vec::with_capacity(x.len() + y.len());
            joined.extend(x.iter().chain(y.iter()).cloned());
            Some(Value::list(joined))
        }
        (BinaryOp::Add, Value::Tuple(x), y) if let Some(y) = y.as_tuple() => {
            if x.items.is_empty() && matches!(b, Value::Tuple(_)) {
                return Ok(Some(b.clone()));
            }
            if y.items.is_empty() {
                return Ok(Some(a.clone()));
            }
            let joined: Vec<Value> = x.items.iter().chain(y.items.iter()).cloned().collect();
            Some(Value::tuple(joined))
        }
        (BinaryOp::Add, Value::Bytes(x), y) if let Some(y) = crate::buffer::buffer_bytes(y) => {
            let mut joined = x.to_vec();
            joined.extend_from_slice(&y);
            Some(Value::Bytes(PyRef::new(PyBytes::new(joined, x.mutable))))
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
            Some(Value::Bytes(PyRef::new(PyBytes::new(
                result,
                format.mutable,
            ))))
        }
        (BinaryOp::Or, Value::Dict(x), y) if y.as_dict().is_some() => {
            let merged = x.copy();
            crate::builtin::dict::update_from(vm, &merged, y)?;
            Some(Value::dict(merged))
        }
        (_, Value::Set(x), y) if let Some(y) = y.as_set() => {
            set_operation(vm, op, x, y)?.map(|result| Value::Set(PyRef::new(result)))
        }
        (BinaryOp::Or, a, b)
            if crate::builtin::alias::joins(a) && crate::builtin::alias::joins(b) =>
        {
            if a.is_none() && b.is_none() {
                return Ok(None);
            }
            Some(crate::builtin::alias::union_of(a, b))
        }
        _ => None,
    })
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
        (BinaryOp::Mul, Value::Bytes(bytes)) if bytes.mutable => {
            let Some(count) = b.as_int() else {
                return Ok(None);
            };
            let repeated = repeat_slice(&bytes.bytes(), count)?;
            bytes.check_resizable()?;
            bytes.with_mut(|data| *data = repeated);
        }
        (BinaryOp::Add, Value::Bytes(bytes)) if bytes.mutable => {
            let Some(tail) = crate::buffer::buffer_bytes(b) else {
                return Ok(None);
            };
            bytes.check_resizable()?;
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
        // Also a list of a subclass that is added to itself: its iterator would find no end.
        same if same
            .as_list()
            .is_some_and(|other| std::ptr::eq(&**other, list)) =>
        {
            let items = list.to_vec();
            list.items.borrow_mut().extend(items);
        }
        Value::List(other) => {
            let items = other.to_vec();
            list.items.borrow_mut().extend(items);
        }
        Value::Tuple(other) => list.items.borrow_mut().extend_from_slice(&other.items),
        _ => {
            let it = super::iter(vm, iterable)?;
            let more = super::iterate::numbers_left(&it);
            memory::grow(&mut *list.items.borrow_mut(), more)?;
            while let Some(item) = super::next(vm, &it)? {
                list.push(item);
            }
        }
    }
    Ok(())
}

fn repeat_slice<T: Clone>(items: &[T], count: i64) -> PyResult<Vec<T>> {
    let count = usize::try_from(count).unwrap_or(0);
    let mut out = memory::room(items.len().saturating_mul(count))?;
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
        // What cannot be changed is its own copy.
        Value::Tuple(_) if count == 1 => return Ok(Some(sequence.clone())),
        Value::Bytes(b) if count == 1 && !b.mutable => return Ok(Some(sequence.clone())),
        Value::Tuple(t) => Value::tuple(repeat_slice(&t.items, count)?),
        Value::Bytes(b) => {
            let mutable = b.mutable;
            Value::Bytes(PyRef::new(PyBytes::new(
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
