//! Symbolic values and the symbolic heap.
//!
//! In: nothing. Out: [`Sym`], [`HeapObject`], [`State`]. Always: a [`State`] can be cloned at a
//! branch and the two copies merged; everything that a branch can change is in it.

use std::collections::HashMap;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use janus_dialect::ValueId;
use janus_object::{Class, CodeObject, DictPart, Name, PyCell, PyDict, PyRef, Value};
use janus_plan::{Namespace, NodeId, ScalarType, Step};
use janus_tensor::ops::{Dims, Prim};
use janus_tensor::{DType, Dim};

use crate::state::open::SymOpen;
use crate::state::template::Template;

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
    /// What a built-in base stores: a list, dict or tuple of the symbolic heap.
    pub payload: Option<Obj>,
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

/// A list.
#[derive(Clone)]
pub(crate) struct SymList {
    /// The items it had at entry, once they matter; always there for a new list.
    pub base: Option<Vec<Slot>>,
    /// Items appended behind `base`.
    pub appended: Vec<(Sym, Condition)>,
    /// Something other than `append` changed it: it is written back whole.
    pub rewritten: bool,
    /// How many of its first items are no longer there, where `base` is not known.
    pub dropped: usize,
}

impl SymList {
    /// Whether it is what it was at entry.
    pub(crate) fn is_unchanged(&self) -> bool {
        !self.rewritten && self.appended.is_empty() && self.dropped == 0
    }

    /// Whether both got the same since entry, and lost the same.
    fn got_the_same(&self, other: &SymList) -> bool {
        let same = |((v, c), (w, d)): (&(Sym, Condition), &(Sym, Condition))| v.same(w) && c == d;
        let rewritten = self.rewritten || other.rewritten;
        self.appended.len() == other.appended.len()
            && self.appended.iter().zip(&other.appended).all(same)
            && self.dropped == other.dropped
            && (!rewritten || self.rewritten && other.rewritten && self.has_same_items(other))
    }

    fn has_same_items(&self, other: &SymList) -> bool {
        let (Some(a), Some(b)) = (&self.base, &other.base) else {
            return false;
        };
        let same =
            |pair: (&Slot, &Slot)| matches!(pair, (Slot::Loaded(v), Slot::Loaded(w)) if v.same(w));
        a.len() == b.len() && a.iter().zip(b).all(same)
    }

    /// What it got, where it is known to have been empty at entry and all of that is there for sure.
    pub(crate) fn all_it_got(&self) -> Option<Vec<Sym>> {
        let was_empty = self.base.as_ref().is_some_and(Vec::is_empty);
        if !was_empty || self.rewritten || self.dropped > 0 {
            return None;
        }
        let got = self.appended.iter();
        got.map(|(v, condition)| condition.is_none().then(|| v.clone()))
            .collect()
    }
}

/// A list from outside of which items were replaced at indices that move; its items are not read any more.
#[derive(Clone)]
pub(crate) struct SymReplaced {
    /// The list before that: not rewritten, and with all of its first items.
    pub list: SymList,
    /// The indices from the list's start, and what is there then, in their order.
    pub items: Vec<(Sym, Sym)>,
}

/// A list whose items are rows of tensors: made in the region, and longer than anyone could tell.
#[derive(Clone)]
pub(crate) struct SymGrown {
    /// A list that was there at entry: what it was before it grew. The items here come behind that.
    pub behind: Option<Box<SymList>>,
    /// The first items, where the script made them before it grew.
    pub first: Vec<Sym>,
    /// The form of an item.
    pub item: Template,
    /// One tensor for each number or tensor of an item: a row for each item that is stored.
    pub rows: Vec<Obj>,
    /// Items are inserted before the others: the last row is the first item.
    pub turned: bool,
    /// Rows before the first item.
    pub skipped: i64,
    /// Rows in use, an int.
    pub used: Sym,
    /// Items behind those that are stored.
    pub waiting: Vec<Sym>,
    /// How many items it has, where that is known beforehand.
    pub count: Option<Dim>,
    /// Items appended at most, since the iteration of the innermost loop began or it was made.
    pub added: Dim,
    /// It may have got fewer than that.
    pub fewer: bool,
    /// A loop has made room for what is appended now.
    pub reserved: bool,
    /// Some of its items require grad, and some do not, or one of them has another place in a list, too.
    pub mixed: bool,
    /// Something of another form was appended: the attempt is made again.
    pub unfit: bool,
}

impl SymGrown {
    /// Whether its items are numbers.
    pub(crate) fn is_of_numbers(&self) -> bool {
        matches!(self.item, Template::Scalar(_))
    }

    /// A list whose items are these rows, `count` of them, which is the int `used`.
    pub(crate) fn of_rows(item: Template, rows: Vec<Obj>, count: Dim, used: Sym) -> SymGrown {
        SymGrown {
            behind: None,
            first: Vec::new(),
            item,
            rows,
            turned: false,
            skipped: 0,
            used,
            waiting: Vec::new(),
            count: Some(count),
            added: Dim::Known(0),
            fewer: false,
            reserved: false,
            mixed: false,
            unfit: false,
        }
    }

    /// Its rows are all its items, and as many.
    pub(crate) fn hold_rows(&mut self, count: Dim, used: Sym) {
        (self.skipped, self.count, self.used) = (0, Some(count), used);
        if self.turned {
            // What it began with is at its end.
            self.first.clear();
        }
        self.turned = false;
        self.waiting.clear();
    }

    /// Whether both had the same items before they grew.
    pub(crate) fn began_the_same(&self, other: &SymGrown) -> bool {
        let behind = match (&self.behind, &other.behind) {
            (Some(a), Some(b)) => a.got_the_same(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let same = |(v, w): (&Sym, &Sym)| v.same(w);
        behind
            && self.first.len() == other.first.len()
            && self.first.iter().zip(&other.first).all(same)
    }

    /// Whether nothing was appended to one and not to the other.
    pub(crate) fn is_same(&self, other: &SymGrown) -> bool {
        self.rows == other.rows
            && self.used.same(&other.used)
            && self.waiting.len() == other.waiting.len()
            && self
                .waiting
                .iter()
                .zip(&other.waiting)
                .all(|(x, y)| x.same(y))
            && self.unfit == other.unfit
            && self.turned == other.turned
            && self.fewer == other.fewer
    }
}

/// A set; no two items are equal. One that was there at entry only grows, behind what it held.
#[derive(Clone, Default)]
pub(crate) struct SymSet {
    pub items: Vec<Sym>,
    /// The items are not in the order in which tier 0 puts them in.
    pub unordered: bool,
}

/// A dict whose keys are all known.
#[derive(Clone)]
pub(crate) struct SymDict {
    /// In insertion order. Keys are immutable known values or objects with identity hash.
    pub entries: Vec<(Sym, Slot)>,
    /// Keys written or deleted, each once.
    pub written: Vec<Sym>,
    /// Keys deleted, each once, even if they are back: at the end, then.
    pub removed: Vec<Sym>,
}

/// Adds a key to keys of which none comes twice.
pub(crate) fn add_key(keys: &mut Vec<Sym>, key: &Sym) {
    if !keys.iter().any(|k| k.same(key)) {
        keys.push(key.clone());
    }
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

/// A tensor object.
#[derive(Clone)]
pub(crate) struct SymTensor {
    /// Its elements now, when it owns its storage.
    pub value: ValueId,
    pub dtype: DType,
    pub dims: Dims,
    /// Made in a `torch.inference_mode()` of the region.
    pub inference: bool,
    pub class: PyRef<Class>,
    /// PyTorch's flag.
    pub requires_grad: bool,
    /// It does so on one side of a branch, or comes from what does.
    pub some_grad: bool,
    /// A leaf that requires grad.
    pub leaf: bool,
    /// `.grad`
    pub grad: Slot,
    pub grad_written: bool,
    /// Something else may name that tensor.
    pub grad_read: bool,
    /// New content was written.
    pub written: Written,
    /// It was written through `.data`, whose version is its own; or it is `.data`.
    pub unversioned: bool,
    /// It was written so that its version counter moved.
    pub counted: bool,
    /// It shows the elements of another tensor object, through this.
    pub view: Option<View>,
    /// Counts writes to the storage that this object owns.
    pub version: u32,
    /// A branch or a loop decides whether versions from this one on are still the present one.
    pub unsure_from: u32,
    /// Its place on the tape.
    pub tape: Tape,
    /// Which object it is, as far as that is known.
    pub identity: Identity,
}

/// What the tape knows of a tensor.
#[derive(Clone)]
pub(crate) struct Tape {
    /// Leaves that its gradient reaches, each with the value that was used.
    pub leaves: Rc<[Leaf]>,
    /// Tensors that it was computed from, if it requires grad.
    pub inputs: Rc<[Obj]>,
    /// What the tape keeps for its gradient: the tensors that own the memory, at these versions.
    pub saved: Rc<[(Obj, u32)]>,
    /// A branch or a loop decides which of the inputs it was computed from, or how often.
    pub decided: bool,
    /// What of that a backward pass frees.
    pub kept: Keeping,
    /// A loop made it: the tensors of an iteration on the way to it for which the tape keeps what a backward pass
    /// frees.
    pub within: Rc<[Obj]>,
    /// One number, stretched: the tape keeps it where it frees the rest.
    pub splat: bool,
    /// What made it, if it requires grad and nothing was written to a part of it or decided since.
    pub made_by: Option<Rc<MadeBy>>,
    /// Where it stands among what was made, if that is not told by which object it is: what is made of it comes after it.
    pub place: Option<Obj>,
    /// Its value comes, through the graph, from something that requires grad although it does
    /// not itself: it must be cut off before a differentiable use.
    pub cut: bool,
    /// It was in a graph that a backward has consumed.
    pub consumed: bool,
    /// Where that was on one side of a branch only, where this holds.
    pub consumed_if: Condition,
    /// If it requires grad and is no leaf.
    pub grad_name: GradName,
    /// What was written to it gave it another place on the tape.
    pub moved_on_tape: bool,
}

/// Which of several tensors one is, where branches and loops decide.
#[derive(Clone)]
pub(crate) struct Identity {
    /// It may be an item of a list that grows in a loop.
    pub listed: bool,
    /// Which object it is, nobody can tell here: no write to it, and no `is`.
    pub ambiguous: bool,
    /// Where a loop decided: objects that it may be, or show the elements of.
    pub parts: Rc<[Obj]>,
    /// A loop made it: its elements may lie in another order than row by row.
    pub scattered: bool,
    /// It is this item of a list that grew in a loop.
    pub item_of: Option<(Obj, Dim)>,
    /// A branch decided which of two objects it is.
    pub one_of: Option<OneOf>,
    /// What it is, or may be, was written through another name: its value here is not known.
    pub stale: bool,
}

impl SymTensor {
    /// Whether a backward pass has gone through it, whichever way branches went.
    pub(crate) fn is_spent(&self) -> bool {
        self.tape.consumed && self.tape.consumed_if.is_none()
    }

    /// Whether a backward pass has gone through it on one of two sides only.
    pub(crate) fn is_consumed_apart(&self, other: &SymTensor) -> bool {
        let both = self.requires_grad && other.requires_grad;
        self.tape.consumed_if != other.tape.consumed_if
            || both && self.tape.consumed != other.tape.consumed
    }

    /// Whether a branch or a loop decided what it is, or what it is made of.
    pub(crate) fn is_decided(&self) -> bool {
        self.identity.ambiguous || self.identity.one_of.is_some()
    }

    /// Whether it is known which object it is. What a user's function made is, where it shows a tensor's elements, too.
    pub(crate) fn is_itself(&self) -> bool {
        let made = self.tape.made_by.as_deref();
        let is_new = matches!(made, Some(MadeBy::Function(_))) && self.identity.one_of.is_none();
        is_new || !self.is_decided()
    }

    /// Whether a write to it would have to reach one of two objects.
    pub(crate) fn is_shared(&self) -> bool {
        self.identity.one_of.is_some_and(|o| o.shared)
    }
}

/// The one or the other of two tensor objects.
#[derive(Clone, Copy)]
pub(crate) struct OneOf {
    /// A bool of the graph.
    pub condition: ValueId,
    pub then: Obj,
    pub otherwise: Obj,
    /// One of them is visible elsewhere: a write would have to reach the right one.
    pub shared: bool,
}

/// A leaf of a graph.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub obj: Obj,
    /// Its value where it was used.
    pub value: ValueId,
    /// When it was used: what a branch did not use has no gradient, which is not one of zeros.
    pub used: Condition,
}

impl Leaf {
    /// One that is used for sure.
    pub(crate) fn new(obj: Obj, value: ValueId) -> Leaf {
        let used = None;
        Leaf { obj, value, used }
    }

    /// Whether it is the same leaf, whenever it was used.
    pub(crate) fn is_same(&self, other: &Leaf) -> bool {
        (self.obj, self.value) == (other.obj, other.value)
    }
}

/// Whether a tensor got new content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    No,
    /// Where this bool of the graph holds.
    If(ValueId),
    /// In a loop, which may have had no iteration.
    Maybe,
    Yes,
}

impl Written {
    /// What is known where it is one or the other.
    pub(crate) fn or(self, other: Written) -> Written {
        if self == other { self } else { Written::Maybe }
    }
}

/// What `grad_fn` is called.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum GradName {
    Of(Rc<str>),
    /// The one or the other, by a bool of the graph.
    Either(ValueId, Rc<(GradName, GradName)>),
}

/// How a tensor object shows another one's elements.
#[derive(Clone)]
pub(crate) struct View {
    /// The owner of the storage.
    pub base: Obj,
    /// `base`'s version that `value` was computed from.
    pub version: u32,
    /// How.
    pub map: ViewMap,
    /// Which result it is of a function that returns several views.
    pub one_of_several: Option<usize>,
    /// It was made in grad mode: the tape knows of what it is a view, also where that has no gradient yet.
    pub noted: bool,
}

impl View {
    /// What it shows, which may be a view itself.
    pub(crate) fn parent(&self) -> Obj {
        match self.map {
            ViewMap::Prim(parent, _) => parent,
            ViewMap::Same => self.base,
        }
    }
}

/// What the tape keeps for a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Keeping {
    /// What its inputs keep: a branch or a loop made it of them.
    Decided,
    Nothing,
    /// Numbers: PyTorch frees them where they are operands of `*` and `/`.
    Numbers,
    Tensors,
}

/// What made a tensor that requires grad.
pub(crate) enum MadeBy {
    /// A primitive, of these operands.
    Prim(Prim, Vec<Obj>),
    /// A `torch.autograd.Function` of the user's.
    Function(UserFunction),
    /// An in-place write of this value to the whole of it.
    Write(Obj),
}

impl MadeBy {
    /// The same with another object in place of `old`; `None`: it does not name that.
    pub(crate) fn renamed(&self, old: Obj, new: Obj) -> Option<MadeBy> {
        let rename = |objects: &[Obj]| -> Vec<Obj> {
            objects
                .iter()
                .map(|&o| if o == old { new } else { o })
                .collect()
        };
        match self {
            MadeBy::Prim(prim, operands) if operands.contains(&old) => {
                Some(MadeBy::Prim(prim.clone(), rename(operands)))
            }
            MadeBy::Function(f) if f.inputs.contains(&old) || f.outputs.contains(&old) => {
                Some(MadeBy::Function(UserFunction {
                    backward: f.backward.clone(),
                    inputs: rename(&f.inputs),
                    outputs: rename(&f.outputs),
                }))
            }
            MadeBy::Write(value) if *value == old => Some(MadeBy::Write(new)),
            _ => None,
        }
    }
}

/// A `torch.autograd.Function` of the user's that was applied.
pub(crate) struct UserFunction {
    /// What becomes of a gradient (or None) for each output: a tuple with one (or None) for each input.
    pub backward: Sym,
    pub inputs: Vec<Obj>,
    pub outputs: Vec<Obj>,
}

/// The map of a view.
#[derive(Clone)]
pub(crate) enum ViewMap {
    /// The same elements in the same shape (`detach`, `.data`).
    Same,
    /// Through one primitive applied to another view (or owner).
    Prim(Obj, Rc<janus_tensor::ops::Prim>),
}

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

/// The bool of the graph on which something happens; `None`: it always does.
pub(crate) type Condition = Option<ValueId>;

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
    pub fields: Vec<crate::state::sym::KeptField>,
    /// Fields of objects that were read: the value that says what kind of thing it is, and what it is.
    pub field_reads: Vec<FieldRead>,
}

impl State {
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
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
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
}

impl Tape {
    /// That of what was not recorded.
    pub(crate) fn unrecorded() -> Tape {
        Tape {
            leaves: Rc::new([]),
            inputs: Rc::new([]),
            saved: Rc::new([]),
            decided: false,
            kept: Keeping::Nothing,
            within: Rc::new([]),
            splat: false,
            made_by: None,
            place: None,
            cut: false,
            consumed: false,
            consumed_if: None,
            grad_name: GradName::Of("".into()),
            moved_on_tape: false,
        }
    }
}

impl Identity {
    /// That of a tensor that is known.
    pub(crate) fn known() -> Identity {
        Identity {
            listed: false,
            ambiguous: false,
            parts: Rc::new([]),
            scattered: false,
            item_of: None,
            one_of: None,
            stale: false,
        }
    }
}
