//! What is read at entry: values from outside become nodes with checks, and what can be computed of them there.
//!
//! Names the state and emission.

pub(crate) mod constant_objects;
pub(crate) mod early_checks;
pub(crate) mod entry_numbers;
pub(crate) mod int_nodes;
pub(crate) mod kinds;
pub(crate) mod known_warnings;
pub(crate) mod list_rows;
pub(crate) mod open_dicts;
pub(crate) mod reads;
pub(crate) mod settings;
pub(crate) mod shared_memory;
pub(crate) mod unread_lists;
pub(crate) mod variables;
pub(crate) mod wrap;
