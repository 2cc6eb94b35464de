//! Tier 2's front end: executes a region's bytecode symbolically and emits a dataflow graph.
//!
//! In: a region (a function, or the body of a loop) about to be entered, with its frame as it is
//! now, its profile, and what earlier versions got wrong. Out: a [`Speculation`]: the graph and
//! the [`Plan`](janus_plan::Plan) around it, or [`NotConverted`](janus_plan::NotConverted) with the user's line. Always: runs on the
//! interpreter's thread, changes nothing there, and runs no code of the user's; what it cannot
//! express it refuses, and tier 0 runs it.
//!
//! The order of work is JANUS's (NSDI'19, section 4): profile first, assume what the profile
//! shows, guard what is assumed; writes go to local copies until the region ends.

mod attempts;
mod branches;
mod emit;
mod entry;
mod executor;
mod finish;
mod interpreter;
mod lists;
mod loops;
mod numbers;
mod objects;
mod recursion;
mod state;
mod tensors;

pub use attempts::speculate;
pub(crate) use state::stop::{Res, Stop};

use std::time::Instant;

use janus_dialect::{Graph, Passes};
use janus_interp::Frame;
use janus_object::{CodeObject, PyRef};
use janus_plan::{Plan, RegionKind, Relaxations};

/// What to convert.
pub struct Request<'a> {
    /// The code.
    pub code: &'a PyRef<CodeObject>,
    /// Function or loop.
    pub kind: RegionKind,
    /// The frame at the region's entry.
    pub frame: &'a Frame,
    /// What is no longer assumed.
    pub relaxations: &'a Relaxations,
    /// Whether loops are unrolled and values specialised.
    pub passes: Passes,
    /// When an attempt that is not through gives up.
    pub deadline: Option<Instant>,
}

/// A converted region.
pub struct Speculation {
    /// The graph.
    pub graph: Graph,
    /// What surrounds it.
    pub plan: Plan,
}
