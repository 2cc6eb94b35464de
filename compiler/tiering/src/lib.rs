//! When to promote, what was assumed, guards, compiled versions, background compilation.
//!
//! In: entries of functions and loops, as the interpreter reports them to its `Jit`. Out: compiled
//! code entered, or not. Always: a decision costs microseconds on the interpreter's thread; what
//! takes longer runs on the worker's; a compiler error is logged and leaves the region in tier 0.

mod alike;
mod cache;
mod commit;
mod contents;
pub mod draw;
mod emit;
mod enter;
mod explain;
mod guard;
mod history;
mod lines;
mod observe;
mod random;
mod region;
mod scalar;
mod stats;
mod trace;
mod trial;
mod verify;
mod worker;

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::time::{Duration, Instant};

use janus_dialect::Passes;
use janus_gil::clocks::{Clock, spent};
use janus_interp::{Entry, Frame, Interp, Jit};
use janus_object::{CodeObject, PyRef, name};
use janus_plan::{Cause, NotConverted, ReasonId, RegionKind, Relaxations};
pub use janus_plan::{describe_kind, reason};
use janus_speculate::{Request, Speculation};

pub use cache::{Cache, CacheError, CacheStat, DEFAULT_LIMIT, default_cache_dir};
pub use contents::{
    BufferExplanation, CodeExplanation, FunctionExplanation, OpExplanation, StepExplanation,
};
pub use emit::{Emit, EmitStage, full_name};
pub use explain::{
    Assumption, DepartureExplanation, Explanation, GraphExplanation, Refusal, RegionExplanation,
    VersionExplanation,
};
pub use janus_dialect::passes;
pub use lines::{FileLines, LineExplanation};
pub use stats::{
    CompileReport, DeoptReport, MainReport, NotCompiled, RegionReport, Report, TierReport,
};
pub use trace::{Event, Lane, Trace, What};
pub use verify::EXIT_DEFECT;

use region::{Pending, Region, State, Version};
use trial::{Side, Verdict};
use worker::{Done, Failed, Job, Worker};

/// How the tiers behave.
#[derive(Clone, Debug)]
pub struct Options {
    /// The highest tier allowed.
    pub max_tier: u32,
    /// Compile at once, on the interpreter's thread.
    pub sync: bool,
    /// Executions that are profiled before a region is converted.
    pub profiled: u64,
    /// How long a region has to be hot before it is converted: a script that is over soon gains nothing from
    /// compiling, and pays for it.
    pub patience: Duration,
    /// Every n-th entry into compiled code is made to fail.
    pub stress_deopt: Option<u64>,
    /// This entry into tier 2 computes a wrong number.
    pub stress_fault: Option<u64>,
    /// Run each region of tier 2 in tier 0, too, and compare.
    pub verify: bool,
    /// Run each region on an emulated GPU, too, and compare: with threads in an order that follows from this number.
    pub emulate: Option<u64>,
    /// Compiled code kept on disk.
    pub cache: Option<Arc<Cache>>,
    /// Which optimisations run.
    pub passes: Passes,
    /// Where what happens is recorded.
    pub trace: Option<Arc<Trace>>,
    /// Keep the graphs drawn, for a report.
    pub pictures: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_tier: 2,
            sync: false,
            profiled: 3,
            patience: Duration::ZERO,
            stress_deopt: None,
            stress_fault: None,
            verify: false,
            emulate: None,
            cache: None,
            passes: Passes::default(),
            trace: None,
            pictures: false,
        }
    }
}

/// Regions that follow a call, per code object, at most.
const MAX_RESTS: usize = 4;

/// An inner region waits this many entries for one around it to become hot; twice as many more for
/// each further iteration of a loop, but not longer than this many iterations.
const PATIENCE: u64 = 8;
/// Entries after which a refused region is tried again.
const RETRY_AFTER: [u32; 2] = [13, 100];
/// The same for one that had nothing to compute: another entry may go another way.
const RETRY_LITTLE_AFTER: [u32; 6] = [3, 5, 13, 50, 100, 400];
/// The same for one that was refused where it calls itself: the entries that end the recursion have
/// a graph, and each one may be such an entry.
const RETRY_RECURSION_AFTER: [u32; 12] = [1, 1, 1, 2, 2, 3, 3, 5, 8, 13, 50, 100];

/// Half of what compiling a graph takes for each of its ops, about: a thread of its own does it.
const COMPILING_AN_OP: Duration = Duration::from_micros(100);
/// The time that may go into making graphs, on the script's own thread: one of so many parts, beyond this much.
const GRAPHS_SHARE: u32 = 5;
const GRAPHS_AT_ONCE: Duration = Duration::from_millis(200);
/// While it is waited for a region to be hot for long, one entry more for so many that were asked about is not, up to this many.
const ASKS_LESS: u32 = 8;
const MOST_UNASKED: u32 = 1 << 10;
/// A region of which making a graph took too long is tried again when it has been hot for so many times as long.
const HOTTER: u32 = 3;

/// The regions of one code object.
#[derive(Default)]
struct CodeRegions {
    function: RefCell<Option<Rc<Region>>>,
    loops: RefCell<HashMap<u32, Rc<Region>>>,
    /// By the call that they follow.
    rests: RefCell<HashMap<u32, Rc<Region>>>,
}

/// The tiers above the interpreter.
pub struct Tiering {
    options: Options,
    emit: Arc<Emit>,
    regions: RefCell<Vec<Rc<Region>>>,
    worker: RefCell<Worker>,
    baseline: RefCell<Option<janus_baseline::Baseline>>,
    values: RefCell<guard::Values>,
    entered: Cell<u64>,
    /// Time that tier 1 compiled on the interpreter's thread.
    baseline_blocked: Cell<Duration>,
    /// Instructions of the regions that it went into.
    baseline_instrs: Cell<u32>,
    /// The same on its own thread.
    baseline_generating: Cell<Duration>,
    /// When the program began.
    began: Instant,
    optimising_time: Cell<Duration>,
    /// Compile time spent on the interpreter's thread.
    blocked_time: Cell<Duration>,
    /// The part of it in which tier 2's code was compiled.
    compiling_time: Cell<Duration>,
    tier1_time: Cell<Duration>,
    /// Code of tier 1 is running, further out.
    in_tier1: Cell<bool>,
    tier2_time: Cell<Duration>,
    compiles: Cell<u32>,
    cache_hits: Cell<u32>,
    /// Itself, once it is installed.
    me: OnceCell<Weak<Tiering>>,
    /// Names and texts of graphs, for [`Tiering::pictures`].
    to_draw: RefCell<Vec<(String, String)>>,
    /// What `--verify` found.
    difference: RefCell<Option<String>>,
}

fn add(clock: &Cell<Duration>, time: Duration) {
    clock.set(clock.get() + time);
}

impl Tiering {
    /// The tiers with these options.
    pub fn new(options: Options, emit: Arc<Emit>) -> Self {
        if let Some(trace) = options.trace.clone() {
            janus_codegen::set_kernel_sink(Some(Box::new(move |name, began, lasted| {
                trace.lasted(Lane::Main, What::Kernel, name, began, lasted);
            })));
        }
        let worker = Worker::new(emit.clone(), options.cache.clone(), options.trace.clone());
        Tiering {
            worker: RefCell::new(worker),
            options,
            emit,
            regions: RefCell::new(Vec::new()),
            difference: RefCell::new(None),
            baseline: RefCell::new(None),
            values: RefCell::new(guard::Values::new()),
            entered: Cell::new(0),
            baseline_blocked: Cell::new(Duration::ZERO),
            baseline_instrs: Cell::new(0),
            baseline_generating: Cell::new(Duration::ZERO),
            began: Instant::now(),
            optimising_time: Cell::new(Duration::ZERO),
            blocked_time: Cell::new(Duration::ZERO),
            compiling_time: Cell::new(Duration::ZERO),
            tier1_time: Cell::new(Duration::ZERO),
            in_tier1: Cell::new(false),
            tier2_time: Cell::new(Duration::ZERO),
            compiles: Cell::new(0),
            cache_hits: Cell::new(0),
            to_draw: RefCell::default(),
            me: OnceCell::new(),
        }
    }

    /// After the script, which took `ran`: where code is being compiled that an earlier run ended before, too, stays
    /// until it is there, so that a short script that is run again and again finds it. Not for longer than the script took
    /// (or two seconds, where that is more, and at most a minute), and once only.
    pub fn stay(&self, ran: Duration, interrupted: fn() -> bool) {
        let most = ran.clamp(Duration::from_secs(2), Duration::from_secs(60));
        if let Ok(mut worker) = self.worker.try_borrow_mut() {
            worker.stay(most, interrupted);
        }
    }

    /// Makes the interpreter ask these tiers.
    pub fn install(self: &Rc<Self>, vm: &mut Interp) {
        if self.options.max_tier > 0 {
            drop(self.me.set(Rc::downgrade(self)));
            vm.set_jit(self.clone(), 0, 0);
            let tiers = self.clone();
            vm.when_forked(move || tiers.leave_behind());
        } else if !self.emit.stages.contains(&EmitStage::Profile) {
            // Nobody reads them.
            vm.set_profiling(false);
        }
    }

    /// In a copy of the process, which has no thread but this one.
    fn leave_behind(&self) {
        self.worker.borrow_mut().leave_behind();
        if let Some(baseline) = self.baseline.borrow_mut().as_mut() {
            baseline.leave_behind();
        }
        for region in self.regions.borrow().iter() {
            region.baseline.leave_behind();
        }
    }

    fn code_regions(code: &CodeObject) -> Rc<CodeRegions> {
        let mut state = code.jit.state.borrow_mut();
        if let Some(known) = state
            .as_ref()
            .and_then(|s| s.clone().downcast::<CodeRegions>().ok())
        {
            return known;
        }
        let fresh = Rc::new(CodeRegions::default());
        let erased: Rc<dyn Any> = fresh.clone();
        *state = Some(erased);
        fresh
    }

    fn new_region(&self, code: &PyRef<CodeObject>, kind: RegionKind) -> Rc<Region> {
        let mut all = self.regions.borrow_mut();
        let trace = self.options.trace.clone();
        let region = Rc::new(Region::new(all.len(), code.clone(), kind, trace));
        all.push(region.clone());
        region
    }

    fn region(&self, code: &PyRef<CodeObject>, kind: RegionKind) -> Rc<Region> {
        let of = Self::code_regions(code);
        match kind {
            RegionKind::Function => of
                .function
                .borrow_mut()
                .get_or_insert_with(|| self.new_region(code, kind))
                .clone(),
            RegionKind::Loop { head } => of
                .loops
                .borrow_mut()
                .entry(head)
                .or_insert_with(|| self.new_region(code, kind))
                .clone(),
            RegionKind::Rest { call } => of
                .rests
                .borrow_mut()
                .entry(call)
                .or_insert_with(|| self.new_region(code, kind))
                .clone(),
        }
    }

    fn enter(&self, vm: &mut Interp, frame: &mut Frame, kind: RegionKind) -> Entry {
        self.take_finished();
        let region = self.region(&frame.code, kind);
        if !region.shares_namespace(frame) {
            if matches!(kind, RegionKind::Loop { .. }) {
                region.ask_after(OTHER_NAMESPACE);
            }
            return Entry::Interpret;
        }
        region.asked.set(region.asked.get() + 1);
        if let Some(entry) = self.enter_baseline(vm, frame, &region) {
            return entry;
        }
        let is_compiling = matches!(&*region.state.borrow(), State::Compiling);
        if is_compiling {
            self.compile_held(&region);
        }
        let has_versions = !region.versions.borrow().is_empty();
        if has_versions {
            return match self.is_on_trial(&region) {
                true => self.enter_on_trial(vm, frame, &region),
                false => self.enter_versions(vm, frame, &region),
            };
        }
        let due = match &*region.state.borrow() {
            State::Cold | State::Lower(_) => true,
            State::Compiling | State::Ready => false,
        };
        if !due {
            region.watch(frame);
            return Entry::Interpret;
        }
        if !region.is_profiled(self.options.profiled, self.options.patience) {
            region.observe(frame);
            return Entry::Interpret;
        }
        region
            .tensors
            .set(has_tensor_modules(vm) && region.touches_tensors(frame));
        if self.options.max_tier >= 2 && !region.exhausted.get() && region.tensors.get() {
            if !self.is_long_hot(&region) {
                region.observe(frame);
                // Where entries are short, asking at each one would take longer than they do.
                let asked = u32::try_from(region.asked.get()).unwrap_or(u32::MAX);
                region.ask_after((asked / ASKS_LESS).min(MOST_UNASKED));
                return Entry::Interpret;
            }
            return self.promote(vm, frame, &region);
        }
        region.waits.set(region::NO_TENSORS);
        self.promote_baseline(vm, frame, &region)
    }

    /// Whether it is being found out whether a region's versions pay, which takes a clock that nothing disturbs.
    fn is_on_trial(&self, region: &Region) -> bool {
        self.may_try()
            && region
                .trial
                .borrow()
                .is_due(region.tier2_entries.get(), region.compiled_time.get())
    }

    /// Whether what runs take is told by the clock: nothing is compiled at once, checked or stressed.
    fn may_try(&self) -> bool {
        let options = &self.options;
        !(options.patience.is_zero()
            || options.sync
            || options.verify
            || options.stress_deopt.is_some()
            || options.trace.is_some()
            || options.emulate.is_some())
    }

    /// An entry of a region whose versions may be slower than the tiers below.
    fn enter_on_trial(&self, vm: &mut Interp, frame: &mut Frame, region: &Rc<Region>) -> Entry {
        let (side, verdict) = region
            .trial
            .borrow_mut()
            .next(Instant::now(), vm.recursion_depth());
        if verdict == Verdict::Slower {
            let detail = "the tiers below take less time for it";
            region.leave_below(janus_plan::Refusal::new(ReasonId::NotFaster, detail));
            return Entry::Interpret;
        }
        if side == Side::Lower {
            return Entry::Interpret;
        }
        let before = region.tier2_entries.get();
        let entry = self.enter_versions(vm, frame, region);
        if region.tier2_entries.get() == before {
            region.trial.borrow_mut().miss();
        }
        entry
    }

    /// Whether a region was hot for as long as it has to be, and graphs did not take too much of the time so far.
    fn is_long_hot(&self, region: &Region) -> bool {
        let patience = self.options.patience.max(region.patience.get());
        if self.options.patience.is_zero() {
            return true;
        }
        let since = region.hot_since.get().unwrap_or_else(|| {
            let now = Instant::now();
            region.hot_since.set(Some(now));
            now
        });
        let graphs = self.blocked_time.get().saturating_sub(GRAPHS_AT_ONCE);
        since.elapsed() >= patience && graphs * GRAPHS_SHARE <= self.began.elapsed()
    }

    /// How long a region has been hot, where that limits what it may cost.
    fn hot_for(&self, region: &Region) -> Option<Duration> {
        let patience = self.options.patience;
        let hot = region.hot_since.get()?.elapsed();
        (!patience.is_zero()).then(|| hot.max(patience))
    }

    /// Hands a job to the worker that will pay for itself if its region goes on for as long as it has been hot; others wait
    /// until then.
    fn submit_in_time(&self, region: &Region, job: Job) {
        let cost = COMPILING_AN_OP * u32::try_from(job.graph.op_count()).unwrap_or(u32::MAX);
        let early = self.hot_for(region).is_some_and(|hot| cost > hot);
        let is_cached = || {
            let cache = self.options.cache.as_ref();
            cache.is_some_and(|cache| cache.has(job.key()))
        };
        if early && !is_cached() {
            *region.held.borrow_mut() = Some(region::Held { job, cost });
        } else {
            self.submit(job);
        }
    }

    fn submit(&self, job: Job) {
        let refused = self.worker.borrow_mut().submit(job);
        if let Err(done) = refused {
            self.install_version(*done);
        }
    }

    /// Compiles a graph that waited, if its region ran for long enough by now.
    fn compile_held(&self, region: &Region) {
        let hot = self.hot_for(region).unwrap_or(Duration::MAX);
        let due = region.held.borrow_mut().take_if(|held| hot >= held.cost);
        if let Some(held) = due {
            self.submit(held.job);
        }
    }

    // ---- tier 2 --------------------------------------------------------------------------

    fn promote(&self, vm: &mut Interp, frame: &mut Frame, region: &Rc<Region>) -> Entry {
        // Library code is inlined into the user's regions; on its own it would be compiled for
        // every caller at once.
        if region.code.code.is_library() {
            let detail = "library code is inlined into the code that calls it";
            region.give_up(
                janus_plan::Refusal::new(ReasonId::LibraryCode, detail),
                region.line(),
            );
            return Entry::Interpret;
        }
        if self.enclosed(vm, frame, region) {
            region.waits.set(region::ENCLOSED);
            region.observe(frame);
            return Entry::Interpret;
        }
        if self.convert(vm, frame, region) {
            self.enter_versions(vm, frame, region)
        } else {
            Entry::Interpret
        }
    }

    /// Whether a region around this one may be compiled soon: it would contain this one.
    fn enclosed(&self, vm: &Interp, frame: &Frame, region: &Region) -> bool {
        let blocks = |around: &Region| match &*around.state.borrow() {
            State::Cold => {
                let turns = around.asked.get();
                let further = match around.kind {
                    RegionKind::Loop { .. } => turns.saturating_sub(1),
                    RegionKind::Function | RegionKind::Rest { .. } => 0,
                };
                let patience = PATIENCE * (1 + 2 * further);
                // What takes long in a turn that is the first one will be there for long.
                let soon = turns > 1 || !region.takes_long();
                soon && (1..=self.options.profiled + PATIENCE).contains(&turns)
                    && region.asked.get() < self.options.profiled + patience
            }
            State::Compiling => true,
            State::Ready => {
                // A graph that ends before a call does not contain what is called, nor do versions
                // that many entries do not fit and that have no sibling for those.
                let versions = around.versions.borrow();
                let whole = versions.iter().all(|v| v.plan.ends.is_none());
                let young = around.departed() < PATIENCE
                    && versions.iter().any(|v| v.plan.contains(&region.code));
                whole && (around.serves() || young) && around.asked.get() > 0
            }
            State::Lower(_) => false,
        };
        let loops_around = |code: &CodeObject, pc: u32, own: Option<u32>| {
            let of = code
                .jit
                .state
                .borrow()
                .as_ref()
                .and_then(|s| s.clone().downcast::<CodeRegions>().ok());
            let Some(of) = of else { return false };
            let in_loop = of.loops.borrow().iter().any(|(&head, r)| {
                Some(head) != own && janus_plan::in_loop(&code.code, head, pc) && blocks(r)
            });
            let function = of.function.borrow();
            in_loop
                || (own.is_some()
                    && function
                        .as_ref()
                        .is_some_and(|r| r.id != region.id && blocks(r)))
        };
        let own = match region.kind {
            RegionKind::Loop { head } => Some(head),
            // The regions that contain it were refused because of the call before it.
            RegionKind::Rest { .. } | RegionKind::Function => None,
        };
        if own.is_some() && loops_around(&frame.code, frame.pc.saturating_sub(1), own) {
            return true;
        }
        // What a loop's head calls for the next item comes before the loop's iterations.
        vm.frames().iter().any(|f| {
            !PyRef::ptr_eq(&f.code, &frame.code)
                && !f.code.code.is_library()
                && loops_around(&f.code, f.pc, Some(f.pc))
        })
    }

    /// Speculates and compiles, or hands the graph to the worker. Whether a version is there now.
    fn convert(&self, vm: &mut Interp, frame: &Frame, region: &Rc<Region>) -> bool {
        let attempt = region.attempts.get();
        region.attempts.set(attempt + 1);
        let name = region.compile_id();
        let start = Instant::now();
        let mut speculation = self.speculate(vm, frame, region);
        // With less that moves it would not be smaller.
        let in_vain = |made: &Result<Speculation, NotConverted>| {
            let reasons = [ReasonId::TakesLong, ReasonId::TooLarge];
            made.as_ref()
                .is_err_and(|not| reasons.contains(&not.reason()))
        };
        if speculation.is_err() && !in_vain(&speculation) {
            for less in region.less_observed() {
                region.relaxations.replace(less);
                speculation = self.speculate(vm, frame, region);
                if speculation.is_ok() || in_vain(&speculation) {
                    break;
                }
            }
        }
        let time = start.elapsed();
        add(&self.blocked_time, time);
        add(&self.optimising_time, time);
        self.span(What::Compile, || format!("build graph {name}"), start);
        let speculation = match speculation {
            Ok(s) => s,
            Err(not) => {
                tracing::info!("{name}: not converted: {not}");
                if not.reason() == ReasonId::TakesLong
                    && let Some(hot) = self.hot_for(region)
                {
                    region.patience.set((hot + time) * HOTTER);
                    if region.versions.borrow().is_empty() {
                        region.waits.set(region::NOT_LONG_HOT);
                        return false;
                    }
                }
                if let Some(call) = not.call {
                    self.offer_rest(&frame.code, call);
                }
                self.refuse(region, not, attempt);
                return false;
            }
        };
        if let Some(call) = speculation.plan.ends.as_ref().and_then(|ends| ends.call) {
            self.offer_rest(&frame.code, call);
        }
        region.fruitless.set(0);
        region.compiles.set(region.compiles.get() + 1);
        self.compiles.set(self.compiles.get() + 1);
        region.graph_ops.set(Some(speculation.graph.op_count()));
        let function = emit::names(&region.code, speculation.plan.parts());
        let name = region.compile_id();
        self.emit_graph(&speculation.graph, &function, &name);
        if self.emit.wants(EmitStage::Plan, &function) {
            let text = speculation.plan.text();
            self.emit.text(EmitStage::Plan, &function, &name, &text);
        }
        let job = Job {
            region: region.id,
            graph: speculation.graph,
            function,
            name,
            passes: self.options.passes,
            emulate: self.options.emulate,
            on_device: speculation.plan.on_device,
        };
        region.watched.set(0);
        *region.pending.borrow_mut() = Some(Pending {
            plan: speculation.plan,
            relaxations: region.relaxations.borrow().clone(),
            relaxed: region.relaxed.get(),
        });
        *region.state.borrow_mut() = State::Compiling;
        if self.options.sync {
            let trace = self.options.trace.as_deref().map(|t| (t, Lane::Main));
            let done = worker::compile(job, &self.emit, self.options.cache.as_deref(), trace, None);
            add(&self.blocked_time, done.time);
            add(&self.compiling_time, done.time);
            self.install_version(done);
            return matches!(&*region.state.borrow(), State::Ready);
        }
        self.submit_in_time(region, job);
        false
    }

    fn speculate(
        &self,
        vm: &mut Interp,
        frame: &Frame,
        region: &Region,
    ) -> Result<Speculation, NotConverted> {
        let relaxations = Relaxations {
            generous: region.compiles.get() > 0,
            ..region.relaxations.borrow().clone()
        };
        let request = Request {
            code: &frame.code,
            kind: region.kind,
            frame,
            relaxations: &relaxations,
            passes: self.options.passes,
            deadline: self.hot_for(region).map(|hot| Instant::now() + hot),
        };
        // A bug of the speculator costs a compile, not the script.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let made = janus_speculate::speculate(vm, &request);
            if let Err(not) = &made {
                tracing::debug!("{}: this attempt: {not}", region.compile_id());
            }
            made
        }))
        .unwrap_or_else(|_| {
            tracing::error!("{}: the speculator panicked", region.compile_id());
            Err(NotConverted::new(
                Cause::defect("compiler error: the speculator panicked"),
                &region.code.code.filename,
                region.line(),
            ))
        })
    }

    /// The graph's text and pictures.
    fn emit_graph(&self, graph: &janus_dialect::Graph, function: &str, name: &str) {
        if self.emit.wants(EmitStage::Graph, function) {
            // A file may be compiled on its own; on a terminal long constants are in the way.
            let text = if self.emit.dir.is_some() {
                graph.whole_text()
            } else {
                graph.text()
            };
            self.emit.text(EmitStage::Graph, function, name, &text);
        }
        if self.options.pictures {
            let graph = (name.to_owned(), graph.content());
            self.to_draw.borrow_mut().push(graph);
        }
        if self.emit.wants(EmitStage::Dot, function) {
            let (dot, _) = draw::dot(&graph.content());
            self.emit.text(EmitStage::Dot, function, name, &dot);
        }
        if self.emit.wants(EmitStage::Svg, function) {
            match draw::svg(&graph.content()) {
                Some(svg) => self.emit.text(EmitStage::Svg, function, name, &svg),
                None => tracing::info!("{name}: the graph is too large to be drawn"),
            }
        }
    }

    /// Names of compiled versions, and their graphs as SVG. They are drawn now: while the script ran, it would have
    /// waited for it.
    pub fn pictures(&self) -> Vec<(String, String)> {
        let graphs = self.to_draw.borrow();
        let drawn = |(name, graph): &(String, String)| Some((name.clone(), draw::svg(graph)?));
        graphs.iter().filter_map(drawn).collect()
    }

    /// Records what began at `start` and is over now.
    fn span(&self, what: What, name: impl FnOnce() -> String, start: Instant) {
        if let Some(trace) = &self.options.trace {
            trace.span(Lane::Main, what, &name(), start);
        }
    }

    /// What follows a call that a graph cannot contain may be a region itself.
    fn offer_rest(&self, code: &PyRef<CodeObject>, call: u32) {
        let offered = Self::code_regions(code).rests.borrow().len();
        if let Some(site) = code.profile.site(call)
            && !site.resumes.get()
            && offered < MAX_RESTS
        {
            self.region(code, RegionKind::Rest { call });
            site.countdown.set(0);
            site.resumes.set(true);
        }
    }

    fn refuse(&self, region: &Region, not: NotConverted, attempt: u32) {
        let retries: &[u32] = match not.reason() {
            ReasonId::Recursion => &RETRY_RECURSION_AFTER,
            ReasonId::LittleWork => &RETRY_LITTLE_AFTER,
            _ => &RETRY_AFTER,
        };
        let has_versions = !region.versions.borrow().is_empty();
        if has_versions {
            // What is there stays in use.
            *region.refused.borrow_mut() = Some(not);
            *region.state.borrow_mut() = State::Ready;
            let fruitless = region.fruitless.get();
            region.fruitless.set(fruitless + 1);
            let again = retries.get(fruitless as usize).filter(|&&n| n < 8);
            let again = again.map_or(8 << fruitless.min(16), |&n| u64::from(n));
            region.hold.set(region.asked.get() + again);
            return;
        }
        *region.state.borrow_mut() = State::Lower(not);
        let again = retries.get(attempt as usize).copied();
        region.exhausted.set(again.is_none());
        // What tier 2 refused for good may still be tier 1's.
        let last = if attempt == u32::MAX { u32::MAX } else { 0 };
        region.ask_after(again.unwrap_or(last));
    }

    fn take_finished(&self) {
        loop {
            let done = match self.worker.try_borrow_mut() {
                Ok(mut worker) => worker.poll(),
                Err(_) => None,
            };
            match done {
                Some(done) => self.install_version(done),
                None => break,
            }
        }
    }

    fn install_version(&self, done: Done) {
        add(&self.optimising_time, done.time);
        let Some(region) = self.regions.borrow().get(done.region).cloned() else {
            return;
        };
        let Some(pending) = region.pending.borrow_mut().take() else {
            return;
        };
        match done.result {
            Ok(compiled) => {
                if done.cached {
                    self.cache_hits.set(self.cache_hits.get() + 1);
                }
                let version = Version {
                    plan: pending.plan,
                    compiled,
                    origins: done.origins,
                    number: region.compiles.get(),
                    // The entry that is under way is not one of them.
                    profiled: region.interpreted().saturating_sub(1),
                    relaxations: pending.relaxations,
                    relaxed: pending.relaxed,
                    hits: Cell::new(0),
                    failures: Cell::new(0),
                };
                region.install(version);
            }
            Err(Failed::Names(..)) if region.keep_to_one_name() => {
                tracing::info!("{}: again, with branches apart", region.compile_id());
            }
            Err(failed) => {
                let file = &region.code.code.filename;
                let not = match failed {
                    Failed::Limit(detail, line) | Failed::Names(detail, line) => {
                        let refusal = janus_plan::Refusal::new(ReasonId::GradientForm, detail);
                        NotConverted::new(refusal, file, line)
                    }
                    Failed::Defect(message) => {
                        // The log has the rest of it.
                        let first = message.lines().next().unwrap_or_default();
                        let cause = Cause::defect(format!("compiler error: {first}"));
                        NotConverted::new(cause, file, region.line())
                    }
                };
                tracing::info!("{}: not compiled: {not}", region.compile_id());
                region.note_refused(&pending.relaxations);
                self.refuse(&region, not, u32::MAX);
            }
        }
    }

    // ---- reports -------------------------------------------------------------------------

    /// What happened, for the stats file.
    pub fn report(&self, wall: Duration, startup: Duration) -> Report {
        let tier1 = self.tier1_time.get();
        let tier2 = self.tier2_time.get() + spent(Clock::Backward);
        let tier0 = wall.saturating_sub(tier1 + tier2 + self.blocked_time.get() + startup);
        let (kernels, waiting) = (spent(Clock::Kernels), spent(Clock::Waiting));
        let compiling = self.compiling_time.get();
        let main = MainReport {
            tier0_s: tier0.saturating_sub(kernels + waiting).as_secs_f64(),
            kernels_s: kernels.as_secs_f64(),
            tier1_s: tier1.as_secs_f64(),
            tier2_s: tier2.as_secs_f64(),
            graphs_s: (self.blocked_time.get().saturating_sub(compiling)).as_secs_f64(),
            compiling_s: compiling.as_secs_f64(),
            waiting_s: waiting.as_secs_f64(),
        };
        let tiers = BTreeMap::from([
            (
                "0",
                TierReport {
                    time_s: tier0.as_secs_f64(),
                },
            ),
            (
                "1",
                TierReport {
                    time_s: tier1.as_secs_f64(),
                },
            ),
            (
                "2",
                TierReport {
                    time_s: tier2.as_secs_f64(),
                },
            ),
        ]);
        Report {
            version: 1,
            wall_s: wall.as_secs_f64(),
            startup_s: startup.as_secs_f64(),
            tiers,
            main,
            emulation: janus_codegen::emulation_tally().map(Into::into),
            compile: CompileReport {
                baseline_s: (self.baseline_blocked.get() + self.baseline_generating.get())
                    .as_secs_f64(),
                optimising_s: self.optimising_time.get().as_secs_f64(),
                count: self.compiles.get(),
                cache_hits: self.cache_hits.get(),
            },
            regions: self
                .regions
                .borrow()
                .iter()
                .filter(|r| self.notable(r))
                .map(|r| report_region(r))
                .collect(),
        }
    }

    /// Library code that is only ever inlined says nothing to a user.
    fn notable(&self, region: &Region) -> bool {
        region.entries() > self.options.profiled
            && (!region.code.code.is_library() || region.compiles.get() > 0)
    }

    /// Code objects of all regions, for `--emit profile`.
    pub fn codes(&self) -> Vec<PyRef<CodeObject>> {
        let mut codes: Vec<PyRef<CodeObject>> = Vec::new();
        for r in self.regions.borrow().iter() {
            if !codes.iter().any(|c| PyRef::ptr_eq(c, &r.code)) {
                codes.push(r.code.clone());
            }
        }
        codes
    }
}

/// Whether a script can have made a tensor at all.
fn has_tensor_modules(vm: &Interp) -> bool {
    let modules = vm.modules();
    [name!("torch"), name!("numpy")]
        .iter()
        .any(|name| modules.index_of_name(name).is_some())
}

fn report_region(r: &Region) -> RegionReport {
    let entries = r.entries().max(r.tier1_runs() + r.tier2_entries.get());
    let (one, two) = (r.tier1_runs(), r.tier2_entries.get());
    let tier = match (r.baseline.is_ready(), r.versions.borrow().is_empty()) {
        (_, false) => 2,
        (true, true) => 1,
        _ => 0,
    };
    let not_compiled = match (&*r.state.borrow(), tier) {
        (State::Lower(not), 0 | 1) => Some(NotCompiled {
            reason: not.detail().to_owned(),
            line: not.line,
        }),
        (State::Cold, 0) => Some(NotCompiled {
            reason: r.waits.get().to_owned(),
            line: r.line(),
        }),
        (State::Compiling, 0) => Some(NotCompiled {
            reason: region::UNDER_WAY.to_owned(),
            line: r.line(),
        }),
        _ => None,
    };
    RegionReport {
        id: r.id,
        file: r.code.code.filename.to_string(),
        line: r.line(),
        function: r.code.code.qualname.to_string(),
        kind: r.kind.name(),
        tier,
        entries,
        entries_by_tier: BTreeMap::from([("0", entries - one - two), ("1", one), ("2", two)]),
        compiles: r.compiles.get(),
        deopts: r
            .departures
            .borrow()
            .iter()
            .filter(|(_, d)| d.count > 0)
            .map(|((reason, line), d)| DeoptReport {
                reason: reason.id(),
                line: *line,
                count: d.count,
            })
            .collect(),
        graph_ops: r.graph_ops.get(),
        not_compiled,
    }
}

/// Iterations of a loop until it is asked again whether it runs in the namespace that its code was made for.
const OTHER_NAMESPACE: u32 = 64;

impl Jit for Tiering {
    fn enter_function(&self, vm: &mut Interp, frame: &mut Frame) -> Entry {
        if frame.code.code.flags.generator
            || frame.code.code.flags.coroutine
            || frame.code.code.flags.module
        {
            frame.code.jit.entry_countdown.set(u32::MAX);
            return Entry::Interpret;
        }
        self.enter(vm, frame, RegionKind::Function)
    }

    fn enter_loop(&self, vm: &mut Interp, frame: &mut Frame, head: u32) -> Entry {
        self.enter(vm, frame, RegionKind::Loop { head })
    }

    fn resume_generator(&self, _: &mut Interp, frame: &Frame) {
        self.promote_generator(frame);
    }

    fn enter_rest(&self, vm: &mut Interp, frame: &mut Frame, call: u32) -> Entry {
        // Of generators only loops are regions.
        let flags = frame.code.code.flags;
        let in_function = RegionKind::Rest { call }
            .loop_head(&frame.code.code)
            .is_none();
        if flags.coroutine || (in_function && (flags.generator || flags.module)) {
            if let Some(site) = frame.code.profile.site(call) {
                site.resumes.set(false);
            }
            return Entry::Interpret;
        }
        self.enter(vm, frame, RegionKind::Rest { call })
    }
}
