//! What the body of a recursion does to what it did not make.
//!
//! In: the state before and after it. Out: what it reached and changed there. Always: a change that the call's region
//! cannot carry out is refused.

use std::collections::HashSet;

use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Leaf, Obj, Slot, State, Sym};

impl Executor<'_> {
    /// The tensors from outside that a result is computed from, and what backward needs of them.
    pub(crate) fn reached_outside(
        &self,
        value: &Sym,
        is_outside: impl Fn(Obj) -> bool,
    ) -> Res<(Vec<Obj>, Vec<(Obj, u32)>)> {
        let mut tensors = Vec::new();
        self.tensors_of(value, &mut tensors);
        let (mut met, mut inputs, mut saved) = (HashSet::new(), Vec::new(), Vec::new());
        while let Some(obj) = tensors.pop() {
            if !met.insert(obj) {
                continue;
            }
            if is_outside(obj) {
                inputs.push(obj);
                continue;
            }
            let t = self.tensor(obj)?;
            tensors.extend(t.tape.inputs.iter().copied());
            saved.extend(t.tape.saved.iter().copied().filter(|(o, _)| is_outside(*o)));
        }
        inputs.sort_unstable();
        saved.sort_unstable();
        saved.dedup();
        Ok((inputs, saved))
    }

    /// The tensors in a result, in the order in which it is taken apart.
    pub(crate) fn tensors_of(&self, value: &Sym, out: &mut Vec<Obj>) {
        let Sym::Obj(obj) = value else { return };
        if let Kind::Tensor(_) = &self.state.heap[*obj].kind {
            return out.push(*obj);
        }
        let Some((_, slots)) = self.new_items(value) else {
            return;
        };
        for slot in slots {
            if let Slot::Loaded(v) = slot {
                self.tensors_of(v, out);
            }
        }
    }

    /// The same result, with tensors that depend on their leaves for sure; what they depend on goes
    /// to `leaves`, tensor by tensor.
    pub(crate) fn without_conditions(
        &mut self,
        value: &Sym,
        leaves: &mut Vec<Vec<Leaf>>,
    ) -> Res<Sym> {
        let Sym::Obj(obj) = value else {
            return Ok(value.clone());
        };
        self.decided(value)?;
        let object = self.state.heap[*obj].clone();
        match object.kind {
            Kind::Tensor(t) if t.some_grad => self.refuse(
                ReasonId::Recursion,
                "a recursion whose end decides whether its result requires grad",
            ),
            Kind::Tensor(mut t) => {
                let all = t.tape.leaves.to_vec();
                t.tape.leaves = all.iter().map(|l| Leaf::new(l.obj, l.value)).collect();
                let is_certain = all.iter().all(|l| l.used.is_none());
                leaves.push(all);
                if is_certain {
                    return Ok(value.clone());
                }
                t.value = self.current(*obj)?;
                t.view = None;
                Ok(self.alloc(Kind::Tensor(t)))
            }
            _ => {
                let form = self.new_items(value).map(|(form, _)| form);
                let (Some(form), Some(obj)) = (form, self.container(value)) else {
                    return Ok(value.clone());
                };
                let items = self.items_of(obj)?;
                let certain = items
                    .iter()
                    .map(|v| self.without_conditions(v, leaves))
                    .collect::<Res<Vec<_>>>()?;
                match items.iter().zip(&certain).all(|(a, b)| a.same(b)) {
                    true => Ok(value.clone()),
                    false => Ok(self.new_sequence(&form, certain)),
                }
            }
        }
    }

    /// What the body changed of the region around it.
    pub(crate) fn changed_outside(&self, before: &State) -> Option<&'static str> {
        let now = &self.state;
        if now.effects.len() != before.effects.len() || now.shown.len() != before.shown.len() {
            return Some("what is printed");
        }
        if now.backwards != before.backwards || now.mode.grad_enabled != before.mode.grad_enabled {
            return Some("gradients");
        }
        for (obj, object) in now.heap.iter().enumerate() {
            if now.heap.is_unchanged(&before.heap, obj) {
                continue;
            }
            let old = match before.heap.get(obj) {
                Some(old) => old,
                None => match self.entry.pristine.get(&obj) {
                    Some((_, old)) => old,
                    None => continue,
                },
            };
            let changed = match (&old.kind, &object.kind) {
                // Numbers and lists that grow are carried.
                (Kind::Instance(_), Kind::Instance(_))
                | (Kind::Cell(_), Kind::Cell(_))
                | (Kind::List(_) | Kind::Grown(_), Kind::List(_) | Kind::Grown(_)) => false,
                (Kind::Dict(a), Kind::Dict(b)) => {
                    a.removed.len() != b.removed.len() || a.entries.len() != b.entries.len()
                }
                (Kind::Set(a), Kind::Set(b)) => a.items.len() != b.items.len(),
                (Kind::Open(a), Kind::Open(b)) => !a.is_same(b),
                (Kind::Replaced(a), Kind::Replaced(b)) => !a.is_same(b),
                (Kind::Filtered(a), Kind::Filtered(b)) => !Self::same_items(a, b),
                (Kind::Tensor(a), Kind::Tensor(b)) => {
                    a.version != b.version
                        || a.grad_written != b.grad_written
                        || a.requires_grad != b.requires_grad
                        || (a.tape.consumed, a.tape.consumed_if)
                            != (b.tape.consumed, b.tape.consumed_if)
                }
                (Kind::Iter(a), Kind::Iter(b)) => !crate::branches::merge::same_position(a, b),
                (Kind::Generator(a), Kind::Generator(b)) => a.is_some() || b.is_some(),
                (a, b) => std::mem::discriminant(a) != std::mem::discriminant(b),
            };
            if changed {
                return Some(match &object.kind {
                    Kind::Dict(_) | Kind::Set(_) | Kind::Open(_) => "a dict or set outside",
                    Kind::Tensor(_) => "a tensor outside",
                    _ => "what is outside",
                });
            }
        }
        None
    }
}
