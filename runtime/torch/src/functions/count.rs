//! What occurs in a tensor, and how often: `unique`, `unique_consecutive`, `bincount`.
//!
//! In: a tensor. Out: tensors whose extents depend on its elements. Always: equal elements are put side by
//! side, and the first of each run of equals stands for all of them; no element is equal to a NaN.

use janus_tensor::ops::{Axes, DimOp, ReduceOp};
use janus_tensor::{DType, Dim, Scalar};

use super::reduce::refuse_empty;
use super::shape::{at, narrow_of};
use super::slope::constant_of;
use super::{Res, TRes, no_kernel, runtime, splat_like};
use crate::TorchOps;
use crate::call::{CallArgs, Ret};
use crate::ops::NoDerivative;

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// `unique`: the elements in order or, with a dimension, the parts along it, as lexicographically as their elements.
pub fn unique<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let input = Input::of(b, args, 4)?;
    let order = input.order(b)?;
    let rows = b.take(&input.rows, 0, &order)?;
    let runs = Runs::of(b, &rows)?;
    let places = b.take(&order, 0, &runs.first)?;
    let function = match input.dim {
        None => ("_unique2", "Unique2Backward0"),
        Some(_) => ("unique_dim", "UniqueDimBackward0"),
    };
    let mut out = vec![Ret::Tensor(input.taken(b, &places, function)?)];
    if args.flag(2)? {
        let numbers = runs.numbers(b)?;
        let zero = b.scalar(Scalar::I64(0));
        let unset = b.full(&zero, DType::I64, &[runs.length])?;
        let numbers = b.scatter_add(&unset, 0, &order, &numbers)?;
        out.push(Ret::Tensor(input.shaped(b, numbers)?));
    }
    if args.flag(3)? {
        out.push(Ret::Tensor(runs.counts(b)?));
    }
    Ok(one_or_all(out))
}

/// `unique_consecutive`
pub fn unique_consecutive<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let input = Input::of(b, args, 3)?;
    let runs = Runs::of(b, &input.rows)?;
    let function = ("unique_consecutive", "UniqueConsecutiveBackward0");
    let mut out = vec![Ret::Tensor(input.taken(b, &runs.first, function)?)];
    if args.flag(1)? {
        let numbers = runs.numbers(b)?;
        out.push(Ret::Tensor(input.shaped(b, numbers)?));
    }
    if args.flag(2)? {
        out.push(Ret::Tensor(runs.counts(b)?));
    }
    Ok(one_or_all(out))
}

fn one_or_all<B: TorchOps>(mut out: Vec<Ret<B>>) -> Ret<B> {
    if out.len() == 1 {
        out.remove(0)
    } else {
        Ret::Tuple(out)
    }
}

/// A tensor whose elements, or parts along a dimension, are compared.
struct Input<B: TorchOps> {
    tensor: B::T,
    dim: Option<usize>,
    /// What is compared, a row each.
    rows: B::T,
}

impl<B: TorchOps> Input<B> {
    /// The first argument; `dim` is the number of the argument that has the dimension.
    fn of(b: &mut B, args: &CallArgs<B>, dim: usize) -> Result<Self, B::Error> {
        let tensor = args.tensor(0)?;
        let shape = b.shape(&tensor);
        let dim = match args.int_opt(b, dim)? {
            Some(dim) => Some(super::own_dim(dim, shape.len())?),
            None => None,
        };
        let rows = match dim {
            None => {
                let n = b.numel(&shape)?;
                b.reshape(&tensor, &[n, ONE])?
            }
            Some(dim) => {
                let others = || shape.iter().enumerate().filter(|&(d, _)| d != dim);
                if others().any(|(_, &extent)| extent == ZERO) {
                    return Err(runtime::<B>(
                        "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
                    ));
                }
                let mut order = Axes::from_slice(&[dim]);
                order.extend(others().map(|(d, _)| d));
                let t = b.permute(&tensor, &order)?;
                let s = b.shape(&t);
                let rest = b.numel(s.get(1..).unwrap_or_default())?;
                b.reshape(&t, &[at(&s, 0), rest])?
            }
        };
        Ok(Input { tensor, dim, rows })
    }

    /// The places of the rows in their order: by the last column first, and each time those of equals stay.
    fn order(&self, b: &mut B) -> TRes<B> {
        let shape = b.shape(&self.rows);
        let (n, Some(width)) = (at(&shape, 0), at(&shape, 1).known()) else {
            return Err(runtime::<B>("unique along parts whose extents move"));
        };
        let mut order = b.iota(0, DType::I64, &[n])?;
        for column in (0..width).rev() {
            let column = narrow_of(b, &self.rows, 1, Dim::Known(column), ONE)?;
            let column = b.reshape(&column, &[n])?;
            let column = b.take(&column, 0, &order)?;
            let by = b.argsort(&column, 0, false)?;
            order = b.take(&order, 0, &by)?;
        }
        Ok(order)
    }

    /// The elements, or parts, at these places.
    fn taken(
        &self,
        b: &mut B,
        places: &B::T,
        (function, node): (&'static str, &'static str),
    ) -> TRes<B> {
        let constant = constant_of(b, &self.tensor)?;
        let t = match self.dim {
            Some(dim) => b.take(&constant, dim, places)?,
            None => {
                let shape = b.shape(&constant);
                let n = b.numel(&shape)?;
                let flat = b.reshape(&constant, &[n])?;
                b.take(&flat, 0, places)?
            }
        };
        let function = NoDerivative {
            function,
            node: Some(node),
            refusal: None,
        };
        b.underivable(&t, &[&self.tensor], function)
    }

    /// One number for each element as they lie; those of parts along a dimension stay as they are.
    fn shaped(&self, b: &mut B, numbers: B::T) -> TRes<B> {
        match self.dim {
            Some(_) => Ok(numbers),
            None => {
                let shape = b.shape(&self.tensor);
                b.reshape(&numbers, &shape)
            }
        }
    }
}

/// Equal rows side by side.
struct Runs<B: TorchOps> {
    /// How many rows there are.
    length: Dim,
    /// Whether a run begins there, a bool for each row.
    starts: B::T,
    /// Where each run begins.
    first: B::T,
}

impl<B: TorchOps> Runs<B> {
    fn of(b: &mut B, rows: &B::T) -> Result<Self, B::Error> {
        let length = at(&b.shape(rows), 0);
        let yes = b.scalar(Scalar::Bool(true));
        let starts = if length == ZERO {
            b.full(&yes, DType::Bool, &[ZERO])?
        } else {
            let less = b.dim_add(length, Dim::Known(-1))?;
            let less = b.not_negative(less)?;
            let (p, q) = (
                narrow_of(b, rows, 0, ZERO, less)?,
                narrow_of(b, rows, 0, ONE, less)?,
            );
            let changed = b.ne(&p, &q)?;
            let changed = b.reduce(ReduceOp::Max, &changed, &[1])?;
            let first = b.full(&yes, DType::Bool, &[ONE])?;
            b.concat(&[&first, &changed], 0)?
        };
        let first = b.nonzero(&starts)?.into_iter().next();
        Ok(Runs {
            length,
            starts,
            first: first.ok_or_else(|| runtime::<B>("runs of nothing"))?,
        })
    }

    /// The number of its run for each row.
    fn numbers(&self, b: &mut B) -> TRes<B> {
        let starts = b.cast(&self.starts, DType::I64)?;
        let numbers = b.cumsum(&starts, 0)?;
        let one = splat_like(b, 1, &numbers)?;
        b.sub(&numbers, &one)
    }

    /// How long each run is.
    fn counts(&self, b: &mut B) -> TRes<B> {
        if self.length == ZERO {
            return Ok(self.first.clone());
        }
        let count = at(&b.shape(&self.first), 0);
        let less = b.dim_add(count, Dim::Known(-1))?;
        let less = b.not_negative(less)?;
        let next = narrow_of(b, &self.first, 0, ONE, less)?;
        let end = b.dim_scalar(self.length);
        let end = b.full(&end, DType::I64, &[ONE])?;
        let ends = b.concat(&[&next, &end], 0)?;
        b.sub(&ends, &self.first)
    }
}

/// `bincount`: how often each number occurs, or the sum of its weights.
pub fn bincount<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let weights = args.tensor_opt(1)?;
    let least = match args.given(2) {
        Some(_) => args.extent(b, 2)?,
        None => ZERO,
    };
    let (dtype, shape) = (b.dtype(&x), b.shape(&x));
    if dtype.is_float() || dtype == DType::Bool {
        return Err(no_kernel::<B>("bincount_cpu", dtype));
    }
    if least.known().is_some_and(|n| n < 0) {
        return Err(runtime::<B>("minlength should be >= 0"));
    }
    let least = b.not_negative(least)?;
    let zero = b.scalar(Scalar::I64(0));
    if shape[..] == [ZERO] {
        return Ok(Ret::Tensor(b.full(&zero, DType::I64, &[least])?));
    }
    if shape.len() != 1 || b.values_outside(&x, 0.0, f64::INFINITY)? {
        return Err(runtime::<B>(
            "bincount only supports 1-d non-negative integral inputs.",
        ));
    }
    let index = b.cast(&x, DType::I64)?;
    let values = match &weights {
        Some(weights) => {
            let weights = constant_of(b, weights)?;
            let given = b.shape(&weights);
            let same = given.len() == 1 && b.dims_equal(at(&given, 0), at(&shape, 0))?;
            if !same {
                return Err(runtime::<B>(
                    "weights should be 1-d and have the same length as input",
                ));
            }
            match b.dtype(&weights) {
                DType::F32 => weights,
                _ => b.cast(&weights, DType::F64)?,
            }
        }
        None => splat_like(b, 1, &index)?,
    };
    // A graph assumes that `minlength` is enough: its extents do not depend on elements then.
    let enough = match least.known() {
        Some(n) if n > 0 => b.index_out_of_range(&index, n)?.is_none(),
        _ => false,
    };
    let bins = if enough {
        least
    } else {
        refuse_empty(b, &index, &[0], "bincount")?;
        let largest = b.reduce(ReduceOp::Max, &index, &[0])?;
        let largest = b.item(&largest)?;
        let largest = b.scalar_dim(&largest)?;
        let bins = b.dim_add(largest, ONE)?;
        b.dim_binary(DimOp::Max, bins, least)?
    };
    let dtype = b.dtype(&values);
    let unset = b.full(&zero, dtype, &[bins])?;
    let t = b.scatter_add(&unset, 0, &index, &values)?;
    let of: Vec<&B::T> = weights.iter().collect();
    Ok(Ret::Tensor(b.underivable(
        &t,
        &of,
        NoDerivative::of("bincount"),
    )?))
}
