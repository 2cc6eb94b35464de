//! Places that values decide, of primitives only.
//!
//! In: a mask, or the indices of a scattered write. Out: the coordinates of what is set, or which writes
//! count. Always: what a graph computes; tier 0 has loops over the values for the same ([`crate::Eager`]).

use janus_tensor::ops::{Dims, ReduceOp};
use janus_tensor::{DType, Dim, Scalar};

use super::TRes;
use super::{splat_like, splat_scalar};
use crate::ops::TorchOps;

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// The coordinates of the elements that are not zero, in row-major order, one int64 vector per dimension: in
/// time and memory of the number of all elements.
pub fn nonzero<B: TorchOps>(b: &mut B, t: &B::T) -> Result<Vec<B::T>, B::Error> {
    let shape = b.shape(t);
    let all = b.numel(&shape)?;
    let t = b.detach(t)?;
    let mask = b.cast(&t, DType::Bool)?;
    let mask = b.reshape(&mask, &[all])?;
    let marks = b.cast(&mask, DType::I64)?;
    let count = b.reduce(ReduceOp::Sum, &marks, &[0])?;
    let count = b.item(&count)?;
    let found = b.scalar_dim(&count)?;
    let found = b.not_negative(found)?;

    // What is set goes to the place of its number among those, all else to one behind the last.
    let numbers = b.cumsum(&marks, 0)?;
    let one = splat_like(b, 1, &numbers)?;
    let numbers = b.sub(&numbers, &one)?;
    let count = b.dim_scalar(found);
    let behind = splat_scalar(b, &count, &numbers)?;
    let to = b.select(&mask, &numbers, &behind)?;
    let places = b.iota(0, DType::I64, &[all])?;
    let room = b.dim_add(found, ONE)?;
    let zero = b.scalar(Scalar::I64(0));
    let room = b.full(&zero, DType::I64, &[room])?;
    let filled = b.scatter_add(&room, 0, &to, &places)?;
    let mut rest = b.slice(&filled, &[ZERO], &[found], &[1])?;

    let mut columns = Vec::with_capacity(shape.len());
    for (dim, &extent) in shape.iter().enumerate().rev() {
        if dim == 0 {
            columns.push(rest.clone());
            break;
        }
        let extent = b.dim_scalar(extent);
        let extent = splat_scalar(b, &extent, &rest)?;
        columns.push(b.rem(&rest, &extent)?);
        rest = b.floor_div(&rest, &extent)?;
    }
    columns.reverse();
    Ok(columns)
}

/// Which of equal indices come last, a bool for each: along `dim`, each line on its own, or of all.
pub fn last_writers<B: TorchOps>(b: &mut B, index: &B::T, dim: Option<usize>) -> TRes<B> {
    let shape = b.shape(index);
    let (lines, axis) = match dim {
        Some(d) => (index.clone(), d),
        None => {
            let all = b.numel(&shape)?;
            (b.reshape(index, &[all])?, 0)
        }
    };
    // Equal ones side by side, in their order: the last is the one before another one.
    let order = b.argsort(&lines, axis, false)?;
    let sorted = b.gather(&lines, axis, &order)?;
    let line = b.shape(&lines);
    let mut end = line.clone();
    let mut starts: Dims = line.iter().map(|_| ZERO).collect();
    if let (Some(extent), Some(start)) = (end.get_mut(axis), starts.get_mut(axis)) {
        (*extent, *start) = (ONE, ONE);
    }
    let none = b.scalar(Scalar::I64(-1));
    let none = b.full(&none, DType::I64, &end)?;
    let next = b.concat(&[&sorted, &none], axis)?;
    let steps = vec![1; line.len()];
    let next = b.slice(&next, &starts, &line, &steps)?;
    let last = b.ne(&sorted, &next)?;
    let last = b.cast(&last, DType::I64)?;
    let nobody = splat_like(b, 0, &lines)?;
    let zeros = super::full_like(b, 0, &lines)?;
    let last = b.scatter_add(&zeros, axis, &order, &last)?;
    let last = b.ne(&last, &nobody)?;
    b.reshape(&last, &shape)
}
