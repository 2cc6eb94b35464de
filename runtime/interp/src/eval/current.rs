//! The frame that the loop executes.
//!
//! In: a box. Out: the same box. Always: what is moved out of the variable is moved back, or the loop is left, which the compiler
//! checks. Of a box itself it would note at each instruction whether the variable holds one, to drop it at the end: a
//! twentieth of the interpreter's time.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

use crate::Frame;

/// A frame that its owner does not drop where it leaves: it goes to whoever takes it out.
pub(super) struct Current(ManuallyDrop<Box<Frame>>);

impl Current {
    #[inline(always)]
    pub fn new(frame: Box<Frame>) -> Current {
        Current(ManuallyDrop::new(frame))
    }

    /// The box, for whoever keeps it until it is put back, or another frame is put here.
    ///
    /// # Safety
    /// Nothing is done with the frame here meanwhile.
    #[inline(always)]
    pub unsafe fn lend(&mut self) -> Box<Frame> {
        // SAFETY: the caller's promise.
        unsafe { ManuallyDrop::take(&mut self.0) }
    }

    #[inline(always)]
    pub fn into_box(self) -> Box<Frame> {
        ManuallyDrop::into_inner(self.0)
    }
}

impl Deref for Current {
    type Target = Box<Frame>;

    #[inline(always)]
    fn deref(&self) -> &Box<Frame> {
        &self.0
    }
}

impl DerefMut for Current {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Box<Frame> {
        &mut self.0
    }
}
