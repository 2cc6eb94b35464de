//! `_abc`: what `abc.ABCMeta` keeps of each class, and how it answers `isinstance` and `issubclass`.
//!
//! In: abstract base classes, which have a `_abc_impl`. Out: answers. Always: an answer that is kept is one that nothing has changed since; no
//! class lives longer because one is kept.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use janus_interp::Interp;
use janus_object::{
    Args, Class, Collection, ExcKind, Foreign, Instance, NativeDef, Payload, PyRef, PyResult,
    PySet, PyWeak, Raised, Value, Vm, attr, class_of, is_subclass, name, ops,
};

use crate::support::{foreign_class, module};

/// Classes, by their addresses.
#[derive(Default)]
struct Classes(HashMap<usize, PyWeak<Class>>);

impl Classes {
    fn has(&self, class: &PyRef<Class>) -> bool {
        let known = self.0.get(&(PyRef::as_ptr(class) as usize));
        known.is_some_and(|known| known.is(class))
    }

    fn add(&mut self, class: &PyRef<Class>) {
        if self.0.len() == self.0.capacity() {
            self.0.retain(|_, class| class.is_alive());
        }
        let address = PyRef::as_ptr(class) as usize;
        self.0.insert(address, PyWeak::new(class));
    }

    fn alive(&self) -> Vec<PyRef<Class>> {
        self.0.values().filter_map(PyWeak::upgrade).collect()
    }
}

/// What is kept of an abstract base class.
#[derive(Default)]
struct Impl {
    registry: RefCell<Classes>,
    subclasses: RefCell<Classes>,
    /// What is no subclass, as long as `counter` is that of all classes.
    others: RefCell<Classes>,
    counter: Cell<i64>,
}

impl Foreign for Impl {}

impl Impl {
    /// Whether a class is known to be no subclass.
    fn rules_out(&self, class: &PyRef<Class>) -> bool {
        self.counter.get() == REGISTERED.with(Cell::get) && self.others.borrow().has(class)
    }
}

janus_gil::gil_local! {
    static CLASS: PyRef<Class> = foreign_class("_abc_data", "_abc", &[]);
    /// How many classes were registered. Each may make a subclass of what was none.
    static REGISTERED: Cell<i64> = const { Cell::new(0) };
}

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_abc.get_cache_token", |_, args| {
        args.exactly::<0>("get_cache_token")?;
        Ok(Value::Int(REGISTERED.with(Cell::get)))
    }),
    NativeDef::function("_abc._abc_init", init),
    NativeDef::function("_abc._abc_register", register),
    NativeDef::function("_abc._abc_instancecheck", instance_check),
    NativeDef::function("_abc._abc_subclasscheck", subclass_check),
    NativeDef::function("_abc._get_dump", dump),
    NativeDef::function("_abc._reset_registry", |_, args| {
        let [class] = args.exactly("_reset_registry")?;
        with_impl(class, |of| of.registry.take())?;
        Ok(Value::None)
    }),
    NativeDef::function("_abc._reset_caches", |_, args| {
        let [class] = args.exactly("_reset_caches")?;
        with_impl(class, |of| (of.subclasses.take(), of.others.take()))?;
        Ok(Value::None)
    }),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    Ok(Value::Module(module(
        "_abc",
        "What abc.ABCMeta is made of.",
        FUNCTIONS,
    )))
}

/// Looks at what is kept of a class.
fn with_impl<R>(class: &Value, look: impl FnOnce(&Impl) -> R) -> PyResult<R> {
    let found = class
        .as_class()
        .and_then(|class| class.lookup(name!("_abc_impl")));
    match found.as_ref().and_then(Value::foreign::<Impl>) {
        Some(of) => Ok(look(of)),
        None => Err(Raised::type_error("_abc_impl is set to a wrong type")),
    }
}

fn is_abstract(vm: &mut dyn Vm, value: &Value) -> PyResult<bool> {
    match attr::get_opt(vm, value, name!("__isabstractmethod__"))? {
        Some(flag) => ops::truth(vm, &flag),
        None => Ok(false),
    }
}

/// The names under which a class has abstract methods.
fn abstract_methods(vm: &mut dyn Vm, class: &PyRef<Class>) -> PyResult<PySet> {
    let names = PySet::new(true);
    let own: Vec<_> = {
        let dict = class.dict.borrow();
        dict.iter().map(|(n, v)| (n.clone(), v.clone())).collect()
    };
    for (name, value) in own {
        if is_abstract(vm, &value)? {
            names.add(vm, Value::Str(name.as_pystr().clone()))?;
        }
    }
    let this = Value::Class(class.clone());
    let bases = attr::get(vm, &this, name!("__bases__"))?;
    for base in ops::collect(vm, &bases)? {
        let Some(inherited) = attr::get_opt(vm, &base, name!("__abstractmethods__"))? else {
            continue;
        };
        for name in ops::collect(vm, &inherited)? {
            let Some(text) = name.as_pystr() else {
                continue;
            };
            let text = janus_object::Name::intern(text);
            if let Some(value) = attr::get_opt(vm, &this, &text)?
                && is_abstract(vm, &value)?
            {
                names.add(vm, name)?;
            }
        }
    }
    Ok(names)
}

/// What `__abc_tpflags__` of a class may be: that its instances match patterns of sequences, or of mappings.
const SEQUENCE: i64 = 1 << 5;
const MAPPING: i64 = 1 << 6;

fn init(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("_abc_init")?;
    let Some(class) = this.as_class() else {
        return Err(Raised::type_error("_abc_init() argument must be a class"));
    };
    let names = Value::Set(PyRef::new(abstract_methods(vm, class)?));
    attr::set(vm, this, name!("__abstractmethods__"), names)?;
    if let Some(flags) = class.remove(name!("__abc_tpflags__")) {
        class.own_collection.set(match flags {
            Value::Int(SEQUENCE) => Some(Collection::Sequence),
            Value::Int(MAPPING) => Some(Collection::Mapping),
            _ => None,
        });
    }
    let kept = Impl::default();
    kept.counter.set(REGISTERED.with(Cell::get));
    let kept = Instance::new(CLASS.with(PyRef::clone), Payload::Foreign(Box::new(kept)));
    let kept = Value::Instance(PyRef::new(kept));
    attr::set(vm, this, name!("_abc_impl"), kept)?;
    Ok(Value::None)
}

fn register(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this, subclass] = args.exactly("_abc_register")?;
    let Some(class) = subclass.as_class() else {
        return Err(Raised::type_error("Can only register classes"));
    };
    if is_subclass(vm, subclass, this)? {
        return Ok(subclass.clone());
    }
    if is_subclass(vm, this, subclass)? {
        let message = "Refusing to create an inheritance cycle";
        return Err(Raised::runtime_error(message));
    }
    with_impl(this, |of| of.registry.borrow_mut().add(class))?;
    let of_base = this.as_class().and_then(|base| base.collection());
    if of_base.is_some() && class.flags.get().mutable {
        class.own_collection.set(of_base);
    }
    REGISTERED.with(|registered| registered.set(registered.get() + 1));
    Ok(subclass.clone())
}

/// `cls.__subclasscheck__(subclass)`
fn ask(vm: &mut dyn Vm, this: &Value, subclass: &Value) -> PyResult {
    let check = attr::get(vm, this, name!("__subclasscheck__"))?;
    vm.call(&check, Args::new(std::slice::from_ref(subclass)))
}

fn instance_check(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this, instance] = args.exactly("_abc_instancecheck")?;
    let of_type = class_of(instance);
    // What it says its class is; only an instance may say something else.
    let subclass = match instance {
        Value::Instance(_) => attr::get(vm, instance, name!("__class__"))?,
        _ => Value::Class(of_type.clone()),
    };
    let answer = with_impl(this, |of| {
        let class = subclass.as_class()?;
        if of.subclasses.borrow().has(class) {
            return Some(true);
        }
        (PyRef::ptr_eq(class, &of_type) && of.rules_out(class)).then_some(false)
    })?;
    if let Some(answer) = answer {
        return Ok(Value::bool(answer));
    }
    let first = ask(vm, this, &subclass)?;
    let is_one = subclass
        .as_class()
        .is_some_and(|class| PyRef::ptr_eq(class, &of_type));
    if is_one || ops::truth(vm, &first)? {
        return Ok(first);
    }
    ask(vm, this, &Value::Class(of_type))
}

fn subclass_check(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this, subclass] = args.exactly("_abc_subclasscheck")?;
    let (Some(class), Some(base)) = (subclass.as_class(), this.as_class()) else {
        return Err(Raised::type_error("issubclass() arg 1 must be a class"));
    };
    let answer = with_impl(this, |of| {
        if of.subclasses.borrow().has(class) {
            return Some(true);
        }
        if of.rules_out(class) {
            return Some(false);
        }
        let registered = REGISTERED.with(Cell::get);
        if of.counter.replace(registered) != registered {
            drop(of.others.take());
        }
        None
    })?;
    if let Some(answer) = answer {
        return Ok(Value::bool(answer));
    }
    let answer = find_out(vm, (this, base), (subclass, class))?;
    with_impl(this, |of| {
        let kept = if answer { &of.subclasses } else { &of.others };
        kept.borrow_mut().add(class);
    })?;
    Ok(Value::bool(answer))
}

/// Whether a class is a subclass of an abstract base class, where that is not known.
fn find_out(
    vm: &mut dyn Vm,
    (this, base): (&Value, &PyRef<Class>),
    (subclass, class): (&Value, &PyRef<Class>),
) -> PyResult<bool> {
    let hook = attr::get(vm, this, name!("__subclasshook__"))?;
    match vm.call(&hook, Args::new(std::slice::from_ref(subclass)))? {
        Value::Bool(answer) => return Ok(answer.get()),
        Value::NotImplemented => {}
        _ => {
            return Err(Raised::new(
                ExcKind::AssertionError,
                "__subclasshook__ must return either False, True, or NotImplemented",
            ));
        }
    }
    if class.is_subclass_of(base) {
        return Ok(true);
    }
    for registered in with_impl(this, |of| of.registry.borrow().alive())? {
        if is_subclass(vm, subclass, &Value::Class(registered))? {
            return Ok(true);
        }
    }
    let derived = attr::get(vm, this, name!("__subclasses__"))?;
    let derived = vm.call(&derived, Args::new(&[]))?;
    for derived in ops::collect(vm, &derived)? {
        if is_subclass(vm, subclass, &derived)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is kept of a class: what was registered, what is a subclass, what is none, and when that was true.
fn dump(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("_get_dump")?;
    let (kept, counter) = with_impl(this, |of| {
        let kept = [&of.registry, &of.subclasses, &of.others];
        (
            kept.map(|classes| classes.borrow().alive()),
            of.counter.get(),
        )
    })?;
    let mut parts = Vec::new();
    for classes in kept {
        let set = PySet::new(false);
        for class in classes {
            set.add(vm, Value::Class(class))?;
        }
        parts.push(Value::Set(PyRef::new(set)));
    }
    parts.push(Value::Int(counter));
    Ok(Value::tuple(parts))
}
