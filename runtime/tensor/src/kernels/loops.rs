//! Loop nests over strided operands of one shape.
//!
//! In: a shape and the strides of K operands. Out: runs of the innermost dimension, after
//! dimensions that lie dense in all operands were merged; in parallel where that pays.
//! Always: every index is visited exactly once; splitting for threads happens between
//! elements, so elementwise results cannot depend on it.

use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use smallvec::SmallVec;

/// Vector instructions of this machine, detected once.
static ARCH: LazyLock<pulp::Arch> = LazyLock::new(pulp::Arch::new);

/// Runs `f` compiled for the widest vector instructions of this machine. Fused
/// multiply-add is never introduced by that: results are the same on every machine.
#[inline(always)]
pub(crate) fn vectorized<R>(f: impl FnOnce() -> R) -> R {
    ARCH.dispatch(f)
}

/// How many threads kernels may use; 0 until someone asks.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// How many threads kernels may use: what was set, else `OMP_NUM_THREADS`, else all processors.
#[must_use]
pub fn threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => {
            let asked = std::env::var("OMP_NUM_THREADS").ok();
            let asked = asked.and_then(|n| n.trim().parse().ok()).filter(|n| *n > 0);
            let n = asked.unwrap_or_else(rayon::current_num_threads);
            THREADS.store(n, Ordering::Relaxed);
            n
        }
        n => n,
    }
}

/// Sets how many threads kernels may use. More than there are processors is no more than that.
pub fn set_threads(n: usize) {
    THREADS.store(n.max(1), Ordering::Relaxed);
}

/// Makes the calling thread one of those that kernels share, so that there are as many as processors and none
/// waits while the others work. For the thread that runs the script, before it runs any kernel; where the pool is
/// there already, nothing changes.
pub fn join_threads() {
    // It fails only where the pool is there already.
    let _ = rayon::ThreadPoolBuilder::new()
        .use_current_thread()
        .build_global();
}

/// Whether the pool's threads are missing.
static ALONE: AtomicBool = AtomicBool::new(false);

/// In a copy of the process: the pool's threads are not in it, so that work stays on its thread.
pub fn leave_threads() {
    ALONE.store(true, Ordering::Relaxed);
}

/// How many threads work is split for.
pub(crate) fn workers() -> usize {
    if ALONE.load(Ordering::Relaxed) {
        return 1;
    }
    threads().min(rayon::current_num_threads())
}

/// Elements below which a kernel stays on its thread.
const PARALLEL_FROM: usize = 1 << 16;

/// A pointer that kernels share between threads; disjoint parts are written by each.
pub(crate) struct Shared<T>(*mut T);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<T> {}
// SAFETY: a `Shared` is only used inside one kernel call, which partitions the elements that
// are written between threads; elements are plain numbers.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) fn new(p: *mut u8) -> Self {
        Shared(p.cast())
    }

    /// The element `offset` away.
    ///
    /// # Safety
    /// As for `pointer::offset`.
    #[inline(always)]
    pub(crate) unsafe fn at(self, offset: isize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { self.0.offset(offset) }
    }
}

/// Splits `0..extent` between threads when `work` elements are worth it.
pub(crate) fn parallel(extent: usize, work: usize, f: impl Fn(Range<usize>) + Sync + Send) {
    // Several pieces a worker, of which it takes the next one when it is done with one.
    let pieces = match work {
        0..PARALLEL_FROM => 1,
        _ => work / (PARALLEL_FROM / 2),
    };
    in_pieces(extent, pieces, &f);
}

/// Runs `f` for about `most` pieces that together are `0..extent`, on several threads.
pub(crate) fn in_pieces(extent: usize, most: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
    if most < 2 || extent < 2 {
        return f(0..extent);
    }
    let workers = workers();
    let pieces = most.min(workers * 4).min(extent);
    if workers < 2 {
        return f(0..extent);
    }
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            let p = next.fetch_add(1, Ordering::Relaxed);
            if p >= pieces {
                break;
            }
            f(extent * p / pieces..extent * (p + 1) / pieces);
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..workers.min(pieces) {
            scope.spawn(|_| take());
        }
        take();
    });
}

/// An extent and the strides of K operands.
type Dim<const K: usize> = (usize, [isize; K]);

/// What [`Loops::blocks`] calls.
type Block<'a, const K: usize> = dyn Fn([isize; K], Dim<K>, Dim<K>) + Sync + 'a;

/// A merged loop nest. Dimension 0 is outermost; there is always at least one.
pub(crate) struct Loops<const K: usize> {
    dims: SmallVec<[Dim<K>; 6]>,
}

impl<const K: usize> Loops<K> {
    pub(crate) fn new(shape: &[i64], strides: [&[i64]; K]) -> Self {
        let mut dims: SmallVec<[Dim<K>; 6]> = SmallVec::new();
        for (i, &extent) in shape.iter().enumerate() {
            if extent == 1 {
                continue;
            }
            let step: [isize; K] =
                std::array::from_fn(|k| strides[k].get(i).copied().unwrap_or(0) as isize);
            let extent = extent as usize;
            match dims.last_mut() {
                Some((outer, outer_step))
                    if (0..K).all(|k| outer_step[k] == step[k] * extent as isize) =>
                {
                    *outer *= extent;
                    *outer_step = step;
                }
                _ => dims.push((extent, step)),
            }
        }
        if dims.is_empty() {
            dims.push((1, [0; K]));
        }
        Loops { dims }
    }

    /// Elements in all.
    pub(crate) fn numel(&self) -> usize {
        self.dims.iter().map(|d| d.0).product()
    }

    /// Extent of the outermost dimension.
    pub(crate) fn extent(&self) -> usize {
        self.dims.first().map_or(1, |d| d.0)
    }

    /// Calls `f(offsets, n, strides)` for each innermost run whose outermost index is in
    /// `range`, in row-major order.
    #[inline(always)]
    pub(crate) fn runs(
        &self,
        range: Range<usize>,
        mut f: impl FnMut([isize; K], usize, [isize; K]),
    ) {
        if self.numel() == 0 || range.is_empty() {
            return;
        }
        let Some((&(inner, step), outer)) = self.dims.split_last() else {
            return;
        };
        let Some((&(_, first), middle)) = outer.split_first() else {
            let base = std::array::from_fn(|k| range.start as isize * step[k]);
            return f(base, range.len(), step);
        };
        let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, middle.len());
        for i in range {
            let mut offset: [isize; K] = std::array::from_fn(|k| i as isize * first[k]);
            'nest: loop {
                f(offset, inner, step);
                // Counts up `index`, the rightmost dimension fastest.
                for (slot, (extent, step)) in index.iter_mut().zip(middle).rev() {
                    *slot += 1;
                    for k in 0..K {
                        offset[k] += step[k];
                    }
                    if *slot < *extent {
                        continue 'nest;
                    }
                    for k in 0..K {
                        offset[k] -= step[k] * *extent as isize;
                    }
                    *slot = 0;
                }
                break;
            }
        }
    }

    /// Runs the whole nest, in parallel where it is large. `f` sees each run once.
    #[inline(always)]
    pub(crate) fn each(&self, f: impl Fn([isize; K], usize, [isize; K]) + Copy + Sync + Send) {
        self.blocks(&|mut offsets, (rows, down), (n, along)| {
            vectorized(
                #[inline(always)]
                || {
                    for _ in 0..rows {
                        f(offsets, n, along);
                        for k in 0..K {
                            offsets[k] += down[k];
                        }
                    }
                },
            );
        });
    }

    /// Calls `block(offsets, rows, run)` for the two innermost dimensions, each with its extent and strides, in parallel
    /// where the nest is large. It is one function for all kernels: each has only these two loops for each set of vector
    /// instructions, not those around them.
    fn blocks(&self, block: &Block<'_, K>) {
        let Some((&run, outer)) = self.dims.split_last() else {
            return;
        };
        let numel = self.numel();
        if numel == 0 {
            return;
        }
        if outer.is_empty() {
            let (extent, step) = run;
            parallel(extent, numel, |range| {
                let base = std::array::from_fn(|k| range.start as isize * step[k]);
                block(base, (1, [0; K]), (range.len(), step));
            });
        } else {
            let outer = Loops { dims: outer.into() };
            parallel(outer.extent(), numel, |range| {
                outer.runs(range, |offsets, n, step| block(offsets, (n, step), run));
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(shape: &[i64], strides: &[i64]) -> Vec<isize> {
        let loops = Loops::new(shape, [strides]);
        let mut seen = Vec::new();
        loops.runs(0..loops.extent(), |[o], n, [s]| {
            seen.extend((0..n as isize).map(|i| o + i * s));
        });
        seen
    }

    #[test]
    fn visits_in_row_major_order() {
        assert_eq!(offsets(&[2, 3], &[3, 1]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(offsets(&[2, 3], &[1, 2]), [0, 2, 4, 1, 3, 5]);
        assert_eq!(
            offsets(&[2, 2, 2], &[0, 10, 1]),
            [0, 1, 10, 11, 0, 1, 10, 11]
        );
        assert_eq!(offsets(&[], &[]), [0]);
        assert_eq!(offsets(&[3, 0], &[0, 1]), [] as [isize; 0]);
        let strides = [100, 37, 5, 2];
        let mut want = Vec::new();
        for a in 0..2 {
            for b in 0..3 {
                for c in 0..2 {
                    for d in 0..2 {
                        want.push(a * 100 + b * 37 + c * 5 + d * 2);
                    }
                }
            }
        }
        assert_eq!(offsets(&[2, 3, 2, 2], &strides), want);
    }
}
