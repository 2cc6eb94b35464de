//! Tier 1 against tier 0.
//!
//! In: Python programs, written by hand and at random. Out: whether both tiers print the same, and
//! whether what should be compiled was. Always: tier 1 here is asked early and often, and made to
//! leave its code on purpose.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test may panic"
)]

mod deopts;
mod golden;
mod harness;
mod programs;
mod random;
mod scripts;
