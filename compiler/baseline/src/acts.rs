//! What compiled code leaves to the interpreter's functions, when it runs.
//!
//! In: an act of [`crate::effect`], operands as values in the words of the context. Out: the result there, and a status. Always:
//! the references of the operands stay the code's; Python that is called sees the frames of the code that calls it.

use janus_interp::{Sent, bound_method};
use janus_object::ops::Special;
use janus_object::{
    Args, Generator, PyCell, PyRef, PySlice, Raised, Reach, SimpleNext, Step, Value, Vm, heap, ops,
};

use crate::effect::{
    ASK, Act, BEFORE, ENDED, ENDED_LEAVE, Effect, LEAVE as LEAVE_CODE, RAISED, SIMPLE_END,
    SIMPLE_END_LEAVE, SIMPLE_ITEM, SIMPLE_ITEM_LEAVE, is_super,
};
use crate::kind::{Kind, tag_byte};
use crate::layout::{INTERRUPT, SLOTS};
use crate::plain::{Plain, plain};
use crate::region::LEAVE;
use crate::runtime::{Alone, Session, borrowed, into_bits, put_result, session, show_lent};
use crate::trail::{self, Caller};

/// Does what an instruction does: operands and result are in the words of the context; the status is one of
/// [`crate::effect`]'s. `goes_on` is 0 where the code keeps names in variables.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn effect(ctx: *mut u64, index: u64, depth: u64, goes_on: u64) -> u64 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let region = session.region;
    let Some(effect) = region.tables.effects.get(index as usize) else {
        return u64::from(BEFORE);
    };
    // SAFETY: the context has room for what any exit or operation of the region writes.
    let words = unsafe { std::slice::from_raw_parts_mut(ctx.add(SLOTS), region.room()) };
    // SAFETY: two words are a value as it lies in memory (`repr(u64)`, which `layout::measure` checks), or none; generated
    // code keeps the references that they have, and nobody writes to the words before the result.
    let operands = unsafe {
        std::slice::from_raw_parts(ctx.add(SLOTS).cast::<Option<Value>>(), effect.operands)
    };
    if let (Act::GetMethod, [Some(object)]) = (effect.act, operands)
        && let Some(unit) = region.program.units.get(effect.unit)
        && let Some(method) = session.vm.known_method_at(&unit.code, effect.pc, object)
    {
        // SAFETY: as the caller promises; nobody looks at the operand any more.
        unsafe { put(ctx, 0, method) };
        return 0;
    }
    let answer = match (effect.act, operands) {
        (Act::Call | Act::CallNative, [Some(callable), receiver, args @ ..]) => {
            callable.answer(with_receiver(operands, receiver, args))
        }
        _ => None,
    };
    let short = answer.map(Plain::Value);
    if let Some(short) = short.or_else(|| plain(session.vm, effect, operands)) {
        if let (Plain::Value(value), Some(kind)) = (short, &effect.gives)
            && let Err(value) = put_result(kind, value, words)
        {
            session.pending = Some(value);
            return u64::from(LEAVE_CODE);
        }
        // SAFETY: as the caller promises.
        unsafe { leave_if_owed(ctx) };
        return 0;
    }
    let may_run_python = may_any_run_python(effect.act, operands);
    if may_run_python && session.alone != Alone::No && !is_without_python(effect.act, operands) {
        session.alone = Alone::Left;
        return u64::from(BEFORE);
    }
    let (outer, ran) = (session.vm.recursion_depth(), session.vm.frames_begun());
    session.vm.set_recursion_depth(depth as usize);
    if effect.unit != 0 {
        // SAFETY: it is a function's that the region calls.
        unsafe { show_lent(ctx, session) };
    }
    if may_run_python && session.alone == Alone::No {
        let here = Caller {
            unit: effect.unit,
            pc: effect.pc,
        };
        // SAFETY: it is the context of the region that runs.
        unsafe { trail::show(session, ctx, depth, Some(here)) };
    }
    let result = act(session, effect, operands);
    session.vm.set_recursion_depth(outer);
    // Whether names may have been assigned: those that the code takes for constant, and those that it keeps in variables.
    let assigned = session.vm.frames_begun() != ran || may_assign(effect.act, operands);
    let holds = !assigned || region.guards_hold();
    let status = match result {
        Err(raised) => {
            session.raised = Some(raised);
            return u64::from(RAISED);
        }
        Ok(Acted::Before) => return u64::from(BEFORE),
        Ok(Acted::End) => return u64::from(if holds { ENDED } else { ENDED_LEAVE }),
        Ok(Acted::EndWith(value)) if holds => {
            return match put_result(&Kind::any(), value, words) {
                Ok(()) => u64::from(ENDED),
                Err(_) => u64::from(BEFORE),
            };
        }
        Ok(Acted::EndWith(value)) => {
            session.pending = Some(value);
            return u64::from(ENDED_LEAVE);
        }
        Ok(Acted::Done) if !holds => LEAVE_CODE,
        Ok(Acted::Done) if assigned && goes_on == 0 => ASK,
        Ok(Acted::Done) => 0,
        Ok(Acted::Other(value)) => {
            session.pending = Some(value);
            LEAVE_CODE
        }
        Ok(Acted::Value(value)) if !holds || assigned && goes_on == 0 => {
            session.pending = Some(value);
            if holds { ASK } else { LEAVE_CODE }
        }
        Ok(Acted::Value(value)) => {
            let kind = effect.gives.as_ref();
            match kind.map(|kind| put_result(kind, value, words)) {
                Some(Err(value)) => {
                    session.pending = Some(value);
                    LEAVE_CODE
                }
                _ => 0,
            }
        }
    };
    if matches!(status, 0 | ASK) {
        // SAFETY: as the caller promises.
        unsafe { leave_if_owed(ctx) };
    }
    u64::from(status)
}

/// Has the code be left soon, where something is owed to what died.
///
/// # Safety
/// It is the context of code that is running.
#[inline]
unsafe fn leave_if_owed(ctx: *mut u64) {
    if heap::is_pending() {
        // SAFETY: the context has this word.
        unsafe { *ctx.add(INTERRUPT) = std::ptr::from_ref(&LEAVE) as u64 };
    }
}

/// The next item of an iterator, where neither Python nor an exception has to do with it: it is in the words of the context.
/// The status: 1, or 2 at the end; 0 where another way is due, as for generators where it `asks_generators` not.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn next_simple(
    ctx: *mut u64,
    tag: u64,
    bits: u64,
    asks_generators: u64,
) -> u64 {
    let iterator = borrowed(tag, bits);
    let next = match &*iterator {
        Value::Iter(iterator) => iterator.next_simple(),
        Value::Generator(generator) if asks_generators != 0 => {
            let mut value = Value::None;
            // SAFETY: as the caller promises.
            let status = unsafe { send_quickly(ctx, generator, &mut value) };
            if status != 0 {
                // SAFETY: as the caller promises; code that calls this has room for an item.
                unsafe { put(ctx, 0, value) };
            }
            return u64::from(status);
        }
        _ => SimpleNext::Other,
    };
    let item = match next {
        SimpleNext::Int(i) => Value::Int(i),
        SimpleNext::Item(item) => item,
        SimpleNext::End => return u64::from(SIMPLE_END),
        SimpleNext::Other => return 0,
    };
    // SAFETY: as the caller promises; code that calls this has room for an item.
    unsafe { put(ctx, 0, item) };
    u64::from(SIMPLE_ITEM)
}

/// One step of a generator that is delegated to, as [`next_simple`]: what it yields or returns is in the words of the context.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn send_simple(
    ctx: *mut u64,
    tag: u64,
    bits: u64,
    sent_tag: u64,
    sent_bits: u64,
) -> u64 {
    let (to, sent) = (borrowed(tag, bits), borrowed(sent_tag, sent_bits));
    let Value::Generator(generator) = &*to else {
        return 0;
    };
    let mut value = Value::clone(&sent);
    // SAFETY: as the caller promises.
    let status = unsafe { send_quickly(ctx, generator, &mut value) };
    if status != 0 {
        // SAFETY: as the caller promises; code that calls this has room for a value.
        unsafe { put(ctx, 0, value) };
    }
    u64::from(status)
}

/// Resumes a generator, if that needs no Python; the status as of [`next_simple`].
///
/// # Safety
/// As [`session`].
unsafe fn send_quickly(ctx: *mut u64, generator: &Generator, value: &mut Value) -> u32 {
    // SAFETY: as the caller promises.
    let session = unsafe { session(ctx) };
    let sent = session.vm.send_quickly(generator, value);
    // The body may have assigned what the code takes for constant.
    let status = match (sent, session.region.guards_hold()) {
        (Sent::Yielded, true) => SIMPLE_ITEM,
        (Sent::Yielded, false) => SIMPLE_ITEM_LEAVE,
        (Sent::Returned, true) => SIMPLE_END,
        (Sent::Returned, false) => SIMPLE_END_LEAVE,
        (Sent::Lower | Sent::Other, _) => return 0,
    };
    // SAFETY: as the caller promises.
    unsafe { leave_if_owed(ctx) };
    status
}

/// The two parts of what an iterator gives next, for code that takes a pair apart at once. The status: 1, or 0 where another
/// way is due.
///
/// # Safety
/// As [`session`].
pub(crate) unsafe extern "C" fn next_pair(ctx: *mut u64, tag: u64, bits: u64) -> u64 {
    let Some((first, second)) = janus_interp::next_pair(&borrowed(tag, bits)) else {
        return 0;
    };
    // SAFETY: as the caller promises; code that calls this has room for two items.
    unsafe {
        put(ctx, 0, first);
        put(ctx, 1, second);
    }
    1
}

/// Writes a value with its reference as the n-th of the words of a context.
///
/// # Safety
/// The context has room for it.
unsafe fn put(ctx: *mut u64, n: usize, value: Value) {
    let at = SLOTS + 2 * n;
    let tag = u64::from(tag_byte(&value));
    // SAFETY: as the caller promises.
    unsafe {
        *ctx.add(at) = tag;
        *ctx.add(at + 1) = into_bits(value);
    }
}

/// Values where there is one in each place.
fn arguments(values: &[Option<Value>]) -> &[Value] {
    if values.iter().any(Option::is_none) {
        return &[];
    }
    // SAFETY: a value is as large as one that may be missing, and its bytes are the same; all are there.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// The arguments of a call whose operands are the callable, the receiver if there is one, and these.
pub(crate) fn with_receiver<'a>(
    operands: &'a [Option<Value>],
    receiver: &Option<Value>,
    args: &'a [Option<Value>],
) -> &'a [Value] {
    arguments(match receiver {
        Some(_) => operands.get(1..).unwrap_or(args),
        None => args,
    })
}

enum Acted {
    /// Not begun.
    Before,
    /// Without a value.
    Done,
    /// With one.
    Value(Value),
    /// With one that is to be used in another way than the code does.
    Other(Value),
    /// There is no next item.
    End,
    /// As that, with what came instead.
    EndWith(Value),
}

/// Whether what is done with these values may run Python.
#[inline]
fn may_any_run_python(act: Act, operands: &[Option<Value>]) -> bool {
    match operands {
        // What is built in makes its iterators itself.
        [Some(Value::Instance(of))] if matches!(act, Act::Iter) => of.class().flags.get().mutable,
        // What a built-in class makes of numbers and text.
        [Some(Value::Class(class)), rest @ ..] if class.construct.get().is_some() => {
            !rest.iter().flatten().all(is_plain)
        }
        [Some(Value::Native(native)), ..] if native.reach == Reach::Nothing => false,
        operands => operands.iter().flatten().any(may_run_python),
    }
}

/// Whether a value is no container, has no methods in Python, and is nothing that can be called.
fn is_plain(value: &Value) -> bool {
    matches!(
        value,
        Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::Bytes(_)
    )
}

/// Whether what is done with a value may run Python, which may look at the frames that it is called from.
fn may_run_python(value: &Value) -> bool {
    match value {
        // One of a built-in container calls what lies in it at most.
        Value::Method(method) => {
            !matches!(method.function, Value::Native(_)) || may_run_python(&method.receiver)
        }
        Value::Iter(iterator) => !iterator.is_of_container(),
        Value::Function(_) | Value::Class(_) | Value::Generator(_) | Value::Instance(_) => true,
        _ => false,
    }
}

/// Whether an act may assign what the code takes for constant, without Python: an attribute of a module, an item of its dict.
fn may_assign(act: Act, operands: &[Option<Value>]) -> bool {
    let is_namespace =
        |value: &Option<Value>| matches!(value, Some(Value::Module(_) | Value::Dict(_)));
    match act {
        Act::Call | Act::CallNative => !matches!(
            operands,
            [Some(Value::Native(native)), ..] if native.reach == Reach::Nothing
        ),
        Act::Spread(_) => true,
        Act::SetAttr | Act::SetItem => operands.get(1).is_some_and(is_namespace),
        Act::DelItem | Act::Binary(_) => operands.first().is_some_and(is_namespace),
        _ => false,
    }
}

/// Whether an act does without Python, although it is done with what may run some.
fn is_without_python(act: Act, operands: &[Option<Value>]) -> bool {
    match (act, operands) {
        (Act::Iter, [Some(Value::Iter(_) | Value::Generator(_))]) => true,
        (Act::Next, [Some(Value::Iter(iterator))]) => iterator.is_of_container(),
        _ => false,
    }
}

/// Whether a call of it runs no Python, but makes a generator.
pub(crate) fn makes_generator(callable: &Value) -> bool {
    let function = match callable {
        Value::Method(method) => &method.function,
        other => other,
    };
    matches!(function, Value::Function(f) if {
        let flags = f.code.borrow().code.flags;
        flags.generator || flags.coroutine
    })
}

fn act(
    session: &mut Session<'_>,
    effect: &Effect,
    operands: &[Option<Value>],
) -> Result<Acted, Raised> {
    let region = session.region;
    let code = || {
        let unit = region.program.units.get(effect.unit);
        unit.map(|u| &u.code)
            .ok_or_else(|| Raised::runtime_error("an effect without code"))
    };
    let vm = &mut *session.vm;
    let value = match (effect.act, operands) {
        (Act::Binary(op), [Some(a), Some(b)]) => ops::binary(vm, op, a, b)?,
        (Act::After(special), [Some(receiver), argument @ ..]) => {
            if let Some(result) = session.pending.take() {
                let argument = argument.first().and_then(Option::as_ref);
                session.pending = Some(special.after(vm, receiver, argument, result)?);
            }
            return Ok(Acted::Done);
        }
        (Act::BadLength, [Some(length)]) => {
            Special::Len.after(vm, &Value::None, None, length.clone())?
        }
        (Act::Compare(op), [Some(a), Some(b)]) => ops::compare(vm, op, a, b)?,
        (Act::GetItem, [Some(a), Some(b)]) => ops::get_item(vm, a, b)?,
        (Act::SetItem, [Some(value), Some(a), Some(key)]) => {
            ops::set_item(vm, a, key, value.clone())?;
            return Ok(Acted::Done);
        }
        (Act::GetSlice, [Some(a), bounds @ ..]) => ops::get_slice(vm, a, slice(bounds))?,
        (Act::SetSlice, [Some(value), Some(a), bounds @ ..]) => {
            ops::set_slice(vm, a, slice(bounds), value)?;
            return Ok(Acted::Done);
        }
        (Act::Contains(is), [Some(item), Some(container)]) => {
            Value::bool(ops::contains(vm, item, container)? == is)
        }
        (Act::GetAttr, [Some(object)]) => vm.load_attr_at(code()?, effect.pc, object)?,
        (Act::GetMethod, [Some(object)]) => match vm.load_method_at(code()?, effect.pc, object)? {
            (method, Some(receiver)) if ops::is(&receiver, object) => method,
            (function, Some(receiver)) => {
                return Ok(Acted::Other(bound_method(function, receiver)));
            }
            (callable, None) => return Ok(Acted::Other(callable)),
        },
        (Act::SetAttr, [Some(value), Some(object)]) => {
            vm.store_attr_at(code()?, effect.pc, object, value.clone())?;
            return Ok(Acted::Done);
        }
        (Act::CallNative, [Some(Value::Native(native)), receiver, args @ ..]) => {
            native.call(vm, Args::new(with_receiver(operands, receiver, args)))?
        }
        (Act::Iter, [Some(a)]) => ops::iter(vm, a)?,
        (Act::Next, [Some(a)]) => match ops::next(vm, a)? {
            Some(item) => item,
            None => return Ok(Acted::End),
        },
        (Act::Send, [Some(to), Some(value)]) => match vm.send(to, value.clone())? {
            Step::Yield(value) => value,
            Step::Return(value) => return Ok(Acted::EndWith(value)),
        },
        (Act::Delegate(awaits), [Some(value)]) => vm.delegate(awaits, value.clone())?,
        (Act::MakeFunction, operands) => {
            let unit = region.program.units.get(effect.unit);
            let globals = unit.map(|unit| &unit.globals);
            let globals = globals.ok_or_else(|| Raised::runtime_error("an effect without code"))?;
            let operands = operands.iter().rev().flatten().cloned();
            vm.make_function(globals, effect.instr.arg, operands)?
        }
        (Act::Is(same), [Some(a), Some(b)]) => Value::bool(ops::is(a, b) == same),
        (Act::Not, [Some(a)]) => Value::bool(!ops::truth(vm, a)?),
        (Act::Unary(op), [Some(a)]) => ops::unary(vm, op, a)?,
        (Act::DelItem, [Some(container), Some(key)]) => {
            ops::del_item(vm, container, key)?;
            return Ok(Acted::Done);
        }
        (Act::Build, operands) => {
            match vm.build(effect.instr.op, effect.instr.arg, arguments(operands))? {
                Some(made) => made,
                None => return Ok(Acted::Done),
            }
        }
        (Act::Spread(names), [Some(callable), ..]) => {
            if looks_at_caller(callable) {
                return Ok(Acted::Before);
            }
            let arg = effect.instr.arg;
            let operands = operands.to_vec();
            vm.call_spread(names, arg, operands)?
        }
        (Act::Super(class), [Some(callable), _, Some(first)]) => match cell(session.cells, class) {
            Some(class) => vm.call(callable, Args::new(&[class, first.clone()]))?,
            _ => return Ok(Acted::Before),
        },
        (Act::SuperOfCell(class, first), [Some(callable), ..]) => {
            match (cell(session.cells, class), cell(session.cells, first)) {
                (Some(class), Some(first)) => vm.call(callable, Args::new(&[class, first]))?,
                _ => return Ok(Acted::Before),
            }
        }
        (Act::Call, [Some(callable), receiver, args @ ..]) => {
            // With arguments, `super` need not ask for them.
            let has_arguments = receiver.is_some() || !args.is_empty();
            if looks_at_caller(callable) && !(has_arguments && is_super(callable)) {
                return Ok(Acted::Before);
            }
            vm.call(callable, Args::new(with_receiver(operands, receiver, args)))?
        }
        _ => return Ok(Acted::Before),
    };
    Ok(Acted::Value(value))
}

/// A slice with these bounds.
fn slice(bounds: &[Option<Value>]) -> PySlice {
    let bound = |at: usize| bounds.get(at).cloned().flatten().unwrap_or(Value::None);
    PySlice {
        start: bound(0),
        stop: bound(1),
        step: bound(2),
    }
}

/// What is in a cell of the region's frame.
fn cell(cells: &[PyRef<PyCell>], at: usize) -> Option<Value> {
    cells.get(at).and_then(|cell| cell.value.borrow().clone())
}

/// Whether it asks for the frame that calls it.
pub(crate) fn looks_at_caller(callable: &Value) -> bool {
    match callable {
        Value::Native(native) => native.reach == Reach::Caller,
        callable => is_super(callable),
    }
}
