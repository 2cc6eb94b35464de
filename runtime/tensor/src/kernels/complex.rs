//! Kernels of complex numbers.
//!
//! In: complex operands of one shape, or for views the parts. Out: row-major results, or views.
//! Always: what complex numbers have no order or whole part for is refused by its dtype.

use crate::complex as f;
use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::copy::copy_of;
use crate::kernels::elementwise::{map, zip};
use crate::kernels::gemm::dot;
use crate::ops::{BinaryOp, ComplexOp, Predicate, UnaryOp};
use crate::scalar::{Element, Scalar, c64, c128};
use crate::shape::{Shape, Strides};
use crate::tensor::Layout;

fn no_kernel<T>(op: &'static str, dtype: DType) -> Result<T> {
    Err(TensorError::NoKernel { op, dtype })
}

/// A function of 64 bits for elements of either dtype.
fn wide(out: &Layout, x: &Layout, function: impl Fn(c128) -> c128 + Copy + Send + Sync) {
    dispatch!(x.dtype; complex: T => map::<T, T>(out, x, move |v| {
        T::from_scalar(Scalar::C128(function(v.to_scalar().to_c128())))
    }); else ());
}

/// Unary primitives of complex numbers.
pub(crate) fn unary(op: UnaryOp, x: &Layout) -> Result<Layout> {
    let function: fn(c128) -> c128 = match op {
        UnaryOp::Neg => |v| -v,
        UnaryOp::Sign => f::sgn,
        UnaryOp::Exp => c128::exp,
        UnaryOp::Log => c128::ln,
        UnaryOp::Log1p => f::log1p,
        UnaryOp::Expm1 => f::expm1,
        UnaryOp::Sqrt => c128::sqrt,
        UnaryOp::Rsqrt => |v| f::div(c128::new(1.0, 0.0), v.sqrt()),
        UnaryOp::Tanh => f::tanh,
        UnaryOp::Sin => c128::sin,
        UnaryOp::Cos => c128::cos,
        UnaryOp::Sigmoid => f::sigmoid,
        UnaryOp::Abs
        | UnaryOp::Erf
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Round
        | UnaryOp::Not => return no_kernel(op.name(), x.dtype),
    };
    let out = Layout::empty(&x.shape, x.dtype)?;
    wide(&out, x, function);
    Ok(out)
}

/// Binary primitives of complex numbers.
pub(crate) fn binary(op: BinaryOp, a: &Layout, b: &Layout) -> Result<Layout> {
    let d = a.dtype;
    let out = Layout::empty(&a.shape, d)?;
    match op {
        BinaryOp::Add => dispatch!(d; complex: T => zip::<T, T>(&out, a, b, |x, y| x + y); else ()),
        BinaryOp::Sub => dispatch!(d; complex: T => zip::<T, T>(&out, a, b, |x, y| x - y); else ()),
        BinaryOp::Mul => dispatch!(d; complex: T => zip::<T, T>(&out, a, b, |x, y| x * y); else ()),
        BinaryOp::Div => dispatch!(d; complex: T => zip::<T, T>(&out, a, b, f::div); else ()),
        BinaryOp::Pow => dispatch!(d; complex: T => zip::<T, T>(&out, a, b, |x, y| {
            let power = f::pow(x.to_scalar().to_c128(), y.to_scalar().to_c128());
            T::from_scalar(Scalar::C128(power))
        }); else ()),
        _ => return no_kernel(op.name(), d),
    }
    Ok(out)
}

/// Comparisons of complex numbers, which have no order.
pub(crate) fn compare(p: Predicate, a: &Layout, b: &Layout) -> Result<Layout> {
    let out = Layout::empty(&a.shape, DType::Bool)?;
    let d = a.dtype;
    match p {
        Predicate::Eq => {
            dispatch!(d; complex: T => zip::<T, bool>(&out, a, b, |x, y| x == y); else ())
        }
        Predicate::Ne => {
            dispatch!(d; complex: T => zip::<T, bool>(&out, a, b, |x, y| x != y); else ())
        }
        _ => return no_kernel(p.name(), d),
    }
    Ok(out)
}

/// What complex numbers have alone.
pub(crate) fn of_one(op: ComplexOp, x: &Layout) -> Result<Layout> {
    let d = x.dtype;
    match op {
        ComplexOp::Conj => {
            let out = Layout::empty(&x.shape, d)?;
            dispatch!(d; complex: T => map::<T, T>(&out, x, |v| v.conj()); else return copy_of(x));
            Ok(out)
        }
        ComplexOp::Magnitude => {
            let out = Layout::empty(&x.shape, d.real())?;
            match d {
                // In 64 bits nothing overflows, and one rounding is left.
                DType::C64 => map::<c64, f32>(&out, x, |v| {
                    let (re, im) = (f64::from(v.re), f64::from(v.im));
                    (re * re + im * im).sqrt() as f32
                }),
                DType::C128 => map::<c128, f64>(&out, x, |v| v.re.hypot(v.im)),
                _ => return no_kernel(op.name(), d),
            }
            Ok(out)
        }
        ComplexOp::AsReal | ComplexOp::AsComplex => view(op, x),
        ComplexOp::Tan
        | ComplexOp::Sinh
        | ComplexOp::Cosh
        | ComplexOp::Asin
        | ComplexOp::Acos
        | ComplexOp::Atan
        | ComplexOp::Asinh
        | ComplexOp::Acosh
        | ComplexOp::Atanh => {
            if !d.is_complex() {
                return no_kernel(op.name(), d);
            }
            let function: fn(c128) -> c128 = match op {
                ComplexOp::Tan => f::tan,
                ComplexOp::Sinh => c128::sinh,
                ComplexOp::Cosh => c128::cosh,
                ComplexOp::Asin => f::asin,
                ComplexOp::Acos => f::acos,
                ComplexOp::Atan => f::atan,
                ComplexOp::Asinh => f::asinh,
                ComplexOp::Acosh => f::acosh,
                _ => f::atanh,
            };
            let out = Layout::empty(&x.shape, d)?;
            wide(&out, x, function);
            Ok(out)
        }
    }
}

/// Parts as a dimension, and back.
pub(crate) fn view(op: ComplexOp, x: &Layout) -> Result<Layout> {
    let mut whole = x.clone();
    let (shape, strides, offset): (Shape, Strides, i64) = match op {
        ComplexOp::AsReal if x.dtype.is_complex() => {
            whole.dtype = x.dtype.real();
            let shape = x.shape.iter().copied().chain([2]).collect();
            let strides = x.strides.iter().map(|s| s * 2).chain([1]).collect();
            (shape, strides, x.offset * 2)
        }
        ComplexOp::AsComplex if x.dtype.complex().is_some() && !x.dtype.is_complex() => {
            let error = |text: &str| Err(TensorError::Runtime(text.to_owned()));
            let (Some((2, shape)), Some((step, strides))) = (
                x.shape.split_last().map(|(n, rest)| (*n, rest)),
                x.strides.split_last(),
            ) else {
                return error("Tensor must have a last dimension of size 2");
            };
            if *step != 1 {
                return error("Tensor must have a last dimension with stride 1");
            }
            if strides.iter().any(|s| s % 2 != 0) {
                return error(
                    "Tensor must have a stride divisible by 2 for all but last dimension",
                );
            }
            if x.offset % 2 != 0 {
                return error("Tensor must have a storage_offset divisible by 2");
            }
            whole.dtype = x.dtype.complex().unwrap_or(x.dtype);
            (
                shape.into(),
                strides.iter().map(|s| s / 2).collect(),
                x.offset / 2,
            )
        }
        _ => return no_kernel(op.name(), x.dtype),
    };
    whole
        .view(shape, strides, offset)
        .ok_or_else(|| TensorError::Runtime("view leaves its storage".to_owned()))
}

/// A part of all elements, row by row: 0 the real one, 1 the imaginary one.
fn part(x: &Layout, which: i64) -> Result<Layout> {
    let parts = view(ComplexOp::AsReal, x)?;
    let strides = parts.strides.get(..x.rank()).unwrap_or(&[]).into();
    let seen = parts.view(x.shape.clone(), strides, parts.offset + which);
    copy_of(&seen.ok_or_else(|| TensorError::Runtime("view leaves its storage".to_owned()))?)
}

/// Matrix products: four of the parts.
pub(crate) fn product(a: &Layout, b: &Layout) -> Result<Layout> {
    let (ar, ai, br, bi) = (part(a, 0)?, part(a, 1)?, part(b, 0)?, part(b, 1)?);
    let (rr, ii, ri, ir) = (
        dot(&ar, &br)?,
        dot(&ai, &bi)?,
        dot(&ar, &bi)?,
        dot(&ai, &br)?,
    );
    let out = Layout::empty(&rr.shape, a.dtype)?;
    let parts = view(ComplexOp::AsReal, &out)?;
    let strides: Strides = parts.strides.get(..out.rank()).unwrap_or(&[]).into();
    for (which, one, other) in [(0, &rr, &ii), (1, &ri, &ir)] {
        let to = parts.view(out.shape.clone(), strides.clone(), parts.offset + which);
        let Some(to) = to else {
            return no_kernel("dot", a.dtype);
        };
        dispatch!(to.dtype; float: T => if which == 0 {
            zip::<T, T>(&to, one, other, |x, y| x - y)
        } else {
            zip::<T, T>(&to, one, other, |x, y| x + y)
        }; else ());
    }
    Ok(out)
}
