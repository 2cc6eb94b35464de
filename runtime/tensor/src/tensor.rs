//! The tensor object: storage, layout, autograd state.
//!
//! In: buffers, shapes, dtypes. Out: [`Tensor`], a reference-counted handle with identity, as
//! Python sees it, and [`Layout`], what a kernel sees of it.
//! Always: every element that a layout reaches lies inside its storage's buffer; views share
//! the storage and the version counter; a tensor belongs to one thread.

use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::os::fd::{AsRawFd, RawFd};
use std::rc::{Rc, Weak};

use crate::alloc::Buffer;
use crate::autograd::{Hook, Output};
use crate::device::{self, Device, DeviceGuard};
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::ops::Prim;
use crate::scalar::{Element, Scalar};
use crate::shape::{self, Shape, Strides};
use crate::shared::SharedMemory;

#[derive(Debug)]
struct StorageImpl {
    buffer: RefCell<Buffer>,
    device: Device,
    /// Bytes that the device's account has for it.
    counted: usize,
    version: Cell<u64>,
    /// The version again, for those who watch it.
    watched: OnceCell<Rc<Cell<u64>>>,
    /// What the kernel that filled it saw: at which version, and whether all floats were finite.
    finite: Cell<Option<(u64, bool)>>,
}

impl Drop for StorageImpl {
    fn drop(&mut self) {
        device::count_gone(self.device, self.counted);
    }
}

/// Shared memory of one or more tensors.
#[derive(Clone, Debug)]
pub struct Storage(Rc<StorageImpl>);

impl Storage {
    /// Owns a buffer, which is on the current device.
    #[must_use]
    pub fn new(buffer: Buffer) -> Storage {
        let device = device::current();
        device::count_made(device, buffer.len());
        Storage(Rc::new(StorageImpl {
            device,
            counted: buffer.len(),
            buffer: RefCell::new(buffer),
            version: Cell::new(0),
            watched: OnceCell::new(),
            finite: Cell::new(None),
        }))
    }

    /// Notes whether all floats that a kernel filled it with are finite.
    pub(crate) fn note_finite(&self, finite: bool) {
        self.0.finite.set(Some((self.0.version.get(), finite)));
    }

    /// What was noted, once, if nothing was written since.
    fn take_finite(&self) -> Option<bool> {
        let (version, finite) = self.0.finite.take()?;
        (version == self.0.version.get()).then_some(finite)
    }

    /// The device that has it.
    #[must_use]
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// First byte.
    #[must_use]
    pub fn ptr(&self) -> *mut u8 {
        self.0.buffer.borrow().ptr()
    }

    /// Bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.buffer.borrow().len()
    }

    /// Whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts another buffer of at least the same length in place and returns the old one;
    /// every tensor on this storage sees the new content. The caller bumps the version.
    /// A shorter buffer is refused and handed back. Memory that processes share stays, and gets the content.
    pub fn swap(&self, mut buffer: Buffer) -> std::result::Result<Buffer, Buffer> {
        if buffer.len() < self.len() {
            return Err(buffer);
        }
        let mut own = self.0.buffer.borrow_mut();
        if own.shared().is_some() {
            own.exchange_content(&mut buffer);
            return Ok(buffer);
        }
        Ok(std::mem::replace(&mut own, buffer))
    }

    /// Moves the content to memory that processes share, unless it is there.
    pub fn share(&self) -> std::io::Result<()> {
        let mut own = self.0.buffer.borrow_mut();
        if own.shared().is_none() {
            let len = own.len();
            let mut shared = Buffer::of_shared(SharedMemory::new(len)?, len);
            own.exchange_content(&mut shared);
            *own = shared;
        }
        Ok(())
    }

    /// The descriptor of the memory that processes share, for another process: it is closed with the storage.
    #[must_use]
    pub fn shared_descriptor(&self) -> Option<RawFd> {
        let own = self.0.buffer.borrow();
        own.shared().map(|memory| memory.file().as_raw_fd())
    }

    /// Exchanges the contents of two storages of equal length that no other process shares; whether that was possible.
    #[must_use]
    pub fn exchange(&self, other: &Storage) -> bool {
        let shared = |s: &Storage| s.0.buffer.borrow().shared().is_some();
        let fits =
            !self.same(other) && self.len() == other.len() && !shared(self) && !shared(other);
        if fits {
            self.0.buffer.swap(&other.0.buffer);
            self.0.finite.set(None);
            other.0.finite.set(None);
        }
        fits
    }

    /// Takes over the longer memory of another storage, which gets this one's; every tensor on either sees that. No other
    /// process may share them. Whether that was possible.
    #[must_use]
    pub fn grow(&self, other: &Storage) -> bool {
        let shared = |s: &Storage| s.0.buffer.borrow().shared().is_some();
        let fits =
            !self.same(other) && self.len() <= other.len() && !shared(self) && !shared(other);
        if fits {
            self.0.buffer.swap(&other.0.buffer);
            self.0.finite.set(None);
            other.0.finite.set(None);
        }
        fits
    }

    /// Whether both are the same memory.
    #[must_use]
    pub fn same(&self, other: &Storage) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Number of handles.
    #[must_use]
    pub fn handles(&self) -> usize {
        Rc::strong_count(&self.0)
    }
}

/// Where a tensor's elements are.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The memory.
    pub storage: Storage,
    /// Extents.
    pub shape: Shape,
    /// Steps, in elements.
    pub strides: Strides,
    /// First element, in elements.
    pub offset: i64,
    /// Element type.
    pub dtype: DType,
    /// A version counter of its own (`Tensor.data`); otherwise the storage's.
    own_version: Option<Rc<Cell<u64>>>,
}

impl Layout {
    /// A new row-major tensor of unspecified content.
    pub fn empty(shape: &[i64], dtype: DType) -> Result<Layout> {
        let n = shape::checked_numel(shape)?;
        let bytes = usize::try_from(n)
            .ok()
            .and_then(|n| n.checked_mul(dtype.size()))
            .ok_or_else(|| TensorError::SizeOverflow(shape.into()))?;
        device::check_room(bytes)?;
        let buffer = match device::current() {
            Device::Meta => Buffer::reserved(bytes)?,
            _ => Buffer::new(bytes)?,
        };
        Ok(Layout::of_storage(Storage::new(buffer), shape, dtype))
    }

    fn of_storage(storage: Storage, shape: &[i64], dtype: DType) -> Layout {
        Layout {
            storage,
            shape: shape.into(),
            strides: shape::contiguous_strides(shape),
            offset: 0,
            dtype,
            own_version: None,
        }
    }

    /// A row-major tensor in a buffer that is large enough.
    pub fn from_buffer(buffer: Buffer, shape: &[i64], dtype: DType) -> Result<Layout> {
        let n = shape::checked_numel(shape)?;
        if (n as usize)
            .checked_mul(dtype.size())
            .is_none_or(|b| b > buffer.len())
        {
            return Err(TensorError::Runtime(format!(
                "buffer of {} bytes is too small for {} elements of {dtype}",
                buffer.len(),
                n
            )));
        }
        Ok(Layout::of_storage(Storage::new(buffer), shape, dtype))
    }

    /// The same memory seen differently; shares the version counter. `None` where the new
    /// view would leave the storage.
    #[must_use]
    pub fn view(&self, shape: Shape, strides: Strides, offset: i64) -> Option<Layout> {
        if shape::numel(&shape) > 0 {
            let (mut first, mut last) = (offset, offset);
            for (&d, &s) in shape.iter().zip(&strides) {
                let reached = if s < 0 { &mut first } else { &mut last };
                *reached = reached.checked_add((d - 1).checked_mul(s)?)?;
            }
            let end = usize::try_from(last).ok()?.checked_add(1)?;
            if first < 0 || end.checked_mul(self.dtype.size())? > self.storage.len() {
                return None;
            }
        }
        (shape.len() == strides.len()).then(|| Layout {
            storage: self.storage.clone(),
            shape,
            strides,
            offset,
            dtype: self.dtype,
            own_version: self.own_version.clone(),
        })
    }

    /// Number of elements.
    #[must_use]
    pub fn numel(&self) -> i64 {
        shape::numel(&self.shape)
    }

    /// Number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Row-major without gaps.
    #[must_use]
    pub fn is_contiguous(&self) -> bool {
        shape::is_contiguous(&self.shape, &self.strides)
    }

    /// Some of its steps are below zero.
    #[must_use]
    pub fn goes_backwards(&self) -> bool {
        self.strides.iter().any(|&s| s < 0)
    }

    /// The first place in memory that it has an element in, and the place behind the last one, in elements. It has some.
    #[must_use]
    pub fn reach(&self) -> (i64, i64) {
        let (mut first, mut last) = (self.offset, self.offset);
        for (&d, &s) in self.shape.iter().zip(&self.strides) {
            *(if s < 0 { &mut first } else { &mut last }) += (d - 1) * s;
        }
        (first, last + 1)
    }

    /// All elements are one: every extent above 1 is stretched.
    #[must_use]
    pub fn is_splat(&self) -> bool {
        self.shape
            .iter()
            .zip(&self.strides)
            .all(|(&d, &s)| s == 0 || d <= 1)
    }

    /// More than one index reaches an element.
    #[must_use]
    pub fn overlaps(&self) -> bool {
        if self.is_contiguous() || self.shape.contains(&0) {
            return false;
        }
        let steps = self.strides.iter().map(|s| s.abs());
        let steps = steps.zip(self.shape.iter().copied());
        let mut long: smallvec::SmallVec<[(i64, i64); 6]> = steps.filter(|&(_, d)| d > 1).collect();
        long.sort_unstable();
        let mut reach = 0;
        // Each step has to go past all that shorter ones reach.
        !long.iter().all(|&(step, extent)| {
            let apart = step > reach;
            reach += step * (extent - 1);
            apart
        })
    }

    /// An element is repeated along a dimension, as after `expand()`.
    #[must_use]
    pub fn repeats(&self) -> bool {
        let mut steps = self.shape.iter().zip(&self.strides);
        !self.shape.contains(&0) && steps.any(|(&d, &s)| s == 0 && d > 1)
    }

    /// First element, untyped.
    #[must_use]
    pub fn ptr(&self) -> *mut u8 {
        if self.numel() == 0 {
            return self.storage.ptr();
        }
        self.storage
            .ptr()
            .wrapping_add(self.offset as usize * self.dtype.size())
    }

    /// How often the elements were overwritten.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.own_version
            .as_ref()
            .map_or_else(|| self.storage.0.version.get(), |v| v.get())
    }

    /// Notes that elements were overwritten.
    pub fn bump_version(&self) {
        let counter = self
            .own_version
            .as_deref()
            .unwrap_or(&self.storage.0.version);
        counter.set(counter.get() + 1);
        if let (None, Some(watched)) = (&self.own_version, self.storage.0.watched.get()) {
            watched.set(counter.get());
        }
    }

    /// The version counter, which outlives the elements.
    fn watched_version(&self) -> Rc<Cell<u64>> {
        match &self.own_version {
            Some(own) => own.clone(),
            None => {
                let storage = &self.storage.0;
                let new = || Rc::new(Cell::new(storage.version.get()));
                storage.watched.get_or_init(new).clone()
            }
        }
    }

    /// Notices when the elements are overwritten, without keeping them.
    pub(crate) fn watch(&self) -> Watch {
        Watch {
            version: self.watched_version(),
            expected: self.version(),
        }
    }

    /// The same memory with a version counter of its own.
    #[must_use]
    pub fn with_own_version(&self) -> Layout {
        Layout {
            own_version: Some(Rc::new(Cell::new(0))),
            ..self.clone()
        }
    }

    /// Refuses to read numbers where there are none.
    fn check_numbers(&self) -> Result<()> {
        match self.storage.device() {
            Device::Meta => Err(TensorError::NoData),
            _ => Ok(()),
        }
    }

    /// The elements in row-major order as `T`, which must be the dtype's type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype {
            return Err(TensorError::Type(format!(
                "expected {}, got {}",
                T::DTYPE,
                self.dtype
            )));
        }
        self.check_numbers()?;
        let dense = crate::kernels::copy::contiguous(self)?;
        // SAFETY: `dense` has `numel` elements of type T in row-major order, and nothing
        // writes to it while it is read here.
        let all =
            unsafe { std::slice::from_raw_parts(dense.ptr().cast::<T>(), dense.numel() as usize) };
        Ok(all.to_vec())
    }
}

/// A version of elements that are not kept.
#[derive(Debug)]
pub(crate) struct Watch {
    version: Rc<Cell<u64>>,
    /// The version when the watch began.
    pub(crate) expected: u64,
}

impl Watch {
    /// Whether it is these elements' memory.
    pub(crate) fn watches(&self, layout: &Layout) -> bool {
        Rc::ptr_eq(&self.version, &layout.watched_version())
    }

    /// The version now, where it is another one.
    pub(crate) fn changed(&self) -> Option<u64> {
        let version = self.version.get();
        (version != self.expected).then_some(version)
    }
}

/// How a view came about: its base and the view primitives from there.
#[derive(Clone, Debug)]
pub(crate) struct ViewOf {
    pub(crate) base: Tensor,
    pub(crate) chain: Rc<[Prim]>,
    /// Which result it is of a function that returns several views (a view of such a result counts as the
    /// first): it must not be changed in place where gradients flow.
    pub(crate) one_of_several: Option<usize>,
    /// It, or what it shows, was made while nothing was recorded: it must not be changed in place where gradients
    /// flow, nor used there after its base was changed.
    pub(crate) unrecorded: bool,
    /// The base's version when `grad_fn` was made.
    pub(crate) version: u64,
}

#[derive(Debug)]
pub(crate) struct TensorImpl {
    pub(crate) layout: RefCell<Layout>,
    /// Set on leaves that want a gradient.
    pub(crate) requires_grad: Cell<bool>,
    pub(crate) retains_grad: Cell<bool>,
    pub(crate) inference: bool,
    /// It is the conjugate of another tensor, whose memory it shows in PyTorch.
    conjugated: Cell<bool>,
    pub(crate) grad: RefCell<Option<Tensor>>,
    pub(crate) grad_fn: RefCell<Option<Output>>,
    pub(crate) view: RefCell<Option<ViewOf>>,
    pub(crate) hooks: RefCell<Vec<Hook>>,
    /// Run on a leaf after its gradient was added to `grad`; they see the leaf.
    pub(crate) accumulated_hooks: RefCell<Vec<Hook>>,
    /// The address of the embedder's object for this tensor, so that its identity is kept; 0 for none.
    pub(crate) wrapper: Cell<usize>,
}

/// A tensor. Clones are the same object.
#[derive(Clone, Debug)]
pub struct Tensor(pub(crate) Rc<TensorImpl>);

/// A tensor that is not kept alive.
#[derive(Clone, Debug)]
pub struct WeakTensor(Weak<TensorImpl>);

impl WeakTensor {
    /// The tensor, if it still exists.
    #[must_use]
    pub fn upgrade(&self) -> Option<Tensor> {
        self.0.upgrade().map(Tensor)
    }
}

impl Tensor {
    /// A new object on this memory, without gradient.
    #[must_use]
    pub fn from_layout(layout: Layout) -> Tensor {
        Tensor::with_edge(layout, None)
    }

    pub(crate) fn with_edge(layout: Layout, grad_fn: Option<Output>) -> Tensor {
        Tensor::of_kind(layout, grad_fn, crate::autograd::is_inference_mode())
    }

    /// A new object on this tensor's memory: a view of an inference tensor is one, whatever the mode.
    pub(crate) fn sharing(&self, layout: Layout, grad_fn: Option<Output>) -> Tensor {
        Tensor::of_kind(layout, grad_fn, self.0.inference)
    }

    fn of_kind(layout: Layout, grad_fn: Option<Output>, inference: bool) -> Tensor {
        Tensor(Rc::new(TensorImpl {
            layout: RefCell::new(layout),
            requires_grad: Cell::new(false),
            retains_grad: Cell::new(false),
            inference,
            conjugated: Cell::new(false),
            grad: RefCell::new(None),
            grad_fn: RefCell::new(grad_fn),
            view: RefCell::new(None),
            hooks: RefCell::new(Vec::new()),
            accumulated_hooks: RefCell::new(Vec::new()),
            wrapper: Cell::new(0),
        }))
    }

    /// From elements in row-major order.
    pub fn from_slice<T: Element>(data: &[T], shape: &[i64]) -> Result<Tensor> {
        let layout = Layout::empty(shape, T::DTYPE)?;
        if layout.numel() as usize != data.len() {
            return Err(TensorError::InvalidShape {
                shape: shape.into(),
                numel: data.len() as i64,
            });
        }
        // SAFETY: the new buffer has room for exactly `data.len()` elements.
        unsafe {
            std::ptr::copy_nonoverlapping(data.as_ptr(), layout.ptr().cast::<T>(), data.len());
        }
        Ok(Tensor::from_layout(layout))
    }

    /// From numbers, converted to `dtype`.
    pub fn from_scalars(data: &[Scalar], shape: &[i64], dtype: DType) -> Result<Tensor> {
        crate::dispatch!(dtype; all: T => {
            let v: Vec<T> = data.iter().map(|&s| T::from_scalar(s)).collect();
            Tensor::from_slice(&v, shape)
        })
    }

    /// A 0-d tensor.
    pub fn from_scalar(value: Scalar, dtype: DType) -> Result<Tensor> {
        Tensor::from_scalars(&[value], &[], dtype)
    }

    /// On a buffer in row-major order, without a copy.
    pub fn from_buffer(buffer: Buffer, shape: &[i64], dtype: DType) -> Result<Tensor> {
        Ok(Tensor::from_layout(Layout::from_buffer(
            buffer, shape, dtype,
        )?))
    }

    /// Unspecified content.
    pub fn empty(shape: &[i64], dtype: DType) -> Result<Tensor> {
        Ok(Tensor::from_layout(Layout::empty(shape, dtype)?))
    }

    /// All elements equal.
    pub fn full(shape: &[i64], value: Scalar, dtype: DType) -> Result<Tensor> {
        let layout = Layout::empty(shape, dtype)?;
        if layout.storage.device() != Device::Meta {
            crate::kernels::copy::fill(&layout, value);
        }
        Ok(Tensor::from_layout(layout))
    }

    /// Zeros.
    pub fn zeros(shape: &[i64], dtype: DType) -> Result<Tensor> {
        Tensor::full(shape, Scalar::I64(0), dtype)
    }

    /// Where the elements are.
    #[must_use]
    pub fn layout(&self) -> Ref<'_, Layout> {
        self.0.layout.borrow()
    }

    /// Element type.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.layout().dtype
    }

    /// Device.
    #[must_use]
    pub fn device(&self) -> Device {
        self.layout().storage.device()
    }

    /// Extents.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.layout().shape.clone()
    }

    /// Extent of one dimension; 1 beyond the rank.
    #[must_use]
    pub fn size(&self, dim: usize) -> i64 {
        self.layout().shape.get(dim).copied().unwrap_or(1)
    }

    /// Steps, in elements.
    #[must_use]
    pub fn strides(&self) -> Strides {
        self.layout().strides.clone()
    }

    /// First element, in elements from the storage's start.
    #[must_use]
    pub fn storage_offset(&self) -> i64 {
        self.layout().offset
    }

    /// Number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.layout().rank()
    }

    /// Number of elements.
    #[must_use]
    pub fn numel(&self) -> i64 {
        self.layout().numel()
    }

    /// Row-major without gaps.
    #[must_use]
    pub fn is_contiguous(&self) -> bool {
        self.layout().is_contiguous()
    }

    /// Address of the first element.
    #[must_use]
    pub fn data_ptr(&self) -> *mut u8 {
        self.layout().ptr()
    }

    /// How often the memory was overwritten through torch.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.layout().version()
    }

    /// Whether both handles are the same object.
    #[must_use]
    pub fn same(&self, other: &Tensor) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// A number that identifies the object while it lives.
    #[must_use]
    pub fn id(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// Whether both use the same memory block.
    #[must_use]
    pub fn shares_storage(&self, other: &Tensor) -> bool {
        self.layout().storage.same(&other.layout().storage)
    }

    /// Of each dimension, whether it and the next one longer than 1 lie in memory like one dimension; true where
    /// there is none, and for those of extent 1.
    #[must_use]
    pub fn joins(&self) -> Vec<bool> {
        let layout = self.layout();
        let (shape, strides) = (&layout.shape, &layout.strides);
        let next = |i: usize| (i + 1..shape.len()).find(|&j| shape[j] != 1);
        (0..shape.len())
            .map(|i| shape[i] == 1 || next(i).is_none_or(|j| strides[i] == strides[j] * shape[j]))
            .collect()
    }

    /// Whether several elements are in one place, as after `expand()`: it cannot be written.
    #[must_use]
    pub fn has_overlap(&self) -> bool {
        self.layout().overlaps()
    }

    /// A number that identifies the memory block while it lives.
    #[must_use]
    pub fn storage_id(&self) -> usize {
        Rc::as_ptr(&self.layout().storage.0) as usize
    }

    /// The address of the embedder's object that stands for this tensor, while it lives.
    #[must_use]
    pub fn wrapper(&self) -> Option<usize> {
        Some(self.0.wrapper.get()).filter(|address| *address != 0)
    }

    /// Sets the address of the embedder's object that stands for this tensor. The embedder takes it back when that
    /// object dies.
    pub fn set_wrapper(&self, address: usize) {
        self.0.wrapper.set(address);
    }

    /// No object at this address stands for this tensor any more.
    pub fn forget_wrapper(&self, address: usize) {
        if self.0.wrapper.get() == address {
            self.0.wrapper.set(0);
        }
    }

    /// A handle that does not keep the tensor alive.
    #[must_use]
    pub fn downgrade(&self) -> WeakTensor {
        WeakTensor(Rc::downgrade(&self.0))
    }

    /// The elements in row-major order; `T` must be the dtype's type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.layout().to_vec()
    }

    /// Whether no element is infinite or NaN.
    #[must_use]
    pub fn all_finite(&self) -> bool {
        crate::kernels::finite::all_finite(&self.layout())
    }

    /// The same of a result that nothing else knows yet, of which the kernel that made it may have noted it.
    #[must_use]
    pub fn result_finite(&self) -> bool {
        let layout = self.layout();
        let known = layout.storage.take_finite();
        known.unwrap_or_else(|| crate::kernels::finite::all_finite(&layout))
    }

    /// The elements in row-major order as Python numbers.
    pub fn to_scalars(&self) -> Result<Vec<Scalar>> {
        crate::dispatch!(self.dtype(); all: T => {
            Ok(self.to_vec::<T>()?.into_iter().map(Element::to_scalar).collect())
        })
    }

    /// Where the element at these positions lies, in elements of the storage; `None` where there is none in main memory.
    fn element_offset(layout: &Layout, at: &[i64]) -> Option<isize> {
        if at.len() != layout.shape.len() || layout.storage.device() != Device::Cpu {
            return None;
        }
        let mut offset = layout.offset;
        for ((&i, &n), &step) in at.iter().zip(&layout.shape).zip(&layout.strides) {
            if !(0..n).contains(&i) {
                return None;
            }
            offset += i * step;
        }
        isize::try_from(offset).ok()
    }

    /// The element at these positions, counted from 0; `None` where there is none in main memory.
    #[must_use]
    pub fn element(&self, at: &[i64]) -> Option<Scalar> {
        let layout = self.layout();
        let offset = Self::element_offset(&layout, at)?;
        crate::dispatch!(layout.dtype; all: T => {
            // SAFETY: the positions are inside of the extents, and a layout's elements, of type T by the dispatch, lie inside of its
            // storage.
            Some(unsafe { layout.storage.ptr().cast::<T>().offset(offset).read() }.to_scalar())
        })
    }

    /// Writes the element at these positions, in place; whether there is one in main memory.
    pub fn set_element(&self, at: &[i64], value: Scalar) -> bool {
        let layout = self.layout();
        let Some(offset) = Self::element_offset(&layout, at) else {
            return false;
        };
        crate::dispatch!(layout.dtype; all: T => {
            // SAFETY: as in `element`; nothing holds a reference into the storage.
            unsafe { layout.storage.ptr().cast::<T>().offset(offset).write(T::from_scalar(value)) };
        });
        layout.bump_version();
        true
    }

    /// The only element.
    pub fn item(&self) -> Result<Scalar> {
        let layout = self.layout();
        if layout.numel() != 1 {
            return Err(TensorError::Item(layout.numel()));
        }
        if layout.storage.device() == Device::Meta {
            return Err(TensorError::ItemOfMeta);
        }
        crate::dispatch!(layout.dtype; all: T => {
            // SAFETY: a layout of one element points at it, of type T by the dispatch.
            Ok(unsafe { layout.ptr().cast::<T>().read() }.to_scalar())
        })
    }

    /// `bool(tensor)`
    pub fn truth(&self) -> Result<bool> {
        match self.numel() {
            0 => Err(TensorError::BoolEmpty),
            1 => Ok(self.item()?.to_bool()),
            _ => Err(TensorError::BoolMany),
        }
    }

    /// The tensor itself, or a row-major copy, outside autograd.
    pub fn contiguous_data(&self) -> Result<Tensor> {
        if self.is_contiguous() {
            return Ok(self.clone());
        }
        let dense = crate::kernels::copy::contiguous(&self.layout())?;
        Ok(Tensor::from_layout(dense))
    }

    /// A row-major copy, outside autograd.
    pub fn copy_data(&self) -> Result<Tensor> {
        Ok(Tensor::from_layout(crate::kernels::copy::copy_of(
            &self.layout(),
        )?))
    }

    /// A copy on a device, outside autograd; it lies in memory as this one does, but for gaps.
    pub fn copy_to(&self, device: Device) -> Result<Tensor> {
        let _guard = DeviceGuard::new(device);
        let layout = self.layout();
        if device != Device::Meta {
            layout.check_numbers()?;
        }
        let Some(order) = shape::memory_order(&layout.shape, &layout.strides) else {
            return self.copy_data();
        };
        let along = |list: &[i64], order: &[usize]| -> Shape {
            order.iter().filter_map(|&d| list.get(d).copied()).collect()
        };
        let back = shape::inverse_permutation(&order);
        let rows = layout.view(
            along(&layout.shape, &order),
            along(&layout.strides, &order),
            layout.offset,
        );
        let copied = |rows: Layout| match device {
            Device::Meta => Layout::empty(&rows.shape, rows.dtype),
            _ => crate::kernels::copy::copy_of(&rows),
        };
        let copy = rows.map(copied).transpose()?;
        let laid = copy.and_then(|copy| {
            let strides = along(&copy.strides, &back);
            copy.view(layout.shape.clone(), strides, copy.offset)
        });
        match laid {
            Some(laid) => Ok(Tensor::from_layout(laid)),
            None => self.copy_data(),
        }
    }

    /// Whether it is the conjugate of another tensor, whose memory it would show in PyTorch.
    #[must_use]
    pub fn is_conjugated(&self) -> bool {
        self.0.conjugated.get()
    }

    /// Notes that it is.
    pub fn set_conjugated(&self, on: bool) {
        self.0.conjugated.set(on);
    }

    /// All of its memory, whatever part of it the tensor shows, as a one-dimensional tensor outside autograd.
    #[must_use]
    pub fn memory(&self) -> Tensor {
        let layout = self.layout();
        let n = layout.storage.len() / layout.dtype.size().max(1);
        let shape = [i64::try_from(n).unwrap_or(0)];
        Tensor::from_layout(Layout::of_storage(
            layout.storage.clone(),
            &shape,
            layout.dtype,
        ))
    }

    /// The part of its memory that a shape, strides and an offset (in elements) show; `None` where they would leave it.
    #[must_use]
    pub fn part(&self, shape: &[i64], strides: &[i64], offset: i64) -> Option<Tensor> {
        if shape.iter().any(|&n| n < 0) {
            return None;
        }
        let part = self.layout().view(shape.into(), strides.into(), offset)?;
        Some(Tensor::from_layout(part))
    }

    /// The part of another tensor's memory that this one shows of its own; `None` where that is too short.
    #[must_use]
    pub fn part_of_memory(&self, of: &Tensor) -> Option<Tensor> {
        let layout = self.layout();
        let mut whole = of.layout().clone();
        whole.dtype = layout.dtype;
        let part = whole.view(layout.shape.clone(), layout.strides.clone(), layout.offset)?;
        Some(Tensor::from_layout(part))
    }

    /// A view that no primitives make: gradients may not flow through its change.
    fn free_view(&self, layout: Layout) -> Result<Tensor> {
        let output = crate::eager::record_part(self, &layout)?;
        let base = match &*self.0.view.borrow() {
            Some(view) => view.base.clone(),
            None => self.clone(),
        };
        let version = base.version();
        let view = self.sharing(layout, output);
        view.0.view.replace(Some(ViewOf {
            base,
            chain: Rc::new([]),
            one_of_several: None,
            unrecorded: true,
            version,
        }));
        Ok(view)
    }

    /// The same memory as elements of another dtype (`view(dtype)`), outside the graph.
    pub fn reinterpreted(&self, dtype: DType) -> Result<Tensor> {
        let mut layout = self.layout().clone();
        let (have, want) = (layout.dtype.size() as i64, dtype.size() as i64);
        if dtype == DType::Bool && layout.dtype != DType::Bool {
            // A byte that is neither 0 nor 1 is no bool.
            return Err(TensorError::NotImplemented(
                "view(torch.bool) is not implemented in janus-jit yet".to_owned(),
            ));
        }
        let (from, to) = (layout.dtype.scalar_type_name(), dtype.scalar_type_name());
        // The last dimension changes; so do the steps between the others.
        let last = layout.rank().wrapping_sub(1);
        if have != want {
            let as_other = format!("to view {from} as {to} (different element sizes)");
            let (Some(&extent), Some(&step)) = (layout.shape.get(last), layout.strides.get(last))
            else {
                return Err(TensorError::Runtime(format!(
                    "self.dim() cannot be 0 {as_other}"
                )));
            };
            if step != 1 {
                return Err(TensorError::Runtime(format!(
                    "self.stride(-1) must be 1 {as_other}, but got {step}"
                )));
            }
            let ratio = if have > want {
                have / want
            } else {
                want / have
            };
            let scaled = |n: i64| if have > want { n * ratio } else { n / ratio };
            if have < want {
                if extent % ratio != 0 {
                    return Err(TensorError::Runtime(format!(
                        "self.size(-1) must be divisible by {ratio} {as_other}, but got {extent}"
                    )));
                }
                if layout.offset % ratio != 0 {
                    return Err(TensorError::Runtime(format!(
                        "self.storage_offset() must be divisible by {ratio} {as_other}, but got {}",
                        layout.offset
                    )));
                }
                let mut steps = layout.strides.iter().enumerate();
                if let Some((i, s)) = steps.find(|&(i, s)| i != last && s % ratio != 0) {
                    return Err(TensorError::Runtime(format!(
                        "self.stride({i}) must be divisible by {ratio} {as_other}, but got {s}"
                    )));
                }
            }
            layout.offset = scaled(layout.offset);
            for (i, (n, s)) in layout.shape.iter_mut().zip(&mut layout.strides).enumerate() {
                if i == last {
                    *n = scaled(*n);
                } else {
                    *s = scaled(*s);
                }
            }
        }
        layout.dtype = dtype;
        Ok(self.sharing(layout, None))
    }

    /// `as_strided`: any part of the memory.
    pub fn as_strided(
        &self,
        shape: &[i64],
        strides: &[i64],
        offset: Option<i64>,
    ) -> Result<Tensor> {
        if shape.len() != strides.len() {
            return Err(TensorError::Runtime(
                "mismatch in length of strides and shape".to_owned(),
            ));
        }
        if strides.iter().any(|&s| s < 0) {
            return Err(TensorError::Runtime(format!(
                "as_strided: Negative strides are not supported at the moment, got strides: {}",
                crate::ShapeText::from(strides)
            )));
        }
        let layout = self.layout();
        let offset = offset.unwrap_or(layout.offset);
        let part = layout.view(shape.into(), strides.into(), offset);
        let size = layout.dtype.size();
        let Some(part) = part.filter(|_| shape.iter().all(|&n| n >= 0)) else {
            let steps = shape.iter().zip(strides);
            let end = steps.map(|(&n, &s)| (n - 1) * s).sum::<i64>() + offset + 1;
            return Err(TensorError::Runtime(format!(
                "setStorage: sizes {}, strides {}, storage offset {offset}, and itemsize {size} requiring a storage size of {} are out of bounds for storage of size {}",
                crate::ShapeText::from(shape),
                crate::ShapeText::from(strides),
                end.saturating_mul(size as i64),
                layout.storage.len()
            )));
        };
        drop(layout);
        self.free_view(part)
    }

    /// Whether it was made in inference mode (`is_inference()`).
    #[must_use]
    pub fn is_inference(&self) -> bool {
        self.0.inference
    }

    /// The tensor that this one is a view of (`_base`).
    #[must_use]
    pub fn view_base(&self) -> Option<Tensor> {
        self.0.view.borrow().as_ref().map(|v| v.base.clone())
    }

    /// The tensor that this one is a view of, and the view primitives from there, where that was noted.
    #[must_use]
    pub fn view_of(&self) -> Option<(Tensor, Rc<[Prim]>)> {
        let view = self.0.view.borrow();
        let told = view.as_ref().filter(|v| !v.chain.is_empty());
        told.map(|v| (v.base.clone(), v.chain.clone()))
    }

    /// Says that a function made this result, which nobody has yet. What it shows may be a tensor of the function's own
    /// that nobody else can reach: then it is no view, unless its `grad_fn` says that PyTorch's function gives one.
    pub fn leave_own_base(&self) {
        let is_own = match &*self.0.view.borrow() {
            Some(view) => Rc::strong_count(&view.base.0) == 1 && Rc::strong_count(&self.0) == 1,
            None => false,
        };
        if is_own && self.grad_fn().is_some_and(|node| !node.is_of_view()) {
            self.0.view.replace(None);
        }
    }

    /// Notes that this view is the result number `index` of a function that returns several.
    pub fn set_one_of_several(&self, index: usize) {
        if let Some(view) = &mut *self.0.view.borrow_mut() {
            view.one_of_several = Some(index);
        }
    }

    /// Whether it is a view that was made in no_grad, or shows one that was.
    #[must_use]
    pub fn is_unrecorded_view(&self) -> bool {
        let view = self.0.view.borrow();
        view.as_ref().is_some_and(|v| v.unrecorded)
    }

    /// Says whether this view counts as one that was made in no_grad.
    pub fn set_unrecorded_view(&self, on: bool) {
        if let Some(view) = &mut *self.0.view.borrow_mut() {
            view.unrecorded = on;
        }
    }

    /// Which result this view is of a function that returns several, if it is one.
    #[must_use]
    pub fn one_of_several(&self) -> Option<usize> {
        self.0.view.borrow().as_ref().and_then(|v| v.one_of_several)
    }

    /// `tensor.data`: the same memory, no gradient, a version counter of its own.
    #[must_use]
    pub fn data(&self) -> Tensor {
        self.sharing(self.layout().with_own_version(), None)
    }

    /// This view of something that nothing else shows, as a tensor of its own.
    #[must_use]
    pub fn as_no_view(self) -> Tensor {
        self.0.view.replace(None);
        self
    }

    /// Names the operation behind it as that behind another one.
    pub fn name_as(&self, other: &Tensor) {
        if let (Some(own), Some(other)) = (&*self.0.grad_fn.borrow(), &*other.0.grad_fn.borrow()) {
            own.node.name_result(other.node.name(), self);
        }
    }

    /// Becomes a view of itself (`unsqueeze_()`): the view's shape, strides and place in the graph.
    pub fn become_view(&self, view: &Tensor) -> Result<()> {
        if crate::autograd::is_grad_enabled() && self.is_leaf() && self.requires_grad() {
            return Err(TensorError::LeafInPlace);
        }
        let edge = view.0.grad_fn.borrow().clone();
        let place = match &*self.0.view.borrow() {
            Some(_) => view.0.view.borrow().clone(),
            None => None,
        };
        let layout = view.layout().clone();
        self.0.layout.replace(layout);
        if edge.is_some() {
            self.0.grad_fn.replace(edge);
        }
        self.0.view.replace(place);
        Ok(())
    }

    /// `tensor.data = other`: this object takes over the other one's memory, shape and dtype;
    /// its autograd state stays.
    pub fn set_data(&self, other: &Tensor) {
        let layout = other.layout().with_own_version();
        self.0.layout.replace(layout);
    }
}
