//! Calls of functions in Python where nobody else has something to do or to say.
//!
//! In: the frame that calls. Out: whether it was done; then the frame is another one, at its first instruction. Always: what is
//! not done has changed nothing.

use std::mem::ManuallyDrop;

use janus_object::ops::Special;
use janus_object::{Args, CodeObject, Instance, PyFunction, PyRef, PyResult, Site, Value, heap};

use super::current::Current;
use super::stack::{held, push_to};
use crate::bind::{Bound, bound};
use crate::cache::{CodeState, Quick};
use crate::frame::Purpose;
use crate::profile::saw_callee;
use crate::{Frame, Interp};

/// The function of a function or a method, and what it is called with before the arguments; `receiver`: what already is.
#[inline(always)]
fn function_of<'a>(
    callable: &'a Value,
    receiver: &Option<Value>,
) -> Option<(&'a PyRef<PyFunction>, Option<&'a Value>)> {
    match callable {
        Value::Function(function) => Some((function, None)),
        Value::Method(method) if receiver.is_none() => match &method.function {
            Value::Function(function) => Some((function, Some(&method.receiver))),
            _ => None,
        },
        _ => None,
    }
}

/// Takes a callable off the stack, and what lies above it.
///
/// # Safety
/// It is a place of the frame's stack, and what lies above it belongs to somebody else, or is none.
#[inline(always)]
unsafe fn release_callable(frame: &mut Current, place: *mut Option<Value>) {
    // SAFETY: the caller's promise.
    unsafe {
        let len = place
            .cast_const()
            .offset_from_unsigned(frame.stack.as_ptr());
        frame.stack.set_len(len);
        if let Some(callable) = place.read() {
            callable.release();
        }
    }
}

/// What a call came to.
pub(super) enum Entered {
    /// Nothing was done.
    Not,
    /// The frame is that of the function.
    Frame,
    /// A generator or coroutine was made.
    Value(Value),
}

impl Interp {
    /// Whether a call can go on with a frame of this code.
    #[inline(always)]
    pub(super) fn may_enter(&self, code: &CodeObject) -> bool {
        let jit = &code.jit;
        // SAFETY: nothing runs meanwhile.
        let compiled = unsafe { jit.compiled.try_borrow_unguarded() };
        let asks = || self.profiling && self.jit.is_some() && jit.entry_countdown.get() == 0;
        !self.traced
            && self.depth < self.limit
            && !heap::is_pending()
            && !janus_gil::pending::is_break_due()
            && compiled.is_ok_and(|compiled| compiled.is_none())
            && !asks()
    }

    /// Calls a native, or the constructor of a built-in class.
    #[inline]
    pub(super) fn call_native(&mut self, callable: &Value, args: &[Value]) -> PyResult {
        match callable {
            Value::Native(native) => native.call(self, Args::new(args)),
            Value::Class(class) if let Some(construct) = class.construct.get() => {
                construct(self, Args::new(args))
            }
            other => self.call_value(other, Args::new(args)),
        }
    }

    /// Enters the function that a `Call` calls, or the `__init__` of the class, or the `__call__` of the instance, if it takes its
    /// arguments as they are; whether that was done. `top`: behind the arguments on the stack.
    ///
    /// # Safety
    /// The frame's stack ends there, and has the operands of the call. Its length is set if the call is made.
    #[inline(never)]
    pub(super) unsafe fn enter_called(
        &mut self,
        frame: &mut Current,
        sites: &[Site],
        pc: usize,
        call: &Quick,
        top: *mut Option<Value>,
    ) -> bool {
        let given = call.arg as usize;
        // SAFETY: the operands are there: a callable, what it is called with first or NULL, the arguments.
        let (place, receiver) = unsafe { (top.sub(given + 2), &mut *top.sub(given + 1)) };
        // SAFETY: as above.
        let Some(callable) = (unsafe { &*place }) else {
            return false;
        };
        let found;
        // The function, and what it is called with before the arguments.
        let (function, first) = match callable {
            Value::Class(_) | Value::Instance(_) if receiver.is_none() => {
                let cache = CodeState::of(&frame.code)
                    .and_then(|state| state.calls.get(call.cache as usize));
                match cache.and_then(|cache| cache.method_of(callable)) {
                    Some(method) => found = method,
                    None => return false,
                }
                (&found, Some(callable))
            }
            _ => match function_of(callable, receiver) {
                Some(found) => found,
                None => return false,
            },
        };
        let count = given + usize::from(receiver.is_some() || first.is_some());
        // SAFETY: what is called stays on the stack, or in `found`, until its arguments are bound; and it keeps its code.
        let function = unsafe { held(function) };
        // SAFETY: as above.
        let Ok(code) = (unsafe { function.code.try_borrow_unguarded() }) else {
            return false;
        };
        let state = self.code_state(code);
        if !self.may_enter(code) || state.suspends || !state.takes(function, count) {
            return false;
        }
        let mut purpose = Purpose::Call;
        if let Some(first) = first {
            *receiver = Some(match callable {
                Value::Class(class) => {
                    let instance = Instance::with_dict(class.clone());
                    purpose = Purpose::Init(instance.clone());
                    instance
                }
                _ => first.clone(),
            });
        }
        if let Some(site) = sites.get(call.site as usize) {
            site.hit();
            saw_callee(site, callable);
        }
        // SAFETY: so many arguments lie there, which the stack forgets below.
        let new = unsafe { self.bind_moved(function, code, state, top.sub(count), count) };
        frame.pc = pc as u32;
        // SAFETY: the callable is taken off, and what lies above it was taken.
        unsafe { release_callable(frame, place) };
        self.run_here(frame, new, purpose);
        true
    }

    /// As [`Self::enter_called`] of a function or method that gathers arguments, or that makes a generator.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    pub(super) unsafe fn enter_gathering(
        &mut self,
        frame: &mut Current,
        sites: &[Site],
        pc: usize,
        call: &Quick,
        top: *mut Option<Value>,
    ) -> PyResult<Entered> {
        let given = call.arg as usize;
        // SAFETY: as above.
        let (place, receiver) = unsafe { (top.sub(given + 2), &mut *top.sub(given + 1)) };
        // SAFETY: as above.
        let Some(callable) = (unsafe { &*place }) else {
            return Ok(Entered::Not);
        };
        let Some((function, first)) = function_of(callable, receiver) else {
            return Ok(Entered::Not);
        };
        let count = given + usize::from(receiver.is_some() || first.is_some());
        let code = function.code.borrow().clone();
        let state = self.code_state(&code);
        // What has other parameters than those by position, or has too few or too many arguments, raises in the eval loop.
        let takes = state.takes(function, count);
        if !self.may_enter(&code) || !takes && state.simple {
            return Ok(Entered::Not);
        }
        let function = function.clone();
        if let Some(first) = first {
            *receiver = Some(first.clone());
        }
        if let Some(site) = sites.get(call.site as usize) {
            site.hit();
            saw_callee(site, callable);
        }
        frame.pc = pc as u32;
        // SAFETY: so many arguments lie there, which the stack forgets.
        let result = unsafe {
            let args = top.sub(count);
            if takes {
                let new = self.bind_moved(&function, &code, state, args, count);
                Ok(bound(&function, state, new))
            } else {
                let args = std::slice::from_raw_parts_mut(args, count);
                let result = match self.bind_named(&function, args, &[]) {
                    Ok(None) => {
                        let args = args.iter_mut().filter_map(Option::take).collect();
                        self.bind(&function, args, Vec::new())
                    }
                    Ok(Some(new)) => Ok(Bound::Frame(new)),
                    Err(raised) => Err(raised),
                };
                // Those that an error left.
                args.fill(None);
                result
            }
        };
        // SAFETY: the callable is taken off, and what lies above it was taken.
        unsafe { release_callable(frame, place) };
        Ok(match result? {
            Bound::Frame(new) => {
                self.run_here(frame, new, Purpose::Call);
                Entered::Frame
            }
            Bound::Suspended(value) => Entered::Value(value),
        })
    }

    /// Enters a method with a receiver and at most one argument; whether that was done.
    #[inline(never)]
    pub(super) fn enter_method(
        &mut self,
        frame: &mut Current,
        function: &PyFunction,
        receiver: &Value,
        argument: Option<&Value>,
        special: Special,
    ) -> bool {
        let code = function.code.borrow();
        let state = self.code_state(&code);
        let count = 1 + usize::from(argument.is_some());
        if !self.may_enter(&code) || state.suspends || !state.takes(function, count) {
            return false;
        }
        let args = [Some(receiver.clone()), argument.cloned()].map(ManuallyDrop::new);
        // SAFETY: so many arguments are there, which are not dropped here.
        let new = unsafe { self.bind_moved(function, &code, state, args.as_ptr().cast(), count) };
        self.run_here(frame, new, Purpose::Operator(special));
        true
    }

    /// Goes on with a new frame that this one called.
    #[inline(always)]
    pub(super) fn run_here(&mut self, frame: &mut Current, mut new: Box<Frame>, purpose: Purpose) {
        if self.profiling {
            self.count_entry(&new);
        }
        if !matches!(purpose, Purpose::Call) {
            new.purpose = purpose;
        }
        self.depth += 1;
        let outer = std::mem::replace(frame, Current::new(new));
        push_to(&mut self.frames, outer.into_box());
    }
}
