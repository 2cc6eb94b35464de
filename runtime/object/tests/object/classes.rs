//! Classes, attributes, instances, calls.

use janus_object::{
    Args, Class, ExcKind, Name, NameMap, NativeFunction, PyDict, PyMethod, PyRef, Raised,
    Signature, Value, attr, build_class, make_super, name, ops, types,
};

use crate::vm::TestVm;
use crate::{get, ints, outcome, repr};

fn class(
    vm: &mut TestVm,
    name: &str,
    bases: &[&PyRef<Class>],
    members: &[(&str, Value)],
) -> PyRef<Class> {
    let namespace = PyDict::new();
    namespace.set_str("__module__", Value::from("__main__"));
    for (key, value) in members {
        namespace.set_str(key, value.clone());
    }
    let bases: Vec<Value> = bases.iter().map(|c| Value::Class((*c).clone())).collect();
    build_class(vm, &types().type_, name, &bases, &namespace, &[]).expect("class")
}

/// A method (bound through a bound method of a closure, since closures never bind).
fn returning(value: Value) -> Value {
    NativeFunction::closure("test.f", move |_, _| Ok(value.clone()))
}

fn new(vm: &mut TestVm, class: &PyRef<Class>, args: &[Value]) -> Value {
    janus_object::call::instantiate(vm, class, Args::new(args)).expect("instance")
}

#[test]
fn the_mro_is_c3() {
    let mut vm = TestVm::default();
    let a = class(&mut vm, "A", &[], &[]);
    let b = class(&mut vm, "B", &[&a], &[]);
    let c = class(&mut vm, "C", &[&a], &[]);
    let d = class(&mut vm, "D", &[&b, &c], &[]);
    let names: Vec<String> = d.mro.borrow().iter().map(|c| c.display_name()).collect();
    assert_eq!(names, ["D", "B", "C", "A", "object"]);
    let bad = Class::new_type("X", vec![a.clone(), b], NameMap::default(), None);
    let raised = bad.err().expect("inconsistent");
    assert_eq!(
        raised.message(),
        "Cannot create a consistent method resolution\norder (MRO) for bases A, B"
    );
    let t = types();
    let clash = Class::new_type(
        "X",
        vec![t.int.clone(), t.str.clone()],
        NameMap::default(),
        None,
    );
    assert_eq!(
        clash.err().expect("conflict").message(),
        "multiple bases have instance lay-out conflict"
    );
    let sealed = Class::new_type("X", vec![t.bool.clone()], NameMap::default(), None);
    assert_eq!(
        sealed.err().expect("sealed").message(),
        "type 'bool' is not an acceptable base type"
    );
}

#[test]
fn versions_follow_bases() {
    let mut vm = TestVm::default();
    let a = class(&mut vm, "A", &[], &[("x", Value::Int(1))]);
    let b = class(&mut vm, "B", &[&a], &[]);
    let before = b.version.get();
    assert!(matches!(b.lookup(name!("x")), Some(Value::Int(1))));
    a.set(name!("x"), Value::Int(2));
    assert_ne!(b.version.get(), before);
    assert!(
        matches!(b.lookup(name!("x")), Some(Value::Int(2))),
        "the lookup cache is not stale"
    );
}

#[test]
fn attributes_of_instances() {
    let mut vm = TestVm::default();
    let a = class(&mut vm, "A", &[], &[("shared", Value::Int(1))]);
    let object = new(&mut vm, &a, &[]);
    let shared = get(&mut vm, &object, "shared");
    assert_eq!(outcome(&mut vm, shared), "1");
    attr::set(&mut vm, &object, name!("own"), Value::Int(2)).expect("set");
    let own = get(&mut vm, &object, "own");
    assert_eq!(outcome(&mut vm, own), "2");
    let missing = get(&mut vm, &object, "nope");
    assert_eq!(
        outcome(&mut vm, missing),
        "AttributeError: 'A' object has no attribute 'nope'"
    );
    assert!(
        attr::get_opt(&mut vm, &object, name!("nope"))
            .expect("no error")
            .is_none()
    );
    attr::del(&mut vm, &object, name!("own")).expect("del");
    assert!(
        attr::get_opt(&mut vm, &object, name!("own"))
            .expect("no error")
            .is_none()
    );
    let error = attr::set(&mut vm, &Value::Int(1), name!("x"), Value::None);
    let error = outcome(&mut vm, error.map(|()| Value::None));
    assert_eq!(error, "AttributeError: 'int' object has no attribute 'x'");
    let error = attr::set(
        &mut vm,
        &Value::Class(types().int.clone()),
        name!("x"),
        Value::None,
    );
    let error = outcome(&mut vm, error.map(|()| Value::None));
    assert_eq!(
        error,
        "TypeError: cannot set 'x' attribute of immutable type 'int'"
    );
}

#[test]
fn reflected_operators_of_subclasses_come_first() {
    use janus_bytecode::BinaryOp::{Add, Sub};
    let mut vm = TestVm::default();
    let add = [("__add__", returning(Value::from("A.add")))];
    let a = class(&mut vm, "A", &[], &add);
    let radd = [("__radd__", returning(Value::from("B.radd")))];
    let b = class(&mut vm, "B", &[&a], &radd);
    let (x, y) = (new(&mut vm, &a, &[]), new(&mut vm, &b, &[]));
    let sum = ops::binary(&mut vm, Add, &x, &y);
    assert_eq!(outcome(&mut vm, sum), "'B.radd'");
    let sum = ops::binary(&mut vm, Add, &y, &x);
    assert_eq!(outcome(&mut vm, sum), "'A.add'");
    let sum = ops::binary(&mut vm, Add, &Value::Int(1), &y);
    assert_eq!(outcome(&mut vm, sum), "'B.radd'");
    let difference = ops::binary(&mut vm, Sub, &x, &Value::Int(1));
    assert_eq!(
        outcome(&mut vm, difference),
        "TypeError: unsupported operand type(s) for -: 'A' and 'int'"
    );
}

#[test]
fn subclasses_of_builtins_wrap() {
    let mut vm = TestVm::default();
    let t = types();
    let my_int = class(&mut vm, "MyInt", &[&t.int], &[]);
    let five = new(&mut vm, &my_int, &[Value::Int(5)]);
    assert_eq!(five.as_int(), Some(5));
    let six = ops::binary(
        &mut vm,
        janus_bytecode::BinaryOp::Add,
        &five,
        &Value::Int(1),
    );
    assert!(
        matches!(six, Ok(Value::Int(6))),
        "arithmetic gives a plain int"
    );
    assert!(ops::eq(&mut vm, &five, &Value::Int(5)).expect("comparison"));
    assert_eq!(ops::hash(&mut vm, &five).expect("hash"), 5);
    let my_list = class(&mut vm, "MyList", &[&t.list], &[]);
    let list = new(&mut vm, &my_list, &[ints(&[1, 2])]);
    assert_eq!(repr(&mut vm, &list), "[1, 2]");
    assert_eq!(ops::len(&mut vm, &list).expect("len"), 2);
    let dict = PyDict::new();
    dict.set(&mut vm, Value::Int(5), Value::from("found"))
        .expect("set");
    let found = ops::get_item(&mut vm, &Value::dict(dict), &five);
    assert_eq!(outcome(&mut vm, found), "'found'");
}

#[test]
fn super_searches_after_its_class() {
    let mut vm = TestVm::default();
    let a = class(&mut vm, "A", &[], &[("v", Value::from("A"))]);
    let b = class(&mut vm, "B", &[&a], &[("v", Value::from("B"))]);
    let object = new(&mut vm, &b, &[]);
    let parent = make_super(&b, object).expect("super");
    let found = get(&mut vm, &parent, "v");
    assert_eq!(outcome(&mut vm, found), "'A'");
    let missing = get(&mut vm, &parent, "nope");
    assert_eq!(
        outcome(&mut vm, missing),
        "AttributeError: 'super' object has no attribute 'nope'"
    );
    let wrong = make_super(&b, Value::Int(1));
    assert_eq!(
        outcome(&mut vm, wrong),
        "TypeError: super(type, obj): obj must be an instance or subtype of type"
    );
}

#[test]
fn slots_restrict_attributes() {
    let mut vm = TestVm::default();
    let slots = Value::tuple(vec![Value::from("a")]);
    let c = class(&mut vm, "C", &[], &[("__slots__", slots)]);
    let object = new(&mut vm, &c, &[]);
    attr::set(&mut vm, &object, name!("a"), Value::Int(1)).expect("slot");
    let error = attr::set(&mut vm, &object, name!("b"), Value::None);
    let error = outcome(&mut vm, error.map(|()| Value::None));
    assert_eq!(error, "AttributeError: 'C' object has no attribute 'b'");
}

#[test]
fn arguments_are_parsed_like_cpythons() {
    static POW: Signature<3> = Signature::new("pow", ["base", "exp", "mod"]).required(2);
    let parse = |pos: &[Value], kw: &[(Name, Value)]| {
        POW.parse(Args::with_kw(pos, kw))
            .map(|_| ())
            .map_err(|r: Raised| r.message())
    };
    let one = Value::Int(1);
    assert_eq!(parse(&[one.clone(), one.clone()], &[]), Ok(()));
    assert_eq!(
        parse(std::slice::from_ref(&one), &[]),
        Err("pow() missing required argument 'exp' (pos 2)".to_owned())
    );
    assert_eq!(
        parse(&vec![one.clone(); 4], &[]),
        Err("pow() takes at most 3 arguments (4 given)".to_owned())
    );
    assert_eq!(
        parse(
            &[one.clone(), one.clone()],
            &[(Name::new("x"), one.clone())]
        ),
        Err("'x' is an invalid keyword argument for pow()".to_owned())
    );
}

#[test]
fn names_are_interned() {
    let (a, b) = (Name::new("some_name"), Name::new("some_name"));
    assert!(PyRef::ptr_eq(a.as_pystr(), b.as_pystr()));
    assert_ne!(a, Name::new("other"));
    let method = PyMethod {
        function: Value::None,
        receiver: Value::None,
    };
    assert!(method.function.is_none());
    assert_eq!(ExcKind::KeyError.base(), Some(ExcKind::LookupError));
}
