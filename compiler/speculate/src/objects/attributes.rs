//! Attributes, items, operators on objects.
//!
//! In: an object of the symbolic heap, or a known one. Out: what CPython's lookup would find.
//! Always: reads see the region's own writes; writes stay in the symbolic heap.

use std::rc::Rc;

use indexmap::IndexSet;
use janus_object::{
    Binding, Class, Name, Payload, PyRef, Value, attr, class_of, types, view_class,
};
use janus_plan::{Check, Namespace, ReasonId, Step};

use crate::executor::Executor;
use crate::state::place::Place;
use crate::state::sym::{FoundKind, Kind, Obj, Slot, Sym, SymIter, Unloaded};
use crate::{Res, Stop};

/// What a class attribute turns into when it is read through an instance.
enum Found {
    /// A function that binds its receiver.
    Method(Value),
    /// Call it with the receiver to get the value.
    Getter(Value),
    /// The value itself.
    Plain(Value),
}

fn classify(value: &Value) -> Found {
    match value {
        Value::Function(_) => Found::Method(value.clone()),
        Value::Native(native) => match native.binding {
            Binding::Method => Found::Method(value.clone()),
            Binding::Getter | Binding::GetSet => Found::Getter(value.clone()),
            Binding::Static | Binding::ClassMethod => Found::Plain(value.clone()),
        },
        Value::Instance(instance) => match &instance.payload {
            Payload::Property(p) if instance.is_plain_descriptor() => {
                Found::Getter(p.get().clone())
            }
            Payload::StaticMethod(f) if instance.is_plain_descriptor() => Found::Plain(f.clone()),
            _ => Found::Plain(value.clone()),
        },
        _ => Found::Plain(value.clone()),
    }
}

/// What is said of [`is_own_kind`].
const OWN_KIND: &str =
    "a property or method of a class that derives from the built-in one has no graph form yet";

/// Whether it is a property, class method or static method that a class of the script reads or assigns otherwise.
fn is_own_kind(instance: &janus_object::Instance) -> bool {
    matches!(
        instance.payload,
        Payload::Property(_) | Payload::ClassMethod(_) | Payload::StaticMethod(_)
    ) && !instance.is_plain_descriptor()
}

pub(crate) fn is_data_descriptor(value: &Value) -> bool {
    match value {
        Value::Native(native) => matches!(native.binding, Binding::Getter | Binding::GetSet),
        Value::Instance(instance) => match &instance.payload {
            Payload::Property(_) => true,
            Payload::None => {
                let class = instance.class();
                class.lookup(&Name::new("__set__")).is_some()
                    || class.lookup(&Name::new("__delete__")).is_some()
            }
            _ => false,
        },
        _ => false,
    }
}

fn instance_class(value: &Value) -> Option<PyRef<Class>> {
    match value {
        Value::Instance(i) if matches!(i.payload, Payload::None) => Some(i.class()),
        _ => None,
    }
}

/// The attributes of a function.
fn function_attributes(f: &janus_object::PyFunction) -> Option<Namespace> {
    let name = f.qualname.borrow().as_str().unwrap_or("function").into();
    Some(Namespace::Function(f.dict.get()?.clone(), name))
}

/// The class that holds plain data under a name, where such data of it changed before.
pub(crate) fn moving_data(class: &Class, name: &Name) -> Option<Namespace> {
    let owner = class.owner_of(name)?;
    let is_data =
        owner.data_moves.get() && janus_object::is_data(name, owner.dict.borrow().get(name)?);
    is_data.then_some(Namespace::Class(owner))
}

impl Executor<'_> {
    /// What holds an attribute of a function or class that is written, where it is plain data in the place of
    /// plain data.
    fn attributes(&mut self, object: &Value, name: &Name, value: &Sym) -> Res<Option<Namespace>> {
        let is_data = match value {
            Sym::Known(v) => janus_object::is_data(name, v),
            Sym::Scalar(_) => true,
            Sym::Obj(o) => matches!(
                self.state.heap[*o].kind,
                Kind::Tensor(_)
                    | Kind::List(_)
                    | Kind::Tuple(_)
                    | Kind::Dict(_)
                    | Kind::Text(_)
                    | Kind::Told
            ),
            Sym::Null => false,
        };
        Ok(match object {
            Value::Function(f) if is_data => {
                function_attributes(f).filter(|place| place.get(name).is_some())
            }
            Value::Class(class) if is_data && !class.has_metaclass() => {
                self.guard_class(class);
                let own = class.dict.borrow().contains_key(name);
                moving_data(class, name).filter(|_| own)
            }
            _ => None,
        })
    }

    /// The class of a value.
    pub(crate) fn class_of(&self, v: &Sym) -> Res<PyRef<Class>> {
        Ok(match v {
            Sym::Known(v) => class_of(v),
            Sym::Scalar(s) => match s.ty {
                janus_plan::ScalarType::Float => types().float.clone(),
                janus_plan::ScalarType::Int => types().int.clone(),
                janus_plan::ScalarType::Bool => types().bool.clone(),
            },
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Instance(i) => i.class.clone(),
                Kind::Tensor(t) => t.class.clone(),
                Kind::List(_) | Kind::Grown(_) | Kind::Replaced(_) | Kind::Filtered(_) => {
                    types().list.clone()
                }
                Kind::Tuple(_) => types().tuple.clone(),
                Kind::Found(found) => match &found.what {
                    FoundKind::Instance(class) => class.clone(),
                    FoundKind::List => types().list.clone(),
                    FoundKind::Tuple => types().tuple.clone(),
                    FoundKind::Dict => types().dict.clone(),
                    FoundKind::Text => types().str.clone(),
                },
                Kind::Dict(_) | Kind::InstanceDict(_) => types().dict.clone(),
                Kind::Open(open) if open.set => types().set.clone(),
                Kind::Open(_) => types().dict.clone(),
                Kind::Told => types().str.clone(),
                Kind::Set(_) => types().set.clone(),
                Kind::Function(_) => types().function.clone(),
                Kind::Method {
                    function: Sym::Known(Value::Native(_)),
                    ..
                } => types().builtin_function.clone(),
                Kind::Method { .. } => types().method.clone(),
                Kind::Slice(_) => types().slice.clone(),
                Kind::Text(_) => types().str.clone(),
                Kind::Super { .. } => types().super_.clone(),
                Kind::Generator(_) | Kind::Opaque { generator: true } => types().generator.clone(),
                Kind::Opaque { .. } => {
                    return self.refuse(
                        ReasonId::OutsideIterator,
                        "an iterator from outside the region is looked into",
                    );
                }
                Kind::Choice { .. } | Kind::Maybe { .. } | Kind::Raised(_) => {
                    return self.refuse(
                        ReasonId::BranchSides,
                        "a variable is of one kind or another after a branch",
                    );
                }
                Kind::Range { .. } => types().range.clone(),
                Kind::Cell(_) => types().cell.clone(),
                Kind::View { part, ordered, .. } => view_class(*part, *ordered).clone(),
                Kind::Iter(iter) => self.class_of_iterator(iter),
                Kind::Later { class, .. } => class.clone(),
                Kind::Traceback => {
                    return self.refuse(ReasonId::ExceptionFlow, "a traceback is looked into");
                }
            },
            Sym::Null => return self.defect("bad operand"),
        })
    }

    /// The class of a value, where it is known to be exactly this one.
    pub(crate) fn exact_class_of(&self, v: &Sym) -> Res<PyRef<Class>> {
        let class = self.class_of(v)?;
        if PyRef::ptr_eq(&class, &types().iterator) {
            return self.refuse(
                ReasonId::OutsideIterator,
                "the class of an iterator that may be one of several is asked for",
            );
        }
        Ok(class)
    }

    /// The class of an iterator, or the base of several where it may be one of these.
    fn class_of_iterator(&self, iter: &SymIter) -> PyRef<Class> {
        let t = types();
        let class = match iter {
            SymIter::Items { of, .. } => match &self.state.heap[*of].kind {
                Kind::List(_) => &t.list_iterator,
                Kind::Tuple(_) => &t.tuple_iterator,
                _ => &t.iterator,
            },
            SymIter::Enumerate { .. } => &t.enumerate,
            SymIter::Zip { .. } => &t.zip,
            SymIter::Map { .. } => &t.map,
            SymIter::Values { .. }
            | SymIter::Range { .. }
            | SymIter::Grown { .. }
            | SymIter::Rows { .. } => &t.iterator,
        };
        class.clone()
    }

    /// `object.name`
    pub(crate) fn get_attr(&mut self, object: &Sym, name: &Name) -> Res<Sym> {
        match self.find_attr(object, name)? {
            Some(v) => Ok(v),
            None => {
                let message = Sym::Known(Value::str(self.missing_attr(object, name)?));
                self.raise_kind(janus_object::ExcKind::AttributeError, vec![message])
            }
        }
    }

    /// What tier 0 says of an attribute that is not there.
    fn missing_attr(&mut self, object: &Sym, name: &Name) -> Res<String> {
        let class = self.class_of(object)?.display_name();
        let missing = match object {
            Sym::Known(Value::Class(c)) => {
                return Ok(format!(
                    "type object '{}' has no attribute '{}'",
                    c.display_name(),
                    name.as_str()
                ));
            }
            // Only the object itself knows what its `__getattr__` says.
            Sym::Known(value) => match attr::get(self.vm, value, name) {
                Err(raised) if raised.is(janus_object::ExcKind::AttributeError) => {
                    return Ok(raised.message());
                }
                _ => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        format!("it would raise: attribute {}", name.as_str()),
                    );
                }
            },
            _ if self.is_tensor(object) => janus_torch::objects::missing_attribute(name.as_str()),
            _ => None,
        };
        Ok(missing
            .unwrap_or_else(|| format!("'{class}' object has no attribute '{}'", name.as_str())))
    }

    /// `object.name`, `None` when that raises AttributeError.
    pub(crate) fn find_attr(&mut self, object: &Sym, name: &Name) -> Res<Option<Sym>> {
        match object {
            Sym::Known(Value::Module(module)) if !module.has_class(|_| true) => {
                let dict = module.dict.clone();
                match self.load_namespace(&Namespace::Globals(dict), name)? {
                    Some(v) => Ok(Some(v)),
                    // A module's `__getattr__` may make names; what it gives is known from now on.
                    None => self.known_attr(object, name),
                }
            }
            Sym::Known(Value::Class(class)) => self.class_attr(&class.clone(), name),
            Sym::Known(_) => self.known_attr(object, name),
            Sym::Scalar(_) => self.builtin_attr(object, name),
            Sym::Obj(o) => match self.state.heap[*o].kind.clone() {
                Kind::Instance(_) | Kind::Found(_)
                    if let Some(kept) = self.kept_in_field(*o, name)? =>
                {
                    Ok(Some(kept))
                }
                Kind::Instance(_) => self.instance_attr(*o, name),
                Kind::Found(found) => self.found_attr(object, &found, name),
                Kind::Super { class, receiver } => self.super_attr(&class, &receiver, name),
                Kind::Method { function, receiver } => match name.as_str() {
                    "__func__" => Ok(Some(function)),
                    "__self__" => Ok(Some(receiver)),
                    _ => self.find_attr(&function, name),
                },
                Kind::Function(f) => match name.as_str() {
                    "__name__" => Ok(Some(Sym::Known(Value::str(&*f.code.code.name)))),
                    "__qualname__" => Ok(Some(Sym::Known(Value::str(&*f.code.code.qualname)))),
                    _ => self.refuse(
                        ReasonId::ObjectLayout,
                        format!("attribute {} of a function made here", name.as_str()),
                    ),
                },
                _ => self.builtin_attr(object, name),
            },
            Sym::Null => self.defect("bad operand"),
        }
    }

    /// As [`Self::find_attr`], where a `__getattr__` that raises AttributeError has none either: `hasattr`.
    pub(crate) fn attr_if_there(&mut self, object: &Sym, name: &Name) -> Res<Option<Sym>> {
        match self.find_attr(object, name) {
            Err(Stop::Raise(exception)) if self.is_attribute_error(&exception)? => Ok(None),
            found => found,
        }
    }

    /// An attribute of an object that is known by identity and does not change.
    fn known_attr(&mut self, object: &Sym, name: &Name) -> Res<Option<Sym>> {
        let Sym::Known(value) = object else {
            return self.defect("not known");
        };
        let value = value.clone();
        let class = class_of(&value);
        if let Some(found) = class.lookup(name)
            && let Found::Method(function) = classify(&found)
        {
            let function = Sym::Known(function);
            return Ok(Some(self.alloc(Kind::Method {
                function,
                receiver: object.clone(),
            })));
        }
        if let Value::Function(f) = &value
            && let Some(place) = function_attributes(f)
            && place.get(name).is_some()
        {
            return self.load_namespace(&place, name);
        }
        if let Value::Instance(i) = &value
            && let Some(dict) = i.dict.get()
            && let Some(v) = dict.get_name(name)
        {
            let step = Step::Namespace(Namespace::Globals(dict.clone()), name.clone());
            return self
                .wrap(&Unloaded {
                    step,
                    value: v,
                    path: name.as_str().into(),
                })
                .map(Some);
        }
        if let Some(place) = moving_data(&class, name) {
            return self.load_namespace(&place, name);
        }
        if class.flags.get().mutable {
            self.guard_class(&class);
            if class.flags.get().custom_getattribute {
                return self.refuse(
                    ReasonId::ObjectLayout,
                    "a class with __getattribute__ has no graph form",
                );
            }
            let is_library =
                |f: &Value| matches!(f, Value::Function(f) if f.code.borrow().code.is_library());
            match class.lookup(name) {
                Some(found) => {
                    if let Found::Getter(getter) = classify(&found)
                        && matches!(getter, Value::Function(_))
                        && !is_library(&getter)
                    {
                        let got = self.bind(&found, object, &class).map(Some);
                        return self.or_getattr(got, object.clone(), &class, name);
                    }
                }
                None => {
                    let own = class.lookup(&Name::new("__getattr__"));
                    if own.is_some_and(|f| !is_library(&f)) {
                        return self.refuse(
                            ReasonId::NoGraphForm,
                            "a class with __getattr__ has no graph form here",
                        );
                    }
                }
            }
        }
        self.unchanging(&value)?;
        match attr::get_opt(self.vm, &value, name) {
            Ok(Some(v)) => match &v {
                Value::List(_) | Value::Dict(_) | Value::Set(_) => self.refuse(
                    ReasonId::ObjectLayout,
                    format!("attribute {} of a {}", name.as_str(), value.type_name()),
                ),
                _ => Ok(Some(Sym::Known(v))),
            },
            Ok(None) => Ok(None),
            Err(_) => self.refuse(
                ReasonId::WouldRaise,
                format!("it would raise: attribute {}", name.as_str()),
            ),
        }
    }

    /// A method or getter of a built-in type, through its class.
    fn builtin_attr(&mut self, object: &Sym, name: &Name) -> Res<Option<Sym>> {
        if name.as_str() == "__class__" {
            return Ok(Some(Sym::Known(Value::Class(self.class_of(object)?))));
        }
        if let Sym::Obj(o) = object
            && let Kind::Slice([start, stop, step]) = &self.state.heap[*o].kind
        {
            match name.as_str() {
                "start" => return Ok(Some(start.clone())),
                "stop" => return Ok(Some(stop.clone())),
                "step" => return Ok(Some(step.clone())),
                _ => {}
            }
        }
        let class = self.class_of(object)?;
        if let Some(place) = moving_data(&class, name) {
            self.guard_class(&class);
            return self.load_namespace(&place, name);
        }
        let Some(found) = class.lookup(name) else {
            return Ok(None);
        };
        self.bind(&found, object, &class).map(Some)
    }

    /// Binds a class attribute to a receiver.
    pub(crate) fn bind(&mut self, found: &Value, receiver: &Sym, class: &PyRef<Class>) -> Res<Sym> {
        match classify(found) {
            Found::Method(function) => {
                let function = Sym::Known(function);
                Ok(self.alloc(Kind::Method {
                    function,
                    receiver: receiver.clone(),
                }))
            }
            Found::Getter(getter) => {
                self.call(&Sym::Known(getter), vec![receiver.clone()], Vec::new())
            }
            Found::Plain(Value::Instance(instance)) => {
                if is_own_kind(&instance) {
                    return self.refuse(ReasonId::ObjectLayout, OWN_KIND);
                }
                if let Payload::ClassMethod(function) = &instance.payload {
                    let function = Sym::Known(function.clone());
                    let receiver = Sym::Known(Value::Class(class.clone()));
                    return Ok(self.alloc(Kind::Method { function, receiver }));
                }
                let value = Value::Instance(instance);
                let kind = instance_class(&value);
                match kind.as_ref().and_then(|c| c.lookup(&Name::new("__get__"))) {
                    Some(get @ Value::Function(_)) => {
                        let descriptor = self.pinned(value)?;
                        let owner = Sym::Known(Value::Class(class.clone()));
                        self.call(
                            &Sym::Known(get),
                            vec![descriptor, receiver.clone(), owner],
                            Vec::new(),
                        )
                    }
                    Some(_) => self.refuse(
                        ReasonId::ObjectLayout,
                        "a descriptor that is not written in Python has no graph form yet",
                    ),
                    None => self.pinned(value),
                }
            }
            Found::Plain(value) => match &value {
                Value::Native(native) if native.binding == Binding::ClassMethod => {
                    let receiver = Sym::Known(Value::Class(class.clone()));
                    Ok(self.alloc(Kind::Method {
                        function: Sym::Known(value),
                        receiver,
                    }))
                }
                Value::List(_) | Value::Dict(_) | Value::Tuple(_) => self.pinned(value),
                _ => Ok(Sym::Known(value)),
            },
        }
    }

    /// An object that is always the same one.
    pub(crate) fn pinned(&mut self, value: Value) -> Res<Sym> {
        let step = Step::Pinned(value.clone());
        self.wrap(&Unloaded {
            step,
            path: value.type_name().into(),
            value,
        })
    }

    /// Guards that a class has not changed.
    pub(crate) fn guard_class(&mut self, class: &PyRef<Class>) {
        let path: Rc<str> = class.display_name().into();
        let guarded = self
            .entry
            .nodes
            .iter()
            .any(|n| matches!(&n.check, Check::ClassVersion(c, _) if PyRef::ptr_eq(c, class)));
        if !guarded {
            let step = Step::Pinned(Value::Class(class.clone()));
            self.node(
                step,
                Check::ClassVersion(class.clone(), class.behaviour.get()),
                &path,
            );
        }
    }

    fn class_attr(&mut self, class: &PyRef<Class>, name: &Name) -> Res<Option<Sym>> {
        self.guard_class(class);
        match name.as_str() {
            "__name__" | "__qualname__" | "__module__" | "__mro__" | "__doc__" | "__bases__"
            | "__class__" => {
                return self.known_attr(&Sym::Known(Value::Class(class.clone())), name);
            }
            "__dict__" => return self.refuse(ReasonId::ObjectLayout, "__dict__ of a class"),
            _ => {}
        }
        let metaclass = class.metaclass();
        if metaclass.flags.get().mutable {
            self.guard_class(&metaclass);
        }
        if metaclass.flags.get().custom_getattribute {
            return self.refuse(
                ReasonId::Metaclass,
                "a metaclass with __getattribute__ has no graph form",
            );
        }
        let of_metaclass = metaclass.lookup(name);
        let comes_first = of_metaclass.as_ref().is_some_and(is_data_descriptor);
        if !comes_first && let Some(place) = moving_data(class, name) {
            return self.load_namespace(&place, name);
        }
        let found = match class.lookup(name) {
            Some(found) if !comes_first => found,
            _ => {
                let itself = Sym::Known(Value::Class(class.clone()));
                let found = match of_metaclass {
                    Some(found) => self.bind(&found, &itself, &metaclass).map(Some),
                    None => Ok(None),
                };
                return self.or_getattr(found, itself, &metaclass, name);
            }
        };
        Ok(Some(match classify(&found) {
            // Through the class a function is itself.
            Found::Method(function) => Sym::Known(function),
            Found::Getter(_) => Sym::Known(found),
            Found::Plain(_) => self.bind(&found, &Sym::Known(Value::None), class)?,
        }))
    }

    fn super_attr(
        &mut self,
        class: &PyRef<Class>,
        receiver: &Sym,
        name: &Name,
    ) -> Res<Option<Sym>> {
        let receiver_class = match receiver {
            Sym::Known(Value::Class(c)) if c.is_subclass_of(class) => c.clone(),
            Sym::Known(Value::Class(c)) => {
                let name = c.name.borrow();
                return self.refuse(
                    ReasonId::Metaclass,
                    format!("a method of {name}'s metaclass that calls super()"),
                );
            }
            _ => self.class_of(receiver)?,
        };
        self.guard_class(&receiver_class);
        let Some(found) = receiver_class.lookup_after(class, name) else {
            return Ok(None);
        };
        if janus_object::is_data(name, &found) {
            return self.refuse(ReasonId::ObjectLayout, "data of a class, through super()");
        }
        // `object.__setattr__` and its siblings are natives that `call` knows.
        self.bind(&found, receiver, &receiver_class).map(Some)
    }

    fn instance_attr(&mut self, obj: Obj, name: &Name) -> Res<Option<Sym>> {
        let Kind::Instance(instance) = &self.state.heap[obj].kind else {
            return self.defect("not an instance");
        };
        let class = instance.class.clone();
        if class.flags.get().custom_getattribute {
            return self.refuse(
                ReasonId::ObjectLayout,
                "a class with __getattribute__ has no graph form",
            );
        }
        self.guard_class(&class);
        if name.as_str() == "__class__" {
            return Ok(Some(Sym::Known(Value::Class(self.shown_class(class)))));
        }
        if name.as_str() == "__dict__" {
            return Ok(Some(self.alloc(Kind::InstanceDict(obj))));
        }
        let found = self.instance_attr_itself(obj, &class, name);
        self.or_getattr(found, Sym::Obj(obj), &class, name)
    }

    /// An attribute of an instance without its class's `__getattr__`.
    fn instance_attr_itself(
        &mut self,
        obj: Obj,
        class: &PyRef<Class>,
        name: &Name,
    ) -> Res<Option<Sym>> {
        let found = class.lookup(name);
        let is_kept = self.is_kept_by_exception(class, name);
        if let Some(found) = &found
            && is_data_descriptor(found)
            && !is_kept
        {
            return self.bind(found, &Sym::Obj(obj), class).map(Some);
        }
        if let Some(v) = self.own_attr(obj, name)? {
            return Ok(Some(v));
        }
        if let Some(place) = moving_data(class, name) {
            return self.load_namespace(&place, name);
        }
        match found {
            Some(found) => self.bind(&found, &Sym::Obj(obj), class).map(Some),
            None => Ok(None),
        }
    }

    /// What was found, or what the class's `__getattr__` gives where nothing was: it answers an AttributeError that
    /// a descriptor raised, too.
    fn or_getattr(
        &mut self,
        found: Res<Option<Sym>>,
        object: Sym,
        class: &PyRef<Class>,
        name: &Name,
    ) -> Res<Option<Sym>> {
        if !class.flags.get().custom_getattr {
            return found;
        }
        match found {
            Ok(None) => {}
            Err(Stop::Raise(exception)) if self.is_attribute_error(&exception)? => {}
            found => return found,
        }
        let Some(getattr) = class.lookup(&Name::new("__getattr__")) else {
            return Ok(None);
        };
        let args = vec![object, Sym::Known(name.to_value())];
        self.call(&Sym::Known(getattr), args, Vec::new()).map(Some)
    }

    fn is_attribute_error(&mut self, exception: &Sym) -> Res<bool> {
        let missing = janus_object::ExcKind::AttributeError.class();
        Ok(self.class_of(exception)?.is_subclass_of(&missing))
    }

    /// An entry of an instance's own dict.
    pub(crate) fn own_attr(&mut self, obj: Obj, name: &Name) -> Res<Option<Sym>> {
        self.note_read(&Place::Attr(obj, name.clone()));
        let object = &self.state.heap[obj];
        let Kind::Instance(instance) = &object.kind else {
            return self.defect("not an instance");
        };
        if let Some(slot) = instance.attrs.get(name) {
            let slot = slot.clone();
            let value = self.load_slot(&slot)?;
            if let (Slot::Unloaded(_), Some(v)) = (&slot, &value) {
                self.keep_attr(obj, name, Slot::Loaded(v.clone()));
            }
            return Ok(value);
        }
        let Some(origin) = object.origin.clone() else {
            return Ok(None);
        };
        let Value::Instance(real) = &origin.value else {
            return self.defect("not an instance");
        };
        let path: Rc<str> = format!("{}.{}", origin.path, name.as_str()).into();
        let step = Step::InstanceAttr(origin.node, name.clone());
        let dict = real.dict.get();
        let value = match dict.as_ref().and_then(|d| d.get_name(name)) {
            Some(value) => Some(self.wrap(&Unloaded { step, value, path })?),
            None => {
                // A known layout proves the absence of a name; a dict whose attributes come and go has none.
                if dict.is_none_or(|d| d.layout() == 0) {
                    self.node(step, Check::Missing, &path);
                }
                None
            }
        };
        self.keep_attr(obj, name, value.clone().map_or(Slot::Empty, Slot::Loaded));
        Ok(value)
    }

    /// All entries of an instance's own dict, in order.
    pub(crate) fn own_entries(&mut self, obj: Obj) -> Res<Vec<(Sym, Sym)>> {
        let object = self.state.heap[obj].clone();
        let Kind::Instance(instance) = &object.kind else {
            return self.defect("not an instance");
        };
        let real = match &object.origin {
            Some(origin) => match &origin.value {
                Value::Instance(real) => real.dict.get(),
                _ => return self.defect("not an instance"),
            },
            None => None,
        };
        // The layout that was checked tells the names and their order; what is new stands behind them.
        let is_known = |d: &PyRef<janus_object::PyDict>| d.layout() != 0 || d.is_empty();
        let removed = |slot: &Slot| matches!(slot, Slot::Empty);
        let written = instance.written.iter();
        if !real.as_ref().is_none_or(is_known)
            || written
                .clone()
                .any(|n| instance.attrs.get(n).is_none_or(removed))
        {
            return self.refuse(
                ReasonId::LoopState,
                "a loop over the __dict__ of an object whose attributes come and go",
            );
        }
        let mut names: IndexSet<Name> = IndexSet::new();
        for key in real.iter().flat_map(|d| d.keys()) {
            match &key {
                Value::Str(s) => names.insert(Name::new(s.as_str())),
                _ => {
                    return self.refuse(
                        ReasonId::ObjectLayout,
                        "a __dict__ with keys that are no strings",
                    );
                }
            };
        }
        match object.origin {
            Some(_) => names.extend(written.cloned()),
            None => {
                let shown = |n: &&Name| !self.is_kept_by_exception(&instance.class, n);
                names.extend(instance.attrs.keys().filter(shown).cloned());
            }
        }
        let mut entries = Vec::with_capacity(names.len());
        for name in names {
            if let Some(v) = self.own_attr(obj, &name)? {
                entries.push((Sym::Known(name.to_value()), v));
            }
        }
        Ok(entries)
    }

    fn keep_attr(&mut self, obj: Obj, name: &Name, slot: Slot) {
        if let Kind::Instance(instance) = &mut self.state.heap[obj].kind {
            instance.attrs.insert(name.clone(), slot);
        }
    }

    /// The instance whose `__dict__` this is.
    pub(crate) fn dict_owner(&self, v: &Sym) -> Option<Obj> {
        let Sym::Obj(o) = v else { return None };
        match &self.state.heap[*o].kind {
            Kind::InstanceDict(owner) => Some(*owner),
            _ => None,
        }
    }

    /// `object.name = value`, or `del object.name`.
    pub(crate) fn set_attr(&mut self, object: &Sym, name: &Name, value: Option<Sym>) -> Res<()> {
        if let (Sym::Known(known), Some(v)) = (object, &value)
            && let Some(place) = self.attributes(&known.clone(), name, v)?
        {
            self.store_namespace(&place, name, Slot::Loaded(v.clone()))?;
            return Ok(());
        }
        let Sym::Obj(obj) = object else {
            return self.refuse(
                ReasonId::ObjectLayout,
                format!(
                    "attribute {} of a {} is written",
                    name.as_str(),
                    self.class_of(object)?.display_name()
                ),
            );
        };
        match &self.state.heap[*obj].kind {
            Kind::Tensor(_) => return self.set_tensor_attr(*obj, name, value),
            Kind::Instance(_) => {}
            Kind::Found(_) => return self.keep_in_field(*obj, name, value),
            _ => {
                return self.refuse(
                    ReasonId::ObjectLayout,
                    format!(
                        "attribute {} of a built-in object is written",
                        name.as_str()
                    ),
                );
            }
        }
        let class = self.class_of(object)?;
        self.guard_class(&class);
        if class.flags.get().custom_setattr {
            let method = Name::new(if value.is_some() {
                "__setattr__"
            } else {
                "__delattr__"
            });
            if let Some(f @ Value::Function(_)) = class.lookup(&method) {
                let mut args = vec![object.clone(), Sym::Known(name.to_value())];
                args.extend(value);
                self.call(&Sym::Known(f), args, Vec::new())?;
                return Ok(());
            }
        }
        self.set_own_attr(*obj, name, value)
    }

    /// What `object.__setattr__` does.
    pub(crate) fn set_own_attr(&mut self, obj: Obj, name: &Name, value: Option<Sym>) -> Res<()> {
        let class = self.class_of(&Sym::Obj(obj))?;
        if let Some(found) = class.lookup(name)
            && is_data_descriptor(&found)
        {
            let Value::Instance(instance) = &found else {
                let detail = format!("{name} is written, an attribute of the built-in type");
                return self.refuse(ReasonId::ObjectLayout, detail);
            };
            if is_own_kind(instance) {
                return self.refuse(ReasonId::ObjectLayout, OWN_KIND);
            }
            let Payload::Property(property) = &instance.payload else {
                let method = if value.is_some() {
                    "__set__"
                } else {
                    "__delete__"
                };
                let Some(method @ Value::Function(_)) = instance.class().lookup(&Name::new(method))
                else {
                    return self.refuse(
                        ReasonId::ObjectLayout,
                        "a descriptor that cannot be set is written",
                    );
                };
                let mut args = vec![self.pinned(found.clone())?, Sym::Obj(obj)];
                args.extend(value);
                self.call(&Sym::Known(method), args, Vec::new())?;
                return Ok(());
            };
            let (function, mut args) = match value {
                Some(v) => (property.set().clone(), vec![Sym::Obj(obj), v]),
                None => (property.del().clone(), vec![Sym::Obj(obj)]),
            };
            if function.is_none() {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: the property cannot be set",
                );
            }
            self.call(&Sym::Known(function), std::mem::take(&mut args), Vec::new())?;
            return Ok(());
        }
        if value.is_none() && self.own_attr(obj, name)?.is_none() {
            return self.refuse(
                ReasonId::WouldRaise,
                format!("it would raise: no attribute '{}'", name.as_str()),
            );
        }
        self.write_own(obj, name, value)
    }

    /// Writes an entry of an instance's own dict.
    pub(crate) fn write_own(&mut self, obj: Obj, name: &Name, value: Option<Sym>) -> Res<()> {
        let Kind::Instance(instance) = &self.state.heap[obj].kind else {
            return self.defect("not an instance");
        };
        if instance.class.flags.get().slotted && !instance.class.has_slot(name) {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an attribute that __slots__ does not name is written",
            );
        }
        let removed = matches!(instance.attrs.get(name), Some(Slot::Empty));
        if value.is_some() && removed && instance.written.contains(name) {
            // It would stand at the end of `__dict__` then.
            return self.refuse(
                ReasonId::ObjectLayout,
                "an attribute is deleted and set again",
            );
        }
        // Whether the name is there decides over the layout that the commit leaves behind.
        if let Kind::Instance(instance) = &mut self.state.heap[obj].kind {
            instance
                .attrs
                .insert(name.clone(), value.map_or(Slot::Empty, Slot::Loaded));
            instance.written.insert(name.clone());
        }
        Ok(())
    }
}
