//! Numbers that the graph computes, with Python's meaning.
//!
//! Names what is read at entry, and the layers below it.

pub(crate) mod arithmetic;
pub(crate) mod forms;
pub(crate) mod linear_ints;
