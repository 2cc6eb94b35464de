//! Many random numbers at a time for the numpy package, as its legacy generator draws them one by one.
//!
//! In: the `_random.Random` under a RandomState. Out: tensors. Always: the words that are drawn, and what is made of them, are those
//! of `numpy/random.py`, which draws few numbers itself so that they can stand in graphs.

use std::cell::RefMut;

use janus_object::twister::{Twister, TwisterCell};
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm};
use janus_tensor::Tensor;

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

fn numbers(all: &[f64]) -> PyResult {
    let shape = [all.len() as i64];
    Ok(wrap(Tensor::from_slice(all, &shape).map_err(raised)?))
}

/// `_twister_uniform(generator, count)`
fn uniform(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, n] = args.exactly("_twister_uniform")?;
    let mut from = generator(from)?;
    let all: Vec<f64> = (0..count(n)?).map(|_| from.random()).collect();
    drop(from);
    numbers(&all)
}

/// Two normal draws, by the polar method: what comes first, and what is kept.
fn pair(from: &mut Twister) -> (f64, f64) {
    loop {
        let x1 = 2.0 * from.random() - 1.0;
        let x2 = 2.0 * from.random() - 1.0;
        let r2 = x1 * x1 + x2 * x2;
        if r2 < 1.0 && r2 != 0.0 {
            let f = (-2.0 * r2.ln() / r2).sqrt();
            return (f * x2, f * x1);
        }
    }
}

/// `_twister_normal(generator, count, spare)`: the numbers, and what is spare then.
fn normal(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, n, spare] = args.exactly("_twister_normal")?;
    let mut from = generator(from)?;
    let n = count(n)?;
    let mut spare = match spare {
        Value::Float(kept) => Some(*kept),
        _ => None,
    };
    let mut all = Vec::with_capacity(n);
    for _ in 0..n {
        all.push(match spare.take() {
            Some(kept) => kept,
            None => {
                let (first, kept) = pair(&mut from);
                spare = Some(kept);
                first
            }
        });
    }
    drop(from);
    let spare = spare.map_or(Value::None, Value::Float);
    Ok(Value::tuple(vec![numbers(&all)?, spare]))
}

/// An int from 0 to `most`: words are cut to as many bits, and drawn again while too large.
fn below(from: &mut Twister, most: u32) -> usize {
    let mask = u32::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
    loop {
        let value = from.word() & mask;
        if value <= most {
            return value as usize;
        }
    }
}

/// `_twister_order(generator, count)`: the numbers below a count, shuffled from the end.
fn order(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, n] = args.exactly("_twister_order")?;
    let mut from = generator(from)?;
    let n = count(n)?;
    let Ok(last) = u32::try_from(n.saturating_sub(1)) else {
        return Err(Raised::value_error("more than 2**32 numbers to shuffle"));
    };
    let mut all: Vec<i64> = (0..=i64::from(last)).take(n).collect();
    for i in (1..=last).rev() {
        let j = below(&mut from, i);
        all.swap(i as usize, j);
    }
    drop(from);
    let shape = [n as i64];
    Ok(wrap(Tensor::from_slice(&all, &shape).map_err(raised)?))
}

/// What `torch._C` has for the package.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._twister_uniform", uniform),
    NativeDef::function("torch._C._twister_normal", normal),
    NativeDef::function("torch._C._twister_order", order),
];
