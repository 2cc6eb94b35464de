//! How higher tiers are asked to take over.
//!
//! In: a frame at a function's entry or at a loop head whose countdown ran out. Out: [`Entry`].
//! Always: the interpreter knows nothing else about compiled code.

use std::rc::Rc;

use janus_object::{CodeObject, Generator, GeneratorKind, PyFunction, PyResult, Raised, Value};

use crate::eval::ArgVec;
use crate::generator::{go_on_with, note_delegates, put_back, take_delegates, take_for_code};
use crate::{Frame, Interp};

/// What a [`Jit`] did with a frame.
pub enum Entry {
    /// Nothing: interpret, and do not ask again before the next call or iteration.
    Interpret,
    /// The function ran to its end with this result.
    Return(Value),
    /// The function ran and raised; its frame is done. The traceback already has what happened
    /// inside compiled code, this frame's own entry included.
    Raise(Raised),
    /// The frame's `pc`, locals and stack were brought forward: go on there.
    Resume,
    /// As [`Entry::Resume`], but this is raised by the instruction there.
    Throw(Raised),
}

/// Compiled code, as tier 0 sees it.
pub trait Jit {
    /// After argument binding, `frame.pc` = 0, when `code.jit.entry_countdown` is 0.
    fn enter_function(&self, vm: &mut Interp, frame: &mut Frame) -> Entry;

    /// At a loop head whose site's countdown is 0. `ForIter`: right after it pushed an item
    /// (`frame.pc` = `head` + 1, stack `[.., iterator, item]`); `LoopHead`: `frame.pc` = `head` + 1.
    fn enter_loop(&self, vm: &mut Interp, frame: &mut Frame, head: u32) -> Entry;

    /// After the call or `yield` at `call`, whose result is on the stack (`frame.pc` = `call` + 1), where its
    /// site's `resumes` is set and its countdown is 0.
    fn enter_rest(&self, vm: &mut Interp, frame: &mut Frame, call: u32) -> Entry;

    /// A generator or coroutine is resumed that has no code, and its `code.jit.entry_countdown` is 0: it may be given some by
    /// [`set_compiled_generator`]. Nothing is on its stack for what it is sent.
    fn resume_generator(&self, vm: &mut Interp, frame: &Frame);
}

/// Machine code of a function that needs no frame to be entered.
pub trait CompiledFunction {
    /// Calls it with one argument for each parameter. The arguments stay the caller's. `None`: with these it has to be called
    /// in another way, and nothing happened.
    fn call(&self, vm: &mut Interp, function: &PyFunction, args: &[Value]) -> Option<PyResult>;
}

/// Machine code of the body of a generator or coroutine.
pub trait CompiledGenerator {
    /// Runs a suspended frame on from its `pc`. `value` is that of the `yield` at which it stopped, or None where it was not started
    /// yet; afterwards it is what the frame yielded or returned.
    fn resume(&self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed;

    /// The same where the code calls no Python, and nothing is to be noted of the run; else nothing happens. The frame counts
    /// towards the recursion limit already.
    fn resume_quickly(&self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed;

    /// The same made ready for a frame that is often resumed so.
    fn ready(&self) -> Option<Box<dyn ReadyGenerator>>;
}

/// Machine code of a generator's body, for one frame: as [`CompiledGenerator::resume_quickly`].
pub trait ReadyGenerator {
    /// Runs the frame on.
    fn resume(&mut self, vm: &mut Interp, frame: &mut Frame, value: &mut Value) -> Resumed;
}

/// What became of a suspended frame that machine code was to run on.
pub enum Resumed {
    /// The code does not fit the frame, and nothing happened.
    Missed,
    /// As that: this time tier 0 is to run it.
    Lower,
    /// It is suspended again, by a `yield`.
    Yielded,
    /// It came to its end.
    Returned,
    /// The frame's `pc`, locals and stack were brought forward: tier 0 goes on there, where this is raised first.
    Left(Option<Raised>),
}

/// What became of a generator that was resumed without Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It yielded.
    Yielded,
    /// It returned.
    Returned,
    /// Tier 0 is to run it this time.
    Lower,
    /// Another way is due.
    Other,
}

/// The machine code that a suspended frame is resumed by.
pub(crate) enum Code {
    /// It is ready, as long as the code object's `changes` are these.
    Ready(u32, Box<dyn ReadyGenerator>),
    /// As the code object has it.
    Found(Rc<dyn CompiledGenerator>),
}

/// How a code object keeps its machine code.
enum Kept {
    Function(Rc<dyn CompiledFunction>),
    Generator(Rc<dyn CompiledGenerator>),
}

fn keep(code: &CodeObject, kept: Option<Kept>) {
    let kept = kept.map(|kept| Rc::new(kept) as Rc<dyn std::any::Any>);
    code.jit.changes.set(code.jit.changes.get().wrapping_add(1));
    drop(code.jit.compiled.replace(kept));
}

/// Has calls of functions with this code go to machine code, or no longer.
pub fn set_compiled(code: &CodeObject, compiled: Option<Rc<dyn CompiledFunction>>) {
    keep(code, compiled.map(Kept::Function));
}

/// Has generators with this code be resumed by machine code, or no longer.
pub fn set_compiled_generator(code: &CodeObject, compiled: Option<Rc<dyn CompiledGenerator>>) {
    keep(code, compiled.map(Kept::Generator));
}

/// The machine code that runs a generator's frame on.
#[inline]
pub(crate) fn code_of_generator(frame: &Frame) -> Option<Rc<dyn CompiledGenerator>> {
    match frame.code.jit.compiled.borrow().as_ref()?.downcast_ref()? {
        Kept::Generator(compiled) => Some(compiled.clone()),
        Kept::Function(_) => None,
    }
}

impl Interp {
    /// Calls a function's machine code, if there is some that takes the arguments as they are.
    #[inline]
    pub(crate) fn call_compiled(
        &mut self,
        function: &PyFunction,
        args: &[Value],
    ) -> Option<PyResult> {
        let kept = function.code.borrow().jit.compiled.borrow().clone()?;
        if self.traced || self.jit.is_none() {
            return None;
        }
        let Some(Kept::Function(compiled)) = kept.downcast_ref() else {
            return None;
        };
        if let Err(raised) = self.check_breaker() {
            return Some(Err(raised));
        }
        let result = compiled.call(self, function, args)?;
        // Code that calls this wants to know that Python ran, in whichever tier.
        self.stats.compiled_frames += 1;
        self.stats.jit_entered += 1;
        Some(result)
    }

    /// As [`Self::call_compiled`], with the first argument apart.
    #[inline]
    pub(crate) fn call_compiled_with(
        &mut self,
        function: &PyFunction,
        first: &Value,
        args: &[Value],
    ) -> Option<PyResult> {
        function.code.borrow().jit.compiled.borrow().as_ref()?;
        let all: ArgVec = std::iter::once(first).chain(args).cloned().collect();
        self.call_compiled(function, &all)
    }

    /// Whether machine code may run a generator on for a loop of the interpreter.
    #[inline]
    pub(crate) fn has_code(&self, generator: &Generator) -> bool {
        let Value::Code(code) = &generator.code else {
            return false;
        };
        !code.jit.is_brief.get() && code.jit.compiled.borrow().is_some()
    }

    /// Counts a resumption of a generator with this code; whether machine code is to run it, or to be asked for.
    #[inline]
    pub(crate) fn is_for_code(&self, code: &CodeObject) -> bool {
        if self.jit.is_none() || !self.profiling || self.traced {
            return false;
        }
        let jit = &code.jit;
        if jit.compiled.borrow().is_some() {
            return true;
        }
        let left = jit.entry_countdown.get();
        jit.entry_countdown.set(left.saturating_sub(1));
        left == 0
    }

    /// The machine code that is to run a generator's frame on, if there is some, or some is made now.
    pub(crate) fn generator_code(&mut self, frame: &Frame) -> Option<Rc<dyn CompiledGenerator>> {
        // A script that holds the frame sees its variables.
        if frame.object.get().is_some() {
            return None;
        }
        if frame.code.jit.compiled.borrow().is_none()
            && let Some(hook) = self.jit.clone()
        {
            self.stats.jit_asked += 1;
            hook.jit.resume_generator(self, frame);
        }
        code_of_generator(frame)
    }

    /// Resumes a generator where machine code does that without Python: `value` is what is sent, and afterwards what it yielded
    /// or returned. Where another way is due, that goes on in the midst of the frame if it was left there.
    ///
    /// Of generators that delegate to one another the innermost one is resumed, and what it yields is handed out at once: the
    /// others would only hand it on, and nobody can look meanwhile.
    pub fn send_quickly(&mut self, generator: &Generator, value: &mut Value) -> Sent {
        if self.traced || self.jit.is_none() {
            return Sent::Other;
        }
        if !value.is_none() {
            return self.send_to(generator, value);
        }
        while let Some(inner) = take_delegates(generator, self.thrown) {
            let Some((innermost, outer)) = inner.generators.split_last() else {
                break;
            };
            if self.depth + inner.generators.len() >= self.limit {
                return Sent::Other;
            }
            match self.send_to(innermost, value) {
                Sent::Yielded => {
                    note_delegates(generator, inner);
                    return Sent::Yielded;
                }
                // Who delegated to it finds that it is through; a coroutine is not asked again.
                Sent::Returned if value.is_none() && innermost.kind == GeneratorKind::Generator => {
                    note_delegates(generator, inner);
                }
                Sent::Returned => {
                    let outer = outer.last().map_or(generator, |outer| outer);
                    go_on_with(outer, std::mem::replace(value, Value::None));
                    return Sent::Other;
                }
                sent => return sent,
            }
        }
        self.send_to(generator, value)
    }

    /// The same for the generator itself.
    fn send_to(&mut self, generator: &Generator, value: &mut Value) -> Sent {
        if self.depth >= self.limit {
            return Sent::Other;
        }
        let is_through = || generator.body.borrow().is_none() && !generator.running.get();
        if value.is_none() && generator.kind == GeneratorKind::Generator && is_through() {
            return Sent::Returned;
        }
        let Some((mut frame, mut code)) = take_for_code(generator, value) else {
            return Sent::Other;
        };
        generator.running.set(true);
        self.depth += 1;
        let resumed = match &mut code {
            Code::Ready(_, ready) => ready.resume(self, &mut frame, value),
            Code::Found(compiled) => compiled.resume_quickly(self, &mut frame, value),
        };
        self.depth -= 1;
        generator.running.set(false);
        if !matches!(resumed, Resumed::Missed | Resumed::Lower) {
            generator.started.set(true);
        }
        match resumed {
            Resumed::Yielded => {
                put_back(generator, frame, None, Some(code));
                Sent::Yielded
            }
            Resumed::Returned => {
                self.recycle(frame);
                drop(generator.body.take());
                Sent::Returned
            }
            Resumed::Missed => {
                put_back(generator, frame, None, None);
                Sent::Other
            }
            Resumed::Lower => {
                put_back(generator, frame, None, Some(code));
                Sent::Lower
            }
            Resumed::Left(raised) => {
                put_back(generator, frame, Some(raised), None);
                Sent::Other
            }
        }
    }

    /// Has machine code run a generator's frame on.
    #[inline]
    pub(crate) fn resume_compiled(
        &mut self,
        compiled: &dyn CompiledGenerator,
        frame: &mut Frame,
        value: &mut Value,
    ) -> Resumed {
        // Code that calls this wants to know that Python ran, in whichever tier.
        self.stats.compiled_frames += 1;
        self.stats.jit_entered += 1;
        compiled.resume(self, frame, value)
    }

    /// Runs a suspended frame on, with what the `yield` at which it stopped gives.
    pub(crate) fn run_sent(
        &mut self,
        mut frame: Box<Frame>,
        mut value: Value,
        started: bool,
    ) -> PyResult {
        if self.is_for_code(&frame.code)
            && let Some(compiled) = self.generator_code(&frame)
        {
            match self.resume_compiled(&*compiled, &mut frame, &mut value) {
                Resumed::Missed | Resumed::Lower => {}
                Resumed::Yielded => {
                    self.suspended = Some(frame);
                    return Ok(value);
                }
                Resumed::Returned => {
                    self.recycle(frame);
                    return Ok(value);
                }
                Resumed::Left(raised) => return self.eval_from(frame, raised),
            }
        }
        if !started {
            return self.eval(frame);
        }
        frame.stack.push(Some(value));
        self.run_resumed(frame)
    }

    /// Counts a take-over.
    #[inline]
    pub(crate) fn after_jit(&mut self, entry: Entry) -> Entry {
        if !matches!(entry, Entry::Interpret) {
            self.stats.jit_entered += 1;
        }
        entry
    }

    /// Runs a frame made by a call: compiled code first, if its time has come.
    #[inline]
    pub(crate) fn run_bound(&mut self, frame: Box<Frame>) -> PyResult {
        self.check_breaker()?;
        let from_outside = &frame.code.jit.from_outside;
        from_outside.set(from_outside.get().saturating_add(1));
        let asks = self.count_entry(&frame);
        self.run_asking(frame, asks)
    }

    /// Counts a call; whether compiled code is to be asked, or the call is traced.
    #[inline]
    pub(crate) fn count_entry(&self, frame: &Frame) -> bool {
        if !self.profiling {
            return self.traced;
        }
        let code = &frame.code;
        code.profile.entries.set(code.profile.entries.get() + 1);
        if self.jit.is_none() {
            return self.traced;
        }
        let left = code.jit.entry_countdown.get();
        code.jit.entry_countdown.set(left.saturating_sub(1));
        left == 0
    }

    /// Runs a frame whose entry was counted: compiled code first, if it is to be asked.
    #[inline(never)]
    pub(crate) fn run_asking(&mut self, mut frame: Box<Frame>, asks: bool) -> PyResult {
        if asks && let Some(hook) = self.jit.clone() {
            self.stats.jit_asked += 1;
            let entry = hook.jit.enter_function(self, &mut frame);
            return self.eval_after(frame, entry);
        }
        self.eval(frame)
    }

    /// Runs a frame on from the `yield` at which it stopped: compiled code first, as after a call.
    fn run_resumed(&mut self, mut frame: Box<Frame>) -> PyResult {
        let at = frame.pc.saturating_sub(1);
        if self.profiling
            && let Some(hook) = self.jit.as_ref()
            && let Some(site) = frame.code.profile.site(at)
            && site.resumes.get()
        {
            let left = site.countdown.get();
            if left == 0 {
                let hook = hook.clone();
                self.stats.jit_asked += 1;
                let entry = hook.jit.enter_rest(self, &mut frame, at);
                return self.eval_after(frame, entry);
            }
            site.countdown.set(left - 1);
        }
        self.eval(frame)
    }

    /// Runs what compiled code that was asked before has left of a frame.
    #[inline]
    fn eval_after(&mut self, frame: Box<Frame>, entry: Entry) -> PyResult {
        match self.after_jit(entry) {
            Entry::Interpret | Entry::Resume => self.eval(frame),
            // Code that calls this wants to know that Python ran, in whichever tier.
            Entry::Return(value) => {
                self.stats.compiled_frames += 1;
                self.recycle(frame);
                Ok(value)
            }
            Entry::Raise(raised) => {
                self.stats.compiled_frames += 1;
                self.recycle(frame);
                Err(raised)
            }
            Entry::Throw(raised) => self.eval_from(frame, Some(raised)),
        }
    }
}
