//! Functions of the script that SQLite calls.
//!
//! In: callables. Out: what they return, as SQLite's values. Always: an exception ends the statement with an error of
//! SQLite's, as in CPython; it is shown only if that was asked for.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::NonNull;

use janus_interp::Interp;
use janus_object::{Args, Name, PyResult, Value, Vm, ops};
use libsqlite3_sys as ffi;

use super::values::{Stored, copied, text};
use super::{c_text, own};
use crate::support::{int, interp, string};

janus_gil::gil_local! {
    /// Who waits for SQLite.
    static WAITING: Cell<Option<NonNull<Interp>>> = const { Cell::new(None) };
    static TRACEBACKS: Cell<bool> = const { Cell::new(false) };
}

/// `enable_callback_tracebacks`
pub(super) fn set_tracebacks(on: bool) {
    TRACEBACKS.with(|tracebacks| tracebacks.set(on));
}

/// Calls SQLite, which may call functions of the script meanwhile.
pub(super) fn while_called<R>(vm: &mut dyn Vm, call: impl FnOnce() -> R) -> R {
    let waiting = interp(vm).ok().map(NonNull::from);
    let before = WAITING.with(|place| place.replace(waiting));
    let result = call();
    WAITING.with(|place| place.set(before));
    result
}

/// Calls a function of the script from a function that SQLite called; none if it raised.
fn call(function: &Value, name: Option<&str>, args: &[Value]) -> Option<Value> {
    let mut waiting = WAITING.with(Cell::get)?;
    // SAFETY: `while_called` has it from a reference that it does not use before SQLite returns; this thread has the lock.
    let vm = unsafe { waiting.as_mut() };
    let result = match name {
        None => vm.call(function, Args::new(args)),
        Some(name) => vm.call_method(function, &Name::new(name), Args::new(args)),
    };
    match result {
        Ok(value) => Some(value),
        Err(raised) => {
            if TRACEBACKS.with(Cell::get) {
                vm.report_ignored_in(None, &raised, function);
            }
            None
        }
    }
}

/// The truth of what a function returned.
fn truth(value: &Value) -> Option<bool> {
    let mut waiting = WAITING.with(Cell::get)?;
    // SAFETY: as in `call`.
    ops::truth(unsafe { waiting.as_mut() }, value).ok()
}

/// The function that SQLite keeps the address of, until it calls `forget`.
fn kept(function: &Value) -> *mut c_void {
    Box::into_raw(Box::new(function.clone())).cast()
}

unsafe extern "C" fn forget(kept: *mut c_void) {
    // SAFETY: `kept` made it, and SQLite calls this once, for a thread that has the lock.
    drop(unsafe { Box::from_raw(kept.cast::<Value>()) });
}

/// # Safety
/// `kept` is what the function of that name made, and not yet forgotten.
unsafe fn function<'a>(kept: *mut c_void) -> &'a Value {
    // SAFETY: the caller's promise.
    unsafe { &*kept.cast::<Value>() }
}

/// # Safety
/// The arguments that SQLite gave.
unsafe fn arguments(count: c_int, values: *mut *mut ffi::sqlite3_value) -> Vec<Value> {
    let mut arguments = Vec::with_capacity(count.max(0) as usize);
    for at in 0..count.max(0) as usize {
        // SAFETY: there are so many, and they stay while the function runs.
        arguments.push(unsafe {
            let value = *values.add(at);
            match ffi::sqlite3_value_type(value) {
                ffi::SQLITE_INTEGER => Value::Int(ffi::sqlite3_value_int64(value)),
                ffi::SQLITE_FLOAT => Value::float(ffi::sqlite3_value_double(value)),
                ffi::SQLITE_TEXT => {
                    let start = ffi::sqlite3_value_text(value);
                    let bytes = copied(start, ffi::sqlite3_value_bytes(value));
                    text(bytes).map_or_else(Value::bytes, Value::str)
                }
                ffi::SQLITE_BLOB => {
                    let start = ffi::sqlite3_value_blob(value);
                    Value::bytes(copied(start.cast(), ffi::sqlite3_value_bytes(value)))
                }
                _ => Value::None,
            }
        });
    }
    arguments
}

/// Gives a result to SQLite; whether it can be stored.
///
/// # Safety
/// `context` is what SQLite gave.
unsafe fn give(context: *mut ffi::sqlite3_context, value: &Value) -> bool {
    let stored = Stored::of(value);
    // SAFETY: the caller's promise; texts and blobs are copied.
    unsafe {
        match stored {
            Ok(Some(Stored::Null)) => ffi::sqlite3_result_null(context),
            Ok(Some(Stored::Int(number))) => ffi::sqlite3_result_int64(context, number),
            Ok(Some(Stored::Float(number))) => ffi::sqlite3_result_double(context, number),
            Ok(Some(Stored::Text(bytes))) => ffi::sqlite3_result_text(
                context,
                bytes.as_ptr().cast(),
                bytes.len() as c_int,
                ffi::SQLITE_TRANSIENT(),
            ),
            Ok(Some(Stored::Blob(bytes))) => ffi::sqlite3_result_blob(
                context,
                bytes.as_ptr().cast(),
                bytes.len() as c_int,
                ffi::SQLITE_TRANSIENT(),
            ),
            Ok(None) | Err(_) => return false,
        }
    }
    true
}

/// # Safety
/// `context` is what SQLite gave.
unsafe fn fail(context: *mut ffi::sqlite3_context, message: &CStr) {
    // SAFETY: the caller's promise; the text ends with a zero.
    unsafe { ffi::sqlite3_result_error(context, message.as_ptr(), -1) };
}

unsafe extern "C" fn scalar(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: all of it is what SQLite gave.
    unsafe {
        let arguments = arguments(count, values);
        let result = call(function(ffi::sqlite3_user_data(context)), None, &arguments);
        if !result.is_some_and(|value| give(context, &value)) {
            fail(context, c"user-defined function raised exception");
        }
    }
}

/// The object of an aggregate, which its first row makes.
///
/// # Safety
/// `context` is what SQLite gave.
unsafe fn aggregate<'a>(context: *mut ffi::sqlite3_context, make: bool) -> Option<&'a Value> {
    let size = if make { size_of::<*mut Value>() } else { 0 };
    // SAFETY: SQLite's memory for the aggregate is zero at first, and holds what is put there below.
    unsafe {
        let place = ffi::sqlite3_aggregate_context(context, size as c_int).cast::<*mut Value>();
        if place.is_null() {
            return None;
        }
        if (*place).is_null() && make {
            match call(function(ffi::sqlite3_user_data(context)), None, &[]) {
                Some(object) => *place = Box::into_raw(Box::new(object)),
                None => {
                    fail(
                        context,
                        c"user-defined aggregate's '__init__' method raised error",
                    );
                    return None;
                }
            }
        }
        (*place).as_ref()
    }
}

unsafe extern "C" fn aggregate_step(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: all of it is what SQLite gave.
    unsafe {
        if let Some(object) = aggregate(context, true)
            && call(object, Some("step"), &arguments(count, values)).is_none()
        {
            fail(
                context,
                c"user-defined aggregate's 'step' method raised error",
            );
        }
    }
}

unsafe extern "C" fn aggregate_inverse(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: all of it is what SQLite gave.
    unsafe {
        if let Some(object) = aggregate(context, true)
            && call(object, Some("inverse"), &arguments(count, values)).is_none()
        {
            fail(
                context,
                c"user-defined aggregate's 'inverse' method raised error",
            );
        }
    }
}

unsafe extern "C" fn aggregate_value(context: *mut ffi::sqlite3_context) {
    // SAFETY: it is what SQLite gave.
    unsafe {
        if let Some(object) = aggregate(context, true)
            && !call(object, Some("value"), &[]).is_some_and(|value| give(context, &value))
        {
            fail(
                context,
                c"user-defined aggregate's 'value' method raised error",
            );
        }
    }
}

unsafe extern "C" fn aggregate_final(context: *mut ffi::sqlite3_context) {
    // SAFETY: it is what SQLite gave; the object is dropped once, since this is called last.
    unsafe {
        let Some(object) = aggregate(context, false) else {
            return;
        };
        if !call(object, Some("finalize"), &[]).is_some_and(|value| give(context, &value)) {
            fail(
                context,
                c"user-defined aggregate's 'finalize' method raised error",
            );
        }
        drop(Box::from_raw(std::ptr::from_ref(object).cast_mut()));
    }
}

unsafe extern "C" fn collate(
    kept: *mut c_void,
    left_size: c_int,
    left: *const c_void,
    right_size: c_int,
    right: *const c_void,
) -> c_int {
    // SAFETY: all of it is what SQLite gave.
    unsafe {
        let texts = [(left, left_size), (right, right_size)].map(|(start, size)| {
            text(copied(start.cast(), size)).map_or_else(Value::bytes, Value::str)
        });
        let order = call(function(kept), None, &texts).and_then(|order| order.as_bigint());
        match order.map(|order| order.sign()) {
            Some(num_bigint::Sign::Plus) => 1,
            Some(num_bigint::Sign::Minus) => -1,
            _ => 0,
        }
    }
}

unsafe extern "C" fn authorize(
    kept: *mut c_void,
    action: c_int,
    first: *const c_char,
    second: *const c_char,
    database: *const c_char,
    source: *const c_char,
) -> c_int {
    // SAFETY: all of it is what SQLite gave.
    unsafe {
        let texts = [first, second, database, source].map(|text| match text.is_null() {
            true => Value::None,
            false => Value::str(CStr::from_ptr(text).to_string_lossy().as_ref()),
        });
        let mut arguments = vec![Value::Int(action.into())];
        arguments.extend(texts);
        call(function(kept), None, &arguments)
            .and_then(|answer| answer.as_int())
            .and_then(|answer| c_int::try_from(answer).ok())
            .unwrap_or(ffi::SQLITE_DENY)
    }
}

unsafe extern "C" fn progress(kept: *mut c_void) -> c_int {
    // SAFETY: it is what SQLite gave.
    let answer = unsafe { call(function(kept), None, &[]) };
    c_int::from(answer.and_then(|answer| truth(&answer)).unwrap_or(true))
}

unsafe extern "C" fn trace(
    _event: std::ffi::c_uint,
    kept: *mut c_void,
    statement: *mut c_void,
    _text: *mut c_void,
) -> c_int {
    // SAFETY: all of it is what SQLite gave; the text that it makes is freed.
    unsafe {
        let sql = ffi::sqlite3_expanded_sql(statement.cast());
        if !sql.is_null() {
            let shown = Value::str(CStr::from_ptr(sql).to_string_lossy().as_ref());
            ffi::sqlite3_free(sql.cast());
            call(function(kept), None, &[shown]);
        }
    }
    0
}

/// A name that SQLite will know a function by.
fn function_name(name: &Value) -> PyResult<CString> {
    c_text(string(name, "name")?)
}

/// `create_function(name, count, function, deterministic)`
pub(super) fn create_function(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [name, count, function, deterministic]) = args.method::<4>("create_function")?;
    let handle = own(&args)?.0.clone();
    let (name, count) = (function_name(name)?, int(vm, count)? as c_int);
    let mut flags = ffi::SQLITE_UTF8;
    if ops::truth(vm, deterministic)? {
        flags |= ffi::SQLITE_DETERMINISTIC;
    }
    let db = handle.pointer()?;
    // SAFETY: the connection is open; SQLite forgets the function when it needs it no longer, or fails.
    let code = unsafe {
        match function.is_none() {
            true => ffi::sqlite3_create_function_v2(
                db,
                name.as_ptr(),
                count,
                flags,
                std::ptr::null_mut(),
                None,
                None,
                None,
                None,
            ),
            false => ffi::sqlite3_create_function_v2(
                db,
                name.as_ptr(),
                count,
                flags,
                kept(function),
                Some(scalar),
                None,
                None,
                Some(forget),
            ),
        }
    };
    handle.check(vm, code)?;
    handle.called.borrow_mut().push(function.clone());
    Ok(Value::None)
}

/// `create_aggregate(name, count, class, is_window)`
pub(super) fn create_aggregate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [name, count, class, is_window]) = args.method::<4>("create_aggregate")?;
    let handle = own(&args)?.0.clone();
    let (name, count) = (function_name(name)?, int(vm, count)? as c_int);
    let is_window = ops::truth(vm, is_window)?;
    let (db, none) = (handle.pointer()?, class.is_none());
    let app = if none {
        std::ptr::null_mut()
    } else {
        kept(class)
    };
    // SAFETY: as above.
    let code = unsafe {
        ffi::sqlite3_create_window_function(
            db,
            name.as_ptr(),
            count,
            ffi::SQLITE_UTF8,
            app,
            (!none).then_some(aggregate_step as _),
            (!none).then_some(aggregate_final as _),
            (!none && is_window).then_some(aggregate_value as _),
            (!none && is_window).then_some(aggregate_inverse as _),
            (!none).then_some(forget as _),
        )
    };
    handle.check(vm, code)?;
    handle.called.borrow_mut().push(class.clone());
    Ok(Value::None)
}

/// `create_collation(name, function)`
pub(super) fn create_collation(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [name, function]) = args.method::<2>("create_collation")?;
    let handle = own(&args)?.0.clone();
    let name = function_name(name)?;
    let (db, none) = (handle.pointer()?, function.is_none());
    let app = if none {
        std::ptr::null_mut()
    } else {
        kept(function)
    };
    // SAFETY: as above, but that a collation which could not be made is not forgotten.
    let code = unsafe {
        let code = ffi::sqlite3_create_collation_v2(
            db,
            name.as_ptr(),
            ffi::SQLITE_UTF8,
            app,
            (!none).then_some(collate as _),
            (!none).then_some(forget as _),
        );
        if code != ffi::SQLITE_OK && !none {
            forget(app);
        }
        code
    };
    handle.check(vm, code)?;
    handle.called.borrow_mut().push(function.clone());
    Ok(Value::None)
}

/// The address of a function that SQLite does not forget: it is kept as long as the process runs.
fn kept_for_good(function: &Value) -> *mut c_void {
    if function.is_none() {
        std::ptr::null_mut()
    } else {
        kept(function)
    }
}

/// `set_authorizer(function)`
pub(super) fn set_authorizer(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [function]) = args.method::<1>("set_authorizer")?;
    let handle = own(&args)?.0.clone();
    let db = handle.pointer()?;
    let set = (!function.is_none()).then_some(authorize as _);
    // SAFETY: the connection is open.
    let code = unsafe { ffi::sqlite3_set_authorizer(db, set, kept_for_good(function)) };
    handle.check(vm, code)?;
    handle.called.borrow_mut().push(function.clone());
    Ok(Value::None)
}

/// `set_progress(function, instructions)`
pub(super) fn set_progress(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [function, count]) = args.method::<2>("set_progress")?;
    let handle = own(&args)?.0.clone();
    let (db, count) = (handle.pointer()?, int(vm, count)? as c_int);
    let set = (!function.is_none()).then_some(progress as _);
    // SAFETY: the connection is open.
    unsafe { ffi::sqlite3_progress_handler(db, count, set, kept_for_good(function)) };
    handle.called.borrow_mut().push(function.clone());
    Ok(Value::None)
}

/// `set_trace(function)`
pub(super) fn set_trace(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [function]) = args.method::<1>("set_trace")?;
    let handle = own(&args)?.0.clone();
    let db = handle.pointer()?;
    let (events, set) = match function.is_none() {
        true => (0, None),
        false => (ffi::SQLITE_TRACE_STMT, Some(trace as _)),
    };
    // SAFETY: the connection is open.
    let code = unsafe { ffi::sqlite3_trace_v2(db, events, set, kept_for_good(function)) };
    handle.check(vm, code)?;
    handle.called.borrow_mut().push(function.clone());
    Ok(Value::None)
}
