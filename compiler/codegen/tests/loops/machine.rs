//! Programs with loops and branches that run twice: on the tape, unrolled, and compiled, as frames
//! of a graph.
//!
//! In: a program over [`Machine`], inputs. Out: nothing, or a panic that names the first difference.

use std::time::Instant;

use janus_codegen::{Arg, CompileOptions, Compiled, Out, compile};
use janus_dialect::{Attr, GraphBuilder, Loc, Type, ValueId};
use janus_tensor::autograd::grad;
use janus_tensor::ops::{BinaryOp, Prim, ReduceOp, UnaryOp};
use janus_tensor::tensor::Layout;
use janus_tensor::{DType, Dim, Eager, Ops, Scalar, Tensor};

use crate::harness::{difference, dims, unit_steps};

/// What runs in an iteration: its number, what is constant, what is carried.
pub type Body<'a, M, R> = &'a mut dyn FnMut(&mut M, &Loop<'_, M>) -> R;

/// The values of an iteration.
pub struct Loop<'a, M: Machine> {
    pub number: M::I,
    pub constants: &'a [M::T],
    pub numbers: &'a [M::I],
    pub carried: &'a [M::T],
}

/// Where a program is run, or written down.
pub trait Machine: Sized {
    /// A tensor.
    type T: Clone;
    /// An integer.
    type I: Clone;
    /// A condition.
    type C;

    fn unary(&mut self, op: UnaryOp, x: &Self::T) -> Self::T;
    fn binary(&mut self, op: BinaryOp, a: &Self::T, b: &Self::T) -> Self::T;
    fn dot(&mut self, a: &Self::T, b: &Self::T) -> Self::T;
    /// `x` along the last dimension of `like`'s shape.
    fn rows(&mut self, x: &Self::T, like: &Self::T) -> Self::T;
    /// The sum of all elements.
    fn sum(&mut self, x: &Self::T) -> Self::T;
    /// `x[t]`
    fn row(&mut self, x: &Self::T, t: &Self::I) -> Self::T;
    /// `x` with `v` in the place of `x[t]`.
    fn with_row(&mut self, x: &Self::T, v: &Self::T, t: &Self::I) -> Self::T;
    /// `a`, then `b`, along the first dimension.
    fn stacked(&mut self, a: &Self::T, b: &Self::T) -> Self::T;
    /// A value that gradients are taken by, but not beyond.
    fn leaf(&mut self, x: &Self::T) -> Self::T;
    fn number(&mut self, n: i64) -> Self::I;
    fn plus(&mut self, a: &Self::I, b: &Self::I) -> Self::I;
    fn below(&mut self, a: &Self::I, b: &Self::I) -> Self::C;
    fn is_even(&mut self, a: &Self::I) -> Self::C;
    fn is_positive(&mut self, x: &Self::T) -> Self::C;
    fn both(&mut self, a: &Self::C, b: &Self::C) -> Self::C;
    /// Runs `body` as long as `test` holds.
    fn repeat(
        &mut self,
        constants: &[Self::T],
        numbers: &[Self::I],
        carried: &[Self::T],
        test: Body<'_, Self, Self::C>,
        body: Body<'_, Self, Vec<Self::T>>,
    ) -> Vec<Self::T>;
    fn choose(
        &mut self,
        condition: &Self::C,
        inputs: &[Self::T],
        then: &mut dyn FnMut(&mut Self, &[Self::T]) -> Vec<Self::T>,
        otherwise: &mut dyn FnMut(&mut Self, &[Self::T]) -> Vec<Self::T>,
    ) -> Vec<Self::T>;
    fn gradient(&mut self, loss: &Self::T, by: &[Self::T]) -> Vec<Self::T>;

    fn add(&mut self, a: &Self::T, b: &Self::T) -> Self::T {
        self.binary(BinaryOp::Add, a, b)
    }
    fn mul(&mut self, a: &Self::T, b: &Self::T) -> Self::T {
        self.binary(BinaryOp::Mul, a, b)
    }
    fn tanh(&mut self, x: &Self::T) -> Self::T {
        self.unary(UnaryOp::Tanh, x)
    }
}

/// The tape.
pub struct Tape;

impl Tape {
    fn run(&mut self, prim: Prim, operands: &[&Tensor]) -> Tensor {
        Eager.apply(prim, operands).unwrap()
    }
}

fn part(rank: usize, t: i64) -> Prim {
    let mut starts = vec![0; rank];
    starts[0] = t;
    Prim::UpdateSlice {
        starts: dims(&starts),
        strides: unit_steps(rank),
        first: false,
    }
}

impl Machine for Tape {
    type T = Tensor;
    type I = i64;
    type C = bool;

    fn unary(&mut self, op: UnaryOp, x: &Tensor) -> Tensor {
        self.run(Prim::Unary(op), &[x])
    }
    fn binary(&mut self, op: BinaryOp, a: &Tensor, b: &Tensor) -> Tensor {
        self.run(Prim::Binary(op), &[a, b])
    }
    fn dot(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        self.run(Prim::Dot, &[a, b])
    }
    fn rows(&mut self, x: &Tensor, like: &Tensor) -> Tensor {
        let prim = Prim::Broadcast {
            dims: (like.rank() - x.rank()..like.rank()).collect(),
            shape: dims(&like.shape()),
        };
        self.run(prim, &[x])
    }
    fn sum(&mut self, x: &Tensor) -> Tensor {
        let prim = Prim::Reduce {
            op: ReduceOp::Sum,
            dims: (0..x.rank()).collect(),
        };
        self.run(prim, &[x])
    }
    fn row(&mut self, x: &Tensor, t: &i64) -> Tensor {
        let shape = x.shape();
        let mut starts = vec![0; shape.len()];
        starts[0] = *t;
        let mut sizes = shape.to_vec();
        sizes[0] = 1;
        let slice = Prim::Slice {
            starts: dims(&starts),
            sizes: dims(&sizes),
            strides: unit_steps(shape.len()),
        };
        let row = self.run(slice, &[x]);
        let shape = dims(&shape[1..]);
        self.run(Prim::Reshape { shape }, &[&row])
    }
    fn with_row(&mut self, x: &Tensor, v: &Tensor, t: &i64) -> Tensor {
        let mut shape = vec![Dim::Known(1)];
        shape.extend(v.shape().iter().map(|&n| Dim::Known(n)));
        let shape = shape.into_iter().collect();
        let row = self.run(Prim::Reshape { shape }, &[v]);
        self.run(part(x.rank(), *t), &[x, &row])
    }
    fn stacked(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        self.run(Prim::Concat { dim: 0 }, &[a, b])
    }
    fn both(&mut self, a: &bool, b: &bool) -> bool {
        *a && *b
    }
    fn leaf(&mut self, x: &Tensor) -> Tensor {
        let leaf = x.detach();
        leaf.set_requires_grad(true).unwrap();
        leaf
    }
    fn number(&mut self, n: i64) -> i64 {
        n
    }
    fn plus(&mut self, a: &i64, b: &i64) -> i64 {
        a + b
    }
    fn below(&mut self, a: &i64, b: &i64) -> bool {
        a < b
    }
    fn is_even(&mut self, a: &i64) -> bool {
        a % 2 == 0
    }
    fn is_positive(&mut self, x: &Tensor) -> bool {
        matches!(Eager.item(x).unwrap(), Scalar::F64(v) if v > 0.0)
    }
    fn repeat(
        &mut self,
        constants: &[Tensor],
        numbers: &[i64],
        carried: &[Tensor],
        test: Body<'_, Self, bool>,
        body: Body<'_, Self, Vec<Tensor>>,
    ) -> Vec<Tensor> {
        let mut carried = carried.to_vec();
        for number in 0.. {
            let at = Loop {
                number,
                constants,
                numbers,
                carried: &carried,
            };
            if !test(self, &at) {
                break;
            }
            carried = body(self, &at);
        }
        carried
    }
    fn choose(
        &mut self,
        condition: &bool,
        inputs: &[Tensor],
        then: &mut dyn FnMut(&mut Self, &[Tensor]) -> Vec<Tensor>,
        otherwise: &mut dyn FnMut(&mut Self, &[Tensor]) -> Vec<Tensor>,
    ) -> Vec<Tensor> {
        if *condition {
            then(self, inputs)
        } else {
            otherwise(self, inputs)
        }
    }
    fn gradient(&mut self, loss: &Tensor, by: &[Tensor]) -> Vec<Tensor> {
        let grads = grad(&[(loss.clone(), None)], by, true, false, true).unwrap();
        let or_zeros = |(g, x): (Option<Tensor>, &Tensor)| {
            g.unwrap_or_else(|| Tensor::zeros(&x.shape(), x.dtype()).unwrap())
        };
        grads.into_iter().zip(by).map(or_zeros).collect()
    }
}

/// A graph under construction.
pub struct Writer {
    builder: GraphBuilder,
    frames: usize,
}

/// A tensor of the graph; extents that are not known are `None`.
#[derive(Clone)]
pub struct Node {
    id: ValueId,
    shape: Vec<Option<i64>>,
}

const DYNAMIC: i64 = i64::MIN;

fn here() -> Loc {
    Loc {
        file: "loops.py".into(),
        line: 1,
        col: 1,
    }
}

impl Writer {
    fn ty(shape: &[Option<i64>]) -> Type {
        Type::tensor(janus_dialect::DType::F32, shape.iter().copied())
    }

    fn op(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, Attr)],
        results: &[Type],
    ) -> Vec<ValueId> {
        self.builder
            .op(name, operands, attrs, results, &here())
            .unwrap()
    }

    fn tensor(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, Attr)],
        shape: &[Option<i64>],
    ) -> Node {
        let id = self.op(name, operands, attrs, &[Self::ty(shape)])[0];
        Node {
            id,
            shape: shape.to_vec(),
        }
    }

    /// The extents of `x` that are not known, but for the first `skip`.
    fn extents(&mut self, x: &Node, skip: usize) -> Vec<ValueId> {
        let unknown = (skip..x.shape.len()).filter(|&i| x.shape[i].is_none());
        let unknown: Vec<usize> = unknown.collect();
        unknown
            .into_iter()
            .map(|i| {
                let dim = [("dim", Attr::I64(i as i64))];
                self.op("janus.dim", &[x.id], &dim, &[Type::Index])[0]
            })
            .collect()
    }

    fn starts(rank: usize) -> [(&'static str, Attr); 2] {
        let mut starts = vec![0; rank];
        starts[0] = DYNAMIC;
        [
            ("static_starts", Attr::I64s(starts)),
            ("strides", Attr::I64s(vec![1; rank])),
        ]
    }

    fn index(&mut self, t: ValueId) -> ValueId {
        self.op("arith.index_cast", &[t], &[], &[Type::Index])[0]
    }

    fn compare(&mut self, predicate: i64, a: ValueId, b: ValueId) -> ValueId {
        let attrs = [("predicate", Attr::I64(predicate))];
        self.op("arith.cmpi", &[a, b], &attrs, &[Type::I1])[0]
    }

    fn switch(&mut self, condition: ValueId, value: ValueId, ty: &Type) -> (ValueId, ValueId) {
        let types = [ty.clone(), ty.clone()];
        let sides = self.op("janus.switch", &[condition, value], &[], &types);
        (sides[0], sides[1])
    }

    fn merge(&mut self, a: ValueId, b: ValueId, ty: &Type) -> ValueId {
        self.op("janus.merge", &[a, b], &[], &[ty.clone(), Type::I64])[0]
    }

    fn with(node: &Node, id: ValueId) -> Node {
        Node {
            id,
            shape: node.shape.clone(),
        }
    }
}

impl Machine for Writer {
    type T = Node;
    type I = ValueId;
    type C = ValueId;

    fn unary(&mut self, op: UnaryOp, x: &Node) -> Node {
        self.tensor(&format!("janus.{}", op.name()), &[x.id], &[], &x.shape)
    }
    fn binary(&mut self, op: BinaryOp, a: &Node, b: &Node) -> Node {
        let name = format!("janus.{}", op.name());
        self.tensor(&name, &[a.id, b.id], &[], &a.shape)
    }
    fn dot(&mut self, a: &Node, b: &Node) -> Node {
        let shape = [a.shape[0], b.shape[1]];
        self.tensor("janus.dot", &[a.id, b.id], &[], &shape)
    }
    fn rows(&mut self, x: &Node, like: &Node) -> Node {
        let first = like.shape.len() - x.shape.len();
        let dims = (first..like.shape.len()).map(|d| d as i64).collect();
        let mut operands = vec![x.id];
        operands.extend(self.extents(like, 0));
        let attrs = [("dims", Attr::I64s(dims))];
        self.tensor("janus.broadcast", &operands, &attrs, &like.shape)
    }
    fn sum(&mut self, x: &Node) -> Node {
        let dims = (0..x.shape.len() as i64).collect();
        self.tensor(
            "janus.reduce_sum",
            &[x.id],
            &[("dims", Attr::I64s(dims))],
            &[],
        )
    }
    fn row(&mut self, x: &Node, t: &ValueId) -> Node {
        let sizes = self.extents(x, 1);
        let mut operands = vec![x.id, self.index(*t)];
        operands.extend(&sizes);
        let mut shape = x.shape.clone();
        shape[0] = Some(1);
        let attrs = Self::starts(shape.len());
        let row = self.tensor("janus.slice", &operands, &attrs, &shape);
        let mut operands = vec![row.id];
        operands.extend(sizes);
        self.tensor("janus.reshape", &operands, &[], &shape[1..])
    }
    fn with_row(&mut self, x: &Node, v: &Node, t: &ValueId) -> Node {
        let mut operands = vec![v.id];
        operands.extend(self.extents(v, 0));
        let mut shape = vec![Some(1)];
        shape.extend(&v.shape);
        let row = self.tensor("janus.reshape", &operands, &[], &shape);
        let operands = [x.id, row.id, self.index(*t)];
        let attrs = Self::starts(x.shape.len());
        self.tensor("janus.update_slice", &operands, &attrs, &x.shape)
    }
    fn stacked(&mut self, a: &Node, b: &Node) -> Node {
        let mut shape = a.shape.clone();
        shape[0] = None;
        let dim = [("dim", Attr::I64(0))];
        self.tensor("janus.concat", &[a.id, b.id], &dim, &shape)
    }
    fn both(&mut self, a: &ValueId, b: &ValueId) -> ValueId {
        self.op("arith.andi", &[*a, *b], &[], &[Type::I1])[0]
    }
    fn leaf(&mut self, x: &Node) -> Node {
        self.tensor("janus.detach", &[x.id], &[], &x.shape)
    }
    fn number(&mut self, n: i64) -> ValueId {
        self.builder.scalar(Attr::I64(n), &here()).unwrap()
    }
    fn plus(&mut self, a: &ValueId, b: &ValueId) -> ValueId {
        self.op("arith.addi", &[*a, *b], &[], &[Type::I64])[0]
    }
    fn below(&mut self, a: &ValueId, b: &ValueId) -> ValueId {
        self.compare(2, *a, *b)
    }
    fn is_even(&mut self, a: &ValueId) -> ValueId {
        let (two, zero) = (self.number(2), self.number(0));
        let rest = self.op("arith.remsi", &[*a, two], &[], &[Type::I64])[0];
        self.compare(0, rest, zero)
    }
    fn is_positive(&mut self, x: &Node) -> ValueId {
        let item = self.op("janus.item", &[x.id], &[], &[Type::F64])[0];
        let zero = self.builder.scalar(Attr::F64(0.0), &here()).unwrap();
        let attrs = [("predicate", Attr::I64(2))]; // ogt
        self.op("arith.cmpf", &[item, zero], &attrs, &[Type::I1])[0]
    }

    fn repeat(
        &mut self,
        constants: &[Node],
        numbers: &[ValueId],
        carried: &[Node],
        test: Body<'_, Self, ValueId>,
        body: Body<'_, Self, Vec<Node>>,
    ) -> Vec<Node> {
        self.frames += 1;
        let name = Attr::Str(format!("frame{}", self.frames));
        let constant = [("frame", name.clone()), ("constant", Attr::Unit)];
        let frame = [("frame", name)];
        let constants: Vec<Node> = constants
            .iter()
            .map(|c| self.tensor("janus.enter", &[c.id], &constant, &c.shape))
            .collect();
        let numbers: Vec<ValueId> = numbers
            .iter()
            .map(|&n| self.op("janus.enter", &[n], &constant, &[Type::I64])[0])
            .collect();
        let mut types = vec![Type::I64];
        types.extend(carried.iter().map(|c| Self::ty(&c.shape)));
        let mut inits = vec![self.number(0)];
        inits.extend(carried.iter().map(|c| c.id));
        let mut merged = Vec::new();
        let mut backs = Vec::new();
        for (&init, ty) in inits.iter().zip(&types) {
            let enter = self.op("janus.enter", &[init], &frame, std::slice::from_ref(ty))[0];
            let back = self.builder.forward(ty.clone(), &here()).unwrap();
            merged.push(self.merge(enter, back, ty));
            backs.push(back);
        }
        let nodes = |values: &[ValueId]| -> Vec<Node> {
            let pairs = carried.iter().zip(&values[1..]);
            pairs.map(|(c, &id)| Self::with(c, id)).collect()
        };
        let go_on = test(
            self,
            &Loop {
                number: merged[0],
                constants: &constants,
                numbers: &numbers,
                carried: &nodes(&merged),
            },
        );
        let go_on = self.op("janus.loop_cond", &[go_on], &[], &[Type::I1])[0];
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (&value, ty) in merged.iter().zip(&types) {
            let (on, off) = self.switch(go_on, value, ty);
            inside.push(on);
            outside.push(off);
        }
        // What the body uses goes through the switch: it says what runs in each iteration.
        let constants: Vec<Node> = constants
            .iter()
            .map(|c| Self::with(c, self.switch(go_on, c.id, &Self::ty(&c.shape)).0))
            .collect();
        let one = self.number(1);
        let results = body(
            self,
            &Loop {
                number: inside[0],
                constants: &constants,
                numbers: &numbers,
                carried: &nodes(&inside),
            },
        );
        let mut next = vec![self.plus(&inside[0], &one)];
        next.extend(results.iter().map(|r| r.id));
        for ((value, back), ty) in next.into_iter().zip(backs).zip(&types) {
            let next = self.op(
                "janus.next_iteration",
                &[value],
                &[],
                std::slice::from_ref(ty),
            )[0];
            self.builder.resolve(back, next).unwrap();
        }
        let exits: Vec<ValueId> = outside
            .iter()
            .zip(&types)
            .map(|(&value, ty)| self.op("janus.exit", &[value], &[], std::slice::from_ref(ty))[0])
            .collect();
        nodes(&exits)
    }

    fn choose(
        &mut self,
        condition: &ValueId,
        inputs: &[Node],
        then: &mut dyn FnMut(&mut Self, &[Node]) -> Vec<Node>,
        otherwise: &mut dyn FnMut(&mut Self, &[Node]) -> Vec<Node>,
    ) -> Vec<Node> {
        let (mut on, mut off) = (Vec::new(), Vec::new());
        for x in inputs {
            let (a, b) = self.switch(*condition, x.id, &Self::ty(&x.shape));
            on.push(Self::with(x, a));
            off.push(Self::with(x, b));
        }
        let (a, b) = (then(self, &on), otherwise(self, &off));
        let merged = a.iter().zip(&b);
        merged
            .map(|(a, b)| {
                let id = self.merge(a.id, b.id, &Self::ty(&a.shape));
                Self::with(a, id)
            })
            .collect()
    }

    fn gradient(&mut self, loss: &Node, by: &[Node]) -> Vec<Node> {
        let bytes = 1f32.to_ne_bytes().to_vec();
        let ty = Self::ty(&[]);
        let one = Attr::Dense {
            ty: ty.clone(),
            bytes,
        };
        let seed = self.op("janus.constant", &[], &[("value", one)], &[ty])[0];
        let mut operands = vec![loss.id, seed];
        operands.extend(by.iter().map(|x| x.id));
        let types: Vec<Type> = by.iter().map(|x| Self::ty(&x.shape)).collect();
        let ids = self.op("janus.gradient", &operands, &[], &types);
        by.iter()
            .zip(ids)
            .map(|(x, id)| Self::with(x, id))
            .collect()
    }
}

/// A program: tensors and integers in, tensors out.
pub trait Program {
    fn run<M: Machine>(&self, m: &mut M, tensors: &[M::T], numbers: &[M::I]) -> Vec<M::T>;
}

/// Writes a program down, with the extents of its inputs that `is_known` says.
pub fn write(
    program: &impl Program,
    inputs: &[Layout],
    numbers: usize,
    is_known: impl Fn(usize, usize) -> bool,
) -> janus_dialect::Graph {
    let mut writer = Writer {
        builder: GraphBuilder::new("region"),
        frames: 0,
    };
    let slot = |i: usize| {
        [
            ("index", Attr::I64(i as i64)),
            ("slot", Attr::I64(i as i64)),
        ]
    };
    let mut nodes = Vec::new();
    for (i, x) in inputs.iter().enumerate() {
        let shape: Vec<Option<i64>> = x
            .shape
            .iter()
            .enumerate()
            .map(|(d, &n)| is_known(i, d).then_some(n))
            .collect();
        nodes.push(writer.tensor("janus.argument", &[], &slot(i), &shape));
    }
    let mut integers = Vec::new();
    for i in 0..numbers {
        let attrs = slot(inputs.len() + i);
        integers.push(writer.op("janus.argument", &[], &attrs, &[Type::I64])[0]);
    }
    let results = program.run(&mut writer, &nodes, &integers);
    let ids: Vec<ValueId> = results.iter().map(|r| r.id).collect();
    writer.builder.finish(&ids).unwrap()
}

/// Compiles a program.
pub fn compiled(
    program: &impl Program,
    inputs: &[Layout],
    numbers: usize,
    is_known: impl Fn(usize, usize) -> bool,
) -> Compiled {
    let graph = write(program, inputs, numbers, is_known);
    let text = graph.text();
    compile(graph, CompileOptions::default()).unwrap_or_else(|error| {
        let error: String = error.to_string().chars().take(4000).collect();
        panic!("{error}\n{text}")
    })
}

/// Runs compiled code.
pub fn call(compiled: &Compiled, inputs: &[Layout], numbers: &[i64]) -> Vec<Out> {
    let mut arguments: Vec<Arg<'_>> = inputs
        .iter()
        .map(|x| Arg::Tensor {
            ptr: x.ptr(),
            sizes: &x.shape,
        })
        .collect();
    arguments.extend(numbers.iter().map(|&n| Arg::I64(n)));
    // SAFETY: the inputs are row-major and alive; equal extents are equal.
    unsafe { compiled.run(&arguments) }.unwrap()
}

/// Runs a program on the tape.
pub fn eager(program: &impl Program, inputs: &[Layout], numbers: &[i64]) -> Vec<Tensor> {
    let tensors: Vec<Tensor> = inputs
        .iter()
        .map(|x| {
            let leaf = Tensor::from_layout(x.clone());
            leaf.set_requires_grad(true).unwrap();
            leaf
        })
        .collect();
    program.run(&mut Tape, &tensors, numbers)
}

/// Compares a compiled program with the tape.
pub fn compare(
    name: &str,
    compiled: &Compiled,
    program: &impl Program,
    inputs: &[Layout],
    numbers: &[i64],
) {
    let expected = eager(program, inputs, numbers);
    for round in 0..2 {
        let found = call(compiled, inputs, numbers);
        assert_eq!(found.len(), expected.len());
        for (i, (out, expected)) in found.into_iter().zip(&expected).enumerate() {
            let Out::Tensor { buffer, sizes } = out else {
                panic!("a tensor was expected")
            };
            let found = Layout::from_buffer(buffer, &sizes, DType::F32).unwrap();
            if let Some(difference) = difference(&found, &expected.layout()) {
                panic!("{name}{numbers:?}, round {round}, result {i}: {difference}");
            }
        }
    }
}

/// Seconds of a call: the fastest tenth's mean.
pub fn seconds(runs: usize, mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            call();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let best = &times[..(runs / 10).max(1)];
    best.iter().sum::<f64>() / best.len() as f64
}
