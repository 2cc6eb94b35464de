//! How higher tiers are asked to take over.
//!
//! In: a frame at a function's entry or at a loop head whose countdown ran out. Out: [`Entry`].
//! Always: the interpreter knows nothing else about compiled code.

use std::rc::Rc;

use janus_object::{CodeObject, PyFunction, PyResult, Raised, Value};

use crate::eval::ArgVec;
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
}

/// Machine code of a function that needs no frame to be entered.
pub trait CompiledFunction {
    /// Calls it with one argument for each parameter. The arguments stay the caller's. `None`: with these it has to be called
    /// in another way, and nothing happened.
    fn call(&self, vm: &mut Interp, function: &PyFunction, args: &[Value]) -> Option<PyResult>;
}

/// How a code object keeps a [`CompiledFunction`].
struct Kept(Rc<dyn CompiledFunction>);

/// Has calls of functions with this code go to machine code, or no longer.
pub fn set_compiled(code: &CodeObject, compiled: Option<Rc<dyn CompiledFunction>>) {
    let kept = compiled.map(|compiled| Rc::new(Kept(compiled)) as Rc<dyn std::any::Any>);
    drop(code.jit.compiled.replace(kept));
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
        let Kept(compiled) = kept.downcast_ref()?;
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
    pub(crate) fn run_resumed(&mut self, mut frame: Box<Frame>) -> PyResult {
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
