//! Loops whose trip count moves or is large: one frame of the graph, whatever the count.
//!
//! In: the frame at a loop's head. Out: the frame after the loop, or a refusal, after which the
//! loop is unrolled where its count is known. Always: what an iteration changes is carried by the
//! frame's merges, found by running the body again until nothing new turns up; what a body cannot
//! carry (a print, a list that grows, an object made anew) is refused.
//!
//! A variable that changes its kind in the first iteration (`total = 0`, then a tensor) is settled
//! by running that iteration before the frame.

use std::collections::HashMap;
use std::rc::Rc;

use janus_dialect::{Attr, Type, ValueId};
use janus_object::Value;
use janus_tensor::ops::DimOp;
use janus_tensor::{Dim, Ops};

use crate::branch::{Branch, Checkpoint};
use crate::exec::{ActiveLoop, ContextKind, Executor, Flow, Leave};
use crate::growth::Spot;
use crate::names::{Leaving, TWO_NAMES};
use crate::places::Place;
use crate::plan::{DeoptReason, ScalarType};
use crate::scalar::Truth;
use crate::sym::{Kind, Obj, Slot, State, Sym, SymFrame, SymGrown, SymScalar};
use crate::templates::{Template, template_type};
use crate::{Res, Stop, cfg};

/// Loops one after the other that stay loops in one region: bufferization walks from each to all before it, twice
/// as long for each more.
const MAX_FRAMES: u32 = 10;
/// Times that a body is run to find out what it changes.
const MAX_ROUNDS: usize = 10;
/// What is assumed of a loop whose first iteration is relied on.
const ENTERED: &str = "loop-entered";

#[derive(Clone)]
pub(crate) struct Carried {
    pub place: Place,
    pub template: Template,
    /// A local that the iterations set: there is none before.
    pub fresh: bool,
    /// It names the same list as this place, which is carried.
    pub with: Option<Place>,
}

/// What a loop is.
#[derive(Clone)]
enum Head {
    /// `for`: its iterator, and where it leads when that ends.
    For(Obj, u32),
    /// `while`: whether the test at its head is the frame's condition.
    While { test: bool },
}

/// What an attempt came to.
enum Attempt {
    Done(Looped),
    /// More is carried, or in another way.
    Again,
}

/// What became of a loop at its head.
pub(crate) enum Looped {
    /// It is no frame: its next iteration is run.
    Not,
    /// The symbolic frame is behind it.
    Done,
    /// The code ends with it.
    Ended(Flow),
}

/// Where an attempt began.
struct Here {
    frame: SymFrame,
    context: u32,
    loops: usize,
    active: usize,
}

/// What is known of a loop before an attempt.
#[derive(Clone, Default)]
struct Knowledge {
    carried: Vec<Carried>,
    /// The loop is left by a `break`.
    breaks: bool,
    /// Whether there was an iteration is carried.
    enters: bool,
    /// It is relied on that there is a first iteration.
    relies: bool,
    /// It is left by a `return` of this.
    returns: Option<Template>,
    /// How often it runs at most is a guess.
    guessed: bool,
}

/// Which locals are read from one of these places on.
fn live_at(frame: &SymFrame, exits: &[u32]) -> Vec<bool> {
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
fn first_set<'a>(
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
    /// A `for` at its head.
    pub(crate) fn for_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        exit: u32,
        it: &Sym,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let Sym::Obj(it) = it else {
            return Ok(Looped::Not);
        };
        let it = *it;
        if self.generates(it) {
            return Ok(Looped::Not);
        }
        self.settle_found_iter(frame, head, it)?;
        let trips = match self.iter_state(it) {
            Some(_) => match self.more(it)? {
                Truth::Known(false) => return Ok(Looped::Not),
                Truth::Known(true) => self.trips_left(it),
                Truth::Dynamic(_) => None,
            },
            // A generator.
            None => return Ok(Looped::Not),
        };
        if trips.is_some_and(|n| n <= self.most_unrolled()) && !self.breaks_early(frame, head) {
            return Ok(Looped::Not);
        }
        let key = self.key("loop");
        if trips.is_some() && self.unframed.contains_key(&key) {
            return Ok(Looped::Not);
        }
        let (start, saved) = (self.checkpoint(), self.here(frame));
        match self.frame_loop(frame, head, &Head::For(it, exit), stop) {
            Ok(done) => Ok(done),
            // Without an iteration the recursion ends.
            Err(Stop::Endless) if trips.is_none() && !self.on_trial => {
                self.skip_loop(frame, &saved, start, exit);
                frame.stack.pop();
                Ok(Looped::Done)
            }
            Err(stop) if stop.ends_attempt() => Err(stop),
            Err(stop) if trips.is_some() => {
                let not = self.not_converted(stop);
                tracing::debug!("unrolled: {not}");
                self.unframed.insert(key, not.reason);
                Ok(Looped::Not)
            }
            Err(stop) => Err(stop),
        }
    }

    /// A `while` at its head.
    pub(crate) fn while_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let key = self.key("loop");
        // What only graphs are made of (see `loop_function`) is written to be unrolled.
        let unseen = |s: &janus_object::Site| s.count.get() == 0;
        let only_here =
            frame.code.code.is_library() && frame.code.profile.site(head).is_none_or(unseen);
        if only_here || self.unframed.contains_key(&key) {
            return Ok(Looped::Not);
        }
        let exit = self.head_test(frame, head);
        let test = exit.is_some();
        let (start, saved) = (self.checkpoint(), self.here(frame));
        match (
            self.frame_loop(frame, head, &Head::While { test }, stop),
            exit,
        ) {
            (Err(Stop::Endless), Some(exit)) if !self.on_trial => {
                self.skip_loop(frame, &saved, start, exit);
                Ok(Looped::Done)
            }
            (Ok(done), _) => Ok(done),
            (Err(stop), _) if stop.ends_attempt() => Err(stop),
            (Err(stop), _) => {
                let not = self.not_converted(stop);
                tracing::debug!("unrolled: {not}");
                self.unframed.insert(key, not.reason);
                Ok(Looped::Not)
            }
        }
    }

    /// Goes on behind a loop as if it had no iteration.
    fn skip_loop(&mut self, frame: &mut SymFrame, saved: &Here, start: Checkpoint, exit: u32) {
        self.back(frame, saved);
        self.forget(start);
        frame.pc = exit;
    }

    /// The dynamic test at a loop's head, when that is all that is run.
    pub(crate) fn loop_test(
        &mut self,
        next: u32,
        target: u32,
        predicate: ValueId,
        jump_on: bool,
    ) -> Res<Option<Flow>> {
        let depth = self.active.len();
        let Some(l) = self.loops.last().filter(|l| l.testing && l.depth == depth) else {
            return Ok(None);
        };
        if (l.head..=l.end).contains(&target) {
            // A test of several parts: the body leaves by breaks.
            return Ok(Some(Flow::Stop));
        }
        let predicate = SymScalar {
            id: predicate,
            ty: ScalarType::Bool,
        };
        let stays = if jump_on {
            self.not(&Sym::Scalar(predicate))?
        } else {
            Sym::Scalar(predicate)
        };
        match stays {
            Sym::Scalar(s) => Ok(Some(Flow::Test {
                go_on: s.id,
                stay: next,
                exit: target,
            })),
            _ => self.fail("a test that is known"),
        }
    }

    // ---- the frame -----------------------------------------------------------------------

    /// Makes a loop a frame: as it is, or after its first iteration.
    fn frame_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &Head,
        stop: Option<u32>,
    ) -> Res<Looped> {
        if self.state.frames >= MAX_FRAMES {
            return self.fail(format!(
                "the region is too large: more than {MAX_FRAMES} loops one after the other"
            ));
        }
        let start = self.checkpoint();
        let saved = self.here(frame);
        let first = match self.settle(frame, head, kind, stop) {
            Ok(done) => {
                self.state.frames += 1;
                return Ok(done);
            }
            Err(stop) if stop.ends_attempt() => return Err(stop),
            Err(stop) => self.not_converted(stop),
        };
        tracing::debug!("not with its first iteration: {first}");
        let first = Stop::Not(Box::new(first));
        self.back(frame, &saved);
        self.forget(start.clone());
        let tentative = std::mem::replace(&mut self.tentative, true);
        let peeled = self.peel(frame, head, kind);
        self.tentative = tentative;
        let peeled = match peeled {
            Ok(()) => self.settle(frame, head, kind, stop),
            Err(stop) => Err(stop),
        };
        match peeled {
            Ok(done) => {
                self.state.frames += 1;
                Ok(done)
            }
            Err(stop) if stop.ends_attempt() => Err(stop),
            Err(stop) => {
                tracing::debug!(
                    "not after its first iteration: {}",
                    self.not_converted(stop)
                );
                self.back(frame, &saved);
                self.forget(start);
                Err(first)
            }
        }
    }

    fn here(&self, frame: &SymFrame) -> Here {
        Here {
            frame: frame.clone(),
            context: self.context,
            loops: self.loops.len(),
            active: self.active.len(),
        }
    }

    fn back(&mut self, frame: &mut SymFrame, to: &Here) {
        *frame = to.frame.clone();
        self.context = to.context;
        self.loops.truncate(to.loops);
        self.active.truncate(to.active);
    }

    /// Runs the first iteration on its own.
    fn peel(&mut self, frame: &mut SymFrame, head: u32, kind: &Head) -> Res<()> {
        let stack = frame.stack.clone();
        frame.pc = head + 1;
        if let Head::For(it, _) = kind {
            match self.more(*it)? {
                Truth::Known(true) => {}
                Truth::Known(false) => return self.fail("a loop without an iteration"),
                Truth::Dynamic(m) => self.assert_entered(head, m)?,
            }
            let item = self.advance(*it)?;
            frame.stack.push(item);
        }
        self.begin(frame, head, stack.len(), false)?;
        let flow = self.run(frame, None)?;
        self.loops.pop();
        match flow {
            Flow::LoopEnd {
                go_on: Sym::Known(Value::Bool(true)),
                ..
            } => {}
            _ => return self.fail("a loop that may be left in its first iteration"),
        }
        frame.stack = stack;
        frame.pc = head + 1;
        Ok(())
    }

    /// Whether a loop ended before its first iteration, as far as is known.
    fn may_not_enter(&self, frame: &SymFrame, head: u32) -> bool {
        let site = frame.code.profile.site(head);
        let never = |s: &janus_object::Site| s.taken.get() > 0 && s.trips.get().1 == 0;
        let relaxed = &self.relaxations.both_sides;
        site.is_some_and(never) || relaxed.contains(&self.key_at(head, ENTERED))
    }

    fn assert_entered(&mut self, head: u32, entered: ValueId) -> Res<()> {
        let key = self.key_at(head, ENTERED);
        let expected = "the loop runs at least once".to_owned();
        self.assert(entered, DeoptReason::TripCount, key, expected)
    }

    fn begin(&mut self, frame: &SymFrame, head: u32, depth: usize, testing: bool) -> Res<()> {
        let Some(end) = cfg::last_back_edge(&frame.code.code, head) else {
            return self.fail("a loop that never goes round");
        };
        self.loops.push(ActiveLoop {
            depth: self.active.len(),
            head,
            end,
            base: depth,
            testing,
            before: self.state.heap.len(),
        });
        Ok(())
    }

    /// Runs the body until what is carried is known, then for good.
    fn settle(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &Head,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let mut known = Knowledge::default();
        let mut kind = kind.clone();
        for _ in 0..MAX_ROUNDS {
            let start = self.checkpoint();
            let saved = self.here(frame);
            let elsewhere = self.known_elsewhere.len();
            let attempt = self.attempt(frame, head, &mut kind, &mut known, stop);
            self.known_elsewhere.truncate(elsewhere);
            match attempt? {
                Attempt::Done(done) => return Ok(done),
                Attempt::Again => {
                    let met = self.state.clone();
                    self.back(frame, &saved);
                    self.forget(start.clone());
                    self.state = self.padded(start.state, &met);
                }
            }
        }
        self.fail("a loop whose variables do not settle")
    }

    fn attempt(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &mut Head,
        known: &mut Knowledge,
        stop: Option<u32>,
    ) -> Res<Attempt> {
        let parent = self.context;
        let known_dims = self.dims.len();
        let rooms = self.state.heap.len();
        let trips = self.make_rooms(known, kind)?;
        let before = self.state.heap.len();
        self.frames += 1;
        let name: Rc<str> = format!("loop{}", self.frames).into();
        let outer = self.new_context(ContextKind::Frame(name.clone()));
        // What is carried enters the frame and meets what comes round.
        let mut merges: Vec<Merged> = Vec::new();
        let flags = [(known.breaks, true), (known.enters, false)];
        let mut flag_values = [None, None];
        for (i, (wanted, at_first)) in flags.into_iter().enumerate() {
            if wanted {
                let init = self.constant(ScalarType::Bool, u64::from(at_first))?;
                flag_values[i] = Some(merges.len());
                merges.push(self.enter(&name, outer, init)?);
            }
        }
        let mut ranges = Vec::with_capacity(known.carried.len());
        let mut firsts: Vec<Sym> = Vec::with_capacity(known.carried.len());
        // New elements first: what shows them is as it is then.
        known.carried.sort_by_key(|c| match c.place {
            Place::Elements(_) => 0,
            Place::Growth(_) => 3,
            _ if c.with.is_some() => 2,
            _ => 1,
        });
        let mut merged: Vec<(Place, Sym)> = Vec::new();
        for i in 0..known.carried.len() {
            let (done, rest) = known.carried.split_at_mut(i);
            if let Some(Carried {
                place: Place::Growth(obj),
                template: Template::Grown(t),
                ..
            }) = rest.first_mut()
            {
                let place_of = |p: &Place| done.iter().position(|c| c.place == *p);
                self.begin_sharing(*obj, t, &|p| firsts.get(place_of(p)?).cloned())?;
            }
            let c = known.carried[i].clone();
            let mut values = Vec::new();
            let init = if c.fresh {
                self.nothing(&c.template, &mut values)?;
                Sym::Null
            } else {
                let init = self.read(frame, &c.place)?;
                self.flatten(&init, &c.template, &mut values)?;
                init
            };
            let first = merges.len();
            for v in values {
                merges.push(self.enter(&name, outer, v)?);
            }
            let mut inside = merges[first..].iter().map(|m| m.merged);
            self.context = outer;
            let sym = match &c.with {
                Some(place) => self.named(&merged, place),
                None => self.unflatten(&c.template, &mut inside, &init),
            };
            let sym = sym.and_then(|sym| {
                if let Some(i) = flag_values[1] {
                    self.not_at_first(&c.template, &sym, merges[i].merged)?;
                }
                Ok(sym)
            });
            self.context = parent;
            let sym = sym?;
            merged.push((c.place.clone(), sym.clone()));
            if let (Template::Sequence(form, _), Sym::Obj(obj)) = (&c.template, &sym)
                && form.shared
            {
                self.known_elsewhere.push(*obj);
            }
            if !c.fresh {
                self.write(frame, &c.place, sym)?;
            }
            if let (Place::Growth(obj), Template::Grown(t)) = (&c.place, &c.template) {
                self.begins_to_grow(*obj)?;
                self.share(*obj, t, &|p| {
                    let at = merged.iter().position(|(place, _)| place == p)?;
                    let template = known.carried.get(at)?.template.clone();
                    Some((merged[at].1.clone(), template))
                })?;
            }
            firsts.push(init);
            ranges.push(first..merges.len());
        }
        let counts = self.count_anew();
        // What is returned means nothing before.
        let returned_at = merges.len();
        if let Some(template) = known.returns.clone() {
            let mut values = Vec::new();
            self.nothing(&template, &mut values)?;
            for v in values {
                merges.push(self.enter(&name, outer, v)?);
            }
        }
        let start = (self.state.clone(), frame.clone());
        // The head: whether there is another iteration.
        self.context = outer;
        let (natural, stay, leave) = match kind {
            Head::For(it, exit) => {
                let more = match self.more(*it)? {
                    Truth::Dynamic(m) => m,
                    Truth::Known(m) => self.constant(ScalarType::Bool, u64::from(m))?,
                };
                (Some(more), head + 1, Some(*exit))
            }
            Head::While { test: true } => {
                frame.pc = head + 1;
                self.begin(frame, head, frame.stack.len(), true)?;
                let flow = self.run(frame, None)?;
                self.loops.pop();
                let changed = self.changes(&start, &(self.state.clone(), frame.clone()))?;
                match flow {
                    // What the test sets is read behind the loop as the last test left it.
                    Flow::Test { go_on, stay, exit }
                        if changed.is_empty()
                            && first_set(&start.1, frame, &[exit]).next().is_none() =>
                    {
                        (Some(go_on), stay, Some(exit))
                    }
                    _ => {
                        *kind = Head::While { test: false };
                        known.breaks = true;
                        return Ok(Attempt::Again);
                    }
                }
            }
            Head::While { test: false } => (None, head + 1, None),
        };
        let go_on = flag_values[0].map(|i| merges[i].merged);
        let condition = match (natural, go_on) {
            (Some(n), Some(g)) => self.emit1("arith.andi", &[n, g], &[], Type::I1)?,
            (Some(v), None) | (None, Some(v)) => v,
            (None, None) => {
                known.breaks = true;
                return Ok(Attempt::Again);
            }
        };
        let condition = self.emit1("janus.loop_cond", &[condition], &[], Type::I1)?;
        let body = self.new_context(ContextKind::Side {
            predicate: condition,
            side: true,
        });
        self.context = body;
        // The body.
        let depth = frame.stack.len();
        let iterator = frame.stack.clone();
        frame.pc = stay;
        if let Head::For(it, _) = kind {
            let item = self.advance(*it)?;
            frame.stack.push(item);
        }
        let base = match kind {
            Head::For(..) => depth.saturating_sub(1),
            Head::While { .. } => depth,
        };
        self.begin(frame, head, base, false)?;
        let flow = self.run(frame, None)?;
        self.loops.pop();
        let Flow::LoopEnd {
            go_on: again,
            leave: broke,
            returned,
        } = flow
        else {
            return self.fail("a loop whose trip count moves is left in the midst");
        };
        if self.state.effects.len() != start.0.effects.len() {
            return self.fail("a loop whose trip count moves prints");
        }
        // A local that was unset at the head and is not read there is the iteration's own.
        let mut end = (self.state.clone(), frame.clone());
        end.1.stack = iterator;
        let breaks = !matches!(again, Sym::Known(Value::Bool(true)));
        if breaks != known.breaks && !known.breaks {
            known.breaks = true;
            return Ok(Attempt::Again);
        }
        for c in &known.carried.clone() {
            if let (Place::Growth(obj), Template::Grown(t)) = (&c.place, &c.template) {
                self.store_waiting(*obj, t)?;
                end.0 = self.state.clone();
            }
        }
        let exits: Vec<u32> = match &broke {
            Some(Leave::To(b)) => leave.into_iter().chain([*b]).collect(),
            _ => leave.into_iter().collect(),
        };
        let mut settled = true;
        let may_not_enter = self.may_not_enter(frame, head);
        let changed = self.changes(&start, &end)?;
        let first_set = first_set(&start.1, &end.1, &exits).map(Place::Local);
        let more: Vec<Place> = first_set.filter(|place| !changed.contains(place)).collect();
        for place in changed.into_iter().chain(more) {
            if known.carried.iter().any(|c| c.place == place) {
                continue;
            }
            settled = false;
            if let Place::Local(i) = place
                && matches!(start.1.locals.get(i), Some(Slot::Empty))
            {
                let after = self.read_of(&end, &place)?;
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
            let before = self.read_of(&start, &place)?;
            let template = match &place {
                Place::Elements(obj) => Template::Tensor(self.tensor_template(self.tensor(*obj)?)),
                Place::Growth(obj) => {
                    let first = match self.pristine.get(obj) {
                        Some((_, object)) if *obj >= start.0.heap.len() => object.kind.clone(),
                        _ => start.0.heap[*obj].kind.clone(),
                    };
                    let list = end.0.heap[*obj].clone();
                    let grown = self.growth(&list, &first, false, !may_not_enter)?;
                    self.check_growth(&grown, known_dims)?;
                    known.carried.push(Carried {
                        place,
                        template: Template::Grown(Box::new(grown)),
                        fresh: false,
                        with: None,
                    });
                    continue;
                }
                _ => {
                    let after = self.read_of(&end, &place)?;
                    match self.taken_apart(&before, &after, &start)? {
                        Some(template) => template,
                        None => self.template(&before),
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
        for i in 0..known.carried.len() {
            let after = self.read_of(&end, &known.carried[i].place.clone())?;
            let template = known.carried[i].template.clone();
            if matches!(template, Template::Grown(_)) && self.grown(&after).is_none() {
                continue;
            }
            if let Some(place) = &known.carried[i].with {
                // It did so before the loop.
                if !after.same(&self.read_of(&end, place)?) {
                    return self.fail(TWO_NAMES);
                }
                continue;
            }
            let wider = self.widen(&template, &after);
            if let Some(wider) =
                wider.map_err(|stop| naming(stop, frame, &known.carried[i].place))?
            {
                if let Template::Grown(t) = &wider {
                    self.check_growth(t, known_dims)?;
                }
                known.carried[i].template = wider;
                settled = false;
            }
            if !matches!(known.carried[i].place, Place::Elements(_)) {
                let template = &mut known.carried[i].template;
                settled &= !self.note_names(template, &after, before, rooms)?;
            }
        }
        let mut afters = Vec::with_capacity(known.carried.len());
        for c in &known.carried.clone() {
            let values = matches!(c.template, Template::Tensor(_) | Template::Sequence(..));
            if values && !matches!(c.place, Place::Elements(_)) {
                let after = self.read_of(&end, &c.place)?;
                self.spots(&Spot::of(c.place.clone()), &c.template, &after, &mut afters)?;
            }
        }
        for c in &mut known.carried {
            if let (Place::Growth(obj), Template::Grown(t)) = (&c.place, &mut c.template)
                && matches!(self.state.heap[*obj].kind, Kind::Grown(_))
            {
                settled &= !self.find_shared(*obj, t, &afters)?;
            }
        }
        settled &= !self.find_named(&mut known.carried, &firsts, &start, &end)?;
        if settled {
            self.check_lists(known, returned.as_ref(), &start, &end, before)?;
        }
        if let Some(v) = &returned {
            let template = match known.returns.clone() {
                Some(t) => t,
                None => {
                    settled = false;
                    self.template(v)
                }
            };
            let wider = self.widen(&template, v)?;
            settled &= wider.is_none();
            known.returns = Some(wider.unwrap_or(template));
        }
        if !known.relies && self.relies_on_entry(known, &firsts, &end, before)? {
            (known.enters, known.relies) = (true, true);
            settled = false;
        }
        if !known.enters && known.carried.iter().any(|c| c.template.is_late()) {
            known.enters = true;
            settled = false;
        }
        if !settled {
            return Ok(Attempt::Again);
        }
        for c in &known.carried {
            let after = self.read_of(&end, &c.place)?;
            self.check_kept(&after, &start.0, before)?;
        }
        // Round again, and out.
        let mut next = Vec::with_capacity(merges.len());
        if flag_values[0].is_some() {
            match self.number(&again)? {
                Some(v) => next.push(v.id),
                None => return self.fail("bad condition"),
            }
        }
        if flag_values[1].is_some() {
            next.push(self.constant(ScalarType::Bool, 1)?);
        }
        for c in &known.carried.clone() {
            let after = self.read_of(&end, &c.place)?;
            self.flatten(&after, &c.template, &mut next)?;
        }
        if let (Some(v), Some(template)) = (&returned, &known.returns) {
            self.flatten(v, &template.clone(), &mut next)?;
        }
        let mut left = Vec::with_capacity(merges.len());
        for (merged, value) in merges.iter().zip(next) {
            left.push(self.close(merged, value, condition, parent)?);
        }
        self.context = parent;
        let mut leaving = Leaving {
            name,
            outer,
            parent,
            body,
            condition,
            before,
            entered: known.relies,
            left: HashMap::new(),
        };
        let mut places = Vec::with_capacity(known.carried.len());
        for (c, range) in known.carried.iter().zip(ranges) {
            let first = match c.fresh {
                true => Sym::Null,
                false => self.read_of(&start, &c.place)?,
            };
            let after = self.read_of(&end, &c.place)?;
            places.push((c, range, first, after));
        }
        // Without an iteration what only the body uses has no gradient.
        let may_not_enter = may_not_enter && !known.relies;
        let entered = flag_values[1].map(|i| left[i]);
        *frame = end.1;
        // What others may be views of, or names of, comes before them.
        places.sort_by_key(|(c, _, _, after)| match (&c.place, after) {
            (Place::Elements(_), _) => 0,
            _ if c.with.is_some() => 3,
            (_, Sym::Obj(o)) if self.tensor(*o).is_ok_and(|t| t.view.is_none()) => 1,
            _ => 2,
        });
        let mut named = Vec::with_capacity(places.len());
        for (c, range, first, after) in places {
            let mut values = left[range].iter().copied();
            let sym = if let Place::Elements(obj) = c.place {
                let sym = self.unflatten(&c.template, &mut values, &first)?;
                if let Sym::Obj(made) = sym {
                    self.leave_tape(before, made, obj)?;
                }
                sym
            } else if let Some(place) = &c.with {
                self.named(&named, place)?
            } else {
                self.leave(&mut leaving, &c.template, &mut values, &first, &after)?
            };
            if let (true, Some(entered)) = (may_not_enter, entered) {
                self.not_at_first(&c.template, &sym, entered)?;
            }
            named.push((c.place.clone(), sym.clone()));
            self.write(frame, &c.place, sym)?;
            if let Place::Elements(obj) = c.place {
                self.written_behind(obj, &start.0, known.relies)?;
            }
        }
        for c in &known.carried {
            if let (Place::Growth(obj), Template::Grown(t)) = (&c.place, &c.template) {
                self.end_sharing(*obj, t, &named)?;
                self.name_again(*obj, &leaving)?;
            }
        }
        self.restore_counts(counts);
        for (c, first) in known.carried.iter().zip(&firsts) {
            if let (Place::Growth(obj), Template::Grown(t)) = (&c.place, &c.template)
                && let Some((_, first)) = self.grown(first)
                && let Some(trips) = trips
            {
                let first = first.clone();
                self.grew(*obj, &first, t, trips, !known.breaks && !known.guessed)?;
                if known.guessed {
                    self.assert_rows(*obj)?;
                }
            }
        }
        if let (false, Some(entered)) = (may_not_enter, entered) {
            let first = self.assertions.len();
            self.assert_entered(head, entered)?;
            let is_new = !self
                .relaxations
                .both_sides
                .contains(&self.key_at(head, ENTERED));
            if is_new {
                self.relaxed_at_first_miss(first);
            }
        }
        frame.stack.truncate(base);
        let result = match (&known.returns.clone(), &returned) {
            (Some(template), Some(v)) => {
                let mut values = left[returned_at..].iter().copied();
                // It is only looked at where an iteration returned it.
                let entered = std::mem::replace(&mut leaving.entered, true);
                let v = self.leave(&mut leaving, template, &mut values, &Sym::Null, v);
                leaving.entered = entered;
                Some(v?)
            }
            _ => None,
        };
        let exit = match (leave, broke) {
            (Some(a), Some(Leave::To(b))) if a != b => match (flag_values[0], result.is_some()) {
                (Some(i), false) => {
                    self.drop_iteration_locals(frame, &start.1, &exits, known)?;
                    return self.leave_or_else(frame, left[i], a, b, stop);
                }
                _ => return self.fail("a loop with an else, left by a return"),
            },
            (None, Some(Leave::Return)) => {
                let Some(v) = result else {
                    return self.fail("a loop without a result");
                };
                let flow = self.returning(frame, v);
                return Ok(Attempt::Done(Looped::Ended(flow)));
            }
            (Some(pc), _) | (None, Some(Leave::To(pc))) => pc,
            (None, None) => return self.fail("a loop without an end"),
        };
        self.drop_iteration_locals(frame, &start.1, &exits, known)?;
        frame.pc = exit;
        if let (Some(v), Some(i)) = (result, flag_values[0]) {
            let flow = self.goes_on_or_returns(frame, left[i], v, stop)?;
            return Ok(Attempt::Done(Looped::Ended(flow)));
        }
        Ok(Attempt::Done(Looped::Done))
    }

    /// Behind a loop with an `else`: that where it ended by itself, what follows where it was left.
    fn leave_or_else(
        &mut self,
        frame: &mut SymFrame,
        ended: ValueId,
        otherwise: u32,
        behind: u32,
        stop: Option<u32>,
    ) -> Res<Attempt> {
        let branch = Branch {
            pc: frame.pc,
            predicate: self.use_value(ended)?,
            jump_on: false,
            target: behind,
            kept: None,
            rest: None,
            operand: None,
            join: Some(behind),
            effects: self.state.effects.len(),
        };
        frame.pc = otherwise;
        let key = self.key("loop-else");
        Ok(Attempt::Done(
            match self.both_sides(frame, &branch, stop, &key)? {
                Some(flow) => Looped::Ended(flow),
                None => Looped::Done,
            },
        ))
    }

    /// Before an attempt: room for what lists get in it. Returns how many iterations there are at most.
    fn make_rooms(&mut self, known: &mut Knowledge, kind: &Head) -> Res<Option<Dim>> {
        let grows = |c: &Carried| matches!(c.place, Place::Growth(_));
        if !known.carried.iter().any(grows) {
            return Ok(None);
        }
        let counted = match kind {
            Head::For(it, _) => match self.most_trips(*it) {
                Ok(trips) => Some(trips),
                Err(stop) if stop.ends_attempt() => return Err(stop),
                Err(_) => None,
            },
            Head::While { .. } => None,
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

    /// Lists that an iteration makes are carried by what they hold: each under one name.
    fn check_lists(
        &mut self,
        known: &Knowledge,
        returned: Option<&Sym>,
        start: &(State, SymFrame),
        end: &(State, SymFrame),
        before: usize,
    ) -> Res<()> {
        let mut lists = Vec::new();
        for c in &known.carried {
            let after = self.read_of(end, &c.place)?;
            self.lists_in(&c.template, &after, &mut lists)?;
        }
        if let (Some(v), Some(template)) = (returned, &known.returns) {
            self.lists_in(template, v, &mut lists)?;
        }
        let is_first = |l: &Obj| self.known_elsewhere.contains(l);
        let is_same = |&l: &Obj| match (&start.0.heap[l].kind, &end.0.heap[l].kind) {
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
        if !self.known_elsewhere.iter().all(is_same) {
            return self.fail("a list from outside, which an iteration replaces, is changed");
        }
        if lists
            .iter()
            .any(|l| self.was_there(*l, before) || is_first(l))
        {
            return self.fail("a variable names another list after an iteration");
        }
        let count = lists.len();
        lists.sort_unstable();
        lists.dedup();
        if lists.len() < count {
            return self.fail(TWO_NAMES);
        }
        Ok(())
    }

    /// Whether what variables name after the loop is only known if there was an iteration.
    fn relies_on_entry(
        &mut self,
        known: &Knowledge,
        firsts: &[Sym],
        end: &(State, SymFrame),
        before: usize,
    ) -> Res<bool> {
        for (c, first) in known.carried.iter().zip(firsts) {
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
            let after = self.read_of(end, &c.place)?;
            if self.names_what_was_there(&c.template, &after, before)? {
                return Ok(true);
            }
        }
        // Without an iteration two names of one tensor would still be that.
        let is_tensor = |v: &Sym| matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Tensor(_)));
        let twice = |(i, v): (usize, &Sym)| is_tensor(v) && firsts[..i].iter().any(|w| w.same(v));
        Ok(firsts.iter().enumerate().any(twice))
    }

    /// Values of the graph that stand for one that is not there yet.
    pub(crate) fn nothing(&mut self, template: &Template, out: &mut Vec<ValueId>) -> Res<()> {
        match template {
            Template::Same(Sym::Known(_)) => Ok(()),
            Template::Same(_) => self.fail("an object is returned from inside a loop"),
            Template::Scalar(ty) => {
                out.push(self.constant(*ty, 0)?);
                Ok(())
            }
            Template::Sequence(_, items) => items.iter().try_for_each(|t| self.nothing(t, out)),
            Template::Grown(_) => self.fail("a list that grew is returned from inside a loop"),
            Template::Tensor(t) => {
                let mut operands = vec![self.int(0)?];
                for d in &t.dims {
                    match d {
                        Some(d) if d.known().is_some() => {}
                        Some(d) => operands.push(self.dim_value(*d)?),
                        None => operands.push(self.dim_value(Dim::Known(0))?),
                    }
                }
                out.push(self.emit1("janus.full", &operands, &[], template_type(t))?);
                t.decided.iter().try_for_each(|_| {
                    out.push(self.constant(ScalarType::Bool, 0)?);
                    Ok(())
                })
            }
        }
    }

    /// Locals that only the body sets mean nothing behind the loop.
    fn drop_iteration_locals(
        &mut self,
        frame: &mut SymFrame,
        start: &SymFrame,
        exits: &[u32],
        known: &Knowledge,
    ) -> Res<()> {
        let live = live_at(frame, exits);
        for (i, live) in live.into_iter().enumerate() {
            if known
                .carried
                .iter()
                .any(|c| c.fresh && c.place == Place::Local(i))
            {
                continue;
            }
            if matches!(start.locals[i], Slot::Empty) && !matches!(frame.locals[i], Slot::Empty) {
                if live {
                    let name = frame.code.code.varnames[i].clone();
                    return self.fail(format!("{name} is first set inside a loop"));
                }
                frame.locals[i] = Slot::Empty;
            }
        }
        Ok(())
    }

    // ---- merges --------------------------------------------------------------------------

    fn raw(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, Attr)],
        results: &[Type],
        context: u32,
    ) -> Res<Vec<ValueId>> {
        let loc = self.loc();
        let results = self.graph().op(name, operands, attrs, results, &loc)?;
        for &r in &results {
            self.value_context.insert(r, context);
        }
        Ok(results)
    }

    pub(crate) fn enter(&mut self, name: &Rc<str>, context: u32, init: ValueId) -> Res<Merged> {
        let init = self.use_value(init)?;
        let ty = self.builder.type_of(init);
        let loc = self.loc();
        let attrs = [("frame", Attr::Str(name.to_string()))];
        let entered = self.raw(
            "janus.enter",
            &[init],
            &attrs,
            std::slice::from_ref(&ty),
            context,
        )?;
        let back = self.graph().forward(ty.clone(), &loc)?;
        self.value_context.insert(back, context);
        let merged = self.raw(
            "janus.merge",
            &[entered[0], back],
            &[],
            &[ty, Type::I64],
            context,
        )?;
        Ok(Merged {
            merged: merged[0],
            back,
            context,
        })
    }

    /// Gives a merge its value for the next iteration; what it is when the loop is left.
    pub(crate) fn close(
        &mut self,
        merged: &Merged,
        next: ValueId,
        condition: ValueId,
        parent: u32,
    ) -> Res<ValueId> {
        let next = self.use_value(next)?;
        let ty = self.builder.type_of(merged.merged);
        let types = [ty.clone()];
        let round = self.raw("janus.next_iteration", &[next], &[], &types, merged.context)?;
        self.graph().resolve(merged.back, round[0])?;
        let sides = self.raw(
            "janus.switch",
            &[condition, merged.merged],
            &[],
            &[ty.clone(), ty],
            merged.context,
        )?;
        let out = self.raw("janus.exit", &[sides[1]], &[], &types, parent)?;
        Ok(out[0])
    }
}

/// A merge of a frame.
pub(crate) struct Merged {
    merged: ValueId,
    back: ValueId,
    context: u32,
}

/// A refusal that says which variable it is about.
fn naming(mut stop: Stop, frame: &SymFrame, place: &Place) -> Stop {
    if let Stop::Not(not) = &mut stop {
        let what = match place {
            Place::Local(i) => frame.code.code.varnames.get(*i).map(ToString::to_string),
            _ => None,
        };
        let what = what.unwrap_or_else(|| place.to_string());
        not.reason = format!("{}: {what}", not.reason);
    }
    stop
}
