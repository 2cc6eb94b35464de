//! Comparisons and hashing.
//!
//! In: values. Out: rich comparisons by CPython's protocol, and hashes that are equal for equal
//! values (ints, floats and bools hash as in CPython). Always: comparing an int with a float is
//! exact.

use std::cmp::Ordering;

use janus_bytecode::CompareOp;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use super::{call_special, is, is_custom, special, truth};
use crate::table::simple_eq;
use crate::{
    DictPart, Name, Payload, PyDict, PyRef, PyResult, PySet, PyTuple, Raised, Value, Vm, class_of,
    name,
};

/// Whether a comparison holds between two values of one type.
#[inline]
pub fn holds<T: PartialOrd>(op: CompareOp, x: T, y: T) -> bool {
    match op {
        CompareOp::Lt => x < y,
        CompareOp::Le => x <= y,
        CompareOp::Eq => x == y,
        CompareOp::Ne => x != y,
        CompareOp::Gt => x > y,
        CompareOp::Ge => x >= y,
    }
}

fn holds_ordering(op: CompareOp, order: Option<Ordering>) -> bool {
    match order {
        Some(order) => holds(op, order, Ordering::Equal),
        // Not a number: only `!=` holds.
        None => op == CompareOp::Ne,
    }
}

/// `a op b`
#[inline]
pub fn compare(vm: &mut dyn Vm, op: CompareOp, a: &Value, b: &Value) -> PyResult {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => return Ok(Value::bool(holds(op, x, y))),
        (Value::Float(x), Value::Float(y)) => return Ok(Value::bool(holds(op, x.get(), y.get()))),
        (Value::Str(x), Value::Str(y)) => {
            // UTF-8 orders as code points do.
            return Ok(Value::bool(holds(op, x.as_str(), y.as_str())));
        }
        (Value::Tuple(_), Value::Tuple(_)) | (Value::List(_), Value::List(_)) => {
            if let Some(result) = simple_holds(op, a, b) {
                return Ok(Value::bool(result));
            }
        }
        _ => {}
    }
    if !is_custom(a) && !is_custom(b) {
        if let Some(result) = native(vm, op, a, b)? {
            return Ok(result);
        }
        return fallback(op, a, b);
    }
    if let (Value::Instance(_), Value::Float(_) | Value::Int(_)) = (a, b)
        && let Some(method) = super::special(a, method_name(op))
        && let Some(result) = super::short_way(&method, a, b)
    {
        return Ok(result);
    }
    custom(vm, op, a, b)
}

/// A comparison of numbers, strings, and tuples and lists of these, as keys of sorting and heaps are; `None` of other things.
fn simple_holds(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => Some(holds(op, x.as_str(), y.as_str())),
        (Value::Tuple(x), Value::Tuple(y)) => simple_items_hold(op, &x.items, &y.items),
        (Value::List(x), Value::List(y)) => {
            let (x, y) = (x.items.borrow(), y.items.borrow());
            // Lists of other lengths are not looked at.
            match (x.len() == y.len(), op) {
                (false, CompareOp::Eq) => Some(false),
                (false, CompareOp::Ne) => Some(true),
                _ => simple_items_hold(op, &x, &y),
            }
        }
        _ => number_order(a, b).map(|order| holds_ordering(op, order)),
    }
}

/// The same of the items of two sequences.
fn simple_items_hold(op: CompareOp, x: &[Value], y: &[Value]) -> Option<bool> {
    for (p, q) in x.iter().zip(y) {
        if !simple_eq(p, q)? {
            return match op {
                CompareOp::Eq => Some(false),
                CompareOp::Ne => Some(true),
                _ => simple_holds(op, p, q),
            };
        }
    }
    Some(holds(op, x.len(), y.len()))
}

/// The special-method protocol.
fn custom(vm: &mut dyn Vm, op: CompareOp, a: &Value, b: &Value) -> PyResult {
    let (class_a, class_b) = (class_of(a), class_of(b));
    let mut tried_right = false;
    if !PyRef::ptr_eq(&class_a, &class_b) && class_b.is_subclass_of(&class_a) {
        tried_right = true;
        let result = one_side(vm, swapped(op), b, a)?;
        if !matches!(result, Value::NotImplemented) {
            return Ok(result);
        }
    }
    let result = one_side(vm, op, a, b)?;
    if !matches!(result, Value::NotImplemented) {
        return Ok(result);
    }
    if !tried_right {
        let result = one_side(vm, swapped(op), b, a)?;
        if !matches!(result, Value::NotImplemented) {
            return Ok(result);
        }
    }
    fallback(op, a, b)
}

fn one_side(vm: &mut dyn Vm, op: CompareOp, a: &Value, b: &Value) -> PyResult {
    if !is_custom(a) {
        // A built-in class compares with what instances of subclasses wrap.
        let inner = b.unwrapped();
        let text = matches!(a, Value::Str(_) | Value::Bytes(_));
        let other_kind = std::mem::discriminant(a) != std::mem::discriminant(&inner);
        if !super::binary::takes(a, b) || text && other_kind {
            return Ok(Value::NotImplemented);
        }
        let b = &inner;
        return Ok(native(vm, op, a, b)?.unwrap_or(Value::NotImplemented));
    }
    if matches!(op, CompareOp::Eq | CompareOp::Ne) && has_object_eq(a) {
        return Ok(if is(a, b) {
            Value::bool(op == CompareOp::Eq)
        } else {
            Value::NotImplemented
        });
    }
    match special(a, method_name(op)) {
        Some(method) => call_special(vm, &method, a, std::slice::from_ref(b)),
        None => Ok(Value::NotImplemented),
    }
}

/// Whether an instance is equal to nothing but itself, as `object` has it.
#[inline]
fn has_object_eq(a: &Value) -> bool {
    matches!(a, Value::Instance(i) if i.class.borrow().flags.get().object_eq)
}

/// Whether a value of a built-in type leaves comparisons with instances of users' classes to these.
fn leaves_comparison(value: &Value) -> bool {
    matches!(
        value,
        Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::Tuple(_)
            | Value::List(_)
            | Value::Dict(_)
    )
}

/// Whether `a == b` looks at nothing but whether both are the same object, where `a` is an instance.
#[inline]
#[must_use]
pub fn is_by_identity(a: &Value, b: &Value) -> bool {
    has_object_eq(a) && (has_object_eq(b) || leaves_comparison(b))
}

/// `a op b` once the method of `a` that is asked first gave NotImplemented.
pub(super) fn compare_after(vm: &mut dyn Vm, op: CompareOp, a: &Value, b: &Value) -> PyResult {
    match one_side(vm, swapped(op), b, a)? {
        Value::NotImplemented => fallback(op, a, b),
        result => Ok(result),
    }
}

fn fallback(op: CompareOp, a: &Value, b: &Value) -> PyResult {
    match op {
        CompareOp::Eq => Ok(Value::bool(is(a, b))),
        CompareOp::Ne => Ok(Value::bool(!is(a, b))),
        _ => Err(Raised::type_error(format!(
            "'{}' not supported between instances of '{}' and '{}'",
            op.symbol(),
            a.type_name(),
            b.type_name()
        ))),
    }
}

/// The same comparison with its operands swapped.
#[must_use]
pub fn swapped(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        same => same,
    }
}

/// `__lt__` and the like.
#[must_use]
pub fn method_name(op: CompareOp) -> &'static Name {
    match op {
        CompareOp::Lt => name!("__lt__"),
        CompareOp::Le => name!("__le__"),
        CompareOp::Eq => name!("__eq__"),
        CompareOp::Ne => name!("__ne__"),
        CompareOp::Gt => name!("__gt__"),
        CompareOp::Ge => name!("__ge__"),
    }
}

/// `a == b` as a bool, with CPython's shortcut that an object equals itself in containers.
#[inline]
pub fn eq(vm: &mut dyn Vm, a: &Value, b: &Value) -> PyResult<bool> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => return Ok(x == y),
        (Value::Str(x), Value::Str(y)) => return Ok(PyRef::ptr_eq(x, y) || x == y),
        _ => {}
    }
    if is(a, b) {
        return Ok(true);
    }
    if let (Value::Tuple(_) | Value::Instance(_), _) = (a, b)
        && let Some(equal) = crate::table::simple_eq(a, b)
    {
        return Ok(equal);
    }
    match compare(vm, CompareOp::Eq, a, b)? {
        Value::Bool(b) => Ok(b.get()),
        other => truth(vm, &other),
    }
}

/// Order of numbers; `None` if one is not a number or for NaN.
fn number_order(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    use Value::{BigInt as Big, Bool, Float, Int};
    let as_int = |v: &Value| match v {
        Int(i) => Some(*i),
        Bool(b) => Some(i64::from(b.get())),
        _ => None,
    };
    Some(match (a, b) {
        (Float(x), Float(y)) => x.get().partial_cmp(&y.get()),
        (Big(x), Big(y)) => Some(x.cmp(y)),
        (Float(x), Big(y)) => big_order(y, x.get()).map(Ordering::reverse),
        (Big(x), Float(y)) => big_order(x, y.get()),
        // A big int is larger than any other in magnitude.
        (Big(x), _) if as_int(b).is_some() => Some(if x.is_negative() {
            Ordering::Less
        } else {
            Ordering::Greater
        }),
        (_, Big(y)) if as_int(a).is_some() => Some(if y.is_negative() {
            Ordering::Greater
        } else {
            Ordering::Less
        }),
        (Float(x), _) => int_order(as_int(b)?, x.get()).map(Ordering::reverse),
        (_, Float(y)) => int_order(as_int(a)?, y.get()),
        _ => Some(as_int(a)?.cmp(&as_int(b)?)),
    })
}

fn int_order(i: i64, f: f64) -> Option<Ordering> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0; // 2**63
    if f.is_nan() {
        return None;
    }
    if f >= LIMIT {
        return Some(Ordering::Less);
    }
    if f < -LIMIT {
        return Some(Ordering::Greater);
    }
    let whole = f.floor();
    // In range now, so the conversion is exact.
    Some(match i.cmp(&(whole as i64)) {
        Ordering::Equal if f > whole => Ordering::Less,
        order => order,
    })
}

fn big_order(b: &BigInt, f: f64) -> Option<Ordering> {
    if f.is_nan() {
        return None;
    }
    if f.is_infinite() {
        return Some(if f > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        });
    }
    let whole = f.floor();
    let other = <BigInt as num_traits::FromPrimitive>::from_f64(whole)?;
    Some(match b.cmp(&other) {
        Ordering::Equal if f > whole => Ordering::Less,
        order => order,
    })
}

/// Whether an int and a float are exactly equal.
pub fn int_eq_float(i: i64, f: f64) -> bool {
    int_order(i, f) == Some(Ordering::Equal)
}

/// `a op b` of built-in values; `None` where CPython returns NotImplemented.
pub(crate) fn native(
    vm: &mut dyn Vm,
    op: CompareOp,
    a: &Value,
    b: &Value,
) -> PyResult<Option<Value>> {
    if let Some(order) = number_order(a, b) {
        return Ok(Some(Value::bool(holds_ordering(op, order))));
    }
    let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
    let verdict = |equal: bool| Some(equal == (op == CompareOp::Eq));
    let told = match (a, b) {
        (Value::Str(x), Value::Str(y)) => Some(holds(op, x.as_str(), y.as_str())),
        (Value::Bytes(x), Value::Bytes(y)) => Some(holds(op, &*x.bytes(), &*y.bytes())),
        (Value::Tuple(x), Value::Tuple(y)) => {
            return sequences(
                vm,
                op,
                || (x.items.len(), y.items.len()),
                |i| x.items.get(i).cloned(),
                |i| y.items.get(i).cloned(),
            )
            .map(Some);
        }
        (Value::List(x), Value::List(y)) => {
            return sequences(vm, op, || (x.len(), y.len()), |i| x.get(i), |i| y.get(i)).map(Some);
        }
        (Value::Dict(x), Value::Dict(y)) if equality => verdict(dicts_equal(vm, x, y)?),
        (Value::Set(x), Value::Set(y)) => Some(sets(vm, op, x, y)?),
        (Value::Range(x), Value::Range(y)) if equality => {
            let (n, m) = (x.len(), y.len());
            verdict(n == m && (n == 0 || (x.start == y.start && (n == 1 || x.step == y.step))))
        }
        (Value::Slice(x), Value::Slice(y)) => {
            let [x, y] = [x, y].map(|s| [s.start.clone(), s.stop.clone(), s.step.clone()]);
            return sequences(
                vm,
                op,
                || (3, 3),
                |i| x.get(i).cloned(),
                |i| y.get(i).cloned(),
            )
            .map(Some);
        }
        (Value::Method(x), Value::Method(y)) if equality => {
            verdict(is(&x.receiver, &y.receiver) && is(&x.function, &y.function))
        }
        (Value::Cell(x), Value::Cell(y)) if equality => {
            let (p, q) = (x.value.borrow().clone(), y.value.borrow().clone());
            match (p, q) {
                (Some(p), Some(q)) => verdict(eq(vm, &p, &q)?),
                (p, q) => verdict(p.is_none() && q.is_none()),
            }
        }
        _ => None,
    };
    Ok(told.map(Value::bool))
}

/// Enters a comparison of what containers hold.
fn enter(vm: &mut dyn Vm) -> PyResult<()> {
    vm.enter()
        .map_err(|_| Raised::recursion_error("maximum recursion depth exceeded in comparison"))
}

fn sequences(
    vm: &mut dyn Vm,
    op: CompareOp,
    lengths: impl Fn() -> (usize, usize),
    x: impl Fn(usize) -> Option<Value>,
    y: impl Fn(usize) -> Option<Value>,
) -> PyResult {
    let (n, m) = lengths();
    if n != m && matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Value::bool(op == CompareOp::Ne));
    }
    enter(vm)?;
    let result = sequences_inner(vm, op, &x, &y);
    vm.leave();
    match result? {
        Some(verdict) => Ok(verdict),
        // One is a prefix of the other, or what was compared emptied one of them.
        None => {
            let (n, m) = lengths();
            Ok(Value::bool(holds(op, n, m)))
        }
    }
}

fn sequences_inner(
    vm: &mut dyn Vm,
    op: CompareOp,
    x: &dyn Fn(usize) -> Option<Value>,
    y: &dyn Fn(usize) -> Option<Value>,
) -> PyResult<Option<Value>> {
    let mut i = 0;
    while let (Some(p), Some(q)) = (x(i), y(i)) {
        if !eq(vm, &p, &q)? {
            if x(i).is_none() || y(i).is_none() {
                break;
            }
            return Ok(Some(match op {
                CompareOp::Eq => Value::bool(false),
                CompareOp::Ne => Value::bool(true),
                // What the first items that differ say, which may be no bool.
                _ => compare(vm, op, &p, &q)?,
            }));
        }
        i += 1;
    }
    Ok(None)
}

fn dicts_equal(vm: &mut dyn Vm, x: &PyDict, y: &PyDict) -> PyResult<bool> {
    if x.len() != y.len() {
        return Ok(false);
    }
    enter(vm)?;
    let mut result = Ok(true);
    for (key, value) in x.items() {
        let same = match y.get(vm, &key) {
            Ok(Some(other)) => eq(vm, &value, &other),
            Ok(None) => Ok(false),
            Err(raised) => Err(raised),
        };
        if !matches!(same, Ok(true)) {
            result = same;
            break;
        }
    }
    vm.leave();
    result
}

fn subset(vm: &mut dyn Vm, x: &PySet, y: &PySet) -> PyResult<bool> {
    if x.len() > y.len() {
        return Ok(false);
    }
    for item in x.items() {
        if !y.contains(vm, &item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn sets(vm: &mut dyn Vm, op: CompareOp, x: &PySet, y: &PySet) -> PyResult<bool> {
    Ok(match op {
        CompareOp::Eq => x.len() == y.len() && subset(vm, x, y)?,
        CompareOp::Ne => x.len() != y.len() || !subset(vm, x, y)?,
        CompareOp::Le => subset(vm, x, y)?,
        CompareOp::Lt => x.len() < y.len() && subset(vm, x, y)?,
        CompareOp::Ge => subset(vm, y, x)?,
        CompareOp::Gt => y.len() < x.len() && subset(vm, y, x)?,
    })
}

/// Modulus of numeric hashes, 2**61 - 1.
const MODULUS: u64 = (1 << 61) - 1;

/// -1 means "error" in CPython and is never a hash.
fn not_minus_one(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

#[inline]
fn int_hash(i: i64) -> i64 {
    if (0..MODULUS as i64).contains(&i) {
        return i;
    }
    let magnitude = (i.unsigned_abs() % MODULUS) as i64;
    not_minus_one(if i < 0 { -magnitude } else { magnitude })
}

fn big_hash(b: &BigInt) -> i64 {
    let magnitude = (b.magnitude() % MODULUS).to_i64().unwrap_or(0);
    not_minus_one(if b.is_negative() {
        -magnitude
    } else {
        magnitude
    })
}

/// CPython's hash of a float: equal to that of an equal int.
pub fn float_hash(f: f64) -> i64 {
    if f.is_nan() {
        return 0;
    }
    if f.is_infinite() {
        return if f > 0.0 { 314_159 } else { -314_159 };
    }
    if f == f.trunc() && f.abs() < 9e18 {
        return int_hash(f as i64);
    }
    // f = mantissa * 2**exponent with an integral mantissa; 2**61 is 1 modulo the modulus.
    let bits = f.abs().to_bits();
    let biased = (bits >> 52) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = if biased == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, biased - 1075)
    };
    let shift = exponent.mod_floor(&61) as u32;
    let wide = (u128::from(mantissa) << shift) % u128::from(MODULUS);
    let magnitude = wide as i64;
    not_minus_one(if f < 0.0 { -magnitude } else { magnitude })
}

/// CPython's hash of a tuple with these hashes of elements.
fn tuple_hash(hashes: impl ExactSizeIterator<Item = i64>) -> i64 {
    let len = hashes.len();
    let hash = hashes.fold(TupleHash::new(), TupleHash::with);
    hash.finish(len)
}

/// The hash of a tuple whose items come one by one, as CPython has it (xxHash).
struct TupleHash(u64);

impl TupleHash {
    const P1: u64 = 11_400_714_785_074_694_791;
    const P2: u64 = 14_029_467_366_897_019_727;
    const P5: u64 = 2_870_177_450_012_600_261;

    fn new() -> Self {
        TupleHash(Self::P5)
    }

    #[inline(always)]
    fn with(self, hash: i64) -> Self {
        let lane = (hash as u64).wrapping_mul(Self::P2);
        let acc = self.0.wrapping_add(lane).rotate_left(31);
        TupleHash(acc.wrapping_mul(Self::P1))
    }

    fn finish(self, len: usize) -> i64 {
        match self.0.wrapping_add(len as u64 ^ (Self::P5 ^ 3_527_539)) {
            u64::MAX => 1_546_275_796,
            hash => hash as i64,
        }
    }
}

/// `hash()` of an object by identity.
pub(crate) fn pointer_hash(address: usize) -> i64 {
    not_minus_one((address as u64).rotate_right(4) as i64)
}

/// The hash of a value whose hash needs no Python call; `None` for others and for the
/// unhashable.
#[inline]
pub fn hash_simple(a: &Value) -> Option<i64> {
    Some(match a {
        Value::Str(s) => s.hash(),
        Value::Int(i) => int_hash(*i),
        Value::Bool(b) => i64::from(b.get()),
        Value::Float(f) => {
            if f.get().is_nan() {
                return Some(pointer_hash(f.get().to_bits() as usize));
            }
            float_hash(f.get())
        }
        Value::BigInt(b) => big_hash(b),
        Value::None => 0xFCA8_6420,
        Value::Ellipsis => 0x1BAD_CAFE,
        Value::NotImplemented => 0x2BAD_CAFE,
        Value::Bytes(b) if !b.mutable => crate::hash_bytes(&b.bytes()),
        Value::Tuple(t) => hash_items(t)?,
        Value::Set(s) if s.frozen => s.frozen_hash(),
        Value::Range(r) => {
            let n = r.len();
            let none = Value::None;
            let parts = [
                Value::from(n),
                if n > 0 {
                    Value::Int(r.start)
                } else {
                    none.clone()
                },
                if n > 1 { Value::Int(r.step) } else { none },
            ];
            tuple_hash(parts.map(|p| hash_simple(&p).unwrap_or(0)).into_iter())
        }
        Value::Class(c) if !c.has_metaclass() => pointer_hash(PyRef::as_ptr(c) as usize),
        Value::Method(m) => {
            let receiver = super::identity(&m.receiver) as i64;
            not_minus_one(receiver ^ pointer_hash(super::identity(&m.function)))
        }
        Value::Function(_)
        | Value::Native(_)
        | Value::Module(_)
        | Value::Iter(_)
        | Value::Generator(_)
        | Value::Code(_) => pointer_hash(super::identity(a)),
        Value::Instance(i) => {
            let flags = i.class.borrow().flags.get();
            match &i.payload {
                _ if flags.identity_eq => pointer_hash(PyRef::as_ptr(i) as usize),
                Payload::Tuple(t) if flags.value_eq => hash_items(t)?,
                Payload::Wrapped(value) if flags.value_eq => hash_simple(value)?,
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn hash_items(tuple: &PyTuple) -> Option<i64> {
    let mut hash = TupleHash::new();
    for item in tuple.items.iter() {
        hash = hash.with(match item {
            Value::Int(i) => int_hash(*i),
            other => hash_simple(other)?,
        });
    }
    Some(hash.finish(tuple.items.len()))
}

/// `hash(a)`
#[inline]
pub fn hash(vm: &mut dyn Vm, a: &Value) -> PyResult<i64> {
    match hash_simple(a) {
        Some(hash) => Ok(hash),
        None => hash_other(vm, a),
    }
}

fn hash_other(vm: &mut dyn Vm, a: &Value) -> PyResult<i64> {
    match a {
        Value::Tuple(t) => {
            vm.enter()?;
            let hashes: PyResult<Vec<i64>> = t.items.iter().map(|item| hash(vm, item)).collect();
            vm.leave();
            Ok(tuple_hash(hashes?.into_iter()))
        }
        Value::Instance(_) | Value::Class(_) => match special(a, name!("__hash__")) {
            Some(method) if !method.is_none() => {
                match call_special(vm, &method, a, &[])?.unwrapped() {
                    Value::Int(i) => Ok(not_minus_one(i)),
                    Value::Bool(b) => Ok(i64::from(b.get())),
                    Value::BigInt(b) => Ok(big_hash(&b)),
                    _ => Err(Raised::type_error(
                        "__hash__ method should return an integer",
                    )),
                }
            }
            _ => Err(unhashable(a)),
        },
        _ => Err(unhashable(a)),
    }
}

fn unhashable(a: &Value) -> Raised {
    Raised::type_error(format!("unhashable type: '{}'", a.type_name()))
}

/// `a op b` of two dict views or of a view and a set: as sets.
pub(crate) fn view_as_set(vm: &mut dyn Vm, view: &crate::DictView) -> PyResult<PySet> {
    let set = PySet::new(false);
    match view.part {
        DictPart::Keys => {
            set.reserve(view.dict.len());
            for key in view.dict.keys() {
                set.add(vm, key)?;
            }
        }
        DictPart::Values => {
            for value in view.dict.values() {
                set.add(vm, value)?;
            }
        }
        DictPart::Items => {
            for (key, value) in view.dict.items() {
                set.add(vm, Value::tuple(vec![key, value]))?;
            }
        }
    }
    Ok(set)
}

/// `x op y` of sets.
pub(crate) fn compare_sets(vm: &mut dyn Vm, op: CompareOp, x: &PySet, y: &PySet) -> PyResult<bool> {
    sets(vm, op, x, y)
}
