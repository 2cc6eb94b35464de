//! In-place changes of tensors.
//!
//! In: a tensor and its new elements. Out: the tensor changed, its version bumped, its place
//! in the graph moved to the operation that changed it.
//! Always: an in-place operation is "compute, then assign": nothing else writes to memory
//! that a user can see. After a change through a view, the base's `grad_fn` and those of all
//! its views follow (views lazily, when they are asked).

use std::cell::Cell;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::alloc::Buffer;
use crate::autograd::{
    Backward, Edge, GradModeGuard, Node, Output, ResultType, is_grad_enabled, is_inference_mode,
};
use crate::device::Device;
use crate::dtype::DType;
use crate::eager::Eager;
use crate::error::{Result, TensorError};
use crate::kernels::copy::{cast_into, copy_of};
use crate::ops::{Axes, Dim, Dims, Ops, Prim};
use crate::scalar::Scalar;
use crate::shape::{dims_of, inverse_permutation, known};
use crate::tensor::{Layout, Tensor, ViewOf};

janus_gil::gil_local! {
    static VERSIONS: Cell<bool> = const { Cell::new(false) };
}

/// Notes that the number of writes to a tensor (`_version`) is, or will be, asked for.
pub fn expect_versions() {
    VERSIONS.with(|v| v.set(true));
}

/// Whether the number of writes to a tensor may be asked for.
#[must_use]
pub fn versions_asked() -> bool {
    VERSIONS.with(Cell::get)
}

/// Fails where autograd forbids changing `t` in place.
pub fn check(t: &Tensor) -> Result<()> {
    check_gradients(t)?;
    check_places(&t.layout())
}

/// Fails where `t` may not be changed, wherever its elements lie: autograd says so before memory is looked at.
fn check_gradients(t: &Tensor) -> Result<()> {
    let of_conjugate = |t: &Tensor| {
        t.is_conjugated() || matches!(&*t.0.view.borrow(), Some(view) if view.base.is_conjugated())
    };
    if t.dtype().is_inexact() && of_conjugate(t) {
        return Err(TensorError::NotImplemented(
            "an in-place operation on the result of conj() is not implemented in janus-jit yet: take resolve_conj() of it"
                .to_owned(),
        ));
    }
    if t.is_inference() && !is_inference_mode() {
        return Err(TensorError::InferenceWrite);
    }
    if !is_grad_enabled() {
        return Ok(());
    }
    check_kind_of_view(t, t.requires_grad())?;
    if let Some(view) = &*t.0.view.borrow()
        && view.base.is_leaf()
        && (view.base.requires_grad() || t.requires_grad())
    {
        return Err(TensorError::LeafViewInPlace);
    }
    if t.is_leaf() && t.requires_grad() {
        return Err(match t.is_view() {
            true => TensorError::LeafViewInPlace,
            false => TensorError::LeafInPlace,
        });
    }
    Ok(())
}

/// Fails where several elements lie in one place.
fn check_places(layout: &Layout) -> Result<()> {
    if layout.repeats() {
        return Err(TensorError::OverlappingWrite);
    }
    if layout.overlaps() {
        return Err(TensorError::NotImplemented(
            "an in-place operation on windows that overlap is not implemented in janus-jit yet"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Fails where `t` is a view that gradients may not flow through the change of: a result of a function that returns
/// several, or one that was made in no_grad.
fn check_kind_of_view(t: &Tensor, gradient: bool) -> Result<()> {
    match gradient {
        true => t.fail_as_view(false),
        false => Ok(()),
    }
}

/// Fails where an operation that writes to `t` reads `from` through another view of the same
/// elements.
pub fn check_overlap(t: &Tensor, from: &Tensor) -> Result<()> {
    if overlap_in_part(&t.layout(), &from.layout()) {
        return Err(TensorError::PartialOverlap);
    }
    Ok(())
}

/// Fails where an operation that writes to `t` by indices reads elements of the same memory.
pub fn check_apart(t: &Tensor, from: &Tensor) -> Result<()> {
    let (to, read) = (t.layout(), from.layout());
    let same = to.storage.same(&read.storage)
        && to.numel() > 0
        && to.dtype.size() == read.dtype.size()
        && (to.shape == read.shape && to.strides == read.strides && to.reach() == read.reach());
    if same || overlap_in_part(&to, &read) {
        return Err(TensorError::PartialOverlap);
    }
    Ok(())
}

/// Whether two views of a memory share elements, but not all of them in the same order.
#[must_use]
pub fn overlap_in_part(to: &Layout, from: &Layout) -> bool {
    if !to.storage.same(&from.storage) || to.numel() == 0 || from.numel() == 0 {
        return false;
    }
    if to.dtype.size() != from.dtype.size() {
        // A tensor, and parts of its complex numbers.
        let bytes = |l: &Layout| {
            let (first, end) = l.reach();
            let size = l.dtype.size() as i64;
            (first * size, end * size, l.is_contiguous())
        };
        let (to, from) = (bytes(to), bytes(from));
        return to.2
            && from.2
            && to.0 < from.1
            && from.0 < to.1
            && (to.0, to.1) != (from.0, from.1);
    }
    // With gaps between elements, PyTorch finds it too hard to say.
    let dense = |l: &Layout| {
        let (first, end) = l.reach();
        end - first == l.numel()
    };
    if !dense(to) || !dense(from) {
        return false;
    }
    let ((first, end), (other_first, other_end)) = (to.reach(), from.reach());
    if (first, end) == (other_first, other_end) {
        to.strides != from.strides
    } else {
        first < other_end && other_first < end
    }
}

/// Fails where the result of an in-place operation does not fit `t`.
pub fn check_result(t: &Tensor, shape: &[i64], dtype: DType) -> Result<()> {
    if t.shape()[..] != *shape {
        return Err(TensorError::InPlaceShape {
            out: t.shape()[..].into(),
            broadcast: shape.into(),
        });
    }
    let rank = |d: DType| (d.is_complex(), d.is_inexact(), d != DType::Bool);
    if rank(dtype) > rank(t.dtype()) {
        return Err(TensorError::InPlaceDtype {
            from: dtype,
            to: t.dtype(),
        });
    }
    Ok(())
}

/// Writes elements of the same shape and dtype, whatever memory they are in.
fn write(t: &Tensor, src: &Tensor) -> Result<()> {
    let (to, from) = (t.layout().clone(), src.layout().clone());
    match (to.storage.device(), from.storage.device()) {
        (Device::Meta, _) => return Ok(()),
        (_, Device::Meta) => return Err(TensorError::NoData),
        _ => {}
    }
    let whole = |l: &Layout| {
        l.offset == 0 && l.is_contiguous() && l.numel() as usize * l.dtype.size() == l.storage.len()
    };
    // `from` and src itself hold one handle each: nobody else sees src's memory, so the two
    // blocks can change places. src, which the caller is done with, gets the old elements.
    if whole(&to)
        && whole(&from)
        && from.storage.handles() == 2
        && to.storage.exchange(&from.storage)
    {
        return Ok(());
    }
    if to.storage.same(&from.storage) {
        cast_into(&to, &copy_of(&from)?)
    } else {
        cast_into(&to, &from)
    }
}

/// `t[...] = src`, where `src` has t's shape and dtype: writes the elements and makes t a
/// result of what made src.
///
/// src is used up: where nothing else holds its memory, that memory is taken instead of copied
/// and src's elements are unspecified afterwards. A caller who goes on using src (because a
/// user can see it) keeps a clone of its layout meanwhile.
pub fn assign(t: &Tensor, src: &Tensor) -> Result<()> {
    if t.shape() != src.shape() || t.dtype() != src.dtype() {
        return Err(TensorError::Runtime(
            "assign: shapes or dtypes differ".to_owned(),
        ));
    }
    check(t)?;
    if is_grad_enabled() {
        check_kind_of_view(t, src.requires_grad())?;
    }
    if t.same(src) {
        return Ok(());
    }
    let had_grad = t.requires_grad();
    write(t, src)?;
    t.layout().bump_version();
    if !is_grad_enabled() || !t.dtype().is_inexact() {
        return Ok(());
    }
    let src_edge = src.gradient_edge();
    if let Some(Edge::Output(o)) = &src_edge {
        o.node.result_moved(&src.layout(), &t.layout());
    }
    if src_edge.is_none() && !had_grad && !base_requires_grad(t) {
        return Ok(());
    }
    let view = t.0.view.borrow().clone();
    match view {
        None => {
            let output = match src_edge {
                Some(Edge::Output(o)) => o,
                // A leaf is not an operation: an identity stands between.
                Some(Edge::Leaf(_)) => {
                    let same = Eager.reshape(src, &Eager.shape(src))?;
                    Eager.label(&same, "CopyBackwards");
                    let o = same.0.grad_fn.borrow().clone();
                    match o {
                        Some(o) => o,
                        None => return Ok(()),
                    }
                }
                None => Output {
                    node: Node::stop("CopyBackwards", &t.layout()),
                    index: 0,
                },
            };
            t.0.grad_fn.replace(Some(output));
        }
        Some(ViewOf { base, chain, .. }) => {
            let edges: SmallVec<[Option<Edge>; 3]> =
                [base.gradient_edge(), src_edge].into_iter().collect();
            let result = ResultType::of(&base.layout());
            let slices = CopySlices {
                chain,
                shape: dims_of(&base.shape()),
            };
            let node = Node::custom(
                "CopySlices".into(),
                edges,
                SmallVec::from_elem(result, 1),
                Box::new(slices),
            );
            base.0.grad_fn.replace(Some(Output { node, index: 0 }));
            regenerate(t);
        }
    }
    Ok(())
}

/// As [`assign_buffer`] where nobody knows whether anything was written: the content that is there already is left
/// alone, and its version.
pub fn assign_if_changed(t: &Tensor, buffer: Buffer) -> Result<()> {
    let layout = t.layout().clone();
    let bytes = layout.numel() as usize * layout.dtype.size();
    let whole = layout.offset == 0 && layout.is_contiguous();
    if whole && bytes <= layout.storage.len() && bytes <= buffer.len() {
        // SAFETY: a contiguous layout without offset lies in the first `bytes` bytes of its storage, the buffer has
        // as many, and nothing writes to either while they are compared.
        let same = unsafe {
            std::slice::from_raw_parts(layout.storage.ptr(), bytes)
                == std::slice::from_raw_parts(buffer.ptr(), bytes)
        };
        if same {
            return Ok(());
        }
    }
    assign_buffer(t, buffer)
}

/// Makes `buffer`, row-major elements of t's shape and dtype, the content of t; outside the
/// graph. This is how compiled code writes its results back: where t is all of its storage,
/// nothing is copied.
pub fn assign_buffer(t: &Tensor, buffer: Buffer) -> Result<()> {
    let layout = t.layout().clone();
    let bytes = layout.numel() as usize * layout.dtype.size();
    check_places(&layout)?;
    let whole = layout.offset == 0 && layout.is_contiguous() && bytes == layout.storage.len();
    let buffer = if whole {
        match layout.storage.swap(buffer) {
            Ok(_old) => {
                layout.bump_version();
                return Ok(());
            }
            Err(buffer) => buffer,
        }
    } else {
        buffer
    };
    cast_into(
        &layout,
        &Layout::from_buffer(buffer, &layout.shape, layout.dtype)?,
    )?;
    layout.bump_version();
    Ok(())
}

fn base_requires_grad(t: &Tensor) -> bool {
    t.0.view
        .borrow()
        .as_ref()
        .is_some_and(|v| v.base.requires_grad())
}

/// Gives a view the `grad_fn` that its base's present state implies.
pub(crate) fn regenerate(t: &Tensor) {
    let Some(ViewOf {
        base,
        chain,
        one_of_several,
        unrecorded,
        ..
    }) = t.0.view.borrow().clone()
    else {
        return;
    };
    if one_of_several.is_some() || unrecorded {
        // Whoever uses it is told so.
        return;
    }
    let version = base.version();
    // Mark first: the walk below asks for gradients itself.
    t.0.view.replace(Some(ViewOf {
        base: base.clone(),
        chain: chain.clone(),
        one_of_several,
        unrecorded,
        version,
    }));
    if !base.requires_grad() {
        return;
    }
    let _mode = GradModeGuard::new(true);
    let mut at = base;
    for prim in chain.iter() {
        match Eager.apply(prim.clone(), &[&at]) {
            Ok(next) => at = next,
            // The same view was made before; it can only fail for want of memory.
            Err(_) => return,
        }
    }
    let output = at.0.grad_fn.borrow().clone();
    if let Some(made) = &output
        && !chain.is_empty()
    {
        made.node.set_name("AsStridedBackward0");
    }
    t.0.grad_fn.replace(output);
}

/// Backward of a change through a view: the base's gradient loses the changed part, which
/// goes to the new elements.
struct CopySlices {
    chain: Rc<[Prim]>,
    shape: Dims,
}

impl CopySlices {
    /// The gradient without what the view reaches, where that is parts of complex numbers.
    fn without_parts(&self, g: &Tensor) -> Result<Tensor> {
        if is_grad_enabled() {
            return Err(TensorError::NotImplemented(
                "second derivatives through a change of parts of complex numbers are not implemented in janus-jit yet"
                    .to_owned(),
            ));
        }
        let left = g.copy_data()?;
        let mut part = left.clone();
        for prim in self.chain.iter() {
            part = Eager.apply(prim.clone(), &[&part])?;
        }
        if !part.shares_storage(&left) {
            return Err(TensorError::Runtime("a view became a copy".to_owned()));
        }
        crate::kernels::copy::fill(&part.layout(), Scalar::I64(0));
        Ok(left)
    }

    /// Bools in the base's shape: which elements the view reaches.
    fn mask(&self) -> Result<Tensor> {
        // Shapes along the chain.
        let mut shapes = vec![self.shape.clone()];
        let mut at = Eager.splat(&Scalar::Bool(true), DType::Bool, &self.shape)?;
        for prim in self.chain.iter() {
            at = Eager.apply(prim.clone(), &[&at])?;
            shapes.push(Eager.shape(&at));
        }
        for (i, prim) in self.chain.iter().enumerate().rev() {
            let Some(before) = shapes.get(i) else {
                continue;
            };
            at = match prim {
                Prim::Slice {
                    starts, strides, ..
                } => Eager.unslice(&at, starts, before, strides)?,
                Prim::Reshape { .. } => Eager.reshape(&at, before)?,
                Prim::Permute { dims } => Eager.permute(&at, &inverse_permutation(dims))?,
                Prim::Backwards { dims } => Eager.reverse(&at, dims)?,
                &Prim::Windows { dim, size, step } => unwindow(&at, before, dim, size, step)?,
                // Stretched views are never written to: only added dimensions of 1 remain.
                Prim::Broadcast { .. } => Eager.reshape(&at, before)?,
                _ => at,
            };
        }
        Ok(at)
    }
}

/// Bools in the shape of what was cut into windows: which elements are true in a window.
fn unwindow(mask: &Tensor, shape: &[Dim], dim: usize, size: i64, step: i64) -> Result<Tensor> {
    let extents = known(shape)?;
    let n = extents.get(dim).copied().unwrap_or(1);
    let index = Eager.window_indices(n, size, step)?;
    // The last dimension goes where it is taken from, behind that of the windows.
    let last = mask.rank().saturating_sub(1);
    let mut dims: Axes = (0..last).collect();
    dims.insert(dim + 1, last);
    let part = Eager.permute(mask, &dims)?;
    let part = Eager.cast(&part, DType::I64)?;
    let none = Eager.splat(&Scalar::I64(0), DType::I64, shape)?;
    let count = Eager.take_add(&none, dim, &index, &part)?;
    Eager.ne(&count, &none)
}

impl Backward for CopySlices {
    fn backward(&self, grads: &[Option<Tensor>], wants: &[bool]) -> Result<Vec<Option<Tensor>>> {
        let Some(Some(g)) = grads.first() else {
            return Ok(vec![None, None]);
        };
        let parts = |prim: &Prim| matches!(prim, Prim::Complex(_));
        let to_base = if wants.first() == Some(&true) && self.chain.iter().any(parts) {
            Some(self.without_parts(g)?)
        } else if wants.first() == Some(&true) {
            let zero = Eager.splat(&Scalar::I64(0), g.dtype(), &self.shape)?;
            Some(Eager.select(&self.mask()?, &zero, g)?)
        } else {
            None
        };
        let to_src = if wants.get(1) == Some(&true) {
            let mut part = g.clone();
            for prim in self.chain.iter() {
                part = Eager.apply(prim.clone(), &[&part])?;
            }
            Some(part)
        } else {
            None
        };
        Ok(vec![to_base, to_src])
    }

    fn release(&self) {}

    fn goes_again(&self) -> bool {
        true
    }
}

/// Changes elements by `f`, which must not resize; for draws from the random stream, outside
/// the graph. `f` gets row-major memory.
pub fn overwrite(t: &Tensor, f: impl FnOnce(&mut Layout) -> Result<()>) -> Result<()> {
    check(t)?;
    let mut layout = t.layout().clone();
    if layout.storage.device() == Device::Meta {
        // There is nothing to change.
    } else if layout.is_contiguous() {
        f(&mut layout)?;
    } else {
        let mut dense = Layout::empty(&layout.shape, layout.dtype)?;
        f(&mut dense)?;
        cast_into(&layout, &dense)?;
    }
    layout.bump_version();
    Ok(())
}
