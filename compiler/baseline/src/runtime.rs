//! The functions that generated code calls, and how it is entered. The unsafe part of tier 1.
//!
//! In: words of the context, tags and payloads of values. Out: status and bits. Always: a payload that generated code
//! hands over belongs to an object that is alive, since it holds a reference itself, or borrows that of a local; whose the
//! reference is afterwards each function says; nothing here runs Python but [`callee_exit`].

use std::mem::ManuallyDrop;

use janus_bytecode::{CompareOp, surrogate};
use janus_interp::{Frame, Interp};
use janus_object::{
    Args, Class, Instance, IterState, Name, PyCell, PyIter, PyRange, PyRef, PyResult, Raised,
    Value, class_of, complex_parts, complex_value, heap, ops, simple_eq,
};

pub(crate) use crate::acts::{effect, next_pair, next_simple, send_simple};
pub(crate) use crate::namespace::{
    cell_version, global_get, global_set, home_value, name_is, name_set, put_home, settle,
    show_lent,
};
use smallvec::SmallVec;

use crate::emit::{Compute, Exit, Generic, Operands};
use crate::kind::{Kind, tag, tag_byte, tag_of_slot};
use crate::layout::{INTERRUPT, RETURNED, SLOTS, payload};
use crate::region::{Inner, LEAVE};
use crate::trail::{self, Shown};

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
    /// Cells of the region's frame.
    pub cells: &'a [PyRef<PyCell>],
    /// Whether the code is to be left where it can be.
    pub is_to_leave: bool,
    /// Whether it is left before Python is called.
    pub alone: Alone,
    /// What the context points to.
    pub _lent: &'a [u64],
    /// Activations that Python sees.
    pub shown: Shown,
}

/// Whether generated code may call Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alone {
    /// It may.
    No,
    /// It may not: those around it do not expect that.
    Yes,
    /// It may not, and was left for that.
    Left,
}

/// A status (0: fine) and a payload.
#[repr(C)]
pub(crate) struct Outcome {
    pub status: u64,
    pub bits: u64,
}

pub(crate) const NO: Outcome = Outcome { status: 1, bits: 0 };

/// The value of a tag and a payload, with the reference that the payload has. What has no such tag is None.
#[inline(always)]
pub(crate) fn value_of(tag: u32, bits: u64) -> Value {
    let bits = match tag {
        tag::BOOL => bits & 1,
        _ => bits,
    };
    let tag = match tag {
        0..=tag::LAST => tag,
        _ => tag::NONE,
    };
    let words = [u64::from(tag), bits];
    // SAFETY: a value is its tag and a payload, `repr(u64)`, and the size of two words, which `layout::measure` checks. The payload of a
    // bool is 0 or 1, that of an int and a float any word, and that of a counted value the address of the head of a living object of
    // this variant; others have none.
    unsafe { std::mem::transmute::<[u64; 2], Value>(words) }
}

/// The same, where the reference stays with whoever holds it.
#[inline(always)]
pub(crate) fn borrowed(tag: u64, bits: u64) -> ManuallyDrop<Value> {
    ManuallyDrop::new(value_of(tag as u32, bits))
}

/// The payload of a value, whose reference is there then.
pub(crate) fn into_bits(value: Value) -> u64 {
    payload(&ManuallyDrop::new(value))
}

/// The list at an address.
fn list_at(address: u64) -> ManuallyDrop<Value> {
    borrowed(u64::from(tag::LIST), address)
}

/// `list.append(value)`, which takes the value's reference.
pub(crate) extern "C" fn list_append(list: u64, tag: u64, bits: u64) {
    if let Value::List(list) = &*list_at(list) {
        list.push(value_of(tag as u32, bits));
    }
}

/// `[]`
pub(crate) extern "C" fn list_new() -> u64 {
    into_bits(Value::list(Vec::new()))
}

/// `list * count`; 0 where that is tier 0's.
pub(crate) extern "C" fn list_repeat(list: u64, count: i64) -> u64 {
    let list = list_at(list);
    let Value::List(list) = &*list else {
        return 0;
    };
    let items = list.items.borrow();
    let total = usize::try_from(count.max(0))
        .ok()
        .and_then(|n| n.checked_mul(items.len()));
    // What does not fit into memory is tier 0's to report.
    let Some(total) = total.filter(|n| *n < 1 << 28) else {
        return 0;
    };
    let made: Vec<Value> = items.iter().cycle().take(total).cloned().collect();
    drop(items);
    into_bits(Value::list(made))
}

/// The last reference to an object goes; whether something is owed then.
pub(crate) extern "C" fn drop_last(tag: u64, bits: u64) -> u8 {
    drop(value_of(tag as u32, bits));
    u8::from(heap::is_pending())
}

/// A new instance of the class at an address.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn instance_new(ctx: *mut u64, class: u64) -> u64 {
    let class = borrowed(u64::from(tag::CLASS), class);
    let made = match &*class {
        // The code adds attributes itself, where there is a dict.
        Value::Class(class) => Instance::with_dict(PyRef::<Class>::clone(class)),
        _ => Value::None,
    };
    if heap::is_pending() {
        // A collection is due: tier 0 has it done.
        // SAFETY: the context has this word.
        unsafe { *ctx.add(INTERRUPT) = std::ptr::from_ref(&LEAVE) as u64 };
    }
    into_bits(made)
}

/// Adds an attribute to an instance whose dict has a layout. Status 0: it took a reference to the value, `borrows` says
/// whether one of its own.
///
/// # Safety
/// `name` is the address of a name that is alive.
pub(crate) unsafe extern "C" fn attr_append(
    object: u64,
    before: u64,
    after: u64,
    name: *const Name,
    tag: u64,
    bits: u64,
    borrows: u64,
) -> u64 {
    let object = borrowed(u64::from(tag::INSTANCE), object);
    let Value::Instance(instance) = &*object else {
        return 1;
    };
    let value = borrowed(tag, bits);
    let own = Value::clone(&value);
    // SAFETY: as the caller promises.
    let name = unsafe { &*name };
    let dict = instance.dict();
    match dict.append_known(before as u32, after as u32, name, own) {
        Ok(()) => {
            if borrows == 0 {
                drop(ManuallyDrop::into_inner(value));
            }
            0
        }
        Err(own) => {
            drop(own);
            1
        }
    }
}

/// Makes an object out of the words of the context; the references there are the object's then.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn build(ctx: *mut u64, index: u64) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let region = session.region;
    // SAFETY: the context has room for what the region writes.
    let words = unsafe { std::slice::from_raw_parts(ctx.add(SLOTS), region.room()) };
    let made = region.tables.kinds.get(index as usize).and_then(|kind| {
        let mut words = words.iter().copied();
        value(kind, &mut words, session).flatten()
    });
    into_bits(made.unwrap_or(Value::None))
}

/// `item in container`: 0, 1, or 2 where Python is needed.
pub(crate) extern "C" fn contains(
    container_tag: u64,
    container: u64,
    item_tag: u64,
    item: u64,
) -> u64 {
    let (container, item) = (borrowed(container_tag, container), borrowed(item_tag, item));
    let any = |items: &[Value]| {
        for other in items {
            match simple_eq(other, &item) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => return None,
            }
        }
        Some(false)
    };
    let found = match &*container {
        Value::Dict(dict) => dict.get_simple(&item).map(|found| found.is_some()),
        Value::Set(set) => set.has_simple(&item),
        Value::List(list) => any(&list.items.borrow()),
        Value::Tuple(tuple) => any(&tuple.items),
        Value::Str(text) => match &*item {
            Value::Str(part) => Some(text.as_str().contains(part.as_str())),
            _ => None,
        },
        _ => None,
    };
    found.map_or(2, u64::from)
}

/// The length of a container that is built in; -1 of anything else.
pub(crate) extern "C" fn length(tag: u64, bits: u64) -> i64 {
    let value = borrowed(tag, bits);
    let length = ops::len_simple(&value);
    length.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1)
}

/// The truth of a value: 0, 1, or 2 where Python is needed.
pub(crate) extern "C" fn truth(tag: u64, bits: u64) -> u64 {
    let value = borrowed(tag, bits);
    ops::truth_simple(&value).map_or(2, u64::from)
}

/// A comparison of strings.
pub(crate) extern "C" fn compare_str(op: u64, a: u64, b: u64) -> u64 {
    let string = u64::from(tag::STR);
    let (a, b) = (borrowed(string, a), borrowed(string, b));
    let (Value::Str(a), Value::Str(b)) = (&*a, &*b) else {
        return 0;
    };
    if PyRef::ptr_eq(a, b) && op == CompareOp::Eq as u64 {
        return 1;
    }
    let (a, b) = (a.as_str(), b.as_str());
    let op = u32::try_from(op).ok().and_then(CompareOp::from_arg);
    u64::from(match op {
        Some(CompareOp::Lt) => a < b,
        Some(CompareOp::Le) => a <= b,
        Some(CompareOp::Eq) => a == b,
        Some(CompareOp::Ne) => a != b,
        Some(CompareOp::Gt) => a > b,
        _ => a >= b,
    })
}

/// `dict[key]` into the words of the context. Status 1: it is not there, or Python is needed.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn dict_get(ctx: *mut u64, dict: u64, tag: u64, key: u64) -> u64 {
    let (dict, key) = (borrowed(u64::from(tag::DICT), dict), borrowed(tag, key));
    let Value::Dict(dict) = &*dict else {
        return 1;
    };
    let Some(Some(value)) = dict.get_simple(&key) else {
        return 1;
    };
    let tag = u64::from(tag_byte(&value));
    // SAFETY: the context has room for any value.
    unsafe {
        *ctx.add(SLOTS) = tag;
        *ctx.add(SLOTS + 1) = into_bits(value);
    }
    0
}

/// The character of a string at an index, with a reference; 0 if there is none.
pub(crate) extern "C" fn str_item(string: u64, index: u64) -> u64 {
    let string = borrowed(u64::from(tag::STR), string);
    let Value::Str(string) = &*string else {
        return 0;
    };
    let at = ops::item_offset(index as i64, string.char_count());
    at.and_then(|at| string.char_at(at))
        .map_or(0, |c| into_bits(Value::char(c)))
}

/// `dict[key] = value` with references of its own. Status 1: Python is needed; the bits: whether something is owed.
pub(crate) extern "C" fn dict_set(
    dict: u64,
    key_tag: u64,
    key: u64,
    value_tag: u64,
    value: u64,
) -> Outcome {
    let dict = borrowed(u64::from(tag::DICT), dict);
    let (key, value) = (borrowed(key_tag, key), borrowed(value_tag, value));
    let Value::Dict(dict) = &*dict else {
        return NO;
    };
    // Code may take for constant what is in a namespace: tier 0 assigns that.
    if dict.is_watched() {
        return NO;
    }
    match dict.set_simple(&key, Value::clone(&value)) {
        Ok(()) => Outcome {
            status: 0,
            bits: u64::from(heap::is_pending()),
        },
        Err(_) => NO,
    }
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
pub(crate) unsafe fn session<'a>(ctx: *mut u64) -> &'a mut Session<'a> {
    // SAFETY: word 0 holds the address of the session on `run`'s stack; generated code runs on
    // this thread, holds no reference into it, and calls one helper at a time.
    unsafe { &mut *(*ctx as *mut Session<'a>) }
}

/// An operation by the interpreter's own function: operands and result are in the words of the
/// context. Status 1: an exception, or a result of another kind; tier 0 does it again.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn generic(ctx: *mut u64, index: u64) -> Outcome {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let region = session.region;
    let Some(generic) = region.tables.generics.get(index as usize) else {
        return NO;
    };
    let result = match &generic.operands {
        Operands::Values(count) => {
            // SAFETY: two words are a value as it lies in memory (`repr(u64)`, which `layout::measure` checks); generated
            // code keeps the references that they have, and nobody writes to the words before the result.
            let operands = unsafe { std::slice::from_raw_parts(ctx.add(SLOTS).cast(), *count) };
            compute(session, generic, operands)
        }
        Operands::Leaves(kinds) => {
            // SAFETY: the context has room for what any exit or operation of the region writes.
            let words = unsafe { std::slice::from_raw_parts(ctx.add(SLOTS), region.room()) };
            let mut input = words.iter().copied();
            let made = |kind| value(kind, &mut input, session).flatten();
            let operands = kinds.iter().map(made);
            let operands: SmallVec<[Value; 4]> =
                operands.map(|made| made.unwrap_or(Value::None)).collect();
            let result = compute(session, generic, &operands);
            for (kind, operand) in kinds.iter().zip(operands) {
                // Generated code keeps the references that it has.
                if kind.is_counted() {
                    std::mem::forget(operand);
                }
            }
            result
        }
    };
    // SAFETY: as above; nobody looks at the operands any more.
    let words = unsafe { std::slice::from_raw_parts_mut(ctx.add(SLOTS), region.room()) };
    match result {
        Some(Ok(value)) => match put_result(&generic.result, value, words) {
            Ok(()) => Outcome {
                status: 0,
                bits: u64::from(heap::is_pending()),
            },
            Err(_) => NO,
        },
        _ => NO,
    }
}

/// The result of an operation.
#[inline(always)]
fn compute(session: &mut Session<'_>, generic: &Generic, operands: &[Value]) -> Option<PyResult> {
    match (&generic.compute, operands) {
        (Compute::Binary(op), [a, b]) => Some(ops::binary(session.vm, *op, a, b)),
        (Compute::Call(k), args) => match session.region.program.known.get(*k) {
            Some(Value::Native(native)) => Some(match native.answer(args) {
                Some(value) => Ok(value),
                None => native.call(session.vm, Args::new(args)),
            }),
            _ => None,
        },
        _ => None,
    }
}

/// The code point of a string of one; -1 of any other value.
pub(crate) extern "C" fn ord(tag: u64, bits: u64) -> i64 {
    let value = borrowed(tag, bits);
    let Value::Str(text) = &*value else {
        return -1;
    };
    let mut points = text.as_str().chars();
    match (points.next(), points.next()) {
        (Some(point), None) => i64::from(surrogate::code_of(point)),
        _ => -1,
    }
}

/// The string of a code point, with a reference; 0 of another number.
pub(crate) extern "C" fn chr(code: i64) -> u64 {
    let point = u32::try_from(code).ok().and_then(surrogate::char_of);
    point.map_or(0, |point| into_bits(Value::char(point)))
}

/// The class of a value, with a reference.
pub(crate) extern "C" fn type_of(tag: u64, bits: u64) -> u64 {
    into_bits(Value::Class(class_of(&borrowed(tag, bits))))
}

/// Writes a result's leaves into the words, with its references; hands it back if it is of another kind.
pub(crate) fn put_result(kind: &Kind, value: Value, words: &mut [u64]) -> Result<(), Value> {
    // The most frequent kind, without a list of leaves.
    if let (Kind::Dyn { mask, .. }, [first, second, ..]) = (kind, &mut *words) {
        if mask & 1 << tag_byte(&value) == 0 {
            return Err(value);
        }
        *first = u64::from(tag_byte(&value));
        *second = into_bits(value);
        return Ok(());
    }
    if let (Kind::Int | Kind::Float | Kind::Bool | Kind::List(_) | Kind::Object(_), [first, ..]) =
        (kind, &mut *words)
    {
        if !kind.admits(Some(&value)) {
            return Err(value);
        }
        // Of what is no object there is nothing to let go of.
        *first = into_bits(value);
        return Ok(());
    }
    let mut out = Vec::new();
    if !flatten_checked(kind, &value, &mut out) || out.len() > words.len() {
        return Err(value);
    }
    hand_over(kind, value);
    for (word, bits) in words.iter_mut().zip(out) {
        *word = bits;
    }
    Ok(())
}

/// Leaves the references of a value whose leaves were written to those.
pub(crate) fn hand_over(kind: &Kind, value: Value) {
    match (kind, &value) {
        (Kind::Tuple(kinds), Value::Tuple(tuple)) => {
            for (kind, item) in kinds.iter().zip(tuple.items.iter()) {
                hand_over(kind, item.clone());
            }
        }
        (kind, _) if kind.is_counted() => std::mem::forget(value),
        _ => {}
    }
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
            let tag = tag_byte(value);
            out.extend([u64::from(tag), payload(value)]);
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
    // SAFETY: the call that came back is under way for the region.
    unsafe { show_lent(ctx, session) };
    if status == RETURNED {
        // Its result is in the words, and so must be kept from what runs now.
        let Some(site) = region.tables.sites.get(site as usize) else {
            return 2;
        };
        // SAFETY: the context has room for any result.
        let words = unsafe { std::slice::from_raw_parts_mut(ctx.add(SLOTS), region.room()) };
        let result = result(&site.result, words, session);
        session.vm.settle_due();
        return arrived(session, result, &site.result, words, goes_on != 0);
    }
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
    if let Some(at) = exit.cells
        && let Some(&address) = words.get(at)
    {
        // SAFETY: it is where the cells of the function begin that is called, which its caller has on its stack.
        let cells = unsafe {
            let count = region.handed_cells(exit);
            std::slice::from_raw_parts(address as *const PyRef<PyCell>, count)
        };
        frame.cells.extend(cells.iter().cloned());
    }
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
    // SAFETY: it is the context of the region that runs.
    unsafe { trail::show(session, ctx, depth, None) };
    let result = session.vm.resume_frame(frame, raised);
    session.vm.set_recursion_depth(outer);
    match result {
        Ok(value) => arrived(session, value, &site.result, words, goes_on != 0),
        Err(raised) => {
            session.raised = Some(raised);
            2
        }
    }
}

/// The result of a call that tier 0 had a part in: 0 if the code goes on with it, 1 if it is pending, and so is it with 3,
/// where the code goes on if names are what they were.
fn arrived(
    session: &mut Session<'_>,
    value: Value,
    kind: &Kind,
    words: &mut [u64],
    goes_on: bool,
) -> u64 {
    let holds = session.region.guards_hold();
    if goes_on && holds {
        return settled(session, value, kind, words);
    }
    session.pending = Some(value);
    if holds { 3 } else { 1 }
}

/// 0 if a result was written into the words, 1 if it is pending, since it is of another kind.
fn settled(session: &mut Session<'_>, value: Value, kind: &Kind, words: &mut [u64]) -> u64 {
    match put_result(kind, value, words) {
        Ok(()) => 0,
        Err(value) => {
            session.pending = Some(value);
            1
        }
    }
}

/// Writes what is pending into the words: the result of a call of a function of the region or, `acts`, of the
/// interpreter's. 1 if it stays pending.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn arrive(ctx: *mut u64, index: u64, acts: u64) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let region = session.region;
    let (index, tables) = (index as usize, &region.tables);
    let kind = match acts {
        0 => tables.sites.get(index).map(|s| &s.result),
        _ => tables.effects.get(index).and_then(|e| e.gives.as_ref()),
    };
    // SAFETY: the context has room for any result.
    let words = unsafe { std::slice::from_raw_parts_mut(ctx.add(SLOTS), region.room()) };
    match (kind, session.pending.take()) {
        (Some(kind), Some(value)) => settled(session, value, kind, words),
        _ => 0,
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

/// The result of a function.
#[inline]
pub(crate) fn result(kind: &Kind, words: &[u64], session: &mut Session<'_>) -> Value {
    if let (Kind::Dyn { .. }, &[tag, bits, ..]) = (kind, words) {
        return value_of(tag as u32, bits);
    }
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
            put_home(&name.home, value, &frame.globals, session.cells);
        }
    }
    let mut stack = Vec::with_capacity(exit.stack.len());
    for (at, (kind, borrows)) in exit.stack.iter().enumerate() {
        stack.push(match value(kind, &mut words, session) {
            Some(value) => {
                if *borrows && kind.is_counted() {
                    // A local, or the region, has the other reference.
                    std::mem::forget(value.clone());
                }
                value
            }
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
        Kind::List(_) => value_of(tag::LIST, word()),
        Kind::Object(tag) => value_of(*tag, word()),
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
            let (list, index) = (value_of(tag::LIST, word()), word() as usize);
            match list {
                Value::List(list) => iterator(IterState::List { list, index }),
                other => other,
            }
        }
        Kind::TupleIter => {
            let (tuple, index) = (value_of(tag::TUPLE, word()), word() as usize);
            match tuple {
                Value::Tuple(tuple) => iterator(IterState::Tuple { tuple, index }),
                other => other,
            }
        }
        Kind::Zip(kinds) => {
            let iters = kinds.iter().map(|k| value(k, words, session).flatten());
            let strict = false;
            match iters.collect::<Option<_>>() {
                Some(iters) => iterator(IterState::Zip { iters, strict }),
                None => return None,
            }
        }
        Kind::Enumerate(of) => {
            let count = Value::Int(word() as i64);
            match value(of, words, session).flatten() {
                Some(iter) => iterator(IterState::Enumerate { iter, count }),
                None => return None,
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

/// Writes the leaves of a value; its references are still its own.
pub(crate) fn flatten(kind: &Kind, value: Option<&Value>, out: &mut Vec<u64>) {
    match (kind, value) {
        (kind, Some(Value::Iter(iter))) if kind.is_iterator() => match &*iter.state.borrow() {
            IterState::Zip { iters, .. } => {
                for (kind, iter) in kind.parts().iter().flatten().zip(iters.iter()) {
                    flatten(kind, Some(iter), out);
                }
            }
            IterState::Enumerate { iter, count } => {
                for (kind, part) in kind.parts().iter().flatten().zip([count, iter]) {
                    flatten(kind, Some(part), out);
                }
            }
            IterState::Range {
                next,
                step,
                remaining,
            } => {
                out.extend([*next as u64, *step as u64, *remaining as u64]);
            }
            IterState::List { list, index } => {
                out.extend([payload(&Value::List(list.clone())), *index as u64]);
            }
            IterState::Tuple { tuple, index } => {
                out.extend([payload(&Value::Tuple(tuple.clone())), *index as u64]);
            }
            _ => {}
        },
        (Kind::Complex, Some(value)) => {
            let (re, im) = complex_parts(value).unwrap_or_default();
            out.extend([re.to_bits(), im.to_bits()]);
        }
        (Kind::Int | Kind::Float | Kind::Bool | Kind::List(_) | Kind::Object(_), Some(value)) => {
            out.push(payload(value))
        }
        (Kind::Dyn { .. }, value) => {
            out.extend([u64::from(tag_of_slot(value)), value.map_or(0, payload)]);
        }
        _ => {}
    }
}

/// Depth at which a frame that is entered now stands; `None` at the limit.
#[inline]
pub(crate) fn entry_depth(vm: &Interp, is_function: bool) -> Option<usize> {
    let depth = vm.recursion_depth();
    match is_function {
        false => Some(depth),
        true if depth >= vm.recursion_limit() => None,
        true => Some(depth + 1),
    }
}
