//! Lists from outside whose items nobody looked at.
//!
//! In: such a list, and what the region appended to it. Out: its length, what its items come to, its last items, its
//! first one. Always: no item is looked at but the ones that are asked for, so its length may move.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::Value;
use janus_plan::{Check, Fold, ReasonId, ScalarType, Step};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Condition, Kind, Obj, Origin, Slot, Sym, SymList, Unloaded};

/// Items from a list's end that are read one by one at most.
const MAX_TAIL: usize = 64;

impl Executor<'_> {
    /// The length of a list whose items nobody looked at: a number read at entry, and what was
    /// appended since.
    pub(crate) fn entry_length(&mut self, obj: Obj) -> Res<Option<Sym>> {
        let object = self.state.heap[obj].clone();
        let (Kind::List(list), Some(origin)) = (&object.kind, &object.origin) else {
            return Ok(None);
        };
        let length = self.length_at_entry(list, origin)?;
        if length.is_none() {
            self.materialise(obj)?;
        }
        Ok(length)
    }

    pub(crate) fn length_at_entry(&mut self, list: &SymList, origin: &Origin) -> Res<Option<Sym>> {
        if list.base.is_some() || list.rewritten {
            return Ok(None);
        }
        let Some(length) = origin.value.as_list().map(|l| l.len()) else {
            return Ok(None);
        };
        let at_entry = self.wrap(&Unloaded {
            step: Step::Length(origin.node),
            value: Value::Int(i64::try_from(length).unwrap_or(i64::MAX)),
            path: format!("len({})", origin.path).into(),
        })?;
        let dropped = Value::Int(i64::try_from(list.dropped).unwrap_or(i64::MAX));
        let left = match list.dropped {
            0 => at_entry,
            _ => self.binary(BinaryOp::Sub, &at_entry, &Sym::Known(dropped))?,
        };
        self.with_appended(left, &list.appended).map(Some)
    }

    /// What the items of a list come to that nobody looked at: a number computed at entry, and what was appended
    /// since. `None`: it has to be told from its items.
    pub(crate) fn folded(&mut self, fold: Fold, items: &Sym) -> Res<Option<Sym>> {
        let Some(obj) = self.container(items) else {
            return Ok(None);
        };
        let object = self.state.heap[obj].clone();
        let (Kind::List(list), Some(origin)) = (&object.kind, &object.origin) else {
            return Ok(None);
        };
        if list.base.is_some() || list.rewritten {
            return Ok(None);
        }
        let now = origin.value.as_list().map(|l| l.to_vec());
        let now = now.as_ref().and_then(|l| l.get(list.dropped..));
        let Some(value) = now.and_then(|items| fold.of(items)) else {
            return Ok(None);
        };
        let name = match fold {
            Fold::Sum => "sum",
            Fold::Min => "min",
            Fold::Max => "max",
        };
        let path = match list.dropped {
            0 => format!("{name}({})", origin.path),
            n => format!("{name}({}[{n}:])", origin.path),
        };
        let mut result = self.wrap(&Unloaded {
            step: Step::Fold(fold, origin.node, list.dropped),
            value,
            path: path.into(),
        })?;
        for (v, condition) in &list.appended {
            let more = match fold {
                Fold::Sum => self.binary(BinaryOp::Add, &result, v)?,
                Fold::Min => self.pick(CompareOp::Lt, v.clone(), result.clone())?,
                Fold::Max => self.pick(CompareOp::Gt, v.clone(), result.clone())?,
            };
            result = match condition {
                Some(c) => self.chosen(*c, &more, &result)?,
                None => more,
            };
        }
        Ok(Some(result))
    }

    /// `before`, and one more for each item that was appended to a list.
    pub(crate) fn with_appended(&mut self, before: Sym, appended: &[(Sym, Condition)]) -> Res<Sym> {
        let mut always = 0;
        let mut sometimes = Vec::new();
        for (_, condition) in appended {
            match condition {
                Some(c) => sometimes.push(*c),
                None => always += 1,
            }
        }
        let always = Sym::Known(Value::Int(always));
        let mut length = self.binary(BinaryOp::Add, &before, &always)?;
        for id in sometimes {
            length = self.binary(BinaryOp::Add, &length, &Sym::flag(id))?;
        }
        Ok(length)
    }

    /// Guards that a list has this many items at entry, or more.
    fn guard_length(&mut self, list: &Origin, count: usize) -> Res<()> {
        let at_least = i64::try_from(count).unwrap_or(i64::MAX);
        let path: Rc<str> = format!("len({}) >= {at_least}", list.path).into();
        let is_known =
            |n: &janus_plan::Node| matches!(&n.step, Step::IntCompare(..) if n.path == path);
        if self.entry.nodes.iter().any(is_known) {
            return Ok(());
        }
        let any = Check::Scalar(ScalarType::Int);
        let length = self.node(Step::Length(list.node), any, &path);
        let wanted = Step::Pinned(Value::Int(at_least));
        let wanted = self.node(wanted, Check::None, &path);
        let step = Step::IntCompare(CompareOp::Ge, length, wanted);
        self.node(step, Check::Equal(Value::bool(true)), &path);
        Ok(())
    }

    /// Takes the first item off a list that was there at entry, without a look at the rest: the slot in which it
    /// was. `None`: all of it has to be known for that.
    pub(crate) fn drop_first(&mut self, obj: Obj) -> Res<Option<Slot>> {
        let object = &self.state.heap[obj];
        let (Kind::List(list), Some(origin)) = (&object.kind, object.origin.clone()) else {
            return Ok(None);
        };
        if list.base.is_some() || list.rewritten {
            return Ok(None);
        }
        // Lists of different lengths are not merged; and what all of it is would be guarded for nothing.
        if self.emission.context != 0 || !self.looping.loops.is_empty() {
            return self.refuse(
                ReasonId::TooLarge,
                "a list loses its first items on one side of a branch or in a loop",
            );
        }
        let at = list.dropped;
        let Some(value) = origin.value.as_list().and_then(|l| l.get(at)) else {
            return Ok(None);
        };
        self.guard_length(&origin, at + 1)?;
        if let Kind::List(list) = &mut self.state.heap[obj].kind {
            list.dropped = at + 1;
        }
        Ok(Some(Slot::Unloaded(Unloaded {
            step: Step::Item(origin.node, at),
            value,
            path: format!("{}[{at}]", origin.path).into(),
        })))
    }

    /// The last item of a list that some items were appended to on conditions.
    pub(crate) fn last_appended(&mut self, first: Sym, appended: &[(Sym, Condition)]) -> Res<Sym> {
        let mut last = first;
        for (v, condition) in appended {
            let Some(condition) = *condition else {
                last = v.clone();
                continue;
            };
            last = self.one_or_other(condition, v.clone(), last)?;
        }
        Ok(last)
    }

    /// `list[-k]` or `list[-k:]` of a list that was there at entry, without a look at the rest.
    pub(crate) fn tail_item(&mut self, obj: Obj, key: &Sym) -> Res<Option<Sym>> {
        let start = match key {
            Sym::Known(Value::Int(i)) => *i,
            Sym::Obj(slice) => match &self.state.heap[*slice].kind {
                Kind::Slice(
                    [
                        Sym::Known(Value::Int(i)),
                        Sym::Known(Value::None),
                        Sym::Known(Value::None),
                    ],
                ) => *i,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let object = self.state.heap[obj].clone();
        let (Kind::List(list), Some(origin)) = (&object.kind, &object.origin) else {
            return Ok(None);
        };
        let Some(real) = origin.value.as_list().map(|l| l.to_vec()) else {
            return Ok(None);
        };
        let count = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
        let certain = list.appended.iter().all(|(_, c)| c.is_none());
        let is_plain = list.base.is_none() && list.dropped == 0;
        if let (Sym::Known(_), -1, false, true, Some(last)) =
            (key, start, certain, is_plain, real.last())
        {
            let at_entry = self.wrap(&Unloaded {
                step: Step::ItemFromEnd(origin.node, 1),
                value: last.clone(),
                path: format!("{}[-1]", origin.path).into(),
            })?;
            return self.last_appended(at_entry, &list.appended).map(Some);
        }
        if start >= 0
            || list.base.is_some()
            || !certain
            || count.saturating_add(list.dropped) > real.len().saturating_add(list.appended.len())
            || count > MAX_TAIL
        {
            return Ok(None);
        }
        if list.dropped > 0 && count > list.appended.len() {
            self.guard_length(origin, count - list.appended.len() + list.dropped)?;
        }
        let mut items = Vec::with_capacity(count);
        for back in (1..=count).rev() {
            let appended = list.appended.len();
            let item = if back <= appended {
                list.appended[appended - back].0.clone()
            } else {
                let k = back - appended;
                self.wrap(&Unloaded {
                    step: Step::ItemFromEnd(origin.node, k),
                    value: real[real.len() - k].clone(),
                    path: format!("{}[-{k}]", origin.path).into(),
                })?
            };
            if matches!(key, Sym::Known(_)) {
                return Ok(Some(item));
            }
            items.push(item);
        }
        Ok(Some(self.list(items)))
    }
}
