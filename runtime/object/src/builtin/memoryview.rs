//! `memoryview`.
//!
//! In: an object with a buffer. Out: items and parts of its memory, without copies. Always: what a view writes, the
//! object and all its other views see; a released view raises.

use std::cell::Cell;

use crate::buffer::{self, NotAnItem};
use crate::heap::Tracer;
use crate::native::wrong_self;
use crate::{
    Args, ExcKind, Foreign, Instance, NativeDef, PyBytes, PyRef, PyResult, Raised, Signature,
    Value, Vm, ops, types,
};

use super::int::class_argument;

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::function("memoryview.__new__", new),
    NativeDef::method("memoryview.__getitem__", get_item),
    NativeDef::method("memoryview.__setitem__", set_item),
    NativeDef::method("memoryview.__delitem__", del_item),
    NativeDef::noargs_method("memoryview.__len__", len),
    NativeDef::method("memoryview.__eq__", eq),
    NativeDef::noargs_method("memoryview.__hash__", hash),
    NativeDef::noargs_method("memoryview.__repr__", repr),
    NativeDef::noargs_method("memoryview.__enter__", enter),
    NativeDef::method("memoryview.__exit__", exit),
    NativeDef::method("memoryview.release", release),
    NativeDef::method("memoryview.tobytes", tobytes),
    NativeDef::noargs_method("memoryview.tolist", tolist),
    NativeDef::method("memoryview.hex", hex),
    NativeDef::method("memoryview.cast", cast),
    NativeDef::noargs_method("memoryview.toreadonly", toreadonly),
    NativeDef::getter("memoryview.obj", |_, a| Ok(own(&a)?.object.clone())),
    NativeDef::getter("memoryview.nbytes", |_, a| {
        Ok(Value::from(own(&a)?.nbytes()))
    }),
    NativeDef::getter("memoryview.readonly", |_, a| {
        Ok(Value::bool(own(&a)?.readonly))
    }),
    NativeDef::getter("memoryview.itemsize", |_, a| Ok(Value::from(own(&a)?.size))),
    NativeDef::getter("memoryview.format", |_, a| {
        Ok(Value::str(char::from(own(&a)?.format).to_string()))
    }),
    NativeDef::getter("memoryview.ndim", |_, a| {
        Ok(Value::from(own(&a)?.shape.len()))
    }),
    NativeDef::getter("memoryview.shape", |_, a| {
        let shape = own(&a)?.shape.iter().map(|&n| Value::from(n));
        Ok(Value::tuple(shape.collect::<Vec<Value>>()))
    }),
    NativeDef::getter("memoryview.strides", |_, a| {
        let strides = own(&a)?.strides.iter().map(|&n| Value::Int(n as i64));
        Ok(Value::tuple(strides.collect::<Vec<Value>>()))
    }),
    NativeDef::getter("memoryview.suboffsets", |_, a| {
        own(&a)?;
        Ok(Value::tuple(Vec::new()))
    }),
    NativeDef::getter("memoryview.c_contiguous", |_, a| {
        Ok(Value::bool(own(&a)?.is_contiguous()))
    }),
    NativeDef::getter("memoryview.f_contiguous", |_, a| {
        let view = own(&a)?;
        Ok(Value::bool(view.is_contiguous() && view.shape.len() < 2))
    }),
    NativeDef::getter("memoryview.contiguous", |_, a| {
        Ok(Value::bool(own(&a)?.is_contiguous()))
    }),
];

/// `pickle.PickleBuffer`: an object's memory that a pickle may leave out. It is a view of it.
pub(crate) const PICKLE_BUFFER: &[NativeDef] = &[
    NativeDef::function("PickleBuffer.__new__", |_, args| {
        let (class, rest) = class_argument(args, "PickleBuffer.__new__")?;
        let [object] = rest.exactly::<1>("PickleBuffer")?;
        let view =
            MemoryView::of(object).map_err(|raised| match raised.is(ExcKind::TypeError) {
                true => Raised::type_error(format!(
                    "a bytes-like object is required, not '{}'",
                    object.type_name()
                )),
                false => raised,
            })?;
        Ok(Instance::native(class, view))
    }),
    NativeDef::method("PickleBuffer.raw", raw),
    NativeDef::method("PickleBuffer.release", release),
];

/// A view of memory: items of one format at regular places.
pub struct MemoryView {
    data: PyRef<PyBytes>,
    object: Value,
    /// Where the first item is, in bytes.
    start: usize,
    format: u8,
    size: usize,
    shape: Vec<usize>,
    /// In bytes.
    strides: Vec<isize>,
    readonly: bool,
    released: Cell<bool>,
}

impl Foreign for MemoryView {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.value(&self.object);
    }
}

impl Drop for MemoryView {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl MemoryView {
    fn let_go(&self) {
        if !self.released.replace(true) {
            self.data.unexport();
        }
    }

    fn check(&self) -> PyResult<()> {
        if self.released.get() {
            return Err(Raised::value_error(
                "operation forbidden on released memoryview object",
            ));
        }
        Ok(())
    }

    fn of(value: &Value) -> PyResult<MemoryView> {
        if let Some(view) = value.foreign::<MemoryView>() {
            view.check()?;
            return Ok(view.part(view.start, view.shape.clone(), view.strides.clone()));
        }
        let Some(exported) = buffer::exported(value) else {
            return Err(Raised::type_error(format!(
                "memoryview: a bytes-like object is required, not '{}'",
                value.type_name()
            )));
        };
        let size = buffer::item_size(exported.format).unwrap_or(1);
        exported.data.export();
        Ok(MemoryView {
            shape: vec![exported.data.len() / size],
            strides: vec![size as isize],
            data: exported.data,
            object: value.clone(),
            start: 0,
            format: exported.format,
            size,
            readonly: exported.readonly,
            released: Cell::new(false),
        })
    }

    /// Another view of the same memory.
    fn part(&self, start: usize, shape: Vec<usize>, strides: Vec<isize>) -> MemoryView {
        self.data.export();
        MemoryView {
            data: self.data.clone(),
            object: self.object.clone(),
            start,
            format: self.format,
            size: self.size,
            shape,
            strides,
            readonly: self.readonly,
            released: Cell::new(false),
        }
    }

    fn value(self) -> Value {
        Instance::native(&types().memoryview, self)
    }

    fn items(&self) -> usize {
        self.shape.iter().product()
    }

    fn nbytes(&self) -> usize {
        self.items() * self.size
    }

    fn is_contiguous(&self) -> bool {
        let mut expected = self.size as isize;
        let dimensions = self.shape.iter().zip(&self.strides).rev();
        for (&n, &stride) in dimensions {
            if n > 1 && stride != expected {
                return false;
            }
            expected *= n as isize;
        }
        true
    }

    /// Where each item is, the last index moving first.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![self.start as isize];
        for (&n, &stride) in self.shape.iter().zip(&self.strides) {
            places = places
                .iter()
                .flat_map(|&at| (0..n as isize).map(move |i| at + i * stride))
                .collect();
        }
        places.into_iter().map(|at| at as usize).collect()
    }

    /// A copy of the bytes in the order of the items.
    pub(crate) fn to_vec(&self) -> PyResult<Vec<u8>> {
        self.check()?;
        let data = self.data.bytes();
        if self.is_contiguous() {
            let bytes = data.get(self.start..self.start + self.nbytes());
            return Ok(bytes.unwrap_or_default().to_vec());
        }
        let places = self.places().into_iter();
        let items = places.filter_map(|at| data.get(at..at + self.size));
        Ok(items.flatten().copied().collect())
    }

    /// Writes over the first bytes; how many there was room for, none if it cannot be written to.
    pub(crate) fn overwrite(&self, bytes: &[u8]) -> Option<usize> {
        if self.readonly || self.released.get() || !self.is_contiguous() {
            return None;
        }
        let n = bytes.len().min(self.nbytes());
        self.data.write(|data| {
            let target = data.get_mut(self.start..self.start + n)?;
            target.copy_from_slice(&bytes[..n]);
            Some(n)
        })
    }

    fn item(&self, at: usize) -> Value {
        let data = self.data.bytes();
        buffer::read_item(
            self.format,
            data.get(at..at + self.size).unwrap_or_default(),
        )
    }

    /// The place along a dimension of an index that may count from the end.
    fn place(&self, dimension: usize, index: i64) -> PyResult<isize> {
        let n = self.shape[dimension] as i64;
        let at = if index < 0 { index + n } else { index };
        if at < 0 || at >= n {
            return Err(Raised::index_error(match self.shape.len() {
                1 => "index out of bounds on dimension 1".to_owned(),
                _ => format!("index out of bounds on dimension {}", dimension + 1),
            }));
        }
        Ok(at as isize * self.strides[dimension])
    }

    /// Where the item of a key is, if the key names a single one.
    fn single(&self, vm: &mut dyn Vm, key: &Value) -> PyResult<Option<usize>> {
        let indices: Vec<Value> = match key {
            Value::Tuple(t) => t.items.to_vec(),
            Value::Slice(_) => return Ok(None),
            other => vec![other.clone()],
        };
        if indices.iter().any(|i| matches!(i, Value::Slice(_))) {
            return Err(Raised::new(
                ExcKind::NotImplementedError,
                "multi-dimensional slicing is not implemented",
            ));
        }
        for index in &indices {
            if index.as_bigint().is_none()
                && ops::special(index, crate::name!("__index__")).is_none()
            {
                return Err(Raised::type_error("memoryview: invalid slice key"));
            }
        }
        if indices.len() < self.shape.len() {
            return Err(Raised::new(
                ExcKind::NotImplementedError,
                match key {
                    Value::Tuple(_) => "sub-views are not implemented",
                    _ => "multi-dimensional sub-views are not implemented",
                },
            ));
        }
        if indices.len() > self.shape.len() {
            return Err(Raised::type_error(format!(
                "cannot index {}-dimension view with {}-element tuple",
                self.shape.len(),
                indices.len()
            )));
        }
        let mut at = self.start as isize;
        for (dimension, index) in indices.iter().enumerate() {
            let index = ops::as_index(vm, index)?;
            at += self.place(dimension, index)?;
        }
        Ok(Some(at as usize))
    }

    /// The part that a slice names.
    fn sliced(&self, vm: &mut dyn Vm, key: &Value) -> PyResult<MemoryView> {
        let (Value::Slice(slice), Some(&n)) = (key, self.shape.first()) else {
            return Err(Raised::type_error("memoryview: invalid slice key"));
        };
        let range = slice.resolve(vm, n)?;
        let stride = self.strides[0];
        let start = self.start as isize + range.start as isize * stride;
        let (mut shape, mut strides) = (self.shape.clone(), self.strides.clone());
        shape[0] = range.count;
        strides[0] = stride.saturating_mul(range.step as isize);
        Ok(self.part(start.max(0) as usize, shape, strides))
    }

    fn nested(&self, dimension: usize, at: isize) -> Value {
        let Some(&n) = self.shape.get(dimension) else {
            return self.item(at as usize);
        };
        let stride = self.strides[dimension];
        let items = (0..n as isize).map(|i| self.nested(dimension + 1, at + i * stride));
        Value::list(items.collect())
    }
}

fn own<'a>(args: &Args<'a>) -> PyResult<&'a MemoryView> {
    let view = view(args.pos.first())?;
    view.check()?;
    Ok(view)
}

fn view(value: Option<&Value>) -> PyResult<&MemoryView> {
    let value = value.unwrap_or(&Value::None);
    value
        .foreign::<MemoryView>()
        .ok_or_else(|| wrong_self("method", "memoryview", value))
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<1> = Signature::new("memoryview", ["object"]).required(1);
    let (_, rest) = class_argument(args, "memoryview.__new__")?;
    let [object] = SIGNATURE.parse(rest)?;
    Ok(MemoryView::of(&object.unwrap_or(Value::None))?.value())
}

fn get_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [key]) = args.method::<1>("__getitem__")?;
    let view = own(&args)?;
    match view.single(vm, key)? {
        Some(at) => Ok(view.item(at)),
        None => Ok(view.sliced(vm, key)?.value()),
    }
}

fn set_item(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [key, value]) = args.method::<2>("__setitem__")?;
    let view = own(&args)?;
    if view.readonly {
        return Err(Raised::type_error("cannot modify read-only memory"));
    }
    if let Some(at) = view.single(vm, key)? {
        let format = char::from(view.format);
        let bytes = buffer::write_item(vm, view.format, value).map_err(|e| match e {
            NotAnItem::Type => {
                Raised::type_error(format!("memoryview: invalid type for format '{format}'"))
            }
            NotAnItem::Range(..) => {
                Raised::value_error(format!("memoryview: invalid value for format '{format}'"))
            }
            NotAnItem::Raised(raised) => raised,
        })?;
        // The value's own code may have released the view.
        view.check()?;
        view.data.write(|data| {
            if let Some(target) = data.get_mut(at..at + bytes.len()) {
                target.copy_from_slice(&bytes);
            }
        });
        return Ok(Value::None);
    }
    let target = view.sliced(vm, key)?;
    let source = MemoryView::of(value)?;
    if target.format != source.format || target.shape != source.shape {
        return Err(Raised::value_error(
            "memoryview assignment: lvalue and rvalue have different structures",
        ));
    }
    let bytes = source.to_vec()?;
    let places = target.places();
    view.data.write(|data| {
        for (at, item) in places.into_iter().zip(bytes.chunks(target.size)) {
            if let Some(room) = data.get_mut(at..at + item.len()) {
                room.copy_from_slice(item);
            }
        }
    });
    Ok(Value::None)
}

fn del_item(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    own(&args)?;
    Err(Raised::type_error("cannot delete memory"))
}

fn len(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let view = own(&args)?;
    Ok(Value::from(view.shape.first().copied().unwrap_or(1)))
}

fn eq(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [other]) = args.method::<1>("__eq__")?;
    let ours = view(Some(this))?;
    if let Some(other) = other.foreign::<MemoryView>()
        && (other.released.get() || ours.released.get())
    {
        return Ok(Value::bool(std::ptr::eq(ours, other)));
    }
    if ours.released.get() {
        return Ok(Value::bool(false));
    }
    let Ok(theirs) = MemoryView::of(other) else {
        return Ok(Value::NotImplemented);
    };
    if ours.shape != theirs.shape {
        return Ok(Value::bool(false));
    }
    for (a, b) in ours.places().into_iter().zip(theirs.places()) {
        if !ops::eq(vm, &ours.item(a), &theirs.item(b))? {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}

fn hash(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let view = own(&args)?;
    if !view.readonly {
        return Err(Raised::value_error(
            "cannot hash writable memoryview object",
        ));
    }
    if !matches!(view.format, b'B' | b'b' | b'c') {
        return Err(Raised::value_error(
            "memoryview: hashing is restricted to formats 'B', 'b' or 'c'",
        ));
    }
    Ok(Value::Int(crate::hash_bytes(&view.to_vec()?)))
}

fn repr(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = args.pos.first().unwrap_or(&Value::None);
    let released = view(Some(this))?.released.get();
    let kind = if released {
        "released memory"
    } else {
        "memory"
    };
    Ok(Value::str(format!(
        "<{kind} at {:#x}>",
        ops::identity(this)
    )))
}

fn enter(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    own(&args)?;
    Ok(args.pos[0].clone())
}

fn exit(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    view(args.pos.first())?.let_go();
    Ok(Value::None)
}

/// The bytes of a pickle's buffer as they lie in memory.
fn raw(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("raw")?;
    let view = view(Some(this))?;
    if view.released.get() {
        return Err(Raised::value_error(
            "operation forbidden on released PickleBuffer object",
        ));
    }
    if !view.is_contiguous() {
        return Err(Raised::new(
            ExcKind::BufferError,
            "cannot extract raw buffer from non-contiguous buffer",
        ));
    }
    let mut bytes = view.part(view.start, vec![view.nbytes()], vec![1]);
    (bytes.format, bytes.size) = (b'B', 1);
    Ok(bytes.value())
}

fn release(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("release")?;
    view(Some(this))?.let_go();
    Ok(Value::None)
}

fn tobytes(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<1> = Signature::new("tobytes", ["order"]).required(0);
    let view = own(&args)?;
    let (_, [order]) = SIGNATURE.parse_method(args)?;
    match order.as_ref().map(|o| o.as_str()) {
        None | Some(Some("C" | "A")) => {}
        Some(None) if order.as_ref().is_some_and(Value::is_none) => {}
        Some(Some("F")) if view.shape.len() < 2 => {}
        _ => {
            return Err(Raised::value_error("order must be 'C', 'F' or 'A'"));
        }
    }
    Ok(Value::bytes(view.to_vec()?))
}

fn tolist(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let view = own(&args)?;
    Ok(view.nested(0, view.start as isize))
}

fn hex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let bytes = Value::bytes(own(&args)?.to_vec()?);
    let rest = Args::with_kw(args.pos.get(1..).unwrap_or_default(), args.kw);
    let hex = crate::attr::get(vm, &bytes, crate::name!("hex"))?;
    vm.call(&hex, rest)
}

fn toreadonly(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let view = own(&args)?;
    let mut part = view.part(view.start, view.shape.clone(), view.strides.clone());
    part.readonly = true;
    Ok(part.value())
}

fn cast(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("cast", ["format", "shape"]).required(1);
    let view = own(&args)?;
    let (_, [format, shape]) = SIGNATURE.parse_method(args)?;
    let Some(text) = format.as_ref().and_then(Value::as_str) else {
        return Err(Raised::type_error("format argument must be a string"));
    };
    if !view.is_contiguous() {
        return Err(Raised::type_error(
            "memoryview: casts are restricted to C-contiguous views",
        ));
    }
    let format = match text.as_bytes() {
        [code] | [b'@', code] => Some(*code).filter(|c| buffer::item_size(*c).is_some()),
        _ => None,
    };
    let Some(format) = format else {
        return Err(Raised::value_error(
            "memoryview: destination format must be a native single character format prefixed with an optional '@'",
        ));
    };
    let is_bytes = |format: u8| matches!(format, b'B' | b'b' | b'c');
    if !is_bytes(view.format) && !is_bytes(format) {
        return Err(Raised::type_error(
            "memoryview: cannot cast between two non-byte formats",
        ));
    }
    let size = buffer::item_size(format).unwrap_or(1);
    let bytes = view.nbytes();
    if bytes % size != 0 {
        return Err(Raised::type_error(
            "memoryview: length is not a multiple of itemsize",
        ));
    }
    let shape = match shape {
        None => vec![bytes / size],
        Some(given) => {
            let mut shape = Vec::new();
            for extent in ops::collect(vm, &given)? {
                let extent = ops::as_index(vm, &extent)?;
                let extent = usize::try_from(extent).ok().filter(|n| *n > 0);
                shape.push(extent.ok_or_else(|| {
                    Raised::value_error("memoryview.cast(): elements of shape must be integers > 0")
                })?);
            }
            if view.shape.len() > 1 && shape.len() > 1 {
                return Err(Raised::type_error(
                    "memoryview: cast must be 1D -> ND or ND -> 1D",
                ));
            }
            let product = shape.iter().try_fold(size, |all, n| all.checked_mul(*n));
            if product != Some(bytes) {
                return Err(Raised::type_error(
                    "memoryview: product(shape) * itemsize != buffer size",
                ));
            }
            shape
        }
    };
    let mut strides = vec![0; shape.len()];
    let mut stride = size as isize;
    for (place, n) in strides.iter_mut().zip(&shape).rev() {
        *place = stride;
        stride *= *n as isize;
    }
    let mut part = view.part(view.start, shape, strides);
    part.format = format;
    part.size = size;
    Ok(part.value())
}
