//! What needs no Python and no allocation: arithmetic on ints and floats, items of lists and
//! tuples, steps of the common iterators.
//!
//! In: operands. Out: the result, or none when the general way must be taken. Always: a result is
//! the one that the general way gives.

use std::cmp::Ordering;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{Immediate, IterState, Value};

use crate::cache::{Op, Quick};

/// A Python index as a Rust one.
#[inline]
pub(crate) fn wrap_index(index: i64, len: usize) -> Option<usize> {
    if index >= 0 {
        Some(index as usize)
    } else {
        len.checked_sub(index.unsigned_abs() as usize)
    }
}

/// The next item of an iterator that needs no Python: `None` when it does, `Some(None)` at the
/// end.
#[inline(always)]
pub(crate) fn next_item(iterator: &Value) -> Option<Option<Value>> {
    let Value::Iter(iterator) = iterator else {
        return None;
    };
    match &mut *iterator.state.borrow_mut() {
        IterState::Range {
            next,
            step,
            remaining,
        } => {
            if *remaining == 0 {
                return Some(None);
            }
            *remaining -= 1;
            let value = *next;
            *next = value.wrapping_add(*step);
            Some(Some(Immediate::int(value).value()))
        }
        IterState::List { list, index } => {
            // At the end the slow path marks the iterator as exhausted.
            let item = list.get(*index)?;
            *index += 1;
            Some(Some(item))
        }
        IterState::Tuple { tuple, index } => {
            let item = tuple.items.get(*index)?.clone();
            *index += 1;
            Some(Some(item))
        }
        _ => None,
    }
}

/// The item of a list or tuple.
#[inline(always)]
pub(crate) fn item_at(container: &Value, key: &Value) -> Option<Value> {
    let Value::Int(index) = key else { return None };
    match container {
        Value::List(list) => {
            let items = list.items.borrow();
            items.get(wrap_index(*index, items.len())?).cloned()
        }
        Value::Tuple(tuple) => tuple
            .items
            .get(wrap_index(*index, tuple.items.len())?)
            .cloned(),
        _ => None,
    }
}

/// The entry of a dict, or the character of a string, where no Python is needed to find it.
#[inline]
pub(crate) fn quick_entry(container: &Value, key: &Value) -> Option<Value> {
    match (container, key) {
        (Value::Dict(dict), key) => dict.get_simple(key)?,
        (Value::Str(s), Value::Int(index)) => {
            let at = wrap_index(*index, s.char_count())?;
            s.char_at(at).map(Value::char)
        }
        _ => None,
    }
}

/// The result of an operator on numbers that needs no Python.
#[inline(always)]
pub(crate) fn immediate(operator: &Quick, left: &Value, right: &Value) -> Option<Immediate> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => match operator.op {
            Op::Add => a.checked_add(*b).map(Immediate::int),
            Op::Sub => a.checked_sub(*b).map(Immediate::int),
            Op::Mul => a.checked_mul(*b).map(Immediate::int),
            Op::CompareOp => Some(Immediate::bool(int_holds(operator.arg, *a, *b))),
            Op::BinaryOp => int_binary(operator.arg, *a, *b),
            _ => None,
        },
        (Value::Float(a), Value::Float(b)) => float_binary(operator, *a, *b),
        (Value::Float(a), Value::Int(b)) if exact(*b) => float_binary(operator, *a, *b as f64),
        (Value::Int(a), Value::Float(b)) if exact(*a) => float_binary(operator, *a as f64, *b),
        _ => None,
    }
}

/// Arithmetic on ints whose result is an immediate.
#[inline]
fn int_binary(arg: u32, a: i64, b: i64) -> Option<Immediate> {
    Some(Immediate::int(match BinaryOp::from_arg(arg)?.plain() {
        BinaryOp::FloorDiv if b > 0 => a.div_euclid(b),
        BinaryOp::Mod if b > 0 => a.rem_euclid(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::RShift if (0..64).contains(&b) => a >> b,
        BinaryOp::LShift if (0..32).contains(&b) && a.unsigned_abs() < 1 << 31 => a << b,
        BinaryOp::TrueDiv if b != 0 && exact(a) && exact(b) => {
            return Some(Immediate::float(a as f64 / b as f64));
        }
        _ => return None,
    }))
}

/// Arithmetic and comparison of floats.
#[inline]
fn float_binary(operator: &Quick, a: f64, b: f64) -> Option<Immediate> {
    Some(match operator.op {
        Op::Add => Immediate::float(a + b),
        Op::Sub => Immediate::float(a - b),
        Op::Mul => Immediate::float(a * b),
        Op::CompareOp => Immediate::bool(holds(operator.arg, a.partial_cmp(&b))),
        Op::BinaryOp
            if b != 0.0 && BinaryOp::from_arg(operator.arg)?.plain() == BinaryOp::TrueDiv =>
        {
            Immediate::float(a / b)
        }
        _ => return None,
    })
}

/// Whether a comparison of ints holds.
#[inline(always)]
fn int_holds(arg: u32, a: i64, b: i64) -> bool {
    match CompareOp::from_arg(arg) {
        Some(CompareOp::Lt) => a < b,
        Some(CompareOp::Le) => a <= b,
        Some(CompareOp::Eq) => a == b,
        Some(CompareOp::Ne) => a != b,
        Some(CompareOp::Gt) => a > b,
        Some(CompareOp::Ge) => a >= b,
        // The verifier let no other operand through.
        None => false,
    }
}

/// Whether an int is a float without rounding.
#[inline]
fn exact(i: i64) -> bool {
    i.unsigned_abs() <= 1 << 53
}

/// Whether a comparison holds for operands in that order; none is that of NaN.
#[inline]
fn holds(arg: u32, ordering: Option<Ordering>) -> bool {
    match CompareOp::from_arg(arg) {
        Some(CompareOp::Lt) => ordering == Some(Ordering::Less),
        Some(CompareOp::Le) => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        Some(CompareOp::Eq) => ordering == Some(Ordering::Equal),
        Some(CompareOp::Ne) => ordering != Some(Ordering::Equal),
        Some(CompareOp::Gt) => ordering == Some(Ordering::Greater),
        Some(CompareOp::Ge) => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        // The verifier let no other operand through.
        None => false,
    }
}
