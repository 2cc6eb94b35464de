//! On which device a torch function works.
//!
//! In: the arguments of a call. Out: the device of what it makes, or PyTorch's error for operands on two of them. Always: where
//! no device was provided everything is in main memory, and nothing is looked at.

use std::cell::RefCell;

use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm};
use janus_tensor::device::{self, Device};
use janus_tensor::{DType, TensorError};

use crate::TorchOps;
use crate::call::{Arg, CallArgs};
use crate::objects::{DeviceObject, classes, parse_device};

janus_gil::gil_local! {
    /// What the `with` statements over devices that run found.
    static BEFORE: RefCell<Vec<Device>> = const { RefCell::new(Vec::new()) };
}

/// The error where no CUDA device was provided.
#[must_use]
pub fn no_cuda() -> Raised {
    Raised::assertion_error("Torch not compiled with CUDA enabled")
}

/// The device that a value names: None is main memory.
///
/// # Errors
/// What is no device, or one that there is none of.
pub fn named(value: &Value) -> PyResult<Device> {
    if value.is_none() {
        return Ok(Device::Cpu);
    }
    let DeviceObject { kind, index } = parse_device(value)?;
    match kind.as_str() {
        "cpu" => Ok(Device::Cpu),
        "meta" => {
            device::provide_meta();
            Ok(Device::Meta)
        }
        "cuda" if device::cuda_count() == 0 => Err(no_cuda()),
        "cuda" => match u8::try_from(index.unwrap_or(0)) {
            Ok(index) if index < device::cuda_count() => Ok(Device::Cuda(index)),
            _ => Err(Raised::of_class(
                &classes().accelerator_error,
                vec![Value::str(
                    "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?",
                )],
            )),
        },
        kind => Err(Raised::not_implemented(format!(
            "device '{kind}' is not implemented in janus-jit yet"
        ))),
    }
}

/// `torch.device` of a device.
#[must_use]
pub fn value(device: Device) -> Value {
    match device {
        Device::Cpu => crate::objects::cpu_device(),
        Device::Cuda(_) | Device::Meta => crate::objects::device_value(DeviceObject {
            kind: device.kind().to_owned(),
            index: device.index().map(i64::from),
        }),
    }
}

/// The name of a device's tensor class: `torch.cuda.FloatTensor`.
#[must_use]
pub fn legacy_name(device: Device, dtype: DType) -> String {
    let name = crate::natives::legacy_name(dtype);
    match device {
        Device::Cpu => name.to_owned(),
        Device::Meta => name.replacen("torch.", "torch.meta.", 1),
        Device::Cuda(_) => name.replacen("torch.", "torch.cuda.", 1),
    }
}

/// Functions whose tensors may be on several devices: the first one's says where the result is.
const ACROSS: &[&str] = &[
    "__getitem__",
    "__setitem__",
    "as_tensor",
    "asarray",
    "copy_",
    "cpu",
    "cuda",
    "data",
    "index_put",
    "index_put_",
    "new_tensor",
    "tensor",
    "to",
    "type_as",
];

/// The device of a call's tensors: the first that is no main memory.
pub(crate) fn of_tensors<B: TorchOps>(b: &B, args: &CallArgs<B>) -> Device {
    match device::only_main_memory() {
        true => Device::Cpu,
        false => device::of_operands(args.all_tensors().map(|t| b.device(&t))).unwrap_or_default(),
    }
}

/// The device that a call works on; `None` where no device was provided.
pub(crate) fn of_call<B: TorchOps>(b: &B, args: &CallArgs<B>) -> Result<Option<Device>, B::Error> {
    // A device that is named for the first time is looked for first.
    let option = args.place_of("device");
    let named_here = match option.and_then(|at| args.slot(at)) {
        Some(Arg::Const(given)) if !given.is_none() && !ACROSS.contains(&args.name()) => {
            Some(named(given)?)
        }
        _ => None,
    };
    if device::only_main_memory() {
        return Ok(None);
    }
    if named_here.is_some() {
        return Ok(named_here);
    }
    let mut found: Option<(Device, bool)> = None;
    for t in args.all_tensors() {
        let own = (b.device(&t), b.shape(&t).is_empty());
        found = Some(match found {
            None => own,
            Some(first) if first.0 == own.0 => (first.0, first.1 && own.1),
            Some(first) if ACROSS.contains(&args.name()) => first,
            // A number in main memory stands beside tensors of a device.
            Some((Device::Cpu, true)) => own,
            Some(first) if own == (Device::Cpu, true) => first,
            Some(first) if first.0 == Device::Meta || own.0 == Device::Meta => {
                let there = if first.0 == Device::Meta {
                    own.0
                } else {
                    first.0
                };
                return Err(TensorError::Runtime(format!(
                    "Tensor on device {there} is not on the expected device meta!"
                ))
                .into());
            }
            Some(first) => return Err(TensorError::Devices(first.0, own.0).into()),
        });
    }
    Ok(Some(match found {
        Some((device, _)) => device,
        None if option.is_some() => device::default_device(),
        None => Device::Cpu,
    }))
}

// Python's side

/// `with torch.device("cuda"):`, where memory is made there from now on.
pub(crate) fn enter(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly("__enter__")?;
    let before = device::set_default_device(named(this)?);
    BEFORE.with_borrow_mut(|stack| stack.push(before));
    Ok(this.clone())
}

/// The end of such a `with`.
pub(crate) fn leave(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    if let Some(before) = BEFORE.with_borrow_mut(Vec::pop) {
        device::set_default_device(before);
    }
    Ok(Value::None)
}

fn check(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [device] = args.exactly("_check_device")?;
    named(device)?;
    Ok(Value::None)
}

/// `torch._C._set_default_device(device)`
fn set_default(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [device] = args.exactly("_set_default_device")?;
    device::set_default_device(named(device)?);
    Ok(Value::None)
}

fn get_default(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    Ok(value(device::default_device()))
}

fn count(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    Ok(Value::Int(device::cuda_count().into()))
}

/// `torch._C._cuda_usage()`: bytes of the device, in tensors, the most in tensors, reserved, the most reserved, how many
/// blocks were made, and how often there was no room.
fn usage(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    let usage = device::usage();
    let numbers = [
        usage.limit,
        usage.allocated,
        usage.most_allocated,
        usage.reserved,
        usage.most_reserved,
        usage.allocations,
        usage.refusals,
    ];
    let numbers = numbers.map(|n| Value::Int(i64::try_from(n).unwrap_or(i64::MAX)));
    Ok(Value::tuple(numbers.to_vec()))
}

fn empty_cache(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    device::empty_cache();
    Ok(Value::None)
}

fn reset_peaks(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    device::reset_peaks();
    Ok(Value::None)
}

fn reset_counts(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    device::reset_counts();
    Ok(Value::None)
}

/// `torch._C._cuda_set_limit(bytes)`
fn set_limit(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [bytes] = args.exactly("_cuda_set_limit")?;
    let bytes = janus_object::ops::as_index(vm, bytes)?;
    device::set_limit(usize::try_from(bytes).unwrap_or(0));
    Ok(Value::None)
}

/// `torch._C._cuda_properties()`: multiprocessors, and threads that each has at once.
fn properties(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    let numbers = [device::MULTIPROCESSORS, device::THREADS_PER_MULTIPROCESSOR];
    Ok(Value::tuple(numbers.map(|n| Value::Int(n.into())).to_vec()))
}

/// What `torch._C` has of devices.
pub(crate) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._check_device", check),
    NativeDef::function("torch._C._set_default_device", set_default),
    NativeDef::function("torch._C._get_default_device", get_default),
    NativeDef::function("torch._C._cuda_count", count),
    NativeDef::function("torch._C._cuda_usage", usage),
    NativeDef::function("torch._C._cuda_empty_cache", empty_cache),
    NativeDef::function("torch._C._cuda_reset_peaks", reset_peaks),
    NativeDef::function("torch._C._cuda_reset_counts", reset_counts),
    NativeDef::function("torch._C._cuda_set_limit", set_limit),
    NativeDef::function("torch._C._cuda_properties", properties),
];
