//! One run of a command.
//!
//! In: a command, a time limit. Out: its lines with the times at which they came, its wall time and peak
//! memory. Always: a run that takes too long is ended together with what it started.

use std::io::Read as _;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::BenchError;

/// Bytes of standard error that are kept, from its end.
const TAIL: usize = 4000;
/// How long to wait for output before looking whether the process is still there.
const GLANCE: Duration = Duration::from_millis(200);

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

/// Runs a command to its end. Its standard output is a terminal, so that it writes each line when
/// it is printed, as programs do there without being told.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, BenchError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let start_error = |source| BenchError::Start {
        command: name.clone(),
        source,
    };
    let (ours, theirs) = terminal().map_err(start_error)?;
    // A pipe that nobody reads would stop the child; a thread reads standard error meanwhile.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::from(theirs))
        .stderr(Stdio::piped())
        .process_group(0);
    let start = Instant::now();
    let spawned = command.spawn();
    // The command keeps its end of the terminal open as long as it has it.
    command.stdout(Stdio::null());
    let mut child = spawned.map_err(start_error)?;
    let errors = child.stderr.take().map(|pipe| {
        let (tell, told) = channel();
        std::thread::spawn(move || tell.send(tail(pipe)));
        told
    });
    let pid = libc::pid_t::try_from(child.id()).unwrap_or(0);
    let mut finished = Finished::default();
    let mut late = false;
    let mut ours = std::fs::File::from(ours);
    let mut rest = Vec::new();
    let mut chunk = [0; 1 << 16];
    loop {
        if !readable(ours.as_raw_fd(), GLANCE) {
            // What it started may hold the terminal open after its end.
            late = start.elapsed() >= limit;
            if late || has_ended(pid) {
                break;
            }
            continue;
        }
        let read = match ours.read(&mut chunk) {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            // At the end of the other side a terminal gives an error.
            Ok(0) | Err(_) => break,
            Ok(n) => n,
        };
        let at = start.elapsed().as_secs_f64();
        rest.extend_from_slice(&chunk[..read]);
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']).to_owned();
            finished.lines.push((at, text));
        }
    }
    if !rest.is_empty() {
        let at = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&rest).into_owned();
        finished.lines.push((at, text));
    }
    if late {
        // SAFETY: the group was made for this child, which has not been waited for.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
    }
    let (status, peak) = wait(pid).map_err(start_error)?;
    finished.wall_s = start.elapsed().as_secs_f64();
    finished.peak_mib = peak;
    if late {
        finished.failure = Some(format!("took longer than {} s", limit.as_secs()));
    } else if !status.success() {
        let errors = errors.and_then(|told| told.recv_timeout(GLANCE).ok());
        let errors = errors.unwrap_or_default();
        let last = errors.lines().rev().find(|l| !l.trim().is_empty());
        finished.failure = Some(format!("{status}: {}", last.unwrap_or("").trim()));
    }
    Ok(finished)
}

/// The end of what a pipe gives.
fn tail(mut pipe: impl std::io::Read) -> String {
    let mut text = Vec::new();
    let _ = pipe.read_to_end(&mut text);
    let from = text.len().saturating_sub(TAIL);
    String::from_utf8_lossy(text.get(from..).unwrap_or_default()).into_owned()
}

/// Both ends of a terminal that changes nothing of what passes: ours, and the child's.
fn terminal() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (mut ours, mut theirs) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: both numbers are written; the rest may be null.
    let made = unsafe {
        libc::openpty(
            &raw mut ours,
            &raw mut theirs,
            none,
            none.cast(),
            none.cast(),
        )
    };
    if made != 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: both are open and nobody else's.
    let ends = unsafe { (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) };
    // SAFETY: the descriptors are open; `termios` is plain numbers, filled by tcgetattr.
    unsafe {
        libc::fcntl(ours, libc::F_SETFD, libc::FD_CLOEXEC);
        libc::fcntl(theirs, libc::F_SETFD, libc::FD_CLOEXEC);
        let mut settings: libc::termios = std::mem::zeroed();
        if libc::tcgetattr(theirs, &raw mut settings) == 0 {
            libc::cfmakeraw(&raw mut settings);
            libc::tcsetattr(theirs, libc::TCSANOW, &raw const settings);
        }
    }
    Ok(ends)
}

/// Whether a child has ended; it still has to be waited for.
fn has_ended(pid: libc::pid_t) -> bool {
    // SAFETY: `siginfo_t` is plain numbers; the call only writes to it.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        let id = libc::id_t::try_from(pid).unwrap_or(0);
        libc::waitid(libc::P_PID, id, &raw mut info, flags) == 0 && info.si_pid() == pid
    }
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
