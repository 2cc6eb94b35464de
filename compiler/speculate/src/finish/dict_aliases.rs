//! One dict under several names.
//!
//! In: what is known of the objects from outside when a region ends. Out: a refusal where one of them is written while
//! another one's entries lie in the same dict. Always: the dict of an instance may be named by itself (`vars`), belong to
//! several instances, or hold the entries of the instance (`self.__dict__ = self`); each of them has attributes or entries of
//! its own in the region, so a write to one would not be seen in the other.

use std::collections::HashMap;

use janus_object::{PyDict, PyRef, Value};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{HeapObject, Kind};

/// The dict from outside that this object's attributes or entries are in.
fn dict_of(object: &HeapObject) -> Option<*const PyDict> {
    let value = &object.origin.as_ref()?.value;
    let dict = match (&object.kind, value) {
        (Kind::Instance(_), Value::Instance(instance)) => instance.dict.get()?,
        (Kind::Dict(_) | Kind::Open(_), value) => value.as_dict()?.clone(),
        _ => return None,
    };
    Some(PyRef::as_ptr(&dict))
}

fn is_written(kind: &Kind) -> bool {
    match kind {
        Kind::Instance(i) => !i.written.is_empty(),
        Kind::Dict(d) => !(d.written.is_empty() && d.removed.is_empty()),
        Kind::Open(open) => !open.is_unchanged(),
        _ => false,
    }
}

impl Executor<'_> {
    /// Refuses a region that writes into a dict which it knows in two ways.
    pub(crate) fn check_dicts(&self) -> Res<()> {
        let mut ways: HashMap<*const PyDict, (&HeapObject, bool, bool)> = HashMap::new();
        for object in self.state.heap.iter() {
            let Some(dict) = dict_of(object) else {
                continue;
            };
            let (first, several, written) = ways.entry(dict).or_insert((object, false, false));
            let same_way = |a: &HeapObject, b: &HeapObject| {
                let kinds =
                    matches!(a.kind, Kind::Instance(_)) == matches!(b.kind, Kind::Instance(_));
                let value = |o: &HeapObject| {
                    o.origin
                        .as_ref()
                        .map(|o| janus_object::ops::identity(&o.value))
                };
                kinds && value(a) == value(b)
            };
            *several |= !same_way(first, object);
            *written |= is_written(&object.kind);
        }
        match ways
            .values()
            .any(|&(_, several, written)| several && written)
        {
            true => self.refuse(
                ReasonId::ObjectLayout,
                "the __dict__ of an object is written that has another name, too",
            ),
            false => Ok(()),
        }
    }
}
