//! The allocator.
//!
//! In: sizes. Out: memory, or none. Always: what is more than the whole machine has is refused at once, and
//! the script gets an exception. Linux itself would refuse it too, but not where it is asked for without
//! reserving, as mimalloc does; it would then end the process, or another one, when the memory is written.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mimalloc::MiMalloc;

/// Below that no request is compared with what the machine has.
const LARGE: usize = 1 << 28;

/// The alignment that every block has; asking for it costs a third of a small allocation.
const WORD: usize = align_of::<usize>();

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
        if layout.align() <= WORD {
            // SAFETY: what it gives is aligned to a word at least.
            return unsafe { libmimalloc_sys::mi_malloc(layout.size()).cast() };
        }
        // SAFETY: the caller's promises are those of this call.
        unsafe { MiMalloc.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        if layout.align() <= WORD {
            // SAFETY: as above.
            return unsafe { libmimalloc_sys::mi_zalloc(layout.size()).cast() };
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
        if layout.align() <= WORD {
            // SAFETY: the block is one of mimalloc's.
            return unsafe { libmimalloc_sys::mi_realloc(block.cast(), size).cast() };
        }
        // SAFETY: as above.
        unsafe { MiMalloc.realloc(block, layout, size) }
    }
}

/// How often it is looked how much memory there is in use.
const INTERVAL: Duration = Duration::from_millis(10);

/// Gives the script a MemoryError when the process has more than so many bytes, and again each time that it has some more.
/// What a single request is for is refused at once.
pub fn limit(bytes: usize) {
    MOST.fetch_min(bytes, Ordering::Relaxed);
    let watch = move || {
        janus_gil::signals::block();
        let mut told = 0;
        loop {
            std::thread::sleep(INTERVAL);
            let used = resident().unwrap_or(0);
            if used <= bytes {
                told = 0;
            } else if used > told + bytes / 64 {
                told = used;
                janus_gil::pending::memory_exceeded();
            }
        }
    };
    // Without the thread there is the bound of single requests.
    drop(
        std::thread::Builder::new()
            .name("memory".to_owned())
            .spawn(watch),
    );
}

/// Bytes of memory that the process has.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = pages.split(' ').nth(1)?.parse().ok()?;
    // SAFETY: a question.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.checked_mul(usize::try_from(page).ok()?)
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
