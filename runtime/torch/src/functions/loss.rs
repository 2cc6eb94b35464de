//! Losses.
//!
//! In: predictions and targets. Out: a reduced loss. Always: `cross_entropy` is `nll_loss` of
//! `log_softmax`; targets that are ignored contribute exactly 0.

use janus_object::Value;
use janus_tensor::ops::{Axes, BinaryOp, Dims, ReduceOp};
use janus_tensor::{DType, Dim, Scalar, ShapeText, TensorError};

use super::activation::{log_softmax_of, logsigmoid_of};
use super::slope::{constant_of, is_differentiated, with_slope};
use super::{
    Res, TRes, broadcast_shapes, expand_to, known, named, promoted, rank, runtime, same_shape,
    splat_like, unify2,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand};
use crate::ops::NoDerivative;

const ONE: Dim = Dim::Known(1);

/// How a loss is reduced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    None,
    Mean,
    Sum,
}

/// What the argument at `i` says, or the older `size_average` and `reduce`, which come first.
fn reduction<B: TorchOps>(args: &CallArgs<B>, i: usize) -> Result<Reduction, B::Error> {
    let older = |name| match args.place_of(name).filter(|&at| args.given(at).is_some()) {
        Some(at) => args.flag(at).map(Some),
        None => Ok(None),
    };
    match (older("size_average")?, older("reduce")?) {
        (None, None) => {}
        (_, Some(false)) => return Ok(Reduction::None),
        (Some(false), _) => return Ok(Reduction::Sum),
        _ => return Ok(Reduction::Mean),
    }
    if let Some(Arg::Const(Value::None)) = args.get(i) {
        return Err(
            TensorError::Value("None is not a valid value for reduction".to_owned()).into(),
        );
    }
    match args.str_or(i, "mean")?.as_str() {
        "none" => Ok(Reduction::None),
        "mean" => Ok(Reduction::Mean),
        "sum" => Ok(Reduction::Sum),
        other => {
            Err(TensorError::Value(format!("{other} is not a valid value for reduction")).into())
        }
    }
}

fn sum_all<B: TorchOps>(b: &mut B, t: &B::T) -> TRes<B> {
    let dims: Axes = (0..rank(b, t)).collect();
    if dims.is_empty() {
        Ok(t.clone())
    } else {
        b.reduce(ReduceOp::Sum, t, &dims)
    }
}

fn mean_all<B: TorchOps>(b: &mut B, t: &B::T) -> TRes<B> {
    let dims: Axes = (0..rank(b, t)).collect();
    super::reduce::mean_of(b, t, &dims)
}

fn reduce<B: TorchOps>(b: &mut B, t: B::T, how: Reduction, label: &'static str) -> Res<B> {
    match how {
        Reduction::None => named(b, t, label),
        Reduction::Sum => {
            let t = sum_all(b, &t)?;
            named(b, t, label)
        }
        Reduction::Mean => {
            let t = mean_all(b, &t)?;
            named(b, t, label)
        }
    }
}

/// The `grad_fn` of a loss that PyTorch composes of functions, of which `each` is the last before the reduction.
fn composed(how: Reduction, each: &'static str) -> &'static str {
    match how {
        Reduction::None => each,
        Reduction::Sum => "SumBackward0",
        Reduction::Mean => "MeanBackward0",
    }
}

/// Where the classes of an input are: dimension 1, or 0 without a batch.
fn class_dim(rank: usize) -> usize {
    usize::from(rank > 1)
}

/// The classes that a target names, one for each element of an input of this shape without its classes.
fn fitting_target<B: TorchOps>(b: &mut B, shape: &[Dim], target: &B::T) -> TRes<B> {
    let have = b.shape(target);
    let text = |dims: &[Dim]| ShapeText::from(known(dims).as_slice()).to_string();
    let value = |text: String| Err(TensorError::Value(text).into());
    let Some(&rows) = shape.first() else {
        return value("Expected 1 or more dimensions (got 0)".to_owned());
    };
    if let [_] = shape {
        return match have.as_slice() {
            [] => Ok(target.clone()),
            // One class for one row of scores.
            [n] if b.dims_equal(*n, ONE)? => b.reshape(target, &[]),
            [_] => value(format!(
                "For 1D input, 1D target must have size 1, but got target size: {}",
                known(&have).first().copied().unwrap_or(-1)
            )),
            _ => Err(runtime::<B>(MULTI_TARGET)),
        };
    }
    let same_rows = match have.first() {
        Some(&n) => b.dims_equal(rows, n)?,
        None => false,
    };
    if !same_rows {
        let n = |d: Option<&Dim>| d.map_or(0, |d| d.known().unwrap_or(-1));
        return value(format!(
            "Expected input batch_size ({}) to match target batch_size ({}).",
            n(Some(&rows)),
            n(have.first())
        ));
    }
    let mut expected: Dims = shape.into();
    expected.remove(1);
    if same_shape(b, &expected, &have)? {
        return Ok(target.clone());
    }
    Err(runtime::<B>(match (shape.len(), have.len()) {
        (2, _) => MULTI_TARGET.to_owned(),
        (4, 3) => format!(
            "size mismatch (got input: {} , target: {}",
            text(shape),
            text(&have)
        ),
        (4, n) => format!(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: {n}"
        ),
        _ => format!(
            "Expected target size {}, got {}",
            text(&expected),
            text(&have)
        ),
    }))
}

const MULTI_TARGET: &str = "0D or 1D target tensor expected, multi-target not supported";

/// Negative log-likelihood of log-probabilities, with weights and ignored targets.
fn nll<B: TorchOps>(
    b: &mut B,
    logp: &B::T,
    target: &B::T,
    weight: Option<&B::T>,
    ignore: i64,
    how: Reduction,
) -> TRes<B> {
    let shape = b.shape(logp);
    let dim = class_dim(shape.len());
    let classes = shape.get(dim).copied().unwrap_or(ONE);
    let target = &fitting_target(b, &shape, target)?;
    let target_shape = b.shape(target);
    // Bytes name classes, too, where there is one for each row.
    let bytes = match (b.dtype(target), target_shape.len()) {
        (DType::U8, 0 | 1) => Some(b.cast(target, DType::I64)?),
        _ => None,
    };
    let target = bytes.as_ref().unwrap_or(target);
    if b.dtype(target) != DType::I64 {
        return Err(runtime::<B>(format!(
            "expected scalar type Long but found {}",
            b.dtype(target).scalar_type_name()
        )));
    }
    if let Some(w) = weight {
        let have = b.shape(w);
        let count = b.numel(&have)?;
        let fits = b.dims_equal(count, classes)?;
        if have.len() != 1 || !fits {
            return Err(runtime::<B>(format!(
                "weight tensor should be defined either for all {} classes or no classes but got weight tensor \
                 of shape: {}",
                classes.known().unwrap_or(-1),
                ShapeText::from(known(&have).as_slice())
            )));
        }
    }
    let ignored = splat_like(b, ignore, target)?;
    let valid = b.ne(target, &ignored)?;
    let zero = splat_like(b, 0, target)?;
    let safe = b.select(&valid, target, &zero)?;
    if let Some(n) = classes.known()
        && let Some(bad) = b.index_out_of_range(&safe, n)?
    {
        return Err(TensorError::Index(format!("Target {bad} is out of bounds.")).into());
    }
    let mut wide = target_shape.clone();
    wide.insert(dim.min(wide.len()), ONE);
    let index = b.reshape(&safe, &wide)?;
    let picked = b.gather(logp, dim, &index)?;
    let picked = b.reshape(&picked, &target_shape)?;
    let zero = splat_like(b, 0, &picked)?;
    let weights = match weight {
        Some(w) => {
            let w = b.take(w, 0, &safe)?;
            b.select(&valid, &w, &zero)?
        }
        None => b.cast(&valid, b.dtype(&picked))?,
    };
    let losses = match weight {
        Some(_) => {
            let l = b.mul(&picked, &weights)?;
            b.neg(&l)?
        }
        None => b.neg(&picked)?,
    };
    let losses = b.select(&valid, &losses, &zero)?;
    match how {
        Reduction::None => Ok(losses),
        Reduction::Sum => sum_all(b, &losses),
        Reduction::Mean => {
            let (total, count) = (sum_all(b, &losses)?, sum_all(b, &weights)?);
            b.div(&total, &count)
        }
    }
}

/// `F.nll_loss`
pub fn nll_loss<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, target) = (args.tensor(0)?, args.tensor(1)?);
    let weight = args.tensor_opt(2)?;
    let ignore = args.int_or(b, 4, -100)?;
    let how = reduction(args, 6)?;
    let dtype = b.dtype(&x);
    if !dtype.is_float() {
        let kernel = match rank(b, &x) {
            0..=2 => "nll_loss_out_frame",
            _ => "nll_loss2d_forward_out_frame",
        };
        return Err(super::no_kernel::<B>(kernel, dtype));
    }
    let t = nll(b, &x, &target, weight.as_ref(), ignore, how)?;
    let rank = rank(b, &x);
    named(b, t, nll_label(rank))
}

/// The `grad_fn` of a loss of classes: that of images takes all but rows.
fn nll_label(rank: usize) -> &'static str {
    match rank {
        0..=2 => "NllLossBackward0",
        _ => "NllLoss2DBackward0",
    }
}

/// `F.cross_entropy`
pub fn cross_entropy<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, target) = (args.tensor(0)?, args.tensor(1)?);
    let weight = args.tensor_opt(2)?;
    let ignore = args.int_or(b, 4, -100)?;
    let how = reduction(args, 6)?;
    let smoothing = args.float_or(b, 7, 0.0)?;
    if !(0.0..=1.0).contains(&smoothing) {
        return Err(runtime::<B>(format!(
            "label_smoothing must be between 0.0 and 1.0. Got: {smoothing}"
        )));
    }
    let n = rank(b, &x);
    let dim = class_dim(n);
    let logp = log_softmax_of(b, &x, dim)?;
    let (p, q) = (b.shape(&x), b.shape(&target));
    if same_shape(b, &p, &q)? {
        let dtype = b.dtype(&target);
        if !dtype.is_float() {
            return Err(runtime::<B>(format!(
                "Expected floating point type for target with class probabilities, got {}",
                dtype.scalar_type_name()
            )));
        }
        if ignore >= 0 {
            return Err(runtime::<B>(
                "ignore_index is not supported for floating point target",
            ));
        }
        let t = soft_targets(b, &logp, &target, weight.as_ref(), how, smoothing, dim)?;
        let label = match how {
            Reduction::Mean => "DivBackward1",
            Reduction::None | Reduction::Sum => "NegBackward0",
        };
        return named(b, t, label);
    }
    let target = fitting_target(b, &p, &target)?;
    let t = nll(b, &logp, &target, weight.as_ref(), ignore, how)?;
    if smoothing == 0.0 {
        return named(b, t, nll_label(n));
    }
    // The share of the uniform distribution: -sum(logp) over classes.
    let weighted = match &weight {
        Some(w) => {
            let w = b.broadcast(w, &p, &[dim])?;
            b.mul(&logp, &w)?
        }
        None => logp.clone(),
    };
    let uniform = b.reduce(ReduceOp::Sum, &weighted, &[dim])?;
    let uniform = b.neg(&uniform)?;
    let ignored = splat_like(b, ignore, &target)?;
    let valid = b.ne(&target, &ignored)?;
    let zero = splat_like(b, 0, &uniform)?;
    let uniform = b.select(&valid, &uniform, &zero)?;
    let uniform = match how {
        Reduction::None => uniform,
        Reduction::Sum => sum_all(b, &uniform)?,
        Reduction::Mean => {
            let weights = match &weight {
                Some(w) => {
                    let zero = splat_like(b, 0, &target)?;
                    let safe = b.select(&valid, &target, &zero)?;
                    let w = b.take(w, 0, &safe)?;
                    let zero = splat_like(b, 0, &w)?;
                    b.select(&valid, &w, &zero)?
                }
                None => b.cast(&valid, b.dtype(&uniform))?,
            };
            let (total, count) = (sum_all(b, &uniform)?, sum_all(b, &weights)?);
            b.div(&total, &count)?
        }
    };
    let classes = p.get(dim).copied().unwrap_or(ONE);
    let classes = b.dim_scalar(classes);
    let eps = b.scalar(Scalar::F64(smoothing));
    let share = b.scalar_binary(BinaryOp::Div, &eps, &classes)?;
    let share = super::splat_scalar(b, &share, &uniform)?;
    let rest = splat_like(b, 1.0 - smoothing, &t)?;
    let (hard, soft) = (b.mul(&rest, &t)?, b.mul(&uniform, &share)?);
    let t = b.add(&hard, &soft)?;
    named(b, t, "AddBackward0")
}

/// Cross-entropy with probabilities as targets.
fn soft_targets<B: TorchOps>(
    b: &mut B,
    logp: &B::T,
    target: &B::T,
    weight: Option<&B::T>,
    how: Reduction,
    smoothing: f64,
    dim: usize,
) -> TRes<B> {
    let shape = b.shape(logp);
    let dtype = b.dtype(logp).promote(b.dtype(target));
    let (logp, mut target) = (&b.cast(logp, dtype)?, b.cast(target, dtype)?);
    if smoothing > 0.0 {
        let classes = shape.get(dim).copied().unwrap_or(ONE);
        let classes = b.dim_scalar(classes);
        let eps = b.scalar(Scalar::F64(smoothing));
        let share = b.scalar_binary(BinaryOp::Div, &eps, &classes)?;
        let rest = splat_like(b, 1.0 - smoothing, &target)?;
        target = b.mul(&target, &rest)?;
        let share = super::splat_scalar(b, &share, &target)?;
        target = b.add(&target, &share)?;
    }
    let mut t = b.mul(logp, &target)?;
    if let Some(w) = weight {
        let w = b.broadcast(w, &shape, &[dim])?;
        t = b.mul(&t, &w)?;
    }
    match how {
        Reduction::None => {
            let t = b.reduce(ReduceOp::Sum, &t, &[dim])?;
            b.neg(&t)
        }
        Reduction::Sum => {
            let t = sum_all(b, &t)?;
            b.neg(&t)
        }
        Reduction::Mean => {
            let t = sum_all(b, &t)?;
            let t = b.neg(&t)?;
            let rows: Dims = shape
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != dim)
                .map(|(_, &d)| d)
                .collect();
            let n = b.numel(&rows)?;
            let n = b.dim_scalar(n);
            let n = super::splat_scalar(b, &n, &t)?;
            b.div(&t, &n)
        }
    }
}

/// Input and target, broadcast together.
fn pair<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T), B::Error> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let dtype = b.dtype(&x).promote(b.dtype(&y));
    let (p, q) = (b.shape(&x), b.shape(&y));
    let shape = broadcast_shapes(b, &p, &q)?;
    let (x, y) = (b.cast(&x, dtype)?, b.cast(&y, dtype)?);
    Ok((expand_to(b, &x, &shape)?, expand_to(b, &y, &shape)?))
}

/// As [`pair`], with PyTorch's warning where the sizes differ.
fn pair_of_one_size<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T), B::Error> {
    let (p, q) = (b.shape(&args.tensor(0)?), b.shape(&args.tensor(1)?));
    let apart = |p: &Dim, q: &Dim| p.known().zip(q.known()).is_some_and(|(p, q)| p != q);
    if p.len() != q.len() || p.iter().zip(&q).any(|(p, q)| apart(p, q)) {
        let text = |dims: &Dims| {
            let known: Vec<i64> = dims.iter().map(|d| d.known().unwrap_or(-1)).collect();
            ShapeText::from(&known[..])
        };
        b.warn(&format!(
            "Using a target size (torch.Size({})) that is different to the input size (torch.Size({})). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            text(&q),
            text(&p)
        ))?;
    }
    pair(b, args)
}

/// Errors times their weights, reduced: a mean is over the weights (`over_weights`), or over the elements.
fn reduce_weighted<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    (errors, weight): (B::T, B::T),
    how: Reduction,
    over_weights: bool,
) -> Res<B> {
    let (p, q) = (b.shape(&args.tensor(0)?), b.shape(&weight));
    if !same_shape(b, &p, &q)? {
        return Err(
            TensorError::Value("Weights and input must have the same size.".to_owned()).into(),
        );
    }
    let (e, w) = (Operand::T(errors), Operand::T(weight.clone()));
    let dtype = promoted(b, &[&e, &w]);
    let (e, w) = unify2(b, &e, &w, dtype)?;
    let t = b.mul(&e, &w)?;
    match how {
        Reduction::Mean if over_weights => {
            let (sum, of) = (sum_all(b, &t)?, sum_all(b, &weight)?);
            let of = b.cast(&of, dtype)?;
            let t = b.div(&sum, &of)?;
            named(b, t, "DivBackward0")
        }
        how => reduce(b, t, how, composed(how, "MulBackward0")),
    }
}

/// `F.mse_loss`
pub fn mse_loss<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = pair_of_one_size(b, args)?;
    let d = b.sub(&x, &y)?;
    let t = b.mul(&d, &d)?;
    if let Some(w) = args.tensor_opt(5)? {
        return reduce_weighted(b, args, (t, w), reduction(args, 4)?, true);
    }
    let t = without_gradient_between_dtypes(b, args, t, "MseLossBackward0")?;
    reduce(b, t, reduction(args, 4)?, "MseLossBackward0")
}

/// The loss, of which no gradient comes where the target is of another dtype than the input: PyTorch's backward passes
/// take none but the input's.
fn without_gradient_between_dtypes<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    t: B::T,
    node: &'static str,
) -> TRes<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (want, have) = (b.dtype(&x), b.dtype(&y));
    if want == have || !(is_differentiated(b, &x) || is_differentiated(b, &y)) {
        return Ok(t);
    }
    let function = NoDerivative {
        function: args.name(),
        node: Some(node),
        refusal: Some(dtype_found(have, want).into()),
    };
    b.underivable(&t, &[&x, &y], function)
}

fn dtype_found(have: DType, want: DType) -> String {
    format!(
        "Found dtype {} but expected {}",
        have.scalar_type_name(),
        want.scalar_type_name()
    )
}

/// Refuses bools, which nothing is subtracted from.
fn no_bool_target<B: TorchOps>(b: &B, args: &CallArgs<B>) -> Result<(), B::Error> {
    match b.dtype(&args.tensor(1)?) {
        DType::Bool => Err(runtime::<B>(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        )),
        _ => Ok(()),
    }
}

/// `F.l1_loss`
pub fn l1_loss<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    no_bool_target(b, args)?;
    let (x, y) = pair_of_one_size(b, args)?;
    let d = b.sub(&x, &y)?;
    let t = super::complex::magnitude(b, &d)?;
    let how = reduction(args, 4)?;
    if let Some(w) = args.tensor_opt(5)? {
        return reduce_weighted(b, args, (t, w), how, true);
    }
    reduce(b, t, how, composed(how, "AbsBackward0"))
}

/// Quadratic within `beta` of 0, linear outside.
fn huber<B: TorchOps>(b: &mut B, d: &B::T, beta: f64, scale: f64) -> TRes<B> {
    let fixed = constant_of(b, d)?;
    let value = huber_value(b, &fixed, beta, scale)?;
    with_slope(b, value, d, |b| {
        let limit = splat_like(b, beta, d)?;
        let m = b.abs(&fixed)?;
        let outside = b.ge(&m, &limit)?;
        let side = b.sign(&fixed)?;
        let (within, beyond) = match scale == 1.0 {
            true => (b.div(d, &limit)?, side),
            false => (d.clone(), b.mul(&side, &limit)?),
        };
        b.select(&outside, &beyond, &within)
    })
}

fn huber_value<B: TorchOps>(b: &mut B, d: &B::T, beta: f64, scale: f64) -> TRes<B> {
    let m = b.abs(d)?;
    let limit = splat_like(b, beta, &m)?;
    let inside = b.lt(&m, &limit)?;
    let half = splat_like(b, 0.5, &m)?;
    let square = b.mul(&half, &m)?;
    let square = b.mul(&square, &m)?;
    let quadratic = if scale == 1.0 {
        let beta = splat_like(b, beta, &m)?;
        b.div(&square, &beta)?
    } else {
        square
    };
    let offset = splat_like(b, 0.5 * beta, &m)?;
    let linear = b.sub(&m, &offset)?;
    let linear = if scale == 1.0 {
        linear
    } else {
        let beta = splat_like(b, beta, &m)?;
        b.mul(&beta, &linear)?
    };
    b.select(&inside, &quadratic, &linear)
}

/// `F.smooth_l1_loss`
pub fn smooth_l1_loss<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = pair_of_one_size(b, args)?;
    let beta = args.float_or(b, 5, 1.0)?;
    if beta < 0.0 {
        return Err(runtime::<B>(
            "smooth_l1_loss does not support negative values for beta.",
        ));
    }
    let d = b.sub(&x, &y)?;
    let t = if beta == 0.0 {
        b.abs(&d)?
    } else {
        huber(b, &d, beta, 1.0)?
    };
    reduce(b, t, reduction(args, 4)?, "SmoothL1LossBackward0")
}

/// `F.huber_loss`
pub fn huber_loss<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = pair_of_one_size(b, args)?;
    let delta = args.float_or(b, 3, 1.0)?;
    if delta <= 0.0 {
        return Err(runtime::<B>(
            "huber_loss does not support non-positive values for delta.",
        ));
    }
    let d = b.sub(&x, &y)?;
    let t = huber(b, &d, delta, 0.0)?;
    // The result is the input's dtype's, whatever the target's is.
    let dtype = b.dtype(&args.tensor(0)?);
    let t = b.cast(&t, dtype)?;
    let t = without_gradient_between_dtypes(b, args, t, "HuberLossBackward0")?;
    if let Some(w) = args.tensor_opt(4)? {
        return reduce_weighted(b, args, (t, w), reduction(args, 2)?, false);
    }
    reduce(b, t, reduction(args, 2)?, "HuberLossBackward0")
}

fn same_size<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T), B::Error> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (p, q) = (b.shape(&x), b.shape(&y));
    if !same_shape(b, &p, &q)? {
        let text =
            |s: &[Dim]| janus_tensor::ShapeText::from(super::known(s).as_slice()).to_string();
        let (p, q) = (text(&p), text(&q));
        return Err(TensorError::Value(if args.name() == "binary_cross_entropy" {
            format!(
                "Using a target size (torch.Size({q})) that is different to the input size (torch.Size({p})) is deprecated. Please ensure they have the same size."
            )
        } else {
            format!("Target size (torch.Size({q})) must be the same as input size (torch.Size({p}))")
        })
        .into());
    }
    let dtype = b.dtype(&x);
    Ok((x, b.cast(&y, dtype)?))
}

fn weighted<B: TorchOps>(b: &mut B, args: &CallArgs<B>, i: usize, t: B::T) -> TRes<B> {
    match args.tensor_opt(i)? {
        Some(w) => {
            let shape = b.shape(&t);
            let w = expand_to(b, &w, &shape)?;
            let dtype = b.dtype(&t);
            let w = b.cast(&w, dtype)?;
            b.mul(&t, &w)
        }
        None => Ok(t),
    }
}

/// `F.binary_cross_entropy`; logarithms are limited to -100 as in PyTorch.
pub fn bce<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (want, have) = (b.dtype(&args.tensor(0)?), b.dtype(&args.tensor(1)?));
    let (x, y) = same_size(b, args)?;
    if want != have {
        return Err(runtime::<B>(dtype_found(have, want)));
    }
    if b.values_outside(&x, 0.0, 1.0)? {
        return Err(runtime::<B>(
            "all elements of input should be between 0 and 1",
        ));
    }
    if b.values_outside(&y, 0.0, 1.0)? {
        return Err(runtime::<B>(
            "all elements of target should be between 0 and 1",
        ));
    }
    let one = splat_like(b, 1, &x)?;
    let zero = splat_like(b, 0, &x)?;
    let low = splat_like(b, -100, &x)?;
    let (p, q) = (constant_of(b, &x)?, constant_of(b, &y)?);
    let log_of = |b: &mut B, v: &B::T| -> TRes<B> {
        let off = b.le(v, &zero)?;
        let safe = b.select(&off, &one, v)?;
        let l = b.log(&safe)?;
        let below = b.lt(&l, &low)?;
        let l = b.select(&below, &low, &l)?;
        b.select(&off, &low, &l)
    };
    let lx = log_of(b, &p)?;
    let rest = b.sub(&one, &p)?;
    let lr = log_of(b, &rest)?;
    let minus = b.sub(&q, &one)?;
    let (first, second) = (b.mul(&minus, &lr)?, b.mul(&q, &lx)?);
    let t = b.sub(&first, &second)?;
    let t = with_slope(b, t, &x, |b| {
        let rest = b.sub(&one, &x)?;
        let bottom = b.mul(&rest, &x)?;
        let least = splat_like(b, 1e-12, &x)?;
        let few = b.lt(&bottom, &least)?;
        let bottom = b.select(&few, &least, &bottom)?;
        let top = b.sub(&x, &y)?;
        b.div(&top, &bottom)
    })?;
    let t = with_slope(b, t, &y, |b| {
        let rest = b.sub(&one, &x)?;
        let (p, q) = (b.log(&rest)?, b.log(&x)?);
        b.sub(&p, &q)
    })?;
    let t = weighted(b, args, 2, t)?;
    reduce(b, t, reduction(args, 5)?, "BinaryCrossEntropyBackward0")
}

/// `F.binary_cross_entropy_with_logits`
pub fn bce_with_logits<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (input, target) = (args.tensor(0)?, args.tensor(1)?);
    let (have, dtype) = (b.dtype(&input), b.dtype(&target));
    same_size(b, args)?;
    if dtype == DType::Bool {
        return Err(runtime::<B>(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
        ));
    }
    if !dtype.is_inexact() {
        return Err(runtime::<B>(format!(
            "result type {} can't be cast to the desired output type {}",
            have.scalar_type_name(),
            dtype.scalar_type_name()
        )));
    }
    // As PyTorch has it, in the target's memory.
    let (x, y) = (b.cast(&input, dtype)?, target);
    let one = splat_like(b, 1, &x)?;
    let rest = b.sub(&one, &y)?;
    let first = b.mul(&rest, &x)?;
    let l = logsigmoid_of(b, &input)?;
    let l = b.cast(&l, dtype)?;
    let second = match args.tensor_opt(6)? {
        Some(pw) => {
            let shape = b.shape(&x);
            let pw = expand_to(b, &pw, &shape)?;
            let pw = b.cast(&pw, dtype)?;
            let more = b.sub(&pw, &one)?;
            let more = b.mul(&more, &y)?;
            let factor = b.add(&more, &one)?;
            b.mul(&factor, &l)?
        }
        None => l,
    };
    let t = b.sub(&first, &second)?;
    let t = weighted(b, args, 2, t)?;
    reduce(
        b,
        t,
        reduction(args, 5)?,
        "BinaryCrossEntropyWithLogitsBackward0",
    )
}

/// `F.kl_div`
pub fn kl_div<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let whole = |b: &B, t: &B::T| !b.dtype(t).is_inexact();
    if whole(b, &args.tensor(0)?) || whole(b, &args.tensor(1)?) {
        return Err(runtime::<B>("kl_div: Integral inputs not supported."));
    }
    let (x, y) = pair(b, args)?;
    let t = if args.flag(5)? {
        let d = b.sub(&y, &x)?;
        let e = b.exp(&y)?;
        b.mul(&e, &d)?
    } else {
        // y * log(y), 0 where y is 0.
        let zero = splat_like(b, 0, &y)?;
        let one = splat_like(b, 1, &y)?;
        let off = b.eq(&y, &zero)?;
        let fixed = constant_of(b, &y)?;
        let safe = b.select(&off, &one, &fixed)?;
        let l = b.log(&safe)?;
        let p = b.mul(&fixed, &l)?;
        // That of the logarithm is NaN there.
        let p = with_slope(b, p, &y, |b| {
            let (l, whole) = (b.log(&y)?, b.div(&y, &y)?);
            b.add(&l, &whole)
        })?;
        let q = b.mul(&y, &x)?;
        b.sub(&p, &q)?
    };
    if args.str_or(4, "mean")? == "batchmean" {
        let n = b.shape(&x).first().copied().unwrap_or(ONE);
        let s = sum_all(b, &t)?;
        let n = b.dim_scalar(n);
        let n = super::splat_scalar(b, &n, &s)?;
        let t = b.div(&s, &n)?;
        return named(b, t, "DivBackward0");
    }
    let how = reduction(args, 4)?;
    let each = if args.flag(5)? {
        "MulBackward0"
    } else {
        "SubBackward0"
    };
    reduce(b, t, how, composed(how, each))
}
