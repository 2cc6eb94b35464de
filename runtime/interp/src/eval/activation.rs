//! What the loop executes of a frame.

use janus_object::{CodeObject, PyRef, Site};

use crate::cache::{CodeState, Quick};
use crate::{Frame, Interp};

impl Interp {
    /// What the loop needs of a frame's code.
    #[inline(always)]
    pub(super) fn activation<'a>(&self, frame: &Frame) -> Activation<'a> {
        // SAFETY: a frame keeps its code alive and never changes it while it is evaluated; the loop, which alone calls
        // this, looks at the code only as long as it has the frame.
        let code: &'a CodeObject = unsafe { &*PyRef::as_ptr(&frame.code) };
        let state = self.code_state(code);
        Activation {
            code,
            state,
            instrs: match &frame.steps {
                None => &state.ops,
                // SAFETY: as above; the frame keeps them, too.
                Some(steps) => unsafe { &*steps.ops() },
            },
            sites: if self.profiling {
                &code.profile.sites
            } else {
                &[]
            },
        }
    }
}

/// The code that the loop executes.
pub(super) struct Activation<'a> {
    pub(super) code: &'a CodeObject,
    pub(super) state: &'a CodeState,
    pub(super) instrs: &'a [Quick],
    pub(super) sites: &'a [Site],
}
