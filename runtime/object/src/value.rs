//! The value: sixteen bytes, a tag and a payload.
//!
//! In: Rust values. Out: [`Value`], its constructors and accessors. Always: an int within 64 bits
//! is a [`Value::Int`]; accessors look through instances of subclasses of built-in types.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::{
    Bool, Class, CodeObject, Float, Generator, Instance, Name, NativeFunction, Payload, PyBytes,
    PyCell, PyDict, PyFunction, PyIter, PyList, PyMethod, PyModule, PyRange, PyRef, PySet, PySlice,
    PyStr, PyTuple, class_of,
};

/// A Python value. `None`, bools, ints that fit into 64 bits and floats are immediate.
///
/// The layout is part of the contract with compiled code: the tag is the word at offset 0, a payload of eight bytes lies
/// at offset 8 (`repr(u64)`, RFC 2195). Rust keeps a value in two registers, see [`crate::scalar`]; with a tag of a byte,
/// each `Result` of a value would be written in parts and read whole, and its reader would wait for the writer.
#[repr(u64)]
pub enum Value {
    /// `None`
    None,
    /// `True`, `False`
    Bool(Bool),
    /// An int within 64 bits. Always used for such ints: [`Value::BigInt`] never holds one.
    Int(i64),
    /// A float.
    Float(Float),
    /// An int outside 64 bits.
    BigInt(PyRef<BigInt>),
    /// A string.
    Str(PyRef<PyStr>),
    /// Bytes, or a bytearray.
    Bytes(PyRef<PyBytes>),
    /// A tuple.
    Tuple(PyRef<PyTuple>),
    /// A list.
    List(PyRef<PyList>),
    /// A dict.
    Dict(PyRef<PyDict>),
    /// A set or frozenset.
    Set(PyRef<PySet>),
    /// A range.
    Range(PyRef<PyRange>),
    /// A slice.
    Slice(PyRef<PySlice>),
    /// A function written in Python.
    Function(PyRef<PyFunction>),
    /// A bound method: a callable with its first argument.
    Method(PyRef<PyMethod>),
    /// A function or method descriptor written in Rust.
    Native(PyRef<NativeFunction>),
    /// A class.
    Class(PyRef<Class>),
    /// An instance of a user's class, an exception, or an object of a native module (a tensor).
    Instance(PyRef<Instance>),
    /// A module.
    Module(PyRef<PyModule>),
    /// A built-in iterator.
    Iter(PyRef<PyIter>),
    /// A generator or coroutine.
    Generator(PyRef<Generator>),
    /// A cell of a closure.
    Cell(PyRef<PyCell>),
    /// A code object.
    Code(PyRef<CodeObject>),
    /// `...`
    Ellipsis,
    /// `NotImplemented`
    NotImplemented,
}

// What compiled code and the interpreter's loop take for granted.
const _: () = assert!(size_of::<Value>() == 16 && size_of::<Option<Value>>() == 16);

impl Clone for Value {
    #[inline(always)]
    fn clone(&self) -> Self {
        if let Some(count) = self.count() {
            // SAFETY: the count of a living object, of this thread.
            unsafe { *count += 1 };
        }
        // SAFETY: the copy is a reference of its own: it was counted.
        unsafe { std::ptr::read(self) }
    }
}

impl Value {
    /// Answers a call of it without the interpreter, if there is a way for that ([`crate::QuickWay`]).
    #[inline]
    #[must_use]
    pub fn answer(&self, args: &[Value]) -> Option<Value> {
        match self {
            Value::Native(native) => native.answer(args),
            Value::Class(class) => class.quick.get()?(args),
            Value::Method(method) => {
                let Value::Native(native) = &method.function else {
                    return None;
                };
                let quick = native.quick?;
                let mut all = smallvec::SmallVec::<[Value; 4]>::new();
                all.push(method.receiver.clone());
                all.extend(args.iter().cloned());
                quick(&all)
            }
            _ => None,
        }
    }

    /// Where the number of references to the object is kept, if the value refers to one: a [`PyRef`] points to it.
    #[inline(always)]
    pub fn count(&self) -> Option<*mut usize> {
        match self {
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Ellipsis
            | Value::NotImplemented => None,
            // SAFETY: the payload of all others is a reference, in the second half.
            _ => Some(unsafe { std::ptr::from_ref(self).cast::<*mut usize>().add(1).read() }),
        }
    }

    /// Which variant it is, counted from the first.
    #[inline(always)]
    #[must_use]
    pub fn tag(&self) -> u8 {
        // SAFETY: the enum is `repr(u64)`: its first byte is that of its tag, which is small (and words are little-endian).
        unsafe { std::ptr::from_ref(self).cast::<u8>().read() }
    }

    /// Puts the value where another one may be.
    #[inline(always)]
    pub fn put(self, slot: &mut Option<Value>) {
        if let Some(count) = slot.as_ref().and_then(Value::count) {
            // SAFETY: the count of a living object, of this thread.
            let references = unsafe { &mut *count };
            if *references == 1 {
                return put_last(slot, self);
            }
            *references -= 1;
        }
        // SAFETY: what was there is no reference, or it no longer counts as one.
        unsafe { std::ptr::write(slot, Some(self)) };
    }

    /// A bool.
    #[inline(always)]
    pub fn bool(b: bool) -> Value {
        Value::Bool(b.into())
    }

    /// A float.
    #[inline(always)]
    pub fn float(x: f64) -> Value {
        Value::Float(x.into())
    }

    /// Drops the value; only the last reference to an object costs a call.
    #[inline(always)]
    pub fn release(self) {
        let Some(count) = self.count() else {
            std::mem::forget(self);
            return;
        };
        // SAFETY: the count of a living object, of this thread.
        let references = unsafe { &mut *count };
        if *references == 1 {
            drop_last(self);
        } else {
            *references -= 1;
            std::mem::forget(self);
        }
    }

    /// A string.
    pub fn str(s: impl Into<compact_str::CompactString>) -> Value {
        Value::Str(PyRef::new(PyStr::new(s)))
    }

    /// A string of one code point; ASCII ones are shared.
    pub fn char(c: char) -> Value {
        janus_gil::gil_local! {
            static ASCII: Vec<PyRef<PyStr>> = (0..128u8)
                .map(|b| crate::Name::new(char::from(b).encode_utf8(&mut [0; 4])).as_pystr().clone())
                .collect();
        }
        if let Some(s) = ASCII.with(|chars| chars.get(c as usize).cloned()) {
            return Value::Str(s);
        }
        Value::str(c.to_string())
    }

    /// An int of any size.
    pub fn big(n: BigInt) -> Value {
        match n.to_i64() {
            Some(small) => Value::Int(small),
            None => Value::BigInt(PyRef::new(n)),
        }
    }

    /// Bytes.
    pub fn bytes(data: impl Into<Vec<u8>>) -> Value {
        Value::Bytes(PyRef::new(PyBytes::new(data, false)))
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(PyRef::new(PyList::new(items)))
    }

    /// A tuple.
    pub fn tuple(items: impl Into<Box<[Value]>>) -> Value {
        Value::Tuple(PyRef::new(PyTuple::new(items)))
    }

    /// A dict.
    pub fn dict(dict: PyDict) -> Value {
        Value::Dict(PyRef::new(dict))
    }

    /// An instance.
    pub fn instance(class: &PyRef<Class>, payload: Payload) -> Value {
        Value::Instance(PyRef::new(Instance::new(class.clone(), payload)))
    }

    /// Whether this is None.
    #[inline]
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// Name of its class, for messages.
    pub fn type_name(&self) -> String {
        class_of(self).type_name()
    }

    /// The built-in value inside: an instance of a subclass of int, str, list, ... gives what it
    /// wraps; anything else is returned as it is.
    pub fn unwrapped(&self) -> Value {
        match self {
            Value::Instance(i) => match &i.payload {
                Payload::Wrapped(v) => v.clone(),
                Payload::Tuple(t) => Value::Tuple(t.clone()),
                Payload::List(l) => Value::List(l.clone()),
                Payload::Dict(d) => Value::Dict(d.clone()),
                Payload::Set(s) => Value::Set(s.clone()),
                _ => self.clone(),
            },
            _ => self.clone(),
        }
    }

    /// The immutable built-in value that an instance of a subclass of int, str, ... wraps.
    #[inline]
    fn wrapped(&self) -> &Value {
        match self {
            Value::Instance(i) => match &i.payload {
                Payload::Wrapped(v) => v,
                _ => self,
            },
            _ => self,
        }
    }

    /// The string, subclasses included.
    #[inline]
    pub fn as_pystr(&self) -> Option<&PyRef<PyStr>> {
        match self.wrapped() {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }

    /// The text of a string, subclasses included.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        self.as_pystr().map(|s| s.as_str())
    }

    /// An int or bool within 64 bits, subclasses included.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        match self.wrapped() {
            Value::Int(i) => Some(*i),
            Value::Bool(b) => Some(i64::from(b.get())),
            _ => None,
        }
    }

    /// An int or bool of any size, subclasses included.
    pub fn as_bigint(&self) -> Option<BigInt> {
        match self.wrapped() {
            Value::Int(i) => Some(BigInt::from(*i)),
            Value::Bool(b) => Some(BigInt::from(u8::from(b.get()))),
            Value::BigInt(b) => Some((**b).clone()),
            _ => None,
        }
    }

    /// A float, int or bool as a float, subclasses included; big ints out of range are infinite.
    #[inline]
    pub fn as_f64(&self) -> Option<f64> {
        match self.wrapped() {
            Value::Float(f) => Some(f.get()),
            Value::Int(i) => Some(*i as f64),
            Value::Bool(b) => Some(f64::from(u8::from(b.get()))),
            Value::BigInt(b) => Some(crate::ops::big_to_f64(b)),
            _ => None,
        }
    }

    /// The list, subclasses included.
    #[inline]
    pub fn as_list(&self) -> Option<&PyRef<PyList>> {
        match self {
            Value::List(l) => Some(l),
            Value::Instance(i) => match &i.payload {
                Payload::List(l) => Some(l),
                _ => None,
            },
            _ => None,
        }
    }

    /// The tuple, subclasses included.
    #[inline]
    pub fn as_tuple(&self) -> Option<&PyRef<PyTuple>> {
        match self {
            Value::Tuple(t) => Some(t),
            Value::Instance(i) => match &i.payload {
                Payload::Tuple(t) => Some(t),
                _ => None,
            },
            _ => None,
        }
    }

    /// The dict, subclasses included.
    #[inline]
    pub fn as_dict(&self) -> Option<&PyRef<PyDict>> {
        match self {
            Value::Dict(d) => Some(d),
            Value::Instance(i) => match &i.payload {
                Payload::Dict(d) => Some(d),
                _ => None,
            },
            _ => None,
        }
    }

    /// The set or frozenset, subclasses included.
    #[inline]
    pub fn as_set(&self) -> Option<&PyRef<PySet>> {
        match self {
            Value::Set(s) => Some(s),
            Value::Instance(i) => match &i.payload {
                Payload::Set(s) => Some(s),
                _ => None,
            },
            _ => None,
        }
    }

    /// Bytes or a bytearray, subclasses included.
    #[inline]
    pub fn as_bytes(&self) -> Option<&PyRef<PyBytes>> {
        match self.wrapped() {
            Value::Bytes(b) => Some(b),
            _ => None,
        }
    }

    /// The class.
    #[inline]
    pub fn as_class(&self) -> Option<&PyRef<Class>> {
        match self {
            Value::Class(c) => Some(c),
            _ => None,
        }
    }

    /// The instance.
    #[inline]
    pub fn as_instance(&self) -> Option<&PyRef<Instance>> {
        match self {
            Value::Instance(i) => Some(i),
            _ => None,
        }
    }

    /// The data of a native module's object.
    #[inline]
    pub fn foreign<T: std::any::Any>(&self) -> Option<&T> {
        self.as_instance()?.foreign()
    }
}

#[inline(never)]
fn put_last(slot: &mut Option<Value>, value: Value) {
    *slot = Some(value);
}

#[inline(never)]
fn drop_last(value: Value) {
    drop(value);
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::bool(b)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Value::Int(i)
    }
}

impl From<i32> for Value {
    fn from(i: i32) -> Self {
        Value::Int(i64::from(i))
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Self {
        match i64::try_from(n) {
            Ok(i) => Value::Int(i),
            Err(_) => Value::big(BigInt::from(n)),
        }
    }
}

impl From<f64> for Value {
    fn from(f: f64) -> Self {
        Value::float(f)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Value::str(s)
    }
}

impl From<String> for Value {
    fn from(s: String) -> Self {
        Value::str(s)
    }
}

impl From<BigInt> for Value {
    fn from(n: BigInt) -> Self {
        Value::big(n)
    }
}

impl From<&Name> for Value {
    fn from(n: &Name) -> Self {
        n.to_value()
    }
}

impl From<()> for Value {
    fn from(_: ()) -> Self {
        Value::None
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(v: Option<T>) -> Self {
        v.map_or(Value::None, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::list(items.into_iter().map(Into::into).collect())
    }
}

impl std::fmt::Debug for Value {
    /// For test failures: type and, for immediates and strings, the content.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::None => f.write_str("None"),
            Value::Bool(b) => write!(f, "{}", b.get()),
            Value::Int(i) => write!(f, "{i}"),
            Value::Float(x) => f.write_str(&crate::text::float_repr(x.get())),
            Value::BigInt(b) => write!(f, "{b}"),
            Value::Str(s) => write!(f, "{:?}", s.as_str()),
            Value::Tuple(t) => f.debug_list().entries(t.items.iter()).finish(),
            Value::List(l) => f.debug_list().entries(l.items.borrow().iter()).finish(),
            other => write!(f, "<{}>", other.type_name()),
        }
    }
}
