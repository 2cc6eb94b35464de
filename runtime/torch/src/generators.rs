//! `torch.Generator`, and the seeds and states of the default generators.
//!
//! In: a device, a seed, a saved state. Out: generators, which draws are handed. Always: a generator's draws are those of its
//! device's stream; `torch.manual_seed` seeds the default generators of all devices.

use std::cell::RefCell;

use janus_object::{
    Args, BaseKind, Class, NativeDef, PyRef, PyResult, Raised, Value, Vm, ops, types,
};
use janus_tensor::device::{self, Device};
use janus_tensor::error::Result as TensorResult;
use janus_tensor::rng::philox::{self, Philox};
use janus_tensor::rng::{self, Generator};
use janus_tensor::{Tensor, TensorError};

use crate::devices;
use crate::objects::{foreign, tensor_of, wrap};

/// Stands for the default generator of a device.
struct DefaultGenerator(Device);

/// Whether an object is a device's default generator.
pub(crate) fn is_default_generator(v: &Value) -> bool {
    v.foreign::<DefaultGenerator>().is_some()
}

/// The device of a generator; `None` for another object.
pub(crate) fn device_of(v: &Value) -> Option<Device> {
    if let Some(DefaultGenerator(device)) = v.foreign() {
        return Some(*device);
    }
    match v.foreign::<RefCell<Philox>>() {
        Some(_) => Some(Device::Cuda(0)),
        None => v.foreign::<RefCell<Generator>>().map(|_| Device::Cpu),
    }
}

pub(crate) fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> =
            Class::builtin("Generator", "torch._C", &[&types().object], BaseKind::Foreign, GENERATOR);
    }
    CLASS.with(PyRef::clone)
}

/// The default generator of a device.
pub(crate) fn default(device: Device) -> Value {
    foreign(&class(), DefaultGenerator(device))
}

/// What the generators of all devices do.
trait Stream {
    fn seed(&mut self, seed: u64);
    fn first_seed(&self) -> u64;
    fn saved(&self) -> Vec<u8>;
    fn restore(&mut self, bytes: &[u8]) -> TensorResult<()>;
    fn philox(&mut self) -> Option<&mut Philox>;
    /// A generator of its own in the same state.
    fn copied(&self) -> Value;
}

macro_rules! streams {
    ($($stream:ty, $seed:expr, $philox:expr;)*) => {$(
        impl Stream for $stream {
            fn seed(&mut self, seed: u64) {
                $seed(self, seed);
            }

            fn first_seed(&self) -> u64 {
                self.initial_seed()
            }

            fn saved(&self) -> Vec<u8> {
                self.state()
            }

            fn restore(&mut self, bytes: &[u8]) -> TensorResult<()> {
                self.set_state(bytes)
            }

            fn philox(&mut self) -> Option<&mut Philox> {
                $philox(self)
            }

            fn copied(&self) -> Value {
                foreign(&class(), RefCell::new(self.clone()))
            }
        }
    )*};
}
streams! {
    Generator, Generator::manual_seed, |_| None;
    Philox, |own: &mut Philox, seed| *own = Philox::new(seed), Some;
}

/// Runs `f` with a device's default generator.
fn on_default<R>(device: Device, f: impl FnOnce(&mut dyn Stream) -> R) -> R {
    match device {
        Device::Cpu | Device::Meta => rng::with_default(|g| f(g)),
        Device::Cuda(_) => philox::with_default(|g| f(g)),
    }
}

/// Runs `f` with a generator.
fn on<R>(v: Option<&Value>, f: impl FnOnce(&mut dyn Stream) -> R) -> PyResult<R> {
    let v = v.ok_or_else(not_a_generator)?;
    if let Some(DefaultGenerator(device)) = v.foreign() {
        return Ok(on_default(*device, f));
    }
    if let Some(g) = v.foreign::<RefCell<Philox>>() {
        return Ok(f(&mut *g.borrow_mut()));
    }
    match v.foreign::<RefCell<Generator>>() {
        Some(g) => Ok(f(&mut *g.borrow_mut())),
        None => Err(not_a_generator()),
    }
}

fn not_a_generator() -> Raised {
    Raised::type_error("a torch.Generator was expected")
}

fn new(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let device = match args.pos.get(1).or(args.keyword("device")) {
        Some(device) => devices::named(device)?,
        None => Device::Cpu,
    };
    Ok(match device {
        Device::Cpu => foreign(&class(), RefCell::new(Generator::new(rng::DEFAULT_SEED))),
        Device::Meta => {
            return Err(Raised::runtime_error(
                "META device type not an accelerator.",
            ));
        }
        Device::Cuda(_) => foreign(&class(), RefCell::new(Philox::new(rng::DEFAULT_SEED))),
    })
}

/// A seed as PyTorch reads it: negative ones count from 2^64.
fn seed_arg(vm: &mut dyn Vm, v: Option<&Value>) -> PyResult<u64> {
    match v.map(Value::unwrapped) {
        Some(Value::Int(n)) => Ok(n as u64),
        Some(Value::Float(f)) if f.get().is_finite() => Ok(f.get() as i64 as u64),
        Some(Value::BigInt(n)) => {
            let low = n.iter_u64_digits().next().unwrap_or(0);
            Ok(low)
        }
        Some(other) => Ok(ops::as_index(vm, &other)? as u64),
        None => Err(Raised::type_error(
            "manual_seed() missing 1 required positional argument: 'seed'",
        )),
    }
}

/// A seed of the moment.
fn seed_of_now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(rng::DEFAULT_SEED, |d| d.as_nanos() as u64)
}

fn itself(args: &Args<'_>) -> Value {
    args.pos.first().cloned().unwrap_or(Value::None)
}

fn generator_manual_seed(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let seed = seed_arg(vm, args.pos.get(1).or(args.keyword("seed")))?;
    on(args.pos.first(), |g| g.seed(seed))?;
    Ok(itself(&args))
}

fn generator_seed(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let seed = seed_of_now();
    on(args.pos.first(), |g| g.seed(seed))?;
    Ok(Value::big(seed.into()))
}

fn generator_initial_seed(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let seed = on(args.pos.first(), |g| g.first_seed())?;
    Ok(Value::big(seed.into()))
}

fn state_value(bytes: &[u8]) -> PyResult {
    let t = Tensor::from_slice(bytes, &[bytes.len() as i64]);
    Ok(wrap(t.map_err(crate::call::raised)?))
}

fn state_bytes(v: Option<&Value>) -> PyResult<Vec<u8>> {
    match v.and_then(tensor_of) {
        Some(t) if t.device() != Device::Cpu => {
            Err(Raised::type_error("RNG state must be a torch.ByteTensor"))
        }
        Some(t) => t.to_vec::<u8>().map_err(crate::call::raised),
        None => Err(Raised::type_error("RNG state must be a torch.ByteTensor")),
    }
}

fn generator_get_state(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let bytes = on(args.pos.first(), |g| g.saved())?;
    state_value(&bytes)
}

fn generator_set_state(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let bytes = state_bytes(args.pos.get(1).or(args.keyword("new_state")))?;
    on(args.pos.first(), |g| g.restore(&bytes))?.map_err(crate::call::raised)?;
    Ok(itself(&args))
}

/// Only the streams of devices have an offset.
fn on_offset<R>(args: &Args<'_>, f: impl FnOnce(&mut Philox) -> TensorResult<R>) -> PyResult<R> {
    let done = on(args.pos.first(), |g| match g.philox() {
        Some(philox) => f(philox),
        None => Err(TensorError::Runtime(
            "CPU Generator does not use offset".to_owned(),
        )),
    })?;
    done.map_err(crate::call::raised)
}

fn generator_get_offset(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let offset = on_offset(&args, |g| Ok(g.offset()))?;
    Ok(Value::big(offset.into()))
}

fn generator_set_offset(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let offset = seed_arg(vm, args.pos.get(1).or(args.keyword("offset")))?;
    on_offset(&args, |g| g.set_offset(offset))?;
    Ok(itself(&args))
}

fn generator_clone_state(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    on(args.pos.first(), |g| g.copied())
}

fn generator_device(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    match args.pos.first().and_then(device_of) {
        // A generator's device has a number even where it was made without.
        Some(device) => Ok(devices::value(device)),
        None => Err(not_a_generator()),
    }
}

const GENERATOR: &[NativeDef] = &[
    NativeDef::function("Generator.__new__", new),
    NativeDef::method("Generator.manual_seed", generator_manual_seed),
    NativeDef::method("Generator.initial_seed", generator_initial_seed),
    NativeDef::method("Generator.get_state", generator_get_state),
    NativeDef::method("Generator.set_state", generator_set_state),
    NativeDef::method("Generator.get_offset", generator_get_offset),
    NativeDef::method("Generator.set_offset", generator_set_offset),
    NativeDef::method("Generator.clone_state", generator_clone_state),
    NativeDef::method("Generator.seed", generator_seed),
    NativeDef::getter("Generator.device", generator_device),
];

/// All devices that there are.
fn all() -> impl Iterator<Item = Device> {
    std::iter::once(Device::Cpu).chain((0..device::cuda_count()).map(Device::Cuda))
}

fn manual_seed(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let seed = seed_arg(vm, args.pos.first().or(args.keyword("seed")))?;
    all().for_each(|device| on_default(device, |g| g.seed(seed)));
    Ok(default(Device::Cpu))
}

fn seed(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    let seed = seed_of_now();
    all().for_each(|device| on_default(device, |g| g.seed(seed)));
    Ok(Value::big(seed.into()))
}

fn initial_seed(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    let seed = on_default(Device::Cpu, |g| g.first_seed());
    Ok(Value::big(seed.into()))
}

fn get_rng_state(_vm: &mut dyn Vm, _args: Args<'_>) -> PyResult {
    state_value(&on_default(Device::Cpu, |g| g.saved()))
}

fn set_rng_state(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let bytes = state_bytes(args.pos.first().or(args.keyword("new_state")))?;
    let restored = on_default(Device::Cpu, |g| g.restore(&bytes));
    restored.map_err(crate::call::raised)?;
    Ok(Value::None)
}

/// `torch._C._default_generator(device)`
fn default_generator(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [device] = args.exactly("_default_generator")?;
    Ok(default(devices::named(device)?))
}

/// What `torch` has of its generators.
pub(crate) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch.manual_seed", manual_seed),
    NativeDef::function("torch.seed", seed),
    NativeDef::function("torch.initial_seed", initial_seed),
    NativeDef::function("torch.get_rng_state", get_rng_state),
    NativeDef::function("torch.set_rng_state", set_rng_state),
    NativeDef::function("torch._C._default_generator", default_generator),
];
