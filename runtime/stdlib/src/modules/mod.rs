//! The standard modules.
//!
//! In: nothing until a script imports one. Out: native modules, and those in Python that `janus-library`
//! holds. Always: registering costs one table entry; a module is built when it is first imported,
//! and a name that is not in these tables is a ModuleNotFoundError.

mod abc;
mod array;
mod bz2;
mod cmath;
mod csv;
mod deque;
mod descriptors;
mod draw;
mod east_asian;
mod files;
mod functools;
mod gc;
mod getters;
mod hashlib;
mod heapq;
mod helpers;
mod itertools;
mod json;
mod lzma;
mod marshal;
mod math;
mod mmap;
mod operator;
pub(crate) mod os;
mod process;
mod random;
mod re;
mod safetensors;
mod semaphores;
pub(crate) mod signal;
mod socket;
mod socket_messages;
mod sqlite;
mod struct_;
pub(crate) mod sys;
mod system;
mod thread;
mod time;
mod traceback;
mod types;
mod unicode;
mod weakref;
mod zlib;

use janus_interp::{Interp, NativeModule};

/// Modules written in Rust.
const NATIVE: &[(&str, NativeModule)] = &[
    ("_binascii", helpers::build),
    ("_bisect", heapq::build_bisect),
    ("_bzip2", bz2::build),
    ("_deque", deque::build),
    ("_csv_lines", csv::build),
    ("_digests", hashlib::build),
    ("_abc", abc::build),
    ("_functools", functools::build),
    ("_heapq", heapq::build),
    ("_imp", helpers::build_imp),
    ("_io", crate::io::build),
    ("_json_text", json::build),
    ("_marshal", marshal::build),
    ("_draw", draw::build),
    ("_east_asian", east_asian::build),
    ("_multiprocessing", semaphores::build),
    ("_operator", operator::build),
    ("_posixshmem", descriptors::build_shared_memory),
    ("_posixsubprocess", process::build),
    ("_queue", thread::build_queue),
    ("_random", random::build),
    ("_re", re::build),
    ("_safetensors", safetensors::build),
    ("_signal", signal::build),
    ("_sockets", socket::build),
    ("_sqlite_library", sqlite::build),
    ("_struct", struct_::build),
    ("_thread", thread::build),
    ("_traceback", traceback::build),
    ("_types", types::build),
    ("_weakref_native", weakref::build),
    ("fcntl", system::build_fcntl),
    ("gc", gc::build),
    ("grp", system::build_grp),
    ("_xz", lzma::build),
    ("_zlib", zlib::build),
    ("array", array::build),
    ("atexit", traceback::build_atexit),
    ("builtins", types::builtins),
    ("cmath", cmath::build),
    ("itertools", itertools::build),
    ("math", math::build),
    ("mmap", mmap::build),
    ("posix", os::build),
    ("pwd", system::build_pwd),
    ("resource", system::build_resource),
    ("sys", sys::build),
    ("time", time::build),
    ("unicodedata", unicode::build),
];

/// Registers every module.
pub(crate) fn register(interp: &mut Interp) {
    for (name, make) in NATIVE {
        interp.register_module(name, *make);
    }
    for source in janus_library::all() {
        interp.register_source(source.name, source.is_package, source.text);
    }
    signal::install(interp);
}

/// Whether a module of this name is part of the program.
fn is_registered(name: &str) -> bool {
    NATIVE.iter().any(|(known, _)| *known == name)
        || janus_library::all().any(|source| source.name == name)
}
