//! Inverses, determinants, linear systems, Cholesky factors, triangular systems.
//!
//! In: square matrices of a known extent, with any number of batch dimensions. Out: tensors. Always:
//! Gauss-Jordan elimination with partial pivoting, the row of the largest pivot chosen by `argmax`
//! and moved by `gather`, so that the tape and graphs differentiate it like anything else. What there
//! is no result for (a pivot of zero) is refused, by an assert where a graph computes it.

use janus_tensor::ops::{ArgOp, Axes, Dims, ReduceOp};
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::complex::{conjugate, joined, magnitude, part};
use super::linalg::matmul_of;
use super::shape::{at, known_extent, transpose_of};
use super::slope::{constant_of, is_differentiated, with_gradient_of};
use super::{Res, TRes, broadcast_shapes, expand_to, known, named, runtime, splat_like};
use crate::TorchOps;
use crate::call::{CallArgs, Ret};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// What elimination leaves.
struct Reduced<T> {
    /// `inverse(a) @ right`, batches flat.
    right: T,
    /// The pivot of each step, and whether its row stayed where it was, per matrix.
    pivots: Vec<(T, T)>,
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
    if !b.dtype(a).is_inexact() {
        return Err(runtime::<B>(format!(
            "{name}: Expected a floating point or complex tensor as input. Got {}",
            b.dtype(a).scalar_type_name()
        )));
    }
    low_precision::<B>(b.dtype(a), name)?;
    known_extent::<B>(&shape, n - 1, name)
}

/// Refuses floats of 16 bits, which PyTorch's solvers have no form for.
fn low_precision<B: TorchOps>(dtype: DType, name: &str) -> Result<(), B::Error> {
    match (dtype.is_reduced(), name) {
        (false, _) => Ok(()),
        (true, "linalg.det") => Err(super::no_kernel::<B>("lu_cpu", dtype)),
        (true, _) => Err(runtime::<B>(format!(
            "{name}: Low precision dtypes not supported. Got {}",
            dtype.scalar_type_name()
        ))),
    }
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

/// How large elements are to whoever chooses a pivot: of complex numbers the parts count, as to LAPACK.
fn size_of<B: TorchOps>(b: &mut B, column: &B::T) -> TRes<B> {
    if !b.dtype(column).is_complex() {
        return b.abs(column);
    }
    let (re, im) = (part(b, column, 0)?, part(b, column, 1)?);
    let (re, im) = (b.abs(&re)?, b.abs(&im)?);
    b.add(&re, &im)
}

fn eliminate<B: TorchOps>(
    b: &mut B,
    a: &B::T,
    right: &B::T,
    n: i64,
    refuse: bool,
) -> Result<Reduced<B::T>, B::Error> {
    let (a, batch) = flatten(b, a)?;
    let (right, _) = flatten(b, right)?;
    let mut m = b.concat(&[&a, &right], 2)?;
    let wide = b.shape(&m);
    let (count, width) = (at(&wide, 0), at(&wide, 2));
    let size = Dim::Known(n);
    let mut pivots = Vec::new();
    let rows = b.iota(1, DType::I64, &[count, size])?;
    let row_axes: Axes = [0, 1].as_slice().into();
    let batch_axis: Axes = [0].as_slice().into();
    for k in 0..n {
        let at_k = Dim::Known(k);
        let below = Dim::Known(n - k);
        let column = b.slice(&m, &[ZERO, at_k, at_k], &[count, below, ONE], &[1, 1, 1])?;
        let column = b.reshape(&column, &[count, below])?;
        let column = b.detach(&column)?;
        let column = size_of(b, &column)?;
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
        pivots.push((flat, stays));
        let row = b.slice(&m, &[ZERO, at_k, ZERO], &[count, ONE, width], &[1, 1, 1])?;
        let pivot = if refuse {
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
    Ok(Reduced {
        right,
        pivots,
        batch,
    })
}

/// Refuses where a step failed for some matrix: `failed` has the flags of each step, `complaint` what is
/// said of the first one, counted from 1.
fn refuse_failed<B: TorchOps>(
    b: &mut B,
    failed: &[B::T],
    batch: &Dims,
    name: &str,
    complaint: impl Fn(usize) -> String,
) -> Result<(), B::Error> {
    if failed.is_empty() || batch.contains(&ZERO) {
        return Ok(());
    }
    let steps: Vec<&B::T> = failed.iter().collect();
    let any = b.concat(&steps, 0)?;
    let any = b.reduce(ReduceOp::Max, &any, &[0])?;
    let any = b.item(&any)?;
    if !b.holds(&any)? {
        return Ok(());
    }
    let count: i64 = known(batch).iter().product();
    for i in 0..count {
        for (step, flags) in failed.iter().enumerate() {
            let flag = b.slice(flags, &[Dim::Known(i)], &[ONE], &[1])?;
            let flag = b.item(&flag)?;
            if b.scalar_value(&flag) != Some(Scalar::Bool(true)) {
                continue;
            }
            let element = if batch.is_empty() {
                String::new()
            } else {
                format!("(Batch element {i}): ")
            };
            let text = format!("{name}: {element}{}", complaint(step + 1));
            return Err(TensorError::LinAlg(text).into());
        }
    }
    Err(TensorError::LinAlg(format!("{name}: {}", complaint(1))).into())
}

/// Refuses singular matrices.
fn refuse_singular<B: TorchOps>(
    b: &mut B,
    reduced: &Reduced<B::T>,
    name: &str,
    complaint: impl Fn(usize) -> String,
) -> Result<(), B::Error> {
    let mut singular = Vec::new();
    for (pivot, _) in &reduced.pivots {
        let zero = splat_like(b, 0, pivot)?;
        singular.push(b.eq(pivot, &zero)?);
    }
    refuse_failed(b, &singular, &reduced.batch, name, complaint)
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
    let reduced = eliminate(b, &a, &unit, n, true)?;
    refuse_singular(b, &reduced, "linalg.inv", |k| {
        format!(
            "The diagonal element {k} is zero, the inversion could not be completed because the input matrix is singular."
        )
    })?;
    let shape = b.shape(&a);
    let t = b.reshape(&reduced.right, &shape)?;
    named(b, t, "LinalgInvExBackward0")
}

/// Refuses a right side that has not as many rows as the matrix, or columns where that stands on the right.
fn fits<B: TorchOps>(n: i64, right: &[Dim], left: bool, name: &str) -> Result<(), B::Error> {
    let (rows, columns) = (at(right, right.len() - 2), at(right, right.len() - 1));
    if Dim::Known(n) == if left { rows } else { columns } {
        return Ok(());
    }
    Err(runtime::<B>(format!(
        "{name}: Incompatible shapes of A and B for the equation {} = B ({n}x{n} and {}x{})",
        if left { "AX" } else { "XA" },
        rows.known().unwrap_or(-1),
        columns.known().unwrap_or(-1)
    )))
}

/// Matrices and right sides with the same batch dimensions.
fn one_batch<B: TorchOps>(b: &mut B, a: &B::T, right: &B::T) -> Result<(B::T, B::T), B::Error> {
    let (p, q) = (b.shape(a), b.shape(right));
    let (matrix, sides) = (p.len() - 2, q.len() - 2);
    let batch = broadcast_shapes(
        b,
        p.get(..matrix).unwrap_or_default(),
        q.get(..sides).unwrap_or_default(),
    )?;
    let (mut wide, mut wide_right) = (batch.clone(), batch);
    wide.extend_from_slice(p.get(matrix..).unwrap_or_default());
    wide_right.extend_from_slice(q.get(sides..).unwrap_or_default());
    Ok((expand_to(b, a, &wide)?, expand_to(b, right, &wide_right)?))
}

/// `linalg.solve`: the right side is a vector where it has one dimension less.
pub fn solve<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    const NAME: &str = "linalg.solve";
    let (mut a, right) = (args.tensor(0)?, args.tensor(1)?);
    let left = args.flag_or(2, true)?;
    let n = square(b, &a, NAME)?;
    let (p, q) = (b.shape(&a), b.shape(&right));
    let vector = q.len() == 1
        || (q.len() + 1 == p.len() && q.as_slice() == p.get(..p.len() - 1).unwrap_or_default());
    let mut columns = q.clone();
    if vector {
        columns.push(ONE);
    }
    if columns.len() < 2 {
        return Err(runtime::<B>(format!(
            "{NAME}: The input tensor B must have at least 2 dimensions."
        )));
    }
    fits::<B>(n, &columns, left, NAME)?;
    let mut right = b.reshape(&right, &columns)?;
    if !left {
        (a, right) = (transposed(b, &a)?, transposed(b, &right)?);
    }
    let (a, right) = one_batch(b, &a, &right)?;
    let reduced = eliminate(b, &a, &right, n, true)?;
    refuse_singular(b, &reduced, "torch.linalg.solve", |_| {
        "The solver failed because the input matrix is singular.".to_owned()
    })?;
    let mut out = b.shape(&right);
    if vector {
        out.pop();
    }
    let mut t = b.reshape(&reduced.right, &out)?;
    if !left {
        t = transposed(b, &t)?;
    }
    named(b, t, "LinalgSolveExBackward0")
}

/// Elimination of a matrix alone.
fn pivots_of<B: TorchOps>(b: &mut B, a: &B::T, n: i64) -> Result<Reduced<B::T>, B::Error> {
    let shape = b.shape(a);
    let start = shape.iter().map(|_| ZERO).collect::<Dims>();
    let mut none = shape.clone();
    if let Some(d) = none.last_mut() {
        *d = ZERO;
    }
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    let nothing = b.slice(a, &start, &none, &strides)?;
    eliminate(b, a, &nothing, n, false)
}

/// A number for each matrix, before the first step.
fn per_matrix<B: TorchOps>(b: &mut B, a: &B::T, value: i64, batch: &Dims) -> TRes<B> {
    let count = b.numel(batch)?;
    let value = b.scalar(Scalar::I64(value));
    b.full(&value, b.dtype(a), &[count])
}

fn det_of<B: TorchOps>(b: &mut B, a: &B::T, name: &str) -> TRes<B> {
    let n = square(b, a, name)?;
    let reduced = pivots_of(b, a, n)?;
    let mut det = per_matrix(b, a, 1, &reduced.batch)?;
    for (pivot, stays) in &reduced.pivots {
        let minus = b.neg(pivot)?;
        let signed = b.select(stays, pivot, &minus)?;
        det = b.mul(&det, &signed)?;
    }
    b.reshape(&det, &reduced.batch)
}

/// `det`
pub fn det<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let a = args.tensor(0)?;
    let t = det_of(b, &a, "linalg.det")?;
    named(b, t, "LinalgDetBackward0")
}

/// `logdet`: no number where the determinant is negative.
pub fn logdet<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let a = args.tensor(0)?;
    if b.dtype(&a).is_complex() {
        let det = det_of(b, &a, "logdet")?;
        let t = b.log(&det)?;
        return named(b, t, "LogBackward0");
    }
    let (sign, size) = sign_and_size(b, &a, "logdet")?;
    let minus = splat_like(b, -1, &sign)?;
    let negative = b.eq(&sign, &minus)?;
    let none = splat_like(b, f64::NAN, &size)?;
    let t = b.select(&negative, &none, &size)?;
    named(b, t, "WhereBackward0")
}

/// `slogdet`: the determinant's sign and the logarithm of its size.
pub fn slogdet<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    slogdet_as(b, args, "torch.return_types.slogdet")
}

/// `linalg.slogdet`
pub fn linalg_slogdet<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    slogdet_as(b, args, "torch.return_types.linalg_slogdet")
}

/// The sign of a determinant, and the logarithm of its size.
fn sign_and_size<B: TorchOps>(b: &mut B, a: &B::T, name: &str) -> Result<(B::T, B::T), B::Error> {
    let n = square(b, a, name)?;
    let reduced = pivots_of(b, a, n)?;
    let mut parity = per_matrix(b, a, 1, &reduced.batch)?;
    let (mut sign, size) = (parity.clone(), per_matrix(b, a, 0, &reduced.batch)?);
    let mut size = match b.dtype(a).is_complex() {
        true => part(b, &size, 0)?,
        false => size,
    };
    for (pivot, stays) in &reduced.pivots {
        let minus = b.neg(&parity)?;
        parity = b.select(stays, &parity, &minus)?;
        let own = b.sign(pivot)?;
        sign = b.mul(&sign, &own)?;
        let own = magnitude(b, pivot)?;
        let own = b.log(&own)?;
        size = b.add(&size, &own)?;
    }
    let sign = b.mul(&parity, &sign)?;
    Ok((
        b.reshape(&sign, &reduced.batch)?,
        b.reshape(&size, &reduced.batch)?,
    ))
}

fn slogdet_as<B: TorchOps>(b: &mut B, args: &CallArgs<B>, class: &'static str) -> Res<B> {
    let a = args.tensor(0)?;
    let (sign, size) = sign_and_size(b, &a, "linalg.slogdet")?;
    b.label(&sign, "LinalgSlogdetBackward0");
    b.label(&size, "LinalgSlogdetBackward0");
    Ok(Ret::NamedTuple(
        class,
        vec![Ret::Tensor(sign), Ret::Tensor(size)],
    ))
}

/// The factor of `a = l @ l.mH`, of which the lower triangle is read.
fn cholesky_of<B: TorchOps>(b: &mut B, a: &B::T, upper: bool, name: &str) -> TRes<B> {
    let n = square(b, a, name)?;
    let shape = b.shape(a);
    let other = adjoint(b, a)?;
    let (read, other) = if upper { (&other, a) } else { (a, &other) };
    // The gradient is symmetric as in PyTorch, which takes the matrix for symmetric; the values are those read.
    let both = b.add(read, other)?;
    let half = splat_like(b, 0.5, &both)?;
    let both = b.mul(&both, &half)?;
    let off = b.sub(read, &both)?;
    let off = b.detach(&off)?;
    let whole = b.add(&both, &off)?;
    let (mut rest, batch) = flatten(b, &whole)?;
    let count = at(&b.shape(&rest), 0);
    let (mut columns, mut failed) = (Vec::new(), Vec::new());
    let zero = b.scalar(Scalar::I64(0));
    for k in 0..n {
        let below = Dim::Known(n - k - 1);
        let mut pivot = b.slice(&rest, &[ZERO, ZERO, ZERO], &[count, ONE, ONE], &[1, 1, 1])?;
        let complex = b.dtype(a).is_complex();
        if complex {
            pivot = part(b, &pivot, 0)?;
        }
        let flat = b.reshape(&pivot, &[count])?;
        let none = splat_like(b, 0, &flat)?;
        let positive = b.gt(&flat, &none)?;
        failed.push(b.not(&positive)?);
        let mut root = b.sqrt(&pivot)?;
        if complex {
            let none = splat_like(b, 0, &root)?;
            root = joined(b, &root, &none)?;
        }
        let start = [ZERO, ONE, ZERO];
        let under = b.slice(&rest, &start, &[count, below, ONE], &[1, 1, 1])?;
        let wide = widen(b, &root, &[count, below, ONE])?;
        let under = b.div(&under, &wide)?;
        let above = b.full(&zero, b.dtype(a), &[count, Dim::Known(k), ONE])?;
        columns.push(b.concat(&[&above, &root, &under], 1)?);
        let square = [count, below, below];
        rest = b.slice(&rest, &[ZERO, ONE, ONE], &square, &[1, 1, 1])?;
        let across = b.permute(&under, &[0, 2, 1])?;
        let across = conjugate(b, &across)?;
        let (down, across) = (widen(b, &under, &square)?, widen(b, &across, &square)?);
        let taken = b.mul(&down, &across)?;
        rest = b.sub(&rest, &taken)?;
    }
    refuse_failed(b, &failed, &batch, name, |k| {
        format!(
            "The factorization could not be completed because the input is not positive-definite (the leading minor of order {k} is not positive-definite)."
        )
    })?;
    let columns: Vec<&B::T> = columns.iter().collect();
    if columns.is_empty() {
        return b.copy(a);
    }
    let t = b.concat(&columns, 2)?;
    let t = b.reshape(&t, &shape)?;
    if !upper {
        return Ok(t);
    }
    let t = adjoint(b, &t)?;
    if !b.dtype(&t).is_complex() {
        return Ok(t);
    }
    // The conjugate of a zero has the other sign.
    let zero = splat_like(b, 0, &t)?;
    b.add(&t, &zero)
}

/// `linalg.cholesky`
pub fn linalg_cholesky<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let a = args.tensor(0)?;
    let upper = args.flag(1)?;
    let t = cholesky_of(b, &a, upper, "linalg.cholesky")?;
    named(b, t, "LinalgCholeskyExBackward0")
}

/// `cholesky`
pub fn cholesky<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let a = args.tensor(0)?;
    let upper = args.flag(1)?;
    let t = cholesky_of(b, &a, upper, "cholesky")?;
    named(b, t, "CholeskyBackward0")
}

/// `x` of `a @ x = right`, where `a` has nothing beyond its diagonal on one side, or that is not read; with
/// `unit` its diagonal is taken for ones.
fn substitute<B: TorchOps>(b: &mut B, a: &B::T, right: &B::T, upper: bool, unit: bool) -> TRes<B> {
    let (a, right) = one_batch(b, a, right)?;
    let shape = b.shape(&right);
    let ((a, _), (mut rest, _)) = (flatten(b, &a)?, flatten(b, &right)?);
    let flat = b.shape(&rest);
    let (count, width) = (at(&flat, 0), at(&flat, 2));
    let n = known_extent::<B>(&flat, 1, "linalg.solve_triangular")?;
    let mut rows = Vec::new();
    for i in 0..n {
        let left = Dim::Known(n - i - 1);
        // The row that is known next; the first one left, or the last.
        let k = Dim::Known(if upper { n - i - 1 } else { i });
        let (first, others) = if upper { (left, ZERO) } else { (ZERO, ONE) };
        let mut row = b.slice(
            &rest,
            &[ZERO, first, ZERO],
            &[count, ONE, width],
            &[1, 1, 1],
        )?;
        if !unit {
            let pivot = b.slice(&a, &[ZERO, k, k], &[count, ONE, ONE], &[1, 1, 1])?;
            let pivot = widen(b, &pivot, &[count, ONE, width])?;
            row = b.div(&row, &pivot)?;
        }
        let size = [count, left, width];
        let start = if upper { ZERO } else { Dim::Known(i + 1) };
        let column = b.slice(&a, &[ZERO, start, k], &[count, left, ONE], &[1, 1, 1])?;
        let (down, across) = (widen(b, &column, &size)?, widen(b, &row, &size)?);
        let taken = b.mul(&down, &across)?;
        rest = b.slice(&rest, &[ZERO, others, ZERO], &size, &[1, 1, 1])?;
        rest = b.sub(&rest, &taken)?;
        rows.push(row);
    }
    if upper {
        rows.reverse();
    }
    let rows: Vec<&B::T> = rows.iter().collect();
    if rows.is_empty() {
        return b.copy(&right);
    }
    let t = b.concat(&rows, 1)?;
    b.reshape(&t, &shape)
}

/// The two last dimensions exchanged.
fn transposed<B: TorchOps>(b: &mut B, t: &B::T) -> TRes<B> {
    let last = b.shape(t).len() - 1;
    transpose_of(b, t, last - 1, last)
}

/// The two last dimensions exchanged, and complex numbers conjugated.
fn adjoint<B: TorchOps>(b: &mut B, t: &B::T) -> TRes<B> {
    let t = transposed(b, t)?;
    conjugate(b, &t)
}

/// `linalg.solve_triangular`
pub fn solve_triangular<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    const NAME: &str = "linalg.solve_triangular";
    let (a, right) = (args.tensor(0)?, args.tensor(1)?);
    if args.given(2).is_none() {
        return Err(args.wrong(2, "bool"));
    }
    let (upper, left, unit) = (args.flag(2)?, args.flag_or(3, true)?, args.flag(4)?);
    let n = square(b, &a, NAME)?;
    if b.shape(&right).len() < 2 {
        return Err(runtime::<B>(format!(
            "{NAME}: The input tensor B must have at least 2 dimensions."
        )));
    }
    fits::<B>(n, &b.shape(&right), left, NAME)?;
    let t = if left {
        substitute(b, &a, &right, upper, unit)?
    } else {
        let (a, right) = (transposed(b, &a)?, transposed(b, &right)?);
        let t = substitute(b, &a, &right, !upper, unit)?;
        transposed(b, &t)?
    };
    named(b, t, "LinalgSolveTriangularBackward0")
}

/// `cholesky_solve`: of the system whose matrix has this factor.
pub fn cholesky_solve<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (right, factor) = (args.tensor(0)?, args.tensor(1)?);
    let upper = args.flag(2)?;
    let n = square(b, &factor, "cholesky_solve")?;
    let shape = b.shape(&right);
    if shape.len() < 2 {
        return Err(runtime::<B>(format!(
            "b should have at least 2 dimensions, but has {} dimensions instead",
            shape.len()
        )));
    }
    let (rows, columns) = (at(&shape, shape.len() - 2), at(&shape, shape.len() - 1));
    if rows != Dim::Known(n) {
        return Err(runtime::<B>(format!(
            "Incompatible matrix sizes for cholesky_solve: each A matrix is {n} by {n} but each b matrix is {} by {}",
            rows.known().unwrap_or(-1),
            columns.known().unwrap_or(-1)
        )));
    }
    let solved = |b: &mut B, right: &B::T| -> TRes<B> {
        let across = adjoint(b, &factor)?;
        let (first, then) = match upper {
            true => (&across, &factor),
            false => (&factor, &across),
        };
        let t = substitute(b, first, right, false, false)?;
        substitute(b, then, &t, true, false)
    };
    if !is_differentiated(b, &factor) {
        let t = solved(b, &right)?;
        return named(b, t, "CholeskySolveBackward0");
    }
    // One triangle is read, and the gradient is that of the product of the whole factor with itself, as in PyTorch:
    // what is left over, `right - matrix @ solution`, is solved for again.
    let known = constant_of(b, &right)?;
    let t = solved(b, &known)?;
    let t = b.detach(&t)?;
    let across = adjoint(b, &factor)?;
    let matrix = match upper {
        true => matmul_of(b, &across, &factor)?,
        false => matmul_of(b, &factor, &across)?,
    };
    let value = constant_of(b, &matrix)?;
    let matrix = b.sub(&matrix, &value)?;
    let moved = matmul_of(b, &matrix, &t)?;
    let rest = b.sub(&right, &known)?;
    let whole = b.shape(&t);
    let rest = expand_to(b, &rest, &whole)?;
    let rest = b.sub(&rest, &moved)?;
    let slope = solved(b, &rest)?;
    let t = with_gradient_of(b, t, &slope)?;
    named(b, t, "CholeskySolveBackward0")
}
