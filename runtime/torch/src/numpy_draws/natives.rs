//! What `torch._C` has for NumPy's newer generators.
//!
//! In: a state of PCG64, the name of a distribution, parameters. Out: numbers, or tensors of one dimension. Always: the numbers
//! are drawn one after the other, as NumPy does.

use std::cell::{RefCell, RefMut};

use janus_object::{Args, BaseKind, Class, NativeDef, PyRef, PyResult, Raised, Value, Vm, types};
use num_bigint::BigInt;

use super::pcg::Pcg;
use super::{count, distributions, room, tensor};
use crate::objects::{foreign, tensor_of};

type Cell = RefCell<Pcg>;

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> =
            Class::builtin("Pcg", "torch._C", &[&types().object], BaseKind::Foreign, &[]);
    }
    CLASS.with(PyRef::clone)
}

fn state(v: &Value) -> PyResult<RefMut<'_, Pcg>> {
    v.foreign::<Cell>()
        .map(RefCell::borrow_mut)
        .ok_or_else(|| Raised::type_error("a state of PCG64 is required"))
}

fn bits(v: &Value) -> PyResult<u128> {
    v.as_bigint()
        .and_then(|n| u128::try_from(n).ok())
        .ok_or_else(|| Raised::value_error("a number of 128 bits is required"))
}

fn half(v: &Value) -> Option<u32> {
    v.as_int().and_then(|n| u32::try_from(n).ok())
}

/// `_pcg_new(state, increment, half)`: a state; `half` is None or 32 bits that are left over.
fn new(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [state, increment, left] = args.exactly("_pcg_new")?;
    let made = Pcg {
        state: bits(state)?,
        increment: bits(increment)?,
        half: half(left),
    };
    Ok(foreign(&class(), RefCell::new(made)))
}

/// `_pcg_state(state)`: what `_pcg_new` takes.
fn read(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from] = args.exactly("_pcg_state")?;
    let from = state(from)?;
    let left = from
        .half
        .map_or(Value::None, |half| Value::Int(i64::from(half)));
    Ok(Value::tuple([
        Value::big(BigInt::from(from.state)),
        Value::big(BigInt::from(from.increment)),
        left,
    ]))
}

/// A parameter of a distribution: one number for all draws, or one for each.
enum Parameter {
    One(f64),
    Each(Vec<f64>),
}

impl Parameter {
    fn of(v: &Value, n: usize) -> PyResult<Parameter> {
        if let Some(x) = v.as_f64() {
            return Ok(Parameter::One(x));
        }
        let each = tensor_of(v).and_then(|t| t.to_vec::<f64>().ok());
        each.filter(|each| each.len() == n)
            .map(Parameter::Each)
            .ok_or_else(|| {
                Raised::type_error(
                    "a parameter is a number, or a float64 tensor of as many as are drawn",
                )
            })
    }

    fn at(&self, i: usize) -> f64 {
        match self {
            Parameter::One(x) => *x,
            Parameter::Each(each) => each.get(i).copied().unwrap_or(f64::NAN),
        }
    }
}

fn unknown(name: &str) -> Raised {
    Raised::value_error(format!("no distribution is named {name}"))
}

/// `_pcg_draw(state, name, count, *parameters)`: so many numbers of a distribution; one, if the count is None.
fn draw(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, name, n, given @ ..] = args.between("_pcg_draw", 3, 6)? else {
        return Err(Raised::type_error(
            "_pcg_draw() takes a state, a name and a count",
        ));
    };
    let name = name.as_str().unwrap_or_default();
    let wanted = if n.is_none() { 1 } else { count(n)? };
    let mut parameters = [const { Parameter::One(0.0) }; 3];
    for (place, v) in parameters.iter_mut().zip(given) {
        *place = Parameter::of(v, wanted)?;
    }
    let mut from = state(from)?;
    let row = |i: usize| [0, 1, 2].map(|k: usize| parameters.get(k).map_or(0.0, |p| p.at(i)));
    if let Some(one) = distributions::floats(name) {
        if n.is_none() {
            return Ok(Value::float(one(&mut from, row(0))));
        }
        let mut numbers = room::<f64>(wanted)?;
        numbers.extend((0..wanted).map(|i| one(&mut from, row(i))));
        return tensor(&numbers);
    }
    let one = distributions::ints(name).ok_or_else(|| unknown(name))?;
    if n.is_none() {
        return Ok(Value::Int(one(&mut from, row(0))));
    }
    let mut numbers = room::<i64>(wanted)?;
    numbers.extend((0..wanted).map(|i| one(&mut from, row(i))));
    tensor(&numbers)
}

/// `_pcg_draw32(state, name, count, parameter)`: the same of float32; always a tensor.
fn draw32(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, name, n, given] = args.exactly("_pcg_draw32")?;
    let name = name.as_str().unwrap_or_default();
    let one = distributions::floats32(name).ok_or_else(|| unknown(name))?;
    let n = count(n)?;
    let parameter = Parameter::of(given, n)?;
    let (mut from, mut numbers) = (state(from)?, room::<f32>(n)?);
    numbers.extend((0..n).map(|i| one(&mut from, parameter.at(i) as f32)));
    tensor(&numbers)
}

fn most(v: &Value) -> PyResult<u64> {
    v.as_bigint()
        .and_then(|n| u64::try_from(n).ok())
        .ok_or_else(|| Raised::value_error("high <= 0"))
}

/// `_pcg_below(state, most)`: an int from 0 to `most`, both included.
fn below(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, limit] = args.exactly("_pcg_below")?;
    let drawn = state(from)?.below(most(limit)?);
    Ok(Value::big(BigInt::from(drawn)))
}

/// `_pcg_masked(state, most)`: the same by drawing again, for orders.
fn masked(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, limit] = args.exactly("_pcg_masked")?;
    let drawn = state(from)?.masked(most(limit)?);
    Ok(Value::big(BigInt::from(drawn)))
}

/// `_pcg_integers(state, low, most, bits, count)`: ints from `low` to `low + most`, of a dtype of so many bits; where that is
/// uint64, their bits.
fn integers(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, low, limit, bits, n] = args.exactly("_pcg_integers")?;
    let low = low
        .as_bigint()
        .and_then(|low| {
            i64::try_from(&low)
                .or_else(|_| u64::try_from(&low).map(u64::cast_signed))
                .ok()
        })
        .ok_or_else(|| Raised::value_error("low is out of bounds"))?;
    let (limit, n) = (most(limit)?, count(n)?);
    let (mut from, mut numbers) = (state(from)?, room::<i64>(n)?);
    match (bits.as_int(), u32::try_from(limit)) {
        (Some(bits @ (1 | 8 | 16)), Ok(limit)) => {
            let drawn = from.small(limit, bits as u32, n);
            numbers.extend(drawn.map(|x| low.wrapping_add(i64::from(x))));
        }
        _ => numbers.extend((0..n).map(|_| low.wrapping_add(from.below(limit).cast_signed()))),
    }
    tensor(&numbers)
}

/// `_pcg_order(state, count, first, is_masked)`: the numbers below a count, whose places from `first` on are shuffled from the end.
fn order(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, n, first, is_masked] = args.exactly("_pcg_order")?;
    let (n, first) = (count(n)?, count(first)?);
    let is_masked = is_masked.as_int() == Some(1);
    let (mut from, mut numbers) = (state(from)?, room::<i64>(n)?);
    numbers.extend(0..n as i64);
    for i in (first..n).rev() {
        let place = if is_masked {
            from.masked(i as u64)
        } else {
            from.below(i as u64)
        };
        numbers.swap(i, usize::try_from(place).unwrap_or(i).min(i));
    }
    tensor(&numbers)
}

/// `_pcg_hypergeometric(state, colors, taken)`: how many of each colour are among so many.
fn colours(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [from, colours, taken] = args.exactly("_pcg_hypergeometric")?;
    let colours = tensor_of(colours)
        .and_then(|t| t.to_vec::<i64>().ok())
        .ok_or_else(|| Raised::type_error("colors is an int64 tensor"))?;
    let mut all: i64 = colours.iter().sum();
    let taken = taken.as_int().unwrap_or(0);
    let more = taken > all / 2;
    let mut left = if more { all - taken } else { taken };
    let mut from = state(from)?;
    let mut found = room::<i64>(colours.len())?;
    for (i, &n) in colours.iter().enumerate() {
        let is_last = i + 1 == colours.len();
        all -= n;
        let one = match left {
            0 => 0,
            left if is_last => left,
            left => from.hypergeometric(n, all, left),
        };
        left -= one;
        found.push(if more { n - one } else { one });
    }
    tensor(&found)
}

/// What `torch._C` has for the generators.
pub const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("torch._C._pcg_new", new),
    NativeDef::function("torch._C._pcg_state", read),
    NativeDef::function("torch._C._pcg_draw", draw),
    NativeDef::function("torch._C._pcg_draw32", draw32),
    NativeDef::function("torch._C._pcg_below", below),
    NativeDef::function("torch._C._pcg_masked", masked),
    NativeDef::function("torch._C._pcg_integers", integers),
    NativeDef::function("torch._C._pcg_order", order),
    NativeDef::function("torch._C._pcg_hypergeometric", colours),
];
