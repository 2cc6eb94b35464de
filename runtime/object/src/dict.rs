//! Dicts and their layouts.
//!
//! In: keys and values. Out: [`PyDict`], in insertion order, and [`DictView`]. Always: two dicts
//! of one thread with the same nonzero [`PyDict::layout`] hold the same string keys at the same
//! positions; no borrow of the table is held while Python code runs.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::heap::Tracer;
use crate::store::{EMPTY_LAYOUT, INLINE, SplitAddresses, Store, layout_after, names_in};
use crate::table::{Found, Table};
use crate::{Name, PyRef, PyResult, Raised, Value, Vm, name, ops};

/// A dict.
pub struct PyDict {
    store: RefCell<Store>,
    layout: Cell<u32>,
    shared: Cell<bool>,
    own_builtins: Cell<bool>,
    /// How often it got a layout after it had none.
    tracked_again: Cell<u8>,
}

/// Which part of a dict a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictPart {
    /// `keys()`
    Keys,
    /// `values()`
    Values,
    /// `items()`
    Items,
}

/// `dict.keys()`, `.values()`, `.items()`.
pub struct DictView {
    /// The dict.
    pub dict: PyRef<PyDict>,
    /// What is shown.
    pub part: DictPart,
    /// Whose method made the view: the dict, or an object of a class derived from it.
    pub of: Value,
}

/// No layout is known.
const NO_LAYOUT: u32 = 0;
/// Dicts with more keys than this are data rather than objects and are not tracked.
const MAX_TRACKED: usize = 1024;
/// Layouts that there are at most: scripts that make up names again and again leave some behind for each.
const MOST_LAYOUTS: u32 = 1 << 18;
/// How often a dict gets a layout after it had none.
const MOST_TRACKED: u8 = 8;
/// Set in the layout of a dict that is watched. Generated code, which writes into dicts itself where their layout is the
/// one it knows, so never writes into one of these.
const WATCHED: u32 = 1 << 31;

static CHANGES: AtomicU64 = AtomicU64::new(0);

/// How often what somebody relies on changed: entries of watched dicts, code and defaults of functions. Whoever checked
/// it finds all as it was while this is the same.
#[inline]
pub fn changes() -> u64 {
    CHANGES.load(Ordering::Relaxed)
}

/// Notes such a change.
#[inline(never)]
pub(crate) fn note_change() {
    CHANGES.fetch_add(1, Ordering::Relaxed);
}

/// Where the parts of a dict lie.
pub(crate) struct Addresses {
    /// The layout.
    pub layout: usize,
    /// What is in it.
    pub split: SplitAddresses,
}

impl Default for PyDict {
    fn default() -> Self {
        Self::new()
    }
}

impl PyDict {
    /// The layout of an empty namespace, and so of an instance whose dict was not made yet.
    pub const EMPTY_LAYOUT: u32 = EMPTY_LAYOUT;
    /// How many values of a dict with a layout lie in the dict itself.
    pub const INLINE: u32 = INLINE as u32;

    /// How many names the dicts of a layout have.
    #[must_use]
    pub fn names_in(layout: u32) -> Option<u32> {
        names_in(layout).and_then(|count| u32::try_from(count).ok())
    }

    /// An empty dict that holds data: it has no layout.
    pub fn new() -> Self {
        PyDict {
            store: RefCell::new(Store::Table(Table::new())),
            layout: Cell::new(NO_LAYOUT),
            shared: Cell::new(false),
            own_builtins: Cell::new(false),
            tracked_again: Cell::new(0),
        }
    }

    /// An empty dict with room for `capacity` entries and no layout.
    pub fn with_capacity(capacity: usize) -> Self {
        PyDict {
            store: RefCell::new(Store::Table(Table::with_capacity(capacity))),
            layout: Cell::new(NO_LAYOUT),
            shared: Cell::new(false),
            own_builtins: Cell::new(false),
            tracked_again: Cell::new(0),
        }
    }

    /// An empty namespace (of an instance, a module): its layout is tracked.
    #[inline]
    pub fn namespace() -> Self {
        PyDict {
            store: RefCell::new(Store::namespace()),
            layout: Cell::new(EMPTY_LAYOUT),
            shared: Cell::new(false),
            own_builtins: Cell::new(false),
            tracked_again: Cell::new(0),
        }
    }

    /// Whether the names behind these globals are others than the interpreter's, since they have a `__builtins__` of their
    /// own.
    #[inline]
    pub fn has_own_builtins(&self) -> bool {
        self.own_builtins.get()
    }

    /// The `__builtins__` of these globals: a module's dict, or a dict.
    #[must_use]
    pub fn builtins(&self) -> Option<PyRef<PyDict>> {
        match self.get_name(name!("__builtins__")) {
            Some(Value::Module(module)) => Some(module.dict.clone()),
            other => other?.as_dict().cloned(),
        }
    }

    /// Notes whether they are others than the interpreter's, now that code runs or functions are made with these globals.
    pub fn note_builtins(&self, of_interpreter: &PyRef<PyDict>) {
        let own = self.builtins();
        let own = own.is_some_and(|own| !PyRef::ptr_eq(&own, of_interpreter));
        self.own_builtins.set(own);
    }

    /// Gets a layout if it has none: it was made to hold data, and is the namespace of an `exec` now, or has lost a name. Where that
    /// happens again and again it stays without.
    pub fn track(&self) {
        let times = self.tracked_again.get();
        if self.layout() != NO_LAYOUT || times >= MOST_TRACKED || self.len() > MAX_TRACKED {
            return;
        }
        self.tracked_again.set(times + 1);
        let Ok(store) = self.store.try_borrow() else {
            return;
        };
        let (mut layout, mut split) = (EMPTY_LAYOUT, Store::namespace());
        for at in store.live() {
            let (Some((_, Value::Str(key))), Some(value)) = (store.key(at), store.value(at)) else {
                return;
            };
            let name = Name::intern(&key);
            let Some(after) = layout_after(layout, &name, MOST_LAYOUTS) else {
                return;
            };
            split.push_name(after, &name, value.clone());
            layout = after;
        }
        drop(store);
        let old = self.store.replace(split);
        self.go_to(layout);
        drop(old);
    }

    /// Who goes through the entries counts on their positions: where some were removed the dict stays as it is.
    #[inline]
    pub(crate) fn keep_places(&self) {
        if self.layout() == NO_LAYOUT {
            let store = self.store.borrow();
            if store.len() != store.places() {
                self.tracked_again.set(MOST_TRACKED);
            }
        }
    }

    /// The hidden class: dicts with the same nonzero layout hold the same string keys at the same
    /// positions. 0 when unknown.
    #[inline]
    pub fn layout(&self) -> u32 {
        self.layout.get() & !WATCHED
    }

    /// Counts among the [`changes`] from now on each name that it gets or loses, and each other value of this name, which it
    /// has or lacks; but not where a number, a bool or None takes the place of another one: counters are written often and
    /// seldom relied on.
    pub fn watch(&self, name: &Name) {
        self.layout.set(self.layout.get() | WATCHED);
        let store = self.store.borrow();
        if let Some(at) = store.find_name(name) {
            store.rely_on(at);
        }
    }

    /// Has it count as watched, though no name is relied on: code keeps values of it in variables, so that it wants to know who else
    /// assigns them.
    pub fn watch_assignments(&self) {
        self.layout.set(self.layout.get() | WATCHED);
    }

    /// Whether either was asked for, of any name.
    #[inline]
    pub fn is_watched(&self) -> bool {
        self.layout.get() & WATCHED != 0
    }

    /// Goes to another layout, or to none; it stays watched.
    #[inline]
    fn go_to(&self, layout: u32) {
        let watched = self.layout.get() & WATCHED;
        if watched != 0 {
            note_change();
        }
        self.layout.set(layout | watched);
    }

    /// Has no layout from now on, so that nothing that was learnt of it is relied on.
    pub fn forget_layout(&self) {
        self.go_to(NO_LAYOUT);
    }

    /// Whether a script made it the `__dict__` of an object: it may be that of several, or data as well.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.shared.get()
    }

    /// Notes that a script made it the `__dict__` of an object.
    pub fn share(&self) {
        self.shared.set(true);
    }

    /// Shows keys and values, as [`crate::heap::Object::trace`] does.
    pub(crate) fn trace_entries(&self, tracer: &mut Tracer<'_>) {
        match self.store.try_borrow().as_deref() {
            Ok(Store::Table(table)) => {
                for entry in table.iter() {
                    tracer.value(&entry.key);
                    tracer.value(&entry.value);
                }
            }
            // Names are texts, which refer to nothing.
            Ok(Store::Split(split)) => split
                .parts()
                .into_iter()
                .for_each(|part| tracer.values(part)),
            Err(_) => {}
        }
    }

    /// Addresses of its parts, for [`crate::Offsets`]; of a dict with a layout.
    pub(crate) fn addresses(&self) -> Option<Addresses> {
        Some(Addresses {
            layout: &raw const self.layout as usize,
            split: self.store.borrow().addresses()?,
        })
    }

    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.store.borrow().len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Looks a key up.
    pub fn get(&self, vm: &mut dyn Vm, key: &Value) -> PyResult<Option<Value>> {
        let hash = ops::hash(vm, key)?;
        self.get_hashed(vm, key, hash)
    }

    /// Looks a key up whose hash is known.
    pub fn get_hashed(&self, vm: &mut dyn Vm, key: &Value, hash: i64) -> PyResult<Option<Value>> {
        let store = self.store.borrow();
        match store.find(key, hash) {
            Found::At(at) => Ok(store.value(at).cloned()),
            Found::Absent => Ok(None),
            Found::Ask(_) => {
                drop(store);
                Ok(self
                    .position(vm, key, hash)?
                    .and_then(|at| self.value_at(at)))
            }
        }
    }

    /// Looks a key up without Python; `None` where its hash, or whether it equals a key that is there, needs some.
    #[must_use]
    #[inline]
    pub fn get_simple(&self, key: &Value) -> Option<Option<Value>> {
        let at = self.find_simple(key)?;
        Some(at.and_then(|at| self.value_at(at)))
    }

    /// Position of a key, on the same condition.
    #[must_use]
    #[inline]
    pub fn find_simple(&self, key: &Value) -> Option<Option<usize>> {
        let hash = match key {
            Value::Str(s) => s.hash(),
            other => ops::hash_simple(other)?,
        };
        match self.store.borrow().find(key, hash) {
            Found::At(at) => Some(Some(at)),
            Found::Absent => Some(None),
            Found::Ask(_) => None,
        }
    }

    /// Sets a key without Python; hands the value back where the key's hash, or whether it equals one that is there,
    /// needs some.
    pub fn set_simple(&self, key: &Value, value: Value) -> Result<(), Value> {
        let hash = match key {
            Value::Str(s) => s.hash(),
            other => match ops::hash_simple(other) {
                Some(hash) => hash,
                None => return Err(value),
            },
        };
        let found = self.store.borrow().find(key, hash);
        match found {
            Found::At(at) => self.set_index(at, value),
            Found::Absent => {
                self.append(hash, key.clone(), value);
                Ok(())
            }
            Found::Ask(_) => Err(value),
        }
    }

    /// Whether a key is there.
    pub fn contains(&self, vm: &mut dyn Vm, key: &Value) -> PyResult<bool> {
        let hash = ops::hash(vm, key)?;
        Ok(self.position(vm, key, hash)?.is_some())
    }

    /// Position of a key whose hash is known. Python's `==` is called where needed, without holding the borrow meanwhile.
    fn position(&self, vm: &mut dyn Vm, key: &Value, hash: i64) -> PyResult<Option<usize>> {
        'again: loop {
            let (candidates, changes) = {
                let store = self.store.borrow();
                match store.find(key, hash) {
                    Found::At(at) => return Ok(Some(at)),
                    Found::Absent => return Ok(None),
                    Found::Ask(candidates) => (candidates, store.changes()),
                }
            };
            for at in candidates {
                let Some((_, other)) = self.store.borrow().key(at) else {
                    continue 'again;
                };
                let equal = ops::eq(vm, &other, key)?;
                if self.store.borrow().changes() != changes {
                    continue 'again;
                }
                if equal {
                    return Ok(Some(at));
                }
            }
            return Ok(None);
        }
    }

    /// Looks a name up; never calls Python.
    #[inline]
    pub fn get_name(&self, name: &Name) -> Option<Value> {
        let store = self.store.borrow();
        store.value(store.find_name(name)?).cloned()
    }

    /// Looks a string key up; never calls Python.
    pub fn get_str(&self, key: &str) -> Option<Value> {
        let store = self.store.borrow();
        store.value(store.find_str(key)?).cloned()
    }

    /// Position of a name, valid for as long as the layout stays.
    #[inline]
    pub fn index_of_name(&self, name: &Name) -> Option<usize> {
        self.store.borrow().find_name(name)
    }

    /// Key and value at a position.
    #[inline]
    pub fn get_index(&self, at: usize) -> Option<(Value, Value)> {
        let store = self.store.borrow();
        Some((store.key(at)?.1, store.value(at)?.clone()))
    }

    /// Value at a position.
    #[inline(always)]
    pub fn value_at(&self, at: usize) -> Option<Value> {
        // SAFETY: nothing else runs while the value is copied, so nobody changes the entries.
        let store = unsafe { self.store.try_borrow_unguarded() };
        store.ok()?.value(at).cloned()
    }

    /// Value at a position, where it lies.
    ///
    /// # Safety
    /// It is copied before anything else runs.
    #[inline(always)]
    pub unsafe fn value_ref(&self, at: usize) -> Option<&Value> {
        // SAFETY: the caller's promise: nobody changes the entries meanwhile.
        let store = unsafe { self.store.try_borrow_unguarded() };
        store.ok()?.value(at)
    }

    /// Replaces the value at a position; hands the value back if nothing is there.
    #[inline]
    pub fn set_index(&self, at: usize, value: Value) -> Result<(), Value> {
        let mut store = self.store.borrow_mut();
        let is_watched = self.is_watched() && store.is_relied_on(at);
        match store.value_mut(at) {
            Some(place) => {
                let counts = is_watched && !(place.count().is_none() && value.count().is_none());
                let old = std::mem::replace(place, value);
                drop(store);
                if counts {
                    note_change();
                }
                old.release();
                Ok(())
            }
            None => Err(value),
        }
    }

    /// First position at or after `from` that holds an entry, with key and value.
    #[inline]
    pub fn next_entry(&self, from: usize) -> Option<(usize, Value, Value)> {
        self.store.borrow().next_entry(from)
    }

    /// The keys with their hashes.
    pub(crate) fn hashed_keys(&self) -> Vec<(i64, Value)> {
        let store = self.store.borrow();
        store.live().filter_map(|at| store.key(at)).collect()
    }

    /// Last position below `before` that holds an entry, with key and value.
    pub fn previous_entry(&self, before: usize) -> Option<(usize, Value, Value)> {
        let store = self.store.borrow();
        let top = before.min(store.places());
        let at = (0..top).rev().find(|at| store.value(*at).is_some())?;
        Some((at, store.key(at)?.1, store.value(at)?.clone()))
    }

    /// Sets a key.
    pub fn set(&self, vm: &mut dyn Vm, key: Value, value: Value) -> PyResult<()> {
        let hash = ops::hash(vm, &key)?;
        self.set_hashed(vm, key, hash, value)
    }

    /// Sets a key whose hash is known.
    pub fn set_hashed(&self, vm: &mut dyn Vm, key: Value, hash: i64, value: Value) -> PyResult<()> {
        match self.position(vm, &key, hash)? {
            Some(at) => {
                // Python may have run while keys were compared, but `position` checked since.
                let _ = self.set_index(at, value);
            }
            None => self.append(hash, key, value),
        }
        Ok(())
    }

    /// Appends a name to a namespace whose layout is `before`; `after` is the layout that another
    /// namespace went to from there when it got that name. Hands the value back when the layout
    /// is another one. For inline caches.
    #[inline]
    pub fn append_known(
        &self,
        before: u32,
        after: u32,
        name: &Name,
        value: Value,
    ) -> Result<(), Value> {
        if before == NO_LAYOUT || self.layout() != before {
            return Err(value);
        }
        self.go_to(after);
        self.store.borrow_mut().push_name(after, name, value);
        Ok(())
    }

    fn append(&self, hash: i64, key: Value, value: Value) {
        // Neither a layout nor a watch: data, mostly.
        if self.layout.get() != NO_LAYOUT {
            let layout = self.layout();
            if let Value::Str(s) = &key
                && layout != NO_LAYOUT
                && self.len() < MAX_TRACKED
            {
                let name = Name::intern(s);
                if let Some(after) = layout_after(layout, &name, MOST_LAYOUTS) {
                    self.go_to(after);
                    self.store.borrow_mut().push_name(after, &name, value);
                    return;
                }
            }
            self.go_to(NO_LAYOUT);
        }
        self.store.borrow_mut().push(hash, key, value);
    }

    /// Sets a name; never calls Python.
    pub fn set_name(&self, name: &Name, value: Value) {
        let at = self.store.borrow().find_name(name);
        match at {
            Some(at) => {
                let _ = self.set_index(at, value);
            }
            None => self.append(name.as_pystr().hash(), name.to_value(), value),
        }
    }

    /// Sets a string key; never calls Python.
    pub fn set_str(&self, key: &str, value: Value) {
        self.set_name(&Name::new(key), value);
    }

    /// Removes a key.
    pub fn remove(&self, vm: &mut dyn Vm, key: &Value) -> PyResult<Option<Value>> {
        let hash = ops::hash(vm, key)?;
        let at = self.position(vm, key, hash)?;
        Ok(at
            .and_then(|at| self.remove_index(at))
            .map(|(_, value)| value))
    }

    /// Removes a name; never calls Python.
    pub fn remove_name(&self, name: &Name) -> Option<Value> {
        let at = self.store.borrow().find_name(name)?;
        self.remove_index(at).map(|(_, value)| value)
    }

    /// Removes the entry at a position.
    pub fn remove_index(&self, at: usize) -> Option<(Value, Value)> {
        self.go_to(NO_LAYOUT);
        let entry = self.store.borrow_mut().remove_at(at)?;
        Some((entry.key, entry.value))
    }

    /// Removes and returns the last entry.
    pub fn pop_last(&self) -> Option<(Value, Value)> {
        let (at, ..) = self.previous_entry(usize::MAX)?;
        let removed = self.remove_index(at);
        self.store.borrow_mut().trim();
        removed
    }

    /// Removes all entries.
    pub fn clear(&self) {
        self.go_to(NO_LAYOUT);
        let old = self.store.borrow_mut().clear();
        drop(old);
    }

    /// Keys, in order.
    pub fn keys(&self) -> Vec<Value> {
        let keys = self.hashed_keys().into_iter();
        keys.map(|(_, key)| key).collect()
    }

    /// Values, in order.
    pub fn values(&self) -> Vec<Value> {
        let store = self.store.borrow();
        let values = store.live().filter_map(|at| store.value(at).cloned());
        values.collect()
    }

    /// The first few values, in order.
    pub fn first_values(&self, count: usize) -> Vec<Value> {
        let store = self.store.borrow();
        let values = store.live().filter_map(|at| store.value(at).cloned());
        values.take(count).collect()
    }

    /// The key of the entry of this number, in order.
    pub fn nth_key(&self, index: usize) -> Option<Value> {
        let store = self.store.borrow();
        let at = match store.places() == store.len() {
            true => index,
            false => store.live().nth(index)?,
        };
        store.key(at).map(|(_, key)| key)
    }

    /// Pairs, in order.
    pub fn items(&self) -> Vec<(Value, Value)> {
        let store = self.store.borrow();
        let item = |at| Some((store.key(at)?.1, store.value(at)?.clone()));
        store.live().filter_map(item).collect()
    }

    /// A shallow copy, without a layout.
    pub fn copy(&self) -> PyDict {
        PyDict {
            store: RefCell::new(self.store.borrow().copied()),
            layout: Cell::new(NO_LAYOUT),
            shared: Cell::new(false),
            own_builtins: Cell::new(false),
            tracked_again: Cell::new(0),
        }
    }

    /// Takes the entries of another dict; this one has none, and no layout.
    pub fn copy_from(&self, other: &PyDict) {
        let copied = other.store.borrow().copied();
        self.go_to(NO_LAYOUT);
        drop(self.store.replace(copied));
    }

    /// Sets every entry of `other`.
    pub fn update(&self, vm: &mut dyn Vm, other: &PyDict) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Ok(());
        }
        let mut from = 0;
        loop {
            let next = {
                let store = other.store.borrow();
                store.next_live(from).and_then(|at| {
                    let (hash, key) = store.key(at)?;
                    Some((at, hash, key, store.value(at)?.clone()))
                })
            };
            let Some((at, hash, key, value)) = next else {
                return Ok(());
            };
            self.set_hashed(vm, key, hash, value)?;
            from = at + 1;
        }
    }
}

/// The error of a dict that changed under an iterator.
pub(crate) fn changed_size(what: &str) -> Raised {
    Raised::runtime_error(format!("{what} changed size during iteration"))
}
