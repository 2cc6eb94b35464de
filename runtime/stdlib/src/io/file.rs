//! File objects and how they are opened.
//!
//! In: arguments of `open`, `StringIO`, `BytesIO`. Out: [`FileObject`]. Always: what was written to
//! a file that the script forgot to close is flushed when the object dies or by [`flush_all`].

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::FromRawFd;
use std::rc::{Rc, Weak};

use janus_object::{
    Args, Foreign, Instance, NativeDef, Payload, PyResult, Raised, Signature, Value, Vm, attr,
    name, ops,
};

use super::classes;
use super::stream::Stream;
use crate::support::{bytes_like, int, path, path_error, type_name};

/// A file, or memory that behaves like one.
pub(super) struct FileObject {
    /// Its state.
    pub inner: Rc<RefCell<Inner>>,
}

impl Foreign for FileObject {}

/// State of a file object.
pub(super) struct Inner {
    /// The bytes; none once closed.
    pub stream: Option<Stream>,
    /// How text is stored; none for binary files.
    pub text: Option<Text>,
    /// May be read.
    pub readable: bool,
    /// May be written.
    pub writable: bool,
    /// `name`
    pub name: Value,
    /// `mode`
    pub mode: String,
    /// Whether it is a StringIO, whose positions count characters.
    pub in_memory: bool,
    /// The file below it, whose bytes these are: `buffer` of text, `raw` of a buffered file. It is made when it is asked
    /// for.
    pub over: Option<Value>,
    /// Files above and below that have the same bytes: whichever is used takes the stream from the others.
    pub peers: Vec<Weak<RefCell<Inner>>>,
    /// Whether the descriptor is closed with it.
    pub closefd: bool,
    /// Whether text goes out with each line.
    pub by_lines: bool,
    /// The kinds of line ends that were translated so far: `newlines`.
    pub seen: LineEnds,
}

impl Inner {
    /// The stream, from a file above or below if it is there.
    pub fn claim(&mut self) -> Option<Stream> {
        if let Some(stream) = self.stream.take() {
            return Some(stream);
        }
        let peers = self.peers.clone();
        peers.iter().filter_map(Weak::upgrade).find_map(|peer| {
            // One that is borrowed is the one that asks.
            let mut peer = peer.try_borrow_mut().ok()?;
            peer.claim()
        })
    }

    /// The mode as a binary file below has it.
    fn raw_mode(&self) -> String {
        let has = |c: char| self.mode.contains(c);
        let kind = match (has('x'), has('a'), self.readable) {
            (true, ..) => "xb",
            (_, true, _) => "ab",
            (_, _, true) => "rb",
            _ => "wb",
        };
        let plus = if has('+') { "+" } else { "" };
        format!("{kind}{plus}")
    }
}

/// How text is stored.
#[derive(Clone)]
pub(super) struct Text {
    /// Name of the encoding.
    pub encoding: String,
    /// What to do about what cannot be converted.
    pub errors: String,
    /// The `newline` argument.
    pub newline: Option<String>,
}

/// Kinds of line ends.
#[derive(Clone, Copy, Default)]
pub(super) struct LineEnds {
    /// `\r`
    pub cr: bool,
    /// `\n`
    pub lf: bool,
    /// `\r\n`
    pub crlf: bool,
}

impl LineEnds {
    /// Adds those of a text.
    pub fn note(&mut self, text: &str) {
        if !text.contains('\r') {
            self.lf |= text.contains('\n');
            return;
        }
        let mut rest = text;
        while let Some(at) = rest.find(['\r', '\n']) {
            let (lone, pair) = (rest.as_bytes()[at] == b'\n', rest[at..].starts_with("\r\n"));
            self.crlf |= pair;
            self.lf |= lone;
            self.cr |= !lone && !pair;
            rest = &rest[at + if pair { 2 } else { 1 }..];
        }
    }

    /// `newlines`: one, several, or None.
    pub fn value(self) -> Value {
        let all = [(self.cr, "\r"), (self.lf, "\n"), (self.crlf, "\r\n")];
        let seen: Vec<Value> = all
            .into_iter()
            .filter(|(seen, _)| *seen)
            .map(|(_, end)| Value::str(end))
            .collect();
        match &seen[..] {
            [] => Value::None,
            [only] => only.clone(),
            _ => Value::tuple(seen),
        }
    }
}

/// The text with its line ends as `\n`.
pub(super) fn translated(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

impl Text {
    /// Whether all line ends become `\n` when reading.
    pub fn translates(&self) -> bool {
        self.newline.is_none()
    }
}

janus_gil::gil_local! {
    static OPEN: RefCell<Vec<Weak<RefCell<Inner>>>> = const { RefCell::new(Vec::new()) };
}

/// Flushes every file that is still open, as the end of the program does.
pub(crate) fn flush_all() {
    OPEN.with_borrow_mut(|open| {
        for inner in open.drain(..).filter_map(|weak| weak.upgrade()) {
            if let Ok(mut inner) = inner.try_borrow_mut()
                && let Some(stream) = &mut inner.stream
            {
                // Nobody is left to hear about it.
                let _ = stream.flush();
            }
        }
    });
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(stream) = &mut self.stream {
            // As CPython, an error while a file object dies is not reported.
            let _ = stream.flush();
        }
    }
}

impl FileObject {
    fn new(inner: Inner) -> Self {
        let inner = Rc::new(RefCell::new(inner));
        if inner.borrow().writable && !inner.borrow().in_memory {
            OPEN.with_borrow_mut(|open| {
                open.retain(|weak| weak.strong_count() > 0);
                open.push(Rc::downgrade(&inner));
            });
        }
        FileObject { inner }
    }
}

/// The file below a text or a buffered file.
pub(super) fn below(this: &Value) -> Option<Value> {
    let file = this.foreign::<FileObject>()?;
    let mut inner = file.inner.borrow_mut();
    if let Some(found) = &inner.over {
        return Some(found.clone());
    }
    let classes = classes();
    let class = match (&inner.text, inner.readable, inner.writable) {
        (None, ..) => &classes.raw,
        (_, true, true) => &classes.random,
        (_, true, false) => &classes.reader,
        _ => &classes.writer,
    };
    let lower = FileObject::new(Inner {
        stream: None,
        text: None,
        readable: inner.readable,
        writable: inner.writable,
        name: inner.name.clone(),
        mode: inner.raw_mode(),
        in_memory: false,
        over: None,
        peers: vec![Rc::downgrade(&file.inner)],
        closefd: inner.closefd,
        by_lines: false,
        seen: LineEnds::default(),
    });
    inner.peers.push(Rc::downgrade(&lower.inner));
    let lower = Instance::native(class, lower);
    inner.over = Some(lower.clone());
    Some(lower)
}

pub(super) const RAW_FILE: &[NativeDef] = &[
    NativeDef::function("FileIO.__new__", raw_new),
    NativeDef::method("FileIO.__init__", |_, _| Ok(Value::None)),
    NativeDef::getter("FileIO.closefd", |_, args| {
        Ok(Value::bool(super::methods::inner(&args)?.closefd))
    }),
];

/// `FileIO(file, mode='r', closefd=True, opener=None)`
fn raw_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<5> =
        Signature::new("FileIO", ["class", "file", "mode", "closefd", "opener"]).required(2);
    let [class, file, mode, closefd, opener] = SIGNATURE.parse(args)?;
    let mode = mode.unwrap_or_else(|| Value::str("r"));
    let Some(mode) = mode.as_str().map(|m| format!("{}b", m.replace('b', ""))) else {
        return Err(Raised::type_error(format!(
            "FileIO() argument 'mode' must be str, not {}",
            type_name(&mode)
        )));
    };
    let kw = [
        (
            name!("closefd").clone(),
            closefd.unwrap_or(Value::bool(true)),
        ),
        (name!("opener").clone(), opener.unwrap_or(Value::None)),
    ];
    let pos = [file.unwrap_or(Value::None), Value::str(mode), Value::Int(0)];
    let opened = open(vm, Args { pos: &pos, kw: &kw })?;
    match (class, opened.foreign::<FileObject>()) {
        (Some(Value::Class(class)), Some(file)) => Ok(Value::instance(
            &class,
            Payload::Foreign(Box::new(FileObject {
                inner: file.inner.clone(),
            })),
        )),
        _ => Ok(opened),
    }
}

/// What a mode string asks for.
struct Mode {
    read: bool,
    write: bool,
    append: bool,
    create: bool,
    plus: bool,
    binary: bool,
}

impl Mode {
    /// Opens a file by its name.
    fn open(&self, name: &str) -> io::Result<File> {
        let opened = OpenOptions::new()
            .read(self.read || self.plus)
            .write(self.write || self.create || (self.plus && !self.append))
            .append(self.append)
            .create(self.write || self.append)
            .create_new(self.create)
            .truncate(self.write)
            .open(name)?;
        // Opening a directory for reading works; Python refuses it.
        if opened.metadata()?.is_dir() {
            return Err(io::Error::from_raw_os_error(libc::EISDIR));
        }
        Ok(opened)
    }

    /// The flags that an opener gets.
    fn flags(&self) -> i32 {
        let access = match (self.read, self.plus) {
            (_, true) => libc::O_RDWR,
            (true, false) => libc::O_RDONLY,
            (false, false) => libc::O_WRONLY,
        };
        let how = if self.write {
            libc::O_CREAT | libc::O_TRUNC
        } else if self.create {
            libc::O_CREAT | libc::O_EXCL
        } else if self.append {
            libc::O_CREAT | libc::O_APPEND
        } else {
            0
        };
        access | how | libc::O_CLOEXEC
    }
}

/// The file behind a descriptor, which is closed with it or not.
fn by_number(fd: i64, closes: bool) -> io::Result<File> {
    let bad = || io::Error::from_raw_os_error(libc::EBADF);
    let fd = i32::try_from(fd).map_err(|_| bad())?;
    // SAFETY: no memory is involved; one that is not open fails.
    if fd < 0 || unsafe { libc::fcntl(fd, libc::F_GETFD) } < 0 {
        return Err(bad());
    }
    // SAFETY: the descriptor is open, and the script hands it over; where it keeps it, `try_clone` makes another one, and this
    // one is not closed.
    let file = std::mem::ManuallyDrop::new(unsafe { File::from_raw_fd(fd) });
    match closes {
        true => Ok(std::mem::ManuallyDrop::into_inner(file)),
        false => file.try_clone(),
    }
}

fn parse_mode(mode: &str) -> PyResult<Mode> {
    let has = |c: char| mode.contains(c);
    let invalid = || Raised::value_error(format!("invalid mode: '{mode}'"));
    let mut seen = std::collections::HashSet::new();
    if mode
        .chars()
        .any(|c| !"rwaxbt+U".contains(c) || !seen.insert(c))
    {
        return Err(invalid());
    }
    if has('b') && has('t') {
        return Err(Raised::value_error(
            "can't have text and binary mode at once",
        ));
    }
    if ['r', 'w', 'a', 'x'].iter().filter(|c| has(**c)).count() != 1 {
        return Err(Raised::value_error(
            "must have exactly one of create/read/write/append mode",
        ));
    }
    Ok(Mode {
        read: has('r'),
        write: has('w'),
        append: has('a'),
        create: has('x'),
        plus: has('+'),
        binary: has('b'),
    })
}

static OPEN_SIGNATURE: Signature<8> = Signature::new(
    "open",
    [
        "file",
        "mode",
        "buffering",
        "encoding",
        "errors",
        "newline",
        "closefd",
        "opener",
    ],
)
.required(1);

/// `open(file, mode='r', ...)`
pub(crate) fn open(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [
        file,
        mode,
        buffering,
        encoding,
        errors,
        newline,
        closefd,
        opener,
    ] = OPEN_SIGNATURE.parse(args)?;
    let file = file.unwrap_or(Value::None);
    let text_of = |value: Option<Value>, what: &str| match value {
        None | Some(Value::None) => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(Raised::type_error(format!(
                "open() argument '{what}' must be str or None, not {}",
                type_name(&value)
            ))),
        },
    };
    let mode_text = text_of(mode, "mode")?.unwrap_or_else(|| "r".to_owned());
    let mode = parse_mode(&mode_text)?;
    let (encoding, errors) = (text_of(encoding, "encoding")?, text_of(errors, "errors")?);
    let newline = text_of(newline, "newline")?;
    if mode.binary {
        for (given, what) in [
            (&encoding, "encoding"),
            (&errors, "errors"),
            (&newline, "newline"),
        ] {
            if given.is_some() {
                let article = if what == "newline" { "a " } else { "an " };
                return Err(Raised::value_error(format!(
                    "binary mode doesn't take {article}{what} argument"
                )));
            }
        }
    }
    if let Some(newline) = &newline
        && !["", "\n", "\r", "\r\n"].contains(&newline.as_str())
    {
        return Err(Raised::value_error(format!(
            "illegal newline value: {newline}"
        )));
    }
    let buffering = match buffering {
        Some(b) => int(vm, &b)?,
        None => -1,
    };
    if buffering == 0 && !mode.binary {
        return Err(Raised::value_error("can't have unbuffered text I/O"));
    }
    let closefd = closefd.map_or(Ok(true), |closefd| ops::truth(vm, &closefd))?;
    if let Some(encoding) = encoding.as_deref().filter(|e| !super::codec::is_simple(e)) {
        let bytes_mode = Value::str(format!("{}b", mode_text.replace('t', "")));
        let size = Value::Int(if buffering > 1 { buffering } else { -1 });
        let more = [
            (name!("closefd").clone(), Value::bool(closefd)),
            (name!("opener").clone(), opener.unwrap_or(Value::None)),
        ];
        let pos = [file, bytes_mode, size];
        let bytes = open(
            vm,
            Args {
                pos: &pos,
                kw: &more,
            },
        )?;
        return text_in_python(
            vm,
            bytes,
            encoding,
            errors,
            newline,
            buffering == 1,
            &mode_text,
        );
    }
    let opened = match (&file, opener) {
        (Value::Int(fd), _) if *fd < 0 => {
            return Err(Raised::value_error("negative file descriptor"));
        }
        (Value::Int(fd), _) => by_number(*fd, closefd),
        _ if !closefd => {
            return Err(Raised::value_error(
                "Cannot use closefd=False with file name",
            ));
        }
        (_, Some(opener)) if !opener.is_none() => {
            let flags = Value::Int(i64::from(mode.flags()));
            let fd = vm.call(&opener, Args::new(&[file.clone(), flags]))?;
            let fd = int(vm, &fd)?;
            if fd < 0 {
                return Err(Raised::value_error(format!("opener returned {fd}")));
            }
            by_number(fd, true)
        }
        _ => mode.open(&path(vm, &file)?),
    }
    .map_err(|e| path_error(vm, &e, &file))?;
    let class = match (mode.binary, mode.plus, mode.read) {
        _ if buffering == 0 => &classes().raw,
        (false, ..) => &classes().text,
        (true, true, _) => &classes().random,
        (true, false, true) => &classes().reader,
        (true, false, false) => &classes().writer,
    };
    let text = (!mode.binary).then(|| Text {
        encoding: encoding.unwrap_or_else(|| "UTF-8".to_owned()),
        errors: errors.unwrap_or_else(|| "strict".to_owned()),
        newline,
    });
    let mut inner = Inner {
        stream: Some(Stream::file(opened, buffering == 0)),
        text,
        readable: mode.read || mode.plus,
        writable: !mode.read || mode.plus,
        name: file,
        mode: mode_text,
        in_memory: false,
        over: None,
        peers: Vec::new(),
        closefd,
        by_lines: buffering == 1 && !mode.binary,
        seen: LineEnds::default(),
    };
    if mode.binary {
        inner.mode = inner.raw_mode();
    }
    Ok(Instance::native(class, FileObject::new(inner)))
}

pub(super) const TEXT: &[NativeDef] = &[NativeDef::function("TextIOWrapper.__new__", wrapper_new)];

pub(super) const STRING_IO: &[NativeDef] = &[
    NativeDef::function("StringIO.__new__", string_new),
    NativeDef::method("StringIO.__init__", string_init),
    NativeDef::method("StringIO.__getstate__", super::state::get),
    NativeDef::method("StringIO.__setstate__", super::state::set_text),
];

pub(super) const BYTES_IO: &[NativeDef] = &[
    NativeDef::function("BytesIO.__new__", bytes_new),
    NativeDef::method("BytesIO.__init__", bytes_init),
    NativeDef::noargs_method("BytesIO.flush", super::methods::flush),
    NativeDef::method("BytesIO.__getstate__", super::state::get),
    NativeDef::method("BytesIO.__setstate__", super::state::set_bytes),
];

fn memory(class: &Value, text: Option<Text>) -> PyResult {
    let Some(class) = class.as_class() else {
        return Err(Raised::type_error("__new__(X): X is not a type object"));
    };
    let inner = Inner {
        stream: Some(Stream::memory(Vec::new())),
        text,
        readable: true,
        writable: true,
        name: Value::None,
        mode: "rb+".to_owned(),
        in_memory: true,
        over: None,
        peers: Vec::new(),
        closefd: true,
        by_lines: false,
        seen: LineEnds::default(),
    };
    Ok(Value::instance(
        class,
        Payload::Foreign(Box::new(FileObject::new(inner))),
    ))
}

fn string_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let text = Text {
        encoding: "utf-8".to_owned(),
        errors: "strict".to_owned(),
        newline: Some("\n".to_owned()),
    };
    memory(args.pos.first().unwrap_or(&Value::None), Some(text))
}

fn bytes_new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    memory(args.pos.first().unwrap_or(&Value::None), None)
}

pub(super) fn set_contents(this: &Value, data: Vec<u8>) {
    if let Some(file) = this.foreign::<FileObject>() {
        file.inner.borrow_mut().stream = Some(Stream::memory(data));
    }
}

/// What a StringIO keeps of a text: where lines end as they do in it, as its `newline` asks for.
pub(super) fn kept(inner: &mut Inner, text: &str) -> String {
    match inner.text.as_ref().and_then(|t| t.newline.as_deref()) {
        None => {
            inner.seen.note(text);
            translated(text)
        }
        Some("") => {
            inner.seen.note(text);
            text.to_owned()
        }
        Some("\n") => text.to_owned(),
        Some(end) => text.replace('\n', end),
    }
}

/// `StringIO(newline=...)`
pub(super) fn set_newline(this: &Value, newline: Option<&Value>) -> PyResult<()> {
    let newline = match newline {
        None => Some("\n".to_owned()),
        Some(Value::None) => None,
        Some(given) => match given.as_str() {
            Some(end @ ("" | "\n" | "\r" | "\r\n")) => Some(end.to_owned()),
            Some(_) => {
                return Err(Raised::value_error(format!(
                    "illegal newline value: {}",
                    janus_object::text::str_repr(given.as_str().unwrap_or_default())
                )));
            }
            None => {
                return Err(Raised::type_error(format!(
                    "newline must be str or None, not {}",
                    type_name(given)
                )));
            }
        },
    };
    if let Some(file) = this.foreign::<FileObject>() {
        let mut inner = file.inner.borrow_mut();
        inner.seen = LineEnds::default();
        if let Some(text) = &mut inner.text {
            text.newline = newline;
        }
    }
    Ok(())
}

fn string_init(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> =
        Signature::new("StringIO", ["initial_value", "newline"]).required(0);
    let (this, [initial, newline]) = SIGNATURE.parse_method(args)?;
    set_newline(this, newline.as_ref())?;
    let text = match &initial {
        None | Some(Value::None) => "",
        Some(value) => match value.as_str() {
            Some(text) => text,
            None => {
                return Err(Raised::type_error(format!(
                    "initial_value must be str or None, not {}",
                    type_name(value)
                )));
            }
        },
    };
    if let Some(file) = this.foreign::<FileObject>() {
        let kept = kept(&mut file.inner.borrow_mut(), text);
        set_contents(this, kept.into_bytes());
    }
    Ok(Value::None)
}

fn bytes_init(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<1> = Signature::new("BytesIO", ["initial_bytes"]).required(0);
    let (this, [initial]) = SIGNATURE.parse_method(args)?;
    let data = match initial {
        None | Some(Value::None) => Vec::new(),
        Some(value) => bytes_like(&value)?,
    };
    set_contents(this, data);
    Ok(Value::None)
}

/// A text stream over bytes whose lines and characters end where only the decoder knows.
fn text_in_python(
    vm: &mut dyn Vm,
    bytes: Value,
    encoding: &str,
    errors: Option<String>,
    newline: Option<String>,
    by_lines: bool,
    mode: &str,
) -> PyResult {
    let module = vm.import("_buffered")?;
    let class = attr::get(vm, &module, name!("TextIOWrapper"))?;
    let text = |value: Option<String>| value.map_or(Value::None, Value::str);
    let stream = vm.call(
        &class,
        Args::new(&[
            bytes,
            Value::str(encoding),
            text(errors),
            text(newline),
            Value::bool(by_lines),
        ]),
    )?;
    attr::set(vm, &stream, name!("mode"), Value::str(mode))?;
    Ok(stream)
}

/// `TextIOWrapper(buffer, encoding=None, ...)`: text over the bytes of another file object.
fn wrapper_new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<7> = Signature::new(
        "TextIOWrapper",
        [
            "class",
            "buffer",
            "encoding",
            "errors",
            "newline",
            "line_buffering",
            "write_through",
        ],
    )
    .required(2);
    let [class, buffer, encoding, errors, newline, by_lines, ..] = SIGNATURE.parse(args)?;
    let by_lines = by_lines.map_or(Ok(false), |by_lines| ops::truth(vm, &by_lines))?;
    let buffer = buffer.unwrap_or(Value::None);
    let string = |value: Option<Value>| value.and_then(|v| v.as_str().map(str::to_owned));
    let text = Text {
        encoding: string(encoding).unwrap_or_else(|| "utf-8".to_owned()),
        errors: string(errors).unwrap_or_else(|| "strict".to_owned()),
        newline: string(newline),
    };
    let mut peers = Vec::new();
    let (stream, readable, writable, name) = match buffer.foreign::<FileObject>() {
        Some(file) => {
            peers.push(Rc::downgrade(&file.inner));
            let mut inner = file.inner.borrow_mut();
            (
                inner.claim(),
                inner.readable,
                inner.writable,
                inner.name.clone(),
            )
        }
        // Any other object that can be read is read at once.
        None => {
            let data = vm.call_method(&buffer, janus_object::name!("read"), Args::new(&[]))?;
            (
                Some(Stream::memory(bytes_like(&data)?)),
                true,
                false,
                Value::None,
            )
        }
    };
    let class = class
        .as_ref()
        .and_then(Value::as_class)
        .cloned()
        .unwrap_or_else(|| classes().text.clone());
    let inner = Inner {
        stream,
        text: Some(text),
        readable,
        writable,
        name,
        mode: "r".to_owned(),
        in_memory: false,
        over: Some(buffer.clone()),
        peers,
        closefd: true,
        by_lines,
        seen: LineEnds::default(),
    };
    let wrapper = FileObject::new(inner);
    if let Some(file) = buffer.foreign::<FileObject>() {
        let peer = Rc::downgrade(&wrapper.inner);
        file.inner.borrow_mut().peers.push(peer);
    }
    Ok(Value::instance(&class, Payload::Foreign(Box::new(wrapper))))
}
