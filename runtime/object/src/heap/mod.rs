//! The heap: counted objects, the cycles among them, and what is to be done when they die.
//!
//! In: objects as they are made and dropped. Out: [`PyRef`], [`PyWeak`], [`collect`], and what the
//! interpreter still owes the dead ([`take_due`]). Always: an object dies with its last
//! reference, or in a collection that finds it in an unreachable cycle; `__del__`, the callbacks of weak
//! references and the `finally` of a dropped generator do not run in here, where something may be
//! borrowed, but are owed, and the interpreter runs them before its next instruction.

mod collect;
mod pair;
mod reference;
mod trace;
mod weak;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use collect::{Collection, Garbage, collect, collect_due};
pub(crate) use pair::instance_with_dict;
pub use reference::PyRef;
pub use trace::{Object, Tracer};
pub use weak::{PyWeak, WeakValue, weak_references};

use crate::Value;
use weak::WeakCell;

/// Generations that are collected, the youngest first.
pub const GENERATIONS: usize = 3;
/// Behind the generations: what `gc.freeze()` put aside.
const FROZEN: u8 = GENERATIONS as u8;
/// Being looked at by a collection; its slot is its place among the candidates.
const CANDIDATE: u8 = u8::MAX;
/// The slot of an object that no generation lists.
const UNLISTED: u32 = u32::MAX;

/// Its finalizer has run, or is owed.
const FINALIZED: u8 = 1;
/// There are weak references to it.
const WATCHED: u8 = 2;
/// It lies in one block with another one.
const PAIRED: u8 = 4;
/// It was dropped; the other one in its block was not.
const DROPPED: u8 = 8;

/// What stands before each object.
#[repr(C)]
pub struct Head {
    strong: Cell<usize>,
    slot: Cell<u32>,
    kind: Kind,
    state: Cell<u8>,
    generation: Cell<u8>,
}

impl Head {
    /// The head of a new object, to which there is one reference.
    #[inline(always)]
    const fn new(kind: Kind, state: u8) -> Head {
        Head {
            strong: Cell::new(1),
            slot: Cell::new(UNLISTED),
            kind,
            state: Cell::new(state),
            generation: Cell::new(0),
        }
    }

    #[inline]
    fn is(&self, flag: u8) -> bool {
        self.state.get() & flag != 0
    }

    fn set(&self, flag: u8) {
        self.state.set(self.state.get() | flag);
    }
}

/// One line for each kind of object: the variant of [`Value`] that points to it, and its type.
macro_rules! for_each_kind {
    ($then:ident) => {
        $then! {
            BigInt num_bigint::BigInt,
            Str crate::PyStr,
            Bytes crate::PyBytes,
            Tuple crate::PyTuple,
            List crate::PyList,
            Dict crate::PyDict,
            Set crate::PySet,
            Range crate::PyRange,
            Slice crate::PySlice,
            Function crate::PyFunction,
            Method crate::PyMethod,
            Native crate::NativeFunction,
            Class crate::Class,
            Instance crate::Instance,
            Module crate::PyModule,
            Iter crate::PyIter,
            Generator crate::Generator,
            Cell crate::PyCell,
            Code crate::CodeObject,
        }
    };
}
use for_each_kind;

macro_rules! kinds {
    ($($kind:ident $type:ty,)*) => {
        /// What lies behind a [`Head`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Kind {
            $(
                #[doc = concat!("What [`Value::", stringify!($kind), "`] points to.")]
                $kind,
            )*
        }

        impl Value {
            /// The head of what it points to; none of an immediate value.
            #[inline]
            pub(crate) fn head(&self) -> Option<&Head> {
                match self {
                    Value::None
                    | Value::Bool(_)
                    | Value::Int(_)
                    | Value::Float(_)
                    | Value::Ellipsis
                    | Value::NotImplemented => None,
                    $(Value::$kind(object) => Some(object.head()),)*
                }
            }

            /// A new reference to the object behind a head.
            ///
            /// # Safety
            /// The object is alive, and its head was made by [`PyRef::new`].
            unsafe fn behind(head: NonNull<Head>) -> Value {
                // SAFETY: the caller's promise; the kind is the type that the head was made with.
                unsafe {
                    match head.as_ref().kind {
                        $(Kind::$kind => Value::$kind(PyRef::<$type>::of_head(head)),)*
                    }
                }
            }
        }
    };
}
for_each_kind!(kinds);

/// What the interpreter owes an object that died.
pub enum Due {
    /// Its finalizer: `__del__` of an instance, `close` of a generator. This is the object, alive
    /// once more.
    Finalizer(Value),
    /// The callback of this weak reference, whose object is gone.
    Callback(Value),
}

/// Objects of one generation in the order of their making; a dead one leaves a hole.
struct Generation {
    objects: Vec<Option<NonNull<Head>>>,
    holes: usize,
}

impl Generation {
    const fn new() -> Self {
        Generation {
            objects: Vec::new(),
            holes: 0,
        }
    }

    fn len(&self) -> usize {
        self.objects.len() - self.holes
    }

    fn push(&mut self, head: &Head, generation: u8) {
        if self.objects.len() == self.objects.capacity() && self.holes > self.objects.len() / 2 {
            self.close_holes();
        }
        // So many objects do not fit into memory.
        head.slot
            .set(u32::try_from(self.objects.len()).unwrap_or(UNLISTED));
        head.generation.set(generation);
        self.objects.push(Some(NonNull::from(head)));
    }

    #[inline]
    fn remove(&mut self, slot: usize) {
        if slot + 1 == self.objects.len() {
            self.objects.pop();
        } else if let Some(place) = self.objects.get_mut(slot) {
            *place = None;
            self.holes += 1;
        }
    }

    #[cold]
    fn close_holes(&mut self) {
        self.objects.retain(Option::is_some);
        self.holes = 0;
        for (slot, object) in (0..).zip(self.objects.iter().flatten()) {
            // SAFETY: listed objects are alive: they are taken off the list as they die.
            unsafe { object.as_ref() }.slot.set(slot);
        }
    }

    /// Takes the objects, without holes.
    fn take(&mut self) -> Vec<Option<NonNull<Head>>> {
        self.holes = 0;
        let mut objects = std::mem::take(&mut self.objects);
        objects.retain(Option::is_some);
        objects
    }
}

/// Counters of a generation, for `gc.get_stats()`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Collections of this generation.
    pub collections: u64,
    /// Objects that they freed.
    pub collected: u64,
}

/// An object without references, and what drops it.
type Waiting = (NonNull<Head>, unsafe fn(NonNull<Head>));

struct Heap {
    generations: RefCell<[Generation; GENERATIONS + 1]>,
    /// The youngest: objects made less objects that died since its last collection. The others:
    /// collections of the one before it.
    counts: [Cell<i64>; GENERATIONS],
    thresholds: [Cell<i64>; GENERATIONS],
    enabled: Cell<bool>,
    collecting: Cell<bool>,
    /// Objects that came into the oldest generation since its last collection, and that survived that one.
    pending_old: Cell<usize>,
    survived_old: Cell<usize>,
    stats: [Cell<Counts>; GENERATIONS],
    due: RefCell<Vec<Due>>,
    weak: RefCell<Option<HashMap<NonNull<Head>, Rc<WeakCell>>>>,
    /// How deep drops are nested, and what waits for the outermost one.
    drops: Cell<u32>,
    waiting: RefCell<Vec<Waiting>>,
}

janus_gil::gil_local! {
    // Objects may be dropped while the thread ends, so the heap outlives what else it owns.
    static HEAP: ManuallyDrop<Heap> = const {
        ManuallyDrop::new(Heap {
            generations: RefCell::new([const { Generation::new() }; GENERATIONS + 1]),
            counts: [const { Cell::new(0) }; GENERATIONS],
            thresholds: [Cell::new(700), Cell::new(10), Cell::new(10)],
            enabled: Cell::new(true),
            collecting: Cell::new(false),
            pending_old: Cell::new(0),
            survived_old: Cell::new(0),
            stats: [const { Cell::new(Counts { collections: 0, collected: 0 }) }; GENERATIONS],
            due: RefCell::new(Vec::new()),
            weak: RefCell::new(None),
            drops: Cell::new(0),
            waiting: RefCell::new(Vec::new()),
        })
    };
}

/// Whether something is due. Who asks that after each instruction need not show that it has the interpreter.
static PENDING: AtomicBool = AtomicBool::new(false);

/// Whether something is due: a finalizer, a callback or a collection.
#[inline]
pub fn is_pending() -> bool {
    PENDING.load(Ordering::Relaxed)
}

/// What is owed to objects that died, in their order; nothing is pending any more.
pub fn take_due() -> Vec<Due> {
    PENDING.store(false, Ordering::Relaxed);
    HEAP.with(|heap| heap.due.take())
}

fn owe(due: Due) {
    HEAP.with(|heap| heap.due.borrow_mut().push(due));
    PENDING.store(true, Ordering::Relaxed);
}

#[inline]
fn list(head: &Head) {
    HEAP.with(|heap| {
        heap.generations.borrow_mut()[0].push(head, 0);
        let count = heap.counts[0].get() + 1;
        heap.counts[0].set(count);
        let threshold = heap.thresholds[0].get();
        if count > threshold && threshold != 0 && heap.enabled.get() {
            PENDING.store(true, Ordering::Relaxed);
        }
    });
}

#[inline]
fn unlist(head: &Head) {
    let slot = head.slot.get() as usize;
    HEAP.with(|heap| {
        if let Some(generation) = heap
            .generations
            .borrow_mut()
            .get_mut(usize::from(head.generation.get()))
        {
            generation.remove(slot);
        }
        let count = heap.counts[0].get();
        if count > 0 {
            heap.counts[0].set(count - 1);
        }
    });
}

/// `gc.enable()`, `gc.disable()`
pub fn set_enabled(on: bool) {
    HEAP.with(|heap| heap.enabled.set(on));
}

/// `gc.isenabled()`
pub fn is_enabled() -> bool {
    HEAP.with(|heap| heap.enabled.get())
}

/// `gc.get_threshold()`
pub fn thresholds() -> [i64; GENERATIONS] {
    HEAP.with(|heap| heap.thresholds.each_ref().map(Cell::get))
}

/// `gc.set_threshold()`; 0 as the first turns collections off.
pub fn set_thresholds(thresholds: [i64; GENERATIONS]) {
    HEAP.with(|heap| {
        for (place, threshold) in heap.thresholds.iter().zip(thresholds) {
            place.set(threshold);
        }
    });
}

/// `gc.get_count()`
pub fn counts() -> [i64; GENERATIONS] {
    HEAP.with(|heap| heap.counts.each_ref().map(Cell::get))
}

/// `gc.get_stats()`
pub fn stats() -> [Counts; GENERATIONS] {
    HEAP.with(|heap| heap.stats.each_ref().map(Cell::get))
}

/// `gc.get_objects()`: the containers of one generation, or of all.
pub fn objects(generation: Option<usize>) -> Vec<Value> {
    HEAP.with(|heap| {
        let generations = heap.generations.borrow();
        generations[..GENERATIONS]
            .iter()
            .enumerate()
            .filter(|(at, _)| generation.is_none_or(|wanted| wanted == *at))
            .flat_map(|(_, generation)| generation.objects.iter().flatten())
            // SAFETY: listed objects are alive.
            .map(|head| unsafe { Value::behind(*head) })
            .collect()
    })
}

/// `gc.is_tracked()`
pub fn is_tracked(value: &Value) -> bool {
    value.head().is_some_and(|head| head.slot.get() != UNLISTED)
}

/// `gc.is_finalized()`
pub fn is_finalized(value: &Value) -> bool {
    value.head().is_some_and(|head| head.is(FINALIZED))
}

/// `gc.freeze()`: no collection looks at what there is now.
pub fn freeze() {
    relist(0..GENERATIONS, FROZEN);
}

/// `gc.unfreeze()`
pub fn unfreeze() {
    relist(GENERATIONS..GENERATIONS + 1, FROZEN - 1);
}

/// `gc.get_freeze_count()`
pub fn frozen() -> usize {
    HEAP.with(|heap| heap.generations.borrow()[usize::from(FROZEN)].len())
}

fn relist(from: std::ops::Range<usize>, to: u8) {
    HEAP.with(|heap| {
        let mut generations = heap.generations.borrow_mut();
        for at in from {
            for head in generations[at].take().into_iter().flatten() {
                // SAFETY: listed objects are alive.
                generations[usize::from(to)].push(unsafe { head.as_ref() }, to);
            }
        }
    });
}

/// The objects whose finalizer did not run yet, the oldest generation's first.
pub fn with_finalizers() -> Vec<Value> {
    HEAP.with(|heap| {
        let generations = heap.generations.borrow();
        generations
            .iter()
            .rev()
            .flat_map(|generation| generation.objects.iter().flatten())
            // SAFETY: listed objects are alive.
            .filter(|head| unsafe {
                !head.as_ref().is(FINALIZED) && trace::needs_finalizer(**head)
            })
            // SAFETY: as above.
            .map(|head| unsafe { Value::behind(*head) })
            .collect()
    })
}

/// The finalizer of this object is run by the caller, and not again.
pub fn mark_finalized(value: &Value) {
    if let Some(head) = value.head() {
        head.set(FINALIZED);
    }
}

/// `gc.get_referents()`: what a container refers to, once for each reference.
pub fn referents(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    if let Some(head) = value.head() {
        // SAFETY: `value` keeps the object alive.
        unsafe { trace::trace(NonNull::from(head), &mut Tracer::list(&mut found)) };
    }
    found
}

/// `gc.get_referrers()`: the containers that refer to one of these objects.
pub fn referrers(of: &[Value]) -> Vec<Value> {
    let wanted: Vec<_> = of
        .iter()
        .filter_map(Value::head)
        .map(NonNull::from)
        .collect();
    objects(None)
        .into_iter()
        .filter(|object| {
            referents(object)
                .iter()
                .filter_map(Value::head)
                .any(|head| wanted.contains(&NonNull::from(head)))
        })
        .collect()
}
