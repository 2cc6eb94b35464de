//! Random numbers of a run.
//!
//! In: a plan. Out: a source of draws for generated code, and the generators as they were before the run.
//! Always: numbers come from the generators that tier 0 draws from.

use std::cell::RefCell;
use std::rc::Rc;

use janus_object::Value;
use janus_object::twister::{Twister, TwisterCell};
use janus_speculate::plan::{GraphDraw, Plan, PythonDraw};
use janus_tensor::kernels::draws::{Asked, Drawing, Draws, Given};
use janus_tensor::rng::{self, Generator};
use janus_tensor::{DType, Scalar, Tensor};
use janus_torch::Draw;

use crate::guard::Values;
use crate::region::Version;

/// The generators from which a run draws.
pub(crate) struct Generators {
    torch: bool,
    /// Those of Python's `random`, by the number of the draw.
    python: Vec<Option<Value>>,
}

impl Generators {
    /// Those of a plan, where its nodes have these values.
    pub(crate) fn of(plan: &Plan, values: &Values) -> Rc<Generators> {
        let is_torch = |d: &GraphDraw| !matches!(d, GraphDraw::Python(..));
        let generator = |d: &GraphDraw| match d {
            GraphDraw::Python(node, _) => values.get(node.0 as usize)?.clone(),
            _ => None,
        };
        Rc::new(Generators {
            torch: !plan.draws.is_empty() || plan.graph_draws.iter().any(is_torch),
            python: plan.graph_draws.iter().map(generator).collect(),
        })
    }

    /// Where they stand now.
    pub(crate) fn stand(&self) -> Stood {
        let mut python: Vec<(Value, Twister)> = Vec::new();
        for generator in self.python.iter().flatten() {
            if let Some(cell) = twister(generator)
                && !python
                    .iter()
                    .any(|(v, _)| twister(v).is_some_and(|c| std::ptr::eq(c, cell)))
            {
                python.push((generator.clone(), cell.borrow().clone()));
            }
        }
        Stood {
            torch: self.torch.then(|| rng::with_default(|g| g.clone())),
            python,
        }
    }
}

/// Where the generators stood from which a plan's graph draws.
pub(crate) struct Stood {
    torch: Option<Generator>,
    python: Vec<(Value, Twister)>,
}

impl Stood {
    /// Puts them back.
    pub(crate) fn put_back(&self) {
        if let Some(torch) = &self.torch {
            rng::with_default(|g| g.clone_from(torch));
        }
        for (generator, stood) in &self.python {
            if let Some(cell) = twister(generator) {
                cell.borrow_mut().clone_from(stood);
            }
        }
    }
}

fn twister(generator: &Value) -> Option<&TwisterCell> {
    generator.foreign::<TwisterCell>()
}

/// A distribution's parameters as a tensor.
fn parameters(dtype: DType, extents: &[i64], given: Given<'_>) -> Option<Tensor> {
    match given {
        Given::Bytes(bytes) if dtype == DType::F32 => {
            let (chunks, _) = bytes.as_chunks::<4>();
            let values: Vec<f32> = chunks.iter().map(|c| f32::from_ne_bytes(*c)).collect();
            Tensor::from_slice(&values, extents).ok()
        }
        Given::Bytes(bytes) => {
            let (chunks, _) = bytes.as_chunks::<8>();
            let values: Vec<f64> = chunks.iter().map(|c| f64::from_ne_bytes(*c)).collect();
            Tensor::from_slice(&values, extents).ok()
        }
        Given::Any | Given::Nothing => Tensor::full(extents, Scalar::F64(1.0), dtype).ok(),
    }
}

/// What a run draws, and from what.
#[derive(Clone)]
pub(crate) struct Drawn {
    pub drawing: Rc<RefCell<Drawing<'static>>>,
    pub generators: Rc<Generators>,
}

impl Drawn {
    /// From where the generators stand.
    pub(crate) fn begin(
        version: &Rc<Version>,
        generators: &Rc<Generators>,
        start: &Rc<Stood>,
    ) -> Drawn {
        let draws = GraphDraws {
            version: version.clone(),
            generators: generators.clone(),
            start: start.clone(),
        };
        Drawn {
            drawing: Rc::new(Drawing::new(Box::new(draws))),
            generators: generators.clone(),
        }
    }
}

/// The draws of one run.
struct GraphDraws {
    version: Rc<Version>,
    generators: Rc<Generators>,
    start: Rc<Stood>,
}

impl Draws for GraphDraws {
    fn draw(&mut self, asked: &Asked, given: Given<'_>) -> Option<Tensor> {
        let (low, high) = asked.bounds;
        match self.version.plan.graph_draws.get(asked.number)? {
            GraphDraw::Torch(draw, dtype) => {
                let draw = match draw.try_map(|()| Some(0))? {
                    // Bounds with nothing between them fail an assert of the graph.
                    Draw::Int(..) if low >= high => Draw::Int(0, 1),
                    Draw::Int(..) => Draw::Int(low, high),
                    other => other,
                };
                janus_torch::draws::random(&draw, &asked.extents, *dtype, None).ok()
            }
            GraphDraw::TorchFrom(draw, dtype) => {
                let parameters = parameters(*dtype, &asked.given, given)?;
                janus_torch::draws::random_from(*draw, &parameters, None).ok()
            }
            GraphDraw::Python(_, draw) => {
                let generator = self.generators.python.get(asked.number)?.as_ref()?;
                let mut twister = twister(generator)?.borrow_mut();
                let places = |places: Vec<u64>| {
                    let places: Vec<i64> = places.into_iter().map(|i| i as i64).collect();
                    Tensor::from_slice(&places, &asked.extents).ok()
                };
                let room = asked.extents.first().copied().unwrap_or(0);
                let room = usize::try_from(room).unwrap_or(0);
                let (drawn, dtype) = match draw {
                    PythonDraw::Sample => {
                        let n = u64::try_from(high).unwrap_or(0);
                        return places(twister.sample(n, room));
                    }
                    PythonDraw::Order => return places(twister.order(room)),
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
