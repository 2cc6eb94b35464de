//! The eval loop.
//!
//! In: a frame, at its start or where it was suspended. Out: what it returned, yielded or raised. Always:
//! what died in an instruction has its finalizers run, and a collection that is due is made, at its end: the next one may
//! read what a finalizer changes; verified code keeps the stack within its bounds, so a stack that is not as expected is an
//! internal error and raises SystemError; `pc` is the instruction being executed until the arm
//! that executes it moves on, so that errors are blamed on it.
//!
//! Each instruction is offered to the quick loop first ([`quick`]), which does the common path of the common ones.
//!
//! What the other instructions do is written out in macros, one an instruction, in files by subject: each
//! becomes part of the loop's one function, whose variables it is given, and may use the macros that the loop
//! defines: `next!`, `push!`, `raise!` and so on. The others are calls into [`crate::slow`] and its siblings, which
//! keeps the native stack that one Python call needs small.

mod activation;
mod attributes;
mod calls;
mod containers;
mod current;
mod enter;
mod exceptions;
mod generators;
mod loops;
mod operators;
mod quick;
mod slots;
mod stack;

mod variables;

pub use stack::bound_method;
pub(crate) use stack::push_to;

use janus_object::heap;
use janus_object::ops::Special;
use janus_object::{
    Args, Instance, PyRef, PyResult, Raised, SimpleNext, Step, Value, attr, class_of, ops, types,
};
use smallvec::SmallVec;

use attributes::*;
use calls::*;
use containers::*;
use current::Current;
use exceptions::*;
use generators::*;
use loops::*;
use operators::*;
use quick::Stop;
use stack::*;
use variables::*;

use crate::attr_cache::{Hit, layout_of};
use crate::bind::Bound;
use crate::cache::{Op, OperatorCache};
use crate::exceptions::leave_generator;
use crate::frame::{Purpose, drop_from};
use crate::immediate::next_item;
use crate::profile::{saw, saw_result};
use crate::{Entry, Frame, Interp, Sent};

/// Arguments of native calls: most have few.
pub(crate) type ArgVec = SmallVec<[Value; 6]>;

impl Interp {
    /// Runs a frame from its `pc` until it returns or, putting itself into `suspended`, yields.
    #[inline]
    pub(crate) fn eval(&mut self, frame: Box<Frame>) -> PyResult {
        self.eval_from(frame, None)
    }

    /// Runs a frame from its `pc`, where `raised` is raised first.
    #[inline]
    pub(crate) fn eval_from(&mut self, frame: Box<Frame>, raised: Option<Raised>) -> PyResult {
        if self.traced {
            return self.eval_traced(frame, raised);
        }
        self.eval_without_call_event(frame, raised)
    }

    /// The same where the event of the call was already given to a trace function, if there is one.
    #[inline]
    pub(crate) fn eval_without_call_event(
        &mut self,
        frame: Box<Frame>,
        raised: Option<Raised>,
    ) -> PyResult {
        if self.depth >= self.limit {
            self.recycle(frame);
            return Err(crate::exceptions::recursion_error());
        }
        // As where the loop itself enters a frame.
        if heap::is_pending() {
            self.settle();
        }
        self.depth += 1;
        self.stats.frames += 1;
        let result = self.eval_loop(frame, raised, None);
        self.depth -= 1;
        result
    }

    /// Runs the frame of a generator that [`Interp::drive`] gave, and hands what it yields to `sink` until that wants no more.
    pub(crate) fn eval_driven(
        &mut self,
        frame: Box<Frame>,
        sink: &mut dyn FnMut(Value) -> bool,
    ) -> PyResult<()> {
        let depth = self.depth - 1;
        self.stats.frames += 1;
        let result = self.eval_loop(frame, None, Some(sink));
        self.depth = depth;
        result.map(drop)
    }

    /// Python functions that the frame calls run in the same loop: their callers are on `frames`, above those that
    /// were there at the beginning.
    fn eval_loop(
        &mut self,
        frame: Box<Frame>,
        raised: Option<Raised>,
        mut sink: Option<&mut dyn FnMut(Value) -> bool>,
    ) -> PyResult {
        let callers = self.frames.len();
        let mut frame = Current::new(frame);
        let mut active = self.activation(&frame);
        let mut pc = frame.pc as usize;
        let mut pending = raised.map(|raised| (raised, true));

        // What a generator gave that the instruction resumed.
        let mut resumed: Option<Step> = None;
        // What compiled code returned for the frame.
        let mut returned: Option<Value> = None;

        // Goes on in the frame that was put into `frame`.
        macro_rules! switch {
            () => {{
                active = self.activation(&frame);
            }};
        }
        // Drops a frame that raised, or lets its caller, if that is one of this loop, raise.
        macro_rules! leave_raising {
            ($raised:expr) => {{
                let mut raised = $raised;
                if let Purpose::Generator(driven) = std::mem::take(&mut frame.purpose)
                    && let Some(seen) = self.end_driven(driven, Some(raised.clone()))
                {
                    raised = seen;
                }
                self.recycle(frame.into_box());
                if self.frames.len() <= callers {
                    return Err(raised);
                }
                let Some(caller) = self.frames.pop() else {
                    return Err(raised);
                };
                self.depth -= 1;
                frame = Current::new(caller);
                switch!();
                pc = frame.pc as usize;
                pending = Some((raised, true));
            }};
        }
        // Calls out of the loop, with the frame where others find it.
        macro_rules! step_out {
            () => {
                frame.pc = pc as u32;
                push_to(&mut self.frames, frame.into_box());
            };
        }
        macro_rules! step_in {
            () => {
                match self.frames.pop() {
                    Some(back) => frame = Current::new(back),
                    None => return Err(self.internal("frame lost")),
                }
                // What was called may have set a trace function for the frame.
                if let Some(steps) = &frame.steps {
                    // SAFETY: as in `activation`.
                    active.instrs = unsafe { &*steps.ops() };
                }
            };
        }
        macro_rules! outside {
            ($call:expr) => {{
                step_out!();
                let result = $call;
                step_in!();
                result
            }};
        }

        'activation: loop {
            let (raised, fresh) = 'run: {
                macro_rules! raise {
                    ($raised:expr) => {
                        break 'run ($raised, true)
                    };
                }
                macro_rules! attempt {
                    ($result:expr) => {
                        match $result {
                            Ok(value) => value,
                            Err(raised) => raise!(raised),
                        }
                    };
                }
                // Signals are handled and other threads have their turns here, if that was asked for.
                macro_rules! check_breaker {
                    () => {
                        if janus_gil::pending::is_break_due() {
                            attempt!(outside!(self.take_break()));
                            // A trace function may have been set for the frame.
                            if frame.steps.is_some() {
                                switch!();
                            }
                        }
                    };
                }
                macro_rules! corrupt {
                    () => {
                        raise!(self.internal("corrupt value stack"))
                    };
                }
                macro_rules! pop {
                    () => {
                        match frame.stack.last() {
                            Some(Some(_)) => take_top(&mut frame.stack),
                            _ => corrupt!(),
                        }
                    };
                }
                macro_rules! push {
                    ($value:expr) => {{
                        let value = $value;
                        push_to(&mut frame.stack, Some(value));
                    }};
                }
                macro_rules! peek {
                    ($from_top:expr) => {
                        match frame
                            .stack
                            .len()
                            .checked_sub($from_top)
                            .and_then(|at| frame.stack.get(at))
                        {
                            Some(Some(value)) => value,
                            _ => corrupt!(),
                        }
                    };
                }
                macro_rules! next {
                    () => {{
                        pc += 1;
                        continue;
                    }};
                }
                // The frame is done: its value goes to the caller, or out of the loop.
                macro_rules! finish {
                    ($value:expr) => {{
                        let value = $value;
                        // For whoever holds the frame's object.
                        frame.pc = pc as u32;
                        let purpose = match frame.purpose {
                            Purpose::Call => Purpose::Call,
                            _ => std::mem::take(&mut frame.purpose),
                        };
                        self.recycle(frame.into_box());
                        if heap::is_pending() {
                            self.settle();
                        }
                        if self.frames.len() <= callers {
                            if let Purpose::Generator(driven) = purpose {
                                self.end_driven(driven, None);
                            }
                            return Ok(value);
                        }
                        let Some(caller) = self.frames.pop() else {
                            return Ok(value);
                        };
                        self.depth -= 1;
                        frame = Current::new(caller);
                        switch!();
                        pc = frame.pc as usize;
                        let value = match purpose {
                            Purpose::Call => value,
                            Purpose::Init(made) => {
                                attempt!(crate::call::made_by_init(made, &value))
                            }
                            Purpose::Generator(driven) => {
                                self.end_driven(driven, None);
                                resumed = Some(Step::Return(value));
                                continue;
                            }
                            Purpose::Operator(special) => {
                                finish_operator!(self, frame, special, value)
                            }
                        };
                        let site = active
                            .instrs
                            .get(pc)
                            .and_then(|q| active.sites.get(q.site as usize));
                        if let Some(site) = site {
                            saw_result(site, &value);
                        }
                        push!(value);
                        rest!(site);
                        next!();
                    }};
                }
                // Runs a frame made by a call; `$made` is the instance whose `__init__` it is.
                macro_rules! enter_frame {
                    ($new:expr, $made:expr) => {{
                        let mut new: Box<Frame> = $new;
                        // A collection comes where an object was made, and not where what is called has read something that a
                        // finalizer changes.
                        if heap::is_pending() {
                            outside!(self.settle());
                        }
                        check_breaker!();
                        let asks = self.count_entry(&new);
                        if asks || self.depth >= self.limit {
                            let made: Option<Value> = $made;
                            let result = outside!(self.run_asking(new, asks));
                            match made {
                                None => result,
                                Some(made) => {
                                    result.and_then(|v| crate::call::made_by_init(made, &v))
                                }
                            }
                        } else {
                            if let Some(made) = $made {
                                new.purpose = Purpose::Init(made);
                            }
                            self.depth += 1;
                            frame.pc = pc as u32;
                            push_to(&mut self.frames, frame.into_box());
                            frame = Current::new(new);
                            switch!();
                            pc = 0;
                            continue;
                        }
                    }};
                }
                // At a loop head whose countdown ran out: lets compiled code take over.
                macro_rules! ask_jit {
                    ($enter:ident) => {
                        if let Some(hook) = self.jit.clone() {
                            frame.pc = pc as u32 + 1;
                            self.stats.jit_asked += 1;
                            let entry = hook.jit.$enter(self, &mut frame, pc as u32);
                            match self.after_jit(entry) {
                                Entry::Interpret => {}
                                Entry::Resume => {
                                    pc = frame.pc as usize;
                                    // Compiled code is left at once where this is pending.
                                    check_breaker!();
                                    settle_at!();
                                }
                                Entry::Return(value) => {
                                    // No instruction is there: see where it is looked up.
                                    returned = Some(value);
                                    pc = usize::MAX;
                                    continue;
                                }
                                Entry::Raise(raised) => {
                                    leave_raising!(raised);
                                    continue 'activation;
                                }
                                Entry::Throw(raised) => {
                                    pc = frame.pc as usize;
                                    raise!(raised);
                                }
                            }
                        }
                    };
                }
                // After a call: compiled code may take over what follows.
                macro_rules! rest {
                    ($site:expr) => {
                        if let Some(site) = $site
                            && site.resumes.get()
                        {
                            match site.countdown.get() {
                                0 => ask_jit!(enter_rest),
                                left => site.countdown.set(left - 1),
                            }
                        }
                    };
                }
                // Goes on after something may have been dropped: what is owed to it is done at once.
                macro_rules! settle_at {
                    () => {{
                        if heap::is_pending() {
                            // What is called there sees the line that is done.
                            let next = pc;
                            pc = next.saturating_sub(1);
                            outside!(self.settle());
                            pc = next;
                        }
                        continue;
                    }};
                }
                macro_rules! settle {
                    () => {{
                        pc += 1;
                        settle_at!();
                    }};
                }
                if let Some(pending) = pending.take() {
                    break 'run pending;
                }
                loop {
                    if resumed.is_none() {
                        let stop = self.run_quick(&mut frame, &mut active, pc, callers);
                        pc = frame.pc as usize;
                        match stop {
                            Stop::Execute => {}
                            Stop::Settle => settle_at!(),
                            Stop::Rest => {
                                let done = active.instrs.get(pc);
                                rest!(done.and_then(|q| active.sites.get(q.site as usize)));
                                settle!();
                            }
                            Stop::Resume(step) => resumed = Some(step),
                            Stop::Raise(raised) => raise!(raised),
                        }
                    }
                    let Some(quick) = active.instrs.get(pc) else {
                        if let Some(value) = returned.take() {
                            finish!(value);
                        }
                        raise!(self.internal("pc outside code"))
                    };
                    let arg = quick.arg as usize;
                    macro_rules! op {
                        ($body:ident) => {
                            $body!(self, frame, pc, active, quick)
                        };
                    }
                    match quick.op {
                        // The quick loop does these whenever the stack is as it should be.
                        Op::Nop
                        | Op::PopTop
                        | Op::Copy
                        | Op::Swap
                        | Op::PushNull
                        | Op::LoadConst
                        | Op::ConstRight
                        | Op::StoreFast
                        | Op::StoreDeref
                        | Op::IsOp
                        | Op::IsBuiltin
                        | Op::UnaryNot
                        | Op::UnaryNegative
                        | Op::UnaryPositive
                        | Op::UnaryInvert
                        | Op::BuildTuple
                        | Op::BuildList
                        | Op::BuildSet
                        | Op::BuildMap
                        | Op::BuildString
                        | Op::BuildSlice
                        | Op::FormatValue
                        | Op::ListToTuple
                        | Op::ListAppend
                        | Op::GetIter
                        | Op::Jump
                        | Op::LoopHead
                        | Op::PopJumpIfFalse
                        | Op::PopJumpIfTrue
                        | Op::JumpIfFalseOrPop
                        | Op::JumpIfTrueOrPop
                        | Op::PopJumpIfNone
                        | Op::PopJumpIfNotNone => corrupt!(),
                        Op::Traced => {
                            if !attempt!(outside!(self.tell_step())) {
                                frame.steps = None;
                                switch!();
                                continue;
                            }
                            let Some(steps) = &mut frame.steps else {
                                corrupt!()
                            };
                            // SAFETY: the frame keeps them, where they are; they are changed here alone, where nothing
                            // that was read of them is in use.
                            active.instrs = unsafe { &*steps.plant(pc, active.state) };
                            continue;
                        }
                        Op::LoadFast
                        | Op::FastPair
                        | Op::FastRight
                        | Op::FastAttr
                        | Op::FastMethod => op!(load_fast),
                        Op::DeleteFast => op!(delete_fast),
                        Op::LoadGlobal | Op::LoadName => op!(load_global),
                        Op::CallableGlobal | Op::CallGlobal => op!(callable_global),
                        Op::StoreGlobal | Op::StoreName => op!(store_global),
                        Op::DeleteGlobal
                        | Op::DeleteName
                        | Op::LoadClassDeref
                        | Op::SetupAnnotations => op!(namespace),
                        Op::LoadDeref => op!(load_deref),
                        Op::DeleteDeref => op!(delete_deref),
                        Op::LoadClosure => op!(load_closure),
                        Op::LoadAttr => op!(load_attr),
                        Op::LoadMethod => op!(load_method),
                        Op::StoreAttr => op!(store_attr),
                        Op::DeleteAttr => op!(delete_attr),
                        Op::Call => op!(call),
                        Op::CallKw | Op::CallEx => op!(call_prepared),
                        Op::Add | Op::Sub | Op::Mul | Op::BinaryOp | Op::CompareOp => op!(binary),
                        Op::ContainsOp => op!(contains_op),
                        Op::BinarySubscr => op!(binary_subscr),
                        Op::StoreSubscr => op!(store_subscr),
                        Op::DeleteSubscr => op!(delete_subscr),
                        Op::SetAdd
                        | Op::MapAdd
                        | Op::ListExtend
                        | Op::SetUpdate
                        | Op::DictUpdate
                        | Op::DictMerge => op!(build),
                        Op::UnpackSequence => op!(unpack_sequence),
                        Op::UnpackEx => op!(unpack_ex),
                        Op::JumpBackward => op!(jump_backward),
                        Op::ForIter => for_iter!(self, frame, pc, active, quick, resumed),
                        Op::ReturnValue => {
                            let value = pop!();
                            finish!(value);
                        }
                        Op::YieldValue => {
                            yield_value!(self, frame, pc, active, quick, resumed, callers, sink)
                        }
                        Op::Send => send!(self, frame, pc, active, quick, resumed),
                        Op::GetYieldFromIter | Op::GetAwaitable => op!(delegate),
                        Op::MakeFunction => op!(make_function),
                        Op::LoadBuildClass => op!(load_build_class),
                        Op::RaiseVarargs => {
                            let cause = if arg == 2 { Some(pop!()) } else { None };
                            let exception = if arg >= 1 { Some(pop!()) } else { None };
                            break 'run outside!(self.raise(exception, cause));
                        }
                        Op::Reraise => {
                            let value = pop!();
                            match value {
                                Value::Instance(exception) => {
                                    break 'run (Raised(exception), false);
                                }
                                _ => corrupt!(),
                            }
                        }
                        Op::ReraiseStopIteration => {
                            let Value::Instance(exception) = pop!() else {
                                corrupt!()
                            };
                            break 'run leave_generator(&frame.code, pc as u32, exception);
                        }
                        Op::PushExcInfo => op!(push_exc_info),
                        Op::PopExcept => op!(pop_except),
                        Op::CheckExcMatch => op!(check_exc_match),
                        Op::BeforeWith => op!(before_with),
                        Op::WithExceptStart => op!(with_except_start),
                        Op::LoadAssertionError => op!(load_assertion_error),
                        Op::ImportName => op!(import_name),
                        Op::ImportFrom => op!(import_from),
                        Op::ImportStar => op!(import_star),
                        Op::MatchSequence
                        | Op::MatchMapping
                        | Op::MatchKeys
                        | Op::MatchClass
                        | Op::GetLen => op!(match_pattern),
                    }
                }
            };
            frame.pc = pc as u32;
            let target = self.unwind(&mut frame, &raised, fresh);
            if frame.steps.is_some() {
                match self.tell_raised(frame.into_box(), &raised, fresh) {
                    Ok(back) => frame = Current::new(back),
                    Err((Some(frame_back), other)) => {
                        frame = Current::new(frame_back);
                        pending = Some((other, true));
                        continue;
                    }
                    Err((None, other)) => return Err(other),
                };
            }
            match target {
                Some(target) => pc = target as usize,
                None => leave_raising!(raised),
            }
        }
    }
}
