//! Random numbers that a graph draws while it runs.
//!
//! In: a plan. Out: a source of draws for generated code. Always: numbers come from the generator that
//! tier 0 draws from, which is put back by whoever started the run if the run is dropped.

use std::cell::RefCell;

use janus_speculate::plan::Plan;
use janus_tensor::Tensor;
use janus_tensor::kernels::draws::{Drawing, Draws};
use janus_tensor::rng::{self, Generator};
use janus_torch::Draw;

/// The draws of one run.
pub(crate) struct GraphDraws<'a> {
    plan: &'a Plan,
    /// Where the generator was when the run began.
    start: Generator,
}

impl<'a> GraphDraws<'a> {
    /// From where the generator is now.
    pub(crate) fn begin(plan: &'a Plan) -> RefCell<Drawing<'a>> {
        let start = rng::with_default(|g| g.clone());
        Drawing::new(Box::new(GraphDraws { plan, start }))
    }
}

impl Draws for GraphDraws<'_> {
    fn draw(&mut self, number: usize, bounds: (i64, i64), extents: &[i64]) -> Option<Tensor> {
        let planned = self.plan.graph_draws.get(number)?;
        let (low, high) = bounds;
        let draw = match planned.draw.try_map(|()| Some(0))? {
            // Bounds with nothing between them fail an assert of the graph.
            Draw::Int(..) if low >= high => Draw::Int(0, 1),
            Draw::Int(..) => Draw::Int(low, high),
            other => other,
        };
        janus_torch::draws::random(&draw, extents, planned.dtype, None).ok()
    }

    fn rewind(&mut self) {
        rng::with_default(|g| g.clone_from(&self.start));
    }
}
