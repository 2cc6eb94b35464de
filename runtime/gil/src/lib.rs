//! The global interpreter lock.
//!
//! In: threads that want to run Python. Out: one of them at a time does ([`lock`]), what belongs to it meanwhile
//! ([`GilCell`], [`GilLazy`]), what waits for it ([`pending`]), and where time goes ([`clocks`]). Always: data of the interpreter is only touched by the
//! thread that holds the lock, which [`local`] checks at every access.

pub mod clocks;
pub mod local;
pub mod lock;
pub mod pending;
pub mod signals;

pub use local::{GilCell, GilLazy};
pub use lock::{
    acquire, allow_threads, close, fork, is_forked, is_shared, release, set_switch_interval, share,
    switch_interval, yield_to_others,
};
