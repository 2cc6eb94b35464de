//! `sys.stdin`, `sys.stdout`, `sys.stderr`.
//!
//! In: text of the script, bytes of the process's standard input. Out: file objects. Always: what
//! is written goes through the interpreter's output, in order with `print`.

use std::io::{IsTerminal, Write};

use janus_object::{
    Args, BaseKind, Class, Foreign, Instance, NativeDef, PyRef, PyResult, Raised, Value, Vm, ops,
};

use crate::support::{int, interp, type_name};

/// Which of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StdStream {
    /// Standard input.
    In,
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// The byte stream below a standard stream (`sys.stdout.buffer`).
struct Raw(StdStream);

impl Foreign for Raw {}

impl Foreign for StdStream {}

const TEXT: &[NativeDef] = &[
    NativeDef::method("TextIOWrapper.write", write),
    NativeDef::method("TextIOWrapper.writelines", writelines),
    NativeDef::method("TextIOWrapper.flush", flush),
    NativeDef::method("TextIOWrapper.isatty", isatty),
    NativeDef::method("TextIOWrapper.fileno", fileno),
    NativeDef::method("TextIOWrapper.read", read),
    NativeDef::method("TextIOWrapper.readline", readline),
    NativeDef::method("TextIOWrapper.readlines", readlines),
    NativeDef::method("TextIOWrapper.__iter__", itself),
    NativeDef::method("TextIOWrapper.__next__", next_line),
    NativeDef::method("TextIOWrapper.__enter__", itself),
    NativeDef::method("TextIOWrapper.__exit__", nothing),
    NativeDef::method("TextIOWrapper.close", nothing),
    NativeDef::method("TextIOWrapper.reconfigure", nothing),
    NativeDef::method("TextIOWrapper.readable", readable),
    NativeDef::method("TextIOWrapper.writable", writable),
    NativeDef::method("TextIOWrapper.seekable", not),
    NativeDef::getter("TextIOWrapper.closed", not),
    NativeDef::getter("TextIOWrapper.encoding", encoding),
    NativeDef::getter("TextIOWrapper.errors", errors),
    NativeDef::getter("TextIOWrapper.name", stream_name),
    NativeDef::getter("TextIOWrapper.mode", mode),
    NativeDef::getter("TextIOWrapper.buffer", buffer),
];

const RAW: &[NativeDef] = &[
    NativeDef::method("BufferedWriter.write", raw_write),
    NativeDef::method("BufferedWriter.flush", raw_flush),
    NativeDef::method("BufferedReader.read", raw_read),
];

/// The object of a standard stream.
pub(crate) fn std_stream(stream: StdStream) -> Value {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = Class::builtin(
            "TextIOWrapper", "_io", &[&super::classes().text_base], BaseKind::Foreign, TEXT,
        );
    }
    Instance::native(&CLASS.with(PyRef::clone), stream)
}

fn this(args: &Args<'_>) -> PyResult<StdStream> {
    args.pos
        .first()
        .and_then(Value::foreign::<StdStream>)
        .copied()
        .ok_or_else(|| Raised::type_error("a standard stream is required"))
}

fn unsupported(what: &str) -> Raised {
    // `io.UnsupportedOperation` is both an OSError and a ValueError.
    Raised::value_error(what)
}

fn emit(vm: &mut dyn Vm, stream: StdStream, text: &str) -> PyResult<()> {
    match stream {
        StdStream::In => Err(unsupported("not writable")),
        StdStream::Out => vm.write_stdout(text),
        StdStream::Err => vm.write_stderr(text),
    }
}

fn write(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [text]) = args.method("write")?;
    let Some(s) = text.as_pystr() else {
        return Err(Raised::type_error(format!(
            "write() argument must be str, not {}",
            type_name(text)
        )));
    };
    emit(vm, this(&args)?, s)?;
    Ok(Value::from(s.char_count()))
}

fn writelines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (receiver, [lines]) = args.method("writelines")?;
    for line in ops::collect(vm, lines)? {
        write(vm, Args::new(&[receiver.clone(), line]))?;
    }
    Ok(Value::None)
}

fn flush(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    if this(&args)? == StdStream::Out {
        let flushed = interp(vm)?.output().flush();
        flushed.map_err(|e| Raised::io_error(&e, None))?;
    }
    Ok(Value::None)
}

fn isatty(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(match this(&args)? {
        StdStream::In => std::io::stdin().is_terminal(),
        StdStream::Out => std::io::stdout().is_terminal(),
        StdStream::Err => std::io::stderr().is_terminal(),
    }))
}

fn fileno(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::Int(this(&args)? as i64))
}

fn input_line(vm: &mut dyn Vm) -> PyResult<String> {
    text(super::input::read_line(vm)?)
}

/// Bytes of standard input as text.
fn text(bytes: Vec<u8>) -> PyResult<String> {
    String::from_utf8(bytes).map_err(|_| {
        let e = std::io::Error::new(
            std::io::ErrorKind::InvalidData,
            "stream did not contain valid UTF-8",
        );
        Raised::io_error(&e, None)
    })
}

fn readable_input(args: &Args<'_>) -> PyResult<()> {
    if this(args)? == StdStream::In {
        Ok(())
    } else {
        Err(unsupported("not readable"))
    }
}

fn read(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    readable_input(&args)?;
    let limit = match args.pos.get(1) {
        None | Some(Value::None) => -1,
        Some(limit) => int(vm, limit)?,
    };
    if limit < 0 {
        return Ok(Value::str(text(super::input::read_all(vm)?)?));
    }
    let mut bytes = Vec::new();
    while std::str::from_utf8(&bytes).map_or(0, |s| s.chars().count()) < limit as usize {
        match super::input::read_byte(vm)? {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    Ok(Value::str(String::from_utf8_lossy(&bytes).into_owned()))
}

fn readline(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    readable_input(&args)?;
    Ok(Value::str(input_line(vm)?))
}

fn readlines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    readable_input(&args)?;
    let mut lines = Vec::new();
    loop {
        let line = input_line(vm)?;
        if line.is_empty() {
            return Ok(Value::list(lines));
        }
        lines.push(Value::str(line));
    }
}

fn next_line(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    readable_input(&args)?;
    let line = input_line(vm)?;
    if line.is_empty() {
        Err(Raised::stop_iteration(Value::None))
    } else {
        Ok(Value::str(line))
    }
}

fn itself(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    this(&args)?;
    Ok(args.pos[0].clone())
}

fn nothing(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    this(&args)?;
    Ok(Value::None)
}

fn not(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    this(&args)?;
    Ok(Value::bool(false))
}

fn readable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this(&args)? == StdStream::In))
}

fn writable(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::bool(this(&args)? != StdStream::In))
}

fn encoding(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    this(&args)?;
    Ok(Value::str("utf-8"))
}

fn errors(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(if this(&args)? == StdStream::Err {
        "backslashreplace"
    } else {
        "strict"
    }))
}

fn stream_name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(match this(&args)? {
        StdStream::In => "<stdin>",
        StdStream::Out => "<stdout>",
        StdStream::Err => "<stderr>",
    }))
}

fn mode(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::str(if this(&args)? == StdStream::In {
        "r"
    } else {
        "w"
    }))
}

fn buffer(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = Class::builtin(
            "BufferedWriter", "_io", &[&super::classes().buffered_base], BaseKind::Foreign, RAW,
        );
    }
    Ok(Instance::native(
        &CLASS.with(PyRef::clone),
        Raw(this(&args)?),
    ))
}

fn raw(args: &Args<'_>) -> PyResult<StdStream> {
    args.pos
        .first()
        .and_then(Value::foreign::<Raw>)
        .map(|raw| raw.0)
        .ok_or_else(|| Raised::type_error("a standard stream is required"))
}

fn raw_write(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [bytes]) = args.method("write")?;
    let bytes = crate::support::bytes_like(bytes)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => emit(vm, raw(&args)?, text)?,
        Err(_) => {
            let flushed = interp(vm)?.output().flush();
            let written = flushed.and_then(|()| match raw(&args) {
                Ok(StdStream::Err) => std::io::stderr().write_all(&bytes),
                _ => std::io::stdout().write_all(&bytes),
            });
            written.map_err(|e| Raised::io_error(&e, None))?;
        }
    }
    Ok(Value::from(bytes.len()))
}

fn raw_flush(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    raw(&args)?;
    let flushed = interp(vm)?.output().flush();
    flushed.map_err(|e| Raised::io_error(&e, None))?;
    Ok(Value::None)
}

fn raw_read(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    raw(&args)?;
    Ok(Value::bytes(super::input::read_all(vm)?))
}
