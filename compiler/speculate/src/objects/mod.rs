//! Python's objects: attributes, items, calls, built-in functions and classes, iteration.
//!
//! Names tensors, and the layers below them.

pub(crate) mod arrays;
pub(crate) mod attributes;
pub(crate) mod builtins;
pub(crate) mod calls;
pub(crate) mod classes;
pub(crate) mod container_methods;
pub(crate) mod counter_dicts;
pub(crate) mod deepcopy;
pub(crate) mod deferred_calls;
pub(crate) mod deques;
pub(crate) mod exceptions;
pub(crate) mod imports;
pub(crate) mod items;
pub(crate) mod iterators;
pub(crate) mod operators;
pub(crate) mod patterns;
pub(crate) mod ring_lists;
pub(crate) mod sets;
pub(crate) mod snapshots;
pub(crate) mod special_methods;
pub(crate) mod stored_values;
pub(crate) mod text;
