//! What a module says of where it came from: `__spec__` and `__loader__`.
//!
//! In: a module that was found. Out: a `ModuleSpec`, and a loader that reads and runs it again. Always: the classes are
//! made once for a thread; `importlib` shows these very ones.

use std::path::Path;

use janus_object::{
    Args, BaseKind, Class, ExcKind, Instance, Name, NativeDef, Payload, PyRef, PyResult, Raised,
    Signature, Value, Vm, attr, name, ops, text, types,
};

use crate::functions::interp_of;
use crate::{Interp, SourceKind};

/// The classes that importing is made of.
pub struct Classes {
    /// `importlib.machinery.ModuleSpec`
    pub spec: PyRef<Class>,
    /// `importlib.machinery.SourceFileLoader`
    pub source_loader: PyRef<Class>,
    /// `importlib.machinery.BuiltinImporter`: finds and loads what is written in Rust.
    pub builtin: PyRef<Class>,
    /// `importlib.machinery.FrozenImporter`: finds and loads what is embedded.
    pub frozen: PyRef<Class>,
    /// `importlib.machinery.PathFinder`: finds what is in files.
    pub path: PyRef<Class>,
    /// The loader of packages that are only directories.
    pub namespace: PyRef<Class>,
}

janus_gil::gil_local! {
    static CLASSES: std::rc::Rc<Classes> = std::rc::Rc::new(Classes::new());
}

impl Classes {
    fn new() -> Classes {
        let class = |class_name, module, natives| {
            Class::builtin(
                class_name,
                module,
                &[&types().object],
                BaseKind::Object,
                natives,
            )
        };
        const BOOTSTRAP: &str = "_frozen_importlib";
        const EXTERNAL: &str = "_frozen_importlib_external";
        Classes {
            spec: class("ModuleSpec", BOOTSTRAP, SPEC),
            source_loader: class("SourceFileLoader", EXTERNAL, SOURCE_LOADER),
            builtin: class("BuiltinImporter", BOOTSTRAP, BUILTIN),
            frozen: class("FrozenImporter", BOOTSTRAP, FROZEN),
            path: class("PathFinder", EXTERNAL, PATH),
            namespace: class("NamespaceLoader", EXTERNAL, NAMESPACE),
        }
    }

    /// The classes of this thread.
    pub fn get() -> std::rc::Rc<Classes> {
        CLASSES.with(std::rc::Rc::clone)
    }
}

const SPEC: &[NativeDef] = &[
    NativeDef::method("ModuleSpec.__init__", spec_init),
    NativeDef::method("ModuleSpec.__repr__", spec_repr),
    NativeDef::method("ModuleSpec.__eq__", spec_eq),
    NativeDef::getter("ModuleSpec.parent", spec_parent),
    NativeDef::getter("ModuleSpec.has_location", spec_has_location),
];

const SOURCE_LOADER: &[NativeDef] = &[
    NativeDef::method("SourceFileLoader.__init__", loader_init),
    NativeDef::method("SourceFileLoader.get_filename", loader_filename),
    NativeDef::method("SourceFileLoader.get_source", loader_source),
    NativeDef::method("SourceFileLoader.get_data", loader_data),
    NativeDef::method("SourceFileLoader.get_code", loader_code),
    NativeDef::method("SourceFileLoader.is_package", loader_is_package),
    NativeDef::method("SourceFileLoader.create_module", no_module),
    NativeDef::method("SourceFileLoader.exec_module", loader_exec),
    NativeDef::method("SourceFileLoader.get_resource_reader", |vm, args| {
        let (this, _) = args.method::<1>("get_resource_reader")?;
        from_module(
            vm,
            "importlib.readers",
            "FileReader",
            Args::new(std::slice::from_ref(this)),
        )
    }),
];

const BUILTIN: &[NativeDef] = &[
    NativeDef::class_method("BuiltinImporter.find_spec", |vm, args| {
        find_spec(vm, args, Finder::Builtin)
    }),
    NativeDef::class_method("BuiltinImporter.create_module", create_imported),
    NativeDef::class_method("BuiltinImporter.exec_module", nothing_to_run),
    NativeDef::class_method("BuiltinImporter.is_package", is_not),
    NativeDef::class_method("BuiltinImporter.get_source", no_module),
    NativeDef::class_method("BuiltinImporter.get_code", no_module),
];

const FROZEN: &[NativeDef] = &[
    NativeDef::class_method("FrozenImporter.find_spec", |vm, args| {
        find_spec(vm, args, Finder::Frozen)
    }),
    NativeDef::class_method("FrozenImporter.create_module", create_imported),
    NativeDef::class_method("FrozenImporter.exec_module", nothing_to_run),
    NativeDef::class_method("FrozenImporter.is_package", |vm, args| {
        let (_, [module]) = args.method::<1>("is_package")?;
        let source = module
            .as_str()
            .and_then(|m| interp_of(vm).ok()?.source_modules.get(m).copied());
        Ok(Value::bool(source.is_some_and(|s| s.is_package)))
    }),
    NativeDef::class_method("FrozenImporter.get_source", |vm, args| {
        let (_, [module]) = args.method::<1>("get_source")?;
        let source = module
            .as_str()
            .and_then(|m| interp_of(vm).ok()?.source_modules.get(m).copied());
        Ok(source.map_or(Value::None, |s| Value::str(s.source)))
    }),
];

const PATH: &[NativeDef] = &[
    NativeDef::class_method("PathFinder.find_spec", |vm, args| {
        find_spec(vm, args, Finder::Path)
    }),
    NativeDef::class_method("PathFinder.invalidate_caches", |_, _| Ok(Value::None)),
    NativeDef::class_method("PathFinder.find_distributions", |vm, args| {
        let (_, rest) = args.split_self("find_distributions")?;
        // A package that cannot be loaded is not there, as `find_spec` says, too.
        if let Some(context) = rest.pos.first() {
            let wanted = attr::get(vm, context, name!("name"))?;
            if wanted.as_str().is_some_and(crate::import::lies_in_c) {
                return Ok(Value::tuple(Vec::new()));
            }
        }
        let module = interp_of(vm)?.import_module("importlib.metadata")?;
        let finder = attr::get(vm, &module, name!("MetadataPathFinder"))?;
        let find = attr::get(vm, &finder, name!("find_distributions"))?;
        vm.call(&find, rest)
    }),
];

const NAMESPACE: &[NativeDef] = &[
    NativeDef::method("NamespaceLoader.is_package", |_, _| Ok(Value::bool(true))),
    NativeDef::method("NamespaceLoader.create_module", no_module),
    NativeDef::method("NamespaceLoader.exec_module", nothing_to_run),
    NativeDef::method("NamespaceLoader.get_source", |_, _| Ok(Value::str(""))),
];

/// Which of the three finders looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finder {
    Builtin,
    Frozen,
    Path,
}

fn no_module(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::None)
}

fn nothing_to_run(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::None)
}

fn is_not(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::bool(false))
}

fn spec_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<5> = Signature::new(
        "ModuleSpec",
        ["name", "loader", "origin", "loader_state", "is_package"],
    )
    .required(2)
    .keyword_only(3);
    let (this, [module, loader, origin, state, is_package]) = SIGNATURE.parse_method(args)?;
    let package = match is_package {
        Some(flag) => ops::truth(vm, &flag)?,
        None => false,
    };
    let none = |v: Option<Value>| v.unwrap_or(Value::None);
    for (attribute, value) in [
        (name!("name"), none(module)),
        (name!("loader"), none(loader)),
        (name!("origin"), none(origin)),
        (name!("loader_state"), none(state)),
        (
            name!("submodule_search_locations"),
            if package {
                Value::list(Vec::new())
            } else {
                Value::None
            },
        ),
        (name!("_set_fileattr"), Value::bool(false)),
        (name!("cached"), Value::None),
    ] {
        attr::set(vm, this, attribute, value)?;
    }
    Ok(Value::None)
}

fn spec_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("__repr__")?;
    let mut parts = Vec::new();
    for (attribute, shown) in [
        (name!("name"), true),
        (name!("loader"), true),
        (name!("origin"), false),
        (name!("submodule_search_locations"), false),
    ] {
        let value = attr::get(vm, this, attribute)?;
        if shown || !value.is_none() {
            parts.push(format!("{attribute}={}", text::repr(vm, &value)?));
        }
    }
    Ok(Value::str(format!("ModuleSpec({})", parts.join(", "))))
}

fn spec_eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("__eq__")?;
    for attribute in [
        name!("name"),
        name!("loader"),
        name!("origin"),
        name!("submodule_search_locations"),
    ] {
        let Some(theirs) = attr::get_opt(vm, other, attribute)? else {
            return Ok(Value::NotImplemented);
        };
        let ours = attr::get(vm, this, attribute)?;
        if !ops::eq(vm, &ours, &theirs)? {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn spec_parent(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("parent")?;
    let full = attr::get(vm, this, name!("name"))?;
    if !attr::get(vm, this, name!("submodule_search_locations"))?.is_none() {
        return Ok(full);
    }
    let parent = full
        .as_str()
        .and_then(|f| f.rsplit_once('.'))
        .map_or("", |(p, _)| p);
    Ok(Value::str(parent))
}

fn spec_has_location(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("has_location")?;
    attr::get(vm, this, name!("_set_fileattr"))
}

fn loader_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [module, path]) = args.method::<2>("SourceFileLoader")?;
    attr::set(vm, this, name!("name"), module.clone())?;
    attr::set(vm, this, name!("path"), path.clone())?;
    Ok(Value::None)
}

fn path_of(vm: &mut dyn Vm, this: &Value) -> PyResult<String> {
    let path = attr::get(vm, this, name!("path"))?;
    Ok(text::str(vm, &path)?.to_string())
}

fn loader_filename(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.pos {
        [this, ..] => attr::get(vm, this, name!("path")),
        [] => Err(Raised::type_error("get_filename() needs a loader")),
    }
}

fn read(path: &str) -> PyResult<Vec<u8>> {
    std::fs::read(path).map_err(|e| Raised::io_error(&e, Some(Value::str(path))))
}

fn loader_data(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [path]) = args.method::<1>("get_data")?;
    let path = text::str(vm, path)?.to_string();
    Ok(Value::bytes(read(&path)?))
}

fn loader_text(vm: &mut dyn Vm, args: &Args<'_>) -> PyResult<(String, String)> {
    let Some(this) = args.pos.first() else {
        return Err(Raised::type_error("a loader is required"));
    };
    let path = path_of(vm, this)?;
    let source = crate::source::decode(vm, read(&path)?, &path)?;
    Ok((path, source))
}

fn loader_source(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(loader_text(vm, &args)?.1))
}

/// What `name` of a module in Python makes of these arguments.
fn from_module(vm: &mut dyn Vm, module: &str, name: &str, args: Args<'_>) -> PyResult {
    let module = interp_of(vm)?.import_module(module)?;
    let found = attr::get(vm, &module, &Name::new(name))?;
    vm.call(&found, args)
}

fn loader_code(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (path, source) = loader_text(vm, &args)?;
    let code = interp_of(vm)?.compile(&source, &path, SourceKind::Module)?;
    Ok(Value::Code(code))
}

fn loader_is_package(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some(this) = args.pos.first() else {
        return Err(Raised::type_error("a loader is required"));
    };
    let path = path_of(vm, this)?;
    let stem = Path::new(&path).file_stem();
    Ok(Value::bool(stem.is_some_and(|s| s == "__init__")))
}

fn loader_exec(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [module]) = args.method::<1>("exec_module")?;
    let (path, source) = loader_text(vm, &Args::new(std::slice::from_ref(this)))?;
    let Some(Value::Dict(namespace)) = attr::get_opt(vm, module, name!("__dict__"))? else {
        return Err(Raised::type_error("exec_module() needs a module"));
    };
    let interp = interp_of(vm)?;
    let code = interp.compile(&source, &path, SourceKind::Module)?;
    interp
        .sources
        .insert(path.as_str().into(), source.as_str().into());
    interp.exec(&code, &namespace, None)?;
    Ok(Value::None)
}

fn create_imported(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [spec]) = args.method::<1>("create_module")?;
    let full = attr::get(vm, spec, name!("name"))?;
    let full = text::str(vm, &full)?.to_string();
    interp_of(vm)?.import_module(&full)
}

fn find_spec(vm: &mut dyn Vm, args: Args<'_>, finder: Finder) -> PyResult {
    static SIGNATURE: Signature<3> =
        Signature::new("find_spec", ["fullname", "path", "target"]).required(1);
    let (_, [full, path, _]) = SIGNATURE.parse_method(args)?;
    let Some(full) = full.as_ref().and_then(Value::as_str).map(str::to_owned) else {
        return Err(Raised::type_error(
            "find_spec() argument 'fullname' must be str",
        ));
    };
    interp_of(vm)?.spec_by(finder, &full, path)
}

impl Interp {
    /// Sets `__spec__` and `__loader__` of a module: `file` of one in a file, `package` of a package.
    pub(crate) fn describe_module(
        &mut self,
        module: &Value,
        full: &str,
        file: Option<&str>,
        package: Option<Value>,
    ) -> PyResult<()> {
        let spec = self.module_spec(full, file, package)?;
        let loader = attr::get(self, &spec, name!("loader"))?;
        attr::set(self, module, name!("__spec__"), spec)?;
        attr::set(self, module, name!("__loader__"), loader)
    }

    /// The spec of a module: of one in a file where there is one, else of one that is part of the program.
    pub(crate) fn module_spec(
        &mut self,
        full: &str,
        file: Option<&str>,
        package: Option<Value>,
    ) -> PyResult {
        let classes = Classes::get();
        let file = file.filter(|f| !f.starts_with('<'));
        let (loader, origin) = match file {
            Some(file) => {
                let loader = Value::instance(&classes.source_loader, Payload::None);
                attr::set(self, &loader, name!("name"), Value::str(full))?;
                attr::set(self, &loader, name!("path"), Value::str(file))?;
                (loader, Value::str(file))
            }
            None if self.source_modules.contains_key(full) => {
                (Value::Class(classes.frozen.clone()), Value::str("frozen"))
            }
            None if self.native_modules.contains_key(full) => (
                Value::Class(classes.builtin.clone()),
                Value::str("built-in"),
            ),
            None => (
                Value::instance(&classes.namespace, Payload::None),
                Value::None,
            ),
        };
        let spec = Value::Instance(PyRef::new(Instance::new(
            classes.spec.clone(),
            Payload::None,
        )));
        for (attribute, value) in [
            (name!("name"), Value::str(full)),
            (name!("loader"), loader),
            (name!("origin"), origin),
            (name!("loader_state"), Value::None),
            (
                name!("submodule_search_locations"),
                package.unwrap_or(Value::None),
            ),
            (name!("_set_fileattr"), Value::bool(file.is_some())),
            (name!("cached"), Value::None),
        ] {
            attr::set(self, &spec, attribute, value)?;
        }
        Ok(spec)
    }

    /// What one of the three finders finds, as a spec.
    fn spec_by(&mut self, finder: Finder, full: &str, path: Option<Value>) -> PyResult {
        let known = match finder {
            Finder::Builtin => self.native_modules.contains_key(full),
            Finder::Frozen => self.source_modules.contains_key(full),
            Finder::Path => {
                let last = full.rsplit('.').next().unwrap_or(full);
                let directories = match path {
                    Some(path) if !path.is_none() => self.collect(&path)?,
                    _ => self.search_path(),
                };
                return match self.find_in(&directories, last) {
                    Some(found) => self.spec_of(full, &found),
                    None => Ok(Value::None),
                };
            }
        };
        if !known {
            return Ok(Value::None);
        }
        let is_package = self.source_modules.get(full).is_some_and(|s| s.is_package);
        let package = is_package.then(|| Value::list(Vec::new()));
        self.module_spec(full, None, package)
    }

    /// The module of a spec, which did not run yet.
    pub fn module_from_spec(&mut self, spec: &Value) -> PyResult {
        let full = attr::get(self, spec, name!("name"))?;
        let full = text::str(self, &full)?.to_string();
        let loader = attr::get(self, spec, name!("loader"))?;
        let created = match attr::get_opt(self, &loader, name!("create_module"))? {
            Some(create) => self.call(&create, Args::new(std::slice::from_ref(spec)))?,
            None => Value::None,
        };
        let module = if created.is_none() {
            Value::Module(PyRef::new(janus_object::PyModule::new(&full, Value::None)))
        } else {
            created
        };
        self.set_from_spec(&module, spec, &loader)?;
        Ok(module)
    }

    /// Makes the module of a spec that a finder of the script's own gave, and runs it.
    pub(crate) fn load_spec(&mut self, full: &str, spec: &Value) -> PyResult {
        let module = self.module_from_spec(spec)?;
        let loader = attr::get(self, spec, name!("loader"))?;
        self.modules.set_str(full, module.clone());
        let locations = attr::get_opt(self, spec, name!("submodule_search_locations"))?;
        if loader.is_none() && locations.is_some_and(|l| !l.is_none()) {
            // A namespace package has nothing to run.
            return Ok(module);
        }
        let Some(exec) = attr::get_opt(self, &loader, name!("exec_module"))? else {
            if let Some(load) = attr::get_opt(self, &loader, name!("load_module"))? {
                self.modules.remove_name(&janus_object::Name::new(full));
                return self.call(&load, Args::new(&[Value::str(full)]));
            }
            return Err(Raised::new(ExcKind::ImportError, "missing loader"));
        };
        if let Err(raised) = self.call(&exec, Args::new(std::slice::from_ref(&module))) {
            self.modules.remove_name(&janus_object::Name::new(full));
            return Err(raised);
        }
        Ok(self.modules.get_str(full).unwrap_or(module))
    }

    /// The attributes that a module has from its spec.
    fn set_from_spec(&mut self, module: &Value, spec: &Value, loader: &Value) -> PyResult<()> {
        let full = attr::get(self, spec, name!("name"))?;
        let locations = attr::get_opt(self, spec, name!("submodule_search_locations"))?;
        let parent = attr::get_opt(self, spec, name!("parent"))?.unwrap_or(Value::None);
        attr::set(self, module, name!("__name__"), full)?;
        attr::set(self, module, name!("__loader__"), loader.clone())?;
        attr::set(self, module, name!("__package__"), parent)?;
        attr::set(self, module, name!("__spec__"), spec.clone())?;
        if let Some(locations) = locations.filter(|l| !l.is_none()) {
            attr::set(self, module, name!("__path__"), locations)?;
        }
        let has_location = match attr::get_opt(self, spec, name!("has_location"))? {
            Some(flag) => ops::truth(self, &flag)?,
            None => false,
        };
        if has_location {
            let origin = attr::get(self, spec, name!("origin"))?;
            attr::set(self, module, name!("__file__"), origin)?;
        }
        Ok(())
    }
}
