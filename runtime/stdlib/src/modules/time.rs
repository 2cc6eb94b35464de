//! `time`.
//!
//! In: the system's clocks and time zone. Out: the module. Always: `monotonic` and `perf_counter`
//! share one origin, taken when the module is first used.

mod strptime;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{
    DateTime, Datelike, Local, NaiveDate, NaiveDateTime, Offset, TimeZone, Timelike, Utc,
};
use janus_interp::Interp;
use janus_object::{
    Args, Class, Name, NativeDef, PyRef, PyResult, Raised, Value, Vm, attr, name, ops,
};

use crate::structseq::{make, struct_class};
use crate::support::{float, int, interp, module};

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
    NativeDef::function("time.localtime", localtime),
    NativeDef::function("time.gmtime", gmtime),
    NativeDef::function("time.mktime", mktime),
    NativeDef::function("time.strftime", strftime),
    NativeDef::function("time.asctime", asctime),
    NativeDef::function("time.ctime", ctime),
    NativeDef::function("time.strptime", strptime),
];

const FIELDS: &[&str] = &[
    "tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst",
];

thread_local! {
    static STRUCT_TIME: PyRef<Class> = {
        let class = struct_class("time.struct_time", FIELDS);
        class.add_natives(&[NativeDef::function("struct_time.__new__", struct_time_new)]);
        class
    };
    static ORIGIN: Instant = Instant::now();
}

fn struct_time_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let items = match args.pos {
        [_, sequence, ..] => ops::collect(vm, sequence)?,
        _ => {
            return Err(Raised::type_error(
                "structseq() missing required argument 'sequence' (pos 1)",
            ));
        }
    };
    if items.len() < FIELDS.len() {
        return Err(Raised::type_error(format!(
            "time.struct_time() takes an at least 9-sequence ({}-sequence given)",
            items.len()
        )));
    }
    Ok(make(
        &STRUCT_TIME.with(PyRef::clone),
        items.into_iter().take(FIELDS.len()).collect(),
    ))
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    ORIGIN.with(|_| ());
    let m = module("time", "", FUNCTIONS);
    m.set("struct_time", Value::Class(STRUCT_TIME.with(PyRef::clone)));
    let offset = Local::now().offset().fix().local_minus_utc();
    m.set("timezone", -i64::from(offset));
    m.set("altzone", -i64::from(offset));
    m.set("daylight", 0i64);
    let zone = zone_name();
    m.set(
        "tzname",
        Value::tuple(vec![Value::str(zone.as_str()), Value::str(zone)]),
    );
    Ok(Value::Module(m))
}

/// Name of the local time zone as far as it is known without the zone database.
fn zone_name() -> String {
    let offset = Local::now().offset().fix().local_minus_utc();
    std::env::var("TZ")
        .ok()
        .filter(|_| offset != 0)
        .unwrap_or_else(|| "UTC".to_owned())
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
    Ok(Value::Float(since_epoch().as_secs_f64()))
}

fn time_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.time_ns")?;
    Ok(nanoseconds(since_epoch()))
}

fn perf_counter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.perf_counter")?;
    Ok(Value::Float(ORIGIN.with(Instant::elapsed).as_secs_f64()))
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
        ("monotonic", Value::Bool(!adjustable)),
        ("adjustable", Value::Bool(adjustable)),
        ("resolution", Value::Float(seconds)),
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
    Ok(Value::Float(shown.as_secs_f64()))
}

fn process_time_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.process_time_ns")?;
    Ok(nanoseconds(clock(libc::CLOCK_PROCESS_CPUTIME_ID)))
}

fn thread_time(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.thread_time")?;
    let shown = clock(libc::CLOCK_THREAD_CPUTIME_ID);
    Ok(Value::Float(shown.as_secs_f64()))
}

fn thread_time_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.thread_time_ns")?;
    Ok(nanoseconds(clock(libc::CLOCK_THREAD_CPUTIME_ID)))
}

/// Ctrl-C ends a sleep within this time.
const INTERRUPTIBLE: Duration = Duration::from_millis(50);

fn sleep(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [seconds] = args.exactly("time.sleep")?;
    let seconds = float(vm, seconds)?;
    if seconds < 0.0 {
        return Err(Raised::value_error("sleep length must be non-negative"));
    }
    let duration = Duration::try_from_secs_f64(seconds)
        .map_err(|_| Raised::overflow_error("timestamp out of range"))?;
    // What was printed so far should be visible while the program waits.
    let flushed = interp(vm)?.output().flush();
    flushed.map_err(|e| Raised::io_error(&e, None))?;
    let start = Instant::now();
    while let Some(left) = duration.checked_sub(start.elapsed()) {
        std::thread::sleep(left.min(INTERRUPTIBLE));
        interp(vm)?.check_interrupt()?;
    }
    Ok(Value::None)
}

/// The moment of an optional argument in seconds since the epoch; none: now.
fn moment(vm: &mut dyn Vm, args: Args<'_>, function: &'static str) -> PyResult<DateTime<Utc>> {
    let seconds = match args.between(function, 0, 1)? {
        [] | [Value::None] => since_epoch().as_secs() as i64,
        [seconds, ..] => float(vm, seconds)?.floor() as i64,
    };
    DateTime::from_timestamp(seconds, 0)
        .ok_or_else(|| Raised::overflow_error("timestamp out of range for platform time_t"))
}

fn struct_time(at: &NaiveDateTime, dst: i64) -> Value {
    let items = vec![
        Value::Int(i64::from(at.year())),
        Value::Int(i64::from(at.month())),
        Value::Int(i64::from(at.day())),
        Value::Int(i64::from(at.hour())),
        Value::Int(i64::from(at.minute())),
        Value::Int(i64::from(at.second())),
        Value::Int(i64::from(at.weekday().num_days_from_monday())),
        Value::Int(i64::from(at.ordinal())),
        Value::Int(dst),
    ];
    make(&STRUCT_TIME.with(PyRef::clone), items)
}

fn localtime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = moment(vm, args, "localtime")?;
    Ok(struct_time(&at.with_timezone(&Local).naive_local(), 0))
}

fn gmtime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = moment(vm, args, "gmtime")?;
    Ok(struct_time(&at.naive_utc(), 0))
}

/// The date and time in a `struct_time` or a tuple of nine numbers.
fn from_tuple(vm: &mut dyn Vm, value: &Value) -> PyResult<NaiveDateTime> {
    if value.as_tuple().is_none() {
        return Err(Raised::type_error("Tuple or struct_time argument required"));
    }
    let items = ops::collect(vm, value)?;
    if items.len() != 9 {
        return Err(Raised::type_error("time.struct_time() takes a 9-sequence"));
    }
    let mut numbers = [0i64; 6];
    for (number, item) in numbers.iter_mut().zip(&items) {
        *number = int(vm, item)?;
    }
    numbers[5] = numbers[5].min(59);
    numbers[1] = numbers[1].max(1);
    numbers[2] = numbers[2].max(1);
    date_time(numbers)
}

/// Year, month, day, hour, minute, second.
pub(super) fn date_time(numbers: [i64; 6]) -> PyResult<NaiveDateTime> {
    let [year, month, day, hour, minute, second] = numbers;
    let part = |n: i64| u32::try_from(n).ok();
    i32::try_from(year)
        .ok()
        .and_then(|year| NaiveDate::from_ymd_opt(year, part(month)?, part(day)?))
        .and_then(|date| date.and_hms_opt(part(hour)?, part(minute)?, part(second)?))
        .ok_or_else(|| Raised::value_error("day is out of range for month"))
}

fn mktime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [tuple] = args.exactly("time.mktime")?;
    let at = from_tuple(vm, tuple)?;
    match Local.from_local_datetime(&at).earliest() {
        Some(at) => Ok(Value::Float(at.timestamp() as f64)),
        None => Err(Raised::overflow_error("mktime argument out of range")),
    }
}

/// `strftime` of a date and time; `%f`, `%z` and `%Z` are given, the rest is read off it.
fn formatted(
    at: &NaiveDateTime,
    format: &str,
    microsecond: u32,
    offset: &str,
    zone: &str,
) -> PyResult<String> {
    use std::fmt::Write;
    let mut rest = String::with_capacity(format.len());
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            rest.push(c);
            continue;
        }
        match chars.next() {
            // Writing to a String cannot fail.
            Some('f') => {
                let _ = write!(rest, "{microsecond:06}");
            }
            Some('z') => rest.push_str(offset),
            Some('Z') => rest.push_str(zone),
            Some('s') => {
                let local = Local.from_local_datetime(at).earliest();
                let _ = write!(rest, "{}", local.map_or(0, |at| at.timestamp()));
            }
            Some(directive) => rest.extend(['%', directive]),
            None => rest.push_str("%%"),
        }
    }
    let mut text = String::new();
    write!(text, "{}", at.format(&rest))
        .map_err(|_| Raised::value_error("Invalid format string"))?;
    Ok(text)
}

/// A local time in this machine's zone.
fn formatted_local(at: &NaiveDateTime, format: &str) -> PyResult<String> {
    let seconds = Local
        .from_local_datetime(at)
        .earliest()
        .map_or(0, |at| at.offset().fix().local_minus_utc());
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    let offset = format!("{sign}{:02}{:02}", minutes / 60, minutes % 60);
    formatted(at, format, 0, &offset, &zone_name())
}

fn strftime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("strftime", 1, 2)?;
    let format = crate::support::string(&given[0], "strftime() argument 1")?;
    let at = match given.get(1) {
        Some(tuple) => from_tuple(vm, tuple)?,
        None => Local::now().naive_local(),
    };
    Ok(Value::str(formatted_local(&at, format)?))
}

const CTIME: &str = "%a %b %e %H:%M:%S %Y";

fn asctime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = match args.between("asctime", 0, 1)? {
        [tuple] => from_tuple(vm, tuple)?,
        _ => Local::now().naive_local(),
    };
    Ok(Value::str(formatted_local(&at, CTIME)?))
}

fn ctime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = moment(vm, args, "ctime")?;
    Ok(Value::str(formatted_local(
        &at.with_timezone(&Local).naive_local(),
        CTIME,
    )?))
}

fn strptime(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("strptime", 1, 2)?;
    let text = crate::support::string(&given[0], "strptime() argument 1")?;
    let format = match given.get(1) {
        Some(format) => crate::support::string(format, "strptime() argument 2")?,
        None => "%a %b %d %H:%M:%S %Y",
    };
    let parsed = strptime::parse(text, format)?;
    Ok(struct_time(&parsed.date_time()?, -1))
}

/// Makes `_time`, which `datetime` builds on.
pub(crate) fn build_private(_: &mut Interp) -> PyResult {
    const PRIVATE: &[NativeDef] = &[
        NativeDef::function("_time.format", format_fields),
        NativeDef::function("_time.parse", parse_fields),
    ];
    Ok(Value::Module(module("_time", "", PRIVATE)))
}

/// `format((year, month, day, hour, minute, second, microsecond), format, offset, zone)`
fn format_fields(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [fields, format, offset, zone] = args.exactly("format")?;
    let fields = ops::collect(vm, fields)?;
    let mut numbers = [0i64; 7];
    for (number, field) in numbers.iter_mut().zip(&fields) {
        *number = int(vm, field)?;
    }
    let [year, month, day, hour, minute, second, microsecond] = numbers;
    let at = date_time([year, month, day, hour, minute, second])?;
    let format = crate::support::string(format, "strftime() argument 1")?;
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    Ok(Value::str(formatted(
        &at,
        format,
        microsecond as u32,
        &text(offset),
        &text(zone),
    )?))
}

/// `parse(text, format)`: the seven numbers of a datetime, and the offset in seconds or None.
fn parse_fields(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [text, format] = args.exactly("strptime")?;
    let text = crate::support::string(text, "strptime() argument 1")?;
    let format = crate::support::string(format, "strptime() argument 2")?;
    let parsed = strptime::parse(text, format)?;
    let at = parsed.date_time()?;
    let numbers = [
        i64::from(at.year()),
        i64::from(at.month()),
        i64::from(at.day()),
        i64::from(at.hour()),
        i64::from(at.minute()),
        i64::from(at.second()),
        parsed.microsecond,
    ];
    let fields = numbers.into_iter().map(Value::Int).collect::<Vec<_>>();
    Ok(Value::tuple(vec![
        Value::tuple(fields),
        parsed.offset.map_or(Value::None, Value::Int),
    ]))
}
