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
pub mod plan;
mod recursion;
mod state;
mod tensors;

pub use attempts::speculate;
pub use entry::int_nodes::{holds, int_op};
pub use entry::list_rows as rows;
pub use entry::open_dicts::plain_text;
pub(crate) use state::stop::{Res, Stop};

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use janus_dialect::{Graph, Passes};
use janus_interp::Frame;
use janus_object::{CodeObject, PyRef};

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
    /// What follows the call at `call`, which is itself no part of a graph: to the end of the
    /// iteration of the innermost loop around it, or of the function.
    Rest {
        /// The call.
        call: u32,
    },
}

impl RegionKind {
    /// The head of the loop whose iteration ends the region.
    #[must_use]
    pub fn loop_head(self, code: &janus_bytecode::Code) -> Option<u32> {
        match self {
            RegionKind::Function => None,
            RegionKind::Loop { head } => Some(head),
            RegionKind::Rest { call } => innermost_loop(code, call),
        }
    }

    /// Where it begins: an instruction with a profile of its own.
    #[must_use]
    pub fn site(self) -> Option<u32> {
        match self {
            RegionKind::Function => None,
            RegionKind::Loop { head } => Some(head),
            RegionKind::Rest { call } => Some(call),
        }
    }

    /// What it is called in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RegionKind::Function => "function",
            RegionKind::Loop { .. } => "loop",
            RegionKind::Rest { .. } => "rest",
        }
    }
}

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
}

/// What earlier versions of a region assumed and got wrong, by path or assumption key.
#[derive(Clone, Default, PartialEq)]
pub struct Relaxations {
    /// Ints and bools that are read at every entry.
    pub symbolic: HashSet<Rc<str>>,
    /// Objects of which any of their kind will do.
    pub structural: HashSet<Rc<str>>,
    /// Tuples, and tensors without a gradient, that another path led to as well, once.
    pub separate: HashSet<Rc<str>>,
    /// Tensor dimensions that are `?`.
    pub dynamic_dims: HashMap<Rc<str>, HashSet<usize>>,
    /// Lists whose length moves, and whose items are rows of tensors.
    pub rows: HashSet<Rc<str>>,
    /// Dicts and sets that are looked at entry by entry.
    pub open: HashSet<Rc<str>>,
    /// Those of the sets among them that are looked at after something was put in.
    pub looked_at: HashSet<Rc<str>>,
    /// Views from outside that are views of their base in the graph, too.
    pub through_base: HashSet<Rc<str>>,
    /// Branches of which both sides are compiled.
    pub both_sides: HashSet<plan::AssumptionKey>,
    /// An assumption failed before: branches that were only ever taken one way in the profile are
    /// no longer taken for one-sided.
    pub generous: bool,
    /// Branches after which no variable may be of one kind or another.
    pub one_kind: HashSet<plan::AssumptionKey>,
    /// Branches of whose merged sides nothing could be made.
    pub apart: HashSet<plan::AssumptionKey>,
    /// Branches whose sides are not merged where they meet.
    pub unjoined: HashSet<plan::AssumptionKey>,
    /// No branch gives a tensor that requires grad, and was there before it, another name on one side.
    pub one_name: bool,
    /// Loops that are no frames, and why.
    pub unframed: HashMap<plan::AssumptionKey, String>,
    /// The call before which the graph ends.
    pub ends_before: Option<u32>,
    /// Branches whose two sides do not fit into one graph: whether they jump this time. The others
    /// go their more frequent way.
    pub sides: BTreeMap<plan::AssumptionKey, bool>,
    /// What becomes of a recursion over objects.
    pub recursion: Recursion,
    /// How often there was no room for what a list got in a recursion.
    pub room: u32,
}

/// What becomes of a recursion over objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recursion {
    /// The function is a graph of its own, which invokes itself.
    #[default]
    Invoked,
    /// Each call is inlined, along objects that are found in the same place each time.
    Inlined,
    /// The graph ends before it.
    Apart,
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
    /// The call in the region's own code that kept it back.
    pub call: Option<u32>,
    /// Something was computed on tensors before.
    pub computed: bool,
    /// A graph that invokes itself was made, or tried.
    pub recursive: bool,
}

impl NotConverted {
    /// For a reason that is no call's.
    #[must_use]
    pub fn new(reason: impl Into<String>, file: &Rc<str>, line: u32) -> Self {
        NotConverted {
            reason: reason.into(),
            file: file.clone(),
            line,
            call: None,
            computed: false,
            recursive: false,
        }
    }
}

/// Whether an instruction lies inside the loop at `head`.
pub fn in_loop(code: &janus_bytecode::Code, head: u32, pc: u32) -> bool {
    pc >= head && state::cfg::last_back_edge(code, head).is_some_and(|end| pc <= end)
}

/// The head of the innermost loop around an instruction: of those around it, the one that comes last.
#[must_use]
pub fn innermost_loop(code: &janus_bytecode::Code, pc: u32) -> Option<u32> {
    use janus_bytecode::Opcode;
    let is_head = |at: &u32| {
        let instr = code.instrs.get(*at as usize);
        instr.is_some_and(|i| matches!(i.op, Opcode::ForIter | Opcode::LoopHead))
    };
    let mut around = (0..=pc).rev().filter(is_head);
    around.find(|&head| in_loop(code, head, pc))
}
