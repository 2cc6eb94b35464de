//! Functions that put elements elsewhere: mirrored, stacked, split, on diagonals.
//!
//! In: tensors. Out: views where PyTorch gives views, copies else. Always: no arithmetic but on
//! indices.

use janus_tensor::ops::{Axes, Dims};
use janus_tensor::shape::normalize_dim;
use janus_tensor::{DType, Dim, Scalar};

use super::layout::ordered_tensor;
use super::shape::{at, cat_of, known_extent, narrow_of, unsqueeze_of};
use super::{Res, TRes, broadcast_shapes, dim_arg, known, named, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, is_sequence, sequence};

const ONE: Dim = Dim::Known(1);
const ZERO: Dim = Dim::Known(0);

/// `fliplr`
pub fn fliplr<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if rank(b, &x) < 2 {
        return Err(runtime::<B>("Input must be >= 2-d."));
    }
    let t = b.reverse(&x, &[1])?;
    named(b, t, "FlipBackward0")
}

/// `flipud`
pub fn flipud<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if rank(b, &x) < 1 {
        return Err(runtime::<B>("Input must be >= 1-d."));
    }
    let t = b.reverse(&x, &[0])?;
    named(b, t, "FlipBackward0")
}

/// `rot90`
pub fn rot90<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let k = args.int_or(b, 1, 1)?.rem_euclid(4);
    let given = args.ints_opt(b, 2)?.unwrap_or_else(|| vec![0, 1]);
    let rank = rank(b, &x);
    let [p, q] = given.as_slice() else {
        return Err(runtime::<B>(format!(
            "expected total rotation dims == 2, but got dims = {}",
            given.len()
        )));
    };
    if rank < 2 {
        return Err(runtime::<B>(format!(
            "expected total dims >= 2, but got total dims = {rank}"
        )));
    }
    let (p, q) = (normalize_dim(*p, rank)?, normalize_dim(*q, rank)?);
    if p == q {
        return Err(runtime::<B>(format!(
            "expected rotation dims to be different, but got dim0 = {p} and dim1 = {q}"
        )));
    }
    // Mirrored in the operand's own order of memory, and turned as a view.
    let mirrored = match k {
        1 => Some(vec![q]),
        2 => Some(vec![p.min(q), p.max(q)]),
        3 => Some(vec![p]),
        _ => None,
    };
    let t = match mirrored {
        Some(dims) => {
            let t = b.reverse(&x, &dims)?;
            match b.memory_order(&x)? {
                Some(order) => ordered_tensor(b, &t, &order)?,
                None => t,
            }
        }
        None => b.copy(&x)?,
    };
    let t = match k % 2 {
        1 => {
            let mut dims: Axes = (0..rank).collect();
            dims.swap(p, q);
            b.laid_out(&t, &dims)?
        }
        _ => t,
    };
    named(b, t, "Rot90Backward0")
}

/// At least so many dimensions, by new ones where `atleast_*d` puts them.
fn at_least<B: TorchOps>(b: &mut B, x: &B::T, n: usize) -> TRes<B> {
    match (rank(b, x), n) {
        (0, 1) => b.reshape(x, &[ONE]),
        (0, 2) => b.reshape(x, &[ONE, ONE]),
        (0, _) => b.reshape(x, &[ONE, ONE, ONE]),
        (1, 2) => unsqueeze_of(b, x, 0),
        (1, 3) => {
            let t = unsqueeze_of(b, x, 0)?;
            unsqueeze_of(b, &t, 2)
        }
        (2, 3) => unsqueeze_of(b, x, 2),
        _ => Ok(x.clone()),
    }
}

/// `atleast_3d`
pub fn atleast_3d<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Tensor(at_least(b, &x, 3)?))
}

/// `dstack`
pub fn dstack<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut all = Vec::new();
    for t in args.tensors(0)? {
        all.push(at_least(b, &t, 3)?);
    }
    let t = cat_of(b, &all, 2)?;
    named(b, t, "CatBackward0")
}

/// `column_stack`
pub fn column_stack<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut all = Vec::new();
    for t in args.tensors(0)? {
        all.push(if rank(b, &t) <= 1 {
            let shape = b.shape(&t);
            let n = b.numel(&shape)?;
            b.reshape(&t, &[n, ONE])?
        } else {
            t
        });
    }
    let t = cat_of(b, &all, 1)?;
    named(b, t, "CatBackward0")
}

fn split_at<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, args: &CallArgs<B>) -> Res<B> {
    let shape = b.shape(x);
    let n = known_extent::<B>(&shape, dim, "tensor_split")?;
    let mut bounds = vec![0];
    let ends: Option<Vec<i64>> = match args.get(1) {
        Some(Arg::Tensor(t)) if rank(b, t) == 1 => {
            let t = t.clone();
            let count = known_extent::<B>(&b.shape(&t), 0, "tensor_split")?;
            let mut ends = Vec::new();
            for i in 0..count {
                let one = super::shape::select_of(b, &t, 0, Dim::Known(i))?;
                let s = b.item(&one)?;
                let v = b.scalar_value(&s);
                ends.push(
                    v.ok_or_else(|| super::not_known::<B>("tensor_split at places that move"))?
                        .to_i64(),
                );
            }
            Some(ends)
        }
        Some(arg) if is_sequence(arg) => args.ints_opt(b, 1)?,
        _ => None,
    };
    match ends {
        Some(ends) => {
            bounds.extend(
                ends.into_iter()
                    .map(|e| if e < 0 { (e + n).max(0) } else { e.min(n) }),
            );
            bounds.push(n);
        }
        None => {
            let sections = args.int(b, 1)?;
            if sections <= 0 {
                return Err(runtime::<B>(format!(
                    "number of sections must be larger than 0, got {sections}"
                )));
            }
            let (size, more) = (n / sections, n % sections);
            let mut end = 0;
            for i in 0..sections {
                end += size + i64::from(i < more);
                bounds.push(end);
            }
        }
    }
    let mut out = Vec::new();
    for pair in bounds.windows(2) {
        if let [from, to] = *pair {
            let length = (to - from).max(0);
            let from = if length == 0 { 0 } else { from };
            let piece = narrow_of(b, x, dim, Dim::Known(from), Dim::Known(length))?;
            b.label(&piece, "SliceBackward0");
            out.push(Ret::Tensor(piece));
        }
    }
    Ok(Ret::Tuple(out))
}

/// `tensor_split`
pub fn tensor_split<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = dim_arg(b, args, 2, 0, rank(b, &x))?;
    split_at(b, &x, dim, args)
}

fn named_split<B: TorchOps>(b: &mut B, args: &CallArgs<B>, least: usize, dim: usize) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    if shape.len() < least {
        return Err(runtime::<B>(format!(
            "torch.{} requires a tensor with at least {least} dimension, but got a tensor with {} dimensions!",
            args.name(),
            shape.len()
        )));
    }
    if !args.get(1).is_some_and(is_sequence) {
        let sections = args.int(b, 1)?;
        let n = known_extent::<B>(&shape, dim, args.name())?;
        if sections == 0 || n % sections != 0 {
            return Err(runtime::<B>(format!(
                "torch.{} attempted to split along dimension {dim}, but the size of the dimension {n} is not divisible by the split_size {sections}!",
                args.name()
            )));
        }
    }
    split_at(b, &x, dim, args)
}

/// `hsplit`
pub fn hsplit<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dim = usize::from(rank(b, &x) > 1);
    named_split(b, args, 1, dim)
}

/// `vsplit`
pub fn vsplit<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    named_split(b, args, 2, 0)
}

/// `dsplit`
pub fn dsplit<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    named_split(b, args, 3, 2)
}

/// The last dimension as a diagonal of two new ones at `p` and `q`.
fn embedded<B: TorchOps>(b: &mut B, x: &B::T, offset: i64, p: usize, q: usize) -> TRes<B> {
    let shape = b.shape(x);
    let last = shape.len().saturating_sub(1);
    let n = at(&shape, last);
    let size = b.dim_add(n, Dim::Known(offset.abs()))?;
    let mut wide: Dims = shape.get(..last).unwrap_or_default().into();
    wide.extend([size, size]);
    let zero = b.scalar(Scalar::I64(0));
    let padded = super::shape::pad_constant(b, x, last, offset.min(0).abs(), offset.max(0), &zero)?;
    // Element [i, j] is that of row i where j - i is the offset.
    let (row, column) = (
        b.iota(last, DType::I64, &wide)?,
        b.iota(last + 1, DType::I64, &wide)?,
    );
    let offset = splat_like(b, offset, &row)?;
    let target = b.add(&row, &offset)?;
    let on = b.eq(&column, &target)?;
    let dims: Axes = (0..=last).collect();
    let spread = b.broadcast(&padded, &wide, &dims)?;
    let zero = splat_like(b, 0, &spread)?;
    let t = b.select(&on, &spread, &zero)?;
    // The two new dimensions go to their places, in this order.
    let mut rest = 0..last;
    let mut order = Axes::new();
    for d in 0..wide.len() {
        if d == p {
            order.push(last);
        } else if d == q {
            order.push(last + 1);
        } else {
            order.extend(rest.next());
        }
    }
    b.permute(&t, &order)
}

/// `diag_embed`
pub fn diag_embed<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let rank = rank(b, &x) + 1;
    let offset = args.int_or(b, 1, 0)?;
    let p = dim_arg(b, args, 2, -2, rank)?;
    let q = dim_arg(b, args, 3, -1, rank)?;
    if p == q {
        return Err(runtime::<B>(format!(
            "diagonal dimensions cannot be identical {p}, {q}"
        )));
    }
    let t = embedded(b, &x, offset, p, q)?;
    named(b, t, "DiagEmbedBackward0")
}

/// `diagflat`
pub fn diagflat<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let offset = args.int_or(b, 1, 0)?;
    let shape = b.shape(&x);
    let n = b.numel(&shape)?;
    let flat = b.reshape(&x, &[n])?;
    let t = embedded(b, &flat, offset, 0, 1)?;
    named(b, t, "DiagEmbedBackward0")
}

/// `cartesian_prod`
pub fn cartesian_prod<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let all = args.tensors(0)?;
    let mut shape = Dims::new();
    for t in &all {
        let s = b.shape(t);
        match s.as_slice() {
            [n] => shape.push(*n),
            _ => {
                return Err(runtime::<B>(format!(
                    "Expect a 1D vector, but got shape {}",
                    janus_tensor::ShapeText::from(known(&s).as_slice())
                )));
            }
        }
    }
    if let [one] = all.as_slice() {
        return Ok(Ret::Tensor(one.clone()));
    }
    let n = b.numel(&shape)?;
    let mut columns = Vec::new();
    for (i, t) in all.iter().enumerate() {
        let wide = b.broadcast(t, &shape, &[i])?;
        columns.push(b.reshape(&wide, &[n])?);
    }
    let t = super::shape::stack_of(b, &columns, 1)?;
    named(b, t, "StackBackward0")
}

/// `combinations`
pub fn combinations<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    let r = args.int_or(b, 1, 2)?;
    let again = args.flag(2)?;
    if shape.len() != 1 {
        return Err(runtime::<B>(format!(
            "Expect a 1D vector, but got shape {}",
            janus_tensor::ShapeText::from(known(&shape).as_slice())
        )));
    }
    if r < 0 {
        return Err(runtime::<B>(format!(
            "Expect a non-negative number, but got {r}"
        )));
    }
    if r == 0 {
        let zero = b.scalar(Scalar::I64(0));
        let dtype = b.dtype(&x);
        return Ok(Ret::Tensor(b.full(&zero, dtype, &[ZERO])?));
    }
    let n = known_extent::<B>(&shape, 0, "combinations")?;
    let mut rows: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..r {
        rows = rows
            .iter()
            .flat_map(|row| {
                let first = match row.last() {
                    Some(&last) => last + i64::from(!again),
                    None => 0,
                };
                (first..n).map(|i| [row.as_slice(), &[i]].concat())
            })
            .collect();
    }
    let flat: Vec<Scalar> = rows.iter().flatten().map(|&i| Scalar::I64(i)).collect();
    let index = b.constant(&flat, &[rows.len() as i64, r], DType::I64)?;
    let t = b.take(&x, 0, &index)?;
    named(b, t, "StackBackward0")
}

/// `block_diag`
pub fn block_diag<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut all = Vec::new();
    for (i, t) in args.tensors(0)?.into_iter().enumerate() {
        if rank(b, &t) > 2 {
            return Err(runtime::<B>(format!(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {} dimensions",
                rank(b, &t)
            )));
        }
        all.push(at_least(b, &t, 2)?);
    }
    let mut widths = Vec::new();
    for t in &all {
        widths.push(known_extent::<B>(&b.shape(t), 1, "block_diag")?);
    }
    let total: i64 = widths.iter().sum();
    let (mut before, mut rows) = (0, Vec::new());
    let zero = b.scalar(Scalar::I64(0));
    for (t, &width) in all.iter().zip(&widths) {
        rows.push(super::shape::pad_constant(
            b,
            t,
            1,
            before,
            total - before - width,
            &zero,
        )?);
        before += width;
    }
    let t = cat_of(b, &rows, 0)?;
    named(b, t, "BlockDiagBackward0")
}

/// Two tensors of the same rank, by leading extents of 1.
fn same_rank<B: TorchOps>(b: &mut B, x: &B::T, rank: usize) -> TRes<B> {
    let shape = b.shape(x);
    let mut wide: Dims = (shape.len()..rank).map(|_| ONE).collect();
    wide.extend(shape);
    b.reshape(x, &wide)
}

/// `kron`
pub fn kron<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let dtype = b.dtype(&x).promote(b.dtype(&y));
    let (x, y) = (b.cast(&x, dtype)?, b.cast(&y, dtype)?);
    let n = rank(b, &x).max(rank(b, &y));
    let (x, y) = (same_rank(b, &x, n)?, same_rank(b, &y, n)?);
    let (p, q) = (b.shape(&x), b.shape(&y));
    let (mut wide, mut out) = (Dims::new(), Dims::new());
    for (&p, &q) in p.iter().zip(&q) {
        wide.extend([p, q]);
        out.push(b.dim_mul(p, q)?);
    }
    let (even, odd): (Axes, Axes) = (
        (0..n).map(|i| 2 * i).collect(),
        (0..n).map(|i| 2 * i + 1).collect(),
    );
    let (x, y) = (
        b.broadcast(&x, &wide, &even)?,
        b.broadcast(&y, &wide, &odd)?,
    );
    let t = b.mul(&x, &y)?;
    let t = b.reshape(&t, &out)?;
    named(b, t, "UnsafeViewBackward0")
}

/// `vander`
pub fn vander<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    if shape.len() != 1 {
        return Err(runtime::<B>("x must be a one-dimensional tensor."));
    }
    let n = match args.int_opt(b, 1)? {
        Some(n) => n,
        None => known_extent::<B>(&shape, 0, "vander")?,
    };
    if n < 0 {
        return Err(runtime::<B>("N must be non-negative."));
    }
    let x = if b.dtype(&x).is_inexact() {
        x
    } else {
        b.cast(&x, DType::I64)?
    };
    let mut columns = vec![super::full_like(b, 1, &x)?];
    for _ in 1..n {
        let last = columns.last().cloned().unwrap_or_else(|| x.clone());
        columns.push(b.mul(&last, &x)?);
    }
    columns.truncate(n as usize);
    if columns.is_empty() {
        let zero = b.scalar(Scalar::I64(0));
        let dtype = b.dtype(&x);
        return Ok(Ret::Tensor(b.full(&zero, dtype, &[at(&shape, 0), ZERO])?));
    }
    if !args.flag(2)? {
        columns.reverse();
    }
    Ok(Ret::Tensor(super::shape::stack_of(b, &columns, 1)?))
}

/// `unravel_index`
pub fn unravel_index<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut rest = args.tensor(0)?;
    if b.dtype(&rest).is_inexact() || b.dtype(&rest) == DType::Bool {
        return Err(janus_tensor::TensorError::Value(format!(
            "expected 'indices' to be integer dtype, but got {}",
            b.dtype(&rest)
        ))
        .into());
    }
    let sizes = args.ints_opt(b, 1)?.unwrap_or_default();
    let mut out = Vec::new();
    for n in sizes.into_iter().rev() {
        let extent = splat_like(b, n, &rest)?;
        out.push(Ret::Tensor(b.rem(&rest, &extent)?));
        rest = b.floor_div(&rest, &extent)?;
    }
    out.reverse();
    Ok(Ret::Tuple(out))
}

pub(super) fn slice_mismatch<B: TorchOps>(have: &[Dim], want: &[Dim]) -> B::Error {
    runtime::<B>(format!(
        "expected src to have a size equal to the slice of self. src size = {}, slice size = {}",
        janus_tensor::ShapeText::from(known(have).as_slice()),
        janus_tensor::ShapeText::from(known(want).as_slice())
    ))
}

/// `slice_scatter`
pub fn slice_scatter<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, src) = (args.tensor(0)?, args.tensor(1)?);
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 2, 0, shape.len())?;
    let n = known_extent::<B>(&shape, dim, "slice_scatter")?;
    let clamp = |i: i64| if i < 0 { (i + n).max(0) } else { i.min(n) };
    let start = clamp(args.int_or(b, 3, 0)?);
    let end = clamp(args.int_or(b, 4, n)?);
    let step = args.int_or(b, 5, 1)?.max(1);
    let length = ((end - start).max(0) + step - 1) / step;
    let mut want = shape.clone();
    if let Some(d) = want.get_mut(dim) {
        *d = Dim::Known(length);
    }
    let have = b.shape(&src);
    if !super::same_shape(b, &have, &want)? {
        return Err(slice_mismatch::<B>(&have, &want));
    }
    if length == 0 {
        return Ok(Ret::Tensor(b.copy(&x)?));
    }
    let src = b.cast(&src, b.dtype(&x))?;
    let mut starts: Dims = shape.iter().map(|_| ZERO).collect();
    let mut strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    if let (Some(s), Some(st)) = (starts.get_mut(dim), strides.get_mut(dim)) {
        *s = Dim::Known(start);
        *st = step;
    }
    let t = b.update_slice(&x, &src, &starts, &strides)?;
    named(b, t, "SliceScatterBackward0")
}

/// `select_scatter`
pub fn select_scatter<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, src) = (args.tensor(0)?, args.tensor(1)?);
    let shape = b.shape(&x);
    let dim = dim_arg(b, args, 2, 0, shape.len())?;
    let index = args.int(b, 3)?;
    let n = known_extent::<B>(&shape, dim, "select_scatter")?;
    if index < -n || index >= n {
        return Err(janus_tensor::TensorError::Index(format!(
            "select(): index {index} out of range for tensor of size {} at dimension {dim}",
            janus_tensor::ShapeText::from(known(&shape).as_slice())
        ))
        .into());
    }
    let mut want = shape.clone();
    want.remove(dim);
    let have = b.shape(&src);
    if !super::same_shape(b, &have, &want)? {
        return Err(slice_mismatch::<B>(&have, &want));
    }
    let src = b.cast(&src, b.dtype(&x))?;
    let src = unsqueeze_of(b, &src, dim)?;
    let mut starts: Dims = shape.iter().map(|_| ZERO).collect();
    if let Some(s) = starts.get_mut(dim) {
        *s = Dim::Known(index.rem_euclid(n));
    }
    let strides: Vec<i64> = shape.iter().map(|_| 1).collect();
    let t = b.update_slice(&x, &src, &starts, &strides)?;
    named(b, t, "SelectScatterBackward0")
}

/// `broadcast_shapes`
pub fn broadcast_shapes_of<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let items = args.get(0).and_then(sequence).unwrap_or_default();
    let mut out = Dims::new();
    for (i, item) in items.iter().enumerate() {
        let mut shape = Dims::new();
        for d in sequence(item).unwrap_or_else(|| vec![item.clone()]) {
            if let Some(d) = crate::call::extent(b, &d)? {
                shape.push(d);
            }
        }
        let Ok(wide) = broadcast_shapes(b, &out, &shape) else {
            let mut back = 0;
            for (k, (&p, &q)) in out.iter().rev().zip(shape.iter().rev()).enumerate() {
                if p != q && p != ONE && q != ONE {
                    back = k + 1;
                    break;
                }
            }
            let length = shape.len().checked_sub(back).map_or(ONE, |k| at(&shape, k));
            let sizes: Vec<String> = known(&shape).iter().map(i64::to_string).collect();
            let comma = if sizes.len() == 1 { "," } else { "" };
            return Err(runtime::<B>(format!(
                "Attempting to broadcast a dimension of length {} at -{back}! Mismatching argument at index {i} had ({}{comma}); but expected shape should be broadcastable to {}",
                length.known().unwrap_or(-1),
                sizes.join(", "),
                janus_tensor::ShapeText::from(known(&out).as_slice())
            )));
        };
        out = wide;
    }
    Ok(Ret::Size(out))
}

/// `fill_diagonal_`
pub fn fill_diagonal_<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let value = args.number(b, 1)?;
    super::check_fits(b, &value, b.dtype(&x))?;
    let wrap = args.flag(2)?;
    let shape = b.shape(&x);
    if shape.len() < 2 {
        return Err(runtime::<B>("dimensions must larger than 1"));
    }
    if shape.len() > 2 && shape.iter().any(|&d| d != at(&shape, 0)) {
        return Err(runtime::<B>(
            "all dimensions of input must be of equal length",
        ));
    }
    let first = b.iota(0, DType::I64, &shape)?;
    let mut on: Option<B::T> = None;
    for d in 1..shape.len() {
        let other = b.iota(d, DType::I64, &shape)?;
        let other = if wrap && shape.len() == 2 {
            // The diagonal starts again after a row of nothing.
            let columns = known_extent::<B>(&shape, 1, "fill_diagonal_")?;
            let period = splat_like(b, columns + 1, &first)?;
            let place = b.rem(&first, &period)?;
            let equal = b.eq(&place, &other)?;
            on = Some(equal);
            continue;
        } else {
            other
        };
        let equal = b.eq(&first, &other)?;
        on = Some(match on {
            Some(before) => b.and(&before, &equal)?,
            None => equal,
        });
    }
    let on = on.ok_or_else(|| runtime::<B>("dimensions must larger than 1"))?;
    let value = super::splat_scalar(b, &value, &x)?;
    let t = b.select(&on, &value, &x)?;
    named(b, t, "FillDiagonalBackward0")
}
