//! Loops that are frames of the graph: what they carry, how they are entered and left.
//!
//! Names lists, and the layers below them.

pub(crate) mod aliases;
pub(crate) mod carried;
pub(crate) mod changed_places;
pub(crate) mod condition;
pub(crate) mod exit;
pub(crate) mod frame_ops;
pub(crate) mod framed;
pub(crate) mod raised;
pub(crate) mod templates;
pub(crate) mod trip_count;
pub(crate) mod under_way;
