//! Other people's scripts: they are found, run with a time limit, and what they print is made comparable.
//!
//! In: folders, commands. Out: scripts in order; what a process printed, and when. Always: a process that takes too long is
//! ended; pipes that its children hold open are not waited for.

use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, UNIX_EPOCH};

use crate::TaskError;
use crate::shell::{cpu_of, end_with_us};

/// How long what comes before the time that is limited may take.
pub const START_UP: Duration = Duration::from_secs(60);

/// How long an interrupted process has to end by itself.
const GRACE: Duration = Duration::from_secs(5);

/// The scripts in a folder and the folders in it, in order.
pub fn collect(from: &Path, scripts: &mut Vec<PathBuf>) -> Result<(), TaskError> {
    let failed = |source| TaskError::Io {
        path: from.to_owned(),
        source,
    };
    if !from.is_dir() {
        scripts.push(from.canonicalize().map_err(failed)?);
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(from).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() || path.extension().is_some_and(|e| e == "py") {
            collect(&path, scripts)?;
        }
    }
    Ok(())
}

/// A file's length and time of change.
pub fn stamp(file: &Path) -> String {
    let told = fs::metadata(file).ok().map(|meta| {
        let changed = meta.modified().ok();
        let since = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        format!("{}-{}", meta.len(), since.unwrap_or_default().as_nanos())
    });
    told.unwrap_or_default()
}

/// The class in the last line of a report.
pub fn class_of(last: &str) -> &str {
    last.split(':').next().unwrap_or("")
}

/// Text with every `0x` and six or more digits behind it cut to `0x`.
pub fn without_addresses(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let (before, after) = rest.split_at(at + 2);
        out.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        rest = if digits >= 6 { &after[digits..] } else { after };
    }
    out.push_str(rest);
    out
}

/// The last line of a text that says something.
pub fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.trim().lines().last().unwrap_or("").to_owned()
}

/// What is done with a process that runs for too long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AtLimit {
    /// It is killed.
    Kill,
    /// It is interrupted, as by Ctrl-C, so that it can say what it measured; and killed if it does not end then.
    Interrupt,
}

/// When so much had been printed.
#[derive(Clone, Copy)]
pub struct Mark {
    /// Bytes of standard output until then.
    pub bytes: usize,
    /// Seconds since the start.
    pub wall_s: f64,
    /// Seconds of processors until then.
    pub cpu_s: f64,
}

/// What a process did.
pub struct Ran {
    /// Its exit status; none if a signal ended it or it ran out of time.
    pub status: Option<i32>,
    /// Whether it ran out of time.
    pub limited: bool,
    /// Its standard output.
    pub out: Vec<u8>,
    /// Its standard error.
    pub err: Vec<u8>,
    /// One for each piece of output, as it came.
    pub marks: Vec<Mark>,
    /// Seconds until its end or the limit.
    pub wall_s: f64,
    /// Seconds of processors, children that it waited for included.
    pub cpu_s: f64,
}

/// Bytes that a thread reads until its stream ends.
type Read0 = Arc<Mutex<(Vec<u8>, Vec<Mark>)>>;

fn reader(
    stream: Option<Box<dyn Read + Send>>,
    pid: u32,
    begun: Instant,
) -> (Read0, std::thread::JoinHandle<()>) {
    let read = Read0::default();
    let into = read.clone();
    let thread = std::thread::spawn(move || {
        let Some(mut stream) = stream else { return };
        let mut piece = vec![0; 1 << 16];
        // What was read until an error is what there is.
        while let Ok(n @ 1..) = stream.read(&mut piece) {
            let Ok(mut into) = into.lock() else { return };
            into.0.extend_from_slice(&piece[..n]);
            let bytes = into.0.len();
            let cpu_s = cpu_of(pid).unwrap_or_else(|| into.1.last().map_or(0.0, |m| m.cpu_s));
            into.1.push(Mark {
                bytes,
                wall_s: begun.elapsed().as_secs_f64(),
                cpu_s,
            });
        }
    });
    (read, thread)
}

/// Whether a process has ended, and what it used.
fn ended(pid: libc::pid_t) -> std::io::Result<Option<(ExitStatus, f64)>> {
    let mut status = 0;
    // SAFETY: plain data, of which zeros are a value.
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live variables.
    match unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut used) } {
        0 => Ok(None),
        -1 => Err(std::io::Error::last_os_error()),
        _ => {
            let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
            let cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
            Ok(Some((ExitStatus::from_raw(status), cpu_s)))
        }
    }
}

/// A limit of time.
#[derive(Clone, Copy)]
pub struct Limit<'a> {
    /// So long.
    pub time: Duration,
    /// What is done then.
    pub at: AtLimit,
    /// A file that is there once the time begins to count: before that, there is [`START_UP`].
    pub from: Option<&'a Path>,
}

/// Runs a command, nothing on its standard input, to its end or the limit.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, limit: Limit) -> std::io::Result<Ran> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let listen = || {
        // A shell that runs this in the background has its children ignore interrupts.
        // SAFETY: the call has no preconditions, and may be made between fork and exec.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        Ok(())
    };
    // SAFETY: the closure only makes a system call.
    unsafe { command.pre_exec(listen) };
    let mut child = end_with_us(command).spawn()?;
    let begun = Instant::now();
    let id = child.id();
    let pid = libc::pid_t::try_from(id).unwrap_or(0);
    let (out, out_thread) = reader(
        child.stdout.take().map(|s| Box::new(s) as Box<_>),
        id,
        begun,
    );
    let (err, err_thread) = reader(
        child.stderr.take().map(|s| Box::new(s) as Box<_>),
        id,
        begun,
    );
    let mut wait = Duration::from_millis(2);
    let mut at_end = None;
    let mut killed = false;
    let mut counts_from = limit.from.is_none().then_some(Duration::ZERO);
    let (status, mut cpu_s) = loop {
        if let Some(ended) = ended(pid)? {
            break ended;
        }
        let ran = begun.elapsed();
        if counts_from.is_none() && limit.from.is_some_and(Path::exists) {
            counts_from = Some(ran);
        }
        let most = counts_from.unwrap_or(START_UP) + limit.time;
        if ran > most && at_end.is_none() {
            at_end = Some((ran, cpu_of(id).unwrap_or(0.0)));
            let signal = match limit.at {
                AtLimit::Kill => libc::SIGKILL,
                AtLimit::Interrupt => libc::SIGINT,
            };
            // SAFETY: the process has not been waited for, so the number is its own.
            unsafe { libc::kill(pid, signal) };
        }
        if ran > most + GRACE && !killed {
            // SAFETY: as above.
            unsafe { libc::kill(pid, libc::SIGKILL) };
            killed = true;
        }
        std::thread::sleep(wait);
        wait = (wait * 2).min(Duration::from_millis(50));
    };
    // Processes that it started and left behind would take time from the next one.
    // SAFETY: the call has no preconditions; the group was made for this process, and is only others' if all of it is gone
    // and its number in use again, which takes longer than this.
    unsafe { libc::kill(-pid, libc::SIGKILL) };
    let limited = at_end.is_some();
    let mut wall = begun.elapsed();
    if let Some((at, cpu)) = at_end {
        (wall, cpu_s) = (at, cpu);
    }
    // A process that the script started may hold the pipes open: they are not waited for long.
    let until = Instant::now() + Duration::from_secs(1);
    while !(out_thread.is_finished() && err_thread.is_finished()) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    let take = |read: &Read0| {
        read.lock()
            .map(|mut read| std::mem::take(&mut *read))
            .unwrap_or_default()
    };
    let (mut out, mut marks) = take(&out);
    if limited {
        // What it printed because it was interrupted is not compared.
        marks.retain(|m| m.wall_s <= wall.as_secs_f64());
        out.truncate(marks.last().map_or(0, |m| m.bytes));
    }
    Ok(Ran {
        status: if limited { None } else { status.code() },
        limited,
        out,
        err: take(&err).0,
        marks,
        wall_s: wall.as_secs_f64(),
        cpu_s,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_no_difference() {
        assert_eq!(
            without_addresses("<a at 0x7f00aa11> 0xff"),
            "<a at 0x> 0xff"
        );
    }

    #[test]
    fn what_runs_too_long_is_ended_and_what_it_printed_kept() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo a; sleep 30; echo b"]);
        let limit = Limit {
            time: Duration::from_millis(300),
            at: AtLimit::Kill,
            from: None,
        };
        let Ok(ran) = run(&mut command, limit) else {
            panic!("no shell");
        };
        assert!(ran.limited && ran.status.is_none());
        assert_eq!(ran.out, b"a\n");
        assert_eq!(ran.marks.first().map(|m| m.bytes), Some(2));
    }
}
