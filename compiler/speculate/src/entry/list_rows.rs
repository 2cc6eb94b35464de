//! Lists from outside whose length moves: their items are the rows of tensors that are made at entry.
//!
//! In: a list whose items are all of one form, that is numbers of one type, tensors of one shape without gradients, or
//! tuples of these. Out: a list of the graph. Always: the list itself is not changed; which object a tensor is that was
//! found in it nobody can tell, so that it is neither written to nor asked for.

use janus_object::{PyRef, Value, types};
use janus_tensor::{Dim, Eager, Ops, Tensor};
use janus_torch::objects::{classes, wrap};

use crate::Res;
use crate::executor::Executor;
use crate::plan::{NodeId, ScalarType, Step};
use crate::state::dims::Same;
use crate::state::sym::{Kind, Obj, Sym, SymGrown, Unloaded};
use crate::state::template::{SequenceForm, Template};

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
                Value::Float(f) => Some(*f),
                _ => None,
            });
            Tensor::from_slice(&all.collect::<Option<Vec<f64>>>()?, &n).ok()?
        }
        Value::Bool(_) => {
            let all = items.iter().map(|v| match v {
                Value::Bool(b) => Some(*b),
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
fn columns(list: &Value) -> Option<Vec<Option<usize>>> {
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
fn plain_tuple(v: &Value) -> Option<usize> {
    match v {
        Value::Tuple(t) => Some(t.items.len()),
        _ => None,
    }
}

/// A tensor of no class of its own that needs no gradient.
fn plain_tensor(v: &Value) -> Option<&Tensor> {
    let Value::Instance(instance) = v else {
        return None;
    };
    let is_plain = PyRef::ptr_eq(&instance.class(), &classes().tensor);
    v.foreign::<Tensor>()
        .filter(|t| is_plain && !t.requires_grad())
}

impl Executor<'_> {
    /// What a list whose items are rows got at its end, which is all that may be changed of it.
    pub(crate) fn appended_to_rows(&self, obj: Obj, now: &SymGrown) -> Res<Vec<Sym>> {
        let before = self.pristine.get(&obj).map(|(_, object)| &object.kind);
        let is_as_before = |before: &SymGrown| {
            before.rows == now.rows
                && before.used.same(&now.used)
                && before.skipped == now.skipped
                && !now.turned
                && !now.unfit
        };
        match before {
            Some(Kind::Grown(before)) if is_as_before(before) => Ok(now.waiting.clone()),
            _ => self.fail("a list from outside whose length moves is changed"),
        }
    }

    /// A list from outside as a list of the graph, where its length is known to move.
    pub(crate) fn list_of_rows(
        &mut self,
        node: NodeId,
        list: &Value,
        path: &str,
    ) -> Res<Option<Kind>> {
        let moves = |path: &str| self.relaxations.rows.contains(path);
        if !moves(path) && !moves(&column(path)) {
            return Ok(None);
        }
        let Some(columns) = columns(list) else {
            return Ok(None);
        };
        let first = list.as_list().and_then(|l| l.get(0));
        let width = first.as_ref().and_then(plain_tuple);
        let (mut rows, mut items) = (Vec::new(), Vec::new());
        for column in columns {
            let Some(value) = rows_of(list, column) else {
                return Ok(None);
            };
            let number = match first.as_ref().map(|v| match column {
                Some(at) => v.as_tuple().and_then(|t| t.items.get(at).cloned()),
                None => Some(v.clone()),
            }) {
                Some(Some(Value::Int(_))) => Some(ScalarType::Int),
                Some(Some(Value::Float(_))) => Some(ScalarType::Float),
                Some(Some(Value::Bool(_))) => Some(ScalarType::Bool),
                _ => None,
            };
            let which = column.map_or_else(String::new, |at| format!("[{at}]"));
            let loaded = self.wrap(&Unloaded {
                step: Step::Rows(node, column),
                value,
                path: format!("the items of {path}{which}").into(),
            })?;
            let Sym::Obj(row) = loaded else {
                return self.fail("rows that are no tensor");
            };
            rows.push(row);
            items.push(match number {
                Some(ty) => Template::Scalar(ty),
                None => {
                    let t = self.tensor(row)?.clone();
                    let mut form = self.tensor_template(&t);
                    form.dims.remove(0);
                    Template::Tensor(form)
                }
            });
        }
        let item = match (width, items.len()) {
            (None, 1) => items.remove(0),
            _ => Template::Sequence(SequenceForm::new(&types().tuple), items),
        };
        let Some(&count) = rows.first() else {
            return Ok(None);
        };
        let count = self.dims_of(count)?.first().copied();
        let count = count.unwrap_or(Dim::Known(0));
        for &row in &rows[1..] {
            // The columns of one list.
            if let (Some(&Dim::Sym(of)), Dim::Sym(same)) = (self.dims_of(row)?.first(), count)
                && of != same
            {
                let info = &mut self.dims[of as usize];
                (info.same_as, info.is_column) = (Some(Same::Sym(same)), true);
            }
        }
        let used = self.dim_sym(count);
        let grown = SymGrown::of_rows(item, rows, count, used);
        Ok(Some(Kind::Grown(grown)))
    }
}
