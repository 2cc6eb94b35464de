//! Functions that a script ties to operations of the tape, and what else it ties to them.
//!
//! In: `grad_fn.register_prehook`, `grad_fn.register_hook`. Out: gradients as these leave them.

use std::any::Any;
use std::rc::Rc;

use crate::autograd::gradients::Gradients;
use crate::autograd::node::{Node, next_hook_id};
use crate::error::{Result, TensorError};
use crate::tensor::Tensor;

/// Sees the gradients of a node's results, and may replace them.
pub type PreHookFn = Rc<dyn Fn(&[Option<Tensor>]) -> Result<Option<Vec<Option<Tensor>>>>>;
/// Sees the gradients of a node's inputs and of its results, and may replace the former.
pub type PostHookFn =
    Rc<dyn Fn(&[Option<Tensor>], &[Option<Tensor>]) -> Result<Option<Vec<Option<Tensor>>>>>;

/// What few nodes have.
#[derive(Default)]
pub(crate) struct Extras {
    pre: Vec<(u64, PreHookFn)>,
    post: Vec<(u64, PostHookFn)>,
    attached: Option<Rc<dyn Any>>,
}

/// What a hook gave in the place of `expected` gradients.
fn checked(made: Vec<Option<Tensor>>, expected: usize) -> Result<Vec<Option<Tensor>>> {
    if made.len() == expected {
        return Ok(made);
    }
    Err(TensorError::Runtime(format!(
        "hook has returned an incorrect number of values (got {}, but expected {expected})",
        made.len()
    )))
}

impl Node {
    fn extend<R>(&self, f: impl FnOnce(&mut Extras) -> R) -> R {
        f(self.extras.borrow_mut().get_or_insert_default())
    }

    /// `register_prehook`: returns a number for [`Node::remove_node_hook`].
    pub fn register_prehook(&self, function: PreHookFn) -> u64 {
        let id = next_hook_id();
        self.extend(|extras| extras.pre.push((id, function)));
        id
    }

    /// `register_hook`: returns a number for [`Node::remove_node_hook`].
    pub fn register_posthook(&self, function: PostHookFn) -> u64 {
        let id = next_hook_id();
        self.extend(|extras| extras.post.push((id, function)));
        id
    }

    /// Removes a hook of either kind.
    pub fn remove_node_hook(&self, id: u64) {
        if let Some(extras) = &mut *self.extras.borrow_mut() {
            extras.pre.retain(|(known, _)| *known != id);
            extras.post.retain(|(known, _)| *known != id);
        }
    }

    /// What was tied to it, or what `make` gives, which stays tied to it.
    pub fn attached(&self, make: impl FnOnce() -> Rc<dyn Any>) -> Rc<dyn Any> {
        self.extend(|extras| extras.attached.get_or_insert_with(make).clone())
    }

    /// Lets the functions that come before the node see the gradients of its results.
    pub(crate) fn before(&self, grads: &mut [Option<Tensor>]) -> Result<()> {
        let hooks = match &*self.extras.borrow() {
            Some(extras) if !extras.pre.is_empty() => extras.pre.clone(),
            _ => return Ok(()),
        };
        for (_, hook) in hooks {
            if let Some(made) = hook(grads)? {
                for (grad, new) in grads.iter_mut().zip(checked(made, self.results.len())?) {
                    *grad = new;
                }
            }
        }
        Ok(())
    }

    /// Lets the functions that come after it see those of its inputs.
    pub(crate) fn after(
        &self,
        made: Gradients<Tensor>,
        grads: &[Option<Tensor>],
    ) -> Result<Gradients<Tensor>> {
        let hooks = match &*self.extras.borrow() {
            Some(extras) if !extras.post.is_empty() => extras.post.clone(),
            _ => return Ok(made),
        };
        let mut inputs: Vec<Option<Tensor>> = vec![None; self.inputs.len()];
        let order: Vec<usize> = made.iter().map(|(i, _)| *i).collect();
        for (i, grad) in made {
            if let Some(slot) = inputs.get_mut(i) {
                *slot = Some(grad);
            }
        }
        for (_, hook) in hooks {
            if let Some(made) = hook(&inputs, grads)? {
                inputs = checked(made, inputs.len())?;
            }
        }
        let taken = |i: usize| Some((i, inputs.get_mut(i)?.take()?));
        Ok(order.into_iter().filter_map(taken).collect())
    }
}
