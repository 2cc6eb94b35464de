//! Kernels that index with tensors.
//!
//! In: data and int64 indices with any strides. Out: row-major results.
//! Always: indices are checked against the extent before anything is written; additions to
//! one element happen in row-major order of the index.

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::copy::{contiguous, copy_of};
use crate::kernels::loops::{Loops, Shared};
use crate::scalar::{Element, Scalar};
use crate::shape::{Shape, Strides};
use crate::tensor::Layout;

fn wrong_index_dtype(op: &'static str) -> TensorError {
    TensorError::Runtime(format!("{op}(): Expected dtype int64 for index"))
}

/// Checks that every index is in `0..size`.
fn check(
    index: &Layout,
    size: i64,
    op: &'static str,
    error: impl Fn(i64) -> TensorError,
) -> Result<()> {
    if index.dtype != DType::I64 {
        return Err(wrong_index_dtype(op));
    }
    let all = index.to_vec::<i64>()?;
    match all.iter().find(|&&i| i < 0 || i >= size) {
        Some(&i) => Err(error(i)),
        None => Ok(()),
    }
}

/// Adds `v` to `*p` as `reduce_sum` would not: in the element type, element by element.
#[inline(always)]
fn add<T: Element>(a: T, b: T) -> T {
    match T::DTYPE {
        DType::C64 | DType::C128 => T::from_scalar(Scalar::C128(
            a.to_scalar().to_c128() + b.to_scalar().to_c128(),
        )),
        DType::F64 => T::from_f64(a.to_f64() + b.to_f64()),
        // The f64 sum of two f32 rounds to the same f32 as the direct sum: 53 >= 2 * 24 + 2.
        DType::F32 | DType::F16 | DType::BF16 => T::from_f64(a.to_f64() + b.to_f64()),
        _ => T::from_i64(a.to_i64().wrapping_add(b.to_i64())),
    }
}

fn strides_without(x: &Layout, dim: usize) -> (Strides, isize) {
    let mut s = x.strides.clone();
    let step = match s.get_mut(dim) {
        Some(step) => std::mem::replace(step, 0),
        None => 0,
    };
    (s, step as isize)
}

/// Shapes of `gather` and `scatter_add`: index may be smaller than x but along `dim`.
fn check_gather_shape(x: &Layout, dim: usize, index: &Layout, op: &'static str) -> Result<()> {
    let rank = |l: &Layout| l.rank().max(1);
    if rank(x) != rank(index) {
        let of = if op == "gather" { "input" } else { "self" };
        return Err(TensorError::Runtime(format!(
            "Index tensor must have the same number of dimensions as {of} tensor"
        )));
    }
    for i in 0..index.rank() {
        let at = |l: &Layout| l.shape.get(i).copied().unwrap_or(1);
        if i != dim && at(index) > at(x) {
            return Err(TensorError::Runtime(format!(
                "Size does not match at dimension {i} expected index {} to be no larger than {} {} apart from dimension {dim}",
                crate::error::ShapeText::from(&index.shape[..]),
                if op == "gather" { "self" } else { "src" },
                crate::error::ShapeText::from(&x.shape[..]),
            )));
        }
    }
    Ok(())
}

/// `gather`
pub(crate) fn gather(x: &Layout, dim: usize, index: &Layout) -> Result<Layout> {
    fn of<T: Copy>(out: &Layout, x: &Layout, dim: usize, index: &Layout) {
        let (strides, step) = strides_without(x, dim);
        let loops = Loops::new(&out.shape, [&out.strides, &strides, &index.strides]);
        let (o, p) = (Shared::<T>::new(out.ptr()), Shared::<T>::new(x.ptr()));
        let k = Shared::<i64>::new(index.ptr());
        // SAFETY: offsets come from the layouts (x without `dim`), the index was checked
        // against x's extent of `dim`; T has the width of the elements.
        loops.each(move |off, n, [so, sp, sk]| unsafe {
            for i in 0..n as isize {
                let at = *k.at(off[2] + i * sk) as isize;
                *o.at(off[0] + i * so) = *p.at(off[1] + i * sp + at * step);
            }
        });
    }
    check_gather_shape(x, dim, index, "gather")?;
    let size = x.shape.get(dim).copied().unwrap_or(1);
    check(index, size, "gather", |index| TensorError::GatherRange {
        index,
        dim,
        size,
    })?;
    let out = Layout::empty(&index.shape, x.dtype)?;
    match x.dtype.size() {
        1 => of::<u8>(&out, x, dim, index),
        2 => of::<u16>(&out, x, dim, index),
        4 => of::<u32>(&out, x, dim, index),
        8 => of::<u64>(&out, x, dim, index),
        _ => of::<[u64; 2]>(&out, x, dim, index),
    }
    Ok(out)
}

/// `scatter_add`
pub(crate) fn scatter_add(
    base: &Layout,
    dim: usize,
    index: &Layout,
    src: &Layout,
) -> Result<Layout> {
    check_gather_shape(base, dim, index, "scatter")?;
    let size = base.shape.get(dim).copied().unwrap_or(1);
    check(index, size, "scatter", |index| TensorError::GatherRange {
        index,
        dim,
        size,
    })?;
    let fits =
        index.rank() == src.rank() && index.shape.iter().zip(&src.shape).all(|(i, s)| i <= s);
    if !fits || src.dtype != base.dtype {
        return Err(TensorError::Runtime(
            "scatter(): Expected self.dtype to be equal to src.dtype, and index no larger than src"
                .to_owned(),
        ));
    }
    let out = copy_of(base)?;
    let (strides, step) = strides_without(&out, dim);
    let loops = Loops::new(&index.shape, [&strides, &index.strides, &src.strides]);
    let k = Shared::<i64>::new(index.ptr());
    dispatch!(out.dtype; all: T => {
        let (o, s) = (Shared::<T>::new(out.ptr()), Shared::<T>::new(src.ptr()));
        // In order and on one thread: several sources may hit one element.
        loops.runs(0..loops.extent(), |off, n, [so, sk, ss]| {
            for i in 0..n as isize {
                // SAFETY: as in `gather`.
                unsafe {
                    let at = *k.at(off[1] + i * sk) as isize;
                    let to = o.at(off[0] + i * so + at * step);
                    *to = add(*to, *s.at(off[2] + i * ss));
                }
            }
        });
    });
    Ok(out)
}

/// Rows of `take`: x seen as `[before, size, after]`, contiguous.
struct Rows {
    before: usize,
    size: usize,
    after: usize,
}

fn rows(x: &Layout, dim: usize) -> Rows {
    let product = |s: Option<&[i64]>| s.unwrap_or(&[]).iter().product::<i64>() as usize;
    Rows {
        before: product(x.shape.get(..dim)),
        size: x.shape.get(dim).copied().unwrap_or(1) as usize,
        after: product(x.shape.get(dim + 1..)),
    }
}

fn take_shape(x: &Layout, dim: usize, index: &Layout) -> Shape {
    let mut shape: Shape = x.shape.get(..dim).unwrap_or(&[]).into();
    shape.extend_from_slice(&index.shape);
    shape.extend_from_slice(x.shape.get(dim + 1..).unwrap_or(&[]));
    shape
}

/// `take`
pub(crate) fn take(x: &Layout, dim: usize, index: &Layout) -> Result<Layout> {
    let r = rows(x, dim);
    check(index, r.size as i64, "index_select", |_| {
        TensorError::TakeRange
    })?;
    let out = Layout::empty(&take_shape(x, dim, index), x.dtype)?;
    let (x, index) = (contiguous(x)?, index.to_vec::<i64>()?);
    let width = r.after * x.dtype.size();
    let (mut to, from) = (out.ptr(), x.ptr());
    for b in 0..r.before {
        for &i in &index {
            // SAFETY: `out` holds before * index.len() rows of `width` bytes, which are written
            // in order; the index was checked against the rows of x.
            unsafe {
                let row = from.add((b * r.size + i as usize) * width);
                std::ptr::copy_nonoverlapping(row, to, width);
                to = to.add(width);
            }
        }
    }
    Ok(out)
}

/// `take_add`
pub(crate) fn take_add(base: &Layout, dim: usize, index: &Layout, src: &Layout) -> Result<Layout> {
    let r = rows(base, dim);
    check(index, r.size as i64, "index_add", |_| {
        TensorError::TakeRange
    })?;
    if src.shape != take_shape(base, dim, index) || src.dtype != base.dtype {
        return Err(TensorError::Runtime(format!(
            "take_add: source of shape {} does not match",
            crate::error::ShapeText::from(&src.shape[..])
        )));
    }
    let out = copy_of(base)?;
    let (src, index) = (contiguous(src)?, index.to_vec::<i64>()?);
    dispatch!(out.dtype; all: T => {
        let (o, s) = (out.ptr().cast::<T>(), src.ptr().cast::<T>());
        let mut row = 0;
        for b in 0..r.before {
            for &i in &index {
                for j in 0..r.after {
                    // SAFETY: as in `take`, with the roles of both sides exchanged.
                    unsafe {
                        let to = o.add((b * r.size + i as usize) * r.after + j);
                        *to = add(*to, *s.add(row * r.after + j));
                    }
                }
                row += 1;
            }
        }
    });
    Ok(out)
}
