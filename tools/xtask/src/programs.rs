//! The programs of `test/programs` and `examples`: found by their golden output, run at each tier.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::TaskError;
use crate::shell::{read, root, target_dir};
use janus_bench::compare::difference;

/// Where compiled code is kept between two runs.
#[derive(Clone, Copy)]
enum Kept {
    Nowhere,
    /// In a directory that is empty at first.
    Shared,
}

/// How each program is run: a name, the flags, the cache. The first is the reference of the others.
const MODES: &[(&str, &[&str], Kept)] = &[
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
    // The same again: nothing is left to compile.
    (
        "cache warm",
        &["--tier", "2", "--compile", "sync"],
        Kept::Shared,
    ),
    ("background", &[], Kept::Nowhere),
    (
        "stress deopt=3",
        &["--compile", "sync", "--stress", "deopt=3"],
        Kept::Nowhere,
    ),
];

/// A program and where its golden output lies.
pub struct Program {
    /// The script.
    pub script: PathBuf,
    /// What CPython and PyTorch print.
    pub golden: PathBuf,
}

/// All scripts in `test/programs` and `examples`, sorted; with or without golden output yet.
pub fn all() -> Result<Vec<Program>, TaskError> {
    let mut found = Vec::new();
    for dir in ["test/programs", "examples"] {
        let dir = root().join(dir);
        let io = |source| TaskError::Io {
            path: dir.clone(),
            source,
        };
        for entry in std::fs::read_dir(&dir).map_err(io)? {
            let script = entry.map_err(io)?.path();
            if script.extension().is_some_and(|e| e == "py") {
                let golden = script.with_extension("out");
                found.push(Program { script, golden });
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
    let out = Command::new(janus_jit)
        .current_dir(root())
        .arg("run")
        .arg("--cache")
        .arg(cache)
        .args(flags)
        .arg(script)
        .output()
        .map_err(|source| TaskError::Start {
            command: janus_jit.display().to_string(),
            source,
        })?;
    Ok(Run {
        code: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    })
}

/// Runs one program in every mode. The message of the first failure, or `None`.
fn failure(
    janus_jit: &Path,
    program: &Program,
    shared_cache: &Path,
) -> Result<Option<String>, TaskError> {
    let golden = read(&program.golden)?;
    let mut reference: Option<Run> = None;
    for (mode, flags, kept) in MODES {
        let cache = match kept {
            Kept::Nowhere => Path::new("off"),
            Kept::Shared => shared_cache,
        };
        let now = run(janus_jit, &program.script, flags, cache)?;
        if let Some(d) = difference(&golden, &now.stdout) {
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
    Ok(None)
}

/// Runs all programs in all modes, on as many threads as there are cores; true when all pass.
pub fn test(janus_jit: &Path) -> Result<bool, TaskError> {
    let programs = all()?;
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
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let message = match failure(janus_jit, program, &cache) {
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
    println!(
        "programs: {} passed, {} failed",
        programs.len() - failed.len(),
        failed.len()
    );
    Ok(failed.is_empty())
}
