//! Random programs, run at tier 0 and in other ways: they must print the same bytes, and, if asked, what CPython +
//! PyTorch print.
//!
//! In: a seed and a number of programs. Out: the first programs that differ, kept in target/fuzz.
//! Always: the same seed makes the same programs, and runs them in the same ways, on any machine.

mod aliases;
mod attention;
mod dtypes;
mod exceptions;
mod expressions;
mod generators;
mod gradients;
mod hooks;
mod kinds;
mod maker;
mod modules;
mod objects;
mod optimizers;
mod oracle;
pub mod random;
mod records;
mod shared;
mod structures;
mod subclasses;
mod values;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::TaskError;
use crate::shell::{target_dir, write};
use oracle::Oracle;

/// What a program is about, and what makes one of a seed.
type Maker = (&'static str, fn(u64) -> String);

/// Makers of programs, used in turn.
const MAKERS: [Maker; 18] = [
    ("everything", maker::program),
    ("structures", structures::program),
    ("gradients", gradients::program),
    ("aliases", aliases::program),
    ("kinds", kinds::program),
    ("exceptions", exceptions::program),
    ("values", expressions::about_values),
    ("dtypes", expressions::about_dtypes),
    ("subclasses", subclasses::program),
    ("records", records::program),
    ("attention", attention::program),
    ("modules", modules::program),
    ("optimizers", optimizers::about_optimizers),
    ("checkpoints", optimizers::about_checkpoints),
    ("hooks", hooks::program),
    ("generators", generators::program),
    ("objects", objects::program),
    ("shared", shared::program),
];

/// The names of makers.
pub fn makers() -> impl Iterator<Item = &'static str> {
    MAKERS.iter().map(|(name, _)| *name)
}

/// What to run.
pub struct Series<'a> {
    pub janus_jit: &'a Path,
    /// The first program's seed.
    pub seed: u64,
    /// How many programs.
    pub count: u64,
    /// The only maker used; else all in turn.
    pub only: Option<&'a str>,
    /// The interpreter of CPython + PyTorch, to compare with them, too.
    pub python: Option<&'a Path>,
}

/// How every program is run; the others must agree with the first.
const ALWAYS: &[&[&str]] = &[&["--tier", "0"], &["--compile", "sync"]];
/// Of each of these lists one, in turn.
const IN_TURN: &[&[&[&str]]] = &[
    &[
        &["--compile", "sync", "--stress", "deopt=1"],
        &["--compile", "sync", "--stress", "deopt=2"],
        &["--compile", "sync", "--stress", "deopt=3"],
        &["--compile", "sync", "--stress", "deopt=7"],
    ],
    &[
        &["--tier", "1", "--compile", "sync"],
        &["--compile", "sync", "--profiled", "1"],
        &["--compile", "sync", "--passes", "BASE"],
        &["--compile", "background", "--profiled", "3"],
        &["--compile", "sync", "--verify"],
        &["--compile", "sync", "--passes", "+UNRL,-fuse,-cse,-licm"],
        &[
            "--compile",
            "sync",
            "--passes",
            "-unroll,-canonicalize,-fold,-dce",
        ],
    ],
];

/// Programs after which a long series says how far it is.
const TOLD_EVERY: u64 = 400;

/// The one of several whose turn it is.
fn in_turn<T: Copy>(of: &[T], turn: u64) -> Option<T> {
    let at = turn % of.len().max(1) as u64;
    of.get(usize::try_from(at).ok()?).copied()
}

fn run(janus_jit: &Path, script: &Path, cache: &Path, flags: &[&str]) -> Result<String, TaskError> {
    let mut command = Command::new(janus_jit);
    // The ways share what they compiled.
    command.args(["run", "--cache"]).arg(cache);
    let out = crate::shell::captured(command.args(flags).arg(script))?;
    Ok(without_versions(&format!(
        "{}{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr),
        out.status
    )))
}

/// What CPython + PyTorch print otherwise than tier 0, whose text this is; of an uncaught exception the last line.
fn other_than_oracle(
    oracle: &mut Oracle,
    script: &Path,
    tier0: &str,
) -> Result<Option<String>, TaskError> {
    let mut lines: Vec<&str> = tier0.lines().collect();
    lines.pop();
    if let Some(at) = lines.iter().position(|l| l.starts_with("Traceback (most")) {
        lines.drain(at..lines.len() - 1);
    }
    let printed = without_versions(&oracle.printed(script)?);
    Ok(janus_bench::compare::difference(
        &printed,
        &lines.join("\n"),
    ))
}

/// The text without what PyTorch's error says of a tensor that was written to before backward: a region keeps
/// what a view shows, and not the view.
fn without_versions(text: &str) -> String {
    let (from, to) = ("modified by an inplace operation: [", "expected version ");
    let lines = text
        .lines()
        .map(|line| match (line.find(from), line.find(to)) {
            (Some(a), Some(b)) if a < b => format!("{}{}", &line[..a], &line[b + to.len()..]),
            _ => line.to_owned(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// What became of a program.
enum Verdict {
    Agrees,
    /// The mode in which it differs from tier 0, with both texts.
    Differs(String),
}

fn compare(
    janus_jit: &Path,
    script: &Path,
    seed: u64,
    makers: usize,
    oracle: Option<&mut Oracle>,
) -> Result<Verdict, TaskError> {
    let mut reference: Option<String> = None;
    // Each maker's programs run in each way.
    let turn = seed / makers as u64;
    let others = IN_TURN.iter().filter_map(|ways| in_turn(ways, turn));
    let ways = ALWAYS.iter().copied().chain(others);
    let cache = script.with_extension("cache");
    for flags in ways {
        let text = run(janus_jit, script, &cache, flags)?;
        match &reference {
            None => reference = Some(text),
            Some(first) if *first != text => {
                let at = first
                    .lines()
                    .zip(text.lines())
                    .find(|(a, b)| a != b)
                    .map_or_else(String::new, |(a, b)| format!("\n  - {a}\n  + {b}"));
                return Ok(Verdict::Differs(format!("{}{at}", flags.join(" "))));
            }
            Some(_) => {}
        }
    }
    if let (Some(oracle), Some(tier0)) = (oracle, reference)
        && let Some(difference) = other_than_oracle(oracle, script, &tier0)?
    {
        return Ok(Verdict::Differs(format!("CPython + PyTorch, {difference}")));
    }
    // Tier 0 alone leaves none.
    let _ = std::fs::remove_dir_all(&cache);
    Ok(Verdict::Agrees)
}

/// Runs a series of programs; true when nothing differs.
pub fn run_all(series: &Series) -> Result<bool, TaskError> {
    let &Series {
        janus_jit,
        seed,
        count,
        only,
        python,
    } = series;
    let makers: Vec<Maker> = MAKERS
        .iter()
        .copied()
        .filter(|(name, _)| only.is_none_or(|o| o == *name))
        .collect();
    let folder: PathBuf = target_dir().join("fuzz");
    std::fs::create_dir_all(&folder).map_err(|source| TaskError::Io {
        path: folder.clone(),
        source,
    })?;
    let next = AtomicU64::new(0);
    let differ = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || -> Result<(), TaskError> {
        let mut oracle = python.map(Oracle::start).transpose()?;
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= count {
                return Ok(());
            }
            let script = folder.join(format!("program_{}.py", seed.wrapping_add(n)));
            let this = seed.wrapping_add(n);
            let Some((_, make)) = in_turn(&makers, this) else {
                return Ok(());
            };
            write(&script, &make(this))?;
            match compare(janus_jit, &script, this, makers.len(), oracle.as_mut())? {
                Verdict::Agrees => drop(std::fs::remove_file(&script)),
                Verdict::Differs(message) => {
                    println!("DIFFERS {}: {message}", script.display());
                    differ.fetch_add(1, Ordering::Relaxed);
                }
            }
            let ran = done.fetch_add(1, Ordering::Relaxed) + 1;
            if ran.is_multiple_of(TOLD_EVERY) && ran < count {
                eprintln!("{ran} of {count} programs");
            }
        }
    };
    let results: Vec<Result<(), TaskError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        handles
            .into_iter()
            .map(|h| {
                h.join()
                    .unwrap_or_else(|_| Err(TaskError::Needs("a fuzz thread panicked".to_owned())))
            })
            .collect()
    });
    for result in results {
        result?;
    }
    let differ = differ.into_inner();
    println!(
        "random programs: {} agree, {differ} differ (seeds {seed} to {})",
        count - differ,
        seed.wrapping_add(count).wrapping_sub(1)
    );
    Ok(differ == 0)
}
