//! What generated code reads of Python's objects.

use janus_object::fields::{
    BOOL, FLOAT, Field, FieldTable, INT, LIST, NOTHING, OTHER, address, janus_rt_field,
};
use janus_object::{Name, PyDict, PyRef, Value};

/// As generated code reads a field: its kind and its word.
///
/// # Safety
/// That of [`janus_rt_field`] for the object's address and the index.
unsafe fn read(table: &FieldTable, object: i64, field: i64, index: i64) -> (i64, i64) {
    let input = [std::ptr::from_ref(table) as i64, object, index];
    let mut output = [0; 2];
    let words = [
        field,
        input.as_ptr() as i64,
        3,
        1,
        output.as_mut_ptr() as i64,
        2,
        1,
    ];
    // SAFETY: the words are laid out as it says; the rest is the caller's promise.
    unsafe { janus_rt_field(words.as_ptr()) };
    (output[0], output[1])
}

#[test]
fn a_field_of_nothing_is_nothing() {
    let table = FieldTable {
        fields: vec![Field::ListItem, Field::ListLength, Field::TupleItem],
        ..FieldTable::default()
    };
    let list = Value::list(vec![Value::Int(3), Value::float(0.5)]);
    let at = address(&list);
    // SAFETY: the addresses are 0 or the list's, and the fields are a list's.
    unsafe {
        assert_eq!(read(&table, 0, 0, 1), (NOTHING, 0));
        assert_eq!(read(&table, at, 0, 1), (FLOAT, 0.5f64.to_bits() as i64));
        for outside in [-1, 2] {
            assert_eq!(read(&table, at, 0, outside), (NOTHING, 0));
        }
        assert_eq!(read(&table, at, 1, 0), (INT, 2));
        assert_eq!(read(&table, at, 7, 0), (NOTHING, 0));
    }
    assert_eq!(table.classify(&Value::Ellipsis), (OTHER, 0));
    assert_eq!(table.classify(&list), (LIST, at));
}

#[test]
fn dicts_are_read_under_texts() {
    let table = FieldTable {
        fields: vec![
            Field::DictEntry(Name::new("a")),
            Field::DictUnder,
            Field::DictLength,
            Field::TextIs(Name::new("a")),
            Field::TextEquals,
            Field::TextLength,
        ],
        ..FieldTable::default()
    };
    let dict = PyDict::new();
    dict.set_str("a", Value::Int(3));
    let dict = Value::Dict(PyRef::new(dict));
    let (key, other) = (Value::str("a"), Value::str("bcd"));
    let (at, key, other) = (address(&dict), address(&key), address(&other));
    // SAFETY: the addresses are 0, or the dict's for fields of dicts and texts' for the others and the indices.
    unsafe {
        assert_eq!(read(&table, at, 0, 0), (INT, 3));
        assert_eq!(read(&table, at, 1, key), (INT, 3));
        assert_eq!(read(&table, at, 1, other), (NOTHING, 0));
        assert_eq!(read(&table, at, 1, 0), (NOTHING, 0));
        assert_eq!(read(&table, at, 2, 0), (INT, 1));
        assert_eq!(read(&table, key, 3, 0), (BOOL, 1));
        assert_eq!(read(&table, other, 3, 0), (BOOL, 0));
        assert_eq!(read(&table, other, 4, key), (BOOL, 0));
        assert_eq!(read(&table, other, 5, 0), (INT, 3));
    }
}
