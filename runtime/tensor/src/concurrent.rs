//! Parts of generated code that may run at the same time, and loops of which pieces may.
//!
//! In: functions, and a context that they share. Out: all of them ran.
//! Always: when a call returns, no part runs any more and none will; the caller runs parts
//! itself and waits for no thread that has not begun one, so a pool that is busy costs nothing.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::kernels::loops::{in_pieces, workers};

/// A part of generated code, called with the context.
pub type Part = unsafe extern "C" fn(*mut c_void);

/// One call's parts, claimed one by one.
struct Job {
    parts: Vec<Part>,
    context: *mut c_void,
    next: AtomicUsize,
    done: Mutex<usize>,
    all_done: Condvar,
}

// SAFETY: the context is only handed to parts, which the caller of `janus_rt_concurrent` promises
// may run on any threads at the same time.
unsafe impl Send for Job {}
// SAFETY: as above; the counters are shared through atomics and a lock.
unsafe impl Sync for Job {}

impl Job {
    /// Runs parts until none is left to begin.
    fn work(&self) {
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = self.parts.get(i) else {
                return;
            };
            // SAFETY: whoever claims a part runs it once, and the caller does not return, so that
            // the context stays, before it is counted as done.
            unsafe { part(self.context) };
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            *done += 1;
            if *done == self.parts.len() {
                self.all_done.notify_one();
            }
        }
    }
}

/// Runs `count` parts, at the same time if that is `worth` it and there are threads.
///
/// # Safety
/// `parts` points to `count` functions, which may run in any order and at the same time with this
/// context and do not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_concurrent(
    count: i64,
    parts: *const Part,
    context: *mut c_void,
    worth: bool,
) {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the caller's promise.
    let parts = unsafe { std::slice::from_raw_parts(parts, count) };
    let threads = workers();
    if !worth || threads < 2 || count < 2 {
        for part in parts {
            // SAFETY: the caller's promise.
            unsafe { part(context) };
        }
        return;
    }
    let job = Arc::new(Job {
        parts: parts.to_vec(),
        context,
        next: AtomicUsize::new(0),
        done: Mutex::new(0),
        all_done: Condvar::new(),
    });
    for _ in 1..threads.min(count) {
        let job = job.clone();
        rayon::spawn(move || job.work());
    }
    job.work();
    let mut done = job.done.lock().unwrap_or_else(PoisonError::into_inner);
    while *done < count {
        done = job
            .all_done
            .wait(done)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

/// A loop of generated code, called with the context for the iterations from its second argument up
/// to its third.
pub type Piece = unsafe extern "C" fn(*mut c_void, i64, i64);

/// Thirty-seconds of a nanosecond, the unit of `janus-parallelize`, that are worth a piece of their
/// own.
const WORTH_A_PIECE: i64 = 10_000 * 32;

/// The context of a call's pieces, to be sent to threads.
struct Context(*mut c_void);

// SAFETY: it is only handed to pieces, which the caller of `janus_rt_split` promises may run on any
// threads at the same time.
unsafe impl Sync for Context {}

/// Runs the iterations from 0 to `extent`, which are `work` together, in one or more pieces.
///
/// # Safety
/// `piece` may be run for parts of these iterations, in any order and at the same time, with this
/// context, and does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_split(
    extent: i64,
    work: i64,
    piece: Piece,
    context: *mut c_void,
) {
    let context = Context(context);
    // The whole of `context`, which may be sent, and not its field.
    let context = &context;
    let pieces = usize::try_from(work / WORTH_A_PIECE).unwrap_or(0);
    in_pieces(usize::try_from(extent).unwrap_or(0), pieces, &|range| {
        // SAFETY: the caller's promise; the bounds are within `extent`.
        unsafe { piece(context.0, range.start as i64, range.end as i64) }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    static RUN: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    unsafe extern "C" fn part<const N: usize>(context: *mut c_void) {
        RUN[N].fetch_add(context as usize, Ordering::Relaxed);
    }

    #[test]
    fn each_part_runs_once() {
        let parts: [Part; 3] = [part::<0>, part::<1>, part::<2>];
        for round in 1..200 {
            let worth = round % 3 != 0;
            // SAFETY: three parts, which take any context.
            unsafe {
                janus_rt_concurrent(3, parts.as_ptr(), std::ptr::dangling_mut::<c_void>(), worth)
            };
            assert!(RUN.iter().all(|n| n.load(Ordering::Relaxed) == round));
        }
    }
    unsafe extern "C" fn count(context: *mut c_void, from: i64, to: i64) {
        // SAFETY: the context is the counters, of which there is one for each iteration.
        let counters = unsafe { &*context.cast::<[AtomicUsize; 1000]>() };
        for counter in &counters[from as usize..to as usize] {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn each_iteration_runs_once() {
        let mut counters = [const { AtomicUsize::new(0) }; 1000];
        let context = (&raw mut counters).cast::<c_void>();
        for (round, work) in [0, WORTH_A_PIECE, 5 * WORTH_A_PIECE, i64::MAX]
            .into_iter()
            .enumerate()
        {
            // SAFETY: as many counters as iterations.
            unsafe { janus_rt_split(1000, work, count, context) };
            assert!(
                counters
                    .iter()
                    .all(|n| n.load(Ordering::Relaxed) == round + 1)
            );
        }
        // SAFETY: no iteration.
        unsafe { janus_rt_split(0, i64::MAX, count, context) };
        assert_eq!(counters[0].load(Ordering::Relaxed), 4);
    }
}
