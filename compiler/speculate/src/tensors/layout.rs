//! How elements of tensors from outside lie, as far as that was asked for.
//!
//! In: nothing. Out: [`Layout`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashMap;

use janus_plan::NodeId;

use crate::state::sym::Obj;

/// How elements of tensors from outside lie, as far as that was asked for.
#[derive(Default)]
pub(crate) struct Layout {
    /// Tensors that are guarded to be contiguous, or not to be.
    pub(crate) dense: std::cell::RefCell<HashMap<NodeId, bool>>,
    /// Tensors that are not contiguous, with the order of their dimensions in memory, which is guarded.
    pub(crate) ordered: std::cell::RefCell<HashMap<NodeId, Option<janus_tensor::ops::Axes>>>,
    /// Tensors that are not contiguous, with the dimensions that are guarded to join.
    pub(crate) joined: std::cell::RefCell<HashMap<NodeId, Vec<bool>>>,
    /// Tensors that are not contiguous, with the strides that they are guarded to have.
    pub(crate) strided: std::cell::RefCell<HashMap<NodeId, Vec<i64>>>,
    /// What the running in-place operation is going to write over: what backward needs of it is copied.
    pub(in crate::tensors) changing: Option<Obj>,
}
