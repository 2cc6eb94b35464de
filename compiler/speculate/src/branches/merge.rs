//! The two sides of a branch become one state.
//!
//! In: both sides after they ran. Out: the state and the frame behind the branch. Always: what
//! differs is a `janus.merge`; what happened on one side only happens on its condition.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

use indexmap::IndexSet;
use janus_bytecode::FormatConversion;
use janus_dialect::{Type, ValueId};
use janus_object::{Name, PyRef, Value};
use janus_plan::{Check, ReasonId};
use janus_tensor::Dim;

use crate::Res;
use crate::branches::branch::{Branch, Merge, Side};
use crate::executor::Executor;
use crate::state::running::{Flow, Leave};
use crate::state::sym::{
    Condition, Found, Kind, Leaf, Obj, Piece, Slot, Stored, Sym, SymFrame, SymInstance, SymIter,
    SymList, SymScalar, SymTensor, add_key,
};
use crate::state::types::{tensor_type, type_of};

/// Merges of branches at most, attempts that came to nothing included: bounds the time of a conversion.
const MERGE_BUDGET: usize = 40_000;

/// Why a branch that gives a dict other keys is one-sided.
const OTHER_KEYS: &str = "a dict has other keys after one side of a branch";

impl Executor<'_> {
    pub(crate) fn merge_sides(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        common: usize,
        taken: Side,
        other: Side,
        first: bool,
    ) -> Res<Option<Flow>> {
        let key = self.key_at(branch.pc, "branch");
        let contexts = [taken.context, other.context];
        let mut merge = Merge::new(key, (branch.predicate, first), contexts, common);
        let ends = Rc::new([taken.end(), other.end()]);
        merge.ends = Some(ends.clone());
        let [(a, _), (b, _)] = &*ends;
        if a.mode.grad_enabled != b.mode.grad_enabled || a.mode.inference != b.mode.inference {
            return self.refuse(
                ReasonId::GradMode,
                "one side of a branch leaves another grad mode behind",
            );
        }
        let first_new = a.heap.len();
        // Values of either side live on under the merged state; ids do not collide.
        let mut merged = a.clone();
        merged.heap.extend_from(&b.heap, first_new);
        for (&address, &obj) in &b.by_address {
            merged.by_address.entry(address).or_insert(obj);
        }
        let known: HashSet<u32> = a.asserts.iter().map(|(_, id)| *id).collect();
        merged.asserts.extend(
            b.asserts
                .iter()
                .filter(|(_, id)| !known.contains(id))
                .copied(),
        );
        for known in &b.reversed {
            if !merged.reversed.iter().any(|(it, ..)| *it == known.0) {
                merged.reversed.push(known.clone());
            }
        }
        for known in &b.dict_loops {
            if !merged.dict_loops.contains(known) {
                merged.dict_loops.push(*known);
            }
        }
        merged.only_on.extend(&b.only_on);
        merged.appended.extend(&b.appended);
        merged.drew |= b.drew;
        self.state = merged;
        let before = branch.effects;
        self.state.effects.truncate(before);
        for shown in &b.shown {
            if !self.state.shown.contains(shown) {
                self.state.shown.push(*shown);
            }
        }
        for (side, effects) in [(true, &a.effects), (false, &b.effects)] {
            for effect in effects.iter().skip(before) {
                let effect = self.effect_of_side(&mut merge, side, effect)?;
                self.state.effects.push(effect);
            }
        }
        for obj in 0..b.heap.len() {
            let padding = obj >= common && !self.entry.pristine.contains_key(&obj);
            if padding || a.heap.is_unchanged(&b.heap, obj) {
                continue;
            }
            // What only the second side met is on the first one as it was.
            let first = match a.heap.get(obj) {
                Some(object) => object.kind.clone(),
                None => match self.entry.pristine.get(&obj) {
                    Some((_, object)) => object.kind.clone(),
                    None => continue,
                },
            };
            let blames = self.branching.blames_merges.get();
            let kind = match self.merge_object(&mut merge, obj, &first, &b.heap[obj].kind) {
                Err(e)
                    if !e.ends_attempt()
                        && (is_iterator(&first) || is_iterator(&b.heap[obj].kind))
                        && self.is_left_behind(obj, [&taken, &other]) =>
                {
                    self.branching.blames_merges.set(blames);
                    // Nobody sees it again, but for what its end does on the side that left it.
                    self.check_left(&first)?;
                    self.check_left(&b.heap[obj].kind)?;
                    Kind::Tuple(Vec::new())
                }
                kind => kind?,
            };
            self.state.heap[obj].kind = kind;
        }
        self.merge_kept(&mut merge, a, b)?;
        self.lift_consumed(&merge, common..first_new, first_new..b.heap.len())?;
        // A namespace that only one side looked into is there on both.
        let mut everywhere = b.namespaces.clone();
        for (address, theirs) in &a.namespaces {
            everywhere
                .entry(*address)
                .or_insert_with(|| theirs.unseen());
        }
        for (address, mine) in &everywhere {
            let unseen = mine.unseen();
            let theirs = a.namespaces.get(address).unwrap_or(&unseen);
            self.state
                .namespaces
                .entry(*address)
                .or_insert_with(|| unseen.clone());
            let mut names: IndexSet<Name> = theirs.entries.keys().cloned().collect();
            names.extend(mine.entries.keys().cloned());
            for name in names {
                let slot = match (theirs.entries.get(&name), mine.entries.get(&name)) {
                    (Some(x), Some(y)) => self.merge_name(&mut merge, x, y)?,
                    (Some(x), None) if !theirs.written.contains(&name) => x.clone(),
                    (None, Some(y)) if !mine.written.contains(&name) => y.clone(),
                    (x, y) => {
                        // Written on one side, never looked at on the other: it is as it was.
                        let entry = match theirs.place.get(&name) {
                            Some(value) => Slot::Unloaded(crate::state::sym::Unloaded {
                                step: janus_plan::Step::Namespace(
                                    theirs.place.clone(),
                                    name.clone(),
                                ),
                                value,
                                path: theirs.place.path(&name),
                            }),
                            None => {
                                let step =
                                    janus_plan::Step::Namespace(theirs.place.clone(), name.clone());
                                self.node(step, Check::Missing, &theirs.place.path(&name));
                                Slot::Empty
                            }
                        };
                        self.merge_name(&mut merge, x.unwrap_or(&entry), y.unwrap_or(&entry))?
                    }
                };
                if let Some(n) = self.state.namespaces.get_mut(address) {
                    n.entries.insert(name, slot);
                }
            }
            if let Some(n) = self.state.namespaces.get_mut(address) {
                n.written.extend(mine.written.iter().cloned());
            }
        }
        match (taken.flow, other.flow) {
            (Flow::Return(x), Flow::Return(y)) => {
                let v = self.merge_sym(&mut merge, &x, &y)?;
                Ok(Some(Flow::Return(v)))
            }
            (Flow::RegionEnd, Flow::RegionEnd) => {
                *frame = self.merge_frames(&mut merge, &taken.frame, &other.frame)?;
                Ok(Some(Flow::RegionEnd))
            }
            (Flow::Stop, Flow::Stop) => {
                *frame = self.merge_frames(&mut merge, &taken.frame, &other.frame)?;
                // At the caller's stop the frame is done here; at the join it goes on.
                Ok(if branch.join.is_some() {
                    None
                } else {
                    Some(Flow::Stop)
                })
            }
            (
                Flow::LoopEnd {
                    go_on: x,
                    leave: p,
                    returned: r,
                },
                Flow::LoopEnd {
                    go_on: y,
                    leave: q,
                    returned: s,
                },
            ) => {
                let leave = match (p, q) {
                    (Some(p), Some(q)) if p != q => {
                        return self
                            .refuse(ReasonId::LoopState, "a loop is left to different places");
                    }
                    (p, q) => p.or(q),
                };
                // A `return` takes the iterators of all loops around it off.
                let (mut a, mut b) = (taken.frame.clone(), other.frame.clone());
                match a.stack.len().cmp(&b.stack.len()) {
                    Ordering::Less if p == Some(Leave::Return) => a.stack.clone_from(&b.stack),
                    Ordering::Greater if q == Some(Leave::Return) => b.stack.clone_from(&a.stack),
                    _ => {}
                }
                *frame = self.merge_frames(&mut merge, &a, &b)?;
                if let Some(Leave::To(exit)) = leave {
                    let sides = [(&taken.frame, &x), (&other.frame, &y)];
                    self.set_when_left(&mut merge, frame, sides, exit)?;
                }
                let go_on = self.merge_sym(&mut merge, &x, &y)?;
                let returned = match (r, s) {
                    (Some(r), Some(s)) => Some(self.merge_sym(&mut merge, &r, &s)?),
                    (Some(r), None) => Some(self.value_of_side(&mut merge, true, &r)?),
                    (None, Some(s)) => Some(self.value_of_side(&mut merge, false, &s)?),
                    (None, None) => None,
                };
                Ok(Some(Flow::LoopEnd {
                    go_on,
                    leave,
                    returned,
                }))
            }
            _ => self.refuse(
                ReasonId::BranchSides,
                "the two sides of a branch end differently",
            ),
        }
    }

    /// An object that is not the same on both sides.
    fn merge_object(&mut self, merge: &mut Merge, obj: Obj, a: &Kind, b: &Kind) -> Res<Kind> {
        match self.only_side(merge, obj, a, b)? {
            Some(kind) => Ok(kind),
            None if self.state.heap[obj].origin.is_none() && have_other_keys(a, b) => {
                self.two_forms(merge, a, b)
            }
            None => self.merge_kind(merge, obj, a, b),
        }
    }

    /// Whether nothing names an iterator of the region any more behind a branch: that of a loop that is left. (Of a
    /// tensor there may be views, which are no names.)
    fn is_left_behind(&self, obj: Obj, sides: [&Side; 2]) -> bool {
        let unnamed = |side: &Side| {
            let (state, mut frame) = side.end();
            if let Flow::Return(v) = &side.flow {
                frame.locals.clear();
                frame.cells.clear();
                frame.stack = vec![v.clone()];
            }
            self.names_of(obj, (&state, &frame)) == Some(0)
        };
        self.state.heap[obj].origin.is_none() && sides.into_iter().all(unnamed)
    }

    /// A value of one side, for a merge.
    pub(crate) fn sent_back(&mut self, context: u32, value: ValueId) -> Res<ValueId> {
        let parent = std::mem::replace(&mut self.emission.context, context);
        let value = self.use_value(value);
        self.emission.context = parent;
        value
    }

    /// Whether a value exists wherever the current context runs.
    pub(crate) fn is_visible(&self, value: ValueId) -> bool {
        let home = self
            .emission
            .value_context
            .get(&value)
            .copied()
            .unwrap_or(0);
        let mut at = self.emission.context;
        while at != home && at != 0 {
            at = self.emission.contexts[at as usize - 1].parent;
        }
        at == home
    }

    pub(crate) fn merge_values(
        &mut self,
        merge: &Merge,
        a: ValueId,
        b: ValueId,
        ty: Type,
    ) -> Res<ValueId> {
        if a == b && self.is_visible(a) {
            return Ok(a);
        }
        let a = self.sent_back(merge.taken, a)?;
        let b = self.sent_back(merge.other, b)?;
        self.emit_raw("janus.merge", &[a, b], &[ty, Type::I64])
    }

    pub(crate) fn merge_sym(&mut self, merge: &mut Merge, a: &Sym, b: &Sym) -> Res<Sym> {
        if a.same(b) && !matches!(a, Sym::Scalar(s) if !self.is_visible(s.id)) {
            return Ok(a.clone());
        }
        if let (Sym::Known(Value::Bool(x)), Sym::Known(Value::Bool(y))) = (a, b)
            && x != y
        {
            let is = Sym::Scalar(SymScalar {
                id: merge.predicate,
                ty: janus_plan::ScalarType::Bool,
            });
            return if x.get() == merge.first {
                Ok(is)
            } else {
                self.not(&is)
            };
        }
        if self.may_be_raised(a) || self.may_be_raised(b) {
            return self.merge_raised(merge, a, b);
        }
        if let (Some(x), Some(y)) = (self.number(a)?, self.number(b)?) {
            if x.ty != y.ty {
                return self.choice(merge, a, b);
            }
            let id = self.merge_values(merge, x.id, y.id, type_of(x.ty))?;
            if x.ty == janus_plan::ScalarType::Int {
                self.note_merged(merge, x.id, y.id, id);
            }
            return Ok(Sym::Scalar(SymScalar { id, ty: x.ty }));
        }
        if let Some(merged) = self.merged_variants(merge, a, b)? {
            return Ok(merged);
        }
        let (Sym::Obj(x), Sym::Obj(y)) = (a, b) else {
            return self.choice(merge, a, b);
        };
        if let Some(&merged) = merge.pairs.get(&(*x, *y)) {
            return Ok(Sym::Obj(merged));
        }
        let (p, q) = (
            self.of_side(merge, *x, true),
            self.of_side(merge, *y, false),
        );
        let kinds = std::mem::discriminant(&p.kind) != std::mem::discriminant(&q.kind);
        let objects =
            !matches!(p.kind, Kind::Tensor(_)) && (p.origin.is_some() || q.origin.is_some());
        // Two that can be changed are one only if no other name leads to either of them.
        let changes = p.kind.can_change();
        let apart = changes && !(self.is_only(merge, *x, true) && self.is_only(merge, *y, false));
        if kinds || objects || apart || differ_in_form(&p.kind, &q.kind) {
            return self.choice(merge, a, b);
        }
        let Sym::Obj(obj) = self.alloc(Kind::Tuple(Vec::new())) else {
            return self.defect("a merged object is none");
        };
        merge.pairs.insert((*x, *y), obj);
        if changes {
            self.stand_for(merge, *x, obj)?;
            self.stand_for(merge, *y, obj)?;
        }
        let kind = match (&p.kind, &q.kind) {
            (Kind::Tensor(_), Kind::Tensor(_)) => self.merge_tensors(merge, *x, *y)?,
            _ => self.merge_kind(merge, obj, &p.kind, &q.kind)?,
        };
        self.state.heap[obj].kind = kind;
        Ok(Sym::Obj(obj))
    }

    /// Notes that ints which are as far apart on both sides are so behind them.
    fn note_merged(&mut self, merge: &mut Merge, a: ValueId, b: ValueId, id: ValueId) {
        for &(p, q, merged) in &merge.ints {
            let apart = self.apart(a, p);
            if apart.is_some() && apart == self.apart(b, q) && merged != id {
                self.note_apart(id, merged, apart.unwrap_or(0));
                break;
            }
        }
        merge.ints.push((a, b, id));
    }

    /// A variable that is one thing or another.
    fn choice(&mut self, merge: &mut Merge, a: &Sym, b: &Sym) -> Res<Sym> {
        if matches!(a, Sym::Null)
            || matches!(b, Sym::Null)
            || self.region.relaxations.one_kind.contains(&merge.key)
        {
            return self.refuse(
                ReasonId::BranchSides,
                "a variable is of different kinds after a branch",
            );
        }
        let a = self.value_of_side(merge, true, a)?;
        let b = self.value_of_side(merge, false, b)?;
        let (then, otherwise) = if merge.first { (a, b) } else { (b, a) };
        self.branching.choices.insert(merge.key.clone());
        Ok(self.alloc(Kind::Choice {
            condition: merge.predicate,
            then,
            otherwise,
        }))
    }

    /// A dict of the region that got other keys on one side than on the other: behind the branch it is the one or the
    /// other of two.
    fn two_forms(&mut self, merge: &mut Merge, a: &Kind, b: &Kind) -> Res<Kind> {
        if self.region.relaxations.one_kind.contains(&merge.key) || !self.looping.loops.is_empty() {
            return self.refuse(ReasonId::BranchSides, OTHER_KEYS);
        }
        let mut forms = Vec::with_capacity(2);
        for (side, kind) in [(true, a), (false, b)] {
            let Some(kind) = self.lifted(merge, side, kind.clone())? else {
                return self.refuse(ReasonId::BranchSides, OTHER_KEYS);
            };
            let form = self.alloc(kind);
            if let Sym::Obj(obj) = form {
                let there = (merge.predicate, side == merge.first);
                self.state.only_on.insert(obj, there);
            }
            forms.push(form);
        }
        if !merge.first {
            forms.reverse();
        }
        let [then, otherwise] = <[Sym; 2]>::try_from(forms).unwrap_or([Sym::Null, Sym::Null]);
        self.branching.choices.insert(merge.key.clone());
        Ok(Kind::Choice {
            condition: merge.predicate,
            then,
            otherwise,
        })
    }

    /// The content of one object after a branch.
    fn merge_kind(&mut self, merge: &mut Merge, obj: Obj, a: &Kind, b: &Kind) -> Res<Kind> {
        Ok(match (a, b) {
            (Kind::Tensor(x), Kind::Tensor(y)) => {
                let mut t = x.clone();
                let is_leaf = |t: &SymTensor| t.leaf && t.requires_grad;
                if let (Some(v), Some(w)) = (&mut t.view, &y.view) {
                    if v.version != w.version || x.value != y.value {
                        v.version = crate::tensors::in_place::STALE;
                    }
                } else if x.version != y.version || x.value != y.value {
                    let dims: Vec<Dim> = x.dims.iter().map(|&d| self.resolve(d)).collect();
                    let ty = tensor_type(x.dtype, &dims);
                    let p = self.tracked_on(merge.taken, x.value, x, y)?;
                    let q = self.tracked_on(merge.other, y.value, y, x)?;
                    let p = self.as_type(merge.taken, p, &x.dims, &ty)?;
                    let q = self.as_type(merge.other, q, &y.dims, &ty)?;
                    t.value = self.merge_values(merge, p, q, ty)?;
                    if is_leaf(x) {
                        t.tape.leaves = Rc::new([Leaf::new(obj, t.value)]);
                    }
                }
                if is_leaf(x) != is_leaf(y) {
                    return self.refuse(
                        ReasonId::BranchSides,
                        "a tensor is a leaf on one side of a branch only",
                    );
                }
                let known = |t: &SymTensor| {
                    (
                        t.requires_grad,
                        t.tape.leaves.clone(),
                        t.tape.inputs.clone(),
                    )
                };
                if !is_leaf(x) && known(x) != known(y) {
                    let mut side = |t: &SymTensor| match self.alloc(Kind::Tensor(t.clone())) {
                        Sym::Obj(o) => Ok(o),
                        _ => self.defect("a merged object is none"),
                    };
                    let (p, q) = (side(x)?, side(y)?);
                    self.merge_tape(merge, &mut t, (p, x), (q, y))?;
                }
                t.version = x.version.max(y.version);
                t.unsure_from = x.unsure_from.min(y.unsure_from);
                if x.version != y.version {
                    t.unsure_from = t.unsure_from.min(x.version).min(y.version);
                }
                t.written = self.merge_written(merge, x.written, y.written)?;
                self.merge_consumed(merge, &mut t, x, y)?;
                t.unversioned |= y.unversioned;
                t.counted |= y.counted;
                t.tape.cut |= y.tape.cut;
                t.identity.stale |= y.identity.stale;
                t.grad = self.merge_grad(merge, &x.grad, &y.grad)?;
                t.grad_written |= y.grad_written;
                t.grad_read |= y.grad_read;
                Kind::Tensor(t)
            }
            (Kind::Instance(x), Kind::Instance(y)) => {
                if !PyRef::ptr_eq(&x.class, &y.class) {
                    return self.refuse(
                        ReasonId::BranchSides,
                        "an object has different classes after a branch",
                    );
                }
                let mut names: IndexSet<Name> = x.attrs.keys().cloned().collect();
                names.extend(y.attrs.keys().cloned());
                let mut attrs = indexmap::IndexMap::new();
                for name in names {
                    let slot = match (x.attrs.get(&name), y.attrs.get(&name)) {
                        (Some(p), Some(q)) => self.merge_slot(merge, p, q)?,
                        (Some(p), None) if !x.written.contains(&name) => p.clone(),
                        (None, Some(q)) if !y.written.contains(&name) => q.clone(),
                        (p, q) => {
                            let old = self.original_attr(obj, &name)?;
                            self.merge_slot(merge, p.unwrap_or(&old), q.unwrap_or(&old))?
                        }
                    };
                    attrs.insert(name, slot);
                }
                let both = |w: &IndexSet<Name>, v: &IndexSet<Name>| -> Vec<Name> {
                    w.iter().filter(|n| v.contains(*n)).cloned().collect()
                };
                let (first, second) = (both(&x.written, &y.written), both(&y.written, &x.written));
                for (p, q) in first.iter().zip(&second) {
                    // New attributes stand in `__dict__` as they were set.
                    if p != q && matches!(self.original_attr(obj, p)?, Slot::Empty) {
                        return self.refuse(
                            ReasonId::BranchSides,
                            "attributes are set in another order after a branch",
                        );
                    }
                }
                let mut written = x.written.clone();
                written.extend(y.written.iter().cloned());
                let payload = match (&x.payload, &y.payload) {
                    (Some(p), Some(q)) => match (p, self.merge_sym(merge, &p.sym(), &q.sym())?) {
                        (Stored::Container(_), Sym::Obj(merged)) => Some(Stored::Container(merged)),
                        (Stored::Value(_), merged) => Some(Stored::Value(merged)),
                        _ => {
                            return self.refuse(
                                ReasonId::BranchSides,
                                "an object has different contents after a branch",
                            );
                        }
                    },
                    _ => None,
                };
                Kind::Instance(SymInstance {
                    class: x.class.clone(),
                    attrs,
                    written,
                    payload,
                })
            }
            (Kind::Grown(x), Kind::Grown(y)) => Kind::Grown(self.merge_grown(merge, x, y)?),
            (Kind::List(x), Kind::List(y)) if self.grows_in_loop(obj, x, y) => {
                let mut grown = self.merge_growing(merge, x, y)?;
                let both = [x, y].map(|list| list.base.as_deref().unwrap_or_default());
                let had = both[0].len().min(both[1].len());
                for slot in both.into_iter().flat_map(|items| &items[had..]) {
                    if let Slot::Loaded(v) = slot {
                        grown.mixed |= self.is_listed_again(obj, v)?;
                    }
                }
                Kind::Grown(grown)
            }
            (Kind::List(_) | Kind::Filtered(_), Kind::List(_) | Kind::Filtered(_))
                if let Some(items) = self.merge_filtered(merge, obj, a, b)? =>
            {
                Kind::Filtered(items)
            }
            (Kind::List(x), Kind::List(y)) if x.dropped != y.dropped => {
                return self.refuse(
                    ReasonId::TooLarge,
                    "a list loses its first items on one side of a branch",
                );
            }
            // What is written down as a whole knows of no items that may be there.
            (Kind::List(x), Kind::List(y))
                if (x.rewritten || y.rewritten)
                    && !(x.appended.is_empty() && y.appended.is_empty()) =>
            {
                return self.refuse(
                    ReasonId::BranchSides,
                    "one side of a branch appends to a list, and the other one rewrites it",
                );
            }
            (Kind::List(x), Kind::List(y)) => {
                let base = match (&x.base, &y.base) {
                    (Some(p), Some(q)) => Some(self.merge_slots(merge, p, q)?),
                    (Some(p), None) if !x.rewritten => Some(p.clone()),
                    (None, Some(q)) if !y.rewritten => Some(q.clone()),
                    (None, None) => None,
                    (p, q) => {
                        // One side never looked: there it is as it was.
                        let Some(before) = self.items_at_entry(obj)? else {
                            return self.refuse(
                                ReasonId::BranchSides,
                                "a list is changed on one side of a branch",
                            );
                        };
                        let (p, q) = (p.as_ref(), q.as_ref());
                        let (p, q) = (p.unwrap_or(&before), q.unwrap_or(&before));
                        Some(self.merge_slots(merge, p, q)?)
                    }
                };
                let appended = self.merge_appended(merge, &x.appended, &y.appended)?;
                Kind::List(SymList {
                    base,
                    appended,
                    rewritten: x.rewritten || y.rewritten,
                    dropped: x.dropped,
                })
            }
            (Kind::Set(x), Kind::Set(y))
                if x.items.len() == y.items.len()
                    && x.unordered == y.unordered
                    && x.items.iter().zip(&y.items).all(|(p, q)| p.same(q)) =>
            {
                a.clone()
            }
            (Kind::Set(_), Kind::Set(_)) => {
                return self.refuse(
                    ReasonId::TooLarge,
                    "a set has other items after one side of a branch",
                );
            }
            (Kind::Tuple(x), Kind::Tuple(y)) => Kind::Tuple(self.merge_slots(merge, x, y)?),
            (Kind::Dict(x), Kind::Dict(y)) => {
                if have_other_keys(a, b) {
                    return self.refuse(ReasonId::BranchSides, OTHER_KEYS);
                }
                let mut dict = x.clone();
                for (i, ((_, p), (_, q))) in x.entries.iter().zip(&y.entries).enumerate() {
                    dict.entries[i].1 = self.merge_slot(merge, p, q)?;
                }
                y.written
                    .iter()
                    .for_each(|key| add_key(&mut dict.written, key));
                y.removed
                    .iter()
                    .for_each(|key| add_key(&mut dict.removed, key));
                Kind::Dict(dict)
            }
            (Kind::Open(x), Kind::Open(y)) => {
                Kind::Open(self.merge_open(x, y, &mut |this, p, q| this.merge_slot(merge, p, q))?)
            }
            (Kind::Told, Kind::Told) => Kind::Told,
            (Kind::Cell(x), Kind::Cell(y)) => {
                let mut cell = x.clone();
                cell.content = self.merge_slot(merge, &x.content, &y.content)?;
                cell.written |= y.written;
                Kind::Cell(cell)
            }
            (
                Kind::Range {
                    start: p,
                    stop: s,
                    step: x,
                },
                Kind::Range {
                    start: q,
                    stop: t,
                    step: y,
                },
            ) if p.same(q) && s.same(t) && x.sym().same(&y.sym()) => a.clone(),
            (
                Kind::View {
                    dict: x,
                    part: p,
                    ordered: o,
                },
                Kind::View {
                    dict: y,
                    part: q,
                    ordered: r,
                },
            ) if x.same(y) && p == q && o == r => a.clone(),
            (Kind::Iter(x), Kind::Iter(y)) if same_position(x, y) => a.clone(),
            (
                Kind::Iter(SymIter::Enumerate { inner, next: p }),
                Kind::Iter(SymIter::Enumerate { inner: y, next: q }),
            ) if inner == y => {
                let (inner, next) = (*inner, self.merge_sym(merge, p, q)?);
                Kind::Iter(SymIter::Enumerate { inner, next })
            }
            (Kind::Found(x), Kind::Found(y)) if x.what.is_same(&y.what) => {
                let samples = [&x.samples[..], &y.samples[..]].concat();
                Kind::Found(Found {
                    address: self.merge_values(merge, x.address, y.address, Type::I64)?,
                    what: x.what.clone(),
                    samples: samples.into(),
                })
            }
            (Kind::Generator(None), Kind::Generator(None)) => a.clone(),
            (Kind::Generator(Some(x)), Kind::Generator(Some(y)))
                if x.pc == y.pc && x.is_of_same_function(y) =>
            {
                Kind::Generator(Some(Box::new(self.merge_frames(merge, x, y)?)))
            }
            (
                Kind::Method {
                    function: f,
                    receiver: r,
                },
                Kind::Method {
                    function: g,
                    receiver: s,
                },
            ) => Kind::Method {
                function: self.merge_sym(merge, f, g)?,
                receiver: self.merge_sym(merge, r, s)?,
            },
            (Kind::Function(x), Kind::Function(y)) if Rc::ptr_eq(x, y) => a.clone(),
            (Kind::InstanceDict(x), Kind::InstanceDict(y)) if x == y => a.clone(),
            (
                Kind::Later {
                    function: f,
                    args: x,
                    class,
                },
                Kind::Later {
                    function: g,
                    args: y,
                    ..
                },
            ) if crate::state::sym::same_known(f, g) && x.len() == y.len() => {
                let mut args = Vec::with_capacity(x.len());
                for (p, q) in x.iter().zip(y) {
                    args.push(self.merge_sym(merge, p, q)?);
                }
                Kind::Later {
                    function: f.clone(),
                    args,
                    class: class.clone(),
                }
            }
            (Kind::Slice(x), Kind::Slice(y)) => Kind::Slice([
                self.merge_sym(merge, &x[0], &y[0])?,
                self.merge_sym(merge, &x[1], &y[1])?,
                self.merge_sym(merge, &x[2], &y[2])?,
            ]),
            (
                Kind::Super {
                    class: x,
                    receiver: r,
                },
                Kind::Super {
                    class: y,
                    receiver: s,
                },
            ) if PyRef::ptr_eq(x, y) && r.same(s) => a.clone(),
            (Kind::Text(x), Kind::Text(y)) => return self.merge_text(merge, x, y),
            _ => {
                return self.refuse(
                    ReasonId::BranchSides,
                    "a variable is of different kinds after a branch",
                );
            }
        })
    }

    /// What both sides appended; what only one did is appended on its condition.
    fn merge_appended(
        &mut self,
        merge: &mut Merge,
        a: &[(Sym, Condition)],
        b: &[(Sym, Condition)],
    ) -> Res<Vec<(Sym, Condition)>> {
        let always = |items: &[(Sym, Condition)]| items.iter().all(|(_, c)| c.is_none());
        if a.len() == b.len() && always(a) && always(b) {
            return a
                .iter()
                .zip(b)
                .map(|((p, _), (q, _))| Ok((self.merge_sym(merge, p, q)?, None)))
                .collect();
        }
        let same = a
            .iter()
            .zip(b)
            .take_while(|((p, c), (q, d))| p.same(q) && c == d)
            .count();
        let mut appended = a[..same].to_vec();
        for (side, items) in [(true, &a[same..]), (false, &b[same..])] {
            for (v, condition) in items {
                let condition = self.condition_of_side(merge, side, *condition)?;
                appended.push((self.value_of_side(merge, side, v)?, Some(condition)));
            }
        }
        Ok(appended)
    }

    fn merge_text(
        &mut self,
        merge: &mut Merge,
        a: &[crate::state::sym::Piece],
        b: &[crate::state::sym::Piece],
    ) -> Res<Kind> {
        let mut pieces = Vec::with_capacity(a.len());
        for (x, y) in a.iter().zip(b) {
            pieces.push(match (x, y) {
                (Piece::Text(p), Piece::Text(q)) if p == q => x.clone(),
                (
                    Piece::Format {
                        value: v,
                        conversion: c,
                        spec: s,
                    },
                    Piece::Format {
                        value: w,
                        conversion: d,
                        spec: t,
                    },
                ) if c == d && s == t => Piece::Format {
                    value: self.merge_sym(merge, v, w)?,
                    conversion: *c,
                    spec: s.clone(),
                },
                _ => {
                    let [x, y] = [x, y].map(|piece| match piece {
                        Piece::Text(t) => Sym::Known(Value::str(&**t)),
                        piece => self.alloc(Kind::Text(vec![piece.clone()])),
                    });
                    Piece::Format {
                        value: self.choice(merge, &x, &y)?,
                        conversion: FormatConversion::NONE,
                        spec: "".into(),
                    }
                }
            });
        }
        Ok(Kind::Text(pieces))
    }

    /// An attribute as it is at entry.
    fn original_attr(&mut self, obj: Obj, name: &Name) -> Res<Slot> {
        let Some((_, pristine)) = self.entry.pristine.get(&obj).cloned() else {
            return Ok(Slot::Empty);
        };
        let now = std::mem::replace(&mut self.state.heap[obj], pristine);
        let value = self.own_attr(obj, name);
        self.state.heap[obj] = now;
        Ok(value?.map_or(Slot::Empty, Slot::Loaded))
    }

    /// Emits an op whose operands are already where they are used.
    pub(crate) fn emit_raw(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: &[Type],
    ) -> Res<ValueId> {
        self.branching.merges += 1;
        if self.branching.merges > MERGE_BUDGET {
            return self.refuse(
                ReasonId::TooLarge,
                "the region is too large: more than 40,000 merges of branches",
            );
        }
        let loc = self.loc();
        let results = self.graph().op(name, operands, &[], results, &loc)?;
        match results.first() {
            Some(&r) => {
                if self.emission.context != 0 {
                    self.emission.value_context.insert(r, self.emission.context);
                }
                Ok(r)
            }
            None => self.refuse(ReasonId::NoGraphForm, format!("{name} has no result")),
        }
    }
}

/// Whether two dicts have other keys, or in another order.
fn have_other_keys(a: &Kind, b: &Kind) -> bool {
    match (a, b) {
        (Kind::Dict(x), Kind::Dict(y)) => {
            let mut keys = x.entries.iter().zip(&y.entries);
            x.entries.len() != y.entries.len() || keys.any(|((p, _), (q, _))| !p.same(q))
        }
        _ => false,
    }
}

/// Whether two sequences, dicts or strings are made of other numbers of things.
fn differ_in_form(a: &Kind, b: &Kind) -> bool {
    match (a, b) {
        (Kind::Tuple(x), Kind::Tuple(y)) => x.len() != y.len(),
        (Kind::List(x), Kind::List(y)) => {
            let len = |list: &SymList| list.base.as_ref().map(|b| b.len() + list.appended.len());
            len(x) != len(y)
        }
        (Kind::Dict(x), Kind::Dict(y)) => x.entries.len() != y.entries.len(),
        (Kind::Text(x), Kind::Text(y)) => x.len() != y.len(),
        _ => false,
    }
}

fn is_iterator(kind: &Kind) -> bool {
    matches!(kind, Kind::Iter(_) | Kind::Generator(_))
}

pub(crate) fn same_position(a: &SymIter, b: &SymIter) -> bool {
    match (a, b) {
        (SymIter::Items { of: x, next: p }, SymIter::Items { of: y, next: q }) => x == y && p == q,
        (SymIter::Values { items: x, next: p }, SymIter::Values { items: y, next: q }) => {
            Rc::ptr_eq(x, y) && p == q
        }
        (SymIter::Enumerate { inner: x, next: p }, SymIter::Enumerate { inner: y, next: q }) => {
            x == y && p.same(q)
        }
        (SymIter::Zip { inner: x }, SymIter::Zip { inner: y }) => x == y,
        (
            SymIter::Range {
                next: p,
                stop: s,
                step: a,
            },
            SymIter::Range {
                next: q,
                stop: t,
                step: b,
            },
        ) => p.same(q) && s.same(t) && a.sym().same(&b.sym()),
        (SymIter::Rows { of: x, next: p }, SymIter::Rows { of: y, next: q }) => x == y && p.same(q),
        (
            SymIter::Map {
                inner: x,
                function: f,
            },
            SymIter::Map {
                inner: y,
                function: g,
            },
        ) => x == y && f.same(g),
        _ => false,
    }
}
