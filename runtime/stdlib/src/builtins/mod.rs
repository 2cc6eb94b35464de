//! The builtin functions and the names of the built-in classes.
//!
//! In: nothing. Out: the `builtins` namespace of an interpreter. Always: functions that need the
//! caller's frame (`locals`, `exec`, `super`, ...) come from `janus-interp`, constructors from the
//! classes of `janus-object`; here is the rest.

mod namespaces;
mod numeric;
mod objects;
mod output;
mod quick;
mod sequences;

use janus_interp::Interp;
use janus_object::{NativeDef, Value};

pub(crate) use numeric::float_to_int;
pub(crate) use objects::identity;

/// Installs all builtins.
pub(crate) fn install(interp: &mut Interp) {
    // A class body reads it where the globals of `exec` have none.
    interp.add_builtin("__name__", Value::str("builtins"));
    for table in [
        namespaces::FUNCTIONS,
        numeric::FUNCTIONS,
        objects::FUNCTIONS,
        output::FUNCTIONS,
        sequences::FUNCTIONS,
    ] {
        add(interp, table);
    }
    crate::names::install(interp);
}

fn add(interp: &mut Interp, table: &[NativeDef]) {
    for def in table {
        interp.add_builtin(def.short_name(), def.to_value());
    }
}
