//! The largest or smallest of several things.
//!
//! In: numbers that the graph computes, objects with keys, items that may not be there. Out: one of them. Always: each
//! key is computed once, and of equal ones the first is taken.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::ValueId;
use janus_object::{Bool, Name, Value};
use janus_plan::{DeoptReason, ReasonId};
use janus_tensor::ops::DimOp;
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::executor::Executor;
use crate::numbers::arithmetic::Truth;
use crate::state::sym::{Sym, SymScalar};

/// Items of which `max` and `min` pick one by branches at most.
const MAX_BEST: usize = 16;

impl Executor<'_> {
    /// `min` and `max` with `key` and `default`.
    pub(crate) fn best_by_name(
        &mut self,
        op: CompareOp,
        args: &[Sym],
        kwargs: &[(Name, Sym)],
    ) -> Res<Option<Sym>> {
        let (mut key, mut default) = (None, None);
        for (name, v) in kwargs {
            match name.as_str() {
                "key" => key = Some(v.clone()).filter(|v| !matches!(v, Sym::Known(Value::None))),
                "default" => default = Some(v.clone()),
                _ => return Ok(None),
            }
        }
        if let [one] = args
            && self.filtered(one).is_some()
        {
            return self.best_of(op, one, key, default).map(Some);
        }
        let items = match args {
            [one] => match self.moving(one)? {
                Some(_) => {
                    return self.refuse(
                        ReasonId::MovingValue,
                        "min() or max() by name, of an iterable whose length moves",
                    );
                }
                None => self.collect(one)?,
            },
            _ if default.is_none() => args.to_vec(),
            _ => return Ok(None),
        };
        let start = self.checkpoint();
        let mut best: Option<(Sym, Sym)> = None;
        for v in items.clone() {
            let k = match &key {
                Some(f) => self.call(f, vec![v.clone()], Vec::new())?,
                None => v.clone(),
            };
            best = Some(match best {
                None => (k, v),
                Some((least, kept)) => {
                    let better = self.compare(op, &k, &least)?;
                    match self.truth(&better)? {
                        Truth::Known(true) => (k, v),
                        Truth::Known(false) => (least, kept),
                        // Which object it is, branches tell; keys are computed once.
                        Truth::Dynamic(_)
                            if self.number(&v)?.is_none() || self.number(&kept)?.is_none() =>
                        {
                            self.forget(start);
                            let items = self.list(items);
                            return self.best_of(op, &items, key, default).map(Some);
                        }
                        Truth::Dynamic(p) => {
                            (self.chosen(p, &k, &least)?, self.chosen(p, &v, &kept)?)
                        }
                    }
                }
            });
        }
        match best.map(|(_, v)| v).or(default) {
            Some(v) => Ok(Some(v)),
            None => self.refuse(ReasonId::WouldRaise, "it would raise: empty sequence"),
        }
    }

    /// `a if a op b else b`, as `min` and `max` do it.
    pub(crate) fn pick(&mut self, op: CompareOp, a: Sym, b: Sym) -> Res<Sym> {
        if let Some(picked) = self.pick_extent(op, &a, &b)? {
            return Ok(picked);
        }
        let better = self.compare(op, &a, &b)?;
        match self.truth(&better)? {
            Truth::Known(true) => Ok(a),
            Truth::Known(false) => Ok(b),
            Truth::Dynamic(p) => self.chosen(p, &a, &b),
        }
    }

    /// The greater or the smaller of two extents as an extent, of which it is known that it is one of the two.
    fn pick_extent(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let of = |v: &Sym| match v {
            Sym::Known(Value::Int(n)) => Some(Dim::Known(*n)),
            Sym::Scalar(s) => self.entry_numbers.scalar_dims.get(&s.id).copied(),
            _ => None,
        };
        let (Some(x), Some(y)) = (of(a), of(b)) else {
            return Ok(None);
        };
        if x.known().is_some() && y.known().is_some() {
            return Ok(None);
        }
        let op = match op {
            CompareOp::Lt => DimOp::Min,
            CompareOp::Gt => DimOp::Max,
            _ => return Ok(None),
        };
        let picked = self.dim_binary(op, x, y)?;
        Ok(Some(match picked.known() {
            Some(n) => Sym::Known(Value::Int(n)),
            None => Sym::Scalar(self.dim_number(picked)?),
        }))
    }

    /// One of two numbers.
    pub(crate) fn chosen(&mut self, p: ValueId, a: &Sym, b: &Sym) -> Res<Sym> {
        if a.same(b) {
            return Ok(a.clone());
        }
        let (Some(x), Some(y)) = (self.number(a)?, self.number(b)?) else {
            return self.refuse(ReasonId::NoGraphForm, "min() or max() of objects");
        };
        if x.ty != y.ty {
            return self.refuse(
                ReasonId::NoGraphForm,
                "min() or max() of an int and a float",
            );
        }
        let ty = crate::state::types::type_of(x.ty);
        let id = self.emit1("arith.select", &[p, x.id, y.id], &[], ty)?;
        Ok(Sym::Scalar(SymScalar { id, ty: x.ty }))
    }

    /// `max` or `min` of a list where which item it is, or whether it is there, moves: each key is computed once.
    pub(crate) fn best_of(
        &mut self,
        op: CompareOp,
        list: &Sym,
        key: Option<Sym>,
        default: Option<Sym>,
    ) -> Res<Sym> {
        let keys = match key {
            Some(key) => self.inlined_loop("keyed", vec![list.clone(), key])?,
            None => list.clone(),
        };
        let (Some(items), Some(keys)) = (self.items_in(list)?, self.items_in(&keys)?) else {
            return self.refuse(ReasonId::NoGraphForm, "min() or max() of what is no list");
        };
        if items.len() > MAX_BEST || items.len() != keys.len() {
            return self.refuse(ReasonId::TooLarge, "min() or max() of many objects");
        }
        let int = |i: usize| Sym::Known(Value::Int(i64::try_from(i).unwrap_or(i64::MAX)));
        let mut best: Option<(Sym, Sym)> = None;
        for (i, ((_, condition), (k, _))) in items.iter().zip(&keys).enumerate() {
            let there = condition.map_or(Sym::Known(Value::bool(true)), Sym::flag);
            let (at, least) = match best {
                None => (Sym::Known(Value::Int(-1)), k.clone()),
                Some(best) => best,
            };
            let first = self.compare(CompareOp::Lt, &at, &int(0))?;
            let better = self.compare(op, k, &least)?;
            // Keys may be tensors, and so what comes of comparing them.
            let better = match self.truth(&better)? {
                Truth::Known(known) => Sym::Known(Value::bool(known)),
                Truth::Dynamic(p) => Sym::flag(p),
            };
            let better = self.binary(BinaryOp::Or, &first, &better)?;
            let wins = self.binary(BinaryOp::And, &there, &better)?;
            let at = self.either(&wins, &int(i), &at)?;
            best = Some((at, self.either(&wins, k, &least)?));
        }
        let (Some((at, _)), Some((last, _))) = (best, items.last()) else {
            return self.refuse(ReasonId::WouldRaise, "it would raise: an empty sequence");
        };
        let mut found = last.clone();
        for (i, (v, _)) in items.iter().enumerate().rev().skip(1) {
            match self.compare(CompareOp::Eq, &at, &int(i))? {
                Sym::Scalar(is_it) => found = self.merged_on(is_it.id, v, &found)?,
                Sym::Known(Value::Bool(Bool::True)) => found = v.clone(),
                _ => {}
            }
        }
        match (self.has_items(&items)?, default) {
            (Sym::Scalar(any), Some(default)) => self.merged_on(any.id, &found, &default),
            (Sym::Scalar(any), None) => {
                let (reason, key) = (DeoptReason::ArithmeticError, self.key("empty"));
                self.assert(any.id, reason, key, "there is an item".to_owned())?;
                Ok(found)
            }
            _ => Ok(found),
        }
    }

    /// One of two numbers of one type, or of two tensors.
    fn either(&mut self, condition: &Sym, then: &Sym, otherwise: &Sym) -> Res<Sym> {
        let p = match condition {
            Sym::Known(Value::Bool(Bool::True)) => return Ok(then.clone()),
            Sym::Known(Value::Bool(Bool::False)) => return Ok(otherwise.clone()),
            Sym::Scalar(s) => s.id,
            _ => return self.defect("a choice by what is no bool"),
        };
        if self.number(then)?.is_none() || self.number(otherwise)?.is_none() {
            return self.merged_on(p, then, otherwise);
        }
        self.chosen(p, then, otherwise)
    }
}
