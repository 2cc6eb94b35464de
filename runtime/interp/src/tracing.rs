//! Tracing and profiling: `sys.settrace`, `sys.setprofile`.
//!
//! In: functions of the script. Out: calls of these, at the events that CPython has. Always: what is traced runs in tier 0,
//! in an eval loop of its own for each call; a frame of which each instruction is told has instructions of its own, all
//! [`Op::Traced`] but for the one that is executed next. So code that is not traced pays nothing. While the function itself
//! runs, nothing is traced.

use std::rc::Rc;

use janus_bytecode::Opcode;
use janus_object::heap::Tracer;
use janus_object::{Args, PyMethod, PyRef, PyResult, Raised, Value};

use crate::cache::{CodeState, Op, Quick};
use crate::frame_object::FrameObject;
use crate::interp::JitHook;
use crate::{Frame, Interp};

/// What a thread is traced with.
#[derive(Default)]
pub(crate) struct Tracing {
    trace: Option<Value>,
    profile: Option<Value>,
    /// One of them runs.
    inside: bool,
}

impl Tracing {
    fn is_on(&self) -> bool {
        !self.inside && (self.trace.is_some() || self.profile.is_some())
    }
}

/// Which of the two functions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watcher {
    /// `sys.settrace`
    Trace,
    /// `sys.setprofile`
    Profile,
}

/// How far a frame of which each instruction is told has come.
pub(crate) struct Steps {
    ops: Box<[Quick]>,
    /// Which of them is not [`Op::Traced`].
    planted: usize,
    line: Option<u32>,
    pc: Option<u32>,
    /// Where the handler that it leaves stands.
    ended: Option<u32>,
    /// The native function that it called, of which the profile function was told.
    native: Option<Value>,
}

impl Steps {
    pub fn ops(&self) -> *const [Quick] {
        &raw const *self.ops
    }

    /// Lets the instruction at `pc` be executed next.
    pub fn plant(&mut self, pc: usize, state: &CodeState) -> *const [Quick] {
        let op = state
            .ops
            .get(pc)
            .map_or(Op::Traced, |quick| quick.op.unfused());
        for (at, op) in [(self.planted, Op::Traced), (pc, op)] {
            if let Some(quick) = self.ops.get_mut(at) {
                quick.op = op;
            }
        }
        self.planted = pc;
        self.ops()
    }

    pub fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.values(&self.native);
    }
}

/// Whether an instruction calls what lies on the stack, and how many slots are above that.
fn called(op: Op, arg: u32) -> Option<usize> {
    match op {
        Op::Call => Some(arg as usize + 2),
        Op::CallKw => Some(arg as usize + 3),
        _ => None,
    }
}

impl Interp {
    /// Sets the function, or none, for the running thread.
    pub fn set_watcher(&mut self, which: Watcher, function: Option<Value>) {
        let tracing = &mut self.tracing;
        let before = tracing.trace.is_some() || tracing.profile.is_some();
        let old = match which {
            Watcher::Trace => std::mem::replace(&mut tracing.trace, function),
            Watcher::Profile => std::mem::replace(&mut tracing.profile, function),
        };
        let after = tracing.trace.is_some() || tracing.profile.is_some();
        // What is compiled runs without telling anything: no thread enters it meanwhile.
        match (before, after) {
            (false, true) => {
                self.watched += 1;
                if self.watched == 1 {
                    self.unasked = self.jit.take();
                }
                janus_gil::pending::ask_for_break();
            }
            (true, false) => {
                self.watched = self.watched.saturating_sub(1);
                if self.watched == 0 {
                    self.jit = self.unasked.take();
                }
            }
            _ => {}
        }
        self.traced = self.tracing.is_on();
        drop(old);
        // Frames that run already tell what they call in C.
        if which == Watcher::Profile && self.tracing.profile.is_some() {
            for at in 0..self.frames.len() {
                let Some(code) = self.frames.get(at).map(|frame| frame.code.clone()) else {
                    continue;
                };
                let state = self.code_state(&code);
                if let Some(frame) = self.frames.get_mut(at) {
                    Self::watch_steps(frame, state);
                }
            }
        }
    }

    /// The function that is set.
    pub fn watcher(&self, which: Watcher) -> Option<&Value> {
        match which {
            Watcher::Trace => self.tracing.trace.as_ref(),
            Watcher::Profile => self.tracing.profile.as_ref(),
        }
    }

    /// What code is compiled by, be it asked now or later.
    pub(crate) fn any_jit(&self) -> Option<&Rc<JitHook>> {
        self.jit.as_ref().or(self.unasked.as_ref())
    }

    /// Calls a function at an event; nothing is traced meanwhile.
    fn tell(&mut self, function: &Value, frame: &Value, event: &str, argument: Value) -> PyResult {
        self.tracing.inside = true;
        self.traced = false;
        // What yielded just now belongs to whoever resumed it.
        let suspended = self.suspended.take();
        if let Some(told) = self.frames.last() {
            told.show_in_snapshot();
        }
        let arguments = [frame.clone(), Value::str(event), argument];
        let result = self.call_value(function, Args::new(&arguments));
        // What it changed of `f_locals`, a debugger does, are the frame's variables now.
        if let Some(told) = self.frames.last_mut()
            && told
                .object
                .get()
                .is_some_and(|object| janus_object::ops::is(object, frame))
        {
            told.take_from_snapshot();
        }
        self.suspended = suspended;
        self.tracing.inside = false;
        self.traced = self.tracing.is_on();
        result
    }

    /// Calls a function that is traced, from inside of a trace function.
    pub fn call_tracing(&mut self, function: &Value, arguments: &[Value]) -> PyResult {
        let inside = std::mem::replace(&mut self.tracing.inside, false);
        self.traced = self.tracing.is_on();
        let result = self.call_value(function, Args::new(arguments));
        self.tracing.inside = inside;
        self.traced = self.tracing.is_on();
        result
    }

    /// Tells the trace function of a frame, which it may replace; if it raises, nothing is traced any more.
    fn tell_local(&mut self, frame: &Value, event: &str, argument: Value) -> PyResult<()> {
        let Some(this) = frame.foreign::<FrameObject>() else {
            return Ok(());
        };
        let Some(function) = this.trace.borrow().clone() else {
            return Ok(());
        };
        match self.tell(&function, frame, event, argument) {
            Ok(Value::None) => Ok(()),
            Ok(next) => {
                drop(this.trace.replace(Some(next)));
                Ok(())
            }
            Err(raised) => {
                drop(this.trace.replace(None));
                self.set_watcher(Watcher::Trace, None);
                Err(raised)
            }
        }
    }

    fn tell_profile(&mut self, frame: &Value, event: &str, argument: Value) -> PyResult<()> {
        let Some(function) = self.tracing.profile.clone() else {
            return Ok(());
        };
        match self.tell(&function, frame, event, argument) {
            Ok(_) => Ok(()),
            Err(raised) => {
                self.set_watcher(Watcher::Profile, None);
                Err(raised)
            }
        }
    }

    /// Tells of each instruction of a frame from now on.
    pub(crate) fn watch_steps(frame: &mut Frame, state: &CodeState) {
        if frame.steps.is_some() {
            return;
        }
        let traced = |quick: &Quick| Quick {
            op: Op::Traced,
            ..quick.clone()
        };
        frame.steps = Some(Box::new(Steps {
            ops: state.ops.iter().map(traced).collect(),
            planted: usize::MAX,
            line: None,
            pc: None,
            ended: None,
            native: None,
        }));
    }

    /// Runs a frame of a thread that is traced.
    #[cold]
    #[inline(never)]
    pub(crate) fn eval_traced(
        &mut self,
        mut frame: Box<Frame>,
        raised: Option<Raised>,
    ) -> PyResult {
        let object = frame.object();
        let Some(this) = object.foreign::<FrameObject>() else {
            return Err(self.internal("a frame without an object"));
        };
        this.stand_at_start(&frame);
        self.frames.push(frame);
        let mut told = Ok(());
        if let Some(function) = self.tracing.trace.clone() {
            told = match self.tell(&function, &object, "call", Value::None) {
                Ok(local) => {
                    let local = Some(local).filter(|local| !local.is_none());
                    drop(this.trace.replace(local));
                    Ok(())
                }
                Err(raised) => {
                    self.set_watcher(Watcher::Trace, None);
                    Err(raised)
                }
            };
        }
        if told.is_ok() {
            told = self.tell_profile(&object, "call", Value::None);
        }
        frame = match self.frames.pop() {
            Some(frame) => frame,
            None => return Err(self.internal("frame lost")),
        };
        this.run_on();
        if let Err(raised) = told {
            self.unwind(&mut frame, &raised, true);
            self.recycle(frame);
            return Err(raised);
        }
        let is_told = this.trace.borrow().is_some() || self.tracing.profile.is_some();
        if is_told {
            let state = self.code_state(&frame.code);
            // SAFETY: the frame keeps its code alive, and that its state.
            let state = unsafe { &*std::ptr::from_ref(state) };
            Self::watch_steps(&mut frame, state);
        }
        let mut result = self.eval_without_call_event(frame, raised);
        if !self.tracing.is_on() {
            return result;
        }
        let value = result.as_ref().map_or(Value::None, Value::clone);
        // A generator's frame still is one; where it stands is behind the `yield`.
        let yielded = self.suspended.take();
        let count = self.frames.len();
        if let Some(frame) = yielded {
            this.stand_at_yield(&frame);
            self.frames.push(frame);
        }
        let told = self
            .tell_local(&object, "return", value.clone())
            .and_then(|()| self.tell_profile(&object, "return", value));
        this.run_on();
        if self.frames.len() > count {
            self.suspended = self.frames.pop();
        }
        if let Err(raised) = told {
            if let Some(frame) = self.suspended.take() {
                self.recycle(frame);
            }
            result = Err(raised);
        }
        result
    }

    /// Tells what is to be told before the innermost frame's next instruction; whether there will be more to tell.
    pub(crate) fn tell_step(&mut self) -> PyResult<bool> {
        let Some(frame) = self.frames.last() else {
            return Ok(false);
        };
        let object = frame.object();
        let Some(this) = object.foreign::<FrameObject>() else {
            return Ok(false);
        };
        if self.tracing.inside {
            // The function resumed a generator that is traced, say.
            return Ok(true);
        }
        let pc = frame.pc;
        let line = frame.code.code.spans.get(pc as usize).map(|span| span.line);
        let instr = frame.code.code.instrs.get(pc as usize).copied();
        let Some(steps) = self.frames.last_mut().and_then(|f| f.steps.as_mut()) else {
            return Ok(false);
        };
        let back = steps.pc.is_some_and(|before| pc < before);
        // What ends a block stands at the statement's beginning, and is no step of its own.
        let op = instr.map(|instr| instr.op);
        let jumps = matches!(op, Some(Opcode::Jump | Opcode::JumpBackward));
        let leaves = op == Some(Opcode::PopExcept);
        let ends_block =
            ((jumps || leaves) && line < steps.line) || (line.is_some() && steps.ended == line);
        steps.ended = line.filter(|_| ends_block && !jumps);
        let moved =
            line.is_some_and(|line| line > 0) && !ends_block && (line != steps.line || back);
        steps.pc = Some(pc);
        if !ends_block {
            steps.line = line;
        }
        if let Some(native) = steps.native.take() {
            self.tell_profile(&object, "c_return", native)?;
        }
        if moved && this.trace_lines.get() {
            self.tell_local(&object, "line", Value::None)?;
        }
        if this.trace_opcodes.get() {
            self.tell_local(&object, "opcode", Value::None)?;
        }
        if self.tracing.profile.is_some()
            && let Some(instr) = instr
            && let Some(native) = self.native_called(Op::from(instr.op), instr.arg)
        {
            self.tell_profile(&object, "c_call", native.clone())?;
            if let Some(steps) = self.frames.last_mut().and_then(|f| f.steps.as_mut()) {
                steps.native = Some(native);
            }
        }
        let traced = self.tracing.trace.is_some() && this.trace.borrow().is_some();
        Ok(traced || self.tracing.profile.is_some())
    }

    /// The native function that the innermost frame's instruction calls.
    fn native_called(&self, op: Op, arg: u32) -> Option<Value> {
        let stack = &self.frames.last()?.stack;
        let base = match op {
            // The callable, its arguments and keywords; the slot below is empty.
            Op::CallEx => {
                let mut callables = stack.iter().rev().take(4).flatten();
                return callables.find(|v| matches!(v, Value::Native(_))).cloned();
            }
            op => stack.len().checked_sub(called(op, arg)?)?,
        };
        let [Some(callable), receiver, ..] = stack.get(base..)? else {
            return None;
        };
        match (callable, receiver) {
            (Value::Native(_), None) => Some(callable.clone()),
            (Value::Native(_), Some(receiver)) => Some(Value::Method(PyRef::new(PyMethod {
                function: callable.clone(),
                receiver: receiver.clone(),
            }))),
            (Value::Method(method), _) if matches!(method.function, Value::Native(_)) => {
                Some(callable.clone())
            }
            _ => None,
        }
    }

    /// Tells that an exception passes through a frame.
    #[cold]
    #[allow(clippy::type_complexity, reason = "the frame comes back either way")]
    pub(crate) fn tell_raised(
        &mut self,
        frame: Box<Frame>,
        raised: &Raised,
        fresh: bool,
    ) -> Result<Box<Frame>, (Option<Box<Frame>>, Raised)> {
        let object = frame.object();
        self.frames.push(frame);
        let told = self.tell_exception(&object, raised, fresh);
        match (self.frames.pop(), told) {
            (Some(frame), Ok(())) => Ok(frame),
            (frame, Err(raised)) => Err((frame, raised)),
            (None, Ok(())) => Err((None, self.internal("frame lost"))),
        }
    }

    fn tell_exception(&mut self, object: &Value, raised: &Raised, fresh: bool) -> PyResult<()> {
        if self.tracing.inside {
            return Ok(());
        }
        let steps = self.frames.last_mut().and_then(|f| f.steps.as_mut());
        if let Some(native) = steps.and_then(|steps| steps.native.take()) {
            self.tell_profile(object, "c_exception", native)?;
        }
        if !fresh || self.tracing.trace.is_none() {
            return Ok(());
        }
        let parts = self.exception_parts(&raised.to_value())?;
        self.tell_local(object, "exception", Value::tuple(parts))
    }
}
