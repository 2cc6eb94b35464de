//! Classes.
//!
//! In: a name, bases and a namespace. Out: [`Class`] with its MRO. Always: a class's version
//! changes to a never used number when its dict or that of a base changes; `kind` is that of the
//! built-in base with the most specific layout.

mod order;
mod slots;
mod statement;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::{
    Name, NameMap, NativeDef, NativeFn, PyRef, PyResult, PyWeak, QuickWay, Raised, Value, name,
    types,
};
use order::{best_base, linearize};
use slots::is_slotted;

pub use statement::{build_class, calculate_metaclass};

/// A class, built-in or user-defined.
pub struct Class {
    /// `__name__`
    pub name: RefCell<Name>,
    /// `__qualname__`
    pub qualname: RefCell<Name>,
    /// `__bases__`
    pub bases: RefCell<Vec<PyRef<Class>>>,
    /// `__mro__`, itself first.
    pub mro: RefCell<Rc<[PyRef<Class>]>>,
    /// `__dict__`
    pub dict: RefCell<NameMap<Value>>,
    /// Metaclass when it is not `type`.
    pub metaclass: RefCell<Option<PyRef<Class>>>,
    /// Changes (to a number never used before) whenever this class or one of its bases changes;
    /// inline caches and guards compare it.
    pub version: Cell<u32>,
    /// As `version`, but for plain data that takes the place of other plain data (a counter of a class).
    pub behaviour: Cell<u32>,
    /// Plain data of this class took the place of other plain data.
    pub data_moves: Cell<bool>,
    /// Facts computed when the class is made or changed.
    pub flags: Cell<ClassFlags>,
    /// Weak references to direct subclasses, to spread version changes.
    pub subclasses: RefCell<Vec<PyWeak<Class>>>,
    /// Which payload instances of it carry (inherited from the built-in base).
    pub kind: Cell<BaseKind>,
    /// What a call of a built-in class does, without the detour over its `__new__` and `__init__`. Classes derived from it
    /// have none.
    pub construct: Cell<Option<NativeFn>>,
    /// How common calls of a built-in class are answered without the interpreter. Classes derived from it have none.
    pub quick: Cell<Option<QuickWay>>,
    /// What `match` takes instances for. A class that says nothing is what its bases are ([`Class::collection`]).
    pub own_collection: Cell<Option<Collection>>,
}

/// What kind of pattern instances of a class match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// That of a sequence.
    Sequence,
    /// That of a mapping.
    Mapping,
}

/// Facts about a class that speed up lookup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassFlags {
    /// Defines `__getattribute__`.
    pub custom_getattribute: bool,
    /// Defines `__del__`.
    pub finalizer: bool,
    /// Defines `__getattr__`.
    pub custom_getattr: bool,
    /// Defines `__setattr__` or `__delattr__`.
    pub custom_setattr: bool,
    /// Made by a class statement (attributes can be set).
    pub mutable: bool,
    /// Derives from BaseException.
    pub exception: bool,
    /// Cannot be derived from.
    pub sealed: bool,
    /// Instances only have the attributes that `__slots__` of the classes name.
    pub slotted: bool,
    /// Instances hash by identity and compare by identity: neither `__eq__` nor `__hash__` is
    /// overridden.
    pub identity_eq: bool,
    /// `==` and `!=` of instances are those of `object`: identity.
    pub object_eq: bool,
    /// Instances hash and compare as the built-in value inside of them, a tuple, an int or a string say: neither `__eq__`,
    /// `__ne__` nor `__hash__` is overridden.
    pub value_eq: bool,
    /// Instances are subscripted as the built-in container inside of them: `__getitem__` is that one's.
    pub items_inside: bool,
    /// The same of `__setitem__`.
    pub stores_inside: bool,
    /// The same of `__contains__`.
    pub contains_inside: bool,
    /// Instances are true: there is neither `__bool__` nor `__len__`.
    pub is_true: bool,
    /// Has a `__torch_function__`, which torch functions on its instances are handed to.
    pub torch_function: bool,
    /// Error messages name it with its module, as CPython's static types outside of builtins.
    pub qualified: bool,
}

/// The built-in layout a class inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseKind {
    /// Plain object.
    Object,
    /// Exception.
    Exception,
    /// int, float, str, bytes, bool: [`crate::Payload::Wrapped`]
    Wrapped,
    /// tuple
    Tuple,
    /// list
    List,
    /// dict
    Dict,
    /// set, frozenset
    Set,
    /// type
    Type,
    /// A native module's object.
    Foreign,
}

janus_gil::gil_local! {
    static NEXT_VERSION: Cell<u32> = const { Cell::new(1) };
    static LOOKUPS: RefCell<Vec<Lookup>> = const { RefCell::new(Vec::new()) };
}

/// One entry of the lookup cache: what a name means in a version of a class.
#[derive(Clone)]
struct Lookup {
    version: u32,
    name: Option<Name>,
    found: Option<Value>,
}

const LOOKUPS_LEN: usize = 4096;

/// Empties the lookup cache, which keeps what it found alive.
pub(crate) fn forget_lookups() {
    drop(LOOKUPS.take());
}

/// Whether an attribute of a class is plain data, which has no part in how instances behave.
#[must_use]
pub fn is_data(name: &Name, value: &Value) -> bool {
    use crate::Payload;
    !name.as_str().starts_with("__")
        && match value {
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::Tuple(_)
            | Value::List(_)
            | Value::Dict(_)
            | Value::Set(_) => true,
            Value::Instance(i) => matches!(i.payload, Payload::Foreign(_)),
            _ => false,
        }
}

fn fresh_version() -> u32 {
    NEXT_VERSION.with(|next| {
        let version = next.get();
        // After four billion changes versions are no longer unique; 0 means "do not cache".
        next.set(if version == 0 {
            0
        } else {
            version.wrapping_add(1)
        });
        version
    })
}

impl Class {
    fn raw(
        class_name: Name,
        qualname: Name,
        bases: Vec<PyRef<Class>>,
        dict: NameMap<Value>,
        kind: BaseKind,
        metaclass: Option<PyRef<Class>>,
    ) -> PyRef<Class> {
        PyRef::new(Class {
            name: RefCell::new(class_name),
            qualname: RefCell::new(qualname),
            bases: RefCell::new(bases),
            mro: RefCell::new(Rc::new([])),
            dict: RefCell::new(dict),
            metaclass: RefCell::new(metaclass),
            version: Cell::new(fresh_version()),
            behaviour: Cell::new(fresh_version()),
            data_moves: Cell::new(false),
            flags: Cell::new(ClassFlags::default()),
            subclasses: RefCell::new(Vec::new()),
            kind: Cell::new(kind),
            construct: Cell::new(None),
            quick: Cell::new(None),
            own_collection: Cell::new(None),
        })
    }

    /// Makes a class written in Rust. Its attributes cannot be set from Python.
    pub fn builtin(
        class_name: &str,
        module: &str,
        bases: &[&PyRef<Class>],
        kind: BaseKind,
        natives: &[NativeDef],
    ) -> PyRef<Class> {
        // "types.GenericAlias": a name with its module.
        let (module, class_name) = class_name.rsplit_once('.').unwrap_or((module, class_name));
        let mut dict = NameMap::default();
        dict.insert(name!("__module__").clone(), Name::new(module).to_value());
        dict.insert(name!("__doc__").clone(), Value::None);
        let bases: Vec<PyRef<Class>> = bases.iter().map(|b| (*b).clone()).collect();
        let interned = Name::new(class_name);
        let class = Self::raw(interned.clone(), interned, bases, dict, kind, None);
        // Built-in hierarchies are consistent.
        if let Ok(mro) = linearize(&class) {
            *class.mro.borrow_mut() = mro;
        }
        Self::link(&class);
        class.add_natives(natives);
        if module != "builtins" && kind != BaseKind::Exception {
            class.set_qualified(true);
        }
        class
    }

    /// Whether error messages name it with its module.
    pub fn set_qualified(&self, qualified: bool) {
        self.flags.set(ClassFlags {
            qualified,
            ..self.flags.get()
        });
    }

    /// The name in error messages (`tp_name`).
    pub fn type_name(&self) -> String {
        let plain = self.name.borrow();
        if self.flags.get().qualified
            && let Some(module) = self.dict.borrow().get(name!("__module__"))
            && let Some(module) = module.as_str()
        {
            return format!("{module}.{plain}");
        }
        plain.to_string()
    }

    /// The name in `repr`: with its module unless that is `builtins`.
    pub fn full_name(&self) -> String {
        crate::types::full_name(self)
    }

    /// Adds native methods.
    pub fn add_natives(&self, natives: &[NativeDef]) {
        {
            let mut dict = self.dict.borrow_mut();
            for native in natives {
                dict.insert(Name::new(native.short_name()), native.to_value());
            }
        }
        self.touch();
    }

    /// Forbids deriving from it.
    pub(crate) fn seal(&self) {
        self.flags.set(ClassFlags {
            sealed: true,
            ..self.flags.get()
        });
    }

    /// Makes a class as `type.__new__` does, but without calling `__set_name__` and
    /// `__init_subclass__` (see [`build_class`]).
    pub fn new_type(
        class_name: &str,
        bases: Vec<PyRef<Class>>,
        dict: NameMap<Value>,
        metaclass: Option<PyRef<Class>>,
    ) -> PyResult<PyRef<Class>> {
        let bases = if bases.is_empty() {
            vec![types().object.clone()]
        } else {
            bases
        };
        for base in &bases {
            if base.flags.get().sealed {
                return Err(Raised::type_error(format!(
                    "type '{}' is not an acceptable base type",
                    base.full_name()
                )));
            }
        }
        let solid = best_base(&bases)?;
        let metaclass = metaclass.filter(|m| !PyRef::ptr_eq(m, &types().type_));
        let interned = Name::new(class_name);
        let qualname = match dict.get(name!("__qualname__")) {
            Some(v) => match v.as_pystr() {
                Some(s) => Name::intern(s),
                None => {
                    return Err(Raised::type_error(format!(
                        "type __qualname__ must be a str, not {}",
                        v.type_name()
                    )));
                }
            },
            None => interned.clone(),
        };
        let mut dict = dict;
        dict.shift_remove(name!("__qualname__"));
        // A class with its own equality does not inherit a hash.
        if dict.contains_key(name!("__eq__")) && !dict.contains_key(name!("__hash__")) {
            dict.insert(name!("__hash__").clone(), Value::None);
        }
        // A class without a text has none, unless that is a slot of its instances.
        let is_slot = dict.get(name!("__slots__")).is_some_and(|slots| {
            let tuple = slots.as_tuple().map(|t| t.items.to_vec());
            let names = tuple.or_else(|| slots.as_list().map(|l| l.to_vec()));
            names.is_some_and(|names| names.iter().any(|n| n.as_str() == Some("__doc__")))
        });
        if !dict.contains_key(name!("__doc__")) && !is_slot {
            dict.insert(name!("__doc__").clone(), Value::None);
        }
        for implicit in [name!("__init_subclass__"), name!("__class_getitem__")] {
            if let Some(f @ Value::Function(_)) = dict.get(implicit).cloned() {
                dict.insert(
                    implicit.clone(),
                    crate::builtin::descriptor::make_classmethod(f),
                );
            }
        }
        if let Some(f @ Value::Function(_)) = dict.get(name!("__new__")).cloned() {
            dict.insert(
                name!("__new__").clone(),
                crate::builtin::descriptor::make_staticmethod(f),
            );
        }
        let class = Self::raw(interned, qualname, bases, dict, solid.kind.get(), metaclass);
        let slotted = is_slotted(&class)?;
        class.flags.set(ClassFlags {
            mutable: true,
            slotted,
            ..ClassFlags::default()
        });
        let mro = linearize(&class)?;
        *class.mro.borrow_mut() = mro;
        for slot in class.own_slots() {
            // The slot is what is meant, not what a base has of that name.
            if class.find_in_mro(&slot).is_some() {
                let member = crate::builtin::member::made(&class, &slot);
                class.dict.borrow_mut().insert(slot, member);
            }
        }
        Self::link(&class);
        Ok(class)
    }

    /// Registers with the bases and computes the flags.
    pub(crate) fn link(this: &PyRef<Self>) {
        for base in this.bases.borrow().iter() {
            let mut subclasses = base.subclasses.borrow_mut();
            if subclasses.len() == subclasses.capacity() {
                subclasses.retain(PyWeak::is_alive);
            }
            subclasses.push(PyWeak::new(this));
        }
        this.compute_flags();
    }

    fn compute_flags(&self) {
        let overridden = |name: &Name, plain: &str| match self.find_in_mro(name) {
            Some(Value::Native(n)) => n.qualname != plain,
            Some(_) => true,
            None => false,
        };
        // That of a built-in value, if there is one inside.
        let of_value = |name: &Name| matches!(self.find_in_mro(name), Some(Value::Native(n)) if !n.qualname.starts_with("object."));
        let has_value = matches!(self.kind.get(), BaseKind::Tuple | BaseKind::Wrapped);
        let container = match self.kind.get() {
            BaseKind::Tuple => "tuple",
            BaseKind::List => "list",
            BaseKind::Dict => "dict",
            BaseKind::Set => "set",
            BaseKind::Foreign => "array",
            _ => "",
        };
        let of_container = |name: &Name| match self.find_in_mro(name) {
            Some(Value::Native(n)) if !container.is_empty() => {
                n.qualname.split_once('.') == Some((container, name.as_str()))
            }
            _ => false,
        };
        let old = self.flags.get();
        self.flags.set(ClassFlags {
            custom_getattribute: overridden(name!("__getattribute__"), "object.__getattribute__"),
            finalizer: self.find_in_mro(name!("__del__")).is_some(),
            custom_getattr: self.find_in_mro(name!("__getattr__")).is_some(),
            custom_setattr: overridden(name!("__setattr__"), "object.__setattr__")
                || overridden(name!("__delattr__"), "object.__delattr__"),
            mutable: old.mutable,
            exception: self.kind.get() == BaseKind::Exception,
            sealed: old.sealed,
            slotted: old.slotted,
            qualified: old.qualified,
            identity_eq: !overridden(name!("__eq__"), "object.__eq__")
                && !overridden(name!("__hash__"), "object.__hash__"),
            object_eq: !overridden(name!("__eq__"), "object.__eq__")
                && !overridden(name!("__ne__"), "object.__ne__"),
            value_eq: has_value
                && of_value(name!("__eq__"))
                && of_value(name!("__ne__"))
                && of_value(name!("__hash__")),
            items_inside: of_container(name!("__getitem__")),
            stores_inside: of_container(name!("__setitem__")),
            contains_inside: of_container(name!("__contains__")),
            is_true: self.find_in_mro(name!("__bool__")).is_none()
                && self.find_in_mro(name!("__len__")).is_none(),
            torch_function: overridden(
                name!("__torch_function__"),
                "torch._C._disabled_torch_function_impl",
            ),
        });
    }

    /// The classes that name this one as a base and are still alive.
    pub(crate) fn direct_subclasses(&self) -> Vec<PyRef<Class>> {
        let subclasses = self.subclasses.borrow();
        subclasses.iter().filter_map(PyWeak::upgrade).collect()
    }

    /// Gives this class and all derived from it new versions, after a change.
    pub fn touch(&self) {
        self.version.set(fresh_version());
        self.behaviour.set(fresh_version());
        self.compute_flags();
        for subclass in self.direct_subclasses() {
            subclass.touch();
        }
    }

    /// The same after plain data took the place of other plain data.
    fn touch_data(&self) {
        self.version.set(fresh_version());
        for subclass in self.direct_subclasses() {
            subclass.touch_data();
        }
    }

    /// Looks a name up in the MRO.
    #[inline]
    pub fn lookup(&self, name: &Name) -> Option<Value> {
        let version = self.version.get();
        if version == 0 {
            return self.find_in_mro(name);
        }
        let slot = (version as usize).wrapping_mul(0x9E37_79B1) ^ (name.as_pystr().hash() as usize);
        let slot = slot % LOOKUPS_LEN;
        LOOKUPS.with(|lookups| {
            if let Some(entry) = lookups.borrow().get(slot)
                && entry.version == version
                && entry.name.as_ref() == Some(name)
            {
                return entry.found.clone();
            }
            let found = self.find_in_mro(name);
            let mut lookups = lookups.borrow_mut();
            if lookups.is_empty() {
                lookups.resize(
                    LOOKUPS_LEN,
                    Lookup {
                        version: 0,
                        name: None,
                        found: None,
                    },
                );
            }
            let entry = Lookup {
                version,
                name: Some(name.clone()),
                found: found.clone(),
            };
            let old = lookups
                .get_mut(slot)
                .map(|slot| std::mem::replace(slot, entry));
            drop(lookups);
            drop(old);
            found
        })
    }

    fn find_in_mro(&self, name: &Name) -> Option<Value> {
        self.mro
            .borrow()
            .iter()
            .find_map(|class| class.dict.borrow().get(name).cloned())
    }

    /// Looks a name up in the MRO after `start` (what `super` does).
    pub fn lookup_after(&self, start: &PyRef<Class>, name: &Name) -> Option<Value> {
        let mro = self.mro.borrow().clone();
        mro.iter()
            .skip_while(|class| !PyRef::ptr_eq(class, start))
            .skip(1)
            .find_map(|class| class.dict.borrow().get(name).cloned())
    }

    /// The class of the MRO that defines a name.
    pub fn owner_of(&self, name: &Name) -> Option<PyRef<Class>> {
        self.mro
            .borrow()
            .iter()
            .find(|class| class.dict.borrow().contains_key(name))
            .cloned()
    }

    /// Sets an attribute of the class itself, without descriptors.
    pub fn set(&self, name: &Name, value: Value) {
        let data = is_data(name, &value);
        let old = self.dict.borrow_mut().insert(name.clone(), value);
        // The first time, whoever took it for a constant is told.
        let was_data = old.as_ref().is_some_and(|old| is_data(name, old));
        if data && was_data && self.data_moves.replace(true) {
            self.touch_data();
        } else {
            self.touch();
        }
    }

    /// Removes an attribute of the class itself.
    pub fn remove(&self, name: &Name) -> Option<Value> {
        let old = self.dict.borrow_mut().shift_remove(name)?;
        self.touch();
        Some(old)
    }

    /// What `match` takes its instances for.
    pub fn collection(&self) -> Option<Collection> {
        let mro = self.mro.borrow();
        mro.iter().find_map(|class| class.own_collection.get())
    }

    /// Whether it is `other` or derives from it.
    #[inline]
    pub fn is_subclass_of(&self, other: &PyRef<Class>) -> bool {
        std::ptr::eq(self, PyRef::as_ptr(other))
            || self
                .mro
                .borrow()
                .iter()
                .any(|class| PyRef::ptr_eq(class, other))
    }

    /// `type(self)`
    pub fn metaclass(&self) -> PyRef<Class> {
        self.own_metaclass()
            .unwrap_or_else(|| types().type_.clone())
    }

    /// The metaclass, if it is not `type`.
    #[inline]
    pub fn own_metaclass(&self) -> Option<PyRef<Class>> {
        self.metaclass.borrow().clone()
    }

    /// Whether the metaclass is not `type`.
    #[inline]
    pub fn has_metaclass(&self) -> bool {
        self.metaclass.borrow().is_some()
    }

    /// `class.__class__ = metaclass`, where both metaclasses are a script's.
    pub fn set_metaclass(&self, metaclass: PyRef<Class>) {
        let old = self.metaclass.replace(Some(metaclass));
        drop(old);
        self.version.set(fresh_version());
        self.behaviour.set(fresh_version());
    }

    /// The name for messages.
    pub fn display_name(&self) -> String {
        self.name.borrow().to_string()
    }
}
