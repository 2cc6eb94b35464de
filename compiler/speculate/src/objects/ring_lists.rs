//! Lists from outside of which items are replaced at indices that move: rings of a replay memory, tables by state.
//!
//! In: such a list, an int of the graph, a value. Out: the same list with that noted. Always: it is carried out at the
//! commit, and no item of the list is read in between; so it matters neither what they are nor how many.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::Value;
use janus_plan::{Commit, NodeId, ReasonId, Recipe, ScalarType};

use crate::Res;
use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Sym, SymList, SymReplaced};

/// Items of a list that are looked at for one of them to be written at most.
const MAX_LOOKED_AT: usize = 32;

/// What keeps such a list out.
pub(crate) const REPLACED: &str = "an item of a list is written at an index that moves";

impl Executor<'_> {
    /// A list of which the item at `index` is replaced without a look at the others; of a few numbers each is told.
    pub(crate) fn replaceable(&self, list: &Sym, index: &Sym) -> Option<Obj> {
        let Sym::Obj(obj) = *list else { return None };
        let moves = match index {
            Sym::Scalar(s) => s.ty == ScalarType::Int,
            Sym::Known(Value::Int(_)) => false,
            _ => return None,
        };
        let object = &self.state.heap[obj];
        let is_told = |v: &Value| {
            let items = v.as_list().map(|l| l.to_vec()).unwrap_or_default();
            let is_number =
                |v: &Value| matches!(v, Value::Int(_) | Value::Float(_) | Value::Bool(_));
            (1..=MAX_NUMBERS).contains(&items.len()) && items.iter().all(is_number)
        };
        match &object.kind {
            Kind::Replaced(_) => Some(obj),
            Kind::List(l) if !l.rewritten && l.dropped == 0 => {
                let origin = object.origin.as_ref()?;
                let is_long = || {
                    origin
                        .value
                        .as_list()
                        .is_some_and(|l| l.len() > MAX_LOOKED_AT)
                };
                let wanted = match moves {
                    true => !is_told(&origin.value),
                    false => {
                        l.base.is_none()
                            && (is_long() || l.appended.iter().any(|(_, c)| c.is_some()))
                    }
                };
                wanted.then_some(obj)
            }
            _ => None,
        }
    }

    /// `list[index] = value`, of a list that is for that.
    pub(crate) fn replace_item(&mut self, obj: Obj, index: &Sym, value: &Sym) -> Res<()> {
        let mut replaced = match &self.state.heap[obj].kind {
            Kind::Replaced(replaced) => replaced.clone(),
            Kind::List(list) => SymReplaced {
                list: list.clone(),
                items: Vec::new(),
            },
            _ => return self.refuse(ReasonId::MovingValue, REPLACED),
        };
        let length = self.replaced_length(obj, &replaced.list)?;
        let at = match index {
            Sym::Scalar(index) => {
                let length = self.number_dim(&length)?;
                Sym::Scalar(self.place_from_start(*index, length)?)
            }
            Sym::Known(Value::Int(0..)) => {
                self.assert_in_range(CompareOp::Lt, index, &length)?;
                index.clone()
            }
            _ => {
                let zero = Sym::Known(Value::Int(0));
                let at = self.binary(BinaryOp::Add, &length, index)?;
                self.assert_in_range(CompareOp::Ge, &at, &zero)?;
                at
            }
        };
        replaced.items.push((at, value.clone()));
        self.state.heap[obj].kind = Kind::Replaced(replaced);
        Ok(())
    }

    /// How many items it has, which is no other number than before.
    pub(crate) fn replaced_length(&mut self, obj: Obj, list: &SymList) -> Res<Sym> {
        let origin = self.state.heap[obj].origin.clone();
        let at_entry = match &origin {
            Some(origin) => self.length_at_entry(list, origin)?,
            None => None,
        };
        if let Some(length) = at_entry {
            return Ok(length);
        }
        let known = list.base.as_ref().map_or(0, Vec::len);
        let known = Sym::Known(Value::Int(i64::try_from(known).unwrap_or(i64::MAX)));
        self.with_appended(known, &list.appended)
    }

    /// Notes what is written back: what was appended, and then the items.
    pub(crate) fn commit_replaced(
        &mut self,
        out: &mut Out,
        list: NodeId,
        replaced: &SymReplaced,
    ) -> Res<()> {
        self.guard_written(list);
        let target = Self::push(out, Recipe::Node(list));
        if !replaced.list.appended.is_empty() {
            self.commit_appended(out, (list, target), &replaced.list)?;
        }
        for (at, value) in &replaced.items {
            let key = self.recipe(out, at)?;
            let value = self.recipe(out, value)?;
            out.commits.push(Commit::SetItem {
                container: target,
                key,
                value: Some(value),
            });
        }
        Ok(())
    }
}

impl SymReplaced {
    /// All values that the list gets.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Sym> {
        let appended = self.list.appended.iter().map(|(v, _)| v);
        appended.chain(self.items.iter().map(|(_, v)| v))
    }

    /// Whether nothing was replaced in one and not in the other.
    pub(crate) fn is_same(&self, other: &SymReplaced) -> bool {
        let same = |((at, v), (bt, w)): (&(Sym, Sym), &(Sym, Sym))| at.same(bt) && v.same(w);
        self.items.len() == other.items.len() && self.items.iter().zip(&other.items).all(same)
    }
}

/// Numbers to choose from at most.
pub(crate) const MAX_NUMBERS: usize = 64;
