//! Whether an operation reads, through one view, elements that it writes through another.
//!
//! In: two tensors of the graph. Out: nothing, or why there is no graph form. Always: what PyTorch refuses to
//! write is not part of a graph; tier 0 raises it.

use std::rc::Rc;

use janus_plan::ReasonId;
use janus_tensor::inplace::overlap_in_part;
use janus_tensor::ops::Prim;
use janus_tensor::tensor::Layout;
use janus_tensor::{DType, Dim, kernels};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Obj, ViewMap};

impl Executor<'_> {
    /// Fails where `read` may show elements of the memory of `target`, but not the same ones in the same order.
    pub(crate) fn no_part_overlaps(&self, target: Obj, read: Obj) -> Res<()> {
        let owner = self.owner(target)?;
        if target == read || owner != self.owner(read)? {
            return Ok(());
        }
        let (to, from) = (self.steps_to(target)?, self.steps_to(read)?);
        // One memory for both.
        let whole = self.whole_layout(owner)?;
        let seen = |steps: &[Rc<Prim>]| self.seen_through(whole.clone()?, steps);
        let overlap = match (seen(&to), seen(&from)) {
            (Some(to), Some(from)) => overlap_in_part(&to, &from),
            _ if self.same_or_apart(&to, &from) => false,
            _ => {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "an in-place operation that may read elements that it writes in another order",
                );
            }
        };
        if overlap {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: an in-place operation reads a part of what it writes",
            );
        }
        Ok(())
    }

    /// The views that lead from the owner of a tensor's memory to it.
    pub(crate) fn steps_to(&self, mut obj: Obj) -> Res<Vec<Rc<Prim>>> {
        let mut steps = Vec::new();
        while let Some(view) = &self.tensor(obj)?.view {
            obj = match &view.map {
                ViewMap::Same => view.base,
                ViewMap::Prim(parent, prim) => {
                    if !matches!(**prim, Prim::Detach) {
                        steps.push(prim.clone());
                    }
                    *parent
                }
            };
        }
        steps.reverse();
        Ok(steps)
    }

    /// Where a tensor's elements lie in the memory of its owner; `None` where that moves, or the owner's do not lie
    /// row by row.
    pub(crate) fn place_in_owner(&self, obj: Obj) -> Res<Option<Layout>> {
        let steps = self.steps_to(obj)?;
        let whole = self.whole_layout(self.owner(obj)?)?;
        Ok(whole.and_then(|whole| self.seen_through(whole, &steps)))
    }

    /// The same as [`Self::place_in_owner`], where the strides of a tensor from outside become a guard if it does not lie row by
    /// row.
    pub(crate) fn place_by_strides(&self, obj: Obj) -> Res<Option<Layout>> {
        if let Some(place) = self.place_in_owner(obj)? {
            return Ok(Some(place));
        }
        let owner = self.owner(obj)?;
        let dims = self.dims_of(owner)?;
        let is_known = dims.iter().all(|&d| self.resolve(d).known().is_some());
        let (Some(origin), true) = (&self.state.heap[owner].origin, is_known) else {
            return Ok(None);
        };
        let Some(real) = origin.value.foreign::<janus_tensor::Tensor>() else {
            return Ok(None);
        };
        let mut whole = Layout::empty(&[0], DType::Bool)?;
        whole.shape = real.shape();
        whole.strides = real.strides();
        let place = self.seen_through(whole, &self.steps_to(obj)?);
        if place.is_some() {
            let mut strided = self.layout.strided.borrow_mut();
            strided.insert(origin.node, real.strides().to_vec());
        }
        Ok(place)
    }

    /// Whether a view primitive needs a copy of a tensor, for sure.
    pub(crate) fn is_surely_copied(&self, obj: Obj, prim: &Prim) -> Res<bool> {
        let place = self.place_in_owner(obj)?;
        let made = place.map(|layout| kernels::view(&self.with_known_dims(prim), &layout));
        Ok(matches!(made, Some(Ok(None))))
    }

    /// Where an owner's elements lie; `None` where extents move, or they do not lie row by row.
    fn whole_layout(&self, owner: Obj) -> Res<Option<Layout>> {
        let dims = self.dims_of(owner)?;
        let shape: Option<Vec<i64>> = dims.iter().map(|&d| self.resolve(d).known()).collect();
        match (shape, self.dense_view(owner)) {
            // Memory that nobody touches is not there.
            (Some(shape), Ok(true)) => Ok(Some(Layout::empty(&shape, DType::Bool)?)),
            _ => Ok(None),
        }
    }

    fn seen_through(&self, whole: Layout, steps: &[Rc<Prim>]) -> Option<Layout> {
        steps.iter().try_fold(whole, |layout, prim| {
            kernels::view(&self.with_known_dims(prim), &layout).ok()?
        })
    }

    fn with_known_dims(&self, prim: &Prim) -> Prim {
        prim.with_symbols(&|symbol| self.resolve(Dim::Sym(symbol)))
    }

    /// Whether two chains of views end at the same elements, or at none in common, whatever the extents are.
    fn same_or_apart(&self, to: &[Rc<Prim>], from: &[Rc<Prim>]) -> bool {
        let differ = to
            .iter()
            .zip(from)
            .position(|(a, b)| self.with_known_dims(a) != self.with_known_dims(b));
        let Some(at) = differ else {
            return to.len() == from.len();
        };
        let (
            Prim::Slice {
                starts: a,
                sizes: m,
                strides: s,
            },
            Prim::Slice {
                starts: b,
                sizes: n,
                strides: t,
            },
        ) = (&*to[at], &*from[at])
        else {
            return false;
        };
        let rest = |steps: &[Rc<Prim>]| -> Vec<Prim> {
            steps[at + 1..]
                .iter()
                .map(|p| self.with_known_dims(p))
                .collect()
        };
        let same_rest = rest(to) == rest(from);
        let mut single = same_rest;
        for i in 0..a.len() {
            let [a, b, m, n] = [a[i], b[i], m[i], n[i]].map(|d| self.resolve(d));
            let end = |start: Dim, size: Dim, step: i64| {
                Some(start.known()? + (size.known()? - 1) * step + 1)
            };
            let before =
                |end: Option<i64>, start: Dim| end.zip(start.known()).is_some_and(|(e, s)| e <= s);
            if before(end(a, m, s[i]), b) || before(end(b, n, t[i]), a) {
                return true;
            }
            let one = m.known() == Some(1) && n.known() == Some(1);
            single &= one || (a == b && m == n && s[i] == t[i]);
        }
        single
    }
}
