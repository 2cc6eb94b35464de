//! How often a loop runs, and whether that makes it worth unrolling.
//!
//! In: an iterator, or the code and profile at a loop's head. Out: a count, or a decision. Always: no count
//! where it is not certain.

use std::rc::Rc;

use janus_dialect::Passes;
use janus_object::Value;

use crate::executor::Executor;
use crate::state::cfg;
use crate::state::sym::{Kind, Obj, Stride, Sym, SymFrame, SymIter};

/// Trips up to which a loop of a known count is unrolled.
const UNROLLED: i64 = 24;

impl Executor<'_> {
    /// Whether a `break` has been taken and has not: unrolled it would be a branch in each trip.
    pub(crate) fn breaks_early(&self, frame: &SymFrame, head: u32) -> bool {
        let is_two_sided = |&pc: &u32| {
            let site = frame.code.profile.site(pc);
            let seen = site.map_or((0, 0), |s| (s.count.get(), s.taken.get()));
            let met = 0 < seen.1 && seen.1 < seen.0;
            met || self
                .region
                .relaxations
                .both_sides
                .contains(&self.key_at(pc, "branch"))
        };
        cfg::breaks(&frame.code.code, head).iter().any(is_two_sided)
    }

    /// Trips up to which a loop is unrolled at once; one that is no frame is unrolled all the same.
    pub(crate) fn most_unrolled(&self) -> i64 {
        if self.region.passes.has(Passes::UNROLL) {
            UNROLLED
        } else {
            0
        }
    }

    /// The first conditional jump of a `while`, and where it leads, if it leaves it.
    pub(crate) fn head_test(&self, frame: &SymFrame, head: u32) -> Option<(u32, u32)> {
        let code = &frame.code.code;
        let end = janus_plan::last_back_edge(code, head)?;
        let jumps = |pc: &u32| {
            let instr = code.instrs.get(*pc as usize);
            instr.is_some_and(|i| i.op.operand_kind() == janus_bytecode::OperandKind::Target)
        };
        let first = (head + 1..=end).find(jumps)?;
        let to = code.instrs.get(first as usize)?.arg;
        (to < head || to > end).then_some((first, to))
    }

    /// Lets an iterator go over the rows of tensors in the graph that it would go over one by one. `before` gets what
    /// it was.
    pub(crate) fn go_by_rows(&mut self, it: Obj, before: &mut Vec<(Obj, Kind)>) {
        match self.iter_state(it) {
            Some(SymIter::Values { items, next: 0 }) => {
                let of = self
                    .looping
                    .unbound
                    .iter()
                    .find(|(of, _)| Rc::ptr_eq(of, &items));
                if let Some(&(_, of)) = of {
                    let next = Sym::Known(Value::Int(0));
                    let rows = Kind::Iter(SymIter::Rows { of, next });
                    let known = std::mem::replace(&mut self.state.heap[it].kind, rows);
                    before.push((it, known));
                }
            }
            Some(SymIter::Enumerate { inner, .. }) => self.go_by_rows(inner, before),
            Some(SymIter::Zip { inner }) => {
                inner.iter().for_each(|&it| self.go_by_rows(it, before));
            }
            _ => {}
        }
    }

    /// Items that an iterator still has, where that is known.
    pub(crate) fn trips_left(&mut self, it: Obj) -> Option<i64> {
        match self.iter_state(it)? {
            SymIter::Items { of, next } => {
                let n = self.items_of(of).ok()?.len();
                i64::try_from(n.saturating_sub(next)).ok()
            }
            SymIter::Values { items, next } => i64::try_from(items.len().saturating_sub(next)).ok(),
            SymIter::Range {
                next,
                stop,
                step: Stride::Known(step),
            } => {
                let next = next.known()?.as_int()?;
                let stop = stop.known()?.as_int()?;
                Some(stop.checked_sub(next)?.checked_add(step - step.signum())? / step)
            }
            SymIter::Range { .. } => None,
            SymIter::Rows { of, .. } if self.is_found(&Sym::Obj(of)) => None,
            SymIter::Rows { of, next } => {
                let extent = self.rows(of).ok()?.known()?.as_int()?;
                Some(extent - next.known()?.as_int()?)
            }
            SymIter::Grown { of, next } => {
                let length = self.grown_length(of).ok()?.known()?.as_int()?;
                Some(length - next.known()?.as_int()?)
            }
            SymIter::Enumerate { inner, .. } => self.trips_left(inner),
            SymIter::Zip { inner } | SymIter::Map { inner, .. } => {
                inner.iter().filter_map(|&i| self.trips_left(i)).min()
            }
        }
    }
}
