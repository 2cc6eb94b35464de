//! `_weakref_native`: references that do not keep their object alive.
//!
//! In: objects that CPython can refer to weakly. Out: `ref` objects. Always: a reference answers None once the last strong
//! one is gone; its callback is then called by the interpreter, before the next instruction.

use std::cell::{Cell, RefCell};

use janus_interp::Interp;
use janus_object::heap::{Tracer, WeakValue, weak_references};
use janus_object::{
    Args, BaseKind, Class, Foreign, NativeDef, Payload, PyRef, PyResult, Raised, Value, Vm, ops,
};

use crate::support::{foreign_class, module, type_name};

struct Reference {
    target: WeakValue,
    callback: RefCell<Value>,
    /// That of the object, once it was asked for.
    hash: Cell<Option<i64>>,
    id: i64,
    class: String,
}

impl Foreign for Reference {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Ok(callback) = self.callback.try_borrow() {
            tracer.value(&callback);
        }
    }

    fn clear(&self) {
        drop(self.callback.replace(Value::None));
    }
}

const METHODS: &[NativeDef] = &[
    NativeDef::function("ref.__new__", new),
    NativeDef::method("ref.__init__", |_, _| Ok(Value::None)),
    NativeDef::method("ref.__call__", |_, args| {
        Ok(this(&args, 0)?.target.upgrade().unwrap_or(Value::None))
    }),
    NativeDef::method("ref.__eq__", |vm, args| equal(vm, args, true)),
    NativeDef::method("ref.__ne__", |vm, args| equal(vm, args, false)),
    NativeDef::method("ref.__hash__", hash),
    NativeDef::method("ref.__repr__", repr),
    NativeDef::getter("ref.__callback__", |_, args| {
        // It is called once: whoever asks a dead reference for it, as the interpreter does to call it, takes it.
        let reference = this(&args, 0)?;
        Ok(match reference.target.upgrade() {
            Some(_) => reference.callback.borrow().clone(),
            None => reference.callback.replace(Value::None),
        })
    }),
    NativeDef::class_method("ref.__class_getitem__", janus_object::class_getitem),
];

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_weakref.getweakrefs", |_, args| {
        let [value] = args.exactly("getweakrefs")?;
        Ok(Value::list(weak_references(value)))
    }),
    NativeDef::function("_weakref.getweakrefcount", |_, args| {
        let [value] = args.exactly("getweakrefcount")?;
        Ok(Value::Int(weak_references(value).len() as i64))
    }),
];

janus_gil::gil_local! {
    static CLASS: PyRef<Class> = foreign_class("ReferenceType", "weakref", METHODS);
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_weakref_native", "", FUNCTIONS);
    m.set("ref", Value::Class(CLASS.with(PyRef::clone)));
    Ok(Value::Module(m))
}

fn this<'a>(args: &Args<'a>, at: usize) -> PyResult<&'a Reference> {
    args.pos
        .get(at)
        .and_then(Value::foreign::<Reference>)
        .ok_or_else(|| Raised::type_error("a weak reference is required"))
}

/// Whether CPython has a place for weak references in such an object.
fn has_weak_references(value: &Value) -> bool {
    match value {
        Value::Class(_)
        | Value::Function(_)
        | Value::Native(_)
        | Value::Method(_)
        | Value::Module(_)
        | Value::Set(_)
        | Value::Generator(_)
        | Value::Code(_) => true,
        Value::Instance(instance) => {
            let class = instance.class();
            let flags = class.flags.get();
            match class.kind.get() {
                BaseKind::Tuple => false,
                BaseKind::Wrapped => matches!(
                    &instance.payload,
                    Payload::Wrapped(Value::Str(_) | Value::Float(_))
                ),
                _ if !flags.mutable => matches!(instance.payload, Payload::Foreign(_)),
                _ => !flags.slotted || class.has_slot(janus_object::name!("__weakref__")),
            }
        }
        _ => false,
    }
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
    let target = WeakValue::new(value).filter(|_| has_weak_references(value));
    let Some(target) = target else {
        return Err(Raised::type_error(format!(
            "cannot create weak reference to '{}' object",
            type_name(value)
        )));
    };
    let callback = rest.first().cloned().unwrap_or(Value::None);
    let is_plain = CLASS.with(|plain| PyRef::ptr_eq(plain, class));
    if is_plain && callback.is_none() {
        let known = weak_references(value).into_iter().find(|known| {
            matches!(known, Value::Instance(i) if PyRef::ptr_eq(&i.class(), class))
                && known
                    .foreign::<Reference>()
                    .is_some_and(|known| known.callback.borrow().is_none())
        });
        if let Some(known) = known {
            return Ok(known);
        }
    }
    let reference = Reference {
        target,
        callback: RefCell::new(callback),
        hash: Cell::new(None),
        id: crate::builtins::identity(value),
        class: type_name(value),
    };
    let made = Value::instance(class, Payload::Foreign(Box::new(reference)));
    if let (Value::Instance(holder), Some(reference)) = (&made, made.foreign::<Reference>()) {
        reference.target.watch(holder);
    }
    Ok(made)
}

fn equal(vm: &mut dyn Vm, args: Args<'_>, wanted: bool) -> PyResult {
    let Ok(other) = this(&args, 1) else {
        return Ok(Value::NotImplemented);
    };
    let equal = match (this(&args, 0)?.target.upgrade(), other.target.upgrade()) {
        (Some(a), Some(b)) => ops::eq(vm, &a, &b)?,
        _ => ops::is(&args.pos[0], &args.pos[1]),
    };
    Ok(Value::bool(equal == wanted))
}

fn hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let reference = this(&args, 0)?;
    if let Some(known) = reference.hash.get() {
        return Ok(Value::Int(known));
    }
    match reference.target.upgrade() {
        Some(value) => {
            let hash = ops::hash(vm, &value)?;
            reference.hash.set(Some(hash));
            Ok(Value::Int(hash))
        }
        None => Err(Raised::type_error("weak object has gone away")),
    }
}

fn repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let reference = this(&args, 0)?;
    let at = crate::builtins::identity(&args.pos[0]);
    Ok(Value::str(match reference.target.upgrade() {
        Some(_) => format!(
            "<weakref at {at:#x}; to '{}' at {:#x}>",
            reference.class, reference.id
        ),
        None => format!("<weakref at {at:#x}; dead>"),
    }))
}
