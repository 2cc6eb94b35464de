//! The end of a region: which values leave it, how each is made, what is written back.
//!
//! Names recursion, and the layers below it.

pub(crate) mod backward;
pub(crate) mod commits;
pub(crate) mod dict_aliases;
pub(crate) mod escapes;
pub(crate) mod moving;
pub(crate) mod recipes;
pub(crate) mod tensor_recipes;
