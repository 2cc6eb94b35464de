//! Lists that grew in a loop whose trip count moves: one tensor for each number or tensor that an item is made
//! of, with a row for each item.
//!
//! In: such a list. Out: its length, items and iterators, what torch functions make of it, and how it leaves
//! the region. Always: an item is itself, and not a copy, where a variable may name it; where that cannot be
//! told, it is noted.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::{Bool, Name, Value};
use janus_plan::{DeoptReason, ReasonId, ScalarType};
use janus_tensor::ops::{DimOp, Prim, ReduceOp, Steps};
use janus_tensor::{Dim, Ops};
use janus_torch::TorchOps;

use crate::Res;
use crate::executor::Executor;
use crate::lists::growth::{BOTH_ENDS, dtype_of, is_differentiable};
use crate::state::sym::{GradName, Kind, Obj, Sym, SymGrown, SymIter};
use crate::state::template::Template;

impl Executor<'_> {
    pub(crate) fn grown(&self, v: &Sym) -> Option<(Obj, &SymGrown)> {
        let Sym::Obj(obj) = v else { return None };
        match &self.state.heap[*obj].kind {
            Kind::Grown(grown) => Some((*obj, grown)),
            _ => None,
        }
    }

    pub(crate) fn grown_at(&mut self, obj: Obj) -> Res<&mut SymGrown> {
        match &mut self.state.heap[obj].kind {
            Kind::Grown(grown) => Ok(grown),
            _ => Err(crate::Stop::defect("a list that did not grow")),
        }
    }

    pub(crate) fn append_grown(&mut self, obj: Obj, v: Sym) -> Res<()> {
        self.grow(obj, v, false)
    }

    /// Appends an item, or inserts it before the first one.
    pub(crate) fn grow(&mut self, obj: Obj, v: Sym, in_front: bool) -> Res<()> {
        let mut grown = self.grown_at(obj)?.clone();
        if grown.turned != in_front {
            if !in_front || !grown.reserved {
                return self.refuse(ReasonId::TooLarge, BOTH_ENDS);
            }
            (grown.turned, grown.unfit) = (true, true);
        }
        let form = if grown.reserved && grown.waiting.is_empty() {
            self.without_leaves(&v)?
        } else {
            v.clone()
        };
        let (item, changed) = self.widen_item(grown.item.clone(), &form)?;
        grown.mixed |= self.is_listed_again(obj, &v)?;
        grown.mixed |= self.mixes(&item, &v)?;
        grown.item = item;
        grown.added = self.dim_binary(DimOp::Add, grown.added, Dim::Known(1))?;
        if let Some(count) = grown.count {
            grown.count = Some(self.dim_binary(DimOp::Add, count, Dim::Known(1))?);
        }
        grown.unfit |= changed && grown.reserved;
        if grown.unfit {
            self.state.heap[obj].kind = Kind::Grown(grown);
            return Ok(());
        }
        if grown.reserved && grown.waiting.is_empty() {
            self.store(&mut grown, &v)?;
        } else {
            grown.waiting.push(v);
        }
        self.state.heap[obj].kind = Kind::Grown(grown);
        Ok(())
    }

    /// Turns a list round whose items are all here.
    pub(crate) fn reverse_grown(&mut self, obj: Obj) -> Res<()> {
        let grown = self.grown_at(obj)?;
        if grown.reserved || grown.unfit || grown.behind.is_some() {
            return self.refuse(
                ReasonId::LoopState,
                "a list is turned round while it grows in a loop",
            );
        }
        if !self.named_items(obj).is_empty() {
            return self.refuse(
                ReasonId::TooLarge,
                "a list is turned round whose items were read",
            );
        }
        let grown = self.grown_at(obj)?;
        grown.turned = !grown.turned;
        Ok(())
    }

    /// Tensors that are items of a list, by their place in it.
    pub(crate) fn named_items(&self, list: Obj) -> Vec<Obj> {
        let is_item = |obj: &Obj| {
            let item_of = self.tensor(*obj).ok().and_then(|t| t.identity.item_of);
            item_of.is_some_and(|(of, _)| of == list)
        };
        (0..self.state.heap.len()).filter(is_item).collect()
    }

    /// How many items a list has.
    pub(crate) fn items(&mut self, grown: &SymGrown) -> Res<Sym> {
        if let Some(count) = grown.count {
            return Ok(self.dim_sym(count));
        }
        let behind = i64::try_from(grown.waiting.len()).unwrap_or(i64::MAX) - grown.skipped;
        let behind = Sym::Known(Value::Int(behind));
        self.binary(BinaryOp::Add, &grown.used.clone(), &behind)
    }

    /// All that a list holds. One from outside is assumed to have been empty at entry, if it was.
    pub(crate) fn whole(&mut self, obj: Obj) -> Res<SymGrown> {
        self.assume_empty(obj)?;
        let mut grown = self.grown_at(obj)?.clone();
        let Some(list) = grown.behind.take() else {
            return Ok(grown);
        };
        let Some(first) = list.all_it_got() else {
            return self.refuse(
                ReasonId::LoopState,
                "a list from outside is read after it grew in a loop",
            );
        };
        if first.is_empty() {
            return Ok(grown);
        }
        for v in &first {
            grown.item = self.widen_item(grown.item, v)?.0;
        }
        let mut parts: Vec<Vec<Obj>> = vec![Vec::new(); grown.rows.len()];
        for v in &first {
            grown.mixed |= self.mixes(&grown.item, v)?;
            self.add_rows(&grown.item, v, &mut parts)?;
        }
        for (all, row) in parts.iter_mut().zip(self.stored_rows(&grown)?) {
            all.push(row);
        }
        let more = i64::try_from(first.len()).unwrap_or(i64::MAX);
        let n = self.items_dim(&grown)?;
        let n = self.dim_binary(DimOp::Add, n, Dim::Known(more))?;
        grown.rows = self.rows_behind(parts)?;
        grown.hold_rows(n, self.dim_sym(n));
        Ok(grown)
    }

    /// Guards that a list from outside is empty at entry, if it is one and was.
    fn assume_empty(&mut self, obj: Obj) -> Res<()> {
        let Some(list) = self.grown_at(obj)?.behind.clone() else {
            return Ok(());
        };
        let Some(origin) = &self.state.heap[obj].origin else {
            return Ok(());
        };
        let is_empty = origin.value.as_list().is_some_and(|l| l.is_empty());
        if is_empty && list.base.is_none() {
            let items = self.items_at_entry(obj)?;
            if let Some(list) = &mut self.grown_at(obj)?.behind {
                list.base = items;
            }
        }
        Ok(())
    }

    pub(crate) fn grown_length(&mut self, obj: Obj) -> Res<Sym> {
        let grown = self.grown_at(obj)?.clone();
        let items = self.items(&grown)?;
        let (Some(list), Some(origin)) = (&grown.behind, self.state.heap[obj].origin.clone())
        else {
            return Ok(items);
        };
        if let Some(first) = list.all_it_got() {
            let first = i64::try_from(first.len()).unwrap_or(i64::MAX);
            return self.binary(BinaryOp::Add, &Sym::Known(Value::Int(first)), &items);
        }
        let before = match self.length_at_entry(list, &origin)? {
            Some(length) => length,
            None => {
                return self.refuse(
                    ReasonId::LoopState,
                    "the length of a list from outside that grew in a loop",
                );
            }
        };
        self.binary(BinaryOp::Add, &before, &items)
    }

    /// `list[index]`
    pub(crate) fn grown_item(&mut self, obj: Obj, index: &Sym) -> Res<Sym> {
        let at_end = index.known().and_then(Value::as_int).is_some_and(|i| i < 0);
        if !at_end {
            self.assume_empty(obj)?;
        }
        let grown = self.grown_at(obj)?.clone();
        if let Sym::Obj(slice) = index {
            let Kind::Slice(bounds) = self.state.heap[*slice].kind.clone() else {
                return self.defect("a bad index");
            };
            return self.grown_slice(obj, &bounds);
        }
        let n = self.items_dim(&grown)?;
        let length = self.dim_sym(n);
        let known = index.known().and_then(Value::as_int);
        // Through the rows its gradient is one sum with that of the list.
        let by_rows = is_differentiable(&grown.item) && !grown.mixed;
        let first = known.filter(|_| !by_rows && !grown.turned);
        if let Some(v) = first.and_then(|i| grown.first.get(usize::try_from(i).ok()?)) {
            return Ok(v.clone());
        }
        let before = grown.behind.as_ref().map(|list| list.all_it_got());
        let is_behind = before.is_some_and(|first| first.is_none_or(|first| !first.is_empty()));
        if is_behind && known.is_none_or(|i| i >= 0) {
            return self.refuse(
                ReasonId::LoopState,
                "an item of a list from outside that grew in a loop",
            );
        }
        if let Some(i) = known {
            let back = i.saturating_neg();
            self.assert_longer(&length, back.max(i.saturating_add(1)))?;
            // Where items are inserted, the last one that came is the first one.
            let back = match grown.turned {
                true => i.checked_add(1).filter(|_| i >= 0),
                false => Some(back).filter(|_| i < 0),
            };
            let back = back.and_then(|b| usize::try_from(b).ok());
            if let Some(at) = back.and_then(|b| grown.waiting.len().checked_sub(b)) {
                return Ok(grown.waiting[at].clone());
            }
        }
        let i = match index {
            Sym::Known(v) if v.as_int().is_some() => {
                self.element_at(Dim::Known(v.as_int().unwrap_or(0)), n)?
            }
            Sym::Scalar(s) if s.ty != ScalarType::Float => self.element_index(*s, n)?,
            _ => {
                return self.refuse(
                    ReasonId::LoopState,
                    "an index of a list that grew in a loop",
                );
            }
        };
        self.check_alike(&grown)?;
        let (rows, skipped) = if grown.waiting.is_empty() {
            (grown.rows.clone(), grown.skipped)
        } else {
            let behind = None;
            let whole = SymGrown {
                behind,
                ..grown.clone()
            };
            // In a loop that the list was there before, they are put together once, before it.
            let home = self.home_of_list(&whole);
            let inner = std::mem::replace(&mut self.emission.context, home);
            let rows = self.stored_rows(&whole);
            self.emission.context = inner;
            (rows?, 0)
        };
        let row = if grown.turned {
            let last = self.dim_binary(DimOp::Sub, n, Dim::Known(1))?;
            self.dim_binary(DimOp::Sub, last, i)?
        } else {
            i
        };
        let at = self.dim_binary(DimOp::Add, row, Dim::Known(skipped))?;
        let item = self.row_item(&grown.item, &mut rows.into_iter(), at)?;
        if let (Template::Tensor(_), Sym::Obj(made)) = (&grown.item, &item) {
            self.tensor_mut(*made)?.identity.item_of = Some((obj, i));
        }
        Ok(item)
    }

    /// `list[start:stop:step]` with a step of 1, or all of it with one of -1.
    pub(crate) fn grown_slice(&mut self, obj: Obj, [start, stop, step]: &[Sym; 3]) -> Res<Sym> {
        let mut grown = self.whole(obj)?;
        let step = self.settled(step)?;
        let rows = self.rows_of(&grown)?;
        let n = self.items_dim(&grown)?;
        let is_none = |v: &Sym| matches!(v, Sym::Known(Value::None));
        let back = match step.known() {
            Some(Value::None | Value::Int(1)) => false,
            Some(Value::Int(-1)) if is_none(start) && is_none(stop) => true,
            _ => {
                return self.refuse(
                    ReasonId::LoopState,
                    "a slice with steps, of a list that grew in a loop",
                );
            }
        };
        let low = self.bound(start, Dim::Known(0), n)?;
        let high = self.bound(stop, n, n)?;
        let length = match low {
            Dim::Known(0) => high,
            _ => {
                let length = self.dim_binary(DimOp::Sub, high, low)?;
                self.dim_binary(DimOp::Max, length, Dim::Known(0))?
            }
        };
        grown.rows.clear();
        for row in rows {
            let known = self.tensor(row)?.identity.parts.clone();
            let part = if back {
                let dims = smallvec::smallvec![0];
                self.apply(Prim::Reverse { dims }, &[&row])?
            } else {
                self.rows_from(row, low, length)?
            };
            self.may_be(part, &known)?;
            grown.rows.push(part);
        }
        grown.hold_rows(length, self.dim_sym(length));
        grown.first.clear();
        grown.reserved = false;
        grown.added = Dim::Known(0);
        Ok(self.alloc(Kind::Grown(grown)))
    }

    /// A bound of a slice of `n` items, from the start; `none` where it is left out.
    fn bound(&mut self, at: &Sym, none: Dim, n: Dim) -> Res<Dim> {
        let at = match at {
            Sym::Known(Value::None) => return Ok(none),
            Sym::Known(v) if v.as_int().is_some() => v.as_int().unwrap_or(0),
            Sym::Scalar(s) if s.ty != ScalarType::Float => return self.moving_bound(at, n),
            _ => return self.defect("a slice by something that is no int"),
        };
        match at {
            0 => return Ok(Dim::Known(0)),
            1.. => return self.dim_binary(DimOp::Min, Dim::Known(at), n),
            _ => {}
        }
        let from_end = self.dim_binary(DimOp::Add, n, Dim::Known(at))?;
        self.dim_binary(DimOp::Max, from_end, Dim::Known(0))
    }

    /// The same of an int that the graph computes.
    fn moving_bound(&mut self, at: &Sym, n: Dim) -> Res<Dim> {
        let (zero, n) = (Sym::Known(Value::Int(0)), self.dim_sym(n));
        let from_end = self.binary(BinaryOp::Add, at, &n)?;
        let at = match self.compare(CompareOp::Lt, at, &zero)? {
            Sym::Scalar(is_negative) => self.chosen(is_negative.id, &from_end, at)?,
            Sym::Known(Value::Bool(Bool::True)) => from_end,
            _ => at.clone(),
        };
        let at = self.pick(CompareOp::Gt, at, zero)?;
        let at = self.pick(CompareOp::Lt, at, n)?;
        self.number_dim(&at)
    }

    fn assert_longer(&mut self, length: &Sym, least: i64) -> Res<()> {
        let least = Sym::Known(Value::Int(least));
        let enough = self.compare(CompareOp::Ge, length, &least)?;
        match enough {
            Sym::Known(Value::Bool(Bool::True)) => Ok(()),
            Sym::Scalar(ok) => {
                let key = self.key("length");
                let expected = "the list is long enough".to_owned();
                self.assert(ok.id, DeoptReason::IndexRange, key, expected)
            }
            _ => self.refuse(ReasonId::WouldRaise, "it would raise: a list is shorter"),
        }
    }

    /// An iterator over its items, of which no more may come.
    pub(crate) fn grown_iter(&mut self, obj: Obj) -> Res<Sym> {
        let mut grown = self.whole(obj)?;
        let rows = self.rows_of(&grown)?;
        let n = self.items_dim(&grown)?;
        grown.rows = rows;
        grown.hold_rows(n, self.dim_sym(n));
        let fixed = self.alloc(Kind::Grown(grown));
        let Sym::Obj(of) = fixed else {
            return self.defect("bad list");
        };
        let next = Sym::Known(Value::Int(0));
        Ok(self.alloc(Kind::Iter(SymIter::Grown { of, next })))
    }

    /// A torch function of a list that grew: what it makes of the items, it makes of their rows.
    pub(crate) fn torch_of_grown(
        &mut self,
        name: &str,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let Some((obj, _)) = args.first().and_then(|v| self.grown(v)) else {
            return Ok(None);
        };
        let grown = self.whole(obj)?;
        let dim = match (args.get(1), kwargs) {
            (None, []) => Some(0),
            (Some(Sym::Known(v)), []) => v.as_int(),
            (None, [(k, Sym::Known(v))]) if matches!(k.as_str(), "dim" | "axis") => v.as_int(),
            _ => None,
        };
        let short = name.rsplit('.').next().unwrap_or(name);
        let rows = self.rows_of(&grown)?;
        let decided = grown.item.decided();
        let (row, flags) = match rows.split_first() {
            Some((row, flags)) if flags.len() == decided.len() => (*row, flags),
            _ => {
                return self.refuse(
                    ReasonId::TooLarge,
                    format!("{short}: items of a list that grew in a loop are tuples"),
                );
            }
        };
        let rank = i64::try_from(self.dims_of(row)?.len()).unwrap_or(i64::MAX);
        let (made, grad_name) = match (short, &grown.item, dim) {
            ("stack", Template::Tensor(_), Some(dim)) => {
                let dim = if dim < 0 { dim + rank } else { dim };
                (self.rows_at(row, dim, false)?, "StackBackward0")
            }
            ("cat" | "concat" | "concatenate", Template::Tensor(t), Some(dim))
                if !t.dims.is_empty() =>
            {
                let dim = if dim < 0 { dim + rank - 1 } else { dim };
                (self.rows_at(row, dim, true)?, "CatBackward0")
            }
            ("tensor" | "as_tensor", Template::Scalar(ty), _) => {
                let dtype = match ty {
                    ScalarType::Float => janus_torch::draws::default_dtype(),
                    ty => dtype_of(*ty),
                };
                let made = self.cast(&row, dtype)?;
                if args.len() > 1 {
                    return self.refuse(
                        ReasonId::LoopState,
                        format!("{short} of a list that grew in a loop"),
                    );
                }
                let given = |name: &str| kwargs.iter().any(|(k, _)| k.as_str() == name);
                let mut made = if given("dtype") { row } else { made };
                if !given("device") {
                    made = self.to_device(&made, janus_tensor::device::default_device())?;
                }
                if !kwargs.is_empty() {
                    let v = self.torch("Tensor.to", vec![Sym::Obj(made)], kwargs.to_vec())?;
                    return Ok(Some(v));
                }
                (made, "")
            }
            _ => {
                return self.refuse(
                    ReasonId::LoopState,
                    format!("{short} of a list that grew in a loop whose trip count moves"),
                );
            }
        };
        if short != "tensor" && short != "as_tensor" {
            let n = self.items(&grown)?;
            self.assert_longer(&n, 1)?;
        }
        for (leaf, &flags) in decided.iter().zip(flags) {
            let any = self.reduce(ReduceOp::Max, &flags, &[0])?;
            self.uses_where(made, leaf, any)?;
        }
        let t = self.tensor_mut(made)?;
        t.view = None;
        t.identity.ambiguous = false;
        t.identity.parts = Rc::new([]);
        if t.requires_grad {
            t.tape.grad_name = GradName::Of(grad_name.into());
        }
        Ok(Some(Sym::Obj(made)))
    }
}

pub(crate) fn unit_steps(rank: usize) -> Steps {
    smallvec::smallvec![1; rank]
}
