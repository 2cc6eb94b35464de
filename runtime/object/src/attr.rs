//! Attribute lookup.
//!
//! In: an object and a name. Out: the attribute as CPython's `getattr` finds it. Always: data
//! descriptors of the class win over the instance dict, which wins over the rest of the class;
//! a missing attribute costs no exception unless the caller wants one.

use crate::builtin::deletion::{self, Deletion};
use crate::ops::{call_special, special};
use crate::{
    Args, BaseKind, Binding, Class, ExcKind, Instance, Name, Payload, Property, PyMethod, PyModule,
    PyRef, PyResult, Raised, SuperData, Value, Vm, class_of, name, types,
};

/// `object.name`
#[inline]
pub fn get(vm: &mut dyn Vm, object: &Value, name: &Name) -> PyResult {
    match lookup(vm, object, name)? {
        Some(value) => Ok(value),
        None => Err(missing(object, name)),
    }
}

#[cold]
pub(crate) fn missing(object: &Value, name: &Name) -> Raised {
    Raised::no_attribute(object, name)
}

/// `object.name`, `None` when that raises AttributeError.
pub fn get_opt(vm: &mut dyn Vm, object: &Value, name: &Name) -> PyResult<Option<Value>> {
    match lookup(vm, object, name) {
        Err(raised) if raised.is(ExcKind::AttributeError) => Ok(None),
        other => other,
    }
}

/// The attribute, hooks included. `None` if there is none; an AttributeError raised by Python
/// code is an error.
fn lookup(vm: &mut dyn Vm, object: &Value, name: &Name) -> PyResult<Option<Value>> {
    match object {
        Value::Instance(i) => {
            let class = i.class();
            let flags = class.flags.get();
            if flags.custom_getattribute || flags.custom_getattr {
                return lookup_hooked(vm, object, &class, name, |vm| {
                    instance_lookup(vm, object, i, &class, name)
                });
            }
            instance_lookup(vm, object, i, &class, name)
        }
        Value::Class(c) => match c.own_metaclass() {
            Some(meta)
                if meta.flags.get().custom_getattribute || meta.flags.get().custom_getattr =>
            {
                lookup_hooked(vm, object, &meta, name, |vm| class_get(vm, c, name))
            }
            _ => class_get(vm, c, name),
        },
        Value::Module(m) => module_lookup(vm, object, m, name),
        other => value_lookup(vm, other, name),
    }
}

/// Lookup for a class with `__getattribute__` or `__getattr__`.
fn lookup_hooked(
    vm: &mut dyn Vm,
    object: &Value,
    class: &PyRef<Class>,
    name: &Name,
    generic: impl FnOnce(&mut dyn Vm) -> PyResult<Option<Value>>,
) -> PyResult<Option<Value>> {
    let hook = if class.flags.get().custom_getattribute {
        class.lookup(name!("__getattribute__"))
    } else {
        None
    };
    let found = match hook {
        Some(hook) => call_special(vm, &hook, object, &[name.to_value()]).map(Some),
        None => generic(vm),
    };
    match found {
        Ok(Some(value)) => return Ok(Some(value)),
        Ok(None) => {}
        Err(raised) if !raised.is(ExcKind::AttributeError) => return Err(raised),
        Err(raised) => {
            if class.lookup(name!("__getattr__")).is_none() {
                return Err(raised);
            }
        }
    }
    match class.lookup(name!("__getattr__")) {
        Some(fallback) => call_special(vm, &fallback, object, &[name.to_value()]).map(Some),
        None => Ok(None),
    }
}

/// Lookup on an instance without hooks.
fn instance_lookup(
    vm: &mut dyn Vm,
    object: &Value,
    instance: &PyRef<Instance>,
    class: &PyRef<Class>,
    name: &Name,
) -> PyResult<Option<Value>> {
    if let Payload::Super(data) = &instance.payload
        && let Some(found) = super_lookup(vm, data, name)?
    {
        return Ok(Some(found));
    }
    let found = class.lookup(name);
    if let Some(descriptor) = &found
        && comes_first(descriptor)
    {
        let owner = Value::Class(class.clone());
        return descriptor_get(vm, descriptor, Some(object), &owner).map(Some);
    }
    if let Some(dict) = instance.dict.get()
        && let Some(value) = dict.get_name(name)
    {
        return Ok(Some(value));
    }
    match found {
        Some(Value::Function(f)) => Ok(Some(Value::Method(PyRef::new(PyMethod {
            function: Value::Function(f),
            receiver: object.clone(),
        })))),
        Some(found) if is_module_of_builtin(class, &found, name) => Ok(None),
        Some(descriptor) => {
            let owner = Value::Class(class.clone());
            descriptor_get(vm, &descriptor, Some(object), &owner).map(Some)
        }
        None if name == name!("__weakref__") => {
            let Some(slot) = crate::builtin::member::of_slot(class, name) else {
                return Ok(None);
            };
            let owner = Value::Class(class.clone());
            descriptor_get(vm, &slot, Some(object), &owner).map(Some)
        }
        None => Ok(None),
    }
}

/// Whether this is the `__module__` of a class of `builtins`: the class shows it, its instances do not have it.
#[inline]
fn is_module_of_builtin(class: &Class, found: &Value, name: &Name) -> bool {
    matches!(found, Value::Str(module) if module.as_str() == "builtins")
        && name == name!("__module__")
        && !class.flags.get().mutable
}

fn super_lookup(vm: &mut dyn Vm, data: &SuperData, name: &Name) -> PyResult<Option<Value>> {
    if name == name!("__class__") {
        return Ok(None);
    }
    let Some(found) = data.object_class.lookup_after(&data.start, name) else {
        return Ok(None);
    };
    let owner = Value::Class(data.object_class.clone());
    // For a class method the object is the class that is searched: nothing to bind to.
    let object = data.object.as_ref().filter(
        |object| !matches!(object, Value::Class(c) if PyRef::ptr_eq(c, &data.object_class)),
    );
    descriptor_get(vm, &found, object, &owner).map(Some)
}

/// Lookup on a class without the metaclass's hooks.
pub fn class_get(vm: &mut dyn Vm, class: &PyRef<Class>, name: &Name) -> PyResult<Option<Value>> {
    let own = class.own_metaclass();
    let meta = own.as_ref().unwrap_or(&types().type_);
    let from_meta = meta.lookup(name);
    if let Some(descriptor) = &from_meta
        && comes_first(descriptor)
    {
        let owner = Value::Class(meta.clone());
        return descriptor_get(vm, descriptor, Some(&Value::Class(class.clone())), &owner)
            .map(Some);
    }
    if let Some(found) = class.lookup(name) {
        return match found {
            Value::Function(_) => Ok(Some(found)),
            // The text of an instance is in the place where that of the class would be.
            Value::Native(n)
                if matches!(n.binding, Binding::Getter | Binding::GetSet)
                    && n.name == "__doc__" =>
            {
                Ok(Some(Value::from(format!(
                    "The built-in class {}.",
                    class.full_name()
                ))))
            }
            // What a built-in class has for its instances; its own module is not in its dict.
            Value::Native(n)
                if matches!(n.binding, Binding::Getter | Binding::GetSet)
                    && n.name == "__module__" =>
            {
                Ok(Some(Value::from("builtins")))
            }
            _ => descriptor_get(vm, &found, None, &Value::Class(class.clone())).map(Some),
        };
    }
    match from_meta {
        Some(found) => {
            let owner = Value::Class(meta.clone());
            descriptor_get(vm, &found, Some(&Value::Class(class.clone())), &owner).map(Some)
        }
        None => Ok(crate::builtin::member::of_slot(class, name)),
    }
}

fn module_lookup(
    vm: &mut dyn Vm,
    object: &Value,
    module: &PyModule,
    name: &Name,
) -> PyResult<Option<Value>> {
    let class = module.class.borrow().clone();
    if let Some(class) = class {
        return lookup_hooked(vm, object, &class, name, |vm| {
            plain_module_lookup(vm, object, module, name)
        });
    }
    plain_module_lookup(vm, object, module, name)
}

/// Lookup on a module, but for the hooks of a class of its own.
fn plain_module_lookup(
    vm: &mut dyn Vm,
    object: &Value,
    module: &PyModule,
    name: &Name,
) -> PyResult<Option<Value>> {
    let class = module.class.borrow().clone();
    if let Some(class) = class
        && let Some(descriptor) = class.lookup(name)
        && comes_first(&descriptor)
    {
        let owner = Value::Class(class);
        return descriptor_get(vm, &descriptor, Some(object), &owner).map(Some);
    }
    if let Some(value) = module.dict.get_name(name) {
        return Ok(Some(value));
    }
    if let Some(value) = value_lookup(vm, object, name)? {
        return Ok(Some(value));
    }
    match module.dict.get_name(name!("__getattr__")) {
        Some(hook) => vm.call(&hook, Args::new(&[name.to_value()])).map(Some),
        None => Ok(None),
    }
}

/// Lookup on a value of a built-in class.
fn value_lookup(vm: &mut dyn Vm, object: &Value, name: &Name) -> PyResult<Option<Value>> {
    let class = class_of(object);
    let found = class.lookup(name);
    if let Value::Function(f) = object
        && !found.as_ref().is_some_and(comes_first)
        && let Some(value) = f.dict.get().and_then(|d| d.get_name(name))
    {
        return Ok(Some(value));
    }
    match found.filter(|found| !is_module_of_builtin(&class, found, name)) {
        Some(found) => descriptor_get(vm, &found, Some(object), &Value::Class(class)).map(Some),
        // A bound method shows its function's attributes.
        None => match object {
            Value::Method(m) => lookup(vm, &m.function, name),
            _ => Ok(None),
        },
    }
}

/// Whether a class attribute takes part in assignment, and so wins over the instance dict.
#[inline]
pub fn is_data_descriptor(v: &Value) -> bool {
    match v {
        Value::Native(n) => matches!(n.binding, Binding::Getter | Binding::GetSet),
        Value::Instance(i) => match &i.payload {
            Payload::Property(_) => true,
            Payload::ClassMethod(_) | Payload::StaticMethod(_) if i.is_plain_descriptor() => false,
            _ => {
                let class = i.class.borrow();
                class.lookup(name!("__set__")).is_some()
                    || class.lookup(name!("__delete__")).is_some()
            }
        },
        _ => false,
    }
}

/// Whether a class attribute is read before what is in the instance's dict: one with `__set__` that has no `__get__` is not.
fn comes_first(v: &Value) -> bool {
    is_data_descriptor(v)
        && match v {
            Value::Instance(i) => {
                matches!(i.payload, Payload::Property(_))
                    || i.class.borrow().lookup(name!("__get__")).is_some()
            }
            _ => true,
        }
}

/// `descriptor.__get__(object, owner)`; a value that is no descriptor is returned as it is.
pub fn descriptor_get(
    vm: &mut dyn Vm,
    descriptor: &Value,
    object: Option<&Value>,
    owner: &Value,
) -> PyResult {
    let bind = |receiver: &Value, function: &Value| {
        Value::Method(PyRef::new(PyMethod {
            function: function.clone(),
            receiver: receiver.clone(),
        }))
    };
    match descriptor {
        Value::Function(_) => Ok(match object {
            Some(object) => bind(object, descriptor),
            None => descriptor.clone(),
        }),
        Value::Native(n) => match (n.binding, object) {
            (Binding::Method, Some(object)) => Ok(bind(object, descriptor)),
            (Binding::ClassMethod, _) => Ok(bind(owner, descriptor)),
            (Binding::Getter | Binding::GetSet, Some(object)) => {
                n.call(vm, Args::new(std::slice::from_ref(object)))
            }
            _ => Ok(descriptor.clone()),
        },
        Value::Instance(i) => match &i.payload {
            Payload::Property(p) if i.is_plain_descriptor() => match object {
                Some(object) => property_get(vm, p, object),
                None => Ok(descriptor.clone()),
            },
            Payload::ClassMethod(f) if i.is_plain_descriptor() => Ok(bind(owner, f)),
            Payload::StaticMethod(f) if i.is_plain_descriptor() => Ok(f.clone()),
            _ => {
                let method = i.class.borrow().lookup(name!("__get__"));
                match method {
                    Some(method) => {
                        let object = object.cloned().unwrap_or(Value::None);
                        call_special(vm, &method, descriptor, &[object, owner.clone()])
                    }
                    None => Ok(descriptor.clone()),
                }
            }
        },
        _ => Ok(descriptor.clone()),
    }
}

fn property_error(p: &Property, object: &Value, lacks: Accessor) -> Raised {
    let what = match lacks {
        Accessor::Getter => "getter",
        Accessor::Setter => "setter",
        Accessor::Deleter => "deleter",
    };
    let class = crate::class_of(object).qualname.borrow().to_string();
    let message = match &*p.name.borrow() {
        Some(name) => format!("property '{name}' of '{class}' object has no {what}"),
        None => format!("property of '{class}' object has no {what}"),
    };
    match &*p.name.borrow() {
        // Only loads say what they were of.
        Some(name) if lacks == Accessor::Getter => Raised::attribute_error(message, object, name),
        _ => Raised::new(ExcKind::AttributeError, message),
    }
}

/// One of the functions of a property.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accessor {
    Getter,
    Setter,
    Deleter,
}

/// `property.__get__` on an object.
pub(crate) fn property_get(vm: &mut dyn Vm, p: &Property, object: &Value) -> PyResult {
    if p.get().is_none() {
        return Err(property_error(p, object, Accessor::Getter));
    }
    vm.call(p.get(), Args::new(std::slice::from_ref(object)))
}

/// `property.__set__` on an object; no value is a deletion.
pub(crate) fn property_set(
    vm: &mut dyn Vm,
    p: &Property,
    object: &Value,
    value: Option<Value>,
) -> PyResult<()> {
    match value {
        Some(value) if !p.set().is_none() => vm
            .call(p.set(), Args::new(&[object.clone(), value]))
            .map(drop),
        Some(_) => Err(property_error(p, object, Accessor::Setter)),
        None if !p.del().is_none() => vm
            .call(p.del(), Args::new(std::slice::from_ref(object)))
            .map(drop),
        None => Err(property_error(p, object, Accessor::Deleter)),
    }
}

/// Whether a value of a class is a function that is called with the instance first.
#[inline]
#[must_use]
pub fn is_method(value: &Value) -> bool {
    match value {
        Value::Function(_) => true,
        Value::Native(native) => native.binding == Binding::Method,
        _ => false,
    }
}

/// For `object.name(...)`: the callable, and the receiver to pass first if it is a method.
#[inline]
pub fn load_method(
    vm: &mut dyn Vm,
    object: &Value,
    name: &Name,
) -> PyResult<(Value, Option<Value>)> {
    match object {
        Value::Instance(i) => {
            if let Payload::Super(data) = &i.payload {
                if let Some(receiver) = &data.object
                    && !matches!(receiver, Value::Class(_))
                    && let Some(found) = data.object_class.lookup_after(&data.start, name)
                    && is_method(&found)
                {
                    return Ok((found, Some(receiver.clone())));
                }
                // What it has of its own comes last.
                return Ok((get(vm, object, name)?, None));
            }
            let class = i.class.borrow();
            if !class.flags.get().custom_getattribute
                && let Some(found) = class.lookup(name)
                && is_method(&found)
                && i.dict.get().is_none_or(|d| d.index_of_name(name).is_none())
            {
                return Ok((found, Some(object.clone())));
            }
        }
        Value::Class(_) | Value::Module(_) | Value::Function(_) | Value::Method(_) => {}
        other => {
            if let Some(found) = class_of(other).lookup(name)
                && is_method(&found)
            {
                return Ok((found, Some(object.clone())));
            }
        }
    }
    Ok((get(vm, object, name)?, None))
}

/// Looks a name up in the MRO of a class.
#[inline]
pub fn class_lookup(class: &Class, name: &Name) -> Option<Value> {
    class.lookup(name)
}

/// As [`get`] without the class's `__getattribute__` and `__getattr__`: what
/// `object.__getattribute__` does.
pub fn generic_get(vm: &mut dyn Vm, object: &Value, name: &Name) -> PyResult {
    let found = match object {
        Value::Instance(i) => {
            let class = i.class();
            instance_lookup(vm, object, i, &class, name)?
        }
        Value::Class(c) => class_get(vm, c, name)?,
        Value::Module(m) => plain_module_lookup(vm, object, m, name)?,
        other => value_lookup(vm, other, name)?,
    };
    found.ok_or_else(|| missing(object, name))
}

/// `object.name = value`
#[inline]
pub fn set(vm: &mut dyn Vm, object: &Value, name: &Name, value: Value) -> PyResult<()> {
    let hooked = match object {
        Value::Instance(i) => i.class.borrow().flags.get().custom_setattr,
        Value::Class(c) => c
            .own_metaclass()
            .is_some_and(|m| m.flags.get().custom_setattr),
        Value::Module(m) => m.has_class(|class| class.flags.get().custom_setattr),
        _ => false,
    };
    if hooked && let Some(hook) = special(object, name!("__setattr__")) {
        return call_special(vm, &hook, object, &[name.to_value(), value]).map(drop);
    }
    generic_set(vm, object, name, value)
}

/// `del object.name`
pub fn del(vm: &mut dyn Vm, object: &Value, name: &Name) -> PyResult<()> {
    let hooked = match object {
        Value::Instance(i) => i.class.borrow().flags.get().custom_setattr,
        Value::Class(c) => c
            .own_metaclass()
            .is_some_and(|m| m.flags.get().custom_setattr),
        Value::Module(m) => m.has_class(|class| class.flags.get().custom_setattr),
        _ => false,
    };
    if hooked && let Some(hook) = special(object, name!("__delattr__")) {
        return call_special(vm, &hook, object, &[name.to_value()]).map(drop);
    }
    generic_del(vm, object, name)
}

/// As [`set`] without the class's `__setattr__`.
pub fn generic_set(vm: &mut dyn Vm, object: &Value, name: &Name, value: Value) -> PyResult<()> {
    store(vm, object, name, Some(value))
}

/// As [`del`] without the class's `__delattr__`.
pub fn generic_del(vm: &mut dyn Vm, object: &Value, name: &Name) -> PyResult<()> {
    store(vm, object, name, None)
}

/// Sets, or with no value deletes, an attribute.
fn store(vm: &mut dyn Vm, object: &Value, name: &Name, value: Option<Value>) -> PyResult<()> {
    let found = special(object, name);
    let value = match &found {
        Some(descriptor) => match descriptor_set(vm, descriptor, object, name, value)? {
            Stored::Done => return Ok(()),
            Stored::Not(value) => value,
        },
        None => value,
    };
    let dict = match object {
        Value::Instance(i) if has_dict(i, name) => i.dict(),
        Value::Class(c) => return store_in_class(c, name, value),
        Value::Module(m) => m.dict.clone(),
        Value::Function(f) => f
            .dict
            .get_or_init(|| PyRef::new(crate::PyDict::namespace()))
            .clone(),
        _ => {
            let class = object.type_name();
            let message = if found.is_some() {
                format!("'{class}' object attribute '{name}' is read-only")
            } else {
                format!("'{class}' object has no attribute '{name}'")
            };
            return Err(Raised::attribute_error(message, object, name));
        }
    };
    match value {
        Some(value) => dict.set_name(name, value),
        None => {
            if dict.remove_name(name).is_none() {
                return Err(match object {
                    Value::Instance(_) | Value::Module(_) | Value::Function(_) => {
                        missing(object, name)
                    }
                    _ => Raised::attribute_error(name.as_str(), object, name),
                });
            }
        }
    }
    Ok(())
}

/// Whether an instance can have an attribute of that name.
fn has_dict(instance: &Instance, name: &Name) -> bool {
    let class = instance.class.borrow();
    if class.flags.get().slotted {
        return class.has_slot(name);
    }
    class.flags.get().mutable
        || matches!(class.kind.get(), BaseKind::Exception | BaseKind::Foreign)
        || !(PyRef::ptr_eq(&class, &types().object)
            || matches!(
                instance.payload,
                Payload::Property(_) | Payload::Super(_) | Payload::DictView(_)
            ))
}

/// The instance whose `__dict__` is meant, if that is the descriptor.
fn own_dict<'a>(descriptor: &crate::NativeFunction, object: &'a Value) -> Option<&'a Instance> {
    match object {
        Value::Instance(i) if descriptor.qualname == "object.__dict__" => {
            (!i.class.borrow().flags.get().slotted).then_some(&**i)
        }
        _ => None,
    }
}

enum Stored {
    Done,
    Not(Option<Value>),
}

fn not_writable(object: &Value, name: &Name) -> Raised {
    Raised::new(
        ExcKind::AttributeError,
        format!(
            "attribute '{name}' of '{}' objects is not writable",
            object.type_name()
        ),
    )
}

/// Lets a data descriptor of the class take the assignment.
fn descriptor_set(
    vm: &mut dyn Vm,
    descriptor: &Value,
    object: &Value,
    name: &Name,
    value: Option<Value>,
) -> PyResult<Stored> {
    match descriptor {
        Value::Native(n) => match (n.binding, value) {
            (Binding::GetSet, Some(value)) => {
                n.call(vm, Args::new(&[object.clone(), value]))?;
                Ok(Stored::Done)
            }
            (Binding::GetSet, None) if let Some(instance) = own_dict(n, object) => {
                instance.set_dict(None)?;
                Ok(Stored::Done)
            }
            (Binding::GetSet, None) if let Value::Cell(cell) = object => {
                let old = cell.value.replace(None);
                drop(old);
                Ok(Stored::Done)
            }
            // It lies in the module's namespace.
            (Binding::GetSet, None) if n.qualname == "module.__annotations__" => {
                Ok(Stored::Not(None))
            }
            (Binding::GetSet, None) => match deletion::of(n.qualname) {
                Deletion::None => {
                    n.call(vm, Args::new(&[object.clone(), Value::None]))?;
                    Ok(Stored::Done)
                }
                Deletion::Refused(message) => Err(Raised::type_error(message)),
                Deletion::Unknown => Err(not_writable(object, name)),
            },
            (Binding::Getter, _) if n.field().is_some() => {
                Err(Raised::new(ExcKind::AttributeError, "can't set attribute"))
            }
            (Binding::Getter, _) => Err(not_writable(object, name)),
            (_, value) => Ok(Stored::Not(value)),
        },
        Value::Instance(i) => {
            if let Payload::Property(p) = &i.payload
                && i.is_plain_descriptor()
            {
                property_set(vm, p, object, value)?;
                return Ok(Stored::Done);
            }
            let class = i.class();
            let hook = match &value {
                Some(_) => class.lookup(name!("__set__")),
                None => class.lookup(name!("__delete__")),
            };
            match (hook, value) {
                (Some(hook), Some(value)) => {
                    call_special(vm, &hook, descriptor, &[object.clone(), value])?;
                    Ok(Stored::Done)
                }
                (Some(hook), None) => {
                    call_special(vm, &hook, descriptor, std::slice::from_ref(object))?;
                    Ok(Stored::Done)
                }
                (None, value) => {
                    // One slot is behind both methods, so that one of them keeps the instance's dict from being used.
                    let (wanted, other) = match value {
                        Some(_) => ("__set__", name!("__delete__")),
                        None => ("__delete__", name!("__set__")),
                    };
                    match class.lookup(other) {
                        Some(_) => Err(Raised::new(ExcKind::AttributeError, wanted)),
                        None => Ok(Stored::Not(value)),
                    }
                }
            }
        }
        _ => Ok(Stored::Not(value)),
    }
}

fn store_in_class(class: &PyRef<Class>, name: &Name, value: Option<Value>) -> PyResult<()> {
    if !class.flags.get().mutable {
        return Err(Raised::type_error(format!(
            "cannot set '{name}' attribute of immutable type '{}'",
            class.name.borrow()
        )));
    }
    match value {
        Some(value) => {
            class.set(name, value);
            Ok(())
        }
        None => match class.remove(name) {
            Some(_) => Ok(()),
            None => Err(missing(&Value::Class(class.clone()), name)),
        },
    }
}
