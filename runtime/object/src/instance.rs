//! Instances, exceptions, native objects.
//!
//! In: a class and what its built-in base stores. Out: [`Instance`]. Always: the payload fits
//! the [`crate::BaseKind`] of the class.

use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::rc::Rc;

use crate::heap::Tracer;
use crate::{Class, PyDict, PyList, PyRef, PySet, PyTuple, Value, name};

/// An instance of a class.
///
/// Attributes live in a real dict, whose [`PyDict::layout`] is shared by all dicts that got the
/// same keys in the same order: one compare of it proves which key is at which index.
pub struct Instance {
    /// `__class__`
    pub class: RefCell<PyRef<Class>>,
    /// `__dict__`, made when first used.
    pub dict: DictCell,
    /// What a built-in base class stores.
    pub payload: Payload,
}

/// Where an instance keeps its dict. A script may put another one in its place, also while somebody looks at the first.
#[derive(Default)]
pub struct DictCell(UnsafeCell<Option<PyRef<PyDict>>>);

impl DictCell {
    /// The dict, if it was made.
    #[inline]
    pub fn get(&self) -> Option<PyRef<PyDict>> {
        // SAFETY: nothing else runs while the pointer is copied.
        unsafe { (*self.0.get()).clone() }
    }

    /// The dict as it stands here.
    ///
    /// # Safety
    /// Nothing that can run a script happens while it is looked at.
    #[inline(always)]
    pub unsafe fn peek(&self) -> Option<&PyRef<PyDict>> {
        // SAFETY: the caller's promise: nobody replaces it meanwhile.
        unsafe { (*self.0.get()).as_ref() }
    }

    /// Puts another dict here, or none; gives the one that was here.
    pub fn replace(&self, dict: Option<PyRef<PyDict>>) -> Option<PyRef<PyDict>> {
        // SAFETY: no reference to the content outlives a call of `get` or a promise to `peek`; moving pointers runs
        // nothing else.
        unsafe { std::mem::replace(&mut *self.0.get(), dict) }
    }
}

/// The native part of an instance.
pub enum Payload {
    /// A plain object.
    None,
    /// Subclass of BaseException.
    Exception(Box<ExceptionData>),
    /// Subclass of int, float, str, bytes: the immutable value.
    Wrapped(Value),
    /// Subclass of tuple.
    Tuple(PyRef<PyTuple>),
    /// Subclass of list.
    List(PyRef<PyList>),
    /// Subclass of dict.
    Dict(PyRef<PyDict>),
    /// Subclass of set or frozenset.
    Set(PyRef<PySet>),
    /// `property`
    Property(Box<Property>),
    /// `classmethod`
    ClassMethod(Value),
    /// `staticmethod`
    StaticMethod(Value),
    /// `super`
    Super(Box<SuperData>),
    /// `dict.keys()` and its siblings.
    DictView(Box<crate::DictView>),
    /// An object of a native module: tensor, dtype, generator, file, ...
    Foreign(Box<dyn Foreign>),
}

/// State of a `property`.
#[derive(Clone)]
pub struct Property {
    /// What `__init__` gave it.
    pub functions: std::cell::OnceCell<Accessors>,
    /// `__doc__`
    pub doc: RefCell<Value>,
    /// The name it has in its class.
    pub name: RefCell<Option<crate::Name>>,
}

/// The functions of a `property`.
#[derive(Clone)]
pub struct Accessors {
    /// `fget`, or None.
    pub get: Value,
    /// `fset`, or None.
    pub set: Value,
    /// `fdel`, or None.
    pub del: Value,
}

impl Property {
    /// `fget`, or None.
    #[inline]
    pub fn get(&self) -> &Value {
        self.functions.get().map_or(&Value::None, |f| &f.get)
    }

    /// `fset`, or None.
    #[inline]
    pub fn set(&self) -> &Value {
        self.functions.get().map_or(&Value::None, |f| &f.set)
    }

    /// `fdel`, or None.
    #[inline]
    pub fn del(&self) -> &Value {
        self.functions.get().map_or(&Value::None, |f| &f.del)
    }
}

/// State of a `super`.
pub struct SuperData {
    /// The class after which the search starts.
    pub start: PyRef<Class>,
    /// What found functions are bound to; none for an unbound super.
    pub object: Option<Value>,
    /// The class whose MRO is searched.
    pub object_class: PyRef<Class>,
}

/// A native object's data. Downcast with [`Instance::foreign`].
pub trait Foreign: Any {
    /// Shows the references to objects that it holds, as [`Object::trace`] does.
    fn trace(&self, _tracer: &mut Tracer<'_>) {}

    /// Lets go of them; it is part of a cycle that was found to be unreachable.
    fn clear(&self) {}

    /// What is asked for by its type, where that is not this itself.
    fn inner(&self) -> Option<&dyn Any> {
        None
    }

    /// How many elements it has, if it is a container.
    fn length(&self) -> Option<usize> {
        None
    }

    /// The memory that it lets others look at.
    fn exporter(&self) -> Option<&crate::buffer::Exporter> {
        None
    }
}

/// Data of a type that is not ours; it refers to no objects.
pub struct Opaque<T>(pub T);

impl<T: Any> Foreign for Opaque<T> {
    fn inner(&self) -> Option<&dyn Any> {
        Some(&self.0)
    }
}

impl Instance {
    /// Makes an instance.
    #[inline]
    pub fn new(class: PyRef<Class>, payload: Payload) -> Self {
        Instance {
            class: RefCell::new(class),
            dict: DictCell::default(),
            payload,
        }
    }

    /// A plain object of a class, whose dict is made already.
    #[inline]
    pub fn with_dict(class: PyRef<Class>) -> Value {
        Value::Instance(crate::heap::instance_with_dict(class))
    }

    /// A plain object of a class with this dict.
    #[inline(always)]
    pub(crate) fn of_parts(class: PyRef<Class>, dict: PyRef<PyDict>) -> Self {
        Instance {
            class: RefCell::new(class),
            dict: DictCell(UnsafeCell::new(Some(dict))),
            payload: Payload::None,
        }
    }

    /// A value of a native module's class.
    pub fn native<T: Foreign>(class: &PyRef<Class>, data: T) -> Value {
        Value::Instance(PyRef::new(Self::new(
            class.clone(),
            Payload::Foreign(Box::new(data)),
        )))
    }

    /// `__class__`
    #[inline]
    pub fn class(&self) -> PyRef<Class> {
        self.class.borrow().clone()
    }

    /// The version of its class.
    #[inline(always)]
    pub fn class_version(&self) -> u32 {
        // SAFETY: nothing else runs while the class is looked at, so nobody replaces it.
        match unsafe { self.class.try_borrow_unguarded() } {
            Ok(class) => class.version.get(),
            Err(_) => 0,
        }
    }

    /// `__dict__`, made when first used.
    #[inline]
    pub fn dict(&self) -> PyRef<PyDict> {
        self.dict.get().unwrap_or_else(|| {
            let made = PyRef::unlisted(PyDict::namespace());
            self.dict.replace(Some(made.clone()));
            made
        })
    }

    /// `object.__dict__ = dict`, or `del object.__dict__`: from here on its attributes are what is in that one.
    pub fn set_dict(&self, dict: Option<PyRef<PyDict>>) -> crate::PyResult<()> {
        // The values of slots are kept in the dict, too, and are nobody else's.
        if self.class.borrow().has_slots() {
            return Err(crate::Raised::not_implemented(
                "__dict__ of an object that has __slots__, too, cannot be set",
            ));
        }
        if let Some(dict) = &dict {
            PyRef::list(dict);
            dict.share();
        }
        drop(self.dict.replace(dict));
        Ok(())
    }

    /// Whether its attributes may be those of another object, too: a script set its `__dict__`.
    pub fn shares_dict(&self) -> bool {
        self.dict.get().is_some_and(|d| d.is_shared())
    }

    /// Whether it is a property, class method or static method that is read and assigned as those of the built-in classes
    /// are; a class of a script that derives from these may have other methods for it.
    pub fn is_plain_descriptor(&self) -> bool {
        if !matches!(
            self.payload,
            Payload::Property(_) | Payload::ClassMethod(_) | Payload::StaticMethod(_)
        ) {
            return false;
        }
        let class = self.class.borrow();
        let is_native = |method| matches!(class.lookup(method), None | Some(Value::Native(_)));
        !class.flags.get().mutable
            || is_native(name!("__get__"))
                && is_native(name!("__set__"))
                && is_native(name!("__delete__"))
    }

    /// The exception's state, if it is one.
    pub fn exception(&self) -> Option<&ExceptionData> {
        match &self.payload {
            Payload::Exception(data) => Some(data),
            _ => None,
        }
    }

    /// The memory that it lets others look at.
    pub fn exporter(&self) -> Option<&crate::buffer::Exporter> {
        match &self.payload {
            Payload::Foreign(data) => data.exporter(),
            _ => None,
        }
    }

    /// How many elements there are in an instance of a native class that is a container.
    #[inline]
    pub fn native_length(&self) -> Option<usize> {
        match &self.payload {
            Payload::Foreign(data) if !self.class.borrow().flags.get().mutable => data.length(),
            _ => None,
        }
    }

    /// Whether it is true, where its class is none of a script's or says nothing about that.
    #[inline]
    pub fn truth_simple(&self) -> Option<bool> {
        // SAFETY: nothing else runs while the class is looked at, so nobody replaces it.
        let class = unsafe { self.class.try_borrow_unguarded() }.ok()?;
        match class.flags.get().is_true {
            true => Some(true),
            false => self.native_length().map(|length| length != 0),
        }
    }

    /// The native data, if it is of type `T`.
    pub fn foreign<T: Any>(&self) -> Option<&T> {
        match &self.payload {
            Payload::Foreign(data) => match data.inner() {
                Some(inner) => inner.downcast_ref(),
                None => (&**data as &dyn Any).downcast_ref(),
            },
            _ => None,
        }
    }
}

/// State of an exception.
pub struct ExceptionData {
    /// `args`
    pub args: RefCell<PyRef<PyTuple>>,
    /// Innermost frame last, as the traceback prints it.
    pub traceback: RefCell<Vec<TracebackEntry>>,
    /// `__traceback__` as it was read or set last.
    pub traceback_object: RefCell<Option<Value>>,
    /// `__cause__`
    pub cause: RefCell<Option<Value>>,
    /// `__context__`
    pub context: RefCell<Option<PyRef<Instance>>>,
    /// `__suppress_context__`
    pub suppress_context: std::cell::Cell<bool>,
    /// What CPython stores in the exception's own fields: `name`, `obj`, `errno`, `filename`,
    /// `path`, ...; read by getters of the class. Not part of `__dict__`.
    pub members: RefCell<Vec<(crate::Name, Value)>>,
}

impl ExceptionData {
    /// State with these arguments.
    pub fn new(args: Vec<Value>) -> Self {
        ExceptionData {
            args: RefCell::new(PyRef::new(PyTuple::new(args))),
            traceback: RefCell::new(Vec::new()),
            traceback_object: RefCell::new(None),
            cause: RefCell::new(None),
            context: RefCell::new(None),
            suppress_context: std::cell::Cell::new(false),
            members: RefCell::new(Vec::new()),
        }
    }

    /// Reads a field.
    pub fn member(&self, name: &str) -> Option<Value> {
        self.members
            .borrow()
            .iter()
            .find(|(n, _)| n.as_str() == name)
            .map(|(_, v)| v.clone())
    }

    /// Sets a field.
    pub fn set_member(&self, name: &crate::Name, value: Value) {
        let mut members = self.members.borrow_mut();
        match members.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => members.push((name.clone(), value)),
        }
    }
}

/// `__traceback__` as an object: the entries from the outermost frame on, starting at one of
/// them.
pub struct TracebackObject {
    /// All entries of the exception when it was asked.
    pub entries: Rc<[TracebackEntry]>,
    /// Which of them this object stands for.
    pub at: usize,
    /// How many of them count: `tb_next = None` cuts off the rest for all objects of the chain.
    pub end: Rc<Cell<usize>>,
    /// Its own entry and what comes after it since `tb_next` was set to another traceback.
    pub relinked: RefCell<Option<Rc<[TracebackEntry]>>>,
}

impl TracebackObject {
    /// Its own entry and those that come after it.
    pub fn chain(&self) -> Vec<TracebackEntry> {
        if let Some(chain) = &*self.relinked.borrow() {
            return chain.to_vec();
        }
        let entries = self.entries.get(self.at..self.end.get());
        entries.map(<[_]>::to_vec).unwrap_or_default()
    }
}

impl Foreign for TracebackObject {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        // Objects of one chain share the entries: what these refer to is shown by the only one that has them.
        if Rc::strong_count(&self.entries) == 1 {
            trace_entries(&self.entries, tracer);
        }
        if let Ok(Some(chain)) = self.relinked.try_borrow().as_deref()
            && Rc::strong_count(chain) == 1
        {
            trace_entries(chain, tracer);
        }
    }
}

/// Shows what entries of a traceback refer to.
pub(crate) fn trace_entries(entries: &[TracebackEntry], tracer: &mut Tracer<'_>) {
    for entry in entries {
        tracer.reference(&entry.code);
        tracer.reference(&entry.globals);
        tracer.values(&entry.frame);
    }
}

/// One frame of a traceback.
#[derive(Clone)]
pub struct TracebackEntry {
    /// The code.
    pub code: PyRef<crate::CodeObject>,
    /// The instruction that raised.
    pub pc: u32,
    /// The globals of the frame.
    pub globals: PyRef<crate::PyDict>,
    /// The frame's object, where it had begun.
    pub frame: Option<Value>,
}
