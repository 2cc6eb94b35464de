//! How lists that grew leave a region.
//!
//! In: such a list, or an item of one. Out: recipes and commits. Always: an item that leaves beside its list is an
//! item of what the list becomes.

use janus_plan::{Commit, Fresh, NodeId, ReasonId, Recipe, RecipeId};
use janus_tensor::ops::DimOp;
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::emit::contexts::ContextKind;
use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymGrown, SymList};

impl Executor<'_> {
    /// Where a list was made as it is now: outside of all loops that do not change it.
    pub(crate) fn home_of_list(&self, grown: &SymGrown) -> u32 {
        let mut values = Vec::new();
        let mut pending: Vec<Sym> = grown.rows.iter().copied().map(Sym::Obj).collect();
        pending.extend(grown.waiting.iter().cloned());
        pending.push(grown.used.clone());
        let mut dims: Vec<Dim> = grown.count.into_iter().collect();
        while let Some(v) = pending.pop() {
            match (&v, self.new_items(&v)) {
                (Sym::Known(_), _) => {}
                (Sym::Scalar(s), _) => values.push(s.id),
                (Sym::Obj(o), None) => match self.tensor(*o) {
                    Ok(t) if self.is_up_to_date(t) => {
                        values.push(t.value);
                        dims.extend(t.dims.iter().copied());
                    }
                    _ => return self.emission.context,
                },
                (_, Some((_, items))) => pending.extend(items.iter().filter_map(|s| match s {
                    Slot::Loaded(v) => Some(v.clone()),
                    _ => None,
                })),
                _ => return self.emission.context,
            }
        }
        for d in dims {
            if let Dim::Sym(s) = self.resolve(d) {
                values.push(self.extents.dims[s as usize].id);
            }
        }
        let (mut home, mut at) = (self.emission.context, self.emission.context);
        while at != 0
            && !values
                .iter()
                .any(|v| self.emission.value_context.get(v) == Some(&at))
        {
            let context = &self.emission.contexts[at as usize - 1];
            at = context.parent;
            if matches!(context.kind, ContextKind::Frame(_)) {
                home = at;
            }
        }
        home
    }

    /// The recipe of an item whose list leaves the region, too.
    pub(crate) fn item_recipe(&mut self, out: &mut Out, item: Obj) -> Res<Option<RecipeId>> {
        let Some((list, at)) = self.tensor(item)?.identity.item_of else {
            return Ok(None);
        };
        let from = if let Some(origin) = self.state.heap[list].origin.clone() {
            match self.grown_at(list)?.behind {
                Some(_) => self.more_recipe(out, list)?,
                None => Self::push(out, Recipe::Node(origin.node)),
            }
        } else if let Some(&id) = out.of_object.get(&list) {
            id
        } else {
            return Ok(None);
        };
        let at = self.dim_number(at)?;
        let at = Self::result(out, at.id);
        Ok(Some(Self::push(out, Recipe::Fresh(Fresh::Item(from, at)))))
    }

    /// The recipe of a new list with what a list from outside got.
    fn more_recipe(&mut self, out: &mut Out, list: Obj) -> Res<RecipeId> {
        if let Some(&id) = out.more.get(&list) {
            return Ok(id);
        }
        let behind = None;
        let grown = self.grown_at(list)?.clone();
        let more = self.alloc(Kind::Grown(SymGrown { behind, ..grown }));
        let id = self.recipe(out, &more)?;
        out.more.insert(list, id);
        Ok(id)
    }

    /// The rows of a list that leaves the region, in the order in which they came, with what waits behind them.
    pub(crate) fn leaving_rows(&mut self, obj: Obj) -> Res<(SymGrown, Vec<Obj>)> {
        let mut grown = self.grown_at(obj)?.clone();
        self.check_alike(&grown)?;
        // A graph that was consumed leads to no parameters.
        let mut spent = true;
        for &row in &grown.rows {
            let t = self.tensor(row)?;
            spent &= !t.requires_grad || t.is_spent();
        }
        if grown.item.has_decided() && !spent {
            return self.refuse(
                ReasonId::TooLarge,
                "a list leaves the region whose items depend on parameters in some cases",
            );
        }
        let waiting = std::mem::take(&mut grown.waiting);
        if let Some(count) = grown.count {
            let behind = i64::try_from(waiting.len()).unwrap_or(i64::MAX);
            grown.count = Some(self.dim_binary(DimOp::Sub, count, Dim::Known(behind))?);
        }
        let rows = self.stored_rows(&grown)?;
        grown.waiting = waiting;
        Ok((grown, rows))
    }

    /// The recipe of a list that leaves the region.
    pub(crate) fn rows_recipe(&mut self, out: &mut Out, obj: Obj) -> Res<Fresh> {
        let (grown, rows) = self.leaving_rows(obj)?;
        let mut made = Vec::with_capacity(rows.len());
        for row in rows {
            made.push(self.recipe(out, &Sym::Obj(row))?);
        }
        let form = self.row_form(&grown.item, &mut made.into_iter())?;
        let mut last = Vec::with_capacity(grown.waiting.len());
        for v in &grown.waiting {
            last.push(self.recipe(out, v)?);
        }
        Ok(Fresh::Rows(form, last, grown.turned))
    }

    /// Writes back what a list from outside got.
    pub(crate) fn commit_grown(
        &mut self,
        out: &mut Out,
        node: NodeId,
        obj: Obj,
        list: &SymList,
    ) -> Res<()> {
        self.guard_written(node);
        let target = Self::push(out, Recipe::Node(node));
        let mut items = Vec::with_capacity(list.appended.len());
        for (v, condition) in &list.appended {
            let condition = condition.map(|c| Self::result(out, c));
            items.push((self.recipe(out, v)?, condition));
        }
        let more = Some(self.more_recipe(out, obj)?);
        out.commits.push(Commit::Append {
            list: target,
            items,
            more,
            dropped: 0,
        });
        Ok(())
    }
}
