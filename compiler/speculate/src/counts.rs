//! Numbers of a dict, under an int that the graph computes: counters of classes, of lengths, of states.
//!
//! In: a dict whose keys are a few known ints, and whose values are numbers of one type. Out: the number under a key, or
//! the dict after it was replaced. Always: the key is asserted to be there, so a new one is put in by tier 0.

use janus_object::Value;

use crate::Res;
use crate::exec::Executor;
use crate::plan::{DeoptReason, ScalarType};
use crate::sym::{Kind, Obj, Slot, Sym, SymScalar};

/// Keys at most.
const MAX_KEYS: usize = 16;

/// Whether a graph can look for an int among the keys of a dict.
pub(crate) fn has_few_ints(dict: &Value) -> bool {
    dict.as_dict().is_some_and(|d| {
        let keys = d.keys();
        (1..=MAX_KEYS).contains(&keys.len()) && keys.iter().all(|k| matches!(k, Value::Int(_)))
    })
}

impl Executor<'_> {
    /// The keys and numbers of a dict; `None`: it has others.
    fn counts(&mut self, obj: Obj) -> Res<Option<Vec<(Sym, SymScalar)>>> {
        let Kind::Dict(dict) = &self.state.heap[obj].kind else {
            return Ok(None);
        };
        let keys: Vec<Sym> = dict.entries.iter().map(|(k, _)| k.clone()).collect();
        let is_int = |k: &Sym| matches!(k, Sym::Known(Value::Int(_)));
        if !(1..=MAX_KEYS).contains(&keys.len()) || !keys.iter().all(is_int) {
            return Ok(None);
        }
        let mut counts: Vec<(Sym, SymScalar)> = Vec::with_capacity(keys.len());
        for key in keys {
            let Some(v) = self.dict_get(obj, &key)? else {
                return Ok(None);
            };
            match self.number(&v)? {
                Some(n) if counts.iter().all(|(_, other)| other.ty == n.ty) => {
                    counts.push((key, n));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(counts))
    }

    /// `dict[key]`, or `dict.get(key, default)`; `None`: it is no such dict.
    pub(crate) fn count_under(
        &mut self,
        obj: Obj,
        key: SymScalar,
        default: Option<&Sym>,
    ) -> Res<Option<Sym>> {
        let Some(counts) = self.counts(obj)?.filter(|_| key.ty == ScalarType::Int) else {
            return Ok(None);
        };
        let mut found = match default {
            Some(default) => match self.number(default)? {
                Some(n) if n.ty == counts[0].1.ty => n,
                _ => return Ok(None),
            },
            None => {
                self.assert_key(&counts, key)?;
                counts[0].1
            }
        };
        for (k, n) in &counts {
            found = self.if_equal(key, k, *n, found)?;
        }
        Ok(Some(Sym::Scalar(found)))
    }

    /// `dict[key] = value`. Whether it is such a dict.
    pub(crate) fn set_count(&mut self, obj: Obj, key: SymScalar, value: &Sym) -> Res<bool> {
        let counts = self.counts(obj)?.filter(|_| key.ty == ScalarType::Int);
        let (Some(counts), Some(value)) = (counts, self.number(value)?) else {
            return Ok(false);
        };
        if counts[0].1.ty != value.ty {
            return Ok(false);
        }
        self.assert_key(&counts, key)?;
        let mut after = Vec::with_capacity(counts.len());
        for (k, n) in &counts {
            after.push(Sym::Scalar(self.if_equal(key, k, value, *n)?));
        }
        if let Kind::Dict(dict) = &mut self.state.heap[obj].kind {
            for ((key, slot), v) in dict.entries.iter_mut().zip(after) {
                *slot = Slot::Loaded(v);
                dict.written.push(key.clone());
            }
        }
        Ok(true)
    }

    fn assert_key(&mut self, counts: &[(Sym, SymScalar)], key: SymScalar) -> Res<()> {
        let keys = counts.iter().map(|(k, _)| k.clone()).collect();
        if let Sym::Scalar(ok) = self.is_one_of(&Sym::Scalar(key), keys)? {
            let at = self.key("key");
            let expected = "the dict has the key".to_owned();
            self.assert(ok.id, DeoptReason::MissingFound, at, expected)?;
        }
        Ok(())
    }
}
