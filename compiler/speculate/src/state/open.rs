//! Dicts and sets of which some entries are known.
//!
//! In: nothing. Out: [`SymOpen`]. Always: an entry knows what was there at entry.

use std::rc::Rc;

use janus_object::Value;
use janus_plan::NodeId;

use crate::state::sym::{Slot, Sym};

/// A dict or set, of which some entries are known.
#[derive(Clone, Default)]
pub(crate) struct SymOpen {
    pub set: bool,
    pub entries: Vec<OpenEntry>,
    /// Entries that were written, in the order in which they stand behind the others.
    pub log: Vec<usize>,
    /// A set that something is put into at the commit, and that is not looked at after that.
    pub unseen: bool,
}

/// An entry, or its absence.
#[derive(Clone)]
pub(crate) struct OpenEntry {
    pub key: Sym,
    pub node: NodeId,
    /// The key now.
    pub now: Value,
    /// What was there at entry; `Empty`: nothing.
    pub before: Slot,
    /// `Empty`: it is not there.
    pub value: Slot,
    pub path: Rc<str>,
    /// It was taken out at some time.
    pub removed: bool,
    /// Entries whose keys are guarded to differ from this one.
    pub apart: Vec<usize>,
}

impl OpenEntry {
    pub(crate) fn is_there(&self) -> bool {
        !matches!(self.value, Slot::Empty)
    }
}

impl SymOpen {
    /// Whether the same was written to both.
    pub fn is_same(&self, other: &SymOpen) -> bool {
        let same = |(&a, &b): (&usize, &usize)| {
            let (a, b) = (&self.entries[a], &other.entries[b]);
            a.key.same(&b.key) && same_slot(&a.value, &b.value) && a.removed == b.removed
        };
        (self.log.len(), self.unseen) == (other.log.len(), other.unseen)
            && self.log.iter().zip(&other.log).all(same)
    }

    /// Whether it holds what it held at entry.
    pub fn is_unchanged(&self) -> bool {
        let same = |e: &OpenEntry| !e.removed && same_slot(&e.before, &e.value);
        self.log.is_empty() && self.entries.iter().all(same)
    }

    /// What was written, entry by entry.
    pub fn written(&self) -> impl Iterator<Item = &OpenEntry> {
        self.log.iter().filter_map(|&i| self.entries.get(i))
    }
}

pub(crate) fn same_slot(a: &Slot, b: &Slot) -> bool {
    match (a, b) {
        (Slot::Loaded(x), Slot::Loaded(y)) => x.same(y),
        (Slot::Unloaded(_), Slot::Unloaded(_)) | (Slot::Empty, Slot::Empty) => true,
        _ => false,
    }
}
