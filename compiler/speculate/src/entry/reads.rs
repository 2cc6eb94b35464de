//! What is read at entry so far.
//!
//! In: nothing. Out: [`Entry`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashMap;
use std::rc::Rc;

use janus_dialect::ValueId;
use janus_plan::{Load, Node, NodeId};

use crate::state::sym::{HeapObject, Obj};

/// How an object that is there at entry is come to: its path, the object that it was found in, and the key.
pub(crate) type Way = (Rc<str>, Option<NodeId>, Option<NodeId>);

/// What is read at entry so far.
#[derive(Default)]
pub(crate) struct Entry {
    pub(crate) nodes: Vec<Node>,
    pub(crate) loads: Vec<Load>,
    /// The tensors among them, and those drawn at entry: each with its slot.
    pub(crate) loaded: Vec<(Obj, usize)>,
    /// Object values of the graph, by node.
    pub(in crate::entry) object_values: HashMap<NodeId, ValueId>,
    pub(crate) unaliased: Vec<NodeId>,
    /// Objects by how they were come to, where several are at one address: see [`Relaxations::separate`].
    pub(in crate::entry) separated: HashMap<Way, Obj>,
    /// [`janus_plan::Plan::distinct`]
    pub(crate) distinct: Vec<(NodeId, NodeId)>,
    /// Tensors that have no gradient at entry, until something depends on that.
    pub(crate) without_grad: HashMap<Obj, (NodeId, Rc<str>)>,
    /// Objects that were there at entry as they looked when they were first met, with addresses.
    pub(crate) pristine: HashMap<Obj, (usize, HeapObject)>,
    pub(crate) assumed: Vec<String>,
}
