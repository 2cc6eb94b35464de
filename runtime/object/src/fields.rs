//! What compiled code reads of objects while it runs.
//!
//! In: a region's [`FieldTable`], the address of an object that the graph's values found, or 0,
//! and the number of a field. Out: a kind and 64 bits: a number, or another address. Always: an
//! address is only ever read as what the field that it comes from said it is, so a graph whose
//! assumptions failed reads nothing, rather than something else. Compiled code runs no Python, so
//! what was reachable at its entry stays where it is.

use std::cell::RefCell;
use std::fmt;

use crate::{Class, Instance, Name, PyDict, PyList, PyRef, PyStr, PyTuple, Value};

/// There is no such field; the word is 0.
pub const NOTHING: i64 = 0;
/// `None`; the word is 0.
pub const NONE: i64 = 1;
/// bool; the word is 0 or 1.
pub const BOOL: i64 = 2;
/// int within 64 bits.
pub const INT: i64 = 3;
/// float; the word has its bits.
pub const FLOAT: i64 = 4;
/// list, of no subclass; the word is its address.
pub const LIST: i64 = 5;
/// tuple, of no subclass; the word is its address.
pub const TUPLE: i64 = 6;
/// Something that a graph cannot hold; the word is 0.
pub const OTHER: i64 = 7;
/// str; the word is its address.
pub const TEXT: i64 = 8;
/// dict, of no subclass; the word is its address.
pub const DICT: i64 = 9;
/// An instance of exactly the table's class `kind - FIRST_CLASS`; the word is its address.
pub const FIRST_CLASS: i64 = 16;

/// What is read of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// An entry of an instance's `__dict__`.
    Attribute(Name),
    /// The number of items of a list.
    ListLength,
    /// The item of a list at an index.
    ListItem,
    /// The number of items of a tuple.
    TupleLength,
    /// The item of a tuple at an index.
    TupleItem,
    /// The number of entries of a dict.
    DictLength,
    /// The value of a dict under a text.
    DictEntry(Name),
    /// The value of a dict under the text whose address stands for the index.
    DictUnder,
    /// The number of characters of a text.
    TextLength,
    /// Whether a text is this one.
    TextIs(Name),
    /// Whether a text is the one whose address stands for the index.
    TextEquals,
}

/// As people write it after an object: `.left`, `[]`, `== 'x'`, and `len` for the number of items.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Attribute(name) => write!(f, ".{name}"),
            Field::ListLength | Field::TupleLength | Field::DictLength | Field::TextLength => {
                write!(f, "len")
            }
            Field::ListItem | Field::TupleItem | Field::DictUnder => write!(f, "[]"),
            Field::DictEntry(key) => write!(f, "['{key}']"),
            Field::TextIs(text) => write!(f, "== '{text}'"),
            Field::TextEquals => write!(f, "=="),
        }
    }
}

/// The fields and classes that a region's graph names by number.
#[derive(Default)]
pub struct FieldTable {
    /// What is read.
    pub fields: Vec<Field>,
    /// What may be found.
    pub classes: Vec<PyRef<Class>>,
    /// Memory blocks of tensors that the region writes, where it reads tensors of objects: what it reads is as it
    /// was at entry, so it must be none of these.
    pub written: RefCell<Vec<usize>>,
}

impl FieldTable {
    /// The kind of a value, and its 64 bits.
    #[must_use]
    pub fn classify(&self, value: &Value) -> (i64, i64) {
        match value {
            Value::None => (NONE, 0),
            Value::Bool(b) => (BOOL, i64::from(b.get())),
            Value::Int(n) => (INT, *n),
            Value::Float(f) => (FLOAT, f.get().to_bits() as i64),
            Value::List(list) => (LIST, PyRef::as_ptr(list) as i64),
            Value::Tuple(tuple) => (TUPLE, PyRef::as_ptr(tuple) as i64),
            Value::Str(text) => (TEXT, PyRef::as_ptr(text) as i64),
            Value::Dict(dict) => (DICT, PyRef::as_ptr(dict) as i64),
            Value::Instance(instance) => {
                if instance.shares_dict() {
                    return (OTHER, 0);
                }
                let class = instance.class.borrow();
                match self.classes.iter().position(|c| PyRef::ptr_eq(c, &class)) {
                    Some(i) => (FIRST_CLASS + i as i64, PyRef::as_ptr(instance) as i64),
                    None => (OTHER, 0),
                }
            }
            _ => (OTHER, 0),
        }
    }

    /// Reads a field of the object at `address`: an item that of this index, which counts from the first.
    ///
    /// # Safety
    /// `address` is 0 or that of a live object of the kind that the field belongs to; so is the index where it is an
    /// address.
    unsafe fn read(&self, address: i64, field: usize, index: i64) -> (i64, i64) {
        let Some(field) = self.fields.get(field) else {
            return (NOTHING, 0);
        };
        if address == 0 {
            return (NOTHING, 0);
        }
        let item = |items: &[Value]| {
            let found = usize::try_from(index).ok().and_then(|i| items.get(i));
            found.map_or((NOTHING, 0), |v| self.classify(v))
        };
        let length = |n: usize| (INT, n as i64);
        match field {
            Field::Attribute(name) => {
                // SAFETY: the caller's promise: an instance.
                let instance = unsafe { instance_ref(address) };
                let found = instance.dict.get().and_then(|d| d.get_name(name));
                found.map_or((NOTHING, 0), |v| self.classify(&v))
            }
            Field::ListLength | Field::ListItem => {
                // SAFETY: the caller's promise: a list.
                let list = unsafe { &*(address as *const PyList) };
                match (field, list.items.try_borrow()) {
                    (Field::ListItem, Ok(items)) => item(&items),
                    (_, Ok(items)) => length(items.len()),
                    (_, Err(_)) => (NOTHING, 0),
                }
            }
            Field::TupleLength | Field::TupleItem => {
                // SAFETY: the caller's promise: a tuple.
                let tuple = unsafe { &*(address as *const PyTuple) };
                match field {
                    Field::TupleItem => item(&tuple.items),
                    _ => length(tuple.items.len()),
                }
            }
            Field::DictUnder | Field::TextEquals if index == 0 => (NOTHING, 0),
            Field::DictLength | Field::DictEntry(_) | Field::DictUnder => {
                // SAFETY: the caller's promise: a dict.
                let dict = unsafe { &*(address as *const PyDict) };
                let under = |key: &str| {
                    let found = dict.get_str(key);
                    found.map_or((NOTHING, 0), |v| self.classify(&v))
                };
                match field {
                    Field::DictEntry(key) => under(key.as_str()),
                    // SAFETY: the caller's promise: a text.
                    Field::DictUnder => under(unsafe { &*(index as *const PyStr) }.as_str()),
                    _ => length(dict.len()),
                }
            }
            Field::TextLength | Field::TextIs(_) | Field::TextEquals => {
                // SAFETY: the caller's promise: a text.
                let text = unsafe { &*(address as *const PyStr) };
                match field {
                    Field::TextIs(other) => (BOOL, i64::from(text.as_str() == other.as_str())),
                    Field::TextEquals => {
                        // SAFETY: the caller's promise: a text, too.
                        let other = unsafe { &*(index as *const PyStr) };
                        (BOOL, i64::from(text.as_str() == other.as_str()))
                    }
                    _ => length(text.char_count()),
                }
            }
        }
    }
}

/// The address of an instance, list, tuple, dict or text; 0 for any other value.
#[must_use]
pub fn address(value: &Value) -> i64 {
    match value {
        Value::Instance(instance) => PyRef::as_ptr(instance) as i64,
        Value::List(list) => PyRef::as_ptr(list) as i64,
        Value::Tuple(tuple) => PyRef::as_ptr(tuple) as i64,
        Value::Dict(dict) => PyRef::as_ptr(dict) as i64,
        Value::Str(text) => PyRef::as_ptr(text) as i64,
        _ => 0,
    }
}

/// The instance at an address that [`FieldTable::read`] gave as that of one, for as long as the caller's own hold of it.
///
/// # Safety
/// The address is that of an instance that lives as long as what is returned.
#[must_use]
pub unsafe fn instance_ref<'a>(address: i64) -> &'a Instance {
    // SAFETY: the caller's promise.
    unsafe { &*(address as *const Instance) }
}

/// The instance at an address that [`FieldTable::read`] gave as that of one.
///
/// # Safety
/// The instance is alive.
#[must_use]
pub unsafe fn instance_at(address: i64) -> PyRef<Instance> {
    let instance = address as *const Instance;
    // SAFETY: the caller's promise; the address came from `PyRef::as_ptr`.
    unsafe { PyRef::at(instance) }
}

/// The routine for generated code: `janus.field`. `words` are: the field; for the input the address,
/// extent and stride of an array of three, the table's address, the object's and the index of an
/// item; the same for the result, an array of two, which gets the kind and the word.
///
/// # Safety
/// The words are as above; the table is alive, and the object's address is 0 or that of a live
/// object of the kind that the field belongs to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_field(words: *const i64) {
    // SAFETY: the caller's promise: seven words, and arrays of three and of two.
    let (field, input, output) = unsafe {
        let words = std::slice::from_raw_parts(words, 7);
        let input = std::slice::from_raw_parts(words[1] as *const i64, 3);
        let output = std::slice::from_raw_parts_mut(words[4] as *mut i64, 2);
        (words[0], input, output)
    };
    // SAFETY: the caller's promise.
    let (kind, word) = unsafe {
        let table = &*(input[0] as *const FieldTable);
        table.read(
            input[1],
            usize::try_from(field).unwrap_or(usize::MAX),
            input[2],
        )
    };
    output[0] = kind;
    output[1] = word;
}
