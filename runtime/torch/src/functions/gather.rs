//! Functions that take elements by a tensor of indices or by a mask, and those that put them there.
//!
//! In: tensors and indices, checked as PyTorch checks them. Out: copies of elements, or a tensor with others in their
//! places. Always: an index is negative only where PyTorch counts it from the end.

use janus_object::Raised;
use janus_tensor::ops::{Axes, Dims, ReduceOp};
use janus_tensor::{DType, Dim, Scalar};

use super::index::{check_range, lost_writes, normalized, put};
use super::reduce::refuse_empty;
use super::shape::at;
use super::subscript::index_error;
use super::{
    Res, TRes, at_most, broadcast_shapes, dim_arg, expand_to, known, named, own_dim, rank, runtime,
    same_shape, splat_like,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret};
use crate::ops::NoDerivative;

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

pub(super) fn index_arg<B: TorchOps>(b: &mut B, args: &CallArgs<B>, i: usize) -> TRes<B> {
    let index = args.tensor(i)?;
    if b.dtype(&index).is_inexact() || b.dtype(&index) == DType::Bool {
        return Err(runtime::<B>(format!(
            "{}(): Expected dtype int32/int64 for index",
            args.name()
        )));
    }
    b.cast(&index, DType::I64)
}

/// `gather`
pub fn gather<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    if b.dtype(&args.tensor(2)?) != DType::I64 && b.dtype(&args.tensor(2)?) != DType::I32 {
        return Err(runtime::<B>(
            "gather(): Expected dtype int32/int64 for index",
        ));
    }
    let index = index_arg(b, args, 2)?;
    let (p, q) = (rank(b, &x), rank(b, &index));
    let (sx, si) = (b.shape(&x), b.shape(&index));
    if p.max(1) != q.max(1) {
        // Of no indices nothing is asked.
        if si.contains(&ZERO) {
            let zero = b.scalar(Scalar::I64(0));
            let dtype = b.dtype(&x);
            return Ok(Ret::Tensor(b.full(&zero, dtype, &si)?));
        }
        return Err(runtime::<B>(
            "Index tensor must have the same number of dimensions as input tensor",
        ));
    }
    if p == 0 {
        let n = b.numel(&si)?;
        let (one, places) = (b.reshape(&x, &[ONE])?, b.reshape(&index, &[n])?);
        let t = b.gather(&one, 0, &places)?;
        let t = b.reshape(&t, &si)?;
        return named(b, t, "GatherBackward0");
    }
    for (d, (&n, &i)) in sx.iter().zip(&si).enumerate() {
        if d != dim && !at_most(b, i, n)? {
            return Err(runtime::<B>(format!(
                "Size does not match at dimension {d} expected index {} to be no larger than self {} apart from dimension {dim}",
                janus_tensor::ShapeText::from(known(&si).as_slice()),
                janus_tensor::ShapeText::from(known(&sx).as_slice())
            )));
        }
    }
    let t = b.gather(&x, dim, &index)?;
    named(b, t, "GatherBackward0")
}

/// `take_along_dim`
pub fn take_along_dim<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let index = index_arg(b, args, 1)?;
    let Some(_) = args.given(2) else {
        let (p, q) = (b.shape(&x), b.shape(&index));
        let (n, m) = (b.numel(&p)?, b.numel(&q)?);
        let (x, index) = (b.reshape(&x, &[n])?, b.reshape(&index, &[m])?);
        return Ok(Ret::Tensor(b.take(&x, 0, &index)?));
    };
    let dim = dim_arg(b, args, 2, 0, rank(b, &x))?;
    own_dim(dim as i64, rank(b, &x))?;
    let (mut p, mut q) = (b.shape(&x), b.shape(&index));
    let (n, m) = (at(&p, dim), at(&q, dim));
    for s in [&mut p, &mut q] {
        if let Some(d) = s.get_mut(dim) {
            *d = ONE;
        }
    }
    let mut shape = broadcast_shapes(b, &p, &q)?;
    if let Some(d) = shape.get_mut(dim) {
        *d = n;
    }
    let x = expand_to(b, &x, &shape)?;
    if let Some(d) = shape.get_mut(dim) {
        *d = m;
    }
    let index = expand_to(b, &index, &shape)?;
    // An index counts from the end where it is negative.
    let (zero, extent) = (splat_like(b, 0, &index)?, b.dim_scalar(n));
    let extent = super::splat_scalar(b, &extent, &index)?;
    let (behind, below) = (b.add(&index, &extent)?, b.lt(&index, &zero)?);
    let index = b.select(&below, &behind, &index)?;
    let t = b.gather(&x, dim, &index)?;
    named(b, t, "GatherBackward0")
}

/// The leading part of `src` that `index` covers.
pub(super) fn cut_to<B: TorchOps>(b: &mut B, src: &B::T, shape: &[Dim]) -> TRes<B> {
    let have = b.shape(src);
    if have.as_slice() == shape {
        return Ok(src.clone());
    }
    // A number counts as a tensor of one element.
    let row = match have.is_empty() {
        true => Some(b.reshape(src, &vec![Dim::Known(1); shape.len()])?),
        false => None,
    };
    let src = row.as_ref().unwrap_or(src);
    let starts: Dims = shape.iter().map(|_| ZERO).collect();
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    b.slice(src, &starts, shape, &strides)
}

/// Refuses an index that is longer than the target, but for the dimension of the indices, or than the source.
pub(super) fn fits_scatter<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    index: &B::T,
    src: Option<&B::T>,
) -> Result<(), B::Error> {
    let (to, by) = (b.shape(x), b.shape(index));
    // Without a dimension there is one element.
    if by.contains(&ZERO) {
        return Ok(());
    }
    let from = src.map(|t| b.shape(t));
    for (of, shape) in [("self", Some(&to)), ("src", from.as_ref())] {
        if shape.is_some_and(|shape| shape.len().max(1) != by.len().max(1)) {
            return Err(runtime::<B>(format!(
                "Index tensor must have the same number of dimensions as {of} tensor"
            )));
        }
    }
    if to.is_empty() || by.is_empty() {
        return Ok(());
    }
    let mut over = false;
    for (d, &n) in by.iter().enumerate() {
        let source = from.as_ref().and_then(|from| from.get(d).copied());
        let target = to.get(d).copied().filter(|_| d != dim);
        for limit in [target, source].into_iter().flatten() {
            over = over || !at_most(b, n, limit)?;
        }
    }
    if !over {
        return Ok(());
    }
    let text = |shape: &[Dim]| janus_tensor::ShapeText::from(known(shape).as_slice()).to_string();
    Err(runtime::<B>(format!(
        "Expected index {} to be no larger than self {} apart from dimension {dim}{}",
        text(&by),
        text(&to),
        match &from {
            Some(from) => format!(" and to be no larger size than src {}", text(from)),
            None => String::new(),
        }
    )))
}

/// `scatter`
pub fn scatter<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let index = index_arg(b, args, 2)?;
    let shape = b.shape(&index);
    let from = if args.given(3).is_some() { 3 } else { 4 };
    let mut label = "ScatterBackward0";
    let src = match args.operand(b, from)? {
        Operand::S(s) => {
            label = "ScatterBackward1";
            super::filled_with(b, &s, dtype, &shape)?
        }
        Operand::T(t) => {
            if b.dtype(&t) != dtype {
                return Err(runtime::<B>(
                    "scatter(): Expected self.dtype to be equal to src.dtype",
                ));
            }
            fits_scatter(b, &x, dim, &index, Some(&t))?;
            cut_to(b, &t, &shape)?
        }
    };
    fits_scatter(b, &x, dim, &index, None)?;
    match args.str_or(5, "")?.as_str() {
        "" => {}
        "add" => {
            let t = b.scatter_add(&x, dim, &index, &src)?;
            return named(b, t, "ScatterAddBackward0");
        }
        "multiply" => {
            let t = super::scatter::multiplied(b, &x, dim, &index, &src)?;
            let function = NoDerivative::of("scatter");
            return Ok(Ret::Tensor(b.underivable(&t, &[&x, &src], function)?));
        }
        _ => {
            return Err(runtime::<B>(
                "reduce argument must be either add or multiply.",
            ));
        }
    }
    let src = match b.last_writers(&index, Some(dim))? {
        Some(last) => {
            let lost = lost_writes(b, &src)?;
            b.select(&last, &src, &lost)?
        }
        None => src,
    };
    let (number, back) = (
        if dtype == DType::Bool {
            DType::I64
        } else {
            dtype
        },
        dtype,
    );
    let src = b.cast(&src, number)?;
    let zeros = super::full_like(b, 0, &x)?;
    let zeros = b.cast(&zeros, number)?;
    let written = b.scatter_add(&zeros, dim, &index, &src)?;
    let written = b.cast(&written, back)?;
    let counts = b.cast(&zeros, DType::I64)?;
    let one = b.scalar(Scalar::I64(1));
    let ones = b.full(&one, DType::I64, &shape)?;
    let counts = b.scatter_add(&counts, dim, &index, &ones)?;
    let zero = splat_like(b, 0, &counts)?;
    let hit = b.ne(&counts, &zero)?;
    let t = b.select(&hit, &written, &x)?;
    named(b, t, label)
}

/// `scatter_add`
pub fn scatter_add<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let index = index_arg(b, args, 2)?;
    let src = args.tensor(3)?;
    if b.dtype(&src) != b.dtype(&x) {
        return Err(runtime::<B>(
            "scatter(): Expected self.dtype to be equal to src.dtype",
        ));
    }
    fits_scatter(b, &x, dim, &index, Some(&src))?;
    let shape = b.shape(&index);
    let src = cut_to(b, &src, &shape)?;
    let t = b.scatter_add(&x, dim, &index, &src)?;
    named(b, t, "ScatterAddBackward0")
}

/// The tensor, a single number as a row of one.
fn as_row<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    if b.shape(x).is_empty() {
        b.reshape(x, &[ONE])
    } else {
        Ok(x.clone())
    }
}

/// What was written into a row of one, as the number that it came from.
fn as_before<B: TorchOps>(b: &mut B, t: B::T, x: &B::T) -> TRes<B> {
    let shape = b.shape(x);
    if shape.is_empty() {
        b.reshape(&t, &shape)
    } else {
        Ok(t)
    }
}

fn vector_index<B: TorchOps>(b: &mut B, args: &CallArgs<B>, i: usize) -> TRes<B> {
    let index = index_arg(b, args, i)?;
    match rank(b, &index) {
        0 => b.reshape(&index, &[ONE]),
        1 => Ok(index),
        _ => Err(index_error::<B>(format!(
            "{}(): Index is supposed to be a vector",
            args.name()
        ))),
    }
}

/// `index_select`
pub fn index_select<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let index = vector_index(b, args, 2)?;
    let n = at(&b.shape(&index), 0);
    match (b.shape(&x).get(dim), n) {
        (None, Dim::Known(n)) if n != 1 => {
            return Err(runtime::<B>(format!(
                "index_select(): Index to scalar can have only 1 value, got {n} value(s)"
            )));
        }
        (Some(Dim::Known(0)), n) if n != Dim::Known(0) => {
            return Err(runtime::<B>(
                "index_select(): self indexing axis dim should be positive",
            ));
        }
        _ => {}
    }
    let scalar = b.shape(&x).is_empty();
    let x = as_row(b, &x)?;
    let t = b.take(&x, dim, &index)?;
    let t = if scalar { b.reshape(&t, &[])? } else { t };
    named(b, t, "IndexSelectBackward0")
}

/// What `index_add` says of a source that does not fit.
fn refuse_source<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    index: &B::T,
    source: &B::T,
) -> Result<(), B::Error> {
    let (to, from) = (b.dtype(x), b.dtype(source));
    if to != from {
        return Err(runtime::<B>(format!(
            "index_add_(): self ({}) and source ({}) must have the same scalar type",
            to.scalar_type_name(),
            from.scalar_type_name()
        )));
    }
    let (n, shape) = (at(&b.shape(index), 0), b.shape(source));
    if rank(b, x) == 0 && !shape.is_empty() {
        let extents: Vec<i64> = shape.iter().map(|d| d.known().unwrap_or(-1)).collect();
        return Err(runtime::<B>(format!(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = [] \
source.shape = {extents:?}"
        )));
    }
    let own = b.shape(x);
    if dim >= shape.len().max(1) {
        return Err(runtime::<B>(format!(
            "index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim {}",
            shape.len()
        )));
    }
    let rows = shape.get(dim).copied().unwrap_or(ONE);
    if !b.dims_equal(n, rows)? {
        return Err(runtime::<B>(format!(
            "index_add_(): Number of indices ({}) should be equal to source.size(dim): ({}), for dim: {dim}",
            n.known().unwrap_or(-1),
            rows.known().unwrap_or(-1)
        )));
    }
    let mut fits = own.is_empty() || own.len() == shape.len();
    for (d, (&p, &q)) in own.iter().zip(&shape).enumerate() {
        fits = fits && (d == dim || b.dims_equal(p, q)?);
    }
    if fits {
        return Ok(());
    }
    Err(runtime::<B>(format!(
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {:?} \
         source.shape = {:?}",
        known(&own),
        known(&shape)
    )))
}

/// `index_add`
pub fn index_add<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let index = vector_index(b, args, 2)?;
    let mut source = args.tensor(3)?;
    if let Some(alpha) = args.number_opt(b, 4)? {
        let alpha = super::splat_scalar(b, &alpha, &source)?;
        source = b.mul(&source, &alpha)?;
    }
    refuse_source(b, &x, dim, &index, &source)?;
    let (row, source) = (as_row(b, &x)?, as_row(b, &source)?);
    let (extents, n) = (b.shape(&row), at(&b.shape(&row), dim));
    // Rows without elements are never reached, so that PyTorch does not look at their indices.
    if extents.contains(&Dim::Known(0)) {
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    if let Some(size) = n.known()
        && extents.len() > 1
        && let Some(bad) = b.index_out_of_range(&index, size)?
    {
        return Err(runtime::<B>(format!(
            "index {bad} is out of bounds for dimension {dim} with size {size}"
        )));
    }
    let t = b.take_add(&row, dim, &index, &source)?;
    let t = as_before(b, t, &x)?;
    named(b, t, "IndexAddBackward0")
}

fn rows_shape<B: TorchOps>(b: &B, x: &B::T, dim: usize, index: &B::T) -> Dims {
    let mut shape = b.shape(x);
    if let Some(d) = shape.get_mut(dim) {
        *d = at(&b.shape(index), 0);
    }
    shape
}

/// `index_fill`
pub fn index_fill<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let index = vector_index(b, args, 2)?;
    let n = at(&b.shape(&x), dim);
    let index = normalized(b, &index, n)?;
    check_range(b, &index, dim, n)?;
    let row = as_row(b, &x)?;
    let (dtype, shape) = (b.dtype(&x), rows_shape(b, &row, dim, &index));
    let value = args.operand(b, 3)?;
    let is_complex = match &value {
        Operand::S(s) => b.scalar_kind(s) == janus_tensor::ScalarKind::C128,
        Operand::T(t) => b.dtype(t).is_complex(),
    };
    if is_complex && !dtype.is_complex() {
        return Err(runtime::<B>(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported",
        ));
    }
    let t = match value {
        Operand::S(s) => {
            let value = super::filled_with(b, &s, dtype, &shape)?;
            put(b, &row, dim, &index, &value)?
        }
        Operand::T(t) => {
            let rank = rank(b, &t);
            if rank != 0 {
                return Err(runtime::<B>(format!(
                    "index_fill_ only supports a 0-dimensional value tensor, but got tensor with {rank} dimension(s)."
                )));
            }
            // Through a mask: an index that comes twice gives the value its gradient once.
            let (whole, one) = (b.shape(&row), b.scalar(Scalar::Bool(true)));
            let zero = b.scalar(Scalar::Bool(false));
            let none = b.full(&zero, DType::Bool, &whole)?;
            let all = b.full(&one, DType::Bool, &shape)?;
            let filled = put(b, &none, dim, &index, &all)?;
            let t = b.cast(&t, dtype)?;
            let value = super::expand_to(b, &t, &whole)?;
            b.select(&filled, &value, &row)?
        }
    };
    let t = as_before(b, t, &x)?;
    let label = match args.get(3) {
        Some(Arg::Tensor(_)) => "IndexFillBackward1",
        _ => "IndexFillBackward0",
    };
    named(b, t, label)
}

/// What `index_copy` says of a source or of indices that do not fit.
fn refuse_copied<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    index: &B::T,
    source: &B::T,
) -> Result<(), B::Error> {
    let index_rank = rank(b, index);
    if index_rank > 1 {
        return Err(index_error::<B>(format!(
            "index_copy_(): Index should have dimension 1 or 0 (got {index_rank})"
        )));
    }
    let (own, shape) = (b.shape(x), b.shape(source));
    let count = at(&b.shape(index), 0);
    let number = |d: Dim| d.known().unwrap_or(-1);
    if shape.is_empty() && !b.dims_equal(count, ONE)? {
        return Err(index_error::<B>(format!(
            "index_copy_(): When source is scalar, index should have one element (got {})",
            number(count)
        )));
    }
    if own.len() != shape.len() && !own.is_empty() && !shape.is_empty() {
        return Err(index_error::<B>(format!(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source \
             dimensionality ({}), destination dimensionality ({})",
            shape.len(),
            own.len()
        )));
    }
    if b.dtype(index) != DType::I64 {
        return Err(runtime::<B>(format!(
            "index_copy_(): Expected a long tensor for index, but got {}",
            b.dtype(index).scalar_type_name()
        )));
    }
    if b.dtype(x) != b.dtype(source) {
        return Err(runtime::<B>(format!(
            "index_copy_(): self and source expected to have the same dtype, but got (self) {} and (source) {}",
            b.dtype(x).scalar_type_name(),
            b.dtype(source).scalar_type_name()
        )));
    }
    let sliced = |shape: &[Dim]| -> Dims {
        let others = shape.iter().enumerate().filter(|&(d, _)| d != dim);
        others.map(|(_, &n)| n).collect()
    };
    let (to, from) = (sliced(&own), sliced(&shape));
    if !same_shape(b, &to, &from)? {
        let text = |dims: &[Dim]| {
            let all: Vec<String> = dims.iter().map(|&d| number(d).to_string()).collect();
            all.join(" ")
        };
        return Err(runtime::<B>(format!(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: {} at \
             dimension {dim} and source slice shape: {} at dimension 0.",
            text(&to),
            text(&from)
        )));
    }
    match shape.get(dim).copied() {
        Some(rows) if !b.dims_equal(count, rows)? => Err(index_error::<B>(format!(
            "index_copy_(): Number of indices ({}) should be equal to source.size(dim) ({})",
            number(count),
            number(rows)
        ))),
        _ => Ok(()),
    }
}

/// `index_copy`
pub fn index_copy<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let source = args.tensor(3)?;
    refuse_copied(b, &x, dim, &args.tensor(2)?, &source)?;
    let index = vector_index(b, args, 2)?;
    let (row, source) = (as_row(b, &x)?, as_row(b, &source)?);
    if let Some(n) = at(&b.shape(&row), dim).known()
        && let Some(bad) = b.index_out_of_range(&index, n)?
    {
        return Err(index_error::<B>(format!(
            "index_copy_(): index {bad} is out of bounds for dimension {dim} with size {n}"
        )));
    }
    let t = put(b, &row, dim, &index, &source)?;
    let t = as_before(b, t, &x)?;
    named(b, t, "IndexCopyBackward0")
}

/// `take`: linear indices.
pub fn take<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let index = index_arg(b, args, 1)?;
    let shape = b.shape(&x);
    let n = b.numel(&shape)?;
    let flat = b.reshape(&x, &[n])?;
    if n == Dim::Known(0) && !b.shape(&index).contains(&Dim::Known(0)) {
        return Err(index_error::<B>(
            "take(): tried to take from an empty tensor".to_owned(),
        ));
    }
    let index = normalized(b, &index, n)?;
    if let Some(n) = n.known()
        && let Some(bad) = b.index_out_of_range(&index, n)?
    {
        return Err(index_error::<B>(format!(
            "out of range: tried to access index {} on a tensor of {n} elements.",
            if bad < 0 { bad - n } else { bad }
        )));
    }
    let t = b.take(&flat, 0, &index)?;
    named(b, t, "TakeBackward0")
}

/// `masked_select`
pub fn masked_select<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, mask) = (args.tensor(0)?, args.tensor(1)?);
    if b.dtype(&mask) != DType::Bool {
        return Err(runtime::<B>("masked_select: expected BoolTensor for mask"));
    }
    let (p, q) = (b.shape(&x), b.shape(&mask));
    let shape = broadcast_shapes(b, &p, &q)?;
    let n = b.numel(&shape)?;
    let (x, mask) = (expand_to(b, &x, &shape)?, expand_to(b, &mask, &shape)?);
    let (x, mask) = (b.reshape(&x, &[n])?, b.reshape(&mask, &[n])?);
    let places = b.nonzero(&mask)?.into_iter().next();
    let places = places.ok_or_else(|| runtime::<B>("masked_select of nothing"))?;
    let t = b.take(&x, 0, &places)?;
    named(b, t, "MaskedSelectBackward0")
}

/// `nonzero`
pub fn nonzero<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if args.flag(1)? {
        return coordinates(b, &x);
    }
    let found = places(b, &x)?;
    // Each dimension's coordinates lie behind one another.
    let mut t = super::shape::stack_of(b, &found, 0)?;
    // A number has no coordinates.
    if rank(b, &x) == 0 {
        t = super::shape::narrow_of(b, &t, 0, ZERO, ZERO)?;
    }
    Ok(Ret::Tensor(b.laid_out(&t, &[1, 0])?))
}

/// The coordinates of what is not zero, dimension by dimension; a number counts as one of one element.
fn places<B: TorchOps>(b: &mut B, x: &B::T) -> Result<Vec<B::T>, B::Error> {
    match rank(b, x) {
        0 => {
            let x = b.reshape(x, &[ONE])?;
            b.nonzero(&x)
        }
        _ => b.nonzero(x),
    }
}

/// The same as a tuple.
pub fn coordinates<B: TorchOps>(b: &mut B, x: &B::T) -> Res<B> {
    let found = places(b, x)?;
    Ok(Ret::Tuple(found.into_iter().map(Ret::Tensor).collect()))
}

/// `F.embedding`: rows of `weight`; the row `padding_idx` gets no gradient.
pub fn embedding<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let index = args.tensor(0)?;
    let weight = args.tensor(1)?;
    if !matches!(b.dtype(&index), DType::I64 | DType::I32) {
        return Err(runtime::<B>(format!(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.{}Tensor instead (while checking arguments for embedding)",
            b.dtype(&index).scalar_type_name()
        )));
    }
    let index = b.cast(&index, DType::I64)?;
    if rank(b, &weight) != 2 {
        return Err(runtime::<B>("'weight' must be 2-D"));
    }
    if at(&b.shape(&weight), 0) == Dim::Known(0) && !b.shape(&index).contains(&Dim::Known(0)) {
        return Err(runtime::<B>(
            "index_select(): self indexing axis dim should be positive",
        ));
    }
    let rows = at(&b.shape(&weight), 0).known();
    if let (Some(padding), Some(n)) = (args.int_opt(b, 2)?, rows)
        && !(-n..n).contains(&padding)
    {
        return Err(Raised::assertion_error("Padding_idx must be within num_embeddings").into());
    }
    if let Some(limit) = args.float_opt(b, 3)? {
        let p = args.float_or(b, 4, 2.0)?;
        let recorded = b.is_grad_enabled();
        b.set_grad_enabled(false)?;
        let done = shorten_rows(b, &weight, &index, limit, p);
        b.set_grad_enabled(recorded)?;
        done?;
    }
    let t = b.take(&weight, 0, &index)?;
    let t = match args.flag_or(5, false)? {
        true => by_frequency(b, &t, &index, &weight)?,
        false => t,
    };
    let Some(padding) = args.int_opt(b, 2)? else {
        return named(b, t, "EmbeddingBackward0");
    };
    let rows = rows.unwrap_or(0);
    let padding = if padding < 0 { padding + rows } else { padding };
    let pad = splat_like(b, padding, &index)?;
    let is_pad = b.eq(&index, &pad)?;
    let shape = b.shape(&t);
    let dims: Axes = (0..rank(b, &index)).collect();
    let is_pad = b.broadcast(&is_pad, &shape, &dims)?;
    let constant = b.detach(&t)?;
    let t = b.select(&is_pad, &constant, &t)?;
    named(b, t, "EmbeddingBackward0")
}

/// Rows whose gradients are divided by how often each is asked for.
fn by_frequency<B: TorchOps>(b: &mut B, rows: &B::T, index: &B::T, weight: &B::T) -> TRes<B> {
    let value = super::slope::constant_of(b, rows)?;
    super::slope::with_slope(b, value, rows, |b| {
        let (shape, dtype) = (b.shape(weight), b.dtype(weight));
        let all: Dims = shape.first().copied().into_iter().collect();
        let zero = b.scalar(Scalar::I64(0));
        let none = b.full(&zero, DType::I64, &all)?;
        let ones = super::full_like(b, 1, index)?;
        let asked = b.take_add(&none, 0, index, &ones)?;
        let counts = b.take(&asked, 0, index)?;
        let counts = b.cast(&counts, dtype)?;
        let one = splat_like(b, 1, &counts)?;
        let part = b.div(&one, &counts)?;
        let dims: Axes = (0..rank(b, index)).collect();
        let wide = b.shape(rows);
        b.broadcast(&part, &wide, &dims)
    })
}

/// Scales the rows that are asked for, where their norm is above a limit, down to it.
fn shorten_rows<B: TorchOps>(
    b: &mut B,
    weight: &B::T,
    index: &B::T,
    limit: f64,
    p: f64,
) -> Result<(), B::Error> {
    let shape = b.shape(weight);
    let rows: Dims = shape.first().copied().into_iter().collect();
    let zero = b.scalar(Scalar::I64(0));
    let none = b.full(&zero, DType::I64, &rows)?;
    let ones = super::full_like(b, 1, index)?;
    let asked = b.take_add(&none, 0, index, &ones)?;
    let asked = b.ne(&asked, &none)?;
    let norms = super::reduce::norm_of(b, weight, p, &[1])?;
    let norms = b.cast(&norms, DType::F64)?;
    let limits = splat_like(b, limit, &norms)?;
    let long = b.gt(&norms, &limits)?;
    let long = b.and(&asked, &long)?;
    let small = splat_like(b, 1e-7, &norms)?;
    let bottom = b.add(&norms, &small)?;
    let scale = b.div(&limits, &bottom)?;
    let one = splat_like(b, 1, &scale)?;
    let scale = b.select(&long, &scale, &one)?;
    let scale = b.cast(&scale, b.dtype(weight))?;
    let scale = b.broadcast(&scale, &shape, &[0])?;
    let scaled = b.mul(weight, &scale)?;
    b.assign(weight, &scaled)
}

/// `F.one_hot`
pub fn one_hot<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x) != DType::I64 {
        return Err(runtime::<B>(
            "one_hot is only applicable to index tensor of type LongTensor.",
        ));
    }
    let mut classes = args.int_or(b, 1, -1)?;
    let shape = b.shape(&x);
    let empty = shape.contains(&Dim::Known(0));
    if empty && classes <= 0 {
        return Err(runtime::<B>(
            "Can not infer total number of classes from empty tensor.",
        ));
    }
    if !empty && b.values_outside(&x, 0.0, f64::INFINITY)? {
        return Err(runtime::<B>("Class values must be non-negative."));
    }
    if classes == -1 {
        let dims: Axes = (0..shape.len()).collect();
        refuse_empty(b, &x, &dims, "one_hot")?;
        let largest = b.reduce(ReduceOp::Max, &x, &dims)?;
        let largest = b.item(&largest)?;
        let Some(v) = b.scalar_value(&largest) else {
            return Err(runtime::<B>("one_hot needs num_classes in a graph"));
        };
        classes = v.to_i64() + 1;
    }
    let mut wide = shape.clone();
    wide.push(Dim::Known(classes));
    if b.index_out_of_range(&x, classes)?.is_some() {
        return Err(runtime::<B>(
            "Class values must be smaller than num_classes.",
        ));
    }
    let dims: Axes = (0..shape.len()).collect();
    let x = b.broadcast(&x, &wide, &dims)?;
    let column = b.iota(shape.len(), DType::I64, &wide)?;
    let hit = b.eq(&x, &column)?;
    Ok(Ret::Tensor(b.cast(&hit, DType::I64)?))
}
