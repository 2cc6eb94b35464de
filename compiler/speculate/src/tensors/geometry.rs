//! Where elements of tensors lie: what is dense, what can be viewed with other extents, what overlaps.
//!
//! In: tensors of the graph, each with the chain of views that it was made by. Out: what can be told of their
//! places. Always: what is said of a tensor that was there at entry holds under a guard.

use std::collections::HashMap;

use janus_plan::ReasonId;
use janus_tensor::ops::{Axes, Dims, Prim};
use janus_tensor::shape::{contiguous_strides, inverse_permutation, iteration_order, memory_order};
use janus_tensor::{Dim, Ops};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Obj, View, ViewMap};

/// Of each dimension, whether it and the next one longer than 1 could be one dimension. Those of extent 1 do not
/// matter.
type Joins = Vec<bool>;

impl Executor<'_> {
    /// Whether it can be told that a tensor lies dense in memory, row by row: for one that is there at entry the
    /// answer is guarded.
    pub(crate) fn dense_view(&self, obj: Obj) -> Res<bool> {
        Ok(self.dense_below(obj, &mut HashMap::new())? == Some(true))
    }

    /// Whether a tensor lies dense in memory, row by row.
    pub(crate) fn is_dense(&self, obj: Obj) -> Res<bool> {
        match self.dense_below(obj, &mut HashMap::new())? {
            Some(dense) => Ok(dense),
            None => match self.place_by_strides(obj)? {
                Some(layout) => Ok(layout.is_contiguous()),
                None => self.refuse(
                    ReasonId::SharedMemory,
                    "whether a view of what has strides of its own is contiguous",
                ),
            },
        }
    }

    /// As [`Self::is_dense`], `None` where it is not known; `known` has the answers so far, since branches and loops
    /// decide between the same few tensors again and again.
    fn dense_below(&self, obj: Obj, known: &mut HashMap<Obj, Option<bool>>) -> Res<Option<bool>> {
        if let Some(&dense) = known.get(&obj) {
            return Ok(dense);
        }
        let t = self.tensor(obj)?;
        let sides = t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
        let undecided = "whether a tensor is contiguous is decided by a branch or loop";
        if t.identity.scattered {
            return self.undecided(undecided);
        }
        // Two that may be each other lie as the rest of what they may be.
        known.insert(obj, Some(true));
        for part in sides.chain(t.identity.parts.iter().copied()) {
            if self.dense_below(part, known)? != Some(true) {
                return self.undecided(undecided);
            }
        }
        let dense = match &t.view {
            None => Some(match &self.state.heap[obj].origin {
                None => true,
                Some(origin) => {
                    let real = origin.value.foreign::<janus_tensor::Tensor>();
                    let dense = real.is_some_and(janus_tensor::Tensor::is_contiguous);
                    self.layout.dense.borrow_mut().insert(origin.node, dense);
                    dense
                }
            }),
            Some(View {
                base,
                map: ViewMap::Same,
                ..
            }) => self.dense_below(*base, known)?,
            Some(View {
                map: ViewMap::Prim(parent, prim),
                ..
            }) => {
                let below = self.dense_below(*parent, known)?;
                let of_dense = |keeps: bool| (below == Some(true)).then_some(keeps);
                match &**prim {
                    Prim::Reshape { .. } | Prim::Detach => below,
                    Prim::Slice { sizes, strides, .. } => {
                        of_dense(self.slice_is_dense(*parent, sizes, strides)?)
                    }
                    Prim::Permute { dims } => {
                        let from = self.dims_of(*parent)?;
                        of_dense(dims.iter().filter(|&&d| !self.is_one(from[d])).is_sorted())
                    }
                    // Some lie dense, and that is known where all extents are.
                    Prim::Windows { .. } => None,
                    _ => of_dense(false),
                }
            }
        };
        known.insert(obj, dense);
        Ok(dense)
    }

    /// Whether a slice of something dense is dense: whole rows behind one another.
    fn slice_is_dense(&self, of: Obj, sizes: &[Dim], strides: &[i64]) -> Res<bool> {
        let from = self.dims_of(of)?;
        // Extents of 1 up to the dimension that is cut, whole ones behind it.
        let cut = sizes
            .iter()
            .position(|&d| !self.is_one(d))
            .unwrap_or(sizes.len());
        let whole = |i: usize| self.resolve(sizes[i]) == self.resolve(from[i]);
        Ok(strides.iter().all(|&s| s == 1) && (cut + 1..sizes.len()).all(whole))
    }

    /// The dimensions from the slowest to the fastest one in memory; `None` where they are in order.
    pub(crate) fn order_in_memory(&self, obj: Obj) -> Res<Option<Axes>> {
        if self.dense_view(obj)? {
            return Ok(None);
        }
        let t = self.tensor(obj)?;
        if t.is_decided() {
            return self
                .undecided("the order of elements in memory is decided by a branch or loop");
        }
        let unknown = "the order of the elements of a tensor in memory";
        let (parent, prim) = match t.view.as_ref() {
            Some(View {
                base,
                map: ViewMap::Same,
                ..
            }) => return self.order_in_memory(*base),
            Some(View {
                map: ViewMap::Prim(parent, prim),
                ..
            }) => (*parent, prim),
            None => {
                let Some(origin) = &self.state.heap[obj].origin else {
                    return self.refuse(ReasonId::SharedMemory, unknown);
                };
                let Some(real) = origin.value.foreign::<janus_tensor::Tensor>() else {
                    return self.refuse(ReasonId::SharedMemory, unknown);
                };
                let order = memory_order(&real.shape(), &real.strides());
                self.layout
                    .ordered
                    .borrow_mut()
                    .insert(origin.node, order.clone());
                return Ok(order);
            }
        };
        let outer = self.order_in_memory(parent)?;
        let to = self.dims_of(obj)?;
        let order: Axes = match (&**prim, outer) {
            (Prim::Detach | Prim::Slice { .. } | Prim::Broadcast { .. }, None) => return Ok(None),
            (Prim::Detach | Prim::Slice { .. }, Some(order)) => order,
            (Prim::Permute { dims }, outer) => {
                let places = inverse_permutation(dims);
                let outer = outer.unwrap_or_else(|| (0..dims.len()).collect());
                outer.iter().map(|&d| places[d]).collect()
            }
            (Prim::Reshape { .. }, outer) => {
                // Extents of 1 come and go.
                let from = self.dims_of(parent)?;
                let (a, b) = (self.long(&from), self.long(&to));
                let same =
                    |(&p, &q): (&usize, &usize)| self.resolve(from[p]) == self.resolve(to[q]);
                if a.len() != b.len() || !a.iter().zip(&b).all(same) {
                    return self.refuse(ReasonId::SharedMemory, unknown);
                }
                let outer = outer.unwrap_or_else(|| (0..from.len()).collect());
                let moved = outer.iter().filter_map(|d| {
                    let at = a.iter().position(|p| p == d)?;
                    b.get(at).copied()
                });
                let short = (0..to.len()).filter(|d| !b.contains(d));
                short.chain(moved).collect()
            }
            (&Prim::Windows { dim, step, .. }, None) => {
                let known = |dims: &[Dim]| -> Option<Vec<i64>> {
                    dims.iter().map(|&d| self.resolve(d).known()).collect()
                };
                let (Some(from), Some(to)) = (known(&self.dims_of(parent)?), known(&to)) else {
                    return self.refuse(ReasonId::SharedMemory, unknown);
                };
                let mut steps = contiguous_strides(&from);
                let along = steps[dim];
                steps[dim] *= step;
                steps.push(along);
                return Ok(memory_order(&to, &steps));
            }
            _ => return self.refuse(ReasonId::SharedMemory, unknown),
        };
        let sorted = order.iter().filter(|&&d| !self.is_one(to[d])).is_sorted();
        Ok((!sorted).then_some(order))
    }

    /// The order in memory of what an elementwise function of these gives; `None` where it lies row by row.
    pub(crate) fn order_of_results(&self, operands: &[Obj]) -> Res<Option<Axes>> {
        let mut stretched = false;
        for &obj in operands {
            stretched |= operands.len() > 1 && self.may_be_stretched(obj)?;
        }
        if stretched && let Some(order) = self.order_by_strides(operands)? {
            return Ok(order);
        }
        let mut orders = Vec::with_capacity(operands.len());
        for &obj in operands {
            orders.push(self.order_in_memory(obj)?);
        }
        if orders.iter().all(Option::is_none) {
            return Ok(None);
        }
        if stretched {
            return self.refuse(
                ReasonId::SharedMemory,
                "the order in memory of what is computed of stretched tensors",
            );
        }
        let mut shapes = Vec::with_capacity(operands.len());
        let mut steps = Vec::with_capacity(operands.len());
        for (&obj, order) in operands.iter().zip(&orders) {
            let dims = self.dims_of(obj)?;
            let shape: Vec<i64> = dims
                .iter()
                .map(|&d| if self.is_one(d) { 1 } else { 2 })
                .collect();
            // Numbers that are in the order of the strides.
            let mut step = vec![0; dims.len()];
            for (place, d) in (0..dims.len()).enumerate() {
                let d = order.as_ref().map_or(d, |order| order[place]);
                step[d] = (dims.len() - place) as i64;
            }
            shapes.push(shape);
            steps.push(step);
        }
        let both: Vec<(&[i64], &[i64])> = shapes
            .iter()
            .zip(&steps)
            .map(|(s, t)| (&**s, &**t))
            .collect();
        Ok(iteration_order(&both))
    }

    /// The same by the operands' strides; `None`: they are not known.
    fn order_by_strides(&self, operands: &[Obj]) -> Res<Option<Option<Axes>>> {
        let mut places = Vec::with_capacity(operands.len());
        for &obj in operands {
            match self.place_by_strides(obj)? {
                Some(place) => places.push(place),
                None => return Ok(None),
            }
        }
        let all: Vec<(&[i64], &[i64])> = places.iter().map(|p| (&*p.shape, &*p.strides)).collect();
        Ok(Some(iteration_order(&all)))
    }

    /// Whether elements may be repeated along a dimension.
    fn may_be_stretched(&self, obj: Obj) -> Res<bool> {
        let mut at = obj;
        loop {
            at = match &self.tensor(at)?.view {
                None => {
                    let origin = self.state.heap[at].origin.as_ref();
                    let real = origin.and_then(|o| o.value.foreign::<janus_tensor::Tensor>());
                    return Ok(real.is_some_and(|t| t.layout().repeats()));
                }
                Some(View {
                    map: ViewMap::Prim(_, prim),
                    ..
                }) if matches!(**prim, Prim::Broadcast { .. } | Prim::Windows { .. }) => {
                    return Ok(true);
                }
                Some(view) => view.parent(),
            };
        }
    }

    /// Whether an extent is 1 for sure.
    fn is_one(&self, d: Dim) -> bool {
        self.resolve(d).known() == Some(1)
    }

    /// The dimensions that are not 1 for sure, in order.
    fn long(&self, dims: &[Dim]) -> Vec<usize> {
        (0..dims.len()).filter(|&i| !self.is_one(dims[i])).collect()
    }

    /// Which dimensions of a tensor lie behind one another; `None` where that is not known.
    fn joins(&self, obj: Obj) -> Res<Option<Joins>> {
        let t = self.tensor(obj)?;
        let rank = t.dims.len();
        let all = |dense: bool| Ok(dense.then(|| vec![true; rank]));
        if t.is_decided() {
            return all(self.dense_view(obj)?);
        }
        let (parent, prim) = match &t.view {
            None if self.dense_view(obj)? => return all(true),
            None => {
                let Some(origin) = &self.state.heap[obj].origin else {
                    return Ok(None);
                };
                let Some(real) = origin.value.foreign::<janus_tensor::Tensor>() else {
                    return Ok(None);
                };
                let joins = real.joins();
                self.layout
                    .joined
                    .borrow_mut()
                    .insert(origin.node, joins.clone());
                return Ok(Some(joins));
            }
            Some(View {
                base,
                map: ViewMap::Same,
                ..
            }) => return self.joins(*base),
            Some(View {
                map: ViewMap::Prim(parent, prim),
                ..
            }) => (*parent, prim),
        };
        let Some(of) = self.joins(parent)? else {
            return Ok(None);
        };
        let (from, to) = (self.dims_of(parent)?, self.dims_of(obj)?);
        let (from_long, long) = (self.long(&from), self.long(&to));
        let mut joins = vec![true; rank];
        // Whether the old dimensions a and b follow one another and join.
        let follow = |a: usize, b: usize| {
            of[a] && from_long.iter().skip_while(|&&i| i != a).nth(1) == Some(&b)
        };
        match &**prim {
            Prim::Detach => return Ok(Some(of)),
            Prim::Permute { dims } => {
                for pair in long.windows(2) {
                    joins[pair[0]] = follow(dims[pair[0]], dims[pair[1]]);
                }
            }
            Prim::Slice { strides, .. } => {
                let whole =
                    |i: usize| strides[i] == 1 && self.resolve(from[i]) == self.resolve(to[i]);
                for pair in long.windows(2) {
                    joins[pair[0]] =
                        strides[pair[0]] == 1 && whole(pair[1]) && follow(pair[0], pair[1]);
                }
            }
            Prim::Broadcast { dims, .. } => {
                let source = |i: usize| {
                    let at = dims.iter().position(|&place| place == i)?;
                    (self.resolve(from[at]) == self.resolve(to[i])).then_some(at)
                };
                for pair in long.windows(2) {
                    joins[pair[0]] = match (source(pair[0]), source(pair[1])) {
                        (Some(a), Some(b)) => follow(a, b),
                        _ => false,
                    };
                }
            }
            Prim::Reshape { .. } => {
                let Some((same, cut)) = self.recut(&of, &from, &to) else {
                    return Ok(None);
                };
                // Equal dimensions join as before; of those in between, the last joins as the last did.
                let tail = long.len() - same - cut;
                for (n, &i) in long.iter().enumerate() {
                    let before = if n < same {
                        from_long.get(n)
                    } else if n + 1 == same + cut {
                        from_long
                            .len()
                            .checked_sub(tail + 1)
                            .and_then(|n| from_long.get(n))
                    } else if n >= same + cut {
                        (from_long.len() + n)
                            .checked_sub(long.len())
                            .and_then(|n| from_long.get(n))
                    } else {
                        None
                    };
                    joins[i] = before.is_none_or(|&b| of[b]);
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(joins))
    }

    /// How a tensor's memory is seen with other extents: so many equal dimensions in front, and so many of the new
    /// ones before the equal ones at the end. `None` where dimensions that do not join would have to.
    fn recut(&self, joins: &[bool], from: &[Dim], to: &[Dim]) -> Option<(usize, usize)> {
        let (old, new) = (self.long(from), self.long(to));
        let equal = |a: usize, b: usize| self.resolve(from[a]) == self.resolve(to[b]);
        let front = old
            .iter()
            .zip(&new)
            .take_while(|&(&a, &b)| equal(a, b))
            .count();
        let ends = old[front..].iter().rev().zip(new[front..].iter().rev());
        let back = ends.take_while(|&(&a, &b)| equal(a, b)).count();
        let between = &old[front..old.len() - back];
        let inner = between.split_last().map_or(&[][..], |(_, inner)| inner);
        let fits = inner.iter().all(|&i| joins[i]);
        fits.then_some((front, new.len() - back - front))
    }

    /// Takes extents at both ends of a view for equal that are equal as far as is known: they have to be for it
    /// to be one.
    pub(crate) fn agree(&mut self, obj: Obj, to: &[Dim]) -> Res<()> {
        let from = self.dims_of(obj)?;
        let (forth, back) = (from.iter().zip(to), from.iter().rev().zip(to.iter().rev()));
        for pairs in [forth.collect::<Vec<_>>(), back.collect()] {
            for (&a, &b) in pairs {
                let differ = self.hint(a).zip(self.hint(b)).is_some_and(|(a, b)| a != b);
                if differ || !self.dims_equal(a, b)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether `view()` to these extents is possible for sure.
    pub(crate) fn is_viewable(&self, obj: Obj, to: &[Dim]) -> Res<bool> {
        let from: Dims = self.dims_of(obj)?;
        Ok(match self.joins(obj)? {
            Some(joins) => self.recut(&joins, &from, to).is_some(),
            None => false,
        })
    }

    /// Whether one tensor may show some, but not all, of the elements that another one shows.
    pub(crate) fn may_overlap(&self, a: Obj, b: Obj) -> Res<bool> {
        let (owner, other) = (self.owner(a)?, self.owner(b)?);
        if a == b {
            return Ok(false);
        }
        if owner != other {
            let (p, q) = (self.all_parts_of(owner), self.all_parts_of(other));
            if p.contains(&other) || q.contains(&owner) || !p.is_disjoint(&q) {
                return self.undecided("a branch or loop decided whether what is written is read");
            }
            return Ok(false);
        }
        Ok(!self.is_same_place(a, b)? && !self.is_apart(a, b)?)
    }

    /// The views that lead to a tensor, from its owner on.
    fn chain(&self, obj: Obj) -> Res<Vec<&Prim>> {
        let mut chain = Vec::new();
        let mut at = obj;
        while let Some(view) = &self.tensor(at)?.view {
            at = match &view.map {
                ViewMap::Same => view.base,
                ViewMap::Prim(parent, prim) => {
                    if !matches!(**prim, Prim::Detach) {
                        chain.push(&**prim);
                    }
                    *parent
                }
            };
        }
        chain.reverse();
        Ok(chain)
    }

    /// Whether two views of one owner were made in the same way.
    fn is_same_place(&self, a: Obj, b: Obj) -> Res<bool> {
        let (p, q) = (self.chain(a)?, self.chain(b)?);
        Ok(p.len() == q.len() && p.iter().zip(&q).all(|(x, y)| self.same_view(x, y)))
    }

    fn same_view(&self, a: &Prim, b: &Prim) -> bool {
        let equal = |a: &[Dim], b: &[Dim]| {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(&a, &b)| self.resolve(a) == self.resolve(b))
        };
        match (a, b) {
            (Prim::Reshape { shape: a }, Prim::Reshape { shape: b }) => equal(a, b),
            (Prim::Permute { dims: a }, Prim::Permute { dims: b }) => a == b,
            (
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
            ) => s == t && equal(a, b) && equal(m, n),
            (Prim::Broadcast { dims: a, shape: m }, Prim::Broadcast { dims: b, shape: n }) => {
                a == b && equal(m, n)
            }
            _ => false,
        }
    }

    /// Whether two views of one owner have no element in common, or only whole ones: the first step in which they
    /// differ takes parts of one dimension that do not meet, or single elements of it.
    pub(crate) fn is_apart(&self, a: Obj, b: Obj) -> Res<bool> {
        let (p, q) = (self.chain(a)?, self.chain(b)?);
        let Some(at) = p.iter().zip(&q).position(|(x, y)| !self.same_view(x, y)) else {
            // One is made of the other.
            return Ok(false);
        };
        let (
            Prim::Slice {
                starts: from,
                sizes: m,
                strides: s,
            },
            Prim::Slice {
                starts: other,
                sizes: n,
                strides: t,
            },
        ) = (p[at], q[at])
        else {
            return Ok(false);
        };
        let rest_is_equal = p.len() == q.len()
            && p[at + 1..]
                .iter()
                .zip(&q[at + 1..])
                .all(|(x, y)| self.same_view(x, y));
        let known = |d: Dim| self.resolve(d).known();
        let mut meets_whole = rest_is_equal;
        for i in 0..from.len() {
            if let (Some(x), Some(y), Some(m), Some(n)) =
                (known(from[i]), known(other[i]), known(m[i]), known(n[i]))
            {
                let last = |start: i64, count: i64, step: i64| start + (count - 1) * step;
                if last(x, m, s[i]) < y || last(y, n, t[i]) < x {
                    return Ok(true);
                }
            }
            let one = self.is_one(m[i]) && self.is_one(n[i]);
            let equal = self.resolve(from[i]) == self.resolve(other[i])
                && self.resolve(m[i]) == self.resolve(n[i])
                && s[i] == t[i];
            meets_whole &= one || equal;
        }
        Ok(meets_whole)
    }
}
