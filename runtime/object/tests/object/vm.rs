//! An interpreter without Python functions.

use std::any::Any;
use std::collections::HashMap;

use janus_object::{Args, Instance, Name, PyDict, PyRef, PyResult, Raised, Value, Vm, call};

/// Calls natives and classes; fails for everything that needs bytecode.
#[derive(Default)]
pub struct TestVm {
    depth: usize,
    state: HashMap<&'static str, Box<dyn Any>>,
}

impl Vm for TestVm {
    fn drain(
        &mut self,
        _: &PyRef<janus_object::Generator>,
        _: &mut dyn FnMut(Value) -> bool,
    ) -> PyResult<bool> {
        Ok(true)
    }

    fn call(&mut self, callable: &Value, args: Args<'_>) -> PyResult {
        call::call(self, callable, args)
    }
    fn import(&mut self, name: &str) -> PyResult {
        Err(Raised::module_not_found(name))
    }
    fn write_stdout(&mut self, _: &str) -> PyResult<()> {
        Ok(())
    }
    fn write_stderr(&mut self, _: &str) -> PyResult<()> {
        Ok(())
    }
    fn enter(&mut self) -> PyResult<()> {
        if self.depth > 500 {
            return Err(Raised::recursion_error("maximum recursion depth exceeded"));
        }
        self.depth += 1;
        Ok(())
    }
    fn leave(&mut self) {
        self.depth -= 1;
    }
    fn handled_exception(&self) -> Option<PyRef<Instance>> {
        None
    }
    fn builtins(&self) -> PyRef<PyDict> {
        PyRef::new(PyDict::new())
    }
    fn native_state(&mut self) -> &mut HashMap<&'static str, Box<dyn Any>> {
        &mut self.state
    }
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
    fn call_method(&mut self, object: &Value, name: &Name, args: Args<'_>) -> PyResult {
        call::call_method(self, object, name, args)
    }
}
