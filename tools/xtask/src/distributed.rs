//! Programs of several processes: what they print, and how they end when one of them fails.
//!
//! In: `test/distributed`, each program with `NAME.N.out` for N ranks, and the programs in `faults` below. Out: what differs
//! from PyTorch over gloo, or between tiers, and what hung or outlived its launcher. Always: left out, with a line that says
//! so, where there is no gloo.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::TaskError;
use crate::engines::ENGINES;
use crate::shell::{bound, output, read, root, target_dir, without_root, write};
use janus_bench::compare::difference;

/// How many ranks there may be.
const RANKS: [u32; 2] = [2, 3];
/// No run may take longer.
const LIMIT: Duration = Duration::from_secs(120);
/// Which processes belong to a run.
const MARK: &str = "JANUS_TEST_RUN";

/// How programs run, as variables. The first is the reference of the others.
const MODES: [(&str, &[(&str, &str)]); 5] = [
    ("tier 0", &[("JANUS_TIER", "0")]),
    ("tier 1", &[("JANUS_TIER", "1"), ("JANUS_COMPILE", "sync")]),
    ("tier 2", &[("JANUS_COMPILE", "sync")]),
    (
        "verify",
        &[("JANUS_COMPILE", "sync"), ("JANUS_VERIFY", "1")],
    ),
    (
        "stress deopt=3",
        &[("JANUS_COMPILE", "sync"), ("JANUS_STRESS", "deopt=3")],
    ),
];

/// What a fault is to leave on standard error: of the rank at fault, and of another one where that is sure to speak.
const FAULTS: [(&str, &[&str]); 6] = [
    (
        "raises",
        &[
            "the first that failed: rank 1 ",
            "ValueError: rank one is unhappy",
        ],
    ),
    (
        "killed",
        &["the first that failed: rank 1 ", "was ended by signal 9"],
    ),
    (
        "exits",
        &["the first that failed: rank 1 ", "ended with exit code 7"],
    ),
    ("sizes", &["the first that failed: "]),
    ("late", &["the first that failed: ", "RuntimeError: "]),
    (
        "monitored",
        &["Rank 1 failed to pass monitoredBarrier in 1000 ms"],
    ),
];

fn folder() -> PathBuf {
    root().join("test/distributed")
}

fn golden(script: &Path, ranks: u32) -> PathBuf {
    script.with_extension(format!("{ranks}.out"))
}

fn programs() -> Result<Vec<PathBuf>, TaskError> {
    let folder = folder();
    let io = |source| TaskError::Io {
        path: folder.clone(),
        source,
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|end| end == "py") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// What a command came to.
struct Ended {
    succeeded: bool,
    out: String,
    errors: String,
}

/// Processes of a run that are still there.
fn left(mark: &str) -> Vec<u32> {
    let wanted = format!("{MARK}={mark}").into_bytes();
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pid = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
    processes
        .filter_map(|entry| pid(entry.ok()?))
        .filter(|pid| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|&b| b == 0).any(|line| line == wanted)
        })
        .collect()
}

/// Waits until no process of a run is there; whether that is so.
fn all_ended(mark: &str) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        if left(mark).is_empty() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

fn torchrun(janus_jit: &Path, script: &Path, ranks: u32, mark: &str) -> Command {
    let mut command = bound(janus_jit);
    command
        .args(["torchrun", "--standalone", "--nproc-per-node"])
        .arg(ranks.to_string())
        .arg(script)
        .env(MARK, mark)
        .env("JANUS_CACHE", "off")
        // Where the binary is another one than the one that was built here.
        .env("JANUS_ENGINES", target_dir().join("release"))
        .stdin(Stdio::null());
    command
}

/// Runs a command with a limit of time; `None` if it took longer.
fn run(mut command: Command) -> Result<Option<Ended>, TaskError> {
    let start = |source| TaskError::Start {
        command: "janus-jit torchrun".to_owned(),
        source,
    };
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(start)?;
    fn reader(
        pipe: Option<impl std::io::Read + Send + 'static>,
    ) -> std::thread::JoinHandle<String> {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                // What could be read until then counts.
                let _ = pipe.read_to_end(&mut bytes);
            }
            without_root(&String::from_utf8_lossy(&bytes))
        })
    }
    let (out, errors) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(start)? {
            break Some(status);
        }
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    let (out, errors) = (text(out), text(errors));
    Ok(status.map(|status| Ended {
        succeeded: status.success(),
        out,
        errors,
    }))
}

/// The first thing that is wrong with a program.
fn failure(janus_jit: &Path, script: &Path, ranks: u32) -> Result<Option<String>, TaskError> {
    let expected = read(&golden(script, ranks))?;
    let mut reference: Option<String> = None;
    for (mode, variables) in MODES {
        let mut command = torchrun(janus_jit, script, ranks, "program");
        command.envs(variables.iter().copied());
        let Some(ended) = run(command)? else {
            return Ok(Some(format!("{mode}: took too long")));
        };
        if !ended.succeeded {
            return Ok(Some(format!("{mode}: failed\n{}", ended.errors)));
        }
        match &reference {
            None => {
                if let Some(what) = difference(&expected, &ended.out) {
                    return Ok(Some(format!("{mode} against PyTorch: {what}")));
                }
                reference = Some(ended.out);
            }
            Some(reference) if *reference != ended.out => {
                let what = difference(reference, &ended.out)
                    .unwrap_or_else(|| "the last digits".to_owned());
                return Ok(Some(format!("{mode} against tier 0: {what}")));
            }
            Some(_) => {}
        }
    }
    Ok(None)
}

fn fault(janus_jit: &Path, name: &str, said: &[&str]) -> Result<Option<String>, TaskError> {
    let script = folder().join("faults").join(name).with_extension("py");
    let mark = format!("{name}-{}", std::process::id());
    let Some(ended) = run(torchrun(janus_jit, &script, 3, &mark))? else {
        return Ok(Some("took too long".to_owned()));
    };
    if ended.succeeded {
        return Ok(Some("succeeded".to_owned()));
    }
    if let Some(absent) = said.iter().find(|said| !ended.errors.contains(**said)) {
        return Ok(Some(format!("did not say '{absent}':\n{}", ended.errors)));
    }
    Ok((!all_ended(&mark)).then(|| format!("left processes: {:?}", left(&mark))))
}

/// A launcher that is ended by a signal must leave nothing behind.
fn ended_by(janus_jit: &Path, signal: &str) -> Result<Option<String>, TaskError> {
    let script = folder().join("faults/waits.py");
    let mark = format!("{signal}-{}", std::process::id());
    let mut child = torchrun(janus_jit, &script, 3, &mark)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|source| TaskError::Start {
            command: "janus-jit torchrun".to_owned(),
            source,
        })?;
    let begun = Instant::now();
    while left(&mark).len() < 4 && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(500));
    let pid = child.id().to_string();
    let sent = output(Command::new("kill").args([&format!("-{signal}"), &pid]));
    let ended = all_ended(&mark);
    let _ = child.kill();
    let _ = child.wait();
    Ok(match (sent, ended) {
        (None, _) => Some("the launcher was gone before".to_owned()),
        (_, false) => Some(format!("left processes: {:?}", left(&mark))),
        _ => None,
    })
}

/// A port that something listens at.
fn port_in_use(janus_jit: &Path) -> Result<Option<String>, TaskError> {
    let Ok(listener) = std::net::TcpListener::bind("[::]:0") else {
        return Ok(None);
    };
    let port = listener.local_addr().map_or(0, |address| address.port());
    let mut command = bound(janus_jit);
    command
        .args(["torchrun", "--nproc-per-node", "2", "--master-port"])
        .arg(port.to_string())
        .arg(folder().join("stores.py"));
    Ok(match run(command)? {
        Some(ended) if !ended.succeeded && ended.errors.contains("cannot listen at port") => None,
        Some(ended) => Some(format!("it said: {}", ended.errors)),
        None => Some("took too long".to_owned()),
    })
}

/// Runs all of it; true when all is as it should be.
pub fn test(janus_jit: &Path) -> Result<bool, TaskError> {
    crate::engines::build()?;
    if !ENGINES.iter().all(|engine| engine.built().exists()) {
        println!("distributed: left out, since there is no gloo here (libgloo-dev)");
        return Ok(true);
    }
    let (mut passed, mut failed) = (0, 0);
    let mut note = |name: &str, result: Result<Option<String>, TaskError>| {
        let message = result.unwrap_or_else(|e| Some(e.to_string()));
        match message {
            None => passed += 1,
            Some(message) => {
                failed += 1;
                println!("FAIL distributed {name}: {message}");
            }
        }
    };
    for script in programs()? {
        for ranks in RANKS {
            if golden(&script, ranks).exists() {
                let name = format!("{} with {ranks} ranks", script.display());
                note(&name, failure(janus_jit, &script, ranks));
            }
        }
    }
    for (name, said) in FAULTS {
        note(name, fault(janus_jit, name, said));
    }
    for signal in ["INT", "TERM", "KILL"] {
        note(signal, ended_by(janus_jit, signal));
    }
    note("a port in use", port_in_use(janus_jit));
    println!("distributed: {passed} passed, {failed} failed");
    Ok(failed == 0)
}

/// Records what PyTorch prints over gloo.
pub fn record(python: &Path, filter: Option<&str>) -> Result<(), TaskError> {
    for script in programs()? {
        if filter.is_some_and(|f| !script.to_string_lossy().contains(f)) {
            continue;
        }
        for ranks in RANKS {
            let to = golden(&script, ranks);
            if !to.exists() {
                // Some are for one number of ranks; a new one is begun with an empty file.
                continue;
            }
            let mut command = bound(python);
            command
                .args([
                    "-W",
                    "ignore",
                    "-m",
                    "torch.distributed.run",
                    "--standalone",
                ])
                .args(["--nproc-per-node", &ranks.to_string()])
                .arg(&script);
            let Some(ended) = run(command)? else {
                return Err(TaskError::Needs(format!("{} hangs", script.display())));
            };
            write(&to, &ended.out)?;
            println!("recorded {}", to.display());
        }
    }
    Ok(())
}
