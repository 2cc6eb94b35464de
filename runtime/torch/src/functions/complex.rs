//! Complex numbers: their parts, conjugates, angles, and how they are made.
//!
//! In: tensors. Out: tensors; parts are views. Always: a real tensor is its own conjugate and its own real part.

use janus_tensor::ops::{ComplexOp, ReduceOp};
use janus_tensor::{DType, Dim, Scalar, TensorError};

use super::shape::{select_of, transpose_matrix};
use super::special::angle_of;
use super::write::copied;
use super::{Res, TRes, expand_to, named, rank, runtime, splat_like, unify};
use crate::TorchOps;
use crate::call::{CallArgs, Operand, Ret};

/// The absolute value.
pub fn magnitude<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    match b.dtype(x).is_complex() {
        true => b.complex(ComplexOp::Magnitude, x),
        false => b.abs(x),
    }
}

/// The square of the absolute value.
pub fn square_of_magnitude<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    if !b.dtype(x).is_complex() {
        return b.mul(x, x);
    }
    let parts = b.complex(ComplexOp::AsReal, x)?;
    let squares = b.mul(&parts, &parts)?;
    let last = rank(b, x);
    b.reduce(ReduceOp::Sum, &squares, &[last])
}

/// The conjugate; a real tensor itself.
pub fn conjugate<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    match b.dtype(x).is_complex() {
        true => b.complex(ComplexOp::Conj, x),
        false => Ok(x.clone()),
    }
}

/// One of the parts, as a view.
pub fn part<B: TorchOps>(b: &mut B, x: &B::T, which: i64) -> TRes<B> {
    let parts = b.complex(ComplexOp::AsReal, x)?;
    b.label(&parts, "ViewAsRealBackward0");
    let last = rank(b, x);
    select_of(b, &parts, last, Dim::Known(which))
}

/// `real`
pub fn real<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_complex() {
        return Ok(Ret::Tensor(x));
    }
    let t = part(b, &x, 0)?;
    named(b, t, "SelectBackward0")
}

/// `imag`
pub fn imag<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_complex() {
        return Err(runtime::<B>(
            "imag is not implemented for tensors with non-complex dtypes.",
        ));
    }
    let t = part(b, &x, 1)?;
    named(b, t, "SelectBackward0")
}

/// Writes the value to a part.
fn set_part<B: TorchOps>(b: &mut B, args: &CallArgs<B>, to: &B::T) -> Res<B> {
    let value = args.operand(b, 1)?;
    let value = stretched(b, &value, to)?;
    let value = copied(b, to, &value, "CopyBackwards")?;
    b.assign(to, &value)?;
    Ok(Ret::none())
}

/// `x.real = value`
pub fn set_real<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let to = match b.dtype(&x).is_complex() {
        true => part(b, &x, 0)?,
        false => x,
    };
    set_part(b, args, &to)
}

/// `x.imag = value`
pub fn set_imag<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_complex() {
        return Err(runtime::<B>(
            "imag is not implemented for tensors with non-complex dtypes.",
        ));
    }
    let to = part(b, &x, 1)?;
    set_part(b, args, &to)
}

/// `view_as_real`
pub fn view_as_real<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_complex() {
        return Err(runtime::<B>(
            "view_as_real is only supported for complex tensors",
        ));
    }
    if b.is_conjugated(&x) {
        return Err(runtime::<B>(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.",
        ));
    }
    let t = b.complex(ComplexOp::AsReal, &x)?;
    named(b, t, "ViewAsRealBackward0")
}

/// `view_as_complex`
pub fn view_as_complex<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    if !matches!(dtype, DType::F32 | DType::F64) {
        return Err(runtime::<B>(format!(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {}",
            dtype.scalar_type_name()
        )));
    }
    if rank(b, &x) == 0 {
        return Err(runtime::<B>(
            "Input tensor must have one or more dimensions",
        ));
    }
    let t = b.complex(ComplexOp::AsComplex, &x)?;
    named(b, t, "ViewAsComplexBackward0")
}

/// `conj`: here a tensor of its own, which refuses changes in place because PyTorch's would be a view.
pub fn conj<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_complex() {
        return Ok(Ret::Tensor(x));
    }
    let conjugated = b.is_conjugated(&x);
    let t = conjugate(b, &x)?;
    b.set_conjugated(&t, !conjugated);
    named(b, t, "ConjBackward0")
}

/// `conj_physical`
pub fn conj_physical<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.dtype(&x).is_complex() {
        return Ok(Ret::Tensor(x));
    }
    let t = conjugate(b, &x)?;
    named(b, t, "ConjPhysicalBackward0")
}

/// `resolve_conj`
pub fn resolve_conj<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if !b.is_conjugated(&x) {
        return Ok(Ret::Tensor(x));
    }
    let t = b.copy(&x)?;
    named(b, t, "ResolveConjBackward0")
}

/// `resolve_neg`: nothing is negated lazily.
pub fn resolve_neg<B: TorchOps>(_b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    Ok(Ret::Tensor(args.tensor(0)?))
}

/// `is_conj`
pub fn is_conj<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::bool(b.is_conjugated(&x)))
}

/// `is_neg`
pub fn is_neg<B: TorchOps>(_b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    args.tensor(0)?;
    Ok(Ret::bool(false))
}

/// `is_complex`
pub fn is_complex<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::bool(b.dtype(&x).is_complex()))
}

/// Two parts of one dtype and shape.
fn two_parts<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T), B::Error> {
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (p, q) = (b.dtype(&x), b.dtype(&y));
    let floats = |d: DType| matches!(d, DType::F32 | DType::F64);
    if p == DType::F16 && q == p {
        return Err(TensorError::NotImplemented(
            "tensors of torch.complex32 are not implemented in janus-jit yet".to_owned(),
        )
        .into());
    }
    if !floats(p) || !floats(q) {
        return Err(runtime::<B>(format!(
            "Expected both inputs to be Half, Float or Double tensors but got {} and {}",
            p.scalar_type_name(),
            q.scalar_type_name()
        )));
    }
    if p != q {
        return Err(runtime::<B>(format!(
            "Expected object of scalar type {} but got scalar type {} for second argument",
            p.scalar_type_name(),
            q.scalar_type_name()
        )));
    }
    let mut both = unify(b, &[&Operand::T(x), &Operand::T(y)], p)?;
    match (both.pop(), both.pop()) {
        (Some(y), Some(x)) => Ok((x, y)),
        _ => Err(runtime::<B>("two operands expected")),
    }
}

/// Complex numbers of their parts.
pub fn joined<B: TorchOps>(b: &mut B, re: &B::T, im: &B::T) -> TRes<B> {
    let mut shape = b.shape(re);
    let last = shape.len();
    shape.push(Dim::Known(1));
    let (re, im) = (b.reshape(re, &shape)?, b.reshape(im, &shape)?);
    let parts = b.concat(&[&re, &im], last)?;
    b.complex(ComplexOp::AsComplex, &parts)
}

/// `complex`
pub fn complex<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (re, im) = two_parts(b, args)?;
    let t = joined(b, &re, &im)?;
    let t = b.copy(&t)?;
    named(b, t, "ComplexBackward0")
}

/// `polar`
pub fn polar<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (size, angle) = two_parts(b, args)?;
    let (cos, sin) = (b.cos(&angle)?, b.sin(&angle)?);
    let (re, im) = (b.mul(&size, &cos)?, b.mul(&size, &sin)?);
    let t = joined(b, &re, &im)?;
    let t = b.copy(&t)?;
    named(b, t, "PolarBackward0")
}

/// `angle`: of a real number 0, or pi where it is negative.
pub fn angle<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    if dtype.is_complex() {
        let (re, im) = (part(b, &x, 0)?, part(b, &x, 1)?);
        let t = angle_of(b, &im, &re)?;
        return named(b, t, "AngleBackward0");
    }
    let moving = b.cast(&x, super::to_float(b, dtype))?;
    let x = super::slope::constant_of(b, &moving)?;
    let (zero, half) = (
        splat_like(b, 0, &x)?,
        splat_like(b, std::f64::consts::PI, &x)?,
    );
    let negative = b.lt(&x, &zero)?;
    let t = b.select(&negative, &half, &zero)?;
    let nan = b.ne(&x, &x)?;
    let t = b.select(&nan, &x, &t)?;
    let t = super::slope::without_slope(b, t, &moving)?;
    named(b, t, "AngleBackward0")
}

/// `isreal`: whether the imaginary part is zero.
pub fn isreal<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    if b.dtype(&x).is_complex() {
        let im = part(b, &x, 1)?;
        let zero = splat_like(b, 0, &im)?;
        return Ok(Ret::Tensor(b.eq(&im, &zero)?));
    }
    let yes = super::full_like(b, 1, &x)?;
    Ok(Ret::Tensor(b.cast(&yes, DType::Bool)?))
}

/// `adjoint`, `mH`, `H`: matrices transposed and conjugated.
pub fn adjoint<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let transposed = transpose_matrix(b, args)?;
    let (Ret::Tensor(t), true) = (&transposed, b.dtype(&x).is_complex()) else {
        return Ok(transposed);
    };
    let t = conjugate(b, t)?;
    b.set_conjugated(&t, !b.is_conjugated(&x));
    named(b, t, "ConjBackward0")
}

/// `vdot`: the first operand is conjugated.
pub fn vdot<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let x = conjugate(b, &x)?;
    args.set(0, crate::call::Arg::Tensor(x));
    let t = super::linalg::dot(b, args)?;
    if let Ret::Tensor(t) = &t {
        b.label(t, "VdotBackward0");
    }
    Ok(t)
}

/// `complex(tensor)`
pub fn to_complex<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    if b.numel(&shape)?.known().is_some_and(|n| n != 1) {
        return Err(TensorError::Value(
            "only one element tensors can be converted to Python scalars".to_owned(),
        )
        .into());
    }
    let s = b.item(&x)?;
    match b.scalar_value(&s) {
        Some(v) => Ok(Ret::Scalar(b.scalar(Scalar::C128(v.to_c128())))),
        None => Err(runtime::<B>("a complex number of a graph")),
    }
}

/// The shape that a value is stretched to before it is written.
fn stretched<B: TorchOps>(b: &mut B, value: &Operand<B>, to: &B::T) -> TRes<B> {
    let (dtype, shape) = (b.dtype(to), b.shape(to));
    match value {
        Operand::S(s) => {
            super::check_fits(b, s, dtype)?;
            b.full(s, dtype, &shape)
        }
        Operand::T(t) => {
            let t = b.cast(t, dtype)?;
            expand_to(b, &t, &shape)
        }
    }
}
