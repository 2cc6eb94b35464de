//! `-m`: a module that is run as the script.
//!
//! In: a dotted name. Out: its code, run as `__main__`. Always: the packages around it are imported first; of a
//! package, its `__main__` runs.

use std::path::Path;

use janus_object::{PyModule, PyRef, PyResult, Raised, Value, attr, name};

use crate::import::Found;
use crate::script::Outcome;
use crate::{Interp, SourceKind};

/// What runs.
struct Main {
    /// Its dotted name, that of a package with `.__main__`.
    full: String,
    file: String,
    source: String,
}

impl Interp {
    /// Runs a module as `__main__`.
    pub fn run_named(&mut self, module: &str) -> Outcome {
        // While modules are looked for, the argument is `-m`.
        self.search_first_if_safe(&current_directory());
        let result = match self.find_main(module) {
            Ok(Ok(main)) => self.run_main_module(&main),
            Ok(Err(why)) => {
                let program = self.settings.executable.clone();
                let _ = self.output.write_error(&format!("{program}: {why}\n"));
                return self.ended(1);
            }
            Err(raised) => Err(raised),
        };
        self.finish(result)
    }

    /// Runs a directory with a `__main__.py` in it, which imports look into first.
    pub(crate) fn run_directory(&mut self, directory: &Path) -> Option<Outcome> {
        let file = directory.join("__main__.py");
        if !file.is_file() {
            return None;
        }
        self.search_first(&directory.to_string_lossy());
        let shown = file.to_string_lossy().into_owned();
        let result = std::fs::read(&file)
            .map_err(|e| Raised::io_error(&e, Some(Value::str(shown.as_str()))))
            .and_then(|bytes| crate::source::decode(self, bytes, &shown))
            .and_then(|source| {
                self.run_main_module(&Main {
                    full: "__main__".to_owned(),
                    file: shown,
                    source,
                })
            });
        Some(self.finish(result))
    }

    /// The code of a module, or why there is none to run.
    fn find_main(&mut self, module: &str) -> PyResult<Result<Main, String>> {
        let parent = match module.rsplit_once('.') {
            Some((parent, _)) => match self.import_module(parent) {
                Ok(found) => Some((parent.to_owned(), found)),
                Err(raised) if raised.is(janus_object::ExcKind::ModuleNotFoundError) => {
                    let text = self.format_exception_only(&raised.0);
                    return Ok(Err(format!(
                        "Error while finding module specification for '{module}' ({})",
                        text.trim_end()
                    )));
                }
                Err(raised) => return Err(raised),
            },
            None => None,
        };
        let Some(found) = self.find(module, parent.as_ref())? else {
            return Ok(Err(format!("No module named {module}")));
        };
        let is_package = match &found {
            Found::Embedded(source) => source.is_package,
            Found::File { package, .. } => package.is_some(),
            Found::Namespace(_) => true,
            Found::Native(_) | Found::Extension(_) => {
                return Ok(Err(format!("No code object available for {module}")));
            }
        };
        if is_package && !module.ends_with(".__main__") {
            let main = format!("{module}.__main__");
            return Ok(self.find_main(&main)?.map_err(|why| {
                format!("{why}; '{module}' is a package and cannot be directly executed")
            }));
        }
        let (file, source) = match found {
            Found::Embedded(found) => (format!("<frozen {module}>"), found.source.to_owned()),
            Found::File { file, .. } => {
                let shown = file.to_string_lossy().into_owned();
                let bytes = std::fs::read(&file)
                    .map_err(|e| Raised::io_error(&e, Some(Value::str(shown.as_str()))))?;
                let source = crate::source::decode(self, bytes, &shown)?;
                (shown, source)
            }
            _ => return Ok(Err(format!("No code object available for {module}"))),
        };
        Ok(Ok(Main {
            full: module.to_owned(),
            file,
            source,
        }))
    }

    fn run_main_module(&mut self, main: &Main) -> PyResult {
        let argv = self.argv.clone();
        if let Some(first) = argv.items.borrow_mut().first_mut() {
            // A module that is embedded has a file's name, too: programs show it in their help.
            *first = match main.file.starts_with('<') {
                true => Value::str(format!("{}.py", main.full.replace('.', "/"))),
                false => Value::str(main.file.as_str()),
            };
        }
        let code = self.compile(&main.source, &main.file, SourceKind::Module)?;
        self.sources
            .insert(main.file.as_str().into(), main.source.as_str().into());
        let doc = code.code.doc.as_deref().map_or(Value::None, Value::str);
        let module = PyRef::new(PyModule::new("__main__", doc));
        let package = main.full.rsplit_once('.').map_or("", |(parent, _)| parent);
        module.set("__package__", package);
        module.set("__file__", main.file.as_str());
        module.set("__cached__", Value::None);
        let value = Value::Module(module.clone());
        self.describe_module(&value, &main.full, Some(&main.file), None)?;
        self.modules.set_str("__main__", value);
        self.exec(&code, &module.dict, None)
    }

    /// The namespace of `__main__`, made if there is none yet.
    pub fn main_module(&mut self) -> PyResult<PyRef<PyModule>> {
        if let Some(Value::Module(module)) = self.modules.get_str("__main__") {
            return Ok(module);
        }
        let module = PyRef::new(PyModule::new("__main__", Value::None));
        let builtins = self.import_module("builtins")?;
        module.dict.set_name(name!("__builtins__"), builtins);
        self.modules
            .set_str("__main__", Value::Module(module.clone()));
        Ok(module)
    }

    /// Calls a hook of `sys` that the script replaced; false if it did not.
    pub(crate) fn call_replaced_hook(&mut self, hook: &str, args: &[Value]) -> PyResult<bool> {
        let Some(Value::Module(sys)) = self.modules.get_str("sys") else {
            return Ok(false);
        };
        let original = sys.get(&format!("__{hook}__"));
        let Some(set) = sys.get(hook) else {
            return Ok(false);
        };
        if original.is_some_and(|original| janus_object::ops::is(&original, &set)) {
            return Ok(false);
        }
        self.call_value(&set, janus_object::Args::new(args))?;
        Ok(true)
    }

    /// Class, value and traceback of an exception, as hooks get them.
    pub(crate) fn exception_parts(&mut self, exception: &Value) -> PyResult<[Value; 3]> {
        let traceback = attr::get(self, exception, name!("__traceback__"))?;
        let class = Value::Class(janus_object::class_of(exception));
        Ok([class, exception.clone(), traceback])
    }
}

fn current_directory() -> String {
    std::env::current_dir().map_or(String::new(), |d| d.to_string_lossy().into_owned())
}
