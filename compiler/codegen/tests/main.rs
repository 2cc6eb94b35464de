//! Compiled graphs against eager kernels, bit for bit.

mod mlp;
