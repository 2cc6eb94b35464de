//! Functions of one number.

use super::reciprocal_of;
use janus_tensor::ops::{ComplexOp, UnaryOp};
use janus_tensor::{DType, Prim};

use crate::TorchOps;
use crate::call::{CallArgs, Ret};
use crate::functions::complex::magnitude;
use crate::functions::slope::{constant_of, with_slope, with_slope_of_result};
use crate::functions::{Res, TRes, named, no_bools, no_kernel, runtime, splat_like, to_float};

macro_rules! real_functions {
    ($($name:ident = $op:ident, $label:literal;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`; integers become floats")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let x = real_operand(b, args)?;
            let t = b.apply(Prim::Unary(UnaryOp::$op), &[&x])?;
            named(b, t, $label)
        }
    )*};
}
real_functions! {
    exp = Exp, "ExpBackward0";
    expm1 = Expm1, "Expm1Backward0";
    log = Log, "LogBackward0";
    log1p = Log1p, "Log1PBackward0";
    sqrt = Sqrt, "SqrtBackward0";
    rsqrt = Rsqrt, "RsqrtBackward0";
    sin = Sin, "SinBackward0";
    cos = Cos, "CosBackward0";
    tanh = Tanh, "TanhBackward0";
    erf = Erf, "ErfBackward0";
}

/// The first argument, as a float.
pub fn real_operand<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> TRes<B> {
    let x = args.tensor(0)?;
    let dtype = to_float(b, b.dtype(&x));
    b.cast(&x, dtype)
}

/// Whether a tensor has whole numbers, which need no rounding; PyTorch's kernel takes no bools.
fn is_whole<B: TorchOps>(b: &B, x: &B::T, kernel: &str) -> Result<bool, B::Error> {
    no_bools::<B>(b.dtype(x), kernel)?;
    Ok(!b.dtype(x).is_float())
}

macro_rules! same_dtype_functions {
    ($($name:ident = $op:ident, $label:literal;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`; the identity on integers")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let x = args.tensor(0)?;
            if is_whole(b, &x, concat!(stringify!($name), "_vml_cpu"))? {
                return Ok(Ret::Tensor(b.copy(&x)?));
            }
            let t = b.apply(Prim::Unary(UnaryOp::$op), &[&x])?;
            named(b, t, $label)
        }
    )*};
}
same_dtype_functions! {
    floor = Floor, "FloorBackward0";
    ceil = Ceil, "CeilBackward0";
}

/// Rounds half to even, to a number of decimals.
pub fn round<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if is_whole(b, &x, "round_vml_cpu")? {
        if args.given(1).is_some() {
            let kernel = match args.int_or(b, 1, 0)? {
                0 => "round_vml_cpu",
                _ => "round_cpu",
            };
            return Err(no_kernel::<B>(kernel, b.dtype(&x)));
        }
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    let decimals = args.int_or(b, 1, 0)?;
    if decimals == 0 {
        let t = b.round(&x)?;
        return named(b, t, "RoundBackward0");
    }
    let factor = splat_like(b, 10f64.powi(decimals.unsigned_abs().min(400) as i32), &x)?;
    let t = if decimals > 0 {
        b.mul(&x, &factor)?
    } else {
        b.div(&x, &factor)?
    };
    let t = b.round(&t)?;
    let t = if decimals > 0 {
        b.div(&t, &factor)?
    } else {
        b.mul(&t, &factor)?
    };
    named(b, t, "RoundBackward1")
}

pub(super) fn truncated<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let zero = splat_like(b, 0, x)?;
    let negative = b.lt(x, &zero)?;
    let (up, down) = (b.ceil(x)?, b.floor(x)?);
    b.select(&negative, &up, &down)
}

/// Rounds toward zero.
pub fn trunc<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if is_whole(b, &x, "trunc_vml_cpu")? {
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    let t = truncated(b, &x)?;
    named(b, t, "TruncBackward0")
}

/// The fractional part.
pub fn frac<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    if !dtype.is_float() {
        return Err(no_kernel::<B>("frac_cpu", dtype));
    }
    let whole = truncated(b, &x)?;
    let t = b.sub(&x, &whole)?;
    named(b, t, "FracBackward0")
}

/// `-input`
pub fn neg<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x) == DType::Bool {
        return Err(runtime::<B>(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        ));
    }
    let t = b.neg(&x)?;
    named(b, t, "NegBackward0")
}

/// `+input`
pub fn positive<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    match b.dtype(&x) {
        DType::Bool => Err(runtime::<B>(
            "The `+` operator, on a bool tensor is not supported.",
        )),
        _ => Ok(Ret::Tensor(x)),
    }
}

/// `|input|`
pub fn abs<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    no_bools::<B>(b.dtype(&x), "abs_cpu")?;
    let t = magnitude(b, &x)?;
    named(b, t, "AbsBackward0")
}

/// -1, 0 or 1.
pub fn sign<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x) == DType::Bool {
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    let t = b.sign(&x)?;
    match b.dtype(&x).is_complex() || args.name() == "sgn" {
        true => named(b, t, "SgnBackward0"),
        false => named(b, t, "SignBackward0"),
    }
}

/// `input * input`
pub fn square<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut x = args.tensor(0)?;
    if b.dtype(&x) == DType::Bool {
        x = b.cast(&x, DType::I64)?;
    }
    let t = b.mul(&x, &x)?;
    named(b, t, "PowBackward0")
}

/// `1 / input`
pub fn reciprocal<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let t = reciprocal_of(b, &x)?;
    named(b, t, "ReciprocalBackward0")
}

/// `2 ** input`
pub fn exp2<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let two = splat_like(b, 2, &x)?;
    let x = b.apart(&x)?;
    let t = b.pow(&two, &x)?;
    named(b, t, "Exp2Backward0")
}

fn log_base<B: TorchOps>(b: &mut B, args: &CallArgs<B>, base: f64, label: &'static str) -> Res<B> {
    let x = real_operand(b, args)?;
    let dtype = b.dtype(&x);
    // In double, so that powers of the base come out whole.
    let x = b.cast(&x, dtype.promote(DType::F64))?;
    let l = b.log(&x)?;
    let factor = splat_like(b, base.ln(), &l)?;
    let t = b.div(&l, &factor)?;
    let t = b.cast(&t, dtype)?;
    named(b, t, label)
}

/// Logarithm to base 2.
pub fn log2<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    log_base(b, args, 2.0, "Log2Backward0")
}

/// Logarithm to base 10.
pub fn log10<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    log_base(b, args, 10.0, "Log10Backward0")
}

/// `sin / cos`
pub fn tan<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    if b.dtype(&x).is_complex() {
        let t = b.complex(ComplexOp::Tan, &x)?;
        return named(b, t, "TanBackward0");
    }
    // A copy for each, so that their gradients are added one by one.
    let (p, q) = (b.apart(&x)?, b.apart(&x)?);
    let (s, c) = (b.sin(&p)?, b.cos(&q)?);
    let t = b.div(&s, &c)?;
    named(b, t, "TanBackward0")
}

/// Hyperbolic sine.
pub fn sinh<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let t = match b.dtype(&x).is_complex() {
        true => b.complex(ComplexOp::Sinh, &x)?,
        false => sinh_of(b, &x)?,
    };
    named(b, t, "SinhBackward0")
}

fn sinh_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let p = constant_of(b, x)?;
    // (e^x - e^-x) / 2 without cancellation near 0, of the size alone: below zero e^x - 1 has lost its digits.
    let size = b.abs(&p)?;
    let u = b.expm1(&size)?;
    let one = splat_like(b, 1, x)?;
    let v = b.add(&u, &one)?;
    let q = b.div(&u, &v)?;
    // What is over does not matter far out, where both are infinite.
    let infinity = splat_like(b, f64::INFINITY, x)?;
    let far = b.eq(&u, &infinity)?;
    let q = b.select(&far, &one, &q)?;
    let s = b.add(&u, &q)?;
    let half = splat_like(b, 0.5, x)?;
    let t = b.mul(&half, &s)?;
    let zero = splat_like(b, 0, x)?;
    let (negative, minus) = (b.lt(&p, &zero)?, b.neg(&t)?);
    let t = b.select(&negative, &minus, &t)?;
    let at_zero = b.eq(&p, &zero)?;
    let t = b.select(&at_zero, &p, &t)?;
    with_slope(b, t, x, |b| {
        let minus = b.neg(x)?;
        let (p, q) = (b.exp(x)?, b.exp(&minus)?);
        let sum = b.add(&p, &q)?;
        b.mul(&half, &sum)
    })
}

/// Hyperbolic cosine.
pub fn cosh<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let t = match b.dtype(&x).is_complex() {
        true => b.complex(ComplexOp::Cosh, &x)?,
        false => cosh_of(b, &x)?,
    };
    named(b, t, "CoshBackward0")
}

fn cosh_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let p = constant_of(b, x)?;
    let minus = b.neg(&p)?;
    let (p, q) = (b.exp(&p)?, b.exp(&minus)?);
    let s = b.add(&p, &q)?;
    let half = splat_like(b, 0.5, &s)?;
    let t = b.mul(&half, &s)?;
    with_slope(b, t, x, |b| {
        // With its digits near 0.
        let minus = b.neg(x)?;
        let (p, q) = (b.expm1(x)?, b.expm1(&minus)?);
        let difference = b.sub(&p, &q)?;
        b.mul(&half, &difference)
    })
}

/// The inverse of `erf`.
pub fn erfinv<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let constant = constant_of(b, &x)?;
    let value = b.erfinv(&constant)?;
    let t = with_slope_of_result(b, &value, &x, "erfinv", |b, y| {
        let square = b.mul(y, y)?;
        let power = b.exp(&square)?;
        let half = splat_like(b, std::f64::consts::PI.sqrt() / 2.0, &power)?;
        b.mul(&power, &half)
    })?;
    named(b, t, "ErfinvBackward0")
}
