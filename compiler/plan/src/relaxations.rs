//! What earlier versions of a region assumed and got wrong.
//!
//! In: nothing. Out: [`Relaxations`], by path or assumption key. Always: they only grow, except where a graph could not
//! be made with one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::asserts::AssumptionKey;

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
    pub both_sides: HashSet<AssumptionKey>,
    /// An assumption failed before: branches that were only ever taken one way in the profile are
    /// no longer taken for one-sided.
    pub generous: bool,
    /// Branches after which no variable may be of one kind or another.
    pub one_kind: HashSet<AssumptionKey>,
    /// Branches of whose merged sides nothing could be made.
    pub apart: HashSet<AssumptionKey>,
    /// Branches whose sides are not merged where they meet.
    pub unjoined: HashSet<AssumptionKey>,
    /// No branch gives a tensor that requires grad, and was there before it, another name on one side.
    pub one_name: bool,
    /// Loops that are no frames, and why.
    pub unframed: HashMap<AssumptionKey, String>,
    /// The call before which the graph ends.
    pub ends_before: Option<u32>,
    /// Branches whose two sides do not fit into one graph: whether they jump this time. The others
    /// go their more frequent way.
    pub sides: BTreeMap<AssumptionKey, bool>,
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
