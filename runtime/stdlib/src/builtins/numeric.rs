//! `abs`, `round`, `pow`, `divmod`, `sum`, `bin`, `oct`, `hex`, `chr`, `ord`.

use janus_bytecode::{BinaryOp, surrogate};
use janus_object::ops::Taken;
use janus_object::{
    Args, NativeDef, PyResult, Raised, Signature, Value, Vm, attr, class_of, name, ops,
};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::quick;
use crate::support::type_name;

pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("builtins.abs", abs).quick(quick::abs),
    NativeDef::function("builtins.round", round),
    NativeDef::function("builtins.pow", pow).quick(quick::pow),
    NativeDef::function("builtins.divmod", divmod).quick(quick::divmod),
    NativeDef::function("builtins.sum", sum).quick(quick::sum),
    NativeDef::function("builtins.bin", bin),
    NativeDef::function("builtins.oct", oct),
    NativeDef::function("builtins.hex", hex),
    NativeDef::function("builtins.chr", chr).quick(quick::chr),
    NativeDef::function("builtins.ord", ord).quick(quick::ord),
];

fn abs(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("abs")?;
    match x {
        Value::Int(i) => Ok(i
            .checked_abs()
            .map_or_else(|| Value::big(BigInt::from(*i).abs()), Value::Int)),
        Value::Float(f) => Ok(Value::float(f.get().abs())),
        Value::Bool(b) => Ok(Value::Int(i64::from(b.get()))),
        Value::BigInt(b) => Ok(Value::big(b.abs())),
        other => match attr::class_lookup(&class_of(other), name!("__abs__")) {
            Some(_) => vm.call_method(other, name!("__abs__"), Args::new(&[])),
            None => Err(Raised::type_error(format!(
                "bad operand type for abs(): '{}'",
                type_name(other)
            ))),
        },
    }
}

fn round(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("round", ["number", "ndigits"]).required(1);
    let [number, digits] = SIGNATURE.parse(args)?;
    let number = number.unwrap_or(Value::None);
    let digits = digits.unwrap_or(Value::None);
    match (&number, &digits) {
        (Value::Float(f), Value::None) => round_to_int(f.get()),
        (Value::Float(f), Value::Int(n)) if *n >= 0 => round_float(f.get(), *n).map(Value::float),
        (Value::Int(_) | Value::BigInt(_), Value::None) => Ok(number),
        (Value::Bool(b), Value::None) => Ok(Value::Int(i64::from(b.get()))),
        (Value::Int(_) | Value::BigInt(_), Value::Int(n)) if *n >= 0 => Ok(number),
        _ => {
            if attr::class_lookup(&class_of(&number), name!("__round__")).is_none() {
                let class = type_name(&number);
                return Err(Raised::type_error(format!(
                    "type {class} doesn't define __round__ method"
                )));
            }
            let given = if digits.is_none() {
                vec![]
            } else {
                vec![digits]
            };
            vm.call_method(&number, name!("__round__"), Args::new(&given))
        }
    }
}

/// Half to even, to an int.
pub(crate) fn round_to_int(f: f64) -> PyResult {
    float_to_int(f.round_ties_even())
}

/// An integral float as an int; errors as `int(float)`.
pub(crate) fn float_to_int(f: f64) -> PyResult {
    if f.is_nan() {
        return Err(Raised::value_error("cannot convert float NaN to integer"));
    }
    if f.is_infinite() {
        return Err(Raised::overflow_error(
            "cannot convert float infinity to integer",
        ));
    }
    let f = f.trunc();
    // Both bounds are exact powers of two.
    if (-9.223_372_036_854_776e18..9.223_372_036_854_776e18).contains(&f) {
        return Ok(Value::Int(f as i64));
    }
    Ok(Value::big(
        num_traits::FromPrimitive::from_f64(f).unwrap_or_else(BigInt::zero),
    ))
}

/// `round(f, digits)` with no negative number of digits: the decimal string nearest to `f` with
/// that many digits, read back.
fn round_float(f: f64, digits: i64) -> PyResult<f64> {
    if !f.is_finite() || digits > 323 {
        return Ok(f);
    }
    // Rust formats the exact value, and ties (which are exact) to even.
    let rounded: f64 = format!("{f:.*}", digits as usize).parse().unwrap_or(f);
    if rounded.is_infinite() {
        return Err(Raised::overflow_error(
            "rounded value too large to represent",
        ));
    }
    Ok(rounded)
}

fn pow(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<3> = Signature::new("pow", ["base", "exp", "mod"]).required(2);
    let [base, exponent, modulus] = SIGNATURE.parse(args)?;
    let (base, exponent) = (base.unwrap_or(Value::None), exponent.unwrap_or(Value::None));
    match modulus {
        None | Some(Value::None) => ops::binary(vm, BinaryOp::Pow, &base, &exponent),
        Some(modulus) => ops::pow_modulo(vm, &base, &exponent, &modulus),
    }
}

fn divmod(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [a, b] = args.exactly("divmod")?;
    ops::divmod(vm, a, b)
}

fn sum(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("sum", ["iterable", "start"])
        .required(1)
        .positional_only(1);
    let [iterable, start] = SIGNATURE.parse(args)?;
    let iterable = iterable.unwrap_or(Value::None);
    let mut total = start.unwrap_or(Value::Int(0));
    match &total {
        Value::Str(_) => {
            return Err(Raised::type_error(
                "sum() can't sum strings [use ''.join(seq) instead]",
            ));
        }
        Value::Bytes(bytes) => {
            return Err(Raised::type_error(format!(
                "sum() can't sum {} [use b''.join(seq) instead]",
                if bytes.mutable { "bytearray" } else { "bytes" }
            )));
        }
        _ => {}
    }
    let iter = ops::iter(vm, &iterable)?;
    let add = |total: &mut Value, item: Value| {
        *total = match (&*total, &item) {
            (Value::Float(a), Value::Float(b)) => Value::float(a.get() + b.get()),
            (Value::Int(a), Value::Int(b)) if let Some(sum) = a.checked_add(*b) => Value::Int(sum),
            _ => return Taken::Not(item),
        };
        Taken::Done
    };
    ops::for_each(vm, &iter, &mut total, add, |vm, total, item| {
        *total = ops::binary(vm, BinaryOp::Add, total, &item)?;
        Ok(true)
    })?;
    Ok(total)
}

fn in_base(
    vm: &mut dyn Vm,
    args: Args<'_>,
    function: &'static str,
    prefix: &str,
    radix: u32,
) -> PyResult {
    let [x] = args.exactly(function)?;
    let n = crate::support::big_index(vm, x)?;
    let sign = if n.is_negative() { "-" } else { "" };
    Ok(Value::str(format!(
        "{sign}{prefix}{}",
        n.abs().to_str_radix(radix)
    )))
}

fn bin(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    in_base(vm, args, "bin", "0b", 2)
}

fn oct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    in_base(vm, args, "oct", "0o", 8)
}

fn hex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    in_base(vm, args, "hex", "0x", 16)
}

fn chr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("chr")?;
    let n = crate::support::big_index(vm, x)?;
    if n.to_i32().is_none() {
        return Err(Raised::overflow_error(
            "Python int too large to convert to C int",
        ));
    }
    match n.to_u32().and_then(surrogate::char_of) {
        Some(c) => Ok(Value::char(c)),
        None if n.to_u32().is_some_and(surrogate::is_refused) => Err(janus_object::text::refused()),
        None => Err(Raised::value_error("chr() arg not in range(0x110000)")),
    }
}

fn ord(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [x] = args.exactly("ord")?;
    let wrong = |length: usize| {
        Err(Raised::type_error(format!(
            "ord() expected a character, but string of length {length} found"
        )))
    };
    if let Some(s) = x.as_pystr() {
        let mut chars = s.chars();
        return match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(Value::Int(i64::from(surrogate::code_of(c)))),
            _ => wrong(s.char_count()),
        };
    }
    if let Some(bytes) = x.as_bytes() {
        return match &*bytes.bytes() {
            [b] => Ok(Value::Int(i64::from(*b))),
            other => wrong(other.len()),
        };
    }
    Err(Raised::type_error(format!(
        "ord() expected string of length 1, but {} found",
        type_name(x)
    )))
}
