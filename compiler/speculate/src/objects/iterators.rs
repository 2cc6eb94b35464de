//! Iteration over what is known: each trip is executed, which unrolls the loop.
//!
//! In: an iterable. Out: iterators of the symbolic heap and their items. Always: trip counts come
//! from guarded lengths or known numbers.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::{Type, ValueId};
use janus_object::{DictPart, ExcKind, Name, Value, ops};
use janus_plan::{ReasonId, ScalarType};

use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::state::running::Flow;
use crate::state::sym::{Kind, Obj, Slot, State, Stride, Sym, SymFrame, SymIter, SymScalar};
use crate::{Res, Stop};

/// Items of a known iterable taken at most.
const MAX_ITEMS: usize = 100_000;

/// What resuming a generator came to.
pub(crate) enum Resumed {
    /// It yielded.
    Yield(Sym),
    /// It returned.
    Return(Sym),
}

impl Executor<'_> {
    pub(crate) fn iter(&mut self, v: &Sym) -> Res<Sym> {
        if let Some(method) = self.python_method(v, "__iter__")? {
            let it = self.call(&method, vec![v.clone()], Vec::new())?;
            let is_iterator = match &it {
                Sym::Obj(i) => {
                    matches!(self.state.heap[*i].kind, Kind::Iter(_) | Kind::Generator(_))
                        || self.python_method(&it, "__next__")?.is_some()
                }
                _ => false,
            };
            return match is_iterator {
                true => Ok(it),
                false => self.refuse(
                    ReasonId::OutsideIterator,
                    "__iter__ returns what is no iterator here",
                ),
            };
        }
        match v {
            Sym::Known(Value::Range(r)) => {
                Ok(self.known_range(r.get(0).unwrap_or(0), r.step, r.len()))
            }
            Sym::Known(value)
                if matches!(value, Value::Tuple(_) | Value::Str(_) | Value::Bytes(_))
                    || matches!(value, Value::Set(set) if set.frozen) =>
            {
                match ops::collect(self.vm, &value.clone()) {
                    Ok(items) if items.len() <= MAX_ITEMS => {
                        let items = items.into_iter().map(Sym::Known).collect();
                        Ok(self.alloc(Kind::Iter(SymIter::Values { items, next: 0 })))
                    }
                    _ => self.refuse(ReasonId::TooLarge, "a loop over something long"),
                }
            }
            Sym::Obj(o) => {
                let o = *o;
                match &self.state.heap[o].kind {
                    Kind::Iter(_) | Kind::Generator(_) => Ok(v.clone()),
                    Kind::Opaque { .. } => self.refuse_outside(v),
                    Kind::Found(_) if self.is_found_sequence(v) => self.found_iter(v),
                    Kind::Grown(_) => self.grown_iter(o),
                    Kind::Filtered(_) => {
                        Ok(self.alloc(Kind::Iter(SymIter::Items { of: o, next: 0 })))
                    }
                    Kind::View { dict, part, .. } => {
                        let (dict, part) = (dict.clone(), *part);
                        let items = self.viewed(&dict, part)?.into();
                        Ok(self.dict_iterator(&dict, items))
                    }
                    Kind::Range { start, stop, step } => {
                        let (next, stop, step) = (start.clone(), stop.clone(), step.clone());
                        Ok(self.alloc(Kind::Iter(SymIter::Range { next, stop, step })))
                    }
                    Kind::Tensor(_)
                        if self.dims_of(o)?.first().is_some_and(|d| {
                            d.known().is_none_or(|n| n > self.most_unrolled())
                        }) =>
                    {
                        let next = Sym::Known(Value::Int(0));
                        Ok(self.alloc(Kind::Iter(SymIter::Rows { of: o, next })))
                    }
                    Kind::Tensor(_) => {
                        let items: Rc<[Sym]> = self.unbind(o)?.into();
                        self.looping.unbound.push((items.clone(), o));
                        Ok(self.alloc(Kind::Iter(SymIter::Values { items, next: 0 })))
                    }
                    _ => {
                        let of_own = self.dict_owner(v).is_some();
                        let Some(obj) = self.container(v).or(of_own.then_some(o)) else {
                            return self.refuse(
                                ReasonId::LoopState,
                                format!(
                                    "a loop over a {} has no graph form",
                                    self.class_of(v)?.display_name()
                                ),
                            );
                        };
                        if of_own || matches!(self.state.heap[obj].kind, Kind::Dict(_)) {
                            let keys: Rc<[Sym]> =
                                self.entries(v)?.into_iter().map(|(k, _)| k).collect();
                            return Ok(self.dict_iterator(v, keys));
                        }
                        self.materialise(obj)?;
                        Ok(self.alloc(Kind::Iter(SymIter::Items { of: obj, next: 0 })))
                    }
                }
            }
            _ => self.refuse(
                ReasonId::LoopState,
                format!(
                    "a loop over a {} has no graph form",
                    self.class_of(v)?.display_name()
                ),
            ),
        }
    }

    /// Refuses what a graph cannot take items from.
    fn refuse_outside<T>(&self, it: &Sym) -> Res<T> {
        let is_generator =
            |o: &Obj| matches!(self.state.heap[*o].kind, Kind::Opaque { generator: true });
        match it {
            Sym::Obj(o) if is_generator(o) => self.refuse(
                ReasonId::Generator,
                "items of a generator from outside the region",
            ),
            _ => self.refuse(
                ReasonId::OutsideIterator,
                "a loop over an iterator from outside the region",
            ),
        }
    }

    /// The next item; `None` at the end.
    pub(crate) fn next(&mut self, it: &Sym) -> Res<Option<Sym>> {
        let Sym::Obj(obj) = it else {
            return self.refuse_outside(it);
        };
        let obj = *obj;
        if let Kind::Generator(frame) = &mut self.state.heap[obj].kind {
            return match frame.take() {
                Some(frame) => Ok(match self.resume(obj, *frame)? {
                    Resumed::Yield(v) => Some(v),
                    Resumed::Return(_) => None,
                }),
                None => Ok(None),
            };
        }
        if let Some(method) = self.python_method(it, "__next__")? {
            return match self.call(&method, vec![it.clone()], Vec::new()) {
                Ok(v) => Ok(Some(v)),
                Err(Stop::Raise(e)) if self.ends_iteration(&e)? => Ok(None),
                Err(e) => Err(e),
            };
        }
        let Some(state) = self.iter_state(obj) else {
            return self.refuse_outside(it);
        };
        self.check_same_keys(obj)?;
        let (value, state) = match state {
            SymIter::Items { of, next } => {
                let (item, at) = match self.filtered_next(of, next)? {
                    Some(found) => found,
                    None => (self.next_item(of, next)?, next),
                };
                (item, SymIter::Items { of, next: at + 1 })
            }
            SymIter::Values { items, next } => (
                items.get(next).cloned(),
                SymIter::Values {
                    items,
                    next: next + 1,
                },
            ),
            SymIter::Range { .. } | SymIter::Rows { .. } | SymIter::Grown { .. } => {
                return match self.more(obj)? {
                    Truth::Known(false) => Ok(None),
                    Truth::Known(true) => self.advance(obj).map(Some),
                    Truth::Dynamic(_) => {
                        let Some(SymIter::Range { next, stop, step }) = self.iter_state(obj) else {
                            return self.refuse(
                                ReasonId::LoopState,
                                "an iteration whose trip count moves has no graph form here",
                            );
                        };
                        let (next, stop) = (self.settled(&next)?, self.settled(&stop)?);
                        if next.known().is_none() || stop.known().is_none() {
                            return self.refuse(
                                ReasonId::LoopState,
                                "an iteration whose trip count moves has no graph form here",
                            );
                        }
                        let known = SymIter::Range { next, stop, step };
                        self.state.heap[obj].kind = Kind::Iter(known);
                        self.next(it)
                    }
                };
            }
            SymIter::Enumerate { inner, next } => match self.next(&Sym::Obj(inner))? {
                Some(v) => {
                    let pair = self.tuple(vec![next.clone(), v]);
                    let one = Sym::Known(Value::Int(1));
                    let next = self.binary(BinaryOp::Add, &next, &one)?;
                    (Some(pair), SymIter::Enumerate { inner, next })
                }
                None => (None, SymIter::Enumerate { inner, next }),
            },
            SymIter::Zip { inner } => {
                let mut items = Vec::with_capacity(inner.len());
                for &i in &inner {
                    match self.next(&Sym::Obj(i))? {
                        Some(v) => items.push(v),
                        None => break,
                    }
                }
                let all = items.len() == inner.len() && !inner.is_empty();
                let value = if all { Some(self.tuple(items)) } else { None };
                (value, SymIter::Zip { inner })
            }
            SymIter::Map { function, inner } => {
                let mut items = Vec::with_capacity(inner.len());
                for &i in &inner {
                    match self.next(&Sym::Obj(i))? {
                        Some(v) => items.push(v),
                        None => break,
                    }
                }
                let value = if items.len() == inner.len() {
                    Some(self.call(&function, items, Vec::new())?)
                } else {
                    None
                };
                (value, SymIter::Map { function, inner })
            }
        };
        self.state.heap[obj].kind = Kind::Iter(state);
        Ok(value)
    }

    /// Whether what an iterator raised says that it has no more items.
    fn ends_iteration(&self, exception: &Sym) -> Res<bool> {
        let class = self.class_of(exception)?;
        Ok(class.is_subclass_of(&ExcKind::StopIteration.class()))
    }

    /// Whether a generator, or an iterator written in Python, is behind an iterator: whether it ends is known by
    /// running it.
    pub(crate) fn generates(&self, obj: Obj) -> bool {
        match self.iter_state(obj) {
            None => matches!(
                self.state.heap[obj].kind,
                Kind::Generator(_) | Kind::Instance(_) | Kind::Found(_)
            ),
            Some(SymIter::Enumerate { inner, .. }) => self.generates(inner),
            Some(SymIter::Zip { inner } | SymIter::Map { inner, .. }) => {
                inner.iter().any(|&i| self.generates(i))
            }
            Some(_) => false,
        }
    }

    /// Whether an iterator has another item.
    pub(crate) fn more(&mut self, obj: Obj) -> Res<Truth> {
        let Some(state) = self.iter_state(obj) else {
            return self.refuse(
                ReasonId::OutsideIterator,
                "an iterator whose end cannot be told beforehand",
            );
        };
        let known = |more: bool| Ok(Truth::Known(more));
        match state {
            SymIter::Items { of, next } => {
                let items = self.items_of(of)?;
                known(next < items.len())
            }
            SymIter::Values { items, next } => {
                self.check_same_keys(obj)?;
                known(next < items.len())
            }
            SymIter::Range { next, stop, step } => self.comes_before(&next, &stop, &step),
            SymIter::Rows { of, next } => {
                let extent = self.rows(of)?;
                let more = self.compare(CompareOp::Lt, &next, &extent)?;
                self.truth(&more)
            }
            SymIter::Grown { of, next } => {
                let length = self.grown_length(of)?;
                let more = self.compare(CompareOp::Lt, &next, &length)?;
                self.truth(&more)
            }
            SymIter::Enumerate { inner, .. } => self.more(inner),
            SymIter::Zip { inner } | SymIter::Map { inner, .. } => {
                let mut all: Option<ValueId> = None;
                for i in inner.iter().copied() {
                    all = match (self.more(i)?, all) {
                        (Truth::Known(false), _) => return known(false),
                        (Truth::Known(true), all) => all,
                        (Truth::Dynamic(m), None) => Some(m),
                        (Truth::Dynamic(m), Some(all)) => {
                            Some(self.emit1("arith.andi", &[all, m], &[], Type::I1)?)
                        }
                    };
                }
                match all {
                    Some(all) => Ok(Truth::Dynamic(all)),
                    None => known(!inner.is_empty()),
                }
            }
        }
    }

    /// Whether a range with this step goes on at `next`.
    pub(crate) fn comes_before(&mut self, next: &Sym, stop: &Sym, step: &Stride) -> Res<Truth> {
        let op = if step.is_up() {
            CompareOp::Lt
        } else {
            CompareOp::Gt
        };
        let more = self.compare(op, next, stop)?;
        self.truth(&more)
    }

    /// How many rows a tensor has, or items what a recursion comes to.
    pub(crate) fn rows(&mut self, of: Obj) -> Res<Sym> {
        if self.is_found(&Sym::Obj(of)) {
            return self.found_length(&Sym::Obj(of));
        }
        match self.dims_of(of)?.first() {
            Some(&d) => Ok(self.dim_sym(d)),
            None => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: iteration over a 0-d tensor",
            ),
        }
    }

    /// The next item of an iterator that has one.
    pub(crate) fn advance(&mut self, obj: Obj) -> Res<Sym> {
        let Some(state) = self.iter_state(obj) else {
            return self.defect("not an iterator");
        };
        let one = Sym::Known(Value::Int(1));
        let (value, state) = match state {
            SymIter::Range { next, stop, step } => {
                let after = self.binary(BinaryOp::Add, &next, &step.sym())?;
                (
                    next,
                    SymIter::Range {
                        next: after,
                        stop,
                        step,
                    },
                )
            }
            SymIter::Rows { of, next } => {
                let row = self.get_item(&Sym::Obj(of), &next)?;
                let next = self.binary(BinaryOp::Add, &next, &one)?;
                (row, SymIter::Rows { of, next })
            }
            SymIter::Grown { of, next } => {
                let item = self.grown_item(of, &next)?;
                let next = self.binary(BinaryOp::Add, &next, &one)?;
                (item, SymIter::Grown { of, next })
            }
            SymIter::Enumerate { inner, next } => {
                let v = self.advance(inner)?;
                let pair = self.tuple(vec![next.clone(), v]);
                let next = self.binary(BinaryOp::Add, &next, &one)?;
                (pair, SymIter::Enumerate { inner, next })
            }
            SymIter::Zip { inner } => {
                let mut items = Vec::with_capacity(inner.len());
                for &i in &inner {
                    items.push(self.advance(i)?);
                }
                (self.tuple(items), SymIter::Zip { inner })
            }
            SymIter::Map { function, inner } => {
                let mut items = Vec::with_capacity(inner.len());
                for &i in &inner {
                    items.push(self.advance(i)?);
                }
                let v = self.call(&function, items, Vec::new())?;
                (v, SymIter::Map { function, inner })
            }
            SymIter::Items { .. } | SymIter::Values { .. } => {
                return match self.next(&Sym::Obj(obj))? {
                    Some(v) => Ok(v),
                    None => self.refuse(ReasonId::OutsideIterator, "an iterator ended"),
                };
            }
        };
        self.state.heap[obj].kind = Kind::Iter(state);
        Ok(value)
    }

    /// The generator expression behind a value, if it has not begun.
    fn generator_expression(&self, v: &Sym) -> Option<(Obj, SymFrame)> {
        let Sym::Obj(obj) = v else { return None };
        match &self.state.heap[*obj].kind {
            Kind::Generator(Some(frame))
                if frame.pc == 0 && &*frame.code.code.name == "<genexpr>" =>
            {
                Some((*obj, (**frame).clone()))
            }
            _ => None,
        }
    }

    pub(crate) fn is_generator_expression(&self, v: &Sym) -> bool {
        self.generator_expression(v).is_some()
    }

    /// A list of what a generator expression yields that goes over something whose length moves.
    /// It is for what takes all items and does nothing else meanwhile.
    fn gathered(&mut self, v: &Sym) -> Res<Option<Sym>> {
        let Some((obj, mut frame)) = self.generator_expression(v) else {
            return Ok(None);
        };
        let Some(Slot::Loaded(source)) = frame.locals.first().cloned() else {
            return Ok(None);
        };
        match (self.gathered(&source)?, &source) {
            (Some(inner), _) => frame.locals[0] = Slot::Loaded(self.iter(&inner)?),
            (None, &Sym::Obj(it)) if !self.generates(it) && self.trips_left(it).is_none() => {}
            _ => return Ok(None),
        }
        let list = self.list(Vec::new());
        let Sym::Obj(into) = list else {
            return self.defect("bad list");
        };
        frame.gathers = Some(into);
        match self.run_nested(&mut frame, None)? {
            Flow::Return(_) => {
                self.state.heap[obj].kind = Kind::Generator(None);
                Ok(Some(list))
            }
            _ => self.refuse(ReasonId::Generator, "a generator was left"),
        }
    }

    /// An iterator over `v` if nothing tells how many items it has; what is an iterator is not moved.
    pub(crate) fn moving(&mut self, v: &Sym) -> Res<Option<Sym>> {
        if let Some(list) = self.gathered(v)? {
            return self.iter(&list).map(Some);
        }
        let may_move = match v {
            Sym::Obj(o) => matches!(
                self.state.heap[*o].kind,
                Kind::Iter(_)
                    | Kind::Range { .. }
                    | Kind::Tensor(_)
                    | Kind::Grown(_)
                    | Kind::Filtered(_)
            ),
            _ => false,
        };
        if !may_move && !self.found_moves(v) {
            return Ok(None);
        }
        let it = self.iter(v)?;
        let Sym::Obj(obj) = it else { return Ok(None) };
        let moves = !self.generates(obj) && self.trips_left(obj).is_none();
        Ok(moves.then_some(it))
    }

    /// Calls what stands for a built-in function where an iterable's length moves.
    pub(crate) fn inlined_loop(&mut self, name: &str, args: Vec<Sym>) -> Res<Sym> {
        match self.loop_function(name) {
            Some(function) => self.call(&Sym::Known(function), args, Vec::new()),
            None => self.refuse(ReasonId::MovingValue, format!("{name} of what moves")),
        }
    }

    /// What a view of a dict shows.
    pub(crate) fn viewed(&mut self, dict: &Sym, part: DictPart) -> Res<Vec<Sym>> {
        let entries = self.entries(dict)?.into_iter();
        Ok(match part {
            DictPart::Keys => entries.map(|(k, _)| k).collect(),
            DictPart::Values => entries.map(|(_, v)| v).collect(),
            DictPart::Items => entries.map(|(k, v)| self.tuple(vec![k, v])).collect(),
        })
    }

    /// An iterator over what a dict holds.
    pub(crate) fn dict_iterator(&mut self, dict: &Sym, items: Rc<[Sym]>) -> Sym {
        let it = self.alloc(Kind::Iter(SymIter::Values { items, next: 0 }));
        if let (Sym::Obj(it), Some(dict)) = (&it, self.container(dict))
            && let Some(keys) = self.keys_now(dict)
        {
            self.state.dict_loops.push((*it, dict, keys));
        }
        it
    }

    fn keys_now(&self, dict: Obj) -> Option<(usize, usize)> {
        match &self.state.heap[dict].kind {
            Kind::Dict(d) => Some((d.entries.len(), d.removed.len())),
            _ => None,
        }
    }

    /// Refuses to go on with an iterator over a dict that got other keys since, or backwards over a list that
    /// changed.
    fn check_same_keys(&mut self, it: Obj) -> Res<()> {
        let mut loops = self.state.dict_loops.iter();
        if let Some((_, dict, keys)) = loops.find(|(known, ..)| *known == it)
            && self.keys_now(*dict) != Some(*keys)
        {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: dictionary changed size during iteration",
            );
        }
        let mut lists = self.state.reversed.iter();
        let Some((_, list, held)) = lists.find(|(known, ..)| *known == it) else {
            return Ok(());
        };
        let (list, held) = (*list, held.clone());
        let is_list = matches!(self.state.heap[list].kind, Kind::List(_));
        let now = if is_list {
            self.items_of(list)?
        } else {
            Vec::new()
        };
        let is_same = |(v, w): (&Sym, &Sym)| v.same(w);
        if now.len() != held.len() || !now.iter().rev().zip(held.iter()).all(is_same) {
            return self.refuse(
                ReasonId::NoGraphForm,
                "a list is changed while reversed() walks over it",
            );
        }
        Ok(())
    }

    /// What a built-in function or an iterator of itertools does, in Python.
    pub(crate) fn loop_function(&mut self, name: &str) -> Option<Value> {
        match self.vm.import_module("_loops") {
            Ok(Value::Module(module)) => module.dict.get_name(&Name::new(name)),
            _ => None,
        }
    }

    /// `any()` or `all()`, which stop at the first item that decides.
    pub(crate) fn quantified(&mut self, any: bool, items: &Sym) -> Res<Sym> {
        let start = self.checkpoint();
        let it = self.iter(items)?;
        // What an attempt draws is drawn by the graph: it may not have been.
        let on_demand = self.is_made_on_demand(&it);
        let tentative = self.looping.tentative;
        self.looping.tentative |= on_demand;
        let decided = self.decided_by(any, &it, on_demand);
        self.looping.tentative = tentative;
        if let Some(result) = decided? {
            return Ok(result);
        }
        // Later items must not be made where an earlier one decides.
        self.forget(start);
        let args = vec![items.clone()];
        self.inlined_loop(if any { "any" } else { "all" }, args)
    }

    /// What they are if making all items changes nothing.
    fn decided_by(&mut self, any: bool, it: &Sym, on_demand: bool) -> Res<Option<Sym>> {
        let mut result = Sym::Known(Value::bool(!any));
        // What was there when the first item had come of which only the graph knows whether it decides.
        let mut open = None;
        let mut count = 0;
        while let Some(v) = self.next(it)? {
            count += 1;
            if count > MAX_ITEMS {
                return self.refuse(ReasonId::TooLarge, "a loop over something long");
            }
            match self.truth(&v)? {
                Truth::Known(t) if t == any => {
                    result = Sym::Known(Value::bool(any));
                    break;
                }
                Truth::Known(_) => {}
                Truth::Dynamic(id) => {
                    let ty = ScalarType::Bool;
                    let v = Sym::Scalar(SymScalar { id, ty });
                    let op = if any { BinaryOp::Or } else { BinaryOp::And };
                    result = self.binary(op, &result, &v)?;
                    if open.is_none() && on_demand {
                        open = Some(self.state.clone());
                    }
                }
            }
        }
        let changed = match open {
            Some(before) => self.has_changed(before)?,
            None => false,
        };
        Ok((!changed).then_some(result))
    }

    /// Whether code of the user's runs for each item of an iterator.
    fn is_made_on_demand(&self, it: &Sym) -> bool {
        let Sym::Obj(obj) = it else { return true };
        self.generates(*obj) || matches!(self.iter_state(*obj), Some(SymIter::Map { .. }))
    }

    /// Whether anything but positions of iterators differs from an earlier state.
    fn has_changed(&mut self, mut before: State) -> Res<bool> {
        if before.effects.len() != self.state.effects.len()
            || before.asserts.len() != self.state.asserts.len()
            || self.draws_of(&before) != self.draws_of(&self.state)
        {
            return Ok(true);
        }
        for obj in 0..before.heap.len() {
            let kind = &self.state.heap[obj].kind;
            if matches!(kind, Kind::Generator(_) | Kind::Iter(_)) {
                before.heap[obj].kind = kind.clone();
            }
        }
        let now = self.state.clone();
        Ok(self
            .changed_objects(&before, &now)
            .map_or(true, |places| !places.is_empty()))
    }

    /// Refuses a generator that was left where its end has something to do: CPython runs that when the last
    /// reference goes.
    pub(crate) fn check_generators(&self, state: &State) -> Res<()> {
        (0..state.heap.len()).try_for_each(|obj| self.check_left(&state.heap[obj].kind))
    }

    /// The same of one object.
    pub(crate) fn check_left(&self, kind: &Kind) -> Res<()> {
        let Kind::Generator(Some(frame)) = kind else {
            return Ok(());
        };
        let at = frame.pc.wrapping_sub(1);
        let mut guards = frame.code.code.exceptions.iter();
        if frame.pc > 0 && guards.any(|e| (e.start..e.end).contains(&at)) {
            let detail = "a generator that is left inside of try or with";
            return self.refuse(ReasonId::Generator, detail);
        }
        Ok(())
    }

    /// A list of what an iterable yields whose length moves.
    pub(crate) fn listed(&mut self, items: &Sym) -> Res<Sym> {
        let list = self.list(Vec::new());
        self.inlined_loop("extend", vec![list, items.clone()])
    }

    /// An iterator over `len` ints from `next` on.
    fn known_range(&mut self, next: i64, step: i64, len: usize) -> Sym {
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let stop = next.saturating_add(step.saturating_mul(len));
        self.alloc(Kind::Iter(SymIter::Range {
            next: Sym::Known(Value::Int(next)),
            stop: Sym::Known(Value::Int(stop)),
            step: Stride::Known(step),
        }))
    }

    /// `reversed()`
    pub(crate) fn reversed(&mut self, v: &Sym) -> Res<Sym> {
        if let Some(method) = self.python_method(v, "__reversed__")? {
            return self.call(&method, vec![v.clone()], Vec::new());
        }
        if let Some(it) = self.backwards(v)? {
            return Ok(it);
        }
        // What a list or a dict does goes over what it stores; a sequence is asked for its length and each item.
        let of = |this: &Self, o: Obj| match &this.state.heap[o].kind {
            Kind::List(_) | Kind::Dict(_) | Kind::InstanceDict(_) | Kind::View { .. } => {
                Some(false)
            }
            Kind::Tuple(_) => Some(true),
            _ => None,
        };
        let is_sequence = match v {
            Sym::Known(Value::Tuple(_) | Value::Str(_) | Value::Bytes(_)) => Some(true),
            Sym::Obj(o) => of(self, self.container(v).unwrap_or(*o)),
            _ => None,
        };
        let Some(is_sequence) = is_sequence else {
            let class = self.class_of(v)?.display_name();
            return self.refuse(
                ReasonId::NoGraphForm,
                format!("reversed() of a {class} has no graph form"),
            );
        };
        if is_sequence
            && (self.python_method(v, "__getitem__")?.is_some()
                || self.python_method(v, "__len__")?.is_some())
        {
            return self.refuse(
                ReasonId::TooLarge,
                "reversed() of a sequence with items of its own",
            );
        }
        let container = self.container(v);
        let mut items = self.collect(&container.map_or_else(|| v.clone(), Sym::Obj))?;
        items.reverse();
        let items: Rc<[Sym]> = items.into();
        let held = items.clone();
        let it = self.alloc(Kind::Iter(SymIter::Values { items, next: 0 }));
        if let (Some(list), Sym::Obj(it)) = (container, &it)
            && matches!(self.state.heap[list].kind, Kind::List(_))
        {
            self.state.reversed.push((*it, list, held));
        }
        Ok(it)
    }

    /// `reversed()` of a range, or of a list whose length moves.
    fn backwards(&mut self, v: &Sym) -> Res<Option<Sym>> {
        let obj = match v {
            Sym::Known(Value::Range(r)) => {
                let last = r.len().checked_sub(1).and_then(|i| r.get(i));
                let (next, step) = (last.unwrap_or(r.start), r.step.saturating_neg());
                return Ok(Some(self.known_range(next, step, r.len())));
            }
            Sym::Obj(obj) => obj,
            _ => return Ok(None),
        };
        match self.state.heap[*obj].kind.clone() {
            Kind::Range {
                step: Stride::Up(_),
                ..
            } => self.refuse(
                ReasonId::MovingValue,
                "the step of a range moves, over which reversed() walks",
            ),
            Kind::Range {
                start,
                stop,
                step: Stride::Known(step),
            } => {
                let [one, by] = [step.signum(), step].map(|i| Sym::Known(Value::Int(i)));
                let mut next = self.binary(BinaryOp::Sub, &stop, &one)?;
                if step.abs_diff(0) > 1 {
                    let away = self.binary(BinaryOp::Sub, &next, &start)?;
                    let steps = self.binary(BinaryOp::FloorDiv, &away, &by)?;
                    let way = self.binary(BinaryOp::Mul, &steps, &by)?;
                    next = self.binary(BinaryOp::Add, &start, &way)?;
                }
                let stop = self.binary(BinaryOp::Sub, &start, &by)?;
                Ok(Some(self.alloc(Kind::Iter(SymIter::Range {
                    next,
                    stop,
                    step: Stride::Known(step.saturating_neg()),
                }))))
            }
            Kind::Filtered(items) => {
                let [none, back] = [Value::None, Value::Int(-1)].map(Sym::Known);
                let backwards = self.filtered_slice(&items, &[none.clone(), none, back])?;
                self.iter(&backwards).map(Some)
            }
            Kind::Grown(_) => {
                let [none, back] = [Value::None, Value::Int(-1)].map(Sym::Known);
                let backwards = self.grown_slice(*obj, &[none.clone(), none, back])?;
                self.iter(&backwards).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What `yield from` gets of an iterator.
    pub(crate) fn resumed(&mut self, it: &Sym) -> Res<Resumed> {
        if let Sym::Obj(obj) = it
            && let Kind::Generator(frame) = &mut self.state.heap[*obj].kind
            && let Some(frame) = frame.take()
        {
            return self.resume(*obj, *frame);
        }
        Ok(match self.next(it)? {
            Some(v) => Resumed::Yield(v),
            None => Resumed::Return(Sym::Known(Value::None)),
        })
    }

    fn resume(&mut self, obj: usize, mut frame: SymFrame) -> Res<Resumed> {
        if frame.pc > 0 {
            // The value sent into the `yield`.
            frame.stack.push(Sym::Known(Value::None));
        }
        match self.run_nested(&mut frame, None)? {
            Flow::Yield(v) => {
                self.state.heap[obj].kind = Kind::Generator(Some(Box::new(frame)));
                Ok(Resumed::Yield(v))
            }
            Flow::Return(v) => Ok(Resumed::Return(v)),
            _ => self.refuse(ReasonId::Generator, "a generator was left"),
        }
    }

    /// All items of an iterable.
    pub(crate) fn collect(&mut self, v: &Sym) -> Res<Vec<Sym>> {
        if let Sym::Known(Value::List(l)) = v
            && l.is_empty()
        {
            return Ok(Vec::new());
        }
        let it = self.iter(v)?;
        let mut items = Vec::new();
        while let Some(v) = self.next(&it)? {
            items.push(v);
            if items.len() > MAX_ITEMS {
                return self.refuse(ReasonId::TooLarge, "a loop over something long");
            }
        }
        Ok(items)
    }
}
