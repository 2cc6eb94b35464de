//! Regions and what they become: graph, plan, or refusal.
//!
//! `tests/regions/LAYER/NAME.py` is a script in which one line ends with `# region`: a `def`, a `for` or a `while`. Its
//! fourth entry is converted, after three that tier 0 profiled (`# region at N`: the N-th one). `NAME.txt` beside it
//! says what it came to. Lines such as `# relax: symbolic n` at the script's beginning say what is not taken for
//! granted, as after a miss. `JANUS_BLESS=1 cargo nextest run -p janus-speculate golden` writes the texts anew.
//!
//! Each script runs in a process of its own: the profile of library code, random numbers and what a script sets for all
//! of torch are nobody else's.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::Mutex;
use std::{env, fs};

use janus_dialect::Passes;
use janus_interp::{Entry, Frame, Interp, Jit};
use janus_plan::{NotConverted, RegionKind, Relax, Relaxations};
use janus_speculate::{Request, speculate};

/// Regions that there are at least.
const LEAST: usize = 150;
/// The entry that is converted, where the script does not say.
const ENTRY: u64 = 4;
/// Names the script that a process runs, and the file for what it came to.
const SCRIPT: &str = "JANUS_REGION";
const RESULT: &str = "JANUS_REGION_RESULT";
/// Set by whoever wants the texts written anew.
const BLESS: &str = "JANUS_BLESS";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regions")
}

/// All scripts, in order.
fn scripts() -> Vec<PathBuf> {
    let entries = |path: &Path| fs::read_dir(path).unwrap().map(|e| e.unwrap().path());
    let layers = entries(&folder()).filter(|path| path.is_dir());
    let mut all: Vec<PathBuf> = layers
        .flat_map(|layer| entries(&layer).collect::<Vec<_>>())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    all.sort();
    all
}

/// Which region of a script is converted, and when.
struct Wanted {
    line: u32,
    entry: u64,
    relaxations: Relaxations,
}

fn wanted(source: &str) -> Wanted {
    let mut relaxations = Relaxations::default();
    let mut found = None;
    for (i, line) in source.lines().enumerate() {
        if let Some(what) = line.strip_prefix("# relax: ") {
            relax(what, &mut relaxations);
        }
        let Some((_, at)) = line.split_once("# region") else {
            continue;
        };
        let entry = at.strip_prefix(" at ").map(|n| n.trim().parse().unwrap());
        assert!(found.is_none(), "two regions in one script");
        found = Some((i as u32 + 1, entry.unwrap_or(ENTRY)));
    }
    let (line, entry) = found.expect("no line ends with `# region`");
    Wanted {
        line,
        entry,
        relaxations,
    }
}

fn relax(what: &str, to: &mut Relaxations) {
    let words: Vec<&str> = what.split_whitespace().collect();
    let relax = match words[..] {
        ["symbolic", path] => Relax::Symbolic(vec![path.into()]),
        ["structural", path] => Relax::Structural(path.into()),
        ["separate", path] => Relax::Separate(path.into()),
        ["dim", path, at] => Relax::DynamicDim(path.into(), at.parse().unwrap()),
        ["rows", path] => Relax::Rows(path.into()),
        ["open", path] => Relax::Open(path.into()),
        ["through-base", path] => Relax::ThroughBase(vec![path.into()]),
        ["generous"] => {
            to.generous = true;
            return;
        }
        _ => panic!("nothing is relaxed by `{what}`"),
    };
    to.apply(relax);
}

/// Converts one region, and what follows it where its graph ends early.
struct Converter {
    wanted: Wanted,
    entered: Cell<u64>,
    text: RefCell<String>,
}

impl Converter {
    fn enter(&self, vm: &mut Interp, frame: &Frame, kind: RegionKind) -> Entry {
        let code = &frame.code.code;
        if code.is_library() {
            return Entry::Interpret;
        }
        let span = kind.site().and_then(|at| code.spans.get(at as usize));
        let line = span.map_or(code.first_line, |s| s.line);
        let is_rest = matches!(kind, RegionKind::Rest { .. });
        if !is_rest {
            if line != self.wanted.line {
                return Entry::Interpret;
            }
            self.entered.set(self.entered.get() + 1);
            if self.entered.get() != self.wanted.entry {
                return Entry::Interpret;
            }
        }
        let request = Request {
            deadline: None,
            code: &frame.code,
            kind,
            frame,
            relaxations: &self.wanted.relaxations,
            passes: Passes::default(),
        };
        let mut text = self.text.borrow_mut();
        let _ = match kind {
            RegionKind::Rest { .. } => writeln!(text, "\n==== what follows line {line}"),
            _ => writeln!(text, "==== {} of line {line}", kind.name()),
        };
        let (shown, call) = match speculate(vm, &request) {
            Ok(made) => {
                let call = made.plan.ends.as_ref().and_then(|ends| ends.call);
                let (graph, plan) = (made.graph.text(), made.plan.text());
                (format!("{}\n\n{plan}", graph.trim_end()), call)
            }
            Err(not) => (refusal(&not), not.call),
        };
        text.push_str(&shown);
        if let Some(site) = call.and_then(|call| frame.code.profile.site(call))
            && !is_rest
        {
            site.countdown.set(0);
            site.resumes.set(true);
        } else if let Some(site) = kind.site().and_then(|at| frame.code.profile.site(at)) {
            site.resumes.set(!is_rest && site.resumes.get());
        }
        Entry::Interpret
    }
}

fn refusal(not: &NotConverted) -> String {
    let (id, line) = (not.reason().entry().id, not.line);
    format!("refused at line {line}: {id}: {}\n", not.detail())
}

impl Jit for Converter {
    fn resume_generator(&self, _: &mut Interp, _: &Frame) {}

    fn enter_function(&self, vm: &mut Interp, frame: &mut Frame) -> Entry {
        self.enter(vm, frame, RegionKind::Function)
    }

    fn enter_loop(&self, vm: &mut Interp, frame: &mut Frame, head: u32) -> Entry {
        self.enter(vm, frame, RegionKind::Loop { head })
    }

    fn enter_rest(&self, vm: &mut Interp, frame: &mut Frame, call: u32) -> Entry {
        self.enter(vm, frame, RegionKind::Rest { call })
    }
}

/// Runs a script and tells what its region came to.
fn converted(script: &Path) -> String {
    let source = fs::read_to_string(script).unwrap();
    let mut text = String::new();
    let printed = janus_session::on_large_stack(|| {
        let converter = Rc::new(Converter {
            wanted: wanted(&source),
            entered: Cell::new(0),
            text: RefCell::default(),
        });
        let (out, err) = <(janus_session::Sink, janus_session::Sink)>::default();
        let mut vm = janus_session::plain();
        vm.output()
            .redirect(Box::new(out.clone()), Box::new(err.clone()));
        vm.set_jit(converter.clone(), 0, 0);
        let code = vm.run_file(script).code;
        text = converter.text.take();
        (code, err.text())
    });
    assert_eq!(printed.0, 0, "{}: {}", script.display(), printed.1);
    assert!(!text.is_empty(), "{}: never entered", script.display());
    text
}

/// The part of the test that runs in a process for each script.
#[test]
#[ignore = "is run by the other test, for one script at a time"]
fn one_region() {
    let (Some(script), Some(result)) = (env::var_os(SCRIPT), env::var_os(RESULT)) else {
        return;
    };
    fs::write(result, converted(Path::new(&script))).unwrap();
}

/// Converts the region of a script in a process of its own.
fn in_a_process(script: &Path, result: &Path) -> Result<String, String> {
    let ran = Command::new(env::current_exe().unwrap())
        .args(["--exact", "one_region", "--ignored", "--nocapture"])
        .env(SCRIPT, script.file_name().unwrap())
        .env(RESULT, result)
        .current_dir(script.parent().unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    fs::read_to_string(result).map_err(|e| e.to_string())
}

/// The first line in which two texts differ.
fn difference(got: &str, want: &str) -> String {
    let mut lines = got.lines().zip(want.lines()).enumerate();
    match lines.find(|(_, (a, b))| a != b) {
        Some((i, (a, b))) => format!("line {}\n  is   {a}\n  was  {b}", i + 1),
        None => "one is longer than the other".to_owned(),
    }
}

#[test]
fn golden_regions_are_what_they_were() {
    let scripts = scripts();
    assert!(scripts.len() >= LEAST, "only {} regions", scripts.len());
    let bless = env::var_os(BLESS).is_some();
    let next = Mutex::new(scripts.iter());
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (next, failures) = (&next, &failures);
            scope.spawn(move || {
                let name = format!("janus-region-{}-{worker}", std::process::id());
                let result = env::temp_dir().join(name);
                let taken = || next.lock().unwrap().next();
                while let Some(script) = taken() {
                    let golden = script.with_extension("txt");
                    let fail = |what: String| {
                        let name = script.strip_prefix(folder()).unwrap().display();
                        failures.lock().unwrap().push(format!("{name}: {what}"));
                    };
                    let want = fs::read_to_string(&golden).unwrap_or_default();
                    match in_a_process(script, &result) {
                        Err(failure) => fail(failure),
                        Ok(got) if got == want => {}
                        Ok(got) if bless => fs::write(&golden, got).unwrap(),
                        Ok(got) => fail(difference(&got, &want)),
                    }
                }
                let _ = fs::remove_file(&result);
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(
        failures.is_empty(),
        "{} of {} regions became something else; `{BLESS}=1` records it\n{}",
        failures.len(),
        scripts.len(),
        failures.join("\n")
    );
}

#[test]
fn golden_texts_have_their_scripts() {
    for layer in fs::read_dir(folder()).unwrap() {
        for file in fs::read_dir(layer.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            assert!(
                path.with_extension("py").exists(),
                "{} has no script",
                path.display()
            );
        }
    }
}
