//! Lists, dicts, sets, ranges, slices, iteration.

use janus_object::{
    Bool, Name, PyDict, PyIter, PyList, PyRange, PyRef, PySet, PySlice, Value, ops, resolve_slice,
    sort_values,
};

use crate::vm::TestVm;
use crate::{ints, method, outcome, repr};

fn slice(start: Option<i64>, stop: Option<i64>, step: Option<i64>) -> Value {
    Value::Slice(PyRef::new(PySlice {
        start: start.into(),
        stop: stop.into(),
        step: step.into(),
    }))
}

#[test]
fn slices_clamp_as_cpython() {
    let of = |start, stop, step, len| {
        let r = resolve_slice(start, stop, step, len);
        (r.start, r.stop, r.step, r.count)
    };
    assert_eq!(of(None, None, 1, 5), (0, 5, 1, 5));
    assert_eq!(of(None, None, -1, 5), (4, -1, -1, 5));
    assert_eq!(of(Some(-100), Some(2), 1, 5), (0, 2, 1, 2));
    assert_eq!(of(Some(10), None, 1, 5), (5, 5, 1, 0));
    assert_eq!(of(Some(i64::MIN), Some(i64::MAX), 2, 5), (0, 5, 2, 3));
    assert_eq!(of(Some(3), Some(0), -2, 5), (3, 0, -2, 2));
}

#[test]
fn slice_assignment_and_deletion() {
    let mut vm = TestVm::default();
    let list = ints(&[0, 1, 2, 3, 4, 5]);
    ops::set_item(&mut vm, &list, &slice(Some(1), Some(3), None), ints(&[9])).expect("splice");
    assert_eq!(repr(&mut vm, &list), "[0, 9, 3, 4, 5]");
    ops::set_item(
        &mut vm,
        &list,
        &slice(None, None, Some(2)),
        ints(&[7, 7, 7]),
    )
    .expect("stride");
    assert_eq!(repr(&mut vm, &list), "[7, 9, 7, 4, 7]");
    let error = ops::set_item(&mut vm, &list, &slice(None, None, Some(2)), ints(&[1]));
    let error = outcome(&mut vm, error.map(|()| Value::None));
    assert_eq!(
        error,
        "ValueError: attempt to assign sequence of size 1 to extended slice of size 3"
    );
    ops::del_item(&mut vm, &list, &slice(None, None, Some(-2))).expect("deletion");
    assert_eq!(repr(&mut vm, &list), "[9, 4]");
}

#[test]
fn dicts_keep_order_and_report_layouts() {
    let mut vm = TestVm::default();
    let (a, b) = (PyDict::namespace(), PyDict::namespace());
    for dict in [&a, &b] {
        dict.set_str("x", Value::Int(1));
        dict.set_str("y", Value::Int(2));
    }
    assert_ne!(a.layout(), 0);
    assert_eq!(a.layout(), b.layout());
    assert_eq!(a.index_of_name(&Name::new("y")), Some(1));
    b.set_str("x", Value::None);
    assert_eq!(a.layout(), b.layout(), "a new value keeps the layout");
    b.set_str("z", Value::None);
    assert_ne!(a.layout(), b.layout());
    a.remove_name(&Name::new("x"));
    assert_eq!(a.layout(), 0);
    assert_eq!(PyDict::new().layout(), 0);

    let dict = PyDict::new();
    for i in 0..1000 {
        dict.set(&mut vm, Value::Int(i), Value::Int(i * i))
            .expect("set");
    }
    for i in (0..1000).filter(|i| i % 3 != 0) {
        dict.remove(&mut vm, &Value::Int(i)).expect("remove");
    }
    dict.set(&mut vm, Value::float(3.0), Value::None)
        .expect("set");
    assert_eq!(dict.len(), 334);
    let keys: Vec<i64> = dict.keys().iter().filter_map(Value::as_int).collect();
    assert!(
        keys.windows(2).all(|w| w[0] < w[1]),
        "insertion order survives removals"
    );
    let found = dict.get(&mut vm, &Value::bool(false)).expect("get");
    assert!(matches!(found, Some(Value::Int(0))));
    assert!(matches!(
        dict.get(&mut vm, &Value::Int(3)).expect("get"),
        Some(Value::None)
    ));
}

#[test]
fn sets_iterate_in_cpythons_order() {
    let mut vm = TestVm::default();
    let set = PySet::new(false);
    for i in [3, 1, 2, 10, -1] {
        set.add(&mut vm, Value::Int(i)).expect("add");
    }
    let set = Value::Set(PyRef::new(set));
    assert_eq!(repr(&mut vm, &set), "{1, 2, 3, 10, -1}");
    let range = Value::Range(PyRef::new(PyRange {
        start: 100,
        stop: 0,
        step: -7,
    }));
    let made = method(&mut vm, &set, "union", &[range]);
    assert_eq!(
        outcome(&mut vm, made),
        "{1, 2, 3, 65, 72, 9, 10, 79, 16, 86, 23, 93, 30, 100, 37, 44, 51, 58, -1}"
    );
}

#[test]
fn sorting_is_stable_and_survives_errors() {
    let mut vm = TestVm::default();
    let pair = |a: i64, b: &str| Value::tuple(vec![Value::Int(a), Value::from(b)]);
    let items: Vec<Value> = (0..100).map(|i| pair(i % 7, &format!("{i:03}"))).collect();
    let sorted = sort_values(&mut vm, items.clone(), None, false)
        .map_err(|e| e.1)
        .expect("sort");
    for w in sorted.windows(2) {
        let less = ops::compare(&mut vm, janus_bytecode::CompareOp::Lt, &w[0], &w[1]);
        assert!(matches!(less, Ok(Value::Bool(Bool::True))));
    }
    let mixed = vec![Value::Int(2), Value::from("a"), Value::Int(1)];
    let (kept, raised) = sort_values(&mut vm, mixed, None, false).expect_err("not comparable");
    assert_eq!(kept.len(), 3);
    assert_eq!(
        raised.message(),
        "'<' not supported between instances of 'str' and 'int'"
    );
    let floats = [2.5, -1.0, 7.0].map(Value::float).to_vec();
    let down = sort_values(&mut vm, floats, None, true)
        .map_err(|e| e.1)
        .expect("sort");
    assert_eq!(repr(&mut vm, &Value::list(down)), "[7.0, 2.5, -1.0]");
}

#[test]
fn iterators_notice_changes() {
    let mut vm = TestVm::default();
    let list = PyRef::new(PyList::new(vec![Value::Int(1)]));
    let it = ops::iter(&mut vm, &Value::List(list.clone())).expect("iter");
    assert!(matches!(ops::next(&mut vm, &it), Ok(Some(Value::Int(1)))));
    list.push(Value::Int(2));
    assert!(matches!(ops::next(&mut vm, &it), Ok(Some(Value::Int(2)))));
    assert!(matches!(ops::next(&mut vm, &it), Ok(None)));
    list.push(Value::Int(3));
    assert!(
        matches!(ops::next(&mut vm, &it), Ok(None)),
        "an exhausted iterator stays so"
    );

    let dict = PyRef::new(PyDict::new());
    dict.set_str("a", Value::None);
    let it = ops::iter(&mut vm, &Value::Dict(dict.clone())).expect("iter");
    dict.set_str("b", Value::None);
    let next = ops::next(&mut vm, &it).map(|v| v.unwrap_or(Value::None));
    assert_eq!(
        outcome(&mut vm, next),
        "RuntimeError: dictionary changed size during iteration"
    );
    let unpacked = ops::unpack(&mut vm, &ints(&[1, 2, 3]), 2).map(Value::list);
    assert_eq!(
        outcome(&mut vm, unpacked),
        "ValueError: too many values to unpack (expected 2)"
    );
    assert!(matches!(PyIter::native(Countdown(2)), Value::Iter(_)));
    let counted = ops::collect(&mut vm, &PyIter::native(Countdown(2))).map(Value::list);
    assert_eq!(outcome(&mut vm, counted), "[2, 1]");
}

struct Countdown(i64);

impl janus_object::NativeIterator for Countdown {
    fn next(&mut self, _: &mut dyn janus_object::Vm) -> janus_object::PyResult<Option<Value>> {
        if self.0 == 0 {
            return Ok(None);
        }
        self.0 -= 1;
        Ok(Some(Value::Int(self.0 + 1)))
    }
}

#[test]
fn subscript_errors_are_cpythons() {
    let mut vm = TestVm::default();
    let cases: &[(Value, Value, &str)] = &[
        (
            ints(&[1]),
            Value::Int(5),
            "IndexError: list index out of range",
        ),
        (
            ints(&[1]),
            Value::from("a"),
            "TypeError: list indices must be integers or slices, not str",
        ),
        (
            Value::from("abc"),
            Value::float(1.5),
            "TypeError: string indices must be integers, not 'float'",
        ),
        (
            Value::dict(PyDict::new()),
            Value::from("k"),
            "KeyError: 'k'",
        ),
        (
            Value::dict(PyDict::new()),
            ints(&[]),
            "TypeError: unhashable type: 'list'",
        ),
        (
            Value::Int(1),
            Value::Int(0),
            "TypeError: 'int' object is not subscriptable",
        ),
        (Value::from("héllo"), Value::Int(1), "'é'"),
        (Value::from("héllo"), slice(None, None, Some(-1)), "'olléh'"),
    ];
    for (container, key, expected) in cases {
        let result = ops::get_item(&mut vm, container, key);
        assert_eq!(outcome(&mut vm, result), *expected);
    }
}

#[test]
fn changes_of_watched_dicts_are_counted() {
    // Other tests of this process count, too: what must not count is looked at on its own dict alone.
    let set = |dict: &janus_object::PyDict, value: Value| dict.set_name(&Name::new("f"), value);
    let counted = |change: &dyn Fn()| {
        let before = janus_object::changes();
        change();
        janus_object::changes() > before
    };
    let dict = janus_object::PyDict::namespace();
    set(&dict, Value::str("a"));
    dict.set_name(&Name::new("e"), Value::str("a"));
    dict.watch(&Name::new("f"));
    let layout = dict.layout();
    assert!(counted(&|| set(&dict, Value::str("b"))), "another value");
    assert!(counted(&|| set(&dict, Value::Int(1))), "a number for it");
    assert_eq!(dict.layout(), layout);
    assert!(
        counted(&|| dict.set_name(&Name::new("g"), Value::None)),
        "another name"
    );
    assert!(
        counted(&|| drop(dict.remove_name(&Name::new("f")))),
        "a name less"
    );
    // Nothing is known of its layout any more, and it is watched still.
    assert_eq!(dict.layout(), 0);
    assert!(counted(&|| set(&dict, Value::str("c"))), "a name again");
    let data = janus_object::PyDict::new();
    data.watch(&Name::new("f"));
    assert_eq!(data.layout(), 0);
    assert!(counted(&|| set(&data, Value::str("a"))), "a name more");
    assert!(counted(&|| data.clear()), "no name at all");
}
