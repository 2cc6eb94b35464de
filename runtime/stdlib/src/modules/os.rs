//! `posix`: the system calls under `os`.
//!
//! In: paths and names. Out: what the system answers; errors as OSError with number and file name.
//! Always: the process's own environment is never written (`os.environ` is a copy that children
//! get), so that no other thread can race with it.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use janus_interp::Interp;
use janus_object::{Args, Class, NativeDef, PyDict, PyRef, PyResult, Raised, Value, Vm};

use crate::structseq::{make, struct_class};
use crate::support::{int, module, path, path_error, path_name};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("posix.getcwd", getcwd),
    NativeDef::function("posix.sysconf", sysconf),
    NativeDef::function("posix.umask", |vm, args| {
        let [mask] = args.exactly("umask")?;
        let mask = int(vm, mask)? as libc::mode_t;
        // SAFETY: no memory is involved.
        Ok(Value::Int(i64::from(unsafe { libc::umask(mask) })))
    }),
    NativeDef::function("posix.chdir", |vm, args| {
        one(vm, args, "chdir", |p| std::env::set_current_dir(p))
    }),
    NativeDef::function("posix.listdir", listdir),
    NativeDef::function("posix.scan", scan),
    NativeDef::function("posix.mkdir", mkdir),
    NativeDef::function("posix.rmdir", |vm, args| {
        one(vm, args, "rmdir", |p| fs::remove_dir(p))
    }),
    NativeDef::function("posix.remove", |vm, args| {
        one(vm, args, "remove", |p| fs::remove_file(p))
    }),
    NativeDef::function("posix.unlink", |vm, args| {
        one(vm, args, "unlink", |p| fs::remove_file(p))
    }),
    NativeDef::function("posix.rename", |vm, args| {
        two(vm, args, "rename", |a, b| fs::rename(a, b))
    }),
    NativeDef::function("posix.replace", |vm, args| {
        two(vm, args, "replace", |a, b| fs::rename(a, b))
    }),
    NativeDef::function("posix.link", |vm, args| {
        two(vm, args, "link", |a, b| fs::hard_link(a, b))
    }),
    NativeDef::function("posix.symlink", |vm, args| {
        two(vm, args, "symlink", |a, b| std::os::unix::fs::symlink(a, b))
    }),
    NativeDef::function("posix.copyfile", |vm, args| {
        two(vm, args, "copyfile", |a, b| fs::copy(a, b).map(|_| ()))
    }),
    NativeDef::function("posix.readlink", readlink),
    NativeDef::function("posix.realpath", realpath),
    NativeDef::function("posix.stat", |vm, args| stat(vm, args, true)),
    NativeDef::function("posix.lstat", |vm, args| stat(vm, args, false)),
    NativeDef::function("posix.chmod", chmod),
    NativeDef::function("posix.access", access),
    NativeDef::function("posix.exists", |vm, args| {
        test(vm, args, "exists", Path::exists)
    }),
    NativeDef::function("posix.lexists", |vm, args| {
        test(vm, args, "lexists", |p| p.symlink_metadata().is_ok())
    }),
    NativeDef::function("posix.isfile", |vm, args| {
        test(vm, args, "isfile", Path::is_file)
    }),
    NativeDef::function("posix.isdir", |vm, args| {
        test(vm, args, "isdir", Path::is_dir)
    }),
    NativeDef::function("posix.islink", |vm, args| {
        test(vm, args, "islink", Path::is_symlink)
    }),
    NativeDef::function("posix.fspath", fspath),
    NativeDef::function("posix.environ", environ),
    NativeDef::noargs_function("posix.getpid", |_, _| {
        Ok(Value::Int(i64::from(std::process::id())))
    }),
    NativeDef::noargs_function("posix.getppid", |_, _| {
        Ok(Value::Int(i64::from(std::os::unix::process::parent_id())))
    }),
    NativeDef::noargs_function("posix.getuid", |_, _| status_id("Uid:")),
    NativeDef::noargs_function("posix.getgid", |_, _| status_id("Gid:")),
    NativeDef::function("posix.cpu_count", cpu_count),
    NativeDef::function("posix.affinity", affinity),
    NativeDef::function("posix.urandom", urandom),
    NativeDef::function("posix.strerror", strerror),
    NativeDef::function("posix.uname", uname),
    NativeDef::function("posix.statvfs", statvfs),
];

const STAT_FIELDS: &[&str] = &[
    "st_mode",
    "st_ino",
    "st_dev",
    "st_nlink",
    "st_uid",
    "st_gid",
    "st_size",
    "st_atime",
    "st_mtime",
    "st_ctime",
    "st_atime_ns",
    "st_mtime_ns",
    "st_ctime_ns",
    "st_blksize",
    "st_blocks",
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("posix", "", FUNCTIONS);
    m.add_natives(super::descriptors::FUNCTIONS);
    m.add_natives(super::process::FUNCTIONS);
    m.add_natives(super::files::FUNCTIONS);
    m.set("stat_result", Value::Class(stat_class()));
    Ok(Value::Module(m))
}

fn stat_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = struct_class("os.stat_result", STAT_FIELDS);
    }
    CLASS.with(PyRef::clone)
}

/// A call with one path.
fn one(
    vm: &mut dyn Vm,
    args: Args<'_>,
    function: &'static str,
    call: fn(&str) -> io::Result<()>,
) -> PyResult {
    let given = Args::new(args.pos).between(function, 1, 1)?;
    let target = path(vm, &given[0])?;
    call(&target).map_err(|e| path_error(vm, &e, &given[0]))?;
    Ok(Value::None)
}

/// A call with two paths.
fn two(
    vm: &mut dyn Vm,
    args: Args<'_>,
    function: &'static str,
    call: fn(&str, &str) -> io::Result<()>,
) -> PyResult {
    let given = Args::new(args.pos).between(function, 2, 3)?;
    let (from, to) = (path(vm, &given[0])?, path(vm, &given[1])?);
    if let Err(e) = call(&from, &to) {
        let raised = path_error(vm, &e, &given[0]);
        if let Some(data) = raised.data() {
            let name = path_name(vm, &given[1])?;
            data.set_member(janus_object::name!("filename2"), name);
        }
        return Err(raised);
    }
    Ok(Value::None)
}

/// A question about a path; a path that cannot be looked at answers no.
fn test(
    vm: &mut dyn Vm,
    args: Args<'_>,
    function: &'static str,
    ask: fn(&Path) -> bool,
) -> PyResult {
    let [target] = args.exactly(function)?;
    if let Value::Int(fd) = target {
        return Ok(Value::bool(ask(Path::new(&format!("/dev/fd/{fd}")))));
    }
    Ok(Value::bool(match path(vm, target) {
        Ok(target) => ask(Path::new(&target)),
        Err(raised) if raised.is(janus_object::ExcKind::ValueError) => false,
        Err(raised) => return Err(raised),
    }))
}

fn lossy(path: impl AsRef<Path>) -> Value {
    Value::str(path.as_ref().to_string_lossy().as_ref())
}

/// A limit of the system, by its number.
fn sysconf(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [name] = args.exactly("sysconf")?;
    let name = i32::try_from(int(vm, name)?)
        .map_err(|_| Raised::value_error("unrecognized configuration name"))?;
    // SAFETY: no memory is involved.
    let found = unsafe { libc::sysconf(name) };
    let error = io::Error::last_os_error();
    if found < 0 && error.raw_os_error() == Some(libc::EINVAL) {
        return Err(Raised::io_error(&error, None));
    }
    Ok(Value::Int(found))
}

fn getcwd(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("getcwd")?;
    std::env::current_dir()
        .map(lossy)
        .map_err(|e| Raised::io_error(&e, None))
}

fn listdir(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let dot = Value::str(".");
    let target = match args.between("listdir", 0, 1)? {
        [target] if !target.is_none() => target,
        _ => &dot,
    };
    let directory = path(vm, target)?;
    let mut names = Vec::new();
    for entry in fs::read_dir(&directory).map_err(|e| path_error(vm, &e, target))? {
        let entry = entry.map_err(|e| path_error(vm, &e, target))?;
        names.push(lossy(entry.file_name()));
    }
    Ok(Value::list(names))
}

/// Entries of a directory: (name, is directory, is file, is link).
fn scan(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [target] = args.exactly("scandir")?;
    let directory = path(vm, target)?;
    let mut entries = Vec::new();
    for entry in fs::read_dir(&directory).map_err(|e| path_error(vm, &e, target))? {
        let entry = entry.map_err(|e| path_error(vm, &e, target))?;
        let at = entry.path();
        entries.push(Value::tuple(vec![
            lossy(entry.file_name()),
            Value::bool(at.is_dir()),
            Value::bool(at.is_file()),
            Value::bool(at.is_symlink()),
        ]));
    }
    Ok(Value::list(entries))
}

fn mkdir(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("mkdir", 1, 2)?;
    let target = path(vm, &given[0])?;
    let mode = given.get(1).map_or(Ok(0o777), |m| int(vm, m))?;
    let made = fs::DirBuilder::new().mode(mode as u32).create(&target);
    made.map_err(|e| path_error(vm, &e, &given[0]))?;
    Ok(Value::None)
}

fn readlink(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [target] = args.exactly("readlink")?;
    let link = path(vm, target)?;
    fs::read_link(&link)
        .map(lossy)
        .map_err(|e| path_error(vm, &e, target))
}

/// The canonical path, or None if some part of it does not exist.
fn realpath(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [target] = args.exactly("realpath")?;
    let target = path(vm, target)?;
    Ok(fs::canonicalize(if target.is_empty() { "." } else { &target }).map_or(Value::None, lossy))
}

fn stat(vm: &mut dyn Vm, args: Args<'_>, follow: bool) -> PyResult {
    let given = Args::new(args.pos).between("stat", 1, 1)?;
    let target = match &given[0] {
        Value::Int(fd) => format!("/dev/fd/{fd}"),
        other => path(vm, other)?,
    };
    let found = if follow {
        fs::metadata(&target)
    } else {
        fs::symlink_metadata(&target)
    };
    let meta = found.map_err(|e| path_error(vm, &e, &given[0]))?;
    let seconds = |s: i64, ns: i64| Value::float(s as f64 + ns as f64 * 1e-9);
    let nanoseconds = |s: i64, ns: i64| Value::Int(s.wrapping_mul(1_000_000_000).wrapping_add(ns));
    let unsigned = |n: u64| Value::big(n.into());
    let items = vec![
        Value::Int(i64::from(meta.mode())),
        unsigned(meta.ino()),
        unsigned(meta.dev()),
        unsigned(meta.nlink()),
        Value::Int(i64::from(meta.uid())),
        Value::Int(i64::from(meta.gid())),
        unsigned(meta.size()),
        seconds(meta.atime(), meta.atime_nsec()),
        seconds(meta.mtime(), meta.mtime_nsec()),
        seconds(meta.ctime(), meta.ctime_nsec()),
        nanoseconds(meta.atime(), meta.atime_nsec()),
        nanoseconds(meta.mtime(), meta.mtime_nsec()),
        nanoseconds(meta.ctime(), meta.ctime_nsec()),
        unsigned(meta.blksize()),
        unsigned(meta.blocks()),
    ];
    Ok(make(&stat_class(), items))
}

fn chmod(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = Args::new(args.pos).between("chmod", 2, 2)?;
    let target = path(vm, &given[0])?;
    let mode = int(vm, &given[1])?;
    let set = fs::set_permissions(&target, fs::Permissions::from_mode(mode as u32));
    set.map_err(|e| path_error(vm, &e, &given[0]))?;
    Ok(Value::None)
}

fn access(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = Args::new(args.pos).between("access", 2, 2)?;
    let target = path(vm, &given[0])?;
    let wanted = int(vm, &given[1])?;
    let Ok(meta) = fs::metadata(&target) else {
        return Ok(Value::bool(false));
    };
    let readable = wanted & 4 == 0 || meta.is_dir() || fs::File::open(&target).is_ok();
    let writable = wanted & 2 == 0 || !meta.permissions().readonly();
    let executable = wanted & 1 == 0 || meta.permissions().mode() & 0o111 != 0;
    Ok(Value::bool(readable && writable && executable))
}

fn fspath(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [target] = args.exactly("fspath")?;
    if target.as_str().is_some() || target.as_bytes().is_some() {
        return Ok(target.clone());
    }
    path(vm, target).map(Value::str)
}

fn environ(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("environ")?;
    let dict = PyDict::new();
    for (name, value) in std::env::vars_os() {
        dict.set_str(
            &name.to_string_lossy(),
            Value::str(value.to_string_lossy().as_ref()),
        );
    }
    Ok(Value::dict(dict))
}

/// A number out of `/proc/self/status`.
fn status_id(field: &str) -> PyResult {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let id = text
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    Ok(Value::Int(id.unwrap_or(0)))
}

/// Processors of the machine.
fn cpu_count(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("cpu_count")?;
    let listed = fs::read_to_string("/proc/cpuinfo")
        .map(|text| {
            text.lines()
                .filter(|line| line.starts_with("processor"))
                .count()
        })
        .unwrap_or(0);
    Ok(if listed > 0 {
        Value::from(listed)
    } else {
        Value::from(available())
    })
}

fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Number of processors this process may use.
fn affinity(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("affinity")?;
    Ok(Value::from(available()))
}

/// Random bytes of the operating system.
pub(crate) fn fill_random(bytes: &mut [u8]) -> PyResult<()> {
    fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(bytes))
        .map_err(|e| Raised::io_error(&e, None))
}

fn urandom(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [count] = args.exactly("urandom")?;
    let count = usize::try_from(int(vm, count)?)
        .map_err(|_| Raised::value_error("negative argument not allowed"))?;
    let mut bytes = janus_object::memory::copies(0, count)?;
    fill_random(&mut bytes)?;
    Ok(Value::bytes(bytes))
}

fn strerror(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [code] = args.exactly("strerror")?;
    let error = io::Error::from_raw_os_error(int(vm, code)? as i32).to_string();
    Ok(Value::str(
        error.split(" (os error").next().unwrap_or(&error),
    ))
}

fn uname(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("uname")?;
    let read = |file: &str| {
        fs::read_to_string(format!("/proc/sys/kernel/{file}"))
            .map(|s| s.trim_end().to_owned())
            .unwrap_or_default()
    };
    let class = struct_class(
        "posix.uname_result",
        &["sysname", "nodename", "release", "version", "machine"],
    );
    let items = vec![
        Value::str(read("ostype")),
        Value::str(read("hostname")),
        Value::str(read("osrelease")),
        Value::str(read("version")),
        Value::str(std::env::consts::ARCH),
    ];
    Ok(make(&class, items))
}

const STATVFS_FIELDS: &[&str] = &[
    "f_bsize",
    "f_frsize",
    "f_blocks",
    "f_bfree",
    "f_bavail",
    "f_files",
    "f_ffree",
    "f_favail",
    "f_flag",
    "f_namemax",
    "f_fsid",
];

fn statvfs(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [file] = args.exactly("statvfs")?;
    let name = std::ffi::CString::new(path(vm, file)?)
        .map_err(|_| Raised::value_error("embedded null byte"))?;
    // SAFETY: the name ends with a zero, and there is room for the answer, which is plain numbers.
    let (done, found) = unsafe {
        let mut found: libc::statvfs = std::mem::zeroed();
        (libc::statvfs(name.as_ptr(), &mut found), found)
    };
    if done != 0 {
        return Err(path_error(vm, &io::Error::last_os_error(), file));
    }
    let fields = [
        found.f_bsize,
        found.f_frsize,
        found.f_blocks,
        found.f_bfree,
        found.f_bavail,
        found.f_files,
        found.f_ffree,
        found.f_favail,
        found.f_flag,
        found.f_namemax,
        found.f_fsid,
    ];
    let class = struct_class("os.statvfs_result", STATVFS_FIELDS);
    Ok(make(
        &class,
        fields.iter().map(|n| Value::Int(*n as i64)).collect(),
    ))
}
