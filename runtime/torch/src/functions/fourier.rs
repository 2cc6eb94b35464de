//! Discrete Fourier transforms of `torch.fft`.
//!
//! In: tensors, lengths, dimensions, how they are scaled. Out: complex tensors, or real ones. Always: all are made of the
//! transform of complex numbers along one dimension, which is not scaled; what is real becomes complex before, and of a
//! half spectrum the other half is what conjugates it.

use janus_tensor::Dim;
use janus_tensor::ops::{ComplexOp, Dims, Prim};
use janus_tensor::shape::{normalize_dim, normalize_dims};

use super::complex::conjugate;
use super::shape::select_of;
use super::{Res, TRes, known, named, rank, runtime, splat_like};
use crate::TorchOps;
use crate::call::{CallArgs, Ret};

/// From what to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Complex to complex.
    Whole,
    /// Real numbers to half of a spectrum.
    Half,
    /// Half of a spectrum to real numbers.
    Real,
}

/// A transform of the module.
#[derive(Clone, Copy, Debug)]
struct Transform {
    name: &'static str,
    kind: Kind,
    /// In the direction of `fft`.
    forward: bool,
}

impl Transform {
    fn label(self) -> &'static str {
        match self.kind {
            Kind::Whole => "FftC2CBackward0",
            Kind::Half => "FftR2CBackward0",
            Kind::Real => "FftC2RBackward0",
        }
    }
}

/// The operand in the dtype that is transformed.
fn operand<B: TorchOps>(b: &mut B, args: &CallArgs<B>, how: Transform) -> TRes<B> {
    let x = args.tensor(0)?;
    let dtype = b.dtype(&x);
    let name = dtype.scalar_type_name();
    if how.kind == Kind::Half && dtype.is_complex() {
        let function = how.name;
        return Err(runtime::<B>(format!(
            "{function} expects a real input tensor, but got {name}"
        )));
    }
    let float = super::to_float(b, dtype);
    match float.complex() {
        Some(complex) => b.cast(&x, complex),
        None => Err(runtime::<B>(format!("Unsupported dtype {name}"))),
    }
}

/// What a transform over so many elements is multiplied by.
fn scale<B: TorchOps>(args: &CallArgs<B>, how: Transform, elements: i64) -> Result<f64, B::Error> {
    let norm = args.str_or(3, "backward")?;
    let n = elements as f64;
    Ok(match (norm.as_str(), how.forward) {
        ("ortho", _) => 1.0 / n.sqrt(),
        ("forward", true) | ("backward", false) => 1.0 / n,
        ("forward", false) | ("backward", true) => 1.0,
        _ => {
            return Err(runtime::<B>(format!(
                "Invalid normalization mode: \"{norm}\""
            )));
        }
    })
}

/// A dimension cut to a length, or filled with zeros.
fn resized<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, n: i64) -> TRes<B> {
    let shape = b.shape(x);
    let have = known(&shape).get(dim).copied().unwrap_or(1);
    if have == n {
        return Ok(x.clone());
    }
    let mut to: Dims = shape.clone();
    if let Some(d) = to.get_mut(dim) {
        *d = Dim::Known(n);
    }
    let starts: Dims = shape.iter().map(|_| Dim::Known(0)).collect();
    let ones = vec![1; shape.len()];
    match n < have {
        true => b.slice(x, &starts, &to, &ones),
        false => b.unslice(x, &starts, &to, &ones),
    }
}

fn along<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, forward: bool) -> TRes<B> {
    let inverse = !forward;
    b.apply(Prim::Fourier { dim, inverse }, &[x])
}

/// How much each element of a half spectrum of `n` counts in the sum over all: those with a conjugate twice.
fn doubled<B: TorchOps>(b: &mut B, x: &B::T, dim: usize, n: i64) -> TRes<B> {
    let shape = b.shape(x);
    let half = known(&shape).get(dim).copied().unwrap_or(1);
    let dtype = b.dtype(x);
    let i = b.iota(dim, dtype.real(), &shape)?;
    let zero = splat_like(b, 0, &i)?;
    let (one, two) = (splat_like(b, 1, &i)?, splat_like(b, 2, &i)?);
    let first = b.eq(&i, &zero)?;
    let mut weight = b.select(&first, &one, &two)?;
    if n % 2 == 0 {
        let last = splat_like(b, half - 1, &i)?;
        let last = b.eq(&i, &last)?;
        weight = b.select(&last, &one, &weight)?;
    }
    let weight = b.cast(&weight, dtype)?;
    b.mul(x, &weight)
}

/// All of a transform over dimensions, of which the last one is that of the half spectrum.
fn transformed<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    how: Transform,
    x: &B::T,
    dims: &[(usize, i64)],
) -> Res<B> {
    let (Some(&(last, n)), elements) = (dims.last(), dims.iter().map(|d| d.1).product()) else {
        // Along no dimension nothing happens.
        return named(b, x.clone(), how.label());
    };
    let factor = scale(args, how, elements)?;
    for &(_, n) in dims {
        if n < 1 {
            return Err(runtime::<B>(format!(
                "Invalid number of data points ({n}) specified"
            )));
        }
    }
    let mut t = x.clone();
    for (i, &(dim, n)) in dims.iter().enumerate() {
        let half = how.kind == Kind::Real && i + 1 == dims.len();
        t = resized(b, &t, dim, if half { n / 2 + 1 } else { n })?;
    }
    let others = dims.get(..dims.len() - 1).unwrap_or(&[]);
    match how.kind {
        Kind::Whole => {
            for &(dim, _) in dims {
                t = along(b, &t, dim, how.forward)?;
            }
        }
        Kind::Half => {
            t = along(b, &t, last, true)?;
            t = resized(b, &t, last, n / 2 + 1)?;
            if !how.forward {
                t = conjugate(b, &t)?;
            }
            for &(dim, _) in others {
                t = along(b, &t, dim, how.forward)?;
            }
        }
        Kind::Real => {
            for &(dim, _) in others {
                t = along(b, &t, dim, how.forward)?;
            }
            if how.forward {
                t = conjugate(b, &t)?;
            }
            t = doubled(b, &t, last, n)?;
            t = resized(b, &t, last, n)?;
            t = along(b, &t, last, false)?;
            let parts = b.complex(ComplexOp::AsReal, &t)?;
            let place = rank(b, &t);
            t = select_of(b, &parts, place, Dim::Known(0))?;
        }
    }
    if factor != 1.0 {
        // Both parts of a complex number, and not the number times one without an imaginary part.
        let parts = match how.kind {
            Kind::Real => t,
            _ => b.complex(ComplexOp::AsReal, &t)?,
        };
        let factor = splat_like(b, factor, &parts)?;
        t = b.mul(&parts, &factor)?;
        if how.kind != Kind::Real {
            t = b.complex(ComplexOp::AsComplex, &t)?;
            t = b.copy(&t)?;
        }
    } else if how.kind != Kind::Whole {
        // Not a part of what was computed: the result lies row by row.
        t = b.copy(&t)?;
    }
    named(b, t, how.label())
}

fn extent<B: TorchOps>(b: &B, x: &B::T, dim: usize) -> i64 {
    known(&b.shape(x)).get(dim).copied().unwrap_or(1)
}

/// `fft(input, n, dim, norm)` and its like.
fn one<B: TorchOps>(b: &mut B, args: &CallArgs<B>, how: Transform) -> Res<B> {
    let x = operand(b, args, how)?;
    let dim = normalize_dim(args.int_or(b, 2, -1)?, rank(b, &x))?;
    let have = extent(b, &x, dim);
    let default = match how.kind {
        Kind::Real => 2 * (have - 1),
        _ => have,
    };
    let n = args.int_opt(b, 1)?.unwrap_or(default);
    let t = transformed(b, args, how, &x, &[(dim, n)])?;
    // Of real numbers PyTorch computes half, and conjugates that where the direction is the other one.
    if let (Ret::Tensor(t), Kind::Whole | Kind::Half, false) =
        (&t, how.kind, b.dtype(&args.tensor(0)?).is_complex())
    {
        let name = if how.forward {
            "FftR2CBackward0"
        } else {
            "ConjBackward0"
        };
        b.label(t, name);
    }
    Ok(t)
}

/// `fftn(input, s, dim, norm)` and its like; `default`: the dimensions where none are given.
fn several<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    how: Transform,
    default: Option<&[i64]>,
) -> Res<B> {
    let x = operand(b, args, how)?;
    let rank = rank(b, &x);
    let s = args.ints_opt(b, 1)?;
    let given = args.ints_opt(b, 2)?.or(default.map(<[i64]>::to_vec));
    let dims: Vec<usize> = match (&given, &s) {
        (Some(given), _) => {
            let mut dims = Vec::with_capacity(given.len());
            for &d in given {
                dims.push(normalize_dim(d, rank)?);
            }
            let mut sorted = dims.clone();
            sorted.sort_unstable();
            sorted.dedup();
            if sorted.len() != dims.len() {
                return Err(runtime::<B>("FFT dims must be unique"));
            }
            dims
        }
        (None, Some(s)) if s.len() > rank => {
            return Err(runtime::<B>(format!(
                "Got shape with {} values but input tensor only has {rank} dimensions.",
                s.len()
            )));
        }
        (None, Some(s)) => (rank - s.len()..rank).collect(),
        (None, None) => normalize_dims(&(0..rank as i64).collect::<Vec<_>>(), rank)?.to_vec(),
    };
    if let Some(s) = &s
        && s.len() != dims.len()
    {
        return Err(runtime::<B>(
            "When given, dim and shape arguments must have the same length",
        ));
    }
    if how.kind != Kind::Whole && dims.is_empty() {
        return Err(runtime::<B>(format!(
            "{} must transform at least one axis",
            how.name
        )));
    }
    let mut lengths = Vec::with_capacity(dims.len());
    for (i, &dim) in dims.iter().enumerate() {
        let have = extent(b, &x, dim);
        let half = how.kind == Kind::Real && i + 1 == dims.len();
        let default = if half { 2 * (have - 1) } else { have };
        let n = s
            .as_ref()
            .and_then(|s| s.get(i).copied())
            .filter(|&n| n != -1);
        lengths.push((dim, n.unwrap_or(default)));
    }
    let t = transformed(b, args, how, &x, &lengths)?;
    // What is conjugated in between ends with a transform of the other dimensions.
    let last_is_whole = how.kind == Kind::Half && !how.forward && lengths.len() > 1;
    if let (Ret::Tensor(t), true) = (&t, last_is_whole) {
        b.label(t, "FftC2CBackward0");
    }
    Ok(t)
}

macro_rules! transforms {
    ($($one:ident $two:ident $many:ident = $kind:ident, $forward:literal;)*) => {$(
        #[doc = concat!("`torch.fft.", stringify!($one), "`")]
        pub fn $one<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let (name, kind, forward) = (stringify!($one), Kind::$kind, $forward);
            one(b, args, Transform { name, kind, forward })
        }

        #[doc = concat!("`torch.fft.", stringify!($two), "`")]
        pub fn $two<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let (name, kind, forward) = (stringify!($many), Kind::$kind, $forward);
            several(b, args, Transform { name, kind, forward }, Some(&[-2, -1]))
        }

        #[doc = concat!("`torch.fft.", stringify!($many), "`")]
        pub fn $many<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let (name, kind, forward) = (stringify!($many), Kind::$kind, $forward);
            several(b, args, Transform { name, kind, forward }, None)
        }
    )*};
}
transforms! {
    fft fft2 fftn = Whole, true;
    ifft ifft2 ifftn = Whole, false;
    rfft rfft2 rfftn = Half, true;
    ihfft ihfft2 ihfftn = Half, false;
    hfft hfft2 hfftn = Real, true;
    irfft irfft2 irfftn = Real, false;
}
