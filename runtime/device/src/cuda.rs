//! CUDA devices through the driver's own library.
//!
//! In: PTX text, bytes. Out: loaded kernels, device memory, launches.
//! Always: what is loaded or allocated goes with its handle; a handle keeps its device alive.

use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, result, sys};

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum CudaError {
    /// No CUDA driver is installed.
    #[error("no CUDA driver")]
    NoDriver,
    /// The driver refused.
    #[error("CUDA driver: {0:?}")]
    Driver(DriverError),
    /// A name or a text with a zero byte inside.
    #[error("zero byte in {0}")]
    ZeroByte(&'static str),
    /// More bytes than the device memory has.
    #[error("copy of {copied} bytes, device memory of {available}")]
    Size {
        /// Bytes to copy.
        copied: usize,
        /// Bytes there.
        available: usize,
    },
}

impl From<DriverError> for CudaError {
    fn from(error: DriverError) -> Self {
        CudaError::Driver(error)
    }
}

type Result<T> = std::result::Result<T, CudaError>;

/// Fails where the driver's library is missing; nothing else here may be called then.
fn driver() -> Result<()> {
    // SAFETY: only opens the library, whose constructors are the driver's.
    if unsafe { sys::is_culib_present() } {
        Ok(())
    } else {
        Err(CudaError::NoDriver)
    }
}

/// CUDA devices of this machine.
pub fn cuda_device_count() -> Result<usize> {
    driver()?;
    Ok(CudaContext::device_count()?.max(0) as usize)
}

/// A device.
#[derive(Clone, Debug)]
pub struct Device {
    context: Arc<CudaContext>,
}

impl Device {
    /// Opens a device by its number.
    pub fn open(ordinal: usize) -> Result<Device> {
        driver()?;
        Ok(Device {
            context: CudaContext::new(ordinal)?,
        })
    }

    /// Its name.
    pub fn name(&self) -> Result<String> {
        Ok(self.context.name()?)
    }

    /// Its chip, as code generators call it: `sm_90`.
    pub fn chip(&self) -> Result<String> {
        let (major, minor) = self.context.compute_capability()?;
        Ok(format!("sm_{major}{minor}"))
    }

    /// Bytes of its memory.
    pub fn memory_bytes(&self) -> Result<usize> {
        Ok(self.context.total_mem()?)
    }

    /// Waits for all that was launched.
    pub fn synchronize(&self) -> Result<()> {
        Ok(self.context.synchronize()?)
    }

    /// Loads the kernels of a PTX text.
    pub fn load(&self, ptx: &str) -> Result<Module> {
        let text = CString::new(ptx).map_err(|_| CudaError::ZeroByte("PTX"))?;
        self.context.bind_to_thread()?;
        // SAFETY: the text ends in a zero and outlives the call; the context is current.
        let raw = unsafe { result::module::load_data(text.as_ptr().cast()) }?;
        Ok(Module(Arc::new(Loaded {
            raw,
            device: self.clone(),
        })))
    }

    /// Allocates device memory of unspecified content.
    pub fn allocate(&self, bytes: usize) -> Result<Memory> {
        self.context.bind_to_thread()?;
        // SAFETY: the context is current; the size is positive.
        let pointer = unsafe { result::malloc_sync(bytes.max(1)) }?;
        Ok(Memory {
            pointer,
            bytes,
            device: self.clone(),
        })
    }
}

/// Device memory.
#[derive(Debug)]
pub struct Memory {
    pointer: sys::CUdeviceptr,
    bytes: usize,
    device: Device,
}

impl Memory {
    fn check(&self, copied: usize) -> Result<()> {
        let available = self.bytes;
        if copied > available {
            Err(CudaError::Size { copied, available })
        } else {
            Ok(())
        }
    }

    /// Copies bytes to its start.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.check(bytes.len())?;
        self.device.context.bind_to_thread()?;
        // SAFETY: the memory is at least as long as the bytes, and the copy is synchronous.
        unsafe { result::memcpy_htod_sync(self.pointer, bytes) }?;
        Ok(())
    }

    /// Copies its first bytes out, after what was launched before.
    pub fn read(&self, bytes: &mut [u8]) -> Result<()> {
        self.check(bytes.len())?;
        self.device.context.bind_to_thread()?;
        // SAFETY: as in `write`.
        unsafe { result::memcpy_dtoh_sync(bytes, self.pointer) }?;
        Ok(())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.device.context.bind_to_thread().is_ok() {
            // SAFETY: the pointer was allocated here and is freed once; freeing waits for
            // kernels that still use it.
            let _ = unsafe { result::free_sync(self.pointer) };
        }
    }
}

#[derive(Debug)]
struct Loaded {
    raw: sys::CUmodule,
    device: Device,
}

// SAFETY: a module handle may be used from any thread that has its context current, which each
// use here sees to.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Drop for Loaded {
    fn drop(&mut self) {
        if self.device.context.bind_to_thread().is_ok() {
            // SAFETY: the module was loaded here and no kernel of it is left: each holds it.
            let _ = unsafe { result::module::unload(self.raw) };
        }
    }
}

/// Loaded PTX.
#[derive(Clone, Debug)]
pub struct Module(Arc<Loaded>);

impl Module {
    /// A kernel by its name.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = CString::new(name).map_err(|_| CudaError::ZeroByte("kernel name"))?;
        self.0.device.context.bind_to_thread()?;
        // SAFETY: the module is loaded and the context current.
        let raw = unsafe { result::module::get_function(self.0.raw, name) }?;
        Ok(Kernel {
            raw,
            module: self.clone(),
        })
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// The address of device memory.
    Memory(&'a Memory),
    /// A 64-bit integer.
    I64(i64),
    /// A float.
    F32(f32),
    /// A double.
    F64(f64),
}

/// How many blocks, of how many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Blocks in x, y, z.
    pub blocks: [u32; 3],
    /// Threads of a block in x, y, z.
    pub threads: [u32; 3],
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    raw: sys::CUfunction,
    module: Module,
}

impl Kernel {
    /// Starts the kernel; [`Device::synchronize`] and [`Memory::read`] wait for it.
    ///
    /// # Safety
    /// The arguments have the types of the kernel's parameters, and the kernel stays inside the
    /// memory it is given.
    pub unsafe fn launch(&self, grid: Grid, arguments: &[Arg<'_>]) -> Result<()> {
        // The driver takes the address of each argument's bytes, eight at most.
        let mut words: Vec<[u8; 8]> = arguments
            .iter()
            .map(|argument| match argument {
                Arg::Memory(memory) => memory.pointer.to_ne_bytes(),
                Arg::I64(value) => value.to_ne_bytes(),
                Arg::F64(value) => value.to_ne_bytes(),
                Arg::F32(value) => u64::from(value.to_bits()).to_ne_bytes(),
            })
            .collect();
        let mut addresses: Vec<*mut c_void> = words
            .iter_mut()
            .map(|word| word.as_mut_ptr().cast())
            .collect();
        self.module.0.device.context.bind_to_thread()?;
        let [bx, by, bz] = grid.blocks;
        let [tx, ty, tz] = grid.threads;
        // SAFETY: the addresses are of live words, which the driver copies; the rest is the
        // caller's promise. The null stream is the context's default one.
        unsafe {
            result::launch_kernel(
                self.raw,
                (bx, by, bz),
                (tx, ty, tz),
                0,
                ptr::null_mut(),
                &mut addresses,
            )
        }?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "
        .version 6.0
        .target sm_50
        .address_size 64
        .visible .entry twice(.param .u64 data) {
          .reg .b64 %p; .reg .b32 %i; .reg .b64 %o; .reg .f32 %v;
          ld.param.u64 %p, [data];
          mov.u32 %i, %tid.x;
          mul.wide.u32 %o, %i, 4;
          add.u64 %p, %p, %o;
          ld.global.f32 %v, [%p];
          add.f32 %v, %v, %v;
          st.global.f32 [%p], %v;
          ret;
        }";

    /// With a device, a kernel runs; without one, each call says so.
    #[test]
    fn runs_a_kernel_or_says_why_not() {
        match cuda_device_count() {
            Ok(count) if count > 0 => twice().unwrap(),
            Ok(_) => assert!(Device::open(0).is_err()),
            Err(error) => {
                assert!(matches!(error, CudaError::NoDriver | CudaError::Driver(_)));
                assert!(Device::open(0).is_err());
            }
        }
    }

    fn twice() -> Result<()> {
        let device = Device::open(0)?;
        assert!(device.chip()?.starts_with("sm_"));
        let kernel = device.load(PTX)?.kernel("twice")?;
        let mut memory = device.allocate(8)?;
        let input: Vec<u8> = [1.5f32, -2.0]
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        memory.write(&input)?;
        let grid = Grid {
            blocks: [1, 1, 1],
            threads: [2, 1, 1],
        };
        // SAFETY: two threads touch two floats.
        unsafe { kernel.launch(grid, &[Arg::Memory(&memory)]) }?;
        let mut output = [0; 8];
        memory.read(&mut output)?;
        let expected: Vec<u8> = [3.0f32, -4.0]
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        assert_eq!(output[..], expected[..]);
        assert!(device.allocate(4)?.write(&[0; 5]).is_err());
        Ok(())
    }
}
