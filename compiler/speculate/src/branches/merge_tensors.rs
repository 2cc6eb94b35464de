//! Tensors where the two sides of a branch meet: their elements, and what the tape knows of them.
//!
//! In: a tensor of each side. Out: one that is the one or the other. Always: a gradient goes to what was used on the
//! side that was taken, and a backward pass of one side is one on a condition.

use std::rc::Rc;

use janus_dialect::{Type, ValueId};
use janus_plan::{ReasonId, ScalarType};
use janus_tensor::ops::{BinaryOp, Prim};
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::branches::branch::Merge;
use crate::executor::Executor;
use crate::state::sym::{GradName, Keeping, Kind, Leaf, Obj, OneOf, State, SymTensor, Written};
use crate::state::types::tensor_type;
use crate::tensors::saved::frees;

impl Executor<'_> {
    /// A tensor object that is one of two.
    pub(crate) fn merge_tensors(&mut self, merge: &Merge, x: Obj, y: Obj) -> Res<Kind> {
        let (vx, vy) = (self.current(x)?, self.current(y)?);
        let (p, q) = (self.tensor(x)?.clone(), self.tensor(y)?.clone());
        if p.dtype != q.dtype || p.device != q.device || p.dims.len() != q.dims.len() {
            return self.refuse(
                ReasonId::BranchSides,
                "a tensor has different dtypes, devices or ranks after a branch",
            );
        }
        if (p.leaf && p.requires_grad) || (q.leaf && q.requires_grad) {
            return self.refuse(
                ReasonId::BranchSides,
                "a variable names one of two parameters after a branch",
            );
        }
        let was_there = |o: Obj, t: &SymTensor| t.requires_grad && !self.is_new(merge, o);
        if self.region.relaxations.one_name && (was_there(x, &p) || was_there(y, &q)) {
            return self.refuse(ReasonId::BranchSides, "a tensor gets another name on one side of a branch, which moves the order in which its gradient is added up");
        }
        let shared = |o: Obj, t: &SymTensor| {
            self.state.heap[o].origin.is_some() || t.view.is_some() || t.is_shared()
        };
        let shared = shared(x, &p) || shared(y, &q);
        self.lift_one_of(merge, true, x)?;
        self.lift_one_of(merge, false, y)?;
        let (then, otherwise) = if merge.first { (x, y) } else { (y, x) };
        let mut merged = p.clone();
        let dims = p.dims.iter().zip(&q.dims);
        // An extent that the sides do not share is only known once it is run.
        let common: Vec<Option<Dim>> = dims
            .map(|(&d, &e)| Some(self.resolve(d)).filter(|&d| d == self.resolve(e)))
            .collect();
        let ty = Type::Tensor {
            dtype: crate::state::types::element(p.dtype),
            dims: common.iter().map(|d| d.and_then(Dim::known)).collect(),
        };
        let vx = self.tracked_on(merge.taken, vx, &p, &q)?;
        let vy = self.tracked_on(merge.other, vy, &q, &p)?;
        let vx = self.as_type(merge.taken, vx, &p.dims, &ty)?;
        let vy = self.as_type(merge.other, vy, &q.dims, &ty)?;
        merged.value = self.merge_values(merge, vx, vy, ty)?;
        for (axis, d) in common.into_iter().enumerate() {
            merged.dims[axis] = match d {
                Some(d) => d,
                None => self.dim_of(merged.value, axis, None)?,
            };
        }
        self.merge_tape(merge, &mut merged, (x, &p), (y, &q))?;
        merged.view = None;
        merged.identity.item_of = None;
        merged.identity.one_of = Some(OneOf {
            condition: merge.predicate,
            then,
            otherwise,
            shared,
        });
        merged.identity.ambiguous |= q.identity.ambiguous;
        merged.written = Written::No;
        merged.version = 0;
        merged.unsure_from = u32::MAX;
        Ok(Kind::Tensor(merged))
    }

    /// The value of a tensor on one side, of a type that leaves open what the sides do not share.
    pub(crate) fn as_type(
        &mut self,
        context: u32,
        value: ValueId,
        dims: &[Dim],
        ty: &Type,
    ) -> Res<ValueId> {
        let Type::Tensor { dims: known, .. } = ty else {
            return self.defect("bad type");
        };
        if self.emission.builder.type_of(value) == *ty {
            return Ok(value);
        }
        let open = dims.iter().zip(known).filter(|(_, known)| known.is_none());
        let open: Vec<Dim> = open.map(|(&d, _)| d).collect();
        let outer = std::mem::replace(&mut self.emission.context, context);
        let mut operands = vec![value];
        for d in open {
            operands.push(self.dim_value(d)?);
        }
        let cast = self.emit1("janus.reshape", &operands, &[], ty.clone());
        self.emission.context = outer;
        cast
    }

    /// The value of a tensor on one side, cut off from what it was computed from where the tape does
    /// not know it there, but what it is on the other side.
    pub(crate) fn tracked_on(
        &mut self,
        context: u32,
        value: ValueId,
        here: &SymTensor,
        there: &SymTensor,
    ) -> Res<ValueId> {
        if here.requires_grad || !here.tape.cut || !there.requires_grad {
            return Ok(value);
        }
        let outer = std::mem::replace(&mut self.emission.context, context);
        let ty = self.emission.builder.type_of(value);
        let value = self.emit1("janus.detach", &[value], &[], ty);
        self.emission.context = outer;
        value
    }

    /// What the tape knows of a tensor that is one of two, or was changed on one side only.
    pub(crate) fn merge_tape(
        &mut self,
        merge: &Merge,
        merged: &mut SymTensor,
        (x, p): (Obj, &SymTensor),
        (y, q): (Obj, &SymTensor),
    ) -> Res<()> {
        merged.some_grad = p.some_grad || q.some_grad || p.requires_grad != q.requires_grad;
        merged.requires_grad = p.requires_grad || q.requires_grad;
        merged.leaf = false;
        // What one side never used has no gradient after it, which is not a gradient of zeros.
        merged.tape.leaves = self.merge_leaves(merge, &p.tape.leaves, &q.tape.leaves)?;
        merged.tape.inputs = std::rc::Rc::new([x, y]);
        merged.tape.saved = std::rc::Rc::new([]);
        merged.tape.decided = true;
        merged.tape.kept = match frees(p) && frees(q) {
            true => Keeping::Tensors,
            false => Keeping::Decided,
        };
        merged.tape.within = std::rc::Rc::new([]);
        merged.tape.made_by = None;
        if p.tape.grad_name != q.tape.grad_name {
            let first = self.lift_name(merge, true, &p.tape.grad_name)?;
            let second = self.lift_name(merge, false, &q.tape.grad_name)?;
            let names = if merge.first {
                (first, second)
            } else {
                (second, first)
            };
            merged.tape.grad_name = GradName::Either(merge.predicate, std::rc::Rc::new(names));
        }
        merged.tape.cut = p.tape.cut || q.tape.cut;
        self.merge_consumed(merge, merged, p, q)
    }

    /// Through which of the sides a backward pass has gone.
    /// Whether a tensor was written to, behind a branch.
    pub(crate) fn merge_written(&mut self, merge: &Merge, p: Written, q: Written) -> Res<Written> {
        if p == q && !matches!(p, Written::If(_)) {
            return Ok(p);
        }
        let mut flag = |written| match written {
            Written::No | Written::Yes => {
                let yes = u64::from(written == Written::Yes);
                self.constant(ScalarType::Bool, yes).map(Some)
            }
            Written::If(condition) => Ok(Some(condition)),
            Written::Maybe => Ok(None),
        };
        let (Some(first), Some(second)) = (flag(p)?, flag(q)?) else {
            return Ok(Written::Maybe);
        };
        self.merge_values(merge, first, second, Type::I1)
            .map(Written::If)
    }

    pub(crate) fn merge_consumed(
        &mut self,
        merge: &Merge,
        merged: &mut SymTensor,
        p: &SymTensor,
        q: &SymTensor,
    ) -> Res<()> {
        merged.tape.consumed = p.tape.consumed || q.tape.consumed;
        merged.tape.consumed_if = p.tape.consumed_if;
        if !p.is_consumed_apart(q) {
            return Ok(());
        }
        let mut consumed = |t: &SymTensor| match t.tape.consumed_if {
            Some(condition) => Ok(condition),
            None => self.constant(ScalarType::Bool, u64::from(t.tape.consumed)),
        };
        let (first, second) = (consumed(p)?, consumed(q)?);
        merged.tape.consumed_if = Some(self.merge_values(merge, first, second, Type::I1)?);
        // Where no backward pass went through it, it is what that side kept. Where one did, nothing is kept.
        let Some(ends) = merge.ends.clone() else {
            return Ok(());
        };
        let [(a, _), (b, _)] = &*ends;
        let other = match (p.tape.consumed, q.tape.consumed) {
            (true, false) => b,
            (false, true) => a,
            _ => return Ok(()),
        };
        let version = |state: &State, obj: Obj| match state.heap.get(obj).map(|o| &o.kind) {
            Some(Kind::Tensor(t)) => t.version,
            _ => 0,
        };
        let is_kept = |&(o, v): &(Obj, u32)| version(other, o) == v;
        if merged.tape.saved.iter().all(is_kept) {
            let now = |&(o, _): &(Obj, u32)| (o, version(a, o).max(version(b, o)));
            merged.tape.saved = merged.tape.saved.iter().map(now).collect();
        }
        Ok(())
    }

    /// Notes behind a branch that what the sides made was gone through where its side was taken.
    pub(crate) fn lift_consumed(
        &mut self,
        merge: &Merge,
        taken: std::ops::Range<Obj>,
        other: std::ops::Range<Obj>,
    ) -> Res<()> {
        for (side, made) in [(true, taken), (false, other)] {
            let mut always = None;
            for obj in made {
                let object = &self.state.heap[obj];
                let consumed_if = match &object.kind {
                    Kind::Tensor(t) if t.tape.consumed && object.origin.is_none() => {
                        t.tape.consumed_if
                    }
                    _ => continue,
                };
                let lifted = match (consumed_if, always) {
                    (None, Some(always)) => always,
                    (condition, _) => self.condition_of_side(merge, side, condition)?,
                };
                if consumed_if.is_none() {
                    always = Some(lifted);
                }
                self.tensor_mut(obj)?.tape.consumed_if = Some(lifted);
            }
        }
        Ok(())
    }

    fn merge_leaves(&mut self, merge: &Merge, a: &[Leaf], b: &[Leaf]) -> Res<Rc<[Leaf]>> {
        let mut merged: Vec<Leaf> = Vec::with_capacity(a.len());
        let twin = |of: &[Leaf], l: &Leaf| of.iter().find(|o| o.is_same(l)).copied();
        for leaf in a.iter().chain(b.iter().filter(|l| twin(a, l).is_none())) {
            let (mine, theirs) = (twin(a, leaf), twin(b, leaf));
            let used = match (mine, theirs) {
                (Some(Leaf { used: None, .. }), Some(Leaf { used: None, .. })) => None,
                _ => {
                    let first = self.used(mine)?;
                    let second = self.used(theirs)?;
                    Some(self.merge_values(merge, first, second, Type::I1)?)
                }
            };
            merged.push(Leaf { used, ..*leaf });
        }
        Ok(merged.into())
    }

    /// Whether a leaf is used, as a value.
    pub(crate) fn used(&mut self, leaf: Option<Leaf>) -> Res<ValueId> {
        match leaf {
            Some(Leaf { used: Some(c), .. }) => Ok(c),
            found => self.constant(janus_plan::ScalarType::Bool, u64::from(found.is_some())),
        }
    }

    /// `old + new` where `condition` holds, else `otherwise`.
    pub(crate) fn added_where(
        &mut self,
        condition: ValueId,
        [old, new]: [Obj; 2],
        otherwise: Obj,
    ) -> Res<Obj> {
        let sum = |this: &mut Self| this.apply(Prim::Binary(BinaryOp::Add), &[&old, &new]);
        self.where_else(condition, sum, otherwise)
    }

    /// What `then` computes where `condition` holds, else `otherwise`, which is of the same form.
    pub(crate) fn where_else(
        &mut self,
        condition: ValueId,
        then: impl FnOnce(&mut Self) -> Res<Obj>,
        otherwise: Obj,
    ) -> Res<Obj> {
        let predicate = self.use_value(condition)?;
        let side = |this: &mut Self, side| {
            this.new_context(crate::emit::contexts::ContextKind::Side { predicate, side })
        };
        let (taken, other) = (side(self, true), side(self, false));
        let parent = std::mem::replace(&mut self.emission.context, taken);
        let made = then(self).and_then(|made| self.current(made));
        self.emission.context = parent;
        let made = made?;
        let merge = Merge::new(self.key("gradient"), (predicate, true), [taken, other], 0);
        let (dtype, dims) = (self.tensor(otherwise)?.dtype, self.dims_of(otherwise)?);
        let device = self.device_of(otherwise);
        let otherwise = self.current(otherwise)?;
        let value = self.merge_values(&merge, made, otherwise, tensor_type(dtype, &dims))?;
        let merged = self.new_tensor(value, dtype, dims);
        self.tensor_mut(merged)?.device = device;
        Ok(merged)
    }
}
