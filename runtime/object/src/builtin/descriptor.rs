//! `property`, `classmethod`, `staticmethod`, `super`.
//!
//! In: functions of class bodies. Out: the descriptors that [`crate::attr`] knows by payload.
//! Always: `__get__` called by hand does what attribute lookup does.

use std::cell::{OnceCell, RefCell};

use crate::native::wrong_self;
use crate::types::instance_of;
use crate::{
    Accessors, Args, Class, Instance, Name, NativeDef, Payload, Property, PyMethod, PyRef,
    PyResult, Raised, Signature, SuperData, Value, Vm, attr, class_of, name, types,
};

use super::int::class_argument;

pub(crate) const PROPERTY: &[NativeDef] = &[
    NativeDef::function("property.__new__", property_new),
    NativeDef::method("property.__init__", property_init),
    NativeDef::method("property.getter", property_getter),
    NativeDef::method("property.setter", property_setter),
    NativeDef::method("property.deleter", property_deleter),
    NativeDef::method("property.__get__", descriptor_get),
    NativeDef::method("property.__set__", property_set),
    NativeDef::method("property.__delete__", property_delete),
    NativeDef::method("property.__set_name__", property_set_name),
    NativeDef::getter("property.fget", property_fget),
    NativeDef::getter("property.fset", property_fset),
    NativeDef::getter("property.fdel", property_fdel),
    NativeDef::getset("property.__doc__", property_doc),
    NativeDef::getter("property.__isabstractmethod__", is_abstract),
];

pub(crate) const CLASSMETHOD: &[NativeDef] = &[
    NativeDef::function("classmethod.__new__", classmethod_new),
    NativeDef::method("classmethod.__init__", classmethod_init),
    NativeDef::method("classmethod.__get__", descriptor_get),
    NativeDef::getter("classmethod.__func__", wrapped_function),
    NativeDef::getter("classmethod.__wrapped__", wrapped_function),
    NativeDef::getter("classmethod.__isabstractmethod__", is_abstract),
    NativeDef::getter("classmethod.__name__", wrapped_name),
    NativeDef::getter("classmethod.__doc__", wrapped_doc),
    NativeDef::getter("classmethod.__qualname__", |vm, args| {
        let [this] = args.exactly::<1>("__qualname__")?;
        attr::get(vm, &function_of(this)?, name!("__qualname__"))
    }),
    NativeDef::getter("classmethod.__annotations__", |vm, args| {
        let [this] = args.exactly::<1>("__annotations__")?;
        attr::get(vm, &function_of(this)?, name!("__annotations__"))
    }),
];

pub(crate) const STATICMETHOD: &[NativeDef] = &[
    NativeDef::function("staticmethod.__new__", staticmethod_new),
    NativeDef::method("staticmethod.__init__", staticmethod_init),
    NativeDef::method("staticmethod.__get__", descriptor_get),
    NativeDef::method("staticmethod.__call__", staticmethod_call),
    NativeDef::getter("staticmethod.__func__", wrapped_function),
    NativeDef::getter("staticmethod.__wrapped__", wrapped_function),
    NativeDef::getter("staticmethod.__isabstractmethod__", is_abstract),
    NativeDef::getter("staticmethod.__name__", wrapped_name),
    NativeDef::getter("staticmethod.__doc__", wrapped_doc),
    NativeDef::getter("staticmethod.__qualname__", |vm, args| {
        let [this] = args.exactly::<1>("__qualname__")?;
        attr::get(vm, &function_of(this)?, name!("__qualname__"))
    }),
    NativeDef::getter("staticmethod.__annotations__", |vm, args| {
        let [this] = args.exactly::<1>("__annotations__")?;
        attr::get(vm, &function_of(this)?, name!("__annotations__"))
    }),
];

pub(crate) const SUPER: &[NativeDef] = &[
    NativeDef::function("super.__new__", super_new),
    NativeDef::method("super.__get__", super_get),
    NativeDef::method("super.__repr__", super_repr),
    NativeDef::getter("super.__thisclass__", super_this_class),
    NativeDef::getter("super.__self__", super_self),
    NativeDef::getter("super.__self_class__", super_self_class),
];

/// `classmethod(function)`
pub fn make_classmethod(function: Value) -> Value {
    Value::instance(&types().classmethod, Payload::ClassMethod(function))
}

/// `staticmethod(function)`
pub fn make_staticmethod(function: Value) -> Value {
    Value::instance(&types().staticmethod, Payload::StaticMethod(function))
}

fn classmethod_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "classmethod.__new__")?;
    let function = function_to_wrap(class, &types().classmethod, "classmethod", rest)?;
    Ok(Value::instance(class, Payload::ClassMethod(function)))
}

/// What `__new__` wraps. A class of a script's may be called with whatever its `__init__` takes: the first argument is the function
/// in nearly all of them, and `__init__` looks whether it is.
fn function_to_wrap(
    class: &PyRef<Class>,
    built_in: &PyRef<Class>,
    name: &'static str,
    rest: Args<'_>,
) -> PyResult {
    if PyRef::ptr_eq(class, built_in) {
        let [function] = rest.exactly::<1>(name)?;
        return Ok(function.clone());
    }
    Ok(rest.pos.first().cloned().unwrap_or(Value::None))
}

/// `__init__`, whose function `__new__` has wrapped already.
fn wrapper_init(vm: &mut dyn Vm, args: Args<'_>, class: &'static str) -> PyResult {
    let (this, rest) = args.split_self("__init__")?;
    let [function] = rest.exactly::<1>(class)?;
    if !crate::ops::is(&function_of(this)?, function) {
        return Err(Raised::new(
            crate::ExcKind::NotImplementedError,
            format!(
                "{class}.__init__() with another function than __new__() had first is not implemented in janus-jit yet"
            ),
        ));
    }
    // The class of a script has a text of its own, which would hide the function's.
    if class_of(this).flags.get().mutable
        && let Some(doc) = attr::get_opt(vm, function, name!("__doc__"))?
    {
        attr::set(vm, this, name!("__doc__"), doc)?;
    }
    Ok(Value::None)
}

fn classmethod_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    wrapper_init(vm, args, "classmethod")
}

fn staticmethod_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    wrapper_init(vm, args, "staticmethod")
}

fn staticmethod_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "staticmethod.__new__")?;
    let function = function_to_wrap(class, &types().staticmethod, "staticmethod", rest)?;
    Ok(Value::instance(class, Payload::StaticMethod(function)))
}

fn staticmethod_call(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("staticmethod.__call__")?;
    vm.call(&function_of(this)?, rest)
}

fn function_of(this: &Value) -> PyResult {
    match this.as_instance().map(|i| &i.payload) {
        Some(Payload::ClassMethod(f) | Payload::StaticMethod(f)) => Ok(f.clone()),
        _ => Err(wrong_self("__func__", "classmethod", this)),
    }
}

fn wrapped_function(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__func__")?;
    function_of(this)
}

fn wrapped_name(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__name__")?;
    attr::get(vm, &function_of(this)?, name!("__name__"))
}

fn wrapped_doc(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__doc__")?;
    attr::get(vm, &function_of(this)?, name!("__doc__"))
}

fn is_abstract(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__isabstractmethod__")?;
    let parts: Vec<Value> = match this.as_instance().map(|i| &i.payload) {
        Some(Payload::Property(p)) => vec![p.get().clone(), p.set().clone(), p.del().clone()],
        Some(Payload::ClassMethod(f) | Payload::StaticMethod(f)) => vec![f.clone()],
        _ => Vec::new(),
    };
    for part in parts {
        if let Some(flag) = attr::get_opt(vm, &part, name!("__isabstractmethod__"))?
            && crate::ops::truth(vm, &flag)?
        {
            return Ok(Value::bool(true));
        }
    }
    Ok(Value::bool(false))
}

fn descriptor_get(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__get__")?;
    let rest = rest.between("__get__", 1, 2)?;
    let object = rest.first().filter(|v| !v.is_none());
    let owner = match (rest.get(1).filter(|v| !v.is_none()), object) {
        (Some(owner), _) => owner.clone(),
        (None, Some(object)) => Value::Class(class_of(object)),
        (None, None) => return Err(Raised::type_error("__get__(None, None) is invalid")),
    };
    // What the classes built in do, also where a class that derives from them calls it.
    match this.as_instance().map(|i| &i.payload) {
        Some(Payload::Property(p)) => match object {
            Some(object) => attr::property_get(vm, p, object),
            None => Ok(this.clone()),
        },
        Some(Payload::StaticMethod(f)) => Ok(f.clone()),
        Some(Payload::ClassMethod(f)) => Ok(Value::Method(PyRef::new(PyMethod {
            function: f.clone(),
            receiver: owner,
        }))),
        _ => attr::descriptor_get(vm, this, object, &owner),
    }
}

static PROPERTY_ARGS: Signature<4> =
    Signature::new("property", ["fget", "fset", "fdel", "doc"]).required(0);

fn property_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, _) = class_argument(args, "property.__new__")?;
    Ok(property_value(
        class,
        Property {
            functions: OnceCell::new(),
            doc: RefCell::new(Value::None),
            name: RefCell::new(None),
        },
    ))
}

fn property_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("property.__init__")?;
    let (instance, p) = property(this)?;
    let [get, set, del, doc] = PROPERTY_ARGS.parse(rest)?;
    let get = get.unwrap_or(Value::None);
    let doc = match doc {
        Some(doc) if !doc.is_none() => doc,
        _ if !get.is_none() => {
            let doc = attr::get_opt(vm, &get, name!("__doc__"))?.unwrap_or(Value::None);
            // The class of a script has a text of its own, which would hide this one.
            if instance.class().flags.get().mutable && !doc.is_none() {
                attr::set(vm, this, name!("__doc__"), doc.clone())?;
            }
            doc
        }
        _ => Value::None,
    };
    let functions = Accessors {
        get,
        set: set.unwrap_or(Value::None),
        del: del.unwrap_or(Value::None),
    };
    if p.functions.set(functions).is_err() {
        return Err(Raised::new(
            crate::ExcKind::NotImplementedError,
            "property.__init__() a second time is not implemented in janus-jit yet",
        ));
    }
    let old = p.doc.replace(doc);
    drop(old);
    Ok(Value::None)
}

fn property_value(class: &PyRef<Class>, property: Property) -> Value {
    Value::instance(class, Payload::Property(Box::new(property)))
}

fn property(this: &Value) -> PyResult<(&PyRef<Instance>, &Property)> {
    if let Value::Instance(i) = this
        && let Payload::Property(p) = &i.payload
    {
        return Ok((i, p));
    }
    Err(wrong_self("property", "property", this))
}

/// A copy with one function replaced, unless that is None. A class of a script is called for it.
fn changed(vm: &mut dyn Vm, args: Args<'_>, part: fn(&mut Accessors) -> &mut Value) -> PyResult {
    let (this, [function]) = args.method::<1>("property")?;
    let (instance, p) = property(this)?;
    let mut functions = Accessors {
        get: p.get().clone(),
        set: p.set().clone(),
        del: p.del().clone(),
    };
    if !function.is_none() {
        *part(&mut functions) = function.clone();
    }
    let class = instance.class();
    if class.flags.get().mutable {
        let Accessors { get, set, del } = functions;
        let own = attr::get_opt(vm, &get, name!("__doc__"))?;
        let doc = match &*p.doc.borrow() {
            doc if own.is_some_and(|own| crate::ops::is(&own, doc)) => Value::None,
            doc => doc.clone(),
        };
        let made = vm.call(&Value::Class(class), Args::new(&[get, set, del, doc]))?;
        if let Ok((_, made)) = property(&made) {
            made.name.replace(p.name.borrow().clone());
        }
        return Ok(made);
    }
    let copy = Property {
        functions: OnceCell::from(functions),
        doc: p.doc.clone(),
        name: p.name.clone(),
    };
    Ok(property_value(&class, copy))
}

fn property_getter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    changed(vm, args, |f| &mut f.get)
}

fn property_setter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    changed(vm, args, |f| &mut f.set)
}

fn property_deleter(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    changed(vm, args, |f| &mut f.del)
}

fn property_set(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [object, value]) = args.method::<2>("__set__")?;
    attr::property_set(vm, property(this)?.1, object, Some(value.clone()))?;
    Ok(Value::None)
}

fn property_delete(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [object]) = args.method::<1>("__delete__")?;
    attr::property_set(vm, property(this)?.1, object, None)?;
    Ok(Value::None)
}

fn property_set_name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [_, name]) = args.method::<2>("__set_name__")?;
    if let Some(s) = name.as_pystr() {
        *property(this)?.1.name.borrow_mut() = Some(Name::intern(s));
    }
    Ok(Value::None)
}

fn property_fget(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("fget")?;
    Ok(property(this)?.1.get().clone())
}

fn property_fset(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("fset")?;
    Ok(property(this)?.1.set().clone())
}

fn property_fdel(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("fdel")?;
    Ok(property(this)?.1.del().clone())
}

fn property_doc(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if let [this, doc] = args.pos {
        property(this)?.1.doc.replace(doc.clone());
        return Ok(Value::None);
    }
    let [this] = args.exactly::<1>("__doc__")?;
    Ok(property(this)?.1.doc.borrow().clone())
}

/// `super(start, object)`
pub fn make_super(start: &PyRef<Class>, object: Value) -> PyResult {
    new_super(None, &types().super_, start, object)
}

fn new_super(
    vm: Option<&mut dyn Vm>,
    class: &PyRef<Class>,
    start: &PyRef<Class>,
    object: Value,
) -> PyResult {
    // A proxy says of what class it is.
    let mut said = None;
    if let (Some(vm), Value::Instance(_)) = (vm, &object)
        && !instance_of(&object, start)
    {
        said = match attr::get_opt(vm, &object, crate::name!("__class__"))? {
            Some(Value::Class(said)) if said.is_subclass_of(start) => Some(said),
            _ => None,
        };
    }
    let object_class = match &object {
        Value::Class(c) if c.is_subclass_of(start) => c.clone(),
        other if instance_of(other, start) => class_of(other),
        _ if let Some(said) = said => said,
        _ => {
            return Err(Raised::type_error(
                "super(type, obj): obj must be an instance or subtype of type",
            ));
        }
    };
    let data = SuperData {
        start: start.clone(),
        object: Some(object),
        object_class,
    };
    Ok(Value::instance(class, Payload::Super(Box::new(data))))
}

fn super_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "super.__new__")?;
    match rest.between("super", 0, 2)? {
        // The interpreter turns `super()` into the form with two arguments.
        [] => Err(Raised::runtime_error("super(): no arguments")),
        [Value::Class(start)] => Ok(unbound_super(class, start)),
        [Value::Class(start), Value::None] => Ok(unbound_super(class, start)),
        [Value::Class(start), object] => new_super(Some(vm), class, start, object.clone()),
        [other, ..] => Err(Raised::type_error(format!(
            "super() argument 1 must be a type, not {}",
            other.type_name()
        ))),
    }
}

fn unbound_super(class: &PyRef<Class>, start: &PyRef<Class>) -> Value {
    let data = SuperData {
        start: start.clone(),
        object: None,
        object_class: start.clone(),
    };
    Value::instance(class, Payload::Super(Box::new(data)))
}

/// Binds an unbound `super(start)` that is an attribute of a class.
fn super_get(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__get__")?;
    let data = super_data(this)?;
    match rest.between("__get__", 1, 2)?.first() {
        None | Some(Value::None) => Ok(this.clone()),
        _ if data.object.is_some() => Ok(this.clone()),
        Some(object) => new_super(Some(vm), &class_of(this), &data.start, object.clone()),
    }
}

fn super_data(this: &Value) -> PyResult<&SuperData> {
    if let Value::Instance(i) = this
        && let Payload::Super(data) = &i.payload
    {
        return Ok(data);
    }
    Err(wrong_self("super", "super", this))
}

fn super_repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("super.__repr__")?;
    let data = super_data(this)?;
    let start = data.start.name.borrow();
    Ok(Value::from(match &data.object {
        Some(_) => {
            format!(
                "<super: <class '{start}'>, <{} object>>",
                data.object_class.name.borrow()
            )
        }
        None => format!("<super: <class '{start}'>, NULL>"),
    }))
}

fn super_this_class(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__thisclass__")?;
    Ok(Value::Class(super_data(this)?.start.clone()))
}

fn super_self(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__self__")?;
    Ok(super_data(this)?.object.clone().unwrap_or(Value::None))
}

fn super_self_class(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__self_class__")?;
    let data = super_data(this)?;
    Ok(match data.object {
        Some(_) => Value::Class(data.object_class.clone()),
        None => Value::None,
    })
}
