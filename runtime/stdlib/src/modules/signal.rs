//! `_signal`: signals and their handlers.
//!
//! In: signals of the system. Out: calls of the handlers that a script set, in the main thread, between two instructions;
//! KeyboardInterrupt for SIGINT where it set none. Always: the system's handler only notes the signal
//! (`janus_gil::pending`), and wakes up who waits for the descriptor of `set_wakeup_fd`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

use janus_gil::pending;
use janus_interp::Interp;
use janus_object::{Args, ExcKind, NativeDef, PyResult, Raised, Value, Vm, call};

use crate::support::{float, int, interp, module};

/// The signals of Linux by name; `SIGRTMIN` and `SIGRTMAX` are asked for.
const NAMES: &[(&str, i32)] = &[
    ("SIGHUP", libc::SIGHUP),
    ("SIGINT", libc::SIGINT),
    ("SIGQUIT", libc::SIGQUIT),
    ("SIGILL", libc::SIGILL),
    ("SIGTRAP", libc::SIGTRAP),
    ("SIGABRT", libc::SIGABRT),
    ("SIGIOT", libc::SIGABRT),
    ("SIGBUS", libc::SIGBUS),
    ("SIGFPE", libc::SIGFPE),
    ("SIGKILL", libc::SIGKILL),
    ("SIGUSR1", libc::SIGUSR1),
    ("SIGSEGV", libc::SIGSEGV),
    ("SIGUSR2", libc::SIGUSR2),
    ("SIGPIPE", libc::SIGPIPE),
    ("SIGALRM", libc::SIGALRM),
    ("SIGTERM", libc::SIGTERM),
    ("SIGSTKFLT", libc::SIGSTKFLT),
    ("SIGCHLD", libc::SIGCHLD),
    ("SIGCLD", libc::SIGCHLD),
    ("SIGCONT", libc::SIGCONT),
    ("SIGSTOP", libc::SIGSTOP),
    ("SIGTSTP", libc::SIGTSTP),
    ("SIGTTIN", libc::SIGTTIN),
    ("SIGTTOU", libc::SIGTTOU),
    ("SIGURG", libc::SIGURG),
    ("SIGXCPU", libc::SIGXCPU),
    ("SIGXFSZ", libc::SIGXFSZ),
    ("SIGVTALRM", libc::SIGVTALRM),
    ("SIGPROF", libc::SIGPROF),
    ("SIGWINCH", libc::SIGWINCH),
    ("SIGIO", libc::SIGIO),
    ("SIGPOLL", libc::SIGIO),
    ("SIGPWR", libc::SIGPWR),
    ("SIGSYS", libc::SIGSYS),
];

/// `SIG_DFL`, `SIG_IGN` as numbers.
const DEFAULT: i64 = 0;
const IGNORE: i64 = 1;

/// Whether SIGINT raises KeyboardInterrupt: then a second one, before anybody looked after the first, ends the process.
static ENDS_AT_SECOND: AtomicBool = AtomicBool::new(true);
/// The descriptor that gets a byte for each signal; -1 for none.
static WAKEUP: AtomicI32 = AtomicI32::new(-1);

/// The interpreter's main thread as the system knows it; 0 before there is one.
static MAIN: AtomicUsize = AtomicUsize::new(0);

const STATE: &str = "signal handlers";

#[derive(Default)]
struct Handlers(BTreeMap<u32, Value>);

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_signal.signal", set),
    NativeDef::function("_signal.getsignal", |vm, args| {
        let [signal] = args.exactly("getsignal")?;
        let signal = number(vm, signal)?;
        Ok(current(interp(vm)?, signal))
    }),
    NativeDef::function("_signal.default_int_handler", |_, _| {
        Err(Raised::with_args(ExcKind::KeyboardInterrupt, Vec::new()))
    }),
    NativeDef::function("_signal.raise_signal", |vm, args| {
        let [signal] = args.exactly("raise_signal")?;
        let signal = number(vm, signal)?;
        // SAFETY: raising a signal touches no memory of ours.
        checked(unsafe { libc::raise(signal as i32) })?;
        // The handler has run: it is the process's own signal.
        interp(vm)?.handle_signals()?;
        Ok(Value::None)
    }),
    NativeDef::function("_signal.alarm", |vm, args| {
        let [seconds] = args.exactly("alarm")?;
        let seconds = int(vm, seconds)?;
        // SAFETY: setting a timer touches no memory of ours.
        Ok(Value::Int(i64::from(unsafe {
            libc::alarm(seconds as u32)
        })))
    }),
    NativeDef::function("_signal.setitimer", set_timer),
    NativeDef::function("_signal.getitimer", |vm, args| {
        let [which] = args.exactly("getitimer")?;
        let which = int(vm, which)? as i32;
        let mut now = no_timer();
        // SAFETY: there is room for the answer.
        checked(unsafe { libc::getitimer(which as _, &mut now) })?;
        Ok(shown(&now))
    }),
    NativeDef::function("_signal.pause", |vm, _| {
        let vm = interp(vm)?;
        vm.flush_before_waiting();
        if !vm.is_main_thread() {
            // Signals are the main thread's.
            vm.wait_for(|slice| {
                std::thread::sleep(slice);
                None::<()>
            })?;
        }
        vm.allow_threads(|| {
            while !pending::signal_waits() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        vm.handle_signals()?;
        Ok(Value::None)
    }),
    NativeDef::function("_signal.set_wakeup_fd", set_wakeup),
    NativeDef::function("_signal.strsignal", |vm, args| {
        let [signal] = args.exactly("strsignal")?;
        let signal = number(vm, signal)?;
        // SAFETY: the text is static, or lives until the next call, and is copied at once.
        let text = unsafe { std::ffi::CStr::from_ptr(libc::strsignal(signal as i32)) };
        Ok(Value::str(text.to_string_lossy().as_ref()))
    }),
    NativeDef::function("_signal.valid_signals", |vm, _| {
        let all = (1..=64)
            .filter(|n| !(32..34).contains(n))
            .map(Value::Int)
            .collect();
        vm.call(
            &Value::Class(janus_object::types().set.clone()),
            Args::new(&[Value::list(all)]),
        )
    }),
    NativeDef::function("_signal.siginterrupt", |vm, args| {
        let [signal, _flag] = args.exactly("siginterrupt")?;
        // System calls are always begun again here, whatever the flag: as CPython itself does since 3.5.
        number(vm, signal)?;
        Ok(Value::None)
    }),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_signal", "Signals and their handlers.", FUNCTIONS);
    for (name, number) in NAMES {
        m.set(name, i64::from(*number));
    }
    m.set("SIGRTMIN", i64::from(libc::SIGRTMIN()));
    m.set("SIGRTMAX", i64::from(libc::SIGRTMAX()));
    m.set("SIG_DFL", DEFAULT);
    m.set("SIG_IGN", IGNORE);
    m.set("NSIG", 65i64);
    m.set("ITIMER_REAL", 0i64);
    m.set("ITIMER_VIRTUAL", 1i64);
    m.set("ITIMER_PROF", 2i64);
    m.set("ItimerError", Value::Class(ExcKind::OSError.class()));
    Ok(Value::Module(m))
}

/// Lets signals reach the interpreter.
pub(crate) fn install(vm: &mut Interp) {
    vm.set_signal_handler(handle);
}

/// In a copy of the process: the signals are this thread's, and none has come yet.
pub(super) fn after_fork() {
    // SAFETY: the call has no arguments and cannot fail.
    MAIN.store(unsafe { libc::pthread_self() } as usize, Ordering::SeqCst);
    janus_gil::signals::unblock();
    while pending::take_signal().is_some() {}
}

/// Catches SIGINT, unless the process was started with it ignored; for the interpreter's main thread.
pub(crate) fn catch_interrupts() {
    // SAFETY: the call has no arguments and cannot fail.
    MAIN.store(unsafe { libc::pthread_self() } as usize, Ordering::SeqCst);
    janus_gil::signals::unblock();
    // SAFETY: asking for the disposition changes nothing; there is room for the answer.
    let before = unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGINT, std::ptr::null(), &mut before);
        before.sa_sigaction
    };
    if before != libc::SIG_IGN {
        // SIGINT can be caught.
        let _ = dispose(libc::SIGINT as u32, notes_it());
    }
}

extern "C" fn on_signal(signal: libc::c_int) {
    // Atomics, `write`, `signal`, `raise` and the two functions on threads are all that may be used here.
    let main = MAIN.load(Ordering::SeqCst) as libc::pthread_t;
    // SAFETY: both are async-signal-safe; the main thread lives as long as the process.
    unsafe {
        if main != 0 && libc::pthread_equal(libc::pthread_self(), main) == 0 {
            // So that what it waits in is interrupted.
            libc::pthread_kill(main, signal);
            return;
        }
    }
    let unseen = pending::signal_came(signal as u32);
    let wakeup = WAKEUP.load(Ordering::SeqCst);
    // SAFETY: `write` is async-signal-safe and reads one byte that is there; its failure changes nothing but `errno`, which
    // is put back.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        if wakeup >= 0 {
            let byte = signal as u8;
            libc::write(wakeup, std::ptr::from_ref(&byte).cast(), 1);
        }
        *errno = before;
    }
    if unseen && signal == libc::SIGINT && ENDS_AT_SECOND.load(Ordering::SeqCst) {
        // SAFETY: both are async-signal-safe; the default action ends the process.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

fn notes_it() -> libc::sighandler_t {
    let handler: extern "C" fn(libc::c_int) = on_signal;
    handler as libc::sighandler_t
}

fn dispose(signal: u32, action: libc::sighandler_t) -> PyResult<()> {
    // SAFETY: the handler only does what a signal handler may do, and lives as long as the process; the structure is plain
    // data, whose zeroes are no flags and no mask. System calls that it interrupts fail, so that waiting ends.
    let done = unsafe {
        let mut wanted: libc::sigaction = std::mem::zeroed();
        wanted.sa_sigaction = action;
        libc::sigaction(signal as i32, &wanted, std::ptr::null_mut())
    };
    checked(done)
}

fn checked(done: i32) -> PyResult<()> {
    match done {
        0 => Ok(()),
        _ => Err(Raised::io_error(&std::io::Error::last_os_error(), None)),
    }
}

fn number(vm: &mut dyn Vm, signal: &Value) -> PyResult<u32> {
    let signal = int(vm, signal)?;
    u32::try_from(signal)
        .ok()
        .filter(|signal| (1..=64).contains(signal))
        .ok_or_else(|| Raised::value_error("signal number out of range"))
}

fn handlers(vm: &mut Interp) -> PyResult<&mut Handlers> {
    vm.native_state()
        .entry(STATE)
        .or_insert_with(|| Box::new(Handlers::default()))
        .downcast_mut()
        .ok_or_else(|| Raised::system_error("the handlers of signals are lost"))
}

/// What happens at a signal now: a handler, `SIG_DFL` or `SIG_IGN`.
fn current(vm: &mut Interp, signal: u32) -> Value {
    if let Ok(handlers) = handlers(vm)
        && let Some(handler) = handlers.0.get(&signal)
    {
        return handler.clone();
    }
    // SAFETY: asking for the disposition changes nothing; there is room for the answer.
    let action = unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal as i32, std::ptr::null(), &mut now);
        now.sa_sigaction
    };
    match action {
        libc::SIG_DFL => Value::Int(DEFAULT),
        libc::SIG_IGN => Value::Int(IGNORE),
        action if action == notes_it() => vm
            .import_module("_signal")
            .ok()
            .and_then(|module| match module {
                Value::Module(module) => module.get("default_int_handler"),
                _ => None,
            })
            .unwrap_or(Value::None),
        _ => Value::None,
    }
}

/// Whether a signal would do something in here.
pub(crate) fn is_handled(vm: &mut Interp, signal: u32) -> bool {
    !matches!(current(vm, signal), Value::Int(_) | Value::None)
}

fn is_default_int_handler(handler: &Value) -> bool {
    matches!(handler, Value::Native(native) if native.qualname == "_signal.default_int_handler")
}

fn set(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [signal, handler] = args.exactly("signal")?;
    let signal = number(vm, signal)?;
    if !interp(vm)?.is_main_thread() {
        return Err(Raised::value_error(
            "signal only works in main thread of the main interpreter",
        ));
    }
    let number = if call::is_callable(handler) {
        None
    } else {
        match int(vm, handler) {
            Ok(plain @ (DEFAULT | IGNORE)) => Some(plain),
            _ => {
                return Err(Raised::type_error(
                    "signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object",
                ));
            }
        }
    };
    let vm = interp(vm)?;
    let before = current(vm, signal);
    dispose(
        signal,
        match number {
            Some(DEFAULT) => libc::SIG_DFL,
            Some(_) => libc::SIG_IGN,
            None => notes_it(),
        },
    )?;
    if signal == libc::SIGINT as u32 {
        ENDS_AT_SECOND.store(is_default_int_handler(handler), Ordering::SeqCst);
    }
    let handlers = handlers(vm)?;
    match number {
        Some(_) => handlers.0.remove(&signal),
        None => handlers.0.insert(signal, handler.clone()),
    };
    Ok(before)
}

/// Calls what a script set for a signal.
fn handle(vm: &mut Interp, signal: u32) -> PyResult<()> {
    let handler = handlers(vm)?.0.get(&signal).cloned();
    match handler {
        Some(handler) => {
            let frame = vm
                .current_frame()
                .map_or(Value::None, janus_interp::Frame::object);
            let args = [Value::Int(i64::from(signal)), frame];
            vm.call(&handler, Args::new(&args))?;
            Ok(())
        }
        None if signal == libc::SIGINT as u32 => {
            Err(Raised::with_args(ExcKind::KeyboardInterrupt, Vec::new()))
        }
        None => Ok(()),
    }
}

fn set_wakeup(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: janus_object::Signature<2> =
        janus_object::Signature::new("set_wakeup_fd", ["fd", "warn_on_full_buffer"])
            .required(1)
            .positional_only(1);
    // A full buffer has woken up who reads it: nothing is lost that a warning would help with.
    let [fd, _] = SIGNATURE.parse(args)?;
    let fd = fd.map_or(Ok(-1), |fd| int(vm, &fd))?;
    let fd = i32::try_from(fd).map_err(|_| Raised::value_error("invalid fd"))?;
    Ok(Value::Int(i64::from(WAKEUP.swap(fd, Ordering::SeqCst))))
}

fn no_timer() -> libc::itimerval {
    let zero = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    libc::itimerval {
        it_interval: zero,
        it_value: zero,
    }
}

fn set_timer(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (which, seconds, interval) = match args.between("setitimer", 2, 3)? {
        [which, seconds] => (which, seconds, None),
        [which, seconds, interval, ..] => (which, seconds, Some(interval)),
        _ => {
            return Err(Raised::type_error(
                "setitimer expected at least 2 arguments",
            ));
        }
    };
    let which = int(vm, which)? as i32;
    let mut wanted = no_timer();
    wanted.it_value = timeval(float(vm, seconds)?)?;
    if let Some(interval) = interval {
        wanted.it_interval = timeval(float(vm, interval)?)?;
    }
    let mut before = no_timer();
    // SAFETY: both structures are there.
    checked(unsafe { libc::setitimer(which as _, &wanted, &mut before) })?;
    Ok(shown(&before))
}

fn timeval(seconds: f64) -> PyResult<libc::timeval> {
    if seconds < 0.0 {
        return Err(Raised::io_error(
            &std::io::Error::from_raw_os_error(libc::EINVAL),
            None,
        ));
    }
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|_| Raised::overflow_error("timestamp out of range for platform time_t"))?;
    let micros = time.as_nanos().div_ceil(1000);
    Ok(libc::timeval {
        tv_sec: (micros / 1_000_000) as libc::time_t,
        tv_usec: (micros % 1_000_000) as libc::suseconds_t,
    })
}

fn shown(timer: &libc::itimerval) -> Value {
    let seconds =
        |time: &libc::timeval| Value::float(time.tv_sec as f64 + time.tv_usec as f64 / 1e6);
    Value::tuple(vec![seconds(&timer.it_value), seconds(&timer.it_interval)])
}
