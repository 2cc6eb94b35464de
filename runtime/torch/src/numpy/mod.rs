//! What the numpy package, which is Python over tensors, needs natively.
//!
//! In: its arrays and scalars, bytes. Out: tensors, and back. Always: an array's tensor is shared, not copied.

mod arrays;
mod making;
mod reductions;
mod scalars;
mod short;

use std::cell::RefCell;
use std::rc::Rc;

use janus_object::{
    Args, Class, Name, NativeDef, Payload, PyRef, PyResult, Raised, Signature, Value, Vm, call,
    complex_parts, name,
};
use janus_tensor::scalar::c128;
use janus_tensor::{DType, Eager, Ops, Scalar, Tensor, TensorError};

use crate::call::raised;
use crate::objects::{dtype_of, tensor_of, wrap};

/// The classes of the package, once it is imported.
struct Package {
    /// `numpy.ndarray`: `_t` is its tensor.
    array: PyRef<Class>,
    /// `numpy.generic`: `_torch` is a scalar's dtype.
    scalar: PyRef<Class>,
    /// Makes an array over a tensor.
    wrap: Value,
    float64: PyRef<Class>,
    float32: PyRef<Class>,
    int64: PyRef<Class>,
    /// `numpy.True_` and `numpy.False_`
    truths: (Value, Value),
    /// What is to happen where a result is no number: `checks` and `tiny`.
    state: Value,
}

janus_gil::gil_local! {
    static PACKAGE: RefCell<Option<Rc<Package>>> = const { RefCell::new(None) };
}

fn package() -> Option<Rc<Package>> {
    PACKAGE.with(|p| p.borrow().clone())
}

/// `numpy.ndarray`, once the package is imported.
#[must_use]
pub fn array_class() -> Option<PyRef<Class>> {
    Some(package()?.array.clone())
}

/// The package's function that makes an array over a tensor, once it is imported.
#[must_use]
pub fn array_maker() -> Option<Value> {
    Some(package()?.wrap.clone())
}

/// The attribute of an array that is its tensor.
#[must_use]
pub fn tensor_attribute() -> &'static Name {
    name!("_t")
}

/// The tensor of an array.
#[must_use]
pub fn array(v: &Value) -> Option<Tensor> {
    let Value::Instance(instance) = v else {
        return None;
    };
    if !matches!(instance.payload, Payload::None) {
        return None;
    }
    if !instance.class.borrow().is_subclass_of(&package()?.array) {
        return None;
    }
    // One of a dtype that tensors do not have only stands for its values.
    if instance.dict().get_name(name!("_raw")).is_some() {
        return None;
    }
    tensor_of(&instance.dict().get_name(tensor_attribute())?).cloned()
}

/// Whether a class is numpy's bool.
#[must_use]
pub fn is_bool_class(class: &PyRef<Class>) -> bool {
    let Some(package) = package() else {
        return false;
    };
    class.is_subclass_of(&package.scalar)
        && class.lookup(name!("_torch")).and_then(|v| dtype_of(&v)) == Some(DType::Bool)
}

/// A scalar as a tensor of its dtype, without dimensions.
#[must_use]
pub fn scalar(v: &Value) -> Option<Tensor> {
    let Value::Instance(instance) = v else {
        return None;
    };
    let Payload::Wrapped(number) = &instance.payload else {
        return None;
    };
    let class = instance.class();
    if !class.is_subclass_of(&package()?.scalar) {
        return None;
    }
    let dtype = dtype_of(&class.lookup(name!("_torch"))?)?;
    let number = match number {
        Value::Int(n) => Scalar::I64(*n),
        Value::Float(f) => Scalar::F64(f.get()),
        other => {
            let (re, im) = complex_parts(other)?;
            Scalar::C128(c128::new(re, im))
        }
    };
    Tensor::from_scalar(number, dtype).ok()
}

static REGISTER: Signature<9> = Signature::positional(
    "_numpy",
    [
        "array", "scalar", "wrap", "float64", "float32", "int64", "true", "false", "state",
    ],
);

fn register(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = REGISTER.parse(args)?;
    let class = |at: usize| given[at].as_ref().and_then(Value::as_class).cloned();
    let known = || {
        Some(Package {
            array: class(0)?,
            scalar: class(1)?,
            wrap: given[2].clone()?,
            float64: class(3)?,
            float32: class(4)?,
            int64: class(5)?,
            truths: (given[6].clone()?, given[7].clone()?),
            state: given[8].clone()?,
        })
    };
    let Some(known) = known() else {
        return Err(Raised::type_error(
            "_numpy() takes classes, a function and objects",
        ));
    };
    PACKAGE.with(|p| *p.borrow_mut() = Some(Rc::new(known)));
    Ok(Value::None)
}

/// `Tensor.numpy()`: an array over the same memory.
pub fn of_tensor(vm: &mut dyn Vm, t: &Tensor) -> PyResult {
    if t.requires_grad() && janus_tensor::autograd::is_grad_enabled() {
        return Err(Raised::runtime_error(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        ));
    }
    if t.is_conjugated() {
        return Err(Raised::runtime_error(
            "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead.",
        ));
    }
    if t.dtype().is_stored_unsigned() {
        return Err(raised(TensorError::NotImplemented(format!(
            "numpy() of {} is not implemented in janus-jit yet: convert it to another dtype",
            t.dtype()
        ))));
    }
    if t.dtype() == DType::BF16 {
        return Err(Raised::type_error("Got unsupported ScalarType BFloat16"));
    }
    vm.import("numpy")?;
    match package() {
        Some(package) => call::call(vm, &package.wrap, Args::new(&[wrap(t.detach())])),
        // Another module of that name stands in front of it.
        None => Err(Raised::runtime_error("Numpy is not available")),
    }
}

/// Fails for an array whose memory no tensor shows.
pub fn check_direction(t: &Tensor) -> Result<(), Raised> {
    match t.layout().goes_backwards() {
        false => Ok(()),
        true => Err(Raised::value_error(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. (You can probably work around this by making a copy of your array  with array.copy().) ",
        )),
    }
}

fn from_numpy(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [v] = args.exactly("from_numpy")?;
    let Some(t) = array(v) else {
        return Err(Raised::type_error(format!(
            "expected np.ndarray (got {})",
            v.type_name()
        )));
    };
    check_direction(&t)?;
    Ok(wrap(t.detach()))
}

/// Adds up numbers as NumPy does: up to 128 in eight sums at a time, more in two halves.
fn pairwise<T: Copy + std::ops::Add<Output = T>>(numbers: &[T], zero: T) -> T {
    if numbers.len() > 128 {
        let half = numbers.len() / 2;
        let (front, back) = numbers.split_at(half - half % 8);
        return pairwise(front, zero) + pairwise(back, zero);
    }
    let (eights, rest) = numbers.as_chunks::<8>();
    let mut sum = match eights {
        [] => zero,
        [first, more @ ..] => {
            let mut r = *first;
            for eight in more {
                for (sum, &x) in r.iter_mut().zip(eight) {
                    *sum = *sum + x;
                }
            }
            ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
        }
    };
    for &x in rest {
        sum = sum + x;
    }
    sum
}

/// `_pairwise_sum(t)`: of the floats of the last dimension, in NumPy's order.
fn pairwise_sum(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [v] = args.exactly("_pairwise_sum")?;
    let t = crate::memory::argument(v)?;
    if t.shape().is_empty() {
        return Ok(v.clone());
    }
    if t.dtype() != DType::F16 {
        return Ok(wrap(pairwise_sums(t)?));
    }
    // Added up as float32, and rounded once.
    let wide = Eager.cast(t, DType::F32).map_err(raised)?;
    let sum = Eager.cast(&pairwise_sums(&wide)?, DType::F16);
    Ok(wrap(sum.map_err(raised)?))
}

fn pairwise_sums(t: &Tensor) -> PyResult<Tensor> {
    let shape = t.shape();
    let (n, outer) = match shape.split_last() {
        Some((&n, outer)) => (n, outer),
        None => (1, &[][..]),
    };
    let rows = outer.iter().product::<i64>().max(0) as usize;
    let n = n.max(0) as usize;
    fn sums<T: Copy + std::ops::Add<Output = T>>(
        all: &[T],
        rows: usize,
        n: usize,
        zero: T,
    ) -> Vec<T> {
        (0..rows)
            .map(|i| pairwise(all.get(i * n..(i + 1) * n).unwrap_or_default(), zero))
            .collect()
    }
    let sum = match t.dtype() {
        DType::F32 => t
            .to_vec::<f32>()
            .and_then(|all| Tensor::from_slice(&sums(&all, rows, n, 0.0), outer)),
        DType::F64 => t
            .to_vec::<f64>()
            .and_then(|all| Tensor::from_slice(&sums(&all, rows, n, 0.0), outer)),
        other => {
            return Err(Raised::type_error(format!(
                "floats were expected, not {other}"
            )));
        }
    };
    sum.map_err(raised)
}

/// `_watch_results(on)`: whether kernels look at what they write, so that `_all_finite` need not.
fn watch_results(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [on] = args.exactly("_watch_results")?;
    janus_tensor::kernels::finite::watch_results(on.as_int().is_some_and(|on| on != 0));
    Ok(Value::None)
}

/// What `torch._C` has for the package, and `torch.from_numpy`.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._numpy", register),
    NativeDef::function("torch._C._pairwise_sum", pairwise_sum),
    NativeDef::function("torch._C._watch_results", watch_results),
    NativeDef::function("torch.from_numpy", from_numpy),
];

/// The same of its short ways.
pub const SHORT_WAYS: &[NativeDef] = short::FUNCTIONS;
