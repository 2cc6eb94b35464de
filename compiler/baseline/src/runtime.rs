//! The functions that generated code calls, and how it is entered. The unsafe part of tier 1.
//!
//! In: words of the context, addresses of lists. Out: status and bits. Always: a list whose
//! address generated code has is kept alive by the frame, the globals or the list that it was
//! read from for as long as the region runs; nothing here runs Python but [`callee_exit`].

use std::rc::Rc;

use janus_bytecode::BinaryOp;
use janus_interp::{Frame, Interp};
use janus_object::{
    Args, IterState, PyDict, PyIter, PyList, PyRange, Raised, TracebackEntry, Value, Vm, ops,
};

use crate::emit::Exit;
use crate::kind::{Kind, tag};
use crate::layout::SLOTS;
use crate::region::Inner;

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
        (tag::LIST, Value::List(list)) => Rc::as_ptr(list) as u64,
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
    // SAFETY: the address came from `Rc::as_ptr` of a list that is alive (see the head of this
    // file); the count is raised for the reference made here.
    let list = unsafe {
        Rc::increment_strong_count(list);
        Rc::from_raw(list)
    };
    Value::List(list)
}

fn wrap(index: i64, len: usize) -> usize {
    if index >= 0 {
        index as usize
    } else {
        len.wrapping_add(index as usize)
    }
}

/// `list[index]` if it has the tag.
///
/// # Safety
/// `list` is the address of a living list.
pub(crate) unsafe extern "C" fn list_get(list: *const PyList, index: i64, want: u64) -> Outcome {
    // SAFETY: as the caller promises.
    let items = unsafe { &*list }.items.borrow();
    match items.get(wrap(index, items.len())) {
        Some(value) => Outcome::of(value, want as u32),
        None => NO,
    }
}

/// As [`list_get`] for an iterator: status 2 at the end.
///
/// # Safety
/// `list` is the address of a living list.
pub(crate) unsafe extern "C" fn list_next(list: *const PyList, index: u64, want: u64) -> Outcome {
    // SAFETY: as the caller promises.
    let items = unsafe { &*list }.items.borrow();
    match items.get(index as usize) {
        Some(value) => Outcome::of(value, want as u32),
        None => Outcome { status: 2, bits: 0 },
    }
}

/// `list[index] = value` for a number that replaces a number: dropping it runs nothing.
///
/// # Safety
/// `list` is the address of a living list.
pub(crate) unsafe extern "C" fn list_set(
    list: *const PyList,
    index: i64,
    tag: u64,
    bits: u64,
) -> u64 {
    // SAFETY: as the caller promises.
    let mut items = unsafe { &*list }.items.borrow_mut();
    let at = wrap(index, items.len());
    match items.get_mut(at) {
        Some(slot @ (Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::None)) => {
            *slot = value_of(tag as u32, bits);
            0
        }
        _ => 1,
    }
}

/// `len(list)`
///
/// # Safety
/// `list` is the address of a living list.
pub(crate) unsafe extern "C" fn list_len(list: *const PyList) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { &*list }.len() as u64
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

/// `a op b` by the interpreter's own function.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn binary(
    ctx: *mut u64,
    op: u64,
    tags: u64,
    a: u64,
    b: u64,
) -> Outcome {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let Some(op) = BinaryOp::from_arg(op as u32) else {
        return NO;
    };
    let a = value_of((tags >> 16) as u32 & 0xff, a);
    let b = value_of((tags >> 8) as u32 & 0xff, b);
    match ops::binary(session.vm, op, &a, &b) {
        Ok(value) => Outcome::of(&value, tags as u32 & 0xff),
        // Tier 0 does it again and raises.
        Err(_) => NO,
    }
}

/// A pure function of one or two floats.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn math(
    ctx: *mut u64,
    known: u64,
    count: u64,
    a: u64,
    b: u64,
) -> Outcome {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let Some(callee @ Value::Native(native)) = session.region.program.known.get(known as usize)
    else {
        return NO;
    };
    let args = [
        Value::Float(f64::from_bits(a)),
        Value::Float(f64::from_bits(b)),
    ];
    let want = crate::flow::math_result(callee).tag().unwrap_or_default();
    match native.call(
        session.vm,
        Args::new(args.get(..count as usize).unwrap_or_default()),
    ) {
        Ok(value) => Outcome::of(&value, want),
        Err(_) => NO,
    }
}

/// A direct call came back with an exit: finishes the callee in tier 0. Status 1: the result is
/// pending; 2: an exception is on its way.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn callee_exit(
    ctx: *mut u64,
    status: u64,
    site: u64,
    depth: u64,
) -> Outcome {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let region = session.region;
    let Some(exit) = region.exit(status) else {
        return NO;
    };
    let Some(site) = region.tables.sites.get(site as usize) else {
        return NO;
    };
    if !exit.raise {
        // SAFETY: an exit of this region wrote its leaves behind SLOTS, and the context has room
        // for the largest exit.
        let words = unsafe { std::slice::from_raw_parts(ctx.add(SLOTS), region.room()) };
        let Some(mut frame) = region.callee_frame(exit) else {
            return NO;
        };
        rebuild(exit, words, &mut frame, session, false);
        region.note(exit);
        let outer = session.vm.recursion_depth();
        session
            .vm
            .set_recursion_depth((depth as usize).saturating_sub(1));
        let result = session.vm.resume_frame(frame);
        session.vm.set_recursion_depth(outer);
        match result {
            Ok(value) => {
                let fits = bits_of(&value, site.result.tag().unwrap_or_default());
                return match fits {
                    Some(bits) if region.guards_hold() => Outcome { status: 0, bits },
                    _ => {
                        session.pending = Some(value);
                        Outcome { status: 1, bits: 0 }
                    }
                };
            }
            Err(raised) => session.raised = Some(raised),
        }
    }
    if let (Some(raised), Some(unit)) = (&session.raised, region.program.units.get(site.unit))
        && let Some(data) = raised.data()
    {
        let entry = TracebackEntry {
            code: unit.code.clone(),
            pc: site.pc,
        };
        data.traceback.borrow_mut().insert(0, entry);
    }
    Outcome { status: 2, bits: 0 }
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
            frame.globals.set_name(&name.name, value);
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
            Value::Range(Rc::new(PyRange { start, stop, step }))
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
        (Kind::RangeIter | Kind::ListIter(_), Some(Value::Iter(iter))) => match &*iter
            .state
            .borrow()
        {
            IterState::Range {
                next,
                step,
                remaining,
            } => {
                out.extend([*next as u64, *step as u64, *remaining as u64]);
            }
            IterState::List { list, index } => out.extend([Rc::as_ptr(list) as u64, *index as u64]),
            _ => {}
        },
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
