//! The cache on disk under fault: processes that are killed, a full disk, two processes at once, bits that turn.
//!
//! In: a janus-jit, how often. Out: the runs that printed something else than tier 0 without a cache. Always: each
//! fault is followed by a whole run with what it left behind.

mod disk;

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::TaskError;
use crate::fuzz::random::Random;
use crate::shell::{bound, target_dir, write};

/// A run that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(60);
/// How often a directory is looked at while something is to appear in it.
const GLANCE: Duration = Duration::from_micros(200);

/// How much is done.
pub struct Series<'a> {
    /// What is run.
    pub janus_jit: &'a Path,
    /// Where random moments begin.
    pub seed: u64,
    /// Processes that are killed; of the other faults there are some for each.
    pub kills: u64,
}

/// A directory, a script, and what that prints.
struct Bench<'a> {
    janus_jit: &'a Path,
    script: PathBuf,
    cache: PathBuf,
    right: Vec<u8>,
    random: Random,
    wrong: Vec<String>,
    runs: u64,
}

impl Bench<'_> {
    fn command(&self, cache: &Path) -> Command {
        let mut command = bound(self.janus_jit);
        command
            .arg("run")
            .arg("--cache")
            .arg(cache)
            .args(["--compile", "sync"])
            .arg(&self.script)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn error(&self, source: std::io::Error) -> TaskError {
        TaskError::Start {
            command: self.janus_jit.display().to_string(),
            source,
        }
    }

    fn start(&mut self) -> Result<Child, TaskError> {
        self.runs += 1;
        let cache = self.cache.clone();
        self.command(&cache).spawn().map_err(|e| self.error(e))
    }

    /// Notes a run that is not right.
    fn judge(&mut self, fault: &str, out: &Output) {
        let what = if let Some(signal) = out.status.signal() {
            format!("ended by signal {signal}")
        } else if !out.status.success() {
            format!("{}", out.status)
        } else if out.stdout != self.right {
            "printed something else".to_owned()
        } else if !out.stderr.is_empty() {
            "wrote to standard error".to_owned()
        } else {
            return;
        };
        let errors = String::from_utf8_lossy(&out.stderr);
        let last = errors.lines().last().unwrap_or_default();
        self.wrong.push(format!("{fault}: {what} {last}"));
    }

    /// Waits for a run and judges it.
    fn end(&mut self, fault: &str, mut child: Child) -> Result<(), TaskError> {
        let start = Instant::now();
        // It prints less than a pipe holds.
        while matches!(child.try_wait(), Ok(None)) {
            if start.elapsed() > LIMIT {
                self.wrong.push(format!("{fault}: hangs"));
                let _ = child.kill();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let out = child.wait_with_output().map_err(|e| self.error(e))?;
        self.judge(fault, &out);
        Ok(())
    }

    /// A whole run.
    fn run(&mut self, fault: &str) -> Result<(), TaskError> {
        let child = self.start()?;
        self.end(fault, child)
    }

    fn empty_cache(&self) -> Result<(), TaskError> {
        let mut tries = 0;
        loop {
            match std::fs::remove_dir_all(&self.cache) {
                // A write of a process that was killed may still reach the disk behind its end.
                Err(source)
                    if source.kind() == std::io::ErrorKind::DirectoryNotEmpty && tries < 100 =>
                {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(TaskError::Io {
                        path: self.cache.clone(),
                        source,
                    });
                }
                _ => return Ok(()),
            }
        }
    }

    /// Files in the cache, in a fixed order.
    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.cache).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        files.sort();
        files
    }

    /// Whether the cache has this many files by then, the run still going on.
    fn appear(&self, child: &mut Child, count: usize) -> bool {
        let start = Instant::now();
        while start.elapsed() < LIMIT && matches!(child.try_wait(), Ok(None)) {
            if self.files().len() >= count {
                return true;
            }
            std::thread::sleep(GLANCE);
        }
        false
    }

    /// Runs that are killed at random moments, half of them at the moment when a file appears.
    fn kill(&mut self, count: u64) -> Result<(), TaskError> {
        let start = Instant::now();
        self.empty_cache()?;
        self.run("the first run")?;
        let whole = start.elapsed();
        for i in 0..count {
            // Caches that other faults have gone over, too.
            if i % 4 == 0 {
                self.empty_cache()?;
            }
            let mut child = self.start()?;
            if i % 2 == 0 {
                let files = self.files().len() + 1 + self.random.below(3) as usize;
                self.appear(&mut child, files);
                std::thread::sleep(Duration::from_micros(self.random.below(2000)));
            } else {
                let moment = self.random.below(whole.as_micros().max(1) as u64);
                std::thread::sleep(Duration::from_micros(moment));
            }
            // It may have ended already.
            let _ = child.kill();
            child.wait().map_err(|e| self.error(e))?;
            self.run(&format!("after kill {i}"))?;
        }
        Ok(())
    }

    /// Two processes that begin at once, with nothing and with everything in the cache.
    fn race(&mut self, count: u64) -> Result<(), TaskError> {
        for i in 0..count {
            if i % 3 != 2 {
                self.empty_cache()?;
            }
            let (one, other) = (self.start()?, self.start()?);
            self.end(&format!("race {i}"), one)?;
            self.end(&format!("race {i}"), other)?;
        }
        Ok(())
    }

    /// Entries with other bytes, entries that are no files, and no directory any more.
    fn corrupt(&mut self, count: u64) -> Result<(), TaskError> {
        for i in 0..count {
            self.run("before a corruption")?;
            let files = self.files();
            let Some(file) = files.get(self.random.below(files.len().max(1) as u64) as usize)
            else {
                self.wrong.push("there is nothing in the cache".to_owned());
                return Ok(());
            };
            let io = |source| TaskError::Io {
                path: file.clone(),
                source,
            };
            let mut bytes = std::fs::read(file).map_err(io)?;
            let at = self.random.below(bytes.len().max(1) as u64) as usize;
            let kind = self.random.below(10);
            match kind {
                0 => bytes.truncate(at),
                1 => bytes.extend_from_slice(&[0; 100]),
                2 => bytes.clear(),
                // What belongs to another key.
                3 => bytes = std::fs::read(&files[0]).map_err(io)?,
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << self.random.below(8);
                    }
                }
            }
            if kind == 4 {
                std::fs::remove_file(file).map_err(io)?;
                std::fs::create_dir(file).map_err(io)?;
            } else {
                std::fs::write(file, bytes).map_err(io)?;
            }
            self.run(&format!("corruption {i} of kind {kind} at {at}"))?;
            if kind == 4 {
                self.empty_cache()?;
            }
        }
        // The directory goes while a run goes on.
        self.empty_cache()?;
        let mut child = self.start()?;
        self.appear(&mut child, 1);
        self.empty_cache()?;
        self.end("without its directory", child)
    }
}

/// Does all that; true when each run was right.
pub fn run(series: &Series) -> Result<bool, TaskError> {
    let dir = target_dir().join("faults");
    std::fs::create_dir_all(&dir).map_err(|source| TaskError::Io {
        path: dir.clone(),
        source,
    })?;
    let script = dir.join("training.py");
    write(&script, include_str!("training.py"))?;
    let mut bench = Bench {
        janus_jit: series.janus_jit,
        cache: dir.join("cache"),
        script,
        right: Vec::new(),
        random: Random::of(series.seed),
        wrong: Vec::new(),
        runs: 0,
    };
    let out = bound(bench.janus_jit)
        .args(["run", "--cache", "off", "--tier", "0"])
        .arg(&bench.script)
        .output()
        .map_err(|e| bench.error(e))?;
    bench.right.clone_from(&out.stdout);
    bench.judge("tier 0", &out);
    bench.kill(series.kills)?;
    bench.race(series.kills / 8 + 1)?;
    bench.corrupt(series.kills / 4 + 1)?;
    let filled = bench.fill(series.kills / 20 + 1)?;
    bench.empty_cache()?;
    for message in &bench.wrong {
        println!("WRONG {message}");
    }
    println!(
        "faults: {} runs, {} wrong; a full disk was {filled}",
        bench.runs,
        bench.wrong.len()
    );
    Ok(bench.wrong.is_empty())
}
