//! Limits.
//!
//! In: a tensor and one limit or two, numbers or tensors. Out: the tensor within them. Always: the value comes first,
//! from constants, and the gradients are laid over it, since they end elsewhere than the value does.

use janus_tensor::ops::BinaryOp;
use janus_tensor::{DType, Prim, ScalarKind};

use super::{Res, TRes, check_fits, named, promoted, runtime, unify};
use crate::TorchOps;
use crate::call::{CallArgs, Operand};

/// Limits; a limit's gradient is that of the input where both are equal, as in PyTorch. A limit that is NaN makes all
/// NaN if it is a tensor's, or `nan_spreads`.
fn clamp_between<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    low: Option<&Operand<B>>,
    high: Option<&Operand<B>>,
    nan_spreads: bool,
) -> TRes<B> {
    let x = Operand::T(x.clone());
    let mut all = vec![&x];
    all.extend(low);
    all.extend(high);
    let dtype = promoted(b, &all);
    let mut open = [false; 2];
    for (open, bound) in open.iter_mut().zip([low, high]) {
        let known = match bound {
            Some(Operand::S(s)) => {
                check_fits(b, s, dtype)?;
                b.scalar_value(s)
            }
            _ => None,
        };
        let is_number = matches!(bound, Some(Operand::S(_)));
        let may_be_nan = known.is_none_or(|v| v.to_f64().is_nan());
        *open = dtype.is_float() && may_be_nan && (nan_spreads || !is_number);
    }
    let all = unify(b, &all, dtype)?;
    let differentiated = b.is_grad_enabled() && all.iter().any(|t| b.requires_grad(t));
    let constants = match differentiated {
        true => all.iter().map(|t| b.detach(t)).collect::<Result<_, _>>()?,
        false => all.clone(),
    };
    let mut ts = constants.into_iter();
    let mut t = ts.next().ok_or_else(|| runtime::<B>("clamp of nothing"))?;
    let beyond = |b: &mut B, over: B::T, bound: &B::T, open: bool| -> TRes<B> {
        if !open {
            return Ok(over);
        }
        let nan = b.ne(bound, bound)?;
        b.apply(Prim::Binary(BinaryOp::Or), &[&over, &nan])
    };
    if low.is_some()
        && let Some(low) = ts.next()
    {
        let under = b.lt(&t, &low)?;
        let under = beyond(b, under, &low, open[0])?;
        t = b.select(&under, &low, &t)?;
    }
    if high.is_some()
        && let Some(high) = ts.next()
    {
        let over = b.gt(&t, &high)?;
        let over = beyond(b, over, &high, open[1])?;
        t = b.select(&over, &high, &t)?;
    }
    if differentiated {
        return clamp_gradients(b, t, &all, low.is_some(), high.is_some());
    }
    Ok(t)
}

/// Gives the value of a clamp its gradients: to the input between the limits, the limits included, and to a limit that
/// the input is beyond. Where the lower limit is not below the upper one, it has none.
fn clamp_gradients<B: TorchOps>(
    b: &mut B,
    value: B::T,
    operands: &[B::T],
    has_low: bool,
    has_high: bool,
) -> TRes<B> {
    let mut operands = operands.iter();
    let Some(x) = operands.next() else {
        return Ok(value);
    };
    let low = operands.next().filter(|_| has_low || has_high);
    let (low, high) = match has_low {
        true => (low, operands.next().filter(|_| has_high)),
        false => (None, low),
    };
    let mut t = value;
    let within = match (low, high) {
        (Some(low), Some(high)) => {
            let (after, before) = (b.ge(x, low)?, b.le(x, high)?);
            b.and(&after, &before)?
        }
        (Some(low), None) => b.ge(x, low)?,
        (None, Some(high)) => b.le(x, high)?,
        (None, None) => return Ok(t),
    };
    t = b.select(&within, x, &t)?;
    if let Some(low) = low.filter(|low| b.requires_grad(low)) {
        let mut under = b.lt(x, low)?;
        if let Some(high) = high {
            let apart = b.lt(low, high)?;
            under = b.and(&under, &apart)?;
        }
        t = b.select(&under, low, &t)?;
    }
    if let Some(high) = high.filter(|high| b.requires_grad(high)) {
        let mut over = b.gt(x, high)?;
        if let Some(low) = low {
            let crossed = b.lt(high, low)?;
            over = b.or(&over, &crossed)?;
        }
        t = b.select(&over, high, &t)?;
    }
    Ok(t)
}

/// `clamp(input, min, max)`
pub fn clamp<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (low, high) = (args.operand_opt(b, 1)?, args.operand_opt(b, 2)?);
    if low.is_none() && high.is_none() {
        return Err(runtime::<B>(
            "torch.clamp: At least one of 'min' or 'max' must not be None",
        ));
    }
    let is_bool = |b: &B, o: &Operand<B>| match o {
        Operand::T(t) => b.dtype(t) == DType::Bool,
        Operand::S(s) => b.scalar_kind(s) == ScalarKind::Bool,
    };
    let bounds = || low.iter().chain(&high);
    if b.dtype(&x) == DType::Bool && bounds().all(|o| is_bool(b, o)) {
        let tensors = bounds().any(|o| matches!(o, Operand::T(_)));
        let kernel = match (low.is_some(), high.is_some(), tensors) {
            (true, true, true) => Some("clamp_cpu"),
            (true, true, false) => Some("clamp_scalar_cpu"),
            (true, false, false) => Some("clamp_min_scalar_cpu"),
            (false, true, false) => Some("clamp_max_scalar_cpu"),
            _ => None,
        };
        if let Some(kernel) = kernel {
            return Err(super::no_kernel::<B>(kernel, DType::Bool));
        }
    }
    // PyTorch looks for NaN in two bounds, and not in one.
    let both = low.is_some() && high.is_some();
    let tensors = bounds().any(|o| matches!(o, Operand::T(_)));
    let t = clamp_between(b, &x, low.as_ref(), high.as_ref(), both)?;
    named(
        b,
        t,
        if tensors {
            "ClampBackward0"
        } else {
            "ClampBackward1"
        },
    )
}

/// `clamp(input, min=min)`
pub fn clamp_min<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, low) = (args.tensor(0)?, args.operand(b, 1)?);
    let t = clamp_between(b, &x, Some(&low), None, true)?;
    named(b, t, "ClampMinBackward0")
}

/// `clamp(input, max=max)`
pub fn clamp_max<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, high) = (args.tensor(0)?, args.operand(b, 1)?);
    let t = clamp_between(b, &x, None, Some(&high), true)?;
    named(b, t, "ClampMaxBackward0")
}
