//! The tape: nodes, edges, saved tensors.
//!
//! In: a primitive or a custom backward function, with the tensors it was applied to. Out:
//! nodes that reference what came before.
//! Always: a node's sequence number is larger than those of the nodes it references; nothing
//! a node keeps references the node, so dropping the last tensor frees the graph; long chains
//! are freed without recursion.

use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::autograd::gradients::{Definition, Gradients, Kept};
use crate::autograd::node_hooks::Extras;
use crate::autograd::packing::{Packed, saved_hooks};
use crate::device::Device;
use crate::dtype::DType;
use crate::eager::Eager;
use crate::error::{Result, TensorError};
use crate::kernels::copy::copy_of;
use crate::ops::{BinaryOp, Ops, Prim};
use crate::shape::{Shape, dims_of};
use crate::tensor::{Layout, Storage, Tensor, Watch, WeakTensor};

/// One result of a node.
#[derive(Clone)]
pub struct Output {
    /// The node.
    pub node: Rc<Node>,
    /// Which of its results.
    pub index: usize,
}

/// Where a gradient goes.
#[derive(Clone)]
pub enum Edge {
    /// To a result of an earlier node.
    Output(Output),
    /// Into `.grad` of a leaf.
    Leaf(Tensor),
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edge::Output(o) => write!(f, "{o:?}"),
            Edge::Leaf(_) => f.write_str("leaf"),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.node.name(), self.index)
    }
}

/// The function of a [`Hook`].
pub type HookFn = Rc<dyn Fn(&Tensor) -> Result<Option<Tensor>>>;

/// A function that sees, and may replace, a gradient.
#[derive(Clone)]
pub struct Hook {
    /// For removal.
    pub id: u64,
    /// The function.
    pub function: HookFn,
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hook {}", self.id)
    }
}

/// A backward function that is not a primitive's: a compiled region, a user's
/// `autograd.Function`.
pub trait Backward {
    /// Gradients of the inputs from those of the results. `grads[i]` is `None` where result i
    /// was not used; entries that `wants` does not ask for may be `None`. Runs in grad mode
    /// exactly if the backward pass was started with `create_graph`.
    fn backward(&self, grads: &[Option<Tensor>], wants: &[bool]) -> Result<Vec<Option<Tensor>>>;

    /// The inputs whose gradients it adds to itself, because it stands for several operations
    /// whose contributions come one after the other.
    fn continues(&self) -> Vec<usize> {
        Vec::new()
    }

    /// As `backward`, with what has been added up so far for the gradient of each input that it
    /// `continues`; what it returns for these takes the sum's place.
    fn backward_onto(
        &self,
        grads: &[Option<Tensor>],
        wants: &[bool],
        _sums: Vec<Option<Tensor>>,
    ) -> Result<Vec<Option<Tensor>>> {
        self.backward(grads, wants)
    }

    /// Frees what was saved. Afterwards `backward` is not called again unless `goes_again`.
    fn release(&self);

    /// What `grad_fn` shows the attributes of.
    fn object(&self) -> Option<&dyn Any> {
        None
    }

    /// Whether a second backward pass is possible after [`Backward::release`].
    fn goes_again(&self) -> bool {
        false
    }
}

/// A tensor kept for backward: its elements as they are now, or an error.
pub struct Saved {
    layout: Layout,
    version: u64,
    edge: Option<Edge>,
    /// Of a node's own result: the operation that made it, under PyTorch's name.
    made_by: Option<Box<str>>,
}

impl fmt::Debug for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Saved(version {})", self.version)
    }
}

impl Saved {
    /// Keeps a tensor.
    #[must_use]
    pub fn new(t: &Tensor) -> Saved {
        let mut layout = t.layout().clone();
        if changing(&layout)
            && let Ok(copy) = copy_of(&layout)
        {
            layout = copy;
        }
        Saved {
            version: layout.version(),
            layout,
            edge: t.gradient_edge(),
            made_by: None,
        }
    }

    /// The elements that were kept, outside of the graph; an error if they were overwritten.
    pub fn get(&self) -> Result<Tensor> {
        self.check(None)?;
        Ok(self.now())
    }

    /// The elements as they are now, outside of the graph, whatever was written since.
    #[must_use]
    pub fn now(&self) -> Tensor {
        Tensor::from_layout(self.layout.clone())
    }

    /// Keeps the elements of a node's own result: with its place on the tape the node would keep
    /// itself.
    #[must_use]
    pub fn of_result(t: &Tensor) -> Saved {
        let made_by = t.grad_fn().map(|node| node.name().into());
        Saved {
            made_by,
            ..Saved::of_layout(&t.layout())
        }
    }

    fn of_layout(layout: &Layout) -> Saved {
        Saved {
            version: layout.version(),
            layout: layout.clone(),
            edge: None,
            made_by: None,
        }
    }

    /// A number costs one element; it stays when the rest is freed.
    fn is_constant(&self) -> bool {
        self.edge.is_none() && self.layout.is_splat()
    }

    fn check(&self, producer: Option<&Output>) -> Result<()> {
        let version = self.layout.version();
        if version == self.version {
            return Ok(());
        }
        let producer = match (&self.edge, producer) {
            (Some(Edge::Output(o)), _) | (_, Some(o)) => {
                format!(", which is output {} of {},", o.index, o.node.name())
            }
            _ => match &self.made_by {
                Some(name) => format!(", which is output 0 of {name},"),
                None => String::new(),
            },
        };
        Err(TensorError::ModifiedInPlace {
            ty: self.layout.dtype.scalar_type_name(),
            sizes: self.layout.shape[..].into(),
            producer,
            version,
            expected: self.version,
        })
    }

    /// The tensor with its place in the graph; `own` is the node's result where it was saved
    /// as that.
    fn unpack(&self, own: Option<Output>) -> Result<Tensor> {
        self.check(own.as_ref())?;
        Ok(match (&self.edge, own) {
            (Some(Edge::Leaf(t)), _) if t.layout().storage.same(&self.layout.storage) => t.clone(),
            (Some(Edge::Output(o)), _) => Tensor::with_edge(self.layout.clone(), Some(o.clone())),
            (_, Some(own)) => Tensor::with_edge(self.layout.clone(), Some(own)),
            _ => Tensor::from_layout(self.layout.clone()),
        })
    }
}

/// A tensor that backward must find unwritten, although it reads none of its elements.
#[derive(Debug)]
pub struct Watched {
    watch: Watch,
    ty: &'static str,
    shape: Shape,
    made_by: Option<Box<str>>,
}

impl Watched {
    /// Watches a tensor from now on, without keeping its elements.
    #[must_use]
    pub fn new(t: &Tensor) -> Watched {
        let layout = t.layout();
        Watched {
            watch: layout.watch(),
            ty: layout.dtype.scalar_type_name(),
            shape: layout.shape.clone(),
            made_by: t.grad_fn().map(|node| node.name().into()),
        }
    }

    /// An error if the tensor was written since.
    pub fn check(&self) -> Result<()> {
        let Some(version) = self.watch.changed() else {
            return Ok(());
        };
        let producer = match &self.made_by {
            Some(name) => format!(", which is output 0 of {name},"),
            None => String::new(),
        };
        Err(TensorError::ModifiedInPlace {
            ty: self.ty,
            sizes: self.shape[..].into(),
            producer,
            version,
            expected: self.watch.expected,
        })
    }
}

enum Slot {
    Tensor(Saved),
    Packed(Packed),
    Meta(Shape, DType),
    Freed,
}

struct PrimNode {
    prim: Prim,
    definition: &'static Definition,
    operands: SmallVec<[Slot; 2]>,
    result: Slot,
}

enum Kind {
    Prim(Box<PrimNode>),
    Custom(Box<dyn Backward>),
    /// Gradients end here: the result was overwritten by a constant.
    Stop,
    Released,
    /// Released, too: a script's function, of which `grad_fn` still shows the attributes.
    Spent(Box<dyn Backward>),
}

/// Shape, dtype and device of a node's result.
#[derive(Clone, Debug)]
pub struct ResultType {
    /// Extents.
    pub shape: Shape,
    /// Element type.
    pub dtype: DType,
    /// Where it is.
    pub device: Device,
}

impl ResultType {
    /// That of what a layout shows.
    #[must_use]
    pub fn of(layout: &Layout) -> ResultType {
        ResultType {
            shape: layout.shape.clone(),
            dtype: layout.dtype,
            device: layout.storage.device(),
        }
    }
}

/// An operation on the tape.
pub struct Node {
    /// Order of creation.
    pub(crate) seq: u64,
    pub(crate) inputs: SmallVec<[Option<Edge>; 3]>,
    pub(crate) results: SmallVec<[ResultType; 1]>,
    name: RefCell<Cow<'static, str>>,
    kind: RefCell<Kind>,
    /// The result, where PyTorch's node keeps it and this one needs something else.
    result: RefCell<Option<Watch>>,
    /// The operands that PyTorch's node keeps, beside those that this one needs.
    kept: RefCell<Vec<Watched>>,
    pub(crate) hooks: RefCell<Vec<(usize, Hook)>>,
    pub(crate) retained: RefCell<Vec<(usize, WeakTensor)>>,
    pub(crate) extras: RefCell<Option<Box<Extras>>>,
}

janus_gil::gil_local! {
    static SEQUENCE: Cell<u64> = const { Cell::new(0) };
    static NEXT_HOOK: Cell<u64> = const { Cell::new(0) };
}

thread_local! {
    /// What nodes that are being freed referenced.
    static FREED: RefCell<Vec<Remains>> = const { RefCell::new(Vec::new()) };
    static FREEING: Cell<bool> = const { Cell::new(false) };
    /// The memory that the running in-place operations are going to overwrite.
    static CHANGING: RefCell<Vec<Storage>> = const { RefCell::new(Vec::new()) };
}

/// While it lives, operations compute what will overwrite a tensor: where backward needs its
/// elements, the old ones are copied.
#[derive(Debug)]
pub struct ChangingGuard(());

impl ChangingGuard {
    /// An in-place operation on `t` begins.
    #[must_use]
    pub fn new(t: &Tensor) -> Self {
        let storage = t.layout().storage.clone();
        CHANGING.with(|c| c.borrow_mut().push(storage));
        ChangingGuard(())
    }
}

impl Drop for ChangingGuard {
    fn drop(&mut self) {
        let _ = CHANGING.try_with(|c| c.borrow_mut().pop());
    }
}

fn changing(layout: &Layout) -> bool {
    CHANGING.with(|c| {
        c.borrow()
            .iter()
            .any(|storage| storage.same(&layout.storage))
    })
}

type Remains = (SmallVec<[Option<Edge>; 3]>, Kind);

pub(crate) fn next_hook_id() -> u64 {
    NEXT_HOOK.with(|n| {
        n.set(n.get() + 1);
        n.get()
    })
}

fn next_seq() -> u64 {
    SEQUENCE.with(|s| {
        s.set(s.get() + 1);
        s.get()
    })
}

/// `reduce_sum` becomes `SumBackward0`.
#[must_use]
pub fn default_name(prim: &Prim) -> String {
    let name = prim.name();
    let name = name.strip_prefix("reduce_").unwrap_or(name);
    let mut out = String::new();
    for part in name.split('_') {
        let mut chars = part.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out + "Backward0"
}

/// Names of functions that give views.
const OF_VIEWS: &[&str] = &[
    "AliasBackward",
    "AsStridedBackward",
    "DiagonalBackward",
    "ExpandBackward",
    "PermuteBackward",
    "SelectBackward",
    "SliceBackward",
    "SplitBackward",
    "SqueezeBackward",
    "TBackward",
    "TransposeBackward",
    "UnbindBackward",
    "UnfoldBackward",
    "UnsqueezeBackward",
    "ViewAsComplexBackward",
    "ViewAsRealBackward",
    "ViewBackward",
];

/// Whether an operation of several primitives keeps its result in PyTorch, by its `grad_fn`'s name.
#[must_use]
pub fn keeps_result(name: &str) -> bool {
    matches!(
        name,
        "ReluBackward0"
            | "SoftmaxBackward0"
            | "LogSoftmaxBackward0"
            | "ReciprocalBackward0"
            | "TanBackward0"
            | "Exp2Backward0"
            | "LogsumexpBackward0"
            | "LinalgVectorNormBackward0"
            | "NormBackward1"
            | "StdBackward0"
            | "StdMeanBackward0"
            | "ProdBackward0"
            | "ProdBackward1"
            | "CdistBackward0"
            | "MkldnnRnnLayerBackward0"
            | "ScaledDotProductFlashAttentionForCpuBackward0"
    )
}

impl Node {
    fn with_kind(
        inputs: SmallVec<[Option<Edge>; 3]>,
        results: SmallVec<[ResultType; 1]>,
        name: Cow<'static, str>,
        kind: Kind,
    ) -> Rc<Node> {
        Rc::new(Node {
            seq: next_seq(),
            inputs,
            results,
            name: RefCell::new(name),
            kind: RefCell::new(kind),
            result: RefCell::new(None),
            kept: RefCell::default(),
            hooks: RefCell::new(Vec::new()),
            retained: RefCell::new(Vec::new()),
            extras: RefCell::default(),
        })
    }

    /// A primitive's node; `edges` are the operands' places in the graph, `None` for those
    /// that get no gradient.
    pub(crate) fn of_prim(
        prim: Prim,
        definition: &'static Definition,
        operands: &[&Tensor],
        edges: SmallVec<[Option<Edge>; 3]>,
        result: &Layout,
    ) -> Result<Rc<Node>> {
        let wants: SmallVec<[bool; 4]> = edges.iter().map(Option::is_some).collect();
        let reads = definition.reads(&wants);
        let keeps = |i: usize| reads.operands.get(i).copied().unwrap_or(false);
        if (operands.iter().enumerate()).any(|(i, t)| keeps(i) && t.is_inference()) {
            return Err(TensorError::InferenceSaved);
        }
        let pair = saved_hooks();
        let slot = |saved: Saved| match &pair {
            // A number is nothing that a script saw as a tensor.
            Some(pair) if !(saved.is_constant() && saved.layout.shape.is_empty()) => {
                let t = Tensor::from_layout(saved.layout);
                Packed::new(pair, &t, saved.edge).map(Slot::Packed)
            }
            _ => Ok(Slot::Tensor(saved)),
        };
        let slots = operands
            .iter()
            .enumerate()
            .map(|(i, t)| {
                if keeps(i) {
                    slot(Saved::new(t))
                } else {
                    let layout = t.layout();
                    Ok(Slot::Meta(layout.shape.clone(), layout.dtype))
                }
            })
            .collect::<Result<_>>()?;
        let kept = if reads.result {
            slot(Saved::of_layout(result))?
        } else {
            Slot::Meta(result.shape.clone(), result.dtype)
        };
        let results = SmallVec::from_elem(ResultType::of(result), 1);
        // The name is made on demand: most nodes are never printed.
        Ok(Node::with_kind(
            edges,
            results,
            Cow::Borrowed(""),
            Kind::Prim(Box::new(PrimNode {
                prim,
                definition,
                operands: slots,
                result: kept,
            })),
        ))
    }

    /// A node with its own backward function.
    pub(crate) fn custom(
        name: Cow<'static, str>,
        edges: SmallVec<[Option<Edge>; 3]>,
        results: SmallVec<[ResultType; 1]>,
        backward: Box<dyn Backward>,
    ) -> Rc<Node> {
        Node::with_kind(edges, results, name, Kind::Custom(backward))
    }

    /// A node that gradients do not pass.
    pub(crate) fn stop(name: &'static str, result: &Layout) -> Rc<Node> {
        let results = SmallVec::from_elem(ResultType::of(result), 1);
        Node::with_kind(SmallVec::new(), results, Cow::Borrowed(name), Kind::Stop)
    }

    /// What Python shows: `MulBackward0`.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.name.borrow();
        if !name.is_empty() {
            return name.to_string();
        }
        match &*self.kind.borrow() {
            Kind::Prim(p) => default_name(&p.prim),
            _ => "Backward".to_owned(),
        }
    }

    /// Changes what Python shows.
    pub fn set_name(&self, name: impl Into<Cow<'static, str>>) {
        self.name.replace(name.into());
    }

    /// Whether its name is that of a function which gives views.
    #[must_use]
    pub fn is_of_view(&self) -> bool {
        let name = self.name();
        // That of squeeze_() is of what the function has just made.
        name != "SqueezeBackward4"
            && OF_VIEWS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit()))
    }

    /// Says which operation made a result of it, under PyTorch's name: if that keeps its result, backward
    /// fails once the result was overwritten.
    pub fn name_result(&self, name: impl Into<Cow<'static, str>>, result: &Tensor) {
        self.set_name(name);
        let is_prim = matches!(&*self.kind.borrow(), Kind::Prim(_));
        let keeps = match self.name.borrow().as_ref() {
            name if keeps_result(name) => true,
            // A primitive says itself that it keeps its result.
            "ExpBackward0" | "Expm1Backward0" | "SqrtBackward0" | "RsqrtBackward0"
            | "TanhBackward0" | "SigmoidBackward0" => !is_prim,
            _ => false,
        };
        if keeps {
            self.result.replace(Some(result.layout().watch()));
        }
    }

    /// An in-place operation moved the result, which this node may have kept, to other memory.
    pub(crate) fn result_moved(&self, from: &Layout, to: &Layout) {
        if let Some(watch) = &mut *self.result.borrow_mut()
            && watch.watches(from)
        {
            *watch = to.watch();
        }
        if let Kind::Prim(p) = &mut *self.kind.borrow_mut()
            && let Slot::Tensor(saved) = &mut p.result
            && saved.layout.storage.same(&from.storage)
        {
            *saved = Saved::of_layout(to);
        }
    }

    /// Backward fails once a tensor was written to: an operand, or the result itself.
    pub(crate) fn keep(&self, t: &Tensor, is_result: bool) {
        if is_result {
            self.result.replace(Some(t.layout().watch()));
            return;
        }
        self.kept.borrow_mut().push(Watched::new(t));
    }

    fn check_result(&self) -> Result<()> {
        for watched in self.kept.borrow().iter() {
            watched.check()?;
        }
        let watch = self.result.borrow();
        let changed = watch.as_ref().and_then(|w| Some((w, w.changed()?)));
        let (Some((watch, version)), Some(result)) = (changed, self.results.first()) else {
            return Ok(());
        };
        Err(TensorError::ModifiedInPlace {
            ty: result.dtype.scalar_type_name(),
            sizes: result.shape[..].into(),
            producer: format!(", which is output 0 of {},", self.name()),
            version,
            expected: watch.expected,
        })
    }

    /// A tensor that a primitive keeps: an operand by its number, or its result.
    ///
    /// # Errors
    /// It was freed, or written to.
    pub fn saved(self: &Rc<Node>, operand: Option<usize>) -> Result<Option<Tensor>> {
        let kind = self.kind.borrow();
        let Kind::Prim(p) = &*kind else {
            return Ok(None);
        };
        let (slot, own) = match operand {
            Some(i) => (p.operands.get(i), None),
            None => {
                let node = self.clone();
                (Some(&p.result), Some(Output { node, index: 0 }))
            }
        };
        match slot {
            Some(Slot::Tensor(saved)) => saved.unpack(own).map(Some),
            Some(Slot::Packed(packed)) => packed.unpack(own).map(Some),
            Some(Slot::Freed) => Err(TensorError::BackwardTwice),
            Some(Slot::Meta(..)) | None => Ok(None),
        }
    }

    /// Whether what a script's function saved is still there.
    ///
    /// # Errors
    /// A backward pass freed it.
    pub fn check_saved(&self) -> Result<()> {
        match &*self.kind.borrow() {
            Kind::Spent(_) => Err(TensorError::BackwardTwice),
            _ => Ok(()),
        }
    }

    /// What the backward function of a script's class is known by; see [`Backward::object`].
    pub fn with_object<R>(&self, f: impl FnOnce(&dyn Any) -> R) -> Option<R> {
        match &*self.kind.borrow() {
            Kind::Custom(custom) | Kind::Spent(custom) => custom.object().map(f),
            _ => None,
        }
    }

    /// `grad_fn.next_functions`
    #[must_use]
    pub fn inputs(&self) -> &[Option<Edge>] {
        &self.inputs
    }

    /// Shapes and dtypes of its results.
    #[must_use]
    pub fn results(&self) -> &[ResultType] {
        &self.results
    }

    /// See [`Backward::continues`].
    pub(crate) fn continues(&self) -> Vec<usize> {
        match &*self.kind.borrow() {
            Kind::Custom(custom) => custom.continues(),
            _ => Vec::new(),
        }
    }

    /// Gradients of the inputs that `wants`, in the order in which they are to be accumulated.
    pub(crate) fn backward(
        self: &Rc<Node>,
        grads: &[Option<Tensor>],
        wants: &[bool],
        sums: Vec<Option<Tensor>>,
    ) -> Result<Gradients<Tensor>> {
        let kind = self.kind.borrow();
        match &*kind {
            Kind::Released | Kind::Spent(_) => Err(TensorError::BackwardTwice),
            Kind::Stop => Ok(SmallVec::new()),
            Kind::Custom(custom) => {
                self.check_result()?;
                let results = custom.backward_onto(grads, wants, sums)?;
                let mut out = SmallVec::new();
                for (i, (grad, edge)) in results.into_iter().zip(&self.inputs).enumerate() {
                    if let (Some(grad), Some(_), Some(true)) = (grad, edge, wants.get(i)) {
                        out.push((i, grad));
                    }
                }
                Ok(out)
            }
            Kind::Prim(p) => {
                let Some(Some(g)) = grads.first() else {
                    return Ok(SmallVec::new());
                };
                self.check_result()?;
                let unpack = |slot: &Slot, own: Option<Output>| match slot {
                    Slot::Tensor(saved) => saved.unpack(own).map(Kept::Data),
                    Slot::Packed(packed) => packed.unpack(own).map(Kept::Data),
                    Slot::Meta(shape, dtype) => Ok(Kept::Meta(dims_of(shape), *dtype)),
                    Slot::Freed => Err(TensorError::BackwardTwice),
                };
                let operands: SmallVec<[Kept<Tensor>; 3]> = p
                    .operands
                    .iter()
                    .map(|slot| unpack(slot, None))
                    .collect::<Result<_>>()?;
                let own = Output {
                    node: self.clone(),
                    index: 0,
                };
                let result = unpack(&p.result, Some(own))?;
                let reduced = g.dtype().is_reduced();
                if reduced && matches!(p.prim, Prim::Unary(_) | Prim::Binary(_)) {
                    return p.backward_once(operands, result, g, wants);
                }
                p.definition
                    .run(&mut Eager, &p.prim, &operands, &result, g, wants)
            }
        }
    }

    /// Frees what was saved.
    pub(crate) fn release(&self) {
        self.kept.take();
        let mut kind = self.kind.borrow_mut();
        match &mut *kind {
            Kind::Prim(p) => {
                // PyTorch keeps the number that it multiplies by as a tensor, and frees it with the others.
                let name = self.name.borrow();
                let is_factor = matches!(p.prim, Prim::Binary(BinaryOp::Mul | BinaryOp::Div))
                    && matches!(name.as_ref(), "" | "MulBackward0" | "DivBackward0");
                for slot in p.operands.iter_mut().chain([&mut p.result]) {
                    let goes = match slot {
                        Slot::Tensor(s) => is_factor || !s.is_constant(),
                        Slot::Packed(_) => true,
                        Slot::Meta(..) | Slot::Freed => false,
                    };
                    if goes {
                        *slot = Slot::Freed;
                    }
                }
            }
            Kind::Custom(custom) => {
                custom.release();
                if !custom.goes_again() {
                    *kind = match std::mem::replace(&mut *kind, Kind::Released) {
                        Kind::Custom(custom) if custom.object().is_some() => Kind::Spent(custom),
                        _ => Kind::Released,
                    };
                }
            }
            Kind::Stop | Kind::Released | Kind::Spent(_) => {}
        }
    }
}

impl PrimNode {
    /// The gradients of an elementwise primitive of floats of 16 bits: computed in float32, and rounded once.
    fn backward_once(
        &self,
        operands: SmallVec<[Kept<Tensor>; 3]>,
        result: Kept<Tensor>,
        g: &Tensor,
        wants: &[bool],
    ) -> Result<Gradients<Tensor>> {
        let dtype = g.dtype();
        let wide = |kept: Kept<Tensor>| match kept {
            Kept::Data(t) => Eager.cast(&t, DType::F32).map(Kept::Data),
            Kept::Meta(dims, _) => Ok(Kept::Meta(dims, DType::F32)),
        };
        let operands: SmallVec<[Kept<Tensor>; 3]> =
            operands.into_iter().map(wide).collect::<Result<_>>()?;
        let (result, g) = (wide(result)?, Eager.cast(g, DType::F32)?);
        let grads = self
            .definition
            .run(&mut Eager, &self.prim, &operands, &result, &g, wants)?;
        let rounded = grads.into_iter();
        rounded
            .map(|(i, grad)| Ok((i, Eager.cast(&grad, dtype)?)))
            .collect()
    }
}

impl Drop for Node {
    // A graph may be a chain of a million nodes: what a node references is handed to a list
    // that the outermost drop works off.
    fn drop(&mut self) {
        let remains = (
            std::mem::take(&mut self.inputs),
            self.kind.replace(Kind::Released),
        );
        let queued = FREED.try_with(|list| list.borrow_mut().push(remains));
        if queued.is_err() || FREEING.try_with(|f| f.replace(true)).unwrap_or(true) {
            return;
        }
        loop {
            let next = FREED.try_with(|list| list.borrow_mut().pop());
            match next {
                Ok(Some(remains)) => drop(remains),
                _ => break,
            }
        }
        let _ = FREEING.try_with(|f| f.set(false));
    }
}
