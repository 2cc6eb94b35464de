//! `sys`.
//!
//! In: the interpreter's own state. Out: the module; `print` asks it whether the script replaced
//! `sys.stdout`. Always: `sys.modules`, `sys.path` and `sys.argv` are the interpreter's objects.

use janus_interp::{BUILT_IN, IN_FILES, ImportClasses, Interp, Settings, Watcher};
use janus_object::{
    Args, ExcKind, Instance, Name, NativeDef, PyDict, PyRef, PyResult, Raised, Signature, Value,
    Vm, attr, class_of, name, text, types,
};

use crate::io::{StdStream, std_stream};
use crate::structseq::{make, struct_class};
use crate::support::{int, interp, module};

janus_gil::gil_local! {
    /// How many frames a coroutine is to keep of where it was made. None does: `cr_origin` is None.
    static ORIGIN_DEPTH: std::cell::Cell<i64> = const { std::cell::Cell::new(0) };
}

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("sys.exit", exit),
    NativeDef::function("sys.exc_info", exc_info).asks_caller(),
    NativeDef::function("sys.exception", exception).asks_caller(),
    NativeDef::function("sys.getrecursionlimit", get_recursion_limit),
    NativeDef::function("sys.setrecursionlimit", set_recursion_limit),
    NativeDef::function("sys.get_coroutine_origin_tracking_depth", |_, args| {
        let [] = args.exactly("get_coroutine_origin_tracking_depth")?;
        Ok(Value::Int(ORIGIN_DEPTH.get()))
    }),
    NativeDef::function("sys.set_coroutine_origin_tracking_depth", |vm, args| {
        static SIGNATURE: Signature<1> =
            Signature::new("set_coroutine_origin_tracking_depth", ["depth"]).required(1);
        let [depth] = SIGNATURE.parse(args)?;
        let depth = int(vm, &depth.unwrap_or(Value::None))?;
        if depth < 0 {
            return Err(Raised::value_error("depth must be >= 0"));
        }
        ORIGIN_DEPTH.set(depth);
        Ok(Value::None)
    }),
    NativeDef::function("sys.getsizeof", getsizeof),
    NativeDef::function("sys.getrefcount", getrefcount),
    NativeDef::function("sys.breakpointhook", breakpointhook),
    NativeDef::function("sys.get_int_max_str_digits", |_, args| {
        let [] = args.exactly("get_int_max_str_digits")?;
        Ok(Value::Int(janus_object::digits::limit()))
    }),
    NativeDef::function("sys.set_int_max_str_digits", |vm, args| {
        static SIGNATURE: Signature<1> =
            Signature::new("set_int_max_str_digits", ["maxdigits"]).required(1);
        let [limit] = SIGNATURE.parse(args)?;
        let limit = int(vm, &limit.unwrap_or(Value::None))?;
        janus_object::digits::set_limit(limit)?;
        Ok(Value::None)
    }),
    NativeDef::function("sys.intern", intern),
    NativeDef::noargs_function("sys.getdefaultencoding", encoding),
    NativeDef::noargs_function("sys.getfilesystemencoding", encoding),
    NativeDef::function("sys.getfilesystemencodeerrors", |_, args| {
        let [] = args.exactly("getfilesystemencodeerrors")?;
        Ok(Value::str("surrogateescape"))
    }),
    NativeDef::function("sys.audit", audit),
    NativeDef::function("sys.addaudithook", add_audit_hook),
    NativeDef::function("sys.gettrace", |vm, args| {
        watcher(vm, args, "gettrace", Watcher::Trace)
    }),
    NativeDef::function("sys.settrace", |vm, args| {
        set_watcher(vm, args, "settrace", Watcher::Trace)
    }),
    NativeDef::function("sys.getprofile", |vm, args| {
        watcher(vm, args, "getprofile", Watcher::Profile)
    }),
    NativeDef::function("sys.setprofile", |vm, args| {
        set_watcher(vm, args, "setprofile", Watcher::Profile)
    }),
    NativeDef::function("sys.call_tracing", |vm, args| {
        let [function, arguments] = args.exactly("call_tracing")?;
        let Some(arguments) = arguments.as_tuple() else {
            return Err(Raised::type_error(format!(
                "call_tracing() argument 2 must be tuple, not {}",
                arguments.type_name()
            )));
        };
        interp(vm)?.call_tracing(function, &arguments.items)
    }),
    NativeDef::noargs_function("sys.getswitchinterval", |_, _| {
        Ok(Value::float(janus_gil::switch_interval().as_secs_f64()))
    }),
    NativeDef::function("sys.setswitchinterval", |vm, args| {
        let [interval] = args.exactly("setswitchinterval")?;
        let interval = crate::support::float(vm, interval)?;
        let interval = std::time::Duration::try_from_secs_f64(interval)
            .ok()
            .filter(|interval| !interval.is_zero())
            .ok_or_else(|| Raised::value_error("switch interval must be strictly positive"))?;
        janus_gil::set_switch_interval(interval);
        Ok(Value::None)
    }),
    NativeDef::noargs_function("sys.is_finalizing", is_finalizing),
    NativeDef::function("sys._getframemodulename", frame_module_name),
    NativeDef::function("sys._caller", caller),
    NativeDef::function("sys._getframe", getframe).asks_caller(),
    NativeDef::function("sys.displayhook", displayhook),
    NativeDef::function("sys.get_asyncgen_hooks", get_asyncgen_hooks),
    NativeDef::function("sys.set_asyncgen_hooks", set_asyncgen_hooks),
    NativeDef::function("sys.excepthook", excepthook),
    NativeDef::function("sys.unraisablehook", unraisablehook),
];

/// The version of Python that is implemented.
const VERSION: (i64, i64, i64) = (3, 11, 7);

/// Makes the module.
pub(crate) fn build(interp: &mut Interp) -> PyResult {
    let m = module("sys", "", FUNCTIONS);
    m.set("modules", Value::Dict(interp.modules().clone()));
    m.set("path", Value::List(interp.path().clone()));
    m.set("argv", Value::List(interp.argv().clone()));
    let settings = interp.settings().clone();
    let texts =
        |texts: &[String]| Value::list(texts.iter().map(|t| Value::str(t.as_str())).collect());
    m.set("orig_argv", texts(&settings.command_line));
    for (attribute, stream) in [
        ("stdin", StdStream::In),
        ("stdout", StdStream::Out),
        ("stderr", StdStream::Err),
    ] {
        let value = std_stream(stream);
        m.set(&format!("__{attribute}__"), value.clone());
        m.set(attribute, value);
    }
    let (major, minor, micro) = VERSION;
    m.set("version", format!("{major}.{minor}.{micro} (janus-jit)"));
    m.set(
        "hexversion",
        (major << 24) | (minor << 16) | (micro << 8) | 0xf0,
    );
    m.set("api_version", 1013i64);
    let info = struct_class(
        "sys.version_info",
        &["major", "minor", "micro", "releaselevel", "serial"],
    );
    m.set(
        "version_info",
        make(
            &info,
            vec![
                major.into(),
                minor.into(),
                micro.into(),
                "final".into(),
                Value::Int(0),
            ],
        ),
    );
    m.set("maxsize", i64::MAX);
    m.set("maxunicode", 0x10_ffff_i64);
    m.set(
        "byteorder",
        if cfg!(target_endian = "big") {
            "big"
        } else {
            "little"
        },
    );
    m.set("platform", std::env::consts::OS);
    // Of the source: branch and revision, which a build from an archive does not know either.
    let unknown = || Value::str("");
    m.set(
        "_git",
        Value::tuple(vec![Value::str("janus-jit"), unknown(), unknown()]),
    );
    m.set("copyright", "Copyright (c) the contributors of janus-jit.");
    m.set("executable", settings.executable.as_str());
    m.set("_base_executable", settings.executable.as_str());
    let own = std::path::Path::new(&settings.executable)
        .parent()
        .and_then(std::path::Path::parent);
    let own = own.map(std::path::Path::to_path_buf).unwrap_or_default();
    let (prefix, base) = match interp.environment() {
        Some(environment) => (environment.prefix.clone(), environment.base.clone()),
        None => (own.clone(), own),
    };
    for (attribute, value) in [
        ("prefix", &prefix),
        ("exec_prefix", &prefix),
        ("base_prefix", &base),
        ("base_exec_prefix", &base),
    ] {
        m.set(attribute, value.to_string_lossy().as_ref());
    }
    m.set("platlibdir", "lib");
    m.set("abiflags", "");
    let prefix = settings.option("pycache_prefix");
    let prefix = prefix.or_else(|| settings.variable("PYTHONPYCACHEPREFIX"));
    let prefix = prefix.filter(|p| !p.is_empty());
    m.set("pycache_prefix", prefix.map_or(Value::None, Value::from));
    if settings.interactive {
        m.set("ps1", ">>> ");
        m.set("ps2", "... ");
    }
    m.set("float_info", float_info());
    m.set("float_repr_style", "short");
    m.set("hash_info", hash_info());
    m.set("int_info", int_info());
    let flags = struct_class(
        "sys.flags",
        &[
            "debug",
            "inspect",
            "interactive",
            "optimize",
            "dont_write_bytecode",
            "no_user_site",
            "no_site",
            "ignore_environment",
            "verbose",
            "bytes_warning",
            "quiet",
            "hash_randomization",
            "isolated",
            "dev_mode",
            "utf8_mode",
            "warn_default_encoding",
            "safe_path",
            "int_max_str_digits",
        ],
    );
    if let Some(limit) = int_digits(&settings) {
        janus_object::digits::set_limit(limit)?;
    }
    m.set("flags", make(&flags, flag_values(&settings)));
    m.set("implementation", implementation(info_of(&m)));
    m.set("dont_write_bytecode", true);
    m.set("warnoptions", texts(&settings.warn_options));
    let options = PyRef::new(PyDict::new());
    for (option, value) in &settings.x_options {
        let value = value.as_deref().map_or(Value::bool(true), Value::str);
        options.set_str(option, value);
    }
    m.set("_xoptions", Value::Dict(options));
    m.set("path_hooks", Value::list(Vec::new()));
    m.set(
        "path_importer_cache",
        Value::Dict(PyRef::new(PyDict::new())),
    );
    let importers = ImportClasses::get();
    let finders = [&importers.builtin, &importers.frozen, &importers.path];
    let finders = finders.map(|class| Value::Class(class.clone()));
    m.set("meta_path", Value::list(finders.to_vec()));
    let names = |names: &[&str]| names.iter().map(|n| Value::str(*n)).collect::<Vec<_>>();
    m.set("builtin_module_names", Value::tuple(names(BUILT_IN)));
    let library = Value::list([names(BUILT_IN), names(IN_FILES)].concat());
    let frozenset = Value::Class(types().frozenset.clone());
    m.set(
        "stdlib_module_names",
        interp.call(&frozenset, Args::new(&[library]))?,
    );
    let unraisable = struct_class(
        "UnraisableHookArgs",
        &[
            "exc_type",
            "exc_value",
            "exc_traceback",
            "err_msg",
            "object",
        ],
    );
    m.set("UnraisableHookArgs", Value::Class(unraisable));
    for hook in [
        "displayhook",
        "excepthook",
        "unraisablehook",
        "breakpointhook",
    ] {
        if let Some(value) = m.get(hook) {
            m.set(&format!("__{hook}__"), value);
        }
    }
    Ok(Value::Module(m))
}

fn info_of(module: &janus_object::PyModule) -> Value {
    module.get("version_info").unwrap_or(Value::None)
}

fn implementation(version: Value) -> Value {
    let class = struct_class("sys.implementation", &["name", "version", "cache_tag"]);
    make(&class, vec!["janus".into(), version, "janus-311".into()])
}

fn hash_info() -> Value {
    let class = struct_class(
        "sys.hash_info",
        &[
            "width",
            "modulus",
            "inf",
            "nan",
            "imag",
            "algorithm",
            "hash_bits",
            "seed_bits",
            "cutoff",
        ],
    );
    let items = vec![
        Value::Int(64),
        Value::Int((1 << 61) - 1),
        Value::Int(314_159),
        Value::Int(0),
        Value::Int(1_000_003),
        "siphash13".into(),
        Value::Int(64),
        Value::Int(128),
        Value::Int(0),
    ];
    make(&class, items)
}

/// What `breakpoint()` does unless a script replaces it: it calls what `PYTHONBREAKPOINT` names.
fn breakpointhook(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let os = vm.import("os")?;
    let environment = attr::get(vm, &os, &Name::new("environ"))?;
    let key = Value::str("PYTHONBREAKPOINT");
    let named = vm.call_method(&environment, &Name::new("get"), Args::new(&[key]))?;
    let named = match named.as_str() {
        None | Some("") => "pdb.set_trace",
        Some("0") => return Ok(Value::None),
        Some(named) => named,
    };
    let (module, function) = named.rsplit_once('.').unwrap_or(("builtins", named));
    let found = match module {
        "" => None,
        module => match vm.import(module) {
            Ok(module) => attr::get_opt(vm, &module, &Name::new(function))?,
            Err(raised) if raised.is(ExcKind::ImportError) => None,
            Err(raised) => return Err(raised),
        },
    };
    if let Some(found) = found {
        return vm.call(&found, args);
    }
    let warnings = vm.import("warnings")?;
    let message = format!("Ignoring unimportable $PYTHONBREAKPOINT: \"{named}\"");
    let category = Value::Class(ExcKind::RuntimeWarning.class());
    let given = [Value::str(message), category];
    vm.call_method(&warnings, &Name::new("warn"), Args::new(&given))
}

fn int_info() -> Value {
    let class = struct_class(
        "sys.int_info",
        &[
            "bits_per_digit",
            "sizeof_digit",
            "default_max_str_digits",
            "str_digits_check_threshold",
        ],
    );
    make(
        &class,
        [
            30,
            4,
            janus_object::digits::DEFAULT_LIMIT,
            janus_object::digits::LEAST_LIMIT,
        ]
        .into_iter()
        .map(Value::Int)
        .collect(),
    )
}

fn float_info() -> Value {
    let class = struct_class(
        "sys.float_info",
        &[
            "max",
            "max_exp",
            "max_10_exp",
            "min",
            "min_exp",
            "min_10_exp",
            "dig",
            "mant_dig",
            "epsilon",
            "radix",
            "rounds",
        ],
    );
    let items = vec![
        f64::MAX.into(),
        f64::MAX_EXP.into(),
        f64::MAX_10_EXP.into(),
        f64::MIN_POSITIVE.into(),
        f64::MIN_EXP.into(),
        f64::MIN_10_EXP.into(),
        Value::Int(i64::from(f64::DIGITS)),
        Value::Int(i64::from(f64::MANTISSA_DIGITS)),
        f64::EPSILON.into(),
        Value::Int(2),
        Value::Int(1),
    ];
    make(&class, items)
}

/// What the script put in the place of `sys.stdout`; none while it is the original.
pub(crate) fn replaced_stdout(vm: &mut dyn Vm) -> Option<Value> {
    let stdout = stream(vm, name!("stdout"))?;
    match stdout.foreign::<StdStream>() {
        Some(StdStream::Out) => None,
        _ => Some(stdout),
    }
}

/// What the script put in the place of `sys.stdin`; none while it is the original.
pub(crate) fn replaced_stdin(vm: &mut dyn Vm) -> Option<Value> {
    let stdin = stream(vm, name!("stdin")).unwrap_or(Value::None);
    match stdin.foreign::<StdStream>() {
        Some(StdStream::In) => None,
        _ => Some(stdin),
    }
}

fn stream(vm: &mut dyn Vm, name: &Name) -> Option<Value> {
    let interp = interp(vm).ok()?;
    let Some(Value::Module(sys)) = interp.modules().get_name(name!("sys")) else {
        return None;
    };
    sys.dict.get_name(name)
}

fn exit(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("exit", 0, 1)?;
    Err(Raised::with_args(ExcKind::SystemExit, given.to_vec()))
}

/// The values of `sys.flags`, in its order.
/// The limit on the digits of ints that `-X` or the environment sets.
fn int_digits(settings: &Settings) -> Option<i64> {
    let given = settings.option("int_max_str_digits");
    let given = given.or_else(|| settings.variable("PYTHONINTMAXSTRDIGITS"));
    given?.parse().ok()
}

fn flag_values(settings: &Settings) -> Vec<Value> {
    let switch = |on: bool| Value::Int(i64::from(on));
    let level = |level: u8| Value::Int(i64::from(level));
    vec![
        level(settings.debug),
        switch(settings.inspect),
        switch(settings.interactive),
        level(settings.optimize),
        switch(settings.dont_write_bytecode),
        switch(settings.no_user_site),
        switch(settings.no_site),
        switch(settings.ignore_environment),
        level(settings.verbose),
        level(settings.bytes_warning),
        switch(settings.quiet),
        // Texts hash alike in each run.
        Value::Int(0),
        switch(settings.isolated),
        Value::bool(settings.has_option("dev")),
        switch(settings.has_option("utf8")),
        switch(settings.has_option("warn_default_encoding")),
        Value::bool(settings.safe_path),
        // Unless it is asked for, the limit is told as -1.
        Value::Int(int_digits(settings).unwrap_or(-1)),
    ]
}

fn get_asyncgen_hooks(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("get_asyncgen_hooks")?;
    let (first, finalizer) = janus_object::async_generator_hooks(vm);
    let class = struct_class("sys.asyncgen_hooks", &["firstiter", "finalizer"]);
    Ok(make(&class, vec![first, finalizer]))
}

fn set_asyncgen_hooks(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> =
        Signature::new("set_asyncgen_hooks", ["firstiter", "finalizer"]).required(0);
    let [first, finalizer] = SIGNATURE.parse(args)?;
    let (old_first, old_finalizer) = janus_object::async_generator_hooks(vm);
    let (first, finalizer) = (
        first.unwrap_or(old_first),
        finalizer.unwrap_or(old_finalizer),
    );
    janus_object::set_async_generator_hooks(vm, first, finalizer);
    Ok(Value::None)
}

/// Shows a value as the prompt does, and keeps it as `_`.
fn displayhook(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("displayhook")?;
    if value.is_none() {
        return Ok(Value::None);
    }
    let builtins = vm.builtins();
    builtins.set_name(name!("_"), Value::None);
    let shown = text::repr(vm, value)?;
    let line = format!("{shown}\n");
    match replaced_stdout(vm) {
        Some(stdout) => {
            vm.call_method(&stdout, name!("write"), Args::new(&[Value::str(line)]))?;
        }
        None => vm.write_stdout(&line)?,
    }
    builtins.set_name(name!("_"), value.clone());
    Ok(Value::None)
}

/// `excepthook(class, exception, traceback)`: writes an exception to standard error.
fn excepthook(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [_, exception, _] = args.exactly("excepthook")?;
    let Value::Instance(exception) = exception else {
        return Err(Raised::type_error("excepthook() needs an exception"));
    };
    let vm = interp(vm)?;
    let shown = vm.format_exception(exception);
    vm.write_to_stderr(&shown);
    Ok(Value::None)
}

fn unraisablehook(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [report] = args.exactly("unraisablehook")?;
    let exception = attr::get(vm, report, name!("exc_value"))?;
    let words = attr::get(vm, report, name!("err_msg"))?;
    let blamed = attr::get(vm, report, name!("object"))?;
    let Some(exception) = exception.as_instance() else {
        return Err(Raised::type_error(
            "sys.unraisablehook argument type must be UnraisableHookArgs",
        ));
    };
    let words = words.as_str().unwrap_or("Exception ignored in").to_owned();
    interp(vm)?.write_ignored(&words, &Raised(exception.clone()), &blamed);
    Ok(Value::None)
}

fn handled(vm: &mut dyn Vm) -> Option<Value> {
    vm.handled_exception().map(Value::Instance)
}

fn exc_info(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("exc_info")?;
    let Some(exception) = handled(vm) else {
        return Ok(Value::tuple(vec![Value::None, Value::None, Value::None]));
    };
    let traceback = attr::get(vm, &exception, name!("__traceback__"))?;
    let class = Value::Class(class_of(&exception));
    Ok(Value::tuple(vec![class, exception, traceback]))
}

fn exception(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("exception")?;
    Ok(handled(vm).unwrap_or(Value::None))
}

fn get_recursion_limit(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("getrecursionlimit")?;
    Ok(Value::from(interp(vm)?.recursion_limit()))
}

fn set_recursion_limit(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [limit] = args.exactly("setrecursionlimit")?;
    let limit = int(vm, limit)?;
    match usize::try_from(limit) {
        Ok(limit) if limit > 0 => {
            interp(vm)?.set_recursion_limit(limit);
            Ok(Value::None)
        }
        _ => Err(Raised::value_error(
            "recursion limit must be greater or equal than 1",
        )),
    }
}

/// What CPython 3.11 answers for the common types, without what they contain.
fn getsizeof(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("getsizeof", 1, 2)?;
    let size = match &given[0] {
        Value::Int(0) => 24,
        Value::Int(i) => 24 + 4 * (64 - i.unsigned_abs().leading_zeros() as usize).div_ceil(30),
        Value::BigInt(b) => 24 + 4 * (b.bits() as usize).div_ceil(30),
        Value::Bool(_) => 28,
        Value::Float(_) => 24,
        Value::Str(s) if s.is_ascii() => 49 + s.len(),
        Value::Str(s) => 76 + 4 * s.char_count(),
        Value::Bytes(b) => 33 + b.len(),
        Value::Tuple(t) => 40 + 8 * t.len(),
        Value::List(l) => 56 + 8 * l.len(),
        Value::Dict(d) => 64 + 104 * d.len().div_ceil(5),
        Value::Set(s) => 216 + 32 * s.len(),
        Value::None => 16,
        other => {
            if attr::class_lookup(&class_of(other), name!("__sizeof__")).is_some() {
                return vm.call_method(other, name!("__sizeof__"), Args::new(&[]));
            }
            std::mem::size_of::<Instance>()
        }
    };
    Ok(Value::from(size))
}

fn getrefcount(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("getrefcount")?;
    let count = match value {
        Value::Instance(i) => PyRef::strong_count(i),
        Value::List(l) => PyRef::strong_count(l),
        Value::Dict(d) => PyRef::strong_count(d),
        _ => 2,
    };
    Ok(Value::from(count))
}

fn intern(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [value] = args.exactly("intern")?;
    match value {
        Value::Str(s) => Ok(janus_object::Name::intern(s).to_value()),
        other => Err(Raised::type_error(format!(
            "intern() argument must be str, not {}",
            other.type_name()
        ))),
    }
}

fn encoding(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::str("utf-8"))
}

/// No function is called for lines and calls; that there is to be none is fine.
fn watcher(vm: &mut dyn Vm, args: Args<'_>, name: &'static str, which: Watcher) -> PyResult {
    let [] = args.exactly(name)?;
    let function = interp(vm)?.watcher(which).cloned();
    Ok(function.unwrap_or(Value::None))
}

fn set_watcher(vm: &mut dyn Vm, args: Args<'_>, name: &'static str, which: Watcher) -> PyResult {
    let [function] = args.exactly(name)?;
    let function = Some(function.clone()).filter(|function| !function.is_none());
    interp(vm)?.set_watcher(which, function);
    Ok(Value::None)
}

/// The key of what [`add_audit_hook`] keeps.
const AUDIT_HOOKS: &str = "sys.audit";

fn audit_hooks(vm: &mut dyn Vm) -> Option<&mut Vec<Value>> {
    vm.native_state()
        .entry(AUDIT_HOOKS)
        .or_insert_with(|| Box::new(Vec::<Value>::new()))
        .downcast_mut()
}

/// `audit(event, *args)`: tells the hooks.
fn audit(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some((event, rest)) = args.pos.split_first() else {
        return Err(Raised::type_error(
            "audit() missing 1 required positional argument: 'event'",
        ));
    };
    if event.as_str().is_none() {
        return Err(Raised::type_error(format!(
            "expected str for argument 'event', not {}",
            event.type_name()
        )));
    }
    let hooks = audit_hooks(vm).map(|hooks| hooks.clone());
    let told = [event.clone(), Value::tuple(rest.to_vec())];
    for hook in hooks.unwrap_or_default() {
        vm.call(&hook, Args::new(&told))?;
    }
    Ok(Value::None)
}

/// `addaudithook(hook)`: it hears of what `sys.audit` is told; earlier hooks may object by an exception.
fn add_audit_hook(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [hook] = args.exactly("addaudithook")?;
    match audit(vm, Args::new(&[Value::str("sys.addaudithook")])) {
        // As in CPython, an earlier hook that objects is not told of to the script.
        Err(raised) if raised.is(janus_object::ExcKind::RuntimeError) => return Ok(Value::None),
        told => told?,
    };
    if let Some(hooks) = audit_hooks(vm) {
        hooks.push(hook.clone());
    }
    Ok(Value::None)
}

fn is_finalizing(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::bool(false))
}

fn frame_module_name(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let depth = match args.between("_getframemodulename", 0, 1)? {
        [depth] => int(vm, depth)?,
        _ => 0,
    };
    let frames = interp(vm)?.frames();
    let at = usize::try_from(depth)
        .ok()
        .and_then(|d| frames.len().checked_sub(d + 1));
    let found = at
        .and_then(|at| frames.get(at))
        .and_then(|f| f.globals.get_name(name!("__name__")));
    Ok(found.unwrap_or(Value::None))
}

fn getframe(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let depth = match args.between("_getframe", 0, 1)? {
        [depth] => int(vm, depth)?,
        _ => 0,
    };
    let frame = interp(vm)?.frame_object(usize::try_from(depth).unwrap_or(0));
    frame.ok_or_else(|| Raised::value_error("call stack is not deep enough"))
}

/// `_caller(level, with_function=False)`: file, line and module of the frame `level` above the one
/// that calls this, for warnings and logging.
fn caller(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("_caller", 1, 2)?;
    let level = int(vm, &given[0])?;
    let frames = interp(vm)?.frames();
    let at = usize::try_from(level)
        .ok()
        .and_then(|level| frames.len().checked_sub(level + 1));
    let mut row = match at.and_then(|at| frames.get(at)) {
        Some(frame) => {
            let (file, line, function) = super::traceback::describe(frame);
            let module = frame
                .globals
                .get_name(name!("__name__"))
                .unwrap_or(Value::None);
            vec![file, line, module, function]
        }
        None => vec![
            "<unknown>".into(),
            Value::Int(0),
            "<unknown>".into(),
            "<unknown>".into(),
        ],
    };
    if given.len() == 1 {
        row.truncate(3);
    }
    Ok(Value::tuple(row))
}
