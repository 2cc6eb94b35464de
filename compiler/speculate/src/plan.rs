//! What surrounds a graph: how to enter it, and what to do when it is done.
//!
//! In: nothing. Out: [`Plan`], made by the symbolic executor on the interpreter's thread and
//! carried out there by `janus-tiering` at every entry: evaluate [`Plan::nodes`] in order, each
//! with its check (that is the guard), collect the arguments in slot order, run the graph, and,
//! if no assert failed, carry out [`Plan::commits`] and leave as [`Plan::exit`] says.
//! Always: a node's step refers to earlier nodes only; a recipe refers to earlier recipes only,
//! except through [`Recipe::Fresh`] contents, which may be cyclic.

use std::fmt;
use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::fields::FieldTable;
use janus_object::{Class, CodeObject, Name, PyCell, PyDict, PyRef, Value};
use janus_tensor::DType;
use janus_tensor::ops::DimOp;
use janus_torch::{Draw, DrawFrom};

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
    /// The length of a list, dict, tuple or string, as an int.
    Length(NodeId),
    /// What a list's items from this one on come to.
    Fold(Fold, NodeId, usize),
    /// A list's items as the rows of one tensor, or those elements of them, as [`crate::entry::list_rows::rows_of`] makes it.
    Rows(NodeId, Option<usize>),
    /// A known object; needs no evaluation.
    Pinned(Value),
}

impl Step {
    /// The object that it looks into.
    pub(crate) fn parent(&self) -> Option<NodeId> {
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
            | Step::Length(p) => Some(*p),
            _ => None,
        }
    }

    /// What it looks for there, if that moves.
    pub(crate) fn key(&self) -> Option<NodeId> {
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
            Value::Float(x) if self == Fold::Sum => Value::Float(0.0 + x),
            first @ (Value::Float(_) | Value::Int(_)) => first.clone(),
            _ => return None,
        };
        items.try_fold(first, |best, item| match (&best, item) {
            (Value::Float(x), Value::Float(y)) => Some(Value::Float(match self {
                Fold::Sum => x + y,
                Fold::Min if y < x => *y,
                Fold::Max if y > x => *y,
                _ => *x,
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
    /// Neighbouring dimensions that have to be like one dimension in memory, as [`janus_tensor::Tensor::joins`]
    /// tells: a view of it has other extents.
    pub joins: Vec<bool>,
    /// It is a view of its base through these primitives.
    pub shows: Option<Rc<[janus_tensor::ops::Prim]>>,
    /// `torch.Tensor` or a subclass.
    pub class: PyRef<Class>,
}

/// An argument of the compiled code.
#[derive(Clone, Copy, Debug)]
pub enum Load {
    /// The elements of a tensor node, contiguous.
    Tensor(NodeId),
    /// A scalar node.
    Scalar(NodeId, ScalarType),
    /// Random numbers: index into [`Plan::draws`].
    Draw(u32),
    /// The address of an object node, as an int.
    Address(NodeId),
    /// The address of [`Plan::fields`], as an int.
    Fields,
    /// How many calls deeper Python may go, as an int.
    CallsLeft,
    /// The address of the run's draws, which [`Plan::drawn`] describes, as an int.
    Drawing,
}

/// Random numbers that the region draws. They are drawn at entry, in the order in which tier 0
/// draws them; where the region is left the generator is put back.
pub struct PlannedDraw {
    /// The distribution.
    pub draw: Draw<Extent>,
    /// Element type.
    pub dtype: DType,
    /// Extents.
    pub shape: Vec<Extent>,
}

/// Random numbers that the graph draws while it runs; it says of which extents, and in which bounds.
pub enum GraphDraw {
    /// A tensor from PyTorch's stream, or that of the generator at this node; bounds in the distribution mean nothing.
    Torch(Draw<()>, DType, Option<NodeId>),
    /// The same, by parameters of this type that the graph computes.
    TorchFrom(DrawFrom, DType, Option<NodeId>),
    /// A number from the generator of Python's `random` at this node, which holds a
    /// [`TwisterCell`](janus_object::twister::TwisterCell).
    Python(NodeId, PythonDraw),
}

impl GraphDraw {
    /// The generator object from which it draws; `None`: the default one.
    #[must_use]
    pub fn generator(&self) -> Option<NodeId> {
        match self {
            GraphDraw::Torch(.., node) | GraphDraw::TorchFrom(.., node) => *node,
            GraphDraw::Python(node, _) => Some(*node),
        }
    }

    /// Whether both draw the same from the same generator.
    pub(crate) fn is_same(&self, other: &GraphDraw) -> bool {
        match (self, other) {
            (GraphDraw::Torch(a, d, v), GraphDraw::Torch(b, e, w)) => a == b && d == e && v == w,
            (GraphDraw::TorchFrom(a, d, v), GraphDraw::TorchFrom(b, e, w)) => {
                a == b && d == e && v == w
            }
            (GraphDraw::Python(v, a), GraphDraw::Python(w, b)) => a == b && v == w,
            _ => false,
        }
    }
}

/// What the generators of Python's `random` draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PythonDraw {
    /// `random()`: a float in [0, 1).
    Random,
    /// An int from 0 to the upper bound, which is left out.
    Below,
    /// Different ones of those, as `sample` draws them.
    Sample,
    /// All of those in another order, as `shuffle` makes it.
    Order,
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

/// How to make a value at the end.
#[derive(Clone)]
pub enum Recipe {
    /// A value that was known.
    Const(Value),
    /// A node's value.
    Node(NodeId),
    /// A scalar output of the graph.
    Scalar(u32),
    /// A new tensor object from an output of the graph. The same recipe index is the same object.
    Tensor(TensorRecipe),
    /// One of two, by a bool that the graph computed.
    OneOf {
        /// The graph's output.
        condition: u32,
        /// When it is true.
        then: RecipeId,
        /// When it is false.
        otherwise: RecipeId,
    },
    /// What a name is set to where a bool that the graph computed is true; elsewhere it is not set.
    Maybe {
        /// The graph's output.
        condition: u32,
        /// When it is true.
        value: RecipeId,
    },
    /// A tensor object that shows another one's elements, through one primitive.
    View {
        /// The other one.
        base: RecipeId,
        /// The primitive; its symbols are numbers that the graph computed.
        prim: Rc<janus_tensor::ops::Prim>,
        /// Symbol and output, for each symbol in `prim`.
        symbols: Vec<(u32, u32)>,
        /// It is differentiable, and its `grad_fn` is called so.
        grad_name: Option<GradName>,
        /// Which result it is of a function that returns several views.
        one_of_several: Option<usize>,
        /// The tape knows that it is a view, also where it has no gradient.
        noted: bool,
    },
    /// `.data` of a tensor.
    Data(RecipeId),
    /// A new container or object; its contents are recipes.
    Fresh(Fresh),
}

/// A tensor made at the end.
#[derive(Clone)]
pub struct TensorRecipe {
    /// The graph's output.
    pub out: u32,
    /// Element type.
    pub dtype: DType,
    /// Its place on the tape.
    pub history: History,
    /// Its class.
    pub class: PyRef<Class>,
}

/// The place on the tape of a tensor made at the end.
#[derive(Clone)]
pub enum History {
    /// None.
    None,
    /// A leaf that requires grad.
    Leaf,
    /// Its graph was consumed by a `backward()` inside the region: going backward through it again
    /// is PyTorch's "second time" error.
    Consumed(GradName),
    /// It was computed from this leaf, which the region then changed in place: going backward through
    /// it is PyTorch's error about that.
    OutOfDate(NodeId, GradName),
    /// This one of the [`Backward::outputs`].
    Output(u32, GradName),
    /// The one or the other, by a bool that the graph computed.
    Either(u32, Box<(History, History)>),
}

/// What `grad_fn` is called.
#[derive(Clone)]
pub enum GradName {
    /// So.
    Of(Rc<str>),
    /// The one or the other, by a bool that the graph computed.
    Either(u32, Box<(GradName, GradName)>),
}

/// What makes a region a node of the tape: its graph ends with a `janus.pullback`. The values that
/// come with a backward pass are a gradient for each output; if there are several, a bool for each
/// that says whether it is there; and for each input what has been added up for its gradient so
/// far.
pub struct Backward {
    /// Its results.
    pub outputs: Vec<Passed>,
    /// Tensors whose gradients it passes on.
    pub inputs: Vec<NodeId>,
}

/// A result of a region as a node of the tape.
pub struct Passed {
    /// The output of the graph.
    pub out: u32,
    /// Its dtype.
    pub dtype: DType,
    /// Those of the results, by number, that no gradient can go through again once one went through this: what
    /// PyTorch keeps for them is freed.
    pub frees: Vec<usize>,
    /// The loads, by slot, that the tape keeps for its gradient.
    pub keeps_loads: Vec<usize>,
    /// The outputs of the graph that it keeps.
    pub keeps_outs: Vec<u32>,
}

/// Index into [`Plan::recipes`].
pub type RecipeId = u32;

/// A container or object made at the end.
#[derive(Clone)]
pub enum Fresh {
    /// A tuple.
    Tuple(Vec<RecipeId>),
    /// A list: its items, each on the condition of this output of the graph.
    List(Vec<(RecipeId, Option<u32>)>),
    /// A list of items that are rows of tensors, and of these behind them; turned round where it says so.
    Rows(RowForm, Vec<RecipeId>, bool),
    /// The item of a list at this output of the graph.
    Item(RecipeId, u32),
    /// A dict, in insertion order.
    Dict(Vec<(RecipeId, RecipeId)>),
    /// A set.
    Set(Vec<RecipeId>),
    /// An instance of a class written in Python, or of a tuple of torch's own: its class, what a built-in base of
    /// it stores (a list, dict or tuple), and its attributes in order.
    Instance(PyRef<Class>, Option<RecipeId>, Vec<(Name, RecipeId)>),
    /// A bound method.
    Method(RecipeId, RecipeId),
    /// A function.
    Function(FunctionForm),
    /// A cell of a closure, and what is in it.
    Cell(Option<RecipeId>),
    /// A slice.
    Slice([RecipeId; 3]),
    /// A formatted string.
    Text(Vec<TextPiece>),
    /// What this function makes of these.
    Call(Value, Vec<RecipeId>),
}

/// A function made at the end.
#[derive(Clone)]
pub struct FunctionForm {
    /// Its code.
    pub code: PyRef<CodeObject>,
    /// Its module's namespace.
    pub globals: PyRef<PyDict>,
    /// `__defaults__`
    pub defaults: Vec<RecipeId>,
    /// `__kwdefaults__`
    pub kw_defaults: Vec<(Name, RecipeId)>,
    /// `__closure__`
    pub closure: Vec<RecipeId>,
}

/// What an item is made of that is a row of tensors.
#[derive(Clone)]
pub enum RowForm {
    /// A number: an element of a one-dimensional tensor.
    Number(RecipeId),
    /// A tensor object with a part of a tensor; what its `grad_fn` is called.
    Tensor(RecipeId, Rc<str>),
    /// A tuple, or an instance without attributes of a class derived from it.
    Tuple(PyRef<Class>, Vec<RowForm>),
    /// The same in each.
    Same(Value),
}

impl RowForm {
    /// Whether it is the same in each item, however many there are.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        match self {
            RowForm::Same(_) => true,
            RowForm::Tuple(_, forms) => forms.iter().all(RowForm::is_constant),
            RowForm::Number(_) | RowForm::Tensor(..) => false,
        }
    }
}

/// A piece of an f-string.
#[derive(Clone)]
pub enum TextPiece {
    /// Known text.
    Text(Rc<str>),
    /// `{value!conversion:spec}`; conversion as in `janus_bytecode::FormatConversion`.
    Format {
        /// The value.
        value: RecipeId,
        /// `!s`, `!r`, `!a` or none.
        conversion: u32,
        /// The format spec.
        spec: Rc<str>,
    },
}

/// Whether a tensor was written to.
#[derive(Clone, Copy)]
pub enum Wrote {
    /// In each run.
    Always,
    /// Where this output of the graph holds.
    If(u32),
    /// A loop did so, or not: it was, if its content is another one.
    IfChanged,
}

/// A state update, carried out in order once every assert has held.
pub enum Commit {
    /// New content of an existing tensor: same geometry, contiguous.
    UpdateTensor {
        /// The tensor.
        tensor: NodeId,
        /// The graph's output.
        out: u32,
        /// Whether it was written to at all.
        wrote: Wrote,
        /// Whether its version counter sees that: not where all of it went through `.data`.
        counted: bool,
        /// Its place on the tape, where that is another one now.
        history: Option<History>,
    },
    /// `.grad = value` (`None`: no gradient).
    SetGrad {
        /// The tensor.
        tensor: RecipeId,
        /// The gradient.
        grad: Option<RecipeId>,
    },
    /// `object.__dict__[name] = value`
    SetAttr {
        /// The instance.
        object: RecipeId,
        /// The attribute.
        name: Name,
        /// Its value; `None` deletes it.
        value: Option<RecipeId>,
    },
    /// `namespace[name] = value`
    SetGlobal {
        /// The namespace.
        namespace: Namespace,
        /// The name.
        name: Name,
        /// Its value; `None` deletes it.
        value: Option<RecipeId>,
    },
    /// Attributes of the objects at addresses that the graph found.
    Fields {
        /// A new list of tuples: an address, an int for each tensor of `tapes` that required grad, and the values of
        /// these attributes.
        rows: RecipeId,
        /// The attributes.
        names: Vec<Name>,
        /// For each tensor of the values: if it required grad in a graph that was consumed, what `grad_fn` may be
        /// called, by that int.
        tapes: Vec<Option<Rc<[Rc<str>]>>>,
    },
    /// New content of a list.
    SetList {
        /// The list.
        list: RecipeId,
        /// All items.
        items: Vec<RecipeId>,
    },
    /// Items appended to a list whose other content is not known.
    Append {
        /// The list.
        list: RecipeId,
        /// The new items, each with the bool of the graph that says whether it is appended.
        items: Vec<(RecipeId, Option<u32>)>,
        /// A new list whose items come behind these.
        more: Option<RecipeId>,
        /// How many of its first items it loses.
        dropped: usize,
    },
    /// Items added to a set, in order.
    Add {
        /// The set.
        set: RecipeId,
        /// The items.
        items: Vec<RecipeId>,
    },
    /// An item taken out of a set.
    Discard {
        /// The set.
        set: RecipeId,
        /// The item.
        item: RecipeId,
    },
    /// One entry of a dict, or an item of a list that has one at this index.
    SetItem {
        /// The dict or list.
        container: RecipeId,
        /// The key, or the index from the list's start.
        key: RecipeId,
        /// The value; `None` deletes it from the dict.
        value: Option<RecipeId>,
    },
    /// Content of a cell of the region's own frame.
    SetFrameCell {
        /// Its number.
        index: u32,
        /// Its content; `None` empties it.
        value: Option<RecipeId>,
    },
    /// Content of a cell.
    SetCell {
        /// The cell.
        cell: PyRef<PyCell>,
        /// Its content; `None` empties it.
        value: Option<RecipeId>,
    },
    /// A call whose effect is deferred (`print`), with its arguments.
    Call {
        /// The bool of the graph that says whether it happens.
        condition: Option<u32>,
        /// The function.
        function: Value,
        /// Positional arguments.
        args: Vec<RecipeId>,
        /// Keyword arguments.
        kwargs: Vec<(Name, RecipeId)>,
    },
}

/// How the region ends.
pub enum Exit {
    /// A function returned.
    Return(RecipeId),
    /// One iteration of a loop is done: go on at `pc` with these locals and cells changed and the
    /// stack cut to `depth`.
    LoopHead {
        /// Where tier 0 goes on.
        pc: u32,
        /// Stack depth there.
        depth: u32,
        /// Locals that changed; `None` unsets.
        locals: Vec<(u32, Option<RecipeId>)>,
    },
    /// A call that is no part of the graph comes next: tier 0 goes on with it, at `pc`.
    Call {
        /// The call.
        pc: u32,
        /// The depth to which the stack stays as it was.
        depth: u32,
        /// What lies above; `None` stands for a callable's missing receiver.
        stack: Vec<Option<RecipeId>>,
        /// Locals that changed; `None` unsets.
        locals: Vec<(u32, Option<RecipeId>)>,
    },
}

/// An assumption checked inside the graph.
#[derive(Clone)]
pub struct Assertion {
    /// What failed when it fails.
    pub reason: DeoptReason,
    /// The user's line.
    pub line: u32,
    /// What to relax: see [`crate::Relaxations`].
    pub key: AssumptionKey,
    /// What was assumed, in words; empty where that goes without saying.
    pub expected: String,
    /// Which way a branch was assumed to go.
    pub branch: Option<AssumedBranch>,
}

impl Assertion {
    /// What was assumed, in words, also where that goes without saying.
    #[must_use]
    pub fn expectation(&self) -> &str {
        match self.reason {
            _ if !self.expected.is_empty() => &self.expected,
            DeoptReason::IntOverflow => "ints that fit",
            _ => "arithmetic that does not raise",
        }
    }
}

/// One way of a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AssumedBranch {
    /// Whether it jumps.
    pub jump: bool,
    /// Both ways were tried and do not fit into one graph.
    pub unfit: bool,
}

/// Names an in-graph assumption across compiles: the code, the instruction, and for inlined code
/// the call path.
pub type AssumptionKey = Rc<str>;

/// All that surrounds a graph.
pub struct Plan {
    /// Entry values and guards, in evaluation order.
    pub nodes: Vec<Node>,
    /// Arguments in slot order.
    pub loads: Vec<Load>,
    /// Random draws among them, in order.
    pub draws: Vec<PlannedDraw>,
    /// What the graph draws while it runs, behind those; by number.
    pub graph_draws: Vec<GraphDraw>,
    /// The result that says how many draws the graph made.
    pub drawn: Option<u32>,
    /// `torch.is_grad_enabled()` that the graph was made under.
    pub grad_enabled: bool,
    /// `torch.is_inference_mode_enabled()` that it was made under.
    pub inference: bool,
    /// `torch.get_default_dtype()` that it was made under.
    pub default_dtype: DType,
    /// Nodes whose object is written: no other node may be the same object or, for tensors,
    /// share its storage (nodes that are `SameAs` it excepted).
    pub unaliased: Vec<NodeId>,
    /// Nodes that an `is` found to be two objects, where their checks do not say so.
    pub distinct: Vec<(NodeId, NodeId)>,
    /// Assertions by id.
    pub asserts: Vec<Assertion>,
    /// Asserts, by id, that are decided before the graph runs: those that are not 0 hold.
    pub early: Vec<(u32, Rc<Extent>)>,
    /// What the graph reads of objects that it finds itself.
    pub fields: Box<FieldTable>,
    /// Tensors are among that: see [`FieldTable::written`].
    pub reads_tensors: bool,
    /// Values made at the end.
    pub recipes: Vec<Recipe>,
    /// State updates, in order.
    pub commits: Vec<Commit>,
    /// How it ends.
    pub exit: Exit,
    /// What kept the graph from going on, with `Exit::Call`.
    pub ends: Option<crate::NotConverted>,
    /// Number of results of the graph.
    pub outputs: u32,
    /// Results have gradients that come from outside.
    pub backward: Option<Backward>,
    /// Paths whose value was taken as a constant, with the value in words: for `explain`.
    pub assumptions: Vec<String>,
    /// Code objects that were inlined: their lines run in this region.
    pub inlined: Vec<PyRef<CodeObject>>,
    /// Functions that are graphs of their own, which call themselves.
    pub graphs: Vec<OwnGraph>,
}

impl Plan {
    /// The code objects that run in this region beside its own: inlined, or as graphs of their own.
    pub fn parts(&self) -> impl Iterator<Item = &PyRef<CodeObject>> {
        let graphs = self.graphs.iter().map(|g| &g.code);
        self.inlined.iter().chain(graphs)
    }

    /// Whether `code` is one of them.
    pub fn contains(&self, code: &PyRef<CodeObject>) -> bool {
        self.parts().any(|part| PyRef::ptr_eq(part, code))
    }
}

/// A function that is a graph of its own beside the region's.
pub struct OwnGraph {
    /// The graph's name.
    pub name: String,
    /// The function.
    pub code: PyRef<CodeObject>,
}

macro_rules! deopt_reasons {
    ($($name:ident $id:literal $text:literal $hint:literal,)*) => {
        /// Why compiled code was left: the one table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DeoptReason { $(#[doc = $text] $name,)* }

        impl DeoptReason {
            /// Every reason.
            pub const ALL: &'static [DeoptReason] = &[$(DeoptReason::$name,)*];
            /// Stable name, for the stats file.
            pub fn id(self) -> &'static str { match self { $(DeoptReason::$name => $id,)* } }
            /// What happened.
            pub fn text(self) -> &'static str { match self { $(DeoptReason::$name => $text,)* } }
            /// What the user can do about it, if it happens often.
            pub fn hint(self) -> &'static str { match self { $(DeoptReason::$name => $hint,)* } }
        }

        impl fmt::Display for DeoptReason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.text()) }
        }
    };
}

deopt_reasons! {
    BranchDirection "branch-direction" "a branch went the way it had never gone" "both ways are compiled from now on",
    TripCount "trip-count" "a loop ran another number of times" "the loop is compiled for any number from now on",
    ValueChanged "value-changed" "a value that had been constant changed" "it is read at every entry from now on",
    IdentityChanged "identity-changed" "a name or attribute refers to another object" "keep objects that hold parameters in place, or expect one more compile",
    TypeChanged "type-changed" "a value has another type" "keep one type for a variable in hot code",
    ClassChanged "class-changed" "a class, a method or a function was changed" "change classes and functions before the hot loop",
    LayoutChanged "layout-changed" "an object has other attributes than before" "set all attributes in __init__",
    LengthChanged "length-changed" "a list, tuple or dict has another length" "keep the items of a list whose length moves of one kind, and build changed lists anew",
    ShapeChanged "shape-changed" "a tensor has another shape" "the dimension that moved is compiled as `?` from now on",
    DtypeChanged "dtype-changed" "a tensor has another dtype" "keep one dtype in hot code",
    RequiresGradChanged "requires-grad-changed" "a tensor's requires_grad changed" "set requires_grad before the hot loop",
    HooksChanged "hooks-changed" "a tensor's gradient hooks were added or removed" "register hooks before the hot loop",
    DefaultDtypeChanged "default-dtype-changed" "torch.set_default_dtype was called" "set the default dtype once",
    GradModeChanged "grad-mode-changed" "grad mode is not what it was" "compiled separately for each grad mode",
    AliasFound "alias-found" "two tensors share memory and one is written" "clone one of them",
    MissingFound "missing-found" "an attribute, item or gradient is there that was not, or the reverse" "create state before the hot loop",
    ShapeMismatch "shape-mismatch" "two extents that had been equal differ" "tier 0 runs it and raises what PyTorch raises",
    IndexRange "index-range" "an index is out of range" "tier 0 runs it and raises what PyTorch raises",
    IntOverflow "int-overflow" "an int does not fit into 64 bits" "tier 0 goes on with a big int",
    ArithmeticError "arithmetic-error" "an operation would raise (division by zero, domain)" "tier 0 runs it and raises",
    NotContiguous "not-contiguous" "whether a tensor is contiguous changed" "call contiguous() before the hot loop",
    CallDepth "call-depth" "a recursion went deeper than Python may" "tier 0 runs it and raises RecursionError where CPython does",
    ListRoom "list-room" "a list got more items than there was room for" "there is room for more of them from now on",
    ObjectMetTwice "object-met-twice" "a recursion that keeps state in its objects met one of them twice" "give each place of a tree an object of its own, or return the state",
    RareCode "rare-code" "control came to code that tier 1 leaves to tier 0" "move it out of the hot loop if that is frequent",
    Stress "stress" "made to fail by --stress" "none",
}
