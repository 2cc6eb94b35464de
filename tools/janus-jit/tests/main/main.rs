//! The built `janus-jit`, as users run it.

// Helpers of tests fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bench;
mod cache;
mod deopt;
mod errors;
mod explain;
mod fuzz;
mod lattice;
mod packages;
mod pages;
mod passes;
mod python;
mod readme;
mod stages;
mod stats;
mod steady;
mod support;
mod trace;
mod verify;
