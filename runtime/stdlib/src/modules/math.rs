//! `math`.
//!
//! In: numbers. Out: the functions of CPython's `math`, with its errors. Always: results are those
//! of the platform's libm, which Rust's `f64` calls, as CPython does.

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, attr, class_of, name, ops};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::support::{big_index, float, int, module, type_name};

/// Functions that std does not have, or has in another version than the C library.
mod c {
    // SAFETY: these are the C library's functions of the same names and types; they are pure and
    // take any number.
    unsafe extern "C" {
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn cbrt(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn ldexp(x: f64, exponent: i32) -> f64;
        pub safe fn lgamma(x: f64) -> f64;
        pub safe fn nextafter(x: f64, to: f64) -> f64;
        pub safe fn remainder(x: f64, y: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
    }
}

fn domain() -> Raised {
    Raised::value_error("math domain error")
}

fn range() -> Raised {
    Raised::overflow_error("math range error")
}

/// NaN out of something else is a domain error, infinity out of finite numbers a range error.
fn checked(result: f64, inputs: &[f64]) -> PyResult {
    if result.is_nan() && !inputs.iter().any(|x| x.is_nan()) {
        return Err(domain());
    }
    if result.is_infinite() && inputs.iter().all(|x| x.is_finite()) {
        return Err(range());
    }
    Ok(Value::float(result))
}

macro_rules! unary {
    ($($name:ident => $f:expr;)*) => {
        $(
            fn $name(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let [x] = args.exactly(concat!("math.", stringify!($name)))?;
                let x = float(vm, x)?;
                let f: fn(f64) -> f64 = $f;
                checked(f(x), &[x])
            }
        )*
    };
}

unary! {
    exp => f64::exp;
    exp2 => f64::exp2;
    expm1 => f64::exp_m1;
    log1p => |x| if x <= -1.0 { f64::NAN } else { x.ln_1p() };
    sqrt => f64::sqrt;
    cbrt => |x| c::cbrt(x);
    sin => f64::sin;
    cos => f64::cos;
    tan => f64::tan;
    asin => f64::asin;
    acos => f64::acos;
    atan => f64::atan;
    sinh => f64::sinh;
    cosh => f64::cosh;
    tanh => f64::tanh;
    asinh => |x| c::asinh(x);
    acosh => |x| c::acosh(x);
    fabs => f64::abs;
    degrees => |x| x * (180.0 / std::f64::consts::PI);
    radians => |x| x * (std::f64::consts::PI / 180.0);
    erf => |x| c::erf(x);
    erfc => |x| c::erfc(x);
}

macro_rules! binary {
    ($($name:ident => $f:expr;)*) => {
        $(
            fn $name(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let [x, y] = args.exactly(concat!("math.", stringify!($name)))?;
                let (x, y) = (float(vm, x)?, float(vm, y)?);
                let f: fn(f64, f64) -> f64 = $f;
                checked(f(x, y), &[x, y])
            }
        )*
    };
}

binary! {
    atan2 => f64::atan2;
    copysign => f64::copysign;
    remainder => |x, y| c::remainder(x, y);
    fmod => |x, y| if y.is_infinite() && x.is_finite() { x } else { x % y };
    nextafter => |x, y| c::nextafter(x, y);
}

macro_rules! predicate {
    ($($name:ident => $f:expr;)*) => {
        $(
            fn $name(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let [x] = args.exactly(concat!("math.", stringify!($name)))?;
                let f: fn(f64) -> bool = $f;
                Ok(Value::bool(f(float(vm, x)?)))
            }
        )*
    };
}

predicate! {
    isnan => f64::is_nan;
    isinf => f64::is_infinite;
    isfinite => f64::is_finite;
}

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("math.exp", exp),
    NativeDef::function("math.exp2", exp2),
    NativeDef::function("math.expm1", expm1),
    NativeDef::function("math.log1p", log1p),
    NativeDef::function("math.sqrt", sqrt),
    NativeDef::function("math.cbrt", cbrt),
    NativeDef::function("math.sin", sin),
    NativeDef::function("math.cos", cos),
    NativeDef::function("math.tan", tan),
    NativeDef::function("math.asin", asin),
    NativeDef::function("math.acos", acos),
    NativeDef::function("math.atan", atan),
    NativeDef::function("math.sinh", sinh),
    NativeDef::function("math.cosh", cosh),
    NativeDef::function("math.tanh", tanh),
    NativeDef::function("math.asinh", asinh),
    NativeDef::function("math.acosh", acosh),
    NativeDef::function("math.atanh", atanh),
    NativeDef::function("math.fabs", fabs),
    NativeDef::function("math.degrees", degrees),
    NativeDef::function("math.radians", radians),
    NativeDef::function("math.erf", erf),
    NativeDef::function("math.erfc", erfc),
    NativeDef::function("math.atan2", atan2),
    NativeDef::function("math.copysign", copysign),
    NativeDef::function("math.remainder", remainder),
    NativeDef::function("math.fmod", fmod),
    NativeDef::function("math.nextafter", nextafter),
    NativeDef::function("math.isnan", isnan),
    NativeDef::function("math.isinf", isinf),
    NativeDef::function("math.isfinite", isfinite),
    NativeDef::function("math.pow", pow),
    NativeDef::function("math.log", log),
    NativeDef::function("math.log2", log2),
    NativeDef::function("math.log10", log10),
    NativeDef::function("math.floor", floor),
    NativeDef::function("math.ceil", ceil),
    NativeDef::function("math.trunc", trunc),
    NativeDef::function("math.factorial", factorial),
    NativeDef::function("math.gcd", gcd),
    NativeDef::function("math.lcm", lcm),
    NativeDef::function("math.comb", comb),
    NativeDef::function("math.perm", perm),
    NativeDef::function("math.isqrt", isqrt),
    NativeDef::function("math.isclose", isclose),
    NativeDef::function("math.hypot", hypot),
    NativeDef::function("math.dist", dist),
    NativeDef::function("math.fsum", fsum),
    NativeDef::function("math.prod", prod),
    NativeDef::function("math.modf", modf),
    NativeDef::function("math.frexp", frexp),
    NativeDef::function("math.ldexp", ldexp),
    NativeDef::function("math.gamma", gamma),
    NativeDef::function("math.lgamma", lgamma),
    NativeDef::function("math.ulp", ulp),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module(
        "math",
        "This module provides access to the mathematical functions.",
        FUNCTIONS,
    );
    m.set("pi", std::f64::consts::PI);
    m.set("e", std::f64::consts::E);
    m.set("tau", std::f64::consts::TAU);
    m.set("inf", f64::INFINITY);
    m.set("nan", f64::NAN);
    Ok(Value::Module(m))
}

fn atanh(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.atanh")?;
    let x = float(vm, x)?;
    if x.abs() >= 1.0 {
        return Err(domain());
    }
    Ok(Value::float(c::atanh(x)))
}

fn pow(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x, y] = args.exactly("math.pow")?;
    let (x, y) = (float(vm, x)?, float(vm, y)?);
    if x == 0.0 && y < 0.0 && y.is_finite() {
        return Err(domain());
    }
    checked(x.powf(y), &[x, y])
}

/// The logarithm of a positive int too large for a float.
fn big_log(value: &Value, log: fn(f64) -> f64) -> PyResult<Option<f64>> {
    let Value::BigInt(n) = value else {
        return Ok(None);
    };
    if !n.is_positive() {
        return Err(domain());
    }
    let shift = n.bits().saturating_sub(64);
    let head = (&**n >> shift).to_f64().unwrap_or(f64::INFINITY);
    Ok(Some(log(head) + shift as f64 * log(2.0)))
}

fn logarithm(vm: &mut dyn Vm, value: &Value, log: fn(f64) -> f64) -> PyResult<f64> {
    if let Some(result) = big_log(value, log)? {
        return Ok(result);
    }
    let x = float(vm, value)?;
    if x <= 0.0 {
        return Err(domain());
    }
    Ok(log(x))
}

fn log(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("math.log", 1, 2)?;
    let x = logarithm(vm, &given[0], f64::ln)?;
    let Some(base) = given.get(1) else {
        return Ok(Value::float(x));
    };
    let base = logarithm(vm, base, f64::ln)?;
    if base == 0.0 {
        return Err(Raised::zero_division("float division by zero"));
    }
    Ok(Value::float(x / base))
}

fn log2(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.log2")?;
    Ok(Value::float(logarithm(vm, x, f64::log2)?))
}

fn log10(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.log10")?;
    Ok(Value::float(logarithm(vm, x, f64::log10)?))
}

/// `floor`, `ceil`, `trunc`: ints as they are, floats rounded, anything else by its method.
fn rounded(
    vm: &mut dyn Vm,
    value: &Value,
    method: &janus_object::Name,
    round: fn(f64) -> f64,
) -> PyResult {
    match value {
        Value::Int(_) | Value::BigInt(_) => Ok(value.clone()),
        Value::Bool(b) => Ok(Value::Int(i64::from(b.get()))),
        Value::Float(f) => crate::builtins::float_to_int(round(f.get())),
        other => {
            if attr::class_lookup(&class_of(other), method).is_some() {
                return vm.call_method(other, method, Args::new(&[]));
            }
            if method.as_str() == "__trunc__" {
                return Err(Raised::type_error(format!(
                    "type {} doesn't define __trunc__ method",
                    type_name(other)
                )));
            }
            let f = float(vm, other)?;
            crate::builtins::float_to_int(round(f))
        }
    }
}

fn floor(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.floor")?;
    rounded(vm, x, name!("__floor__"), f64::floor)
}

fn ceil(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.ceil")?;
    rounded(vm, x, name!("__ceil__"), f64::ceil)
}

fn trunc(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.trunc")?;
    rounded(vm, x, name!("__trunc__"), f64::trunc)
}

fn factorial(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.factorial")?;
    let n = int(vm, x)?;
    if n < 0 {
        return Err(Raised::value_error(
            "factorial() not defined for negative values",
        ));
    }
    let mut product = BigInt::one();
    for i in 2..=n {
        product *= i;
    }
    Ok(Value::big(product))
}

fn gcd(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.no_keywords("math.gcd")?;
    let mut result = BigInt::zero();
    for value in args.pos {
        result = result.gcd(&big_index(vm, value)?);
    }
    Ok(Value::big(result))
}

fn lcm(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.no_keywords("math.lcm")?;
    let mut result = BigInt::one();
    for value in args.pos {
        result = result.lcm(&big_index(vm, value)?);
    }
    Ok(Value::big(result))
}

/// `n` and `k` of `comb` and `perm`: neither negative.
fn choice_sizes(vm: &mut dyn Vm, n: &Value, k: &Value) -> PyResult<(BigInt, BigInt)> {
    let (n, k) = (big_index(vm, n)?, big_index(vm, k)?);
    for (value, what) in [(&n, "n"), (&k, "k")] {
        if value.is_negative() {
            return Err(Raised::value_error(format!(
                "{what} must be a non-negative integer"
            )));
        }
    }
    Ok((n, k))
}

fn comb(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [n, k] = args.exactly("math.comb")?;
    let (n, k) = choice_sizes(vm, n, k)?;
    if k > n {
        return Ok(Value::Int(0));
    }
    let k = k.clone().min(&n - &k);
    let Some(k) = k.to_i64() else {
        return Err(Raised::overflow_error(
            "min(n - k, k) must not exceed 9223372036854775807",
        ));
    };
    let mut result = BigInt::one();
    for i in 0..k {
        result = result * (&n - i) / (i + 1);
    }
    Ok(Value::big(result))
}

fn perm(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("math.perm", 1, 2)?;
    let k = match given.get(1) {
        None | Some(Value::None) => &given[0],
        Some(k) => k,
    };
    let (n, k) = choice_sizes(vm, &given[0], k)?;
    if k > n {
        return Ok(Value::Int(0));
    }
    let Some(k) = k.to_i64() else {
        return Err(Raised::overflow_error(
            "k must not exceed 9223372036854775807",
        ));
    };
    let mut result = BigInt::one();
    for i in 0..k {
        result *= &n - i;
    }
    Ok(Value::big(result))
}

fn isqrt(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.isqrt")?;
    let n = big_index(vm, x)?;
    if n.is_negative() {
        return Err(Raised::value_error("isqrt() argument must be nonnegative"));
    }
    Ok(Value::big(n.sqrt()))
}

fn isclose(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: janus_object::Signature<4> =
        janus_object::Signature::new("isclose", ["a", "b", "rel_tol", "abs_tol"])
            .required(2)
            .keyword_only(2);
    let [a, b, relative, absolute] = SIGNATURE.parse(args)?;
    let mut number = |v: Option<Value>, default: f64| v.map_or(Ok(default), |v| float(vm, &v));
    let (a, b) = (number(a, 0.0)?, number(b, 0.0)?);
    let (relative, absolute) = (number(relative, 1e-9)?, number(absolute, 0.0)?);
    if relative < 0.0 || absolute < 0.0 {
        return Err(Raised::value_error("tolerances must be non-negative"));
    }
    if a == b {
        return Ok(Value::bool(true));
    }
    if a.is_infinite() || b.is_infinite() {
        return Ok(Value::bool(false));
    }
    let difference = (b - a).abs();
    let close = difference <= (relative * b).abs()
        || difference <= (relative * a).abs()
        || difference <= absolute;
    Ok(Value::bool(close))
}

/// The Euclidean norm, scaled so that it neither overflows nor loses tiny components.
fn norm(coordinates: &[f64]) -> f64 {
    let largest = coordinates.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if coordinates.iter().any(|x| x.is_infinite()) {
        return f64::INFINITY;
    }
    if coordinates.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    if largest == 0.0 || coordinates.len() == 1 {
        return largest;
    }
    if coordinates.len() == 2 {
        return coordinates[0].hypot(coordinates[1]);
    }
    let scale = 2.0f64.powi(largest.log2().floor() as i32);
    exact_sum(coordinates.iter().map(|x| (x / scale) * (x / scale))).sqrt() * scale
}

fn hypot(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.no_keywords("math.hypot")?;
    let coordinates = args
        .pos
        .iter()
        .map(|v| float(vm, v))
        .collect::<PyResult<Vec<_>>>()?;
    Ok(Value::float(norm(&coordinates)))
}

fn dist(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [p, q] = args.exactly("math.dist")?;
    let (p, q) = (ops::collect(vm, p)?, ops::collect(vm, q)?);
    if p.len() != q.len() {
        return Err(Raised::value_error(
            "both points must have the same number of dimensions",
        ));
    }
    let mut differences = Vec::with_capacity(p.len());
    for (a, b) in p.iter().zip(&q) {
        differences.push(float(vm, a)? - float(vm, b)?);
    }
    Ok(Value::float(norm(&differences)))
}

/// The correctly rounded sum: Shewchuk's partials.
fn exact_sum(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut partials: Vec<f64> = Vec::new();
    for mut x in numbers {
        let mut kept = 0;
        for j in 0..partials.len() {
            let mut y = partials[j];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        partials.truncate(kept);
        partials.push(x);
    }
    let Some(mut high) = partials.pop() else {
        return 0.0;
    };
    let mut low = 0.0;
    while let Some(y) = partials.pop() {
        let x = high;
        high = x + y;
        low = y - (high - x);
        if low != 0.0 {
            break;
        }
    }
    // Half an ulp away: the partials below decide the rounding.
    if let Some(next) = partials.last()
        && ((low < 0.0 && *next < 0.0) || (low > 0.0 && *next > 0.0))
    {
        let y = low * 2.0;
        let x = high + y;
        if y == x - high {
            high = x;
        }
    }
    high
}

fn fsum(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [iterable] = args.exactly("math.fsum")?;
    let items = ops::collect(vm, iterable)?;
    let mut numbers = Vec::with_capacity(items.len());
    for item in &items {
        numbers.push(float(vm, item)?);
    }
    let special: f64 = numbers.iter().filter(|x| !x.is_finite()).sum();
    if numbers.iter().any(|x| !x.is_finite()) {
        if special.is_nan() && !numbers.iter().any(|x| x.is_nan()) {
            return Err(Raised::value_error("-inf + inf in fsum"));
        }
        return Ok(Value::float(special));
    }
    Ok(Value::float(exact_sum(numbers.into_iter())))
}

fn prod(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: janus_object::Signature<2> =
        janus_object::Signature::new("prod", ["iterable", "start"])
            .required(1)
            .positional_only(1)
            .keyword_only(1);
    let [iterable, start] = SIGNATURE.parse(args)?;
    let mut total = start.unwrap_or(Value::Int(1));
    let iter = ops::iter(vm, &iterable.unwrap_or(Value::None))?;
    while let Some(item) = ops::next(vm, &iter)? {
        total = ops::binary(vm, janus_bytecode::BinaryOp::Mul, &total, &item)?;
    }
    Ok(total)
}

fn modf(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.modf")?;
    let x = float(vm, x)?;
    let whole = x.trunc();
    let fraction = if x.is_infinite() {
        0.0f64.copysign(x)
    } else {
        (x - whole).copysign(x)
    };
    Ok(Value::tuple(vec![
        Value::float(fraction),
        Value::float(whole),
    ]))
}

/// `x` as a mantissa in [0.5, 1) and a power of two.
fn split(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    const EXPONENT: u64 = 0x7ff << 52;
    // Subnormals are scaled up first.
    let (x, scaled) = if x.abs() < f64::MIN_POSITIVE {
        (x * 2f64.powi(64), 64)
    } else {
        (x, 0)
    };
    let exponent = ((x.to_bits() & EXPONENT) >> 52) as i32;
    (
        f64::from_bits((x.to_bits() & !EXPONENT) | (1022 << 52)),
        exponent - 1022 - scaled,
    )
}

fn frexp(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.frexp")?;
    let (mantissa, exponent) = split(float(vm, x)?);
    Ok(Value::tuple(vec![
        Value::float(mantissa),
        Value::from(exponent),
    ]))
}

fn ldexp(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x, exponent] = args.exactly("math.ldexp")?;
    let x = float(vm, x)?;
    let exponent = big_index(vm, exponent)?;
    let clamped = exponent
        .clamp(BigInt::from(-5000), BigInt::from(5000))
        .to_i32()
        .unwrap_or(0);
    checked(c::ldexp(x, clamped), &[x])
}

fn gamma(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.gamma")?;
    let x = float(vm, x)?;
    if x == f64::NEG_INFINITY || (x <= 0.0 && x.floor() == x) {
        return Err(domain());
    }
    checked(c::tgamma(x), &[x])
}

fn lgamma(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.lgamma")?;
    let x = float(vm, x)?;
    if x <= 0.0 && x.is_finite() && x.floor() == x {
        return Err(domain());
    }
    checked(c::lgamma(x), &[x])
}

fn ulp(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("math.ulp")?;
    let x = float(vm, x)?.abs();
    if !x.is_finite() {
        return Ok(Value::float(x));
    }
    let above = c::nextafter(x, f64::INFINITY);
    let gap = if above.is_infinite() {
        x - c::nextafter(x, f64::NEG_INFINITY)
    } else {
        above - x
    };
    Ok(Value::float(gap))
}
