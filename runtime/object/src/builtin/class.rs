//! `type`.
//!
//! In: classes. Out: the methods and attributes of class objects. Always: `type.__new__` is
//! [`crate::build_class`].

use crate::types::{full_name, instance_of};
use crate::{
    Args, Class, Name, NativeDef, PyDict, PyRef, PyResult, Raised, Value, Vm, attr, build_class,
    call, name, types,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("type.__new__", new),
    NativeDef::method("type.__init__", init),
    NativeDef::method("type.__call__", type_call),
    NativeDef::method("type.__repr__", repr),
    NativeDef::method("type.mro", mro_list),
    NativeDef::method("type.__subclasses__", subclasses),
    NativeDef::method("type.__instancecheck__", instance_check),
    NativeDef::method("type.__subclasscheck__", subclass_check),
    NativeDef::method("type.__or__", or),
    NativeDef::method("type.__ror__", ror),
    NativeDef::method("type.__dir__", super::object::dir_of),
    NativeDef::class_method("type.__prepare__", prepare),
    NativeDef::getter("type.__mro__", mro),
    NativeDef::getset("type.__bases__", bases),
    NativeDef::getter("type.__base__", base),
    NativeDef::getset("type.__name__", type_name),
    NativeDef::getset("type.__qualname__", qualname),
    NativeDef::getter("type.__dict__", dict),
    NativeDef::getset("type.__annotations__", annotations),
    NativeDef::getset("type.__abstractmethods__", abstract_methods),
    NativeDef::getter("type.__basicsize__", basic_size),
    NativeDef::getter("type.__flags__", flags),
];

fn this<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<Class>> {
    v.as_class()
        .ok_or_else(|| crate::native::wrong_self(method, "type", v))
}

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some((Value::Class(given), rest)) = args.pos.split_first() else {
        return Err(Raised::type_error(
            "type.__new__(X): X is not a type object",
        ));
    };
    let [class_name, bases, namespace] = rest else {
        return Err(Raised::type_error(
            if PyRef::ptr_eq(given, &types().type_) {
                "type() takes 1 or 3 arguments".to_owned()
            } else {
                format!(
                    "type.__new__() takes exactly 3 arguments ({} given)",
                    rest.len()
                )
            },
        ));
    };
    let wrong = |at: usize, wanted: &str, got: &Value| {
        Raised::type_error(format!(
            "type.__new__() argument {at} must be {wanted}, not {}",
            got.type_name()
        ))
    };
    let text = class_name
        .as_str()
        .ok_or_else(|| wrong(1, "str", class_name))?;
    let bases = bases.as_tuple().ok_or_else(|| wrong(2, "tuple", bases))?;
    let namespace_dict = namespace
        .as_dict()
        .ok_or_else(|| wrong(3, "dict", namespace))?;
    // A base may have a metaclass that is more derived; it may make its classes itself.
    let winner = crate::calculate_metaclass(Some(&args.pos[0]), &bases.items)?;
    let meta = winner.as_class().unwrap_or(given);
    if !PyRef::ptr_eq(meta, given)
        && let Some(own) = meta.lookup(name!("__new__"))
        && !matches!(&own, Value::Native(n) if n.qualname == "type.__new__")
    {
        let own = attr::descriptor_get(vm, &own, None, &winner)?;
        let pos = [
            winner.clone(),
            class_name.clone(),
            Value::Tuple(bases.clone()),
            namespace.clone(),
        ];
        return vm.call(
            &own,
            Args {
                pos: &pos,
                kw: args.kw,
            },
        );
    }
    Ok(Value::Class(build_class(
        vm,
        meta,
        text,
        &bases.items,
        namespace_dict,
        args.kw,
    )?))
}

fn init(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    // `self` and name, bases, namespace, which `__new__` already used.
    match args.pos.len() {
        2 | 4 => Ok(Value::None),
        _ => Err(Raised::type_error("type.__init__() takes 1 or 3 arguments")),
    }
}

fn type_call(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = args.split_self("type.__call__")?;
    call::type_call(vm, this(class, "type.__call__")?, rest)
}

fn repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class] = args.exactly::<1>("type.__repr__")?;
    Ok(Value::from(format!(
        "<class '{}'>",
        full_name(this(class, "type.__repr__")?)
    )))
}

fn class_values(classes: &[PyRef<Class>]) -> Vec<Value> {
    classes.iter().cloned().map(Value::Class).collect()
}

fn mro(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class] = args.exactly::<1>("type.__mro__")?;
    Ok(Value::tuple(class_values(
        &this(class, "type.__mro__")?.mro.borrow(),
    )))
}

fn mro_list(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class] = args.exactly::<1>("type.mro")?;
    let order = Class::linear_mro(this(class, "type.mro")?)?;
    Ok(Value::list(class_values(&order)))
}

fn subclasses(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class] = args.exactly::<1>("type.__subclasses__")?;
    let class = this(class, "type.__subclasses__")?;
    let alive: Vec<PyRef<Class>> = class
        .subclasses
        .borrow()
        .iter()
        .filter_map(crate::PyWeak::upgrade)
        .collect();
    Ok(Value::list(class_values(&alive)))
}

fn instance_check(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, [value]) = args.method::<1>("type.__instancecheck__")?;
    Ok(Value::bool(instance_of(
        value,
        this(class, "type.__instancecheck__")?,
    )))
}

fn subclass_check(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, [other]) = args.method::<1>("type.__subclasscheck__")?;
    let class = this(class, "type.__subclasscheck__")?;
    match other {
        Value::Class(other) => Ok(Value::bool(other.is_subclass_of(class))),
        other => {
            let of = Value::Class(class.clone());
            Ok(Value::bool(crate::types::is_subclass_by_bases(
                vm, other, &of,
            )?))
        }
    }
}

fn or(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (a, [b]) = args.method::<1>("type.__or__")?;
    Ok(union_or_not(a, b))
}

fn ror(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (b, [a]) = args.method::<1>("type.__ror__")?;
    Ok(union_or_not(a, b))
}

fn union_or_not(a: &Value, b: &Value) -> Value {
    if super::alias::joins(a) && super::alias::joins(b) {
        super::alias::union_of(a, b)
    } else {
        Value::NotImplemented
    }
}

fn prepare(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::dict(PyDict::namespace()))
}

fn bases(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = args.split_self("type.__bases__")?;
    let class = this(class, "type.__bases__")?;
    let [new] = rest.pos else {
        return Ok(Value::tuple(class_values(&class.bases.borrow())));
    };
    let Some(new) = new.as_tuple() else {
        return Err(Raised::type_error(format!(
            "can only assign tuple to {}.__bases__, not {}",
            class.name.borrow(),
            new.type_name()
        )));
    };
    if new.items.is_empty() {
        return Err(Raised::type_error(format!(
            "can only assign non-empty tuple to {}.__bases__, not ()",
            class.name.borrow()
        )));
    }
    let bases: Option<Vec<PyRef<Class>>> =
        new.items.iter().map(|v| v.as_class().cloned()).collect();
    match bases {
        Some(bases) if class.flags.get().mutable => Class::set_bases(vm, class, bases)?,
        _ => {
            return Err(Raised::type_error(format!(
                "{}.__bases__ must be tuple of classes",
                class.name.borrow()
            )));
        }
    }
    Ok(Value::None)
}

fn base(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class] = args.exactly::<1>("type.__base__")?;
    let class = this(class, "type.__base__")?;
    let bases = class.bases.borrow();
    // The one that says how instances are laid out, where they differ.
    let laid_out = bases
        .iter()
        .find(|base| base.kind.get() != crate::BaseKind::Object);
    Ok(match laid_out.or_else(|| bases.first()) {
        Some(base) => Value::Class(base.clone()),
        None => Value::None,
    })
}

/// Reads a name of the class or sets it.
fn name_attribute(
    args: Args<'_>,
    attribute: &str,
    field: impl Fn(&Class) -> &std::cell::RefCell<Name>,
) -> PyResult {
    let (class, rest) = args.split_self(attribute)?;
    let class = this(class, attribute)?;
    let [new] = rest.pos else {
        return Ok(field(class).borrow().to_value());
    };
    if !class.flags.get().mutable {
        return Err(Raised::type_error(format!(
            "cannot set '{attribute}' attribute of immutable type '{}'",
            class.name.borrow()
        )));
    }
    match new.as_pystr() {
        Some(s) if attribute == "__name__" && s.as_str().contains('\0') => {
            return Err(Raised::value_error(
                "type name must not contain null characters",
            ));
        }
        Some(s) => *field(class).borrow_mut() = Name::intern(s),
        None => {
            return Err(Raised::type_error(format!(
                "can only assign string to {}.{attribute}, not '{}'",
                class.name.borrow(),
                new.type_name()
            )));
        }
    }
    Ok(Value::None)
}

fn type_name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    name_attribute(args, "__name__", |class| &class.name)
}

fn qualname(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    name_attribute(args, "__qualname__", |class| &class.qualname)
}

fn dict(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class] = args.exactly::<1>("type.__dict__")?;
    Ok(super::mappingproxy::of_class(this(class, "type.__dict__")?))
}

/// An attribute that lives in the class's own dict.
fn own_attribute(args: Args<'_>, name: &Name) -> PyResult<Option<Value>> {
    let (class, rest) = args.split_self(name.as_str())?;
    let class = this(class, name.as_str())?;
    match rest.pos {
        // `type` itself has the descriptor there.
        [] if PyRef::ptr_eq(class, &types().type_) => Ok(None),
        [] => Ok(class.dict.borrow().get(name).cloned()),
        [value, ..] => {
            class.set(name, value.clone());
            Ok(Some(Value::None))
        }
    }
}

fn annotations(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let name = name!("__annotations__");
    if let Some(found) = own_attribute(args, name)? {
        return Ok(found);
    }
    let (class, _) = args.split_self("__annotations__")?;
    let class = this(class, "__annotations__")?;
    if !class.flags.get().mutable {
        return Err(Raised::no_attribute(&Value::Class(class.clone()), name));
    }
    let fresh = Value::dict(PyDict::new());
    class.set(name, fresh.clone());
    Ok(fresh)
}

fn abstract_methods(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let name = name!("__abstractmethods__");
    match own_attribute(args, name)? {
        Some(found) => Ok(found),
        None => {
            let (class, _) = args.split_self("__abstractmethods__")?;
            Err(Raised::attribute_error("__abstractmethods__", class, name))
        }
    }
}

fn basic_size(_: &mut dyn Vm, _: Args<'_>) -> PyResult {
    Ok(Value::Int(16))
}

fn flags(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    const HEAP_TYPE: i64 = 1 << 9;
    const BASE_TYPE: i64 = 1 << 10;
    let [class] = args.exactly::<1>("type.__flags__")?;
    let flags = this(class, "type.__flags__")?.flags.get();
    let heap = if flags.mutable { HEAP_TYPE } else { 0 };
    Ok(Value::Int(heap | if flags.sealed { 0 } else { BASE_TYPE }))
}
