//! Extents that are not known when a region is converted.
//!
//! In: nothing. Out: [`Extents`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::HashMap;

use janus_dialect::ValueId;
use janus_tensor::Dim;

use crate::state::dims::DimInfo;

/// Extents that are not known when a region is converted.
#[derive(Default)]
pub(crate) struct Extents {
    pub(crate) dims: Vec<DimInfo>,
    /// Extents computed so far, so that equal computations are equal symbols.
    pub(crate) dim_results: HashMap<(janus_tensor::ops::DimOp, Dim, Dim), Dim>,
    /// Extents made of numbers, each with its context: what is made of one number has one extent.
    pub(crate) number_dims: HashMap<ValueId, (Dim, u32)>,
    /// Where masks are set, so that one mask is of one extent however often it is asked.
    pub(crate) places: crate::tensors::tensor::Places,
}
