//! A region and its compiled versions.
//!
//! In: entries, guard misses, failed asserts. Out: what to do next. Always: the number of compiles
//! of a region is bounded; a miss relaxes what was assumed before the next compile.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;
use janus_codegen::Compiled;
use janus_interp::Frame;
use janus_object::{CodeObject, Value};
use janus_speculate::plan::{Check, DeoptReason, Plan};
use janus_speculate::{NotConverted, RegionKind, Relaxations};
use janus_tensor::Tensor;

use crate::guard::Miss;
use crate::scalar::Scalar;

/// Versions compiled for one region at most.
pub(crate) const MAX_COMPILES: u32 = 8;
/// Entries without a fitting version after which a region stays in its lower tier.
pub(crate) const MAX_MISSES: u32 = 64;
/// Versions for values that cannot be relaxed (strings, other objects) at most.
pub(crate) const MAX_VARIANTS: u32 = 6;
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
    /// From 1, in the order in which they were made.
    pub number: u32,
    /// Executions in tier 0 before it was made.
    pub profiled: u64,
    pub hits: Cell<u64>,
    pub failures: Cell<u64>,
}

/// A departure from compiled code.
pub(crate) struct Departure {
    pub count: u64,
    pub expected: String,
    pub actual: String,
}

/// A function or loop that is, or may become, compiled.
pub(crate) struct Region {
    pub id: usize,
    pub code: Rc<CodeObject>,
    pub kind: RegionKind,
    pub state: RefCell<State>,
    /// Entries that tiering was asked about.
    pub asked: Cell<u64>,
    pub tier1_entries: Cell<u64>,
    pub tier2_entries: Cell<u64>,
    pub versions: RefCell<Vec<Rc<Version>>>,
    /// The plan of the graph that is being compiled.
    pub pending: RefCell<Option<Plan>>,
    pub relaxations: RefCell<Relaxations>,
    pub compiles: Cell<u32>,
    pub attempts: Cell<u32>,
    /// Attempts in a row that came to nothing while versions were there, and the entry before
    /// which there is no further one.
    pub fruitless: Cell<u32>,
    pub hold: Cell<u64>,
    /// Entries since a version last fitted.
    pub missed: Cell<u32>,
    pub graph_ops: Cell<Option<usize>>,
    pub departures: RefCell<IndexMap<(DeoptReason, u32), Departure>>,
    /// Tier 1's code.
    pub baseline: Scalar,
}

impl Region {
    pub fn new(id: usize, code: Rc<CodeObject>, kind: RegionKind) -> Self {
        Region {
            id,
            code,
            kind,
            state: RefCell::new(State::Cold),
            asked: Cell::new(0),
            tier1_entries: Cell::new(0),
            tier2_entries: Cell::new(0),
            versions: RefCell::new(Vec::new()),
            pending: RefCell::new(None),
            relaxations: RefCell::new(Relaxations::default()),
            compiles: Cell::new(0),
            attempts: Cell::new(0),
            fruitless: Cell::new(0),
            hold: Cell::new(0),
            missed: Cell::new(0),
            graph_ops: Cell::new(None),
            departures: RefCell::new(IndexMap::new()),
            baseline: Scalar::default(),
        }
    }

    /// The line of the function or loop.
    pub fn line(&self) -> u32 {
        match self.kind {
            RegionKind::Function => self.code.code.first_line,
            RegionKind::Loop { head } => self
                .code
                .code
                .spans
                .get(head as usize)
                .map_or(self.code.code.first_line, |s| s.line),
        }
    }

    /// `function/version`, in every log line.
    pub fn compile_id(&self) -> String {
        let at = match self.kind {
            RegionKind::Function => String::new(),
            RegionKind::Loop { .. } => format!(":{}", self.line()),
        };
        format!("{}{at}/{}", self.code.code.qualname, self.compiles.get())
    }

    /// Times entered, in any tier.
    pub fn entries(&self) -> u64 {
        match self.kind {
            RegionKind::Function => self.code.profile.entries.get(),
            RegionKind::Loop { head } => self
                .code
                .profile
                .site(head)
                .map_or(0, |s| u64::from(s.count.get()) + u64::from(s.running.get())),
        }
    }

    /// Times run in tier 0.
    pub fn interpreted(&self) -> u64 {
        self.entries()
            .saturating_sub(self.tier1_entries.get() + self.tier2_entries.get())
    }

    /// When tiering wants to be asked again: 0 is at the next entry.
    pub fn ask_after(&self, entries: u32) {
        match self.kind {
            RegionKind::Function => self.code.jit.entry_countdown.set(entries),
            RegionKind::Loop { head } => {
                if let Some(site) = self.code.profile.site(head) {
                    site.countdown.set(entries);
                }
            }
        }
    }

    /// Whether tensors, or modules that hold some, are in reach: tier 2's business.
    pub fn touches_tensors(&self, frame: &Frame) -> bool {
        let parameters = janus_object::Name::new("parameters");
        let tensor = |v: &Value| match v {
            Value::Instance(i) => {
                i.foreign::<Tensor>().is_some() || i.class().lookup(&parameters).is_some()
            }
            _ => false,
        };
        // One level down: a tuple of a batch, the attributes of a trainer.
        let holds = |v: &Value| match v {
            Value::Tuple(t) => t.items.iter().any(tensor),
            Value::List(l) => l.get(0).is_some_and(|v| tensor(&v)),
            Value::Instance(i) => {
                tensor(v) || i.dict.get().is_some_and(|d| d.values().iter().any(tensor))
            }
            _ => tensor(v),
        };
        frame.locals.iter().chain(&frame.stack).flatten().any(holds)
            || frame
                .cells
                .iter()
                .any(|c| c.value.borrow().as_ref().is_some_and(holds))
            || self
                .code
                .names
                .iter()
                .any(|n| frame.globals.get_name(n).as_ref().is_some_and(holds))
    }

    /// Notes that compiled code was left.
    pub fn depart(&self, reason: DeoptReason, line: u32, expected: &str, actual: &str) -> u64 {
        let mut all = self.departures.borrow_mut();
        let departure = all.entry((reason, line)).or_insert_with(|| Departure {
            count: 0,
            expected: String::new(),
            actual: String::new(),
        });
        departure.count += 1;
        departure.expected = expected.to_owned();
        departure.actual = actual.to_owned();
        departure.count
    }

    /// Relaxes what a missed guard assumed.
    /// Whether that changed anything.
    pub fn relax(&self, plan: &Plan, misses: &[Miss], frame: &Frame) -> bool {
        let mut relaxations = self.relaxations.borrow_mut();
        let mut changed = false;
        for miss in misses {
            let Some(node) = miss.node.and_then(|i| plan.nodes.get(i)) else {
                continue;
            };
            let path = node.path.clone();
            match (&node.check, miss.reason) {
                // A flag has two values: one version each, unless there are too many flags.
                (Check::Equal(Value::Bool(_)), DeoptReason::ValueChanged)
                    if self.compiles.get() < MAX_VARIANTS => {}
                (
                    Check::Equal(Value::Int(_) | Value::Bool(_) | Value::Float(_)),
                    DeoptReason::ValueChanged,
                ) => {
                    changed |= relaxations.symbolic.insert(path);
                }
                (Check::Instance { same: Some(_), .. }, DeoptReason::IdentityChanged) => {
                    changed |= relaxations.structural.insert(path);
                }
                (Check::Tensor(check), DeoptReason::ShapeChanged) => {
                    // The actual shape was noted in the miss as text; read it off the frame again.
                    if let Some(shape) = crate::guard::shape_at(plan, frame, miss.node.unwrap_or(0))
                        && shape.len() == check.dims.len()
                    {
                        let moved = relaxations.dynamic_dims.entry(path).or_default();
                        for (i, (n, e)) in shape.iter().zip(&check.dims).enumerate() {
                            if e.is_some_and(|e| e != *n) {
                                changed |= moved.insert(i);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// Notes a failed assert and relaxes what it assumed. Whether another compile is worth it.
    pub fn assert_failed(&self, version: &Version, id: i64) -> bool {
        version.failures.set(version.failures.get() + 1);
        let assertion = usize::try_from(id)
            .ok()
            .and_then(|i| version.plan.asserts.get(i));
        let Some(assertion) = assertion else {
            return false;
        };
        let times = self.depart(
            assertion.reason,
            assertion.line,
            &assertion.expected,
            "the opposite",
        );
        if assertion.reason == DeoptReason::BranchDirection {
            let mut relaxations = self.relaxations.borrow_mut();
            if relaxations.both_sides.insert(assertion.key.clone()) {
                return true;
            }
            // Both sides do not fit into one graph: a version for each.
            if relaxations.other_side.insert(assertion.key.clone()) {
                return true;
            }
        }
        if times >= MAX_ASSERT_FAILURES && version.failures.get() * 4 > version.hits.get() {
            self.give_up(
                format!("an assumption keeps failing: {}", assertion.reason.text()),
                assertion.line,
            );
        }
        false
    }

    /// Leaves the region in its lower tier for good.
    pub fn give_up(&self, reason: String, line: u32) {
        *self.state.borrow_mut() = State::Lower(NotConverted {
            reason,
            file: self.code.code.filename.clone(),
            line,
            retry: false,
        });
        self.versions.borrow_mut().clear();
        self.ask_after(u32::MAX);
    }
}
