//! Bits, truth values, comparisons, and which numbers are close.

use super::{binary, operands};
use janus_tensor::ops::{BinaryOp, Predicate, ReduceOp};
use janus_tensor::{DType, Prim, TensorError};

use crate::TorchOps;
use crate::call::{CallArgs, Operand, Ret};
use crate::functions::complex::magnitude;
use crate::functions::{
    Res, TRes, no_kernel, promoted, rank, runtime, same_shape, splat_like, to_float, unify2,
};

macro_rules! bitwise {
    ($($name:ident = $op:ident, $symbol:literal, $kernel:literal;)*) => {$(
        #[doc = concat!("`input ", $symbol, " other` on integers and bools")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let (x, y) = operands(b, args)?;
            let dtype = promoted(b, &[&x, &y]);
            if dtype.is_inexact() {
                unify2(b, &x, &y, dtype)?;
                return Err(no_kernel::<B>($kernel, dtype));
            }
            Ok(Ret::Tensor(binary(b, BinaryOp::$op, &x, &y, dtype)?))
        }
    )*};
}
bitwise! {
    bitwise_and = And, "&", "bitwise_and_cpu";
    bitwise_or = Or, "|", "bitwise_or_cpu";
    bitwise_xor = Xor, "^", "bitwise_xor_cpu";
    shl = Shl, "<<", "lshift_cpu";
    shr = Shr, ">>", "rshift_cpu";
}

/// `~input`
pub fn bitwise_not<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x).is_inexact() {
        return Err(TensorError::Type(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors".into(),
        )
        .into());
    }
    Ok(Ret::Tensor(b.not(&x)?))
}

macro_rules! logical {
    ($($name:ident = $op:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of truth values")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let (x, y) = operands(b, args)?;
            Ok(Ret::Tensor(binary(b, BinaryOp::$op, &x, &y, DType::Bool)?))
        }
    )*};
}
logical! { logical_and = And; logical_or = Or; logical_xor = Xor; }

/// `not input`
pub fn logical_not<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = b.cast(&x, DType::Bool)?;
    Ok(Ret::Tensor(b.not(&x)?))
}

macro_rules! comparisons {
    ($($name:ident = $pred:ident, $symbol:literal;)*) => {$(
        #[doc = concat!("`input ", $symbol, " other`")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let (x, y) = operands(b, args)?;
            let dtype = promoted(b, &[&x, &y]);
            let (x, y) = unify2(b, &x, &y, dtype)?;
            Ok(Ret::Tensor(b.apply(Prim::Compare(Predicate::$pred), &[&x, &y])?))
        }
    )*};
}
comparisons! {
    eq = Eq, "==";
    ne = Ne, "!=";
    lt = Lt, "<";
    le = Le, "<=";
    gt = Gt, ">";
    ge = Ge, ">=";
}

/// `x != x`
pub fn isnan<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Tensor(b.ne(&x, &x)?))
}

fn is_infinite<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    if !b.dtype(x).is_inexact() {
        return b.ne(x, x);
    }
    let magnitude = magnitude(b, x)?;
    let infinity = splat_like(b, f64::INFINITY, &magnitude)?;
    b.eq(&magnitude, &infinity)
}

/// Whether infinite.
pub fn isinf<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Tensor(is_infinite(b, &x)?))
}

/// Whether neither infinite nor NaN.
pub fn isfinite<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_inexact() {
        return Ok(Ret::Tensor(b.eq(&x, &x)?));
    }
    let magnitude = magnitude(b, &x)?;
    let infinity = splat_like(b, f64::INFINITY, &magnitude)?;
    Ok(Ret::Tensor(b.lt(&magnitude, &infinity)?))
}

/// `_all_finite(input)`: whether no element is infinite or NaN.
pub fn all_finite<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_inexact() {
        return Ok(Ret::bool(true));
    }
    if let Some(known) = b.known_finite(&x) {
        return Ok(Ret::bool(known));
    }
    let magnitude = magnitude(b, &x)?;
    let infinity = splat_like(b, f64::INFINITY, &magnitude)?;
    let finite = b.lt(&magnitude, &infinity)?;
    Ok(Ret::Scalar(all_of(b, &finite)?))
}

fn close<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> TRes<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    if b.dtype(&x) != b.dtype(&y) {
        return Err(runtime::<B>(format!(
            "{} did not match {}",
            b.dtype(&x).scalar_type_name(),
            b.dtype(&y).scalar_type_name()
        )));
    }
    let (rtol, atol) = (args.float_or(b, 2, 1e-5)?, args.float_or(b, 3, 1e-8)?);
    for (name, tolerance) in [("rtol", rtol), ("atol", atol)] {
        if tolerance.is_nan() || tolerance < 0.0 {
            return Err(runtime::<B>(format!(
                "{name} must be greater than or equal to zero, but got {tolerance}"
            )));
        }
    }
    let equal_nan = args.flag(4)?;
    let dtype = b.dtype(&x);
    let (x, y) = unify2(b, &Operand::T(x), &Operand::T(y), dtype)?;
    let mut result = b.eq(&x, &y)?;
    if equal_nan && dtype.is_inexact() {
        let (p, q) = (b.ne(&x, &x)?, b.ne(&y, &y)?);
        let both = b.and(&p, &q)?;
        result = b.or(&result, &both)?;
    }
    let real = to_float(b, dtype);
    let (x, y) = (b.cast(&x, real)?, b.cast(&y, real)?);
    let difference = b.sub(&x, &y)?;
    let difference = magnitude(b, &difference)?;
    let magnitude = magnitude(b, &y)?;
    let (rtol, atol) = (
        splat_like(b, rtol, &magnitude)?,
        splat_like(b, atol, &magnitude)?,
    );
    let allowed = b.mul(&rtol, &magnitude)?;
    let allowed = b.add(&atol, &allowed)?;
    let near = b.le(&difference, &allowed)?;
    let infinity = splat_like(b, f64::INFINITY, &difference)?;
    let finite = b.lt(&difference, &infinity)?;
    let near = b.and(&near, &finite)?;
    b.or(&result, &near)
}

/// Elementwise: equal within tolerances.
pub fn isclose<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    Ok(Ret::Tensor(close(b, args)?))
}

fn all_of<B: TorchOps>(b: &mut B, t: &B::T) -> Result<B::S, B::Error> {
    let dims: Vec<usize> = (0..rank(b, t)).collect();
    let t = b.reduce(ReduceOp::Min, t, &dims)?;
    b.item(&t)
}

/// Whether all elements are equal within tolerances.
pub fn allclose<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let t = close(b, args)?;
    Ok(Ret::Scalar(all_of(b, &t)?))
}

/// Whether shapes and all elements are equal.
pub fn equal<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (p, q) = (b.shape(&x), b.shape(&y));
    if !same_shape(b, &p, &q)? {
        return Ok(Ret::bool(false));
    }
    let dtype = promoted(b, &[&Operand::T(x.clone()), &Operand::T(y.clone())]);
    let (x, y) = unify2(b, &Operand::T(x), &Operand::T(y), dtype)?;
    let t = b.eq(&x, &y)?;
    Ok(Ret::Scalar(all_of(b, &t)?))
}
