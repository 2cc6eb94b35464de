//! Gradients that come from outside: results of a region that are differentiated later.
//!
//! In: tensors that leave the region and require grad. Out: their place on the tape, and a graph that
//! ends with what their gradients become for what the region was given. Always: what a view and its
//! owner add to a gradient is added in the tape's order, or the region is refused.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use janus_dialect::{Attr, Type, ValueId};
use janus_plan::{Backward, Commit, GradName, History, Passed, ReasonId, Recipe};
use janus_torch::TorchOps;

use crate::Res;
use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::state::sym::{Leaf, Obj};
use crate::tensors::saved::{Freed, KeptFor};

impl Executor<'_> {
    /// The place on the tape of a tensor that becomes this output.
    pub(crate) fn history(&mut self, out: &mut Out, obj: Obj, n: u32) -> Res<History> {
        let t = self.tensor(obj)?.clone();
        self.certain_grad(&obj)?;
        if !t.requires_grad {
            return Ok(History::None);
        }
        if t.leaf {
            return Ok(History::Leaf);
        }
        match self.freed(obj)? {
            Freed::Always | Freed::Likely => {
                Ok(History::Consumed(self.grad_name(out, &t.tape.grad_name)?))
            }
            Freed::Unknown => self.refuse(
                ReasonId::GradientOutside,
                "a gradient may go once more through what a backward has gone through",
            ),
            Freed::Never => self.passable(out, obj, n),
            Freed::If(conditions) => {
                let mut any = None;
                for condition in conditions {
                    any = Some(match any {
                        Some(any) => self.emit1("arith.ori", &[any, condition], &[], Type::I1)?,
                        None => condition,
                    });
                }
                let consumed = History::Consumed(self.grad_name(out, &t.tape.grad_name)?);
                let passable = self.passable(out, obj, n)?;
                Ok(match any {
                    Some(any) => {
                        let any = Self::result(out, any);
                        History::Either(any, Box::new((consumed, passable)))
                    }
                    None => passable,
                })
            }
        }
    }

    /// The place on the tape of a tensor through which gradients may go.
    fn passable(&mut self, out: &mut Out, obj: Obj, n: u32) -> Res<History> {
        let grad_name = self.tensor(obj)?.tape.grad_name.clone();
        if let Some(leaf) = self.out_of_date(obj)? {
            let Some(origin) = &self.state.heap[leaf].origin else {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "a leaf made in the region is changed after it was used",
                );
            };
            return Ok(History::OutOfDate(
                origin.node,
                self.grad_name(out, &grad_name)?,
            ));
        }
        let index = u32::try_from(out.live.len()).unwrap_or(u32::MAX);
        out.live.push((obj, n));
        Ok(History::Output(index, self.grad_name(out, &grad_name)?))
    }

    pub(crate) fn grad_name(
        &self,
        out: &mut Out,
        name: &crate::state::sym::GradName,
    ) -> Res<GradName> {
        Ok(match name {
            crate::state::sym::GradName::Of(name) if name.is_empty() => {
                return self.refuse(
                    ReasonId::GradientOutside,
                    "which operation made a result depends on a loop's last iteration",
                );
            }
            crate::state::sym::GradName::Of(name) => GradName::Of(name.clone()),
            crate::state::sym::GradName::Either(condition, names) => GradName::Either(
                Self::result(out, *condition),
                Box::new((
                    self.grad_name(out, &names.0)?,
                    self.grad_name(out, &names.1)?,
                )),
            ),
        })
    }

    /// Ends the graph with what the gradients of its results become for what it was given. The
    /// results of that follow those of the region itself.
    pub(crate) fn pullback(&mut self, out: &mut Out) -> Res<Option<Backward>> {
        // On the tape a view comes after the region as a whole. So it must not matter in which
        // order they add to a gradient.
        let leaves_some = !out.live.is_empty() || !out.viewed.is_empty();
        if self.state.toggled && leaves_some {
            return self.refuse(
                ReasonId::GradMode,
                "a result needs its gradient outside the region, where requires_grad is changed",
            );
        }
        let fresh =
            |o: &Obj| self.state.heap[*o].origin.is_none() && self.uses(*o, &out.leaving) != 1;
        if out.viewed.iter().any(fresh) {
            return self.refuse(
                ReasonId::GradientOutside,
                "a view of a result needs its gradient outside the region",
            );
        }
        if out.live.is_empty() {
            return Ok(None);
        }
        if janus_tensor::autograd::second_order_asked() {
            return self.refuse(ReasonId::GradientOutside,
                "a result needs its gradient outside the region, where gradients of gradients are taken",
            );
        }
        // On the tape the region is one operation: how its results depend on one another is lost.
        let listed =
            |&(obj, _): &(Obj, u32)| self.tensor(obj).is_ok_and(|t| !t.identity.parts.is_empty());
        if janus_tensor::autograd::inner_gradients_asked()
            && (out.live.len() > 1 || out.live.iter().any(listed))
        {
            return self.refuse(ReasonId::GradientOutside,
                "several results need gradients outside the region, where gradients of such results are asked for",
            );
        }
        if self.state.applied {
            return self.refuse(
                ReasonId::GradientOutside,
                "a result needs its gradient outside the region, through a torch.autograd.Function",
            );
        }
        if !self.recursing.invoked.is_empty() {
            return self.refuse(
                ReasonId::Recursion,
                "a result needs its gradient outside the region, through a recursion",
            );
        }
        let live = std::mem::take(&mut out.live);
        let mut sources: Vec<Leaf> = Vec::new();
        for &(obj, _) in &live {
            for &at in self.tensor(obj)?.tape.leaves.iter() {
                if !sources.contains(&at) {
                    sources.push(at);
                }
            }
        }
        let order = self.completed(&live)?;
        sources.sort_by_key(|s| order.get(&s.obj).copied().unwrap_or_default());
        let mut inputs = Vec::with_capacity(sources.len());
        for (i, &Leaf { obj, used, .. }) in sources.iter().enumerate() {
            if used.is_some() {
                return self.refuse(
                    ReasonId::BranchSides,
                    "a parameter is used on one side of a branch only",
                );
            }
            if out.viewed.contains(&obj) {
                return self.refuse(
                    ReasonId::GradientOutside,
                    "a view that needs its gradient outside the region",
                );
            }
            if sources[..i].iter().any(|s| s.obj == obj) {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "a parameter that changed between two uses in one graph",
                );
            }
            match &self.state.heap[obj].origin {
                Some(origin) => inputs.push(origin.node),
                None => {
                    return self.refuse(
                        ReasonId::GradientOutside,
                        "a leaf made in the region gets its gradient outside of it",
                    );
                }
            }
        }
        let mut slot = i64::try_from(self.entry.loads.len()).unwrap_or(i64::MAX);
        let mut incoming = |this: &mut Self, what: String, ty: Type| {
            let attrs = [("what", Attr::Str(what)), ("slot", Attr::I64(slot))];
            slot += 1;
            this.emit1("janus.incoming", &[], &attrs, ty)
        };
        let values: Vec<ValueId> = live.iter().map(|&(_, n)| out.results[n as usize]).collect();
        let types = |this: &Self, values: &[ValueId]| -> Vec<Type> {
            values
                .iter()
                .map(|&v| this.emission.builder.type_of(v))
                .collect()
        };
        let of_outputs = types(self, &values);
        let wrt: Vec<ValueId> = sources.iter().map(|s| s.value).collect();
        let of_inputs = types(self, &wrt);
        let mut operands = values.clone();
        for (i, ty) in of_outputs.into_iter().enumerate() {
            operands.push(incoming(self, format!("gradient {i}"), ty)?);
        }
        for i in 0..values.len() {
            // Of one result there is always a gradient, or nothing would run.
            operands.push(if values.len() == 1 {
                {
                    let loc = self.loc();
                    self.graph().scalar(Attr::Bool(true), &loc)?
                }
            } else {
                incoming(self, format!("flag {i}"), Type::I1)?
            });
        }
        operands.extend(&wrt);
        for (i, ty) in of_inputs.iter().cloned().enumerate() {
            operands.push(incoming(self, format!("sum {i}"), ty)?);
        }
        let mut results = of_inputs;
        results.extend(vec![Type::I1; wrt.len()]);
        let count = Attr::I64(i64::try_from(values.len()).unwrap_or(0));
        let gradients = self.emit("janus.pullback", &operands, &[("count", count)], &results)?;
        out.results.extend(gradients);
        let outputs = self.passed(out, &live)?;
        Ok(Some(Backward { outputs, inputs }))
    }

    /// When the gradients of leaves are complete, as the tape would have it: with the first operation that uses the
    /// leaf, of which the last comes first.
    fn completed(&self, live: &[(Obj, u32)]) -> Res<HashMap<Obj, (Reverse<Obj>, usize)>> {
        let mut order: HashMap<Obj, (Reverse<Obj>, usize)> = HashMap::new();
        let mut seen: HashSet<Obj> = live.iter().map(|&(obj, _)| obj).collect();
        let mut pending: Vec<Obj> = seen.iter().copied().collect();
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj)?;
            if t.leaf {
                continue;
            }
            for (at, &input) in t.tape.inputs.iter().enumerate() {
                if self.tensor(input)?.leaf {
                    let first = order.entry(input).or_insert((Reverse(obj), at));
                    if obj < first.0.0 {
                        *first = (Reverse(obj), at);
                    }
                } else if seen.insert(input) {
                    pending.push(input);
                }
            }
        }
        Ok(order)
    }

    /// What is known of each result that gradients may come for.
    fn passed(&self, out: &Out, live: &[(Obj, u32)]) -> Res<Vec<Passed>> {
        let kept = |&(obj, _): &(Obj, u32)| self.kept_for(obj);
        let kept: Vec<KeptFor> = live.iter().map(kept).collect::<Res<_>>()?;
        let mut loads = Vec::with_capacity(self.entry.loaded.len());
        for &(obj, slot) in &self.entry.loaded {
            loads.push(((self.owner(obj)?, 0), slot));
        }
        let mut outs = Vec::new();
        for (&obj, &id) in &out.of_object {
            if let Recipe::Tensor(t) = &out.recipes[id as usize] {
                outs.push((self.content(obj)?, t.out));
            }
        }
        for commit in &out.commits {
            let Commit::UpdateTensor { tensor, out, .. } = commit else {
                continue;
            };
            let is_it = |&(obj, _): &&(Obj, usize)| {
                let origin = self.state.heap[*obj].origin.as_ref();
                origin.is_some_and(|o| o.node == *tensor)
            };
            if let Some(&(obj, _)) = self.entry.loaded.iter().find(is_it) {
                outs.push((self.content(obj)?, *out));
            }
        }
        let mut passed = Vec::with_capacity(live.len());
        for (&(obj, n), own) in live.iter().zip(&kept) {
            let freed = kept.iter().enumerate();
            let freed = freed.filter(|(_, other)| !own.freed.is_disjoint(&other.freed));
            passed.push(Passed {
                out: n,
                dtype: self.tensor(obj)?.dtype,
                device: self.tensor(obj)?.device,
                frees: freed.map(|(i, _)| i).collect(),
                keeps_loads: own.places(&loads),
                keeps_outs: own.places(&outs),
            });
        }
        Ok(passed)
    }

    /// The tensor that owns a tensor's elements as they are now.
    fn content(&self, obj: Obj) -> Res<(Obj, u32)> {
        let owner = self.owner(obj)?;
        Ok((owner, self.tensor(owner)?.version))
    }
}

/// Puts the outputs in a place on the tape where they are in the end.
pub(crate) fn place_history(history: &mut History, place: &dyn Fn(&mut u32)) {
    match history {
        History::Consumed(name) | History::OutOfDate(_, name) | History::Output(_, name) => {
            place_name(name, place);
        }
        History::Either(condition, sides) => {
            place(condition);
            place_history(&mut sides.0, place);
            place_history(&mut sides.1, place);
        }
        History::None | History::Leaf => {}
    }
}

/// Puts the outputs in a name where they are in the end.
pub(crate) fn place_name(name: &mut GradName, place: &dyn Fn(&mut u32)) {
    if let GradName::Either(condition, names) = name {
        place(condition);
        place_name(&mut names.0, place);
        place_name(&mut names.1, place);
    }
}
