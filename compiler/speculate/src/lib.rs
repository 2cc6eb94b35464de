//! Tier 2's front end: executes a region's bytecode symbolically and emits a dataflow graph.
//!
//! In: a region (a function, or the body of a loop) about to be entered, with its frame as it is
//! now, its profile, and what earlier versions got wrong. Out: a [`Speculation`]: the graph and
//! the [`plan::Plan`] around it, or [`NotConverted`] with the user's line. Always: runs on the
//! interpreter's thread, changes nothing there, and runs no code of the user's; what it cannot
//! express it refuses, and tier 0 runs it.
//!
//! The order of work is JANUS's (NSDI'19, section 4): profile first, assume what the profile
//! shows, guard what is assumed; writes go to local copies until the region ends.

mod attr;
mod branch;
mod builtin;
mod call;
mod cfg;
mod draws;
mod exceptions;
mod exec;
mod extents;
mod finish;
mod frame;
mod frozen;
mod heap;
mod host;
mod items;
mod iter;
mod later;
mod loops;
mod matching;
mod merge;
mod operators;
mod places;
pub mod plan;
mod prims;
mod scalar;
mod sets;
mod step;
mod sym;
mod templates;
mod tensor;
mod torch;
mod writes;

pub use host::{int_compare, int_op};

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use janus_dialect::Graph;
use janus_interp::{Frame, Interp};
use janus_object::CodeObject;
use janus_tensor::TensorError;

/// What is compiled as one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// A whole function, from its first instruction to a return.
    Function,
    /// One iteration of the loop whose `ForIter` or `LoopHead` stands at `head`.
    Loop {
        /// The loop's head.
        head: u32,
    },
}

/// What to convert.
pub struct Request<'a> {
    /// The code.
    pub code: &'a Rc<CodeObject>,
    /// Function or loop.
    pub kind: RegionKind,
    /// The frame at the region's entry.
    pub frame: &'a Frame,
    /// What is no longer assumed.
    pub relaxations: &'a Relaxations,
}

/// What earlier versions of a region assumed and got wrong, by path or assumption key.
#[derive(Clone, Default)]
pub struct Relaxations {
    /// Ints and bools that are read at every entry.
    pub symbolic: HashSet<Rc<str>>,
    /// Objects of which any of their kind will do.
    pub structural: HashSet<Rc<str>>,
    /// Tensor dimensions that are `?`.
    pub dynamic_dims: HashMap<Rc<str>, HashSet<usize>>,
    /// Branches of which both sides are compiled.
    pub both_sides: HashSet<plan::AssumptionKey>,
    /// Branches after which no variable may be of one kind or another.
    pub one_kind: HashSet<plan::AssumptionKey>,
    /// Branches of those whose two sides do not fit into one graph: this time the less frequent
    /// side is assumed.
    pub other_side: HashSet<plan::AssumptionKey>,
}

/// A converted region.
pub struct Speculation {
    /// The graph.
    pub graph: Graph,
    /// What surrounds it.
    pub plan: plan::Plan,
}

/// Why a region stays in its lower tier.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub struct NotConverted {
    /// In words, for `explain`.
    pub reason: String,
    /// The user's file.
    pub file: Rc<str>,
    /// The user's line: of the code at hand, or of the call that led into library code.
    pub line: u32,
    /// Whether another attempt could fare better (a profile that is still too thin).
    pub retry: bool,
}

/// How symbolic execution stops.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The region is not converted.
    Not(Box<NotConverted>),
    /// A tensor operation refused; becomes `Not` at the instruction.
    Tensor(TensorError),
    /// The same, in words.
    Reason(String),
    /// A Python exception: unwinds to its handler, if the region has one.
    Raise(sym::Sym),
    /// The region itself moves what was taken as constant: start again without that.
    Restart(Vec<Rc<str>>),
}

impl From<TensorError> for Stop {
    fn from(e: TensorError) -> Self {
        Stop::Tensor(e)
    }
}

impl From<janus_dialect::DialectError> for Stop {
    fn from(e: janus_dialect::DialectError) -> Self {
        Stop::Reason(format!("the graph was refused: {e}"))
    }
}

pub(crate) type Res<T> = Result<T, Stop>;

/// Converts a region.
///
/// # Errors
/// [`NotConverted`] names the construct and the line that kept it back.
pub fn speculate(vm: &mut Interp, request: &Request<'_>) -> Result<Speculation, NotConverted> {
    let mut relaxations = request.relaxations.clone();
    for _ in 0..MAX_RESTARTS {
        let request = Request {
            relaxations: &relaxations,
            ..*request
        };
        match exec::Executor::new(vm, &request).convert()? {
            exec::Converted::Done(speculation) => return Ok(*speculation),
            exec::Converted::Restart(paths) => relaxations.symbolic.extend(paths),
            exec::Converted::OneSided(keys) => relaxations.one_kind.extend(keys),
        }
    }
    Err(NotConverted {
        reason: "its own state keeps moving".to_owned(),
        file: request.code.code.filename.clone(),
        line: request.code.code.first_line,
        retry: false,
    })
}

/// Attempts after a region was found to move its own constants: each one relaxes more.
const MAX_RESTARTS: usize = 8;

/// Whether an instruction lies inside the loop at `head`.
pub fn in_loop(code: &janus_bytecode::Code, head: u32, pc: u32) -> bool {
    pc >= head && cfg::last_back_edge(code, head).is_some_and(|end| pc <= end)
}
