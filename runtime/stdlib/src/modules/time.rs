//! `time`.
//!
//! In: the system's clocks and time zone. Out: the module. Always: `monotonic` and `perf_counter`
//! share one origin, taken when the module is first used.

mod zone;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use janus_interp::Interp;
use janus_object::{Args, Name, NativeDef, PyResult, Raised, Value, Vm, attr, name};

use crate::support::{float, interp, module};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("time.get_clock_info", get_clock_info),
    NativeDef::function("time.time", time),
    NativeDef::function("time.time_ns", time_ns),
    NativeDef::function("time.perf_counter", perf_counter),
    NativeDef::function("time.perf_counter_ns", perf_counter_ns),
    NativeDef::function("time.monotonic", perf_counter),
    NativeDef::function("time.monotonic_ns", perf_counter_ns),
    NativeDef::function("time.process_time", process_time),
    NativeDef::function("time.process_time_ns", process_time_ns),
    NativeDef::function("time.thread_time", thread_time),
    NativeDef::function("time.thread_time_ns", thread_time_ns),
    NativeDef::function("time.sleep", sleep),
    NativeDef::function("time.clock_gettime", |vm, args| {
        Ok(Value::float(system_clock(vm, &args, false)? as f64 / 1e9))
    }),
    NativeDef::function("time.clock_gettime_ns", |vm, args| {
        Ok(Value::Int(system_clock(vm, &args, false)?))
    }),
    NativeDef::function("time.clock_getres", |vm, args| {
        Ok(Value::float(system_clock(vm, &args, true)? as f64 / 1e9))
    }),
];

const CLOCKS: &[(&str, libc::clockid_t)] = &[
    ("CLOCK_REALTIME", libc::CLOCK_REALTIME),
    ("CLOCK_MONOTONIC", libc::CLOCK_MONOTONIC),
    ("CLOCK_PROCESS_CPUTIME_ID", libc::CLOCK_PROCESS_CPUTIME_ID),
    ("CLOCK_THREAD_CPUTIME_ID", libc::CLOCK_THREAD_CPUTIME_ID),
    ("CLOCK_MONOTONIC_RAW", libc::CLOCK_MONOTONIC_RAW),
    ("CLOCK_BOOTTIME", libc::CLOCK_BOOTTIME),
    ("CLOCK_TAI", libc::CLOCK_TAI),
];

/// What a clock of the system shows, or how fine it is, in nanoseconds.
fn system_clock(vm: &mut dyn Vm, args: &Args<'_>, resolution: bool) -> PyResult<i64> {
    let [id] = args.exactly::<1>("clock_gettime")?;
    let id = crate::support::int(vm, id)?;
    let id = libc::clockid_t::try_from(id)
        .map_err(|_| Raised::overflow_error("signed integer is greater than maximum"))?;
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the system writes to `time`, which lives until then, and nowhere else.
    let failed = unsafe {
        match resolution {
            true => libc::clock_getres(id, &mut time),
            false => libc::clock_gettime(id, &mut time),
        }
    };
    if failed != 0 {
        return Err(Raised::io_error(&std::io::Error::last_os_error(), None));
    }
    Ok(time
        .tv_sec
        .saturating_mul(1_000_000_000)
        .saturating_add(time.tv_nsec))
}

janus_gil::gil_local! {
    static ORIGIN: Instant = Instant::now();
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    ORIGIN.with(|_| ());
    let m = module("time", "", FUNCTIONS);
    for native in zone::FUNCTIONS {
        m.set(native.short_name(), native.to_value());
    }
    for (name, id) in CLOCKS {
        m.set(name, i64::from(*id));
    }
    zone::add(&m);
    Ok(Value::Module(m))
}

fn since_epoch() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

fn nanoseconds(duration: Duration) -> Value {
    Value::Int(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX))
}

fn time(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.time")?;
    Ok(Value::float(since_epoch().as_secs_f64()))
}

fn time_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.time_ns")?;
    Ok(nanoseconds(since_epoch()))
}

fn perf_counter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.perf_counter")?;
    Ok(Value::float(ORIGIN.with(Instant::elapsed).as_secs_f64()))
}

fn perf_counter_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.perf_counter_ns")?;
    Ok(nanoseconds(ORIGIN.with(Instant::elapsed)))
}

/// What is known of a clock.
fn get_clock_info(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [name] = args.exactly("get_clock_info")?;
    let (id, shown, adjustable) = match crate::support::string(name, "name")? {
        "monotonic" | "perf_counter" => (libc::CLOCK_MONOTONIC, "CLOCK_MONOTONIC", false),
        "process_time" => (
            libc::CLOCK_PROCESS_CPUTIME_ID,
            "CLOCK_PROCESS_CPUTIME_ID",
            false,
        ),
        "thread_time" => (
            libc::CLOCK_THREAD_CPUTIME_ID,
            "CLOCK_THREAD_CPUTIME_ID",
            false,
        ),
        "time" => (libc::CLOCK_REALTIME, "CLOCK_REALTIME", true),
        _ => return Err(Raised::value_error("unknown clock")),
    };
    let mut resolution = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the struct is written, and no clock that is not there is asked for.
    unsafe { libc::clock_getres(id, &raw mut resolution) };
    let seconds = resolution.tv_sec as f64 + resolution.tv_nsec as f64 * 1e-9;
    let class = vm.import("types")?;
    let class = attr::get(vm, &class, name!("SimpleNamespace"))?;
    let fields = [
        (
            "implementation",
            Value::str(format!("clock_gettime({shown})")),
        ),
        ("monotonic", Value::bool(!adjustable)),
        ("adjustable", Value::bool(adjustable)),
        ("resolution", Value::float(seconds)),
    ];
    let fields = fields.map(|(name, value)| (Name::new(name), value));
    vm.call(
        &class,
        Args {
            pos: &[],
            kw: &fields,
        },
    )
}

/// What one of the system's clocks shows; wall time where there is no such clock.
fn clock(id: libc::clockid_t) -> Duration {
    let mut shown = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to `shown`, which outlives it.
    let failed = unsafe { libc::clock_gettime(id, &raw mut shown) } != 0;
    match (u64::try_from(shown.tv_sec), u32::try_from(shown.tv_nsec)) {
        (Ok(seconds), Ok(nanoseconds)) if !failed => Duration::new(seconds, nanoseconds),
        _ => ORIGIN.with(Instant::elapsed),
    }
}

fn process_time(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.process_time")?;
    let shown = clock(libc::CLOCK_PROCESS_CPUTIME_ID);
    Ok(Value::float(shown.as_secs_f64()))
}

fn process_time_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.process_time_ns")?;
    Ok(nanoseconds(clock(libc::CLOCK_PROCESS_CPUTIME_ID)))
}

fn thread_time(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.thread_time")?;
    let shown = clock(libc::CLOCK_THREAD_CPUTIME_ID);
    Ok(Value::float(shown.as_secs_f64()))
}

fn thread_time_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.thread_time_ns")?;
    Ok(nanoseconds(clock(libc::CLOCK_THREAD_CPUTIME_ID)))
}

fn sleep(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [seconds] = args.exactly("time.sleep")?;
    let seconds = float(vm, seconds)?;
    if seconds < 0.0 {
        return Err(Raised::value_error("sleep length must be non-negative"));
    }
    let duration = Duration::try_from_secs_f64(seconds)
        .map_err(|_| Raised::overflow_error("timestamp out of range"))?;
    let vm = interp(vm)?;
    vm.flush_before_waiting();
    let start = Instant::now();
    vm.wait_for(|slice| {
        let left = duration.saturating_sub(start.elapsed());
        std::thread::sleep(left.min(slice));
        (left <= slice).then_some(())
    })?;
    Ok(Value::None)
}
