//! Ints and conditions that nothing but settings decide: `floor(size * scale_factor)`, `weight == 0.0`.
//!
//! In: floats that are read at entry, constants, and what is computed of them. Out: the int as a constant, where
//! one is made of such a float; the side of a branch, where both do not fit into a graph. Always: the floats are guarded then; one that moved is no setting.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::{NodeId, ScalarType, holds};

use crate::executor::Executor;
use crate::state::sym::{Sym, SymScalar};

/// Floats that one is computed of, at most.
const MAX_PARTS: usize = 4;

/// Whole floats are exact below this.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a float of the graph is now, and which floats at entry it depends on.
pub(crate) type Setting = (Rc<[(NodeId, f64)]>, f64);

impl Executor<'_> {
    fn setting(&self, id: ValueId) -> Option<Setting> {
        if let Some(&(node, f)) = self.entry_numbers.floats.get(&id) {
            return Some((Rc::new([(node, f)]), f));
        }
        if let Some(known) = self.entry_numbers.settings.get(&id) {
            return Some(known.clone());
        }
        let is_it =
            |&(&(ty, _), v): &(&(ScalarType, u64), &ValueId)| ty == ScalarType::Float && *v == id;
        let ((_, bits), _) = self.emission.constants.iter().find(is_it)?;
        Some((Rc::new([]), f64::from_bits(*bits)))
    }

    /// Notes how a float of the graph was computed from two others.
    pub(crate) fn note_setting(&mut self, op: BinaryOp, a: ValueId, b: ValueId, result: ValueId) {
        let (Some((p, x)), Some((q, y))) = (self.setting(a), self.setting(b)) else {
            return;
        };
        let now = match op {
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            BinaryOp::TrueDiv => x / y,
            _ => return,
        };
        if p.len() + q.len() <= MAX_PARTS {
            let parts: Vec<(NodeId, f64)> = p.iter().chain(q.iter()).copied().collect();
            self.entry_numbers
                .settings
                .insert(result, (parts.into(), now));
        }
    }

    /// Notes how a bool of the graph was computed from two floats.
    pub(crate) fn note_setting_compare(
        &mut self,
        op: CompareOp,
        a: ValueId,
        b: ValueId,
        result: ValueId,
    ) {
        let (Some((p, x)), Some((q, y))) = (self.setting(a), self.setting(b)) else {
            return;
        };
        let parts: Vec<(NodeId, f64)> = p.iter().chain(q.iter()).copied().collect();
        if (1..=MAX_PARTS).contains(&parts.len()) {
            let now = holds(op, x, y);
            self.entry_numbers
                .set_conditions
                .insert(result, (parts.into(), now));
        }
    }

    /// What a condition is, if settings alone decide it.
    pub(crate) fn set_condition(&mut self, condition: ValueId) -> Option<bool> {
        let (parts, now) = self.entry_numbers.set_conditions.get(&condition)?;
        self.entry_numbers
            .wanted
            .borrow_mut()
            .extend(parts.iter().copied());
        Some(*now)
    }

    /// The int that a float becomes, if settings alone decide it.
    pub(crate) fn set_int(&mut self, s: SymScalar, whole: impl Fn(f64) -> f64) -> Option<Sym> {
        let (parts, now) = self.setting(s.id).filter(|_| s.ty == ScalarType::Float)?;
        let int = whole(now);
        if parts.is_empty() || int.is_nan() || int.abs() >= EXACT {
            return None;
        }
        self.entry_numbers
            .wanted
            .borrow_mut()
            .extend(parts.iter().copied());
        #[allow(
            clippy::cast_possible_truncation,
            reason = "it is whole, and small enough"
        )]
        Some(Sym::Known(Value::Int(int as i64)))
    }
}
