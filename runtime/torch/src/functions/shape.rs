//! Functions that rearrange elements.
//!
//! In: tensors, extents, dimension numbers. Out: views where PyTorch gives views, copies elsewhere.
//! Always: extents may be symbols of a graph; only what decides the structure must be known.

use janus_tensor::ops::{Axes, DimOp, Dims, ReduceOp};
use janus_tensor::shape::{normalize_dim, normalize_dims};
use janus_tensor::{DType, Dim, Participant, TensorError, result_type};

use super::reduce::refuse_empty;
use super::{
    Res, TRes, broadcast_shapes, dim_arg, expand_to, infer_shape, known, named, own_dim, rank,
    runtime, same_shape,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, is_sequence, sequence, type_name};
use crate::ops::Warning;

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// An extent; 1 beyond the rank.
pub(super) fn at(shape: &[Dim], i: usize) -> Dim {
    shape.get(i).copied().unwrap_or(ONE)
}

/// `length` elements from `start` along a dimension; a view.
pub fn narrow_of<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, start: Dim, length: Dim) -> TRes<B> {
    let shape = b.shape(x);
    let mut starts: Dims = shape.iter().map(|_| ZERO).collect();
    let mut sizes = shape.clone();
    if let (Some(s), Some(n)) = (starts.get_mut(dim), sizes.get_mut(dim)) {
        *s = start;
        *n = length;
    }
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    b.slice(x, &starts, &sizes, &strides)
}

/// One index of a dimension, which goes away; a view.
pub fn select_of<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, index: Dim) -> TRes<B> {
    let one = narrow_of(b, x, dim, index, ONE)?;
    let mut shape = b.shape(x);
    if dim < shape.len() {
        shape.remove(dim);
    }
    b.reshape(&one, &shape)
}

/// `view`: a shape, or a dtype.
pub fn view<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let mut dtype = args.dtype(2)?;
    if let Some(arg) = args.get(1)
        && let Some([Arg::Const(v)]) = sequence(arg).as_deref()
    {
        crate::objects::refuse_absent(v)?;
        dtype = dtype.or(crate::objects::dtype_of(v));
    }
    if let Some(dtype) = dtype {
        return Ok(Ret::Tensor(b.reinterpreted(&x, dtype)?));
    }
    let want = args.sizes(b, 1)?;
    let have = b.shape(&x);
    let shape = infer_shape(b, &want, &have)?;
    let t = b.view(&x, &shape)?;
    named(b, t, "ViewBackward0")
}

/// `as_strided`
pub fn as_strided<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let list = |b: &mut B, i: usize, name: &str| match args.ints_opt(b, i)? {
        Some(list) => Ok(list),
        None => Err(args.wrong(i, name)),
    };
    let (shape, strides) = (list(b, 1, "tuple of ints")?, list(b, 2, "tuple of ints")?);
    let offset = args.int_opt(b, 3)?;
    Ok(Ret::Tensor(b.as_strided(&x, &shape, &strides, offset)?))
}

/// `reshape`
pub fn reshape<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let want = args.sizes(b, 1)?;
    let have = b.shape(&x);
    let shape = infer_shape(b, &want, &have)?;
    let t = b.reshape(&x, &shape)?;
    b.label_reshaped(&t, &x);
    Ok(Ret::Tensor(t))
}

/// `view_as`
pub fn view_as<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, other) = (args.tensor(0)?, args.tensor(1)?);
    let (want, have) = (b.shape(&other), b.shape(&x));
    let shape = infer_shape(b, &want, &have)?;
    let t = b.reshape(&x, &shape)?;
    b.label_reshaped(&t, &x);
    Ok(Ret::Tensor(t))
}

/// `flatten`
pub fn flatten<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let first = dim_arg(b, args, 1, 0, shape.len())?;
    let last = dim_arg(b, args, 2, -1, shape.len())?;
    if shape.is_empty() {
        let t = b.reshape(&x, &[ONE])?;
        return named(b, t, "ViewBackward0");
    }
    if first > last {
        return Err(runtime::<B>(
            "flatten() has invalid args: start_dim cannot come after end_dim",
        ));
    }
    if first == last {
        return Ok(Ret::Tensor(x));
    }
    let merged = b.numel(shape.get(first..=last).unwrap_or_default())?;
    let mut out: Dims = shape.get(..first).unwrap_or_default().into();
    out.push(merged);
    out.extend_from_slice(shape.get(last + 1..).unwrap_or_default());
    let t = b.reshape(&x, &out)?;
    b.label_reshaped(&t, &x);
    Ok(Ret::Tensor(t))
}

/// `ravel`
pub fn ravel<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let n = b.numel(&shape)?;
    // Unlike a reshape, no view of what has gaps, even where there is one.
    let x = b.contiguous(&x)?;
    let t = b.reshape(&x, &[n])?;
    named(b, t, "ViewBackward0")
}

/// `unflatten`
pub fn unflatten<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 1, 0, shape.len())?;
    let want = args.sizes(b, 2)?;
    if want.is_empty() {
        return Err(runtime::<B>("unflatten: sizes must be non-empty"));
    }
    let inferred = want.iter().filter(|d| **d == Dim::Known(-1)).count();
    let known: Option<Vec<i64>> = want.iter().map(|d| d.known()).collect();
    if let (Some(sizes), Some(extent)) = (known, at(&shape, dim).known())
        && inferred <= 1
        && sizes.iter().all(|&n| n >= -1)
    {
        let mut given = sizes.iter().filter(|&&n| n >= 0);
        let product = given.try_fold(1_i64, |product, &n| product.checked_mul(n));
        let fits = product.is_some_and(|product| match inferred {
            0 => product == extent,
            _ => product > 0 && extent % product == 0,
        });
        if !fits {
            return Err(runtime::<B>(format!(
                "unflatten: Provided sizes {sizes:?} don't multiply up to the size of dim {dim} ({extent}) in the input tensor"
            )));
        }
    }
    let parts = infer_shape(b, &want, &[at(&shape, dim)])?;
    let mut out: Dims = shape.get(..dim).unwrap_or_default().into();
    out.extend_from_slice(&parts);
    out.extend_from_slice(shape.get(dim + 1..).unwrap_or_default());
    let t = b.reshape(&x, &out)?;
    named(b, t, "ViewBackward0")
}

/// Exchanges two dimensions; a view.
pub fn transpose_of<B: TorchOps>(b: &mut B, x: &B::T, p: usize, q: usize) -> TRes<B> {
    let mut dims: Axes = (0..rank(b, x)).collect();
    if p == q || dims.len() <= p.max(q) {
        let shape = b.shape(x);
        return b.reshape(x, &shape);
    }
    dims.swap(p, q);
    b.permute(x, &dims)
}

/// `transpose`
pub fn transpose<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    let p = normalize_dim(args.int(b, 1)?, rank)?;
    let q = normalize_dim(args.int(b, 2)?, rank)?;
    let t = transpose_of(b, &x, p, q)?;
    named(b, t, "TransposeBackward0")
}

/// `t`
pub fn t<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    if rank > 2 {
        return Err(runtime::<B>(format!(
            "t() expects a tensor with <= 2 dimensions, but self is {rank}D"
        )));
    }
    let t = if rank == 2 {
        transpose_of(b, &x, 0, 1)?
    } else {
        transpose_of(b, &x, 0, 0)?
    };
    named(b, t, "TBackward0")
}

static OTHER_THAN_MATRIX: Warning = Warning::new(
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.",
);

/// `T`
pub fn transpose_all<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !matches!(rank(b, &x), 0 | 2) {
        b.warn_once(&OTHER_THAN_MATRIX)?;
    }
    let dims: Axes = (0..rank(b, &x)).rev().collect();
    let t = b.permute(&x, &dims)?;
    named(b, t, "PermuteBackward0")
}

/// `mT`
pub fn transpose_matrix<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    if rank < 2 {
        return Err(runtime::<B>(format!(
            "tensor.mT is only supported on matrices or batches of matrices. Got {rank}-D tensor."
        )));
    }
    let t = transpose_of(b, &x, rank - 2, rank - 1)?;
    named(b, t, "TransposeBackward0")
}

/// `permute`
pub fn permute<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    let given = args.ints_opt(b, 1)?.unwrap_or_default();
    if given.len() != rank {
        return Err(runtime::<B>(format!(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal to len(dims) = {}",
            given.len()
        )));
    }
    let mut dims = Axes::new();
    for d in given {
        let d = normalize_dim(d, rank)?;
        if dims.contains(&d) {
            return Err(runtime::<B>("permute(): duplicate dims are not allowed."));
        }
        dims.push(d);
    }
    let t = b.permute(&x, &dims)?;
    named(b, t, "PermuteBackward0")
}

/// `movedim`
pub fn movedim<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    let norm = |v: Vec<i64>| -> Result<Vec<usize>, TensorError> {
        v.into_iter().map(|d| normalize_dim(d, rank)).collect()
    };
    let from = norm(args.ints_opt(b, 1)?.unwrap_or_default())?;
    let to = norm(args.ints_opt(b, 2)?.unwrap_or_default())?;
    if from.len() != to.len() {
        return Err(runtime::<B>("movedim: Invalid source or destination dims"));
    }
    let mut rest = (0..rank).filter(|d| !from.contains(d));
    let mut dims = Axes::new();
    for i in 0..rank {
        let d = match to.iter().position(|&p| p == i) {
            Some(p) => from.get(p).copied(),
            None => rest.next(),
        };
        dims.extend(d);
    }
    let t = b.permute(&x, &dims)?;
    named(b, t, "PermuteBackward0")
}

/// `squeeze`
pub fn squeeze<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dims = match args.ints_opt(b, 1)? {
        Some(d) => normalize_dims(&d, shape.len())?,
        None => (0..shape.len()).collect(),
    };
    let mut out = Dims::new();
    for (i, &d) in shape.iter().enumerate() {
        if !dims.contains(&i) || (d != ONE && !b.dims_equal(d, ONE)?) {
            out.push(d);
        }
    }
    let t = b.reshape(&x, &out)?;
    named(
        b,
        t,
        if args.given(1).is_some() {
            "SqueezeBackward1"
        } else {
            "SqueezeBackward0"
        },
    )
}

/// Inserts an extent of 1; a view.
pub fn unsqueeze_of<B: TorchOps>(b: &mut B, x: &B::T, dim: usize) -> TRes<B> {
    let mut shape = b.shape(x);
    shape.insert(dim.min(shape.len()), ONE);
    b.reshape(x, &shape)
}

/// `unsqueeze`
pub fn unsqueeze<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    let dim = normalize_dim(args.int(b, 1)?, rank + 1)?;
    let t = unsqueeze_of(b, &x, dim)?;
    named(b, t, "UnsqueezeBackward0")
}

/// Stretches to sizes in which -1 keeps an extent.
pub(super) fn expand_sizes<B: TorchOps>(b: &mut B, x: &B::T, want: &[Dim]) -> TRes<B> {
    let have = b.shape(x);
    let Some(offset) = want.len().checked_sub(have.len()) else {
        return Err(TensorError::ExpandRank {
            ty: type_word(b.dtype(x)),
            sizes: known(&have).as_slice().into(),
            target: known(want).as_slice().into(),
            got: want.len(),
            rank: have.len(),
        }
        .into());
    };
    let mut out = Dims::new();
    // From the last one, so that the error is about the dimension that PyTorch names.
    for (i, &w) in want.iter().enumerate().rev() {
        let old = i.checked_sub(offset).and_then(|j| have.get(j)).copied();
        let new = match (w, old) {
            (Dim::Known(-1), Some(o)) => o,
            (Dim::Known(-1), None) => {
                return Err(runtime::<B>(format!(
                    "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {i}"
                )));
            }
            (w, Some(o)) if o != ONE && w != o && !b.dims_equal(w, o)? => {
                return Err(TensorError::Expand {
                    to: w.known().unwrap_or(-1),
                    from: o.known().unwrap_or(-1),
                    dim: i,
                    target: known(want).as_slice().into(),
                    sizes: known(&have).as_slice().into(),
                }
                .into());
            }
            (Dim::Known(w), _) if w < 0 => {
                return Err(runtime::<B>("numel: integer multiplication overflow"));
            }
            (w, _) => w,
        };
        out.push(new);
    }
    out.reverse();
    let dims: Axes = (0..have.len()).map(|i| i + offset).collect();
    b.broadcast(x, &out, &dims)
}

fn type_word(d: DType) -> &'static str {
    match d {
        DType::F32 => "torch.FloatTensor",
        DType::F64 => "torch.DoubleTensor",
        DType::I64 => "torch.LongTensor",
        DType::I32 => "torch.IntTensor",
        DType::I16 => "torch.ShortTensor",
        DType::I8 => "torch.CharTensor",
        DType::U8 => "torch.ByteTensor",
        DType::Bool => "CPUBoolType",
        DType::F16 => "torch.HalfTensor",
        DType::BF16 => "torch.BFloat16Tensor",
        DType::C64 => "CPUComplexFloatType",
        DType::C128 => "CPUComplexDoubleType",
        DType::U16 => "CPUUInt16Type",
        DType::U32 => "CPUUInt32Type",
        DType::U64 => "CPUUInt64Type",
    }
}

/// `expand`
pub fn expand<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let want = args.sizes(b, 1)?;
    let t = expand_sizes(b, &x, &want)?;
    named(b, t, "ExpandBackward0")
}

/// `expand_as`
pub fn expand_as<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, other) = (args.tensor(0)?, args.tensor(1)?);
    let want = b.shape(&other);
    let t = expand_sizes(b, &x, &want)?;
    named(b, t, "ExpandBackward0")
}

/// `broadcast_to`
pub fn broadcast_to<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    expand(b, args)
}

/// `broadcast_tensors`
pub fn broadcast_tensors<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(Arg::List(given) | Arg::Tuple(given)) = args.get(0)
        && let Some(nested) = given.iter().find(|item| is_sequence(item))
    {
        return Err(TensorError::Type(format!(
            "expected Tensor as element 0 in argument 0, but got {}",
            type_name(nested)
        ))
        .into());
    }
    let all = args.tensors(0)?;
    let mut shape = Dims::new();
    for t in &all {
        let s = b.shape(t);
        shape = broadcast_shapes(b, &shape, &s)?;
    }
    let mut out = Vec::with_capacity(all.len());
    for t in &all {
        out.push(Ret::Tensor(expand_to(b, t, &shape)?));
    }
    Ok(Ret::Tuple(out))
}

/// `repeat`
pub fn repeat<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let repeats = args.sizes(b, 1)?;
    repeat_sizes(b, &x, &repeats, "RepeatBackward0")
}

/// `tile`
pub fn tile<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let mut repeats = args.sizes(b, 1)?;
    while repeats.len() < rank(b, &x) {
        repeats.insert(0, ONE);
    }
    repeat_sizes(b, &x, &repeats, "RepeatBackward0")
}

fn repeat_sizes<B: TorchOps>(b: &mut B, x: &B::T, repeats: &[Dim], label: &'static str) -> Res<B> {
    let have = b.shape(x);
    let Some(offset) = repeats.len().checked_sub(have.len()) else {
        return Err(runtime::<B>(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        ));
    };
    // Each dimension becomes (repeats, extent): a stretch and a reshape.
    let (mut wide, mut out, mut dims) = (Dims::new(), Dims::new(), Axes::new());
    for (i, &r) in repeats.iter().enumerate() {
        let old = i.checked_sub(offset).map_or(ONE, |j| at(&have, j));
        wide.push(r);
        if i >= offset {
            dims.push(wide.len());
            wide.push(old);
        }
        out.push(b.dim_mul(r, old)?);
    }
    let t = b.broadcast(x, &wide, &dims)?;
    let t = b.reshape(&t, &out)?;
    // Never the memory of `x`, even where each element is there once.
    let once = repeats.iter().all(|&r| r == ONE);
    let t = if !once && b.is_contiguous(&t)? {
        t
    } else {
        b.copy(&t)?
    };
    named(b, t, label)
}

/// `repeat_interleave` by one number.
pub fn repeat_interleave<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if let Some(Arg::Tensor(counts)) = args.get(1) {
        // One count per row: the index of each copy, then a take.
        let (counts, dim) = (counts.clone(), args.int_opt(b, 2)?);
        let t = repeat_by_counts(b, &x, &counts, dim)?;
        check_repeated(b, args, &t, dim)?;
        return Ok(Ret::Tensor(t));
    }
    let n = args.extent(b, 1)?;
    if n.known().is_some_and(|n| n < 0) {
        return Err(runtime::<B>("Repeats must be non-negative"));
    }
    let n = b.not_negative(n)?;
    let mut shape = b.shape(&x);
    let (x, dim) = match args.int_opt(b, 2)? {
        Some(d) if shape.is_empty() => {
            return Err(TensorError::DimRange {
                lo: -1,
                hi: 0,
                // The dimension of the copies, which is a further one.
                dim: normalize_dim(d, 0)? as i64 + 1,
            }
            .into());
        }
        Some(d) => (x, normalize_dim(d, shape.len())?),
        None => {
            let all = b.numel(&shape)?;
            shape = [all].as_slice().into();
            (b.reshape(&x, &[all])?, 0)
        }
    };
    let mut wide = shape.clone();
    wide.insert((dim + 1).min(wide.len()), n);
    let dims: Axes = (0..shape.len())
        .map(|i| if i > dim { i + 1 } else { i })
        .collect();
    let t = b.broadcast(&x, &wide, &dims)?;
    if let Some(d) = shape.get_mut(dim) {
        *d = b.dim_mul(*d, n)?;
    }
    let t = b.reshape(&t, &shape)?;
    let t = if n == ONE { b.copy(&t)? } else { t };
    b.label(&t, "ViewBackward0");
    check_repeated(b, args, &t, Some(dim as i64))?;
    Ok(Ret::Tensor(t))
}

/// `output_size` says how long the result is, so that PyTorch need not count.
fn check_repeated<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    t: &B::T,
    dim: Option<i64>,
) -> Result<(), B::Error> {
    let Some(want) = args.int_opt(b, 3)? else {
        return Ok(());
    };
    let shape = b.shape(t);
    let dim = normalize_dim(dim.unwrap_or(0), shape.len())?;
    match at(&shape, dim).known() {
        Some(have) if have != want => Err(runtime::<B>(match args.get(1) {
            Some(Arg::Tensor(_)) => "allocated size does not match required size".to_owned(),
            _ => format!("repeat_interleave: Invalid output_size, expected {have} but got {want}"),
        })),
        _ => Ok(()),
    }
}

fn repeat_by_counts<B: TorchOps>(b: &mut B, x: &B::T, counts: &B::T, dim: Option<i64>) -> TRes<B> {
    let shape = b.shape(x);
    let (x, dim) = match dim {
        Some(d) => (x.clone(), own_dim(d, shape.len())?),
        None => {
            let all = b.numel(&shape)?;
            (b.reshape(x, &[all])?, 0)
        }
    };
    if !matches!(b.dtype(counts), DType::I64 | DType::I32) {
        return Err(super::no_kernel::<B>(
            "repeat_interleave_cpu",
            b.dtype(counts),
        ));
    }
    let extent = at(&b.shape(&x), dim);
    let n = match b.shape(counts).as_slice() {
        [] => ONE,
        [n] => *n,
        _ => {
            return Err(runtime::<B>(
                "repeat_interleave only accept 1D vector as repeat",
            ));
        }
    };
    let counts = if n == ONE && extent != ONE {
        let one = b.reshape(counts, &[ONE])?;
        b.broadcast(&one, &[extent], &[0])?
    } else if b.dims_equal(n, extent)? {
        b.reshape(counts, &[n])?
    } else {
        return Err(runtime::<B>(format!(
            "repeats must have the same size as input along dim, but got repeats.size(0) = {} and input.size({dim}) = {}",
            n.known().unwrap_or(-1),
            extent.known().unwrap_or(-1)
        )));
    };
    let n = extent;
    if n == ZERO {
        return b.copy(&x);
    }
    if b.values_outside(&counts, 0.0, f64::INFINITY)? {
        return Err(runtime::<B>("repeats can not be negative"));
    }
    let counts = &counts;
    refuse_empty(b, counts, &[0], "repeat_interleave")?;
    let s = b.reduce(ReduceOp::Max, counts, &[0])?;
    let s = b.item(&s)?;
    let longest = b.scalar_dim(&s)?;
    // mask[i, j] = j < counts[i]; its coordinates name the row of each copy.
    let column = b.iota(1, DType::I64, &[n, longest])?;
    let counts = b.cast(counts, DType::I64)?;
    let counts = b.broadcast(&counts, &[n, longest], &[0])?;
    let mask = b.lt(&column, &counts)?;
    let rows = b.nonzero(&mask)?.into_iter().next();
    let rows = rows.ok_or_else(|| runtime::<B>("repeats must not be empty"))?;
    b.take(&x, dim, &rows)
}

/// Tensors of one dtype.
fn promote_all<B: TorchOps>(b: &mut B, all: &[B::T]) -> Result<Vec<B::T>, B::Error> {
    let participants: Vec<Participant> = all
        .iter()
        .map(|t| Participant::Tensor(b.dtype(t), b.shape(t).len()))
        .collect();
    let dtype = result_type(&participants, b.default_dtype()).unwrap_or(DType::F32);
    all.iter().map(|t| b.cast(t, dtype)).collect()
}

/// `cat`
pub fn cat<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let all = args.tensors(0)?;
    let dim = args.int_or(b, 1, 0)?;
    let t = cat_of(b, &all, dim)?;
    named(b, t, "CatBackward0")
}

/// Concatenation along a dimension.
pub fn cat_of<B: TorchOps>(b: &mut B, all: &[B::T], dim: i64) -> TRes<B> {
    if all.is_empty() {
        return Err(
            TensorError::Value("torch.cat(): expected a non-empty list of Tensors".into()).into(),
        );
    }
    for (i, t) in all.iter().enumerate() {
        if rank(b, t) == 0 {
            return Err(runtime::<B>(format!(
                "zero-dimensional tensor (at position {i}) cannot be concatenated"
            )));
        }
    }
    let all = promote_all(b, all)?;
    // Legacy: one-dimensional empty tensors are skipped.
    let kept: Vec<B::T> = all
        .iter()
        .filter(|t| b.shape(t).as_slice() != [ZERO])
        .cloned()
        .collect();
    let Some(first) = kept.first() else {
        return match all.first() {
            Some(t) => b.copy(t),
            None => Err(runtime::<B>("expected a non-empty list of Tensors")),
        };
    };
    let shape = b.shape(first);
    let dim = normalize_dim(dim, shape.len())?;
    for (i, t) in kept.iter().enumerate() {
        let s = b.shape(t);
        if s.len() != shape.len() {
            return Err(runtime::<B>(format!(
                "Tensors must have same number of dimensions: got {} and {}",
                shape.len(),
                s.len()
            )));
        }
        for (d, (&p, &q)) in shape.iter().zip(&s).enumerate() {
            if d != dim && p != q && !b.dims_equal(p, q)? {
                return Err(runtime::<B>(format!(
                    "Sizes of tensors must match except in dimension {dim}. Expected size {} but got size {} for tensor number {i} in the list.",
                    p.known().unwrap_or(-1),
                    q.known().unwrap_or(-1)
                )));
            }
        }
    }
    let refs: Vec<&B::T> = kept.iter().collect();
    b.concat(&refs, dim)
}

/// `stack`
pub fn stack<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let all = args.tensors(0)?;
    let dim = args.int_or(b, 1, 0)?;
    let t = stack_of(b, &all, dim)?;
    named(b, t, "StackBackward0")
}

/// Concatenation along a new dimension.
pub fn stack_of<B: TorchOps>(b: &mut B, all: &[B::T], dim: i64) -> TRes<B> {
    let Some(first) = all.first() else {
        return Err(runtime::<B>("stack expects a non-empty TensorList"));
    };
    let shape = b.shape(first);
    let dim = normalize_dim(dim, shape.len() + 1)?;
    let all = promote_all(b, all)?;
    let mut wide = Vec::with_capacity(all.len());
    for (i, t) in all.iter().enumerate() {
        let s = b.shape(t);
        if !same_shape(b, &s, &shape)? {
            return Err(runtime::<B>(format!(
                "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {i}",
                janus_tensor::ShapeText::from(known(&shape).as_slice()),
                janus_tensor::ShapeText::from(known(&s).as_slice())
            )));
        }
        wide.push(unsqueeze_of(b, t, dim)?);
    }
    let refs: Vec<&B::T> = wide.iter().collect();
    b.concat(&refs, dim)
}

/// `hstack`
pub fn hstack<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let all = args.tensors(0)?;
    let dim = if all.first().is_some_and(|t| rank(b, t) > 1) {
        1
    } else {
        0
    };
    let t = cat_of(b, &all, dim)?;
    named(b, t, "CatBackward0")
}

/// `vstack`
pub fn vstack<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut rows = Vec::new();
    for t in args.tensors(0)? {
        rows.push(if rank(b, &t) == 1 {
            unsqueeze_of(b, &t, 0)?
        } else {
            t
        });
    }
    let t = cat_of(b, &rows, 0)?;
    named(b, t, "CatBackward0")
}

fn pieces<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    sizes: &[Dim],
    label: &'static str,
) -> Res<B> {
    let mut start = ZERO;
    let mut out = Vec::with_capacity(sizes.len());
    for &n in sizes {
        let piece = narrow_of(b, x, dim, start, n)?;
        b.label(&piece, label);
        b.one_of_several(&piece, out.len())?;
        out.push(Ret::Tensor(piece));
        start = if start == ZERO {
            n
        } else {
            b.dim_add(start, n)?
        };
    }
    Ok(Ret::Tuple(out))
}

pub(super) fn known_extent<B: TorchOps>(
    shape: &[Dim],
    dim: usize,
    what: &str,
) -> Result<i64, B::Error> {
    at(shape, dim)
        .known()
        .ok_or_else(|| super::not_known::<B>(format!("{what} along an extent that moves")))
}

fn equal_pieces(n: i64, size: i64) -> Vec<Dim> {
    let mut left = n;
    let mut out = Vec::new();
    while left > 0 || out.is_empty() {
        let piece = left.min(size);
        out.push(Dim::Known(piece));
        left -= size;
        if size <= 0 {
            break;
        }
    }
    out
}

/// `split`
pub fn split<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    if shape.is_empty() {
        return Err(runtime::<B>(
            "split expects at least a 1-dimensional tensor",
        ));
    }
    let dim = dim_arg(b, args, 2, 0, shape.len())?;
    let is_list = args.get(1).is_some_and(crate::call::is_sequence);
    if is_list {
        let sizes = args.sizes(b, 1)?;
        if sizes.iter().any(|d| d.known().is_some_and(|n| n < 0)) {
            return Err(runtime::<B>(format!(
                "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}",
                janus_tensor::ShapeText::from(known(&sizes).as_slice())
            )));
        }
        let mut total = ZERO;
        for &n in &sizes {
            total = if total == ZERO {
                n
            } else {
                b.dim_add(total, n)?
            };
        }
        if !b.dims_equal(total, at(&shape, dim))? {
            return Err(runtime::<B>(format!(
                "split_with_sizes expects split_sizes to sum exactly to {} (input tensor's size at dimension {dim}), but got split_sizes={}",
                at(&shape, dim).known().unwrap_or(-1),
                janus_tensor::ShapeText::from(known(&sizes).as_slice())
            )));
        }
        return pieces(b, &x, dim, &sizes, "SplitWithSizesBackward0");
    }
    let size = args.int(b, 1)?;
    if size < 0 {
        return Err(runtime::<B>(format!(
            "split expects split_size be non-negative, but got split_size={size}"
        )));
    }
    let n = known_extent::<B>(&shape, dim, "split")?;
    if size == 0 && n != 0 {
        return Err(runtime::<B>(format!(
            "split_size can only be 0 if dimension size is 0, but got dimension size of {n}"
        )));
    }
    pieces(b, &x, dim, &equal_pieces(n, size), "SplitBackward0")
}

/// `chunk`
pub fn chunk<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    if shape.is_empty() {
        return Err(runtime::<B>(
            "chunk expects at least a 1-dimensional tensor",
        ));
    }
    let chunks = args.int(b, 1)?;
    let dim = dim_arg(b, args, 2, 0, shape.len())?;
    if chunks <= 0 {
        return Err(runtime::<B>(
            "chunk expects `chunks` to be greater than 0, got: 0",
        ));
    }
    let n = known_extent::<B>(&shape, dim, "chunk")?;
    let size = (n + chunks - 1) / chunks;
    if size == 0 {
        let sizes = vec![ZERO; chunks as usize];
        return pieces(b, &x, dim, &sizes, "SplitWithSizesBackward0");
    }
    pieces(b, &x, dim, &equal_pieces(n, size), "SplitBackward0")
}

/// `unbind`
pub fn unbind<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 1, 0, shape.len())?;
    own_dim(dim as i64, shape.len())?;
    let n = known_extent::<B>(&shape, dim, "unbind")?;
    let mut out = Vec::new();
    for i in 0..n {
        let row = select_of(b, &x, dim, Dim::Known(i))?;
        b.label(&row, "UnbindBackward0");
        b.one_of_several(&row, out.len())?;
        out.push(Ret::Tensor(row));
    }
    Ok(Ret::Tuple(out))
}

/// A start that may count from the end.
fn from_end<B: TorchOps>(b: &mut B, start: Dim, n: Dim) -> Result<Dim, B::Error> {
    match start {
        Dim::Known(s) if s < 0 => b.dim_add(n, Dim::Known(s)),
        other => Ok(other),
    }
}

/// `narrow`
pub fn narrow<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 1, 0, shape.len())?;
    let n = at(&shape, dim);
    let start = args.extent(b, 2)?;
    let length = args.extent(b, 3)?;
    if length.known().is_some_and(|l| l < 0) {
        return Err(runtime::<B>("narrow(): length must be non-negative."));
    }
    if let (Some(s), Some(n)) = (start.known(), n.known())
        && (s < -n || s > n)
    {
        return Err(TensorError::Index(format!(
            "start out of range (expected to be in range of [{}, {n}], but got {s})",
            -n
        ))
        .into());
    }
    let start = from_end(b, start, n)?;
    if let (Some(s), Some(l), Some(n)) = (start.known(), length.known(), n.known())
        && s + l > n
    {
        return Err(runtime::<B>(format!(
            "start ({s}) + length ({l}) exceeds dimension size ({n})."
        )));
    }
    let start = b.within(start, length, n)?;
    let t = narrow_of(b, &x, dim, start, length)?;
    named(b, t, "SliceBackward0")
}

/// `select`
pub fn select<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 1, 0, shape.len())?;
    let n = at(&shape, dim);
    let index = args.extent(b, 2)?;
    if let (Some(i), Some(size)) = (index.known(), n.known())
        && (i < -size || i >= size)
    {
        return Err(TensorError::Index(format!(
            "select(): index {i} out of range for tensor of size {} at dimension {dim}",
            janus_tensor::ShapeText::from(known(&shape).as_slice())
        ))
        .into());
    }
    let index = b.element_at(index, n)?;
    let t = select_of(b, &x, dim, index)?;
    named(b, t, "SelectBackward0")
}

/// `flip`
pub fn flip<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    let dims = normalize_dims(&args.ints_opt(b, 1)?.unwrap_or_default(), rank)?;
    let t = b.reverse(&x, &dims)?;
    named(b, t, "FlipBackward0")
}

/// `_backwards`: dimensions turned around as a view, for NumPy's arrays.
pub fn backwards<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x);
    let dims = normalize_dims(&args.ints_opt(b, 1)?.unwrap_or_default(), rank)?;
    Ok(Ret::Tensor(b.backwards(&x, &dims)?))
}

/// `roll`
pub fn roll<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let shifts = args.ints_opt(b, 1)?.unwrap_or_default();
    let (mut t, dims) = match args.ints_opt(b, 2)? {
        Some(d) if !d.is_empty() => {
            let mut dims = Vec::new();
            for d in d {
                dims.push(own_dim(d, shape.len())?);
            }
            (x, dims)
        }
        _ => {
            let n = b.numel(&shape)?;
            (b.reshape(&x, &[n])?, vec![0])
        }
    };
    if shifts.len() != dims.len() {
        return Err(runtime::<B>(format!(
            "shifts and dimensions must align. shifts: {}, dims:{}",
            shifts.len(),
            dims.len()
        )));
    }
    let mut moved = false;
    for (shift, dim) in shifts.into_iter().zip(dims) {
        let n = at(&b.shape(&t), dim);
        if n == ZERO {
            continue;
        }
        // The last `shift` elements come first.
        let tail = b.dim_binary(DimOp::Rem, Dim::Known(shift), n)?;
        if tail == ZERO {
            continue;
        }
        let head = b.dim_sub(n, tail)?;
        let last = narrow_of(b, &t, dim, head, tail)?;
        let first = narrow_of(b, &t, dim, ZERO, head)?;
        t = b.concat(&[&last, &first], dim)?;
        moved = true;
    }
    let t = b.reshape(&t, &shape)?;
    let t = if moved { t } else { b.copy(&t)? };
    named(b, t, "RollBackward0")
}

/// `F.pad`
pub fn pad<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut x = args.tensor(0)?;
    let pads = args.ints_opt(b, 1)?.unwrap_or_default();
    let mode = args.str_or(2, "constant")?;
    let rank = rank(b, &x);
    if pads.len() % 2 != 0 {
        return Err(runtime::<B>("Padding length must be divisible by 2"));
    }
    if pads.len() / 2 > rank {
        return Err(runtime::<B>(format!(
            "Padding length should be less than or equal to two times the input dimension but got padding length {} and input of dimension {rank}",
            pads.len()
        )));
    }
    // What repeats elements knows lines, images and volumes, with or without channels and examples.
    let lacks = pads.len() / 2 + 1;
    if matches!(mode.as_str(), "reflect" | "replicate" | "circular") {
        if lacks > 4 || !(lacks..=lacks + 1).contains(&rank) {
            return Err(TensorError::NotImplemented(format!(
                "Padding size {} is not supported for {rank}D input tensor.\nSupported combinations for non-constant padding:\n  - 2D or 3D input: padding size = 2 (pads last dimension)\n  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
                pads.len()
            ))
            .into());
        }
        let value = args.number_opt(b, 3)?;
        if value.is_some_and(|v| b.scalar_value(&v).is_none_or(|v| v.to_f64() != 0.0)) {
            return Err(runtime::<B>(format!(
                "Padding mode \"{mode}\" doesn't take in value argument"
            )));
        }
    }
    for (i, pair) in pads.chunks(2).enumerate() {
        let (Some(&before), Some(&after)) = (pair.first(), pair.get(1)) else {
            continue;
        };
        let dim = rank - 1 - i;
        x = match mode.as_str() {
            "constant" => {
                let value = args.number_opt(b, 3)?;
                let mut value = value.unwrap_or_else(|| b.scalar(janus_tensor::Scalar::I64(0)));
                // It is a float in PyTorch.
                if let Some(v) = b.scalar_value(&value) {
                    value = b.scalar(janus_tensor::Scalar::F64(v.to_f64()));
                }
                pad_constant(b, &x, dim, before, after, &value)?
            }
            "reflect" | "replicate" | "circular" => pad_copy(b, &x, dim, before, after, &mode)?,
            other => {
                return Err(TensorError::NotImplemented(format!(
                    "Unrecognised padding mode {other}"
                ))
                .into());
            }
        };
    }
    // Cut off or as it was, it is a copy.
    if mode == "constant" && pads.iter().all(|&n| n <= 0) {
        x = b.copy(&x)?;
    }
    let label = match (mode.as_str(), pads.len() / 2) {
        ("reflect", 1) => "ReflectionPad1DBackward0",
        ("reflect", 2) => "ReflectionPad2DBackward0",
        ("reflect", _) => "ReflectionPad3DBackward0",
        ("replicate", 1) => "ReplicationPad1DBackward0",
        ("replicate", 2) => "ReplicationPad2DBackward0",
        ("replicate", _) => "ReplicationPad3DBackward0",
        ("circular", _) => "CopySlices",
        _ => "ConstantPadNdBackward0",
    };
    named(b, x, label)
}

pub(super) fn pad_constant<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    before: i64,
    after: i64,
    value: &B::S,
) -> TRes<B> {
    let shape = b.shape(x);
    let dtype = b.dtype(x);
    // Negative padding cuts off.
    let mut t = x.clone();
    let (cut_before, cut_after) = ((-before).max(0), (-after).max(0));
    if cut_before + cut_after > 0 {
        let n = b.dim_sub(at(&shape, dim), Dim::Known(cut_before + cut_after))?;
        if n.known().is_some_and(|n| n < 0) {
            return Err(runtime::<B>("narrow(): length must be non-negative."));
        }
        let n = b.not_negative(n)?;
        t = narrow_of(b, &t, dim, Dim::Known(cut_before), n)?;
    }
    let mut parts: Vec<B::T> = Vec::new();
    let border = |b: &mut B, n: i64, parts: &mut Vec<B::T>| -> Result<(), B::Error> {
        if n > 0 {
            let mut s = shape.clone();
            if let Some(d) = s.get_mut(dim) {
                *d = Dim::Known(n);
            }
            parts.push(super::filled_with(b, value, dtype, &s)?);
        }
        Ok(())
    };
    border(b, before, &mut parts)?;
    parts.push(t);
    border(b, after, &mut parts)?;
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let refs: Vec<&B::T> = parts.iter().collect();
    b.concat(&refs, dim)
}

fn pad_copy<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dim: usize,
    before: i64,
    after: i64,
    mode: &str,
) -> TRes<B> {
    let n = known_extent::<B>(&b.shape(x), dim, "padding")?;
    // What goes around is what is left after cutting off.
    let (first, left) = ((-before).max(0), n - (-before).max(0) - (-after).max(0));
    if mode == "circular" {
        if before > n || after > n {
            return Err(runtime::<B>(
                "Padding value causes wrapping around more than once.",
            ));
        }
        if n + before + after < 0 || left < 0 {
            return Err(runtime::<B>(
                "Negative padding value is resulting in an empty dimension",
            ));
        }
    }
    let index = |i: i64| match mode {
        "replicate" => i.clamp(0, n - 1),
        "circular" => first + (i - first).rem_euclid(left.max(1)),
        _ if i < 0 => -i,
        _ if i >= n => 2 * (n - 1) - i,
        _ => i,
    };
    let indices: Vec<janus_tensor::Scalar> = (-before..n + after)
        .map(|i| janus_tensor::Scalar::I64(index(i)))
        .collect();
    let shape = [indices.len() as i64];
    let indices = b.constant(&indices, &shape, DType::I64)?;
    b.take(x, dim, &indices)
}

/// `reversed(input)`: along the first dimension, if there is one.
pub fn reversed<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if rank(b, &x) == 0 {
        return Ok(Ret::Tensor(x));
    }
    let t = b.reverse(&x, &[0])?;
    named(b, t, "FlipBackward0")
}

/// `meshgrid`
pub fn meshgrid<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let all = args.tensors(0)?;
    let xy = match args.str_or(1, "ij")?.as_str() {
        "ij" => false,
        "xy" => true,
        other => {
            return Err(runtime::<B>(format!(
                "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: {other}"
            )));
        }
    };
    if let Some(first) = all.first()
        && all.iter().any(|t| b.dtype(t) != b.dtype(first))
    {
        return Err(runtime::<B>(
            "meshgrid expects all tensors to have the same dtype",
        ));
    }
    let mut shape = Dims::new();
    for t in &all {
        let s = b.shape(t);
        if s.len() > 1 {
            return Err(runtime::<B>(format!(
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {}",
                janus_tensor::ShapeText::from(known(&s).as_slice())
            )));
        }
        shape.push(b.numel(&s)?);
    }
    // A single tensor has no other to change places with.
    let xy = xy && all.len() >= 2;
    let place = |i: usize| if xy && i < 2 { 1 - i } else { i };
    let mut grid: Dims = shape.clone();
    if xy {
        grid.swap(0, 1);
    }
    let mut out = Vec::with_capacity(all.len());
    for (i, t) in all.iter().enumerate() {
        let flat = b.reshape(t, &[at(&shape, i)])?;
        let wide = b.broadcast(&flat, &grid, &[place(i)])?;
        b.label(&wide, "ExpandBackward0");
        out.push(Ret::Tensor(wide));
    }
    Ok(Ret::Tuple(out))
}

/// `unfold`: windows along a dimension, as a new last dimension.
pub fn unfold<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 1, 0, shape.len())?;
    let (size, step) = (args.int(b, 2)?, args.int(b, 3)?);
    let n = if shape.is_empty() {
        1
    } else {
        known_extent::<B>(&shape, dim, "unfold")?
    };
    if step <= 0 {
        return Err(runtime::<B>(format!("step is {step} but must be > 0")));
    }
    if size < 0 {
        return Err(runtime::<B>(format!("size is {size} but must be >= 0")));
    }
    if size > n {
        return Err(runtime::<B>(format!(
            "maximum size for tensor at dimension {dim} is {n} but size is {size}"
        )));
    }
    // One number is cut as a vector with one element.
    let t = if shape.is_empty() {
        let one = b.reshape(&x, &[Dim::Known(1)])?;
        let row = b.windows(&one, (0, 1), size, step)?;
        select_of(b, &row, 0, ZERO)?
    } else {
        b.windows(&x, (dim, n), size, step)?
    };
    named(b, t, "UnfoldBackward0")
}
