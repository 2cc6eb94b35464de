//! Lists from outside whose length moves: their items are the rows of tensors that are made at entry.
//!
//! In: a list whose items are all of one form, that is numbers of one type, tensors of one shape without gradients, or
//! tuples of these. Out: a list of the graph. Always: the list itself is not changed; which object a tensor is that was
//! found in it nobody can tell, so that it is neither written to nor asked for.

use janus_object::{Value, types};
use janus_plan::rows::{column, columns, plain_tuple, rows_of};
use janus_plan::{NodeId, ReasonId, ScalarType, Step};
use janus_tensor::Dim;

use crate::Res;
use crate::executor::Executor;
use crate::state::dims::Same;
use crate::state::sym::{Kind, Obj, Sym, SymGrown, Unloaded};
use crate::state::template::{SequenceForm, Template};

impl Executor<'_> {
    /// What a list whose items are rows got at its end, which is all that may be changed of it.
    pub(crate) fn appended_to_rows(&self, obj: Obj, now: &SymGrown) -> Res<Vec<Sym>> {
        let before = self
            .entry
            .pristine
            .get(&obj)
            .map(|(_, object)| &object.kind);
        let is_as_before = |before: &SymGrown| {
            before.rows == now.rows
                && before.used.same(&now.used)
                && before.skipped == now.skipped
                && !now.turned
                && !now.unfit
        };
        match before {
            Some(Kind::Grown(before)) if is_as_before(before) => Ok(now.waiting.clone()),
            _ => self.refuse(
                ReasonId::MovingValue,
                "a list from outside whose length moves is changed",
            ),
        }
    }

    /// A list from outside as a list of the graph, where its length is known to move.
    pub(crate) fn list_of_rows(
        &mut self,
        node: NodeId,
        list: &Value,
        path: &str,
    ) -> Res<Option<Kind>> {
        let moves = |path: &str| self.region.relaxations.rows.contains(path);
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
                return self.defect("rows that are no tensor");
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
                let info = &mut self.extents.dims[of as usize];
                (info.same_as, info.is_column) = (Some(Same::Sym(same)), true);
            }
        }
        let used = self.dim_sym(count);
        let grown = SymGrown::of_rows(item, rows, count, used);
        Ok(Some(Kind::Grown(grown)))
    }
}
