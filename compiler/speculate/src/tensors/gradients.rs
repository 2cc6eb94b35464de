//! Gradients inside of a region: `backward()` and `torch.autograd.grad`, also by what is no leaf, and gradients
//! that have gradients.
//!
//! In: a loss, and what it is differentiated by. Out: `janus.gradient`, and tensor objects with PyTorch's flags.
//! Always: a gradient without a graph of its own is cut off, and is one op, which the autodiff pass expands; one with
//! a graph is made here, of primitives, as tier 0 makes it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use janus_dialect::{Type, ValueId};
use janus_object::Value;
use janus_plan::{Check, DeoptReason, ReasonId, Refusal};
use janus_tensor::autograd::gradients::{self, Kept};
use janus_tensor::autograd::keeps_operand;
use janus_tensor::ops::{BinaryOp, Dims, Prim, ReduceOp};
use janus_tensor::shape::inverse_permutation;
use janus_tensor::{DType, Dim, Ops, Scalar};
use janus_torch::TorchOps;

use crate::executor::Executor;
use crate::state::sym::{GradName, Keeping, Kind, Leaf, MadeBy, Obj, Sym, SymTensor, UserFunction};
use crate::tensors::tensor::Number;
use crate::{Res, Stop};

/// Gradients in one region at most: more come from a loop over training steps that would be unrolled.
const MAX_GRADIENTS: u32 = 32;

/// As many of them a `backward()` counts for.
const BACKWARD: u32 = 8;

/// Why a gradient is left to tier 0.
const UNUSED: &str = "it would raise: a gradient by a tensor that was not used in the graph";
const MODIFIED_ON_ONE_SIDE: &str = "whether what a gradient needs was modified by an inplace operation depends on a branch or a loop";
const MODIFIED: &str = "it would raise: what a gradient needs was modified by an inplace operation";

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
    /// The gradients of a loss with respect to the leaves of its graph, or these among them.
    pub(crate) fn differentiate(
        &mut self,
        t: Obj,
        gradient: Option<Obj>,
        wrt: Option<&[Obj]>,
        retain_graph: bool,
    ) -> Res<(Vec<Leaf>, Vec<ValueId>)> {
        self.check_loss(t)?;
        let loss = self.tensor(t)?.clone();
        let dims = self.dims_of(t)?;
        let seed_obj = self.seed(gradient, loss.dtype, &dims)?;
        let value = self.value_as(t, &dims)?;
        let mut leaves: Vec<Leaf> = if loss.leaf {
            vec![Leaf::new(t, value)]
        } else {
            loss.tape.leaves.to_vec()
        };
        for (i, leaf) in leaves.iter().enumerate() {
            if leaves[..i].iter().any(|l| l.obj == leaf.obj) {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "a parameter that changed between two uses in one graph",
                );
            }
        }
        if let Some(wrt) = wrt {
            let mut asked = Vec::with_capacity(wrt.len());
            for &o in wrt {
                let leaf = leaves.iter().find(|l| l.obj == o).copied();
                asked.push(match leaf {
                    Some(leaf) => leaf,
                    None => self.inner(t, o)?,
                });
            }
            leaves = asked;
        }
        self.check_hooks(leaves.iter().map(|l| l.obj))?;
        let gradients = if self.state.applied {
            self.op_by_op(t, seed_obj, &mut leaves)?
        } else {
            let seed = self.value_as(seed_obj, &dims)?;
            let mut operands = vec![value, seed];
            operands.extend(leaves.iter().map(|l| l.value));
            let types: Vec<Type> = leaves
                .iter()
                .map(|l| self.emission.builder.type_of(l.value))
                .collect();
            self.emit("janus.gradient", &operands, &[], &types)?
        };
        self.state.backwards += if wrt.is_none() { BACKWARD } else { 1 };
        if self.state.backwards > MAX_GRADIENTS {
            return self.refuse(
                ReasonId::TrainingLoop,
                "a loop around a training step: the step itself is compiled",
            );
        }
        if !retain_graph {
            self.consume(t, wrt)?;
        }
        Ok((leaves, gradients))
    }

    /// A loss that requires grad where a branch decided so: one of its leaves was used on the way, which is
    /// asserted.
    fn assert_grad(&mut self, t: Obj) -> Res<()> {
        let loss = self.tensor(t)?;
        let used: Option<Vec<ValueId>> = loss.tape.leaves.iter().map(|l| l.used).collect();
        match used.as_deref() {
            _ if !loss.some_grad => return Ok(()),
            Some([]) => return self.certain_grad(&t),
            // At least one is used whichever way the branches go.
            None => {}
            Some([first, rest @ ..]) => {
                let mut any = *first;
                for &used in rest {
                    any = self.emit1("arith.ori", &[any, used], &[], Type::I1)?;
                }
                let key = self.key("loss");
                let expected = "the loss requires grad".to_owned();
                self.assert(any, DeoptReason::RequiresGradChanged, key, expected)?;
            }
        }
        self.tensor_mut(t)?.some_grad = false;
        Ok(())
    }

    /// Refuses what cannot be differentiated here.
    fn check_loss(&mut self, t: Obj) -> Res<()> {
        let loss = self.tensor(t)?.clone();
        if !loss.requires_grad {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a backward of what does not require grad",
            );
        }
        self.assert_grad(t)?;
        match self.freed(t)? {
            Freed::Never => {}
            Freed::If(_) => {
                return self.undecided("a backward on one side of a branch goes through a result");
            }
            Freed::Always | Freed::Likely | Freed::Unknown => {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: a backward through the same graph again",
                );
            }
        }
        let outer = |this: &Self, o: Obj| this.tensor(o).is_ok_and(|t| t.requires_grad && !t.leaf);
        if (!loss.leaf && loss.tape.leaves.is_empty())
            || loss.tape.leaves.iter().any(|l| outer(self, l.obj))
        {
            return self.refuse(
                ReasonId::GradientOutside,
                "a backward of a graph that began before the region",
            );
        }
        if self.modified(t)?.is_some() {
            return self.refuse(ReasonId::WouldRaise, MODIFIED);
        }
        Ok(())
    }

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
    fn consume(&mut self, loss: Obj, wrt: Option<&[Obj]>) -> Res<()> {
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

    /// Refuses gradients that a hook of the user's looks at.
    fn check_hooks(&self, of: impl IntoIterator<Item = Obj>) -> Res<()> {
        for obj in of {
            let node = self.state.heap[obj].origin.as_ref().map(|o| o.node);
            let node = node.and_then(|n| self.entry.nodes.get(n.0 as usize));
            if matches!(node.map(|n| &n.check), Some(Check::Tensor(check)) if check.hooked) {
                return self.refuse(
                    ReasonId::GradientForm,
                    "the gradient of a tensor that has a hook",
                );
            }
        }
        Ok(())
    }

    /// The gradient of a loss itself.
    fn seed(&mut self, given: Option<Obj>, dtype: DType, dims: &[Dim]) -> Res<Obj> {
        if let Some(given) = given {
            return Ok(given);
        }
        if !dims.iter().all(|d| d.known() == Some(1)) {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: grad can be implicitly created only for scalar outputs",
            );
        }
        let one = Number::Known(Scalar::F64(1.0));
        self.full(&one, dtype, dims)
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
    fn modified(&self, result: Obj) -> Res<Option<Obj>> {
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

    /// Adds gradients to `.grad`.
    pub(crate) fn accumulate(&mut self, leaves: &[Leaf], gradients: &[ValueId]) -> Res<()> {
        for (&Leaf { obj, used, .. }, &g) in leaves.iter().zip(gradients) {
            // Frozen since it was used.
            if !self.tensor(obj)?.requires_grad {
                continue;
            }
            let (dtype, dims) = (self.tensor(obj)?.dtype, self.dims_of(obj)?);
            let mut new = self.new_gradient(g, dtype, dims)?;
            let old = self.grad_of(obj)?;
            if old.is_none()
                && let Some(order) = self.order_in_memory(obj)?
            {
                // A first gradient lies as the leaf does.
                let turned = self.permute(&new, &order)?;
                let rows = self.copy(&turned)?;
                new = self.laid_out(&rows, &inverse_permutation(&order))?;
            }
            if let Some(choice) = old
                && let Kind::Choice {
                    condition, then, ..
                } = self.state.heap[choice].kind.clone()
            {
                self.accumulate_on_choice(obj, (condition, then), (used, new))?;
                continue;
            }
            match (old, used) {
                (Some(old), None) => {
                    let sum = self.apply(Prim::Binary(BinaryOp::Add), &[&old, &new])?;
                    self.assign(&old, &sum)?;
                }
                (Some(old), Some(used)) => {
                    let sum = self.added_where(used, [old, new], old)?;
                    self.assign(&old, &sum)?;
                }
                (None, None) => self.set_grad(&obj, Some(&new))?,
                (None, Some(condition)) => self.set_grad_where(condition, obj, new)?,
            }
        }
        Ok(())
    }

    /// `.grad` is `grad` where the condition holds, and `None` elsewhere.
    fn set_grad_where(&mut self, condition: ValueId, obj: Obj, grad: Obj) -> Res<()> {
        let choice = self.alloc(Kind::Choice {
            condition,
            then: Sym::Obj(grad),
            otherwise: Sym::Known(Value::None),
        });
        let Sym::Obj(choice) = choice else {
            return self.defect("bad gradient");
        };
        self.set_grad(&obj, Some(&choice))
    }

    /// Adds a gradient, which may be there, to one that may be there.
    fn accumulate_on_choice(
        &mut self,
        obj: Obj,
        (there, old): (ValueId, Sym),
        (used, new): (Option<ValueId>, Obj),
    ) -> Res<()> {
        let old = match old {
            Sym::Obj(old) if self.is_tensor(&Sym::Obj(old)) => old,
            _ => {
                return self.refuse(
                    ReasonId::BranchSides,
                    "a branch decided which tensor a .grad is that is added to",
                );
            }
        };
        // The sum is a tensor of its own here, and that of before there.
        if self.tensor(obj)?.grad_read {
            return self.refuse(
                ReasonId::BranchSides,
                "a .grad is added to that a branch made, and that was read before",
            );
        }
        let Some(used) = used else {
            let sum = self.added_where(there, [old, new], new)?;
            return self.set_grad(&obj, Some(&sum));
        };
        let both = self.emit1("arith.andi", &[there, used], &[], Type::I1)?;
        let any = self.emit1("arith.ori", &[there, used], &[], Type::I1)?;
        let one = self.where_else(there, |_| Ok(old), new)?;
        let sum = self.added_where(both, [old, new], one)?;
        self.set_grad_where(any, obj, sum)
    }

    /// A gradient that nothing flows back through.
    fn new_gradient(&mut self, value: ValueId, dtype: DType, dims: Dims) -> Res<Obj> {
        let obj = self.new_tensor(value, dtype, dims);
        self.tensor_mut(obj)?.tape.cut = true;
        Ok(obj)
    }

    /// `torch.autograd.backward`: of several outputs, as of what they add up to with their gradients as factors.
    pub(crate) fn backward_of(
        &mut self,
        outputs: &Sym,
        grads: &Sym,
        [retain, create]: [&Sym; 2],
        inputs: &Sym,
    ) -> Res<()> {
        let (Sym::Known(Value::Bool(retain)), Sym::Known(Value::Bool(false))) = (retain, create)
        else {
            return self.refuse(
                ReasonId::GradientForm,
                "autograd.backward with create_graph has no graph form yet",
            );
        };
        if !matches!(inputs, Sym::Known(Value::None)) {
            return self.refuse(
                ReasonId::GradientForm,
                "autograd.backward with inputs has no graph form yet",
            );
        }
        let parts = self.outputs_of(outputs, grads)?;
        if let [(t, g)] = parts[..] {
            return self.backward(&t, g.as_ref(), *retain, false);
        }
        let total = self.weighted_sum(&parts)?;
        self.backward(&total, None, *retain, false)
    }

    /// What is differentiated, each with its gradient.
    fn outputs_of(&mut self, outputs: &Sym, grads: &Sym) -> Res<Vec<(Obj, Option<Obj>)>> {
        let (outputs, grads) = (self.collect(outputs)?, self.collect(grads)?);
        let mut parts = Vec::with_capacity(outputs.len());
        for (output, grad) in outputs.iter().zip(&grads) {
            match (output, grad) {
                (Sym::Obj(t), Sym::Obj(g)) if self.is_tensor(output) => parts.push((*t, Some(*g))),
                (Sym::Obj(t), _) if self.is_tensor(output) => parts.push((*t, None)),
                _ => {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: a backward of what is no tensor",
                    );
                }
            }
        }
        Ok(parts)
    }

    /// The sum of all elements, each times its factor, on the tape: its gradient is that of all of them.
    fn weighted_sum(&mut self, parts: &[(Obj, Option<Obj>)]) -> Res<Obj> {
        for &(t, _) in parts {
            self.check_loss(t)?;
        }
        let enabled = std::mem::replace(&mut self.state.mode.grad_enabled, true);
        let total = self.add_up(parts);
        self.state.mode.grad_enabled = enabled;
        total
    }

    fn add_up(&mut self, parts: &[(Obj, Option<Obj>)]) -> Res<Obj> {
        let mut total: Option<Obj> = None;
        for &(t, factor) in parts {
            let (dtype, dims) = (self.tensor(t)?.dtype, self.dims_of(t)?);
            let factor = self.seed(factor, dtype, &dims)?;
            let product = self.mul(&t, &factor)?;
            let all: Vec<usize> = (0..dims.len()).collect();
            let sum = self.reduce(ReduceOp::Sum, &product, &all)?;
            if total.is_some_and(|known| self.tensor(known).is_ok_and(|k| k.dtype != dtype)) {
                return self.refuse(
                    ReasonId::GradientForm,
                    "one gradient of several outputs of several dtypes",
                );
            }
            total = Some(match total {
                Some(total) => self.add(&total, &sum)?,
                None => sum,
            });
        }
        match total {
            Some(total) => Ok(total),
            None => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a gradient of no outputs",
            ),
        }
    }

    /// `torch.autograd.grad` of one output.
    pub(crate) fn gradients_of(&mut self, args: &[Sym]) -> Res<Option<Sym>> {
        let [outputs, seeds, inputs, retain, create, allow] = args else {
            return Ok(None);
        };
        let mut flags = [false; 3];
        for (flag, v) in flags.iter_mut().zip([retain, create, allow]) {
            *flag = match self.as_constant(v).as_ref().unwrap_or(v) {
                Sym::Known(Value::Bool(b)) => *b,
                _ => {
                    let refusal = Refusal::new(
                        ReasonId::MovingValue,
                        "autograd.grad: a flag that has to be constant moves",
                    );
                    return Err(self.wants_constant(refusal, args, &[]));
                }
            };
        }
        let [retain, create, allow] = flags;
        let parts = self.outputs_of(outputs, seeds)?;
        let inputs = self.collect(inputs)?;
        let (of, seed) = match parts[..] {
            [part] => part,
            _ => (self.weighted_sum(&parts)?, None),
        };
        let mut wrt = Vec::with_capacity(inputs.len());
        for v in &inputs {
            match v {
                Sym::Obj(o) if self.is_tensor(v) && !wrt.contains(o) => wrt.push(*o),
                _ => {
                    return self.refuse(
                        ReasonId::GradientForm,
                        "autograd.grad: an input that is no tensor, or one twice",
                    );
                }
            }
        }
        if create {
            self.check_loss(of)?;
            self.check_hooks(wrt.iter().copied())?;
            let seed = {
                let (dtype, dims) = (self.tensor(of)?.dtype, self.dims_of(of)?);
                self.seed(seed, dtype, &dims)?
            };
            let found = self.gradients_on_tape(of, seed, &wrt, true)?;
            if !retain {
                self.consume(of, Some(&wrt))?;
            }
            let mut made = Vec::with_capacity(found.len());
            for g in found {
                made.push(match g {
                    Some(g) => Sym::Obj(g),
                    None if allow => Sym::Known(Value::None),
                    None => return self.refuse(ReasonId::WouldRaise, UNUSED),
                });
            }
            return Ok(Some(self.tuple(made)));
        }
        // Those that it does not depend on have none.
        let used = match allow {
            true => {
                let mut used = Vec::with_capacity(wrt.len());
                for &o in &wrt {
                    if self.depends_on(of, o)? {
                        used.push(o);
                    }
                }
                used
            }
            false => wrt.clone(),
        };
        let (leaves, gradients) = self.differentiate(of, seed, Some(&used), retain)?;
        let mut found: BTreeMap<Obj, Sym> = BTreeMap::new();
        for (leaf, g) in leaves.iter().zip(gradients) {
            if leaf.used.is_some() {
                return self
                    .undecided("autograd.grad by what is used on one side of a branch only");
            }
            let (dtype, dims) = (self.tensor(leaf.obj)?.dtype, self.dims_of(leaf.obj)?);
            let made = self.new_gradient(g, dtype, dims)?;
            found.insert(leaf.obj, Sym::Obj(made));
        }
        let of = |o: &Obj| found.get(o).cloned().unwrap_or(Sym::Known(Value::None));
        Ok(Some(self.tuple(wrt.iter().map(of).collect())))
    }

    /// What a loss is differentiated by that is no leaf: it was made in the region, and the loss is computed from
    /// it.
    fn inner(&self, loss: Obj, wrt: Obj) -> Res<Leaf> {
        let t = self.tensor(wrt)?;
        let is_plain = t.requires_grad && t.view.is_none() && t.version == 0 && !t.is_decided();
        if !is_plain || self.state.heap[wrt].origin.is_some() {
            return self.refuse(
                ReasonId::GradientForm,
                "a gradient with respect to what is no leaf of the graph",
            );
        }
        if !self.between(loss)?.contains(&wrt) {
            return self.refuse(ReasonId::WouldRaise, UNUSED);
        }
        Ok(Leaf::new(wrt, t.value))
    }

    /// Whether a loss is computed from this, as far as gradients go.
    fn depends_on(&self, loss: Obj, on: Obj) -> Res<bool> {
        let t = self.tensor(loss)?;
        if on == loss || t.tape.leaves.iter().any(|l| l.obj == on) {
            return Ok(true);
        }
        Ok(!self.tensor(on)?.leaf && self.between(loss)?.contains(&on))
    }

    /// The tensors on the way from a loss to its leaves, which are among them.
    fn between(&self, loss: Obj) -> Res<HashSet<Obj>> {
        let mut met = HashSet::new();
        let mut pending = vec![loss];
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj)?;
            if !t.requires_grad || !met.insert(obj) || t.leaf {
                continue;
            }
            if t.tape.made_by.is_none() {
                return self.refuse(ReasonId::GradientForm,
                    "a gradient by what is no leaf, or of a gradient, through a branch, loop, call or write",
                );
            }
            pending.extend(t.tape.inputs.iter());
        }
        Ok(met)
    }

    /// The gradients of a loss as values of the graph, op by op; leaves that get none are left out.
    fn op_by_op(&mut self, loss: Obj, seed: Obj, leaves: &mut Vec<Leaf>) -> Res<Vec<ValueId>> {
        if leaves.iter().any(|l| l.used.is_some()) {
            return self.refuse(
                ReasonId::GradientForm,
                "a gradient of a torch.autograd.Function, by what is used on one side of a branch",
            );
        }
        let wrt: Vec<Obj> = leaves.iter().map(|l| l.obj).collect();
        let found = self.gradients_on_tape(loss, seed, &wrt, false)?;
        let mut gradients = Vec::with_capacity(found.len());
        let mut with = Vec::with_capacity(found.len());
        for (leaf, g) in leaves.drain(..).zip(found) {
            if let Some(g) = g {
                let dims = self.dims_of(leaf.obj)?;
                gradients.push(self.value_as(g, &dims)?);
                with.push(leaf);
            }
        }
        *leaves = with;
        Ok(gradients)
    }

    /// The gradients of a loss op by op, as tier 0 takes them; with `create_graph` each has its place on the tape.
    fn gradients_on_tape(
        &mut self,
        loss: Obj,
        seed: Obj,
        wrt: &[Obj],
        create_graph: bool,
    ) -> Res<Vec<Option<Obj>>> {
        let enabled = std::mem::replace(&mut self.state.mode.grad_enabled, create_graph);
        let found = self.go_back(loss, seed, wrt);
        // An exception in the user's backward may be handled.
        self.state.mode.grad_enabled = enabled;
        if create_graph {
            for g in found.as_ref().into_iter().flatten().flatten() {
                if !self.tensor(*g)?.requires_grad && self.links_gradients() {
                    return self.refuse(
                        ReasonId::GradientForm,
                        "a gradient is zero everywhere, and is to be differentiated again",
                    );
                }
            }
        }
        found
    }

    /// Whether a function was used whose gradient is one of its operand, though it does not move with it.
    fn links_gradients(&self) -> bool {
        self.state.heap.iter().any(|object| match &object.kind {
            Kind::Tensor(t) => {
                matches!(&t.tape.grad_name, GradName::Of(name) if keeps_operand(name))
            }
            _ => false,
        })
    }

    fn go_back(&mut self, loss: Obj, seed: Obj, wrt: &[Obj]) -> Res<Vec<Option<Obj>>> {
        let needed = self.needed(loss, wrt)?;
        // By their places: a tensor is made after what it is made of.
        let mut sums: BTreeMap<Obj, (Obj, Obj)> =
            BTreeMap::from([(self.place(loss)?, (loss, seed))]);
        let mut found: BTreeMap<Obj, Obj> = BTreeMap::new();
        while let Some((_, (obj, g))) = sums.pop_last() {
            if wrt.contains(&obj) {
                found.insert(obj, g);
            }
            let Some(made_by) = self.tensor(obj)?.tape.made_by.clone() else {
                continue;
            };
            let results = match &*made_by {
                MadeBy::Prim(prim, operands) => {
                    self.gradients_of_prim(prim, operands, obj, g, &needed)?
                }
                MadeBy::Function(function) => {
                    let mut grads = Vec::with_capacity(function.outputs.len());
                    for output in &function.outputs {
                        let g = if *output == obj {
                            Some(g)
                        } else {
                            sums.remove(&self.place(*output)?).map(|(_, g)| g)
                        };
                        grads.push(g.map_or(Sym::Known(Value::None), Sym::Obj));
                    }
                    self.gradients_of_function(function, grads, &needed)?
                }
                MadeBy::Write(value) => vec![(*value, g)],
            };
            for (operand, g) in results {
                let dtype = self.tensor(operand)?.dtype;
                let g = self.cast(&g, dtype)?;
                // A leaf is no op: it may have been read before or after.
                let is_leaf = self.tensor(operand)?.leaf;
                let place = self.place(operand)?;
                let known = match is_leaf {
                    true => found.get(&operand).copied(),
                    false => sums.get(&place).map(|&(_, sum)| sum),
                };
                let sum = match known {
                    Some(sum) => self.add(&sum, &g)?,
                    None => g,
                };
                match is_leaf {
                    true => _ = found.insert(operand, sum),
                    false => _ = sums.insert(place, (operand, sum)),
                }
            }
        }
        Ok(wrt.iter().map(|o| found.get(o).copied()).collect())
    }

    /// What a primitive's gradient becomes for those operands that are `needed`.
    fn gradients_of_prim(
        &mut self,
        prim: &Prim,
        operands: &[Obj],
        result: Obj,
        g: Obj,
        needed: &BTreeSet<Obj>,
    ) -> Res<Vec<(Obj, Obj)>> {
        let wants: Vec<bool> = operands.iter().map(|o| needed.contains(o)).collect();
        let definition = gradients::definition(prim).map_err(Stop::Tensor)?;
        let Some(definition) = definition.filter(|_| wants.contains(&true)) else {
            return Ok(Vec::new());
        };
        let kept: Vec<Kept<Obj>> = operands.iter().copied().map(Kept::Data).collect();
        let results = definition.run(self, prim, &kept, &Kept::Data(result), &g, &wants)?;
        Ok(results.into_iter().map(|(i, g)| (operands[i], g)).collect())
    }

    /// What the user's backward makes of the gradients of its outputs.
    fn gradients_of_function(
        &mut self,
        function: &UserFunction,
        grads: Vec<Sym>,
        needed: &BTreeSet<Obj>,
    ) -> Res<Vec<(Obj, Obj)>> {
        let made = self.call(&function.backward, grads, Vec::new())?;
        let made = self.collect(&made)?;
        let mut results = Vec::new();
        for (&input, g) in function.inputs.iter().zip(&made) {
            let Sym::Obj(g) = g else { continue };
            if !needed.contains(&input) {
                continue;
            }
            let (have, want) = (self.dims_of(*g)?, self.dims_of(input)?);
            let mut equal = have.len() == want.len();
            for (&x, &y) in have.iter().zip(&want) {
                equal = equal && self.dims_equal(x, y)?;
            }
            if !equal {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: a backward returned a gradient of another shape",
                );
            }
            results.push((input, *g));
        }
        Ok(results)
    }

    /// `torch._C._record_function`: makes `outputs` results of the user's function of `inputs`, which keeps `saved`.
    pub(crate) fn record_function(
        &mut self,
        name: &str,
        [inputs, outputs]: [&Sym; 2],
        backward: &Sym,
        saved: &Sym,
    ) -> Res<()> {
        let tensors = |this: &mut Self, v: &Sym, or_others: bool| -> Res<Vec<Obj>> {
            let mut all = Vec::new();
            for v in this.collect(v)? {
                match v {
                    Sym::Obj(o) if this.is_tensor(&v) => all.push(o),
                    _ if or_others => {}
                    _ => return this.defect("a bad tensor of a torch.autograd.Function"),
                }
            }
            Ok(all)
        };
        let (inputs, outputs) = (
            tensors(self, inputs, false)?,
            tensors(self, outputs, false)?,
        );
        let saved = tensors(self, saved, true)?;
        if self.emission.context != 0 {
            return self.refuse(ReasonId::NoGraphForm,
                "a torch.autograd.Function under a branch or loop of the graph has no graph form yet",
            );
        }
        for input in &inputs {
            self.certain_grad(input)?;
        }
        let mut kept = Vec::with_capacity(saved.len());
        for o in saved {
            let owner = self.owner(o)?;
            kept.push((owner, self.tensor(owner)?.version));
        }
        let kept: Rc<[(Obj, u32)]> = kept.into();
        for &output in &outputs {
            if self.state.heap[output].origin.is_some() {
                return self.refuse(
                    ReasonId::NoGraphForm,
                    "a torch.autograd.Function that hands a tensor through has no graph form yet",
                );
            }
            let made = self.tensor(output)?;
            if made.view.is_none() && made.requires_grad {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "a torch.autograd.Function that writes to what has a gradient has no graph form yet",
                );
            }
            // The tape knows a view as what the function made; it shares memory with what it shows as before.
            let value = self.current(output)?;
            let t = self.tensor_mut(output)?;
            if let Some(view) = t.view.take() {
                t.value = value;
                t.identity.parts = [&t.identity.parts[..], &[view.base]].concat().into();
                t.identity.ambiguous = true;
            }
            self.track(output, &inputs, false)?;
            let made_by = MadeBy::Function(UserFunction {
                backward: backward.clone(),
                inputs: inputs.clone(),
                outputs: outputs.clone(),
            });
            let t = self.tensor_mut(output)?;
            t.tape.cut = false;
            t.tape.saved = kept.clone();
            t.tape.kept = Keeping::Tensors;
            t.tape.made_by = Some(Rc::new(made_by));
            t.tape.grad_name = GradName::Of(name.into());
        }
        self.state.applied = true;
        Ok(())
    }

    /// Where a tensor stands among what was made.
    fn place(&self, obj: Obj) -> Res<Obj> {
        Ok(self.tensor(obj)?.tape.place.unwrap_or(obj))
    }

    /// The tensors between a loss and what it is differentiated by that lead there.
    fn needed(&self, loss: Obj, wrt: &[Obj]) -> Res<BTreeSet<Obj>> {
        let mut needed: BTreeSet<Obj> = wrt.iter().copied().collect();
        let between = self.between(loss)?.into_iter();
        let between = between.map(|obj| Ok((self.place(obj)?, obj)));
        let mut between = between.collect::<Res<Vec<(Obj, Obj)>>>()?;
        between.sort_unstable();
        for (_, obj) in between {
            let t = self.tensor(obj)?;
            if !t.leaf && t.tape.inputs.iter().any(|o| needed.contains(o)) {
                needed.insert(obj);
            }
        }
        Ok(needed)
    }
}
