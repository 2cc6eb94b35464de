//! Which tensors and lists the variables of a loop name.
//!
//! In: what is carried round a loop, at the end of an iteration. Out: what it may name when the next iteration
//! begins, and what it names when the loop is left: a tensor from before the loop by itself, a view of one made
//! anew, two variables that name one object still one object. Always: where that cannot be told it is noted, so
//! that a write to one of the names, or both leaving the region, is refused and not lost.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use janus_dialect::{Type, ValueId};
use janus_plan::{ReasonId, ScalarType};
use janus_tensor::ops::Prim;
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::executor::Executor;
use crate::loops::carried::Carried;
use crate::state::place::Place;
use crate::state::running::Leaving;
use crate::state::sym::{Keeping, Kind, Obj, State, Sym, SymFrame, View, ViewMap, Written};
use crate::state::template::{Template, TensorTemplate};

/// What keeps a loop out whose variables come to name one list.
pub(crate) const TWO_NAMES: &str = "two variables name one list after an iteration";

impl Executor<'_> {
    /// Whether an object was there before a loop that began with `before` objects.
    pub(crate) fn was_there(&self, obj: Obj, before: usize) -> bool {
        obj < before || self.entry.pristine.contains_key(&obj)
    }

    /// Notes what a carried value may name, and how it lies in memory, after an iteration that ends with `after`.
    /// `rooms`: objects from before lists got room. Returns whether that is new.
    pub(crate) fn note_names(
        &mut self,
        template: &mut Template,
        after: &Sym,
        before: usize,
        rooms: usize,
    ) -> Res<bool> {
        match (template, after) {
            (Template::Tensor(t), Sym::Obj(obj)) => {
                let owner = self.owner(*obj)?;
                let mut may: Vec<Obj> = self.all_parts_of(owner).into_iter().collect();
                may.push(owner);
                may.retain(|&o| self.was_there(o, before) && !t.parts.contains(&o));
                may.sort_unstable();
                may.dedup();
                let made = !self.was_there(owner, before);
                let moved = !t.scattered && made && !self.dense_view(*obj).unwrap_or(false);
                t.scattered |= moved;
                let listed = made && !t.listed && self.is_listed(*obj)?;
                t.listed |= listed;
                let new = moved || listed || !may.is_empty();
                t.parts.extend(may);
                Ok(new)
            }
            (Template::Grown(t), _) => {
                // In the first attempt it is a list like others.
                let Some((_, grown)) = self.grown(after) else {
                    return Ok(false);
                };
                let grown = grown.clone();
                let mut new = false;
                // Rows lie dense; what they were made of is made anew in each attempt.
                for (t, &row) in t.rows.iter_mut().zip(&grown.rows) {
                    if let Template::Tensor(t) = t {
                        let may = self.all_parts_of(row).into_iter();
                        let known = |o: &Obj| t.parts.contains(o);
                        let may = may.filter(|o| self.was_there(*o, rooms) && !known(o));
                        let may: Vec<Obj> = may.collect();
                        new |= !may.is_empty();
                        t.parts.extend(may);
                    }
                }
                for (t, v) in t.slots.iter_mut().zip(&grown.waiting) {
                    new |= self.note_names(t, v, before, rooms)?;
                }
                Ok(new)
            }
            (Template::Either(kinds), _) => match (kinds.last_mut(), self.tensor_among(after)) {
                (Some(t), Some(obj)) => self.note_names(t, &Sym::Obj(obj), before, rooms),
                _ => Ok(false),
            },
            (Template::Sequence(form, templates), _) => {
                let mut new = false;
                for (t, v) in templates.iter_mut().zip(self.sequence_items(form, after)?) {
                    new |= self.note_names(t, &v, before, rooms)?;
                }
                Ok(new)
            }
            _ => Ok(false),
        }
    }

    /// Whether a carried value names something from before the loop after an iteration, which it would not
    /// without one.
    pub(crate) fn names_what_was_there(
        &mut self,
        template: &Template,
        after: &Sym,
        before: usize,
    ) -> Res<bool> {
        match (template, after) {
            (Template::Tensor(_), Sym::Obj(obj)) => {
                let owner = self.owner(*obj)?;
                Ok(self.was_there(owner, before))
            }
            (Template::Grown(t), _) => {
                let Some((_, grown)) = self.grown(after) else {
                    return Ok(false);
                };
                for v in grown.waiting.clone() {
                    if self.names_what_was_there(&t.item, &v, before)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (Template::Sequence(form, templates), _) => {
                for (t, v) in templates.iter().zip(self.sequence_items(form, after)?) {
                    if self.names_what_was_there(t, &v, before)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Finds variables that name one list, before a loop and after an iteration: it is carried once. Returns whether
    /// there are more of them. `firsts`: what was carried so far, before the loop.
    pub(crate) fn find_named(
        &mut self,
        carried: &mut [Carried],
        firsts: &[Sym],
        start: &(State, SymFrame),
        end: &(State, SymFrame),
    ) -> Res<bool> {
        let mut known: Vec<(Place, Sym, Sym)> = Vec::new();
        let mut found = false;
        for (i, c) in carried.iter_mut().enumerate() {
            if c.fresh || !matches!(&c.template, Template::Sequence(form, _) if form.is_list()) {
                continue;
            }
            let first = match firsts.get(i) {
                Some(first) => first.clone(),
                None => self.read_of(start, &c.place)?,
            };
            let after = self.read_of(end, &c.place)?;
            let same = known.iter().find(|(_, _, a)| a.same(&after));
            match same {
                Some((place, before, _)) if before.same(&first) => {
                    c.with = Some(place.clone());
                    c.template = Template::Same(Sym::Null);
                    found = true;
                }
                Some(_) => return self.refuse(ReasonId::LoopState, TWO_NAMES),
                None => known.push((c.place.clone(), first, after)),
            }
        }
        Ok(found)
    }

    /// What a place that is carried names, of those that are known.
    pub(crate) fn named(&self, known: &[(Place, Sym)], place: &Place) -> Res<Sym> {
        match known.iter().find(|(p, _)| p == place) {
            Some((_, v)) => Ok(v.clone()),
            None => self.defect("a variable that is not carried"),
        }
    }

    /// Lists and objects that a carried value is made of.
    pub(crate) fn lists_in(
        &mut self,
        template: &Template,
        v: &Sym,
        lists: &mut Vec<Obj>,
    ) -> Res<()> {
        if let Template::Sequence(form, templates) = template {
            if let (Sym::Obj(obj), true) = (v, form.is_mutable()) {
                lists.push(*obj);
            }
            for (t, v) in templates.iter().zip(self.sequence_items(form, v)?) {
                self.lists_in(t, &v, lists)?;
            }
        }
        Ok(())
    }

    /// What a carried value is when the loop is left, with these elements and numbers: `after` is what it is at
    /// the end of an iteration, `before` what it was before the first one.
    pub(crate) fn leave(
        &mut self,
        leaving: &mut Leaving,
        template: &Template,
        values: &mut dyn Iterator<Item = ValueId>,
        before: &Sym,
        after: &Sym,
    ) -> Res<Sym> {
        match (template, after) {
            (Template::Tensor(t), Sym::Obj(obj)) => {
                let own: Vec<ValueId> = values.take(1 + t.decided.len()).collect();
                self.leave_tensor(leaving, t, &own, before, *obj)
            }
            (Template::Grown(t), _) => {
                let Some((_, grown)) = self.grown(after) else {
                    return self.defect("a list that did not grow");
                };
                let mut now: Vec<Sym> = grown.rows.iter().copied().map(Sym::Obj).collect();
                now.extend(grown.waiting.iter().cloned());
                self.unflatten_grown(t, values, before, &mut |this, t, values, (before, i)| {
                    this.leave(leaving, t, values, before, &now[i])
                })
            }
            (Template::Sequence(form, templates), _) => {
                let Sym::Obj(obj) = after else {
                    return self.defect("bad sequence");
                };
                let first = self.items_before(form, before)?;
                let mut items = Vec::with_capacity(templates.len());
                let now = self.sequence_items(form, after)?;
                for (i, (t, v)) in templates.iter().zip(&now).enumerate() {
                    let before = first.get(i).cloned().unwrap_or(Sym::Null);
                    items.push(self.leave(leaving, t, values, &before, v)?);
                }
                if let Some(&known) = leaving.left.get(obj) {
                    return Ok(Sym::Obj(known));
                }
                let made = self.new_sequence(form, items);
                if let (true, Sym::Obj(made)) = (leaving.entered, &made) {
                    leaving.left.insert(*obj, *made);
                }
                Ok(made)
            }
            (Template::Either(kinds), _) => {
                self.unflatten_variants(kinds, values, before, &mut |this, t, values, before| {
                    let v = this.unflatten(t, values, before)?;
                    if let (Template::Tensor(t), Sym::Obj(obj)) = (t, &v) {
                        let mut may = this.tensor(*obj)?.identity.parts.to_vec();
                        if t.named {
                            // Which of those it is that have other names, nobody can tell.
                            may.push(this.any_held()?);
                        }
                        this.may_be(*obj, &may)?;
                        this.tensor_mut(*obj)?.identity.ambiguous = !may.is_empty();
                    }
                    Ok(v)
                })
            }
            _ => self.unflatten(template, values, before),
        }
    }

    /// Notes what the tensors in `first`, as they are at the start of an iteration, are in the end.
    pub(crate) fn note_round(
        &self,
        first: &Sym,
        after: &Sym,
        round: &mut HashMap<ValueId, Obj>,
    ) -> Res<()> {
        if let (Some((_, a)), Some((_, b))) = (self.grown(first), self.grown(after)) {
            for (&start, &end) in a.rows.iter().zip(&b.rows) {
                round.insert(self.tensor(start)?.value, end);
            }
            let mut waiting = a.waiting.iter().zip(&b.waiting);
            return waiting.try_for_each(|(p, q)| self.note_round(p, q, round));
        }
        if let (Some((_, a)), Some((_, b))) =
            (self.new_attributes(first), self.new_attributes(after))
        {
            return a
                .iter()
                .zip(&b)
                .try_for_each(|(p, q)| self.note_round(p, q, round));
        }
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        self.tensors_of(first, &mut starts);
        self.tensors_of(after, &mut ends);
        for (start, end) in starts.into_iter().zip(ends) {
            round.insert(self.tensor(start)?.value, end);
        }
        Ok(())
    }

    fn leave_tensor(
        &mut self,
        leaving: &mut Leaving,
        template: &TensorTemplate,
        values: &[ValueId],
        before: &Sym,
        after: Obj,
    ) -> Res<Sym> {
        if leaving.entered && self.was_there(after, leaving.before) {
            return Ok(Sym::Obj(after));
        }
        if let Some(&known) = leaving.left.get(&after) {
            return Ok(Sym::Obj(known));
        }
        let made = Template::Tensor(template.clone());
        let sym = self.unflatten(&made, &mut values.iter().copied(), before)?;
        let Sym::Obj(made) = sym else {
            return self.defect("bad tensor");
        };
        let owner = self.owner(after)?;
        let decided = self.tensor(owner)?.is_decided() || self.tensor(after)?.is_decided();
        let mut parts: Vec<Obj> = Vec::new();
        if !leaving.entered || decided {
            parts.extend(self.all_parts_of(owner));
            parts.extend([owner, after]);
            if let (Sym::Obj(before), false) = (before, leaving.entered) {
                parts.extend(self.all_parts_of(*before));
                parts.push(*before);
            }
        } else if let Some((parent, prim)) = self.view_outside(leaving, after)? {
            let base = self.owner(parent)?;
            let map = match prim {
                Prim::Detach if base == parent => ViewMap::Same,
                prim => ViewMap::Prim(parent, Rc::new(prim)),
            };
            let version = self.tensor(base)?.version;
            let one_of_several = self.place_among_several(after)?;
            let noted = self.tensor(after)?.view.as_ref().is_some_and(|v| v.noted);
            self.tensor_mut(made)?.view = Some(View {
                base,
                version,
                map,
                one_of_several,
                noted,
            });
        } else if owner != after {
            parts.extend([owner, after]);
        }
        parts.sort_unstable();
        parts.dedup();
        let t = self.tensor_mut(made)?;
        t.identity.ambiguous = !parts.is_empty();
        t.identity.scattered = false;
        t.identity.parts = parts.into();
        self.leave_tape(leaving, made, after)?;
        leaving.became.insert(after, made);
        if leaving.entered {
            leaving.left.insert(after, made);
        }
        Ok(Sym::Obj(made))
    }

    /// When all has left: what may be a tensor of the last iteration may be what that became.
    pub(crate) fn parts_outside(&mut self, leaving: &Leaving) -> Res<()> {
        let mut made: Vec<Obj> = leaving.became.values().copied().collect();
        made.sort_unstable();
        for obj in made {
            let mut parts = self.tensor(obj)?.identity.parts.to_vec();
            let now = parts.iter().filter_map(|o| leaving.became.get(o).copied());
            let now: Vec<Obj> = now.filter(|&o| o != obj).collect();
            if !now.is_empty() {
                parts.extend(now);
                self.may_be(obj, &parts)?;
            }
        }
        Ok(())
    }

    /// At the end of an iteration that began with `start`: what a carried value keeps for backward was not written
    /// to in it, nor will the next one do so.
    pub(crate) fn check_kept(&self, v: &Sym, start: &State, before: usize) -> Res<()> {
        let mut tensors = Vec::new();
        match self.grown(v) {
            Some((_, grown)) => {
                tensors.extend(&grown.rows);
                grown
                    .waiting
                    .iter()
                    .for_each(|v| self.tensors_of(v, &mut tensors));
            }
            None => self.tensors_of(v, &mut tensors),
        }
        for obj in tensors {
            let t = self.tensor(obj)?;
            if !t.requires_grad || t.leaf || t.is_spent() {
                continue;
            }
            self.out_of_date(obj)?;
            let is_outside = |o: Obj| self.was_there(o, before) && o != obj;
            let (_, kept) = self.reached_outside(&Sym::Obj(obj), is_outside)?;
            for (owner, _) in kept {
                let now = self.tensor(owner)?;
                let first = match start.heap.get(owner).map(|o| &o.kind) {
                    Some(Kind::Tensor(t)) => t.version,
                    _ => 0,
                };
                if now.version != first && !(now.leaf && now.requires_grad) {
                    return self.refuse(
                        ReasonId::GradientInPlace,
                        "what a gradient needs is written to in each iteration",
                    );
                }
            }
        }
        Ok(())
    }

    /// Notes behind a loop whether a tensor was written to: without an iteration it is as it was before.
    pub(crate) fn written_behind(&mut self, obj: Obj, start: &State, entered: bool) -> Res<()> {
        let first = match start.heap.get(obj).map(|o| &o.kind) {
            Some(Kind::Tensor(t)) => t.written,
            _ => Written::No,
        };
        let t = self.tensor_mut(obj)?;
        if !entered {
            t.unsure_from = 0;
            t.written = t.written.or(first);
            t.counted = true;
        }
        Ok(())
    }

    /// What the tape knows behind a loop of a tensor that is `after` at the end of an iteration.
    pub(crate) fn leave_tape(&mut self, leaving: &Leaving, made: Obj, after: Obj) -> Res<()> {
        let before = leaving.before;
        let t = self.tensor(after)?;
        if t.tape.consumed_if.is_some() {
            return self
                .undecided("a backward on one side of a branch goes through what a loop makes");
        }
        let (of, consumed) = (t.tape.inputs.clone(), t.tape.consumed);
        let is_inside = |o: Obj| !self.was_there(o, before);
        let within = self.freed_within(after, is_inside, &leaving.round)?;
        let mut saved: BTreeSet<(Obj, u32)> =
            self.tensor(after)?.tape.saved.iter().copied().collect();
        saved.retain(|&(o, _)| self.was_there(o, before));
        let mut inputs: BTreeSet<Obj> = self.tensor(made)?.tape.inputs.iter().copied().collect();
        for &input in of.iter() {
            let is_outside = |o: Obj| self.was_there(o, before);
            let (reached, kept) = self.reached_outside(&Sym::Obj(input), is_outside)?;
            inputs.extend(reached);
            saved.extend(kept);
        }
        inputs.remove(&made);
        let t = self.tensor_mut(made)?;
        t.tape.inputs = inputs.into_iter().collect();
        t.tape.saved = saved.into_iter().collect();
        t.tape.decided = true;
        t.tape.consumed |= consumed;
        t.tape.kept = match within.is_empty() {
            false => Keeping::Tensors,
            true => Keeping::Decided,
        };
        t.tape.within = within.into_iter().collect();
        Ok(())
    }

    /// The tensor outside that a tensor of the last iteration is a view of, and through what.
    fn view_outside(&mut self, leaving: &mut Leaving, obj: Obj) -> Res<Option<(Obj, Prim)>> {
        let (of, prim) = match self.tensor(obj)?.view.clone() {
            None => return Ok(None),
            Some(view) => match view.map {
                ViewMap::Same => (view.base, Rc::new(Prim::Detach)),
                ViewMap::Prim(parent, prim) => (parent, prim),
            },
        };
        let parent = if self.was_there(of, leaving.before) {
            of
        } else if let Some(&known) = leaving.left.get(&of) {
            known
        } else {
            let Some((next, through)) = self.view_outside(leaving, of)? else {
                return Ok(None);
            };
            let made = self.apply(through, &[&next])?;
            leaving.left.insert(of, made);
            made
        };
        let mut dims = HashMap::new();
        for s in prim.symbols() {
            let d = self.leave_dim(leaving, Dim::Sym(s))?;
            dims.insert(s, d);
        }
        let prim = prim.with_symbols(&|s| dims.get(&s).copied().unwrap_or(Dim::Sym(s)));
        Ok(Some((parent, prim)))
    }

    /// An extent of the last iteration.
    fn leave_dim(&mut self, leaving: &Leaving, d: Dim) -> Res<Dim> {
        let Dim::Sym(s) = self.resolve(d) else {
            return Ok(self.resolve(d));
        };
        let id = self.extents.dims[s as usize].id;
        if self.is_visible(id) {
            return Ok(d);
        }
        self.emission.context = leaving.body;
        let inside = self.emit1("arith.index_cast", &[id], &[], Type::I64)?;
        self.emission.context = leaving.parent;
        let init = self.constant(ScalarType::Int, 0)?;
        let merged = self.enter(&leaving.name, leaving.outer, init)?;
        self.emission.context = leaving.body;
        let out = self.close(&merged, inside, leaving.condition, leaving.parent)?;
        self.emission.context = leaving.parent;
        let id = self.emit1("arith.index_cast", &[out], &[], Type::Index)?;
        Ok(self.new_dim(id, None))
    }
}
