//! What a `collections.deque` stores.
//!
//! In: elements. Out: the same, in order. Always: with a `maxlen` there are never more; taking and adding at either end takes the same
//! time however many there are. The elements lie in a list, so that compiled code treats them as it does a list's.

use std::cell::Cell;

use crate::heap::Tracer;
use crate::{Class, Foreign, Payload, PyList, PyRef, Value};

/// A smaller gap is not worth closing.
const LEAST_GAP: usize = 16;

/// A deque's data.
pub struct PyDeque {
    /// The elements, behind as many places that hold None as `gap` says: none while somebody else has the list.
    list: PyRef<PyList>,
    gap: Cell<usize>,
    /// `maxlen`
    pub max: Cell<Option<usize>>,
    /// Counts changes of the length or order, for iterators.
    pub changes: Cell<u32>,
}

impl Foreign for PyDeque {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.reference(&self.list);
    }

    fn clear(&self) {
        drop(self.replace(Vec::new()));
    }

    fn length(&self) -> Option<usize> {
        Some(self.len())
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
            list: PyRef::new(PyList::new(items)),
            gap: Cell::new(0),
            max: Cell::new(max),
            changes: Cell::new(0),
        };
        Value::instance(class, Payload::Foreign(Box::new(data)))
    }

    /// Notes a change of the length or order.
    pub fn touch(&self) {
        self.changes.set(self.changes.get().wrapping_add(1));
    }

    /// The elements as a list.
    pub fn items(&self) -> &PyRef<PyList> {
        let gap = self.gap.take();
        if gap > 0 {
            self.list.items.borrow_mut().drain(..gap);
        }
        &self.list
    }

    /// Whether nobody else looks at the list.
    #[inline]
    fn is_alone(&self) -> bool {
        PyRef::strong_count(&self.list) == 1
    }

    /// Puts others in the place of all elements.
    pub fn replace(&self, items: Vec<Value>) -> Vec<Value> {
        self.gap.set(0);
        self.list.items.replace(items)
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len().saturating_sub(self.gap.get())
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An element.
    #[inline]
    pub fn get(&self, at: usize) -> Option<Value> {
        self.list.get(self.gap.get().checked_add(at)?)
    }

    /// Puts another element in the place of one, which is returned.
    pub fn set(&self, at: usize, value: Value) -> Option<Value> {
        let mut items = self.list.items.borrow_mut();
        let place = items.get_mut(self.gap.get().checked_add(at)?)?;
        Some(std::mem::replace(place, value))
    }

    /// Appends an element; with too many, the first one goes.
    pub fn push_back(&self, value: Value) {
        self.list.push(value);
        if self.max.get().is_some_and(|max| self.len() > max) {
            drop(self.pop_front());
        }
        self.touch();
    }

    /// Puts an element in front; with too many, the last one goes.
    pub fn push_front(&self, value: Value) {
        if self.gap.get() == 0 {
            // As many places as there are elements: so each of them is moved once in a while only.
            let gap = match self.is_alone() {
                true => self.len().max(LEAST_GAP),
                false => 1,
            };
            let nothing = std::iter::repeat_n(Value::None, gap);
            drop(self.list.items.borrow_mut().splice(..0, nothing));
            self.gap.set(gap);
        }
        let before = self.gap.get() - 1;
        self.gap.set(before);
        if let Some(place) = self.list.items.borrow_mut().get_mut(before) {
            *place = value;
        }
        if self.max.get().is_some_and(|max| self.len() > max) {
            drop(self.pop_back());
        }
        self.touch();
    }

    /// Takes the last element out.
    pub fn pop_back(&self) -> Option<Value> {
        match self.is_empty() {
            true => None,
            false => self.list.items.borrow_mut().pop(),
        }
    }

    /// Takes the first element out.
    pub fn pop_front(&self) -> Option<Value> {
        let gap = self.gap.get();
        let mut items = self.list.items.borrow_mut();
        let first = std::mem::replace(items.get_mut(gap)?, Value::None);
        let (gap, count) = (gap + 1, items.len());
        // Once it is as large as what is left, closing it costs what was saved.
        let is_large = gap == count || gap >= LEAST_GAP && gap > count / 2;
        let closes = is_large || !self.is_alone();
        if closes {
            items.drain(..gap);
        }
        self.gap.set(if closes { 0 } else { gap });
        Some(first)
    }

    /// Takes an element out.
    pub fn take(&self, at: usize) -> Option<Value> {
        if at == 0 {
            return self.pop_front();
        }
        let mut items = self.items().items.borrow_mut();
        (at < items.len()).then(|| items.remove(at))
    }
}
