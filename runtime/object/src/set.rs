//! Sets and frozensets.
//!
//! In: hashable values. Out: [`PySet`]. Always: the order of elements is CPython's, since scripts
//! print it: the table, its probing and its growth are those of CPython's `setobject.c` (and hashes of
//! strings those that it has where they are not randomized); no borrow of the table is held while
//! Python code runs; a frozen set is only changed while it is being made.

use std::cell::{Cell, RefCell};

use smallvec::SmallVec;

use crate::heap::Tracer;
use crate::table::{Found, simple_eq};
use crate::{PyResult, Value, Vm, ops};

/// Slots looked at one after the other before the probe jumps.
const LINEAR_PROBES: usize = 9;
const PERTURB_SHIFT: u32 = 5;
const MIN_SIZE: usize = 8;

#[derive(Clone)]
enum Slot {
    Unused,
    /// An element was here; probes go on behind it.
    Dummy,
    Active(i64, Value),
}

#[derive(Clone)]
struct Table {
    slots: Vec<Slot>,
    /// Active and dummy slots.
    fill: usize,
    used: usize,
    /// Where `pop` goes on.
    finger: usize,
    /// Counts changes, for callers that compare elements outside of the borrow.
    changes: u32,
}

/// Where an element is, or would be.
enum Sought {
    /// In this slot.
    At(usize),
    /// Nowhere: it is to be put into this one.
    Free(usize),
    /// Maybe in one of these: only Python can compare.
    Ask(SmallVec<[usize; 4]>),
}

/// The slots that a hash probes, in order; endless.
struct Probe {
    mask: usize,
    start: usize,
    perturb: u64,
    step: usize,
    steps: usize,
}

impl Probe {
    fn new(hash: i64, mask: usize) -> Self {
        let start = hash as usize & mask;
        Probe {
            mask,
            start,
            perturb: hash as u64,
            step: 0,
            steps: Self::steps(start, mask),
        }
    }

    fn steps(start: usize, mask: usize) -> usize {
        if start + LINEAR_PROBES <= mask {
            LINEAR_PROBES
        } else {
            0
        }
    }

    fn next(&mut self) -> usize {
        if self.step > self.steps {
            self.perturb >>= PERTURB_SHIFT;
            self.start = self
                .start
                .wrapping_mul(5)
                .wrapping_add(1)
                .wrapping_add(self.perturb as usize)
                & self.mask;
            self.step = 0;
            self.steps = Self::steps(self.start, self.mask);
        }
        let at = self.start + self.step;
        self.step += 1;
        at
    }
}

impl Table {
    fn new() -> Self {
        Table {
            slots: vec![Slot::Unused; MIN_SIZE],
            fill: 0,
            used: 0,
            finger: 0,
            changes: 0,
        }
    }

    fn mask(&self) -> usize {
        self.slots.len() - 1
    }

    fn find(&self, key: &Value, hash: i64) -> Found {
        match self.seek(key, hash) {
            Sought::At(at) => Found::At(at),
            Sought::Free(_) => Found::Absent,
            Sought::Ask(ask) => Found::Ask(ask),
        }
    }

    /// Finds an element, or else the slot in which it is to be put.
    #[inline]
    fn seek(&self, key: &Value, hash: i64) -> Sought {
        let mut probe = Probe::new(hash, self.mask());
        let mut ask = SmallVec::new();
        let mut dummy = None;
        loop {
            let at = probe.next();
            match self.slots.get(at) {
                None | Some(Slot::Unused) if ask.is_empty() => {
                    return Sought::Free(dummy.unwrap_or(at));
                }
                None | Some(Slot::Unused) => return Sought::Ask(ask),
                Some(Slot::Active(h, k)) if *h == hash => match (k, key) {
                    (Value::Int(x), Value::Int(y)) if x == y => return Sought::At(at),
                    _ => match simple_eq(k, key) {
                        Some(true) => return Sought::At(at),
                        Some(false) => {}
                        None => ask.push(at),
                    },
                },
                Some(Slot::Active(..)) => {}
                Some(Slot::Dummy) => dummy = Some(at),
            }
        }
    }

    /// Puts an element that is known to be absent into the first unused slot.
    fn place(&mut self, hash: i64, key: Value) {
        let mut probe = Probe::new(hash, self.mask());
        loop {
            let at = probe.next();
            if let Some(slot @ Slot::Unused) = self.slots.get_mut(at) {
                *slot = Slot::Active(hash, key);
                self.fill += 1;
                self.used += 1;
                return;
            }
        }
    }

    /// Adds an element that is known to be absent: into the last dummy slot of its probe
    /// sequence, else into the unused slot at its end.
    fn add(&mut self, hash: i64, key: Value) {
        let mut probe = Probe::new(hash, self.mask());
        let mut dummy = None;
        let unused = loop {
            let at = probe.next();
            match self.slots.get(at) {
                Some(Slot::Dummy) => dummy = Some(at),
                Some(Slot::Active(..)) => {}
                Some(Slot::Unused) | None => break at,
            }
        };
        self.add_at(dummy.unwrap_or(unused), hash, key);
    }

    /// Adds an element to the slot in which it is to be put.
    fn add_at(&mut self, at: usize, hash: i64, key: Value) {
        self.changes = self.changes.wrapping_add(1);
        let Some(slot) = self.slots.get_mut(at) else {
            return;
        };
        let before = std::mem::replace(slot, Slot::Active(hash, key));
        self.used += 1;
        if matches!(before, Slot::Unused) {
            self.fill += 1;
            if self.fill * 5 >= self.mask() * 3 {
                self.grow();
            }
        }
    }

    fn grow(&mut self) {
        self.resize(if self.used > 50_000 {
            self.used * 2
        } else {
            self.used * 4
        });
    }

    fn resize(&mut self, minimum: usize) {
        let mut size = MIN_SIZE;
        while size <= minimum {
            size *= 2;
        }
        let old = std::mem::replace(&mut self.slots, vec![Slot::Unused; size]);
        self.fill = 0;
        self.used = 0;
        for slot in old {
            if let Slot::Active(hash, key) = slot {
                self.place(hash, key);
            }
        }
    }

    /// Makes room for `more` elements, as CPython does before merging.
    fn reserve(&mut self, more: usize) {
        if (self.fill + more) * 5 >= self.mask() * 3 {
            self.resize((self.used + more) * 2);
        }
    }

    fn remove_at(&mut self, at: usize) -> Option<Value> {
        let slot = self.slots.get_mut(at)?;
        let Slot::Active(_, key) = std::mem::replace(slot, Slot::Dummy) else {
            return None;
        };
        self.used -= 1;
        self.changes = self.changes.wrapping_add(1);
        Some(key)
    }

    fn active(&self) -> impl Iterator<Item = (i64, &Value)> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Active(hash, key) => Some((*hash, key)),
            _ => None,
        })
    }

    /// Adds all of `other` to this empty table.
    fn merge_into_empty(&mut self, other: &Table) {
        self.reserve(other.used);
        if self.slots.len() == other.slots.len() && other.fill == other.used {
            self.slots.clone_from(&other.slots);
            self.fill = other.fill;
            self.used = other.used;
        } else {
            for (hash, key) in other.active() {
                self.place(hash, key.clone());
            }
        }
        self.changes = self.changes.wrapping_add(1);
    }
}

/// A set or a frozenset.
pub struct PySet {
    table: RefCell<Table>,
    /// Whether this is a frozenset.
    pub frozen: bool,
    hash: Cell<Option<i64>>,
}

impl PySet {
    /// An empty set.
    pub fn new(frozen: bool) -> Self {
        PySet {
            table: RefCell::new(Table::new()),
            frozen,
            hash: Cell::new(None),
        }
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.table.borrow().used
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds an element, calling Python's `==` where needed.
    fn position(&self, vm: &mut dyn Vm, item: &Value, hash: i64) -> PyResult<Option<usize>> {
        'again: loop {
            let (candidates, changes) = {
                let table = self.table.borrow();
                match table.find(item, hash) {
                    Found::At(at) => return Ok(Some(at)),
                    Found::Absent => return Ok(None),
                    Found::Ask(candidates) => (candidates, table.changes),
                }
            };
            for at in candidates {
                let other = match self.table.borrow().slots.get(at) {
                    Some(Slot::Active(_, key)) => key.clone(),
                    _ => continue 'again,
                };
                let equal = ops::eq(vm, &other, item)?;
                if self.table.borrow().changes != changes {
                    continue 'again;
                }
                if equal {
                    return Ok(Some(at));
                }
            }
            return Ok(None);
        }
    }

    /// Whether an element is there.
    pub fn contains(&self, vm: &mut dyn Vm, item: &Value) -> PyResult<bool> {
        let hash = ops::hash(vm, item)?;
        Ok(self.position(vm, item, hash)?.is_some())
    }

    /// Whether an element is there, without Python; `None` where its hash, or whether it equals one that is there,
    /// needs some.
    #[must_use]
    pub fn has_simple(&self, item: &Value) -> Option<bool> {
        let hash = ops::hash_simple(item)?;
        match self.table.borrow().find(item, hash) {
            Found::At(_) => Some(true),
            Found::Absent => Some(false),
            Found::Ask(_) => None,
        }
    }

    /// Adds an element; whether it is new.
    pub fn add(&self, vm: &mut dyn Vm, item: Value) -> PyResult<bool> {
        let hash = ops::hash(vm, &item)?;
        self.add_hashed(vm, item, hash)
    }

    /// Adds an element without Python, on the condition of [`PySet::has_simple`].
    #[must_use]
    pub fn add_simple(&self, item: &Value) -> Option<()> {
        let hash = ops::hash_simple(item)?;
        let mut table = self.table.borrow_mut();
        match table.seek(item, hash) {
            Sought::At(_) => {}
            Sought::Free(at) => table.add_at(at, hash, item.clone()),
            Sought::Ask(_) => return None,
        }
        Some(())
    }

    /// Removes an element without Python, on the same condition; whether it was there.
    #[must_use]
    pub fn remove_simple(&self, item: &Value) -> Option<bool> {
        let hash = ops::hash_simple(item)?;
        let mut table = self.table.borrow_mut();
        let removed = match table.seek(item, hash) {
            Sought::At(at) => table.remove_at(at),
            Sought::Free(_) => return Some(false),
            Sought::Ask(_) => return None,
        };
        drop(table);
        drop(removed);
        Some(true)
    }

    pub(crate) fn add_hashed(&self, vm: &mut dyn Vm, item: Value, hash: i64) -> PyResult<bool> {
        {
            let mut table = self.table.borrow_mut();
            match table.seek(&item, hash) {
                Sought::At(_) => return Ok(false),
                Sought::Free(at) => {
                    table.add_at(at, hash, item);
                    return Ok(true);
                }
                Sought::Ask(_) => {}
            }
        }
        if self.position(vm, &item, hash)?.is_some() {
            return Ok(false);
        }
        self.table.borrow_mut().add(hash, item);
        Ok(true)
    }

    /// Adds a constant of a code object: a value whose hash and equality need no Python.
    pub(crate) fn add_constant(&self, item: Value) {
        let Some(hash) = ops::hash_simple(&item) else {
            return;
        };
        let mut table = self.table.borrow_mut();
        if !matches!(table.find(&item, hash), Found::At(_)) {
            table.add(hash, item);
        }
    }

    /// Removes an element; whether it was there.
    pub fn remove(&self, vm: &mut dyn Vm, item: &Value) -> PyResult<bool> {
        let hash = ops::hash(vm, item)?;
        self.remove_hashed(vm, item, hash)
    }

    fn remove_hashed(&self, vm: &mut dyn Vm, item: &Value, hash: i64) -> PyResult<bool> {
        let Some(at) = self.position(vm, item, hash)? else {
            return Ok(false);
        };
        let removed = self.table.borrow_mut().remove_at(at);
        Ok(removed.is_some())
    }

    /// Removes and returns an element: the next one in the order.
    pub fn pop_first(&self) -> Option<Value> {
        let mut table = self.table.borrow_mut();
        if table.used == 0 {
            return None;
        }
        let start = table.finger & table.mask();
        let size = table.slots.len();
        let at = (0..size)
            .map(|i| (start + i) & (size - 1))
            .find(|&at| matches!(table.slots.get(at), Some(Slot::Active(..))))?;
        table.finger = at + 1;
        table.remove_at(at)
    }

    /// Takes over the elements of another set.
    pub(crate) fn replace_with(&self, other: PySet) {
        let old = self.table.replace(other.table.into_inner());
        drop(old);
    }

    /// Shows the elements, as [`crate::heap::Object::trace`] does.
    pub(crate) fn trace_elements(&self, tracer: &mut Tracer<'_>) {
        if let Ok(table) = self.table.try_borrow() {
            tracer.values(table.active().map(|(_, element)| element));
        }
    }

    /// Removes all elements.
    pub fn clear(&self) {
        let old = self.table.replace(Table::new());
        drop(old);
    }

    /// The elements, in order.
    pub fn items(&self) -> Vec<Value> {
        self.table
            .borrow()
            .active()
            .map(|(_, key)| key.clone())
            .collect()
    }

    fn hashed_items(&self) -> Vec<(i64, Value)> {
        self.table
            .borrow()
            .active()
            .map(|(hash, key)| (hash, key.clone()))
            .collect()
    }

    /// First element at or after a position, with its position.
    #[inline]
    pub fn next_entry(&self, from: usize) -> Option<(usize, Value)> {
        let table = self.table.borrow();
        table
            .slots
            .iter()
            .enumerate()
            .skip(from)
            .find_map(|(at, slot)| match slot {
                Slot::Active(_, key) => Some((at, key.clone())),
                _ => None,
            })
    }

    /// A shallow copy.
    pub fn copy(&self, frozen: bool) -> PySet {
        let copy = PySet::new(frozen);
        copy.table
            .borrow_mut()
            .merge_into_empty(&self.table.borrow());
        copy
    }

    /// Makes room for elements that are about to be added.
    pub(crate) fn reserve(&self, more: usize) {
        self.table.borrow_mut().reserve(more);
    }

    /// Adds every element of `other`.
    pub fn update(&self, vm: &mut dyn Vm, other: &PySet) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Ok(());
        }
        let empty = self.table.borrow().fill == 0;
        if empty {
            self.table
                .borrow_mut()
                .merge_into_empty(&other.table.borrow());
            return Ok(());
        }
        self.reserve(other.len());
        for (hash, item) in other.hashed_items() {
            self.add_hashed(vm, item, hash)?;
        }
        Ok(())
    }

    /// The elements of a set that another one has, or lacks, in a set of this one's kind, where no Python is needed to tell.
    fn sifted(&self, walked: &PySet, by: &PySet, has: bool) -> Option<PySet> {
        let result = PySet::new(self.frozen);
        {
            let (walked, by) = (walked.table.borrow(), by.table.borrow());
            let mut sifted = result.table.borrow_mut();
            for (hash, element) in walked.active() {
                let is_there = match by.seek(element, hash) {
                    Sought::At(_) => true,
                    Sought::Free(_) => false,
                    Sought::Ask(_) => return None,
                };
                if is_there == has {
                    sifted.add(hash, element.clone());
                }
            }
        }
        Some(result)
    }

    /// `self & other`, of the kind of `self`.
    pub fn intersection(&self, vm: &mut dyn Vm, other: &PySet) -> PyResult<PySet> {
        let (table, walked) = if other.len() > self.len() {
            (other, self)
        } else {
            (self, other)
        };
        if let Some(sifted) = self.sifted(walked, table, true) {
            return Ok(sifted);
        }
        let result = PySet::new(self.frozen);
        for (hash, item) in walked.hashed_items() {
            if table.position(vm, &item, hash)?.is_some() {
                result.add_hashed(vm, item, hash)?;
            }
        }
        Ok(result)
    }

    /// `self - other`, of the kind of `self`.
    pub fn difference(&self, vm: &mut dyn Vm, other: &PySet) -> PyResult<PySet> {
        // Few elements to remove from many: copy and remove.
        if self.len() >> 2 > other.len() {
            let result = self.copy(self.frozen);
            result.difference_update(vm, other)?;
            return Ok(result);
        }
        if let Some(sifted) = self.sifted(self, other, false) {
            return Ok(sifted);
        }
        let result = PySet::new(self.frozen);
        for (hash, item) in self.hashed_items() {
            if other.position(vm, &item, hash)?.is_none() {
                result.add_hashed(vm, item, hash)?;
            }
        }
        Ok(result)
    }

    /// `self -= other`
    pub fn difference_update(&self, vm: &mut dyn Vm, other: &PySet) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            self.clear();
            return Ok(());
        }
        for (hash, item) in other.hashed_items() {
            self.remove_hashed(vm, &item, hash)?;
        }
        self.drop_dummies();
        Ok(())
    }

    /// Rebuilds the table if removed elements take too much of it.
    pub(crate) fn drop_dummies(&self) {
        let mut table = self.table.borrow_mut();
        if table.fill - table.used > table.mask() / 4 {
            table.grow();
        }
    }

    /// `self ^= other`
    pub fn symmetric_update(&self, vm: &mut dyn Vm, other: &PySet) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            self.clear();
            return Ok(());
        }
        for (hash, item) in other.hashed_items() {
            if !self.remove_hashed(vm, &item, hash)? {
                self.add_hashed(vm, item, hash)?;
            }
        }
        Ok(())
    }

    /// Hash of a frozenset: independent of order. CPython's algorithm over the elements' hashes.
    pub fn frozen_hash(&self) -> i64 {
        if let Some(known) = self.hash.get() {
            return known;
        }
        let table = self.table.borrow();
        let mut hash: u64 = 0;
        for (h, _) in table.active() {
            let h = h as u64;
            hash ^= (h ^ 89_869_747 ^ (h << 16)).wrapping_mul(3_644_798_167);
        }
        hash ^= (table.used as u64 + 1).wrapping_mul(1_927_868_237);
        hash ^= (hash >> 11) ^ (hash >> 25);
        hash = hash.wrapping_mul(69_069).wrapping_add(907_133_923);
        let hash = if hash as i64 == -1 {
            590_923_713
        } else {
            hash as i64
        };
        self.hash.set(Some(hash));
        hash
    }
}
