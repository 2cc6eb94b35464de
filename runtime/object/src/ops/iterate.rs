//! Iteration and unpacking.
//!
//! In: iterables. Out: iterators and their values. Always: the end of an iteration is `None`; no
//! StopIteration is made for built-in iterators and generators.

use super::{call_special, special};
use crate::{
    DictPart, ExcKind, IterState, Payload, PyIter, PyResult, Raised, Value, Vm, memory, name,
};

/// `iter(a)`
#[inline]
pub fn iter(vm: &mut dyn Vm, a: &Value) -> PyResult {
    match iter_simple(a) {
        Some(iterator) => Ok(iterator),
        None => iter_custom(vm, a),
    }
}

/// What `iter` gives of a container that is built in, or of an iterator or generator.
pub fn iter_simple(a: &Value) -> Option<Value> {
    Some(PyIter::value(match a {
        Value::Range(r) => IterState::Range {
            next: r.start,
            step: r.step,
            remaining: r.len(),
        },
        Value::List(list) => IterState::List {
            list: list.clone(),
            index: 0,
        },
        Value::Tuple(tuple) => IterState::Tuple {
            tuple: tuple.clone(),
            index: 0,
        },
        Value::Iter(_) => return Some(a.clone()),
        Value::Generator(g) if g.kind == crate::GeneratorKind::Generator => return Some(a.clone()),
        Value::Str(string) => IterState::Str {
            string: string.clone(),
            offset: 0,
        },
        Value::Bytes(bytes) => IterState::Bytes {
            bytes: bytes.clone(),
            index: 0,
        },
        Value::Dict(dict) => IterState::of_dict(dict, DictPart::Keys, false),
        Value::Set(set) => IterState::Set {
            set: set.clone(),
            at: 0,
            len: set.len(),
        },
        Value::Instance(i) => {
            if let Payload::DictView(view) = &i.payload {
                IterState::of_dict(&view.dict, view.part, false)
            } else {
                return None;
            }
        }
        _ => return None,
    }))
}

fn iter_custom(vm: &mut dyn Vm, a: &Value) -> PyResult {
    match special(a, name!("__iter__")) {
        Some(Value::None) => {}
        Some(method) => {
            let it = call_special(vm, &method, a, &[])?;
            let iterates = match &it {
                Value::Iter(_) | Value::Generator(_) => true,
                other => special(other, name!("__next__")).is_some(),
            };
            if !iterates {
                return Err(Raised::type_error(format!(
                    "iter() returned non-iterator of type '{}'",
                    it.type_name()
                )));
            }
            return Ok(it);
        }
        None if special(a, name!("__getitem__")).is_some() => {
            return Ok(PyIter::value(IterState::Sequence {
                object: a.clone(),
                index: 0,
            }));
        }
        None => {}
    }
    Err(Raised::type_error(format!(
        "'{}' object is not iterable",
        a.type_name()
    )))
}

/// `next(it)`; `None` at the end.
#[inline]
pub fn next(vm: &mut dyn Vm, it: &Value) -> PyResult<Option<Value>> {
    match it {
        Value::Iter(i) => i.next(vm),
        Value::Generator(g) if g.kind == crate::GeneratorKind::Generator => {
            let mut item = None;
            vm.drain(g, &mut |yielded| {
                item = Some(yielded);
                false
            })?;
            Ok(item)
        }
        _ => next_custom(vm, it),
    }
}

/// What was made of an item.
pub enum Taken {
    /// All that there was to do.
    Done,
    /// Nothing yet: it takes Python.
    Not(Value),
    /// All, and no other item is wanted.
    Enough,
}

/// Goes through what an iterator gives. `quick` gets each item and runs no Python; what it cannot do is left to `slow`, which
/// says whether to go on. A generator is not left for each item.
pub fn for_each<S>(
    vm: &mut dyn Vm,
    it: &Value,
    state: &mut S,
    quick: impl Fn(&mut S, Value) -> Taken,
    slow: impl Fn(&mut dyn Vm, &mut S, Value) -> PyResult<bool>,
) -> PyResult<()> {
    let one = |vm: &mut dyn Vm, state: &mut S, taken: Taken| match taken {
        Taken::Done => Ok(true),
        Taken::Enough => Ok(false),
        Taken::Not(item) => slow(vm, state, item),
    };
    let Value::Generator(generator) = it else {
        while let Some(item) = next(vm, it)? {
            let taken = quick(state, item);
            if !one(vm, state, taken)? {
                break;
            }
        }
        return Ok(());
    };
    loop {
        let mut last = Taken::Done;
        let ended = vm.drain(generator, &mut |item| {
            last = quick(state, item);
            matches!(last, Taken::Done)
        })?;
        if ended || !one(vm, state, last)? {
            return Ok(());
        }
    }
}

fn next_custom(vm: &mut dyn Vm, it: &Value) -> PyResult<Option<Value>> {
    let Some(method) = special(it, name!("__next__")) else {
        return Err(Raised::type_error(format!(
            "'{}' object is not an iterator",
            it.type_name()
        )));
    };
    match call_special(vm, &method, it, &[]) {
        Ok(value) => Ok(Some(value)),
        Err(raised) if raised.is(ExcKind::StopIteration) => Ok(None),
        Err(raised) => Err(raised),
    }
}

/// `list(iterable)`
pub fn collect(vm: &mut dyn Vm, iterable: &Value) -> PyResult<Vec<Value>> {
    match iterable {
        Value::List(l) => return Ok(l.to_vec()),
        Value::Tuple(t) => return Ok(t.items.to_vec()),
        Value::Dict(d) => return Ok(d.keys()),
        Value::Set(s) => return Ok(s.items()),
        _ => {}
    }
    let it = iter(vm, iterable)?;
    // CPython asks for the length to make room; scripts can see that it does.
    if matches!(iterable, Value::Instance(_))
        && special(iterable, name!("__len__")).is_some()
        && let Err(raised) = super::len(vm, iterable)
        && !raised.is(crate::ExcKind::TypeError)
    {
        return Err(raised);
    }
    let mut out = memory::room(numbers_left(&it))?;
    let push = |out: &mut Vec<Value>, item| {
        out.push(item);
        Taken::Done
    };
    for_each(vm, &it, &mut out, push, |_, _, _| Ok(true))?;
    Ok(out)
}

/// How many numbers an iterator has left that counts; 0 of any other. A range may say more than there is memory for.
pub(super) fn numbers_left(it: &Value) -> usize {
    let Value::Iter(it) = it else { return 0 };
    match it.state.try_borrow().as_deref() {
        Ok(IterState::Range { remaining, .. }) => *remaining,
        _ => 0,
    }
}

/// Exactly `n` values of an iterable, for unpacking.
pub fn unpack(vm: &mut dyn Vm, a: &Value, n: usize) -> PyResult<Vec<Value>> {
    let known = match a {
        Value::Tuple(t) => Some(t.len()),
        Value::List(l) => Some(l.len()),
        _ => None,
    };
    if let Some(len) = known {
        if len == n {
            return collect(vm, a);
        }
        return Err(if len < n {
            too_few(n, len)
        } else {
            too_many(n)
        });
    }
    let it = match iter(vm, a) {
        Err(raised) if raised.is(ExcKind::TypeError) && special(a, name!("__iter__")).is_none() => {
            return Err(Raised::type_error(format!(
                "cannot unpack non-iterable {} object",
                a.type_name()
            )));
        }
        other => other?,
    };
    let mut out = Vec::with_capacity(n);
    while out.len() < n {
        match next(vm, &it)? {
            Some(item) => out.push(item),
            None => return Err(too_few(n, out.len())),
        }
    }
    match next(vm, &it)? {
        Some(_) => Err(too_many(n)),
        None => Ok(out),
    }
}

fn too_few(n: usize, got: usize) -> Raised {
    Raised::value_error(format!(
        "not enough values to unpack (expected {n}, got {got})"
    ))
}

fn too_many(n: usize) -> Raised {
    Raised::value_error(format!("too many values to unpack (expected {n})"))
}

/// `reversed(a)` of what is built in.
pub fn reversed_simple(a: &Value) -> Option<Value> {
    let backwards = |length: usize| IterState::SequenceReversed {
        object: a.clone(),
        index: i64::try_from(length).unwrap_or(i64::MAX),
    };
    Some(PyIter::value(match a {
        Value::List(list) => IterState::ListReversed {
            list: list.clone(),
            index: list.len(),
        },
        Value::Range(r) => {
            let remaining = r.len();
            let last = remaining
                .checked_sub(1)
                .and_then(|i| r.get(i))
                .unwrap_or(r.start);
            IterState::Range {
                next: last,
                step: r.step.wrapping_neg(),
                remaining,
            }
        }
        Value::Tuple(tuple) => backwards(tuple.items.len()),
        Value::Dict(dict) => IterState::of_dict(dict, DictPart::Keys, true),
        Value::Instance(instance) => match &instance.payload {
            Payload::DictView(view) => IterState::of_dict(&view.dict, view.part, true),
            _ => return None,
        },
        _ => return None,
    }))
}

/// `reversed(a)`
pub fn reversed(vm: &mut dyn Vm, a: &Value) -> PyResult {
    if let Some(iterator) = reversed_simple(a) {
        return Ok(iterator);
    }
    match special(a, name!("__reversed__")) {
        Some(Value::None) => {}
        Some(method) => return call_special(vm, &method, a, &[]),
        None if matches!(a, Value::Set(_)) || a.as_dict().is_some() => {}
        None if special(a, name!("__getitem__")).is_some() => {
            let len = super::len(vm, a)?;
            return Ok(PyIter::value(IterState::SequenceReversed {
                object: a.clone(),
                index: i64::try_from(len).unwrap_or(i64::MAX),
            }));
        }
        None => {}
    }
    Err(Raised::type_error(format!(
        "'{}' object is not reversible",
        a.type_name()
    )))
}
