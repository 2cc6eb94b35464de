//! Products of matrices.
//!
//! In: tensors. Out: `dot` primitives on operands of equal rank. Always: a batch of matrices times
//! one matrix is one large product, as in PyTorch.

use janus_object::Raised;
use janus_object::Value;
use janus_tensor::ops::{Axes, Dims, ReduceOp};
use janus_tensor::{DType, Dim, Scalar, ShapeText, TensorError};

use super::shape::transpose_of;
use super::{
    Res, TRes, broadcast_shapes, check_fits, expand_to, known, named, rank, runtime, splat_like,
    splat_scalar,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, is_sequence, sequence};

const ONE: Dim = Dim::Known(1);

pub(super) fn at(shape: &[Dim], i: usize) -> Dim {
    shape.get(i).copied().unwrap_or(ONE)
}

fn by_x(shape: &[Dim]) -> String {
    ShapeText::from(known(shape).as_slice()).by_x()
}

fn check_dtypes<B: TorchOps>(b: &B, x: &B::T, y: &B::T) -> Result<(), B::Error> {
    let (p, q) = (b.dtype(x), b.dtype(y));
    if p != q {
        Err(TensorError::MatmulDtypes(p, q).into())
    } else {
        Ok(())
    }
}

/// What `mv` and `bmm` say of dtypes that differ.
fn check_scalar_types<B: TorchOps>(b: &B, x: &B::T, y: &B::T) -> Result<(), B::Error> {
    let (p, q) = (b.dtype(x), b.dtype(y));
    if p == q {
        return Ok(());
    }
    Err(runtime::<B>(format!(
        "expected scalar type {} but found {}",
        p.scalar_type_name(),
        q.scalar_type_name()
    )))
}

/// What `addmm` and its relatives say of dtypes that differ.
fn check_add_dtypes<B: TorchOps>(
    b: &B,
    bias: Option<&B::T>,
    x: &B::T,
    y: &B::T,
) -> Result<(), B::Error> {
    let (p, q) = (b.dtype(x), b.dtype(y));
    let (what, left) = match bias.map(|bias| b.dtype(bias)) {
        _ if p != q => ("mat1", p),
        Some(r) if r != q => ("self", r),
        _ => return Ok(()),
    };
    Err(runtime::<B>(format!(
        "{what} and mat2 must have the same dtype, but got {} and {}",
        left.scalar_type_name(),
        q.scalar_type_name()
    )))
}

/// Two matrices.
pub fn mm_of<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T) -> TRes<B> {
    let (p, q) = (b.shape(x), b.shape(y));
    if !b.dims_equal(at(&p, 1), at(&q, 0))? {
        return Err(TensorError::MatmulShapes(by_x(&p), by_x(&q)).into());
    }
    check_dtypes(b, x, y)?;
    b.dot(x, y)
}

/// `matmul`
pub fn matmul_of<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T) -> TRes<B> {
    let (p, q) = (b.shape(x), b.shape(y));
    if p.is_empty() || q.is_empty() {
        return Err(runtime::<B>(format!(
            "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
            p.len(),
            q.len()
        )));
    }
    match (p.len(), q.len()) {
        (1, 1) => dot_of(b, x, y),
        (2, 2) => mm_of(b, x, y),
        (2, 1) => mv_of(b, x, y),
        (1, 2) => {
            let row = b.reshape(x, &[ONE, at(&p, 0)])?;
            if !b.dims_equal(at(&p, 0), at(&q, 0))? {
                return Err(TensorError::MatmulShapes(format!("1x{}", by_x(&p)), by_x(&q)).into());
            }
            check_dtypes(b, x, y)?;
            let t = b.dot(&row, y)?;
            b.reshape(&t, &[at(&q, 1)])
        }
        // A batch times one matrix: fold the batch into the rows.
        (n, 2) => {
            let inner = at(&p, n - 1);
            let rows = b.numel(p.get(..n - 1).unwrap_or_default())?;
            let folded = b.reshape(x, &[rows, inner])?;
            let t = mm_of(b, &folded, y)?;
            let mut out: Dims = p.get(..n - 1).unwrap_or_default().into();
            out.push(at(&q, 1));
            b.reshape(&t, &out)
        }
        (n, 1) => {
            let inner = at(&p, n - 1);
            let rows = b.numel(p.get(..n - 1).unwrap_or_default())?;
            let folded = b.reshape(x, &[rows, inner])?;
            let t = mv_of(b, &folded, y)?;
            b.reshape(&t, p.get(..n - 1).unwrap_or_default())
        }
        _ => batched(b, x, y),
    }
}

fn batched<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T) -> TRes<B> {
    let (mut p, q) = (b.shape(x), b.shape(y));
    let vector = p.len() == 1;
    let x = if vector {
        b.reshape(x, &[ONE, at(&p, 0)])?
    } else {
        x.clone()
    };
    if vector {
        p.insert(0, ONE);
    }
    let (np, nq) = (p.len(), q.len());
    if !b.dims_equal(at(&p, np - 1), at(&q, nq - 2))? {
        return Err(TensorError::MatmulShapes(
            by_x(p.get(np - 2..).unwrap_or_default()),
            by_x(q.get(nq - 2..).unwrap_or_default()),
        )
        .into());
    }
    let batch = broadcast_shapes(
        b,
        p.get(..np - 2).unwrap_or_default(),
        q.get(..nq - 2).unwrap_or_default(),
    )?;
    let (mut wide_p, mut wide_q) = (batch.clone(), batch.clone());
    wide_p.extend_from_slice(p.get(np - 2..).unwrap_or_default());
    wide_q.extend_from_slice(q.get(nq - 2..).unwrap_or_default());
    let (x, y) = (expand_to(b, &x, &wide_p)?, expand_to(b, y, &wide_q)?);
    // One batch dimension is what the kernel is best at.
    let count = b.numel(&batch)?;
    let (m, k, n) = (at(&p, np - 2), at(&p, np - 1), at(&q, nq - 1));
    let (x, y) = if batch.len() == 1 {
        (x, y)
    } else {
        (
            b.reshape(&x, &[count, m, k])?,
            b.reshape(&y, &[count, k, n])?,
        )
    };
    let t = b.dot(&x, &y)?;
    let mut out = batch;
    if !vector {
        out.push(m);
    }
    out.push(n);
    b.reshape(&t, &out)
}

/// `matmul(input, other)`
pub fn matmul<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let t = matmul_of(b, &x, &y)?;
    let label = match (rank(b, &x), rank(b, &y)) {
        (1, 1) => "DotBackward0",
        (2, 1) => "MvBackward0",
        (2, 2) => "MmBackward0",
        (1, 2) => "SqueezeBackward4",
        // The larger operand is transposed and flattened, and what comes out is turned back.
        (2, n) if n > 2 => "CloneBackward0",
        _ => "UnsafeViewBackward0",
    };
    named(b, t, label)
}

fn expect_rank<B: TorchOps>(b: &B, t: &B::T, n: usize, what: &str) -> Result<(), B::Error> {
    if rank(b, t) == n {
        Ok(())
    } else {
        Err(runtime::<B>(what))
    }
}

/// `mm`
pub fn mm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    expect_rank(b, &x, 2, "self must be a matrix")?;
    expect_rank(b, &y, 2, "mat2 must be a matrix")?;
    let t = mm_of(b, &x, &y)?;
    named(b, t, "MmBackward0")
}

fn bmm_of<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T) -> TRes<B> {
    expect_rank(b, x, 3, "batch1 must be a 3D tensor")?;
    expect_rank(b, y, 3, "batch2 must be a 3D tensor")?;
    check_scalar_types(b, x, y)?;
    let (p, q) = (b.shape(x), b.shape(y));
    if !b.dims_equal(at(&p, 0), at(&q, 0))? || !b.dims_equal(at(&p, 2), at(&q, 1))? {
        let n = |d: Dim| d.known().unwrap_or(-1);
        return Err(TensorError::BmmShapes {
            batch: n(at(&p, 0)),
            inner: n(at(&p, 2)),
            got_batch: n(at(&q, 0)),
            got_inner: n(at(&q, 1)),
        }
        .into());
    }
    b.dot(x, y)
}

/// `bmm`
pub fn bmm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let t = bmm_of(b, &x, &y)?;
    named(b, t, "BmmBackward0")
}

pub(super) fn mv_of<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T) -> TRes<B> {
    let (p, q) = (b.shape(x), b.shape(y));
    if !b.dims_equal(at(&p, 1), at(&q, 0))? {
        return Err(runtime::<B>(format!(
            "size mismatch, got input ({}), mat ({}), vec ({})",
            at(&p, 0).known().unwrap_or(-1),
            by_x(&p),
            at(&q, 0).known().unwrap_or(-1)
        )));
    }
    check_scalar_types(b, x, y)?;
    let column = b.reshape(y, &[at(&q, 0), ONE])?;
    let t = b.dot(x, &column)?;
    b.reshape(&t, &[at(&p, 0)])
}

/// `mv`
pub fn mv<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    expect_rank(b, &x, 2, "vector + matrix @ vector expected, got 1, 1, 1")?;
    let t = mv_of(b, &x, &y)?;
    named(b, t, "MvBackward0")
}

fn dot_of<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T) -> TRes<B> {
    let (p, q) = (b.shape(x), b.shape(y));
    if p.len() != 1 || q.len() != 1 {
        return Err(runtime::<B>(format!(
            "1D tensors expected, but got {}D and {}D tensors",
            p.len(),
            q.len()
        )));
    }
    if b.dtype(x) != b.dtype(y) {
        return Err(runtime::<B>(format!(
            "dot : expected both vectors to have same dtype, but found {} and {}",
            b.dtype(x).scalar_type_name(),
            b.dtype(y).scalar_type_name()
        )));
    }
    if !b.dims_equal(at(&p, 0), at(&q, 0))? {
        return Err(runtime::<B>(format!(
            "inconsistent tensor size, expected tensor [{}] and src [{}] to have the same number of elements, but got {} and {} elements respectively",
            by_x(&p),
            by_x(&q),
            by_x(&p),
            by_x(&q)
        )));
    }
    let (row, column) = (
        b.reshape(x, &[ONE, at(&p, 0)])?,
        b.reshape(y, &[at(&q, 0), ONE])?,
    );
    let t = b.dot(&row, &column)?;
    b.reshape(&t, &[])
}

/// `dot`
pub fn dot<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let t = dot_of(b, &x, &y)?;
    named(b, t, "DotBackward0")
}

/// `outer`
pub fn outer<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (p, q) = (b.shape(&x), b.shape(&y));
    for (name, shape) in [("self", &p), ("vec2", &q)] {
        if shape.len() != 1 {
            return Err(runtime::<B>(format!(
                "outer: Expected 1-D argument {name}, but got {}-D",
                shape.len()
            )));
        }
    }
    let dtype = b.dtype(&x).promote(b.dtype(&y));
    let (x, y) = (b.cast(&x, dtype)?, b.cast(&y, dtype)?);
    let shape = [at(&p, 0), at(&q, 0)];
    let (x, y) = (
        b.broadcast(&x, &shape, &[0])?,
        b.broadcast(&y, &shape, &[1])?,
    );
    let t = b.mul(&x, &y)?;
    named(b, t, "MulBackward0")
}

/// `beta * input + alpha * product`
pub(super) fn combine<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    product: B::T,
    label: &'static str,
) -> Res<B> {
    let x = args.tensor(0)?;
    let is_one = |b: &B, s: &B::S| b.scalar_value(s).is_some_and(Scalar::is_one);
    let beta = args.number_or(b, 3, Scalar::I64(1))?;
    let alpha = args.number_or(b, 4, Scalar::I64(1))?;
    let dtype = b.dtype(&product);
    check_fits(b, &beta, dtype)?;
    check_fits(b, &alpha, dtype)?;
    let mut product = product;
    if !is_one(b, &alpha) {
        let alpha = splat_scalar(b, &alpha, &product)?;
        product = b.mul(&product, &alpha)?;
    }
    let shape = b.shape(&product);
    let mut x = expand_to(b, &x, &shape)?;
    if b.scalar_value(&beta).is_some_and(Scalar::is_zero) {
        // What is in it does not count, NaN neither.
        let zero = splat_like(b, 0, &x)?;
        let none = b.ne(&zero, &zero)?;
        x = b.select(&none, &x, &zero)?;
    } else if !is_one(b, &beta) {
        let beta = splat_scalar(b, &beta, &x)?;
        x = b.mul(&x, &beta)?;
    }
    let t = b.add(&x, &product)?;
    named(b, t, label)
}

/// `addmm`
pub fn addmm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(1)?, args.tensor(2)?);
    check_add_dtypes(b, Some(&args.tensor(0)?), &x, &y)?;
    let t = mm_of(b, &x, &y)?;
    combine(b, args, t, "AddmmBackward0")
}

/// `baddbmm`
pub fn baddbmm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(1)?, args.tensor(2)?);
    let t = bmm_of(b, &x, &y)?;
    combine(b, args, t, "BaddbmmBackward0")
}

/// `x @ weight.t() + bias`
pub fn linear<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, weight) = (args.tensor(0)?, args.tensor(1)?);
    let bias = args.tensor_opt(2)?;
    let p = b.shape(&x);
    let weight_rank = rank(b, &weight);
    if weight_rank > 2 {
        return Err(runtime::<B>(format!(
            "t() expects a tensor with <= 2 dimensions, but self is {weight_rank}D"
        )));
    }
    let wt = if weight_rank == 2 {
        transpose_of(b, &weight, 0, 1)?
    } else {
        weight.clone()
    };
    if p.is_empty() {
        return Err(runtime::<B>(
            "both arguments to linear need to be at least 1D, but they are 0D and 2D",
        ));
    }
    if bias.is_some() {
        check_add_dtypes(b, bias.as_ref(), &x, &weight)?;
    }
    let t = matmul_of(b, &x, &wt)?;
    let Some(bias) = bias else {
        return named(
            b,
            t,
            match p.len() {
                1 => "SqueezeBackward4",
                2 => "MmBackward0",
                _ => "UnsafeViewBackward0",
            },
        );
    };
    let shape = b.shape(&t);
    let bias = expand_to(b, &bias, &shape)?;
    let t = b.add(&t, &bias)?;
    named(
        b,
        t,
        if p.len() == 2 {
            "AddmmBackward0"
        } else {
            "ViewBackward0"
        },
    )
}

/// `einsum`
pub fn einsum<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (equation, operands) = match args.get(0) {
        Some(Arg::Tensor(first)) => sublists(args, first.clone())?,
        _ => (args.str_or(0, "")?, args.tensors(1)?),
    };
    let t = super::einsum::einsum_of(b, &equation, &operands)?;
    let label = match operands.as_slice() {
        [one] if rank(b, one) > rank(b, &t) => "SumBackward1",
        [_] => "PermuteBackward0",
        _ => "ViewBackward0",
    };
    named(b, t, label)
}

/// The letters of a list of numbers, as an equation has them.
fn letters<B: TorchOps>(list: &Arg<B>) -> Result<String, B::Error> {
    let mut text = String::new();
    for item in sequence(list).unwrap_or_default() {
        let letter = match &item {
            Arg::Const(Value::Ellipsis) => {
                text.push_str("...");
                continue;
            }
            Arg::Const(v) => match v.as_int() {
                Some(n @ 0..26) => u32::try_from(n).ok().map(|n| u32::from('A') + n),
                Some(n @ 26..52) => u32::try_from(n).ok().map(|n| u32::from('a') + n - 26),
                _ => None,
            },
            _ => None,
        };
        match letter.and_then(char::from_u32) {
            Some(letter) => text.push(letter),
            None => {
                return Err(TensorError::Value(
                    "einsum(): subscript in subscript list is not within the valid range [0, 52)"
                        .to_owned(),
                )
                .into());
            }
        }
    }
    Ok(text)
}

/// `einsum(a, [0, 1], b, [1, 2], [0, 2])` as an equation and its operands.
fn sublists<B: TorchOps>(args: &CallArgs<B>, first: B::T) -> Result<(String, Vec<B::T>), B::Error> {
    let rest = args.get(1).and_then(sequence).unwrap_or_default();
    // A single list is not told from the arguments that it stands for.
    let alone = !rest
        .iter()
        .any(|item| matches!(item, Arg::Tensor(_)) || is_sequence(item));
    if alone {
        let one = args.get(1).map(letters).transpose()?;
        return Ok((one.unwrap_or_default(), vec![first]));
    }
    let (mut equation, mut operands) = (String::new(), vec![first]);
    let mut named = 0;
    for item in &rest {
        match item {
            Arg::Tensor(t) => operands.push(t.clone()),
            list => {
                match named {
                    0 => {}
                    n if n == operands.len() => equation.push_str("->"),
                    _ => equation.push(','),
                }
                named += 1;
                equation.push_str(&letters(list)?);
            }
        }
    }
    Ok((equation, operands))
}

/// Distances of all pairs of rows.
pub fn cdist<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let p = args.float_or(b, 2, 2.0)?;
    // Distances are sums of differences here, whatever way is asked for.
    let mode = args.str_or(3, "use_mm_for_euclid_dist_if_necessary")?;
    if !matches!(
        mode.as_str(),
        "use_mm_for_euclid_dist_if_necessary"
            | "use_mm_for_euclid_dist"
            | "donot_use_mm_for_euclid_dist"
    ) {
        return Err(
            Raised::value_error(format!("{mode} is not a valid value for compute_mode")).into(),
        );
    }
    let (n, m) = (rank(b, &x), rank(b, &y));
    if n < 2 || m < 2 {
        return Err(runtime::<B>(
            "cdist only supports at least 2D tensors, X1 got: 1D",
        ));
    }
    let x = super::shape::unsqueeze_of(b, &x, n - 1)?;
    let y = super::shape::unsqueeze_of(b, &y, m - 2)?;
    let (sx, sy) = (b.shape(&x), b.shape(&y));
    let shape = broadcast_shapes(b, &sx, &sy)?;
    let (x, y) = (expand_to(b, &x, &shape)?, expand_to(b, &y, &shape)?);
    let d = b.sub(&x, &y)?;
    let t = super::reduce::norm_of(b, &d, p, &[shape.len() - 1])?;
    named(b, t, "CdistBackward0")
}

/// `softmax(query @ key.T * scale + mask) @ value`
///
/// A row that the mask leaves no key is zeros, and so are its gradients; a masked key whose score is NaN
/// still makes its row NaN, since a mask is added.
pub fn scaled_dot_product_attention<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (q, mut k, mut v) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let mask = args.tensor_opt(3)?;
    let dropout = args.float_or(b, 4, 0.0)?;
    let causal = args.flag(5)?;
    let scale = args.float_opt(b, 6)?;
    check_attention(b, [&q, &k, &v], mask.as_ref())?;
    let fused = is_fused(b, [&q, &k, &v], mask.as_ref(), dropout);
    if causal && mask.is_some() && !fused {
        return Err(runtime::<B>(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
        ));
    }
    if args.flag(7)? {
        (k, v) = (heads_repeated(b, &q, &k)?, heads_repeated(b, &q, &v)?);
    }
    let depth = at(&b.shape(&q), rank(b, &q) - 1);
    let scale = match (scale, depth.known()) {
        (Some(s), _) => s,
        (None, Some(d)) => 1.0 / (d as f64).sqrt(),
        (None, None) => return Err(super::not_known::<B>("attention over a width that moves")),
    };
    let kt = {
        let r = rank(b, &k);
        transpose_of(b, &k, r - 2, r - 1)?
    };
    // Both factors take half of the scale, as PyTorch's reference does, the first its sign.
    let root = scale.abs().sqrt();
    let half = splat_like(b, if scale < 0.0 { -root } else { root }, &q)?;
    let q = b.mul(&q, &half)?;
    let half = splat_like(b, root, &kt)?;
    let kt = b.mul(&kt, &half)?;
    let mut scores = matmul_of(b, &q, &kt)?;
    let shape = b.shape(&scores);
    let low = splat_like(b, f64::NEG_INFINITY, &scores)?;
    if causal {
        let row = b.iota(shape.len() - 2, DType::I64, &shape)?;
        let column = b.iota(shape.len() - 1, DType::I64, &shape)?;
        let keep = b.le(&column, &row)?;
        scores = if fused {
            b.select(&keep, &scores, &low)?
        } else {
            added_mask(b, &scores, &keep)?
        };
    }
    let Some(mask) = mask else {
        let weights = super::activation::softmax_of(b, &scores, shape.len() - 1)?;
        return attended(b, &weights, &v, (dropout, fused));
    };
    let wide = expand_to(b, &mask, &shape)?;
    scores = match b.dtype(&mask) {
        DType::Bool => added_mask(b, &scores, &wide)?,
        _ => {
            let dtype = b.dtype(&scores);
            let wide = b.cast(&wide, dtype)?;
            b.add(&scores, &wide)?
        }
    };
    let last = shape.len() - 1;
    let constant = b.detach(&scores)?;
    let largest = b.reduce(ReduceOp::Max, &constant, &[last])?;
    let largest = super::restore_and_expand(b, &largest, &shape, &[last])?;
    let empty = b.eq(&largest, &low)?;
    let zero = splat_like(b, 0, &scores)?;
    scores = b.select(&empty, &zero, &scores)?;
    let weights = super::activation::softmax_of(b, &scores, last)?;
    let weights = b.select(&empty, &zero, &weights)?;
    attended(b, &weights, &v, (dropout, fused))
}

/// Values weighted by attention.
fn attended<B: TorchOps>(
    b: &mut B,
    weights: &B::T,
    v: &B::T,
    (dropout, fused): (f64, bool),
) -> Res<B> {
    let t = if dropout > 0.0 {
        let weights = super::random::dropout_of(b, weights, dropout)?;
        matmul_of(b, &weights, v)?
    } else {
        matmul_of(b, weights, v)?
    };
    let label = match fused {
        true => "ScaledDotProductFlashAttentionForCpuBackward0",
        false => "UnsafeViewBackward0",
    };
    named(b, t, label)
}

/// Scores plus 0 where a key is kept and minus infinity where it is not.
fn added_mask<B: TorchOps>(b: &mut B, scores: &B::T, keep: &B::T) -> TRes<B> {
    let zero = splat_like(b, 0, scores)?;
    let low = splat_like(b, f64::NEG_INFINITY, scores)?;
    let mask = b.select(keep, &zero, &low)?;
    b.add(scores, &mask)
}

/// Whether PyTorch has one kernel for this: it treats a causal mask differently.
fn is_fused<B: TorchOps>(b: &B, qkv: [&B::T; 3], mask: Option<&B::T>, dropout: f64) -> bool {
    let widths = qkv.map(|t| b.shape(t).last().and_then(|d| d.known()));
    let [q, k, v] = widths;
    qkv.iter().all(|t| rank(b, t) == 4)
        && q == k
        && k == v
        && dropout == 0.0
        && mask.is_none_or(|m| !b.requires_grad(m) && matches!(rank(b, m), 2 | 4))
}

/// What PyTorch raises for operands that do not fit.
fn check_attention<B: TorchOps>(
    b: &B,
    qkv: [&B::T; 3],
    mask: Option<&B::T>,
) -> Result<(), B::Error> {
    let [q, k, v] = qkv.map(|t| rank(b, t));
    if q < 2 || k < 2 || v < 2 {
        return Err(runtime::<B>(format!(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {q} \
             key.dim: {k} and value.dim: {v} instead."
        )));
    }
    let [q, k, v] = qkv.map(|t| b.dtype(t));
    if q != k || q != v {
        return Err(runtime::<B>(format!(
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} \
             and value.dtype: {} instead.",
            q.c_name(),
            k.c_name(),
            v.c_name()
        )));
    }
    if let Some(mask) = mask {
        let dtype = b.dtype(mask);
        if dtype != DType::Bool && dtype != DType::F32 && dtype != q {
            return Err(runtime::<B>(format!(
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got \
                 attn_mask.dtype: {} and  query.dtype: {} instead.",
                dtype.c_name(),
                q.c_name()
            )));
        }
    }
    Ok(())
}

/// Keys or values of grouped queries: each head as often as there are heads of the query that share it.
fn heads_repeated<B: TorchOps>(b: &mut B, query: &B::T, x: &B::T) -> TRes<B> {
    let (n, m) = (rank(b, query), rank(b, x));
    let (wanted, have) = match (n.checked_sub(3), m.checked_sub(3)) {
        (Some(i), Some(j)) => (at(&b.shape(query), i).known(), at(&b.shape(x), j).known()),
        _ => (None, None),
    };
    let (Some(wanted), Some(have)) = (wanted, have) else {
        return Err(runtime::<B>(
            "attention of groups over heads whose number is not known",
        ));
    };
    if have == 0 || wanted % have != 0 {
        return Err(runtime::<B>(
            "Number of heads in key and value must divide the number of heads in ",
        ));
    }
    if wanted == have {
        return Ok(x.clone());
    }
    let mut shape = b.shape(x);
    let mut wide = shape.clone();
    wide.insert(m - 2, Dim::Known(wanted / have));
    let dims: Axes = (0..m).map(|i| if i > m - 3 { i + 1 } else { i }).collect();
    let t = b.broadcast(x, &wide, &dims)?;
    if let Some(d) = shape.get_mut(m - 3) {
        *d = Dim::Known(wanted);
    }
    b.reshape(&t, &shape)
}

/// Sums dimensions away.
pub fn sum_dims<B: TorchOps>(b: &mut B, t: &B::T, dims: &Axes) -> TRes<B> {
    if dims.is_empty() {
        Ok(t.clone())
    } else {
        b.reduce(ReduceOp::Sum, t, dims)
    }
}
