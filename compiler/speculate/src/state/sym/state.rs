//! All that symbolic execution changes: the heap, the frames, what was done so far.

use std::collections::HashMap;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use janus_dialect::ValueId;
use janus_object::{CodeObject, Name, Payload, PyDict, PyRef, Value};
use janus_plan::Namespace;
use janus_tensor::Device;

use crate::state::sym::{Condition, Heap, Kind, Obj, Slot, Sym};

/// A frame during symbolic execution.
#[derive(Clone)]
pub(crate) struct SymFrame {
    pub code: PyRef<CodeObject>,
    pub globals: PyRef<PyDict>,
    /// The frame's locals are a namespace (module and class bodies).
    pub namespace: Option<PyRef<PyDict>>,
    pub locals: Vec<Slot>,
    /// Locals stored to or deleted.
    pub written: IndexSet<usize>,
    pub cells: Vec<Obj>,
    pub stack: Vec<Sym>,
    /// How much of the region's own stack lies below `stack`, untouched.
    pub below: u32,
    pub pc: u32,
    /// The list that gets what this generator yields.
    pub gathers: Option<Obj>,
}

impl SymFrame {
    /// Whether both run one function with one closure.
    pub(crate) fn is_of_same_function(&self, other: &SymFrame) -> bool {
        PyRef::ptr_eq(&self.code, &other.code)
            && PyRef::ptr_eq(&self.globals, &other.globals)
            && self.cells == other.cells
            && self.gathers == other.gathers
    }
}

/// A namespace: a module's globals.
#[derive(Clone)]
pub(crate) struct SymNamespace {
    pub place: Namespace,
    pub entries: IndexMap<Name, Slot>,
    pub written: IndexSet<Name>,
}

impl SymNamespace {
    /// The same, of which nothing is known.
    pub fn unseen(&self) -> SymNamespace {
        SymNamespace {
            place: self.place.clone(),
            entries: IndexMap::new(),
            written: IndexSet::new(),
        }
    }
}

/// A deferred call for its effect.
#[derive(Clone)]
pub(crate) struct Effect {
    pub condition: Condition,
    pub function: Value,
    pub args: Vec<Sym>,
    pub kwargs: Vec<(Name, Sym)>,
}

/// Everything that a branch can change.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub heap: Heap,
    /// Objects that were there at entry, by address.
    pub by_address: HashMap<usize, Obj>,
    pub namespaces: IndexMap<usize, SymNamespace>,
    pub effects: Vec<Effect>,
    /// Iterators over dicts: the dict, and how many keys it had and had lost.
    pub dict_loops: Vec<(Obj, Obj, (usize, usize))>,
    /// Iterators that go backwards over lists: the list, and what it held, from its end.
    pub reversed: Vec<(Obj, Obj, Rc<[Sym]>)>,
    /// Tensors of an iteration that are items of lists that grow in the loop, each with one of those lists.
    pub appended: HashMap<Obj, Obj>,
    /// Objects that are only there where a bool of the graph has this value.
    pub only_on: HashMap<Obj, (ValueId, bool)>,
    /// Tensors that are printed, with the version that is to be seen.
    pub shown: Vec<(Obj, u32)>,
    pub asserts: Vec<(ValueId, u32)>,
    pub mode: Mode,
    /// The exception that is being handled.
    pub handled: Option<Sym>,
    /// `backward()` calls so far.
    pub backwards: u32,
    /// Writes into parts of tensors so far.
    pub updates: u32,
    /// The graph itself drew from PyTorch's stream.
    pub drew: bool,
    /// A `torch.autograd.Function` of the user's was applied: gradients are taken op by op.
    pub applied: bool,
    /// Whether a tensor from outside requires grad was changed.
    pub toggled: bool,
    /// Loops so far that stay loops.
    pub frames: u32,
    /// What recursions left in attributes of the objects they were called with.
    pub fields: Vec<KeptField>,
    /// Fields of objects that were read: the value that says what kind of thing it is, and what it is.
    pub field_reads: Vec<FieldRead>,
}

impl State {
    /// The number or text that an instance of a class written in Python stores.
    pub fn stored_value(&self, v: &Sym) -> Option<Sym> {
        match v {
            Sym::Obj(o) => match &self.heap[*o].kind {
                Kind::Instance(i) => i.value().cloned(),
                _ => None,
            },
            Sym::Known(Value::Instance(i)) => match &i.payload {
                Payload::Wrapped(value) => Some(Sym::Known(value.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// What an instance stores, in its place.
    pub fn plain(&self, v: &Sym) -> Sym {
        self.stored_value(v).unwrap_or_else(|| v.clone())
    }

    /// Whether nothing was done since a state but to assert, to look at fields, and what objects tell.
    pub(crate) fn only_asserts_since(&self, before: &State) -> bool {
        let done = |s: &State| {
            let counts = (s.effects.len(), s.shown.len(), s.fields.len());
            let times = (s.backwards, s.updates, s.frames);
            let modes = (
                s.mode.grad_enabled,
                s.mode.inference,
                s.drew,
                s.applied,
                s.toggled,
            );
            (counts, times, modes)
        };
        done(self) == done(before)
    }
}

/// A field that was read of an object that the graph came to.
#[derive(Clone)]
pub(crate) struct FieldRead {
    pub address: ValueId,
    pub field: janus_object::fields::Field,
    pub index: Option<ValueId>,
    /// The kinds of things that it was taken to be.
    pub expected: String,
    pub kind: ValueId,
    pub value: Sym,
}

/// An attribute that the graph gave an object of a recursion.
#[derive(Clone)]
pub(crate) struct KeptField {
    pub obj: Obj,
    pub name: Name,
    pub value: Sym,
    /// Loops that there were so far.
    pub frames: u32,
}

/// What PyTorch does beside computing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mode {
    pub grad_enabled: bool,
    /// The region is inside a `torch.inference_mode()` of its own.
    pub inference: bool,
    /// Where tensors are made.
    pub device: Device,
}
