//! Memory that processes share: a file without a name, mapped.
//!
//! In: lengths, files of other processes. Out: [`SharedMemory`]. Always: a process that is forked sees the same memory, and
//! so does one that is handed the file.

use std::fs::File;
use std::io;
use std::ptr::NonNull;

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::MemfdFlags;

/// A mapped file, which lives as long as one process has it.
#[derive(Debug)]
pub struct SharedMemory {
    map: MmapRaw,
    file: File,
}

impl SharedMemory {
    /// `len` zero bytes.
    pub fn new(len: usize) -> io::Result<SharedMemory> {
        let file = File::from(rustix::fs::memfd_create(
            "janus-tensor",
            MemfdFlags::CLOEXEC,
        )?);
        // Nothing cannot be mapped.
        file.set_len(len.max(1) as u64)?;
        SharedMemory::of_file(file, len)
    }

    /// The first `len` bytes of such a file; an error where it is shorter.
    pub fn of_file(file: File, len: usize) -> io::Result<SharedMemory> {
        let len = len.max(1);
        if file.metadata()?.len() < len as u64 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        let map = MmapOptions::new().len(len).map_raw(&file)?;
        Ok(SharedMemory { map, file })
    }

    /// First byte, at the start of a page.
    #[must_use]
    pub fn ptr(&self) -> NonNull<u8> {
        NonNull::new(self.map.as_mut_ptr()).unwrap_or(NonNull::dangling())
    }

    /// The file, for another process.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }
}
