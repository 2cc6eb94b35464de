//! The rows of lists that grew: one tensor for each number or tensor that an item is made of.
//!
//! In: such a list, and what it gets. Out: tensors with a row for each item. Always: where an item's memory may be
//! named by a variable, that is noted.

use janus_bytecode::BinaryOp;
use janus_object::Value;
use janus_plan::{ReasonId, RecipeId, RowForm, ScalarType};
use janus_tensor::ops::{DimOp, Dims, Prim};
use janus_tensor::{DType, Dim, Ops, Scalar};
use janus_torch::TorchOps;

use crate::Res;
use crate::executor::Executor;
use crate::lists::growth::{OF_SEVERAL_KINDS, dtype_of, is_differentiable};
use crate::lists::reading::unit_steps;
use crate::state::dims::Source;
use crate::state::running::Leaving;
use crate::state::sym::{GradName, Kind, Leaf, Obj, Slot, Sym, SymGrown, SymScalar, ViewMap};
use crate::state::template::{Template, TensorTemplate, none_is_certain};
use crate::tensors::tensor::Number;

impl Executor<'_> {
    /// Puts an item into the next row, which is none's yet.
    pub(crate) fn store(&mut self, grown: &mut SymGrown, v: &Sym) -> Res<()> {
        self.store_row(grown, v, true)
    }

    /// Puts an item into the next row; where that is not its `first` one, no gradient goes to the one before.
    pub(crate) fn store_row(&mut self, grown: &mut SymGrown, v: &Sym, first: bool) -> Res<()> {
        let mut parts = Vec::new();
        let item = grown.item.clone();
        self.as_rows(&item, v, &mut parts)?;
        if parts.len() != grown.rows.len() {
            return self.defect("an item of another form");
        }
        let used = grown.used.clone();
        let at = self.number_dim(&used)?;
        for (row, part) in grown.rows.iter_mut().zip(parts) {
            let rank = self.dims_of(*row)?.len();
            let mut starts: Dims = smallvec::smallvec![Dim::Known(0); rank];
            starts[0] = at;
            let prim = Prim::UpdateSlice {
                starts,
                strides: unit_steps(rank),
                first,
            };
            let (all, its) = (
                &self.tensor(*row)?.tape.leaves,
                &self.tensor(part)?.tape.leaves,
            );
            // Whether the rows use a leaf may be open only because there may be none.
            let has = |leaves: &[Leaf], leaf: &Leaf| leaves.iter().any(|l| l.is_same(leaf));
            let alike = all.iter().all(|l| has(its, l)) && its.iter().all(|l| has(all, l));
            grown.mixed |= !all.is_empty() && !alike || its.iter().any(|l| l.used.is_some());
            let known = self.tensor(*row)?.identity.parts.clone();
            let named = self.tensor(part)?.identity.parts.clone();
            *row = self.apply(prim, &[row, &part])?;
            let all: Vec<Obj> = known.iter().chain(named.iter()).copied().collect();
            self.may_be(*row, &all)?;
        }
        let one = Sym::Known(Value::Int(1));
        grown.used = self.binary(BinaryOp::Add, &used, &one)?;
        Ok(())
    }

    /// Notes what the rows of a tensor may be names of: a write to it must not go unseen.
    pub(crate) fn may_be(&mut self, row: Obj, parts: &[Obj]) -> Res<()> {
        let mut parts = parts.to_vec();
        parts.sort_unstable();
        parts.dedup();
        let t = self.tensor_mut(row)?;
        t.identity.ambiguous = true;
        t.identity.parts = parts.into();
        Ok(())
    }

    /// After a loop: what its rows may be names of has other names now.
    pub(crate) fn name_again(&mut self, obj: Obj, leaving: &Leaving) -> Res<()> {
        for row in self.grown_at(obj)?.rows.clone() {
            let mut named = self.tensor(row)?.identity.parts.to_vec();
            let now = named.iter().filter_map(|o| leaving.left.get(o).copied());
            let now: Vec<Obj> = now.filter(|&o| o != row).collect();
            named.extend(now);
            self.may_be(row, &named)?;
        }
        Ok(())
    }

    /// An item as a row of each tensor; each knows in `parts` whose elements it has.
    pub(crate) fn as_rows(&mut self, item: &Template, v: &Sym, rows: &mut Vec<Obj>) -> Res<()> {
        match item {
            Template::Scalar(ty) => {
                let Some(s) = self.number(v)? else {
                    return self.defect("an item that is no number");
                };
                let one = [Dim::Known(1)];
                rows.push(self.full(&Number::Run(s), dtype_of(*ty), &one)?);
                Ok(())
            }
            Template::Tensor(t) => {
                let Sym::Obj(obj) = v else {
                    return self.defect("an item that is no tensor");
                };
                let owner = self.owner(*obj)?;
                let mut parts: Vec<Obj> = self.all_parts_of(owner).into_iter().collect();
                parts.push(owner);
                let mut shape = Dims::from_slice(&[Dim::Known(1)]);
                shape.extend(t.dims.iter().flatten().copied());
                let row = self.reshape(obj, &shape)?;
                let leaves = self.tensor(*obj)?.tape.leaves.clone();
                let is_told = |l: &Leaf| t.decided.iter().any(|d| d.is_same(l));
                let made = self.tensor_mut(row)?;
                made.view = None;
                made.tape.leaves = leaves.iter().filter(|l| !is_told(l)).copied().collect();
                self.may_be(row, &parts)?;
                rows.push(row);
                for leaf in &t.decided {
                    let id = self.used(leaves.iter().find(|l| l.is_same(leaf)).copied())?;
                    let ty = ScalarType::Bool;
                    let used = Number::Run(SymScalar { id, ty });
                    rows.push(self.full(&used, DType::Bool, &[Dim::Known(1)])?);
                }
                Ok(())
            }
            Template::Sequence(_, templates) => {
                let Some(obj) = self.container(v) else {
                    return self.defect("bad sequence");
                };
                let items = self.items_of(obj)?;
                let mut pairs = templates.iter().zip(&items);
                pairs.try_for_each(|(t, v)| self.as_rows(t, v, rows))
            }
            Template::Same(_) | Template::Grown(_) | Template::Either(_) => Ok(()),
        }
    }

    /// The tensor of whose elements another one consists, in their order.
    fn shown_by(&self, mut obj: Obj) -> Res<Obj> {
        while let Some(view) = &self.tensor(obj)?.view {
            obj = match &view.map {
                ViewMap::Same => view.base,
                ViewMap::Prim(parent, prim) => match &**prim {
                    Prim::Detach | Prim::Reshape { .. } => *parent,
                    _ => break,
                },
            };
        }
        Ok(obj)
    }

    /// Whether a tensor is an item of a list that grows in a loop.
    pub(crate) fn is_listed(&self, obj: Obj) -> Res<bool> {
        let obj = self.shown_by(obj)?;
        Ok(self.tensor(obj)?.identity.listed || self.state.appended.contains_key(&obj))
    }

    /// Notes that `list` got `v`. Whether a tensor in it has a place in a list that grows already: rows do not tell
    /// that they are one object.
    pub(crate) fn is_listed_again(&mut self, list: Obj, v: &Sym) -> Res<bool> {
        let Sym::Obj(obj) = *v else {
            return Ok(false);
        };
        if !self.is_tensor(v) {
            let mut again = false;
            let items = self.new_items(v).map_or(&[][..], |(_, items)| items);
            let loaded = items.iter().filter_map(|slot| match slot {
                Slot::Loaded(item) => Some(item.clone()),
                _ => None,
            });
            for item in loaded.collect::<Vec<_>>() {
                again |= self.is_listed_again(list, &item)?;
            }
            return Ok(again);
        }
        let obj = self.shown_by(obj)?;
        let again = self.is_listed(obj)?;
        if let Some(other) = self.state.appended.insert(obj, list)
            && let Kind::Grown(grown) = &mut self.state.heap[other].kind
        {
            grown.mixed = true;
        }
        Ok(again)
    }

    pub(crate) fn items_dim(&mut self, grown: &SymGrown) -> Res<Dim> {
        let n = self.items(grown)?;
        let n = self.number_dim(&n)?;
        if let Dim::Sym(s) = self.resolve(n) {
            let info = &mut self.extents.dims[s as usize];
            info.is_length |= matches!(info.source, Source::Graph);
        }
        Ok(n)
    }

    /// Its items as rows of tensors, in their order: as many as it has.
    pub(crate) fn rows_of(&mut self, grown: &SymGrown) -> Res<Vec<Obj>> {
        let stored = self.stored_rows(grown)?;
        if !grown.turned {
            return Ok(stored);
        }
        let mut rows = Vec::with_capacity(stored.len());
        for row in stored {
            let known = self.tensor(row)?.identity.parts.clone();
            let dims = smallvec::smallvec![0];
            let turned = self.apply(Prim::Reverse { dims }, &[&row])?;
            self.may_be(turned, &known)?;
            rows.push(turned);
        }
        Ok(rows)
    }

    /// Its items as rows of tensors, in the order in which they came.
    pub(crate) fn stored_rows(&mut self, grown: &SymGrown) -> Res<Vec<Obj>> {
        if grown.unfit {
            return self.refuse(
                ReasonId::TooLarge,
                "a list is read while its items change their form",
            );
        }
        if grown.behind.is_some() {
            return self.refuse(
                ReasonId::LoopState,
                "a list from outside is read after it grew in a loop",
            );
        }
        if grown.reserved && self.state.mode.grad_enabled && is_differentiable(&grown.item) {
            return self.refuse(
                ReasonId::LoopState,
                "all of a list that grows in a loop is read in the loop, with gradients",
            );
        }
        let waiting = i64::try_from(grown.waiting.len()).unwrap_or(i64::MAX);
        let all = self.items_dim(grown)?;
        let stored = self.dim_binary(DimOp::Sub, all, Dim::Known(waiting))?;
        let mut parts: Vec<Vec<Obj>> = Vec::new();
        for &row in &grown.rows {
            let dims = self.dims_of(row)?;
            let whole = grown.skipped == 0 && self.resolve(dims[0]) == self.resolve(stored);
            let part = if whole {
                row
            } else {
                let part = self.rows_from(row, Dim::Known(grown.skipped), stored)?;
                let known = self.tensor(row)?.identity.parts.clone();
                self.may_be(part, &known)?;
                part
            };
            parts.push(vec![part]);
        }
        for v in &grown.waiting {
            self.add_rows(&grown.item, v, &mut parts)?;
        }
        self.rows_behind(parts)
    }

    /// Adds the rows of an item to those before it.
    pub(crate) fn add_rows(&mut self, item: &Template, v: &Sym, parts: &mut [Vec<Obj>]) -> Res<()> {
        let mut rows = Vec::new();
        self.as_rows(item, v, &mut rows)?;
        if rows.len() != parts.len() {
            return self.defect("an item of another form");
        }
        for (all, row) in parts.iter_mut().zip(rows) {
            all.push(row);
        }
        Ok(())
    }

    /// Each of these put behind one another.
    pub(crate) fn rows_behind(&mut self, parts: Vec<Vec<Obj>>) -> Res<Vec<Obj>> {
        let mut rows = Vec::with_capacity(parts.len());
        for all in parts {
            rows.push(match all.as_slice() {
                [one] => *one,
                all => {
                    let mut named: Vec<Obj> = Vec::new();
                    for &part in all {
                        named.extend(self.tensor(part)?.identity.parts.iter());
                    }
                    let operands: Vec<&Obj> = all.iter().collect();
                    let joined = self.apply(Prim::Concat { dim: 0 }, &operands)?;
                    self.may_be(joined, &named)?;
                    joined
                }
            });
        }
        Ok(rows)
    }

    /// `count` rows from row `at` on.
    pub(crate) fn rows_from(&mut self, row: Obj, at: Dim, count: Dim) -> Res<Obj> {
        let mut sizes = self.dims_of(row)?;
        let mut starts: Dims = smallvec::smallvec![Dim::Known(0); sizes.len()];
        (starts[0], sizes[0]) = (at, count);
        let strides = unit_steps(starts.len());
        let part = self.slice(&row, &starts, &sizes, &strides)?;
        self.tensor_mut(part)?.view = None;
        Ok(part)
    }

    pub(crate) fn check_alike(&self, grown: &SymGrown) -> Res<()> {
        if grown.mixed {
            return self
                .refuse(ReasonId::TooLarge, "some items of a list that grew in a loop require grad and some do not, or they are in two lists");
        }
        Ok(())
    }

    /// The item whose parts are row `at` of these tensors.
    pub(crate) fn row_item(
        &mut self,
        item: &Template,
        rows: &mut dyn Iterator<Item = Obj>,
        at: Dim,
    ) -> Res<Sym> {
        match item {
            Template::Same(v) => Ok(v.clone()),
            Template::Sequence(form, templates) => {
                let mut items = Vec::with_capacity(templates.len());
                for t in templates {
                    items.push(self.row_item(t, rows, at)?);
                }
                Ok(self.new_sequence(form, items))
            }
            Template::Grown(_) => self.refuse(ReasonId::LoopState, "a list in a list"),
            Template::Either(_) => self.refuse(ReasonId::LoopState, OF_SEVERAL_KINDS),
            Template::Scalar(_) | Template::Tensor(_) => {
                let Some(row) = rows.next() else {
                    return self.defect("bad rows");
                };
                let dims = self.dims_of(row)?;
                let part = self.rows_from(row, at, Dim::Known(1))?;
                let Template::Tensor(t) = item else {
                    let n = self.item(&part)?;
                    return Ok(Self::number_sym(n));
                };
                let shape: Dims = dims[1..].into();
                let obj = self.reshape(&part, &shape)?;
                self.is_item(obj, row, t)?;
                for leaf in &t.decided {
                    let Some(row) = rows.next() else {
                        return self.defect("bad rows");
                    };
                    let part = self.rows_from(row, at, Dim::Known(1))?;
                    self.uses_where(obj, leaf, part)?;
                }
                Ok(Sym::Obj(obj))
            }
        }
    }

    /// Notes that a tensor uses a leaf where the only element of another one is true.
    pub(crate) fn uses_where(&mut self, obj: Obj, leaf: &Leaf, used: Obj) -> Res<()> {
        let used = match self.item(&used)? {
            Number::Run(s) => Some(s.id),
            Number::Known(Scalar::Bool(true)) => None,
            Number::Known(_) => return Ok(()),
        };
        let t = self.tensor_mut(obj)?;
        t.tape.leaves = t
            .tape
            .leaves
            .iter()
            .copied()
            .chain([Leaf { used, ..*leaf }])
            .collect();
        t.some_grad = none_is_certain(&t.tape.leaves);
        Ok(())
    }

    /// Makes a part of `row` an item: an object that others may name.
    pub(crate) fn is_item(&mut self, obj: Obj, row: Obj, t: &TensorTemplate) -> Res<()> {
        let mut named = self.tensor(row)?.identity.parts.to_vec();
        named.push(row);
        self.may_be(obj, &named)?;
        let made = self.tensor_mut(obj)?;
        made.view = None;
        made.class = t.class.clone();
        if made.requires_grad {
            made.tape.grad_name = t.grad_name.clone();
        }
        Ok(())
    }

    /// Rows as dimension `dim`: one of its own, or joined with the one that is there.
    pub(crate) fn rows_at(&mut self, row: Obj, dim: i64, join: bool) -> Res<Obj> {
        let dims = self.dims_of(row)?;
        let last = dims.len() - usize::from(join);
        let Some(dim) = usize::try_from(dim).ok().filter(|&d| d < last) else {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a dimension out of range",
            );
        };
        let mut order: Vec<usize> = (1..dims.len()).collect();
        order.insert(dim, 0);
        let moved = if dim == 0 {
            self.copy(&row)?
        } else {
            let dims = order.iter().copied().collect();
            self.apply(Prim::Permute { dims }, &[&row])?
        };
        if !join {
            return Ok(moved);
        }
        let mut shape: Dims = self.dims_of(moved)?;
        let inner = shape.remove(dim + 1);
        shape[dim] = self.dim_binary(DimOp::Mul, shape[dim], inner)?;
        self.apply(Prim::Reshape { shape }, &[&moved])
    }

    pub(crate) fn row_form(
        &self,
        item: &Template,
        rows: &mut dyn Iterator<Item = RecipeId>,
    ) -> Res<RowForm> {
        let mut row = || match rows.next() {
            Some(row) => Ok(row),
            None => self.defect("bad rows"),
        };
        Ok(match item {
            Template::Scalar(_) => RowForm::Number(row()?),
            Template::Tensor(t) => {
                let name = match &t.grad_name {
                    GradName::Of(name) => name.clone(),
                    GradName::Either(..) => "".into(),
                };
                RowForm::Tensor(row()?, name)
            }
            Template::Sequence(sequence, items) => {
                let mut forms = Vec::with_capacity(items.len());
                for t in items {
                    forms.push(self.row_form(t, rows)?);
                }
                RowForm::Tuple(sequence.class().clone(), forms)
            }
            Template::Same(Sym::Known(v)) => RowForm::Same(v.clone()),
            Template::Same(_) | Template::Grown(_) | Template::Either(_) => {
                return self.refuse(ReasonId::EscapingObject, "a list of objects escapes");
            }
        })
    }
}
