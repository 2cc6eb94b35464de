//! The tape: gradients that are made of primitives here, as tier 0 makes them.
//!
//! In: a loss, and tensors that it depends on. Out: their gradients, which have gradients. Always: contributions are
//! added up in tier 0's order.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::ReasonId;
use janus_tensor::Ops;
use janus_tensor::autograd::gradients::{self, Kept};
use janus_tensor::autograd::keeps_operand;
use janus_tensor::ops::Prim;
use janus_torch::TorchOps;

use crate::executor::Executor;
use crate::state::sym::{GradName, Keeping, Kind, Leaf, MadeBy, Obj, Sym, UserFunction};
use crate::tensors::gradients::UNUSED;
use crate::{Res, Stop};

/// As many of them a `backward()` counts for.
pub(crate) const BACKWARD: u32 = 8;

impl Executor<'_> {
    /// What a loss is differentiated by that is no leaf: it was made in the region, and the loss is computed from
    /// it.
    pub(crate) fn inner(&self, loss: Obj, wrt: Obj) -> Res<Leaf> {
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
    pub(crate) fn depends_on(&self, loss: Obj, on: Obj) -> Res<bool> {
        let t = self.tensor(loss)?;
        if on == loss || t.tape.leaves.iter().any(|l| l.obj == on) {
            return Ok(true);
        }
        Ok(!self.tensor(on)?.leaf && self.between(loss)?.contains(&on))
    }

    /// The tensors on the way from a loss to its leaves, which are among them.
    pub(crate) fn between(&self, loss: Obj) -> Res<HashSet<Obj>> {
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
    pub(crate) fn op_by_op(
        &mut self,
        loss: Obj,
        seed: Obj,
        leaves: &mut Vec<Leaf>,
    ) -> Res<Vec<ValueId>> {
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
    pub(crate) fn gradients_on_tape(
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
        // It ends a backward pass in its middle: leaves that were reached before have their gradients then.
        let made = match self.call(&function.backward, grads, Vec::new()) {
            Err(Stop::Raise(_)) => {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: the backward of a torch.autograd.Function",
                );
            }
            made => made?,
        };
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
    pub(crate) fn place(&self, obj: Obj) -> Res<Obj> {
        Ok(self.tensor(obj)?.tape.place.unwrap_or(obj))
    }

    /// The tensors between a loss and what it is differentiated by that lead there.
    pub(crate) fn needed(&self, loss: Obj, wrt: &[Obj]) -> Res<BTreeSet<Obj>> {
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
