//! Lists to which one side of a branch appends, in a loop whose trip count moves.
//!
//! In: the list on both sides. Out: rows with those of the side that was taken. Always: what one side appends
//! has the form of what the other one does, and extents that are known before the branch.

use janus_dialect::Type;
use janus_object::Value;
use janus_plan::ReasonId;
use janus_tensor::ops::DimOp;
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::branches::branch::Merge;
use crate::executor::Executor;
use crate::lists::growth::{BOTH_ENDS, is_longer};
use crate::state::sym::{Obj, Slot, Sym, SymGrown, SymList};

impl Executor<'_> {
    /// Whether one side of a branch appended to a list from before the loop that is run now.
    pub(crate) fn grows_in_loop(&self, obj: Obj, x: &SymList, y: &SymList) -> bool {
        let object = &self.state.heap[obj];
        object.origin.is_none()
            && self.looping.loops.last().is_some_and(|l| obj < l.before)
            && (is_longer(object, x, y) || is_longer(object, y, x))
    }

    /// A list to which one side of a branch appended.
    pub(crate) fn merge_growing(
        &mut self,
        merge: &mut Merge,
        x: &SymList,
        y: &SymList,
    ) -> Res<SymGrown> {
        let both = [x, y].map(|l| l.base.clone().unwrap_or_default());
        let longer = usize::from(both[1].len() > both[0].len());
        let mut item = None;
        for slot in both[longer].iter().rev() {
            let Slot::Loaded(v) = slot else {
                return self.defect("bad item");
            };
            item = Some(match item {
                None => self.template(v),
                Some(item) => self.widen_item(item, v)?.0,
            });
        }
        let Some(mut item) = item else {
            return self.defect("bad list");
        };
        self.check_item(&mut item)?;
        self.check_rows(&item)?;
        if !self.is_known_here(&item) {
            return self.refuse(
                ReasonId::BranchSides,
                "the extents of what one side of a branch appends are known there only",
            );
        }
        let most = Dim::Known(i64::try_from(both[longer].len()).unwrap_or(i64::MAX));
        let common = both[1 - longer].len();
        let both_have: Vec<Sym> = both[longer]
            .iter()
            .take(common)
            .filter_map(|slot| match slot {
                Slot::Loaded(v) => Some(v.clone()),
                _ => None,
            })
            .collect();
        let mut sides = Vec::with_capacity(2);
        let here = self.emission.context;
        for (slots, context) in both.into_iter().zip([merge.taken, merge.other]) {
            self.emission.context = context;
            let mut side = SymGrown {
                behind: None,
                first: both_have.clone(),
                item: item.clone(),
                rows: Vec::new(),
                turned: false,
                skipped: 0,
                used: Sym::Known(Value::Int(0)),
                waiting: Vec::new(),
                count: None,
                added: most,
                fewer: true,
                reserved: false,
                mixed: false,
                unfit: false,
            };
            self.empty_rows(&item, most, &mut side.rows)?;
            for slot in &slots {
                if let Slot::Loaded(v) = slot {
                    side.mixed |= self.mixes(&item, v)?;
                    self.store(&mut side, v)?;
                }
            }
            sides.push(side);
        }
        self.emission.context = here;
        self.merge_grown(merge, &sides[0], &sides[1])
    }

    /// A list after a branch whose sides appended to it, or did not.
    pub(crate) fn merge_grown(
        &mut self,
        merge: &mut Merge,
        x: &SymGrown,
        y: &SymGrown,
    ) -> Res<SymGrown> {
        if !x.began_the_same(y) {
            return self.refuse(
                ReasonId::BranchSides,
                "one side of a branch appends to a list before a loop in which the list grows",
            );
        }
        if x.is_same(y) && !y.unfit {
            // It may be one of a loop that is over, whose values no side sees.
            let mixed = x.mixed || y.mixed;
            return Ok(SymGrown { mixed, ..x.clone() });
        }
        let same = |(a, b): (&Sym, &Sym)| a.same(b);
        let waiting = x.waiting.len() == y.waiting.len()
            && x.waiting.iter().zip(&y.waiting).all(same)
            && x.skipped == y.skipped;
        if x.turned != y.turned && !x.unfit && !y.unfit {
            return self.refuse(ReasonId::TooLarge, BOTH_ENDS);
        }
        if !waiting || x.rows.len() != y.rows.len() {
            return self.refuse(
                ReasonId::BranchSides,
                "one side of a branch appends to a list, as each iteration did before",
            );
        }
        let mut grown = x.clone();
        grown.used = self.merge_sym(merge, &x.used, &y.used)?;
        for (row, &other) in grown.rows.iter_mut().zip(&y.rows) {
            if *row == other {
                continue;
            }
            let mut named = self.tensor(*row)?.identity.parts.to_vec();
            named.extend(self.tensor(other)?.identity.parts.iter());
            let Sym::Obj(merged) = self.merge_sym(merge, &Sym::Obj(*row), &Sym::Obj(other))? else {
                return self.defect("bad rows");
            };
            self.tensor_mut(merged)?.identity.one_of = None;
            self.may_be(merged, &named)?;
            *row = merged;
        }
        grown.added = if self.dim_is_visible(x.added) && self.dim_is_visible(y.added) {
            self.dim_binary(DimOp::Max, x.added, y.added)?
        } else {
            // A loop of one side decides.
            let (p, q) = (self.dim_value(x.added)?, self.dim_value(y.added)?);
            let id = self.merge_values(merge, p, q, Type::Index)?;
            self.new_dim(id, None)
        };
        grown.fewer |= y.fewer || self.resolve(x.added) != self.resolve(y.added);
        grown.count = x.count.filter(|_| x.count == y.count);
        grown.mixed |= y.mixed;
        if y.unfit {
            grown.turned = y.turned;
            grown.item = y.item.clone();
            grown.unfit = true;
        }
        Ok(grown)
    }
}
