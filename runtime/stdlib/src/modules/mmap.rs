//! `mmap`: files and shared memory as bytes.
//!
//! In: descriptors, bytes. Out: the class. Always: the bytes are the mapping's own, which other processes may see and
//! change; while views of them exist, they neither move nor go away.

use std::cell::Cell;
use std::io::Error;
use std::rc::Rc;

use janus_interp::Interp;
use janus_object::buffer::Exporter;
use janus_object::{
    Args, Class, ExcKind, Foreign, Instance, Memory, NativeDef, NativeIterator, Payload, PyBytes,
    PyIter, PyRef, PyResult, Raised, Signature, Value, Vm,
};

use super::descriptors::descriptor;
use crate::support::{bytes_like, foreign_class, int, module};

const METHODS: &[NativeDef] = &[
    NativeDef::function("mmap.__new__", new),
    NativeDef::method("mmap.__init__", |_, _| Ok(Value::None)),
    NativeDef::method("mmap.__len__", |_, a| Ok(Value::from(open(&a)?.len()))),
    NativeDef::method("mmap.__getitem__", get_item),
    NativeDef::method("mmap.__setitem__", set_item),
    NativeDef::method("mmap.__delitem__", |_, a| {
        open(&a)?.writable()?;
        Err(Raised::type_error(match a.pos.get(1) {
            Some(Value::Slice(_)) => "mmap object doesn't support slice deletion",
            _ => "mmap doesn't support item deletion",
        }))
    }),
    NativeDef::method("mmap.__iter__", |_, a| {
        open(&a)?;
        Ok(PyIter::native(Items {
            map: a.pos[0].clone(),
            at: 0,
        }))
    }),
    NativeDef::method("mmap.__enter__", |_, a| {
        open(&a)?;
        Ok(a.pos[0].clone())
    }),
    NativeDef::method("mmap.__exit__", |_, a| own(&a)?.close()),
    NativeDef::method("mmap.__repr__", repr),
    NativeDef::getter("mmap.closed", |_, a| Ok(Value::bool(own(&a)?.is_closed()))),
    NativeDef::method("mmap.close", |_, a| own(&a)?.close()),
    NativeDef::method("mmap.find", |vm, a| find(vm, &a, false)),
    NativeDef::method("mmap.rfind", |vm, a| find(vm, &a, true)),
    NativeDef::method("mmap.flush", flush),
    NativeDef::method("mmap.madvise", madvise),
    NativeDef::method("mmap.move", move_within),
    NativeDef::method("mmap.read", read),
    NativeDef::method("mmap.read_byte", |_, a| {
        let map = open(&a)?;
        let at = map.position.get();
        let byte = map.bytes(at, at + 1).first().copied();
        let byte = byte.ok_or_else(|| Raised::value_error("read byte out of range"))?;
        map.position.set(at + 1);
        Ok(Value::Int(i64::from(byte)))
    }),
    NativeDef::method("mmap.readline", |_, a| {
        let map = open(&a)?;
        let rest = map.bytes(map.position.get(), map.len());
        let end = rest.iter().position(|b| *b == b'\n').map(|at| at + 1);
        Ok(map.take(end.unwrap_or(rest.len())))
    }),
    NativeDef::method("mmap.resize", resize),
    NativeDef::method("mmap.seek", seek),
    NativeDef::method("mmap.size", |_, a| {
        let map = open(&a)?;
        Ok(Value::Int(file_size(map.fd.get())?))
    }),
    NativeDef::method("mmap.tell", |_, a| {
        Ok(Value::from(open(&a)?.position.get()))
    }),
    NativeDef::method("mmap.write", |_, a| {
        let (_, [data]) = a.method::<1>("write")?;
        let map = open(&a)?;
        map.writable()?;
        let data = bytes_like(data)?;
        map.put(&data, "data out of range")?;
        Ok(Value::from(data.len()))
    }),
    NativeDef::method("mmap.write_byte", |vm, a| {
        let (_, [byte]) = a.method::<1>("write_byte")?;
        let map = open(&a)?;
        map.writable()?;
        let byte = u8::try_from(int(vm, byte)?)
            .map_err(|_| Raised::overflow_error("unsigned byte integer is greater than maximum"))?;
        map.put(&[byte], "write byte out of range")?;
        Ok(Value::None)
    }),
];

const ACCESS_DEFAULT: i64 = 0;
const ACCESS_READ: i64 = 1;
const ACCESS_WRITE: i64 = 2;
const ACCESS_COPY: i64 = 3;

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("mmap", "mmap", METHODS);
    }
    CLASS.with(PyRef::clone)
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("mmap", "Files and shared memory as bytes.", &[]);
    m.set("mmap", Value::Class(class()));
    m.set("error", Value::Class(ExcKind::OSError.class()));
    // SAFETY: a question.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    for (name, value) in [
        ("ACCESS_DEFAULT", ACCESS_DEFAULT),
        ("ACCESS_READ", ACCESS_READ),
        ("ACCESS_WRITE", ACCESS_WRITE),
        ("ACCESS_COPY", ACCESS_COPY),
        ("PROT_READ", libc::PROT_READ.into()),
        ("PROT_WRITE", libc::PROT_WRITE.into()),
        ("PROT_EXEC", libc::PROT_EXEC.into()),
        ("MAP_SHARED", libc::MAP_SHARED.into()),
        ("MAP_PRIVATE", libc::MAP_PRIVATE.into()),
        ("MAP_ANON", libc::MAP_ANON.into()),
        ("MAP_ANONYMOUS", libc::MAP_ANONYMOUS.into()),
        ("MAP_DENYWRITE", libc::MAP_DENYWRITE.into()),
        ("MAP_EXECUTABLE", libc::MAP_EXECUTABLE.into()),
        ("MAP_POPULATE", libc::MAP_POPULATE.into()),
        ("MAP_STACK", libc::MAP_STACK.into()),
        ("MAP_NORESERVE", libc::MAP_NORESERVE.into()),
        ("PAGESIZE", page),
        ("ALLOCATIONGRANULARITY", page),
        ("MADV_NORMAL", libc::MADV_NORMAL.into()),
        ("MADV_RANDOM", libc::MADV_RANDOM.into()),
        ("MADV_SEQUENTIAL", libc::MADV_SEQUENTIAL.into()),
        ("MADV_WILLNEED", libc::MADV_WILLNEED.into()),
        ("MADV_DONTNEED", libc::MADV_DONTNEED.into()),
        ("MADV_REMOVE", libc::MADV_REMOVE.into()),
        ("MADV_DONTFORK", libc::MADV_DONTFORK.into()),
        ("MADV_DOFORK", libc::MADV_DOFORK.into()),
        ("MADV_HWPOISON", libc::MADV_HWPOISON.into()),
        ("MADV_MERGEABLE", libc::MADV_MERGEABLE.into()),
        ("MADV_UNMERGEABLE", libc::MADV_UNMERGEABLE.into()),
        ("MADV_HUGEPAGE", libc::MADV_HUGEPAGE.into()),
        ("MADV_NOHUGEPAGE", libc::MADV_NOHUGEPAGE.into()),
        ("MADV_DONTDUMP", libc::MADV_DONTDUMP.into()),
        ("MADV_DODUMP", libc::MADV_DODUMP.into()),
        ("MADV_FREE", libc::MADV_FREE.into()),
    ] {
        m.set(name, Value::Int(value));
    }
    Ok(Value::Module(m))
}

/// The bytes one by one, each as bytes.
struct Items {
    map: Value,
    at: usize,
}

impl NativeIterator for Items {
    fn next(&mut self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        let map = open(&Args::new(std::slice::from_ref(&self.map)))?;
        let item = map.bytes(self.at, self.at + 1);
        self.at += item.len();
        Ok((!item.is_empty()).then(|| Value::bytes(item)))
    }

    fn trace(&self, tracer: &mut janus_object::heap::Tracer<'_>) {
        tracer.value(&self.map);
    }
}

/// Where a mapping is; without a length, it is none.
#[derive(Default)]
struct Region {
    start: Cell<usize>,
    len: Cell<usize>,
}

impl Region {
    fn unmap(&self) {
        let len = self.len.replace(0);
        if len > 0 {
            // SAFETY: the mapping is this one's, and nobody has a view of it, see `Map::close`.
            unsafe { libc::munmap(self.start.get() as *mut libc::c_void, len) };
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        self.unmap();
    }
}

/// The bytes of a region, for views.
struct Mapped(Rc<Region>);

impl Memory for Mapped {
    fn bytes(&self) -> &[u8] {
        match self.0.len.get() {
            0 => &[],
            // SAFETY: the region is mapped as long as it has a length. It is unmapped and moved between two uses only, by
            // the holder of the lock. Other processes may write to it, as they may to the memory of CPython's.
            len => unsafe { std::slice::from_raw_parts(self.0.start.get() as *const u8, len) },
        }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match self.0.len.get() {
            0 => &mut [],
            // SAFETY: as above; who writes has asked whether this may be written.
            len => unsafe { std::slice::from_raw_parts_mut(self.0.start.get() as *mut u8, len) },
        }
    }
}

struct Map {
    exporter: Exporter,
    region: Rc<Region>,
    open: Cell<bool>,
    position: Cell<usize>,
    /// A descriptor of its own, or -1.
    fd: Cell<i32>,
    offset: i64,
    access: i64,
}

impl Foreign for Map {
    fn exporter(&self) -> Option<&Exporter> {
        self.open.get().then_some(&self.exporter)
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        self.close_file();
    }
}

fn own<'a>(args: &Args<'a>) -> PyResult<&'a Map> {
    let found = args.pos.first().and_then(Value::foreign::<Map>);
    found.ok_or_else(|| Raised::type_error("a mmap.mmap is required"))
}

fn open<'a>(args: &Args<'a>) -> PyResult<&'a Map> {
    let map = own(args)?;
    if map.is_closed() {
        return Err(Raised::value_error("mmap closed or invalid"));
    }
    Ok(map)
}

impl Map {
    fn is_closed(&self) -> bool {
        !self.open.get()
    }

    fn len(&self) -> usize {
        self.region.len.get()
    }

    fn close_file(&self) {
        let fd = self.fd.replace(-1);
        if fd >= 0 {
            // SAFETY: the descriptor is this one's.
            unsafe { libc::close(fd) };
        }
    }

    fn close(&self) -> PyResult {
        if self.exporter.data.check_resizable().is_err() {
            let message = "cannot close exported pointers exist";
            return Err(Raised::new(ExcKind::BufferError, message));
        }
        self.open.set(false);
        self.region.unmap();
        self.close_file();
        Ok(Value::None)
    }

    fn writable(&self) -> PyResult<()> {
        match self.exporter.data.mutable {
            true => Ok(()),
            false => Err(Raised::type_error(
                "mmap can't modify a readonly memory map.",
            )),
        }
    }

    /// A copy of some bytes, as far as they exist.
    fn bytes(&self, from: usize, to: usize) -> Vec<u8> {
        let bytes = self.exporter.data.bytes();
        let (from, to) = (from.min(bytes.len()), to.min(bytes.len()));
        bytes.get(from..to).unwrap_or_default().to_vec()
    }

    /// Reads from the position on.
    fn take(&self, count: usize) -> Value {
        let at = self.position.get();
        let bytes = self.bytes(at, at.saturating_add(count));
        self.position.set(at + bytes.len());
        Value::bytes(bytes)
    }

    /// Writes from the position on.
    fn put(&self, data: &[u8], too_long: &str) -> PyResult<()> {
        let at = self.position.get();
        let fits = self.exporter.data.write(|bytes| {
            let room = bytes.get_mut(at..at + data.len());
            room.map(|room| room.copy_from_slice(data))
        });
        fits.ok_or_else(|| Raised::value_error(too_long))?;
        self.position.set(at + data.len());
        Ok(())
    }

    fn index(&self, vm: &mut dyn Vm, key: &Value) -> PyResult<usize> {
        if key.as_bigint().is_none()
            && janus_object::ops::special(key, janus_object::name!("__index__")).is_none()
        {
            return Err(Raised::type_error("mmap indices must be integers"));
        }
        let at = int(vm, key)?;
        let at = if at < 0 { at + self.len() as i64 } else { at };
        usize::try_from(at)
            .ok()
            .filter(|at| *at < self.len())
            .ok_or_else(|| Raised::index_error("mmap index out of range"))
    }
}

fn file_size(fd: i32) -> PyResult<i64> {
    // SAFETY: all zeros is a valid value, which is written over.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: there is room for the answer.
    match unsafe { libc::fstat(fd, &mut status) } {
        0 => Ok(status.st_size),
        _ => Err(failed()),
    }
}

fn failed() -> Raised {
    Raised::io_error(&Error::last_os_error(), None)
}

fn new(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<6> = Signature::new(
        "mmap",
        ["fileno", "length", "flags", "prot", "access", "offset"],
    )
    .required(2);
    let Some((Value::Class(made), rest)) = args.pos.split_first() else {
        return Err(Raised::type_error("mmap.__new__(): not enough arguments"));
    };
    let given = SIGNATURE.parse(Args::with_kw(rest, args.kw))?;
    let [fileno, length, flags, prot, access, offset] = given;
    let fd = descriptor(vm, &fileno.unwrap_or(Value::None))?;
    let length = int(vm, &length.unwrap_or(Value::None))?;
    let mut number =
        |value: Option<Value>, default: i64| value.map_or(Ok(default), |value| int(vm, &value));
    let mut flags = number(flags, libc::MAP_SHARED.into())? as i32;
    let mut prot = number(prot, (libc::PROT_READ | libc::PROT_WRITE).into())? as i32;
    let mut access = number(access, ACCESS_DEFAULT)?;
    let offset = number(offset, 0)?;
    if length < 0 {
        return Err(Raised::overflow_error(
            "memory mapped length must be positive",
        ));
    }
    if offset < 0 {
        return Err(Raised::overflow_error(
            "memory mapped offset must be positive",
        ));
    }
    let both = libc::PROT_READ | libc::PROT_WRITE;
    if access != ACCESS_DEFAULT && (flags != libc::MAP_SHARED || prot != both) {
        return Err(Raised::value_error(
            "mmap can't specify both access, flags and prot.",
        ));
    }
    match access {
        ACCESS_READ => (flags, prot) = (libc::MAP_SHARED, libc::PROT_READ),
        ACCESS_WRITE => (flags, prot) = (libc::MAP_SHARED, libc::PROT_READ | libc::PROT_WRITE),
        ACCESS_COPY => (flags, prot) = (libc::MAP_PRIVATE, libc::PROT_READ | libc::PROT_WRITE),
        // What the protection says.
        ACCESS_DEFAULT => {
            if prot & both != both {
                access = match prot & libc::PROT_WRITE {
                    0 => ACCESS_READ,
                    _ => ACCESS_WRITE,
                };
            }
        }
        _ => return Err(Raised::value_error("mmap invalid access parameter.")),
    }
    let mut size = length as usize;
    if fd != -1
        && let Ok(file) = file_size(fd)
    {
        if size == 0 {
            if file == 0 {
                return Err(Raised::value_error("cannot mmap an empty file"));
            }
            if offset >= file {
                return Err(Raised::value_error("mmap offset is greater than file size"));
            }
            size = (file - offset) as usize;
        } else if offset > file || file - offset < length {
            return Err(Raised::value_error("mmap length is greater than file size"));
        }
    }
    let mut kept = -1;
    if fd == -1 {
        flags |= libc::MAP_ANONYMOUS;
    } else {
        // SAFETY: no memory is involved.
        kept = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) };
        if kept < 0 {
            return Err(failed());
        }
    }
    // SAFETY: the system chooses a place where nothing is.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), size, prot, flags, kept, offset) };
    if start == libc::MAP_FAILED {
        let error = failed();
        if kept >= 0 {
            // SAFETY: the descriptor was made here.
            unsafe { libc::close(kept) };
        }
        return Err(error);
    }
    let region = Rc::new(Region {
        start: Cell::new(start as usize),
        len: Cell::new(size),
    });
    let memory = PyBytes::elsewhere(Box::new(Mapped(region.clone())), access != ACCESS_READ);
    let map = Map {
        exporter: Exporter {
            data: PyRef::new(memory),
            format: b'B',
            code: b'B',
        },
        region,
        open: Cell::new(true),
        position: Cell::new(0),
        fd: Cell::new(kept),
        offset,
        access,
    };
    Ok(Value::Instance(PyRef::new(Instance::new(
        made.clone(),
        Payload::Foreign(Box::new(map)),
    ))))
}

fn get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [key]) = args.method::<1>("__getitem__")?;
    let map = open(&args)?;
    if let Value::Slice(slice) = key {
        let range = slice.resolve(vm, map.len())?;
        let bytes = open(&args)?.exporter.data.bytes();
        let chosen = range.indices().filter_map(|at| bytes.get(at).copied());
        return Ok(Value::bytes(chosen.collect::<Vec<u8>>()));
    }
    let at = map.index(vm, key)?;
    let byte = map.bytes(at, at + 1).first().copied();
    Ok(Value::Int(byte.unwrap_or_default().into()))
}

fn set_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [key, value]) = args.method::<2>("__setitem__")?;
    let map = open(&args)?;
    map.writable()?;
    if let Value::Slice(slice) = key {
        let new = bytes_like(value)?;
        let range = slice.resolve(vm, map.len())?;
        if new.len() != range.count {
            return Err(Raised::index_error("mmap slice assignment is wrong size"));
        }
        map.exporter.data.write(|bytes| {
            for (at, new) in range.indices().zip(new) {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = new;
                }
            }
        });
        return Ok(Value::None);
    }
    let at = map.index(vm, key)?;
    if value.as_bigint().is_none() {
        return Err(Raised::type_error("mmap item value must be an int"));
    }
    let byte = u8::try_from(int(vm, value)?)
        .map_err(|_| Raised::value_error("mmap item value must be in range(0, 256)"))?;
    map.exporter.data.write(|bytes| {
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
    });
    Ok(Value::None)
}

fn repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let map = own(&args)?;
    let access = match map.access {
        ACCESS_READ => "ACCESS_READ",
        ACCESS_WRITE => "ACCESS_WRITE",
        ACCESS_COPY => "ACCESS_COPY",
        _ => "ACCESS_DEFAULT",
    };
    let class = janus_object::class_of(&args.pos[0]).full_name();
    Ok(Value::str(match map.is_closed() {
        true => format!("<{class} closed=True>"),
        false => format!(
            "<{class} closed=False, access={access}, length={}, pos={}, offset={}>",
            map.len(),
            map.position.get(),
            map.offset
        ),
    }))
}

/// `find` and `rfind`, which begin at the position if nothing else is said.
fn find(vm: &mut dyn Vm, args: &Args<'_>, from_end: bool) -> PyResult {
    let name = if from_end { "rfind" } else { "find" };
    let map = open(args)?;
    let (_, rest) = Args::with_kw(args.pos, args.kw).split_self(name)?;
    let given = rest.between(name, 1, 3)?;
    let sought = bytes_like(&given[0])?;
    let len = map.len() as i64;
    let mut bounds = [map.position.get() as i64, len];
    for (bound, given) in bounds.iter_mut().zip(given.iter().skip(1)) {
        let at = int(vm, given)?;
        *bound = if at < 0 {
            (at + len).max(0)
        } else {
            at.min(len)
        };
    }
    let [from, to] = bounds.map(|bound| bound as usize);
    let bytes = open(args)?.bytes(from, to.max(from));
    let found = match (sought.len(), from_end) {
        _ if from > to || sought.len() > bytes.len() => None,
        (0, false) => Some(0),
        (0, true) => Some(bytes.len()),
        (n, false) => bytes.windows(n).position(|part| part == sought),
        (n, true) => bytes.windows(n).rposition(|part| part == sought),
    };
    Ok(Value::Int(found.map_or(-1, |at| (from + at) as i64)))
}

fn flush(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let map = open(&args)?;
    let (_, rest) = args.split_self("flush")?;
    let given = rest.between("flush", 0, 2)?;
    let offset = given.first().map_or(Ok(0), |at| int(vm, at))?;
    let size = given
        .get(1)
        .map_or(Ok(map.len() as i64 - offset), |n| int(vm, n))?;
    let fits = offset >= 0 && size >= 0 && offset.saturating_add(size) <= map.len() as i64;
    if !fits {
        return Err(Raised::value_error("flush values out of range"));
    }
    if matches!(map.access, ACCESS_READ | ACCESS_COPY) || map.len() == 0 {
        return Ok(Value::None);
    }
    let start = map.region.start.get() + offset as usize;
    // SAFETY: the part is within the mapping.
    match unsafe { libc::msync(start as *mut libc::c_void, size as usize, libc::MS_SYNC) } {
        0 => Ok(Value::None),
        _ => Err(failed()),
    }
}

fn madvise(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let map = open(&args)?;
    let (_, rest) = args.split_self("madvise")?;
    let given = rest.between("madvise", 1, 3)?;
    let advice = descriptor(vm, &given[0])?;
    let start = given.get(1).map_or(Ok(0), |at| int(vm, at))?;
    let length = given.get(2).map_or(Ok(map.len() as i64), |n| int(vm, n))?;
    if start < 0 || start >= map.len() as i64 {
        return Err(Raised::value_error("madvise start out of bounds"));
    }
    if length < 0 {
        return Err(Raised::value_error("madvise length invalid"));
    }
    let length = length.min(map.len() as i64 - start);
    let at = (map.region.start.get() + start as usize) as *mut libc::c_void;
    // SAFETY: the part is within the mapping; what it holds then is the system's business, as in CPython.
    match unsafe { libc::madvise(at, length as usize, advice) } {
        0 => Ok(Value::None),
        _ => Err(failed()),
    }
}

fn move_within(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, given) = args.method::<3>("move")?;
    let map = open(&args)?;
    map.writable()?;
    let mut places = [0usize; 3];
    for (place, given) in places.iter_mut().zip(given) {
        *place = usize::try_from(int(vm, given)?).unwrap_or(usize::MAX);
    }
    let [to, from, count] = places;
    let len = map.len();
    let fits = to <= len && from <= len && count <= len - to && count <= len - from;
    if !fits {
        return Err(Raised::value_error(
            "source, destination, or count out of range",
        ));
    }
    map.exporter
        .data
        .write(|bytes| bytes.copy_within(from..from + count, to));
    Ok(Value::None)
}

fn read(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let map = open(&args)?;
    let (_, rest) = args.split_self("read")?;
    let count = match rest.between("read", 0, 1)? {
        [] | [Value::None] => -1,
        [count, ..] => int(vm, count)?,
    };
    Ok(map.take(usize::try_from(count).unwrap_or(usize::MAX)))
}

fn resize(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [size]) = args.method::<1>("resize")?;
    let map = open(&args)?;
    let size = int(vm, size)?;
    if map.exporter.data.check_resizable().is_err() {
        return Err(Raised::new(
            ExcKind::BufferError,
            "mmap can't resize with extant buffers exported.",
        ));
    }
    if !matches!(map.access, ACCESS_WRITE | ACCESS_DEFAULT) {
        return Err(Raised::type_error(
            "mmap can't resize a readonly or copy-on-write memory map.",
        ));
    }
    let Ok(new) = usize::try_from(size) else {
        return Err(Raised::value_error("new size out of range"));
    };
    // SAFETY: no memory is involved.
    if map.fd.get() != -1 && unsafe { libc::ftruncate(map.fd.get(), map.offset + size) } != 0 {
        return Err(failed());
    }
    let start = map.region.start.get() as *mut libc::c_void;
    // SAFETY: the mapping is this one's; nobody has a view of it.
    let moved = unsafe { libc::mremap(start, map.len(), new, libc::MREMAP_MAYMOVE) };
    if moved == libc::MAP_FAILED {
        return Err(failed());
    }
    map.region.start.set(moved as usize);
    map.region.len.set(new);
    Ok(Value::None)
}

fn seek(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let map = open(&args)?;
    let (_, rest) = args.split_self("seek")?;
    let given = rest.between("seek", 1, 2)?;
    let distance = int(vm, &given[0])?;
    let base = match given.get(1).map_or(Ok(0), |how| int(vm, how))? {
        0 => 0,
        1 => map.position.get() as i64,
        2 => map.len() as i64,
        _ => return Err(Raised::value_error("unknown seek type")),
    };
    let to = usize::try_from(base.saturating_add(distance)).ok();
    let to = to.filter(|to| *to <= map.len());
    map.position
        .set(to.ok_or_else(|| Raised::value_error("seek out of range"))?);
    Ok(Value::None)
}
