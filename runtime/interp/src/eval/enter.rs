//! Calls of functions in Python where nobody else has something to do or to say.
//!
//! In: the frame that calls. Out: whether it was done; then the frame is another one, at its first instruction. Always: what is
//! not done has changed nothing.

use janus_object::{CodeObject, Payload, Site, Value, heap};

use super::current::Current;
use super::stack::{held, push_to};
use crate::Interp;
use crate::cache::{CodeState, Quick};
use crate::frame::Purpose;
use crate::profile::saw_callee;

impl Interp {
    /// Whether a call can go on with a frame of this code.
    #[inline(always)]
    fn may_enter(&self, code: &CodeObject) -> bool {
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

    /// Enters the function that a `Call` calls, or the `__init__` of the class; `top`: behind its arguments on the stack.
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
        let init;
        // The function, and what it is called with before the arguments.
        let (function, first) = match callable {
            Value::Function(function) => (function, None),
            Value::Method(method) if receiver.is_none() => match &method.function {
                Value::Function(function) => (function, Some(&method.receiver)),
                _ => return false,
            },
            Value::Class(class) if receiver.is_none() => {
                let cache = CodeState::of(&frame.code)
                    .and_then(|state| state.calls.get(call.cache as usize));
                let Some(found) = cache.and_then(|cache| cache.init_of(class)) else {
                    return false;
                };
                init = found;
                (&init, Some(callable))
            }
            _ => return false,
        };
        let count = given + usize::from(receiver.is_some() || first.is_some());
        // SAFETY: what is called stays on the stack, or in `init`, until its arguments are bound; and it keeps its code.
        let function = unsafe { held(function) };
        // SAFETY: as above.
        let Ok(code) = (unsafe { function.code.try_borrow_unguarded() }) else {
            return false;
        };
        let state = self.code_state(code);
        if !self.may_enter(code) || !state.takes(function, count) {
            return false;
        }
        let mut purpose = Purpose::Call;
        if let Some(first) = first {
            *receiver = Some(match callable {
                Value::Class(class) => {
                    let instance = Value::instance(class, Payload::None);
                    purpose = Purpose::Init(instance.clone());
                    instance
                }
                _ => first.clone(),
            });
        }
        // SAFETY: so many arguments lie there, which the stack forgets below.
        let mut new = unsafe { self.bind_moved(function, code, state, top.sub(count), count) };
        if self.profiling {
            self.count_entry(&new);
            if let Some(site) = sites.get(call.site as usize) {
                site.hit();
                saw_callee(site, callable);
            }
        }
        if !matches!(purpose, Purpose::Call) {
            new.purpose = purpose;
        }
        frame.pc = pc as u32;
        // SAFETY: the callable is taken off, and what lies above it was taken; all are of the frame's stack.
        unsafe {
            let len = place
                .cast_const()
                .offset_from_unsigned(frame.stack.as_ptr());
            frame.stack.set_len(len);
            if let Some(callable) = place.read() {
                callable.release();
            }
        }
        self.depth += 1;
        let outer = std::mem::replace(frame, Current::new(new));
        push_to(&mut self.frames, outer.into_box());
        true
    }
}
