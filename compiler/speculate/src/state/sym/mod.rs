//! Symbolic values and the symbolic heap.
//!
//! In: nothing. Out: [`Sym`], [`HeapObject`], [`State`]. Always: a [`State`] can be cloned at a
//! branch and the two copies merged; everything that a branch can change is in it.

pub(crate) mod containers;
pub(crate) mod state;
pub(crate) mod tensors;

pub(crate) use crate::state::sym::containers::{
    SymDict, SymGrown, SymList, SymReplaced, SymSet, add_key,
};
pub(crate) use crate::state::sym::state::{
    Effect, FieldRead, KeptField, Mode, State, SymFrame, SymNamespace,
};
pub(crate) use crate::state::sym::tensors::{
    GradName, Identity, Keeping, Leaf, MadeBy, OneOf, SymTensor, Tape, UserFunction, View, ViewMap,
    Written,
};

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use janus_dialect::ValueId;
use janus_object::{Class, CodeObject, DictPart, Name, PyCell, PyDict, PyRef, Value};
use janus_plan::{NodeId, ScalarType, Step};

use crate::state::open::SymOpen;

/// Index into [`State::heap`].
pub(crate) type Obj = usize;

/// A value during symbolic execution.
#[derive(Clone, Debug)]
pub(crate) enum Sym {
    /// Known now: an immutable value, or an object known by identity (function, class, module).
    Known(Value),
    /// A number that the graph computes.
    Scalar(SymScalar),
    /// An object of the symbolic heap.
    Obj(Obj),
    /// The NULL of `PushNull`.
    Null,
}

/// A run-time number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SymScalar {
    /// Its value in the graph.
    pub id: ValueId,
    /// Its Python type.
    pub ty: ScalarType,
}

/// A variable, item or attribute that may not have been looked at yet.
#[derive(Clone)]
pub(crate) enum Slot {
    /// There at entry, not needed so far.
    Unloaded(Unloaded),
    /// Needed, or written.
    Loaded(Sym),
    /// Unset.
    Empty,
}

/// A value that is there at entry.
#[derive(Clone)]
pub(crate) struct Unloaded {
    /// How to find it.
    pub step: Step,
    /// What it is now.
    pub value: Value,
    /// Its path.
    pub path: Rc<str>,
}

/// An object of the symbolic heap.
#[derive(Clone)]
pub(crate) struct HeapObject {
    /// The object that it stands for, if it was there at entry.
    pub origin: Option<Origin>,
    /// What it is.
    pub kind: Kind,
}

/// The objects. A copy shares them until one side changes them: every attempt at a branch makes
/// some.
#[derive(Clone, Default)]
pub(crate) struct Heap(Vec<Rc<HeapObject>>);

impl Heap {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, obj: Obj) -> Option<&HeapObject> {
        self.0.get(obj).map(Rc::as_ref)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &HeapObject> {
        self.0.iter().map(Rc::as_ref)
    }

    pub(crate) fn push(&mut self, object: HeapObject) {
        self.0.push(Rc::new(object));
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Appends the objects of `other` from `first` on.
    pub(crate) fn extend_from(&mut self, other: &Heap, first: usize) {
        self.0.extend(other.0.iter().skip(first).cloned());
    }

    /// Whether an object is as it is in a copy, for sure.
    pub(crate) fn is_unchanged(&self, other: &Heap, obj: Obj) -> bool {
        match (self.0.get(obj), other.0.get(obj)) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl std::ops::Index<Obj> for Heap {
    type Output = HeapObject;

    fn index(&self, obj: Obj) -> &HeapObject {
        &self.0[obj]
    }
}

impl std::ops::IndexMut<Obj> for Heap {
    fn index_mut(&mut self, obj: Obj) -> &mut HeapObject {
        Rc::make_mut(&mut self.0[obj])
    }
}

/// An object that was there at entry.
#[derive(Clone)]
pub(crate) struct Origin {
    /// Its node.
    pub node: NodeId,
    /// The object, as of now.
    pub value: Value,
    /// Its path.
    pub path: Rc<str>,
}

/// Kinds of objects.
#[derive(Clone)]
pub(crate) enum Kind {
    Instance(SymInstance),
    List(SymList),
    /// A list that grows, or grew, in a loop whose trip count moves.
    Grown(SymGrown),
    /// A list from outside of which items were replaced at indices that move.
    Replaced(SymReplaced),
    Tuple(Vec<Slot>),
    Dict(SymDict),
    Set(SymSet),
    /// A dict or set from outside, of which some entries are known.
    Open(SymOpen),
    /// Text from outside that moves.
    Told,
    Tensor(SymTensor),
    Function(Rc<SymFunction>),
    Method {
        function: Sym,
        receiver: Sym,
    },
    Cell(SymCell),
    /// One of two things of different kinds, as a bool of the graph tells. It can be kept and shown.
    Choice {
        condition: ValueId,
        then: Sym,
        otherwise: Sym,
    },
    /// What a call raised instead of returning: what the caller does with it comes next.
    Raised(Sym),
    /// What a name is set to where this holds; elsewhere it is not set. Only slots of names hold it.
    Maybe {
        condition: ValueId,
        value: Sym,
    },
    /// A `range` whose bounds move.
    Range {
        start: Sym,
        stop: Sym,
        step: Stride,
    },
    Iter(SymIter),
    /// An iterator or generator from outside: it can be handed on as it is.
    Opaque {
        generator: bool,
    },
    /// A generator that waits; `None` while it runs or when it is done.
    Generator(Option<Box<SymFrame>>),
    Slice([Sym; 3]),
    Text(Vec<Piece>),
    Super {
        class: PyRef<Class>,
        receiver: Sym,
    },
    /// An object that was there at entry; the graph finds out which.
    Found(Found),
    /// `__dict__` of an instance.
    InstanceDict(Obj),
    /// A list of the region that got some of its items on conditions: each, and whether it is there.
    Filtered(Vec<(Sym, Condition)>),
    /// `keys()`, `values()` or `items()` of a dict.
    View {
        dict: Sym,
        part: DictPart,
        /// Whether it is an `OrderedDict`'s, whose views have classes of their own.
        ordered: bool,
    },
    /// The result of a call that is made at the commit.
    Later {
        function: Value,
        args: Vec<Sym>,
        class: PyRef<Class>,
    },
    /// What `__exit__` gets of an exception beside it; nobody looks into it here.
    Traceback,
}

impl Kind {
    /// Whether it can be changed, so that it matters which object it is.
    pub fn can_change(&self) -> bool {
        matches!(
            self,
            Kind::Instance(_)
                | Kind::List(_)
                | Kind::Grown(_)
                | Kind::Replaced(_)
                | Kind::Filtered(_)
                | Kind::Dict(_)
                | Kind::Set(_)
                | Kind::Open(_)
                | Kind::Iter(_)
                | Kind::Generator(_)
        )
    }
}

/// The step of a range.
#[derive(Clone)]
pub(crate) enum Stride {
    /// It is known, and not 0.
    Known(i64),
    /// It moves, and is asserted to be positive.
    Up(SymScalar),
}

impl Stride {
    pub(crate) fn is_up(&self) -> bool {
        match self {
            Stride::Known(by) => *by > 0,
            Stride::Up(_) => true,
        }
    }

    pub(crate) fn sym(&self) -> Sym {
        match self {
            Stride::Known(by) => Sym::Known(Value::Int(*by)),
            Stride::Up(by) => Sym::Scalar(*by),
        }
    }
}

/// An instance of a class written in Python.
#[derive(Clone)]
pub(crate) struct SymInstance {
    pub class: PyRef<Class>,
    /// Attributes looked at or written so far; `Empty` is deleted or known to be missing.
    pub attrs: IndexMap<Name, Slot>,
    pub written: IndexSet<Name>,
    /// What a built-in base stores.
    pub payload: Option<Stored>,
}

/// What an instance of a class with a built-in base stores.
#[derive(Clone)]
pub(crate) enum Stored {
    /// A list, dict or tuple of the symbolic heap.
    Container(Obj),
    /// A number or a text.
    Value(Sym),
}

impl SymInstance {
    /// The list, dict or tuple that it stores.
    pub fn container(&self) -> Option<Obj> {
        match self.payload {
            Some(Stored::Container(obj)) => Some(obj),
            _ => None,
        }
    }

    /// The number or text that it stores.
    pub fn value(&self) -> Option<&Sym> {
        match &self.payload {
            Some(Stored::Value(value)) => Some(value),
            _ => None,
        }
    }
}

impl Stored {
    pub fn sym(&self) -> Sym {
        match self {
            Stored::Container(obj) => Sym::Obj(*obj),
            Stored::Value(value) => value.clone(),
        }
    }
}

/// An object that was there at entry, one that the graph comes to.
#[derive(Clone)]
pub(crate) struct Found {
    /// Its address in the graph, 0 where an assumption failed.
    pub address: ValueId,
    /// What it is.
    pub what: FoundKind,
    /// Objects of this kind that are there now: what they hold is what is expected of others.
    pub samples: Rc<[Value]>,
}

/// What such an object is.
#[derive(Clone)]
pub(crate) enum FoundKind {
    /// An instance of exactly this class.
    Instance(PyRef<Class>),
    /// A list.
    List,
    /// A tuple.
    Tuple,
    /// A dict.
    Dict,
    /// Text.
    Text,
}

/// A cell.
#[derive(Clone)]
pub(crate) struct SymCell {
    pub content: Slot,
    pub written: bool,
    /// The real cell, if it was there at entry.
    pub cell: Option<PyRef<PyCell>>,
}

/// A function made inside the region.
pub(crate) struct SymFunction {
    pub code: PyRef<CodeObject>,
    pub globals: PyRef<PyDict>,
    pub defaults: Vec<Sym>,
    pub kw_defaults: Vec<(Name, Sym)>,
    pub closure: Vec<Obj>,
    /// It has `__annotations__`, which are not kept here.
    pub annotated: bool,
}

/// An iterator made inside the region.
#[derive(Clone)]
pub(crate) enum SymIter {
    /// Over the items of a list or tuple, which may change meanwhile.
    Items { of: Obj, next: usize },
    /// Over known values.
    Values { items: Rc<[Sym]>, next: usize },
    /// `enumerate`
    Enumerate { inner: Obj, next: Sym },
    /// `zip`
    Zip { inner: Vec<Obj> },
    /// `range`
    Range { next: Sym, stop: Sym, step: Stride },
    /// Over a list that grew in a loop, and does not any more.
    Grown { of: Obj, next: Sym },
    /// Over the first dimension of a tensor, whose extent moves, or the items of what a recursion comes to.
    Rows { of: Obj, next: Sym },
    /// `map`
    Map { function: Sym, inner: Vec<Obj> },
}

/// A piece of a string that is put together at the commit.
#[derive(Clone)]
pub(crate) enum Piece {
    Text(Rc<str>),
    Format {
        value: Sym,
        conversion: u32,
        spec: Rc<str>,
    },
}

/// The bool of the graph on which something happens; `None`: it always does.
pub(crate) type Condition = Option<ValueId>;

impl Sym {
    /// A bool that the graph computes.
    pub fn flag(id: ValueId) -> Sym {
        let ty = ScalarType::Bool;
        Sym::Scalar(SymScalar { id, ty })
    }

    /// The known value, if it is one.
    pub fn known(&self) -> Option<&Value> {
        match self {
            Sym::Known(v) => Some(v),
            _ => None,
        }
    }

    /// Whether both are the same for sure.
    pub fn same(&self, other: &Sym) -> bool {
        match (self, other) {
            (Sym::Known(a), Sym::Known(b)) => same_known(a, b),
            (Sym::Scalar(a), Sym::Scalar(b)) => a == b,
            (Sym::Obj(a), Sym::Obj(b)) => a == b,
            (Sym::Null, Sym::Null) => true,
            _ => false,
        }
    }
}

/// Whether two known values cannot be told apart.
pub(crate) fn same_known(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None)
        | (Value::Ellipsis, Value::Ellipsis)
        | (Value::NotImplemented, Value::NotImplemented) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.get().to_bits() == b.get().to_bits(),
        (Value::Str(a), Value::Str(b)) => a.as_str() == b.as_str(),
        (Value::BigInt(a), Value::BigInt(b)) => a == b,
        _ => address(a).is_some() && address(a) == address(b),
    }
}

/// The address of what a value points to.
pub(crate) fn address(v: &Value) -> Option<usize> {
    macro_rules! addresses {
        ($($variant:ident),*) => {
            match v { $(Value::$variant(rc) => Some(PyRef::as_ptr(rc).cast::<u8>() as usize),)* _ => None }
        };
    }
    addresses!(
        Str, Bytes, Tuple, List, Dict, Set, Range, Slice, Function, Method, Native, Class,
        Instance, Module, Iter, Generator, Cell, Code, BigInt
    )
}
