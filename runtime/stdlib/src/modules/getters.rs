//! `operator.itemgetter`, `attrgetter` and `methodcaller`.
//!
//! In: keys, dotted names, or a method's name and arguments. Out: callables that ask an object for these. Always: they say
//! of themselves how they were made, so that they are copied and pickled.

use janus_object::heap::Tracer;
use janus_object::{
    Args, Foreign, Name, NativeDef, Payload, PyModule, PyResult, Raised, Value, Vm, attr, class_of,
    name, ops, text,
};

use crate::support::foreign_class;

/// What is asked for.
enum Getter {
    Items(Vec<Value>),
    Attributes(Vec<(Value, Vec<Name>)>),
    Method {
        name: Value,
        pos: Vec<Value>,
        kw: Vec<(Name, Value)>,
    },
}

impl Foreign for Getter {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        match self {
            Getter::Items(keys) => tracer.values(keys),
            Getter::Attributes(_) => {}
            Getter::Method { pos, kw, .. } => {
                tracer.values(pos);
                tracer.values(kw.iter().map(|(_, v)| v));
            }
        }
    }
}

const ITEMS: &[NativeDef] = &[
    NativeDef::function("itemgetter.__new__", itemgetter),
    NativeDef::method("itemgetter.__call__", ask),
    NativeDef::method("itemgetter.__repr__", repr),
    NativeDef::method("itemgetter.__reduce__", reduce),
];

const ATTRIBUTES: &[NativeDef] = &[
    NativeDef::function("attrgetter.__new__", attrgetter),
    NativeDef::method("attrgetter.__call__", ask),
    NativeDef::method("attrgetter.__repr__", repr),
    NativeDef::method("attrgetter.__reduce__", reduce),
];

const METHOD: &[NativeDef] = &[
    NativeDef::function("methodcaller.__new__", methodcaller),
    NativeDef::method("methodcaller.__call__", ask),
    NativeDef::method("methodcaller.__repr__", repr),
    NativeDef::method("methodcaller.__reduce__", reduce),
];

/// Adds the classes to the module.
pub(super) fn add_to(module: &PyModule) {
    for (name, natives) in [
        ("itemgetter", ITEMS),
        ("attrgetter", ATTRIBUTES),
        ("methodcaller", METHOD),
    ] {
        let class = foreign_class(name, "operator", natives);
        let mut flags = class.flags.get();
        flags.sealed = true;
        class.flags.set(flags);
        module.set(name, Value::Class(class));
    }
}

/// An instance of the class that is the first argument.
fn made(args: &Args<'_>, getter: Getter) -> PyResult {
    match args.pos.first().and_then(Value::as_class) {
        Some(class) => Ok(Value::instance(class, Payload::Foreign(Box::new(getter)))),
        None => Err(Raised::type_error("__new__(X): X is not a type object")),
    }
}

fn itemgetter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.no_keywords("itemgetter")?;
    let keys = args.pos.get(1..).unwrap_or(&[]).to_vec();
    if keys.is_empty() {
        return Err(Raised::type_error("itemgetter expected 1 argument, got 0"));
    }
    made(&args, Getter::Items(keys))
}

fn attrgetter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.no_keywords("attrgetter")?;
    let mut paths = Vec::new();
    for given in args.pos.get(1..).unwrap_or(&[]) {
        let Some(path) = given.as_str() else {
            return Err(Raised::type_error("attribute name must be a string"));
        };
        paths.push((given.clone(), path.split('.').map(Name::new).collect()));
    }
    if paths.is_empty() {
        return Err(Raised::type_error("attrgetter expected 1 argument, got 0"));
    }
    made(&args, Getter::Attributes(paths))
}

fn methodcaller(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [_, method, pos @ ..] = args.pos else {
        return Err(Raised::type_error(
            "methodcaller needs at least one argument, the method name",
        ));
    };
    if method.as_str().is_none() {
        return Err(Raised::type_error("method name must be a string"));
    }
    let getter = Getter::Method {
        name: method.clone(),
        pos: pos.to_vec(),
        kw: args.kw.to_vec(),
    };
    made(&args, getter)
}

fn getter<'a>(args: &Args<'a>) -> PyResult<&'a Getter> {
    args.pos
        .first()
        .and_then(Value::foreign::<Getter>)
        .ok_or_else(|| Raised::type_error("a getter is required"))
}

/// Asks an object.
fn ask(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let getter = getter(&args)?;
    let class = match getter {
        Getter::Items(_) => "itemgetter",
        Getter::Attributes(_) => "attrgetter",
        Getter::Method { .. } => "methodcaller",
    };
    args.no_keywords(class)?;
    let [_, object] = args.pos else {
        let given = args.pos.len().saturating_sub(1);
        return Err(Raised::type_error(format!(
            "{class} expected 1 argument, got {given}"
        )));
    };
    let one_or_all = |values: Vec<Value>| match <[Value; 1]>::try_from(values) {
        Ok([value]) => value,
        Err(values) => Value::tuple(values),
    };
    match getter {
        Getter::Items(keys) => {
            if let [key] = &keys[..] {
                return ops::get_item(vm, object, key);
            }
            let items = keys.iter().map(|key| ops::get_item(vm, object, key));
            items.collect::<PyResult<Vec<_>>>().map(one_or_all)
        }
        Getter::Attributes(paths) => {
            let values = paths.iter().map(|(_, path)| {
                path.iter()
                    .try_fold(object.clone(), |value, step| attr::get(vm, &value, step))
            });
            values.collect::<PyResult<Vec<_>>>().map(one_or_all)
        }
        Getter::Method { name, pos, kw } => {
            let name = Name::new(name.as_str().unwrap_or(""));
            vm.call_method(object, &name, Args::with_kw(pos, kw))
        }
    }
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (mut parts, kw): (Vec<&Value>, &[(Name, Value)]) = match getter(&args)? {
        Getter::Items(keys) => (keys.iter().collect(), &[]),
        Getter::Attributes(paths) => (paths.iter().map(|(given, _)| given).collect(), &[]),
        Getter::Method { name, pos, kw } => (std::iter::once(name).chain(pos).collect(), kw),
    };
    let mut texts = Vec::with_capacity(parts.len() + kw.len());
    for value in parts.drain(..) {
        texts.push(text::repr(vm, value)?);
    }
    for (keyword, value) in kw {
        texts.push(format!("{keyword}={}", text::repr(vm, value)?));
    }
    let class = class_of(&args.pos[0]).display_name();
    Ok(Value::str(format!(
        "operator.{class}({})",
        texts.join(", ")
    )))
}

fn reduce(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let class = Value::Class(class_of(&args.pos[0]));
    let given = match getter(&args)? {
        Getter::Items(keys) => keys.clone(),
        Getter::Attributes(paths) => paths.iter().map(|(given, _)| given.clone()).collect(),
        Getter::Method { name, pos, kw } if kw.is_empty() => {
            std::iter::once(name).chain(pos).cloned().collect()
        }
        Getter::Method { name, pos, kw } => {
            // The keywords go with the class.
            let functools = vm.import("functools")?;
            let partial = attr::get(vm, &functools, name!("partial"))?;
            let partial = vm.call(&partial, Args::with_kw(&[class, name.clone()], kw))?;
            return Ok(Value::tuple(vec![partial, Value::tuple(pos.clone())]));
        }
    };
    Ok(Value::tuple(vec![class, Value::tuple(given)]))
}
