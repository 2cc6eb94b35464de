//! What the compiled code is given: elements, numbers, addresses, random numbers.
//!
//! In: nothing. Out: [`Load`]s in slot order, and the draws among them. Always: what is drawn at entry is drawn in
//! tier 0's order.

use janus_tensor::DType;
use janus_torch::{Draw, DrawFrom};

use crate::nodes::{Extent, NodeId, ScalarType};

/// An argument of the compiled code.
#[derive(Clone, Copy, Debug)]
pub enum Load {
    /// The elements of a tensor node, contiguous.
    Tensor(NodeId),
    /// A tensor node of which nothing but the extents is read.
    Extents(NodeId),
    /// A scalar node.
    Scalar(NodeId, ScalarType),
    /// Random numbers: index into [`Plan::draws`].
    Draw(u32),
    /// The address of an object node, as an int.
    Address(NodeId),
    /// The address of [`Plan::fields`], as an int.
    Fields,
    /// How many calls deeper Python may go, as an int.
    CallsLeft,
    /// The address of the run's draws, which [`Plan::drawn`] describes, as an int.
    Drawing,
}

/// Random numbers that the region draws. They are drawn at entry, in the order in which tier 0
/// draws them; where the region is left the generator is put back.
pub struct PlannedDraw {
    /// The distribution.
    pub draw: Draw<Extent>,
    /// Element type.
    pub dtype: DType,
    /// Extents.
    pub shape: Vec<Extent>,
}

/// Random numbers that the graph draws while it runs; it says of which extents, and in which bounds.
pub enum GraphDraw {
    /// A tensor from PyTorch's stream, or that of the generator at this node; bounds in the distribution mean nothing.
    Torch(Draw<()>, DType, Option<NodeId>),
    /// The same, by parameters of this type that the graph computes.
    TorchFrom(DrawFrom, DType, Option<NodeId>),
    /// A number from the generator of Python's `random` at this node, which holds a
    /// [`TwisterCell`](janus_object::twister::TwisterCell).
    Python(NodeId, PythonDraw),
}

impl GraphDraw {
    /// The generator object from which it draws; `None`: the default one.
    #[must_use]
    pub fn generator(&self) -> Option<NodeId> {
        match self {
            GraphDraw::Torch(.., node) | GraphDraw::TorchFrom(.., node) => *node,
            GraphDraw::Python(node, _) => Some(*node),
        }
    }

    /// Whether both draw the same from the same generator.
    pub fn is_same(&self, other: &GraphDraw) -> bool {
        match (self, other) {
            (GraphDraw::Torch(a, d, v), GraphDraw::Torch(b, e, w)) => a == b && d == e && v == w,
            (GraphDraw::TorchFrom(a, d, v), GraphDraw::TorchFrom(b, e, w)) => {
                a == b && d == e && v == w
            }
            (GraphDraw::Python(v, a), GraphDraw::Python(w, b)) => a == b && v == w,
            _ => false,
        }
    }
}

/// What the generators of Python's `random` draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PythonDraw {
    /// `random()`, for each element: floats in [0, 1).
    Random,
    /// An int from 0 to the upper bound, which is left out.
    Below,
    /// Different ones of those, as `sample` draws them.
    Sample,
    /// All of those in another order, as `shuffle` makes it.
    Order,
    /// Normal numbers, an even count of them, as NumPy's legacy generator draws them.
    Normal,
    /// Ints from 0 to the upper bound, which is left out, as NumPy's legacy generator draws them.
    Masked,
    /// All of those in another order, as NumPy's legacy generator makes it.
    MaskedOrder,
}
