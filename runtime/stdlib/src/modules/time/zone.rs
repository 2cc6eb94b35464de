//! Local time: the fields of moments, and texts of them.
//!
//! In: moments, tuples of fields, formats. Out: what the C library makes of them, as CPython's `time` does. Always: the
//! fields of a tuple are within their ranges before the C library sees them.

use std::ffi::{CStr, CString};

use janus_object::{
    Args, Class, NativeDef, NativeFunction, PyModule, PyRef, PyResult, Raised, Value, Vm, attr,
    name, ops,
};

use super::since_epoch;
use crate::structseq::{make, struct_class};
use crate::support::{float, int};

pub(super) const FUNCTIONS: &[NativeDef] = &[
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

janus_gil::gil_local! {
    static STRUCT_TIME: PyRef<Class> = {
        let class = struct_class("time.struct_time", FIELDS);
        class.add_natives(&[NativeDef::function("struct_time.__new__", struct_time_new)]);
        class.set(name!("tm_zone"), Value::None);
        class.set(name!("tm_gmtoff"), Value::None);
        class
    };
}

/// Puts the class and what is known of the local time zone into the module.
pub(super) fn add(module: &PyRef<PyModule>) {
    let class = STRUCT_TIME.with(PyRef::clone);
    module.set("struct_time", Value::Class(class));
    module.set("_STRUCT_TM_ITEMS", Value::Int(FIELDS.len() as i64 + 2));
    let of = module.clone();
    module.set(
        "tzset",
        NativeFunction::closure("time.tzset", move |vm, args| {
            let [] = args.exactly("time.tzset")?;
            take_zone(vm)?;
            set_zone(&of);
            Ok(Value::None)
        }),
    );
    set_zone(module);
}

/// Lets the C library see the script's `os.environ["TZ"]`.
fn take_zone(vm: &mut dyn Vm) -> PyResult<()> {
    let os = vm.import("os")?;
    let environ = attr::get(vm, &os, name!("environ"))?;
    let get = attr::get(vm, &environ, name!("get"))?;
    let zone = vm.call(&get, Args::new(&[Value::from("TZ")]))?;
    // SAFETY: this is the only variable that is ever set, and who reads others goes through the standard library's lock.
    unsafe {
        match zone.as_str() {
            Some(zone) => std::env::set_var("TZ", zone),
            None => std::env::remove_var("TZ"),
        }
    }
    Ok(())
}

unsafe extern "C" {
    fn tzset();
}

/// The local zone's names and offsets, in winter and in summer.
fn set_zone(module: &PyRef<PyModule>) {
    const YEAR: i64 = (365 * 24 + 6) * 3600;
    // SAFETY: it reads the environment, which no other thread changes.
    unsafe { tzset() };
    let january = since_epoch().as_secs() as i64 / YEAR * YEAR;
    let of = |seconds| match local(seconds) {
        Some(tm) => (-tm.tm_gmtoff, zone_of(&tm)),
        None => (0, "UTC".to_owned()),
    };
    let (first, second) = (of(january), of(january + YEAR / 2));
    // South of the equator summer comes first.
    let (winter, summer) = match first.0 < second.0 {
        true => (second, first),
        false => (first, second),
    };
    module.set("timezone", winter.0);
    module.set("altzone", summer.0);
    module.set("daylight", i64::from(winter.0 != summer.0));
    let names = vec![Value::str(winter.1), Value::str(summer.1)];
    module.set("tzname", Value::tuple(names));
}

fn empty() -> libc::tm {
    // SAFETY: numbers, and a pointer that may be null.
    unsafe { std::mem::zeroed() }
}

fn local(seconds: i64) -> Option<libc::tm> {
    let mut tm = empty();
    // SAFETY: both pointers are to what outlives the call.
    let done = unsafe { libc::localtime_r(&raw const seconds, &raw mut tm) };
    (!done.is_null()).then_some(tm)
}

fn utc(seconds: i64) -> Option<libc::tm> {
    let mut tm = empty();
    // SAFETY: as above.
    let done = unsafe { libc::gmtime_r(&raw const seconds, &raw mut tm) };
    (!done.is_null()).then_some(tm)
}

/// The name of the zone that these fields are in.
fn zone_of(tm: &libc::tm) -> String {
    if tm.tm_zone.is_null() {
        return String::new();
    }
    // SAFETY: the C library keeps the names of zones, and this one was just given.
    unsafe { CStr::from_ptr(tm.tm_zone) }
        .to_string_lossy()
        .into_owned()
}

fn struct_time_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [_, sequence, ..] = args.pos else {
        return Err(Raised::type_error(
            "structseq() missing required argument 'sequence' (pos 1)",
        ));
    };
    let mut items = ops::collect(vm, sequence)?;
    let n = items.len();
    if !(FIELDS.len()..=FIELDS.len() + 2).contains(&n) {
        let bound = if n < FIELDS.len() {
            "least 9"
        } else {
            "most 11"
        };
        return Err(Raised::type_error(format!(
            "time.struct_time() takes an at {bound}-sequence ({n}-sequence given)"
        )));
    }
    let mut hidden = items.split_off(FIELDS.len()).into_iter();
    let made = make(&STRUCT_TIME.with(PyRef::clone), items);
    let (zone, offset) = (hidden.next(), hidden.next());
    hide(&made, zone, offset);
    Ok(made)
}

/// Gives a struct the two fields that are no items of the tuple.
fn hide(made: &Value, zone: Option<Value>, offset: Option<Value>) {
    let Value::Instance(instance) = made else {
        return;
    };
    for (name, value) in [(name!("tm_zone"), zone), (name!("tm_gmtoff"), offset)] {
        if let Some(value) = value {
            instance.dict().set_name(name, value);
        }
    }
}

fn struct_time(tm: &libc::tm) -> Value {
    let fields = [
        tm.tm_year + 1900,
        tm.tm_mon + 1,
        tm.tm_mday,
        tm.tm_hour,
        tm.tm_min,
        tm.tm_sec,
        (tm.tm_wday + 6) % 7,
        tm.tm_yday + 1,
        tm.tm_isdst,
    ];
    let items = fields.map(|n| Value::Int(i64::from(n))).to_vec();
    let made = make(&STRUCT_TIME.with(PyRef::clone), items);
    let zone = Value::str(zone_of(tm));
    hide(&made, Some(zone), Some(Value::Int(tm.tm_gmtoff)));
    made
}

/// The moment of an optional argument in seconds since the epoch; none: now.
fn moment(vm: &mut dyn Vm, args: Args<'_>, function: &'static str) -> PyResult<i64> {
    match args.between(function, 0, 1)? {
        [] | [Value::None] => Ok(since_epoch().as_secs() as i64),
        [seconds, ..] => {
            let seconds = float(vm, seconds)?;
            if seconds.is_nan() {
                return Err(Raised::value_error("Invalid value NaN (not a number)"));
            }
            let whole = seconds.floor();
            if whole < i64::MIN as f64 || whole >= i64::MAX as f64 {
                return Err(Raised::overflow_error(
                    "timestamp out of range for platform time_t",
                ));
            }
            Ok(whole as i64)
        }
    }
}

fn too_far() -> Raised {
    Raised::io_error(&std::io::Error::from_raw_os_error(libc::EOVERFLOW), None)
}

fn localtime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = local(moment(vm, args, "localtime")?).ok_or_else(too_far)?;
    Ok(struct_time(&at))
}

fn gmtime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = utc(moment(vm, args, "gmtime")?).ok_or_else(too_far)?;
    Ok(struct_time(&at))
}

/// The fields in a `struct_time` or a tuple of nine numbers, and the zone's name, which they point to.
fn fields(vm: &mut dyn Vm, value: &Value, function: &str) -> PyResult<(libc::tm, Option<CString>)> {
    if value.as_tuple().is_none() {
        return Err(Raised::type_error("Tuple or struct_time argument required"));
    }
    let items = ops::collect(vm, value)?;
    if items.len() != FIELDS.len() {
        return Err(Raised::type_error(format!(
            "{function}(): illegal time tuple argument"
        )));
    }
    let mut n = [0i32; 9];
    for (number, item) in n.iter_mut().zip(&items) {
        *number = i32::try_from(int(vm, item)?)
            .map_err(|_| Raised::overflow_error("signed integer is greater than maximum"))?;
    }
    let mut tm = empty();
    let year = n[0].checked_sub(1900);
    tm.tm_year = year.ok_or_else(|| Raised::overflow_error("year out of range"))?;
    tm.tm_mon = n[1].wrapping_sub(1);
    (tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec) = (n[2], n[3], n[4], n[5]);
    tm.tm_wday = n[6].wrapping_add(1) % 7;
    tm.tm_yday = n[7].wrapping_sub(1);
    tm.tm_isdst = n[8].clamp(-1, 1);
    let mut zone = None;
    let own = attr::get_opt(vm, value, name!("tm_zone"))?;
    if let Some(text) = own.as_ref().and_then(Value::as_str) {
        zone = CString::new(text).ok();
        tm.tm_zone = zone.as_ref().map_or(std::ptr::null(), |z| z.as_ptr());
        let offset = attr::get_opt(vm, value, name!("tm_gmtoff"))?;
        if let Some(Value::Int(offset)) = offset {
            tm.tm_gmtoff = offset;
        }
    }
    Ok((tm, zone))
}

/// Whether fields are such that a text can be made of them; what is 0 for "not known" becomes the first of its kind.
fn check(tm: &mut libc::tm) -> PyResult<()> {
    for (field, first) in [
        (&mut tm.tm_mon, 0),
        (&mut tm.tm_mday, 1),
        (&mut tm.tm_yday, 0),
    ] {
        if *field == first - 1 {
            *field = first;
        }
    }
    for (what, value, limits) in [
        ("month", tm.tm_mon, 0..=11),
        ("day of month", tm.tm_mday, 1..=31),
        ("hour", tm.tm_hour, 0..=23),
        ("minute", tm.tm_min, 0..=59),
        ("seconds", tm.tm_sec, 0..=61),
        ("day of week", tm.tm_wday, 0..=6),
        ("day of year", tm.tm_yday, 0..=365),
    ] {
        if !limits.contains(&value) {
            return Err(Raised::value_error(format!("{what} out of range")));
        }
    }
    Ok(())
}

fn mktime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [tuple] = args.exactly("time.mktime")?;
    let (mut tm, _zone) = fields(vm, tuple, "mktime")?;
    // It is set to something else unless the call fails: -1 is a moment, too.
    tm.tm_wday = -1;
    // SAFETY: the pointer is to what outlives the call.
    let at = unsafe { libc::mktime(&raw mut tm) };
    match at == -1 && tm.tm_wday == -1 {
        true => Err(Raised::overflow_error("mktime argument out of range")),
        false => Ok(Value::float(at as f64)),
    }
}

/// The fields of an optional argument; none: now.
fn fields_or_now(
    vm: &mut dyn Vm,
    given: Option<&Value>,
    function: &str,
) -> PyResult<(libc::tm, Option<CString>)> {
    let Some(tuple) = given else {
        let now = local(since_epoch().as_secs() as i64).ok_or_else(too_far)?;
        return Ok((now, None));
    };
    let (mut tm, zone) = fields(vm, tuple, function)?;
    check(&mut tm)?;
    Ok((tm, zone))
}

fn strftime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    /// No directive makes more of a character.
    const LONGEST: usize = 256;
    let given = args.between("strftime", 1, 2)?;
    let format = crate::support::string(&given[0], "strftime() argument 1")?;
    let (tm, _zone) = fields_or_now(vm, given.get(1), "strftime")?;
    let format =
        CString::new(format).map_err(|_| Raised::value_error("embedded null character"))?;
    if format.is_empty() {
        return Ok(Value::from(""));
    }
    let mut text = vec![0u8; 1024 + LONGEST * format.as_bytes().len()];
    // SAFETY: the text has the length that is said, and the fields point to a zone that is alive.
    let n = unsafe {
        libc::strftime(
            text.as_mut_ptr().cast(),
            text.len(),
            format.as_ptr(),
            &raw const tm,
        )
    };
    text.truncate(n);
    Ok(Value::str(String::from_utf8_lossy(&text).into_owned()))
}

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

fn shown(tm: &libc::tm) -> Value {
    let name = |names: &[&'static str], at: i32| {
        let name = usize::try_from(at).ok().and_then(|at| names.get(at));
        name.copied().unwrap_or("???")
    };
    Value::str(format!(
        "{} {}{:3} {:02}:{:02}:{:02} {}",
        name(&DAYS, tm.tm_wday),
        name(&MONTHS, tm.tm_mon),
        tm.tm_mday,
        tm.tm_hour,
        tm.tm_min,
        tm.tm_sec,
        tm.tm_year + 1900,
    ))
}

fn asctime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("asctime", 0, 1)?;
    let (tm, _zone) = fields_or_now(vm, given.first(), "asctime")?;
    Ok(shown(&tm))
}

fn ctime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = local(moment(vm, args, "ctime")?).ok_or_else(too_far)?;
    Ok(shown(&at))
}

fn strptime(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let module = vm.import("_strptime")?;
    let parse = attr::get(vm, &module, name!("_strptime_time"))?;
    vm.call(&parse, args)
}
