//! Constants and classes of the `builtins` namespace.
//!
//! In: the class table of `janus-object`. Out: names in the builtins. Always: each class stands
//! under the name that it shows itself.

use janus_interp::Interp;
use janus_object::{ExcKind, Value, types};

/// Installs constants and classes.
pub(crate) fn install(interp: &mut Interp) {
    interp.add_builtin("None", Value::None);
    interp.add_builtin("True", Value::bool(true));
    interp.add_builtin("False", Value::bool(false));
    interp.add_builtin("Ellipsis", Value::Ellipsis);
    interp.add_builtin("NotImplemented", Value::NotImplemented);
    interp.add_builtin("__debug__", Value::bool(true));
    let t = types();
    let classes = [
        &t.object,
        &t.type_,
        &t.int,
        &t.bool,
        &t.float,
        &t.complex,
        &t.str,
        &t.bytes,
        &t.bytearray,
        &t.memoryview,
        &t.tuple,
        &t.list,
        &t.dict,
        &t.set,
        &t.frozenset,
        &t.range,
        &t.slice,
        &t.property,
        &t.classmethod,
        &t.staticmethod,
        &t.super_,
        &t.enumerate,
        &t.zip,
        &t.map,
        &t.filter,
        &t.reversed,
    ];
    for class in classes {
        let class_name = class.name.borrow().to_string();
        interp.add_builtin(&class_name, Value::Class(class.clone()));
    }
    for kind in ExcKind::ALL {
        interp.add_builtin(kind.name(), Value::Class(kind.class()));
    }
    for alias in ["EnvironmentError", "IOError"] {
        interp.add_builtin(alias, Value::Class(ExcKind::OSError.class()));
    }
}
