//! What `posix` has of times, owners and sizes of files, of reading in place, of priorities, and of becoming another
//! program.
//!
//! In: paths or descriptors, numbers. Out: what the system answers. Always: an error names the path that was given.

use std::ffi::{CString, c_char};
use std::io::Error;

use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, memory};

use super::descriptors::{descriptor, retried};
use crate::support::{bytes_like, flag, int, path, path_error};

/// What `posix` has of it.
pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("posix.set_times", set_times),
    NativeDef::function("posix.set_owner", set_owner),
    NativeDef::function("posix.fchmod", |vm, args| {
        let [fd, mode] = args.exactly("fchmod")?;
        let (fd, mode) = (descriptor(vm, fd)?, int(vm, mode)? as libc::mode_t);
        // SAFETY: no memory is involved.
        done(vm, unsafe { libc::fchmod(fd, mode) }, None)
    }),
    NativeDef::function("posix.fchdir", |vm, args| {
        let [fd] = args.exactly("fchdir")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: no memory is involved.
        done(vm, unsafe { libc::fchdir(fd) }, None)
    }),
    NativeDef::function("posix.truncate", |vm, args| {
        let [file, length] = args.exactly("truncate")?;
        let length = int(vm, length)?;
        let result = match target(vm, file)? {
            // SAFETY: no memory is involved.
            Target::Descriptor(fd) => unsafe { libc::ftruncate(fd, length) },
            // SAFETY: the path ends in a zero byte and lives during the call.
            Target::Path(name) => unsafe { libc::truncate(name.as_ptr(), length) },
        };
        done(vm, result, Some(file))
    }),
    NativeDef::function("posix.mkfifo", |vm, args| {
        let given = args.between("mkfifo", 1, 2)?;
        let name = c_path(vm, &given[0])?;
        let mode = given.get(1).map_or(Ok(0o666), |mode| int(vm, mode))? as libc::mode_t;
        // SAFETY: the path ends in a zero byte and lives during the call.
        done(
            vm,
            unsafe { libc::mkfifo(name.as_ptr(), mode) },
            Some(&given[0]),
        )
    }),
    NativeDef::function("posix.pread", |vm, args| {
        let [fd, size, offset] = args.exactly("pread")?;
        let (fd, offset) = (descriptor(vm, fd)?, int(vm, offset)?);
        let size = usize::try_from(int(vm, size)?)
            .map_err(|_| Raised::os_error(22, "Invalid argument", None))?;
        let mut room: Vec<u8> = Vec::new();
        memory::grow(&mut room, size)?;
        room.resize(size, 0);
        let read = retried(vm, || {
            // SAFETY: there is room for so many bytes.
            unsafe { libc::pread(fd, room.as_mut_ptr().cast(), size, offset) }
        })?;
        room.truncate(read as usize);
        Ok(Value::bytes(room))
    }),
    NativeDef::function("posix.pwrite", |vm, args| {
        let [fd, data, offset] = args.exactly("pwrite")?;
        let (fd, data, offset) = (descriptor(vm, fd)?, bytes_like(data)?, int(vm, offset)?);
        let written = retried(vm, || {
            // SAFETY: the data is as long as is said and lives during the call.
            unsafe { libc::pwrite(fd, data.as_ptr().cast(), data.len(), offset) }
        })?;
        Ok(Value::Int(written as i64))
    }),
    NativeDef::function("posix.fdatasync", |vm, args| {
        let [fd] = args.exactly("fdatasync")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: no memory is involved.
        retried(vm, || unsafe { libc::fdatasync(fd) as isize })?;
        Ok(Value::None)
    }),
    NativeDef::function("posix.sync", |_, args| {
        let [] = args.exactly("sync")?;
        // SAFETY: no memory is involved.
        unsafe { libc::sync() };
        Ok(Value::None)
    }),
    NativeDef::function("posix.sched_yield", |vm, args| {
        let [] = args.exactly("sched_yield")?;
        // SAFETY: no memory is involved.
        retried(vm, || unsafe { libc::sched_yield() as isize })?;
        Ok(Value::None)
    }),
    NativeDef::function("posix.getgroups", |_, args| {
        let [] = args.exactly("getgroups")?;
        // SAFETY: with no room it only counts.
        let count = unsafe { libc::getgroups(0, std::ptr::null_mut()) };
        let mut groups: Vec<libc::gid_t> = vec![0; usize::try_from(count).unwrap_or_default()];
        // SAFETY: there is room for so many.
        let count = unsafe { libc::getgroups(groups.len() as i32, groups.as_mut_ptr()) };
        let Ok(count) = usize::try_from(count) else {
            return Err(Raised::io_error(&Error::last_os_error(), None));
        };
        let groups = groups.into_iter().take(count);
        Ok(Value::list(
            groups
                .map(|group| Value::Int(i64::from(group)))
                .collect::<Vec<_>>(),
        ))
    }),
    NativeDef::function("posix.nice", |vm, args| {
        let [by] = args.exactly("nice")?;
        let by = descriptor(vm, by)?;
        clear_errno();
        // SAFETY: no memory is involved.
        priority(unsafe { libc::nice(by) })
    }),
    NativeDef::function("posix.getpriority", |vm, args| {
        let [which, who] = args.exactly("getpriority")?;
        let (which, who) = (int(vm, which)?, int(vm, who)?);
        clear_errno();
        // SAFETY: no memory is involved.
        priority(unsafe { libc::getpriority(which as _, who as libc::id_t) })
    }),
    NativeDef::function("posix.setpriority", |vm, args| {
        let [which, who, to] = args.exactly("setpriority")?;
        let (which, who, to) = (int(vm, which)?, int(vm, who)?, descriptor(vm, to)?);
        // SAFETY: no memory is involved.
        let result = unsafe { libc::setpriority(which as _, who as libc::id_t, to) };
        done(vm, result, None)
    }),
    NativeDef::function("posix.clock_ticks", |_, args| {
        let [] = args.exactly("clock_ticks")?;
        // SAFETY: all zeros is a valid value, which is written over.
        let mut used: libc::tms = unsafe { std::mem::zeroed() };
        // SAFETY: there is room for the answer.
        let elapsed = unsafe { libc::times(&mut used) };
        let ticks = [
            used.tms_utime,
            used.tms_stime,
            used.tms_cutime,
            used.tms_cstime,
            elapsed,
        ];
        // SAFETY: a question.
        let each = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as f64;
        Ok(Value::tuple(
            ticks.map(|t| Value::from(t as f64 / each)).to_vec(),
        ))
    }),
    NativeDef::function("posix.terminal", |vm, args| {
        let [fd] = args.exactly("terminal")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: all zeros is a valid value, which is written over.
        let mut size: libc::winsize = unsafe { std::mem::zeroed() };
        // SAFETY: there is room for the answer.
        let answered = unsafe { libc::ioctl(fd, libc::TIOCGWINSZ, &mut size) };
        done(vm, answered, None)?;
        Ok(Value::tuple(vec![
            Value::Int(i64::from(size.ws_col)),
            Value::Int(i64::from(size.ws_row)),
        ]))
    }),
    NativeDef::function("posix.become", become_program),
];

/// A file by its number or its name.
enum Target {
    Descriptor(i32),
    Path(CString),
}

fn c_path(vm: &mut dyn Vm, file: &Value) -> PyResult<CString> {
    CString::new(path(vm, file)?).map_err(|_| Raised::value_error("embedded null byte"))
}

fn target(vm: &mut dyn Vm, file: &Value) -> PyResult<Target> {
    Ok(match file {
        Value::Int(_) => Target::Descriptor(descriptor(vm, file)?),
        _ => Target::Path(c_path(vm, file)?),
    })
}

fn done(vm: &mut dyn Vm, result: i32, file: Option<&Value>) -> PyResult {
    if result != -1 {
        return Ok(Value::None);
    }
    let error = Error::last_os_error();
    Err(match file {
        None | Some(Value::Int(_)) => Raised::io_error(&error, None),
        Some(file) => path_error(vm, &error, file),
    })
}

/// -1 is an answer of these calls too: the error's number tells.
fn clear_errno() {
    // SAFETY: the place of this thread's error number.
    unsafe { *libc::__errno_location() = 0 };
}

fn priority(result: i32) -> PyResult {
    let error = Error::last_os_error();
    if result == -1 && error.raw_os_error() != Some(0) {
        return Err(Raised::io_error(&error, None));
    }
    Ok(Value::Int(i64::from(result)))
}

/// `set_times(file, access, modification, follow)`, in nanoseconds; `None` for both is now.
fn set_times(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [file, access, modification, follow] = args.exactly("utime")?;
    let mut time = |nanoseconds: &Value| -> PyResult<libc::timespec> {
        if nanoseconds.is_none() {
            return Ok(libc::timespec {
                tv_sec: 0,
                tv_nsec: libc::UTIME_NOW,
            });
        }
        let nanoseconds = int(vm, nanoseconds)?;
        Ok(libc::timespec {
            tv_sec: nanoseconds.div_euclid(1_000_000_000),
            tv_nsec: nanoseconds.rem_euclid(1_000_000_000),
        })
    };
    let times = [time(access)?, time(modification)?];
    let flags = if flag(vm, Some(follow), true)? {
        0
    } else {
        libc::AT_SYMLINK_NOFOLLOW
    };
    let result = match target(vm, file)? {
        // SAFETY: there are two times.
        Target::Descriptor(fd) => unsafe { libc::futimens(fd, times.as_ptr()) },
        // SAFETY: the path ends in a zero byte and lives during the call; there are two times.
        Target::Path(name) => unsafe {
            libc::utimensat(libc::AT_FDCWD, name.as_ptr(), times.as_ptr(), flags)
        },
    };
    // The time may be what is wrong, so the file is not named, as in CPython.
    done(vm, result, None)
}

/// `set_owner(file, user, group, follow)`; -1 leaves one as it is.
fn set_owner(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [file, user, group, follow] = args.exactly("chown")?;
    let (user, group) = (
        int(vm, user)? as libc::uid_t,
        int(vm, group)? as libc::gid_t,
    );
    let flags = if flag(vm, Some(follow), true)? {
        0
    } else {
        libc::AT_SYMLINK_NOFOLLOW
    };
    let result = match target(vm, file)? {
        // SAFETY: no memory is involved.
        Target::Descriptor(fd) => unsafe { libc::fchown(fd, user, group) },
        // SAFETY: the path ends in a zero byte and lives during the call.
        Target::Path(name) => unsafe {
            libc::fchownat(libc::AT_FDCWD, name.as_ptr(), user, group, flags)
        },
    };
    done(vm, result, Some(file))
}

/// `become(path, arguments, environment)`: this process goes on as another program. All are bytes.
fn become_program(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [file, arguments, environment] = args.exactly("execve")?;
    let name = c_path(vm, file)?;
    let strings = |items: &Value| -> PyResult<Vec<CString>> {
        let items = items
            .as_list()
            .map(|list| list.to_vec())
            .unwrap_or_default();
        items
            .iter()
            .map(|item| {
                CString::new(bytes_like(item)?)
                    .map_err(|_| Raised::value_error("embedded null byte"))
            })
            .collect()
    };
    let (arguments, environment) = (strings(arguments)?, strings(environment)?);
    let pointers = |strings: &[CString]| -> Vec<*const c_char> {
        let ends = std::iter::once(std::ptr::null());
        strings.iter().map(|s| s.as_ptr()).chain(ends).collect()
    };
    let (argv, envp) = (pointers(&arguments), pointers(&environment));
    // SAFETY: the strings end in zero bytes, the lists of them in null, and all live during the call.
    done(
        vm,
        unsafe { libc::execve(name.as_ptr(), argv.as_ptr(), envp.as_ptr()) },
        Some(file),
    )
}
