//! Subscripts, membership and length.
//!
//! In: containers and keys. Out: `a[key]`, its assignment and deletion, `in`, `len`. Always:
//! slices of lists may change the list in any way that CPython allows; bounds are checked with
//! CPython's messages.

use smallvec::SmallVec;

use super::{call_special, collect, eq, index, special};
use crate::{
    ExcKind, Name, Payload, PyBytes, PyDict, PyList, PyRef, PyResult, PySlice, Raised, SliceRange,
    Value, Vm, attr, name,
};

/// Turns a Python index into an offset.
#[inline]
pub fn item_offset(index: i64, len: usize) -> Option<usize> {
    let at = if index < 0 { index + len as i64 } else { index };
    usize::try_from(at).ok().filter(|&at| at < len)
}

/// How many items a container of a built-in class has.
#[inline]
pub fn len_simple(a: &Value) -> Option<usize> {
    Some(match a {
        Value::List(l) => l.len(),
        Value::Tuple(t) => t.len(),
        Value::Str(s) => s.char_count(),
        Value::Dict(d) => d.len(),
        Value::Set(s) => s.len(),
        Value::Range(r) => r.len(),
        Value::Bytes(b) => b.len(),
        Value::Instance(instance) => return instance.native_length(),
        _ => return None,
    })
}

/// `a[key]`
#[inline]
pub fn get_item(vm: &mut dyn Vm, a: &Value, key: &Value) -> PyResult {
    match (a, key) {
        (Value::List(list), Value::Int(i)) => {
            let items = list.items.borrow();
            match item_offset(*i, items.len()).and_then(|at| items.get(at)) {
                Some(item) => Ok(item.clone()),
                None => Err(Raised::index_error("list index out of range")),
            }
        }
        (Value::Tuple(tuple), Value::Int(i)) => {
            match item_offset(*i, tuple.items.len()).and_then(|at| tuple.items.get(at)) {
                Some(item) => Ok(item.clone()),
                None => Err(Raised::index_error("tuple index out of range")),
            }
        }
        (Value::Dict(dict), key) => match dict.get(vm, key)? {
            Some(value) => Ok(value),
            None => Err(Raised::key_error(key.clone())),
        },
        _ => get_item_other(vm, a, key),
    }
}

/// `a[slice]`, where no object is made of the slice if what it is taken of is built in.
pub fn get_slice(vm: &mut dyn Vm, a: &Value, slice: PySlice) -> PyResult {
    match slice_of_built_in(vm, a, &slice) {
        Some(taken) => taken,
        None => get_item(vm, a, &Value::Slice(PyRef::new(slice))),
    }
}

/// `a[slice] = value`, likewise.
pub fn set_slice(vm: &mut dyn Vm, a: &Value, slice: PySlice, value: &Value) -> PyResult<()> {
    match a {
        Value::List(list) => set_list_slice(vm, list, &slice, value),
        _ => {
            let key = Value::Slice(PyRef::new(slice));
            set_item(vm, a, &key, value.clone())
        }
    }
}

/// The bounds of a slice, start, stop and step, where they are ints or missing, and nothing raises.
#[inline]
pub fn simple_bounds<'a>(parts: impl IntoIterator<Item = &'a Value>) -> Option<[Option<i64>; 3]> {
    let mut bounds = [None; 3];
    for (bound, part) in bounds.iter_mut().zip(parts) {
        *bound = match part {
            Value::None => None,
            Value::Int(i) => Some(*i),
            _ => return None,
        };
    }
    (bounds[2] != Some(0)).then_some(bounds)
}

fn resolve_simple([start, stop, step]: [Option<i64>; 3], len: usize) -> SliceRange {
    let step = step.unwrap_or(1).max(-i64::MAX);
    crate::sequence::resolve_slice(start, stop, step, len)
}

/// `a[start:stop:step]` of a list, a tuple or a string.
#[inline]
pub fn slice_simple(a: &Value, bounds: [Option<i64>; 3]) -> Option<Value> {
    Some(match a {
        Value::List(list) => {
            let items = list.items.borrow();
            Value::list(pick(&items, resolve_simple(bounds, items.len())))
        }
        Value::Tuple(tuple) => {
            let range = resolve_simple(bounds, tuple.items.len());
            match range.count == tuple.items.len() && range.step == 1 {
                true => a.clone(),
                false => Value::tuple(pick(&tuple.items, range)),
            }
        }
        Value::Str(s) => slice_str(s, resolve_simple(bounds, s.char_count())),
        _ => return None,
    })
}

/// `a[start:stop:step] = new`, if that assigns as many items as there were, in their order, to another list than it takes them
/// from; whether it is done.
#[inline]
pub fn set_slice_simple(a: &Value, bounds: [Option<i64>; 3], new: &Value) -> bool {
    let (Value::List(list), Value::List(new)) = (a, new) else {
        return false;
    };
    let range = resolve_simple(bounds, list.len());
    let fits = !PyRef::ptr_eq(list, new) && range.step == 1 && new.len() == range.count;
    if fits {
        replace_items(list, range.start as usize, &new.items.borrow());
    }
    fits
}

/// The slice of a sequence that is built in; `None`: it is none.
fn slice_of_built_in(vm: &mut dyn Vm, a: &Value, slice: &PySlice) -> Option<PyResult> {
    let len = || match a {
        Value::List(list) => list.len(),
        Value::Tuple(tuple) => tuple.items.len(),
        Value::Str(s) => s.char_count(),
        Value::Bytes(b) => b.len(),
        _ => 0,
    };
    if !matches!(
        a,
        Value::List(_) | Value::Tuple(_) | Value::Str(_) | Value::Bytes(_)
    ) {
        return None;
    }
    let range = match slice.resolve_for(vm, len) {
        Ok(range) => range,
        Err(raised) => return Some(Err(raised)),
    };
    Some(Ok(match a {
        Value::List(list) => Value::list(pick(&list.items.borrow(), range)),
        Value::Tuple(t) if range.count == t.items.len() && range.step == 1 => a.clone(),
        Value::Tuple(tuple) => Value::tuple(pick(&tuple.items, range)),
        Value::Str(s) => slice_str(s, range),
        Value::Bytes(b) => {
            let data = pick(&b.bytes(), range);
            Value::Bytes(PyRef::new(PyBytes::new(data, b.mutable)))
        }
        _ => return None,
    }))
}

/// The dict of an object whose class is derived from `dict` and has this method from there.
fn dict_of<'a>(object: &'a Value, method: &Name, from_dict: &str) -> Option<&'a PyRef<PyDict>> {
    let Value::Instance(instance) = object else {
        return None;
    };
    let Payload::Dict(dict) = &instance.payload else {
        return None;
    };
    match instance.class.borrow().lookup(method) {
        Some(Value::Native(native)) if native.qualname == from_dict => Some(dict),
        _ => None,
    }
}

fn get_item_other(vm: &mut dyn Vm, a: &Value, key: &Value) -> PyResult {
    if let Some(dict) = dict_of(a, name!("__getitem__"), "dict.__getitem__")
        && let Some(Some(value)) = dict.get_simple(key)
    {
        return Ok(value);
    }
    if let Value::Slice(slice) = key
        && let Some(taken) = slice_of_built_in(vm, a, slice)
    {
        return taken;
    }
    match a {
        Value::List(_) => {
            let i = sequence_index(vm, key, "list indices must be integers or slices, not")?;
            get_item(vm, a, &Value::Int(i))
        }
        Value::Tuple(_) => {
            let i = sequence_index(vm, key, "tuple indices must be integers or slices, not")?;
            get_item(vm, a, &Value::Int(i))
        }
        Value::Str(s) => {
            let i = match key {
                Value::Int(i) => *i,
                other if special(other, name!("__index__")).is_some() => item_index(vm, other)?,
                other => {
                    return Err(Raised::type_error(format!(
                        "string indices must be integers, not '{}'",
                        other.type_name()
                    )));
                }
            };
            match item_offset(i, s.char_count()).and_then(|at| s.char_at(at)) {
                Some(c) => Ok(Value::char(c)),
                None => Err(Raised::index_error("string index out of range")),
            }
        }
        Value::Bytes(b) => {
            let noun = if b.mutable { "bytearray" } else { "byte" };
            let what = format!("{noun} indices must be integers or slices, not");
            let i = sequence_index(vm, key, &what)?;
            let data = b.bytes();
            match item_offset(i, data.len()).and_then(|at| data.get(at)) {
                Some(&byte) => Ok(Value::Int(i64::from(byte))),
                None => Err(Raised::index_error(if b.mutable {
                    "bytearray index out of range"
                } else {
                    "index out of range"
                })),
            }
        }
        Value::Range(r) => {
            let Value::Int(i) = key else {
                return crate::builtin::long_range::item_of(vm, a, key);
            };
            if i64::try_from(r.len()).is_err() {
                return crate::builtin::long_range::item_of(vm, a, key);
            }
            match item_offset(*i, r.len()).and_then(|at| r.get(at)) {
                Some(value) => Ok(Value::Int(value)),
                None => Err(Raised::index_error("range object index out of range")),
            }
        }
        Value::Dict(_) => get_item(vm, a, key),
        Value::Class(class) => {
            if let Some(method) = special(a, name!("__getitem__")) {
                return call_special(vm, &method, a, std::slice::from_ref(key));
            }
            if let Some(method) = attr::get_opt(vm, a, name!("__class_getitem__"))? {
                return vm.call(&method, crate::Args::new(std::slice::from_ref(key)));
            }
            // `type[int]`: what classes inherit would make them all subscriptable.
            if PyRef::ptr_eq(class, &crate::types().type_) {
                return Ok(crate::builtin::alias::make(a, key));
            }
            Err(Raised::type_error(format!(
                "type '{}' is not subscriptable",
                class.name.borrow()
            )))
        }
        _ => match special(a, name!("__getitem__")) {
            Some(method) => call_special(vm, &method, a, std::slice::from_ref(key)),
            None => Err(Raised::type_error(format!(
                "'{}' object is not subscriptable",
                a.type_name()
            ))),
        },
    }
}

/// The index that an int or an object with `__index__` is.
fn item_index(vm: &mut dyn Vm, key: &Value) -> PyResult<i64> {
    match super::index(vm, key)? {
        Value::Int(i) => Ok(i),
        _ => Err(Raised::index_error(format!(
            "cannot fit '{}' into an index-sized integer",
            key.type_name()
        ))),
    }
}

fn sequence_index(vm: &mut dyn Vm, key: &Value, what: &str) -> PyResult<i64> {
    match key {
        Value::Int(i) => Ok(*i),
        Value::Bool(b) => Ok(i64::from(b.get())),
        other if special(other, name!("__index__")).is_some() => item_index(vm, other),
        other => Err(Raised::type_error(format!("{what} {}", other.type_name()))),
    }
}

fn pick<T: Clone>(items: &[T], range: SliceRange) -> Vec<T> {
    if range.step == 1 {
        let start = range.start as usize;
        return items
            .get(start..start + range.count)
            .map(<[T]>::to_vec)
            .unwrap_or_default();
    }
    if range.step == -1 {
        let end = range.start as usize + 1;
        let backwards = items.get(end.saturating_sub(range.count)..end);
        return backwards
            .map(|items| items.iter().rev().cloned().collect())
            .unwrap_or_default();
    }
    let mut picked = Vec::with_capacity(range.count);
    picked.extend(range.indices().filter_map(|i| items.get(i).cloned()));
    picked
}

fn slice_str(s: &PyRef<crate::PyStr>, range: SliceRange) -> Value {
    if range.step == 1 {
        if range.count == s.char_count() {
            return Value::Str(s.clone());
        }
        let start = range.start as usize;
        return Value::str(s.char_slice(start, start + range.count));
    }
    if s.is_ascii() {
        let bytes = pick(s.as_bytes(), range);
        return Value::from(String::from_utf8(bytes).unwrap_or_default());
    }
    let chars: Vec<char> = s.chars().collect();
    Value::from(pick(&chars, range).into_iter().collect::<String>())
}

/// `a[key] = value`
#[inline]
pub fn set_item(vm: &mut dyn Vm, a: &Value, key: &Value, value: Value) -> PyResult<()> {
    match (a, key) {
        (Value::List(list), Value::Int(i)) => {
            let mut items = list.items.borrow_mut();
            let len = items.len();
            match item_offset(*i, len).and_then(|at| items.get_mut(at)) {
                Some(slot) => {
                    let old = std::mem::replace(slot, value);
                    drop(items);
                    drop(old);
                    Ok(())
                }
                None => Err(Raised::index_error("list assignment index out of range")),
            }
        }
        (Value::Dict(dict), key) => dict.set(vm, key.clone(), value),
        _ => set_item_other(vm, a, key, value),
    }
}

fn set_item_other(vm: &mut dyn Vm, a: &Value, key: &Value, value: Value) -> PyResult<()> {
    if let Some(dict) = dict_of(a, name!("__setitem__"), "dict.__setitem__") {
        return dict.set(vm, key.clone(), value);
    }
    match a {
        Value::List(list) => {
            if let Value::Slice(slice) = key {
                return set_list_slice(vm, list, slice, &value);
            }
            let i = sequence_index(vm, key, "list indices must be integers or slices, not")?;
            set_item(vm, a, &Value::Int(i), value)
        }
        Value::Bytes(b) if b.mutable => {
            if let Value::Slice(slice) = key {
                let new = crate::builtin::bytes::to_bytes(vm, &value)?;
                let range = slice.resolve_for(vm, || b.len())?;
                if range.count != new.len() {
                    b.check_resizable()?;
                }
                return b.with_mut(|data| splice(data, range, new));
            }
            let i = sequence_index(vm, key, "bytearray indices must be integers or slices, not")?;
            let byte = crate::builtin::bytes::to_byte(vm, &value)?;
            b.with_mut(|data| {
                let len = data.len();
                match item_offset(i, len).and_then(|at| data.get_mut(at)) {
                    Some(slot) => {
                        *slot = byte;
                        Ok(())
                    }
                    None => Err(Raised::index_error("bytearray index out of range")),
                }
            })
        }
        _ => match special(a, name!("__setitem__")) {
            Some(method) => call_special(vm, &method, a, &[key.clone(), value]).map(drop),
            // A class that has one of the two has CPython's slot for both.
            None if special(a, name!("__delitem__")).is_some() => {
                Err(Raised::new(ExcKind::AttributeError, "__setitem__"))
            }
            None => Err(Raised::type_error(format!(
                "'{}' object does not support item assignment",
                a.type_name()
            ))),
        },
    }
}

fn set_list_slice(vm: &mut dyn Vm, list: &PyList, slice: &PySlice, value: &Value) -> PyResult<()> {
    let range = slice.resolve_for(vm, || list.len())?;
    if let Value::List(new) = value
        && !std::ptr::eq(&**new, list)
        && range.step == 1
        && new.len() == range.count
    {
        replace_items(list, range.start as usize, &new.items.borrow());
        return Ok(());
    }
    let new = collect(vm, value).map_err(|raised| {
        if raised.is(crate::ExcKind::TypeError) && special(value, name!("__iter__")).is_none() {
            return Raised::type_error(match range.step {
                1 => "can only assign an iterable",
                _ => "must assign iterable to extended slice",
            });
        }
        raised
    })?;
    let mut new = new;
    if range.step == 1 && new.len() == range.count {
        let start = range.start as usize;
        // The list may have become shorter while what is new was collected.
        let is_swapped = match list.items.borrow_mut().get_mut(start..start + range.count) {
            Some(old) => {
                old.swap_with_slice(&mut new);
                true
            }
            None => false,
        };
        if is_swapped {
            // What was there may run anything when it is dropped: the list is free again.
            crate::sequence::drop_backwards(new);
            return Ok(());
        }
    }
    splice(&mut list.items.borrow_mut(), range, new)
}

/// Replaces as many elements from `start` on as there are new ones.
fn replace_items(list: &PyList, start: usize, new: &[Value]) {
    let mut items = list.items.borrow_mut();
    let places = items.iter_mut().skip(start).zip(new);
    let mut old: SmallVec<[Value; 4]> = SmallVec::new();
    for (place, new) in places {
        let before = std::mem::replace(place, new.clone());
        match before.count() {
            Some(_) => old.push(before),
            None => std::mem::forget(before),
        }
    }
    // What was there may run anything when it is dropped: the list is free again.
    drop(items);
    while let Some(last) = old.pop() {
        drop(last);
    }
}

/// Replaces the elements of a slice.
fn splice<T>(items: &mut Vec<T>, range: SliceRange, new: Vec<T>) -> PyResult<()> {
    if range.step == 1 {
        let start = (range.start as usize).min(items.len());
        let end = (start + range.count).min(items.len());
        let old: Vec<T> = items.splice(start..end, new).collect();
        crate::sequence::drop_backwards(old);
        return Ok(());
    }
    if new.len() != range.count {
        return Err(Raised::value_error(format!(
            "attempt to assign sequence of size {} to extended slice of size {}",
            new.len(),
            range.count
        )));
    }
    for (at, value) in range.indices().zip(new) {
        if let Some(slot) = items.get_mut(at) {
            *slot = value;
        }
    }
    Ok(())
}

/// Removes the elements of a slice.
fn remove_slice<T>(items: &mut Vec<T>, range: SliceRange) {
    if range.count == 0 {
        return;
    }
    if range.step == 1 {
        let start = (range.start as usize).min(items.len());
        let end = (start + range.count).min(items.len());
        crate::sequence::drop_backwards(items.drain(start..end).collect());
        return;
    }
    let (first, step) = if range.step > 0 {
        (range.start, range.step)
    } else {
        (
            range.start + (range.count as i64 - 1) * range.step,
            -range.step,
        )
    };
    let last = first + (range.count as i64 - 1) * step;
    let mut at = -1;
    items.retain(|_| {
        at += 1;
        at < first || at > last || (at - first) % step != 0
    });
}

/// `del a[key]`
pub fn del_item(vm: &mut dyn Vm, a: &Value, key: &Value) -> PyResult<()> {
    match a {
        Value::List(list) => {
            if let Value::Slice(slice) = key {
                let range = slice.resolve(vm, list.len())?;
                remove_slice(&mut list.items.borrow_mut(), range);
                return Ok(());
            }
            let i = sequence_index(vm, key, "list indices must be integers or slices, not")?;
            let mut items = list.items.borrow_mut();
            match item_offset(i, items.len()) {
                Some(at) => {
                    let old = items.remove(at);
                    drop(items);
                    drop(old);
                    Ok(())
                }
                None => Err(Raised::index_error("list assignment index out of range")),
            }
        }
        Value::Dict(dict) => match dict.remove(vm, key)? {
            Some(_) => Ok(()),
            None => Err(Raised::key_error(key.clone())),
        },
        Value::Bytes(b) if b.mutable => {
            b.check_resizable()?;
            if let Value::Slice(slice) = key {
                let range = slice.resolve(vm, b.len())?;
                b.with_mut(|data| remove_slice(data, range));
                return Ok(());
            }
            let i = sequence_index(vm, key, "bytearray indices must be integers or slices, not")?;
            match item_offset(i, b.len()) {
                Some(at) => {
                    b.with_mut(|data| data.remove(at));
                    Ok(())
                }
                None => Err(Raised::index_error("bytearray index out of range")),
            }
        }
        _ => match special(a, name!("__delitem__")) {
            Some(method) => call_special(vm, &method, a, std::slice::from_ref(key)).map(drop),
            None if special(a, name!("__setitem__")).is_some() => {
                Err(Raised::new(ExcKind::AttributeError, "__delitem__"))
            }
            None => Err(Raised::type_error(format!(
                "'{}' object doesn't support item deletion",
                a.type_name()
            ))),
        },
    }
}

/// `item in container`
pub fn contains(vm: &mut dyn Vm, item: &Value, container: &Value) -> PyResult<bool> {
    match container {
        Value::Dict(d) => d.contains(vm, item),
        Value::Set(s) => match hashable(vm, item)? {
            Some(frozen) => s.contains(vm, &frozen),
            None => s.contains(vm, item),
        },
        Value::List(l) => {
            let mut i = 0;
            // The list may change while its elements are compared.
            while let Some(other) = l.get(i) {
                if eq(vm, &other, item)? {
                    return Ok(true);
                }
                i += 1;
            }
            Ok(false)
        }
        Value::Tuple(t) => {
            for other in t.items.iter() {
                if eq(vm, other, item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Str(s) => match item.as_str() {
            Some(part) => Ok(s.as_str().contains(part)),
            None => Err(Raised::type_error(format!(
                "'in <string>' requires string as left operand, not {}",
                item.type_name()
            ))),
        },
        Value::Bytes(b) => crate::builtin::bytes::contains(vm, b, item),
        Value::Range(r) => match item {
            Value::Int(i) => Ok(r.index_of(*i).is_some()),
            Value::Bool(v) => Ok(r.index_of(i64::from(v.get())).is_some()),
            Value::BigInt(_) => Ok(false),
            Value::Float(f) => Ok(f.get().fract() == 0.0
                && f.get().abs() < 9e18
                && r.index_of(f.get() as i64).is_some()),
            _ => by_iteration(vm, item, container),
        },
        _ => contains_custom(vm, item, container),
    }
}

/// What a set (or one of a subclass) is looked up as in a set, since it has no hash: a frozenset
/// of its elements.
pub(crate) fn hashable(vm: &mut dyn Vm, item: &Value) -> PyResult<Option<Value>> {
    let Some(set) = item.as_set().filter(|set| !set.frozen) else {
        return Ok(None);
    };
    match super::hash(vm, item) {
        Ok(_) => Ok(None),
        Err(raised) if raised.is(ExcKind::TypeError) => {
            Ok(Some(Value::Set(PyRef::new(set.copy(true)))))
        }
        Err(raised) => Err(raised),
    }
}

fn contains_custom(vm: &mut dyn Vm, item: &Value, container: &Value) -> PyResult<bool> {
    match special(container, name!("__contains__")) {
        Some(Value::None) => Err(Raised::type_error(format!(
            "'{}' object is not a container",
            container.type_name()
        ))),
        Some(method) => {
            let verdict = call_special(vm, &method, container, std::slice::from_ref(item))?;
            super::truth(vm, &verdict)
        }
        None => by_iteration(vm, item, container),
    }
}

fn not_iterable(container: &Value) -> Raised {
    Raised::type_error(format!(
        "argument of type '{}' is not iterable",
        container.type_name()
    ))
}

fn by_iteration(vm: &mut dyn Vm, item: &Value, container: &Value) -> PyResult<bool> {
    let iterable = matches!(
        container,
        Value::Iter(_) | Value::Generator(_) | Value::Range(_)
    ) || special(container, name!("__iter__")).is_some()
        || special(container, name!("__getitem__")).is_some();
    if !iterable {
        return Err(not_iterable(container));
    }
    let it = match super::iter(vm, container) {
        Err(raised) if raised.is(ExcKind::TypeError) => return Err(not_iterable(container)),
        other => other?,
    };
    while let Some(other) = super::next(vm, &it)? {
        if eq(vm, &other, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `len(a)`
pub fn len(vm: &mut dyn Vm, a: &Value) -> PyResult<usize> {
    if let Some(length) = len_simple(a) {
        return match i64::try_from(length) {
            Ok(_) => Ok(length),
            Err(_) => Err(crate::builtin::long_range::too_long()),
        };
    }
    if let Value::Instance(i) = a
        && let Payload::DictView(view) = &i.payload
    {
        return Ok(view.dict.len());
    }
    let Some(method) = special(a, name!("__len__")) else {
        return Err(Raised::type_error(format!(
            "object of type '{}' has no len()",
            a.type_name()
        )));
    };
    let result = call_special(vm, &method, a, &[])?;
    length(vm, &result)
}

/// The length that `__len__` gave.
pub(super) fn length(vm: &mut dyn Vm, given: &Value) -> PyResult<usize> {
    let result = index(vm, given)?;
    match result.as_int() {
        Some(n) => {
            usize::try_from(n).map_err(|_| Raised::value_error("__len__() should return >= 0"))
        }
        None if matches!(&result, Value::BigInt(b) if b.sign() == num_bigint::Sign::Minus) => {
            Err(Raised::value_error("__len__() should return >= 0"))
        }
        None => Err(Raised::overflow_error(
            "cannot fit 'int' into an index-sized integer",
        )),
    }
}
