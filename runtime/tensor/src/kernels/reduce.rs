//! Reductions, extremum indices, running sums.
//!
//! In: a layout and dimensions. Out: a row-major result.
//! Always: one accumulator per result element, fed in row-major order of the reduced
//! dimensions; the loops interleave several results but never split one, so the bits do not
//! depend on threads or vector width. Float sums and products accumulate in f64.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::copy::cast;
use crate::kernels::loops::{Loops, Shared, parallel, vectorized};
use crate::ops::{ArgOp, ReduceOp};
use crate::scalar::{Element, Number, c64, c128};
use crate::shape::{Shape, Strides};
use crate::tensor::Layout;

/// Results that are computed side by side where they lie next to each other in memory.
const WIDE: usize = 256;
/// Results that are computed side by side otherwise.
const NARROW: usize = 8;

/// A layout's dimensions, split.
struct Split {
    kept: (Shape, Strides),
    reduced: (Shape, Strides),
}

fn split(x: &Layout, dims: &[usize]) -> Split {
    let mut s = Split {
        kept: (Shape::new(), Strides::new()),
        reduced: (Shape::new(), Strides::new()),
    };
    for (i, (&d, &step)) in x.shape.iter().zip(&x.strides).enumerate() {
        let side = if dims.contains(&i) {
            &mut s.reduced
        } else {
            &mut s.kept
        };
        side.0.push(d);
        side.1.push(step);
    }
    s
}

/// How one result comes about: `acc = step(acc, x)` from `init`, then `finish`.
#[derive(Clone, Copy)]
struct Fold<T, A, R, F, G> {
    init: A,
    step: F,
    finish: G,
    types: std::marker::PhantomData<fn(T) -> R>,
}

impl<T, A, R, F, G> Fold<T, A, R, F, G>
where
    T: Element,
    A: Copy,
    F: Fn(A, T) -> A + Copy,
    G: Fn(A) -> R + Copy,
{
    /// `n <= WIDE` results whose elements are neighbours.
    ///
    /// # Safety
    /// The n elements from `p`, moved by every offset of `inner`, can be read; the n results
    /// from `o`, `so` apart, can be written.
    #[inline(always)]
    unsafe fn wide(self, inner: &Loops<1>, o: *mut R, so: isize, p: *const T, n: usize) {
        let mut acc = [self.init; WIDE];
        let acc = acc.get_mut(..n).unwrap_or_default();
        inner.runs(
            0..inner.extent(),
            #[inline(always)]
            |[off], count, [s]| {
                for i in 0..count as isize {
                    for (j, a) in acc.iter_mut().enumerate() {
                        // SAFETY: the caller's promise.
                        *a = (self.step)(*a, unsafe { *p.offset(off + i * s + j as isize) });
                    }
                }
            },
        );
        for (j, a) in acc.iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { *o.offset(j as isize * so) = (self.finish)(*a) };
        }
    }

    /// N results whose elements are `sx` apart, in registers.
    ///
    /// # Safety
    /// As for `wide`, with that distance.
    #[inline(always)]
    unsafe fn narrow<const N: usize>(
        self,
        inner: &Loops<1>,
        o: *mut R,
        so: isize,
        p: *const T,
        sx: isize,
    ) {
        let mut acc = [self.init; N];
        inner.runs(
            0..inner.extent(),
            #[inline(always)]
            |[off], count, [s]| {
                let mut local = acc;
                for i in 0..count as isize {
                    for (j, a) in local.iter_mut().enumerate() {
                        // SAFETY: the caller's promise.
                        let v = unsafe { *p.offset(off + i * s + j as isize * sx) };
                        *a = (self.step)(*a, v);
                    }
                }
                acc = local;
            },
        );
        for (j, a) in acc.iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { *o.offset(j as isize * so) = (self.finish)(*a) };
        }
    }
}

/// Folds the reduced dimensions away.
fn fold<T: Element, A: Copy + Send + Sync, R: Element>(
    x: &Layout,
    dims: &[usize],
    out_dtype: DType,
    init: A,
    step: impl Fn(A, T) -> A + Copy + Sync + Send,
    finish: impl Fn(A) -> R + Copy + Sync + Send,
) -> Result<Layout> {
    debug_assert!(x.dtype == T::DTYPE && out_dtype == R::DTYPE);
    let fold = Fold {
        init,
        step,
        finish,
        types: std::marker::PhantomData,
    };
    let Split { kept, reduced } = split(x, dims);
    let out = Layout::empty(&kept.0, out_dtype)?;
    let results = Loops::new(&kept.0, [&out.strides, &kept.1]);
    let inner = &Loops::new(&reduced.0, [&reduced.1]);
    let (o, p) = (Shared::<R>::new(out.ptr()), Shared::<T>::new(x.ptr()));
    let work = x.numel().max(0) as usize;
    parallel(results.extent(), work, |range| {
        vectorized(
            #[inline(always)]
            || {
                results.runs(
                    range,
                    #[inline(always)]
                    |[fo, fx], n, [so, sx]| {
                        let mut j = 0;
                        while j < n {
                            let left = n - j;
                            // SAFETY: offsets of the kept dimensions here, of the reduced ones
                            // below: together they stay inside x; results inside `out`.
                            unsafe {
                                let o = o.at(fo + j as isize * so);
                                let p = p.at(fx + j as isize * sx);
                                if sx == 1 && left > NARROW {
                                    fold.wide(inner, o, so, p, left.min(WIDE));
                                    j += left.min(WIDE);
                                } else if left >= NARROW {
                                    fold.narrow::<NARROW>(inner, o, so, p, sx);
                                    j += NARROW;
                                } else {
                                    fold.narrow::<1>(inner, o, so, p, sx);
                                    j += 1;
                                }
                            }
                        }
                    },
                );
            },
        );
    });
    Ok(out)
}

/// `reduce_*`; what is reduced from nothing is what changes nothing.
pub(crate) fn reduce(op: ReduceOp, x: &Layout, dims: &[usize]) -> Result<Layout> {
    let d = x.dtype;
    if d.is_complex() {
        return reduce_complex(op, x, dims);
    }
    if d == DType::U64 && matches!(op, ReduceOp::Max | ReduceOp::Min) {
        return match op {
            ReduceOp::Max => fold::<u64, u64, u64>(x, dims, d, 0, Number::maximum, |a| a),
            _ => fold::<u64, u64, u64>(x, dims, d, u64::MAX, Number::minimum, |a| a),
        };
    }
    if !d.is_float() && d != DType::I64 && d != DType::Bool {
        // Rare types are computed as int64 and cut back.
        return cast(&reduce(op, &cast(x, DType::I64)?, dims)?, d);
    }
    macro_rules! ints {
        ($init:expr, $f:expr) => {
            match d {
                DType::Bool => fold::<bool, i64, bool>(x, dims, d, $init, $f, |a| a != 0),
                _ => fold::<i64, i64, i64>(x, dims, d, $init, $f, |a| a),
            }
        };
    }
    match op {
        ReduceOp::Sum => match d {
            DType::F32 => {
                fold::<f32, f64, f32>(x, dims, d, 0.0, |a, v| a + f64::from(v), |a| a as f32)
            }
            DType::F64 => fold::<f64, f64, f64>(x, dims, d, 0.0, |a, v| a + v, |a| a),
            _ => ints!(0, |a, v| a.wrapping_add(v.to_i64())),
        },
        ReduceOp::Prod => match d {
            DType::F32 => {
                fold::<f32, f64, f32>(x, dims, d, 1.0, |a, v| a * f64::from(v), |a| a as f32)
            }
            DType::F64 => fold::<f64, f64, f64>(x, dims, d, 1.0, |a, v| a * v, |a| a),
            _ => ints!(1, |a, v| a.wrapping_mul(v.to_i64())),
        },
        ReduceOp::Max => match d {
            DType::Bool => fold::<bool, bool, bool>(x, dims, d, false, |a, v| a | v, |a| a),
            DType::F32 => {
                fold::<f32, f32, f32>(x, dims, d, f32::NEG_INFINITY, Number::maximum, |a| a)
            }
            DType::F64 => {
                fold::<f64, f64, f64>(x, dims, d, f64::NEG_INFINITY, Number::maximum, |a| a)
            }
            _ => fold::<i64, i64, i64>(x, dims, d, i64::MIN, Number::maximum, |a| a),
        },
        ReduceOp::Min => match d {
            DType::Bool => fold::<bool, bool, bool>(x, dims, d, true, |a, v| a & v, |a| a),
            DType::F32 => fold::<f32, f32, f32>(x, dims, d, f32::INFINITY, Number::minimum, |a| a),
            DType::F64 => fold::<f64, f64, f64>(x, dims, d, f64::INFINITY, Number::minimum, |a| a),
            _ => fold::<i64, i64, i64>(x, dims, d, i64::MAX, Number::minimum, |a| a),
        },
    }
}

/// Sums and products of complex numbers, with parts of 64 bits.
fn reduce_complex(op: ReduceOp, x: &Layout, dims: &[usize]) -> Result<Layout> {
    let d = x.dtype;
    let wide = |v: c64| c128::new(f64::from(v.re), f64::from(v.im));
    let narrow = |a: c128| c64::new(a.re as f32, a.im as f32);
    let (zero, one) = (c128::new(0.0, 0.0), c128::new(1.0, 0.0));
    match (op, d) {
        (ReduceOp::Sum, DType::C64) => {
            fold::<c64, c128, c64>(x, dims, d, zero, |a, v| a + wide(v), narrow)
        }
        (ReduceOp::Sum, _) => fold::<c128, c128, c128>(x, dims, d, zero, |a, v| a + v, |a| a),
        (ReduceOp::Prod, DType::C64) => {
            fold::<c64, c128, c64>(x, dims, d, one, |a, v| a * wide(v), narrow)
        }
        (ReduceOp::Prod, _) => fold::<c128, c128, c128>(x, dims, d, one, |a, v| a * v, |a| a),
        (ReduceOp::Max | ReduceOp::Min, dtype) => Err(TensorError::NoKernel {
            op: op.name(),
            dtype,
        }),
    }
}

/// Calls `f` with the offset of each line along `dim` in `out` (which lacks it or has it) and x.
fn lines(
    x: &Layout,
    dim: usize,
    out_strides: &[i64],
    mut f: impl FnMut(isize, isize),
) -> (usize, isize) {
    let mut kept: (Shape, Strides) = (x.shape.clone(), x.strides.clone());
    let (mut n, mut step) = (1, 0);
    if dim < x.rank() {
        n = kept.0.remove(dim);
        step = kept.1.remove(dim);
    }
    let loops = Loops::new(&kept.0, [out_strides, &kept.1]);
    loops.runs(0..loops.extent(), |[o, p], count, [so, sp]| {
        for i in 0..count as isize {
            f(o + i * so, p + i * sp);
        }
    });
    (n as usize, step as isize)
}

/// `argmax`, `argmin`: the first extremum; NaN counts as the extremum.
pub(crate) fn arg(op: ArgOp, x: &Layout, dim: usize) -> Result<Layout> {
    let mut shape = x.shape.clone();
    let n = if dim < x.rank() { shape.remove(dim) } else { 1 };
    let step = x.strides.get(dim).copied().unwrap_or(0) as isize;
    let out = Layout::empty(&shape, DType::I64)?;
    if n == 0 && out.numel() > 0 {
        let op = op.name();
        return Err(TensorError::EmptyReductionDim { op, dim });
    }
    let wanted = match op {
        ArgOp::Max => Ordering::Greater,
        ArgOp::Min => Ordering::Less,
    };
    dispatch!(x.dtype; real: T => {
        let (o, p) = (Shared::<i64>::new(out.ptr()), Shared::<T>::new(x.ptr()));
        lines(x, dim, &out.strides, |fo, fx| {
            // SAFETY: offsets of the kept dimensions plus indices along `dim`.
            unsafe {
                let first = p.at(fx);
                let (mut best, mut index) = (*first, 0);
                for i in 1..n as isize {
                    let v = *first.offset(i * step);
                    let better = v.partial_cmp(&best) == Some(wanted);
                    if !best.is_nan() && (better || v.is_nan()) {
                        (best, index) = (v, i);
                    }
                }
                *o.at(fo) = index as i64;
            }
        });
    }; else {
        let (op, dtype) = (op.name(), x.dtype);
        return Err(TensorError::NoKernel { op, dtype });
    });
    Ok(out)
}

/// `cumsum`
pub(crate) fn cumsum(x: &Layout, dim: usize) -> Result<Layout> {
    let out = Layout::empty(&x.shape, x.dtype)?;
    let mut out_kept: Strides = out.strides.clone();
    let step_out = if dim < out_kept.len() {
        out_kept.remove(dim) as isize
    } else {
        0
    };
    let n = x.shape.get(dim).copied().unwrap_or(1) as isize;
    let step = x.strides.get(dim).copied().unwrap_or(0) as isize;
    macro_rules! run {
        ($t:ty, $zero:expr, $add:expr, $store:expr) => {{
            let (o, p) = (Shared::<$t>::new(out.ptr()), Shared::<$t>::new(x.ptr()));
            let mut starts: SmallVec<[(isize, isize); 16]> = SmallVec::new();
            lines(x, dim, &out_kept, |fo, fx| starts.push((fo, fx)));
            for (fo, fx) in starts {
                let mut acc = $zero;
                for i in 0..n {
                    // SAFETY: offsets of the kept dimensions plus indices along `dim`.
                    unsafe {
                        acc = $add(acc, *p.at(fx + i * step));
                        *o.at(fo + i * step_out) = $store(acc);
                    }
                }
            }
        }};
    }
    match x.dtype {
        DType::F32 => run!(f32, 0.0f64, |a: f64, v: f32| a + f64::from(v), |a: f64| a
            as f32),
        DType::F64 => run!(f64, 0.0f64, |a: f64, v: f64| a + v, |a: f64| a),
        DType::C64 => run!(
            c64,
            c128::new(0.0, 0.0),
            |a: c128, v: c64| a + c128::new(f64::from(v.re), f64::from(v.im)),
            |a: c128| c64::new(a.re as f32, a.im as f32)
        ),
        DType::C128 => run!(c128, c128::new(0.0, 0.0), |a: c128, v: c128| a + v, |a| a),
        d => dispatch!(d; all: T => run!(T, 0i64, |a: i64, v: T| a.wrapping_add(v.to_i64()),
            T::from_i64)),
    }
    Ok(out)
}
