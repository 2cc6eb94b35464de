//! The torch functions, each written once over [`TorchOps`].
//!
//! In: bound arguments. Out: tensors made of primitives. Always: promotion and broadcasting become
//! explicit primitives here; the order of primitives is the same in every tier.

pub mod activation;
pub mod arguments;
pub mod attributes;
pub mod choose;
pub mod clamp;
pub mod complex;
pub mod conv;
pub mod convert;
pub mod count;
pub mod create;
pub mod diagonal;
pub mod dtypes;
pub mod einsum;
pub mod fourier;
pub mod gather;
pub mod grad;
pub mod index;
pub mod keeps;
pub mod layout;
pub mod linalg;
pub mod loss;
pub mod memory_format;
pub mod norm;
pub mod outputs;
pub mod places;
pub mod pointwise;
pub mod pool;
pub mod products;
pub mod random;
pub mod rearrange;
pub mod reduce;
pub mod refusals;
pub mod rounding;
pub mod scan;
pub mod scatter;
pub mod shape;
pub mod slope;
pub mod solve;
pub mod sort;
pub mod special;
pub mod subscript;
pub mod write;

use janus_tensor::ops::{Axes, DimOp, Dims};
use janus_tensor::shape::{normalize_dim, normalize_dims};
use janus_tensor::{DType, Dim, Ops, Participant, Scalar, TensorError, result_type};

use crate::TorchOps;
use crate::call::{CallArgs, Operand, Ret};

/// Result of a torch function.
pub type Res<B> = Result<Ret<B>, <B as Ops>::Error>;
/// Result of a helper that gives a tensor.
pub type TRes<B> = Result<<B as Ops>::T, <B as Ops>::Error>;

/// The rank of a tensor.
pub fn rank<B: TorchOps>(b: &B, t: &B::T) -> usize {
    b.shape(t).len()
}

/// Known extents of a shape, -1 for symbols; for messages.
pub fn known(dims: &[Dim]) -> Vec<i64> {
    dims.iter().map(|d| d.known().unwrap_or(-1)).collect()
}

/// A `RuntimeError`.
pub fn runtime<B: TorchOps>(text: impl Into<String>) -> B::Error {
    TensorError::Runtime(text.into()).into()
}

/// What a graph under construction would have to know. Met in tier 2 only.
pub fn not_known<B: TorchOps>(text: impl Into<String>) -> B::Error {
    TensorError::NotKnown(text.into()).into()
}

/// PyTorch's error where a kernel lacks a dtype.
pub fn no_kernel<B: TorchOps>(kernel: &str, dtype: DType) -> B::Error {
    TensorError::NotImplemented(format!(
        "\"{kernel}\" not implemented for '{}'",
        dtype.scalar_type_name()
    ))
    .into()
}

/// Refuses bools where PyTorch's kernel takes none.
pub fn no_bools<B: TorchOps>(dtype: DType, kernel: &str) -> Result<(), B::Error> {
    match dtype {
        DType::Bool => Err(no_kernel::<B>(kernel, dtype)),
        _ => Ok(()),
    }
}

/// Refuses a number that tensors of this dtype cannot hold. Operands of arithmetic wrap instead.
pub fn check_fits<B: TorchOps>(b: &mut B, number: &B::S, dtype: DType) -> Result<(), B::Error> {
    match b.scalar_value(number) {
        None => b.refuse_unfit(number, dtype),
        Some(v) if v.fits(dtype) => Ok(()),
        Some(_) => Err(unfit::<B>(match dtype {
            DType::U8 => "uint8_t",
            DType::I8 => "int8_t",
            DType::I16 => "int16_t",
            DType::I64 => "int64_t",
            other => other.c_name(),
        })),
    }
}

/// Refuses a tensor without dimensions whose number a dtype cannot hold.
pub fn check_item_fits<B: TorchOps>(b: &mut B, t: &B::T, dtype: DType) -> Result<(), B::Error> {
    let have = b.dtype(t);
    let narrows = dtype != DType::Bool && have.promote(dtype) != dtype;
    if !narrows || (have.is_float() && dtype.is_float()) {
        return Ok(());
    }
    let number = b.item(t)?;
    check_fits(b, &number, dtype)
}

/// The error about a number that does not fit.
pub fn unfit<B: TorchOps>(name: &str) -> B::Error {
    runtime::<B>(format!(
        "value cannot be converted to type {name} without overflow"
    ))
}

/// A tensor filled with a number that a script gave.
pub fn filled_with<B: TorchOps>(b: &mut B, number: &B::S, dtype: DType, shape: &[Dim]) -> TRes<B> {
    check_fits(b, number, dtype)?;
    b.full(number, dtype, shape)
}

/// The shape that two shapes broadcast to.
pub fn broadcast_shapes<B: TorchOps>(b: &mut B, x: &[Dim], y: &[Dim]) -> Result<Dims, B::Error> {
    let rank = x.len().max(y.len());
    let mut out = Dims::new();
    // From the last one, so that the error is about the dimension that PyTorch names.
    for i in (0..rank).rev() {
        let at = |s: &[Dim]| {
            (i + s.len())
                .checked_sub(rank)
                .and_then(|j| s.get(j).copied())
                .unwrap_or(Dim::Known(1))
        };
        let (p, q) = (at(x), at(y));
        out.push(if p == q || q == Dim::Known(1) {
            p
        } else if p == Dim::Known(1) {
            q
        } else if b.dims_equal(p, q)? {
            if p.known().is_some() { p } else { q }
        } else {
            return Err(TensorError::Broadcast {
                a: p.known().unwrap_or(-1),
                b: q.known().unwrap_or(-1),
                dim: i,
            }
            .into());
        });
    }
    out.reverse();
    Ok(out)
}

/// Stretches a tensor to a shape that it broadcasts to.
pub fn expand_to<B: TorchOps>(b: &mut B, t: &B::T, shape: &[Dim]) -> TRes<B> {
    let have = b.shape(t);
    if have.as_slice() == shape {
        return Ok(t.clone());
    }
    let offset = shape.len().saturating_sub(have.len());
    for (&p, &q) in have.iter().zip(shape.get(offset..).unwrap_or_default()) {
        // What is known is compared where it is stretched.
        let moves = p.known().is_none() || q.known().is_none();
        if moves && p != Dim::Known(1) && !b.dims_equal(p, q)? {
            return Err(not_known::<B>(
                "a tensor is stretched to extents that it does not have",
            ));
        }
    }
    let dims: Axes = (0..have.len()).map(|i| i + offset).collect();
    b.broadcast(t, shape, &dims)
}

/// The dtype that these operands compute in.
pub fn promoted<B: TorchOps>(b: &B, operands: &[&Operand<B>]) -> DType {
    let participants: Vec<Participant> = operands
        .iter()
        .map(|o| match o {
            Operand::T(t) => Participant::Tensor(b.dtype(t), b.shape(t).len()),
            Operand::S(s) => Participant::Number(b.scalar_kind(s)),
        })
        .collect();
    result_type(&participants, b.default_dtype()).unwrap_or(DType::F32)
}

/// The default dtype instead of an integral one: what functions with real results compute in.
pub fn to_float<B: TorchOps>(b: &B, d: DType) -> DType {
    if d.is_inexact() { d } else { b.default_dtype() }
}

/// Operands of one dtype and one shape.
pub fn unify<B: TorchOps>(
    b: &mut B,
    operands: &[&Operand<B>],
    dtype: DType,
) -> Result<Vec<B::T>, B::Error> {
    let mut shape = Dims::new();
    for o in operands {
        if let Operand::T(t) = o {
            let s = b.shape(t);
            shape = if shape.is_empty() {
                s
            } else {
                broadcast_shapes(b, &shape, &s)?
            };
        }
    }
    let mut out = Vec::with_capacity(operands.len());
    for o in operands {
        out.push(match o {
            Operand::T(t) => {
                let t = b.cast(t, dtype)?;
                expand_to(b, &t, &shape)?
            }
            Operand::S(s) => b.splat(s, dtype, &shape)?,
        });
    }
    Ok(out)
}

/// Two operands of one dtype and one shape.
pub fn unify2<B: TorchOps>(
    b: &mut B,
    x: &Operand<B>,
    y: &Operand<B>,
    dtype: DType,
) -> Result<(B::T, B::T), B::Error> {
    let mut both = unify(b, &[x, y], dtype)?;
    match (both.pop(), both.pop()) {
        (Some(y), Some(x)) => Ok((x, y)),
        _ => Err(runtime::<B>("two operands expected")),
    }
}

/// An operand of elementwise primitives: `value` in the dtype and shape of `like`.
pub fn splat_like<B: TorchOps>(b: &mut B, value: impl Into<Scalar>, like: &B::T) -> TRes<B> {
    let s = b.scalar(value.into());
    splat_scalar(b, &s, like)
}

/// As [`splat_like`] for a run-time scalar.
pub fn splat_scalar<B: TorchOps>(b: &mut B, s: &B::S, like: &B::T) -> TRes<B> {
    let (dtype, shape) = (b.dtype(like), b.shape(like));
    b.splat(s, dtype, &shape)
}

/// A tensor filled with a known number that may be handed out.
pub fn full_like<B: TorchOps>(b: &mut B, value: impl Into<Scalar>, like: &B::T) -> TRes<B> {
    let s = b.scalar(value.into());
    let (dtype, shape) = (b.dtype(like), b.shape(like));
    b.full(&s, dtype, &shape)
}

/// Names the operation behind a result.
pub fn named<B: TorchOps>(b: &mut B, t: B::T, name: &'static str) -> Res<B> {
    b.label(&t, name);
    Ok(Ret::Tensor(t))
}

/// A dimension that a tensor has to have: one without dimensions has none, where `normalize_dim` lends it one.
///
/// # Errors
/// `IndexError` where it has not.
pub fn own_dim(dim: i64, rank: usize) -> Result<usize, TensorError> {
    match rank {
        0 => Err(TensorError::Index(format!(
            "Dimension specified as {dim} but tensor has no dimensions"
        ))),
        _ => normalize_dim(dim, rank),
    }
}

/// A dimension argument.
pub fn dim_arg<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    i: usize,
    default: i64,
    rank: usize,
) -> Result<usize, B::Error> {
    let dim = args.int_or(b, i, default)?;
    Ok(normalize_dim(dim, rank)?)
}

/// Dimensions of a reduction: all of them where none is given.
pub fn dims_arg<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    i: usize,
    rank: usize,
) -> Result<Axes, B::Error> {
    match args.ints_opt(b, i)? {
        Some(dims) if !dims.is_empty() => Ok(normalize_dims(&dims, rank)?),
        _ => Ok((0..rank).collect()),
    }
}

/// A shape with the given dimensions set to 1.
pub fn kept_shape(shape: &[Dim], dims: &[usize]) -> Dims {
    shape
        .iter()
        .enumerate()
        .map(|(i, &d)| if dims.contains(&i) { Dim::Known(1) } else { d })
        .collect()
}

/// Puts reduced dimensions back as extents of 1.
pub fn restore<B: TorchOps>(b: &mut B, t: &B::T, shape: &[Dim], dims: &[usize]) -> TRes<B> {
    if dims.is_empty() {
        return Ok(t.clone());
    }
    b.reshape(t, &kept_shape(shape, dims))
}

/// Puts reduced dimensions back and stretches them to the shape before.
pub fn restore_and_expand<B: TorchOps>(
    b: &mut B,
    t: &B::T,
    shape: &[Dim],
    dims: &[usize],
) -> TRes<B> {
    let kept: Axes = (0..shape.len()).filter(|i| !dims.contains(i)).collect();
    b.broadcast(t, shape, &kept)
}

/// Product of the extents of some dimensions.
pub fn extent_of<B: TorchOps>(b: &mut B, shape: &[Dim], dims: &[usize]) -> Result<Dim, B::Error> {
    let mut n = Dim::Known(1);
    for &d in dims {
        n = b.dim_mul(n, shape.get(d).copied().unwrap_or(Dim::Known(1)))?;
    }
    Ok(n)
}

/// Whether an extent is at most another one. A graph asserts it where one of them moves.
pub fn at_most<B: TorchOps>(b: &mut B, n: Dim, limit: Dim) -> Result<bool, B::Error> {
    match (n, limit) {
        (Dim::Known(n), Dim::Known(limit)) => Ok(n <= limit),
        _ if n == limit => Ok(true),
        _ => {
            let least = b.dim_binary(DimOp::Min, n, limit)?;
            b.dims_equal(least, n)
        }
    }
}

/// Whether an extent is a multiple of a number. A graph asserts it where it moves.
pub fn is_multiple<B: TorchOps>(b: &mut B, n: Dim, of: i64) -> Result<bool, B::Error> {
    let rest = match n {
        Dim::Known(n) => Dim::Known(n.checked_rem(of).unwrap_or(1)),
        moves => b.dim_binary(DimOp::Rem, moves, Dim::Known(of))?,
    };
    b.dims_equal(rest, Dim::Known(0))
}

/// Fills in a -1 of a shape.
pub fn infer_shape<B: TorchOps>(b: &mut B, want: &[Dim], from: &[Dim]) -> Result<Dims, B::Error> {
    let all_known = want.iter().chain(from).all(|d| d.known().is_some());
    if all_known {
        let n: i64 = known(from).iter().product();
        let shape = janus_tensor::shape::infer_shape(&known(want), n)?;
        return Ok(shape.iter().map(|&d| Dim::Known(d)).collect());
    }
    let mut out: Dims = want.into();
    let unknown = want.iter().position(|&d| d == Dim::Known(-1));
    let Some(at) = unknown else {
        // Same count of elements: a graph asserts it where it cannot see it.
        let (a, c) = (b.numel(want)?, b.numel(from)?);
        if !b.dims_equal(a, c)? {
            return Err(TensorError::InvalidShape {
                shape: known(want).as_slice().into(),
                numel: c.known().unwrap_or(-1),
            }
            .into());
        }
        return Ok(out);
    };
    // Extents on both sides cancel, so that `x.view(x.size(0), -1)` needs no division.
    let mut rest: Vec<Dim> = from.to_vec();
    let mut divisor = Dim::Known(1);
    for (i, &d) in want.iter().enumerate() {
        if i == at {
            continue;
        }
        match rest.iter().position(|&r| r == d) {
            Some(p) => {
                rest.swap_remove(p);
            }
            None => divisor = b.dim_mul(divisor, d)?,
        }
    }
    let mut n = b.numel(&rest)?;
    // Of no elements any number is one to infer.
    for (i, &d) in want.iter().enumerate() {
        if i != at && !at_most(b, Dim::Known(1), d)? {
            return Err(runtime::<B>(format!(
                "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
                janus_tensor::ShapeText::from(known(want).as_slice())
            )));
        }
    }
    if divisor != Dim::Known(1) {
        let whole = b.dim_div(n, divisor)?;
        let back = b.dim_mul(whole, divisor)?;
        if !b.dims_equal(back, n)? {
            return Err(runtime::<B>("the shape is invalid for the input"));
        }
        n = whole;
    }
    if let Some(slot) = out.get_mut(at) {
        *slot = n;
    }
    Ok(out)
}

/// `min(a, b)` of extents.
pub fn dim_min<B: TorchOps>(b: &mut B, x: Dim, y: Dim) -> Result<Dim, B::Error> {
    if x == y {
        Ok(x)
    } else {
        b.dim_binary(DimOp::Min, x, y)
    }
}

/// Whether every extent pair is equal.
pub fn same_shape<B: TorchOps>(b: &mut B, x: &[Dim], y: &[Dim]) -> Result<bool, B::Error> {
    if x.len() != y.len() {
        return Ok(false);
    }
    for (&p, &q) in x.iter().zip(y) {
        if p != q && !b.dims_equal(p, q)? {
            return Ok(false);
        }
    }
    Ok(true)
}
