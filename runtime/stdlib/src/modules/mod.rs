//! The standard modules.
//!
//! In: nothing until a script imports one. Out: native modules and the text of those written in
//! Python. Always: registering costs one table entry; a module is built when it is first imported,
//! and a name that is not in these tables is a ModuleNotFoundError.

mod csv;
mod deque;
mod functools;
mod hashlib;
mod heapq;
mod helpers;
mod itertools;
mod json;
mod math;
mod operator;
pub(crate) mod os;
mod random;
mod re;
mod struct_;
pub(crate) mod sys;
mod time;
mod traceback;
mod types;
mod weakref;
mod zlib;

use janus_interp::{Interp, NativeModule};

/// Modules written in Rust.
const NATIVE: &[(&str, NativeModule)] = &[
    ("_binascii", helpers::build),
    ("_bisect", heapq::build_bisect),
    ("_collections", deque::build),
    ("_csv", csv::build),
    ("_functools", functools::build),
    ("_hashlib", hashlib::build),
    ("_heapq", heapq::build),
    ("_imp", helpers::build_imp),
    ("_io", crate::io::build),
    ("_json", json::build),
    ("_operator", operator::build),
    ("_random", random::build),
    ("_re", re::build),
    ("_struct", struct_::build),
    ("_time", time::build_private),
    ("_traceback", traceback::build),
    ("_types", types::build),
    ("_weakref", weakref::build),
    ("_zlib", zlib::build),
    ("atexit", traceback::build_atexit),
    ("builtins", types::builtins),
    ("itertools", itertools::build),
    ("math", math::build),
    ("posix", os::build),
    ("sys", sys::build),
    ("time", time::build),
    ("unicodedata", helpers::build_unicode),
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
    "_loops" module "_loops.py",
    "_refused" module "_refused.py",
    "abc" module "abc.py",
    "__future__" module "__future__.py",
    "argparse" module "argparse.py",
    "array" module "array.py",
    "ast" module "ast.py",
    "base64" module "base64.py",
    "binascii" module "binascii.py",
    "bisect" module "bisect.py",
    "calendar" module "calendar.py",
    "codecs" module "codecs.py",
    "collections" package "collections.py",
    "collections.abc" module "collections_abc.py",
    "concurrent" package "concurrent/__init__.py",
    "concurrent.futures" module "concurrent/futures.py",
    "configparser" module "configparser.py",
    "contextlib" module "contextlib.py",
    "contextvars" module "contextvars.py",
    "copy" module "copy.py",
    "copyreg" module "copyreg.py",
    "csv" module "csv.py",
    "ctypes" module "ctypes.py",
    "dataclasses" module "dataclasses.py",
    "datetime" module "datetime.py",
    "difflib" module "difflib.py",
    "distutils" package "distutils/__init__.py",
    "distutils.dir_util" module "distutils/dir_util.py",
    "distutils.util" module "distutils/util.py",
    "distutils.version" module "distutils/version.py",
    "enum" module "enum.py",
    "errno" module "errno.py",
    "fnmatch" module "fnmatch.py",
    "fractions" module "fractions.py",
    "functools" module "functools.py",
    "gc" module "gc.py",
    "getpass" module "getpass.py",
    "glob" module "glob.py",
    "gzip" module "gzip.py",
    "hashlib" module "hashlib.py",
    "heapq" module "heapq.py",
    "html" module "html.py",
    "importlib" package "importlib/__init__.py",
    "importlib.metadata" module "importlib/metadata.py",
    "importlib.util" module "importlib/util.py",
    "inspect" module "inspect.py",
    "io" module "io.py",
    "json" package "json/__init__.py",
    "json.decoder" module "json/decoder.py",
    "json.encoder" module "json/encoder.py",
    "keyword" module "keyword.py",
    "linecache" module "linecache.py",
    "locale" module "locale.py",
    "logging" package "logging/__init__.py",
    "logging.handlers" module "logging/handlers.py",
    "multiprocessing" package "multiprocessing/__init__.py",
    "multiprocessing.connection" module "multiprocessing/connection.py",
    "multiprocessing.sharedctypes" module "multiprocessing/sharedctypes.py",
    "multiprocessing.synchronize" module "multiprocessing/synchronize.py",
    "numbers" module "numbers.py",
    "operator" module "operator.py",
    "os" module "os.py",
    "os.path" module "os_path.py",
    "pathlib" module "pathlib.py",
    "pickle" module "pickle.py",
    "platform" module "platform.py",
    "posixpath" module "posixpath.py",
    "pprint" module "pprint.py",
    "queue" module "queue.py",
    "random" module "random.py",
    "re" module "re.py",
    "secrets" module "secrets.py",
    "shlex" module "shlex.py",
    "shutil" module "shutil.py",
    "signal" module "signal.py",
    "socket" module "socket.py",
    "statistics" module "statistics.py",
    "string" module "string.py",
    "struct" module "struct.py",
    "subprocess" module "subprocess.py",
    "tarfile" module "tarfile.py",
    "tempfile" module "tempfile.py",
    "textwrap" module "textwrap.py",
    "threading" module "threading.py",
    "timeit" module "timeit.py",
    "traceback" module "traceback.py",
    "types" module "types.py",
    "typing" module "typing.py",
    "typing_extensions" module "typing_extensions.py",
    "urllib" package "urllib/__init__.py",
    "urllib.error" module "urllib/error.py",
    "urllib.parse" module "urllib/parse.py",
    "urllib.request" module "urllib/request.py",
    "uuid" module "uuid.py",
    "warnings" module "warnings.py",
    "weakref" module "weakref.py",
    "zipfile" module "zipfile.py",
    "zlib" module "zlib.py",
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

/// Whether a module of this name is part of the program.
fn is_registered(name: &str) -> bool {
    NATIVE.iter().any(|(known, _)| *known == name)
        || PYTHON.iter().any(|(known, ..)| *known == name)
}
