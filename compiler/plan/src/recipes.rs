//! How values are made where a region ends.
//!
//! In: nothing. Out: [`Recipe`]s. Always: a recipe refers to earlier recipes only, except through [`Recipe::Fresh`]
//! contents, which may be cyclic.

use std::rc::Rc;

use janus_object::{Class, CodeObject, Name, PyDict, PyRef, Value};
use janus_tensor::{DType, Device};

use crate::nodes::NodeId;

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
    /// Where it is.
    pub device: Device,
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
    /// Where it is.
    pub device: Device,
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
