//! `+` of lists whose length moves.
//!
//! In: two lists, of which at least one has rows. Out: a new one with the rows of both. Always: items are numbers, or
//! tuples of these, since rows do not tell which objects there were in a list.

use std::rc::Rc;

use janus_bytecode::Opcode;
use janus_object::types;
use janus_tensor::ops::DimOp;
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::exec::Executor;
use crate::sym::{Kind, Obj, Slot, Sym, SymFrame, SymGrown};
use crate::templates::Template;

/// Whether an item of this form is made of numbers, and of how many.
fn numbers_in(item: &Template) -> Option<usize> {
    match item {
        Template::Scalar(_) => Some(1),
        Template::Sequence(form, items) if Rc::ptr_eq(form.class(), &types().tuple) => {
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
                let known = self.state.namespaces.get(&(Rc::as_ptr(namespace) as usize));
                known.and_then(|known| known.entries.get(name))
            }),
            _ => None,
        };
        matches!(held, Some(Slot::Loaded(Sym::Obj(o))) if *o == list)
            && list != more
            && self.state.heap[list].origin.is_none()
            && self.names_of(list, (&self.state, frame)) == Some(1)
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
            if !Rc::ptr_eq(&self.class_of(v)?, list) {
                return Ok(None);
            }
        }
        let Some(width) = numbers_in(&item) else {
            return self.fail("a list of objects, whose length moves, is added to another");
        };
        let mut parts: Vec<Vec<Obj>> = vec![Vec::new(); width];
        let mut count = Dim::Known(0);
        for v in [a, b] {
            let more = match self.grown(v).map(|(obj, _)| obj) {
                Some(obj) => {
                    let grown = self.whole(obj)?;
                    if !is_alike(&grown.item, &item) {
                        return self.fail("lists of other items are added");
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
                            return self.fail("lists of other items are added");
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
            (own.view, own.one_of, own.ambiguous, own.parts) = (None, None, false, Rc::new([]));
            if let Sym::Obj(own) = self.alloc(Kind::Tensor(own)) {
                *row = own;
            }
        }
        let joined = SymGrown {
            behind: None,
            first: Vec::new(),
            item,
            rows,
            turned: false,
            skipped: 0,
            used: self.dim_sym(count),
            waiting: Vec::new(),
            count: Some(count),
            added: Dim::Known(0),
            fewer: false,
            reserved: false,
            mixed: false,
            unfit: false,
        };
        Ok(Some(self.alloc(Kind::Grown(joined))))
    }
}
