//! Sorting: the order of the elements along a dimension.
//!
//! In: a tensor. Out: indices, from which a gather makes the values.
//! Always: a NaN is the largest value; where all is sorted, equal elements keep their order.

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::conv::element;
use crate::kernels::select;
use crate::ops::SortPart;
use crate::scalar::Element;
use crate::tensor::Layout;

/// Extents and strides of a tensor, and where its first element is.
struct Place<'a, T> {
    at: *mut T,
    extents: &'a [i64],
    strides: &'a [i64],
}

/// Calls `f` with the offsets in `x` and `out` at which each lane along `dim` begins.
fn each_lane(extents: &[i64], dim: usize, x: &[i64], out: &[i64], mut f: impl FnMut(i64, i64)) {
    let outer = extents.iter().enumerate().filter(|&(i, _)| i != dim);
    let lanes: i64 = outer.map(|(_, &n)| n.max(0)).product();
    for lane in 0..lanes {
        let (mut rest, mut from, mut to) = (lane, 0, 0);
        for i in (0..extents.len()).rev().filter(|&i| i != dim) {
            let index = rest % extents[i];
            rest /= extents[i];
            from += index * x[i];
            to += index * out[i];
        }
        f(from, to);
    }
}

/// Puts a part of a lane in order.
fn order_part<T: Copy>(lane: &mut [T], part: SortPart, less: &impl Fn(&T, &T) -> bool) {
    let at = |k: i64| usize::try_from(k).unwrap_or(0);
    match part {
        SortPart::All => select::sort(lane, less),
        SortPart::Top(k) => select::top(lane, at(k), true, less),
        SortPart::TopUnordered(k) => select::top(lane, at(k), false, less),
        SortPart::Kth(k) => select::kth(lane, at(k), less),
    }
}

/// # Safety
/// Both places describe tensors of the same extents; `x` may be read, `out` written.
unsafe fn argsort<T: Element + PartialOrd>(
    x: &Place<'_, T>,
    out: &Place<'_, i64>,
    dim: usize,
    descending: bool,
    part: SortPart,
) {
    let compare = |a: &T, b: &T| {
        a.partial_cmp(b)
            .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
    };
    let n = x.extents[dim].max(0);
    let mut lane: Vec<(T, i64)> = Vec::with_capacity(n as usize);
    each_lane(x.extents, dim, x.strides, out.strides, |from, to| {
        lane.clear();
        lane.extend((0..n).map(|j| {
            // SAFETY: the caller's promise: an element of x.
            let v = unsafe { *x.at.offset((from + j * x.strides[dim]) as isize) };
            (v, j)
        }));
        if part == SortPart::All {
            match descending {
                true => lane.sort_by(|(a, _), (b, _)| compare(b, a)),
                false => lane.sort_by(|(a, _), (b, _)| compare(a, b)),
            }
        } else if descending {
            order_part(&mut lane, part, &|(a, _), (b, _)| compare(b, a).is_lt());
        } else {
            order_part(&mut lane, part, &|(a, _), (b, _)| compare(a, b).is_lt());
        }
        for (j, &(_, index)) in (0..n).zip(&lane) {
            // SAFETY: the caller's promise: an element of out.
            unsafe { *out.at.offset((to + j * out.strides[dim]) as isize) = index };
        }
    });
}

/// The eager kernel.
pub(crate) fn run(x: &Layout, dim: usize, descending: bool, part: SortPart) -> Result<Layout> {
    if dim >= x.rank() {
        return Err(TensorError::Runtime(
            "sorting: malformed attributes".to_owned(),
        ));
    }
    let out = Layout::empty(&x.shape, DType::I64)?;
    if out.numel() > 0 {
        let to = Place {
            at: out.ptr().cast::<i64>(),
            extents: &out.shape,
            strides: &out.strides,
        };
        dispatch!(x.dtype; real: T => {
            let from = Place { at: x.ptr().cast::<T>(), extents: &x.shape, strides: &x.strides };
            // SAFETY: layouts describe live memory; the result is new and has x's shape.
            unsafe { argsort(&from, &to, dim, descending, part) };
        }; else return Err(TensorError::NoKernel { op: "sort", dtype: x.dtype }));
    }
    Ok(out)
}

/// The routine for generated code. `words` are: the element type's number, the rank, the dimension, 1
/// where the largest comes first, which part and its number; and for the operand and the result the address, extents and strides
/// in elements.
///
/// # Safety
/// The words are as above; addresses, extents and strides describe a tensor that may be read, and
/// one of int64 of the same extents that may be written and does not overlap it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_argsort(words: *const i64) {
    // SAFETY: the caller's promise.
    let (words, rank) = unsafe {
        let rank = usize::try_from(*words.add(1)).unwrap_or(0);
        (
            std::slice::from_raw_parts(words, 6 + 2 * (1 + 2 * rank)),
            rank,
        )
    };
    let &[code, _, dim, descending, part, k, ref rest @ ..] = words else {
        return;
    };
    let (x, out) = rest.split_at(1 + 2 * rank);
    let (dim, dtype) = (dim as usize, element(Some(code)));
    if dim >= rank || x[1..=rank].iter().any(|&n| n <= 0) {
        return;
    }
    let to = Place {
        at: out[0] as *mut i64,
        extents: &out[1..=rank],
        strides: &out[1 + rank..],
    };
    dispatch!(dtype; real: T => {
        let from = Place { at: x[0] as *mut T, extents: &x[1..=rank], strides: &x[1 + rank..] };
        // SAFETY: the caller's promise.
        unsafe { argsort(&from, &to, dim, descending != 0, SortPart::from_code(part, k)) };
    }; else ());
}
