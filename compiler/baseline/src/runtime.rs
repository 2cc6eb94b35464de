//! The functions that generated code calls, and how it is entered. The unsafe part of tier 1.
//!
//! In: words of the context, addresses of lists. Out: status and bits. Always: a list whose
//! address generated code has is kept alive for as long as the region runs: by the frame that it
//! was entered with, by the list that it was read from (whose items that are counted compiled code
//! never replaces), or by the session's roots; nothing here runs Python but [`callee_exit`].

use std::collections::HashSet;

use janus_interp::{Frame, Interp};
use janus_object::{
    Args, IterState, PyCell, PyDict, PyIter, PyList, PyRange, PyRef, Raised, Value, Vm as _,
    complex_parts, complex_value, ops,
};

use crate::emit::{Compute, Exit};
use crate::kind::{Kind, tag};
use crate::layout::{INTERRUPT, SLOTS};
use crate::program::Home;
use crate::region::{Inner, LEAVE};

/// What a run of a region needs at hand.
pub(crate) struct Session<'a> {
    /// The interpreter.
    pub vm: &'a mut Interp,
    /// The region.
    pub region: &'a Inner,
    /// The result of a call that was not of the expected type.
    pub pending: Option<Value>,
    /// The exception on its way.
    pub raised: Option<Raised>,
    /// Lists that generated code has addresses of.
    pub roots: Vec<Value>,
    /// How much the roots are.
    pub weight: usize,
    /// Cells of the region's frame.
    pub cells: Vec<PyRef<PyCell>>,
    /// Addresses of those lists.
    pub rooted: HashSet<u64>,
}

/// A status (0: fine) and a payload.
#[repr(C)]
pub(crate) struct Outcome {
    status: u64,
    bits: u64,
}

const NO: Outcome = Outcome { status: 1, bits: 0 };

impl Outcome {
    fn of(value: &Value, want: u32) -> Outcome {
        match bits_of(value, want) {
            Some(bits) => Outcome { status: 0, bits },
            None => NO,
        }
    }
}

/// The payload of a value with a tag.
pub(crate) fn bits_of(value: &Value, want: u32) -> Option<u64> {
    Some(match (want, value) {
        (tag::INT, Value::Int(i)) => *i as u64,
        (tag::FLOAT, Value::Float(x)) => x.to_bits(),
        (tag::BOOL, Value::Bool(b)) => u64::from(*b),
        (tag::NONE, Value::None) => 0,
        (tag::LIST, Value::List(list)) => PyRef::as_ptr(list) as u64,
        _ => return None,
    })
}

/// The value of a payload; lists through [`list_value`].
fn value_of(tag: u32, bits: u64) -> Value {
    match tag {
        tag::BOOL => Value::Bool(bits & 1 != 0),
        tag::INT => Value::Int(bits as i64),
        tag::FLOAT => Value::Float(f64::from_bits(bits)),
        tag::LIST => list_value(bits),
        _ => Value::None,
    }
}

fn list_value(bits: u64) -> Value {
    let list = bits as *const PyList;
    // SAFETY: the address came from `PyRef::as_ptr` of a list that is alive (see the head of this
    // file).
    Value::List(unsafe { PyRef::at(list) })
}

/// `list.append(value)` of a value that is not counted.
///
/// # Safety
/// `list` is the address of a living list.
pub(crate) unsafe extern "C" fn list_append(list: *const PyList, tag: u64, bits: u64) {
    // SAFETY: as the caller promises.
    unsafe { &*list }.push(value_of(tag as u32, bits));
}

/// Keeps a list alive for as long as the region runs.
///
/// # Safety
/// As [`session`]; `list` is the address of a living list.
pub(crate) unsafe extern "C" fn list_root(ctx: *mut u64, list: u64) {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    if session.rooted.insert(list) {
        session.roots.push(list_value(list));
    }
}

/// Lists kept alive from which on the region is left soon, so that they can go.
const MANY_ROOTS: usize = 1 << 14;
/// Items of a list that is made at once from which on it counts as many lists.
const MANY_ITEMS: usize = 1 << 10;

/// Keeps a new list alive; its address.
///
/// # Safety
/// As [`session`].
unsafe fn root(ctx: *mut u64, list: PyRef<PyList>) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let address = PyRef::as_ptr(&list) as u64;
    session.weight += 1 + list.len() / MANY_ITEMS;
    session.roots.push(Value::List(list));
    if session.weight > MANY_ROOTS {
        // SAFETY: the context has this word.
        unsafe { *ctx.add(INTERRUPT) = std::ptr::from_ref(&LEAVE) as u64 };
    }
    address
}

/// `[]`
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn list_new(ctx: *mut u64) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { root(ctx, PyRef::new(PyList::new(Vec::new()))) }
}

/// `list * count` of a list whose items are not counted; 0 for another one.
///
/// # Safety
/// As [`session`]; `list` is the address of a living list.
pub(crate) unsafe extern "C" fn list_repeat(ctx: *mut u64, list: *const PyList, count: i64) -> u64 {
    // SAFETY: as the caller promises.
    let items = unsafe { &*list }.items.borrow();
    let total = usize::try_from(count.max(0))
        .ok()
        .and_then(|n| n.checked_mul(items.len()));
    let simple = |v: &Value| {
        matches!(
            v,
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_)
        )
    };
    // What does not fit into memory is tier 0's to report.
    let Some(total) = total.filter(|n| *n < 1 << 28 && items.iter().all(simple)) else {
        return 0;
    };
    let made: Vec<Value> = items.iter().cycle().take(total).cloned().collect();
    drop(items);
    // SAFETY: as the caller promises.
    unsafe { root(ctx, PyRef::new(PyList::new(made))) }
}

/// `hypot(x, y)` as the interpreter computes it.
pub(crate) extern "C" fn hypot(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

/// `x ** y` as the interpreter computes it where it does not raise.
pub(crate) extern "C" fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

/// The session of a context.
///
/// # Safety
/// `ctx` is a context that [`run`] made and that has not returned.
unsafe fn session<'a>(ctx: *mut u64) -> &'a mut Session<'a> {
    // SAFETY: word 0 holds the address of the session on `run`'s stack; generated code runs on
    // this thread, holds no reference into it, and calls one helper at a time.
    unsafe { &mut *(*ctx as *mut Session<'a>) }
}

/// A global, if it has the tag.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn global_get(ctx: *mut u64, index: u64, want: u64) -> Outcome {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let Some(global) = session.region.program.memory.get(index as usize) else {
        return NO;
    };
    let Some(value) = name_value(&global.dict, &global.builtins, &global.name) else {
        return NO;
    };
    let outcome = Outcome::of(&value, want as u32);
    if let Value::List(_) = value
        && outcome.status == 0
        && session.rooted.insert(outcome.bits)
    {
        session.roots.push(value);
    }
    outcome
}

/// Assigns a value that is not counted to a global that holds one.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn global_set(ctx: *mut u64, index: u64, tag: u64, bits: u64) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let Some(global) = session.region.program.memory.get(index as usize) else {
        return 1;
    };
    match global.dict.get_name(&global.name) {
        Some(Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_)) => {
            global
                .dict
                .set_name(&global.name, value_of(tag as u32, bits));
            0
        }
        _ => 1,
    }
}

/// Writes a name that the region keeps in a variable to the namespace.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn name_set(
    ctx: *mut u64,
    index: u64,
    tag: u64,
    bits: u64,
    more: u64,
) {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let Some(main) = session.region.program.units.first() else {
        return;
    };
    let Some(slot) = main.names.get(index as usize) else {
        return;
    };
    let value = match tag as u32 {
        tag::KEEP | tag::UNSET => return,
        tag::COMPLEX => complex_value(f64::from_bits(bits), f64::from_bits(more)),
        tag::KNOWN => match session.region.program.known.get(bits as usize) {
            Some(known) => known.clone(),
            None => return,
        },
        tag => value_of(tag, bits),
    };
    put_home(&slot.home, value, &main.globals, &session.cells);
}

/// An operation by the interpreter's own function: operands and result are in the words of the
/// context. Status 1: an exception, or a result of another kind; tier 0 does it again.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn generic(ctx: *mut u64, index: u64) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let region = session.region;
    let Some(generic) = region.tables.generics.get(index as usize) else {
        return 1;
    };
    // SAFETY: the context has room for what any exit or operation of the region writes.
    let words = unsafe { std::slice::from_raw_parts_mut(ctx.add(SLOTS), region.room()) };
    let mut input = words.iter().copied();
    let operands: Vec<Value> = generic
        .operands
        .iter()
        .map(|kind| {
            value(kind, &mut input, session)
                .flatten()
                .unwrap_or(Value::None)
        })
        .collect();
    let result = match (&generic.compute, operands.as_slice()) {
        (Compute::Binary(op), [a, b]) => ops::binary(session.vm, *op, a, b),
        (Compute::Call(k), args) => match region.program.known.get(*k) {
            Some(Value::Native(native)) => native.call(session.vm, Args::new(args)),
            _ => return 1,
        },
        _ => return 1,
    };
    match result {
        Ok(value) => u64::from(!put_result(&generic.result, &value, words)),
        Err(_) => 1,
    }
}

/// Writes a result's leaves into the words; whether it is of the kind.
fn put_result(kind: &Kind, value: &Value, words: &mut [u64]) -> bool {
    let mut out = Vec::new();
    if !flatten_checked(kind, value, &mut out) || out.len() > words.len() {
        return false;
    }
    for (word, bits) in words.iter_mut().zip(out) {
        *word = bits;
    }
    true
}

fn flatten_checked(kind: &Kind, value: &Value, out: &mut Vec<u64>) -> bool {
    match (kind, value) {
        (Kind::Tuple(kinds), Value::Tuple(tuple)) => {
            kinds.len() == tuple.items.len()
                && kinds
                    .iter()
                    .zip(tuple.items.iter())
                    .all(|(k, v)| flatten_checked(k, v, out))
        }
        (Kind::Dyn { mask, .. }, value) => {
            let Some(tag) = Kind::of(value).and_then(|k| k.tag()) else {
                return false;
            };
            let bits = bits_of(value, tag).unwrap_or_default();
            out.extend([u64::from(tag), bits]);
            mask & 1 << tag != 0
        }
        (kind, value) => {
            if !kind.admits(Some(value)) {
                return false;
            }
            flatten(kind, Some(value), out);
            true
        }
    }
}

/// A direct call came back with an exit: finishes the callee in tier 0. Status 0: its result is in
/// the words of the context; 1: it is pending; 2: an exception is on its way.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn callee_exit(
    ctx: *mut u64,
    status: u64,
    site: u64,
    depth: u64,
    goes_on: u64,
) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let region = session.region;
    let (Some(exit), Some(site)) = (region.exit(status), region.tables.sites.get(site as usize))
    else {
        return 2;
    };
    // SAFETY: an exit of this region wrote its leaves behind SLOTS, and the context has room
    // for the largest exit.
    let words = unsafe { std::slice::from_raw_parts_mut(ctx.add(SLOTS), region.room()) };
    let Some(mut frame) = region.callee_frame(exit) else {
        return 2;
    };
    rebuild(exit, words, &mut frame, session, false);
    region.note(exit);
    let raised = if exit.raise {
        session.raised.take()
    } else {
        None
    };
    let outer = session.vm.recursion_depth();
    session
        .vm
        .set_recursion_depth((depth as usize).saturating_sub(1));
    let result = session.vm.resume_frame(frame, raised);
    session.vm.set_recursion_depth(outer);
    match result {
        Ok(value) => {
            // What compiled code holds must stay alive whatever tier 0 did.
            if let Value::List(_) = value {
                session.roots.push(value.clone());
            }
            if goes_on != 0 && region.guards_hold() && put_result(&site.result, &value, words) {
                return 0;
            }
            session.pending = Some(value);
            1
        }
        Err(raised) => {
            session.raised = Some(raised);
            2
        }
    }
}

/// Enters generated code.
///
/// # Safety
/// `entry` is the entry of `session.region`, and `context` has room for its exits.
pub(crate) unsafe fn run(entry: *const u8, context: &mut [u64], session: &mut Session<'_>) -> u64 {
    if let Some(word) = context.first_mut() {
        *word = std::ptr::from_mut(session) as u64;
    }
    // SAFETY: generated with this signature; the caller vouches for the rest.
    let entry: extern "C" fn(*mut u64) -> u64 = unsafe { std::mem::transmute(entry) };
    entry(context.as_mut_ptr())
}

/// A variable of the region that lives in the namespace or in a cell.
pub(crate) fn home_value(home: &Home, frame: &Frame) -> Option<Value> {
    match home {
        Home::Global(name) => name_value(&frame.globals, &frame.builtins, name),
        Home::Cell(at) => frame.cells.get(*at)?.value.borrow().clone(),
    }
}

fn put_home(home: &Home, value: Value, globals: &PyDict, cells: &[PyRef<PyCell>]) {
    match home {
        Home::Global(name) => globals.set_name(name, value),
        Home::Cell(at) => {
            let old = cells.get(*at).and_then(|c| c.value.replace(Some(value)));
            drop(old);
        }
    }
}

/// The result of a function.
pub(crate) fn result(kind: &Kind, words: &[u64], session: &mut Session<'_>) -> Value {
    let mut words = words.iter().copied();
    value(kind, &mut words, session)
        .flatten()
        .unwrap_or(Value::None)
}

/// Writes what an exit left into a frame, and names into its namespace.
pub(crate) fn rebuild(
    exit: &Exit,
    words: &[u64],
    frame: &mut Frame,
    session: &mut Session<'_>,
    own: bool,
) {
    let mut words = words.iter().copied();
    let count = frame.locals.len();
    for (at, kind) in exit.locals.iter().enumerate() {
        let Some(value) = value(kind, &mut words, session) else {
            continue;
        };
        if let Some(local) = frame.locals.get_mut(at) {
            *local = value;
        } else if own
            && let Some(unit) = session.region.program.units.get(exit.unit)
            && let Some(name) = unit.names.get(at - count).filter(|n| n.stored)
            && let Some(value) = value
        {
            put_home(&name.home, value, &frame.globals, &frame.cells);
        }
    }
    let mut stack = Vec::with_capacity(exit.stack.len());
    for (at, kind) in exit.stack.iter().enumerate() {
        stack.push(match value(kind, &mut words, session) {
            Some(value) => value,
            None => frame.stack.get_mut(at).and_then(Option::take),
        });
    }
    frame.stack.truncate(0);
    frame.stack.extend(stack);
    frame.pc = exit.pc;
}

/// The value of a kind out of its leaves: `None` leaves the frame as it is, `Some(None)` is unset
/// or NULL.
fn value(
    kind: &Kind,
    words: &mut impl Iterator<Item = u64>,
    session: &mut Session<'_>,
) -> Option<Option<Value>> {
    let mut word = || words.next().unwrap_or_default();
    Some(Some(match kind {
        Kind::Keep => return None,
        Kind::Unset | Kind::Null => return Some(None),
        Kind::None => Value::None,
        Kind::Int => value_of(tag::INT, word()),
        Kind::Float => value_of(tag::FLOAT, word()),
        Kind::Bool => value_of(tag::BOOL, word()),
        Kind::Complex => {
            let (re, im) = (f64::from_bits(word()), f64::from_bits(word()));
            complex_value(re, im)
        }
        Kind::List(_) => list_value(word()),
        Kind::Known(k) => session
            .region
            .program
            .known
            .get(*k)
            .cloned()
            .unwrap_or(Value::None),
        Kind::Tuple(kinds) => {
            let items: Vec<Value> = kinds
                .iter()
                .filter_map(|k| value(k, words, session).flatten())
                .collect();
            Value::tuple(items)
        }
        Kind::Range => {
            let [start, stop, step] = [word() as i64, word() as i64, word() as i64];
            Value::Range(PyRef::new(PyRange { start, stop, step }))
        }
        Kind::RangeIter => {
            let (next, step, remaining) = (word() as i64, word() as i64, word() as usize);
            iterator(IterState::Range {
                next,
                step,
                remaining,
            })
        }
        Kind::ListIter(_) => {
            let (list, index) = (list_value(word()), word() as usize);
            match list {
                Value::List(list) => iterator(IterState::List { list, index }),
                other => other,
            }
        }
        Kind::Dyn { .. } => {
            let (tag, bits) = (word() as u32, word());
            match tag {
                tag::KEEP => return None,
                tag::UNSET => return Some(None),
                tag => value_of(tag, bits),
            }
        }
        Kind::Pending => session.pending.take().unwrap_or(Value::None),
    }))
}

fn iterator(state: IterState) -> Value {
    PyIter::value(state)
}

/// Writes the leaves of a value that the frame has; lists stay alive in the frame.
pub(crate) fn flatten(kind: &Kind, value: Option<&Value>, out: &mut Vec<u64>) {
    match (kind, value) {
        (Kind::RangeIter | Kind::ListIter(_), Some(Value::Iter(iter))) => {
            match &*iter.state.borrow() {
                IterState::Range {
                    next,
                    step,
                    remaining,
                } => {
                    out.extend([*next as u64, *step as u64, *remaining as u64]);
                }
                IterState::List { list, index } => {
                    out.extend([PyRef::as_ptr(list) as u64, *index as u64])
                }
                _ => {}
            }
        }
        (Kind::Complex, Some(value)) => {
            let (re, im) = complex_parts(value).unwrap_or_default();
            out.extend([re.to_bits(), im.to_bits()]);
        }
        (Kind::Int | Kind::Float | Kind::Bool | Kind::List(_), Some(value)) => {
            out.push(bits_of(value, kind.tag().unwrap_or_default()).unwrap_or_default());
        }
        _ => {}
    }
}

/// A value of the namespace.
pub(crate) fn name_value(
    globals: &PyDict,
    builtins: &PyDict,
    name: &janus_object::Name,
) -> Option<Value> {
    globals.get_name(name).or_else(|| builtins.get_name(name))
}

/// Depth at which a frame that is entered now stands; `None` at the limit.
pub(crate) fn entry_depth(vm: &mut Interp, is_function: bool) -> Option<usize> {
    if !is_function {
        return Some(vm.recursion_depth());
    }
    vm.enter().ok()?;
    vm.leave();
    Some(vm.recursion_depth() + 1)
}
