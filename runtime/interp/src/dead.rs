//! What is owed to objects that died.
//!
//! In: what the heap found due. Out: `__del__` is called, the callbacks of weak references are, and dropped generators
//! are closed; cycles are collected. Always: it happens between two instructions, right behind the one that
//! dropped the last reference; an exception of it is reported and ignored.

use janus_object::heap::{self, Collection, Due};
use janus_object::{Args, Name, PyDict, PyRef, PyResult, Raised, Value, Vm, class_of, name};

use crate::Interp;

impl Interp {
    /// Does what is due, and what becomes due by it.
    #[cold]
    #[inline(never)]
    pub(crate) fn settle(&mut self) {
        while heap::is_pending() {
            for due in heap::take_due() {
                self.pay(due);
            }
            if let Some(generation) = heap::collect_due() {
                self.collect_garbage(generation);
            }
        }
    }

    /// Collects the garbage of a generation and of all younger ones; `gc.collect()`.
    pub fn collect_garbage(&mut self, generation: usize) -> Collection {
        janus_gil::gil_local! {
            static COLLECTING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
        }
        // What callbacks and finalizers leave behind waits for the next collection, as in CPython.
        if COLLECTING.get() {
            return Collection::default();
        }
        COLLECTING.set(true);
        let collection = self.collect_with_callbacks(generation);
        COLLECTING.set(false);
        collection
    }

    fn collect_with_callbacks(&mut self, generation: usize) -> Collection {
        self.call_gc_callbacks(
            "start",
            Collection {
                generation,
                collected: 0,
            },
        );
        if generation + 1 == heap::GENERATIONS {
            // They remember whose frames they were.
            self.pool.clear();
        }
        let Some(garbage) = heap::collect(generation) else {
            return Collection::default();
        };
        let due = garbage.take_due();
        let mut finalized = !due.is_empty();
        for due in due {
            self.pay(due);
        }
        finalized |= garbage.close_generators();
        let collection = garbage.clear(finalized);
        self.call_gc_callbacks("stop", collection);
        collection
    }

    /// `gc.callbacks`
    pub fn gc_callbacks(&self) -> &PyRef<janus_object::PyList> {
        &self.gc_callbacks
    }

    /// Lets all modules go when the program ends, so that what is still alive gets its finalizer: what dies with them,
    /// then what something in here still holds, in the order of its making and with its globals as they are.
    pub(crate) fn finalize_modules(&mut self) {
        if heap::with_finalizers().is_empty() {
            return;
        }
        for (name, module) in self.modules.items() {
            if let (Some(name), Value::Module(_)) = (name.as_str(), module)
                && !matches!(name, "sys" | "builtins")
            {
                self.modules.set_str(name, Value::None);
            }
        }
        self.settle();
        self.collect_garbage(heap::GENERATIONS - 1);
        for object in heap::with_finalizers() {
            heap::mark_finalized(&object);
            self.pay(Due::Finalizer(object));
            self.settle();
        }
    }

    fn call_gc_callbacks(&mut self, phase: &str, collection: Collection) {
        if self.gc_callbacks.is_empty() {
            return;
        }
        let info = PyDict::new();
        for (key, number) in [
            ("generation", collection.generation),
            ("collected", collection.collected),
            ("uncollectable", 0),
        ] {
            info.set_name(&Name::new(key), Value::Int(number as i64));
        }
        let arguments = [Value::str(phase), Value::dict(info)];
        for callback in self.gc_callbacks.to_vec() {
            if let Err(raised) = self.call(&callback, Args::new(&arguments)) {
                self.report_ignored(&raised, &callback);
            }
        }
    }

    fn pay(&mut self, due: Due) {
        self.handled.push(None);
        let (blamed, result) = match due {
            Due::Callback(reference) => {
                let callback = janus_object::attr::get(self, &reference, name!("__callback__"));
                match callback {
                    Ok(Value::None) => (Value::None, Ok(Value::None)),
                    Ok(callback) => {
                        let result = self.call(&callback, Args::new(&[reference]));
                        (callback, result)
                    }
                    Err(raised) => (reference, Err(raised)),
                }
            }
            Due::Finalizer(Value::Generator(coroutine)) if coroutine.is_unawaited() => {
                let blamed = Value::Generator(coroutine.clone());
                let result = self.warn_unawaited(&blamed);
                // It is not told of again.
                drop(coroutine.body.take());
                (blamed, result)
            }
            Due::Finalizer(Value::Generator(generator)) => {
                let result = janus_object::close_generator(self, &generator);
                (Value::Generator(generator), result.map(|()| Value::None))
            }
            Due::Finalizer(object) => match class_of(&object).lookup(name!("__del__")) {
                Some(method) => {
                    let result = self.call_method(&object, name!("__del__"), Args::new(&[]));
                    (method, result)
                }
                None => (object, Ok(Value::None)),
            },
        };
        self.handled.pop();
        if let Err(raised) = result {
            self.report_ignored(&raised, &blamed);
        }
    }

    /// Warns that a coroutine was dropped that was never awaited.
    fn warn_unawaited(&mut self, coroutine: &Value) -> PyResult {
        let warnings = self.import("warnings")?;
        let warn = janus_object::attr::get(self, &warnings, name!("_warn_unawaited_coroutine"))?;
        self.call(&warn, Args::new(std::slice::from_ref(coroutine)))
    }

    /// Reports an exception that has nobody to go to, with what it came out of.
    fn report_ignored(&mut self, raised: &Raised, blamed: &Value) {
        self.report_ignored_in(None, raised, blamed);
    }

    /// The same with words before what it came out of: it goes to `sys.unraisablehook`.
    pub fn report_ignored_in(&mut self, words: Option<&str>, raised: &Raised, blamed: &Value) {
        let hook = self.sys_attribute("unraisablehook");
        let own = self.sys_attribute("__unraisablehook__");
        if let Some(hook) = hook
            && !own.is_some_and(|own| janus_object::ops::is(&own, &hook))
        {
            let called = self
                .unraisable(words, raised, blamed)
                .and_then(|report| self.call(&hook, Args::new(&[report])));
            if let Err(raised) = called {
                self.write_ignored("Exception ignored in sys.unraisablehook", &raised, &hook);
            }
            return;
        }
        self.write_ignored(words.unwrap_or("Exception ignored in"), raised, blamed);
    }

    /// What `sys.unraisablehook` is given.
    fn unraisable(&mut self, words: Option<&str>, raised: &Raised, blamed: &Value) -> PyResult {
        let exception = raised.to_value();
        let traceback = janus_object::attr::get(self, &exception, name!("__traceback__"))?;
        let class = self.sys_attribute("UnraisableHookArgs");
        let parts = Value::tuple(vec![
            Value::Class(class_of(&exception)),
            exception,
            traceback,
            words.map_or(Value::None, Value::str),
            blamed.clone(),
        ]);
        self.call(&class.unwrap_or(Value::None), Args::new(&[parts]))
    }

    /// Writes what `sys.unraisablehook` writes if nobody replaced it.
    pub fn write_ignored(&mut self, words: &str, raised: &Raised, blamed: &Value) {
        let shown = janus_object::text::repr(self, blamed)
            .unwrap_or_else(|_| "<object repr() failed>".to_owned());
        let text = self.format_exception(&raised.0);
        self.write_to_stderr(&format!("{words}: {shown}\n{text}"));
    }

    /// An attribute of `sys`.
    pub(crate) fn sys_attribute(&self, name: &str) -> Option<Value> {
        match self.modules.get_str("sys") {
            Some(Value::Module(sys)) => sys.get(name),
            _ => None,
        }
    }

    /// Writes to `sys.stderr`, which a script may have replaced; what fails there is not reported.
    pub fn write_to_stderr(&mut self, text: &str) {
        let own = self.sys_attribute("__stderr__");
        match self.sys_attribute("stderr") {
            Some(Value::None) => {}
            Some(stream) if !own.is_some_and(|own| janus_object::ops::is(&own, &stream)) => {
                let _ = self.call_method(&stream, name!("write"), Args::new(&[Value::str(text)]));
            }
            _ => drop(self.write_stderr(text)),
        }
    }
}
