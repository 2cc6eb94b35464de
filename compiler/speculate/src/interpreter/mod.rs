//! The symbolic interpreter: frames, and one arm for each instruction.
//!
//! Names all layers but attempts.

pub(crate) mod run;
pub(crate) mod step;
pub(crate) mod under_way;
