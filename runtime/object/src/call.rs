//! Calls of everything but Python functions.
//!
//! In: a callable and arguments. Out: the result. Always: Python functions are handed to
//! [`Vm::call`]; classes are instantiated as `type.__call__` does.

use smallvec::SmallVec;

use crate::ops::special;
use crate::types::instance_of;
use crate::{
    Args, Binding, Class, Name, Payload, PyRef, PyResult, Raised, Value, Vm, attr, class_of, name,
    types,
};

/// Calls natives, bound methods, classes and instances. [`Vm::call`] handles Python functions
/// itself and hands everything else to this function.
pub fn call(vm: &mut dyn Vm, callable: &Value, args: Args<'_>) -> PyResult {
    match callable {
        Value::Native(n) if !matches!(n.binding, Binding::Getter | Binding::GetSet) => {
            n.call(vm, args)
        }
        Value::Method(m) => with_first(vm, &m.function, &m.receiver, args),
        Value::Class(class) => instantiate(vm, class, args),
        Value::Function(_) => vm.call(callable, args),
        Value::Instance(i) => {
            // The class of a script's may have a call of its own.
            if let Payload::StaticMethod(f) = &i.payload
                && !i.class().flags.get().mutable
            {
                return vm.call(f, args);
            }
            match special(callable, name!("__call__")) {
                Some(method) => call_unbound(vm, &method, callable, args),
                None => Err(not_callable(callable)),
            }
        }
        _ => Err(not_callable(callable)),
    }
}

#[cold]
fn not_callable(v: &Value) -> Raised {
    Raised::type_error(format!("'{}' object is not callable", v.type_name()))
}

/// `callable(first, *args)`
fn with_first(vm: &mut dyn Vm, callable: &Value, first: &Value, args: Args<'_>) -> PyResult {
    let mut pos = SmallVec::<[Value; 8]>::with_capacity(args.pos.len() + 1);
    pos.push(first.clone());
    pos.extend(args.pos.iter().cloned());
    let args = Args {
        pos: &pos,
        kw: args.kw,
    };
    match callable {
        Value::Native(n) => n.call(vm, args),
        _ => vm.call(callable, args),
    }
}

/// Calls a special method found in the class of `receiver`.
fn call_unbound(vm: &mut dyn Vm, method: &Value, receiver: &Value, args: Args<'_>) -> PyResult {
    let direct = match method {
        Value::Function(_) => true,
        Value::Native(n) => n.binding == Binding::Method,
        _ => false,
    };
    if direct {
        return with_first(vm, method, receiver, args);
    }
    let owner = Value::Class(class_of(receiver));
    enter_call(vm)?;
    let result = attr::descriptor_get(vm, method, Some(receiver), &owner)
        .and_then(|bound| vm.call(&bound, args));
    vm.leave();
    result
}

/// Counts a call that no Python frame counts: an object whose `__call__` is an object, and so on.
pub(crate) fn enter_call(vm: &mut dyn Vm) -> PyResult<()> {
    vm.enter().map_err(|_| {
        Raised::recursion_error("maximum recursion depth exceeded while calling a Python object")
    })
}

/// `class(*args)`: metaclass `__call__`, `__new__`, `__init__`.
pub fn instantiate(vm: &mut dyn Vm, class: &PyRef<Class>, args: Args<'_>) -> PyResult {
    if let Some(construct) = class.construct.get() {
        return construct(vm, args);
    }
    if let Some(meta) = class.own_metaclass()
        && let Some(hook) = meta.lookup(name!("__call__"))
        && !is_native(&hook, "type.__call__")
    {
        return call_unbound(vm, &hook, &Value::Class(class.clone()), args);
    }
    type_call(vm, class, args)
}

fn is_native(v: &Value, qualname: &str) -> bool {
    matches!(v, Value::Native(n) if n.qualname == qualname)
}

/// `type.__call__(class, *args)`
pub(crate) fn type_call(vm: &mut dyn Vm, class: &PyRef<Class>, args: Args<'_>) -> PyResult {
    if PyRef::ptr_eq(class, &types().type_) && args.pos.len() == 1 && args.kw.is_empty() {
        return Ok(Value::Class(class_of(&args.pos[0])));
    }
    let constructor = class.lookup(name!("__new__"));
    let object = match &constructor {
        None => return Err(cannot_create(class)),
        Some(new) if is_native(new, "object.__new__") => {
            let init = class.lookup(name!("__init__"));
            let object = crate::builtin::object::new_object(class)?;
            return match init {
                Some(init) if !is_native(&init, "object.__init__") => {
                    run_init(vm, &init, &object, args)?;
                    Ok(object)
                }
                _ if !args.is_empty() => Err(Raised::type_error(format!(
                    "{}() takes no arguments",
                    class.name.borrow()
                ))),
                _ => Ok(object),
            };
        }
        // `__init__` would set once more what `__new__` set.
        Some(new)
            if args.kw.is_empty()
                && is_native(new, "BaseException.__new__")
                && class
                    .lookup(name!("__init__"))
                    .is_some_and(|init| is_native(&init, "BaseException.__init__")) =>
        {
            return Ok(Raised::of_class(class, args.pos.to_vec()).to_value());
        }
        Some(new @ Value::Native(_)) => with_first(vm, new, &Value::Class(class.clone()), args)?,
        Some(new) => {
            let owner = Value::Class(class.clone());
            let bound = attr::descriptor_get(vm, new, None, &owner)?;
            with_first(vm, &bound, &owner, args)?
        }
    };
    if !instance_of(&object, class) {
        return Ok(object);
    }
    if let Some(init) = class_of(&object).lookup(name!("__init__"))
        && !is_native(&init, "object.__init__")
    {
        run_init(vm, &init, &object, args)?;
    }
    Ok(object)
}

fn run_init(vm: &mut dyn Vm, init: &Value, object: &Value, args: Args<'_>) -> PyResult<()> {
    match call_unbound(vm, init, object, args)? {
        Value::None => Ok(()),
        other => Err(Raised::type_error(format!(
            "__init__() should return None, not '{}'",
            other.type_name()
        ))),
    }
}

pub(crate) fn cannot_create(class: &Class) -> Raised {
    Raised::type_error(format!("cannot create '{}' instances", class.name.borrow()))
}

/// Whether a value can be called.
pub fn is_callable(value: &Value) -> bool {
    match value {
        Value::Function(_) | Value::Method(_) | Value::Class(_) => true,
        Value::Native(n) => !matches!(n.binding, Binding::Getter | Binding::GetSet),
        Value::Instance(i) => {
            matches!(i.payload, Payload::StaticMethod(_))
                || special(value, name!("__call__")).is_some()
        }
        _ => false,
    }
}

/// Calls a method of the object by name, through [`attr::load_method`].
pub fn call_method(vm: &mut dyn Vm, object: &Value, name: &Name, args: Args<'_>) -> PyResult {
    let (callable, receiver) = attr::load_method(vm, object, name)?;
    match receiver {
        Some(receiver) => with_first(vm, &callable, &receiver, args),
        None => vm.call(&callable, args),
    }
}
