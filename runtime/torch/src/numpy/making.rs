//! Short ways of what makes arrays: of numbers that stand side by side, of small arrays, of extents.
//!
//! In: lists, tuples, arrays, and what names a dtype. Out: new arrays. Always: items of one type only; what has to be found out about
//! others is the function's behind.

use janus_object::{Args, Payload, PyRef, Value, name};
use janus_tensor::ops::Prim;
use janus_tensor::{DType, Dim, Eager, Ops, Scalar, Tensor};

use super::Package;
use super::short::{Operand, Short};

/// The dtype that an argument names.
fn dtype_of(known: &Package, given: &Value) -> Option<DType> {
    match given {
        Value::Class(class) => {
            let t = janus_object::types();
            let is = |other| PyRef::ptr_eq(class, other);
            if is(&known.float64) || is(&t.float) {
                Some(DType::F64)
            } else if is(&known.float32) {
                Some(DType::F32)
            } else if is(&known.int64) || is(&t.int) {
                Some(DType::I64)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The dtype of a call, which is its second argument or the one of that name, if it names one; there are no others.
fn given_dtype(known: &Package, args: &Args<'_>) -> Option<Option<DType>> {
    let given = match (args.pos, args.kw) {
        ([_], []) => return Some(None),
        ([_, dtype], []) => dtype,
        ([_], [(key, dtype)]) if key == name!("dtype") => dtype,
        _ => return None,
    };
    match given {
        Value::None => Some(None),
        given => dtype_of(known, given).map(Some),
    }
}

/// Numbers in a row.
enum Row {
    Floats(Vec<f64>),
    Ints(Vec<i64>),
}

impl Row {
    fn of(known: &Package, items: &[Value]) -> Option<Row> {
        let ints: Option<Vec<i64>> = items
            .iter()
            .map(|v| match v {
                Value::Int(n) => Some(*n),
                _ => None,
            })
            .collect();
        if let Some(ints) = ints {
            return (!ints.is_empty()).then_some(Row::Ints(ints));
        }
        #[allow(clippy::cast_precision_loss, reason = "as NumPy does")]
        let floats: Option<Vec<f64>> = items
            .iter()
            .map(|v| match Operand::of(known, v)? {
                Operand::Float(n) | Operand::Float64(n) => Some(n),
                Operand::Int(n) => Some(n as f64),
                _ => None,
            })
            .collect();
        floats.map(Row::Floats)
    }

    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "the conversions that NumPy does"
    )]
    fn tensor(self, dtype: Option<DType>) -> Option<Tensor> {
        let n = |len: usize| [len as i64];
        match (self, dtype) {
            (Row::Floats(all), None | Some(DType::F64)) => Tensor::from_slice(&all, &n(all.len())),
            (Row::Floats(all), Some(DType::F32)) => {
                let all: Vec<f32> = all.into_iter().map(|n| n as f32).collect();
                if !all.iter().all(|n| n.is_finite()) {
                    return None;
                }
                Tensor::from_slice(&all, &n(all.len()))
            }
            (Row::Ints(all), None | Some(DType::I64)) => Tensor::from_slice(&all, &n(all.len())),
            (Row::Ints(all), Some(DType::F64)) => {
                let all: Vec<f64> = all.into_iter().map(|n| n as f64).collect();
                Tensor::from_slice(&all, &n(all.len()))
            }
            (Row::Ints(all), Some(DType::F32)) => {
                let all: Vec<f32> = all.into_iter().map(|n| n as f32).collect();
                Tensor::from_slice(&all, &n(all.len()))
            }
            _ => return None,
        }
        .ok()
    }
}

/// A tensor in another dtype, where nothing is lost that is to be told.
fn converted(t: &Tensor, to: DType) -> Option<Tensor> {
    /// Floats that an int holds.
    const FIT: f64 = 9e18;
    let is_float = |dtype| matches!(dtype, DType::F64 | DType::F32);
    let from = t.dtype();
    let fits = match (from, to) {
        (DType::I64 | DType::Bool, to) if is_float(to) => true,
        (from, to) if is_float(from) && is_float(to) => true,
        (from, DType::I64) if is_float(from) => {
            let wide = Eager.cast(t, DType::F64).ok()?;
            wide.to_vec::<f64>().ok()?.iter().all(|n| n.abs() < FIT)
        }
        _ => false,
    };
    let made = fits.then(|| Eager.cast(t, to).ok())??;
    made.all_finite().then_some(made)
}

/// The tensor of a list's or tuple's items: numbers, lists or tuples of numbers, or arrays.
fn of_items(known: &Package, items: &[Value], dtype: Option<DType>) -> Option<Tensor> {
    match items.first()? {
        Value::List(_) | Value::Tuple(_) => {
            let mut width = None;
            let mut all = Vec::new();
            for row in items {
                let before = all.len();
                match row {
                    Value::List(list) => all.extend(list.items.borrow().iter().cloned()),
                    Value::Tuple(tuple) => all.extend(tuple.items.iter().cloned()),
                    _ => return None,
                }
                let len = all.len() - before;
                if *width.get_or_insert(len) != len {
                    return None;
                }
            }
            let flat = Row::of(known, &all)?.tensor(dtype)?;
            let [rows, width] = [items.len() as i64, width? as i64].map(Dim::Known);
            let shape = [rows, width].into_iter().collect();
            Eager
                .apply(Prim::Reshape { shape }, &[&flat])
                .ok()
                .map(Tensor::as_no_view)
        }
        Value::Instance(first) if matches!(first.payload, Payload::None) => {
            let each = items.iter().map(|v| match Operand::of(known, v)? {
                Operand::Array(t) if t.is_contiguous() && t.numel() <= SMALL => Some(t),
                _ => None,
            });
            let rows = each.collect::<Option<Vec<Tensor>>>()?;
            let stacked = super::arrays::stacked(&rows)?;
            match dtype {
                Some(to) if to != stacked.dtype() => converted(&stacked, to),
                _ => Some(stacked),
            }
        }
        _ => Row::of(known, items)?.tensor(dtype),
    }
}

/// Elements of an array that is copied here.
const SMALL: i64 = 4096;

/// A copy of an array, of this dtype.
fn copied(t: &Tensor, dtype: DType) -> Option<Tensor> {
    if !t.is_contiguous() || t.numel() > SMALL {
        return None;
    }
    match t.dtype() == dtype {
        true => t.copy_data().ok(),
        false => converted(t, dtype),
    }
}

/// `array(numbers, dtype)`
fn array(args: Args<'_>) -> Option<Value> {
    let known = super::package()?;
    let wanted = given_dtype(&known, &args)?;
    let made = match args.pos.first()? {
        Value::List(list) => of_items(&known, &list.items.borrow(), wanted)?,
        Value::Tuple(tuple) => of_items(&known, &tuple.items, wanted)?,
        other => match Operand::of(&known, other)? {
            Operand::Array(t) => copied(&t, wanted.unwrap_or_else(|| t.dtype()))?,
            _ => return None,
        },
    };
    Some(known.array_value(made))
}

/// `array.astype(dtype)`
fn astype(args: Args<'_>) -> Option<Value> {
    let known = super::package()?;
    let wanted = given_dtype(&known, &args)??;
    match Operand::of(&known, args.pos.first()?)? {
        Operand::Array(t) => Some(known.array_value(copied(&t, wanted)?)),
        _ => None,
    }
}

/// The extents that an argument names.
fn extents(v: &Value) -> Option<Vec<i64>> {
    let items = match v {
        Value::Tuple(tuple) => &tuple.items[..],
        one => std::slice::from_ref(one),
    };
    let all: Option<Vec<i64>> = items
        .iter()
        .map(|v| match v {
            Value::Int(n) if *n >= 0 => Some(*n),
            _ => None,
        })
        .collect();
    // What is large may not fit, which the function behind says.
    all.filter(|all| {
        all.iter()
            .try_fold(1_i64, |n, &m| n.checked_mul(m))
            .is_some_and(|n| n < 1 << 20)
    })
}

fn filled<const WITH: i64>(args: Args<'_>) -> Option<Value> {
    let known = super::package()?;
    let dtype = given_dtype(&known, &args)?.unwrap_or(DType::F64);
    let shape = extents(args.pos.first()?)?;
    let made = Tensor::full(&shape, Scalar::I64(WITH), dtype).ok()?;
    Some(known.array_value(made))
}

/// What makes arrays and has short ways.
pub(super) const SHORT: &[Short] = &[
    Short::function("numpy.array", array),
    Short::method("ndarray.astype", astype),
    Short::function("numpy.zeros", filled::<0>),
    Short::function("numpy.ones", filled::<1>),
];
