//! rng
