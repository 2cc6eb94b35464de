//! Compiled graphs against eager kernels, bit for bit.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod calls;
mod device;
mod fusion;
mod harness;
mod loops;
mod mlp;
mod primitives;
