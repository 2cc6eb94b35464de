//! `object` and `None`.
//!
//! In: any object. Out: the methods that every class inherits. Always: `__eq__` and `__hash__`
//! are by identity.

use crate::ops::{self, call_special, special};
use crate::{
    Args, BaseKind, Class, ExceptionData, Instance, Name, NativeDef, Payload, PyDict, PyList,
    PyRef, PyResult, PySet, PyTuple, Raised, Value, Vm, attr, class_of, name, text,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("object.__new__", new),
    NativeDef::method("object.__init__", init),
    NativeDef::method("object.__repr__", repr),
    NativeDef::method("object.__str__", str),
    NativeDef::method("object.__eq__", eq),
    NativeDef::method("object.__ne__", ne),
    NativeDef::method("object.__lt__", not_ordered),
    NativeDef::method("object.__le__", not_ordered),
    NativeDef::method("object.__gt__", not_ordered),
    NativeDef::method("object.__ge__", not_ordered),
    NativeDef::method("object.__hash__", hash),
    NativeDef::method("object.__format__", format),
    NativeDef::method("object.__getattribute__", getattribute),
    NativeDef::method("object.__setattr__", setattr),
    NativeDef::method("object.__delattr__", delattr),
    NativeDef::method("object.__dir__", dir_of),
    NativeDef::method("object.__sizeof__", sizeof),
    NativeDef::method("object.__reduce__", |vm, args| {
        let [this] = args.exactly::<1>("object.__reduce__")?;
        taken_apart(vm, "_reduce_ex", &[this.clone(), Value::Int(0)])
    }),
    NativeDef::method("object.__reduce_ex__", reduce_ex),
    NativeDef::method("object.__getstate__", getstate),
    NativeDef::class_method("object.__init_subclass__", init_subclass),
    NativeDef::class_method("object.__subclasshook__", subclass_hook),
    NativeDef::getset("object.__class__", class),
    NativeDef::getset("object.__dict__", dict),
];

pub(crate) const NONE: &[NativeDef] = &[
    NativeDef::function("NoneType.__new__", |_, args| {
        alone(args, "NoneType").map(|()| Value::None)
    }),
    NativeDef::method("NoneType.__bool__", none_bool),
];

pub(crate) const ELLIPSIS: &[NativeDef] = &[
    NativeDef::function("ellipsis.__new__", |_, args| {
        alone(args, "ellipsis").map(|()| Value::Ellipsis)
    }),
    NativeDef::method("ellipsis.__reduce__", |_, _| Ok(Value::str("Ellipsis"))),
];

pub(crate) const NOT_IMPLEMENTED: &[NativeDef] = &[
    NativeDef::function("NotImplementedType.__new__", |_, args| {
        alone(args, "NotImplementedType").map(|()| Value::NotImplemented)
    }),
    NativeDef::method("NotImplementedType.__reduce__", |_, _| {
        Ok(Value::str("NotImplemented"))
    }),
];

/// The only instance of a class is made of nothing.
fn alone(args: Args<'_>, class: &str) -> PyResult<()> {
    let (_, rest) = super::int::class_argument(args, &format!("{class}.__new__"))?;
    if !rest.pos.is_empty() || !args.kw.is_empty() {
        let class = if class == "ellipsis" {
            "EllipsisType"
        } else {
            class
        };
        return Err(Raised::type_error(format!("{class} takes no arguments")));
    }
    Ok(())
}

fn none_bool(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::bool(false))
}

/// `object.__new__(class)` without arguments.
pub(crate) fn new_object(class: &PyRef<Class>) -> PyResult {
    if class.has_metaclass() {
        check_abstract(class)?;
    }
    if class.flags.get().sealed {
        return Err(crate::call::cannot_create(class));
    }
    let payload = match class.kind.get() {
        BaseKind::Object => Payload::None,
        BaseKind::Exception => Payload::Exception(Box::new(ExceptionData::new(Vec::new()))),
        BaseKind::List => Payload::List(PyRef::new(PyList::new(Vec::new()))),
        BaseKind::Dict => Payload::Dict(PyRef::new(PyDict::new())),
        BaseKind::Set => Payload::Set(PyRef::new(PySet::new(false))),
        BaseKind::Tuple => Payload::Tuple(PyRef::new(PyTuple::new(Vec::new()))),
        BaseKind::Wrapped | BaseKind::Type | BaseKind::Foreign => {
            let name = class.name.borrow();
            return Err(Raised::type_error(format!(
                "object.__new__({name}) is not safe, use {name}.__new__()"
            )));
        }
    };
    Ok(Value::Instance(PyRef::new(Instance::new(
        class.clone(),
        payload,
    ))))
}

/// Refuses classes that still have abstract methods.
pub(crate) fn check_abstract(class: &Class) -> PyResult<()> {
    let Some(methods) = class
        .dict
        .borrow()
        .get(name!("__abstractmethods__"))
        .cloned()
    else {
        return Ok(());
    };
    let mut names: Vec<String> = match methods.as_set() {
        Some(set) => set
            .items()
            .iter()
            .filter_map(|v| v.as_str().map(str::to_owned))
            .collect(),
        None => return Ok(()),
    };
    if names.is_empty() {
        return Ok(());
    }
    names.sort();
    let s = if names.len() == 1 { "" } else { "s" };
    Err(Raised::type_error(format!(
        "Can't instantiate abstract class {} with abstract method{s} {}",
        class.name.borrow(),
        names.join(", ")
    )))
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some((Value::Class(class), rest)) = args.pos.split_first() else {
        return Err(Raised::type_error(
            "object.__new__(X): X is not a type object",
        ));
    };
    if !rest.is_empty() || !args.kw.is_empty() {
        let is_object = |name: &Name, native: &str| matches!(class.lookup(name), Some(Value::Native(n)) if n.qualname == native);
        // Extra arguments are for an `__init__` that a class overrides.
        if !is_object(name!("__new__"), "object.__new__") {
            return Err(Raised::type_error(
                "object.__new__() takes exactly one argument (the type to instantiate)",
            ));
        }
        if is_object(name!("__init__"), "object.__init__") {
            return Err(Raised::type_error(format!(
                "{}() takes no arguments",
                class.name.borrow()
            )));
        }
    }
    check_is_safe(class)?;
    new_object(class)
}

/// Refuses to make an instance of a class that has another built-in class for a base, which makes its own.
fn check_is_safe(class: &PyRef<Class>) -> PyResult<()> {
    if class.kind.get() == BaseKind::Object {
        return Ok(());
    }
    let mro = class.mro.borrow().clone();
    let Some(base) = mro.iter().find(|base| !base.flags.get().mutable) else {
        return Ok(());
    };
    match base.lookup(name!("__new__")) {
        Some(Value::Native(new)) if new.qualname != "object.__new__" => {
            Err(Raised::type_error(format!(
                "object.__new__({}) is not safe, use {}.__new__()",
                class.name.borrow(),
                base.name.borrow()
            )))
        }
        _ => Ok(()),
    }
}

fn init(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("object.__init__")?;
    if !rest.is_empty() {
        let class = class_of(this);
        let is_object = |name: &Name, native: &str| matches!(class.lookup(name), Some(Value::Native(n)) if n.qualname == native);
        if !is_object(name!("__init__"), "object.__init__") {
            return Err(Raised::type_error(
                "object.__init__() takes exactly one argument (the instance to initialize)",
            ));
        }
        if is_object(name!("__new__"), "object.__new__") {
            return Err(Raised::type_error(format!(
                "{}.__init__() takes exactly one argument (the instance to initialize)",
                class.name.borrow()
            )));
        }
    }
    Ok(Value::None)
}

fn repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("object.__repr__")?;
    Ok(Value::from(text::default_repr(this)))
}

/// The `__repr__` of classes whose values are no instances.
pub(crate) fn native_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    let mut out = String::new();
    text::native_repr(vm, &mut out, this)?;
    Ok(Value::from(out))
}

fn str(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("object.__str__")?;
    match this {
        Value::Str(_) => Ok(this.clone()),
        // A subclass of str without its own `__repr__` prints its text.
        Value::Instance(_) if this.as_str().is_some() => Ok(this.unwrapped()),
        // What a `__repr__` gives is checked by `str()` itself, with its own message.
        Value::Instance(_) => match special(this, name!("__repr__")) {
            // The method may be this function, which no frame counts.
            Some(method) => {
                crate::call::enter_call(vm)?;
                let result = call_special(vm, &method, this, &[]);
                vm.leave();
                result
            }
            None => Ok(Value::from(text::default_repr(this))),
        },
        _ => Ok(Value::from(text::repr(vm, this)?)),
    }
}

fn eq(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("object.__eq__")?;
    Ok(if ops::is(this, other) {
        Value::bool(true)
    } else {
        Value::NotImplemented
    })
}

fn ne(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("object.__ne__")?;
    let Some(method) = special(this, name!("__eq__")) else {
        return Ok(Value::NotImplemented);
    };
    match call_special(vm, &method, this, std::slice::from_ref(other))? {
        Value::NotImplemented => Ok(Value::NotImplemented),
        verdict => Ok(Value::bool(!ops::truth(vm, &verdict)?)),
    }
}

fn not_ordered(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = args.split_self("object.__lt__")?;
    rest.no_keywords("wrapper")?;
    if rest.pos.len() != 1 {
        return Err(Raised::type_error(format!(
            "expected 1 argument, got {}",
            rest.pos.len()
        )));
    }
    Ok(Value::NotImplemented)
}

fn hash(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("object.__hash__")?;
    Ok(Value::Int(ops::pointer_hash(ops::identity(this))))
}

fn format(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [spec]) = args.method::<1>("object.__format__")?;
    if spec.as_str().is_none() {
        return Err(Raised::type_error(format!(
            "__format__() argument must be str, not {}",
            spec.type_name()
        )));
    }
    if spec.as_str().is_some_and(|s| !s.is_empty()) {
        return Err(Raised::type_error(format!(
            "unsupported format string passed to {}.__format__",
            this.type_name()
        )));
    }
    text::str_value(vm, this)
}

fn attribute_name(v: &Value) -> PyResult<Name> {
    match v.as_pystr() {
        Some(s) => Ok(Name::intern(s)),
        None => Err(Raised::type_error(format!(
            "attribute name must be string, not '{}'",
            v.type_name()
        ))),
    }
}

fn getattribute(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [name]) = args.method::<1>("object.__getattribute__")?;
    attr::generic_get(vm, this, &attribute_name(name)?)
}

fn setattr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [name, value]) = args.method::<2>("object.__setattr__")?;
    attr::generic_set(vm, this, &attribute_name(name)?, value.clone())?;
    Ok(Value::None)
}

fn delattr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [name]) = args.method::<1>("object.__delattr__")?;
    attr::generic_del(vm, this, &attribute_name(name)?)?;
    Ok(Value::None)
}

pub(crate) fn dir_of(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("object.__dir__")?;
    Ok(Value::list(
        attribute_names(this).iter().map(Name::to_value).collect(),
    ))
}

/// Names that `dir()` lists, sorted.
pub(crate) fn attribute_names(object: &Value) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut add_class = |class: &Class| {
        for class in class.mro.borrow().iter() {
            let plain = PyRef::ptr_eq(class, &crate::types().object);
            let dict = class.dict.borrow();
            // The dict of an object is of the class that gave it.
            let named = dict.keys().filter(|n| !plain || **n != *name!("__dict__"));
            names.extend(named.cloned());
            names.extend(class.own_slots());
            names.extend(class.implicit_members());
            if PyRef::ptr_eq(
                class,
                crate::types().exception(crate::ExcKind::BaseException),
            ) {
                names.push(name!("__dict__").clone());
            }
        }
    };
    let own = match object {
        Value::Class(c) => {
            add_class(c);
            None
        }
        Value::Module(m) => Some(m.dict.clone()),
        Value::Instance(i) => {
            add_class(&i.class.borrow());
            i.dict.get()
        }
        Value::Function(f) => {
            add_class(&class_of(object));
            f.dict.get().cloned()
        }
        other => {
            add_class(&class_of(other));
            None
        }
    };
    if let Some(dict) = own {
        names.extend(
            dict.keys()
                .iter()
                .filter_map(|k| k.as_pystr().map(Name::intern)),
        );
    }
    names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    names.dedup();
    names
}

fn sizeof(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("object.__sizeof__")?;
    // Sizes of this heap differ from CPython's; the shape (a base plus the elements) is the same.
    let elements = match this {
        Value::List(l) => l.len() * 8,
        Value::Tuple(t) => t.len() * 8,
        Value::Dict(d) => d.len() * 40,
        Value::Str(s) => s.len(),
        _ => 0,
    };
    Ok(Value::from(40 + elements))
}

/// What `copyreg` makes of an object.
fn taken_apart(vm: &mut dyn Vm, how: &str, args: &[Value]) -> PyResult {
    let module = vm.import("copyreg")?;
    let reduce = crate::attr::get(vm, &module, &Name::new(how))?;
    vm.call(&reduce, Args::new(args))
}

/// By its own `__reduce__` if its class has one, else as the protocol says.
fn reduce_ex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [protocol]) = args.method::<1>("object.__reduce_ex__")?;
    let protocol = crate::ops::as_index(vm, protocol)?;
    match special(this, name!("__reduce__")) {
        Some(Value::Native(method)) if method.qualname == "object.__reduce__" => {}
        Some(method) => return call_special(vm, &method, this, &[]),
        None => {}
    }
    if protocol < 2 {
        return taken_apart(vm, "_reduce_ex", &[this.clone(), Value::Int(protocol)]);
    }
    taken_apart(vm, "default_reduce", std::slice::from_ref(this))
}

/// What `copy` and `pickle` keep of an object: its dict, or that and its slots, or nothing.
pub(crate) fn getstate(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("__getstate__")?;
    let Value::Instance(instance) = this else {
        return Ok(Value::None);
    };
    let class = class_of(this);
    let (dict, slots) = (PyDict::new(), PyDict::new());
    for key in instance.dict().keys() {
        let Some(name) = key.as_pystr().map(Name::intern) else {
            continue;
        };
        let target = if class.has_slot(&name) { &slots } else { &dict };
        if let Some(value) = instance.dict().get_name(&name) {
            target.set_name(&name, value);
        }
    }
    let own = if class.flags.get().slotted || dict.is_empty() {
        Value::None
    } else {
        Value::Dict(PyRef::new(dict))
    };
    if slots.is_empty() {
        return Ok(own);
    }
    Ok(Value::tuple(vec![own, Value::Dict(PyRef::new(slots))]))
}

fn init_subclass(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("object.__init_subclass__")?;
    if !rest.is_empty() {
        return Err(Raised::type_error(format!(
            "{}.__init_subclass__() takes no keyword arguments",
            match this {
                Value::Class(c) => c.name.borrow().to_string(),
                other => other.type_name(),
            }
        )));
    }
    Ok(Value::None)
}

fn subclass_hook(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::NotImplemented)
}

fn class(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.pos {
        [this] => Ok(Value::Class(class_of(this))),
        [Value::Instance(i), Value::Class(new)] => {
            let old = i.class();
            let compatible = old.kind.get() == new.kind.get()
                && old.flags.get().mutable
                && new.flags.get().mutable;
            if !compatible {
                return Err(Raised::type_error(if new.flags.get().mutable {
                    format!(
                        "__class__ assignment: '{}' object layout differs from '{}'",
                        new.name.borrow(),
                        old.name.borrow()
                    )
                } else {
                    "__class__ assignment only supported for mutable types or ModuleType subclasses"
                        .to_owned()
                }));
            }
            *i.class.borrow_mut() = new.clone();
            Ok(Value::None)
        }
        [Value::Module(module), Value::Class(new)] => {
            let usual = &crate::types().module;
            if PyRef::ptr_eq(new, usual) {
                module.set_class(None);
                return Ok(Value::None);
            }
            if !new.flags.get().mutable || !new.is_subclass_of(usual) {
                return Err(Raised::type_error(
                    "__class__ assignment only supported for mutable types or ModuleType subclasses",
                ));
            }
            module.set_class(Some(new.clone()));
            Ok(Value::None)
        }
        [Value::Class(class), Value::Class(new)] => {
            let old = class.metaclass();
            if !old.flags.get().mutable || !new.flags.get().mutable {
                return Err(Raised::type_error(
                    "__class__ assignment only supported for mutable types or ModuleType subclasses",
                ));
            }
            if !new.is_subclass_of(&crate::types().type_) {
                return Err(Raised::type_error(format!(
                    "__class__ assignment: '{}' object layout differs from '{}'",
                    new.name.borrow(),
                    old.name.borrow()
                )));
            }
            class.set_metaclass(new.clone());
            Ok(Value::None)
        }
        [Value::Instance(_), other] => Err(Raised::type_error(format!(
            "__class__ must be set to a class, not '{}' object",
            other.type_name()
        ))),
        _ => Err(Raised::type_error(
            "__class__ assignment only supported for mutable types or ModuleType subclasses",
        )),
    }
}

pub(crate) fn dict(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("object.__dict__")?;
    if matches!(this, Value::Instance(i) if PyRef::ptr_eq(&i.class.borrow(), &crate::types().object))
    {
        return Err(Raised::no_attribute(this, name!("__dict__")));
    }
    match (this, rest.pos) {
        (Value::Instance(i), []) if !i.class.borrow().flags.get().slotted => {
            // From here on it may be referred to by others than its instance.
            let dict = i.dict();
            PyRef::list(&dict);
            Ok(Value::Dict(dict))
        }
        (Value::Module(m), []) => Ok(Value::Dict(m.dict.clone())),
        (Value::Function(f), []) => Ok(Value::Dict(
            f.dict
                .get_or_init(|| PyRef::new(PyDict::namespace()))
                .clone(),
        )),
        // A bound method has no dict of its own and shows its function's.
        (Value::Method(m), []) => match attr::get_opt(vm, &m.function, name!("__dict__"))? {
            Some(dict) => Ok(dict),
            None => Err(Raised::no_attribute(this, name!("__dict__"))),
        },
        (Value::Instance(i), [new]) if !i.class.borrow().flags.get().slotted => {
            let Some(dict) = new.as_dict() else {
                return Err(Raised::type_error(format!(
                    "__dict__ must be set to a dictionary, not a '{}'",
                    new.type_name()
                )));
            };
            i.set_dict(Some(dict.clone()))?;
            Ok(Value::None)
        }
        _ => Err(Raised::no_attribute(this, name!("__dict__"))),
    }
}
