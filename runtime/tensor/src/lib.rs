//! Tensors, views, dtypes, eager kernels, autograd tape, random numbers.
//!
//! In: nothing of Python. Out: [`Tensor`], the primitives ([`ops::Prim`]) with their eager
//! execution ([`Eager`]), the tape ([`autograd`]), PyTorch's CPU random streams ([`rng`]) and
//! printing ([`print`]).
//! Always: tensors are single-threaded objects; kernels may use threads, and their results
//! never depend on how many.

pub mod alloc;
pub mod autograd;
pub mod complex;
pub mod concurrent;
pub mod device;
pub mod dtype;
pub mod eager;
pub mod error;
pub mod inplace;
pub mod kernels;
pub mod math;
pub mod ops;
pub mod print;
pub mod rng;
pub mod scalar;
pub mod shape;
pub mod shared;
pub mod tensor;

pub use alloc::Buffer;
pub use device::{Device, DeviceGuard};
pub use dtype::{DType, Participant, result_type};
pub use eager::Eager;
pub use error::{ErrorKind, ShapeText, TensorError};
pub use ops::{Dim, Ops, Prim};
pub use scalar::{Element, Scalar, ScalarKind};
pub use tensor::{Tensor, WeakTensor};
