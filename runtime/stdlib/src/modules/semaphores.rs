//! `_multiprocessing`: semaphores that processes share.
//!
//! In: names and counts. Out: POSIX semaphores, as locks with the owner's count. Always: waiting gives the turn away and
//! handles signals; an object closes its handle when it dies.

use std::cell::Cell;
use std::ffi::CString;
use std::io::Error;
use std::time::{Duration, Instant};

use janus_interp::Interp;
use janus_object::{
    Args, Class, ExcKind, NativeDef, Opaque, Payload, PyRef, PyResult, Raised, Signature, Value,
    Vm, ops,
};

use crate::support::{float, foreign_class, int, interp, module};

/// `RECURSIVE_MUTEX`: the process's thread that has it may take it again.
const RECURSIVE: i64 = 0;

struct Semaphore {
    handle: Cell<*mut libc::sem_t>,
    kind: i64,
    most: i64,
    name: Option<String>,
    count: Cell<i64>,
    owner: Cell<u64>,
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        let handle = self.handle.get();
        if !handle.is_null() {
            // SAFETY: the handle is one of `sem_open`, and nobody else has it.
            unsafe { libc::sem_close(handle) };
        }
    }
}

const METHODS: &[NativeDef] = &[
    NativeDef::function("SemLock.__new__", new),
    NativeDef::class_method("SemLock._rebuild", rebuild),
    NativeDef::method("SemLock.acquire", acquire),
    NativeDef::method("SemLock.__enter__", acquire),
    NativeDef::method("SemLock.release", release),
    NativeDef::method("SemLock.__exit__", release),
    NativeDef::method("SemLock._count", |_, args| {
        Ok(Value::Int(this(&args)?.count.get()))
    }),
    NativeDef::method("SemLock._is_mine", |vm, args| {
        let me = interp(vm)?.thread_ident();
        Ok(Value::bool(this(&args)?.is_mine(me)))
    }),
    NativeDef::method("SemLock._get_value", |_, args| {
        Ok(Value::Int(i64::from(this(&args)?.value()?.max(0))))
    }),
    NativeDef::method("SemLock._is_zero", |_, args| {
        Ok(Value::bool(this(&args)?.value()? <= 0))
    }),
    NativeDef::method("SemLock._after_fork", |_, args| {
        this(&args)?.count.set(0);
        Ok(Value::None)
    }),
    NativeDef::getter("SemLock.handle", |_, args| {
        Ok(Value::Int(this(&args)?.handle.get() as i64))
    }),
    NativeDef::getter("SemLock.kind", |_, args| Ok(Value::Int(this(&args)?.kind))),
    NativeDef::getter("SemLock.maxvalue", |_, args| {
        Ok(Value::Int(this(&args)?.most))
    }),
    NativeDef::getter("SemLock.name", |_, args| {
        Ok(this(&args)?.name.as_deref().map_or(Value::None, Value::str))
    }),
];

/// Makes the module.
pub(super) fn build(_: &mut Interp) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = {
            let class = foreign_class("SemLock", "_multiprocessing", METHODS);
            class.set(janus_object::name!("SEM_VALUE_MAX"), Value::Int(i64::from(i32::MAX)));
            class
        };
    }
    let natives = [NativeDef::function(
        "_multiprocessing.sem_unlink",
        |_, args| {
            let [name] = args.exactly("sem_unlink")?;
            let name = c_name(name)?;
            // SAFETY: the name ends with a zero.
            checked(unsafe { libc::sem_unlink(name.as_ptr()) })?;
            Ok(Value::None)
        },
    )];
    let m = module("_multiprocessing", "What processes share.", &natives);
    m.set("SemLock", Value::Class(CLASS.with(PyRef::clone)));
    let flags = janus_object::PyDict::new();
    for flag in ["HAVE_SEM_OPEN", "HAVE_SEM_TIMEDWAIT"] {
        flags.set_str(flag, Value::Int(1));
    }
    m.set("flags", Value::Dict(PyRef::new(flags)));
    Ok(Value::Module(m))
}

fn this<'a>(args: &Args<'a>) -> PyResult<&'a Semaphore> {
    args.pos
        .first()
        .and_then(Value::foreign::<Semaphore>)
        .ok_or_else(|| Raised::type_error("a SemLock is required"))
}

fn failed() -> Raised {
    Raised::io_error(&Error::last_os_error(), None)
}

fn checked(done: i32) -> PyResult<()> {
    if done == 0 { Ok(()) } else { Err(failed()) }
}

fn c_name(name: &Value) -> PyResult<CString> {
    let Some(name) = name.as_str() else {
        return Err(Raised::type_error("the name of a semaphore is a str"));
    };
    CString::new(name).map_err(|_| Raised::value_error("embedded null character"))
}

fn object(class: Option<&Value>, semaphore: Semaphore) -> PyResult {
    let Some(class) = class.and_then(Value::as_class) else {
        return Err(Raised::type_error("a class is required"));
    };
    let payload = Payload::Foreign(Box::new(Opaque(semaphore)));
    Ok(Value::instance(class, payload))
}

/// `SemLock(kind, value, maxvalue, name, unlink)`
fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<6> = Signature::new(
        "SemLock",
        ["cls", "kind", "value", "maxvalue", "name", "unlink"],
    );
    let given = SIGNATURE.parse(args)?;
    let [class, kind, value, most, name, unlink] = given.map(|v| v.unwrap_or(Value::None));
    let (kind, value, most) = (int(vm, &kind)?, int(vm, &value)?, int(vm, &most)?);
    if kind != RECURSIVE && kind != 1 {
        return Err(Raised::value_error("unrecognized kind"));
    }
    let value = u32::try_from(value)
        .map_err(|_| Raised::io_error(&Error::from_raw_os_error(libc::EINVAL), None))?;
    let text = c_name(&name)?;
    let unlink = ops::truth(vm, &unlink)?;
    // SAFETY: the name ends with a zero; mode and value are what the flags ask for.
    let handle =
        unsafe { libc::sem_open(text.as_ptr(), libc::O_CREAT | libc::O_EXCL, 0o600, value) };
    if handle == libc::SEM_FAILED {
        return Err(failed());
    }
    if unlink {
        // SAFETY: the name ends with a zero.
        checked(unsafe { libc::sem_unlink(text.as_ptr()) })?;
    }
    object(
        Some(&class),
        Semaphore {
            handle: Cell::new(handle),
            kind,
            most,
            name: (!unlink).then(|| text.to_string_lossy().into_owned()),
            count: Cell::new(0),
            owner: Cell::new(0),
        },
    )
}

/// `SemLock._rebuild(handle, kind, maxvalue, name)`: the semaphore of a name, in another process.
fn rebuild(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [class, _handle, kind, most, name] = args.exactly("_rebuild")?;
    if name.is_none() {
        return Err(Raised::value_error(
            "a semaphore without a name belongs to the process that made it and to its forks",
        ));
    }
    let text = c_name(name)?;
    // SAFETY: the name ends with a zero.
    let handle = unsafe { libc::sem_open(text.as_ptr(), 0) };
    if handle == libc::SEM_FAILED {
        return Err(failed());
    }
    object(
        Some(class),
        Semaphore {
            handle: Cell::new(handle),
            kind: int(vm, kind)?,
            most: int(vm, most)?,
            name: name.as_str().map(str::to_owned),
            count: Cell::new(0),
            owner: Cell::new(0),
        },
    )
}

impl Semaphore {
    fn is_mine(&self, me: u64) -> bool {
        self.count.get() > 0 && self.owner.get() == me
    }

    fn value(&self) -> PyResult<i32> {
        let mut value = 0;
        // SAFETY: the handle is open as long as the object lives, and there is room for the value.
        checked(unsafe { libc::sem_getvalue(self.handle.get(), &mut value) })?;
        Ok(value)
    }
}

/// A handle that is waited for by the thread that has no turn.
#[derive(Clone, Copy)]
struct Handle(*mut libc::sem_t);

// SAFETY: semaphores are made to be used by many threads; the object that owns this one is on the waiting thread's stack.
unsafe impl Send for Handle {}

impl Handle {
    /// Whether it could be taken at once.
    fn try_wait(self) -> bool {
        // SAFETY: the handle is open.
        unsafe { libc::sem_trywait(self.0) == 0 }
    }
}

fn acquire(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let semaphore = this(&args)?;
    let me = interp(vm)?.thread_ident();
    if semaphore.kind == RECURSIVE && semaphore.is_mine(me) {
        semaphore.count.set(semaphore.count.get() + 1);
        return Ok(Value::bool(true));
    }
    static SIGNATURE: Signature<3> =
        Signature::new("acquire", ["self", "block", "timeout"]).required(1);
    let [_, block, timeout] = SIGNATURE.parse(args)?;
    let block = block.map_or(Ok(true), |block| ops::truth(vm, &block))?;
    let until = match timeout {
        _ if !block => Some(Instant::now()),
        None | Some(Value::None) => None,
        Some(seconds) => {
            let seconds = Duration::try_from_secs_f64(float(vm, &seconds)?.max(0.0));
            let seconds = seconds.map_err(|_| Raised::overflow_error("timeout is too large"))?;
            Instant::now().checked_add(seconds)
        }
    };
    let handle = Handle(semaphore.handle.get());
    let mut taken = handle.try_wait();
    if !taken && block {
        let vm = interp(vm)?;
        vm.flush_before_waiting();
        taken = vm.wait_for(move |slice| {
            let handle = handle;
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if handle.wait(left.map_or(slice, |left| left.min(slice))) {
                return Some(true);
            }
            left.is_some_and(|left| left <= slice).then_some(false)
        })?;
    }
    if taken {
        semaphore.count.set(semaphore.count.get() + 1);
        semaphore.owner.set(me);
    }
    Ok(Value::bool(taken))
}

impl Handle {
    /// Waits so long at most; whether it was taken.
    fn wait(self, most: Duration) -> bool {
        let mut until = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: there is room for the time; the handle is open.
        unsafe {
            libc::clock_gettime(libc::CLOCK_REALTIME, &mut until);
            let nanos = until.tv_nsec + libc::c_long::from(most.subsec_nanos() as i32);
            until.tv_sec += most.as_secs() as libc::time_t + nanos / 1_000_000_000;
            until.tv_nsec = nanos % 1_000_000_000;
            libc::sem_timedwait(self.0, &until) == 0
        }
    }
}

fn release(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let semaphore = this(&args)?;
    if semaphore.kind == RECURSIVE {
        let me = interp(vm)?.thread_ident();
        if !semaphore.is_mine(me) {
            return Err(Raised::new(
                ExcKind::AssertionError,
                "attempt to release recursive lock not owned by thread",
            ));
        }
        if semaphore.count.get() > 1 {
            semaphore.count.set(semaphore.count.get() - 1);
            return Ok(Value::None);
        }
    } else if i64::from(semaphore.value()?) >= semaphore.most {
        return Err(Raised::value_error(
            "semaphore or lock released too many times",
        ));
    }
    // SAFETY: the handle is open.
    checked(unsafe { libc::sem_post(semaphore.handle.get()) })?;
    semaphore.count.set(semaphore.count.get() - 1);
    Ok(Value::None)
}
