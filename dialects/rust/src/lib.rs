//! The janus dialect in Rust: building graphs, running passes over them, printing them.
//!
//! In: ops by name, with operands, attributes and result types; or the text of a module.
//! Out: a [`Graph`] that passes run on and that codegen takes over.
//! Holds: this is the only crate that names a type of melior or MLIR; a [`Graph`] owns all of its
//! MLIR state, so it can go to another thread.

mod builder;
mod convert;
mod error;
mod ffi;
mod graph;
mod ir;
pub mod passes;
mod types;

pub use builder::{GraphBuilder, GraphId, Imported, Mark};
pub use error::{Diagnostic, Diagnostics, DialectError, Limitation};
pub use graph::Graph;
pub use passes::Passes;
pub use types::{Attr, Commit, DType, Loc, Origin, Predicate, Type, ValueId};
