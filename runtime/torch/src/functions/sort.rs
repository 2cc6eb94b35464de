//! Functions that order elements.
//!
//! In: a tensor and a dimension. Out: values and indices. Always: the order comes from a sort of
//! indices; values are gathered, so that gradients flow to where they came from.

use janus_tensor::ops::{ArgOp, ReduceOp, SortPart};
use janus_tensor::shape::normalize_dim;
use janus_tensor::{DType, Dim, Scalar};

use super::reduce::refuse_empty;
use super::slope::{is_differentiated, with_gradient_of};
use super::{Res, TRes, dim_arg, named, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{CallArgs, Ret};

fn pair<B: TorchOps>(name: &'static str, values: B::T, indices: B::T) -> Res<B> {
    Ok(Ret::NamedTuple(
        name,
        vec![Ret::Tensor(values), Ret::Tensor(indices)],
    ))
}

/// Sorted values and their indices; 0-d tensors sort to themselves.
fn sorted<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    descending: bool,
    part: SortPart,
) -> Result<(B::T, B::T), B::Error> {
    if rank(b, x) == 0 {
        let zero = b.scalar(Scalar::I64(0));
        return Ok((b.copy(x)?, b.full(&zero, DType::I64, &[])?));
    }
    let order = b.argsort_part(x, dim, descending, part)?;
    let values = b.gather(x, dim, &order)?;
    Ok((values, order))
}

/// `sort`
pub fn sort<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, -1, rank(b, &x))?;
    let (values, indices) = sorted(b, &x, dim, args.flag(2)?, SortPart::All)?;
    b.label(&values, "SortBackward0");
    pair::<B>("torch.return_types.sort", values, indices)
}

/// `argsort`
pub fn argsort<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, -1, rank(b, &x))?;
    let (_, indices) = sorted(b, &x, dim, args.flag(2)?, SortPart::All)?;
    Ok(Ret::Tensor(indices))
}

/// `topk`
pub fn topk<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x) == DType::Bool {
        return Err(runtime::<B>("topk does not support bool dtypes on CPU"));
    }
    let k = args.extent(b, 1)?;
    let dim = dim_arg(b, args, 2, -1, rank(b, &x))?;
    let shape = b.shape(&x);
    let n = shape.get(dim).copied().unwrap_or(Dim::Known(1));
    if k.known()
        .is_some_and(|k| k < 0 || n.known().is_some_and(|n| k > n))
    {
        return Err(runtime::<B>("selected index k out of range"));
    }
    let first = b.within(Dim::Known(0), k, n)?;
    let Some(count) = k.known() else {
        return Err(super::not_known::<B>("topk of a number that moves"));
    };
    let part = match args.flag_or(4, true)? {
        true => SortPart::Top(count),
        false => SortPart::TopUnordered(count),
    };
    let (mut values, mut indices) = sorted(b, &x, dim, args.flag_or(3, true)?, part)?;
    if !shape.is_empty() {
        // Not views of all that was sorted: the results lie row by row.
        values = super::shape::narrow_of(b, &values, dim, first, k)?;
        values = b.copy(&values)?;
        indices = super::shape::narrow_of(b, &indices, dim, first, k)?;
        indices = b.copy(&indices)?;
    }
    b.label(&values, "TopkBackward0");
    pair::<B>("torch.return_types.topk", values, indices)
}

/// The k-th smallest (from 0) along a dimension, where `part` of the order is looked at.
fn kth<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    (k, part): (i64, SortPart),
    keepdim: bool,
) -> Result<(B::T, B::T), B::Error> {
    let (values, indices) = sorted(b, x, dim, false, part)?;
    let shape = b.shape(x);
    if shape.is_empty() {
        return Ok((values, indices));
    }
    let mut out = Vec::with_capacity(2);
    for t in [values, indices] {
        let one = super::shape::narrow_of(b, &t, dim, Dim::Known(k), Dim::Known(1))?;
        let one = b.copy(&one)?;
        out.push(if keepdim {
            one
        } else {
            let mut dropped = shape.clone();
            dropped.remove(dim);
            b.reshape(&one, &dropped)?
        });
    }
    match (out.pop(), out.pop()) {
        (Some(indices), Some(values)) => Ok((values, indices)),
        _ => Err(runtime::<B>("kth of nothing")),
    }
}

fn known_extent<B: TorchOps>(shape: &[Dim], dim: usize) -> Result<i64, B::Error> {
    match shape.get(dim) {
        None => Ok(1),
        Some(d) => d
            .known()
            .ok_or_else(|| super::not_known::<B>("an order along an extent that moves")),
    }
}

/// NaN where one of the elements that `value` came from is NaN.
fn nan_if_any<B: TorchOps>(b: &mut B, x: &B::T, value: B::T, dims: &[usize]) -> TRes<B> {
    if !b.dtype(x).is_float() {
        return Ok(value);
    }
    let unequal = b.ne(x, x)?;
    let any = b.reduce(ReduceOp::Max, &unequal, dims)?;
    let nan = splat_like(b, f64::NAN, &value)?;
    b.select(&any, &nan, &value)
}

/// Medians along a dimension and their indices, where there are NaN the first one of these.
fn nan_first<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    keepdim: bool,
    values: B::T,
    indices: B::T,
) -> Result<(B::T, B::T), B::Error> {
    let shape = b.shape(x);
    if !b.dtype(x).is_float() || shape.is_empty() {
        return Ok((values, indices));
    }
    let unequal = b.ne(x, x)?;
    let marks = b.cast(&unequal, DType::I64)?;
    let kept = b.shape(&indices);
    let mut firsts = [
        b.arg_reduce(ArgOp::Max, &marks, dim)?,
        b.reduce(ReduceOp::Max, &unequal, &[dim])?,
    ];
    if keepdim {
        for t in &mut firsts {
            *t = b.reshape(t, &kept)?;
        }
    }
    let [first, any] = firsts;
    let indices = b.select(&any, &first, &indices)?;
    // Taken anew, so that the gradient goes where the index says.
    let mut wide = shape.clone();
    if let Some(n) = wide.get_mut(dim) {
        *n = Dim::Known(1);
    }
    let at = b.reshape(&indices, &wide)?;
    let taken = b.gather(x, dim, &at)?;
    let values = b.reshape(&taken, &kept)?;
    Ok((values, indices))
}

/// An element of a tensor without its place: its gradient goes to all elements that are equal to it, in equal parts.
pub(super) fn evenly_among_ties<B: TorchOps>(b: &mut B, x: &B::T, value: B::T) -> TRes<B> {
    if !is_differentiated(b, x) {
        return Ok(value);
    }
    let mut shape = b.shape(x);
    let flat;
    let mut x = x;
    if shape.len() != 1 {
        let n = b.numel(&shape)?;
        flat = b.reshape(x, &[n])?;
        x = &flat;
        shape = b.shape(x);
    }
    let wide = b.broadcast(&value, &shape, &[])?;
    let (equal, nan, none) = (b.eq(x, &wide)?, b.ne(x, x)?, b.ne(&wide, &wide)?);
    let both = b.and(&nan, &none)?;
    let ties = b.or(&equal, &both)?;
    let zero = splat_like(b, 0, x)?;
    let sum = b.select(&ties, x, &zero)?;
    let sum = b.reduce(ReduceOp::Sum, &sum, &[0])?;
    let count = b.cast(&ties, b.dtype(x))?;
    let count = b.reduce(ReduceOp::Sum, &count, &[0])?;
    let mean = b.div(&sum, &count)?;
    with_gradient_of(b, value, &mean)
}

/// `median`: the lower one of two.
pub fn median<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    super::no_bools::<B>(b.dtype(&x), "median_cpu")?;
    let shape = b.shape(&x);
    match args.int_opt(b, 1)? {
        None => {
            let n = b.numel(&shape)?;
            let flat = b.reshape(&x, &[n])?;
            let n = known_extent::<B>(&[n], 0)?;
            if n == 0 {
                // Nothing has no median: NaN, or the smallest number there is.
                let dtype = b.dtype(&x);
                let none = b.scalar(if dtype.is_float() {
                    Scalar::F64(f64::NAN)
                } else {
                    Scalar::I64(i64::MIN)
                });
                return Ok(Ret::Tensor(b.full(&none, dtype, &[])?));
            }
            let constant = b.detach(&flat)?;
            let (value, _) = kth(b, &constant, 0, ((n - 1).max(0) / 2, SortPart::All), false)?;
            let value = nan_if_any(b, &constant, value, &[0])?;
            let value = evenly_among_ties(b, &flat, value)?;
            named(b, value, "MedianBackward0")
        }
        Some(dim) => {
            let dim = normalize_dim(dim, shape.len())?;
            let n = known_extent::<B>(&shape, dim)?;
            refuse_empty(b, &x, &[dim], "median")?;
            let keepdim = args.flag(2)?;
            let (values, indices) = kth(b, &x, dim, ((n - 1).max(0) / 2, SortPart::All), keepdim)?;
            let (values, indices) = nan_first(b, &x, dim, keepdim, values, indices)?;
            b.label(&values, "MedianBackward1");
            pair::<B>("torch.return_types.median", values, indices)
        }
    }
}

/// `kthvalue`, k counted from 1.
pub fn kthvalue<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    super::no_bools::<B>(b.dtype(&x), "kthvalue_cpu")?;
    let k = args.int(b, 1)?;
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 2, -1, shape.len())?;
    let n = known_extent::<B>(&shape, dim)?;
    refuse_empty(b, &x, &[dim], "kthvalue")?;
    if k < 1 || k > n {
        return Err(runtime::<B>(format!(
            "kthvalue(): selected number k out of range for dimension {dim}"
        )));
    }
    let (values, indices) = kth(b, &x, dim, (k - 1, SortPart::Kth(k - 1)), args.flag(3)?)?;
    b.label(&values, "KthvalueBackward0");
    pair::<B>("torch.return_types.kthvalue", values, indices)
}
