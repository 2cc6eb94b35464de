//! A region and its compiled versions.
//!
//! In: entries, guard misses, failed asserts. Out: what to do next. Always: the number of compiles
//! of a region is bounded; a miss relaxes what was assumed before the next compile.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use janus_codegen::Compiled;
use janus_dialect::Origin;
use janus_interp::Frame;
use janus_object::{CodeObject, PyDict, PyRef, PyWeak, Site, Value};
use janus_plan::rows::{column, has_rows};
use janus_plan::{
    Assertion, AssumedBranch, AssumptionKey, Cause, Check, DeoptReason, NotConverted, Plan,
    ReasonId, Refusal, RegionKind, Relax, Relaxations, Step,
};
use janus_tensor::Tensor;

use crate::alike::{alike, data_like};
use crate::guard::Miss;
use crate::scalar::{Scalar, suspends};
use crate::trace::{Trace, What};
use crate::trial::Trial;
use crate::worker::Job;

/// Versions compiled for one region at most, and as many for objects that were not met before, where they pay.
const MAX_COMPILES: u32 = 8;
/// Executions that are profiled of what takes this long each time.
const FEW_EXECUTIONS: u64 = 2;
const LONG_ITERATION: Duration = Duration::from_millis(250);
/// Entries in a row without a fitting version after which a region stays in its lower tier, or is
/// asked about less often where its versions were of use before.
const MAX_MISSES: u32 = 64;
/// Entries that such a region lets pass.
const PAUSE: u32 = 16;
/// Entries that are looked at while a version is compiled.
const MAX_WATCHED: u32 = 32;
/// Entries that are near.
const SOON: u64 = 16;
/// Entries in a row that no version serves, after which what lies inside a region is compiled on its own.
const MAX_IDLE: u64 = 8;
/// Misses of a constant after which it is read at every entry.
const CONSTANT_MISSES: u32 = 2;
/// Ops of a graph that takes seconds to compile, and failures of one of its asserts that are worth
/// another one.
const LARGE: usize = 2_000;
const LARGE_FAILURES: u64 = 3;
/// Lengths of a dict that were missed when it is no longer told by its keys: a state that is filled once has two.
const DICT_LENGTHS: usize = 3;
/// Other lengths of a list that were met when its items become rows.
const LIST_LENGTHS: usize = 2;
/// Versions for values that cannot be relaxed (strings, other objects) at most, beyond the first.
const MAX_VARIANTS: u32 = 6;
/// Times that a list's length, or a value that no graph could have moving, is met before a version is compiled for it:
/// where lists grow, or something counts, each is met once.
const TOLD_MISSES: u32 = 2;
/// How often a region whose lists grow is asked about again where others are given up.
const MAX_GROWTHS: u32 = 8;
/// Why a region was not tried: what it waits for.
pub(crate) const NOT_LONG_HOT: &str = "it was not hot for long enough";
pub(crate) const NO_TENSORS: &str = "it has no tensors, and was not hot enough for tier 1";
pub(crate) const SHORT: &str =
    "it has no tensors, and a call of it costs less in tier 0 than entering code of tier 1";
pub(crate) const SLOWER: &str = "it has no tensors, and code of tier 1 took longer than tier 0";
pub(crate) const ENCLOSED: &str = "the code around it is compiled, or may be soon";
/// Why a region that is being compiled is not in tier 2 yet.
pub(crate) const UNDER_WAY: &str = "its code was not ready when the script ended";
/// Failures of one assert after which its region is compiled no more.
const MAX_ASSERT_FAILURES: u64 = 16;

/// Where a region stands.
pub(crate) enum State {
    /// Profiled in tier 0.
    Cold,
    /// A graph is being compiled; older versions stay in use.
    Compiling,
    /// At least one version.
    Ready,
    /// It stays in its lower tier, unless another attempt is due.
    Lower(NotConverted),
}

/// A compiled version with its guards.
pub(crate) struct Version {
    pub plan: Plan,
    pub compiled: Compiled,
    /// The ops of its graph.
    pub origins: Vec<Origin>,
    /// From 1, in the order in which they were made.
    pub number: u32,
    /// Executions in tier 0 before it was made.
    pub profiled: u64,
    /// What was relaxed when it was converted, and [`Region::relaxed`] then.
    pub relaxations: Relaxations,
    pub relaxed: u32,
    pub hits: Cell<u64>,
    pub failures: Cell<u64>,
}

/// A version that is being compiled.
pub(crate) struct Pending {
    pub plan: Plan,
    /// As in [`Version`].
    pub relaxations: Relaxations,
    pub relaxed: u32,
}

/// A graph that is not compiled yet, since its region did not run for as long as that takes.
pub(crate) struct Held {
    pub job: Job,
    /// What compiling it takes, about.
    pub cost: Duration,
}

/// An assert that failed: nothing of that run is left.
pub(crate) struct Failure {
    pub version: Rc<Version>,
    /// Its number.
    pub assert: i64,
}

impl Failure {
    pub fn assertion(&self) -> Option<&Assertion> {
        let id = usize::try_from(self.assert).ok()?;
        self.version.plan.asserts.get(id)
    }

    fn branch(&self) -> Option<(&Assertion, AssumedBranch)> {
        let assertion = self.assertion()?;
        Some((assertion, assertion.branch?))
    }

    /// Whether a version assumes the same, and fails as well.
    pub fn is_shared_by(&self, version: &Version) -> bool {
        self.branch().is_some_and(|(failed, branch)| {
            version
                .plan
                .asserts
                .iter()
                .any(|a| a.key == failed.key && a.branch.is_some_and(|b| b.jump == branch.jump))
        })
    }
}

/// A departure from compiled code.
#[derive(Default)]
pub(crate) struct Departure {
    pub count: u64,
    /// The entry at which it last happened.
    pub last: u64,
    /// Times that another version went on.
    pub rerouted: u64,
    pub expected: String,
    pub actual: String,
}

/// A function or loop that is, or may become, compiled.
pub(crate) struct Region {
    pub id: usize,
    pub code: PyRef<CodeObject>,
    pub kind: RegionKind,
    pub state: RefCell<State>,
    /// Why it was not tried at the last entry.
    pub waits: Cell<&'static str>,
    /// Entries that tiering was asked about.
    pub asked: Cell<u64>,
    /// Whether tensors were in reach when it was last decided what becomes of it.
    pub tensors: Cell<bool>,
    /// Since when it counts as hot: a loop since its first iteration, a function since it was profiled often enough.
    pub hot_since: Cell<Option<Instant>>,
    /// How long it has to have been hot before a graph of it is made, where an attempt took longer than it ran.
    pub patience: Cell<Duration>,
    /// A graph whose compilation would take longer than it ran so far.
    pub held: RefCell<Option<Held>>,
    pub tier1_entries: Cell<u64>,
    pub tier2_entries: Cell<u64>,
    /// [`Self::asked`] at the last of them.
    served_at: Cell<u64>,
    pub versions: RefCell<Vec<Rc<Version>>>,
    /// What is being compiled.
    pub pending: RefCell<Option<Pending>>,
    pub relaxations: RefCell<Relaxations>,
    /// How often more was relaxed.
    pub relaxed: Cell<u32>,
    /// Versions made for another value of what cannot be relaxed.
    pub variants: Cell<u32>,
    /// Misses of ints and bools that were taken for constants, by path.
    constant_misses: RefCell<HashMap<Rc<str>, u32>>,
    /// Shapes and ints in the locals at the last entry, until the first conversion.
    /// What places held at earlier entries.
    pub seen: RefCell<HashMap<Rc<str>, crate::observe::Seen>>,
    /// Entries looked at before the first version.
    pub observed: Cell<u32>,
    /// Entries looked at while a version is compiled.
    pub watched: Cell<u32>,
    pub compiles: Cell<u32>,
    /// Those of them that were made for another object: see [`Region::is_of_object`].
    pub met: Cell<u32>,
    pub attempts: Cell<u32>,
    /// Whether it is not tried again after its refusals.
    pub exhausted: Cell<bool>,
    /// Attempts in a row that came to nothing while versions were there, and the entry before
    /// which there is no further one.
    pub fruitless: Cell<u32>,
    pub hold: Cell<u64>,
    /// The same of a version that does not assume what an assert was made of.
    hold_asserts: Cell<u64>,
    /// Asserts that an attempt to relax came to nothing: only these wait.
    pub fruitless_for: RefCell<HashSet<AssumptionKey>>,
    /// What has to be a constant: no graph could be made in which it moved.
    immovable: RefCell<HashSet<Rc<str>>>,
    /// How often which length of which list was missed.
    lengths: RefCell<HashMap<String, u32>>,
    /// Which lengths of which list or dict were met where another one was assumed.
    container_lengths: RefCell<HashMap<Rc<str>, HashSet<String>>>,
    /// See [`MAX_GROWTHS`].
    growths: Cell<u32>,
    /// Why the last attempt at a further version came to nothing.
    pub refused: RefCell<Option<NotConverted>>,
    /// Entries since a version last fitted.
    pub missed: Cell<u32>,
    pub graph_ops: Cell<Option<usize>>,
    pub departures: RefCell<IndexMap<(DeoptReason, u32), Departure>>,
    /// How often compiled code had been left when the newest version was made.
    departed_before: Cell<u64>,
    /// Tier 1's code.
    pub baseline: Scalar,
    /// Where its code looks names up.
    globals: RefCell<Option<PyWeak<PyDict>>>,
    /// Time spent in its compiled code.
    pub compiled_time: Cell<Duration>,
    /// Whether its versions pay.
    pub trial: RefCell<Trial>,
    trace: Option<Arc<Trace>>,
}

impl Region {
    pub fn new(
        id: usize,
        code: PyRef<CodeObject>,
        kind: RegionKind,
        trace: Option<Arc<Trace>>,
    ) -> Self {
        Region {
            id,
            code,
            kind,
            state: RefCell::new(State::Cold),
            waits: Cell::new(NOT_LONG_HOT),
            tensors: Cell::new(false),
            hot_since: Cell::new(None),
            patience: Cell::default(),
            held: RefCell::default(),
            asked: Cell::new(0),
            tier1_entries: Cell::new(0),
            tier2_entries: Cell::new(0),
            served_at: Cell::new(0),
            versions: RefCell::new(Vec::new()),
            pending: RefCell::new(None),
            relaxations: RefCell::new(Relaxations::default()),
            relaxed: Cell::new(0),
            variants: Cell::new(0),
            constant_misses: RefCell::new(HashMap::new()),
            seen: RefCell::new(HashMap::new()),
            watched: Cell::new(0),
            compiles: Cell::new(0),
            met: Cell::new(0),
            attempts: Cell::new(0),
            observed: Cell::new(0),
            exhausted: Cell::new(false),
            fruitless: Cell::new(0),
            hold: Cell::new(0),
            hold_asserts: Cell::new(0),
            fruitless_for: RefCell::default(),
            immovable: RefCell::default(),
            lengths: RefCell::default(),
            container_lengths: RefCell::default(),
            growths: Cell::new(0),
            refused: RefCell::new(None),
            missed: Cell::new(0),
            graph_ops: Cell::new(None),
            departures: RefCell::new(IndexMap::new()),
            departed_before: Cell::new(0),
            baseline: Scalar::default(),
            globals: RefCell::default(),
            compiled_time: Cell::new(Duration::ZERO),
            trial: RefCell::default(),
            trace,
        }
    }

    /// Whether a frame of its code looks names up where compiled code does: in the globals of the frame that came
    /// first. Code runs in more than one namespace where a script is executed again, a function is made of another's
    /// code, or a class statement is repeated, and compiled code is made for one.
    pub fn shares_namespace(&self, frame: &Frame) -> bool {
        if !frame.has_one_namespace() {
            return false;
        }
        let mut globals = self.globals.borrow_mut();
        match &*globals {
            Some(known) if known.is_alive() => known.is(&frame.globals),
            _ => {
                *globals = Some(PyWeak::new(&frame.globals));
                true
            }
        }
    }

    /// The line of the function or loop.
    pub fn line(&self) -> u32 {
        let code = &self.code.code;
        let span = self.kind.site().and_then(|at| code.spans.get(at as usize));
        span.map_or(code.first_line, |s| s.line)
    }

    /// `function/version`, in every log line.
    pub fn compile_id(&self) -> String {
        let at = match self.kind {
            RegionKind::Function => String::new(),
            RegionKind::Loop { .. } | RegionKind::Rest { .. } => format!(":{}", self.line()),
        };
        format!("{}{at}/{}", self.code.code.qualname, self.compiles.get())
    }

    /// What was seen at the head of a loop.
    pub fn site(&self) -> Option<&Site> {
        match self.kind {
            RegionKind::Loop { head } => self.code.profile.site(head),
            RegionKind::Function | RegionKind::Rest { .. } => None,
        }
    }

    /// Times entered, in any tier.
    pub fn entries(&self) -> u64 {
        match self.kind {
            // Calls only make generators, which are resumed.
            RegionKind::Function if suspends(&self.code) => self.asked.get() + self.tier1_runs(),
            RegionKind::Function => self.code.profile.entries.get(),
            RegionKind::Loop { .. } => self
                .site()
                .map_or(0, |s| u64::from(s.count.get()) + u64::from(s.running.get())),
            RegionKind::Rest { .. } => self.asked.get(),
        }
    }

    /// Times run in tier 1.
    pub fn tier1_runs(&self) -> u64 {
        match self.kind {
            RegionKind::Function if suspends(&self.code) => self.baseline.resumed(),
            _ => self.tier1_entries.get(),
        }
    }

    /// Times run in tier 0.
    pub fn interpreted(&self) -> u64 {
        self.entries()
            .saturating_sub(self.tier1_runs() + self.tier2_entries.get())
    }

    /// When tiering wants to be asked again: 0 is at the next entry.
    pub fn ask_after(&self, entries: u32) {
        match self.kind {
            RegionKind::Function => self.code.jit.entry_countdown.set(entries),
            RegionKind::Loop { head: at } | RegionKind::Rest { call: at } => {
                if let Some(site) = self.code.profile.site(at) {
                    site.countdown.set(entries);
                }
            }
        }
    }

    /// Whether tensors, or modules that hold some, are in reach: tier 2's business.
    pub fn touches_tensors(&self, frame: &Frame) -> bool {
        let variables = frame.locals.iter().chain(&frame.stack).flatten().cloned();
        let cells = frame.cells.iter().filter_map(|c| c.value.borrow().clone());
        let globals = self.code.names.iter();
        let globals = globals.filter_map(|n| frame.globals.get_name(n));
        let first: Vec<Value> = variables.chain(cells).chain(globals).collect();
        reaches_tensors(first)
    }

    /// Notes that compiled code was left.
    pub fn depart(&self, reason: DeoptReason, line: u32, expected: &str, actual: &str) {
        if let Some(trace) = &self.trace {
            let note = format!("line {line}: expected {expected}; found {actual}");
            trace.instant(What::Deopt, reason.id(), note);
        }
        let mut all = self.departures.borrow_mut();
        let departure = all.entry((reason, line)).or_default();
        departure.count += 1;
        departure.last = self.entries();
        departure.expected = expected.to_owned();
        departure.actual = actual.to_owned();
    }

    /// How often compiled code was left since the newest version was there.
    pub fn departed(&self) -> u64 {
        self.all_departed() - self.departed_before.get()
    }

    fn all_departed(&self) -> u64 {
        self.departures.borrow().values().map(|d| d.count).sum()
    }

    /// Counts an entry in tier 2.
    pub fn note_served(&self) {
        self.tier2_entries.set(self.tier2_entries.get() + 1);
        self.served_at.set(self.asked.get());
    }

    /// Whether one of the last entries ran in tier 2.
    pub fn serves(&self) -> bool {
        self.tier2_entries.get() > 0
            && self.refused.borrow().is_none()
            && self.asked.get() - self.served_at.get() <= MAX_IDLE
    }

    /// Adds a version.
    pub fn install(&self, version: Version) {
        self.versions.borrow_mut().push(Rc::new(version));
        self.departed_before.set(self.all_departed());
        *self.state.borrow_mut() = State::Ready;
        self.ask_after(0);
    }

    /// Notes that another version went on where these did not.
    pub fn rerouted(&self, failures: &[Failure]) {
        let mut all = self.departures.borrow_mut();
        for assertion in failures.iter().filter_map(Failure::assertion) {
            let departure = all.entry((assertion.reason, assertion.line)).or_default();
            departure.rerouted += 1;
            assertion.expectation().clone_into(&mut departure.expected);
            "the opposite".clone_into(&mut departure.actual);
        }
    }

    /// Looks at an entry while a version is compiled: what that version already misses is
    /// relaxed in the next one.
    pub fn watch(&self, frame: &Frame) {
        if self.watched.get() >= MAX_WATCHED {
            return;
        }
        self.watched.set(self.watched.get() + 1);
        let pending = self.pending.borrow();
        if let Some(Pending { plan, .. }) = &*pending {
            let misses = crate::guard::all_misses(plan, frame);
            self.relax(plan, &misses, frame);
        }
    }

    /// Counts an entry that no version fits. Whether it is one too many: the region is given up
    /// then, or left alone for some entries.
    pub fn is_missed_too_often(&self) -> bool {
        let missed = self.missed.get() + 1;
        self.missed.set(missed);
        if missed <= MAX_MISSES {
            return false;
        }
        let grows = self.lengths.borrow().len() as u64 * 2 > u64::from(MAX_MISSES);
        if grows && self.growths.get() < MAX_GROWTHS {
            self.growths.set(self.growths.get() + 1);
            self.lengths.borrow_mut().clear();
            self.missed.set(0);
            self.ask_after(PAUSE);
        } else if self.tier2_entries.get() * 4 < self.asked.get() {
            let detail = "what it assumes keeps changing";
            self.give_up(Refusal::new(ReasonId::KeepsChanging, detail), self.line());
        } else {
            self.ask_after(PAUSE);
        }
        true
    }

    /// Whether a miss is of a list's length, or of a value that gets versions of its own, that was not met before and
    /// may never be met again.
    pub fn is_new_value(&self, path: &str, miss: &Miss) -> bool {
        let is_told = match miss.reason {
            DeoptReason::LengthChanged => true,
            DeoptReason::ValueChanged => self.immovable.borrow().contains(path),
            _ => false,
        };
        if !is_told {
            return false;
        }
        let mut lengths = self.lengths.borrow_mut();
        let times = lengths
            .entry(format!("{path}: {}", miss.actual))
            .or_insert(0);
        *times += 1;
        *times < TOLD_MISSES
    }

    /// Relaxes what missed guards assumed.
    pub fn relax(&self, plan: &Plan, misses: &[Miss], frame: &Frame) {
        let mut relaxations = self.relaxations.borrow_mut();
        let mut changed = false;
        for miss in misses {
            let Some(node) = miss.node.and_then(|i| plan.nodes.get(i)) else {
                continue;
            };
            let path = node.path.clone();
            match (&node.check, miss.reason) {
                // One that has two values gets a version for each.
                // A dict whose keys move, or of other values.
                (Check::Equal(_), DeoptReason::ValueChanged)
                    if let Step::DictKeyAt(dict, _) = node.step =>
                {
                    let dict = plan.nodes.get(dict.0 as usize).map(|n| n.path.clone());
                    changed |= dict.is_some_and(|path| relaxations.apply(Relax::Open(path)));
                }
                // Two lengths are two programs; more are one whose length moves.
                (Check::List(Some(_)), DeoptReason::LengthChanged)
                    if !relaxations.rows.contains(&path) =>
                {
                    // The lists in a list are counted together.
                    let path: Rc<str> = column(&path).into();
                    let mut all = self.container_lengths.borrow_mut();
                    let lengths = all.entry(path.clone()).or_default();
                    lengths.insert(miss.actual.clone());
                    let list = crate::guard::value_at(plan, frame, miss.node.unwrap_or(0));
                    changed |= lengths.len() >= LIST_LENGTHS
                        && list.as_ref().is_some_and(has_rows)
                        && relaxations.apply(Relax::Rows(path));
                }
                (Check::Dict(_) | Check::StoredDict(_), DeoptReason::LengthChanged) => {
                    let mut all = self.container_lengths.borrow_mut();
                    let lengths = all.entry(path.clone()).or_default();
                    lengths.insert(miss.actual.clone());
                    // Keys that are objects are never told one by one.
                    let is_told = |k: &Value| janus_object::ops::hash_simple(k).is_some();
                    if lengths.len() >= DICT_LENGTHS
                        && let Some(dict) =
                            crate::guard::value_at(plan, frame, miss.node.unwrap_or(0))
                        && dict
                            .as_dict()
                            .is_some_and(|d| !d.is_empty() && d.keys().iter().all(is_told))
                    {
                        changed |= relaxations.apply(Relax::Open(path));
                    }
                }
                (Check::Set(_), DeoptReason::ValueChanged) => {
                    changed |= relaxations.apply(Relax::Open(path));
                }
                (
                    Check::Equal(
                        value @ (Value::Int(_) | Value::Bool(_) | Value::Str(_) | Value::Float(_)),
                    ),
                    DeoptReason::ValueChanged,
                ) => {
                    let mut all = self.constant_misses.borrow_mut();
                    let count = all.entry(path.clone()).or_insert(0);
                    *count += 1;
                    let moves = *count >= CONSTANT_MISSES || matches!(value, Value::Float(_));
                    let alike = plan.nodes.iter().filter_map(|n| match &n.check {
                        Check::Equal(v) if v.type_name() == value.type_name() => Some(&*n.path),
                        _ => None,
                    });
                    let items = data_like(&path, all.keys().map(|p| &**p), alike);
                    let items = items.into_iter().map(Rc::<str>::from);
                    let immovable = self.immovable.borrow();
                    for item in items.chain(moves.then_some(path)) {
                        changed |= !immovable.contains(&item)
                            && relaxations.apply(Relax::Symbolic(vec![item]));
                    }
                }
                // Which items of a sequence are one object is data.
                (Check::SameAs(_), DeoptReason::IdentityChanged) => {
                    for item in alike(&path, plan.nodes.iter().map(|n| &*n.path)) {
                        changed |= relaxations.apply(Relax::Separate(item.into()));
                    }
                    changed |= relaxations.apply(Relax::Separate(path));
                }
                (Check::Instance { same: Some(_), .. }, DeoptReason::IdentityChanged) => {
                    changed |= relaxations.apply(Relax::Structural(path));
                }
                (Check::Tensor(check), DeoptReason::ShapeChanged) => {
                    // The actual shape was noted in the miss as text; read it off the frame again.
                    if let Some(shape) = crate::guard::shape_at(plan, frame, miss.node.unwrap_or(0))
                        && shape.len() == check.dims.len()
                    {
                        for (i, (n, e)) in shape.iter().zip(&check.dims).enumerate() {
                            if e.is_some_and(|e| e != *n) {
                                changed |= relaxations.apply(Relax::DynamicDim(path.clone(), i));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        if changed {
            self.relaxed.set(self.relaxed.get() + 1);
        }
    }

    /// Whether what a failed assert assumed is to be relaxed at once: where the next version takes
    /// long to make, what happens once or twice does not pay for it.
    pub fn pays(&self, failure: &Failure) -> bool {
        let large = self.graph_ops.get().is_some_and(|n| n >= LARGE);
        let times = failure.assertion().and_then(|a| {
            let all = self.departures.borrow();
            all.get(&(a.reason, a.line)).map(|d| d.count)
        });
        !large || times.is_none_or(|n| n >= LARGE_FAILURES)
    }

    /// Relaxes what a failed assert assumed. Whether there may be a version now that goes on where
    /// `versions` do not.
    pub fn relax_assert(&self, failure: &Failure, versions: &[Rc<Version>]) -> bool {
        let mut relaxations = self.relaxations.borrow_mut();
        if failure
            .assertion()
            .is_some_and(|a| a.reason == DeoptReason::ListRoom)
        {
            relaxations.apply(Relax::Room(failure.version.relaxations.room + 1));
            self.relaxed.set(self.relaxed.get() + 1);
            return !versions
                .iter()
                .any(|v| v.relaxations.room == relaxations.room);
        }
        let Some((assertion, branch)) = failure.branch() else {
            return false;
        };
        let both = !branch.unfit && relaxations.apply(Relax::BothSides(assertion.key.clone()));
        if !both {
            // Where both sides do not fit into one graph, there is a version for each.
            let mut sides = failure.version.relaxations.sides.clone();
            sides.insert(assertion.key.clone(), !branch.jump);
            if versions.iter().any(|v| v.relaxations.sides == sides) {
                return false;
            }
            relaxations.apply(Relax::Sides(sides));
        }
        self.relaxed.set(self.relaxed.get() + 1);
        true
    }

    /// Where no graph could be made of both sides of the branch that failed: the next version takes the other one.
    /// Whether there is none yet that does.
    pub fn part_sides(&self, failure: &Failure, versions: &[Rc<Version>]) -> bool {
        let mut relaxations = self.relaxations.borrow_mut();
        let Some((assertion, branch)) = failure.branch() else {
            return false;
        };
        if !relaxations.both_sides.remove(&assertion.key) {
            return false;
        }
        relaxations.apply(Relax::Apart(vec![assertion.key.clone()]));
        let mut sides = failure.version.relaxations.sides.clone();
        sides.insert(assertion.key.clone(), !branch.jump);
        let is_new = versions.iter().all(|v| v.relaxations.sides != sides);
        relaxations.apply(Relax::Sides(sides));
        is_new
    }

    /// Branches give no tensor another name from now on; whether they did so far: then there may be another graph.
    pub fn keep_to_one_name(&self) -> bool {
        let did = self.relaxations.borrow_mut().apply(Relax::OneName);
        if did {
            let is_ready = !self.versions.borrow().is_empty();
            *self.state.borrow_mut() = match is_ready {
                true => State::Ready,
                false => State::Cold,
            };
        }
        did
    }

    /// Of what was taken to move some had to be constant for there to be a version.
    pub fn note_immovable(&self, symbolic: HashSet<Rc<str>>) {
        let now = self.relaxations.borrow();
        let immovable = symbolic.into_iter().filter(|p| !now.symbolic.contains(p));
        self.immovable.borrow_mut().extend(immovable);
    }

    /// Whether there may be a version for another value of what cannot be relaxed.
    pub fn may_vary(&self) -> bool {
        self.variants.get() < MAX_VARIANTS
    }

    /// Whether a guard missed since another object came by, or one that has more than it had: a callee, a model,
    /// an optimizer without a state. Versions for these are counted apart from those for other values: numbers and
    /// shapes that move must not use them up.
    pub fn is_of_object(plan: &Plan, miss: &Miss) -> bool {
        let node = miss.node.and_then(|i| plan.nodes.get(i));
        let check = node.map(|n| &n.check);
        match miss.reason {
            DeoptReason::IdentityChanged
            | DeoptReason::ClassChanged
            | DeoptReason::MissingFound => true,
            DeoptReason::LengthChanged => {
                matches!(check, Some(Check::Dict(_) | Check::StoredDict(_)))
            }
            DeoptReason::TypeChanged => {
                matches!(check, Some(Check::Instance { .. } | Check::Missing))
            }
            _ => false,
        }
    }

    /// Whether another version may be compiled now, for such an object or for anything else.
    pub fn may_compile(&self, of_object: bool) -> bool {
        self.is_in_budget(of_object) && self.asked.get() >= self.hold.get()
    }

    fn is_in_budget(&self, of_object: bool) -> bool {
        let (all, met) = (self.compiles.get(), self.met.get());
        let made = if of_object { met } else { all - met };
        // More than that only where it helped so far: each was used when it was made, and half of them again.
        let used = self.tier2_entries.get();
        let pays = used * 2 > self.asked.get() && used * 2 > u64::from(all) * 3;
        made < MAX_COMPILES && (all < MAX_COMPILES || pays)
    }

    /// Whether another version may be compiled now that does not assume what failed.
    pub fn may_relax(&self, failures: &[Failure]) -> bool {
        let known = self.fruitless_for.borrow();
        let is_new = |f: &Failure| f.assertion().is_some_and(|a| !known.contains(&a.key));
        let held = self.asked.get() < self.hold.get().max(self.hold_asserts.get());
        self.is_in_budget(false) && (!held || failures.iter().any(is_new))
    }

    /// An attempt to relax what failed came to nothing. `held`: when another version might be made before it, which
    /// says nothing about versions for other values.
    pub fn note_fruitless(&self, failures: &[Failure], held: u64) {
        self.hold_asserts.set(self.hold.replace(held));
        let keys = failures.iter().filter_map(Failure::assertion);
        let mut known = self.fruitless_for.borrow_mut();
        known.extend(keys.map(|a| a.key.clone()));
    }

    /// A version that does not assume these could not be compiled: failures of what it relaxed wait like others.
    pub fn note_refused(&self, relaxations: &Relaxations) {
        let mut known = self.fruitless_for.borrow_mut();
        known.extend(relaxations.both_sides.iter().cloned());
    }

    /// Whether no further version is made at this entry or one of the next.
    pub fn compiles_later(&self) -> bool {
        let used_up = !self.is_in_budget(false) && !self.is_in_budget(true);
        used_up || self.asked.get() + SOON < self.hold.get()
    }

    /// Gives the region up if this assert fails again and again and no version makes up for it.
    pub fn judge(&self, failure: &Failure) {
        let Some(assertion) = failure.assertion() else {
            return;
        };
        let key = (assertion.reason, assertion.line);
        let times = self.departures.borrow().get(&key).map_or(0, |d| d.count);
        let version = &failure.version;
        let pays = self.tier2_entries.get() * 2 > self.asked.get();
        if times >= MAX_ASSERT_FAILURES && version.failures.get() * 4 > version.hits.get() && !pays
        {
            let detail = format!("an assumption keeps failing: {}", assertion.reason.text());
            self.give_up(
                Refusal::new(ReasonId::KeepsChanging, detail),
                assertion.line,
            );
        }
    }

    /// Whether it was profiled in so many executions, or in fewer that took long: code could have been made in each.
    pub fn is_profiled(&self, executions: u64, patience: Duration) -> bool {
        let asked = self.asked.get();
        if patience.is_zero() || self.kind == RegionKind::Function {
            return asked > executions;
        }
        if asked == 1 {
            self.hot_since.set(Some(Instant::now()));
        }
        asked > executions || asked > FEW_EXECUTIONS && self.takes_long()
    }

    /// Whether it is one of a loop's whose iterations take long.
    pub fn takes_long(&self) -> bool {
        let hot = self.hot_since.get().map(|since| since.elapsed());
        let long = LONG_ITERATION.as_millis() * u128::from(self.asked.get());
        self.kind != RegionKind::Function && hot.is_some_and(|hot| hot.as_millis() >= long)
    }

    /// The version comes first at the next entry.
    pub fn to_front(&self, version: &Rc<Version>) {
        let mut all = self.versions.borrow_mut();
        if let Some(i) = all.iter().position(|v| Rc::ptr_eq(v, version)) {
            all.swap(0, i);
        }
    }

    /// Drops the region's versions: tier 2 has it no more, but tier 1 may.
    pub fn leave_below(&self, cause: impl Into<Cause>) {
        self.give_up(cause, self.line());
        self.exhausted.set(true);
        self.ask_after(0);
    }

    /// Leaves the region in its lower tier for good.
    pub fn give_up(&self, cause: impl Into<Cause>, line: u32) {
        let not = NotConverted::new(cause, &self.code.code.filename, line);
        *self.state.borrow_mut() = State::Lower(not);
        self.versions.borrow_mut().clear();
        // What is being compiled comes too late.
        self.pending.take();
        self.held.take();
        self.ask_after(u32::MAX);
    }
}

/// Whether there are tensors, or what makes them, among these values or a few levels below them: a tuple of a
/// batch, the attributes of a trainer, its list of weights, a function that calls torch.
fn reaches_tensors(first: Vec<Value>) -> bool {
    const LEVELS: usize = 3;
    /// Items of a container that are looked at, and values in all.
    const ITEMS: usize = 8;
    const VALUES: usize = 200;
    let parameters = janus_object::Name::new("parameters");
    let (mut level, mut seen) = (first, 0);
    for _ in 0..LEVELS {
        let mut below: Vec<Value> = Vec::new();
        for value in level {
            seen += 1;
            if seen > VALUES {
                return false;
            }
            match &value {
                Value::Tuple(t) => below.extend(t.items.iter().take(ITEMS).cloned()),
                Value::List(l) => below.extend(l.items.borrow().iter().take(ITEMS).cloned()),
                Value::Dict(d) => below.extend(d.first_values(ITEMS)),
                Value::Module(m) => {
                    let name = m.name.as_str();
                    if name == "torch" || name.starts_with("torch.") {
                        return true;
                    }
                }
                Value::Function(f) => {
                    let code = f.code.borrow();
                    let globals = code.names.iter();
                    below.extend(globals.filter_map(|n| f.globals.get_name(n)));
                    below.extend(f.closure.iter().filter_map(|c| c.value.borrow().clone()));
                }
                Value::Instance(i) => {
                    if i.foreign::<Tensor>().is_some() || i.class().lookup(&parameters).is_some() {
                        return true;
                    }
                    below.extend(i.dict.get().iter().flat_map(|d| d.values()));
                }
                _ => {}
            }
        }
        level = below;
    }
    false
}
