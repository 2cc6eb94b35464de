//! How a list grows in a loop whose trip count moves.
//!
//! In: a list, and what an iteration appends to it. Out: rows that are made before the loop and have room for
//! all that it can append. Always: items are of one form and extents.
//!
//! What a loop appends last waits outside of the rows until the end of the next iteration. That is after all its
//! other uses there: so what the list adds to an item's gradient comes first, as on PyTorch's tape. And what
//! variables name when the loop is left is still the object that the list has.

use janus_bytecode::BinaryOp;
use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::{ReasonId, ScalarType};
use janus_tensor::ops::{DimOp, Dims, Prim};
use janus_tensor::{DType, Device, Dim, Ops, Scalar};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{
    HeapObject, Kind, Obj, Slot, Stride, Sym, SymGrown, SymIter, SymList, SymScalar,
};
use crate::state::template::{GrownTemplate, Template, TensorTemplate};
use crate::tensors::tensor::Number;

/// What keeps a list out that gets items before its first one, and was not empty.
pub(crate) const BOTH_ENDS: &str =
    "a list gets items before its first one and behind its last one in a loop";

/// Items that an iteration appends and that wait for the next one, at most.
const MAX_WAITING: usize = 4;

/// What keeps a list out of which an item is one thing or another.
pub(crate) const OF_SEVERAL_KINDS: &str =
    "items of several kinds are appended to a list in a loop whose trip count moves";

/// Whether items of this form take part in gradients.
pub(crate) fn is_differentiable(item: &Template) -> bool {
    match item {
        Template::Tensor(t) => t.requires_grad,
        Template::Sequence(_, items) => items.iter().any(is_differentiable),
        _ => false,
    }
}

/// Whether items of this form are objects that a variable may name.
fn has_tensors(item: &Template) -> bool {
    match item {
        Template::Tensor(_) => true,
        Template::Sequence(_, items) => items.iter().any(has_tensors),
        _ => false,
    }
}

/// What not all iterations use is told by a flag of its own: there may be none.
fn decide(slot: &mut Template) {
    match slot {
        Template::Tensor(t) => {
            t.shared = false;
            t.decided.append(&mut t.later);
        }
        Template::Sequence(_, items) => items.iter_mut().for_each(decide),
        _ => {}
    }
}

/// Of the rows of numbers.
pub(crate) fn dtype_of(ty: ScalarType) -> DType {
    match ty {
        ScalarType::Float => DType::F64,
        ScalarType::Int => DType::I64,
        ScalarType::Bool => DType::Bool,
    }
}

fn same_slots((a, b): (&Slot, &Slot)) -> bool {
    match (a, b) {
        (Slot::Loaded(x), Slot::Loaded(y)) => x.same(y),
        (Slot::Unloaded(_), Slot::Unloaded(_)) => true,
        _ => false,
    }
}

/// Whether a list that the region made has more items before its first one after something, and none at its end.
pub(crate) fn is_longer_in_front(list: &HeapObject, before: &SymList, after: &SymList) -> bool {
    let (a, b) = (before.base.as_deref(), after.base.as_deref());
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    let (old, new) = (a.iter().rev(), b.iter().rev());
    list.origin.is_none()
        && b.len() > a.len()
        && old.zip(new).all(same_slots)
        && !is_longer(list, before, after)
}

/// Whether a list has more items at its end after something than before, and is the same otherwise.
pub(crate) fn is_longer(list: &HeapObject, before: &SymList, after: &SymList) -> bool {
    if list.origin.is_some() {
        let (a, b) = (&before.appended, &after.appended);
        return !after.rewritten
            && b.len() > a.len()
            && a.iter().zip(b).all(|((x, c), (y, d))| x.same(y) && c == d);
    }
    let (a, b) = (before.base.as_deref(), after.base.as_deref());
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    b.len() > a.len() && a.iter().zip(b).all(same_slots)
}

impl Executor<'_> {
    /// Items that an iterator still has, at most.
    pub(crate) fn most_trips(&mut self, it: Obj) -> Res<Dim> {
        // Outside of all that it does not depend on: it is asked for around the loop, too.
        let here = self.emission.context;
        self.emission.context = self.home_of(it);
        let trips = self.count_trips(it);
        self.emission.context = here;
        trips
    }

    /// The outermost context in which the bounds of an iteration are known.
    fn home_of(&self, it: Obj) -> u32 {
        let mut values = Vec::new();
        let mut pending = vec![it];
        while let Some(it) = pending.pop() {
            match self.iter_state(it) {
                Some(SymIter::Range { next, stop, step }) => {
                    values.extend([next, stop, step.sym()])
                }
                Some(SymIter::Enumerate { inner, .. }) => pending.push(inner),
                Some(SymIter::Zip { inner } | SymIter::Map { inner, .. }) => pending.extend(inner),
                _ => return self.emission.context,
            }
        }
        let homes = values.iter().filter_map(|v| match v {
            Sym::Scalar(s) => Some(self.emission.value_context.get(&s.id).copied().unwrap_or(0)),
            _ => None,
        });
        let homes: Vec<u32> = homes.collect();
        let mut at = self.emission.context;
        while at != 0 && !homes.contains(&at) {
            at = self.emission.contexts[at as usize - 1].parent;
        }
        at
    }

    fn count_trips(&mut self, it: Obj) -> Res<Dim> {
        // Of several iterators `trips_left` knows the ones that it knows.
        let state = self.iter_state(it);
        let several = matches!(
            state,
            Some(SymIter::Zip { .. } | SymIter::Map { .. } | SymIter::Enumerate { .. })
        );
        if let (Some(n), false) = (self.trips_left(it), several) {
            return Ok(Dim::Known(n.max(0)));
        }
        match state {
            Some(SymIter::Range { next, stop, step }) => {
                let (from, to) = if step.is_up() {
                    (next, stop)
                } else {
                    (stop, next)
                };
                let span = self.binary(BinaryOp::Sub, &to, &from)?;
                let span = self.number_dim(&span)?;
                let step = match step {
                    Stride::Known(by) => {
                        Dim::Known(i64::try_from(by.unsigned_abs()).unwrap_or(i64::MAX))
                    }
                    Stride::Up(by) => self.scalar_dim(&Number::Run(by))?,
                };
                if step == Dim::Known(1) {
                    return self.span_of(span);
                }
                let less = self.dim_binary(DimOp::Sub, step, Dim::Known(1))?;
                let span = self.dim_binary(DimOp::Add, span, less)?;
                let span = self.dim_binary(DimOp::Div, span, step)?;
                self.span_of(span)
            }
            Some(SymIter::Rows { of, next }) => {
                let extent = self.rows(of)?;
                let (extent, next) = (self.number_dim(&extent)?, self.number_dim(&next)?);
                let rest = self.dim_binary(DimOp::Sub, extent, next)?;
                self.span_of(rest)
            }
            Some(SymIter::Grown { of, next }) => {
                let length = self.grown_length(of)?;
                let (length, next) = (self.number_dim(&length)?, self.number_dim(&next)?);
                let rest = self.dim_binary(DimOp::Sub, length, next)?;
                self.span_of(rest)
            }
            Some(SymIter::Enumerate { inner, .. }) => self.most_trips(inner),
            Some(SymIter::Zip { inner } | SymIter::Map { inner, .. }) => {
                let mut least: Option<Dim> = None;
                for i in inner {
                    let trips = self.most_trips(i)?;
                    least = Some(match least {
                        Some(least) => self.dim_binary(DimOp::Min, least, trips)?,
                        None => trips,
                    });
                }
                Ok(least.unwrap_or(Dim::Known(0)))
            }
            _ => self.refuse(
                ReasonId::LoopState,
                "a list grows in a loop whose end cannot be told beforehand",
            ),
        }
    }

    /// How a list is carried that an iteration made longer, or a recursion, in which no item waits.
    pub(crate) fn growth(
        &mut self,
        list: &HeapObject,
        before: &Kind,
        in_recursion: bool,
        may_wait: bool,
    ) -> Res<GrownTemplate> {
        let (is_own, after) = (list.origin.is_none(), &list.kind);
        match (before, after) {
            (Kind::List(a), Kind::List(b)) => {
                let mut items = self.own_items(is_own, b)?;
                let mut always = true;
                let had = if is_own {
                    a.base.as_ref().map_or(0, Vec::len)
                } else {
                    let new = b.appended.iter().skip(a.appended.len());
                    for (v, condition) in new {
                        items.push(v.clone());
                        always &= condition.is_none();
                    }
                    0
                };
                let count = items.len().saturating_sub(had);
                let (Some(last), true) = (items.last(), count > 0) else {
                    return self.refuse(
                        ReasonId::TooLarge,
                        "a list gets other items in a loop whose trip count moves",
                    );
                };
                let waits =
                    may_wait && always && has_tensors(&self.template(last)) && count <= MAX_WAITING;
                let items: Vec<Sym> = if in_recursion || !waits {
                    let bare = items.iter().map(|v| self.without_leaves(v));
                    bare.collect::<Res<_>>()?
                } else {
                    items.clone()
                };
                let mut item = self.template(items.last().unwrap_or(last));
                for v in &items {
                    item = self.widen_item(item, v)?.0;
                }
                self.check_rows(&item)?;
                let added = Dim::Known(i64::try_from(count).unwrap_or(i64::MAX));
                Ok(GrownTemplate {
                    waiting: if waits { count } else { 0 },
                    always,
                    may_wait,
                    turned: is_longer_in_front(list, a, b),
                    ..GrownTemplate::of(item, added, false)
                })
            }
            (Kind::List(_) | Kind::Grown(_), Kind::Grown(b)) if b.turned => self.refuse(
                ReasonId::TooLarge,
                "a list gets other items before its first one in a loop inside of another",
            ),
            (Kind::List(a), Kind::Grown(b)) => {
                let had = a.base.as_ref().filter(|_| is_own).map_or(0, Vec::len);
                let had = Dim::Known(i64::try_from(had).unwrap_or(i64::MAX));
                let added = self.dim_binary(DimOp::Sub, b.added, had)?;
                Ok(GrownTemplate::of(b.item.clone(), added, b.mixed))
            }
            (Kind::Grown(_), Kind::Grown(b)) => {
                Ok(GrownTemplate::of(b.item.clone(), b.added, b.mixed))
            }
            _ => self.refuse(
                ReasonId::TooLarge,
                "a list gets other items in a loop whose trip count moves",
            ),
        }
    }

    /// The items of a list that the region made; of one from outside they do not matter.
    fn own_items(&mut self, is_own: bool, list: &SymList) -> Res<Vec<Sym>> {
        let mut items = Vec::new();
        for slot in list.base.iter().flatten().filter(|_| is_own) {
            match self.load_slot(slot)? {
                Some(v) => items.push(v),
                None => return self.defect("bad item"),
            }
        }
        Ok(items)
    }

    /// An item's form that also holds `v`, and whether that is another one.
    pub(crate) fn widen_item(&mut self, item: Template, v: &Sym) -> Res<(Template, bool)> {
        let wider = self.widen(&item, v)?;
        let changed = wider.is_some();
        let mut item = wider.unwrap_or(item);
        self.check_item(&mut item)?;
        Ok((item, changed))
    }

    /// The same form as an item that does not wait: the rows know what it depends on for sure.
    pub(crate) fn without_leaves(&mut self, v: &Sym) -> Res<Sym> {
        let Sym::Obj(obj) = v else {
            return Ok(v.clone());
        };
        if let Kind::Tensor(mut t) = self.state.heap[*obj].kind.clone()
            && !t.leaf
        {
            t.tape.leaves = t
                .tape
                .leaves
                .iter()
                .filter(|l| l.used.is_some())
                .copied()
                .collect();
            return Ok(self.alloc(Kind::Tensor(t)));
        }
        let (Some((form, _)), Some(sequence)) = (self.new_items(v), self.container(v)) else {
            return Ok(v.clone());
        };
        let items = self.items_of(sequence)?;
        let items = items.iter().map(|v| self.without_leaves(v));
        let items = items.collect::<Res<Vec<_>>>()?;
        Ok(self.new_sequence(&form, items))
    }

    pub(crate) fn check_item(&self, item: &mut Template) -> Res<()> {
        match item {
            Template::Tensor(t) if t.dims.iter().any(Option::is_none) => self.refuse(
                ReasonId::LoopState,
                "items of different extents are appended in a loop whose trip count moves",
            ),
            Template::Tensor(t) if t.leaf => self.refuse(
                ReasonId::LoopState,
                "parameters are appended to a list in a loop",
            ),
            Template::Tensor(t) => {
                t.shared = false;
                // What all items use, or some of them only: see `mixes`. What the graph decides on is
                // told item by item.
                t.leaves.append(&mut t.later);
                t.leaves.append(&mut t.decided);
                t.decided
                    .extend(t.leaves.extract_if(.., |l| l.used.is_some()));
                Ok(())
            }
            Template::Sequence(form, _) if form.is_list() => self.refuse(
                ReasonId::LoopState,
                "lists are appended to a list in a loop whose trip count moves",
            ),
            Template::Sequence(_, items) => items.iter_mut().try_for_each(|t| self.check_item(t)),
            Template::Same(Sym::Known(_)) | Template::Scalar(_) => Ok(()),
            Template::Same(_) | Template::Grown(_) => self.refuse(
                ReasonId::LoopState,
                "objects are appended to a list in a loop whose trip count moves",
            ),
            Template::Either(_) => self.refuse(ReasonId::LoopState, OF_SEVERAL_KINDS),
        }
    }

    /// Rows tell how many items there are: an item has at least one number or tensor.
    pub(crate) fn check_rows(&self, item: &Template) -> Res<()> {
        let mut pending = vec![item];
        while let Some(item) = pending.pop() {
            match item {
                Template::Scalar(_) | Template::Tensor(_) => return Ok(()),
                Template::Sequence(_, items) => pending.extend(items),
                Template::Same(_) | Template::Grown(_) | Template::Either(_) => {}
            }
        }
        self.refuse(
            ReasonId::LoopState,
            "constants are appended to a list in a loop whose trip count moves",
        )
    }

    /// Whether all extents of an item are known outside of the current loop.
    pub(crate) fn is_known_here(&self, item: &Template) -> bool {
        match item {
            Template::Tensor(t) => t
                .dims
                .iter()
                .all(|d| d.is_some_and(|d| self.dim_is_visible(d))),
            Template::Sequence(_, items) => items.iter().all(|t| self.is_known_here(t)),
            _ => true,
        }
    }

    /// Whether what is appended can be told before the loop; an attempt knows `dims` extents when it begins.
    pub(crate) fn check_growth(&self, template: &GrownTemplate, dims: usize) -> Res<()> {
        if !self.outlives(template.added, dims) {
            return self.refuse(
                ReasonId::LoopState,
                "how much a list grows changes from one iteration to the next",
            );
        }
        let mut pending = vec![&template.item];
        while let Some(item) = pending.pop() {
            match item {
                Template::Tensor(t)
                    if !t.dims.iter().flatten().all(|&d| self.outlives(d, dims)) =>
                {
                    return self.refuse(
                        ReasonId::LoopState,
                        "the extents of what is appended change from one iteration to the next",
                    );
                }
                Template::Sequence(_, items) => pending.extend(items),
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether an extent is there when another attempt begins.
    fn outlives(&self, d: Dim, dims: usize) -> bool {
        match self.resolve(d) {
            Dim::Known(_) => true,
            Dim::Sym(s) => {
                (s as usize) < dims
                    || self
                        .emission
                        .kept
                        .contains(&self.extents.dims[s as usize].id)
            }
        }
    }

    pub(crate) fn dim_is_visible(&self, d: Dim) -> bool {
        match self.resolve(d) {
            Dim::Known(_) => true,
            Dim::Sym(s) => self.is_visible(self.extents.dims[s as usize].id),
        }
    }

    /// Before a loop of at most `trips` iterations: a list as rows that have room for all it appends.
    pub(crate) fn make_room(
        &mut self,
        obj: Obj,
        template: &mut GrownTemplate,
        trips: Dim,
    ) -> Res<()> {
        if !self.is_known_here(&template.item) {
            return self.refuse(
                ReasonId::LoopState,
                "the extents of what is appended change from one iteration to the next",
            );
        }
        let more = self.dim_binary(DimOp::Mul, trips, template.added)?;
        let kind = self.state.heap[obj].kind.clone();
        let grown = match kind {
            Kind::List(list) if list.dropped > 0 => {
                return self.refuse(
                    ReasonId::TooLarge,
                    "a list that lost its first items grows in a loop",
                );
            }
            Kind::List(list) => {
                let is_own = self.state.heap[obj].origin.is_none();
                let mut first = self.own_items(is_own, &list)?;
                if template.turned {
                    first.reverse();
                }
                if template.turned && !is_own {
                    return self.refuse(
                        ReasonId::TooLarge,
                        "a list from outside gets items before its first one in a loop",
                    );
                }
                let mut items = Vec::new();
                let waiting = template.waiting;
                let had = first.len();
                // In the place of what would wait from the iteration before the first one.
                let skipped = waiting.saturating_sub(had);
                for _ in 0..skipped {
                    let mut values = Vec::new();
                    self.nothing(&template.item, &mut values)?;
                    let mut values = values.into_iter();
                    items.push(self.unflatten(&template.item, &mut values, &Sym::Null)?);
                }
                items.extend(first.iter().cloned());
                let last = items.split_off(items.len() - waiting);
                let stored = i64::try_from(items.len()).unwrap_or(i64::MAX);
                let places = self.dim_binary(DimOp::Add, more, Dim::Known(stored))?;
                let mut grown = SymGrown {
                    behind: (!is_own).then(|| Box::new(list.clone())),
                    first,
                    item: template.item.clone(),
                    rows: Vec::new(),
                    turned: template.turned,
                    skipped: i64::try_from(skipped).unwrap_or(i64::MAX),
                    used: Sym::Known(Value::Int(0)),
                    waiting: Vec::new(),
                    count: Some(Dim::Known(i64::try_from(had).unwrap_or(i64::MAX))),
                    added: Dim::Known(i64::try_from(had).unwrap_or(i64::MAX)),
                    fewer: false,
                    reserved: false,
                    mixed: template.mixed,
                    unfit: false,
                };
                for v in grown.first.clone() {
                    grown.mixed |= self.mixes(&template.item, &v)?;
                }
                self.empty_rows(&template.item, places, &mut grown.rows)?;
                for v in &items {
                    self.store(&mut grown, v)?;
                }
                if template.slots.len() != last.len() {
                    template.slots.clear();
                    for v in &last {
                        template.slots.push(self.slot(&template.item, v)?);
                    }
                }
                grown.waiting = last;
                grown
            }
            Kind::Grown(grown) if grown.reserved => {
                if !grown.waiting.is_empty() {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a list grows in a loop and in one inside of it",
                    );
                }
                if grown.turned != template.turned {
                    return self.refuse(ReasonId::TooLarge, BOTH_ENDS);
                }
                grown
            }
            Kind::Grown(grown) if grown.turned || template.turned => {
                return self.refuse(ReasonId::TooLarge, BOTH_ENDS);
            }
            Kind::Grown(mut grown) => {
                let behind = grown.behind.take();
                let rows = self.rows_of(&grown)?;
                let used = self.items(&grown)?;
                grown.rows.clear();
                for row in rows {
                    let mut shape = self.dims_of(row)?;
                    shape[0] = more;
                    let dtype = self.tensor(row)?.dtype;
                    let room = self.full(&Number::Known(Scalar::I64(0)), dtype, &shape)?;
                    let parts = self.tensor(row)?.identity.parts.clone();
                    let row = self.apply(Prim::Concat { dim: 0 }, &[&row, &room])?;
                    self.may_be(row, &parts)?;
                    grown.rows.push(row);
                }
                (grown.skipped, grown.used) = (0, used);
                grown.waiting.clear();
                template.waiting = 0;
                template.slots.clear();
                grown.behind = behind;
                grown
            }
            _ => return self.defect("a list that is something else"),
        };
        template.skipped = grown.skipped;
        template.mixed |= grown.mixed;
        // What is known of the rows after an iteration holds at its start, too.
        let known = std::mem::take(&mut template.rows);
        for (i, &row) in grown.rows.iter().enumerate() {
            let mut now = self.tensor_template(self.tensor(row)?);
            now.parts = self.tensor(row)?.identity.parts.to_vec();
            if let Some(Template::Tensor(known)) = known.get(i) {
                now.requires_grad |= known.requires_grad;
                now.cut |= known.cut;
                now.shared |= known.shared;
                now.leaves = [&known.leaves[..], &known.later, &known.decided].concat();
                now.grad_name.clone_from(&known.grad_name);
                now.parts.extend(&known.parts);
            }
            template.rows.push(Template::Tensor(now));
        }
        self.state.heap[obj].kind = Kind::Grown(grown);
        Ok(())
    }

    pub(crate) fn empty_rows(
        &mut self,
        item: &Template,
        places: Dim,
        rows: &mut Vec<Obj>,
    ) -> Res<()> {
        let (dtype, device, shape) = match item {
            Template::Scalar(ty) => {
                let shape = Dims::from_slice(&[places]);
                (dtype_of(*ty), Device::Cpu, shape)
            }
            Template::Tensor(t) => {
                let mut shape = Dims::from_slice(&[places]);
                shape.extend(t.dims.iter().flatten().copied());
                (t.dtype, t.device, shape)
            }
            Template::Sequence(_, items) => {
                return items
                    .iter()
                    .try_for_each(|t| self.empty_rows(t, places, rows));
            }
            _ => return Ok(()),
        };
        let zero = Number::Known(Scalar::I64(0));
        let row = self.full(&zero, dtype, &shape)?;
        self.tensor_mut(row)?.device = device;
        rows.push(row);
        for _ in item.decided() {
            rows.push(self.full(&zero, DType::Bool, &[places])?);
        }
        Ok(())
    }

    /// At the end of an iteration: what waited since the one before is stored.
    pub(crate) fn store_waiting(&mut self, obj: Obj, template: &GrownTemplate) -> Res<()> {
        let mut grown = self.grown_at(obj)?.clone();
        if grown.unfit {
            return Ok(());
        }
        if grown.waiting.len() != 2 * template.waiting {
            return self.refuse(
                ReasonId::LoopState,
                "a list grows by more in one iteration than in another",
            );
        }
        let rest = grown.waiting.split_off(template.waiting);
        for v in std::mem::replace(&mut grown.waiting, rest) {
            self.store(&mut grown, &v)?;
        }
        self.state.heap[obj].kind = Kind::Grown(grown);
        Ok(())
    }

    /// Whether items of this form depend on parameters that `v` does not depend on, or not for sure.
    pub(crate) fn mixes(&mut self, item: &Template, v: &Sym) -> Res<bool> {
        match (item, v) {
            (Template::Tensor(t), Sym::Obj(obj)) => {
                let now = self.tensor(*obj)?;
                Ok(t.requires_grad && !now.requires_grad
                    || t.leaves.iter().any(|l| !now.tape.leaves.contains(l)))
            }
            (Template::Sequence(_, templates), _) => {
                let Some(obj) = self.container(v) else {
                    return self.defect("bad sequence");
                };
                for (t, v) in templates.iter().zip(self.items_of(obj)?) {
                    if self.mixes(t, &v)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// How an item that waits is carried: as what is known of all items, with its own place on the tape.
    fn slot(&mut self, item: &Template, v: &Sym) -> Res<Template> {
        Ok(match (item, v) {
            (Template::Tensor(t), Sym::Obj(obj)) => {
                let now = self.tensor(*obj)?;
                Template::Tensor(TensorTemplate {
                    requires_grad: now.requires_grad,
                    cut: now.tape.cut,
                    leaves: now.tape.leaves.to_vec(),
                    decided: Vec::new(),
                    grad_name: now.tape.grad_name.clone(),
                    ..t.clone()
                })
            }
            (Template::Sequence(form, templates), _) => {
                let Some(obj) = self.container(v) else {
                    return self.defect("bad sequence");
                };
                let items = self.items_of(obj)?;
                let slots = templates.iter().zip(&items).map(|(t, v)| self.slot(t, v));
                Template::Sequence(form.clone(), slots.collect::<Res<_>>()?)
            }
            _ => item.clone(),
        })
    }

    /// Carried values of a list.
    pub(crate) fn flatten_grown(
        &mut self,
        v: &Sym,
        template: &GrownTemplate,
        out: &mut Vec<ValueId>,
    ) -> Res<()> {
        let Some((_, grown)) = self.grown(v) else {
            return self.defect("a list that did not grow");
        };
        let grown = grown.clone();
        for (&row, t) in grown.rows.iter().zip(&template.rows) {
            self.flatten(&Sym::Obj(row), t, out)?;
        }
        match self.number(&grown.used)? {
            Some(n) => out.push(n.id),
            None => return self.defect("bad length"),
        }
        for (i, v) in grown.waiting.iter().enumerate() {
            if let (false, Some(t)) = (template.is_shared(i), template.slots.get(i)) {
                self.flatten(v, t, out)?;
            }
        }
        Ok(())
    }

    /// A list made of carried values; `each` makes one of them.
    pub(crate) fn unflatten_grown(
        &mut self,
        template: &GrownTemplate,
        values: &mut dyn Iterator<Item = ValueId>,
        before: &Sym,
        each: &mut dyn FnMut(
            &mut Self,
            &Template,
            &mut dyn Iterator<Item = ValueId>,
            (&Sym, usize),
        ) -> Res<Sym>,
    ) -> Res<Sym> {
        let Some((_, first)) = self.grown(before) else {
            return self.defect("a list that did not grow");
        };
        let mut grown = first.clone();
        for (i, t) in template.rows.iter().enumerate() {
            let before = Sym::Obj(grown.rows[i]);
            let Sym::Obj(row) = each(self, t, values, (&before, i))? else {
                return self.defect("bad rows");
            };
            // Nobody else names the rows themselves.
            let own = grown.rows[i];
            let named = self.tensor(row)?.identity.parts.clone();
            let others: Vec<Obj> = named.iter().copied().filter(|&o| o != own).collect();
            self.may_be(row, &others)?;
            grown.rows[i] = row;
        }
        let Some(id) = values.next() else {
            return self.defect("a carried value is missing");
        };
        let ty = ScalarType::Int;
        grown.used = Sym::Scalar(SymScalar { id, ty });
        let rows = template.rows.len();
        let slots = template.slots.iter().enumerate();
        for (i, t) in slots.filter(|&(i, _)| !template.is_shared(i)) {
            let before = grown.waiting.get(i).cloned().unwrap_or(Sym::Null);
            let v = each(self, t, values, (&before, rows + i))?;
            match grown.waiting.get_mut(i) {
                Some(place) => *place = v,
                None => grown.waiting.push(v),
            }
        }
        grown.waiting.truncate(template.waiting);
        grown.skipped = template.skipped;
        grown.mixed = template.mixed;
        Ok(self.alloc(Kind::Grown(grown)))
    }

    /// A form that also holds the list after an iteration; `None`: this one does.
    pub(crate) fn widen_grown(
        &mut self,
        template: &GrownTemplate,
        v: &Sym,
    ) -> Res<Option<GrownTemplate>> {
        let Some((_, grown)) = self.grown(v) else {
            return self.refuse(
                ReasonId::LoopState,
                "a list that grew in a loop becomes something else in it",
            );
        };
        let grown = grown.clone();
        let mut wider = template.clone();
        wider.item = grown.item;
        wider.turned = grown.turned;
        if grown.unfit {
            let waits = template.may_wait && has_tensors(&wider.item) && template.always;
            let added = usize::try_from(template.added.known().unwrap_or(0)).unwrap_or(0);
            wider.waiting = if waits && added <= MAX_WAITING {
                added
            } else {
                0
            };
            wider.rows.clear();
            wider.slots.clear();
            return Ok(Some(wider));
        }
        let mut changed = grown.mixed && !template.mixed;
        wider.mixed |= grown.mixed;
        for (t, &row) in wider.rows.iter_mut().zip(&grown.rows) {
            if let Some(more) = self.widen(t, &Sym::Obj(row))? {
                *t = more;
                changed = true;
            }
        }
        for (t, v) in wider.slots.iter_mut().zip(&grown.waiting) {
            if let Some(mut more) = self.widen(t, v)? {
                decide(&mut more);
                *t = more;
                changed = true;
            }
        }
        if grown.fewer && template.always {
            // The first iteration alone went through all that appends.
            (wider.always, wider.waiting) = (false, 0);
            wider.rows.clear();
            wider.slots.clear();
            return Ok(Some(wider));
        }
        if self.resolve(grown.added) != self.resolve(template.added) {
            if template.always {
                return self.refuse(
                    ReasonId::LoopState,
                    "a list grows by more in one iteration than in another",
                );
            }
            wider.added = grown.added;
            changed = true;
        }
        Ok(changed.then_some(wider))
    }

    /// Before an iteration: what lists from outside get is counted from here on. Returns the counts so far.
    pub(crate) fn count_anew(&mut self) -> Vec<(Obj, Dim)> {
        let mut counts = Vec::new();
        for obj in 0..self.state.heap.len() {
            // Looked at first: states share the objects that none of them changed.
            if matches!(self.state.heap[obj].kind, Kind::Grown(_))
                && let Kind::Grown(grown) = &mut self.state.heap[obj].kind
            {
                counts.push((obj, std::mem::replace(&mut grown.added, Dim::Known(0))));
            }
        }
        counts
    }

    /// After the loop.
    pub(crate) fn restore_counts(&mut self, counts: Vec<(Obj, Dim)>) {
        for (obj, added) in counts {
            if let Kind::Grown(grown) = &mut self.state.heap[obj].kind {
                grown.added = added;
            }
        }
    }

    /// At the start of an iteration.
    pub(crate) fn begins_to_grow(&mut self, obj: Obj) -> Res<()> {
        let grown = self.grown_at(obj)?;
        (grown.count, grown.added, grown.reserved) = (None, Dim::Known(0), true);
        grown.fewer = false;
        Ok(())
    }

    /// After a loop of at most `trips` iterations: what is known of a list that grew in it.
    pub(crate) fn grew(
        &mut self,
        obj: Obj,
        before: &SymGrown,
        template: &GrownTemplate,
        trips: Dim,
        exact: bool,
    ) -> Res<()> {
        let more = self.dim_binary(DimOp::Mul, trips, template.added)?;
        let added = self.dim_binary(DimOp::Add, before.added, more)?;
        let count = match before.count {
            Some(count) if exact && template.always => {
                Some(self.dim_binary(DimOp::Add, count, more)?)
            }
            _ => None,
        };
        let reserved = before.reserved;
        let grown = self.grown_at(obj)?;
        grown.fewer = before.fewer || !(exact && template.always);
        (grown.added, grown.count, grown.reserved) = (added, count, reserved);
        Ok(())
    }
}
