//! Files: `open`, the standard streams, `io.StringIO`, `io.BytesIO`.
//!
//! In: paths, modes and data. Out: file objects. Always: bytes are buffered in [`Stream`]; text is
//! decoded and encoded at the edge, in [`Text`]; a closed file answers every call with ValueError.

mod codec;
mod file;
pub(crate) mod input;
mod methods;
mod standard;
mod state;
mod stream;
mod waiting;

use janus_interp::Interp;
use janus_object::{
    Args, BaseKind, Class, ExcKind, Name, NativeBody, NativeDef, NativeFunction, PyRef, PyResult,
    Value, Vm, attr, name, types,
};

pub(crate) use codec::{decode, encode};
pub(crate) use file::{flush_all, open};
pub(crate) use standard::{StdStream, std_stream};

/// The classes of file objects.
pub(crate) struct Classes {
    base: PyRef<Class>,
    text_base: PyRef<Class>,
    buffered_base: PyRef<Class>,
    raw_base: PyRef<Class>,
    raw: PyRef<Class>,
    text: PyRef<Class>,
    reader: PyRef<Class>,
    writer: PyRef<Class>,
    random: PyRef<Class>,
    string: PyRef<Class>,
    bytes: PyRef<Class>,
}

/// The classes of this thread.
pub(crate) fn classes() -> &'static Classes {
    janus_gil::gil_local! {
        // Leaked on purpose: classes live as long as the thread's heap.
        static CLASSES: &'static Classes = Box::leak(Box::new(Classes::new()));
    }
    CLASSES.with(|c| *c)
}

/// What a script cannot make: a buffer over a raw stream of its own.
const BUFFERED: &[NativeDef] = &[NativeDef::function("_Buffered.__new__", |_, _| {
    Err(crate::support::unsupported(
        "io: a buffered stream over an object in Python is not implemented in janus-jit yet",
    ))
})];

macro_rules! in_python {
    ($($qualname:literal $name:literal,)*) => {
        &[$(NativeDef::method($qualname, |vm, args| in_python(vm, name!($name), args)),)*]
    };
}

/// What base classes have besides, for classes of scripts that derive from them.
const BASE: &[NativeDef] = in_python! {
    "_IOBase._checkClosed" "_checkClosed",
    "_IOBase._checkReadable" "_checkReadable",
    "_IOBase._checkWritable" "_checkWritable",
    "_IOBase._checkSeekable" "_checkSeekable",
};
const RAW: &[NativeDef] = in_python! { "_RawIOBase.readall" "readall", };
const TEXT_BASE: &[NativeDef] = in_python! { "_TextIOBase.detach" "detach", };
const BUFFERED_BASE: &[NativeDef] = in_python! {
    "_BufferedIOBase.readinto1" "readinto1",
    "_BufferedIOBase.detach" "detach",
};

/// A method of the base class: that of files, and for all other objects the one in `_iobase`.
fn for_all(def: &'static NativeDef) -> Value {
    let method = Name::new(def.short_name());
    let body = NativeBody::Closure(Box::new(move |vm, args| {
        let of_file = args
            .pos
            .first()
            .and_then(Value::foreign::<file::FileObject>);
        match of_file {
            Some(_) => def.call(vm, args),
            None => in_python(vm, &method, args),
        }
    }));
    NativeFunction {
        doc: def.doc,
        ..NativeFunction::new(def.qualname, body, def.binding)
    }
    .to_value()
}

fn in_python(vm: &mut dyn Vm, method: &Name, args: Args<'_>) -> PyResult {
    let module = vm.import("_iobase")?;
    let function = attr::get(vm, &module, method)?;
    vm.call(&function, args)
}

impl Classes {
    fn new() -> Self {
        let make = |name: &str, base: &PyRef<Class>, natives: &[NativeDef]| {
            let class = Class::builtin(name, "_io", &[base], BaseKind::Foreign, natives);
            class.add_natives(methods::FILE);
            class
        };
        // Without data of their own, so that scripts can derive from them.
        let plain = |name: &str, base: &PyRef<Class>, natives: &[NativeDef]| {
            Class::builtin(name, "_io", &[base], BaseKind::Object, natives)
        };
        let base = plain("_IOBase", &types().object, BASE);
        let text_base = plain("_TextIOBase", &base, TEXT_BASE);
        let buffered_base = plain("_BufferedIOBase", &base, BUFFERED_BASE);
        let raw_base = plain("_RawIOBase", &base, RAW);
        for def in methods::COMMON {
            // The class of all streams does not say how they are read: one that passes on what it lacks has no such names.
            let of: &[&PyRef<Class>] = match def.short_name() {
                "read" | "write" => &[&text_base, &buffered_base, &raw_base],
                "readinto" => &[&buffered_base, &raw_base],
                "read1" => &[&buffered_base],
                _ => &[&base],
            };
            for class in of {
                class.set(&Name::new(def.short_name()), for_all(def));
            }
        }
        Classes {
            raw: make("FileIO", &raw_base, file::RAW_FILE),
            text: make("TextIOWrapper", &text_base, file::TEXT),
            reader: make("BufferedReader", &buffered_base, BUFFERED),
            writer: make("BufferedWriter", &buffered_base, BUFFERED),
            random: make("BufferedRandom", &buffered_base, BUFFERED),
            string: make("StringIO", &text_base, file::STRING_IO),
            bytes: make("BytesIO", &buffered_base, file::BYTES_IO),
            base,
            text_base,
            buffered_base,
            raw_base,
        }
    }
}

/// Makes `_io`, which `io` re-exports.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = crate::support::module("_io", "", &[NativeDef::function("io.open", open)]);
    let c = classes();
    for (name, class) in [
        ("_IOBase", &c.base),
        ("_TextIOBase", &c.text_base),
        ("_BufferedIOBase", &c.buffered_base),
        ("_RawIOBase", &c.raw_base),
        ("FileIO", &c.raw),
        ("TextIOWrapper", &c.text),
        ("BufferedReader", &c.reader),
        ("BufferedWriter", &c.writer),
        ("BufferedRandom", &c.random),
        ("StringIO", &c.string),
        ("BytesIO", &c.bytes),
    ] {
        m.set(name, Value::Class(class.clone()));
    }
    m.set(
        "UnsupportedOperation",
        Value::Class(unsupported_operation()),
    );
    m.set("DEFAULT_BUFFER_SIZE", 8192i64);
    Ok(Value::Module(m))
}

/// `io.UnsupportedOperation`
fn unsupported_operation() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = Class::builtin(
            "UnsupportedOperation",
            "io",
            &[&ExcKind::OSError.class(), &ExcKind::ValueError.class()],
            BaseKind::Exception,
            &[],
        );
    }
    CLASS.with(PyRef::clone)
}
