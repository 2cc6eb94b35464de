//! An emulated GPU, for tests where there is none: device kernels that were compiled for the host.
//!
//! In: launches of such kernels. Out: what their threads wrote, and what no GPU would have allowed.
//! Always: the threads of a block that meet at barriers are coroutines, and the order of threads and
//! blocks is another one at each launch and after each barrier, as a seed says: a kernel whose result depends on
//! that order gives different results at different seeds. What a block shares is filled with ones before it
//! begins, so that reading what nobody wrote shows: such a float is not a number.

use std::cell::{Cell, RefCell};
use std::ptr;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

/// A kernel: the addresses of its arguments, the number of the thread, that of its block, and what the block shares.
pub type Kernel = unsafe extern "C" fn(*const *const u64, i64, i64, *mut u8);

/// A thread of a block: it waits at a barrier, which has a number.
type Fiber = Coroutine<(), i64, (), DefaultStack>;

/// Bytes of a thread's stack. Kernels call nothing but a barrier.
const STACK_BYTES: usize = 32 << 10;

/// Bytes that the emulated GPU has.
pub const MEMORY: usize = 16 << 30;

/// Threads that a block of any GPU may have.
const MOST_THREADS: i64 = 1024;
/// Bytes that the threads of a block of any GPU may share without asking for more.
const MOST_SHARED: i64 = 48 << 10;
/// Blocks that a launch may have in its first dimension.
const MOST_BLOCKS: i64 = i32::MAX as i64;

#[derive(Default)]
struct Emulator {
    numbers: u64,
    launches: u64,
    fault: Option<String>,
    stacks: Vec<DefaultStack>,
}

thread_local! {
    static EMULATOR: RefCell<Emulator> = RefCell::default();
    /// The way out of the thread that runs.
    static YIELDER: Cell<*const Yielder<(), i64>> = const { Cell::new(ptr::null()) };
}

/// The order of threads on this thread's device follows from this number from now on.
pub fn seed(seed: u64) {
    EMULATOR.with_borrow_mut(|e| e.numbers = seed);
}

/// Launches on this thread's device so far.
#[must_use]
pub fn launches() -> u64 {
    EMULATOR.with_borrow(|e| e.launches)
}

/// What a launch since the last call did that no device allows, if one did.
#[must_use]
pub fn take_fault() -> Option<String> {
    EMULATOR.with_borrow_mut(|e| e.fault.take())
}

fn fault(text: impl FnOnce() -> String) {
    EMULATOR.with_borrow_mut(|e| {
        e.fault.get_or_insert_with(text);
    });
}

/// A number that looks random (SplitMix64).
fn next() -> u64 {
    EMULATOR.with_borrow_mut(|e| {
        e.numbers = e.numbers.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = e.numbers;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// The numbers below `count`, each once.
fn shuffled(count: i64) -> impl Iterator<Item = i64> {
    let below = |most: i64| (next() % most.max(1) as u64) as i64;
    let first = below(count);
    let mut step = 1 + below(count - 1);
    while divisor(step, count) != 1 {
        step = step % count + 1;
    }
    (0..count).scan(first, move |at, _| {
        let this = *at;
        *at = (*at + step) % count;
        Some(this)
    })
}

/// What the threads of one block share.
struct Shared(Vec<[u64; 8]>);

impl Shared {
    fn new(bytes: i64) -> Shared {
        Shared(vec![[0; 8]; (bytes.max(0) as usize).div_ceil(64)])
    }

    /// For the next block.
    fn fresh(&mut self) -> *mut u8 {
        self.0.fill([u64::MAX; 8]);
        self.0.as_mut_ptr().cast()
    }
}

/// A block whose threads meet.
///
/// # Safety
/// As for [`janus_rt_launch`].
unsafe fn run_block(
    kernel: Kernel,
    words: *const *const u64,
    threads: i64,
    block: i64,
    shared: *mut u8,
) {
    let mut fibers: Vec<Option<Fiber>> = (0..threads)
        .map(|thread| {
            let known = EMULATOR.with_borrow_mut(|e| e.stacks.pop());
            let stack = match known.map_or_else(|| DefaultStack::new(STACK_BYTES), Ok) {
                Ok(stack) => stack,
                Err(e) => {
                    fault(|| format!("no stack for a thread: {e}"));
                    return None;
                }
            };
            Some(Fiber::with_stack(stack, move |yielder, ()| {
                YIELDER.set(yielder);
                // SAFETY: the caller's promise; the block ends before what it was handed does.
                unsafe { kernel(words, thread, block, shared) };
            }))
        })
        .collect();
    loop {
        // The barrier at which the threads wait, and whether a thread ended in this round.
        let (mut waiting, mut ended) = (None, false);
        for thread in shuffled(threads) {
            let Some(fiber) = fibers.get_mut(thread as usize) else {
                continue;
            };
            match fiber.as_mut().map(|f| f.resume(())) {
                None => {}
                Some(CoroutineResult::Yield(barrier)) => {
                    let others = *waiting.get_or_insert(barrier);
                    if others != barrier {
                        fault(|| "threads of a block wait at different barriers".to_owned());
                    }
                }
                Some(CoroutineResult::Return(())) => {
                    ended = true;
                    if let Some(fiber) = fiber.take() {
                        let stack = fiber.into_stack();
                        EMULATOR.with_borrow_mut(|e| e.stacks.push(stack));
                    }
                }
            }
        }
        if waiting.is_none() {
            return;
        }
        if ended {
            fault(|| "a thread ends while others of its block wait at a barrier".to_owned());
        }
    }
}

/// Runs a kernel: `grid` blocks of `threads` threads, which share so many bytes and `meet` at barriers or not.
///
/// # Safety
/// `kernel` is one of `janus-emulate-gpu`; `words` has the addresses of its arguments.
pub unsafe extern "C" fn janus_rt_launch(
    kernel: Kernel,
    grid: i64,
    threads: i64,
    shared: i64,
    meet: i64,
    words: *const *const u64,
) {
    EMULATOR.with_borrow_mut(|e| e.launches += 1);
    if !(1..=MOST_BLOCKS).contains(&grid)
        || !(1..=MOST_THREADS).contains(&threads)
        || shared > MOST_SHARED
    {
        return fault(|| {
            format!("a launch of {grid} blocks of {threads} threads that share {shared} bytes")
        });
    }
    let mut memory = Shared::new(shared);
    for block in shuffled(grid) {
        let shared = memory.fresh();
        if meet != 0 {
            // SAFETY: the caller's promise.
            unsafe { run_block(kernel, words, threads, block, shared) };
        } else {
            for thread in shuffled(threads) {
                // SAFETY: the caller's promise.
                unsafe { kernel(words, thread, block, shared) };
            }
        }
    }
}

/// Where a thread waits for the others of its block.
pub extern "C" fn janus_rt_barrier(number: i64) {
    let yielder = YIELDER.get();
    // SAFETY: kernels with barriers run in coroutines alone, each of which sets its own yielder when it begins and
    // when it goes on; that lives as long as the coroutine runs. Null is no coroutine.
    match unsafe { yielder.as_ref() } {
        Some(yielder) => yielder.suspend(number),
        None => fault(|| "a barrier outside of a kernel".to_owned()),
    }
    YIELDER.set(yielder);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thread t of 4 writes t to what is shared, and after a barrier its neighbour's number to the result.
    unsafe extern "C" fn neighbours(
        words: *const *const u64,
        thread: i64,
        block: i64,
        shared: *mut u8,
    ) {
        // SAFETY: the tests hand over one word, the address of eight, and 32 bytes.
        unsafe {
            let out = (**words) as *mut i64;
            let shared = shared.cast::<i64>();
            *shared.add(thread as usize) = 10 * block + thread;
            janus_rt_barrier(1);
            *out.add((4 * block + thread) as usize) = *shared.add((thread as usize + 1) % 4);
        }
    }

    /// Without a barrier between the two.
    unsafe extern "C" fn racing(
        words: *const *const u64,
        thread: i64,
        _block: i64,
        shared: *mut u8,
    ) {
        // SAFETY: as above.
        unsafe {
            let out = (**words) as *mut i64;
            let shared = shared.cast::<i64>();
            *shared.add(thread as usize) = thread;
            *out.add(thread as usize) = *shared.add((thread as usize + 1) % 4);
        }
    }

    /// Only some threads come to the barrier.
    unsafe extern "C" fn parting(
        _words: *const *const u64,
        thread: i64,
        _block: i64,
        _shared: *mut u8,
    ) {
        if thread < 2 {
            janus_rt_barrier(1);
        }
    }

    fn launched(kernel: Kernel, grid: i64, meet: bool) -> [i64; 8] {
        let mut out = [0; 8];
        let word = out.as_mut_ptr() as u64;
        let words = [&raw const word];
        // SAFETY: the kernels above take this one word.
        unsafe { janus_rt_launch(kernel, grid, 4, 32, i64::from(meet), words.as_ptr()) };
        out
    }

    #[test]
    fn threads_meet_at_barriers_in_any_order() {
        for order in 0..20 {
            seed(order);
            assert_eq!(launched(neighbours, 2, true), [1, 2, 3, 0, 11, 12, 13, 10]);
            assert_eq!(take_fault(), None);
        }
        assert!(launches() >= 20);
    }

    #[test]
    fn the_order_of_threads_shows_a_missing_barrier() {
        let all: Vec<[i64; 8]> = (0..20)
            .map(|order| {
                seed(order);
                launched(racing, 1, false)
            })
            .collect();
        assert!(all.iter().any(|one| *one != all[0]));
    }

    #[test]
    fn what_no_device_allows_is_said() {
        launched(parting, 1, true);
        assert_eq!(
            take_fault().as_deref(),
            Some("a thread ends while others of its block wait at a barrier")
        );
        launched(neighbours, 0, true);
        let said = take_fault().unwrap_or_default();
        assert!(said.starts_with("a launch of 0 blocks"), "{said}");
        assert_eq!(take_fault(), None);
    }

    #[test]
    fn every_thread_runs_once() {
        for count in [1, 2, 7, 12, 256, 1000] {
            let mut seen: Vec<i64> = shuffled(count).collect();
            seen.sort_unstable();
            assert!(seen.iter().copied().eq(0..count), "{count}");
        }
    }
}
