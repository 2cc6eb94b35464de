//! Lists that grow in a loop whose trip count moves: rows of tensors.
//!
//! Names branches, and the layers below them.

pub(crate) mod concat;
pub(crate) mod growth;
pub(crate) mod leaving;
pub(crate) mod merge;
pub(crate) mod pending_items;
pub(crate) mod reading;
pub(crate) mod rows;
