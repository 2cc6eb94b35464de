//! More products: of vectors, of many dimensions, powers, and sums that skip NaN.
//!
//! In: tensors. Out: tensors. Always: made of the products in `linalg`.

use janus_object::Value;
use janus_tensor::ops::{Axes, Dims, ReduceOp};
use janus_tensor::shape::normalize_dim;
use janus_tensor::{DType, Dim};

use super::linalg::{at, combine, matmul_of, mv_of};
use super::shape::narrow_of;
use super::slope::without_slope;
use super::{
    Res, TRes, broadcast_shapes, dims_arg, expand_to, named, no_kernel, own_dim, rank, runtime,
    splat_like,
};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret, sequence};

const ONE: Dim = Dim::Known(1);

fn cross_of<B: TorchOps>(b: &mut B, args: &CallArgs<B>, named_dim: Option<i64>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let dtype = b.dtype(&x);
    if dtype != b.dtype(&y) {
        return Err(runtime::<B>(format!(
            "expected scalar type {} but found {}",
            dtype.scalar_type_name(),
            b.dtype(&y).scalar_type_name()
        )));
    }
    let (p, q) = (b.shape(&x), b.shape(&y));
    if p.len() != q.len() {
        return Err(runtime::<B>(
            "linalg.cross: inputs must have the same number of dimensions.",
        ));
    }
    let dim = match named_dim {
        Some(given) => {
            let dim = own_dim(given, p.len())?;
            if at(&p, dim) != Dim::Known(3) || at(&q, dim) != Dim::Known(3) {
                return Err(runtime::<B>(format!(
                    "linalg.cross: inputs dimension {given} must have length 3. Got {} and {}",
                    at(&p, dim).known().unwrap_or(-1),
                    at(&q, dim).known().unwrap_or(-1)
                )));
            }
            dim
        }
        None => match p.iter().position(|&d| d == Dim::Known(3)) {
            Some(dim) => dim,
            None => return Err(runtime::<B>("no dimension of size 3 in input")),
        },
    };
    let (x, y) = (b.cast(&x, dtype)?, b.cast(&y, dtype)?);
    let shape = broadcast_shapes(b, &p, &q)?;
    let (x, y) = (expand_to(b, &x, &shape)?, expand_to(b, &y, &shape)?);
    let mut parts = Vec::new();
    for i in 0..3 {
        let (j, k) = (Dim::Known((i + 1) % 3), Dim::Known((i + 2) % 3));
        let (xj, yk) = (
            narrow_of(b, &x, dim, j, ONE)?,
            narrow_of(b, &y, dim, k, ONE)?,
        );
        let (xk, yj) = (
            narrow_of(b, &x, dim, k, ONE)?,
            narrow_of(b, &y, dim, j, ONE)?,
        );
        let (p, q) = (b.mul(&xj, &yk)?, b.mul(&xk, &yj)?);
        parts.push(b.sub(&p, &q)?);
    }
    let refs: Vec<&B::T> = parts.iter().collect();
    let t = b.concat(&refs, dim)?;
    named(b, t, "LinalgCrossBackward0")
}

/// `torch.cross`: along the first dimension of 3 where none is given.
pub fn cross<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let dim = args.int_opt(b, 2)?;
    cross_of(b, args, dim)
}

/// `torch.linalg.cross`
pub fn linalg_cross<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let dim = args.int_or(b, 2, -1)?;
    cross_of(b, args, Some(dim))
}

/// `tensordot`
pub fn tensordot<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (mut x, mut y) = (args.tensor(0)?, args.tensor(1)?);
    let (p, q) = (b.shape(&x), b.shape(&y));
    let lists = args.get(2).and_then(sequence);
    let (left, right): (Vec<i64>, Vec<i64>) = match lists {
        None => {
            let n = args.int_or(b, 2, 2)?;
            if n < 0 {
                return Err(runtime::<B>(format!(
                    "tensordot expects dims >= 0, but got dims={n}"
                )));
            }
            if n > p.len() as i64 || n > q.len() as i64 {
                return Err(runtime::<B>(format!(
                    "tensordot expects dims < ndim_a or ndim_b, but got dims={n}"
                )));
            }
            ((-n..0).collect(), (0..n).collect())
        }
        Some(pair) => {
            let mut sides = Vec::new();
            for side in pair {
                let mut dims = Vec::new();
                for d in sequence(&side).unwrap_or_else(|| vec![side.clone()]) {
                    match crate::call::extent(b, &d)?.and_then(Dim::known) {
                        Some(d) => dims.push(d),
                        None => return Err(args.wrong(2, "tuple of ints")),
                    }
                }
                sides.push(dims);
            }
            match (sides.pop(), sides.pop()) {
                (Some(right), Some(left)) => (left, right),
                _ => return Err(args.wrong(2, "tuple of ints")),
            }
        }
    };
    if left.len() != right.len() {
        return Err(runtime::<B>("both dimension lists should have same length"));
    }
    let (mut inner_x, mut inner_y) = (Axes::new(), Axes::new());
    for (&i, &j) in left.iter().zip(&right) {
        let (di, dj) = (normalize_dim(i, p.len())?, normalize_dim(j, q.len())?);
        let (m, n) = (at(&p, di), at(&q, dj));
        // What is stretched is summed up first.
        if m != n && (m == ONE || n == ONE) {
            let (summed, at) = if m == ONE { (&mut y, dj) } else { (&mut x, di) };
            let sum = b.reduce(ReduceOp::Sum, summed, &[at])?;
            let mut shape = b.shape(&sum);
            shape.insert(at, ONE);
            *summed = b.reshape(&sum, &shape)?;
        } else if m != n && !b.dims_equal(m, n)? {
            return Err(runtime::<B>(format!(
                "contracted dimensions need to match, but first has size {} in dim {i} and second has size {} in dim {j}",
                m.known().unwrap_or(-1),
                n.known().unwrap_or(-1)
            )));
        }
        inner_x.push(di);
        inner_y.push(dj);
    }
    let (p, q) = (b.shape(&x), b.shape(&y));
    let outer_x: Axes = (0..p.len()).filter(|d| !inner_x.contains(d)).collect();
    let outer_y: Axes = (0..q.len()).filter(|d| !inner_y.contains(d)).collect();
    let extents = |s: &[Dim], dims: &Axes| -> Dims { dims.iter().map(|&d| at(s, d)).collect() };
    let (rows, columns) = (extents(&p, &outer_x), extents(&q, &outer_y));
    let inner = extents(&p, &inner_x);
    let (m, k, n) = (b.numel(&rows)?, b.numel(&inner)?, b.numel(&columns)?);
    let order_x: Axes = outer_x.iter().chain(&inner_x).copied().collect();
    let order_y: Axes = inner_y.iter().chain(&outer_y).copied().collect();
    let (x, y) = (b.permute(&x, &order_x)?, b.permute(&y, &order_y)?);
    let (x, y) = (b.reshape(&x, &[m, k])?, b.reshape(&y, &[k, n])?);
    let t = matmul_of(b, &x, &y)?;
    let mut out = rows;
    out.extend(columns);
    let t = b.reshape(&t, &out)?;
    named(b, t, "ViewBackward0")
}

/// `addmv`
pub fn addmv<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, m, v) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let (r, p, q) = (b.shape(&x), b.shape(&m), b.shape(&v));
    if p.len() != 2 || q.len() != 1 || r.len() > 1 {
        return Err(runtime::<B>(format!(
            "vector + matrix @ vector expected, got {}, {}, {}",
            r.len(),
            p.len(),
            q.len()
        )));
    }
    if !b.dims_equal(at(&p, 1), at(&q, 0))? {
        return Err(runtime::<B>(format!(
            "size mismatch, got input ({}), mat ({}x{}), vec ({})",
            at(&r, 0).known().unwrap_or(-1),
            at(&p, 0).known().unwrap_or(-1),
            at(&p, 1).known().unwrap_or(-1),
            at(&q, 0).known().unwrap_or(-1)
        )));
    }
    let t = mv_of(b, &m, &v)?;
    combine(b, args, t, "AddmvBackward0")
}

/// `addr`
pub fn addr<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(1)?, args.tensor(2)?);
    let dtype = b.dtype(&args.tensor(0)?);
    let dtype = dtype.promote(b.dtype(&x)).promote(b.dtype(&y));
    for (i, name) in [(3, "beta"), (4, "alpha")] {
        match args.given(i) {
            Some(Arg::Const(Value::Float(_))) if !dtype.is_inexact() => {
                return Err(runtime::<B>(format!(
                    "For integral input tensors, argument {name} must not be a floating point number."
                )));
            }
            Some(Arg::Const(Value::Bool(_))) if dtype != DType::Bool => {
                return Err(runtime::<B>(format!(
                    "Boolean {name} only supported for Boolean results."
                )));
            }
            _ => {}
        }
    }
    for (t, name) in [(&x, "vec1"), (&y, "vec2")] {
        if rank(b, t) != 1 {
            return Err(runtime::<B>(format!(
                "addr: Expected 1-D argument {name}, but got {}-D",
                rank(b, t)
            )));
        }
    }
    let shape = [at(&b.shape(&x), 0), at(&b.shape(&y), 0)];
    let (x, y) = (
        b.broadcast(&x, &shape, &[0])?,
        b.broadcast(&y, &shape, &[1])?,
    );
    let t = b.mul(&x, &y)?;
    combine(b, args, t, "AddrBackward0")
}

/// `addbmm`
pub fn addbmm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(1)?, args.tensor(2)?);
    for (t, name) in [(&x, "batch1"), (&y, "batch2")] {
        if rank(b, t) != 3 {
            return Err(runtime::<B>(format!("{name} must be a 3D tensor")));
        }
    }
    let t = matmul_of(b, &x, &y)?;
    let t = b.reduce(ReduceOp::Sum, &t, &[0])?;
    combine(b, args, t, "AddbmmBackward0")
}

/// `inner`: sums of products along the last dimensions.
pub fn inner<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (p, q) = (b.shape(&x), b.shape(&y));
    let (Some((&k, rows)), Some((&l, columns))) = (p.split_last(), q.split_last()) else {
        return super::pointwise::mul(b, args);
    };
    if !b.dims_equal(k, l)? {
        return Err(runtime::<B>(format!(
            "inner() the last dimension must match on both input tensors but got shapes {} and {}",
            janus_tensor::ShapeText::from(super::known(&p).as_slice()),
            janus_tensor::ShapeText::from(super::known(&q).as_slice())
        )));
    }
    let (m, n) = (b.numel(rows)?, b.numel(columns)?);
    let (x, y) = (b.reshape(&x, &[m, k])?, b.reshape(&y, &[n, k])?);
    let y = super::shape::transpose_of(b, &y, 0, 1)?;
    let t = super::linalg::mm_of(b, &x, &y)?;
    let t = b.reshape(&t, &[rows, columns].concat())?;
    named(b, t, "ViewBackward0")
}

/// `matrix_power`
pub fn matrix_power<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut x = args.tensor(0)?;
    let n = args.int(b, 1)?;
    let shape = b.shape(&x);
    let r = shape.len();
    if r < 2 {
        return Err(runtime::<B>(
            "linalg.matrix_power: The input tensor A must have at least 2 dimensions.",
        ));
    }
    let (rows, columns) = (at(&shape, r - 2), at(&shape, r - 1));
    if !b.dims_equal(rows, columns)? {
        return Err(runtime::<B>(format!(
            "linalg.matrix_power: A must be batches of square matrices, but they are {} by {} matrices",
            rows.known().unwrap_or(-1),
            columns.known().unwrap_or(-1)
        )));
    }
    if n == 0 {
        let (row, column) = (
            b.iota(r - 2, janus_tensor::DType::I64, &shape)?,
            b.iota(r - 1, janus_tensor::DType::I64, &shape)?,
        );
        let on = b.eq(&row, &column)?;
        let dtype = b.dtype(&x);
        let t = b.cast(&on, dtype)?;
        let t = without_slope(b, t, &x)?;
        return named(b, t, "MulBackward0");
    }
    if n < 0 {
        match super::solve::inv(b, args)? {
            Ret::Tensor(t) => x = t,
            _ => return Err(runtime::<B>("an inverse was expected")),
        }
    }
    let mut rest = n.unsigned_abs();
    let mut power = x;
    let mut result: Option<B::T> = None;
    loop {
        if rest & 1 == 1 {
            result = Some(match result {
                Some(t) => matmul_of(b, &t, &power)?,
                None => power.clone(),
            });
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        power = matmul_of(b, &power, &power)?;
    }
    match result {
        Some(t) if n == 1 => Ok(Ret::Tensor(b.copy(&t)?)),
        Some(t) => named(b, t, "MmBackward0"),
        None => Err(runtime::<B>("a power of nothing")),
    }
}

/// `chain_matmul`, `linalg.multi_dot`: from left to right.
pub fn chain_matmul<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let all = args.tensors(0)?;
    let mut rest = all.iter();
    let Some(first) = rest.next() else {
        return Err(runtime::<B>(
            "multi_dot(): expected at least 2 tensors but got 0",
        ));
    };
    if all.len() == 1 && args.name() == "multi_dot" {
        return Err(runtime::<B>(
            "multi_dot(): expected at least 2 tensors but got 1",
        ));
    }
    let mut t = first.clone();
    for next in rest {
        t = matmul_of(b, &t, next)?;
    }
    named(b, t, "MmBackward0")
}

/// `linalg.vecdot`
pub fn vecdot<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (have, other) = (b.dtype(&x), b.dtype(&y));
    if have != other {
        return Err(runtime::<B>(format!(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type {} and y of type {} instead",
            have.scalar_type_name(),
            other.scalar_type_name()
        )));
    }
    let (p, q) = (b.shape(&x), b.shape(&y));
    let shape = broadcast_shapes(b, &p, &q)?;
    let (x, y) = (expand_to(b, &x, &shape)?, expand_to(b, &y, &shape)?);
    let dim = super::dim_arg(b, args, 2, -1, shape.len())?;
    let x = super::complex::conjugate(b, &x)?;
    let t = b.mul(&x, &y)?;
    let t = b.reduce(ReduceOp::Sum, &t, &[dim])?;
    named(b, t, "SumBackward1")
}

/// `dist`: the norm of the difference.
pub fn dist<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let p = args.float_or(b, 2, 2.0)?;
    let dtype = super::promoted(b, &[&Operand::T(x.clone()), &Operand::T(y.clone())]);
    if !dtype.is_inexact() {
        return Err(runtime::<B>(format!(
            "norm(): the desired output dtype should be either floating point or complex. Got {} instead.",
            dtype.scalar_type_name()
        )));
    }
    let (x, y) = super::unify2(b, &Operand::T(x), &Operand::T(y), dtype)?;
    let d = b.sub(&x, &y)?;
    let dims: Axes = (0..rank(b, &d)).collect();
    let t = super::reduce::norm_of(b, &d, p, &dims)?;
    named(b, t, "DistBackward0")
}

/// The input with 0 for NaN, and where there was none.
fn without_nan<B: TorchOps>(b: &mut B, x: &B::T) -> Result<(B::T, B::T), B::Error> {
    let nan = b.ne(x, x)?;
    let zero = splat_like(b, 0, x)?;
    let safe = b.select(&nan, &zero, x)?;
    Ok((safe, b.not(&nan)?))
}

fn sum_over<B: TorchOps>(b: &mut B, args: &CallArgs<B>, t: &B::T) -> TRes<B> {
    let shape = b.shape(t);
    let dims = dims_arg(b, args, 1, shape.len())?;
    let keepdim = args.flag(2)?;
    if dims.is_empty() {
        return b.copy(t);
    }
    let s = b.reduce(ReduceOp::Sum, t, &dims)?;
    if keepdim {
        super::restore(b, &s, &shape, &dims)
    } else {
        Ok(s)
    }
}

/// `nansum`
pub fn nansum<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let float = b.dtype(&x).is_float();
    let dtype = args.dtype(3)?.unwrap_or(if float {
        b.dtype(&x)
    } else {
        janus_tensor::DType::I64
    });
    // Ints have no NaN: of them it is the sum.
    if float && !dtype.is_float() {
        return Err(no_kernel::<B>("nansum_cpu", dtype));
    }
    let x = b.cast(&x, dtype)?;
    let (safe, _) = without_nan(b, &x)?;
    let t = sum_over(b, args, &safe)?;
    named(b, t, "NansumBackward0")
}

/// `nanmean`
pub fn nanmean<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = match args.dtype(3)? {
        Some(d) => b.cast(&x, d)?,
        None => x,
    };
    if !b.dtype(&x).is_float() {
        return Err(runtime::<B>(format!(
            "nanmean(): expected input to have floating point or complex dtype but got {}",
            b.dtype(&x).scalar_type_name()
        )));
    }
    let (safe, valid) = without_nan(b, &x)?;
    let dtype = b.dtype(&x);
    let ones = b.cast(&valid, dtype)?;
    let (sum, count) = (sum_over(b, args, &safe)?, sum_over(b, args, &ones)?);
    let t = b.div(&sum, &count)?;
    named(b, t, "DivBackward0")
}
