//! Where the memory of tensors is, and how much of it.
//!
//! In: which devices there are, said once at start. Out: the device of memory that is made now, and the account of each device.
//! Always: memory stays on the device that it was made on; a result of a primitive is on the device of its operands; where
//! no device was provided, nothing here costs more than reading one flag.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Result, TensorError};

/// Where a tensor lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum Device {
    /// Main memory.
    #[default]
    Cpu,
    /// A GPU, by its number.
    Cuda(u8),
    /// Nowhere: tensors of it have all but their numbers.
    Meta,
}

impl Device {
    /// `cpu`, `cuda`: without a number.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Cuda(_) => "cuda",
            Device::Meta => "meta",
        }
    }

    /// The number among devices of its kind; main memory has none.
    #[must_use]
    pub fn index(self) -> Option<u8> {
        match self {
            Device::Cpu | Device::Meta => None,
            Device::Cuda(index) => Some(index),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu | Device::Meta => f.write_str(self.kind()),
            Device::Cuda(index) => write!(f, "cuda:{index}"),
        }
    }
}

/// What random draws on a device depend on: how many multiprocessors it has. An emulated one has those of an H200.
pub const MULTIPROCESSORS: u32 = 132;
/// Threads that each of them has at once.
pub const THREADS_PER_MULTIPROCESSOR: u32 = 2048;

/// Blocks of a device are multiples of this many bytes, as in PyTorch's allocator.
const BLOCK: usize = 512;
/// Memory is taken from a device in multiples of this.
const SEGMENT: usize = 2 << 20;

/// What a device has given out, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// What it has.
    pub limit: usize,
    /// In tensors.
    pub allocated: usize,
    /// The most there was in tensors since the last [`reset_peaks`].
    pub most_allocated: usize,
    /// Taken from the device, whether in tensors or kept for later ones.
    pub reserved: usize,
    /// The most that was taken from the device since the last [`reset_peaks`].
    pub most_reserved: usize,
    /// How many blocks were made since the last [`reset_counts`].
    pub allocations: usize,
    /// How often there was no room since then.
    pub refusals: usize,
}

/// Devices that there are. One is enough until there is a machine with several to try.
static PROVIDED: AtomicU8 = AtomicU8::new(0);
/// Whether anything may be elsewhere than in main memory.
static ELSEWHERE: AtomicBool = AtomicBool::new(false);
static ACCOUNT: Mutex<Usage> = Mutex::new(Usage {
    limit: 0,
    allocated: 0,
    most_allocated: 0,
    reserved: 0,
    most_reserved: 0,
    allocations: 0,
    refusals: 0,
});

fn account() -> MutexGuard<'static, Usage> {
    // Numbers are whole whatever happened while they were held.
    ACCOUNT.lock().unwrap_or_else(PoisonError::into_inner)
}

janus_gil::gil_local! {
    static DEFAULT: Cell<Device> = const { Cell::new(Device::Cpu) };
}

thread_local! {
    static CURRENT: Cell<Device> = const { Cell::new(Device::Cpu) };
}

/// Says that there is a CUDA device, with so many bytes.
pub fn provide_cuda(bytes: usize) {
    account().limit = bytes;
    PROVIDED.store(1, Ordering::Relaxed);
    ELSEWHERE.store(true, Ordering::Relaxed);
}

/// Says that there may be tensors without numbers from now on.
pub fn provide_meta() {
    ELSEWHERE.store(true, Ordering::Relaxed);
}

/// Whether every tensor is in main memory, because nobody has named another device yet.
#[inline]
#[must_use]
pub fn only_main_memory() -> bool {
    !ELSEWHERE.load(Ordering::Relaxed)
}

/// How many CUDA devices there are.
#[inline]
#[must_use]
pub fn cuda_count() -> u8 {
    PROVIDED.load(Ordering::Relaxed)
}

/// `torch.get_default_device()`: where functions make tensors of nothing.
#[must_use]
pub fn default_device() -> Device {
    DEFAULT.with(Cell::get)
}

/// `torch.set_default_device()`; returns the one before.
pub fn set_default_device(device: Device) -> Device {
    DEFAULT.with(|d| d.replace(device))
}

/// The device of memory that is made now on this thread.
#[inline]
#[must_use]
pub fn current() -> Device {
    match only_main_memory() {
        true => Device::Cpu,
        false => CURRENT.get(),
    }
}

/// Memory is made on `device` from now on, on this thread; returns the device before.
pub fn set_current(device: Device) -> Device {
    CURRENT.replace(device)
}

/// While it lives, memory is made on a device.
#[derive(Debug)]
pub struct DeviceGuard(Device);

impl DeviceGuard {
    /// Memory is made on `device` from now on.
    #[must_use]
    pub fn new(device: Device) -> DeviceGuard {
        DeviceGuard(set_current(device))
    }
}

impl Drop for DeviceGuard {
    fn drop(&mut self) {
        set_current(self.0);
    }
}

/// The device of what is computed from operands on these devices: the first that is no main memory, if there is one.
pub fn of_operands(devices: impl IntoIterator<Item = Device>) -> Option<Device> {
    let mut found = None;
    for device in devices {
        if device != Device::Cpu {
            return Some(device);
        }
        found = Some(device);
    }
    found
}

fn rounded(bytes: usize) -> usize {
    bytes.checked_next_multiple_of(BLOCK).unwrap_or(usize::MAX)
}

/// Fails where the current device has no room for so many bytes more.
pub(crate) fn check_room(bytes: usize) -> Result<()> {
    let Device::Cuda(index) = current() else {
        return Ok(());
    };
    let mut usage = account();
    if usage.allocated.saturating_add(rounded(bytes)) <= usage.limit {
        return Ok(());
    }
    usage.refusals += 1;
    Err(TensorError::OutOfDeviceMemory {
        index,
        asked: bytes,
        limit: usage.limit,
        allocated: usage.allocated,
        kept: usage.reserved.saturating_sub(usage.allocated),
    })
}

/// A block was made.
pub(crate) fn count_made(device: Device, bytes: usize) {
    if !matches!(device, Device::Cuda(_)) || bytes == 0 {
        return;
    }
    let mut usage = account();
    usage.allocated += rounded(bytes);
    let segments = usage.allocated.next_multiple_of(SEGMENT);
    usage.most_allocated = usage.most_allocated.max(usage.allocated);
    usage.reserved = usage.reserved.max(segments);
    usage.most_reserved = usage.most_reserved.max(segments);
    usage.allocations += 1;
}

/// A block is gone.
pub(crate) fn count_gone(device: Device, bytes: usize) {
    if matches!(device, Device::Cuda(_)) && bytes > 0 {
        account().allocated -= rounded(bytes);
    }
}

/// What the CUDA device has given out.
#[must_use]
pub fn usage() -> Usage {
    *account()
}

/// Gives back to the CUDA device what no tensor has.
pub fn empty_cache() {
    let mut usage = account();
    usage.reserved = usage.allocated.next_multiple_of(SEGMENT);
}

/// The peaks begin anew with what there is now.
pub fn reset_peaks() {
    let mut usage = account();
    usage.most_allocated = usage.allocated;
    usage.most_reserved = usage.reserved;
}

/// What is counted from the start on is counted anew.
pub fn reset_counts() {
    let mut usage = account();
    (usage.allocations, usage.refusals) = (0, 0);
}

/// The CUDA device has so many bytes from now on.
pub fn set_limit(bytes: usize) {
    account().limit = bytes;
}
