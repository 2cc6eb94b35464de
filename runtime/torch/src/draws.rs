//! Random draws from PyTorch's CPU streams, and the default dtype.
//!
//! In: what to draw, perhaps from which generator. Out: new tensors. Always: without a generator
//! the thread's default one is advanced.

use std::cell::{Cell, RefCell};

use janus_object::{Raised, Value};
use janus_tensor::device::{self, Device};
use janus_tensor::rng::philox::{self, Philox};
use janus_tensor::rng::{self, Generator};
use janus_tensor::{DType, DeviceGuard, Scalar, Tensor, TensorError};

use crate::eager::TorchError;
use crate::ops::{Draw, DrawFrom};

janus_gil::gil_local! {
    static DEFAULT_DTYPE: Cell<DType> = const { Cell::new(DType::F32) };
}

/// `torch.get_default_dtype()`
pub fn default_dtype() -> DType {
    DEFAULT_DTYPE.get()
}

/// `torch.set_default_dtype()`
pub fn set_default_dtype(d: DType) {
    DEFAULT_DTYPE.set(d);
}

/// Runs `f` with the generator object of a CUDA device, or with the device's default generator.
fn with_philox<R>(
    generator: Option<&Value>,
    f: impl FnOnce(&mut Philox) -> R,
) -> Result<R, TorchError> {
    match generator {
        None => Ok(philox::with_default(f)),
        Some(v) => match v.foreign::<RefCell<Philox>>() {
            Some(g) => Ok(f(&mut g.borrow_mut())),
            None => Err(wrong_generator(v, Device::Cuda(0)).into()),
        },
    }
}

/// The error for a generator of another device, or for what is none.
fn wrong_generator(given: &Value, wanted: Device) -> Raised {
    let Some(found) = crate::generators::device_of(given) else {
        return Raised::type_error(format!(
            "argument 'generator' must be torch._C.Generator, not {}",
            given.type_name()
        ));
    };
    Raised::runtime_error(format!(
        "Expected a '{}' device type for generator but found '{}'",
        wanted.kind(),
        found.kind()
    ))
}

/// Runs `f` with the generator object, or with the default generator.
///
/// # Errors
/// What is no generator of main memory; a draw that only main memory has, while memory is made on a device.
pub fn with_generator<R>(
    generator: Option<&Value>,
    f: impl FnOnce(&mut Generator) -> R,
) -> Result<R, TorchError> {
    if device::current() != Device::Cpu {
        return Err(TensorError::NotImplemented(format!(
            "this random draw on {} is not implemented in janus-jit yet",
            device::current()
        ))
        .into());
    }
    match generator {
        None => Ok(rng::with_default(f)),
        Some(v) => match v.foreign::<RefCell<Generator>>() {
            Some(g) => Ok(f(&mut g.borrow_mut())),
            None => Err(wrong_generator(v, Device::Cpu).into()),
        },
    }
}

/// A new tensor of draws on the current device.
fn random_there(
    draw: &Draw<i64>,
    shape: &[i64],
    dtype: DType,
    generator: Option<&Value>,
) -> Result<Tensor, TorchError> {
    let drawn = with_philox(generator, |g| match *draw {
        Draw::Uniform(a, b) => g.uniform(shape, dtype, a, b),
        Draw::Normal(mean, std) | Draw::SerialNormal(mean, std) => {
            g.normal(shape, dtype, mean, std)
        }
        Draw::Int(low, high) => g.ints(shape, dtype, low, high),
        Draw::FullRange => g.full_range(shape, dtype),
        Draw::Permutation => g.permutation(shape.first().copied().unwrap_or(0), dtype),
        Draw::Bernoulli(p) => g.bernoulli_number(shape, dtype, p),
        Draw::Exponential(rate) => g.exponential(shape, dtype, rate),
    })?;
    Ok(drawn?)
}

/// Integers over the whole range that a dtype holds exactly.
fn full_range(g: &mut Generator, shape: &[i64], dtype: DType) -> Result<Tensor, TensorError> {
    let n = janus_tensor::shape::checked_numel(shape)?;
    let mut values = Vec::with_capacity(n as usize);
    for _ in 0..n {
        let v = match dtype {
            DType::I64 => (g.random64() & i64::MAX as u64) as i64,
            DType::F64 => (g.random64() % ((1 << 53) + 1)) as i64,
            DType::F32 => i64::from(g.random() % ((1 << 24) + 1)),
            DType::F16 => i64::from(g.random() % ((1 << 11) + 1)),
            DType::BF16 => i64::from(g.random() % ((1 << 8) + 1)),
            DType::Bool => i64::from(g.random() & 1),
            DType::U8 => i64::from(g.random() % 256),
            DType::I8 => i64::from(g.random() % 128),
            DType::I16 => i64::from(g.random() % (1 << 15)),
            DType::I32 => i64::from(g.random() % (1 << 31)),
            DType::C64 | DType::C128 | DType::U16 | DType::U32 | DType::U64 => {
                let op = "random_kernel_cpu";
                return Err(TensorError::NoKernel { op, dtype });
            }
        };
        values.push(Scalar::I64(v));
    }
    Tensor::from_scalars(&values, shape, dtype)
}

/// A new tensor of draws.
pub fn random(
    draw: &Draw<i64>,
    shape: &[i64],
    dtype: DType,
    generator: Option<&Value>,
) -> Result<Tensor, TorchError> {
    if dtype.is_complex() {
        return random_parts(draw, shape, dtype, generator);
    }
    match device::current() {
        Device::Cpu => {}
        // No numbers, so no draws.
        Device::Meta => return Ok(Tensor::empty(shape, dtype)?),
        Device::Cuda(_) => return random_there(draw, shape, dtype, generator),
    }
    let drawn = with_generator(generator, |g| match *draw {
        Draw::Uniform(a, b) => rng::filled(shape, dtype, |t| g.uniform_(t, a, b)),
        Draw::Normal(mean, std) => rng::filled(shape, dtype, |t| g.normal_(t, mean, std)),
        Draw::SerialNormal(mean, std) => {
            rng::filled(shape, dtype, |t| g.serial_normal_(t, mean, std))
        }
        Draw::Int(low, high) => rng::filled(shape, dtype, |t| g.random_from_to_(t, low, high)),
        Draw::FullRange => full_range(g, shape, dtype),
        Draw::Permutation => {
            let t = g.randperm(shape.first().copied().unwrap_or(0))?;
            janus_tensor::Ops::cast(&mut janus_tensor::Eager, &t, dtype)
        }
        Draw::Bernoulli(p) => rng::filled(shape, dtype, |t| g.bernoulli_(t, p)),
        Draw::Exponential(l) => rng::filled(shape, dtype, |t| g.exponential_(t, l)),
    })?;
    Ok(drawn?)
}

/// Complex numbers whose parts are drawn one after the other; normal ones have the variance in both together.
fn random_parts(
    draw: &Draw<i64>,
    shape: &[i64],
    dtype: DType,
    generator: Option<&Value>,
) -> Result<Tensor, TorchError> {
    let share = std::f64::consts::SQRT_2;
    let draw = match *draw {
        Draw::Uniform(a, b) => Draw::Uniform(a, b),
        Draw::Normal(mean, std) => Draw::Normal(mean, std / share),
        Draw::SerialNormal(mean, std) => Draw::SerialNormal(mean, std / share),
        Draw::Int(..) => {
            return Err(TensorError::Runtime(
                "check_random_bounds handles only integral, floating-point and boolean types"
                    .to_owned(),
            )
            .into());
        }
        _ => {
            let op = "random_kernel_cpu";
            return Err(TensorError::NoKernel { op, dtype }.into());
        }
    };
    let parts: Vec<i64> = shape.iter().copied().chain([2]).collect();
    let drawn = random(&draw, &parts, dtype.real(), generator)?;
    let joined = janus_tensor::Ops::complex(
        &mut janus_tensor::Eager,
        janus_tensor::ops::ComplexOp::AsComplex,
        &drawn,
    )?;
    Ok(Tensor::from_layout(joined.layout().clone()))
}

/// A new tensor of draws from distributions with these parameters.
pub fn random_from(
    draw: DrawFrom,
    parameters: &Tensor,
    generator: Option<&Value>,
) -> Result<Tensor, TorchError> {
    let p = parameters.detach();
    if p.device() == Device::Meta {
        let _guard = DeviceGuard::new(Device::Meta);
        return Ok(match draw {
            DrawFrom::Bernoulli => Tensor::empty(&p.shape(), p.dtype())?,
            DrawFrom::Multinomial { samples, .. } => {
                let mut shape = p.shape();
                if let Some(last) = shape.last_mut() {
                    *last = samples;
                }
                Tensor::empty(&shape, DType::I64)?
            }
        });
    }
    if p.device() != Device::Cpu {
        let _guard = DeviceGuard::new(p.device());
        return Ok(with_philox(generator, |g| match draw {
            DrawFrom::Bernoulli => g.bernoulli(&p),
            DrawFrom::Multinomial {
                samples,
                replacement,
            } => g.multinomial(&p, samples, replacement),
        })??);
    }
    let drawn = with_generator(generator, |g| match draw {
        DrawFrom::Bernoulli => g.bernoulli(&p),
        DrawFrom::Multinomial {
            samples,
            replacement,
        } => g.multinomial(&p, samples, replacement),
    })?;
    Ok(drawn?)
}
