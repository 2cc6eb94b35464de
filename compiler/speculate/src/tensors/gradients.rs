//! Gradients inside of a region: `backward()` and `torch.autograd.grad`, also by what is no leaf, and gradients
//! that have gradients.
//!
//! In: a loss, and what it is differentiated by. Out: `janus.gradient`, and tensor objects with PyTorch's flags.
//! Always: a gradient without a graph of its own is cut off, and is one op, which the autodiff pass expands; one with
//! a graph is made here, of primitives, as tier 0 makes it.

use janus_object::Bool;
use std::collections::BTreeMap;

use janus_dialect::{Type, ValueId};
use janus_object::Value;
use janus_plan::{Check, DeoptReason, ReasonId, Refusal};
use janus_tensor::ops::{BinaryOp, Prim, ReduceOp};
use janus_tensor::shape::inverse_permutation;
use janus_tensor::{DType, Dim, Ops, Scalar};
use janus_torch::TorchOps;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Leaf, Obj, Sym};
use crate::tensors::saved::Freed;
use crate::tensors::tape::BACKWARD;
use crate::tensors::tensor::Number;

/// Gradients in one region at most: more come from a loop over training steps that would be unrolled.
const MAX_GRADIENTS: u32 = 32;

/// Why a gradient is left to tier 0.
pub(crate) const UNUSED: &str =
    "it would raise: a gradient by a tensor that was not used in the graph";
pub(crate) const MODIFIED_ON_ONE_SIDE: &str = "whether what a gradient needs was modified by an inplace operation depends on a branch or a loop";
pub(crate) const MODIFIED: &str =
    "it would raise: what a gradient needs was modified by an inplace operation";

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
    pub(crate) fn seed(&mut self, given: Option<Obj>, dtype: DType, dims: &[Dim]) -> Res<Obj> {
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

    /// Adds gradients to `.grad`.
    pub(crate) fn accumulate(&mut self, leaves: &[Leaf], gradients: &[ValueId]) -> Res<()> {
        for (&Leaf { obj, used, .. }, &g) in leaves.iter().zip(gradients) {
            // Frozen since it was used.
            if !self.tensor(obj)?.requires_grad {
                continue;
            }
            let mut new = self.new_gradient(g, obj)?;
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

    /// A gradient of a tensor, which nothing flows back through.
    fn new_gradient(&mut self, value: ValueId, of: Obj) -> Res<Obj> {
        let (dtype, device, dims) = (
            self.tensor(of)?.dtype,
            self.device_of(of),
            self.dims_of(of)?,
        );
        let obj = self.new_tensor(value, dtype, dims);
        let gradient = self.tensor_mut(obj)?;
        gradient.tape.cut = true;
        gradient.device = device;
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
        let (Sym::Known(Value::Bool(retain)), Sym::Known(Value::Bool(Bool::False))) =
            (retain, create)
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
            return self.backward(&t, g.as_ref(), retain.get(), false);
        }
        let total = self.weighted_sum(&parts)?;
        self.backward(&total, None, retain.get(), false)
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
                Sym::Known(Value::Bool(b)) => b.get(),
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
            let made = self.new_gradient(g, leaf.obj)?;
            found.insert(leaf.obj, Sym::Obj(made));
        }
        let of = |o: &Obj| found.get(o).cloned().unwrap_or(Sym::Known(Value::None));
        Ok(Some(self.tuple(wrt.iter().map(of).collect())))
    }
}
