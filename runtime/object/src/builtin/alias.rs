//! `list[int]` and `int | str`.
//!
//! In: classes and what they are subscripted with. Out: `types.GenericAlias` and
//! `types.UnionType`. Always: an alias behaves like its origin when called; a union only serves
//! `isinstance` and annotations.

use crate::heap::Tracer;
use crate::native::wrong_self;
use crate::types::full_name;
use crate::{
    Args, Foreign, Instance, IterState, NativeDef, PyIter, PyRef, PyResult, PyTuple, Raised, Value,
    Vm, attr, name, ops, text, types,
};

pub(crate) const GENERIC: &[NativeDef] = &[
    NativeDef::function("GenericAlias.__new__", new),
    NativeDef::method("GenericAlias.__call__", call),
    NativeDef::method("GenericAlias.__repr__", repr),
    NativeDef::method("GenericAlias.__getattr__", forward),
    NativeDef::method("GenericAlias.__getitem__", get_item),
    NativeDef::method("GenericAlias.__iter__", iter),
    NativeDef::method("GenericAlias.__eq__", eq),
    NativeDef::method("GenericAlias.__hash__", hash),
    NativeDef::method("GenericAlias.__or__", or),
    NativeDef::method("GenericAlias.__ror__", ror),
    NativeDef::method("GenericAlias.__mro_entries__", mro_entries),
    NativeDef::method("GenericAlias.__instancecheck__", |_, _| {
        Err(Raised::type_error(
            "isinstance() argument 2 cannot be a parameterized generic",
        ))
    }),
    NativeDef::method("GenericAlias.__subclasscheck__", |_, _| {
        Err(Raised::type_error(
            "issubclass() argument 2 cannot be a parameterized generic",
        ))
    }),
    NativeDef::getter("GenericAlias.__origin__", origin),
    NativeDef::getter("GenericAlias.__args__", arguments),
    NativeDef::getter("GenericAlias.__parameters__", parameters),
    NativeDef::getter("GenericAlias.__unpacked__", |_, args| {
        let [this] = args.exactly::<1>("__unpacked__")?;
        Ok(Value::bool(own(this, "__unpacked__")?.unpacked))
    }),
];

pub(crate) const UNION: &[NativeDef] = &[
    NativeDef::method("UnionType.__repr__", union_repr),
    NativeDef::method("UnionType.__eq__", union_eq),
    NativeDef::method("UnionType.__hash__", union_hash),
    NativeDef::method("UnionType.__or__", or),
    NativeDef::method("UnionType.__ror__", ror),
    NativeDef::method("UnionType.__getitem__", union_get_item),
    NativeDef::getter("UnionType.__args__", union_arguments),
    NativeDef::getter("UnionType.__parameters__", |vm, args| {
        let [this] = args.exactly::<1>("__parameters__")?;
        let members = own_union(this, "__parameters__")?.members.clone();
        variables(vm, &PyRef::new(PyTuple::new(members)))
    }),
];

struct Alias {
    origin: Value,
    arguments: PyRef<PyTuple>,
    /// Whether this is `*tuple[...]`.
    unpacked: bool,
}

struct Union {
    members: Vec<Value>,
}

impl Foreign for Alias {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.value(&self.origin);
        tracer.reference(&self.arguments);
    }
}

impl Foreign for Union {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values(&self.members);
    }
}

/// `cls[item]` of a built-in container.
pub fn class_getitem(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, [item]) = args.method::<1>("__class_getitem__")?;
    Ok(make(class, item))
}

/// `origin[item]`
pub(crate) fn make(origin: &Value, item: &Value) -> Value {
    let arguments = match item {
        Value::Tuple(t) => t.clone(),
        other => PyRef::new(PyTuple::new(vec![other.clone()])),
    };
    Instance::native(
        &types().generic_alias,
        Alias {
            origin: origin.clone(),
            arguments,
            unpacked: false,
        },
    )
}

/// `*tuple[int]`: the one thing that iterating gives.
fn iter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__iter__")?;
    let alias = own(this, "__iter__")?;
    let starred = Instance::native(
        &types().generic_alias,
        Alias {
            origin: alias.origin.clone(),
            arguments: alias.arguments.clone(),
            unpacked: true,
        },
    );
    Ok(PyIter::value(IterState::Tuple {
        tuple: PyRef::new(PyTuple::new(vec![starred])),
        index: 0,
    }))
}

fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a Alias> {
    v.foreign()
        .ok_or_else(|| wrong_self(method, "types.GenericAlias", v))
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = args.split_self("GenericAlias.__new__")?;
    let [origin, item] = rest.exactly::<2>("GenericAlias")?;
    Ok(make(origin, item))
}

fn call(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__call__")?;
    vm.call(&own(this, "__call__")?.origin, rest)
}

/// How a type shows in the text of an alias.
fn type_text(vm: &mut dyn Vm, v: &Value) -> PyResult<String> {
    match v {
        Value::Class(c) => Ok(full_name(c)),
        Value::None => Ok("None".to_owned()),
        Value::Ellipsis => Ok("...".to_owned()),
        Value::List(items) => {
            let parts: PyResult<Vec<String>> = items
                .to_vec()
                .iter()
                .map(|item| type_text(vm, item))
                .collect();
            Ok(format!("[{}]", parts?.join(", ")))
        }
        other => text::repr(vm, other),
    }
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    let alias = own(this, "__repr__")?;
    let mut parts = Vec::new();
    for argument in alias.arguments.items.iter() {
        parts.push(type_text(vm, argument)?);
    }
    if parts.is_empty() {
        parts.push("()".to_owned());
    }
    Ok(Value::from(format!(
        "{}{}[{}]",
        if alias.unpacked { "*" } else { "" },
        type_text(vm, &alias.origin)?,
        parts.join(", ")
    )))
}

fn forward(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [attribute]) = args.method::<1>("__getattr__")?;
    let Some(s) = attribute.as_pystr() else {
        return Err(Raised::type_error("attribute name must be string"));
    };
    attr::get(
        vm,
        &own(this, "__getattr__")?.origin,
        &crate::Name::intern(s),
    )
}

fn get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("__getitem__")?;
    let alias = own(this, "__getitem__")?;
    let arguments = substituted(vm, this, &alias.arguments, item)?;
    Ok(make(&alias.origin, &arguments))
}

/// The type variables among arguments.
fn variables(vm: &mut dyn Vm, arguments: &PyRef<PyTuple>) -> PyResult {
    let is_none = |v: &Value| match v.foreign::<Alias>() {
        Some(alias) => alias.arguments.items.iter().all(is_plain),
        None => is_plain(v),
    };
    if arguments.items.iter().all(is_none) {
        return Ok(Value::tuple(Vec::new()));
    }
    let typing = vm.import("typing")?;
    let find = attr::get(vm, &typing, name!("_parameters"))?;
    vm.call(&find, Args::new(&[Value::Tuple(arguments.clone())]))
}

/// Whether an argument can be told to hold no type variable.
fn is_plain(v: &Value) -> bool {
    matches!(v, Value::Class(_) | Value::None | Value::Ellipsis) || v.as_str().is_some()
}

/// The arguments with what is written in brackets in the place of their variables.
fn substituted(
    vm: &mut dyn Vm,
    this: &Value,
    arguments: &PyRef<PyTuple>,
    item: &Value,
) -> PyResult {
    let variables = variables(vm, arguments)?;
    if variables.as_tuple().is_none_or(|t| t.items.is_empty()) {
        let shown = text::repr(vm, this)?;
        return Err(Raised::type_error(format!(
            "{shown} is not a generic class"
        )));
    }
    let typing = vm.import("typing")?;
    let values = attr::get(vm, &typing, name!("_values"))?;
    let values = vm.call(&values, Args::new(&[this.clone(), variables, item.clone()]))?;
    let substitute = attr::get(vm, &typing, name!("_substituted"))?;
    vm.call(
        &substitute,
        Args::new(&[Value::Tuple(arguments.clone()), values]),
    )
}

fn eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("__eq__")?;
    let a = own(this, "__eq__")?;
    let Some(b) = other.foreign::<Alias>() else {
        return Ok(Value::NotImplemented);
    };
    let same = a.unpacked == b.unpacked
        && ops::eq(vm, &a.origin, &b.origin)?
        && ops::eq(
            vm,
            &Value::Tuple(a.arguments.clone()),
            &Value::Tuple(b.arguments.clone()),
        )?;
    Ok(Value::bool(same))
}

fn hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__hash__")?;
    let alias = own(this, "__hash__")?;
    let origin = ops::hash(vm, &alias.origin)?;
    Ok(Value::Int(
        origin ^ ops::hash(vm, &Value::Tuple(alias.arguments.clone()))?,
    ))
}

fn mro_entries(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, _) = args.split_self("__mro_entries__")?;
    Ok(Value::tuple(vec![
        own(this, "__mro_entries__")?.origin.clone(),
    ]))
}

fn origin(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__origin__")?;
    Ok(own(this, "__origin__")?.origin.clone())
}

fn arguments(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__args__")?;
    Ok(Value::Tuple(own(this, "__args__")?.arguments.clone()))
}

fn parameters(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__parameters__")?;
    variables(vm, &own(this, "__parameters__")?.arguments)
}

/// Whether a value is an alias or a union.
fn is_alias(v: &Value) -> bool {
    v.foreign::<Alias>().is_some() || v.foreign::<Union>().is_some()
}

/// `a | b` of types.
pub(crate) fn union_of(a: &Value, b: &Value) -> Value {
    let mut members: Vec<Value> = Vec::new();
    for side in [a, b] {
        let parts = match side.foreign::<Union>() {
            Some(union) => union.members.clone(),
            None => vec![side.clone()],
        };
        for part in parts {
            let part = match part {
                Value::None => Value::Class(types().none_type.clone()),
                part => part,
            };
            if !members.iter().any(|m| ops::is(m, &part)) {
                members.push(part);
            }
        }
    }
    if let [only] = members.as_slice() {
        return only.clone();
    }
    Instance::native(&types().union_type, Union { members })
}

/// Members of `int | str` as classes, if the value is such a union.
pub fn union_members(v: &Value) -> Option<Vec<Value>> {
    Some(v.foreign::<Union>()?.members.clone())
}

fn or(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (a, [b]) = args.method::<1>("__or__")?;
    Ok(if joins(b) {
        union_of(a, b)
    } else {
        Value::NotImplemented
    })
}

fn ror(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (b, [a]) = args.method::<1>("__ror__")?;
    Ok(if joins(a) {
        union_of(a, b)
    } else {
        Value::NotImplemented
    })
}

/// Whether a value can stand in a union: classes, None, aliases, and functions that stand for classes.
pub(crate) fn joins(v: &Value) -> bool {
    match v {
        Value::Class(_) | Value::None => true,
        Value::Instance(_) => is_alias(v),
        other => crate::types::stand_in(other, None).is_some(),
    }
}

fn own_union<'a>(v: &'a Value, method: &str) -> PyResult<&'a Union> {
    v.foreign()
        .ok_or_else(|| wrong_self(method, "types.UnionType", v))
}

fn union_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__repr__")?;
    let mut parts = Vec::new();
    for member in &own_union(this, "__repr__")?.members {
        parts.push(match member {
            Value::Class(c) if PyRef::ptr_eq(c, &types().none_type) => "None".to_owned(),
            other => type_text(vm, other)?,
        });
    }
    Ok(Value::from(parts.join(" | ")))
}

fn union_eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("__eq__")?;
    let a = own_union(this, "__eq__")?.members.clone();
    let Some(b) = other.foreign::<Union>() else {
        return Ok(Value::NotImplemented);
    };
    let b = b.members.clone();
    if a.len() != b.len() {
        return Ok(Value::bool(false));
    }
    for member in &a {
        let mut found = false;
        for other in &b {
            found = found || ops::eq(vm, member, other)?;
        }
        if !found {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

/// That of a frozenset of the members, whose order does not matter.
fn union_hash(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__hash__")?;
    let members = Value::list(own_union(this, "__hash__")?.members.clone());
    let frozen = Value::Class(types().frozenset.clone());
    let set = vm.call(&frozen, Args::new(&[members]))?;
    Ok(Value::Int(ops::hash(vm, &set)?))
}

/// A union of types with type variables, with others in their places.
fn union_get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("__getitem__")?;
    let members = PyRef::new(PyTuple::new(
        own_union(this, "__getitem__")?.members.clone(),
    ));
    let made = substituted(vm, this, &members, item)?;
    let mut made = ops::collect(vm, &made)?.into_iter();
    let mut union = made.next().unwrap_or(Value::None);
    for member in made {
        union = ops::binary(vm, janus_bytecode::BinaryOp::Or, &union, &member)?;
    }
    Ok(union)
}

fn union_arguments(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__args__")?;
    own_union(this, "__args__")?;
    Ok(Value::tuple(union_members(this).unwrap_or_default()))
}
