//! Instances that lie in one block with their dict.

use janus_object::{Instance, PyDict, PyRef, Value, types};

use crate::vm::TestVm;

/// More values than lie in the dict itself, some of them on the heap.
fn filled() -> Value {
    let value = Instance::with_dict(types().object.clone());
    let dict = value.as_instance().expect("an instance").dict();
    for at in 0..2 * PyDict::INLINE {
        let text = format!("a text that does not fit into its object: {at}");
        dict.set_str(&format!("a{at}"), Value::str(text));
    }
    value
}

#[test]
fn the_dict_may_outlive_the_instance() {
    let value = filled();
    let dict = value.as_instance().unwrap().dict();
    drop(value);
    assert_eq!(dict.len(), 2 * PyDict::INLINE as usize);
    assert!(dict.get_str("a7").is_some());
    dict.set_str("later", Value::Int(1));
    assert!(
        dict.remove(&mut TestVm::default(), &Value::str("a0"))
            .unwrap()
            .is_some()
    );
    assert!(dict.get_str("a0").is_none() && dict.get_str("later").is_some());
}

#[test]
fn the_instance_may_outlive_the_dict() {
    let value = filled();
    let instance = value.as_instance().unwrap();
    let other = PyRef::new(PyDict::namespace());
    instance.set_dict(Some(other.clone())).unwrap();
    assert!(instance.dict().is_empty());
    other.set_str("b", Value::Int(2));
    assert!(instance.dict().get_str("b").is_some());
    instance.set_dict(None).unwrap();
    instance.dict().set_str("c", filled());
}

#[test]
fn both_may_refer_to_themselves() {
    let value = filled();
    let dict = value.as_instance().unwrap().dict();
    dict.set_str("self", value.clone());
    dict.set_str("dict", Value::Dict(dict.clone()));
    drop(value);
    dict.clear();
}

#[test]
fn a_long_chain_is_dropped_link_by_link() {
    let mut last = Value::None;
    for _ in 0..100_000 {
        let link = Instance::with_dict(types().object.clone());
        link.as_instance().unwrap().dict().set_str("next", last);
        last = link;
    }
}
