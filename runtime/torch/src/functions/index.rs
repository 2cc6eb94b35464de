//! Subscripts: `x[...]` and `x[...] = v`.
//!
//! In: tensors and index expressions. Out: views for ints, slices, None and `...`; copies for index
//! tensors, lists and masks. Always: `x[...]` and `x[...] = v` resolve their index in one place,
//! [`plan`].

use janus_object::Value;
use janus_tensor::ops::{Axes, DimOp, Dims};
use janus_tensor::{DType, Dim, TensorError};

use super::layout::{order_of_taken, ordered_tensor};
use super::shape::at;
use super::slope::with_gradient_of;
use super::subscript::{Part, index_error, parts};
use super::{Res, TRes, broadcast_shapes, expand_to, known, named, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, type_name};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// The bound of a slice as it was given; `None` for None.
fn bound<B: TorchOps>(b: &mut B, arg: &Arg<B>) -> Result<Option<Dim>, B::Error> {
    if matches!(arg, Arg::Const(Value::None)) {
        return Ok(None);
    }
    match crate::call::extent(b, arg)? {
        Some(d) => Ok(Some(d)),
        None => Err(TensorError::Type(
            "slice indices must be integers or None or have an __index__ method".to_owned(),
        )
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
                let step = match bound(b, &step)? {
                    None => 1,
                    Some(Dim::Known(s)) => s,
                    Some(Dim::Sym(_)) => {
                        return Err(super::not_known::<B>("the step of a slice moves"));
                    }
                };
                if step == 0 {
                    return Err(TensorError::Value("slice step cannot be zero".into()).into());
                }
                if step < 0 {
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
                label = "SliceBackward0";
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
pub(super) fn check_range<B: TorchOps>(
    b: &mut B,
    index: &B::T,
    dim: usize,
    n: Dim,
) -> Result<(), B::Error> {
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
        // What is read is the value as it lies, before it is converted.
        b.overwriting(&p.view, std::slice::from_ref(&value), |_| Ok(()))?;
        let value = b.cast(&value, dtype)?;
        let value = super::write::copied(b, &p.view, &value, "CopyBackwards")?;
        b.assign(&p.view, &value)?;
        return Ok(Ret::none());
    }
    // An index tensor without dimensions is an int, and `True` alone means all of it: these convert the value.
    let is_put = !matches!(index, Arg::Const(Value::Bool(_)))
        && p.advanced.iter().any(|(_, at)| rank(b, at) > 0);
    if let Some(Arg::Tensor(value)) = args.get(2).filter(|_| is_put) {
        super::scatter::check_put(b, &x, value)?;
        b.check_apart(&p.view, std::slice::from_ref(value))?;
    }
    let value = assigned_value(b, args, 2, dtype)?;
    let put = super::scatter::written(b, &p, value, false)?;
    b.assign(&p.view, &put)?;
    Ok(Ret::none())
}

/// Zeros in the place of what is written over at once. It has the gradient of its place all the same, as in PyTorch.
pub(super) fn lost_writes<B: TorchOps>(b: &mut B, value: &B::T) -> TRes<B> {
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
