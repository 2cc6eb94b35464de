//! What a region writes back.
//!
//! In: the symbolic state at the region's end. Out: commit ops in the graph, and the plan's commits in
//! their order. Always: contents of tensors come first, since views that are made later show them.

use std::collections::HashSet;

use janus_dialect::{Attr, Type, ValueId};
use janus_object::{Name, Value};
use janus_plan::{Commit, NodeId, Recipe, RecipeId, TensorRecipe, Wrote};

use crate::Res;
use crate::emit::outputs::{COMMIT, Out};
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Slot, Sym, SymList, SymTensor, Written};
use crate::tensors::saved::Freed;

impl Executor<'_> {
    fn token(&mut self, out: &mut Out) -> Res<ValueId> {
        match out.token {
            Some(t) => Ok(t),
            None => {
                let t = self.emit1("janus.start", &[], &[], Type::Token)?;
                out.token = Some(t);
                Ok(t)
            }
        }
    }

    /// Emits a commit op; its data operands become outputs, which are returned in order.
    fn commit_op(
        &mut self,
        out: &mut Out,
        name: &str,
        object: Option<NodeId>,
        values: &[ValueId],
        mut attrs: Vec<(&str, Attr)>,
    ) -> Res<Vec<u32>> {
        let mut operands = vec![self.token(out)?];
        if let Some(node) = object {
            operands.push(self.commit_target(node)?);
        }
        operands.extend(values);
        attrs.push(("slot", Attr::I64(out.slots)));
        out.slots += 1;
        out.token = Some(self.emit1(name, &operands, &attrs, Type::Token)?);
        let first = out.committed;
        out.committed += u32::try_from(values.len()).unwrap_or(0);
        Ok((first..out.committed).map(|n| COMMIT | n).collect())
    }

    /// The recipe of a value that is written by a commit op of its own where it is plain data.
    pub(crate) fn committed_recipe(
        &mut self,
        out: &mut Out,
        name: &str,
        object: Option<NodeId>,
        v: &Sym,
        attrs: Vec<(&str, Attr)>,
    ) -> Res<RecipeId> {
        match v {
            Sym::Scalar(s) => {
                let outs = self.commit_op(out, name, object, &[s.id], attrs)?;
                Ok(Self::push(
                    out,
                    Recipe::Scalar(outs.first().copied().unwrap_or(0)),
                ))
            }
            Sym::Obj(o) if !out.of_object.contains_key(o) && self.plain_tensor(*o) => {
                let value = self.current(*o)?;
                let outs = self.commit_op(out, name, object, &[value], attrs)?;
                let n = outs.first().copied().unwrap_or(0);
                let recipe = TensorRecipe {
                    out: n,
                    dtype: self.tensor(*o)?.dtype,
                    device: self.tensor(*o)?.device,
                    history: self.history(out, *o, n)?,
                    class: self.tensor(*o)?.class.clone(),
                };
                self.takes_over(out, *o, &mut HashSet::new())?;
                let id = Self::push(out, Recipe::Tensor(recipe));
                out.of_object.insert(*o, id);
                Ok(id)
            }
            _ => self.recipe(out, v),
        }
    }

    /// Whether it is known that no gradient goes through it again.
    pub(crate) fn is_spent(&self, obj: Obj) -> bool {
        let spent = self.tensor(obj).is_ok_and(SymTensor::is_spent);
        spent
            && matches!(
                self.freed(obj),
                Ok(Freed::Always | Freed::Likely | Freed::Unknown)
            )
    }

    /// A new tensor that shares memory with nothing.
    fn plain_tensor(&self, obj: Obj) -> bool {
        let object = &self.state.heap[obj];
        match &object.kind {
            Kind::Tensor(t) => {
                object.origin.is_none()
                    && t.view.is_none()
                    && t.identity.item_of.is_none()
                    && self.is_own(obj)
                    && (!t.requires_grad || t.leaf || self.is_spent(obj))
            }
            _ => false,
        }
    }

    /// Sets the gradients of leaves that were made in the region and leave it.
    pub(crate) fn commit_new_grads(&mut self, out: &mut Out) -> Res<()> {
        let mut done = HashSet::new();
        loop {
            let left = |obj: &Obj| {
                let object = &self.state.heap[*obj];
                let written = matches!(&object.kind, Kind::Tensor(t) if t.grad_written);
                object.origin.is_none() && written && !done.contains(obj)
            };
            let Some(obj) = out.of_object.keys().copied().filter(left).min() else {
                return Ok(());
            };
            done.insert(obj);
            let tensor = out.of_object[&obj];
            if let Slot::Loaded(g @ Sym::Obj(_)) = self.tensor(obj)?.grad.clone() {
                // What it is made of may be another one of them.
                let grad = Some(self.recipe(out, &g)?);
                out.commits.push(Commit::SetGrad { tensor, grad });
            }
        }
    }

    /// Notes what a list from outside got at its end, and lost at its beginning.
    pub(crate) fn commit_appended(
        &mut self,
        out: &mut Out,
        (list, target): (NodeId, RecipeId),
        now: &SymList,
    ) -> Res<()> {
        let mut items = Vec::with_capacity(now.appended.len());
        for (v, condition) in &now.appended {
            let condition = condition.map(|c| Self::result(out, c));
            let item = self.committed_recipe(out, "janus.append", Some(list), v, Vec::new())?;
            items.push((item, condition));
        }
        out.commits.push(Commit::Append {
            list: target,
            items,
            more: None,
            dropped: now.dropped,
        });
        Ok(())
    }

    #[allow(clippy::too_many_lines, reason = "one arm a kind of object")]
    pub(crate) fn commit_state(&mut self, out: &mut Out) -> Res<()> {
        self.commit_kept(out)?;
        // Tensors first: their new content is what recipes of views show.
        for obj in 0..self.state.heap.len() {
            let object = self.state.heap[obj].clone();
            let (Some(origin), Kind::Tensor(t)) = (&object.origin, &object.kind) else {
                continue;
            };
            if t.written != Written::No {
                let value = self.current(obj)?;
                let outs =
                    self.commit_op(out, "janus.update", Some(origin.node), &[value], Vec::new())?;
                let n = outs.first().copied().unwrap_or(0);
                let wrote = match t.written {
                    Written::If(condition) => Wrote::If(Self::result(out, condition)),
                    Written::Maybe => Wrote::IfChanged,
                    Written::Yes | Written::No => Wrote::Always,
                };
                let history = match t.tape.moved_on_tape {
                    true => {
                        let shown = Self::result(out, value);
                        Some(self.history(out, obj, shown)?)
                    }
                    false => None,
                };
                out.commits.push(Commit::UpdateTensor {
                    tensor: origin.node,
                    out: n,
                    wrote,
                    counted: t.counted,
                    history,
                });
                self.entry.unaliased.push(origin.node);
            }
        }
        for obj in 0..self.state.heap.len() {
            let object = self.state.heap[obj].clone();
            match &object.kind {
                Kind::Tensor(t) if t.grad_written => {
                    // Of one that is made here it is set once all that leaves is known.
                    let Some(origin) = &object.origin else {
                        continue;
                    };
                    let tensor = Self::push(out, Recipe::Node(origin.node));
                    let grad = match &t.grad {
                        Slot::Loaded(g @ Sym::Obj(_)) => {
                            let node = Some(origin.node);
                            Some(self.committed_recipe(
                                out,
                                "janus.set_grad",
                                node,
                                g,
                                Vec::new(),
                            )?)
                        }
                        Slot::Empty => None,
                        _ => continue,
                    };
                    out.commits.push(Commit::SetGrad { tensor, grad });
                }
                Kind::Instance(instance) => {
                    let Some(origin) = &object.origin else {
                        continue;
                    };
                    if instance.written.is_empty() {
                        continue;
                    }
                    self.guard_written(origin.node);
                    let target = Self::push(out, Recipe::Node(origin.node));
                    for name in &instance.written {
                        let value = match instance.attrs.get(name) {
                            Some(Slot::Loaded(v)) => {
                                let attrs = vec![("name", Attr::Str(name.as_str().to_owned()))];
                                let node = Some(origin.node);
                                Some(self.committed_recipe(
                                    out,
                                    "janus.set_attr",
                                    node,
                                    v,
                                    attrs,
                                )?)
                            }
                            Some(Slot::Unloaded(_)) => continue,
                            Some(Slot::Empty) | None => None,
                        };
                        out.commits.push(Commit::SetAttr {
                            object: target,
                            name: name.clone(),
                            value,
                        });
                    }
                }
                Kind::List(list) => {
                    let Some(origin) = &object.origin else {
                        continue;
                    };
                    if list.is_unchanged() {
                        continue;
                    }
                    self.guard_written(origin.node);
                    if list.rewritten {
                        let target = Self::push(out, Recipe::Node(origin.node));
                        let mut items =
                            self.slot_recipes(out, &list.base.clone().unwrap_or_default())?;
                        for (v, _) in &list.appended {
                            items.push(self.recipe(out, v)?);
                        }
                        out.commits.push(Commit::SetList {
                            list: target,
                            items,
                        });
                    } else {
                        let target = Self::push(out, Recipe::Node(origin.node));
                        self.commit_appended(out, (origin.node, target), list)?;
                    }
                }
                Kind::Replaced(replaced) => {
                    if let Some(origin) = &object.origin {
                        self.commit_replaced(out, origin.node, replaced)?;
                    }
                }
                Kind::Grown(grown) => match (&object.origin, &grown.behind) {
                    (Some(origin), Some(list)) => {
                        self.commit_grown(out, origin.node, obj, list)?;
                    }
                    (Some(origin), None) => {
                        let appended = self.appended_to_rows(obj, grown)?;
                        if !appended.is_empty() {
                            self.guard_written(origin.node);
                            let target = Self::push(out, Recipe::Node(origin.node));
                            let now = SymList {
                                base: None,
                                appended: appended.into_iter().map(|v| (v, None)).collect(),
                                rewritten: false,
                                dropped: 0,
                            };
                            self.commit_appended(out, (origin.node, target), &now)?;
                        }
                    }
                    (None, _) => {}
                },
                Kind::Dict(dict) => {
                    let Some(origin) = &object.origin else {
                        continue;
                    };
                    if dict.written.is_empty() {
                        continue;
                    }
                    self.guard_written(origin.node);
                    let target = Self::push(out, Recipe::Node(origin.node));
                    for key in &dict.removed {
                        let key = self.recipe(out, key)?;
                        out.commits.push(Commit::SetItem {
                            container: target,
                            key,
                            value: None,
                        });
                    }
                    // New keys come in the order in which they stand.
                    let is_written = |key: &Sym| dict.written.iter().any(|k| k.same(key));
                    for (key, slot) in dict.entries.iter().filter(|(k, _)| is_written(k)) {
                        let key_recipe = self.recipe(out, key)?;
                        let attr = match key {
                            Sym::Known(Value::Str(s)) => Some(Attr::Str(s.as_str().to_owned())),
                            Sym::Known(Value::Int(i)) => Some(Attr::I64(*i)),
                            _ => None,
                        };
                        let value = match (slot, attr) {
                            (Slot::Loaded(v), Some(key)) => {
                                let node = Some(origin.node);
                                self.committed_recipe(
                                    out,
                                    "janus.set_item",
                                    node,
                                    v,
                                    vec![("key", key)],
                                )?
                            }
                            (slot, _) => self.slot_recipe(out, slot)?,
                        };
                        out.commits.push(Commit::SetItem {
                            container: target,
                            key: key_recipe,
                            value: Some(value),
                        });
                    }
                }
                Kind::Open(open) => {
                    if let Some(origin) = &object.origin {
                        self.commit_open(out, origin.node, open)?;
                    }
                }
                Kind::Set(set) => {
                    if let Some(origin) = &object.origin {
                        self.commit_set(out, origin.node, set)?;
                    }
                }
                Kind::Cell(c) => {
                    // Cells of the region's own frame leave with it, or at the loop's exit.
                    let Some(cell) = &c.cell else { continue };
                    if !c.written || !self.entry.pristine.contains_key(&obj) {
                        continue;
                    }
                    let value = match &c.content {
                        Slot::Loaded(v) => Some(self.recipe(out, v)?),
                        Slot::Unloaded(_) => continue,
                        Slot::Empty => None,
                    };
                    out.commits.push(Commit::SetCell {
                        cell: cell.clone(),
                        value,
                    });
                }
                _ => {}
            }
        }
        for namespace in self.state.namespaces.clone().values() {
            for name in &namespace.written {
                let value = match namespace.entries.get(name) {
                    Some(Slot::Loaded(v)) => {
                        let attrs = vec![("name", Attr::Str(name.as_str().to_owned()))];
                        Some(self.committed_recipe(out, "janus.set_global", None, v, attrs)?)
                    }
                    Some(Slot::Unloaded(_)) => continue,
                    Some(Slot::Empty) | None => None,
                };
                out.commits.push(Commit::SetGlobal {
                    namespace: namespace.place.clone(),
                    name: name.clone(),
                    value,
                });
            }
        }
        for effect in self.state.effects.clone() {
            self.commit_effect(out, &effect)?;
        }
        Ok(())
    }

    fn commit_effect(&mut self, out: &mut Out, effect: &crate::state::sym::Effect) -> Res<()> {
        // One print op with all the numbers and tensors that its text needs.
        let mut args = Vec::with_capacity(effect.args.len());
        for v in &effect.args {
            args.push(self.recipe(out, v)?);
        }
        let mut kwargs: Vec<(Name, RecipeId)> = Vec::with_capacity(effect.kwargs.len());
        for (k, v) in &effect.kwargs {
            kwargs.push((k.clone(), self.recipe(out, v)?));
        }
        let text: Vec<&str> = effect
            .args
            .iter()
            .map(|v| v.known().and_then(Value::as_str).unwrap_or("{}"))
            .collect();
        let attrs = vec![("text", Attr::Str(text.join(" ")))];
        self.commit_op(out, "janus.print", None, &[], attrs)?;
        let condition = effect.condition.map(|c| Self::result(out, c));
        out.commits.push(Commit::Call {
            condition,
            function: effect.function.clone(),
            args,
            kwargs,
        });
        Ok(())
    }

    /// A written object must be no other node's object.
    pub(crate) fn guard_written(&mut self, node: NodeId) {
        if !self.entry.unaliased.contains(&node) {
            self.entry.unaliased.push(node);
        }
    }
}
