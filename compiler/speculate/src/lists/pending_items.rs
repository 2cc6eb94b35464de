//! What waits for its place in a list that grows in a loop, and what variables name, too.
//!
//! In: the places that a loop carries. Out: which of them are items that wait, before, during and after the loop.
//! Always: such a tensor is carried once, so that its gradient is one sum.

use crate::Res;
use crate::executor::Executor;
use crate::state::place::Place;
use crate::state::sym::{Kind, Obj, Sym};
use crate::state::template::{GrownTemplate, Spot, Template, none_is_certain};

impl Executor<'_> {
    /// Before a loop: what waits, where a variable carries it. `inits` are what the variables name.
    pub(crate) fn begin_sharing(
        &mut self,
        obj: Obj,
        template: &mut GrownTemplate,
        init: &dyn Fn(&Place) -> Option<Sym>,
    ) -> Res<()> {
        let mut waiting = self.grown_at(obj)?.waiting.clone();
        let dummies = usize::try_from(template.skipped).unwrap_or(0);
        for (i, spot) in template.shared.iter().enumerate() {
            let Some(spot) = spot else { continue };
            let first = match init(&spot.place) {
                Some(v) => self.at(&v, &spot.path)?,
                None => None,
            };
            match (first, waiting.get_mut(i)) {
                // Any item does for the row that is skipped.
                (Some(v), Some(old)) if i < dummies || old.same(&v) => *old = v,
                _ => {
                    template.shared = vec![None; template.waiting];
                    return Ok(());
                }
            }
        }
        self.grown_at(obj)?.waiting = waiting;
        Ok(())
    }

    /// At the start of an iteration: what waits is what the variable carries, of an iteration before.
    pub(crate) fn share(
        &mut self,
        obj: Obj,
        template: &GrownTemplate,
        carried: &dyn Fn(&Place) -> Option<(Sym, Template)>,
    ) -> Res<()> {
        let dummies = usize::try_from(template.skipped).unwrap_or(0);
        for (i, spot) in template.shared.iter().enumerate() {
            let Some(spot) = spot else { continue };
            let Some((v, of)) = carried(&spot.place) else {
                return self.defect("a variable that is not carried");
            };
            let merged = self.at(&v, &spot.path)?;
            let (Some(Sym::Obj(merged)), Template::Tensor(t)) = (merged, of.at(&spot.path)) else {
                return self.defect("a variable that is not carried");
            };
            let mut item = self.tensor(merged)?.clone();
            item.identity.parts = t.parts.clone().into();
            if i < dummies {
                // No row tells of the first iteration, in which the variable is another thing.
                let mut leaves = item.tape.leaves.to_vec();
                for leaf in &mut leaves {
                    if let Some(later) = t.later.iter().find(|l| l.is_same(leaf)) {
                        leaf.used = later.used;
                    }
                }
                item.some_grad = none_is_certain(&leaves);
                item.tape.leaves = leaves.into();
            }
            let item = self.alloc(Kind::Tensor(item));
            let grown = self.grown_at(obj)?;
            match grown.waiting.get_mut(i) {
                Some(old) => *old = item,
                None => return self.defect("bad list"),
            }
        }
        Ok(())
    }

    /// The tensors that a variable carries.
    pub(crate) fn spots(
        &mut self,
        spot: &Spot,
        template: &Template,
        v: &Sym,
        spots: &mut Vec<(Spot, Sym)>,
    ) -> Res<()> {
        match template {
            Template::Tensor(_) => spots.push((spot.clone(), v.clone())),
            Template::Sequence(form, templates) => {
                let items = self.sequence_items(form, v)?;
                for (i, (t, v)) in templates.iter().zip(&items).enumerate() {
                    let mut spot = spot.clone();
                    spot.path.push(i);
                    self.spots(&spot, t, v, spots)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What `path` leads to in lists and tuples.
    fn at(&mut self, v: &Sym, path: &[usize]) -> Res<Option<Sym>> {
        let mut v = v.clone();
        for &i in path {
            let item = match (self.new_attributes(&v), self.container(&v)) {
                (Some((_, items)), _) => items.into_iter().nth(i),
                (None, Some(obj)) => self.items_of(obj)?.into_iter().nth(i),
                (None, None) => None,
            };
            match item {
                Some(item) => v = item,
                None => return Ok(None),
            }
        }
        Ok(Some(v))
    }

    /// After an iteration: which of the items that wait variables carry, too. Returns whether that is new.
    pub(crate) fn find_shared(
        &mut self,
        obj: Obj,
        template: &mut GrownTemplate,
        carried: &[(Spot, Sym)],
    ) -> Res<bool> {
        // Where it turned out otherwise before, they stay apart.
        if template.shared.len() == template.waiting && template.shared.iter().all(Option::is_none)
        {
            return Ok(false);
        }
        let waiting = self.grown_at(obj)?.waiting.clone();
        let of = |v: &Sym| {
            carried
                .iter()
                .find(|(_, c)| c.same(v))
                .map(|(p, _)| p.clone())
        };
        let found: Vec<Option<Spot>> = waiting.iter().map(of).collect();
        if found == template.shared {
            return Ok(false);
        }
        let first = template.shared.is_empty();
        template.shared = if first && found.iter().any(Option::is_some) {
            found
        } else {
            vec![None; template.waiting]
        };
        Ok(!first || template.shared.iter().any(Option::is_some))
    }

    /// When the loop is left: what waits is what the variable names.
    pub(crate) fn end_sharing(
        &mut self,
        obj: Obj,
        template: &GrownTemplate,
        named: &[(Place, Sym)],
    ) -> Res<()> {
        for (i, spot) in template.shared.iter().enumerate() {
            let Some(spot) = spot else { continue };
            let found = match named.iter().find(|(p, _)| *p == spot.place) {
                Some((_, v)) => self.at(v, &spot.path)?,
                None => None,
            };
            let grown = self.grown_at(obj)?;
            match (found, grown.waiting.get_mut(i)) {
                (Some(v), Some(old)) => *old = v,
                _ => return self.defect("a variable that is not carried"),
            }
        }
        Ok(())
    }
}
