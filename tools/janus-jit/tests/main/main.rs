//! The built `janus-jit`, as users run it.

mod cache;
mod deopt;
mod errors;
mod explain;
mod fuzz;
mod readme;
mod stats;
mod support;
