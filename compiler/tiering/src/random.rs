//! Random numbers of a run.
//!
//! In: a plan. Out: a source of draws for generated code, and the generators as they were before the run.
//! Always: numbers come from the generators that tier 0 draws from.

use std::cell::RefCell;
use std::rc::Rc;

use janus_object::Value;
use janus_object::twister::{Twister, TwisterCell};
use janus_plan::{GraphDraw, Plan, PythonDraw};
use janus_tensor::kernels::draws::{Asked, Drawing, Draws, Given};
use janus_tensor::rng::{self, Generator};
use janus_tensor::{DType, Scalar, Tensor};
use janus_torch::Draw;

use crate::guard::Values;
use crate::region::Version;

/// The generators from which a run draws.
pub(crate) struct Generators {
    torch: bool,
    /// Objects, by the number of the draw: `torch.Generator`s, and those of Python's `random`.
    objects: Vec<Option<Value>>,
}

impl Generators {
    /// Those of a plan, where its nodes have these values.
    pub(crate) fn of(plan: &Plan, values: &Values) -> Rc<Generators> {
        let is_default = |d: &GraphDraw| d.generator().is_none();
        let generator = |d: &GraphDraw| values.get(d.generator()?.0 as usize)?.clone();
        Rc::new(Generators {
            torch: !plan.draws.is_empty() || plan.graph_draws.iter().any(is_default),
            objects: plan.graph_draws.iter().map(generator).collect(),
        })
    }

    /// Where they stand now.
    pub(crate) fn stand(&self) -> Stood {
        let mut objects: Vec<(Value, StoodAt)> = Vec::new();
        for generator in self.objects.iter().flatten() {
            let known = |(v, _): &(Value, StoodAt)| janus_object::ops::is(v, generator);
            if !objects.iter().any(known)
                && let Some(at) = StoodAt::of(generator)
            {
                objects.push((generator.clone(), at));
            }
        }
        Stood {
            torch: self.torch.then(|| rng::with_default(|g| g.clone())),
            objects,
        }
    }
}

/// Where the generators stood from which a plan's graph draws.
pub(crate) struct Stood {
    torch: Option<Generator>,
    objects: Vec<(Value, StoodAt)>,
}

/// Where a generator stood.
enum StoodAt {
    Python(Twister),
    Torch(Generator),
}

impl StoodAt {
    fn of(generator: &Value) -> Option<StoodAt> {
        match (twister(generator), own_torch(generator)) {
            (Some(cell), _) => Some(StoodAt::Python(cell.borrow().clone())),
            (None, Some(cell)) => Some(StoodAt::Torch(cell.borrow().clone())),
            (None, None) => None,
        }
    }
}

impl Stood {
    /// Puts them back.
    pub(crate) fn put_back(&self) {
        if let Some(torch) = &self.torch {
            rng::with_default(|g| g.clone_from(torch));
        }
        for (generator, stood) in &self.objects {
            match (stood, twister(generator), own_torch(generator)) {
                (StoodAt::Python(stood), Some(cell), _) => cell.borrow_mut().clone_from(stood),
                (StoodAt::Torch(stood), _, Some(cell)) => cell.borrow_mut().clone_from(stood),
                _ => {}
            }
        }
    }
}

fn twister(generator: &Value) -> Option<&TwisterCell> {
    generator.foreign::<TwisterCell>()
}

fn own_torch(generator: &Value) -> Option<&RefCell<Generator>> {
    generator.foreign::<RefCell<Generator>>()
}

/// Room for so many numbers, as far as there is memory: without it the run is dropped, and tier 0 raises.
fn room<T>(count: usize) -> Option<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).ok()?;
    Some(room)
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
        let generators = self.generators.clone();
        let own = generators.objects.get(asked.number)?.as_ref();
        match self.version.plan.graph_draws.get(asked.number)? {
            GraphDraw::Torch(draw, dtype, _) => {
                let draw = match draw.try_map(|()| Some(0))? {
                    // Bounds with nothing between them fail an assert of the graph.
                    Draw::Int(..) if low >= high => Draw::Int(0, 1),
                    Draw::Int(..) => Draw::Int(low, high),
                    other => other,
                };
                janus_torch::draws::random(&draw, &asked.extents, *dtype, own).ok()
            }
            GraphDraw::TorchFrom(draw, dtype, _) => {
                let parameters = parameters(*dtype, &asked.given, given)?;
                janus_torch::draws::random_from(*draw, &parameters, own).ok()
            }
            GraphDraw::Python(_, draw) => {
                let mut twister = twister(own?)?.borrow_mut();
                let ints = |ints: &[i64]| Tensor::from_slice(ints, &asked.extents).ok();
                let places = |places: Vec<u64>| {
                    ints(&places.into_iter().map(|i| i as i64).collect::<Vec<_>>())
                };
                let floats = |floats: &[f64]| Tensor::from_slice(floats, &asked.extents).ok();
                let count = usize::try_from(asked.extents.iter().product::<i64>()).ok()?;
                // Bounds with nothing between them fail an assert of the graph.
                let bound = u64::try_from(high).unwrap_or(0);
                match draw {
                    PythonDraw::Random => {
                        let mut drawn = room(count)?;
                        drawn.extend((0..count).map(|_| twister.random()));
                        floats(&drawn)
                    }
                    PythonDraw::Normal => {
                        let mut drawn = room(count)?;
                        drawn.extend((0..count / 2).flat_map(|_| twister.normal_pair()));
                        floats(&drawn)
                    }
                    PythonDraw::Below => {
                        let mut drawn = room(count)?;
                        drawn.extend((0..count).map(|_| twister.below(bound) as i64));
                        ints(&drawn)
                    }
                    PythonDraw::Masked => {
                        let most = bound.saturating_sub(1);
                        let mut drawn = room(count)?;
                        drawn.extend((0..count).map(|_| twister.masked(most) as i64));
                        ints(&drawn)
                    }
                    PythonDraw::Sample => places(twister.sample(bound, count)),
                    PythonDraw::Order => places(twister.order(count)),
                    PythonDraw::MaskedOrder => {
                        let mut order = room(count)?;
                        order.extend(0..count as i64);
                        twister.masked_shuffle(&mut order);
                        ints(&order)
                    }
                }
            }
        }
    }

    fn rewind(&mut self) {
        self.start.put_back();
    }
}
