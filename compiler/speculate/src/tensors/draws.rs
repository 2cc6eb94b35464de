//! Random numbers that the region draws.
//!
//! In: nothing. Out: [`Random`], a part of the executor. Always: what only this layer uses is private to it.

use janus_dialect::ValueId;
use janus_plan::{GraphDraw, PlannedDraw};

use crate::state::sym::Obj;

/// Random numbers that the region draws.
#[derive(Default)]
pub(crate) struct Random {
    pub(crate) draws: Vec<PlannedDraw>,
    pub(crate) graph_draws: Vec<GraphDraw>,
    /// The variable that counts the draws of the graph.
    pub(in crate::tensors) draws_cell: Obj,
    /// The address of the run's draws, in the graph.
    pub(in crate::tensors) drawing: Option<ValueId>,
}
