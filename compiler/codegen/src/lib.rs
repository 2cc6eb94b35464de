//! From a graph of the janus dialect to machine code that runs.
//!
//! In: a [`Graph`](janus_dialect::Graph). Out: a [`Compiled`] region, which runs on arguments
//! given in slot order and returns fresh results; along the way the text of each stage, for
//! `--emit`, and the time each stage took.
//! Always: a graph that does not compile is an error with MLIR's or LLVM's words, never the end
//! of the process; a compiled region has the bits that the eager kernels would have computed.

mod compile;
mod contents;
mod device;
mod emulate;
mod jit;
mod kernels;
mod object_tensors;
mod optimize;
mod parts;
mod run;
mod signature;
mod symbols;
mod target;
mod translate;

pub use compile::{CompileError, CompileOptions, CompileStats, Object, Stage, compile};
pub use contents::{Buffer, Contents, FunctionContents, OpUse, Step, StepKind};
pub use emulate::{Emulation, Tally, emulation_tally};
pub use janus_device::emulate::MEMORY as EMULATED_MEMORY;
pub use kernels::{KernelSink, set_kernel_sink};
pub use run::{Arg, Compiled, Out, RunError};
pub use signature::{Param, Signature, Source};
pub use target::{Chip, Target, fingerprint, llvm_version};
pub use translate::{From, translate};
