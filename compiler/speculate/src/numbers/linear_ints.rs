//! Slices whose length does not depend on where they start: batches `x[i:i + 4]`.
//!
//! In: how ints of the graph were computed from one another. Out: a slice of known extent, asserted
//! to lie inside of its tensor. Always: once a slice did not (the last batch of an epoch is
//! smaller), those of its length have an extent that moves.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::{AssumptionKey, DeoptReason, ScalarType};
use janus_tensor::Dim;
use janus_tensor::ops::{BinaryOp as PrimOp, Prim};

use crate::Res;
use crate::executor::Executor;
use crate::state::dims::BOUND_DEPTH;
use crate::state::sym::Sym;

/// An int of the graph that is `by * base + plus`; `base` is an int, or a tensor of one.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Linear {
    base: ValueId,
    by: i64,
    plus: i64,
}

impl Executor<'_> {
    fn linear_of(&self, id: ValueId) -> Linear {
        let itself = Linear {
            base: id,
            by: 1,
            plus: 0,
        };
        self.ints.linear.get(&id).copied().unwrap_or(itself)
    }

    /// Notes that an int is another one and `apart`.
    pub(crate) fn note_apart(&mut self, id: ValueId, from: ValueId, apart: i64) {
        let Linear { base, by, plus } = self.linear_of(from);
        if let Some(plus) = plus.checked_add(apart) {
            self.ints.linear.insert(id, Linear { base, by, plus });
        }
    }

    /// Notes that an int is the lesser one of another one and a constant: two that are as far apart as their constants
    /// stay so.
    pub(crate) fn note_bounded(&mut self, all: ValueId, most: i64, bounded: ValueId) {
        let twin = self.ints.bounded.iter().find_map(|&(other, limit, known)| {
            let apart = self.apart(all, other)?;
            (most.checked_sub(limit) == Some(apart) && known != bounded).then_some((known, apart))
        });
        if let Some((known, apart)) = twin {
            self.note_apart(bounded, known, apart);
        }
        self.ints.bounded.push((all, most, bounded));
    }

    /// The extent that was made of an int which is computed in the same way.
    pub(crate) fn dim_of_number(&self, id: ValueId) -> Option<Dim> {
        let is_here = |context: u32| context == 0 || context == self.emission.context;
        if let Some(&(dim, context)) = self.extents.number_dims.get(&id) {
            return is_here(context).then_some(dim);
        }
        let linear = self.linear_of(id);
        let alike = (self.extents.number_dims.iter())
            .filter(|(other, (_, context))| is_here(*context) && self.linear_of(**other) == linear);
        let first = alike.min_by_key(|(other, _)| **other);
        first.map(|(_, (dim, _))| *dim)
    }

    /// How much more one int is than another one, if that is always the same.
    pub(crate) fn apart(&self, a: ValueId, b: ValueId) -> Option<i64> {
        if let (Some(x), Some(y)) = (self.constant_int(a), self.constant_int(b)) {
            return x.checked_sub(y);
        }
        let (a, b) = (self.linear_of(a), self.linear_of(b));
        let alike = (a.base, a.by) == (b.base, b.by);
        alike.then(|| a.plus.checked_sub(b.plus)).flatten()
    }

    /// How much more than one int another one is, where it was computed from that.
    pub(crate) fn more_than(&self, base: ValueId, id: ValueId) -> Option<i64> {
        let Linear { base: of, by, plus } = self.linear_of(id);
        (of == base && by == 1).then_some(plus)
    }

    /// Notes that an int was computed from another one and a constant.
    pub(crate) fn note_linear(&mut self, op: BinaryOp, a: &Sym, b: &Sym, result: &Sym) {
        let Sym::Scalar(result) = result else { return };
        let (x, k, turned) = match (a, b) {
            (Sym::Scalar(x), Sym::Known(Value::Int(k))) => (x, *k, false),
            (Sym::Known(Value::Int(k)), Sym::Scalar(x)) => (x, *k, true),
            _ => return,
        };
        if x.ty != ScalarType::Int || result.ty != ScalarType::Int {
            return;
        }
        let Linear { base, by, plus } = self.linear_of(x.id);
        let computed = match op {
            BinaryOp::Add => plus.checked_add(k).map(|plus| (by, plus)),
            BinaryOp::Sub if !turned => plus.checked_sub(k).map(|plus| (by, plus)),
            BinaryOp::Mul => by.checked_mul(k).zip(plus.checked_mul(k)),
            _ => None,
        };
        if let Some((by, plus)) = computed {
            let linear = Linear { base, by, plus };
            self.ints.linear.insert(result.id, linear);
        }
    }

    /// Notes that an int tensor of one element was computed from another one and a constant.
    pub(crate) fn note_shift(&mut self, prim: &Prim, operands: &[ValueId], result: ValueId) {
        let (&[a, b], Prim::Binary(op)) = (operands, prim) else {
            return;
        };
        let constant = |v: ValueId| self.ints.int_constants.get(&v).copied();
        let (of, k) = match (op, constant(a), constant(b)) {
            (PrimOp::Add, None, Some(k)) => (a, Some(k)),
            (PrimOp::Add, Some(k), None) => (b, Some(k)),
            (PrimOp::Sub, None, Some(k)) => (a, k.checked_neg()),
            _ => return,
        };
        let (base, plus) = self.ints.shifted.get(&of).copied().unwrap_or((of, 0));
        if let Some(plus) = k.and_then(|k| plus.checked_add(k)) {
            self.ints.shifted.insert(result, (base, plus));
        }
    }

    /// Notes that an int is the element of a tensor.
    pub(crate) fn note_item(&mut self, item: ValueId, of: ValueId) {
        let (base, plus) = self.ints.shifted.get(&of).copied().unwrap_or((of, 0));
        self.ints.linear.insert(item, Linear { base, by: 1, plus });
    }

    /// See [`janus_torch::TorchOps::expect_least`]: what a slice with a known bound needs is asserted before the graph
    /// runs, where that can be told then, so that the slice's extent is known.
    pub(crate) fn assume_least(&mut self, n: Dim, least: i64) -> Res<()> {
        let Dim::Sym(s) = self.resolve(n) else {
            return Ok(());
        };
        let key = self.key("part");
        let id = self.extents.dims.get(s as usize).map(|info| info.id);
        let home = id.map(|id| self.emission.value_context.get(&id).copied().unwrap_or(0));
        if home != Some(0)
            || self.bounds(n, BOUND_DEPTH).least >= Some(least)
            || self.hint(n) < Some(least)
            || self.region.relaxations.both_sides.contains(&key)
        {
            return Ok(());
        }
        // Outside of all branches, as all that is decided before the graph runs.
        let here = std::mem::replace(&mut self.emission.context, 0);
        let asserted = self.assert_least(s, least, key);
        self.emission.context = here;
        asserted
    }

    fn assert_least(&mut self, symbol: u32, least: i64, key: AssumptionKey) -> Res<()> {
        let extent = Sym::Scalar(self.dim_number(Dim::Sym(symbol))?);
        let all = Sym::Known(Value::Int(least));
        let Sym::Scalar(fits) = self.compare(CompareOp::Ge, &extent, &all)? else {
            return Ok(());
        };
        if self.entry_numbers.extents.contains_key(&fits.id) {
            let first = self.emission.assertions.len();
            let expected = format!("there are {least} elements or more");
            self.assert(fits.id, DeoptReason::ShapeChanged, key, expected)?;
            self.relaxed_at_first_miss(first);
            if let Some(info) = self.extents.dims.get_mut(symbol as usize) {
                info.asserted = Some(least);
            }
        }
        Ok(())
    }

    /// See [`janus_torch::TorchOps::constant_part`].
    pub(crate) fn part_of_constant_length(
        &mut self,
        start: Dim,
        stop: Dim,
        n: Dim,
    ) -> Res<Option<(Dim, Dim)>> {
        let int = |d: Dim| match d {
            Dim::Sym(s) => self.ints.dim_scalars.get(&s).copied(),
            Dim::Known(_) => None,
        };
        let (Some(from), Some(to)) = (int(start), int(stop)) else {
            return Ok(None);
        };
        let (from, to) = (self.linear_of(from), self.linear_of(to));
        if (from.base, from.by) != (to.base, to.by) {
            return Ok(None);
        }
        let Some(length) = to.plus.checked_sub(from.plus).filter(|&n| n > 0) else {
            return Ok(None);
        };
        // A failed assert does not stop the graph: what is read has to be there.
        let fits = length == 1 || n.known().is_some_and(|n| n >= length);
        let ends = self
            .hint(start)
            .map(|now| (now, now.saturating_add(length)));
        let outside =
            ends.is_some_and(|(first, end)| first < 0 || self.hint(n).is_some_and(|n| end > n));
        let key: AssumptionKey = format!("slices of {length}").into();
        if !fits || outside || self.region.relaxations.both_sides.contains(&key) {
            return Ok(None);
        }
        let first = self.emission.assertions.len();
        let reason = DeoptReason::ShapeChanged;
        let expected = format!("the slice has {length} elements");
        let start = self.span_or(start, Dim::Known(length), n, reason, &expected)?;
        for assertion in self.emission.assertions.iter_mut().skip(first) {
            assertion.key = key.clone();
        }
        self.relaxed_at_first_miss(first);
        Ok(Some((start, Dim::Known(length))))
    }
}
