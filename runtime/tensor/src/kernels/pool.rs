//! Pooling: where the largest element of each window is.
//!
//! In: an image. Out: indices, from which a gather makes the values.
//! Always: of equal elements the first one counts, and a NaN is larger than what came before it.

use smallvec::SmallVec;

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::conv::{Spec, View, element};
use crate::kernels::loops::parallel;
use crate::ops::PoolWindow;
use crate::scalar::Element;
use crate::shape::Shape;
use crate::tensor::Layout;

fn malformed() -> TensorError {
    TensorError::Runtime("pooling: malformed attributes".to_owned())
}

/// One dimension's windows: where each begins in the image, and which of its elements are inside.
type Ranges = Vec<(isize, usize, usize)>;

fn ranges(windows: usize, image: usize, kernel: usize, spec: &Spec, i: usize) -> Ranges {
    let (step, dilation) = (spec.step[i], spec.dilation[i]);
    (0..windows)
        .map(|q| {
            let start = (q * step) as isize - spec.padding[i];
            let first = (-start).max(0) as usize;
            let end = (image as isize - start).max(0) as usize;
            (
                start,
                first.div_ceil(dilation).min(kernel),
                end.div_ceil(dilation).min(kernel),
            )
        })
        .collect()
}

fn argmax<T: Element>(x: &View<T>, out: &View<i64>, kernel: [usize; 3], spec: &Spec) {
    let (image, windows) = (x.image(), out.image());
    let all: [Ranges; 3] =
        std::array::from_fn(|i| ranges(windows[i], image[i], kernel[i], spec, i));
    let [_, _, sd, sh, sw] = x.strides;
    let [_, _, od, oh, ow] = out.strides;
    let planes = x.dims[0] * x.dims[1];
    let size: usize = kernel.iter().product();
    let count: usize = windows.iter().product();
    let dilation = spec.dilation.map(|d| d as isize);
    parallel(planes, planes * count * size, |range| {
        for plane in range {
            let (n, c) = (plane / x.dims[1], plane % x.dims[1]);
            let (from, to) = (x.channel(n, c), out.channel(n, c));
            for (d, &(start_d, d0, d1)) in all[0].iter().enumerate() {
                for (h, &(start_h, h0, h1)) in all[1].iter().enumerate() {
                    let row = to + d as isize * od + h as isize * oh;
                    for (w, &(start_w, w0, w1)) in all[2].iter().enumerate() {
                        let mut best: Option<T> = None;
                        let mut place = 0;
                        for kd in d0..d1 {
                            let id = start_d + kd as isize * dilation[0];
                            for kh in h0..h1 {
                                let ih = start_h + kh as isize * dilation[1];
                                let line = from + id * sd + ih * sh;
                                let first = (id * image[1] as isize + ih) * image[2] as isize;
                                for kw in w0..w1 {
                                    let iw = start_w + kw as isize * dilation[2];
                                    // SAFETY: the ranges keep indices inside the image.
                                    let v = unsafe { *x.at.at(line + iw * sw) };
                                    if best.is_none_or(|b| v > b) || v.is_nan() {
                                        best = Some(v);
                                        place = first + iw;
                                    }
                                }
                            }
                        }
                        // SAFETY: an element of the result.
                        unsafe { *out.at.at(row + w as isize * ow) = place as i64 };
                    }
                }
            }
        }
    });
}

/// A tensor as the routine takes it.
type Operand<'a> = (*mut u8, &'a [i64], &'a [i64]);

fn compute(
    dtype: DType,
    kernel: &[i64],
    spec: &Spec,
    x: Operand<'_>,
    out: Operand<'_>,
) -> Option<()> {
    let mut extents = [1; 3];
    let missing = 3usize.checked_sub(kernel.len())?;
    for (slot, &k) in extents.iter_mut().skip(missing).zip(kernel) {
        *slot = usize::try_from(k).ok()?;
    }
    dispatch!(dtype; num: T => {
        let from = View::<T>::new(x.0, x.1, x.2)?;
        let to = View::<i64>::new(out.0, out.1, out.2)?;
        argmax(&from, &to, extents, spec);
        Some(())
    }; else None)
}

/// The eager kernel.
pub(crate) fn run(x: &Layout, window: &PoolWindow, shape: &Shape) -> Result<Layout> {
    let spec = Spec::new(&window.strides, &window.padding, &window.dilation, 1);
    let fits = x.rank() == shape.len()
        && x.rank() == window.kernel.len() + 2
        && window.strides.len() == window.kernel.len()
        && x.shape.iter().zip(shape).take(2).all(|(a, b)| a == b);
    let spec = spec.filter(|_| fits).ok_or_else(malformed)?;
    let out = Layout::empty(shape, DType::I64)?;
    if out.numel() > 0 {
        let (from, to) = (
            (x.ptr(), &x.shape[..], &x.strides[..]),
            (out.ptr(), &out.shape[..], &out.strides[..]),
        );
        compute(x.dtype, &window.kernel, &spec, from, to).ok_or(TensorError::NoKernel {
            op: "max_pool",
            dtype: x.dtype,
        })?;
    }
    Ok(out)
}

/// The routine for generated code. `words` are: the element type's number, the number n of spatial
/// dimensions, n extents of the kernel, n steps, n paddings, n dilations; and for the operand and
/// the result the address, n + 2 extents and n + 2 strides in elements.
///
/// # Safety
/// The words are as above; addresses, extents and strides describe a tensor that may be read, and
/// one of int64 that may be written and does not overlap it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_pool_argmax(words: *const i64) {
    // SAFETY: the caller's promise.
    let (words, n) = unsafe {
        let n = usize::try_from(*words.add(1)).unwrap_or(0);
        (
            std::slice::from_raw_parts(words, 2 + 4 * n + 2 * (5 + 2 * n)),
            n,
        )
    };
    let part = |i: usize| words.get(2 + i * n..2 + (i + 1) * n).unwrap_or_default();
    let spec = Spec::new(part(1), part(2), part(3), 1);
    let operands: SmallVec<[Operand<'_>; 2]> = words
        .get(2 + 4 * n..)
        .unwrap_or_default()
        .chunks(5 + 2 * n)
        .filter_map(|o| {
            let (&at, rest) = o.split_first()?;
            let (shape, strides) = rest.split_at_checked(n + 2)?;
            Some((at as *mut u8, shape, strides))
        })
        .collect();
    if let (Some(spec), &[x, out]) = (spec, &operands[..]) {
        compute(element(words.first().copied()), part(0), &spec, x, out);
    }
}
