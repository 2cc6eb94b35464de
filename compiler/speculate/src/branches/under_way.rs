//! Branches under way, and what attempts at them came to.
//!
//! In: nothing. Out: [`Branching`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::{HashMap, HashSet};

use janus_dialect::ValueId;
use janus_plan::AssumptionKey;

use crate::branches::branch::Tried;
use crate::state::sym::Obj;

/// Branches under way, and what attempts at them came to.
#[derive(Default)]
pub(crate) struct Branching {
    /// Sides of branches that are being run to the end of their frame.
    pub(in crate::branches) split: u32,
    /// Branches whose sides were run so, in all attempts.
    pub(in crate::branches) splits: u32,
    /// Operands that are being decided on: how many active frames there are, the instruction, and the place on the
    /// stack. One of several things is decided on several times.
    pub(in crate::branches) choosing: Vec<(usize, u32, usize)>,
    /// Objects in the states that sides of branches started from.
    pub(in crate::branches) copied: usize,
    /// What attempts at branches came to.
    pub(crate) tried: HashMap<AssumptionKey, Tried>,
    /// Branches after which a variable is one of two things of different kinds.
    pub(crate) choices: HashSet<AssumptionKey>,
    /// Branches whose sides were merged.
    pub(crate) merged: HashSet<AssumptionKey>,
    /// Merges that were emitted.
    pub(in crate::branches) merges: usize,
    /// A failure may be due to what merges made: the region has run and what is left is to write
    /// down what it changed, or it needs to know which of two objects something is.
    pub(crate) blames_merges: std::cell::Cell<bool>,
    /// Whether one of these conditions holds at least.
    pub(in crate::branches) any_of: HashMap<Vec<ValueId>, ValueId>,
    /// The item of a list, with its place, that is being taken for there.
    pub(in crate::branches) taken_item: Option<(Obj, usize)>,
    /// Lengths of lists that may have no item: whether they have one.
    pub(in crate::branches) lengths: HashMap<ValueId, ValueId>,
    /// Keys that dicts do not have, where they are made.
    pub(crate) absent_keys: HashSet<(Obj, ValueId)>,
}
