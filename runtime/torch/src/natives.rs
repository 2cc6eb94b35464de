//! Functions of tensors that only tier 0 has: text, lists, hooks, values that decide shapes.
//!
//! In: Python arguments. Out: Python results. Always: what can be part of a graph stands in the
//! table instead.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use janus_object::{
    Args, Bool, Name, NativeDef, PyDict, PyRef, PyResult, Raised, Signature, Value, Vm, class_of,
    ops, text,
};
use janus_tensor::autograd::{self, Backward, Watched};
use janus_tensor::{DType, Device, DeviceGuard, Scalar, Tensor, TensorError};

use crate::bind::{call_named, scalar_value};
use crate::call::raised;
use crate::draws::default_dtype;
use crate::nodes::{grad_fn, handle_of_tensor};
use crate::objects::{classes, dtype_of, dtype_value, missing_attribute, tensor_of, wrap, wrap_as};
use crate::overrides;
use crate::{devices, numpy, vm_scope};

pub(crate) fn this<'a>(args: &Args<'a>) -> PyResult<&'a Tensor> {
    args.pos
        .first()
        .and_then(tensor_of)
        .ok_or_else(|| Raised::type_error("a Tensor was expected"))
}

pub(crate) fn tensor_arg<'a>(v: Option<&'a Value>, what: &str) -> PyResult<&'a Tensor> {
    v.and_then(tensor_of).ok_or_else(|| {
        let got = v.map_or("nothing".to_owned(), Value::type_name);
        Raised::type_error(format!("{what} must be Tensor, not {got}"))
    })
}

/// An error of a tensor as an exception.
pub(crate) fn lift<T>(r: Result<T, TensorError>) -> PyResult<T> {
    r.map_err(raised)
}

// Text

fn repr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    // Classes of the script's are named, except for those that say how they are shown.
    let class = args.pos.first().map(class_of);
    let prefix = match class {
        Some(class) if overrides::is_overriding(&class) => format!("{}(", class.display_name()),
        _ => "tensor(".to_owned(),
    };
    let text = janus_tensor::print::repr_with_prefix(t, default_dtype(), &prefix);
    Ok(Value::str(lift(text)?))
}

fn format(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let spec = args
        .pos
        .get(1)
        .and_then(Value::as_str)
        .unwrap_or("")
        .to_owned();
    if t.rank() == 0 {
        let item = scalar_value(lift(t.item())?);
        return Ok(Value::str(text::format(vm, &item, &spec)?));
    }
    if spec.is_empty() {
        return repr(vm, args);
    }
    Err(Raised::type_error(
        "unsupported format string passed to Tensor.__format__",
    ))
}

// Python data

fn nested_list(values: &[Scalar], shape: &[i64]) -> Value {
    match shape {
        [] => values.first().map_or(Value::None, |s| scalar_value(*s)),
        [n] => Value::list(
            values
                .iter()
                .take(*n as usize)
                .map(|s| scalar_value(*s))
                .collect(),
        ),
        [n, rest @ ..] => {
            let step = rest.iter().product::<i64>() as usize;
            let row = |i: usize| values.get(i * step..(i + 1) * step).unwrap_or_default();
            Value::list(
                (0..*n as usize)
                    .map(|i| nested_list(row(i), rest))
                    .collect(),
            )
        }
    }
}

fn tolist(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    Ok(nested_list(&lift(t.to_scalars())?, &t.shape()))
}

fn to_numpy(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let forced = args.pos.get(1).or(args.keyword("force"));
    if matches!(forced, Some(Value::Bool(Bool::True))) {
        return numpy::of_tensor(vm, &lift(t.detach().copy_to(Device::Cpu))?);
    }
    if t.device() != Device::Cpu {
        return Err(Raised::type_error(format!(
            "can't convert {} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
            t.device()
        )));
    }
    numpy::of_tensor(vm, t)
}

fn iter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    if t.rank() == 0 {
        return Err(Raised::type_error("iteration over a 0-d tensor"));
    }
    let rows = call_named("Tensor.unbind", args)?;
    ops::iter(vm, &rows)
}

fn contains(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    this(&args)?;
    if let Some(of) = args.pos.get(1)
        && (of.as_str().is_some() || of.is_none())
    {
        return Err(Raised::runtime_error(format!(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class '{}'>.",
            of.type_name()
        )));
    }
    let hits = call_named("Tensor.eq", args)?;
    let any = call_named("Tensor.any", Args::new(&[hits]))?;
    call_named("Tensor.item", Args::new(&[any]))
}

fn index(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    if t.dtype().is_inexact() || t.numel() != 1 {
        return Err(Raised::type_error(
            "only integer tensors of a single element can be converted to an index",
        ));
    }
    Ok(Value::Int(lift(t.item())?.to_i64()))
}

fn hash(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    // Addresses end in zeros; spread them as CPython does.
    Ok(Value::Int((this(&args)?.id() as i64) >> 4))
}

fn getattr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let name = args.pos.get(1).and_then(Value::as_str).unwrap_or("");
    if let Some(text) = missing_attribute(name) {
        return Err(Raised::new(janus_object::ExcKind::AttributeError, text));
    }
    match args.pos.first() {
        Some(object) => Err(Raised::no_attribute(object, &Name::new(name))),
        None => Err(Raised::type_error("__getattr__() needs an object")),
    }
}

// Construction

/// The memory that one of `torch.storage`'s objects shows, as a tensor.
fn memory_of_storage(v: &Value) -> Option<Value> {
    let Value::Instance(instance) = v else {
        return None;
    };
    // What marks their classes; nothing else has it.
    instance
        .class
        .borrow()
        .lookup(&Name::new("_is_torch_storage"))?;
    instance.dict().get_name(&Name::new("_memory"))
}

/// `torch.Tensor(2, 3)`, `torch.FloatTensor([1, 2])`: sizes or data. A tensor has to be of the dtype, except
/// for `torch.Tensor`.
fn legacy(
    pos: &[Value],
    args: &Args<'_>,
    (dtype, device): (DType, Device),
    strict: bool,
) -> PyResult {
    let by_name = |name: &str, data: Value| {
        let kw = [
            (Name::new("dtype"), dtype_value(dtype)),
            (Name::new("device"), devices::value(device)),
        ];
        call_named(name, Args::with_kw(&[data], &kw))
    };
    if let (Some(size), true) = (args.keyword("size"), pos.is_empty()) {
        return by_name("torch.empty", size.clone());
    }
    let given = match (args.keyword("data"), pos) {
        (Some(data), []) => std::slice::from_ref(data),
        _ => pos,
    };
    let memory = match given {
        [one] => memory_of_storage(one),
        _ => None,
    };
    let given = memory.as_ref().map_or(given, std::slice::from_ref);
    match given {
        [] => by_name("torch.empty", Value::tuple(vec![Value::Int(0)])),
        [one] => match (tensor_of(one), one) {
            (Some(t), _) if strict && t.dtype() != dtype => {
                let options = |d: DType| {
                    let name = d.c_name();
                    format!(
                        "TensorOptions(dtype={name}, device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))"
                    )
                };
                Err(Raised::type_error(format!(
                    "expected {} (got {})",
                    options(dtype),
                    options(t.dtype())
                )))
            }
            (Some(_), _) => call_named("Tensor.view_as", Args::new(&[one.clone(), one.clone()])),
            (None, Value::Bool(_) | Value::Float(_) | Value::None | Value::Dict(_)) => {
                Err(Raised::type_error(format!(
                    "new(): data must be a sequence (got {})",
                    one.type_name()
                )))
            }
            _ if one.as_int().is_some() => by_name("torch.empty", Value::tuple(vec![one.clone()])),
            _ => {
                let size = matches!(one, Value::Instance(_)) && one.as_tuple().is_some();
                by_name(
                    if size { "torch.empty" } else { "torch.tensor" },
                    one.clone(),
                )
            }
        },
        sizes => by_name("torch.empty", Value::tuple(sizes.to_vec())),
    }
}

fn tensor_new(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let sizes = args.pos.get(1..).unwrap_or_default();
    let made = legacy(sizes, &args, (default_dtype(), Device::Cpu), false)?;
    match args.pos.first().and_then(Value::as_class) {
        Some(class) if !PyRef::ptr_eq(class, &classes().tensor) => match tensor_of(&made) {
            Some(t) => Ok(wrap_as(class, t.detach())),
            None => Ok(made),
        },
        _ => Ok(made),
    }
}

fn tensor_init(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    Ok(Value::None)
}

macro_rules! legacy_types {
    ($($function:ident $name:literal = $dtype:ident;)*) => {
        $(fn $function(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
            legacy(args.pos, &args, (DType::$dtype, Device::Cpu), true)
        })*
        /// `torch.FloatTensor` and its siblings.
        const LEGACY: &[NativeDef] = &[$(NativeDef::function($name, $function)),*];
        /// `Tensor.type()` of a dtype: `torch.FloatTensor`.
        #[must_use]
        pub fn legacy_name(d: DType) -> &'static str {
            match d {
                $(DType::$dtype => $name,)*
                DType::C64 => "torch.ComplexFloatTensor",
                DType::C128 => "torch.ComplexDoubleTensor",
                DType::U16 => "torch.UInt16Tensor",
                DType::U32 => "torch.UInt32Tensor",
                DType::U64 => "torch.UInt64Tensor",
            }
        }
    };
}
legacy_types! {
    float_tensor "torch.FloatTensor" = F32;
    half_tensor "torch.HalfTensor" = F16;
    bfloat16_tensor "torch.BFloat16Tensor" = BF16;
    double_tensor "torch.DoubleTensor" = F64;
    long_tensor "torch.LongTensor" = I64;
    int_tensor "torch.IntTensor" = I32;
    short_tensor "torch.ShortTensor" = I16;
    char_tensor "torch.CharTensor" = I8;
    byte_tensor "torch.ByteTensor" = U8;
    bool_tensor "torch.BoolTensor" = Bool;
}

/// The dtype that `torch.FloatTensor` and its siblings have, by such a name.
#[must_use]
pub fn dtype_of_legacy(name: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|d| legacy_name(*d) == name)
}

/// Whether a value is a tensor of the dtype that an old constructor makes: `isinstance(x, torch.FloatTensor)`.
pub fn is_of_legacy_type(constructor: &str, value: Option<&Value>) -> Option<bool> {
    let dtype = dtype_of_legacy(constructor)?;
    Some(
        value
            .and_then(tensor_of)
            .is_some_and(|t| t.dtype() == dtype),
    )
}

/// What names a type as text, or is one of the old constructors.
fn type_name_given(to: &Value) -> Option<&str> {
    to.as_str().or(match to {
        Value::Native(n) => Some(n.qualname),
        _ => None,
    })
}

/// The dtype that `Tensor.type` is given: `torch.FloatTensor`, its name, or a dtype.
#[must_use]
pub fn dtype_of_type(to: &Value) -> Option<DType> {
    match type_name_given(to) {
        Some(text) => dtype_of_legacy(text),
        None => dtype_of(to),
    }
}

/// The dtype and device that the name of a class of tensors says: `torch.cuda.FloatTensor`.
fn named_type(name: &str) -> Option<(DType, Option<&'static str>)> {
    let elsewhere = name.strip_prefix("torch.cuda.");
    let plain = elsewhere.map(|class| format!("torch.{class}"));
    let dtype = dtype_of_legacy(plain.as_deref().unwrap_or(name))?;
    Some((
        dtype,
        Some(if elsewhere.is_some() { "cuda" } else { "cpu" }),
    ))
}

fn type_(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let Some(to) = args.pos.get(1).or(args.keyword("dtype")) else {
        return Ok(Value::str(devices::legacy_name(t.device(), t.dtype())));
    };
    let class_name = match to.as_class() {
        Some(class) if crate::objects::is_class_of_device(to) => {
            Some(format!("torch.cuda.{}", class.name.borrow().as_str()))
        }
        _ => None,
    };
    let asked = match class_name.as_deref().or(type_name_given(to)) {
        Some(name) => named_type(name)
            .ok_or_else(|| Raised::value_error(format!("invalid type: '{name}'")))?,
        // The class of all tensors is the one of the default dtype.
        None if to
            .as_class()
            .is_some_and(|class| PyRef::ptr_eq(class, &classes().tensor)) =>
        {
            (default_dtype(), Some("cpu"))
        }
        None => match dtype_of(to) {
            Some(dtype) => (dtype, None),
            None => {
                return Err(Raised::type_error(
                    "dtype must be a type, str, or dtype object",
                ));
            }
        },
    };
    let (dtype, device) = asked;
    let mut given = vec![wrap(t.clone())];
    given.extend(device.map(Value::str));
    given.push(dtype_value(dtype));
    call_named("Tensor.to", Args::new(&given))
}

fn new_(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    legacy(
        args.pos.get(1..).unwrap_or_default(),
        &args,
        (t.dtype(), t.device()),
        true,
    )
}

static MAKE_SUBCLASS: Signature<3> =
    Signature::new("_make_subclass", ["cls", "data", "require_grad"]).required(2);

fn make_subclass(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class, data, requires_grad] = MAKE_SUBCLASS.parse(args)?;
    let t = tensor_arg(
        data.as_ref(),
        "_make_subclass(): argument 'data' (position 2)",
    )?
    .detach();
    if matches!(requires_grad, Some(Value::Bool(Bool::True))) {
        lift(t.set_requires_grad(true))?;
    }
    match class.as_ref().and_then(Value::as_class) {
        Some(class) => Ok(wrap_as(class, t)),
        None => Err(Raised::type_error(
            "_make_subclass(): argument 'cls' must be a type",
        )),
    }
}

/// `Tensor.as_subclass(cls)`: another object for the same memory, through which gradients go.
fn as_subclass(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let class = args.pos.get(1).or(args.keyword("cls"));
    let class = match class.and_then(Value::as_class) {
        Some(class) if class.is_subclass_of(&classes().tensor) => class,
        _ => {
            return Err(Raised::type_error(
                "as_subclass(): argument 'cls' must be a type that derives from Tensor",
            ));
        }
    };
    let alias = call_named(
        "Tensor.__getitem__",
        Args::new(&[wrap(t.clone()), Value::Ellipsis]),
    )?;
    match tensor_of(&alias) {
        Some(alias) => Ok(wrap_as(class, alias.clone())),
        None => Ok(alias),
    }
}

fn deepcopy(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let _guard = DeviceGuard::new(t.device());
    if !t.is_leaf() {
        return Err(Raised::runtime_error(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001",
        ));
    }
    let class = args
        .pos
        .first()
        .map_or_else(|| classes().tensor.clone(), class_of);
    let memo = args.pos.get(1);
    let copy = copied_with_memory(vm, t, memo)?;
    lift(copy.set_requires_grad(t.requires_grad()))?;
    if let Some(g) = t.grad() {
        copy.set_grad(Some(copied_with_memory(vm, &g, memo)?));
    }
    let result = wrap_as(&class, copy);
    // The memo keeps what is shared shared.
    if let (Some(memo), Some(old)) = (args.pos.get(1), args.pos.first()) {
        let builtins = vm.builtins();
        if let Some(id) = builtins.get_str("id") {
            let key = vm.call(&id, Args::new(std::slice::from_ref(old)))?;
            ops::set_item(vm, memo, &key, result.clone())?;
        }
    }
    Ok(result)
}

/// The same part of a copy of a tensor's memory: of the one that the memo has, so that tensors which share memory do so
/// in the copy, too.
fn copied_with_memory(vm: &mut dyn Vm, t: &Tensor, memo: Option<&Value>) -> PyResult<Tensor> {
    let memories = match memo.and_then(Value::as_dict) {
        Some(memo) => match memo.get_str("torch") {
            Some(Value::Dict(memories)) => Some(memories),
            _ => {
                let memories = PyRef::new(PyDict::new());
                memo.set(vm, Value::str("torch"), Value::Dict(memories.clone()))?;
                Some(memories)
            }
        },
        None => None,
    };
    let key = Value::Int(i64::try_from(t.storage_id()).unwrap_or(0));
    let known = memories.as_ref().and_then(|m| m.get_simple(&key).flatten());
    let memory = match known.as_ref().and_then(tensor_of) {
        Some(memory) => memory.clone(),
        None => {
            let memory = lift(t.memory().copy_data())?;
            if let Some(memories) = &memories {
                memories.set(vm, key, wrap(memory.clone()))?;
            }
            memory
        }
    };
    match t.part_of_memory(&memory) {
        Some(copy) => Ok(copy),
        None => lift(t.copy_data()),
    }
}

// Autograd

fn retain_grad(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    lift(this(&args)?.retain_grad())?;
    Ok(Value::None)
}

/// `_base`: what it is a view of.
fn base(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(this(&args)?.view_base().map_or(Value::None, wrap))
}

fn is_view(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this(&args)?.view_base().is_some()))
}

fn retains_grad(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this(&args)?.retains_grad()))
}

/// Passes an exception through the tensor crate.
pub(crate) fn carried(e: Raised) -> TensorError {
    TensorError::Foreign(Rc::new(e))
}

fn hook_function(args: &Args<'_>, name: &str) -> PyResult {
    match args.pos.get(1).or(args.keyword("hook")).cloned() {
        Some(function) => Ok(function),
        None => Err(Raised::type_error(format!(
            "Tensor.{name}() missing 1 required positional argument: 'hook'"
        ))),
    }
}

/// The name of a function, for messages.
fn function_name(function: &Value) -> String {
    let name = vm_scope::with(|vm| janus_object::attr::get(vm, function, &Name::new("__name__")));
    match name {
        Ok(name) => name.as_str().unwrap_or("<unknown>").to_owned(),
        Err(_) => "<unknown>".to_owned(),
    }
}

fn register_hook(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let function = hook_function(&args, "register_hook")?;
    let call = move |grad: &Tensor| -> Result<Option<Tensor>, TensorError> {
        let argument = wrap(grad.clone());
        let result = vm_scope::with(|vm| vm.call(&function, Args::new(&[argument])));
        match result.map_err(carried)? {
            Value::None => Ok(None),
            v => match tensor_of(&v) {
                Some(t) if t.shape() != grad.shape() => Err(TensorError::Runtime(format!(
                    "hook '{}' has changed the size of value",
                    function_name(&function)
                ))),
                Some(t) => Ok(Some(t.clone())),
                None => Err(carried(Raised::type_error(format!(
                    "expected Variable, but hook returned '{}'",
                    v.type_name()
                )))),
            },
        }
    };
    let id = lift(t.register_hook(Rc::new(call)))?;
    Ok(handle_of_tensor(t, id))
}

fn register_accumulated_hook(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let function = hook_function(&args, "register_post_accumulate_grad_hook")?;
    let call = move |leaf: &Tensor| -> Result<Option<Tensor>, TensorError> {
        let argument = wrap(leaf.clone());
        let result = vm_scope::with(|vm| vm.call(&function, Args::new(&[argument])));
        match result.map_err(carried)? {
            Value::None => Ok(None),
            _ => Err(TensorError::Runtime(
                "Tensor post accumulate grad hooks should return None.".to_owned(),
            )),
        }
    };
    let id = lift(t.register_accumulated_hook(Rc::new(call)))?;
    Ok(handle_of_tensor(t, id))
}

/// The backward of a user's `autograd.Function`.
struct PyBackward {
    function: RefCell<Option<Value>>,
    /// What `save_for_backward` kept.
    saved: Vec<Watched>,
    /// What `grad_fn` shows the attributes of.
    ctx: Value,
}

/// Where `FunctionCtx` (`torch/autograd/function.py`) has the tensors that it keeps, as they are or as hooks packed them.
const SAVED_BY_CONTEXT: [&str; 2] = ["saved_tensors", "_packed"];

impl Backward for PyBackward {
    fn backward(
        &self,
        grads: &[Option<Tensor>],
        _wants: &[bool],
    ) -> Result<Vec<Option<Tensor>>, TensorError> {
        let Some(function) = self.function.borrow().clone() else {
            return Err(TensorError::BackwardTwice);
        };
        for saved in &self.saved {
            saved.check()?;
        }
        let args: Vec<Value> = grads
            .iter()
            .map(|g| g.clone().map_or(Value::None, wrap))
            .collect();
        let result = vm_scope::with(|vm| vm.call(&function, Args::new(&args))).map_err(carried)?;
        let items = match result.as_tuple() {
            Some(tuple) => tuple.items.to_vec(),
            None => vec![result],
        };
        let gradient = |v: &Value| match (v, tensor_of(v)) {
            (_, Some(t)) => Ok(Some(t.clone())),
            (Value::None, None) => Ok(None),
            _ => Err(TensorError::Runtime(format!(
                "expected Variable or None (got {})",
                v.type_name()
            ))),
        };
        items.iter().map(gradient).collect()
    }

    fn release(&self) {
        self.function.replace(None);
        // The context may live on as what `grad_fn` shows; what it saved for this pass does not.
        if let Value::Instance(ctx) = &self.ctx
            && let Some(dict) = ctx.dict.get()
        {
            for name in SAVED_BY_CONTEXT {
                let name = Name::new(name);
                if dict.index_of_name(&name).is_some() {
                    dict.set_name(&name, Value::tuple(Vec::<Value>::new()));
                }
            }
        }
    }

    fn object(&self) -> Option<&dyn Any> {
        Some(&self.ctx)
    }
}

pub(crate) fn tensor_list(vm: &mut dyn Vm, v: &Value) -> PyResult<Vec<Tensor>> {
    let items = ops::collect(vm, v)?;
    items
        .iter()
        .map(|v| tensor_arg(Some(v), "each element").cloned())
        .collect()
}

fn record_function(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [name, inputs, outputs, function, saved, ctx] = args.exactly("_record_function")?;
    let (inputs, outputs) = (tensor_list(vm, inputs)?, tensor_list(vm, outputs)?);
    let name = name.as_str().unwrap_or("Function").to_owned();
    autograd::record_custom(
        name,
        &inputs.iter().collect::<Vec<_>>(),
        &outputs.iter().collect::<Vec<_>>(),
        Box::new(PyBackward {
            function: RefCell::new(Some(function.clone())),
            saved: ops::collect(vm, saved)?
                .iter()
                .filter_map(tensor_of)
                .map(Watched::new)
                .collect(),
            ctx: ctx.clone(),
        }),
    );
    Ok(Value::None)
}

fn backward(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [outputs, grads, retain, create, inputs] = args.exactly("_backward")?;
    let outputs = tensor_list(vm, outputs)?;
    let grads = ops::collect(vm, grads)?;
    let inputs = match inputs {
        Value::None => None,
        inputs => Some(tensor_list(vm, inputs)?),
    };
    let roots: Vec<(Tensor, Option<Tensor>)> = outputs
        .into_iter()
        .zip(grads.iter().map(|g| tensor_of(g).cloned()))
        .collect();
    let flag = |v: &Value| matches!(v, Value::Bool(Bool::True));
    let (retain, create) = (flag(retain), flag(create));
    let done = vm_scope::enter(vm, || {
        autograd::backward(&roots, inputs.as_deref(), retain, create)
    });
    lift(done)?;
    Ok(Value::None)
}

fn grad(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [outputs, grads, inputs, retain, create, unused] = args.exactly("_grad")?;
    let outputs = tensor_list(vm, outputs)?;
    let grads = ops::collect(vm, grads)?;
    let inputs = tensor_list(vm, inputs)?;
    let roots: Vec<(Tensor, Option<Tensor>)> = outputs
        .into_iter()
        .zip(grads.iter().map(|g| tensor_of(g).cloned()))
        .collect();
    let flag = |v: &Value| matches!(v, Value::Bool(Bool::True));
    let (retain, create, unused) = (flag(retain), flag(create), flag(unused));
    let found = vm_scope::enter(vm, || {
        autograd::grad(&roots, &inputs, retain, create, unused)
    });
    let found: Vec<Value> = lift(found)?
        .into_iter()
        .map(|g| g.map_or(Value::None, wrap))
        .collect();
    Ok(Value::tuple(found))
}

/// Switches anomaly detection and returns what it was.
fn set_anomaly_mode(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [on] = args.exactly("_set_anomaly_mode")?;
    let on = matches!(on, Value::Bool(Bool::True));
    Ok(Value::bool(autograd::set_anomaly_mode(on)))
}

fn set_inference_mode(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [on] = args.exactly("_set_inference_mode")?;
    Ok(Value::bool(autograd::set_inference_mode(matches!(
        on,
        Value::Bool(Bool::True)
    ))))
}

fn is_inference(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    Ok(Value::bool(autograd::is_inference_mode()))
}

// Elements, one by one

/// Replaces each element by what a function makes of it and its partners.
fn elementwise(vm: &mut dyn Vm, args: &Args<'_>, others: &[&Tensor], function: &Value) -> PyResult {
    let t = this(args)?;
    let mut columns = vec![lift(t.to_scalars())?];
    for other in others {
        columns.push(lift(other.to_scalars())?);
    }
    let mut made = Vec::with_capacity(t.numel() as usize);
    for i in 0..t.numel() as usize {
        let row: Vec<Value> = columns
            .iter()
            .filter_map(|c| c.get(i).map(|s| scalar_value(*s)))
            .collect();
        let result = vm.call(function, Args::new(&row))?;
        let Some(number) = crate::call::const_number(&result) else {
            return Err(Raised::type_error(format!(
                "must be real number, not {}",
                result.type_name()
            )));
        };
        made.push(number);
    }
    let value = lift(Tensor::from_scalars(&made, &t.shape(), t.dtype()))?;
    lift(janus_tensor::inplace::assign(t, &value))?;
    Ok(args.pos.first().cloned().unwrap_or(Value::None))
}

fn apply_(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    if t.requires_grad() {
        return Err(Raised::runtime_error(
            "Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.",
        ));
    }
    if t.device() != Device::Cpu {
        return Err(Raised::type_error(
            "apply_ is only implemented on CPU tensors",
        ));
    }
    let Some(function) = args.pos.get(1) else {
        return Err(Raised::type_error("apply_() takes a function"));
    };
    let function = function.clone();
    elementwise(vm, &args, &[], &function)
}

fn map_(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    let other = tensor_arg(args.pos.get(1), "map_(): argument 'other' (position 1)")?.clone();
    if t.requires_grad() || other.requires_grad() {
        return Err(Raised::runtime_error(
            "Can't call map_() on Variable that requires grad. Use var.detach().map_() instead.",
        ));
    }
    if t.device() != Device::Cpu || other.device() != Device::Cpu {
        return Err(Raised::type_error(
            "map_ is only implemented on CPU tensors",
        ));
    }
    let Some(function) = args.pos.get(2).cloned() else {
        return Err(Raised::type_error("map_() takes a function"));
    };
    if t.shape() != other.shape() {
        return Err(Raised::runtime_error("map_() needs tensors of one shape"));
    }
    elementwise(vm, &args, &[&other], &function)
}

// Memory

fn tensor_is_inference(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this(&args)?.is_inference()))
}

fn data_ptr(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::Int(this(&args)?.data_ptr() as i64))
}

fn storage_offset(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::Int(this(&args)?.storage_offset()))
}

fn version(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let t = this(&args)?;
    if t.is_inference() {
        return Err(Raised::runtime_error(
            "Inference tensors do not track version counter.",
        ));
    }
    Ok(Value::Int(t.version() as i64))
}

/// What the class `torch.Tensor` has beside the table.
pub const TENSOR: &[NativeDef] = &[
    NativeDef::function("Tensor.__new__", tensor_new),
    NativeDef::method("Tensor.__init__", tensor_init),
    NativeDef::method("Tensor.__repr__", repr),
    NativeDef::method("Tensor.__format__", format),
    NativeDef::method("Tensor.__iter__", iter),
    NativeDef::method("Tensor.__contains__", contains),
    NativeDef::method("Tensor.__index__", index),
    NativeDef::method("Tensor.__hash__", hash),
    NativeDef::method("Tensor.__getattr__", getattr),
    NativeDef::method("Tensor.__deepcopy__", deepcopy),
    NativeDef::method("Tensor.__reduce_ex__", crate::memory::reduce_ex),
    NativeDef::method("Tensor.tolist", tolist),
    NativeDef::method("Tensor.numpy", to_numpy),
    NativeDef::method("Tensor.__array__", to_numpy),
    NativeDef::method("Tensor.type", type_),
    NativeDef::method("Tensor.new", new_),
    NativeDef::getter("Tensor.grad_fn", grad_fn),
    NativeDef::method("Tensor.retain_grad", retain_grad),
    NativeDef::getter("Tensor.retains_grad", retains_grad),
    NativeDef::getter("Tensor._base", base),
    NativeDef::method("Tensor._is_view", is_view),
    NativeDef::method("Tensor.register_hook", register_hook),
    NativeDef::method(
        "Tensor.register_post_accumulate_grad_hook",
        register_accumulated_hook,
    ),
    NativeDef::method("Tensor.as_subclass", as_subclass),
    NativeDef::function("Tensor._make_subclass", make_subclass),
    NativeDef::method("Tensor.apply_", apply_),
    NativeDef::method("Tensor.map_", map_),
    NativeDef::method("Tensor.data_ptr", data_ptr),
    NativeDef::method("Tensor.is_inference", tensor_is_inference),
    NativeDef::method("Tensor.storage_offset", storage_offset),
    NativeDef::getter("Tensor._version", version),
];

/// What the module `torch._C` has beside the table.
pub const MODULE: &[NativeDef] = &[
    NativeDef::function("torch.is_inference_mode_enabled", is_inference),
    NativeDef::function("torch._C._make_subclass", make_subclass),
    NativeDef::function("torch._C._grad", grad),
    NativeDef::function("torch._C._backward", backward),
    NativeDef::function("torch._C._record_function", record_function),
    NativeDef::function("torch._C._set_inference_mode", set_inference_mode),
    NativeDef::function("torch._C._set_anomaly_mode", set_anomaly_mode),
];

/// `torch.FloatTensor` and its siblings.
pub fn legacy_constructors() -> &'static [NativeDef] {
    LEGACY
}
