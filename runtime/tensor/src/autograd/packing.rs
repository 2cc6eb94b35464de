//! What a script's functions make of tensors that are kept for backward.
//!
//! In: `torch.autograd.graph.saved_tensors_hooks`. Out: nodes of the tape keep what the innermost pair's `pack` gave.
//! Always: only tier 0 records while a pair is there; a pair sees tensors outside of the graph, in `no_grad`.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use crate::autograd::node::{Backward, Edge, Output};
use crate::autograd::{GradModeGuard, record_custom};
use crate::dtype::DType;
use crate::eager::Eager;
use crate::error::{Result, TensorError};
use crate::ops::Ops;
use crate::tensor::Tensor;

/// A pair of functions of a script's.
pub trait SavedHooks {
    /// What is kept in a tensor's place.
    fn pack(&self, t: &Tensor) -> Result<Box<dyn Any>>;

    /// The tensor again.
    fn unpack(&self, packed: &dyn Any) -> Result<Tensor>;
}

thread_local! {
    static PAIRS: RefCell<Vec<Rc<dyn SavedHooks>>> = const { RefCell::new(Vec::new()) };
    static DISABLED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Whether a pair is there.
#[must_use]
pub fn packs_saved() -> bool {
    PAIRS.with(|pairs| !pairs.borrow().is_empty())
}

/// The innermost pair.
#[must_use]
pub fn saved_hooks() -> Option<Rc<dyn SavedHooks>> {
    PAIRS.with(|pairs| pairs.borrow().last().cloned())
}

/// Begins to use a pair.
///
/// # Errors
/// They are disabled.
pub fn push_saved_hooks(pair: Rc<dyn SavedHooks>) -> Result<()> {
    if let Some(message) = DISABLED.with(|d| d.borrow().clone()) {
        return Err(TensorError::Runtime(message));
    }
    PAIRS.with(|pairs| pairs.borrow_mut().push(pair));
    Ok(())
}

/// Ends what [`push_saved_hooks`] began.
pub fn pop_saved_hooks() {
    let gone = PAIRS.with(|pairs| pairs.borrow_mut().pop());
    drop(gone);
}

/// Disables them with a message, or enables them again; returns the message that was there.
///
/// # Errors
/// A pair is in use.
pub fn disable_saved_hooks(message: Option<String>) -> Result<Option<String>> {
    if let Some(message) = &message
        && packs_saved()
    {
        return Err(TensorError::Runtime(message.clone()));
    }
    Ok(DISABLED.with(|d| d.replace(message)))
}

/// What stands in a saved tensor's place.
pub struct Packed {
    pair: Rc<dyn SavedHooks>,
    data: Box<dyn Any>,
    edge: Option<Edge>,
    dtype: DType,
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({:?})", self.edge)
    }
}

/// An operation that hands gradients on.
struct Handed;

impl Backward for Handed {
    fn backward(&self, grads: &[Option<Tensor>], _wants: &[bool]) -> Result<Vec<Option<Tensor>>> {
        Ok(grads.to_vec())
    }

    fn release(&self) {}

    fn goes_again(&self) -> bool {
        true
    }
}

impl Packed {
    /// Packs a tensor that has its place on the tape at `edge`.
    pub fn new(pair: &Rc<dyn SavedHooks>, t: &Tensor, edge: Option<Edge>) -> Result<Packed> {
        let _mode = GradModeGuard::new(false);
        Ok(Packed {
            data: pair.pack(t)?,
            pair: pair.clone(),
            edge,
            dtype: t.dtype(),
        })
    }

    /// The tensor with its place on the tape; `own` where that is the node that keeps it.
    pub fn unpack(&self, own: Option<Output>) -> Result<Tensor> {
        let mut found = self.pair.unpack(&*self.data)?;
        // A script's functions expect numbers; a choice or a place is to be one again.
        if !self.dtype.is_inexact() && found.dtype() != self.dtype {
            found = Eager.cast(&found, self.dtype)?;
        }
        let layout = found.layout().clone();
        Ok(match (&self.edge, own) {
            (Some(Edge::Output(o)), _) => Tensor::with_edge(layout, Some(o.clone())),
            (_, Some(own)) => Tensor::with_edge(layout, Some(own)),
            (Some(Edge::Leaf(leaf)), _) => {
                let handed = Tensor::from_layout(layout);
                record_custom("AliasBackward0", &[leaf], &[&handed], Box::new(Handed));
                handed
            }
            (None, None) => Tensor::from_layout(layout),
        })
    }
}
