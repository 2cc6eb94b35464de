//! The library in Python, compiled when the program was built.
//!
//! In: an interpreter that knows the modules. Out: the same with their code. Always: the code is that of the
//! texts that the modules were registered with, since both come from the same crates.

use janus_interp::Interp;

/// The code of each module, as the build script made it.
const CODE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// Hands in the code of every module.
pub fn install(vm: &mut Interp) {
    for (name, code) in CODE {
        vm.register_code(name, code);
    }
}
