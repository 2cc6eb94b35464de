//! `_functools`: `partial`, `reduce`, `cmp_to_key`.
//!
//! In: callables. Out: callables. Always: a partial of a partial is flattened, as in CPython.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use janus_bytecode::CompareOp;
use janus_interp::Interp;
use janus_object::heap::Tracer;
use janus_object::{
    Args, Class, ExcKind, Foreign, Instance, Name, NativeDef, NativeFunction, Payload, PyDict,
    PyRef, PyResult, PyTuple, Raised, Signature, Value, Vm, attr, call, class_of, name, ops, text,
};

use crate::support::{foreign_class, module};

/// What a `partial` object calls, and with what.
struct Parts {
    func: Value,
    /// The same tuple whenever it is asked for.
    args: PyRef<PyTuple>,
    keywords: Vec<(Name, Value)>,
}

/// A `partial` object's data.
struct Partial {
    /// Others than these only by `__setstate__`, before the first call: compiled code takes them for constant.
    parts: RefCell<Rc<Parts>>,
    called: Cell<bool>,
}

impl Partial {
    fn new(parts: Parts) -> Partial {
        Partial {
            parts: RefCell::new(Rc::new(parts)),
            called: Cell::new(false),
        }
    }

    fn parts(&self) -> Rc<Parts> {
        self.parts.borrow().clone()
    }
}

impl Foreign for Partial {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        let parts = self.parts.borrow();
        tracer.value(&parts.func);
        tracer.reference(&parts.args);
        tracer.values(parts.keywords.iter().map(|(_, value)| value));
    }
}

const PARTIAL: &[NativeDef] = &[
    NativeDef::function("partial.__new__", partial_new),
    NativeDef::method("partial.__call__", partial_call),
    NativeDef::getter("partial.func", |_, args| {
        Ok(partial(&args)?.parts().func.clone())
    }),
    NativeDef::getter("partial.args", |_, args| {
        Ok(Value::Tuple(partial(&args)?.parts().args.clone()))
    }),
    NativeDef::getter("partial.keywords", |_, args| {
        Ok(keywords(&partial(&args)?.parts()))
    }),
    NativeDef::method("partial.__repr__", partial_repr),
    NativeDef::method("partial.__reduce__", partial_reduce),
    NativeDef::method("partial.__setstate__", partial_setstate),
    NativeDef::class_method("partial.__class_getitem__", janus_object::class_getitem),
];

const KEY: &[NativeDef] = &[
    NativeDef::method("KeyWrapper.__lt__", |vm, args| {
        key_compare(vm, args, CompareOp::Lt)
    }),
    NativeDef::method("KeyWrapper.__le__", |vm, args| {
        key_compare(vm, args, CompareOp::Le)
    }),
    NativeDef::method("KeyWrapper.__eq__", |vm, args| {
        key_compare(vm, args, CompareOp::Eq)
    }),
    NativeDef::method("KeyWrapper.__ne__", |vm, args| {
        key_compare(vm, args, CompareOp::Ne)
    }),
    NativeDef::method("KeyWrapper.__gt__", |vm, args| {
        key_compare(vm, args, CompareOp::Gt)
    }),
    NativeDef::method("KeyWrapper.__ge__", |vm, args| {
        key_compare(vm, args, CompareOp::Ge)
    }),
    NativeDef::getter("KeyWrapper.obj", |_, args| {
        Ok(key(&args, 0)?.object.clone())
    }),
];

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("functools.reduce", reduce),
    NativeDef::function("functools.cmp_to_key", cmp_to_key),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_functools", "", FUNCTIONS);
    m.set(
        "partial",
        Value::Class(foreign_class("partial", "functools", PARTIAL)),
    );
    Ok(Value::Module(m))
}

fn partial<'a>(args: &Args<'a>) -> PyResult<&'a Partial> {
    args.pos
        .first()
        .and_then(Value::foreign::<Partial>)
        .ok_or_else(|| Raised::type_error("a partial object is required"))
}

fn tuple_of(items: Vec<Value>) -> PyRef<PyTuple> {
    PyRef::new(PyTuple::new(items))
}

fn keywords(data: &Parts) -> Value {
    let dict = PyDict::new();
    for (keyword, value) in &data.keywords {
        dict.set_name(keyword, value.clone());
    }
    Value::dict(dict)
}

/// `old` with the entries of `new` put over it.
fn merged(old: &[(Name, Value)], new: &[(Name, Value)]) -> Vec<(Name, Value)> {
    let mut all = old.to_vec();
    for (keyword, value) in new {
        match all.iter_mut().find(|(known, _)| known == keyword) {
            Some((_, slot)) => *slot = value.clone(),
            None => all.push((keyword.clone(), value.clone())),
        }
    }
    all
}

fn partial_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class, func, rest @ ..] = args.pos else {
        return Err(Raised::type_error(
            "type 'partial' takes at least one argument",
        ));
    };
    let Some(class) = class.as_class() else {
        return Err(Raised::type_error(
            "partial.__new__(X): X is not a type object",
        ));
    };
    if !call::is_callable(func) {
        return Err(Raised::type_error("the first argument must be callable"));
    }
    // One with attributes of its own stays as it is.
    let inner = func
        .foreign::<Partial>()
        .filter(|_| own_attributes(func).is_none());
    let parts = match inner.map(Partial::parts) {
        Some(inner) => Parts {
            func: inner.func.clone(),
            args: match rest {
                [] => inner.args.clone(),
                rest => tuple_of(inner.args.items.iter().chain(rest).cloned().collect()),
            },
            keywords: merged(&inner.keywords, args.kw),
        },
        None => Parts {
            func: func.clone(),
            args: tuple_of(rest.to_vec()),
            keywords: args.kw.to_vec(),
        },
    };
    let data = Partial::new(parts);
    Ok(Value::instance(class, Payload::Foreign(Box::new(data))))
}

fn partial_call(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = partial(&args)?;
    this.called.set(true);
    let data = this.parts();
    let (_, rest) = args.split_self("partial.__call__")?;
    let pos: Vec<Value> = data.args.items.iter().chain(rest.pos).cloned().collect();
    if data.keywords.is_empty() {
        return vm.call(&data.func, Args::with_kw(&pos, rest.kw));
    }
    let kw = merged(&data.keywords, rest.kw);
    vm.call(&data.func, Args::with_kw(&pos, &kw))
}

fn partial_repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let data = partial(&args)?.parts();
    let shown = text::guard_recursion(vm, &args.pos[0], |vm| {
        let mut parts = vec![text::repr(vm, &data.func)?];
        for value in data.args.items.iter() {
            parts.push(text::repr(vm, value)?);
        }
        for (keyword, value) in &data.keywords {
            parts.push(format!("{keyword}={}", text::repr(vm, value)?));
        }
        Ok(parts.join(", "))
    })?;
    // In itself, only dots.
    let Some(shown) = shown else {
        return Ok(Value::str("..."));
    };
    let class = class_of(&args.pos[0]);
    // One of a script goes by its name alone.
    let class = match class.flags.get().mutable {
        true => class.name.borrow().to_string(),
        false => "functools.partial".to_owned(),
    };
    Ok(Value::str(format!("{class}({shown})")))
}

/// The attributes that a script gave an object, if there are any.
fn own_attributes(object: &Value) -> Option<Value> {
    let Value::Instance(object) = object else {
        return None;
    };
    let dict = object.dict();
    (!dict.is_empty()).then(|| Value::Dict(dict))
}

fn partial_reduce(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let data = partial(&args)?.parts();
    let this = &args.pos[0];
    let state = vec![
        data.func.clone(),
        Value::Tuple(data.args.clone()),
        keywords(&data),
        own_attributes(this).unwrap_or(Value::None),
    ];
    Ok(Value::tuple(vec![
        Value::Class(class_of(this)),
        Value::tuple(vec![data.func.clone()]),
        Value::tuple(state),
    ]))
}

/// `partial.__setstate__((func, args, keywords, attributes))`
fn partial_setstate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = partial(&args)?;
    let [_, state] = args.exactly("__setstate__")?;
    let invalid = || Raised::type_error("invalid partial state");
    let [func, pos, kw, attributes] = match state.as_tuple() {
        Some(state) => match &state.items[..] {
            [func, pos, kw, attributes] => [func, pos, kw, attributes],
            _ => return Err(invalid()),
        },
        None => return Err(invalid()),
    };
    let pos = pos.as_tuple().ok_or_else(invalid)?;
    let mut keywords = Vec::new();
    match kw {
        Value::None => {}
        kw => {
            for (keyword, value) in kw.as_dict().ok_or_else(invalid)?.items() {
                let keyword = keyword.as_pystr().ok_or_else(invalid)?;
                keywords.push((Name::intern(keyword), value));
            }
        }
    }
    if !call::is_callable(func) {
        return Err(invalid());
    }
    if this.called.get() {
        return Err(Raised::not_implemented(
            "__setstate__ of a partial object that was called",
        ));
    }
    let parts = Parts {
        func: func.clone(),
        args: pos.clone(),
        keywords,
    };
    drop(this.parts.replace(Rc::new(parts)));
    let attributes = match attributes {
        Value::None => Value::dict(PyDict::new()),
        given => given.clone(),
    };
    attr::set(vm, &args.pos[0], name!("__dict__"), attributes)?;
    Ok(Value::None)
}

fn reduce(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<3> =
        Signature::positional("functools.reduce", ["function", "iterable", "initial"]).required(2);
    let [function, iterable, initial] = SIGNATURE.parse(args)?;
    let (function, iterable) = (
        function.unwrap_or(Value::None),
        iterable.unwrap_or(Value::None),
    );
    let iter = ops::iter(vm, &iterable).map_err(|e| {
        if e.is(ExcKind::TypeError) {
            Raised::type_error("reduce() arg 2 must support iteration")
        } else {
            e
        }
    })?;
    let mut total = match initial {
        Some(initial) => initial,
        None => match ops::next(vm, &iter)? {
            Some(first) => first,
            None => {
                return Err(Raised::type_error(
                    "reduce() of empty iterable with no initial value",
                ));
            }
        },
    };
    while let Some(item) = ops::next(vm, &iter)? {
        total = vm.call(&function, Args::new(&[total, item]))?;
    }
    Ok(total)
}

/// What `cmp_to_key` wraps a value in.
struct Key {
    compare: Value,
    object: Value,
}

impl Foreign for Key {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values([&self.compare, &self.object]);
    }
}

fn key_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("KeyWrapper", "functools", KEY);
    }
    CLASS.with(PyRef::clone)
}

fn key<'a>(args: &Args<'a>, at: usize) -> PyResult<&'a Key> {
    args.pos
        .get(at)
        .and_then(Value::foreign::<Key>)
        .ok_or_else(|| Raised::type_error("other argument must be K instance"))
}

fn cmp_to_key(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<1> = Signature::new("cmp_to_key", ["mycmp"]);
    let [compare] = SIGNATURE.parse(args)?;
    let compare = compare.unwrap_or(Value::None);
    Ok(NativeFunction::closure(
        "functools.KeyWrapper",
        move |_, args| {
            let [object] = args.exactly("K")?;
            Ok(Instance::native(
                &key_class(),
                Key {
                    compare: compare.clone(),
                    object: object.clone(),
                },
            ))
        },
    ))
}

fn key_compare(vm: &mut dyn Vm, args: Args<'_>, op: CompareOp) -> PyResult {
    let (a, b) = (key(&args, 0)?, key(&args, 1)?);
    let order = vm.call(&a.compare, Args::new(&[a.object.clone(), b.object.clone()]))?;
    ops::compare(vm, op, &order, &Value::Int(0))
}
