//! The graph so far, and where in it the next op goes.
//!
//! In: nothing. Out: [`Emission`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::{HashMap, HashSet};

use janus_dialect::{GraphBuilder, ValueId};
use janus_plan::{Assertion, RegionKind, ScalarType};

use crate::Request;
use crate::emit::contexts::Context;

/// The graph so far, and where in it the next op goes.
pub(crate) struct Emission {
    pub(crate) builder: GraphBuilder,
    /// 0 is the region itself.
    pub(crate) contexts: Vec<Context>,
    pub(crate) context: u32,
    /// The context each value belongs to, where it is not 0.
    pub(crate) value_context: HashMap<ValueId, u32>,
    /// Constants of the graph by type and bits.
    pub(crate) constants: HashMap<(ScalarType, u64), ValueId>,
    /// What is emitted now stays, whatever becomes of the branch or loop it was needed in.
    pub(in crate::emit) keeping: bool,
    pub(crate) kept: HashSet<ValueId>,
    pub(crate) assertions: Vec<Assertion>,
    /// Operations on tensors that were emitted.
    pub(crate) computes: usize,
    pub(in crate::emit) ops: usize,
}

impl Emission {
    /// An empty graph for a request.
    pub(crate) fn of(request: &Request<'_>) -> Self {
        let name = &request.code.code.qualname;
        let name = match request.kind {
            RegionKind::Function => name.to_string(),
            // No line: graphs are equal wherever they come from.
            RegionKind::Loop { .. } => format!("{name}:loop"),
            RegionKind::Rest { .. } => format!("{name}:rest"),
        };
        Emission {
            builder: GraphBuilder::new(&name),
            contexts: Vec::new(),
            context: 0,
            value_context: HashMap::new(),
            constants: HashMap::new(),
            keeping: false,
            kept: HashSet::new(),
            assertions: Vec::new(),
            computes: 0,
            ops: 0,
        }
    }
}
