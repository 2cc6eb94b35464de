//! The allocator.
//!
//! In: sizes. Out: memory, or none. Always: what is more than the whole machine has is refused at once, and
//! the script gets an exception. Linux itself would refuse it too, but not where it is asked for without
//! reserving, as mimalloc does; it would then end the process, or another one, when the memory is written.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicUsize, Ordering};

use mimalloc::MiMalloc;

/// Below that no request is compared with what the machine has.
const LARGE: usize = 1 << 28;

static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// mimalloc, up to what the machine has. Also LLVM's and MLIR's, which call it without the bound: a tenth of
/// all compile time is spent in it.
pub struct Bounded;

fn is_refused(size: usize) -> bool {
    size >= LARGE && size > MOST.load(Ordering::Relaxed)
}

// SAFETY: each call is passed on as it is, or refused with null.
unsafe impl GlobalAlloc for Bounded {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are those of this call.
        unsafe { MiMalloc.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { MiMalloc.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_refused(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { MiMalloc.realloc(block, layout, size) }
    }
}

/// Asks the system how much memory there is. Before that nothing is refused.
pub fn bound() {
    // SAFETY: `sysinfo` is plain numbers, which the call fills.
    let known = unsafe {
        let mut known: libc::sysinfo = std::mem::zeroed();
        (libc::sysinfo(&raw mut known) == 0).then_some(known)
    };
    let bytes = known.map(|k| (k.totalram + k.totalswap).saturating_mul(u64::from(k.mem_unit)));
    if let Some(bytes) = bytes.and_then(|b| usize::try_from(b).ok()) {
        MOST.store(bytes, Ordering::Relaxed);
    }
}
