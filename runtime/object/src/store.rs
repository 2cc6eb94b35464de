//! What a dict keeps its entries in.
//!
//! In: keys with their hashes, and values. Out: the same by position, in insertion order. Always: a dict with a layout shares its
//! names with the other dicts of that layout and has values of its own only; it gets a table where an entry is removed, or where
//! a key is added that no layout has. It never calls Python.

use std::cell::RefCell;
use std::rc::Rc;

use crate::string::NameMap;
use crate::table::{Entry, Found, Table};
use crate::{Name, Value};

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

/// How many names a layout has.
pub(crate) fn names_in(layout: u32) -> Option<usize> {
    LAYOUTS.with_borrow(|layouts| Some(layouts.get(layout as usize - 1)?.count))
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

/// Looks at the names of a layout.
#[inline]
fn with_names<R>(layout: u32, look: impl FnOnce(&Names) -> R) -> Option<R> {
    LAYOUTS.with_borrow(|layouts| Some(look(&layouts.get(layout as usize - 1)?.names)))
}

/// How many values lie in the dict itself. Most instances have no more attributes.
pub(crate) const INLINE: usize = 4;

/// Values whose names are those of a layout.
///
/// Generated code reads the values, and adds to those that lie in here: it writes the value, the layout and the number of values.
pub(crate) struct Split {
    layout: u32,
    count: u32,
    /// Where there is no value yet there is None.
    first: [Value; INLINE],
    /// The values behind the first ones.
    rest: Vec<Value>,
}

/// Room for so many values is made at once, where other dicts with these names have as many.
const MOST_AT_ONCE: usize = 32;

impl Split {
    const EMPTY: Split = Split {
        layout: EMPTY_LAYOUT,
        count: 0,
        first: [const { Value::None }; INLINE],
        rest: Vec::new(),
    };

    #[inline(always)]
    fn len(&self) -> usize {
        self.count as usize
    }

    #[inline(always)]
    fn get(&self, at: usize) -> Option<&Value> {
        match self.first.get(at) {
            Some(value) => (at < self.len()).then_some(value),
            None => self.rest.get(at - INLINE),
        }
    }

    #[inline]
    fn get_mut(&mut self, at: usize) -> Option<&mut Value> {
        let count = self.len();
        match self.first.get_mut(at) {
            Some(value) => (at < count).then_some(value),
            None => self.rest.get_mut(at - INLINE),
        }
    }

    /// The values, in two parts.
    pub fn parts(&self) -> [&[Value]; 2] {
        let first = self.first.get(..self.len().min(INLINE));
        [first.unwrap_or_default(), &self.rest]
    }

    #[inline]
    fn push(&mut self, value: Value) {
        match self.first.get_mut(self.count as usize) {
            Some(place) => *place = value,
            None => {
                if self.rest.capacity() == 0 {
                    let names = with_names(self.layout, Names::len).unwrap_or_default();
                    let room = names.saturating_sub(INLINE).clamp(1, MOST_AT_ONCE);
                    self.rest.reserve_exact(room);
                }
                self.rest.push(value);
            }
        }
        self.count += 1;
    }

    /// A position that was found among the names, if it is one of this dict's.
    fn own(&self, at: Option<usize>) -> Option<usize> {
        at.filter(|at| *at < self.len())
    }

    fn find(&self, key: &Value, hash: i64) -> Found {
        let count = self.len();
        let found = with_names(self.layout, |names| names.table.borrow().find(key, hash));
        match found {
            Some(Found::At(at)) if at < count => Found::At(at),
            Some(Found::Ask(mut candidates)) => {
                candidates.retain(|at| *at < count);
                match candidates.is_empty() {
                    true => Found::Absent,
                    false => Found::Ask(candidates),
                }
            }
            Some(Found::At(_) | Found::Absent) | None => Found::Absent,
        }
    }

    fn find_name(&self, name: &Name) -> Option<usize> {
        let found = with_names(self.layout, |names| names.table.borrow().find_name(name));
        self.own(found.flatten())
    }

    fn find_str(&self, text: &str) -> Option<usize> {
        let found = with_names(self.layout, |names| names.table.borrow().find_str(text));
        self.own(found.flatten())
    }

    fn entry(&self, at: usize) -> Option<(i64, Value)> {
        let entry = with_names(self.layout, |names| {
            let names = names.table.borrow();
            names.get(at).map(|e| (e.hash, e.key.clone()))
        });
        self.own(Some(at)).and(entry.flatten())
    }

    fn to_table(&self) -> Table<Value> {
        let mut table = Table::with_capacity(self.len());
        with_names(self.layout, |names| {
            let values = self.parts().into_iter().flatten();
            for (entry, value) in names.table.borrow().iter().zip(values) {
                table.push(entry.hash, entry.key.clone(), value.clone());
            }
        });
        table
    }
}

/// Where the parts of a dict with a layout lie.
pub(crate) struct SplitAddresses {
    /// The layout.
    pub layout: usize,
    /// The number of values.
    pub count: usize,
    /// The first value.
    pub first: usize,
    /// The vector of the values behind the first ones, and the first of these.
    pub rest: (usize, usize),
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
    #[inline]
    pub const fn namespace() -> Store {
        Store::Split(Split::EMPTY)
    }

    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Store::Table(table) => table.len(),
            Store::Split(split) => split.len(),
        }
    }

    /// Number of entries and holes.
    pub fn places(&self) -> usize {
        match self {
            Store::Table(table) => table.entries.len(),
            Store::Split(split) => split.len(),
        }
    }

    /// Counts additions and removals.
    pub fn changes(&self) -> u32 {
        match self {
            Store::Table(table) => table.changes,
            Store::Split(split) => split.len() as u32,
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
            Store::Split(split) => split.find_name(name),
        }
    }

    /// Finds a string by its text.
    pub fn find_str(&self, text: &str) -> Option<usize> {
        match self {
            Store::Table(table) => table.find_str(text),
            Store::Split(split) => split.find_str(text),
        }
    }

    /// The value at a position.
    #[inline(always)]
    pub fn value(&self, at: usize) -> Option<&Value> {
        match self {
            Store::Split(split) => split.get(at),
            Store::Table(table) => Some(&table.get(at)?.value),
        }
    }

    /// The same, to be replaced.
    #[inline]
    pub fn value_mut(&mut self, at: usize) -> Option<&mut Value> {
        match self {
            Store::Split(split) => split.get_mut(at),
            Store::Table(table) => Some(&mut table.get_mut(at)?.value),
        }
    }

    /// Notes that somebody relies on the value at a position.
    pub fn rely_on(&self, at: usize) {
        if let Store::Split(split) = self {
            with_names(split.layout, |names| names.rely_on(at));
        }
    }

    /// Whether somebody may rely on it.
    #[inline]
    pub fn is_relied_on(&self, at: usize) -> bool {
        match self {
            Store::Table(_) => true,
            Store::Split(split) => {
                let relied_on = |names: &Names| names.relied_on.borrow().get(at).copied();
                with_names(split.layout, relied_on).flatten() == Some(true)
            }
        }
    }

    /// The key at a position, with its hash.
    pub fn key(&self, at: usize) -> Option<(i64, Value)> {
        match self {
            Store::Table(table) => table.get(at).map(|e| (e.hash, e.key.clone())),
            Store::Split(split) => split.entry(at),
        }
    }

    /// Position of the first entry at or after `from`.
    #[inline]
    pub fn next_live(&self, from: usize) -> Option<usize> {
        match self {
            Store::Table(table) => table.next_live(from),
            Store::Split(split) => (from < split.len()).then_some(from),
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
                let value = split.get(from)?;
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
        match self {
            Store::Split(split) => {
                split.layout = layout;
                split.push(value);
            }
            Store::Table(table) => {
                table.push(name.as_pystr().hash(), name.to_value(), value);
            }
        }
    }

    /// Where the parts of a dict with a layout lie.
    pub fn addresses(&self) -> Option<SplitAddresses> {
        match self {
            Store::Split(split) => Some(SplitAddresses {
                layout: &raw const split.layout as usize,
                count: &raw const split.count as usize,
                first: split.first.as_ptr() as usize,
                rest: (&raw const split.rest as usize, split.rest.as_ptr() as usize),
            }),
            Store::Table(_) => None,
        }
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
