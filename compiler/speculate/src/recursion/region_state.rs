//! What a graph of its own has to do with the region around it.
//!
//! In: the state before its body ran and after. Out: the numbers, tensors, tuples of these and growing lists that the
//! body changes: each call takes them as they are and returns them as it leaves them; and whether a later call can be
//! one of the same graph. Always: what else of the region a body reads is what it was when the graph was made.

use janus_bytecode::CompareOp;
use janus_dialect::{Type, ValueId};
use janus_plan::{DeoptReason, ReasonId, ScalarType};
use janus_tensor::ops::DimOp;
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::executor::Executor;
use crate::lists::growth::is_differentiable;
use crate::recursion::returned::{is_by_value, types_of};
use crate::state::place::Place;
use crate::state::sym::{Keeping, Kind, Obj, Slot, State, Sym, SymFrame, SymScalar};
use crate::state::template::{GrownTemplate, Template};
use crate::state::types::tensor_type;

/// Rows for what a list gets in a recursion, at first.
const FIRST_ROOM: i64 = 64;
/// How much more there is where that was not enough, and how often.
const MORE_ROOM: i64 = 8;
const MAX_MORE: u32 = 5;

/// Something that a body changes of what is around it.
#[derive(Clone)]
pub(crate) struct Change {
    place: Place,
    /// How what is there is carried; of a list an item's form.
    form: Template,
    /// Of a list: whether some items require grad and some do not.
    mixed: bool,
}

impl Change {
    fn is_growth(&self) -> bool {
        matches!(self.place, Place::Growth(_))
    }
}

/// What a body read or changed of what is around it.
#[derive(Default)]
pub(crate) struct Accesses {
    pub changes: Vec<Change>,
    /// Attributes, globals and cells that were read.
    reads: Vec<Place>,
    /// Lists handed over that no object holds, with the number of the local: another call may hand over another.
    lists: Vec<(usize, Obj)>,
    /// The region when the graph was made.
    made: State,
}

impl Accesses {
    /// The body is going to run once more.
    pub fn begin(&mut self) {
        self.reads.clear();
    }

    pub fn note_read(&mut self, place: &Place) {
        if !self.reads.contains(place) {
            self.reads.push(place.clone());
        }
    }

    /// The graph is made.
    pub fn end(&mut self, made: State) {
        self.made = made;
    }

    /// The place that a call changes, with these locals.
    fn place_in(&self, change: &Change, frame: &SymFrame) -> Place {
        if let Place::Growth(list) = change.place
            && let Some(&(local, _)) = self.lists.iter().find(|&&(_, l)| l == list)
            && let Some(Slot::Loaded(Sym::Obj(other))) = frame.locals.get(local)
        {
            return Place::Growth(*other);
        }
        change.place.clone()
    }

    fn changes_list(&self, list: Obj) -> bool {
        self.changes
            .iter()
            .any(|c| matches!(c.place, Place::Growth(l) if l == list))
    }
}

/// Which rows of items of this form require grad, in order.
fn differentiable_rows(item: &Template, rows: &mut Vec<bool>) {
    match item {
        Template::Scalar(_) => rows.push(false),
        Template::Tensor(t) => {
            rows.push(is_differentiable(item));
            rows.extend(t.decided.iter().map(|_| false));
        }
        Template::Sequence(_, items) => items.iter().for_each(|t| differentiable_rows(t, rows)),
        Template::Same(_) | Template::Grown(_) | Template::Either(_) => {}
    }
}

impl Executor<'_> {
    /// Remembers that the body of a graph read this.
    pub(crate) fn note_read(&mut self, place: &Place) {
        for invoked in self.recursing.invoked.iter_mut().filter(|i| i.running) {
            invoked.accesses.note_read(place);
        }
    }

    /// Rows for what a list gets where nothing tells beforehand how much that is.
    pub(crate) fn room(&self) -> Res<i64> {
        match self.region.relaxations.room {
            level @ ..=MAX_MORE => Ok(FIRST_ROOM * MORE_ROOM.pow(level)),
            _ => self.refuse(ReasonId::LoopState, "a list grows too long for a graph"),
        }
    }

    /// Whether an object of the region holds this list.
    fn is_held(&self, list: Obj) -> bool {
        let is_it = |s: &Slot| matches!(s, Slot::Loaded(Sym::Obj(o)) if *o == list);
        self.state.heap.iter().any(|object| match &object.kind {
            Kind::Cell(c) => is_it(&c.content),
            Kind::Instance(i) => i.attrs.values().any(is_it),
            Kind::List(l) => {
                l.base.iter().flatten().any(is_it)
                    || l.appended
                        .iter()
                        .any(|(v, _)| is_it(&Slot::Loaded(v.clone())))
            }
            Kind::Filtered(items) => items.iter().any(|(v, _)| is_it(&Slot::Loaded(v.clone()))),
            Kind::Tuple(slots) => slots.iter().any(is_it),
            Kind::Dict(d) => d.entries.iter().any(|(_, s)| is_it(s)),
            _ => false,
        })
    }

    /// Before the body runs: which lists are handed over.
    pub(crate) fn lists_handed_over(&mut self, index: usize, frame: &SymFrame) {
        let mut lists: Vec<(usize, Obj)> = Vec::new();
        for (local, slot) in frame.locals.iter().enumerate() {
            if let Slot::Loaded(Sym::Obj(o)) = slot
                && self.is_own_list(*o)
                && !self.is_held(*o)
            {
                lists.push((local, *o));
            }
        }
        // Two names of one list are no two lists.
        let names = lists.clone();
        lists.retain(|(_, o)| names.iter().filter(|(_, other)| other == o).count() == 1);
        self.recursing.invoked[index].accesses.lists = lists;
    }

    fn is_own_list(&self, obj: Obj) -> bool {
        let object = &self.state.heap[obj];
        object.origin.is_none() && matches!(object.kind, Kind::List(_) | Kind::Grown(_))
    }

    /// Whether a call may hand over this list where the one for which the graph was made handed over another.
    pub(crate) fn is_such_a_list(&self, index: usize, local: usize, obj: Obj) -> bool {
        let outside = &self.recursing.invoked[index].accesses;
        let known = outside.lists.iter().find(|&&(l, _)| l == local);
        known.is_some_and(|&(_, list)| outside.changes_list(list))
            && self.is_own_list(obj)
            && !self.is_held(obj)
    }

    /// Whether what the body read is still what it was.
    pub(crate) fn reads_the_same(&mut self, index: usize, frame: &SymFrame) -> bool {
        let now = (self.state.clone(), frame.clone());
        let made = self.recursing.invoked[index].accesses.made.clone();
        let made = self.padded(made, &now.0);
        let Ok(places) = self.changes(&(made, frame.clone()), &now) else {
            return false;
        };
        let outside = &self.recursing.invoked[index].accesses;
        places.iter().all(|place| match place {
            Place::Grad(_) | Place::Position(_) | Place::Local(_) => true,
            place if outside.changes.iter().any(|c| c.place == *place) => true,
            Place::Growth(list) => outside.lists.iter().any(|(_, l)| l == list),
            Place::Attr(..) | Place::Global(..) | Place::Cell(_) => !outside.reads.contains(place),
            Place::Item(..) | Place::Elements(_) => false,
        })
    }

    // ---- what is changed -----------------------------------------------------------------

    /// Before a call: lists have room.
    pub(crate) fn make_outside_rooms(&mut self, index: usize, frame: &SymFrame) -> Res<()> {
        for change in self.recursing.invoked[index].accesses.changes.clone() {
            let Place::Growth(list) = self.recursing.invoked[index]
                .accesses
                .place_in(&change, frame)
            else {
                continue;
            };
            let room = self.room()?;
            let had = match &self.state.heap[list].kind {
                Kind::List(l) if self.state.heap[list].origin.is_none() => {
                    l.base.as_ref().map_or(0, Vec::len)
                }
                Kind::List(_) => 0,
                Kind::Grown(grown) => {
                    let first = grown.rows.first().copied();
                    let has_room = match first {
                        Some(row) => self.dims_of(row)?.first() == Some(&Dim::Known(room)),
                        None => false,
                    };
                    let grown = self.grown_at(list)?;
                    if has_room && grown.waiting.is_empty() && !grown.unfit {
                        continue;
                    }
                    return self.refuse(
                        ReasonId::Recursion,
                        "a list grows in a recursion after it grew in a loop",
                    );
                }
                _ => return self.defect("a list that is something else"),
            };
            let more = room - i64::try_from(had).unwrap_or(room);
            if more <= 0 {
                return self.refuse(ReasonId::Recursion, "a list grows too long in a recursion");
            }
            let one = Dim::Known(1);
            let mut template = GrownTemplate::of(change.form.clone(), one, change.mixed);
            self.make_room(list, &mut template, Dim::Known(more))?;
        }
        Ok(())
    }

    /// Types of what the body takes of what it changes.
    pub(crate) fn outside_types(&mut self, index: usize) -> Res<Vec<Type>> {
        let mut types = Vec::new();
        for change in self.recursing.invoked[index].accesses.changes.clone() {
            match change.place {
                Place::Growth(list) => {
                    for row in self.grown_at(list)?.rows.clone() {
                        let dims = self.dims_of(row)?;
                        types.push(tensor_type(self.tensor(row)?.dtype, &dims));
                    }
                    types.push(Type::I64);
                }
                _ => types_of(&change.form, &mut types),
            }
        }
        Ok(types)
    }

    /// At the start of the body: what it changes comes as arguments.
    pub(crate) fn enter_outside(
        &mut self,
        index: usize,
        frame: &mut SymFrame,
        arguments: &mut dyn Iterator<Item = ValueId>,
    ) -> Res<()> {
        for change in self.recursing.invoked[index].accesses.changes.clone() {
            let Place::Growth(list) = change.place else {
                let before = self.read(frame, &change.place)?;
                let v = self.unflatten(&change.form, &mut *arguments, &before)?;
                self.write(frame, &change.place, v)?;
                continue;
            };
            let mut flags = Vec::new();
            differentiable_rows(&change.form, &mut flags);
            let mut grown = self.grown_at(list)?.clone();
            for (row, requires_grad) in grown.rows.iter_mut().zip(flags) {
                let Some(value) = arguments.next() else {
                    return self.defect("an argument is missing");
                };
                let (dims, old) = (self.dims_of(*row)?, self.tensor(*row)?.clone());
                let made = self.new_tensor(value, old.dtype, dims);
                self.may_be(made, &old.identity.parts)?;
                let t = self.tensor_mut(made)?;
                t.device = old.device;
                t.requires_grad = requires_grad;
                t.leaf = !requires_grad;
                *row = made;
            }
            let Some(id) = arguments.next() else {
                return self.defect("an argument is missing");
            };
            let ty = ScalarType::Int;
            grown.used = Sym::Scalar(SymScalar { id, ty });
            self.state.heap[list].kind = Kind::Grown(grown);
            self.begins_to_grow(list)?;
        }
        Ok(())
    }

    /// After the body: whether it changes nothing that was not known; notes it if it does.
    pub(crate) fn outside_settles(
        &mut self,
        index: usize,
        start: &State,
        frame: &SymFrame,
    ) -> Res<bool> {
        let end = (self.state.clone(), frame.clone());
        let start = (start.clone(), frame.clone());
        let mut settled = true;
        for place in self.changes(&start, &end)? {
            let known = &self.recursing.invoked[index].accesses.changes;
            if let Some(at) = known.iter().position(|c| c.place == place) {
                if !known[at].is_growth() {
                    let (form, now) = (known[at].form.clone(), self.read_of(&end, &place)?);
                    if let Some(wider) = self.widen_for_call(&form, &now)? {
                        self.recursing.invoked[index].accesses.changes[at].form = wider;
                        settled = false;
                    }
                }
                continue;
            }
            let (form, mixed) = match &place {
                Place::Growth(list) => {
                    let before = match self.entry.pristine.get(list) {
                        Some((_, o)) if *list >= start.0.heap.len() => o.kind.clone(),
                        _ => start.0.heap[*list].kind.clone(),
                    };
                    let after = end.0.heap[*list].clone();
                    let grown = self.growth(&after, &before, true, true)?;
                    if grown.turned {
                        return self.refuse(
                            ReasonId::Recursion,
                            "a list gets items before its first one in a recursion",
                        );
                    }
                    (grown.item, grown.mixed)
                }
                Place::Attr(..) | Place::Global(..) | Place::Cell(_) | Place::Item(..) => {
                    let before = self.read_of(&start, &place)?;
                    let after = self.read_of(&end, &place)?;
                    let form = self.template(&before);
                    let carried = is_by_value(&form).then(|| self.widen_for_call(&form, &after));
                    match carried {
                        Some(Ok(wider)) => (wider.unwrap_or(form), false),
                        _ => {
                            return self.refuse(
                                ReasonId::Recursion,
                                format!("a recursion that changes {place}"),
                            );
                        }
                    }
                }
                Place::Elements(_) | Place::Grad(_) | Place::Position(_) | Place::Local(_) => {
                    return self.refuse(
                        ReasonId::Recursion,
                        format!("a recursion that changes {place}"),
                    );
                }
            };
            let change = Change { place, form, mixed };
            self.recursing.invoked[index].accesses.changes.push(change);
            settled = false;
        }
        for i in 0..self.recursing.invoked[index].accesses.changes.len() {
            let Change {
                place: Place::Growth(list),
                ..
            } = self.recursing.invoked[index].accesses.changes[i]
            else {
                continue;
            };
            if let Kind::Grown(grown) = &self.state.heap[list].kind {
                let (form, mixed, unfit) = (grown.item.clone(), grown.mixed, grown.unfit);
                let known = &mut self.recursing.invoked[index].accesses.changes[i];
                settled &= !unfit && known.mixed == mixed;
                (known.form, known.mixed) = (form, mixed);
            }
        }
        Ok(settled)
    }

    /// At the end of the body: the result together with what it leaves changed.
    pub(crate) fn leave_outside(
        &mut self,
        index: usize,
        value: &Sym,
        frame: &SymFrame,
    ) -> Res<Sym> {
        let mut all = vec![value.clone()];
        // One tensor under two names would be two.
        let mut tensors = Vec::new();
        self.tensors_of(value, &mut tensors);
        for change in self.recursing.invoked[index].accesses.changes.clone() {
            match change.place {
                Place::Growth(list) => {
                    let grown = self.grown_at(list)?.clone();
                    all.extend(grown.rows.into_iter().map(Sym::Obj));
                    match self.number(&grown.used)? {
                        Some(used) => all.push(Sym::Scalar(used)),
                        None => return self.defect("bad length"),
                    }
                }
                place => {
                    let v = self.read(frame, &place)?;
                    let before = tensors.len();
                    self.tensors_of(&v, &mut tensors);
                    let twice = |i: usize| tensors[..i].contains(&tensors[i]);
                    if (before..tensors.len()).any(twice) {
                        return self.refuse(
                            ReasonId::Recursion,
                            format!("a recursion that returns {place}, too"),
                        );
                    }
                    all.push(v);
                }
            }
        }
        for v in self.kept_results(index)? {
            let before = tensors.len();
            self.tensors_of(&v, &mut tensors);
            if (before..tensors.len()).any(|i| tensors[..i].contains(&tensors[i])) {
                return self.refuse(
                    ReasonId::Recursion,
                    "a tensor that a recursion keeps is kept elsewhere, too",
                );
            }
            all.push(v);
        }
        // By its items, where these are constants, too: other calls return others.
        let all = all.into_iter().map(Slot::Loaded).collect();
        Ok(self.alloc(Kind::Tuple(all)))
    }

    // ---- the call ------------------------------------------------------------------------

    /// Operands of a call: what it changes, as it is.
    pub(crate) fn outside_operands(
        &mut self,
        index: usize,
        frame: &SymFrame,
        operands: &mut Vec<ValueId>,
    ) -> Res<()> {
        for change in self.recursing.invoked[index].accesses.changes.clone() {
            match self.recursing.invoked[index]
                .accesses
                .place_in(&change, frame)
            {
                Place::Growth(list) => {
                    let grown = self.grown_at(list)?.clone();
                    for &row in &grown.rows {
                        let dims = self.dims_of(row)?;
                        operands.push(self.value_as(row, &dims)?);
                    }
                    match self.number(&grown.used)? {
                        Some(n) => operands.push(n.id),
                        None => return self.defect("bad length"),
                    }
                }
                place => {
                    let v = self.read(frame, &place)?;
                    self.flatten(&v, &change.form, operands)?;
                }
            }
        }
        Ok(())
    }

    /// After a call whose results are `all`: what it changed. Returns its result.
    pub(crate) fn changed_by_call(
        &mut self,
        index: usize,
        frame: &SymFrame,
        all: &Sym,
        running: bool,
    ) -> Res<Sym> {
        let Some(whole) = self.container(all) else {
            return self.defect("bad results");
        };
        let mut all = self.items_of(whole)?.into_iter();
        let mut next = || all.next().unwrap_or(Sym::Null);
        let value = next();
        let mut named = Vec::new();
        self.tensors_of(&value, &mut named);
        let value = self.dict_of_values(index, value)?;
        let mut scratch = frame.clone();
        for change in self.recursing.invoked[index].accesses.changes.clone() {
            let place = self.recursing.invoked[index]
                .accesses
                .place_in(&change, frame);
            let Place::Growth(list) = place else {
                let (before, after) = (self.read(&scratch, &place)?, next());
                self.may_be_as_before(&before, &after)?;
                self.write(&mut scratch, &place, after)?;
                continue;
            };
            let is_log = self.recursing.invoked[index].keeps.is_log(list);
            let mut grown = self.grown_at(list)?.clone();
            for row in &mut grown.rows {
                let Sym::Obj(made) = next() else {
                    return self.defect("bad rows");
                };
                let before = self.tensor(*row)?.clone();
                let mut leaves = self.tensor(made)?.tape.leaves.to_vec();
                for &leaf in before.tape.leaves.iter() {
                    self.add_leaf(&mut leaves, leaf)?;
                }
                let t = self.tensor_mut(made)?;
                t.tape.leaves = leaves.into();
                t.tape.inputs = t.tape.inputs.iter().copied().chain([*row]).collect();
                let is_item = |o: &&Obj| {
                    let t = self.tensor(**o);
                    t.is_ok_and(|t| {
                        t.dtype == before.dtype && t.dims.len() + 1 == before.dims.len()
                    })
                };
                // What goes to the log is a copy.
                let named = named.iter().filter(|_| !is_log).filter(is_item);
                let mut parts: Vec<Obj> =
                    before.identity.parts.iter().chain(named).copied().collect();
                let outside = self.tensor(made)?.identity.parts.iter();
                parts.extend(outside.filter(|&&o| self.is_from_outside(o)));
                self.may_be(made, &parts)?;
                *row = made;
            }
            grown.used = next();
            (grown.count, grown.added) = (None, Dim::Known(self.room()?));
            grown.item = change.form;
            grown.mixed |= change.mixed;
            grown.reserved = running;
            self.state.heap[list].kind = Kind::Grown(grown);
            if !running {
                self.assert_rows(list)?;
            }
        }
        self.kept_by_call(index, frame, &value, &mut all)?;
        Ok(value)
    }

    /// Notes of tensors that a call leaves somewhere that they may be those that were there.
    fn may_be_as_before(&mut self, before: &Sym, after: &Sym) -> Res<()> {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        self.tensors_of(before, &mut old);
        self.tensors_of(after, &mut new);
        new.into_iter()
            .try_for_each(|made| self.may_be_one_of(made, &old))
    }

    /// Notes that a result of a call may be one of these tensors.
    pub(crate) fn may_be_one_of(&mut self, made: Obj, known: &[Obj]) -> Res<()> {
        let mut parts = known.to_vec();
        for &part in known {
            parts.extend(self.tensor(part)?.identity.parts.iter());
        }
        self.may_be(made, &parts)?;
        let t = self.tensor_mut(made)?;
        if t.requires_grad {
            // It is more than a choice: a call keeps tensors, nearly always.
            t.tape.kept = Keeping::Tensors;
        }
        Ok(())
    }

    /// Where a list stopped to grow: there was room for all of its items; no more than there is room for are
    /// looked at in any case.
    pub(crate) fn assert_rows(&mut self, list: Obj) -> Res<()> {
        let grown = self.grown_at(list)?.clone();
        let Some(&row) = grown.rows.first() else {
            return self.defect("bad rows");
        };
        let room = self.dims_of(row)?[0];
        let most = self.dim_sym(room);
        if let Sym::Scalar(ok) = self.compare(CompareOp::Le, &grown.used, &most)? {
            let key = self.key("room");
            let expected = "there is room for what a list gets".to_owned();
            self.assert(ok.id, DeoptReason::ListRoom, key, expected)?;
        }
        let used = self.number_dim(&grown.used)?;
        let used = self.dim_binary(DimOp::Min, used, room)?;
        let used = self.dim_sym(used);
        if let (Sym::Scalar(all), Sym::Scalar(used), Some(room)) =
            (&grown.used, &used, self.resolve(room).known())
        {
            self.note_bounded(all.id, room, used.id);
        }
        self.grown_at(list)?.used = used;
        Ok(())
    }
}
