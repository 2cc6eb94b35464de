//! Modules.
//!
//! In: a name and its namespace. Out: [`PyModule`]. Always: `__name__` is in the namespace.

use std::cell::RefCell;

use crate::{Class, Name, NativeDef, PyDict, PyRef, Value, name};

/// A module.
pub struct PyModule {
    /// Its full dotted name when it was made.
    pub name: Name,
    /// Its namespace.
    pub dict: PyRef<PyDict>,
    /// The class that `module.__class__ = ...` gave it, a subclass of ModuleType.
    pub class: RefCell<Option<PyRef<Class>>>,
}

impl PyModule {
    /// Makes a module with the usual dunder names.
    pub fn new(module_name: &str, doc: Value) -> Self {
        let dict = PyRef::new(PyDict::namespace());
        let interned = Name::new(module_name);
        dict.set_name(name!("__name__"), interned.to_value());
        dict.set_name(name!("__doc__"), doc);
        dict.set_name(name!("__package__"), Value::None);
        dict.set_name(name!("__loader__"), Value::None);
        dict.set_name(name!("__spec__"), Value::None);
        PyModule {
            name: interned,
            dict,
            class: RefCell::new(None),
        }
    }

    /// Gives it a class of its own, or with `None` the usual one.
    pub fn set_class(&self, class: Option<PyRef<Class>>) {
        // Its names may mean something else now: what was learnt of the namespace's layout holds no more.
        self.dict.forget_layout();
        let old = self.class.replace(class);
        drop(old);
    }

    /// Whether it has a class of its own for which something holds.
    pub fn has_class(&self, holds: impl FnOnce(&Class) -> bool) -> bool {
        self.class.borrow().as_deref().is_some_and(holds)
    }

    /// Puts native functions into the namespace.
    pub fn add_natives(&self, natives: &[NativeDef]) {
        for native in natives {
            self.dict.set_str(native.short_name(), native.to_value());
        }
    }

    /// Sets a name of the namespace.
    pub fn set(&self, name: &str, value: impl Into<Value>) {
        self.dict.set_str(name, value.into());
    }

    /// Reads a name of the namespace.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.dict.get_str(name)
    }
}
