//! Short ways of arrays: their items, what they are, and arithmetic of small ones.
//!
//! In: arrays whose elements are float64, float32, int64 or bool. Out: scalars, views and new arrays. Always: what is computed here is
//! computed element by element as the kernels do, and what needs an order of its own is left to them.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::ops::holds;
use janus_object::{Args, IterState, PyIter, PyList, PyRef, PySlice, Value};
use janus_tensor::ops::Prim;
use janus_tensor::scalar::Element;
use janus_tensor::{DType, Dim, Eager, Ops, Scalar, Tensor};

use super::Package;
use super::short::{Operand, Short, arithmetic, comparisons, plain};

/// Elements of an array that are not worth a kernel.
pub(super) const SMALL: i64 = 256;

/// The array that a method is called on, and its further arguments.
pub(super) fn of_array<'a>(args: Args<'a>) -> Option<(std::rc::Rc<Package>, Tensor, &'a [Value])> {
    let (known, [this, rest @ ..]) = plain(args)? else {
        return None;
    };
    match Operand::of(&known, this)? {
        Operand::Array(t) => Some((known, t, rest)),
        _ => None,
    }
}

/// An index from 0 on, of a dimension of this extent.
fn index(key: &Value, n: i64, known: &Package) -> Option<i64> {
    let at = match Operand::of(known, key)? {
        Operand::Int(at) | Operand::Int64(at) => at,
        _ => return None,
    };
    let at = if at < 0 { at + n } else { at };
    (0..n).contains(&at).then_some(at)
}

/// The indices of an element: one a dimension.
fn indices(key: &Value, t: &Tensor, known: &Package) -> Option<Vec<i64>> {
    let shape = t.shape();
    let keys = match key {
        Value::Tuple(keys) => &keys.items[..],
        one => std::slice::from_ref(one),
    };
    if keys.len() != shape.len() {
        return None;
    }
    let each = keys.iter().zip(&shape);
    each.map(|(key, &n)| index(key, n, known)).collect()
}

/// A part of the first dimension, as a view.
fn rows(t: &Tensor, from: i64, n: i64) -> Option<Tensor> {
    let shape = t.shape();
    let mut starts: Vec<Dim> = shape.iter().map(|_| Dim::Known(0)).collect();
    let mut sizes: Vec<Dim> = shape.iter().map(|&n| Dim::Known(n)).collect();
    *starts.first_mut()? = Dim::Known(from);
    *sizes.first_mut()? = Dim::Known(n);
    let strides = vec![1; shape.len()];
    let slice = Prim::Slice {
        starts: starts.into_iter().collect(),
        sizes: sizes.into_iter().collect(),
        strides: strides.into_iter().collect(),
    };
    Eager.apply(slice, &[t]).ok()
}

fn get_item(args: Args<'_>) -> Option<Value> {
    let (known, t, [key]) = of_array(args)? else {
        return None;
    };
    if let Some(at) = indices(key, &t, &known) {
        return known.element_value(t.dtype(), t.element(&at)?);
    }
    let shape = t.shape();
    let (&n, inner) = shape.split_first()?;
    match key {
        Value::Slice(slice) => {
            let (from, to) = bounds(slice, n, &known)?;
            Some(known.array_value(rows(&t, from, (to - from).max(0))?))
        }
        key if !inner.is_empty() => {
            let row = rows(&t, index(key, n, &known)?, 1)?;
            let shape = inner.iter().map(|&n| Dim::Known(n)).collect();
            let row = Eager.apply(Prim::Reshape { shape }, &[&row]).ok()?;
            Some(known.array_value(row))
        }
        _ => None,
    }
}

/// Where a slice without a step begins and ends.
fn bounds(slice: &PySlice, n: i64, known: &Package) -> Option<(i64, i64)> {
    let bound = |v: &Value, missing: i64| match v {
        Value::None => Some(missing),
        v => match Operand::of(known, v)? {
            Operand::Int(at) | Operand::Int64(at) if at < 0 => Some((at + n).max(0)),
            Operand::Int(at) | Operand::Int64(at) => Some(at.min(n)),
            _ => None,
        },
    };
    if !matches!(slice.step, Value::None | Value::Int(1)) {
        return None;
    }
    Some((bound(&slice.start, 0)?, bound(&slice.stop, n)?))
}

fn set_item(args: Args<'_>) -> Option<Value> {
    let (known, t, [key, value]) = of_array(args)? else {
        return None;
    };
    let at = indices(key, &t, &known)?;
    let value = match (t.dtype(), Operand::of(&known, value)?) {
        (DType::F64, Operand::Float(n) | Operand::Float64(n)) => Scalar::F64(n),
        (DType::F64 | DType::F32, Operand::Float32(n)) => Scalar::F64(f64::from(n)),
        #[allow(clippy::cast_possible_truncation, reason = "that is what is asked")]
        (DType::F32, Operand::Float(n) | Operand::Float64(n)) if (n as f32).is_finite() => {
            Scalar::F64(n)
        }
        (DType::F64 | DType::F32 | DType::I64, Operand::Int(n) | Operand::Int64(n)) => {
            Scalar::I64(n)
        }
        _ => return None,
    };
    t.set_element(&at, value).then_some(Value::None)
}

fn length(args: Args<'_>) -> Option<Value> {
    let (_, t, []) = of_array(args)? else {
        return None;
    };
    t.shape().first().map(|&n| Value::Int(n))
}

fn shape(args: Args<'_>) -> Option<Value> {
    let (_, t, []) = of_array(args)? else {
        return None;
    };
    Some(Value::tuple(
        t.shape().iter().map(|&n| Value::Int(n)).collect::<Vec<_>>(),
    ))
}

fn rank(args: Args<'_>) -> Option<Value> {
    let (_, t, []) = of_array(args)? else {
        return None;
    };
    Some(Value::Int(t.rank() as i64))
}

fn size(args: Args<'_>) -> Option<Value> {
    let (_, t, []) = of_array(args)? else {
        return None;
    };
    Some(Value::Int(t.numel()))
}

/// The elements of a small array of one dimension, as scalars.
fn scalars(known: &Package, t: &Tensor) -> Option<Vec<Value>> {
    if t.rank() != 1 || t.numel() > SMALL {
        return None;
    }
    let dtype = t.dtype();
    (0..t.numel())
        .map(|i| known.element_value(dtype, t.element(&[i])?))
        .collect()
}

fn iterate(args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    let list = PyRef::new(PyList::new(scalars(&known, &t)?));
    Some(PyIter::value(IterState::List { list, index: 0 }))
}

// ---- arithmetic --------------------------------------------------------------------------------

/// The other side of an operation.
pub(super) enum Side<T> {
    One(T),
    Each(Vec<T>),
}

/// The other side, if it is a number that fits or has the array's extents.
pub(super) fn side<T: Element>(t: &Tensor, other: &Operand) -> Option<Side<T>> {
    let is_float = matches!(T::DTYPE, DType::F64 | DType::F32);
    Some(match other {
        Operand::Float(n) if is_float => Side::One(T::from_f64(*n)),
        Operand::Int(n) => Side::One(T::from_i64(*n)),
        Operand::Float64(n) if T::DTYPE == DType::F64 => Side::One(T::from_f64(*n)),
        Operand::Float32(n) if is_float => Side::One(T::from_f64(f64::from(*n))),
        Operand::Int64(n) if T::DTYPE != DType::F32 => Side::One(T::from_i64(*n)),
        Operand::Array(o) if o.dtype() == T::DTYPE && o.shape() == t.shape() => {
            Side::Each(o.to_vec().ok()?)
        }
        _ => return None,
    })
}

pub(super) fn each<T: Copy, R>(a: &[T], b: &Side<T>, f: impl Fn(T, T) -> R) -> Vec<R> {
    match b {
        Side::One(b) => a.iter().map(|&a| f(a, *b)).collect(),
        Side::Each(b) => a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect(),
    }
}

macro_rules! float_arithmetic {
    ($known:ident, $t:ident, $other:ident, $op:ident, $reflected:ident, $type:ident) => {{
        let b = side::<$type>(&$t, &$other)?;
        let a = $t.to_vec::<$type>().ok()?;
        let compute = |f: fn($type, $type) -> $type| match $reflected {
            false => each(&a, &b, f),
            true => each(&a, &b, |x, y| f(y, x)),
        };
        let made = compute(match $op {
            BinaryOp::Add => |x, y| x + y,
            BinaryOp::Sub => |x, y| x - y,
            BinaryOp::Mul => |x, y| x * y,
            BinaryOp::TrueDiv => |x, y| x / y,
            _ => return None,
        });
        let rounds = matches!($op, BinaryOp::Mul | BinaryOp::TrueDiv);
        if !made.iter().all(|n| n.is_finite()) || rounds && $known.tells_tiny() {
            return None;
        }
        Tensor::from_slice(&made, &$t.shape())
    }};
}

pub(super) fn operator(op: BinaryOp, reflected: bool, args: Args<'_>) -> Option<Value> {
    let (known, t, [other]) = of_array(args)? else {
        return None;
    };
    if !is_small(&t) {
        return None;
    }
    let other = Operand::of(&known, other)?;
    if matches!(&other, Operand::Array(o) if !o.is_contiguous()) {
        return None;
    }
    let made = match t.dtype() {
        DType::F64 => float_arithmetic!(known, t, other, op, reflected, f64),
        DType::F32 => float_arithmetic!(known, t, other, op, reflected, f32),
        DType::I64 => {
            let b = side::<i64>(&t, &other)?;
            let a = t.to_vec::<i64>().ok()?;
            let made = match op {
                BinaryOp::Add => each(&a, &b, i64::wrapping_add),
                BinaryOp::Sub if reflected => each(&a, &b, |x, y| y.wrapping_sub(x)),
                BinaryOp::Sub => each(&a, &b, i64::wrapping_sub),
                BinaryOp::Mul => each(&a, &b, i64::wrapping_mul),
                _ => return None,
            };
            Tensor::from_slice(&made, &t.shape())
        }
        _ => return None,
    };
    Some(known.array_value(made.ok()?))
}

fn compared<T: Element + PartialOrd>(t: &Tensor, other: &Operand, op: CompareOp) -> Option<Tensor> {
    let b = side::<T>(t, other)?;
    let a = t.to_vec::<T>().ok()?;
    Tensor::from_slice(&each(&a, &b, |x, y| holds(op, x, y)), &t.shape()).ok()
}

fn comparison(op: CompareOp, args: Args<'_>) -> Option<Value> {
    let (known, t, [other]) = of_array(args)? else {
        return None;
    };
    if !is_small(&t) {
        return None;
    }
    let other = Operand::of(&known, other)?;
    if matches!(&other, Operand::Array(o) if !o.is_contiguous()) {
        return None;
    }
    let made = match t.dtype() {
        DType::F64 => compared::<f64>(&t, &other, op),
        DType::F32 => compared::<f32>(&t, &other, op),
        DType::I64 => compared::<i64>(&t, &other, op),
        _ => None,
    };
    Some(known.array_value(made?))
}

// ---- others -------------------------------------------------------------------------------------

/// `clip(low, high)` of an array, or a number, of floats between two numbers.
fn clip(args: Args<'_>) -> Option<Value> {
    let (known, [this, low, high]) = plain(args)? else {
        return None;
    };
    let bound = |v: &Value| match Operand::of(&known, v)? {
        Operand::Float(n) | Operand::Float64(n) => (!n.is_nan()).then_some(n),
        #[allow(clippy::cast_precision_loss, reason = "as NumPy does")]
        Operand::Int(n) => Some(n as f64),
        _ => None,
    };
    let (low, high) = (bound(low)?, bound(high)?);
    // Of two zeros the array's own is taken by the kernels, or not.
    let clipped = |n: f64| match n {
        n if n.is_nan() || n == 0.0 && (low == 0.0 || high == 0.0) => None,
        n if n < low => Some(if low > high { high } else { low }),
        n if n > high => Some(high),
        n => Some(n),
    };
    match Operand::of(&known, this)? {
        Operand::Float(n) | Operand::Float64(n) => Some(known.float64_value(clipped(n)?)),
        Operand::Array(t) if is_small(&t) && t.dtype() == DType::F64 => {
            let all = t.to_vec::<f64>().ok()?;
            let all: Option<Vec<f64>> = all.into_iter().map(clipped).collect();
            let made = Tensor::from_slice(&all?, &t.shape()).ok()?;
            Some(known.array_value(made))
        }
        _ => None,
    }
}

/// Whether it is an array, not too large, whose elements lie row by row.
pub(super) fn is_small(t: &Tensor) -> bool {
    t.rank() > 0 && t.numel() <= SMALL && t.is_contiguous()
}

/// `-array`
fn negative(args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    if !is_small(&t) {
        return None;
    }
    let made = match t.dtype() {
        DType::F64 => {
            let all = t.to_vec::<f64>().ok()?.into_iter().map(|n| -n);
            Tensor::from_slice(&all.collect::<Vec<_>>(), &t.shape())
        }
        DType::F32 => {
            let all = t.to_vec::<f32>().ok()?.into_iter().map(|n| -n);
            Tensor::from_slice(&all.collect::<Vec<_>>(), &t.shape())
        }
        _ => return None,
    };
    Some(known.array_value(made.ok()?))
}

fn copy(args: Args<'_>) -> Option<Value> {
    let (known, t, []) = of_array(args)? else {
        return None;
    };
    match t.is_contiguous() {
        true => Some(known.array_value(t.copy_data().ok()?)),
        false => None,
    }
}

/// `reshape(extents...)` of an array whose elements lie row by row.
fn reshape(args: Args<'_>) -> Option<Value> {
    let (known, t, rest) = of_array(args)?;
    let extents = match rest {
        [] => return None,
        [Value::Tuple(extents)] => &extents.items[..],
        extents => extents,
    };
    let extents: Option<Vec<i64>> = extents
        .iter()
        .map(|v| match v {
            Value::Int(n) if *n > 0 || *n == -1 => Some(*n),
            _ => None,
        })
        .collect();
    let mut extents = extents?;
    let total = t.numel();
    let told = extents
        .iter()
        .filter(|n| **n > 0)
        .try_fold(1_i64, |all, &n| all.checked_mul(n))?;
    let mut open = extents.iter_mut().filter(|n| **n == -1);
    if let Some(open) = open.next() {
        *open = total / told;
    }
    let fits = extents.iter().try_fold(1_i64, |all, &n| all.checked_mul(n));
    if total == 0 || extents.contains(&-1) || fits != Some(total) || !t.is_contiguous() {
        return None;
    }
    let shape = extents.into_iter().map(Dim::Known).collect();
    let made = Eager.apply(Prim::Reshape { shape }, &[&t]).ok()?;
    Some(known.array_value(made))
}

/// `where(condition, x, y)` of float64.
fn choose(args: Args<'_>) -> Option<Value> {
    let (known, [condition, x, y]) = plain(args)? else {
        return None;
    };
    let Operand::Array(condition) = Operand::of(&known, condition)? else {
        return None;
    };
    if condition.dtype() != DType::Bool || !is_small(&condition) {
        return None;
    }
    let (x, y) = (Operand::of(&known, x)?, Operand::of(&known, y)?);
    let is_array = |o: &Operand| match o {
        Operand::Array(t) => {
            t.dtype() == DType::F64 && t.shape() == condition.shape() && t.is_contiguous()
        }
        _ => false,
    };
    // Two numbers may make another dtype.
    if !is_array(&x) && !is_array(&y) {
        return None;
    }
    let values = |o: &Operand| -> Option<Side<f64>> {
        Some(match o {
            Operand::Float(n) | Operand::Float64(n) => Side::One(*n),
            #[allow(clippy::cast_precision_loss, reason = "as NumPy does")]
            Operand::Int(n) => Side::One(*n as f64),
            Operand::Array(t) if is_array(o) => Side::Each(t.to_vec().ok()?),
            _ => return None,
        })
    };
    let (x, y) = (values(&x)?, values(&y)?);
    let at = |side: &Side<f64>, i: usize| match side {
        Side::One(n) => Some(*n),
        Side::Each(all) => all.get(i).copied(),
    };
    let all: Option<Vec<f64>> = condition
        .to_vec::<bool>()
        .ok()?
        .into_iter()
        .enumerate()
        .map(|(i, holds)| at(if holds { &x } else { &y }, i))
        .collect();
    let made = Tensor::from_slice(&all?, &condition.shape()).ok()?;
    Some(known.array_value(made))
}

/// `concatenate(arrays)` along the first dimension.
fn concatenate(args: Args<'_>) -> Option<Value> {
    let (known, [arrays]) = plain(args)? else {
        return None;
    };
    let arrays: Vec<Tensor> = {
        let of = |items: &[Value]| {
            let each = items.iter().map(|v| match Operand::of(&known, v)? {
                Operand::Array(t) if is_small(&t) => Some(t),
                _ => None,
            });
            each.collect::<Option<Vec<_>>>()
        };
        match arrays {
            Value::List(list) => of(&list.items.borrow())?,
            Value::Tuple(tuple) => of(&tuple.items)?,
            _ => return None,
        }
    };
    let mut shape = arrays.first()?.shape();
    let inner: Vec<i64> = shape.get(1..)?.to_vec();
    if !arrays.iter().all(|t| t.shape().get(1..) == Some(&inner)) {
        return None;
    }
    *shape.first_mut()? = arrays.iter().map(|t| t.size(0)).sum();
    Some(known.array_value(one_behind_another(&arrays, &shape)?))
}

/// The elements of tensors of one dtype, as a tensor of these extents.
fn one_behind_another(tensors: &[Tensor], shape: &[i64]) -> Option<Tensor> {
    fn joined<T: Element>(tensors: &[Tensor], shape: &[i64]) -> Option<Tensor> {
        let mut all = Vec::new();
        for t in tensors {
            all.extend(t.to_vec::<T>().ok()?);
        }
        Tensor::from_slice(&all, shape).ok()
    }
    let dtype = tensors.first()?.dtype();
    if !tensors.iter().all(|t| t.dtype() == dtype) {
        return None;
    }
    match dtype {
        DType::F64 => joined::<f64>(tensors, shape),
        DType::F32 => joined::<f32>(tensors, shape),
        DType::I64 => joined::<i64>(tensors, shape),
        _ => None,
    }
}

/// Tensors of the same extents as the rows of one.
pub(super) fn stacked(rows: &[Tensor]) -> Option<Tensor> {
    let inner = rows.first()?.shape();
    if !rows.iter().all(|t| t.shape() == inner) {
        return None;
    }
    let shape: Vec<i64> = std::iter::once(rows.len() as i64).chain(inner).collect();
    one_behind_another(rows, &shape)
}

/// What of arrays has short ways.
pub(super) const SHORT: &[&[Short]] = &[
    arithmetic!("ndarray", operator),
    comparisons!("ndarray", comparison),
    &[
        Short::method("ndarray.__getitem__", get_item),
        Short::method("ndarray.__setitem__", set_item),
        Short::method("ndarray.__len__", length),
        Short::method("ndarray.__iter__", iterate),
        Short::method("ndarray.__neg__", negative),
        Short::method("ndarray.clip", clip),
        Short::method("ndarray.copy", copy),
        Short::method("ndarray.reshape", reshape),
        Short::method("ndarray_getters.shape", shape),
        Short::method("ndarray_getters.ndim", rank),
        Short::method("ndarray_getters.size", size),
        Short::function("numpy.clip", clip),
        Short::function("numpy.where", choose),
        Short::function("numpy.concatenate", concatenate),
    ],
];
