//! Lists that grew in a loop whose trip count moves: one tensor for each number or tensor that an item is made
//! of, with a row for each item.
//!
//! In: such a list. Out: its length, items and iterators, what torch functions make of it, and how it leaves
//! the region. Always: an item is itself, and not a copy, where a variable may name it; where that cannot be
//! told, it is noted.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{Name, Value};
use janus_plan::{
    Commit, DeoptReason, Fresh, NodeId, ReasonId, Recipe, RecipeId, RowForm, ScalarType,
};
use janus_tensor::ops::{DimOp, Dims, Prim, ReduceOp, Steps};
use janus_tensor::{DType, Dim, Ops, Scalar};
use janus_torch::TorchOps;

use crate::Res;
use crate::emit::contexts::ContextKind;
use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::lists::growth::{BOTH_ENDS, OF_SEVERAL_KINDS, dtype_of, is_differentiable};
use crate::state::dims::Source;
use crate::state::running::Leaving;
use crate::state::sym::{
    GradName, Kind, Leaf, Obj, Slot, Sym, SymGrown, SymIter, SymList, SymScalar, ViewMap,
};
use crate::state::template::{Template, TensorTemplate, none_is_certain};
use crate::tensors::tensor::Number;

impl Executor<'_> {
    pub(crate) fn grown(&self, v: &Sym) -> Option<(Obj, &SymGrown)> {
        let Sym::Obj(obj) = v else { return None };
        match &self.state.heap[*obj].kind {
            Kind::Grown(grown) => Some((*obj, grown)),
            _ => None,
        }
    }

    pub(crate) fn grown_at(&mut self, obj: Obj) -> Res<&mut SymGrown> {
        match &mut self.state.heap[obj].kind {
            Kind::Grown(grown) => Ok(grown),
            _ => Err(crate::Stop::defect("a list that did not grow")),
        }
    }

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

    pub(crate) fn append_grown(&mut self, obj: Obj, v: Sym) -> Res<()> {
        self.grow(obj, v, false)
    }

    /// Appends an item, or inserts it before the first one.
    pub(crate) fn grow(&mut self, obj: Obj, v: Sym, in_front: bool) -> Res<()> {
        let mut grown = self.grown_at(obj)?.clone();
        if grown.turned != in_front {
            if !in_front || !grown.reserved {
                return self.refuse(ReasonId::TooLarge, BOTH_ENDS);
            }
            (grown.turned, grown.unfit) = (true, true);
        }
        let form = if grown.reserved && grown.waiting.is_empty() {
            self.without_leaves(&v)?
        } else {
            v.clone()
        };
        let (item, changed) = self.widen_item(grown.item.clone(), &form)?;
        grown.mixed |= self.is_listed_again(obj, &v)?;
        grown.mixed |= self.mixes(&item, &v)?;
        grown.item = item;
        grown.added = self.dim_binary(DimOp::Add, grown.added, Dim::Known(1))?;
        if let Some(count) = grown.count {
            grown.count = Some(self.dim_binary(DimOp::Add, count, Dim::Known(1))?);
        }
        grown.unfit |= changed && grown.reserved;
        if grown.unfit {
            self.state.heap[obj].kind = Kind::Grown(grown);
            return Ok(());
        }
        if grown.reserved && grown.waiting.is_empty() {
            self.store(&mut grown, &v)?;
        } else {
            grown.waiting.push(v);
        }
        self.state.heap[obj].kind = Kind::Grown(grown);
        Ok(())
    }

    /// Turns a list round whose items are all here.
    pub(crate) fn reverse_grown(&mut self, obj: Obj) -> Res<()> {
        let grown = self.grown_at(obj)?;
        if grown.reserved || grown.unfit || grown.behind.is_some() {
            return self.refuse(
                ReasonId::LoopState,
                "a list is turned round while it grows in a loop",
            );
        }
        if !self.named_items(obj).is_empty() {
            return self.refuse(
                ReasonId::TooLarge,
                "a list is turned round whose items were read",
            );
        }
        let grown = self.grown_at(obj)?;
        grown.turned = !grown.turned;
        Ok(())
    }

    /// Tensors that are items of a list, by their place in it.
    pub(crate) fn named_items(&self, list: Obj) -> Vec<Obj> {
        let is_item = |obj: &Obj| {
            let item_of = self.tensor(*obj).ok().and_then(|t| t.identity.item_of);
            item_of.is_some_and(|(of, _)| of == list)
        };
        (0..self.state.heap.len()).filter(is_item).collect()
    }

    /// How many items a list has.
    pub(crate) fn items(&mut self, grown: &SymGrown) -> Res<Sym> {
        if let Some(count) = grown.count {
            return Ok(self.dim_sym(count));
        }
        let behind = i64::try_from(grown.waiting.len()).unwrap_or(i64::MAX) - grown.skipped;
        let behind = Sym::Known(Value::Int(behind));
        self.binary(BinaryOp::Add, &grown.used.clone(), &behind)
    }

    /// All that a list holds. One from outside is assumed to have been empty at entry, if it was.
    pub(crate) fn whole(&mut self, obj: Obj) -> Res<SymGrown> {
        self.assume_empty(obj)?;
        let mut grown = self.grown_at(obj)?.clone();
        let Some(list) = grown.behind.take() else {
            return Ok(grown);
        };
        let Some(first) = list.all_it_got() else {
            return self.refuse(
                ReasonId::LoopState,
                "a list from outside is read after it grew in a loop",
            );
        };
        if first.is_empty() {
            return Ok(grown);
        }
        for v in &first {
            grown.item = self.widen_item(grown.item, v)?.0;
        }
        let mut parts: Vec<Vec<Obj>> = vec![Vec::new(); grown.rows.len()];
        for v in &first {
            grown.mixed |= self.mixes(&grown.item, v)?;
            self.add_rows(&grown.item, v, &mut parts)?;
        }
        for (all, row) in parts.iter_mut().zip(self.stored_rows(&grown)?) {
            all.push(row);
        }
        let more = i64::try_from(first.len()).unwrap_or(i64::MAX);
        let n = self.items_dim(&grown)?;
        let n = self.dim_binary(DimOp::Add, n, Dim::Known(more))?;
        grown.rows = self.rows_behind(parts)?;
        grown.hold_rows(n, self.dim_sym(n));
        Ok(grown)
    }

    /// Guards that a list from outside is empty at entry, if it is one and was.
    fn assume_empty(&mut self, obj: Obj) -> Res<()> {
        let Some(list) = self.grown_at(obj)?.behind.clone() else {
            return Ok(());
        };
        let Some(origin) = &self.state.heap[obj].origin else {
            return Ok(());
        };
        let is_empty = origin.value.as_list().is_some_and(|l| l.is_empty());
        if is_empty && list.base.is_none() {
            let items = self.items_at_entry(obj)?;
            if let Some(list) = &mut self.grown_at(obj)?.behind {
                list.base = items;
            }
        }
        Ok(())
    }

    pub(crate) fn grown_length(&mut self, obj: Obj) -> Res<Sym> {
        let grown = self.grown_at(obj)?.clone();
        let items = self.items(&grown)?;
        let (Some(list), Some(origin)) = (&grown.behind, self.state.heap[obj].origin.clone())
        else {
            return Ok(items);
        };
        if let Some(first) = list.all_it_got() {
            let first = i64::try_from(first.len()).unwrap_or(i64::MAX);
            return self.binary(BinaryOp::Add, &Sym::Known(Value::Int(first)), &items);
        }
        let before = match self.length_at_entry(list, &origin)? {
            Some(length) => length,
            None => {
                return self.refuse(
                    ReasonId::LoopState,
                    "the length of a list from outside that grew in a loop",
                );
            }
        };
        self.binary(BinaryOp::Add, &before, &items)
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
    fn stored_rows(&mut self, grown: &SymGrown) -> Res<Vec<Obj>> {
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

    /// `list[index]`
    pub(crate) fn grown_item(&mut self, obj: Obj, index: &Sym) -> Res<Sym> {
        let at_end = index.known().and_then(Value::as_int).is_some_and(|i| i < 0);
        if !at_end {
            self.assume_empty(obj)?;
        }
        let grown = self.grown_at(obj)?.clone();
        if let Sym::Obj(slice) = index {
            let Kind::Slice(bounds) = self.state.heap[*slice].kind.clone() else {
                return self.defect("a bad index");
            };
            return self.grown_slice(obj, &bounds);
        }
        let n = self.items_dim(&grown)?;
        let length = self.dim_sym(n);
        let known = index.known().and_then(Value::as_int);
        // Through the rows its gradient is one sum with that of the list.
        let by_rows = is_differentiable(&grown.item) && !grown.mixed;
        let first = known.filter(|_| !by_rows && !grown.turned);
        if let Some(v) = first.and_then(|i| grown.first.get(usize::try_from(i).ok()?)) {
            return Ok(v.clone());
        }
        let before = grown.behind.as_ref().map(|list| list.all_it_got());
        let is_behind = before.is_some_and(|first| first.is_none_or(|first| !first.is_empty()));
        if is_behind && known.is_none_or(|i| i >= 0) {
            return self.refuse(
                ReasonId::LoopState,
                "an item of a list from outside that grew in a loop",
            );
        }
        if let Some(i) = known {
            let back = i.saturating_neg();
            self.assert_longer(&length, back.max(i.saturating_add(1)))?;
            // Where items are inserted, the last one that came is the first one.
            let back = match grown.turned {
                true => i.checked_add(1).filter(|_| i >= 0),
                false => Some(back).filter(|_| i < 0),
            };
            let back = back.and_then(|b| usize::try_from(b).ok());
            if let Some(at) = back.and_then(|b| grown.waiting.len().checked_sub(b)) {
                return Ok(grown.waiting[at].clone());
            }
        }
        let i = match index {
            Sym::Known(v) if v.as_int().is_some() => {
                self.element_at(Dim::Known(v.as_int().unwrap_or(0)), n)?
            }
            Sym::Scalar(s) if s.ty != ScalarType::Float => self.element_index(*s, n)?,
            _ => {
                return self.refuse(
                    ReasonId::LoopState,
                    "an index of a list that grew in a loop",
                );
            }
        };
        self.check_alike(&grown)?;
        let (rows, skipped) = if grown.waiting.is_empty() {
            (grown.rows.clone(), grown.skipped)
        } else {
            let behind = None;
            let whole = SymGrown {
                behind,
                ..grown.clone()
            };
            // In a loop that the list was there before, they are put together once, before it.
            let home = self.home_of_list(&whole);
            let inner = std::mem::replace(&mut self.emission.context, home);
            let rows = self.stored_rows(&whole);
            self.emission.context = inner;
            (rows?, 0)
        };
        let row = if grown.turned {
            let last = self.dim_binary(DimOp::Sub, n, Dim::Known(1))?;
            self.dim_binary(DimOp::Sub, last, i)?
        } else {
            i
        };
        let at = self.dim_binary(DimOp::Add, row, Dim::Known(skipped))?;
        let item = self.row_item(&grown.item, &mut rows.into_iter(), at)?;
        if let (Template::Tensor(_), Sym::Obj(made)) = (&grown.item, &item) {
            self.tensor_mut(*made)?.identity.item_of = Some((obj, i));
        }
        Ok(item)
    }

    /// Where a list was made as it is now: outside of all loops that do not change it.
    fn home_of_list(&self, grown: &SymGrown) -> u32 {
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

    /// `list[start:stop:step]` with a step of 1, or all of it with one of -1.
    pub(crate) fn grown_slice(&mut self, obj: Obj, [start, stop, step]: &[Sym; 3]) -> Res<Sym> {
        let mut grown = self.whole(obj)?;
        let step = self.settled(step)?;
        let rows = self.rows_of(&grown)?;
        let n = self.items_dim(&grown)?;
        let is_none = |v: &Sym| matches!(v, Sym::Known(Value::None));
        let back = match step.known() {
            Some(Value::None | Value::Int(1)) => false,
            Some(Value::Int(-1)) if is_none(start) && is_none(stop) => true,
            _ => {
                return self.refuse(
                    ReasonId::LoopState,
                    "a slice with steps, of a list that grew in a loop",
                );
            }
        };
        let low = self.bound(start, Dim::Known(0), n)?;
        let high = self.bound(stop, n, n)?;
        let length = match low {
            Dim::Known(0) => high,
            _ => {
                let length = self.dim_binary(DimOp::Sub, high, low)?;
                self.dim_binary(DimOp::Max, length, Dim::Known(0))?
            }
        };
        grown.rows.clear();
        for row in rows {
            let known = self.tensor(row)?.identity.parts.clone();
            let part = if back {
                let dims = smallvec::smallvec![0];
                self.apply(Prim::Reverse { dims }, &[&row])?
            } else {
                self.rows_from(row, low, length)?
            };
            self.may_be(part, &known)?;
            grown.rows.push(part);
        }
        grown.hold_rows(length, self.dim_sym(length));
        grown.first.clear();
        grown.reserved = false;
        grown.added = Dim::Known(0);
        Ok(self.alloc(Kind::Grown(grown)))
    }

    /// A bound of a slice of `n` items, from the start; `none` where it is left out.
    fn bound(&mut self, at: &Sym, none: Dim, n: Dim) -> Res<Dim> {
        let at = match at {
            Sym::Known(Value::None) => return Ok(none),
            Sym::Known(v) if v.as_int().is_some() => v.as_int().unwrap_or(0),
            Sym::Scalar(s) if s.ty != ScalarType::Float => return self.moving_bound(at, n),
            _ => return self.defect("a slice by something that is no int"),
        };
        match at {
            0 => return Ok(Dim::Known(0)),
            1.. => return self.dim_binary(DimOp::Min, Dim::Known(at), n),
            _ => {}
        }
        let from_end = self.dim_binary(DimOp::Add, n, Dim::Known(at))?;
        self.dim_binary(DimOp::Max, from_end, Dim::Known(0))
    }

    /// The same of an int that the graph computes.
    fn moving_bound(&mut self, at: &Sym, n: Dim) -> Res<Dim> {
        let (zero, n) = (Sym::Known(Value::Int(0)), self.dim_sym(n));
        let from_end = self.binary(BinaryOp::Add, at, &n)?;
        let at = match self.compare(CompareOp::Lt, at, &zero)? {
            Sym::Scalar(is_negative) => self.chosen(is_negative.id, &from_end, at)?,
            Sym::Known(Value::Bool(true)) => from_end,
            _ => at.clone(),
        };
        let at = self.pick(CompareOp::Gt, at, zero)?;
        let at = self.pick(CompareOp::Lt, at, n)?;
        self.number_dim(&at)
    }

    /// `count` rows from row `at` on.
    fn rows_from(&mut self, row: Obj, at: Dim, count: Dim) -> Res<Obj> {
        let mut sizes = self.dims_of(row)?;
        let mut starts: Dims = smallvec::smallvec![Dim::Known(0); sizes.len()];
        (starts[0], sizes[0]) = (at, count);
        let strides = unit_steps(starts.len());
        let part = self.slice(&row, &starts, &sizes, &strides)?;
        self.tensor_mut(part)?.view = None;
        Ok(part)
    }

    fn check_alike(&self, grown: &SymGrown) -> Res<()> {
        if grown.mixed {
            return self
                .refuse(ReasonId::TooLarge, "some items of a list that grew in a loop require grad and some do not, or they are in two lists");
        }
        Ok(())
    }

    fn assert_longer(&mut self, length: &Sym, least: i64) -> Res<()> {
        let least = Sym::Known(Value::Int(least));
        let enough = self.compare(CompareOp::Ge, length, &least)?;
        match enough {
            Sym::Known(Value::Bool(true)) => Ok(()),
            Sym::Scalar(ok) => {
                let key = self.key("length");
                let expected = "the list is long enough".to_owned();
                self.assert(ok.id, DeoptReason::IndexRange, key, expected)
            }
            _ => self.refuse(ReasonId::WouldRaise, "it would raise: a list is shorter"),
        }
    }

    /// The item whose parts are row `at` of these tensors.
    fn row_item(
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
    fn uses_where(&mut self, obj: Obj, leaf: &Leaf, used: Obj) -> Res<()> {
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
    fn is_item(&mut self, obj: Obj, row: Obj, t: &TensorTemplate) -> Res<()> {
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

    /// An iterator over its items, of which no more may come.
    pub(crate) fn grown_iter(&mut self, obj: Obj) -> Res<Sym> {
        let mut grown = self.whole(obj)?;
        let rows = self.rows_of(&grown)?;
        let n = self.items_dim(&grown)?;
        grown.rows = rows;
        grown.hold_rows(n, self.dim_sym(n));
        let fixed = self.alloc(Kind::Grown(grown));
        let Sym::Obj(of) = fixed else {
            return self.defect("bad list");
        };
        let next = Sym::Known(Value::Int(0));
        Ok(self.alloc(Kind::Iter(SymIter::Grown { of, next })))
    }

    /// A torch function of a list that grew: what it makes of the items, it makes of their rows.
    pub(crate) fn torch_of_grown(
        &mut self,
        name: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let Some((obj, _)) = args.first().and_then(|v| self.grown(v)) else {
            return Ok(None);
        };
        let grown = self.whole(obj)?;
        let dim = match (args.get(1), kwargs) {
            (None, []) => Some(0),
            (Some(Sym::Known(v)), []) => v.as_int(),
            (None, [(k, Sym::Known(v))]) if matches!(k.as_str(), "dim" | "axis") => v.as_int(),
            _ => None,
        };
        let short = name.rsplit('.').next().unwrap_or(name);
        let rows = self.rows_of(&grown)?;
        let decided = grown.item.decided();
        let (row, flags) = match rows.split_first() {
            Some((row, flags)) if flags.len() == decided.len() => (*row, flags),
            _ => {
                return self.refuse(
                    ReasonId::TooLarge,
                    format!("{short}: items of a list that grew in a loop are tuples"),
                );
            }
        };
        let rank = i64::try_from(self.dims_of(row)?.len()).unwrap_or(i64::MAX);
        let (made, grad_name) = match (short, &grown.item, dim) {
            ("stack", Template::Tensor(_), Some(dim)) => {
                let dim = if dim < 0 { dim + rank } else { dim };
                (self.rows_at(row, dim, false)?, "StackBackward0")
            }
            ("cat" | "concat" | "concatenate", Template::Tensor(t), Some(dim))
                if !t.dims.is_empty() =>
            {
                let dim = if dim < 0 { dim + rank - 1 } else { dim };
                (self.rows_at(row, dim, true)?, "CatBackward0")
            }
            ("tensor" | "as_tensor", Template::Scalar(ty), _) => {
                let dtype = match ty {
                    ScalarType::Float => janus_torch::draws::default_dtype(),
                    ty => dtype_of(*ty),
                };
                let made = self.cast(&row, dtype)?;
                if args.len() > 1 {
                    return self.refuse(
                        ReasonId::LoopState,
                        format!("{short} of a list that grew in a loop"),
                    );
                }
                if !kwargs.is_empty() {
                    let v = self.torch("Tensor.to", vec![Sym::Obj(row)], kwargs.to_vec())?;
                    return Ok(Some(v));
                }
                (made, "")
            }
            _ => {
                return self.refuse(
                    ReasonId::LoopState,
                    format!("{short} of a list that grew in a loop whose trip count moves"),
                );
            }
        };
        if short != "tensor" && short != "as_tensor" {
            let n = self.items(&grown)?;
            self.assert_longer(&n, 1)?;
        }
        for (leaf, &flags) in decided.iter().zip(flags) {
            let any = self.reduce(ReduceOp::Max, &flags, &[0])?;
            self.uses_where(made, leaf, any)?;
        }
        let t = self.tensor_mut(made)?;
        t.view = None;
        t.identity.ambiguous = false;
        t.identity.parts = Rc::new([]);
        if t.requires_grad {
            t.tape.grad_name = GradName::Of(grad_name.into());
        }
        Ok(Some(Sym::Obj(made)))
    }

    /// Rows as dimension `dim`: one of its own, or joined with the one that is there.
    fn rows_at(&mut self, row: Obj, dim: i64, join: bool) -> Res<Obj> {
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

fn unit_steps(rank: usize) -> Steps {
    smallvec::smallvec![1; rank]
}
