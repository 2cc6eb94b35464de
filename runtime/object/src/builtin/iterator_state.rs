//! Built-in iterators as copies and pickles take them apart: `__reduce__` and `__setstate__`.
//!
//! In: an iterator. Out: what makes one that stands at the same place. Always: an exhausted iterator is taken
//! apart into one over nothing of the kind that CPython names.

use crate::native::wrong_self;
use crate::{
    Args, IterState, NativeDef, PyIter, PyRef, PyResult, Raised, Value, Vm, class_of, ops, types,
};

pub(crate) const REDUCE: &[NativeDef] = &[NativeDef::method("iterator.__reduce__", reduce)];
pub(crate) const STATE: &[NativeDef] = &[NativeDef::method("iterator.__setstate__", set_state)];

fn own(this: &Value, method: &str) -> PyResult<PyRef<PyIter>> {
    match this.unwrapped() {
        Value::Iter(it) => Ok(it),
        _ => Err(wrong_self(method, "iterator", this)),
    }
}

pub(crate) fn builtin(vm: &mut dyn Vm, name: &str) -> PyResult {
    let found = vm.builtins().get_str(name);
    found.ok_or_else(|| Raised::runtime_error(format!("lost builtins.{name}")))
}

/// `(maker, (over,))`, and the place where there is one.
fn parts(maker: Value, over: Vec<Value>, place: Option<Value>) -> Value {
    let mut parts = vec![maker, Value::tuple(over)];
    parts.extend(place);
    Value::tuple(parts)
}

fn reduce(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__reduce__")?;
    let it = own(this, "__reduce__")?;
    let iter = builtin(vm, "iter")?;
    let class = Value::Class(class_of(this));
    let at = |index: usize| Some(Value::from(index));
    let state = it.state.borrow();
    Ok(match &*state {
        IterState::Range {
            next,
            step,
            remaining,
        } => {
            let stop = i128::from(*next) + i128::from(*step) * (*remaining as i128);
            let over = super::long_range::range((*next).into(), stop.into(), (*step).into());
            parts(iter, vec![over], at(0))
        }
        IterState::List { list, index } => parts(iter, vec![Value::List(list.clone())], at(*index)),
        IterState::ListReversed { list, index } => {
            let next = Value::Int(*index as i64 - 1);
            parts(
                builtin(vm, "reversed")?,
                vec![Value::List(list.clone())],
                Some(next),
            )
        }
        IterState::Tuple { tuple, index } => {
            parts(iter, vec![Value::Tuple(tuple.clone())], at(*index))
        }
        IterState::Str { string, offset } => {
            let before = string.as_str().get(..*offset);
            let index = before.map_or(0, |text| text.chars().count());
            parts(iter, vec![Value::Str(string.clone())], at(index))
        }
        IterState::Bytes { bytes, index } => {
            parts(iter, vec![Value::Bytes(bytes.clone())], at(*index))
        }
        IterState::Dict { .. } | IterState::Set { .. } => {
            drop(state);
            parts(iter, vec![Value::list(rest(vm, &it)?)], None)
        }
        IterState::Enumerate { iter, count } => {
            parts(class, vec![iter.clone(), count.clone()], None)
        }
        IterState::Zip { iters, strict } => {
            let place = strict.then_some(Value::bool(true));
            parts(class, iters.to_vec(), place)
        }
        IterState::Map { function, iters } => {
            let mut given = vec![function.clone()];
            given.extend(iters.iter().cloned());
            parts(class, given, None)
        }
        IterState::Filter { function, iter } => {
            parts(class, vec![function.clone(), iter.clone()], None)
        }
        IterState::Sequence { object, index } => {
            parts(iter, vec![object.clone()], Some(Value::Int(*index)))
        }
        IterState::SequenceReversed { object, index } => {
            parts(class, vec![object.clone()], Some(Value::Int(*index - 1)))
        }
        IterState::Call { callable, sentinel } => {
            parts(iter, vec![callable.clone(), sentinel.clone()], None)
        }
        IterState::Dyn(iterator) if let Some(parts) = iterator.reduce(vm)? => parts,
        IterState::Dyn(_) | IterState::Busy(_) => {
            return Err(Raised::type_error(format!(
                "cannot pickle '{}' object",
                this.type_name()
            )));
        }
        IterState::Done(of) => {
            let t = types();
            let is = |class: &PyRef<crate::Class>| PyRef::ptr_eq(of, class);
            let nothing = || Value::tuple(Vec::new());
            if of.is_subclass_of(&t.zip) {
                parts(class, Vec::new(), None)
            } else if of.is_subclass_of(&t.map) || of.is_subclass_of(&t.filter) {
                parts(class, vec![Value::None, nothing()], None)
            } else if of.is_subclass_of(&t.enumerate) || of.is_subclass_of(&t.reversed) {
                parts(class, vec![nothing()], None)
            } else if is(&t.str_iterator) || is(&t.str_ascii_iterator) {
                parts(iter, vec![Value::str("")], None)
            } else if [&t.tuple_iterator, &t.bytes_iterator, &t.bytearray_iterator]
                .into_iter()
                .chain([&t.iterator, &t.callable_iterator])
                .any(is)
            {
                parts(iter, vec![nothing()], None)
            } else {
                parts(iter, vec![Value::list(Vec::new())], None)
            }
        }
    })
}

/// What a dict's or set's iterator has not given yet; it stands where it stood.
fn rest(vm: &mut dyn Vm, it: &PyRef<PyIter>) -> PyResult<Vec<Value>> {
    let copy = match &*it.state.borrow() {
        IterState::Dict {
            dict,
            part,
            at,
            len,
            left,
            reversed,
        } => IterState::Dict {
            dict: dict.clone(),
            part: *part,
            at: *at,
            len: *len,
            left: *left,
            reversed: *reversed,
        },
        IterState::Set { set, at, len } => IterState::Set {
            set: set.clone(),
            at: *at,
            len: *len,
        },
        _ => return Ok(Vec::new()),
    };
    ops::collect(vm, &PyIter::value(copy))
}

fn set_state(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [place]) = args.method::<1>("__setstate__")?;
    let it = own(this, "__setstate__")?;
    if let IterState::Zip { strict, .. } = &mut *it.state.borrow_mut() {
        *strict = ops::truth(vm, place)?;
        return Ok(Value::None);
    }
    if let IterState::Dyn(iterator) = &mut *it.state.borrow_mut()
        && iterator.set_state(place)
    {
        return Ok(Value::None);
    }
    let place = ops::as_index(vm, place)?;
    let below = |len: usize| usize::try_from(place).unwrap_or(0).min(len);
    // The length of any other sequence is asked for with nothing borrowed.
    let of = match &*it.state.borrow() {
        IterState::SequenceReversed { object, .. } => Some(object.clone()),
        _ => None,
    };
    let len = match of {
        Some(object) => Some(ops::len(vm, &object)?),
        None => None,
    };
    match &mut *it.state.borrow_mut() {
        IterState::Range {
            next,
            step,
            remaining,
        } => {
            let skipped = below(*remaining);
            *next = next.wrapping_add(step.wrapping_mul(skipped as i64));
            *remaining -= skipped;
        }
        IterState::List { list, index } => *index = below(list.len()),
        IterState::ListReversed { list, index } => {
            *index = usize::try_from(place.saturating_add(1))
                .unwrap_or(0)
                .min(list.len());
        }
        IterState::Tuple { tuple, index } => *index = below(tuple.len()),
        IterState::Str { string, offset } => {
            let text = string.as_str();
            let at = text.char_indices().nth(below(usize::MAX));
            *offset = at.map_or(text.len(), |(at, _)| at);
        }
        IterState::Bytes { bytes, index } => *index = below(bytes.len()),
        IterState::Sequence { index, .. } => *index = place.max(0),
        IterState::SequenceReversed { index, .. } => {
            let len = i64::try_from(len.unwrap_or(0)).unwrap_or(i64::MAX);
            *index = place.saturating_add(1).clamp(0, len);
        }
        _ => {}
    }
    Ok(Value::None)
}
