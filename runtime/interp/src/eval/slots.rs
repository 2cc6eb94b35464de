//! The parts of a frame that the quick loop works on, without checks that verified code makes unnecessary.
//!
//! In: a frame that executes verified code ([`janus_bytecode::verify`]). Out: its stack, its variables and its place in the
//! instructions. Always: in a debug build each access is checked.

use janus_object::Value;

use crate::Frame;
use crate::cache::Quick;

type Slot = Option<Value>;

/// The values of a frame, while this loop has them.
pub(super) struct Stack {
    /// Behind the last value.
    top: *mut Slot,
    #[cfg(debug_assertions)]
    room: std::ops::Range<*mut Slot>,
}

impl Stack {
    /// Takes the values of a stack, which is empty until they are given back.
    ///
    /// # Safety
    /// Until then, what is executed is verified code that needs no more than the stack has room for, with the depth
    /// that it has at that instruction.
    #[inline(always)]
    pub unsafe fn take(stack: &mut Vec<Slot>) -> Stack {
        let len = stack.len();
        // SAFETY: it is no longer than before. If this loop panics, the values are lost.
        unsafe { stack.set_len(0) };
        let first = stack.as_mut_ptr();
        Stack {
            // SAFETY: within what the vector has.
            top: unsafe { first.add(len) },
            #[cfg(debug_assertions)]
            room: first..first.wrapping_add(stack.capacity()),
        }
    }

    /// Gives the values back.
    ///
    /// # Safety
    /// They were taken of this stack.
    #[inline(always)]
    pub unsafe fn give_back(&self, stack: &mut Vec<Slot>) {
        // SAFETY: so many values are there, in the vector's own memory.
        unsafe {
            let len = self.top.cast_const().offset_from_unsigned(stack.as_ptr());
            stack.set_len(len);
        }
    }

    #[inline(always)]
    fn check(&self, below: usize, above: usize) {
        #[cfg(debug_assertions)]
        {
            let bytes = |count: usize| count * size_of::<Slot>();
            assert!(self.top.addr() - self.room.start.addr() >= bytes(below));
            assert!(self.room.end.addr() - self.top.addr() >= bytes(above));
        }
        let _ = (below, above);
    }

    /// Behind the last value.
    #[inline(always)]
    pub fn top(&self) -> *mut Slot {
        self.top
    }

    #[inline(always)]
    pub fn push_slot(&mut self, slot: Slot) {
        self.check(0, 1);
        // SAFETY: verified code does not push more than there is room for.
        unsafe {
            self.top.write(slot);
            self.top = self.top.add(1);
        }
    }

    #[inline(always)]
    pub fn push(&mut self, value: Value) {
        self.push_slot(Some(value));
    }

    /// The slot so many below the top; the last one is 1.
    #[inline(always)]
    pub fn slot(&self, depth: usize) -> &Slot {
        self.check(depth, 0);
        // SAFETY: verified code does not look below the first value.
        unsafe { &*self.top.sub(depth) }
    }

    #[inline(always)]
    pub fn slot_mut(&mut self, depth: usize) -> &mut Slot {
        self.check(depth, 0);
        // SAFETY: as above.
        unsafe { &mut *self.top.sub(depth) }
    }

    /// The value so many below the top; none where that is the NULL of `PushNull`.
    #[inline(always)]
    pub fn peek(&self, depth: usize) -> Option<&Value> {
        self.slot(depth).as_ref()
    }

    /// The last ones.
    #[inline(always)]
    pub fn last(&self, count: usize) -> &[Slot] {
        self.check(count, 0);
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts(self.top.sub(count), count) }
    }

    #[inline(always)]
    pub fn last_mut(&mut self, count: usize) -> &mut [Slot] {
        self.check(count, 0);
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.top.sub(count), count) }
    }

    /// The last ones, if all are values.
    #[inline(always)]
    pub fn last_values(&self, count: usize) -> Option<&[Value]> {
        let slots = self.last(count);
        if !slots.iter().all(Option::is_some) {
            return None;
        }
        // SAFETY: a slot that holds a value has that value's bytes: what is none is one more tag.
        Some(unsafe { std::slice::from_raw_parts(slots.as_ptr().cast(), count) })
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Slot {
        self.check(1, 0);
        // SAFETY: as above; the slot is no longer part of the stack.
        unsafe {
            self.top = self.top.sub(1);
            self.top.read()
        }
    }

    /// Takes off slots that own nothing.
    #[inline(always)]
    pub fn forget(&mut self, count: usize) {
        self.check(count, 0);
        // SAFETY: as above.
        self.top = unsafe { self.top.sub(count) };
    }

    /// Drops the last ones, the deepest first, as the eval loop does.
    #[inline(always)]
    pub fn drop_last(&mut self, count: usize) {
        self.forget(count);
        for at in 0..count {
            // SAFETY: the slots are no longer part of the stack; each is dropped once.
            if let Some(value) = unsafe { self.top.add(at).read() } {
                value.release();
            }
        }
    }

    /// Takes the last ones, which are values.
    #[inline(always)]
    pub fn take_last(&mut self, count: usize) -> Option<Vec<Value>> {
        let from = self.last_values(count)?.as_ptr();
        let mut values: Vec<Value> = Vec::with_capacity(count);
        // SAFETY: there is room for them, and they are no longer part of the stack.
        unsafe {
            std::ptr::copy_nonoverlapping(from, values.as_mut_ptr(), count);
            values.set_len(count);
        }
        self.forget(count);
        Some(values)
    }
}

/// The local variables of a frame.
pub(super) struct Locals {
    first: *mut Slot,
    #[cfg(debug_assertions)]
    count: usize,
}

impl Locals {
    /// # Safety
    /// While they are used, the frame has a local for each variable of the code that is executed, and nobody else uses them.
    #[inline(always)]
    pub unsafe fn of(locals: &mut [Slot]) -> Locals {
        Locals {
            first: locals.as_mut_ptr(),
            #[cfg(debug_assertions)]
            count: locals.len(),
        }
    }

    #[inline(always)]
    fn at(&self, variable: u32) -> *mut Slot {
        #[cfg(debug_assertions)]
        assert!((variable as usize) < self.count);
        // SAFETY: verified code names no other variables than there are.
        unsafe { self.first.add(variable as usize) }
    }

    #[inline(always)]
    pub fn get(&self, variable: u32) -> Option<&Value> {
        // SAFETY: see above.
        unsafe { &*self.at(variable) }.as_ref()
    }

    #[inline(always)]
    pub fn set(&mut self, variable: u32, value: Value) {
        // SAFETY: as above.
        value.put(unsafe { &mut *self.at(variable) });
    }
}

/// Where a frame is in its instructions.
pub(super) struct Cursor<'a> {
    at: *const Quick,
    instrs: &'a [Quick],
}

impl<'a> Cursor<'a> {
    /// At an instruction.
    ///
    /// # Safety
    /// The instructions are those of verified code, and `pc` is one of them.
    #[inline(always)]
    pub unsafe fn new(instrs: &'a [Quick], pc: usize) -> Cursor<'a> {
        debug_assert!(pc < instrs.len());
        Cursor {
            // SAFETY: the caller's promise.
            at: unsafe { instrs.as_ptr().add(pc) },
            instrs,
        }
    }

    #[inline(always)]
    pub fn pc(&self) -> usize {
        // SAFETY: it points into them.
        unsafe { self.at.offset_from_unsigned(self.instrs.as_ptr()) }
    }

    /// The instruction so many behind this one, which must be there: behind each that does not end the code another one
    /// follows, and what is fused has all its parts.
    #[inline(always)]
    pub fn ahead(&self, count: usize) -> &'a Quick {
        debug_assert!(self.pc() + count < self.instrs.len());
        // SAFETY: see above.
        unsafe { &*self.at.add(count) }
    }

    #[inline(always)]
    pub fn advance(&mut self, count: usize) {
        debug_assert!(self.pc() + count < self.instrs.len());
        // SAFETY: as above.
        self.at = unsafe { self.at.add(count) };
    }

    /// The instruction that is a jump's target.
    #[inline(always)]
    pub fn target(&self, target: u32) -> &'a Quick {
        known(self.instrs, target)
    }

    /// Goes to the target of a jump, which is an instruction of verified code.
    #[inline(always)]
    pub fn jump(&mut self, target: u32) {
        debug_assert!((target as usize) < self.instrs.len());
        // SAFETY: see above.
        self.at = unsafe { self.instrs.as_ptr().add(target as usize) };
    }
}

/// An item of what an operand of verified code says is there.
#[inline(always)]
pub(super) fn known<T>(items: &[T], at: u32) -> &T {
    debug_assert!((at as usize) < items.len());
    // SAFETY: operands were verified against the code's constants, names and variables; a frame has a local for each variable.
    unsafe { items.get_unchecked(at as usize) }
}

/// The parts of a frame at an instruction.
///
/// # Safety
/// The frame executes these instructions, which are those of verified code or begin with one of them, and has the depth of
/// stack there that its code has. Until the stack is given back nobody else uses its stack and its variables.
#[inline(always)]
pub(super) unsafe fn parts<'a>(
    frame: &mut Frame,
    instrs: &'a [Quick],
    pc: usize,
) -> (Stack, Cursor<'a>, Locals) {
    let room = frame.code.code.stack_size as usize + 1;
    if frame.stack.capacity() < room {
        reserve(&mut frame.stack, room);
    }
    // SAFETY: the caller's promise; there is room for all that verified code pushes.
    unsafe {
        (
            Stack::take(&mut frame.stack),
            Cursor::new(instrs, pc),
            Locals::of(&mut frame.locals),
        )
    }
}

#[cold]
fn reserve(stack: &mut Vec<Slot>, room: usize) {
    stack.reserve(room - stack.len());
}
