//! Triangles and diagonals of matrices.
//!
//! In: tensors with two dimensions to look at. Out: masked copies, or strided views of a diagonal.
//! Always: what lies where comes from index primitives, so that extents may be symbolic in masks.

use janus_tensor::ops::{Axes, Dims, ReduceOp};
use janus_tensor::shape::inverse_permutation;
use janus_tensor::{DType, Dim, Prim, Scalar};

use super::shape::{at, known_extent, pad_constant};
use super::{Res, TRes, dim_arg, named, no_bools, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::CallArgs;

const ZERO: Dim = Dim::Known(0);

fn triangle<B: TorchOps>(b: &mut B, args: &CallArgs<B>, lower: bool) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let rank = shape.len();
    if rank < 2 {
        return Err(runtime::<B>(format!(
            "{}: input tensor must have at least 2 dimensions",
            args.name()
        )));
    }
    let k = args.int_or(b, 1, 0)?;
    let row = b.iota(rank - 2, DType::I64, &shape)?;
    let column = b.iota(rank - 1, DType::I64, &shape)?;
    let k = splat_like(b, k, &row)?;
    let limit = b.add(&row, &k)?;
    let keep = if lower {
        b.le(&column, &limit)?
    } else {
        b.ge(&column, &limit)?
    };
    let zero = splat_like(b, 0, &x)?;
    let t = b.select(&keep, &x, &zero)?;
    named(
        b,
        t,
        if lower {
            "TrilBackward0"
        } else {
            "TriuBackward0"
        },
    )
}

/// `tril`
pub fn tril<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    triangle(b, args, true)
}

/// `triu`
pub fn triu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    triangle(b, args, false)
}

/// A diagonal of two dimensions as the last one: a strided walk over the merged dimensions.
fn diagonal_of<B: TorchOps>(b: &mut B, x: &B::T, offset: i64, p: usize, q: usize) -> TRes<B> {
    let shape = b.shape(x);
    let rows = known_extent::<B>(&shape, p, "a diagonal")?;
    let columns = known_extent::<B>(&shape, q, "a diagonal")?;
    let n = if offset >= 0 {
        rows.min(columns - offset)
    } else {
        (rows + offset).min(columns)
    }
    .max(0);
    let mut dims: Axes = (0..shape.len()).filter(|&d| d != p && d != q).collect();
    let mut merged: Dims = dims.iter().map(|&d| at(&shape, d)).collect();
    dims.extend([p, q]);
    let t = b.permute(x, &dims)?;
    merged.push(Dim::Known(rows * columns));
    let t = b.reshape(&t, &merged)?;
    let start = if offset >= 0 {
        offset
    } else {
        -offset * columns
    };
    let mut starts: Dims = merged.iter().map(|_| ZERO).collect();
    let mut strides: Vec<i64> = merged.iter().map(|_| 1).collect();
    let mut sizes = merged.clone();
    let last = merged.len() - 1;
    if let (Some(s), Some(st), Some(sz)) = (
        starts.get_mut(last),
        strides.get_mut(last),
        sizes.get_mut(last),
    ) {
        *s = Dim::Known(if n == 0 { 0 } else { start });
        *st = columns + 1;
        *sz = Dim::Known(n);
    }
    let taken = b.slice(&t, &starts, &sizes, &strides)?;
    let steps = [
        Prim::Permute { dims },
        Prim::Reshape { shape: merged },
        Prim::Slice {
            starts,
            sizes,
            strides: strides.into(),
        },
    ];
    b.shown_diagonal(x, &taken, steps, (p, q, offset))
}

/// `diagonal`
pub fn diagonal<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    let offset = args.int_or(b, 1, 0)?;
    let p = dim_arg(b, args, 2, 0, rank)?;
    let q = dim_arg(b, args, 3, 1, rank)?;
    if p == q {
        return Err(runtime::<B>(format!(
            "diagonal dimensions cannot be identical {p}, {q}"
        )));
    }
    let t = diagonal_of(b, &x, offset, p, q)?;
    named(b, t, "DiagonalBackward0")
}

/// `diagonal_scatter`: a copy with another diagonal.
pub fn diagonal_scatter<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, src) = (args.tensor(0)?, args.tensor(1)?);
    let shape = b.shape(&x);
    let k = args.int_or(b, 2, 0)?;
    let p = dim_arg(b, args, 3, 0, shape.len())?;
    let q = dim_arg(b, args, 4, 1, shape.len())?;
    if p == q {
        return Err(runtime::<B>(format!(
            "diagonal dimensions cannot be identical {p}, {q}"
        )));
    }
    let rows = known_extent::<B>(&shape, p, "diagonal_scatter")?;
    let columns = known_extent::<B>(&shape, q, "diagonal_scatter")?;
    // Row i has its element of the diagonal in column i + k.
    let before = (-k).clamp(0, rows);
    let n = (rows - before).min(columns - k.max(0)).max(0);
    let mut dims: Axes = (0..shape.len()).filter(|&d| d != p && d != q).collect();
    let mut want: Dims = dims.iter().map(|&d| at(&shape, d)).collect();
    let line = want.len();
    want.push(Dim::Known(n));
    let have = b.shape(&src);
    if !super::same_shape(b, &have, &want)? {
        return Err(super::rearrange::slice_mismatch::<B>(&have, &want));
    }
    dims.extend([p, q]);
    let whole = b.permute(&x, &dims)?;
    let src = b.cast(&src, b.dtype(&x))?;
    let zero = b.scalar(Scalar::I64(0));
    let src = pad_constant(b, &src, line, before, rows - n - before, &zero)?;
    let wide = b.shape(&whole);
    let kept: Axes = (0..=line).collect();
    let src = b.broadcast(&src, &wide, &kept)?;
    let (row, column) = (
        b.iota(line, DType::I64, &wide)?,
        b.iota(line + 1, DType::I64, &wide)?,
    );
    let k = splat_like(b, k, &row)?;
    let target = b.add(&row, &k)?;
    let on = b.eq(&column, &target)?;
    let t = b.select(&on, &src, &whole)?;
    let t = b.permute(&t, &inverse_permutation(&dims))?;
    named(b, t, "DiagonalScatterBackward0")
}

/// `diag`
pub fn diag<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let k = args.int_or(b, 1, 0)?;
    let shape = b.shape(&x);
    match shape.len() {
        2 => {
            let t = diagonal_of(b, &x, k, 0, 1)?;
            let t = b.copy(&t)?;
            named(b, t, "DiagonalBackward0_copy")
        }
        1 => {
            let n = known_extent::<B>(&shape, 0, "diag")?;
            let size = n + k.abs();
            let square = [Dim::Known(size), Dim::Known(size)];
            // element [i, j] is x[min(i, j)] where j - i == k
            let (row, column) = (
                b.iota(0, DType::I64, &square)?,
                b.iota(1, DType::I64, &square)?,
            );
            let kk = splat_like(b, k, &row)?;
            let target = b.add(&row, &kk)?;
            let on = b.eq(&column, &target)?;
            let zero = b.scalar(Scalar::I64(0));
            let pad = pad_constant(b, &x, 0, k.min(0).abs(), k.max(0), &zero)?;
            let wide = b.broadcast(&pad, &square, &[0])?;
            let zero = splat_like(b, 0, &wide)?;
            let t = b.select(&on, &wide, &zero)?;
            named(b, t, "DiagEmbedBackward0")
        }
        _ => Err(runtime::<B>("diag(): Supports 1D or 2D tensors. Got 0D")),
    }
}

/// `trace`
pub fn trace<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if rank(b, &x) != 2 {
        return Err(runtime::<B>(format!(
            "trace: expected a matrix, but got tensor with dim {}",
            rank(b, &x)
        )));
    }
    no_bools::<B>(b.dtype(&x), "trace")?;
    let d = diagonal_of(b, &x, 0, 0, 1)?;
    let d = if b.dtype(&d).is_inexact() {
        d
    } else {
        b.cast(&d, DType::I64)?
    };
    let t = b.reduce(ReduceOp::Sum, &d, &[0])?;
    named(b, t, "TraceBackward0")
}
