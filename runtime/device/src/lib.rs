//! Where work runs: the CPU's threads, CUDA devices if a driver is there, and an emulated one.
//!
//! In: nothing. Out: how many threads kernels share, and for GPUs discovery, memory, loading of
//! PTX and launches.
//! Always: a machine without a driver is an answer, not a failure: the driver's library is
//! looked for at run time, and every call returns an error where it is missing.

pub mod cuda;
pub mod emulate;

/// Threads that kernels share; the pool is rayon's global one.
#[must_use]
pub fn thread_count() -> usize {
    rayon::current_num_threads()
}
