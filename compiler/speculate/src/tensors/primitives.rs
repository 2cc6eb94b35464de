//! The primitives as ops of the dialect.
//!
//! In: a primitive and tensor objects. Out: its value, dtype and extents. Always: operands carry in
//! their types what is known of their extents.

use janus_dialect::{Attr, Type, ValueId};
use janus_plan::{DeoptReason, ReasonId};
use janus_tensor::ops::{DimOp, Dims, Prim};
use janus_tensor::{DType, Device, Dim, Ops};
use janus_torch::TorchOps;

use crate::Res;
use crate::emit::ops::{NO_NUMBERS, RARE_DTYPE};
use crate::executor::Executor;
use crate::state::sym::Obj;
use crate::state::types::tensor_type;

/// A start that is an operand, in `static_starts`.
const DYNAMIC: i64 = i64::MIN;

/// Writes into parts of tensors in one graph at most: whether each may be done in place is found out
/// in a time that grows with the third power of their number.
const MAX_UPDATES: u32 = 96;

impl Executor<'_> {
    /// Where a slice starts, `DYNAMIC` for what is not known; the values of those go to `extra`.
    fn split_starts(&mut self, starts: &[Dim], extra: &mut Vec<ValueId>) -> Res<Vec<i64>> {
        let mut fixed = Vec::with_capacity(starts.len());
        for &s in starts {
            fixed.push(match self.resolve(s) {
                Dim::Known(n) => n,
                Dim::Sym(_) => {
                    extra.push(self.dim_value(s)?);
                    DYNAMIC
                }
            });
        }
        Ok(fixed)
    }

    /// Emits the elements of windows of a tensor.
    fn emit_windows(
        &mut self,
        of: Obj,
        dim: usize,
        size: i64,
        step: i64,
    ) -> Res<(ValueId, DType, Dims)> {
        let dims = self.dims_of(of)?;
        let Some(n) = dims.get(dim).and_then(|&d| self.resolve(d).known()) else {
            return self.refuse(
                ReasonId::MovingValue,
                "windows along an extent that is not known",
            );
        };
        let index = self.window_indices(n, size, step)?;
        let (value, dtype, dims) = self.emit_prim(&Prim::Take { dim }, &[of, index])?;
        let taken = self.new_tensor(value, dtype, dims.clone());
        let mut order: janus_tensor::ops::Axes = (0..dims.len()).collect();
        let window = order.remove(dim + 1);
        order.push(window);
        self.emit_prim(&Prim::Permute { dims: order }, &[taken])
    }

    /// Emits a primitive over tensor objects: its value, dtype and extents.
    pub(crate) fn emit_prim(
        &mut self,
        prim: &Prim,
        operands: &[Obj],
    ) -> Res<(ValueId, DType, Dims)> {
        let all = operands
            .iter()
            .map(|&o| self.dims_of(o))
            .collect::<Res<Vec<Dims>>>()?;
        let first = all.first().cloned().unwrap_or_default();
        let dtype = operands
            .first()
            .map(|&o| self.tensor(o).map(|t| t.dtype))
            .transpose()?;
        let dtype = dtype.unwrap_or(DType::F32);
        let axes = |dims: &[usize]| {
            Attr::I64s(dims.iter().filter_map(|&d| i64::try_from(d).ok()).collect())
        };
        let axis = |d: usize| Attr::I64(i64::try_from(d).unwrap_or(0));
        // Operands of one shape: the most that is known of each extent.
        let unified = || -> Dims {
            let mut dims = first.clone();
            for other in &all {
                for (d, &o) in dims.iter_mut().zip(other) {
                    if d.known().is_none() {
                        *d = o;
                    }
                }
            }
            dims
        };
        let mut wanted: Vec<Dims> = all.clone();
        let mut extra: Vec<ValueId> = Vec::new();
        let mut attrs: Vec<(&str, Attr)> = Vec::new();
        let mut out_dtype = dtype;
        if self.state.mode.device == Device::Meta {
            return self.refuse(ReasonId::RareDtype, NO_NUMBERS);
        }
        if dtype.is_complex() || dtype.is_stored_unsigned() {
            return self.refuse(ReasonId::RareDtype, RARE_DTYPE);
        }
        let dims: Dims = match prim {
            Prim::Complex(_) | Prim::Fourier { .. } => {
                return self.refuse(ReasonId::RareDtype, RARE_DTYPE);
            }
            Prim::Unary(_) | Prim::Detach => first.clone(),
            Prim::Binary(_) | Prim::WithSlope => {
                let dims = unified();
                wanted = vec![dims.clone(); operands.len()];
                dims
            }
            Prim::Compare(p) => {
                attrs.push(("predicate", Attr::Str(p.name().to_owned())));
                out_dtype = DType::Bool;
                let dims = unified();
                wanted = vec![dims.clone(); operands.len()];
                dims
            }
            Prim::Select => {
                out_dtype = match operands.get(1) {
                    Some(&o) => self.tensor(o)?.dtype,
                    None => dtype,
                };
                let dims = unified();
                wanted = vec![dims.clone(); operands.len()];
                dims
            }
            Prim::Cast(to) => {
                out_dtype = *to;
                first.clone()
            }
            Prim::Iota { dim, dtype, shape } => {
                attrs.push(("dim", axis(*dim)));
                out_dtype = *dtype;
                extra = self.dynamic_sizes(shape)?;
                shape.clone()
            }
            Prim::Broadcast { dims, shape } => {
                attrs.push(("dims", axes(dims)));
                // What is known of a result extent is known of the operand's.
                let shape: Dims = shape.iter().map(|&d| self.resolve(d)).collect();
                if let Some(w) = wanted.first_mut() {
                    for (i, &to) in dims.iter().enumerate() {
                        if let (Some(d), Some(&s)) = (w.get_mut(i), shape.get(to))
                            && d.known() != Some(1)
                        {
                            *d = s;
                        }
                    }
                }
                extra = self.dynamic_sizes(&shape)?;
                shape
            }
            Prim::Reshape { shape } => {
                extra = self.dynamic_sizes(shape)?;
                shape.clone()
            }
            Prim::Permute { dims } => {
                attrs.push(("dims", axes(dims)));
                dims.iter().filter_map(|&d| first.get(d).copied()).collect()
            }
            Prim::Slice {
                starts,
                sizes: shape,
                strides,
            }
            | Prim::Unslice {
                starts,
                shape,
                strides,
            } => {
                let fixed = self.split_starts(starts, &mut extra)?;
                extra.extend(self.dynamic_sizes(shape)?);
                attrs.push(("static_starts", Attr::I64s(fixed)));
                attrs.push(("strides", Attr::I64s(strides.to_vec())));
                shape.clone()
            }
            &Prim::Windows { dim, size, step } => match *operands {
                [of] => return self.emit_windows(of, dim, size, step),
                _ => return self.defect("windows of several tensors"),
            },
            Prim::UpdateSlice {
                starts, strides, ..
            } => {
                self.state.updates += 1;
                if self.state.updates > MAX_UPDATES {
                    return self.refuse(
                        ReasonId::TooLarge,
                        "too many writes into tensors, one after the other",
                    );
                }
                let fixed = self.split_starts(starts, &mut extra)?;
                attrs.push(("static_starts", Attr::I64s(fixed)));
                attrs.push(("strides", Attr::I64s(strides.to_vec())));
                first.clone()
            }
            Prim::Concat { dim } => {
                attrs.push(("dim", axis(*dim)));
                let mut dims = unified();
                let mut sum = Dim::Known(0);
                for w in &mut wanted {
                    let along = w.get(*dim).copied().unwrap_or(Dim::Known(0));
                    sum = self.dim_binary(DimOp::Add, sum, along)?;
                    for (i, d) in w.iter_mut().enumerate() {
                        if i != *dim {
                            *d = dims.get(i).copied().unwrap_or(*d);
                        }
                    }
                }
                if let Some(d) = dims.get_mut(*dim) {
                    *d = sum;
                }
                dims
            }
            Prim::Reverse { dims } | Prim::Backwards { dims } => {
                attrs.push(("dims", axes(dims)));
                first.clone()
            }
            Prim::Reduce { dims, .. } => {
                attrs.push(("dims", axes(dims)));
                first
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| !dims.contains(i))
                    .map(|(_, &d)| d)
                    .collect()
            }
            Prim::Arg { dim, .. } => {
                self.assert_not_empty(&first, *dim)?;
                attrs.push(("dim", axis(*dim)));
                out_dtype = DType::I64;
                first
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| i != dim)
                    .map(|(_, &d)| d)
                    .collect()
            }
            Prim::Dot => {
                let [a, b] = wanted.as_mut_slice() else {
                    return self.defect("dot takes two operands");
                };
                let rank = a.len();
                if rank < 2 || b.len() != rank {
                    return self.defect("dot of different ranks");
                }
                let know = |x: &mut Dim, y: &mut Dim| {
                    let best = if x.known().is_some() { *x } else { *y };
                    *x = best;
                    *y = best;
                };
                for (x, y) in a[..rank - 2].iter_mut().zip(&mut b[..rank - 2]) {
                    know(x, y);
                }
                know(&mut a[rank - 1], &mut b[rank - 2]);
                let mut dims = a.clone();
                dims[rank - 1] = b[rank - 1];
                dims
            }
            Prim::Conv { window, shape, .. } => {
                extra = self.dynamic_sizes(shape)?;
                attrs.push(("strides", Attr::I64s(window.strides.to_vec())));
                attrs.push(("padding", Attr::I64s(window.padding.to_vec())));
                attrs.push(("dilation", Attr::I64s(window.dilation.to_vec())));
                attrs.push(("groups", Attr::I64(window.groups)));
                shape.clone()
            }
            Prim::PoolArgmax { window, shape } => {
                out_dtype = DType::I64;
                extra = self.dynamic_sizes(shape)?;
                attrs.push(("kernel", Attr::I64s(window.kernel.to_vec())));
                attrs.push(("strides", Attr::I64s(window.strides.to_vec())));
                attrs.push(("padding", Attr::I64s(window.padding.to_vec())));
                attrs.push(("dilation", Attr::I64s(window.dilation.to_vec())));
                shape.clone()
            }
            Prim::Gather { dim } => {
                attrs.push(("dim", axis(*dim)));
                all.get(1).cloned().unwrap_or_default()
            }
            Prim::ScatterAdd { dim } | Prim::TakeAdd { dim } => {
                attrs.push(("dim", axis(*dim)));
                first.clone()
            }
            Prim::Take { dim } => {
                attrs.push(("dim", axis(*dim)));
                let mut dims: Dims = first.iter().take(*dim).copied().collect();
                dims.extend(all.get(1).cloned().unwrap_or_default());
                dims.extend(first.iter().skip(dim + 1).copied());
                dims
            }
            Prim::Argsort {
                dim,
                descending,
                part,
            } => {
                out_dtype = DType::I64;
                attrs.push(("dim", axis(*dim)));
                attrs.push(("descending", Attr::Bool(*descending)));
                let (part, k) = part.code();
                attrs.push(("part", Attr::I64(part)));
                attrs.push(("k", Attr::I64(k)));
                first.clone()
            }
            Prim::Cumsum { dim } => {
                attrs.push(("dim", axis(*dim)));
                first.clone()
            }
        };
        let dims: Dims = dims.iter().map(|&d| self.resolve(d)).collect();
        let mut values = Vec::with_capacity(operands.len() + extra.len());
        for (&o, dims) in operands.iter().zip(&wanted) {
            values.push(self.differentiable_operand(o, dims)?);
        }
        values.extend(extra);
        let name = format!("janus.{}", prim.name());
        let value = self.emit1(&name, &values, &attrs, tensor_type(out_dtype, &dims))?;
        Ok((value, out_dtype, dims))
    }

    /// An extremum of nothing would raise.
    fn assert_not_empty(&mut self, dims: &[Dim], dim: usize) -> Res<()> {
        match dims.get(dim) {
            Some(&n) if n.known().is_none() => self.element_at(Dim::Known(0), n).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Asserts that indices lie below an extent.
    pub(crate) fn assert_indices(&mut self, index: Obj, extent: Dim) -> Res<()> {
        let dims = self.dims_of(index)?;
        let value = self.value_as(index, &dims)?;
        let all = Attr::I64s((0..i64::try_from(dims.len()).unwrap_or(0)).collect());
        let scalar = tensor_type(DType::I64, &[]);
        let limit = self.dim_value(extent)?;
        let limit = self.emit1("arith.index_cast", &[limit], &[], Type::I64)?;
        let zero = self.int(0)?;
        for (op, bound, predicate) in [
            ("janus.reduce_max", limit, 2),
            ("janus.reduce_min", zero, 5),
        ] {
            let extreme = if dims.is_empty() {
                value
            } else {
                self.emit1(op, &[value], &[("dims", all.clone())], scalar.clone())?
            };
            let item = self.emit1("janus.item", &[extreme], &[], Type::I64)?;
            let ok = self.emit1(
                "arith.cmpi",
                &[item, bound],
                &[("predicate", Attr::I64(predicate))],
                Type::I1,
            )?;
            let key = self.key("index");
            self.assert(
                ok,
                DeoptReason::IndexRange,
                key,
                "every index is in range".to_owned(),
            )?;
        }
        Ok(())
    }
}
