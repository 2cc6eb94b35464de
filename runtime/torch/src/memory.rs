//! The memory of tensors as such: what files and pickles are made of.
//!
//! In: tensors, bytes. Out: bytes, tensors over memory. Always: bytes are little-endian, elements in row-major order.

use std::fs::OpenOptions;

use janus_object::{Args, NativeDef, PyResult, Raised, Signature, Value, Vm, attr, name};
use janus_tensor::alloc::Buffer;
use janus_tensor::ops::ComplexOp;
use janus_tensor::scalar::{bf16, f16};
use janus_tensor::shared::SharedMemory;
use janus_tensor::{DType, Eager, Ops, Tensor, TensorError};

use crate::call::raised;
use crate::objects::{dtype_of, refuse_absent, tensor_of, wrap};

/// The tensor that a native of these takes.
pub(crate) fn argument(v: &Value) -> PyResult<&Tensor> {
    tensor_of(v).ok_or_else(|| Raised::type_error("a Tensor was expected"))
}

macro_rules! conversions {
    ($($dtype:ident $t:ty),* $(,)?) => {
        fn to_bytes(t: &Tensor) -> Result<Vec<u8>, TensorError> {
            Ok(match t.dtype() {
                $(DType::$dtype => {
                    t.to_vec::<$t>()?.into_iter().flat_map(<$t>::to_le_bytes).collect()
                })*
                DType::Bool => t.to_vec::<bool>()?.into_iter().map(u8::from).collect(),
                DType::C64 | DType::C128 => {
                    let parts = Eager.complex(ComplexOp::AsReal, &t.detach())?;
                    to_bytes(&parts)?
                }
            })
        }

        fn from_bytes(data: &[u8], dtype: DType) -> Result<Tensor, TensorError> {
            let shape = [(data.len() / dtype.size()) as i64];
            match dtype {
                $(DType::$dtype => {
                    let (elements, _) = data.as_chunks();
                    let elements: Vec<$t> =
                        elements.iter().map(|&e| <$t>::from_le_bytes(e)).collect();
                    Tensor::from_slice(&elements, &shape)
                })*
                DType::C64 | DType::C128 => {
                    let parts = from_bytes(data, dtype.real())?;
                    let whole = parts.part(&[shape[0], 2], &[2, 1], 0);
                    let parts = whole.unwrap_or(parts);
                    let joined = Eager.complex(ComplexOp::AsComplex, &parts)?;
                    Ok(Tensor::from_layout(joined.layout().clone()))
                }
                DType::Bool => {
                    let elements: Vec<bool> = data.iter().map(|&b| b != 0).collect();
                    Tensor::from_slice(&elements, &shape)
                }
            }
        }
    };
}
conversions! {
    F32 f32, F64 f64, I64 i64, I32 i32, I16 i16, I8 i8, U8 u8, F16 f16, BF16 bf16, U16 u16, U32 u32, U64 u64,
}

/// `_tensor_bytes(t)`: its elements.
fn tensor_bytes(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_tensor_bytes")?;
    Ok(Value::bytes(to_bytes(argument(t)?).map_err(raised)?))
}

static OF_BYTES: Signature<2> = Signature::positional("_tensor_of_bytes", ["data", "dtype"]);

/// `_tensor_of_bytes(data, dtype)`: a tensor of one dimension; what is left over at the end is no element.
fn tensor_of_bytes(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [data, dtype] = OF_BYTES.parse(args)?;
    let (Some(data), Some(dtype)) = (data, dtype) else {
        return Err(Raised::type_error("bytes and a dtype were expected"));
    };
    refuse_absent(&dtype).map_err(raised)?;
    let (Some(data), Some(dtype)) = (data.as_bytes(), dtype_of(&dtype)) else {
        return Err(Raised::type_error("bytes and a dtype were expected"));
    };
    Ok(wrap(from_bytes(&data.to_vec(), dtype).map_err(raised)?))
}

/// `_memory(t)`: all of its storage as a tensor of one dimension.
fn memory(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_memory")?;
    Ok(wrap(argument(t)?.memory()))
}

/// `_storage_id(t)`: the same for tensors that share memory.
fn storage_id(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_storage_id")?;
    let id = argument(t)?.storage_id();
    Ok(Value::Int(i64::try_from(id).unwrap_or(i64::MAX)))
}

/// `_grow_memory(t, room)`: the tensor's storage, and with it all views, takes over the longer memory of a tensor that
/// nothing else uses; whether that was possible.
fn grow_memory(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t, room] = args.exactly("_grow_memory")?;
    let (t, room) = (argument(t)?, argument(room)?);
    let grown = t.layout().storage.grow(&room.layout().storage);
    if grown {
        t.layout().bump_version();
    }
    Ok(Value::from(grown))
}

static PART: Signature<4> = Signature::positional(
    "_part_of_memory",
    ["memory", "size", "stride", "storage_offset"],
);

/// `_part_of_memory(memory, size, stride, storage_offset)`: a tensor over a part of another one's memory.
fn part_of_memory(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [memory, size, stride, offset] = PART.parse(args)?;
    let ints = |v: Option<Value>| -> Option<Vec<i64>> {
        v?.as_tuple()?.items.iter().map(Value::as_int).collect()
    };
    let part = memory
        .as_ref()
        .and_then(tensor_of)
        .and_then(|memory| memory.part(&ints(size)?, &ints(stride)?, offset.as_ref()?.as_int()?));
    match part {
        Some(part) => Ok(wrap(part)),
        None => Err(Raised::runtime_error(
            "a tensor's shape does not fit its storage: the file is damaged",
        )),
    }
}

fn os_error(e: std::io::Error) -> Raised {
    Raised::runtime_error(format!("unable to share memory: {e}"))
}

/// `Tensor.share_memory_()`: moves its storage to memory that processes share.
fn share_memory(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, []) = args.method("share_memory_")?;
    argument(this)?.layout().storage.share().map_err(os_error)?;
    Ok(this.clone())
}

/// `Tensor.is_shared()`: whether its storage is memory that processes share.
fn is_shared(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, []) = args.method("is_shared")?;
    let descriptor = argument(this)?.layout().storage.shared_descriptor();
    Ok(Value::bool(descriptor.is_some()))
}

/// `_shared_file(t)`: the descriptor of the file under its storage, which is moved there. It is closed with the storage.
fn shared_file(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [t] = args.exactly("_shared_file")?;
    let storage = argument(t)?.layout().storage.clone();
    storage.share().map_err(os_error)?;
    let descriptor = storage.shared_descriptor();
    Ok(descriptor.map_or(Value::None, |fd| Value::Int(fd.into())))
}

static OF_FILE: Signature<3> =
    Signature::positional("_tensor_of_shared_file", ["fd", "numel", "dtype"]);

/// `_tensor_of_shared_file(fd, numel, dtype)`: a tensor of one dimension over such a file of another process. The descriptor
/// stays open.
fn tensor_of_shared_file(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [fd, numel, dtype] = OF_FILE.parse(args)?;
    let number = |v: Option<Value>| v.as_ref().and_then(Value::as_int);
    let dtype = dtype.as_ref().and_then(dtype_of);
    let (Some(fd), Some(numel), Some(dtype)) = (number(fd), number(numel), dtype) else {
        return Err(Raised::type_error(
            "a descriptor, a number and a dtype were expected",
        ));
    };
    let bytes = usize::try_from(numel)
        .ok()
        .and_then(|n| n.checked_mul(dtype.size()))
        .ok_or_else(|| Raised::value_error("negative or too large a number of elements"))?;
    // By its name, so that no number is taken for a descriptor that is not one.
    let path = format!("/proc/self/fd/{fd}");
    let file = OpenOptions::new().read(true).write(true).open(path);
    let memory = file
        .and_then(|f| SharedMemory::of_file(f, bytes))
        .map_err(os_error)?;
    let buffer = Buffer::of_shared(memory, bytes);
    Ok(wrap(
        Tensor::from_buffer(buffer, &[numel], dtype).map_err(raised)?,
    ))
}

/// `Tensor.__reduce_ex__`: a pickle that `torch.save` does not write holds a tensor's elements.
pub(crate) fn reduce_ex(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some(tensor) = args.pos.first() else {
        return Err(Raised::type_error("__reduce_ex__() needs a tensor"));
    };
    let module = vm.import("torch._tensor")?;
    let reduce = attr::get(vm, &module, name!("_reduce"))?;
    vm.call(&reduce, Args::new(std::slice::from_ref(tensor)))
}

/// Calls a function in Python with the arguments of a method.
fn in_python(vm: &mut dyn Vm, args: Args<'_>, module: &str, function: &'static str) -> PyResult {
    argument(args.pos.first().unwrap_or(&Value::None))?;
    let module = vm.import(module)?;
    let function = attr::get(vm, &module, &janus_object::Name::new(function))?;
    vm.call(&function, args)
}

macro_rules! methods_in_python {
    ($($module:literal $kind:ident $method:literal $function:literal,)*) => {
        /// The methods of `torch.Tensor` that are written in Python.
        pub const METHODS: &[NativeDef] = &[$(
            NativeDef::$kind($method, |vm, args| in_python(vm, args, $module, $function)),
        )*];
    };
}

methods_in_python! {
    "torch.storage" method "Tensor.untyped_storage" "untyped_storage",
    "torch.storage" method "Tensor.storage" "typed_storage",
    "torch.storage" method "Tensor._typed_storage" "typed_storage",
    "torch._tensor" getter "Tensor.layout" "_layout",
    "torch._tensor" method "Tensor.is_pinned" "_is_pinned",
    "torch._tensor" method "Tensor.is_distributed" "_is_distributed",
    "torch._tensor" method "Tensor.to_dense" "_to_dense",
    "torch._tensor" method "Tensor.to_sparse" "_to_sparse",
    "torch._tensor" method "Tensor.to_sparse_coo" "_to_sparse",
    "torch._tensor" method "Tensor.to_sparse_csr" "_to_sparse_csr",
    "torch._tensor" method "Tensor.to_sparse_csc" "_to_sparse_csc",
    "torch._tensor" method "Tensor.to_sparse_bsr" "_to_sparse_bsr",
    "torch._tensor" method "Tensor.to_sparse_bsc" "_to_sparse_bsc",
    "torch._tensor" method "Tensor.set_" "_set",
    "torch._tensor" method "Tensor.sparse_mask" "_sparse_mask",
    "torch._tensor" method "Tensor._is_all_true" "_is_all_true",
    "torch._tensor" method "Tensor.split_with_sizes" "_split_with_sizes",
    "torch._copies" method "Tensor.narrow_copy" "narrow_copy",
    "torch._copies" method "Tensor.msort" "msort",
    "torch._copies" method "Tensor.nonzero_static" "nonzero_static",
    "torch._copies" method "Tensor.as_strided_scatter" "as_strided_scatter",
    "torch._copies" method "Tensor.unsafe_chunk" "unsafe_chunk",
    "torch._copies" method "Tensor.unsafe_split" "unsafe_split",
    "torch._copies" method "Tensor.sum_to_size" "sum_to_size",
    "torch._copies" method "Tensor.new_empty_strided" "new_empty_strided",
    "torch._copies" method "Tensor.resize_" "resize_",
    "torch._copies" method "Tensor.resize_as_" "resize_as_",
    "torch._copies" method "Tensor.unsafe_split_with_sizes" "unsafe_split_with_sizes",
    "torch._gammas" method "Tensor.frexp" "frexp",
    "torch._gammas" method "Tensor.igamma" "igamma",
    "torch._gammas" method "Tensor.igammac" "igammac",
    "torch._gammas" method "Tensor.mvlgamma" "mvlgamma",
    "torch._gammas" method "Tensor.nextafter" "nextafter",
    "torch._gammas" method "Tensor.polygamma" "of_tensor",
    "torch._tensor" method "Tensor.igamma_" "_igamma_",
    "torch._tensor" method "Tensor.igammac_" "_igammac_",
    "torch._tensor" method "Tensor.mvlgamma_" "_mvlgamma_",
    "torch._tensor" method "Tensor.nextafter_" "_nextafter_",
    "torch._tensor" method "Tensor.i0_" "_i0_",
    "torch._tensor" method "Tensor.polygamma_" "_polygamma_",
    "torch._bessel" method "Tensor.i0" "i0",
    "torch._reductions" method "Tensor.histogram" "histogram",
    "torch._reductions" method "Tensor.index_reduce" "index_reduce",
    "torch._reductions" method "Tensor.index_reduce_" "index_reduce_",
    "torch._reductions" method "Tensor.nanmedian" "nanmedian",
    "torch._reductions" method "Tensor.renorm" "renorm",
    "torch._reductions" method "Tensor.renorm_" "renorm_",
    "torch._factors" method "Tensor.cholesky_inverse" "cholesky_inverse",
    "torch._factors" method "Tensor.geqrf" "geqrf",
    "torch._factors" method "Tensor.lu" "lu",
    "torch._factors" method "Tensor.lu_solve" "lu_solve",
    "torch._factors" method "Tensor.matrix_exp" "matrix_exp",
    "torch._factors" method "Tensor.orgqr" "orgqr",
    "torch._factors" method "Tensor.ormqr" "ormqr",
    "torch._factors" method "Tensor.pinverse" "pinverse",
    "torch._factors" method "Tensor.qr" "qr",
    "torch._factors" method "Tensor.svd" "svd",
    "torch._factors" method "Tensor.triangular_solve" "triangular_solve",
}

/// The methods of `torch.Tensor` about memory that processes share.
pub const SHARING: &[NativeDef] = &[
    NativeDef::method("Tensor.share_memory_", share_memory),
    NativeDef::method("Tensor.is_shared", is_shared),
];

/// What `torch._C` has for files and pickles.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._tensor_bytes", tensor_bytes),
    NativeDef::function("torch._C._tensor_of_bytes", tensor_of_bytes),
    NativeDef::function("torch._C._memory", memory),
    NativeDef::function("torch._C._grow_memory", grow_memory),
    NativeDef::function("torch._C._storage_id", storage_id),
    NativeDef::function("torch._C._part_of_memory", part_of_memory),
    NativeDef::function("torch._C._shared_file", shared_file),
    NativeDef::function("torch._C._tensor_of_shared_file", tensor_of_shared_file),
];
