//! What stands between the brackets of `x[...]`.
//!
//! In: an index expression. Out: its components. Always: which lists are tuples and which are index tensors is
//! decided here, by NumPy's old rule, as in PyTorch.

use janus_object::Value;
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::runtime;
use crate::TorchOps;
use crate::call::{Arg, sequence};

/// One component of an index expression.
pub(super) enum Part<B: TorchOps> {
    Int(Dim),
    /// An int that is not known.
    Run(B::S),
    Slice(Arg<B>, Arg<B>, Arg<B>),
    NewAxis,
    Ellipsis,
    /// int64 indices
    Tensor(B::T),
    /// a bool mask
    Mask(B::T),
}

pub(super) fn index_error<B: TorchOps>(text: String) -> B::Error {
    TensorError::Index(text).into()
}

fn slice_parts<B: TorchOps>(arg: &Arg<B>) -> Option<(Arg<B>, Arg<B>, Arg<B>)> {
    match arg {
        Arg::Slice(parts) => {
            let [start, stop, step] = &**parts;
            Some((start.clone(), stop.clone(), step.clone()))
        }
        Arg::Const(Value::Slice(s)) => Some((
            Arg::Const(s.start.clone()),
            Arg::Const(s.stop.clone()),
            Arg::Const(s.step.clone()),
        )),
        _ => None,
    }
}

/// Reads an index tensor: integers become int64, bytes are masks as bools are.
fn tensor_part<B: TorchOps>(b: &mut B, t: &B::T) -> Result<Part<B>, B::Error> {
    match b.dtype(t) {
        DType::Bool => Ok(Part::Mask(t.clone())),
        DType::U8 => Ok(Part::Mask(b.cast(t, DType::Bool)?)),
        d if d.is_inexact() => Err(index_error::<B>(
            "tensors used as indices must be long, int, byte or bool tensors".to_owned(),
        )),
        _ => Ok(Part::Tensor(b.cast(t, DType::I64)?)),
    }
}

fn part<B: TorchOps>(b: &mut B, arg: &Arg<B>) -> Result<Part<B>, B::Error> {
    if let Some((start, stop, step)) = slice_parts(arg) {
        return Ok(Part::Slice(start, stop, step));
    }
    match arg {
        Arg::Tensor(t) => tensor_part(b, t),
        Arg::Scalar(s) => match b.scalar_value(s) {
            Some(Scalar::I64(i)) => Ok(Part::Int(Dim::Known(i))),
            Some(other) => part(b, &Arg::Const(crate::bind::scalar_value(other))),
            None => Ok(Part::Run(s.clone())),
        },
        Arg::Const(Value::None) => Ok(Part::NewAxis),
        Arg::Const(Value::Ellipsis) => Ok(Part::Ellipsis),
        Arg::Const(v) => match v.unwrapped() {
            Value::Int(i) => Ok(Part::Int(Dim::Known(i))),
            Value::Bool(v) => {
                let s = b.scalar(Scalar::Bool(v.get()));
                Ok(Part::Mask(b.full(&s, DType::Bool, &[])?))
            }
            _ if sequence(arg).is_some() || v.as_str().is_some() || v.as_bytes().is_some() => {
                list_part(b, arg)
            }
            _ => Err(index_error::<B>(format!(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})",
                v.type_name()
            ))),
        },
        Arg::List(_) | Arg::Tuple(_) => list_part(b, arg),
        Arg::Slice(_) => Err(runtime::<B>("a slice was expected")),
    }
}

/// Reads a list as an index: floats in it are cut to ints.
fn list_part<B: TorchOps>(b: &mut B, arg: &Arg<B>) -> Result<Part<B>, B::Error> {
    let t = super::create::tensor_of(b, arg, None)?;
    if b.dtype(&t).is_inexact() {
        let t = b.cast(&t, DType::I64)?;
        return Ok(Part::Tensor(t));
    }
    tensor_part(b, &t)
}

/// The longest list that is looked through for what makes it a tuple.
const LONGEST_TUPLE: usize = 31;

/// Whether this, in a list that is an index, makes a tuple of the list.
fn makes_tuple<B: TorchOps>(item: &Arg<B>) -> bool {
    match item {
        Arg::Tensor(_) => true,
        Arg::Const(Value::None | Value::Ellipsis) => true,
        Arg::Const(v) if v.as_str().is_some() => true,
        _ => slice_parts(item).is_some() || sequence(item).is_some(),
    }
}

/// Splits an index expression into components.
pub(super) fn parts<B: TorchOps>(b: &mut B, index: &Arg<B>) -> Result<Vec<Part<B>>, B::Error> {
    let is_tuple = match index {
        Arg::Tuple(_) => true,
        Arg::Const(v) => v.as_tuple().is_some(),
        _ => false,
    };
    let items = match sequence(index) {
        Some(items) if is_tuple => items,
        // Old numpy: a short list with slices, tensors or sequences in it is a tuple.
        Some(items) if items.len() <= LONGEST_TUPLE && items.iter().any(makes_tuple) => items,
        _ => vec![index.clone()],
    };
    items.iter().map(|i| part(b, i)).collect()
}
