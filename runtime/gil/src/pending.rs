//! What waits for the interpreter: signals, and threads that want the lock.
//!
//! In: signal handlers, threads. Out: two flags that running code looks at often and cheaply. Always: what is asked for
//! is written before the flags, so that who sees a flag sees what it is for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Set when the evaluation of Python has to stop for a moment (CPython's name); compiled code reads it, too.
static EVAL_BREAKER: AtomicBool = AtomicBool::new(false);

/// Set when a signal waits: what loops of native code look at.
static ATTENTION: AtomicBool = AtomicBool::new(false);

/// Signals that came and were not handled yet: bit `n - 1` for signal `n`.
static SIGNALS: AtomicU64 = AtomicU64::new(0);

/// Set when the process has more memory than it may have.
static MEMORY: AtomicBool = AtomicBool::new(false);

/// Notes that the process has too much memory. For the thread that looks after it.
pub fn memory_exceeded() {
    MEMORY.store(true, Ordering::SeqCst);
    ATTENTION.store(true, Ordering::SeqCst);
    ask_for_break();
}

/// Whether it has; asked once.
#[inline]
pub fn take_memory_exceeded() -> bool {
    MEMORY.load(Ordering::Relaxed) && MEMORY.swap(false, Ordering::SeqCst)
}

/// The flag that compiled code reads.
#[inline]
pub fn eval_breaker() -> &'static AtomicBool {
    &EVAL_BREAKER
}

/// Whether the evaluation of Python has to stop for a moment.
#[inline]
pub fn is_break_due() -> bool {
    EVAL_BREAKER.load(Ordering::Relaxed)
}

/// Makes the evaluation of Python stop for a moment.
pub fn ask_for_break() {
    EVAL_BREAKER.store(true, Ordering::SeqCst);
}

/// What is done first where the evaluation stopped; all that was asked for before is seen afterwards.
pub fn begin_break() {
    EVAL_BREAKER.swap(false, Ordering::SeqCst);
}

/// Whether a loop in native code should look after signals.
#[inline]
pub fn attention() -> bool {
    ATTENTION.load(Ordering::Relaxed)
}

/// Notes a signal, `1..=64`; whether it had come before and nobody has looked after that. For signal handlers.
pub fn signal_came(signal: u32) -> bool {
    let bit = 1 << (signal - 1);
    let before = SIGNALS.fetch_or(bit, Ordering::SeqCst);
    ATTENTION.store(true, Ordering::SeqCst);
    ask_for_break();
    before & bit != 0
}

/// Whether a signal waits.
pub fn signal_waits() -> bool {
    SIGNALS.load(Ordering::SeqCst) != 0
}

/// Takes the lowest signal that waits.
pub fn take_signal() -> Option<u32> {
    ATTENTION.swap(false, Ordering::SeqCst);
    let signals = SIGNALS.load(Ordering::SeqCst);
    if signals == 0 {
        return None;
    }
    let signal = signals.trailing_zeros() + 1;
    SIGNALS.fetch_and(!(1 << (signal - 1)), Ordering::SeqCst);
    if SIGNALS.load(Ordering::SeqCst) != 0 {
        remind_of_signals();
    }
    Some(signal)
}

/// Sets the flags again when signals still wait: for the thread that may handle them, when its turn comes.
pub fn remind_of_signals() {
    if signal_waits() {
        ATTENTION.store(true, Ordering::SeqCst);
        ask_for_break();
    }
}

/// Leaves signals to another thread: clears the flag that loops of native code look at.
pub fn leave_signals() {
    ATTENTION.swap(false, Ordering::SeqCst);
}
