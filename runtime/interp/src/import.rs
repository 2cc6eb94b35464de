//! Imports.
//!
//! In: dotted names. Out: modules, from `sys.modules`, the registered native and embedded modules,
//! or `.py` files on `sys.path` and in packages. Always: a module is in `sys.modules` before its
//! body runs, and no longer if that raises.

use std::path::{Path, PathBuf};

use janus_object::{
    CodeObject, ExcKind, Name, PyDict, PyModule, PyRef, PyResult, Raised, Value, attr, name, text,
};

use crate::import_times::ImportTimes;
use crate::{Interp, SourceKind};

/// A module written in Python that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct SourceModule {
    /// Whether it has submodules.
    pub is_package: bool,
    /// Its text.
    pub source: &'static str,
    /// Its code as `janus_bytecode::pack` wrote it, if it was compiled before.
    pub code: Option<&'static [u8]>,
}

/// Where a module was found.
pub(crate) enum Found {
    Native(crate::NativeModule),
    Embedded(SourceModule),
    File {
        file: PathBuf,
        package: Option<PathBuf>,
    },
    Namespace(PathBuf),
    /// One in C: there is no CPython to load it.
    Extension(PathBuf),
}

/// What a search came to.
enum Search {
    /// One of our own kinds.
    Found(Found),
    /// What a finder of the script's own gave.
    Spec(Value),
}

impl Interp {
    /// Imports a module by its full dotted name, its parents first.
    pub fn import_module(&mut self, full: &str) -> PyResult {
        if let Some(module) = self.loaded(full)? {
            return Ok(module);
        }
        if full.is_empty() {
            return Err(Raised::value_error("Empty module name"));
        }
        let mut parent: Option<(String, Value)> = None;
        let mut path = String::new();
        for part in full.split('.') {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(part);
            let module = match self.loaded(&path)? {
                Some(module) => module,
                None => self.load(&path, parent.as_ref())?,
            };
            parent = Some((path.clone(), module));
        }
        match parent {
            Some((_, module)) => Ok(module),
            None => Err(Raised::value_error("Empty module name")),
        }
    }

    /// Whether a module of this full name is there already.
    pub fn is_imported(&self, full: &str) -> bool {
        self.modules.get_str(full).is_some()
    }

    /// `sys.modules`
    pub fn loaded_modules(&self) -> &PyRef<PyDict> {
        &self.modules
    }

    /// What `sys.modules` has under a name.
    fn loaded(&mut self, full: &str) -> PyResult<Option<Value>> {
        if !self.imports.is_empty() {
            self.await_import(full)?;
        }
        match self.modules.get_str(full) {
            Some(Value::None) => {
                let raised = Raised::module_not_found(full);
                let message = format!("import of {full} halted; None in sys.modules");
                Err(with_message(raised, message))
            }
            found => Ok(found),
        }
    }

    fn load(&mut self, full: &str, parent: Option<&(String, Value)>) -> PyResult {
        let Some(began) = self.import_times.as_mut().map(ImportTimes::begin) else {
            return self.load_untimed(full, parent);
        };
        let loaded = self.load_untimed(full, parent);
        if let Some(times) = &mut self.import_times {
            times.end(began, full);
        }
        loaded
    }

    fn load_untimed(&mut self, full: &str, parent: Option<&(String, Value)>) -> PyResult {
        let found = match self.find_by_all(full, parent)? {
            Some(Search::Spec(spec)) => {
                let module = self.load_spec(full, &spec)?;
                self.bind_in_parent(full, parent, &module)?;
                return Ok(module);
            }
            Some(Search::Found(found)) => found,
            None => {
                let raised = Raised::module_not_found(full);
                return Err(match parent {
                    Some((name, module)) if !self.is_package(module) => {
                        let message =
                            format!("No module named '{full}'; '{name}' is not a package");
                        with_message(raised, message)
                    }
                    _ => raised,
                });
            }
        };
        let module = match found {
            Found::Native(make) => {
                let module = make(self)?;
                self.describe_module(&module, full, None, None)?;
                self.modules.set_str(full, module.clone());
                module
            }
            Found::Embedded(source) => {
                let filename = janus_bytecode::library_file(full);
                let package = source.is_package.then(|| Value::list(Vec::new()));
                let code = match source.code.and_then(janus_bytecode::unpack) {
                    Some(code) => self.code_object(code),
                    None => self.compile(source.source, &filename, SourceKind::Module)?,
                };
                self.import_code(full, &filename, &code, package)?
            }
            Found::File { file, package } => {
                let text = std::fs::read(&file).map_err(|e| {
                    Raised::io_error(&e, Some(Value::str(file.to_string_lossy().as_ref())))
                })?;
                let filename = file.to_string_lossy().into_owned();
                let text = crate::source::decode(self, text, &filename)?;
                let package = package
                    .map(|dir| Value::list(vec![Value::str(dir.to_string_lossy().as_ref())]));
                let code = self.compile(&text, &filename, SourceKind::Module)?;
                self.sources
                    .insert(filename.as_str().into(), text.as_str().into());
                self.import_code(full, &filename, &code, package)?
            }
            Found::Namespace(dir) => {
                let module = PyRef::new(PyModule::new(full, Value::None));
                module.set(
                    "__path__",
                    Value::list(vec![Value::str(dir.to_string_lossy().as_ref())]),
                );
                module.set("__package__", full);
                let path = module.get("__path__");
                let module = Value::Module(module);
                self.describe_module(&module, full, None, path)?;
                self.modules.set_str(full, module.clone());
                module
            }
            Found::Extension(file) => {
                let file = file.display();
                let message =
                    format!("'{full}' is a module in C ({file}), which janus-jit does not load");
                return Err(with_message(Raised::module_not_found(full), message));
            }
        };
        // The body may have replaced itself.
        let module = self.loaded(full)?.unwrap_or(module);
        self.bind_in_parent(full, parent, &module)?;
        Ok(module)
    }

    /// A submodule is an attribute of its package.
    fn bind_in_parent(
        &mut self,
        full: &str,
        parent: Option<&(String, Value)>,
        module: &Value,
    ) -> PyResult<()> {
        if let Some((_, parent)) = parent
            && let Some((_, last)) = full.rsplit_once('.')
        {
            attr::set(self, parent, &Name::new(last), module.clone())?;
        }
        Ok(())
    }

    /// `sys.path`, also where a script has set it to another list.
    pub(crate) fn search_path(&mut self) -> Vec<Value> {
        let set = match self.modules.get_str("sys") {
            Some(Value::Module(sys)) => sys.get("path"),
            _ => None,
        };
        match set {
            Some(Value::List(list)) => list.to_vec(),
            _ => self.path.to_vec(),
        }
    }

    /// What `sys.meta_path` finds: the interpreter's own finders look here, those of the script are called.
    fn find_by_all(
        &mut self,
        full: &str,
        parent: Option<&(String, Value)>,
    ) -> PyResult<Option<Search>> {
        let finders = match self.modules.get_str("sys") {
            Some(Value::Module(sys)) => match sys.get("meta_path") {
                Some(Value::List(list)) => list.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let own = crate::spec::Classes::get();
        let is_own = |finder: &Value| {
            matches!(finder, Value::Class(c) if [&own.builtin, &own.frozen, &own.path]
                .iter()
                .any(|own| PyRef::ptr_eq(own, c)))
        };
        if finders.iter().all(is_own) {
            return self.find_by_own(full, parent);
        }
        let mut looked = false;
        for finder in finders {
            if is_own(&finder) {
                // They stand together: one search is all three.
                if !std::mem::replace(&mut looked, true)
                    && let Some(found) = self.find_by_own(full, parent)?
                {
                    return Ok(Some(found));
                }
                continue;
            }
            let Some(find) = attr::get_opt(self, &finder, name!("find_spec"))? else {
                continue;
            };
            let path = match parent {
                Some((_, module)) => {
                    attr::get_opt(self, module, name!("__path__"))?.unwrap_or(Value::None)
                }
                None => Value::None,
            };
            let args = [Value::str(full), path, Value::None];
            let spec = self.call_value(&find, janus_object::Args::new(&args))?;
            if !spec.is_none() {
                return Ok(Some(Search::Spec(spec)));
            }
        }
        Ok(None)
    }

    /// What the interpreter's own finders find, with what the hooks of the path do.
    fn find_by_own(
        &mut self,
        full: &str,
        parent: Option<&(String, Value)>,
    ) -> PyResult<Option<Search>> {
        let found = self.find(full, parent)?;
        let spec = self.find_by_hooks(full, parent, found.as_ref())?;
        Ok(spec.map(Search::Spec).or(found.map(Search::Found)))
    }

    /// The spec of what was found.
    pub(crate) fn spec_of(&mut self, full: &str, found: &Found) -> PyResult {
        let shown = |path: &Path| Value::str(path.to_string_lossy().as_ref());
        match found {
            Found::Native(_) => self.module_spec(full, None, None),
            Found::Embedded(source) => {
                let package = source.is_package.then(|| Value::list(Vec::new()));
                self.module_spec(full, None, package)
            }
            Found::File { file, package } => {
                let package = package.as_deref().map(|dir| Value::list(vec![shown(dir)]));
                self.module_spec(full, Some(&file.to_string_lossy()), package)
            }
            Found::Namespace(dir) => {
                let package = Value::list(vec![shown(dir)]);
                self.module_spec(full, None, Some(package))
            }
            Found::Extension(_) => Ok(Value::None),
        }
    }

    /// The spec of a module by its name, as `importlib.util.find_spec` gives it.
    pub fn find_spec(&mut self, full: &str) -> PyResult {
        let parent = match full.rsplit_once('.') {
            Some((parent, _)) => Some((parent.to_owned(), self.import_module(parent)?)),
            None => None,
        };
        match self.find_by_all(full, parent.as_ref())? {
            Some(Search::Spec(spec)) => Ok(spec),
            Some(Search::Found(found)) => self.spec_of(full, &found),
            None => Ok(Value::None),
        }
    }

    fn is_package(&mut self, module: &Value) -> bool {
        matches!(attr::get_opt(self, module, name!("__path__")), Ok(Some(_)))
    }

    pub(crate) fn find(
        &mut self,
        full: &str,
        parent: Option<&(String, Value)>,
    ) -> PyResult<Option<Found>> {
        let own = match self.native_modules.get(full) {
            Some(make) => Some(Found::Native(*make)),
            None => self.source_modules.get(full).map(|s| Found::Embedded(*s)),
        };
        if let Some(own) = own {
            // As in CPython, what its library has in files comes behind the script's own modules.
            if parent.is_none() && self.library.is_some() && crate::library_names::is_in_file(full)
            {
                let before = self.before_library();
                let shadowing = self.find_in(&before, full);
                if let Some(file @ Found::File { .. }) = shadowing {
                    return Ok(Some(file));
                }
            }
            return Ok(Some(own));
        }
        let (directories, last) = match parent {
            None => (self.search_path(), full),
            Some((name, module)) => {
                let Some(path) = attr::get_opt(self, module, name!("__path__"))? else {
                    return Ok(None);
                };
                (
                    self.collect(&path)?,
                    full.get(name.len() + 1..).unwrap_or_default(),
                )
            }
        };
        let found = self.find_in(&directories, last);
        Ok(match found {
            Some(Found::File {
                package: Some(package),
                ..
            }) if parent.is_none() && is_in_c(full, &package) => Some(Found::Extension(package)),
            found => found,
        })
    }

    /// The part of `sys.path` before the place where the library stands.
    fn before_library(&mut self) -> Vec<Value> {
        let mut path = self.search_path();
        let place = self.library.as_deref();
        if let Some(at) = path.iter().position(|entry| entry.as_str() == place) {
            path.truncate(at);
        }
        path
    }

    /// Looks for a file or directory of a module in these directories.
    pub(crate) fn find_in(&self, directories: &[Value], last: &str) -> Option<Found> {
        if last.is_empty() {
            return None;
        }
        let (mut namespace, mut in_c) = (None, None);
        for directory in directories {
            let Some(directory) = directory.as_str() else {
                continue;
            };
            let base = Path::new(if directory.is_empty() { "." } else { directory });
            let package = base.join(last);
            let init = package.join("__init__.py");
            if init.is_file() {
                return Some(Found::File {
                    file: init,
                    package: Some(package),
                });
            }
            let file = base.join(format!("{last}.py"));
            if file.is_file() {
                return Some(Found::File {
                    file,
                    package: None,
                });
            }
            in_c = in_c.or_else(|| extension(base, last));
            if namespace.is_none() && package.is_dir() {
                namespace = Some(package);
            }
        }
        let in_c = in_c.map(Found::Extension);
        in_c.or_else(|| namespace.map(Found::Namespace))
    }

    /// Makes a module of its code and runs its body.
    fn import_code(
        &mut self,
        full: &str,
        filename: &str,
        code: &PyRef<CodeObject>,
        package: Option<Value>,
    ) -> PyResult {
        let module = PyRef::new(PyModule::new(full, Value::None));
        let own_package = match &package {
            Some(_) => full,
            None => full.rsplit_once('.').map_or("", |(parent, _)| parent),
        };
        module.set("__package__", own_package);
        module.set("__file__", filename);
        if let Some(path) = &package {
            module.set("__path__", path.clone());
        }
        let value = Value::Module(module.clone());
        self.describe_module(&value, full, Some(filename), package)?;
        let behind = crate::library_names::BEHIND;
        if let Some((_, shown)) = behind.iter().find(|(name, _)| *name == full) {
            module.set("__name__", *shown);
        }
        self.modules.set_str(full, value.clone());
        self.imports.begin(full, self.ident);
        let result = self.exec(code, &module.dict, None);
        self.imports.end(full);
        match result {
            Ok(_) => Ok(value),
            Err(raised) => {
                self.modules.remove_name(&Name::new(full));
                Err(raised)
            }
        }
    }

    /// The `import` statement, which calls what a script put in the place of `__import__`.
    pub(crate) fn import_statement(
        &mut self,
        module_name: &Name,
        globals: &PyRef<PyDict>,
        from_list: &Value,
        level: &Value,
    ) -> PyResult {
        match self.builtins.get_name(name!("__import__")) {
            Some(Value::Native(own)) if own.qualname == "builtins.__import__" => {
                self.import_name(module_name, globals, from_list, level)
            }
            Some(other) => {
                let args = [
                    module_name.to_value(),
                    Value::Dict(globals.clone()),
                    Value::None,
                    from_list.clone(),
                    level.clone(),
                ];
                self.call_value(&other, janus_object::Args::new(&args))
            }
            None => Err(Raised::new(ExcKind::ImportError, "__import__ not found")),
        }
    }

    /// Imports by name: `level` dots before `name`.
    pub(crate) fn import_name(
        &mut self,
        module_name: &Name,
        globals: &PyRef<PyDict>,
        from_list: &Value,
        level: &Value,
    ) -> PyResult {
        let level = level.as_int().unwrap_or(0);
        let full = if level > 0 {
            self.resolve_relative(module_name.as_str(), globals, level)?
        } else {
            module_name.as_str().to_owned()
        };
        let module = self.import_module(&full)?;
        if from_list.is_none() {
            if level > 0 && !module_name.as_str().is_empty() {
                let cut = module_name
                    .as_str()
                    .split_once('.')
                    .map_or(0, |(_, rest)| rest.len() + 1);
                return self.import_module(full.get(..full.len() - cut).unwrap_or(&full));
            }
            let top = full.split('.').next().unwrap_or(&full);
            return if top == full {
                Ok(module)
            } else {
                self.import_module(top)
            };
        }
        if self.is_package(&module) {
            self.import_from_list(&full, &module, from_list)?;
        }
        Ok(module)
    }

    /// Imports the submodules that a `from package import a, b` names.
    fn import_from_list(&mut self, full: &str, module: &Value, from_list: &Value) -> PyResult<()> {
        for item in self.collect(from_list)? {
            let Some(item) = item.as_pystr().map(Name::intern) else {
                return Err(Raised::type_error(format!(
                    "Item in ``from list'' must be str, not {}",
                    item.type_name()
                )));
            };
            if item == "*" {
                if let Some(all) = attr::get_opt(self, module, name!("__all__"))? {
                    self.import_from_list(full, module, &all)?;
                }
                continue;
            }
            if attr::get_opt(self, module, &item)?.is_some() {
                continue;
            }
            let submodule = format!("{full}.{item}");
            match self.import_module(&submodule) {
                Ok(_) => {}
                // What is not a module is missed by the instruction that reads the name.
                Err(raised) if is_about(&raised, &submodule) => {}
                Err(raised) => return Err(raised),
            }
        }
        Ok(())
    }

    fn resolve_relative(
        &mut self,
        module_name: &str,
        globals: &PyRef<PyDict>,
        level: i64,
    ) -> PyResult<String> {
        let text = |v: Option<Value>| v.as_ref().and_then(Value::as_str).map(str::to_owned);
        let package = match text(globals.get_name(name!("__package__"))) {
            Some(package) => package,
            None => {
                let own = text(globals.get_name(name!("__name__"))).unwrap_or_default();
                if globals.get_name(name!("__path__")).is_some() {
                    own
                } else {
                    own.rsplit_once('.')
                        .map_or(String::new(), |(p, _)| p.to_owned())
                }
            }
        };
        if package.is_empty() {
            return Err(Raised::new(
                ExcKind::ImportError,
                "attempted relative import with no known parent package",
            ));
        }
        let mut base = package.as_str();
        for _ in 1..level {
            base = match base.rsplit_once('.') {
                Some((parent, _)) => parent,
                None => {
                    return Err(Raised::new(
                        ExcKind::ImportError,
                        "attempted relative import beyond top-level package",
                    ));
                }
            };
        }
        Ok(if module_name.is_empty() {
            base.to_owned()
        } else {
            format!("{base}.{module_name}")
        })
    }

    /// `from module import name`.
    pub(crate) fn import_from(&mut self, module: &Value, item: &Name) -> PyResult {
        if let Some(value) = attr::get_opt(self, module, item)? {
            return Ok(value);
        }
        let module_name = match attr::get_opt(self, module, name!("__name__"))? {
            Some(name) => text::str(self, &name)?.to_string(),
            None => "<unknown module name>".to_owned(),
        };
        if let Some(value) = self.modules.get_str(&format!("{module_name}.{item}")) {
            return Ok(value);
        }
        let file = match attr::get_opt(self, module, name!("__file__"))? {
            Some(file) => text::str(self, &file)?.to_string(),
            None => "unknown location".to_owned(),
        };
        let from = if self.imports.is_running(&module_name) {
            format!(
                "partially initialized module '{module_name}' (most likely due to a circular \
                 import)"
            )
        } else {
            format!("'{module_name}'")
        };
        let raised = Raised::import_error(
            format!("cannot import name '{item}' from {from} ({file})"),
            &module_name,
        );
        if let Some(data) = raised.data() {
            data.set_member(name!("path"), Value::str(file));
        }
        Err(raised)
    }

    /// `from module import *`.
    pub(crate) fn import_star(
        &mut self,
        module: &Value,
        namespace: &PyRef<PyDict>,
    ) -> PyResult<()> {
        let names = match attr::get_opt(self, module, name!("__all__"))? {
            Some(all) => self.collect(&all)?,
            None => match module {
                Value::Module(m) => {
                    let public = |key: &Value| key.as_str().is_some_and(|s| !s.starts_with('_'));
                    m.dict.keys().into_iter().filter(public).collect()
                }
                other => match attr::get_opt(self, other, name!("__dict__"))? {
                    Some(dict) => {
                        let public =
                            |key: &Value| key.as_str().is_some_and(|s| !s.starts_with('_'));
                        self.collect(&dict)?.into_iter().filter(public).collect()
                    }
                    None => {
                        return Err(Raised::new(
                            ExcKind::ImportError,
                            "from-import-* object has no __dict__ and no __all__",
                        ));
                    }
                },
            },
        };
        for key in names {
            let Some(key) = key.as_pystr().map(Name::intern) else {
                return Err(Raised::type_error("__all__ must be a sequence of str"));
            };
            let value = attr::get(self, module, &key)?;
            namespace.set_name(&key, value);
        }
        Ok(())
    }
}

/// Packages that are nothing without their parts in C. Others ask whether they are installed before they import them, and
/// have a way of their own where the answer is no: so they are as good as not there, instead of failing halfway.
const IN_C: &[&str] = &[
    "av",
    "bitsandbytes",
    "cv2",
    "cupy",
    "flash_attn",
    "grpc",
    "h5py",
    "jaxlib",
    "llvmlite",
    "numba",
    "onnx",
    "onnxruntime",
    "pandas",
    "pyarrow",
    "scipy",
    "sentencepiece",
    "skimage",
    "sklearn",
    "tensorflow",
    "triton",
    "xformers",
];

/// Whether a package is one of those, and not the script's own of that name: shared libraries lie in it.
fn is_in_c(name: &str, package: &Path) -> bool {
    fn has_library(directory: &Path, depth: u32) -> bool {
        let Ok(entries) = std::fs::read_dir(directory) else {
            return false;
        };
        let mut below = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "so") {
                return true;
            }
            if path.is_dir() {
                below.push(path);
            }
        }
        depth > 0 && below.iter().any(|path| has_library(path, depth - 1))
    }
    IN_C.contains(&name) && has_library(package, 3)
}

/// Whether a package of this name is nothing without its parts in C.
pub(crate) fn lies_in_c(name: &str) -> bool {
    IN_C.contains(&name)
}

/// The shared library of a module in a directory, whichever Python it is for.
fn extension(directory: &Path, module: &str) -> Option<PathBuf> {
    let is_one = |name: &str| {
        name.strip_prefix(module)
            .is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".so"))
    };
    let entries = std::fs::read_dir(directory).ok()?;
    let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|file| {
        file.file_name()
            .and_then(|n| n.to_str())
            .is_some_and(is_one)
    })
}

/// Replaces an exception's message.
fn with_message(raised: Raised, message: String) -> Raised {
    if let Some(data) = raised.data() {
        *data.args.borrow_mut() = PyRef::new(janus_object::PyTuple::new(vec![Value::str(message)]));
    }
    raised
}

/// Whether an exception says that this very module does not exist.
fn is_about(raised: &Raised, module: &str) -> bool {
    raised.is(ExcKind::ModuleNotFoundError)
        && raised
            .data()
            .and_then(|d| d.member("name"))
            .is_some_and(|n| n.as_str() == Some(module))
}
