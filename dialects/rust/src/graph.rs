//! A finished graph.
//!
//! In: what the builder made, or text. Out: text, passes, LLVM bitcode.
//! Holds: a `Graph` owns its context and module alone, so it may move between threads.

use crate::{
    error::DialectError,
    ir::Ir,
    types::{Commit, Origin},
};

/// A module of janus graphs, or what passes made of it.
pub struct Graph {
    ir: Ir,
}

// SAFETY: an `Ir` owns its MLIR context and the module in it; nothing outside points into them
// between calls: the builder's handles end with the builder, whose `Ir` it hands over by value,
// and no method here returns a handle. The context is created without a thread pool
// (`ir::new_context`), so no other thread of MLIR's works on it either. What MLIR keeps per
// process (type ids, the pass registry) is written under its own locks or once, at creation.
unsafe impl Send for Graph {}

impl Graph {
    pub(crate) fn new(ir: Ir) -> Self {
        Self { ir }
    }

    /// Parses the text of a module.
    pub fn parse(text: &str) -> Result<Self, DialectError> {
        Ir::parse(text, "graph").map(Self::new)
    }

    /// The module's text, for people: long constants are elided.
    pub fn text(&self) -> String {
        self.ir.text(false, false)
    }

    /// The module's text with every constant and every position: parses to the same module.
    pub fn whole_text(&self) -> String {
        self.ir.text(true, true)
    }

    /// All that code made from this graph depends on, and no more: every constant, every
    /// attribute, no position. Graphs with equal contents compile to the same code.
    pub fn content(&self) -> String {
        self.ir.content()
    }

    /// What each op is and where it comes from; its place in the list is the number by which
    /// compiled code tells of it.
    pub fn origins(&self) -> Vec<Origin> {
        self.ir.origins()
    }

    /// The slots of tensors read at entry of which no op reads an element: at most their extents.
    pub fn unread(&self) -> Vec<usize> {
        self.ir.unread()
    }

    /// The number of ops, terminators aside.
    pub fn op_count(&self) -> usize {
        self.ir.count_ops()
    }

    /// Runs a pass pipeline such as `janus-graph-opt` or `builtin.module(canonicalize,cse)`.
    pub fn run_passes(&mut self, pipeline: &str) -> Result<(), DialectError> {
        self.ir.run_passes(pipeline)
    }

    /// Keeps a copy of the module as it is, to go back to.
    pub fn keep(&mut self) {
        self.ir.keep();
    }

    /// Drops the copy that was kept last.
    pub fn forget(&mut self) {
        self.ir.forget();
    }

    /// Makes the copy that was kept last the module; whether there was one.
    pub fn go_back(&mut self) -> bool {
        self.ir.go_back()
    }

    /// The commits of the first function, in slot order, after `janus-lower-state`.
    pub fn commits(&self) -> Vec<Commit> {
        self.ir.commits()
    }

    /// Translates a module in the LLVM dialect to LLVM bitcode.
    pub fn to_llvm_bitcode(&self) -> Result<Vec<u8>, DialectError> {
        self.ir.to_llvm_bitcode(false)
    }

    /// Translates its device module, after `janus-nvvm`, to LLVM bitcode.
    pub fn device_bitcode(&self) -> Result<Vec<u8>, DialectError> {
        self.ir.to_llvm_bitcode(true)
    }
}
