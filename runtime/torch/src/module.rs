//! The native modules: `torch._C`, `torch._C._nn`, `torch._C._linalg`, `torch._C._special`, `torch._C._fft`.
//!
//! In: an interpreter. Out: the modules registered. Always: a module is made when it is first
//! imported, from the table and from the natives of tier 0.

use janus_interp::Interp;
use janus_object::{
    Args, Class, NativeDef, PyModule, PyRef, PyResult, Raised, Signature, Value, Vm,
};
use janus_tensor::kernels::loops;
use janus_tensor::{DType, Device, print};

use crate::draws::{default_dtype, set_default_dtype};
use crate::objects::{absent_dtypes, classes, dtype_of, dtype_value, refuse_absent};
use crate::table::NAMES;
use crate::{
    bind, devices, distributed, formats, generators, imaging, memory, natives, numpy, overrides,
    vision,
};

/// Registers torch: its native modules and its Python sources.
pub fn install(interp: &mut Interp) {
    interp.register_module("torch._C", make_c);
    interp.register_module("torch._C._nn", make_nn);
    interp.register_module("torch._C._linalg", make_linalg);
    interp.register_module("torch._C._special", make_special);
    interp.register_module("torch._C._fft", make_fft);
    interp.register_module("torch._C._distributed", distributed::make);
    interp.register_module("PIL._imaging", imaging::make);
    interp.register_module("torchvision._C", vision::make);
    for source in janus_pylib::SOURCES {
        interp.register_source(source.name, source.is_package, source.text);
    }
    interp.when_forked(janus_tensor::kernels::loops::leave_threads);
}

/// A module of the functions of the table under a prefix.
fn of_table(module: &PyModule, prefix: &str) {
    for &qualname in NAMES {
        if let Some(short) = qualname.strip_prefix(prefix)
            && !short.contains('.')
            && let Some(function) = bind::native(qualname)
        {
            module.set(short, function);
        }
    }
}

fn make_nn(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("torch._C._nn", Value::None);
    of_table(&module, "torch.nn.functional.");
    Ok(Value::Module(PyRef::new(module)))
}

fn make_linalg(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("torch._C._linalg", Value::None);
    of_table(&module, "torch.linalg.");
    Ok(Value::Module(PyRef::new(module)))
}

fn make_special(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("torch._C._special", Value::None);
    of_table(&module, "torch.special.");
    Ok(Value::Module(PyRef::new(module)))
}

fn make_fft(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("torch._C._fft", Value::None);
    of_table(&module, "torch.fft.");
    Ok(Value::Module(PyRef::new(module)))
}

fn make_c(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("torch._C", Value::None);
    of_table(&module, "torch.");
    of_table(&module, "torch._C.");
    module.add_natives(natives::MODULE);
    module.add_natives(crate::nodes::MODULE);
    module.add_natives(natives::legacy_constructors());
    janus_object::set_stand_ins(natives::is_of_legacy_type);
    module.add_natives(FUNCTIONS);
    module.add_natives(generators::FUNCTIONS);
    module.add_natives(crate::native_draws::FUNCTIONS);
    module.add_natives(devices::FUNCTIONS);
    module.add_natives(memory::FUNCTIONS);
    module.add_natives(crate::factors::FUNCTIONS);
    module.add_natives(numpy::FUNCTIONS);
    module.add_natives(numpy::SHORT_WAYS);
    module.add_natives(overrides::FUNCTIONS);
    module.add_natives(crate::numpy_draws::FUNCTIONS);
    module.add_natives(crate::numpy_draws::NEWER);
    module.add_natives(crate::autocast::FUNCTIONS);
    let c = classes();
    fill_tensor_class(&c.tensor);
    for (name, class) in [
        ("Tensor", &c.tensor),
        ("dtype", &c.dtype),
        ("device", &c.device),
        ("memory_format", &c.memory_format),
        ("layout", &c.layout),
        ("Size", &c.size),
        ("_LinAlgError", &c.linalg_error),
        ("OutOfMemoryError", &c.out_of_memory_error),
        ("AcceleratorError", &c.accelerator_error),
    ] {
        module.set(name, Value::Class(class.clone()));
    }
    module.set("_Node", Value::Class(crate::nodes::class()));
    module.set("Generator", Value::Class(generators::class()));
    module.set("default_generator", generators::default(Device::Cpu));
    for d in DType::ALL {
        module.set(d.name(), dtype_value(d));
    }
    for (d, value) in absent_dtypes() {
        for name in [Some(d.name), d.alias].into_iter().flatten() {
            module.set(name, value.clone());
        }
    }
    for alias in [
        "float", "double", "long", "int", "short", "half", "cfloat", "cdouble",
    ] {
        if let Some(d) = DType::from_name(alias) {
            module.set(alias, dtype_value(d));
        }
    }
    for (name, v) in [
        ("pi", std::f64::consts::PI),
        ("e", std::f64::consts::E),
        ("inf", f64::INFINITY),
        ("nan", f64::NAN),
    ] {
        module.set(name, Value::float(v));
    }
    for (name, value) in formats::named() {
        module.set(name, value);
    }
    module.set("__version__", Value::str("2.11.0"));
    Ok(Value::Module(PyRef::new(module)))
}

/// Puts the methods of the table into the class.
fn fill_tensor_class(class: &PyRef<Class>) {
    let methods: Vec<(&str, Value)> = NAMES
        .iter()
        .filter(|n| n.starts_with("Tensor.") && !n.ends_with(".__set__"))
        .filter_map(|n| Some((*n, bind::native(n)?)))
        .collect();
    for (_, method) in methods {
        if let Value::Native(n) = &method {
            class.set(&janus_object::Name::new(n.name), method.clone());
        }
    }
    class.add_natives(natives::TENSOR);
    class.add_natives(overrides::TENSOR);
    class.add_natives(crate::memory::METHODS);
    class.add_natives(crate::memory::SHARING);
}

// Names that are missing

static MISSING: Signature<2> = Signature::positional("_missing_name", ["owner", "name"]);

fn missing_name(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [owner, name] = MISSING.parse(args)?;
    let text = |v: Option<Value>| v.as_ref().and_then(Value::as_str).unwrap_or("?").to_owned();
    let (owner, name) = (text(owner), text(name));
    // `hasattr` and `getattr` with a default look for what there is.
    let text = if janus_pylib::is_public_name(&owner, &name) {
        format!("{owner}.{name} is not implemented in janus-jit yet")
    } else {
        format!("module '{owner}' has no attribute '{name}'")
    };
    Err(Raised::new(janus_object::ExcKind::AttributeError, text))
}

fn import_module(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [name] = args.exactly("_import_module")?;
    vm.import(name.as_str().unwrap_or_default())
}

// Settings

fn get_default_dtype(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    Ok(dtype_value(default_dtype()))
}

fn set_default_dtype_function(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [d] = args.exactly("set_default_dtype")?;
    refuse_absent(d).map_err(crate::call::raised)?;
    match dtype_of(d) {
        Some(d) if d.is_float() => {
            set_default_dtype(d);
            Ok(Value::None)
        }
        _ => Err(Raised::type_error(
            "only floating-point types are supported as the default type",
        )),
    }
}

fn set_num_threads(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [n] = args.exactly("set_num_threads")?;
    let Value::Int(n) = n else {
        return Err(Raised::type_error(format!(
            "set_num_threads expects an int, but got {}",
            n.type_name()
        )));
    };
    match usize::try_from(*n) {
        Ok(n) if n > 0 => loops::set_threads(n),
        _ => {
            let message = "set_num_threads expects a positive integer";
            return Err(Raised::runtime_error(message));
        }
    }
    Ok(Value::None)
}

/// Threads between operations: there are none, so any number will do.
fn set_num_interop_threads(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [_] = args.exactly("set_num_interop_threads")?;
    Ok(Value::None)
}

fn get_num_threads(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    Ok(Value::Int(loops::threads() as i64))
}

static PRINT: Signature<6> = Signature::new(
    "set_printoptions",
    [
        "precision",
        "threshold",
        "edgeitems",
        "linewidth",
        "profile",
        "sci_mode",
    ],
)
.required(0);

fn set_printoptions(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [precision, threshold, edge, width, profile, sci] = PRINT.parse(args)?;
    let mut o = print::options();
    if let Some(profile) = profile.as_ref().and_then(Value::as_str) {
        let d = print::PrintOptions::default();
        o = match profile {
            "short" => print::PrintOptions {
                precision: 2,
                edge_items: 2,
                ..d
            },
            "full" => print::PrintOptions {
                threshold: f64::INFINITY,
                ..d
            },
            _ => d,
        };
    }
    if let Some(n) = precision.as_ref().and_then(Value::as_int) {
        o.precision = n.clamp(0, 40) as usize;
    }
    if let Some(n) = threshold.as_ref().and_then(Value::as_f64) {
        o.threshold = n;
    }
    if let Some(n) = edge.as_ref().and_then(Value::as_int) {
        o.edge_items = n;
    }
    if let Some(n) = width.as_ref().and_then(Value::as_int) {
        o.line_width = n.max(1) as usize;
    }
    if let Some(Value::Bool(v)) = sci {
        o.sci_mode = Some(v.get());
    }
    print::set_options(o);
    Ok(Value::None)
}

// Generators

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._missing_name", missing_name),
    NativeDef::function("torch._C._import_module", import_module),
    NativeDef::function("torch.get_default_dtype", get_default_dtype),
    NativeDef::function("torch.set_default_dtype", set_default_dtype_function),
    NativeDef::function("torch.set_num_threads", set_num_threads),
    NativeDef::function("torch.set_num_interop_threads", set_num_interop_threads),
    NativeDef::function("torch.get_num_threads", get_num_threads),
    NativeDef::function("torch.set_printoptions", set_printoptions),
];
