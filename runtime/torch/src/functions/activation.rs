//! Activations.
//!
//! In: tensors. Out: tensors of the same shape. Always: PyTorch's formulas; where a branch could
//! overflow, its operand is limited first, so that no gradient becomes NaN.

use janus_tensor::ops::ReduceOp;
use janus_tensor::shape::normalize_dim;
use janus_tensor::{DType, Dim, TensorError};

use super::pointwise::real_operand;
use super::rounding::{kept_as, once};
use super::slope::{constant_of, is_differentiated, with_flat_gradient, with_slope};
use super::{
    Res, TRes, expand_to, is_multiple, named, rank, restore_and_expand, runtime, splat_like,
    splat_scalar,
};
use crate::TorchOps;
use crate::call::{CallArgs, Ret};
use crate::ops::NoDerivative;

/// The result, written back if the caller asked for it.
fn finish<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    at: usize,
    t: B::T,
    label: &'static str,
) -> Res<B> {
    if args.flag(at)? {
        let x = args.tensor(0)?;
        b.label(&t, in_place(label));
        b.assign(&x, &t)?;
        return Ok(Ret::Tensor(x));
    }
    named(b, t, label)
}

/// What PyTorch calls a function in place, which computes with its result in backward.
fn in_place(label: &'static str) -> &'static str {
    match label {
        "LeakyReluBackward0" => "LeakyReluBackward1",
        "EluBackward0" => "EluBackward1",
        "CeluBackward0" => "CeluBackward1",
        "ThresholdBackward0" => "ThresholdBackward1",
        label => label,
    }
}

/// As [`finish`] for a function of which PyTorch keeps the result where it is written back: from that, nothing can be told
/// of numbers whose slope is negative.
fn finish_sloped<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    at: usize,
    t: B::T,
    (slope, label, refusal): (f64, &'static str, &'static str),
) -> Res<B> {
    if !args.flag(at)? || slope >= 0.0 {
        return finish(b, args, at, t, label);
    }
    let function = NoDerivative {
        function: args.name(),
        node: Some(in_place(label)),
        refusal: Some(refusal.into()),
    };
    let x = args.tensor(0)?;
    let t = b.underivable(&t, &[&x], function)?;
    b.assign(&x, &t)?;
    Ok(Ret::Tensor(x))
}

/// PyTorch's message.
const ELU_REFUSAL: &str = "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead.";

/// 0 for what is negative, without a gradient: a zero keeps its sign, and NaN stays.
fn relu_value<B: TorchOps>(b: &mut B, x: &B::T, zero: &B::T) -> TRes<B> {
    let p = constant_of(b, x)?;
    let under = b.lt(&p, zero)?;
    b.select(&under, zero, &p)
}

/// 0 for what is negative; NaN stays. A zero has no slope.
pub fn relu_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let zero = splat_like(b, 0, x)?;
    let value = relu_value(b, x, &zero)?;
    if !is_differentiated(b, x) {
        return Ok(value);
    }
    let off = b.le(x, &zero)?;
    b.select(&off, &value, x)
}

/// `relu(input)`
pub fn relu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x) == DType::Bool {
        return Err(runtime::<B>("Boolean inputs not supported for relu"));
    }
    let x = with_flat_gradient(b, x)?;
    let t = relu_of(b, &x)?;
    named(b, t, "ReluBackward0")
}

/// `F.relu(input, inplace)`
pub fn f_relu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let t = relu_of(b, &x)?;
    finish(b, args, 1, t, "ReluBackward0")
}

/// `sigmoid(input)`
pub fn sigmoid<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let t = b.sigmoid(&x)?;
    named(b, t, "SigmoidBackward0")
}

/// `x - max(x)` along a dimension; the maximum cancels in the gradient and is left out of it.
fn shifted<B: TorchOps>(b: &mut B, x: &B::T, dim: usize) -> TRes<B> {
    let shape = b.shape(x);
    let constant = b.detach(x)?;
    let largest = b.reduce(ReduceOp::Max, &constant, &[dim])?;
    let largest = restore_and_expand(b, &largest, &shape, &[dim])?;
    b.sub(x, &largest)
}

/// Softmax along a dimension.
pub fn softmax_of<B: TorchOps>(b: &mut B, x: &B::T, dim: usize) -> TRes<B> {
    once(b, x, |b, x| softmax_once(b, x, dim))
}

fn softmax_once<B: TorchOps>(b: &mut B, x: &B::T, dim: usize) -> TRes<B> {
    if rank(b, x) == 0 {
        let zero = b.sub(x, x)?;
        return b.exp(&zero);
    }
    let shape = b.shape(x);
    let s = shifted(b, x, dim)?;
    let e = b.exp(&s)?;
    let sum = b.reduce(ReduceOp::Sum, &e, &[dim])?;
    let sum = restore_and_expand(b, &sum, &shape, &[dim])?;
    b.div(&e, &sum)
}

/// Logarithm of softmax along a dimension.
pub fn log_softmax_of<B: TorchOps>(b: &mut B, x: &B::T, dim: usize) -> TRes<B> {
    // Along the last dimension PyTorch's kernel keeps the sum and its logarithm as the dtype of the results.
    let kept = match dim + 1 == rank(b, x) {
        true => b.dtype(x),
        false => b.dtype(x).computed_in(),
    };
    once(b, x, |b, x| log_softmax_once(b, x, dim, kept))
}

fn log_softmax_once<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, kept: DType) -> TRes<B> {
    if rank(b, x) == 0 {
        return b.sub(x, x);
    }
    let shape = b.shape(x);
    let s = shifted(b, x, dim)?;
    let e = b.exp(&s)?;
    let sum = b.reduce(ReduceOp::Sum, &e, &[dim])?;
    let sum = kept_as(b, &sum, kept)?;
    let l = b.log(&sum)?;
    let l = kept_as(b, &l, kept)?;
    let l = restore_and_expand(b, &l, &shape, &[dim])?;
    b.sub(&s, &l)
}

/// The input of a softmax, in the dtype asked for, and its dimension.
fn softmax_input<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    dtype_at: usize,
    name: &str,
) -> Result<(B::T, usize), B::Error> {
    let mut x = args.tensor(0)?;
    if let Some(dtype) = args.dtype(dtype_at)? {
        x = b.cast(&x, dtype)?;
    }
    let rank = rank(b, &x);
    // Without a dimension, the choice of old PyTorch.
    let default = if matches!(rank, 0 | 1 | 3) { 0 } else { 1 };
    let dim = match args.given(1) {
        Some(_) => args.int_or(b, 1, default)?,
        None => default,
    };
    let dim = normalize_dim(dim, rank)?;
    if !b.dtype(&x).is_float() {
        let last = if dim + 1 == rank { "lastdim_" } else { "" };
        let kernel = format!("{name}_{last}kernel_impl");
        return Err(super::no_kernel::<B>(&kernel, b.dtype(&x)));
    }
    Ok((x, dim))
}

/// `torch.softmax`
pub fn softmax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if args.given(1).is_none() {
        return Err(args.wrong(1, "int"));
    }
    let (x, dim) = softmax_input(b, args, 2, "softmax")?;
    let t = softmax_of(b, &x, dim)?;
    named(b, t, "SoftmaxBackward0")
}

/// `torch.log_softmax`
pub fn log_softmax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if args.given(1).is_none() {
        return Err(args.wrong(1, "int"));
    }
    let (x, dim) = softmax_input(b, args, 2, "log_softmax")?;
    let t = log_softmax_of(b, &x, dim)?;
    named(b, t, "LogSoftmaxBackward0")
}

/// PyTorch's warning where no dimension is given.
fn warn_of_dim<B: TorchOps>(b: &mut B, args: &CallArgs<B>, name: &str) -> Result<(), B::Error> {
    match args.given(1) {
        Some(_) => Ok(()),
        None => b.warn(&format!(
            "Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument."
        )),
    }
}

/// `F.softmax`
pub fn f_softmax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    warn_of_dim(b, args, "softmax")?;
    let (x, dim) = softmax_input(b, args, 3, "softmax")?;
    let t = softmax_of(b, &x, dim)?;
    named(b, t, "SoftmaxBackward0")
}

/// `F.softmin`
pub fn f_softmin<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    warn_of_dim(b, args, "softmin")?;
    let (x, dim) = softmax_input(b, args, 3, "softmax")?;
    let x = b.neg(&x)?;
    let t = softmax_of(b, &x, dim)?;
    named(b, t, "SoftmaxBackward0")
}

/// `F.log_softmax`
pub fn f_log_softmax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    warn_of_dim(b, args, "log_softmax")?;
    let (x, dim) = softmax_input(b, args, 3, "log_softmax")?;
    let t = log_softmax_of(b, &x, dim)?;
    named(b, t, "LogSoftmaxBackward0")
}

/// `x * sigmoid(x)`
pub fn silu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let s = b.sigmoid(&x)?;
    let t = b.mul(&x, &s)?;
    finish(b, args, 1, t, "SiluBackward0")
}

/// `x * Phi(x)`, or its approximation by tanh.
pub fn gelu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let half = splat_like(b, 0.5, &x)?;
    let one = splat_like(b, 1, &x)?;
    let inner = match args.str_or(1, "none")?.as_str() {
        "none" => {
            let c = splat_like(b, std::f64::consts::FRAC_1_SQRT_2, &x)?;
            let z = b.mul(&x, &c)?;
            b.erf(&z)?
        }
        "tanh" => {
            let beta = splat_like(
                b,
                std::f64::consts::SQRT_2 * std::f64::consts::FRAC_2_SQRT_PI * 0.5,
                &x,
            )?;
            let kappa = splat_like(b, 0.044_715, &x)?;
            let square = b.mul(&x, &x)?;
            let cube = b.mul(&square, &x)?;
            let cube = b.mul(&kappa, &cube)?;
            let z = b.add(&x, &cube)?;
            let z = b.mul(&beta, &z)?;
            b.tanh(&z)?
        }
        _ => {
            return Err(runtime::<B>(
                "approximate argument must be either none or tanh.",
            ));
        }
    };
    let scaled = b.mul(&x, &half)?;
    let factor = b.add(&one, &inner)?;
    let t = b.mul(&scaled, &factor)?;
    named(b, t, "GeluBackward0")
}

/// `scale * (x > 0 ? x : alpha * (exp(x * input_scale) - 1))`
fn elu_of<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    alpha: &B::T,
    scale: Option<f64>,
    input_scale: Option<&B::T>,
) -> TRes<B> {
    let p = constant_of(b, x)?;
    let zero = splat_like(b, 0, x)?;
    let positive = b.gt(&p, &zero)?;
    let negative = b.select(&positive, &zero, &p)?;
    let negative = match input_scale {
        Some(s) => b.mul(&negative, s)?,
        None => negative,
    };
    let e = b.expm1(&negative)?;
    let e = b.mul(alpha, &e)?;
    let mut t = b.select(&positive, &p, &e)?;
    let is_scaled = scale.is_some();
    let scale = splat_like(b, scale.unwrap_or(1.0), x)?;
    if is_scaled {
        t = b.mul(&t, &scale)?;
    }
    // The power has a slope up to 0, and the slope one below 0.
    let power = |b: &mut B, x: &B::T, off: &B::T| -> TRes<B> {
        let safe = b.select(off, &zero, x)?;
        let safe = match input_scale {
            Some(s) => b.mul(&safe, s)?,
            None => safe,
        };
        let e = b.exp(&safe)?;
        let mut e = b.mul(&e, alpha)?;
        if let Some(s) = input_scale {
            e = b.mul(&e, s)?;
        }
        b.mul(&e, &scale)
    };
    with_slope(b, t, x, |b| {
        let up_to = b.le(&p, &zero)?;
        let off = b.not(&up_to)?;
        let slope = power(b, &p, &off)?;
        let slope = b.select(&up_to, &slope, &scale)?;
        with_slope(b, slope, x, |b| {
            let below = b.lt(&p, &zero)?;
            let off = b.not(&below)?;
            let mut slope = power(b, x, &off)?;
            if let Some(s) = input_scale {
                slope = b.mul(&slope, s)?;
            }
            b.select(&below, &slope, &zero)
        })
    })
}

/// `F.elu`
pub fn elu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let slope = args.float_or(b, 1, 1.0)?;
    let alpha = splat_like(b, slope, &x)?;
    let t = elu_of(b, &x, &alpha, None, None)?;
    finish_sloped(b, args, 2, t, (slope, "EluBackward0", ELU_REFUSAL))
}

/// `F.celu`
pub fn celu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let slope = args.float_or(b, 1, 1.0)?;
    let inverse = splat_like(b, 1.0 / slope, &x)?;
    let alpha = splat_like(b, slope, &x)?;
    let t = elu_of(b, &x, &alpha, None, Some(&inverse))?;
    finish_sloped(b, args, 2, t, (slope, "CeluBackward0", ELU_REFUSAL))
}

/// `F.selu`
pub fn selu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let alpha = splat_like(b, 1.673_263_242_354_377_2, &x)?;
    let t = elu_of(b, &x, &alpha, Some(1.050_700_987_355_480_5), None)?;
    finish(b, args, 1, t, "EluBackward0")
}

/// `F.leaky_relu`
pub fn leaky_relu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let negative_slope = args.float_or(b, 1, 0.01)?;
    let slope = splat_like(b, negative_slope, &x)?;
    let zero = splat_like(b, 0, &x)?;
    let positive = b.gt(&x, &zero)?;
    let small = b.mul(&x, &slope)?;
    let t = b.select(&positive, &x, &small)?;
    let refusal = "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead. File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation with negative slope";
    finish_sloped(
        b,
        args,
        2,
        t,
        (negative_slope, "LeakyReluBackward0", refusal),
    )
}

/// Limits whose gradient is 0 at the limits themselves.
fn hard_clamp<B: TorchOps>(b: &mut B, x: &B::T, low: f64, high: f64) -> TRes<B> {
    let (from, to) = (splat_like(b, low, x)?, splat_like(b, high, x)?);
    let under = b.le(x, &from)?;
    let lowest = match low == 0.0 {
        true => relu_value(b, x, &from)?,
        false => from,
    };
    let t = b.select(&under, &lowest, x)?;
    let over = b.ge(&t, &to)?;
    let highest = match high == 0.0 {
        true => {
            let p = constant_of(b, &t)?;
            let above = b.gt(&p, &to)?;
            b.select(&above, &to, &p)?
        }
        false => to,
    };
    b.select(&over, &highest, &t)
}

/// `F.hardtanh`
pub fn hardtanh<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let (low, high) = (args.float_or(b, 1, -1.0)?, args.float_or(b, 2, 1.0)?);
    if low > high {
        let text = "min_val cannot be greater than max_val".to_owned();
        return Err(TensorError::Value(text).into());
    }
    let t = hard_clamp(b, &x, low, high)?;
    finish(b, args, 3, t, "HardtanhBackward0")
}

/// `F.relu6`
pub fn relu6<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let t = hard_clamp(b, &x, 0.0, 6.0)?;
    finish(b, args, 1, t, "HardtanhBackward0")
}

/// The value, a function of `x`, whose gradient is 0 where it is `off`: times a slope of 0 it may have a sign.
fn with_no_gradient_where<B: TorchOps>(
    b: &mut B,
    t: B::T,
    x: &B::T,
    off: impl FnOnce(&mut B) -> TRes<B>,
) -> TRes<B> {
    if !is_differentiated(b, x) {
        return Ok(t);
    }
    let (off, value) = (off(b)?, b.detach(&t)?);
    b.select(&off, &value, &t)
}

fn hardsigmoid_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    // What is no number passes, and its gradient does not.
    let number = b.eq(x, x)?;
    let p = constant_of(b, x)?;
    let x = &b.select(&number, x, &p)?;
    let three = splat_like(b, 3, x)?;
    let t = b.add(x, &three)?;
    let t = hard_clamp(b, &t, 0.0, 6.0)?;
    let six = splat_like(b, 6, x)?;
    b.div(&t, &six)
}

/// `F.hardsigmoid`
pub fn hardsigmoid<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let p = constant_of(b, &x)?;
    let t = hardsigmoid_of(b, &p)?;
    // A sixth of single precision, for doubles, too; what is no number has no slope.
    let t = with_slope(b, t, &x, |b| {
        let (low, high) = (splat_like(b, -3, &p)?, splat_like(b, 3, &p)?);
        let (above, below) = (b.gt(&p, &low)?, b.lt(&p, &high)?);
        let within = b.and(&above, &below)?;
        let sixth = splat_like(b, f64::from(1.0f32 / 6.0), &p)?;
        let zero = splat_like(b, 0, &p)?;
        b.select(&within, &sixth, &zero)
    })?;
    let t = with_no_gradient_where(b, t, &x, |b| {
        let (low, high) = (splat_like(b, -3, &p)?, splat_like(b, 3, &p)?);
        let (below, above) = (b.le(&p, &low)?, b.ge(&p, &high)?);
        b.or(&below, &above)
    })?;
    finish(b, args, 1, t, "HardsigmoidBackward0")
}

/// `F.hardswish`
pub fn hardswish<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let p = constant_of(b, &x)?;
    let s = hardsigmoid_of(b, &p)?;
    let t = b.mul(&p, &s)?;
    let t = with_slope(b, t, &x, |b| {
        let (low, high) = (splat_like(b, -3, &x)?, splat_like(b, 3, &x)?);
        let (zero, one) = (splat_like(b, 0, &x)?, splat_like(b, 1, &x)?);
        let half = splat_like(b, 0.5, &x)?;
        let (below, within) = (b.le(&p, &low)?, b.lt(&p, &high)?);
        let slope = b.div(&x, &high)?;
        let slope = b.add(&slope, &half)?;
        let slope = b.select(&within, &slope, &one)?;
        b.select(&below, &zero, &slope)
    })?;
    let t = with_no_gradient_where(b, t, &x, |b| {
        let low = splat_like(b, -3, &x)?;
        b.le(&p, &low)
    })?;
    finish(b, args, 1, t, "HardswishBackward0")
}

fn softplus_of<B: TorchOps>(b: &mut B, x: &B::T, beta: f64, threshold: f64) -> TRes<B> {
    let beta = splat_like(b, beta, x)?;
    let threshold = splat_like(b, threshold, x)?;
    let p = constant_of(b, x)?;
    let scaled = b.mul(&p, &beta)?;
    let linear = b.gt(&scaled, &threshold)?;
    let zero = splat_like(b, 0, x)?;
    let safe = b.select(&linear, &zero, &scaled)?;
    let e = b.exp(&safe)?;
    let l = b.log1p(&e)?;
    let l = b.div(&l, &beta)?;
    let t = b.select(&linear, &p, &l)?;
    with_slope(b, t, x, |b| {
        let one = splat_like(b, 1, x)?;
        let slope = b.sigmoid(&scaled)?;
        let slope = b.select(&linear, &one, &slope)?;
        // The slope's own one ends at the threshold.
        with_slope(b, slope, x, |b| {
            let scaled = b.mul(x, &beta)?;
            let s = b.sigmoid(&scaled)?;
            let rest = b.sub(&one, &s)?;
            let slope = b.mul(&s, &rest)?;
            let slope = b.mul(&slope, &beta)?;
            let below = b.lt(&scaled, &threshold)?;
            let nan = b.ne(&scaled, &scaled)?;
            let below = b.or(&below, &nan)?;
            b.select(&below, &slope, &zero)
        })
    })
}

/// `F.softplus`
pub fn softplus<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (beta, threshold) = (args.float_or(b, 1, 1.0)?, args.float_or(b, 2, 20.0)?);
    let t = softplus_of(b, &x, beta, threshold)?;
    named(b, t, "SoftplusBackward0")
}

/// `log(sigmoid(x)) = min(x, 0) - log(1 + exp(-|x|))`
pub fn logsigmoid_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let p = constant_of(b, x)?;
    let zero = splat_like(b, 0, x)?;
    let low = b.minimum(&p, &zero)?;
    let m = b.abs(&p)?;
    let m = b.neg(&m)?;
    let e = b.exp(&m)?;
    let l = b.log1p(&e)?;
    let t = b.sub(&low, &l)?;
    with_slope(b, t, x, |b| {
        let minus = b.neg(x)?;
        b.sigmoid(&minus)
    })
}

/// `F.logsigmoid`
pub fn logsigmoid<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let t = logsigmoid_of(b, &x)?;
    named(b, t, "LogSigmoidBackward0")
}

/// `x * tanh(softplus(x))`
pub fn mish<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let s = softplus_of(b, &x, 1.0, 20.0)?;
    let h = b.tanh(&s)?;
    let t = b.mul(&x, &h)?;
    finish(b, args, 1, t, "MishBackward0")
}

/// `x / (1 + |x|)`
pub fn softsign<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    if dtype == DType::Bool {
        return Err(super::no_kernel::<B>("abs_cpu", dtype));
    }
    let dtype = super::to_float(b, dtype);
    let x = b.cast(&x, dtype)?;
    let m = super::complex::magnitude(b, &x)?;
    let one = splat_like(b, 1, &m)?;
    let m = b.add(&m, &one)?;
    let m = b.cast(&m, dtype)?;
    let t = b.div(&x, &m)?;
    named(b, t, "DivBackward0")
}

/// `x - tanh(x)`
pub fn tanhshrink<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let h = b.tanh(&x)?;
    let t = b.sub(&x, &h)?;
    named(b, t, "SubBackward0")
}

/// 0 within `lambd` of 0.
pub fn hardshrink<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let lambd = args.float_or(b, 1, 0.5)?;
    let lambd = splat_like(b, lambd, &x)?;
    let m = b.abs(&x)?;
    let inside = b.le(&m, &lambd)?;
    let zero = splat_like(b, 0, &x)?;
    let t = b.select(&inside, &zero, &x)?;
    named(b, t, "HardshrinkBackward0")
}

/// Moved toward 0 by `lambd`.
pub fn softshrink<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let lambd = args.float_or(b, 1, 0.5)?;
    let (high, low) = (splat_like(b, lambd, &x)?, splat_like(b, -lambd, &x)?);
    let (over, under) = (b.gt(&x, &high)?, b.lt(&x, &low)?);
    let (less, more) = (b.sub(&x, &high)?, b.add(&x, &high)?);
    // In between torch multiplies by 0, which keeps the sign and NaN; what is not there keeps its gradient.
    let zero = splat_like(b, 0, &x)?;
    let p = constant_of(b, &x)?;
    let zero = b.mul(&p, &zero)?;
    let number = b.eq(&p, &p)?;
    let zero = b.select(&number, &zero, &x)?;
    let t = b.select(&under, &more, &zero)?;
    let t = b.select(&over, &less, &t)?;
    named(b, t, "SoftshrinkBackward0")
}

/// `value` for what does not exceed the threshold.
pub fn threshold<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = with_flat_gradient(b, x)?;
    let (limit, value) = (args.number(b, 1)?, args.number(b, 2)?);
    let (limit, value) = (splat_scalar(b, &limit, &x)?, splat_scalar(b, &value, &x)?);
    let off = b.le(&x, &limit)?;
    let t = b.select(&off, &value, &x)?;
    finish(b, args, 3, t, "ThresholdBackward0")
}

/// The first half, gated by the sigmoid of the second half.
pub fn glu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if rank(b, &x) == 0 {
        return Err(runtime::<B>(
            "glu does not support scalars because halving size must be even",
        ));
    }
    let dim = super::dim_arg(b, args, 1, -1, rank(b, &x))?;
    let n = b.shape(&x).get(dim).copied().unwrap_or(Dim::Known(1));
    if !is_multiple(b, n, 2)? {
        return Err(runtime::<B>(format!(
            "Halving dimension must be even, but dimension {dim} is size {}",
            n.known().unwrap_or(0)
        )));
    }
    let half = b.dim_div(n, Dim::Known(2))?;
    let first = super::shape::narrow_of(b, &x, dim, Dim::Known(0), half)?;
    let second = super::shape::narrow_of(b, &x, dim, half, half)?;
    let gate = b.sigmoid(&second)?;
    let t = b.mul(&first, &gate)?;
    named(b, t, "GluBackward0")
}

/// A slope per channel for what is negative.
pub fn prelu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, weight) = (args.tensor(0)?, args.tensor(1)?);
    let shape = b.shape(&x);
    let n = {
        let s = b.shape(&weight);
        b.numel(&s)?
    };
    if n != Dim::Known(1) {
        let channels = match shape.len() {
            0 => return Err(runtime::<B>("Not allow zero-dim input tensor.")),
            1 => Dim::Known(1),
            _ => shape.get(1).copied().unwrap_or(Dim::Known(1)),
        };
        if !b.dims_equal(n, channels)? {
            return Err(runtime::<B>(format!(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and channel size = {}.",
                n.known().unwrap_or(-1),
                channels.known().unwrap_or(-1)
            )));
        }
    }
    let channels: Vec<Dim> = (0..shape.len())
        .map(|i| if i == 1 { n } else { Dim::Known(1) })
        .collect();
    let x = with_flat_gradient(b, x)?;
    let weight = b.reshape(&weight, &channels)?;
    let weight = expand_to(b, &weight, &shape)?;
    let zero = splat_like(b, 0, &x)?;
    let positive = b.gt(&x, &zero)?;
    let small = b.mul(&weight, &x)?;
    let t = b.select(&positive, &x, &small)?;
    named(b, t, "PreluKernelBackward0")
}
