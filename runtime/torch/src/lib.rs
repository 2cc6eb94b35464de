//! The torch module: binds tensors to Python.
//!
//! In: an interpreter. Out: the same interpreter with `torch` importable. For the higher tiers:
//! [`lookup`], every torch function by its name, generic over [`TorchOps`]. Always: a function is
//! written once; tier 0 runs it on real tensors, a graph builder records it.

pub mod autocast;
mod bind;
pub mod call;
pub mod devices;
mod distributed;
pub mod draws;
mod eager;
mod factors;
pub mod formats;
pub mod functions;
mod generators;
mod imaging;
mod memory;
mod module;
mod native_draws;
mod natives;
mod nodes;
pub mod numpy;
mod numpy_draws;
pub mod objects;
mod older;
mod ops;
pub mod overrides;
mod rotations;
pub mod table;
mod vision;
pub mod vm_scope;

pub use call::{Arg, CallArgs, Ret, TorchFn};
pub use draws::default_dtype;
pub use eager::{Eager, TorchError};
pub use module::install;
pub use natives::{dtype_of_legacy, dtype_of_type, legacy_name};
pub use objects::{tensor_of, wrap};
pub use ops::{Draw, DrawFrom, NoDerivative, TorchOps, no_graph_form};
pub use table::{Form, Function, lookup};
