//! What is compiled as one unit, and where its loops lie.
//!
//! In: bytecode. Out: [`RegionKind`]. Always: a region is a function, an iteration, or what follows a call.

use janus_bytecode::{Code, Opcode};

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
    pub fn loop_head(self, code: &Code) -> Option<u32> {
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

/// Whether an instruction lies inside the loop at `head`.
pub fn in_loop(code: &Code, head: u32, pc: u32) -> bool {
    pc >= head && last_back_edge(code, head).is_some_and(|end| pc <= end)
}

/// The head of the innermost loop around an instruction: of those around it, the one that comes last.
#[must_use]
pub fn innermost_loop(code: &Code, pc: u32) -> Option<u32> {
    let is_head = |at: &u32| {
        let instr = code.instrs.get(*at as usize);
        instr.is_some_and(|i| matches!(i.op, Opcode::ForIter | Opcode::LoopHead))
    };
    let mut around = (0..=pc).rev().filter(is_head);
    around.find(|&head| in_loop(code, head, pc))
}

/// The last instruction that jumps back to `head`: with `head` it bounds the loop.
pub fn last_back_edge(code: &Code, head: u32) -> Option<u32> {
    let last = code
        .instrs
        .iter()
        .rposition(|i| i.op == Opcode::JumpBackward && i.arg == head)?;
    u32::try_from(last).ok()
}
