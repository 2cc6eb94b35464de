//! What a loop carries from one iteration to the next.
//!
//! In: the states at a loop's head and at the end of an iteration. Out: the places whose values go round, each
//! with the kind of its value, and what is known of how the loop ends. Always: known when an iteration brings
//! nothing new, however often the body was run until then.

use janus_plan::{Cause, ReasonId};
use janus_tensor::ops::DimOp;
use janus_tensor::{Dim, Ops};

use crate::executor::Executor;
use crate::loops::aliases::TWO_NAMES;
use crate::loops::frame_ops::Entered;
use crate::loops::framed::Round;
use crate::state::cfg;
use crate::state::place::Place;
use crate::state::sym::{Kind, Obj, Slot, State, Sym, SymFrame, SymGrown};
use crate::state::template::{GrownTemplate, Spot, Template};
use crate::{Res, Stop};

#[derive(Clone)]
pub(crate) struct Carried {
    pub place: Place,
    pub template: Template,
    /// A local that the iterations set: there is none before.
    pub fresh: bool,
    /// It names the same list as this place, which is carried.
    pub with: Option<Place>,
}

impl Carried {
    /// The list that gets other items, and what it is then.
    pub fn growing(&self) -> Option<(Obj, &GrownTemplate)> {
        match (&self.place, &self.template) {
            (Place::Growth(obj), Template::Grown(t)) => Some((*obj, t)),
            _ => None,
        }
    }
}

/// What is known of a loop before an attempt.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    pub carried: Vec<Carried>,
    /// The loop is left by a `break`.
    pub breaks: bool,
    /// Whether there was an iteration is carried.
    pub enters: bool,
    /// It is relied on that there is a first iteration.
    pub relies: bool,
    /// It is left by a `return` of this.
    pub returns: Option<Template>,
    /// How often it runs at most is a guess.
    pub guessed: bool,
}

impl Knowledge {
    /// Lists that get other items, and what they are then.
    pub fn growing(&self) -> impl Iterator<Item = (Obj, &GrownTemplate)> {
        self.carried.iter().filter_map(Carried::growing)
    }
}

/// Which locals are read from one of these places on.
pub(crate) fn live_at(frame: &SymFrame, exits: &[u32]) -> Vec<bool> {
    let mut live = vec![exits.is_empty(); frame.locals.len()];
    for &exit in exits {
        let here = cfg::live_locals(&frame.code.code, exit);
        for (i, live) in live.iter_mut().enumerate() {
            *live |= here.get(i).copied().unwrap_or(true);
        }
    }
    live
}

/// Locals that an iteration sets, that were not there before the loop, and that are read behind it.
pub(crate) fn first_set<'a>(
    start: &'a SymFrame,
    end: &'a SymFrame,
    exits: &[u32],
) -> impl Iterator<Item = usize> + use<'a> {
    let live = live_at(end, exits);
    let is_set = |i: &usize| {
        matches!(start.locals[*i], Slot::Empty) && matches!(end.locals[*i], Slot::Loaded(_))
    };
    (0..end.locals.len())
        .filter(is_set)
        .filter(move |&i| live[i])
}

impl Executor<'_> {
    /// Learns from an iteration. Returns whether all of it was known.
    pub(crate) fn learn(
        &mut self,
        frame: &SymFrame,
        known: &mut Knowledge,
        at: &Entered,
        round: &Round,
    ) -> Res<bool> {
        let mut settled = !self.find_changed(known, at, round)?;
        settled &= !self.widen_carried(frame, known, at, round)?;
        settled &= !self.find_shared_items(known, round)?;
        settled &= !self.find_named(&mut known.carried, &at.firsts, &at.start, &round.end)?;
        if settled {
            self.check_lists(known, at, round)?;
        }
        if let Some(v) = &round.returned {
            let template = match known.returns.clone() {
                Some(t) => t,
                None => {
                    settled = false;
                    self.template_of_end(v, round)
                }
            };
            let wider = self.widen(&template, v)?;
            settled &= wider.is_none();
            known.returns = Some(wider.unwrap_or(template));
        }
        if !known.relies && self.relies_on_entry(known, at, round)? {
            (known.enters, known.relies) = (true, true);
            settled = false;
        }
        if !known.enters && known.carried.iter().any(|c| c.template.is_late()) {
            known.enters = true;
            settled = false;
        }
        Ok(settled)
    }

    /// Adds what an iteration changes and was not carried. Returns whether there is such a thing.
    fn find_changed(&mut self, known: &mut Knowledge, at: &Entered, round: &Round) -> Res<bool> {
        let mut found = false;
        let changed = self.changes(&at.start, &round.end)?;
        let first_set = first_set(&at.start.1, &round.end.1, &round.exits).map(Place::Local);
        let more: Vec<Place> = first_set.filter(|place| !changed.contains(place)).collect();
        for place in changed.into_iter().chain(more) {
            if known.carried.iter().any(|c| c.place == place) {
                continue;
            }
            found = true;
            if let Place::Local(i) = place
                && matches!(at.start.1.locals.get(i), Some(Slot::Empty))
            {
                let after = self.read_of(&round.end, &place)?;
                let template = self.template(&after);
                (known.enters, known.relies) = (true, true);
                known.carried.push(Carried {
                    place,
                    template,
                    fresh: true,
                    with: None,
                });
                continue;
            }
            let before = self.read_of(&at.start, &place)?;
            let template = match &place {
                Place::Elements(obj) => Template::Tensor(self.tensor_template(self.tensor(*obj)?)),
                Place::Growth(obj) => {
                    let first = match self.entry.pristine.get(obj) {
                        Some((_, object)) if *obj >= at.start.0.heap.len() => object.kind.clone(),
                        _ => at.start.0.heap[*obj].kind.clone(),
                    };
                    let list = round.end.0.heap[*obj].clone();
                    let grown = self.growth(&list, &first, false, !round.may_be_none)?;
                    self.check_growth(&grown, at.dims)?;
                    Template::Grown(Box::new(grown))
                }
                _ => {
                    let after = self.read_of(&round.end, &place)?;
                    match self.taken_apart(&before, &after, &at.start)? {
                        Some(template) => template,
                        None => self
                            .remade(&before, &after, &at.start)
                            .unwrap_or_else(|| self.template(&before)),
                    }
                }
            };
            known.carried.push(Carried {
                place,
                template,
                fresh: false,
                with: None,
            });
        }
        Ok(found)
    }

    /// Makes the kinds of what is carried wide enough for its values after an iteration. Returns whether one
    /// was not.
    fn widen_carried(
        &mut self,
        frame: &SymFrame,
        known: &mut Knowledge,
        at: &Entered,
        round: &Round,
    ) -> Res<bool> {
        let mut widened = false;
        for i in 0..known.carried.len() {
            let after = self.read_of(&round.end, &known.carried[i].place.clone())?;
            let template = known.carried[i].template.clone();
            if matches!(template, Template::Grown(_)) && self.grown(&after).is_none() {
                continue;
            }
            if let Some(place) = &known.carried[i].with {
                // It did so before the loop.
                if !after.same(&self.read_of(&round.end, place)?) {
                    return self.refuse(ReasonId::LoopState, TWO_NAMES);
                }
                continue;
            }
            let wider = self.widen(&template, &after);
            if let Some(wider) =
                wider.map_err(|stop| naming(stop, frame, &known.carried[i].place))?
            {
                if let Template::Grown(t) = &wider {
                    self.check_growth(t, at.dims)?;
                }
                known.carried[i].template = wider;
                widened = true;
            }
            let first = match known.carried[i].fresh {
                true => Sym::Null,
                false => self.read_of(&at.start, &known.carried[i].place.clone())?,
            };
            if let Template::Either(kinds) = &mut known.carried[i].template
                && let Some(Template::Tensor(t)) = kinds.last_mut()
                && !t.named
            {
                for (v, state) in [(&first, &at.start), (&after, &round.end)] {
                    if let Some(obj) = self.tensor_among(v) {
                        t.named |= !self.is_only_named_by_one(obj, state)?;
                    }
                }
                widened |= t.named;
            }
            if !matches!(known.carried[i].place, Place::Elements(_)) {
                let template = &mut known.carried[i].template;
                widened |= self.note_names(template, &after, at.before, at.rooms)?;
            }
        }
        Ok(widened)
    }

    /// Whether nothing but one variable names a tensor at the end of an iteration, or what it may be.
    fn is_only_named_by_one(&self, obj: Obj, end: &(State, SymFrame)) -> Res<bool> {
        let end = (&end.0, &end.1);
        if self.owner(obj)? != obj || self.names_of(obj, end) != Some(1) || self.is_listed(obj)? {
            return Ok(false);
        }
        for part in self.all_parts_of(obj) {
            if self.is_from_outside(part)
                || self.names_of(part, end) != Some(0)
                || self.is_listed(part)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds items that lists get and that variables name, too. Returns whether there are other ones than were
    /// known.
    fn find_shared_items(&mut self, known: &mut Knowledge, round: &Round) -> Res<bool> {
        let mut found = false;
        let mut afters = Vec::with_capacity(known.carried.len());
        for c in &known.carried.clone() {
            let values = matches!(c.template, Template::Tensor(_) | Template::Sequence(..));
            if values && !matches!(c.place, Place::Elements(_)) {
                let after = self.read_of(&round.end, &c.place)?;
                self.spots(&Spot::of(c.place.clone()), &c.template, &after, &mut afters)?;
            }
        }
        for c in &mut known.carried {
            if let (Place::Growth(obj), Template::Grown(t)) = (&c.place, &mut c.template)
                && matches!(self.state.heap[*obj].kind, Kind::Grown(_))
            {
                found |= self.find_shared(*obj, t, &afters)?;
            }
        }
        Ok(found)
    }

    /// Lists that an iteration makes are carried by what they hold: each under one name.
    fn check_lists(&mut self, known: &Knowledge, at: &Entered, round: &Round) -> Res<()> {
        let mut lists = Vec::new();
        for c in &known.carried {
            let after = self.read_of(&round.end, &c.place)?;
            self.lists_in(&c.template, &after, &mut lists)?;
        }
        if let (Some(v), Some(template)) = (&round.returned, &known.returns) {
            self.lists_in(template, v, &mut lists)?;
        }
        let is_first = |l: &Obj| self.looping.known_elsewhere.contains(l);
        let is_same = |&l: &Obj| match (&at.start.0.heap[l].kind, &round.end.0.heap[l].kind) {
            (Kind::List(a), Kind::List(b)) => {
                let same = |(a, b): (&Slot, &Slot)| match (a, b) {
                    (Slot::Loaded(a), Slot::Loaded(b)) => a.same(b),
                    _ => false,
                };
                let (p, q) = (a.base.iter().flatten(), b.base.iter().flatten());
                b.appended.is_empty()
                    && p.clone().count() == q.clone().count()
                    && p.zip(q).all(same)
            }
            (Kind::Tuple(_), Kind::Tuple(_)) => true,
            _ => false,
        };
        if !self.looping.known_elsewhere.iter().all(is_same) {
            return self.refuse(
                ReasonId::LoopState,
                "a list from outside, which an iteration replaces, is changed",
            );
        }
        if lists
            .iter()
            .any(|l| self.was_there(*l, at.before) || is_first(l))
        {
            return self.refuse(
                ReasonId::LoopState,
                "a variable names another list after an iteration",
            );
        }
        let count = lists.len();
        lists.sort_unstable();
        lists.dedup();
        if lists.len() < count {
            return self.refuse(ReasonId::LoopState, TWO_NAMES);
        }
        Ok(())
    }

    /// Before an attempt: room for what lists get in it. Returns how many iterations there are at most.
    pub(crate) fn make_rooms(
        &mut self,
        known: &mut Knowledge,
        iterator: Option<Obj>,
    ) -> Res<Option<Dim>> {
        let grows = |c: &Carried| matches!(c.place, Place::Growth(_));
        if !known.carried.iter().any(grows) {
            return Ok(None);
        }
        let counted = match iterator.map(|it| self.most_trips(it)) {
            Some(Ok(trips)) => Some(trips),
            Some(Err(stop)) if stop.ends_attempt() => return Err(stop),
            Some(Err(_)) | None => None,
        };
        // Nothing tells how many there are: there is room for so many, and more where it is too little.
        known.guessed = counted.is_none();
        let mut trips = match counted {
            Some(trips) => trips,
            None => Dim::Known(self.room()?),
        };
        // Without an iteration the graph goes on all the same: what waits is then in a row.
        if known.relies {
            trips = self.dim_binary(DimOp::Max, trips, Dim::Known(1))?;
        }
        let mut carried = std::mem::take(&mut known.carried);
        for c in &mut carried {
            if let (Place::Growth(obj), Template::Grown(t)) = (&c.place, &mut c.template) {
                self.make_room(*obj, t, trips)?;
            }
        }
        known.carried = carried;
        Ok(Some(trips))
    }

    /// Whether what variables name after the loop is only known if there was an iteration.
    fn relies_on_entry(&mut self, known: &Knowledge, at: &Entered, round: &Round) -> Res<bool> {
        for (c, first) in known.carried.iter().zip(&at.firsts) {
            if c.template.is_shared() {
                return Ok(true);
            }
            // Who reads an item of a list that was empty knows that there was an iteration.
            let is_empty = |g: &SymGrown| matches!(g.count, Some(Dim::Known(0)));
            if c.template.has_late_rows() && !self.grown(first).is_some_and(|(_, g)| is_empty(g)) {
                return Ok(true);
            }
            if matches!(c.place, Place::Elements(_)) {
                continue;
            }
            let after = self.read_of(&round.end, &c.place)?;
            if self.names_what_was_there(&c.template, &after, at.before)? {
                return Ok(true);
            }
        }
        // Without an iteration two names of one tensor would still be that.
        let is_tensor = |v: &Sym| matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Tensor(_)));
        let twice =
            |(i, v): (usize, &Sym)| is_tensor(v) && at.firsts[..i].iter().any(|w| w.same(v));
        Ok(at.firsts.iter().enumerate().any(twice))
    }
}

/// A refusal that says which variable it is about.
fn naming(mut stop: Stop, frame: &SymFrame, place: &Place) -> Stop {
    if let Stop::Not(not) = &mut stop {
        let what = match place {
            Place::Local(i) => frame.code.code.varnames.get(*i).map(ToString::to_string),
            _ => None,
        };
        let what = what.unwrap_or_else(|| place.to_string());
        match &mut not.cause {
            Cause::Refused(refusal) => refusal.detail = format!("{}: {what}", refusal.detail),
            Cause::Defect(defect) => defect.detail = format!("{}: {what}", defect.detail),
        }
    }
    stop
}
