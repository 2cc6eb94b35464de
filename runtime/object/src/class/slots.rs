//! `__slots__`: which attributes instances have, and where they may have others.

use crate::class::{BaseKind, Class};
use crate::{Name, PyRef, PyResult, Raised, Value, name, ops, types};

/// The names in a class's own `__slots__`.
fn slot_names(class: &Class) -> Option<Vec<String>> {
    let slots = class.dict.borrow().get(name!("__slots__")).cloned()?;
    let names = match &slots {
        Value::Str(s) => vec![Value::Str(s.clone())],
        Value::Dict(d) => d.keys(),
        other => match (other.as_tuple(), other.as_list(), other.as_set()) {
            (Some(t), ..) => t.items.to_vec(),
            (_, Some(l), _) => l.to_vec(),
            (_, _, Some(s)) => s.items(),
            // Any other iterable would have to be run; it is not enforced.
            _ => match other.as_dict() {
                Some(d) => d.keys(),
                None => return None,
            },
        },
    };
    let class_name = class.name.borrow();
    Some(
        names
            .iter()
            .filter_map(|v| v.as_str().map(|name| mangled(class_name.as_str(), name)))
            .collect(),
    )
}

/// A private name as the methods of a class write it.
fn mangled(class: &str, name: &str) -> String {
    let class = class.trim_start_matches('_');
    if !name.starts_with("__") || name.ends_with("__") || class.is_empty() {
        return name.to_owned();
    }
    format!("_{class}{name}")
}

/// Refuses what `__slots__` of a new class may not hold.
fn check_slots(class: &Class) -> PyResult<()> {
    let Some(slots) = class.dict.borrow().get(name!("__slots__")).cloned() else {
        return Ok(());
    };
    if slots.as_str().is_none() && ops::special(&slots, name!("__iter__")).is_none() {
        return Err(Raised::type_error(format!(
            "'{}' object is not iterable",
            slots.type_name()
        )));
    }
    let items = match (slots.as_str(), slots.as_tuple(), slots.as_list()) {
        (Some(_), ..) => vec![slots.clone()],
        (_, Some(t), _) => t.items.to_vec(),
        (_, _, Some(l)) => l.to_vec(),
        _ => Vec::new(),
    };
    let bases = class.bases.borrow();
    for item in &items {
        let Some(name) = item.as_str() else {
            return Err(Raised::type_error(format!(
                "__slots__ items must be strings, not '{}'",
                item.type_name()
            )));
        };
        let mut letters = name.chars();
        let starts = letters
            .next()
            .is_some_and(crate::text::unicode::starts_name);
        if !starts || !letters.all(crate::text::unicode::continues_name) {
            return Err(Raised::type_error("__slots__ must be identifiers"));
        }
        let twice = items.iter().filter(|i| i.as_str() == Some(name)).count() > 1;
        let got = match name {
            // Other bases than the first may have one: the class takes its layout from that.
            "__dict__" => twice || bases.first().is_some_and(|base| base.gives_dict()),
            "__weakref__" => twice || bases.first().is_some_and(|base| base.gives_weakref()),
            _ => false,
        };
        if got {
            let why = match name {
                "__dict__" => "we already got one",
                _ => "either we already got one, or __itemsize__ != 0",
            };
            return Err(Raised::type_error(format!("{name} slot disallowed: {why}")));
        }
    }
    let t = types();
    let sized = [&t.int, &t.bytes, &t.tuple];
    if items.iter().any(|i| i.as_str() != Some("__dict__"))
        && let Some(base) = bases
            .iter()
            .find(|base| sized.iter().any(|s| base.is_subclass_of(s)))
    {
        return Err(Raised::type_error(format!(
            "nonempty __slots__ not supported for subtype of '{}'",
            base.name.borrow()
        )));
    }
    Ok(())
}

/// Whether a new class and all its bases restrict attributes by `__slots__`.
pub(crate) fn is_slotted(class: &Class) -> PyResult<bool> {
    check_slots(class)?;
    let Some(names) = slot_names(class) else {
        return Ok(false);
    };
    if let Some(clash) = names
        .iter()
        .find(|n| class.dict.borrow().contains_key(&Name::new(n)))
    {
        return Err(Raised::value_error(format!(
            "'{clash}' in __slots__ conflicts with class variable"
        )));
    }
    Ok(!names.iter().any(|n| n == "__dict__")
        && class.bases.borrow().iter().all(|base| {
            base.flags.get().slotted
                || (!base.flags.get().mutable && base.kind.get() != BaseKind::Exception)
        }))
}

impl Class {
    /// Whether `__slots__` of this class or of a base names an attribute.
    #[must_use]
    pub fn has_slot(&self, name: &Name) -> bool {
        let mro = self.mro.borrow().clone();
        mro.iter().any(|c| {
            slot_names(c).is_some_and(|names| names.iter().any(|n| n.as_str() == name.as_str()))
        })
    }

    /// Whether `__slots__` of this class or of a base names an attribute at all.
    #[must_use]
    pub fn has_slots(&self) -> bool {
        let mro = self.mro.borrow().clone();
        mro.iter().any(|c| {
            slot_names(c).is_some_and(|names| {
                names
                    .iter()
                    .any(|n| !matches!(n.as_str(), "__dict__" | "__weakref__"))
            })
        })
    }

    /// The class, this or a base, that lets its instances have weak references.
    pub(crate) fn weak_owner(&self) -> Option<PyRef<Class>> {
        let mro = self.mro.borrow();
        let lets = |class: &&PyRef<Class>| {
            let flags = class.flags.get();
            let names = slot_names(class);
            flags.mutable && names.is_none_or(|names| names.iter().any(|n| n == "__weakref__"))
        };
        mro.iter().rfind(lets).cloned()
    }

    /// Whether its instances have a dict.
    fn gives_dict(&self) -> bool {
        let flags = self.flags.get();
        flags.mutable && !flags.slotted
            || matches!(self.kind.get(), BaseKind::Exception | BaseKind::Type)
            || std::ptr::eq(self, PyRef::as_ptr(&types().module))
    }

    /// Whether its instances can have weak references.
    fn gives_weakref(&self) -> bool {
        let t = types();
        let is = |class: &PyRef<Class>| std::ptr::eq(self, PyRef::as_ptr(class));
        self.weak_owner().is_some()
            || matches!(self.kind.get(), BaseKind::Set | BaseKind::Type)
            || is(&t.module)
    }

    /// `__dict__` and `__weakref__`, where a class made by a class statement is the first of its bases to have them.
    pub(crate) fn implicit_members(&self) -> Vec<Name> {
        let mut found = Vec::new();
        if !self.flags.get().mutable {
            return found;
        }
        let (bases, t) = (self.bases.borrow(), types());
        if self.gives_dict() && !bases.iter().any(|base| base.gives_dict()) {
            found.push(name!("__dict__").clone());
        }
        let lets = slot_names(self).is_none_or(|names| names.iter().any(|n| n == "__weakref__"));
        let sized = [&t.int, &t.bytes, &t.tuple];
        if lets
            && !bases.iter().any(|base| base.gives_weakref())
            && !sized.iter().any(|s| self.is_subclass_of(s))
        {
            found.push(name!("__weakref__").clone());
        }
        found
    }

    /// The attributes that its own `__slots__` name.
    pub(crate) fn own_slots(&self) -> Vec<Name> {
        let names = slot_names(self).unwrap_or_default();
        let attributes = names
            .iter()
            .filter(|n| !matches!(n.as_str(), "__dict__" | "__weakref__"));
        attributes.map(|n| Name::new(n)).collect()
    }

    /// The class in whose `__slots__` an attribute is named.
    pub(crate) fn slot_owner(&self, name: &Name) -> Option<PyRef<Class>> {
        if matches!(name.as_str(), "__dict__" | "__weakref__") {
            return None;
        }
        let mro = self.mro.borrow();
        let names_it = |c: &&PyRef<Class>| {
            slot_names(c).is_some_and(|names| names.iter().any(|n| n.as_str() == name.as_str()))
        };
        mro.iter().find(names_it).cloned()
    }
}
