//! What needs no Python and no allocation: arithmetic on ints and floats, items of lists and
//! tuples, steps of the common iterators.
//!
//! In: operands. Out: the result, or none when the general way must be taken. Always: a result is
//! the one that the general way gives.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{
    ClassFlags, DictPart, Instance, IterState, Payload, PyBytes, PyRef, SimpleNext, Value,
    wrap_index,
};

use crate::cache::{Op, Quick};

/// The next item of an iterator.
#[inline(always)]
pub(crate) fn next_item(iterator: &Value) -> SimpleNext {
    match iterator {
        Value::Iter(iterator) => iterator.next_simple(),
        _ => SimpleNext::Other,
    }
}

/// What an iterator over a range, a list or a tuple gives next, without taking it.
#[inline(always)]
fn coming(state: &IterState) -> Option<Value> {
    match state {
        IterState::Range {
            next, remaining, ..
        } if *remaining > 0 => Some(Value::Int(*next)),
        IterState::List { list, index } => list.get(*index),
        IterState::Tuple { tuple, index } => tuple.items.get(*index).cloned(),
        _ => None,
    }
}

/// Takes what is coming.
#[inline(always)]
fn advance(state: &mut IterState) {
    match state {
        IterState::Range {
            next,
            step,
            remaining,
        } => {
            // What follows the last one is never given.
            *next = next.wrapping_add(*step);
            *remaining -= 1;
        }
        IterState::List { index, .. } | IterState::Tuple { index, .. } => *index += 1,
        _ => {}
    }
}

/// The two parts of what an iterator gives next (`enumerate`, `zip` of two, a dict's items), for who takes the pair
/// apart at once; none where that needs Python or is the end.
#[inline]
pub fn next_pair(iterator: &Value) -> Option<(Value, Value)> {
    let Value::Iter(iterator) = iterator else {
        return None;
    };
    let mut state = iterator.state.try_borrow_mut().ok()?;
    match &mut *state {
        IterState::Enumerate { iter, count } => {
            let Value::Int(number) = *count else {
                return None;
            };
            let following = number.checked_add(1)?;
            let Value::Iter(iter) = iter else {
                return None;
            };
            let mut state = iter.state.try_borrow_mut().ok()?;
            let item = coming(&state)?;
            advance(&mut state);
            *count = Value::Int(following);
            Some((Value::Int(number), item))
        }
        IterState::Zip { iters, .. } => {
            let [Value::Iter(first), Value::Iter(second)] = &**iters else {
                return None;
            };
            // Both may be the same one, which is borrowed then.
            let mut first = first.state.try_borrow_mut().ok()?;
            let mut second = second.state.try_borrow_mut().ok()?;
            let pair = (coming(&first)?, coming(&second)?);
            advance(&mut first);
            advance(&mut second);
            Some(pair)
        }
        IterState::Dict {
            dict,
            part: DictPart::Items,
            at,
            len,
            left,
            reversed: false,
        } if dict.len() == *len => {
            let (found, key, value) = dict.next_entry(*at)?;
            *left = left.checked_sub(1)?;
            *at = found + 1;
            Some((key, value))
        }
        _ => None,
    }
}

/// The item of a list or tuple, to be copied before anything else runs.
#[inline(always)]
pub(crate) fn item_at<'a>(container: &'a Value, key: &Value) -> Option<&'a Value> {
    let Value::Int(index) = key else { return None };
    match container {
        Value::List(list) => {
            // SAFETY: nothing runs until the item was copied, so nobody changes the list.
            let items = unsafe { list.items.try_borrow_unguarded() }.ok()?;
            items.get(wrap_index(*index, items.len())?)
        }
        Value::Tuple(tuple) => tuple.items.get(wrap_index(*index, tuple.items.len())?),
        Value::Instance(instance) => match inside(instance, |flags| flags.items_inside)? {
            Payload::Tuple(tuple) => tuple.items.get(wrap_index(*index, tuple.items.len())?),
            Payload::List(list) => {
                // SAFETY: as above.
                let items = unsafe { list.items.try_borrow_unguarded() }.ok()?;
                items.get(wrap_index(*index, items.len())?)
            }
            _ => None,
        },
        _ => None,
    }
}

/// What a built-in base class stores in an instance, if its class leaves to that what a flag says.
#[inline]
fn inside(instance: &Instance, flag: impl FnOnce(ClassFlags) -> bool) -> Option<&Payload> {
    // SAFETY: nothing else runs while the flags are copied, so nobody replaces the class.
    let class = unsafe { instance.class.try_borrow_unguarded() }.ok()?;
    flag(class.flags.get()).then_some(&instance.payload)
}

/// What a dict has under a key, where it lies, if no Python is needed to find it. It is to be copied before anything else
/// runs.
#[inline(always)]
pub(crate) fn entry_of<'a>(container: &'a Value, key: &Value) -> Option<&'a Value> {
    let dict = match container {
        Value::Dict(dict) => dict,
        Value::Instance(instance) => match inside(instance, |flags| flags.items_inside)? {
            Payload::Dict(dict) => dict,
            _ => return None,
        },
        _ => return None,
    };
    let at = dict.find_simple(key)??;
    // SAFETY: it is copied before anything else runs.
    unsafe { dict.value_ref(at) }
}

/// The character of a string, the byte of bytes, the number of an array.
#[inline]
pub(crate) fn element_of(container: &Value, key: &Value) -> Option<Value> {
    let Value::Int(index) = key else { return None };
    match container {
        Value::Str(s) => {
            let at = wrap_index(*index, s.char_count())?;
            s.char_at(at).map(Value::char)
        }
        Value::Bytes(bytes) => {
            let bytes = bytes.bytes();
            let byte = bytes.get(wrap_index(*index, bytes.len())?)?;
            Some(Value::Int(i64::from(*byte)))
        }
        Value::Instance(instance) => match inside(instance, |flags| flags.items_inside)? {
            Payload::Foreign(foreign) => foreign.exporter()?.number(*index),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a container has an item, where no Python is needed to tell.
#[inline]
pub(crate) fn quick_contains(container: &Value, item: &Value) -> Option<bool> {
    match container {
        Value::Dict(dict) => dict.get_simple(item).map(|found| found.is_some()),
        Value::List(list) => any_equals(&list.items.borrow(), item),
        Value::Tuple(tuple) => any_equals(&tuple.items, item),
        Value::Set(set) => set.has_simple(item),
        Value::Instance(instance) => match inside(instance, |flags| flags.contains_inside)? {
            Payload::Dict(dict) => dict.find_simple(item).map(|found| found.is_some()),
            Payload::Set(set) => set.has_simple(item),
            _ => None,
        },
        _ => None,
    }
}

/// An item of a container, where it needs neither Python nor an exception to get it.
#[must_use]
pub fn item_simple(container: &Value, key: &Value) -> Option<Value> {
    match item_at(container, key).or_else(|| entry_of(container, key)) {
        Some(item) => Some(item.clone()),
        None => element_of(container, key),
    }
}

/// Stores an item where that needs neither Python nor an exception; whether it is done.
#[must_use]
#[inline(always)]
pub fn store_simple(container: &Value, key: &Value, value: &Value) -> bool {
    let dict = match (container, key) {
        (Value::List(list), Value::Int(index)) => {
            let mut items = list.items.borrow_mut();
            let at = wrap_index(*index, items.len());
            let Some(place) = at.and_then(|at| items.get_mut(at)) else {
                return false;
            };
            let old = std::mem::replace(place, value.clone());
            drop(items);
            old.release();
            return true;
        }
        (Value::Dict(dict), _) => dict,
        (Value::Instance(instance), _) => match inside(instance, |flags| flags.stores_inside) {
            Some(Payload::Dict(dict)) => dict,
            Some(Payload::Foreign(foreign)) => {
                return match (foreign.exporter(), key) {
                    (Some(exporter), Value::Int(index)) => exporter.set_number(*index, value),
                    _ => false,
                };
            }
            _ => return false,
        },
        (Value::Bytes(bytes), Value::Int(index)) if bytes.mutable => {
            return store_byte(bytes, *index, value);
        }
        _ => return false,
    };
    dict.set_simple(key, value.clone()).is_ok()
}

fn store_byte(bytes: &PyBytes, index: i64, value: &Value) -> bool {
    let Value::Int(value) = value else {
        return false;
    };
    let Ok(byte) = u8::try_from(*value) else {
        return false;
    };
    bytes.write(|bytes| {
        let at = wrap_index(index, bytes.len());
        match at.and_then(|at| bytes.get_mut(at)) {
            Some(place) => {
                *place = byte;
                true
            }
            None => false,
        }
    })
}

fn any_equals(items: &[Value], item: &Value) -> Option<bool> {
    for other in items {
        if janus_object::simple_eq(other, item)? {
            return Some(true);
        }
    }
    Some(false)
}

/// The result of an operator on numbers that needs no Python.
#[inline(always)]
pub(crate) fn immediate(operator: &Quick, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => match operator.op {
            Op::Add => a.checked_add(*b).map(Value::Int),
            Op::Sub => a.checked_sub(*b).map(Value::Int),
            Op::Mul => a.checked_mul(*b).map(Value::Int),
            Op::BinaryOp => int_binary(operator.arg, *a, *b),
            _ => None,
        },
        (Value::Float(a), Value::Float(b)) => float_binary(operator, a.get(), b.get()),
        (Value::Float(a), Value::Int(b)) if exact(*b) => float_binary(operator, a.get(), *b as f64),
        (Value::Int(a), Value::Float(b)) if exact(*a) => float_binary(operator, *a as f64, b.get()),
        _ => None,
    }
}

/// What a comparison comes to that needs no Python.
#[inline(always)]
pub(crate) fn compare(arg: u32, left: &Value, right: &Value) -> Option<bool> {
    Some(match (left, right) {
        (Value::Int(a), Value::Int(b)) => holds(arg, lie(*a, *b)),
        (Value::Float(a), Value::Float(b)) => holds(arg, lie(a.get(), b.get())),
        (Value::Float(a), Value::Int(b)) if exact(*b) => holds(arg, lie(a.get(), *b as f64)),
        (Value::Int(a), Value::Float(b)) if exact(*a) => holds(arg, lie(*a as f64, b.get())),
        (Value::Str(a), Value::Str(b)) => {
            let equal = || PyRef::ptr_eq(a, b) || a.as_str() == b.as_str();
            match CompareOp::from_arg(arg)? {
                CompareOp::Eq => equal(),
                CompareOp::Ne => !equal(),
                // UTF-8 orders as code points do.
                _ => holds(arg, lie(a.as_str(), b.as_str())),
            }
        }
        _ => return None,
    })
}

/// Arithmetic on ints whose result is an immediate.
#[inline]
fn int_binary(arg: u32, a: i64, b: i64) -> Option<Value> {
    let operator = BinaryOp::from_arg(arg)?;
    Some(Value::Int(match operator.plain() {
        BinaryOp::FloorDiv if b > 0 => a.div_euclid(b),
        BinaryOp::Mod if b > 0 => a.rem_euclid(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::RShift if (0..64).contains(&b) => a >> b,
        BinaryOp::LShift if (0..32).contains(&b) && a.unsigned_abs() < 1 << 31 => a << b,
        BinaryOp::TrueDiv if b != 0 && exact(a) && exact(b) => {
            return Some(Value::float(a as f64 / b as f64));
        }
        _ => return None,
    }))
}

/// Arithmetic and comparison of floats.
#[inline]
fn float_binary(operator: &Quick, a: f64, b: f64) -> Option<Value> {
    match operator.op {
        Op::Add => Some(Value::float(a + b)),
        Op::Sub => Some(Value::float(a - b)),
        Op::Mul => Some(Value::float(a * b)),
        Op::BinaryOp
            if b != 0.0
                && BinaryOp::from_arg(operator.arg).map(BinaryOp::plain)
                    == Some(BinaryOp::TrueDiv) =>
        {
            Some(Value::float(a / b))
        }
        _ => None,
    }
}

/// Whether an int is a float without rounding.
#[inline]
fn exact(i: i64) -> bool {
    i.unsigned_abs() <= 1 << 53
}

/// How two values lie, a bit each: less, equal, greater, not ordered.
#[inline(always)]
fn lie<T: PartialOrd>(a: T, b: T) -> u8 {
    let ordered = u8::from(a < b) | u8::from(a == b) << 1 | u8::from(a > b) << 2;
    ordered | u8::from(ordered == 0) << 3
}

/// Whether a comparison holds of two values that lie so.
#[inline(always)]
fn holds(arg: u32, lie: u8) -> bool {
    const HOLDS: [u8; 8] = {
        let mut holds = [0; 8];
        holds[CompareOp::Lt as usize] = 1;
        holds[CompareOp::Le as usize] = 3;
        holds[CompareOp::Eq as usize] = 2;
        holds[CompareOp::Ne as usize] = 13;
        holds[CompareOp::Gt as usize] = 4;
        holds[CompareOp::Ge as usize] = 6;
        holds
    };
    // The verifier let no other operand through than these six.
    HOLDS[arg as usize & 7] & lie != 0
}
