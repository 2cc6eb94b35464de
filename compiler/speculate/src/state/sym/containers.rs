//! Symbolic lists, sets and dicts.

use janus_tensor::Dim;

use crate::state::sym::{Condition, Obj, Slot, Sym};
use crate::state::template::Template;

/// A list.
#[derive(Clone)]
pub(crate) struct SymList {
    /// The items it had at entry, once they matter; always there for a new list.
    pub base: Option<Vec<Slot>>,
    /// Items appended behind `base`.
    pub appended: Vec<(Sym, Condition)>,
    /// Something other than `append` changed it: it is written back whole.
    pub rewritten: bool,
    /// How many of its first items are no longer there, where `base` is not known.
    pub dropped: usize,
}

impl SymList {
    /// Whether it is what it was at entry.
    pub(crate) fn is_unchanged(&self) -> bool {
        !self.rewritten && self.appended.is_empty() && self.dropped == 0
    }

    /// Whether both got the same since entry, and lost the same.
    fn got_the_same(&self, other: &SymList) -> bool {
        let same = |((v, c), (w, d)): (&(Sym, Condition), &(Sym, Condition))| v.same(w) && c == d;
        let rewritten = self.rewritten || other.rewritten;
        self.appended.len() == other.appended.len()
            && self.appended.iter().zip(&other.appended).all(same)
            && self.dropped == other.dropped
            && (!rewritten || self.rewritten && other.rewritten && self.has_same_items(other))
    }

    fn has_same_items(&self, other: &SymList) -> bool {
        let (Some(a), Some(b)) = (&self.base, &other.base) else {
            return false;
        };
        let same =
            |pair: (&Slot, &Slot)| matches!(pair, (Slot::Loaded(v), Slot::Loaded(w)) if v.same(w));
        a.len() == b.len() && a.iter().zip(b).all(same)
    }

    /// What it got, where it is known to have been empty at entry and all of that is there for sure.
    pub(crate) fn all_it_got(&self) -> Option<Vec<Sym>> {
        let was_empty = self.base.as_ref().is_some_and(Vec::is_empty);
        if !was_empty || self.rewritten || self.dropped > 0 {
            return None;
        }
        let got = self.appended.iter();
        got.map(|(v, condition)| condition.is_none().then(|| v.clone()))
            .collect()
    }
}

/// A list from outside of which items were replaced at indices that move; its items are not read any more.
#[derive(Clone)]
pub(crate) struct SymReplaced {
    /// The list before that: not rewritten, and with all of its first items.
    pub list: SymList,
    /// The indices from the list's start, and what is there then, in their order.
    pub items: Vec<(Sym, Sym)>,
}

/// A list whose items are rows of tensors: made in the region, and longer than anyone could tell.
#[derive(Clone)]
pub(crate) struct SymGrown {
    /// A list that was there at entry: what it was before it grew. The items here come behind that.
    pub behind: Option<Box<SymList>>,
    /// The first items, where the script made them before it grew.
    pub first: Vec<Sym>,
    /// The form of an item.
    pub item: Template,
    /// One tensor for each number or tensor of an item: a row for each item that is stored.
    pub rows: Vec<Obj>,
    /// Items are inserted before the others: the last row is the first item.
    pub turned: bool,
    /// Rows before the first item.
    pub skipped: i64,
    /// Rows in use, an int.
    pub used: Sym,
    /// Items behind those that are stored.
    pub waiting: Vec<Sym>,
    /// How many items it has, where that is known beforehand.
    pub count: Option<Dim>,
    /// Items appended at most, since the iteration of the innermost loop began or it was made.
    pub added: Dim,
    /// It may have got fewer than that.
    pub fewer: bool,
    /// A loop has made room for what is appended now.
    pub reserved: bool,
    /// Some of its items require grad, and some do not, or one of them has another place in a list, too.
    pub mixed: bool,
    /// Something of another form was appended: the attempt is made again.
    pub unfit: bool,
}

impl SymGrown {
    /// Whether its items are numbers.
    pub(crate) fn is_of_numbers(&self) -> bool {
        matches!(self.item, Template::Scalar(_))
    }

    /// A list whose items are these rows, `count` of them, which is the int `used`.
    pub(crate) fn of_rows(item: Template, rows: Vec<Obj>, count: Dim, used: Sym) -> SymGrown {
        SymGrown {
            behind: None,
            first: Vec::new(),
            item,
            rows,
            turned: false,
            skipped: 0,
            used,
            waiting: Vec::new(),
            count: Some(count),
            added: Dim::Known(0),
            fewer: false,
            reserved: false,
            mixed: false,
            unfit: false,
        }
    }

    /// Its rows are all its items, and as many.
    pub(crate) fn hold_rows(&mut self, count: Dim, used: Sym) {
        (self.skipped, self.count, self.used) = (0, Some(count), used);
        if self.turned {
            // What it began with is at its end.
            self.first.clear();
        }
        self.turned = false;
        self.waiting.clear();
    }

    /// Whether both had the same items before they grew.
    pub(crate) fn began_the_same(&self, other: &SymGrown) -> bool {
        let behind = match (&self.behind, &other.behind) {
            (Some(a), Some(b)) => a.got_the_same(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let same = |(v, w): (&Sym, &Sym)| v.same(w);
        behind
            && self.first.len() == other.first.len()
            && self.first.iter().zip(&other.first).all(same)
    }

    /// Whether nothing was appended to one and not to the other.
    pub(crate) fn is_same(&self, other: &SymGrown) -> bool {
        self.rows == other.rows
            && self.used.same(&other.used)
            && self.waiting.len() == other.waiting.len()
            && self
                .waiting
                .iter()
                .zip(&other.waiting)
                .all(|(x, y)| x.same(y))
            && self.unfit == other.unfit
            && self.turned == other.turned
            && self.fewer == other.fewer
    }
}

/// A set; no two items are equal. One that was there at entry only grows, behind what it held.
#[derive(Clone, Default)]
pub(crate) struct SymSet {
    pub items: Vec<Sym>,
    /// The items are not in the order in which tier 0 puts them in.
    pub unordered: bool,
}

/// A dict whose keys are all known.
#[derive(Clone)]
pub(crate) struct SymDict {
    /// In insertion order. Keys are immutable known values or objects with identity hash.
    pub entries: Vec<(Sym, Slot)>,
    /// Keys written or deleted, each once.
    pub written: Vec<Sym>,
    /// Keys deleted, each once, even if they are back: at the end, then.
    pub removed: Vec<Sym>,
}

/// Adds a key to keys of which none comes twice.
pub(crate) fn add_key(keys: &mut Vec<Sym>, key: &Sym) {
    if !keys.iter().any(|k| k.same(key)) {
        keys.push(key.clone());
    }
}
