//! Products of a vector and a matrix.
//!
//! In: a vector of k elements and a k x n matrix with any strides. Out: n elements.
//! Always: each result is the sum of sixteen partial sums, the p-th over the products whose
//! position along k is p modulo sixteen, fused and in order, added up pairwise (p and p + 8,
//! then p and p + 4, ...). So loops along either dimension of the matrix give the same bits:
//! the one along its dense dimension is taken.

use crate::kernels::loops::{Shared, parallel, vectorized};

/// Partial sums per result.
const PARTS: usize = 16;
/// Results side by side where the matrix is dense along them.
const WIDE: usize = 16;
/// Results side by side where it is dense along k.
const NARROW: usize = 4;

/// Floats that can be fused.
pub(super) trait Fused: Copy + Send + Sync + 'static {
    const ZERO: Self;
    /// `self * b + c`, rounded once.
    fn fused(self, b: Self, c: Self) -> Self;
    fn plus(self, other: Self) -> Self;
}

macro_rules! fused {
    ($t:ty) => {
        impl Fused for $t {
            const ZERO: $t = 0.0;
            #[inline(always)]
            fn fused(self, b: $t, c: $t) -> $t {
                self.mul_add(b, c)
            }
            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                self + other
            }
        }
    };
}
fused!(f32);
fused!(f64);

/// The sums of the partial sums of W results side by side.
#[inline(always)]
fn totals<T: Fused, const W: usize>(mut parts: [[T; W]; PARTS]) -> [T; W] {
    let mut half = PARTS / 2;
    while half > 0 {
        for p in 0..half {
            let upper = parts[p + half];
            for (sum, part) in parts[p].iter_mut().zip(upper) {
                *sum = sum.plus(part);
            }
        }
        half /= 2;
    }
    parts[0]
}

/// The sum of the partial sums of one result.
#[inline(always)]
fn total<T: Fused>(mut parts: [T; PARTS]) -> T {
    let mut half = PARTS / 2;
    while half > 0 {
        for p in 0..half {
            parts[p] = parts[p].plus(parts[p + half]);
        }
        half /= 2;
    }
    parts[0]
}

/// `acc += a * b`, element by element. In arrays, so that it becomes vector instructions: through
/// pointers the compiler does not know that what is read is not what was just written.
#[inline(always)]
fn fuse<T: Fused, const W: usize>(a: [T; W], b: [T; W], acc: &mut [T; W]) {
    let mut sums = *acc;
    for i in 0..W {
        sums[i] = a[i].fused(b[i], sums[i]);
    }
    *acc = sums;
}

/// A matrix as the kernel walks it.
#[derive(Clone, Copy)]
struct Matrix<T> {
    data: Shared<T>,
    /// Step along k.
    along: isize,
    /// Step to the next result.
    across: isize,
}

impl<T: Fused> Matrix<T> {
    /// Adds row k's products for W results from number j on.
    ///
    /// # Safety
    /// The matrix has row k and results j to j + W; `across` is 1 if DENSE.
    #[inline(always)]
    unsafe fn row<const W: usize, const DENSE: bool>(
        self,
        k: usize,
        j: usize,
        a: T,
        part: &mut [T; W],
    ) {
        // SAFETY: the caller's promise.
        let p = unsafe {
            self.data
                .at(k as isize * self.along + j as isize * self.across)
        };
        // SAFETY: the caller's promise.
        let b = unsafe {
            if DENSE {
                p.cast::<[T; W]>().read_unaligned()
            } else {
                std::array::from_fn(|i| *p.offset(i as isize * self.across))
            }
        };
        fuse([a; W], b, part);
    }

    /// W results from number j on, row by row.
    ///
    /// # Safety
    /// The matrix has v.len() rows and results j to j + W; `across` is 1 if DENSE.
    #[inline(always)]
    unsafe fn across<const W: usize, const DENSE: bool>(self, v: &[T], j: usize) -> [T; W] {
        let mut parts = [[T::ZERO; W]; PARTS];
        let (blocks, rest) = v.as_chunks::<PARTS>();
        for (block, chunk) in blocks.iter().enumerate() {
            for (i, (a, part)) in chunk.iter().zip(&mut parts).enumerate() {
                // SAFETY: the caller's promise; the row is one of v.len().
                unsafe { self.row::<W, DENSE>(block * PARTS + i, j, *a, part) };
            }
        }
        for (i, (a, part)) in rest.iter().zip(&mut parts).enumerate() {
            // SAFETY: as above.
            unsafe { self.row::<W, DENSE>(blocks.len() * PARTS + i, j, *a, part) };
        }
        totals(parts)
    }

    /// W results from number j on, for a matrix that is dense along k.
    ///
    /// # Safety
    /// As for `across`; `along` is 1.
    #[inline(always)]
    unsafe fn along<const W: usize>(self, v: &[T], j: usize) -> [T; W] {
        let mut parts = [[T::ZERO; PARTS]; W];
        // SAFETY: the caller's promise.
        let at = |k: usize, i: usize| unsafe {
            self.data.at(k as isize + (j + i) as isize * self.across)
        };
        let (blocks, rest) = v.as_chunks::<PARTS>();
        for (block, chunk) in blocks.iter().enumerate() {
            for (i, part) in parts.iter_mut().enumerate() {
                // SAFETY: as above: the block's PARTS rows are there, and dense.
                let b = unsafe { at(block * PARTS, i).cast::<[T; PARTS]>().read_unaligned() };
                fuse(*chunk, b, part);
            }
        }
        for (i, part) in parts.iter_mut().enumerate() {
            let p = at(blocks.len() * PARTS, i);
            for (l, (a, acc)) in rest.iter().zip(part).enumerate() {
                // SAFETY: as above.
                *acc = a.fused(unsafe { *p.add(l) }, *acc);
            }
        }
        parts.map(total)
    }
}

/// `c[j] = sum over k of v[k] * b[k, j]`, or added to what c holds.
///
/// # Safety
/// `v` has k elements, `b` k x n, `c` n, at these steps; `c` overlaps neither.
pub(super) unsafe fn product<T: Fused>(
    n: usize,
    k: usize,
    (v, v_step): (*const T, isize),
    (b, along, across): (*const T, isize, isize),
    (c, c_step): (*mut T, isize),
    accumulate: bool,
) {
    // SAFETY: the caller's promise.
    let v: Vec<T> = (0..k as isize)
        .map(|i| unsafe { *v.offset(i * v_step) })
        .collect();
    let matrix = Matrix {
        data: Shared::<T>::new(b.cast_mut().cast()),
        along,
        across,
    };
    let c = Shared::<T>::new(c.cast());
    let store = move |j: usize, sums: &[T]| {
        for (i, sum) in sums.iter().enumerate() {
            // SAFETY: results j to j + sums.len() are this thread's.
            unsafe {
                let to = c.at((j + i) as isize * c_step);
                *to = if accumulate { (*to).plus(*sum) } else { *sum };
            }
        }
    };
    let v = v.as_slice();
    parallel(n, n.saturating_mul(k), |range| {
        vectorized(
            #[inline(always)]
            || {
                let mut j = range.start;
                let end = range.end;
                // SAFETY: all results below stay under `end`, which is at most n.
                unsafe {
                    if along == 1 && across != 1 {
                        while j + NARROW <= end {
                            store(j, &matrix.along::<NARROW>(v, j));
                            j += NARROW;
                        }
                        while j < end {
                            store(j, &matrix.along::<1>(v, j));
                            j += 1;
                        }
                    } else {
                        while across == 1 && j + WIDE <= end {
                            store(j, &matrix.across::<WIDE, true>(v, j));
                            j += WIDE;
                        }
                        while j < end {
                            store(j, &matrix.across::<1, false>(v, j));
                            j += 1;
                        }
                    }
                }
            },
        );
    });
}
