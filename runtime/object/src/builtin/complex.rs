//! `complex`.
//!
//! In: real and imaginary parts. Out: a native class with arithmetic. Always: a complex number
//! equals a real one when its imaginary part is zero, and hashes like it.

use janus_bytecode::{BinaryOp, CompareOp};

use crate::native::wrong_self;
use crate::ops::{self, call_special, special};
use crate::{
    Args, Bool, Instance, NativeDef, PyResult, Raised, Signature, Value, Vm, name, text, types,
};

use super::int::class_argument;

/// A complex number: real and imaginary part.
type Complex = (f64, f64);

struct Parts(Complex);

impl crate::Foreign for Parts {}

macro_rules! binary {
    ($($plain:ident $reflected:ident $op:ident;)*) => {
        $(
            fn $plain(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let (a, [b]) = args.method::<1>(stringify!($plain))?;
                arithmetic(vm, BinaryOp::$op, a, b)
            }
            fn $reflected(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let (b, [a]) = args.method::<1>(stringify!($reflected))?;
                arithmetic(vm, BinaryOp::$op, a, b)
            }
        )*
    };
}

binary! {
    add radd Add;
    sub rsub Sub;
    mul rmul Mul;
    div rdiv TrueDiv;
    power rpower Pow;
}

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("complex.__new__", new),
    NativeDef::method("complex.__getnewargs__", |_, args| {
        let [this] = args.exactly::<1>("complex.__getnewargs__")?;
        let (re, im) = complex_parts(this)
            .ok_or_else(|| crate::native::wrong_self("__getnewargs__", "complex", this))?;
        Ok(Value::tuple(vec![Value::float(re), Value::float(im)]))
    }),
    NativeDef::method("complex.__add__", add),
    NativeDef::method("complex.__radd__", radd),
    NativeDef::method("complex.__sub__", sub),
    NativeDef::method("complex.__rsub__", rsub),
    NativeDef::method("complex.__mul__", mul),
    NativeDef::method("complex.__rmul__", rmul),
    NativeDef::method("complex.__truediv__", div),
    NativeDef::method("complex.__rtruediv__", rdiv),
    NativeDef::method("complex.__pow__", power),
    NativeDef::method("complex.__rpow__", rpower),
    NativeDef::method("complex.__neg__", negative),
    NativeDef::method("complex.__pos__", itself),
    NativeDef::method("complex.__abs__", abs),
    NativeDef::method("complex.__bool__", truth),
    NativeDef::method("complex.__eq__", eq),
    NativeDef::method("complex.__ne__", ne),
    NativeDef::method("complex.__hash__", hash),
    NativeDef::method("complex.__repr__", repr),
    NativeDef::method("complex.__format__", format),
    NativeDef::method("complex.__complex__", itself),
    NativeDef::method("complex.conjugate", conjugate),
    NativeDef::getter("complex.real", real),
    NativeDef::getter("complex.imag", imag),
];

/// A complex number.
pub fn complex_value(re: f64, im: f64) -> Value {
    Instance::native(&types().complex, Parts((re, im)))
}

/// Real and imaginary part of a complex number.
pub fn complex_parts(v: &Value) -> Option<(f64, f64)> {
    v.foreign::<Parts>().map(|p| p.0)
}

fn own(v: &Value) -> PyResult<Complex> {
    complex_parts(v).ok_or_else(|| wrong_self("complex", "complex", v))
}

/// A complex or real operand.
fn operand(v: &Value) -> PyResult<Option<Complex>> {
    if let Some(parts) = complex_parts(v) {
        return Ok(Some(parts));
    }
    match v.as_f64() {
        Some(f) if f.is_infinite() && v.as_bigint().is_some() => {
            Err(Raised::overflow_error("int too large to convert to float"))
        }
        other => Ok(other.map(|f| (f, 0.0))),
    }
}

fn arithmetic(_: &mut dyn Vm, op: BinaryOp, a: &Value, b: &Value) -> PyResult {
    let (Some(a), Some(b)) = (operand(a)?, operand(b)?) else {
        return Ok(Value::NotImplemented);
    };
    let (re, im) = match op {
        BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOp::Sub => (a.0 - b.0, a.1 - b.1),
        BinaryOp::Mul => (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0),
        BinaryOp::TrueDiv => divide(a, b)?,
        BinaryOp::Pow => return pow(a, b),
        _ => return Ok(Value::NotImplemented),
    };
    Ok(complex_value(re, im))
}

/// CPython's division: scales by the larger part of the divisor.
fn divide(a: Complex, b: Complex) -> PyResult<Complex> {
    let (abs_re, abs_im) = (b.0.abs(), b.1.abs());
    if abs_re >= abs_im {
        if abs_re == 0.0 {
            return Err(Raised::zero_division("complex division by zero"));
        }
        let ratio = b.1 / b.0;
        let scale = b.0 + b.1 * ratio;
        Ok(((a.0 + a.1 * ratio) / scale, (a.1 - a.0 * ratio) / scale))
    } else if abs_im >= abs_re {
        let ratio = b.0 / b.1;
        let scale = b.0 * ratio + b.1;
        Ok(((a.0 * ratio + a.1) / scale, (a.1 * ratio - a.0) / scale))
    } else {
        Ok((f64::NAN, f64::NAN))
    }
}

/// `a ** b`
pub(crate) fn pow(a: Complex, b: Complex) -> PyResult {
    if b == (0.0, 0.0) {
        return Ok(complex_value(1.0, 0.0));
    }
    if a == (0.0, 0.0) {
        if b.1 != 0.0 || b.0 < 0.0 {
            return Err(Raised::zero_division("0.0 to a negative or complex power"));
        }
        return Ok(complex_value(0.0, 0.0));
    }
    // CPython multiplies for small integral exponents.
    if b.1 == 0.0 && b.0 == b.0.floor() && b.0.abs() <= 100.0 {
        let n = b.0 as i64;
        let power = integer_power(a, n.unsigned_abs());
        let (re, im) = if n < 0 {
            divide((1.0, 0.0), power)?
        } else {
            power
        };
        return Ok(complex_value(re, im));
    }
    let magnitude = a.0.hypot(a.1);
    let mut length = magnitude.powf(b.0);
    let angle = a.1.atan2(a.0);
    let mut phase = angle * b.0;
    if b.1 != 0.0 {
        length /= (angle * b.1).exp();
        phase += b.1 * magnitude.ln();
    }
    let (re, im) = (length * phase.cos(), length * phase.sin());
    let finite = [a.0, a.1, b.0, b.1].iter().all(|part| part.is_finite());
    if finite && (re.is_infinite() || im.is_infinite()) {
        return Err(Raised::overflow_error("complex exponentiation"));
    }
    Ok(complex_value(re, im))
}

fn integer_power(base: Complex, n: u64) -> Complex {
    let times = |a: Complex, b: Complex| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let (mut result, mut square, mut mask) = ((1.0, 0.0), base, 1u64);
    while mask > 0 && n >= mask {
        if n & mask != 0 {
            result = times(result, square);
        }
        mask <<= 1;
        square = times(square, square);
    }
    result
}

static NEW: Signature<2> = Signature::new("complex", ["real", "imag"]).required(0);

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "complex.__new__")?;
    let [real, imag] = NEW.parse(rest)?;
    let (re, im) = match (real, imag) {
        (None, None) => (0.0, 0.0),
        (Some(real), None) => match real.as_str() {
            Some(source) => parse(source)
                .ok_or_else(|| Raised::value_error("complex() arg is a malformed string"))?,
            None => part(vm, &real, REAL)?,
        },
        (real, Some(imag)) => {
            if real.as_ref().is_some_and(|r| r.as_str().is_some()) {
                return Err(Raised::type_error(
                    "complex() can't take second arg if first is a string",
                ));
            }
            if imag.as_str().is_some() {
                return Err(Raised::type_error("complex() second arg can't be a string"));
            }
            let (a, b) = match real {
                Some(real) => part(vm, &real, REAL)?,
                None => (0.0, 0.0),
            };
            let (c, d) = part(vm, &imag, IMAG)?;
            // Adding the zeros of real parts would lose the sign of a negative zero.
            (
                if d == 0.0 { a } else { a - d },
                if b == 0.0 { c } else { b + c },
            )
        }
    };
    Ok(Instance::native(class, Parts((re, im))))
}

/// What errors say that an argument must be.
const REAL: &str = "first argument must be a string or a number";
const IMAG: &str = "second argument must be a number";

fn part(vm: &mut dyn Vm, v: &Value, wanted: &str) -> PyResult<Complex> {
    // A subclass of a built-in number may say what it is.
    if let Value::Instance(_) = v
        && let Some(method) = special(v, name!("__complex__"))
    {
        let result = call_special(vm, &method, v, &[])?;
        return complex_parts(&result).ok_or_else(|| {
            Raised::type_error(format!(
                "__complex__ returned non-complex (type {})",
                result.type_name()
            ))
        });
    }
    if !matches!(v, Value::Instance(_))
        && let Some(parts) = operand(v)?
    {
        return Ok(parts);
    }
    match ops::to_f64(vm, v) {
        Ok(f) => Ok((f, 0.0)),
        Err(raised) if raised.is(crate::ExcKind::TypeError) => Err(Raised::type_error(format!(
            "complex() {wanted}, not '{}'",
            v.type_name()
        ))),
        Err(raised) => Err(raised),
    }
}

fn parse(source: &str) -> Option<Complex> {
    let trimmed = source.trim();
    let body = trimmed
        .strip_prefix('(')
        .and_then(|s| s.strip_suffix(')'))
        .map_or(trimmed, str::trim);
    // Parts may not stand apart.
    if body.contains(char::is_whitespace) {
        return None;
    }
    let Some(imaginary) = body.strip_suffix(['j', 'J']) else {
        return super::float::parse_float(body).map(|f| (f, 0.0));
    };
    // The sign that starts the imaginary part: the last one that is not an exponent's.
    let bytes = imaginary.as_bytes();
    let split = (1..bytes.len()).rev().find(|&i| {
        matches!(bytes.get(i), Some(b'+' | b'-')) && !matches!(bytes.get(i - 1), Some(b'e' | b'E'))
    });
    let (re, im) = imaginary.split_at(split.unwrap_or(0));
    let im = match im {
        "" | "+" => 1.0,
        "-" => -1.0,
        digits => super::float::parse_float(digits)?,
    };
    let re = if re.is_empty() {
        0.0
    } else {
        super::float::parse_float(re)?
    };
    Some((re, im))
}

fn negative(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__neg__")?;
    let (re, im) = own(this)?;
    Ok(complex_value(-re, -im))
}

fn itself(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__pos__")?;
    let (re, im) = own(this)?;
    Ok(complex_value(re, im))
}

fn conjugate(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("conjugate")?;
    let (re, im) = own(this)?;
    Ok(complex_value(re, -im))
}

fn abs(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__abs__")?;
    let (re, im) = own(this)?;
    let length = re.hypot(im);
    if length.is_infinite() && re.is_finite() && im.is_finite() {
        return Err(Raised::overflow_error("absolute value too large"));
    }
    Ok(Value::float(length))
}

fn truth(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__bool__")?;
    Ok(Value::bool(own(this)? != (0.0, 0.0)))
}

fn equal(vm: &mut dyn Vm, args: Args<'_>) -> PyResult<Option<bool>> {
    let (this, [other]) = args.method::<1>("__eq__")?;
    let (re, im) = own(this)?;
    if let Some((a, b)) = complex_parts(other) {
        return Ok(Some(re == a && im == b));
    }
    if other.as_f64().is_none() {
        return Ok(None);
    }
    let same = ops::compare(vm, CompareOp::Eq, &Value::float(re), &other.unwrapped())?;
    Ok(Some(im == 0.0 && matches!(same, Value::Bool(Bool::True))))
}

fn eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(equal(vm, args)?.map_or(Value::NotImplemented, Value::bool))
}

fn ne(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(equal(vm, args)?.map_or(Value::NotImplemented, |e| Value::bool(!e)))
}

fn hash(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    const IMAGINARY: i64 = 1_000_003;
    let [this] = args.exactly::<1>("__hash__")?;
    let (re, im) = own(this)?;
    let hash = ops::float_hash(re).wrapping_add(IMAGINARY.wrapping_mul(ops::float_hash(im)));
    Ok(Value::Int(if hash == -1 { -2 } else { hash }))
}

fn repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    let (re, im) = own(this)?;
    let part = |f: f64| {
        let text = text::float_repr(f);
        text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
    };
    if re == 0.0 && !re.is_sign_negative() {
        return Ok(Value::from(format!("{}j", part(im))));
    }
    let sign = if im.is_sign_negative() && !im.is_nan() {
        ""
    } else {
        "+"
    };
    Ok(Value::from(format!("({}{sign}{}j)", part(re), part(im))))
}

fn format(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [spec]) = args.method::<1>("__format__")?;
    let spec = spec.as_str().unwrap_or_default();
    if spec.is_empty() {
        return text::str_value(vm, this);
    }
    let (re, im) = own(this)?;
    Ok(Value::from(text::format_complex(re, im, spec)?))
}

fn real(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("real")?;
    Ok(Value::float(own(this)?.0))
}

fn imag(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("imag")?;
    Ok(Value::float(own(this)?.1))
}
