//! Loops under way, and which of them are no frames.
//!
//! In: nothing. Out: [`Looping`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashMap;
use std::rc::Rc;

use janus_plan::{AssumptionKey, Cause, InVain};

use crate::state::running::ActiveLoop;
use crate::state::sym::{Obj, Sym};

/// Loops under way, and which of them are no frames.
#[derive(Default)]
pub(crate) struct Looping {
    /// The loops that are being turned into frames, outermost first.
    pub(crate) loops: Vec<ActiveLoop>,
    /// Lists and tuples of the loops under way that are, in the first iteration, ones that others know.
    pub(crate) known_elsewhere: Vec<Obj>,
    /// What runs now may be run again from where it began.
    pub(crate) tentative: bool,
    /// Whether a side of a branch ends a recursion is being found out.
    pub(crate) on_trial: bool,
    /// Frames made so far, for their names.
    pub(in crate::loops) frames: u32,
    /// Loops that were found to be no frames: their instruction, with the call path.
    pub(crate) unframed: HashMap<AssumptionKey, Cause>,
    /// What was tried in vain.
    pub(crate) in_vain: InVain,
    /// Rows of tensors that are gone over one by one, and whose rows they are.
    pub(crate) unbound: Vec<(Rc<[Sym]>, Obj)>,
}
