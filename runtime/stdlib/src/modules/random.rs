//! `_random`: the Mersenne Twister under `random`.
//!
//! In: seeds. Out: the class `Random` with `random`, `getrandbits`, `seed`, `getstate`,
//! `setstate`, and the loops of `random` where speed matters. Always: the stream is bit for bit
//! that of CPython.

use std::cell::RefCell;

use janus_interp::Interp;
use janus_object::twister::{STATE_WORDS, Twister, TwisterCell};
use janus_object::{
    Args, Class, NativeDef, Opaque, Payload, PyRef, PyResult, Raised, Value, Vm, ops,
};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Signed;

use crate::support::{foreign_class, int, module};

const METHODS: &[NativeDef] = &[
    NativeDef::function("Random.__new__", new),
    NativeDef::method("Random.seed", seed),
    NativeDef::method("Random.random", random).leaf(),
    NativeDef::method("Random.getrandbits", getrandbits),
    NativeDef::method("Random.getstate", getstate),
    NativeDef::method("Random.setstate", setstate),
    NativeDef::method("Random._below", below).leaf(),
    NativeDef::method("Random._sample", sample),
    NativeDef::method("Random._order", order),
    NativeDef::method("Random._shuffle", shuffle).leaf(),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module(
        "_random",
        "",
        &[NativeDef::function("_random.entropy", entropy)],
    );
    m.set("Random", Value::Class(class()));
    Ok(Value::Module(m))
}

/// A seed from the operating system, as large as the state.
fn entropy(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("entropy")?;
    let mut bytes = vec![0; STATE_WORDS * 4];
    crate::modules::os::fill_random(&mut bytes)?;
    Ok(Value::big(BigInt::from_bytes_le(Sign::Plus, &bytes)))
}

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("Random", "_random", METHODS);
    }
    CLASS.with(PyRef::clone)
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let Some(class) = args.pos.first().and_then(Value::as_class) else {
        return Err(Raised::type_error("__new__(X): X is not a type object"));
    };
    let state: TwisterCell = RefCell::new(Twister::new());
    Ok(Value::instance(
        class,
        Payload::Foreign(Box::new(Opaque(state))),
    ))
}

fn state<'a>(args: &Args<'a>) -> PyResult<&'a TwisterCell> {
    args.pos
        .first()
        .and_then(Value::foreign::<TwisterCell>)
        .ok_or_else(|| Raised::type_error("a Random object is required"))
}

/// Seeds with the absolute value of an int of any size.
fn seed(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [number]) = args.method("seed")?;
    let Some(number) = number.as_bigint() else {
        return Err(Raised::type_error("an int is required"));
    };
    let mut words = number
        .abs()
        .to_biguint()
        .map(|n| n.to_u32_digits())
        .unwrap_or_default();
    if words.is_empty() {
        words.push(0);
    }
    state(&args)?.borrow_mut().init_by_array(&words);
    Ok(Value::None)
}

fn random(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.method::<0>("random")?;
    Ok(Value::float(state(&args)?.borrow_mut().random()))
}

fn getrandbits(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [bits]) = args.method("getrandbits")?;
    let bits = int(vm, bits)?;
    let Ok(bits) = u32::try_from(bits) else {
        return Err(Raised::value_error("number of bits must be non-negative"));
    };
    let mut twister = state(&args)?.borrow_mut();
    if bits <= 64 {
        return Ok(Value::big(BigInt::from(twister.bits(bits))));
    }
    let mut words = Vec::new();
    let mut left = bits;
    while left > 0 {
        let word = twister.word();
        words.push(if left < 32 { word >> (32 - left) } else { word });
        left = left.saturating_sub(32);
    }
    Ok(Value::big(BigInt::from_biguint(
        Sign::Plus,
        BigUint::new(words),
    )))
}

fn getstate(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.method::<0>("getstate")?;
    let twister = state(&args)?.borrow();
    let mut items: Vec<Value> = twister
        .state
        .iter()
        .map(|w| Value::Int(i64::from(*w)))
        .collect();
    items.push(Value::from(twister.index));
    Ok(Value::tuple(items))
}

fn setstate(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [given]) = args.method("setstate")?;
    if given.as_tuple().is_none() {
        return Err(Raised::type_error("state vector must be a tuple"));
    }
    let items = ops::collect(vm, given)?;
    if items.len() != STATE_WORDS + 1 {
        return Err(Raised::value_error("state vector is the wrong size"));
    }
    let mut twister = Twister::new();
    for (word, item) in twister.state.iter_mut().zip(&items) {
        *word = u32::try_from(int(vm, item)?).map_err(|_| Raised::value_error("invalid state"))?;
    }
    twister.index = usize::try_from(int(vm, &items[STATE_WORDS])?)
        .ok()
        .filter(|i| *i <= STATE_WORDS)
        .ok_or_else(|| Raised::value_error("invalid state"))?;
    *state(&args)?.borrow_mut() = twister;
    Ok(Value::None)
}

/// `_randbelow(n)` for an `n` that fits; 0 gives 0.
fn below(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [n]) = args.method("_below")?;
    match n {
        Value::Int(n) if *n > 0 => Ok(Value::Int(
            state(&args)?.borrow_mut().below(*n as u64) as i64
        )),
        Value::Int(_) => Ok(Value::Int(0)),
        other => match other.as_bigint() {
            Some(n) if n.is_positive() => {
                let bits = n.bits();
                loop {
                    let drawn = getrandbits_of(state(&args)?, bits as u32);
                    if drawn < n {
                        return Ok(Value::big(drawn));
                    }
                }
            }
            _ => Err(Raised::type_error("an int is required")),
        },
    }
}

fn getrandbits_of(state: &TwisterCell, bits: u32) -> BigInt {
    let mut twister = state.borrow_mut();
    let mut words = Vec::new();
    let mut left = bits;
    while left > 0 {
        let word = twister.word();
        words.push(if left < 32 { word >> (32 - left) } else { word });
        left = left.saturating_sub(32);
    }
    BigInt::from_biguint(Sign::Plus, BigUint::new(words))
}

/// The places that `sample` picks: `k` of `n`.
fn sample(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [n, k]) = args.method("_sample")?;
    let (n, k) = (int(vm, n)?, int(vm, k)?);
    let (Ok(n), Ok(k)) = (u64::try_from(n), usize::try_from(k)) else {
        return Err(Raised::value_error(
            "Sample larger than population or is negative",
        ));
    };
    let places = state(&args)?.borrow_mut().sample(n, k);
    let places = places.into_iter().map(|i| Value::Int(i as i64)).collect();
    Ok(Value::list(places))
}

/// The places of `n` items in the order that `shuffle` gives them.
fn order(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [n]) = args.method("_order")?;
    let n = usize::try_from(int(vm, n)?).unwrap_or(0);
    let places = state(&args)?.borrow_mut().order(n);
    let places = places.into_iter().map(|i| Value::Int(i as i64)).collect();
    Ok(Value::list(places))
}

/// Shuffles a list in place, from the end.
fn shuffle(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [list]) = args.method("_shuffle")?;
    let Some(list) = list.as_list() else {
        return Err(Raised::type_error("a list is required"));
    };
    let mut twister = state(&args)?.borrow_mut();
    twister.shuffle(&mut list.items.borrow_mut());
    Ok(Value::None)
}
