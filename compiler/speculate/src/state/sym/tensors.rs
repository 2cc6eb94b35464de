//! Symbolic tensors: what one is, where it comes from on the tape, and which memory it shares.

use std::rc::Rc;

use janus_dialect::ValueId;
use janus_object::{Class, PyRef};
use janus_tensor::ops::{Dims, Prim};
use janus_tensor::{DType, Device, Dim};

use crate::state::sym::{Condition, Obj, Slot, Sym};

/// A tensor object.
#[derive(Clone)]
pub(crate) struct SymTensor {
    /// Its elements now, when it owns its storage.
    pub value: ValueId,
    pub dtype: DType,
    pub dims: Dims,
    pub device: Device,
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
