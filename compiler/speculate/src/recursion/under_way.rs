//! Functions that are graphs of their own, and what the graph reads of objects.
//!
//! In: nothing. Out: [`Recursing`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashMap;

use janus_dialect::ValueId;
use janus_object::PyRef;
use janus_plan::NodeId;

use crate::recursion::invoke::Invoked;
use crate::state::sym::Obj;

/// Functions that are graphs of their own, and what the graph reads of objects.
#[derive(Default)]
pub(crate) struct Recursing {
    /// A call of a function that is a graph of its own was met.
    pub(crate) recursive: bool,
    /// Calls of recursions over objects that were inlined.
    pub(crate) recursive_calls: u32,
    /// Functions that are graphs of their own.
    pub(crate) invoked: Vec<Invoked>,
    /// Attributes that recursions keep something in, by the class of their objects.
    pub(in crate::recursion) kept_fields: Vec<(PyRef<janus_object::Class>, janus_object::Name)>,
    /// What the graph reads of objects that it finds itself.
    pub(crate) fields: janus_object::fields::FieldTable,
    /// The address of that table, in the graph.
    pub(in crate::recursion) field_table: Option<ValueId>,
    /// What stands for all tensors that objects hold to which the graph comes.
    pub(crate) held: Option<Obj>,
    /// How many calls deeper Python may go at entry, in the graph.
    pub(in crate::recursion) calls_left_at_entry: Option<ValueId>,
    /// Addresses of objects that are there at entry, in the graph.
    pub(in crate::recursion) addresses: HashMap<NodeId, ValueId>,
}
