//! What a backward needs, keeps and frees.
//!
//! In: operations that are recorded, and losses. Out: what of them is there for a backward, and what is freed by it.
//! Always: what was modified since, or freed, is refused as PyTorch does.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use janus_dialect::ValueId;
use janus_plan::ReasonId;
use janus_tensor::ops::Prim;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{GradName, Keeping, Kind, MadeBy, Obj, SymTensor};
use crate::tensors::gradients::{MODIFIED, MODIFIED_ON_ONE_SIDE};

/// Whether a backward pass freed what the tape kept.
pub(crate) enum Freed {
    Never,
    Always,
    /// On sides of branches: where one of these holds.
    If(Vec<ValueId>),
    /// What a loop or a call made was gone through: that keeps tensors, nearly always.
    Likely,
    Unknown,
}

/// What the tape keeps for a result's gradient.
#[derive(Default)]
pub(crate) struct KeptFor {
    /// The tensors on its way for which it keeps what a backward pass frees, or may do so.
    pub freed: BTreeSet<Obj>,
    /// The tensors that own what it keeps, at these versions.
    pub saved: BTreeSet<(Obj, u32)>,
}

impl KeptFor {
    /// The places of what it keeps.
    pub(crate) fn places<T: Copy>(&self, of: &[((Obj, u32), T)]) -> Vec<T> {
        let kept = of
            .iter()
            .filter(|(content, _)| self.saved.contains(content));
        kept.map(|&(_, place)| place).collect()
    }
}

/// Whether the tape keeps tensors for its gradient, which a backward pass frees.
pub(crate) fn frees(t: &SymTensor) -> bool {
    let factor = |name: &str| matches!(name, "MulBackward0" | "DivBackward0");
    let is_factor = matches!(&t.tape.grad_name, GradName::Of(name) if factor(name));
    t.tape.kept == Keeping::Tensors || (t.tape.kept == Keeping::Numbers && is_factor)
}

/// Whether one operation made it, or only a choice: what a loop or a call made is one thing here.
fn is_one(t: &SymTensor) -> bool {
    t.tape.made_by.is_some() || !t.identity.parts.is_empty() || t.tape.kept == Keeping::Decided
}

impl Executor<'_> {
    /// Whether what the tape kept for a loss was freed by a backward pass that went through it, so that another one
    /// is PyTorch's error.
    pub(crate) fn freed(&self, loss: Obj) -> Res<Freed> {
        let (mut certain, mut likely) = (true, false);
        let mut conditions = Vec::new();
        let mut seen = HashSet::from([loss]);
        let mut pending = vec![loss];
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj)?;
            if !t.requires_grad || t.leaf {
                continue;
            }
            if t.tape.consumed {
                match t.tape.consumed_if {
                    _ if !frees(t) && is_one(t) => {}
                    consumed_if if !frees(t) => {
                        certain = false;
                        likely |= consumed_if.is_none();
                    }
                    None => return Ok(Freed::Always),
                    Some(condition) => {
                        conditions.extend((!conditions.contains(&condition)).then_some(condition))
                    }
                }
            }
            pending.extend(t.tape.inputs.iter().filter(|&&input| seen.insert(input)));
        }
        Ok(match certain {
            false if likely => Freed::Likely,
            false => Freed::Unknown,
            true if conditions.is_empty() => Freed::Never,
            true => Freed::If(conditions),
        })
    }

    /// What a backward pass frees on its way from a result of an iteration, and of those before it: `round` tells what
    /// of those has which value.
    pub(crate) fn freed_within(
        &self,
        result: Obj,
        is_inside: impl Fn(Obj) -> bool,
        round: &HashMap<ValueId, Obj>,
    ) -> Res<BTreeSet<Obj>> {
        let mut freed = BTreeSet::new();
        let mut seen = HashSet::from([result]);
        let mut pending = vec![result];
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj)?;
            if !t.requires_grad || t.leaf || !is_inside(obj) {
                continue;
            }
            if frees(t) {
                freed.insert(obj);
            }
            let before = round.get(&t.value);
            pending.extend(
                t.tape
                    .inputs
                    .iter()
                    .chain(before)
                    .filter(|&&o| seen.insert(o)),
            );
        }
        Ok(freed)
    }

    /// What the tape keeps for the gradient of a result.
    pub(crate) fn kept_for(&self, result: Obj) -> Res<KeptFor> {
        let mut kept = KeptFor::default();
        let mut seen = HashSet::from([result]);
        let mut pending = vec![result];
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj)?;
            if !t.requires_grad || t.leaf {
                continue;
            }
            if frees(t) || !is_one(t) {
                kept.freed.insert(obj);
            }
            kept.freed.extend(t.tape.within.iter());
            kept.saved.extend(t.tape.saved.iter());
            pending.extend(t.tape.inputs.iter().filter(|&&input| seen.insert(input)));
        }
        Ok(kept)
    }

    /// Notes that a backward pass has gone from a loss to its leaves, or to these tensors: what the tape kept on
    /// the way is freed.
    pub(crate) fn consume(&mut self, loss: Obj, wrt: Option<&[Obj]>) -> Res<()> {
        let is_leaf = |o: &Obj| self.tensor(*o).is_ok_and(|t| t.leaf);
        let mut gone_through = BTreeSet::new();
        if let Some(wrt) = wrt.filter(|wrt| !wrt.iter().all(is_leaf)) {
            let needed = self.needed(loss, wrt)?;
            for &obj in &needed {
                let t = self.tensor(obj)?;
                if !t.leaf && t.tape.inputs.iter().any(|o| needed.contains(o)) {
                    gone_through.insert(obj);
                }
            }
        } else {
            let mut pending = vec![loss];
            while let Some(obj) = pending.pop() {
                let t = self.tensor(obj)?;
                let leads = |wrt: &[Obj]| t.tape.leaves.iter().any(|l| wrt.contains(&l.obj));
                let on = t.requires_grad && !t.leaf && !t.is_spent() && wrt.is_none_or(leads);
                if on && gone_through.insert(obj) {
                    pending.extend(t.tape.inputs.iter().copied());
                }
            }
        }
        // Results of one loop share what its iterations keep.
        let mut within: HashSet<Obj> = HashSet::new();
        for &obj in &gone_through {
            within.extend(self.tensor(obj)?.tape.within.iter());
        }
        for obj in 0..self.state.heap.len() {
            let shares = match &self.state.heap[obj].kind {
                Kind::Tensor(t) => t.tape.within.iter().any(|o| within.contains(o)),
                _ => false,
            };
            if shares {
                gone_through.insert(obj);
            }
        }
        for obj in gone_through {
            let t = self.tensor_mut(obj)?;
            (t.tape.consumed, t.tape.consumed_if) = (true, None);
        }
        Ok(())
    }

    /// Notes what the tape keeps for the gradient of a result that a primitive made.
    pub(crate) fn keep(&mut self, prim: &Prim, operands: &[Obj], result: Obj) -> Res<()> {
        let Ok(Some(definition)) = janus_tensor::autograd::gradients::definition(prim) else {
            return Ok(());
        };
        let wants = operands
            .iter()
            .map(|&o| self.tensor(o).map(|t| t.requires_grad))
            .collect::<Res<Vec<bool>>>()?;
        let reads = definition.reads(&wants);
        let mut saved = Vec::new();
        let mut kept = Keeping::Nothing;
        for (&o, _) in operands.iter().zip(&reads.operands).filter(|(_, r)| **r) {
            if self.tensor(o)?.tape.splat {
                kept = kept.max(Keeping::Numbers);
                continue;
            }
            kept = Keeping::Tensors;
            let owner = self.owner(o)?;
            if self.layout.changing != Some(owner) {
                saved.push((owner, self.tensor(owner)?.version));
            }
        }
        if reads.result {
            kept = Keeping::Tensors;
            let owner = self.owner(result)?;
            saved.push((owner, self.tensor(owner)?.version));
        }
        let t = self.tensor_mut(result)?;
        t.tape.saved = saved.into();
        t.tape.decided = false;
        t.tape.kept = kept;
        t.tape.made_by = Some(Rc::new(MadeBy::Prim(prim.clone(), operands.to_vec())));
        Ok(())
    }

    /// The parameter that was updated since a result was computed from it: going backward through the result is
    /// PyTorch's error. Where something else was written over, or nobody may notice, the region is refused.
    pub(crate) fn out_of_date(&self, result: Obj) -> Res<Option<Obj>> {
        let Some(owner) = self.modified(result)? else {
            return Ok(None);
        };
        let t = self.tensor(owner)?;
        if t.leaf && t.requires_grad && !t.unversioned {
            Ok(Some(owner))
        } else {
            self.refuse(ReasonId::WouldRaise, MODIFIED)
        }
    }

    /// What a backward pass needs that was written over since: PyTorch raises then. Where a branch or a loop decides
    /// that, the region is refused.
    pub(crate) fn modified(&self, result: Obj) -> Res<Option<Obj>> {
        let mut unsure = false;
        // With each tensor goes whether a branch or a loop decides if it is gone through.
        let mut seen = HashSet::from([(result, false)]);
        let mut pending = vec![(result, false)];
        while let Some((obj, decided)) = pending.pop() {
            let t = self.tensor(obj)?;
            let decided = decided || t.tape.decided;
            for &(owner, version) in t.tape.saved.iter() {
                let owned = self.tensor(owner)?;
                if owned.version == version {
                    continue;
                }
                if !decided && version < owned.unsure_from {
                    return Ok(Some(owner));
                }
                unsure = true;
            }
            let inputs = t.tape.inputs.iter().map(|&input| (input, decided));
            pending.extend(inputs.filter(|&input| seen.insert(input)));
        }
        match unsure {
            true => self.undecided(MODIFIED_ON_ONE_SIDE),
            false => Ok(None),
        }
    }
}
