//! Runs samples, many in one process, and says of each what it gave.
//!
//! In: samples, how to run a program. Out: one outcome a sample. Always: a sample that ends the process, or never ends, is the
//! one that it is told of; the rest run in the next process.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::sample::{Sample, program};
use crate::TaskError;
use crate::shell::{bound, write};

/// How long nothing may be printed before a sample counts as one that never ends.
const LIMIT: Duration = Duration::from_secs(40);

/// What a sample gave.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The first time.
    pub first: String,
    /// What a later call gave otherwise.
    pub later: Option<String>,
}

/// How programs are run.
pub struct Side<'a> {
    /// The interpreter or janus-jit.
    pub binary: &'a Path,
    /// What stands before the script.
    pub flags: &'a [&'a str],
    /// How many times each sample is called.
    pub calls: u32,
    /// Samples in one process.
    pub chunk: usize,
    /// Where programs are written.
    pub folder: &'a Path,
}

/// Ends a process however this function is left.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program from its sample `from` on; the number of the sample at which the process ended, or `None` at the end.
fn run_from(
    side: &Side,
    script: &Path,
    from: usize,
    outcomes: &mut [Outcome],
) -> Result<Option<usize>, TaskError> {
    let start = |source| TaskError::Start {
        command: side.binary.display().to_string(),
        source,
    };
    let child = bound(side.binary)
        .args(side.flags)
        .arg(script)
        .arg(from.to_string())
        .env("OMP_NUM_THREADS", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(start)?;
    let mut child = Ended(child);
    let (Some(stdout), Some(mut stderr)) = (child.0.stdout.take(), child.0.stderr.take()) else {
        return Err(start(std::io::ErrorKind::BrokenPipe.into()));
    };
    let (send, receive) = channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n') {
            let Ok(line) = line else { return };
            if send
                .send(String::from_utf8_lossy(&line).into_owned())
                .is_err()
            {
                return;
            }
        }
    });
    let errors = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stderr.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let mut current = None;
    let mut hangs = false;
    let ended = loop {
        match receive.recv_timeout(LIMIT) {
            Ok(line) => {
                if line == "#end" {
                    break true;
                } else if let Some(n) = line.strip_prefix('#').and_then(|n| n.parse().ok()) {
                    current = Some(n);
                } else if let Some(outcome) = current.and_then(|n: usize| outcomes.get_mut(n)) {
                    if let Some(text) = line.strip_prefix('=') {
                        text.clone_into(&mut outcome.first);
                    } else if let Some(text) = line.strip_prefix('~') {
                        outcome.later = Some(text.to_owned());
                    }
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                hangs = true;
                break false;
            }
            Err(RecvTimeoutError::Disconnected) => break false,
        }
    };
    if hangs {
        let _ = child.0.kill();
    }
    let status = child.0.wait().map_err(start)?;
    let _ = reader.join();
    let said = errors.join().unwrap_or_default();
    if ended {
        return Ok(None);
    }
    // Before the first sample: the program itself does not run.
    let at = current.unwrap_or(from);
    let last = said.lines().rev().find(|l| !l.trim().is_empty());
    let text = if hangs {
        "! hang".to_owned()
    } else {
        format!("! crash: {status}: {}", last.unwrap_or(""))
    };
    if current.is_none() && !hangs && !said.contains("SyntaxError") {
        return Err(TaskError::Needs(format!(
            "{} does not begin: {said}",
            script.display()
        )));
    }
    if let Some(outcome) = outcomes.get_mut(at) {
        if outcome.first.is_empty() {
            outcome.first = text;
        } else {
            outcome.later = Some(text);
        }
    }
    Ok(Some(at))
}

/// Runs one chunk, in as many processes as it takes.
fn run_chunk(side: &Side, script: &Path, samples: &[Sample]) -> Result<Vec<Outcome>, TaskError> {
    write(script, &program(samples, side.calls))?;
    let mut outcomes = vec![Outcome::default(); samples.len()];
    let mut from = 0;
    while from < samples.len() {
        let Some(at) = run_from(side, script, from, &mut outcomes)? else {
            break;
        };
        let unread = at == 0 && from == 0 && samples.len() > 1;
        if unread && outcomes[0].first.contains("SyntaxError") {
            // One of them cannot be compiled: each half for itself.
            let (a, b) = samples.split_at(samples.len() / 2);
            outcomes = run_chunk(side, script, a)?;
            outcomes.extend(run_chunk(side, script, b)?);
            return Ok(outcomes);
        }
        from = at + 1;
    }
    // It is of use only where something differs, and a group shows its own program.
    let _ = std::fs::remove_file(script);
    Ok(outcomes)
}

/// Runs all samples, on as many threads as there are cores.
pub fn run(side: &Side, samples: &[Sample]) -> Result<Vec<Outcome>, TaskError> {
    std::fs::create_dir_all(side.folder).map_err(|source| TaskError::Io {
        path: side.folder.to_owned(),
        source,
    })?;
    let chunks: Vec<&[Sample]> = samples.chunks(side.chunk.max(1)).collect();
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Result<Vec<Outcome>, TaskError>)>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let Some(chunk) = chunks.get(n) else { return };
                    let script: PathBuf = side.folder.join(format!("chunk_{n}.py"));
                    let result = run_chunk(side, &script, chunk);
                    if let Ok(mut results) = results.lock() {
                        results.push((n, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(n, _)| *n);
    let mut all = Vec::with_capacity(samples.len());
    for (_, result) in results {
        all.extend(result?);
    }
    Ok(all)
}
