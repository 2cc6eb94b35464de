//! Quick ways of built-in functions.
//!
//! In: arguments by position. Out: what the call gives, or nothing where that needs Python, an exception, or a closer look. Always:
//! as the function itself would answer.

use janus_bytecode::surrogate;
use janus_object::{Value, is_instance_simple, ops};

pub(super) fn len(args: &[Value]) -> Option<Value> {
    match args {
        [value] => Some(Value::Int(i64::try_from(ops::len_simple(value)?).ok()?)),
        _ => None,
    }
}

pub(super) fn isinstance(args: &[Value]) -> Option<Value> {
    match args {
        [value, class] => is_instance_simple(value, class).map(Value::bool),
        _ => None,
    }
}

pub(super) fn abs(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Int(i)] => i.checked_abs().map(Value::Int),
        [Value::Float(f)] => Some(Value::float(f.get().abs())),
        _ => None,
    }
}

/// `pow(base, exponent, modulus)` of ints.
pub(super) fn pow(args: &[Value]) -> Option<Value> {
    let [Value::Int(base), Value::Int(exponent), Value::Int(modulus)] = args else {
        return None;
    };
    if *exponent < 0 || *modulus <= 0 {
        return None;
    }
    let modulus = *modulus as u64;
    let product = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
    let mut square = base.rem_euclid(modulus as i64) as u64;
    let (mut result, mut left) = (1 % modulus, *exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = product(result, square);
        }
        square = product(square, square);
        left >>= 1;
    }
    // It is less than the modulus, which is an int.
    i64::try_from(result).ok().map(Value::Int)
}

/// `divmod` of ints that fit.
pub(super) fn divmod(args: &[Value]) -> Option<Value> {
    let [Value::Int(a), Value::Int(b)] = args else {
        return None;
    };
    let rest = a.checked_rem(*b)?;
    let quotient = a.checked_div(*b)?;
    // Python's rest has the sign of the divisor.
    let (quotient, rest) = match rest != 0 && (rest < 0) != (*b < 0) {
        true => (quotient - 1, rest + b),
        false => (quotient, rest),
    };
    Some(Value::tuple(vec![Value::Int(quotient), Value::Int(rest)]))
}

pub(super) fn callable(args: &[Value]) -> Option<Value> {
    match args {
        [value] => Some(Value::bool(janus_object::call::is_callable(value))),
        _ => None,
    }
}

pub(super) fn chr(args: &[Value]) -> Option<Value> {
    match args {
        [Value::Int(code)] => surrogate::char_of(u32::try_from(*code).ok()?).map(Value::char),
        _ => None,
    }
}

pub(super) fn ord(args: &[Value]) -> Option<Value> {
    let [Value::Str(text)] = args else {
        return None;
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Some(Value::Int(i64::from(surrogate::code_of(c)))),
        _ => None,
    }
}

/// The first one of some ints, or some floats, that comes before all others, or after all others.
fn extreme(args: &[Value], least: bool) -> Option<Value> {
    let (first, rest) = args.split_first()?;
    let mut best = first;
    for other in rest {
        let comes_before = match (other, best) {
            (Value::Int(a), Value::Int(b)) if least => a < b,
            (Value::Int(a), Value::Int(b)) => a > b,
            (Value::Float(a), Value::Float(b)) if least => a.get() < b.get(),
            (Value::Float(a), Value::Float(b)) => a.get() > b.get(),
            _ => return None,
        };
        if comes_before {
            best = other;
        }
    }
    // One argument is a container.
    (!rest.is_empty()).then(|| best.clone())
}

pub(super) fn min(args: &[Value]) -> Option<Value> {
    extreme(args, true)
}

pub(super) fn max(args: &[Value]) -> Option<Value> {
    extreme(args, false)
}
