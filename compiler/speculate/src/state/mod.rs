//! The symbolic state: values, objects, frames and extents as data, and what bytecode alone tells.
//!
//! Nothing here emits an op or looks at a real object. Names the plan only.

pub(crate) mod cfg;
pub(crate) mod sym;
