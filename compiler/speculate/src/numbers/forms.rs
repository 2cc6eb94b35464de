//! How ints and bools of the graph were computed from one another.
//!
//! In: nothing. Out: [`IntForms`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashMap;

use janus_dialect::ValueId;

use crate::numbers::linear_ints::Linear;

/// How ints and bools of the graph were computed from one another.
#[derive(Default)]
pub(crate) struct IntForms {
    /// Ints that are `by * base + plus`.
    pub(in crate::numbers) linear: HashMap<ValueId, Linear>,
    /// Ints of which at most so much counts, and what that is.
    pub(in crate::numbers) bounded: Vec<(ValueId, i64, ValueId)>,
    /// The same of int tensors of one element, and those that are a constant.
    pub(in crate::numbers) shifted: HashMap<ValueId, (ValueId, i64)>,
    pub(crate) int_constants: HashMap<ValueId, i64>,
    /// The int that an extent was made of.
    pub(crate) dim_scalars: HashMap<u32, ValueId>,
    /// Of which bool another one is the opposite.
    pub(crate) opposites: HashMap<ValueId, ValueId>,
}
