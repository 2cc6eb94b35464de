//! Extents that are not known when a region is converted.
//!
//! In: nothing. Out: [`DimInfo`], one for each symbol. Always: a symbol stands for one extent in all of a graph.

use janus_dialect::ValueId;
use janus_plan::NodeId;
use janus_tensor::Dim;

/// What is known of a symbolic extent.
#[derive(Clone, Copy)]
pub(crate) struct DimInfo {
    /// Its value in the graph, an index.
    pub id: ValueId,
    /// What it is at this very entry.
    pub hint: Option<i64>,
    /// Where it comes from.
    pub source: Source,
    /// It is how many items a list has, and not negative.
    pub is_length: bool,
    /// What it was asserted to be at least, before the graph runs.
    pub asserted: Option<i64>,
    /// It is how many rows a tensor has that the guard makes of a list, as others of that list.
    pub is_column: bool,
    /// The extent it was found (and asserted) to equal.
    pub same_as: Option<crate::state::dims::Same>,
}

/// Where an extent comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// A dimension of a tensor that is there at entry.
    Entry(NodeId, usize),
    /// An int that is known at entry.
    Int(NodeId),
    /// Other extents.
    Op(janus_tensor::ops::DimOp, Dim, Dim),
    /// An int that can be told at entry, by its place in `EntryNumbers::extent_dims`.
    Computed(u32),
    /// A dimension of a tensor that the graph makes.
    Extent,
    /// The graph's values.
    Graph,
}

/// What an extent was found to equal.
#[derive(Clone, Copy)]
pub(crate) enum Same {
    Sym(u32),
    Known(i64),
}

/// Operations that are looked through for bounds.
pub(crate) const BOUND_DEPTH: u32 = 6;
