//! `int` and `bool`.
//!
//! In: arguments of calls. Out: constructors and methods. Always: an int's methods also serve
//! bools and instances of subclasses.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Num, Signed, ToPrimitive, Zero};

use crate::native::wrong_self;
use crate::ops::{self, call_special, special};
use crate::{
    Args, Class, NativeDef, Payload, PyRef, PyResult, Raised, Signature, Value, Vm, memory, name,
    text, types,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("int.__new__", new),
    NativeDef::class_method("int.from_bytes", from_bytes),
    NativeDef::method("int.to_bytes", to_bytes),
    NativeDef::method("int.bit_length", bit_length),
    NativeDef::method("int.bit_count", bit_count),
    NativeDef::method("int.conjugate", itself),
    NativeDef::method("int.as_integer_ratio", as_integer_ratio),
    NativeDef::method("int.__int__", itself),
    NativeDef::method("int.__index__", itself),
    NativeDef::method("int.__trunc__", itself),
    NativeDef::method("int.__floor__", itself),
    NativeDef::method("int.__ceil__", itself),
    NativeDef::method("int.__float__", to_float),
    NativeDef::method("int.__round__", round),
    NativeDef::method("int.__divmod__", divmod),
    NativeDef::method("int.__rdivmod__", rdivmod),
    NativeDef::method("int.__getnewargs__", new_args),
    NativeDef::getter("int.real", itself),
    NativeDef::getter("int.numerator", itself),
    NativeDef::getter("int.imag", zero),
    NativeDef::getter("int.denominator", one),
];

pub(crate) const BOOL: &[NativeDef] = &[NativeDef::function("bool.__new__", bool_new)];

/// The int inside `self`; a bool becomes an int.
fn own(v: &Value, method: &str) -> PyResult {
    match v.unwrapped() {
        int @ (Value::Int(_) | Value::BigInt(_)) => Ok(int),
        Value::Bool(b) => Ok(Value::Int(i64::from(b.get()))),
        _ => Err(wrong_self(method, "int", v)),
    }
}

fn own_big(v: &Value, method: &str) -> PyResult<BigInt> {
    v.as_bigint().ok_or_else(|| wrong_self(method, "int", v))
}

fn itself(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("int.__int__")?;
    own(this, "__int__")
}

fn zero(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::Int(0))
}

fn one(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::Int(1))
}

/// The value of a class derived from a built-in immutable one, or the value itself for the
/// built-in class.
pub(crate) fn wrap(class: &PyRef<Class>, exact: &PyRef<Class>, value: Value) -> PyResult {
    if PyRef::ptr_eq(class, exact) {
        return Ok(value);
    }
    if class.has_metaclass() {
        super::object::check_abstract(class)?;
    }
    Ok(Value::instance(class, Payload::Wrapped(value)))
}

/// Splits the class off the arguments of a `__new__`.
pub(crate) fn class_argument<'a>(
    args: Args<'a>,
    name: &str,
) -> PyResult<(&'a PyRef<Class>, Args<'a>)> {
    match args.split_self(name)? {
        (Value::Class(class), rest) => {
            let base = name.strip_suffix(".__new__").unwrap_or(name);
            let derives = *class.name.borrow() == *base
                || class.mro.borrow().iter().any(|c| *c.name.borrow() == *base);
            // The built-in class that it derives from may have to make its instances itself.
            let mro = class.mro.borrow();
            let solid = mro.iter().find(|c| !c.flags.get().mutable);
            if let Some(solid) = solid
                && *solid.name.borrow() != *base
                && let Some(Value::Native(maker)) = solid.lookup(crate::name!("__new__"))
                && maker.qualname != name
                && derives
            {
                let solid = solid.name.borrow();
                return Err(Raised::type_error(format!(
                    "{name}({}) is not safe, use {solid}.__new__()",
                    class.name.borrow()
                )));
            }
            if derives {
                return Ok((class, rest));
            }
            let class = class.name.borrow();
            Err(Raised::type_error(format!(
                "{name}({class}): {class} is not a subtype of {base}"
            )))
        }
        (other, _) => Err(Raised::type_error(format!(
            "{name}(X): X is not a type object ({})",
            other.type_name()
        ))),
    }
}

/// Refuses keywords, unless a derived class has the other one of `__new__` and `__init__` itself, to which they go.
pub(crate) fn no_keywords_unless(
    other: &crate::Name,
    class: &PyRef<Class>,
    exact: &PyRef<Class>,
    args: &Args<'_>,
) -> PyResult<()> {
    if args.kw.is_empty() {
        return Ok(());
    }
    let own = !matches!(class.lookup(other), None | Some(Value::Native(_)));
    if own && !PyRef::ptr_eq(class, exact) {
        return Ok(());
    }
    args.no_keywords(exact.name.borrow().as_str())
}

static INT_ARGS: Signature<2> = Signature::new("int", ["x", "base"])
    .positional_only(1)
    .required(0);

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "int.__new__")?;
    wrap(class, &types().int, construct(vm, rest)?)
}

/// `int(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if let ([x], []) = (args.pos, args.kw) {
        return to_int(vm, x);
    }
    let [x, base] = INT_ARGS.parse(args)?;
    match (x, base) {
        (None, None) => Ok(Value::Int(0)),
        (None, Some(_)) => Err(Raised::type_error("int() missing string argument")),
        (Some(x), None) => to_int(vm, &x),
        (Some(x), Some(base)) => {
            // One that does not fit is none of those allowed, either.
            let base = match ops::index(vm, &base)? {
                Value::Int(base) => base,
                _ => i64::MAX,
            };
            let digits = match (x.as_str(), x.as_bytes()) {
                (Some(s), _) => s.to_owned(),
                (_, Some(b)) => String::from_utf8_lossy(&b.bytes()).into_owned(),
                _ => {
                    return Err(Raised::type_error(
                        "int() can't convert non-string with explicit base",
                    ));
                }
            };
            parse(vm, &x, &digits, base)
        }
    }
}

/// `int(x)`
pub(crate) fn to_int(vm: &mut dyn Vm, x: &Value) -> PyResult {
    match x {
        Value::Int(_) | Value::BigInt(_) => return Ok(x.clone()),
        Value::Bool(b) => return Ok(Value::Int(i64::from(b.get()))),
        Value::Float(f) => return super::float::to_int(f.get()),
        Value::Str(s) => return parse(vm, x, s, 10),
        Value::Bytes(b) => {
            let digits = String::from_utf8_lossy(&b.bytes()).into_owned();
            return parse(vm, x, &digits, 10);
        }
        _ => {}
    }
    for method in [name!("__int__"), name!("__index__"), name!("__trunc__")] {
        if let Some(method) = special(x, method) {
            let result = call_special(vm, &method, x, &[])?;
            return match own(&result, "__int__") {
                Ok(int) => Ok(int),
                Err(_) => Err(Raised::type_error(format!(
                    "__int__ returned non-int (type {})",
                    result.type_name()
                ))),
            };
        }
    }
    if let Some(s) = x.as_str() {
        return parse(vm, x, s, 10);
    }
    if let Some(bytes) = crate::buffer::buffer_bytes(x) {
        return parse(vm, x, &String::from_utf8_lossy(&bytes), 10);
    }
    Err(Raised::type_error(format!(
        "int() argument must be a string, a bytes-like object or a real number, not '{}'",
        x.type_name()
    )))
}

fn parse(vm: &mut dyn Vm, source: &Value, digits: &str, base: i64) -> PyResult {
    if base != 0 && !(2..=36).contains(&base) {
        return Err(Raised::value_error(
            "int() base must be >= 2 and <= 36, or 0",
        ));
    }
    if digits.len() as i64 > crate::digits::LEAST_LIMIT {
        let count = digits.chars().filter(char::is_ascii_alphanumeric).count();
        crate::digits::check(count, if base == 0 { 10 } else { base as u32 }).or_else(
            |raised| {
                // A prefix may say that it is of another base, and what is no number is told as such.
                let lower = digits
                    .trim()
                    .trim_start_matches(['+', '-'])
                    .to_ascii_lowercase();
                let prefixed = base == 0 && ["0x", "0o", "0b"].iter().any(|p| lower.starts_with(p));
                let number = lower
                    .chars()
                    .all(|c| c == '_' || c.is_digit(base.max(10) as u32));
                if prefixed || !number {
                    return Ok(());
                }
                Err(raised)
            },
        )?;
    }
    match parse_int(digits, base as u32) {
        Some(value) => Ok(value),
        None => {
            // As much of it as CPython shows.
            let shown: String = text::repr(vm, source)?.chars().take(200).collect();
            Err(Raised::value_error(format!(
                "invalid literal for int() with base {base}: {shown}"
            )))
        }
    }
}

/// Parses an int as `int(text, base)` does.
pub fn parse_int(source: &str, base: u32) -> Option<Value> {
    let trimmed = source.trim();
    let (negative, body) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let lower = body.get(..2).map(str::to_ascii_lowercase);
    let prefix = match lower.as_deref() {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 0,
    };
    let (base, body) = match base {
        0 if prefix != 0 => (prefix, body.get(2..)?),
        0 => {
            let zeros = body.starts_with('0') && body.chars().any(|c| c != '0' && c != '_');
            if zeros {
                return None;
            }
            (10, body)
        }
        base if base == prefix => (base, body.get(2..)?),
        base => (base, body),
    };
    let body = if prefix == base {
        body.strip_prefix('_').unwrap_or(body)
    } else {
        body
    };
    if body.is_empty() || body.starts_with('_') || body.ends_with('_') || body.contains("__") {
        return None;
    }
    // Any Unicode decimal digit counts, but only the ASCII ones are common; others are mapped.
    let mut digits = String::with_capacity(body.len());
    for c in body.chars().filter(|c| *c != '_') {
        digits.push(if c.is_ascii() {
            c
        } else {
            crate::text::unicode::decimal_digit(c)?
        });
    }
    if !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    let value = match i64::from_str_radix(&digits, base) {
        Ok(small) => Value::Int(if negative { -small } else { small }),
        Err(_) => {
            let big = BigInt::from_str_radix(&digits, base).ok()?;
            Value::big(if negative { -big } else { big })
        }
    };
    Some(value)
}

static FROM_BYTES: Signature<3> = Signature::new("from_bytes", ["bytes", "byteorder", "signed"])
    .required(1)
    .keyword_only(2);

fn big_endian(order: Option<&Value>) -> PyResult<bool> {
    match order.map(|v| v.as_str()) {
        None | Some(Some("big")) => Ok(true),
        Some(Some("little")) => Ok(false),
        _ => Err(Raised::value_error(
            "byteorder must be either 'little' or 'big'",
        )),
    }
}

fn from_bytes(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = args.split_self("int.from_bytes")?;
    let [bytes, order, signed] = FROM_BYTES.parse(rest)?;
    let data = super::bytes::to_bytes(vm, &bytes.unwrap_or(Value::None))?;
    let signed = match signed {
        Some(v) => ops::truth(vm, &v)?,
        None => false,
    };
    let value = match (big_endian(order.as_ref())?, signed) {
        (true, true) => BigInt::from_signed_bytes_be(&data),
        (true, false) => BigInt::from_bytes_be(Sign::Plus, &data),
        (false, true) => BigInt::from_signed_bytes_le(&data),
        (false, false) => BigInt::from_bytes_le(Sign::Plus, &data),
    };
    match class {
        Value::Class(c) if !PyRef::ptr_eq(c, &types().int) => {
            vm.call(class, Args::new(&[Value::big(value)]))
        }
        _ => Ok(Value::big(value)),
    }
}

static TO_BYTES: Signature<3> = Signature::new("to_bytes", ["length", "byteorder", "signed"])
    .required(0)
    .keyword_only(2);

fn to_bytes(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [length, order, signed]) = TO_BYTES.parse_method(args)?;
    let n = own_big(this, "to_bytes")?;
    let length = match length {
        Some(v) => usize::try_from(ops::as_index(vm, &v)?)
            .map_err(|_| Raised::value_error("length argument must be non-negative"))?,
        None => 1,
    };
    let signed = match signed {
        Some(v) => ops::truth(vm, &v)?,
        None => false,
    };
    if n.is_negative() && !signed {
        return Err(Raised::overflow_error(
            "can't convert negative int to unsigned",
        ));
    }
    let mut data = if signed {
        n.to_signed_bytes_le()
    } else if n.is_zero() {
        Vec::new()
    } else {
        n.to_bytes_le().1
    };
    if signed && n.is_zero() {
        data.clear();
    }
    if data.len() > length {
        return Err(Raised::overflow_error("int too big to convert"));
    }
    let missing = length - data.len();
    memory::grow(&mut data, missing)?;
    data.resize(length, if n.is_negative() { 0xff } else { 0 });
    if big_endian(order.as_ref())? {
        data.reverse();
    }
    Ok(Value::bytes(data))
}

fn bit_length(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("int.bit_length")?;
    Ok(match own(this, "bit_length")? {
        Value::Int(i) => Value::Int(i64::from(64 - i.unsigned_abs().leading_zeros())),
        other => Value::Int(other.as_bigint().map_or(0, |b| b.bits() as i64)),
    })
}

fn bit_count(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("int.bit_count")?;
    let ones: u32 = own_big(this, "bit_count")?
        .magnitude()
        .iter_u64_digits()
        .map(u64::count_ones)
        .sum();
    Ok(Value::Int(i64::from(ones)))
}

fn as_integer_ratio(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("int.as_integer_ratio")?;
    Ok(Value::tuple(vec![
        own(this, "as_integer_ratio")?,
        Value::Int(1),
    ]))
}

fn new_args(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("int.__getnewargs__")?;
    Ok(Value::tuple(vec![own(this, "__getnewargs__")?]))
}

fn to_float(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("int.__float__")?;
    Ok(Value::float(ops::to_f64(vm, &own(this, "__float__")?)?))
}

/// `round(int, ndigits)`: half to even at a power of ten.
fn round(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("int.__round__")?;
    let this = own(this, "__round__")?;
    let digits = match rest.between("__round__", 0, 1)? {
        [digits] if !digits.is_none() => ops::as_index(vm, digits)?,
        _ => return Ok(this),
    };
    if digits >= 0 {
        return Ok(this);
    }
    let n = own_big(&this, "__round__")?;
    let Some(power) = digits.checked_neg().and_then(|d| u32::try_from(d).ok()) else {
        return Ok(Value::Int(0));
    };
    if u64::from(power) > n.bits() {
        return Ok(Value::Int(0));
    }
    let unit = BigInt::from(10).pow(power);
    let (quotient, rest) = n.div_mod_floor(&unit);
    let twice: BigInt = &rest * 2;
    let up = twice > unit || (twice == unit && quotient.is_odd());
    Ok(Value::big(
        (if up { quotient + 1 } else { quotient }) * unit,
    ))
}

fn divmod(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("int.__divmod__")?;
    divmod_or_not(vm, &own(this, "__divmod__")?, &other.unwrapped())
}

fn rdivmod(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("int.__rdivmod__")?;
    divmod_or_not(vm, &other.unwrapped(), &own(this, "__rdivmod__")?)
}

fn divmod_or_not(vm: &mut dyn Vm, a: &Value, b: &Value) -> PyResult {
    if a.as_bigint().is_none() || b.as_bigint().is_none() {
        return Ok(Value::NotImplemented);
    }
    ops::divmod(vm, a, b)
}

fn bool_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = class_argument(args, "bool.__new__")?;
    construct_bool(vm, rest)
}

/// `bool(...)`
pub(crate) fn construct_bool(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.between("bool", 0, 1)? {
        [x] => Ok(Value::bool(ops::truth(vm, x)?)),
        _ => Ok(Value::bool(false)),
    }
}

/// The exact value of an integral float.
pub(crate) fn from_integral(f: f64) -> Value {
    if f.abs() < 9e18 {
        return Value::Int(f as i64);
    }
    let (mantissa, exponent, sign) = num_traits::float::FloatCore::integer_decode(f);
    let magnitude = BigInt::from(mantissa) << exponent.to_u64().unwrap_or(0);
    Value::big(if sign < 0 { -magnitude } else { magnitude })
}
