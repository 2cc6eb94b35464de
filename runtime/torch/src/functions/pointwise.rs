//! Elementwise functions with one, two or three operands.
//!
//! In: tensors and numbers. Out: tensors of the promoted dtype and the broadcast shape. Always:
//! branches that must not leak NaN into gradients select their operand before the function.

use janus_tensor::ops::{BinaryOp, ComplexOp, Predicate, ReduceOp, UnaryOp};
use janus_tensor::{DType, Prim, Scalar, ScalarKind, TensorError};

use super::complex::magnitude;
use super::slope::{
    constant_of, with_gradient_of, with_slope, with_slope_of_result, without_slope,
};
use super::{
    Res, TRes, broadcast_shapes, check_fits, expand_to, named, no_bools, no_kernel, promoted, rank,
    runtime, same_shape, splat_like, splat_scalar, to_float, unify, unify2,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret};
use crate::ops::NoDerivative;

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
        check_zero_division(b, &y, dtype)?;
    }
    let t = match rounding.as_str() {
        "" => {
            let dtype = to_float(b, dtype);
            let t = binary(b, BinaryOp::Div, &x, &y, dtype)?;
            return named(b, t, "DivBackward0");
        }
        "floor" => {
            no_bools::<B>(dtype, "div_floor_cpu")?;
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
            no_bools::<B>(dtype, "div_trunc_cpu")?;
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
    named(b, t, "DivBackward1")
}

fn check_zero_division<B: TorchOps>(
    b: &mut B,
    y: &Operand<B>,
    dtype: DType,
) -> Result<(), B::Error> {
    if dtype.is_float() {
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

/// `input // other`
pub fn floor_divide<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = operands(b, args)?;
    let dtype = promoted(b, &[&x, &y]);
    no_bools::<B>(dtype, "div_floor_cpu")?;
    check_zero_division(b, &y, dtype)?;
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
    no_bools::<B>(dtype, "remainder_cpu")?;
    check_zero_division(b, &y, dtype)?;
    let t = binary(b, BinaryOp::Rem, &x, &y, dtype)?;
    named(b, t, "RemainderBackward0")
}

/// Whether a division of ints leaves a rest, and its quotient is negative.
fn left_of_other_sign<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T, rest: &B::T) -> TRes<B> {
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
    no_bools::<B>(dtype, "fmod_cpu")?;
    check_zero_division(b, &y, dtype)?;
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
            Some(0.5) if dtype.is_inexact() => Some(b.sqrt(&base)?),
            Some(-0.5) if dtype.is_inexact() => Some(b.rsqrt(&base)?),
            Some(-1.0) if dtype.is_inexact() => Some(reciprocal_of(b, &base)?),
            Some(-2.0) if dtype.is_inexact() => {
                let value = constant_of(b, &base)?;
                let square = b.mul(&value, &value)?;
                let value = reciprocal_of(b, &square)?;
                Some(with_slope(b, value, &base, |b| {
                    let (two, exponent) = (splat_like(b, -2, &base)?, splat_like(b, -3, &base)?);
                    let power = b.pow(&base, &exponent)?;
                    b.mul(&two, &power)
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
    if b.scalar_value(&value).is_some_and(|v| v.to_f64() == 1.0) {
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
        {
            return Err(runtime::<B>(format!(
                "expected dtype {} for `{name}` but got dtype {}",
                dtype.c_name(),
                b.dtype(t).c_name()
            )));
        }
    }
    if !dtype.is_inexact() {
        return Err(no_kernel::<B>("lerp_kernel_scalar", dtype));
    }
    let (x, end, weight) = three(b, args)?;
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

fn truncated<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
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
    match b.dtype(&x).is_complex() {
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
    if b.dtype(&x).is_complex() {
        let t = b.complex(ComplexOp::Sinh, &x)?;
        return named(b, t, "SinhBackward0");
    }
    let p = constant_of(b, &x)?;
    // (e^x - e^-x) / 2 without cancellation near 0.
    let u = b.expm1(&p)?;
    let one = splat_like(b, 1, &x)?;
    let v = b.add(&u, &one)?;
    let q = b.div(&u, &v)?;
    // What is over does not matter far out, where both are infinite.
    let infinity = splat_like(b, f64::INFINITY, &x)?;
    let far = b.eq(&u, &infinity)?;
    let q = b.select(&far, &one, &q)?;
    let s = b.add(&u, &q)?;
    let half = splat_like(b, 0.5, &x)?;
    let t = b.mul(&half, &s)?;
    let t = with_slope(b, t, &x, |b| {
        let minus = b.neg(&x)?;
        let (p, q) = (b.exp(&x)?, b.exp(&minus)?);
        let sum = b.add(&p, &q)?;
        b.mul(&half, &sum)
    })?;
    named(b, t, "SinhBackward0")
}

/// Hyperbolic cosine.
pub fn cosh<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    if b.dtype(&x).is_complex() {
        let t = b.complex(ComplexOp::Cosh, &x)?;
        return named(b, t, "CoshBackward0");
    }
    let minus = b.neg(&x)?;
    let (p, q) = (b.exp(&x)?, b.exp(&minus)?);
    let s = b.add(&p, &q)?;
    let half = splat_like(b, 0.5, &s)?;
    let t = b.mul(&half, &s)?;
    named(b, t, "CoshBackward0")
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

/// Replaces NaN and infinities.
pub fn nan_to_num<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let Some(largest) = b.dtype(&x).largest() else {
        return Ok(Ret::Tensor(b.copy(&x)?));
    };
    let nan = args.float_or(b, 1, 0.0)?;
    let high = args.float_or(b, 2, largest)?;
    let low = args.float_or(b, 3, -largest)?;
    let is_nan = b.ne(&x, &x)?;
    let value = splat_like(b, nan, &x)?;
    let mut t = b.select(&is_nan, &value, &x)?;
    for (limit, value) in [(f64::INFINITY, high), (f64::NEG_INFINITY, low)] {
        let limit = splat_like(b, limit, &x)?;
        let hit = b.eq(&x, &limit)?;
        let value = splat_like(b, value, &x)?;
        t = b.select(&hit, &value, &t)?;
    }
    named(b, t, "NanToNumBackward0")
}

fn choose<B: TorchOps>(b: &mut B, cond: &B::T, x: &Operand<B>, y: &Operand<B>) -> Res<B> {
    // uint8 is taken as bool, for old code.
    let cond = &match b.dtype(cond) {
        DType::U8 => b.cast(cond, DType::Bool)?,
        _ => cond.clone(),
    };
    if b.dtype(cond) != DType::Bool {
        return Err(runtime::<B>(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            b.dtype(cond).scalar_type_name()
        )));
    }
    let dtype = promoted(b, &[x, y]);
    let mut shape = b.shape(cond);
    for o in [x, y] {
        if let Operand::T(t) = o {
            let s = b.shape(t);
            shape = broadcast_shapes(b, &shape, &s)?;
        }
    }
    let cond = expand_to(b, cond, &shape)?;
    let mut sides = Vec::with_capacity(2);
    for o in [x, y] {
        sides.push(match o {
            Operand::T(t) => {
                let t = b.cast(t, dtype)?;
                expand_to(b, &t, &shape)?
            }
            Operand::S(s) => {
                super::check_fits(b, s, dtype)?;
                b.splat(s, dtype, &shape)?
            }
        });
    }
    let t = match sides.as_slice() {
        [x, y] => b.select(&cond, x, y)?,
        _ => return Err(runtime::<B>("where expects two values")),
    };
    named(b, t, "WhereBackward0")
}

/// `where(condition, input, other)`; with a condition only, the coordinates where it holds.
pub fn where_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let cond = args.tensor(0)?;
    if args.given(1).is_none() && args.given(2).is_none() {
        return super::gather::coordinates(b, &cond);
    }
    let (x, y) = (args.operand(b, 1)?, args.operand(b, 2)?);
    choose(b, &cond, &x, &y)
}

/// `input.where(condition, other)`
pub fn where_method<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, cond, y) = (args.tensor(0)?, args.tensor(1)?, args.operand(b, 2)?);
    choose(b, &cond, &Operand::T(x), &y)
}

/// `value` where `mask` holds.
pub fn masked_fill<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, mask) = (args.tensor(0)?, args.tensor(1)?);
    if b.dtype(&mask) != DType::Bool {
        return Err(runtime::<B>(format!(
            "masked_fill_ only supports boolean masks, but got mask with dtype {}",
            b.dtype(&mask).scalar_type_name()
        )));
    }
    let dtype = b.dtype(&x);
    let (p, q) = (b.shape(&x), b.shape(&mask));
    let shape = broadcast_shapes(b, &p, &q)?;
    let value = match args.operand(b, 2)? {
        Operand::S(s) => {
            super::check_fits(b, &s, dtype)?;
            b.splat(&s, dtype, &shape)?
        }
        Operand::T(t) => {
            let dims = rank(b, &t);
            if dims > 0 {
                return Err(runtime::<B>(format!(
                    "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {dims} dimension(s)."
                )));
            }
            let t = b.cast(&t, dtype)?;
            expand_to(b, &t, &shape)?
        }
    };
    let (x, mask) = (expand_to(b, &x, &shape)?, expand_to(b, &mask, &shape)?);
    let t = b.select(&mask, &value, &x)?;
    named(b, t, "MaskedFillBackward0")
}
