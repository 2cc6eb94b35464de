//! The lock itself.
//!
//! In: threads. Out: turns. Always: one thread holds the lock at most; one that waited for [`switch_interval`] asks the holder
//! to hand it over, which then waits until somebody else had a turn.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::pending;

#[derive(Default)]
struct State {
    is_held: bool,
    /// Whether the program is over: nobody gets the lock any more.
    is_closed: bool,
    /// Threads that wait for the lock.
    waiting: u32,
    /// How often it was taken.
    turns: u64,
}

static STATE: Mutex<State> = Mutex::new(State {
    is_held: false,
    is_closed: false,
    waiting: 0,
    turns: 0,
});
/// The lock was released.
static RELEASED: Condvar = Condvar::new();
/// The lock was taken.
static TAKEN: Condvar = Condvar::new();
/// Whether there ever was a second thread.
static IS_SHARED: AtomicBool = AtomicBool::new(false);
/// Whether a thread asks for the lock.
static WANTED: AtomicBool = AtomicBool::new(false);
/// Whether this process is a copy of another one.
static IS_FORKED: AtomicBool = AtomicBool::new(false);
/// In microseconds.
static SWITCH_INTERVAL: AtomicU64 = AtomicU64::new(5000);

thread_local! {
    /// Whether this thread holds the lock.
    static HOLDS: Cell<bool> = const { Cell::new(false) };
    /// Gives the lock back when the thread ends.
    static LEASE: Lease = const { Lease };
}

struct Lease;

impl Drop for Lease {
    fn drop(&mut self) {
        if is_held() {
            release();
        }
    }
}

fn state() -> MutexGuard<'static, State> {
    // Nothing in here panics while it is locked.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this thread holds the lock.
#[inline]
pub fn is_held() -> bool {
    HOLDS.get()
}

/// How long a thread waits before it asks for the lock.
pub fn switch_interval() -> Duration {
    Duration::from_micros(SWITCH_INTERVAL.load(Ordering::Relaxed))
}

/// Sets that.
pub fn set_switch_interval(interval: Duration) {
    let micros = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX);
    SWITCH_INTERVAL.store(micros.max(1), Ordering::Relaxed);
}

/// Waits for the lock and takes it; nothing if this thread holds it.
#[cold]
pub fn acquire() {
    if is_held() {
        return;
    }
    let mut state = state();
    state.waiting += 1;
    while state.is_held || state.is_closed {
        let turns = state.turns;
        let (after, waited) = RELEASED
            .wait_timeout(state, switch_interval())
            .unwrap_or_else(PoisonError::into_inner);
        state = after;
        if waited.timed_out() && state.is_held && state.turns == turns && !state.is_closed {
            WANTED.store(true, Ordering::SeqCst);
            pending::ask_for_break();
        }
        while state.is_closed {
            // The program is about to end, and this thread with it.
            state = RELEASED.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
    state.waiting -= 1;
    state.is_held = true;
    state.turns += 1;
    WANTED.store(false, Ordering::SeqCst);
    drop(state);
    TAKEN.notify_all();
    HOLDS.set(true);
    LEASE.with(|_| ());
}

/// Gives the lock away for good, as a thread that ends does.
pub fn release() {
    HOLDS.set(false);
    state().is_held = false;
    RELEASED.notify_one();
}

/// Hands the lock over if a thread asks for it, and waits for it again.
pub fn yield_to_others() {
    if !WANTED.load(Ordering::SeqCst) || !is_held() {
        return;
    }
    HOLDS.set(false);
    let mut state = state();
    state.is_held = false;
    RELEASED.notify_one();
    let turns = state.turns;
    while state.waiting > 0 && state.turns == turns && !state.is_closed {
        state = TAKEN.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    drop(state);
    acquire();
}

/// Whether [`yield_to_others`] would hand the lock over.
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::SeqCst)
}

/// From now on there may be more threads than one.
pub fn share() {
    IS_SHARED.store(true, Ordering::SeqCst);
}

/// Whether there may be more threads than one.
#[inline]
pub fn is_shared() -> bool {
    IS_SHARED.load(Ordering::Relaxed)
}

/// Runs `f` without the lock, so that other threads have their turns. `f` cannot touch data of the interpreter: what is
/// reachable from it is `Send`.
pub fn allow_threads<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    struct Again;
    impl Drop for Again {
        fn drop(&mut self) {
            acquire();
        }
    }
    if !is_shared() || !is_held() {
        return f();
    }
    release();
    let _again = Again;
    f()
}

/// Copies the process: 0 in the copy, in which this thread is the only one. The lock is this thread's in both.
pub fn fork() -> std::io::Result<i32> {
    acquire();
    let mut state = state();
    // SAFETY: the copy has this thread alone, which has the lock, and the lock's own state is consistent, since it is locked
    // here. What other threads may have held else is not touched in the copy: `after_fork` hooks see to that.
    let pid = unsafe { libc::fork() };
    match pid {
        0 => {
            state.waiting = 0;
            WANTED.store(false, Ordering::SeqCst);
            IS_FORKED.store(true, Ordering::SeqCst);
            Ok(0)
        }
        1.. => Ok(pid),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// Whether this process is a copy that [`fork`] made.
pub fn is_forked() -> bool {
    IS_FORKED.load(Ordering::SeqCst)
}

/// The program is over: threads that wait for the lock, or come to want it, wait until the process ends. Where it had no
/// threads, nothing changes.
pub fn close() {
    if !is_shared() {
        return;
    }
    IS_SHARED.store(false, Ordering::SeqCst);
    WANTED.store(false, Ordering::SeqCst);
    state().is_closed = true;
    RELEASED.notify_all();
    TAKEN.notify_all();
}
