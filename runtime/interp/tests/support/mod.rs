//! An interpreter as the command has it, whose output is caught.

use janus_interp::Interp;
pub use janus_session::Printed;

/// Runs a script; `prepare` may change the interpreter first.
pub fn run(source: &str, filename: &str, prepare: impl FnOnce(&mut Interp) + Send) -> Printed {
    janus_session::run_captured(prepare, |vm| vm.run_source(source, filename))
}
