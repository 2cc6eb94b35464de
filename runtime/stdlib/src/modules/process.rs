//! Processes: signals to them, waiting for them, starting programs.
//!
//! In: numbers of processes, programs with their arguments. Out: numbers and exit states. Always: between `fork` and `exec`
//! the child calls only what is async-signal-safe, since other threads of the parent may have held any lock.

use std::ffi::{CString, c_char};
use std::io::Error;

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, attr, name, ops};

use super::descriptors::{descriptor, retried};
use crate::support::{bytes_like, int, interp, module, path};

/// What `posix` has of it.
pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("posix.kill", |vm, args| {
        let [pid, signal] = args.exactly("kill")?;
        let (pid, signal) = (descriptor(vm, pid)?, descriptor(vm, signal)?);
        // SAFETY: no memory is involved.
        signalled(vm, unsafe { libc::kill(pid, signal) })
    }),
    NativeDef::function("posix.killpg", |vm, args| {
        let [group, signal] = args.exactly("killpg")?;
        let (group, signal) = (descriptor(vm, group)?, descriptor(vm, signal)?);
        // SAFETY: no memory is involved.
        signalled(vm, unsafe { libc::killpg(group, signal) })
    }),
    NativeDef::function("posix.fork", |vm, args| {
        let [] = args.exactly("fork")?;
        Ok(Value::Int(i64::from(fork(vm)?)))
    }),
    NativeDef::function("posix.waitpid", |vm, args| {
        let [pid, options] = args.exactly("waitpid")?;
        let (pid, options) = (descriptor(vm, pid)?, descriptor(vm, options)?);
        wait(vm, pid, options)
    }),
    NativeDef::noargs_function("posix.wait", |vm, _| wait(vm, -1, 0)),
    NativeDef::function("posix.getpgid", |vm, args| {
        let [pid] = args.exactly("getpgid")?;
        let pid = descriptor(vm, pid)?;
        // SAFETY: no memory is involved.
        number(unsafe { libc::getpgid(pid) })
    }),
    NativeDef::noargs_function("posix.getpgrp", |_, _| {
        // SAFETY: no memory is involved.
        number(unsafe { libc::getpgrp() })
    }),
    NativeDef::function("posix.setpgid", |vm, args| {
        let [pid, group] = args.exactly("setpgid")?;
        let (pid, group) = (descriptor(vm, pid)?, descriptor(vm, group)?);
        // SAFETY: no memory is involved.
        number(unsafe { libc::setpgid(pid, group) })?;
        Ok(Value::None)
    }),
    NativeDef::function("posix.getsid", |vm, args| {
        let [pid] = args.exactly("getsid")?;
        let pid = descriptor(vm, pid)?;
        // SAFETY: no memory is involved.
        number(unsafe { libc::getsid(pid) })
    }),
    NativeDef::noargs_function("posix.setsid", |_, _| {
        // SAFETY: no memory is involved.
        number(unsafe { libc::setsid() })?;
        Ok(Value::None)
    }),
    NativeDef::function("posix._exit", |vm, args| {
        let [code] = args.exactly("_exit")?;
        let code = int(vm, code)?;
        // SAFETY: the call ends the process.
        unsafe { libc::_exit(code as i32) }
    }),
];

/// Makes `_posixsubprocess`.
pub(super) fn build(_: &mut Interp) -> PyResult {
    let natives = [NativeDef::function("_posixsubprocess.fork_exec", fork_exec)];
    Ok(Value::Module(module(
        "_posixsubprocess",
        "Starting programs.",
        &natives,
    )))
}

fn number(result: i32) -> PyResult {
    match result {
        0.. => Ok(Value::Int(i64::from(result))),
        _ => Err(Raised::io_error(&Error::last_os_error(), None)),
    }
}

/// The signal may have been for this process: it is handled at once then.
fn signalled(vm: &mut dyn Vm, result: i32) -> PyResult {
    number(result)?;
    interp(vm)?.handle_signals()?;
    Ok(Value::None)
}

fn wait(vm: &mut dyn Vm, pid: i32, options: i32) -> PyResult {
    let mut status = 0;
    interp(vm)?.flush_before_waiting();
    let ended = retried(vm, || {
        // SAFETY: there is room for the status.
        unsafe { libc::waitpid(pid, &mut status, options) as isize }
    })?;
    Ok(Value::tuple(vec![
        Value::Int(ended as i64),
        Value::Int(i64::from(status)),
    ]))
}

/// Strings for `exec`, and the pointers to them that it wants.
struct Strings {
    #[expect(dead_code, reason = "the pointers point into them")]
    owned: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl Strings {
    fn new(vm: &mut dyn Vm, sequence: &Value) -> PyResult<Strings> {
        let mut owned = Vec::new();
        for item in ops::collect(vm, sequence)? {
            let bytes = match &item {
                Value::Bytes(_) => bytes_like(&item)?.to_vec(),
                other => path(vm, other)?.into_bytes(),
            };
            let text =
                CString::new(bytes).map_err(|_| Raised::value_error("embedded null byte"))?;
            owned.push(text);
        }
        let mut pointers: Vec<_> = owned.iter().map(|text| text.as_ptr()).collect();
        pointers.push(std::ptr::null());
        Ok(Strings { owned, pointers })
    }
}

/// What `os.environ` holds, if `os` was imported: changes of it are for the programs that are started.
fn current_environment(vm: &mut dyn Vm) -> PyResult<Option<Strings>> {
    if !interp(vm)?.is_imported("os") {
        return Ok(None);
    }
    let os = vm.import("os")?;
    let environ = attr::get(vm, &os, name!("environ"))?;
    let items = vm.call_method(&environ, name!("items"), Args::new(&[]))?;
    let mut entries = Vec::new();
    for item in ops::collect(vm, &items)? {
        if let [key, value] = &ops::collect(vm, &item)?[..] {
            let entry = format!("{}={}", path(vm, key)?, path(vm, value)?);
            entries.push(Value::str(entry));
        }
    }
    Strings::new(vm, &Value::list(entries)).map(Some)
}

/// All that the child needs, made before it is there.
struct Plan {
    args: Strings,
    executables: Strings,
    env: Option<Strings>,
    cwd: Option<CString>,
    close_others: bool,
    /// Descriptors that stay open, in order.
    keep: Vec<i32>,
    /// What becomes standard input, output and error; -1 leaves it.
    standard: [i32; 3],
    /// Ends of the pipes that are the parent's; -1 for none.
    parents: [i32; 4],
    /// Where the child tells that it failed.
    failure: i32,
    restore_signals: bool,
    new_session: bool,
    process_group: i32,
    umask: i32,
}

/// Why the child did not get as far as `exec`: the number of the error, and whether the directory was the cause.
struct Failure {
    error: i32,
    in_chdir: bool,
    /// `preexec_fn` raised.
    in_preexec: bool,
}

/// Makes a copy of this process that goes on with Python: 0 is returned in it.
fn fork(vm: &mut dyn Vm) -> PyResult<i32> {
    let pid = interp(vm)?.fork().map_err(|e| Raised::io_error(&e, None))?;
    if pid == 0 {
        super::signal::after_fork();
        super::thread::after_fork();
    }
    Ok(pid)
}

/// `fork_exec(args, executables, close_fds, pass_fds, cwd, env, p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite,
/// errpipe_read, errpipe_write, restore_signals, start_new_session, process_group, gid, groups, uid, umask, preexec_fn,
/// allow_vfork)`
fn fork_exec(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [
        arguments,
        executables,
        close_fds,
        pass_fds,
        cwd,
        env,
        p2cread,
        p2cwrite,
        c2pread,
        c2pwrite,
        errread,
        errwrite,
        failure_read,
        failure,
        restore_signals,
        new_session,
        process_group,
        gid,
        groups,
        uid,
        umask,
        preexec,
        _allow_vfork,
    ] = args.exactly("fork_exec")?;
    if ![gid, groups, uid].iter().all(|v| v.is_none()) {
        return Err(crate::support::unsupported(
            "subprocess.Popen(user=..., group=..., extra_groups=...) is not implemented in janus-jit",
        ));
    }
    let mut keep = Vec::new();
    for fd in ops::collect(vm, pass_fds)? {
        keep.push(descriptor(vm, &fd)?);
    }
    let failure = descriptor(vm, failure)?;
    keep.push(failure);
    keep.sort_unstable();
    let plan = Plan {
        args: Strings::new(vm, arguments)?,
        executables: Strings::new(vm, executables)?,
        env: match env {
            Value::None => current_environment(vm)?,
            env => Some(Strings::new(vm, env)?),
        },
        cwd: match cwd {
            Value::None => None,
            cwd => Some(
                CString::new(path(vm, cwd)?)
                    .map_err(|_| Raised::value_error("embedded null byte"))?,
            ),
        },
        close_others: ops::truth(vm, close_fds)?,
        keep,
        standard: [
            descriptor(vm, p2cread)?,
            descriptor(vm, c2pwrite)?,
            descriptor(vm, errwrite)?,
        ],
        parents: [
            descriptor(vm, p2cwrite)?,
            descriptor(vm, c2pread)?,
            descriptor(vm, errread)?,
            descriptor(vm, failure_read)?,
        ],
        failure,
        restore_signals: ops::truth(vm, restore_signals)?,
        new_session: ops::truth(vm, new_session)?,
        process_group: descriptor(vm, process_group)?,
        umask: descriptor(vm, umask)?,
    };
    interp(vm)?.flush_before_waiting();
    if !preexec.is_none() {
        // The child runs Python before the program.
        let pid = fork(vm)?;
        if pid == 0 {
            let preexec = preexec.clone();
            plan.run(&mut || vm.call(&preexec, Args::new(&[])).is_ok());
        }
        return number(pid);
    }
    // SAFETY: the child only runs `Plan::run`, which calls what is async-signal-safe and does not return.
    match unsafe { libc::fork() } {
        0 => plan.run(&mut || true),
        pid => number(pid),
    }
}

impl Plan {
    /// In the child: becomes the program, or tells why not and ends.
    fn run(&self, before: &mut dyn FnMut() -> bool) -> ! {
        let (error, length) = match self.prepare(before) {
            Ok(()) => (self.execute(), 17),
            Err(Failure {
                in_preexec: true, ..
            }) => {
                let text = b"SubprocessError:0:Exception occurred in preexec_fn.";
                // SAFETY: the text is that long; then the process ends.
                unsafe {
                    libc::write(self.failure, text.as_ptr().cast(), text.len());
                    libc::_exit(255)
                }
            }
            Err(Failure {
                error, in_chdir, ..
            }) => (error, if in_chdir { 29 } else { 23 }),
        };
        // As `subprocess` reads it: the class, the number in hexadecimal, whether it came before `exec`, and where.
        let mut text = *b"OSError:00000000:noexec:chdir";
        let digits = b"0123456789abcdef";
        for (at, place) in text[8..16].iter_mut().enumerate() {
            let nibble = (error as u32 >> (28 - 4 * at)) & 15;
            *place = digits[nibble as usize];
        }
        // SAFETY: the text is at least that long; then the process ends.
        unsafe {
            libc::write(self.failure, text.as_ptr().cast(), length);
            libc::_exit(255)
        }
    }

    /// Descriptors, directory, signals; the number of the error where one of them fails.
    fn prepare(&self, before: &mut dyn FnMut() -> bool) -> Result<(), Failure> {
        fn checked(result: i32) -> Result<i32, Failure> {
            match result {
                0.. => Ok(result),
                _ => Err(Failure {
                    // SAFETY: the location is this thread's.
                    error: unsafe { *libc::__errno_location() },
                    in_chdir: false,
                    in_preexec: false,
                }),
            }
        }
        // SAFETY: all are async-signal-safe; strings end with zero; the signal set is initialised by `sigemptyset`.
        unsafe {
            for fd in self.parents.into_iter().filter(|fd| *fd >= 0) {
                libc::close(fd);
            }
            // Out of the way of the numbers 0 to 2 first, so that none is overwritten before it is used.
            let mut standard = self.standard;
            for (to, fd) in standard.iter_mut().enumerate() {
                if *fd >= 0 && (*fd as usize) < to {
                    *fd = checked(libc::fcntl(*fd, libc::F_DUPFD, 3))?;
                }
            }
            for (to, fd) in standard.into_iter().enumerate() {
                if fd == to as i32 {
                    let flags = checked(libc::fcntl(fd, libc::F_GETFD))?;
                    checked(libc::fcntl(fd, libc::F_SETFD, flags & !libc::FD_CLOEXEC))?;
                } else if fd >= 0 {
                    checked(libc::dup2(fd, to as i32))?;
                }
            }
            for fd in &self.keep {
                if *fd != self.failure {
                    let flags = checked(libc::fcntl(*fd, libc::F_GETFD))?;
                    checked(libc::fcntl(*fd, libc::F_SETFD, flags & !libc::FD_CLOEXEC))?;
                }
            }
            if let Some(cwd) = &self.cwd {
                checked(libc::chdir(cwd.as_ptr())).map_err(|failure| Failure {
                    in_chdir: true,
                    ..failure
                })?;
            }
            if self.umask >= 0 {
                libc::umask(self.umask as libc::mode_t);
            }
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
            if self.restore_signals {
                libc::signal(libc::SIGPIPE, libc::SIG_DFL);
                libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
            }
            if self.new_session {
                checked(libc::setsid())?;
            }
            if self.process_group >= 0 {
                checked(libc::setpgid(0, self.process_group))?;
            }
            if !before() {
                return Err(Failure {
                    error: 0,
                    in_chdir: false,
                    in_preexec: true,
                });
            }
            if self.close_others {
                let mut from = 3;
                for fd in self.keep.iter().copied().filter(|fd| *fd >= 3) {
                    close_range(from, fd - 1);
                    from = fd + 1;
                }
                close_range(from, i32::MAX);
            }
        }
        Ok(())
    }

    /// Tries the programs in turn; the number of the error that tells most.
    fn execute(&self) -> i32 {
        unsafe extern "C" {
            static environ: *const *const c_char;
        }
        let mut worst = libc::ENOENT;
        for program in self
            .executables
            .pointers
            .iter()
            .take_while(|p| !p.is_null())
        {
            // SAFETY: lists end with a null pointer, strings with zero; `execve` returns only where it fails.
            let error = unsafe {
                let env = match &self.env {
                    Some(env) => env.pointers.as_ptr(),
                    None => environ,
                };
                libc::execve(*program, self.args.pointers.as_ptr(), env);
                *libc::__errno_location()
            };
            if error != libc::ENOENT && error != libc::ENOTDIR {
                worst = error;
            }
        }
        worst
    }
}

/// Closes the descriptors of a range, ends included.
///
/// # Safety
/// As for `close`: nobody uses them any more. It is async-signal-safe.
unsafe fn close_range(from: i32, to: i32) {
    if from > to {
        return;
    }
    // SAFETY: no memory is involved.
    unsafe {
        let done = libc::syscall(libc::SYS_close_range, from, to, 0);
        if done != 0 {
            // A kernel before 5.9.
            let most = libc::sysconf(libc::_SC_OPEN_MAX).clamp(0, 1 << 16) as i32;
            for fd in from..=to.min(most) {
                libc::close(fd);
            }
        }
    }
}
