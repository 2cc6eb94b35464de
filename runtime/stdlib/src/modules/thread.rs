//! `_thread`: threads, locks, what each thread has for itself.
//!
//! In: functions to run. Out: operating-system threads that take turns (`janus_interp::Interp::start_thread`), locks whose
//! waiting gives the turn away. Always: a lock's state is behind a mutex of its own, so that it is waited for without the
//! interpreter.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use janus_interp::Interp;
use janus_object::heap::Tracer;
use janus_object::{
    Args, Class, ExcKind, Foreign, Instance, Name, NativeDef, Opaque, Payload, PyDict, PyRef,
    PyResult, Raised, Signature, Value, Vm, attr, name, ops,
};

use crate::support::{float, foreign_class, int, interp, module};

/// What a thread's stack takes at least, and for each level of Python that may be on it; pages are used on demand.
const LEAST_STACK: usize = 256 << 20;
const STACK_OF_A_LEVEL: usize = 107 << 10;

/// `threading.TIMEOUT_MAX`, as CPython has it on 64-bit machines.
const TIMEOUT_MAX: f64 = 9_223_372_036.0;

/// `_thread.stack_size()`
static STACK_SIZE: AtomicUsize = AtomicUsize::new(0);

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_thread.start_new_thread", start_new_thread),
    NativeDef::function("_thread.start_new", start_new_thread),
    NativeDef::noargs_function("_thread.allocate_lock", |_, _| Ok(lock_object())),
    NativeDef::noargs_function("_thread.allocate", |_, _| Ok(lock_object())),
    NativeDef::noargs_function("_thread.get_ident", |vm, _| {
        Ok(Value::Int(interp(vm)?.thread_ident() as i64))
    }),
    NativeDef::noargs_function("_thread.get_native_id", |_, _| {
        // SAFETY: the call has no arguments and cannot fail.
        Ok(Value::Int(unsafe { libc::syscall(libc::SYS_gettid) }))
    }),
    NativeDef::noargs_function("_thread._set_sentinel", set_sentinel),
    NativeDef::noargs_function("_thread._count", |_, _| Ok(Value::Int(STARTED.get()))),
    NativeDef::function("_thread.stack_size", stack_size),
    NativeDef::function("_thread.exit", |_, _| {
        Err(Raised::with_args(ExcKind::SystemExit, Vec::new()))
    }),
    NativeDef::function("_thread.interrupt_main", interrupt_main),
];

const LOCK: &[NativeDef] = &[
    NativeDef::method("lock.acquire", acquire),
    NativeDef::method("lock.acquire_lock", acquire),
    NativeDef::method("lock.__enter__", acquire),
    NativeDef::noargs_method("lock.release", release),
    NativeDef::noargs_method("lock.release_lock", release),
    NativeDef::method("lock.__exit__", release),
    NativeDef::noargs_method("lock.locked", |_, args| {
        Ok(Value::bool(*this::<LockObject>(&args)?.0.state()))
    }),
    NativeDef::noargs_method("lock.locked_lock", |_, args| {
        Ok(Value::bool(*this::<LockObject>(&args)?.0.state()))
    }),
    NativeDef::noargs_method("lock._at_fork_reinit", |_, args| {
        *this::<LockObject>(&args)?.0.state() = false;
        Ok(Value::None)
    }),
    NativeDef::noargs_method("lock.__repr__", |_, args| {
        let held = *this::<LockObject>(&args)?.0.state();
        Ok(shown(&args, held, ""))
    }),
];

const RLOCK: &[NativeDef] = &[
    NativeDef::function("RLock.__new__", |_, args| {
        let class = args.pos.first().and_then(Value::as_class);
        let class = class.ok_or_else(|| Raised::type_error("a class is required"))?;
        let lock = Opaque(RLock::default());
        Ok(Value::instance(class, Payload::Foreign(Box::new(lock))))
    }),
    NativeDef::method("RLock.acquire", reacquire),
    NativeDef::method("RLock.__enter__", reacquire),
    NativeDef::noargs_method("RLock.release", rerelease),
    NativeDef::method("RLock.__exit__", rerelease),
    NativeDef::noargs_method("RLock._is_owned", |vm, args| {
        let me = interp(vm)?.thread_ident();
        Ok(Value::bool(this::<RLock>(&args)?.owner.get() == me))
    }),
    NativeDef::noargs_method("RLock._recursion_count", |vm, args| {
        let me = interp(vm)?.thread_ident();
        let lock = this::<RLock>(&args)?;
        Ok(Value::Int(if lock.owner.get() == me {
            lock.count.get()
        } else {
            0
        }))
    }),
    NativeDef::noargs_method("RLock._release_save", |_, args| {
        let lock = this::<RLock>(&args)?;
        if lock.count.get() == 0 {
            return Err(Raised::runtime_error("cannot release un-acquired lock"));
        }
        let saved = vec![
            Value::Int(lock.count.take()),
            Value::Int(lock.owner.take() as i64),
        ];
        lock.cell.release();
        Ok(Value::tuple(saved))
    }),
    NativeDef::method("RLock._acquire_restore", |vm, args| {
        let lock = this::<RLock>(&args)?;
        let saved = args.pos.get(1).and_then(Value::as_tuple);
        let Some([count, owner]) = saved.map(|saved| &saved.items[..]) else {
            return Err(Raised::type_error("a pair is required"));
        };
        let (count, owner) = (int(vm, count)?, int(vm, owner)?);
        lock.cell.acquire(vm, None)?;
        lock.count.set(count);
        lock.owner.set(owner as u64);
        Ok(Value::None)
    }),
    NativeDef::noargs_method("RLock._at_fork_reinit", |_, args| {
        let lock = this::<RLock>(&args)?;
        lock.count.set(0);
        lock.owner.set(0);
        *lock.cell.state() = false;
        Ok(Value::None)
    }),
    NativeDef::noargs_method("RLock.__repr__", |_, args| {
        let lock = this::<RLock>(&args)?;
        let more = format!(" owner={} count={}", lock.owner.get(), lock.count.get());
        Ok(shown(&args, lock.count.get() > 0, &more))
    }),
];

const LOCAL: &[NativeDef] = &[
    NativeDef::function("_local.__new__", new_local),
    NativeDef::method("_local.__getattribute__", local_get),
    NativeDef::method("_local.__setattr__", local_set),
    NativeDef::method("_local.__delattr__", local_del),
];

const SIMPLE_QUEUE: &[NativeDef] = &[
    NativeDef::function("SimpleQueue.__new__", |_, args| {
        let class = args.pos.first().and_then(Value::as_class);
        let class = class.ok_or_else(|| Raised::type_error("a class is required"))?;
        let queue = SimpleQueue::default();
        Ok(Value::instance(class, Payload::Foreign(Box::new(queue))))
    }),
    NativeDef::method("SimpleQueue.put", |_, args| {
        static SIGNATURE: Signature<4> =
            Signature::new("put", ["self", "item", "block", "timeout"]).required(2);
        let [queue, item, _, _] = SIGNATURE.parse(args)?;
        put(queue.as_ref(), item)
    }),
    NativeDef::method("SimpleQueue.put_nowait", |_, args| {
        static SIGNATURE: Signature<2> = Signature::new("put_nowait", ["self", "item"]);
        let [queue, item] = SIGNATURE.parse(args)?;
        put(queue.as_ref(), item)
    }),
    NativeDef::method("SimpleQueue.get", |vm, args| {
        static SIGNATURE: Signature<3> =
            Signature::new("get", ["self", "block", "timeout"]).required(1);
        let [queue, block, timeout] = SIGNATURE.parse(args)?;
        let block = block.map_or(Ok(true), |block| ops::truth(vm, &block))?;
        let timeout = timeout.unwrap_or(Value::None);
        take(vm, queue.as_ref(), block, &timeout)
    }),
    NativeDef::method("SimpleQueue.get_nowait", |vm, args| {
        take(vm, args.pos.first(), false, &Value::None)
    }),
    NativeDef::noargs_method("SimpleQueue.qsize", |_, args| {
        Ok(Value::from(
            this::<SimpleQueue>(&args)?.items.borrow().len(),
        ))
    }),
    NativeDef::noargs_method("SimpleQueue.empty", |_, args| {
        Ok(Value::bool(
            this::<SimpleQueue>(&args)?.items.borrow().is_empty(),
        ))
    }),
];

janus_gil::gil_local! {
    static LOCK_CLASS: PyRef<Class> = foreign_class("lock", "_thread", LOCK);
    static EMPTY: PyRef<Class> = Class::builtin(
        "Empty", "_queue", &[&ExcKind::Exception.class()], janus_object::BaseKind::Exception, &[],
    );
    /// Threads that were started and have not ended.
    static STARTED: Cell<i64> = const { Cell::new(0) };
    /// The locks that a thread releases when it ends.
    static SENTINELS: RefCell<HashMap<u64, Arc<LockCell>>> = RefCell::default();
    /// All that is local to threads.
    static LOCALS: RefCell<Vec<Weak<LocalDicts>>> = RefCell::default();
}

/// Makes `_thread`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_thread", "Threads and locks.", FUNCTIONS);
    m.set("LockType", Value::Class(LOCK_CLASS.with(PyRef::clone)));
    m.set(
        "RLock",
        Value::Class(foreign_class("RLock", "_thread", RLOCK)),
    );
    m.set(
        "_local",
        Value::Class(foreign_class("_local", "_thread", LOCAL)),
    );
    m.set("TIMEOUT_MAX", Value::float(TIMEOUT_MAX));
    m.set("error", Value::Class(ExcKind::RuntimeError.class()));
    Ok(Value::Module(m))
}

/// Makes `_queue`.
pub(crate) fn build_queue(_: &mut Interp) -> PyResult {
    let m = module("_queue", "A queue without bounds.", &[]);
    m.set(
        "SimpleQueue",
        Value::Class(foreign_class("SimpleQueue", "_queue", SIMPLE_QUEUE)),
    );
    m.set("Empty", Value::Class(EMPTY.with(PyRef::clone)));
    Ok(Value::Module(m))
}

fn this<'a, T: std::any::Any>(args: &Args<'a>) -> PyResult<&'a T> {
    own(args.pos.first())
}

fn own<T: std::any::Any>(value: Option<&Value>) -> PyResult<&T> {
    value
        .and_then(Value::foreign::<T>)
        .ok_or_else(|| Raised::type_error("an object of another class was given"))
}

/// `<locked _thread.lock object at 0x...>`
fn shown(args: &Args<'_>, held: bool, more: &str) -> Value {
    let object = args.pos.first().unwrap_or(&Value::None);
    let state = if held { "locked" } else { "unlocked" };
    let class = object.type_name();
    let address = ops::identity(object);
    Value::str(format!(
        "<{state} _thread.{class} object{more} at {address:#x}>"
    ))
}

// ---- threads -----------------------------------------------------------------------------

fn start_new_thread(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (function, positional, keywords) = match args.between("start_new_thread", 2, 3)? {
        [function, positional] => (function, positional, None),
        [function, positional, keywords, ..] => (function, positional, Some(keywords)),
        _ => {
            return Err(Raised::type_error(
                "start_new_thread expected at least 2 arguments",
            ));
        }
    };
    if !janus_object::call::is_callable(function) {
        return Err(Raised::type_error("first arg must be callable"));
    }
    let Some(positional) = positional.as_tuple() else {
        return Err(Raised::type_error("2nd arg must be a tuple"));
    };
    let positional = positional.items.to_vec();
    let keywords = match keywords {
        None => Vec::new(),
        Some(keywords) => {
            let Some(dict) = keywords.as_dict() else {
                return Err(Raised::type_error("optional 3rd arg must be a dictionary"));
            };
            let mut all = Vec::new();
            for (key, value) in dict.items() {
                let Some(key) = key.as_str() else {
                    return Err(Raised::type_error("keywords must be strings"));
                };
                all.push((Name::new(key), value));
            }
            all
        }
    };
    let function = function.clone();
    let vm = interp(vm)?;
    let stack = vm.recursion_limit().saturating_mul(STACK_OF_A_LEVEL);
    let stack = stack
        .max(LEAST_STACK)
        .max(STACK_SIZE.load(Ordering::Relaxed));
    let body = move |vm: &mut Interp| {
        let result = vm.call(&function, Args::with_kw(&positional, &keywords));
        drop((positional, keywords));
        if let Err(raised) = result
            && !raised.is(ExcKind::SystemExit)
        {
            let words = Some("Exception ignored in thread started by");
            vm.report_ignored_in(words, &raised, &function);
        }
        drop(function);
        end_thread(vm.thread_ident());
    };
    let ident = vm
        .start_thread(stack, body)
        .map_err(|_| Raised::runtime_error("can't start new thread"))?;
    STARTED.set(STARTED.get() + 1);
    Ok(Value::Int(ident as i64))
}

/// In a copy of the process: there are no other threads.
pub(super) fn after_fork() {
    STARTED.set(0);
    drop(SENTINELS.take());
}

/// What a thread leaves behind.
fn end_thread(ident: u64) {
    STARTED.set(STARTED.get() - 1);
    let locals = LOCALS.with_borrow_mut(|locals| {
        locals.retain(|local| local.strong_count() > 0);
        locals.clone()
    });
    for local in locals.iter().filter_map(Weak::upgrade) {
        let dict = local.dicts.borrow_mut().remove(&ident);
        drop(dict);
    }
    if let Some(lock) = SENTINELS.with_borrow_mut(|all| all.remove(&ident)) {
        lock.release();
    }
}

fn set_sentinel(vm: &mut dyn Vm, _: Args<'_>) -> PyResult {
    let cell = Arc::new(LockCell::default());
    let ident = interp(vm)?.thread_ident();
    SENTINELS.with_borrow_mut(|all| all.insert(ident, cell.clone()));
    Ok(Instance::native(
        &LOCK_CLASS.with(PyRef::clone),
        Opaque(LockObject(cell)),
    ))
}

fn stack_size(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let size = match args.between("stack_size", 0, 1)? {
        [size, ..] => int(vm, size)?,
        [] => return Ok(Value::from(STACK_SIZE.load(Ordering::Relaxed))),
    };
    match usize::try_from(size) {
        Ok(size) if size == 0 || size >= 32 << 10 => {
            Ok(Value::from(STACK_SIZE.swap(size, Ordering::Relaxed)))
        }
        Ok(_) => Err(Raised::value_error(format!("size not valid: {size} bytes"))),
        Err(_) => Err(Raised::value_error("size must be 0 or a positive value")),
    }
}

fn interrupt_main(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let signal = match args.between("interrupt_main", 0, 1)? {
        [signal, ..] => int(vm, signal)?,
        [] => i64::from(libc::SIGINT),
    };
    let signal = u32::try_from(signal)
        .ok()
        .filter(|signal| (1..=64).contains(signal))
        .ok_or_else(|| Raised::value_error("signal number out of range"))?;
    if super::signal::is_handled(interp(vm)?, signal) {
        janus_gil::pending::signal_came(signal);
    }
    Ok(Value::None)
}

// ---- locks -------------------------------------------------------------------------------

/// What is locked, without the interpreter.
#[derive(Default)]
struct LockCell {
    held: Mutex<bool>,
    released: Condvar,
}

struct LockObject(Arc<LockCell>);

#[derive(Default)]
struct RLock {
    cell: Arc<LockCell>,
    /// The thread that has it; 0 for none.
    owner: Cell<u64>,
    count: Cell<i64>,
}

impl LockCell {
    fn state(&self) -> MutexGuard<'_, bool> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self) {
        *self.state() = false;
        self.released.notify_one();
    }

    /// Takes the lock if nobody has it.
    fn try_acquire(&self) -> bool {
        !std::mem::replace(&mut *self.state(), true)
    }

    /// Takes the lock, waiting until the moment given at most; whether it was taken.
    fn acquire(self: &Arc<Self>, vm: &mut dyn Vm, until: Option<Instant>) -> PyResult<bool> {
        if self.try_acquire() {
            return Ok(true);
        }
        let vm = interp(vm)?;
        vm.flush_before_waiting();
        let cell = self.clone();
        vm.wait_for(move |slice| {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let mut held = cell.state();
            if *held {
                let wait = left.map_or(slice, |left| left.min(slice));
                held = cell
                    .released
                    .wait_timeout(held, wait)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
            if !*held {
                *held = true;
                return Some(true);
            }
            (left == Some(Duration::ZERO)).then_some(false)
        })
    }
}

fn lock_object() -> Value {
    Instance::native(
        &LOCK_CLASS.with(PyRef::clone),
        Opaque(LockObject(Arc::default())),
    )
}

/// `blocking` and `timeout` of an `acquire`: until when it waits; the moment has come for one that does not.
fn patience(vm: &mut dyn Vm, args: Args<'_>) -> PyResult<Option<Instant>> {
    static SIGNATURE: Signature<3> =
        Signature::new("acquire", ["self", "blocking", "timeout"]).required(1);
    let [_, blocking, timeout] = SIGNATURE.parse(args)?;
    let blocking = blocking.map_or(Ok(true), |blocking| ops::truth(vm, &blocking))?;
    let timeout = timeout.map_or(Ok(-1.0), |timeout| float(vm, &timeout))?;
    if !blocking {
        if timeout != -1.0 {
            return Err(Raised::value_error(
                "can't specify a timeout for a non-blocking call",
            ));
        }
        return Ok(Some(Instant::now()));
    }
    if timeout < 0.0 {
        if timeout != -1.0 {
            return Err(Raised::value_error(
                "timeout value must be a non-negative number",
            ));
        }
        return Ok(None);
    }
    deadline(timeout).map(Some)
}

/// The moment that is so many seconds from now.
fn deadline(seconds: f64) -> PyResult<Instant> {
    if seconds > TIMEOUT_MAX {
        return Err(Raised::overflow_error("timeout value is too large"));
    }
    Duration::try_from_secs_f64(seconds)
        .ok()
        .and_then(|timeout| Instant::now().checked_add(timeout))
        .ok_or_else(|| Raised::value_error("Invalid value NaN (not a number)"))
}

fn acquire(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let lock = this::<LockObject>(&args)?;
    if args.pos.len() == 1 && args.kw.is_empty() && lock.0.try_acquire() {
        return Ok(Value::bool(true));
    }
    let until = patience(vm, args)?;
    Ok(Value::bool(lock.0.acquire(vm, until)?))
}

fn release(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let lock = this::<LockObject>(&args)?;
    if !*lock.0.state() {
        return Err(Raised::runtime_error("release unlocked lock"));
    }
    lock.0.release();
    Ok(Value::None)
}

fn reacquire(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let lock = this::<RLock>(&args)?;
    let me = interp(vm)?.thread_ident();
    if lock.owner.get() == me {
        lock.count.set(lock.count.get() + 1);
        return Ok(Value::bool(true));
    }
    let until = patience(vm, args)?;
    if !lock.cell.acquire(vm, until)? {
        return Ok(Value::bool(false));
    }
    lock.owner.set(me);
    lock.count.set(1);
    Ok(Value::bool(true))
}

fn rerelease(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let lock = this::<RLock>(&args)?;
    if lock.owner.get() != interp(vm)?.thread_ident() {
        return Err(Raised::runtime_error("cannot release un-acquired lock"));
    }
    lock.count.set(lock.count.get() - 1);
    if lock.count.get() == 0 {
        lock.owner.set(0);
        lock.cell.release();
    }
    Ok(Value::None)
}

// ---- queues ------------------------------------------------------------------------------

#[derive(Default)]
struct SimpleQueue {
    items: RefCell<std::collections::VecDeque<Value>>,
    /// Items that nobody was promised yet.
    free: Arc<(Mutex<usize>, Condvar)>,
}

impl Foreign for SimpleQueue {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Ok(items) = self.items.try_borrow() {
            tracer.values(items.iter());
        }
    }

    fn clear(&self) {
        drop(self.items.take());
    }
}

fn put(queue: Option<&Value>, item: Option<Value>) -> PyResult {
    let queue = own::<SimpleQueue>(queue)?;
    queue
        .items
        .borrow_mut()
        .push_back(item.unwrap_or(Value::None));
    let (free, came) = &*queue.free;
    *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    came.notify_one();
    Ok(Value::None)
}

fn take(vm: &mut dyn Vm, queue: Option<&Value>, block: bool, timeout: &Value) -> PyResult {
    let queue = own::<SimpleQueue>(queue)?;
    let until = match (block, timeout) {
        (false, _) => Some(Instant::now()),
        (true, Value::None) => None,
        (true, timeout) => {
            let timeout = float(vm, timeout)?;
            if timeout < 0.0 {
                return Err(Raised::value_error(
                    "'timeout' must be a non-negative number",
                ));
            }
            Some(deadline(timeout)?)
        }
    };
    let free = queue.free.clone();
    let promised = |slice: Duration| {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let mut count = free.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *count == 0 && left != Some(Duration::ZERO) {
            let wait = left.map_or(slice, |left| left.min(slice));
            let waited = free.1.wait_timeout(count, wait);
            count = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if *count > 0 {
            *count -= 1;
            return Some(true);
        }
        (left == Some(Duration::ZERO)).then_some(false)
    };
    let came = match promised(Duration::ZERO) {
        Some(came) => came,
        None => {
            let vm = interp(vm)?;
            vm.flush_before_waiting();
            vm.wait_for(promised)?
        }
    };
    match came.then(|| queue.items.borrow_mut().pop_front()).flatten() {
        Some(item) => Ok(item),
        None => Err(Raised::of_class(&EMPTY.with(PyRef::clone), Vec::new())),
    }
}

// ---- what is local to a thread -----------------------------------------------------------

/// The attributes of one object in each thread, by the thread's number.
#[derive(Default)]
struct LocalDicts {
    dicts: RefCell<HashMap<u64, PyRef<PyDict>>>,
}

struct Local {
    all: Rc<LocalDicts>,
    /// What the class was called with: `__init__` is called with it in each thread.
    positional: Vec<Value>,
    keywords: Vec<(Name, Value)>,
}

impl Foreign for Local {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values(&self.positional);
        tracer.values(self.keywords.iter().map(|(_, value)| value));
        if let Ok(dicts) = self.all.dicts.try_borrow() {
            for dict in dicts.values() {
                tracer.value(&Value::Dict(dict.clone()));
            }
        }
    }

    fn clear(&self) {
        drop(self.all.dicts.take());
    }
}

fn new_local(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some((class, positional)) = args.pos.split_first() else {
        return Err(Raised::type_error("_local.__new__(): not enough arguments"));
    };
    let Some(class) = class.as_class() else {
        return Err(Raised::type_error(
            "_local.__new__(X): X is not a type object",
        ));
    };
    let keywords = args.kw.to_vec();
    let has_init = match class.lookup(name!("__init__")) {
        Some(Value::Native(init)) => init.qualname != "object.__init__",
        other => other.is_some(),
    };
    let has_arguments = !positional.is_empty() || !keywords.is_empty();
    if has_arguments && !has_init {
        return Err(Raised::type_error(
            "Initialization arguments are not supported",
        ));
    }
    let all = Rc::new(LocalDicts::default());
    // This thread's `__init__` is called by who makes the object.
    let ident = interp(vm)?.thread_ident();
    all.dicts
        .borrow_mut()
        .insert(ident, PyRef::new(PyDict::new()));
    LOCALS.with_borrow_mut(|locals| {
        if locals.len() % 64 == 63 {
            locals.retain(|local| local.strong_count() > 0);
        }
        locals.push(Rc::downgrade(&all));
    });
    let local = Local {
        all,
        positional: positional.to_vec(),
        keywords,
    };
    Ok(Value::instance(class, Payload::Foreign(Box::new(local))))
}

/// The running thread's attributes; where it sees the object for the first time, `__init__` makes them.
fn local_dict(vm: &mut dyn Vm, object: &Value) -> PyResult<PyRef<PyDict>> {
    let local = own::<Local>(Some(object))?;
    let ident = interp(vm)?.thread_ident();
    if let Some(dict) = local.all.dicts.borrow().get(&ident) {
        return Ok(dict.clone());
    }
    let dict = PyRef::new(PyDict::new());
    local.all.dicts.borrow_mut().insert(ident, dict.clone());
    let class = janus_object::class_of(object);
    if let Some(init) = class.lookup(name!("__init__"))
        && !matches!(&init, Value::Native(init) if init.qualname == "object.__init__")
    {
        let mut positional = vec![object.clone()];
        positional.extend(local.positional.iter().cloned());
        let args = Args::with_kw(&positional, &local.keywords);
        if let Err(raised) = vm.call(&init, args) {
            local.all.dicts.borrow_mut().remove(&ident);
            return Err(raised);
        }
    }
    Ok(dict)
}

fn attribute_name<'a>(args: &Args<'a>) -> PyResult<(&'a Value, Name)> {
    let (Some(object), Some(attribute)) = (args.pos.first(), args.pos.get(1)) else {
        return Err(Raised::type_error("the name of an attribute is required"));
    };
    let Some(attribute) = attribute.as_str() else {
        return Err(Raised::type_error("attribute name must be string"));
    };
    Ok((object, Name::new(attribute)))
}

fn local_get(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (object, attribute) = attribute_name(&args)?;
    let dict = local_dict(vm, object)?;
    if &attribute == name!("__dict__") {
        return Ok(Value::Dict(dict));
    }
    let class = janus_object::class_of(object);
    let owner = Value::Class(class.clone());
    let found = class.lookup(&attribute);
    if let Some(descriptor) = &found
        && attr::is_data_descriptor(descriptor)
    {
        return attr::descriptor_get(vm, descriptor, Some(object), &owner);
    }
    if let Some(value) = dict.get_name(&attribute) {
        return Ok(value);
    }
    match found {
        Some(descriptor) => attr::descriptor_get(vm, &descriptor, Some(object), &owner),
        None => Err(Raised::no_attribute(object, &attribute)),
    }
}

/// Whether the class, not the thread's dict, says what happens when an attribute is set.
fn is_set_by_class(object: &Value, attribute: &Name) -> bool {
    let found = janus_object::class_of(object).lookup(attribute);
    found.is_some_and(|found| attr::is_data_descriptor(&found))
}

fn local_set(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (object, attribute) = attribute_name(&args)?;
    let value = args.pos.get(2).cloned().unwrap_or(Value::None);
    if &attribute == name!("__dict__") {
        return Err(read_only(object));
    }
    let dict = local_dict(vm, object)?;
    if is_set_by_class(object, &attribute) {
        attr::generic_set(vm, object, &attribute, value)?;
    } else {
        dict.set_name(&attribute, value);
    }
    Ok(Value::None)
}

fn local_del(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (object, attribute) = attribute_name(&args)?;
    if &attribute == name!("__dict__") {
        return Err(read_only(object));
    }
    let dict = local_dict(vm, object)?;
    if is_set_by_class(object, &attribute) {
        attr::generic_del(vm, object, &attribute)?;
    } else if dict.remove_name(&attribute).is_none() {
        return Err(Raised::no_attribute(object, &attribute));
    }
    Ok(Value::None)
}

fn read_only(object: &Value) -> Raised {
    let message = format!(
        "'{}' object attribute '__dict__' is read-only",
        object.type_name()
    );
    Raised::attribute_error(message, object, name!("__dict__"))
}
