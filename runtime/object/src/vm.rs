//! What native code may ask of the interpreter.

use crate::{Args, Instance, Name, PyRef, Value};

/// A raised exception on its way up: an instance whose class derives from `BaseException`.
#[derive(Clone)]
pub struct Raised(pub PyRef<Instance>);

/// Result of anything that can raise.
pub type PyResult<T = Value> = Result<T, Raised>;

/// The interpreter as seen by values and native functions. Implemented by `janus-interp`.
pub trait Vm {
    /// Calls any callable.
    fn call(&mut self, callable: &Value, args: Args<'_>) -> PyResult;
    /// Imports a module by its dotted name and returns it (not its top-level package).
    fn import(&mut self, name: &str) -> PyResult;
    /// Writes to the script's standard output (buffered; flushed at exit and by `flush=True`).
    fn write_stdout(&mut self, text: &str) -> PyResult<()>;
    /// Writes to standard error, after flushing standard output.
    fn write_stderr(&mut self, text: &str) -> PyResult<()>;
    /// Enters a native recursion level; raises RecursionError at the limit. Balanced by `leave`.
    fn enter(&mut self) -> PyResult<()>;
    /// Leaves a native recursion level.
    fn leave(&mut self);
    /// The exception being handled (`sys.exc_info()`), if any.
    fn handled_exception(&self) -> Option<PyRef<Instance>>;
    /// The builtins namespace.
    fn builtins(&self) -> PyRef<crate::PyDict>;
    /// Per-interpreter state of native modules, keyed by a static name.
    fn native_state(
        &mut self,
    ) -> &mut std::collections::HashMap<&'static str, Box<dyn std::any::Any>>;
    /// Access to the concrete interpreter, for natives that need frames (`locals`, `super`, `exec`).
    fn as_any(&mut self) -> &mut dyn std::any::Any;

    /// The frame of an entry of a traceback (`tb_frame`).
    fn frame_of(&mut self, entry: &crate::TracebackEntry) -> Value {
        let _ = entry;
        Value::None
    }

    /// Runs a generator to its end, or until `sink`, which gets what it yields, wants no more; whether it came to its end.
    /// While `sink` runs, the generator counts as running: it must not run Python.
    fn drain(
        &mut self,
        generator: &PyRef<crate::Generator>,
        sink: &mut dyn FnMut(Value) -> bool,
    ) -> PyResult<bool>;

    /// Handles the signals that came (Ctrl-C); for loops in native code, when [`janus_gil::pending::attention`] says so.
    fn poll(&mut self) -> PyResult<()> {
        Ok(())
    }

    /// `__name__` of the module whose code is running: the `__module__` of what natives make.
    fn current_module(&self) -> Option<Value> {
        None
    }

    /// Calls a method by name, through the class for special names as Python does.
    fn call_method(&mut self, object: &Value, name: &Name, args: Args<'_>) -> PyResult;
}
