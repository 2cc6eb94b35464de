//! `cargo xtask survey`: samples of every function, here and under CPython + PyTorch.
//!
//! In: rules (`make/`), or the fixed samples of test/survey. Out: groups of differences in target/survey/report.md. Always:
//! fails exactly if a difference is not in test/survey/known.txt.

mod compare;
mod report;
mod run;
mod sample;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TaskError;
use crate::shell::{check, output, read, root, target_dir, write};
use report::Difference;
use run::Side;
use sample::Sample;

/// Calls of a sample: enough for its function to be compiled, and to run as compiled code.
const CALLS: u32 = 14;
/// Samples that a test run has, at most.
const FIXED: usize = 3000;
/// Samples in one process.
const CHUNK: usize = 100;

/// What to survey.
pub struct Survey<'a> {
    pub janus_jit: &'a Path,
    /// The interpreter of CPython + PyTorch; without it the fixed samples are run.
    pub python: Option<&'a Path>,
    /// Only samples whose key contains this.
    pub only: Option<&'a str>,
    /// How many times as many samples as usual.
    pub scale: u32,
    /// Only in tier 0.
    pub tier0: bool,
    /// Choose the fixed samples anew.
    pub record: bool,
    /// PyTorch's own operator database in place of our rules.
    pub opinfo: bool,
    /// The samples that were made last, and no new ones.
    pub again: bool,
}

impl<'a> Survey<'a> {
    /// What a test run does.
    pub fn fixed(janus_jit: &'a Path) -> Survey<'a> {
        Survey {
            janus_jit,
            python: None,
            only: None,
            scale: 1,
            tier0: false,
            record: false,
            opinfo: false,
            again: false,
        }
    }
}

fn fixed_folder() -> PathBuf {
    root().join("test/survey")
}

/// Has the rules draw samples of what there is here.
fn make(survey: &Survey, python: &Path, folder: &Path, samples_in: &Path) -> Result<(), TaskError> {
    let here = root().join("tools/xtask/src/survey");
    let names = folder.join("names");
    let listed = output(
        Command::new(survey.janus_jit)
            .arg("run")
            .arg(here.join("names.py")),
    )
    .ok_or_else(|| TaskError::Needs("janus-jit does not say which names there are".to_owned()))?;
    write(&names, &listed)?;
    let script = if survey.opinfo {
        "opinfo.py"
    } else {
        "make.py"
    };
    check(
        Command::new(python)
            .arg(here.join("make").join(script))
            .arg(samples_in)
            .arg(&names)
            .arg(survey.scale.to_string())
            .env("OMP_NUM_THREADS", "1"),
    )
}

/// Samples that the rules make, with what CPython + PyTorch print.
fn made(survey: &Survey, python: &Path, folder: &Path) -> Result<Vec<Sample>, TaskError> {
    let samples_in = folder.join(if survey.opinfo { "opinfo" } else { "samples" });
    std::fs::create_dir_all(&samples_in).map_err(|source| TaskError::Io {
        path: samples_in.clone(),
        source,
    })?;
    // What PyTorch was asked once need not be asked again.
    let stamp = samples_in.join("version");
    let version = sample::version();
    let mut answers: HashMap<(String, String), String> = HashMap::new();
    if stamp.exists() && read(&stamp)? == version {
        for s in sample::load(&samples_in)? {
            if let Some(golden) = s.golden {
                answers.insert((s.key, s.source), golden);
            }
        }
    }
    if !survey.again {
        make(survey, python, folder, &samples_in)?;
    }
    let mut samples = sample::load(&samples_in)?;
    let mut unknown = Vec::new();
    for (k, s) in samples.iter_mut().enumerate() {
        s.golden = answers.remove(&(s.key.clone(), s.source.clone()));
        if s.golden.is_none() {
            unknown.push(k);
        }
    }
    let asked: Vec<Sample> = unknown.iter().map(|&k| samples[k].clone()).collect();
    println!("{} samples, {} of them new", samples.len(), asked.len());
    let outcomes = run::run(
        &Side {
            binary: python,
            flags: &["-W", "ignore"],
            calls: 1,
            chunk: 10 * CHUNK,
            folder: &folder.join("oracle"),
        },
        &asked,
    )?;
    for (k, outcome) in unknown.into_iter().zip(outcomes) {
        samples[k].golden = Some(outcome.first);
    }
    sample::store(&samples_in, &samples)?;
    write(&stamp, &version)?;
    // What ends PyTorch's process is no oracle.
    let answered = |s: &Sample| {
        let golden = s.golden.as_deref().unwrap_or("");
        !golden.is_empty() && !golden.starts_with("! crash") && !golden.starts_with("! hang")
    };
    samples.retain(answered);
    Ok(samples)
}

/// Longest text of a sample of a test run, with what it gives.
const FIXED_LENGTH: usize = 500;

/// A number that a text always gives.
fn spread(text: &str) -> usize {
    let fnv = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, fnv) as usize
}

/// The samples of a test run: of each function one or two, of its ways to be used in turn.
fn fixed(samples: &[Sample]) -> Vec<Sample> {
    let short =
        |s: &&Sample| s.source.len() + s.golden.as_ref().map_or(0, String::len) < FIXED_LENGTH;
    let mut ways: Vec<(usize, usize, &Sample)> = Vec::new();
    let base = |s: &Sample| {
        let first = s.key.split(' ').next().unwrap_or_default();
        if first.contains('.') { first } else { &s.key }.to_owned()
    };
    for function in samples.chunk_by(|a, b| a.topic == b.topic && base(a) == base(b)) {
        let keys: Vec<&[Sample]> = function.chunk_by(|a, b| a.key == b.key).collect();
        let turn = function.first().map_or(0, |s| spread(&base(s)));
        for (k, way) in keys.iter().enumerate() {
            let way: Vec<&Sample> = way.iter().filter(short).collect();
            // A way of which there are many samples stands for many functions.
            let at_once = 1 + way.len() / 15;
            for round in 0..(4 * at_once).min(way.len()) {
                let rank = round / at_once * keys.len() + (k + turn) % keys.len();
                let at = (spread(&way[0].key) + round) % way.len();
                ways.push((rank, spread(&way[at].source), way[at]));
            }
        }
    }
    ways.sort_by_key(|(rank, order, _)| (*rank, *order));
    let mut chosen: Vec<&Sample> = ways.into_iter().take(FIXED).map(|w| w.2).collect();
    let place = |s: &Sample| std::ptr::from_ref(s);
    chosen.sort_by_key(|s| place(s));
    chosen.into_iter().cloned().collect()
}

/// Makes or loads samples, runs and compares them; true when nothing differs that is not in the list.
pub fn run(survey: &Survey) -> Result<bool, TaskError> {
    let folder = target_dir().join("survey");
    std::fs::create_dir_all(&folder).map_err(|source| TaskError::Io {
        path: folder.clone(),
        source,
    })?;
    let mut samples = match survey.python {
        Some(python) => made(survey, python, &folder)?,
        None => sample::load(&fixed_folder())?,
    };
    if survey.record {
        let chosen = fixed(&samples);
        sample::store(&fixed_folder(), &chosen)?;
        println!("recorded {} samples in test/survey", chosen.len());
        samples = chosen;
    }
    if let Some(only) = survey.only {
        samples.retain(|s| s.key.contains(only) || s.topic == only);
    }
    let (flags, calls): (&[&str], u32) = if survey.tier0 {
        (&["run", "--tier", "0"], 1)
    } else {
        (&["run", "--compile", "sync", "--cache", "off"], CALLS)
    };
    let outcomes = run::run(
        &Side {
            binary: survey.janus_jit,
            flags,
            calls,
            chunk: CHUNK,
            folder: &folder.join("here"),
        },
        &samples,
    )?;
    let total = samples.len();
    let mut differences = Vec::new();
    for (sample, outcome) in samples.into_iter().zip(outcomes) {
        let expected = sample.golden.clone().unwrap_or_default();
        let differs = compare::difference(&expected, &outcome.first);
        if let Some(later) = outcome.later {
            differences.push(Difference {
                sample: sample.clone(),
                kind: compare::Kind::Tiers,
                expected: outcome.first.clone(),
                actual: later,
            });
        }
        if let Some(kind) = differs {
            differences.push(Difference {
                sample,
                kind,
                expected,
                actual: outcome.first,
            });
        }
    }
    let list = report::known(&fixed_folder().join("known.txt"))?;
    let path = folder.join(if survey.opinfo {
        "opinfo.md"
    } else {
        "report.md"
    });
    let (new, unneeded) = report::report(&path, &differences, &list)?;
    if survey.python.is_some() && survey.only.is_none() && !survey.opinfo && !survey.tier0 {
        for entry in unneeded {
            println!("no longer needed in test/survey/known.txt: {entry}");
        }
    }
    println!(
        "survey: {total} samples, {} differ, {new} groups of them not in the list; see {}",
        differences.len(),
        path.display()
    );
    Ok(new == 0)
}
