//! Sets: made inside the region, or there at entry with items that are guarded.
//!
//! In: set operations whose items can be told apart now. Out: the same on a list of items.
//! Always: the order of a set's items is tier 0's business, so a set is never iterated here, and
//! one whose order would depend on that of another does not leave the region.

use janus_bytecode::BinaryOp;
use janus_object::{PySet, Value};
use janus_plan::{Check, Commit, NodeId, ReasonId, Recipe, RecipeId, Relax, ScalarType};

use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymSet};
use crate::{Res, Stop};

/// Items of a set that is there at entry at most.
const MAX_ITEMS: usize = 32;

/// Whether a value's hash and equality run nobody's code.
fn is_simple(value: &Value) -> bool {
    match value {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Str(_) => true,
        Value::Tuple(t) => t.items.iter().all(is_simple),
        _ => false,
    }
}

impl Executor<'_> {
    /// A new set of these items.
    pub(crate) fn set_of(&mut self, items: Vec<Sym>) -> Res<Sym> {
        let set = self.alloc(Kind::Set(SymSet::default()));
        for item in items {
            self.set_add(&set, item)?;
        }
        Ok(set)
    }

    /// The guard of a set that is there at entry, and what it holds.
    pub(crate) fn entry_set(&self, set: &PySet, path: &str) -> Res<(Check, Kind)> {
        let items = set.items();
        if items.len() > MAX_ITEMS || !items.iter().all(is_simple) {
            return self.refuse(ReasonId::TooLarge, format!(
                "{path} is a set of more than {MAX_ITEMS} items, or of other than numbers and strings"
            ));
        }
        let held = SymSet {
            items: items.iter().cloned().map(Sym::Known).collect(),
            unordered: false,
        };
        Ok((Check::Set(items), Kind::Set(held)))
    }

    fn set_obj(&self, set: &Sym) -> Res<Obj> {
        match set {
            Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Set(_)) => Ok(*o),
            _ => self.refuse(
                ReasonId::NoGraphForm,
                "an operation on a set has no graph form yet",
            ),
        }
    }

    fn set(&self, obj: Obj) -> Res<SymSet> {
        match &self.state.heap[obj].kind {
            Kind::Set(set) => Ok(set.clone()),
            _ => self.defect("not a set"),
        }
    }

    pub(crate) fn position(&mut self, items: &[Sym], item: &Sym) -> Res<Option<usize>> {
        self.check_hash(item)?;
        let item = self.settled(item)?;
        for (i, other) in items.iter().enumerate() {
            if self.same_key(other, &item)? {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    /// The place of an item.
    pub(crate) fn set_find(&mut self, set: &Sym, item: &Sym) -> Res<Option<usize>> {
        let obj = self.set_obj(set)?;
        let items = self.set(obj)?.items;
        match self.position(&items, item) {
            Err(stop) if stop.is_refusal() => {
                self.opened(obj, item)?;
                Err(stop)
            }
            found => found,
        }
    }

    pub(crate) fn set_add(&mut self, set: &Sym, item: Sym) -> Res<()> {
        if let Some(obj) = self.open(set) {
            return self.open_add(obj, &item);
        }
        let item = self.settled(&item)?;
        if item.known().is_none() {
            let obj = self.set_obj(set)?;
            self.opened(obj, &item)?;
            if let (Sym::Scalar(_), Some(origin)) = (&item, &self.state.heap[obj].origin) {
                return Err(Stop::Again(Relax::Open(origin.path.clone())));
            }
        }
        if matches!(item, Sym::Scalar(_)) {
            return self.refuse(
                ReasonId::MovingValue,
                "a number that moves is put into a set",
            );
        }
        if self.set_find(set, &item)?.is_none() {
            let obj = self.set_obj(set)?;
            if let Kind::Set(set) = &mut self.state.heap[obj].kind {
                set.items.push(item);
            }
        }
        Ok(())
    }

    /// Takes an item away; whether it was there.
    pub(crate) fn set_remove(&mut self, set: &Sym, item: &Sym) -> Res<bool> {
        if let Some(obj) = self.open(set) {
            return self.open_set(obj, item, None);
        }
        let found = self.set_find(set, item)?;
        let obj = self.set_obj(set)?;
        if found.is_some() {
            self.opened(obj, item)?;
        }
        if found.is_some() && self.state.heap[obj].origin.is_some() {
            return self.refuse(
                ReasonId::OutsideList,
                "an item of a set from outside is taken away",
            );
        }
        if let (Some(at), Kind::Set(set)) = (found, &mut self.state.heap[obj].kind) {
            set.items.remove(at);
        }
        Ok(found.is_some())
    }

    /// What a set holds, if it is one.
    pub(crate) fn held(&self, v: &Sym) -> Option<Vec<Sym>> {
        match v {
            Sym::Known(Value::Set(s)) if s.frozen => {
                Some(s.items().into_iter().map(Sym::Known).collect())
            }
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Set(set) => Some(set.items.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a set holds, for what does not depend on their order: ints are added, and they or texts
    /// are sorted.
    pub(crate) fn in_any_order(&self, v: &Sym) -> Option<Vec<Sym>> {
        let items = self.held(v)?;
        let is_int = |v: &Sym| match v {
            Sym::Known(v) => matches!(v, Value::Int(_) | Value::Bool(_)),
            Sym::Scalar(s) => s.ty != ScalarType::Float,
            _ => false,
        };
        let is_text = |v: &Sym| matches!(v, Sym::Known(Value::Str(_)));
        (items.iter().all(is_int) || items.iter().all(is_text)).then_some(items)
    }

    /// `a | b`, `a & b`, `a - b` and `a |= b` where `a` is a set; `None`: these are no sets.
    pub(crate) fn set_binary(&mut self, op: BinaryOp, a: &Sym, b: &Sym) -> Res<Option<Sym>> {
        let (Sym::Obj(o), Some(mine), Some(theirs)) = (a, self.held(a), self.held(b)) else {
            return Ok(None);
        };
        let mut kept = Vec::new();
        let mut new = Vec::new();
        for v in &theirs {
            if self.position(&mine, v)?.is_none() {
                new.push(v.clone());
            }
        }
        for v in &mine {
            let both = self.position(&theirs, v)?.is_some();
            if both == matches!(op, BinaryOp::And) {
                kept.push(v.clone());
            }
        }
        let items = match op {
            BinaryOp::InplaceOr => {
                // The order in which several come in would be that of the other set.
                if new.len() > 1 && self.state.heap[*o].origin.is_some() {
                    return self.refuse(
                        ReasonId::TooLarge,
                        "several items are added to a set from outside at once",
                    );
                }
                if let Kind::Set(set) = &mut self.state.heap[*o].kind {
                    set.unordered |= new.len() > 1;
                    set.items.extend(new);
                }
                return Ok(Some(a.clone()));
            }
            BinaryOp::Or => [mine, new].concat(),
            BinaryOp::And | BinaryOp::Sub => kept,
            _ => return Ok(None),
        };
        let unordered = items.len() > 1;
        Ok(Some(self.alloc(Kind::Set(SymSet { items, unordered }))))
    }

    /// What was added to a set that was there at entry.
    pub(crate) fn commit_set(
        &mut self,
        out: &mut crate::emit::outputs::Out,
        node: NodeId,
        set: &SymSet,
    ) -> Res<()> {
        let Check::Set(before) = &self.entry.nodes[node.0 as usize].check else {
            return self.defect("not a set");
        };
        let new = set.items.get(before.len()..).unwrap_or_default().to_vec();
        if new.is_empty() {
            return Ok(());
        }
        self.guard_written(node);
        let target = Self::push(out, Recipe::Node(node));
        let slots: Vec<Slot> = new.into_iter().map(Slot::Loaded).collect();
        let items: Vec<RecipeId> = self.slot_recipes(out, &slots)?;
        out.commits.push(Commit::Add { set: target, items });
        Ok(())
    }
}
