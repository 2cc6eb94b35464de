//! What values hold in the place of a reference: bools and floats.
//!
//! Always: the payload of each kind of [`crate::Value`] is one integer of eight bytes or one pointer, at the same offset.
//! Then the compiler keeps a value as a pair of a tag and a word, in two registers, across calls, too. With a payload of
//! another size or a float among them a value would lie in memory, written and read in pieces of different sizes, where
//! each reader waits for the writer.

use std::fmt;

/// A bool, as a value holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Bool {
    /// `False`
    False = 0,
    /// `True`
    True = 1,
}

impl Bool {
    /// The bool.
    #[inline(always)]
    pub const fn get(self) -> bool {
        matches!(self, Bool::True)
    }
}

impl From<bool> for Bool {
    #[inline(always)]
    fn from(b: bool) -> Self {
        match b {
            false => Bool::False,
            true => Bool::True,
        }
    }
}

/// A float, as a value holds it: its bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Float(u64);

impl Float {
    /// The float.
    #[inline(always)]
    pub const fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl From<f64> for Float {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Float(x.to_bits())
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
