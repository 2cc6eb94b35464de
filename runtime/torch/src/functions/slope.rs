//! Values with derivatives of their own.
//!
//! In: a value, computed from constants, and a tensor of its shape. Out: the value with a gradient to the tensor. Always:
//! for functions whose derivative is not that of the operations that compute them (at ends of the domain, at ties); a
//! slope is made only where a gradient is recorded, and of the tensor itself, so that it has a derivative, too.

use janus_tensor::{DType, Ops, Scalar};

use super::{TRes, splat_like};
use crate::TorchOps;
use crate::ops::NoDerivative;

/// Whether a gradient of the tensor is recorded.
pub fn is_differentiated<B: TorchOps>(b: &B, x: &B::T) -> bool {
    b.is_grad_enabled() && b.requires_grad(x)
}

/// The tensor without its gradient, to compute a value from.
pub fn constant_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    match is_differentiated(b, x) {
        true => b.detach(x),
        false => Ok(x.clone()),
    }
}

/// The value, fresh, whose gradient goes times the slope to `x`, too.
pub fn with_slope<B: TorchOps>(
    b: &mut B,
    value: B::T,
    x: &B::T,
    slope: impl FnOnce(&mut B) -> TRes<B>,
) -> TRes<B> {
    if !is_differentiated(b, x) {
        return Ok(value);
    }
    let slope = slope(b)?;
    Ops::with_slope(b, &value, x, &slope)
}

/// The value with the gradient of another one in its place.
pub fn with_gradient_of<B: TorchOps>(b: &mut B, value: B::T, other: &B::T) -> TRes<B> {
    with_slope(b, value, other, |b| splat_like(b, 1, other))
}

/// The value, which does not move with `x`: a gradient of zeros, and not none.
pub fn without_slope<B: TorchOps>(b: &mut B, value: B::T, x: &B::T) -> TRes<B> {
    with_slope(b, value, x, |b| splat_like(b, 0, x))
}

/// The tensor, for a function whose gradient is constant by parts: where gradients of gradients are taken, that
/// gradient still stands for the tensor, with a gradient of zeros, and not of none. (An optimizer leaves a parameter
/// without a gradient as it is, and moves one whose gradient is zero.)
pub fn with_flat_gradient<B: TorchOps>(b: &mut B, x: B::T) -> TRes<B> {
    if !is_differentiated(b, &x) || !janus_tensor::autograd::second_order_asked() {
        return Ok(x);
    }
    // The tensor itself may be written over.
    let x = b.copy(&x)?;
    // The slope is 1, which changes no gradient, and takes nothing of the tensor: not even the sign of a zero.
    let nowhere = b.scalar(Scalar::Bool(false));
    let shape = b.shape(&x);
    let nowhere = b.splat(&nowhere, DType::Bool, &shape)?;
    let one = splat_like(b, 1, &x)?;
    let slope = b.select(&nowhere, &x, &one)?;
    let value = b.detach(&x)?;
    let value = b.copy(&value)?;
    Ops::with_slope(b, &value, &x, &slope)
}

/// A function of one tensor whose derivative is told by its own result: the value has it three times over, and what is
/// beyond has none that is known.
pub fn with_slope_of_result<B: TorchOps>(
    b: &mut B,
    value: &B::T,
    x: &B::T,
    name: &'static str,
    slope: impl Fn(&mut B, &B::T) -> TRes<B>,
) -> TRes<B> {
    if !is_differentiated(b, x) {
        return Ok(value.clone());
    }
    let mut t = b.underivable(value, &[x], NoDerivative::of(name))?;
    for _ in 0..3 {
        let slope = slope(b, &t)?;
        let fresh = b.copy(value)?;
        t = Ops::with_slope(b, &fresh, x, &slope)?;
    }
    Ok(t)
}
