//! Pooling: where the largest element of each window is.
//!
//! In: an image. Out: indices, from which a gather makes the values.
//! Always: of equal elements the first one counts, and a NaN is larger than what came before it.

use smallvec::SmallVec;

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::conv::{Spec, View, element};
use crate::kernels::loops::{parallel, vectorized};
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

/// The largest element of each column of some rows, and its place, counted from the first row.
///
/// # Safety
/// `x` has as many elements as `best`, `step` apart, at each of the rows' offsets.
#[inline(always)]
unsafe fn down<T: Element + PartialOrd>(
    x: *const T,
    step: isize,
    rows: &[(isize, i64)],
    best: &mut [T],
    places: &mut [i32],
) {
    places.fill(NONE);
    let begin = rows.first().map_or(0, |r| r.1);
    for (i, &(row, first)) in rows.iter().enumerate() {
        let first = (first - begin) as i32;
        let columns = best.iter_mut().zip(places.iter_mut()).enumerate();
        for (column, (best, place)) in columns {
            // SAFETY: the caller's promise.
            let v = unsafe { *x.offset(row + column as isize * step) };
            let takes = (i == 0) | (v > *best) | v.is_nan();
            *best = if takes { v } else { *best };
            *place = if takes { first + column as i32 } else { *place };
        }
    }
}

/// The place of a column of which nothing is inside the image.
const NONE: i32 = -1;

/// Windows of a row that are compared side by side.
const LANES: usize = 16;

/// The place of the largest element of each of `N` windows, `step` columns apart (`STEP` if
/// that is not 0), of `count` columns each.
#[inline(always)]
fn across<T: Element + PartialOrd, const N: usize, const STEP: usize>(
    best: &[T],
    places: &[i32],
    step: usize,
    count: usize,
    dilation: usize,
) -> [i32; N] {
    let step = if STEP == 0 { step } else { STEP };
    let (mut most, mut found) = ([T::default(); N], [NONE; N]);
    for k in 0..count {
        let columns = k * dilation..k * dilation + (N - 1) * step + 1;
        let Some((best, places)) = best.get(columns.clone()).zip(places.get(columns)) else {
            break;
        };
        for i in 0..N {
            // SAFETY: both have an element for each lane.
            let (v, place) = unsafe {
                (
                    *best.get_unchecked(i * step),
                    *places.get_unchecked(i * step),
                )
            };
            // The first of equal ones in the order of rows, and the last NaN.
            let takes = (found[i] == NONE)
                | (v > most[i])
                | ((v == most[i]) & (place < found[i]))
                | (v.is_nan() & (!most[i].is_nan() | (place > found[i])));
            let takes = takes & (place != NONE);
            most[i] = if takes { v } else { most[i] };
            found[i] = if takes { place } else { found[i] };
        }
    }
    found
}

/// [`across`] for `windows` windows, or [`LANES`] if there are more.
#[inline(always)]
fn lanes<T: Element + PartialOrd>(
    best: &[T],
    places: &[i32],
    windows: usize,
    (step, count, dilation): (usize, usize, usize),
) -> [i32; LANES] {
    /// As many as a narrow row has.
    const FEW: usize = 4;
    let few = |found: [i32; FEW]| {
        let mut all = [NONE; LANES];
        for (to, place) in all.iter_mut().zip(found) {
            *to = place;
        }
        all
    };
    match (windows <= FEW, step) {
        (true, 1) => few(across::<T, FEW, 1>(best, places, 1, count, dilation)),
        (true, 2) => few(across::<T, FEW, 2>(best, places, 2, count, dilation)),
        (true, _) => few(across::<T, FEW, 0>(best, places, step, count, dilation)),
        (false, 1) => across::<T, LANES, 1>(best, places, 1, count, dilation),
        (false, 2) => across::<T, LANES, 2>(best, places, 2, count, dilation),
        (false, _) => across::<T, LANES, 0>(best, places, step, count, dilation),
    }
}

/// `None` where windows reach further than 32 bits count.
fn argmax<T: Element + PartialOrd>(
    x: &View<T>,
    out: &View<i64>,
    kernel: [usize; 3],
    spec: &Spec,
) -> Option<()> {
    let (image, windows) = (x.image(), out.image());
    let rows = |i: usize| kernel[i].saturating_mul(spec.dilation[i]);
    let reach = rows(0).checked_mul(image[1])?.checked_add(rows(1))?;
    i32::try_from(reach.checked_mul(image[2])?.checked_add(image[2])?).ok()?;
    let [depths, heights]: [Ranges; 2] =
        std::array::from_fn(|i| ranges(windows[i], image[i], kernel[i], spec, i));
    let [_, _, sd, sh, sw] = x.strides;
    let [_, _, od, oh, ow] = out.strides;
    let planes = x.dims[0] * x.dims[1];
    let size: usize = kernel.iter().product();
    let count: usize = windows.iter().product();
    let inside = |i: usize, &(start, first, end): &(isize, usize, usize)| {
        let dilation = spec.dilation[i] as isize;
        (first..end).map(move |k| start + k as isize * dilation)
    };
    // A row with its padding, for whole vectors of windows.
    let (step, dilation) = (spec.step[2], spec.dilation[2]);
    let left = spec.padding[2].max(0) as usize;
    let width = windows[2].next_multiple_of(LANES) * step + kernel[2] * dilation;
    let width = width.max(left + image[2]);
    parallel(planes, planes * count * size, |range| {
        let mut rows: SmallVec<[(isize, i64); 16]> = SmallVec::new();
        let mut best = vec![T::default(); width];
        let mut places = vec![NONE; width];
        for plane in range {
            let (n, c) = (plane / x.dims[1], plane % x.dims[1]);
            // SAFETY: a channel of the operand.
            let from = unsafe { x.at.at(x.channel(n, c)) };
            let to = out.channel(n, c);
            for (d, depths) in depths.iter().enumerate() {
                for (h, heights) in heights.iter().enumerate() {
                    rows.clear();
                    for id in inside(0, depths) {
                        let row = |ih| {
                            let place = (id * image[1] as isize + ih) * image[2] as isize;
                            (id * sd + ih * sh, place as i64)
                        };
                        rows.extend(inside(1, heights).map(row));
                    }
                    let row = to + d as isize * od + h as isize * oh;
                    vectorized(
                        #[inline(always)]
                        || {
                            let columns = left..left + image[2];
                            let columns =
                                (best.get_mut(columns.clone())).zip(places.get_mut(columns));
                            if let Some((best, places)) = columns {
                                // SAFETY: the ranges keep rows inside the image.
                                unsafe { down(from, sw, &rows, best, places) };
                            }
                            let begin = rows.first().map_or(0, |r| r.1);
                            for first in (0..windows[2]).step_by(LANES) {
                                let best = best.get(first * step..).unwrap_or_default();
                                let places = places.get(first * step..).unwrap_or_default();
                                let found = lanes(
                                    best,
                                    places,
                                    windows[2] - first,
                                    (step, kernel[2], dilation),
                                );
                                for (w, place) in (first..windows[2]).zip(found) {
                                    // A window of nothing has its first place.
                                    let place = if place == NONE {
                                        0
                                    } else {
                                        begin + i64::from(place)
                                    };
                                    // SAFETY: an element of the result.
                                    unsafe { *out.at.at(row + w as isize * ow) = place };
                                }
                            }
                        },
                    );
                }
            }
        }
    });
    Some(())
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
        argmax(&from, &to, extents, spec)
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
        let dtype = element(words.first().copied());
        if compute(dtype, part(0), &spec, x, out).is_none() {
            // The rest was verified when the code was made.
            eprintln!("janus-jit: pooling of windows that reach over 2^31 elements");
            std::process::abort();
        }
    }
}
