//! `+` of lists whose length moves.
//!
//! In: two lists, of which at least one has rows. Out: a new one with the rows of both. Always: items are numbers, or
//! tuples of these, since rows do not tell which objects there were in a list.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp, Opcode};
use janus_object::{Name, PyRef, Value, types};
use janus_plan::{ReasonId, ScalarType};
use janus_tensor::ops::DimOp;
use janus_tensor::{DType, Dim, Ops};
use janus_torch::TorchOps;

use crate::Res;
use crate::executor::Executor;
use crate::lists::growth::dtype_of;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymFrame, SymGrown, SymScalar};
use crate::state::template::Template;
use crate::tensors::tensor::Number;

/// Whether an item of this form is made of numbers, and of how many.
fn numbers_in(item: &Template) -> Option<usize> {
    match item {
        Template::Scalar(_) => Some(1),
        Template::Sequence(form, items) if PyRef::ptr_eq(form.class(), &types().tuple) => {
            items.iter().map(numbers_in).sum()
        }
        _ => None,
    }
}

/// Whether items of both forms have the same rows.
fn is_alike(a: &Template, b: &Template) -> bool {
    match (a, b) {
        (Template::Scalar(a), Template::Scalar(b)) => a == b,
        (Template::Sequence(_, a), Template::Sequence(_, b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b))
        }
        _ => false,
    }
}

impl Executor<'_> {
    /// A tuple that is a constant as one of the graph, with all that is in it.
    fn unknown_tuple(&mut self, v: &Sym) -> Res<Sym> {
        let Some(items) = self.tuple_items(v)? else {
            return Ok(v.clone());
        };
        let items = items.iter().map(|v| self.unknown_tuple(v));
        let items = items.collect::<Res<Vec<_>>>()?;
        let items = items.into_iter().map(Slot::Loaded).collect();
        Ok(self.alloc(Kind::Tuple(items)))
    }

    /// Whether the next instruction puts `a + b` of lists into the variable that alone names `a`, which the region
    /// made: nobody sees that the list is extended instead, and one that does so in each iteration grows in the loop.
    pub(crate) fn is_own_sum(&self, frame: &SymFrame, pc: u32, a: &Sym, b: &Sym) -> bool {
        let is_list = |v: &Sym| match v {
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::List(_) | Kind::Grown(_) => Some(*o),
                _ => None,
            },
            _ => None,
        };
        let (Some(list), Some(more)) = (is_list(a), is_list(b)) else {
            return false;
        };
        let code = &frame.code;
        let Some(next) = code.code.instrs.get(pc as usize + 1) else {
            return false;
        };
        let variable = next.arg as usize;
        let namespace = match next.op {
            Opcode::StoreGlobal => Some(&frame.globals),
            Opcode::StoreName => frame.namespace.as_ref(),
            _ => None,
        };
        let held = match (next.op, namespace) {
            (Opcode::StoreFast, _) => frame.locals.get(variable),
            (_, Some(namespace)) => code.names.get(variable).and_then(|name| {
                let known = self
                    .state
                    .namespaces
                    .get(&(PyRef::as_ptr(namespace) as usize));
                known.and_then(|known| known.entries.get(name))
            }),
            _ => None,
        };
        matches!(held, Some(Slot::Loaded(Sym::Obj(o))) if *o == list)
            && list != more
            && self.state.heap[list].origin.is_none()
            && self.names_of(list, (&self.state, frame)) == Some(1)
    }

    /// A list or tuple as often as an int of the graph says; `None`: nothing tells how often, and it is not a list of
    /// one number.
    pub(crate) fn repeated(&mut self, sequence: &Sym, times: SymScalar) -> Res<Option<Sym>> {
        let is_told = self.entry_numbers.ints.contains_key(&times.id)
            || self.entry_numbers.extents.contains_key(&times.id);
        let moves = !self.region.relaxations.rows.is_empty() || !is_told;
        if moves && let Some(repeated) = self.repeated_list(sequence, times)? {
            return Ok(Some(repeated));
        }
        let known = self.settled(&Sym::Scalar(times))?;
        match known.known() {
            Some(_) => self.binary(BinaryOp::Mul, sequence, &known).map(Some),
            None if moves => Ok(None),
            None => self.repeated_list(sequence, times),
        }
    }

    /// A list of one number as often as an int of the graph says; `None`: it is another list.
    fn repeated_list(&mut self, list: &Sym, times: SymScalar) -> Res<Option<Sym>> {
        let is_list = |o: Obj| matches!(self.state.heap[o].kind, Kind::List(_));
        let Some(obj) = self.container(list).filter(|&o| is_list(o)) else {
            return Ok(None);
        };
        if times.ty != ScalarType::Int {
            return Ok(None);
        }
        let [item] = &self.items_of(obj)?[..] else {
            return Ok(None);
        };
        let Some(number) = self.number(item)? else {
            return Ok(None);
        };
        let zero = Sym::Known(Value::Int(0));
        let times = self.pick(CompareOp::Gt, Sym::Scalar(times), zero)?;
        let count = self.number_dim(&times)?;
        let row = self.full(&Number::Run(number), dtype_of(number.ty), &[count])?;
        let list = self.list_of_rows_made(Template::Scalar(number.ty), vec![row], count);
        Ok(Some(list))
    }

    /// `torch.tensor` of a list of lists of which the length of some moves; `None`: it is something else.
    pub(crate) fn tensor_of_lists(
        &mut self,
        name: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let (Some(short @ ("tensor" | "as_tensor")), [list]) = (name.rsplit('.').next(), args)
        else {
            return Ok(None);
        };
        let items = match self.container(list) {
            Some(obj) if matches!(self.state.heap[obj].kind, Kind::List(_) | Kind::Tuple(_)) => {
                self.items_of(obj)?
            }
            _ => return Ok(None),
        };
        if !items.iter().any(|v| self.grown(v).is_some()) {
            return Ok(None);
        }
        let torch = name.trim_end_matches(short);
        let mut rows = Vec::with_capacity(items.len());
        for item in items {
            rows.push(self.torch(name, vec![item], Vec::new())?);
        }
        let rows = self.list(rows);
        let made = self.torch(&format!("{torch}stack"), vec![rows], Vec::new())?;
        if kwargs.is_empty() {
            return Ok(Some(made));
        }
        self.torch("Tensor.to", vec![made], kwargs.to_vec())
            .map(Some)
    }

    /// A new list of numbers, or of tuples of these, that has these rows.
    fn list_of_rows_made(&mut self, item: Template, rows: Vec<Obj>, count: Dim) -> Sym {
        let used = self.dim_sym(count);
        self.alloc(Kind::Grown(SymGrown::of_rows(item, rows, count, used)))
    }

    /// The elements of a vector as a list of numbers.
    pub(crate) fn list_of_elements(&mut self, vector: Obj) -> Res<Sym> {
        let ty = match self.tensor(vector)?.dtype {
            DType::Bool => ScalarType::Bool,
            dtype if dtype.is_float() => ScalarType::Float,
            _ => ScalarType::Int,
        };
        let Some(&count) = self.dims_of(vector)?.first() else {
            return self.defect("the elements of a number");
        };
        let elements = self.detach(&vector)?;
        let elements = self.cast(&elements, dtype_of(ty))?;
        let row = TorchOps::copy(self, &elements)?;
        Ok(self.list_of_rows_made(Template::Scalar(ty), vec![row], count))
    }

    /// `a + b` of lists; `None`: neither has rows.
    pub(crate) fn joined_lists(&mut self, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let form = [a, b]
            .into_iter()
            .find_map(|v| self.grown(v).map(|(_, grown)| grown.item.clone()));
        let Some(item) = form else {
            return Ok(None);
        };
        let list = &types().list;
        for v in [a, b] {
            if !PyRef::ptr_eq(&self.class_of(v)?, list) {
                return Ok(None);
            }
        }
        let Some(width) = numbers_in(&item) else {
            return self.refuse(
                ReasonId::MovingValue,
                "a list of objects, whose length moves, is added to another",
            );
        };
        let mut parts: Vec<Vec<Obj>> = vec![Vec::new(); width];
        let mut count = Dim::Known(0);
        for v in [a, b] {
            let more = match self.grown(v).map(|(obj, _)| obj) {
                Some(obj) => {
                    let grown = self.whole(obj)?;
                    if !is_alike(&grown.item, &item) {
                        return self.refuse(
                            ReasonId::MovingValue,
                            "lists of different kinds, whose length moves, are added",
                        );
                    }
                    let rows = self.rows_of(&grown)?;
                    parts.iter_mut().zip(rows).for_each(|(p, row)| p.push(row));
                    self.items_dim(&grown)?
                }
                None => {
                    let items = self.collect(v)?;
                    for v in &items {
                        let v = self.unknown_tuple(v)?;
                        let (wider, _) = self.widen_item(item.clone(), &v)?;
                        if !is_alike(&wider, &item) {
                            return self.refuse(
                                ReasonId::MovingValue,
                                "lists of different kinds, whose length moves, are added",
                            );
                        }
                        self.add_rows(&item, &v, &mut parts)?;
                    }
                    Dim::Known(i64::try_from(items.len()).unwrap_or(i64::MAX))
                }
            };
            count = self.dim_binary(DimOp::Add, count, more)?;
        }
        // Rows of numbers are no tensors that anybody names, and those of one list are not those of another.
        let mut rows = self.rows_behind(parts)?;
        for row in &mut rows {
            self.current(*row)?;
            let mut own = self.tensor(*row)?.clone();
            (
                own.view,
                own.identity.one_of,
                own.identity.ambiguous,
                own.identity.parts,
            ) = (None, None, false, Rc::new([]));
            if let Sym::Obj(own) = self.alloc(Kind::Tensor(own)) {
                *row = own;
            }
        }
        Ok(Some(self.list_of_rows_made(item, rows, count)))
    }
}
