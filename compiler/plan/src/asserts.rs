//! Assumptions that are checked inside of the graph.
//!
//! In: nothing. Out: [`Assertion`]s by id. Always: a key names the same assumption in each compile.

use std::rc::Rc;

use crate::departures::DeoptReason;

/// An assumption checked inside the graph.
#[derive(Clone)]
pub struct Assertion {
    /// What failed when it fails.
    pub reason: DeoptReason,
    /// The user's line.
    pub line: u32,
    /// What to relax: see [`crate::Relaxations`].
    pub key: AssumptionKey,
    /// What was assumed, in words; empty where that goes without saying.
    pub expected: String,
    /// Which way a branch was assumed to go.
    pub branch: Option<AssumedBranch>,
}

impl Assertion {
    /// What was assumed, in words, also where that goes without saying.
    #[must_use]
    pub fn expectation(&self) -> &str {
        match self.reason {
            _ if !self.expected.is_empty() => &self.expected,
            DeoptReason::IntOverflow => "ints that fit",
            _ => "arithmetic that does not raise",
        }
    }
}

/// One way of a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AssumedBranch {
    /// Whether it jumps.
    pub jump: bool,
    /// Both ways were tried and do not fit into one graph.
    pub unfit: bool,
}

/// Names an in-graph assumption across compiles: the code, the instruction, and for inlined code
/// the call path.
pub type AssumptionKey = Rc<str>;
