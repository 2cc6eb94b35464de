//! Errors, with PyTorch's messages.
//!
//! In: what went wrong. Out: the text that PyTorch prints, and the Python exception type.
//! Always: each message is written once, here.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use crate::device::Device;
use crate::dtype::DType;

/// Python exception type of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// `RuntimeError`
    Runtime,
    /// `IndexError`
    Index,
    /// `TypeError`
    Type,
    /// `ValueError`
    Value,
    /// `ZeroDivisionError`
    ZeroDivision,
    /// `NotImplementedError`
    NotImplemented,
    /// `torch.linalg.LinAlgError`
    LinAlg,
    /// `torch.OutOfMemoryError`
    OutOfMemory,
    /// An exception of the embedder that passed through, see [`TensorError::Foreign`].
    Foreign,
}

/// A shape in messages: `[2, 3]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeText(pub Box<[i64]>);

impl From<&[i64]> for ShapeText {
    fn from(shape: &[i64]) -> Self {
        ShapeText(shape.into())
    }
}

impl std::fmt::Display for ShapeText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}]", self.joined(", "))
    }
}

impl ShapeText {
    fn joined(&self, separator: &str) -> String {
        let parts: Vec<String> = self.0.iter().map(i64::to_string).collect();
        parts.join(separator)
    }

    /// `2x3`
    #[must_use]
    pub fn by_x(&self) -> String {
        self.joined("x")
    }
}

/// What a tensor operation can fail with.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TensorError {
    /// Any other `RuntimeError`.
    #[error("{0}")]
    Runtime(String),
    /// Any other `IndexError`.
    #[error("{0}")]
    Index(String),
    /// Any other `TypeError`.
    #[error("{0}")]
    Type(String),
    /// Any other `ValueError`.
    #[error("{0}")]
    Value(String),
    /// Any other `NotImplementedError`.
    #[error("{0}")]
    NotImplemented(String),
    /// What only a graph under construction lacks: a value that it would have to know. Tier 0 knows all values.
    #[error("{0}")]
    NotKnown(String),
    /// What has no form in graphs. Tier 0 has all operations.
    #[error("{0}")]
    NoGraphForm(String),
    /// A matrix that has no inverse or no factors.
    #[error("{0}")]
    LinAlg(String),
    /// Broadcasting failed.
    #[error(
        "The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
    )]
    Broadcast {
        /// Extent of the first operand.
        a: i64,
        /// Extent of the second operand.
        b: i64,
        /// Dimension of the result.
        dim: usize,
    },
    /// `expand` to an impossible shape.
    #[error(
        "The expanded size of the tensor ({to}) must match the existing size ({from}) at non-singleton dimension {dim}.  Target sizes: {target}.  Tensor sizes: {sizes}"
    )]
    Expand {
        /// Wanted extent.
        to: i64,
        /// Existing extent.
        from: i64,
        /// Dimension of the result.
        dim: usize,
        /// Wanted shape.
        target: ShapeText,
        /// Existing shape.
        sizes: ShapeText,
    },
    /// `expand` to fewer dimensions.
    #[error(
        "expand({ty}{{{sizes}}}, size={target}): the number of sizes provided ({got}) must be greater or equal to the number of dimensions in the tensor ({rank})"
    )]
    ExpandRank {
        /// Type name.
        ty: &'static str,
        /// Existing shape.
        sizes: ShapeText,
        /// Wanted shape.
        target: ShapeText,
        /// Number of sizes.
        got: usize,
        /// Existing rank.
        rank: usize,
    },
    /// Matmul of matrices that do not fit.
    #[error("mat1 and mat2 shapes cannot be multiplied ({0} and {1})")]
    MatmulShapes(String, String),
    /// Matmul of different dtypes.
    #[error("expected m1 and m2 to have the same dtype, but got: {} != {}", .0.c_name(), .1.c_name())]
    MatmulDtypes(DType, DType),
    /// Batched matmul that does not fit.
    #[error(
        "Expected size for first two dimensions of batch2 tensor to be: [{batch}, {inner}] but got: [{got_batch}, {got_inner}]."
    )]
    BmmShapes {
        /// Batch extent.
        batch: i64,
        /// Inner extent.
        inner: i64,
        /// Batch extent found.
        got_batch: i64,
        /// Inner extent found.
        got_inner: i64,
    },
    /// `reshape` or `view` to another number of elements.
    #[error("shape '{shape}' is invalid for input of size {numel}")]
    InvalidShape {
        /// Wanted shape.
        shape: ShapeText,
        /// Elements there are.
        numel: i64,
    },
    /// Two -1 in a shape.
    #[error("only one dimension can be inferred")]
    InferTwice,
    /// A negative extent.
    #[error("invalid shape dimension {dim} at index {index} of shape {shape}")]
    NegativeExtent {
        /// The extent.
        dim: i64,
        /// Its position.
        index: usize,
        /// The shape.
        shape: ShapeText,
    },
    /// -1 cannot be inferred, since another extent is 0.
    #[error(
        "cannot reshape tensor of 0 elements into shape {shape} because the unspecified dimension size -1 can be any value and is ambiguous"
    )]
    InferAmbiguous {
        /// The shape.
        shape: ShapeText,
    },
    /// `view` where strides do not allow it.
    #[error(
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."
    )]
    ViewStrides,
    /// A dimension number out of range.
    #[error("Dimension out of range (expected to be in range of [{lo}, {hi}], but got {dim})")]
    DimRange {
        /// Smallest.
        lo: i64,
        /// Largest.
        hi: i64,
        /// Given.
        dim: i64,
    },
    /// The same dimension twice.
    #[error("dim {dim} appears multiple times in the list of dims")]
    DimRepeated {
        /// The dimension.
        dim: usize,
    },
    /// An integer index out of range.
    #[error("index {index} is out of bounds for dimension {dim} with size {size}")]
    IndexRange {
        /// Given.
        index: i64,
        /// Dimension.
        dim: usize,
        /// Extent.
        size: i64,
    },
    /// A value inside an index tensor out of range, in `gather` and `scatter`.
    #[error("index {index} is out of bounds for dimension {dim} with size {size}")]
    GatherRange {
        /// Given.
        index: i64,
        /// Dimension.
        dim: usize,
        /// Extent.
        size: i64,
    },
    /// A value inside an index tensor out of range, in `take`, `index_select` and embeddings.
    #[error("index out of range in self")]
    TakeRange,
    /// An extremum of nothing.
    #[error(
        "{op}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
    )]
    EmptyReduction {
        /// torch's name of the operation.
        op: &'static str,
    },
    /// An extremum along an extent of 0.
    #[error("{op}(): Expected reduction dim {dim} to have non-zero size.")]
    EmptyReductionDim {
        /// torch's name of the operation.
        op: &'static str,
        /// The dimension.
        dim: usize,
    },
    /// Integer division by zero in a kernel.
    #[error("ZeroDivisionError")]
    KernelZeroDivision,
    /// Division by zero of Python numbers.
    #[error("integer division or modulo by zero")]
    ZeroDivision,
    /// Integers to negative powers.
    #[error("Integers to negative integer powers are not allowed.")]
    NegativePower,
    /// A kernel lacks a dtype.
    #[error("\"{op}\" not implemented for '{}'", .dtype.scalar_type_name())]
    NoKernel {
        /// The kernel.
        op: &'static str,
        /// The dtype.
        dtype: DType,
    },
    /// `item` of more than one element.
    #[error("a Tensor with {0} elements cannot be converted to Scalar")]
    Item(i64),
    /// Truth value of an empty tensor.
    #[error("Boolean value of Tensor with no values is ambiguous")]
    BoolEmpty,
    /// Truth value of more than one element.
    #[error("Boolean value of Tensor with more than one value is ambiguous")]
    BoolMany,
    /// Memory ran out.
    #[error(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate {0} bytes. Error code 12 (Cannot allocate memory)"
    )]
    OutOfMemory(usize),
    /// A device has no room.
    #[error(
        "CUDA out of memory. Tried to allocate {}. GPU {index} has a total capacity of {} of which {} is free. Of the \
allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch but unallocated.",
        Bytes(*.asked), Bytes(*.limit), Bytes(.limit.saturating_sub(*.allocated)), Bytes(*.allocated), Bytes(*.kept)
    )]
    OutOfDeviceMemory {
        /// Which device.
        index: u8,
        /// Bytes that were asked for.
        asked: usize,
        /// Bytes it has.
        limit: usize,
        /// Bytes in tensors.
        allocated: usize,
        /// Bytes that are kept for later ones.
        kept: usize,
    },
    /// Operands of one function are on two devices.
    #[error(
        "Expected all tensors to be on the same device, but found at least two devices, {0} and {1}!"
    )]
    Devices(Device, Device),
    /// Numbers of a tensor on the device meta.
    #[error("Cannot copy out of meta tensor; no data!")]
    NoData,
    /// The number of a tensor on the device meta.
    #[error("Tensor.item() cannot be called on meta tensors")]
    ItemOfMeta,
    /// A shape whose element count leaves 64 bits.
    #[error("Storage size calculation overflowed with sizes={0}")]
    SizeOverflow(ShapeText),
    /// Only floats carry gradients.
    #[error("only Tensors of floating point dtype can require gradients")]
    GradDtype,
    /// `requires_grad = False` on an inner tensor.
    #[error(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
    )]
    RequiresGradNonLeaf,
    /// `backward()` without gradient on more than one element.
    #[error("grad can be implicitly created only for scalar outputs")]
    GradNotScalar,
    /// Backward from something constant.
    #[error("element {0} of tensors does not require grad and does not have a grad_fn")]
    NoGradFn(usize),
    /// A gradient of another shape than its output.
    #[error(
        "Mismatch in shape: grad_output[{index}] has a shape of torch.Size({grad}) and output[{index}] has a shape of torch.Size({output})."
    )]
    GradShape {
        /// Which output.
        index: usize,
        /// Gradient's shape.
        grad: ShapeText,
        /// Output's shape.
        output: ShapeText,
    },
    /// A node's backward function returned a gradient of another shape than its input.
    #[error(
        "Function {name} returned an invalid gradient at index {index} - got {got} but expected shape compatible with {expected}"
    )]
    InvalidGradient {
        /// The node.
        name: String,
        /// Which input.
        index: usize,
        /// Shape it returned.
        got: ShapeText,
        /// Shape of the input.
        expected: ShapeText,
    },
    /// Saved tensors are gone.
    #[error(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward."
    )]
    BackwardTwice,
    /// A saved tensor was overwritten.
    #[error(
        "one of the variables needed for gradient computation has been modified by an inplace operation: [{} {sizes}]{producer} is at version {version}; expected version {expected} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
        legacy_type_name(ty)
    )]
    ModifiedInPlace {
        /// `Float`, ...
        ty: &'static str,
        /// Its shape.
        sizes: ShapeText,
        /// `, which is output 0 of MulBackward0,` or nothing.
        producer: String,
        /// Version now.
        version: u64,
        /// Version when saved.
        expected: u64,
    },
    /// In-place change of a leaf.
    #[error("a leaf Variable that requires grad is being used in an in-place operation.")]
    LeafInPlace,
    /// In-place change of a view of a leaf.
    #[error("a view of a leaf Variable that requires grad is being used in an in-place operation.")]
    LeafViewInPlace,
    /// In-place change of one of the views that a function returns, or use of it after its base was changed.
    #[error(
        "{} This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
        changed_view(made_by.as_ref(), *indirect)
    )]
    OneOfSeveral {
        /// Which output of what it is; of nothing on the tape: none.
        made_by: Option<(usize, Box<str>)>,
        /// It is not this view that was changed.
        indirect: bool,
    },
    /// In-place change of a view that was made in no_grad, or use of it after its base was changed.
    #[error(
        "{} Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
        changed_unrecorded_view(made_by.as_ref(), *indirect)
    )]
    UnrecordedView {
        /// Which output of what it is, where it shows a view that was made in no_grad.
        made_by: Option<(usize, Box<str>)>,
        /// It is not this view that was changed.
        indirect: bool,
    },
    /// In-place change of overlapping memory.
    #[error(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation."
    )]
    OverlappingWrite,
    /// An in-place operation reads memory that it writes in another order.
    #[error(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation."
    )]
    PartialOverlap,
    /// In-place result of another shape.
    #[error("output with shape {out} doesn't match the broadcast shape {broadcast}")]
    InPlaceShape {
        /// Shape of the tensor that is written.
        out: ShapeText,
        /// Shape of the result.
        broadcast: ShapeText,
    },
    /// In-place result of a larger kind of dtype.
    #[error("result type {} can't be cast to the desired output type {}", .from.scalar_type_name(), .to.scalar_type_name())]
    InPlaceDtype {
        /// Computed.
        from: DType,
        /// Stored.
        to: DType,
    },
    /// `autograd.grad` of an unused input.
    #[error(
        "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
    )]
    UnusedInput,
    /// `autograd.grad` of an input without gradients.
    #[error("One of the differentiated Tensors does not require grad")]
    InputNoGrad,
    /// Inference tensors cannot be used for gradients.
    #[error(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
    )]
    InferenceSaved,
    /// They are written to in inference mode only.
    #[error(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
    )]
    InferenceWrite,
    /// An exception of the embedder (a user's hook or `autograd.Function`), passed through.
    #[error("exception in a callback")]
    Foreign(Rc<dyn Any>),
}

impl TensorError {
    /// Python exception type.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            TensorError::Index(_)
            | TensorError::DimRange { .. }
            | TensorError::IndexRange { .. }
            | TensorError::TakeRange
            | TensorError::EmptyReduction { .. }
            | TensorError::EmptyReductionDim { .. } => ErrorKind::Index,
            TensorError::Type(_) => ErrorKind::Type,
            TensorError::Value(_) => ErrorKind::Value,
            TensorError::NotImplemented(_) | TensorError::NoKernel { .. } | TensorError::NoData => {
                ErrorKind::NotImplemented
            }
            TensorError::ZeroDivision => ErrorKind::ZeroDivision,
            TensorError::LinAlg(_) => ErrorKind::LinAlg,
            TensorError::OutOfDeviceMemory { .. } => ErrorKind::OutOfMemory,
            TensorError::Foreign(_) => ErrorKind::Foreign,
            _ => ErrorKind::Runtime,
        }
    }
}

/// A size as PyTorch's allocator writes it: `20.00 GiB`.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, size) = match self.0 {
            n if n >> 30 > 0 => ("GiB", 1u64 << 30),
            n if n >> 20 > 0 => ("MiB", 1 << 20),
            n if n >> 10 > 0 => ("KiB", 1 << 10),
            n => return write!(f, "{n} bytes"),
        };
        write!(f, "{:.2} {unit}", self.0 as f64 / size as f64)
    }
}

/// Result of a tensor operation.
pub type Result<T> = std::result::Result<T, TensorError>;

fn what_changed(indirect: bool) -> &'static str {
    if indirect {
        "its base or another view of its base has been modified inplace"
    } else {
        "is being modified inplace"
    }
}

fn changed_view(made_by: Option<&(usize, Box<str>)>, indirect: bool) -> String {
    let changed = what_changed(indirect);
    match made_by {
        Some((index, name)) => format!("Output {index} of {name} is a view and {changed}."),
        None => format!("A view was created in no_grad mode and {changed} with grad mode enabled."),
    }
}

fn changed_unrecorded_view(made_by: Option<&(usize, Box<str>)>, indirect: bool) -> String {
    let view = match made_by {
        Some((index, name)) => {
            format!("Output {index} of {name} is a view of a view which was")
        }
        None => "A view was".to_owned(),
    };
    let changed = what_changed(indirect);
    format!("{view} created in no_grad mode and {changed} with grad mode enabled.")
}

/// The name of a tensor's type in messages about it: that of bools was not made for scripts.
fn legacy_type_name(ty: &str) -> String {
    match ty {
        "Bool" => "CPUBoolType".to_owned(),
        _ => format!("torch.{ty}Tensor"),
    }
}
