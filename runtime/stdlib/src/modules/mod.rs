//! The standard modules.
//!
//! In: nothing until a script imports one. Out: native modules and the text of those written in
//! Python. Always: registering costs one table entry; a module is built when it is first imported,
//! and a name that is not in these tables is a ModuleNotFoundError.

mod math;
pub(crate) mod sys;

use janus_interp::{Interp, NativeModule};

/// Modules written in Rust.
const NATIVE: &[(&str, NativeModule)] = &[
    ("sys", sys::build),
    ("math", math::build),
    ("_io", crate::io::build),
];

macro_rules! python_modules {
    ($($name:literal $kind:ident $file:literal,)*) => {
        /// Modules written in Python: name, whether it is a package, text.
        const PYTHON: &[(&str, bool, &str)] = &[
            $(($name, python_modules!($kind), include_str!(concat!("../../py/", $file))),)*
        ];
    };
    (module) => { false };
    (package) => { true };
}

python_modules! {
    "_argparse_help" module "_argparse_help.py",
    "_collections_abc" module "_collections_abc.py",
    "_collections_user" module "_collections_user.py",
    "abc" module "abc.py",
    "argparse" module "argparse.py",
    "contextlib" module "contextlib.py",
    "copy" module "copy.py",
    "copyreg" module "copyreg.py",
    "dataclasses" module "dataclasses.py",
    "enum" module "enum.py",
    "io" module "io.py",
}

/// Registers every module.
pub(crate) fn register(interp: &mut Interp) {
    for (name, make) in NATIVE {
        interp.register_module(name, *make);
    }
    for (name, is_package, source) in PYTHON {
        interp.register_source(name, *is_package, source);
    }
}
