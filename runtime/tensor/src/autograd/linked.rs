//! Gradients that hang on what they are gradients of.
//!
//! In: a gradient that a place on the tape gave, in a pass that is recorded itself. Out: the same, which requires a
//! gradient. Always: PyTorch's derivative of these functions is a function of the operand, though it does not move with
//! it: the gradient of the gradient is zero, or none, but there is one.

use std::rc::Rc;

use smallvec::SmallVec;

use super::node::{Backward, Edge, Node, ResultType};
use crate::eager::Eager;
use crate::error::Result;
use crate::ops::{Dims, Ops};
use crate::scalar::Scalar;
use crate::shape::dims_of;
use crate::tensor::Tensor;

/// Functions whose derivative does not move with the operand, but in pieces.
const IN_PIECES: &[&str] = &[
    "ReluBackward0",
    "HardtanhBackward0",
    "LeakyReluBackward0",
    "LeakyReluBackward1",
    "ThresholdBackward0",
    "ThresholdBackward1",
    "SoftshrinkBackward0",
    "HardshrinkBackward0",
    "PreluKernelBackward0",
    "NllLossBackward0",
    "NllLoss2DBackward0",
    "MaxPool2DWithIndicesBackward0",
    "MaxPool3DWithIndicesBackward0",
    "AvgPool2DBackward0",
    "AvgPool3DBackward0",
    "AdaptiveAvgPool2DBackward0",
    "AdaptiveAvgPool3DBackward0",
    "AdaptiveMaxPool2DBackward0",
    "AdaptiveMaxPool3DBackward0",
];

/// Those of which nothing comes back.
const NOWHERE: &str = "ConvolutionBackward0";

/// Whether the gradient of a function of this name is one of its operand, too.
#[must_use]
pub fn keeps_operand(name: &str) -> bool {
    let pads = ["ReflectionPad", "ReplicationPad"];
    name == NOWHERE || IN_PIECES.contains(&name) || pads.iter().any(|p| name.starts_with(p))
}

/// Zeros.
struct Still(Dims);

impl Backward for Still {
    fn backward(&self, grads: &[Option<Tensor>], _wants: &[bool]) -> Result<Vec<Option<Tensor>>> {
        let Some(Some(g)) = grads.first() else {
            return Ok(vec![None]);
        };
        let zero = Eager.full(&Scalar::I64(0), g.dtype(), &self.0)?;
        Ok(vec![Some(zero)])
    }

    fn release(&self) {}

    fn goes_again(&self) -> bool {
        true
    }
}

/// The gradient of the operand number `index` of a node, with its own place on the tape.
pub(super) fn linked(node: &Rc<Node>, index: usize, grad: Tensor) -> Tensor {
    let name = node.name();
    if grad.requires_grad() || !keeps_operand(&name) {
        return grad;
    }
    let edge: Option<Edge> = match name == NOWHERE {
        true => None,
        false => node.inputs.get(index).cloned().flatten(),
    };
    // The derivative of a ReLU is that of a threshold.
    let base = match name.trim_end_matches(['0', '1']) {
        "ReluBackward" => "ThresholdBackward",
        base => base,
    };
    let result = ResultType::of(&grad.layout());
    let grad = grad.detach();
    let still = Box::new(Still(dims_of(&grad.shape())));
    let place = Node::custom(
        format!("{base}Backward0").into(),
        SmallVec::from_elem(edge, 1),
        SmallVec::from_elem(result, 1),
        still,
    );
    grad.set_history(&place, 0);
    grad
}
