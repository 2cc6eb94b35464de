//! Short ways of what small arrays come to: sums, extremes, products, and where a number stands in an order.
//!
//! In: arrays of float64, float32, int64 or bool. Out: scalars, and arrays of places. Always: floats are added up in NumPy's order;
//! what is not finite, and which of two zeros is larger, is left to the function behind.

use janus_object::{Args, Value};
use janus_tensor::{DType, Tensor};

use super::Package;
use super::arrays::{SMALL, is_small, of_array};
use super::short::{Operand, Short, plain};

/// What a small array holds.
enum Few {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I64(Vec<i64>),
    Bool(Vec<bool>),
}

impl Few {
    /// The elements, row by row; of floats finite ones alone.
    fn of(t: &Tensor) -> Option<Few> {
        let n = t.numel();
        if n == 0 || n > SMALL || t.rank() == 0 || t.rank() > 1 && !t.is_contiguous() {
            return None;
        }
        Some(match t.dtype() {
            DType::F64 => {
                let all = t.to_vec::<f64>().ok()?;
                Few::F64(all.iter().all(|n| n.is_finite()).then_some(all)?)
            }
            DType::F32 => {
                let all = t.to_vec::<f32>().ok()?;
                Few::F32(all.iter().all(|n| n.is_finite()).then_some(all)?)
            }
            DType::I64 => Few::I64(t.to_vec().ok()?),
            DType::Bool => Few::Bool(t.to_vec().ok()?),
            _ => return None,
        })
    }

    /// As floats that are equal to them.
    #[allow(clippy::cast_precision_loss, reason = "NumPy's own conversion")]
    fn floats(self) -> Vec<f64> {
        match self {
            Few::F64(all) => all,
            Few::F32(all) => all.into_iter().map(f64::from).collect(),
            Few::I64(all) => all.into_iter().map(|n| n as f64).collect(),
            Few::Bool(all) => all.into_iter().map(|b| f64::from(u8::from(b))).collect(),
        }
    }
}

fn sum(args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    match Few::of(&t)? {
        Few::F64(all) => {
            let sum = super::pairwise(&all, 0.0);
            sum.is_finite().then(|| known.float64_value(sum))
        }
        Few::F32(all) => {
            let sum = super::pairwise(&all, 0.0);
            sum.is_finite().then(|| known.float32_value(sum))
        }
        Few::I64(all) => {
            let sum = all.into_iter().fold(0, i64::wrapping_add);
            Some(known.int64_value(sum))
        }
        Few::Bool(all) => {
            let sum = all.into_iter().filter(|b| *b).count();
            Some(known.int64_value(sum as i64))
        }
    }
}

fn mean(args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    #[allow(clippy::cast_precision_loss, reason = "there are few")]
    let count = t.numel() as f64;
    match Few::of(&t)? {
        Few::F32(all) => {
            // Of float32 what is divided is, too; that a division is rounded twice makes no difference here.
            #[allow(clippy::cast_possible_truncation, reason = "as NumPy does")]
            let mean = (f64::from(super::pairwise(&all, 0.0)) / count) as f32;
            mean.is_finite().then(|| known.float32_value(mean))
        }
        few => {
            let mean = super::pairwise(&few.floats(), 0.0) / count;
            mean.is_finite().then(|| known.float64_value(mean))
        }
    }
}

/// The first of the largest, or smallest, elements, and where it is.
fn best<T: Copy + PartialOrd>(all: &[T], largest: bool) -> Option<(usize, T)> {
    let better = |n: &T, best: &T| if largest { n > best } else { n < best };
    let all = all.iter().copied().enumerate();
    all.reduce(|best, next| if better(&next.1, &best.1) { next } else { best })
}

/// The largest, or smallest, element of floats, if it is none of two zeros that differ in their sign.
macro_rules! best_float {
    ($all:ident, $largest:ident) => {{
        let (_, best) = best(&$all, $largest)?;
        let is_positive = best.is_sign_positive();
        if best == 0.0
            && $all
                .iter()
                .any(|n| *n == 0.0 && n.is_sign_positive() != is_positive)
        {
            return None;
        }
        best
    }};
}

fn extreme(largest: bool, args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    Some(match Few::of(&t)? {
        Few::F64(all) => known.float64_value(best_float!(all, largest)),
        Few::F32(all) => known.float32_value(best_float!(all, largest)),
        Few::I64(all) => known.int64_value(best(&all, largest)?.1),
        Few::Bool(all) => known.truth(best(&all, largest)?.1),
    })
}

fn arg_extreme(largest: bool, args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    let at = match Few::of(&t)? {
        Few::F64(all) => best(&all, largest)?.0,
        Few::F32(all) => best(&all, largest)?.0,
        Few::I64(all) => best(&all, largest)?.0,
        Few::Bool(all) => best(&all, largest)?.0,
    };
    Some(known.int64_value(at as i64))
}

/// `any()`, or `all()`
fn holds(any: bool, args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    fn of<T>(all: &[T], any: bool, is: impl Fn(&T) -> bool) -> bool {
        match any {
            true => all.iter().any(is),
            false => all.iter().all(is),
        }
    }
    Some(known.truth(match Few::of(&t)? {
        Few::F64(all) => of(&all, any, |n| *n != 0.0),
        Few::F32(all) => of(&all, any, |n| *n != 0.0),
        Few::I64(all) => of(&all, any, |n| *n != 0),
        Few::Bool(all) => of(&all, any, |b| *b),
    }))
}

/// `dot(a, b)` of vectors and matrices.
fn dot(args: Args<'_>) -> Option<Value> {
    let (known, [a, b]) = plain(args)? else {
        return None;
    };
    let (Operand::Array(a), Operand::Array(b)) = (Operand::of(&known, a)?, Operand::of(&known, b)?)
    else {
        return None;
    };
    let is_fit = |t: &Tensor| (1..=2).contains(&t.rank()) && is_small(t);
    let is_float = matches!(a.dtype(), DType::F64 | DType::F32);
    if !is_float || a.dtype() != b.dtype() || !is_fit(&a) || !is_fit(&b) || known.tells_tiny() {
        return None;
    }
    if a.shape().last() != b.shape().first() {
        return None;
    }
    let made = crate::functions::linalg::matmul_of(&mut crate::eager::Eager, &a, &b).ok()?;
    match made.rank() {
        0 => {
            let element = made.element(&[])?;
            element
                .to_f64()
                .is_finite()
                .then(|| known.element_value(made.dtype(), element))?
        }
        _ => made.result_finite().then(|| known.array_value(made)),
    }
}

/// Ints that a float holds exactly.
const EXACT: std::ops::RangeInclusive<i64> = -(1 << 53)..=1 << 53;

/// An ascending array of one dimension, as floats that are equal to its elements.
fn ascending(known: &Package, v: &Value) -> Option<Vec<f64>> {
    let Operand::Array(t) = Operand::of(known, v)? else {
        return None;
    };
    let few = Few::of(&t).filter(|_| t.rank() == 1)?;
    if let Few::I64(all) = &few
        && !all.iter().all(|n| EXACT.contains(n))
    {
        return None;
    }
    let all = few.floats();
    all.is_sorted().then_some(all)
}

/// The places of a number, or of each element of an array, in an order.
fn places(known: &Package, of: &Value, place: impl Fn(f64) -> usize) -> Option<Value> {
    #[allow(clippy::cast_precision_loss, reason = "it is exact")]
    let number = match Operand::of(known, of)? {
        Operand::Array(t) => {
            let few = Few::of(&t).filter(|few| !matches!(few, Few::I64(_)))?;
            let all: Vec<i64> = few.floats().into_iter().map(|n| place(n) as i64).collect();
            let made = Tensor::from_slice(&all, &t.shape()).ok()?;
            return Some(known.array_value(made));
        }
        Operand::Float(n) | Operand::Float64(n) => n,
        Operand::Float32(n) => f64::from(n),
        Operand::Int(n) | Operand::Int64(n) if EXACT.contains(&n) => n as f64,
        _ => return None,
    };
    (!number.is_nan()).then(|| known.int64_value(place(number) as i64))
}

/// `searchsorted(array, numbers)`
fn search(args: Args<'_>) -> Option<Value> {
    let (known, [array, of]) = plain(args)? else {
        return None;
    };
    let all = ascending(&known, array)?;
    places(&known, of, |n| all.partition_point(|m| *m < n))
}

/// `digitize(numbers, bins)`
fn digitize(args: Args<'_>) -> Option<Value> {
    let (known, [of, bins]) = plain(args)? else {
        return None;
    };
    let all = ascending(&known, bins)?;
    places(&known, of, |n| all.partition_point(|m| *m <= n))
}

/// What of reductions has short ways.
pub(super) const SHORT: &[Short] = &[
    Short::method("ndarray.sum", sum),
    Short::method("ndarray.mean", mean),
    Short::method("ndarray.max", |args| extreme(true, args)),
    Short::method("ndarray.min", |args| extreme(false, args)),
    Short::method("ndarray.argmax", |args| arg_extreme(true, args)),
    Short::method("ndarray.argmin", |args| arg_extreme(false, args)),
    Short::method("ndarray.any", |args| holds(true, args)),
    Short::method("ndarray.all", |args| holds(false, args)),
    Short::method("ndarray.dot", dot),
    Short::method("ndarray.searchsorted", search),
    Short::function("numpy.sum", sum),
    Short::function("numpy.mean", mean),
    Short::function("numpy.max", |args| extreme(true, args)),
    Short::function("numpy.min", |args| extreme(false, args)),
    Short::function("numpy.argmax", |args| arg_extreme(true, args)),
    Short::function("numpy.argmin", |args| arg_extreme(false, args)),
    Short::function("numpy.any", |args| holds(true, args)),
    Short::function("numpy.all", |args| holds(false, args)),
    Short::function("numpy.dot", dot),
    Short::function("numpy.searchsorted", search),
    Short::function("numpy.digitize", digitize),
];
