//! Tier 1: when to compile a region of scalars, and entering it.
//!
//! In: a region that is hot and not tier 2's business. Out: its code entered, or not. Always: the
//! number of compiles is bounded; code that does not pay is dropped.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use janus_baseline::{
    CALLS_TIMED, CallRun, CompiledRegion, Entered, Generating, Left, Progress, Refused, Request,
};
use janus_bytecode::Opcode;
use janus_interp::{
    CompiledFunction, CompiledGenerator, Entry, Frame, Interp, ReadyGenerator, Resumed,
};
use janus_object::{CodeObject, PyFunction, PyResult, Value};
use janus_plan::{Cause, DeoptReason, NotConverted, ReasonId, Refusal, RegionKind};

use crate::region::{self, Region, State};
use crate::trial::{Side, Trial, Verdict};
use crate::{EmitStage, Tiering, What, add};

/// Entries of a function before tier 1 compiles it.
const CALLS: u64 = 40;
/// Iterations of a loop before tier 1 compiles it.
const TRIPS: u64 = 400;
/// The same where a loop inside is compiled already, or waits for this one.
const TRIPS_AROUND: u64 = 4;
/// A loop with at most so many trips an entry leaves it to the loop around it to be compiled, with itself inside.
const FEW_TRIPS: u32 = 256;
/// A loop of a generator with fewer trips a resumption is left to the generator's own code.
const TRIPS_A_RESUMPTION: u64 = 16;
/// How many times as often as its code is worth a loop has to run before one inside stops to wait for it.
const PATIENCE: u64 = 8;
/// The share of a program's time that may go into compiling on its own thread: one of so many parts.
const COMPILE_SHARE: u32 = 3;
/// The same on all threads.
const COMPILE_SHARE_ON_ALL: u32 = 2;
/// Time that the program is taken to have run for when it begins: small loops of short programs are compiled, too.
const AT_FIRST: Duration = Duration::from_millis(3);
/// What an instruction of a region takes to compile on that thread, with what it calls, until so many were compiled that their
/// mean is known.
const PER_INSTRUCTION: Duration = Duration::from_micros(10);
const FEW_INSTRUCTIONS: u32 = 100;
/// Entries after which it is asked again whether code is there that is being generated.
const GENERATING_AGAIN: u32 = 32;
/// One of so many entries is timed, once there were so many.
const TIMED: u64 = 16;
/// Runs that take longer are all timed.
const SHORT_RUN: Duration = Duration::from_micros(20);
/// A run that takes this long is no example of the others of its code.
const LONG_RUN: Duration = Duration::from_millis(1);
/// Versions for different types at most.
const MAX_VERSIONS: usize = 4;
/// Compiles of one region at most.
const MAX_COMPILES: u32 = 8;
/// Entries that no version fits before another one is compiled.
const MISSES: u32 = 4;
/// Entries that no version fits after which they are tried ever more rarely, up to this many
/// entries apart.
const MANY_MISSES: u32 = 12;
const RARELY: u32 = 1 << 12;

/// Tier 1 of a region.
#[derive(Default)]
pub(crate) struct Scalar {
    /// For different types; the one that fitted last comes first.
    versions: RefCell<Vec<Rc<CompiledRegion>>>,
    /// One whose code is being generated.
    generating: RefCell<Option<Generating>>,
    compiles: Cell<u32>,
    missed: Cell<u32>,
    /// Entries in a row that no version fitted.
    unfit: Cell<u32>,
    refused: Cell<bool>,
    /// How often it has to run before it is compiled, where that was found out.
    waits: Cell<u64>,
    /// Entries so far, until it is known whether code pays.
    runs: Cell<u32>,
    /// Whether its code pays.
    trial: RefCell<Trial>,
    /// Whether that is known.
    is_tried: Cell<bool>,
    /// The run that was timed last was short.
    is_short: Cell<bool>,
    /// The next entry is one that a call without a frame left to tier 0.
    is_left: Cell<bool>,
    /// A hot loop inside leaves it to this one to be compiled.
    is_wanted: Cell<bool>,
    /// It is the body of a generator, and ran few instructions between two yields until it was compiled.
    is_brief: Cell<bool>,
}

impl Scalar {
    /// Whether there is code.
    pub fn is_ready(&self) -> bool {
        !self.versions.borrow().is_empty()
    }

    /// Forgets what is being generated: in a copy of the process nobody does any more.
    pub fn leave_behind(&self) {
        self.generating.take();
    }

    /// Resumptions of a generator's body that its code ran.
    pub fn resumed(&self) -> u64 {
        let versions = self.versions.borrow();
        versions.iter().map(|code| u64::from(code.entries())).sum()
    }

    fn may_compile(&self) -> bool {
        !self.refused.get()
            && self.generating.borrow().is_none()
            && self.compiles.get() < MAX_COMPILES
            && self.versions.borrow().len() < MAX_VERSIONS
    }
}

/// Entries, or time spent in it, after which it is tried whether code pays.
const TRIED_AFTER: u32 = 256;
const TRIED_FROM: Duration = Duration::from_millis(20);
/// Runs that take longer are not tried: leaving a few to tier 0 may cost more than is gained.
const TOO_LONG: Duration = Duration::from_millis(25);

/// Instructions that tier 0 runs in the time that a call of compiled code takes longer than one of its own.
const SHORT: usize = 12;

/// Instructions of a generator, the most that tier 0 runs in the time that a resumption of compiled code takes longer than one of its own.
const BRIEF: usize = 24;

/// Resumptions of a generator before tier 1 compiles its body.
const RESUMPTIONS: u64 = 200;

/// How many instructions a region has of its own.
fn instructions(region: &Region) -> u32 {
    let code = &region.code.code;
    let all = code.instrs.len() as u32;
    match region.kind {
        RegionKind::Loop { head } => {
            janus_plan::last_back_edge(code, head).map_or(all, |end| end.saturating_sub(head))
        }
        _ => all,
    }
}

/// Whether a function is mostly called from functions in Rust: a key of `sorted`, what `map` calls, an `__lt__`.
fn is_from_outside(code: &CodeObject) -> bool {
    u64::from(code.jit.from_outside.get()) * 2 > code.profile.entries.get()
}

/// Whether a call of a function takes tier 0 no longer than entering compiled code would: it runs few instructions
/// once, and calls no Python.
fn is_short(code: &CodeObject) -> bool {
    use Opcode::{Call, CallEx, CallKw, ForIter, LoopHead};
    let instrs = &code.code.instrs;
    let calls_python = |pc: usize| match code.profile.site(pc as u32) {
        Some(site) => {
            site.polymorphic.get()
                || site
                    .callee
                    .borrow()
                    .as_ref()
                    .is_some_and(|callee| callee.is_python)
        }
        None => true,
    };
    instrs.len() <= SHORT
        && instrs.iter().enumerate().all(|(pc, instr)| match instr.op {
            ForIter | LoopHead => false,
            Call | CallKw | CallEx => !calls_python(pc),
            _ => true,
        })
}

impl Tiering {
    /// Compiles a region for tier 1 and enters it, if it is hot enough.
    pub(crate) fn promote_baseline(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Rc<Region>,
    ) -> Entry {
        let is_function = matches!(region.kind, RegionKind::Function);
        if is_function && is_short(&region.code) && !is_from_outside(&region.code) {
            // What is compiled and calls it has it inside.
            region.waits.set(region::SHORT);
            region.ask_after(RARELY);
            return Entry::Interpret;
        }
        let enough = match region.kind {
            _ if region.baseline.is_wanted.get() || self.contains_compiled(region) => TRIPS_AROUND,
            RegionKind::Function => CALLS,
            RegionKind::Loop { .. } => TRIPS,
            // It has no entry of its own there.
            RegionKind::Rest { .. } => return Entry::Interpret,
        };
        let enough = enough.max(region.baseline.waits.get());
        if region.baseline.generating.borrow().is_some() {
            if !self.take_generated(region) {
                return Entry::Interpret;
            }
            region.ask_after(0);
            let entry = self.enter_baseline(vm, frame, region);
            return entry.unwrap_or(Entry::Interpret);
        }
        if !region.baseline.may_compile() {
            // What is refused for another reason is not asked for again.
            if region.baseline.refused.get() {
                region.waits.set(region::SLOWER);
            }
            region.ask_after(RARELY);
            return Entry::Interpret;
        }
        let asked = region.asked.get();
        if asked < enough {
            // Asking costs more than an iteration: the next time is when there were twice as many.
            let more = asked.min(enough - asked);
            region.asked.set(asked + more - 1);
            region.ask_after(u32::try_from(more).unwrap_or(RARELY) - 1);
            return Entry::Interpret;
        }
        if self.defers_to_outer(region) || self.mostly_suspends(region) {
            region.ask_after(TRIPS as u32);
            return Entry::Interpret;
        }
        if !self.has_time_to_compile(region) {
            region.ask_after(u32::try_from(asked).unwrap_or(RARELY).min(RARELY));
            return Entry::Interpret;
        }
        if !self.compile_baseline(frame, region) {
            return Entry::Interpret;
        }
        region.ask_after(0);
        self.enter_baseline(vm, frame, region)
            .unwrap_or(Entry::Interpret)
    }

    /// Whether a loop inside of the region has code already: then this one is hot, too.
    fn contains_compiled(&self, region: &Region) -> bool {
        let of = Self::code_regions(&region.code);
        let loops = of.loops.borrow();
        loops.iter().any(|(&head, inner)| {
            let inside = match region.kind {
                RegionKind::Function => true,
                RegionKind::Loop { head: own } => {
                    own != head && janus_plan::in_loop(&region.code.code, own, head)
                }
                RegionKind::Rest { .. } => false,
            };
            inside && inner.baseline.is_ready()
        })
    }

    /// Whether a hot loop of few trips leaves it to the loop around it to be compiled, which then is hot, too: code of its
    /// own would be entered again and again, at a cost of many instructions, and soon be of no use. It does so until
    /// the loop around it ran some times as often as its code is worth.
    fn defers_to_outer(&self, region: &Region) -> bool {
        let RegionKind::Loop { head } = region.kind else {
            return false;
        };
        let trips = region.site().map(|site| {
            let (_, _, most) = site.trips.get();
            most.max(site.running.get())
        });
        if trips.is_none_or(|trips| trips > FEW_TRIPS) {
            return false;
        }
        let before = head.checked_sub(1);
        let around = before.and_then(|at| janus_plan::innermost_loop(&region.code.code, at));
        let Some(head) = around else {
            return false;
        };
        let outer = self.region(&region.code, RegionKind::Loop { head });
        let scalar = &outer.baseline;
        if scalar.generating.borrow().is_some() {
            return true;
        }
        if scalar.compiles.get() > 0 || !scalar.may_compile() {
            return false;
        }
        if scalar.is_wanted.replace(true) {
            return outer.entries() < PATIENCE * scalar.waits.get();
        }
        outer.ask_after(0);
        true
    }

    /// Whether a loop is one of a generator that suspends its frame every few iterations: the generator's own code runs it, which goes
    /// on where it was suspended.
    fn mostly_suspends(&self, region: &Region) -> bool {
        self.suspends_in_loop(region) && {
            let generator = self.region(&region.code, RegionKind::Function);
            generator.baseline.is_brief.get()
                || generator.entries() * TRIPS_A_RESUMPTION > region.asked.get()
        }
    }

    /// Whether a region is a loop of a generator that suspends its frame: its runs end at each `yield`, so that they are not what lies
    /// between two beginnings of the loop.
    fn suspends_in_loop(&self, region: &Region) -> bool {
        let RegionKind::Loop { head } = region.kind else {
            return false;
        };
        suspends(&region.code) && janus_baseline::loop_suspends(&region.code, head)
    }

    /// Whether so little of the time so far went into code of this tier, and would with that of a region, that the program
    /// stays ahead.
    fn has_time_to_compile(&self, region: &Region) -> bool {
        let (blocked, instrs) = (self.baseline_blocked.get(), self.baseline_instrs.get());
        let each = match instrs {
            0..FEW_INSTRUCTIONS => PER_INSTRUCTION,
            _ => blocked / instrs,
        };
        let here = blocked + each * instructions(region);
        let in_all = here + self.baseline_generating.get();
        let most = (here * COMPILE_SHARE).max(in_all * COMPILE_SHARE_ON_ALL);
        let wants_code = || {
            let function = crate::emit::full_name(&region.code.code);
            self.emit.wants(EmitStage::Clif, &function)
        };
        // Who wants to see code gets it, however little the program does.
        self.options.sync || most < self.began.elapsed() + AT_FIRST || wants_code()
    }

    /// Adds a version for the types of a frame; whether that worked.
    fn compile_baseline(&self, frame: &Frame, region: &Rc<Region>) -> bool {
        let function = crate::emit::full_name(&region.code.code);
        let start = Instant::now();
        let mut slot = self.baseline.borrow_mut();
        if slot.is_none() {
            match janus_baseline::Baseline::new() {
                Ok(b) => *slot = Some(b),
                Err(e) => tracing::error!("tier 1: {e}"),
            }
        }
        let Some(baseline) = slot.as_mut() else {
            region.baseline.refused.set(true);
            let detail = "tier 1 is not available on this machine";
            region.give_up(Refusal::new(ReasonId::ScalarsOnly, detail), region.line());
            return false;
        };
        let head = region.kind.site();
        let request = Request {
            from_outside: is_from_outside(&frame.code),
            times: match self.options.sync {
                true => u64::MAX,
                false => region.entries(),
            },
            at_once: self.options.sync,
            shows: self.emit.wants(EmitStage::Clif, &function),
        };
        tracing::debug!(
            "{}: to be compiled for tier 1, after {} runs",
            region.compile_id(),
            region.entries()
        );
        if head.is_none() && suspends(&region.code) && region.baseline.compiles.get() == 0 {
            region.baseline.is_brief.set(Self::is_brief(region));
        }
        let result = baseline.compile(&frame.code, head, frame, request);
        drop(slot);
        let time = start.elapsed();
        self.span(
            What::Compile,
            || format!("tier 1 code for {}", region.compile_id()),
            start,
        );
        add(&self.baseline_blocked, time);
        let instrs = self.baseline_instrs.get();
        self.baseline_instrs.set(instrs + instructions(region));
        add(&self.blocked_time, time);
        let scalar = &region.baseline;
        match result {
            Ok(compiled) => {
                scalar.compiles.set(scalar.compiles.get() + 1);
                scalar.missed.set(0);
                region.compiles.set(region.compiles.get() + 1);
                self.compiles.set(self.compiles.get() + 1);
                if request.shows {
                    let name = region.compile_id();
                    self.emit
                        .text(EmitStage::Clif, &function, &name, &compiled.clif);
                }
                match compiled.progress {
                    Progress::Ready(code) => {
                        scalar.versions.borrow_mut().insert(0, code);
                        self.publish(region);
                        true
                    }
                    Progress::Generating(code) => {
                        scalar.generating.replace(Some(code));
                        region.ask_after(GENERATING_AGAIN);
                        false
                    }
                }
            }
            Err(e) if e.waits() > 0 => {
                // What it is worth moves with its profile: it is not asked again before it ran some more.
                let some = region.asked.get() + region.asked.get() / 4;
                scalar.waits.set(e.waits().max(some));
                false
            }
            Err(e) => {
                self.refuse_baseline(region, &e);
                false
            }
        }
    }

    /// Takes a version that was being generated, if it is there; whether it is. Asks again later if not.
    fn take_generated(&self, region: &Rc<Region>) -> bool {
        let scalar = &region.baseline;
        let Some(generating) = scalar.generating.take() else {
            return false;
        };
        match generating.poll() {
            Err(generating) => {
                scalar.generating.replace(Some(generating));
                region.ask_after(GENERATING_AGAIN);
                false
            }
            Ok(Ok((code, took))) => {
                add(&self.baseline_generating, took);
                scalar.versions.borrow_mut().insert(0, code);
                self.publish(region);
                true
            }
            Ok(Err(e)) => {
                self.refuse_baseline(region, &e);
                false
            }
        }
    }

    fn refuse_baseline(&self, region: &Region, e: &Refused) {
        let scalar = &region.baseline;
        tracing::info!("{}: tier 1: {e}", region.compile_id());
        scalar.refused.set(true);
        if scalar.is_ready() {
            return;
        }
        let mut state = region.state.borrow_mut();
        // What kept tier 2 from it is the better explanation of a region with tensors.
        if !matches!(&*state, State::Lower(_)) {
            let file = &region.code.code.filename;
            *state = State::Lower(NotConverted::new(of_tier_1(e), file, e.line()));
        }
        region.ask_after(u32::MAX);
    }

    /// Enters the version that fits the frame; none if there is no code at all.
    pub(crate) fn enter_baseline(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Rc<Region>,
    ) -> Option<Entry> {
        let scalar = &region.baseline;
        if !scalar.is_ready() {
            return None;
        }
        if scalar.is_left.take() || self.baseline_side(vm, region) == Side::Lower {
            return Some(Entry::Interpret);
        }
        self.entered.set(self.entered.get() + 1);
        let stressed = self
            .options
            .stress_deopt
            .is_some_and(|n| n > 0 && self.entered.get().is_multiple_of(n));
        // The clock costs as much as a short run: later on, one of so many is timed, and stands for the others.
        let often = self.entered.get() > TIMED && scalar.is_short.get();
        let start =
            (!often || self.options.trace.is_some() || self.entered.get().is_multiple_of(TIMED))
                .then(Instant::now);
        // A run inside of another one is part of that.
        let is_inside = self.in_tier1.replace(true);
        let mut missed: Option<Left> = None;
        let count = scalar.versions.borrow().len();
        for at in 0..count {
            let Some(code) = scalar.versions.borrow().get(at).cloned() else {
                break;
            };
            match code.enter(vm, frame, stressed) {
                Entered::Missed(left) => missed = missed.or(Some(left)),
                Entered::Ran(entry) => {
                    self.in_tier1.set(is_inside);
                    if let Some(start) = start {
                        let took = start.elapsed();
                        scalar.is_short.set(took < SHORT_RUN);
                        let time = if often {
                            stands_for(took, TIMED as u32)
                        } else {
                            took
                        };
                        if !is_inside {
                            add(&self.tier1_time, time);
                        }
                        add(&region.compiled_time, time);
                        self.span(
                            What::Tier1,
                            || format!("tier 1 {}", region.compile_id()),
                            start,
                        );
                    }
                    scalar.missed.set(0);
                    scalar.unfit.set(0);
                    if at > 0
                        && let Ok(mut versions) = scalar.versions.try_borrow_mut()
                        && at < versions.len()
                    {
                        versions.swap(0, at);
                        drop(versions);
                        self.publish(region);
                    }
                    self.after_baseline(region, &code, stressed);
                    if !matches!(entry, Entry::Interpret) {
                        region.tier1_entries.set(region.tier1_entries.get() + 1);
                        // Its trips were made in machine code: tier 0, which saw the first, shall not take that for all.
                        if let Some(site) = region.site() {
                            site.leave_loop();
                        }
                    }
                    return Some(entry);
                }
            }
        }
        self.in_tier1.set(is_inside);
        if let Some(left) = missed {
            region.depart(
                DeoptReason::TypeChanged,
                left.line,
                &left.expected,
                &left.actual,
            );
        }
        if self.take_generated(region)
            && let Some(entry) = self.enter_latest(vm, frame, region)
        {
            return Some(entry);
        }
        scalar.missed.set(scalar.missed.get() + 1);
        let unfit = scalar.unfit.get() + 1;
        scalar.unfit.set(unfit);
        if let Some(more) = unfit.checked_sub(MANY_MISSES) {
            region.ask_after((1 << more.min(31)).min(RARELY));
        }
        if scalar.missed.get() >= MISSES && scalar.may_compile() && self.has_time_to_compile(region)
        {
            scalar.missed.set(0);
            if self.compile_baseline(frame, region)
                && let Some(entry) = self.enter_latest(vm, frame, region)
            {
                return Some(entry);
            }
        }
        Some(Entry::Interpret)
    }

    /// Who is to run an entry of a region that has code: while it is tried whether that pays, now and then tier 0.
    fn baseline_side(&self, vm: &Interp, region: &Rc<Region>) -> Side {
        let scalar = &region.baseline;
        if scalar.is_tried.get() || !self.may_try() {
            return Side::Compiled;
        }
        let runs = scalar.runs.get().saturating_add(1);
        scalar.runs.set(runs);
        if !scalar.trial.borrow().is_open() {
            let versions = scalar.versions.borrow();
            let Some(time) = versions.first().and_then(|c| c.run_time()) else {
                return Side::Compiled;
            };
            if time > TOO_LONG || self.suspends_in_loop(region) {
                scalar.is_tried.set(true);
                return Side::Compiled;
            }
            if runs < TRIED_AFTER && time * runs < TRIED_FROM {
                return Side::Compiled;
            }
        }
        let site = region.site();
        // Tier 0 asks again in an iteration.
        if site.is_some_and(|site| site.running.get() > 1) {
            return scalar.trial.borrow().side();
        }
        let depth = vm.recursion_depth();
        // Looking at the clock takes as long as a short run.
        if scalar.trial.borrow().is_inside(depth) {
            return Side::Compiled;
        }
        let (side, verdict) = scalar.trial.borrow_mut().next(Instant::now(), depth);
        if side == Side::Lower
            && let Some(site) = site
        {
            // Being asked in each iteration would be taken for time of tier 0's.
            let (_, least, _) = site.trips.get();
            region.ask_after(least.saturating_sub(1));
        }
        match verdict {
            Verdict::Open => {}
            Verdict::Pays => scalar.is_tried.set(true),
            Verdict::Slower => {
                tracing::debug!("{}: slower in tier 1", region.compile_id());
                scalar.is_tried.set(true);
                scalar.refused.set(true);
                scalar.versions.borrow_mut().clear();
                // What is being generated comes too late.
                scalar.leave_behind();
                self.publish(region);
                region.waits.set(region::SLOWER);
                region.ask_after(RARELY);
            }
        }
        side
    }

    /// Enters the version that was made last, if it fits.
    fn enter_latest(&self, vm: &mut Interp, frame: &mut Frame, region: &Region) -> Option<Entry> {
        let code = region.baseline.versions.borrow().first().cloned()?;
        match code.enter(vm, frame, false) {
            Entered::Ran(entry) => {
                region.tier1_entries.set(region.tier1_entries.get() + 1);
                Some(entry)
            }
            Entered::Missed(_) => None,
        }
    }

    /// Has calls of a function go to its code at once, as far as that needs no frame.
    fn publish(&self, region: &Rc<Region>) {
        if !matches!(region.kind, RegionKind::Function) {
            return;
        }
        let versions = region.baseline.versions.borrow();
        if suspends(&region.code) {
            region.code.jit.is_brief.set(region.baseline.is_brief.get());
            let compiled = (!versions.is_empty()).then(|| {
                let compiled = Resumable {
                    tiers: self.me.get().cloned().unwrap_or_default(),
                    stressed: self.options.stress_deopt.is_some(),
                    region: region.clone(),
                    versions: versions.clone(),
                };
                Rc::new(compiled) as Rc<dyn CompiledGenerator>
            });
            janus_interp::set_compiled_generator(&region.code, compiled);
            return;
        }
        let callable: Vec<_> = versions
            .iter()
            .filter(|c| c.is_callable())
            .cloned()
            .collect();
        // What is stressed or traced is entered with a frame.
        let plain = self.options.stress_deopt.is_none() && self.options.trace.is_none();
        let direct = (plain && !callable.is_empty()).then(|| {
            let compiled = Direct {
                tiers: self.me.get().cloned().unwrap_or_default(),
                region: region.clone(),
                versions: callable,
            };
            Rc::new(compiled) as Rc<dyn CompiledFunction>
        });
        janus_interp::set_compiled(&region.code, direct);
    }

    /// Whether a generator's body runs few instructions between two yields.
    fn is_brief(region: &Region) -> bool {
        let of = Self::code_regions(&region.code);
        let trips: u64 = of.loops.borrow().values().map(|l| l.entries()).sum();
        region.code.code.instrs.len() <= BRIEF && trips <= 2 * region.entries()
    }

    /// No version fits a suspended frame: another one is compiled for it, or, after many, the code is dropped.
    fn after_missed_generator(&self, region: &Rc<Region>, frame: &Frame) {
        let scalar = &region.baseline;
        if frame.object.get().is_some() || !region.shares_namespace(frame) {
            return;
        }
        let missed = scalar.missed.get() + 1;
        scalar.missed.set(missed);
        if missed >= MISSES && scalar.may_compile() && self.has_time_to_compile(region) {
            scalar.missed.set(0);
            self.compile_baseline(frame, region);
        } else if missed >= MANY_MISSES && !scalar.may_compile() {
            scalar.versions.borrow_mut().clear();
            scalar.refused.set(true);
            self.publish(region);
            region.ask_after(RARELY);
        }
    }

    /// Notes why code was left, and drops it where it does not pay.
    fn after_baseline(&self, region: &Rc<Region>, code: &Rc<CompiledRegion>, stressed: bool) {
        if stressed {
            region.depart(DeoptReason::Stress, region.line(), "", "");
        }
        let left = code.take_deopt();
        if let Some(left) = &left {
            let reason = if left.overflow {
                DeoptReason::IntOverflow
            } else if left.cold {
                DeoptReason::RareCode
            } else {
                DeoptReason::TypeChanged
            };
            region.depart(reason, left.line, &left.expected, &left.actual);
        }
        let scalar = &region.baseline;
        let recompiles = scalar.compiles.get() < MAX_COMPILES / 2;
        let outgrown = left.is_some() && code.is_outgrown() && recompiles;
        if !code.hopeless() && !outgrown {
            return;
        }
        // Another call of it may still be running further out; it is freed when that ends.
        scalar
            .versions
            .borrow_mut()
            .retain(|c| !Rc::ptr_eq(c, code));
        self.publish(region);
        let Some(left) = left else {
            // It would be the same another time.
            scalar.refused.set(true);
            region.waits.set(region::SLOWER);
            region.ask_after(RARELY);
            return;
        };
        if !scalar.is_ready() && !recompiles {
            scalar.refused.set(true);
            let detail = format!("tier 1: {} is met too often", left.actual);
            region.give_up(Refusal::new(ReasonId::KeepsChanging, detail), left.line);
        }
    }
}

/// Whether tier 0 is to run an entry that needs no frame, while it is tried whether code pays: then it is not asked again.
fn is_lower(tiers: &Weak<Tiering>, region: &Rc<Region>, vm: &Interp) -> bool {
    let scalar = &region.baseline;
    let lower = !scalar.is_tried.get()
        && tiers
            .upgrade()
            .is_some_and(|tiers| tiers.baseline_side(vm, region) == Side::Lower);
    if lower {
        scalar.is_left.set(true);
    }
    lower
}

/// Whether frames of some code can be suspended.
pub(crate) fn suspends(code: &CodeObject) -> bool {
    code.code.flags.generator || code.code.flags.coroutine
}

impl Tiering {
    /// Compiles the body of a generator, if it is resumed often enough.
    pub(crate) fn promote_generator(&self, frame: &Frame) {
        let region = self.region(&frame.code, RegionKind::Function);
        let scalar = &region.baseline;
        if scalar.generating.borrow().is_some() {
            self.take_generated(&region);
            return;
        }
        if !region.shares_namespace(frame)
            || !scalar.may_compile()
            || self.has_graphs_between_yields(&region)
        {
            region.ask_after(RARELY);
            return;
        }
        let asked = region.asked.get();
        let enough = RESUMPTIONS.max(scalar.waits.get());
        if asked < enough {
            let more = asked.max(1).min(enough - asked);
            region.asked.set(asked + more);
            region.ask_after(u32::try_from(more).unwrap_or(RARELY) - 1);
            return;
        }
        if !self.has_time_to_compile(&region) {
            region.ask_after(u32::try_from(asked).unwrap_or(RARELY).min(RARELY));
            return;
        }
        region.ask_after(RESUMPTIONS as u32);
        self.compile_baseline(frame, &region);
    }

    /// Whether tier 2 has, or is making, graphs of what runs between the yields of a generator.
    fn has_graphs_between_yields(&self, region: &Region) -> bool {
        let of = Self::code_regions(&region.code);
        let (loops, rests) = (of.loops.borrow(), of.rests.borrow());
        let mut others = loops.values().chain(rests.values());
        others.any(|other| {
            let compiling = matches!(&*other.state.borrow(), State::Compiling);
            compiling || !other.versions.borrow().is_empty()
        })
    }
}

/// Code of a generator's body.
struct Resumable {
    tiers: Weak<Tiering>,
    /// Whether it is left now and then, to see that it can be.
    stressed: bool,
    region: Rc<Region>,
    versions: Vec<Rc<CompiledRegion>>,
}

/// Code that is ready for one frame, while it is tried whether it pays.
struct OnTrial {
    tiers: Weak<Tiering>,
    region: Rc<Region>,
    ready: Box<dyn ReadyGenerator>,
}

impl ReadyGenerator for OnTrial {
    fn resume(&mut self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed {
        if is_lower(&self.tiers, &self.region, vm) {
            return Resumed::Lower;
        }
        self.ready.resume(vm, frame, value)
    }
}

impl CompiledGenerator for Resumable {
    fn resume_quickly(&self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed {
        let code = self.versions.first().filter(|code| code.runs_alone());
        let Some(code) = code.filter(|_| !self.stressed) else {
            return Resumed::Missed;
        };
        if is_lower(&self.tiers, &self.region, vm) {
            return Resumed::Lower;
        }
        let resumed = code.resume_alone(vm, frame, value);
        if let Resumed::Left(_) = resumed
            && let Some(tiers) = self.tiers.upgrade()
        {
            tiers.after_baseline(&self.region, code, false);
        }
        resumed
    }

    fn ready(&self) -> Option<Box<dyn ReadyGenerator>> {
        let code = self.versions.first().filter(|code| code.runs_alone())?;
        if self.stressed {
            return None;
        }
        let ready = code.ready();
        if self.region.baseline.is_tried.get() {
            return Some(ready);
        }
        Some(Box::new(OnTrial {
            tiers: self.tiers.clone(),
            region: self.region.clone(),
            ready,
        }))
    }

    fn resume(&self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed {
        let region = &self.region;
        let scalar = &region.baseline;
        let mut stressed = false;
        if scalar.is_left.take() {
            return Resumed::Lower;
        }
        if (!scalar.is_tried.get() || self.stressed)
            && let Some(tiers) = self.tiers.upgrade()
        {
            if tiers.baseline_side(vm, region) == Side::Lower {
                return Resumed::Lower;
            }
            if let Some(often) = tiers.options.stress_deopt.filter(|n| *n > 0) {
                tiers.entered.set(tiers.entered.get() + 1);
                stressed = tiers.entered.get().is_multiple_of(often);
            }
        }
        for code in &self.versions {
            let mut run = CallRun::default();
            match code.resume(vm, frame, value, stressed, &mut run) {
                Resumed::Missed => {}
                resumed => {
                    region.tier1_entries.set(region.tier1_entries.get() + 1);
                    scalar.missed.set(0);
                    if (run.left || run.took.is_some())
                        && let Some(tiers) = self.tiers.upgrade()
                    {
                        let time = stands_for(run.took.unwrap_or_default(), CALLS_TIMED);
                        if !tiers.in_tier1.get() {
                            add(&tiers.tier1_time, time);
                        }
                        add(&region.compiled_time, time);
                        tiers.after_baseline(region, code, stressed);
                    }
                    return resumed;
                }
            }
        }
        if let Some(tiers) = self.tiers.upgrade() {
            tiers.after_missed_generator(region, frame);
        }
        Resumed::Missed
    }
}

/// What so many runs took, of which one was timed: a long one stands for itself.
fn stands_for(took: Duration, runs: u32) -> Duration {
    match took < LONG_RUN {
        true => took * runs,
        false => took,
    }
}

/// Code of a function that is called without a frame.
struct Direct {
    tiers: Weak<Tiering>,
    region: Rc<Region>,
    versions: Vec<Rc<CompiledRegion>>,
}

impl CompiledFunction for Direct {
    fn call(&self, vm: &mut Interp, function: &PyFunction, args: &[Value]) -> Option<PyResult> {
        if is_lower(&self.tiers, &self.region, vm) {
            return None;
        }
        for code in &self.versions {
            let mut run = CallRun::default();
            let Some(result) = code.call(vm, function, args, &mut run) else {
                continue;
            };
            let region = &self.region;
            region.tier1_entries.set(region.tier1_entries.get() + 1);
            let entries = &region.code.profile.entries;
            entries.set(entries.get() + 1);
            if (run.left || run.took.is_some())
                && let Some(tiers) = self.tiers.upgrade()
            {
                let time = stands_for(run.took.unwrap_or_default(), CALLS_TIMED);
                if !tiers.in_tier1.get() {
                    add(&tiers.tier1_time, time);
                }
                add(&region.compiled_time, time);
                tiers.after_baseline(region, code, false);
            }
            return Some(result);
        }
        None
    }
}

/// Why tier 1 has no code for a region.
fn of_tier_1(refused: &janus_baseline::Refused) -> Cause {
    use janus_baseline::RefusedFor;
    let reason = match refused.what() {
        RefusedFor::Defect => return Cause::defect(refused.to_string()),
        RefusedFor::Form => ReasonId::ScalarsOnly,
        RefusedFor::ClassBody => ReasonId::ClassBody,
        RefusedFor::Generator => ReasonId::Generator,
        RefusedFor::Size => ReasonId::TooLarge,
        RefusedFor::Changes => ReasonId::KeepsChanging,
    };
    Refusal::new(reason, refused.to_string()).into()
}
