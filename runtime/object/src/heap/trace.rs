//! What each kind of object refers to.
//!
//! In: an object. Out: each reference that it holds, once, to a [`Tracer`]. Always: a reference that is shown
//! is one that the object itself owns: a collection concludes from it that one of the counted references
//! to the other object is accounted for, so what may be shared is not shown while it is, and what
//! cannot be looked at just now is not shown at all (then the other object counts as referred to from outside).

use std::ptr::NonNull;
use std::rc::Rc;

use super::{CANDIDATE, Head, Kind, UNLISTED, for_each_kind};
use crate::{
    Class, CodeObject, Generator, Instance, IterState, NativeFunction, Payload, PyBytes, PyCell,
    PyDict, PyFunction, PyIter, PyList, PyMethod, PyModule, PyRange, PyRef, PySet, PySlice, PyStr,
    PyTuple, Value,
};

/// A kind of object of the heap.
pub trait Object: Sized + 'static {
    /// Which kind.
    const KIND: Kind;
    /// Whether a cycle can go through it.
    const CONTAINER: bool = false;
    /// Whether some of this kind have a finalizer.
    const FINALIZED: bool = false;

    /// Shows the references that it holds.
    fn trace(&self, _tracer: &mut Tracer<'_>) {}

    /// Lets go of what can close a cycle. The object was found to be unreachable.
    fn clear(&self) {}

    /// Whether this one has a finalizer.
    fn needs_finalizer(&self) -> bool {
        false
    }
}

/// What is done with the references of an object.
pub struct Tracer<'a>(Purpose<'a>);

enum Purpose<'a> {
    /// Each is one less from outside.
    Subtract(&'a mut [u32]),
    /// Candidates that are reached from here are reachable.
    Reach {
        reached: &'a mut [bool],
        next: &'a mut Vec<NonNull<Head>>,
    },
    List(&'a mut Vec<Value>),
}

impl<'a> Tracer<'a> {
    pub(super) fn subtract(references: &'a mut [u32]) -> Self {
        Tracer(Purpose::Subtract(references))
    }

    pub(super) fn reach(reached: &'a mut [bool], next: &'a mut Vec<NonNull<Head>>) -> Self {
        Tracer(Purpose::Reach { reached, next })
    }

    pub(super) fn list(found: &'a mut Vec<Value>) -> Self {
        Tracer(Purpose::List(found))
    }

    /// Shows a value.
    #[inline]
    pub fn value(&mut self, value: &Value) {
        if let Some(head) = value.head() {
            self.edge(head);
        }
    }

    /// Shows a reference.
    #[inline]
    pub fn reference<T: Object>(&mut self, reference: &PyRef<T>) {
        self.edge(reference.head());
    }

    /// Shows values.
    pub fn values<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        for value in values {
            self.value(value);
        }
    }

    /// Shows values that several objects may own together.
    pub fn shared(&mut self, values: &Rc<[Value]>) {
        if Rc::strong_count(values) == 1 {
            self.values(values.iter());
        }
    }

    fn edge(&mut self, head: &Head) {
        if let Purpose::List(found) = &mut self.0 {
            // SAFETY: who shows the reference holds it.
            return found.push(unsafe { Value::behind(NonNull::from(head)) });
        }
        if head.slot.get() == UNLISTED {
            // A part of the object that is being traced, such as the dict of an instance.
            if head.strong.get() == 1 {
                // SAFETY: who shows the reference holds it.
                unsafe { trace(NonNull::from(head), self) };
            }
            return;
        }
        if head.generation.get() != CANDIDATE {
            return;
        }
        let slot = head.slot.get() as usize;
        match &mut self.0 {
            Purpose::Subtract(references) => {
                if let Some(count) = references.get_mut(slot) {
                    *count = count.saturating_sub(1);
                }
            }
            Purpose::Reach { reached, next } => {
                if let Some(reached) = reached.get_mut(slot)
                    && !*reached
                {
                    *reached = true;
                    next.push(NonNull::from(head));
                }
            }
            Purpose::List(_) => {}
        }
    }
}

macro_rules! dispatch {
    ($($kind:ident $type:ty,)*) => {
        /// Shows the references of the object behind a head.
        ///
        /// # Safety
        /// The object is alive.
        pub(super) unsafe fn trace(head: NonNull<Head>, tracer: &mut Tracer<'_>) {
            // SAFETY: the caller's promise; the kind is the type that the head was made with.
            unsafe {
                match head.as_ref().kind {
                    $(Kind::$kind => PyRef::<$type>::behind(head).trace(tracer),)*
                }
            }
        }

        /// Lets the object behind a head go of what can close a cycle.
        ///
        /// # Safety
        /// The object is alive.
        pub(super) unsafe fn clear(head: NonNull<Head>) {
            // SAFETY: as above.
            unsafe {
                match head.as_ref().kind {
                    $(Kind::$kind => PyRef::<$type>::behind(head).clear(),)*
                }
            }
        }

        /// Whether the object behind a head has a finalizer.
        ///
        /// # Safety
        /// The object is alive.
        pub(super) unsafe fn needs_finalizer(head: NonNull<Head>) -> bool {
            // SAFETY: as above.
            unsafe {
                match head.as_ref().kind {
                    $(Kind::$kind => PyRef::<$type>::behind(head).needs_finalizer(),)*
                }
            }
        }
    };
}
for_each_kind!(dispatch);

macro_rules! leaves {
    ($($kind:ident $type:ty,)*) => {
        $(
            impl Object for $type {
                const KIND: Kind = Kind::$kind;
            }
        )*
    };
}

leaves! {
    BigInt num_bigint::BigInt,
    Str PyStr,
    Bytes PyBytes,
    Range PyRange,
    Native NativeFunction,
}

impl Object for CodeObject {
    const KIND: Kind = Kind::Code;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values(self.consts.iter());
        if let Some(caches) = self.caches.get() {
            caches.trace(tracer);
        }
    }

    fn clear(&self) {
        if let Some(caches) = self.caches.get() {
            caches.clear();
        }
    }
}

impl Object for PyTuple {
    const KIND: Kind = Kind::Tuple;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values(self.items.iter());
    }
}

impl Object for PyList {
    const KIND: Kind = Kind::List;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Ok(items) = self.items.try_borrow() {
            tracer.values(items.iter());
        }
    }

    fn clear(&self) {
        drop(self.items.take());
    }
}

impl Object for PyDict {
    const KIND: Kind = Kind::Dict;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        self.trace_entries(tracer);
    }

    fn clear(&self) {
        PyDict::clear(self);
    }
}

impl Object for PySet {
    const KIND: Kind = Kind::Set;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        self.trace_elements(tracer);
    }

    fn clear(&self) {
        PySet::clear(self);
    }
}

impl Object for PySlice {
    const KIND: Kind = Kind::Slice;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values([&self.start, &self.stop, &self.step]);
    }
}

impl Object for PyMethod {
    const KIND: Kind = Kind::Method;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values([&self.function, &self.receiver]);
    }
}

impl Object for PyCell {
    const KIND: Kind = Kind::Cell;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Ok(Some(value)) = self.value.try_borrow().as_deref() {
            tracer.value(value);
        }
    }

    fn clear(&self) {
        drop(self.value.take());
    }
}

impl Object for PyModule {
    const KIND: Kind = Kind::Module;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.reference(&self.dict);
        if let Ok(Some(class)) = self.class.try_borrow().as_deref() {
            tracer.reference(class);
        }
    }
}

impl Object for PyFunction {
    const KIND: Kind = Kind::Function;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.reference(&self.globals);
        if let Ok(code) = self.code.try_borrow() {
            tracer.reference(&*code);
        }
        for value in [&self.name, &self.qualname, &self.doc] {
            if let Ok(value) = value.try_borrow() {
                tracer.value(&value);
            }
        }
        if let Ok(defaults) = self.defaults.try_borrow() {
            tracer.shared(&defaults);
        }
        if let Ok(Some(defaults)) = self.kw_defaults.try_borrow().as_deref() {
            tracer.reference(defaults);
        }
        if Rc::strong_count(&self.closure) == 1 {
            for cell in self.closure.iter() {
                tracer.reference(cell);
            }
        }
        if let Ok(Some(annotations)) = self.annotations.try_borrow().as_deref() {
            tracer.value(annotations);
        }
        if let Some(dict) = self.dict.get() {
            tracer.reference(dict);
        }
    }

    fn clear(&self) {
        if let Some(dict) = self.dict.get() {
            dict.clear();
        }
        drop(self.annotations.take());
        drop(self.kw_defaults.take());
        drop(self.defaults.replace(Rc::new([])));
    }
}

impl Object for Class {
    const KIND: Kind = Kind::Class;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Ok(bases) = self.bases.try_borrow() {
            for base in bases.iter() {
                tracer.reference(base);
            }
        }
        if let Ok(mro) = self.mro.try_borrow()
            && Rc::strong_count(&mro) == 1
        {
            for class in mro.iter() {
                tracer.reference(class);
            }
        }
        if let Ok(dict) = self.dict.try_borrow() {
            tracer.values(dict.values());
        }
        if let Ok(Some(metaclass)) = self.metaclass.try_borrow().as_deref() {
            tracer.reference(metaclass);
        }
    }

    fn clear(&self) {
        drop(self.dict.take());
        drop(self.mro.replace(Rc::new([])));
        drop(self.bases.take());
    }
}

impl Object for Instance {
    const KIND: Kind = Kind::Instance;
    const CONTAINER: bool = true;
    const FINALIZED: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Ok(class) = self.class.try_borrow() {
            tracer.reference(&*class);
        }
        // SAFETY: a tracer only counts.
        if let Some(dict) = unsafe { self.dict.peek() } {
            tracer.reference(dict);
        }
        match &self.payload {
            Payload::None => {}
            Payload::Exception(data) => {
                if let Ok(args) = data.args.try_borrow() {
                    tracer.reference(&*args);
                }
                if let Ok(Some(object)) = data.traceback_object.try_borrow().as_deref() {
                    tracer.value(object);
                }
                if let Ok(Some(cause)) = data.cause.try_borrow().as_deref() {
                    tracer.value(cause);
                }
                if let Ok(Some(context)) = data.context.try_borrow().as_deref() {
                    tracer.reference(context);
                }
                if let Ok(entries) = data.traceback.try_borrow() {
                    crate::instance::trace_entries(&entries, tracer);
                }
                if let Ok(members) = data.members.try_borrow() {
                    tracer.values(members.iter().map(|(_, value)| value));
                }
            }
            Payload::Wrapped(value)
            | Payload::ClassMethod(value)
            | Payload::StaticMethod(value) => {
                tracer.value(value);
            }
            Payload::Tuple(items) => tracer.reference(items),
            Payload::List(items) => tracer.reference(items),
            Payload::Dict(entries) => tracer.reference(entries),
            Payload::Set(elements) => tracer.reference(elements),
            Payload::Property(property) => {
                tracer.values([property.get(), property.set(), property.del()]);
                tracer.value(&property.doc.borrow());
            }
            Payload::Super(data) => {
                tracer.reference(&data.start);
                tracer.reference(&data.object_class);
                tracer.values(&data.object);
            }
            Payload::DictView(view) => {
                tracer.reference(&view.dict);
                tracer.value(&view.of);
            }
            Payload::Foreign(data) => data.trace(tracer),
        }
    }

    fn clear(&self) {
        // Who else holds it goes on with what is in it.
        drop(self.dict.replace(None));
        match &self.payload {
            Payload::Exception(data) => {
                drop(data.cause.take());
                drop(data.context.take());
                drop(data.members.take());
                drop(data.traceback.take());
                drop(data.traceback_object.take());
                drop(data.args.replace(PyRef::new(PyTuple::new(Vec::new()))));
            }
            Payload::List(items) => Object::clear(&**items),
            Payload::Dict(entries) => entries.clear(),
            Payload::Set(elements) => elements.clear(),
            Payload::Foreign(data) => data.clear(),
            _ => {}
        }
    }

    fn needs_finalizer(&self) -> bool {
        self.class
            .try_borrow()
            .is_ok_and(|class| class.flags.get().finalizer)
    }
}

impl Object for PyIter {
    const KIND: Kind = Kind::Iter;
    const CONTAINER: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        let Ok(state) = self.state.try_borrow() else {
            return;
        };
        match &*state {
            IterState::Range { .. } | IterState::Str { .. } | IterState::Bytes { .. } => {}
            IterState::List { list, .. } | IterState::ListReversed { list, .. } => {
                tracer.reference(list);
            }
            IterState::Tuple { tuple, .. } => tracer.reference(tuple),
            IterState::Dict { dict, .. } => tracer.reference(dict),
            IterState::Set { set, .. } => tracer.reference(set),
            IterState::Enumerate { iter, count } => tracer.values([iter, count]),
            IterState::Zip { iters, .. } => tracer.shared(iters),
            IterState::Map { function, iters } => {
                tracer.value(function);
                tracer.shared(iters);
            }
            IterState::Filter { function, iter } => tracer.values([function, iter]),
            IterState::Sequence { object, .. } | IterState::SequenceReversed { object, .. } => {
                tracer.value(object);
            }
            IterState::Call { callable, sentinel } => tracer.values([callable, sentinel]),
            IterState::Dyn(iterator) => iterator.trace(tracer),
            IterState::Busy(class) | IterState::Done(class) => tracer.reference(class),
        }
    }

    fn clear(&self) {
        self.finish();
    }
}

impl Object for Generator {
    const KIND: Kind = Kind::Generator;
    const CONTAINER: bool = true;
    const FINALIZED: bool = true;

    fn trace(&self, tracer: &mut Tracer<'_>) {
        for value in [&self.name, &self.qualname] {
            if let Ok(value) = value.try_borrow() {
                tracer.value(&value);
            }
        }
        if let Ok(Some(body)) = self.body.try_borrow().as_deref() {
            body.trace(tracer);
        }
    }

    fn clear(&self) {
        drop(self.body.take());
    }

    fn needs_finalizer(&self) -> bool {
        let unawaited = self.is_unawaited();
        self.body.try_borrow().is_ok_and(|body| {
            let body = body.as_deref();
            body.is_some_and(|body| unawaited || body.needs_close())
        })
    }
}
