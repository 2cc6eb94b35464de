//! File descriptors in `posix`: opening, pipes, reading and writing without a file object.
//!
//! In: numbers of descriptors. Out: bytes and numbers. Always: what may wait gives the turn away; descriptors that are made
//! are not inherited by programs that are started, as in CPython.

use std::ffi::CString;
use std::io::Error;

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Signature, Value, Vm, ops};

use crate::support::{bytes_like, int, interp, path};

pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("posix.open", open),
    NativeDef::function("posix.close", |vm, args| {
        let [fd] = args.exactly("close")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: a number that no file is behind fails; whose file it is, is the script's to know, as in CPython.
        done(unsafe { libc::close(fd) } as isize)
    }),
    NativeDef::function("posix.closerange", |vm, args| {
        let [from, to] = args.exactly("closerange")?;
        for fd in descriptor(vm, from)?..descriptor(vm, to)? {
            // SAFETY: as for `close`.
            unsafe { libc::close(fd) };
        }
        Ok(Value::None)
    }),
    NativeDef::function("posix.pipe", |_, args| {
        let [] = args.exactly("pipe")?;
        pipe(libc::O_CLOEXEC)
    }),
    NativeDef::function("posix.pipe2", |vm, args| {
        let [flags] = args.exactly("pipe2")?;
        let flags = descriptor(vm, flags)?;
        pipe(flags)
    }),
    NativeDef::function("posix.dup", |vm, args| {
        let [fd] = args.exactly("dup")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: no memory is involved.
        number(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) } as isize)
    }),
    NativeDef::function("posix.dup2", |vm, args| {
        static SIGNATURE: Signature<3> =
            Signature::new("dup2", ["fd", "fd2", "inheritable"]).required(2);
        let [fd, fd2, inheritable] = SIGNATURE.parse(args)?;
        let fd = descriptor(vm, &fd.unwrap_or(Value::None))?;
        let fd2 = descriptor(vm, &fd2.unwrap_or(Value::None))?;
        let inheritable = inheritable.map_or(Ok(true), |i| ops::truth(vm, &i))?;
        // SAFETY: no memory is involved.
        number(unsafe {
            match inheritable {
                true => libc::dup2(fd, fd2),
                false => libc::dup3(fd, fd2, libc::O_CLOEXEC),
            }
        } as isize)
    }),
    NativeDef::function("posix.read", |vm, args| {
        let [fd, count] = args.exactly("read")?;
        let (fd, count) = (descriptor(vm, fd)?, int(vm, count)?);
        let count = usize::try_from(count).map_err(|_| invalid())?;
        let mut bytes = vec![0u8; count.min(1 << 30)];
        let read = retried(vm, || {
            // SAFETY: the buffer is as long as said.
            unsafe { libc::read(fd, bytes.as_mut_ptr().cast(), bytes.len()) }
        })?;
        bytes.truncate(read as usize);
        Ok(Value::bytes(bytes))
    }),
    NativeDef::function("posix.write", |vm, args| {
        let [fd, data] = args.exactly("write")?;
        let (fd, bytes) = (descriptor(vm, fd)?, bytes_like(data)?);
        let written = retried(vm, || {
            // SAFETY: the bytes are as many as said.
            unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) }
        })?;
        Ok(Value::Int(written as i64))
    }),
    NativeDef::function("posix.lseek", |vm, args| {
        let [fd, to, whence] = args.exactly("lseek")?;
        let (fd, to, whence) = (descriptor(vm, fd)?, int(vm, to)?, descriptor(vm, whence)?);
        // SAFETY: no memory is involved.
        number(unsafe { libc::lseek(fd, to, whence) } as isize)
    }),
    NativeDef::function("posix.ftruncate", |vm, args| {
        let [fd, length] = args.exactly("ftruncate")?;
        let (fd, length) = (descriptor(vm, fd)?, int(vm, length)?);
        // SAFETY: no memory is involved.
        done(unsafe { libc::ftruncate(fd, length) } as isize)
    }),
    NativeDef::function("posix.fsync", |vm, args| {
        let [fd] = args.exactly("fsync")?;
        let fd = file_descriptor(vm, fd)?;
        // SAFETY: no memory is involved.
        retried(vm, || unsafe { libc::fsync(fd) } as isize)?;
        Ok(Value::None)
    }),
    NativeDef::function("posix.isatty", |vm, args| {
        let [fd] = args.exactly("isatty")?;
        let fd = descriptor(vm, fd)?;
        // SAFETY: no memory is involved.
        Ok(Value::bool(unsafe { libc::isatty(fd) } == 1))
    }),
    NativeDef::function("posix.get_inheritable", |vm, args| {
        let [fd] = args.exactly("get_inheritable")?;
        let flags = flags(vm, fd, libc::F_GETFD)?;
        Ok(Value::bool(flags & libc::FD_CLOEXEC == 0))
    }),
    NativeDef::function("posix.set_inheritable", |vm, args| {
        let [fd, inheritable] = args.exactly("set_inheritable")?;
        let inheritable = ops::truth(vm, inheritable)?;
        change(
            vm,
            fd,
            (libc::F_GETFD, libc::F_SETFD),
            libc::FD_CLOEXEC,
            !inheritable,
        )
    }),
    NativeDef::function("posix.get_blocking", |vm, args| {
        let [fd] = args.exactly("get_blocking")?;
        let flags = flags(vm, fd, libc::F_GETFL)?;
        Ok(Value::bool(flags & libc::O_NONBLOCK == 0))
    }),
    NativeDef::function("posix.set_blocking", |vm, args| {
        let [fd, blocking] = args.exactly("set_blocking")?;
        let blocking = ops::truth(vm, blocking)?;
        change(
            vm,
            fd,
            (libc::F_GETFL, libc::F_SETFL),
            libc::O_NONBLOCK,
            !blocking,
        )
    }),
];

/// Makes `_posixshmem`.
pub(super) fn build_shared_memory(_: &mut Interp) -> PyResult {
    let natives = [
        NativeDef::function("_posixshmem.shm_open", |vm, args| {
            static SIGNATURE: Signature<3> =
                Signature::new("shm_open", ["path", "flags", "mode"]).required(2);
            let [name, flags, mode] = SIGNATURE.parse(args)?;
            let name = shared_name(vm, &name)?;
            let flags = descriptor(vm, &flags.unwrap_or(Value::None))?;
            let mode = mode.map_or(Ok(0o777), |mode| descriptor(vm, &mode))?;
            // SAFETY: the name ends with a zero.
            let fd = unsafe { libc::shm_open(name.as_ptr(), flags, mode as libc::mode_t) };
            number(fd as isize)
        }),
        NativeDef::function("_posixshmem.shm_unlink", |vm, args| {
            static SIGNATURE: Signature<1> = Signature::new("shm_unlink", ["path"]);
            let [name] = SIGNATURE.parse(args)?;
            let name = shared_name(vm, &name)?;
            // SAFETY: the name ends with a zero.
            done(unsafe { libc::shm_unlink(name.as_ptr()) } as isize)
        }),
    ];
    Ok(Value::Module(crate::support::module(
        "_posixshmem",
        "Shared memory by name.",
        &natives,
    )))
}

fn shared_name(vm: &mut dyn Vm, name: &Option<Value>) -> PyResult<CString> {
    let name = path(vm, name.as_ref().unwrap_or(&Value::None))?;
    CString::new(name).map_err(|_| Raised::value_error("embedded null byte"))
}

fn invalid() -> Raised {
    Raised::io_error(&Error::from_raw_os_error(libc::EINVAL), None)
}

/// The number of a descriptor.
pub(super) fn descriptor(vm: &mut dyn Vm, value: &Value) -> PyResult<i32> {
    i32::try_from(int(vm, value)?)
        .map_err(|_| Raised::overflow_error("Python int too large to convert to C int"))
}

/// The number of a descriptor, or what `fileno` of a file says.
pub(super) fn file_descriptor(vm: &mut dyn Vm, value: &Value) -> PyResult<i32> {
    if let Value::Instance(_) = value {
        let fd = vm.call_method(value, janus_object::name!("fileno"), Args::new(&[]))?;
        return descriptor(vm, &fd);
    }
    descriptor(vm, value)
}

fn number(result: isize) -> PyResult {
    match result {
        0.. => Ok(Value::Int(result as i64)),
        _ => Err(Raised::io_error(&Error::last_os_error(), None)),
    }
}

fn done(result: isize) -> PyResult {
    number(result)?;
    Ok(Value::None)
}

/// Does it, while other threads have their turns, until no signal came between; a handler may end it by raising.
pub(crate) fn retried(vm: &mut dyn Vm, act: impl FnMut() -> isize + Send) -> PyResult<isize> {
    retried_on(vm, None, act)
}

/// The same with a file, which an error names.
fn retried_on(
    vm: &mut dyn Vm,
    file: Option<&Value>,
    mut act: impl FnMut() -> isize + Send,
) -> PyResult<isize> {
    let vm = interp(vm)?;
    loop {
        let done = vm.allow_threads(|| match act() {
            done if done >= 0 => Ok(done),
            _ => Err(Error::last_os_error()),
        });
        match done {
            Ok(done) => return Ok(done),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => vm.handle_signals()?,
            Err(error) => return Err(Raised::io_error(&error, file.cloned())),
        }
    }
}

fn open(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<4> = Signature::new("open", ["path", "flags", "mode", "dir_fd"])
        .required(2)
        .keyword_only(3);
    let [file, flags, mode, dir] = SIGNATURE.parse(args)?;
    let file = file.unwrap_or(Value::None);
    let flags = descriptor(vm, &flags.unwrap_or(Value::None))?;
    let mode = mode.map_or(Ok(0o777), |mode| descriptor(vm, &mode))?;
    let dir = match dir {
        None | Some(Value::None) => libc::AT_FDCWD,
        Some(dir) => descriptor(vm, &dir)?,
    };
    let name =
        CString::new(path(vm, &file)?).map_err(|_| Raised::value_error("embedded null byte"))?;
    let flags = flags | libc::O_CLOEXEC;
    let fd = retried_on(vm, Some(&file), || {
        // SAFETY: the name ends with a zero.
        unsafe { libc::openat(dir, name.as_ptr(), flags, mode) as isize }
    })?;
    Ok(Value::Int(fd as i64))
}

fn pipe(flags: i32) -> PyResult {
    let mut ends = [0i32; 2];
    // SAFETY: there is room for two descriptors.
    done(unsafe { libc::pipe2(ends.as_mut_ptr(), flags) } as isize)?;
    let [read, write] = ends.map(|fd| Value::Int(i64::from(fd)));
    Ok(Value::tuple(vec![read, write]))
}

fn flags(vm: &mut dyn Vm, fd: &Value, get: i32) -> PyResult<i32> {
    let fd = descriptor(vm, fd)?;
    // SAFETY: no memory is involved.
    match unsafe { libc::fcntl(fd, get) } {
        flags @ 0.. => Ok(flags),
        _ => Err(Raised::io_error(&Error::last_os_error(), None)),
    }
}

fn change(vm: &mut dyn Vm, fd: &Value, (get, set): (i32, i32), flag: i32, on: bool) -> PyResult {
    let before = flags(vm, fd, get)?;
    let after = if on { before | flag } else { before & !flag };
    let fd = descriptor(vm, fd)?;
    // SAFETY: no memory is involved.
    done(unsafe { libc::fcntl(fd, set, after) } as isize)
}
