//! The quick loop: what common instructions do where that needs nothing but the frame.
//!
//! In: a frame, and the instruction to go on with. Out: the instruction that the eval loop has to execute, because it needs Python,
//! an exception, the interpreter, or what is compiled; or that something is to be settled before the next one. Always: an
//! instruction is executed whole or not at all; nothing is called that looks at frames or runs Python, so that the values of
//! the frame belong to this loop.
//!
//! It is a loop of its own because it is small: its few variables stay in registers, which those of the eval loop, where each
//! instruction may need anything, do not.

use janus_bytecode::CompareOp;
use janus_object::ops::Special;
use janus_object::{
    CodeObject, PyList, PyRef, PySlice, Raised, SimpleNext, Site, Step, TypeTag, Value, heap, ops,
    types,
};

use super::activation::Activation;
use super::current::Current;
use super::enter::Entered;
use super::operators::special_of;
use super::slots::{Stack, known, parts};
use super::stack::{held, push_to, with_both};
use crate::Interp;
use crate::attr_cache::Hit;
use crate::cache::{Op, OperatorCache, Quick};
use crate::frame::Purpose;
use crate::generator::yields_what_is_sent;
use crate::immediate::{
    character_of, compare, entry_of, immediate, item_at, next_item, next_pair, quick_contains,
    wrap_index,
};
use crate::profile::{
    describes, kind_of, loop_entered, loop_exhausted, saw_another_kind, saw_bits, saw_callee,
    saw_result,
};

/// Why the quick loop stopped at the instruction at which the frame is.
pub(super) enum Stop {
    /// The eval loop executes it.
    Execute,
    /// Before that, what died is to be settled.
    Settle,
    /// It goes on with what a generator gave that it resumed.
    Resume(Step),
    /// It raised.
    Raise(Raised),
}

/// Counts a conditional jump.
#[inline(always)]
fn count_jump(sites: &[Site], quick: &Quick, taken: bool) {
    if let Some(site) = sites.get(quick.site as usize) {
        site.hit();
        site.taken
            .set(site.taken.get().saturating_add(u32::from(taken)));
    }
}

/// Counts an item that a loop was given.
#[inline(always)]
fn count_item(site: Option<&Site>) {
    if let Some(site) = site {
        site.running.set(site.running.get().saturating_add(1));
        site.countdown.set(site.countdown.get().saturating_sub(1));
    }
}

/// The truth of a value that tells it without Python.
#[inline(always)]
fn quick_truth(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Bool(b) => b.get(),
        Value::None => false,
        Value::Int(i) => *i != 0,
        Value::List(list) => !list.is_empty(),
        Value::Str(text) => !text.is_empty(),
        Value::Dict(dict) => !dict.is_empty(),
        Value::Tuple(tuple) => !tuple.items.is_empty(),
        Value::Float(x) => x.get() != 0.0,
        _ => return None,
    })
}

/// Stores an item where that needs no Python.
#[inline(always)]
fn store_item(container: &Value, key: &Value, value: &Value) -> bool {
    match (container, key) {
        (Value::List(list), Value::Int(index)) => {
            let mut items = list.items.borrow_mut();
            let at = wrap_index(*index, items.len());
            let Some(place) = at.and_then(|at| items.get_mut(at)) else {
                return false;
            };
            let old = std::mem::replace(place, value.clone());
            drop(items);
            old.release();
            true
        }
        (Value::Dict(dict), _) => dict.set_simple(key, value.clone()).is_ok(),
        _ => false,
    }
}

impl Interp {
    /// Puts the frame where others find it, until it is taken back.
    #[inline(always)]
    fn step_out(&mut self, frame: &mut Current) {
        // SAFETY: nothing is done with it until it is taken back, or another one takes its place.
        push_to(&mut self.frames, unsafe { frame.lend() });
    }

    #[inline(always)]
    fn step_in(&mut self, frame: &mut Current) {
        if let Some(back) = self.frames.pop() {
            *frame = Current::new(back);
        }
    }

    /// Executes instructions from `pc` on, until one needs more than is here. Functions in Python are called and return
    /// within, as long as the callers' frames are more than `callers`.
    #[inline(never)]
    pub(super) fn run_quick(
        &mut self,
        frame: &mut Current,
        active: &mut Activation<'_>,
        pc: usize,
        callers: usize,
    ) -> Stop {
        let compiles = self.jit.is_some();
        if pc >= active.instrs.len() || frame.locals.len() < active.code.code.varnames.len() {
            // The eval loop knows what that means.
            frame.pc = pc as u32;
            return Stop::Execute;
        }
        // SAFETY: what is executed is verified code, with the depth that the frame has at this instruction.
        let (mut stack, mut cursor, mut locals) = unsafe { parts(frame, active.instrs, pc) };
        // Whether it is another frame than at the beginning.
        let mut moved = false;
        let (mut consts, mut sites, mut state) =
            (&active.code.consts[..], active.sites, active.state);

        let stop = loop {
            let quick = cursor.ahead(0);
            // The eval loop executes this instruction.
            macro_rules! leave {
                () => {
                    break Stop::Execute
                };
            }
            macro_rules! next {
                ($count:expr) => {{
                    cursor.advance($count);
                    continue;
                }};
            }
            // As `next` where something was dropped.
            macro_rules! settle {
                ($count:expr) => {{
                    cursor.advance($count);
                    if heap::is_pending() {
                        break Stop::Settle;
                    }
                    continue;
                }};
            }
            macro_rules! see {
                ($quick:expr, $value:expr) => {
                    let kind = kind_of($value);
                    if $quick.last.get() != kind {
                        saw_another_kind(sites, $quick, &[$value], kind);
                    }
                };
            }
            // Of an operator both operands count, but of a subscript only the container.
            macro_rules! see_both {
                ($operator:expr, $l:expr, $r:expr) => {
                    let kinds = kind_of($l) | kind_of($r) << 8;
                    if $operator.last.get() != kinds {
                        saw_another_kind(sites, $operator, &[$l, $r], kinds);
                    }
                };
            }
            // Jumps on a truth.
            macro_rules! branch {
                ($jump:expr, $taken:expr) => {{
                    let (jump, taken): (&Quick, bool) = ($jump, $taken);
                    count_jump(sites, jump, taken);
                    match taken {
                        true => cursor.jump(jump.arg),
                        false => cursor.advance(1),
                    }
                }};
            }
            // What compiled code may take over after an instruction: the eval loop sees to it.
            macro_rules! resumes {
                ($quick:expr) => {
                    sites
                        .get($quick.site as usize)
                        .is_some_and(|site| site.resumes.get())
                };
            }
            // The truth that the operator so many ahead comes to: jumps on it at once, or pushes it.
            macro_rules! deliver_truth {
                ($ahead:expr, $truth:expr) => {{
                    let truth: bool = $truth;
                    let following = cursor.ahead($ahead + 1);
                    match following.op {
                        Op::PopJumpIfFalse => {
                            cursor.advance($ahead + 1);
                            branch!(following, !truth);
                        }
                        Op::PopJumpIfTrue => {
                            cursor.advance($ahead + 1);
                            branch!(following, truth);
                        }
                        _ => {
                            stack.push(Value::bool(truth));
                            cursor.advance($ahead + 1);
                        }
                    }
                    if heap::is_pending() {
                        break Stop::Settle;
                    }
                    continue;
                }};
            }
            // The result of the operator so many ahead: stores it at once, or pushes it.
            macro_rules! deliver {
                ($ahead:expr, $result:expr) => {{
                    let result: Value = $result;
                    let following = cursor.ahead($ahead + 1);
                    if following.op == Op::StoreFast {
                        locals.set(following.arg, result);
                        settle!($ahead + 2);
                    }
                    stack.push(result);
                    settle!($ahead + 1);
                }};
            }
            macro_rules! global {
                ($quick:expr) => {
                    state.globals.get($quick.cache as usize).and_then(|cache| {
                        if cache.globals.get() != frame.globals.layout() {
                            return None;
                        }
                        let index = cache.index.get() as usize;
                        let namespace = match cache.builtins.get() {
                            0 => &frame.globals,
                            b if b == frame.builtins.layout() => &frame.builtins,
                            _ => return None,
                        };
                        // SAFETY: it is copied, or used up, before anything else runs.
                        unsafe { namespace.value_ref(index) }
                    })
                };
            }
            // The value of a `LoadFast` or a `LoadConst`, where it lies.
            macro_rules! operand {
                ($load:expr) => {{
                    let load: &Quick = $load;
                    match load.op {
                        Op::LoadConst | Op::ConstRight => Some(known(consts, load.arg)),
                        Op::LoadFast | Op::FastRight => locals.get(load.arg),
                        _ => None,
                    }
                }};
            }
            macro_rules! load_fast {
                () => {{
                    let Some(value) = locals.get(quick.arg) else {
                        leave!();
                    };
                    see!(quick, value);
                    stack.push(value.clone());
                    next!(1);
                }};
            }
            macro_rules! load_const {
                () => {{
                    stack.push(known(consts, quick.arg).clone());
                    next!(1);
                }};
            }
            // Goes on in the frame, which is another one than before.
            macro_rules! open {
                ($pc:expr) => {
                    // SAFETY: a frame keeps its code alive and never changes it while it is evaluated.
                    let code: &CodeObject = unsafe { &*PyRef::as_ptr(&frame.code) };
                    state = self.code_state(code);
                    consts = &code.consts[..];
                    sites = if self.profiling { &code.profile.sites } else { &[] };
                    let pc = $pc;
                    // SAFETY: as where these were set first.
                    (stack, cursor, locals) = unsafe { parts(frame, &state.ops, pc) };
                    moved = true;
                };
            }
            // Calls what may look at frames or run Python, with the frame where others find it.
            macro_rules! outside {
                ($call:expr) => {{
                    // SAFETY: they were taken of it.
                    unsafe { stack.give_back(&mut frame.stack) };
                    frame.pc = cursor.pc() as u32;
                    self.step_out(frame);
                    let result = $call;
                    self.step_in(frame);
                    moved |= frame.steps.is_some();
                    // SAFETY: it is the same frame, at the same instruction.
                    stack = unsafe { Stack::take(&mut frame.stack) };
                    match result {
                        Ok(result) => result,
                        Err(raised) => break Stop::Raise(raised),
                    }
                }};
            }
            // Goes on after such a call, unless a trace function was set for the frame meanwhile.
            macro_rules! go_on {
                ($count:expr) => {{
                    cursor.advance($count);
                    if frame.steps.is_some() || heap::is_pending() {
                        break Stop::Settle;
                    }
                    continue;
                }};
            }
            // Goes on in the frame of what was called.
            macro_rules! enter {
                () => {{
                    open!(0);
                    // A collection comes where an object was made, and not where what is called has read something that a
                    // finalizer changes.
                    if heap::is_pending() {
                        break Stop::Settle;
                    }
                    continue;
                }};
            }
            // Calls the method that a class has for an operation, whose operands stay on the stack until it returned.
            macro_rules! by_method {
                ($cache:expr, $special:expr, $receiver:expr, $argument:expr) => {{
                    let cache: Option<&OperatorCache> = $cache;
                    let (receiver, argument): (&Value, Option<&Value>) = ($receiver, $argument);
                    let Some(method) = cache.and_then(|cache| cache.method(receiver, argument))
                    else {
                        leave!();
                    };
                    enter_method!(&method, $special, receiver, argument);
                }};
            }
            macro_rules! enter_method {
                ($method:expr, $special:expr, $receiver:expr, $argument:expr) => {{
                    frame.pc = cursor.pc() as u32;
                    // SAFETY: the operands stay on the stack, which nobody else changes, until the method has its frame.
                    let (receiver, argument) = unsafe {
                        let argument: Option<&Value> = $argument;
                        (&*std::ptr::from_ref($receiver), argument.map(|a| &*std::ptr::from_ref(a)))
                    };
                    // SAFETY: they were taken of it.
                    unsafe { stack.give_back(&mut frame.stack) };
                    if self.enter_method(frame, $method, receiver, argument, $special) {
                        enter!();
                    }
                    // SAFETY: nothing was done.
                    stack = unsafe { Stack::take(&mut frame.stack) };
                    leave!();
                }};
            }
            // What an operator comes to that is none of the quick ones.
            macro_rules! operate {
                ($l:expr, $r:expr) => {{
                    let (l, r): (&Value, &Value) = ($l, $r);
                    see_both!(quick, l, r);
                    if matches!(l, Value::Instance(_)) {
                        let Some(special) = special_of(quick.op, quick.arg) else {
                            leave!();
                        };
                        let cache = state.operators.get(quick.cache as usize);
                        if let Special::Compare(op @ (CompareOp::Eq | CompareOp::Ne)) = special
                            && ops::is_by_identity(l, r)
                        {
                            if let Some(cache) = cache {
                                cache.saw_identity();
                            }
                            let same = ops::is(l, r);
                            stack.drop_last(2);
                            deliver_truth!(0, same == (op == CompareOp::Eq));
                        }
                        by_method!(cache, special, l, Some(r));
                    }
                    let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                        leave!();
                    };
                    let result = outside!(self.operate(quick.op, quick.arg, &left, &right));
                    stack.push(result);
                    left.release();
                    right.release();
                    go_on!(1);
                }};
            }
            match quick.op {
                Op::Nop => next!(1),
                Op::LoadFast => load_fast!(),
                Op::LoadConst => load_const!(),
                Op::FastPair => {
                    let (right, operator) = (cursor.ahead(1), cursor.ahead(2));
                    if let (Some(l), Some(r)) = (locals.get(quick.arg), operand!(right)) {
                        macro_rules! see_all {
                            () => {
                                see!(quick, l);
                                see!(right, r);
                                if operator.op == Op::BinarySubscr {
                                    see!(operator, l);
                                } else {
                                    see_both!(operator, l, r);
                                }
                            };
                        }
                        match operator.op {
                            Op::BinarySubscr => {
                                if let Some(item) = item_at(l, r) {
                                    see_all!();
                                    stack.push(item.clone());
                                    next!(3);
                                }
                            }
                            Op::CompareOp => {
                                if let Some(truth) = compare(operator.arg, l, r) {
                                    see_all!();
                                    deliver_truth!(2, truth);
                                }
                            }
                            _ => {
                                if let Some(result) = immediate(operator, l, r) {
                                    see_all!();
                                    deliver!(2, result);
                                }
                            }
                        }
                    }
                    load_fast!();
                }
                Op::FastRight | Op::ConstRight => {
                    let operator = cursor.ahead(1);
                    if let (Some(l), Some(r)) = (stack.peek(1), operand!(quick)) {
                        macro_rules! see_all {
                            () => {
                                see!(quick, r);
                                if operator.op == Op::BinarySubscr {
                                    see!(operator, l);
                                } else {
                                    see_both!(operator, l, r);
                                }
                            };
                        }
                        match operator.op {
                            Op::BinarySubscr => {
                                if let Some(item) = item_at(l, r) {
                                    see_all!();
                                    let item = item.clone();
                                    item.put(stack.slot_mut(1));
                                    settle!(2);
                                }
                            }
                            Op::CompareOp => {
                                if let Some(truth) = compare(operator.arg, l, r) {
                                    see_all!();
                                    stack.drop_last(1);
                                    deliver_truth!(1, truth);
                                }
                            }
                            _ => {
                                if let Some(result) = immediate(operator, l, r) {
                                    see_all!();
                                    // Its operands are immediates.
                                    stack.forget(1);
                                    deliver!(1, result);
                                }
                            }
                        }
                    }
                    match quick.op {
                        Op::ConstRight => load_const!(),
                        _ => load_fast!(),
                    }
                }
                Op::FastAttr => {
                    let access = cursor.ahead(1);
                    if let Some(object) = locals.get(quick.arg)
                        && let Some(cache) = state.attrs.get(access.cache as usize)
                        && let Some(value) = cache.slot(object)
                    {
                        see!(quick, object);
                        see!(access, value);
                        stack.push(value.clone());
                        next!(2);
                    }
                    load_fast!();
                }
                Op::FastMethod => {
                    let access = cursor.ahead(1);
                    if let Some(object) = locals.get(quick.arg)
                        && let Some(cache) = state.attrs.get(access.cache as usize)
                        && let Some(function) = cache.method(object)
                    {
                        see!(quick, object);
                        see!(access, function);
                        stack.push(function.clone());
                        stack.push(object.clone());
                        next!(2);
                    }
                    load_fast!();
                }
                Op::StoreFast => {
                    let Some(value) = stack.pop() else {
                        stack.push_slot(None);
                        leave!();
                    };
                    locals.set(quick.arg, value);
                    settle!(1);
                }
                Op::PopTop => {
                    stack.drop_last(1);
                    settle!(1);
                }
                Op::Copy => {
                    let Some(value) = stack.peek(quick.arg as usize) else {
                        leave!();
                    };
                    let value = value.clone();
                    stack.push(value);
                    next!(1);
                }
                Op::Swap => {
                    let depth = quick.arg as usize;
                    let top = std::ptr::from_mut(stack.slot_mut(1));
                    let other = std::ptr::from_mut(stack.slot_mut(depth));
                    // SAFETY: both are slots of the stack; they may be the same one.
                    unsafe { std::ptr::swap(top, other) };
                    next!(1);
                }
                Op::PushNull => {
                    stack.push_slot(None);
                    next!(1);
                }
                Op::LoadGlobal | Op::LoadName => {
                    if quick.op == Op::LoadName && !frame.at_module_level() {
                        leave!();
                    }
                    let Some(value) = global!(quick) else {
                        leave!();
                    };
                    see!(quick, value);
                    stack.push(value.clone());
                    next!(1);
                }
                Op::CallableGlobal => {
                    let Some(callable) = global!(quick) else {
                        leave!();
                    };
                    see!(quick, callable);
                    stack.push(callable.clone());
                    stack.push_slot(None);
                    next!(2);
                }
                Op::CallGlobal => {
                    let Some(callable) = global!(quick) else {
                        leave!();
                    };
                    let (first, second) = (cursor.ahead(2), cursor.ahead(3));
                    let call = cursor.ahead(if second.op == Op::Call { 3 } else { 4 });
                    if matches!(callable, Value::Native(_) | Value::Class(_))
                        && !resumes!(call)
                        && let Some(a) = operand!(first)
                    {
                        // A quick way runs no Python and changes no namespace: the callable stays where it lies.
                        let b = match second.op {
                            Op::Call => None,
                            _ => operand!(second),
                        };
                        let answer = match b {
                            Some(b) => with_both(a, b, |args| callable.answer(args)),
                            None if second.op == Op::Call => {
                                callable.answer(std::slice::from_ref(a))
                            }
                            None => None,
                        };
                        if let Some(answer) = answer {
                            see!(quick, callable);
                            see!(first, a);
                            if let Some(b) = b {
                                see!(second, b);
                            }
                            let site = sites.get(call.site as usize);
                            if let Some(site) = site {
                                site.hit();
                                saw_callee(site, callable);
                                saw_result(site, &answer);
                            }
                            stack.push(answer);
                            settle!(if b.is_some() { 5 } else { 4 });
                        }
                    }
                    see!(quick, callable);
                    stack.push(callable.clone());
                    stack.push_slot(None);
                    next!(2);
                }
                Op::StoreGlobal | Op::StoreName => {
                    if quick.op == Op::StoreName && !frame.at_module_level() {
                        leave!();
                    }
                    let Some(cache) = state.globals.get(quick.cache as usize) else {
                        leave!();
                    };
                    if cache.globals.get() != frame.globals.layout() {
                        leave!();
                    }
                    let Some(value) = stack.pop() else {
                        stack.push_slot(None);
                        leave!();
                    };
                    if let Err(value) = frame.globals.set_index(cache.index.get() as usize, value) {
                        stack.push(value);
                        leave!();
                    }
                    settle!(1);
                }
                Op::LoadDeref => {
                    let Some(cell) = frame.cells.get(quick.arg as usize) else {
                        leave!();
                    };
                    let Some(value) = cell.value.borrow().clone() else {
                        leave!();
                    };
                    see!(quick, &value);
                    stack.push(value);
                    next!(1);
                }
                Op::StoreDeref => {
                    let (Some(cell), Some(_)) =
                        (frame.cells.get(quick.arg as usize), stack.peek(1))
                    else {
                        leave!();
                    };
                    if let Some(old) = cell.value.replace(stack.pop()) {
                        old.release();
                    }
                    settle!(1);
                }
                Op::LoadAttr => {
                    let (Some(object), Some(cache)) =
                        (stack.peek(1), state.attrs.get(quick.cache as usize))
                    else {
                        leave!();
                    };
                    let value = match cache.slot(object) {
                        Some(value) => value.clone(),
                        None => match cache.hit_apart(object) {
                            Some(Hit::Value(value)) => value,
                            Some(Hit::Getter(Value::Function(getter))) => {
                                // The object stays on the stack until the getter returned.
                                enter_method!(&getter, Special::Get, object, None);
                            }
                            _ => leave!(),
                        },
                    };
                    see!(quick, &value);
                    value.put(stack.slot_mut(1));
                    settle!(1);
                }
                Op::LoadMethod => {
                    let (Some(object), Some(cache)) =
                        (stack.peek(1), state.attrs.get(quick.cache as usize))
                    else {
                        leave!();
                    };
                    let function = match cache.method(object) {
                        Some(function) => function.clone(),
                        None => match cache.hit_apart(object) {
                            Some(Hit::Method(function)) => function,
                            Some(Hit::Value(value)) => {
                                see!(quick, &value);
                                value.put(stack.slot_mut(1));
                                stack.push_slot(None);
                                settle!(1);
                            }
                            _ => leave!(),
                        },
                    };
                    see!(quick, &function);
                    let object = stack.pop();
                    stack.push(function);
                    stack.push_slot(object);
                    next!(1);
                }
                Op::StoreAttr => {
                    if resumes!(quick) {
                        leave!();
                    }
                    let (Some(cache), Some(name)) = (
                        state.attrs.get(quick.cache as usize),
                        frame.code.names.get(quick.arg as usize),
                    ) else {
                        leave!();
                    };
                    match (stack.pop(), stack.pop()) {
                        (Some(object), Some(value)) => {
                            if let Err(value) = cache.store_known(&object, name, value) {
                                stack.push(value);
                                stack.push(object);
                                leave!();
                            }
                            object.release();
                            settle!(1);
                        }
                        (object, value) => {
                            stack.push_slot(value);
                            stack.push_slot(object);
                            leave!();
                        }
                    }
                }
                Op::Add | Op::Sub | Op::Mul | Op::BinaryOp => {
                    let (Some(l), Some(r)) = (stack.peek(2), stack.peek(1)) else {
                        leave!();
                    };
                    if let Some(result) = immediate(quick, l, r) {
                        see_both!(quick, l, r);
                        // Its operands are immediates.
                        stack.forget(2);
                        deliver!(0, result);
                    }
                    operate!(l, r);
                }
                Op::CompareOp => {
                    let (Some(l), Some(r)) = (stack.peek(2), stack.peek(1)) else {
                        leave!();
                    };
                    if let Some(truth) = compare(quick.arg, l, r) {
                        see_both!(quick, l, r);
                        stack.drop_last(2);
                        deliver_truth!(0, truth);
                    }
                    operate!(l, r);
                }
                Op::IsOp => {
                    let (Some(l), Some(r)) = (stack.peek(2), stack.peek(1)) else {
                        leave!();
                    };
                    let truth = ops::is(l, r) == (quick.arg == 0);
                    stack.drop_last(2);
                    deliver_truth!(0, truth);
                }
                Op::ContainsOp => {
                    let (Some(item), Some(container)) = (stack.peek(2), stack.peek(1)) else {
                        leave!();
                    };
                    if resumes!(quick) {
                        leave!();
                    }
                    let Some(found) = quick_contains(container, item) else {
                        see!(quick, container);
                        if matches!(container, Value::Instance(_)) {
                            let cache = state.operators.get(quick.cache as usize);
                            let special = Special::Contains(quick.arg == 0);
                            by_method!(cache, special, container, Some(item));
                        }
                        let (Some(container), Some(item)) = (stack.pop(), stack.pop()) else {
                            leave!();
                        };
                        let found = outside!(ops::contains(self, &item, &container));
                        stack.push(Value::bool(found == (quick.arg == 0)));
                        item.release();
                        container.release();
                        go_on!(1);
                    };
                    see!(quick, container);
                    stack.drop_last(2);
                    deliver_truth!(0, found == (quick.arg == 0));
                }
                Op::UnaryNot => {
                    let Some(truth) = stack.peek(1).and_then(quick_truth) else {
                        leave!();
                    };
                    stack.drop_last(1);
                    deliver_truth!(0, !truth);
                }
                Op::UnaryPositive | Op::UnaryInvert => {
                    let Some(value) = stack.pop() else {
                        leave!();
                    };
                    see!(quick, &value);
                    let result = outside!(self.unary(quick.op, &value));
                    stack.push(result);
                    value.release();
                    go_on!(1);
                }
                // A slice that is used at once is no object, where what it is used on is built in.
                Op::BuildSlice => {
                    let step = match quick.arg {
                        3 => stack.pop(),
                        _ => Some(Value::None),
                    };
                    let (Some(step), Some(stop), Some(start)) = (step, stack.pop(), stack.pop())
                    else {
                        break Stop::Raise(self.internal("corrupt value stack"));
                    };
                    let slice = PySlice { start, stop, step };
                    let following = cursor.ahead(1);
                    match following.op {
                        Op::BinarySubscr => {
                            let Some(container) = stack.pop() else {
                                break Stop::Raise(self.internal("corrupt value stack"));
                            };
                            see!(following, &container);
                            cursor.advance(1);
                            let part = outside!(ops::get_slice(self, &container, slice));
                            stack.push(part);
                            container.release();
                            go_on!(1);
                        }
                        Op::StoreSubscr if !resumes!(following) => {
                            let (Some(container), Some(value)) = (stack.pop(), stack.pop()) else {
                                break Stop::Raise(self.internal("corrupt value stack"));
                            };
                            cursor.advance(1);
                            outside!(ops::set_slice(self, &container, slice, &value));
                            container.release();
                            value.release();
                            go_on!(1);
                        }
                        _ => {
                            stack.push(Value::Slice(PyRef::new(slice)));
                            settle!(1);
                        }
                    }
                }
                // What is built of values that lie side by side.
                Op::BuildSet
                | Op::BuildMap
                | Op::BuildString
                | Op::FormatValue
                | Op::ListToTuple => {
                    let Some(instr) = frame.code.code.instrs.get(cursor.pc()) else {
                        leave!();
                    };
                    let (op, arg) = (instr.op, instr.arg);
                    let takes = crate::build::shape(op, arg).map_or(0, |shape| shape.takes);
                    let Some(operands) = stack.last_values(takes) else {
                        leave!();
                    };
                    // SAFETY: they stay on the stack, which nobody else changes, until it is built.
                    let operands = unsafe { &*std::ptr::from_ref(operands) };
                    let made = outside!(self.build(op, arg, operands));
                    stack.drop_last(takes);
                    stack.push_slot(made);
                    go_on!(1);
                }
                Op::GetIter => {
                    let Some(iterable) = stack.peek(1) else {
                        leave!();
                    };
                    let iterator = ops::iter_simple(iterable);
                    let head = cursor.ahead(1);
                    if head.op == Op::ForIter
                        && let Some(site) = sites.get(head.site as usize)
                    {
                        loop_entered(site);
                    }
                    match iterator {
                        Some(iterator) => {
                            iterator.put(stack.slot_mut(1));
                            settle!(1);
                        }
                        None => {
                            let Some(iterable) = stack.pop() else {
                                leave!();
                            };
                            let iterator = outside!(ops::iter(self, &iterable));
                            iterable.release();
                            stack.push(iterator);
                            go_on!(1);
                        }
                    }
                }
                Op::UnaryNegative => {
                    let value = stack.peek(1);
                    let result = match value {
                        Some(Value::Float(x)) => Value::float(-x.get()),
                        Some(Value::Int(i)) if *i != i64::MIN => Value::Int(-i),
                        // The eval loop does what is rare.
                        _ => leave!(),
                    };
                    if let Some(value) = value {
                        see!(quick, value);
                    }
                    stack.forget(1);
                    deliver!(0, result);
                }
                Op::BinarySubscr => {
                    let (Some(container), Some(key)) = (stack.peek(2), stack.peek(1)) else {
                        leave!();
                    };
                    let item = match item_at(container, key).or_else(|| entry_of(container, key)) {
                        Some(item) => item.clone(),
                        None => match character_of(container, key) {
                            Some(item) => item,
                            None => {
                                see!(quick, container);
                                if matches!(container, Value::Instance(_)) {
                                    let cache = state.operators.get(quick.cache as usize);
                                    by_method!(cache, Special::Item, container, Some(key));
                                }
                                let (Some(key), Some(container)) = (stack.pop(), stack.pop())
                                else {
                                    leave!();
                                };
                                let item = outside!(ops::get_item(self, &container, &key));
                                stack.push(item);
                                container.release();
                                key.release();
                                go_on!(1);
                            }
                        },
                    };
                    see!(quick, container);
                    stack.drop_last(1);
                    item.put(stack.slot_mut(1));
                    settle!(1);
                }
                Op::StoreSubscr => {
                    let (Some(value), Some(container), Some(key)) =
                        (stack.peek(3), stack.peek(2), stack.peek(1))
                    else {
                        leave!();
                    };
                    if resumes!(quick) || !store_item(container, key, value) {
                        leave!();
                    }
                    stack.drop_last(3);
                    settle!(1);
                }
                Op::BuildTuple => {
                    let Some(items) = stack.take_last(quick.arg as usize) else {
                        leave!();
                    };
                    deliver!(0, Value::tuple(items));
                }
                Op::BuildList => {
                    let Some(items) = stack.take_last(quick.arg as usize) else {
                        leave!();
                    };
                    deliver!(0, Value::list(items));
                }
                Op::ListAppend => {
                    let (Some(Value::List(list)), Some(_)) =
                        (stack.peek(quick.arg as usize + 1), stack.peek(1))
                    else {
                        leave!();
                    };
                    let list = std::ptr::from_ref::<PyList>(list);
                    if let Some(value) = stack.pop() {
                        // SAFETY: the list lies on the stack still.
                        unsafe { &*list }.push(value);
                    }
                    next!(1);
                }
                Op::UnpackSequence => {
                    let count = quick.arg as usize;
                    match stack.peek(1) {
                        Some(Value::Tuple(tuple)) if tuple.items.len() == count => {}
                        Some(Value::List(list)) if list.len() == count => {}
                        _ => leave!(),
                    }
                    let Some(sequence) = stack.pop() else {
                        leave!();
                    };
                    see!(quick, &sequence);
                    match &sequence {
                        Value::Tuple(tuple) => {
                            for item in tuple.items.iter().rev() {
                                stack.push(item.clone());
                            }
                        }
                        Value::List(list) => {
                            for item in list.items.borrow().iter().rev() {
                                stack.push(item.clone());
                            }
                        }
                        _ => {}
                    }
                    sequence.release();
                    settle!(1);
                }
                Op::Jump => {
                    cursor.jump(quick.arg);
                }
                Op::JumpBackward => {
                    if janus_gil::pending::is_break_due() {
                        leave!();
                    }
                    let head = cursor.target(quick.arg);
                    if head.op == Op::LoopHead {
                        if let Some(site) = sites.get(head.site as usize) {
                            let left = site.countdown.get();
                            if left == 0 && compiles {
                                leave!();
                            }
                            count_item(Some(site));
                        }
                        cursor.jump(quick.arg + 1);
                    } else {
                        cursor.jump(quick.arg);
                    }
                }
                Op::LoopHead => {
                    if let Some(site) = sites.get(quick.site as usize) {
                        loop_entered(site);
                    }
                    next!(1);
                }
                Op::PopJumpIfFalse | Op::PopJumpIfTrue => {
                    let Some(truth) = stack.peek(1).and_then(quick_truth) else {
                        leave!();
                    };
                    stack.drop_last(1);
                    branch!(quick, truth == (quick.op == Op::PopJumpIfTrue));
                    if heap::is_pending() {
                        break Stop::Settle;
                    }
                }
                Op::PopJumpIfNone | Op::PopJumpIfNotNone => {
                    let is_none = matches!(stack.peek(1), Some(Value::None));
                    stack.drop_last(1);
                    branch!(quick, is_none == (quick.op == Op::PopJumpIfNone));
                    if heap::is_pending() {
                        break Stop::Settle;
                    }
                }
                Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => {
                    let Some(truth) = stack.peek(1).and_then(quick_truth) else {
                        leave!();
                    };
                    let taken = truth == (quick.op == Op::JumpIfTrueOrPop);
                    if !taken {
                        stack.drop_last(1);
                    }
                    branch!(quick, taken);
                    if heap::is_pending() {
                        break Stop::Settle;
                    }
                }
                Op::ForIter => {
                    let Some(iterator) = stack.peek(1) else {
                        leave!();
                    };
                    let site = sites.get(quick.site as usize);
                    // Who compiles wants the item on the stack.
                    if compiles && site.is_some_and(|site| site.countdown.get() == 0) {
                        leave!();
                    }
                    let item = match next_item(iterator) {
                        SimpleNext::Int(i) => Value::Int(i),
                        SimpleNext::Item(item) => item,
                        SimpleNext::End => {
                            if let Some(site) = site {
                                loop_exhausted(site);
                            }
                            stack.drop_last(1);
                            cursor.jump(quick.arg);
                            if heap::is_pending() {
                                break Stop::Settle;
                            }
                            continue;
                        }
                        // A pair that is taken apart at once is not made.
                        SimpleNext::Other => {
                            let following = cursor.ahead(1);
                            if following.op == Op::UnpackSequence
                                && following.arg == 2
                                && !describes()
                                && let Some((first, second)) = next_pair(iterator)
                            {
                                count_item(site);
                                if let Some(site) = sites.get(following.site as usize) {
                                    saw_bits(site, TypeTag::Tuple as u32);
                                }
                                stack.push(second);
                                stack.push(first);
                                next!(2);
                            }
                            if let Value::Generator(generator) = iterator {
                                let Some(new) = self.drive(generator) else {
                                    leave!();
                                };
                                if let Some(site) = site {
                                    site.drives.set(true);
                                }
                                // SAFETY: they were taken of it.
                                unsafe { stack.give_back(&mut frame.stack) };
                                frame.pc = cursor.pc() as u32;
                                self.step_out(frame);
                                *frame = Current::new(self.drive_innermost(new));
                                open!(frame.pc as usize);
                                continue;
                            }
                            let iterator = iterator.clone();
                            match outside!(ops::next(self, &iterator)) {
                                Some(item) => item,
                                None => {
                                    if let Some(site) = site {
                                        loop_exhausted(site);
                                    }
                                    iterator.release();
                                    stack.drop_last(1);
                                    cursor.jump(quick.arg);
                                    go_on!(0);
                                }
                            }
                        }
                    };
                    count_item(site);
                    deliver!(0, item);
                }
                Op::Call => {
                    let count = quick.arg as usize;
                    if resumes!(quick) {
                        leave!();
                    }
                    let Some(callable) = stack.peek(count + 2) else {
                        leave!();
                    };
                    let given = count + usize::from(stack.peek(count + 1).is_some());
                    if matches!(callable, Value::Native(_) | Value::Class(_))
                        && let Some(args) = stack.last_values(given)
                        && let Some(answer) = callable.answer(args)
                    {
                        if let Some(site) = sites.get(quick.site as usize) {
                            site.hit();
                            saw_callee(site, callable);
                            saw_result(site, &answer);
                        }
                        stack.drop_last(count + 2);
                        stack.push(answer);
                        settle!(1);
                    }
                    let native = match callable {
                        Value::Native(native)
                            if count == 1
                                && native.qualname == "builtins.len"
                                && let Some(object @ Value::Instance(_)) = stack.peek(1) =>
                        {
                            let cache = state.calls.get(quick.cache as usize);
                            let cache = cache.map(|cache| &cache.len);
                            by_method!(cache, Special::Len, object, None);
                        }
                        Value::Native(_) => true,
                        // What `super()` gives may not have to be made.
                        Value::Class(class) => {
                            class.construct.get().is_some()
                                && !PyRef::ptr_eq(class, &types().super_)
                        }
                        _ => false,
                    };
                    if native {
                        let Some(args) = stack.last_values(given) else {
                            leave!();
                        };
                        let site = sites.get(quick.site as usize);
                        if let Some(site) = site {
                            site.hit();
                            saw_callee(site, callable);
                        }
                        // SAFETY: these stay on the stack, which nobody else changes, until the call is done.
                        let (callable, args) =
                            unsafe { (&*std::ptr::from_ref(callable), &*std::ptr::from_ref(args)) };
                        let result = outside!(self.call_native(callable, args));
                        if let Some(site) = site {
                            saw_result(site, &result);
                        }
                        stack.drop_last(count + 2);
                        stack.push(result);
                        go_on!(1);
                    }
                    // SAFETY: the call's operands are there.
                    if unsafe { self.enter_called(frame, sites, cursor.pc(), quick, stack.top()) } {
                        enter!();
                    }
                    // SAFETY: as above.
                    let entered = unsafe {
                        self.enter_gathering(frame, sites, cursor.pc(), quick, stack.top())
                    };
                    match entered {
                        Ok(Entered::Frame) => enter!(),
                        Ok(Entered::Not) => leave!(),
                        Ok(Entered::Value(value)) => {
                            // SAFETY: it has the length that the call left.
                            stack = unsafe { Stack::take(&mut frame.stack) };
                            if let Some(site) = sites.get(quick.site as usize) {
                                saw_result(site, &value);
                            }
                            stack.push(value);
                            settle!(1);
                        }
                        Err(raised) => {
                            // SAFETY: as above.
                            stack = unsafe { Stack::take(&mut frame.stack) };
                            break Stop::Raise(raised);
                        }
                    }
                }
                Op::CallKw => {
                    let count = quick.arg as usize;
                    let Some(Value::Tuple(names)) = stack.peek(1) else {
                        leave!();
                    };
                    let Some(Value::Function(function)) = stack.peek(count + 3) else {
                        leave!();
                    };
                    // SAFETY: both stay on the stack until the arguments are bound.
                    let (function, names) = unsafe { (held(function), held(names)) };
                    if resumes!(quick) || !self.may_enter(&function.code.borrow()) {
                        leave!();
                    }
                    let given = count + usize::from(stack.peek(count + 2).is_some());
                    let args = stack.last_mut(given + 1);
                    let args = args.get_mut(..given).unwrap_or_default();
                    let new = match self.bind_named(function, args, &names.items) {
                        Ok(Some(new)) => new,
                        Ok(None) => leave!(),
                        Err(raised) => break Stop::Raise(raised),
                    };
                    if let (Some(site), Some(callable)) =
                        (sites.get(quick.site as usize), stack.peek(count + 3))
                    {
                        site.hit();
                        saw_callee(site, callable);
                    }
                    stack.drop_last(count + 3);
                    // SAFETY: they were taken of it.
                    unsafe { stack.give_back(&mut frame.stack) };
                    frame.pc = cursor.pc() as u32;
                    self.run_here(frame, new, Purpose::Call);
                    enter!();
                }
                Op::YieldValue => {
                    let Some(caller) = self.frames.last() else {
                        leave!();
                    };
                    let waits = matches!(frame.purpose, Purpose::Generator(_));
                    let is_traced = caller.steps.is_some() || frame.steps.is_some();
                    if !waits || self.frames.len() <= callers || is_traced {
                        leave!();
                    }
                    let (Some(value), Some(caller)) = (stack.pop(), self.frames.pop()) else {
                        leave!();
                    };
                    // SAFETY: they were taken of it.
                    unsafe { stack.give_back(&mut frame.stack) };
                    frame.pc = cursor.pc() as u32 + 1;
                    let purpose = std::mem::take(&mut frame.purpose);
                    let suspended = std::mem::replace(frame, Current::new(caller));
                    if let Purpose::Generator(driven) = purpose {
                        self.park(suspended.into_box(), driven);
                    }
                    self.depth -= 1;
                    if yields_what_is_sent(frame) {
                        // SAFETY: another one takes its place.
                        let caller = unsafe { frame.lend() };
                        *frame = Current::new(self.hand_on(caller, callers));
                    }
                    open!(frame.pc as usize);
                    // The caller's instruction was not executed whole: it goes on with the value.
                    let quick = cursor.ahead(0);
                    let site = sites.get(quick.site as usize);
                    let asks = compiles && site.is_some_and(|site| site.countdown.get() == 0);
                    if quick.op != Op::ForIter || asks {
                        break Stop::Resume(Step::Yield(value));
                    }
                    count_item(site);
                    deliver!(0, value);
                }
                Op::ReturnValue => {
                    let (Some(value), Some(caller)) = (stack.peek(1), self.frames.last()) else {
                        leave!();
                    };
                    let result = match &frame.purpose {
                        Purpose::Call | Purpose::Generator(_) => None,
                        Purpose::Init(made) if matches!(value, Value::None) => Some(made.clone()),
                        Purpose::Init(_) => leave!(),
                        Purpose::Operator(special) => match special.of_result(value) {
                            Some(result) => Some(result),
                            None => leave!(),
                        },
                    };
                    let is_seen = frame.object.get().is_some() || caller.steps.is_some();
                    if is_seen || self.frames.len() <= callers {
                        leave!();
                    }
                    if self.profiling && matches!(frame.purpose, Purpose::Call | Purpose::Init(_)) {
                        let call = known(&self.code_state(&caller.code).ops, caller.pc);
                        if let Some(site) = caller.code.profile.sites.get(call.site as usize) {
                            if site.resumes.get() {
                                leave!();
                            }
                            saw_result(site, result.as_ref().unwrap_or(value));
                        }
                    }
                    let (Some(value), Some(caller)) = (stack.pop(), self.frames.pop()) else {
                        leave!();
                    };
                    let value = result.unwrap_or(value);
                    // SAFETY: they were taken of it.
                    unsafe { stack.give_back(&mut frame.stack) };
                    frame.pc = cursor.pc() as u32;
                    self.depth -= 1;
                    let purpose = match frame.purpose {
                        Purpose::Call => Purpose::Call,
                        _ => std::mem::take(&mut frame.purpose),
                    };
                    let ended = std::mem::replace(frame, Current::new(caller));
                    self.recycle(ended.into_box());
                    open!(frame.pc as usize);
                    match purpose {
                        Purpose::Operator(special) => stack.drop_last(special.taken()),
                        Purpose::Generator(driven) => {
                            self.end_driven(driven, None);
                            break Stop::Resume(Step::Return(value));
                        }
                        Purpose::Call | Purpose::Init(_) => {}
                    }
                    stack.push(value);
                    settle!(1);
                }
                _ => leave!(),
            }
        };
        frame.pc = cursor.pc() as u32;
        // SAFETY: they were taken of it.
        unsafe { stack.give_back(&mut frame.stack) };
        if moved {
            *active = self.activation(frame);
        }
        stop
    }
}
