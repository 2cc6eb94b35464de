//! Conversions: dtype, device, memory, Python numbers.
//!
//! In: a tensor. Out: the tensor itself where nothing changes, else a new one. Always: a device that
//! there is none of is refused as PyTorch without it refuses.

use janus_object::Value;
use janus_tensor::{DType, Device, Scalar, ScalarKind, TensorError};

use super::memory_format::{copied, lies_in};
use super::{Res, named};
use crate::TorchOps;
use crate::call::{Arg, CallArgs, Ret, sequence};
use crate::devices;
use crate::formats::MemoryFormat;
use crate::objects::{dtype_of, refuse_absent};

/// `to(dtype)`, `to(device)`, `to(other)`, in any combination.
pub fn to<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let mut dtype = args.dtype(3)?;
    let mut copy = args.flag(5)?;
    let mut device = match args.given(2) {
        Some(Arg::Const(v)) => Some(devices::named(v)?),
        _ => None,
    };
    let mut flags = 0;
    for arg in args.get(1).and_then(sequence).unwrap_or_default() {
        match &arg {
            Arg::Tensor(t) => (dtype, device) = (Some(b.dtype(t)), Some(b.device(t))),
            Arg::Const(janus_object::Value::Bool(v)) => {
                // non_blocking, then copy
                if flags == 1 {
                    copy = v.get();
                }
                flags += 1;
            }
            Arg::Const(v) if v.is_none() => {}
            Arg::Const(v) => match dtype_of(v) {
                Some(d) => dtype = Some(d),
                None => {
                    refuse_absent(v)?;
                    device = Some(devices::named(v)?);
                }
            },
            _ => return Err(args.wrong(1, "torch.dtype or torch.device")),
        }
    }
    let dtype = dtype.unwrap_or(b.dtype(&x));
    let format = args.memory_format(6)?;
    let device = device.unwrap_or(b.device(&x));
    if copy && device == b.device(&x) {
        let t = copied(b, &x, dtype, format)?;
        return named(b, t, "ToCopyBackward0");
    }
    converted_on(b, &x, dtype, device, format)
}

/// The same on a device.
fn converted_on<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dtype: DType,
    device: Device,
    format: Option<MemoryFormat>,
) -> Res<B> {
    let there = b.to_device(x, device)?;
    converted(b, &there, dtype, format)
}

/// The tensor itself where it is what was asked for, else a copy.
fn converted<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    dtype: DType,
    format: Option<MemoryFormat>,
) -> Res<B> {
    if b.dtype(x) == dtype {
        let lies = match format {
            None | Some(MemoryFormat::Preserve) => true,
            Some(format) => lies_in(b, x, format)?,
        };
        if lies {
            return Ok(Ret::Tensor(x.clone()));
        }
    }
    let t = copied(b, x, dtype, format)?;
    named(b, t, "ToCopyBackward0")
}

/// `type_as`
pub fn type_as<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, other) = (args.tensor(0)?, args.tensor(1)?);
    let (dtype, device) = (b.dtype(&other), b.device(&other));
    converted_on(b, &x, dtype, device, None)
}

macro_rules! casts {
    ($($name:ident = $dtype:ident;)*) => {$(
        #[doc = concat!("`Tensor.", stringify!($name), "`")]
        pub fn $name<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
            let x = args.tensor(0)?;
            let format = args.memory_format(1)?;
            converted(b, &x, DType::$dtype, format)
        }
    )*};
}
casts! {
    float = F32; double = F64; long = I64; int = I32; short = I16; char = I8; byte = U8; bool = Bool;
    half = F16; bfloat16 = BF16; cfloat = C64; cdouble = C128;
}

/// `cpu`
pub fn cpu<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (dtype, format) = (b.dtype(&x), args.memory_format(1)?);
    converted_on(b, &x, dtype, Device::Cpu, format)
}

/// `cuda`
pub fn cuda<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let device = match args.given(1) {
        Some(Arg::Const(v)) => devices::named(v)?,
        Some(_) => return Err(args.wrong(1, "torch.device")),
        None => devices::named(&Value::str("cuda"))?,
    };
    if !matches!(device, Device::Cuda(_)) {
        return Err(super::runtime::<B>("Invalid device, must be cuda device"));
    }
    let (dtype, format) = (b.dtype(&x), args.memory_format(3)?);
    converted_on(b, &x, dtype, device, format)
}

/// `contiguous`
pub fn contiguous<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let format = match args.memory_format(1)? {
        None | Some(MemoryFormat::Preserve) => MemoryFormat::Contiguous,
        Some(format) => format,
    };
    if lies_in(b, &x, format)? {
        return Ok(Ret::Tensor(x));
    }
    let dtype = b.dtype(&x);
    let t = copied(b, &x, dtype, Some(format))?;
    named(b, t, "CloneBackward0")
}

/// `clone`
pub fn clone<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let (dtype, format) = (b.dtype(&x), args.memory_format(1)?);
    let t = copied(b, &x, dtype, format)?;
    named(b, t, "CloneBackward0")
}

/// `detach`
pub fn detach<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Tensor(b.detach(&x)?))
}

/// `item`
pub fn item<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Scalar(b.item(&x)?))
}

/// The element of a tensor that is turned into a Python number.
fn one_item<B: TorchOps>(b: &mut B, x: &B::T) -> Result<B::S, B::Error> {
    let shape = b.shape(x);
    if b.numel(&shape)?.known().is_some_and(|n| n != 1) {
        return Err(TensorError::Value(
            "only one element tensors can be converted to Python scalars".to_owned(),
        )
        .into());
    }
    b.item(x)
}

/// `float(tensor)`
pub fn to_float<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let s = one_item(b, &x)?;
    if b.scalar_kind(&s) == ScalarKind::F64 {
        return Ok(Ret::Scalar(s));
    }
    match b.scalar_value(&s) {
        Some(Scalar::C128(c)) if c.im != 0.0 => Err(super::unfit::<B>("double")),
        Some(v) => Ok(Ret::Scalar(b.scalar(Scalar::F64(v.to_f64())))),
        None => {
            let t = b.cast(&x, DType::F64)?;
            Ok(Ret::Scalar(b.item(&t)?))
        }
    }
}

/// `int(tensor)`
pub fn to_int<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let s = one_item(b, &x)?;
    if b.scalar_kind(&s) == ScalarKind::I64 {
        return Ok(Ret::Scalar(s));
    }
    if let Some(Scalar::C128(c)) = b.scalar_value(&s)
        && c.im != 0.0
    {
        return Err(super::unfit::<B>("int64_t"));
    }
    if let Some(Scalar::F64(f)) = b.scalar_value(&s)
        && !f.is_finite()
    {
        return Err(TensorError::Value(if f.is_nan() {
            "cannot convert float NaN to integer".to_owned()
        } else {
            "cannot convert float infinity to integer".to_owned()
        })
        .into());
    }
    match b.scalar_value(&s) {
        Some(v) => Ok(Ret::Scalar(b.scalar(Scalar::I64(v.to_i64())))),
        None => {
            let t = b.cast(&x, DType::I64)?;
            Ok(Ret::Scalar(b.item(&t)?))
        }
    }
}

/// `bool(tensor)`
pub fn to_bool<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    let shape = b.shape(&x);
    match b.numel(&shape)?.known() {
        Some(0) => return Err(TensorError::BoolEmpty.into()),
        Some(1) | None => {}
        Some(_) => return Err(TensorError::BoolMany.into()),
    }
    let t = b.cast(&x, DType::Bool)?;
    Ok(Ret::Scalar(b.item(&t)?))
}

/// `pin_memory`: nothing to pin.
pub fn pin_memory<B: TorchOps>(_b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    Ok(Ret::Tensor(args.tensor(0)?))
}
