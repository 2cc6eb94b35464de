//! Values: where their payload lies, and how they are counted.

use janus_object::{PyList, PyRef, Value};

#[test]
fn payloads_are_the_second_word() {
    let second = |value: Value| {
        // SAFETY: a value is sixteen bytes, of which only those between the tag and the payload are not written.
        unsafe { std::ptr::from_ref(&value).cast::<u64>().add(1).read() }
    };
    assert_eq!(second(Value::Int(-7)), -7i64 as u64);
    assert_eq!(second(Value::float(0.5)), 0.5f64.to_bits());
    assert_eq!(second(Value::bool(true)), 1);
    assert_eq!(second(Value::bool(false)), 0);
}

#[test]
fn copies_count() {
    let list = PyRef::new(PyList::new(Vec::new()));
    let value = Value::List(list.clone());
    let copy = value.clone();
    assert_eq!(PyRef::strong_count(&list), 3);
    copy.release();
    drop(value);
    assert_eq!(PyRef::strong_count(&list), 1);
}
