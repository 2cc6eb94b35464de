//! Indexing, gathering, scattering.
//!
//! In: tensors and index expressions. Out: views for ints, slices, None and `...`; copies for index
//! tensors, lists and masks. Always: `x[...]` and `x[...] = v` resolve their index in one place,
//! [`plan`].

use janus_object::{Raised, Value};
use janus_tensor::ops::{Axes, DimOp, Dims, ReduceOp};
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::layout::{order_of_taken, ordered_tensor};
use super::reduce::refuse_empty;
use super::slope::with_gradient_of;
use super::subscript::{Part, index_error, parts};
use super::{
    Res, TRes, broadcast_shapes, dim_arg, expand_to, known, named, rank, runtime, splat_like,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret, type_name};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

fn at(shape: &[Dim], i: usize) -> Dim {
    shape.get(i).copied().unwrap_or(ONE)
}

/// The bound of a slice as it was given; `None` for None.
fn bound<B: TorchOps>(b: &mut B, arg: &Arg<B>) -> Result<Option<Dim>, B::Error> {
    if matches!(arg, Arg::Const(Value::None)) {
        return Ok(None);
    }
    match crate::call::extent(b, arg)? {
        Some(d) => Ok(Some(d)),
        None => Err(TensorError::Type(format!(
            "slice indices must be integers or None or have an __index__ method, not {}",
            type_name(arg)
        ))
        .into()),
    }
}

/// The bound of a slice, clamped to the extent.
fn clamped<B: TorchOps>(b: &mut B, d: Dim, n: Dim) -> Result<Dim, B::Error> {
    match (d, n) {
        (Dim::Known(i), Dim::Known(n)) => {
            Ok(Dim::Known(if i < 0 { (i + n).max(0) } else { i.min(n) }))
        }
        (Dim::Known(0), _) => Ok(ZERO),
        (d, n) if d == n => Ok(n),
        (Dim::Known(i), n) => {
            b.expect_least(n, i.saturating_abs())?;
            if i >= 0 {
                return b.dim_binary(DimOp::Min, d, n);
            }
            let d = b.dim_binary(DimOp::Add, n, d)?;
            b.dim_binary(DimOp::Max, d, ZERO)
        }
        (d, n) => b.slice_bound(d, n),
    }
}

/// An index resolved against a tensor: the view of its basic part, and the index tensors that
/// apply to dimensions of that view.
pub(super) struct Plan<B: TorchOps> {
    pub(super) view: B::T,
    pub(super) advanced: Vec<(usize, B::T)>,
    /// The index tensors stood side by side: the result's new dimensions take their place.
    pub(super) adjacent: bool,
    /// The operation that PyTorch would have applied last to make the view.
    label: &'static str,
}

/// Resolves an index expression. Masks become coordinates.
pub(super) fn plan<B: TorchOps>(b: &mut B, x: &B::T, index: &Arg<B>) -> Result<Plan<B>, B::Error> {
    let parts = parts(b, index)?;
    let shape = b.shape(x);
    let mut consumed = 0;
    for p in &parts {
        consumed += match p {
            Part::Int(_) | Part::Run(_) | Part::Slice(..) | Part::Tensor(_) => 1,
            Part::Mask(m) => rank(b, m),
            Part::NewAxis | Part::Ellipsis => 0,
        };
    }
    if consumed > shape.len() {
        return Err(match &parts[..] {
            [Part::Int(Dim::Known(i))] if shape.is_empty() && *i != 0 => {
                let (index, dim, size) = (*i, 0, 0);
                TensorError::IndexRange { index, dim, size }.into()
            }
            [Part::Int(_) | Part::Run(_)] if shape.is_empty() => index_error::<B>(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number".to_owned()
            ),
            [Part::Slice(..)] if shape.is_empty() => {
                index_error::<B>("slice() cannot be applied to a 0-dim tensor.".to_owned())
            }
            _ => index_error::<B>(format!("too many indices for tensor of dimension {}", shape.len())),
        });
    }
    let mut ellipsis = Some(shape.len() - consumed);
    let (mut starts, mut sizes, mut strides) = (Dims::new(), Dims::new(), Vec::new());
    // The shape after the slice, with new axes and without the dimensions of ints.
    let mut out = Dims::new();
    let mut advanced: Vec<(usize, B::T)> = Vec::new();
    let (mut groups, mut last_was_advanced) = (0, false);
    let mut dim = 0;
    let mut label = "AliasBackward0";
    for p in parts {
        let is_advanced = matches!(p, Part::Tensor(_) | Part::Mask(_));
        if is_advanced && !last_was_advanced {
            groups += 1;
        }
        last_was_advanced = is_advanced;
        match p {
            Part::NewAxis => {
                label = "UnsqueezeBackward0";
                out.push(ONE);
            }
            Part::Ellipsis => {
                let count = ellipsis.take().unwrap_or(0);
                strides.extend(std::iter::repeat_n(1, count));
                for _ in 0..count {
                    let n = at(&shape, dim);
                    starts.push(ZERO);
                    sizes.push(n);
                    out.push(n);
                    dim += 1;
                }
            }
            Part::Int(i) => {
                let n = at(&shape, dim);
                if let (Some(i), Some(n)) = (i.known(), n.known())
                    && (i < -n || i >= n)
                {
                    return Err(TensorError::IndexRange {
                        index: i,
                        dim,
                        size: n,
                    }
                    .into());
                }
                let i = b.element_at(i, n)?;
                starts.push(i);
                sizes.push(ONE);
                strides.push(1);
                dim += 1;
                label = "SelectBackward0";
            }
            Part::Run(s) => {
                let Some(i) = b.element(&s, at(&shape, dim))? else {
                    return Err(index_error::<B>(
                        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices"
                            .to_owned(),
                    ));
                };
                starts.push(i);
                sizes.push(ONE);
                strides.push(1);
                dim += 1;
                label = "SelectBackward0";
            }
            Part::Slice(start, stop, step) => {
                let n = at(&shape, dim);
                let step = match crate::call::extent(b, &step)? {
                    None => 1,
                    Some(Dim::Known(s)) => s,
                    Some(Dim::Sym(_)) => {
                        return Err(super::not_known::<B>("the step of a slice moves"));
                    }
                };
                if step <= 0 {
                    return Err(TensorError::Value("step must be greater than zero".into()).into());
                }
                let (start, stop) = (bound(b, &start)?, bound(b, &stop)?);
                if let (Some(start), Some(stop), 1) = (start, stop, step)
                    && let Some((start, length)) = b.constant_part(start, stop, n)?
                {
                    label = "SliceBackward0";
                    starts.push(start);
                    sizes.push(length);
                    strides.push(1);
                    out.push(length);
                    dim += 1;
                    continue;
                }
                let start = start.map_or(Ok(ZERO), |d| clamped(b, d, n))?;
                let stop = stop.map_or(Ok(n), |d| clamped(b, d, n))?;
                let mut length = if start == ZERO {
                    stop
                } else {
                    let l = b.dim_sub(stop, start)?;
                    match l {
                        Dim::Known(l) => Dim::Known(l.max(0)),
                        l => b.dim_binary(DimOp::Max, l, ZERO)?,
                    }
                };
                if step > 1 {
                    let l = b.dim_add(length, Dim::Known(step - 1))?;
                    length = b.dim_div(l, Dim::Known(step))?;
                }
                if length != n || step != 1 {
                    label = "SliceBackward0";
                }
                starts.push(if length == ZERO { ZERO } else { start });
                sizes.push(length);
                strides.push(step);
                out.push(length);
                dim += 1;
            }
            Part::Tensor(t) => {
                let n = at(&shape, dim);
                starts.push(ZERO);
                sizes.push(n);
                strides.push(1);
                advanced.push((out.len(), t));
                out.push(n);
                dim += 1;
            }
            Part::Mask(m) => {
                let mask_shape = b.shape(&m);
                for (i, &n) in mask_shape.iter().enumerate() {
                    if at(&shape, dim + i) != n && !b.dims_equal(n, at(&shape, dim + i))? {
                        return Err(index_error::<B>(format!(
                            "The shape of the mask {} at index {i} does not match the shape of the indexed tensor {} at index {}",
                            janus_tensor::ShapeText::from(known(&mask_shape).as_slice()),
                            janus_tensor::ShapeText::from(known(&shape).as_slice()),
                            dim + i
                        )));
                    }
                }
                if mask_shape.is_empty() {
                    // A single truth value: a new dimension of 0 or 1.
                    let wide = b.reshape(&m, &[ONE])?;
                    let found = b.nonzero(&wide)?;
                    advanced.extend(found.into_iter().map(|t| (out.len(), t)));
                    out.push(ONE);
                }
                for t in b.nonzero(&m)?.into_iter().take(mask_shape.len()) {
                    let n = at(&shape, dim);
                    starts.push(ZERO);
                    sizes.push(n);
                    strides.push(1);
                    advanced.push((out.len(), t));
                    out.push(n);
                    dim += 1;
                }
            }
        }
    }
    while dim < shape.len() {
        let n = at(&shape, dim);
        starts.push(ZERO);
        sizes.push(n);
        strides.push(1);
        out.push(n);
        dim += 1;
    }
    let whole = sizes == shape && strides.iter().all(|&s| s == 1);
    let sliced = if whole {
        x.clone()
    } else {
        b.slice(x, &starts, &sizes, &strides)?
    };
    let have = b.shape(&sliced);
    let view = if have != out || (whole && advanced.is_empty()) {
        // A whole view is a new object, as `x[:]` and `x[...]` are.
        b.reshape(&sliced, &out)?
    } else {
        sliced
    };
    Ok(Plan {
        view,
        advanced,
        adjacent: groups <= 1,
        label,
    })
}

/// Adds the extent to negative indices.
pub(super) fn normalized<B: TorchOps>(b: &mut B, index: &B::T, n: Dim) -> TRes<B> {
    let zero = splat_like(b, 0, index)?;
    let negative = b.lt(index, &zero)?;
    let n = b.dim_scalar(n);
    let n = super::splat_scalar(b, &n, index)?;
    let wrapped = b.add(index, &n)?;
    b.select(&negative, &wrapped, index)
}

/// Index tensors over several dimensions as one over the merged dimension.
pub(super) struct Merged<B: TorchOps> {
    /// The view with the indexed dimensions side by side.
    pub(super) ordered: Axes,
    /// Its shape with those dimensions merged.
    pub(super) shape: Dims,
    /// The merged dimension.
    pub(super) dim: usize,
    /// Linear indices.
    pub(super) index: B::T,
}

pub(super) fn merge<B: TorchOps>(
    b: &mut B,
    view_shape: &[Dim],
    advanced: &[(usize, B::T)],
    adjacent: bool,
) -> Result<Merged<B>, B::Error> {
    let mut index_shape = Dims::new();
    for (_, t) in advanced {
        let s = b.shape(t);
        index_shape = broadcast_shapes(b, &index_shape, &s).map_err(|_| {
            let all: Vec<String> = advanced
                .iter()
                .map(|(_, t)| {
                    janus_tensor::ShapeText::from(known(&b.shape(t)).as_slice()).to_string()
                })
                .collect();
            index_error::<B>(format!(
                "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                all.join(", ")
            ))
        })?;
    }
    let indexed: Axes = advanced.iter().map(|&(d, _)| d).collect();
    let first = if adjacent {
        indexed.first().copied().unwrap_or(0)
    } else {
        0
    };
    let rest: Axes = (0..view_shape.len())
        .filter(|d| !indexed.contains(d))
        .collect();
    let before = rest.iter().filter(|&&d| d < first).count();
    let mut ordered: Axes = rest.get(..before).unwrap_or_default().into();
    ordered.extend(indexed.iter().copied());
    ordered.extend_from_slice(rest.get(before..).unwrap_or_default());
    let mut linear: Option<B::T> = None;
    let mut merged = ONE;
    for (d, t) in advanced {
        let n = at(view_shape, *d);
        let t = normalized(b, t, n)?;
        check_range(b, &t, *d, n)?;
        let t = expand_to(b, &t, &index_shape)?;
        linear = Some(match linear {
            None => t,
            Some(l) => {
                let n = b.dim_scalar(n);
                let n = super::splat_scalar(b, &n, &l)?;
                let l = b.mul(&l, &n)?;
                b.add(&l, &t)?
            }
        });
        merged = b.dim_mul(merged, n)?;
    }
    let mut shape: Dims = rest
        .get(..before)
        .unwrap_or_default()
        .iter()
        .map(|&d| at(view_shape, d))
        .collect();
    shape.push(merged);
    shape.extend(
        rest.get(before..)
            .unwrap_or_default()
            .iter()
            .map(|&d| at(view_shape, d)),
    );
    let index = linear.ok_or_else(|| runtime::<B>("no index tensor"))?;
    Ok(Merged {
        ordered,
        shape,
        dim: before,
        index,
    })
}

/// Refuses indices out of range, where the values are at hand.
fn check_range<B: TorchOps>(b: &mut B, index: &B::T, dim: usize, n: Dim) -> Result<(), B::Error> {
    let Some(n) = n.known() else { return Ok(()) };
    if let Some(bad) = b.index_out_of_range(index, n)? {
        let bad = if bad < 0 { bad - n } else { bad };
        return Err(index_error::<B>(if n == 0 {
            "index is out of bounds for dimension with size 0".to_owned()
        } else {
            format!("index {bad} is out of bounds for dimension {dim} with size {n}")
        }));
    }
    Ok(())
}

/// The view with its indexed dimensions merged.
pub(super) fn merged_view<B: TorchOps>(b: &mut B, view: &B::T, m: &Merged<B>) -> TRes<B> {
    let in_order = m.ordered.iter().enumerate().all(|(i, &d)| i == d);
    let t = if in_order {
        view.clone()
    } else {
        b.permute(view, &m.ordered)?
    };
    let have = b.shape(&t);
    if have == m.shape {
        Ok(t)
    } else {
        b.reshape(&t, &m.shape)
    }
}

/// `input[index]`
pub fn getitem<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let index = args.take(1).ok_or_else(|| args.wrong(1, "index"))?;
    let p = plan(b, &x, &index)?;
    if p.advanced.is_empty() {
        return named(b, p.view, p.label);
    }
    let view_shape = b.shape(&p.view);
    let m = merge(b, &view_shape, &p.advanced, p.adjacent)?;
    let base = merged_view(b, &p.view, &m)?;
    let t = b.take(&base, m.dim, &m.index)?;
    let count = p.advanced.len();
    let (before, after) = (m.ordered.get(..m.dim), m.ordered.get(m.dim + count..));
    let kept = (before.unwrap_or_default(), after.unwrap_or_default());
    let indices: Vec<B::T> = p.advanced.into_iter().map(|(_, t)| t).collect();
    let t = match order_of_taken(b, &p.view, kept, &indices)? {
        Some(order) => ordered_tensor(b, &t, &order)?,
        None => t,
    };
    named(b, t, "IndexBackward0")
}

/// The value of an assignment in the dtype of the target.
fn assigned_value<B: TorchOps>(b: &mut B, args: &CallArgs<B>, at: usize, dtype: DType) -> TRes<B> {
    match args.get(at) {
        Some(Arg::Tensor(t)) => b.cast(t, dtype),
        Some(arg) => match crate::call::number(b, arg) {
            Some(s) => super::filled_with(b, &s, dtype, &[]),
            None => Err(TensorError::Type(format!(
                "can't assign a {} to a torch.{}Tensor",
                type_name(arg),
                dtype.scalar_type_name()
            ))
            .into()),
        },
        None => Err(args.wrong(at, "Tensor")),
    }
}

/// Drops leading extents of 1 beyond the rank of the target, as assignment allows.
fn fit_rank<B: TorchOps>(b: &mut B, value: B::T, rank: usize) -> TRes<B> {
    let shape = b.shape(&value);
    let extra = shape.len().saturating_sub(rank);
    if extra > 0 && shape.iter().take(extra).all(|&d| d == ONE) {
        return b.reshape(&value, shape.get(extra..).unwrap_or_default());
    }
    Ok(value)
}

pub(super) fn broadcast_value<B: TorchOps>(b: &mut B, value: B::T, shape: &[Dim]) -> TRes<B> {
    let value = fit_rank(b, value, shape.len())?;
    let have = b.shape(&value);
    let mismatch = |have: &[Dim]| {
        runtime::<B>(format!(
            "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
            janus_tensor::ShapeText::from(known(have).as_slice()),
            janus_tensor::ShapeText::from(known(shape).as_slice())
        ))
    };
    let Ok(wide) = broadcast_shapes(b, &have, shape) else {
        return Err(mismatch(&have));
    };
    if wide.len() != shape.len() || !super::same_shape(b, &wide, shape)? {
        return Err(mismatch(&have));
    }
    expand_to(b, &value, shape)
}

/// `input[index] = value`
pub fn setitem<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let index = args.take(1).ok_or_else(|| args.wrong(1, "index"))?;
    let dtype = b.dtype(&x);
    if let Some(Arg::Const(v)) = args.get(2)
        && matches!(v.unwrapped(), Value::BigInt(_))
    {
        let text = "Overflow when unpacking long long".to_owned();
        return Err(TensorError::Value(text).into());
    }
    // A mask of the whole tensor with one value: a select, no coordinates needed.
    if let Arg::Tensor(mask) = &index
        && matches!(b.dtype(mask), DType::Bool | DType::U8)
        && rank(b, mask) > 0
    {
        let value = assigned_value(b, args, 2, dtype)?;
        let value_shape = b.shape(&value);
        if value_shape.iter().all(|&d| d == ONE) && rank(b, mask) <= rank(b, &x) {
            let mask = b.cast(mask, DType::Bool)?;
            let shape = b.shape(&x);
            let mask_shape = b.shape(&mask);
            if !super::same_shape(
                b,
                &mask_shape,
                shape.get(..mask_shape.len()).unwrap_or_default(),
            )? {
                return Err(index_error::<B>(format!(
                    "The shape of the mask {} at index 0 does not match the shape of the indexed tensor {} at index 0",
                    janus_tensor::ShapeText::from(known(&mask_shape).as_slice()),
                    janus_tensor::ShapeText::from(known(&shape).as_slice())
                )));
            }
            let dims: Axes = (0..mask_shape.len()).collect();
            let mask = b.broadcast(&mask, &shape, &dims)?;
            let value = b.reshape(&value, &[])?;
            let value = b.broadcast(&value, &shape, &[])?;
            let t = b.select(&mask, &value, &x)?;
            b.assign(&x, &t)?;
            return Ok(Ret::none());
        }
    }
    let p = plan(b, &x, &index)?;
    let view_shape = b.shape(&p.view);
    if p.advanced.is_empty() {
        // PyTorch looks for overlaps after it has expanded the value.
        let value = match args.get(2) {
            Some(Arg::Tensor(t)) => t.clone(),
            _ => assigned_value(b, args, 2, dtype)?,
        };
        let value = fit_rank(b, value, view_shape.len())?;
        let value = match b.shape(&value) == view_shape {
            true => value,
            false => super::shape::expand_sizes(b, &value, &view_shape)?,
        };
        let value = b.cast(&value, dtype)?;
        b.overwriting(&p.view, std::slice::from_ref(&value), |_| Ok(()))?;
        let value = super::write::copied(b, &p.view, &value, "CopyBackwards")?;
        b.assign(&p.view, &value)?;
        return Ok(Ret::none());
    }
    // An index tensor without dimensions is an int, and `True` alone means all of it: these convert the value.
    let is_put = !matches!(index, Arg::Const(Value::Bool(_)))
        && p.advanced.iter().any(|(_, at)| rank(b, at) > 0);
    if let Some(Arg::Tensor(value)) = args.get(2).filter(|_| is_put) {
        super::scatter::check_put(b, &x, value)?;
    }
    let value = assigned_value(b, args, 2, dtype)?;
    let put = super::scatter::written(b, &p, value, false)?;
    b.assign(&p.view, &put)?;
    Ok(Ret::none())
}

/// Zeros in the place of what is written over at once. It has the gradient of its place all the same, as in PyTorch.
fn lost_writes<B: TorchOps>(b: &mut B, value: &B::T) -> TRes<B> {
    let zero = splat_like(b, 0, value)?;
    with_gradient_of(b, zero, value)
}

/// `base` with `value` at the places that `index` names along `dim`; the last write wins.
pub(super) fn put<B: TorchOps>(
    b: &mut B,
    base: &B::T,
    dim: usize,
    index: &B::T,
    value: &B::T,
) -> TRes<B> {
    let dtype = b.dtype(base);
    let (value_shape, index_shape) = (b.shape(value), b.shape(index));
    let dims: Axes = (0..index_shape.len()).map(|i| i + dim).collect();
    // Exactly one writer per place is kept, so that adding to zeros is writing.
    let wide = match b.last_writers(index, None)? {
        Some(last) => Some(b.broadcast(&last, &value_shape, &dims)?),
        None => None,
    };
    let (zeros, counts) = (super::full_like(b, 0, base)?, super::full_like(b, 0, base)?);
    let counts = b.cast(&counts, DType::I64)?;
    let ones = super::full_like(b, 1, value)?;
    let ones = b.cast(&ones, DType::I64)?;
    let (value, ones) = match wide {
        Some(mask) => {
            let lost = lost_writes(b, value)?;
            let zero_count = splat_like(b, 0, &ones)?;
            (
                b.select(&mask, value, &lost)?,
                b.select(&mask, &ones, &zero_count)?,
            )
        }
        None => (value.clone(), ones),
    };
    let written = add_at(b, &zeros, dim, index, &value)?;
    let counts = b.take_add(&counts, dim, index, &ones)?;
    let zero = splat_like(b, 0, &counts)?;
    let hit = b.ne(&counts, &zero)?;
    let written = b.cast(&written, dtype)?;
    b.select(&hit, &written, base)
}

/// `take_add` for any dtype: bools go through int64.
pub(super) fn add_at<B: TorchOps>(
    b: &mut B,
    base: &B::T,
    dim: usize,
    index: &B::T,
    value: &B::T,
) -> TRes<B> {
    if b.dtype(base) == DType::Bool {
        let (base, value) = (b.cast(base, DType::I64)?, b.cast(value, DType::I64)?);
        return b.take_add(&base, dim, index, &value);
    }
    b.take_add(base, dim, index, value)
}

pub(super) fn index_arg<B: TorchOps>(b: &mut B, args: &CallArgs<B>, i: usize) -> TRes<B> {
    let index = args.tensor(i)?;
    if b.dtype(&index).is_float() || b.dtype(&index) == DType::Bool {
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
    if p.max(1) != q.max(1) {
        return Err(runtime::<B>(
            "Index tensor must have the same number of dimensions as input tensor",
        ));
    }
    let (sx, si) = (b.shape(&x), b.shape(&index));
    if p == 0 {
        let n = b.numel(&si)?;
        let (one, places) = (b.reshape(&x, &[ONE])?, b.reshape(&index, &[n])?);
        let t = b.gather(&one, 0, &places)?;
        let t = b.reshape(&t, &si)?;
        return named(b, t, "GatherBackward0");
    }
    for (d, (n, i)) in sx.iter().zip(&si).enumerate() {
        if let (Some(n), Some(i)) = (n.known(), i.known())
            && d != dim
            && i > n
        {
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
    let t = b.gather(&x, dim, &index)?;
    named(b, t, "GatherBackward0")
}

/// The leading part of `src` that `index` covers.
pub(super) fn cut_to<B: TorchOps>(b: &mut B, src: &B::T, shape: &[Dim]) -> TRes<B> {
    let have = b.shape(src);
    if have.as_slice() == shape {
        return Ok(src.clone());
    }
    let starts: Dims = shape.iter().map(|_| ZERO).collect();
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    b.slice(src, &starts, shape, &strides)
}

/// Refuses an index that is longer than the target, but for the dimension of the indices, or than the source.
pub(super) fn fits_scatter<B: TorchOps>(
    b: &B,
    x: &B::T,
    dim: usize,
    index: &B::T,
    src: Option<&B::T>,
) -> Result<(), B::Error> {
    let (to, by) = (b.shape(x), b.shape(index));
    // Without a dimension there is one element.
    if to.is_empty() || by.is_empty() || by.contains(&ZERO) {
        return Ok(());
    }
    let from = src.map(|t| b.shape(t));
    let longer = |n: Option<&Dim>, of: Option<&Dim>| match (n, of) {
        (Some(Dim::Known(n)), Some(Dim::Known(of))) => n > of,
        _ => false,
    };
    let over = (0..by.len()).any(|d| {
        let beyond = d != dim && longer(by.get(d), to.get(d));
        beyond || from.as_ref().is_some_and(|f| longer(by.get(d), f.get(d)))
    });
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
    let src = match args.operand(b, from)? {
        Operand::S(s) => super::filled_with(b, &s, dtype, &shape)?,
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
        other => {
            return Err(TensorError::NotImplemented(format!(
                "torch.scatter with reduce='{other}' is not implemented in janus-jit yet"
            ))
            .into());
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
    named(b, t, "ScatterBackward0")
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
    let t = b.take(&x, dim, &index)?;
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
    match (n, shape.get(dim).copied().unwrap_or(ONE)) {
        (Dim::Known(n), Dim::Known(rows)) if n != rows => Err(runtime::<B>(format!(
            "index_add_(): Number of indices ({n}) should be equal to source.size(dim): ({rows}), for dim: {dim}"
        ))),
        _ => Ok(()),
    }
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
    let t = b.take_add(&x, dim, &index, &source)?;
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
    let (dtype, shape) = (b.dtype(&x), rows_shape(b, &x, dim, &index));
    let value = match args.operand(b, 3)? {
        Operand::S(s) => super::filled_with(b, &s, dtype, &shape)?,
        Operand::T(t) => {
            let rank = rank(b, &t);
            if rank != 0 {
                return Err(runtime::<B>(format!(
                    "index_fill_ only supports a 0-dimensional value tensor, but got tensor with {rank} dimension(s)."
                )));
            }
            let t = b.cast(&t, dtype)?;
            super::expand_to(b, &t, &shape)?
        }
    };
    let t = put(b, &x, dim, &index, &value)?;
    let label = match args.get(3) {
        Some(Arg::Tensor(_)) => "IndexFillBackward1",
        _ => "IndexFillBackward0",
    };
    named(b, t, label)
}

/// `index_copy`
pub fn index_copy<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 1, 0, rank(b, &x))?;
    let index = vector_index(b, args, 2)?;
    let source = args.tensor(3)?;
    let t = put(b, &x, dim, &index, &source)?;
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
    if let Some(limit) = args.float_opt(b, 3)? {
        let p = args.float_or(b, 4, 2.0)?;
        let recorded = b.is_grad_enabled();
        b.set_grad_enabled(false)?;
        let done = shorten_rows(b, &weight, &index, limit, p);
        b.set_grad_enabled(recorded)?;
        done?;
    }
    let t = b.take(&weight, 0, &index)?;
    let Some(padding) = args.int_opt(b, 2)? else {
        return named(b, t, "EmbeddingBackward0");
    };
    let rows = at(&b.shape(&weight), 0).known();
    if rows.is_some_and(|n| padding >= n || padding < -n) {
        return Err(Raised::assertion_error("Padding_idx must be within num_embeddings").into());
    }
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
