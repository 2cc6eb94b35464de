//! `mappingproxy`: a read-only view of a class dict or a dict.
//!
//! In: a class or a dict. Out: the mapping methods. Always: it shows the current content.

use crate::heap::Tracer;
use crate::native::wrong_self;
use crate::{
    Args, Class, Foreign, Instance, Name, NativeDef, PyDict, PyRef, PyResult, Raised, Value, Vm,
    ops, text, types,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("mappingproxy.__new__", new),
    NativeDef::method("mappingproxy.__getitem__", get_item),
    NativeDef::method("mappingproxy.__contains__", contains),
    NativeDef::method("mappingproxy.__len__", len),
    NativeDef::method("mappingproxy.__iter__", iter),
    NativeDef::method("mappingproxy.__repr__", repr),
    NativeDef::method("mappingproxy.__str__", str),
    NativeDef::method("mappingproxy.__eq__", eq),
    NativeDef::method("mappingproxy.get", get),
    NativeDef::method("mappingproxy.keys", keys),
    NativeDef::method("mappingproxy.values", values),
    NativeDef::method("mappingproxy.items", items),
    NativeDef::method("mappingproxy.copy", copy),
    NativeDef::method("mappingproxy.__reversed__", reversed),
    NativeDef::method("mappingproxy.__or__", |vm, args| merged(vm, args, false)),
    NativeDef::method("mappingproxy.__ror__", |vm, args| merged(vm, args, true)),
    NativeDef::method("mappingproxy.__ior__", |_, args| {
        let [_, _] = args.exactly::<2>("__ior__")?;
        Err(Raised::type_error(
            "'|=' is not supported by mappingproxy; use '|' instead",
        ))
    }),
    NativeDef::class_method(
        "mappingproxy.__class_getitem__",
        super::alias::class_getitem,
    ),
];

enum Proxy {
    Class(PyRef<Class>),
    Dict(PyRef<PyDict>),
    /// Another mapping, or an object of a class derived from dict, whose methods are asked.
    Derived(Value),
}

impl Foreign for Proxy {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        match self {
            Proxy::Class(class) => tracer.reference(class),
            Proxy::Dict(dict) => tracer.reference(dict),
            Proxy::Derived(mapping) => tracer.value(mapping),
        }
    }
}

/// The `__dict__` of a class.
pub(crate) fn of_class(class: &PyRef<Class>) -> Value {
    Instance::native(&types().mappingproxy, Proxy::Class(class.clone()))
}

/// A read-only view of a dict, or of an object of a class derived from it.
pub(crate) fn of_mapping(mapping: &Value) -> Option<Value> {
    let proxy = match mapping {
        Value::Dict(dict) => Proxy::Dict(dict.clone()),
        other => {
            other.as_dict()?;
            Proxy::Derived(other.clone())
        }
    };
    Some(Instance::native(&types().mappingproxy, proxy))
}

/// What is shown: the mapping itself, or the content of a class.
fn mapping(v: &Value, method: &str) -> PyResult {
    match own(v, method)? {
        Proxy::Derived(mapping) => Ok(mapping.clone()),
        _ => Ok(Value::Dict(content(v, method)?)),
    }
}

fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a Proxy> {
    v.foreign()
        .ok_or_else(|| wrong_self(method, "mappingproxy", v))
}

/// What a class has besides its dict: descriptors of slots, `__dict__` and `__weakref__`.
fn implied(class: &Class) -> Vec<Name> {
    let mut names = class.own_slots();
    names.extend(class.implicit_members());
    names
}

/// The content as a dict.
fn content(v: &Value, method: &str) -> PyResult<PyRef<PyDict>> {
    Ok(match own(v, method)? {
        Proxy::Dict(dict) => dict.clone(),
        Proxy::Derived(mapping) => match mapping.as_dict() {
            Some(dict) => dict.clone(),
            None => return Err(wrong_self(method, "mappingproxy", v)),
        },
        Proxy::Class(class) => {
            let dict = PyDict::new();
            for (name, value) in class.dict.borrow().iter() {
                dict.set_name(name, value.clone());
            }
            for slot in implied(class) {
                if dict.get_name(&slot).is_none() {
                    dict.set_name(&slot, super::member::made(class, &slot));
                }
            }
            PyRef::new(dict)
        }
    })
}

fn lookup(vm: &mut dyn Vm, this: &Value, key: &Value) -> PyResult<Option<Value>> {
    match own(this, "get")? {
        Proxy::Dict(dict) => dict.get(vm, key),
        Proxy::Derived(mapping) => match ops::contains(vm, key, mapping)? {
            true => ops::get_item(vm, mapping, key).map(Some),
            false => Ok(None),
        },
        Proxy::Class(class) => Ok(key.as_pystr().and_then(|s| {
            let name = Name::intern(s);
            let found = class.dict.borrow().get(&name).cloned();
            found.or_else(|| {
                let named = implied(class).contains(&name);
                named.then(|| super::member::made(class, &name))
            })
        })),
    }
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = args.split_self("mappingproxy.__new__")?;
    let [mapping] = rest.exactly::<1>("mappingproxy")?;
    let maps = |v: &Value| {
        !matches!(v, Value::Str(_) | Value::Bytes(_) | Value::Range(_))
            && v.as_list().is_none()
            && v.as_tuple().is_none()
            && ops::special(v, crate::name!("__getitem__")).is_some()
    };
    match of_mapping(mapping) {
        Some(proxy) => Ok(proxy),
        // Any other mapping is asked.
        None if maps(mapping) => Ok(Instance::native(
            &types().mappingproxy,
            Proxy::Derived(mapping.clone()),
        )),
        None => Err(Raised::type_error(format!(
            "mappingproxy() argument must be a mapping, not {}",
            mapping.type_name()
        ))),
    }
}

fn get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [key]) = args.method::<1>("__getitem__")?;
    // A class may have an answer for keys that it lacks.
    if let Proxy::Derived(mapping) = own(this, "__getitem__")? {
        return ops::get_item(vm, mapping, key);
    }
    lookup(vm, this, key)?.ok_or_else(|| Raised::key_error(key.clone()))
}

fn contains(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [key]) = args.method::<1>("__contains__")?;
    if let Proxy::Derived(mapping) = own(this, "__contains__")? {
        return Ok(Value::bool(ops::contains(vm, key, mapping)?));
    }
    Ok(Value::bool(lookup(vm, this, key)?.is_some()))
}

fn get(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("get")?;
    let rest = rest.between("get", 1, 2)?;
    if let Proxy::Derived(mapping) = own(this, "get")? {
        return crate::call::call_method(vm, mapping, crate::name!("get"), Args::new(rest));
    }
    let found = lookup(vm, this, rest.first().unwrap_or(&Value::None))?;
    Ok(found
        .or_else(|| rest.get(1).cloned())
        .unwrap_or(Value::None))
}

fn len(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__len__")?;
    if let Proxy::Derived(mapping) = own(this, "__len__")? {
        return Ok(Value::from(ops::len(vm, mapping)?));
    }
    Ok(Value::from(content(this, "__len__")?.len()))
}

fn iter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__iter__")?;
    let shown = mapping(this, "__iter__")?;
    ops::iter(vm, &shown)
}

fn reversed(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__reversed__")?;
    let shown = mapping(this, "__reversed__")?;
    ops::reversed(vm, &shown)
}

/// `proxy | other`, or the other way round: a dict.
fn merged(vm: &mut dyn Vm, args: Args<'_>, reflected: bool) -> PyResult {
    let (this, [other]) = args.method::<1>("__or__")?;
    let mine = mapping(this, "__or__")?;
    let other = match own(other, "__or__") {
        Ok(_) => mapping(other, "__or__")?,
        Err(_) => other.clone(),
    };
    let (a, b) = if reflected {
        (&other, &mine)
    } else {
        (&mine, &other)
    };
    ops::binary(vm, janus_bytecode::BinaryOp::Or, a, b)
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    let shown = mapping(this, "__repr__")?;
    let shown = text::repr(vm, &shown)?;
    Ok(Value::from(format!("mappingproxy({shown})")))
}

fn str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__str__")?;
    let shown = mapping(this, "__str__")?;
    Ok(Value::from(text::str(vm, &shown)?))
}

fn eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("__eq__")?;
    let this = mapping(this, "__eq__")?;
    let other = match own(other, "__eq__") {
        Ok(_) => mapping(other, "__eq__")?,
        Err(_) => other.clone(),
    };
    Ok(Value::bool(ops::eq(vm, &this, &other)?))
}

fn view(vm: &mut dyn Vm, args: Args<'_>, method: &'static str) -> PyResult {
    let [this] = args.exactly::<1>(method)?;
    let shown = mapping(this, method)?;
    crate::call::call_method(vm, &shown, &Name::new(method), Args::new(&[]))
}

fn keys(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(vm, args, "keys")
}

fn values(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(vm, args, "values")
}

fn items(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(vm, args, "items")
}

fn copy(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(vm, args, "copy")
}
