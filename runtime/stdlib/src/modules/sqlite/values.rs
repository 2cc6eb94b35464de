//! Values on their way to and from SQLite, and blobs that are read in place.

use std::cell::Cell;
use std::rc::Rc;

use janus_object::{
    Args, Class, ExcKind, Foreign, Instance, NativeDef, PyRef, PyResult, Raised, Value, Vm, buffer,
};
use libsqlite3_sys as ffi;

use super::{Handle, c_text, own};
use crate::support::{foreign_class, int, string};

/// A value as SQLite stores it.
pub(super) enum Stored {
    Null,
    Int(i64),
    Float(f64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

impl Stored {
    /// What is stored of a value; none of what is not supported.
    pub fn of(value: &Value) -> PyResult<Option<Stored>> {
        if value.is_none() {
            return Ok(Some(Stored::Null));
        }
        if let Some(number) = value.as_bigint() {
            let number = i64::try_from(number).map_err(|_| {
                Raised::overflow_error("Python int too large to convert to SQLite INTEGER")
            })?;
            return Ok(Some(Stored::Int(number)));
        }
        if let Some(number) = value.as_f64() {
            return Ok(Some(Stored::Float(number)));
        }
        if let Some(text) = value.as_str() {
            janus_object::text::check_utf8(text)?;
            return Ok(Some(Stored::Text(text.as_bytes().to_vec())));
        }
        Ok(buffer::buffer_bytes(value).map(Stored::Blob))
    }
}

/// Bytes at an address of SQLite's.
///
/// # Safety
/// There are so many, and they stay as long as this copies them.
pub(super) unsafe fn copied(bytes: *const u8, size: i32) -> Vec<u8> {
    if bytes.is_null() || size <= 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(bytes, size as usize).to_vec() }
}

/// Text of SQLite's.
pub(super) fn text(bytes: Vec<u8>) -> Result<String, Vec<u8>> {
    String::from_utf8(bytes).map_err(std::string::FromUtf8Error::into_bytes)
}

const METHODS: &[NativeDef] = &[
    NativeDef::method("Blob.close", |_, a| {
        blob(&a)?.close();
        Ok(Value::None)
    }),
    NativeDef::getter("Blob.size", |_, a| Ok(Value::Int(blob(&a)?.size()?.into()))),
    NativeDef::method("Blob.read", |vm, a| {
        let (_, [offset, count]) = a.method::<2>("read")?;
        let (offset, count) = (int(vm, offset)? as i32, int(vm, count)?);
        let this = blob(&a)?;
        let mut bytes = vec![0u8; usize::try_from(count).unwrap_or(0)];
        // SAFETY: there is room for so many bytes.
        let code = unsafe {
            ffi::sqlite3_blob_read(
                this.pointer()?,
                bytes.as_mut_ptr().cast(),
                count as i32,
                offset,
            )
        };
        this.handle.check(vm, code)?;
        Ok(Value::bytes(bytes))
    }),
    NativeDef::method("Blob.write", |vm, a| {
        let (_, [offset, data]) = a.method::<2>("write")?;
        let (offset, data) = (int(vm, offset)? as i32, crate::support::bytes_like(data)?);
        let this = blob(&a)?;
        // SAFETY: there are so many bytes.
        let code = unsafe {
            ffi::sqlite3_blob_write(
                this.pointer()?,
                data.as_ptr().cast(),
                data.len() as i32,
                offset,
            )
        };
        this.handle.check(vm, code)?;
        Ok(Value::None)
    }),
];

struct Blob {
    handle: Rc<Handle>,
    blob: Cell<*mut ffi::sqlite3_blob>,
}

impl Foreign for Blob {}

impl Blob {
    fn pointer(&self) -> PyResult<*mut ffi::sqlite3_blob> {
        match self.blob.get() {
            blob if blob.is_null() => Err(Raised::new(ExcKind::SystemError, "a closed blob")),
            blob => Ok(blob),
        }
    }

    fn size(&self) -> PyResult<i32> {
        // SAFETY: the blob is open.
        Ok(unsafe { ffi::sqlite3_blob_bytes(self.pointer()?) })
    }

    fn close(&self) {
        let blob = self.blob.replace(std::ptr::null_mut());
        // SAFETY: it is closed once; of none, nothing is done.
        unsafe { ffi::sqlite3_blob_close(blob) };
    }
}

impl Drop for Blob {
    fn drop(&mut self) {
        self.close();
    }
}

fn blob<'a>(args: &Args<'a>) -> PyResult<&'a Blob> {
    let found = args.pos.first().and_then(Value::foreign::<Blob>);
    found.ok_or_else(|| Raised::type_error("a blob is required"))
}

/// `open_blob(database, table, column, row, writable)`
pub(super) fn open_blob(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("Blob", "_sqlite_library", METHODS);
    }
    let (_, [name, table, column, row, writable]) = args.method::<5>("open_blob")?;
    let handle = own(&args)?.0.clone();
    let row = int(vm, row)?;
    let writable = i32::from(janus_object::ops::truth(vm, writable)?);
    let [name, table, column] = [name, table, column].map(|t| string(t, "name").and_then(c_text));
    let (name, table, column) = (name?, table?, column?);
    let mut blob = std::ptr::null_mut();
    // SAFETY: the names end with zeros; the blob is written where there is room for it.
    let code = unsafe {
        ffi::sqlite3_blob_open(
            handle.pointer()?,
            name.as_ptr(),
            table.as_ptr(),
            column.as_ptr(),
            row,
            writable,
            &mut blob,
        )
    };
    let made = Blob {
        handle: handle.clone(),
        blob: Cell::new(blob),
    };
    handle.check(vm, code)?;
    Ok(Instance::native(&CLASS.with(PyRef::clone), made))
}
