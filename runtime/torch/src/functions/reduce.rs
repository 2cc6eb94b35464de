//! Reductions.
//!
//! In: a tensor, dimensions, keepdim. Out: the reduced tensor. Always: integral sums and products
//! are int64; without dimensions everything is reduced.

use janus_tensor::ops::{ArgOp, Axes, ReduceOp};
use janus_tensor::shape::{normalize_dim, normalize_dims};
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::complex::{magnitude, square_of_magnitude};
use super::rounding::once;
use super::slope::constant_of;
use super::{
    Res, TRes, dims_arg, extent_of, named, no_bools, rank, restore, restore_and_expand, runtime,
    splat_like, splat_scalar,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret};
use crate::ops::NoDerivative;

fn keep<B: TorchOps>(b: &mut B, t: B::T, shape: &[Dim], dims: &[usize], keepdim: bool) -> TRes<B> {
    if keepdim {
        restore(b, &t, shape, dims)
    } else {
        Ok(t)
    }
}

/// A reduction by a primitive.
fn reduced<B: TorchOps>(
    b: &mut B,
    op: ReduceOp,
    x: &B::T,
    dims: &[usize],
    keepdim: bool,
) -> TRes<B> {
    if dims.is_empty() {
        return b.copy(x);
    }
    let shape = b.shape(x);
    let t = b.reduce(op, x, dims)?;
    keep(b, t, &shape, dims, keepdim)
}

/// Refuses an extremum of nothing along any of the dimensions.
pub(super) fn refuse_empty<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dims: &[usize],
    op: &'static str,
) -> Result<(), B::Error> {
    let shape = b.shape(x);
    for &dim in dims {
        match shape.get(dim) {
            Some(Dim::Known(0)) => return Err(TensorError::EmptyReductionDim { op, dim }.into()),
            Some(&n) if n.known().is_none() => drop(b.element_at(Dim::Known(0), n)?),
            _ => {}
        }
    }
    Ok(())
}

fn accumulate_dtype(from: DType) -> DType {
    if from.is_inexact() { from } else { DType::I64 }
}

/// Refuses a result of ints of what gradients are taken of: PyTorch records these functions, not a conversion before
/// them, and its tape holds no ints.
pub(super) fn refuse_whole_gradient<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dtype: DType,
) -> Result<(), B::Error> {
    if !dtype.is_inexact() && super::slope::is_differentiated(b, x) {
        return Err(runtime::<B>(format!(
            "Autograd not support dtype: {}",
            dtype.scalar_type_name()
        )));
    }
    Ok(())
}

fn sum_like<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    op: ReduceOp,
    labels: [&'static str; 2],
) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = args.dtype(3)?.unwrap_or(accumulate_dtype(b.dtype(&x)));
    refuse_whole_gradient(b, &x, dtype)?;
    let x = b.cast(&x, dtype)?;
    let dims = dims_arg(b, args, 1, rank(b, &x))?;
    let t = reduced(b, op, &x, &dims, args.flag(2)?)?;
    named(b, t, labels[usize::from(args.given(1).is_some())])
}

/// `sum`
pub fn sum<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    sum_like(b, args, ReduceOp::Sum, ["SumBackward0", "SumBackward1"])
}

/// `prod`
pub fn prod<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    sum_like(b, args, ReduceOp::Prod, ["ProdBackward0", "ProdBackward1"])
}

/// The number of reduced elements as a tensor like `t`.
fn count_like<B: TorchOps>(
    b: &mut B,
    shape: &[Dim],
    dims: &[usize],
    less: &B::S,
    t: &B::T,
) -> TRes<B> {
    let n = extent_of(b, shape, dims)?;
    let n = b.dim_scalar(n);
    let n = if b.scalar_value(less).is_some_and(|v| v.to_f64() == 0.0) {
        n
    } else {
        let n = b.scalar_binary(janus_tensor::ops::BinaryOp::Sub, &n, less)?;
        let zero = b.scalar(Scalar::I64(0));
        b.scalar_binary(janus_tensor::ops::BinaryOp::Maximum, &n, &zero)?
    };
    splat_scalar(b, &n, t)
}

/// Mean over dimensions that are dropped.
pub fn mean_of<B: TorchOps>(b: &mut B, x: &B::T, dims: &[usize]) -> TRes<B> {
    once(b, x, |b, x| mean_once(b, x, dims))
}

fn mean_once<B: TorchOps>(b: &mut B, x: &B::T, dims: &[usize]) -> TRes<B> {
    let shape = b.shape(x);
    let total = if dims.is_empty() {
        x.clone()
    } else {
        b.reduce(ReduceOp::Sum, x, dims)?
    };
    let none = b.scalar(Scalar::I64(0));
    let n = count_like(b, &shape, dims, &none, &total)?;
    b.div(&total, &n)
}

/// `mean`
pub fn mean<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let given = args.dtype(3)?;
    let x = match given {
        Some(dtype) => b.cast(&x, dtype)?,
        None => x,
    };
    if !b.dtype(&x).is_inexact() {
        return Err(runtime::<B>(format!(
            "mean(): could not infer output dtype. {} dtype must be either a floating point or complex dtype. Got: {}",
            if given.is_some() { "Optional" } else { "Input" },
            b.dtype(&x).scalar_type_name()
        )));
    }
    let shape = b.shape(&x);
    let dims = dims_arg(b, args, 1, shape.len())?;
    let t = mean_of(b, &x, &dims)?;
    let t = keep(b, t, &shape, &dims, args.flag(2)?)?;
    named(
        b,
        t,
        if args.given(1).is_some() {
            "MeanBackward1"
        } else {
            "MeanBackward0"
        },
    )
}

/// Mean (dimensions dropped) and variance.
pub fn moments<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dims: &[usize],
    correction: &B::S,
) -> Result<(B::T, B::T), B::Error> {
    let shape = b.shape(x);
    let mean = mean_of(b, x, dims)?;
    let wide = restore_and_expand(b, &mean, &shape, dims)?;
    let d = b.sub(x, &wide)?;
    let d = square_of_magnitude(b, &d)?;
    let s = if dims.is_empty() {
        d
    } else {
        b.reduce(ReduceOp::Sum, &d, dims)?
    };
    let n = count_like(b, &shape, dims, correction, &s)?;
    let var = b.div(&s, &n)?;
    Ok((mean, var))
}

/// The arguments of `var` and `std`: `(input, unbiased)` or `(input, dim, unbiased, keepdim)`.
fn moments_args<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    name: &str,
) -> Result<(B::T, Axes, B::S, bool), B::Error> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_inexact() {
        return Err(runtime::<B>(format!(
            "{name} only support floating point and complex dtypes"
        )));
    }
    let rank = rank(b, &x);
    let mut unbiased = args.flag_or(2, true)?;
    if args.given(2).is_some() && args.get(4).is_some() {
        return Err(TensorError::Type(format!(
            "{}() received an invalid combination of arguments - got both 'unbiased' and 'correction'",
            args.name()
        ))
        .into());
    }
    let dims = if let Some(Arg::Const(janus_object::Value::Bool(v))) = args.get(1) {
        unbiased = v.get();
        (0..rank).collect()
    } else {
        dims_arg(b, args, 1, rank)?
    };
    let correction = match args.number_opt(b, 4)? {
        Some(c) => c,
        None => b.scalar(Scalar::I64(i64::from(unbiased))),
    };
    Ok((x, dims, correction, args.flag(3)?))
}

/// The square root of a sum of squares: its gradient at 0 is 0 and not infinite.
fn root_of<B: TorchOps>(b: &mut B, s: &B::T) -> TRes<B> {
    let zero = splat_like(b, 0, s)?;
    let one = splat_like(b, 1, s)?;
    let is_zero = b.eq(s, &zero)?;
    let safe = b.select(&is_zero, &one, s)?;
    let root = b.sqrt(&safe)?;
    b.select(&is_zero, &zero, &root)
}

fn variance<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    name: &str,
    root: bool,
) -> Result<(B::T, B::T), B::Error> {
    let (x, dims, correction, keepdim) = moments_args(b, args, name)?;
    let shape = b.shape(&x);
    let mut over = dims.iter().map(|&d| shape.get(d).and_then(|n| n.known()));
    let over: Option<i64> = over.try_fold(1, |all: i64, n| Some(all.saturating_mul(n?)));
    if let (Some(over), Some(correction)) = (over, b.scalar_value(&correction))
        && over as f64 - correction.to_f64() <= 0.0
    {
        let name = match (name, root) {
            ("std and var", true) => "std",
            ("std and var", false) => "var",
            _ => name,
        };
        b.warn(&format!(
            "{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel)."
        ))?;
    }
    let (mean, mut var) = moments(b, &x, &dims, &correction)?;
    if root {
        var = root_of(b, &var)?;
    }
    let var = keep(b, var, &shape, &dims, keepdim)?;
    let mean = keep(b, mean, &shape, &dims, keepdim)?;
    Ok((var, mean))
}

/// `var`
pub fn var<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (t, _) = variance(b, args, "std and var", false)?;
    named(b, t, "VarBackward0")
}

/// `std`
pub fn std<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (t, _) = variance(b, args, "std and var", true)?;
    named(b, t, "StdBackward0")
}

/// `var_mean`
pub fn var_mean<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (t, mean) = variance(b, args, "var_mean", false)?;
    b.label(&t, "VarMeanBackward0");
    b.label(&mean, "VarMeanBackward0");
    Ok(Ret::Tuple(vec![Ret::Tensor(t), Ret::Tensor(mean)]))
}

/// `std_mean`
pub fn std_mean<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (t, mean) = variance(b, args, "std_mean", true)?;
    b.label(&t, "StdMeanBackward0");
    b.label(&mean, "StdMeanBackward0");
    Ok(Ret::Tuple(vec![Ret::Tensor(t), Ret::Tensor(mean)]))
}

fn is_empty<B: TorchOps>(b: &B, t: &B::T) -> bool {
    b.shape(t).contains(&Dim::Known(0))
}

/// The value at an index that was found along a dimension.
fn pick<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, index: &B::T) -> TRes<B> {
    let shape = b.shape(x);
    let wide = restore(b, index, &shape, &[dim])?;
    let picked = b.gather(x, dim, &wide)?;
    let out = b.shape(index);
    b.reshape(&picked, &out)
}

fn extremum<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>, largest: bool) -> Res<B> {
    let x = args.tensor(0)?;
    // `max(input, other)`
    if matches!(args.get(1), Some(Arg::Tensor(_))) || args.given(3).is_some() {
        if args.given(3).is_some()
            && let Some(other) = args.take(3)
        {
            args.set(1, other);
        }
        return if largest {
            super::pointwise::maximum(b, args)
        } else {
            super::pointwise::minimum(b, args)
        };
    }
    let (op, arg_op, name) = if largest {
        (ReduceOp::Max, ArgOp::Max, "max")
    } else {
        (ReduceOp::Min, ArgOp::Min, "min")
    };
    let rank = rank(b, &x);
    let Some(dim) = args.int_opt(b, 1)? else {
        if is_empty(b, &x) {
            // PyTorch raises another exception here than from argmax, with the same text.
            let text = TensorError::EmptyReduction { op: name }.to_string();
            return Err(runtime::<B>(text));
        }
        let dims: Axes = (0..rank).collect();
        refuse_empty(b, &x, &dims, name)?;
        let constant = constant_of(b, &x)?;
        let value = reduced(b, op, &constant, &dims, false)?;
        let t = super::sort::evenly_among_ties(b, &x, value)?;
        return named(
            b,
            t,
            if largest {
                "MaxBackward1"
            } else {
                "MinBackward1"
            },
        );
    };
    let dim = normalize_dim(dim, rank)?;
    let keepdim = args.flag(2)?;
    let (values, indices) = if rank == 0 {
        let zero = b.scalar(Scalar::I64(0));
        (b.copy(&x)?, b.full(&zero, DType::I64, &[])?)
    } else {
        refuse_empty(b, &x, &[dim], name)?;
        let shape = b.shape(&x);
        let indices = b.arg_reduce(arg_op, &x, dim)?;
        let values = pick(b, &x, dim, &indices)?;
        (
            keep(b, values, &shape, &[dim], keepdim)?,
            keep(b, indices, &shape, &[dim], keepdim)?,
        )
    };
    b.label(
        &values,
        if largest {
            "MaxBackward0"
        } else {
            "MinBackward0"
        },
    );
    Ok(Ret::NamedTuple(
        if largest {
            "torch.return_types.max"
        } else {
            "torch.return_types.min"
        },
        vec![Ret::Tensor(values), Ret::Tensor(indices)],
    ))
}

/// `max`
pub fn max<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    extremum(b, args, true)
}

/// `min`
pub fn min<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    extremum(b, args, false)
}

fn extremum_over<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    op: ReduceOp,
    label: &'static str,
) -> Res<B> {
    let x = args.tensor(0)?;
    let name = match op {
        _ if args.name() == "aminmax" => "aminmax",
        ReduceOp::Max => "amax",
        _ => "amin",
    };
    if is_empty(b, &x) && args.given(1).is_none() && name != "aminmax" {
        let text = TensorError::EmptyReduction { op: name }.to_string();
        return Err(runtime::<B>(text));
    }
    let dims = dims_arg(b, args, 1, rank(b, &x))?;
    refuse_empty(b, &x, &dims, name)?;
    let t = reduced(b, op, &x, &dims, args.flag(2)?)?;
    named(b, t, label)
}

/// `amax`
pub fn amax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    extremum_over(b, args, ReduceOp::Max, "AmaxBackward0")
}

/// `amin`
pub fn amin<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    extremum_over(b, args, ReduceOp::Min, "AminBackward0")
}

/// `aminmax`
pub fn aminmax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let constant = constant_of(b, &x)?;
    args.set(0, Arg::Tensor(constant));
    let extremum = |b: &mut B, op: ReduceOp| -> Res<B> {
        match extremum_over(b, args, op, "")? {
            Ret::Tensor(t) => {
                let function = NoDerivative::of("aminmax");
                Ok(Ret::Tensor(b.underivable(&t, &[&x], function)?))
            }
            other => Ok(other),
        }
    };
    let low = extremum(b, ReduceOp::Min)?;
    let high = extremum(b, ReduceOp::Max)?;
    Ok(Ret::NamedTuple(
        "torch.return_types.aminmax",
        vec![low, high],
    ))
}

fn arg_extremum<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    op: ArgOp,
    name: &'static str,
) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x) == DType::Bool {
        return Err(runtime::<B>(format!(
            "{name}(): does not support bool input"
        )));
    }
    if is_empty(b, &x) && args.given(1).is_none() {
        return Err(TensorError::Index(format!(
            "{name}(): Expected reduction dim to be specified for input.numel() == 0."
        ))
        .into());
    }
    let shape = b.shape(&x);
    let keepdim = args.flag(2)?;
    match args.int_opt(b, 1)? {
        Some(dim) => {
            let dim = normalize_dim(dim, shape.len())?;
            if shape.is_empty() {
                let zero = b.scalar(Scalar::I64(0));
                return Ok(Ret::Tensor(b.full(&zero, DType::I64, &[])?));
            }
            refuse_empty(b, &x, &[dim], name)?;
            let t = b.arg_reduce(op, &x, dim)?;
            Ok(Ret::Tensor(keep(b, t, &shape, &[dim], keepdim)?))
        }
        None => {
            let n = b.numel(&shape)?;
            let flat = b.reshape(&x, &[n])?;
            refuse_empty(b, &flat, &[0], name)?;
            let t = b.arg_reduce(op, &flat, 0)?;
            let dims: Axes = (0..shape.len()).collect();
            Ok(Ret::Tensor(keep(b, t, &shape, &dims, keepdim)?))
        }
    }
}

/// `argmax`
pub fn argmax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    arg_extremum(b, args, ArgOp::Max, "argmax")
}

/// `argmin`
pub fn argmin<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    arg_extremum(b, args, ArgOp::Min, "argmin")
}

fn truth_over<B: TorchOps>(b: &mut B, args: &CallArgs<B>, op: ReduceOp) -> Res<B> {
    let x = args.tensor(0)?;
    // uint8 stays uint8, for old code.
    let dtype = if b.dtype(&x) == DType::U8 {
        DType::U8
    } else {
        DType::Bool
    };
    let x = b.cast(&x, DType::Bool)?;
    // No dimensions are none here, and not all of them.
    let dims = match args.ints_opt(b, 1)? {
        Some(dims) if dims.is_empty() => Axes::new(),
        _ => dims_arg(b, args, 1, rank(b, &x))?,
    };
    let t = reduced(b, op, &x, &dims, args.flag(2)?)?;
    Ok(Ret::Tensor(b.cast(&t, dtype)?))
}

/// `all`
pub fn all<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    truth_over(b, args, ReduceOp::Min)
}

/// `any`
pub fn any<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    truth_over(b, args, ReduceOp::Max)
}

/// `count_nonzero`
pub fn count_nonzero<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = b.cast(&x, DType::Bool)?;
    let x = b.cast(&x, DType::I64)?;
    let dims = dims_arg(b, args, 1, rank(b, &x))?;
    Ok(Ret::Tensor(reduced(b, ReduceOp::Sum, &x, &dims, false)?))
}

/// The p-norm over dimensions that are dropped.
pub fn norm_of<B: TorchOps>(b: &mut B, x: &B::T, p: f64, dims: &[usize]) -> TRes<B> {
    once(b, x, |b, x| norm_once(b, x, p, dims))
}

fn norm_once<B: TorchOps>(b: &mut B, x: &B::T, p: f64, dims: &[usize]) -> TRes<B> {
    let reduce = |b: &mut B, op: ReduceOp, t: &B::T| -> TRes<B> {
        if dims.is_empty() {
            Ok(t.clone())
        } else {
            b.reduce(op, t, dims)
        }
    };
    if p == 2.0 {
        let square = square_of_magnitude(b, x)?;
        let s = reduce(b, ReduceOp::Sum, &square)?;
        return root_of(b, &s);
    }
    let m = magnitude(b, x)?;
    let x = &m;
    if p.is_infinite() {
        let (op, name) = if p > 0.0 {
            (ReduceOp::Max, "inf")
        } else {
            (ReduceOp::Min, "-inf")
        };
        for &dim in dims {
            if b.shape(x).get(dim) == Some(&Dim::Known(0)) {
                // PyTorch's text lacks the blank, too.
                return Err(runtime::<B>(format!(
                    "linalg.vector_norm cannot compute the {name} norm on the dimension {dim}because this dimension is empty and the operation does not have an identity"
                )));
            }
        }
        refuse_empty(b, x, dims, "linalg.vector_norm")?;
        if !b.requires_grad(&m) || dims.is_empty() {
            return reduce(b, op, &m);
        }
        // One that is NaN has no slope.
        let constant = b.detach(&m)?;
        let found = reduce(b, op, &constant)?;
        let unknown = b.ne(&found, &found)?;
        let shape = b.shape(&m);
        let unknown = restore_and_expand(b, &unknown, &shape, dims)?;
        let moving = b.select(&unknown, &constant, &m)?;
        return reduce(b, op, &moving);
    }
    if p == 1.0 {
        return reduce(b, ReduceOp::Sum, &m);
    }
    if p == 0.0 {
        let dtype = b.dtype(x);
        let nonzero = b.cast(&m, DType::Bool)?;
        let nonzero = b.cast(&nonzero, dtype)?;
        let nonzero = super::slope::without_slope(b, nonzero, x)?;
        return reduce(b, ReduceOp::Sum, &nonzero);
    }
    // Below 1, zeros have no slope, and the others have theirs; a norm of 0 has none in any case.
    let powers = match p < 1.0 {
        true => power_beside_zeros(b, &m, p)?,
        false => {
            let exponent = splat_like(b, p, &m)?;
            b.pow(&m, &exponent)?
        }
    };
    let s = reduce(b, ReduceOp::Sum, &powers)?;
    power_beside_zeros(b, &s, 1.0 / p)
}

/// A power whose slope is 0 at 0.
fn power_beside_zeros<B: TorchOps>(b: &mut B, x: &B::T, p: f64) -> TRes<B> {
    let (zero, one) = (splat_like(b, 0, x)?, splat_like(b, 1, x)?);
    let is_zero = b.eq(x, &zero)?;
    let safe = b.select(&is_zero, &one, x)?;
    let exponent = splat_like(b, p, x)?;
    let power = b.pow(&safe, &exponent)?;
    let of_zero = splat_like(b, 0f64.powf(p), x)?;
    b.select(&is_zero, &of_zero, &power)
}

fn norm_with<B: TorchOps>(b: &mut B, args: &CallArgs<B>, label: &'static str) -> Res<B> {
    let x = args.tensor(0)?;
    let x = match args.dtype(4)? {
        Some(d) => b.cast(&x, d)?,
        None => x,
    };
    if !b.dtype(&x).is_inexact() {
        return Err(runtime::<B>(format!(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
            b.dtype(&x).scalar_type_name()
        )));
    }
    let p = match args.given(1) {
        Some(Arg::Const(v)) if v.as_str() == Some("fro") => 2.0,
        Some(Arg::Const(v)) if v.as_str() == Some("inf") => f64::INFINITY,
        _ => args.float_opt(b, 1)?.unwrap_or(2.0),
    };
    let shape = b.shape(&x);
    let dims = dims_arg(b, args, 2, shape.len())?;
    let t = norm_of(b, &x, p, &dims)?;
    let t = keep(b, t, &shape, &dims, args.flag(3)?)?;
    named(b, t, label)
}

/// `torch.norm`
pub fn norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    norm_with(b, args, "LinalgVectorNormBackward0")
}

/// `torch.linalg.vector_norm`
pub fn vector_norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    norm_with(b, args, "LinalgVectorNormBackward0")
}

/// `log(sum(exp(x)))`
pub fn logsumexp_of<B: TorchOps>(b: &mut B, x: &B::T, dims: &[usize]) -> TRes<B> {
    if dims.is_empty() {
        return Ok(x.clone());
    }
    let shape = b.shape(x);
    let constant = b.detach(x)?;
    let largest = b.reduce(ReduceOp::Max, &constant, dims)?;
    // An infinite maximum would give inf - inf.
    let zero = splat_like(b, 0, &largest)?;
    let magnitude = b.abs(&largest)?;
    let infinity = splat_like(b, f64::INFINITY, &largest)?;
    let infinite = b.eq(&magnitude, &infinity)?;
    let largest = b.select(&infinite, &zero, &largest)?;
    let wide = restore_and_expand(b, &largest, &shape, dims)?;
    let s = b.sub(x, &wide)?;
    let e = b.exp(&s)?;
    let s = b.reduce(ReduceOp::Sum, &e, dims)?;
    let l = b.log(&s)?;
    b.add(&l, &largest)
}

/// `logsumexp`
pub fn logsumexp<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = super::pointwise::real_operand(b, args)?;
    let shape = b.shape(&x);
    let dims = match args.ints_opt(b, 1)? {
        // No dimension is all of them, as in `sum`.
        Some(d) if d.is_empty() => (0..shape.len()).collect(),
        Some(d) => normalize_dims(&d, shape.len())?,
        None => return Err(args.wrong(1, "tuple of ints")),
    };
    let t = logsumexp_of(b, &x, &dims)?;
    let t = keep(b, t, &shape, &dims, args.flag(2)?)?;
    named(b, t, "LogsumexpBackward0")
}

/// Refuses a dtype of a function in place that is not the tensor's.
fn same_in_place<B: TorchOps>(
    b: &B,
    args: &CallArgs<B>,
    x: &B::T,
    given: Option<DType>,
) -> Result<(), B::Error> {
    let have = b.dtype(x);
    let Some(dtype) = given.filter(|&d| args.name().ends_with('_') && d != have) else {
        return Ok(());
    };
    Err(runtime::<B>(format!(
        "Bad in-place call: input tensor dtype {} and output tensor dtype {} should match",
        have.c_name(),
        dtype.c_name()
    )))
}

/// `cumsum`
pub fn cumsum<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = args.dtype(2)?.unwrap_or(accumulate_dtype(b.dtype(&x)));
    no_bools::<B>(dtype, "cumsum_out_cpu")?;
    refuse_whole_gradient(b, &x, dtype)?;
    same_in_place(b, args, &x, args.dtype(2)?)?;
    let x = b.cast(&x, dtype)?;
    let rank = rank(b, &x);
    let dim = normalize_dim(args.int(b, 1)?, rank)?;
    let t = if rank == 0 {
        b.copy(&x)?
    } else {
        b.cumsum(&x, dim)?
    };
    named(b, t, "CumsumBackward0")
}

/// `cumprod`: one product per position, which needs a known extent.
pub fn cumprod<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = args.dtype(2)?.unwrap_or(accumulate_dtype(b.dtype(&x)));
    no_bools::<B>(dtype, "cumprod_out_cpu")?;
    refuse_whole_gradient(b, &x, dtype)?;
    same_in_place(b, args, &x, args.dtype(2)?)?;
    let x = b.cast(&x, dtype)?;
    let shape = b.shape(&x);
    let dim = normalize_dim(args.int(b, 1)?, shape.len())?;
    let Some(n) = shape.get(dim).and_then(|d| d.known()) else {
        return if shape.is_empty() {
            Ok(Ret::Tensor(b.copy(&x)?))
        } else {
            Err(super::not_known::<B>("cumprod along an extent that moves"))
        };
    };
    let mut steps: Vec<B::T> = Vec::new();
    for i in 0..n {
        let step = super::shape::narrow_of(b, &x, dim, Dim::Known(i), Dim::Known(1))?;
        let step = match steps.last() {
            Some(before) => b.mul(before, &step)?,
            None => step,
        };
        steps.push(step);
    }
    if steps.is_empty() {
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    let refs: Vec<&B::T> = steps.iter().collect();
    let t = b.concat(&refs, dim)?;
    named(b, t, "CumprodBackward0")
}
