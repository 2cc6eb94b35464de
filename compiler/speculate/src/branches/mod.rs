//! Branches on what the graph computes, how their sides meet, and what takes another way for each of several things.
//!
//! Names objects, and the layers below them.

pub(crate) mod branch;
pub(crate) mod filtered_lists;
pub(crate) mod merge;
pub(crate) mod merge_tensors;
pub(crate) mod merge_variables;
pub(crate) mod min_max;
pub(crate) mod one_sided;
pub(crate) mod select;
pub(crate) mod under_way;
pub(crate) mod variants;
