//! Runs a program at tier 0, and with a small driver that compiles whatever is asked for.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use janus_baseline::{Baseline, CallRun, Compiled, CompiledRegion, Entered, Progress, Request};
use janus_interp::{
    CompiledGenerator, Entry, Frame, Interp, Jit, ReadyGenerator, Resumed, set_compiled_generator,
};
use janus_object::{CodeObject, PyDict, PyRef, Value};
use janus_session::Sink;

/// How tier 1 is driven.
#[derive(Clone, Copy)]
pub struct Mode1 {
    /// Times asked before a region is compiled.
    pub after: u32,
    /// Every n-th entry leaves at once.
    pub leave: Option<u32>,
}

/// Eagerly.
pub const EAGER: Mode1 = Mode1 {
    after: 2,
    leave: None,
};

/// All ways that tests drive tier 1.
pub const MODES: [Mode1; 3] = [
    EAGER,
    Mode1 {
        after: 17,
        leave: None,
    },
    Mode1 {
        after: 2,
        leave: Some(3),
    },
];

/// What happened in a region.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Times that compiled code ran.
    pub ran: u32,
    /// What it was left for.
    pub left: Vec<String>,
    /// Why it was refused.
    pub refused: Option<String>,
    /// The last version's CLIF.
    pub clif: String,
}

#[derive(Default)]
struct Region {
    /// Compiled code is made for one namespace.
    globals: OnceCell<PyRef<PyDict>>,
    asked: Cell<u32>,
    versions: RefCell<Vec<Rc<CompiledRegion>>>,
    compiles: Cell<u32>,
    seen: RefCell<Seen>,
}

type Key = (*const CodeObject, Option<u32>);

struct Driver {
    baseline: RefCell<Baseline>,
    mode: Mode1,
    entered: Cell<u32>,
    regions: RefCell<HashMap<Key, Rc<Region>>>,
    /// Keeps what the keys point to.
    codes: RefCell<Vec<PyRef<CodeObject>>>,
    names: RefCell<Vec<(String, Rc<Region>)>>,
}

impl Driver {
    fn region(&self, code: &PyRef<CodeObject>, head: Option<u32>) -> Rc<Region> {
        let key = (PyRef::as_ptr(code), head);
        if let Some(known) = self.regions.borrow().get(&key) {
            return known.clone();
        }
        let region = Rc::new(Region::default());
        self.regions.borrow_mut().insert(key, region.clone());
        self.codes.borrow_mut().push(code.clone());
        let line = head.map_or(String::new(), |h| {
            format!(":{}", code.code.spans[h as usize].line)
        });
        let name = format!("{}{line}", code.code.qualname);
        self.names.borrow_mut().push((name, region.clone()));
        region
    }

    fn enter(&self, vm: &mut Interp, frame: &mut Frame, head: Option<u32>) -> Entry {
        if frame.code.code.filename.starts_with('<') {
            return Entry::Interpret;
        }
        let region = self.region(&frame.code, head);
        let own = region.globals.get_or_init(|| frame.globals.clone());
        if !frame.has_one_namespace() || !PyRef::ptr_eq(own, &frame.globals) {
            return Entry::Interpret;
        }
        region.asked.set(region.asked.get() + 1);
        if region.asked.get() <= self.mode.after {
            return Entry::Interpret;
        }
        self.entered.set(self.entered.get() + 1);
        let leave = self
            .mode
            .leave
            .is_some_and(|n| self.entered.get().is_multiple_of(n));
        let versions = region.versions.borrow().clone();
        for version in &versions {
            if let Entered::Ran(entry) = self.run(vm, frame, &region, version, leave) {
                return entry;
            }
        }
        if versions.len() >= 3 || region.compiles.get() >= 6 {
            return Entry::Interpret;
        }
        region.compiles.set(region.compiles.get() + 1);
        let Some(version) = self.compile(frame, head, &region) else {
            return Entry::Interpret;
        };
        region.versions.borrow_mut().push(version.clone());
        match self.run(vm, frame, &region, &version, leave) {
            Entered::Ran(entry) => entry,
            Entered::Missed(left) => panic!("a fresh version does not fit: {left:?}"),
        }
    }

    fn compile(
        &self,
        frame: &Frame,
        head: Option<u32>,
        region: &Region,
    ) -> Option<Rc<CompiledRegion>> {
        let request = Request {
            from_outside: false,
            times: u64::MAX,
            at_once: true,
            shows: true,
        };
        let result = self
            .baseline
            .borrow_mut()
            .compile(&frame.code, head, frame, request);
        match result {
            Ok(Compiled { clif, progress }) => {
                let Progress::Ready(version) = progress else {
                    panic!("all is to be done at once");
                };
                region.seen.borrow_mut().clif = clif;
                Some(version)
            }
            Err(refused) => {
                assert!(
                    !refused.to_string().contains("defect")
                        && !refused.to_string().contains("code generator"),
                    "{}: {refused}",
                    frame.code.code.qualname
                );
                region.seen.borrow_mut().refused = Some(refused.to_string());
                None
            }
        }
    }

    fn compile_generator(&self, frame: &Frame) {
        if frame.code.code.filename.starts_with('<') || !frame.has_one_namespace() {
            return;
        }
        let region = self.region(&frame.code, None);
        region.asked.set(region.asked.get() + 1);
        if region.asked.get() <= self.mode.after || region.compiles.get() > 0 {
            return;
        }
        region.compiles.set(1);
        if let Some(version) = self.compile(frame, None, &region) {
            let resumable = Resumable {
                region: region.clone(),
                version,
                resumed: Cell::new(0),
                leave: self.mode.leave,
            };
            set_compiled_generator(&frame.code, Some(Rc::new(resumable)));
        }
    }

    fn run(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Region,
        version: &Rc<CompiledRegion>,
        leave: bool,
    ) -> Entered {
        let entered = version.enter(vm, frame, leave);
        if matches!(entered, Entered::Ran(_)) {
            let mut seen = region.seen.borrow_mut();
            seen.ran += 1;
            if let Some(left) = version.take_deopt() {
                seen.left.push(format!(
                    "line {}: {}, not {}",
                    left.line, left.actual, left.expected
                ));
            }
        }
        if version.hopeless() {
            region
                .versions
                .borrow_mut()
                .retain(|v| !Rc::ptr_eq(v, version));
        }
        entered
    }
}

/// The body of a generator.
struct Resumable {
    region: Rc<Region>,
    version: Rc<CompiledRegion>,
    resumed: Cell<u32>,
    leave: Option<u32>,
}

impl CompiledGenerator for Resumable {
    fn resume_quickly(&self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed {
        match self.version.runs_alone() {
            true => self.version.resume_alone(vm, frame, value),
            false => Resumed::Missed,
        }
    }

    fn ready(&self) -> Option<Box<dyn ReadyGenerator>> {
        let alone = self.leave.is_none() && self.version.runs_alone();
        alone.then(|| self.version.ready())
    }

    fn resume(&self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed {
        self.resumed.set(self.resumed.get() + 1);
        let leave = self
            .leave
            .is_some_and(|n| self.resumed.get().is_multiple_of(n));
        let mut run = CallRun::default();
        let resumed = self.version.resume(vm, frame, value, leave, &mut run);
        if !matches!(resumed, Resumed::Missed) {
            self.region.seen.borrow_mut().ran += 1;
        }
        if let Some(left) = self.version.take_deopt() {
            let left = format!("line {}: {}, not {}", left.line, left.actual, left.expected);
            self.region.seen.borrow_mut().left.push(left);
        }
        resumed
    }
}

impl Jit for Driver {
    fn resume_generator(&self, _: &mut Interp, frame: &Frame) {
        self.compile_generator(frame);
    }

    fn enter_rest(&self, _: &mut Interp, _: &mut Frame, _: u32) -> Entry {
        Entry::Interpret
    }

    fn enter_function(&self, vm: &mut Interp, frame: &mut Frame) -> Entry {
        let flags = frame.code.code.flags;
        if flags.generator || flags.coroutine || flags.module {
            return Entry::Interpret;
        }
        self.enter(vm, frame, None)
    }

    fn enter_loop(&self, vm: &mut Interp, frame: &mut Frame, head: u32) -> Entry {
        self.enter(vm, frame, Some(head))
    }
}

/// What a run printed, and what became of its regions, by `function` or `function:line`.
pub struct Ran {
    pub output: String,
    pub regions: HashMap<String, Seen>,
}

impl Ran {
    /// The region with a name.
    pub fn region(&self, name: &str) -> &Seen {
        match self.regions.get(name) {
            Some(seen) => seen,
            None => panic!("no region {name}; there are {:?}", self.regions.keys()),
        }
    }
}

fn run_here(source: &str, mode: Option<Mode1>, interrupt: bool) -> Ran {
    let mut vm = janus_session::plain();
    if interrupt {
        std::thread::spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            janus_gil::pending::signal_came(2);
        });
    }
    let sink = Sink::default();
    vm.output()
        .redirect(Box::new(sink.clone()), Box::new(sink.clone()));
    let driver = mode.map(|mode| {
        Rc::new(Driver {
            baseline: RefCell::new(Baseline::new().unwrap()),
            mode,
            entered: Cell::new(0),
            regions: RefCell::default(),
            codes: RefCell::default(),
            names: RefCell::default(),
        })
    });
    if let Some(driver) = &driver {
        vm.set_jit(driver.clone(), 0, 0);
    }
    let outcome = vm.run_source(source, "test.py");
    let mut output = sink.text();
    output.push_str(&format!("exit {}\n", outcome.code));
    let regions = driver.map_or_else(HashMap::new, |d| {
        d.names
            .borrow()
            .iter()
            .map(|(name, r)| (name.clone(), r.seen.borrow().clone()))
            .collect()
    });
    Ran { output, regions }
}

/// Runs a program; at tier 0 without a mode.
pub fn run(source: &str, mode: Option<Mode1>) -> Ran {
    run_in_thread(source, mode, false)
}

/// Runs a program that is interrupted after a while.
pub fn run_interrupted(source: &str) -> Ran {
    run_in_thread(source, Some(EAGER), true)
}

fn run_in_thread(source: &str, mode: Option<Mode1>, interrupt: bool) -> Ran {
    let source = source.to_owned();
    // Python recursion is native recursion.
    std::thread::Builder::new()
        .stack_size(512 << 20)
        .spawn(move || run_here(&source, mode, interrupt))
        .unwrap()
        .join()
        .unwrap_or_else(|_| panic!("the run panicked"))
}

/// Runs a program at tier 0 and in all modes of tier 1, which must print the same; the eager run.
pub fn agree(source: &str) -> Ran {
    let expected = run(source, None).output;
    let mut eager = None;
    for mode in MODES {
        let ran = run(source, Some(mode));
        assert_eq!(
            ran.output, expected,
            "tier 1 (left) and tier 0 (right) differ with after {} leave {:?}:\n{source}",
            mode.after, mode.leave
        );
        eager.get_or_insert(ran);
    }
    eager.unwrap()
}
