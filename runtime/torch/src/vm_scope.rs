//! Lets gradient callbacks reach the interpreter.
//!
//! In: the interpreter of the call that starts a backward pass. Out: the same interpreter inside
//! callbacks of that pass. Always: only one reference to it is usable at a time.

use std::cell::Cell;
use std::ptr::NonNull;

use janus_object::{PyResult, Raised, Vm};

thread_local! {
    static CURRENT: Cell<Option<NonNull<dyn Vm>>> = const { Cell::new(None) };
}

/// Puts the pointer before back, also when a callback panics.
struct Restore(Option<NonNull<dyn Vm>>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Runs `f`, inside which [`with`] finds `vm`.
pub fn enter<R>(vm: &mut dyn Vm, f: impl FnOnce() -> R) -> R {
    // SAFETY: only the lifetime is erased. `vm` stays mutably borrowed until `f` has returned, and
    // `Restore` takes the pointer away before that, so it is never used beyond the borrow.
    let vm: &mut (dyn Vm + 'static) =
        unsafe { std::mem::transmute::<&mut dyn Vm, &mut (dyn Vm + 'static)>(vm) };
    let _restore = Restore(CURRENT.replace(Some(NonNull::from(vm))));
    f()
}

/// Whether [`with`] finds an interpreter.
pub fn is_entered() -> bool {
    let current = CURRENT.take();
    CURRENT.set(current);
    current.is_some()
}

/// Calls `f` with the interpreter of the innermost [`enter`].
pub fn with<R>(f: impl FnOnce(&mut dyn Vm) -> PyResult<R>) -> PyResult<R> {
    // Taken while in use: a nested `with` outside a nested `enter` finds none, so that no second
    // reference is made.
    let Some(mut vm) = CURRENT.take() else {
        return Err(Raised::runtime_error(
            "a gradient callback ran outside of a backward pass",
        ));
    };
    let _restore = Restore(Some(vm));
    // SAFETY: the pointer comes from `enter`, whose exclusive borrow is alive (it removes the
    // pointer before it ends) and is not used by anyone else while `f` runs.
    f(unsafe { vm.as_mut() })
}
