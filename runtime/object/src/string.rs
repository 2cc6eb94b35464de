//! Strings and interned names.
//!
//! In: text. Out: [`PyStr`], a string with a lazily computed hash and length, and [`Name`], an
//! interned one. Always: two live names of one thread with equal text are the same object, so
//! names compare by pointer; the text of a string never changes.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use compact_str::CompactString;
use hashbrown::HashTable;
use siphasher::sip::SipHasher13;

use crate::{PyRef, Value};

/// Of a text whose code points were not counted yet.
const UNKNOWN: usize = usize::MAX >> 1;
/// Set in it if the string is the object of a name.
const INTERNED: usize = 1 << (usize::BITS - 1);

/// A string. Dereferences to its text.
pub struct PyStr {
    /// A short text lies in it, and needs no memory of its own.
    s: CompactString,
    hash: Cell<i64>,
    /// The number of code points, [`UNKNOWN`] at first, and [`INTERNED`].
    chars: Cell<usize>,
}

impl PyStr {
    /// Makes a string.
    pub fn new(s: impl Into<CompactString>) -> Self {
        PyStr {
            s: s.into(),
            hash: Cell::new(-1),
            chars: Cell::new(UNKNOWN),
        }
    }

    /// Whether it is the object of a [`Name`].
    #[inline]
    pub(crate) fn is_interned(&self) -> bool {
        self.chars.get() & INTERNED != 0
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.s
    }

    /// Python's `hash()`: stable over runs, never -1.
    #[inline]
    pub fn hash(&self) -> i64 {
        let known = self.hash.get();
        if known != -1 {
            return known;
        }
        let hash = hash_str(&self.s);
        self.hash.set(hash);
        hash
    }

    /// Number of code points, Python's `len()`.
    #[inline]
    pub fn char_count(&self) -> usize {
        let (known, interned) = (self.chars.get() & !INTERNED, self.chars.get() & INTERNED);
        if known != UNKNOWN {
            return known;
        }
        let count = if self.s.is_ascii() {
            self.s.len()
        } else {
            self.s.chars().count()
        };
        self.chars.set(count | interned);
        count
    }

    /// Whether every code point is one byte, so that indices are byte offsets.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.char_count() == self.s.len()
    }

    /// The byte offset of the code point at `index`, the length for an index past the end.
    pub fn byte_offset(&self, index: usize) -> usize {
        if self.is_ascii() {
            return index.min(self.s.len());
        }
        self.s
            .char_indices()
            .nth(index)
            .map_or(self.s.len(), |(offset, _)| offset)
    }

    /// The code points `start..end` as text.
    pub fn char_slice(&self, start: usize, end: usize) -> &str {
        if start >= end {
            return "";
        }
        let from = self.byte_offset(start);
        let rest = &self.s[from..];
        let length = if self.is_ascii() {
            (end - start).min(rest.len())
        } else {
            rest.char_indices()
                .nth(end - start)
                .map_or(rest.len(), |(offset, _)| offset)
        };
        &rest[..length]
    }

    /// The code point at `index`.
    pub fn char_at(&self, index: usize) -> Option<char> {
        if self.is_ascii() {
            return self.s.as_bytes().get(index).map(|&b| b as char);
        }
        self.s.chars().nth(index)
    }
}

impl Deref for PyStr {
    type Target = str;
    fn deref(&self) -> &str {
        &self.s
    }
}

impl fmt::Display for PyStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.s)
    }
}

impl PartialEq for PyStr {
    fn eq(&self, other: &Self) -> bool {
        self.s == other.s
    }
}

impl Eq for PyStr {}

/// The hash of bytes: that of CPython under `PYTHONHASHSEED=0`, so that sets of texts have its order.
pub fn hash_bytes(bytes: &[u8]) -> i64 {
    if bytes.is_empty() {
        return 0;
    }
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(bytes);
    match hasher.finish() as i64 {
        -1 => -2,
        hash => hash,
    }
}

/// The hash of a text: of its characters, each as wide as the widest one needs (1, 2 or 4 bytes), as CPython keeps them.
pub fn hash_str(text: &str) -> i64 {
    if text.is_ascii() {
        return hash_bytes(text.as_bytes());
    }
    let codes = || text.chars().map(janus_bytecode::surrogate::code_of);
    let widest = codes().max().unwrap_or(0);
    let bytes: Vec<u8> = match widest {
        0..=0xFF => codes().map(|c| c as u8).collect(),
        0x100..=0xFFFF => codes().flat_map(|c| (c as u16).to_ne_bytes()).collect(),
        _ => codes().flat_map(u32::to_ne_bytes).collect(),
    };
    hash_bytes(&bytes)
}

/// An interned string. Comparing two names compares pointers.
#[derive(Clone)]
pub struct Name(PyRef<PyStr>);

janus_gil::gil_local! {
    static INTERNER: RefCell<Interner> = const { RefCell::new(Interner::new()) };
}

struct Interner {
    table: HashTable<PyRef<PyStr>>,
    prune_at: usize,
}

impl Interner {
    const fn new() -> Self {
        Interner {
            table: HashTable::new(),
            prune_at: 1 << 14,
        }
    }

    fn find(&self, text: &str, hash: i64) -> Option<Name> {
        self.table
            .find(spread(hash), |s| &*s.s == text)
            .map(|s| Name(s.clone()))
    }

    fn insert(&mut self, s: PyRef<PyStr>) -> Name {
        if self.table.len() >= self.prune_at {
            self.table.retain(|s| PyRef::strong_count(s) > 1);
            self.prune_at = (self.table.len() * 2).max(1 << 14);
        }
        s.chars.set(s.chars.get() | INTERNED);
        self.table
            .insert_unique(spread(s.hash()), s.clone(), |s| spread(s.hash()));
        Name(s)
    }
}

/// Mixes a Python hash, whose low bits carry the information (`hash(n) == n`), into one whose
/// high and low bits a hash table can use.
#[inline]
pub(crate) fn spread(hash: i64) -> u64 {
    let x = (hash as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 32)
}

impl Name {
    /// The name with this text.
    pub fn new(text: &str) -> Self {
        let hash = hash_str(text);
        INTERNER.with_borrow_mut(|interner| match interner.find(text, hash) {
            Some(name) => name,
            None => interner.insert(PyRef::new(PyStr::new(text))),
        })
    }

    /// The name with the text of `s`, which is `s` itself if no other string was there before.
    pub fn intern(s: &PyRef<PyStr>) -> Self {
        if s.is_interned() {
            return Name(s.clone());
        }
        INTERNER.with_borrow_mut(|interner| match interner.find(s, s.hash()) {
            Some(name) => name,
            None => interner.insert(s.clone()),
        })
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0.s
    }

    /// The string object.
    #[inline]
    pub fn as_pystr(&self) -> &PyRef<PyStr> {
        &self.0
    }

    /// The name as a value.
    #[inline]
    pub fn to_value(&self) -> Value {
        Value::Str(self.0.clone())
    }

    /// Whether `s` has the text of this name; decided by pointer when `s` is interned too.
    #[inline]
    pub fn is(&self, s: &PyRef<PyStr>) -> bool {
        PyRef::ptr_eq(&self.0, s) || (!s.is_interned() && *s.s == *self.0.s)
    }
}

impl PartialEq for Name {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        PyRef::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Name {}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        *self.0.s == *other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        *self.0.s == **other
    }
}

impl Hash for Name {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(spread(self.0.hash()));
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.s)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0.s, f)
    }
}

/// Passes an already mixed 64-bit hash through.
#[derive(Default, Clone, Copy)]
pub struct PassHasher(u64);

impl Hasher for PassHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = spread(hash_bytes(bytes));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A map keyed by names, in insertion order.
pub type NameMap<V> = indexmap::IndexMap<Name, V, std::hash::BuildHasherDefault<PassHasher>>;

/// `name!("x")`: the name `x` as a `&'static Name`, looked up once per place.
#[macro_export]
macro_rules! name {
    ($text:literal) => {{
        // Leaked on purpose: one name per place, alive as long as the heap.
        static NAME: $crate::GilLazy<&'static $crate::Name> =
            $crate::GilLazy::new(|| Box::leak(Box::new($crate::Name::new($text))));
        NAME.with(|name| *name)
    }};
}
