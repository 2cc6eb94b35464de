//! Quantiles, modes, running extrema.
//!
//! In: a tensor and a dimension. Out: values, perhaps with indices. Always: values are gathered from
//! the input, so that gradients flow to where they came from; a scan takes as many steps as its
//! extent has binary digits.

use janus_tensor::ops::{ArgOp, Axes, BinaryOp, DimOp, ReduceOp};
use janus_tensor::shape::normalize_dim;
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::pointwise::real_operand;
use super::reduce::refuse_empty;
use super::shape::{at, cat_of, known_extent, narrow_of, select_of, unsqueeze_of};
use super::special::logaddexp_of;
use super::{Res, TRes, dim_arg, named, own_dim, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// `diff`
pub fn diff<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut x = args.tensor(0)?;
    let n = args.int_or(b, 1, 1)?;
    let rank = rank(b, &x);
    if rank == 0 {
        return Err(runtime::<B>(
            "diff expects input to be at least one-dimensional",
        ));
    }
    if n < 0 {
        return Err(runtime::<B>(format!(
            "order must be non-negative but got {n}"
        )));
    }
    let dim = dim_arg(b, args, 2, -1, rank)?;
    let mut parts = Vec::new();
    parts.extend(args.tensor_opt(3)?);
    parts.push(x.clone());
    parts.extend(args.tensor_opt(4)?);
    if n == 0 {
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    if parts.len() > 1 {
        x = cat_of(b, &parts, dim as i64)?;
    }
    for _ in 0..n {
        let extent = at(&b.shape(&x), dim);
        // Of nothing there are no differences, and no second element to start from.
        let less = b.dim_sub(extent, ONE)?;
        let less = b.dim_binary(DimOp::Max, less, ZERO)?;
        let second = b.dim_sub(extent, less)?;
        let (low, high) = (
            narrow_of(b, &x, dim, ZERO, less)?,
            narrow_of(b, &x, dim, second, less)?,
        );
        x = if b.dtype(&x) == DType::Bool {
            b.apply(janus_tensor::Prim::Binary(BinaryOp::Xor), &[&high, &low])?
        } else {
            b.sub(&high, &low)?
        };
    }
    named(b, x, "SubBackward0")
}

/// The dimension as the last one, or all elements in one.
fn lanes<B: TorchOps>(b: &mut B, x: &B::T, dim: Option<i64>) -> Result<(B::T, usize), B::Error> {
    let shape = b.shape(x);
    match dim {
        None => {
            let n = b.numel(&shape)?;
            Ok((b.reshape(x, &[n])?, 0))
        }
        Some(dim) if shape.is_empty() => Ok((b.reshape(x, &[ONE])?, normalize_dim(dim, 0)?)),
        Some(dim) => {
            let dim = normalize_dim(dim, shape.len())?;
            let mut order: Axes = (0..shape.len()).filter(|&d| d != dim).collect();
            order.push(dim);
            Ok((b.permute(x, &order)?, dim))
        }
    }
}

/// Between `low` and `high`, from the nearer side.
fn between<B: TorchOps>(b: &mut B, low: &B::T, high: &B::T, weight: &B::T) -> TRes<B> {
    let d = b.sub(high, low)?;
    let near = b.mul(weight, &d)?;
    let near = b.add(low, &near)?;
    let one = splat_like(b, 1, weight)?;
    let rest = b.sub(&one, weight)?;
    let far = b.mul(&d, &rest)?;
    let far = b.sub(high, &far)?;
    let half = splat_like(b, 0.5, weight)?;
    let small = b.lt(weight, &half)?;
    b.select(&small, &near, &far)
}

fn quantiles<B: TorchOps>(b: &mut B, args: &CallArgs<B>, skip_nan: bool) -> Res<B> {
    let x = args.tensor(0)?;
    // PyTorch's messages name both functions so.
    let name = "quantile";
    let dtype = b.dtype(&x);
    let shape = b.shape(&x);
    if shape.contains(&ZERO) {
        return Err(runtime::<B>(format!(
            "{name}() input tensor must be non-empty"
        )));
    }
    if !matches!(dtype, DType::F32 | DType::F64) {
        return Err(runtime::<B>(format!(
            "{name}() input tensor must be either float or double dtype"
        )));
    }
    let q = match args.get(1) {
        Some(Arg::Tensor(q)) => q.clone(),
        _ => {
            let s = args.number(b, 1)?;
            if let Some(v) = b.scalar_value(&s).map(Scalar::to_f64)
                && !(0.0..=1.0).contains(&v)
            {
                return Err(runtime::<B>(format!(
                    "{name}() q must be in the range [0, 1] but got {v}"
                )));
            }
            b.full(&s, dtype, &[])?
        }
    };
    let q_shape = b.shape(&q);
    if q_shape.len() > 1 {
        return Err(runtime::<B>(format!(
            "{name}() q must be a scalar or 1D tensor"
        )));
    }
    if b.dtype(&q) != dtype {
        return Err(runtime::<B>(format!(
            "{name}() q tensor must be same dtype as the input tensor"
        )));
    }
    if b.values_outside(&q, 0.0, 1.0)? {
        return Err(runtime::<B>(format!(
            "{name}() q values must be in the range [0, 1]"
        )));
    }
    let how = args.str_or(4, "linear")?;
    let dim = args.int_opt(b, 2)?;
    let (rows, place) = lanes(b, &x, dim)?;
    let lane_shape = b.shape(&rows);
    let last = lane_shape.len() - 1;
    let n = at(&lane_shape, last);
    let order = b.argsort(&rows, last, false)?;
    let sorted = b.gather(&rows, last, &order)?;
    // Positions in every row, one column for each q.
    let k = b.numel(&q_shape)?;
    let flat = b.reshape(&q, &[k])?;
    let mut wide = lane_shape.clone();
    if let Some(d) = wide.last_mut() {
        *d = k;
    }
    let column = b.broadcast(&flat, &wide, &[last])?;
    let is_nan = b.ne(&sorted, &sorted)?;
    let nans = b.cast(&is_nan, DType::I64)?;
    let nans = b.reduce(ReduceOp::Sum, &nans, &[last])?;
    let kept: Axes = (0..last).collect();
    let nans = b.broadcast(&nans, &wide, &kept)?;
    let nans = b.cast(&nans, dtype)?;
    let end = b.dim_sub(n, ONE)?;
    let end = b.dim_scalar(end);
    let end = super::splat_scalar(b, &end, &column)?;
    let zero = splat_like(b, 0, &column)?;
    let ranks = if skip_nan {
        // A row of nothing but NaN has its answer in front.
        let end = b.sub(&end, &nans)?;
        let end = b.maximum(&end, &zero)?;
        b.mul(&column, &end)?
    } else {
        let any = b.ne(&nans, &zero)?;
        let ranks = b.mul(&column, &end)?;
        b.select(&any, &end, &ranks)?
    };
    let pick = |b: &mut B, ranks: &B::T| -> TRes<B> {
        let index = b.cast(ranks, DType::I64)?;
        b.gather(&sorted, last, &index)
    };
    let (floor, ceil) = (b.floor(&ranks)?, b.ceil(&ranks)?);
    let t = match how.as_str() {
        "lower" => pick(b, &floor)?,
        "higher" => pick(b, &ceil)?,
        "nearest" => {
            let near = b.round(&ranks)?;
            pick(b, &near)?
        }
        "linear" | "midpoint" => {
            let (low, high) = (pick(b, &floor)?, pick(b, &ceil)?);
            let weight = if how == "midpoint" {
                splat_like(b, 0.5, &ranks)?
            } else {
                b.sub(&ranks, &floor)?
            };
            between(b, &low, &high, &weight)?
        }
        other => {
            return Err(runtime::<B>(format!(
                "{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {other}"
            )));
        }
    };
    // The q's come first; the dimension stays as an extent of 1 where that is asked for.
    let mut front = Axes::from_slice(&[last]);
    front.extend(0..last);
    let mut t = b.permute(&t, &front)?;
    let mut out = b.shape(&t);
    if args.flag(3)? {
        match dim {
            None => out.extend(shape.iter().map(|_| ONE)),
            Some(_) if shape.is_empty() => {}
            Some(_) => out.insert(place + 1, ONE),
        }
    }
    if q_shape.is_empty() {
        out.remove(0);
    }
    t = b.reshape(&t, &out)?;
    named(b, t, "LerpBackward1")
}

/// `quantile`
pub fn quantile<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    quantiles(b, args, false)
}

/// `nanquantile`
pub fn nanquantile<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    quantiles(b, args, true)
}

/// `mode`: the smallest of the most frequent values, and where it stands last.
pub fn mode<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 1, -1, shape.len())?;
    let keepdim = args.flag(2)?;
    let (values, indices) = if shape.is_empty() {
        let zero = b.scalar(Scalar::I64(0));
        (b.copy(&x)?, b.full(&zero, DType::I64, &[])?)
    } else {
        refuse_empty(b, &x, &[dim], "mode")?;
        let (rows, _) = lanes(b, &x, Some(dim as i64))?;
        let lane_shape = b.shape(&rows);
        let last = lane_shape.len() - 1;
        let order = b.argsort(&rows, last, false)?;
        let sorted = b.gather(&rows, last, &order)?;
        let mut wide = lane_shape.clone();
        wide.push(at(&lane_shape, last));
        let mut other: Axes = (0..last).collect();
        other.push(last + 1);
        let all: Axes = (0..=last).collect();
        let (p, q) = (
            b.broadcast(&sorted, &wide, &all)?,
            b.broadcast(&sorted, &wide, &other)?,
        );
        let equal = b.eq(&p, &q)?;
        let equal = b.cast(&equal, DType::I64)?;
        let counts = b.reduce(ReduceOp::Sum, &equal, &[last + 1])?;
        let first = b.arg_reduce(ArgOp::Max, &counts, last)?;
        let mut one = lane_shape.clone();
        if let Some(d) = one.last_mut() {
            *d = ONE;
        }
        let first = b.reshape(&first, &one)?;
        let count = b.gather(&counts, last, &first)?;
        let end = b.add(&first, &count)?;
        let less = splat_like(b, 1, &end)?;
        let end = b.sub(&end, &less)?;
        let zero = splat_like(b, 0, &end)?;
        let end = b.maximum(&end, &zero)?;
        let index = b.gather(&order, last, &end)?;
        let value = b.gather(&rows, last, &index)?;
        let mut out = shape.clone();
        if keepdim {
            if let Some(d) = out.get_mut(dim) {
                *d = ONE;
            }
        } else {
            out.remove(dim);
        }
        (b.reshape(&value, &out)?, b.reshape(&index, &out)?)
    };
    b.label(&values, "ModeBackward0");
    Ok(Ret::NamedTuple(
        "torch.return_types.mode",
        vec![Ret::Tensor(values), Ret::Tensor(indices)],
    ))
}

/// `x` moved on by `step` along a dimension; `fill` comes in front.
fn moved<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, step: i64, fill: Scalar) -> TRes<B> {
    let n = known_extent::<B>(&b.shape(x), dim, "a scan")?;
    let head = narrow_of(b, x, dim, ZERO, Dim::Known(n - step))?;
    let fill = b.scalar(fill);
    super::shape::pad_constant(b, &head, dim, step, 0, &fill)
}

fn running<B: TorchOps>(b: &mut B, args: &CallArgs<B>, largest: bool) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dim = args.int(b, 1)?;
    if shape.is_empty() && !(-1..=0).contains(&dim) {
        return Err(TensorError::Index(format!(
            "{}(): Expected reduction dim -1 or 0 for scalar but got {dim}",
            args.name()
        ))
        .into());
    }
    let dim = normalize_dim(dim, shape.len())?;
    let (values, indices) = if shape.is_empty() {
        let zero = b.scalar(Scalar::I64(0));
        (b.copy(&x)?, b.full(&zero, DType::I64, &[])?)
    } else {
        let n = known_extent::<B>(&shape, dim, "a scan")?;
        let mut best = b.detach(&x)?;
        let place = b.iota(dim, DType::I64, &shape)?;
        let mut index = place.clone();
        let mut step = 1;
        while step < n {
            // Of two runs, the later one wins where it is as good.
            let before = moved(b, &best, dim, step, Scalar::I64(0))?;
            let from = moved(b, &index, dim, step, Scalar::I64(0))?;
            let good = if largest {
                b.ge(&best, &before)?
            } else {
                b.le(&best, &before)?
            };
            let fixed = b.ne(&before, &before)?;
            let fixed = b.not(&fixed)?;
            let good = b.and(&good, &fixed)?;
            let nan = b.ne(&best, &best)?;
            let good = b.or(&good, &nan)?;
            let limit = splat_like(b, step, &place)?;
            let alone = b.lt(&place, &limit)?;
            let keep = b.or(&good, &alone)?;
            best = b.select(&keep, &best, &before)?;
            index = b.select(&keep, &index, &from)?;
            step *= 2;
        }
        (b.gather(&x, dim, &index)?, index)
    };
    let (label, name) = if largest {
        ("CummaxBackward0", "torch.return_types.cummax")
    } else {
        ("CumminBackward0", "torch.return_types.cummin")
    };
    b.label(&values, label);
    Ok(Ret::NamedTuple(
        name,
        vec![Ret::Tensor(values), Ret::Tensor(indices)],
    ))
}

/// `cummax`
pub fn cummax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    running(b, args, true)
}

/// `cummin`
pub fn cummin<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    running(b, args, false)
}

/// `logcumsumexp`
pub fn logcumsumexp<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let shape = b.shape(&x);
    let dim = normalize_dim(args.int(b, 1)?, shape.len())?;
    if shape.is_empty() {
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    let n = known_extent::<B>(&shape, dim, "a scan")?;
    let mut t = x;
    let mut step = 1;
    while step < n {
        let before = moved(b, &t, dim, step, Scalar::F64(f64::NEG_INFINITY))?;
        // What was moved in from outside is -inf, where the derivative is that of a sigmoid.
        t = logaddexp_of(b, &t, &before, 1.0, |b, above| b.sigmoid(above))?;
        step *= 2;
    }
    named(b, t, "LogcumsumexpBackward0")
}

/// The sums of neighbours, and how far they lie apart where points are given.
struct Trapezoids<T> {
    y: T,
    sums: T,
    steps: Option<T>,
    dim: usize,
}

fn trapezoids<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<Trapezoids<B::T>, B::Error> {
    let (y, points) = (args.tensor(0)?, args.tensor_opt(1)?);
    let name = args.name();
    let is_bool = |b: &B, t: &B::T| b.dtype(t) == DType::Bool;
    if is_bool(b, &y) || points.as_ref().is_some_and(|x| is_bool(b, x)) {
        let named = if points.is_some() {
            "`x` or `y`"
        } else {
            "`y`"
        };
        return Err(runtime::<B>(format!(
            "{name}: received a bool input for {named}, but bool is not supported"
        )));
    }
    let shape = b.shape(&y);
    if !name.starts_with("cumulative") {
        own_dim(args.int_or(b, 3, -1)?, shape.len())?;
    }
    if shape.is_empty() {
        return Err(
            TensorError::Index("slice() cannot be applied to a 0-dim tensor.".to_owned()).into(),
        );
    }
    let dim = dim_arg(b, args, 3, -1, shape.len())?;
    let n = at(&shape, dim);
    let neighbours = |b: &mut B, t: &B::T, dim: usize| -> Result<(B::T, B::T), B::Error> {
        let less = if n == ZERO { ZERO } else { b.dim_sub(n, ONE)? };
        let start = if n == ZERO { ZERO } else { ONE };
        let low = narrow_of(b, t, dim, ZERO, less)?;
        Ok((low, narrow_of(b, t, dim, start, less)?))
    };
    let (low, high) = neighbours(b, &y, dim)?;
    let sums = b.add(&low, &high)?;
    let steps = match points {
        None => None,
        Some(x) => {
            let have = b.shape(&x);
            let along = if have.len() == 1 { 0 } else { dim };
            if at(&have, along) != n {
                return Err(runtime::<B>(format!(
                    "{name}: There must be one `x` value for each sample point"
                )));
            }
            let (p, q) = neighbours(b, &x, along)?;
            let step = b.sub(&q, &p)?;
            let wide = b.shape(&sums);
            Some(if have.len() == 1 {
                b.broadcast(&step, &wide, &[dim])?
            } else {
                super::expand_to(b, &step, &wide)?
            })
        }
    };
    Ok(Trapezoids {
        y,
        sums,
        steps,
        dim,
    })
}

/// A tensor, as floats, times a number.
fn scaled<B: TorchOps>(b: &mut B, t: &B::T, by: &B::S) -> TRes<B> {
    let dtype = super::to_float(b, b.dtype(t));
    let t = b.cast(t, dtype)?;
    let by = super::splat_scalar(b, by, &t)?;
    b.mul(&t, &by)
}

/// Sums of neighbours times steps, in the dtype of both.
fn areas<B: TorchOps>(b: &mut B, sums: &B::T, steps: &B::T) -> TRes<B> {
    let both = [&Operand::T(sums.clone()), &Operand::T(steps.clone())];
    let dtype = super::promoted(b, &both);
    let (p, q) = super::unify2(b, both[0], both[1], dtype)?;
    let t = b.mul(&p, &q)?;
    added_up_as(b, &t)
}

/// Ints are added up as int64.
fn added_up_as<B: TorchOps>(b: &mut B, t: &B::T) -> TRes<B> {
    match b.dtype(t).is_inexact() {
        true => Ok(t.clone()),
        false => b.cast(t, DType::I64),
    }
}

/// `trapezoid`
pub fn trapezoid<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let parts = trapezoids(b, args)?;
    let half = b.scalar(Scalar::F64(0.5));
    if let Some(steps) = &parts.steps {
        let t = areas(b, &parts.sums, steps)?;
        let t = b.reduce(ReduceOp::Sum, &t, &[parts.dim])?;
        let t = scaled(b, &t, &half)?;
        return named(b, t, "DivBackward0");
    }
    let dx = args.number_or(b, 2, Scalar::F64(1.0))?;
    let y = added_up_as(b, &parts.y)?;
    let whole = b.reduce(ReduceOp::Sum, &y, &[parts.dim])?;
    let n = at(&b.shape(&y), parts.dim);
    if n == ZERO {
        let t = scaled(b, &whole, &dx)?;
        return named(b, t, "MulBackward0");
    }
    // All of them, without half of the first and of the last one.
    let first = select_of(b, &parts.y, parts.dim, ZERO)?;
    let end = b.dim_sub(n, ONE)?;
    let last = select_of(b, &parts.y, parts.dim, end)?;
    let ends = b.add(&first, &last)?;
    let ends = scaled(b, &ends, &half)?;
    let whole = b.cast(&whole, b.dtype(&ends))?;
    let t = b.sub(&whole, &ends)?;
    let t = scaled(b, &t, &dx)?;
    named(b, t, "MulBackward0")
}

/// `cumulative_trapezoid`
pub fn cumulative_trapezoid<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let parts = trapezoids(b, args)?;
    let half = b.scalar(Scalar::F64(0.5));
    if let Some(steps) = &parts.steps {
        let t = areas(b, &parts.sums, steps)?;
        let t = b.cumsum(&t, parts.dim)?;
        let t = scaled(b, &t, &half)?;
        return named(b, t, "DivBackward0");
    }
    let dx = args.number_or(b, 2, Scalar::F64(1.0))?;
    let by = b.scalar_binary(BinaryOp::Mul, &dx, &half)?;
    let t = scaled(b, &parts.sums, &by)?;
    let t = b.cumsum(&t, parts.dim)?;
    named(b, t, "CumsumBackward0")
}

/// A row of variables, each a row of observations, as floats.
fn observations<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> TRes<B> {
    let x = real_operand(b, args)?;
    let shape = b.shape(&x);
    match shape.len() {
        2 => Ok(x),
        1 => unsqueeze_of(b, &x, 0),
        0 => b.reshape(&x, &[ONE, ONE]),
        n => Err(runtime::<B>(format!(
            "{}(): expected input to have two or fewer dimensions but got an input with {n} dimensions",
            args.name()
        ))),
    }
}

fn weights<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    like: &B::T,
) -> Result<Option<B::T>, B::Error> {
    let mut all: Option<B::T> = None;
    for at in [2, 3] {
        if let Some(w) = args.tensor_opt(at)? {
            let dtype = b.dtype(like);
            let w = b.cast(&w, dtype)?;
            all = Some(match all {
                Some(before) => b.mul(&before, &w)?,
                None => w,
            });
        }
    }
    Ok(all)
}

fn cov_of<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    correction: i64,
    args: &CallArgs<B>,
    weighted: bool,
) -> TRes<B> {
    let shape = b.shape(x);
    let w = if weighted { weights(b, args, x)? } else { None };
    let n = at(&shape, 1);
    let (mean, norm) = match &w {
        None => {
            let mean = super::reduce::mean_of(b, x, &[1])?;
            let n = b.dim_scalar(n);
            let less = b.scalar(Scalar::I64(correction));
            let norm = b.scalar_binary(BinaryOp::Sub, &n, &less)?;
            let zero = b.scalar(Scalar::I64(0));
            let norm = b.scalar_binary(BinaryOp::Maximum, &norm, &zero)?;
            (mean, b.full(&norm, b.dtype(x), &[])?)
        }
        Some(w) => {
            let wide = b.broadcast(w, &shape, &[1])?;
            let total = b.reduce(ReduceOp::Sum, w, &[0])?;
            let sum = b.mul(x, &wide)?;
            let sum = b.reduce(ReduceOp::Sum, &sum, &[1])?;
            let rows = b.shape(&sum);
            let all = b.broadcast(&total, &rows, &[])?;
            let mean = b.div(&sum, &all)?;
            // Weights of importance take their share of the correction.
            let lost = match args.tensor_opt(3)? {
                Some(a) => {
                    let a = b.cast(&a, b.dtype(x))?;
                    let s = b.mul(w, &a)?;
                    let s = b.reduce(ReduceOp::Sum, &s, &[0])?;
                    b.div(&s, &total)?
                }
                None => splat_like(b, 1, &total)?,
            };
            let c = splat_like(b, correction, &lost)?;
            let lost = b.mul(&lost, &c)?;
            let norm = b.sub(&total, &lost)?;
            let zero = splat_like(b, 0, &norm)?;
            (mean, b.maximum(&norm, &zero)?)
        }
    };
    let mean = b.broadcast(&mean, &shape, &[0])?;
    let d = b.sub(x, &mean)?;
    let e = match &w {
        Some(w) => {
            let wide = b.broadcast(w, &shape, &[1])?;
            b.mul(&d, &wide)?
        }
        None => d.clone(),
    };
    let e = b.permute(&e, &[1, 0])?;
    let c = b.dot(&d, &e)?;
    let square = b.shape(&c);
    let norm = b.broadcast(&norm, &square, &[])?;
    b.div(&c, &norm)
}

fn squeezed<B: TorchOps>(b: &mut B, t: B::T, label: &'static str) -> Res<B> {
    let rows = at(&b.shape(&t), 0);
    let t = if b.dims_equal(rows, ONE)? {
        b.reshape(&t, &[])?
    } else {
        t
    };
    named(b, t, label)
}

/// `cov`
pub fn cov<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = observations(b, args)?;
    let correction = args.int_or(b, 1, 1)?;
    let t = cov_of(b, &x, correction, args, true)?;
    squeezed(b, t, "SqueezeBackward0")
}

/// `corrcoef`
pub fn corrcoef<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = observations(b, args)?;
    let c = cov_of(b, &x, 1, args, false)?;
    let shape = b.shape(&c);
    let n = known_extent::<B>(&shape, 0, "corrcoef")?;
    if n == 1 {
        let t = b.div(&c, &c)?;
        return squeezed(b, t, "DivBackward0");
    }
    // The roots of the diagonal.
    let mut roots = Vec::new();
    for i in 0..n {
        let row = select_of(b, &c, 0, Dim::Known(i))?;
        roots.push(narrow_of(b, &row, 0, Dim::Known(i), ONE)?);
    }
    let refs: Vec<&B::T> = roots.iter().collect();
    let d = b.concat(&refs, 0)?;
    let d = b.sqrt(&d)?;
    let (p, q) = (
        b.broadcast(&d, &shape, &[0])?,
        b.broadcast(&d, &shape, &[1])?,
    );
    let t = b.div(&c, &p)?;
    let t = b.div(&t, &q)?;
    let (low, high) = (splat_like(b, -1, &t)?, splat_like(b, 1, &t)?);
    let under = b.lt(&t, &low)?;
    let t = b.select(&under, &low, &t)?;
    let over = b.gt(&t, &high)?;
    let t = b.select(&over, &high, &t)?;
    named(b, t, "ClampBackward1")
}
