//! The words of the context that generated code works on.
//!
//! In: nothing. Out: their order. Always: word 0 is the session's address; exits write from
//! [`SLOTS`] on.

/// The recursion limit.
pub(crate) const LIMIT: usize = 1;
/// Recursion depth of the region's own frame.
pub(crate) const DEPTH: usize = 2;
/// Values at entry and at exits; the result is in the first one.
pub(crate) const SLOTS: usize = 3;

/// Byte offset of a word.
pub(crate) fn word(at: usize) -> i32 {
    i32::try_from(at * 8).unwrap_or(i32::MAX)
}
