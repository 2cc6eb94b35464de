//! Which threads take the process's signals: the main thread of the interpreter, and no other.
//!
//! In: threads. Out: their signal masks. Always: what a fault of a thread's own raises is never blocked.

/// Leaves the process's signals to other threads, from now on and in threads that this one starts.
pub fn block() {
    set(libc::SIG_BLOCK);
}

/// Takes them again.
pub fn unblock() {
    set(libc::SIG_UNBLOCK);
}

fn set(how: libc::c_int) {
    let faults = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGFPE,
        libc::SIGILL,
        libc::SIGTRAP,
        libc::SIGABRT,
        libc::SIGSYS,
    ];
    // SAFETY: the set is plain memory, which `sigfillset` initialises; the functions touch nothing else of ours.
    unsafe {
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut signals);
        for fault in faults {
            libc::sigdelset(&mut signals, fault);
        }
        libc::pthread_sigmask(how, &signals, std::ptr::null_mut());
    }
}
