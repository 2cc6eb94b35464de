//! Frames under way.
//!
//! In: nothing. Out: [`Calls`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashMap;
use std::rc::Rc;

use janus_object::{CodeObject, PyRef};

use crate::state::running::Active;

/// Frames under way.
#[derive(Default)]
pub(crate) struct Calls {
    /// The active frames, outermost first.
    pub(crate) active: Vec<Active>,
    pub(crate) inlined: Vec<PyRef<CodeObject>>,
    /// The next frame is what a call instruction calls.
    pub(crate) calls_directly: bool,
    pub(in crate::interpreter) steps: u32,
    pub(in crate::interpreter) post_dominators: HashMap<*const CodeObject, Rc<Vec<Option<u32>>>>,
}
