//! `cargo xtask steady`: which test programs run their hot regions in tier 2, and what keeps the others out.
//!
//! In: what `janus-jit explain --json` says of each program. Out: a table and totals. Always: what
//! counts is what docs/steady.md says.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;

use crate::TaskError;
use crate::shell::{root, target_dir};

/// Entries from which on a region is hot: three are profiled, and as many again settle.
const HOT: u64 = 8;
/// Entries at the end in which a region that moves from version to version may still settle.
const SETTLING: u64 = 8;

/// How many times as often as what is around it a loop is entered that is hot in its stead.
const INNER: u64 = 4;

/// As `explain --json` writes it.
#[derive(Deserialize)]
struct Explanation {
    regions: Vec<Region>,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct Region {
    file: String,
    line: u32,
    function: String,
    kind: String,
    tier: u32,
    tensors: bool,
    entries: u64,
    entries_by_tier: BTreeMap<String, u64>,
    departures: Vec<Departure>,
    graph_ops: Option<u64>,
    versions: Vec<serde_json::Value>,
    inlined_into: Vec<String>,
    refusal: Option<Reason>,
    not_compiled: Option<Reason>,
}

#[derive(Deserialize)]
struct Departure {
    reason: String,
    line: u32,
    count: u64,
    last: u64,
}

impl std::fmt::Display for Departure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Departure {
            reason,
            line,
            count,
            last,
        } = self;
        write!(
            f,
            "{reason} at line {line} ({count} times, last at entry {last})"
        )
    }
}

#[derive(Deserialize)]
struct Reason {
    /// Of what was refused; what waits has none.
    id: Option<String>,
    reason: String,
    line: u32,
}

#[derive(Deserialize)]
struct File {
    file: String,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    line: u32,
    tier: u32,
}

/// Where a hot region stands.
enum Standing {
    /// In tier 2 without departures, or a part of what is.
    Steady,
    /// Tier 2 has nothing to do there.
    NotMeant,
    /// In tier 2, and left again and again.
    Departs(Vec<String>),
    /// In tier 0.
    Out(String, u32),
}

impl Explanation {
    /// Whether a line runs in tier 2: in a region of its own or as a part of one around it.
    fn is_compiled(&self, file: &str, line: u32) -> bool {
        let lines = self.files.iter().filter(|f| f.file == file);
        lines
            .flat_map(|f| &f.lines)
            .any(|l| l.line == line && l.tier == 2)
    }

    fn standing(&self, region: &Region) -> Standing {
        let share = |tier: &str| region.entries_by_tier.get(tier).copied().unwrap_or(0);
        // What departs or is refused where it is a part of a region is that region.
        let around = !region.inlined_into.is_empty()
            || (region.versions.is_empty()
                && region.kind != "function"
                && self.is_compiled(&region.file, region.line));
        if around {
            return Standing::Steady;
        }
        if share("2") > 0 && region.tier == 2 {
            let late: Vec<String> = region
                .departures
                .iter()
                .filter(|d| d.count > 0 && d.last * 2 > region.entries + SETTLING)
                .map(Departure::to_string)
                .collect();
            return match share("0") * 2 > region.entries {
                _ if !late.is_empty() => Standing::Departs(late),
                true => Standing::Departs(vec!["no version fits most entries".to_owned()]),
                false => Standing::Steady,
            };
        }
        let why = region.refusal.as_ref().or(region.not_compiled.as_ref());
        let Some(why) = why else {
            // Tier 1 has it.
            return match region.tier {
                1 => Standing::NotMeant,
                _ => Standing::Out("no reason is known".to_owned(), region.line),
            };
        };
        let is = |id: &str| why.id.as_deref() == Some(id);
        // Where nearly all entries are a loop's inside of it, that one is what is hot.
        let around_a_hot_loop = self.regions.iter().any(|r| {
            r.kind == "loop"
                && r.file == region.file
                && r.function == region.function
                && r.line > region.line
                && r.entries >= INNER * region.entries
                && r.tensors
        });
        if !region.tensors
            || around_a_hot_loop
            || is("little-work")
            || (is("training-loop") && self.is_compiled(&region.file, why.line))
        {
            return Standing::NotMeant;
        }
        Standing::Out(why.reason.clone(), why.line)
    }
}

/// What a program's hot regions come to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Steady,
    InPart,
    Not,
    NothingHot,
}

impl Verdict {
    const ALL: [Verdict; 4] = [
        Verdict::Steady,
        Verdict::InPart,
        Verdict::Not,
        Verdict::NothingHot,
    ];

    fn words(self) -> &'static str {
        match self {
            Verdict::Steady => "every hot region in tier 2",
            Verdict::InPart => "some of them",
            Verdict::Not => "none of them",
            Verdict::NothingHot => "nothing hot with tensors",
        }
    }
}

/// What is said of a program: its verdict, a line for each region that is not steady, the refusals.
type Row = (Verdict, Vec<String>, Vec<String>);

fn judge(program: &Explanation, script: &str) -> Row {
    let (mut steady, mut lines, mut refusals) = (0, Vec::new(), Vec::new());
    let hot = program
        .regions
        .iter()
        .filter(|r| r.entries >= HOT && r.file.ends_with(script));
    for r in hot {
        let what = format!(
            "  {} {}:{}, {} entries",
            r.kind, r.function, r.line, r.entries
        );
        match program.standing(r) {
            Standing::Steady => steady += 1,
            Standing::NotMeant => {}
            Standing::Departs(late) => lines.push(format!("{what}: {}", late.join("; "))),
            Standing::Out(why, line) => {
                lines.push(format!("{what}: line {line}: {why}"));
                refusals.push(why);
            }
        }
    }
    let verdict = match (steady, lines.is_empty()) {
        (0, true) => Verdict::NothingHot,
        (_, true) => Verdict::Steady,
        (0, false) => Verdict::Not,
        (_, false) => Verdict::InPart,
    };
    (verdict, lines, refusals)
}

fn explain(janus_jit: &Path, flags: &[&str], script: &[&OsStr]) -> Result<Explanation, TaskError> {
    let mut command = Command::new(janus_jit);
    command
        .current_dir(root())
        .args(["explain", "--json", "--compile", "sync"])
        .args(flags)
        .args(script);
    // A program may end in an exception on purpose: its status says nothing.
    let out = crate::shell::captured(&mut command)?;
    serde_json::from_slice(&out.stdout).map_err(|e| TaskError::Needs(format!("explain: {e}")))
}

fn of_program(janus_jit: &Path, script: &Path, cache: &str) -> Result<Row, TaskError> {
    let flags = ["--profiled", "3", "--cache", cache];
    let program = explain(janus_jit, &flags, &[script.as_os_str()])?;
    let name = script.file_name().unwrap_or_default().to_string_lossy();
    Ok(judge(&program, &name))
}

/// Models whose steps take long: the few that they do unasked are enough.
const SHORT_MODELS: &[&str] = &["inception_v3", "resnet50"];

/// Entries that a model's step may spend in tier 0: ten are profiled, and some assumptions fail once.
const SETTLED_AFTER: u64 = 16;

/// Whether a model's steps stay in tier 2: those of the region with the largest graph, which has a whole one. The
/// message where they do not.
pub fn model_failure(janus_jit: &Path, script: &Path) -> Result<Option<String>, TaskError> {
    let name = script.file_stem().unwrap_or_default().to_string_lossy();
    let mut args = vec![script.as_os_str()];
    if !SHORT_MODELS.contains(&&*name) {
        args.push(OsStr::new("120"));
    }
    let program = explain(janus_jit, &["--cache", "off"], &args)?;
    let share = |r: &Region, tier: &str| r.entries_by_tier.get(tier).copied().unwrap_or(0);
    let file = format!("{name}.py");
    let own = |r: &&Region| r.file.ends_with(&file) && r.entries >= HOT && share(r, "2") > 0;
    let largest = program
        .regions
        .iter()
        .filter(own)
        .max_by_key(|r| r.graph_ops);
    let Some(region) = largest.filter(|r| r.graph_ops.is_some()) else {
        return Ok(Some("nothing of it is in tier 2".to_owned()));
    };
    let what = format!("{} {}:{}", region.kind, region.function, region.line);
    let interpreted = share(region, "0");
    if interpreted > SETTLED_AFTER {
        let of = region.entries;
        return Ok(Some(format!(
            "{what}: {interpreted} of {of} entries are interpreted"
        )));
    }
    // What happens once, as in the middle of a run, is no steady state.
    let late = region.departures.iter();
    let late = late.filter(|d| d.count > 1 && d.last * 2 > region.entries + SETTLING);
    let late: Vec<String> = late.map(Departure::to_string).collect();
    Ok((!late.is_empty()).then(|| format!("{what}: {}", late.join("; "))))
}

/// The scripts that are named: files, and the test programs whose name contains one of the other words; all of these
/// if nothing is named.
fn scripts(named: &[String]) -> Result<Vec<PathBuf>, TaskError> {
    let (mut files, mut words) = (Vec::new(), Vec::new());
    for name in named {
        match Path::new(name).canonicalize() {
            Ok(file) if file.is_file() => files.push(file),
            _ => words.push(name),
        }
    }
    if words.is_empty() && !files.is_empty() {
        return Ok(files);
    }
    let programs = crate::programs::all()?.into_iter().map(|p| p.script);
    files.extend(programs.filter(|script| {
        let name = script.to_string_lossy();
        name.contains("test/programs")
            && (words.is_empty() || words.iter().any(|w| name.contains(w.as_str())))
    }));
    Ok(files)
}

/// Prints the table of the scripts that are named.
pub fn run(janus_jit: &Path, named: &[String]) -> Result<(), TaskError> {
    let programs = scripts(named)?;
    let cache = target_dir().join("programs-cache").display().to_string();
    let next = AtomicUsize::new(0);
    let rows: Mutex<BTreeMap<String, Result<Row, TaskError>>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = of_program(janus_jit, program, &cache);
            let name = program.file_stem().unwrap_or_default();
            if let Ok(mut rows) = rows.lock() {
                rows.insert(name.to_string_lossy().into_owned(), row);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(worker);
        }
    });
    let mut totals: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let rows = rows.into_inner().unwrap_or_default();
    for (name, row) in &rows {
        let (verdict, lines, refusals) = match row {
            Ok(row) => row,
            Err(e) => {
                println!("{name}: {e}");
                continue;
            }
        };
        println!("{name}: {}", verdict.words());
        for line in lines {
            println!("{line}");
        }
        *totals.entry(*verdict).or_default() += 1;
        for why in refusals {
            *reasons.entry(why.clone()).or_default() += 1;
        }
    }
    println!("\nwhat keeps regions out of tier 2:");
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (why, n) in reasons {
        println!("{n:>5} {why}");
    }
    println!("\nof {} programs:", rows.len());
    for verdict in Verdict::ALL {
        let n = totals.get(&verdict).copied().unwrap_or(0);
        println!("{n:>5} {}", verdict.words());
    }
    Ok(())
}
