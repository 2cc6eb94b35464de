//! Ctrl-C.
//!
//! In: SIGINT. Out: the interpreter's flag, from which it raises KeyboardInterrupt. Always: a
//! second SIGINT that comes before the first one was seen ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

extern "C" fn on_interrupt(signal: libc::c_int) {
    // Atomics and `signal` are all that may be used here.
    let unseen = FLAG.get().is_none_or(|f| f.swap(true, Ordering::SeqCst));
    // After the flag: the interpreter looks at the flag once for each time it is asked, and this may run in another
    // thread than its own.
    janus_object::ask_for_attention();
    if unseen {
        // SAFETY: `signal` and `raise` are async-signal-safe; the default action ends the process.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

/// Sets `flag` at each SIGINT from now on, unless the process was started with SIGINT ignored.
pub fn install(flag: Arc<AtomicBool>) {
    if FLAG.set(flag).is_err() {
        return;
    }
    let handler: extern "C" fn(libc::c_int) = on_interrupt;
    // SAFETY: the handler only does what a signal handler may do, and lives as long as the process.
    unsafe {
        if libc::signal(libc::SIGINT, handler as libc::sighandler_t) == libc::SIG_IGN {
            libc::signal(libc::SIGINT, libc::SIG_IGN);
        }
    }
}
