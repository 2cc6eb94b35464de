//! Integration tests, in one binary since each one links MLIR.

mod builder;
mod passes;
