//! Statements: parameters, steps, rows.

use std::cell::Cell;
use std::ffi::CStr;
use std::rc::Rc;

use janus_object::{Args, Class, Foreign, Instance, NativeDef, PyRef, PyResult, Raised, Value, Vm};
use libsqlite3_sys as ffi;

use super::values::{Stored, copied, text};
use super::{Handle, callbacks, failure, own};
use crate::support::{foreign_class, int, interp, string};

const METHODS: &[NativeDef] = &[
    NativeDef::method("Statement.finalize", |_, a| {
        statement(&a)?.finalize();
        Ok(Value::None)
    }),
    NativeDef::method("Statement.reset", |_, a| {
        let statement = statement(&a)?.pointer()?;
        // SAFETY: the statement is there.
        unsafe {
            ffi::sqlite3_reset(statement);
            ffi::sqlite3_clear_bindings(statement);
        }
        Ok(Value::None)
    }),
    NativeDef::getter("Statement.parameters", |_, a| {
        let statement = statement(&a)?.pointer()?;
        // SAFETY: the statement is there; names are texts of its own.
        let names = unsafe {
            (1..=ffi::sqlite3_bind_parameter_count(statement))
                .map(|at| named(ffi::sqlite3_bind_parameter_name(statement, at)))
        };
        Ok(Value::tuple(names.collect::<Vec<_>>()))
    }),
    NativeDef::getter("Statement.readonly", |_, a| {
        let statement = statement(&a)?.pointer()?;
        // SAFETY: the statement is there.
        Ok(Value::bool(
            unsafe { ffi::sqlite3_stmt_readonly(statement) } != 0,
        ))
    }),
    NativeDef::getter("Statement.columns", |_, a| {
        let statement = statement(&a)?.pointer()?;
        // SAFETY: the statement is there; names are texts of its own.
        let columns = unsafe {
            (0..ffi::sqlite3_column_count(statement)).map(|at| {
                let name = named(ffi::sqlite3_column_name(statement, at));
                let kind = named(ffi::sqlite3_column_decltype(statement, at));
                Value::tuple(vec![name, kind])
            })
        };
        Ok(Value::tuple(columns.collect::<Vec<_>>()))
    }),
    NativeDef::method("Statement.bind", bind),
    NativeDef::method("Statement.step", step),
    NativeDef::method("Statement.row", row),
    NativeDef::method("Statement.raw", raw),
];

struct Statement {
    handle: Rc<Handle>,
    statement: Cell<*mut ffi::sqlite3_stmt>,
}

impl Foreign for Statement {}

impl Statement {
    fn pointer(&self) -> PyResult<*mut ffi::sqlite3_stmt> {
        self.handle.pointer()?;
        match self.statement.get() {
            statement if statement.is_null() => Err(Raised::system_error("a statement that ended")),
            statement => Ok(statement),
        }
    }

    fn finalize(&self) {
        let statement = self.statement.replace(std::ptr::null_mut());
        // SAFETY: it is finalized once; of none, nothing is done.
        unsafe { ffi::sqlite3_finalize(statement) };
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        self.finalize();
    }
}

fn statement<'a>(args: &Args<'a>) -> PyResult<&'a Statement> {
    let found = args.pos.first().and_then(Value::foreign::<Statement>);
    found.ok_or_else(|| Raised::type_error("a statement is required"))
}

/// A text of SQLite's, or None.
///
/// # Safety
/// It is one, or null.
unsafe fn named(text: *const std::ffi::c_char) -> Value {
    if text.is_null() {
        return Value::None;
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    Value::str(text.to_string_lossy().as_ref())
}

/// `prepare(sql)`: the first statement, or None, and the rest of the text.
pub(super) fn prepare(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("Statement", "_sqlite_library", METHODS);
    }
    let (_, [sql]) = args.method::<1>("prepare")?;
    let handle = own(&args)?.0.clone();
    let sql = string(sql, "sql")?;
    let db = handle.pointer()?;
    let (mut statement, mut tail) = (std::ptr::null_mut(), std::ptr::null());
    let code = callbacks::while_called(vm, || {
        // SAFETY: the text is as long as said; both results are written where there is room for them.
        unsafe {
            ffi::sqlite3_prepare_v2(
                db,
                sql.as_ptr().cast(),
                sql.len() as i32,
                &mut statement,
                &mut tail,
            )
        }
    });
    let made = Statement {
        handle: handle.clone(),
        statement: Cell::new(statement),
    };
    handle.check(vm, code)?;
    let used = match tail.is_null() {
        true => sql.len(),
        false => tail as usize - sql.as_ptr() as usize,
    };
    let rest = Value::str(sql.get(used..).unwrap_or_default());
    let made = match statement.is_null() {
        true => Value::None,
        false => Instance::native(&CLASS.with(PyRef::clone), made),
    };
    Ok(Value::tuple(vec![made, rest]))
}

/// `bind(at, value)`: whether the value can be stored.
fn bind(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [at, value]) = args.method::<2>("bind")?;
    let this = statement(&args)?;
    let at = int(vm, at)? as i32;
    let Some(stored) = Stored::of(value)? else {
        return Ok(Value::bool(false));
    };
    let to = this.pointer()?;
    // SAFETY: the statement is there; texts and blobs are copied before this ends.
    let code = unsafe {
        match &stored {
            Stored::Null => ffi::sqlite3_bind_null(to, at),
            Stored::Int(number) => ffi::sqlite3_bind_int64(to, at, *number),
            Stored::Float(number) => ffi::sqlite3_bind_double(to, at, *number),
            Stored::Text(bytes) => ffi::sqlite3_bind_text(
                to,
                at,
                bytes.as_ptr().cast(),
                bytes.len() as i32,
                ffi::SQLITE_TRANSIENT(),
            ),
            // Of no bytes, the address counts.
            Stored::Blob(bytes) => ffi::sqlite3_bind_blob(
                to,
                at,
                bytes.as_ptr().cast(),
                bytes.len() as i32,
                ffi::SQLITE_TRANSIENT(),
            ),
        }
    };
    this.handle.check(vm, code)?;
    Ok(Value::bool(true))
}

/// Whether there is a row. Other threads have their turns meanwhile, unless functions of the script may be called.
fn step(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    /// Lets another thread's closure have it: SQLite serializes what threads do with a connection.
    struct Sent(*mut ffi::sqlite3_stmt);
    // SAFETY: see above.
    unsafe impl Send for Sent {}
    impl Sent {
        fn step(&self) -> i32 {
            // SAFETY: the statement is there as long as the call that it is made for.
            unsafe { ffi::sqlite3_step(self.0) }
        }
    }

    let this = statement(&args)?;
    let sent = Sent(this.pointer()?);
    let code = if this.handle.called.borrow().is_empty() {
        interp(vm)?.allow_threads(move || sent.step())
    } else {
        callbacks::while_called(vm, || sent.step())
    };
    this.handle.check(vm, code)?;
    Ok(Value::bool(code == ffi::SQLITE_ROW))
}

/// `row(text_factory)`: the values of the row; texts are what the factory makes of their bytes, if there is one.
fn row(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [factory]) = args.method::<1>("row")?;
    let this = statement(&args)?;
    let from = this.pointer()?;
    // SAFETY: the statement has a row.
    let count = unsafe { ffi::sqlite3_data_count(from) };
    let mut values = Vec::with_capacity(count.max(0) as usize);
    for at in 0..count {
        // SAFETY: there is such a column; what is at its address stays until the next step.
        let value = unsafe {
            match ffi::sqlite3_column_type(from, at) {
                ffi::SQLITE_INTEGER => Value::Int(ffi::sqlite3_column_int64(from, at)),
                ffi::SQLITE_FLOAT => Value::float(ffi::sqlite3_column_double(from, at)),
                ffi::SQLITE_TEXT => {
                    let start = ffi::sqlite3_column_text(from, at);
                    let bytes = copied(start, ffi::sqlite3_column_bytes(from, at));
                    match factory.is_none() {
                        false => vm.call(factory, Args::new(&[Value::bytes(bytes)]))?,
                        true => match text(bytes) {
                            Ok(text) => Value::str(text),
                            Err(bytes) => {
                                let name = named(ffi::sqlite3_column_name(from, at));
                                let message = format!(
                                    "Could not decode to UTF-8 column '{}' with text '{}'",
                                    name.as_str().unwrap_or_default(),
                                    String::from_utf8_lossy(&bytes)
                                );
                                return Err(failure(vm, ffi::SQLITE_ERROR, &message));
                            }
                        },
                    }
                }
                ffi::SQLITE_BLOB => {
                    let start = ffi::sqlite3_column_blob(from, at);
                    Value::bytes(copied(start.cast(), ffi::sqlite3_column_bytes(from, at)))
                }
                _ => Value::None,
            }
        };
        values.push(value);
    }
    Ok(Value::tuple(values))
}

/// `raw(at)`: a column as bytes, or None.
fn raw(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [at]) = args.method::<1>("raw")?;
    let at = int(vm, at)? as i32;
    let from = statement(&args)?.pointer()?;
    // SAFETY: the statement has a row; of a column that there is not, nothing is given.
    unsafe {
        if ffi::sqlite3_column_type(from, at) == ffi::SQLITE_NULL {
            return Ok(Value::None);
        }
        let start = ffi::sqlite3_column_blob(from, at);
        let bytes = copied(start.cast(), ffi::sqlite3_column_bytes(from, at));
        Ok(Value::bytes(bytes))
    }
}
