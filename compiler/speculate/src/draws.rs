//! Random draws: arguments of the graph, drawn at entry by tier 0's own code.
//!
//! In: a draw and its shape. Out: a tensor of the graph and a [`PlannedDraw`]. Always: draws are
//! planned in the order of execution and only where execution is certain, so that the stream is
//! PyTorch's; the extents can be told before the graph runs.

use janus_dialect::Attr;
use janus_tensor::ops::Dims;
use janus_tensor::{DType, Dim};
use janus_torch::Draw;

use crate::Res;
use crate::exec::{Executor, Source};
use crate::heap::tensor_type;
use crate::plan::{Extent, Load, PlannedDraw};
use crate::sym::Obj;

/// Parts of an extent that is computed at entry, at most.
const MAX_EXTENT: u32 = 256;

impl Executor<'_> {
    pub(crate) fn draw(&mut self, draw: &Draw, shape: &[Dim], dtype: DType) -> Res<Obj> {
        if self.context != 0 || self.tentative {
            return self.fail("random numbers are drawn on one side of a branch, or in a loop whose trip count moves");
        }
        let dims: Dims = shape.iter().map(|&d| self.resolve(d)).collect();
        let known: Option<Vec<Extent>> = dims.iter().map(|&d| self.entry_extent(d)).collect();
        let bounded = draw.try_map(|&d| self.entry_extent(d));
        let (Some(shape), Some(bounded)) = (known, bounded) else {
            // With the sides of a branch apart it may be known.
            return self
                .undecided("random numbers of a shape or in bounds that the graph computes");
        };
        let index = u32::try_from(self.draws.len()).unwrap_or(u32::MAX);
        self.draws.push(PlannedDraw {
            draw: bounded,
            dtype,
            shape,
        });
        let slot = i64::try_from(self.loads.len()).unwrap_or(i64::MAX);
        self.loads.push(Load::Draw(index));
        let attrs = [
            ("draw", Attr::Str(format!("{draw:?}"))),
            ("slot", Attr::I64(slot)),
        ];
        let value = self
            .at_entry(|this| this.emit1("janus.random", &[], &attrs, tensor_type(dtype, &dims)))?;
        Ok(self.new_tensor(value, dtype, dims))
    }

    /// How to tell an extent at entry, if that can be.
    fn entry_extent(&self, d: Dim) -> Option<Extent> {
        self.extent(d, &mut { MAX_EXTENT })
    }

    /// Where `left` runs out there is none: extents that were found to be equal may be defined in circles.
    fn extent(&self, d: Dim, left: &mut u32) -> Option<Extent> {
        *left = left.checked_sub(1)?;
        let symbol = match self.resolve(d) {
            Dim::Known(n) => return Some(Extent::Known(n)),
            Dim::Sym(s) => s,
        };
        match self.dims[symbol as usize].source {
            Source::Entry(node, axis) => Some(Extent::Of(node, axis)),
            Source::Int(node) => Some(Extent::Int(node)),
            Source::Op(op, a, b) => {
                let (a, b) = (self.extent(a, left)?, self.extent(b, left)?);
                Some(Extent::Op(op, Box::new(a), Box::new(b)))
            }
            Source::Graph => None,
        }
    }
}
