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
use crate::exec::Executor;
use crate::heap::tensor_type;
use crate::plan::{Extent, Load, PlannedDraw};
use crate::sym::Obj;

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
}
