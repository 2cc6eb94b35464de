//! Automatic differentiation by a tape.
//!
//! In: tensors and the operations on them, which [`crate::Eager`] records. Out: gradients.
//! Always: gradient definitions come from `dialects/gradients.txt` alone; the order of
//! accumulation is the reverse order of creation, so results equal those of compiled code.

mod callbacks;
mod engine;
pub mod gradients;
mod linked;
mod node;
mod node_hooks;
mod packing;

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use smallvec::SmallVec;

pub use callbacks::{Callback, queue_callback};
pub use engine::{backward, current_pass, expect_reach, grad, is_checkpoint_valid, will_execute};
pub use linked::keeps_operand;
pub use node::{
    Backward, ChangingGuard, Edge, Hook, HookFn, Node, Output, ResultType, Saved, Watched,
    default_name, keeps_result,
};

pub use node_hooks::{PostHookFn, PreHookFn};
pub use packing::{
    Packed, SavedHooks, disable_saved_hooks, packs_saved, pop_saved_hooks, push_saved_hooks,
    saved_hooks,
};

use crate::error::{Result, TensorError};
use crate::tensor::Tensor;

/// PyTorch's message.
const VIEW_DETACHED: &str = "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.";

thread_local! {
    static GRAD_MODE: Cell<bool> = const { Cell::new(true) };
    static INFERENCE_MODE: Cell<bool> = const { Cell::new(false) };
    static ANOMALY_MODE: Cell<bool> = const { Cell::new(false) };
}

janus_gil::gil_local! {
    static SECOND_ORDER: Cell<bool> = const { Cell::new(false) };
    static INNER_GRADIENTS: Cell<bool> = const { Cell::new(false) };
}

/// Notes that backward passes are, or will be, asked to be differentiable themselves.
pub fn expect_second_order() {
    SECOND_ORDER.with(|s| s.set(true));
}

/// Whether a backward pass was ever asked to be differentiable itself (`create_graph=True`), or may
/// be.
#[must_use]
pub fn second_order_asked() -> bool {
    SECOND_ORDER.with(Cell::get)
}

/// Notes that gradients of tensors that are no leaves are, or will be, asked for.
pub fn expect_inner_gradients() {
    INNER_GRADIENTS.with(|s| s.set(true));
}

/// Whether the gradient of a tensor that is no leaf was ever asked for (`autograd.grad`,
/// `retain_grad()`, `register_hook()`), or may be.
#[must_use]
pub fn inner_gradients_asked() -> bool {
    INNER_GRADIENTS.with(Cell::get)
}

/// Whether operations are recorded.
#[must_use]
pub fn is_grad_enabled() -> bool {
    GRAD_MODE.with(Cell::get)
}

/// Switches recording and returns the state before.
pub fn set_grad_enabled(on: bool) -> bool {
    GRAD_MODE.with(|m| m.replace(on))
}

/// `torch.is_inference_mode_enabled()`
#[must_use]
pub fn is_inference_mode() -> bool {
    INFERENCE_MODE.with(Cell::get)
}

/// Whether backward passes look for NaN in what each operation gives.
#[must_use]
pub fn is_anomaly_mode() -> bool {
    ANOMALY_MODE.with(Cell::get)
}

/// Switches that and returns what it was.
pub fn set_anomaly_mode(on: bool) -> bool {
    ANOMALY_MODE.with(|m| m.replace(on))
}

/// Switches inference mode and returns the state before. The caller also switches grad mode
/// off (and back), as `torch.inference_mode` does.
pub fn set_inference_mode(on: bool) -> bool {
    INFERENCE_MODE.with(|m| m.replace(on))
}

/// Restores grad mode when dropped.
#[derive(Debug)]
pub struct GradModeGuard(bool);

impl GradModeGuard {
    /// Switches recording until the guard is dropped.
    #[must_use]
    pub fn new(on: bool) -> Self {
        GradModeGuard(set_grad_enabled(on))
    }
}

impl Drop for GradModeGuard {
    fn drop(&mut self) {
        set_grad_enabled(self.0);
    }
}

/// A custom node over `inputs`, with results that are yet to be made: [`Tensor::set_history`] ties
/// each to it. `None` where grad mode is off or no input requires a gradient.
pub fn custom_node(
    name: impl Into<Cow<'static, str>>,
    inputs: &[&Tensor],
    results: impl IntoIterator<Item = ResultType>,
    backward: Box<dyn Backward>,
) -> Option<Rc<Node>> {
    if !is_grad_enabled() {
        return None;
    }
    let edges: SmallVec<[Option<Edge>; 3]> = inputs.iter().map(|t| t.gradient_edge()).collect();
    if edges.iter().all(Option::is_none) {
        return None;
    }
    let results = results.into_iter().collect();
    Some(Node::custom(name.into(), edges, results, backward))
}

/// Makes `outputs`, fresh tensors, the results of a custom node over `inputs`. Nothing happens
/// where grad mode is off or no input requires a gradient; returns whether a node was made.
pub fn record_custom(
    name: impl Into<Cow<'static, str>>,
    inputs: &[&Tensor],
    outputs: &[&Tensor],
    backward: Box<dyn Backward>,
) -> bool {
    let results = outputs.iter().map(|t| ResultType::of(&t.layout()));
    let Some(node) = custom_node(name, inputs, results, backward) else {
        return false;
    };
    for (index, t) in outputs.iter().enumerate() {
        if t.dtype().is_inexact() {
            t.set_history(&node, index);
        }
    }
    true
}

/// Autograd's side of the tensor.
impl Tensor {
    /// Brings `grad_fn` of a view up to date after its base was changed in place.
    fn refresh_view(&self) {
        let stale = match &*self.0.view.borrow() {
            Some(view) => view.version != view.base.version(),
            None => false,
        };
        if stale {
            crate::inplace::regenerate(self);
        }
    }

    /// Fails where this is one of the views that a function returned, or one that was made in no_grad, and its base
    /// was changed in place since.
    pub fn check_view(&self) -> Result<()> {
        let stale = match &*self.0.view.borrow() {
            Some(view) if view.one_of_several.is_some() || view.unrecorded => {
                view.version != view.base.version() && view.base.requires_grad()
            }
            _ => false,
        };
        match stale {
            true => self.fail_as_view(true),
            false => Ok(()),
        }
    }

    /// Fails where this is a view that gradients may not flow through the change of; `indirect` where its base was
    /// changed.
    pub(crate) fn fail_as_view(&self, indirect: bool) -> Result<()> {
        let (index, unrecorded, is_free) = match &*self.0.view.borrow() {
            Some(view) => (view.one_of_several, view.unrecorded, view.chain.is_empty()),
            None => return Ok(()),
        };
        let grad_fn = self.0.grad_fn.borrow();
        let made_by = grad_fn
            .as_ref()
            .map(|o| (index.unwrap_or(0), o.node.name().into()));
        // A view that no primitives make, and that has a gradient, is one of the memory.
        if unrecorded && is_free && made_by.is_some() {
            return Err(TensorError::NotImplemented(
                "an in-place operation on the result of as_strided() of a tensor that requires grad is not \
implemented in janus-jit yet"
                    .to_owned(),
            ));
        }
        if unrecorded {
            return Err(TensorError::UnrecordedView { made_by, indirect });
        }
        match index {
            Some(_) => Err(TensorError::OneOfSeveral { made_by, indirect }),
            None => Ok(()),
        }
    }

    /// Makes a fresh tensor a result of a node.
    pub fn set_history(&self, node: &Rc<Node>, index: usize) {
        let node = node.clone();
        self.0.grad_fn.replace(Some(Output { node, index }));
    }

    /// Where this tensor's gradient goes; `None` if it has none.
    #[must_use]
    pub fn gradient_edge(&self) -> Option<Edge> {
        self.refresh_view();
        if let Some(o) = &*self.0.grad_fn.borrow() {
            return Some(Edge::Output(o.clone()));
        }
        self.0.requires_grad.get().then(|| Edge::Leaf(self.clone()))
    }

    /// `requires_grad`
    #[must_use]
    pub fn requires_grad(&self) -> bool {
        self.refresh_view();
        self.0.requires_grad.get()
            || self.0.grad_fn.borrow().is_some()
            || matches!(&*self.0.view.borrow(), Some(view) if view.base.requires_grad())
                && self.dtype().is_inexact()
    }

    /// Whether it requires a gradient, and none comes to it: a view without a place on the tape of what has one.
    #[must_use]
    pub fn is_dead_end(&self) -> bool {
        self.is_view() && self.requires_grad() && self.gradient_edge().is_none()
    }

    /// `is_leaf`
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.refresh_view();
        self.0.grad_fn.borrow().is_none()
    }

    /// Whether it is a differentiable view of another tensor.
    #[must_use]
    pub fn is_view(&self) -> bool {
        self.0.view.borrow().is_some()
    }

    /// `requires_grad = on`
    pub fn set_requires_grad(&self, on: bool) -> Result<()> {
        if !self.is_leaf() {
            return if on {
                Ok(())
            } else {
                Err(TensorError::RequiresGradNonLeaf)
            };
        }
        if on && !self.dtype().is_inexact() {
            return Err(TensorError::GradDtype);
        }
        if on && self.0.inference && !is_inference_mode() {
            return Err(TensorError::Runtime(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
                    .to_owned(),
            ));
        }
        self.0.requires_grad.set(on);
        Ok(())
    }

    /// `grad`
    #[must_use]
    pub fn grad(&self) -> Option<Tensor> {
        self.0.grad.borrow().clone()
    }

    /// `grad = value`
    pub fn set_grad(&self, grad: Option<Tensor>) {
        self.0.grad.replace(grad);
    }

    /// `grad_fn`
    #[must_use]
    pub fn grad_fn(&self) -> Option<Rc<Node>> {
        self.refresh_view();
        self.0.grad_fn.borrow().as_ref().map(|o| o.node.clone())
    }

    /// Which result of `grad_fn` this is.
    #[must_use]
    pub fn output_index(&self) -> usize {
        self.0.grad_fn.borrow().as_ref().map_or(0, |o| o.index)
    }

    /// `detach()`: the same memory and version counter, outside the graph.
    #[must_use]
    pub fn detach(&self) -> Tensor {
        self.sharing(self.layout().clone(), None)
    }

    /// `detach_()`
    ///
    /// # Errors
    /// It is a view.
    pub fn detach_in_place(&self) -> Result<()> {
        if self.is_view() {
            return Err(TensorError::Runtime(VIEW_DETACHED.to_owned()));
        }
        self.0.grad_fn.replace(None);
        self.0.requires_grad.set(false);
        Ok(())
    }

    /// `retain_grad()`
    pub fn retain_grad(&self) -> Result<()> {
        if !self.requires_grad() {
            return Err(TensorError::Runtime(
                "can't retain_grad on Tensor that has requires_grad=False".to_owned(),
            ));
        }
        if let Some(o) = &*self.0.grad_fn.borrow()
            && !self.0.retains_grad.replace(true)
        {
            let mut retained = o.node.retained.borrow_mut();
            retained.push((o.index, self.downgrade()));
        }
        Ok(())
    }

    /// `retains_grad`
    #[must_use]
    pub fn retains_grad(&self) -> bool {
        self.0.retains_grad.get()
    }

    /// `register_hook`: returns an id for [`Tensor::remove_hook`].
    pub fn register_hook(&self, function: HookFn) -> Result<u64> {
        if !self.requires_grad() {
            return Err(TensorError::Runtime(
                "cannot register a hook on a tensor that doesn't require gradient".to_owned(),
            ));
        }
        let hook = Hook {
            id: node::next_hook_id(),
            function,
        };
        let id = hook.id;
        match &*self.0.grad_fn.borrow() {
            Some(o) => o.node.hooks.borrow_mut().push((o.index, hook)),
            None => self.0.hooks.borrow_mut().push(hook),
        }
        Ok(id)
    }

    /// `register_post_accumulate_grad_hook`: the function sees the leaf.
    pub fn register_accumulated_hook(&self, function: HookFn) -> Result<u64> {
        if !self.requires_grad() {
            return Err(TensorError::Runtime(
                "cannot register a hook on a tensor that doesn't require gradient".to_owned(),
            ));
        }
        if !self.is_leaf() {
            return Err(TensorError::Runtime(
                "post accumulate grad hooks cannot be registered on non-leaf tensors".to_owned(),
            ));
        }
        let id = node::next_hook_id();
        let hook = Hook { id, function };
        self.0.accumulated_hooks.borrow_mut().push(hook);
        Ok(id)
    }

    /// Whether a leaf has a hook.
    #[must_use]
    pub fn has_leaf_hooks(&self) -> bool {
        !self.0.hooks.borrow().is_empty() || !self.0.accumulated_hooks.borrow().is_empty()
    }

    /// Removes a hook.
    pub fn remove_hook(&self, id: u64) {
        self.0.hooks.borrow_mut().retain(|h| h.id != id);
        self.0.accumulated_hooks.borrow_mut().retain(|h| h.id != id);
        if let Some(o) = &*self.0.grad_fn.borrow() {
            o.node.hooks.borrow_mut().retain(|(_, h)| h.id != id);
        }
    }
}
