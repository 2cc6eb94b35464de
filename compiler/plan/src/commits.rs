//! What a region writes, and how it is left.
//!
//! In: nothing. Out: [`Commit`]s in order, and an [`Exit`]. Always: nothing is written before every assert has held.

use std::rc::Rc;

use janus_object::{Name, PyCell, PyRef, Value};

use crate::nodes::{Namespace, NodeId};
use crate::recipes::{History, RecipeId};

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
