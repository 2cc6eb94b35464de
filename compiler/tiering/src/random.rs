//! Random numbers of a run.
//!
//! In: a plan. Out: a source of draws for generated code, and the generators as they were before the run.
//! Always: numbers come from the generators that tier 0 draws from.

use std::cell::RefCell;

use janus_object::Value;
use janus_object::twister::{Twister, TwisterCell};
use janus_speculate::plan::{GraphDraw, Plan, PythonDraw};
use janus_tensor::kernels::draws::{Drawing, Draws};
use janus_tensor::rng::{self, Generator};
use janus_tensor::{DType, Scalar, Tensor};
use janus_torch::Draw;

/// Where the generators stood from which a plan's graph draws.
pub(crate) struct Stood<'a> {
    torch: Option<Generator>,
    python: Vec<(&'a TwisterCell, Twister)>,
}

impl<'a> Stood<'a> {
    /// Where they stand now.
    pub(crate) fn now(plan: &'a Plan) -> Stood<'a> {
        let is_torch = |d: &GraphDraw| matches!(d, GraphDraw::Torch(..));
        let torch = !plan.draws.is_empty() || plan.graph_draws.iter().any(is_torch);
        let mut python: Vec<(&TwisterCell, Twister)> = Vec::new();
        for draw in &plan.graph_draws {
            let GraphDraw::Python(generator, _) = draw else {
                continue;
            };
            if let Some(cell) = twister(generator)
                && !python.iter().any(|(c, _)| std::ptr::eq(*c, cell))
            {
                python.push((cell, cell.borrow().clone()));
            }
        }
        Stood {
            torch: torch.then(|| rng::with_default(|g| g.clone())),
            python,
        }
    }

    /// Puts them back.
    pub(crate) fn put_back(&self) {
        if let Some(torch) = &self.torch {
            rng::with_default(|g| g.clone_from(torch));
        }
        for (cell, twister) in &self.python {
            cell.borrow_mut().clone_from(twister);
        }
    }
}

fn twister(generator: &Value) -> Option<&TwisterCell> {
    generator.foreign::<TwisterCell>()
}

/// The draws of one run.
pub(crate) struct GraphDraws<'a> {
    plan: &'a Plan,
    start: Stood<'a>,
}

impl<'a> GraphDraws<'a> {
    /// From where the generators are now.
    pub(crate) fn begin(plan: &'a Plan) -> RefCell<Drawing<'a>> {
        let start = Stood::now(plan);
        Drawing::new(Box::new(GraphDraws { plan, start }))
    }
}

impl Draws for GraphDraws<'_> {
    fn draw(&mut self, number: usize, bounds: (i64, i64), extents: &[i64]) -> Option<Tensor> {
        let (low, high) = bounds;
        match self.plan.graph_draws.get(number)? {
            GraphDraw::Torch(draw, dtype) => {
                let draw = match draw.try_map(|()| Some(0))? {
                    // Bounds with nothing between them fail an assert of the graph.
                    Draw::Int(..) if low >= high => Draw::Int(0, 1),
                    Draw::Int(..) => Draw::Int(low, high),
                    other => other,
                };
                janus_torch::draws::random(&draw, extents, *dtype, None).ok()
            }
            GraphDraw::Python(generator, draw) => {
                let mut twister = twister(generator)?.borrow_mut();
                let (drawn, dtype) = match draw {
                    PythonDraw::Random => (Scalar::F64(twister.random()), DType::F64),
                    PythonDraw::Below => {
                        let below = twister.below(u64::try_from(high).unwrap_or(0));
                        (Scalar::I64(below as i64), DType::I64)
                    }
                };
                Tensor::from_scalars(&[drawn], &[], dtype).ok()
            }
        }
    }

    fn rewind(&mut self) {
        self.start.put_back();
    }
}
