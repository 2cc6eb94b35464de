//! Warnings that nobody sees: given at their line before, or ignored by a filter.
//!
//! In: a warning's text, its class and where it is given. Out: whether giving it does nothing. Always: it does nothing as long as
//! the guard holds, which is about the line's module's `__warningregistry__`, or about the filters.

use std::rc::Rc;

use janus_object::{Class, ExcKind, Name, PyDict, PyFunction, PyModule, PyRef, Value};
use janus_plan::{Check, Namespace, NodeId, Recursion, Step};

use crate::executor::Executor;

/// The names that are looked at.
const REGISTRY: &str = "__warningregistry__";
const VERSION: &str = "_version";

/// Where a warning is given.
pub(crate) struct Given {
    globals: PyRef<PyDict>,
    line: i64,
}

/// What of a warning may be shown.
pub(crate) struct Warned<'a> {
    /// Its text, where it is known.
    pub text: Option<&'a str>,
    pub category: PyRef<Class>,
    pub at: Given,
}

/// What `warnings` begins with.
struct Warnings {
    module: PyRef<PyModule>,
    warn: PyRef<PyFunction>,
}

/// Whether this is the library's `warnings.warn`.
pub(crate) fn is_warn(f: &PyFunction) -> bool {
    let code = &f.code.borrow().code;
    &*code.filename == "<frozen _warnings>" && &*code.qualname == "warn"
}

impl Executor<'_> {
    /// The frame from which a warning is told to come, so many calls out of what runs; `None`: it is outside of the region, or called
    /// from more than one place.
    pub(crate) fn warned_from(&self, out: usize) -> Option<Given> {
        let active = &self.calls.active;
        if out > 0 && self.region.relaxations.recursion == Recursion::Invoked {
            return None;
        }
        let frame = active.get(active.len().checked_sub(out + 1)?)?;
        let span = frame.code.code.spans.get(frame.pc as usize)?;
        Some(Given {
            globals: frame.globals.clone(),
            line: i64::from(span.line),
        })
    }

    /// A UserWarning of a library's at the line that runs: whether it does nothing.
    pub(crate) fn warns_in_vain(&mut self, text: &str) -> bool {
        let Some(at) = self.warned_from(0) else {
            return false;
        };
        let warned = Warned {
            text: Some(text),
            category: ExcKind::UserWarning.class(),
            at,
        };
        self.is_warned_in_vain(&warned)
    }

    /// Whether giving a warning does nothing.
    pub(crate) fn is_warned_in_vain(&mut self, warned: &Warned<'_>) -> bool {
        // A class of the user's may do anything where it is made.
        if warned.category.flags.get().mutable {
            return false;
        }
        let Some(warnings) = self.warnings() else {
            return false;
        };
        self.is_known_warning(&warnings, warned) || self.is_ignored(&warnings, warned)
    }

    fn warnings(&self) -> Option<Warnings> {
        let Value::Module(module) = self.vm.loaded_modules().get_str("warnings")? else {
            return None;
        };
        match module.dict.get_str("warn")? {
            Value::Function(warn) if is_warn(&warn) => Some(Warnings { module, warn }),
            _ => None,
        }
    }

    /// Whether it was given at this line, and nothing about filters has changed since.
    fn is_known_warning(&mut self, warnings: &Warnings, warned: &Warned<'_>) -> bool {
        let known = |space: &PyRef<PyDict>, name: &str| {
            let written = self.state.namespaces.get(&(PyRef::as_ptr(space) as usize));
            match written.is_some_and(|n| n.written.contains(&Name::new(name))) {
                true => None,
                false => space.get_str(name),
            }
        };
        let (globals, inner) = (&warned.at.globals, &warnings.warn.globals);
        let (Some(version @ Value::Int(_)), Some(Value::Dict(registry)), Some(text)) =
            (known(inner, VERSION), known(globals, REGISTRY), warned.text)
        else {
            return false;
        };
        let key = Value::tuple(vec![
            Value::str(text),
            Value::Class(warned.category.clone()),
            Value::Int(warned.at.line),
        ]);
        let now = registry.get_str("version");
        let given = matches!(registry.get_simple(&key), Some(Some(Value::Bool(b))) if b.get());
        if !given || now.and_then(|v| v.as_int()) != version.as_int() {
            return false;
        }
        let (globals, inner) = (globals.clone(), inner.clone());
        self.guard_warnings(warnings);
        let version = self.name_of_module(&inner, VERSION, || Check::None);
        let registry = self.name_of_module(&globals, REGISTRY, || {
            Check::Same(Value::Dict(registry.clone()))
        });
        let path: Rc<str> = REGISTRY.into();
        let is_there = |n: &janus_plan::Node| matches!(&n.step, Step::DictValue(of, k) if *of == registry && janus_object::simple_eq(k, &key) == Some(true));
        if !self.entry.nodes.iter().any(is_there) {
            let of = Step::DictValue(registry, Value::str("version"));
            self.node(of, Check::SameAs(version), &path);
            let given = Check::Equal(Value::bool(true));
            self.node(Step::DictValue(registry, key), given, &path);
        }
        true
    }

    /// Whether the first filter that it fits ignores it.
    fn is_ignored(&mut self, warnings: &Warnings, warned: &Warned<'_>) -> bool {
        let Some(Value::List(filters)) = warnings.module.dict.get_str("filters") else {
            return false;
        };
        // The first one in a module makes its registry.
        let Some(registry @ Value::Dict(_)) = warned.at.globals.get_str(REGISTRY) else {
            return false;
        };
        // What the region itself writes there is not looked at.
        let address = PyRef::as_ptr(&filters) as usize;
        let space = PyRef::as_ptr(&warnings.module.dict) as usize;
        if self.state.by_address.contains_key(&address)
            || self
                .state
                .namespaces
                .get(&space)
                .is_some_and(|n| n.written.contains(&Name::new("filters")))
        {
            return false;
        }
        let items = filters.to_vec();
        let mut decides = None;
        for (at, item) in items.iter().enumerate() {
            match fits(item, warned) {
                Some(true) => {
                    decides = Some(at);
                    break;
                }
                Some(false) => {}
                None => return false,
            }
        }
        let action = |item: &Value| item.as_tuple().and_then(|t| t.items.first().cloned());
        let Some(at) = decides.filter(|&at| {
            let action = items.get(at).and_then(action);
            action.is_some_and(|a| a.as_str() == Some("ignore"))
        }) else {
            return false;
        };
        self.guard_warnings(warnings);
        self.name_of_module(&warned.at.globals, REGISTRY, || {
            Check::Same(registry.clone())
        });
        let list = self.name_of_module(&warnings.module.dict.clone(), "filters", || {
            Check::Same(Value::List(filters.clone()))
        });
        let path: Rc<str> = "warnings.filters".into();
        for (i, item) in items.into_iter().enumerate().take(at + 1) {
            let is_there =
                |n: &janus_plan::Node| matches!(n.step, Step::Item(of, j) if of == list && i == j);
            if !self.entry.nodes.iter().any(is_there) {
                self.node(Step::Item(list, i), Check::Same(item), &path);
            }
        }
        true
    }

    /// `warnings.warn` is the library's.
    fn guard_warnings(&mut self, warnings: &Warnings) {
        let modules = self.vm.loaded_modules().clone();
        let module = Value::Module(warnings.module.clone());
        self.name_of_module(&modules, "warnings", || Check::Same(module.clone()));
        let warn = Value::Function(warnings.warn.clone());
        self.name_of_module(&warnings.module.dict.clone(), "warn", || {
            Check::Same(warn.clone())
        });
    }

    /// The node of a name, with this check.
    fn name_of_module(
        &mut self,
        space: &PyRef<PyDict>,
        name: &str,
        check: impl Fn() -> Check,
    ) -> NodeId {
        let name = Name::new(name);
        let is_there = |n: &janus_plan::Node| {
            let of_name = matches!(&n.step, Step::Namespace(Namespace::Globals(of), k) if PyRef::ptr_eq(of, space) && *k == name);
            let same = match (&n.check, check()) {
                (Check::Same(a), Check::Same(b)) => janus_object::ops::is(a, &b),
                (Check::None, Check::None) => true,
                _ => false,
            };
            of_name && same
        };
        if let Some(at) = self.entry.nodes.iter().position(is_there) {
            return NodeId(u32::try_from(at).unwrap_or(u32::MAX));
        }
        let path: Rc<str> = name.as_str().into();
        let step = Step::Namespace(Namespace::Globals(space.clone()), name);
        self.node(step, check(), &path)
    }
}

/// Whether a filter is one for this warning; `None`: a pattern decides, which is code.
fn fits(filter: &Value, warned: &Warned<'_>) -> Option<bool> {
    let filter = filter.as_tuple()?;
    let [_, message, Value::Class(kind), module, line] = &filter.items[..] else {
        return None;
    };
    let line = line.as_int()?;
    if kind.has_metaclass() {
        return None;
    }
    if !warned.category.is_subclass_of(kind) || line != 0 && line != warned.at.line {
        return Some(false);
    }
    let text = match message {
        Value::None => true,
        Value::Str(s) => warned.text? == s.as_str(),
        _ => return None,
    };
    match (text, module) {
        (false, _) => Some(false),
        (true, Value::None) => Some(true),
        _ => None,
    }
}
