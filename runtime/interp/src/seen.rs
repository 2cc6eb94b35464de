//! What inline caches know, for compilers.
//!
//! In: an instruction. Out: what its cache saw last. Always: it is a guess: code that is made of it checks versions and
//! layouts as the cache itself does.

use janus_object::{CodeObject, Instance, PyFunction, PyRef, Value};

use crate::attr_cache::{AttrCache, AttrKind, Hit, field_of, instance_layout, is_shown};
use crate::cache::CodeState;

/// What an access of an attribute found.
#[derive(Clone)]
pub enum SeenAttr {
    /// An entry of the dict of an instance.
    Slot {
        /// The version of its class.
        version: u32,
        /// The layout of the dict.
        layout: u32,
        /// Where the entry is.
        index: u32,
    },
    /// Storing appended an entry to the dict of an instance.
    Append {
        /// The version of its class.
        version: u32,
        /// The layout of the dict before.
        before: u32,
        /// The layout behind it.
        after: u32,
    },
    /// A value of the class of an instance whose dict lacks the name.
    ClassValue {
        /// The version of the class.
        version: u32,
        /// The layout of the dict.
        layout: u32,
        /// The value; a function is to be bound.
        value: Value,
        /// The version of the class of a value that is an instance, else 0: there it has no `__get__`.
        shown: u32,
    },
    /// What is in a static method of the class of an instance whose dict lacks the name.
    Static {
        /// The version of the class.
        version: u32,
        /// The layout of the dict.
        layout: u32,
        /// The function.
        value: Value,
    },
    /// What is in a class method of that.
    ClassMethod {
        /// The version of the class.
        version: u32,
        /// The layout of the dict.
        layout: u32,
        /// The function, which is to be bound to the class.
        value: Value,
    },
    /// What a property of the class of an instance calls.
    Getter {
        /// The version of the class.
        version: u32,
        /// The function.
        value: Value,
    },
    /// An item of an instance that is a tuple.
    Field {
        /// The version of its class.
        version: u32,
        /// Which one.
        at: u32,
    },
    /// A value of a class.
    OfClass {
        /// The version of the class.
        version: u32,
        /// The value.
        value: Value,
        /// As in [`SeenAttr::ClassValue`].
        shown: u32,
    },
    /// A function that is to be bound to the class whose attribute it is.
    MethodOfClass {
        /// The version of the class.
        version: u32,
        /// The function.
        value: Value,
    },
    /// A method of a built-in type.
    Builtin(Value),
    /// A function that `super()` found for an instance of a class, behind another class.
    Super {
        /// The version of the instance's class.
        version: u32,
        /// The version of the class behind which it was looked for.
        start: u32,
        /// The function.
        value: Value,
    },
}

impl SeenAttr {
    /// What a cache holds.
    pub(crate) fn of(cache: &AttrCache) -> Option<SeenAttr> {
        let (version, layout) = (cache.version.get(), cache.layout.get());
        let value = || cache.value.borrow().clone();
        Some(match cache.kind.get() {
            AttrKind::Slot => SeenAttr::Slot {
                version,
                layout,
                index: cache.index.get(),
            },
            AttrKind::Append => SeenAttr::Append {
                version,
                before: layout,
                after: cache.index.get(),
            },
            AttrKind::ClassValue => SeenAttr::ClassValue {
                version,
                layout,
                value: value()?,
                shown: cache.index.get(),
            },
            AttrKind::Static => SeenAttr::Static {
                version,
                layout,
                value: value()?,
            },
            AttrKind::ClassMethod => SeenAttr::ClassMethod {
                version,
                layout,
                value: value()?,
            },
            AttrKind::OfClass => SeenAttr::OfClass {
                version,
                value: value()?,
                shown: cache.index.get(),
            },
            AttrKind::MethodOfClass => SeenAttr::MethodOfClass {
                version,
                value: value()?,
            },
            AttrKind::Getter => SeenAttr::Getter {
                version,
                value: value()?,
            },
            AttrKind::Field => SeenAttr::Field {
                version,
                at: cache.index.get(),
            },
            AttrKind::Builtin => SeenAttr::Builtin(value()?),
            AttrKind::Super => SeenAttr::Super {
                version,
                start: layout,
                value: value()?,
            },
            _ => return None,
        })
    }

    /// The value that it names.
    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            SeenAttr::ClassValue { value, .. }
            | SeenAttr::Static { value, .. }
            | SeenAttr::ClassMethod { value, .. }
            | SeenAttr::OfClass { value, .. }
            | SeenAttr::MethodOfClass { value, .. }
            | SeenAttr::Super { value, .. }
            | SeenAttr::Getter { value, .. }
            | SeenAttr::Builtin(value) => Some(value),
            SeenAttr::Slot { .. } | SeenAttr::Append { .. } | SeenAttr::Field { .. } => None,
        }
    }

    /// What it tells of an object, if it is one of those that it was seen of.
    pub(crate) fn find(&self, object: &Value) -> Option<Hit> {
        match (self, object) {
            (SeenAttr::Builtin(_), _) => None,
            (
                SeenAttr::OfClass {
                    version,
                    value,
                    shown,
                },
                Value::Class(class),
            ) if class.version.get() == *version && is_shown(value, *shown) => {
                Some(Hit::Value(value.clone()))
            }
            (SeenAttr::MethodOfClass { version, value }, Value::Class(class))
                if class.version.get() == *version =>
            {
                Some(Hit::Method(value.clone()))
            }
            (seen, Value::Instance(instance)) => seen.find_in(instance),
            _ => None,
        }
    }

    fn find_in(&self, instance: &PyRef<Instance>) -> Option<Hit> {
        match self {
            SeenAttr::Getter { version, value } if *version == instance.class_version() => {
                return Some(Hit::Getter(value.clone()));
            }
            SeenAttr::Field { version, at } if *version == instance.class_version() => {
                return field_of(instance, *at).map(Hit::Value);
            }
            _ => {}
        }
        let (version, layout) = match self {
            SeenAttr::Slot {
                version, layout, ..
            }
            | SeenAttr::ClassValue {
                version, layout, ..
            }
            | SeenAttr::Static {
                version, layout, ..
            }
            | SeenAttr::ClassMethod {
                version, layout, ..
            } => (*version, *layout),
            _ => return None,
        };
        if version != instance.class_version() || layout != instance_layout(instance) {
            return None;
        }
        match self {
            SeenAttr::Slot { index, .. } => {
                let dict = instance.dict.get()?;
                dict.value_at(*index as usize).map(Hit::Value)
            }
            SeenAttr::ClassValue { value, shown, .. } => match value {
                Value::Function(_) | Value::Native(_) => Some(Hit::Method(value.clone())),
                value => is_shown(value, *shown).then(|| Hit::Value(value.clone())),
            },
            SeenAttr::Static { value, .. } => Some(Hit::Value(value.clone())),
            SeenAttr::ClassMethod { value, .. } => Some(Hit::ClassMethod(value.clone())),
            _ => None,
        }
    }

    /// Whether both tell the same of the same class and layout.
    #[must_use]
    pub fn is_same(&self, other: &SeenAttr) -> bool {
        use SeenAttr as S;
        let key = |s: &SeenAttr| match *s {
            S::Slot {
                version, layout, ..
            } => (0, version, layout),
            S::Append {
                version, before, ..
            } => (1, version, before),
            S::ClassValue {
                version, layout, ..
            } => (2, version, layout),
            S::OfClass { version, .. } => (3, version, 0),
            S::Builtin(_) => (4, 0, 0),
            S::MethodOfClass { version, .. } => (5, version, 0),
            S::Static {
                version, layout, ..
            } => (6, version, layout),
            S::ClassMethod {
                version, layout, ..
            } => (7, version, layout),
            S::Super { version, start, .. } => (8, version, start),
            S::Getter { version, .. } => (9, version, 0),
            S::Field { version, .. } => (10, version, 0),
        };
        match (self, other) {
            (S::Builtin(a), S::Builtin(b)) => janus_object::ops::is(a, b),
            _ => key(self) == key(other),
        }
    }
}

/// What the accesses of an attribute at an instruction found, the last first.
#[must_use]
pub fn seen_attrs(code: &CodeObject, pc: u32) -> Vec<SeenAttr> {
    let cache = CodeState::of(code).and_then(|state| {
        let quick = state.ops.get(pc as usize)?;
        state.attrs.get(quick.cache as usize)
    });
    let Some(cache) = cache else {
        return Vec::new();
    };
    let mut all: Vec<SeenAttr> = SeenAttr::of(cache).into_iter().collect();
    for earlier in cache.earlier.borrow().iter() {
        if !all.iter().any(|s| s.is_same(earlier)) {
            all.push(earlier.clone());
        }
    }
    all
}

/// What the access of an attribute at an instruction found last.
#[must_use]
pub fn seen_attr(code: &CodeObject, pc: u32) -> Option<SeenAttr> {
    seen_attrs(code, pc).into_iter().next()
}

/// What an operation on an instance came to.
#[derive(Clone)]
pub enum SeenOperator {
    /// A call of a method of its class.
    Method {
        /// The version of the receiver's class.
        receiver: u32,
        /// The version of the argument's class, 0 if that is no instance; `None`: it has no say.
        argument: Option<u32>,
        /// The method.
        method: PyRef<PyFunction>,
    },
    /// A look at whether both are the same object.
    Identity,
}

/// What an operator, a comparison, a subscription or a test of membership at an instruction met.
#[must_use]
pub fn seen_operator(code: &CodeObject, pc: u32) -> Option<SeenOperator> {
    let state = CodeState::of(code)?;
    let quick = state.ops.get(pc as usize)?;
    state.operators.get(quick.cache as usize)?.seen()
}

/// What a call of `len` at an instruction met.
#[must_use]
pub fn seen_len(code: &CodeObject, pc: u32) -> Option<SeenOperator> {
    let state = CodeState::of(code)?;
    let quick = state.ops.get(pc as usize)?;
    state.calls.get(quick.cache as usize)?.len.seen()
}

/// The `__init__` that a call of a class at an instruction ran, with the version of the class.
#[must_use]
pub fn seen_init(
    code: &CodeObject,
    pc: u32,
    class: &janus_object::Class,
) -> Option<PyRef<PyFunction>> {
    let state = CodeState::of(code)?;
    let quick = state.ops.get(pc as usize)?;
    state.calls.get(quick.cache as usize)?.init_of(class)
}
