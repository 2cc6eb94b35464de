//! Gradients.
//!
//! In: tensors. Out: their gradient state. Always: the tape, or the graph builder, does the work;
//! here are PyTorch's argument rules.

use janus_object::Value;
use janus_tensor::TensorError;

use super::conv::shape_text;
use super::{Res, runtime};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, type_name};

/// What PyTorch says of a gradient's dtype.
const GRAD_DTYPE: &str = "The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match.";

/// `data`
pub fn data<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Tensor(b.data(&x)?))
}

/// What PyTorch calls compositions of several functions in the `grad_fn` of their results, where it has one function.
const COMPOSED: &[&str] = &[
    "AffineGridGeneratorBackward0",
    "ChannelShuffleBackward0",
    "CopySlices",
    "EmbeddingBagBackward0",
    "FractionalMaxPool2DBackward0",
    "FractionalMaxPool3DBackward0",
    "GridSampler2DBackward0",
    "GridSampler3DBackward0",
    "MaxUnpool2DBackward0",
    "MaxUnpool3DBackward0",
    "MkldnnRnnLayerBackward0",
    "MultiMarginLossBackward0",
    "MultilabelMarginLossBackward0",
    "NanmedianBackward0",
    "NanmedianBackward1",
    "NormBackward1",
    "PdistBackward0",
    "PixelShuffleBackward0",
    "PixelUnshuffleBackward0",
    "RenormBackward0",
    "RreluWithNoiseBackward0",
    "SegmentReduceBackward0",
    "SoftMarginLossBackward0",
    "TransposeBackward1",
    "WeightNormInterfaceBackward0",
];

/// `torch._C._as_made_by(result, name)`: the result of a composition in Python, under the name of PyTorch's function.
pub fn as_made_by<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (t, name) = (args.tensor(0)?, args.str_or(1, "")?);
    match COMPOSED.iter().find(|known| **known == name) {
        Some(name) => b.label(&t, name),
        None => return Err(runtime::<B>(format!("no function is called {name}"))),
    }
    Ok(Ret::Tensor(t))
}

/// `data = ...`
pub fn set_data<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, other) = (args.tensor(0)?, args.tensor(1)?);
    if b.requires_grad(&x) && !b.dtype(&other).is_inexact() {
        return Err(runtime::<B>(
            "data set to a tensor that requires gradients must be floating point or complex dtype",
        ));
    }
    b.set_data(&x, &other)?;
    Ok(Ret::none())
}

const NOT_A_LEAF: &str = "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information.";

/// `grad`
pub fn get_grad<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    match b.grad(&x)? {
        Some(g) => Ok(Ret::Tensor(g)),
        None => {
            if b.keeps_no_grad(&x) {
                b.warn(NOT_A_LEAF)?;
            }
            Ok(Ret::none())
        }
    }
}

/// `grad = ...`
pub fn set_grad<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    match args.get(1) {
        Some(Arg::Const(Value::None)) | None => b.set_grad(&x, None)?,
        Some(Arg::Tensor(g)) => {
            let g = g.clone();
            if b.dtype(&x) != b.dtype(&g) {
                return Err(runtime::<B>(format!(
                    "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. {GRAD_DTYPE}",
                    b.dtype(&g).c_name(),
                    b.dtype(&x).scalar_type_name()
                )));
            }
            let (p, q) = (b.shape(&x), b.shape(&g));
            if !super::same_shape(b, &p, &q)? {
                return Err(runtime::<B>(format!(
                    "attempting to assign a gradient of size '{}' to a tensor of size '{}'. Please ensure that the gradient and the tensor are the same size",
                    shape_text(b, &g),
                    shape_text(b, &x)
                )));
            }
            b.set_grad(&x, Some(&g))?;
        }
        Some(other) => {
            return Err(TensorError::Type(format!(
                "assigned grad expected to be a Tensor or None but got grad of type {}",
                type_name(other)
            ))
            .into());
        }
    }
    Ok(Ret::none())
}

/// `requires_grad`
pub fn requires_grad<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    b.certain_grad(&x)?;
    Ok(Ret::bool(b.requires_grad(&x)))
}

/// `requires_grad = ...`
pub fn set_requires_grad<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let on = args.flag(1)?;
    b.set_requires_grad(&x, on)?;
    Ok(Ret::none())
}

/// `requires_grad_`
pub fn requires_grad_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let on = args.flag_or(1, true)?;
    b.set_requires_grad(&x, on)?;
    Ok(Ret::Tensor(x))
}

/// `detach_`
pub fn detach_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    b.detach_in_place(&x)?;
    Ok(Ret::Tensor(x))
}

/// `is_leaf`
pub fn is_leaf<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    b.certain_grad(&x)?;
    Ok(Ret::bool(b.is_leaf(&x)))
}

/// `backward`
pub fn backward<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let gradient = args.tensor_opt(1)?;
    let create_graph = args.flag(3)?;
    let retain_graph = args.flag_or(2, create_graph)?;
    if args.given(4).is_some() {
        let inputs = match args.get(4) {
            Some(Arg::Tensor(t)) => vec![t.clone()],
            _ => args.tensors(4)?,
        };
        if inputs.is_empty() {
            return Err(runtime::<B>(
                "`inputs` argument to `backward()` cannot be empty.",
            ));
        }
        b.backward_to(&x, gradient.as_ref(), retain_graph, create_graph, &inputs)?;
        return Ok(Ret::none());
    }
    b.backward(&x, gradient.as_ref(), retain_graph, create_graph)?;
    Ok(Ret::none())
}

/// `torch.is_grad_enabled`
pub fn is_grad_enabled<B: TorchOps>(b: &mut B, _args: &mut CallArgs<B>) -> Res<B> {
    Ok(Ret::bool(b.is_grad_enabled()))
}

/// `torch._C._set_grad_enabled`
pub fn set_grad_mode<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let on = args.flag(0)?;
    b.set_grad_enabled(on)?;
    Ok(Ret::none())
}
