//! What a dict keeps its entries in.
//!
//! In: keys with their hashes, and values. Out: the same by position, in insertion order. Always: a dict with a layout shares its
//! names with the other dicts of that layout and has values of its own only; it gets a table where an entry is removed, or where
//! a key is added that no layout has. It never calls Python.

use std::cell::RefCell;
use std::rc::Rc;

use crate::string::NameMap;
use crate::table::{Entry, Found, Table};
use crate::{Name, PyRef, Value};

/// The layout of an empty namespace.
pub(crate) const EMPTY_LAYOUT: u32 = 1;

/// Names in the order in which dicts got them. Of those that share them each has the first ones, as many as it has values.
pub(crate) struct Names {
    table: RefCell<Table<()>>,
    /// Whether somebody relies on the value of a name in one of those dicts that are watched, by position.
    relied_on: RefCell<Vec<bool>>,
}

impl Names {
    fn new(table: Table<()>) -> Names {
        Names {
            table: RefCell::new(table),
            relied_on: RefCell::default(),
        }
    }

    fn copied(of: &Names, count: usize) -> Names {
        let mut copy = Table::new();
        for entry in of.table.borrow().iter().take(count) {
            copy.push(entry.hash, entry.key.clone(), ());
        }
        Names::new(copy)
    }

    fn rely_on(&self, at: usize) {
        let mut relied_on = self.relied_on.borrow_mut();
        if relied_on.len() <= at {
            relied_on.resize(at + 1, false);
        }
        if let Some(relied_on) = relied_on.get_mut(at) {
            *relied_on = true;
        }
    }

    fn len(&self) -> usize {
        self.table.borrow().len()
    }

    fn push(&self, name: &Name) {
        let hash = name.as_pystr().hash();
        self.table.borrow_mut().push(hash, name.to_value(), ());
    }

    /// Whether a name is at a position.
    #[inline]
    fn has(&self, at: usize, name: &Name) -> bool {
        let names = self.table.borrow();
        let entry = names.get(at);
        entry.is_some_and(|e| matches!(&e.key, Value::Str(s) if PyRef::ptr_eq(s, name.as_pystr())))
    }
}

/// One layout: its names are the first ones of those, and it knows which layout follows when another one is appended.
struct Layout {
    names: Rc<Names>,
    count: usize,
    next: NameMap<u32>,
}

janus_gil::gil_local! {
    static LAYOUTS: RefCell<Vec<Layout>> = RefCell::new(vec![Layout {
        names: Rc::new(Names::new(Table::new())),
        count: 0,
        next: NameMap::default(),
    }]);
}

/// The layout that follows one when a name is appended; `None` if there would be `most` or more.
pub(crate) fn layout_after(layout: u32, name: &Name, most: u32) -> Option<u32> {
    LAYOUTS.with_borrow_mut(|layouts| {
        let fresh = layouts.len() as u32 + 1;
        let node = layouts.get_mut(layout as usize - 1)?;
        if let Some(&known) = node.next.get(name) {
            return Some(known);
        }
        if fresh >= most {
            return None;
        }
        node.next.insert(name.clone(), fresh);
        let count = node.count + 1;
        // The first one that follows goes on with the same names.
        let names = match node.names.len() == node.count {
            true => node.names.clone(),
            false => Rc::new(Names::copied(&node.names, node.count)),
        };
        names.push(name);
        layouts.push(Layout {
            names,
            count,
            next: NameMap::default(),
        });
        Some(fresh)
    })
}

fn names_of(layout: u32) -> Option<Rc<Names>> {
    LAYOUTS.with_borrow(|layouts| Some(layouts.get(layout as usize - 1)?.names.clone()))
}

/// Values whose names are those of a layout.
pub(crate) struct Split {
    names: Rc<Names>,
    pub values: Vec<Value>,
}

/// Room for so many values is made at once, where other dicts with these names have as many.
const MOST_AT_ONCE: usize = 32;

impl Split {
    /// A position that was found among the names, if it is one of this dict's.
    fn own(&self, at: Option<usize>) -> Option<usize> {
        at.filter(|at| *at < self.values.len())
    }

    fn find(&self, key: &Value, hash: i64) -> Found {
        let count = self.values.len();
        match self.names.table.borrow().find(key, hash) {
            Found::At(at) if at < count => Found::At(at),
            Found::At(_) | Found::Absent => Found::Absent,
            Found::Ask(mut candidates) => {
                candidates.retain(|at| *at < count);
                match candidates.is_empty() {
                    true => Found::Absent,
                    false => Found::Ask(candidates),
                }
            }
        }
    }

    fn entry(&self, at: usize) -> Option<(i64, Value)> {
        let names = self.names.table.borrow();
        names.get(at).map(|e| (e.hash, e.key.clone()))
    }

    fn to_table(&self) -> Table<Value> {
        let mut table = Table::with_capacity(self.values.len());
        for (entry, value) in self.names.table.borrow().iter().zip(&self.values) {
            table.push(entry.hash, entry.key.clone(), value.clone());
        }
        table
    }
}

/// What [`Store::changes`] is after the values of a layout were taken out: more than any of them has.
const CLEARED: u32 = 1 << 31;

/// Entries in insertion order.
pub(crate) enum Store {
    /// With keys of their own; removed ones leave holes.
    Table(Table<Value>),
    /// With the names of a layout.
    Split(Split),
}

impl Store {
    /// Empty, with the names of the layout of an empty namespace.
    pub fn namespace() -> Store {
        match names_of(EMPTY_LAYOUT) {
            Some(names) => Store::Split(Split {
                names,
                values: Vec::new(),
            }),
            None => Store::Table(Table::new()),
        }
    }

    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Store::Table(table) => table.len(),
            Store::Split(split) => split.values.len(),
        }
    }

    /// Number of entries and holes.
    pub fn places(&self) -> usize {
        match self {
            Store::Table(table) => table.entries.len(),
            Store::Split(split) => split.values.len(),
        }
    }

    /// Counts additions and removals.
    pub fn changes(&self) -> u32 {
        match self {
            Store::Table(table) => table.changes,
            Store::Split(split) => split.values.len() as u32,
        }
    }

    /// Finds a key.
    #[inline]
    pub fn find(&self, key: &Value, hash: i64) -> Found {
        match self {
            Store::Table(table) => table.find(key, hash),
            Store::Split(split) => split.find(key, hash),
        }
    }

    /// Finds a name.
    #[inline]
    pub fn find_name(&self, name: &Name) -> Option<usize> {
        match self {
            Store::Table(table) => table.find_name(name),
            Store::Split(split) => split.own(split.names.table.borrow().find_name(name)),
        }
    }

    /// Finds a string by its text.
    pub fn find_str(&self, text: &str) -> Option<usize> {
        match self {
            Store::Table(table) => table.find_str(text),
            Store::Split(split) => split.own(split.names.table.borrow().find_str(text)),
        }
    }

    /// The value at a position.
    #[inline(always)]
    pub fn value(&self, at: usize) -> Option<&Value> {
        match self {
            Store::Split(split) => split.values.get(at),
            Store::Table(table) => Some(&table.get(at)?.value),
        }
    }

    /// The same, to be replaced.
    #[inline]
    pub fn value_mut(&mut self, at: usize) -> Option<&mut Value> {
        match self {
            Store::Split(split) => split.values.get_mut(at),
            Store::Table(table) => Some(&mut table.get_mut(at)?.value),
        }
    }

    /// Notes that somebody relies on the value at a position.
    pub fn rely_on(&self, at: usize) {
        if let Store::Split(split) = self {
            split.names.rely_on(at);
        }
    }

    /// Whether somebody may rely on it.
    #[inline]
    pub fn is_relied_on(&self, at: usize) -> bool {
        match self {
            Store::Table(_) => true,
            Store::Split(split) => {
                let relied_on = split.names.relied_on.borrow();
                relied_on.get(at).copied().unwrap_or(false)
            }
        }
    }

    /// The key at a position, with its hash.
    pub fn key(&self, at: usize) -> Option<(i64, Value)> {
        match self {
            Store::Table(table) => table.get(at).map(|e| (e.hash, e.key.clone())),
            Store::Split(split) if at < split.values.len() => split.entry(at),
            Store::Split(_) => None,
        }
    }

    /// Position of the first entry at or after `from`.
    #[inline]
    pub fn next_live(&self, from: usize) -> Option<usize> {
        match self {
            Store::Table(table) => table.next_live(from),
            Store::Split(split) => (from < split.values.len()).then_some(from),
        }
    }

    /// The first entry at or after `from`, with its position.
    #[inline]
    pub fn next_entry(&self, from: usize) -> Option<(usize, Value, Value)> {
        match self {
            Store::Table(table) => {
                let places = table.entries.get(from..)?;
                let (ahead, entry) = (0..)
                    .zip(places)
                    .find_map(|(n, e)| Some((n, e.as_ref()?)))?;
                Some((from + ahead, entry.key.clone(), entry.value.clone()))
            }
            Store::Split(split) => {
                let value = split.values.get(from)?;
                Some((from, split.entry(from)?.1, value.clone()))
            }
        }
    }

    /// Positions of the entries.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.places()).filter(|at| self.value(*at).is_some())
    }

    /// Appends a name, with which the layout is this one, and its value.
    #[inline]
    pub fn push_name(&mut self, layout: u32, name: &Name, value: Value) {
        let Store::Split(split) = self else {
            self.push(name.as_pystr().hash(), name.to_value(), value);
            return;
        };
        if !split.names.has(split.values.len(), name) {
            match names_of(layout) {
                Some(names) => split.names = names,
                None => return self.push(name.as_pystr().hash(), name.to_value(), value),
            }
        }
        if split.values.capacity() == 0 {
            let room = split.names.len().min(MOST_AT_ONCE);
            split.values.reserve_exact(room.max(1));
        }
        split.values.push(value);
    }

    /// Appends a key that is known to be absent.
    pub fn push(&mut self, hash: i64, key: Value, value: Value) {
        self.unsplit();
        if let Store::Table(table) = self {
            table.push(hash, key, value);
        }
    }

    /// Has a table from now on.
    fn unsplit(&mut self) {
        if let Store::Split(split) = self {
            *self = Store::Table(split.to_table());
        }
    }

    /// Forgets the holes at the end.
    pub fn trim(&mut self) {
        if let Store::Table(table) = self {
            table.trim();
        }
    }

    /// Takes all entries out.
    pub fn clear(&mut self) -> Store {
        let mut empty = Table::new();
        empty.changes = match self {
            Store::Table(table) => table.changes.wrapping_add(1),
            // As many additions as there were entries do not make the count what it was.
            Store::Split(_) => CLEARED,
        };
        std::mem::replace(self, Store::Table(empty))
    }

    /// Removes the entry at a position.
    pub fn remove_at(&mut self, at: usize) -> Option<Entry<Value>> {
        self.value(at)?;
        self.unsplit();
        match self {
            Store::Table(table) => table.remove_at(at),
            Store::Split(_) => None,
        }
    }

    /// A copy with keys of its own and without holes.
    pub fn copied(&self) -> Store {
        Store::Table(match self {
            Store::Table(table) => table.clone(),
            Store::Split(split) => split.to_table(),
        })
    }
}
