//! Writes at indices: `index_put`, `scatter_reduce`, `masked_scatter`, `put_`.
//!
//! In: a tensor, where to write, what. Out: the tensor with it written. Always: what several writes
//! to one place come to does not depend on their order in memory.

use janus_tensor::ops::{Axes, Dims, ReduceOp};
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::gather::{cut_to, fits_scatter, index_arg};
use super::index::{Plan, add_at, broadcast_value, merge, merged_view, normalized, plan, put};
use super::shape::at;
use super::slope::{constant_of, is_differentiated};
use super::{Res, TRes, dim_arg, named, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, is_sequence, sequence};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// The view of an index with `value` written or added where its index tensors point.
pub(super) fn written<B: TorchOps>(
    b: &mut B,
    p: &Plan<B>,
    value: B::T,
    accumulate: bool,
) -> TRes<B> {
    let view_shape = b.shape(&p.view);
    let m = merge(b, &view_shape, &p.advanced, p.adjacent)?;
    let base = merged_view(b, &p.view, &m)?;
    let mut target: Dims = m.shape.get(..m.dim).unwrap_or_default().into();
    target.extend(b.shape(&m.index));
    target.extend_from_slice(m.shape.get(m.dim + 1..).unwrap_or_default());
    let value = broadcast_value(b, value, &target)?;
    let put = if accumulate {
        let dtype = b.dtype(&base);
        let sum = add_at(b, &base, m.dim, &m.index, &value)?;
        b.cast(&sum, dtype)?
    } else {
        put(b, &base, m.dim, &m.index, &value)?
    };
    // Back to the order and shape of the view.
    let ordered: Dims = m.ordered.iter().map(|&d| at(&view_shape, d)).collect();
    let put = b.reshape(&put, &ordered)?;
    let mut inverse: Axes = m.ordered.clone();
    for (i, &d) in m.ordered.iter().enumerate() {
        if let Some(slot) = inverse.get_mut(d) {
            *slot = i;
        }
    }
    b.permute(&put, &inverse)
}

/// Refuses to write a tensor of another dtype at index tensors.
pub(super) fn check_put<B: TorchOps>(b: &B, x: &B::T, value: &B::T) -> Result<(), B::Error> {
    let (have, got) = (b.dtype(x), b.dtype(value));
    if have == got {
        return Ok(());
    }
    Err(runtime::<B>(format!(
        "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
        have.scalar_type_name(),
        got.scalar_type_name()
    )))
}

/// `index_put`
pub fn index_put<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let value = args.tensor(2)?;
    let indices = match args.get(1) {
        Some(arg) if is_sequence(arg) => sequence(arg).unwrap_or_default(),
        _ => {
            return Err(TensorError::Type(format!(
                "{}(): argument 'indices' (position 1) must be tuple of Tensors, not {}",
                args.name(),
                args.get(1)
                    .map_or("NoneType".to_owned(), crate::call::type_name)
            ))
            .into());
        }
    };
    check_put(b, &x, &value)?;
    for (i, index) in indices.iter().enumerate() {
        if !matches!(index, Arg::Tensor(_)) {
            return Err(TensorError::Type(format!(
                "expected Tensor as element {i} in argument 0, but got {}",
                crate::call::type_name(index)
            ))
            .into());
        }
    }
    let p = plan(b, &x, &Arg::Tuple(indices))?;
    if p.advanced.is_empty() {
        let shape = b.shape(&p.view);
        let t = broadcast_value(b, value, &shape)?;
        return named(b, t, "IndexPutBackward0");
    }
    let t = written(b, &p, value, args.flag(3)?)?;
    named(b, t, "IndexPutBackward0")
}

/// How `scatter_reduce` combines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combine {
    Sum,
    Prod,
    Mean,
    Max,
    Min,
}

/// How often each place is written to.
fn counts<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, index: &B::T) -> TRes<B> {
    let shape = b.shape(x);
    let zero = b.scalar(Scalar::I64(0));
    let zeros = b.full(&zero, DType::I64, &shape)?;
    let one = b.scalar(Scalar::I64(1));
    let index_shape = b.shape(index);
    let ones = b.full(&one, DType::I64, &index_shape)?;
    b.scatter_add(&zeros, dim, index, &ones)
}

/// The largest, smallest or product of all that goes to a place: every place looks at all writes.
fn extremes<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    index: &B::T,
    src: &B::T,
    how: Combine,
    include_self: bool,
) -> TRes<B> {
    let (shape, written) = (b.shape(x), b.shape(index));
    let mut region = written.clone();
    if let Some(d) = region.get_mut(dim) {
        *d = at(&shape, dim);
    }
    let part = cut_to(b, x, &region)?;
    // Dimensions: those of the region, then the writes.
    let last = shape.len();
    let mut wide = region.clone();
    wide.push(at(&written, dim));
    let mut dims: Axes = (0..last).filter(|&d| d != dim).collect();
    let order: Axes = dims.iter().copied().chain([dim]).collect();
    dims.push(last);
    let (i, s) = (b.permute(index, &order)?, b.permute(src, &order)?);
    let (i, s) = (
        b.broadcast(&i, &wide, &dims)?,
        b.broadcast(&s, &wide, &dims)?,
    );
    let place = b.iota(dim, DType::I64, &wide)?;
    let hit = b.eq(&place, &i)?;
    let (op, limit) = match how {
        Combine::Prod => (ReduceOp::Prod, Scalar::I64(1)),
        Combine::Min => (ReduceOp::Min, Scalar::F64(f64::INFINITY)),
        _ => (ReduceOp::Max, Scalar::F64(f64::NEG_INFINITY)),
    };
    let dtype = b.dtype(x);
    let neutral = if dtype.is_float() || how == Combine::Prod {
        splat_like(b, limit, &s)?
    } else {
        // Any element will do that another one beats: the extremum of all from the other side.
        let all: Axes = (0..last).collect();
        let other = if how == Combine::Max {
            ReduceOp::Min
        } else {
            ReduceOp::Max
        };
        let flat = b.reduce(other, src, &all)?;
        b.broadcast(&flat, &wide, &[])?
    };
    let mut all = b.select(&hit, &s, &neutral)?;
    if include_self {
        let mut one = region.clone();
        one.push(ONE);
        let own = b.reshape(&part, &one)?;
        all = b.concat(&[&own, &all], last)?;
    }
    let mut t = b.reduce(op, &all, &[last])?;
    if !include_self && how != Combine::Prod && is_differentiated(b, src) {
        // An element that ties with what is sent there takes its share of the gradient away, as in PyTorch.
        let (own, top) = (constant_of(b, &part)?, constant_of(b, &t)?);
        let tie = b.eq(&own, &top)?;
        let lost = splat_like(b, limit, &own)?;
        let own = b.select(&tie, &own, &lost)?;
        let mut one = region.clone();
        one.push(ONE);
        let own = b.reshape(&own, &one)?;
        all = b.concat(&[&own, &all], last)?;
        t = b.reduce(op, &all, &[last])?;
    }
    let any = b.reduce(ReduceOp::Max, &hit, &[last])?;
    let t = b.select(&any, &t, &part)?;
    if region == shape {
        return Ok(t);
    }
    let starts: Dims = shape.iter().map(|_| ZERO).collect();
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    b.update_slice(x, &t, &starts, &strides)
}

/// `input`, multiplied by the numbers that are sent to its places.
pub(super) fn multiplied<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    index: &B::T,
    src: &B::T,
) -> TRes<B> {
    extremes(b, x, dim, index, src, Combine::Prod, true)
}

/// `scatter_reduce`
pub fn scatter_reduce<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let mut index = index_arg(b, args, 2)?;
    let mut src = args.tensor(3)?;
    let how = match args.str_or(4, "")?.as_str() {
        "sum" => Combine::Sum,
        "prod" => Combine::Prod,
        "mean" => Combine::Mean,
        "amax" => Combine::Max,
        "amin" => Combine::Min,
        other => {
            return Err(runtime::<B>(format!(
                "reduce argument must be either sum, prod, mean, amax or amin, got {other}"
            )));
        }
    };
    let include_self = args.flag_or(5, true)?;
    if b.dtype(&src) != dtype {
        return Err(runtime::<B>(
            "scatter(): Expected self.dtype to be equal to src.dtype",
        ));
    }
    let shape = b.shape(&x);
    if shape.is_empty() {
        x = b.reshape(&x, &[ONE])?;
    }
    if rank(b, &index) == 0 {
        index = b.reshape(&index, &[ONE])?;
    }
    if rank(b, &src) == 0 {
        src = b.reshape(&src, &[ONE])?;
    }
    if rank(b, &index) != rank(b, &x) {
        return Err(runtime::<B>(
            "Index tensor must have the same number of dimensions as self tensor",
        ));
    }
    fits_scatter(b, &x, dim, &index, Some(&src))?;
    let covered = b.shape(&index);
    if let Some(n) = at(&b.shape(&x), dim).known()
        && let Some(bad) = b.index_out_of_range(&index, n)?
    {
        return Err(runtime::<B>(format!(
            "index {bad} is out of bounds for dimension {dim} with size {n}"
        )));
    }
    let src = cut_to(b, &src, &covered)?;
    let t = match how {
        Combine::Prod | Combine::Max | Combine::Min => {
            extremes(b, &x, dim, &index, &src, how, include_self)?
        }
        Combine::Sum | Combine::Mean => {
            let mut base = x.clone();
            let mut count = None;
            if !include_self || how == Combine::Mean {
                let n = counts(b, &x, dim, &index)?;
                let none = splat_like(b, 0, &n)?;
                let untouched = b.eq(&n, &none)?;
                if !include_self {
                    let zero = splat_like(b, 0, &base)?;
                    base = b.select(&untouched, &base, &zero)?;
                }
                let one = splat_like(b, 1, &n)?;
                count = Some(if include_self {
                    b.add(&n, &one)?
                } else {
                    b.select(&untouched, &one, &n)?
                });
            }
            let sum = b.scatter_add(&base, dim, &index, &src)?;
            match count {
                Some(n) if how == Combine::Mean => {
                    let n = b.cast(&n, dtype)?;
                    if dtype.is_float() {
                        b.div(&sum, &n)?
                    } else {
                        b.floor_div(&sum, &n)?
                    }
                }
                _ => sum,
            }
        }
    };
    let t = if shape.is_empty() {
        b.reshape(&t, &[])?
    } else {
        t
    };
    named(b, t, "ScatterReduceBackward0")
}

/// `masked_scatter`
pub fn masked_scatter<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, mask, source) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    if b.dtype(&x) != b.dtype(&source) {
        return Err(runtime::<B>(format!(
            "masked_scatter: expected self and source to have same dtypes but got{} and {}",
            b.dtype(&x).scalar_type_name(),
            b.dtype(&source).scalar_type_name()
        )));
    }
    if b.dtype(&mask) != DType::Bool {
        return Err(runtime::<B>(format!(
            "masked_scatter_ only supports boolean masks, but got mask with dtype {}",
            b.dtype(&mask).scalar_type_name()
        )));
    }
    let (p, q) = (b.shape(&x), b.shape(&mask));
    let shape = super::broadcast_shapes(b, &p, &q)?;
    let (x, mask) = (
        super::expand_to(b, &x, &shape)?,
        super::expand_to(b, &mask, &shape)?,
    );
    let n = b.numel(&shape)?;
    let source_shape = b.shape(&source);
    let m = b.numel(&source_shape)?;
    let flat = b.reshape(&source, &[m])?;
    let on = b.reshape(&mask, &[n])?;
    let number = b.cast(&on, DType::I64)?;
    let number = b.cumsum(&number, 0)?;
    let one = splat_like(b, 1, &number)?;
    let number = b.sub(&number, &one)?;
    let zero = splat_like(b, 0, &number)?;
    let number = b.select(&on, &number, &zero)?;
    let Some(size) = m.known() else {
        return Err(super::not_known::<B>("a source whose extent moves"));
    };
    if size == 0 {
        let any = b.cast(&on, DType::I64)?;
        let any = b.reduce(ReduceOp::Sum, &any, &[0])?;
        let any = b.item(&any)?;
        if b.scalar_value(&any).is_some_and(|v| v.to_i64() == 0) {
            return Ok(Ret::Tensor(b.copy(&x)?));
        }
    }
    if size == 0 || b.index_out_of_range(&number, size)?.is_some() {
        return Err(runtime::<B>(
            "Number of elements of source < number of ones in mask",
        ));
    }
    let taken = b.take(&flat, 0, &number)?;
    let taken = b.reshape(&taken, &shape)?;
    let t = b.select(&mask, &taken, &x)?;
    named(b, t, "MaskedScatterBackward0")
}

/// `put`: writes at linear indices.
pub fn put_at<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let index = index_arg(b, args, 1)?;
    let source = args.tensor(2)?;
    if b.dtype(&x) != b.dtype(&source) {
        return Err(runtime::<B>(format!(
            "put_(): self and source expected to have the same dtype, but got self.dtype = {} and source.dtype = {}",
            b.dtype(&x).scalar_type_name(),
            b.dtype(&source).scalar_type_name()
        )));
    }
    let (shape, p, q) = (b.shape(&x), b.shape(&index), b.shape(&source));
    let (n, k, m) = (b.numel(&shape)?, b.numel(&p)?, b.numel(&q)?);
    if !b.dims_equal(k, m)? {
        return Err(TensorError::Index(format!(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {}, index.numel() = {}",
            m.known().unwrap_or(-1),
            k.known().unwrap_or(-1)
        ))
        .into());
    }
    let flat = b.reshape(&x, &[n])?;
    let (index, source) = (b.reshape(&index, &[k])?, b.reshape(&source, &[k])?);
    let index = normalized(b, &index, n)?;
    if let Some(size) = n.known()
        && let Some(bad) = b.index_out_of_range(&index, size)?
    {
        return Err(TensorError::Index(format!(
            "out of range: tried to access index {} on a tensor of {size} elements.",
            if bad < 0 { bad - size } else { bad }
        ))
        .into());
    }
    let t = if args.flag(3)? {
        let dtype = b.dtype(&x);
        let sum = add_at(b, &flat, 0, &index, &source)?;
        b.cast(&sum, dtype)?
    } else {
        put(b, &flat, 0, &index, &source)?
    };
    let t = b.reshape(&t, &shape)?;
    named(b, t, "PutBackward0")
}

/// `argwhere`
pub fn argwhere<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let found = b.nonzero(&x)?;
    if found.is_empty() {
        let s = b.item(&x)?;
        let rows = match b.scalar_value(&s) {
            Some(v) => i64::from(v.to_bool()),
            None => return Err(runtime::<B>("a shape that depends on values")),
        };
        return Ok(Ret::Tensor(b.constant(&[], &[rows, 0], DType::I64)?));
    }
    Ok(Ret::Tensor(super::shape::stack_of(b, &found, 1)?))
}

/// `histc`: how many elements lie in each of `bins` equal parts of a range, that of the elements where none
/// is given.
pub fn histc<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    if !dtype.is_float() {
        return Err(super::no_kernel::<B>("histogram_cpu", dtype));
    }
    let bins = args.int_or(b, 1, 100)?;
    if bins <= 0 {
        return Err(runtime::<B>(format!(
            "torch.histogram(): bins must be > 0, but got {bins} for dimension 0"
        )));
    }
    let (low, high) = (args.float_or(b, 2, 0.0)?, args.float_or(b, 3, 0.0)?);
    if low > high {
        return Err(runtime::<B>("torch.histc: max must be larger than min"));
    }
    let shape = b.shape(&x);
    let n = b.numel(&shape)?;
    let x = b.reshape(&x, &[n])?;
    let x = b.detach(&x)?;
    let (mut first, mut last) = if low == high && n != Dim::Known(0) {
        (
            b.reduce(ReduceOp::Min, &x, &[0])?,
            b.reduce(ReduceOp::Max, &x, &[0])?,
        )
    } else {
        let (low, high) = (b.scalar(Scalar::F64(low)), b.scalar(Scalar::F64(high)));
        (b.full(&low, dtype, &[])?, b.full(&high, dtype, &[])?)
    };
    for limit in [&first, &last] {
        if b.values_outside(limit, f64::MIN, f64::MAX)? {
            let (first, last) = (b.item(&first)?, b.item(&last)?);
            let text = |s: Option<Scalar>| match s.map_or(f64::NAN, Scalar::to_f64) {
                v if v.is_nan() => "-nan".to_owned(),
                v => v.to_string(),
            };
            let (first, last) = (b.scalar_value(&first), b.scalar_value(&last));
            return Err(runtime::<B>(format!(
                "torch.histc: range of [{}, {}] is not finite",
                text(first),
                text(last)
            )));
        }
    }
    // A range of one number is widened.
    let none = b.eq(&first, &last)?;
    let none = b.cast(&none, dtype)?;
    first = b.sub(&first, &none)?;
    last = b.add(&last, &none)?;
    let width = b.sub(&last, &first)?;
    let wide = |b: &mut B, t: &B::T| b.broadcast(t, &[n], &[]);
    let (first, last, width) = (wide(b, &first)?, wide(b, &last)?, wide(b, &width)?);
    let (after, before) = (b.ge(&x, &first)?, b.le(&x, &last)?);
    let inside = b.and(&after, &before)?;
    let place = b.sub(&x, &first)?;
    let count = splat_like(b, bins, &place)?;
    let place = b.mul(&place, &count)?;
    let place = b.div(&place, &width)?;
    let zero = splat_like(b, 0, &place)?;
    let place = b.select(&inside, &place, &zero)?;
    let place = b.cast(&place, DType::I64)?;
    // The end of the range is in the last part.
    let end = splat_like(b, bins - 1, &place)?;
    let place = b.minimum(&place, &end)?;
    let ones = b.cast(&inside, dtype)?;
    let zero = b.scalar(Scalar::I64(0));
    let counts = b.full(&zero, dtype, &[Dim::Known(bins)])?;
    Ok(Ret::Tensor(b.scatter_add(&counts, 0, &place, &ones)?))
}
