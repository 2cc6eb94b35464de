//! Normalisations.
//!
//! In: a tensor, statistics or none, weights. Out: the normalised tensor. Always: variances are
//! biased; running statistics are written in place.

use janus_tensor::ops::{Axes, BinaryOp, Dims, ReduceOp};
use janus_tensor::shape::{normalize_dim, normalize_dims};
use janus_tensor::{Dim, Scalar, ShapeText, TensorError};

use super::reduce::{mean_of, moments, norm_of};
use super::{
    Res, TRes, expand_to, extent_of, is_multiple, known, named, rank, restore, restore_and_expand,
    runtime, same_shape, splat_like, splat_scalar,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs};

const ONE: Dim = Dim::Known(1);

/// `(x - mean) * rsqrt(var + eps)` with statistics over `dims`.
fn standardized<B: TorchOps>(b: &mut B, x: &B::T, dims: &[usize], eps: f64) -> TRes<B> {
    let shape = b.shape(x);
    let mean = mean_of(b, x, dims)?;
    let wide = restore_and_expand(b, &mean, &shape, dims)?;
    let d = b.sub(x, &wide)?;
    let square = b.mul(&d, &d)?;
    let var = mean_of(b, &square, dims)?;
    let eps = splat_like(b, eps, &var)?;
    let var = b.add(&var, &eps)?;
    let r = b.rsqrt(&var)?;
    let r = restore_and_expand(b, &r, &shape, dims)?;
    b.mul(&d, &r)
}

fn normalized_dims<B: TorchOps>(b: &mut B, args: &CallArgs<B>, x: &B::T) -> Result<Axes, B::Error> {
    let want = args.sizes(b, 1)?;
    let shape = b.shape(x);
    let ok = want.len() <= shape.len() && !want.is_empty() && {
        let tail: Dims = shape
            .get(shape.len() - want.len()..)
            .unwrap_or_default()
            .into();
        same_shape(b, &tail, &want)?
    };
    if !ok {
        let star: Vec<String> = known(&want).iter().map(i64::to_string).collect();
        return Err(runtime::<B>(format!(
            "Given normalized_shape={}, expected input with shape [*, {}], but got input of size{}",
            ShapeText::from(known(&want).as_slice()),
            star.join(", "),
            ShapeText::from(known(&shape).as_slice())
        )));
    }
    Ok((shape.len() - want.len()..shape.len()).collect())
}

/// Refuses weights and biases of another shape than what they are for.
fn check_parts<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    x: &B::T,
    dims: &[usize],
) -> Result<(), B::Error> {
    let shape = b.shape(x);
    let whole = shape.get(shape.len() - dims.len()..).unwrap_or_default();
    for at in [2, 3] {
        let name = args.param(at);
        if !matches!(name, "weight" | "bias") {
            continue;
        }
        let Some(part) = args.tensor_opt(at)? else {
            continue;
        };
        let part = b.shape(&part);
        if !same_shape(b, &part, whole)? {
            return Err(runtime::<B>(format!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {} and normalized_shape = {}",
                ShapeText::from(known(&part).as_slice()),
                ShapeText::from(known(whole).as_slice())
            )));
        }
    }
    Ok(())
}

/// `t * weight + bias`, both broadcast from the right.
fn affine<B: TorchOps>(
    b: &mut B,
    mut t: B::T,
    weight: Option<B::T>,
    bias: Option<B::T>,
) -> TRes<B> {
    let shape = b.shape(&t);
    if let Some(w) = weight {
        let w = expand_to(b, &w, &shape)?;
        t = b.mul(&t, &w)?;
    }
    if let Some(c) = bias {
        let c = expand_to(b, &c, &shape)?;
        t = b.add(&t, &c)?;
    }
    Ok(t)
}

/// `F.layer_norm`
pub fn layer_norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dims = normalized_dims(b, args, &x)?;
    let eps = args.float_or(b, 4, 1e-5)?;
    check_parts(b, args, &x, &dims)?;
    let t = standardized(b, &x, &dims, eps)?;
    let t = affine(b, t, args.tensor_opt(2)?, args.tensor_opt(3)?)?;
    named(b, t, "NativeLayerNormBackward0")
}

/// `F.rms_norm`
pub fn rms_norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dims = normalized_dims(b, args, &x)?;
    let default = if b.dtype(&x) == janus_tensor::DType::F64 {
        f64::EPSILON
    } else {
        f64::from(f32::EPSILON)
    };
    let eps = args.float_opt(b, 3)?.unwrap_or(default);
    check_parts(b, args, &x, &dims)?;
    let shape = b.shape(&x);
    let square = b.mul(&x, &x)?;
    let mean = mean_of(b, &square, &dims)?;
    let eps = splat_like(b, eps, &mean)?;
    let mean = b.add(&mean, &eps)?;
    let r = b.rsqrt(&mean)?;
    let r = restore_and_expand(b, &r, &shape, &dims)?;
    let t = b.mul(&x, &r)?;
    let t = affine(b, t, args.tensor_opt(2)?, None)?;
    named(b, t, "MulBackward0")
}

/// Weights per channel, stretched to a shape.
fn per_channel<B: TorchOps>(b: &mut B, w: &B::T, shape: &[Dim]) -> TRes<B> {
    b.broadcast(w, shape, &[1])
}

/// `F.group_norm`
pub fn group_norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let groups = args.int(b, 1)?;
    let eps = args.float_or(b, 4, 1e-5)?;
    let shape = b.shape(&x);
    if shape.len() < 2 {
        return Err(runtime::<B>(format!(
            "Expected at least 2 dimensions for input tensor but received {}",
            shape.len()
        )));
    }
    let channels = shape.get(1).copied().unwrap_or(ONE);
    if groups <= 0 || !is_multiple(b, channels, groups)? {
        return Err(runtime::<B>(format!(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={groups}",
            ShapeText::from(known(&shape).as_slice())
        )));
    }
    let per_group = {
        let c = b.dim_div(channels, Dim::Known(groups))?;
        let rest = b.numel(shape.get(2..).unwrap_or_default())?;
        b.dim_mul(c, rest)?
    };
    let n = shape.first().copied().unwrap_or(ONE);
    check_group(b, &shape, groups)?;
    for (name, at) in [("weight", 2), ("bias", 3)] {
        let Some(part) = args.tensor_opt(at)? else {
            continue;
        };
        let part = b.shape(&part);
        let fits = match part[..] {
            [n] => b.dims_equal(n, channels)?,
            _ => false,
        };
        if !fits {
            return Err(runtime::<B>(format!(
                "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} \
                 of shape {} and input of shape {}",
                ShapeText::from(known(&part).as_slice()),
                ShapeText::from(known(&shape).as_slice())
            )));
        }
    }
    let grouped = b.reshape(&x, &[n, Dim::Known(groups), per_group])?;
    let t = standardized(b, &grouped, &[2], eps)?;
    let mut t = b.reshape(&t, &shape)?;
    if let Some(w) = args.tensor_opt(2)? {
        let w = per_channel(b, &w, &shape)?;
        t = b.mul(&t, &w)?;
    }
    if let Some(c) = args.tensor_opt(3)? {
        let c = per_channel(b, &c, &shape)?;
        t = b.add(&t, &c)?;
    }
    named(b, t, "NativeGroupNormBackward0")
}

/// A group of one value has no variance.
fn check_group<B: TorchOps>(b: &mut B, shape: &[Dim], groups: i64) -> Result<(), B::Error> {
    let all = b.numel(shape)?;
    let values = b.dim_div(all, Dim::Known(groups))?;
    if !b.dims_equal(values, ONE)? {
        return Ok(());
    }
    let sizes = known(shape);
    let [n, c, rest @ ..] = sizes.as_slice() else {
        return Ok(());
    };
    let sizes = [&[n * c / groups, groups], rest].concat();
    Err(TensorError::Value(format!(
        "Expected more than 1 value per channel when training, got input size {}",
        ShapeText::from(sizes.as_slice())
    ))
    .into())
}

/// `F.batch_norm`
pub fn batch_norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (running_mean, running_var) = (args.tensor_opt(1)?, args.tensor_opt(2)?);
    let (weight, bias) = (args.tensor_opt(3)?, args.tensor_opt(4)?);
    let training = args.flag(5)?;
    let momentum = args.number_or(b, 6, Scalar::F64(0.1))?;
    let eps = args.float_or(b, 7, 1e-5)?;
    let shape = b.shape(&x);
    if !training {
        for (name, part) in [
            ("running_mean", &running_mean),
            ("running_var", &running_var),
        ] {
            if part.is_none() {
                return Err(runtime::<B>(format!(
                    "{name} must be defined in evaluation mode"
                )));
            }
        }
    } else if running_mean.is_some() != running_var.is_some() {
        return Err(TensorError::Value(
            "running_mean and running_var must either both be None or neither be None".to_owned(),
        )
        .into());
    }
    if let Some(&channels) = shape.get(1).filter(|_| !shape.contains(&Dim::Known(0))) {
        let parts = [
            ("running_mean", &running_mean),
            ("running_var", &running_var),
            ("weight", &weight),
            ("bias", &bias),
        ];
        for (name, part) in parts {
            let Some(part) = part else { continue };
            let part = b.shape(part);
            let have = b.numel(&part)?;
            if !b.dims_equal(have, channels)? {
                return Err(runtime::<B>(format!(
                    "{name} should contain {} elements not {}",
                    channels.known().unwrap_or(-1),
                    have.known().unwrap_or(-1)
                )));
            }
        }
    }
    let dims: Axes = (0..shape.len()).filter(|&d| d != 1).collect();
    let (mean, var) = if training {
        let count = extent_of(b, &shape, &dims)?;
        if b.dims_equal(count, ONE)? {
            return Err(TensorError::Value(format!(
                "Expected more than 1 value per channel when training, got input size torch.Size({})",
                ShapeText::from(known(&shape).as_slice())
            ))
            .into());
        }
        let none = b.scalar(Scalar::I64(0));
        let (mean, var) = moments(b, &x, &dims, &none)?;
        if let (Some(rm), Some(rv)) = (&running_mean, &running_var) {
            let (m, v) = (b.detach(&mean)?, b.detach(&var)?);
            // The running variance is the unbiased one.
            let n = b.dim_scalar(count);
            let one = b.scalar(Scalar::I64(1));
            let less = b.scalar_binary(BinaryOp::Sub, &n, &one)?;
            let factor = b.scalar_binary(BinaryOp::Div, &n, &less)?;
            let factor = splat_scalar(b, &factor, &v)?;
            let v = b.mul(&v, &factor)?;
            move_toward(b, rm, &m, &momentum)?;
            move_toward(b, rv, &v, &momentum)?;
        }
        (mean, var)
    } else {
        match (running_mean, running_var) {
            (Some(m), Some(v)) => (m, v),
            _ => {
                return Err(runtime::<B>(
                    "Expected running_mean and running_var to be defined when training=False",
                ));
            }
        }
    };
    let eps = splat_like(b, eps, &var)?;
    let var = b.add(&var, &eps)?;
    let r = b.rsqrt(&var)?;
    // x * (w * r) + (b - mean * (w * r)), as PyTorch's kernel does it.
    let alpha = match &weight {
        Some(w) => b.mul(&r, w)?,
        None => r,
    };
    let shift = b.mul(&mean, &alpha)?;
    let beta = match &bias {
        Some(c) => b.sub(c, &shift)?,
        None => b.neg(&shift)?,
    };
    let (alpha, beta) = (
        per_channel(b, &alpha, &shape)?,
        per_channel(b, &beta, &shape)?,
    );
    let t = b.mul(&x, &alpha)?;
    let t = b.add(&t, &beta)?;
    named(b, t, "NativeBatchNormBackward0")
}

/// `running = momentum * value + (1 - momentum) * running`
fn move_toward<B: TorchOps>(
    b: &mut B,
    running: &B::T,
    value: &B::T,
    momentum: &B::S,
) -> Result<(), B::Error> {
    let one = b.scalar(Scalar::I64(1));
    let rest = b.scalar_binary(BinaryOp::Sub, &one, momentum)?;
    let (m, rest) = (
        splat_scalar(b, momentum, value)?,
        splat_scalar(b, &rest, running)?,
    );
    let (p, q) = (b.mul(&m, value)?, b.mul(&rest, running)?);
    let t = b.add(&p, &q)?;
    b.assign(running, &t)
}

/// `F.normalize`: divided by its norm along a dimension.
pub fn normalize<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let p = args.float_or(b, 1, 2.0)?;
    let dim = super::dim_arg(b, args, 2, 1, rank(b, &x))?;
    let eps = args.float_or(b, 3, 1e-12)?;
    let shape = b.shape(&x);
    // A single number is its own row.
    let n = if shape.is_empty() {
        b.abs(&x)?
    } else {
        norm_of(b, &x, p, &[dim])?
    };
    let eps = splat_like(b, eps, &n)?;
    let small = b.lt(&n, &eps)?;
    let n = b.select(&small, &eps, &n)?;
    let n = if shape.is_empty() {
        n
    } else {
        restore_and_expand(b, &n, &shape, &[dim])?
    };
    let t = b.div(&x, &n)?;
    named(b, t, "DivBackward0")
}

/// `linalg.norm`: of a vector, or of matrices where two dimensions are meant.
pub fn linalg_norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let rank = rank(b, &args.tensor(0)?);
    let dims = args.ints_opt(b, 2)?.map(|d| d.len());
    let text = matches!(args.given(1), Some(Arg::Const(v)) if v.as_str().is_some());
    match (dims, args.given(1).is_some()) {
        (None, true) if rank != 1 && rank != 2 => Err(runtime::<B>(format!(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {rank}D."
        ))),
        (None, true) if rank == 2 || text => matrix_norm(b, args),
        (Some(2), true) => matrix_norm(b, args),
        (Some(_), true) if text => matrix_norm(b, args),
        _ => super::reduce::vector_norm(b, args),
    }
}

/// `linalg.matrix_norm`
pub fn matrix_norm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = match args.dtype(4)? {
        Some(d) => b.cast(&x, d)?,
        None => x,
    };
    let shape = b.shape(&x);
    if shape.len() < 2 {
        return Err(runtime::<B>(
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.",
        ));
    }
    let dims = args.ints_opt(b, 2)?.unwrap_or_else(|| vec![-2, -1]);
    let places = dims.iter().map(|&d| normalize_dim(d, shape.len()));
    let places: Vec<usize> = places.collect::<Result<_, _>>()?;
    let dims = normalize_dims(&dims, shape.len())?;
    let &[rows, columns] = places.as_slice() else {
        let given: Vec<String> = dims.iter().map(ToString::to_string).collect();
        return Err(runtime::<B>(format!(
            "linalg.matrix_norm: dim must be a 2-tuple. Got {}",
            given.join(" ")
        )));
    };
    let spectral = || -> B::Error {
        let what = "torch.linalg.norm of matrices by their singular values is not implemented in janus-jit yet";
        TensorError::NotImplemented(what.to_owned()).into()
    };
    let order = match args.given(1) {
        None => 0.0,
        Some(Arg::Const(v)) => match v.as_str() {
            Some("fro") => 0.0,
            Some("nuc") => return Err(spectral()),
            Some(other) => {
                return Err(runtime::<B>(format!(
                    "linalg.matrix_norm: Order {other} not supported."
                )));
            }
            None => match args.float_opt(b, 1)?.unwrap_or(2.0) {
                // PyTorch's texts show floats as C++ does.
                0.0 => return Err(runtime::<B>("linalg.matrix_norm: Order 0 not supported.")),
                order => order,
            },
        },
        Some(_) => args.float_opt(b, 1)?.unwrap_or(2.0),
    };
    // Sums along one dimension, then the largest or smallest of them along the other.
    let (summed, left) = match order.abs() {
        0.0 => {
            let t = super::reduce::norm_of(b, &x, 2.0, &dims)?;
            return norm_kept(b, args, t, &shape, &dims, "LinalgVectorNormBackward0");
        }
        1.0 => (rows, columns),
        f64::INFINITY => (columns, rows),
        2.0 => return Err(spectral()),
        _ => {
            return Err(runtime::<B>(format!(
                "linalg.matrix_norm: Order {order} not supported."
            )));
        }
    };
    let sizes = super::complex::magnitude(b, &x)?;
    let sums = b.reduce(ReduceOp::Sum, &sizes, &[summed])?;
    let left = if left > summed { left - 1 } else { left };
    let (op, label) = if order > 0.0 {
        (ReduceOp::Max, "AmaxBackward0")
    } else {
        (ReduceOp::Min, "AminBackward0")
    };
    let t = b.reduce(op, &sums, &[left])?;
    norm_kept(b, args, t, &shape, &dims, label)
}

fn norm_kept<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    t: B::T,
    shape: &[Dim],
    dims: &[usize],
    label: &'static str,
) -> Res<B> {
    let t = if args.flag(3)? {
        restore(b, &t, shape, dims)?
    } else {
        t
    };
    named(b, t, label)
}
