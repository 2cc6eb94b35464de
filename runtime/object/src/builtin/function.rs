//! Functions, methods, modules, cells, code objects: their attributes.
//!
//! In: callables. Out: `__name__`, `__doc__`, `__defaults__` and the like. Always: replacing the
//! code or the defaults of a function changes its version.

use std::cell::RefCell;
use std::rc::Rc;

use janus_bytecode::CompareOp;

use crate::native::wrong_self;

use super::int::class_argument;
use crate::{
    Args, Binding, NativeBody, NativeDef, NativeFunction, PyCell, PyDict, PyFunction, PyMethod,
    PyRef, PyResult, Raised, Signature, Value, Vm, attr, name, text,
};

pub(crate) const FUNCTION: &[NativeDef] = &[
    NativeDef::function("function.__new__", function_new),
    NativeDef::method("function.__get__", bind),
    NativeDef::method("function.__call__", call),
    NativeDef::method("function.__repr__", repr),
    NativeDef::getset("function.__name__", function_name),
    NativeDef::getset("function.__qualname__", function_qualname),
    NativeDef::getset("function.__doc__", function_doc),
    NativeDef::getset("function.__module__", function_module),
    NativeDef::getset("function.__defaults__", function_defaults),
    NativeDef::getset("function.__kwdefaults__", function_kwdefaults),
    NativeDef::getset("function.__annotations__", function_annotations),
    NativeDef::getset("function.__code__", function_code),
    NativeDef::getter("function.__globals__", function_globals),
    NativeDef::getter("function.__builtins__", function_builtins),
    NativeDef::getter("function.__closure__", function_closure),
];

pub(crate) const METHOD: &[NativeDef] = &[
    NativeDef::function("method.__new__", method_new),
    NativeDef::method("method.__call__", call),
    NativeDef::method("method.__repr__", repr),
    NativeDef::method("method.__eq__", method_eq),
    NativeDef::method("method.__hash__", method_hash),
    NativeDef::getter("method.__func__", method_func),
    NativeDef::getter("method.__self__", method_self),
    NativeDef::getter("method.__doc__", method_doc),
];

/// What a method of a built-in class has, and a built-in function has not.
pub(crate) const BINDS: &[NativeDef] = &[NativeDef::method("method_descriptor.__get__", bind)];

pub(crate) const BUILTIN: &[NativeDef] = &[
    NativeDef::method("builtin_function.__call__", call),
    NativeDef::method("builtin_function.__repr__", repr),
    NativeDef::getter("builtin_function.__name__", native_name),
    NativeDef::getter("builtin_function.__qualname__", native_qualname),
    NativeDef::getter("builtin_function.__doc__", native_doc),
    NativeDef::getter("builtin_function.__module__", native_module),
    NativeDef::getter("builtin_function.__self__", native_self),
];

pub(crate) const GETSET: &[NativeDef] = &[
    NativeDef::method("getset_descriptor.__get__", bind),
    NativeDef::method("getset_descriptor.__set__", getset_set),
    NativeDef::getter("getset_descriptor.__name__", native_name),
    NativeDef::getter("getset_descriptor.__qualname__", native_qualname),
    NativeDef::getset("getset_descriptor.__doc__", getset_doc),
];

pub(crate) const MODULE: &[NativeDef] = &[
    NativeDef::function("module.__new__", module_new),
    NativeDef::method("module.__init__", module_init),
    NativeDef::method("module.__repr__", module_repr),
    NativeDef::method("module.__dir__", module_dir),
    NativeDef::getset("module.__annotations__", module_annotations),
];

pub(crate) const CELL: &[NativeDef] = &[
    NativeDef::function("cell.__new__", cell_new),
    NativeDef::method("cell.__eq__", |vm, args| {
        compare_cells(vm, args, CompareOp::Eq)
    }),
    NativeDef::method("cell.__ne__", |vm, args| {
        compare_cells(vm, args, CompareOp::Ne)
    }),
    NativeDef::method("cell.__lt__", |vm, args| {
        compare_cells(vm, args, CompareOp::Lt)
    }),
    NativeDef::method("cell.__le__", |vm, args| {
        compare_cells(vm, args, CompareOp::Le)
    }),
    NativeDef::method("cell.__gt__", |vm, args| {
        compare_cells(vm, args, CompareOp::Gt)
    }),
    NativeDef::method("cell.__ge__", |vm, args| {
        compare_cells(vm, args, CompareOp::Ge)
    }),
    NativeDef::getset("cell.cell_contents", cell_contents),
];

pub(crate) const CODE: &[NativeDef] = &[
    NativeDef::getter("code.co_name", co_name),
    NativeDef::getter("code.co_qualname", co_qualname),
    NativeDef::getter("code.co_filename", co_filename),
    NativeDef::getter("code.co_firstlineno", co_firstlineno),
    NativeDef::getter("code.co_argcount", co_argcount),
    NativeDef::getter("code.co_kwonlyargcount", co_kwonlyargcount),
    NativeDef::getter("code.co_posonlyargcount", co_posonlyargcount),
    NativeDef::getter("code.co_nlocals", co_nlocals),
    NativeDef::getter("code.co_varnames", co_varnames),
    NativeDef::getter("code.co_names", co_names),
    NativeDef::getter("code.co_consts", co_consts),
    NativeDef::getter("code.co_freevars", co_freevars),
    NativeDef::getter("code.co_cellvars", co_cellvars),
    NativeDef::getter("code.co_flags", co_flags),
    NativeDef::getter("code.co_code", super::code_object::code),
    NativeDef::getter("code.co_stacksize", super::code_object::stack_size),
    NativeDef::method("code.co_lines", super::code_object::lines),
    NativeDef::method("code.co_positions", super::code_object::positions),
    NativeDef::method("code.replace", super::code_object::replace),
    NativeDef::method("code.co_positions", co_positions),
    NativeDef::method("code.co_lines", co_lines),
];

/// `FunctionType(code, globals, name=None, argdefs=None, closure=None)`
fn function_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<5> = Signature::new(
        "function",
        ["code", "globals", "name", "argdefs", "closure"],
    )
    .required(2);
    let (_, rest) = args.split_self("function.__new__")?;
    let [code, globals, name, defaults, closure] = SIGNATURE.parse(rest)?;
    let wrong = |argument: &str, wanted: &str, given: &Option<Value>| {
        let given = given.as_ref().map_or("None".to_owned(), Value::type_name);
        Raised::type_error(format!(
            "function() argument '{argument}' must be {wanted}, not {given}"
        ))
    };
    let Some(Value::Code(code)) = &code else {
        return Err(wrong("code", "code", &code));
    };
    let Some(globals) = globals.as_ref().and_then(Value::as_dict).cloned() else {
        return Err(wrong("globals", "dict", &globals));
    };
    globals.note_builtins(&vm.builtins());
    let defaults: Vec<Value> = match &defaults {
        None | Some(Value::None) => Vec::new(),
        Some(given) => match given.as_tuple() {
            Some(tuple) => tuple.items.to_vec(),
            None => return Err(Raised::type_error("arg 4 (defaults) must be None or tuple")),
        },
    };
    let mut cells: Vec<PyRef<PyCell>> = Vec::new();
    match &closure {
        None | Some(Value::None) => {}
        Some(given) => {
            let Some(tuple) = given.as_tuple() else {
                return Err(Raised::type_error("arg 5 (closure) must be tuple"));
            };
            for item in tuple.items.iter() {
                let Value::Cell(cell) = item else {
                    return Err(Raised::type_error(format!(
                        "arg 5 (closure) expected cell, found {}",
                        item.type_name()
                    )));
                };
                cells.push(cell.clone());
            }
        }
    }
    let wanted = code.code.freevars.len();
    if cells.len() != wanted {
        return Err(match (closure.is_some(), wanted) {
            (false, _) => Raised::type_error("arg 5 (closure) must be tuple"),
            _ => Raised::value_error(format!(
                "{} requires closure of length {wanted}, not {}",
                code.code.name,
                cells.len()
            )),
        });
    }
    let made = PyFunction::new(code.clone(), globals, defaults.into(), None, cells.into());
    match name {
        None | Some(Value::None) => {}
        Some(name) if name.as_str().is_some() => *made.name.borrow_mut() = name,
        other => {
            return Err(Raised::type_error(format!(
                "arg 3 (name) must be None or string, not {}",
                other.map_or("None".to_owned(), |o| o.type_name())
            )));
        }
    }
    Ok(Value::Function(PyRef::new(made)))
}

fn bind(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__get__")?;
    let rest = rest.between("__get__", 1, 2)?;
    let object = rest.first().filter(|v| !v.is_none());
    let owner = match (rest.get(1), object) {
        (Some(owner), _) => owner.clone(),
        (None, Some(object)) => Value::Class(crate::class_of(object)),
        (None, None) => Value::None,
    };
    attr::descriptor_get(vm, this, object, &owner)
}

fn call(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__call__")?;
    vm.call(this, rest)
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    Ok(Value::from(text::repr(vm, this)?))
}

fn function<'a>(v: &'a Value, attribute: &str) -> PyResult<&'a PyRef<PyFunction>> {
    match v {
        Value::Function(f) => Ok(f),
        _ => Err(wrong_self(attribute, "function", v)),
    }
}

/// `self`, and the new value if the attribute is being set.
fn getset<'a>(
    args: Args<'a>,
    attribute: &str,
) -> PyResult<(&'a PyRef<PyFunction>, Option<&'a Value>)> {
    let (this, rest) = args.split_self(attribute)?;
    Ok((function(this, attribute)?, rest.pos.first()))
}

/// Reads or sets a field that holds a value.
fn field(
    args: Args<'_>,
    attribute: &str,
    select: impl Fn(&PyFunction) -> &RefCell<Value>,
    check: impl Fn(&Value) -> bool,
) -> PyResult {
    let (f, new) = getset(args, attribute)?;
    match new {
        None => Ok(select(f).borrow().clone()),
        Some(new) if check(new) => {
            *select(f).borrow_mut() = new.clone();
            Ok(Value::None)
        }
        Some(_) => Err(Raised::type_error(format!(
            "{attribute} must be set to a string object"
        ))),
    }
}

fn is_str(v: &Value) -> bool {
    v.as_str().is_some()
}

fn function_name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    field(args, "__name__", |f| &f.name, is_str)
}

fn function_qualname(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    field(args, "__qualname__", |f| &f.qualname, is_str)
}

fn function_doc(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    field(args, "__doc__", |f| &f.doc, |_| true)
}

fn own_dict(f: &PyFunction) -> &PyRef<PyDict> {
    f.dict.get_or_init(|| PyRef::new(PyDict::namespace()))
}

fn function_module(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (f, new) = getset(args, "__module__")?;
    // What a script sets lies in the function's dict; by default it is that of its globals.
    if let Some(new) = new {
        own_dict(f).set_name(name!("__module__"), new.clone());
        return Ok(Value::None);
    }
    let own = f.dict.get().and_then(|d| d.get_name(name!("__module__")));
    Ok(own
        .or_else(|| f.globals.get_name(name!("__name__")))
        .unwrap_or(Value::None))
}

fn changed(f: &PyFunction) {
    crate::dict::note_change();
    f.version.set(f.version.get().wrapping_add(1));
}

fn function_defaults(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (f, new) = getset(args, "__defaults__")?;
    match new {
        None => {
            let defaults = f.defaults.borrow();
            Ok(if defaults.is_empty() {
                Value::None
            } else {
                Value::tuple(defaults.to_vec())
            })
        }
        Some(new) => {
            let items: Vec<Value> = match (new, new.as_tuple()) {
                (Value::None, _) => Vec::new(),
                (_, Some(tuple)) => tuple.items.to_vec(),
                _ => {
                    return Err(Raised::type_error(
                        "__defaults__ must be set to a tuple object",
                    ));
                }
            };
            *f.defaults.borrow_mut() = items.into();
            changed(f);
            Ok(Value::None)
        }
    }
}

fn function_kwdefaults(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (f, new) = getset(args, "__kwdefaults__")?;
    match new {
        None => {
            // Who has the dict may change it.
            changed(f);
            let defaults = f.kw_defaults.borrow();
            Ok(defaults.clone().map_or(Value::None, Value::Dict))
        }
        Some(new) => {
            *f.kw_defaults.borrow_mut() = match new {
                Value::None => None,
                Value::Dict(d) => Some(d.clone()),
                _ => {
                    return Err(Raised::type_error(
                        "__kwdefaults__ must be set to a dict object",
                    ));
                }
            };
            changed(f);
            Ok(Value::None)
        }
    }
}

fn function_annotations(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (f, new) = getset(args, "__annotations__")?;
    if let Some(new) = new {
        if !new.is_none() && new.as_dict().is_none() {
            return Err(Raised::type_error(
                "__annotations__ must be set to a dict object",
            ));
        }
        *f.annotations.borrow_mut() = (!new.is_none()).then(|| new.clone());
        return Ok(Value::None);
    }
    let mut annotations = f.annotations.borrow_mut();
    Ok(annotations
        .get_or_insert_with(|| Value::dict(PyDict::new()))
        .clone())
}

fn function_code(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (f, new) = getset(args, "__code__")?;
    match new {
        None => Ok(Value::Code(f.code.borrow().clone())),
        Some(Value::Code(code)) => {
            let (given, wanted) = (code.code.freevars.len(), f.closure.len());
            if given != wanted {
                return Err(Raised::value_error(format!(
                    "{}() requires a code object with {wanted} free vars, not {given}",
                    text::str(vm, &f.name.borrow().clone())?
                )));
            }
            *f.code.borrow_mut() = code.clone();
            changed(f);
            Ok(Value::None)
        }
        Some(_) => Err(Raised::type_error("__code__ must be set to a code object")),
    }
}

fn function_globals(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__globals__")?;
    Ok(Value::Dict(function(this, "__globals__")?.globals.clone()))
}

/// The builtins that the function's names are looked up in at last.
fn function_builtins(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__builtins__")?;
    let globals = &function(this, "__builtins__")?.globals;
    Ok(match globals.get_str("__builtins__") {
        Some(Value::Module(module)) => Value::Dict(module.dict.clone()),
        Some(given @ Value::Dict(_)) => given,
        _ => Value::Dict(vm.builtins()),
    })
}

fn function_closure(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__closure__")?;
    let closure = &function(this, "__closure__")?.closure;
    if closure.is_empty() {
        return Ok(Value::None);
    }
    Ok(Value::tuple(
        closure.iter().cloned().map(Value::Cell).collect::<Vec<_>>(),
    ))
}

fn method<'a>(v: &'a Value, attribute: &str) -> PyResult<&'a PyRef<PyMethod>> {
    match v {
        Value::Method(m) => Ok(m),
        _ => Err(wrong_self(attribute, "method", v)),
    }
}

fn method_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = args.split_self("method.__new__")?;
    let [function, receiver] = rest.exactly::<2>("method")?;
    if !crate::call::is_callable(function) {
        return Err(Raised::type_error("first argument must be callable"));
    }
    if receiver.is_none() {
        return Err(Raised::type_error("self must not be None"));
    }
    Ok(Value::Method(PyRef::new(PyMethod {
        function: function.clone(),
        receiver: receiver.clone(),
    })))
}

fn method_eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (a, [b]) = args.method::<1>("method.__eq__")?;
    let same = crate::ops::native_compare(vm, janus_bytecode::CompareOp::Eq, a, b)?;
    Ok(same.unwrap_or(Value::NotImplemented))
}

fn method_hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("method.__hash__")?;
    Ok(Value::Int(crate::ops::hash(vm, this)?))
}

fn method_func(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__func__")?;
    Ok(method(this, "__func__")?.function.clone())
}

fn method_doc(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__doc__")?;
    let doc = attr::get_opt(vm, &method(this, "__doc__")?.function, name!("__doc__"))?;
    Ok(doc.unwrap_or(Value::None))
}

fn method_self(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__self__")?;
    Ok(method(this, "__self__")?.receiver.clone())
}

/// The native function behind a built-in function or a bound built-in method.
fn native<'a>(v: &'a Value, attribute: &str) -> PyResult<&'a NativeFunction> {
    match v {
        Value::Native(n) => Ok(n),
        Value::Method(m) => match &m.function {
            Value::Native(n) => Ok(n),
            _ => Err(wrong_self(attribute, "builtin_function_or_method", v)),
        },
        _ => Err(wrong_self(attribute, "builtin_function_or_method", v)),
    }
}

fn native_name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__name__")?;
    Ok(Value::from(native(this, "__name__")?.name))
}

fn native_qualname(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__qualname__")?;
    let n = native(this, "__qualname__")?;
    // For a function of a module `qualname` starts with the module, which CPython leaves out.
    let owner = n.qualname.rsplit_once('.').map_or("", |(owner, _)| owner);
    let of_class =
        n.name == "__new__" || matches!(vm.builtins().get_str(owner), Some(Value::Class(_)));
    Ok(Value::from(if n.binding == Binding::Static && !of_class {
        n.name
    } else {
        n.qualname
    }))
}

fn native_doc(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__doc__")?;
    let n = native(this, "__doc__")?;
    if let Some(written) = &*n.written_doc.borrow() {
        return Ok(written.clone());
    }
    let doc = n.doc;
    Ok(if doc.is_empty() {
        Value::None
    } else {
        Value::from(doc)
    })
}

/// Only a named tuple's field, which is made at run time, lets its docstring be written.
fn getset_doc(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if args.pos.len() < 2 {
        return native_doc(vm, args);
    }
    let (this, [doc]) = args.method::<1>("__doc__")?;
    let n = native(this, "__doc__")?;
    if !matches!(n.func, NativeBody::Field(_)) {
        return Err(Raised::attribute_error(
            format!(
                "attribute '__doc__' of '{}' objects is not writable",
                this.type_name()
            ),
            this,
            name!("__doc__"),
        ));
    }
    *n.written_doc.borrow_mut() = Some(doc.clone());
    Ok(Value::None)
}

fn native_module(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__module__")?;
    let n = native(this, "__module__")?;
    Ok(match (n.binding, n.qualname.rsplit_once('.')) {
        (Binding::Static, Some((module, _))) => Value::from(module),
        (Binding::Static, None) => Value::from("builtins"),
        _ => Value::None,
    })
}

fn native_self(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__self__")?;
    match this {
        Value::Method(m) => Ok(m.receiver.clone()),
        _ => Err(Raised::no_attribute(this, name!("__self__"))),
    }
}

fn getset_set(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [object, value]) = args.method::<2>("__set__")?;
    match this {
        Value::Native(n) if n.binding == Binding::GetSet => {
            n.call(vm, Args::new(&[object.clone(), value.clone()]))
        }
        Value::Native(n) if n.field().is_some() => Err(Raised::new(
            crate::ExcKind::AttributeError,
            "can't set attribute",
        )),
        _ => Err(Raised::attribute_error(
            format!(
                "attribute of '{}' objects is not writable",
                object.type_name()
            ),
            object,
            name!("__set__"),
        )),
    }
}

fn module_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "module.__new__")?;
    if !PyRef::ptr_eq(class, &crate::types().module) {
        // An instance with a namespace of its own, which `__init__` fills.
        return Ok(Value::instance(class, crate::Payload::None));
    }
    // `__init__` fills it.
    let module_name = rest.pos.first().and_then(Value::as_str).unwrap_or("?");
    let module = crate::PyModule::new(module_name, Value::None);
    module.dict.clear();
    Ok(Value::Module(PyRef::new(module)))
}

fn module_arguments(args: Args<'_>) -> PyResult<(Value, Value)> {
    static SIGNATURE: Signature<2> = Signature::new("module", ["name", "doc"]).required(1);
    let [module_name, doc] = SIGNATURE.parse(args)?;
    let module_name = module_name.unwrap_or(Value::None);
    if module_name.as_str().is_none() {
        return Err(Raised::type_error(format!(
            "module() argument 'name' must be str, not {}",
            module_name.type_name()
        )));
    }
    Ok((module_name, doc.unwrap_or(Value::None)))
}

fn module_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("module.__init__")?;
    let (module_name, doc) = module_arguments(rest)?;
    for (attribute, value) in [
        (name!("__name__"), module_name),
        (name!("__doc__"), doc),
        (name!("__package__"), Value::None),
        (name!("__loader__"), Value::None),
        (name!("__spec__"), Value::None),
    ] {
        attr::generic_set(vm, this, attribute, value)?;
    }
    Ok(Value::None)
}

/// The names of the namespace, or what the module's own `__dir__` says.
fn module_dir(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__dir__")?;
    let names = attr::get(vm, this, name!("__dict__"))?;
    let Some(names) = names.as_dict() else {
        return Err(Raised::type_error("<module>.__dict__ is not a dictionary"));
    };
    match names.get_name(name!("__dir__")) {
        Some(listed) => vm.call(&listed, Args::new(&[])),
        None => {
            let names = names.items().into_iter().map(|(name, _)| name);
            Ok(Value::list(names.collect()))
        }
    }
}

/// The annotations of a module, made where they are asked for first.
fn module_annotations(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__annotations__")?;
    let names = attr::get(vm, this, name!("__dict__"))?;
    let Some(names) = names.as_dict() else {
        return Err(Raised::no_attribute(this, name!("__annotations__")));
    };
    if let [new] = rest.pos {
        names.set_name(name!("__annotations__"), new.clone());
        return Ok(Value::None);
    }
    if let Some(own) = names.get_name(name!("__annotations__")) {
        return Ok(own);
    }
    let made = Value::dict(PyDict::new());
    names.set_name(name!("__annotations__"), made.clone());
    Ok(made)
}

fn module_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    Ok(Value::from(shown_module(vm, this)?))
}

/// `repr` of a module: with where it comes from, as its spec, its file or its loader has it.
pub(crate) fn shown_module(vm: &mut dyn Vm, module: &Value) -> PyResult<String> {
    let own = match module {
        Value::Module(m) => m.dict.get_name(name!("__spec__")),
        other => attr::get_opt(vm, other, name!("__spec__"))?,
    };
    if own.is_none_or(|spec| spec.is_none())
        && let Some(loader) = attr::get_opt(vm, module, name!("__loader__"))?
        && let Some(says) = attr::get_opt(vm, &loader, name!("module_repr"))?
        && let Ok(shown) = vm.call(&says, Args::new(std::slice::from_ref(module)))
        && let Some(shown) = shown.as_str()
    {
        return Ok(shown.to_owned());
    }
    let mut part = |of: &Value, name: &crate::Name| -> PyResult<Option<Value>> {
        let found = match of {
            Value::Module(m) => m.dict.get_name(name),
            of => attr::get_opt(vm, of, name)?,
        };
        Ok(found.filter(|v| !v.is_none()))
    };
    let spec = part(module, name!("__spec__"))?;
    let (module_name, file, origin, loader) = match &spec {
        Some(spec) => {
            let origin = part(spec, name!("origin"))?;
            let located = match part(spec, name!("has_location"))? {
                Some(located) => crate::ops::truth(vm, &located)?,
                None => false,
            };
            let mut part = |name: &crate::Name| attr::get_opt(vm, spec, name);
            let (module_name, loader) = (part(name!("name"))?, part(name!("loader"))?);
            match located {
                true => (module_name, origin, None, loader),
                // One that is embedded has a file's name, too.
                false
                    if origin
                        .as_ref()
                        .is_some_and(|o| o.as_str() == Some("frozen")) =>
                {
                    let file = match module {
                        Value::Module(m) => m.dict.get_name(name!("__file__")),
                        _ => None,
                    };
                    (module_name, file, origin, loader)
                }
                false => (module_name, None, origin, loader),
            }
        }
        None => (
            part(module, name!("__name__"))?,
            part(module, name!("__file__"))?,
            None,
            part(module, name!("__loader__"))?,
        ),
    };
    let shown = match module_name.filter(|v| !v.is_none()) {
        Some(module_name) => text::repr(vm, &module_name)?.to_string(),
        None => "'?'".to_owned(),
    };
    let place = match (file, origin, loader.filter(|v| !v.is_none())) {
        (Some(file), ..) => format!(" from {}", text::repr(vm, &file)?),
        (_, Some(origin), _) => format!(" ({})", text::str(vm, &origin)?),
        (_, _, Some(loader)) => format!(" ({})", text::repr(vm, &loader)?),
        _ => String::new(),
    };
    Ok(format!("<module {shown}{place}>"))
}

fn cell_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = args.split_self("cell.__new__")?;
    let content = rest.between("cell", 0, 1)?.first().cloned();
    Ok(Value::Cell(PyRef::new(PyCell::new(content))))
}

/// Cells are compared by what is in them; an empty one comes first.
fn compare_cells(vm: &mut dyn Vm, args: Args<'_>, op: CompareOp) -> PyResult {
    let (Value::Cell(a), [Value::Cell(b)]) = args.method::<1>("cell.__eq__")? else {
        return Ok(Value::NotImplemented);
    };
    let (a, b) = (a.value.borrow().clone(), b.value.borrow().clone());
    match (a, b) {
        (Some(a), Some(b)) => crate::ops::compare(vm, op, &a, &b),
        (a, b) => {
            let full = |v: Option<Value>| Value::Int(i64::from(v.is_some()));
            crate::ops::compare(vm, op, &full(a), &full(b))
        }
    }
}

fn cell_contents(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.pos {
        [Value::Cell(cell)] => match &*cell.value.borrow() {
            Some(value) => Ok(value.clone()),
            None => Err(Raised::value_error("Cell is empty")),
        },
        [Value::Cell(cell), new] => {
            let old = cell.value.replace(Some(new.clone()));
            drop(old);
            Ok(Value::None)
        }
        _ => Err(Raised::type_error("cell_contents needs a cell")),
    }
}

/// For each instruction its first and last line and its columns.
fn co_positions(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let rows = code(args, "code.co_positions")?.code.spans.iter().map(|s| {
        let row = [s.line, s.end_line, s.col, s.end_col];
        Value::tuple(row.map(|n| Value::Int(i64::from(n))).to_vec())
    });
    crate::ops::iter(vm, &Value::list(rows.collect()))
}

/// The instructions of one line after the other: where they begin and end, two bytes each as in CPython, and the line.
fn co_lines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let spans = &code(args, "code.co_lines")?.code.spans;
    let mut rows = Vec::new();
    let mut start = 0;
    for run in spans.chunk_by(|a, b| a.line == b.line) {
        let end = start + run.len();
        let line = run.first().map_or(0, |span| span.line);
        rows.push(Value::tuple(vec![
            Value::from(2 * start),
            Value::from(2 * end),
            Value::Int(i64::from(line)),
        ]));
        start = end;
    }
    crate::ops::iter(vm, &Value::list(rows))
}

fn code<'a>(args: Args<'a>, attribute: &'static str) -> PyResult<&'a PyRef<crate::CodeObject>> {
    match args.exactly::<1>(attribute)? {
        [Value::Code(code)] => Ok(code),
        [other] => Err(wrong_self(attribute, "code", other)),
    }
}

fn strings(names: &[Rc<str>]) -> Value {
    Value::tuple(names.iter().map(|n| Value::from(&**n)).collect::<Vec<_>>())
}

macro_rules! code_attributes {
    ($($name:ident |$code:ident| $value:expr;)*) => {
        $(
            fn $name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
                let $code = code(args, stringify!($name))?;
                Ok($value)
            }
        )*
    };
}

code_attributes! {
    co_name |c| Value::from(&*c.code.name);
    co_qualname |c| Value::from(&*c.code.qualname);
    co_filename |c| Value::from(&*c.code.filename);
    co_firstlineno |c| Value::Int(i64::from(c.code.first_line));
    co_argcount |c| Value::Int(i64::from(c.code.argcount));
    co_kwonlyargcount |c| Value::Int(i64::from(c.code.kwonly_argcount));
    co_posonlyargcount |c| Value::Int(i64::from(c.code.posonly_argcount));
    co_nlocals |c| Value::from(c.code.visible_locals().count());
    co_varnames |c| {
        let names = c.code.visible_locals();
        Value::tuple(names.map(|(_, name)| Value::from(&**name)).collect::<Vec<_>>())
    };
    co_names |c| strings(&c.code.names);
    co_consts |c| Value::tuple(c.consts.to_vec());
    co_freevars |c| strings(&c.code.freevars);
    co_cellvars |c| strings(&c.code.cellvars);
    co_flags |c| {
        let f = c.code.flags;
        let bit = |on: bool, bit: i64| if on { bit } else { 0 };
        Value::Int(
            bit(f.optimized, 0x3)
                | bit(f.varargs, 0x4)
                | bit(f.varkw, 0x8)
                | bit(f.nested, 0x10)
                | bit(f.generator && !f.coroutine, 0x20)
                | bit(f.coroutine && !f.generator, 0x80)
                | bit(f.coroutine && f.generator, 0x200)
                | bit(f.iterable_coroutine, super::code_object::ITERABLE_COROUTINE),
        )
    };
}
