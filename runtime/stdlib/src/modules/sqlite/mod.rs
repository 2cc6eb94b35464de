//! `_sqlite_library`: SQLite as `_sqlite3.py` needs it.
//!
//! In: SQL, values. Out: connections and statements, rows. Always: what fails asks Python for the exception (`failure`); a
//! statement keeps its connection open. SQLite calls functions of the script only while one of ours waits for it, which has
//! noted the interpreter.

mod callbacks;
mod statement;
mod values;

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString};
use std::rc::Rc;

use janus_interp::Interp;
use janus_object::heap::Tracer;
use janus_object::{
    Args, Class, Foreign, Instance, NativeDef, PyRef, PyResult, Raised, Value, Vm, ops,
};
use libsqlite3_sys as ffi;

use crate::support::{foreign_class, int, module, string};

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_sqlite_library", "", FUNCTIONS);
    // SAFETY: a text that is always there.
    let version = unsafe { CStr::from_ptr(ffi::sqlite3_libversion()) };
    m.set("version", version.to_string_lossy().as_ref());
    Ok(Value::Module(m))
}

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_sqlite_library.open", open),
    NativeDef::function("_sqlite_library.set_failure", |_, args| {
        let [function] = args.exactly("set_failure")?;
        FAILURE.with(|failure| drop(failure.replace(Some(function.clone()))));
        Ok(Value::None)
    }),
    NativeDef::function("_sqlite_library.set_tracebacks", |vm, args| {
        let [on] = args.exactly("set_tracebacks")?;
        let on = ops::truth(vm, on)?;
        callbacks::set_tracebacks(on);
        Ok(Value::None)
    }),
    NativeDef::function("_sqlite_library.complete", |_, args| {
        let [text] = args.exactly("complete")?;
        let text = c_text(string(text, "argument")?)?;
        // SAFETY: the text ends with a zero.
        Ok(Value::bool(
            unsafe { ffi::sqlite3_complete(text.as_ptr()) } != 0,
        ))
    }),
    NativeDef::function("_sqlite_library.error_text", |vm, args| {
        let [code] = args.exactly("error_text")?;
        let code = int(vm, code)? as i32;
        // SAFETY: the text is static.
        let text = unsafe { CStr::from_ptr(ffi::sqlite3_errstr(code)) };
        Ok(Value::str(text.to_string_lossy().as_ref()))
    }),
];

janus_gil::gil_local! {
    /// Makes an exception of a code and a message.
    static FAILURE: RefCell<Option<Value>> = const { RefCell::new(None) };
}

/// The exception for a code.
fn failure(vm: &mut dyn Vm, code: i32, message: &str) -> Raised {
    let Some(function) = FAILURE.with(|f| f.borrow().clone()) else {
        return Raised::system_error(message);
    };
    let arguments = [Value::Int(code.into()), Value::str(message)];
    match vm.call(&function, Args::new(&arguments)) {
        Ok(Value::Instance(exception)) if exception.exception().is_some() => Raised(exception),
        Ok(_) => Raised::system_error(message),
        Err(raised) => raised,
    }
}

fn c_text(text: &str) -> PyResult<CString> {
    CString::new(text).map_err(|_| Raised::value_error("embedded null character"))
}

const METHODS: &[NativeDef] = &[
    NativeDef::method("Database.close", |_, a| {
        own(&a)?.0.close();
        Ok(Value::None)
    }),
    NativeDef::method("Database.prepare", statement::prepare),
    NativeDef::getter("Database.changes", |_, a| {
        let db = own(&a)?.0.pointer()?;
        // SAFETY: the connection is open.
        Ok(Value::Int(unsafe { ffi::sqlite3_changes64(db) }))
    }),
    NativeDef::getter("Database.total_changes", |_, a| {
        let db = own(&a)?.0.pointer()?;
        // SAFETY: the connection is open.
        Ok(Value::Int(unsafe { ffi::sqlite3_total_changes64(db) }))
    }),
    NativeDef::getter("Database.last_row", |_, a| {
        let db = own(&a)?.0.pointer()?;
        // SAFETY: the connection is open.
        Ok(Value::Int(unsafe { ffi::sqlite3_last_insert_rowid(db) }))
    }),
    NativeDef::getter("Database.in_transaction", |_, a| {
        let db = own(&a)?.0.pointer()?;
        // SAFETY: the connection is open.
        Ok(Value::bool(unsafe { ffi::sqlite3_get_autocommit(db) } == 0))
    }),
    NativeDef::method("Database.interrupt", |_, a| {
        let db = own(&a)?.0.pointer()?;
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_interrupt(db) };
        Ok(Value::None)
    }),
    NativeDef::method("Database.limit", |vm, a| {
        let (_, [which, value]) = a.method::<2>("limit")?;
        let (which, value) = (int(vm, which)? as i32, int(vm, value)? as i32);
        let db = own(&a)?.0.pointer()?;
        // SAFETY: the connection is open.
        Ok(Value::Int(
            unsafe { ffi::sqlite3_limit(db, which, value) }.into(),
        ))
    }),
    NativeDef::method("Database.backup", backup),
    NativeDef::method("Database.serialize", serialize),
    NativeDef::method("Database.deserialize", deserialize),
    NativeDef::method("Database.open_blob", values::open_blob),
    NativeDef::method("Database.create_function", callbacks::create_function),
    NativeDef::method("Database.create_aggregate", callbacks::create_aggregate),
    NativeDef::method("Database.create_collation", callbacks::create_collation),
    NativeDef::method("Database.set_authorizer", callbacks::set_authorizer),
    NativeDef::method("Database.set_progress", callbacks::set_progress),
    NativeDef::method("Database.set_trace", callbacks::set_trace),
];

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("Database", "_sqlite_library", METHODS);
    }
    CLASS.with(PyRef::clone)
}

/// An open connection; closed when the last statement of it goes.
struct Handle {
    db: Cell<*mut ffi::sqlite3>,
    /// Closed by the script: what is asked of it is an error.
    closed: Cell<bool>,
    /// What SQLite calls: the functions live as long as the connection.
    called: RefCell<Vec<Value>>,
}

impl Handle {
    fn pointer(&self) -> PyResult<*mut ffi::sqlite3> {
        match self.closed.get() {
            false => Ok(self.db.get()),
            true => Err(Raised::system_error("the connection is closed")),
        }
    }

    fn close(&self) {
        self.closed.set(true);
    }

    /// The error that SQLite reports for its last call.
    fn error(&self, vm: &mut dyn Vm) -> Raised {
        let db = self.db.get();
        // SAFETY: the connection is open as long as the handle; the text is copied before anything else is called.
        let (code, message) = unsafe {
            let message = CStr::from_ptr(ffi::sqlite3_errmsg(db));
            (
                ffi::sqlite3_extended_errcode(db),
                message.to_string_lossy().into_owned(),
            )
        };
        failure(vm, code, &message)
    }

    /// Whether a call went well.
    fn check(&self, vm: &mut dyn Vm, code: i32) -> PyResult<()> {
        match code {
            ffi::SQLITE_OK | ffi::SQLITE_ROW | ffi::SQLITE_DONE => Ok(()),
            _ => Err(self.error(vm)),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: nobody else has the connection any more, since statements keep the handle.
        unsafe { ffi::sqlite3_close(self.db.get()) };
    }
}

/// A connection, as Python has it.
pub(super) struct Database(Rc<Handle>);

impl Foreign for Database {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        // Statements may have the handle, too: what is shown twice would count as garbage.
        if Rc::strong_count(&self.0) == 1
            && let Ok(called) = self.0.called.try_borrow()
        {
            tracer.values(called.iter());
        }
    }
}

fn own<'a>(args: &Args<'a>) -> PyResult<&'a Database> {
    let found = args.pos.first().and_then(Value::foreign::<Database>);
    found.ok_or_else(|| Raised::type_error("a connection is required"))
}

/// `open(path, flags, busy)`: milliseconds to wait for a lock.
fn open(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [path, is_uri, busy] = args.exactly("open")?;
    let path = c_text(string(path, "path")?)?;
    let busy = int(vm, busy)?.clamp(0, i32::MAX.into()) as i32;
    let mut flags = ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE;
    if ops::truth(vm, is_uri)? {
        flags |= ffi::SQLITE_OPEN_URI;
    }
    let mut db = std::ptr::null_mut();
    // SAFETY: the path ends with a zero; the connection is written where there is room for it.
    let code = unsafe { ffi::sqlite3_open_v2(path.as_ptr(), &mut db, flags, std::ptr::null()) };
    if db.is_null() {
        return Err(Raised::new(janus_object::ExcKind::MemoryError, ""));
    }
    let handle = Handle {
        db: Cell::new(db),
        closed: Cell::new(false),
        called: RefCell::new(Vec::new()),
    };
    handle.check(vm, code)?;
    // SAFETY: the connection is open.
    unsafe {
        ffi::sqlite3_busy_timeout(db, busy);
        ffi::sqlite3_extended_result_codes(db, 1);
    }
    Ok(Instance::native(&class(), Database(Rc::new(handle))))
}

/// `backup(target, pages, progress, name, sleep)`: copies the database into another one.
fn backup(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [target, pages, progress, name, sleep]) = args.method::<5>("backup")?;
    let source = own(&args)?.0.clone();
    let Some(target) = target.foreign::<Database>().map(|db| db.0.clone()) else {
        return Err(Raised::type_error("a connection is required"));
    };
    let pages = int(vm, pages)? as i32;
    let sleep = crate::support::float(vm, sleep)?;
    let name = c_text(string(name, "name")?)?;
    // SAFETY: both connections are open; the names end with a zero.
    let copy = unsafe {
        ffi::sqlite3_backup_init(
            target.pointer()?,
            c"main".as_ptr(),
            source.pointer()?,
            name.as_ptr(),
        )
    };
    if copy.is_null() {
        return Err(target.error(vm));
    }
    let result = loop {
        // SAFETY: the copy is under way.
        let code = unsafe { ffi::sqlite3_backup_step(copy, pages) };
        if !progress.is_none() {
            // SAFETY: as above.
            let counts = unsafe {
                [
                    i64::from(code),
                    ffi::sqlite3_backup_remaining(copy).into(),
                    ffi::sqlite3_backup_pagecount(copy).into(),
                ]
            };
            if let Err(raised) = vm.call(progress, Args::new(&counts.map(Value::Int))) {
                break Err(raised);
            }
        }
        match code {
            ffi::SQLITE_OK => {}
            ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => {
                let pause = std::time::Duration::try_from_secs_f64(sleep).unwrap_or_default();
                crate::support::interp(vm)?.allow_threads(|| std::thread::sleep(pause));
            }
            _ => break Ok(()),
        }
    };
    // SAFETY: it is not used after this.
    let code = unsafe { ffi::sqlite3_backup_finish(copy) };
    result?;
    target.check(vm, code)?;
    Ok(Value::None)
}

fn serialize(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [name]) = args.method::<1>("serialize")?;
    let handle = own(&args)?.0.clone();
    let shown = string(name, "name")?.to_owned();
    let name = c_text(&shown)?;
    let mut size = 0;
    // SAFETY: the connection is open; what is given is freed below.
    unsafe {
        let bytes = ffi::sqlite3_serialize(handle.pointer()?, name.as_ptr(), &mut size, 0);
        if bytes.is_null() {
            let message = format!("unable to serialize '{shown}'");
            return Err(failure(vm, ffi::SQLITE_ERROR, &message));
        }
        let copy = std::slice::from_raw_parts(bytes, size as usize).to_vec();
        ffi::sqlite3_free(bytes.cast());
        Ok(Value::bytes(copy))
    }
}

fn deserialize(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [data, name]) = args.method::<2>("deserialize")?;
    let handle = own(&args)?.0.clone();
    let data = crate::support::bytes_like(data)?;
    let name = c_text(string(name, "name")?)?;
    // SAFETY: the bytes are copied to memory of SQLite's own, which it frees, whatever comes of it.
    let code = unsafe {
        let size = data.len() as u64;
        let copy = ffi::sqlite3_malloc64(size.max(1)).cast::<u8>();
        if copy.is_null() {
            return Err(Raised::new(janus_object::ExcKind::MemoryError, ""));
        }
        std::ptr::copy_nonoverlapping(data.as_ptr(), copy, data.len());
        let flags = ffi::SQLITE_DESERIALIZE_FREEONCLOSE | ffi::SQLITE_DESERIALIZE_RESIZEABLE;
        let size = size as i64;
        ffi::sqlite3_deserialize(handle.pointer()?, name.as_ptr(), copy, size, size, flags)
    };
    handle.check(vm, code)?;
    Ok(Value::None)
}
