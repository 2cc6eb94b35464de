//! Whether all floats of a tensor are finite.
//!
//! In: one layout. Out: a bool. Always: memory is read once, and no further once an infinity or NaN was met.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::dtype::DType;
use crate::kernels::loops::{Loops, Shared, vectorized};
use crate::scalar::{Element, bf16, c64, c128, f16};
use crate::tensor::Layout;

/// Whether there is no element that `is_odd`.
#[inline(always)]
fn none<T: Element>(x: &Layout, is_odd: impl Fn(T) -> bool + Copy + Sync + Send) -> bool {
    debug_assert!(x.dtype == T::DTYPE);
    let met = AtomicBool::new(false);
    let met = &met;
    let from = Shared::<T>::new(x.ptr());
    Loops::new(&x.shape, [&x.strides]).each(
        #[inline(always)]
        // SAFETY: the offsets come from the layout's own shape and strides, and a layout reaches only elements
        // inside its storage.
        move |[offset], n, [step]| unsafe {
            if met.load(Ordering::Relaxed) {
                return;
            }
            let from = from.at(offset);
            let mut odd = false;
            if step == 1 {
                for i in 0..n {
                    odd |= is_odd(*from.add(i));
                }
            } else {
                for i in 0..n as isize {
                    odd |= is_odd(*from.offset(i * step));
                }
            }
            if odd {
                met.store(true, Ordering::Relaxed);
            }
        },
    );
    !met.load(Ordering::Relaxed)
}

// All bits of the exponent.
const F64: u64 = 0x7ff0 << 48;
const F32: u32 = 0x7f80 << 16;
const F16: u16 = 0x7c00;
const BF16: u16 = 0x7f80;

/// Whether no element is infinite or NaN; ints never are.
pub(crate) fn all_finite(x: &Layout) -> bool {
    let double = |v: f64| v.to_bits() & F64 == F64;
    let single = |v: f32| v.to_bits() & F32 == F32;
    match x.dtype {
        DType::F64 => none::<f64>(x, double),
        DType::F32 => none::<f32>(x, single),
        DType::F16 => none::<f16>(x, |v| v.to_bits() & F16 == F16),
        DType::BF16 => none::<bf16>(x, |v| v.to_bits() & BF16 == BF16),
        DType::C128 => none::<c128>(x, move |v| double(v.re) | double(v.im)),
        DType::C64 => none::<c64>(x, move |v| single(v.re) | single(v.im)),
        _ => true,
    }
}

/// Whether elementwise kernels look at what they write.
static WATCHING: AtomicBool = AtomicBool::new(false);

/// Lets elementwise kernels look at what they write, while it is in the processor's cache, so that
/// [`crate::Tensor::result_finite`] need not read a large result once more.
pub fn watch_results(on: bool) {
    WATCHING.store(on, Ordering::Relaxed);
}

/// Elements of a result from which looking at it later costs more.
const WATCHED_FROM: i64 = 1 << 11;
/// Elements that are written before they are looked at.
const PIECE: usize = 1 << 11;
/// Elements of a run below which it is not worth it.
const RUN: usize = 1 << 8;

const FINITE: u8 = 0;
const ODD: u8 = 1;
const UNKNOWN: u8 = 2;

/// What a kernel sees of its result.
pub(crate) struct Watched(Option<AtomicU8>);

/// The same for those who write.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a>(Option<&'a AtomicU8>);

impl Watched {
    pub(crate) fn new(out: &Layout) -> Watched {
        let on = WATCHING.load(Ordering::Relaxed)
            && matches!(out.dtype, DType::F32 | DType::F64)
            && out.numel() >= WATCHED_FROM;
        Watched(on.then(|| AtomicU8::new(FINITE)))
    }

    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch(self.0.as_ref())
    }

    /// Notes it where the result is.
    pub(crate) fn note(&self, out: &Layout) {
        match self.0.as_ref().map(|seen| seen.load(Ordering::Relaxed)) {
            Some(FINITE) => out.storage.note_finite(true),
            Some(ODD) => out.storage.note_finite(false),
            _ => {}
        }
    }
}

impl Watch<'_> {
    /// Calls `write(from, to)` for the elements of a run of `n` that begins at `out` and lies dense, and looks at them.
    ///
    /// # Safety
    /// `write` has made the elements from `out + from` to `out + to` readable as `R`.
    #[inline(always)]
    pub(crate) unsafe fn dense<R: Element>(
        self,
        out: *const R,
        n: usize,
        write: impl Fn(usize, usize),
    ) {
        // One loop for both cases, so that it is compiled once.
        let looks = self.0.filter(|_| n >= RUN);
        if looks.is_none() {
            self.strided();
        }
        let piece = if looks.is_some() { PIECE } else { n };
        let mut from = 0;
        while from < n {
            let to = (from + piece).min(n);
            write(from, to);
            if let Some(seen) = looks
                && seen.load(Ordering::Relaxed) == FINITE
                // SAFETY: the caller's promise.
                && unsafe { is_odd(out.add(from).cast(), to - from, R::DTYPE) }
            {
                seen.store(ODD, Ordering::Relaxed);
            }
            from = to;
        }
    }

    /// Of elements that are not looked at.
    #[inline(always)]
    pub(crate) fn strided(self) {
        if let Some(seen) = self.0 {
            seen.store(UNKNOWN, Ordering::Relaxed);
        }
    }
}

/// Whether one of `n` floats that lie dense is infinite or NaN.
///
/// # Safety
/// `from` points to so many elements of the dtype.
#[inline(never)]
unsafe fn is_odd(from: *const u8, n: usize, dtype: DType) -> bool {
    vectorized(
        #[inline(always)]
        || match dtype {
            // SAFETY: the caller's promise.
            DType::F64 => unsafe { std::slice::from_raw_parts(from.cast::<f64>(), n) }
                .iter()
                .fold(false, |odd, v| odd | (v.to_bits() & F64 == F64)),
            // SAFETY: the caller's promise.
            DType::F32 => unsafe { std::slice::from_raw_parts(from.cast::<f32>(), n) }
                .iter()
                .fold(false, |odd, v| odd | (v.to_bits() & F32 == F32)),
            _ => false,
        },
    )
}

#[cfg(test)]
mod tests {
    use crate::tensor::Tensor;

    #[test]
    fn finds_what_is_not_finite() {
        let mut all = vec![1.0f64; 200_000];
        let tensor = |all: &[f64]| Tensor::from_slice(all, &[400, 500]).expect("a tensor");
        assert!(tensor(&all).all_finite());
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let before = std::mem::replace(&mut all[123_456], odd);
            assert!(!tensor(&all).all_finite());
            all[123_456] = before;
        }
        all[0] = f64::MAX;
        all[1] = 5e-324;
        assert!(tensor(&all).all_finite());
    }
}
