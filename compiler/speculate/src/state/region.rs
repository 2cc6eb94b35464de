//! The region that is converted, and what is relaxed of it.
//!
//! In: nothing. Out: [`Region`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashSet;
use std::time::Instant;

use janus_dialect::Passes;
use janus_object::{CodeObject, PyRef, Value};
use janus_plan::{RegionKind, Relaxations, last_back_edge};

use crate::Request;
use crate::state::sym::SymFrame;

/// The region that is converted, and what is relaxed of it.
pub(crate) struct Region<'v> {
    pub(crate) relaxations: &'v Relaxations,
    pub(crate) passes: Passes,
    pub(crate) kind: RegionKind,
    /// When an attempt that is not through gives up.
    pub(crate) deadline: Option<Instant>,
    pub(crate) code: PyRef<CodeObject>,
    /// The head of the loop whose iteration ends the region, and that loop's last instruction.
    pub(crate) loop_head: Option<u32>,
    pub(crate) loop_end: u32,
    pub(crate) frame: Option<SymFrame>,
    /// What lies below the region's stack.
    pub(crate) below: Vec<Option<Value>>,
    /// Locals that were not set when the region was looked at.
    pub(crate) unset_locals: HashSet<usize>,
}

impl<'v> Region<'v> {
    /// The region of a request.
    pub(crate) fn of(request: &Request<'v>) -> Self {
        let code = request.code.clone();
        let loop_head = request.kind.loop_head(&code.code);
        let loop_end = match loop_head {
            None => u32::MAX,
            Some(head) => last_back_edge(&code.code, head).unwrap_or(0),
        };
        Region {
            relaxations: request.relaxations,
            passes: request.passes,
            kind: request.kind,
            deadline: request.deadline,
            code,
            loop_head,
            loop_end,
            frame: None,
            below: Vec::new(),
            unset_locals: HashSet::new(),
        }
    }
}
