//! Running a script from start to exit code.
//!
//! In: a file or source text. Out: the process's exit code, with everything printed that CPython
//! prints. Always: output is flushed and `atexit` callbacks have run when this returns.

use std::path::Path;
use std::rc::Rc;

use janus_bytecode::Code;
use janus_object::{
    Args, CodeObject, ExcKind, Instance, PyModule, PyRef, PyResult, Raised, Value, Vm, attr, name,
    text,
};

use crate::{Interp, SourceKind};

/// How a script ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code.
    pub code: i32,
    /// Whether there was a script to run.
    pub began: bool,
}

impl Interp {
    /// Runs a script file as `__main__`. An unreadable file is reported on standard error.
    pub fn run_file(&mut self, path: &Path) -> Outcome {
        if path.is_dir() {
            return match self.run_directory(path) {
                Some(outcome) => outcome,
                None => {
                    let program = self.settings.executable.clone();
                    let shown = path.display();
                    let _ = self.output.write_error(&format!(
                        "{program}: can't find '__main__' module in '{shown}'\n"
                    ));
                    self.ended(1)
                }
            };
        }
        // As CPython, which names files from the root on, and otherwise as they were given.
        let path = path.strip_prefix("./").unwrap_or(path);
        let path = match std::env::current_dir() {
            Ok(current) => &*current.join(path),
            Err(_) => path,
        };
        let shown = path.to_string_lossy().into_owned();
        match std::fs::read(path) {
            Ok(bytes) if is_zip(&bytes) => {
                let result = self.run_zip(&shown);
                self.finish(result)
            }
            Ok(bytes) => match crate::source::decode(self, bytes, &shown) {
                Ok(source) => {
                    // As CPython: absolute, with links followed.
                    let resolved = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
                    let directory = resolved.parent().map(|p| p.to_string_lossy().into_owned());
                    self.search_first_if_safe(&directory.unwrap_or_default());
                    self.run_source(&source, &shown)
                }
                Err(raised) => self.finish(Err(raised)),
            },
            Err(error) => {
                let text = error.to_string();
                let message = text.split(" (os error").next().unwrap_or(&text);
                let number = error.raw_os_error().unwrap_or(0);
                let _ = self.output.write_error(&format!(
                    "janus-jit: can't open file '{shown}': [Errno {number}] {message}\n"
                ));
                Outcome {
                    code: 2,
                    began: false,
                }
            }
        }
    }

    /// Runs the `__main__` of a zip file, whose modules imports find first.
    fn run_zip(&mut self, path: &str) -> PyResult {
        self.main_module()?;
        // What runs it is there before the file is looked into.
        let module = self.import_module("zipimport")?;
        self.search_first(path);
        let run = janus_object::attr::get(self, &module, name!("_run"))?;
        self.call(&run, Args::new(&[Value::str(path)]))
    }

    /// Runs source text as `__main__`.
    pub fn run_source(&mut self, source: &str, filename: &str) -> Outcome {
        let result = match self.compile(source, filename, SourceKind::Module) {
            Ok(code) => {
                self.sources.insert(filename.into(), source.into());
                self.run_main(&code, filename)
            }
            Err(raised) => Err(raised),
        };
        self.finish(result)
    }

    /// Runs source text that no file holds (`-c`, standard input) as `__main__`.
    pub fn run_text(&mut self, source: Vec<u8>, filename: &str) -> Outcome {
        self.search_first_if_safe("");
        let result = crate::source::decode(self, source, filename)
            .and_then(|source| self.compile(&source, filename, SourceKind::Module))
            .and_then(|code| self.run_as(&code, "__main__", None));
        self.finish(result)
    }

    /// Imports look into the script's directory first, unless that is not to be trusted (`-P`).
    pub(crate) fn search_first_if_safe(&mut self, directory: &str) {
        if !self.settings.safe_path {
            self.search_first(directory);
        }
    }

    /// Runs nothing: what follows a script is all there is.
    pub fn run_nothing(&mut self) -> Outcome {
        self.search_first_if_safe("");
        let made = self.main_module().map(Value::Module);
        self.finish(made)
    }

    /// Imports look into this directory first.
    pub(crate) fn search_first(&mut self, directory: &str) {
        let first = Value::str(directory);
        self.path.items.borrow_mut().insert(0, first);
    }

    /// Runs compiled code as the module `name`; its file is `path`.
    pub fn run_module(&mut self, code: Rc<Code>, module_name: &str, path: &str) -> PyResult {
        let code = self.code_object(code);
        self.run_as(&code, module_name, Some(path))
    }

    fn run_main(&mut self, code: &PyRef<CodeObject>, path: &str) -> PyResult {
        self.run_as(code, "__main__", Some(path))
    }

    fn run_as(
        &mut self,
        code: &PyRef<CodeObject>,
        module_name: &str,
        path: Option<&str>,
    ) -> PyResult {
        let module = PyRef::new(PyModule::new(
            module_name,
            code.code.doc.as_deref().map_or(Value::None, Value::str),
        ));
        if let Some(path) = path {
            module.set("__file__", path);
            module.set("__cached__", Value::None);
            let spec = self.module_spec(module_name, Some(path), None)?;
            let loader = janus_object::attr::get(self, &spec, name!("loader"))?;
            module.set("__loader__", loader);
        }
        if path.is_none() {
            let importers = crate::ImportClasses::get();
            module.set("__loader__", Value::Class(importers.builtin.clone()));
        }
        self.modules
            .set_str(module_name, Value::Module(module.clone()));
        self.exec(code, &module.dict, None)?;
        Ok(Value::Module(module))
    }

    /// Ends a script: reports what it raised, runs `atexit` callbacks, flushes.
    pub fn finish(&mut self, result: PyResult) -> Outcome {
        let mut code = match result {
            Ok(_) => 0,
            Err(raised) => self.report(&raised.0),
        };
        if let Some(inspect) = self.inspect.take() {
            code = inspect(self, code);
        }
        self.ended(code)
    }

    /// Waits for the threads that are no daemons.
    fn await_threads(&mut self) {
        let Some(module @ Value::Module(_)) = self.modules.get_str("threading") else {
            return;
        };
        let ended = janus_object::attr::get(self, &module, name!("_shutdown"))
            .and_then(|shutdown| self.call_value(&shutdown, Args::new(&[])));
        if let Err(raised) = ended {
            self.report_ignored_in(None, &raised, &module);
        }
    }

    /// Runs `atexit` callbacks and flushes.
    pub(crate) fn ended(&mut self, mut code: i32) -> Outcome {
        self.await_threads();
        while let Some((function, callback)) = self.at_exit.pop() {
            if let Err(raised) = self.call_value(&callback, Args::new(&[])) {
                let words = Some("Exception ignored in atexit callback");
                self.report_ignored_in(words, &raised, &function);
            }
        }
        // Threads that run on behind the program have had their last turn.
        janus_gil::close();
        self.finalize_modules();
        if let Err(error) = self.output.flush() {
            let text = Raised::io_error(&error, None);
            let text = self.format_exception_only(&text.0);
            let _ = self.output.write_error(&format!(
                "Exception ignored in: <_io.TextIOWrapper name='<stdout>' mode='w' \
                 encoding='utf-8'>\n{text}"
            ));
        }
        if self.output.failed() && code == 0 {
            code = 120;
        }
        Outcome { code, began: true }
    }

    /// Prints an uncaught exception, through `sys.excepthook` if that was replaced; gives the exit code.
    pub fn report(&mut self, exception: &PyRef<Instance>) -> i32 {
        if Self::is_kind(exception, ExcKind::SystemExit) && self.inspect.is_none() {
            return self.exit_code(exception);
        }
        self.show(exception);
        if Self::is_kind(exception, ExcKind::KeyboardInterrupt) {
            130
        } else {
            1
        }
    }

    fn show(&mut self, exception: &PyRef<Instance>) {
        let value = Value::Instance(exception.clone());
        let hooked = self.exception_parts(&value).and_then(|parts| {
            if let Some(Value::Module(sys)) = self.modules.get_str("sys") {
                for (name, part) in ["last_type", "last_value", "last_traceback"]
                    .iter()
                    .zip(&parts)
                {
                    sys.set(name, part.clone());
                }
            }
            self.call_replaced_hook("excepthook", &parts)
        });
        let text = match hooked {
            Ok(true) => return,
            Ok(false) => self.format_exception(exception),
            Err(raised) => {
                let in_hook = self.format_exception(&raised.0);
                let original = self.format_exception(exception);
                format!("Error in sys.excepthook:\n{in_hook}\nOriginal exception was:\n{original}")
            }
        };
        self.write_to_stderr(&text);
    }

    /// The exit code that a `SystemExit` asks for; what is no number is printed.
    pub fn exit_code(&mut self, exception: &PyRef<Instance>) -> i32 {
        let value = Value::Instance(exception.clone());
        match attr::get_opt(self, &value, name!("code")) {
            Ok(None | Some(Value::None)) | Err(_) => 0,
            Ok(Some(code)) => match code.as_int() {
                // What the system keeps of it.
                Some(code) => (code & 0xff) as i32,
                None => {
                    let message = match text::str(self, &code) {
                        Ok(message) => message.to_string(),
                        Err(_) => String::new(),
                    };
                    let _ = self.write_stderr(&format!("{message}\n"));
                    1
                }
            },
        }
    }

    /// Calls `callback` when the script ends, the latest first; it was registered as `function`.
    pub fn at_exit(&mut self, function: Value, callback: Value) {
        self.at_exit.push((function, callback));
    }

    /// Forgets what was registered as this function.
    pub fn not_at_exit(&mut self, function: &Value) -> PyResult<()> {
        let registered: Vec<Value> = self.at_exit.iter().map(|(f, _)| f.clone()).collect();
        for (at, other) in registered.iter().enumerate().rev() {
            if janus_object::ops::eq(self, other, function)? && at < self.at_exit.len() {
                self.at_exit.remove(at);
            }
        }
        Ok(())
    }

    /// How many callbacks there are.
    pub fn at_exit_count(&self) -> usize {
        self.at_exit.len()
    }

    /// Forgets them.
    pub fn clear_at_exit(&mut self) {
        self.at_exit.clear();
    }
}

/// Whether a file ends as a zip file does: with the record that ends its directory.
fn is_zip(bytes: &[u8]) -> bool {
    const END: usize = 22;
    let from = bytes.len().saturating_sub(END + usize::from(u16::MAX));
    bytes[from..]
        .windows(END)
        .any(|record| record.starts_with(b"PK\x05\x06"))
}
