//! The hash table under dict and set.
//!
//! In: keys with their Python hashes. Out: positions in insertion order. Always: an entry keeps
//! its position until the table is compacted, which only an insertion does, and only when entries
//! were removed; the table never calls Python: comparisons that need it are handed back to the
//! caller as candidates.

use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::string::spread;
use crate::{Name, Payload, PyRef, Value};

/// Tables up to this many entries are searched linearly and have no index.
const LINEAR: usize = 8;

/// One key with what belongs to it.
#[derive(Clone)]
pub(crate) struct Entry<V> {
    pub hash: i64,
    pub key: Value,
    pub value: V,
}

/// An insertion-ordered hash table; removed entries leave a hole.
pub(crate) struct Table<V> {
    pub entries: Vec<Option<Entry<V>>>,
    index: Option<Box<HashTable<u32>>>,
    live: u32,
    /// Counts insertions and removals, for callers that compare keys outside of the borrow.
    pub changes: u32,
}

/// Outcome of a search that may not call Python.
pub(crate) enum Found {
    /// At this position.
    At(usize),
    /// Nowhere.
    Absent,
    /// Maybe at one of these positions: only Python can compare those keys.
    Ask(SmallVec<[usize; 4]>),
}

/// Compares two values, if that needs no Python call.
#[must_use]
pub fn simple_eq(a: &Value, b: &Value) -> Option<bool> {
    use Value::*;
    Some(match (a, b) {
        (Str(x), Str(y)) => PyRef::ptr_eq(x, y) || x.as_str() == y.as_str(),
        (Int(x), Int(y)) => x == y,
        (Float(x), Float(y)) => x.get() == y.get() || x.get().to_bits() == y.get().to_bits(),
        (Bool(x), Bool(y)) => x == y,
        (Int(x), Bool(y)) | (Bool(y), Int(x)) => *x == i64::from(y.get()),
        // Equal hashes of a finite float and an int do not make them equal, but exact comparison
        // does not need Python either.
        (Int(x), Float(y)) | (Float(y), Int(x)) => crate::ops::int_eq_float(*x, y.get()),
        (Bool(x), Float(y)) | (Float(y), Bool(x)) => f64::from(u8::from(x.get())) == y.get(),
        (BigInt(x), BigInt(y)) => x == y,
        (None, None) => true,
        (Bytes(x), Bytes(y)) => *x.bytes() == *y.bytes(),
        (Tuple(x), Tuple(y)) => {
            if PyRef::ptr_eq(x, y) {
                return Some(true);
            }
            if x.items.len() != y.items.len() {
                return Some(false);
            }
            for (p, q) in x.items.iter().zip(y.items.iter()) {
                if !simple_eq(p, q)? {
                    return Some(false);
                }
            }
            true
        }
        _ if crate::ops::is(a, b) => true,
        // User-defined equality, and the built-in kinds whose comparison recurses.
        (Instance(_), _) | (_, Instance(_)) => {
            return simple_eq(&value_inside(a)?, &value_inside(b)?);
        }
        (Set(_), Set(_))
        | (Range(_), Range(_))
        | (Slice(_), Slice(_))
        | (Method(_), Method(_))
        | (List(_), List(_))
        | (Dict(_), Dict(_)) => {
            return Option::None;
        }
        (BigInt(_), Float(_)) | (Float(_), BigInt(_)) => return Option::None,
        _ => false,
    })
}

/// What a value compares as: of an instance the built-in value inside, unless Python says how it compares.
fn value_inside(value: &Value) -> Option<Value> {
    let Value::Instance(instance) = value else {
        return Some(value.clone());
    };
    if !instance.class.borrow().flags.get().value_eq {
        return None;
    }
    match &instance.payload {
        Payload::Tuple(tuple) => Some(Value::Tuple(tuple.clone())),
        Payload::Wrapped(value) => Some(value.clone()),
        _ => None,
    }
}

impl<V> Table<V> {
    pub fn new() -> Self {
        Table {
            entries: Vec::new(),
            index: None,
            live: 0,
            changes: 0,
        }
    }

    pub fn with_capacity(capacity: usize) -> Self {
        Table {
            entries: Vec::with_capacity(capacity),
            ..Self::new()
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.live as usize
    }

    #[inline]
    pub fn get(&self, at: usize) -> Option<&Entry<V>> {
        self.entries.get(at).and_then(Option::as_ref)
    }

    #[inline]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut Entry<V>> {
        self.entries.get_mut(at).and_then(Option::as_mut)
    }

    /// Searches with a comparison that cannot be in doubt.
    #[inline]
    fn search(&self, hash: i64, mut same: impl FnMut(&Value, usize) -> bool) -> Option<usize> {
        match &self.index {
            Option::None => self.entries.iter().enumerate().position(|(i, e)| {
                e.as_ref()
                    .is_some_and(|e| e.hash == hash && same(&e.key, i))
            }),
            Some(index) => index
                .find(spread(hash), |&i| {
                    self.get(i as usize)
                        .is_some_and(|e| e.hash == hash && same(&e.key, i as usize))
                })
                .map(|&i| i as usize),
        }
    }

    /// Finds a name.
    #[inline]
    pub fn find_name(&self, name: &Name) -> Option<usize> {
        self.search(
            name.as_pystr().hash(),
            |key, _| matches!(key, Value::Str(s) if name.is(s)),
        )
    }

    /// Finds a string by its text.
    pub fn find_str(&self, text: &str) -> Option<usize> {
        let hash = crate::string::hash_str(text);
        self.search(
            hash,
            |key, _| matches!(key, Value::Str(s) if s.as_str() == text),
        )
    }

    /// Finds a key.
    #[inline]
    pub fn find(&self, key: &Value, hash: i64) -> Found {
        if let Value::Str(s) = key {
            let at = self.search(hash, |k, _| {
                matches!(k, Value::Str(t) if PyRef::ptr_eq(s, t) || s.as_str() == t.as_str())
            });
            match at {
                Some(at) => return Found::At(at),
                // An instance of a str subclass may still be equal.
                Option::None if !self.has_instance_with(hash) => return Found::Absent,
                Option::None => {}
            }
        }
        let mut ask = SmallVec::new();
        let at = self.search(hash, |k, i| match (k, key) {
            (Value::Int(x), Value::Int(y)) => x == y,
            _ => match simple_eq(k, key) {
                Some(equal) => equal,
                Option::None => {
                    ask.push(i);
                    false
                }
            },
        });
        match at {
            Some(at) => Found::At(at),
            Option::None if ask.is_empty() => Found::Absent,
            Option::None => Found::Ask(ask),
        }
    }

    fn has_instance_with(&self, hash: i64) -> bool {
        self.search(hash, |k, _| matches!(k, Value::Instance(_)))
            .is_some()
    }

    /// Appends an entry that is known to be absent; returns its position.
    pub fn push(&mut self, hash: i64, key: Value, value: V) -> usize {
        if self.entries.len() > LINEAR && self.len() * 2 < self.entries.len() {
            self.compact();
        }
        let at = self.entries.len();
        self.entries.push(Some(Entry { hash, key, value }));
        self.live += 1;
        self.changes = self.changes.wrapping_add(1);
        match &mut self.index {
            Some(index) => {
                let entries = &self.entries;
                index.insert_unique(spread(hash), at as u32, |&i| hash_at(entries, i));
            }
            Option::None if self.entries.len() > LINEAR => self.rebuild_index(),
            Option::None => {}
        }
        at
    }

    /// Removes the entry at a position.
    pub fn remove_at(&mut self, at: usize) -> Option<Entry<V>> {
        let entry = self.entries.get_mut(at)?.take()?;
        self.live -= 1;
        self.changes = self.changes.wrapping_add(1);
        if let Some(index) = &mut self.index
            && let Ok(slot) = index.find_entry(spread(entry.hash), |&i| i as usize == at)
        {
            slot.remove();
        }
        Some(entry)
    }

    /// Forgets the holes at the end, which `popitem` would walk over each time. An iterator tells a key that came
    /// back from one that it has given by the place, so `del` leaves holes.
    pub fn trim(&mut self) {
        while matches!(self.entries.last(), Some(Option::None)) {
            self.entries.pop();
        }
    }

    /// Position of the first live entry at or after `from`.
    #[inline]
    pub fn next_live(&self, from: usize) -> Option<usize> {
        (from..self.entries.len()).find(|&i| self.entries[i].is_some())
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry<V>> {
        self.entries.iter().flatten()
    }

    fn compact(&mut self) {
        self.entries.retain(Option::is_some);
        self.rebuild_index();
    }

    fn rebuild_index(&mut self) {
        self.index = Option::None;
        if self.entries.len() <= LINEAR {
            return;
        }
        let mut index = HashTable::with_capacity(self.entries.len() * 2);
        for (at, entry) in self.entries.iter().enumerate() {
            if let Some(entry) = entry {
                let entries = &self.entries;
                index.insert_unique(spread(entry.hash), at as u32, |&i| hash_at(entries, i));
            }
        }
        self.index = Some(Box::new(index));
    }
}

impl<V: Clone> Clone for Table<V> {
    /// A compacted copy.
    fn clone(&self) -> Self {
        let mut copy = Table {
            entries: self
                .entries
                .iter()
                .filter(|e| e.is_some())
                .cloned()
                .collect(),
            index: Option::None,
            live: self.live,
            changes: 0,
        };
        copy.rebuild_index();
        copy
    }
}

fn hash_at<V>(entries: &[Option<Entry<V>>], at: u32) -> u64 {
    entries
        .get(at as usize)
        .and_then(Option::as_ref)
        .map_or(0, |e| spread(e.hash))
}
