//! Running commands, finding the repository.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

pub use janus_bench::process::end_with_us;

use crate::TaskError;

/// The repository's root.
pub fn root() -> PathBuf {
    // The manifest lies two folders below it.
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap_or(Path::new("."))
        .to_owned()
}

/// What a program printed, with files of the repository relative to it, as another checkout lies elsewhere. (Tracebacks
/// and `__file__` of a main script are absolute in CPython, however it was called.)
pub fn without_root(printed: &str) -> String {
    printed.replace(&format!("{}/", root().display()), "")
}

/// Cargo's target folder.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn line(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for a in command.get_args() {
        text.push(' ');
        text.push_str(&a.to_string_lossy());
    }
    text
}

/// A command that ends when this process does. The thread that starts it has to wait for it.
pub fn bound(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    end_with_us(&mut command);
    command
}

/// Runs a command on this terminal and returns its status.
pub fn status(command: &mut Command) -> Result<ExitStatus, TaskError> {
    end_with_us(command)
        .status()
        .map_err(|source| TaskError::Start {
            command: line(command),
            source,
        })
}

/// Runs a command on this terminal; an error unless it succeeds.
pub fn check(command: &mut Command) -> Result<(), TaskError> {
    let status = status(command)?;
    if status.success() {
        Ok(())
    } else {
        Err(TaskError::Failed {
            command: line(command),
            status,
        })
    }
}

/// After so long a program hangs: the slowest one takes a twentieth of it. (The same as for unit tests,
/// `.config/nextest.toml`.)
const HANGS_AFTER: Duration = Duration::from_secs(600);

/// What a command prints on both streams, and how it ends; with nothing on its standard input.
///
/// # Errors
/// It cannot be started. It hangs: it is ended, with all that it started, and the error says what it has done so far.
pub fn captured(command: &mut Command) -> Result<Output, TaskError> {
    captured_within(command, HANGS_AFTER)
}

fn captured_within(command: &mut Command, limit: Duration) -> Result<Output, TaskError> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let start = |command: &Command, source| TaskError::Start {
        command: line(command),
        source,
    };
    let child = end_with_us(command)
        .spawn()
        .map_err(|source| start(command, source))?;
    let id = child.id();
    let (ends, ended) = channel::<()>();
    let (out, cpu_s) = std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            if ended.recv_timeout(limit) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            let cpu_s = cpu_of(id).unwrap_or(0.0);
            // SAFETY: the call has no preconditions. The group is the child's own: nobody has waited for the child, or its
            // pipes are still open, so that something of the group lives.
            unsafe { libc::kill(-libc::pid_t::try_from(id).unwrap_or(0), libc::SIGKILL) };
            Some(cpu_s)
        });
        let out = child.wait_with_output();
        drop(ends);
        (out, watch.join().unwrap_or_default())
    });
    let out = out.map_err(|source| start(command, source))?;
    match cpu_s {
        None => Ok(out),
        Some(cpu_s) => Err(TaskError::Hangs {
            command: line(command),
            wall_s: limit.as_secs(),
            cpu_s,
            printed: String::from_utf8_lossy(&out.stdout).into_owned(),
        }),
    }
}

/// Seconds of processors that a process has used so far.
pub fn cpu_of(pid: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Fields 14 to 17 of proc_pid_stat(5); the name, field 2, may have spaces and is in brackets.
    let fields = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
    let ticks: f64 = fields.filter_map(|f| f.parse::<f64>().ok()).sum();
    // SAFETY: the call has no preconditions.
    let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    (a_second > 0).then(|| ticks / a_second as f64)
}

/// What a command prints, or `None` when it cannot be run or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let out = end_with_us(command).output().ok()?;
    out.status
        .success()
        .then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Reads a file, or says which one could not be read.
pub fn read(path: &Path) -> Result<String, TaskError> {
    std::fs::read_to_string(path).map_err(|source| TaskError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Writes a file, or says which one could not be written.
pub fn write(path: &Path, text: &str) -> Result<(), TaskError> {
    std::fs::write(path, text).map_err(|source| TaskError::Io {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Result<Output, TaskError> {
        captured_within(Command::new("sh").args(["-c", script]), limit)
    }

    #[test]
    fn what_hangs_is_ended_with_its_children_and_named() {
        let hung = shell("echo a; sleep 300 & sleep 300", Duration::from_millis(300));
        let Err(TaskError::Hangs {
            command, printed, ..
        }) = hung
        else {
            panic!("{hung:?}");
        };
        assert!(command.contains("sleep 300"));
        assert_eq!(printed, "a\n");
    }

    #[test]
    fn what_ends_is_whole() {
        let Ok(out) = shell("echo a; echo b >&2; exit 3", Duration::from_secs(60)) else {
            panic!("no shell");
        };
        assert_eq!(
            (out.stdout.as_slice(), out.stderr.as_slice()),
            (&b"a\n"[..], &b"b\n"[..])
        );
        assert_eq!(out.status.code(), Some(3));
    }
}
