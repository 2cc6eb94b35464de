//! One run of a command.
//!
//! In: a command, a time limit. Out: its lines with the times at which they came, its wall time and peak
//! memory. Always: a run that takes too long is ended together with what it started.

use std::io::Read as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::BenchError;

/// Bytes of standard error that are kept, from its end.
const TAIL: usize = 4000;

/// What a process did.
#[derive(Debug, Default)]
pub struct Finished {
    /// Seconds since the start, and the line without its end.
    pub lines: Vec<(f64, String)>,
    /// Seconds.
    pub wall_s: f64,
    /// Its peak memory and that of what it waited for.
    pub peak_mib: f64,
    /// Why it did not end well.
    pub failure: Option<String>,
}

/// Runs a command to its end.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, BenchError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let start_error = |source| BenchError::Start {
        command: name.clone(),
        source,
    };
    // A pipe that nobody reads would stop the child; a thread reads standard error meanwhile.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let start = Instant::now();
    let mut child = command.spawn().map_err(start_error)?;
    let errors = child.stderr.take().map(|mut pipe| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = pipe.read_to_end(&mut text);
            let from = text.len().saturating_sub(TAIL);
            String::from_utf8_lossy(text.get(from..).unwrap_or_default()).into_owned()
        })
    });
    let mut finished = Finished::default();
    let mut late = false;
    if let Some(mut pipe) = child.stdout.take() {
        let mut rest = Vec::new();
        let mut chunk = [0; 1 << 16];
        loop {
            let left = limit.saturating_sub(start.elapsed());
            if !readable(pipe.as_raw_fd(), left) {
                late = true;
                break;
            }
            let read = match pipe.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let at = start.elapsed().as_secs_f64();
            rest.extend_from_slice(&chunk[..read]);
            while let Some(end) = rest.iter().position(|&b| b == b'\n') {
                let line: Vec<u8> = rest.drain(..=end).collect();
                let text = String::from_utf8_lossy(&line);
                finished
                    .lines
                    .push((at, text.trim_end_matches(['\n', '\r']).to_owned()));
            }
        }
        if !rest.is_empty() {
            let at = start.elapsed().as_secs_f64();
            finished
                .lines
                .push((at, String::from_utf8_lossy(&rest).into_owned()));
        }
    }
    let pid = libc::pid_t::try_from(child.id()).unwrap_or(0);
    if late {
        // SAFETY: the group was made for this child, which has not been waited for.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
    }
    let (status, peak) = wait(pid).map_err(start_error)?;
    finished.wall_s = start.elapsed().as_secs_f64();
    finished.peak_mib = peak;
    let errors = errors
        .and_then(|thread| thread.join().ok())
        .unwrap_or_default();
    if late {
        finished.failure = Some(format!("took longer than {} s", limit.as_secs()));
    } else if !status.success() {
        let last = errors
            .lines()
            .rev()
            .find(|l| !l.trim().is_empty())
            .unwrap_or("")
            .trim();
        finished.failure = Some(format!("{status}: {last}"));
    }
    Ok(finished)
}

/// Waits until there is something to read, or the end; false when the time is up.
fn readable(fd: i32, left: Duration) -> bool {
    let mut poll = libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    };
    let millis = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
    loop {
        // SAFETY: one valid entry.
        let ready = unsafe { libc::poll(&raw mut poll, 1, millis) };
        if ready >= 0 {
            return ready > 0;
        }
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return true;
        }
    }
}

/// Waits for a child; its status and peak memory in MiB.
fn wait(pid: libc::pid_t) -> std::io::Result<(ExitStatus, f64)> {
    let mut status = 0;
    // SAFETY: `rusage` is plain numbers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to locals; the child has not been waited for elsewhere.
        let got = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
        if got == pid {
            return Ok((
                ExitStatus::from_raw(status),
                usage.ru_maxrss as f64 / 1024.0,
            ));
        }
        let e = std::io::Error::last_os_error();
        if e.kind() != std::io::ErrorKind::Interrupted {
            return Err(e);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: u64) -> Finished {
        run(
            Command::new("sh").args(["-c", script]),
            Duration::from_secs(limit),
        )
        .unwrap()
    }

    #[test]
    fn lines_have_their_times() {
        let f = sh("echo a; sleep 0.3; echo b; printf c", 20);
        let lines: Vec<&str> = f.lines.iter().map(|(_, l)| l.as_str()).collect();
        assert_eq!(lines, ["a", "b", "c"]);
        assert!(f.lines[1].0 - f.lines[0].0 > 0.2 && f.wall_s >= f.lines[2].0);
        assert!(f.failure.is_none() && f.peak_mib > 0.1);
    }

    #[test]
    fn failures_are_told() {
        assert_eq!(
            sh("echo no >&2; exit 3", 20).failure.as_deref(),
            Some("exit status: 3: no")
        );
        let f = sh("echo a; sleep 60 & wait", 1);
        assert_eq!(f.failure.as_deref(), Some("took longer than 1 s"));
        assert!(f.wall_s < 20.0);
        assert!(run(&mut Command::new("/no/such/program"), Duration::ZERO).is_err());
    }
}
