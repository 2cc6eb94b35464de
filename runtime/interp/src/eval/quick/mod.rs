//! The quick loop: what common instructions do on their common path.
//!
//! In: a frame, and the instruction to go on with. Out: why it stopped there ([`Stop`]). Always: an instruction that the eval loop is to
//! execute has changed nothing; while Python or what looks at frames runs, the frame is where others find it, with its stack; what died in an
//! instruction is settled at its end.
//!
//! It is a loop of its own because it is small: its few variables stay in registers, which those of the eval loop, where each
//! instruction may need anything, do not. What an instruction does is a macro in a file by subject, as there.

use janus_bytecode::CompareOp;
use janus_object::ops::Special;
use janus_object::{
    CodeObject, PyList, PyRef, PySlice, Raised, SimpleNext, Site, Step, TypeTag, Value, heap, ops,
    types,
};

mod attributes;
mod calls;
mod containers;
mod loops;
mod operators;
mod variables;

use super::activation::Activation;
use super::current::Current;
use super::enter::Entered;
use super::operators::special_of;
use super::slots::{Cursor, Locals, Stack, known, parts};
use super::stack::{held, push_to, with_both};
use attributes::*;
use calls::*;
use containers::*;
use loops::*;
use operators::*;
use variables::*;

use crate::Interp;
use crate::attr_cache::Hit;
use crate::cache::{CodeState, Op, OperatorCache, Quick};
use crate::frame::Purpose;
use crate::generator::yields_what_is_sent;
use crate::immediate::{
    compare, element_of, entry_of, immediate, item_at, next_item, next_pair, quick_contains,
    store_simple,
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
    /// It is done, but for what compiled code may take over after it.
    Rest,
    /// It goes on with what a generator gave that it resumed.
    Resume(Step),
    /// It raised.
    Raise(Raised),
}

/// The frame that is executed, as the loop works on it.
struct View<'a> {
    stack: Stack,
    cursor: Cursor<'a>,
    locals: Locals,
    consts: &'a [Value],
    sites: &'a [Site],
    state: &'a CodeState,
    /// Whether somebody waits for loops to get hot.
    compiles: bool,
    /// How many callers' frames are not of this loop.
    callers: usize,
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
        Value::Instance(instance) => instance.truth_simple()?,
        _ => return None,
    })
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
        if pc >= active.instrs.len() || frame.locals.len() < active.code.code.varnames.len() {
            // The eval loop knows what that means.
            frame.pc = pc as u32;
            return Stop::Execute;
        }
        // SAFETY: what is executed is verified code, with the depth that the frame has at this instruction.
        let (stack, cursor, locals) = unsafe { parts(frame, active.instrs, pc) };
        let mut view = View {
            stack,
            cursor,
            locals,
            consts: &active.code.consts,
            sites: active.sites,
            state: active.state,
            compiles: self.jit.is_some(),
            callers,
        };
        // Whether it is another frame than at the beginning.
        let mut moved = false;

        // Gives the frame its stack and its place, for others to find, or for a call.
        macro_rules! give_back {
            () => {
                frame.pc = view.cursor.pc() as u32;
                // SAFETY: they were taken of it.
                unsafe { view.stack.give_back(&mut frame.stack) };
            };
        }
        // Takes the stack again, after the same instruction called something.
        macro_rules! take_back {
            () => {
                // SAFETY: it is the same frame, at the same instruction.
                view.stack = unsafe { Stack::take(&mut frame.stack) };
            };
        }
        let stop = loop {
            let quick = view.cursor.ahead(0);
            // The eval loop executes this instruction.
            macro_rules! leave {
                () => {
                    break Stop::Execute
                };
            }
            macro_rules! corrupt {
                () => {
                    break Stop::Raise(self.internal("corrupt value stack"))
                };
            }
            macro_rules! next {
                ($count:expr) => {{
                    view.cursor.advance($count);
                    continue;
                }};
            }
            // As `next` where something was dropped.
            macro_rules! settle {
                ($count:expr) => {{
                    view.cursor.advance($count);
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
                        saw_another_kind(view.sites, $quick, &[$value], kind);
                    }
                };
            }
            // Of an operator both operands count, but of a subscript only the container.
            macro_rules! see_both {
                ($operator:expr, $l:expr, $r:expr) => {
                    let kinds = kind_of($l) | kind_of($r) << 8;
                    if $operator.last.get() != kinds {
                        saw_another_kind(view.sites, $operator, &[$l, $r], kinds);
                    }
                };
            }
            // Jumps on a truth.
            macro_rules! branch {
                ($jump:expr, $taken:expr) => {{
                    let (jump, taken): (&Quick, bool) = ($jump, $taken);
                    count_jump(view.sites, jump, taken);
                    match taken {
                        true => view.cursor.jump(jump.arg),
                        false => view.cursor.advance(1),
                    }
                }};
            }
            // At an instruction that is done: compiled code may take over what follows, which the eval loop sees to.
            macro_rules! rest {
                ($quick:expr) => {
                    let site = view.sites.get($quick.site as usize);
                    if site.is_some_and(|site| site.resumes.get()) {
                        break Stop::Rest;
                    }
                };
            }
            // The truth that the operator so many ahead comes to: jumps on it at once, or pushes it.
            macro_rules! deliver_truth {
                ($ahead:expr, $truth:expr) => {{
                    let truth: bool = $truth;
                    let following = view.cursor.ahead($ahead + 1);
                    match following.op {
                        Op::PopJumpIfFalse => {
                            view.cursor.advance($ahead + 1);
                            branch!(following, !truth);
                        }
                        Op::PopJumpIfTrue => {
                            view.cursor.advance($ahead + 1);
                            branch!(following, truth);
                        }
                        _ => {
                            view.stack.push(Value::bool(truth));
                            view.cursor.advance($ahead + 1);
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
                    let following = view.cursor.ahead($ahead + 1);
                    if following.op == Op::StoreFast {
                        view.locals.set(following.arg, result);
                        settle!($ahead + 2);
                    }
                    view.stack.push(result);
                    settle!($ahead + 1);
                }};
            }
            macro_rules! global {
                ($quick:expr) => {
                    view.state
                        .globals
                        .get($quick.cache as usize)
                        .and_then(|cache| {
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
                        Op::LoadConst | Op::ConstRight => Some(known(view.consts, load.arg)),
                        Op::LoadFast | Op::FastRight => view.locals.get(load.arg),
                        _ => None,
                    }
                }};
            }
            macro_rules! load_fast {
                () => {{
                    let Some(value) = view.locals.get(quick.arg) else {
                        leave!();
                    };
                    see!(quick, value);
                    view.stack.push(value.clone());
                    next!(1);
                }};
            }
            macro_rules! load_const {
                () => {{
                    view.stack.push(known(view.consts, quick.arg).clone());
                    next!(1);
                }};
            }
            // Goes on in the frame, which is another one than before.
            macro_rules! open {
                ($pc:expr) => {
                    // SAFETY: a frame keeps its code alive and never changes it while it is evaluated.
                    let code: &CodeObject = unsafe { &*PyRef::as_ptr(&frame.code) };
                    view.state = self.code_state(code);
                    view.consts = &code.consts[..];
                    view.sites = if self.profiling { &code.profile.sites } else { &[] };
                    let pc = $pc;
                    let ops = &view.state.ops;
                    // SAFETY: as where these were set first.
                    let opened = unsafe { parts(frame, ops, pc) };
                    (view.stack, view.cursor, view.locals) = opened;
                    moved = true;
                };
            }
            // Calls what may look at frames or run Python, with the frame where others find it.
            macro_rules! outside {
                ($call:expr) => {{
                    give_back!();
                    self.step_out(frame);
                    let result = $call;
                    self.step_in(frame);
                    moved |= frame.steps.is_some();
                    take_back!();
                    match result {
                        Ok(result) => result,
                        Err(raised) => break Stop::Raise(raised),
                    }
                }};
            }
            // Goes on after such a call, unless a trace function was set for the frame meanwhile.
            macro_rules! go_on {
                ($count:expr) => {{
                    view.cursor.advance($count);
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
            // The truth of what lies on top of the stack, where it stays.
            macro_rules! truth {
                () => {{
                    let Some(value) = view.stack.peek(1) else {
                        leave!();
                    };
                    match quick_truth(value) {
                        Some(truth) => truth,
                        None => {
                            // SAFETY: it stays on the stack, which nobody else changes.
                            let value = unsafe { &*std::ptr::from_ref(value) };
                            outside!(ops::truth(self, value))
                        }
                    }
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
                    // SAFETY: the operands stay on the stack, which nobody else changes, until the method has its frame.
                    let (receiver, argument) = unsafe {
                        let argument: Option<&Value> = $argument;
                        (&*std::ptr::from_ref($receiver), argument.map(|a| &*std::ptr::from_ref(a)))
                    };
                    give_back!();
                    if self.enter_method(frame, $method, receiver, argument, $special) {
                        enter!();
                    }
                    take_back!();
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
                        let cache = view.state.operators.get(quick.cache as usize);
                        if let Special::Compare(op @ (CompareOp::Eq | CompareOp::Ne)) = special
                            && ops::is_by_identity(l, r)
                        {
                            if let Some(cache) = cache {
                                cache.saw_identity();
                            }
                            let same = ops::is(l, r);
                            view.stack.drop_last(2);
                            deliver_truth!(0, same == (op == CompareOp::Eq));
                        }
                        by_method!(cache, special, l, Some(r));
                    }
                    let (Some(right), Some(left)) = (view.stack.pop(), view.stack.pop()) else {
                        leave!();
                    };
                    let result = outside!(self.operate(quick.op, quick.arg, &left, &right));
                    view.stack.push(result);
                    left.release();
                    right.release();
                    go_on!(1);
                }};
            }
            macro_rules! op {
                ($body:ident) => {
                    $body!(self, frame, view, quick)
                };
            }
            match quick.op {
                Op::Nop => next!(1),
                Op::LoadFast => load_fast!(),
                Op::LoadConst => load_const!(),
                Op::FastPair => op!(fast_pair),
                Op::FastRight | Op::ConstRight => op!(fast_right),
                Op::FastAttr => op!(fast_attr),
                Op::FastMethod => op!(fast_method),
                Op::StoreFast => op!(store_fast),
                Op::PopTop => {
                    view.stack.drop_last(1);
                    settle!(1);
                }
                Op::Copy => {
                    let Some(value) = view.stack.peek(quick.arg as usize) else {
                        leave!();
                    };
                    let value = value.clone();
                    view.stack.push(value);
                    next!(1);
                }
                Op::Swap => op!(swap),
                Op::PushNull => {
                    view.stack.push_slot(None);
                    next!(1);
                }
                Op::LoadGlobal | Op::LoadName => op!(load_global),
                Op::CallableGlobal => op!(callable_global),
                Op::CallGlobal => op!(call_global),
                Op::StoreGlobal | Op::StoreName => op!(store_global),
                Op::LoadDeref => op!(load_deref),
                Op::StoreDeref => op!(store_deref),
                Op::LoadAttr => op!(load_attr),
                Op::LoadMethod => op!(load_method),
                Op::StoreAttr => op!(store_attr),
                Op::Add | Op::Sub | Op::Mul | Op::BinaryOp => op!(arithmetic),
                Op::CompareOp => op!(compare_op),
                Op::IsOp => op!(is_op),
                Op::IsBuiltin => op!(is_builtin),
                Op::ContainsOp => op!(contains_op),
                Op::UnaryNot => {
                    let truth = truth!();
                    view.stack.drop_last(1);
                    deliver_truth!(0, !truth);
                }
                Op::BuildSlice => op!(build_slice),
                Op::BuildSet
                | Op::BuildMap
                | Op::BuildString
                | Op::FormatValue
                | Op::ListToTuple => op!(build),
                Op::GetIter => op!(get_iter),
                Op::UnaryNegative | Op::UnaryPositive | Op::UnaryInvert => op!(unary),
                Op::BinarySubscr => op!(binary_subscr),
                Op::StoreSubscr => op!(store_subscr),
                Op::BuildTuple => {
                    let Some(items) = view.stack.take_last(quick.arg as usize) else {
                        leave!();
                    };
                    deliver!(0, Value::tuple(items));
                }
                Op::BuildList => {
                    let Some(items) = view.stack.take_last(quick.arg as usize) else {
                        leave!();
                    };
                    deliver!(0, Value::list(items));
                }
                Op::ListAppend => op!(list_append),
                Op::SetAdd => op!(set_add),
                Op::MapAdd => op!(map_add),
                Op::UnpackSequence => op!(unpack_sequence),
                Op::Jump => {
                    view.cursor.jump(quick.arg);
                }
                Op::JumpBackward => op!(jump_backward),
                Op::LoopHead => {
                    if let Some(site) = view.sites.get(quick.site as usize) {
                        loop_entered(site);
                    }
                    next!(1);
                }
                Op::PopJumpIfFalse | Op::PopJumpIfTrue => op!(pop_jump_if),
                Op::PopJumpIfNone | Op::PopJumpIfNotNone => op!(pop_jump_if_none),
                Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => op!(jump_or_pop),
                Op::ForIter => op!(for_iter),
                Op::Call => op!(call),
                Op::CallKw => op!(call_kw),
                Op::YieldValue => op!(yield_value),
                Op::ReturnValue => op!(return_value),
                _ => leave!(),
            }
        };
        give_back!();
        if moved {
            *active = self.activation(frame);
        }
        stop
    }
}
