//! Random numbers for the numpy package, as its legacy generator draws them.
//!
//! In: the `_random.Random` under a RandomState. Out: tensors of one dimension. Always: the generator's words and what is
//! made of them are those of NumPy. In graphs these functions are draws of the run (`PythonDraw`).

mod distributions;
mod natives;
mod pcg;
mod ziggurat;

use std::cell::RefMut;

use janus_object::twister::{Twister, TwisterCell};
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm};
use janus_tensor::{Element, Tensor};

use crate::call::raised;
use crate::objects::wrap;

fn generator(v: &Value) -> PyResult<RefMut<'_, Twister>> {
    v.foreign::<TwisterCell>()
        .map(|state| state.borrow_mut())
        .ok_or_else(|| Raised::type_error("a Random object is required"))
}

fn count(v: &Value) -> PyResult<usize> {
    v.as_int()
        .and_then(|n| usize::try_from(n).ok())
        .ok_or_else(|| Raised::value_error("negative dimensions are not allowed"))
}

/// Room for so many numbers, or a MemoryError.
fn room<T>(n: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(n)
        .map_err(|_| Raised::memory_error())?;
    Ok(room)
}

fn tensor<T: Element>(numbers: &[T]) -> PyResult {
    let shape = [numbers.len() as i64];
    Ok(wrap(Tensor::from_slice(numbers, &shape).map_err(raised)?))
}

/// `_twister_uniform(generator, count)`: floats in [0, 1).
fn uniform(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, n] = args.exactly("_twister_uniform")?;
    let n = count(n)?;
    let (mut from, mut numbers) = (generator(from)?, room::<f64>(n)?);
    numbers.extend((0..n).map(|_| from.random()));
    tensor(&numbers)
}

/// `_twister_normal(generator, count)`: normal numbers, which come in pairs.
fn normal(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, n] = args.exactly("_twister_normal")?;
    let n = count(n)?;
    let (mut from, mut numbers) = (generator(from)?, room::<f64>(n)?);
    numbers.extend((0..n / 2).flat_map(|_| from.normal_pair()));
    tensor(&numbers)
}

/// `_twister_masked(generator, bound, count)`: ints from 0 to the bound, which is left out.
fn masked(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, bound, n] = args.exactly("_twister_masked")?;
    let bound = bound.as_int().and_then(|bound| u64::try_from(bound).ok());
    let Some(most) = bound.and_then(|bound| bound.checked_sub(1)) else {
        return Err(Raised::value_error("high <= 0"));
    };
    let n = count(n)?;
    let (mut from, mut numbers) = (generator(from)?, room::<i64>(n)?);
    numbers.extend((0..n).map(|_| from.masked(most) as i64));
    tensor(&numbers)
}

/// `_twister_order(generator, count)`: the numbers below a count, shuffled.
fn order(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, n] = args.exactly("_twister_order")?;
    let n = count(n)?;
    let (mut from, mut numbers) = (generator(from)?, room::<i64>(n)?);
    numbers.extend(0..n as i64);
    from.masked_shuffle(&mut numbers);
    tensor(&numbers)
}

/// `_twister_binomial(generator, trials, chance)`: how many of many trials succeed; more than 30 do in the mean.
fn binomial(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, trials, chance] = args.exactly("_twister_binomial")?;
    let (Some(trials), Some(chance)) = (trials.as_int(), chance.as_f64()) else {
        return Err(Raised::type_error("a count and a chance are required"));
    };
    let mut from = generator(from)?;
    let found = distributions::binomial_of_many(&mut || from.random(), trials, chance);
    Ok(Value::Int(found))
}

pub use natives::FUNCTIONS as NEWER;

/// What `torch._C` has for the package.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._twister_uniform", uniform),
    NativeDef::function("torch._C._twister_normal", normal),
    NativeDef::function("torch._C._twister_masked", masked),
    NativeDef::function("torch._C._twister_order", order),
    NativeDef::function("torch._C._twister_binomial", binomial),
];
