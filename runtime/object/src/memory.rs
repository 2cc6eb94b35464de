//! Memory of a size that a script or a file names.
//!
//! In: how many items. Out: an empty vector with room for them, or a MemoryError. Always: what the
//! allocator does not give is an exception; growing a vector without asking would end the process.

use crate::{PyResult, Raised};

/// An empty vector with room for so many items.
pub fn room<T>(items: usize) -> PyResult<Vec<T>> {
    let mut made = Vec::new();
    grow(&mut made, items)?;
    Ok(made)
}

/// Makes room for so many more items.
pub fn grow<T>(vector: &mut Vec<T>, more: usize) -> PyResult<()> {
    vector.try_reserve(more).map_err(|_| Raised::memory_error())
}

/// So many copies of an item.
pub fn copies<T: Clone>(item: T, count: usize) -> PyResult<Vec<T>> {
    let mut made = room(count)?;
    made.resize(count, item);
    Ok(made)
}

/// An empty text with room for so many bytes.
pub fn text(bytes: usize) -> PyResult<String> {
    let mut made = String::new();
    made.try_reserve(bytes)
        .map_err(|_| Raised::memory_error())?;
    Ok(made)
}

/// Whether there is memory for so many bytes, which are asked for elsewhere; few always are.
pub fn is_there(bytes: usize) -> PyResult<()> {
    if bytes > 1 << 24 {
        text(bytes)?;
    }
    Ok(())
}
