//! Values that are moved and counted as sixteen bytes.

use janus_object::{Immediate, PyList, PyRef, Value};

#[test]
fn immediates_are_values() {
    assert!(matches!(Immediate::int(-7).value(), Value::Int(-7)));
    assert!(
        matches!(Immediate::float(0.5).value(), Value::Float(x) if x.to_bits() == 0.5f64.to_bits())
    );
    assert!(matches!(Immediate::bool(true).value(), Value::Bool(true)));
    assert!(matches!(Immediate::bool(false).value(), Value::Bool(false)));
    assert_eq!(Immediate::bool(true).as_bool(), Some(true));
    assert_eq!(Immediate::int(1).as_bool(), None);
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
