//! Sets and frozensets.
//!
//! In: hashable values. Out: [`PySet`], in insertion order (CPython's order is by hash; scripts
//! that print sets of several elements may differ). Always: no borrow of the table is held while
//! Python code runs; a frozen set is only changed while it is being made.

use std::cell::{Cell, RefCell};

use crate::dict::find_asking;
use crate::table::{Found, Table};
use crate::{PyResult, Value, Vm, ops};

/// A set or a frozenset.
pub struct PySet {
    table: RefCell<Table<()>>,
    /// Whether this is a frozenset.
    pub frozen: bool,
    hash: Cell<Option<i64>>,
}

impl PySet {
    /// An empty set.
    pub fn new(frozen: bool) -> Self {
        PySet { table: RefCell::new(Table::new()), frozen, hash: Cell::new(None) }
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.table.borrow().len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an element is there.
    pub fn contains(&self, vm: &mut dyn Vm, item: &Value) -> PyResult<bool> {
        let hash = ops::hash(vm, item)?;
        Ok(find_asking(vm, &self.table, item, hash)?.is_some())
    }

    /// Adds an element; whether it is new.
    pub fn add(&self, vm: &mut dyn Vm, item: Value) -> PyResult<bool> {
        let hash = ops::hash(vm, &item)?;
        self.add_hashed(vm, item, hash)
    }

    fn add_hashed(&self, vm: &mut dyn Vm, item: Value, hash: i64) -> PyResult<bool> {
        if find_asking(vm, &self.table, &item, hash)?.is_some() {
            return Ok(false);
        }
        self.table.borrow_mut().push(hash, item, ());
        Ok(true)
    }

    /// Adds a constant of a code object: a value whose hash and equality need no Python.
    pub(crate) fn add_constant(&self, item: Value) {
        let Some(hash) = ops::hash_simple(&item) else { return };
        let found = self.table.borrow().find(&item, hash);
        if !matches!(found, Found::At(_)) {
            self.table.borrow_mut().push(hash, item, ());
        }
    }

    /// Removes an element; whether it was there.
    pub fn remove(&self, vm: &mut dyn Vm, item: &Value) -> PyResult<bool> {
        let hash = ops::hash(vm, item)?;
        let Some(at) = find_asking(vm, &self.table, item, hash)? else { return Ok(false) };
        let removed = self.table.borrow_mut().remove_at(at);
        Ok(removed.is_some())
    }

    /// Removes and returns the first element.
    pub fn pop_first(&self) -> Option<Value> {
        let mut table = self.table.borrow_mut();
        let at = table.next_live(0)?;
        table.remove_at(at).map(|e| e.key)
    }

    /// Takes over the elements of another set.
    pub(crate) fn replace_with(&self, other: PySet) {
        let old = self.table.replace(other.table.into_inner());
        drop(old);
    }

    /// Removes all elements.
    pub fn clear(&self) {
        let old = self.table.borrow_mut().clear();
        drop(old);
    }

    /// The elements, in order.
    pub fn items(&self) -> Vec<Value> {
        self.table.borrow().iter().map(|e| e.key.clone()).collect()
    }

    /// First element at or after a position, with its position.
    #[inline]
    pub fn next_entry(&self, from: usize) -> Option<(usize, Value)> {
        let table = self.table.borrow();
        let at = table.next_live(from)?;
        table.get(at).map(|e| (at, e.key.clone()))
    }

    /// A shallow copy.
    pub fn copy(&self, frozen: bool) -> PySet {
        PySet { table: RefCell::new(self.table.borrow().clone()), frozen, hash: Cell::new(None) }
    }

    /// Adds every element of `other`.
    pub fn update(&self, vm: &mut dyn Vm, other: &PySet) -> PyResult<()> {
        let items: Vec<(i64, Value)> =
            other.table.borrow().iter().map(|e| (e.hash, e.key.clone())).collect();
        for (hash, item) in items {
            self.add_hashed(vm, item, hash)?;
        }
        Ok(())
    }

    /// Hash of a frozenset: independent of order. CPython's algorithm over the elements' hashes.
    pub fn frozen_hash(&self) -> i64 {
        if let Some(known) = self.hash.get() {
            return known;
        }
        let mut hash: u64 = 0;
        for entry in self.table.borrow().iter() {
            let h = entry.hash as u64;
            hash ^= (h ^ 89_869_747 ^ (h << 16)).wrapping_mul(3_644_798_167);
        }
        hash ^= (self.len() as u64 + 1).wrapping_mul(1_927_868_237);
        hash ^= (hash >> 11) ^ (hash >> 25);
        hash = hash.wrapping_mul(69_069).wrapping_add(907_133_923);
        let hash = if hash as i64 == -1 { 590_923_713 } else { hash as i64 };
        self.hash.set(Some(hash));
        hash
    }
}
