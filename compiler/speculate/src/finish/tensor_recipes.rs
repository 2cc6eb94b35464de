//! How tensors are made at a region's end.
//!
//! In: a symbolic tensor that leaves. Out: its recipe. Always: views share memory with what they are views of, as
//! they do in tier 0.

use std::collections::HashSet;
use std::rc::Rc;

use janus_dialect::Type;
use janus_object::PyRef;
use janus_plan::{ReasonId, Recipe, RecipeId, TensorRecipe};
use janus_tensor::Dim;
use janus_tensor::ops::Prim;

use crate::Res;
use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::state::sym::{Obj, OneOf, SymTensor, View, ViewMap};

impl Executor<'_> {
    /// A tensor object. `alternatives` is what those stand for of which only this one or another one will be.
    pub(crate) fn tensor_recipe(
        &mut self,
        out: &mut Out,
        obj: Obj,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<RecipeId> {
        if let Some(&id) = out.of_object.get(&obj) {
            return Ok(id);
        }
        let id = self.new_tensor_recipe(out, obj, alternatives)?;
        out.of_object.insert(obj, id);
        Ok(id)
    }

    fn new_tensor_recipe(
        &mut self,
        out: &mut Out,
        obj: Obj,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<RecipeId> {
        let t = self.tensor(obj)?.clone();
        if let Some(one_of) = t.identity.one_of
            && !self.is_own(obj)
        {
            return self.one_of_recipe(out, obj, one_of, &mut None, alternatives);
        }
        if let Some(view) = self.view_recipe(out, obj, &t)? {
            return Ok(view);
        }
        if let Some(item) = self.item_recipe(out, obj)? {
            return Ok(item);
        }
        if !self.is_own(obj) {
            return self.undecided("a loop decided which tensor it is that leaves the region");
        }
        let value = self.current(obj)?;
        if !self.is_visible(value) {
            return self.undecided("what a view shows was made on one side of a branch");
        }
        let n = Self::result(out, value);
        self.takes_over(out, obj, alternatives)?;
        self.own_recipe(out, obj, n)
    }

    /// A tensor object of its own, with result `n` for elements.
    pub(crate) fn own_recipe(&mut self, out: &mut Out, obj: Obj, n: u32) -> Res<RecipeId> {
        let recipe = TensorRecipe {
            out: n,
            dtype: self.tensor(obj)?.dtype,
            device: self.tensor(obj)?.device,
            history: self.history(out, obj, n)?,
            class: self.tensor(obj)?.class.clone(),
        };
        Ok(Self::push(out, Recipe::Tensor(recipe)))
    }

    /// Whether a new tensor is as good as what branches made it of: nothing else can refer to that.
    pub(crate) fn is_own(&self, obj: Obj) -> bool {
        let from_outside = |o: &Obj| self.is_from_outside(*o);
        if self.all_parts_of(obj).iter().any(from_outside) {
            return false;
        }
        let (mut pending, mut met) = (vec![obj], HashSet::new());
        while let Some(obj) = pending.pop() {
            let Ok(t) = self.tensor(obj) else {
                return false;
            };
            for part in t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]) {
                let local = |t: &SymTensor| t.view.is_none() && !self.is_visible(t.value);
                if from_outside(&part) || !self.tensor(part).is_ok_and(local) {
                    return false;
                }
                if met.insert(part) {
                    pending.push(part);
                }
            }
        }
        true
    }

    /// Notes what a new tensor stands for: no other one may stand for the same, but its alternatives, nor may that
    /// leave.
    pub(crate) fn takes_over(
        &self,
        out: &mut Out,
        obj: Obj,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<()> {
        let (mut pending, mut met) = (vec![obj], HashSet::new());
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj)?;
            let sides = t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
            for part in sides.chain(t.identity.parts.iter().copied()) {
                for part in [part, self.owner(part)?] {
                    if met.insert(part) {
                        pending.push(part);
                    }
                }
            }
        }
        for part in met {
            if alternatives.insert(part) && !out.taken.insert(part) {
                return self.undecided(
                    "a tensor that a branch or a loop decided on has two names after it",
                );
            }
        }
        Ok(())
    }

    /// One of two objects. Those among them that only one side knows have the elements of `merged`,
    /// which are the result that is noted at the first use.
    fn one_of_recipe(
        &mut self,
        out: &mut Out,
        merged: Obj,
        one_of: OneOf,
        result: &mut Option<u32>,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<RecipeId> {
        if !self.is_visible(one_of.condition) {
            return self.undecided("one side of a branch decided which tensor leaves the region");
        }
        let condition = Self::result(out, one_of.condition);
        let mut sides = [0; 2];
        for (side, obj) in sides.iter_mut().zip([one_of.then, one_of.otherwise]) {
            let t = self.tensor(obj)?.clone();
            *side = if self.state.heap[obj].origin.is_some() {
                self.object_recipe(out, obj)?
            } else if self.is_visible(t.value) {
                self.tensor_recipe(out, obj, alternatives)?
            } else if let Some(inner) = t.identity.one_of {
                self.one_of_recipe(out, merged, inner, result, alternatives)?
            } else if let Some(&view) = out.of_object.get(&obj) {
                view
            } else if let Some(view) = self.view_recipe(out, obj, &t)? {
                // Whatever else may be this view is the same object.
                out.of_object.insert(obj, view);
                view
            } else {
                let n = match *result {
                    Some(n) => n,
                    None => {
                        let value = self.current(merged)?;
                        *result.insert(Self::result(out, value))
                    }
                };
                if alternatives.insert(obj) && !out.taken.insert(obj) {
                    return self.refuse(
                        ReasonId::BranchSides,
                        "a tensor made on one side of a branch has two names after it",
                    );
                }
                if !self.is_own(obj) {
                    return self
                        .undecided("a loop decided which tensor it is that leaves the region");
                }
                self.takes_over(out, obj, alternatives)?;
                self.own_recipe(out, obj, n)?
            };
        }
        let [then, otherwise] = sides;
        Ok(Self::push(
            out,
            Recipe::OneOf {
                condition,
                then,
                otherwise,
            },
        ))
    }

    /// A view of a tensor that is visible outside the region. Others are as good as new tensors.
    fn view_recipe(&mut self, out: &mut Out, obj: Obj, t: &SymTensor) -> Res<Option<RecipeId>> {
        if let Some(view) = &t.view {
            let (base, prim) = match &view.map {
                ViewMap::Same => (view.base, Rc::new(Prim::Detach)),
                ViewMap::Prim(parent, prim) => (*parent, prim.clone()),
            };
            let consumed = t.requires_grad && t.tape.consumed;
            if consumed && t.tape.consumed_if.is_some() {
                return self.undecided("a backward on one side of a branch goes through a view");
            }
            // Through a view no gradient goes again where none goes through what it shows.
            let spent = consumed && (self.is_spent(view.base) || self.tensor(view.base)?.leaf);
            // A view of what does not escape is as good as its elements.
            let shared = (!consumed || spent) && (out.before_call || self.escapes(out, base));
            if !shared {
                out.copied.extend([base, view.base]);
            }
            let is_plain = PyRef::ptr_eq(&t.class, &self.tensor_class());
            if shared && (t.leaf && t.requires_grad || !is_plain) {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "a leaf shares memory with a tensor that leaves the region",
                );
            }
            if shared && t.requires_grad && !spent {
                out.viewed.push(view.base);
            }
            if !shared && self.is_unrecorded_leaf(obj)? {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "a view made in no_grad of what requires grad leaves the region",
                );
            }
            if shared && !self.shows_the_same_later(t)? {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "a reshape that may be a copy or a view leaves after an in-place write",
                );
            }
            if shared {
                let base = self.object_recipe(out, base)?;
                if t.unversioned {
                    return Ok(Some(Self::push(out, Recipe::Data(base))));
                }
                let mut symbols = Vec::new();
                for s in prim.symbols() {
                    let index = self.dim_value(Dim::Sym(s))?;
                    let int = self.emit1("arith.index_cast", &[index], &[], Type::I64)?;
                    symbols.push((s, Self::result(out, int)));
                }
                let grad_name = if t.requires_grad {
                    Some(self.grad_name(out, &t.tape.grad_name)?)
                } else {
                    None
                };
                let recipe = Recipe::View {
                    base,
                    prim,
                    symbols,
                    grad_name,
                    one_of_several: t.view.as_ref().and_then(|v| v.one_of_several),
                    noted: t.view.as_ref().is_some_and(|v| v.noted),
                };
                return Ok(Some(Self::push(out, recipe)));
            }
        }
        Ok(None)
    }

    /// Whether a tensor, or what it is a view of or may be, is visible outside the region.
    pub(crate) fn escapes(&self, out: &Out, obj: Obj) -> bool {
        let mut seen = HashSet::from([obj]);
        let mut pending = vec![obj];
        while let Some(obj) = pending.pop() {
            let known = out.of_object.contains_key(&obj) || out.leaving.contains(&obj);
            if known || self.is_from_outside(obj) {
                return true;
            }
            let Ok(t) = self.tensor(obj) else { continue };
            let shown = t.view.as_ref().map(View::parent);
            let sides = t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
            let parts = shown
                .into_iter()
                .chain(sides)
                .chain(t.identity.parts.iter().copied());
            pending.extend(parts.filter(|&part| seen.insert(part)));
        }
        false
    }
}
