//! In-place functions that are not the in-place form of another one.
//!
//! In: the target and what to write. Out: the new content, which the caller assigns. Always: the
//! content has the target's shape and dtype.

use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::{Res, TRes, expand_to, known};
use crate::TorchOps;
use crate::call::{CallArgs, Operand, Ret};

/// `zero_`
pub fn zero_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let zeros = super::full_like(b, 0, &x)?;
    Ok(Ret::Tensor(copied(b, &x, &zeros, "ZeroBackward0")?))
}

/// `fill_`
pub fn fill_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (dtype, shape) = (b.dtype(&x), b.shape(&x));
    match args.operand(b, 1)? {
        Operand::S(s) => {
            let value = super::filled_with(b, &s, dtype, &shape)?;
            Ok(Ret::Tensor(copied(b, &x, &value, "FillBackward2")?))
        }
        Operand::T(t) => {
            let rank = super::rank(b, &t);
            if rank > 0 {
                return Err(super::runtime::<B>(format!(
                    "fill_ only supports 0-dimension value tensor but got tensor with {rank} dimensions."
                )));
            }
            let t = b.cast(&t, dtype)?;
            let value = expand_to(b, &t, &shape)?;
            Ok(Ret::Tensor(copied(b, &x, &value, "FillBackward1")?))
        }
    }
}

/// `copy_`
pub fn copy_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    // A number is taken as a tensor of no dimensions.
    let number = args.get(1).and_then(|arg| crate::call::number(b, arg));
    let src = match number {
        Some(s) => b.full(&s, dtype, &[])?,
        None => args.tensor(1)?,
    };
    let device = b.device(&x);
    let src = b.to_device(&src, device)?;
    let src = b.cast(&src, dtype)?;
    let (shape, have) = (b.shape(&x), b.shape(&src));
    let fits = have.len() <= shape.len() && {
        let offset = shape.len() - have.len();
        let mut ok = true;
        for (&p, &q) in have.iter().zip(shape.get(offset..).unwrap_or_default()) {
            ok = ok && (p == Dim::Known(1) || p == q || b.dims_equal(p, q)?);
        }
        ok
    };
    if !fits {
        let offset = shape.len().saturating_sub(have.len());
        let bad = have
            .iter()
            .zip(shape.get(offset..).unwrap_or_default())
            .position(|(&p, &q)| p != Dim::Known(1) && p != q)
            .unwrap_or(0);
        let n = |d: Option<&Dim>| d.and_then(|d| d.known()).unwrap_or(-1);
        let one = |d: &Dim| *d == Dim::Known(1);
        if have.len() > shape.len() || shape.get(offset + bad).is_some_and(one) {
            return Err(TensorError::InPlaceShape {
                out: known(&shape).as_slice().into(),
                broadcast: known(&have).as_slice().into(),
            }
            .into());
        }
        return Err(TensorError::Broadcast {
            a: n(shape.get(offset + bad)),
            b: n(have.get(bad)),
            dim: offset + bad,
        }
        .into());
    }
    let value = expand_to(b, &src, &shape)?;
    Ok(Ret::Tensor(copied(b, &x, &value, "CopyBackwards")?))
}

/// What `target` is assigned so that it takes `value`'s elements while `value` stays what it is: what made
/// `value` did not make `target`, and what `target` was computed from gets a gradient of zeros.
pub(super) fn copied<B: TorchOps>(
    b: &mut B,
    target: &B::T,
    value: &B::T,
    label: &'static str,
) -> TRes<B> {
    let mut value = value.clone();
    if b.requires_grad(&value) && b.is_grad_enabled() {
        let shape = b.shape(&value);
        value = b.reshape(&value, &shape)?;
        b.label(&value, label);
    }
    if b.has_history(target)? {
        let nowhere = b.scalar(Scalar::Bool(false));
        let shape = b.shape(target);
        let nowhere = b.splat(&nowhere, DType::Bool, &shape)?;
        value = b.select(&nowhere, target, &value)?;
        b.label(&value, label);
    }
    Ok(value)
}

/// Makes a tensor the view of it that a function gives.
fn in_place<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
    label: &'static str,
    view: impl FnOnce(&mut B, &mut CallArgs<B>) -> Res<B>,
) -> Res<B> {
    let x = args.tensor(0)?;
    if let Ret::Tensor(t) = view(b, args)? {
        b.label(&t, label);
        b.become_view(&x, &t)?;
    }
    Ok(Ret::Tensor(x))
}

/// `squeeze_`
pub fn squeeze_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    in_place(b, args, "SqueezeBackward3", super::shape::squeeze)
}

/// `unsqueeze_`
pub fn unsqueeze_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    in_place(b, args, "UnsqueezeBackward1", super::shape::unsqueeze)
}

/// `transpose_`
pub fn transpose_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    in_place(b, args, "TransposeBackward1", super::shape::transpose)
}

/// `t_`
pub fn t_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    in_place(b, args, "TBackward1", super::shape::t)
}
