//! Frames and loops under way.
//!
//! In: nothing. Out: [`Flow`], [`Active`], [`ActiveLoop`]. Always: they say where the interpreter is, and hold no
//! value that the state does not.

use std::collections::HashMap;
use std::rc::Rc;

use janus_bytecode::Instr;
use janus_dialect::ValueId;
use janus_object::{CodeObject, PyDict, PyRef};

use crate::state::sym::{Obj, Slot, Sym, SymFrame};

/// How running a frame ended.
pub(crate) enum Flow {
    /// It returned.
    Return(Sym),
    /// It reached the instruction at which to stop.
    Stop,
    /// The region's iteration is complete.
    RegionEnd,
    /// It reached the call before which the graph ends.
    Break,
    /// A generator yielded.
    Yield(Sym),
    /// An iteration of the innermost framed loop is over: whether another one follows, and where
    /// the loop is left to if not.
    LoopEnd {
        go_on: Sym,
        leave: Option<Leave>,
        /// What is returned, where it leaves by a `return`.
        returned: Option<Sym>,
    },
    /// The test at a loop's head, and where its two sides lead: on, and out.
    Test {
        go_on: ValueId,
        stay: u32,
        exit: u32,
    },
}

/// How a loop is left before its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// To this instruction.
    To(u32),
    /// By a `return`.
    Return,
}

/// A frame that is being run.
pub(crate) struct Active {
    pub code: PyRef<CodeObject>,
    pub globals: PyRef<PyDict>,
    pub pc: u32,
    /// What it was called with; `super()` without arguments takes the first.
    pub arguments: Vec<Slot>,
    /// The cell of `__class__`.
    pub class_cell: Option<Obj>,
    /// [`Executor::context`] when it began.
    pub context: u32,
    /// Objects from before it.
    pub before: usize,
    /// What it returns is what a call instruction of the frame below comes to.
    pub is_direct: bool,
}

/// A loop that is being turned into a frame.
#[derive(Clone, Copy)]
pub(crate) struct ActiveLoop {
    /// Active frames when it began.
    pub depth: usize,
    pub head: u32,
    pub end: u32,
    /// Stack depth without the loop's iterator.
    pub base: usize,
    /// Only the test at its head is run.
    pub testing: bool,
    /// Where it leads when it ends by itself.
    pub natural: Option<u32>,
    /// Objects from before it.
    pub before: usize,
}

/// The place on the stack of the first operand of an instruction.
pub(crate) fn first_operand(frame: &SymFrame, instr: Instr) -> usize {
    frame.stack.len().saturating_sub(instr.effect().0 as usize)
}

/// How a loop is left.
pub(crate) struct Leaving {
    /// The frame's name and context, and the context around it.
    pub name: Rc<str>,
    pub outer: u32,
    pub parent: u32,
    /// The context of the body.
    pub body: u32,
    /// Whether there is another iteration.
    pub condition: ValueId,
    /// Objects from before the loop.
    pub before: usize,
    /// There was an iteration.
    pub entered: bool,
    /// What objects of the last iteration are outside.
    pub left: HashMap<Obj, Obj>,
    /// What tensors that an iteration ends with become outside, also where there may have been none.
    pub became: HashMap<Obj, Obj>,
    /// Which tensor at the end of an iteration is what has this value in the next one.
    pub round: HashMap<ValueId, Obj>,
}
