//! `__torch_function__`: torch functions that a class of the arguments, or a mode, takes over.
//!
//! In: the arguments of a call of a torch function in tier 0. Out: what the first handler that knows the function
//! gives. Always: plain tensors and parameters pay for a look at their class alone; compiled code never calls a handler
//! (`speculate` leaves such calls to tier 0, and no region is entered in a mode).

use std::cell::{Cell, RefCell};

use janus_object::{
    Args, Bool, Class, Name, NativeDef, PyDict, PyRef, PyResult, Raised, Value, Vm, attr, class_of,
    name, text,
};

use crate::objects::{classes, tensor_of};

janus_gil::gil_local! {
    /// How many `DisableTorchFunctionSubclass` are entered.
    static SUBCLASSES_OFF: Cell<usize> = const { Cell::new(0) };
    /// How many `DisableTorchFunction` are entered, which turn modes off, too.
    static ALL_OFF: Cell<usize> = const { Cell::new(0) };
    /// The modes that are entered, the innermost last.
    static MODES: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
}

/// Whether a `TorchFunctionMode` is entered, so that every torch function goes to it first.
#[must_use]
pub fn is_mode_active() -> bool {
    ALL_OFF.with(Cell::get) == 0 && MODES.with(|m| !m.borrow().is_empty())
}

/// Whether torch functions on instances of a class go to its `__torch_function__`.
#[must_use]
pub fn is_overriding(class: &PyRef<Class>) -> bool {
    class.flags.get().torch_function && !PyRef::ptr_eq(class, &classes().tensor)
}

#[inline]
fn overrides(v: &Value) -> bool {
    match v {
        Value::Instance(i) => is_overriding(&i.class.borrow()),
        _ => false,
    }
}

/// Whether an argument, or an item of a list or tuple that is one, overrides torch functions.
#[inline]
fn any_overrides(v: &Value) -> bool {
    let any = |items: &[Value]| {
        matches!(items.first(), Some(Value::Instance(_))) && items.iter().any(overrides)
    };
    match v {
        Value::List(list) => any(&list.items.borrow()),
        Value::Tuple(tuple) => any(&tuple.items),
        other => overrides(other),
    }
}

/// Whether a call goes to a handler.
#[inline]
pub(crate) fn is_overridden(args: &Args<'_>) -> bool {
    let by_class = |v: &Value| any_overrides(v);
    (args.pos.iter().any(by_class) || args.kw.iter().any(|(_, v)| by_class(v)))
        && SUBCLASSES_OFF.with(Cell::get) == 0
        || is_mode_active()
}

/// The arguments that override, one of each class, subclasses before the classes that they derive from.
fn overriding(args: &Args<'_>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    if SUBCLASSES_OFF.with(Cell::get) > 0 {
        return found;
    }
    let mut look = |v: &Value| {
        if !overrides(v) {
            return;
        }
        let class = class_of(v);
        if found.iter().any(|f| PyRef::ptr_eq(&class_of(f), &class)) {
            return;
        }
        let before = found
            .iter()
            .position(|f| class.is_subclass_of(&class_of(f)));
        found.insert(before.unwrap_or(found.len()), v.clone());
    };
    for v in args.pos.iter().chain(args.kw.iter().map(|(_, v)| v)) {
        match v {
            Value::List(list) => list.items.borrow().iter().for_each(&mut look),
            Value::Tuple(tuple) => tuple.items.iter().for_each(&mut look),
            other => look(other),
        }
    }
    found
}

/// Puts the innermost mode back when its handler is through.
struct Within(Option<Value>);

impl Drop for Within {
    fn drop(&mut self) {
        if let Some(mode) = self.0.take() {
            MODES.with(|m| m.borrow_mut().push(mode));
        }
    }
}

/// What handlers get for an operator, where that is not the special method itself: as PyTorch's own class has it.
const OPERATORS: &[(&str, &str)] = &[
    ("__add__", "add"),
    ("__radd__", "add"),
    ("__iadd__", "add_"),
    ("__sub__", "sub"),
    ("__isub__", "sub_"),
    ("__mul__", "mul"),
    ("__rmul__", "mul"),
    ("__imul__", "mul_"),
    ("__truediv__", "div"),
    ("__itruediv__", "div_"),
    ("__floordiv__", "floor_divide"),
    ("__ifloordiv__", "floor_divide_"),
    ("__mod__", "remainder"),
    ("__imod__", "remainder_"),
    ("__matmul__", "matmul"),
    ("__pow__", "pow"),
    ("__eq__", "eq"),
    ("__ne__", "ne"),
    ("__lt__", "lt"),
    ("__le__", "le"),
    ("__gt__", "gt"),
    ("__ge__", "ge"),
    ("__neg__", "neg"),
    ("__abs__", "abs"),
    ("__invert__", "bitwise_not"),
];

/// The Python object that a function of the table is known by, as handlers get it. `writes`: the setter of a property.
fn public(vm: &mut dyn Vm, qualname: &str, writes: bool) -> PyResult {
    let attribute =
        |vm: &mut dyn Vm, object: &Value, name: &str| attr::get(vm, object, &Name::new(name));
    if let Some(name) = qualname.strip_prefix("Tensor.") {
        let class = Value::Class(classes().tensor.clone());
        return match name.strip_suffix(".__get__") {
            Some(property) => {
                let property = attribute(vm, &class, property)?;
                attribute(vm, &property, if writes { "__set__" } else { "__get__" })
            }
            None => {
                let plain = OPERATORS.iter().find(|(operator, _)| *operator == name);
                attribute(vm, &class, plain.map_or(name, |(_, plain)| plain))
            }
        };
    }
    let (module, name) = qualname.rsplit_once('.').unwrap_or(("torch", qualname));
    let module = vm.import(module)?;
    attribute(vm, &module, name)
}

/// Hands a call to the innermost mode, then to the arguments' classes, until one does not answer NotImplemented.
///
/// # Errors
/// What a handler raises, and a TypeError if none answers.
#[cold]
pub(crate) fn dispatch(
    vm: &mut dyn Vm,
    qualname: &'static str,
    writes: bool,
    args: &Args<'_>,
) -> PyResult {
    let function = public(vm, qualname, writes)?;
    handle(vm, &function, qualname, args)
}

fn handle(vm: &mut dyn Vm, function: &Value, qualname: &str, args: &Args<'_>) -> PyResult {
    let found = overriding(args);
    let found_classes: Vec<Value> = found.iter().map(|v| Value::Class(class_of(v))).collect();
    let keywords = PyDict::new();
    for (name, v) in args.kw {
        keywords.set_str(name.as_str(), v.clone());
    }
    let given = [
        function.clone(),
        Value::tuple(found_classes.clone()),
        Value::tuple(args.pos.to_vec()),
        Value::dict(keywords),
    ];
    let name = name!("__torch_function__");
    if is_mode_active()
        && let Some(mode) = MODES.with(|m| m.borrow_mut().pop())
    {
        let within = Within(Some(mode.clone()));
        let answer = vm.call_method(&mode, name, Args::new(&given))?;
        drop(within);
        if !matches!(answer, Value::NotImplemented) {
            return Ok(answer);
        }
    }
    for v in &found {
        let answer = vm.call_method(v, name, Args::new(&given))?;
        if !matches!(answer, Value::NotImplemented) {
            return Ok(answer);
        }
    }
    let lines: Vec<String> = found
        .iter()
        .map(|v| {
            let kind = if tensor_of(v).is_some() {
                "tensor subclass"
            } else {
                "argument type"
            };
            Ok(format!(
                "  - {kind} {}",
                text::repr(vm, &Value::Class(class_of(v)))?
            ))
        })
        .collect::<PyResult<_>>()?;
    Err(Raised::type_error(format!(
        "Multiple dispatch failed for '{qualname}'; all __torch_function__ handlers returned NotImplemented:\n\n{}\n\nFor more information, try re-running with TORCH_LOGS=not_implemented",
        lines.join("\n")
    )))
}

/// `torch.overrides.has_torch_function`: of a tuple of arguments.
fn has_torch_function(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [relevant] = args.exactly("has_torch_function")?;
    let found = match relevant {
        Value::Tuple(tuple) => is_overridden(&Args::new(&tuple.items)),
        other => is_overridden(&Args::new(std::slice::from_ref(other))),
    };
    Ok(Value::bool(found))
}

/// `torch.overrides.handle_torch_function(public_api, relevant_args, *args, **kwargs)`
fn handle_torch_function(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [function, _relevant, rest @ ..] = args.pos else {
        return Err(Raised::type_error(
            "handle_torch_function() missing 2 required positional arguments: 'public_api' and 'relevant_args'",
        ));
    };
    let name = attr::get(vm, function, name!("__name__"))?;
    let name = name.as_str().unwrap_or("?").to_owned();
    handle(vm, function, &name, &Args::with_kw(rest, args.kw))
}

fn turn_off(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [all, on] = args.exactly("_torch_function_off")?;
    let count = |c: &Cell<usize>| {
        c.set(match on {
            Value::Bool(Bool::True) => c.get() + 1,
            _ => c.get().saturating_sub(1),
        });
    };
    SUBCLASSES_OFF.with(count);
    if matches!(all, Value::Bool(Bool::True)) {
        ALL_OFF.with(count);
    }
    Ok(Value::None)
}

fn push_mode(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [mode] = args.exactly("_push_on_torch_function_stack")?;
    MODES.with(|m| m.borrow_mut().push(mode.clone()));
    Ok(Value::None)
}

fn pop_mode(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("_pop_torch_function_stack")?;
    match MODES.with(|m| m.borrow_mut().pop()) {
        Some(mode) => Ok(mode),
        None => Err(Raised::runtime_error("no torch function mode is active")),
    }
}

fn modes(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("_torch_function_stack")?;
    Ok(Value::list(MODES.with(|m| m.borrow().clone())))
}

/// Calls a function of `torch.overrides`.
fn in_python(vm: &mut dyn Vm, function: &str, args: Args<'_>) -> PyResult {
    let overrides = vm.import("torch.overrides")?;
    let function = attr::get(vm, &overrides, &Name::new(function))?;
    vm.call(&function, args)
}

/// What a class has that is not dispatched to: the function itself.
fn disabled(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    in_python(vm, "_disabled", args)
}

/// `Tensor.__torch_function__`, of classes derived from it: the function itself, its tensors as ones of the class.
fn default(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    in_python(vm, "_default", args)
}

/// The natives of `torch._C` for this.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._has_torch_function", has_torch_function),
    NativeDef::function("torch._C._handle_torch_function", handle_torch_function),
    NativeDef::function("torch._C._torch_function_off", turn_off),
    NativeDef::function("torch._C._push_on_torch_function_stack", push_mode),
    NativeDef::function("torch._C._pop_torch_function_stack", pop_mode),
    NativeDef::function("torch._C._torch_function_stack", modes),
    NativeDef::function("torch._C._disabled_torch_function_impl", disabled),
];

/// Methods of `Tensor` for this.
pub const TENSOR: &[NativeDef] = &[NativeDef::class_method(
    "Tensor.__torch_function__",
    default,
)];
