//! Quick ways of built-in functions.
//!
//! In: arguments by position. Out: what the call gives, or nothing where that needs Python, an exception, or a closer look. Always:
//! as the function itself would answer.

use janus_bytecode::surrogate;
use janus_object::{SimpleNext, Value, is_instance_simple, ops};

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
    let text = match args {
        [Value::Str(text)] => text,
        [Value::Bytes(bytes)] => {
            return match *bytes.bytes() {
                [byte] => Some(Value::Int(i64::from(byte))),
                _ => None,
            };
        }
        _ => return None,
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Some(Value::Int(i64::from(surrogate::code_of(c)))),
        _ => None,
    }
}

/// More items are looked at by who can be interrupted.
const MOST_ITEMS: usize = 1 << 20;

/// Looks at the items of a list or a tuple.
fn with_items<R>(container: &Value, look: impl FnOnce(&[Value]) -> Option<R>) -> Option<R> {
    let few = |items: &[Value]| items.len() <= MOST_ITEMS;
    match container {
        Value::List(list) => Some(list.items.borrow())
            .filter(|items| few(items))
            .and_then(|items| look(&items)),
        Value::Tuple(tuple) => Some(&tuple.items)
            .filter(|items| few(items))
            .and_then(|items| look(items)),
        _ => None,
    }
}

/// The first one of some ints, or some floats, that comes before all others, or after all others.
fn extreme(args: &[Value], least: bool) -> Option<Value> {
    if let [container] = args {
        return with_items(container, |items| extreme_of(items, least));
    }
    extreme_of(args, least)
}

fn extreme_of(values: &[Value], least: bool) -> Option<Value> {
    let (mut best, rest) = values.split_first()?;
    if !matches!(best, Value::Int(_) | Value::Float(_)) {
        return None;
    }
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
    Some(best.clone())
}

pub(super) fn min(args: &[Value]) -> Option<Value> {
    extreme(args, true)
}

pub(super) fn max(args: &[Value]) -> Option<Value> {
    extreme(args, false)
}

/// `sum` of ints and floats, which become a float at the first of these.
pub(super) fn sum(args: &[Value]) -> Option<Value> {
    let [container] = args else { return None };
    with_items(container, |items| {
        let mut items = items.iter();
        let mut whole = 0i64;
        let mut float = loop {
            match items.next() {
                None => return Some(Value::Int(whole)),
                Some(Value::Int(i)) => whole = whole.checked_add(*i)?,
                Some(Value::Float(f)) => break whole as f64 + f.get(),
                Some(_) => return None,
            }
        };
        for item in items {
            float += match item {
                Value::Float(f) => f.get(),
                Value::Int(i) => *i as f64,
                _ => return None,
            };
        }
        Some(Value::float(float))
    })
}

/// Whether an item has this truth.
fn has(args: &[Value], truth: bool) -> Option<bool> {
    let [container] = args else { return None };
    with_items(container, |items| {
        for item in items {
            if ops::truth_simple(item)? == truth {
                return Some(true);
            }
        }
        Some(false)
    })
}

pub(super) fn any(args: &[Value]) -> Option<Value> {
    has(args, true).map(Value::bool)
}

pub(super) fn all(args: &[Value]) -> Option<Value> {
    has(args, false).map(|has| Value::bool(!has))
}

pub(super) fn iter(args: &[Value]) -> Option<Value> {
    match args {
        [container] => ops::iter_simple(container),
        _ => None,
    }
}

/// `next` of an iterator that is not at its end.
pub(super) fn next(args: &[Value]) -> Option<Value> {
    let [Value::Iter(iterator)] = args else {
        return None;
    };
    match iterator.next_simple() {
        SimpleNext::Int(i) => Some(Value::Int(i)),
        SimpleNext::Item(item) => Some(item),
        SimpleNext::End | SimpleNext::Other => None,
    }
}
