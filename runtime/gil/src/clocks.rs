//! Where a thread's time goes, for `--stats`.
//!
//! In: what is run for a cause. Out: seconds by cause of the thread that asks. Always: nothing is measured until [`measure`] is
//! called, since a clock costs as much as a small kernel.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the interpreter spends time on besides interpreting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Primitives on tensors, one by one.
    Kernels,
    /// The system: sleep, locks, pipes and sockets. Others have their turn meanwhile.
    Waiting,
    /// Backward passes of compiled code, which the tape runs.
    Backward,
}

static IS_MEASURED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static SPENT: [Cell<Duration>; 3] = const { [const { Cell::new(Duration::ZERO) }; 3] };
}

/// Measures from now on, on all threads.
pub fn measure() {
    IS_MEASURED.store(true, Ordering::Relaxed);
}

/// Runs `f`, whose time is of this cause.
#[inline]
pub fn timed<R>(cause: Clock, f: impl FnOnce() -> R) -> R {
    if !IS_MEASURED.load(Ordering::Relaxed) {
        return f();
    }
    let start = Instant::now();
    let result = f();
    let time = start.elapsed();
    SPENT.with(|spent| {
        let clock = &spent[cause as usize];
        clock.set(clock.get() + time);
    });
    result
}

/// What this thread has spent on a cause since [`measure`].
pub fn spent(cause: Clock) -> Duration {
    SPENT.with(|spent| spent[cause as usize].get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_counted_by_cause_and_thread_once_it_is_measured() {
        let nap = || std::thread::sleep(Duration::from_millis(2));
        timed(Clock::Waiting, nap);
        assert_eq!(spent(Clock::Waiting), Duration::ZERO);
        measure();
        timed(Clock::Waiting, nap);
        assert!(spent(Clock::Waiting) >= Duration::from_millis(2));
        assert_eq!(spent(Clock::Kernels), Duration::ZERO);
        let other = std::thread::spawn(|| spent(Clock::Waiting)).join();
        assert_eq!(other.ok(), Some(Duration::ZERO));
    }
}
