//! Python objects of the torch module: tensors, dtypes, devices, sizes, named results.
//!
//! In: tensors and descriptions. Out: Python values, and back. Always: a tensor has one Python
//! object at a time, a dtype has one for ever.

use std::any::Any;
use std::cell::{Cell, OnceCell};

use janus_object::{
    Args, BaseKind, Class, ExcKind, Foreign, Instance, Name, NativeDef, Opaque, Payload, PyRef,
    PyResult, PyTuple, Raised, Value, Vm, ops, text, types,
};
use janus_tensor::{DType, Tensor, TensorError};

use crate::call::is_builtin_class;
use crate::formats::{LAYOUT, MEMORY_FORMAT};

/// What `torch.device(...)` holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeviceObject {
    /// `type`
    pub kind: String,
    /// `index`
    pub index: Option<i64>,
}

/// What a dtype object holds.
#[derive(Clone, Copy, Debug)]
pub struct DTypeObject(pub DType);

/// A dtype of PyTorch's that tensors here cannot have: scripts name it and compare with it.
#[derive(Clone, Copy, Debug)]
pub struct AbsentDType {
    /// Its name without the module.
    pub name: &'static str,
    /// Another name that it has.
    pub alias: Option<&'static str>,
    /// Bytes per element.
    size: i64,
    kind: AbsentKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AbsentKind {
    Float,
    Complex,
}

const fn absent(
    name: &'static str,
    alias: Option<&'static str>,
    size: i64,
    kind: AbsentKind,
) -> AbsentDType {
    AbsentDType {
        name,
        alias,
        size,
        kind,
    }
}

const ABSENT: &[AbsentDType] = &[
    absent("float8_e4m3fn", None, 1, AbsentKind::Float),
    absent("float8_e5m2", None, 1, AbsentKind::Float),
    absent("complex32", Some("chalf"), 4, AbsentKind::Complex),
];

/// The objects of the dtypes that tensors cannot have.
pub fn absent_dtypes() -> impl Iterator<Item = (AbsentDType, Value)> {
    let class = &classes().dtype;
    ABSENT.iter().map(|&d| (d, foreign(class, d)))
}

/// The error where such a dtype is asked for.
pub fn refuse_absent(value: &Value) -> Result<(), TensorError> {
    match value.foreign::<AbsentDType>() {
        Some(d) => Err(TensorError::NotImplemented(format!(
            "tensors of torch.{} are not implemented in janus-jit yet",
            d.name
        ))),
        None => Ok(()),
    }
}

/// The classes of the torch module, one set per thread.
pub struct Classes {
    /// `torch.Tensor`
    pub tensor: PyRef<Class>,
    /// `torch.dtype`
    pub dtype: PyRef<Class>,
    /// `torch.device`
    pub device: PyRef<Class>,
    /// `torch.memory_format`
    pub memory_format: PyRef<Class>,
    /// `torch.layout`
    pub layout: PyRef<Class>,
    /// `torch.Size`
    pub size: PyRef<Class>,
    /// `torch.linalg.LinAlgError`
    pub linalg_error: PyRef<Class>,
    /// `torch.OutOfMemoryError`
    pub out_of_memory_error: PyRef<Class>,
    /// `torch.AcceleratorError`
    pub accelerator_error: PyRef<Class>,
    /// `torch.return_types.*`, with their field names.
    pub named: Vec<(&'static str, [&'static str; 2], PyRef<Class>)>,
    dtypes: Vec<(DType, Value)>,
    cpu: Value,
}

/// The named tuples: name and fields.
const NAMED: &[(&str, [&str; 2])] = &[
    ("torch.return_types.max", ["values", "indices"]),
    ("torch.return_types.min", ["values", "indices"]),
    ("torch.return_types.sort", ["values", "indices"]),
    ("torch.return_types.topk", ["values", "indices"]),
    ("torch.return_types.median", ["values", "indices"]),
    ("torch.return_types.kthvalue", ["values", "indices"]),
    ("torch.return_types.mode", ["values", "indices"]),
    ("torch.return_types.cummax", ["values", "indices"]),
    ("torch.return_types.cummin", ["values", "indices"]),
    ("torch.return_types.aminmax", ["min", "max"]),
    ("torch.return_types.max_out", ["values", "indices"]),
    ("torch.return_types.min_out", ["values", "indices"]),
    ("torch.return_types.sort_out", ["values", "indices"]),
    ("torch.return_types.topk_out", ["values", "indices"]),
    ("torch.return_types.median_out", ["values", "indices"]),
    ("torch.return_types.kthvalue_out", ["values", "indices"]),
    ("torch.return_types.mode_out", ["values", "indices"]),
    ("torch.return_types.cummax_out", ["values", "indices"]),
    ("torch.return_types.cummin_out", ["values", "indices"]),
    ("torch.return_types.aminmax_out", ["min", "max"]),
    ("torch.return_types.slogdet", ["sign", "logabsdet"]),
    ("torch.return_types.linalg_slogdet", ["sign", "logabsdet"]),
];

/// The named tuple that a function gives where it wrote to `out=`, by the one that it gives else.
#[must_use]
pub fn class_of_outs(class: &'static str) -> &'static str {
    let of_outs = |name: &&(&'static str, _)| name.0.strip_suffix("_out") == Some(class);
    NAMED.iter().find(of_outs).map_or(class, |(name, _)| name)
}

/// The classes of this thread.
pub fn classes() -> &'static Classes {
    janus_gil::gil_local! {
        static CLASSES: OnceCell<&'static Classes> = const { OnceCell::new() };
    }
    // Leaked on purpose: classes live as long as the thread's heap.
    CLASSES.with(|c| *c.get_or_init(|| Box::leak(Box::new(Classes::new()))))
}

impl Classes {
    fn new() -> Classes {
        let t = types();
        let dtype = Class::builtin("dtype", "torch", &[&t.object], BaseKind::Foreign, DTYPE);
        let device = Class::builtin("device", "torch", &[&t.object], BaseKind::Foreign, DEVICE);
        let dtypes = DType::ALL
            .into_iter()
            .map(|d| (d, foreign(&dtype, DTypeObject(d))))
            .collect();
        let cpu = foreign(
            &device,
            DeviceObject {
                kind: "cpu".to_owned(),
                index: None,
            },
        );
        let tensor = Class::builtin("Tensor", "torch", &[&t.object], BaseKind::Foreign, &[]);
        // PyTorch's class is made in Python.
        tensor.set_qualified(false);
        let error = |name, module| {
            let base = t.exception(ExcKind::RuntimeError);
            Class::builtin(name, module, &[base], BaseKind::Exception, &[])
        };
        let plain =
            |name, natives| Class::builtin(name, "torch", &[&t.object], BaseKind::Foreign, natives);
        Classes {
            tensor,
            memory_format: plain("memory_format", MEMORY_FORMAT),
            layout: plain("layout", LAYOUT),
            linalg_error: error("_LinAlgError", "torch._C"),
            out_of_memory_error: error("OutOfMemoryError", "torch"),
            accelerator_error: error("AcceleratorError", "torch"),
            size: Class::builtin("Size", "torch", &[&t.tuple], BaseKind::Tuple, SIZE),
            named: NAMED
                .iter()
                .map(|&(name, fields)| {
                    let natives = match fields[0] {
                        "min" => MIN_MAX,
                        "sign" => SIGN_LOGABSDET,
                        _ => VALUES_INDICES,
                    };
                    let class =
                        Class::builtin(name, "torch", &[&t.tuple], BaseKind::Tuple, natives);
                    class.add_natives(NAMED_TUPLE);
                    (name, fields, class)
                })
                .collect(),
            dtype,
            device,
            dtypes,
            cpu,
        }
    }
}

/// An object of a native class.
pub fn foreign<T: Any>(class: &PyRef<Class>, data: T) -> Value {
    Value::instance(class, Payload::Foreign(Box::new(Opaque(data))))
}

/// What is said of an attribute that PyTorch's tensors have and these do not; `None` where nothing has it.
#[must_use]
pub fn missing_attribute(name: &str) -> Option<String> {
    janus_pylib::is_public_name("torch.Tensor", name)
        .then(|| format!("torch.Tensor.{name} is not implemented in janus-jit yet"))
}

/// The tensor of a tensor object.
pub fn tensor_of(value: &Value) -> Option<&Tensor> {
    value.foreign::<Tensor>()
}

/// The data of a tensor object. The tensor knows its object while that lives.
struct TensorData {
    tensor: Tensor,
    object: Cell<*const Instance>,
}

impl Foreign for TensorData {
    fn inner(&self) -> Option<&dyn Any> {
        Some(&self.tensor)
    }
}

impl Drop for TensorData {
    fn drop(&mut self) {
        self.tensor.forget_wrapper(self.object.get().addr());
    }
}

/// The Python object of a tensor: the one it has, or a new one.
pub fn wrap(tensor: Tensor) -> Value {
    if let Some(known) = tensor.wrapper() {
        let known = std::ptr::with_exposed_provenance::<Instance>(known);
        // SAFETY: `wrap_as` set this address, and `TensorData` takes it back while it is dropped, so there is
        // an object, though perhaps one that is about to be dropped.
        if let Some(known) = unsafe { PyRef::alive_at(known) } {
            return Value::Instance(known);
        }
    }
    wrap_as(&classes().tensor, tensor)
}

/// A new Python object for a tensor, of a subclass of Tensor.
pub fn wrap_as(class: &PyRef<Class>, tensor: Tensor) -> Value {
    let data = Box::new(TensorData {
        tensor,
        object: Cell::new(std::ptr::null()),
    });
    let made = PyRef::new(Instance::new(class.clone(), Payload::Foreign(data)));
    let address = PyRef::as_ptr(&made);
    if let Payload::Foreign(data) = &made.payload
        && let Some(data) = (&**data as &dyn Any).downcast_ref::<TensorData>()
    {
        data.object.set(address);
        data.tensor.set_wrapper(address.expose_provenance());
    }
    Value::Instance(made)
}

/// The object of a dtype.
pub fn dtype_value(d: DType) -> Value {
    let known = classes().dtypes.iter().find(|(e, _)| *e == d);
    known.map_or(Value::None, |(_, v)| v.clone())
}

/// The dtype of a dtype object, or of `float`, `int`, `bool`.
pub fn dtype_of(value: &Value) -> Option<DType> {
    if let Some(d) = value.foreign::<DTypeObject>() {
        return Some(d.0);
    }
    match value {
        v if is_builtin_class(v, "float") => Some(DType::F64),
        v if is_builtin_class(v, "int") => Some(DType::I64),
        v if is_builtin_class(v, "bool") => Some(DType::Bool),
        _ => None,
    }
}

/// `torch.device("cpu")`
pub fn cpu_device() -> Value {
    classes().cpu.clone()
}

/// A `torch.device`.
pub fn device_value(device: DeviceObject) -> Value {
    foreign(&classes().device, device)
}

/// A `torch.Size`.
pub fn size_value(extents: Vec<Value>) -> Value {
    Value::instance(
        &classes().size,
        Payload::Tuple(PyRef::new(PyTuple::new(extents))),
    )
}

/// A tuple of `torch.return_types`.
pub fn named_tuple(name: &str, items: Vec<Value>) -> Value {
    match classes().named.iter().find(|(n, ..)| *n == name) {
        Some((_, _, class)) => {
            Value::instance(class, Payload::Tuple(PyRef::new(PyTuple::new(items))))
        }
        None => Value::tuple(items),
    }
}

/// Whether it is `torch.cuda.FloatTensor` or a sibling.
pub fn is_class_of_device(to: &Value) -> bool {
    let Some(class) = to.as_class() else {
        return false;
    };
    let module = class.lookup(&Name::new("__module__"));
    class.name.borrow().as_str().ends_with("Tensor")
        && module.is_some_and(|m| m.as_str() == Some("torch.cuda"))
}

/// Reads a device: an object, `"cpu"`, `"cuda:0"`, an index.
pub fn parse_device(value: &Value) -> PyResult<DeviceObject> {
    if let Some(d) = value.foreign::<DeviceObject>() {
        return Ok(d.clone());
    }
    if let Some(index) = value.as_int() {
        return Ok(DeviceObject {
            kind: "cuda".to_owned(),
            index: Some(index),
        });
    }
    let Some(name) = value.as_str() else {
        return Err(Raised::type_error(format!(
            "device(): argument 'type' must be str, not {}",
            value.type_name()
        )));
    };
    let (kind, index) = match name.split_once(':') {
        Some((kind, index)) => match index.parse() {
            Ok(i) => (kind, Some(i)),
            Err(_) => {
                return Err(Raised::runtime_error(format!(
                    "Invalid device string: '{name}'"
                )));
            }
        },
        None => (name, None),
    };
    const KINDS: &[&str] = &[
        "cpu",
        "cuda",
        "ipu",
        "xpu",
        "mkldnn",
        "opengl",
        "opencl",
        "ideep",
        "hip",
        "ve",
        "fpga",
        "maia",
        "xla",
        "lazy",
        "vulkan",
        "mps",
        "meta",
        "hpu",
        "mtia",
        "privateuseone",
    ];
    if !KINDS.contains(&kind) {
        return Err(Raised::runtime_error(format!(
            "Expected one of {} device type at start of device string: {kind}",
            KINDS.join(", ")
        )));
    }
    Ok(DeviceObject {
        kind: kind.to_owned(),
        index,
    })
}

// dtype

/// What is known of a dtype: its text, bytes per element, whether it is a float, complex, signed.
struct Facts {
    text: String,
    size: i64,
    float: bool,
    complex: bool,
    signed: bool,
}

fn this_dtype(args: Args<'_>) -> PyResult<Facts> {
    let this = args.pos.first();
    if let Some(DTypeObject(d)) = this.and_then(|v| v.foreign()) {
        return Ok(Facts {
            text: d.to_string(),
            size: d.size() as i64,
            float: d.is_float(),
            complex: d.is_complex(),
            signed: *d != DType::Bool && !matches!(d.int_range(), Some((0, _))),
        });
    }
    match this.and_then(|v| v.foreign::<AbsentDType>()) {
        Some(d) => Ok(Facts {
            text: format!("torch.{}", d.name),
            size: d.size,
            float: d.kind == AbsentKind::Float,
            complex: d.kind == AbsentKind::Complex,
            signed: true,
        }),
        None => Err(Raised::type_error("a torch.dtype was expected")),
    }
}

fn dtype_repr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(this_dtype(args)?.text))
}

fn dtype_is_float(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this_dtype(args)?.float))
}

fn dtype_is_complex(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this_dtype(args)?.complex))
}

fn dtype_is_signed(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this_dtype(args)?.signed))
}

fn dtype_itemsize(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::Int(this_dtype(args)?.size))
}

/// The dtype of an object of one.
fn held_dtype(args: Args<'_>) -> PyResult<DType> {
    let this = args.pos.first().cloned().unwrap_or(Value::None);
    refuse_absent(&this).map_err(crate::call::raised)?;
    dtype_of(&this).ok_or_else(|| Raised::type_error("a torch.dtype was expected"))
}

fn dtype_to_real(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(dtype_value(held_dtype(args)?.real()))
}

fn dtype_to_complex(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let d = held_dtype(args)?;
    match d {
        DType::F32 | DType::C64 => Ok(dtype_value(DType::C64)),
        DType::F64 | DType::C128 => Ok(dtype_value(DType::C128)),
        _ => Err(crate::call::raised(TensorError::NotImplemented(format!(
            "{d}.to_complex() is not implemented in janus-jit yet"
        )))),
    }
}

/// A pickle has its name in the module.
fn dtype_reduce(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let text = this_dtype(args)?.text;
    Ok(Value::str(text.strip_prefix("torch.").unwrap_or(&text)))
}

const DTYPE: &[NativeDef] = &[
    NativeDef::method("dtype.__repr__", dtype_repr),
    NativeDef::method("dtype.__reduce__", dtype_reduce),
    NativeDef::getter("dtype.is_floating_point", dtype_is_float),
    NativeDef::getter("dtype.is_complex", dtype_is_complex),
    NativeDef::getter("dtype.is_signed", dtype_is_signed),
    NativeDef::getter("dtype.itemsize", dtype_itemsize),
    NativeDef::method("dtype.to_real", dtype_to_real),
    NativeDef::method("dtype.to_complex", dtype_to_complex),
];

// device

fn this_device(value: Option<&Value>) -> PyResult<&DeviceObject> {
    value
        .and_then(|v| v.foreign::<DeviceObject>())
        .ok_or_else(|| Raised::type_error("a torch.device was expected"))
}

fn device_new(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let first = args
        .pos
        .get(1)
        .or(args.keyword("type"))
        .or(args.keyword("device"));
    let Some(first) = first else {
        return Err(Raised::type_error(
            "device() missing required argument 'type' (pos 1)",
        ));
    };
    let mut device = parse_device(first)?;
    if let Some(index) = args.pos.get(2).or(args.keyword("index")) {
        device.index = index.as_int();
    }
    Ok(foreign(&classes().device, device))
}

fn device_repr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let d = this_device(args.pos.first())?;
    Ok(Value::str(match d.index {
        Some(i) => format!("device(type='{}', index={i})", d.kind),
        None => format!("device(type='{}')", d.kind),
    }))
}

fn device_str(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let d = this_device(args.pos.first())?;
    Ok(Value::str(match d.index {
        Some(i) => format!("{}:{i}", d.kind),
        None => d.kind.clone(),
    }))
}

fn device_type(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(this_device(args.pos.first())?.kind.clone()))
}

fn device_index(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(this_device(args.pos.first())?
        .index
        .map_or(Value::None, Value::Int))
}

fn device_eq(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = this_device(args.pos.first())?;
    Ok(
        match args.pos.get(1).and_then(|v| v.foreign::<DeviceObject>()) {
            Some(other) => Value::bool(this == other),
            None => Value::NotImplemented,
        },
    )
}

/// A pickle calls the class with the parts.
fn device_reduce(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let d = this_device(args.pos.first())?;
    let parts = std::iter::once(Value::str(d.kind.clone())).chain(d.index.map(Value::Int));
    Ok(Value::tuple(vec![
        Value::Class(classes().device.clone()),
        Value::tuple(parts.collect::<Vec<_>>()),
    ]))
}

fn device_hash(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let d = this_device(args.pos.first())?;
    let h = janus_object::hash_bytes(d.kind.as_bytes());
    Ok(Value::Int(h ^ d.index.unwrap_or(-1)))
}

const DEVICE: &[NativeDef] = &[
    NativeDef::function("device.__new__", device_new),
    NativeDef::method("device.__repr__", device_repr),
    NativeDef::method("device.__str__", device_str),
    NativeDef::method("device.__eq__", device_eq),
    NativeDef::method("device.__hash__", device_hash),
    NativeDef::method("device.__reduce__", device_reduce),
    NativeDef::method("device.__enter__", crate::devices::enter),
    NativeDef::method("device.__exit__", crate::devices::leave),
    NativeDef::getter("device.type", device_type),
    NativeDef::getter("device.index", device_index),
];

// Size

fn this_tuple(value: Option<&Value>) -> PyResult<&PyRef<PyTuple>> {
    value
        .and_then(Value::as_tuple)
        .ok_or_else(|| Raised::type_error("a tuple was expected"))
}

fn size_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let items = match args.pos.get(1) {
        Some(iterable) => ops::collect(vm, iterable)?,
        None => Vec::new(),
    };
    let mut extents = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        if item.as_int().is_none() {
            return Err(Raised::type_error(format!(
                "torch.Size() takes an iterable of 'int' (item {i} is '{}')",
                item.type_name()
            )));
        }
        extents.push(Value::Int(ops::as_index(vm, item)?));
    }
    Ok(size_value(extents))
}

fn size_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let items = this_tuple(args.pos.first())?.items.clone();
    let mut parts = Vec::with_capacity(items.len());
    for item in &items {
        parts.push(text::repr(vm, item)?);
    }
    Ok(Value::str(format!("torch.Size([{}])", parts.join(", "))))
}

fn size_numel(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let n: i64 = this_tuple(args.pos.first())?
        .items
        .iter()
        .map(|v| v.as_int().unwrap_or(1))
        .product();
    Ok(Value::Int(n))
}

fn size_getitem(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let tuple = this_tuple(args.pos.first())?.clone();
    let key = args.pos.get(1).cloned().unwrap_or(Value::None);
    let is_slice = matches!(key, Value::Slice(_));
    let item = ops::get_item(vm, &Value::Tuple(tuple), &key)?;
    match item.as_tuple() {
        Some(t) if is_slice => Ok(size_value(t.items.to_vec())),
        _ => Ok(item),
    }
}

/// A size of these, as `torch.Size()` makes it.
fn size_of(items: Vec<Value>) -> PyResult {
    match items.iter().position(|v| v.as_int().is_none()) {
        None => Ok(size_value(items)),
        Some(i) => Err(Raised::type_error(format!(
            "torch.Size() takes an iterable of 'int' (item {i} is '{}')",
            items.get(i).map_or(String::new(), Value::type_name)
        ))),
    }
}

/// `first + second`, one of which is a size.
fn sizes_joined(first: Option<&Value>, second: Option<&Value>) -> PyResult {
    let (Some(first), Some(second)) = (first, second) else {
        return Ok(Value::NotImplemented);
    };
    let (Some(p), Some(q)) = (first.as_tuple(), second.as_tuple()) else {
        return match first.as_tuple() {
            Some(_) => Err(Raised::type_error(format!(
                "can only concatenate tuple (not {}) to torch.Size",
                second.type_name()
            ))),
            None => Ok(Value::NotImplemented),
        };
    };
    size_of(p.items.iter().chain(q.items.iter()).cloned().collect())
}

fn size_add(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    sizes_joined(args.pos.first(), args.pos.get(1))
}

fn size_radd(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    sizes_joined(args.pos.get(1), args.pos.first())
}

fn size_mul(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = this_tuple(args.pos.first())?;
    match args.pos.get(1).and_then(Value::as_int) {
        Some(times) => {
            let times = usize::try_from(times).unwrap_or(0);
            let repeated = std::iter::repeat_n(&this.items, times).flat_map(|i| i.iter().cloned());
            Ok(size_value(repeated.collect()))
        }
        None => Ok(Value::NotImplemented),
    }
}

const SIZE: &[NativeDef] = &[
    NativeDef::function("Size.__new__", size_new),
    NativeDef::method("Size.__repr__", size_repr),
    NativeDef::method("Size.__getitem__", size_getitem),
    NativeDef::method("Size.__add__", size_add),
    NativeDef::method("Size.__radd__", size_radd),
    NativeDef::method("Size.__mul__", size_mul),
    NativeDef::method("Size.__rmul__", size_mul),
    NativeDef::method("Size.numel", size_numel),
];

// torch.return_types

fn field(args: Args<'_>, i: usize) -> PyResult {
    let tuple = this_tuple(args.pos.first())?;
    tuple
        .items
        .get(i)
        .cloned()
        .ok_or_else(|| Raised::index_error("tuple index out of range"))
}

fn first_field(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    field(args, 0)
}

fn second_field(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    field(args, 1)
}

fn named_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let items = this_tuple(args.pos.first())?.items.clone();
    let class = args.pos.first().map(janus_object::class_of);
    let known = classes()
        .named
        .iter()
        .find(|(_, _, c)| class.as_ref().is_some_and(|k| PyRef::ptr_eq(k, c)));
    let (name, fields) = known.map_or(("tuple", ["0", "1"]), |(n, f, _)| (*n, *f));
    let mut parts = Vec::with_capacity(items.len());
    for (field, item) in fields.iter().zip(&items) {
        parts.push(format!("{field}={}", text::repr(vm, item)?));
    }
    Ok(Value::str(format!("{name}(\n{})", parts.join(",\n"))))
}

const VALUES_INDICES: &[NativeDef] = &[
    NativeDef::getter("return_types.values", first_field),
    NativeDef::getter("return_types.indices", second_field),
];
const MIN_MAX: &[NativeDef] = &[
    NativeDef::getter("return_types.min", first_field),
    NativeDef::getter("return_types.max", second_field),
];
const SIGN_LOGABSDET: &[NativeDef] = &[
    NativeDef::getter("return_types.sign", first_field),
    NativeDef::getter("return_types.logabsdet", second_field),
];
const NAMED_TUPLE: &[NativeDef] = &[NativeDef::method("return_types.__repr__", named_repr)];
