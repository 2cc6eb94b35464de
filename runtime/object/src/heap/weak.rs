//! References that do not keep their object alive.
//!
//! In: a living object. Out: [`PyWeak`] for Rust, [`WeakValue`] for Python's weak references. Always: all weak
//! references to an object share one cell, which is emptied before the object is dropped.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::rc::Rc;

use super::{Due, HEAP, Head, Object, WATCHED, owe};
use crate::{Instance, PyRef, Value};

/// What the weak references to one object share.
pub(super) struct WeakCell {
    target: Cell<Option<NonNull<Head>>>,
    /// Python's weak references to it, in the order of their making.
    watchers: RefCell<Vec<PyWeak<Instance>>>,
}

/// The cell of an object; made at its first weak reference.
fn cell_of(head: &Head) -> Rc<WeakCell> {
    HEAP.with(|heap| {
        let mut cells = heap.weak.borrow_mut();
        head.set(WATCHED);
        cells
            .get_or_insert_with(HashMap::new)
            .entry(NonNull::from(head))
            .or_insert_with(|| {
                Rc::new(WeakCell {
                    target: Cell::new(Some(NonNull::from(head))),
                    watchers: RefCell::new(Vec::new()),
                })
            })
            .clone()
    })
}

/// Empties the weak references to an object. Callbacks are owed, the youngest reference's first.
pub(super) fn forget(head: &Head, with_callbacks: bool) {
    head.state.set(head.state.get() & !WATCHED);
    let cell = HEAP.with(|heap| {
        let mut cells = heap.weak.borrow_mut();
        cells.as_mut()?.remove(&NonNull::from(head))
    });
    let Some(cell) = cell else { return };
    cell.target.set(None);
    let watchers = cell.watchers.take();
    if with_callbacks {
        for reference in watchers.iter().rev().filter_map(PyWeak::upgrade) {
            owe(Due::Callback(Value::Instance(reference)));
        }
    }
}

/// Python's living weak references to an object, in the order of their making: `weakref.getweakrefs()`.
pub fn weak_references(value: &Value) -> Vec<Value> {
    let watched = value.head().filter(|head| head.is(WATCHED));
    let cell = watched.map(cell_of);
    cell.iter()
        .flat_map(|cell| {
            let watchers = cell.watchers.borrow();
            let alive: Vec<_> = watchers.iter().filter_map(PyWeak::upgrade).collect();
            alive
        })
        .map(Value::Instance)
        .collect()
}

/// A weak reference to an object of a known kind.
pub struct PyWeak<T> {
    cell: Rc<WeakCell>,
    target: PhantomData<*const T>,
}

impl<T: Object> PyWeak<T> {
    /// A weak reference to this object.
    pub fn new(object: &PyRef<T>) -> Self {
        PyWeak {
            cell: cell_of(object.head()),
            target: PhantomData,
        }
    }

    /// Whether the object is alive.
    pub fn is_alive(&self) -> bool {
        self.cell.target.get().is_some()
    }

    /// Whether it refers to this object.
    pub fn is(&self, object: &PyRef<T>) -> bool {
        self.cell.target.get() == Some(NonNull::from(object.head()))
    }

    /// The object, if it is alive.
    pub fn upgrade(&self) -> Option<PyRef<T>> {
        let head = self.cell.target.get()?;
        // SAFETY: the cell is emptied before its object is dropped, and was made for a `T`.
        Some(unsafe { PyRef::of_head(head) })
    }
}

/// A weak reference to any object.
pub struct WeakValue(Rc<WeakCell>);

impl WeakValue {
    /// A weak reference to this object; none to an immediate value.
    pub fn new(value: &Value) -> Option<Self> {
        value.head().map(|head| WeakValue(cell_of(head)))
    }

    /// The object, if it is alive.
    pub fn upgrade(&self) -> Option<Value> {
        let head = self.0.target.get()?;
        // SAFETY: the cell is emptied before its object is dropped.
        Some(unsafe { Value::behind(head) })
    }

    /// Remembers the Python object that holds this reference: its callback is owed when the object
    /// dies before it.
    pub fn watch(&self, holder: &PyRef<Instance>) {
        let mut watchers = self.0.watchers.borrow_mut();
        if watchers.len() == watchers.capacity() {
            watchers.retain(PyWeak::is_alive);
        }
        watchers.push(PyWeak::new(holder));
    }
}
