//! What earlier versions of a region assumed and got wrong.
//!
//! In: nothing. Out: [`Relaxations`], by path or assumption key. Always: they only grow, except where a graph could not
//! be made with one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::asserts::AssumptionKey;
use crate::refusal::Cause;

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
    pub unframed: HashMap<AssumptionKey, Cause>,
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

/// One thing that another attempt, or the next version, does not take for granted.
#[derive(Clone, Debug, PartialEq)]
pub enum Relax {
    /// These ints and bools are read at every entry.
    Symbolic(Vec<Rc<str>>),
    /// Any object of its kind will do.
    Structural(Rc<str>),
    /// Another path led to this tuple or tensor as well, once.
    Separate(Rc<str>),
    /// This dimension of a tensor moves.
    DynamicDim(Rc<str>, usize),
    /// The items of this list are rows of tensors.
    Rows(Rc<str>),
    /// No list's items are rows of tensors.
    NoRows,
    /// This dict or set is looked at entry by entry.
    Open(Rc<str>),
    /// This dict is known by all of its keys.
    Close(Rc<str>),
    /// What is put into this set is there at once.
    LookAt(Rc<str>),
    /// These views from outside are views of their base.
    ThroughBase(Vec<Rc<str>>),
    /// Both sides of this branch are compiled.
    BothSides(AssumptionKey),
    /// This branch goes this way; it was tried to compile both, or it went the other one.
    Sides(BTreeMap<AssumptionKey, bool>),
    /// No variable is one of two kinds after these branches.
    OneKind(Vec<AssumptionKey>),
    /// The sides of these branches are not merged.
    Apart(Vec<AssumptionKey>),
    /// What was tried in vain is not tried again.
    InVain(InVain),
    /// No branch gives a tensor another name.
    OneName,
    /// The graph ends before this instruction.
    EndsBefore(Option<u32>),
    /// What becomes of a recursion over objects.
    Recursion(Recursion),
    /// A function calls itself over objects, which its profile says by now.
    Recursive,
    /// There was not enough room for what a list got in a recursion.
    Room(u32),
}

impl Relaxations {
    /// Does not take something for granted any longer. Whether it was so far.
    pub fn apply(&mut self, relax: Relax) -> bool {
        fn add<T: Eq + std::hash::Hash>(to: &mut HashSet<T>, all: Vec<T>) -> bool {
            let before = to.len();
            to.extend(all);
            to.len() > before
        }
        fn set<T: PartialEq>(to: &mut T, now: T) -> bool {
            let is_new = *to != now;
            *to = now;
            is_new
        }
        match relax {
            Relax::Symbolic(paths) => add(&mut self.symbolic, paths),
            Relax::Structural(path) => self.structural.insert(path),
            Relax::Separate(path) => self.separate.insert(path),
            Relax::DynamicDim(path, at) => self.dynamic_dims.entry(path).or_default().insert(at),
            Relax::Rows(path) => self.rows.insert(path),
            Relax::NoRows => !std::mem::take(&mut self.rows).is_empty(),
            Relax::Open(path) => self.open.insert(path),
            Relax::Close(path) => self.open.remove(&path),
            Relax::LookAt(path) => self.looked_at.insert(path),
            Relax::ThroughBase(paths) => add(&mut self.through_base, paths),
            Relax::BothSides(key) => self.both_sides.insert(key),
            Relax::Sides(sides) => set(&mut self.sides, sides),
            Relax::OneKind(keys) => add(&mut self.one_kind, keys),
            Relax::Apart(keys) => add(&mut self.apart, keys),
            Relax::InVain(in_vain) => {
                self.unjoined.extend(in_vain.branches);
                self.unframed.extend(in_vain.loops);
                true
            }
            Relax::OneName => set(&mut self.one_name, true),
            Relax::EndsBefore(pc) => set(&mut self.ends_before, pc),
            Relax::Recursion(what) => set(&mut self.recursion, what),
            Relax::Recursive => true,
            Relax::Room(room) => set(&mut self.room, room),
        }
    }
}

/// Attempts that came to nothing and left guards behind: what they met they looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InVain {
    /// Branches whose sides could not be merged.
    pub branches: HashSet<AssumptionKey>,
    /// Loops that are no frames, and why.
    pub loops: HashMap<AssumptionKey, Cause>,
}

impl InVain {
    /// Whether there were none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty() && self.loops.is_empty()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_relaxed_twice_is_not_new() {
        let mut relaxations = Relaxations::default();
        let path: Rc<str> = "self.step".into();
        for relax in [
            Relax::Symbolic(vec![path.clone()]),
            Relax::DynamicDim(path.clone(), 1),
            Relax::BothSides(path.clone()),
            Relax::OneName,
            Relax::Room(2),
        ] {
            assert!(relaxations.apply(relax.clone()), "{relax:?}");
            assert!(!relaxations.apply(relax.clone()), "{relax:?}");
        }
    }

    #[test]
    fn what_is_closed_is_no_longer_open() {
        let mut relaxations = Relaxations::default();
        let path: Rc<str> = "counts".into();
        assert!(relaxations.apply(Relax::Open(path.clone())));
        assert!(relaxations.apply(Relax::Close(path)));
        assert!(relaxations == Relaxations::default());
    }
}
