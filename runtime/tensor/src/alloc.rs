//! Memory of tensors: 64-byte aligned blocks from a pool per thread.
//!
//! In: sizes in bytes. Out: [`Buffer`], and the two C functions through which generated code
//! allocates, so that what it allocates can become a [`Buffer`] without a copy.
//! Always: a block's size class is computed from its length alone, so freeing needs only the
//! pointer and the length given at allocation; memory is not cleared. Before each block lies its
//! size, for those that free it without knowing the length.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ptr::NonNull;

use memmap2::{MmapMut, MmapOptions};

use crate::error::{Result, TensorError};
use crate::shared::SharedMemory;

/// Alignment of every block.
pub const ALIGN: usize = 64;
/// From this size on blocks are to lie in huge pages: they are written whole, and a page of 4 KiB is a fault each.
const HUGE_FROM: usize = 1 << 20;
/// Blocks above this go back to the system at once.
const LARGEST_POOLED: usize = 256 << 20;
/// Bytes that one thread keeps at most.
const KEPT_PER_THREAD: usize = 1 << 30;
const SMALL: usize = 1024;

/// Size class of a length: multiples of 64 up to 1 KiB, then four steps per power of two.
/// Returns the class number and the rounded size.
fn class_of(len: usize) -> (usize, usize) {
    if len <= SMALL {
        let n = len.div_ceil(ALIGN).max(1);
        return (n - 1, n * ALIGN);
    }
    let power = usize::BITS as usize - 1 - (len - 1).leading_zeros() as usize; // 2^power < len <= 2^(power+1)
    let step = 1usize << (power - 2);
    let quarter = (len - 1 - (1 << power)) / step; // 0..=3
    let size = (1usize << power) + (quarter + 1) * step;
    (SMALL / ALIGN + (power - 10) * 4 + quarter, size)
}

#[derive(Default)]
struct Pool {
    free: Vec<Vec<NonNull<u8>>>,
    kept: usize,
}

impl Pool {
    fn take(&mut self, class: usize, size: usize) -> Option<NonNull<u8>> {
        let block = self.free.get_mut(class)?.pop()?;
        self.kept -= size;
        Some(block)
    }

    fn give(&mut self, class: usize, size: usize, block: NonNull<u8>) -> bool {
        if size > LARGEST_POOLED || self.kept + size > KEPT_PER_THREAD {
            return false;
        }
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        if let Some(list) = self.free.get_mut(class) {
            list.push(block);
            self.kept += size;
        }
        true
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for (class, list) in self.free.iter_mut().enumerate() {
            for block in list.drain(..) {
                release(block, class_size(class));
            }
        }
    }
}

fn class_size(class: usize) -> usize {
    let small = SMALL / ALIGN;
    if class < small {
        return (class + 1) * ALIGN;
    }
    let (power, quarter) = (10 + (class - small) / 4, (class - small) % 4);
    (1 << power) + (quarter + 1) * (1 << (power - 2))
}

thread_local! {
    static POOL: RefCell<Pool> = RefCell::default();
}

fn acquire(len: usize) -> Option<NonNull<u8>> {
    if len > isize::MAX as usize / 2 {
        return None;
    }
    let (class, size) = class_of(len);
    if let Ok(Some(block)) = POOL.try_with(|p| p.borrow_mut().take(class, size)) {
        return Some(block);
    }
    let layout = Layout::from_size_align(size + ALIGN, ALIGN).ok()?;
    // SAFETY: the size is not zero.
    let whole = NonNull::new(unsafe { alloc(layout) })?;
    if size >= HUGE_FROM {
        advise_huge_pages(whole, size);
    }
    // SAFETY: the header is `ALIGN` bytes long, aligned, and the block follows it.
    unsafe {
        whole.cast::<usize>().write(size);
        Some(whole.add(ALIGN))
    }
}

/// Asks the system for huge pages behind a new block.
#[cfg(target_os = "linux")]
fn advise_huge_pages(block: NonNull<u8>, size: usize) {
    /// What the addresses are to be multiples of.
    const PAGE: usize = 4096;
    let begin = block.as_ptr().align_offset(PAGE);
    if let Some(len) = size.checked_sub(begin) {
        // SAFETY: advice changes no content; the pages are those of the block, which was just allocated.
        let advised = unsafe {
            let pages = block.as_ptr().add(begin).cast();
            rustix::mm::madvise(pages, len & !(PAGE - 1), rustix::mm::Advice::LinuxHugepage)
        };
        // A system without huge pages has others.
        let _ = advised;
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}

/// Gives a block to the system. `size` is its class's size.
fn release(block: NonNull<u8>, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size + ALIGN, ALIGN) {
        // SAFETY: every block was allocated by `acquire` with this layout, since its class
        // determines the size, and lies behind its header.
        unsafe { dealloc(block.as_ptr().sub(ALIGN), layout) };
    }
}

fn give_back(block: NonNull<u8>, len: usize) {
    let (class, size) = class_of(len);
    let kept = POOL.try_with(|p| p.borrow_mut().give(class, size, block));
    if !matches!(kept, Ok(true)) {
        release(block, size);
    }
}

/// Allocates `bytes` (uninitialised, 64-byte aligned) for generated code. Ends the process
/// when memory is exhausted, as generated code has no way to go on.
#[unsafe(no_mangle)]
pub extern "C" fn janus_rt_alloc(bytes: i64) -> *mut u8 {
    let len = usize::try_from(bytes).unwrap_or(0);
    match acquire(len) {
        Some(p) => p.as_ptr(),
        None => handle_alloc_error(
            Layout::from_size_align(len.min(isize::MAX as usize / 2), ALIGN)
                .unwrap_or(Layout::new::<u64>()),
        ),
    }
}

/// Frees what [`janus_rt_alloc`] returned for the same `bytes`. Null is ignored.
///
/// # Safety
/// `ptr` is null or came from [`janus_rt_alloc`] with the same `bytes` and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_free(ptr: *mut u8, bytes: i64) {
    if let Some(block) = NonNull::new(ptr) {
        give_back(block, usize::try_from(bytes).unwrap_or(0));
    }
}

/// Frees what [`janus_rt_alloc`] returned, whatever its length. Null is ignored.
///
/// # Safety
/// `ptr` is null or came from [`janus_rt_alloc`] and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn janus_rt_free_whole(ptr: *mut u8) {
    if let Some(block) = NonNull::new(ptr) {
        // SAFETY: each block has its size before it, which is its class's size.
        let size = unsafe { block.sub(ALIGN).cast::<usize>().read() };
        give_back(block, size);
    }
}

/// Memory of a buffer that is none of the pool's.
#[derive(Debug)]
enum Outside {
    /// Other processes may have it, too.
    Shared(SharedMemory),
    /// Addresses whose pages come when they are touched.
    Reserved {
        /// Gives them back when it is dropped.
        _map: MmapMut,
    },
}

/// An owned block of memory, of the pool or shared with other processes.
#[derive(Debug)]
pub struct Buffer {
    ptr: NonNull<u8>,
    len: usize,
    outside: Option<Box<Outside>>,
}

// SAFETY: within the process a Buffer owns its memory exclusively; the pool that a block returns to is the
// pool of whichever thread drops it.
unsafe impl Send for Buffer {}

impl Buffer {
    /// `len` bytes of unspecified content.
    pub fn new(len: usize) -> Result<Buffer> {
        match acquire(len) {
            Some(ptr) => Ok(Buffer {
                ptr,
                len,
                outside: None,
            }),
            None => Err(TensorError::OutOfMemory(len)),
        }
    }

    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Result<Buffer> {
        let b = Buffer::new(len)?;
        // SAFETY: the block is `len` bytes long and owned.
        unsafe { b.ptr.as_ptr().write_bytes(0, len) };
        Ok(b)
    }

    /// `len` zero bytes for what is not computed: long ones are addresses without memory behind them.
    pub fn reserved(len: usize) -> Result<Buffer> {
        if len <= SMALL {
            return Buffer::zeroed(len);
        }
        let mut map = (MmapOptions::new().len(len).no_reserve_swap())
            .map_anon()
            .map_err(|_| TensorError::OutOfMemory(len))?;
        Ok(Buffer {
            ptr: NonNull::new(map.as_mut_ptr()).ok_or(TensorError::OutOfMemory(len))?,
            len,
            outside: Some(Box::new(Outside::Reserved { _map: map })),
        })
    }

    /// Takes over what [`janus_rt_alloc`] returned.
    ///
    /// # Safety
    /// `ptr` came from [`janus_rt_alloc`] with `len` bytes and is owned by nobody else.
    #[must_use]
    pub unsafe fn from_raw(ptr: NonNull<u8>, len: usize) -> Buffer {
        Buffer {
            ptr,
            len,
            outside: None,
        }
    }

    /// The first `len` bytes of memory that processes share, which has as many.
    #[must_use]
    pub fn of_shared(memory: SharedMemory, len: usize) -> Buffer {
        Buffer {
            ptr: memory.ptr(),
            len,
            outside: Some(Box::new(Outside::Shared(memory))),
        }
    }

    /// The memory, if other processes may share it.
    #[must_use]
    pub fn shared(&self) -> Option<&SharedMemory> {
        match self.outside.as_deref()? {
            Outside::Shared(memory) => Some(memory),
            Outside::Reserved { .. } => None,
        }
    }

    /// Exchanges the first bytes of two buffers, as many as the shorter one has.
    pub fn exchange_content(&mut self, other: &mut Buffer) {
        let len = self.len.min(other.len);
        // SAFETY: two buffers that are owned are apart, and as long.
        unsafe { std::ptr::swap_nonoverlapping(self.ptr.as_ptr(), other.ptr.as_ptr(), len) };
    }

    /// First byte.
    #[must_use]
    pub fn ptr(&self) -> *mut u8 {
        self.ptr.as_ptr()
    }

    /// Bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.outside.is_none() {
            give_back(self.ptr, self.len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_monotone_and_invertible() {
        let mut last = 0;
        for len in 0..100_000usize {
            let (class, size) = class_of(len);
            assert!(size >= len && size % ALIGN == 0);
            assert_eq!(class_size(class), size);
            assert!(class == last || class == last + 1);
            last = class;
        }
    }

    #[test]
    fn blocks_are_aligned_and_reused() {
        let a = Buffer::new(5000).map(|b| b.ptr() as usize);
        let b = Buffer::new(5001).map(|b| b.ptr() as usize);
        assert!(matches!((a, b), (Ok(x), Ok(y)) if x == y && x % ALIGN == 0));
    }

    #[test]
    fn too_much_is_an_error() {
        assert!(matches!(
            Buffer::new(usize::MAX),
            Err(TensorError::OutOfMemory(_))
        ));
    }
}
