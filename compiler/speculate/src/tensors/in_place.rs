//! In-place writes: to a tensor's own memory, or through a view into the tensor that owns it.
//!
//! In: a target and its new elements. Out: the owner's new value. Always: every view of the owner
//! sees the write, since it is made anew from the owner when it is next looked at; what autograd
//! makes of the write is what the tape makes of it, or the region is refused.

use janus_object::Bool;
use std::collections::HashSet;
use std::rc::Rc;

use janus_bytecode::CompareOp;
use janus_dialect::{Type, ValueId};
use janus_object::Value;
use janus_plan::{DeoptReason, Extent, ReasonId, ScalarType};
use janus_tensor::ops::{DimOp, Dims, Prim};
use janus_tensor::shape::inverse_permutation;
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::executor::Executor;
use crate::state::dims::BOUND_DEPTH;
use crate::state::sym::{
    GradName, Keeping, Kind, Leaf, MadeBy, Obj, Sym, SymScalar, SymTensor, View, ViewMap, Written,
};

/// The version of a view's elements that fits no version of its owner: they are made anew.
pub(crate) const STALE: u32 = u32::MAX;

impl Executor<'_> {
    /// `target[...] = value`, of equal shapes and dtypes.
    pub(crate) fn write_in_place(&mut self, target: Obj, value: Obj) -> Res<()> {
        let dims = self.dims_of(target)?;
        let grad = self.state.mode.grad_enabled;
        let source = self.tensor(value)?.clone();
        let owner = self.owner(target)?;
        let (through, cut_off) = (owner != target, self.is_cut_off(target)?);
        let to = self.tensor(owner)?.clone();
        let leaf = to.leaf && to.requires_grad;
        let inner = to.requires_grad && !to.leaf && !to.is_spent();
        if to.inference && !self.state.mode.inference {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an in-place operation on an inference tensor",
            );
        }
        if grad && leaf && !cut_off {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an in-place operation on a leaf that requires grad",
            );
        }
        if inner && (!grad || cut_off) {
            return self.refuse(
                ReasonId::GradientInPlace,
                "a tensor that a gradient goes through is written under no_grad() or through .data",
            );
        }
        if janus_tensor::inplace::versions_asked() {
            return self.refuse(
                ReasonId::NoGraphForm,
                "an in-place write, in a script that asks for `_version`: a graph does not count them",
            );
        }
        if grad
            && !cut_off
            && (source.requires_grad || inner || leaf)
            && self.place_among_several(target)?.is_some()
        {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an in-place operation on one of several views",
            );
        }
        if grad
            && !cut_off
            && (source.requires_grad || inner || leaf)
            && self.is_unrecorded(target)?
        {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an in-place operation on a view made in no_grad",
            );
        }
        let tracked = grad && !cut_off && (source.requires_grad || inner);
        if inner && !through && !source.requires_grad {
            return self.refuse(
                ReasonId::GradientInPlace,
                "a tensor that a gradient goes through is overwritten as a whole",
            );
        }
        let real = self.state.heap[owner].origin.as_ref();
        let real = real.and_then(|o| o.value.foreign::<janus_tensor::Tensor>());
        // Such a tensor gets another place on the tape at the commit: as a whole, and in each run.
        let is_whole = |t: &janus_tensor::Tensor| !through && !t.is_view() && !t.retains_grad();
        let certain = self.emission.context == 0 && self.looping.loops.is_empty();
        if tracked && real.is_some_and(|t| !certain || !is_whole(t)) {
            return self.refuse(
                ReasonId::GradientInPlace,
                "a differentiable in-place write to a tensor from outside",
            );
        }
        if real.is_some_and(janus_tensor::Tensor::has_overlap) {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an in-place write to an expanded tensor",
            );
        }
        let decided = |t: &SymTensor| t.identity.ambiguous || t.is_shared();
        if decided(&to) || decided(self.tensor(target)?) {
            return self
                .undecided("an in-place write to what a branch decided between two tensors");
        }
        let new = if tracked {
            self.differentiable_operand(value, &dims)?
        } else {
            self.value_as(value, &dims)?
        };
        let mut content = self.put_back(target, new)?;
        if leaf && !tracked {
            // A parameter after its update is a leaf: what it was updated by is not gone back through, and no
            // use of that is one of the parameter.
            content = self.cut_off(content)?;
        }
        let before = tracked.then(|| self.alloc(Kind::Tensor(to.clone())));
        let mut leaves = match through {
            true => to.tape.leaves.to_vec(),
            false => Vec::new(),
        };
        if tracked {
            let own = (source.leaf && source.requires_grad).then(|| Leaf::new(value, source.value));
            for &leaf in source.tape.leaves.iter().chain(&own) {
                self.add_leaf(&mut leaves, leaf)?;
            }
        }
        let unversioned = self.is_unversioned(target)?;
        self.went_stale(owner);
        let o = self.tensor_mut(owner)?;
        o.unversioned |= unversioned;
        o.counted |= !unversioned;
        o.value = content;
        o.version += 1;
        o.unsure_from = u32::MAX;
        o.written = Written::Yes;
        let version = o.version;
        if tracked {
            let mut inputs = vec![value];
            if let (Some(Sym::Obj(before)), true) = (&before, through || !certain) {
                inputs.push(*before);
            }
            let surely = |t: &SymTensor| t.requires_grad && !t.some_grad;
            o.requires_grad = true;
            o.some_grad = !(surely(&source) || through && surely(&to));
            o.leaf = false;
            o.tape.moved_on_tape = true;
            o.tape.grad_name = if through {
                GradName::Of("CopySlices".into())
            } else if source.leaf {
                GradName::Of("CopyBackwards".into())
            } else {
                source.tape.grad_name.clone()
            };
            o.tape.cut = false;
            o.tape.leaves = leaves.into();
            o.tape.inputs = inputs.into();
            o.tape.saved = Rc::new([]);
            o.tape.decided = false;
            o.tape.made_by = None;
            if let (Some(Sym::Obj(before)), false, true) = (before, through, certain) {
                o.tape.made_by = Some(Rc::new(MadeBy::Write(value)));
                o.tape.kept = Keeping::Nothing;
                o.tape.place = Some(before);
                self.tensor_mut(before)?.tape.place = Some(to.tape.place.unwrap_or(owner));
                self.made_of_before(owner, before);
            }
            self.views_follow(owner)?;
        } else if leaf {
            o.tape.leaves = Rc::new([Leaf::new(owner, content)]);
        } else {
            o.tape.cut |= source.tape.cut || source.requires_grad;
        }
        // The tape reads a view that it wrote through off its base; without a tape it is the value, unless the
        // base is a leaf, whose value is its own.
        if through && !tracked && !leaf {
            let t = self.tensor_mut(target)?;
            t.value = new;
            if let Some(view) = &mut t.view {
                view.version = version;
            }
        }
        Ok(())
    }

    /// After a write to the whole of `owner`: what was computed from it was computed from `before`, which is what it was.
    fn made_of_before(&mut self, owner: Obj, before: Obj) {
        for obj in (0..self.state.heap.len()).filter(|&o| o != owner && o != before) {
            let Kind::Tensor(t) = &self.state.heap[obj].kind else {
                continue;
            };
            let is_input = t.tape.inputs.contains(&owner);
            let made_by = t.tape.made_by.as_ref();
            let renamed = made_by.and_then(|m| m.renamed(owner, before));
            if !is_input && renamed.is_none() {
                continue;
            }
            let Kind::Tensor(t) = &mut self.state.heap[obj].kind else {
                continue;
            };
            let inputs = t.tape.inputs.iter();
            t.tape.inputs = inputs
                .map(|&o| if o == owner { before } else { o })
                .collect();
            if let Some(renamed) = renamed {
                t.tape.made_by = Some(Rc::new(renamed));
            }
        }
    }

    /// After a write to `owner`: what a branch or a loop made of it, or it of, is not known any more.
    pub(crate) fn went_stale(&mut self, owner: Obj) {
        // Below it what it may be, above it what may be one of these: objects follow their parts.
        let mut written = self.all_parts_of(owner);
        written.insert(owner);
        for obj in 0..self.state.heap.len() {
            let decided = matches!(&self.state.heap[obj].kind, Kind::Tensor(t) if t.is_decided());
            if decided && obj != owner && self.parts_of(obj).iter().any(|p| written.contains(p)) {
                written.insert(obj);
            }
        }
        written.remove(&owner);
        for &obj in &written {
            if let Kind::Tensor(t) = &mut self.state.heap[obj].kind {
                t.identity.stale = true;
                t.unsure_from = t.unsure_from.min(t.version);
                t.version += 1;
            }
        }
    }

    /// Owners of the memory that a tensor may be, as a branch or loop decided, other than itself.
    fn parts_of(&self, obj: Obj) -> Vec<Obj> {
        let Kind::Tensor(t) = &self.state.heap[obj].kind else {
            return Vec::new();
        };
        let sides = t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
        let owner = |part| self.owner(part).unwrap_or(part);
        sides
            .chain(t.identity.parts.iter().copied())
            .map(owner)
            .collect()
    }

    /// The same, with what those may be.
    pub(crate) fn all_parts_of(&self, obj: Obj) -> HashSet<Obj> {
        let mut parts = HashSet::new();
        let mut pending = self.parts_of(obj);
        while let Some(part) = pending.pop() {
            if parts.insert(part) {
                pending.extend(self.parts_of(part));
            }
        }
        parts
    }

    /// The owner's elements after a view of it got these.
    fn put_back(&mut self, target: Obj, content: ValueId) -> Res<ValueId> {
        let t = self.tensor(target)?;
        let dtype = t.dtype;
        let Some(view) = t.view.clone() else {
            return Ok(content);
        };
        let ViewMap::Prim(parent, prim) = view.map else {
            return Ok(content);
        };
        let (have, want) = (self.dims_of(target)?, self.dims_of(parent)?);
        let content = match &*prim {
            Prim::Detach => content,
            Prim::Slice {
                starts, strides, ..
            } => {
                let part = self.new_tensor(content, dtype, have);
                let update = Prim::UpdateSlice {
                    starts: starts.clone(),
                    strides: strides.clone(),
                    first: false,
                };
                self.emit_prim(&update, &[parent, part])?.0
            }
            Prim::Permute { dims } => {
                let part = self.new_tensor(content, dtype, have);
                let back = Prim::Permute {
                    dims: inverse_permutation(dims),
                };
                self.emit_prim(&back, &[part])?.0
            }
            Prim::Backwards { dims } => {
                let part = self.new_tensor(content, dtype, have);
                let back = Prim::Reverse { dims: dims.clone() };
                self.emit_prim(&back, &[part])?.0
            }
            Prim::Reshape { .. } if !self.reshapes_in_place(parent, &have)? => {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "an in-place write to a reshape that may be a copy",
                );
            }
            Prim::Broadcast { dims, .. } if !self.stretches_nothing(&want, dims, &have) => {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: an in-place write to an expanded tensor",
                );
            }
            Prim::Reshape { .. } | Prim::Broadcast { .. } => {
                let part = self.new_tensor(content, dtype, have);
                self.emit_prim(&Prim::Reshape { shape: want }, &[part])?.0
            }
            _ => {
                return self.refuse(
                    ReasonId::NoGraphForm,
                    "an in-place write through this view has no graph form",
                );
            }
        };
        self.put_back(parent, content)
    }

    /// Whether a reshape to these extents is a view for sure.
    pub(crate) fn reshapes_in_place(&self, parent: Obj, to: &[Dim]) -> Res<bool> {
        let long = |dims: &[Dim]| -> Dims {
            let all = dims.iter().map(|&d| self.resolve(d));
            all.filter(|d| d.known() != Some(1)).collect()
        };
        let from = self.dims_of(parent)?;
        Ok(long(&from) == long(to) || self.dense_view(parent)?)
    }

    fn stretches_nothing(&self, from: &[Dim], places: &[usize], to: &[Dim]) -> bool {
        to.iter().enumerate().all(|(i, &d)| {
            let of = places.iter().position(|&p| p == i);
            match of.and_then(|i| from.get(i)) {
                Some(&have) => self.resolve(have) == self.resolve(d),
                None => self.resolve(d).known() == Some(1),
            }
        })
    }

    /// Whether autograd does not see what is written through this tensor (`detach()`, `.data`).
    fn is_cut_off(&self, obj: Obj) -> Res<bool> {
        Ok(match self.tensor(obj)?.view.as_ref().map(|v| &v.map) {
            None => false,
            Some(ViewMap::Same) => true,
            Some(ViewMap::Prim(parent, prim)) => {
                matches!(**prim, Prim::Detach) || self.is_cut_off(*parent)?
            }
        })
    }

    /// Whether a write to it is not seen by what the tape keeps: `.data` and views of that.
    fn is_unversioned(&self, obj: Obj) -> Res<bool> {
        let t = self.tensor(obj)?;
        Ok(match t.view.as_ref().map(|v| &v.map) {
            None => false,
            Some(ViewMap::Prim(parent, _)) => t.unversioned || self.is_unversioned(*parent)?,
            Some(ViewMap::Same) => t.unversioned,
        })
    }

    /// Which result a tensor is of a function that returns several views; what shows part of one counts as the
    /// first.
    pub(crate) fn place_among_several(&self, obj: Obj) -> Res<Option<usize>> {
        let Some(view) = &self.tensor(obj)?.view else {
            return Ok(None);
        };
        match view.one_of_several {
            Some(index) => Ok(Some(index)),
            None => Ok(self.place_among_several(view.parent())?.map(|_| 0)),
        }
    }

    /// Whether a view was made in no_grad, or shows one that was.
    pub(crate) fn is_unrecorded(&self, obj: Obj) -> Res<bool> {
        match &self.tensor(obj)?.view {
            None => Ok(false),
            Some(view) => Ok(!view.noted || self.is_unrecorded(view.parent())?),
        }
    }

    /// Whether it is a view, made in no_grad, of what requires grad: a leaf of its own to the tape.
    pub(crate) fn is_unrecorded_leaf(&self, obj: Obj) -> Res<bool> {
        let t = self.tensor(obj)?;
        if t.requires_grad || t.view.is_none() || !t.dtype.is_float() {
            return Ok(false);
        }
        let owner = self.owner(obj)?;
        Ok(self.tensor(owner)?.requires_grad
            && self.is_unrecorded(obj)?
            && !self.is_cut_off(obj)?)
    }

    /// Views of a tensor that became a part of the graph are parts of it, too.
    fn views_follow(&mut self, owner: Obj) -> Res<()> {
        let base = self.tensor(owner)?;
        let (leaves, some_grad) = (base.tape.leaves.clone(), base.some_grad);
        for obj in 0..self.state.heap.len() {
            let of_owner = matches!(&self.state.heap[obj].kind,
                Kind::Tensor(SymTensor { view: Some(View { base, .. }), .. }) if *base == owner);
            if !of_owner || self.is_cut_off(obj)? {
                continue;
            }
            if self.place_among_several(obj)?.is_some() {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "what one of several views shows is written in place",
                );
            }
            if self.is_unrecorded(obj)? {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "what a view made in no_grad shows is written in place",
                );
            }
            let t = self.tensor_mut(obj)?;
            t.requires_grad = true;
            t.some_grad = some_grad;
            t.leaf = false;
            t.tape.cut = false;
            t.tape.leaves = leaves.clone();
            t.tape.inputs = Rc::new([owner]);
            t.tape.saved = Rc::new([]);
            t.tape.made_by = None;
        }
        Ok(())
    }

    /// Asserts that two numbers compare so, unless that is known; `expected` has the assumption's name
    /// and what it says.
    pub(crate) fn assert_compare(
        &mut self,
        op: CompareOp,
        a: &Sym,
        b: &Sym,
        reason: DeoptReason,
        (name, expected): (&str, &str),
    ) -> Res<()> {
        match self.compare(op, a, b)? {
            Sym::Scalar(ok) => {
                let key = self.key(name);
                self.assert(ok.id, reason, key, expected.to_owned())
            }
            _ => Ok(()),
        }
    }

    /// An index into `n` elements, counted from the start: asserted to be in range.
    pub(crate) fn place_from_start(&mut self, s: SymScalar, n: Dim) -> Res<SymScalar> {
        let n = self.dim_sym(n);
        let (zero, index) = (Sym::Known(Value::Int(0)), Sym::Scalar(s));
        let Some(extent) = self.number(&n)? else {
            return self.defect("an extent that is no number");
        };
        let negative = self.compare(CompareOp::Lt, &index, &zero)?;
        let wrapped = self.emit1("arith.addi", &[s.id, extent.id], &[], Type::I64)?;
        let Sym::Scalar(negative) = negative else {
            return self.defect("an index that is known");
        };
        let operands = [negative.id, wrapped, s.id];
        let place = self.emit1("arith.select", &operands, &[], Type::I64)?;
        let place = SymScalar {
            id: place,
            ty: ScalarType::Int,
        };
        let placed = Sym::Scalar(place);
        for (op, bound) in [(CompareOp::Ge, &zero), (CompareOp::Lt, &n)] {
            self.assert_in_range(op, &placed, bound)?;
        }
        Ok(place)
    }

    /// Asserts that an index lies on the right side of a bound.
    pub(crate) fn assert_in_range(&mut self, op: CompareOp, index: &Sym, bound: &Sym) -> Res<()> {
        if let Sym::Known(Value::Bool(Bool::False)) = self.compare(op, index, bound)? {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an index is out of range",
            );
        }
        let expected = ("index", "the index is in range");
        self.assert_compare(op, index, bound, DeoptReason::IndexRange, expected)
    }

    /// An extent as an int of the graph.
    pub(crate) fn dim_number(&mut self, dim: Dim) -> Res<SymScalar> {
        let id = match dim.known() {
            Some(n) => self.int(n)?,
            None => {
                let index = self.dim_value(dim)?;
                let id = self.emit1("arith.index_cast", &[index], &[], Type::I64)?;
                self.note_dim(id, dim);
                id
            }
        };
        Ok(SymScalar {
            id,
            ty: ScalarType::Int,
        })
    }

    /// An extent that may come out negative: asserted not to be, and 0 in that case.
    pub(crate) fn span_of(&mut self, n: Dim) -> Res<Dim> {
        let n = self.resolve(n);
        let Dim::Sym(at) = n else { return Ok(n) };
        let Some(info) = self.extents.dims.get(at as usize).copied() else {
            return self.defect("an extent that is not there");
        };
        if self.bounds(n, BOUND_DEPTH).least >= Some(0) {
            return Ok(n);
        }
        let key = (DimOp::Max, n, Dim::Known(0));
        if let Some(&known) = self.extents.dim_results.get(&key) {
            return Ok(known);
        }
        let (zero, number) = (Sym::Known(Value::Int(0)), self.dim_number(n)?);
        let (reason, expected) = (DeoptReason::IndexRange, ("extent", "no extent is negative"));
        self.assert_compare(CompareOp::Ge, &Sym::Scalar(number), &zero, reason, expected)?;
        let none = self.int(0)?;
        let inside = self.emit1("arith.maxsi", &[number.id, none], &[], Type::I64)?;
        let id = self.emit1("arith.index_cast", &[inside], &[], Type::Index)?;
        let dim = self.new_dim(id, info.hint);
        if let Some(made) = self.extents.dims.last_mut() {
            made.source = info.source;
        }
        // What was asserted inside of a branch does not hold outside of it.
        if self.emission.context == 0 {
            self.extents.dim_results.insert(key, dim);
            let again = (DimOp::Max, dim, Dim::Known(0));
            self.extents.dim_results.insert(again, dim);
        }
        Ok(dim)
    }

    /// A bound that counts from the end of `n`: asserted to be negative.
    pub(crate) fn bound_from_end(&mut self, d: Dim, n: Dim) -> Res<Dim> {
        let (zero, number) = (Sym::Known(Value::Int(0)), self.dim_number(d)?);
        let (reason, expected) = (
            DeoptReason::IndexRange,
            ("extent", "the bound counts from the end"),
        );
        self.assert_compare(CompareOp::Lt, &Sym::Scalar(number), &zero, reason, expected)?;
        let from_start = self.dim_binary(DimOp::Add, n, d)?;
        let inside = self.dim_binary(DimOp::Max, from_start, Dim::Known(0))?;
        // A failed assert does not stop the graph: stay inside.
        self.dim_binary(DimOp::Min, inside, n)
    }

    /// A bound that counts from the start or from the end of `n`.
    pub(crate) fn bound_of_any_sign(&mut self, d: Dim, n: Dim) -> Res<Dim> {
        let (number, extent) = (self.dim_number(d)?, self.dim_number(n)?);
        let zero = self.int(0)?;
        let is_negative = {
            let zero = Sym::Known(Value::Int(0));
            self.compare(CompareOp::Lt, &Sym::Scalar(number), &zero)?
        };
        let from_start = match is_negative {
            Sym::Scalar(is) => {
                let wrapped = [number.id, extent.id];
                let wrapped = self.emit1("arith.addi", &wrapped, &[], Type::I64)?;
                let operands = [is.id, wrapped, number.id];
                self.emit1("arith.select", &operands, &[], Type::I64)?
            }
            _ => number.id,
        };
        let inside = self.emit1("arith.maxsi", &[from_start, zero], &[], Type::I64)?;
        let inside = self.emit1("arith.minsi", &[inside, extent.id], &[], Type::I64)?;
        let id = self.emit1("arith.index_cast", &[inside], &[], Type::Index)?;
        let told = match self.emission.context {
            0 => self.entry_extent(d).zip(self.entry_extent(n)),
            _ => None,
        };
        let bound = self.new_dim(id, None);
        // Told at entry, asserts about it come before kernels that trust it.
        if let Some((d, n)) = told {
            let (d, n, zero) = (Rc::new(d), Rc::new(n), Rc::new(Extent::Known(0)));
            let negative = Extent::Compare(CompareOp::Lt, d.clone(), zero.clone());
            let more = Extent::Op(DimOp::Mul, n.clone(), Rc::new(negative));
            let from_start = Extent::Op(DimOp::Add, d, Rc::new(more));
            let inside = Extent::Op(DimOp::Max, Rc::new(from_start), zero);
            let inside = Extent::Op(DimOp::Min, Rc::new(inside), n);
            self.note_computed(inside);
        }
        Ok(bound)
    }

    /// Where `length` elements from `start` begin: asserted to lie among `n`, and inside in any case.
    pub(crate) fn span(&mut self, start: Dim, length: Dim, n: Dim) -> Res<Dim> {
        let expected = "the part lies inside of the tensor";
        self.span_or(start, length, n, DeoptReason::IndexRange, expected)
    }

    /// The same, with what is said where it does not.
    pub(crate) fn span_or(
        &mut self,
        start: Dim,
        length: Dim,
        n: Dim,
        reason: DeoptReason,
        expected: &str,
    ) -> Res<Dim> {
        let zero = Dim::Known(0);
        let last = self.dim_binary(DimOp::Sub, n, length)?;
        for (low, high) in [(zero, start), (zero, length), (start, last)] {
            let (low, high) = (self.dim_number(low)?, self.dim_number(high)?);
            let (low, high) = (Sym::Scalar(low), Sym::Scalar(high));
            self.assert_compare(CompareOp::Le, &low, &high, reason, ("index", expected))?;
        }
        let inside = self.dim_binary(DimOp::Min, start, last)?;
        self.dim_binary(DimOp::Max, inside, zero)
    }

    /// An int as the index of an element of `n`: asserted to be in range, counted from the start.
    pub(crate) fn element_index(&mut self, s: SymScalar, n: Dim) -> Res<Dim> {
        let place = self.place_from_start(s, n)?.id;
        let extent = self.dim_value(n)?;
        // A failed assert does not stop the graph: stay inside.
        let extent = self.emit1("arith.index_cast", &[extent], &[], Type::I64)?;
        let one = self.int(1)?;
        let last = self.emit1("arith.subi", &[extent, one], &[], Type::I64)?;
        let below = self.emit1("arith.minsi", &[place, last], &[], Type::I64)?;
        let first = self.int(0)?;
        let inside = self.emit1("arith.maxsi", &[below, first], &[], Type::I64)?;
        let id = self.emit1("arith.index_cast", &[inside], &[], Type::Index)?;
        let now = self.host_now(s).filter(|&now| now >= 0);
        Ok(self.new_dim(id, now))
    }
}
