//! Built-in iterators.
//!
//! In: iterables. Out: [`PyIter`], advanced by [`crate::ops::next`]. Always: the state is not
//! borrowed while Python code runs; an exhausted iterator stays exhausted.

use std::cell::RefCell;
use std::rc::Rc;

use crate::dict::{DictPart, changed_size};
use crate::heap::Tracer;
use crate::{
    Class, PyBytes, PyDict, PyList, PyRef, PyResult, PySet, PyStr, PyTuple, Raised, Value, Vm, ops,
    types,
};

/// A built-in iterator.
pub struct PyIter {
    /// Where it stands.
    pub state: RefCell<IterState>,
}

/// An iterator written in Rust outside of this crate.
pub trait NativeIterator {
    /// The next value, `None` at the end.
    fn next(&mut self, vm: &mut dyn Vm) -> PyResult<Option<Value>>;
    /// Its Python class.
    fn class(&self) -> PyRef<Class> {
        types().iterator.clone()
    }
    /// How many values are left, where that is known.
    fn length_hint(&self) -> Option<Value> {
        None
    }
    /// What `__reduce__` gives, where it can be taken apart; no Python runs.
    fn reduce(&self, _vm: &mut dyn Vm) -> PyResult<Option<Value>> {
        Ok(None)
    }
    /// What `__setstate__` does; whether it has such a state.
    fn set_state(&mut self, _state: &Value) -> bool {
        false
    }
    /// Shows the references to objects that it holds, as [`crate::heap::Object::trace`] does.
    fn trace(&self, _tracer: &mut Tracer<'_>) {}
}

/// State of a [`PyIter`].
pub enum IterState {
    /// Over a range.
    Range {
        /// Next value.
        next: i64,
        /// Step.
        step: i64,
        /// Values left.
        remaining: usize,
    },
    /// Over a list; sees later appends.
    List {
        /// The list.
        list: PyRef<PyList>,
        /// Next index.
        index: usize,
    },
    /// Over a list, backwards.
    ListReversed {
        /// The list.
        list: PyRef<PyList>,
        /// One more than the next index.
        index: usize,
    },
    /// Over a tuple.
    Tuple {
        /// The tuple.
        tuple: PyRef<PyTuple>,
        /// Next index.
        index: usize,
    },
    /// Over the code points of a string.
    Str {
        /// The string.
        string: PyRef<PyStr>,
        /// Byte offset of the next code point.
        offset: usize,
    },
    /// Over bytes.
    Bytes {
        /// The bytes.
        bytes: PyRef<PyBytes>,
        /// Next index.
        index: usize,
    },
    /// Over a dict.
    Dict {
        /// The dict.
        dict: PyRef<PyDict>,
        /// What to yield.
        part: DictPart,
        /// Next position (reversed: one more than the next position).
        at: usize,
        /// Its length when the iterator was made.
        len: usize,
        /// How many entries it has not given yet.
        left: usize,
        /// Whether from the end.
        reversed: bool,
    },
    /// Over a set.
    Set {
        /// The set.
        set: PyRef<PySet>,
        /// Next position.
        at: usize,
        /// Its length when the iterator was made.
        len: usize,
    },
    /// `enumerate`
    Enumerate {
        /// The iterator.
        iter: Value,
        /// Next number.
        count: Value,
    },
    /// `zip`
    Zip {
        /// The iterators.
        iters: Rc<[Value]>,
        /// `strict=True`
        strict: bool,
    },
    /// `map`
    Map {
        /// The function.
        function: Value,
        /// The iterators.
        iters: Rc<[Value]>,
    },
    /// `filter`
    Filter {
        /// The predicate, or None.
        function: Value,
        /// The iterator.
        iter: Value,
    },
    /// Over anything with `__getitem__`.
    Sequence {
        /// The sequence.
        object: Value,
        /// Next index.
        index: i64,
    },
    /// `reversed` of anything with `__len__` and `__getitem__`.
    SequenceReversed {
        /// The sequence.
        object: Value,
        /// One more than the next index.
        index: i64,
    },
    /// `iter(callable, sentinel)`
    Call {
        /// The callable.
        callable: Value,
        /// The sentinel.
        sentinel: Value,
    },
    /// Of a native module.
    Dyn(Box<dyn NativeIterator>),
    /// A `Dyn` that is being advanced, with its class.
    Busy(PyRef<Class>),
    /// Exhausted, with the class it had.
    Done(PyRef<Class>),
}

/// What an iterator gives without Python.
pub enum SimpleNext {
    /// An int, of a range.
    Int(i64),
    /// An item.
    Item(Value),
    /// Nothing more.
    End,
    /// It takes more than a look: Python, an exception, or an end that is to be marked.
    Other,
}

/// The next entry of a dict from a position on, which moves.
fn next_of_dict(dict: &PyDict, at: &mut usize, reversed: bool) -> Option<(Value, Value)> {
    let (found, key, value) = match reversed {
        true => dict.previous_entry(*at)?,
        false => dict.next_entry(*at)?,
    };
    *at = found + usize::from(!reversed);
    Some((key, value))
}

impl DictPart {
    /// What an entry is to who wants this part.
    fn of(self, key: Value, value: Value) -> Value {
        match self {
            DictPart::Keys => key,
            DictPart::Values => value,
            DictPart::Items => Value::tuple(vec![key, value]),
        }
    }
}

impl IterState {
    /// Over a part of a dict.
    pub(crate) fn of_dict(dict: &PyRef<PyDict>, part: DictPart, reversed: bool) -> IterState {
        dict.keep_places();
        IterState::Dict {
            dict: dict.clone(),
            part,
            at: if reversed { usize::MAX } else { 0 },
            len: dict.len(),
            left: dict.len(),
            reversed,
        }
    }

    /// The next item of what goes over a container that is no list or tuple. Who takes the items of a dict, which are
    /// tuples, may not want these made.
    fn next_of_container(&mut self) -> Option<Value> {
        match self {
            IterState::ListReversed { list, index } => {
                *index = index.checked_sub(1)?;
                list.get(*index)
            }
            IterState::Str { string, offset } => {
                let byte = *string.as_str().as_bytes().get(*offset)?;
                let c = match byte.is_ascii() {
                    true => char::from(byte),
                    false => string.as_str().get(*offset..)?.chars().next()?,
                };
                *offset += c.len_utf8();
                Some(Value::char(c))
            }
            IterState::Bytes { bytes, index } => {
                let byte = *bytes.bytes().get(*index)?;
                *index += 1;
                Some(Value::Int(i64::from(byte)))
            }
            IterState::Dict {
                dict,
                part,
                at,
                len,
                left,
                reversed,
            } if *part != DictPart::Items && dict.len() == *len && *left > 0 => {
                let (key, value) = next_of_dict(dict, at, *reversed)?;
                *left -= 1;
                Some(part.of(key, value))
            }
            IterState::Set { set, at, len } if set.len() == *len => {
                let (found, item) = set.next_entry(*at)?;
                *at = found + 1;
                Some(item)
            }
            _ => None,
        }
    }
}

impl PyIter {
    /// Makes an iterator.
    pub fn new(state: IterState) -> Self {
        PyIter {
            state: RefCell::new(state),
        }
    }

    /// Makes an iterator value.
    pub fn value(state: IterState) -> Value {
        Value::Iter(PyRef::new(Self::new(state)))
    }

    /// Makes an iterator value of a native iterator.
    pub fn native(iterator: impl NativeIterator + 'static) -> Value {
        Self::value(IterState::Dyn(Box::new(iterator)))
    }

    /// Its Python class.
    pub fn class(&self) -> PyRef<Class> {
        let t = types();
        match &*self.state.borrow() {
            IterState::Range { .. } => &t.range_iterator,
            IterState::List { .. } => &t.list_iterator,
            IterState::ListReversed { .. } => &t.list_reverseiterator,
            IterState::Tuple { .. } => &t.tuple_iterator,
            IterState::Str { string, .. } if string.is_ascii() => &t.str_ascii_iterator,
            IterState::Str { .. } => &t.str_iterator,
            IterState::Bytes { bytes, .. } if bytes.mutable => &t.bytearray_iterator,
            IterState::Bytes { .. } => &t.bytes_iterator,
            IterState::Dict {
                part: DictPart::Keys,
                reversed: false,
                ..
            } => &t.dict_keyiterator,
            IterState::Dict {
                part: DictPart::Values,
                reversed: false,
                ..
            } => &t.dict_valueiterator,
            IterState::Dict {
                part: DictPart::Items,
                reversed: false,
                ..
            } => &t.dict_itemiterator,
            IterState::Dict {
                part: DictPart::Keys,
                ..
            } => &t.dict_reversekeyiterator,
            IterState::Dict {
                part: DictPart::Values,
                ..
            } => &t.dict_reversevalueiterator,
            IterState::Dict {
                part: DictPart::Items,
                ..
            } => &t.dict_reverseitemiterator,
            IterState::Set { .. } => &t.set_iterator,
            IterState::Enumerate { .. } => &t.enumerate,
            IterState::Zip { .. } => &t.zip,
            IterState::Map { .. } => &t.map,
            IterState::Filter { .. } => &t.filter,
            IterState::Sequence { .. } => &t.iterator,
            IterState::SequenceReversed { .. } => &t.reversed,
            IterState::Call { .. } => &t.callable_iterator,
            IterState::Dyn(iterator) => return iterator.class(),
            IterState::Busy(class) | IterState::Done(class) => class,
        }
        .clone()
    }

    /// Marks it exhausted.
    pub(crate) fn finish(&self) {
        let class = self.class();
        let old = self.state.replace(IterState::Done(class));
        drop(old);
    }

    /// The next value, `None` at the end.
    #[inline]
    pub fn next(&self, vm: &mut dyn Vm) -> PyResult<Option<Value>> {
        if janus_gil::pending::attention() {
            vm.poll()?;
        }
        match self.next_simple() {
            SimpleNext::Int(i) => Ok(Some(Value::Int(i))),
            SimpleNext::Item(item) => Ok(Some(item)),
            SimpleNext::End => Ok(None),
            SimpleNext::Other => self.next_other(vm),
        }
    }

    /// The next value, where neither Python nor an exception has to do with it.
    #[inline(always)]
    pub fn next_simple(&self) -> SimpleNext {
        let Ok(mut state) = self.state.try_borrow_mut() else {
            return SimpleNext::Other;
        };
        let item = match &mut *state {
            IterState::Range {
                next,
                step,
                remaining,
            } => {
                if *remaining == 0 {
                    return SimpleNext::End;
                }
                *remaining -= 1;
                let value = *next;
                // The value after the last one is never used.
                *next = value.wrapping_add(*step);
                return SimpleNext::Int(value);
            }
            IterState::List { list, index } => match list.get(*index) {
                Some(item) => {
                    *index += 1;
                    return SimpleNext::Item(item);
                }
                None => None,
            },
            IterState::Tuple { tuple, index } => match tuple.items.get(*index) {
                Some(item) => {
                    *index += 1;
                    return SimpleNext::Item(item.clone());
                }
                None => None,
            },
            other => other.next_of_container(),
        };
        match item {
            Some(item) => SimpleNext::Item(item),
            None => {
                drop(state);
                self.end_simple()
            }
        }
    }

    /// Marks what goes over a list or a tuple exhausted, which no exception has to do with.
    fn end_simple(&self) -> SimpleNext {
        let ends = matches!(
            &*self.state.borrow(),
            IterState::List { .. } | IterState::Tuple { .. }
        );
        if !ends {
            return SimpleNext::Other;
        }
        self.finish();
        SimpleNext::End
    }

    /// Whether it goes over a container that is built in, so that no Python runs for it.
    pub fn is_of_container(&self) -> bool {
        matches!(
            self.state.try_borrow().as_deref(),
            Ok(IterState::Range { .. }
                | IterState::List { .. }
                | IterState::ListReversed { .. }
                | IterState::Tuple { .. }
                | IterState::Str { .. }
                | IterState::Bytes { .. }
                | IterState::Dict { .. }
                | IterState::Set { .. })
        )
    }

    fn next_other(&self, vm: &mut dyn Vm) -> PyResult<Option<Value>> {
        match self.step(vm) {
            // What a function of `map` or `filter` raises ends the iteration, as in CPython.
            Err(raised) if raised.is(crate::ExcKind::StopIteration) => Ok(None),
            Ok(None) => {
                // What goes over other iterators asks these again, as in CPython.
                let asks = matches!(
                    &*self.state.borrow(),
                    IterState::Enumerate { .. }
                        | IterState::Zip { .. }
                        | IterState::Map { .. }
                        | IterState::Filter { .. }
                );
                if !asks {
                    self.finish();
                }
                Ok(None)
            }
            other => other,
        }
    }

    fn step(&self, vm: &mut dyn Vm) -> PyResult<Option<Value>> {
        let mut state = self.state.borrow_mut();
        match &mut *state {
            // At the end.
            IterState::Range { .. }
            | IterState::List { .. }
            | IterState::ListReversed { .. }
            | IterState::Tuple { .. }
            | IterState::Str { .. }
            | IterState::Bytes { .. } => Ok(None),
            IterState::Dict {
                dict,
                part,
                at,
                len,
                left,
                reversed,
            } => {
                if dict.len() != *len {
                    // As in CPython, the iterator stays unusable.
                    *len = usize::MAX;
                    return Err(changed_size("dictionary"));
                }
                let Some((key, value)) = next_of_dict(dict, at, *reversed) else {
                    return Ok(None);
                };
                let Some(fewer) = left.checked_sub(1) else {
                    *at = usize::MAX;
                    return Err(Raised::runtime_error(
                        "dictionary keys changed during iteration",
                    ));
                };
                *left = fewer;
                Ok(Some(part.of(key, value)))
            }
            IterState::Set { set, len, .. } => {
                if set.len() != *len {
                    *len = usize::MAX;
                    return Err(changed_size("Set"));
                }
                Ok(None)
            }
            IterState::Enumerate { iter, count } => {
                let (iter, number) = (iter.clone(), count.clone());
                drop(state);
                let Some(item) = ops::next(vm, &iter)? else {
                    return Ok(None);
                };
                let following = match &number {
                    Value::Int(n) if *n < i64::MAX => Value::Int(n + 1),
                    _ => ops::binary(vm, janus_bytecode::BinaryOp::Add, &number, &Value::Int(1))?,
                };
                if let IterState::Enumerate { count, .. } = &mut *self.state.borrow_mut() {
                    *count = following;
                }
                Ok(Some(Value::tuple(vec![number, item])))
            }
            IterState::Zip { iters, strict } => {
                let (iters, strict) = (iters.clone(), *strict);
                drop(state);
                zip_step(vm, &iters, strict)
            }
            IterState::Map { function, iters } => {
                let (function, iters) = (function.clone(), iters.clone());
                drop(state);
                let mut row = smallvec::SmallVec::<[Value; 4]>::new();
                for iter in iters.iter() {
                    match ops::next(vm, iter)? {
                        Some(item) => row.push(item),
                        None => return Ok(None),
                    }
                }
                vm.call(&function, crate::Args::new(&row)).map(Some)
            }
            IterState::Filter { function, iter } => {
                let (function, iter) = (function.clone(), iter.clone());
                drop(state);
                while let Some(item) = ops::next(vm, &iter)? {
                    let keep = match &function {
                        Value::None => ops::truth(vm, &item)?,
                        f => {
                            let verdict =
                                vm.call(f, crate::Args::new(std::slice::from_ref(&item)))?;
                            ops::truth(vm, &verdict)?
                        }
                    };
                    if keep {
                        return Ok(Some(item));
                    }
                }
                Ok(None)
            }
            IterState::Sequence { object, index } => {
                let (object, at) = (object.clone(), *index);
                *index += 1;
                drop(state);
                end_of_sequence(ops::get_item(vm, &object, &Value::Int(at)))
            }
            IterState::SequenceReversed { object, index } => {
                if *index <= 0 {
                    return Ok(None);
                }
                *index -= 1;
                let (object, at) = (object.clone(), *index);
                drop(state);
                end_of_sequence(ops::get_item(vm, &object, &Value::Int(at)))
            }
            IterState::Call { callable, sentinel } => {
                let (callable, sentinel) = (callable.clone(), sentinel.clone());
                drop(state);
                let value = match vm.call(&callable, crate::Args::new(&[])) {
                    Err(raised) if raised.is(crate::ExcKind::StopIteration) => return Ok(None),
                    other => other?,
                };
                if ops::eq(vm, &sentinel, &value)? {
                    Ok(None)
                } else {
                    Ok(Some(value))
                }
            }
            IterState::Dyn(iterator) => {
                let class = iterator.class();
                let taken = std::mem::replace(&mut *state, IterState::Busy(class));
                drop(state);
                let IterState::Dyn(mut iterator) = taken else {
                    return Ok(None);
                };
                let next = iterator.next(vm);
                *self.state.borrow_mut() = IterState::Dyn(iterator);
                next
            }
            IterState::Busy(_) => Err(Raised::value_error("iterator already executing")),
            IterState::Done(_) => Ok(None),
        }
    }
}

fn end_of_sequence(item: PyResult) -> PyResult<Option<Value>> {
    match item {
        Ok(value) => Ok(Some(value)),
        Err(raised)
            if raised.is(crate::ExcKind::IndexError)
                || raised.is(crate::ExcKind::StopIteration) =>
        {
            Ok(None)
        }
        Err(raised) => Err(raised),
    }
}

fn zip_step(vm: &mut dyn Vm, iters: &[Value], strict: bool) -> PyResult<Option<Value>> {
    if iters.is_empty() {
        return Ok(None);
    }
    let mut row = Vec::with_capacity(iters.len());
    for (i, iter) in iters.iter().enumerate() {
        let Some(item) = ops::next(vm, iter)? else {
            if !strict {
                return Ok(None);
            }
            let plural = |n: usize| {
                if n == 1 {
                    "argument 1".to_owned()
                } else {
                    format!("arguments 1-{n}")
                }
            };
            if i > 0 {
                let (at, before) = (i + 1, plural(i));
                return Err(Raised::value_error(format!(
                    "zip() argument {at} is shorter than {before}"
                )));
            }
            for (j, other) in iters.iter().enumerate().skip(1) {
                if ops::next(vm, other)?.is_some() {
                    let (at, before) = (j + 1, plural(j));
                    return Err(Raised::value_error(format!(
                        "zip() argument {at} is longer than {before}"
                    )));
                }
            }
            return Ok(None);
        };
        row.push(item);
    }
    Ok(Some(Value::tuple(row)))
}
