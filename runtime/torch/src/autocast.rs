//! `torch.autocast`: functions that cast their operands.
//!
//! In: a function's name and arguments, the settings. Out: arguments of another dtype. Always: which functions do what is
//! PyTorch's list for the device of the operands; doubles and ints stay as they are; a parameter is cast once in a block, so that its
//! gradient is summed as PyTorch sums it.

use std::cell::RefCell;

use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm};
use janus_tensor::{DType, Device, Ops, Tensor, autograd};

use crate::TorchOps;
use crate::call::{Arg, CallArgs};
use crate::eager::TorchError;
use crate::objects::{dtype_of, dtype_value};

/// What a function does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Nothing.
    Any,
    /// It computes in the dtype that was asked for.
    Lower,
    /// It computes in float32.
    Float32,
    /// It computes in the widest dtype of its operands.
    Widest,
}

impl Policy {
    /// That of a function on a device, by its name.
    #[must_use]
    pub fn of(name: &str, device: Device) -> Policy {
        match device {
            Device::Cpu | Device::Meta => Policy::on_cpu(name),
            Device::Cuda(_) => Policy::on_cuda(name),
        }
    }

    fn on_cuda(name: &str) -> Policy {
        match name {
            "conv1d"
            | "conv2d"
            | "conv3d"
            | "conv_transpose1d"
            | "conv_transpose2d"
            | "conv_transpose3d"
            | "addmm"
            | "addmv"
            | "addr"
            | "matmul"
            | "__matmul__"
            | "__rmatmul__"
            | "einsum"
            | "mm"
            | "mv"
            | "linear"
            | "addbmm"
            | "baddbmm"
            | "bmm"
            | "chain_matmul"
            | "multi_dot"
            | "prelu"
            | "gru_cell"
            | "lstm_cell"
            | "scaled_dot_product_attention" => Policy::Lower,
            "acos"
            | "asin"
            | "cosh"
            | "erfinv"
            | "exp"
            | "expm1"
            | "log"
            | "log10"
            | "log2"
            | "log1p"
            | "reciprocal"
            | "rsqrt"
            | "sinh"
            | "tan"
            | "pow"
            | "__pow__"
            | "__rpow__"
            | "softplus"
            | "layer_norm"
            | "group_norm"
            | "norm"
            | "vector_norm"
            | "matrix_norm"
            | "cosine_similarity"
            | "cosine_embedding_loss"
            | "nll_loss"
            | "cross_entropy"
            | "hinge_embedding_loss"
            | "kl_div"
            | "l1_loss"
            | "smooth_l1_loss"
            | "huber_loss"
            | "mse_loss"
            | "margin_ranking_loss"
            | "multilabel_margin_loss"
            | "multi_margin_loss"
            | "soft_margin_loss"
            | "triplet_margin_loss"
            | "poisson_nll_loss"
            | "binary_cross_entropy_with_logits"
            | "dist"
            | "pdist"
            | "cdist"
            | "renorm"
            | "logsumexp"
            | "prod"
            | "softmax"
            | "log_softmax"
            | "softmin"
            | "cumprod"
            | "cumsum"
            | "sum"
            | "normalize" => Policy::Float32,
            "addcdiv" | "addcmul" | "atan2" | "bilinear" | "cross" | "dot" | "vdot"
            | "grid_sample" | "index_put" | "tensordot" | "scatter_add" | "stack" | "cat" => {
                Policy::Widest
            }
            _ => Policy::Any,
        }
    }

    fn on_cpu(name: &str) -> Policy {
        match name {
            "conv1d"
            | "conv2d"
            | "conv3d"
            | "conv_transpose1d"
            | "conv_transpose2d"
            | "conv_transpose3d"
            | "bmm"
            | "mm"
            | "baddbmm"
            | "addmm"
            | "addbmm"
            | "linear"
            | "matmul"
            | "__matmul__"
            | "__rmatmul__"
            | "einsum"
            | "tensordot"
            | "inner"
            | "chain_matmul"
            | "multi_dot"
            | "matrix_power"
            | "vecdot"
            | "prelu"
            | "scaled_dot_product_attention" => Policy::Lower,
            "cross_entropy"
            | "nll_loss"
            | "mse_loss"
            | "l1_loss"
            | "smooth_l1_loss"
            | "huber_loss"
            | "binary_cross_entropy"
            | "binary_cross_entropy_with_logits"
            | "kl_div"
            | "prod"
            | "avg_pool3d"
            | "max_pool3d"
            | "max_pool3d_with_indices"
            | "adaptive_avg_pool3d"
            | "grid_sample"
            | "trace"
            | "inverse"
            | "inv"
            | "solve"
            | "cholesky"
            | "quantile"
            | "nanquantile"
            | "cdist"
            | "ctc_loss" => Policy::Float32,
            "stack" | "cat" | "index_copy" | "index_copy_" => Policy::Widest,
            _ => Policy::Any,
        }
    }

    /// That of a call: padding with a number is on no list, padding with the image's elements is.
    fn of_call<B: TorchOps>(args: &CallArgs<B>, device: Device) -> Policy {
        if args.name() != "pad" || device != Device::Cpu {
            return Policy::of(args.name(), device);
        }
        let mode = args.find_const(|v| v.as_str().map(str::to_owned));
        match mode.as_deref() {
            Some("reflect" | "replicate") => Policy::Float32,
            _ => Policy::Any,
        }
    }
}

/// What `with torch.autocast(...)` says for a kind of device.
#[derive(Clone, Copy)]
struct Casts {
    enabled: bool,
    dtype: DType,
}

struct Setting {
    cpu: Casts,
    cuda: Casts,
    cache_enabled: bool,
    nesting: i64,
    /// Parameters, and what they were cast to.
    cache: Vec<(Tensor, Tensor)>,
}

janus_gil::gil_local! {
    static SETTING: RefCell<Setting> = const { RefCell::new(Setting {
        cpu: Casts { enabled: false, dtype: DType::BF16 },
        cuda: Casts { enabled: false, dtype: DType::F16 },
        cache_enabled: true,
        nesting: 0,
        cache: Vec::new(),
    }) };
}

impl Setting {
    fn of(&mut self, device: Device) -> &mut Casts {
        match device {
            Device::Cpu | Device::Meta => &mut self.cpu,
            Device::Cuda(_) => &mut self.cuda,
        }
    }
}

/// The dtype that operands on a device are cast to, where they are.
#[must_use]
pub fn active(device: Device) -> Option<DType> {
    SETTING.with(|s| {
        let casts = *s.borrow_mut().of(device);
        casts.enabled.then_some(casts.dtype)
    })
}

/// The dtype that operands are cast to on any device, where they are.
#[must_use]
pub fn active_anywhere() -> Option<DType> {
    active(Device::Cpu).or_else(|| active(Device::Cuda(0)))
}

/// A tensor in another dtype; that of a parameter is made once.
pub fn cached_cast(t: &Tensor, dtype: DType) -> Result<Tensor, TorchError> {
    let cached = dtype != DType::F32
        && t.dtype() == DType::F32
        && t.requires_grad()
        && t.is_leaf()
        && !t.is_view()
        && autograd::is_grad_enabled()
        && SETTING.with(|s| s.borrow().cache_enabled);
    if cached {
        let found = SETTING.with(|s| {
            let s = s.borrow();
            let same = s
                .cache
                .iter()
                .find(|(from, to)| from.same(t) && to.dtype() == dtype);
            same.map(|(_, to)| to.clone())
        });
        if let Some(found) = found {
            return Ok(found);
        }
    }
    let out = janus_tensor::Eager.cast(t, dtype)?;
    janus_tensor::Eager.label(&out, "ToCopyBackward0");
    if cached {
        SETTING.with(|s| s.borrow_mut().cache.push((t.clone(), out.clone())));
    }
    Ok(out)
}

/// Casts the operands of a function that is on a list.
pub fn cast_arguments<B: TorchOps>(
    b: &mut B,
    args: &mut CallArgs<B>,
    (lower, device): (DType, Device),
) -> Result<(), B::Error> {
    let to = match Policy::of_call(args, device) {
        Policy::Any => return Ok(()),
        Policy::Lower => lower,
        Policy::Float32 => DType::F32,
        Policy::Widest => {
            let floats = args.other_tensors(usize::MAX);
            let floats = floats.iter().map(|t| b.dtype(t)).filter(|d| d.is_float());
            match floats.reduce(DType::promote) {
                Some(widest) => widest,
                None => return Ok(()),
            }
        }
    };
    for at in 0..args.signature.params.len() {
        if args.signature.out == Some(at) {
            continue;
        }
        if let Some(cast) = args.slot(at).cloned().map(|arg| cast_one(b, arg, to)) {
            args.set(at, cast?);
        }
    }
    Ok(())
}

fn cast_one<B: TorchOps>(b: &mut B, arg: Arg<B>, to: DType) -> Result<Arg<B>, B::Error> {
    let all = |b: &mut B, items: Vec<Arg<B>>| -> Result<Vec<Arg<B>>, B::Error> {
        items
            .into_iter()
            .map(|item| cast_one(b, item, to))
            .collect()
    };
    Ok(match arg {
        Arg::Tensor(t) => {
            let from = b.dtype(&t);
            match from.is_float() && from != DType::F64 && from != to {
                true => Arg::Tensor(b.autocast_to(&t, to)?),
                false => Arg::Tensor(t),
            }
        }
        Arg::List(items) => Arg::List(all(b, items)?),
        Arg::Tuple(items) => Arg::Tuple(all(b, items)?),
        other => other,
    })
}

// Settings

fn flag(v: &Value) -> PyResult<bool> {
    match v {
        Value::Bool(v) => Ok(v.get()),
        other => Err(Raised::type_error(format!(
            "enabled must be a bool (got {})",
            other.type_name()
        ))),
    }
}

/// The setting of a kind of device, by its name.
fn casts_of(kind: &Value) -> PyResult<Device> {
    match kind.as_str() {
        Some("cpu") => Ok(Device::Cpu),
        Some("cuda") => Ok(Device::Cuda(0)),
        _ => Err(Raised::runtime_error("unsupported scalarType")),
    }
}

fn set_enabled(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [kind, on] = args.exactly("_set_autocast")?;
    let (device, on) = (casts_of(kind)?, flag(on)?);
    SETTING.with(|s| s.borrow_mut().of(device).enabled = on);
    Ok(Value::None)
}

fn is_enabled(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [kind] = args.exactly("_is_autocast")?;
    Ok(Value::bool(active(casts_of(kind)?).is_some()))
}

fn set_dtype(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [kind, dtype] = args.exactly("_set_autocast_dtype")?;
    let device = casts_of(kind)?;
    let Some(dtype) = dtype_of(dtype) else {
        return Err(Raised::type_error("dtype must be a torch.dtype"));
    };
    SETTING.with(|s| s.borrow_mut().of(device).dtype = dtype);
    Ok(Value::None)
}

fn get_dtype(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [kind] = args.exactly("_autocast_dtype")?;
    let device = casts_of(kind)?;
    Ok(dtype_value(
        SETTING.with(|s| s.borrow_mut().of(device).dtype),
    ))
}

fn set_cache_enabled(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [on] = args.exactly("set_autocast_cache_enabled")?;
    let on = flag(on)?;
    SETTING.with(|s| s.borrow_mut().cache_enabled = on);
    Ok(Value::None)
}

fn is_cache_enabled(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    Ok(Value::bool(SETTING.with(|s| s.borrow().cache_enabled)))
}

fn clear_cache(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    let old = SETTING.with(|s| std::mem::take(&mut s.borrow_mut().cache));
    drop(old);
    Ok(Value::None)
}

fn nest(by: i64) -> PyResult {
    let depth = SETTING.with(|s| {
        let mut s = s.borrow_mut();
        s.nesting += by;
        s.nesting
    });
    Ok(Value::Int(depth))
}

fn increment_nesting(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    nest(1)
}

fn decrement_nesting(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    nest(-1)
}

/// What `torch` has of autocast; which device is meant is sorted out in Python.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._set_autocast", set_enabled),
    NativeDef::function("torch._C._is_autocast", is_enabled),
    NativeDef::function("torch._C._is_autocast_anywhere", |_, _| {
        Ok(Value::bool(active_anywhere().is_some()))
    }),
    NativeDef::function("torch._C._set_autocast_dtype", set_dtype),
    NativeDef::function("torch._C._autocast_dtype", get_dtype),
    NativeDef::function("torch.set_autocast_cache_enabled", set_cache_enabled),
    NativeDef::function("torch.is_autocast_cache_enabled", is_cache_enabled),
    NativeDef::function("torch.clear_autocast_cache", clear_cache),
    NativeDef::function("torch.autocast_increment_nesting", increment_nesting),
    NativeDef::function("torch.autocast_decrement_nesting", decrement_nesting),
];
