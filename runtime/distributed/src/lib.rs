//! Several processes: where they meet ([`store`]), and the engines with which they exchange data ([`engine`]).
//!
//! In: addresses, bytes. Out: the same bytes on all ranks, reduced or moved. Always: nothing of an engine is linked;
//! one is a library behind one C function ([`plugin`]), and a missing one is an error that says what to install.

pub mod engine;
pub mod plugin;
pub mod store;
mod wire;

pub use engine::{Block, Call, ElementType, EngineError, Group, Memory, Pending, Reduction};
pub use store::{Client, Server, StoreError};
