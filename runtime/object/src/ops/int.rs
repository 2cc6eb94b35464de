//! Arithmetic of ints.
//!
//! In: ints within 64 bits or big. Out: exact results. Always: a result within 64 bits is a
//! [`Value::Int`]; the fast paths do not allocate.

use janus_bytecode::BinaryOp;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Pow, Signed, ToPrimitive, Zero};

use super::division::div_mod_floor;
use crate::{PyResult, Raised, Value};

/// The most digits of an int of CPython's.
const MAX_DIGITS: u64 = (i64::MAX as u64 - 24) / 4;
/// Bits beyond which a shift is refused rather than tried.
const MAX_BITS: u64 = 1 << 40;

fn zero_division(op: BinaryOp) -> Raised {
    Raised::zero_division(match op {
        BinaryOp::Mod => "integer modulo by zero",
        BinaryOp::TrueDiv => "division by zero",
        _ => "integer division or modulo by zero",
    })
}

/// `x op y`; `None` for an operator that ints do not have (`@`).
#[inline]
pub(crate) fn small(op: BinaryOp, x: i64, y: i64) -> PyResult<Option<Value>> {
    let exact = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::FloorDiv | BinaryOp::Mod if y == 0 => return Err(zero_division(op)),
        BinaryOp::FloorDiv => floor_div(x, y),
        BinaryOp::Mod => Some(floor_mod(x, y)),
        BinaryOp::And => Some(x & y),
        BinaryOp::Or => Some(x | y),
        BinaryOp::Xor => Some(x ^ y),
        BinaryOp::RShift if y >= 0 => Some(x >> y.min(63)),
        BinaryOp::LShift if (0..64).contains(&y) => {
            let shifted = x << y;
            (shifted >> y == x).then_some(shifted)
        }
        BinaryOp::TrueDiv => return small_true_div(x, y).map(Some),
        BinaryOp::Pow if y < 0 => return float_pow(x as f64, y as f64).map(Some),
        BinaryOp::Pow => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
        _ => None,
    };
    match exact {
        Some(value) => Ok(Some(Value::Int(value))),
        None => big(op, &BigInt::from(x), &BigInt::from(y)),
    }
}

/// `x // y`; `None` on overflow or for `y == 0`.
#[inline]
pub(crate) fn floor_div(x: i64, y: i64) -> Option<i64> {
    let quotient = x.checked_div(y)?;
    Some(if x % y != 0 && (x < 0) != (y < 0) {
        quotient - 1
    } else {
        quotient
    })
}

/// `x % y` with the sign of `y`; `y` is not 0.
#[inline]
pub(crate) fn floor_mod(x: i64, y: i64) -> i64 {
    let rest = x.wrapping_rem(y);
    if rest != 0 && (rest < 0) != (y < 0) {
        rest + y
    } else {
        rest
    }
}

fn small_true_div(x: i64, y: i64) -> PyResult {
    const EXACT: u64 = 1 << 53;
    if y == 0 {
        return Err(zero_division(BinaryOp::TrueDiv));
    }
    if x.unsigned_abs() <= EXACT && y.unsigned_abs() <= EXACT {
        return Ok(Value::float(x as f64 / y as f64));
    }
    big_true_div(&BigInt::from(x), &BigInt::from(y))
}

/// `x / y`, correctly rounded.
fn big_true_div(x: &BigInt, y: &BigInt) -> PyResult {
    if y.is_zero() {
        return Err(zero_division(BinaryOp::TrueDiv));
    }
    let negative = x.is_negative() != y.is_negative();
    if x.is_zero() {
        return Ok(Value::float(if negative { -0.0 } else { 0.0 }));
    }
    let (x, y) = (x.abs(), y.abs());
    // A quotient of 66 bits or more whose lowest bit remembers whether anything was cut off
    // rounds the same way as the exact one.
    let shift = y.bits() as i64 - x.bits() as i64 + 66;
    let (numerator, denominator) = if shift >= 0 {
        (x << shift as u64, y)
    } else {
        (x, y << shift.unsigned_abs())
    };
    let (mut quotient, rest) = numerator.div_rem(&denominator);
    if !rest.is_zero() {
        quotient |= BigInt::from(1);
    }
    let magnitude = scaled(&quotient, -shift);
    if magnitude.is_infinite() {
        return Err(Raised::overflow_error(
            "integer division result too large for a float",
        ));
    }
    Ok(Value::float(if negative { -magnitude } else { magnitude }))
}

/// `n * 2**exponent` for a positive `n`, rounded once, half to even.
fn scaled(n: &BigInt, exponent: i64) -> f64 {
    let bits = n.bits() as i64;
    // Position of the last bit that a result of this size can keep.
    let last = (bits + exponent - 53).max(-1074) - exponent;
    let mut mantissa = if last <= 0 {
        n.clone()
    } else {
        let kept: BigInt = n >> last as u64;
        let cut: BigInt = n - (&kept << last as u64);
        let half = BigInt::from(1) << (last as u64 - 1);
        match cut.cmp(&half) {
            std::cmp::Ordering::Greater => kept + 1,
            std::cmp::Ordering::Equal if kept.is_odd() => kept + 1,
            _ => kept,
        }
    };
    let mut power = exponent + last.max(0);
    if power > 971 && !mantissa.is_zero() {
        // Too large as it stands; a short mantissa may still fit.
        let room = (power - 971).min(64) as u64;
        mantissa <<= room;
        power -= room as i64;
    }
    let value = mantissa.to_f64().unwrap_or(f64::INFINITY);
    if power > 971 {
        return f64::INFINITY;
    }
    // Two steps, since 2**-1074 itself cannot be made by one exact power of a normal number;
    // both products are exact because the mantissa was rounded to what the result can hold.
    if power < -1000 {
        value * 2f64.powi(-1000) * 2f64.powi((power + 1000) as i32)
    } else {
        value * 2f64.powi(power as i32)
    }
}

/// A big int as the nearest float, infinite if out of range.
pub fn big_to_f64(b: &BigInt) -> f64 {
    if b.is_zero() {
        return 0.0;
    }
    let magnitude = scaled(&b.abs(), 0);
    if b.is_negative() {
        -magnitude
    } else {
        magnitude
    }
}

/// `a op b` of any size; `None` for an operator that ints do not have.
pub(crate) fn big(op: BinaryOp, a: &BigInt, b: &BigInt) -> PyResult<Option<Value>> {
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::FloorDiv | BinaryOp::Mod if b.is_zero() => return Err(zero_division(op)),
        BinaryOp::FloorDiv => div_mod_floor(a, b).0,
        BinaryOp::Mod => div_mod_floor(a, b).1,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::TrueDiv => return big_true_div(a, b).map(Some),
        BinaryOp::Pow if b.is_negative() => {
            return float_pow(finite(a)?, finite(b)?).map(Some);
        }
        BinaryOp::Pow => match b.to_u32() {
            Some(exponent) if u64::from(exponent).saturating_mul(a.bits()) < MAX_BITS => {
                Pow::pow(a, exponent)
            }
            _ if a.is_zero() => BigInt::zero(),
            _ if a.magnitude().bits() == 1 => {
                // 1 or -1
                if a.is_negative() && b.is_odd() {
                    a.clone()
                } else {
                    BigInt::from(1)
                }
            }
            _ => return Err(Raised::memory_error()),
        },
        BinaryOp::LShift | BinaryOp::RShift if b.is_negative() => {
            return Err(Raised::value_error("negative shift count"));
        }
        BinaryOp::LShift => match b.to_u64() {
            Some(bits) if bits < MAX_BITS => a << bits,
            _ if a.is_zero() => BigInt::zero(),
            // More than CPython could count, in digits of 30 bits.
            _ if b / 30 > BigInt::from(MAX_DIGITS) => {
                return Err(Raised::overflow_error("too many digits in integer"));
            }
            _ => return Err(Raised::memory_error()),
        },
        // num-bigint's shift rounds towards minus infinity, as Python's.
        BinaryOp::RShift => match b.to_u64() {
            Some(bits) => a >> bits,
            None => BigInt::from(if a.is_negative() { -1 } else { 0 }),
        },
        _ => return Ok(None),
    };
    Ok(Some(Value::big(result)))
}

fn finite(b: &BigInt) -> PyResult<f64> {
    let value = big_to_f64(b);
    if value.is_infinite() {
        return Err(Raised::overflow_error("int too large to convert to float"));
    }
    Ok(value)
}

/// `x ** y` of floats.
pub(crate) fn float_pow(x: f64, y: f64) -> PyResult {
    if x == 0.0 && y < 0.0 && y.is_finite() {
        return Err(Raised::zero_division(
            "0.0 cannot be raised to a negative power",
        ));
    }
    if x < 0.0 && x.is_finite() && y.is_finite() && y.floor() != y {
        return crate::builtin::complex::pow((x, 0.0), (y, 0.0));
    }
    let result = x.powf(y);
    if result.is_infinite() && x.is_finite() && y.is_finite() {
        return Err(out_of_range());
    }
    Ok(Value::float(result))
}

/// The OverflowError of a float operation.
pub(crate) fn out_of_range() -> Raised {
    Raised::with_args(
        crate::ExcKind::OverflowError,
        vec![Value::Int(34), Value::str("Numerical result out of range")],
    )
}

/// `a op b` where both are ints, bools or floats; `None` if one is not, or has no such operator.
pub(crate) fn number(op: BinaryOp, a: &Value, b: &Value) -> PyResult<Option<Value>> {
    use Value::{BigInt as Big, Bool, Float, Int};
    match (a, b) {
        (Int(x), Int(y)) => small(op, *x, *y),
        (Bool(x), Bool(y)) => match op {
            BinaryOp::And => Ok(Some(Value::bool(x.get() & y.get()))),
            BinaryOp::Or => Ok(Some(Value::bool(x.get() | y.get()))),
            BinaryOp::Xor => Ok(Some(Value::bool(x.get() ^ y.get()))),
            _ => small(op, i64::from(x.get()), i64::from(y.get())),
        },
        (Bool(x), Int(y)) => small(op, i64::from(x.get()), *y),
        (Int(x), Bool(y)) => small(op, *x, i64::from(y.get())),
        (Float(x), Float(y)) => float(op, x.get(), y.get()),
        (Float(x), Int(y)) => float(op, x.get(), *y as f64),
        (Int(x), Float(y)) => float(op, *x as f64, y.get()),
        (Float(x), Bool(y)) => float(op, x.get(), f64::from(u8::from(y.get()))),
        (Bool(x), Float(y)) => float(op, f64::from(u8::from(x.get())), y.get()),
        (Float(x), Big(y)) => float(op, x.get(), finite(y)?),
        (Big(x), Float(y)) => float(op, finite(x)?, y.get()),
        (Big(x), Big(y)) => big(op, x, y),
        (Big(x), Int(y)) => big(op, x, &BigInt::from(*y)),
        (Int(x), Big(y)) => big(op, &BigInt::from(*x), y),
        (Big(x), Bool(y)) => big(op, x, &BigInt::from(u8::from(y.get()))),
        (Bool(x), Big(y)) => big(op, &BigInt::from(u8::from(x.get())), y),
        _ => Ok(None),
    }
}

/// `x op y` of floats; `None` for an operator that floats do not have.
#[inline]
pub(crate) fn float(op: BinaryOp, x: f64, y: f64) -> PyResult<Option<Value>> {
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::TrueDiv | BinaryOp::FloorDiv | BinaryOp::Mod if y == 0.0 => {
            return Err(Raised::zero_division(match op {
                BinaryOp::TrueDiv => "float division by zero",
                BinaryOp::FloorDiv => "float floor division by zero",
                _ => "float modulo",
            }));
        }
        BinaryOp::TrueDiv => x / y,
        BinaryOp::FloorDiv => float_divmod(x, y).0,
        BinaryOp::Mod => float_divmod(x, y).1,
        BinaryOp::Pow => return float_pow(x, y).map(Some),
        _ => return Ok(None),
    };
    Ok(Some(Value::float(result)))
}

/// CPython's `divmod` of floats; `y` is not 0.
pub(crate) fn float_divmod(x: f64, y: f64) -> (f64, f64) {
    let mut rest = x % y;
    let mut quotient = (x - rest) / y;
    if rest != 0.0 {
        if (y < 0.0) != (rest < 0.0) {
            rest += y;
            quotient -= 1.0;
        }
    } else {
        rest = 0f64.copysign(y);
    }
    let floored = if quotient != 0.0 {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    } else {
        0f64.copysign(x / y)
    };
    (floored, rest)
}

/// `pow(base, exponent, modulus)`
pub(crate) fn pow_mod(base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> PyResult {
    if modulus.is_zero() {
        return Err(Raised::value_error("pow() 3rd argument cannot be 0"));
    }
    let magnitude = modulus.abs();
    let (base, exponent) = if exponent.is_negative() {
        let gcd = base.extended_gcd(&magnitude);
        if gcd.gcd.abs() != BigInt::from(1) {
            return Err(Raised::value_error(
                "base is not invertible for the given modulus",
            ));
        }
        (gcd.x * gcd.gcd.signum(), -exponent)
    } else {
        (base.clone(), exponent.clone())
    };
    let result = base.mod_floor(&magnitude).modpow(&exponent, &magnitude);
    Ok(Value::big(result.mod_floor(modulus)))
}
