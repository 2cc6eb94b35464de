//! Elementwise functions that compare, choose or count.
//!
//! In: tensors and numbers. Out: tensors of the promoted dtype, or bools. Always: a NaN goes where
//! PyTorch lets it go.

use janus_object::Value;
use janus_tensor::{DType, Scalar};

use super::slope::constant_of;
use super::{Res, TRes, named, promoted, runtime, splat_like, unify2};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Operand, Ret};
use crate::objects::dtype_value;
use crate::ops::NoDerivative;

fn two<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T), B::Error> {
    let (x, y) = (args.operand(b, 0)?, args.operand(b, 1)?);
    let dtype = promoted(b, &[&x, &y]);
    unify2(b, &x, &y, dtype)
}

fn ignoring_nan<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    larger: bool,
    label: &'static str,
) -> Res<B> {
    let (x, y) = two(b, args)?;
    let first = if larger { b.ge(&x, &y)? } else { b.le(&x, &y)? };
    let nan = b.ne(&y, &y)?;
    let first = b.or(&first, &nan)?;
    let t = b.select(&first, &x, &y)?;
    named(b, t, label)
}

/// `fmax`
pub fn fmax<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    ignoring_nan(b, args, true, "FmaxBackward0")
}

/// `fmin`
pub fn fmin<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    ignoring_nan(b, args, false, "FminBackward0")
}

/// `heaviside`: 0 below zero, 1 above, `values` at zero.
pub fn heaviside<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, values) = (args.tensor(0)?, args.tensor(1)?);
    let dtype = b.dtype(&x);
    if dtype != b.dtype(&values) {
        return Err(runtime::<B>(
            "heaviside is not yet implemented for tensors with different dtypes.",
        ));
    }
    let (x, values) = unify2(b, &Operand::T(x), &Operand::T(values), dtype)?;
    let (p, at_zero) = (constant_of(b, &x)?, constant_of(b, &values)?);
    let zero = splat_like(b, 0, &x)?;
    let (above, at) = (b.gt(&p, &zero)?, b.eq(&p, &zero)?);
    let step = b.cast(&above, dtype)?;
    let t = b.select(&at, &at_zero, &step)?;
    let function = NoDerivative::of("heaviside");
    Ok(Ret::Tensor(b.underivable(&t, &[&x, &values], function)?))
}

/// `float_power`: a power in double precision.
pub fn float_power<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.operand(b, 0)?, args.operand(b, 1)?);
    let wide = match promoted(b, &[&x, &y]).is_complex() {
        true => DType::C128,
        false => DType::F64,
    };
    let x = match x {
        Operand::T(t) => Operand::T(b.cast(&t, wide)?),
        s => s,
    };
    let y = match y {
        Operand::T(t) => Operand::T(b.cast(&t, wide)?),
        s => s,
    };
    if let (Operand::T(t), Operand::S(_)) = (&x, &y) {
        args.set(0, Arg::Tensor(t.clone()));
        return super::pointwise::pow(b, args);
    }
    let (x, y) = unify2(b, &x, &y, wide)?;
    let t = b.pow(&x, &y)?;
    named(b, t, "PowBackward1")
}

/// The greatest common divisors. How many steps it takes depends on the values.
fn gcd_of<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T, B::T), B::Error> {
    let (x, y) = two(b, args)?;
    if b.dtype(&x).is_float() || b.dtype(&x) == DType::Bool {
        let kernel = format!("{}_cpu", args.name());
        return Err(super::no_kernel::<B>(&kernel, b.dtype(&x)));
    }
    // In PyTorch's order, which counts where the least number of a dtype has no absolute value in it.
    let (mut p, mut q) = (b.abs(&y)?, b.abs(&x)?);
    let zero = splat_like(b, 0, &p)?;
    let one = splat_like(b, 1, &p)?;
    let dims: Vec<usize> = (0..super::rank(b, &p)).collect();
    loop {
        let left = b.ne(&q, &zero)?;
        let any = b.reduce(janus_tensor::ops::ReduceOp::Max, &left, &dims)?;
        let any = b.item(&any)?;
        match b.scalar_value(&any) {
            Some(v) if v.to_i64() == 0 => break,
            Some(_) => {}
            None => return Err(runtime::<B>("a loop that depends on values")),
        }
        let divisor = b.select(&left, &q, &one)?;
        let rest = b.rem(&p, &divisor)?;
        let other = super::pointwise::left_of_other_sign(b, &p, &divisor, &rest)?;
        let less = b.sub(&rest, &divisor)?;
        let rest = b.select(&other, &less, &rest)?;
        let next = b.select(&left, &q, &p)?;
        q = b.select(&left, &rest, &zero)?;
        p = next;
    }
    Ok((x, y, p))
}

/// `gcd`
pub fn gcd<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (_, _, t) = gcd_of(b, args)?;
    Ok(Ret::Tensor(t))
}

/// `lcm`
pub fn lcm<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y, g) = gcd_of(b, args)?;
    let (zero, one) = (splat_like(b, 0, &g)?, splat_like(b, 1, &g)?);
    let none = b.eq(&g, &zero)?;
    let divisor = b.select(&none, &one, &g)?;
    let (x, y) = (b.abs(&x)?, b.abs(&y)?);
    let part = b.floor_div(&x, &divisor)?;
    Ok(Ret::Tensor(b.mul(&part, &y)?))
}

fn infinite<B: TorchOps>(b: &mut B, args: &CallArgs<B>, limit: f64) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_float() {
        return Ok(Ret::Tensor(b.ne(&x, &x)?));
    }
    let limit = splat_like(b, limit, &x)?;
    Ok(Ret::Tensor(b.eq(&x, &limit)?))
}

/// `isposinf`
pub fn isposinf<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    infinite(b, args, f64::INFINITY)
}

/// `isneginf`
pub fn isneginf<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    infinite(b, args, f64::NEG_INFINITY)
}

/// `is_nonzero`
pub fn is_nonzero<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    super::convert::to_bool(b, args)
}

/// `promote_types`
pub fn promote_types<B: TorchOps>(_b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    match (args.dtype(0)?, args.dtype(1)?) {
        (Some(x), Some(y)) if !x.promotes_with(y) => {
            Err(runtime::<B>(super::dtypes::no_promotion(x, y)))
        }
        (Some(x), Some(y)) => Ok(Ret::Const(dtype_value(x.promote(y)))),
        (None, _) => Err(args.wrong(0, "torch.dtype")),
        _ => Err(args.wrong(1, "torch.dtype")),
    }
}

/// `can_cast`: floats do not become integers, numbers do not become bools.
pub fn can_cast<B: TorchOps>(_b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let kind = |d: DType| (d.is_complex(), d.is_inexact(), d != DType::Bool);
    match (args.dtype(0)?, args.dtype(1)?) {
        (Some(x), Some(y)) => Ok(Ret::Const(Value::bool(kind(x) <= kind(y)))),
        (None, _) => Err(args.wrong(0, "torch.dtype")),
        _ => Err(args.wrong(1, "torch.dtype")),
    }
}

/// A tensor of an argument that may be a number.
fn as_tensor<B: TorchOps>(b: &mut B, o: Operand<B>) -> TRes<B> {
    match o {
        Operand::T(t) => Ok(t),
        Operand::S(s) => {
            let dtype = match b.scalar_kind(&s) {
                janus_tensor::ScalarKind::C128 => b.default_dtype().complex().unwrap_or(DType::C64),
                janus_tensor::ScalarKind::F64 => b.default_dtype(),
                janus_tensor::ScalarKind::I64 => DType::I64,
                janus_tensor::ScalarKind::Bool => DType::Bool,
            };
            b.full(&s, dtype, &[])
        }
    }
}

/// `isin`: every element against every test element.
pub fn isin<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, tests) = (args.operand(b, 0)?, args.operand(b, 1)?);
    let invert = args.flag(3)?;
    let dtype = promoted(b, &[&x, &tests]);
    for o in [&x, &tests] {
        let unsupported = match o {
            Operand::T(t) if matches!(b.dtype(t), DType::Bool) => "Bool",
            Operand::S(s) => match b.scalar_kind(s) {
                janus_tensor::ScalarKind::Bool => "Bool",
                janus_tensor::ScalarKind::C128 => "ComplexDouble",
                _ => continue,
            },
            Operand::T(_) => continue,
        };
        return Err(runtime::<B>(format!(
            "Unsupported input type encountered for isin(): {unsupported}"
        )));
    }
    let (x, tests) = (as_tensor(b, x)?, as_tensor(b, tests)?);
    let (x, tests) = (b.cast(&x, dtype)?, b.cast(&tests, dtype)?);
    let shape = b.shape(&x);
    let tests_shape = b.shape(&tests);
    let n = b.numel(&tests_shape)?;
    let flat = b.reshape(&tests, &[n])?;
    let mut wide = shape.clone();
    wide.push(n);
    let dims: Vec<usize> = (0..shape.len()).collect();
    let p = b.broadcast(&x, &wide, &dims)?;
    let q = b.broadcast(&flat, &wide, &[shape.len()])?;
    let hit = b.eq(&p, &q)?;
    let hit = b.reduce(janus_tensor::ops::ReduceOp::Max, &hit, &[shape.len()])?;
    Ok(Ret::Tensor(if invert { b.not(&hit)? } else { hit }))
}

/// Where each of `values` (last dimension) belongs in the sorted `row` (last dimension), by halving. What that comes to
/// in a row that is not sorted is PyTorch's, too.
fn places<B: TorchOps>(b: &mut B, row: &B::T, values: &B::T, right: bool) -> TRes<B> {
    let dtype = b.dtype(row).promote(b.dtype(values));
    let (row, values) = (b.detach(row)?, b.detach(values)?);
    let (row, values) = (b.cast(&row, dtype)?, b.cast(&values, dtype)?);
    let (sorted, wanted) = (b.shape(&row), b.shape(&values));
    let Some(n) = sorted.last().and_then(|d| d.known()) else {
        return Err(super::not_known::<B>("a search in an extent that moves"));
    };
    let int = |b: &mut B, n: i64| {
        let n = b.scalar(Scalar::I64(n));
        b.splat(&n, DType::I64, &wanted)
    };
    let (one, last) = (int(b, 1)?, int(b, n - 1)?);
    let zero = b.scalar(Scalar::I64(0));
    let mut start = b.full(&zero, DType::I64, &wanted)?;
    let mut end = int(b, n)?;
    for _ in 0..i64::BITS - n.leading_zeros() {
        let open = b.lt(&start, &end)?;
        let sum = b.add(&start, &end)?;
        let middle = b.shr(&sum, &one)?;
        // What has been found looks at any element.
        let at = b.minimum(&middle, &last)?;
        let here = match sorted.len() {
            1 => b.take(&row, 0, &at)?,
            rank => b.gather(&row, rank - 1, &at)?,
        };
        // A NaN is looked for behind all others.
        let before = if right {
            b.gt(&here, &values)?
        } else {
            b.ge(&here, &values)?
        };
        let stays = b.and(&open, &before)?;
        let behind = b.not(&before)?;
        let goes = b.and(&open, &behind)?;
        let next = b.add(&middle, &one)?;
        start = b.select(&goes, &next, &start)?;
        end = b.select(&stays, &middle, &end)?;
    }
    Ok(start)
}

fn as_int<B: TorchOps>(b: &mut B, t: &B::T, short: bool) -> Res<B> {
    let dtype = if short { DType::I32 } else { DType::I64 };
    Ok(Ret::Tensor(b.cast(t, dtype)?))
}

/// `searchsorted`
pub fn searchsorted<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let row = args.tensor(0)?;
    let o = args.operand(b, 1)?;
    let values = as_tensor(b, o)?;
    let right = match args.str_or(4, "")?.as_str() {
        "" => args.flag(3)?,
        "left" if args.flag(3)? => {
            return Err(runtime::<B>(
                "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True",
            ));
        }
        "left" => false,
        "right" => true,
        other => {
            return Err(runtime::<B>(format!(
                "torch.searchsorted(): side can only be 'left' or 'right' but got {other}"
            )));
        }
    };
    let row = match args.tensor_opt(5)? {
        Some(order) => {
            let dim = super::rank(b, &row).saturating_sub(1);
            b.gather(&row, dim, &order)?
        }
        None => row,
    };
    let (p, q) = (b.shape(&row), b.shape(&values));
    let leading = |s: &[janus_tensor::Dim]| s.get(..s.len().saturating_sub(1)).map(<[_]>::to_vec);
    if p.len() != 1 && (p.len() != q.len() || leading(&p) != leading(&q)) {
        return Err(runtime::<B>(format!(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor {} and input value tensor {}",
            janus_tensor::ShapeText::from(super::known(&p).as_slice()),
            janus_tensor::ShapeText::from(super::known(&q).as_slice())
        )));
    }
    let t = places(b, &row, &values, right)?;
    as_int(b, &t, args.flag(2)?)
}

/// `bucketize`
pub fn bucketize<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let row = args.tensor(1)?;
    if super::rank(b, &row) != 1 {
        return Err(runtime::<B>(format!(
            "boundaries tensor must be 1 dimension, but got dim({})",
            super::rank(b, &row)
        )));
    }
    let o = args.operand(b, 0)?;
    let values = as_tensor(b, o)?;
    let t = places(b, &row, &values, args.flag(3)?)?;
    as_int(b, &t, args.flag(2)?)
}

/// `torch.range`: both ends belong to it.
pub fn range<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let mut start = args.float_or(b, 0, 0.0)?;
    let end = match args.float_opt(b, 1)? {
        Some(end) => end,
        None => std::mem::replace(&mut start, 0.0),
    };
    let step = args.float_or(b, 2, 1.0)?;
    if step == 0.0 {
        return Err(runtime::<B>("step must be nonzero"));
    }
    if (end - start) / step < 0.0 {
        return Err(runtime::<B>(
            "upper bound and lower bound inconsistent with step sign",
        ));
    }
    let n = ((end - start) / step).floor() as i64 + 1;
    let data: Vec<Scalar> = (0..n)
        .map(|i| Scalar::F64(start + i as f64 * step))
        .collect();
    let dtype = args.dtype(4)?.unwrap_or(b.default_dtype());
    let t = b.constant(&data, &[n], dtype)?;
    super::create::finish(b, args, t)
}
