//! Tier 0: torch functions on real tensors.
//!
//! In: primitives. Out: tensors of `janus-tensor`, recorded on its tape. Always: errors are Python
//! exceptions.

use std::collections::HashMap;

use janus_object::{Args, Name, Raised, Value, attr};
use janus_tensor::ops::{Axes, BinaryOp, DimOp, Dims, Steps};
use janus_tensor::{
    DType, Device, Dim, Ops, Prim, Scalar, ScalarKind, Tensor, TensorError, autograd, inplace,
    shape,
};

use crate::TorchOps;
use crate::autocast;
use crate::call::raised;
use crate::draws;
use crate::ops::{Draw, DrawFrom, NoDerivative, Warning};
use crate::vm_scope;

/// A Python exception, as the error of torch functions in tier 0.
pub struct TorchError(pub Raised);

impl From<TensorError> for TorchError {
    #[cold]
    fn from(e: TensorError) -> Self {
        TorchError(raised(e))
    }
}

impl From<Raised> for TorchError {
    fn from(e: Raised) -> Self {
        TorchError(e)
    }
}

type Result<T> = std::result::Result<T, TorchError>;

/// Runs torch functions at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eager;

impl Ops for Eager {
    type T = Tensor;
    type S = Scalar;
    type Error = TorchError;

    #[inline]
    fn dtype(&self, t: &Tensor) -> DType {
        t.dtype()
    }

    #[inline]
    fn shape(&self, t: &Tensor) -> Dims {
        janus_tensor::Eager.shape(t)
    }

    #[inline]
    fn apply(&mut self, prim: Prim, operands: &[&Tensor]) -> Result<Tensor> {
        Ok(janus_tensor::Eager.apply(prim, operands)?)
    }

    fn full(&mut self, value: &Scalar, dtype: DType, shape: &[Dim]) -> Result<Tensor> {
        Ok(janus_tensor::Eager.full(value, dtype, shape)?)
    }

    fn splat(&mut self, value: &Scalar, dtype: DType, shape: &[Dim]) -> Result<Tensor> {
        Ok(janus_tensor::Eager.splat(value, dtype, shape)?)
    }

    fn item(&mut self, t: &Tensor) -> Result<Scalar> {
        Ok(t.item()?)
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
        Ok(Scalar::binary(op, *a, *b)?)
    }

    fn dim_scalar(&mut self, d: Dim) -> Scalar {
        janus_tensor::Eager.dim_scalar(d)
    }

    fn scalar_dim(&mut self, s: &Scalar) -> Result<Dim> {
        Ok(janus_tensor::Eager.scalar_dim(s)?)
    }

    fn dim_binary(&mut self, op: DimOp, a: Dim, b: Dim) -> Result<Dim> {
        Ok(janus_tensor::Eager.dim_binary(op, a, b)?)
    }

    fn dims_equal(&mut self, a: Dim, b: Dim) -> Result<bool> {
        Ok(a == b)
    }

    fn label(&mut self, t: &Tensor, name: &'static str) {
        janus_tensor::Eager.label(t, name);
    }

    fn keep(&mut self, t: &Tensor, kept: &Tensor) {
        janus_tensor::Eager.keep(t, kept);
    }
}

/// The derivative of a function that PyTorch has none of.
struct Underivable(NoDerivative);

impl autograd::Backward for Underivable {
    fn backward(
        &self,
        _grads: &[Option<Tensor>],
        _wants: &[bool],
    ) -> std::result::Result<Vec<Option<Tensor>>, TensorError> {
        let name = self.0.function;
        if let Some(refusal) = &self.0.refusal {
            return Err(TensorError::Runtime(refusal.clone().into_owned()));
        }
        Err(match self.0.node {
            None => TensorError::Runtime(format!("derivative for aten::{name} is not implemented")),
            Some(_) => TensorError::NotImplemented(format!(
                "the derivative for '{name}' is not implemented."
            )),
        })
    }

    fn release(&self) {}

    fn goes_again(&self) -> bool {
        true
    }
}

impl TorchOps for Eager {
    fn known_finite(&mut self, t: &Tensor) -> Option<bool> {
        Some(t.result_finite())
    }

    fn is_conjugated(&self, t: &Tensor) -> bool {
        t.is_conjugated()
    }

    fn set_conjugated(&mut self, t: &Tensor, on: bool) {
        t.set_conjugated(on);
    }

    fn assign(&mut self, target: &Tensor, value: &Tensor) -> Result<()> {
        if value.wrapper().is_some() {
            // Python sees the value: keep a handle, so that its memory is copied and not taken.
            let seen = value.layout().clone();
            inplace::assign(target, value)?;
            drop(seen);
            return Ok(());
        }
        Ok(inplace::assign(target, value)?)
    }

    fn windows(
        &mut self,
        x: &Tensor,
        (dim, _): (usize, i64),
        size: i64,
        step: i64,
    ) -> Result<Tensor> {
        self.apply(Prim::Windows { dim, size, step }, &[x])
    }

    fn shown_diagonal(
        &mut self,
        x: &Tensor,
        taken: &Tensor,
        steps: [Prim; 3],
        along: (usize, usize, i64),
    ) -> Result<Tensor> {
        Ok(match taken.shares_storage(x) || taken.numel() == 0 {
            true => taken.clone(),
            false => janus_tensor::eager::diagonal_view(x, taken, &steps, along),
        })
    }

    fn one_of_several(&mut self, t: &Tensor, index: usize) -> Result<()> {
        t.set_one_of_several(index);
        Ok(())
    }

    fn has_history(&self, t: &Tensor) -> Result<bool> {
        Ok(autograd::is_grad_enabled() && !t.is_leaf() && !t.is_view())
    }

    fn check_overlap(&mut self, target: &Tensor, read: &[Tensor]) -> Result<()> {
        for other in read {
            inplace::check_overlap(target, other)?;
        }
        Ok(())
    }

    fn check_apart(&mut self, target: &Tensor, read: &[Tensor]) -> Result<()> {
        for other in read {
            inplace::check_apart(target, other)?;
        }
        Ok(())
    }

    fn overwriting<R>(
        &mut self,
        target: &Tensor,
        read: &[Tensor],
        compute: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<R> {
        self.check_overlap(target, read)?;
        // What another operand shows of the same memory is not copied: backward finds it changed.
        let shared = read.iter().any(|other| other.shares_storage(target));
        let _guard = (!shared).then(|| autograd::ChangingGuard::new(target));
        compute(self)
    }

    fn constant(&mut self, data: &[Scalar], shape: &[i64], dtype: DType) -> Result<Tensor> {
        Ok(Tensor::from_scalars(data, shape, dtype)?)
    }

    fn device(&self, t: &Tensor) -> Device {
        t.device()
    }

    fn set_device(&mut self, device: Device) -> Device {
        janus_tensor::device::set_current(device)
    }

    fn to_device(&mut self, t: &Tensor, device: Device) -> Result<Tensor> {
        if t.device() == device {
            return Ok(t.clone());
        }
        Ok(janus_tensor::Eager::to_device(t, device)?)
    }

    fn default_dtype(&self) -> DType {
        draws::default_dtype()
    }

    fn autocast(&self, device: Device) -> Option<DType> {
        autocast::active(device)
    }

    fn autocast_to(&mut self, t: &Tensor, dtype: DType) -> Result<Tensor> {
        autocast::cached_cast(t, dtype)
    }

    fn requires_grad(&self, t: &Tensor) -> bool {
        t.requires_grad()
    }

    fn set_requires_grad(&mut self, t: &Tensor, on: bool) -> Result<()> {
        Ok(t.set_requires_grad(on)?)
    }

    fn detach_in_place(&mut self, t: &Tensor) -> Result<()> {
        Ok(t.detach_in_place()?)
    }

    fn is_grad_enabled(&self) -> bool {
        autograd::is_grad_enabled()
    }

    fn set_grad_enabled(&mut self, on: bool) -> Result<()> {
        autograd::set_grad_enabled(on);
        Ok(())
    }

    fn grad(&mut self, t: &Tensor) -> Result<Option<Tensor>> {
        Ok(t.grad())
    }

    fn set_grad(&mut self, t: &Tensor, grad: Option<&Tensor>) -> Result<()> {
        t.set_grad(grad.cloned());
        Ok(())
    }

    fn backward(
        &mut self,
        t: &Tensor,
        gradient: Option<&Tensor>,
        retain_graph: bool,
        create_graph: bool,
    ) -> Result<()> {
        let roots = [(t.clone(), gradient.cloned())];
        Ok(autograd::backward(
            &roots,
            None,
            retain_graph,
            create_graph,
        )?)
    }

    fn backward_to(
        &mut self,
        t: &Tensor,
        gradient: Option<&Tensor>,
        retain_graph: bool,
        create_graph: bool,
        inputs: &[Tensor],
    ) -> Result<()> {
        let roots = [(t.clone(), gradient.cloned())];
        Ok(autograd::backward(
            &roots,
            Some(inputs),
            retain_graph,
            create_graph,
        )?)
    }

    fn keeps_no_grad(&self, t: &Tensor) -> bool {
        !t.is_leaf() && !t.retains_grad()
    }

    fn is_leaf(&self, t: &Tensor) -> bool {
        t.is_leaf()
    }

    fn copy(&mut self, t: &Tensor) -> Result<Tensor> {
        self.apply(Prim::Cast(t.dtype()), &[t])
    }

    fn apart(&mut self, t: &Tensor) -> Result<Tensor> {
        if autograd::is_grad_enabled() && t.requires_grad() {
            self.copy(t)
        } else {
            Ok(t.clone())
        }
    }

    fn contiguous(&mut self, t: &Tensor) -> Result<Tensor> {
        if t.is_contiguous() {
            Ok(t.clone())
        } else {
            self.copy(t)
        }
    }

    fn is_contiguous(&mut self, t: &Tensor) -> Result<bool> {
        Ok(t.is_contiguous())
    }

    fn view(&mut self, t: &Tensor, to: &[Dim]) -> Result<Tensor> {
        let known = shape::known(to)?;
        if shape::view_strides(&t.shape(), &t.strides(), &known).is_none() {
            return Err(TensorError::ViewStrides.into());
        }
        self.reshape(t, to)
    }

    fn strides(&self, t: &Tensor) -> Result<Steps> {
        Ok(t.strides().iter().copied().collect())
    }

    fn memory_order(&mut self, t: &Tensor) -> Result<Option<Axes>> {
        let layout = t.layout();
        Ok(shape::memory_order(&layout.shape, &layout.strides))
    }

    fn iteration_order(&mut self, operands: &[Tensor]) -> Result<Option<Axes>> {
        let [first, rest @ ..] = operands else {
            return Ok(None);
        };
        if first.is_contiguous() && rest.iter().all(Tensor::is_contiguous) {
            return Ok(None);
        }
        let layouts: Vec<_> = operands.iter().map(Tensor::layout).collect();
        let steps: Vec<(&[i64], &[i64])> =
            layouts.iter().map(|l| (&*l.shape, &*l.strides)).collect();
        Ok(shape::iteration_order(&steps))
    }

    fn laid_out(&mut self, t: &Tensor, dims: &[usize]) -> Result<Tensor> {
        let seen = self.permute(t, dims)?.as_no_view();
        seen.name_as(t);
        Ok(seen)
    }

    fn copy_label(&mut self, t: &Tensor, of: &Tensor) {
        t.name_as(of);
    }

    fn reinterpreted(&mut self, t: &Tensor, dtype: DType) -> Result<Tensor> {
        Ok(t.reinterpreted(dtype)?)
    }

    fn warn(&mut self, message: &str) -> Result<()> {
        // Compiled code that comes to it was in tier 0 before.
        if !vm_scope::is_entered() {
            return Ok(());
        }
        vm_scope::with(|vm| {
            let warnings = vm.import("warnings")?;
            let warn = attr::get(vm, &warnings, &Name::new("warn"))?;
            vm.call(&warn, Args::new(&[Value::str(message)]))
        })?;
        Ok(())
    }

    fn warn_once(&mut self, warning: &'static Warning) -> Result<()> {
        warning.first().map_or(Ok(()), |message| self.warn(message))
    }

    fn label_reshaped(&mut self, t: &Tensor, of: &Tensor) {
        let is_copy = !t.shares_storage(of) && t.numel() > 0;
        let name = match is_copy {
            true => "UnsafeViewBackward0",
            false => "ViewBackward0",
        };
        janus_tensor::Eager.label(t, name);
    }

    fn as_strided(
        &mut self,
        t: &Tensor,
        shape: &[i64],
        strides: &[i64],
        offset: Option<i64>,
    ) -> Result<Tensor> {
        Ok(t.as_strided(shape, strides, offset)?)
    }

    fn data(&mut self, t: &Tensor) -> Result<Tensor> {
        Ok(t.data())
    }

    fn set_data(&mut self, t: &Tensor, other: &Tensor) -> Result<()> {
        t.set_data(other);
        Ok(())
    }

    fn resize_to(&mut self, out: &Tensor, value: &Tensor) -> Result<()> {
        inplace::check(out)?;
        // PyTorch makes the memory itself longer, which others would see.
        if out.layout().storage.handles() > 1 {
            return Err(TensorError::NotImplemented(
                "out= of another shape whose memory other tensors show is not implemented in janus-jit yet"
                    .to_owned(),
            )
            .into());
        }
        out.set_data(value);
        Ok(())
    }

    fn become_view(&mut self, t: &Tensor, view: &Tensor) -> Result<()> {
        Ok(t.become_view(view)?)
    }

    fn random(
        &mut self,
        draw: &Draw,
        shape: &[Dim],
        dtype: DType,
        generator: Option<&Value>,
    ) -> Result<Tensor> {
        let Some(draw) = draw.try_map(|d| d.known()) else {
            return Err(TensorError::NotImplemented(format!("the random draw {draw:?}")).into());
        };
        draws::random(&draw, &janus_tensor::shape::known(shape)?, dtype, generator)
    }

    fn random_from(
        &mut self,
        draw: DrawFrom,
        parameters: &Tensor,
        generator: Option<&Value>,
    ) -> Result<Tensor> {
        draws::random_from(draw, parameters, generator)
    }

    fn nonzero(&mut self, t: &Tensor) -> Result<Vec<Tensor>> {
        let mask = janus_tensor::Eager.cast(&t.detach(), DType::Bool)?;
        let flags = mask.to_vec::<bool>()?;
        let shape = mask.shape();
        let mut columns: Vec<Vec<i64>> = vec![Vec::new(); shape.len()];
        let count = flags.iter().filter(|&&f| f).count();
        columns.iter_mut().for_each(|c| c.reserve(count));
        for (i, _) in flags.iter().enumerate().filter(|(_, f)| **f) {
            let mut rest = i as i64;
            for (column, &extent) in columns.iter_mut().zip(&shape).rev() {
                column.push(rest % extent);
                rest /= extent;
            }
        }
        columns
            .into_iter()
            .map(|c| Ok(Tensor::from_slice(&c, &[count as i64])?))
            .collect()
    }

    fn last_writers(&mut self, index: &Tensor, dim: Option<usize>) -> Result<Option<Tensor>> {
        if index.device() == Device::Meta {
            return Ok(None);
        }
        let values = index.to_vec::<i64>()?;
        let shape = index.shape();
        // Writes meet if they have the same index and, in `scatter`, the same other coordinates.
        let inner: i64 = match dim {
            Some(d) => shape.iter().skip(d + 1).product(),
            None => 1,
        };
        let extent = dim.and_then(|d| shape.get(d).copied()).unwrap_or(1).max(1);
        let place = |i: usize, v: i64| match dim {
            Some(_) => {
                let i = i as i64;
                (v, i / (inner.max(1) * extent), i % inner.max(1))
            }
            None => (v, 0, 0),
        };
        let mut last = HashMap::with_capacity(values.len());
        for (i, &v) in values.iter().enumerate() {
            last.insert(place(i, v), i);
        }
        if last.len() == values.len() {
            return Ok(None);
        }
        let flags: Vec<bool> = values
            .iter()
            .enumerate()
            .map(|(i, &v)| last.get(&place(i, v)) == Some(&i))
            .collect();
        Ok(Some(Tensor::from_slice(&flags, &shape)?))
    }

    fn index_out_of_range(&mut self, index: &Tensor, n: i64) -> Result<Option<i64>> {
        if index.dtype() != DType::I64 || index.device() == Device::Meta {
            return Ok(None);
        }
        Ok(index
            .to_vec::<i64>()?
            .into_iter()
            .find(|i| !(0..n).contains(i)))
    }

    fn values_outside(&mut self, t: &Tensor, low: f64, high: f64) -> Result<bool> {
        Ok(t.device() != Device::Meta
            && t.to_scalars()?
                .into_iter()
                .any(|s| !(low..=high).contains(&s.to_f64())))
    }

    fn underivable(
        &mut self,
        value: &Tensor,
        of: &[&Tensor],
        function: NoDerivative,
    ) -> Result<Tensor> {
        let value = value.detach();
        let name = function.node.unwrap_or("NotImplemented");
        autograd::record_custom(name, of, &[&value], Box::new(Underivable(function)));
        Ok(value)
    }

    fn erfinv(&mut self, t: &Tensor) -> Result<Tensor> {
        let values: Vec<Scalar> = t
            .to_scalars()?
            .into_iter()
            .map(|s| Scalar::F64(erfinv(s.to_f64())))
            .collect();
        Ok(Tensor::from_scalars(&values, &t.shape(), t.dtype())?)
    }
}

/// The inverse of erf: a rational approximation and two Newton steps, as in ATen.
fn erfinv(y: f64) -> f64 {
    const A: [f64; 4] = [0.886226899, -1.645349621, 0.914624893, -0.140543331];
    const B: [f64; 4] = [-2.118377725, 1.442710462, -0.329097515, 0.012229801];
    const C: [f64; 4] = [-1.970840454, -1.624906493, 3.429567803, 1.641345311];
    const D: [f64; 2] = [3.543889200, 1.637067800];
    let size = y.abs();
    if size > 1.0 || y.is_nan() {
        return f64::NAN;
    }
    if size == 1.0 {
        return f64::INFINITY.copysign(y);
    }
    let mut x = if size <= 0.7 {
        let z = y * y;
        let top = ((A[3] * z + A[2]) * z + A[1]) * z + A[0];
        let bottom = (((B[3] * z + B[2]) * z + B[1]) * z + B[0]) * z + 1.0;
        y * top / bottom
    } else {
        let z = (-((1.0 - size) / 2.0).ln()).sqrt();
        let top = ((C[3] * z + C[2]) * z + C[1]) * z + C[0];
        let bottom = (D[1] * z + D[0]) * z + 1.0;
        (top / bottom).copysign(y)
    };
    for _ in 0..2 {
        x -= (janus_tensor::math::janus_erf_f64(x) - y)
            / (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp());
    }
    x
}
