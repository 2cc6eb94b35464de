//! Inline caches of attributes.
//!
//! In: an object and a name, at an instruction. Out: what they meant the last times, if that still holds. Always: versions of
//! classes and layouts of dicts are compared before anything is given; what is found is copied before anything else runs.

use std::cell::{Cell, RefCell};

use janus_object::{BaseKind, Binding, Instance, Name, Payload, PyDict, PyRef, Value, name, types};

use crate::seen::SeenAttr;

/// What an [`AttrCache`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum AttrKind {
    /// Nothing yet.
    #[default]
    Empty,
    /// An instance of the class with that version and a dict with that layout: at `index`.
    Slot,
    /// An instance of the class with that version and a dict with that layout, to which storing
    /// appends the name: `index` is the layout afterwards.
    Append,
    /// As `Slot`, but the dict lacks the name and `value` of the class counts. If that is an instance, its class has the
    /// version `index`, and no `__get__`.
    ClassValue,
    /// As `ClassValue` of a function that is not bound: what is in a static method.
    Static,
    /// As `ClassValue` of a function that is bound to the class: what is in a class method.
    ClassMethod,
    /// An instance of the class with that version: `value` is called to get the attribute.
    Getter,
    /// An instance of the class with that version, which is one of tuples: the item at `index`.
    Field,
    /// A module whose dict has that layout: at `index`.
    Module,
    /// The class with that version: `value`. As to instances, see `ClassValue`.
    OfClass,
    /// The class with that version: the function `value` bound to it.
    MethodOfClass,
    /// A value of a built-in type, known by its tag, kept in `version`: the method `value`.
    Builtin,
    /// What `super()` found for an instance of the class with that version, behind the class whose version `layout` is.
    Super,
}

/// The cache of an attribute access.
#[derive(Default)]
pub(crate) struct AttrCache {
    pub kind: Cell<AttrKind>,
    pub version: Cell<u32>,
    pub layout: Cell<u32>,
    pub index: Cell<u32>,
    pub value: RefCell<Option<Value>>,
    /// What it held before, for compilers: a site may meet several classes.
    pub earlier: RefCell<Vec<SeenAttr>>,
}

/// Of what a cache held before, so much is kept.
const EARLIER: usize = 7;

/// The layout of an instance's dict; one that was not made yet is empty.
#[inline]
pub(crate) fn instance_layout(instance: &Instance) -> u32 {
    // SAFETY: its layout is all that is read of it.
    match unsafe { instance.dict.peek() } {
        Some(dict) => dict.layout(),
        None => PyDict::EMPTY_LAYOUT,
    }
}

/// An item of an instance that is a tuple.
#[inline]
pub(crate) fn field_of(instance: &Instance, at: u32) -> Option<Value> {
    match &instance.payload {
        Payload::Tuple(tuple) => tuple.items.get(at as usize).cloned(),
        _ => None,
    }
}

/// A number for the built-in types whose values are told apart without a class.
#[inline]
pub(crate) fn builtin_tag(value: &Value) -> Option<u32> {
    Some(match value {
        Value::Int(_) | Value::BigInt(_) => 1,
        Value::Float(_) => 2,
        Value::Str(_) => 3,
        Value::Tuple(_) => 4,
        Value::List(_) => 5,
        Value::Dict(_) => 6,
        Value::Range(_) => 7,
        Value::Set(set) if set.frozen => 8,
        Value::Set(_) => 9,
        Value::Bytes(bytes) if bytes.mutable => 10,
        Value::Bytes(_) => 11,
        _ => return None,
    })
}

/// What a cache says about an attribute.
pub(crate) enum Hit {
    /// The attribute.
    Value(Value),
    /// A function to be bound to the object.
    Method(Value),
    /// A function to be bound to the class of the object.
    ClassMethod(Value),
    /// To be called with the object.
    Getter(Value),
}

impl AttrCache {
    /// The attribute, if it is at the cached place of an instance's dict: the most common case. It is to be copied
    /// before anything else runs.
    #[inline(always)]
    pub fn slot<'a>(&self, object: &'a Value) -> Option<&'a Value> {
        let Value::Instance(instance) = object else {
            return None;
        };
        if self.kind.get() != AttrKind::Slot || instance.class_version() != self.version.get() {
            return None;
        }
        // SAFETY: see above.
        let dict = unsafe { instance.dict.peek() }?;
        if dict.layout() != self.layout.get() {
            return None;
        }
        // SAFETY: see above.
        unsafe { dict.value_ref(self.index.get() as usize) }
    }

    /// The function to be bound to the object, if that is what is cached. It is to be copied before anything else runs.
    #[inline(always)]
    pub fn method<'a>(&'a self, object: &Value) -> Option<&'a Value> {
        let kind = self.kind.get();
        let is_known = match object {
            Value::Instance(instance) => {
                kind == AttrKind::ClassValue
                    && instance.class_version() == self.version.get()
                    && instance_layout(instance) == self.layout.get()
            }
            _ => kind == AttrKind::Builtin && builtin_tag(object) == Some(self.version.get()),
        };
        if !is_known {
            return None;
        }
        // SAFETY: it is copied before anything else runs.
        let value = unsafe { self.value.try_borrow_unguarded() };
        match value.ok()? {
            Some(value @ (Value::Function(_) | Value::Native(_))) => Some(value),
            _ => None,
        }
    }

    /// As [`Self::hit`], for who has no room for all that it looks at.
    #[inline(never)]
    pub fn hit_apart(&self, object: &Value) -> Option<Hit> {
        self.hit(object)
    }

    /// Looks an object up, in what the cache held before, too.
    #[inline]
    pub fn hit(&self, object: &Value) -> Option<Hit> {
        self.load(object).or_else(|| self.load_earlier(object))
    }

    /// Looks an object up.
    #[inline]
    fn load(&self, object: &Value) -> Option<Hit> {
        let kind = self.kind.get();
        match object {
            Value::Instance(instance) => {
                if instance.class_version() != self.version.get() {
                    return None;
                }
                match kind {
                    AttrKind::Slot => {
                        // SAFETY: a value is copied out of it.
                        let dict = unsafe { instance.dict.peek() }?;
                        if dict.layout() != self.layout.get() {
                            return None;
                        }
                        dict.value_at(self.index.get() as usize).map(Hit::Value)
                    }
                    AttrKind::ClassValue => {
                        if instance_layout(instance) != self.layout.get() {
                            return None;
                        }
                        self.class_value()
                    }
                    AttrKind::Static | AttrKind::ClassMethod => {
                        if instance_layout(instance) != self.layout.get() {
                            return None;
                        }
                        let value = self.value.borrow().clone()?;
                        Some(match kind {
                            AttrKind::Static => Hit::Value(value),
                            _ => Hit::ClassMethod(value),
                        })
                    }
                    AttrKind::Getter => self.value.borrow().clone().map(Hit::Getter),
                    AttrKind::Field => field_of(instance, self.index.get()).map(Hit::Value),
                    _ => None,
                }
            }
            Value::Module(module) if kind == AttrKind::Module => {
                if module.dict.layout() != self.layout.get() {
                    return None;
                }
                module
                    .dict
                    .value_at(self.index.get() as usize)
                    .map(Hit::Value)
            }
            Value::Class(class) if class.version.get() == self.version.get() => {
                let value = self.value.borrow();
                match (kind, value.as_ref()?) {
                    (AttrKind::OfClass, v) if is_shown(v, self.index.get()) => {
                        Some(Hit::Value(v.clone()))
                    }
                    (AttrKind::MethodOfClass, v) => Some(Hit::Method(v.clone())),
                    _ => None,
                }
            }
            _ if kind == AttrKind::Builtin => {
                if builtin_tag(object)? != self.version.get() {
                    return None;
                }
                self.value.borrow().clone().map(Hit::Method)
            }
            _ => None,
        }
    }

    /// The value of the class: a function is bound by the caller.
    #[inline]
    fn class_value(&self) -> Option<Hit> {
        match &*self.value.borrow() {
            Some(f @ (Value::Function(_) | Value::Native(_))) => Some(Hit::Method(f.clone())),
            Some(v) if is_shown(v, self.index.get()) => Some(Hit::Value(v.clone())),
            _ => None,
        }
    }

    /// Looks an object up in what the cache held before.
    fn load_earlier(&self, object: &Value) -> Option<Hit> {
        let earlier = self.earlier.borrow();
        earlier.iter().find_map(|seen| seen.find(object))
    }

    /// What `super()` found for an instance of a class, behind another class.
    #[inline]
    pub fn super_method(&self, version: u32, start: u32) -> Option<Value> {
        if self.kind.get() == AttrKind::Super
            && (self.version.get(), self.layout.get()) == (version, start)
        {
            return self.value.borrow().clone();
        }
        self.earlier.borrow().iter().find_map(|seen| match seen {
            SeenAttr::Super {
                version: v,
                start: s,
                value,
            } if (*v, *s) == (version, start) => Some(value.clone()),
            _ => None,
        })
    }

    /// Learns what `super()` found.
    #[cold]
    pub fn learn_super(&self, version: u32, start: u32, function: &Value) {
        if version != 0 && start != 0 {
            self.fill(AttrKind::Super, version, start, 0, Some(function.clone()));
        }
    }

    fn fill(&self, kind: AttrKind, version: u32, layout: u32, index: u32, value: Option<Value>) {
        if let Some(old) = SeenAttr::of(self) {
            let mut earlier = self.earlier.borrow_mut();
            if earlier.len() < EARLIER && !earlier.iter().any(|e| e.is_same(&old)) {
                earlier.push(old);
            }
        }
        self.kind.set(kind);
        self.version.set(version);
        self.layout.set(layout);
        self.index.set(index);
        let old = self.value.replace(value);
        drop(old);
    }

    /// Learns what loading `name` from `object` means, if that is one of the cached kinds.
    #[cold]
    pub fn learn(&self, object: &Value, name: &Name) {
        match object {
            Value::Instance(instance) => self.learn_instance(instance, name),
            Value::Module(module) => {
                let layout = module.dict.layout();
                if layout != 0
                    && let Some(index) = module.dict.index_of_name(name)
                {
                    self.fill(AttrKind::Module, 0, layout, index as u32, None);
                }
            }
            Value::Class(class) => {
                let version = class.version.get();
                // A metaclass of its own may define the name, too.
                if version == 0 || class.has_metaclass() || types().type_.lookup(name).is_some() {
                    return;
                }
                match class.lookup(name) {
                    Some(
                        v @ (Value::Function(_)
                        | Value::Int(_)
                        | Value::Float(_)
                        | Value::Str(_)
                        | Value::Tuple(_)
                        | Value::List(_)
                        | Value::Dict(_)
                        | Value::None
                        | Value::Bool(_)
                        | Value::Class(_)),
                    ) => self.fill(AttrKind::OfClass, version, 0, 0, Some(v)),
                    Some(Value::Instance(v)) => match unwrapped(&v) {
                        Some((AttrKind::ClassMethod, function)) => {
                            self.fill(AttrKind::MethodOfClass, version, 0, 0, Some(function));
                        }
                        Some((_, value)) => {
                            self.fill(AttrKind::OfClass, version, 0, 0, Some(value));
                        }
                        None => {
                            if let Some(shown) = shown_version(&v) {
                                let value = Some(Value::Instance(v));
                                self.fill(AttrKind::OfClass, version, 0, shown, value);
                            }
                        }
                    },
                    _ => {}
                }
            }
            other => {
                let Some(tag) = builtin_tag(other) else {
                    return;
                };
                match janus_object::class_of(other).lookup(name) {
                    Some(Value::Native(n)) if n.binding == Binding::Method => {
                        self.fill(AttrKind::Builtin, tag, 0, 0, Some(Value::Native(n)));
                    }
                    _ => {}
                }
            }
        }
    }

    fn learn_instance(&self, instance: &PyRef<Instance>, name: &Name) {
        let class = instance.class();
        let (version, flags) = (class.version.get(), class.flags.get());
        if version == 0
            || flags.custom_getattribute
            || matches!(instance.payload, Payload::Super(_))
        {
            return;
        }
        let layout = instance_layout(instance);
        if name == name!("__class__") && layout != 0 && is_own_class(class.lookup(name).as_ref()) {
            let class = Some(Value::Class(class));
            self.fill(AttrKind::Static, version, layout, 0, class);
            return;
        }
        if name.as_str().starts_with("__") {
            return;
        }
        let found = class.lookup(name);
        match &found {
            Some(v) if is_data_descriptor(v) => {
                if let (Value::Native(native), Payload::Tuple(_)) = (v, &instance.payload)
                    && let Some(at) = native.field().and_then(|at| u32::try_from(at).ok())
                    && class.kind.get() == BaseKind::Tuple
                {
                    self.fill(AttrKind::Field, version, 0, at, None);
                    return;
                }
                // Properties without setter are data descriptors, too: they win over the dict.
                let getter = match v {
                    Value::Native(_) => Some(v.clone()),
                    Value::Instance(i) => match &i.payload {
                        Payload::Property(p) if !p.get().is_none() && i.is_plain_descriptor() => {
                            Some(p.get().clone())
                        }
                        _ => None,
                    },
                    _ => None,
                };
                // What a getter raises may be an AttributeError, which `__getattr__` answers.
                if getter.is_some() && !flags.custom_getattr {
                    self.fill(AttrKind::Getter, version, 0, 0, getter);
                }
                return;
            }
            _ => {}
        }
        if layout == 0 {
            return;
        }
        if let Some(index) = instance.dict.get().and_then(|d| d.index_of_name(name)) {
            self.fill(AttrKind::Slot, version, layout, index as u32, None);
            return;
        }
        match found {
            Some(v) if is_plain(&v) => self.fill(AttrKind::ClassValue, version, layout, 0, Some(v)),
            Some(Value::Instance(v)) => match unwrapped(&v) {
                Some((kind, function)) => self.fill(kind, version, layout, 0, Some(function)),
                None => {
                    if let Some(shown) = shown_version(&v) {
                        let value = Some(Value::Instance(v));
                        self.fill(AttrKind::ClassValue, version, layout, shown, value);
                    }
                }
            },
            _ => {}
        }
    }

    /// Stores into an attribute that the cache knows; hands the value back otherwise.
    #[inline]
    pub fn store(&self, object: &Value, name: &Name, value: Value) -> Result<(), Value> {
        let Value::Instance(instance) = object else {
            return Err(value);
        };
        if instance.class_version() != self.version.get() {
            return Err(value);
        }
        match self.kind.get() {
            AttrKind::Slot => match instance.dict.get() {
                Some(dict) if dict.layout() == self.layout.get() => {
                    dict.set_index(self.index.get() as usize, value)
                }
                _ => Err(value),
            },
            AttrKind::Append => {
                let (before, after) = (self.layout.get(), self.index.get());
                instance.dict().append_known(before, after, name, value)
            }
            _ => Err(value),
        }
    }

    /// As [`Self::store`], or as what the cache held before.
    #[inline]
    pub fn store_known(&self, object: &Value, name: &Name, value: Value) -> Result<(), Value> {
        self.store(object, name, value)
            .or_else(|value| self.store_earlier(object, name, value))
    }

    fn store_earlier(&self, object: &Value, name: &Name, value: Value) -> Result<(), Value> {
        let Value::Instance(instance) = object else {
            return Err(value);
        };
        let (of, now) = (instance.class_version(), instance_layout(instance));
        // What is replaced may run anything when it is dropped: nothing is borrowed then.
        let place = self.earlier.borrow().iter().find_map(|seen| match *seen {
            SeenAttr::Slot {
                version,
                layout,
                index,
            } if version == of && layout == now => Some((index, None)),
            SeenAttr::Append {
                version,
                before,
                after,
            } if version == of && before == now => Some((before, Some(after))),
            _ => None,
        });
        match place {
            Some((index, None)) => instance.dict().set_index(index as usize, value),
            Some((before, Some(after))) => instance.dict().append_known(before, after, name, value),
            None => Err(value),
        }
    }

    /// Learns where storing `name` goes, after it was stored into an instance whose layout was
    /// `before`.
    #[cold]
    pub fn learn_store(&self, object: &Value, before: u32, name: &Name) {
        let Value::Instance(instance) = object else {
            return;
        };
        let class = instance.class();
        let (version, flags) = (class.version.get(), class.flags.get());
        if version == 0
            || flags.custom_setattr
            || name.as_str().starts_with("__")
            || class.lookup(name).is_some_and(|v| is_data_descriptor(&v))
        {
            return;
        }
        let Some(dict) = instance.dict.get() else {
            return;
        };
        let after = dict.layout();
        let Some(index) = dict.index_of_name(name) else {
            return;
        };
        if after == 0 {
            return;
        }
        if after == before {
            self.fill(AttrKind::Slot, version, after, index as u32, None);
        } else if index + 1 == dict.len() && before != 0 {
            self.fill(AttrKind::Append, version, before, after, None);
        }
    }
}

/// The layout of an object's dict, if it is an instance.
pub(crate) fn layout_of(object: &Value) -> u32 {
    match object {
        Value::Instance(instance) => instance_layout(instance),
        _ => 0,
    }
}

/// Whether a class attribute may take part in setting, so that an instance's dict does not hide it.
/// Whether what a class has under `__class__` tells an instance's class.
fn is_own_class(found: Option<&Value>) -> bool {
    matches!(found, Some(Value::Native(n)) if n.qualname == "object.__class__")
}

fn is_data_descriptor(value: &Value) -> bool {
    match value {
        Value::Native(n) => matches!(n.binding, Binding::Getter | Binding::GetSet),
        Value::Instance(i) => match &i.payload {
            Payload::Property(_) => true,
            Payload::ClassMethod(_) | Payload::StaticMethod(_) if i.is_plain_descriptor() => false,
            // A user's descriptor, told by its class.
            _ => ["__set__", "__delete__"]
                .iter()
                .any(|n| i.class().lookup(&Name::new(n)).is_some()),
        },
        _ => false,
    }
}

/// The function in a static method or class method.
fn unwrapped(value: &PyRef<Instance>) -> Option<(AttrKind, Value)> {
    if !value.is_plain_descriptor() {
        return None;
    }
    match &value.payload {
        Payload::StaticMethod(f @ Value::Function(_)) => Some((AttrKind::Static, f.clone())),
        Payload::ClassMethod(f @ Value::Function(_)) => Some((AttrKind::ClassMethod, f.clone())),
        _ => None,
    }
}

/// The version of the class of an instance in a class, where that is shown as it is: it is no descriptor.
fn shown_version(value: &PyRef<Instance>) -> Option<u32> {
    let class = value.class();
    let plain = matches!(value.payload, Payload::None) && class.lookup(name!("__get__")).is_none();
    Some(class.version.get()).filter(|version| plain && *version != 0)
}

/// Whether a value in a class is still shown as it is: `version` is what [`shown_version`] told of an instance.
#[inline]
pub(crate) fn is_shown(value: &Value, version: u32) -> bool {
    match value {
        Value::Instance(instance) => instance.class_version() == version,
        _ => true,
    }
}

/// Whether a class attribute is what an instance shows: a value without `__get__`, or a function
/// to be bound.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Native(n) => n.binding == Binding::Method,
        Value::Instance(_) | Value::Class(_) | Value::Method(_) => false,
        _ => true,
    }
}
