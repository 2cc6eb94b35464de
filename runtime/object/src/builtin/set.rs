//! `set` and `frozenset`.
//!
//! In: arguments of calls. Out: constructors and methods. Always: methods take any iterable,
//! operators only sets; the result has the kind of `self`.

use janus_bytecode::CompareOp;

use crate::native::wrong_self;
use crate::ops::Taken;
use crate::{
    Args, Class, NativeDef, Payload, PyRef, PyResult, PySet, Raised, Value, Vm, ops, types,
};

use super::int::{class_argument, no_keywords_unless};

/// Methods of both kinds; `set` has [`MUTABLE`] besides.
pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("set.__new__", new),
    NativeDef::method("set.__init__", init),
    NativeDef::method("set.__reduce__", reduce),
    NativeDef::method("set.copy", copy),
    NativeDef::method("set.union", union),
    NativeDef::method("set.intersection", intersection),
    NativeDef::method("set.difference", difference),
    NativeDef::method("set.symmetric_difference", symmetric_difference),
    NativeDef::method("set.issubset", issubset),
    NativeDef::method("set.issuperset", issuperset),
    NativeDef::method("set.isdisjoint", isdisjoint),
    NativeDef::class_method("set.__class_getitem__", super::alias::class_getitem),
];

pub(crate) const FROZEN: &[NativeDef] = &[
    NativeDef::function("frozenset.__new__", new_frozen),
    NativeDef::method("frozenset.__reduce__", reduce),
    NativeDef::method("frozenset.copy", copy),
    NativeDef::method("frozenset.union", union),
    NativeDef::method("frozenset.intersection", intersection),
    NativeDef::method("frozenset.difference", difference),
    NativeDef::method("frozenset.symmetric_difference", symmetric_difference),
    NativeDef::method("frozenset.issubset", issubset),
    NativeDef::method("frozenset.issuperset", issuperset),
    NativeDef::method("frozenset.isdisjoint", isdisjoint),
    NativeDef::class_method("frozenset.__class_getitem__", super::alias::class_getitem),
];

pub(crate) const MUTABLE: &[NativeDef] = &[
    NativeDef::method("set.add", add).quick(super::quick::set_add),
    NativeDef::method("set.remove", remove).quick(super::quick::set_remove),
    NativeDef::method("set.discard", discard).quick(super::quick::set_discard),
    NativeDef::method("set.pop", pop),
    NativeDef::method("set.clear", clear),
    NativeDef::method("set.update", update),
    NativeDef::method("set.intersection_update", intersection_update),
    NativeDef::method("set.difference_update", difference_update),
    NativeDef::method(
        "set.symmetric_difference_update",
        symmetric_difference_update,
    ),
];

#[inline]
fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<PySet>> {
    v.as_set().ok_or_else(|| wrong_self(method, "set", v))
}

/// How a set is copied and pickled.
fn reduce(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("set.__reduce__")?;
    let items = Value::list(own(this, "__reduce__")?.items());
    let class = Value::Class(crate::class_of(this));
    let state = super::object::getstate(vm, Args::new(std::slice::from_ref(this)))?;
    Ok(Value::tuple(vec![class, Value::tuple(vec![items]), state]))
}

fn make(class: &PyRef<Class>, exact: &PyRef<Class>, set: PySet) -> PyResult {
    if PyRef::ptr_eq(class, exact) {
        return Ok(Value::Set(PyRef::new(set)));
    }
    if class.has_metaclass() {
        super::object::check_abstract(class)?;
    }
    Ok(Value::instance(class, Payload::Set(PyRef::new(set))))
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, _) = class_argument(args, "set.__new__")?;
    make(class, &types().set, PySet::new(false))
}

fn init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("set.__init__")?;
    let set = own(this, "__init__")?;
    set.replace_with(filled(vm, rest)?);
    Ok(Value::None)
}

/// `set(...)`
pub(crate) fn construct(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::Set(PyRef::new(filled(vm, args)?)))
}

/// What a call of `set` is given.
fn filled(vm: &mut dyn Vm, args: Args<'_>) -> PyResult<PySet> {
    match args.between("set", 0, 1)? {
        [iterable] => set_of(vm, iterable, false),
        _ => Ok(PySet::new(false)),
    }
}

/// `frozenset(...)`
pub(crate) fn construct_frozen(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(match args.between("frozenset", 0, 1)? {
        [same @ Value::Set(s)] if s.frozen => same.clone(),
        [iterable] => Value::Set(PyRef::new(set_of(vm, iterable, true)?)),
        _ => Value::Set(PyRef::new(PySet::new(true))),
    })
}

fn new_frozen(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (class, rest) = class_argument(args, "frozenset.__new__")?;
    if PyRef::ptr_eq(class, &types().frozenset) {
        return construct_frozen(vm, rest);
    }
    no_keywords_unless(crate::name!("__init__"), class, &types().frozenset, &rest)?;
    let set = match Args::new(rest.pos).between("frozenset", 0, 1)? {
        [iterable] => set_of(vm, iterable, true)?,
        _ => PySet::new(true),
    };
    make(class, &types().frozenset, set)
}

/// A set of the values of an iterable.
pub(crate) fn set_of(vm: &mut dyn Vm, iterable: &Value, frozen: bool) -> PyResult<PySet> {
    if let Some(other) = iterable.as_set() {
        return Ok(other.copy(frozen));
    }
    let set = PySet::new(frozen);
    update_from(vm, &set, iterable)?;
    Ok(set)
}

fn other_set(vm: &mut dyn Vm, v: &Value) -> PyResult<PyRef<PySet>> {
    match v.as_set() {
        Some(set) => Ok(set.clone()),
        None => Ok(PyRef::new(set_of(vm, v, false)?)),
    }
}

/// `self` and the other arguments of a method that takes any number of iterables.
fn many<'a>(args: Args<'a>, method: &'static str) -> PyResult<(&'a PyRef<PySet>, &'a [Value])> {
    let (this, rest) = args.split_self(method)?;
    rest.no_keywords(method)?;
    Ok((own(this, method)?, rest.pos))
}

fn wrap(set: PySet) -> PyResult {
    Ok(Value::Set(PyRef::new(set)))
}

/// `set |= iterable`
pub(super) fn update_from(vm: &mut dyn Vm, set: &PySet, iterable: &Value) -> PyResult<()> {
    if let Some(other) = iterable.as_set() {
        return set.update(vm, other);
    }
    if let Value::Dict(dict) = iterable {
        set.reserve(dict.len());
        // A dict knows the hashes of its keys.
        for (hash, key) in dict.hashed_keys() {
            set.add_hashed(vm, key, hash)?;
        }
        return Ok(());
    }
    let mut from = 0;
    if let Value::List(_) | Value::Tuple(_) = iterable {
        // As long as no Python is needed, nobody changes them.
        let added = |items: &[Value]| {
            let simple = |item: &&Value| set.add_simple(item).is_some();
            items.iter().take_while(simple).count()
        };
        let count;
        (from, count) = match iterable {
            Value::List(list) => (added(&list.items.borrow()), list.len()),
            Value::Tuple(tuple) => (added(&tuple.items), tuple.items.len()),
            _ => (0, 0),
        };
        if from == count {
            return Ok(());
        }
    }
    if let Value::Str(text) = iterable {
        // A character that is there already changes nothing: each of ASCII is added where it comes first.
        let mut there = [false; 128];
        for c in text.as_str().chars() {
            let known = there.get_mut(c as usize);
            if known.is_some_and(|known| std::mem::replace(known, true)) {
                continue;
            }
            set.add(vm, Value::char(c))?;
        }
        return Ok(());
    }
    let it = ops::iter(vm, iterable)?;
    for _ in 0..from {
        ops::next(vm, &it)?;
    }
    // What numbers and strings hash to and equal is nobody else's business: they are added together.
    let mut plain: Vec<Value> = Vec::new();
    let hold = |plain: &mut Vec<Value>, item: Value| match item {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
            plain.push(item);
            Taken::Done
        }
        other => Taken::Not(other),
    };
    let add_all = |vm: &mut dyn Vm, plain: &mut Vec<Value>| {
        plain
            .drain(..)
            .try_for_each(|item| set.add(vm, item).map(drop))
    };
    let ended = ops::for_each(vm, &it, &mut plain, hold, |vm, plain, item| {
        add_all(vm, plain)?;
        set.add(vm, item)?;
        Ok(true)
    });
    add_all(vm, &mut plain)?;
    ended
}

/// `set & iterable`
fn intersect(vm: &mut dyn Vm, set: &PySet, iterable: &Value) -> PyResult<PySet> {
    if let Some(other) = iterable.as_set() {
        return set.intersection(vm, other);
    }
    let result = PySet::new(set.frozen);
    let it = ops::iter(vm, iterable)?;
    while let Some(item) = ops::next(vm, &it)? {
        if set.contains(vm, &item)? {
            result.add(vm, item)?;
        }
    }
    Ok(result)
}

/// `set -= iterable`
pub(super) fn subtract(vm: &mut dyn Vm, set: &PySet, iterable: &Value) -> PyResult<()> {
    if let Some(other) = iterable.as_set() {
        return set.difference_update(vm, other);
    }
    let it = ops::iter(vm, iterable)?;
    while let Some(item) = ops::next(vm, &it)? {
        set.remove(vm, &item)?;
    }
    set.drop_dummies();
    Ok(())
}

fn union(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (set, others) = many(args, "set.union")?;
    let result = set.copy(set.frozen);
    for other in others {
        update_from(vm, &result, other)?;
    }
    wrap(result)
}

fn intersection_of(vm: &mut dyn Vm, set: &PySet, others: &[Value]) -> PyResult<PySet> {
    let Some((first, others)) = others.split_first() else {
        return Ok(set.copy(set.frozen));
    };
    let mut result = intersect(vm, set, first)?;
    for other in others {
        result = intersect(vm, &result, other)?;
    }
    Ok(result)
}

fn intersection(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (set, others) = many(args, "set.intersection")?;
    wrap(intersection_of(vm, set, others)?)
}

fn difference(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (set, others) = many(args, "set.difference")?;
    let Some((first, others)) = others.split_first() else {
        return wrap(set.copy(set.frozen));
    };
    let result = match first.as_set() {
        Some(first) => set.difference(vm, first)?,
        None => {
            let result = set.copy(set.frozen);
            subtract(vm, &result, first)?;
            result
        }
    };
    for other in others {
        subtract(vm, &result, other)?;
    }
    wrap(result)
}

fn symmetric_difference(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("set.symmetric_difference")?;
    let set = own(this, "symmetric_difference")?;
    let result = set_of(vm, other, set.frozen)?;
    result.symmetric_update(vm, set)?;
    wrap(result)
}

fn update(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (set, others) = many(args, "set.update")?;
    for other in others {
        update_from(vm, set, other)?;
    }
    Ok(Value::None)
}

fn intersection_update(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (set, others) = many(args, "set.intersection_update")?;
    let result = intersection_of(vm, set, others)?;
    set.replace_with(result);
    Ok(Value::None)
}

fn difference_update(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (set, others) = many(args, "set.difference_update")?;
    for other in others {
        subtract(vm, set, other)?;
    }
    Ok(Value::None)
}

fn symmetric_difference_update(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("set.symmetric_difference_update")?;
    let other = other_set(vm, other)?;
    own(this, "symmetric_difference_update")?.symmetric_update(vm, &other)?;
    Ok(Value::None)
}

fn relation(vm: &mut dyn Vm, args: Args<'_>, method: &'static str, op: CompareOp) -> PyResult {
    let (this, [other]) = args.method::<1>(method)?;
    let other = other_set(vm, other)?;
    Ok(Value::bool(ops::compare_sets(
        vm,
        op,
        own(this, method)?,
        &other,
    )?))
}

fn issubset(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    relation(vm, args, "set.issubset", CompareOp::Le)
}

fn issuperset(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    relation(vm, args, "set.issuperset", CompareOp::Ge)
}

fn isdisjoint(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("set.isdisjoint")?;
    let other = other_set(vm, other)?;
    for item in own(this, "isdisjoint")?.items() {
        if other.contains(vm, &item)? {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn copy(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("set.copy")?;
    let set = own(this, "copy")?;
    if set.frozen && matches!(this, Value::Set(_)) {
        return Ok(this.clone());
    }
    wrap(set.copy(set.frozen))
}

fn add(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("set.add")?;
    own(this, "add")?.add(vm, item.clone())?;
    Ok(Value::None)
}

/// Removes an element; a set stands for a frozenset. Whether it was there.
fn take(vm: &mut dyn Vm, set: &PySet, item: &Value) -> PyResult<bool> {
    match ops::hashable(vm, item)? {
        Some(frozen) => set.remove(vm, &frozen),
        None => set.remove(vm, item),
    }
}

fn remove(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("set.remove")?;
    if take(vm, own(this, "remove")?, item)? {
        Ok(Value::None)
    } else {
        Err(Raised::key_error(item.clone()))
    }
}

fn discard(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [item]) = args.method::<1>("set.discard")?;
    take(vm, own(this, "discard")?, item)?;
    Ok(Value::None)
}

fn pop(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("set.pop")?;
    own(this, "pop")?
        .pop_first()
        .ok_or_else(|| Raised::key_error(Value::from("pop from an empty set")))
}

fn clear(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("set.clear")?;
    own(this, "clear")?.clear();
    Ok(Value::None)
}
