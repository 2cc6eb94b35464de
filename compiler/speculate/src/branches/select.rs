//! One item of several, by an index or key that moves: a branch for each.
//!
//! In: a short list or tuple whose items are known, or a dict with few keys, and an int that the graph computes. Out:
//! the item, as a branch on the index would have picked it; of a key, one of those that are there, or another one.

use janus_object::Bool;
use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::{ReasonId, ScalarType};
use janus_tensor::Ops;

use crate::branches::branch::{Branch, Decides};
use crate::executor::Executor;
use crate::objects::ring_lists::{MAX_NUMBERS, REPLACED};
use crate::state::running::Flow;
use crate::state::stop::WhichKey;
use crate::state::sym::{Kind, Obj, Sym, SymFrame, SymScalar};
use crate::state::types::type_of;
use crate::{Res, Stop};

/// Items to choose from by branches at most.
const MAX_BRANCHES: usize = 16;
/// What is left to choose from.
#[derive(Clone)]
pub(crate) struct Pick {
    items: Rc<[Sym]>,
    /// Items before this one are out of question.
    pub from: usize,
    /// Counted from the start.
    index: SymScalar,
}

impl Executor<'_> {
    /// How a dict can be asked for a key that moves: `None`: it has too many keys, or none that are ints.
    pub(crate) fn which_key(&self, dict: Obj, keys: &[Sym], key: &Sym) -> Option<Stop> {
        let Sym::Scalar(
            key @ SymScalar {
                ty: ScalarType::Int,
                ..
            },
        ) = *key
        else {
            return None;
        };
        let mut among = Vec::with_capacity(keys.len());
        for key in keys {
            match key {
                Sym::Known(Value::Int(k)) => among.push(*k),
                Sym::Known(Value::Str(_) | Value::None) => {}
                _ => return None,
            }
        }
        let some = (1..=MAX_BRANCHES).contains(&among.len());
        some.then_some(Stop::WhichKey(WhichKey { dict, key, among }))
    }

    /// Operands of an instruction, with one of the keys that a dict has, or another one, in the place of a key that
    /// moves: it runs with each of them. `None`: the key is no operand.
    pub(crate) fn with_each_key(
        &mut self,
        mut operands: Vec<Sym>,
        which: WhichKey,
    ) -> Res<Option<Vec<Sym>>> {
        let WhichKey { dict, key, among } = which;
        let is_key = |v: &Sym| matches!(v, Sym::Scalar(s) if s.id == key.id);
        let Some(at) = operands.iter().position(is_key) else {
            return Ok(None);
        };
        let mut one_of = None;
        let mut is_there = Sym::Known(Value::bool(false));
        for k in among.into_iter().rev() {
            let this = Sym::Known(Value::Int(k));
            let is = self.compare(CompareOp::Eq, &Sym::Scalar(key), &this)?;
            is_there = self.binary(BinaryOp::Or, &is_there, &is)?;
            one_of = match (one_of, is) {
                (Some(otherwise), Sym::Scalar(is)) => Some(self.alloc(Kind::Choice {
                    condition: is.id,
                    then: this,
                    otherwise,
                })),
                (None, Sym::Scalar(_)) => Some(this),
                (one_of, _) => one_of,
            };
        }
        let (Some(there), Sym::Scalar(missing)) = (one_of, self.not(&is_there)?) else {
            return Ok(None);
        };
        // A value of its own, so that it is known to be none of them wherever it is met.
        let zero = self.int(0)?;
        let id = self.emit1("arith.addi", &[key.id, zero], &[], type_of(key.ty))?;
        self.branching.absent_keys.insert((dict, id));
        operands[at] = self.alloc(Kind::Choice {
            condition: missing.id,
            then: Sym::Scalar(SymScalar { id, ..key }),
            otherwise: there,
        });
        Ok(Some(operands))
    }

    /// What a sequence is indexed by: of a tensor of one element, that as an int.
    pub(crate) fn index_of_sequence(&mut self, container: &Sym, key: Sym) -> Res<Sym> {
        let is_sequence = match container {
            Sym::Known(v) => matches!(v, Value::Tuple(_) | Value::Str(_) | Value::Range(_)),
            _ if self.grown(container).is_some() || self.is_found_sequence(container) => true,
            _ => self.container(container).is_some_and(|obj| {
                matches!(self.state.heap[obj].kind, Kind::List(_) | Kind::Tuple(_))
            }),
        };
        match &key {
            Sym::Obj(obj) if is_sequence && self.is_tensor(&key) => {
                if self.tensor(*obj)?.dtype.is_float() {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: a sequence indexed by floats",
                    );
                }
                let item = self.item(obj)?;
                let id = self.item_place(&Self::number_sym(item))?;
                let ty = ScalarType::Int;
                Ok(Sym::Scalar(SymScalar { id, ty }))
            }
            _ => Ok(key),
        }
    }

    /// `container[index]` of the instruction at `pc`, whose item goes onto the stack.
    pub(crate) fn pick_item(
        &mut self,
        frame: &mut SymFrame,
        pc: u32,
        container: &Sym,
        index: SymScalar,
        stop: Option<u32>,
    ) -> Res<Option<Flow>> {
        let items = match (container, self.container(container)) {
            (Sym::Known(Value::Tuple(t)), _) => t.items.iter().cloned().map(Sym::Known).collect(),
            (Sym::Known(Value::Str(s)), _) => {
                let characters = s.as_str().chars();
                characters
                    .map(|c| Sym::Known(Value::str(c.to_string())))
                    .collect()
            }
            (_, Some(obj)) => self.items_of(obj)?,
            _ => Vec::new(),
        };
        if items.is_empty() || index.ty != ScalarType::Int {
            return Err(Stop::WhichItem);
        }
        if items.len() > MAX_BRANCHES {
            frame.stack.push(self.number_at(&items, index)?);
            return Ok(None);
        }
        let n = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let pick = Pick {
            items: items.into(),
            from: 0,
            index: self.place_from_start(index, janus_tensor::Dim::Known(n))?,
        };
        self.pick_from(frame, pc, &pick, stop)
    }

    /// `items[index]`, where all are numbers of one kind.
    fn number_at(&mut self, items: &[Sym], index: SymScalar) -> Res<Sym> {
        let numbers = items.iter().map(|v| self.number(v));
        let numbers: Option<Vec<SymScalar>> = numbers.collect::<Res<_>>()?;
        let Some(numbers @ [first, ..]) = numbers.as_deref() else {
            return Err(Stop::WhichItem);
        };
        if numbers.len() > MAX_NUMBERS || numbers.iter().any(|s| s.ty != first.ty) {
            return Err(Stop::WhichItem);
        }
        let n = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
        let at = self.place_from_start(index, janus_tensor::Dim::Known(n))?;
        let mut found = *first;
        for (i, &number) in (0i64..).zip(numbers).skip(1) {
            found = self.if_equal(at, &Sym::Known(Value::Int(i)), number, found)?;
        }
        Ok(Sym::Scalar(found))
    }

    /// The items after `items[index] = value`, where all are numbers of one kind.
    pub(crate) fn stored_item(
        &mut self,
        items: Vec<Sym>,
        index: SymScalar,
        value: Option<Sym>,
    ) -> Res<Vec<Sym>> {
        let (Some(value), ScalarType::Int) = (value, index.ty) else {
            return self.refuse(ReasonId::MovingValue, REPLACED);
        };
        let Some(value) = self.number(&value)? else {
            return self.refuse(ReasonId::MovingValue, REPLACED);
        };
        if items.is_empty() || items.len() > MAX_NUMBERS {
            return self.refuse(ReasonId::MovingValue, REPLACED);
        }
        let n = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let at = self.place_from_start(index, janus_tensor::Dim::Known(n))?;
        let mut stored = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            let Some(old) = self.number(item)?.filter(|old| old.ty == value.ty) else {
                return self.refuse(ReasonId::MovingValue, REPLACED);
            };
            let this = Sym::Known(Value::Int(i64::try_from(i).unwrap_or(i64::MAX)));
            stored.push(Sym::Scalar(self.if_equal(at, &this, value, old)?));
        }
        Ok(stored)
    }

    /// A number where an int of the graph is a known one, else another number of the same type.
    pub(crate) fn if_equal(
        &mut self,
        at: SymScalar,
        this: &Sym,
        then: SymScalar,
        otherwise: SymScalar,
    ) -> Res<SymScalar> {
        let equal = self.compare(CompareOp::Eq, &Sym::Scalar(at), this)?;
        let Sym::Scalar(is) = equal else {
            let holds = matches!(equal, Sym::Known(Value::Bool(Bool::True)));
            return Ok(if holds { then } else { otherwise });
        };
        let operands = [is.id, then.id, otherwise.id];
        let id = self.emit1("arith.select", &operands, &[], type_of(then.ty))?;
        Ok(SymScalar { id, ty: then.ty })
    }

    /// One thing or another: a number, where both are numbers of one type.
    pub(crate) fn one_or_other(
        &mut self,
        condition: ValueId,
        then: Sym,
        otherwise: Sym,
    ) -> Res<Sym> {
        match (self.number(&then)?, self.number(&otherwise)?) {
            (Some(a), Some(b)) if a.ty == b.ty => {
                let operands = [condition, a.id, b.id];
                let id = self.emit1("arith.select", &operands, &[], type_of(a.ty))?;
                Ok(Sym::Scalar(SymScalar { id, ty: a.ty }))
            }
            _ => Ok(self.alloc(Kind::Choice {
                condition,
                then,
                otherwise,
            })),
        }
    }

    pub(crate) fn pick_from(
        &mut self,
        frame: &mut SymFrame,
        pc: u32,
        pick: &Pick,
        stop: Option<u32>,
    ) -> Res<Option<Flow>> {
        let Some(item) = pick.items.get(pick.from).cloned() else {
            return Err(Stop::WhichItem);
        };
        if pick.from + 1 == pick.items.len() {
            frame.stack.push(item);
            return Ok(None);
        }
        let this = Sym::Known(Value::Int(i64::try_from(pick.from).unwrap_or(i64::MAX)));
        let is = self.compare(CompareOp::Eq, &Sym::Scalar(pick.index), &this)?;
        let Sym::Scalar(is) = is else {
            return Err(Stop::WhichItem);
        };
        let branch = Branch {
            pc,
            predicate: is.id,
            jump_on: true,
            target: frame.pc,
            decides: Decides::Pick {
                item,
                rest: Pick {
                    from: pick.from + 1,
                    ..pick.clone()
                },
            },
            join: Some(frame.pc),
            effects: self.state.effects.len(),
        };
        self.branch(frame, &branch, stop)
    }
}
