//! The programs of `test/programs`, in folders by subject, of `examples` and of `benches/models`: found by their
//! golden output, run at each tier.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::TaskError;
use crate::shell::{captured, read, root, target_dir, without_root};
use janus_bench::compare::{RELATIVE, difference_within, spread};

/// Where compiled code is kept between two runs.
#[derive(Clone, Copy)]
enum Kept {
    Nowhere,
    /// In a directory that is empty at first.
    Shared,
}

/// A name, the flags, the cache.
type Mode = (&'static str, &'static [&'static str], Kept);

/// How each program is run. The first is the reference of the others.
const MODES: &[Mode] = &[
    ("tier 0", &["--tier", "0"], Kept::Nowhere),
    (
        "tier 1",
        &["--tier", "1", "--compile", "sync"],
        Kept::Nowhere,
    ),
    (
        "tier 2",
        &["--tier", "2", "--compile", "sync"],
        Kept::Shared,
    ),
    // The same again, so that nothing is left to compile, and each region in tier 0, too.
    (
        "verify, cache warm",
        &["--compile", "sync", "--verify"],
        Kept::Shared,
    ),
    ("background", &["--profiled", "3"], Kept::Nowhere),
    (
        "stress deopt=3",
        &["--compile", "sync", "--stress", "deopt=3"],
        Kept::Shared,
    ),
];

/// Beside the first mode, in how many a program is run where not all were asked for. Which ones goes by turns, and modes that follow
/// each other are taken together: so some programs find warm what the one before compiled.
const SAMPLED: usize = 2;

/// Which modes a program is run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// All of them.
    All,
    /// The first and two others.
    Sample,
}

impl Modes {
    /// The modes of the program at this place in the list.
    fn of(self, program: &Program, at: usize) -> Vec<&'static Mode> {
        let [first, others @ ..] = (match program.second {
            None => MODES,
            Some(_) => MODEL_MODES,
        }) else {
            return Vec::new();
        };
        let taken = |turn: usize| {
            let ahead = (turn + others.len() - at % others.len()) % others.len();
            self == Modes::All || program.second.is_some() || ahead < SAMPLED
        };
        let others = others.iter().enumerate().filter(|(turn, _)| taken(*turn));
        std::iter::once(first)
            .chain(others.map(|(_, mode)| mode))
            .collect()
    }
}

/// Where the folders of programs are.
const PROGRAMS: &str = "test/programs";

/// Where the models are.
const MODELS: &str = "benches/models";

/// How a model is run: they take longer, and what the others see they see too.
const MODEL_MODES: &[Mode] = &[
    ("tier 0", &["--tier", "0"], Kept::Nowhere),
    ("tier 2", &["--compile", "sync"], Kept::Nowhere),
    ("background", &[], Kept::Nowhere),
];

/// The bound on relative differences in a model's output up to its first step.
const FIRST_STEP: f64 = 1e-5;

/// After that a model may differ from PyTorch by this many times what PyTorch at one and at two
/// threads differs from itself; for models that magnify what rounds differently, and have a file for
/// it, also what it differs on a processor without AVX-512.
const OF_PYTORCHS_OWN: f64 = 10.0;

/// A program and where its golden output lies.
pub struct Program {
    /// The script.
    pub script: PathBuf,
    /// What CPython and PyTorch print.
    pub golden: PathBuf,
    /// For models: the same with two threads.
    pub second: Option<PathBuf>,
}

impl Program {
    /// For models that magnify what rounds differently: where the output of PyTorch restricted to
    /// AVX2 lies. Who adds such a file (empty, then recorded) says why in the model's header.
    pub fn narrow(&self) -> Option<PathBuf> {
        let path = self.script.with_extension("avx2.out");
        path.exists().then_some(path)
    }

    /// The first difference between what CPython and PyTorch print and this, as a message.
    fn difference(&self, actual: &str) -> Result<Option<String>, TaskError> {
        let golden = read(&self.golden)?;
        let Some(second) = &self.second else {
            return Ok(difference_within(&golden, actual, |_| RELATIVE));
        };
        let Some(mut own) = spread(&golden, &read(second)?) else {
            return Ok(Some(
                "PyTorch at one and at two threads does not even print the same lines".to_owned(),
            ));
        };
        if let Some(narrow) = self.narrow() {
            own = own.max(spread(&golden, &read(&narrow)?).unwrap_or(0.0));
        }
        let later = (OF_PYTORCHS_OWN * own).max(RELATIVE);
        let mut bound = FIRST_STEP;
        Ok(difference_within(&golden, actual, |line| {
            let here = bound;
            // Models print `step  0  loss 2.302585`, or `episode` for `step`.
            if line.contains("  0  ") {
                bound = later;
            }
            here
        }))
    }
}

/// What lies in a directory.
fn entries(dir: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let io = |source| TaskError::Io {
        path: dir.to_owned(),
        source,
    };
    let entries = std::fs::read_dir(dir).map_err(io)?;
    entries.map(|e| Ok(e.map_err(io)?.path())).collect()
}

/// All scripts of the three directories, sorted; with or without golden output yet. Those of `test/programs` lie in
/// folders; one that lies beside these is found, too, so that it can be recorded, but a test wants it in a folder.
pub fn all() -> Result<Vec<Program>, TaskError> {
    let mut found = Vec::new();
    for dir in [PROGRAMS, "examples", MODELS] {
        let models = dir == MODELS;
        let mut scripts = entries(&root().join(dir))?;
        if dir == PROGRAMS {
            let subjects: Vec<_> = scripts
                .iter()
                .filter(|path| path.is_dir())
                .cloned()
                .collect();
            for subject in subjects {
                scripts.extend(entries(&subject)?);
            }
        }
        for script in scripts {
            if script.extension().is_some_and(|e| e == "py") {
                found.push(Program {
                    golden: script.with_extension("out"),
                    second: models.then(|| script.with_extension("threads2.out")),
                    script,
                });
            }
        }
    }
    found.sort_by(|a, b| a.script.cmp(&b.script));
    Ok(found)
}

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(janus_jit: &Path, script: &Path, flags: &[&str], cache: &Path) -> Result<Run, TaskError> {
    let mut command = Command::new(janus_jit);
    command.current_dir(root()).args(["run", "--cache"]);
    let out = captured(command.arg(cache).args(flags).arg(script))?;
    Ok(Run {
        code: out.status.code(),
        stdout: without_root(&String::from_utf8_lossy(&out.stdout)),
        stderr: without_addresses(&String::from_utf8_lossy(&out.stderr)),
    })
}

/// A report without the addresses of objects, which are other ones in each process.
fn without_addresses(report: &str) -> String {
    let mut parts = report.split(" at 0x");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(" at 0x");
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    text
}

/// Runs one program in some modes. The message of the first failure, or `None`.
fn failure(
    janus_jit: &Path,
    program: &Program,
    modes: &[&Mode],
    shared_cache: &Path,
) -> Result<Option<String>, TaskError> {
    let mut reference: Option<Run> = None;
    for &(mode, flags, kept) in modes {
        let cache = match kept {
            Kept::Nowhere => Path::new("off"),
            Kept::Shared => shared_cache,
        };
        let now = run(janus_jit, &program.script, flags, cache)?;
        if let Some(d) = program.difference(&now.stdout)? {
            return Ok(Some(format!(
                "{mode} against golden output: {d}\n{}",
                now.stderr
            )));
        }
        match &reference {
            // Tiers are equal to the bit, so their text is equal to the letter.
            Some(first)
                if first.stdout != now.stdout
                    || first.code != now.code
                    || first.stderr != now.stderr =>
            {
                return Ok(Some(format!(
                    "{mode} prints other bytes than {} (exit {:?} and {:?})\n{}",
                    MODES[0].0, now.code, first.code, now.stderr
                )));
            }
            Some(_) => {}
            None => reference = Some(now),
        }
    }
    match program.second {
        Some(_) => crate::steady::model_failure(janus_jit, &program.script),
        None => Ok(None),
    }
}

/// How many of the programs that took longest are named.
const SLOWEST: usize = 5;

/// Runs the programs, or the models, on as many threads as there are cores; true when all pass.
pub fn test(janus_jit: &Path, models: bool, modes: Modes) -> Result<bool, TaskError> {
    let mut programs = all()?;
    programs.retain(|p| p.second.is_some() == models);
    if models {
        // A model that PyTorch has not run yet has nothing to be compared with.
        let (known, unknown): (Vec<_>, Vec<_>) = programs.into_iter().partition(|p| {
            let second = p.second.as_ref().is_some_and(|s| s.exists());
            second && p.golden.exists()
        });
        for p in &unknown {
            println!("no golden output yet, not run: {}", p.script.display());
        }
        programs = known;
    }
    let cache = target_dir().join("programs-cache");
    match std::fs::remove_dir_all(&cache) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            return Err(TaskError::Io {
                path: cache,
                source,
            });
        }
        _ => {}
    }
    let next = AtomicUsize::new(0);
    let failed: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let times: Mutex<Vec<(Duration, &Path)>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(at) else {
                return;
            };
            let begun = Instant::now();
            let failure = failure(janus_jit, program, &modes.of(program, at), &cache);
            if let Ok(mut times) = times.lock() {
                times.push((begun.elapsed(), &program.script));
            }
            let message = match failure {
                Ok(None) => continue,
                Ok(Some(message)) => message,
                Err(e) => e.to_string(),
            };
            if let Ok(mut failed) = failed.lock() {
                failed.push(format!("FAIL {}: {message}", program.script.display()));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(worker);
        }
    });
    let mut failed = failed.into_inner().unwrap_or_default();
    failed.sort();
    for message in &failed {
        println!("{message}");
    }
    let mut times = times.into_inner().unwrap_or_default();
    times.sort_by(|a, b| b.cmp(a));
    for (time, script) in times.iter().take(SLOWEST) {
        let script = script.strip_prefix(root()).unwrap_or(script);
        println!("{:.1} s: {}", time.as_secs_f64(), script.display());
    }
    println!(
        "{}: {} passed, {} failed",
        if models { "models" } else { "programs" },
        programs.len() - failed.len(),
        failed.len()
    );
    Ok(failed.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::collections::HashMap;

    use super::*;

    #[test]
    fn sampled_modes_take_turns() {
        let program = Program {
            script: PathBuf::new(),
            golden: PathBuf::new(),
            second: None,
        };
        let names = |modes: Modes, at| -> Vec<&str> {
            modes.of(&program, at).iter().map(|mode| mode.0).collect()
        };
        assert_eq!(names(Modes::All, 3).len(), MODES.len());
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for at in 0..10 {
            let names = names(Modes::Sample, at);
            assert_eq!((names[0], names.len()), ("tier 0", 1 + SAMPLED));
            names
                .iter()
                .for_each(|name| *seen.entry(name).or_default() += 1);
        }
        assert_eq!(seen.len(), MODES.len());
        assert_eq!(
            names(Modes::Sample, 1)[1..],
            ["tier 2", "verify, cache warm"]
        );
    }

    #[test]
    fn programs_lie_in_folders_under_names_of_their_own() {
        let folder = root().join(PROGRAMS);
        let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
        let mut seen: HashMap<String, PathBuf> = HashMap::new();
        for program in all().unwrap() {
            let Ok(path) = program.script.strip_prefix(&folder) else {
                continue;
            };
            let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            let [subject, name] = parts.as_slice() else {
                panic!(
                    "{}: a program lies in the folder of its subject; {PROGRAMS}/README.md lists them",
                    path.display()
                );
            };
            assert!(
                page.contains(&format!("| `{subject}` |")),
                "{PROGRAMS}/README.md says nothing of {subject}"
            );
            assert_eq!(
                name.starts_with("torch_"),
                subject == "torch",
                "{}: what is named torch_* is compared by runtime/torch/tests/main.rs, in the folder torch",
                path.display()
            );
            if let Some(other) = seen.insert(name.to_string(), path.to_owned()) {
                panic!("{} and {} have one name", other.display(), path.display());
            }
        }
        assert!(seen.len() > 700, "only {} programs were found", seen.len());
    }
}
