//! One run of a command.
//!
//! In: a command, a time limit. Out: its lines with the times at which they came, its wall time and peak
//! memory. Always: a run that takes too long is ended together with what it started; time in which it was stopped
//! does not count.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::Read as _;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::BenchError;

/// Bytes of standard error that are kept, from its end.
const TAIL: usize = 4000;
/// How long to wait for output before looking whether the process is still there.
const GLANCE: Duration = Duration::from_millis(200);

/// What a thread runs for in passing: signals, timers.
const MATTERS: Duration = Duration::from_millis(2);

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
    /// How many times it was stopped for a while, which the seconds here leave out, but not what it measures itself.
    pub stops: u32,
}

/// Makes a command end when this process does, however that is. The system watches the thread that starts it, so
/// that thread has to wait for it.
pub fn end_with_us(command: &mut Command) -> &mut Command {
    let parent = std::process::id();
    let watch = move || {
        // SAFETY: neither call has preconditions; both may be made between fork and exec.
        unsafe {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            // It may have ended before the child asked to be told.
            if libc::getppid().cast_unsigned() != parent {
                libc::_exit(1);
            }
        }
        Ok(())
    };
    // SAFETY: the closure only makes system calls.
    unsafe { command.pre_exec(watch) }
}

/// Gives a command a session of its own, with the terminal that its output is: where our end of that is closed, the
/// system tells all of the session's processes that it is gone, and they end, too.
fn alone(command: &mut Command) {
    let start = || {
        // SAFETY: neither call has preconditions; both may be made between fork and exec.
        unsafe {
            // A command that is run again asks twice.
            let is_alone = libc::getsid(0) == libc::getpid();
            if !is_alone && (libc::setsid() < 0 || libc::ioctl(1, libc::TIOCSCTTY, 0) < 0) {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: the closure only makes system calls.
    unsafe { command.pre_exec(start) };
}

/// Runs a command to its end.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, BenchError> {
    let mut running = Running::start(command)?;
    running.advance(limit, |_| false);
    running.finish(limit)
}

/// How long each thread of a process ran, and the core it was on last.
#[derive(Default)]
pub struct Threads(HashMap<OsString, (Duration, usize)>);

impl Threads {
    /// The cores that those used which ran meanwhile, as long as it takes to matter.
    #[must_use]
    pub fn cores_since(&self, before: &Threads) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        for (name, &(ran, core)) in &self.0 {
            let &(earlier, first) = before.0.get(name).unwrap_or(&(Duration::ZERO, core));
            if ran.saturating_sub(earlier) >= MATTERS {
                used.extend([first, core]);
            }
        }
        used
    }
}

/// A command that has not ended, and may be stopped for a while: seconds are those in which it was not.
pub struct Running {
    name: String,
    pid: libc::pid_t,
    terminal: std::fs::File,
    errors: Option<Receiver<String>>,
    /// Lines that were complete, each with its seconds.
    pub lines: Vec<(f64, String)>,
    rest: Vec<u8>,
    ran: Duration,
    stops: u32,
    waited_for: bool,
}

impl Running {
    /// Starts it, stopped only by [`Running::advance`]. Its standard output is a terminal, so that it writes each line
    /// when it is printed, as programs do there without being told.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command) -> Result<Running, BenchError> {
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
            .stderr(Stdio::piped());
        alone(command);
        end_with_us(command);
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
        Ok(Running {
            pid: libc::pid_t::try_from(child.id()).unwrap_or(0),
            name,
            terminal: std::fs::File::from(ours),
            errors,
            lines: Vec::new(),
            rest: Vec::new(),
            ran: start.elapsed(),
            stops: 0,
            waited_for: false,
        })
    }

    /// Seconds that it ran.
    #[must_use]
    pub fn ran_s(&self) -> f64 {
        self.ran.as_secs_f64()
    }

    /// What its threads did so far; nothing where the system does not say it.
    #[must_use]
    pub fn threads(&self) -> Threads {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid));
        let thread = |task: std::io::Result<std::fs::DirEntry>| {
            let task = task.ok()?;
            let read = |name| std::fs::read_to_string(task.path().join(name)).ok();
            let (times, state) = (read("schedstat")?, read("stat")?);
            let nanoseconds: u64 = times.split_whitespace().next()?.parse().ok()?;
            // Field 39 of proc_pid_stat(5); the name, field 2, may have spaces and is in brackets.
            let core = state.rsplit_once(')')?.1.split_whitespace().nth(36)?;
            let ran = Duration::from_nanos(nanoseconds);
            Some((task.file_name(), (ran, core.parse().ok()?)))
        };
        Threads(tasks.into_iter().flatten().filter_map(thread).collect())
    }

    /// Lets it run until it has printed enough, and stops it then; false when it is over, or has run for longer than
    /// `limit`.
    pub fn advance(&mut self, limit: Duration, mut enough: impl FnMut(&Running) -> bool) -> bool {
        let before = self.ran;
        if self.stops > 0 {
            self.signal(libc::SIGCONT);
        }
        let start = Instant::now();
        loop {
            let readable = readable(self.terminal.as_raw_fd(), GLANCE);
            let more = readable && self.read();
            self.ran = before + start.elapsed();
            self.split();
            // What it started may hold the terminal open after its end.
            let over = if readable { !more } else { has_ended(self.pid) };
            if over || self.ran >= limit {
                return false;
            }
            if more && enough(self) {
                self.signal(libc::SIGSTOP);
                self.ran = before + start.elapsed();
                self.stops += 1;
                return true;
            }
        }
    }

    /// Reads what there is; false at the end.
    fn read(&mut self) -> bool {
        let mut chunk = [0; 1 << 16];
        match self.terminal.read(&mut chunk) {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => true,
            // At the end of the other side a terminal gives an error.
            Ok(0) | Err(_) => false,
            Ok(n) => {
                self.rest.extend_from_slice(&chunk[..n]);
                true
            }
        }
    }

    fn split(&mut self) {
        while let Some(end) = self.rest.iter().position(|&b| b == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']).to_owned();
            self.lines.push((self.ran.as_secs_f64(), text));
        }
    }

    fn signal(&self, signal: libc::c_int) {
        // SAFETY: the session and its group were made for this child, which has not been waited for.
        unsafe { libc::kill(-self.pid, signal) };
    }

    /// What it did, once [`Running::advance`] was false; what takes longer than `limit` is ended.
    ///
    /// # Errors
    /// The system does not say how it ended.
    pub fn finish(mut self, limit: Duration) -> Result<Finished, BenchError> {
        let late = self.ran >= limit && !has_ended(self.pid);
        if late {
            self.signal(libc::SIGKILL);
        }
        self.waited_for = true;
        let waiting = Instant::now();
        let (status, peak_mib) = wait(self.pid).map_err(|source| BenchError::Start {
            command: self.name.clone(),
            source,
        })?;
        self.ran += waiting.elapsed();
        let mut finished = Finished {
            lines: std::mem::take(&mut self.lines),
            wall_s: self.ran.as_secs_f64(),
            peak_mib,
            failure: None,
            stops: self.stops,
        };
        if !self.rest.is_empty() {
            let text = String::from_utf8_lossy(&self.rest).into_owned();
            finished.lines.push((self.ran.as_secs_f64(), text));
        }
        if late {
            finished.failure = Some(format!("took longer than {} s", limit.as_secs()));
        } else if !status.success() {
            let errors = (self.errors.as_ref()).and_then(|told| told.recv_timeout(GLANCE).ok());
            let errors = errors.unwrap_or_default();
            let last = errors.lines().rev().find(|l| !l.trim().is_empty());
            finished.failure = Some(format!("{status}: {}", last.unwrap_or("").trim()));
        }
        Ok(finished)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.waited_for {
            self.signal(libc::SIGKILL);
            // Nobody asks how it ended.
            let _ = wait(self.pid);
        }
    }
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
    fn what_is_stopped_takes_no_time() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo a; sleep 0.2; echo b; sleep 0.2; echo c"]);
        let limit = Duration::from_secs(20);
        let start = Instant::now();
        let mut running = Running::start(&mut command).unwrap();
        assert!(running.advance(limit, |r| r.lines.len() == 1));
        std::thread::sleep(Duration::from_millis(600));
        assert!(!running.advance(limit, |_| false));
        let f = running.finish(limit).unwrap();
        assert_eq!((f.lines.len(), f.stops, f.failure), (3, 1, None));
        // However slow the machine is, the 0.6 s are missing.
        assert!(f.wall_s >= f.lines[2].0 && f.wall_s <= start.elapsed().as_secs_f64() - 0.6);
    }

    #[test]
    fn threads_that_ran_used_a_core() {
        let script = "echo a; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo b; sleep 9";
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let limit = Duration::from_secs(60);
        let mut running = Running::start(&mut command).unwrap();
        assert!(running.advance(limit, |r| r.lines.len() == 1));
        let before = running.threads();
        assert!(running.threads().cores_since(&before).is_empty());
        assert!(running.advance(limit, |r| r.lines.len() == 2));
        let used = running.threads().cores_since(&before);
        assert!((1..=2).contains(&used.len()), "{used:?}");
    }

    /// Not a test: what the next one starts and ends. It runs a command, and would wait for it.
    #[test]
    #[ignore = "runs until it is killed"]
    fn waits_for_what_it_runs() {
        let file = std::env::var("JANUS_PIDS").unwrap();
        sh(
            &format!("sleep 300 & echo $! >{file}; echo $$ >>{file}; wait"),
            300,
        );
    }

    /// Processes of a file that are there.
    fn alive(file: &std::path::Path) -> (usize, usize) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let there = |pid: &&str| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            // Nobody may have waited for it yet.
            stat.is_ok_and(|s| !s.contains(") Z "))
        };
        (text.lines().count(), text.lines().filter(there).count())
    }

    #[test]
    fn what_it_runs_ends_with_it() {
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGKILL] {
            let file =
                std::env::temp_dir().join(format!("janus-pids-{}-{signal}", std::process::id()));
            let name = "process::tests::waits_for_what_it_runs";
            let mut harness = Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", name])
                .env("JANUS_PIDS", &file)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let until = |wanted: (usize, usize)| {
                for _ in 0..400 {
                    if alive(&file) == wanted {
                        return true;
                    }
                    std::thread::sleep(Duration::from_millis(25));
                }
                false
            };
            assert!(until((2, 2)), "it did not begin");
            // SAFETY: the child has not been waited for.
            unsafe { libc::kill(libc::pid_t::try_from(harness.id()).unwrap(), signal) };
            assert!(!harness.wait().unwrap().success());
            assert!(until((2, 0)), "signal {signal} left {:?}", alive(&file));
            std::fs::remove_file(&file).unwrap();
        }
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
