//! Lists from outside whose length moves: their items are the rows of tensors that are made at entry.
//!
//! In: a list whose items are all of one form, that is numbers of one type, tensors of one shape without gradients, or
//! tuples of these. Out: its rows. Always: the same list gives the same rows, when a graph is made and at each entry.

use janus_object::{PyRef, Value};
use janus_tensor::{Device, Dim, Eager, Ops, Tensor};
use janus_torch::objects::{classes, wrap};

/// Elements of tuples at most.
const MAX_COLUMNS: usize = 8;

/// Numbers, and tensors, that are put together at each entry at most: of a long list most items may not be asked for.
const MAX_NUMBERS: usize = 16_384;

const MAX_TENSORS: usize = 512;

/// Elements of all tensors at most.
const MAX_ELEMENTS: i64 = 1 << 18;

/// The items of a list as one tensor, a row for each; of a list of tuples, their elements at `column`. `None`: they are
/// of several forms, or there are none.
#[must_use]
pub fn rows_of(list: &Value, column: Option<usize>) -> Option<Value> {
    let list = list.as_list()?;
    if list.len() > MAX_NUMBERS {
        return None;
    }
    let mut items = list.to_vec();
    if let Some(column) = column {
        let width = plain_tuple(items.first()?)?;
        for item in &mut items {
            if plain_tuple(item)? != width {
                return None;
            }
            *item = item.as_tuple()?.items.get(column)?.clone();
        }
    }
    let n = [i64::try_from(items.len()).ok()?];
    let rows = match items.first()? {
        Value::Int(_) => {
            let all = items.iter().map(|v| match v {
                Value::Int(i) => Some(*i),
                _ => None,
            });
            Tensor::from_slice(&all.collect::<Option<Vec<i64>>>()?, &n).ok()?
        }
        Value::Float(_) => {
            let all = items.iter().map(|v| match v {
                Value::Float(f) => Some(f.get()),
                _ => None,
            });
            Tensor::from_slice(&all.collect::<Option<Vec<f64>>>()?, &n).ok()?
        }
        Value::Bool(_) => {
            let all = items.iter().map(|v| match v {
                Value::Bool(b) => Some(b.get()),
                _ => None,
            });
            Tensor::from_slice(&all.collect::<Option<Vec<bool>>>()?, &n).ok()?
        }
        first => {
            let first = plain_tensor(first)?;
            let (shape, dtype) = (first.shape(), first.dtype());
            if items.len() > MAX_TENSORS || first.numel().checked_mul(n[0])? > MAX_ELEMENTS {
                return None;
            }
            let mut row: Vec<Dim> = shape.iter().map(|&n| Dim::Known(n)).collect();
            row.insert(0, Dim::Known(1));
            let mut all = Vec::with_capacity(items.len());
            for item in &items {
                let t = plain_tensor(item)?;
                if t.shape() != shape || t.dtype() != dtype {
                    return None;
                }
                all.push(Eager.reshape(&t.detach(), &row).ok()?);
            }
            Eager.concat(&all.iter().collect::<Vec<_>>(), 0).ok()?
        }
    };
    Some(wrap(rows))
}

/// Whether all items of a list are rows of tensors.
#[must_use]
pub fn has_rows(list: &Value) -> bool {
    columns(list).is_some_and(|all| all.iter().all(|&column| rows_of(list, column).is_some()))
}

/// Which tensors a list is made of: one, or one for each element of its tuples.
#[must_use]
pub fn columns(list: &Value) -> Option<Vec<Option<usize>>> {
    match plain_tuple(&list.as_list()?.get(0)?) {
        None => Some(vec![None]),
        Some(n @ 1..=MAX_COLUMNS) => Some((0..n).map(Some).collect()),
        Some(_) => None,
    }
}

/// A path without its indices: items of one sequence have the same.
#[must_use]
pub fn column(path: &str) -> String {
    let mut column = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, behind)) = rest.split_once('[') {
        column.push_str(before);
        column.push('[');
        rest = match behind.split_once(']') {
            Some((index, _)) if is_index(index) => &behind[index.len()..],
            _ => behind,
        };
    }
    column.push_str(rest);
    column
}

/// Whether this stands between brackets as an index does.
#[must_use]
pub fn is_index(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// How many elements a tuple has.
#[must_use]
pub fn plain_tuple(v: &Value) -> Option<usize> {
    match v {
        Value::Tuple(t) => Some(t.items.len()),
        _ => None,
    }
}

/// A tensor of no class of its own in main memory that needs no gradient.
fn plain_tensor(v: &Value) -> Option<&Tensor> {
    let Value::Instance(instance) = v else {
        return None;
    };
    let is_plain = PyRef::ptr_eq(&instance.class(), &classes().tensor);
    v.foreign::<Tensor>()
        .filter(|t| is_plain && !t.requires_grad() && t.device() == Device::Cpu)
}
