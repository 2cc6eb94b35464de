//! `resource`, `fcntl`, `pwd`, `grp`: limits and use of the process, locks and controls of descriptors, users and groups.
//!
//! In: numbers, names. Out: what the system says. Always: what may wait gives the turn away.

use std::ffi::{CStr, CString, c_char};
use std::io::Error;

use janus_interp::Interp;
use janus_object::{
    Args, Class, ExcKind, NativeDef, PyRef, PyResult, Raised, Signature, Value, Vm,
};

use super::descriptors::{descriptor, file_descriptor, retried};
use crate::structseq::{make, struct_class};
use crate::support::{big_index, int, module, string};

fn failed() -> Raised {
    Raised::io_error(&Error::last_os_error(), None)
}

fn done(result: i32) -> PyResult {
    match result {
        -1 => Err(failed()),
        _ => Ok(Value::None),
    }
}

/// Makes `resource`.
pub(crate) fn build_resource(_: &mut Interp) -> PyResult {
    let natives = [
        NativeDef::function("resource.getrusage", getrusage),
        NativeDef::function("resource.getrlimit", |vm, args| {
            let [which] = args.exactly("getrlimit")?;
            let which = limit(vm, which)?;
            // SAFETY: all zeros is a valid value, which is written over.
            let mut limits: libc::rlimit = unsafe { std::mem::zeroed() };
            // SAFETY: there is room for the answer.
            done(unsafe { libc::getrlimit(which, &mut limits) })?;
            Ok(pair(&limits))
        }),
        NativeDef::function("resource.setrlimit", |vm, args| {
            let [which, limits] = args.exactly("setrlimit")?;
            let (which, limits) = (limit(vm, which)?, limits_of(vm, limits)?);
            // SAFETY: the limits are there.
            done(unsafe { libc::setrlimit(which, &limits) }).map_err(not_allowed)
        }),
        NativeDef::function("resource.prlimit", |vm, args| {
            let given = args.between("prlimit", 2, 3)?;
            let (pid, which) = (int(vm, &given[0])? as i32, limit(vm, &given[1])?);
            let new = given.get(2).map(|l| limits_of(vm, l)).transpose()?;
            let new = new.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
            // SAFETY: all zeros is a valid value, which is written over.
            let mut old: libc::rlimit = unsafe { std::mem::zeroed() };
            // SAFETY: the new limits are there or null; there is room for the old ones.
            done(unsafe { libc::prlimit(pid, which, new, &mut old) }).map_err(not_allowed)?;
            Ok(pair(&old))
        }),
        NativeDef::function("resource.getpagesize", |_, args| {
            let [] = args.exactly("getpagesize")?;
            // SAFETY: a question.
            Ok(Value::Int(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }))
        }),
    ];
    let m = module("resource", "Limits and use of the process.", &natives);
    m.set("error", Value::Class(ExcKind::OSError.class()));
    m.set("struct_rusage", Value::Class(usage_class()));
    for (name, value) in [
        ("RLIMIT_CPU", libc::RLIMIT_CPU),
        ("RLIMIT_FSIZE", libc::RLIMIT_FSIZE),
        ("RLIMIT_DATA", libc::RLIMIT_DATA),
        ("RLIMIT_STACK", libc::RLIMIT_STACK),
        ("RLIMIT_CORE", libc::RLIMIT_CORE),
        ("RLIMIT_RSS", libc::RLIMIT_RSS),
        ("RLIMIT_NPROC", libc::RLIMIT_NPROC),
        ("RLIMIT_NOFILE", libc::RLIMIT_NOFILE),
        ("RLIMIT_OFILE", libc::RLIMIT_NOFILE),
        ("RLIMIT_MEMLOCK", libc::RLIMIT_MEMLOCK),
        ("RLIMIT_AS", libc::RLIMIT_AS),
        ("RLIMIT_MSGQUEUE", libc::RLIMIT_MSGQUEUE),
        ("RLIMIT_NICE", libc::RLIMIT_NICE),
        ("RLIMIT_RTPRIO", libc::RLIMIT_RTPRIO),
        ("RLIMIT_RTTIME", libc::RLIMIT_RTTIME),
        ("RLIMIT_SIGPENDING", libc::RLIMIT_SIGPENDING),
    ] {
        m.set(name, Value::Int(value.into()));
    }
    for (name, value) in [
        ("RUSAGE_SELF", libc::RUSAGE_SELF),
        ("RUSAGE_CHILDREN", libc::RUSAGE_CHILDREN),
        ("RUSAGE_THREAD", libc::RUSAGE_THREAD),
        ("RLIM_INFINITY", -1),
    ] {
        m.set(name, Value::Int(value.into()));
    }
    Ok(Value::Module(m))
}

/// A limit above the hard one is an error of its own.
fn not_allowed(raised: Raised) -> Raised {
    match Error::last_os_error().raw_os_error() {
        Some(libc::EINVAL) => Raised::value_error("current limit exceeds maximum limit"),
        Some(libc::EPERM) => Raised::value_error("not allowed to raise maximum limit"),
        _ => raised,
    }
}

fn limit(vm: &mut dyn Vm, which: &Value) -> PyResult<libc::__rlimit_resource_t> {
    let which = int(vm, which)?;
    u32::try_from(which)
        .ok()
        .filter(|which| *which < 16)
        .ok_or_else(|| Raised::value_error("invalid resource specified"))
}

fn limits_of(vm: &mut dyn Vm, limits: &Value) -> PyResult<libc::rlimit> {
    let limits = janus_object::ops::collect(vm, limits)?;
    let [current, maximum] = limits.as_slice() else {
        return Err(Raised::value_error("expected a tuple of 2 integers"));
    };
    // Less than none is no limit.
    let mut number = |value: &Value| int(vm, value).map(|n| n as u64);
    Ok(libc::rlimit {
        rlim_cur: number(current)?,
        rlim_max: number(maximum)?,
    })
}

fn pair(limits: &libc::rlimit) -> Value {
    let numbers = [limits.rlim_cur, limits.rlim_max].map(|n| Value::Int(n as i64));
    Value::tuple(numbers.to_vec())
}

fn usage_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = struct_class("resource.struct_rusage", &[
            "ru_utime", "ru_stime", "ru_maxrss", "ru_ixrss", "ru_idrss", "ru_isrss", "ru_minflt", "ru_majflt", "ru_nswap",
            "ru_inblock", "ru_oublock", "ru_msgsnd", "ru_msgrcv", "ru_nsignals", "ru_nvcsw", "ru_nivcsw",
        ]);
    }
    CLASS.with(PyRef::clone)
}

fn getrusage(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [who] = args.exactly("getrusage")?;
    let who = int(vm, who)? as i32;
    // SAFETY: all zeros is a valid value, which is written over.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: there is room for the answer.
    if unsafe { libc::getrusage(who, &mut usage) } != 0 {
        return Err(Raised::value_error("invalid who parameter"));
    }
    let seconds = |t: libc::timeval| Value::float(t.tv_sec as f64 + t.tv_usec as f64 * 1e-6);
    let mut items = vec![seconds(usage.ru_utime), seconds(usage.ru_stime)];
    items.extend(
        [
            usage.ru_maxrss,
            usage.ru_ixrss,
            usage.ru_idrss,
            usage.ru_isrss,
            usage.ru_minflt,
            usage.ru_majflt,
            usage.ru_nswap,
            usage.ru_inblock,
            usage.ru_oublock,
            usage.ru_msgsnd,
            usage.ru_msgrcv,
            usage.ru_nsignals,
            usage.ru_nvcsw,
            usage.ru_nivcsw,
        ]
        .map(Value::Int),
    );
    Ok(make(&usage_class(), items))
}

/// Makes `fcntl`.
pub(crate) fn build_fcntl(_: &mut Interp) -> PyResult {
    let natives = [
        NativeDef::function("fcntl.fcntl", |vm, args| control(vm, args, "fcntl")),
        NativeDef::function("fcntl.ioctl", |vm, args| control(vm, args, "ioctl")),
        NativeDef::function("fcntl.flock", |vm, args| {
            let [fd, operation] = args.exactly("flock")?;
            let (fd, operation) = (file_descriptor(vm, fd)?, descriptor(vm, operation)?);
            // SAFETY: no memory is involved.
            retried(vm, || unsafe { libc::flock(fd, operation) } as isize)?;
            Ok(Value::None)
        }),
        NativeDef::function("fcntl.lockf", lockf),
    ];
    let m = module("fcntl", "Locks and controls of descriptors.", &natives);
    for (name, value) in [
        ("LOCK_SH", libc::LOCK_SH),
        ("LOCK_EX", libc::LOCK_EX),
        ("LOCK_NB", libc::LOCK_NB),
        ("LOCK_UN", libc::LOCK_UN),
        ("F_DUPFD", libc::F_DUPFD),
        ("F_DUPFD_CLOEXEC", libc::F_DUPFD_CLOEXEC),
        ("F_GETFD", libc::F_GETFD),
        ("F_SETFD", libc::F_SETFD),
        ("F_GETFL", libc::F_GETFL),
        ("F_SETFL", libc::F_SETFL),
        ("F_GETLK", libc::F_GETLK),
        ("F_SETLK", libc::F_SETLK),
        ("F_SETLKW", libc::F_SETLKW),
        ("F_GETOWN", libc::F_GETOWN),
        ("F_SETOWN", libc::F_SETOWN),
        ("F_GETPIPE_SZ", libc::F_GETPIPE_SZ),
        ("F_SETPIPE_SZ", libc::F_SETPIPE_SZ),
        ("F_RDLCK", libc::F_RDLCK),
        ("F_WRLCK", libc::F_WRLCK),
        ("F_UNLCK", libc::F_UNLCK),
        ("FD_CLOEXEC", libc::FD_CLOEXEC),
    ] {
        m.set(name, Value::Int(value.into()));
    }
    Ok(Value::Module(m))
}

/// `fcntl` and `ioctl`: the argument is a number, or bytes that the system may change.
fn control(vm: &mut dyn Vm, args: Args<'_>, name: &'static str) -> PyResult {
    let given = args.between(name, 2, 4)?;
    let (fd, command) = (file_descriptor(vm, &given[0])?, big_index(vm, &given[1])?);
    let command = i64::try_from(command).unwrap_or(-1);
    let call = |argument: libc::c_long| {
        // SAFETY: what the command reads and writes is the number or the bytes at the address; as in CPython, a command
        // that writes more is the script's fault, for which the room below is generous.
        unsafe {
            match name {
                "fcntl" => libc::fcntl(fd, command as i32, argument),
                _ => libc::ioctl(fd, command as libc::c_ulong, argument),
            }
        }
    };
    let argument = given.get(2).cloned().unwrap_or(Value::Int(0));
    let bytes = match argument.as_str() {
        Some(text) => Some(text.as_bytes().to_vec()),
        None => janus_object::buffer::buffer_bytes(&argument),
    };
    let Some(mut bytes) = bytes else {
        let number = int(vm, &argument)?;
        let result = retried(vm, || call(number) as isize)?;
        return Ok(Value::Int(result as i64));
    };
    if bytes.len() > 1024 {
        return Err(Raised::value_error(format!(
            "{name} argument 3 is too long"
        )));
    }
    let size = bytes.len();
    bytes.resize(2048, 0);
    let address = bytes.as_mut_ptr() as libc::c_long;
    let result = retried(vm, || call(address) as isize)?;
    bytes.truncate(size);
    let mutate = given.get(3).is_none_or(|flag| flag.as_int() != Some(0));
    let is_writable = mutate && argument.as_str().is_none();
    if name == "ioctl"
        && is_writable
        && janus_object::buffer::write_buffer(&argument, &bytes).is_some()
    {
        return Ok(Value::Int(result as i64));
    }
    Ok(Value::bytes(bytes))
}

fn lockf(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("lockf", 2, 5)?;
    let (fd, operation) = (file_descriptor(vm, &given[0])?, descriptor(vm, &given[1])?);
    let mut number = |at: usize| given.get(at).map_or(Ok(0), |value| int(vm, value));
    let (length, start, whence) = (number(2)?, number(3)?, number(4)?);
    // SAFETY: all zeros is a valid value.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = match operation & !libc::LOCK_NB {
        libc::LOCK_UN => libc::F_UNLCK,
        libc::LOCK_SH => libc::F_RDLCK,
        libc::LOCK_EX => libc::F_WRLCK,
        _ => return Err(Raised::value_error("unrecognized lockf argument")),
    } as libc::c_short;
    (lock.l_start, lock.l_len, lock.l_whence) = (start, length, whence as libc::c_short);
    let command = match operation & libc::LOCK_NB {
        0 => libc::F_SETLKW,
        _ => libc::F_SETLK,
    };
    // SAFETY: the lock is there.
    retried(vm, || unsafe { libc::fcntl(fd, command, &lock) } as isize)?;
    Ok(Value::None)
}

/// A text of the system's.
///
/// # Safety
/// It is one, or null.
unsafe fn shown(text: *const c_char) -> Value {
    match text.is_null() {
        true => Value::str(""),
        // SAFETY: the caller's promise.
        false => Value::str(unsafe { CStr::from_ptr(text) }.to_string_lossy().as_ref()),
    }
}

fn user_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = struct_class("pwd.struct_passwd", &[
            "pw_name", "pw_passwd", "pw_uid", "pw_gid", "pw_gecos", "pw_dir", "pw_shell",
        ]);
    }
    CLASS.with(PyRef::clone)
}

/// An entry, if there is one.
///
/// # Safety
/// It is null, or what the system gave last.
unsafe fn user(entry: *const libc::passwd) -> Option<Value> {
    // SAFETY: the caller's promise; texts are copied before the system is asked again.
    unsafe {
        let entry = entry.as_ref()?;
        let items = vec![
            shown(entry.pw_name),
            shown(entry.pw_passwd),
            Value::Int(entry.pw_uid.into()),
            Value::Int(entry.pw_gid.into()),
            shown(entry.pw_gecos),
            shown(entry.pw_dir),
            shown(entry.pw_shell),
        ];
        Some(make(&user_class(), items))
    }
}

fn name_of(args: &Args<'_>, function: &'static str) -> PyResult<CString> {
    let [name] = args.exactly(function)?;
    CString::new(string(name, "name")?).map_err(|_| Raised::value_error("embedded null byte"))
}

fn not_found(what: String) -> Raised {
    Raised::key_error(Value::str(what))
}

/// Makes `pwd`.
pub(crate) fn build_pwd(_: &mut Interp) -> PyResult {
    let natives = [
        NativeDef::function("pwd.getpwnam", |_, args| {
            let name = name_of(&args, "getpwnam")?;
            // SAFETY: the name ends with a zero; the lock is held until the entry is copied.
            unsafe { user(libc::getpwnam(name.as_ptr())) }.ok_or_else(|| {
                not_found(format!(
                    "getpwnam(): name not found: '{}'",
                    name.to_string_lossy()
                ))
            })
        }),
        NativeDef::function("pwd.getpwuid", |vm, args| {
            let [uid] = args.exactly("getpwuid")?;
            let uid = int(vm, uid)?;
            // SAFETY: the lock is held until the entry is copied.
            unsafe { user(libc::getpwuid(uid as libc::uid_t)) }
                .ok_or_else(|| not_found(format!("getpwuid(): uid not found: {uid}")))
        }),
        NativeDef::function("pwd.getpwall", |_, args| {
            let [] = args.exactly("getpwall")?;
            let mut all = Vec::new();
            // SAFETY: the lock is held until all entries are copied.
            unsafe {
                libc::setpwent();
                while let Some(entry) = user(libc::getpwent()) {
                    all.push(entry);
                }
                libc::endpwent();
            }
            Ok(Value::list(all))
        }),
    ];
    let m = module("pwd", "Users.", &natives);
    m.set("struct_passwd", Value::Class(user_class()));
    Ok(Value::Module(m))
}

fn group_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = struct_class("grp.struct_group", &["gr_name", "gr_passwd", "gr_gid", "gr_mem"]);
    }
    CLASS.with(PyRef::clone)
}

/// An entry, if there is one.
///
/// # Safety
/// It is null, or what the system gave last.
unsafe fn group(entry: *const libc::group) -> Option<Value> {
    // SAFETY: the caller's promise; the list of members ends with null.
    unsafe {
        let entry = entry.as_ref()?;
        let mut members = Vec::new();
        let mut at = entry.gr_mem;
        while !at.is_null() && !(*at).is_null() {
            members.push(shown(*at));
            at = at.add(1);
        }
        let items = vec![
            shown(entry.gr_name),
            shown(entry.gr_passwd),
            Value::Int(entry.gr_gid.into()),
            Value::list(members),
        ];
        Some(make(&group_class(), items))
    }
}

/// Makes `grp`.
pub(crate) fn build_grp(_: &mut Interp) -> PyResult {
    static NAME: Signature<1> = Signature::new("getgrnam", ["name"]);
    static ID: Signature<1> = Signature::new("getgrgid", ["id"]);
    let natives = [
        NativeDef::function("grp.getgrnam", |_, args| {
            let [name] = NAME.parse(args)?;
            let name = name.unwrap_or(Value::None);
            let name = name_of(&Args::new(std::slice::from_ref(&name)), "getgrnam")?;
            // SAFETY: the name ends with a zero; the lock is held until the entry is copied.
            unsafe { group(libc::getgrnam(name.as_ptr())) }.ok_or_else(|| {
                not_found(format!(
                    "getgrnam(): name not found: '{}'",
                    name.to_string_lossy()
                ))
            })
        }),
        NativeDef::function("grp.getgrgid", |vm, args| {
            let [id] = ID.parse(args)?;
            let id = int(vm, &id.unwrap_or(Value::None))?;
            // SAFETY: the lock is held until the entry is copied.
            unsafe { group(libc::getgrgid(id as libc::gid_t)) }
                .ok_or_else(|| not_found(format!("getgrgid(): gid not found: {id}")))
        }),
        NativeDef::function("grp.getgrall", |_, args| {
            let [] = args.exactly("getgrall")?;
            let mut all = Vec::new();
            // SAFETY: the lock is held until all entries are copied.
            unsafe {
                libc::setgrent();
                while let Some(entry) = group(libc::getgrent()) {
                    all.push(entry);
                }
                libc::endgrent();
            }
            Ok(Value::list(all))
        }),
    ];
    let m = module("grp", "Groups.", &natives);
    m.set("struct_group", Value::Class(group_class()));
    Ok(Value::Module(m))
}
