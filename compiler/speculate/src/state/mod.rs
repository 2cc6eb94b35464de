//! The symbolic state: values, objects, frames and extents as data, and what bytecode alone tells.
//!
//! Nothing here emits an op or looks at a real object. Names the plan only.

pub(crate) mod cfg;
pub(crate) mod dims;
pub(crate) mod open;
pub(crate) mod place;
pub(crate) mod region;
pub(crate) mod running;
pub(crate) mod stop;
pub(crate) mod sym;
pub(crate) mod template;
pub(crate) mod types;
