//! Values against results known from CPython 3.11.

#![allow(clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod classes;
mod containers;
mod fields;
mod numbers;
mod offsets;
mod pairs;
mod texts;
mod values;
mod vm;

use janus_bytecode::BinaryOp;
use janus_object::{Args, ExcKind, Name, PyResult, Raised, Value, attr, call, ops, text};
use vm::TestVm;

/// `object.name(*args)`
pub fn method(vm: &mut TestVm, object: &Value, name: &str, args: &[Value]) -> PyResult {
    call::call_method(vm, object, &Name::new(name), Args::new(args))
}

/// `repr(value)`
pub fn repr(vm: &mut TestVm, value: &Value) -> String {
    text::repr(vm, value).unwrap_or_else(|raised| shown(vm, &raised))
}

/// An exception as `Class: message`.
pub fn shown(vm: &mut TestVm, raised: &Raised) -> String {
    let class = raised.class().display_name();
    match text::str(vm, &raised.to_value()) {
        Ok(message) => format!("{class}: {message}"),
        Err(_) => class,
    }
}

/// `repr` of a result, or the exception.
pub fn outcome(vm: &mut TestVm, result: PyResult) -> String {
    match result {
        Ok(value) => repr(vm, &value),
        Err(raised) => shown(vm, &raised),
    }
}

/// `repr(a op b)`
pub fn binary(vm: &mut TestVm, op: BinaryOp, a: impl Into<Value>, b: impl Into<Value>) -> String {
    let result = ops::binary(vm, op, &a.into(), &b.into());
    outcome(vm, result)
}

/// `object.name`
pub fn get(vm: &mut TestVm, object: &Value, name: &str) -> PyResult {
    attr::get(vm, object, &Name::new(name))
}

/// A list of ints.
pub fn ints(items: &[i64]) -> Value {
    Value::list(items.iter().copied().map(Value::Int).collect())
}

#[test]
fn the_value_is_two_words() {
    assert_eq!(std::mem::size_of::<Value>(), 16);
    assert_eq!(std::mem::size_of::<PyResult>(), 16);
    assert_eq!(std::mem::size_of::<Option<Value>>(), 16);
}

#[test]
fn exceptions_have_their_texts() {
    let mut vm = TestVm::default();
    let cases = [
        (Raised::key_error(Value::from("a")), "KeyError: 'a'"),
        (
            Raised::os_error(2, "No such file or directory", Some(Value::from("x"))),
            "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
        ),
        (
            Raised::no_attribute(&Value::Int(1), &Name::new("foo")),
            "AttributeError: 'int' object has no attribute 'foo'",
        ),
        (
            Raised::name_error(&Name::new("x")),
            "NameError: name 'x' is not defined",
        ),
        (
            Raised::with_args(ExcKind::ValueError, vec![Value::Int(1), Value::Int(2)]),
            "ValueError: (1, 2)",
        ),
    ];
    for (raised, expected) in cases {
        assert_eq!(shown(&mut vm, &raised), expected);
    }
    assert!(Raised::key_error(Value::None).is(ExcKind::LookupError));
    assert!(Raised::os_error(2, "", None).is(ExcKind::OSError));
    assert!(!Raised::value_error("").is(ExcKind::TypeError));
}
