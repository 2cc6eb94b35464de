//! Generators and coroutines: frames that stop and go on.
//!
//! In: a frame bound by a call. Out: the body of a [`janus_object::Generator`], and the delegation
//! of `yield from` and `await`. Always: a suspended frame's `pc` is the instruction after its
//! `YieldValue`, and 0 before the first resumption; what it was handling is put aside with it.

use std::any::Any;
use std::cell::Cell;

use janus_object::heap::Tracer;
use janus_object::{
    Args, ExcKind, Generator, GeneratorBody, GeneratorKind, Instance, PyRef, PyResult, Raised,
    Resume, Step, Value, Vm, attr, name, ops, resume_generator,
};

use crate::cache::{CodeState, Op};
use crate::eval::push_to;
use crate::frame::Purpose;
use crate::jit::{Code, code_of_generator};
use crate::{Frame, Interp, ReadyGenerator, Resumed};

/// A suspended frame.
pub(crate) struct SuspendedFrame {
    frame: Option<Box<Frame>>,
    handled: Option<PyRef<Instance>>,
    started: bool,
    /// It was left in the midst, for tier 0 to go on, where this is raised first.
    midway: Option<Option<Raised>>,
    /// Machine code that is ready to run it, and what `code.jit.changes` were.
    ready: Option<(u32, Box<dyn ReadyGenerator>)>,
    /// How often machine code ran it without being ready.
    runs: u32,
    /// The instruction at which it was looked last whether the frame delegates there, and whether it does.
    delegates: Cell<(u32, bool)>,
    /// What it delegated to last.
    inner: Option<Box<Delegates>>,
}

/// The generators that one delegates to, each to the next one.
pub(crate) struct Delegates {
    /// The last one is the innermost. None but the last ones are finished: who delegates to one that is not finished still does.
    pub generators: Vec<PyRef<Generator>>,
    /// How often something was thrown into a generator until then: only by that one delegates to another one before the first is
    /// finished.
    thrown: u64,
}

impl SuspendedFrame {
    pub fn new(frame: Box<Frame>) -> Self {
        SuspendedFrame {
            frame: Some(frame),
            handled: None,
            started: false,
            midway: None,
            ready: None,
            runs: 0,
            delegates: Cell::new((u32::MAX, false)),
            inner: None,
        }
    }

    /// Whether the frame stands in a `yield from` or `await`.
    fn delegates(&self, frame: &Frame) -> bool {
        let (at, delegates) = self.delegates.get();
        if at == frame.pc {
            return delegates;
        }
        let delegates = Self::target(frame).is_some();
        self.delegates.set((frame.pc, delegates));
        delegates
    }

    /// Where a frame that delegates goes on after that.
    fn target(frame: &Frame) -> Option<u32> {
        Some(send_of(frame)?.1)
    }

    /// What the frame delegates to by `yield from` or `await`, with the target of its `Send`.
    fn delegate(frame: &Frame) -> Option<(Value, u32)> {
        let target = Self::target(frame)?;
        Some((frame.stack.last()?.clone()?, target))
    }
}

// SAFETY: it is the one implementation.
unsafe impl GeneratorBody for SuspendedFrame {
    fn resume(&mut self, vm: &mut dyn Vm, input: Resume) -> PyResult<Step> {
        let Some(interp) = vm.as_any().downcast_mut::<Interp>() else {
            return Err(Raised::system_error("a generator of another interpreter"));
        };
        let Some(frame) = self.frame.take() else {
            return Err(Raised::system_error("a finished generator was resumed"));
        };
        if let Resume::Throw(_) = input {
            interp.thrown += 1;
        }
        interp.handled.push(self.handled.take());
        let result = match (self.midway.take(), input) {
            (Some(raised), Resume::Send(_)) => interp.eval_from(frame, raised),
            (Some(_), Resume::Throw(thrown)) => interp.eval_from(frame, Some(thrown)),
            (None, input) => interp.resume_suspended(frame, input, self.started),
        };
        let handled = interp.handled.pop().flatten();
        self.started = true;
        self.frame = interp.suspended.take();
        match self.frame {
            Some(_) => {
                self.handled = handled;
                result.map(Step::Yield)
            }
            None => result.map(Step::Return),
        }
    }

    fn needs_close(&self) -> bool {
        self.started
            && self.frame.as_ref().is_some_and(|frame| {
                let at = frame.pc.saturating_sub(1);
                frame.code.code.handler(at).is_some()
            })
    }

    fn trace(&self, tracer: &mut Tracer<'_>) {
        if let Some(frame) = &self.frame {
            frame.trace(tracer);
        }
        if let Some(handled) = &self.handled {
            tracer.reference(handled);
        }
        for generator in self.inner.iter().flat_map(|inner| &inner.generators) {
            tracer.reference(generator);
        }
    }

    fn is_delegating(&self) -> bool {
        self.frame
            .as_ref()
            .is_some_and(|f| Self::delegate(f).is_some())
    }

    fn delegate(&self) -> Option<Value> {
        Self::delegate(self.frame.as_ref()?).map(|(value, _)| value)
    }

    fn frame(&self) -> Value {
        self.frame
            .as_ref()
            .map_or(Value::None, |f| f.suspended_object())
    }

    fn code(&self) -> Value {
        self.frame
            .as_ref()
            .map_or(Value::None, |f| Value::Code(f.code.clone()))
    }

    fn is_iterable_coroutine(&self) -> bool {
        self.frame
            .as_ref()
            .is_some_and(|f| f.code.code.flags.iterable_coroutine)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A generator whose frame runs in the loop of the frame that asked for its next value. Its body stays where it is, without the
/// frame.
pub(crate) struct Driven {
    generator: PyRef<Generator>,
}

/// What a suspended generator delegates to, if that is a generator that is suspended, too.
#[inline]
pub(crate) fn inner_of(generator: &Generator) -> Option<PyRef<Generator>> {
    let is_suspended = |g: &Generator| !g.running.get() && g.kind != GeneratorKind::AsyncGenerator;
    if !is_suspended(generator) {
        return None;
    }
    let mut slot = generator.body.borrow_mut();
    let suspended = suspended(&mut **slot.as_mut()?);
    let frame = suspended.frame.as_ref()?;
    if suspended.midway.is_some() || !suspended.delegates(frame) {
        return None;
    }
    match frame.stack.last() {
        Some(Some(Value::Generator(inner))) if is_suspended(inner) => {
            inner.body.borrow().is_some().then(|| inner.clone())
        }
        _ => None,
    }
}

/// Takes what a suspended generator delegates to, if it delegates. The last one is suspended, and delegates to no generator.
pub(crate) fn take_delegates(generator: &Generator, thrown: u64) -> Option<Box<Delegates>> {
    if generator.running.get() || generator.kind == GeneratorKind::AsyncGenerator {
        return None;
    }
    let known = {
        let mut slot = generator.body.borrow_mut();
        let suspended = suspended(&mut **slot.as_mut()?);
        if suspended.frame.is_none() || suspended.midway.is_some() {
            return None;
        }
        suspended.inner.take()
    };
    let mut inner = known.filter(|known| known.thrown == thrown);
    if let Some(inner) = &mut inner {
        let is_finished = |g: &Generator| g.body.borrow().is_none() && !g.running.get();
        let generators = &mut inner.generators;
        while generators.pop_if(|last| is_finished(last)).is_some() {}
        if generators.last().is_some_and(|last| last.running.get()) {
            generators.clear();
        }
    }
    loop {
        let last = inner.as_ref().and_then(|inner| inner.generators.last());
        let Some(next) = inner_of(last.map_or(generator, |last| last)) else {
            break;
        };
        let none = || {
            Box::new(Delegates {
                generators: Vec::new(),
                thrown,
            })
        };
        inner.get_or_insert_with(none).generators.push(next);
    }
    inner.filter(|inner| !inner.generators.is_empty())
}

/// Notes what a generator delegates to.
#[inline]
pub(crate) fn note_delegates(generator: &Generator, inner: Box<Delegates>) {
    if let Some(body) = generator.body.borrow_mut().as_mut() {
        suspended(&mut **body).inner = Some(inner);
    }
}

/// The `Send` at which a frame goes on that was just resumed with nothing sent, and the generator that it delegates to.
#[inline]
fn delegate_of(frame: &Frame) -> Option<(u32, PyRef<Generator>)> {
    let (Some(Value::None), below) = frame.stack.split_last()? else {
        return None;
    };
    let Some(Some(Value::Generator(inner))) = below.last() else {
        return None;
    };
    Some((send_of(frame)?.0, inner.clone()))
}

/// The `Send` of a frame that is suspended in a `yield from` or `await`, and where it goes on after that.
#[inline]
fn send_of(frame: &Frame) -> Option<(u32, u32)> {
    let state = CodeState::of(&frame.code)?;
    let jump = state.ops.get(frame.pc as usize)?;
    let send = state.ops.get(jump.arg as usize)?;
    (jump.op == Op::Jump && jump.arg <= frame.pc && send.op == Op::Send)
        .then_some((jump.arg, send.arg))
}

/// Whether a frame stands at a `Send` and yields what that gives.
#[inline]
pub(crate) fn yields_what_is_sent(frame: &Frame) -> bool {
    let Some(state) = CodeState::of(&frame.code) else {
        return false;
    };
    let at = frame.pc as usize;
    matches!(
        (state.ops.get(at), state.ops.get(at + 1)),
        (Some(send), Some(next)) if send.op == Op::Send && next.op == Op::YieldValue
    )
}

/// Has a generator that delegates go on with what the one that it delegates to returned.
pub(crate) fn go_on_with(generator: &Generator, returned: Value) {
    if let Some(body) = generator.body.borrow_mut().as_mut() {
        let suspended = suspended(&mut **body);
        if let Some(frame) = &mut suspended.frame
            && let Some(target) = SuspendedFrame::target(frame)
        {
            frame.stack.pop();
            frame.stack.push(Some(returned));
            frame.pc = target;
            suspended.midway = Some(None);
        }
    }
}

/// Takes the frame of a generator that machine code runs on, if there is no more to it.
#[inline]
pub(crate) fn take_for_code(generator: &Generator, sent: &Value) -> Option<(Box<Frame>, Code)> {
    if generator.running.get() || generator.kind == GeneratorKind::AsyncGenerator {
        return None;
    }
    let mut slot = generator.body.borrow_mut();
    let suspended = suspended(&mut **slot.as_mut()?);
    if suspended.handled.is_some()
        || suspended.midway.is_some()
        || !(suspended.started || sent.is_none())
    {
        return None;
    }
    let frame = suspended.frame.as_ref()?;
    if frame.object.get().is_some() {
        return None;
    }
    let code = match suspended.ready.take() {
        Some((changes, ready)) if changes == frame.code.jit.changes.get() => {
            Code::Ready(changes, ready)
        }
        _ => Code::Found(code_of_generator(frame)?),
    };
    Some((suspended.frame.take()?, code))
}

/// Gives a generator its frame back, which may have been left in the midst, and the code that ran it.
#[inline]
pub(crate) fn put_back(
    generator: &Generator,
    frame: Box<Frame>,
    midway: Option<Option<Raised>>,
    code: Option<Code>,
) {
    if let Some(body) = generator.body.borrow_mut().as_mut() {
        let suspended = suspended(&mut **body);
        match code {
            Some(Code::Ready(changes, ready)) => suspended.ready = Some((changes, ready)),
            Some(Code::Found(compiled)) => {
                suspended.runs += 1;
                if suspended.runs.is_multiple_of(READY_AFTER) {
                    let changes = frame.code.jit.changes.get();
                    suspended.ready = compiled.ready().map(|ready| (changes, ready));
                }
            }
            None => {}
        }
        suspended.frame = Some(frame);
        suspended.midway = midway;
        suspended.started = generator.started.get();
    }
}

/// Making code ready takes as long as a few runs that are not.
const READY_AFTER: u32 = 4;

/// How far a generator came that compiled code runs.
enum Drained {
    /// It yielded what was wanted.
    Full,
    /// It came to its end.
    Ended,
    /// There is no code, it does not fit what comes next, or there is more to resuming the generator.
    Elsewhere,
}

/// A body as this crate makes it.
#[inline]
fn suspended(body: &mut dyn GeneratorBody) -> &mut SuspendedFrame {
    debug_assert!(body.as_any().is::<SuspendedFrame>());
    // SAFETY: whoever implements the trait promises that there is no other kind. Asking for the type costs more than moving the
    // frame.
    unsafe { &mut *std::ptr::from_mut(body).cast() }
}

impl Interp {
    /// Takes the frame of a generator, to be run on with nothing sent to it; none where there is more to resuming it, or compiled
    /// code is to do that.
    #[inline]
    pub(crate) fn drive(&mut self, generator: &PyRef<Generator>) -> Option<Box<Frame>> {
        match &generator.code {
            Value::Code(code) if !code.jit.is_brief.get() && self.is_for_code(code) => None,
            _ => self.drive_here(generator),
        }
    }

    /// The same where compiled code is not asked.
    pub(crate) fn drive_here(&mut self, generator: &PyRef<Generator>) -> Option<Box<Frame>> {
        if generator.running.get()
            || generator.kind == GeneratorKind::AsyncGenerator
            || self.depth >= self.limit
            || self.traced
        {
            return None;
        }
        let mut slot = generator.body.borrow_mut();
        let suspended = suspended(&mut **slot.as_mut()?);
        let frame = suspended.frame.as_ref()?;
        if suspended.midway.is_some() {
            return None;
        }
        // Compiled code may want to take over there.
        if suspended.started
            && self.profiling
            && frame
                .code
                .profile
                .site(frame.pc.saturating_sub(1))
                .is_some_and(|site| site.resumes.get())
        {
            return None;
        }
        let mut frame = suspended.frame.take()?;
        if suspended.started {
            frame.stack.push(Some(Value::None));
        }
        suspended.started = true;
        push_to(&mut self.handled, suspended.handled.take());
        drop(slot);
        generator.started.set(true);
        generator.running.set(true);
        self.depth += 1;
        let generator = generator.clone();
        frame.purpose = Purpose::Generator(Driven { generator });
        Some(frame)
    }

    /// The frame that is to run where one is driven that may delegate to another generator, and that to a third: the frames on the way
    /// are callers, without that an instruction of them is executed.
    #[inline]
    pub(crate) fn drive_innermost(&mut self, mut frame: Box<Frame>) -> Box<Frame> {
        while let Some((send, inner)) = delegate_of(&frame)
            && let Some(next) = self.drive(&inner)
        {
            // What is sent on.
            frame.stack.pop();
            frame.pc = send;
            self.frames.push(std::mem::replace(&mut frame, next));
        }
        frame
    }

    /// Who gets what a frame yielded that its caller, which was popped, waits for: generators that delegate only hand it on, and are
    /// suspended. `callers` are those of the loop.
    #[inline]
    pub(crate) fn hand_on(&mut self, mut caller: Box<Frame>, callers: usize) -> Box<Frame> {
        while self.frames.len() > callers
            && yields_what_is_sent(&caller)
            && matches!(caller.purpose, Purpose::Generator(_))
            && let Some(next) = self.frames.pop()
        {
            let mut sent_on = std::mem::replace(&mut caller, next);
            if let Purpose::Generator(driven) = std::mem::take(&mut sent_on.purpose) {
                sent_on.pc += 2;
                self.park(sent_on, driven);
                self.depth -= 1;
            }
        }
        caller
    }

    /// Runs a generator on whose frame compiled code takes, with what it yields going to `sink`.
    fn drain_compiled(
        &mut self,
        generator: &PyRef<Generator>,
        sink: &mut dyn FnMut(Value) -> bool,
    ) -> PyResult<Drained> {
        if generator.running.get()
            || generator.kind != GeneratorKind::Generator
            || self.depth >= self.limit
            || !matches!(&generator.code, Value::Code(code) if self.is_for_code(code))
        {
            return Ok(Drained::Elsewhere);
        }
        let taken = {
            let mut slot = generator.body.borrow_mut();
            let suspended = slot.as_mut().map(|body| suspended(&mut **body));
            suspended
                .filter(|s| s.midway.is_none())
                .and_then(|suspended| {
                    let frame = suspended.frame.as_ref()?;
                    let compiled = self.generator_code(frame)?;
                    let was_started = std::mem::replace(&mut suspended.started, true);
                    Some((
                        suspended.frame.take()?,
                        suspended.handled.take(),
                        compiled,
                        was_started,
                    ))
                })
        };
        let Some((mut frame, handled, compiled, was_started)) = taken else {
            return Ok(Drained::Elsewhere);
        };
        self.handled.push(handled);
        generator.started.set(true);
        generator.running.set(true);
        let driven = Driven {
            generator: generator.clone(),
        };
        let result = loop {
            let mut value = Value::None;
            let result = match self.resume_compiled(&*compiled, &mut frame, &mut value) {
                Resumed::Yielded => {
                    if sink(value) {
                        continue;
                    }
                    self.park(frame, driven);
                    return Ok(Drained::Full);
                }
                Resumed::Missed | Resumed::Lower => {
                    let is_fresh = frame.pc == 0 && !was_started;
                    self.park(frame, driven);
                    if is_fresh && let Some(body) = generator.body.borrow_mut().as_mut() {
                        suspended(&mut **body).started = false;
                    }
                    return Ok(Drained::Elsewhere);
                }
                Resumed::Returned => {
                    self.recycle(frame);
                    Ok(value)
                }
                Resumed::Left(raised) => self.eval_from(frame, raised),
            };
            match (self.suspended.take(), result) {
                (Some(back), Ok(value)) => {
                    frame = back;
                    if !sink(value) {
                        self.park(frame, driven);
                        return Ok(Drained::Full);
                    }
                }
                (_, result) => break result,
            }
        };
        let raised = self.end_driven(driven, result.err());
        match raised {
            Some(raised) => Err(raised),
            None => Ok(Drained::Ended),
        }
    }

    /// Runs a generator with what it yields going to `sink`; whether it came to its end.
    pub(crate) fn drain_generator(
        &mut self,
        generator: &PyRef<Generator>,
        sink: &mut dyn FnMut(Value) -> bool,
    ) -> PyResult<bool> {
        loop {
            match self.drain_compiled(generator, sink)? {
                Drained::Full => return Ok(false),
                Drained::Ended => return Ok(true),
                Drained::Elsewhere => {}
            }
            if let Some(frame) = self.drive_here(generator) {
                let mut is_full = false;
                self.eval_driven(frame, &mut |value| {
                    is_full = !sink(value);
                    !is_full
                })?;
                if is_full || generator.body.borrow().is_none() {
                    return Ok(!is_full);
                }
                // Compiled code goes on.
                continue;
            }
            match resume_generator(self, generator, Resume::Send(Value::None))? {
                Step::Return(_) => return Ok(true),
                Step::Yield(value) => {
                    if !sink(value) {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Gives a generator that yields its frame back.
    pub(crate) fn park(&mut self, frame: Box<Frame>, driven: Driven) {
        let handled = self.handled.pop().flatten();
        driven.generator.running.set(false);
        if let Some(body) = driven.generator.body.borrow_mut().as_mut() {
            let suspended = suspended(&mut **body);
            suspended.handled = handled;
            suspended.frame = Some(frame);
        }
    }

    /// A generator's frame is done; what its caller sees of what it raised.
    pub(crate) fn end_driven(&mut self, driven: Driven, raised: Option<Raised>) -> Option<Raised> {
        self.handled.pop();
        driven.generator.running.set(false);
        drop(driven.generator.body.take());
        raised.map(|raised| driven.generator.raises(raised))
    }
}

impl Interp {
    fn resume_suspended(
        &mut self,
        mut frame: Box<Frame>,
        input: Resume,
        started: bool,
    ) -> PyResult {
        match input {
            Resume::Send(value) => self.run_sent(frame, value, started),
            Resume::Throw(raised) if !started => {
                // No `try` of it was entered yet.
                self.raise_at_definition(&frame, &raised);
                self.recycle(frame);
                Err(raised)
            }
            Resume::Throw(raised) => {
                let Some((inner, target)) = SuspendedFrame::delegate(&frame) else {
                    return self.raise_at_yield(frame, raised);
                };
                match self.throw_into(&inner, raised) {
                    Ok(Step::Yield(value)) => {
                        self.suspended = Some(frame);
                        Ok(value)
                    }
                    Ok(Step::Return(value)) => {
                        frame.stack.pop();
                        frame.stack.push(Some(value));
                        frame.pc = target;
                        self.eval(frame)
                    }
                    Err(raised) => self.raise_at_yield(frame, raised),
                }
            }
        }
    }

    /// Raises at the `yield` at which a frame stopped.
    fn raise_at_yield(&mut self, mut frame: Box<Frame>, raised: Raised) -> PyResult {
        frame.pc = frame.pc.saturating_sub(1);
        self.eval_from(frame, Some(raised))
    }

    /// Hands an exception to what a generator delegates to.
    fn throw_into(&mut self, inner: &Value, raised: Raised) -> PyResult<Step> {
        if raised.is(ExcKind::GeneratorExit) {
            match inner {
                Value::Generator(g) => janus_object::close_generator(self, g)?,
                other => {
                    if let Some(close) = attr::get_opt(self, other, name!("close"))? {
                        self.call_value(&close, Args::new(&[]))?;
                    }
                }
            }
            return Err(raised);
        }
        if let Value::Generator(g) = inner {
            return resume_generator(self, g, Resume::Throw(raised));
        }
        match attr::get_opt(self, inner, name!("throw"))? {
            None => Err(raised),
            Some(throw) => {
                let result = self.call_value(&throw, Args::new(&[raised.to_value()]));
                self.stop_as_return(result)
            }
        }
    }

    /// The `Send` instruction: one step of what is delegated to.
    ///
    /// # Errors
    /// What that raises.
    pub fn send(&mut self, iterator: &Value, value: Value) -> PyResult<Step> {
        match iterator {
            Value::Generator(g) => resume_generator(self, g, Resume::Send(value)),
            other if value.is_none() => {
                // `next` swallows the value of StopIteration, so native iterators only go there.
                if let Value::Iter(_) = other {
                    return Ok(match ops::next(self, other)? {
                        Some(item) => Step::Yield(item),
                        None => Step::Return(Value::None),
                    });
                }
                let result = self.call_method(other, name!("__next__"), Args::new(&[]));
                self.stop_as_return(result)
            }
            other => {
                let result = self.call_method(other, name!("send"), Args::new(&[value]));
                self.stop_as_return(result)
            }
        }
    }

    /// StopIteration as the end that it means.
    fn stop_as_return(&self, result: PyResult) -> PyResult<Step> {
        match result {
            Ok(value) => Ok(Step::Yield(value)),
            Err(raised) if raised.is(ExcKind::StopIteration) => {
                Ok(Step::Return(raised.stop_value()))
            }
            Err(raised) => Err(raised),
        }
    }

    /// What `yield from`, or `await`, delegates to.
    ///
    /// # Errors
    /// Of what is no such thing, and what it raises.
    pub fn delegate(&mut self, awaits: bool, value: Value) -> PyResult {
        let coroutine = matches!(&value, Value::Generator(g) if g.kind == GeneratorKind::Coroutine);
        if !awaits {
            return match &value {
                Value::Generator(_) if coroutine => Err(Raised::type_error(
                    "cannot 'yield from' a coroutine object in a non-coroutine generator",
                )),
                Value::Generator(_) => Ok(value),
                other => ops::iter(self, other),
            };
        }
        let marked = |g: &Generator| {
            g.kind == GeneratorKind::Generator
                && g.body
                    .borrow()
                    .as_ref()
                    .is_some_and(|b| b.is_iterable_coroutine())
        };
        if coroutine || matches!(&value, Value::Generator(g) if marked(g)) {
            return Ok(value);
        }
        match janus_object::class_of(&value).lookup(name!("__await__")) {
            Some(_) => self.call_method(&value, name!("__await__"), Args::new(&[])),
            None => Err(Raised::type_error(format!(
                "object {} can't be used in 'await' expression",
                value.type_name()
            ))),
        }
    }
}
