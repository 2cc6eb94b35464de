//! What a `collections.deque` stores.
//!
//! In: elements. Out: the same, in order. Always: with a `maxlen` there are never more. The elements lie in a list, so
//! that compiled code treats them as it does a list's.

use std::cell::Cell;

use crate::heap::Tracer;
use crate::{Class, Foreign, Payload, PyList, PyRef, Value};

/// A deque's data.
pub struct PyDeque {
    /// The elements.
    pub items: PyRef<PyList>,
    /// `maxlen`
    pub max: Cell<Option<usize>>,
    /// Counts changes of the length or order, for iterators.
    pub changes: Cell<u32>,
}

impl Foreign for PyDeque {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.reference(&self.items);
    }

    fn clear(&self) {
        drop(self.items.items.take());
    }
}

impl PyDeque {
    /// Makes a deque of this class, of the last `max` of the elements.
    pub fn make(class: &PyRef<Class>, mut items: Vec<Value>, max: Option<usize>) -> Value {
        if let Some(max) = max {
            let extra = items.len().saturating_sub(max);
            items.drain(..extra);
        }
        let data = PyDeque {
            items: PyRef::new(PyList::new(items)),
            max: Cell::new(max),
            changes: Cell::new(0),
        };
        Value::instance(class, Payload::Foreign(Box::new(data)))
    }

    /// Notes a change of the length or order.
    pub fn touch(&self) {
        self.changes.set(self.changes.get().wrapping_add(1));
    }

    /// Appends an element; with too many, the first one goes.
    pub fn push_back(&self, value: Value) {
        self.items.push(value);
        if self.max.get().is_some_and(|max| self.items.len() > max) {
            drop(self.take(0));
        }
        self.touch();
    }

    /// Puts an element in front; with too many, the last one goes.
    pub fn push_front(&self, value: Value) {
        self.items.items.borrow_mut().insert(0, value);
        if self.max.get().is_some_and(|max| self.items.len() > max) {
            let dropped = self.items.items.borrow_mut().pop();
            drop(dropped);
        }
        self.touch();
    }

    /// Takes an element out.
    pub fn take(&self, at: usize) -> Option<Value> {
        let mut items = self.items.items.borrow_mut();
        (at < items.len()).then(|| items.remove(at))
    }
}
