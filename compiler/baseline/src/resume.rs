//! Running the suspended frames of generators on.
//!
//! In: a frame at one of the [`ResumePoint`]s. Out: [`Resumed`]. Always: a frame that does not fit is as it was; where code runs alone,
//! those around it do not expect Python to run, so that it is left before it would call some.

use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::time::Instant;

use janus_interp::{Entry, Frame, Interp, ReadyGenerator, Resumed};
use janus_object::{PyRef, Value};

use crate::kind::tag_byte;
use crate::layout::{RETURNED, SLOTS, payload};
use crate::program::line_of;
use crate::region::{
    CALLS_TIMED, CallRun, CompiledRegion, Inner, LEAVE, SHORT, TOO_MANY, breaker, fill_head,
};
use crate::runtime::{self, Alone, Session};
use crate::suspend::{CELLS, LOCALS, MISSED, ResumePoint, SENT, STACK, WHICH, WORDS, YIELDED};
use crate::trail::Shown;
use crate::{Entered, Left};

/// How the frame of a generator is run on.
#[derive(Clone, Copy)]
struct How {
    /// It comes back where it can.
    leave: bool,
    alone: Alone,
    /// The frame is one of those that are counted as running.
    is_counted: bool,
}

impl How {
    /// By who resumes it.
    const RESUMED: How = How {
        leave: false,
        alone: Alone::No,
        is_counted: false,
    };
    /// Alone, by who has counted it.
    const ALONE: How = How {
        leave: false,
        alone: Alone::Yes,
        is_counted: true,
    };
}

impl CompiledRegion {
    /// Runs the suspended frame of a generator on. `value` is what is sent to it, and afterwards what it yielded or returned. `leave`
    /// makes it come back where it can.
    pub fn resume(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        value: &mut Value,
        leave: bool,
        run: &mut CallRun,
    ) -> Resumed {
        let how = How {
            leave,
            ..How::RESUMED
        };
        self.resume_with(vm, frame, value, how, run)
    }

    /// Runs the frame of a generator on, in which tier 0 came to the head of the region's loop. At a `yield` tier 0 is to run that
    /// instruction.
    pub(crate) fn enter_suspending(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        leave: bool,
    ) -> Entered {
        let how = How {
            leave,
            alone: Alone::No,
            is_counted: true,
        };
        let line = line_of(&frame.code, frame.pc);
        let mut value = Value::None;
        let run = &mut CallRun::default();
        Entered::Ran(match self.resume_with(vm, frame, &mut value, how, run) {
            Resumed::Missed | Resumed::Lower => {
                return Entered::Missed(Left {
                    overflow: false,
                    cold: false,
                    line,
                    expected: "variables of the kinds before".to_owned(),
                    actual: "others".to_owned(),
                });
            }
            Resumed::Yielded => {
                frame.stack.push(Some(value));
                frame.pc -= 1;
                Entry::Resume
            }
            Resumed::Returned => Entry::Return(value),
            Resumed::Left(Some(raised)) => Entry::Throw(raised),
            Resumed::Left(None) => Entry::Resume,
        })
    }

    /// Whether the body of a generator seldom calls Python.
    pub fn runs_alone(&self) -> bool {
        let inner = &self.inner;
        let (entries, left) = (inner.entries.get(), inner.left_alone.get());
        inner.tables.sites.is_empty() && (left < TOO_MANY || left < entries / 16)
    }

    /// As [`Self::resume`] for callers that do not expect Python to run, of code that [`Self::runs_alone`]: it is left before it
    /// would call some.
    pub fn resume_alone(&self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed {
        let how = How::ALONE;
        self.resume_with(vm, frame, value, how, &mut CallRun::default())
    }

    #[inline]
    fn resume_with(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        value: &mut Value,
        how: How,
        run: &mut CallRun,
    ) -> Resumed {
        let region = &self.inner;
        let unit = region.program.units.first();
        if !unit.is_some_and(|unit| PyRef::ptr_eq(&frame.globals, &unit.globals))
            || frame.globals.has_own_builtins()
            || (self.calls_python() && vm.looks_at_variables())
            || region.program.look_again().is_err()
        {
            return Resumed::Missed;
        }
        let points = region.tables.resume_points.iter().enumerate();
        let (pc, depth) = (frame.pc, frame.stack.len());
        for (which, _) in points.filter(|(_, p)| p.pc == pc && p.depth == depth) {
            match self.resume_at(vm, frame, which, value, how, run) {
                Resumed::Missed => {}
                resumed => return resumed,
            }
        }
        Resumed::Missed
    }

    /// The same at one of the places at which code goes on.
    fn resume_at(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        which: usize,
        value: &mut Value,
        how: How,
        run: &mut CallRun,
    ) -> Resumed {
        let region = &self.inner;
        let mut context = self.spare.take();
        let start = self.time_next();
        let resumed = self.run_suspended(vm, frame, which, value, how, &mut context);
        run.took = start.map(|start| start.elapsed());
        if let Resumed::Left(_) = resumed {
            run.left = true;
            if run.took.is_some_and(|took| took < SHORT) {
                let short = region.short.get().saturating_add(CALLS_TIMED);
                region.short.set(short);
            }
        }
        if start.is_some() {
            self.timed(start);
        }
        self.spare.set(context);
        resumed
    }

    /// Looks at the clock if the next run is one of those that are timed.
    #[inline]
    fn time_next(&self) -> Option<Instant> {
        let next = self.inner.entries.get().saturating_add(1);
        next.is_multiple_of(CALLS_TIMED).then(Instant::now)
    }

    /// Runs a frame on, from one of the places at which code goes on, in a context that may have been used for that before.
    #[inline(always)]
    fn run_suspended(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        which: usize,
        value: &mut Value,
        how: How,
        context: &mut Vec<u64>,
    ) -> Resumed {
        let region = &self.inner;
        let How {
            leave,
            alone,
            is_counted,
        } = how;
        let Some(depth) = runtime::entry_depth(vm, !is_counted) else {
            return Resumed::Missed;
        };
        let values = frame.stack.len();
        if values < region.tables.suspended_most {
            frame.stack.resize(region.tables.suspended_most, None);
        }
        let sent = ManuallyDrop::new(std::mem::replace(value, Value::None));
        let cells = std::mem::take(&mut frame.cells);
        // Only Python that is called looks at it.
        let trail = (alone == Alone::No).then(|| crate::trail::trail(vm.recursion_limit()));
        let flag = match leave {
            true => std::ptr::from_ref(&LEAVE),
            false => breaker(),
        };
        let words = region.tables.words.max(SLOTS + WORDS);
        if context.len() < words {
            context.resize(words, 0);
        }
        fill_head(context, vm, depth, flag, (trail.as_ref(), &[]));
        let mut put = |at: usize, word: u64| {
            if let Some(slot) = context.get_mut(at) {
                *slot = word;
            }
        };
        put(SLOTS + LOCALS, frame.locals.as_mut_ptr() as u64);
        put(SLOTS + STACK, frame.stack.as_mut_ptr() as u64);
        put(SLOTS + WHICH, which as u64);
        put(SLOTS + SENT, u64::from(tag_byte(&sent)));
        put(SLOTS + SENT + 1, payload(&sent));
        put(SLOTS + CELLS, cells.as_ptr() as u64);
        // The session is dropped where it is: what is handed over has to be written first.
        let resumed = {
            let mut session = Session {
                shown: Shown::none(vm),
                vm,
                region,
                pending: None,
                raised: None,
                cells: &cells,
                is_to_leave: leave,
                alone,
                _lent: &[],
            };
            // SAFETY: as in `enter`; the frame's locals and stack stay where they are while nobody else has it, and the stack has
            // room for the largest suspended one.
            let status = unsafe { runtime::run(self.entry, context, &mut session) };
            if session.alone == Alone::No {
                session.shown.hide(session.vm);
            }
            let came = Came {
                status,
                words: context.get(SLOTS..).unwrap_or_default(),
                values,
            };
            after(came, frame, &mut session, (value, sent))
        };
        if !matches!(resumed, Resumed::Missed) {
            region.entries.set(region.entries.get().saturating_add(1));
        }
        // There is nothing in what it replaces.
        std::mem::forget(std::mem::replace(&mut frame.cells, cells));
        resumed
    }

    /// The code made ready for a frame that is resumed again and again, where it runs alone.
    pub fn ready(self: &Rc<Self>) -> Box<dyn ReadyGenerator> {
        Box::new(Ready {
            code: self.clone(),
            context: Vec::new(),
            at: None,
        })
    }
}

/// What a resumption came to.
struct Came<'a> {
    status: u64,
    /// What the code left in the words of the context.
    words: &'a [u64],
    /// How many values the frame had on its stack.
    values: usize,
}

/// Brings a frame to where its code came, and the value that was sent to what it yielded or returned.
#[inline(always)]
fn after(
    came: Came<'_>,
    frame: &mut Frame,
    session: &mut Session<'_>,
    (value, sent): (&mut Value, ManuallyDrop<Value>),
) -> Resumed {
    let region = session.region;
    let Came {
        status,
        words,
        values,
    } = came;
    if status & YIELDED != 0 {
        *value = value_of_words(words);
        frame.pc = (status & u64::from(u32::MAX)) as u32;
        let mut points = region.tables.resume_points.iter();
        let depth = points.find(|p| p.pc == frame.pc).map_or(0, |p| p.depth);
        if depth < frame.stack.len() {
            frame.stack.truncate(depth);
        }
        return Resumed::Yielded;
    }
    if status == MISSED {
        frame.stack.truncate(values);
        *value = ManuallyDrop::into_inner(sent);
        return Resumed::Missed;
    }
    let Some(exit) = region.exit(status) else {
        *value = value_of_words(words);
        if status == RETURNED && session.alone == Alone::No {
            session.vm.settle_due();
        }
        return Resumed::Returned;
    };
    runtime::rebuild(exit, words, frame, session, true);
    match session.alone {
        Alone::Left => region.left_alone.set(region.left_alone.get() + 1),
        Alone::No | Alone::Yes => region.note(exit),
    }
    Resumed::Left(session.raised.take().filter(|_| exit.raise))
}

/// The value of two words, with the reference that they have.
#[inline]
fn value_of_words(words: &[u64]) -> Value {
    match *words {
        [tag, bits, ..] => runtime::value_of(tag as u32, bits),
        _ => Value::None,
    }
}

/// Code that is ready for one frame.
struct Ready {
    code: Rc<CompiledRegion>,
    /// Its context, in which the words are that stay.
    context: Vec<u64>,
    /// Where the frame stood last: the instruction, how many values were on its stack, and which of the places that is.
    at: Option<(u32, usize, usize)>,
}

impl Ready {
    /// Which of the places at which the code goes on is that of a frame.
    #[inline]
    fn which(&mut self, region: &Inner, frame: &Frame) -> Option<usize> {
        let (pc, depth) = (frame.pc, frame.stack.len());
        if let Some((at, of, which)) = self.at
            && (at, of) == (pc, depth)
        {
            return Some(which);
        }
        let is_it = |p: &ResumePoint| p.pc == pc && p.depth == depth;
        let which = region.tables.resume_points.iter().position(is_it)?;
        self.at = Some((pc, depth, which));
        Some(which)
    }
}

impl ReadyGenerator for Ready {
    fn resume(&mut self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed {
        let code = self.code.clone();
        let region = &code.inner;
        if frame.globals.has_own_builtins() || region.program.look_again().is_err() {
            return Resumed::Missed;
        }
        let Some(which) = self.which(region, frame) else {
            return Resumed::Missed;
        };
        let start = code.time_next();
        let resumed = code.run_suspended(vm, frame, which, value, How::ALONE, &mut self.context);
        if start.is_some() {
            code.timed(start);
        }
        resumed
    }
}
