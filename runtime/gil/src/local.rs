//! Data that belongs to whoever holds the lock.
//!
//! In: statics. Out: access to them, as `thread_local!` gives it. Always: a thread that touches one holds the lock, or waits
//! for it first, so that two threads never touch one at the same time.

use std::cell::{Cell, OnceCell, RefCell};

use crate::lock;

#[inline(always)]
fn hold() {
    if !lock::is_held() {
        // The first to come, or a test's thread: it holds the lock until it gives it up or ends.
        lock::acquire();
    }
}

/// A static that is there from the start.
pub struct GilCell<T>(T);

// SAFETY: `with` alone gives access, to the holder of the lock. The reference lives as long as the call, in which the lock
// is only given up around code that is `Send` (`allow_threads`, `yield_to_others`): it has no reference to a `T` that is not `Sync`.
unsafe impl<T> Sync for GilCell<T> {}

impl<T: 'static> GilCell<T> {
    /// Holds `value`.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// Runs `f` with the value.
    #[inline]
    pub fn with<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        hold();
        f(&self.0)
    }
}

/// A static that is made when it is first asked for.
pub struct GilLazy<T> {
    value: OnceCell<T>,
    make: fn() -> T,
}

// SAFETY: as for `GilCell`; `make` runs while the lock is held.
unsafe impl<T> Sync for GilLazy<T> {}

impl<T: 'static> GilLazy<T> {
    /// Will hold what `make` returns.
    pub const fn new(make: fn() -> T) -> Self {
        Self {
            value: OnceCell::new(),
            make,
        }
    }

    /// Runs `f` with the value.
    #[inline]
    pub fn with<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        hold();
        f(self.value.get_or_init(self.make))
    }
}

macro_rules! cells {
    ($($owner:ident)*) => {$(
        impl<T: 'static> $owner<Cell<T>> {
            /// Copies the value.
            #[inline]
            pub fn get(&'static self) -> T
            where
                T: Copy,
            {
                self.with(Cell::get)
            }

            /// Replaces the value.
            #[inline]
            pub fn set(&'static self, value: T) {
                self.with(|cell| cell.set(value));
            }
        }

        impl<T: 'static> $owner<RefCell<T>> {
            /// Takes the value, leaving the default.
            pub fn take(&'static self) -> T
            where
                T: Default,
            {
                self.with(RefCell::take)
            }

            /// Runs `f` with the value; panics where it is being changed.
            #[inline]
            pub fn with_borrow<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
                self.with(|cell| f(&cell.borrow()))
            }

            /// Runs `f` with the value; panics where it is in use.
            #[inline]
            pub fn with_borrow_mut<R>(&'static self, f: impl FnOnce(&mut T) -> R) -> R {
                self.with(|cell| f(&mut cell.borrow_mut()))
            }
        }
    )*};
}

cells!(GilCell GilLazy);

/// Statics for the holder of the lock, written as `thread_local!` has them.
#[macro_export]
macro_rules! gil_local {
    () => {};
    ($(#[$attr:meta])* $vis:vis static $name:ident: $type:ty = const $value:block; $($rest:tt)*) => {
        $(#[$attr])* $vis static $name: $crate::GilCell<$type> = $crate::GilCell::new($value);
        $crate::gil_local!($($rest)*);
    };
    ($(#[$attr:meta])* $vis:vis static $name:ident: $type:ty = const $value:block) => {
        $crate::gil_local!($(#[$attr])* $vis static $name: $type = const $value;);
    };
    ($(#[$attr:meta])* $vis:vis static $name:ident: $type:ty = $value:expr; $($rest:tt)*) => {
        $(#[$attr])* $vis static $name: $crate::GilLazy<$type> = $crate::GilLazy::new(|| $value);
        $crate::gil_local!($($rest)*);
    };
    ($(#[$attr:meta])* $vis:vis static $name:ident: $type:ty = $value:expr) => {
        $crate::gil_local!($(#[$attr])* $vis static $name: $type = $value;);
    };
}
