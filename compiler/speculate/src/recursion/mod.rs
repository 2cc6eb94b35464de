//! Functions that call themselves as graphs that invoke themselves, and objects that the graph comes to by itself.
//!
//! Names loops, and the layers below them.

pub(crate) mod arguments;
pub(crate) mod graph_dicts;
pub(crate) mod graph_objects;
pub(crate) mod graph_tensors;
pub(crate) mod invoke;
pub(crate) mod object_state;
pub(crate) mod region_state;
pub(crate) mod returned;
pub(crate) mod side_effects;
pub(crate) mod under_way;
