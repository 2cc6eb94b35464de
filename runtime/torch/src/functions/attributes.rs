//! Attributes and shape queries.
//!
//! In: a tensor. Out: Python values. Always: extents come as run-time numbers, so that a graph may
//! keep them symbolic.

use janus_object::Value;
use janus_tensor::{Device, Dim, TensorError};

use super::memory_format::lies_in;
use super::{Res, own_dim, promoted, rank};
use crate::TorchOps;
use crate::call::{CallArgs, Operand, Ret};
use crate::formats::MemoryFormat;
use crate::objects;

/// `shape`
pub fn shape<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Size(b.shape(&x)))
}

/// `size()`, `size(dim)`
pub fn size<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let Some(dim) = args.int_opt(b, 1)? else {
        return Ok(Ret::Size(shape));
    };
    let dim = own_dim(dim, shape.len())?;
    let d = shape.get(dim).copied().unwrap_or(Dim::Known(1));
    Ok(Ret::Scalar(b.dim_scalar(d)))
}

/// `stride()`, `stride(dim)`
pub fn stride<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let strides = b.strides(&x)?;
    match args.int_opt(b, 1)? {
        Some(dim) => {
            let dim = own_dim(dim, strides.len())?;
            Ok(Ret::Const(Value::Int(
                strides.get(dim).copied().unwrap_or(1),
            )))
        }
        None => {
            let all: Vec<Value> = strides.iter().map(|&s| Value::Int(s)).collect();
            Ok(Ret::Const(Value::tuple(all)))
        }
    }
}

/// `ndim`
pub fn ndim<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Const(Value::Int(rank(b, &x) as i64)))
}

/// `numel`
pub fn numel<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let n = b.numel(&shape)?;
    Ok(Ret::Scalar(b.dim_scalar(n)))
}

/// `dtype`
pub fn dtype<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Const(objects::dtype_value(b.dtype(&x))))
}

/// `device`
pub fn device<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Const(crate::devices::value(b.device(&x))))
}

/// `element_size`
pub fn element_size<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Const(Value::Int(b.dtype(&x).size() as i64)))
}

/// `nbytes`
pub fn nbytes<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let size = Dim::Known(b.dtype(&x).size() as i64);
    let shape = b.shape(&x);
    let count = b.numel(&shape)?;
    let bytes = b.dim_mul(count, size)?;
    Ok(Ret::Scalar(b.dim_scalar(bytes)))
}

/// `get_device`: -1 is the CPU.
pub fn get_device<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let index = b.device(&x).index().map_or(-1, i64::from);
    Ok(Ret::Const(Value::Int(index)))
}

/// `len(tensor)`
pub fn len<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    match b.shape(&x).first() {
        Some(&d) => Ok(Ret::Scalar(b.dim_scalar(d))),
        None => Err(TensorError::Type("len() of a 0-d tensor".to_owned()).into()),
    }
}

/// `is_floating_point`
pub fn is_floating_point<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::bool(b.dtype(&x).is_float()))
}

/// `is_cuda`
pub fn is_cuda<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::bool(matches!(b.device(&x), Device::Cuda(_))))
}

/// `is_meta`
pub fn is_meta<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::bool(b.device(&x) == Device::Meta))
}

/// `is_sparse`, and other things that no tensor here is.
pub fn is_elsewhere<B: TorchOps>(_b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    args.tensor(0)?;
    Ok(Ret::bool(false))
}

/// `is_cpu`
pub fn is_cpu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::bool(b.device(&x) == Device::Cpu))
}

/// `is_contiguous`
pub fn is_contiguous<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let format = args.memory_format(1)?.unwrap_or(MemoryFormat::Contiguous);
    let lies = lies_in(b, &x, format)?;
    // Where an extent is 0 or 1 strides do not count.
    if !lies && b.shape(&x).iter().any(|d| d.known().is_none()) {
        return Err(super::not_known::<B>(
            "whether a view whose extents move is contiguous",
        ));
    }
    Ok(Ret::bool(lies))
}

/// `torch.result_type`
pub fn result_type<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y): (Operand<B>, Operand<B>) = (args.operand(b, 0)?, args.operand(b, 1)?);
    Ok(Ret::Const(objects::dtype_value(promoted(b, &[&x, &y]))))
}
