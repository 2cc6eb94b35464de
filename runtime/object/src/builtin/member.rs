//! Slots as a class shows them: `member_descriptor`.
//!
//! In: a class and a name of its `__slots__`. Out: what reads, writes and deletes that attribute of an instance. Always: it
//! is made when a class is asked for it, and instances are read by their layout; where a base has something else of that name, it
//! is in the class's dict.

use crate::native::wrong_self;
use crate::{
    Args, Class, Instance, Name, NativeDef, PyRef, PyResult, Raised, Value, Vm, attr, class_of,
    name, types,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::method("member_descriptor.__get__", get),
    NativeDef::method("member_descriptor.__set__", set),
    NativeDef::method("member_descriptor.__delete__", delete),
    NativeDef::method("member_descriptor.__repr__", |_, args| {
        let member = own(&args)?;
        let class = member.class.name.borrow();
        let what = match member.name.as_str() {
            "__weakref__" | "__dict__" => "attribute",
            _ => "member",
        };
        Ok(Value::str(format!(
            "<{what} '{}' of '{class}' objects>",
            member.name
        )))
    }),
    NativeDef::method("member_descriptor.__eq__", |_, args| {
        let (_, [other]) = args.method::<1>("__eq__")?;
        let member = own(&args)?;
        let same = other
            .foreign::<Member>()
            .is_some_and(|o| o.name == member.name && PyRef::ptr_eq(&o.class, &member.class));
        Ok(Value::bool(same))
    }),
    NativeDef::method("member_descriptor.__hash__", |_, args| {
        let member = own(&args)?;
        Ok(Value::Int(crate::hash_bytes(
            member.name.as_str().as_bytes(),
        )))
    }),
    NativeDef::getter("member_descriptor.__name__", |_, args| {
        Ok(own(&args)?.name.to_value())
    }),
    NativeDef::getter("member_descriptor.__qualname__", |_, args| {
        let member = own(&args)?;
        let class = member.class.name.borrow();
        Ok(Value::str(format!("{class}.{}", member.name)))
    }),
    NativeDef::getter("member_descriptor.__objclass__", |_, args| {
        Ok(Value::Class(own(&args)?.class.clone()))
    }),
    NativeDef::getter("member_descriptor.__doc__", |_, args| {
        own(&args)?;
        Ok(Value::None)
    }),
];

struct Member {
    name: Name,
    class: PyRef<Class>,
}

impl crate::Foreign for Member {
    fn trace(&self, tracer: &mut crate::heap::Tracer<'_>) {
        tracer.reference(&self.class);
    }
}

/// The descriptor of a slot that the class or a base of it names.
pub(crate) fn of_slot(class: &PyRef<Class>, name: &Name) -> Option<Value> {
    if name == name!("__weakref__") {
        return Some(made(&class.weak_owner()?, name));
    }
    Some(made(&class.slot_owner(name)?, name))
}

/// The descriptor of a slot that the class itself names.
pub(crate) fn made(class: &PyRef<Class>, name: &Name) -> Value {
    let member = Member {
        name: name.clone(),
        class: class.clone(),
    };
    Instance::native(&types().member_descriptor, member)
}

/// Where the value of a slot is kept.
fn storage(object: &Value) -> Option<PyRef<crate::PyDict>> {
    object.as_instance().map(|instance| instance.dict())
}

fn own<'a>(args: &Args<'a>) -> PyResult<&'a Member> {
    let this = args.pos.first().unwrap_or(&Value::None);
    this.foreign::<Member>()
        .ok_or_else(|| wrong_self("method", "member_descriptor", this))
}

fn check(member: &Member, object: &Value) -> PyResult<()> {
    if class_of(object).is_subclass_of(&member.class) {
        return Ok(());
    }
    Err(Raised::type_error(format!(
        "descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
        member.name,
        member.class.name.borrow(),
        object.type_name()
    )))
}

fn get(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__get__")?;
    let member = own(&args)?;
    match rest.between("__get__", 1, 2)?.first() {
        None | Some(Value::None) => Ok(this.clone()),
        Some(object) => {
            check(member, object)?;
            if member.name == *name!("__dict__") {
                return super::object::dict(vm, Args::new(std::slice::from_ref(object)));
            }
            if member.name == *name!("__weakref__") {
                return first_reference(vm, object);
            }
            match storage(object).and_then(|slots| slots.get_name(&member.name)) {
                Some(value) => Ok(value),
                None => Err(attr::missing(object, &member.name)),
            }
        }
    }
}

/// The oldest of the weak references to an object, `None` where there is none.
fn first_reference(vm: &mut dyn Vm, object: &Value) -> PyResult {
    let module = vm.import("_weakref")?;
    let listed = attr::get(vm, &module, name!("getweakrefs"))?;
    let found = vm.call(&listed, Args::new(std::slice::from_ref(object)))?;
    let first = found
        .as_list()
        .and_then(|list| list.items.borrow().first().cloned());
    Ok(first.unwrap_or(Value::None))
}

fn set(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [object, value]) = args.method::<2>("__set__")?;
    let member = own(&args)?;
    check(member, object)?;
    if member.name == *name!("__dict__") {
        return super::object::dict(vm, Args::new(&[object.clone(), value.clone()]));
    }
    if member.name == *name!("__weakref__") {
        return Err(Raised::attribute_error(
            format!(
                "attribute '__weakref__' of '{}' objects is not writable",
                object.type_name()
            ),
            object,
            &member.name,
        ));
    }
    if let Some(slots) = storage(object) {
        slots.set_name(&member.name, value.clone());
    }
    Ok(Value::None)
}

fn delete(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [object]) = args.method::<1>("__delete__")?;
    let member = own(&args)?;
    check(member, object)?;
    match storage(object).and_then(|slots| slots.remove_name(&member.name)) {
        Some(_) => Ok(Value::None),
        None => Err(attr::missing(object, &member.name)),
    }
}
