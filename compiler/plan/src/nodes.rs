//! What is read at entry, and what must hold for it.
//!
//! In: nothing. Out: [`Node`]s, evaluated in order at every entry. Always: a node's step refers to earlier nodes only.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{Class, Name, PyCell, PyDict, PyRef, Value};
use janus_tensor::ops::DimOp;
use janus_tensor::{DType, Device};

/// Index into [`Plan::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A value read at entry, and what must hold for it.
pub struct Node {
    /// How to get at it.
    pub step: Step,
    /// What is assumed of it.
    pub check: Check,
    /// The name under which it is relaxed after a miss: its path, e.g. `self.model.fc1.weight`.
    pub path: Rc<str>,
    /// The user's line that needs it.
    pub line: u32,
}

/// How a node's value is found.
#[derive(Clone)]
pub enum Step {
    /// A local of the region's frame.
    Local(u32),
    /// The content of a cell of the region's frame.
    Cell(u32),
    /// The cell itself.
    FrameCell(u32),
    /// A value of the region's frame's stack, counted from the bottom.
    Stack(u32),
    /// A name in a namespace that is always the same one.
    Namespace(Namespace, Name),
    /// The content of a cell that is always the same (a callee's closure).
    CellContent(PyRef<PyCell>),
    /// An entry of an instance's `__dict__`.
    InstanceAttr(NodeId, Name),
    /// `__dict__` itself.
    InstanceDict(NodeId),
    /// An item of a list or tuple.
    Item(NodeId, usize),
    /// An item of a list, counted from its end: 1 is the last.
    ItemFromEnd(NodeId, usize),
    /// An item of a list or tuple, or a character of ASCII text, at a node's value.
    ItemAt(NodeId, NodeId),
    /// Where a slice of a list or tuple starts, by its bounds.
    SliceStart(NodeId, [NodeId; 2]),
    /// How many items it has.
    SliceLength(NodeId, [NodeId; 2]),
    /// Arithmetic on two ints.
    IntOp(BinaryOp, NodeId, NodeId),
    /// Whether two ints compare so.
    IntCompare(CompareOp, NodeId, NodeId),
    /// An extent, or what is computed of some, as an int.
    Extent(Rc<Extent>),
    /// A tuple of these.
    Tuple(Vec<NodeId>),
    /// The text of these, strings and ints, one behind the other.
    Text(Vec<NodeId>),
    /// Whether two keys are equal.
    KeyEqual(NodeId, NodeId),
    /// Whether a dict or set has a key, at a node's value.
    HasKey(NodeId, NodeId),
    /// A value of a dict by key, at a node's value.
    DictAt(NodeId, NodeId),
    /// A value of a dict by key (a key whose hash runs no Python code).
    DictValue(NodeId, Value),
    /// A dict's key by position.
    DictKeyAt(NodeId, usize),
    /// `id()` of an object.
    Identity(NodeId),
    /// `.grad` of a tensor.
    Grad(NodeId),
    /// `._base` of a tensor.
    ViewBase(NodeId),
    /// The list of what a deque holds.
    DequeItems(NodeId),
    /// `maxlen` of a deque.
    DequeBound(NodeId),
    /// `__func__` and `__self__` of a bound method.
    MethodFunction(NodeId),
    /// See `MethodFunction`.
    MethodReceiver(NodeId),
    /// The number or text that an instance of a class stores that derives from `int`, `float` or `str`.
    Stored(NodeId),
    /// The length of a list, dict, tuple or string, as an int.
    Length(NodeId),
    /// What a list's items from this one on come to.
    Fold(Fold, NodeId, usize),
    /// A list's items as the rows of one tensor, or those elements of them, as [`crate::rows::rows_of`] makes it.
    Rows(NodeId, Option<usize>),
    /// A known object; needs no evaluation.
    Pinned(Value),
}

impl Step {
    /// The object that it looks into.
    pub fn parent(&self) -> Option<NodeId> {
        match self {
            Step::InstanceAttr(p, _)
            | Step::ViewBase(p)
            | Step::DequeItems(p)
            | Step::DequeBound(p)
            | Step::Identity(p)
            | Step::InstanceDict(p)
            | Step::Item(p, _)
            | Step::ItemFromEnd(p, _)
            | Step::ItemAt(p, _)
            | Step::DictValue(p, _)
            | Step::DictKeyAt(p, _)
            | Step::HasKey(p, _)
            | Step::DictAt(p, _)
            | Step::Grad(p)
            | Step::MethodFunction(p)
            | Step::MethodReceiver(p)
            | Step::Fold(_, p, _)
            | Step::Rows(p, _)
            | Step::Stored(p)
            | Step::Length(p) => Some(*p),
            _ => None,
        }
    }

    /// What it looks for there, if that moves.
    pub fn key(&self) -> Option<NodeId> {
        match self {
            Step::ItemAt(_, at) | Step::DictAt(_, at) => Some(*at),
            _ => None,
        }
    }
}

/// What numbers come to, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// `sum()`
    Sum,
    /// `min()`
    Min,
    /// `max()`
    Max,
}

impl Fold {
    /// Of numbers that are all floats or all ints; `None`: they are something else, none, or too large.
    #[must_use]
    pub fn of(self, items: &[Value]) -> Option<Value> {
        let mut items = items.iter();
        let first = match items.next()? {
            // `sum()` begins with 0, which makes 0.0 of -0.0.
            Value::Float(x) if self == Fold::Sum => Value::float(0.0 + x.get()),
            first @ (Value::Float(_) | Value::Int(_)) => first.clone(),
            _ => return None,
        };
        items.try_fold(first, |best, item| match (&best, item) {
            (Value::Float(x), Value::Float(y)) => Some(Value::float(match self {
                Fold::Sum => x.get() + y.get(),
                Fold::Min if y.get() < x.get() => y.get(),
                Fold::Max if y.get() > x.get() => y.get(),
                _ => x.get(),
            })),
            (Value::Int(x), Value::Int(y)) => Some(Value::Int(match self {
                Fold::Sum => x.checked_add(*y)?,
                Fold::Min => *x.min(y),
                Fold::Max => *x.max(y),
            })),
            _ => None,
        })
    }
}

/// What holds names.
#[derive(Clone)]
pub enum Namespace {
    /// A module's globals, or builtins.
    Globals(PyRef<PyDict>),
    /// Attributes of a function, which is called so.
    Function(PyRef<PyDict>, Rc<str>),
    /// A class: plain data that moves.
    Class(PyRef<Class>),
}

impl Namespace {
    /// Where it lies: two namespaces have different addresses.
    #[must_use]
    pub fn address(&self) -> usize {
        match self {
            Namespace::Globals(dict) | Namespace::Function(dict, _) => PyRef::as_ptr(dict) as usize,
            Namespace::Class(class) => PyRef::as_ptr(class) as usize,
        }
    }

    /// What a name stands for.
    #[must_use]
    pub fn get(&self, name: &Name) -> Option<Value> {
        match self {
            Namespace::Globals(dict) | Namespace::Function(dict, _) => dict.get_name(name),
            Namespace::Class(class) => class.dict.borrow().get(name).cloned(),
        }
    }

    /// Gives a name a value, or takes it out.
    pub fn set(&self, name: &Name, value: Option<Value>) {
        match (self, value) {
            (Namespace::Globals(dict) | Namespace::Function(dict, _), Some(v)) => {
                dict.set_name(name, v);
            }
            (Namespace::Globals(dict) | Namespace::Function(dict, _), None) => {
                dict.remove_name(name);
            }
            (Namespace::Class(class), Some(v)) => class.set(name, v),
            (Namespace::Class(class), None) => {
                class.remove(name);
            }
        }
    }

    /// A name in words.
    #[must_use]
    pub fn path(&self, name: &Name) -> Rc<str> {
        match self {
            Namespace::Globals(_) => name.as_str().into(),
            Namespace::Function(_, of) => format!("{of}.{}", name.as_str()).into(),
            Namespace::Class(class) => format!("{}.{}", class.display_name(), name.as_str()).into(),
        }
    }
}

/// What is assumed of a node's value.
pub enum Check {
    /// Nothing (its parent's check says enough).
    None,
    /// The same object.
    Same(Value),
    /// An equal immutable value of the same type: None, bool, int, str, float by bits.
    Equal(Value),
    /// A string, whatever it says.
    Text,
    /// An int within 64 bits, a float or a bool, whatever its value.
    Scalar(ScalarType),
    /// An instance of exactly this class; `layout` is the layout of its `__dict__` (or of
    /// nothing, when it has none).
    Instance {
        /// The very object, unless any of its kind will do.
        same: Option<Value>,
        /// The class.
        class: PyRef<Class>,
        /// Its version: no method was replaced.
        version: u32,
        /// Layout of the instance's dict; `None`: single keys are checked by nodes of their own.
        layout: Option<u32>,
    },
    /// A class or an object of a built-in kind that is the same object and whose class part has
    /// not changed.
    ClassVersion(PyRef<Class>, u32),
    /// A function whose code and defaults were not replaced.
    FunctionVersion(u32),
    /// A list of no class of its own, of this length if the length matters.
    List(Option<usize>),
    /// A tuple of no class of its own and of this length.
    Tuple(usize),
    /// A dict of no class of its own, of this length and layout (0: unknown) if they matter.
    Dict(Option<(usize, u32)>),
    /// An instance of a class derived from dict, which stores a dict of this length and layout.
    StoredDict((usize, u32)),
    /// A generator, or another iterator.
    Iterator {
        /// Which of the two.
        generator: bool,
    },
    /// A set.
    AnySet,
    /// A set of just these, whose hash and equality run nobody's code.
    Set(Vec<Value>),
    /// A tensor.
    Tensor(TensorCheck),
    /// The object that another node found.
    SameAs(NodeId),
    /// There is no such attribute, item, name or gradient.
    Missing,
}

/// Python types of run-time scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// f64
    Float,
    /// i64
    Int,
    /// i1
    Bool,
}

/// What is assumed of a tensor.
#[derive(Clone)]
pub struct TensorCheck {
    /// Element type.
    pub dtype: DType,
    /// Where it is.
    pub device: Device,
    /// Extents; `None` may be any but 0.
    pub dims: Vec<Option<i64>>,
    /// `requires_grad`
    pub requires_grad: bool,
    /// `is_leaf`
    pub leaf: bool,
    /// A leaf with a hook on its gradient.
    pub hooked: bool,
    /// `is_inference()`
    pub inference: bool,
    /// It has to be contiguous, or must not be: a view of it is written, or looked at after a write, or the
    /// program asks.
    pub contiguous: Option<bool>,
    /// The order that its dimensions have to have in memory, where results lie as it does.
    pub order: Option<Option<janus_tensor::ops::Axes>>,
    /// Neighbouring dimensions that have to be like one dimension in memory, as [`janus_tensor::Tensor::joins`]
    /// tells: a view of it has other extents.
    pub joins: Vec<bool>,
    /// The strides that it has to have, in elements: whether a view of it is contiguous was asked.
    pub strides: Option<Vec<i64>>,
    /// It is a view of its base through these primitives.
    pub shows: Option<Rc<[janus_tensor::ops::Prim]>>,
    /// `torch.Tensor` or a subclass.
    pub class: PyRef<Class>,
}

/// An extent that can be told at entry.
#[derive(Clone)]
pub enum Extent {
    /// This number.
    Known(i64),
    /// A dimension of a tensor node.
    Of(NodeId, usize),
    /// An int node.
    Int(NodeId),
    /// Computed from two others.
    Op(DimOp, Rc<Extent>, Rc<Extent>),
    /// Computed from two others as Python does.
    IntOp(BinaryOp, Rc<Extent>, Rc<Extent>),
    /// 1 where it holds, 0 where it does not.
    Compare(CompareOp, Rc<Extent>, Rc<Extent>),
}
