//! The methods of file objects.
//!
//! In: a file object and arguments. Out: text for text files, bytes for binary ones. Always: the
//! state is not borrowed while Python code may run.

use std::cell::RefMut;
use std::io::{self, SeekFrom};

use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, ops};

use super::file::{FileObject, Inner, Text, below, kept, translated};
use super::stream::Stream;
use super::waiting::{drain, read_ahead};
use super::{decode, encode};
use crate::support::{bytes_like, int, type_name};

pub(super) const COMMON: &[NativeDef] = &[
    NativeDef::method("_IOBase.read", read).at_most(1),
    NativeDef::method("_IOBase.read1", read),
    NativeDef::method("_IOBase.readline", readline).at_most(1),
    NativeDef::method("_IOBase.readlines", readlines).at_most(1),
    NativeDef::method("_IOBase.readinto", readinto),
    NativeDef::method("_IOBase.write", write),
    NativeDef::method("_IOBase.writelines", writelines),
    NativeDef::method("_IOBase.seek", seek).at_most(2),
    NativeDef::noargs_method("_IOBase.tell", tell),
    NativeDef::method("_IOBase.truncate", truncate).at_most(1),
    NativeDef::noargs_method("_IOBase.flush", flush),
    NativeDef::noargs_method("_IOBase.close", close),
    NativeDef::noargs_method("_IOBase.fileno", fileno),
    NativeDef::noargs_method("_IOBase.isatty", isatty),
    NativeDef::noargs_method("_IOBase.readable", readable),
    NativeDef::noargs_method("_IOBase.writable", writable),
    NativeDef::noargs_method("_IOBase.seekable", seekable),
    NativeDef::method("_IOBase.__enter__", enter),
    NativeDef::method("_IOBase.__exit__", exit),
    NativeDef::method("_IOBase.__iter__", enter),
    NativeDef::noargs_method("_IOBase.__next__", next_line),
    NativeDef::getter("_IOBase.closed", closed),
];

/// What only files have, not every class derived from a base of theirs.
pub(super) const FILE: &[NativeDef] = &[
    NativeDef::noargs_method("_File.getvalue", getvalue),
    NativeDef::noargs_method("_File.getbuffer", getbuffer),
    NativeDef::method("_File.reconfigure", reconfigure),
    NativeDef::noargs_method("_File.detach", detach),
    NativeDef::method("_File.__repr__", repr),
    NativeDef::getter("_File.name", file_name),
    NativeDef::getset("_File.mode", mode),
    NativeDef::getter("_File.encoding", encoding),
    NativeDef::getter("_File.errors", errors),
    NativeDef::getter("_File.newlines", newlines),
    NativeDef::getter("_File.buffer", buffer),
    NativeDef::getter("_File.raw", raw),
    NativeDef::getter("_File.line_buffering", |_, args| {
        let inner = inner(&args)?;
        if inner.text.is_some() {
            return Ok(Value::bool(inner.by_lines));
        }
        Err(Raised::no_attribute(
            &args.pos[0],
            janus_object::name!("line_buffering"),
        ))
    }),
];

/// `io.UnsupportedOperation`
fn unsupported(what: &str) -> Raised {
    Raised::of_class(&super::unsupported_operation(), vec![Value::str(what)])
}

pub(super) fn inner<'a>(args: &Args<'a>) -> PyResult<RefMut<'a, Inner>> {
    let Some(file) = args.pos.first().and_then(Value::foreign::<FileObject>) else {
        return Err(unsupported("not supported by this object"));
    };
    // Files call Python only while encoding, with no borrow held.
    let mut inner = file
        .inner
        .try_borrow_mut()
        .map_err(|_| Raised::runtime_error("reentrant call inside a file object"))?;
    if inner.stream.is_none() {
        inner.stream = inner.claim();
    }
    Ok(inner)
}

fn closed_error(inner: &Inner) -> Raised {
    // CPython's StringIO leaves the full stop out.
    let end = if inner.in_memory && inner.text.is_some() {
        ""
    } else {
        "."
    };
    Raised::value_error(format!("I/O operation on closed file{end}"))
}

pub(super) fn failed(error: &io::Error) -> Raised {
    Raised::io_error(error, None)
}

/// The stream of a file that is open.
fn stream(inner: &mut Inner) -> PyResult<&mut Stream> {
    if inner.stream.is_none() {
        return Err(closed_error(inner));
    }
    inner
        .stream
        .as_mut()
        .ok_or_else(|| Raised::value_error("I/O operation on closed file."))
}

/// The state of a file that can be read.
fn for_reading<'a>(args: &Args<'a>) -> PyResult<RefMut<'a, Inner>> {
    let mut inner = inner(args)?;
    stream(&mut inner)?;
    if !inner.readable {
        let what = if inner.text.is_some() {
            "not readable"
        } else {
            "read"
        };
        return Err(unsupported(what));
    }
    Ok(inner)
}

/// An optional size argument: none for "everything".
fn size(vm: &mut dyn Vm, args: &Args<'_>) -> PyResult<Option<usize>> {
    match args.pos.get(1).or_else(|| args.keyword("size")) {
        None | Some(Value::None) => Ok(None),
        Some(value) => Ok(usize::try_from(int(vm, value)?).ok()),
    }
}

/// Bytes as text or bytes, whichever the file holds.
fn as_value(vm: &mut dyn Vm, args: &Args<'_>, bytes: Vec<u8>, text: Option<&Text>) -> PyResult {
    let Some(text) = text else {
        return Ok(Value::bytes(bytes));
    };
    let decoded = decode(vm, bytes, &text.encoding, &text.errors)?;
    if !matches!(text.newline.as_deref(), None | Some("")) {
        return Ok(Value::str(decoded));
    }
    {
        let mut inner = inner(args)?;
        if inner.in_memory {
            // Line ends were seen to as it was written.
            return Ok(Value::str(decoded));
        }
        inner.seen.note(&decoded);
    }
    if text.translates() && decoded.contains('\r') {
        return Ok(Value::str(translated(&decoded)));
    }
    Ok(Value::str(decoded))
}

fn read(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let limit = size(vm, &args)?;
    drop(for_reading(&args)?);
    read_ahead(vm, &args, |bytes| limit.is_some_and(|n| bytes.len() >= n))?;
    let mut inner = for_reading(&args)?;
    let text = inner.text.clone();
    let bytes = match (limit, &text) {
        (None, _) => stream(&mut inner)?.read_all(),
        (Some(count), None) => stream(&mut inner)?.read(count),
        (Some(count), Some(text)) => read_chars(stream(&mut inner)?, count, text),
    };
    drop(inner);
    as_value(vm, &args, bytes.map_err(|e| failed(&e))?, text.as_ref())
}

/// The bytes of `count` characters (after translation of line ends).
fn read_chars(stream: &mut Stream, count: usize, text: &Text) -> io::Result<Vec<u8>> {
    let utf8 = text.encoding.to_ascii_lowercase().starts_with("utf");
    let mut bytes = Vec::new();
    loop {
        let lines = if text.translates() {
            bytes.windows(2).filter(|w| *w == b"\r\n").count()
        } else {
            0
        };
        let starts = bytes
            .iter()
            .filter(|b| !utf8 || (**b & 0xc0) != 0x80)
            .count();
        let have = starts - lines;
        let cut_short = utf8 && unfinished(&bytes) > 0;
        if have >= count && !cut_short {
            if text.translates() && bytes.last() == Some(&b'\r') {
                let next = stream.read(1)?;
                match next.first() {
                    Some(b'\n') => bytes.push(b'\n'),
                    Some(_) => {
                        stream.seek(SeekFrom::Current(-1))?;
                    }
                    None => {}
                }
            }
            return Ok(bytes);
        }
        let wanted = if have < count {
            count - have
        } else {
            unfinished(&bytes)
        };
        let more = stream.read(wanted)?;
        if more.is_empty() {
            return Ok(bytes);
        }
        bytes.extend(more);
    }
}

/// How many bytes the last UTF-8 sequence still lacks.
fn unfinished(bytes: &[u8]) -> usize {
    for (back, byte) in bytes.iter().rev().take(4).enumerate() {
        let length = match byte {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            0x80..=0xbf => continue,
            _ => 1,
        };
        return length - (back + 1).min(length);
    }
    0
}

/// Length of the first line of `bytes` with its end, if the end is there.
fn line_end(bytes: &[u8], more: bool, newline: Option<&Text>) -> Option<usize> {
    let universal = newline.is_some_and(|t| matches!(t.newline.as_deref(), None | Some("")));
    if universal {
        let at = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'))?;
        return match (bytes[at], bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => Some(at + 2),
            // The line feed that belongs to it may come with the next bytes.
            (b'\r', None) if more => None,
            _ => Some(at + 1),
        };
    }
    let mark = newline
        .and_then(|t| t.newline.as_deref())
        .unwrap_or("\n")
        .as_bytes();
    bytes
        .windows(mark.len())
        .position(|w| w == mark)
        .map(|at| at + mark.len())
}

fn line(vm: &mut dyn Vm, args: &Args<'_>, limit: Option<usize>) -> PyResult {
    let text = for_reading(args)?.text.clone();
    read_ahead(vm, args, |bytes| {
        limit.is_some_and(|n| bytes.len() >= n) || line_end(bytes, true, text.as_ref()).is_some()
    })?;
    let mut inner = for_reading(args)?;
    let bytes =
        stream(&mut inner)?.read_until(limit, |bytes, more| line_end(bytes, more, text.as_ref()));
    drop(inner);
    as_value(vm, args, bytes.map_err(|e| failed(&e))?, text.as_ref())
}

fn is_empty(line: &Value) -> bool {
    line.as_str().is_some_and(str::is_empty) || line.as_bytes().is_some_and(|b| b.is_empty())
}

fn readline(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let limit = size(vm, &args)?;
    line(vm, &args, limit)
}

fn next_line(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let next = line(vm, &args, None)?;
    if is_empty(&next) {
        Err(Raised::stop_iteration(Value::None))
    } else {
        Ok(next)
    }
}

fn readlines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let limit = size(vm, &args)?.filter(|n| *n > 0);
    let mut lines = Vec::new();
    let mut total = 0;
    loop {
        let next = line(vm, &args, None)?;
        if is_empty(&next) {
            return Ok(Value::list(lines));
        }
        total += ops::len(vm, &next)?;
        lines.push(next);
        if limit.is_some_and(|limit| total >= limit) {
            return Ok(Value::list(lines));
        }
    }
}

fn readinto(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [target]) = args.method("readinto")?;
    let room = janus_object::buffer::buffer_bytes(target).map_or(0, |b| b.len());
    if janus_object::buffer::write_buffer(target, &[]).is_none() {
        return Err(Raised::type_error(
            "readinto() argument must be read-write bytes-like object",
        ));
    }
    drop(for_reading(&args)?);
    read_ahead(vm, &args, |bytes| bytes.len() >= room)?;
    let mut inner = for_reading(&args)?;
    let bytes = stream(&mut inner)?.read(room).map_err(|e| failed(&e))?;
    janus_object::buffer::write_buffer(target, &bytes);
    Ok(Value::from(bytes.len()))
}

fn write(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [data]) = args.method("write")?;
    let (text, in_memory) = {
        let mut inner = inner(&args)?;
        if inner.text.is_some() && data.as_pystr().is_none() {
            let class = type_name(data);
            return Err(Raised::type_error(match inner.in_memory {
                true => format!("string argument expected, got '{class}'"),
                false => format!("write() argument must be str, not {class}"),
            }));
        }
        stream(&mut inner)?;
        if !inner.writable {
            let what = if inner.text.is_some() {
                "not writable"
            } else {
                "write"
            };
            return Err(unsupported(what));
        }
        (inner.text.clone(), inner.in_memory)
    };
    let (bytes, length) = match &text {
        Some(text) => {
            let Some(s) = data.as_pystr() else {
                return Err(Raised::type_error("write() argument must be str"));
            };
            let ends = match text.newline.as_deref() {
                _ if in_memory => kept(&mut *inner(&args)?, s.as_str()),
                Some(mark @ ("\r" | "\r\n")) => s.replace('\n', mark),
                _ => s.as_str().to_owned(),
            };
            (
                encode(vm, &ends, &text.encoding, &text.errors)?,
                s.char_count(),
            )
        }
        None => {
            let bytes = bytes_like(data)?;
            let length = bytes.len();
            (bytes, length)
        }
    };
    let is_due = {
        let mut inner = inner(&args)?;
        let by_lines = inner.by_lines;
        let stream = stream(&mut inner)?;
        if in_memory && text.is_some() {
            stream.write_over(&bytes).map_err(|e| failed(&e))?;
        } else {
            stream.write(&bytes).map_err(|e| failed(&e))?;
        }
        if by_lines && bytes.iter().any(|b| matches!(b, b'\n' | b'\r')) && !stream.waits() {
            stream.flush().map_err(|e| failed(&e))?;
        }
        stream.is_write_due()
    };
    if is_due {
        drain(vm, &args)?;
    }
    Ok(Value::from(length))
}

fn writelines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [lines]) = args.method("writelines")?;
    if this.foreign::<FileObject>().is_some() {
        stream(&mut *inner(&args)?)?;
    }
    let iter = ops::iter(vm, lines)?;
    while let Some(line) = ops::next(vm, &iter)? {
        write(vm, Args::new(&[this.clone(), line]))?;
    }
    Ok(Value::None)
}

/// Byte offset of a character position in memory.
fn byte_offset(stream: &Stream, chars: usize) -> usize {
    let text = String::from_utf8_lossy(stream.contents());
    // What lies behind the end is filled with zeros when something is written there.
    let beyond = || stream.contents().len() + chars.saturating_sub(text.chars().count());
    text.char_indices()
        .nth(chars)
        .map_or_else(beyond, |(at, _)| at)
}

/// Position for Python: characters in a StringIO, bytes elsewhere.
fn position(inner: &mut Inner) -> PyResult<u64> {
    let counts_chars = inner.in_memory && inner.text.is_some();
    let stream = stream(inner)?;
    let at = stream.tell().map_err(|e| failed(&e))?;
    if counts_chars {
        let (data, at) = (stream.contents(), at as usize);
        let before = data.get(..at).unwrap_or(data);
        let chars = before.iter().filter(|b| (**b & 0xc0) != 0x80).count();
        return Ok((chars + at.saturating_sub(data.len())) as u64);
    }
    Ok(at)
}

pub(super) fn seek(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, rest) = args.split_self("seek")?;
    let given = rest.between("seek", 1, 2)?;
    let offset = int(vm, &given[0])?;
    let whence = match given.get(1) {
        None => 0,
        Some(whence) => int(vm, whence)?,
    };
    let mut inner = inner(&args)?;
    let counts_chars = inner.in_memory && inner.text.is_some();
    if counts_chars && !(0..=2).contains(&whence) {
        return Err(Raised::value_error(format!(
            "Invalid whence ({whence}, should be 0, 1 or 2)"
        )));
    }
    if inner.text.is_some() && whence != 0 && offset != 0 {
        let what = if whence == 1 { "cur" } else { "end" };
        if counts_chars {
            let message = format!("Can't do nonzero {what}-relative seeks");
            return Err(Raised::new(janus_object::ExcKind::OSError, message));
        }
        return Err(unsupported(&format!(
            "can't do nonzero {what}-relative seeks"
        )));
    }
    let stream = stream(&mut inner)?;
    let to = match (whence, u64::try_from(offset)) {
        (0, Err(_)) => {
            return Err(Raised::value_error(if counts_chars {
                format!("Negative seek position {offset}")
            } else {
                format!("negative seek value {offset}")
            }));
        }
        (0, Ok(_)) if counts_chars => SeekFrom::Start(byte_offset(stream, offset as usize) as u64),
        (0, Ok(offset)) => SeekFrom::Start(offset),
        (1, _) => SeekFrom::Current(offset),
        (2, _) => SeekFrom::End(offset),
        _ => {
            return Err(Raised::value_error(format!(
                "invalid whence ({whence}, should be 0, 1 or 2)"
            )));
        }
    };
    stream.seek(to).map_err(|e| failed(&e))?;
    let at = position(&mut inner)?;
    Ok(Value::from(at as usize))
}

pub(super) fn tell(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let at = position(&mut *inner(&args)?)?;
    Ok(Value::from(at as usize))
}

fn truncate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if let Some(given) = args.pos.get(1).or_else(|| args.keyword("size"))
        && let Some(negative) = given.as_int().filter(|n| *n < 0)
    {
        let inner = inner(&args)?;
        let what = match inner.text {
            Some(_) => "Negative",
            None => "negative",
        };
        return Err(match inner.in_memory {
            true => Raised::value_error(format!("{what} size value {negative}")),
            false => failed(&io::Error::from_raw_os_error(libc::EINVAL)),
        });
    }
    let size = size(vm, &args)?;
    let mut inner = inner(&args)?;
    let counts_chars = inner.in_memory && inner.text.is_some();
    let size = match size {
        Some(size) => size as u64,
        None => position(&mut inner)?,
    };
    let stream = stream(&mut inner)?;
    let bytes = if counts_chars {
        byte_offset(stream, size as usize).min(stream.contents().len()) as u64
    } else {
        size
    };
    stream.truncate(bytes).map_err(|e| failed(&e))?;
    Ok(Value::from(size as usize))
}

pub(super) fn flush(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    drain(vm, &args)?;
    let mut inner = inner(&args)?;
    stream(&mut inner)?.flush().map_err(|e| failed(&e))?;
    Ok(Value::None)
}

fn close(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    // Python classes that derive from the abstract bases have nothing of ours to close.
    if inner(&args).is_err() {
        return Ok(Value::None);
    }
    let drained = drain(vm, &args);
    let stream = inner(&args)?.stream.take();
    if let Some(mut stream) = stream {
        stream.flush().map_err(|e| failed(&e))?;
    }
    drained?;
    Ok(Value::None)
}

/// Gives the bytes back to the file that they are of.
fn detach(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = args.pos.first().unwrap_or(&Value::None);
    if inner(&args)?.in_memory {
        return Err(unsupported("detach"));
    }
    let Some(over) = below(this) else {
        return Err(unsupported("detach"));
    };
    let mut inner = inner(&args)?;
    inner.over = None;
    inner.peers.clear();
    let mut stream = inner
        .stream
        .take()
        .ok_or_else(|| Raised::value_error("underlying buffer has been detached"))?;
    stream.flush().map_err(|e| failed(&e))?;
    if let Some(file) = over.foreign::<FileObject>() {
        let mut lower = file.inner.borrow_mut();
        lower.stream = Some(stream);
        lower.peers.clear();
    }
    drop(inner);
    Ok(over)
}

fn fileno(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut inner = inner(&args)?;
    match stream(&mut inner)?.fileno() {
        Some(fd) => Ok(Value::from(fd)),
        None => Err(unsupported("fileno")),
    }
}

fn isatty(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    stream(&mut *inner(&args)?)?;
    Ok(Value::bool(false))
}

fn readable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut inner = inner(&args)?;
    stream(&mut inner)?;
    Ok(Value::bool(inner.readable))
}

fn writable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut inner = inner(&args)?;
    stream(&mut inner)?;
    Ok(Value::bool(inner.writable))
}

fn seekable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    stream(&mut *inner(&args)?)?;
    Ok(Value::bool(true))
}

pub(super) fn getvalue(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut inner = inner(&args)?;
    let is_text = inner.text.is_some();
    if !inner.in_memory {
        return Err(unsupported("getvalue"));
    }
    let data = stream(&mut inner)?.contents().to_vec();
    if is_text {
        return Ok(Value::str(String::from_utf8_lossy(&data).into_owned()));
    }
    Ok(Value::bytes(data))
}

/// A view of what is in memory now, which cannot be written through.
fn getbuffer(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let data = getvalue(vm, args)?;
    let view = Value::Class(janus_object::types().memoryview.clone());
    vm.call(&view, Args::new(&[data]))
}

fn reconfigure(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut inner = inner(&args)?;
    if let Some(text) = &mut inner.text {
        for (key, value) in args.kw {
            if let Some(value) = value.as_str() {
                match key.as_str() {
                    "encoding" => value.clone_into(&mut text.encoding),
                    "errors" => value.clone_into(&mut text.errors),
                    _ => {}
                }
            }
        }
    }
    Ok(Value::None)
}

fn enter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, []) = args.method("__enter__")?;
    if this.foreign::<FileObject>().is_some() {
        stream(&mut *inner(&args)?)?;
    }
    Ok(this.clone())
}

fn exit(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, _) = args.split_self("__exit__")?;
    vm.call_method(this, janus_object::name!("close"), Args::new(&[]))?;
    Ok(Value::None)
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, []) = args.method("__repr__")?;
    // With its module where it is one of ours.
    let class = type_name(this);
    let Ok(inner) = inner(&args) else {
        return Ok(Value::str(format!("<{class} object>")));
    };
    if inner.in_memory {
        let at = crate::builtins::identity(this);
        let class = janus_object::class_of(this).full_name();
        return Ok(Value::str(format!("<{class} object at {at:#x}>")));
    }
    let (name, mode) = (inner.name.clone(), inner.mode.clone());
    let (closed, closefd) = (
        inner.stream.is_none(),
        if inner.closefd { "True" } else { "False" },
    );
    let encoding = inner.text.as_ref().map(|t| t.encoding.clone());
    drop(inner);
    let name = janus_object::text::repr(vm, &name)?;
    let raw = matches!(this, Value::Instance(i) if i.class().is_subclass_of(&super::classes().raw));
    Ok(Value::str(match encoding {
        Some(encoding) => {
            format!("<_io.TextIOWrapper name={name} mode='{mode}' encoding='{encoding}'>")
        }
        None if raw && closed => "<_io.FileIO [closed]>".to_owned(),
        None if raw => format!("<_io.FileIO name={name} mode='{mode}' closefd={closefd}>"),
        None => format!("<{class} name={name}>"),
    }))
}

fn closed(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(inner(&args)?.stream.is_none()))
}

fn file_name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let inner = inner(&args)?;
    if inner.in_memory {
        return Err(Raised::no_attribute(
            &args.pos[0],
            janus_object::name!("name"),
        ));
    }
    Ok(inner.name.clone())
}

fn mode(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut inner = inner(&args)?;
    if let [_, new] = args.pos {
        inner.mode = crate::support::string(new, "mode")?.to_owned();
        return Ok(Value::None);
    }
    if inner.in_memory {
        return Err(Raised::no_attribute(
            &args.pos[0],
            janus_object::name!("mode"),
        ));
    }
    Ok(Value::str(inner.mode.as_str()))
}

fn text_field(
    args: &Args<'_>,
    attribute: &'static janus_object::Name,
    get: fn(&Text) -> &str,
) -> PyResult {
    let inner = inner(args)?;
    match &inner.text {
        // What is in memory is text, not bytes.
        Some(_) if inner.in_memory => Ok(Value::None),
        Some(text) => Ok(Value::str(get(text))),
        None => Err(Raised::no_attribute(&args.pos[0], attribute)),
    }
}

fn encoding(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    text_field(&args, janus_object::name!("encoding"), |t| &t.encoding)
}

fn errors(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    text_field(&args, janus_object::name!("errors"), |t| &t.errors)
}

fn newlines(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let mut inner = inner(&args)?;
    if inner.in_memory {
        stream(&mut inner)?;
    }
    Ok(inner.seen.value())
}

/// A text file's binary side: the same bytes as a binary file object.
fn buffer(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let text = inner(&args)?.text.is_some();
    side(&args, text, janus_object::name!("buffer"))
}

/// The file without buffers that a buffered one is over.
fn raw(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = args.pos.first().unwrap_or(&Value::None);
    let buffered = inner(&args)?.text.is_none()
        && !matches!(this, Value::Instance(i) if i.class().is_subclass_of(&super::classes().raw));
    side(&args, buffered, janus_object::name!("raw"))
}

fn side(args: &Args<'_>, has: bool, name: &janus_object::Name) -> PyResult {
    let this = args.pos.first().unwrap_or(&Value::None);
    let in_memory = inner(args)?.in_memory;
    let found = if has && !in_memory { below(this) } else { None };
    found.ok_or_else(|| Raised::no_attribute(this, name))
}
