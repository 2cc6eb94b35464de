//! Lists, tuples, bytes, ranges and slices.
//!
//! In: values. Out: the payloads of the sequence types and the arithmetic of slices. Always: no
//! borrow of a list is held while Python code runs; the step of a range is never zero.

use std::cell::{Cell, Ref, RefCell};

use crate::{ExcKind, PyResult, Raised, Value, Vm, ops};

/// A list.
#[derive(Default)]
pub struct PyList {
    /// The elements.
    pub items: RefCell<Vec<Value>>,
}

impl PyList {
    /// Makes a list.
    pub fn new(items: Vec<Value>) -> Self {
        PyList {
            items: RefCell::new(items),
        }
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.borrow().len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an index that is not negative.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Value> {
        self.items.borrow().get(index).cloned()
    }

    /// Appends an element.
    #[inline]
    pub fn push(&self, value: Value) {
        self.items.borrow_mut().push(value);
    }

    /// A copy of the elements.
    pub fn to_vec(&self) -> Vec<Value> {
        self.items.borrow().clone()
    }
}

impl Drop for PyList {
    fn drop(&mut self) {
        drop_backwards(self.items.take());
    }
}

/// Drops elements in CPython's order, the last one first: finalizers tell.
pub(crate) fn drop_backwards<T>(mut elements: Vec<T>) {
    while let Some(element) = elements.pop() {
        drop(element);
    }
}

/// A tuple.
pub struct PyTuple {
    /// The elements.
    pub items: Box<[Value]>,
}

impl Drop for PyTuple {
    fn drop(&mut self) {
        drop_backwards(std::mem::take(&mut self.items).into_vec());
    }
}

impl PyTuple {
    /// Makes a tuple.
    pub fn new(items: impl Into<Box<[Value]>>) -> Self {
        PyTuple {
            items: items.into(),
        }
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// Bytes that lie in memory which is not the heap's: a file that is mapped.
pub trait Memory {
    /// The bytes.
    fn bytes(&self) -> &[u8];
    /// The same, to be written.
    fn bytes_mut(&mut self) -> &mut [u8];
}

/// Where bytes are.
enum Storage {
    Owned(Vec<u8>),
    Elsewhere(Box<dyn Memory>),
}

impl Storage {
    fn bytes(&self) -> &[u8] {
        match self {
            Storage::Owned(data) => data,
            Storage::Elsewhere(memory) => memory.bytes(),
        }
    }
}

/// Bytes or a bytearray.
pub struct PyBytes {
    data: RefCell<Storage>,
    /// How many views there are.
    exports: Cell<u32>,
    /// Whether this is a bytearray.
    pub mutable: bool,
}

impl PyBytes {
    /// Makes bytes, or a bytearray.
    pub fn new(data: impl Into<Vec<u8>>, mutable: bool) -> Self {
        PyBytes {
            data: RefCell::new(Storage::Owned(data.into())),
            exports: Cell::new(0),
            mutable,
        }
    }

    /// Bytes that are elsewhere.
    pub fn elsewhere(memory: Box<dyn Memory>, mutable: bool) -> Self {
        PyBytes {
            data: RefCell::new(Storage::Elsewhere(memory)),
            exports: Cell::new(0),
            mutable,
        }
    }

    /// The bytes. Do not hold this while Python code may run.
    pub fn bytes(&self) -> Ref<'_, [u8]> {
        Ref::map(self.data.borrow(), Storage::bytes)
    }

    /// A copy of the bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        self.data.borrow().bytes().to_vec()
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.data.borrow().bytes().len()
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Another view looks at the bytes.
    pub fn export(&self) {
        self.exports.set(self.exports.get() + 1);
    }

    /// One view fewer.
    pub fn unexport(&self) {
        self.exports.set(self.exports.get().saturating_sub(1));
    }

    /// Raises where views look at the bytes, so that their number must not change.
    pub fn check_resizable(&self) -> PyResult<()> {
        match self.exports.get() {
            0 => Ok(()),
            _ => Err(Raised::new(
                ExcKind::BufferError,
                "Existing exports of data: object cannot be re-sized",
            )),
        }
    }

    /// Changes a bytearray; callers check `mutable`, and `check_resizable` where the length changes.
    pub fn with_mut<R>(&self, change: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        match &mut *self.data.borrow_mut() {
            Storage::Owned(data) => change(data),
            // As many bytes as there are: those elsewhere keep their number.
            Storage::Elsewhere(memory) => {
                let mut copy = memory.bytes().to_vec();
                let result = change(&mut copy);
                let room = memory.bytes_mut();
                let n = room.len().min(copy.len());
                room[..n].copy_from_slice(&copy[..n]);
                result
            }
        }
    }

    /// Writes where the bytes are; callers check `mutable`.
    pub fn write<R>(&self, change: impl FnOnce(&mut [u8]) -> R) -> R {
        match &mut *self.data.borrow_mut() {
            Storage::Owned(data) => change(data),
            Storage::Elsewhere(memory) => change(memory.bytes_mut()),
        }
    }
}

/// A range of ints within 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PyRange {
    /// First value.
    pub start: i64,
    /// End, exclusive.
    pub stop: i64,
    /// Step, never 0.
    pub step: i64,
}

impl PyRange {
    /// Number of values.
    pub fn len(&self) -> usize {
        let (start, stop, step) = (
            i128::from(self.start),
            i128::from(self.stop),
            i128::from(self.step),
        );
        let span = if step > 0 { stop - start } else { start - stop };
        if span <= 0 || step == 0 {
            return 0;
        }
        usize::try_from((span - 1) / step.abs() + 1).unwrap_or(usize::MAX)
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at an index below the length.
    pub fn get(&self, index: usize) -> Option<i64> {
        if index >= self.len() {
            return None;
        }
        i64::try_from(i128::from(self.start) + i128::from(self.step) * index as i128).ok()
    }

    /// Index of a value.
    pub fn index_of(&self, value: i64) -> Option<usize> {
        let distance = i128::from(value) - i128::from(self.start);
        let step = i128::from(self.step);
        if step == 0 || distance % step != 0 {
            return None;
        }
        let index = usize::try_from(distance / step).ok()?;
        (index < self.len()).then_some(index)
    }
}

/// A slice object.
pub struct PySlice {
    /// `start`, may be None.
    pub start: Value,
    /// `stop`, may be None.
    pub stop: Value,
    /// `step`, may be None.
    pub step: Value,
}

/// A slice applied to a length: `count` indices `start + i * step`, all valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceRange {
    /// First index.
    pub start: i64,
    /// End as Python's `slice.indices` gives it (-1 for "before the first").
    pub stop: i64,
    /// Step, never 0.
    pub step: i64,
    /// Number of indices.
    pub count: usize,
}

impl SliceRange {
    /// The indices.
    pub fn indices(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.count).map(move |i| (self.start + i as i64 * self.step) as usize)
    }
}

impl PySlice {
    /// `slice.indices(len)`: raises for a zero step and for bounds that are not ints.
    pub fn resolve(&self, vm: &mut dyn Vm, len: usize) -> PyResult<SliceRange> {
        self.resolve_for(vm, || len)
    }

    /// The same of a length that is asked for after the bounds, whose `__index__` may change it.
    pub fn resolve_for(
        &self,
        vm: &mut dyn Vm,
        len: impl FnOnce() -> usize,
    ) -> PyResult<SliceRange> {
        let part = |vm: &mut dyn Vm, v: &Value| -> PyResult<Option<i64>> {
            match v {
                Value::None => Ok(None),
                Value::Int(i) => Ok(Some(*i)),
                other => ops::slice_index(vm, other).map(Some),
            }
        };
        let step = part(vm, &self.step)?.unwrap_or(1);
        if step == 0 {
            return Err(Raised::value_error("slice step cannot be zero"));
        }
        // -i64::MAX keeps the negation below in range, as CPython does.
        let step = step.max(-i64::MAX);
        let start = part(vm, &self.start)?;
        let stop = part(vm, &self.stop)?;
        Ok(resolve_slice(start, stop, step, len()))
    }
}

/// Clamps the bounds of a slice to a length. `step` is not 0.
pub fn resolve_slice(start: Option<i64>, stop: Option<i64>, step: i64, len: usize) -> SliceRange {
    let len = len as i64;
    let (low, high) = if step < 0 { (-1, len - 1) } else { (0, len) };
    let clamp = |bound: i64| {
        if bound < 0 {
            bound.saturating_add(len).max(low)
        } else {
            bound.min(high)
        }
    };
    let start = start.map_or(if step < 0 { high } else { low }, clamp);
    let stop = stop.map_or(if step < 0 { low } else { high }, clamp);
    let span = if step < 0 { start - stop } else { stop - start };
    let count = if span <= 0 {
        0
    } else {
        ((span - 1) / step.abs() + 1) as usize
    };
    SliceRange {
        start,
        stop,
        step,
        count,
    }
}

/// A Python index as a Rust one; that of an item, if there are so many.
#[inline]
#[must_use]
pub fn wrap_index(index: i64, len: usize) -> Option<usize> {
    if index >= 0 {
        Some(index as usize)
    } else {
        len.checked_sub(index.unsigned_abs() as usize)
    }
}
