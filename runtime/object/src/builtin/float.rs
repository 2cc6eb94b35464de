//! `float`.
//!
//! In: arguments of calls. Out: constructor and methods. Always: rounding and parsing are exact.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::float::FloatCore;

use crate::native::wrong_self;
use crate::ops::{self, special};
use crate::{Args, NativeDef, PyRef, PyResult, Raised, Value, Vm, name, text, types};

use super::int::{class_argument, no_keywords_unless, wrap};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("float.__new__", new),
    NativeDef::class_method("float.fromhex", from_hex),
    NativeDef::class_method("float.__getformat__", get_format),
    NativeDef::method("float.hex", hex),
    NativeDef::method("float.is_integer", is_integer),
    NativeDef::method("float.as_integer_ratio", as_integer_ratio),
    NativeDef::method("float.conjugate", itself),
    NativeDef::method("float.__float__", itself),
    NativeDef::method("float.__int__", truncate),
    NativeDef::method("float.__trunc__", truncate),
    NativeDef::method("float.__floor__", floor),
    NativeDef::method("float.__ceil__", ceil),
    NativeDef::method("float.__round__", round),
    NativeDef::method("float.__divmod__", divmod),
    NativeDef::method("float.__rdivmod__", rdivmod),
    NativeDef::method("float.__getnewargs__", new_args),
    NativeDef::getter("float.real", itself),
    NativeDef::getter("float.imag", imaginary),
];

fn own(v: &Value, method: &str) -> PyResult<f64> {
    match v.unwrapped() {
        Value::Float(f) => Ok(f.get()),
        _ => Err(wrong_self(method, "float", v)),
    }
}

fn itself(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.__float__")?;
    Ok(Value::float(own(this, "__float__")?))
}

fn imaginary(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::float(0.0))
}

fn new_args(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.__getnewargs__")?;
    Ok(Value::tuple(vec![Value::float(own(
        this,
        "__getnewargs__",
    )?)]))
}

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "float.__new__")?;
    no_keywords_unless(crate::name!("__init__"), class, &types().float, &rest)?;
    wrap(class, &types().float, construct(vm, Args::new(rest.pos))?)
}

/// `float(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::float(match args.between("float", 0, 1)? {
        [] => 0.0,
        [x, ..] => from_value(vm, x)?,
    }))
}

/// `float(x)`
fn from_value(vm: &mut dyn Vm, x: &Value) -> PyResult<f64> {
    match x {
        Value::Float(f) => return Ok(f.get()),
        Value::Int(_) | Value::Bool(_) | Value::BigInt(_) => return ops::to_f64(vm, x),
        _ => {}
    }
    if special(x, name!("__float__")).is_none() {
        let digits = match (x.as_str(), crate::buffer::buffer_bytes(x)) {
            (Some(s), _) => Some(s.to_owned()),
            (_, Some(b)) => Some(String::from_utf8_lossy(&b).into_owned()),
            _ => None,
        };
        if let Some(digits) = digits {
            return match parse_float(&digits) {
                Some(f) => Ok(f),
                None => Err(Raised::value_error(format!(
                    "could not convert string to float: {}",
                    text::repr(vm, x)?
                ))),
            };
        }
        if special(x, name!("__index__")).is_none() {
            return Err(Raised::type_error(format!(
                "float() argument must be a string or a real number, not '{}'",
                x.type_name()
            )));
        }
    }
    ops::to_f64(vm, x)
}

/// Parses a float as `float(text)` does.
pub fn parse_float(source: &str) -> Option<f64> {
    let trimmed = source.trim();
    let body = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    let negative = trimmed.starts_with('-');
    let is_plain = |b: &u8| b.is_ascii_digit() || *b == b'.';
    if body.bytes().all(|b| is_plain(&b)) {
        let magnitude: f64 = body.parse().ok()?;
        return Some(if negative { -magnitude } else { magnitude });
    }
    let magnitude = match body.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => f64::INFINITY,
        "nan" => f64::NAN,
        lower => {
            let digits = body.chars().any(|c| c.is_ascii_digit());
            let allowed = lower
                .bytes()
                .all(|b| b.is_ascii_digit() || b"._e+-".contains(&b));
            // Underscores only between digits.
            let bytes = lower.as_bytes();
            let underscores = bytes.iter().enumerate().all(|(i, b)| {
                *b != b'_'
                    || (i > 0
                        && bytes.get(i - 1).is_some_and(u8::is_ascii_digit)
                        && bytes.get(i + 1).is_some_and(u8::is_ascii_digit))
            });
            if !digits || !allowed || !underscores || body.starts_with(['+', '-']) {
                return None;
            }
            lower.replace('_', "").parse().ok()?
        }
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// `int(f)`
pub(crate) fn to_int(f: f64) -> PyResult {
    if f.is_nan() {
        return Err(Raised::value_error("cannot convert float NaN to integer"));
    }
    if f.is_infinite() {
        return Err(Raised::overflow_error(
            "cannot convert float infinity to integer",
        ));
    }
    Ok(super::int::from_integral(f.trunc()))
}

fn truncate(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.__int__")?;
    to_int(own(this, "__int__")?)
}

fn floor(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.__floor__")?;
    to_int(own(this, "__floor__")?.floor())
}

fn ceil(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.__ceil__")?;
    to_int(own(this, "__ceil__")?.ceil())
}

fn round(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("float.__round__")?;
    let f = own(this, "__round__")?;
    match rest.between("__round__", 0, 1)? {
        [digits] if !digits.is_none() => {
            let digits = ops::as_index(vm, digits)?;
            Ok(Value::float(round_digits(f, digits)?))
        }
        _ => to_int(f.round_ties_even()),
    }
}

/// `round(f, digits)`: correctly rounded, half to even on the exact value.
pub(crate) fn round_digits(f: f64, digits: i64) -> PyResult<f64> {
    if !f.is_finite() || digits > 323 {
        return Ok(f);
    }
    if digits < -308 {
        return Ok(0f64.copysign(f));
    }
    if digits >= 0 {
        let precision = digits as usize;
        // Formatting is exact, and so is reading the result back.
        return Ok(crate::text::fixed(f, precision).parse().unwrap_or(f));
    }
    let whole = super::int::from_integral(f.trunc())
        .as_bigint()
        .unwrap_or_default();
    let unit = BigInt::from(10).pow(digits.unsigned_abs() as u32);
    let magnitude = num_traits::Signed::abs(&whole);
    let (quotient, rest) = magnitude.div_rem(&unit);
    let twice: BigInt = &rest * 2;
    let fraction = f.fract() != 0.0;
    let up = twice > unit || (twice == unit && (fraction || quotient.is_odd()));
    let rounded = (if up { quotient + 1 } else { quotient }) * unit;
    let value = ops::big_to_f64(&rounded);
    if value.is_infinite() {
        return Err(Raised::overflow_error(
            "rounded value too large to represent",
        ));
    }
    Ok(value.copysign(f))
}

fn is_integer(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.is_integer")?;
    let f = own(this, "is_integer")?;
    Ok(Value::bool(f.is_finite() && f.fract() == 0.0))
}

fn as_integer_ratio(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.as_integer_ratio")?;
    let f = own(this, "as_integer_ratio")?;
    if f.is_nan() {
        return Err(Raised::value_error("cannot convert NaN to integer ratio"));
    }
    if f.is_infinite() {
        return Err(Raised::overflow_error(
            "cannot convert Infinity to integer ratio",
        ));
    }
    let (mantissa, exponent, sign) = FloatCore::integer_decode(f);
    let mut numerator = BigInt::from(mantissa) * sign;
    let mut denominator = BigInt::from(1);
    if exponent > 0 {
        numerator <<= exponent as u32;
    } else {
        denominator <<= exponent.unsigned_abs();
    }
    let divisor = numerator.gcd(&denominator);
    Ok(Value::tuple(vec![
        Value::big(numerator / &divisor),
        Value::big(denominator / &divisor),
    ]))
}

fn divmod(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("float.__divmod__")?;
    divmod_or_not(
        vm,
        &Value::float(own(this, "__divmod__")?),
        &other.unwrapped(),
    )
}

fn rdivmod(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("float.__rdivmod__")?;
    divmod_or_not(
        vm,
        &other.unwrapped(),
        &Value::float(own(this, "__rdivmod__")?),
    )
}

fn divmod_or_not(vm: &mut dyn Vm, a: &Value, b: &Value) -> PyResult {
    if a.as_f64().is_none() || b.as_f64().is_none() {
        return Ok(Value::NotImplemented);
    }
    ops::divmod(vm, a, b)
}

fn hex(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("float.hex")?;
    let f = own(this, "hex")?;
    if !f.is_finite() {
        return Ok(Value::from(text::float_repr(f)));
    }
    let sign = if f.is_sign_negative() { "-" } else { "" };
    let bits = f.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = (bits >> 52 & 0x7ff) as i64;
    if biased == 0 && fraction == 0 {
        return Ok(Value::from(format!("{sign}0x0.0p+0")));
    }
    let (lead, exponent) = if biased == 0 {
        (0, -1022)
    } else {
        (1, biased - 1023)
    };
    let plus = if exponent < 0 { "-" } else { "+" };
    Ok(Value::from(format!(
        "{sign}0x{lead}.{fraction:013x}p{plus}{}",
        exponent.abs()
    )))
}

/// How the machine stores floats.
fn get_format(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [kind]) = args.method::<1>("float.__getformat__")?;
    match kind.as_str() {
        Some("double" | "float") if cfg!(target_endian = "big") => {
            Ok(Value::from("IEEE, big-endian"))
        }
        Some("double" | "float") => Ok(Value::from("IEEE, little-endian")),
        _ => Err(Raised::value_error(
            "__getformat__() argument 1 must be 'double' or 'float'",
        )),
    }
}

fn from_hex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, [source]) = args.method::<1>("float.fromhex")?;
    let Some(source) = source.as_str() else {
        return Err(Raised::type_error(
            "bad argument type for built-in operation",
        ));
    };
    let value = parse_hex(source.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b'))?;
    if let Value::Class(c) = class
        && !PyRef::ptr_eq(c, &types().float)
    {
        return vm.call(class, Args::new(&[Value::float(value)]));
    }
    Ok(Value::float(value))
}

fn parse_hex(source: &str) -> PyResult<f64> {
    let invalid = || Raised::value_error("invalid hexadecimal floating-point string");
    let negative = source.starts_with('-');
    let body = source.strip_prefix(['+', '-']).unwrap_or(source);
    let body = body.to_ascii_lowercase();
    let signed = |f: f64| if negative { -f } else { f };
    match body.as_str() {
        "inf" | "infinity" => return Ok(signed(f64::INFINITY)),
        "nan" => return Ok(signed(f64::NAN)),
        _ => {}
    }
    let body = body.strip_prefix("0x").unwrap_or(&body);
    let (mantissa, exponent) = match body.split_once('p') {
        Some((mantissa, exponent)) => (mantissa, decimal(exponent).ok_or_else(invalid)?),
        None => (body, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(invalid());
    }
    let n = BigInt::parse_bytes(digits.as_bytes(), 16).ok_or_else(invalid)?;
    let bits = i64::try_from(n.bits()).unwrap_or(i64::MAX);
    let shift = exponent.saturating_sub(4 * fraction.len() as i64);
    // The value is below two to this.
    let below = bits.saturating_add(shift);
    let too_large =
        || Raised::overflow_error("hexadecimal value too large to represent as a float");
    if bits == 0 || below < i64::from(f64::MIN_EXP) - 53 {
        return Ok(signed(0.0));
    }
    if below > i64::from(f64::MAX_EXP) {
        return Err(too_large());
    }
    let value = if shift >= 0 {
        ops::big_to_f64(&(n << shift.unsigned_abs()))
    } else {
        let unit = BigInt::from(1) << shift.unsigned_abs();
        match ops::true_divide(&n, &unit) {
            Ok(Value::Float(f)) => f.get(),
            _ => f64::INFINITY,
        }
    };
    match value.is_finite() {
        true => Ok(signed(value)),
        false => Err(too_large()),
    }
}

/// A decimal integer with a sign or none; one that is too long for an exponent is as large as an exponent needs to be.
fn decimal(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let n = digits.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    Some(if text.starts_with('-') { -n } else { n })
}
