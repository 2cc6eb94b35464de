//! Random draws: arguments of the graph, drawn at entry by tier 0's own code, or drawn by the graph.
//!
//! In: a draw and its shape. Out: a tensor of the graph and a [`PlannedDraw`] or [`GraphDraw`].
//! Always: the stream is PyTorch's. At entry is drawn what is drawn for certain, in the order of
//! execution, and with extents that can be told before the graph runs. From the first draw on for
//! which that does not hold (on one side of a branch, in a loop whose trip count moves, in a graph
//! that calls itself) the graph makes them: how many it made is a variable like any other, so that
//! branches and loops merge and carry it.

use janus_bytecode::CompareOp;
use janus_dialect::{Attr, Type, ValueId};
use janus_object::Value;
use janus_plan::{
    Check, DeoptReason, Extent, GraphDraw, Load, Node, NodeId, PlannedDraw, PythonDraw, ReasonId,
    ScalarType, Step,
};
use janus_tensor::ops::Dims;
use janus_tensor::{DType, Device, Dim, Ops};
use janus_torch::{Draw, DrawFrom, TorchOps};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{HeapObject, Kind, Obj, Slot, State, Sym, SymCell, SymScalar};
use crate::state::types::tensor_type;

/// How many numbers of Python's `random` are drawn by one operation at most: each is a variable.
const MOST_AT_ONCE: i64 = 64;

/// A draw that the graph makes.
struct Made {
    op: &'static str,
    planned: GraphDraw,
    /// For people.
    name: String,
    /// Bounds, or parameters.
    operands: Vec<ValueId>,
}

impl Executor<'_> {
    /// At the very beginning: the variable that counts the draws of the graph.
    pub(crate) fn begin_draws(&mut self) {
        self.random.draws_cell = self.state.heap.len();
        let kind = Kind::Cell(SymCell {
            content: Slot::Loaded(Sym::Known(Value::Int(0))),
            written: false,
            cell: None,
        });
        self.state.heap.push(HeapObject { origin: None, kind });
    }

    /// How many draws the graph made so far; `None`: it makes none.
    pub(crate) fn draws_made(&self) -> Option<ValueId> {
        self.draws_of(&self.state)
    }

    /// The same of another state.
    pub(crate) fn draws_of(&self, state: &State) -> Option<ValueId> {
        match &state.heap[self.random.draws_cell].kind {
            Kind::Cell(SymCell {
                content: Slot::Loaded(Sym::Scalar(s)),
                ..
            }) => Some(s.id),
            _ => None,
        }
    }

    /// A tensor drawn from the default generator, or from this one.
    pub(crate) fn draw(
        &mut self,
        draw: &Draw,
        shape: &[Dim],
        dtype: DType,
        generator: Option<&Value>,
    ) -> Res<Obj> {
        let dims: Dims = shape.iter().map(|&d| self.resolve(d)).collect();
        self.refuse_negative(&dims)?;
        self.refuse_draws_of_devices(self.state.mode.device)?;
        if let Some(generator) = generator {
            let node = self.generator_node(generator);
            return self.draw_in_graph(draw, dims, dtype, Some(node));
        }
        let certain = self.emission.context == 0 && !self.looping.tentative && !self.state.drew;
        let known: Option<Vec<Extent>> = dims.iter().map(|&d| self.entry_extent(d)).collect();
        let bounded = draw.try_map(|&d| self.entry_extent(d));
        let (Some(shape), Some(bounded), true) = (known, bounded, certain) else {
            return self.draw_in_graph(draw, dims, dtype, None);
        };
        let index = u32::try_from(self.random.draws.len()).unwrap_or(u32::MAX);
        self.random.draws.push(PlannedDraw {
            draw: bounded,
            dtype,
            shape,
        });
        let slot = self.entry.loads.len();
        self.entry.loads.push(Load::Draw(index));
        let attrs = [
            ("draw", Attr::Str(format!("{draw:?}"))),
            ("slot", Attr::I64(i64::try_from(slot).unwrap_or(i64::MAX))),
        ];
        let value = self
            .at_entry(|this| this.emit1("janus.random", &[], &attrs, tensor_type(dtype, &dims)))?;
        let drawn = self.new_tensor(value, dtype, dims);
        self.entry.loaded.push((drawn, slot));
        Ok(drawn)
    }

    /// Refuses the random numbers of devices, whose streams are their own.
    fn refuse_draws_of_devices(&self, device: Device) -> Res<()> {
        match device {
            Device::Cpu => Ok(()),
            Device::Cuda(_) | Device::Meta => self.refuse(
                ReasonId::RandomDraw,
                "random numbers of a device have no graph form yet",
            ),
        }
    }

    /// Refuses a result of a known negative extent; those that move are checked at entry.
    pub(crate) fn refuse_negative(&self, dims: &[Dim]) -> Res<()> {
        match dims.iter().any(|d| d.known().is_some_and(|n| n < 0)) {
            true => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a tensor with a negative extent",
            ),
            false => Ok(()),
        }
    }

    /// The node of a generator that is always the same object.
    fn generator_node(&mut self, generator: &Value) -> NodeId {
        let is_it =
            |n: &Node| matches!(&n.step, Step::Pinned(v) if janus_object::ops::is(v, generator));
        match self.entry.nodes.iter().position(is_it) {
            Some(at) => NodeId(u32::try_from(at).unwrap_or(u32::MAX)),
            None => {
                let step = Step::Pinned(generator.clone());
                self.node(step, Check::None, &"generator".into())
            }
        }
    }

    fn draw_in_graph(
        &mut self,
        draw: &Draw,
        dims: Dims,
        dtype: DType,
        generator: Option<NodeId>,
    ) -> Res<Obj> {
        let bounds = match *draw {
            Draw::Int(low, high) => Some((self.dim_number(low)?.id, self.dim_number(high)?.id)),
            _ => None,
        };
        let Some(planned) = draw.try_map(|_| Some(())) else {
            return self.defect("bad draw");
        };
        let name = format!("{draw:?}");
        let (low, high) = match bounds {
            Some(bounds) => bounds,
            None => (self.int(0)?, self.int(0)?),
        };
        let made = Made {
            op: "janus.draw",
            planned: GraphDraw::Torch(planned, dtype, generator),
            name,
            operands: vec![low, high],
        };
        let value = self.emit_draw(made, &dims, dtype)?;
        self.state.drew |= generator.is_none();
        Ok(self.new_tensor(value, dtype, dims))
    }

    /// Draws by parameters that the graph computes.
    pub(crate) fn draw_from(
        &mut self,
        draw: DrawFrom,
        parameters: Obj,
        generator: Option<&Value>,
    ) -> Res<Obj> {
        self.refuse_draws_of_devices(self.device_of(parameters))?;
        if self.memory_order(&parameters)?.is_some() {
            return self.refuse(
                ReasonId::RandomDraw,
                "a draw whose parameters lie in another order in memory",
            );
        }
        let (given, of) = (self.dims_of(parameters)?, self.tensor(parameters)?.dtype);
        if !of.is_float() {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: a draw whose parameters are no floats",
            );
        }
        let (dims, dtype) = match draw {
            DrawFrom::Bernoulli => (given, of),
            DrawFrom::Multinomial { samples, .. } => {
                let mut dims = given;
                match (dims.last_mut(), samples) {
                    (Some(last), 1..) => *last = Dim::Known(samples),
                    _ => {
                        return self.refuse(
                            ReasonId::WouldRaise,
                            "it would raise: a multinomial draw of nothing",
                        );
                    }
                }
                if dims.len() > 2 {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: prob_dist must be 1 or 2 dim",
                    );
                }
                (dims, DType::I64)
            }
        };
        let generator = generator.map(|g| self.generator_node(g));
        let made = Made {
            op: "janus.draw_from",
            planned: GraphDraw::TorchFrom(draw, of, generator),
            name: format!("{draw:?}"),
            operands: vec![self.current(parameters)?],
        };
        let value = self.emit_draw(made, &dims, dtype)?;
        self.state.drew |= generator.is_none();
        Ok(self.new_tensor(value, dtype, dims))
    }

    /// A number from a generator of Python's `random`, below `n`.
    pub(crate) fn python_draw(
        &mut self,
        generator: Obj,
        draw: PythonDraw,
        n: Option<&Sym>,
    ) -> Res<Sym> {
        let tensor = self.python_drawn(generator, draw, n, &[])?;
        let drawn = self.item(&tensor)?;
        Ok(Self::number_sym(drawn))
    }

    /// A list of `count` numbers from a generator of Python's `random`, all below `n`, which are that many.
    pub(crate) fn python_draws(
        &mut self,
        generator: Obj,
        draw: PythonDraw,
        n: &Sym,
        count: i64,
    ) -> Res<Sym> {
        if !(1..=MOST_AT_ONCE).contains(&count) {
            return self.refuse(ReasonId::RandomDraw, "a random choice of none or very many");
        }
        // A graph goes on after a failed assert: the draw must find so many.
        let enough = Sym::Known(Value::Int(count));
        let expected = ("population", "there are as many as are chosen");
        self.assert_compare(CompareOp::Ge, n, &enough, DeoptReason::IndexRange, expected)?;
        let drawn = self.python_drawn(generator, draw, Some(n), &[Dim::Known(count)])?;
        self.tolist(drawn)
    }

    /// A tensor of `count` numbers from a generator of Python's `random`, below `n`.
    pub(crate) fn python_draws_tensor(
        &mut self,
        generator: Obj,
        draw: PythonDraw,
        n: Option<&Sym>,
        count: &Sym,
    ) -> Res<Sym> {
        if let Some(n) = n {
            // A graph goes on after a failed assert, with a bound that is none.
            let zero = Sym::Known(Value::Int(0));
            let expected = ("bound", "there is a number below the bound");
            self.assert_compare(CompareOp::Gt, n, &zero, DeoptReason::IndexRange, expected)?;
        }
        let count = self.number_dim(count)?;
        self.refuse_negative(&[count])?;
        let drawn = self.python_drawn(generator, draw, n, &[count])?;
        Ok(Sym::Obj(drawn))
    }

    fn python_drawn(
        &mut self,
        generator: Obj,
        draw: PythonDraw,
        n: Option<&Sym>,
        dims: &[Dim],
    ) -> Res<Obj> {
        let Some(origin) = self.state.heap[generator].origin.clone() else {
            return self.refuse(
                ReasonId::Generator,
                "a draw from a generator made in the region",
            );
        };
        // Two generators are two streams.
        self.guard_written(origin.node);
        let bounds = match n {
            Some(n) => match self.number(n)? {
                Some(n) if n.ty == ScalarType::Int => vec![self.int(0)?, n.id],
                _ => {
                    return self.refuse(
                        ReasonId::RandomDraw,
                        "a random number below something that is no int",
                    );
                }
            },
            None => vec![self.int(0)?, self.int(0)?],
        };
        let dtype = match draw {
            PythonDraw::Random | PythonDraw::Normal => DType::F64,
            PythonDraw::Below
            | PythonDraw::Sample
            | PythonDraw::Order
            | PythonDraw::Masked
            | PythonDraw::MaskedOrder => DType::I64,
        };
        let made = Made {
            op: "janus.draw",
            planned: GraphDraw::Python(origin.node, draw),
            name: format!("{draw:?}"),
            operands: bounds,
        };
        let value = self.emit_draw(made, dims, dtype)?;
        Ok(self.new_tensor(value, dtype, dims.into()))
    }

    fn emit_draw(&mut self, made: Made, dims: &[Dim], dtype: DType) -> Res<ValueId> {
        let source = match self.random.drawing {
            Some(source) => source,
            None => {
                let source = self.load_word(Load::Drawing, "draws")?;
                self.random.drawing = Some(source);
                source
            }
        };
        let known = self
            .random
            .graph_draws
            .iter()
            .position(|d| d.is_same(&made.planned));
        let number = known.unwrap_or_else(|| {
            self.random.graph_draws.push(made.planned);
            self.random.graph_draws.len() - 1
        });
        let position = match self.draws_made() {
            Some(position) => position,
            None => self.int(0)?,
        };
        // What `janus.draw` takes comes last, what `janus.draw_from` takes first.
        let mut operands = vec![position, source];
        let at = if made.op == "janus.draw" { 2 } else { 0 };
        operands.splice(at..at, made.operands);
        operands.extend(self.dynamic_sizes(dims)?);
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let attrs = [
            ("number", Attr::I64(number)),
            ("draw", Attr::Str(made.name)),
        ];
        let types = [tensor_type(dtype, dims), Type::I64];
        let results = self.emit(made.op, &operands, &attrs, &types)?;
        let [value, next] = results[..] else {
            return self.refuse(ReasonId::RandomDraw, "a draw has two results");
        };
        if let Kind::Cell(made) = &mut self.state.heap[self.random.draws_cell].kind {
            let ty = ScalarType::Int;
            made.content = Slot::Loaded(Sym::Scalar(SymScalar { id: next, ty }));
        }
        Ok(value)
    }
}
