//! An interpreter with everything that a script may import.
//!
//! In: settings. Out: an [`Interp`] that has a compiler, the standard library, torch, and the library's own bytecode.
//! Always: the command and every test begin with this one, so a test sees what a user gets.

mod captured;
mod frontend;
mod library;

use std::rc::Rc;

use janus_interp::{Compiler, Interp, Settings};

pub use captured::{Printed, Sink, on_large_stack, run_captured};
pub use frontend::FrontEnd;

/// An interpreter as the command has it, which compiles with `compiler`.
#[must_use]
pub fn interpreter(compiler: Rc<dyn Compiler>, settings: Settings) -> Interp {
    let mut vm = Interp::new();
    vm.set_compiler(compiler);
    vm.set_settings(settings);
    janus_stdlib::install(&mut vm);
    janus_torch::install(&mut vm);
    library::install(&mut vm);
    vm
}

/// The same with the plain front end and no settings: for tests.
#[must_use]
pub fn plain() -> Interp {
    interpreter(Rc::new(FrontEnd::default()), Settings::default())
}
