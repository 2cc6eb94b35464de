//! Eager execution of the primitives, recorded on the tape.
//!
//! In: a primitive and tensors. Out: a tensor.
//! Always: what is computed does not depend on whether it is recorded; a result that shares
//! its operand's memory knows its base, so in-place changes of either reach the other's
//! gradient.

use std::cell::Ref;
use std::collections::HashMap;
use std::rc::Rc;

use janus_gil::clocks::{Clock, timed};
use smallvec::SmallVec;

use crate::autograd::gradients::definition_of;
use crate::autograd::{
    Backward, Edge, Node, Output, is_grad_enabled, is_inference_mode, record_custom,
};
use crate::device::{self, Device, DeviceGuard};
use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels;
use crate::ops::{BinaryOp, Dim, DimOp, Dims, Ops, Prim};
use crate::scalar::{Scalar, ScalarKind};
use crate::shape::{Strides, dims_of, known};
use crate::tensor::{Layout, Tensor, ViewOf};

/// Runs primitives at once. Has no state: modes and streams belong to the thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eager;

impl Eager {
    /// Runs a primitive without recording it.
    pub fn compute(prim: &Prim, operands: &[&Tensor]) -> Result<Layout> {
        let borrowed: SmallVec<[Ref<'_, Layout>; 3]> =
            operands.iter().map(|t| t.layout()).collect();
        let device = match device::only_main_memory() {
            true => None,
            false => device::of_operands(borrowed.iter().map(|l| l.storage.device())),
        };
        let _guard = device.map(DeviceGuard::new);
        let layouts: SmallVec<[&Layout; 3]> = borrowed.iter().map(|l| &**l).collect();
        if device == Some(Device::Meta) {
            return kernels::meta::run(prim, &layouts);
        }
        timed(Clock::Kernels, || kernels::run(prim, &layouts))
    }

    /// The node for a result, where a gradient can flow.
    fn record(prim: &Prim, operands: &[&Tensor], result: &Layout) -> Result<Option<Output>> {
        if !is_grad_enabled() || !result.dtype.is_inexact() {
            return Ok(None);
        }
        for t in operands {
            t.check_view()?;
        }
        // Most operands have no gradient; the table is asked only for those that have.
        let mut edges: SmallVec<[Option<Edge>; 3]> =
            operands.iter().map(|t| t.gradient_edge()).collect();
        if edges.iter().all(Option::is_none) && !operands.iter().any(|t| t.is_dead_end()) {
            return Ok(None);
        }
        let complex = result.dtype.is_complex() || operands.iter().any(|t| t.dtype().is_complex());
        let Some(definition) = definition_of(prim, complex)? else {
            return Ok(None);
        };
        let mut requires = false;
        for (i, (edge, operand)) in edges.iter_mut().zip(operands).enumerate() {
            if !definition.differentiates(i) {
                *edge = None;
            } else {
                requires |= edge.is_some() || operand.is_dead_end();
            }
        }
        if !requires {
            return Ok(None);
        }
        let node = Node::of_prim(prim.clone(), definition, operands, edges, result)?;
        Ok(Some(Output { node, index: 0 }))
    }
}

impl Eager {
    /// The place on the tape of a view of windows: that of a copy of them.
    fn record_windows(x: &Tensor, dim: usize, size: i64, step: i64) -> Result<Option<Output>> {
        if !is_grad_enabled() || !x.requires_grad() {
            return Ok(None);
        }
        let taken = Eager.windows_taken(x, (dim, x.size(dim)), size, step)?;
        let output = taken.0.grad_fn.borrow().clone();
        Ok(output)
    }
}

/// The place on the tape of a view of any part of a tensor's memory: that of a copy of its elements.
pub(crate) fn record_part(x: &Tensor, part: &Layout) -> Result<Option<Output>> {
    if !is_grad_enabled() || !x.requires_grad() {
        return Ok(None);
    }
    let layout = x.layout().clone();
    let refused = |what: &str| {
        TensorError::NotImplemented(format!(
            "as_strided of a tensor that requires grad {what} is not implemented in janus-jit yet"
        ))
    };
    if layout.overlaps() {
        return Err(refused("and has elements in one place"));
    }
    // By places in memory, the elements that are there.
    let elements: HashMap<i64, i64> = places(&layout).into_iter().zip(0_i64..).collect();
    let seen: Option<Vec<i64>> = (places(part).iter())
        .map(|place| elements.get(place).copied())
        .collect();
    let seen = seen.ok_or_else(|| refused("with elements that are not its own"))?;
    let index = Tensor::from_slice(&seen, &part.shape)?;
    let flat = Eager.reshape(x, &[Dim::Known(x.numel())])?;
    let taken = Eager.take(&flat, 0, &index)?;
    Eager.label(&taken, "AsStridedBackward0");
    let output = taken.0.grad_fn.borrow().clone();
    Ok(output)
}

/// Where the elements of a layout are in its memory, in row-major order.
fn places(layout: &Layout) -> Vec<i64> {
    let mut places = vec![layout.offset];
    for (&n, &step) in layout.shape.iter().zip(&layout.strides) {
        places = (places.iter())
            .flat_map(|&place| (0..n).map(move |i| place + i * step))
            .collect();
    }
    places
}

/// What a view of `operand` is a view of.
pub(crate) fn view_of(prim: &Prim, operand: &Tensor) -> ViewOf {
    match &*operand.0.view.borrow() {
        // What no primitives made stands for itself.
        Some(view) if view.chain.is_empty() => ViewOf {
            base: operand.clone(),
            chain: Rc::new([prim.clone()]),
            one_of_several: None,
            unrecorded: true,
            version: operand.version(),
        },
        Some(view) => ViewOf {
            base: view.base.clone(),
            chain: view
                .chain
                .iter()
                .chain(std::iter::once(prim))
                .cloned()
                .collect(),
            one_of_several: view.one_of_several.map(|_| 0),
            unrecorded: view.unrecorded || !is_grad_enabled(),
            version: view.base.version(),
        },
        None => ViewOf {
            base: operand.clone(),
            chain: Rc::new([prim.clone()]),
            one_of_several: None,
            unrecorded: !is_grad_enabled(),
            version: operand.version(),
        },
    }
}

/// A diagonal of two dimensions, `offset` beside the first one, as a view: `taken` has its elements, by these steps.
#[must_use]
pub fn diagonal_view(
    x: &Tensor,
    taken: &Tensor,
    steps: &[Prim],
    (p, q, offset): (usize, usize, i64),
) -> Tensor {
    let layout = x.layout().clone();
    let step = |d: usize| layout.strides.get(d).copied().unwrap_or(0);
    let mut strides: Strides = (0..layout.rank())
        .filter(|&d| d != p && d != q)
        .map(step)
        .collect();
    strides.push(step(p) + step(q));
    let first = layout.offset + offset.max(0) * step(q) + (-offset).max(0) * step(p);
    let Some(seen) = layout.view(taken.shape(), strides, first) else {
        return taken.clone();
    };
    let view = x.sharing(seen, taken.0.grad_fn.borrow().clone());
    let mut place: Option<ViewOf> = None;
    for step in steps {
        let of = place.take().map_or_else(
            || view_of(step, x),
            |place| ViewOf {
                chain: place.chain.iter().chain([step]).cloned().collect(),
                ..place
            },
        );
        place = Some(of);
    }
    if !is_inference_mode() {
        view.0.view.replace(place);
    }
    view
}

/// The derivative of a copy on another device: the gradient, where the operand is.
struct CopyBack(Device);

impl Backward for CopyBack {
    fn backward(&self, grads: &[Option<Tensor>], _wants: &[bool]) -> Result<Vec<Option<Tensor>>> {
        let back = |grad: &Tensor| Eager::to_device(grad, self.0);
        let grad = grads.first().and_then(Option::as_ref);
        Ok(vec![grad.map(back).transpose()?])
    }

    fn release(&self) {}

    fn goes_again(&self) -> bool {
        true
    }
}

impl Eager {
    /// A copy on a device, through which gradients go back to where the operand is.
    pub fn to_device(x: &Tensor, device: Device) -> Result<Tensor> {
        let copy = x.copy_to(device)?;
        record_custom(
            "ToCopyBackward0",
            &[x],
            &[&copy],
            Box::new(CopyBack(x.device())),
        );
        Ok(copy)
    }
}

impl Ops for Eager {
    type T = Tensor;
    type S = Scalar;
    type Error = TensorError;

    fn dtype(&self, t: &Tensor) -> DType {
        t.dtype()
    }

    fn shape(&self, t: &Tensor) -> Dims {
        dims_of(&t.layout().shape)
    }

    fn apply(&mut self, prim: Prim, operands: &[&Tensor]) -> Result<Tensor> {
        let layout = Eager::compute(&prim, operands)?;
        let output = match (&prim, operands) {
            (&Prim::Windows { dim, size, step }, [x]) => Eager::record_windows(x, dim, size, step)?,
            _ => Eager::record(&prim, operands, &layout)?,
        };
        let viewed = match operands {
            [operand] if prim.is_view() && operand.layout().storage.same(&layout.storage) => {
                operand
            }
            _ => return Ok(Tensor::with_edge(layout, output)),
        };
        let result = viewed.sharing(layout, output);
        if prim != Prim::Detach && !is_inference_mode() {
            let view = view_of(&prim, viewed);
            result.0.view.replace(Some(view));
        }
        Ok(result)
    }

    fn full(&mut self, value: &Scalar, dtype: DType, shape: &[Dim]) -> Result<Tensor> {
        Tensor::full(&known(shape)?, *value, dtype)
    }

    fn splat(&mut self, value: &Scalar, dtype: DType, shape: &[Dim]) -> Result<Tensor> {
        let shape = known(shape)?;
        let one = Tensor::full(&[], *value, dtype)?;
        let strides = SmallVec::from_elem(0, shape.len());
        let stretched = one.layout().view(shape, strides, 0);
        stretched
            .map(Tensor::from_layout)
            .ok_or_else(|| TensorError::Runtime("splat".to_owned()))
    }

    fn item(&mut self, t: &Tensor) -> Result<Scalar> {
        t.item()
    }

    fn scalar(&mut self, value: Scalar) -> Scalar {
        value
    }

    fn scalar_kind(&self, s: &Scalar) -> ScalarKind {
        s.kind()
    }

    fn scalar_value(&self, s: &Scalar) -> Option<Scalar> {
        Some(*s)
    }

    fn scalar_binary(&mut self, op: BinaryOp, a: &Scalar, b: &Scalar) -> Result<Scalar> {
        Scalar::binary(op, *a, *b)
    }

    fn dim_scalar(&mut self, d: Dim) -> Scalar {
        Scalar::I64(d.known().unwrap_or(0))
    }

    fn scalar_dim(&mut self, s: &Scalar) -> Result<Dim> {
        Ok(Dim::Known(s.to_i64()))
    }

    fn dim_binary(&mut self, op: DimOp, a: Dim, b: Dim) -> Result<Dim> {
        a.known()
            .zip(b.known())
            .and_then(|(a, b)| op.eval(a, b))
            .map(Dim::Known)
            .ok_or_else(|| TensorError::Runtime("extent overflow".to_owned()))
    }

    fn dims_equal(&mut self, a: Dim, b: Dim) -> Result<bool> {
        Ok(a == b)
    }

    fn label(&mut self, t: &Tensor, name: &'static str) {
        if let Some(o) = &*t.0.grad_fn.borrow() {
            o.node.name_result(name, t);
        }
    }

    fn keep(&mut self, t: &Tensor, kept: &Tensor) {
        if let Some(o) = &*t.0.grad_fn.borrow() {
            o.node.keep(kept, t.same(kept));
        }
    }
}
