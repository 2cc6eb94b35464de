//! Where the elements of results lie.
//!
//! In: a function, with its arguments. Out: its results, in the order of memory that PyTorch gives them. Always: only
//! the order of dimensions in memory is changed; where all operands lie row by row, nothing is.

use janus_object::Bool;
use janus_object::Value;
use janus_tensor::Dim;
use janus_tensor::ops::{Axes, Dims};
use janus_tensor::shape::{inverse_permutation, iteration_order};

use super::{Res, TRes, broadcast_shapes, rank};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, TorchFn};
use crate::formats::MemoryFormat;

/// How the results of a function lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// As the function makes them: row by row, or views.
    Rows,
    /// As the operands that are computed element by element.
    Elements,
    /// As the first operand.
    First,
    /// With channels last, if one of the first operands (so many) has them last.
    Images(usize),
    /// With channels last, if all tensors of the list have them last.
    List,
}

impl Layout {
    /// What the functions of a file do, by the names of file and function.
    #[must_use]
    pub fn of(file: &str, function: &str) -> Layout {
        match (file, function) {
            ("pointwise", "all_finite" | "allclose" | "equal" | "masked_fill" | "positive") => {
                Layout::Rows
            }
            ("pointwise" | "clamp" | "special", _) => Layout::Elements,
            (
                "choose",
                "fmax" | "fmin" | "heaviside" | "float_power" | "gcd" | "lcm" | "isposinf"
                | "isneginf" | "isreal",
            ) => Layout::Elements,
            (
                "activation",
                "softmax" | "log_softmax" | "f_softmax" | "f_softmin" | "f_log_softmax"
                | "logsigmoid",
            ) => Layout::Rows,
            ("activation", "glu" | "prelu") => Layout::First,
            ("activation", _) => Layout::Elements,
            ("random", "dropout" | "torch_dropout" | "dropout_channels")
            | ("sort", "sort" | "argsort")
            | ("shape", "flip")
            | ("rearrange", "fliplr" | "flipud" | "slice_scatter" | "select_scatter")
            | ("diagonal", "diagonal_scatter")
            | ("scan", "diff")
            | ("norm", "normalize")
            | ("scatter", "index_put" | "put_at")
            | ("gather", "index_fill")
            | (
                "loss",
                "mse_loss" | "l1_loss" | "smooth_l1_loss" | "huber_loss" | "bce"
                | "bce_with_logits" | "kl_div",
            ) => Layout::First,
            ("shape", "roll" | "pad") | ("norm", "group_norm" | "batch_norm") | ("pool", _) => {
                Layout::Images(1)
            }
            ("conv", _) => Layout::Images(2),
            ("shape", "cat" | "hstack" | "vstack") => Layout::List,
            _ => Layout::Rows,
        }
    }

    /// What the function gives, lying as PyTorch lays it.
    pub fn of_results<B: TorchOps>(
        self,
        b: &mut B,
        args: &mut CallArgs<B>,
        body: TorchFn<B>,
    ) -> Res<B> {
        let operands = args.tensor_arguments(args.signature.out);
        let order = match self {
            Layout::Rows => None,
            Layout::Elements => {
                // A result that is written to its operand lies there.
                let in_place = args.place_of("inplace").and_then(|at| args.given(at));
                if in_place.is_some_and(|v| !matches!(v, Arg::Const(Value::Bool(Bool::False)))) {
                    return body(b, args);
                }
                return elements(b, args, &operands, body);
            }
            Layout::First => match operands.first() {
                Some((_, x)) => b.memory_order(x)?,
                None => None,
            },
            Layout::Images(n) => {
                let mut order = None;
                for (_, x) in operands.iter().filter(|(i, _)| *i < n) {
                    if order.is_none() {
                        order = channels_last(b, x)?;
                    }
                }
                order
            }
            Layout::List => {
                let mut order = None;
                for x in args.other_tensors(usize::MAX) {
                    order = channels_last(b, &x)?;
                    if order.is_none() {
                        break;
                    }
                }
                order
            }
        };
        let result = body(b, args)?;
        match order {
            None => Ok(result),
            Some(order) => ordered(b, result, &order),
        }
    }
}

/// The order of dimensions with channels last, where a tensor has them last.
fn channels_last<B: TorchOps>(b: &mut B, x: &B::T) -> Result<Option<Axes>, B::Error> {
    let format = match rank(b, x) {
        4 => MemoryFormat::ChannelsLast,
        5 => MemoryFormat::ChannelsLast3d,
        _ => return Ok(None),
    };
    let (Some(order), Some(wanted)) = (b.memory_order(x)?, format.order()) else {
        return Ok(None);
    };
    // Those of one element lie anywhere.
    let shape = b.shape(x);
    let long = |d: &&usize| shape.get(**d) != Some(&Dim::Known(1));
    let same = order.iter().filter(long).eq(wanted.iter().filter(long));
    Ok(same.then(|| wanted.into()))
}

/// A fresh tensor with its dimensions in an order of memory.
pub(super) fn ordered_tensor<B: TorchOps>(b: &mut B, t: &B::T, order: &[usize]) -> TRes<B> {
    if b.memory_order(t)?.as_deref() == Some(order) {
        return Ok(t.clone());
    }
    let turned = b.permute(t, order)?;
    let rows = b.copy(&turned)?;
    let laid = b.laid_out(&rows, &inverse_permutation(order))?;
    b.copy_label(&laid, t);
    Ok(laid)
}

/// The order of memory of what is taken from a tensor at the places that index tensors tell: as of an elementwise
/// function of all of them. `kept` are the dimensions of the source before and after those of the indices.
pub(super) fn order_of_taken<B: TorchOps>(
    b: &mut B,
    source: &B::T,
    kept: (&[usize], &[usize]),
    indices: &[B::T],
) -> Result<Option<Axes>, B::Error> {
    let of_source = b.memory_order(source)?;
    let mut of_indices = Vec::with_capacity(indices.len());
    for t in indices {
        of_indices.push(b.memory_order(t)?);
    }
    if of_source.is_none() && of_indices.iter().all(Option::is_none) {
        return Ok(None);
    }
    let wide = indices.iter().map(|t| rank(b, t)).max().unwrap_or(0);
    let total = kept.0.len() + wide + kept.1.len();
    // Numbers in the order of the strides; a dimension that an operand lacks has 0.
    let steps_of = |order: &Option<Axes>, rank: usize| -> Vec<i64> {
        let mut steps = vec![0; rank];
        for place in 0..rank {
            let d = order
                .as_ref()
                .and_then(|o| o.get(place).copied())
                .unwrap_or(place);
            if let Some(step) = steps.get_mut(d) {
                *step = (rank - place) as i64;
            }
        }
        steps
    };
    let long = |d: &Dim| if *d == Dim::Known(1) { 1 } else { 2 };
    let (mut shapes, mut strides) = (Vec::new(), Vec::new());
    let (mut shape, mut step) = (vec![1; total], vec![0; total]);
    let of_source = steps_of(&of_source, rank(b, source));
    let extents = b.shape(source);
    let places = (0..kept.0.len()).chain(kept.0.len() + wide..total);
    for (place, &d) in places.zip(kept.0.iter().chain(kept.1)) {
        if let (Some(s), Some(t)) = (shape.get_mut(place), step.get_mut(place)) {
            *s = extents.get(d).map_or(1, long);
            *t = of_source.get(d).copied().unwrap_or(0);
        }
    }
    shapes.push(shape);
    strides.push(step);
    for (t, order) in indices.iter().zip(&of_indices) {
        let (own, extents) = (rank(b, t), b.shape(t));
        let before = kept.0.len() + wide - own;
        let after = total - before - own;
        let pad = |list: Vec<i64>, with: i64| -> Vec<i64> {
            let front = std::iter::repeat_n(with, before);
            front
                .chain(list)
                .chain(std::iter::repeat_n(with, after))
                .collect()
        };
        shapes.push(pad(extents.iter().map(long).collect(), 1));
        strides.push(pad(steps_of(order, own), 0));
    }
    let both: Vec<(&[i64], &[i64])> = shapes
        .iter()
        .zip(&strides)
        .map(|(s, t)| (&**s, &**t))
        .collect();
    Ok(iteration_order(&both))
}

/// Results with their dimensions in an order of memory; others than tensors of that rank stay as they are.
fn ordered<B: TorchOps>(b: &mut B, result: Ret<B>, order: &[usize]) -> Res<B> {
    Ok(match result {
        Ret::Tensor(t) if rank(b, &t) == order.len() => Ret::Tensor(ordered_tensor(b, &t, order)?),
        Ret::Tuple(items) => {
            let all: Result<_, B::Error> = items
                .into_iter()
                .map(|item| ordered(b, item, order))
                .collect();
            Ret::Tuple(all?)
        }
        Ret::NamedTuple(class, items) => {
            let all: Result<_, B::Error> = items
                .into_iter()
                .map(|item| ordered(b, item, order))
                .collect();
            Ret::NamedTuple(class, all?)
        }
        other => other,
    })
}

/// An elementwise function, computed with dimensions in the order of memory.
fn elements<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
    operands: &[(usize, B::T)],
    body: TorchFn<B>,
) -> Res<B> {
    let tensors: Vec<B::T> = operands.iter().map(|(_, t)| t.clone()).collect();
    let Some(order) = b.iteration_order(&tensors)? else {
        return body(b, args);
    };
    // What does not fit is told of before the dimensions change their places.
    let mut wide = Dims::new();
    for t in &tensors {
        let shape = b.shape(t);
        wide = broadcast_shapes(b, &wide, &shape)?;
    }
    for (at, t) in operands {
        // A number as a tensor has a say of its own in promotion.
        if rank(b, t) > 0 {
            let t = turned(b, t, &order)?;
            args.set(*at, Arg::Tensor(t));
        }
    }
    match body(b, args)? {
        Ret::Tensor(t) if rank(b, &t) == order.len() => {
            Ok(Ret::Tensor(b.laid_out(&t, &inverse_permutation(&order))?))
        }
        other => Ok(other),
    }
}

/// An operand with its dimensions in an order, after it got those that broadcasting gives it.
fn turned<B: TorchOps>(b: &mut B, t: &B::T, order: &[usize]) -> TRes<B> {
    let shape = b.shape(t);
    let missing = order.len().saturating_sub(shape.len());
    if missing == 0 {
        return b.permute(t, order);
    }
    let ones = std::iter::repeat_n(Dim::Known(1), missing);
    let shape: Dims = ones.chain(shape.iter().copied()).collect();
    let t = b.reshape(t, &shape)?;
    b.permute(&t, order)
}
