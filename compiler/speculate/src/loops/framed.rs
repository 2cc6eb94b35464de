//! Loops whose trip count moves or is large: one frame of the graph, whatever the count.
//!
//! In: the frame at a loop's head. Out: the frame after the loop, or a refusal, after which the
//! loop is unrolled where its count is known. Always: what an iteration changes is carried by the
//! frame's merges, found by running the body again until nothing new turns up; what a body cannot
//! carry (a print, an object made anew that has two names) is refused.
//!
//! A variable that changes its kind in the first iteration (`total = 0`, then a tensor), or what is made of such
//! a variable in the second, is settled by running these iterations before the frame.

use janus_dialect::{Type, ValueId};
use janus_object::{Bool, Value};
use janus_plan::{AssumptionKey, Cause, DeoptReason, ReasonId, ScalarType};

use crate::branches::branch::Checkpoint;
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::loops::carried::Knowledge;
use crate::loops::condition::Test;
use crate::loops::frame_ops::Entered;
use crate::numbers::arithmetic::Truth;
use crate::state::cfg;
use crate::state::running::{ActiveLoop, Flow, Leave};
use crate::state::sym::{Obj, State, Sym, SymFrame};
use crate::{Res, Stop};

/// Loops one after the other that stay loops in one region: bufferization walks from each to all before it, twice
/// as long for each more.
const MAX_FRAMES: u32 = 10;
/// Times that a body is run to find out what it changes.
const MAX_ROUNDS: usize = 10;
/// Iterations that are run before a frame.
const MAX_PEELED: usize = 2;
/// What is assumed of a loop whose first iteration is relied on.
pub(crate) const ENTERED: &str = "loop-entered";

/// What a loop is.
#[derive(Clone)]
enum Head {
    /// `for`: its iterator, and where it leads when that ends.
    For(Obj, u32),
    /// `while`: whether the test at its head is the frame's condition.
    While { test: bool },
}

impl Head {
    fn iterator(&self) -> Option<Obj> {
        match self {
            Head::For(it, _) => Some(*it),
            Head::While { .. } => None,
        }
    }
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

/// An iteration that was run.
pub(crate) struct Round {
    /// Whether there is another one, and the context of the body.
    pub condition: ValueId,
    pub body: u32,
    /// The stack's height behind the loop.
    pub base: usize,
    /// Where the loop leads when it ends by itself, where all ways out of it lead.
    pub leave: Option<u32>,
    pub exits: Vec<u32>,
    /// Whether it goes on, how it was left, and with what.
    pub again: Sym,
    pub broke: Option<Leave>,
    pub returned: Option<Sym>,
    /// It was raised.
    pub raises: bool,
    /// At its end.
    pub end: (State, SymFrame),
    /// Its test holds whatever the iteration does.
    endless: bool,
    /// The profile has seen the loop without an iteration.
    pub may_be_none: bool,
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
        let filtered = self.goes_over_filtered(it);
        if filtered && !cfg::breaks(&frame.code.code, head).is_empty() {
            self.go_over_numbers(it)?;
        }
        if self.generates(it) || self.goes_over_filtered(it) {
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
        if trips.is_some() && self.looping.unframed.contains_key(&key) {
            return Ok(Looped::Not);
        }
        let (start, saved) = (self.checkpoint(), self.here(frame));
        let guards = self.guards_made();
        let mut one_by_one = Vec::new();
        self.go_by_rows(it, &mut one_by_one);
        match self.frame_loop(frame, head, &Head::For(it, exit), stop) {
            Ok(done) => Ok(done),
            // Without an iteration the recursion ends.
            Err(Stop::Endless) if trips.is_none() && !self.looping.on_trial => {
                self.skip_loop(frame, &saved, start, exit);
                frame.stack.pop();
                Ok(Looped::Done)
            }
            Err(stop) if stop.ends_attempt() => Err(stop),
            Err(stop) if trips.is_some() => {
                let not = self.not_converted(stop);
                tracing::debug!("unrolled: {not}");
                self.no_frame(key, not.cause, guards);
                for (it, kind) in one_by_one {
                    self.state.heap[it].kind = kind;
                }
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
        if only_here || self.looping.unframed.contains_key(&key) {
            return Ok(Looped::Not);
        }
        let exit = self.head_test(frame, head);
        let test = exit.is_some();
        let (start, saved) = (self.checkpoint(), self.here(frame));
        let guards = self.guards_made();
        match (
            self.frame_loop(frame, head, &Head::While { test }, stop),
            exit,
        ) {
            (Err(Stop::Endless), Some((_, exit))) if !self.looping.on_trial => {
                self.skip_loop(frame, &saved, start, exit);
                Ok(Looped::Done)
            }
            (Ok(done), _) => Ok(done),
            (Err(stop), _) if stop.ends_attempt() => Err(stop),
            (Err(stop), _) => {
                let not = self.not_converted(stop);
                tracing::debug!("unrolled: {not}");
                self.no_frame(key, not.cause, guards);
                Ok(Looped::Not)
            }
        }
    }

    /// Notes that a loop is no frame, which was found out since there were so many guards.
    fn no_frame(&mut self, key: AssumptionKey, cause: Cause, guards: (usize, usize)) {
        if self.guards_made() > guards {
            self.looping
                .in_vain
                .loops
                .insert(key.clone(), cause.clone());
        }
        self.looping.unframed.insert(key, cause);
    }

    /// Goes on behind a loop as if it had no iteration.
    fn skip_loop(&mut self, frame: &mut SymFrame, saved: &Here, start: Checkpoint, exit: u32) {
        self.back(frame, saved);
        self.forget(start);
        frame.pc = exit;
    }

    // ---- the frame -----------------------------------------------------------------------

    /// Makes a loop a frame: as it is, or after its first iterations.
    fn frame_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &Head,
        stop: Option<u32>,
    ) -> Res<Looped> {
        if self.state.frames >= MAX_FRAMES {
            return self.refuse(
                ReasonId::TooLarge,
                format!(
                    "the region is too large: more than {MAX_FRAMES} loops one after the other"
                ),
            );
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
        tracing::debug!("not as it is: {first}");
        let first = Stop::Not(Box::new(first));
        for peels in 1..=MAX_PEELED {
            self.back(frame, &saved);
            self.forget(start.clone());
            let tentative = std::mem::replace(&mut self.looping.tentative, true);
            let peeled = (0..peels).try_for_each(|at| self.peel(frame, head, kind, at));
            self.looping.tentative = tentative;
            match peeled.and_then(|()| self.settle(frame, head, kind, stop)) {
                Ok(done) => {
                    self.state.frames += 1;
                    return Ok(done);
                }
                Err(stop) if stop.ends_attempt() => return Err(stop),
                Err(stop) => {
                    let not = self.not_converted(stop);
                    tracing::debug!("not with {peels} of its iterations before it: {not}");
                }
            }
        }
        self.back(frame, &saved);
        self.forget(start);
        Err(first)
    }

    fn here(&self, frame: &SymFrame) -> Here {
        Here {
            frame: frame.clone(),
            context: self.emission.context,
            loops: self.looping.loops.len(),
            active: self.calls.active.len(),
        }
    }

    fn back(&mut self, frame: &mut SymFrame, to: &Here) {
        *frame = to.frame.clone();
        self.emission.context = to.context;
        self.looping.loops.truncate(to.loops);
        self.calls.active.truncate(to.active);
    }

    /// Runs iteration `at`, which is one of the first, on its own.
    fn peel(&mut self, frame: &mut SymFrame, head: u32, kind: &Head, at: usize) -> Res<()> {
        let stack = frame.stack.clone();
        frame.pc = head + 1;
        if let Head::For(it, _) = kind {
            match self.more(*it)? {
                Truth::Known(true) => {}
                Truth::Known(false) => {
                    return self.refuse(ReasonId::LoopState, "a loop without an iteration");
                }
                Truth::Dynamic(m) if at == 0 => self.assert_entered(head, m)?,
                Truth::Dynamic(_) => {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a loop that may have one iteration only",
                    );
                }
            }
            let item = self.advance(*it)?;
            frame.stack.push(item);
        }
        self.begin(frame, head, stack.len(), false, None)?;
        let flow = self.run(frame, None)?;
        self.looping.loops.pop();
        match flow {
            Flow::LoopEnd {
                go_on: Sym::Known(Value::Bool(Bool::True)),
                ..
            } => {}
            _ => {
                return self.refuse(
                    ReasonId::LoopState,
                    "a loop that may be left in its first iteration",
                );
            }
        }
        frame.stack = stack;
        frame.pc = head + 1;
        Ok(())
    }

    /// Whether a loop ended before its first iteration, as far as is known.
    fn may_not_enter(&self, frame: &SymFrame, head: u32) -> bool {
        let site = frame.code.profile.site(head);
        let never = |s: &janus_object::Site| s.taken.get() > 0 && s.trips.get().1 == 0;
        let relaxed = &self.region.relaxations.both_sides;
        site.is_some_and(never) || relaxed.contains(&self.key_at(head, ENTERED))
    }

    pub(crate) fn assert_entered(&mut self, head: u32, entered: ValueId) -> Res<()> {
        let key = self.key_at(head, ENTERED);
        let expected = "the loop runs at least once".to_owned();
        self.assert(entered, DeoptReason::TripCount, key, expected)
    }

    pub(crate) fn begin(
        &mut self,
        frame: &SymFrame,
        head: u32,
        depth: usize,
        testing: bool,
        natural: Option<u32>,
    ) -> Res<()> {
        let Some(end) = janus_plan::last_back_edge(&frame.code.code, head) else {
            return self.refuse(ReasonId::LoopState, "a loop that never goes round");
        };
        self.looping.loops.push(ActiveLoop {
            depth: self.calls.active.len(),
            head,
            end,
            base: depth,
            testing,
            natural,
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
            let elsewhere = self.looping.known_elsewhere.len();
            let attempt = self.attempt(frame, head, &mut kind, &mut known, stop);
            self.looping.known_elsewhere.truncate(elsewhere);
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
        self.refuse(
            ReasonId::LoopState,
            "each iteration of a loop leaves variables of other kinds than the one before",
        )
    }

    /// Runs the body once in a frame, and leaves that if the iteration brought nothing new.
    fn attempt(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        kind: &mut Head,
        known: &mut Knowledge,
        stop: Option<u32>,
    ) -> Res<Attempt> {
        let at = self.enter_frame(frame, head, kind.iterator(), known)?;
        let Some(round) = self.iteration(frame, kind, known, &at)? else {
            return Ok(Attempt::Again);
        };
        if !self.learn(frame, known, &at, &round)? {
            return Ok(Attempt::Again);
        }
        if round.endless {
            *kind = Head::While { test: false };
            known.breaks = true;
            return Ok(Attempt::Again);
        }
        self.check_first_uses(known, &at)?;
        let left = self.go_round(known, &at, &round)?;
        let done = self.leave_frame(frame, known, at, round, &left, stop)?;
        Ok(Attempt::Done(done))
    }

    /// The head: whether there is another iteration. `None`: it is not known yet how the loop is left.
    fn head(
        &mut self,
        frame: &mut SymFrame,
        kind: &mut Head,
        known: &mut Knowledge,
        at: &Entered,
    ) -> Res<Option<Test>> {
        let head = at.head;
        self.emission.context = at.outer;
        Ok(match kind {
            Head::For(it, exit) => {
                let more = match self.more(*it)? {
                    Truth::Dynamic(m) => m,
                    Truth::Known(m) => self.constant(ScalarType::Bool, u64::from(m))?,
                };
                Some(Test {
                    natural: Some(more),
                    stay: head + 1,
                    leave: Some(*exit),
                    endless: false,
                })
            }
            Head::While { test: true } => match self.while_test(frame, at)? {
                Some(test) => Some(test),
                None => {
                    *kind = Head::While { test: false };
                    known.breaks = true;
                    None
                }
            },
            Head::While { test: false } => Some(Test {
                natural: None,
                stay: head + 1,
                leave: None,
                endless: false,
            }),
        })
    }

    /// Runs an iteration. `None`: it is not known yet how the loop is left.
    fn iteration(
        &mut self,
        frame: &mut SymFrame,
        kind: &mut Head,
        known: &mut Knowledge,
        at: &Entered,
    ) -> Res<Option<Round>> {
        let head = at.head;
        let Some(Test {
            natural,
            stay,
            leave,
            endless,
        }) = self.head(frame, kind, known, at)?
        else {
            return Ok(None);
        };
        let go_on = at.flags.goes_on.map(|i| at.merges[i].merged);
        let condition = match (natural, go_on) {
            (Some(n), Some(g)) => self.emit1("arith.andi", &[n, g], &[], Type::I1)?,
            (Some(v), None) | (None, Some(v)) => v,
            (None, None) => {
                known.breaks = true;
                return Ok(None);
            }
        };
        let condition = self.emit1("janus.loop_cond", &[condition], &[], Type::I1)?;
        let body = self.new_context(ContextKind::Side {
            predicate: condition,
            side: true,
        });
        self.emission.context = body;
        let depth = frame.stack.len();
        let stack = frame.stack.clone();
        frame.pc = stay;
        let mut base = depth;
        if let Some(it) = kind.iterator() {
            let item = self.advance(it)?;
            frame.stack.push(item);
            base = depth.saturating_sub(1);
        }
        self.begin(frame, head, base, false, leave)?;
        let flow = self.run(frame, None)?;
        self.looping.loops.pop();
        let Flow::LoopEnd {
            go_on: again,
            leave: broke,
            returned,
        } = flow
        else {
            return self.refuse(
                ReasonId::LoopState,
                "a loop whose trip count moves is left in the midst",
            );
        };
        if self.state.effects.len() != at.start.0.effects.len() {
            return self.refuse(ReasonId::LoopState, "a loop whose trip count moves prints");
        }
        let breaks = !matches!(again, Sym::Known(Value::Bool(Bool::True)));
        if breaks != known.breaks && !known.breaks {
            known.breaks = true;
            return Ok(None);
        }
        for (obj, t) in known.growing() {
            self.store_waiting(obj, t)?;
        }
        // A local that was unset at the head and is not read there is the iteration's own.
        let mut end = (self.state.clone(), frame.clone());
        end.1.stack = stack;
        let exits: Vec<u32> = match &broke {
            Some(Leave::To(b)) => leave.into_iter().chain([*b]).collect(),
            _ => leave.into_iter().collect(),
        };
        let (returned, raises) = match returned {
            Some(v) => self.left_with(v)?,
            None => (None, false),
        };
        Ok(Some(Round {
            condition,
            body,
            base,
            leave,
            exits,
            again,
            broke,
            returned,
            raises,
            end,
            endless,
            may_be_none: self.may_not_enter(frame, head),
        }))
    }
}
