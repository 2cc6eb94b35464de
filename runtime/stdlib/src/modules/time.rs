//! `time`.
//!
//! In: the system's clocks and time zone. Out: the module. Always: `monotonic` and `perf_counter`
//! share one origin, taken when the module is first used.

use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, Local, NaiveDate, NaiveDateTime, Offset, TimeZone, Timelike, Utc};
use janus_interp::Interp;
use janus_object::{Args, Class, NativeDef, PyResult, Raised, Value, Vm, ops};

use crate::structseq::{make, struct_class};
use crate::support::{float, int, interp, module};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("time.time", time),
    NativeDef::function("time.time_ns", time_ns),
    NativeDef::function("time.perf_counter", perf_counter),
    NativeDef::function("time.perf_counter_ns", perf_counter_ns),
    NativeDef::function("time.monotonic", perf_counter),
    NativeDef::function("time.monotonic_ns", perf_counter_ns),
    NativeDef::function("time.process_time", process_time),
    NativeDef::function("time.process_time_ns", process_time_ns),
    NativeDef::function("time.thread_time", process_time),
    NativeDef::function("time.sleep", sleep),
    NativeDef::function("time.localtime", localtime),
    NativeDef::function("time.gmtime", gmtime),
    NativeDef::function("time.mktime", mktime),
    NativeDef::function("time.strftime", strftime),
    NativeDef::function("time.asctime", asctime),
    NativeDef::function("time.ctime", ctime),
    NativeDef::function("time.strptime", strptime),
];

const FIELDS: &[&str] =
    &["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"];

thread_local! {
    static STRUCT_TIME: Rc<Class> = struct_class("time.struct_time", FIELDS);
    static ORIGIN: Instant = Instant::now();
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    ORIGIN.with(|_| ());
    let m = module("time", "", FUNCTIONS);
    m.set("struct_time", Value::Class(STRUCT_TIME.with(Rc::clone)));
    let offset = Local::now().offset().fix().local_minus_utc();
    m.set("timezone", -i64::from(offset));
    m.set("altzone", -i64::from(offset));
    m.set("daylight", 0i64);
    let zone = std::env::var("TZ").ok().filter(|_| offset != 0).unwrap_or_else(|| "UTC".to_owned());
    m.set("tzname", Value::tuple(vec![Value::str(zone.as_str()), Value::str(zone)]));
    Ok(Value::Module(m))
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
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

/// CPU time of this process: the clock ticks that `/proc/self/stat` counts, else wall time.
fn cpu_time() -> Duration {
    let ticks = std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next().and_then(|ns| ns.parse().ok()))
        .map(Duration::from_nanos);
    ticks.unwrap_or_else(|| ORIGIN.with(Instant::elapsed))
}

fn process_time(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.process_time")?;
    Ok(Value::Float(cpu_time().as_secs_f64()))
}

fn process_time_ns(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("time.process_time_ns")?;
    Ok(nanoseconds(cpu_time()))
}

fn sleep(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [seconds] = args.exactly("time.sleep")?;
    let seconds = float(vm, seconds)?;
    if seconds < 0.0 {
        return Err(Raised::value_error("sleep length must be non-negative"));
    }
    let duration =
        Duration::try_from_secs_f64(seconds).map_err(|_| Raised::overflow_error("timestamp out of range"))?;
    // What was printed so far should be visible while the program waits.
    let flushed = interp(vm)?.output().flush();
    flushed.map_err(|e| Raised::io_error(&e, None))?;
    std::thread::sleep(duration);
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
    make(&STRUCT_TIME.with(Rc::clone), items)
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
    let [year, month, day, hour, minute, second] = numbers;
    let part = |n: i64| u32::try_from(n).ok();
    i32::try_from(year)
        .ok()
        .and_then(|year| NaiveDate::from_ymd_opt(year, part(month.max(1))?, part(day.max(1))?))
        .and_then(|date| date.and_hms_opt(part(hour)?, part(minute)?, part(second.min(59))?))
        .ok_or_else(|| Raised::value_error("time tuple out of range"))
}

fn mktime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [tuple] = args.exactly("time.mktime")?;
    let at = from_tuple(vm, tuple)?;
    match Local.from_local_datetime(&at).earliest() {
        Some(at) => Ok(Value::Float(at.timestamp() as f64)),
        None => Err(Raised::overflow_error("mktime argument out of range")),
    }
}

/// `strftime` of a local time. Also used by `datetime`.
pub(crate) fn formatted(at: &NaiveDateTime, format: &str) -> PyResult<String> {
    use std::fmt::Write;
    let zoned = Local.from_local_datetime(at).earliest().unwrap_or_else(|| Utc.from_utc_datetime(at).into());
    // %Z of chrono is an offset; the C library gives a name.
    let format = format.replace("%Z", "UTC");
    let mut text = String::new();
    write!(text, "{}", zoned.format(&format)).map_err(|_| Raised::value_error("Invalid format string"))?;
    Ok(text)
}

fn strftime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("strftime", 1, 2)?;
    let format = crate::support::string(&given[0], "strftime() argument 1")?;
    let at = match given.get(1) {
        Some(tuple) => from_tuple(vm, tuple)?,
        None => Local::now().naive_local(),
    };
    Ok(Value::str(formatted(&at, format)?))
}

fn asctime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = match args.between("asctime", 0, 1)? {
        [tuple] => from_tuple(vm, tuple)?,
        _ => Local::now().naive_local(),
    };
    Ok(Value::str(formatted(&at, "%a %b %e %H:%M:%S %Y")?))
}

fn ctime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = moment(vm, args, "ctime")?;
    Ok(Value::str(formatted(&at.with_timezone(&Local).naive_local(), "%a %b %e %H:%M:%S %Y")?))
}

fn strptime(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("strptime", 1, 2)?;
    let text = crate::support::string(&given[0], "strptime() argument 1")?;
    let format = match given.get(1) {
        Some(format) => crate::support::string(format, "strptime() argument 2")?,
        None => "%a %b %d %H:%M:%S %Y",
    };
    Ok(struct_time(&parsed(text, format)?, -1))
}

/// `strptime`. Also used by `datetime`.
pub(crate) fn parsed(text: &str, format: &str) -> PyResult<NaiveDateTime> {
    let mut fields = chrono::format::Parsed::new();
    // Python's %f is a fraction without its point, chrono's %6f too but of fixed width.
    let items = format.replace("%f", "%f");
    let matched = chrono::format::parse(&mut fields, text, chrono::format::StrftimeItems::new(&items));
    if matched.is_err() {
        return Err(Raised::value_error(format!("time data {} does not match format {}", quoted(text), quoted(format))));
    }
    let date = fields.to_naive_date().or_else(|_| {
        let year = fields.year().unwrap_or(1900);
        NaiveDate::from_ymd_opt(year, fields.month().unwrap_or(1), fields.day().unwrap_or(1))
            .ok_or(chrono::format::Parsed::new().to_naive_date().err())
            .map_err(|_| ())
    });
    let time = fields.to_naive_time().unwrap_or_default();
    match date {
        Ok(date) => Ok(date.and_time(time)),
        Err(()) => Err(Raised::value_error("day is out of range for month")),
    }
}

fn quoted(text: &str) -> String {
    janus_object::text::str_repr(text)
}
