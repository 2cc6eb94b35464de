//! Sets made inside the region.
//!
//! In: set operations whose items can be told apart now. Out: the same on a list of items.
//! Always: the order of a set's items is tier 0's business, so a set is never iterated here.

use crate::Res;
use crate::exec::Executor;
use crate::sym::{Kind, Obj, Sym};

impl Executor<'_> {
    /// A new set of these items.
    pub(crate) fn set_of(&mut self, items: Vec<Sym>) -> Res<Sym> {
        let set = self.alloc(Kind::Set(Vec::new()));
        for item in items {
            self.set_add(&set, item)?;
        }
        Ok(set)
    }

    fn set_obj(&self, set: &Sym) -> Res<Obj> {
        match set {
            Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Set(_)) => Ok(*o),
            _ => self.fail("a set from outside the region has no graph form yet"),
        }
    }

    /// The place of an item.
    pub(crate) fn set_find(&mut self, set: &Sym, item: &Sym) -> Res<Option<usize>> {
        let obj = self.set_obj(set)?;
        let Kind::Set(items) = self.state.heap[obj].kind.clone() else {
            return self.fail("not a set");
        };
        for (i, other) in items.iter().enumerate() {
            if self.same_key(other, item)? {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    pub(crate) fn set_add(&mut self, set: &Sym, item: Sym) -> Res<()> {
        if matches!(item, Sym::Scalar(_)) {
            return self.fail("a number that moves is put into a set");
        }
        if self.set_find(set, &item)?.is_none() {
            let obj = self.set_obj(set)?;
            if let Kind::Set(items) = &mut self.state.heap[obj].kind {
                items.push(item);
            }
        }
        Ok(())
    }

    /// Takes an item away; whether it was there.
    pub(crate) fn set_remove(&mut self, set: &Sym, item: &Sym) -> Res<bool> {
        let found = self.set_find(set, item)?;
        let obj = self.set_obj(set)?;
        if let (Some(at), Kind::Set(items)) = (found, &mut self.state.heap[obj].kind) {
            items.remove(at);
        }
        Ok(found.is_some())
    }
}
