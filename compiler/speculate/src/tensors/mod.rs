//! Tensors of the graph: primitives, extents, views and writes in place, random numbers, gradients.
//!
//! Names numbers, and the layers below them.

pub(crate) mod calls;
pub(crate) mod draws;
pub(crate) mod extents;
pub(crate) mod geometry;
pub(crate) mod gradients;
pub(crate) mod in_place;
pub(crate) mod known_extents;
pub(crate) mod layout;
pub(crate) mod overlap;
pub(crate) mod parameters;
pub(crate) mod primitives;
pub(crate) mod random;
pub(crate) mod saved;
pub(crate) mod tape;
pub(crate) mod tensor;
