//! Ints of the graph that can be told at entry, from extents and ints that are there: the shapes of random draws,
//! and asserts that are decided before the graph runs.
//!
//! In: extents, and ints and bools computed from them. Out: how to compute the same at entry. Always: kernels trust
//! that extents which were asserted to be equal are; where they are not, the graph must not begin to run.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::ValueId;
use janus_plan::{Check, Extent, NodeId, Step, holds, int_op};
use janus_tensor::Dim;

use crate::entry::int_nodes::EntryInt;
use crate::executor::Executor;
use crate::state::dims::{Same, Source};

/// Parts of an extent that is computed at entry, at most.
const MAX_PARTS: u32 = 256;
/// Nested operations on ints at most.
const MAX_DEPTH: u32 = 8;

/// How an int is computed at entry, and how deeply nested that is.
pub(crate) type EntryExtent = (Rc<Extent>, u32);

impl Executor<'_> {
    /// The symbol or number that stands for a class of equal extents.
    pub(crate) fn resolve(&self, mut d: Dim) -> Dim {
        while let Dim::Sym(s) = d {
            let info = &self.extents.dims[s as usize];
            match info.same_as {
                Some(Same::Sym(next)) => d = Dim::Sym(next),
                Some(Same::Known(n)) => return Dim::Known(n),
                None => break,
            }
        }
        d
    }

    /// How to tell an extent at entry, if that can be.
    pub(crate) fn entry_extent(&self, d: Dim) -> Option<Extent> {
        self.extent(d, &mut { MAX_PARTS })
    }

    /// Where `left` runs out there is none: extents that were found to be equal may be defined in circles.
    fn extent(&self, d: Dim, left: &mut u32) -> Option<Extent> {
        *left = left.checked_sub(1)?;
        let symbol = match self.resolve(d) {
            Dim::Known(n) => return Some(Extent::Known(n)),
            Dim::Sym(s) => s,
        };
        self.own_extent(symbol, left)
    }

    fn own_extent(&self, symbol: u32, left: &mut u32) -> Option<Extent> {
        match self.extents.dims[symbol as usize].source {
            Source::Entry(node, axis) => Some(Extent::Of(node, axis)),
            Source::Int(node) => Some(Extent::Int(node)),
            Source::Op(op, a, b) => {
                let (a, b) = (self.extent(a, left)?, self.extent(b, left)?);
                Some(Extent::Op(op, Rc::new(a), Rc::new(b)))
            }
            Source::Computed(index) => self
                .entry_numbers
                .extent_dims
                .get(index as usize)
                .map(|e| (**e).clone()),
            Source::Graph | Source::Extent => None,
        }
    }

    /// Notes how the newest extent of the graph can be told at entry.
    pub(crate) fn note_computed(&mut self, told: impl Into<Rc<Extent>>) {
        let index = u32::try_from(self.entry_numbers.extent_dims.len()).unwrap_or(u32::MAX);
        self.entry_numbers.extent_dims.push(told.into());
        if let Some(info) = self.extents.dims.last_mut() {
            info.source = Source::Computed(index);
        }
    }

    /// How to tell an extent at entry, whatever it was asserted to equal.
    pub(crate) fn as_defined(&self, d: Dim) -> Option<Extent> {
        match d {
            Dim::Known(n) => Some(Extent::Known(n)),
            Dim::Sym(symbol) => self.own_extent(symbol, &mut { MAX_PARTS }),
        }
    }

    /// Notes that a number of the graph is an extent.
    pub(crate) fn note_dim(&mut self, id: ValueId, d: Dim) {
        self.entry_numbers.scalar_dims.insert(id, d);
        if let Some(extent) = self.entry_extent(d) {
            self.entry_numbers.extents.insert(id, (Rc::new(extent), 0));
        }
    }

    /// A node for what is computed of extents, and what it is now.
    pub(crate) fn told_node(&mut self, id: ValueId) -> Option<(NodeId, i64)> {
        let (extent, _) = self.entry_numbers.extents.get(&id)?.clone();
        let now = self.extent_now(&extent)?;
        let path: Rc<str> = "extent".into();
        Some((self.node(Step::Extent(extent), Check::None, &path), now))
    }

    fn extent_now(&self, extent: &Extent) -> Option<i64> {
        Some(match extent {
            Extent::Known(n) => *n,
            Extent::Of(node, axis) => {
                let mut objects = self.state.heap.iter().filter_map(|o| o.origin.as_ref());
                let origin = objects.find(|o| o.node == *node)?;
                let tensor = origin.value.foreign::<janus_tensor::Tensor>()?;
                *tensor.shape().get(*axis)?
            }
            Extent::Int(node) => {
                let is_it = |host: &EntryInt| matches!(host, EntryInt::Node(n) if n == node);
                self.entry_numbers
                    .ints
                    .values()
                    .find(|(host, ..)| is_it(host))?
                    .1
            }
            Extent::Op(op, a, b) => op.eval(self.extent_now(a)?, self.extent_now(b)?)?,
            Extent::IntOp(op, a, b) => int_op(*op, self.extent_now(a)?, self.extent_now(b)?)?,
            Extent::Compare(op, a, b) => {
                i64::from(holds(*op, self.extent_now(a)?, self.extent_now(b)?))
            }
        })
    }

    fn extent_of_number(&self, id: ValueId) -> Option<EntryExtent> {
        match self.entry_numbers.extents.get(&id) {
            Some(told) => Some(told.clone()),
            None => Some((Rc::new(Extent::Known(self.constant_int(id)?)), 0)),
        }
    }

    fn note_told(
        &mut self,
        a: ValueId,
        b: ValueId,
        result: ValueId,
        make: impl FnOnce(Rc<Extent>, Rc<Extent>) -> Extent,
    ) {
        // What is computed in a branch or a loop need not be computed at all.
        if self.emission.context == 0
            && let (Some((x, i)), Some((y, j))) =
                (self.extent_of_number(a), self.extent_of_number(b))
            && i.max(j) < MAX_DEPTH
        {
            self.entry_numbers
                .extents
                .insert(result, (Rc::new(make(x, y)), i.max(j) + 1));
        }
    }

    /// Notes how a number of the graph was computed from two others.
    pub(crate) fn note_told_op(&mut self, op: BinaryOp, a: ValueId, b: ValueId, result: ValueId) {
        self.note_told(a, b, result, |a, b| Extent::IntOp(op, a, b));
    }

    /// Notes how a bool of the graph was computed from two ints.
    pub(crate) fn note_told_compare(
        &mut self,
        op: CompareOp,
        a: ValueId,
        b: ValueId,
        result: ValueId,
    ) {
        self.note_told(a, b, result, |a, b| Extent::Compare(op, a, b));
    }

    /// Notes that a bool of the graph is the opposite of another.
    pub(crate) fn note_told_not(&mut self, of: ValueId, result: ValueId) {
        if self.emission.context == 0
            && let Some((told, depth)) = self.entry_numbers.extents.get(&of).cloned()
        {
            let zero = Rc::new(Extent::Known(0));
            let not = Extent::Compare(CompareOp::Eq, told, zero);
            self.entry_numbers
                .extents
                .insert(result, (Rc::new(not), depth + 1));
        }
    }

    /// Notes what an assert of two extents says.
    pub(crate) fn note_dims_compare(&mut self, op: CompareOp, a: Dim, b: Dim, result: ValueId) {
        if self.emission.context == 0
            && let (Some(a), Some(b)) = (self.as_defined(a), self.as_defined(b))
        {
            let told = Extent::Compare(op, Rc::new(a), Rc::new(b));
            self.entry_numbers
                .extents
                .insert(result, (Rc::new(told), 0));
        }
    }

    /// The asserts that are decided before the graph runs, in order: all that can be told then. So one of
    /// them costs no run of the graph when it fails, and kernels can trust the extents that it tells.
    pub(crate) fn early_asserts(&self) -> Vec<(u32, Rc<Extent>)> {
        let told = (self.state.asserts.iter()).filter_map(|&(condition, id)| {
            Some((id, self.entry_numbers.extents.get(&condition)?.0.clone()))
        });
        told.collect()
    }
}
