//! `collections.deque`.
//!
//! In: iterables. Out: double-ended queues. Always: with a `maxlen` the queue never holds more;
//! iterating over a queue that changed raises, as CPython's does.

use janus_bytecode::CompareOp;
use janus_interp::Interp;
use janus_object::{
    Args, BaseKind, Class, Collection, DictPart, Name, NativeDef, NativeIterator, PyDeque, PyDict,
    PyIter, PyRef, PyResult, Raised, Signature, Value, Vm, heap::Tracer, name, ops, text, types,
    view_method,
};

use crate::support::{foreign_class, int, module, type_name};

const METHODS: &[NativeDef] = &[
    NativeDef::function("deque.__new__", new),
    NativeDef::method("deque.__init__", init),
    NativeDef::method("deque.append", append)
        .leaf()
        .quick(quick_append),
    NativeDef::method("deque.appendleft", appendleft)
        .leaf()
        .quick(quick_appendleft),
    NativeDef::method("deque.pop", pop).leaf().quick(quick_pop),
    NativeDef::method("deque.popleft", popleft)
        .leaf()
        .quick(quick_popleft),
    NativeDef::method("deque.extend", extend),
    NativeDef::method("deque.extendleft", extendleft),
    NativeDef::method("deque.clear", clear).leaf(),
    NativeDef::method("deque.copy", copy),
    NativeDef::method("deque.__copy__", copy),
    NativeDef::method("deque.count", count),
    NativeDef::method("deque.index", index),
    NativeDef::method("deque.insert", insert),
    NativeDef::method("deque.remove", remove),
    NativeDef::method("deque.reverse", reverse).leaf(),
    NativeDef::method("deque.rotate", rotate),
    NativeDef::getter("deque.maxlen", maxlen),
    NativeDef::noargs_method("deque.__len__", len).leaf(),
    NativeDef::noargs_method("deque.__iter__", iter),
    NativeDef::noargs_method("deque.__reversed__", reversed),
    NativeDef::method("deque.__contains__", contains),
    NativeDef::method("deque.__getitem__", getitem),
    NativeDef::method("deque.__setitem__", setitem),
    NativeDef::method("deque.__delitem__", delitem),
    NativeDef::method("deque.__repr__", repr),
    NativeDef::method("deque.__eq__", |vm, args| compare(vm, args, CompareOp::Eq)),
    NativeDef::method("deque.__ne__", |vm, args| compare(vm, args, CompareOp::Ne)),
    NativeDef::method("deque.__lt__", |vm, args| compare(vm, args, CompareOp::Lt)),
    NativeDef::method("deque.__le__", |vm, args| compare(vm, args, CompareOp::Le)),
    NativeDef::method("deque.__gt__", |vm, args| compare(vm, args, CompareOp::Gt)),
    NativeDef::method("deque.__ge__", |vm, args| compare(vm, args, CompareOp::Ge)),
    NativeDef::method("deque.__add__", add),
    NativeDef::method("deque.__iadd__", iadd),
    NativeDef::method("deque.__mul__", mul),
    NativeDef::method("deque.__rmul__", mul),
    NativeDef::method("deque.__imul__", imul),
    NativeDef::method("deque.__reduce__", reduce),
    NativeDef::class_method("deque.__class_getitem__", janus_object::class_getitem),
];

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = {
            let class = foreign_class("deque", "collections", METHODS);
            class.own_collection.set(Some(Collection::Sequence));
            class.set(janus_object::name!("__hash__"), Value::None);
            class
        };
    }
    CLASS.with(PyRef::clone)
}

/// Makes `_deque`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module(
        "_deque",
        "",
        &[NativeDef::function("_deque.tuple_field", tuple_field)],
    );
    // They are those of a dict in a graph, which refuses a class that they would ask.
    for (name, native) in [
        (
            "ordered_init",
            NativeDef::method("dict.__init__", ordered_init),
        ),
        (
            "ordered_update",
            NativeDef::method("dict.update", ordered_update),
        ),
    ] {
        m.set(name, native.to_value());
    }
    for (name, part) in [
        ("ordered_keys", DictPart::Keys),
        ("ordered_values", DictPart::Values),
        ("ordered_items", DictPart::Items),
    ] {
        m.set(name, view_method(part, true));
    }
    m.set("deque", Value::Class(class()));
    for (name, backwards) in [
        ("_deque_iterator", false),
        ("_deque_reverse_iterator", true),
    ] {
        m.set(name, Value::Class(iterator_class(backwards)));
    }
    Ok(Value::Module(m))
}

fn ordered_init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    fill_ordered(vm, args, name!("__init__"))
}

fn ordered_update(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    fill_ordered(vm, args, name!("update"))
}

/// `OrderedDict.__init__` and `update`: what `method` of a dict does, but by the `__setitem__` of the object's class.
fn fill_ordered(vm: &mut dyn Vm, args: Args<'_>, method: &Name) -> PyResult {
    let of_dict = types().dict.lookup(method).unwrap_or(Value::None);
    let own = args.pos.first().filter(|this| {
        ops::special(this, name!("__setitem__")).is_some_and(|m| !matches!(m, Value::Native(_)))
    });
    let Some(this) = own.cloned() else {
        return vm.call(&of_dict, args);
    };
    let entries = PyRef::new(PyDict::new());
    let mut pos = args.pos.to_vec();
    pos[0] = Value::Dict(entries.clone());
    vm.call(&of_dict, Args { pos: &pos, ..args })?;
    for (key, value) in entries.items() {
        ops::set_item(vm, &this, &key, value)?;
    }
    Ok(Value::None)
}

/// `tuple_field(index)`: a read-only attribute that is an item of the tuple, for `namedtuple`, with a
/// docstring that can be written.
fn tuple_field(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [index] = args.exactly("tuple_field")?;
    let index = usize::try_from(int(vm, index)?).unwrap_or(usize::MAX);
    let field = crate::structseq::field("tuple_field", index);
    if let Value::Native(field) = &field {
        let doc = Value::str(format!("Alias for field number {index}"));
        *field.written_doc.borrow_mut() = Some(doc);
    }
    Ok(field)
}

/// An index, counted from the end if negative.
fn resolve(data: &PyDeque, index: i64) -> PyResult<usize> {
    let len = data.len() as i64;
    let at = if index < 0 { index + len } else { index };
    if (0..len).contains(&at) {
        Ok(at as usize)
    } else {
        Err(Raised::index_error("deque index out of range"))
    }
}

fn deque(value: &Value) -> PyResult<&PyDeque> {
    value.foreign::<PyDeque>().ok_or_else(|| {
        Raised::type_error(format!("a deque is required, not '{}'", type_name(value)))
    })
}

fn this<'a>(args: &Args<'a>) -> PyResult<&'a PyDeque> {
    match args.pos.first() {
        Some(value) => deque(value),
        None => Err(Raised::type_error(
            "unbound method of deque needs an argument",
        )),
    }
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.pos.first().and_then(Value::as_class) {
        Some(class) => Ok(PyDeque::make(class, Vec::new(), None)),
        None => Err(Raised::type_error(
            "deque.__new__(X): X is not a type object",
        )),
    }
}

fn init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("deque", ["iterable", "maxlen"]).required(0);
    let (receiver, [iterable, max]) = SIGNATURE.parse_method(args)?;
    let max = match max {
        None | Some(Value::None) => None,
        Some(value) => {
            let max = int(vm, &value)?;
            Some(
                usize::try_from(max)
                    .map_err(|_| Raised::value_error("maxlen must be non-negative"))?,
            )
        }
    };
    let data = deque(receiver)?;
    data.max.set(max);
    let old = data.replace(Vec::new());
    drop(old);
    data.touch();
    if let Some(iterable) = iterable {
        extend_from(vm, data, &iterable)?;
    }
    Ok(Value::None)
}

fn extend_from(vm: &mut dyn Vm, data: &PyDeque, iterable: &Value) -> PyResult<()> {
    if iterable
        .foreign::<PyDeque>()
        .is_some_and(|other| std::ptr::eq(other, data))
    {
        for value in ops::collect(vm, iterable)? {
            data.push_back(value);
        }
        return Ok(());
    }
    let iter = ops::iter(vm, iterable)?;
    while let Some(value) = ops::next(vm, &iter)? {
        data.push_back(value);
    }
    Ok(())
}

fn append(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [value]) = args.method("deque.append")?;
    deque(receiver)?.push_back(value.clone());
    Ok(Value::None)
}

fn appendleft(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [value]) = args.method("deque.appendleft")?;
    deque(receiver)?.push_front(value.clone());
    Ok(Value::None)
}

fn popped(data: &PyDeque, value: Option<Value>) -> PyResult {
    data.touch();
    value.ok_or_else(|| Raised::index_error("pop from an empty deque"))
}

fn pop(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, []) = args.method("deque.pop")?;
    let data = deque(receiver)?;
    let value = data.pop_back();
    popped(data, value)
}

fn popleft(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, []) = args.method("deque.popleft")?;
    let data = deque(receiver)?;
    let value = data.pop_front();
    popped(data, value)
}

fn quick_append(args: &[Value]) -> Option<Value> {
    let [receiver, value] = args else { return None };
    receiver.foreign::<PyDeque>()?.push_back(value.clone());
    Some(Value::None)
}

fn quick_appendleft(args: &[Value]) -> Option<Value> {
    let [receiver, value] = args else { return None };
    receiver.foreign::<PyDeque>()?.push_front(value.clone());
    Some(Value::None)
}

fn quick_pop(args: &[Value]) -> Option<Value> {
    let [receiver] = args else { return None };
    let data = receiver.foreign::<PyDeque>()?;
    let value = data.pop_back()?;
    data.touch();
    Some(value)
}

fn quick_popleft(args: &[Value]) -> Option<Value> {
    let [receiver] = args else { return None };
    let data = receiver.foreign::<PyDeque>()?;
    let value = data.pop_front()?;
    data.touch();
    Some(value)
}

fn extend(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [iterable]) = args.method("deque.extend")?;
    extend_from(vm, deque(receiver)?, iterable)?;
    Ok(Value::None)
}

fn extendleft(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [iterable]) = args.method("deque.extendleft")?;
    let data = deque(receiver)?;
    for value in ops::collect(vm, iterable)? {
        data.push_front(value);
    }
    Ok(Value::None)
}

fn clear(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.method::<0>("deque.clear")?;
    let data = this(&args)?;
    let old = data.replace(Vec::new());
    drop(old);
    data.touch();
    Ok(Value::None)
}

fn class_of(value: &Value) -> PyRef<Class> {
    value.as_instance().map_or_else(class, |i| i.class())
}

/// Another deque of the same class and items; a derived class makes its own.
fn duplicate(vm: &mut dyn Vm, receiver: &Value) -> PyResult {
    let data = deque(receiver)?;
    let kind = class_of(receiver);
    if PyRef::ptr_eq(&kind, &class()) {
        return Ok(PyDeque::make(&kind, data.items().to_vec(), data.max.get()));
    }
    let mut given = vec![receiver.clone()];
    given.extend(data.max.get().map(Value::from));
    let made = vm.call(&Value::Class(kind.clone()), Args::new(&given))?;
    if made.foreign::<PyDeque>().is_none() {
        return Err(Raised::type_error(format!(
            "{}() must return a deque, not {}",
            kind.name.borrow(),
            type_name(&made)
        )));
    }
    Ok(made)
}

fn copy(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, []) = args.method("deque.copy")?;
    duplicate(vm, receiver)
}

fn count(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [value]) = args.method("deque.count")?;
    let mut found = 0i64;
    for item in deque(receiver)?.items().to_vec() {
        if ops::is(&item, value) || ops::eq(vm, &item, value)? {
            found += 1;
        }
    }
    Ok(Value::Int(found))
}

fn position(
    vm: &mut dyn Vm,
    data: &PyDeque,
    value: &Value,
    start: i64,
    stop: i64,
) -> PyResult<Option<usize>> {
    let items = data.items().to_vec();
    let clamp = |i: i64| {
        (if i < 0 { i + items.len() as i64 } else { i }).clamp(0, items.len() as i64) as usize
    };
    let (start, stop) = (clamp(start), clamp(stop));
    for (i, item) in items.iter().enumerate().take(stop).skip(start) {
        if ops::is(item, value) || ops::eq(vm, item, value)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

fn index(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, rest) = args.split_self("deque.index")?;
    let given = rest.between("deque.index", 1, 3)?;
    let start = given.get(1).map_or(Ok(0), |v| ops::slice_index(vm, v))?;
    let stop = given
        .get(2)
        .map_or(Ok(i64::MAX), |v| ops::slice_index(vm, v))?;
    match position(vm, deque(receiver)?, &given[0], start, stop)? {
        Some(at) => Ok(Value::from(at)),
        None => Err(Raised::value_error(format!(
            "{} is not in deque",
            text::repr(vm, &given[0])?
        ))),
    }
}

fn insert(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [at, value]) = args.method("deque.insert")?;
    let data = deque(receiver)?;
    let at = int(vm, at)?;
    let mut items = data.items().items.borrow_mut();
    if data.max.get().is_some_and(|max| items.len() >= max) {
        return Err(Raised::index_error("deque already at its maximum size"));
    }
    let len = items.len() as i64;
    let at = (if at < 0 { at + len } else { at }).clamp(0, len);
    items.insert(at as usize, value.clone());
    data.touch();
    Ok(Value::None)
}

fn remove(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [value]) = args.method("deque.remove")?;
    let data = deque(receiver)?;
    match position(vm, data, value, 0, i64::MAX)? {
        Some(at) => {
            let removed = data.take(at);
            drop(removed);
            data.touch();
            Ok(Value::None)
        }
        None => Err(Raised::value_error(format!(
            "{} is not in deque",
            text::repr(vm, value)?
        ))),
    }
}

fn reverse(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.method::<0>("deque.reverse")?;
    this(&args)?.items().items.borrow_mut().reverse();
    Ok(Value::None)
}

fn rotate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, rest) = args.split_self("deque.rotate")?;
    let n = match rest.between("deque.rotate", 0, 1)? {
        [n] => int(vm, n)?,
        _ => 1,
    };
    let data = deque(receiver)?;
    let mut items = data.items().items.borrow_mut();
    let len = items.len() as i64;
    if len > 0 {
        items.rotate_right(n.rem_euclid(len) as usize);
        data.touch();
    }
    Ok(Value::None)
}

fn maxlen(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(this(&args)?.max.get().map_or(Value::None, Value::from))
}

fn len(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::from(this(&args)?.len()))
}

/// An iterator over a deque.
struct Iter {
    source: Value,
    at: usize,
    changes: u32,
    /// Compiled code changes the elements without counting.
    len: usize,
    backwards: bool,
}

impl NativeIterator for Iter {
    fn next(&mut self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        let data = deque(&self.source)?;
        if data.changes.get() != self.changes || data.len() != self.len {
            // Nothing is left of it.
            self.at = self.len;
            return Err(Raised::runtime_error("deque mutated during iteration"));
        }
        let at = if self.backwards {
            data.len().checked_sub(self.at + 1)
        } else {
            Some(self.at)
        };
        let found = at.and_then(|at| data.get(at));
        self.at += usize::from(found.is_some());
        Ok(found)
    }

    fn class(&self) -> PyRef<Class> {
        iterator_class(self.backwards)
    }

    fn length_hint(&self) -> Option<Value> {
        Some(Value::from(self.len.saturating_sub(self.at)))
    }

    fn reduce(&self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        let over = vec![self.source.clone(), Value::from(self.at)];
        Ok(Some(Value::tuple(vec![
            Value::Class(self.class()),
            Value::tuple(over),
        ])))
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.value(&self.source);
    }
}

/// The class of the iterators of one direction.
fn iterator_class(backwards: bool) -> PyRef<Class> {
    const FORTH: &[NativeDef] = &[NativeDef::function(
        "_deque_iterator.__new__",
        |vm, args| iterator_new(vm, args, false),
    )];
    const BACK: &[NativeDef] = &[NativeDef::function(
        "_deque_reverse_iterator.__new__",
        |vm, args| iterator_new(vm, args, true),
    )];
    let made = |name, methods| {
        let base = [&types().iterator];
        Class::builtin(name, "_collections", &base, BaseKind::Object, methods)
    };
    janus_gil::gil_local! {
        static CLASSES: std::cell::OnceCell<[PyRef<Class>; 2]> = const { std::cell::OnceCell::new() };
    }
    CLASSES.with(|classes| {
        classes.get_or_init(|| {
            [
                made("_deque_iterator", FORTH),
                made("_deque_reverse_iterator", BACK),
            ]
        })[usize::from(backwards)]
        .clone()
    })
}

/// An iterator over a deque, from the item at an index on.
fn iterator_new(vm: &mut dyn Vm, args: Args<'_>, backwards: bool) -> PyResult {
    let given = Args::new(args.pos.get(1..).unwrap_or(&[]));
    let given = given.between("deque_iterator", 1, 2)?;
    let data = deque(&given[0])?;
    let at = given.get(1).map_or(Ok(0), |at| int(vm, at))?;
    let len = data.len();
    Ok(PyIter::native(Iter {
        source: given[0].clone(),
        at: usize::try_from(at).unwrap_or(0).min(len),
        changes: data.changes.get(),
        len,
        backwards,
    }))
}

fn iterator(args: &Args<'_>, backwards: bool) -> PyResult {
    let data = this(args)?;
    Ok(over(&args.pos[0], data, backwards))
}

fn over(source: &Value, data: &PyDeque, backwards: bool) -> Value {
    PyIter::native(Iter {
        source: source.clone(),
        at: 0,
        changes: data.changes.get(),
        len: data.len(),
        backwards,
    })
}

fn iter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    iterator(&args, false)
}

fn reversed(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    iterator(&args, true)
}

fn contains(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [value]) = args.method("deque.__contains__")?;
    Ok(Value::bool(
        position(vm, deque(receiver)?, value, 0, i64::MAX)?.is_some(),
    ))
}

fn at(vm: &mut dyn Vm, data: &PyDeque, index: &Value) -> PyResult<usize> {
    if matches!(index, Value::Slice(_)) {
        return Err(Raised::type_error(
            "sequence index must be integer, not 'slice'",
        ));
    }
    resolve(data, int(vm, index)?)
}

fn getitem(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [index]) = args.method("deque.__getitem__")?;
    let data = deque(receiver)?;
    let at = at(vm, data, index)?;
    let found = data.get(at);
    found.ok_or_else(|| Raised::index_error("deque index out of range"))
}

fn setitem(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [index, value]) = args.method("deque.__setitem__")?;
    let data = deque(receiver)?;
    let at = at(vm, data, index)?;
    let old = data.set(at, value.clone());
    drop(old);
    Ok(Value::None)
}

fn delitem(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [index]) = args.method("deque.__delitem__")?;
    let data = deque(receiver)?;
    let at = at(vm, data, index)?;
    let old = data.take(at);
    drop(old);
    data.touch();
    Ok(Value::None)
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, []) = args.method("deque.__repr__")?;
    let data = deque(receiver)?;
    let items = Value::list(ops::collect(vm, receiver)?);
    let items = text::repr(vm, &items)?;
    let class = janus_object::class_of(receiver).name.borrow().clone();
    let class = class.as_str();
    Ok(Value::str(match data.max.get() {
        Some(max) => format!("{class}({items}, maxlen={max})"),
        None => format!("{class}({items})"),
    }))
}

fn compare(vm: &mut dyn Vm, args: Args<'_>, op: CompareOp) -> PyResult {
    let (receiver, [other]) = args.method("deque.__eq__")?;
    if other.foreign::<PyDeque>().is_none() {
        return Ok(Value::NotImplemented);
    }
    let differ = deque(receiver)?.len() != deque(other)?.len();
    if differ && matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Value::bool(op == CompareOp::Ne));
    }
    let (a, b) = (
        Value::list(ops::collect(vm, receiver)?),
        Value::list(ops::collect(vm, other)?),
    );
    ops::compare(vm, op, &a, &b)
}

fn add(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [other]) = args.method("deque.__add__")?;
    if other.foreign::<PyDeque>().is_none() {
        return Err(Raised::type_error(format!(
            "can only concatenate deque (not \"{}\") to deque",
            type_name(other)
        )));
    }
    let sum = duplicate(vm, receiver)?;
    extend_from(vm, deque(&sum)?, other)?;
    Ok(sum)
}

fn iadd(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [other]) = args.method("deque.__iadd__")?;
    extend_from(vm, deque(receiver)?, other)?;
    Ok(receiver.clone())
}

/// Makes a deque hold its items several times: those that it has, and then what iterating over it gives.
fn repeat(vm: &mut dyn Vm, receiver: &Value, times: &Value) -> PyResult<()> {
    let data = deque(receiver)?;
    let more = int(vm, times)?.saturating_sub(1);
    let mut items = Vec::new();
    if let Ok(more) = usize::try_from(more) {
        let own = data.items().to_vec();
        let again = match more {
            0 => Vec::new(),
            _ => ops::collect(vm, receiver)?,
        };
        let total = again.len().saturating_mul(more).saturating_add(own.len());
        // With a bound only the last ones stay.
        let kept = data.max.get().map_or(total, |max| max.min(total));
        items = janus_object::memory::room(kept)?;
        let rest = total.saturating_sub(own.len());
        items.extend(own.into_iter().skip(total - kept));
        let last = kept.min(rest);
        let skipped = (rest - last) % again.len().max(1);
        items.extend(again.iter().cycle().skip(skipped).take(last).cloned());
    }
    let old = data.replace(items);
    drop(old);
    data.touch();
    Ok(())
}

fn mul(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [times]) = args.method("deque.__mul__")?;
    let product = duplicate(vm, receiver)?;
    repeat(vm, &product, times)?;
    Ok(product)
}

fn imul(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [times]) = args.method("deque.__imul__")?;
    repeat(vm, receiver, times)?;
    Ok(receiver.clone())
}

fn reduce(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, []) = args.method("deque.__reduce__")?;
    let data = deque(receiver)?;
    let mut arguments = vec![Value::list(Vec::new())];
    arguments.extend(data.max.get().map(Value::from));
    let state = receiver
        .as_instance()
        .and_then(|i| i.dict.get())
        .map_or(Value::None, Value::Dict);
    let items = over(receiver, data, false);
    Ok(Value::tuple(vec![
        Value::Class(class_of(receiver)),
        Value::tuple(arguments),
        state,
        items,
    ]))
}
