//! Builtins and standard modules.
//!
//! In: an interpreter. Out: the same interpreter with the builtin functions installed and the
//! standard modules registered. Always: a module is made when it is first imported; speed matters
//! in Rust, the rest is Python text of our own in `py/`.

mod builtins;
mod io;
mod modules;
mod names;
mod structseq;
mod support;

use janus_interp::Interp;

/// Installs the builtins and registers the standard modules.
pub fn install(interp: &mut Interp) {
    builtins::install(interp);
    modules::register(interp);
}

/// Catches SIGINT, unless the process was started with it ignored; for the interpreter's main thread.
pub fn catch_interrupts() {
    modules::signal::catch_interrupts();
}

/// What CPython does when the program ends: calls `atexit` callbacks and writes what is pending in
/// files that are still open.
pub fn finish(interp: &mut Interp) {
    let _ = interp;
    io::flush_all();
}
