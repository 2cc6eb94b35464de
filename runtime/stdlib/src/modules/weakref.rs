//! `_weakref`: references that do not keep their object alive.
//!
//! In: instances, classes, functions, modules and sets. Out: `ref` objects. Always: a reference
//! answers None once the last strong reference is gone; callbacks are not called by the runtime,
//! which does not see objects die.

use std::rc::Weak;

use janus_interp::Interp;
use janus_object::{
    Args, Class, Generator, Instance, NativeDef, NativeFunction, Payload, PyFunction, PyMethod,
    PyModule, PyRef, PyResult, PySet, Raised, Value, Vm, ops,
};

use crate::support::{foreign_class, module, type_name};

/// What a reference points to.
enum Target {
    Instance(Weak<Instance>),
    Class(Weak<Class>),
    Function(Weak<PyFunction>),
    Native(Weak<NativeFunction>),
    Method(Weak<PyMethod>),
    Module(Weak<PyModule>),
    Set(Weak<PySet>),
    Generator(Weak<Generator>),
}

impl Target {
    fn new(value: &Value) -> Option<Target> {
        Some(match value {
            Value::Instance(p) => Target::Instance(PyRef::downgrade(p)),
            Value::Class(p) => Target::Class(PyRef::downgrade(p)),
            Value::Function(p) => Target::Function(PyRef::downgrade(p)),
            Value::Native(p) => Target::Native(PyRef::downgrade(p)),
            Value::Method(p) => Target::Method(PyRef::downgrade(p)),
            Value::Module(p) => Target::Module(PyRef::downgrade(p)),
            Value::Set(p) => Target::Set(PyRef::downgrade(p)),
            Value::Generator(p) => Target::Generator(PyRef::downgrade(p)),
            _ => return None,
        })
    }

    fn get(&self) -> Option<Value> {
        match self {
            Target::Instance(p) => p.upgrade().map(Value::Instance),
            Target::Class(p) => p.upgrade().map(Value::Class),
            Target::Function(p) => p.upgrade().map(Value::Function),
            Target::Native(p) => p.upgrade().map(Value::Native),
            Target::Method(p) => p.upgrade().map(Value::Method),
            Target::Module(p) => p.upgrade().map(Value::Module),
            Target::Set(p) => p.upgrade().map(Value::Set),
            Target::Generator(p) => p.upgrade().map(Value::Generator),
        }
    }
}

struct Reference {
    target: Target,
    callback: Value,
    id: i64,
    class: String,
}

const METHODS: &[NativeDef] = &[
    NativeDef::function("ref.__new__", new),
    NativeDef::method("ref.__init__", |_, _| Ok(Value::None)),
    NativeDef::method("ref.__call__", |_, args| {
        Ok(this(&args, 0)?.target.get().unwrap_or(Value::None))
    }),
    NativeDef::method("ref.__eq__", equal),
    NativeDef::method("ref.__hash__", hash),
    NativeDef::method("ref.__repr__", repr),
    NativeDef::getter("ref.__callback__", |_, args| {
        Ok(this(&args, 0)?.callback.clone())
    }),
    NativeDef::class_method("ref.__class_getitem__", |_, args| {
        args.pos
            .first()
            .cloned()
            .ok_or_else(|| Raised::type_error("a class is required"))
    }),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_weakref", "", &[]);
    m.set(
        "ref",
        Value::Class(foreign_class("ReferenceType", "weakref", METHODS)),
    );
    Ok(Value::Module(m))
}

fn this<'a>(args: &Args<'a>, at: usize) -> PyResult<&'a Reference> {
    args.pos
        .get(at)
        .and_then(Value::foreign::<Reference>)
        .ok_or_else(|| Raised::type_error("a weak reference is required"))
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class, value, rest @ ..] = args.pos else {
        return Err(Raised::type_error(
            "__new__ expected at least 1 argument, got 0",
        ));
    };
    let Some(class) = class.as_class() else {
        return Err(Raised::type_error("ref.__new__(X): X is not a type object"));
    };
    let Some(target) = Target::new(value) else {
        return Err(Raised::type_error(format!(
            "cannot create weak reference to '{}' object",
            type_name(value)
        )));
    };
    let reference = Reference {
        target,
        callback: rest.first().cloned().unwrap_or(Value::None),
        id: crate::builtins::identity(value),
        class: type_name(value),
    };
    Ok(Value::instance(
        class,
        Payload::Foreign(Box::new(reference)),
    ))
}

fn equal(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Ok(other) = this(&args, 1) else {
        return Ok(Value::NotImplemented);
    };
    match (this(&args, 0)?.target.get(), other.target.get()) {
        (Some(a), Some(b)) => Ok(Value::Bool(ops::eq(vm, &a, &b)?)),
        _ => Ok(Value::Bool(ops::is(&args.pos[0], &args.pos[1]))),
    }
}

fn hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match this(&args, 0)?.target.get() {
        Some(value) => Ok(Value::Int(ops::hash(vm, &value)?)),
        None => Err(Raised::type_error("weak object has gone away")),
    }
}

fn repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let reference = this(&args, 0)?;
    let at = crate::builtins::identity(&args.pos[0]);
    Ok(Value::str(match reference.target.get() {
        Some(_) => format!(
            "<weakref at {at:#x}; to '{}' at {:#x}>",
            reference.class, reference.id
        ),
        None => format!("<weakref at {at:#x}; dead>"),
    }))
}
