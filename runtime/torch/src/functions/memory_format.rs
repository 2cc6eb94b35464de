//! Where elements lie: what `memory_format=` asks for.
//!
//! In: a tensor or a shape, and a format. Out: tensors whose strides are that format's: a row-major tensor whose
//! dimensions are in the order of memory, seen in their own order. Always: values are the same in every format.

use janus_tensor::ops::{Axes, Dims};
use janus_tensor::shape::inverse_permutation;
use janus_tensor::{DType, Dim, Scalar};

use super::{TRes, rank, runtime};
use crate::TorchOps;
use crate::formats::MemoryFormat;

/// The dimensions from the slowest to the fastest one in memory that a format asks for; `None` where that is their
/// own order.
fn order<B: TorchOps>(format: MemoryFormat, rank: usize) -> Result<Option<Axes>, B::Error> {
    match format.order() {
        Some(order) if order.len() != rank => Err(runtime::<B>(format!(
            "required rank {} tensor to use {} format",
            order.len(),
            format.name()
        ))),
        order => Ok(order.map(Axes::from)),
    }
}

/// The same for something made like a tensor, which lies as that does where nothing else is asked for.
fn order_like<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    format: Option<MemoryFormat>,
) -> Result<Option<Axes>, B::Error> {
    match format {
        None | Some(MemoryFormat::Preserve) => b.memory_order(x),
        Some(format) => order::<B>(format, rank(b, x)),
    }
}

/// Whether a tensor lies in a format, without gaps.
pub fn lies_in<B: TorchOps>(b: &mut B, x: &B::T, format: MemoryFormat) -> Result<bool, B::Error> {
    match format.order() {
        None => b.is_contiguous(x),
        Some(order) if order.len() != rank(b, x) => Ok(false),
        Some(order) => {
            let x = b.permute(x, order)?;
            b.is_contiguous(&x)
        }
    }
}

/// A copy in a dtype and a format; without one it lies as the tensor does.
pub fn copied<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dtype: DType,
    format: Option<MemoryFormat>,
) -> TRes<B> {
    let copy = |b: &mut B, x: &B::T| match b.dtype(x) == dtype {
        true => b.copy(x),
        false => b.cast(x, dtype),
    };
    match order_like(b, x, format)? {
        None => copy(b, x),
        Some(order) => {
            let x = b.permute(x, &order)?;
            let x = copy(b, &x)?;
            b.laid_out(&x, &inverse_permutation(&order))
        }
    }
}

fn full_in<B: TorchOps>(
    b: &mut B,
    value: &B::S,
    dtype: DType,
    shape: &[Dim],
    order: Option<Axes>,
) -> TRes<B> {
    let Some(order) = order else {
        return b.full(value, dtype, shape);
    };
    let ordered: Dims = order
        .iter()
        .filter_map(|&d| shape.get(d).copied())
        .collect();
    let t = b.full(value, dtype, &ordered)?;
    b.laid_out(&t, &inverse_permutation(&order))
}

/// A tensor filled with a number, in a format.
pub fn full<B: TorchOps>(
    b: &mut B,
    value: &B::S,
    dtype: DType,
    shape: &[Dim],
    format: Option<MemoryFormat>,
) -> TRes<B> {
    let order = match format {
        None => None,
        Some(MemoryFormat::Preserve) => {
            return Err(runtime::<B>("unsupported memory format Preserve"));
        }
        Some(format) => order::<B>(format, shape.len())?,
    };
    full_in(b, value, dtype, shape, order)
}

/// A tensor of the shape of another one, filled with a number, in a format.
pub fn full_like<B: TorchOps>(
    b: &mut B,
    value: &B::S,
    dtype: DType,
    like: &B::T,
    format: Option<MemoryFormat>,
) -> TRes<B> {
    let order = order_like(b, like, format)?;
    let shape = b.shape(like);
    full_in(b, value, dtype, &shape, order)
}

/// Something that lies as what is made like a tensor, in a format.
pub fn example<B: TorchOps>(b: &mut B, like: &B::T, format: Option<MemoryFormat>) -> TRes<B> {
    match format {
        None | Some(MemoryFormat::Preserve) => Ok(like.clone()),
        format => {
            let (zero, dtype) = (b.scalar(Scalar::I64(0)), b.dtype(like));
            full_like(b, &zero, dtype, like, format)
        }
    }
}
