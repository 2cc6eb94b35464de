//! Inverses, determinants and linear systems.
//!
//! In: square matrices of a known extent, with any number of batch dimensions. Out: tensors. Always:
//! Gauss-Jordan elimination with partial pivoting, the row of the largest pivot chosen by `argmax`
//! and moved by `gather`, so that the tape and graphs differentiate it like anything else.

use janus_tensor::ops::{ArgOp, Axes, Dims};
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::shape::{at, known_extent};
use super::{Res, TRes, known, named, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{CallArgs, Ret};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// What elimination leaves.
struct Reduced<T> {
    /// `inverse(a) @ right`, batches flat.
    right: T,
    /// The determinants.
    det: T,
    batch: Dims,
}

fn square<B: TorchOps>(b: &B, a: &B::T, name: &str) -> Result<i64, B::Error> {
    let shape = b.shape(a);
    let n = shape.len();
    if n < 2 {
        return Err(runtime::<B>(format!(
            "{name}: The input tensor A must have at least 2 dimensions."
        )));
    }
    let (rows, columns) = (at(&shape, n - 2), at(&shape, n - 1));
    if rows != columns {
        let extents = known(&[rows, columns]);
        return Err(runtime::<B>(format!(
            "{name}: A must be batches of square matrices, but they are {} by {} matrices",
            extents.first().unwrap_or(&-1),
            extents.get(1).unwrap_or(&-1)
        )));
    }
    if !b.dtype(a).is_float() {
        return Err(runtime::<B>(format!(
            "{name}: Expected a floating point or complex tensor as input. Got {}",
            b.dtype(a).scalar_type_name()
        )));
    }
    known_extent::<B>(&shape, n - 1, name)
}

/// `[batch, n, n]`, and the batch dimensions.
fn flatten<B: TorchOps>(b: &mut B, a: &B::T) -> Result<(B::T, Dims), B::Error> {
    let shape = b.shape(a);
    let n = shape.len();
    let batch: Dims = shape.get(..n - 2).unwrap_or_default().into();
    let count = b.numel(&batch)?;
    let flat = b.reshape(a, &[count, at(&shape, n - 2), at(&shape, n - 1)])?;
    Ok((flat, batch))
}

/// Broadcasts `[batch, rows or 1, columns or 1]` to a shape.
fn widen<B: TorchOps>(b: &mut B, t: &B::T, shape: &[Dim]) -> TRes<B> {
    let axes: Axes = [0, 1, 2].as_slice().into();
    b.broadcast(t, shape, &axes)
}

fn eliminate<B: TorchOps>(
    b: &mut B,
    a: &B::T,
    right: &B::T,
    n: i64,
    refuse: Option<&str>,
) -> Result<Reduced<B::T>, B::Error> {
    let (a, batch) = flatten(b, a)?;
    let (right, _) = flatten(b, right)?;
    let mut m = b.concat(&[&a, &right], 2)?;
    let wide = b.shape(&m);
    let (count, width) = (at(&wide, 0), at(&wide, 2));
    let (size, one) = (Dim::Known(n), b.scalar(Scalar::I64(1)));
    let mut det = b.full(&one, b.dtype(&a), &[count])?;
    let rows = b.iota(1, DType::I64, &[count, size])?;
    let row_axes: Axes = [0, 1].as_slice().into();
    let batch_axis: Axes = [0].as_slice().into();
    for k in 0..n {
        let at_k = Dim::Known(k);
        let below = Dim::Known(n - k);
        let column = b.slice(&m, &[ZERO, at_k, at_k], &[count, below, ONE], &[1, 1, 1])?;
        let column = b.reshape(&column, &[count, below])?;
        let column = b.detach(&column)?;
        let column = b.abs(&column)?;
        let place = b.arg_reduce(ArgOp::Max, &column, 1)?;
        let here = splat_like(b, k, &place)?;
        let place = b.add(&place, &here)?;
        let stays = b.eq(&place, &here)?;
        let chosen = b.broadcast(&place, &[count, size], &batch_axis)?;
        let here = splat_like(b, k, &rows)?;
        let (is_here, is_chosen) = (b.eq(&rows, &here)?, b.eq(&rows, &chosen)?);
        let order = b.select(&is_chosen, &here, &rows)?;
        let order = b.select(&is_here, &chosen, &order)?;
        let order = b.broadcast(&order, &wide, &row_axes)?;
        m = b.gather(&m, 1, &order)?;
        let pivot = b.slice(&m, &[ZERO, at_k, at_k], &[count, ONE, ONE], &[1, 1, 1])?;
        let flat = b.reshape(&pivot, &[count])?;
        if let Some(name) = refuse {
            let zero = splat_like(b, 0, &flat)?;
            let singular = b.eq(&flat, &zero)?;
            let singular = b.reduce(janus_tensor::ops::ReduceOp::Max, &singular, &[0])?;
            let singular = b.item(&singular)?;
            // In a graph the number is not known, and the result is not finite.
            if b.scalar_value(&singular) == Some(Scalar::Bool(true)) {
                return Err(runtime::<B>(format!(
                    "{name}: The diagonal element {} is zero, the {} could not be completed because the input matrix is singular.",
                    k + 1,
                    if name == "linalg.inv" {
                        "inversion"
                    } else {
                        "solve"
                    }
                )));
            }
        }
        let minus = b.neg(&flat)?;
        let signed = b.select(&stays, &flat, &minus)?;
        det = b.mul(&det, &signed)?;
        let row = b.slice(&m, &[ZERO, at_k, ZERO], &[count, ONE, width], &[1, 1, 1])?;
        let pivot = if refuse.is_some() {
            pivot
        } else {
            // The determinant is zero already; what follows must not make it NaN.
            let (zero, unit) = (splat_like(b, 0, &pivot)?, splat_like(b, 1, &pivot)?);
            let none = b.eq(&pivot, &zero)?;
            b.select(&none, &unit, &pivot)?
        };
        let pivot = widen(b, &pivot, &[count, ONE, width])?;
        let row = b.div(&row, &pivot)?;
        let row = widen(b, &row, &wide)?;
        let factor = b.slice(&m, &[ZERO, ZERO, at_k], &[count, size, ONE], &[1, 1, 1])?;
        let factor = widen(b, &factor, &wide)?;
        let taken = b.mul(&factor, &row)?;
        let others = b.sub(&m, &taken)?;
        let is_row = b.broadcast(&is_here, &wide, &row_axes)?;
        m = b.select(&is_row, &row, &others)?;
    }
    let left = b.dim_sub(width, size)?;
    let right = b.slice(&m, &[ZERO, ZERO, size], &[count, size, left], &[1, 1, 1])?;
    Ok(Reduced { right, det, batch })
}

/// Identity matrices in the shape of `a`.
fn identity<B: TorchOps>(b: &mut B, a: &B::T) -> TRes<B> {
    let shape = b.shape(a);
    let n = shape.len();
    let (rows, columns) = (
        b.iota(n - 2, DType::I64, &shape)?,
        b.iota(n - 1, DType::I64, &shape)?,
    );
    let diagonal = b.eq(&rows, &columns)?;
    b.cast(&diagonal, b.dtype(a))
}

/// `linalg.inv`
pub fn inv<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let a = args.tensor(0)?;
    let n = square(b, &a, "linalg.inv")?;
    let unit = identity(b, &a)?;
    let reduced = eliminate(b, &a, &unit, n, Some("linalg.inv"))?;
    let shape = b.shape(&a);
    let t = b.reshape(&reduced.right, &shape)?;
    named(b, t, "LinalgInvExBackward0")
}

/// `linalg.solve`: the right side is a vector where it has one dimension less.
pub fn solve<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (a, right) = (args.tensor(0)?, args.tensor(1)?);
    let n = square(b, &a, "linalg.solve")?;
    let (p, q) = (b.shape(&a), b.shape(&right));
    let vector = q.len() == 1
        || (q.len() + 1 == p.len() && q.as_slice() == p.get(..p.len() - 1).unwrap_or_default());
    let mut columns = q.clone();
    if vector {
        columns.push(ONE);
    }
    if columns.len() != p.len() {
        return Err(TensorError::NotImplemented(
            "torch.linalg.solve: batches that broadcast are not implemented in janus-jit yet"
                .into(),
        )
        .into());
    }
    if at(&columns, columns.len() - 2) != Dim::Known(n) {
        return Err(runtime::<B>(format!(
            "linalg.solve: Incompatible shapes of A and B for the equation AX = B ({n}x{n} and {}x{})",
            at(&columns, columns.len() - 2).known().unwrap_or(-1),
            at(&columns, columns.len() - 1).known().unwrap_or(-1)
        )));
    }
    let wide = b.reshape(&right, &columns)?;
    let reduced = eliminate(b, &a, &wide, n, Some("torch.linalg.solve"))?;
    let t = b.reshape(&reduced.right, &q)?;
    named(b, t, "LinalgSolveExBackward0")
}

fn det_of<B: TorchOps>(b: &mut B, a: &B::T, name: &str) -> TRes<B> {
    let n = square(b, a, name)?;
    if rank(b, a) < 2 {
        return Ok(a.clone());
    }
    let shape = b.shape(a);
    let start = shape.iter().map(|_| ZERO).collect::<Dims>();
    let mut none = shape.clone();
    if let Some(d) = none.last_mut() {
        *d = ZERO;
    }
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    let nothing = b.slice(a, &start, &none, &strides)?;
    let reduced = eliminate(b, a, &nothing, n, None)?;
    b.reshape(&reduced.det, &reduced.batch)
}

/// `det`
pub fn det<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let a = args.tensor(0)?;
    let t = det_of(b, &a, "linalg.det")?;
    named(b, t, "LinalgDetBackward0")
}

/// `logdet`
pub fn logdet<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let a = args.tensor(0)?;
    let t = det_of(b, &a, "logdet")?;
    let t = b.log(&t)?;
    Ok(Ret::Tensor(t))
}
