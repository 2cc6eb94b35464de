//! Emission: ops of the graph, its contexts, what it asserts, and refusals with the user's line.
//!
//! Names the state.

pub(crate) mod asserts;
pub(crate) mod contexts;
pub(crate) mod emission;
pub(crate) mod ops;
pub(crate) mod outputs;
pub(crate) mod refusals;
