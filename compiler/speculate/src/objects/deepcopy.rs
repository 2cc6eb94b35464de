//! `copy.deepcopy` of plain data: containers of constants and tensors, as a state to go back to is one.
//!
//! In: a value. Out: its copy. Always: what is one object in it is one in the copy; whatever has a say in how it is
//! copied, or shares memory with another part, is left to the library's own code.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use janus_object::{Name, PyFunction, PyRef, Value};
use janus_torch::TorchOps;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymDict, SymInstance};

/// Copies of a structure's objects, and the memory that was copied.
#[derive(Default)]
struct Copies {
    of: HashMap<Obj, Sym>,
    /// What is being copied.
    begun: HashSet<Obj>,
    memory: HashSet<Obj>,
}

/// Whether this is the library's `copy.deepcopy`.
pub(crate) fn is_deepcopy(f: &PyFunction) -> bool {
    let code = &f.code.borrow().code;
    &*code.filename == "<frozen copy>" && &*code.qualname == "deepcopy"
}

impl Executor<'_> {
    /// A deep copy; `None`: it is not of plain data. Nothing is left of an attempt that fails but dead ops.
    pub(crate) fn deep_copy(&mut self, v: &Sym) -> Res<Option<Sym>> {
        self.copied(&mut Copies::default(), v)
    }

    fn copied(&mut self, copies: &mut Copies, v: &Sym) -> Res<Option<Sym>> {
        let obj = match v {
            Sym::Scalar(_) => return Ok(Some(v.clone())),
            Sym::Known(known) => return Ok(is_atomic(known).then(|| v.clone())),
            Sym::Obj(obj) => *obj,
            Sym::Null => return Ok(None),
        };
        if let Some(copy) = copies.of.get(&obj) {
            return Ok(Some(copy.clone()));
        }
        if !copies.begun.insert(obj) {
            return Ok(None);
        }
        let copy = match self.state.heap[obj].kind.clone() {
            Kind::Text(_) | Kind::Told | Kind::Later { .. } | Kind::Function(_) => v.clone(),
            Kind::List(_) | Kind::Tuple(_) => {
                let old = self.collect(v)?;
                let mut items = Vec::with_capacity(old.len());
                for item in &old {
                    match self.copied(copies, item)? {
                        Some(item) => items.push(item),
                        None => return Ok(None),
                    }
                }
                let is_list = matches!(self.state.heap[obj].kind, Kind::List(_));
                match old.iter().zip(&items).all(|(a, b)| a.same(b)) {
                    _ if is_list => self.list(items),
                    true => v.clone(),
                    false => self.tuple(items),
                }
            }
            Kind::Dict(_) => match self.copied_entries(copies, v)? {
                Some(dict) => self.alloc(Kind::Dict(dict)),
                None => return Ok(None),
            },
            Kind::Tensor(_) => match self.copied_tensor(copies, obj)? {
                Some(copy) => Sym::Obj(copy),
                None => return Ok(None),
            },
            Kind::Instance(instance) => match self.copied_instance(copies, obj, &instance)? {
                Some(copy) => copy,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        copies.of.insert(obj, copy.clone());
        Ok(Some(copy))
    }

    fn copied_entries(&mut self, copies: &mut Copies, dict: &Sym) -> Res<Option<SymDict>> {
        let mut entries = Vec::new();
        for (key, value) in self.entries(dict)? {
            let value = self.copied(copies, &value)?;
            match (key.known().is_some_and(is_atomic), value) {
                (true, Some(value)) => entries.push((key, Slot::Loaded(value))),
                _ => return Ok(None),
            }
        }
        Ok(Some(SymDict {
            entries,
            written: Vec::new(),
            removed: Vec::new(),
        }))
    }

    /// Only what needs no gradient: a leaf's own comes with it.
    fn copied_tensor(&mut self, copies: &mut Copies, obj: Obj) -> Res<Option<Obj>> {
        let t = self.tensor(obj)?.clone();
        let owner = t.view.as_ref().map_or(obj, |view| view.base);
        let is_plain = PyRef::ptr_eq(&t.class, &self.tensor_class());
        if t.requires_grad || t.some_grad || t.is_decided() || !is_plain {
            return Ok(None);
        }
        // Parts of one memory are parts of one memory in the copy, too.
        if !copies.memory.insert(owner) || !self.is_dense(obj)? {
            return Ok(None);
        }
        if let Some(origin) = &self.state.heap[owner].origin {
            let node = origin.node;
            self.guard_written(node);
        }
        self.copy(&obj).map(Some)
    }

    /// An `OrderedDict`, with the attributes that `state_dict()` gives it.
    fn copied_instance(
        &mut self,
        copies: &mut Copies,
        obj: Obj,
        instance: &SymInstance,
    ) -> Res<Option<Sym>> {
        let class = &instance.class;
        let module = class.lookup(&Name::new("__module__"));
        let is_ordered = class.name.borrow().as_str() == "OrderedDict"
            && module.is_some_and(|m| m.as_str() == Some("collections"));
        let Some(payload) = instance.container().filter(|_| is_ordered) else {
            return Ok(None);
        };
        let Some(dict) = self.copied_entries(copies, &Sym::Obj(payload))? else {
            return Ok(None);
        };
        let mut attrs = IndexMap::new();
        for (name, value) in self.own_entries(obj)? {
            let value = self.copied(copies, &value)?;
            match (name, value) {
                (Sym::Known(Value::Str(name)), Some(value)) => {
                    attrs.insert(Name::new(name.as_str()), Slot::Loaded(value));
                }
                _ => return Ok(None),
            }
        }
        self.guard_class(class);
        let copy = self.derived(class, Kind::Dict(dict));
        if let Sym::Obj(o) = copy
            && let Kind::Instance(made) = &mut self.state.heap[o].kind
        {
            made.written.extend(attrs.keys().cloned());
            made.attrs = attrs;
        }
        Ok(Some(copy))
    }
}

/// Whether a deep copy of a constant is the constant itself.
fn is_atomic(v: &Value) -> bool {
    match v {
        Value::Tuple(t) => t.items.iter().all(is_atomic),
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Str(_)
        | Value::Function(_)
        | Value::Native(_)
        | Value::Class(_) => true,
        _ => false,
    }
}
