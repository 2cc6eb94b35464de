//! Matrix products, for eager kernels and generated code alike.
//!
//! In: matrices as pointers with two strides each. Out: `c = a b`, or `c += a b`.
//! Always: the bits of a result depend on the operands' values and extents only, neither on
//! their strides nor on the number of threads, so both tiers may pass whatever layout they
//! have. The library has shortcuts for special strides that sum in another order; they are
//! switched off by asking for conjugation, which its kernels of real numbers ignore.

use gemm_common::Parallelism;

use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Result, ShapeText, TensorError};
use crate::kernels::gemv;
use crate::kernels::loops::{Loops, Shared, workers};
use crate::scalar::{Element, Scalar};
use crate::tensor::Layout;

/// Multiplications from which a product is spread over threads.
const PARALLEL_FROM: i64 = 1 << 21;

fn parallelism(m: i64, n: i64, k: i64) -> Parallelism {
    let work = m.saturating_mul(n).saturating_mul(k);
    if work >= PARALLEL_FROM && workers() > 1 {
        Parallelism::Rayon(workers())
    } else {
        Parallelism::None
    }
}

macro_rules! export {
    ($(#[$doc:meta])* $name:ident, $t:ty, $library:path) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// The pointers and strides (none negative) describe an m x k, a k x n and an m x n matrix that may be
        /// read, read, and read and written; `c` overlaps neither `a` nor `b`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            m: i64,
            n: i64,
            k: i64,
            a: *const $t,
            a_row: i64,
            a_col: i64,
            b: *const $t,
            b_row: i64,
            b_col: i64,
            c: *mut $t,
            c_row: i64,
            c_col: i64,
            accumulate: bool,
        ) {
            let step = |s: i64| s as isize;
            let size = |d: i64| usize::try_from(d).unwrap_or(0);
            if (m == 1 || n == 1) && k > 0 {
                // A vector and a matrix. SAFETY: the caller's promise.
                return unsafe {
                    if m == 1 {
                        let matrix = (b, step(b_row), step(b_col));
                        let to = (c, step(c_col));
                        gemv::product(size(n), size(k), (a, step(a_col)), matrix, to, accumulate)
                    } else {
                        let matrix = (a, step(a_col), step(a_row));
                        let to = (c, step(c_row));
                        gemv::product(size(m), size(k), (b, step(b_row)), matrix, to, accumulate)
                    }
                };
            }
            // The library's kernels write columns: rows are the columns of the transposed product.
            let row_major = c_col.abs() < c_row.abs();
            let (m, n, c_row, c_col) = if row_major { (n, m, c_col, c_row) } else { (m, n, c_row, c_col) };
            let ((a, a_row, a_col), (b, b_row, b_col)) = if row_major {
                ((b, b_col, b_row), (a, a_col, a_row))
            } else {
                ((a, a_row, a_col), (b, b_row, b_col))
            };
            // SAFETY: the caller's promise is the library's own.
            unsafe {
                $library()(
                    m as usize,
                    n as usize,
                    k as usize,
                    c,
                    c_col as isize,
                    c_row as isize,
                    accumulate,
                    a,
                    a_col as isize,
                    a_row as isize,
                    b,
                    b_col as isize,
                    b_row as isize,
                    if accumulate { 1.0 } else { 0.0 },
                    1.0,
                    // Conjugation of result and left operand: see the head of this file.
                    true,
                    true,
                    false,
                    parallelism(m, n, k),
                );
            }
        }
    };
}

export! {
    /// `c = a b`, or `c += a b` if `accumulate`; strides in elements.
    janus_rt_gemm_f32, f32, gemm_f32::gemm::f32::get_gemm_fn
}
export! {
    /// `c = a b`, or `c += a b` if `accumulate`; strides in elements.
    janus_rt_gemm_f64, f64, gemm_f64::gemm::f64::get_gemm_fn
}

/// Extents and strides of the last two dimensions.
fn matrix(x: &Layout) -> Option<([i64; 2], [i64; 2])> {
    let (&[.., rows, cols], &[.., row, col]) = (&x.shape[..], &x.strides[..]) else {
        return None;
    };
    Some(([rows, cols], [row, col]))
}

/// `dot(a[B.., M, K], b[B.., K, N])`
pub(crate) fn dot(a: &Layout, b: &Layout) -> Result<Layout> {
    let rank = a.rank();
    let (Some(([m, k], [a_row, a_col])), Some(([k2, n], [b_row, b_col]))) = (matrix(a), matrix(b))
    else {
        return Err(TensorError::Runtime(
            "dot needs operands of two or more dimensions".to_owned(),
        ));
    };
    if a.dtype != b.dtype {
        return Err(TensorError::MatmulDtypes(a.dtype, b.dtype));
    }
    let batch = a.shape.get(..rank - 2).unwrap_or(&[]);
    if k != k2 || b.rank() != rank || b.shape.get(..rank - 2) != Some(batch) {
        return Err(TensorError::MatmulShapes(
            ShapeText::from(&a.shape[..]).by_x(),
            ShapeText::from(&b.shape[..]).by_x(),
        ));
    }
    let mut shape = crate::shape::Shape::from_slice(batch);
    shape.extend([m, n]);
    let out = Layout::empty(&shape, a.dtype)?;
    if out.numel() == 0 {
        return Ok(out);
    }
    if k == 0 {
        crate::kernels::copy::fill(&out, Scalar::I64(0));
        return Ok(out);
    }
    if a.dtype.is_complex() {
        return crate::kernels::complex::product(a, b);
    }
    match a.dtype {
        // SAFETY: `each_product` passes matrices of the layouts, and fresh memory for the result.
        DType::F32 => each_product::<f32>(&out, a, b, |x, y, o| unsafe {
            janus_rt_gemm_f32(m, n, k, x, a_row, a_col, y, b_row, b_col, o, n, 1, false);
        }),
        // SAFETY: as above.
        DType::F64 => each_product::<f64>(&out, a, b, |x, y, o| unsafe {
            janus_rt_gemm_f64(m, n, k, x, a_row, a_col, y, b_row, b_col, o, n, 1, false);
        }),
        d => dispatch!(d; int: T => {
            // SAFETY: as above.
            each_product::<T>(&out, a, b, |x, y, o| unsafe {
                integer_product([m, n, k], (x, a_row, a_col), (y, b_row, b_col), o);
            });
        }; else return Err(TensorError::NoKernel { op: "addmm_impl_cpu_", dtype: d })),
    }
    Ok(out)
}

/// Calls `product` with pointers to the matrices of each batch element.
fn each_product<T>(out: &Layout, a: &Layout, b: &Layout, product: impl Fn(*mut T, *mut T, *mut T)) {
    fn outer(s: &[i64]) -> &[i64] {
        s.get(..s.len().saturating_sub(2)).unwrap_or(&[])
    }
    let loops = Loops::new(
        outer(&out.shape),
        [outer(&out.strides), outer(&a.strides), outer(&b.strides)],
    );
    let o = Shared::<T>::new(out.ptr());
    let (x, y) = (Shared::<T>::new(a.ptr()), Shared::<T>::new(b.ptr()));
    loops.runs(0..loops.extent(), |off, count, step| {
        for i in 0..count as isize {
            let at = |k: usize| off[k] + i * step[k];
            // SAFETY: the offsets walk the batch dimensions of the layouts.
            unsafe { product(x.at(at(1)), y.at(at(2)), o.at(at(0))) };
        }
    });
}

/// `o = x y` on integers, wrapping.
///
/// # Safety
/// As for [`janus_rt_gemm_f32`]; `o` is row-major.
unsafe fn integer_product<T: Element>(
    [m, n, k]: [i64; 3],
    (x, xr, xc): (*mut T, i64, i64),
    (y, yr, yc): (*mut T, i64, i64),
    o: *mut T,
) {
    for i in 0..m {
        for j in 0..n {
            let mut acc = 0i64;
            for l in 0..k {
                // SAFETY: i < m, j < n, l < k, and the caller's promise about the matrices.
                let (p, q) = unsafe {
                    (
                        *x.offset((i * xr + l * xc) as isize),
                        *y.offset((l * yr + j * yc) as isize),
                    )
                };
                acc = acc.wrapping_add(p.to_i64().wrapping_mul(q.to_i64()));
            }
            // SAFETY: as above.
            unsafe { *o.offset((i * n + j) as isize) = T::from_i64(acc) };
        }
    }
}
