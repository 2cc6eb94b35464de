//! Elementwise functions with one, two or three operands.
//!
//! In: tensors and numbers. Out: tensors of the promoted dtype and the broadcast shape. Always:
//! branches that must not leak NaN into gradients select their operand before the function.

mod choice;
mod comparison;
mod unary;

use janus_tensor::ops::BinaryOp;
use janus_tensor::{DType, Dim, Prim, Scalar, ScalarKind, TensorError};

use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret};
use crate::functions::complex::magnitude;
use crate::functions::slope::{constant_of, with_gradient_of, with_slope, without_slope};
use crate::functions::{
    Res, TRes, check_fits, named, no_bools, no_kernel, promoted, rank, runtime, splat_like,
    splat_scalar, to_float, unify, unify2,
};
use crate::ops::NoDerivative;

pub use choice::*;
pub use comparison::*;
pub use unary::*;

fn operands<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
) -> Result<(Operand<B>, Operand<B>), B::Error> {
    Ok((args.operand(b, 0)?, args.operand(b, 1)?))
}

fn binary<B: TorchOps>(
    b: &mut B,
    op: BinaryOp,
    x: &Operand<B>,
    y: &Operand<B>,
    dtype: DType,
) -> TRes<B> {
    let (x, y) = unify2(b, x, y, dtype)?;
    b.apply(Prim::Binary(op), &[&x, &y])
}

/// `alpha * y`
fn scaled<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    at: usize,
    dtype: DType,
    y: &Operand<B>,
) -> Result<Operand<B>, B::Error> {
    let Some(alpha) = args.number_opt(b, at)? else {
        return Ok(y.clone());
    };
    if b.scalar_value(&alpha) == Some(Scalar::I64(1)) {
        return Ok(y.clone());
    }
    if b.scalar_kind(&alpha) == ScalarKind::Bool && dtype != DType::Bool {
        return Err(runtime::<B>(
            "Boolean alpha only supported for Boolean results.",
        ));
    }
    if b.scalar_kind(&alpha) >= ScalarKind::F64 && !dtype.is_inexact() {
        return Err(runtime::<B>(
            "For integral input tensors, argument alpha must not be a floating point number.",
        ));
    }
    Ok(match y {
        Operand::T(t) => {
            let t = b.cast(t, dtype)?;
            let factor = splat_scalar(b, &alpha, &t)?;
            Operand::T(b.mul(&t, &factor)?)
        }
        Operand::S(s) => Operand::S(b.scalar_binary(BinaryOp::Mul, s, &alpha)?),
    })
}

/// `input + alpha * other`
pub fn add<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    let y = scaled(b, args, 2, dtype, &y)?;
    // On bools, addition is "or".
    let op = if dtype == DType::Bool {
        BinaryOp::Or
    } else {
        BinaryOp::Add
    };
    let t = binary(b, op, &x, &y, dtype)?;
    named(b, t, "AddBackward0")
}

fn subtract<B: TorchOps>(b: &mut B, args: &CallArgs<B>, x: &Operand<B>, y: &Operand<B>) -> Res<B> {
    let dtype = promoted(b, &[x, y]);
    let is_bool = |b: &B, o: &Operand<B>| match o {
        Operand::T(t) => b.dtype(t) == DType::Bool,
        Operand::S(s) => b.scalar_kind(s) == ScalarKind::Bool,
    };
    if is_bool(b, x) && is_bool(b, y) {
        return Err(runtime::<B>(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
        ));
    }
    if is_bool(b, x) || is_bool(b, y) {
        return Err(runtime::<B>(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        ));
    }
    let y = scaled(b, args, 2, dtype, y)?;
    let t = binary(b, BinaryOp::Sub, x, &y, dtype)?;
    named(
        b,
        t,
        if matches!(x, Operand::S(_)) {
            "RsubBackward1"
        } else {
            "SubBackward0"
        },
    )
}

/// `input - alpha * other`
pub fn sub<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    subtract(b, args, &x, &y)
}

/// `other - alpha * input`
pub fn rsub<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    subtract(b, args, &y, &x)
}

/// `input * other`
pub fn mul<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    let op = if dtype == DType::Bool {
        BinaryOp::And
    } else {
        BinaryOp::Mul
    };
    let t = binary(b, op, &x, &y, dtype)?;
    named(b, t, "MulBackward0")
}

/// `input / other`
pub fn div<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    let rounding = args.str_or(2, "")?;
    if !rounding.is_empty() {
        check_zero_division(b, &x, &y, dtype)?;
    }
    let t = match rounding.as_str() {
        "" => {
            let dtype = to_float(b, dtype);
            let t = binary(b, BinaryOp::Div, &x, &y, dtype)?;
            return named(b, t, "DivBackward0");
        }
        "floor" => {
            real_numbers::<B>(dtype, "div_floor_cpu")?;
            binary(b, BinaryOp::FloorDiv, &x, &y, dtype)?
        }
        "trunc" if dtype.is_float() => {
            let (x, y) = unify2(b, &x, &y, dtype)?;
            let (p, q) = (constant_of(b, &x)?, constant_of(b, &y)?);
            let q = b.div(&p, &q)?;
            let t = truncated(b, &q)?;
            let t = without_slope(b, t, &x)?;
            without_slope(b, t, &y)?
        }
        "trunc" => {
            real_numbers::<B>(dtype, "div_trunc_cpu")?;
            // One more than the floor where something is left and the quotient is negative.
            let (x, y) = unify2(b, &x, &y, dtype)?;
            let (floor, rest) = (b.floor_div(&x, &y)?, b.rem(&x, &y)?);
            let more = left_of_other_sign(b, &x, &y, &rest)?;
            let more = b.cast(&more, dtype)?;
            b.add(&floor, &more)?
        }
        other => {
            return Err(runtime::<B>(format!(
                "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{other}'"
            )));
        }
    };
    let label = match &y {
        Operand::T(_) => "DivBackward2",
        Operand::S(_) => "DivBackward3",
    };
    named(b, t, label)
}

/// Refuses what cannot be divided with a remainder.
fn real_numbers<B: TorchOps>(dtype: DType, kernel: &str) -> Result<(), B::Error> {
    no_bools::<B>(dtype, kernel)?;
    match dtype.is_complex() {
        true => Err(no_kernel::<B>(kernel, dtype)),
        false => Ok(()),
    }
}

fn check_zero_division<B: TorchOps>(
    b: &mut B,
    x: &Operand<B>,
    y: &Operand<B>,
    dtype: DType,
) -> Result<(), B::Error> {
    // Where there are no elements nothing is divided.
    let none = |o: &Operand<B>| match o {
        Operand::T(t) => b.shape(t).contains(&Dim::Known(0)),
        Operand::S(_) => false,
    };
    if dtype.is_inexact() || none(x) || none(y) {
        return Ok(());
    }
    match y {
        Operand::S(s) => match b.scalar_value(s) {
            Some(v) if v.to_i64() == 0 => Err(runtime::<B>("ZeroDivisionError")),
            Some(_) => Ok(()),
            None => b.refuse_zero(s),
        },
        Operand::T(t) => b.refuse_zeros(t),
    }
}

/// `number / input`, which PyTorch computes as `reciprocal(input) * number`.
pub fn divided<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let (Operand::S(_), Operand::T(t)) = (&x, &y) else {
        return div(b, args);
    };
    if b.dtype(t).is_complex() {
        return div(b, args);
    }
    let own = b.dtype(t);
    let dtype = to_float(b, own);
    let t = b.cast(t, dtype)?;
    let inverse = reciprocal_of(b, &t)?;
    b.label(&inverse, "ReciprocalBackward0");
    let narrow = b.dtype(&inverse);
    // A number is not rounded to a float of 16 bits before it is multiplied with, as in `mul`.
    let inverse = Operand::T(match narrow.is_reduced() {
        true => b.cast(&inverse, DType::F32)?,
        false => inverse,
    });
    let dtype = promoted(b, &[&inverse, &x]);
    let t = binary(b, BinaryOp::Mul, &inverse, &x, dtype)?;
    let t = match narrow.is_reduced() && dtype == DType::F32 {
        true => b.cast(&t, narrow)?,
        false => t,
    };
    named(b, t, "MulBackward0")
}

/// `input // other`
pub fn floor_divide<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    real_numbers::<B>(dtype, "div_floor_cpu")?;
    check_zero_division(b, &x, &y, dtype)?;
    let (x, y) = unify2(b, &x, &y, dtype)?;
    let (p, q) = (constant_of(b, &x)?, constant_of(b, &y)?);
    let t = b.floor_div(&p, &q)?;
    Ok(Ret::Tensor(b.underivable(
        &t,
        &[&x, &y],
        NoDerivative::of("floor_divide"),
    )?))
}

/// `input % other`
pub fn remainder<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    real_numbers::<B>(dtype, "remainder_cpu")?;
    check_zero_division(b, &x, &y, dtype)?;
    let t = binary(b, BinaryOp::Rem, &x, &y, dtype)?;
    let label = match &y {
        Operand::T(_) => "RemainderBackward1",
        Operand::S(_) => "RemainderBackward0",
    };
    named(b, t, label)
}

/// Whether a division of ints leaves a rest, and its quotient is negative.
pub(super) fn left_of_other_sign<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    y: &B::T,
    rest: &B::T,
) -> TRes<B> {
    let zero = splat_like(b, 0, rest)?;
    let left = b.ne(rest, &zero)?;
    let (p, q) = (b.lt(x, &zero)?, b.lt(y, &zero)?);
    let differ = b.ne(&p, &q)?;
    b.and(&left, &differ)
}

/// C's remainder: the sign is that of the dividend.
pub fn fmod<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    real_numbers::<B>(dtype, "fmod_cpu")?;
    check_zero_division(b, &x, &y, dtype)?;
    let (x, y) = unify2(b, &x, &y, dtype)?;
    if !dtype.is_float() {
        // The least number of a dtype has no absolute value in it.
        let rest = b.rem(&x, &y)?;
        let other = left_of_other_sign(b, &x, &y, &rest)?;
        let less = b.sub(&rest, &y)?;
        return Ok(Ret::Tensor(b.select(&other, &less, &rest)?));
    }
    let (dividend, divisor) = (constant_of(b, &x)?, constant_of(b, &y)?);
    let (p, q) = (b.abs(&dividend)?, b.abs(&divisor)?);
    let r = b.rem(&p, &q)?;
    let negative = super::special::signbit_of(b, &dividend)?;
    let minus = b.neg(&r)?;
    let t = b.select(&negative, &minus, &r)?;
    // The slopes are 1 and the quotient's whole part, which is constant.
    let t = with_gradient_of(b, t, &x)?;
    let t = with_slope(b, t, &y, |b| {
        let quotient = b.div(&dividend, &divisor)?;
        let whole = truncated(b, &quotient)?;
        let minus = b.neg(&whole)?;
        without_slope(b, minus, &y)
    })?;
    named(b, t, "FmodBackward0")
}

/// `input ** exponent`
pub fn pow<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    if let (Operand::T(base), Operand::S(s)) = (&x, &y) {
        let exponent = b.scalar_value(s);
        if exponent.is_none() {
            // Some exponents have a form of their own, with other roundings.
            return Err(super::not_known::<B>("the exponent of a power moves"));
        }
        if let Some(Scalar::I64(n)) = exponent
            && n < 0
            && !dtype.is_inexact()
        {
            return Err(TensorError::NegativePower.into());
        }
        if !dtype.is_inexact() {
            check_fits(b, s, dtype)?;
        }
        let base = b.cast(base, dtype)?;
        if dtype == DType::F16 && !matches!(exponent.map(Scalar::to_f64), Some(0.0 | 1.0 | 2.0)) {
            // These have no forms of their own, but `pow` in float32.
            let base = b.cast(&base, DType::F32)?;
            let shape = b.shape(&base);
            let exponent = b.splat(s, DType::F16, &shape)?;
            let exponent = b.cast(&exponent, DType::F32)?;
            let t = b.pow(&base, &exponent)?;
            let t = b.cast(&t, DType::F16)?;
            return named(b, t, "PowBackward0");
        }
        // The exponents that PyTorch computes without `pow`.
        let real = |s: Scalar| s.to_c128().im == 0.0;
        let special = match exponent.filter(|s| real(*s)).map(Scalar::to_f64) {
            Some(0.0) => {
                let one = splat_like(b, 1, &base)?;
                let one = b.copy(&one)?;
                Some(without_slope(b, one, &base)?)
            }
            Some(1.0) => {
                let value = constant_of(b, &base)?;
                let value = b.copy(&value)?;
                Some(with_slope(b, value, &base, |b| {
                    let one = splat_like(b, 1, &base)?;
                    without_slope(b, one, &base)
                })?)
            }
            Some(2.0) => Some(b.mul(&base, &base)?),
            Some(3.0) => {
                let square = b.mul(&base, &base)?;
                Some(b.mul(&square, &base)?)
            }
            // Backward goes by the base, as that of `pow` does: the result may be written to.
            Some(e @ (0.5 | -0.5 | -1.0 | -2.0)) if dtype.is_inexact() => {
                let value = constant_of(b, &base)?;
                let value = match e {
                    0.5 => b.sqrt(&value)?,
                    -0.5 => b.rsqrt(&value)?,
                    -1.0 => reciprocal_of(b, &value)?,
                    _ => {
                        let square = b.mul(&value, &value)?;
                        reciprocal_of(b, &square)?
                    }
                };
                Some(with_slope(b, value, &base, |b| {
                    let power = match e {
                        0.5 => b.rsqrt(&base)?,
                        _ => {
                            let exponent = splat_like(b, e - 1.0, &base)?;
                            b.pow(&base, &exponent)?
                        }
                    };
                    let factor = splat_like(b, e, &base)?;
                    b.mul(&factor, &power)
                })?)
            }
            _ => None,
        };
        if let Some(t) = special {
            return named(b, t, "PowBackward0");
        }
    }
    general_pow(b, args)
}

/// `input ** exponent` where the exponent is none of those that have a form of their own.
pub fn general_pow<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    let t = binary(b, BinaryOp::Pow, &x, &y, dtype)?;
    let name = match (&x, &y) {
        (_, Operand::S(_)) => "PowBackward0",
        (Operand::S(_), _) => "PowBackward2",
        _ => "PowBackward1",
    };
    named(b, t, name)
}

/// `1 / x`
pub fn reciprocal_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let one = splat_like(b, 1, x)?;
    let x = b.apart(x)?;
    b.div(&one, &x)
}

/// Elementwise maximum.
pub fn maximum<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    let op = if dtype == DType::Bool {
        BinaryOp::Or
    } else {
        BinaryOp::Maximum
    };
    let t = binary(b, op, &x, &y, dtype)?;
    named(b, t, "MaximumBackward0")
}

/// Elementwise minimum.
pub fn minimum<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    let op = if dtype == DType::Bool {
        BinaryOp::And
    } else {
        BinaryOp::Minimum
    };
    let t = binary(b, op, &x, &y, dtype)?;
    named(b, t, "MinimumBackward0")
}

fn three<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T, B::T), B::Error> {
    let all = [
        Operand::T(args.tensor(0)?),
        args.operand(b, 1)?,
        args.operand(b, 2)?,
    ];
    let refs: Vec<&Operand<B>> = all.iter().collect();
    let dtype = promoted(b, &refs);
    let mut ts = unify(b, &refs, dtype)?.into_iter();
    match (ts.next(), ts.next(), ts.next()) {
        (Some(x), Some(y), Some(z)) => Ok((x, y, z)),
        _ => Err(runtime::<B>("three operands expected")),
    }
}

/// `value * t`, without an operation where value is 1.
fn times_value<B: TorchOps>(b: &mut B, args: &CallArgs<B>, t: &B::T) -> TRes<B> {
    let value = args.number_or(b, 3, Scalar::I64(1))?;
    if b.scalar_value(&value).is_some_and(Scalar::is_one) {
        return Ok(t.clone());
    }
    let value = splat_scalar(b, &value, t)?;
    b.mul(&value, t)
}

/// `input + value * tensor1 * tensor2`
pub fn addcmul<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y, z) = three(b, args)?;
    let y = times_value(b, args, &y)?;
    let product = b.mul(&y, &z)?;
    let t = b.add(&x, &product)?;
    named(b, t, "AddcmulBackward0")
}

/// `input + value * tensor1 / tensor2`
pub fn addcdiv<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let whole =
        |at: usize| matches!(args.slot(at), Some(Arg::Tensor(t)) if !b.dtype(t).is_inexact());
    if whole(1) && whole(2) {
        return Err(runtime::<B>(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.",
        ));
    }
    let (x, y, z) = three(b, args)?;
    let y = times_value(b, args, &y)?;
    let quotient = b.div(&y, &z)?;
    let t = b.add(&x, &quotient)?;
    named(b, t, "AddcdivBackward0")
}

/// `input + weight * (end - input)`, from the nearer side as PyTorch does it.
pub fn lerp<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let dtype = b.dtype(&args.tensor(0)?);
    for (i, name) in [(1, "end"), (2, "weight")] {
        if let Some(Arg::Tensor(t)) = args.get(i)
            && b.dtype(t) != dtype
            // A weight without dimensions takes part in the promotion.
            && (i == 1 || rank(b, t) > 0)
        {
            return Err(runtime::<B>(format!(
                "expected dtype {} for `{name}` but got dtype {}",
                dtype.c_name(),
                b.dtype(t).c_name()
            )));
        }
    }
    let kernel = match args.get(2) {
        Some(Arg::Tensor(_)) => "lerp_kernel_tensor",
        _ => "lerp_kernel_scalar",
    };
    let (x, end, weight) = three(b, args)?;
    if !b.dtype(&x).is_inexact() {
        return Err(no_kernel::<B>(kernel, b.dtype(&x)));
    }
    if b.dtype(&x) != dtype && kernel == "lerp_kernel_scalar" {
        return match dtype.is_inexact() {
            true => Err(super::unfit::<B>(dtype.c_name())),
            false => Err(no_kernel::<B>(kernel, dtype)),
        };
    }
    let known = args
        .number_opt(b, 2)
        .ok()
        .flatten()
        .and_then(|s| b.scalar_value(&s));
    let difference = b.sub(&end, &x)?;
    let near = |b: &mut B| -> TRes<B> {
        let step = b.mul(&weight, &difference)?;
        b.add(&x, &step)
    };
    let far = |b: &mut B| -> TRes<B> {
        let one = splat_like(b, 1, &weight)?;
        let rest = b.sub(&one, &weight)?;
        let step = b.mul(&difference, &rest)?;
        b.sub(&end, &step)
    };
    let t = match known.filter(|_| !matches!(args.get(2), Some(Arg::Tensor(_)))) {
        Some(w) if w.to_c128().norm() < 0.5 => near(b)?,
        Some(_) => far(b)?,
        None => {
            let magnitude = magnitude(b, &weight)?;
            let half = splat_like(b, 0.5, &magnitude)?;
            let small = b.lt(&magnitude, &half)?;
            let (n, f) = (near(b)?, far(b)?);
            b.select(&small, &n, &f)?
        }
    };
    named(b, t, "LerpBackward0")
}
