//! A compiled region: entering it, and what its exits mean.
//!
//! In: a frame at the region's entry. Out: [`Entered`]. Always: a frame is entered only when it is
//! as the code assumes, and is whole again before anything else sees it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use janus_interp::{Entry, Frame, Interp};
use janus_object::{IterState, PyRef, Value, ops};

use crate::emit::{Cause, Exit, Tables, Why};
use crate::generate::Machine;
use crate::kind::{Kind, is_own};
use crate::layout::{DEPTH, INTERRUPT, LENT, LIMIT, SHOWN, SLOTS, TRAIL, WORDS_LENT};
use crate::lower::failed;
use crate::program::{Broken, Form, Learned, Program, Unit, line_of};
use crate::runtime::{self, Alone, Session};
use crate::trail::{Shown, Trail};
use crate::{Entered, Left, Refused};

/// Departures from which on a region is given up if they are that frequent.
pub(crate) const TOO_MANY: u32 = 16;
/// What looking at the clock twice takes.
const CLOCK: Duration = Duration::from_nanos(30);
/// Runs that are not timed at first.
const COLD: u32 = 40;
/// Runs that are timed before it is said what one takes.
const TIMED_FIRST: u32 = 4;
/// One of so many calls without a frame is timed.
pub const CALLS_TIMED: u32 = 64;
/// Runs shorter than this do not pay for their entry and exit.
pub(crate) const SHORT: Duration = Duration::from_nanos(400);

/// What stands in the place of the interrupt flag where code is to be left at once.
pub(crate) static LEAVE: u8 = 1;

/// What the helpers of generated code see of its region.
pub(crate) struct Inner {
    pub program: Program,
    pub tables: Tables,
    /// What is taught to the next compile.
    learned: Rc<RefCell<Learned>>,
    left: RefCell<Option<Left>>,
    pub entries: Cell<u32>,
    deopts: Cell<u32>,
    /// Departures to code that was not compiled, since it had never run.
    cold: Cell<u32>,
    pub short: Cell<u32>,
    /// Departures of runs that were not to call Python.
    pub left_alone: Cell<u32>,
    /// Runs that were timed, and the time that they took.
    timed: Cell<u32>,
    spent: Cell<Duration>,
}

/// What became of a call without a frame.
#[derive(Default)]
pub struct CallRun {
    /// The code was left before its end, and tier 0 finished it.
    pub left: bool,
    /// What the code took, if the call is one of those that are timed: one in [`CALLS_TIMED`].
    pub took: Option<Duration>,
}

/// Machine code of a region.
pub struct CompiledRegion {
    pub(crate) inner: Inner,
    /// An address in the machine, which is as long there as the region: no code of it runs when the region is dropped, as
    /// a caller of `enter` borrows that.
    pub(crate) entry: *const u8,
    _machine: Machine,
    pub(crate) spare: Cell<Vec<u64>>,
}

impl Inner {
    /// The exit with a status.
    pub fn exit(&self, status: u64) -> Option<&Exit> {
        self.tables
            .exits
            .get(usize::try_from(status).ok()?.checked_sub(1)?)
    }

    /// Words that generated code may write from `SLOTS` on.
    pub fn room(&self) -> usize {
        self.tables.words.saturating_sub(SLOTS)
    }

    /// Whether what was assumed of globals still holds.
    pub fn guards_hold(&self) -> bool {
        self.program.look_again().is_ok()
    }

    /// An empty frame for the unit of an exit.
    pub fn callee_frame(&self, exit: &Exit) -> Option<Box<Frame>> {
        let unit = self.program.units.get(exit.unit)?;
        let mut frame = Frame::at(
            unit.code.clone(),
            unit.globals.clone(),
            self.program.builtins.clone(),
            vec![None; unit.code.code.varnames.len()],
            exit.pc,
        );
        frame.cells.extend(unit.cells.iter().cloned());
        Some(frame)
    }

    /// How many cells the unit of an exit was handed.
    pub fn handed_cells(&self, exit: &Exit) -> usize {
        let unit = self.program.units.get(exit.unit);
        unit.map_or(0, |unit| unit.code.code.freevars.len())
    }

    /// Records why an exit was taken.
    pub fn note(&self, exit: &Exit) {
        let (Some(why), Some(unit)) = (&exit.why, self.program.units.get(exit.unit)) else {
            return;
        };
        if why.cause == Cause::Cold {
            self.cold.set(self.cold.get().saturating_add(1));
        } else {
            self.deopts.set(self.deopts.get().saturating_add(1));
            let code = PyRef::as_ptr(&unit.code) as usize;
            let mut learned = self.learned.borrow_mut();
            *learned.met.entry((code, exit.pc)).or_default() += 1;
            if self.program.is_wide(exit.unit, exit.pc) {
                learned.failing.insert((code, exit.pc));
            }
            for pc in 0..unit.code.code.instrs.len() {
                learned.note_attr(&unit.code, pc as u32);
            }
        }
        let left = left(why, line_of(&unit.code, exit.pc));
        let name = &unit.code.code.qualname;
        let (line, expected, actual) = (left.line, &left.expected, &left.actual);
        tracing::debug!("{name}:{line} is left for tier 0: {expected} expected, {actual} met");
        *self.left.borrow_mut() = Some(left);
    }
}

fn left(why: &Why, line: u32) -> Left {
    Left {
        overflow: why.cause == Cause::Overflow,
        cold: why.cause == Cause::Cold,
        line,
        expected: why.expected.clone(),
        actual: why.actual.clone(),
    }
}

/// The byte that is not 0 where signals or other threads want something.
#[inline]
pub(crate) fn breaker() -> *const u8 {
    janus_gil::pending::eval_breaker().as_ptr().cast()
}

/// Fills the words of a context that are not values: `trail` where the code calls something, and the names that it lends.
// One after the other: an array of them would be written, and then read, which waits for the memory.
#[inline(always)]
pub(crate) fn fill_head(
    context: &mut [u64],
    vm: &Interp,
    depth: usize,
    flag: *const u8,
    (trail, lent): (Option<&Trail>, &[u64]),
) {
    let mut put = |at: usize, word: u64| {
        if let Some(slot) = context.get_mut(at) {
            *slot = word;
        }
    };
    put(TRAIL, trail.map_or(0, |trail| trail.as_ptr() as u64));
    put(LIMIT, vm.recursion_limit() as u64);
    put(DEPTH, depth as u64);
    put(INTERRUPT, flag as u64);
    put(LENT, lent.as_ptr() as u64);
    put(SHOWN, 0);
}

/// Leaves the references of what the code works on to the code.
fn hand_over(unit: &Unit, frame: &mut Frame) {
    let count = frame.locals.len().min(unit.entry.locals.len());
    let (locals, names) = unit.entry.locals.split_at(count);
    for (slot, kind) in names.iter().enumerate() {
        let home = unit.names.get(slot).map(|n| &n.home);
        if let Some(value) = home.and_then(|home| runtime::home_value(home, frame)) {
            runtime::hand_over(kind, value);
        }
    }
    let own = |kind: &Kind, slot: &mut Option<Value>| match kind {
        kind if kind.is_iterator() => {
            if let Some(iterator) = slot.take() {
                keep_containers(&iterator);
            }
        }
        kind if kind.is_counted() => std::mem::forget(slot.take()),
        _ => {}
    };
    for (kind, slot) in locals.iter().zip(&mut frame.locals) {
        own(kind, slot);
    }
    for (kind, slot) in unit.entry.stack.iter().zip(&mut frame.stack) {
        own(kind, slot);
    }
}

/// Makes references for the code to the containers that an iterator goes through.
fn keep_containers(iterator: &Value) {
    let Value::Iter(iterator) = iterator else {
        return;
    };
    match &*iterator.state.borrow() {
        IterState::List { list, .. } => std::mem::forget(list.clone()),
        IterState::Tuple { tuple, .. } => std::mem::forget(tuple.clone()),
        IterState::Zip { iters, .. } => iters.iter().for_each(keep_containers),
        IterState::Enumerate { iter, .. } => keep_containers(iter),
        _ => {}
    }
}

impl CompiledRegion {
    pub(crate) fn new(
        program: Program,
        tables: Tables,
        learned: Rc<RefCell<Learned>>,
        machine: Machine,
    ) -> Result<Self, Refused> {
        let entry = machine.entry().ok_or_else(|| failed("no entry"))?;
        Ok(CompiledRegion {
            inner: Inner {
                program,
                tables,
                learned,
                left: RefCell::default(),
                entries: Cell::new(0),
                deopts: Cell::new(0),
                cold: Cell::new(0),
                short: Cell::new(0),
                left_alone: Cell::new(0),
                timed: Cell::new(0),
                spent: Cell::default(),
            },
            entry,
            _machine: machine,
            spare: Cell::default(),
        })
    }

    /// Whether generated code of the region may call Python that is not in it.
    pub(crate) fn calls_python(&self) -> bool {
        let tables = &self.inner.tables;
        !tables.effects.is_empty() || !tables.sites.is_empty()
    }

    /// Words for the names of the region, which it lends to functions that it calls.
    #[inline]
    fn lent(unit: &Unit) -> Box<[u64]> {
        match unit.names.len() {
            0 => Box::default(),
            names => vec![0; names * WORDS_LENT].into_boxed_slice(),
        }
    }

    /// Runs the region on a frame that stands at its entry. `leave` makes it come back at the first
    /// iteration or call that it can leave at.
    pub fn enter(&self, vm: &mut Interp, frame: &mut Frame, leave: bool) -> Entered {
        let region = &self.inner;
        let Some(unit) = region.program.units.first() else {
            return Entered::Ran(Entry::Interpret);
        };
        if self.calls_python() && vm.looks_at_variables() {
            return Entered::Ran(Entry::Interpret);
        }
        if region.program.is_generator() {
            return self.enter_suspending(vm, frame, leave);
        }
        let mut context = self.spare.take();
        context.clear();
        context.resize(SLOTS, 0);
        if let Err(why) = self.load(unit, frame, &mut context) {
            self.spare.set(context);
            return Entered::Missed(left(&why, line_of(&unit.code, frame.pc)));
        }
        let Some(depth) = runtime::entry_depth(vm, unit.form == Form::Function) else {
            self.spare.set(context);
            return Entered::Ran(Entry::Interpret);
        };
        if unit.takes_cells {
            context.push(frame.cells.as_ptr() as u64);
        }
        hand_over(unit, frame);
        region.entries.set(region.entries.get().saturating_add(1));
        let (trail, lent) = (crate::trail::trail(vm.recursion_limit()), Self::lent(unit));
        let flag = match leave {
            true => std::ptr::from_ref(&LEAVE),
            false => breaker(),
        };
        let words = context.len().max(region.tables.words).max(SLOTS + 1);
        context.resize(words, 0);
        fill_head(&mut context, vm, depth, flag, (Some(&trail), &lent));
        // The clock costs as much as a short run.
        let start = region.entries.get().is_multiple_of(8).then(Instant::now);
        let shown = Shown::none(vm);
        let cells = std::mem::take(&mut frame.cells);
        let mut session = Session {
            vm,
            region,
            pending: None,
            raised: None,
            cells: &cells,
            is_to_leave: leave,
            alone: Alone::No,
            _lent: &lent,
            shown,
        };
        // SAFETY: the entry is this region's, whose code is alive while `self` is borrowed; the
        // context has room for the largest exit.
        let status = unsafe { runtime::run(self.entry, &mut context, &mut session) };
        session.shown.hide(session.vm);
        let words = context.get(SLOTS..).unwrap_or_default();
        let entry = match region.exit(status) {
            None => {
                let kind = unit.result.as_ref().unwrap_or(&Kind::None);
                Entry::Return(runtime::result(kind, words, &mut session))
            }
            Some(exit) => {
                runtime::rebuild(exit, words, frame, &mut session, true);
                region.note(exit);
                // Also where tier 0 raises something or does what there is no code for.
                let midway = exit.why.is_some() || !unit.ends_at(exit.pc);
                if midway && start.is_some_and(|s| s.elapsed() < SHORT) {
                    region.short.set(region.short.get().saturating_add(8));
                }
                match session.raised.take() {
                    Some(raised) if exit.raise => Entry::Throw(raised),
                    _ => Entry::Resume,
                }
            }
        };
        drop(session);
        frame.cells = cells;
        self.timed(start);
        self.spare.set(context);
        Entered::Ran(entry)
    }

    /// Notes what a run took that began then.
    pub(crate) fn timed(&self, start: Option<Instant>) {
        let region = &self.inner;
        // What was not run for a while is slow at first.
        if let Some(start) = start.filter(|_| region.entries.get() > COLD) {
            let took = start.elapsed().saturating_sub(CLOCK);
            region.timed.set(region.timed.get().saturating_add(1));
            region.spent.set(region.spent.get().saturating_add(took));
        }
    }

    /// How often it was entered.
    pub fn entries(&self) -> u32 {
        self.inner.entries.get()
    }

    /// Whether it is the code of a function whose calls need no frame.
    pub fn is_callable(&self) -> bool {
        let unit = self.inner.program.units.first();
        unit.is_some_and(Unit::is_callable)
    }

    /// Whether a variable has the object at entry that the code is for; if not, the next compile takes it for any.
    pub(crate) fn is_known(&self, unit: &Unit, slot: usize, known: usize, value: &Value) -> bool {
        let known = self.inner.program.known.get(known);
        let is_known = known.is_some_and(|known| ops::is(known, value));
        if !is_known {
            let code = PyRef::as_ptr(&unit.code) as usize;
            let mut learned = self.inner.learned.borrow_mut();
            learned.others.insert((code, slot));
        }
        is_known
    }

    /// Writes the values at entry into the context, if they are what the code assumes.
    fn load(&self, unit: &Unit, frame: &Frame, context: &mut Vec<u64>) -> Result<(), Why> {
        match self.inner.program.look_again() {
            Ok(()) => {}
            Err(Broken::Function) => {
                return Err(Why::new("a function as before", "a changed one"));
            }
            Err(Broken::Global(guard)) => {
                if Kind::of(&guard.value).is_some() {
                    let mut learned = self.inner.learned.borrow_mut();
                    learned.volatile.insert(guard.name.name.to_string());
                }
                let expected = format!("the global '{}' as it was", guard.name.name);
                return Err(Why::new(&expected, "another value"));
            }
        }
        let mut slot = 0;
        let mut put = |kind: &Kind, value: Option<&Value>| {
            slot += 1;
            let fits = match (kind, value) {
                (Kind::Known(k), Some(value)) => self.is_known(unit, slot - 1, *k, value),
                (Kind::Keep, _) => true,
                (kind, Some(v)) if kind.is_iterator() => kind.admits(value) && is_own(v, frame),
                _ => kind.admits(value),
            };
            if !fits {
                let actual = value.map_or("unset".to_owned(), Value::type_name);
                return Err(Why::new(kind.name(), &actual));
            }
            runtime::flatten(kind, value, context);
            Ok(())
        };
        let count = frame.locals.len().min(unit.entry.locals.len());
        let (locals, names) = unit.entry.locals.split_at(count);
        for (kind, value) in locals.iter().zip(&frame.locals) {
            put(kind, value.as_ref())?;
        }
        for (kind, slot) in names.iter().zip(&unit.names) {
            let value = match kind {
                Kind::Keep => None,
                _ => runtime::home_value(&slot.home, frame),
            };
            put(kind, value.as_ref())?;
        }
        if frame.stack.len() != unit.entry.stack.len() {
            return Err(Why::new("a stack as it was", "another one"));
        }
        for (kind, value) in unit.entry.stack.iter().zip(&frame.stack) {
            put(kind, value.as_ref())?;
        }
        Ok(())
    }

    /// The last deopt, once.
    pub fn take_deopt(&self) -> Option<Left> {
        self.inner.left.take()
    }

    /// What a run takes, once that was measured.
    pub fn run_time(&self) -> Option<Duration> {
        let inner = &self.inner;
        let timed = inner.timed.get();
        (timed >= TIMED_FIRST).then(|| inner.spent.get() / timed)
    }

    /// Whether what had never run when it was compiled runs so often now that it should be compiled, too.
    pub fn is_outgrown(&self) -> bool {
        let (entries, cold) = (self.inner.entries.get(), self.inner.cold.get());
        cold >= TOO_MANY && cold > entries / 12
    }

    /// Whether departures are so frequent, or the runs that end in one so short, that the code does not pay.
    pub fn hopeless(&self) -> bool {
        let inner = &self.inner;
        let (entries, deopts, short) = (inner.entries.get(), inner.deopts.get(), inner.short.get());
        tracing::debug!("{entries} entries of tier 1, {deopts} departures, {short} at once");
        (deopts >= TOO_MANY && deopts > entries / 12) || (short >= TOO_MANY && short > entries / 2)
    }
}
