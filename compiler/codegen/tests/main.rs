//! Compiled graphs against eager kernels, bit for bit.

mod fusion;
mod harness;
mod mlp;
mod primitives;
