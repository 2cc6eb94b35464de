//! What the native modules share: making modules and classes, converting arguments.
//!
//! In: values as Python passes them. Out: Rust numbers, strings and paths, or the TypeError that
//! CPython raises. Always: nothing here keeps state.

use janus_interp::Interp;
use janus_object::{
    Args, BaseKind, Class, ExcKind, NativeDef, PyModule, PyRef, PyResult, Raised, Value, Vm, attr,
    class_of, name, ops,
};
use num_bigint::BigInt;

/// A module with native functions.
pub(crate) fn module(module_name: &str, doc: &str, natives: &[NativeDef]) -> PyRef<PyModule> {
    let module = PyModule::new(module_name, Value::str(doc));
    module.add_natives(natives);
    PyRef::new(module)
}

/// A class for a native module's objects.
pub(crate) fn foreign_class(class_name: &str, module: &str, natives: &[NativeDef]) -> PyRef<Class> {
    Class::builtin(
        class_name,
        module,
        &[&janus_object::types().object],
        BaseKind::Foreign,
        natives,
    )
}

/// The concrete interpreter behind a [`Vm`].
pub(crate) fn interp(vm: &mut dyn Vm) -> PyResult<&mut Interp> {
    vm.as_any()
        .downcast_mut::<Interp>()
        .ok_or_else(|| Raised::system_error("no interpreter behind the VM"))
}

/// Name of a value's class, for messages.
pub(crate) fn type_name(value: &Value) -> String {
    value.type_name()
}

/// An int of any size, through `__index__`.
pub(crate) fn big_index(vm: &mut dyn Vm, value: &Value) -> PyResult<BigInt> {
    if let Some(n) = value.as_bigint() {
        return Ok(n);
    }
    if attr::class_lookup(&class_of(value), name!("__index__")).is_some() {
        let index = vm.call_method(value, name!("__index__"), Args::new(&[]))?;
        if let Some(n) = index.as_bigint() {
            return Ok(n);
        }
    }
    Err(Raised::type_error(format!(
        "'{}' object cannot be interpreted as an integer",
        type_name(value)
    )))
}

/// An int within 64 bits, through `__index__`.
pub(crate) fn int(vm: &mut dyn Vm, value: &Value) -> PyResult<i64> {
    match value {
        Value::Int(i) => Ok(*i),
        other => ops::as_index(vm, other),
    }
}

/// A float: floats, ints, `__float__`, `__index__`.
pub(crate) fn float(vm: &mut dyn Vm, value: &Value) -> PyResult<f64> {
    if let Some(f) = value.as_f64() {
        if f.is_infinite() && value.as_bigint().is_some() {
            return Err(Raised::overflow_error("int too large to convert to float"));
        }
        return Ok(f);
    }
    let class = class_of(value);
    for method in [name!("__float__"), name!("__index__")] {
        if attr::class_lookup(&class, method).is_some() {
            let converted = vm.call_method(value, method, Args::new(&[]))?;
            if let Some(f) = converted.as_f64() {
                return Ok(f);
            }
        }
    }
    Err(Raised::type_error(format!(
        "must be real number, not {}",
        type_name(value)
    )))
}

/// A string argument.
pub(crate) fn string<'a>(value: &'a Value, what: &str) -> PyResult<&'a str> {
    value
        .as_str()
        .ok_or_else(|| Raised::type_error(format!("{what} must be str, not {}", type_name(value))))
}

/// A file system path: str, bytes, or an object with `__fspath__`.
pub(crate) fn path(vm: &mut dyn Vm, value: &Value) -> PyResult<String> {
    if let Some(s) = value.as_str() {
        if s.contains('\0') {
            return Err(Raised::value_error("embedded null byte"));
        }
        return Ok(s.to_owned());
    }
    if let Some(b) = value.as_bytes() {
        if b.bytes().contains(&0) {
            return Err(Raised::value_error("embedded null byte"));
        }
        return Ok(String::from_utf8_lossy(&b.bytes()).into_owned());
    }
    if attr::class_lookup(&class_of(value), name!("__fspath__")).is_some() {
        let inner = vm.call_method(value, name!("__fspath__"), Args::new(&[]))?;
        if inner.as_str().is_some() || inner.as_bytes().is_some() {
            return path(vm, &inner);
        }
    }
    Err(Raised::type_error(format!(
        "expected str, bytes or os.PathLike object, not {}",
        type_name(value)
    )))
}

/// What errors call a file: its path as a str or bytes, not the object that has it; a number stays one.
pub(crate) fn path_name(vm: &mut dyn Vm, file: &Value) -> PyResult {
    match file {
        Value::Instance(_) if file.as_str().is_none() && file.as_bytes().is_none() => {
            path(vm, file).map(Value::str)
        }
        _ => Ok(file.clone()),
    }
}

/// What the system answered about a file.
pub(crate) fn path_error(vm: &mut dyn Vm, error: &std::io::Error, file: &Value) -> Raised {
    match path_name(vm, file) {
        Ok(name) => Raised::io_error(error, Some(name)),
        Err(raised) => raised,
    }
}

/// A copy of what a bytes-like argument holds.
pub(crate) fn bytes_like(value: &Value) -> PyResult<Vec<u8>> {
    janus_object::buffer::bytes_like(value)
}

/// The truth of an optional argument.
pub(crate) fn flag(vm: &mut dyn Vm, value: Option<&Value>, default: bool) -> PyResult<bool> {
    value.map_or(Ok(default), |v| ops::truth(vm, v))
}

/// The error for a feature that is not there, named so that the script's author can tell.
pub(crate) fn unsupported(what: impl Into<String>) -> Raised {
    Raised::new(ExcKind::NotImplementedError, what)
}
