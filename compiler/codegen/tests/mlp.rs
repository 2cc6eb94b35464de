//! A training step of a small network, end to end: forward, loss, backward, momentum and update,
//! as the tape and the optimizer would write it, one primitive after the other.

use janus_tensor::DType;
use janus_tensor::ops::{Axes, BinaryOp, Predicate, Prim, ReduceOp, UnaryOp};
use janus_tensor::tensor::Layout;

use crate::harness::{Extents, Program, Random, dims};

struct Step {
    program: Program,
    batch: i64,
}

impl Step {
    fn unary(&mut self, op: UnaryOp, x: usize) -> usize {
        self.program.add(Prim::Unary(op), &[x])
    }

    fn binary(&mut self, op: BinaryOp, a: usize, b: usize) -> usize {
        self.program.add(Prim::Binary(op), &[a, b])
    }

    fn transpose(&mut self, x: usize) -> usize {
        self.program.add(
            Prim::Permute {
                dims: [1, 0].as_slice().into(),
            },
            &[x],
        )
    }

    fn dot(&mut self, a: usize, b: usize) -> usize {
        self.program.add(Prim::Dot, &[a, b])
    }

    fn shape(&self, x: usize) -> Vec<i64> {
        self.program.values[x].shape.to_vec()
    }

    fn broadcast(&mut self, x: usize, shape: &[i64], axes: &[usize]) -> usize {
        self.program.add(
            Prim::Broadcast {
                dims: axes.into(),
                shape: dims(shape),
            },
            &[x],
        )
    }

    fn reshape(&mut self, x: usize, shape: &[i64]) -> usize {
        self.program.add(Prim::Reshape { shape: dims(shape) }, &[x])
    }

    fn reduce(&mut self, op: ReduceOp, x: usize, axes: &[usize]) -> usize {
        self.program.add(
            Prim::Reduce {
                op,
                dims: Axes::from(axes),
            },
            &[x],
        )
    }

    /// A 0-d value in another one's shape.
    fn like(&mut self, scalar: usize, x: usize) -> usize {
        let shape = self.shape(x);
        self.broadcast(scalar, &shape, &[])
    }

    /// A reduction over the last dimension, stretched back.
    fn kept(&mut self, x: usize, shape: &[i64]) -> usize {
        let column = self.reshape(x, &[shape[0], 1]);
        self.broadcast(column, shape, &[0, 1])
    }

    fn linear(&mut self, x: usize, weight: usize, bias: usize) -> usize {
        let turned = self.transpose(weight);
        let product = self.dot(x, turned);
        let shape = self.shape(product);
        let bias = self.broadcast(bias, &shape, &[1]);
        self.binary(BinaryOp::Add, product, bias)
    }
}

/// A network of these widths. Returns it and the values that a step ends with.
fn step(batch: i64, widths: [i64; 3]) -> (Program, Vec<usize>) {
    let [wide, hidden, classes] = widths;
    let mut random = Random(42);
    let mut scaled = |shape: &[i64]| random.tensor(shape, DType::F32, false);
    let scalar = |value: f32| {
        janus_tensor::Tensor::from_slice(&[value], &[])
            .unwrap()
            .layout()
            .clone()
    };
    let mut inputs: Vec<Layout> = vec![
        scaled(&[batch, wide]),
        scaled(&[hidden, wide]),
        scaled(&[hidden]),
        scaled(&[classes, hidden]),
        scaled(&[classes]),
        scaled(&[hidden, wide]),
        scaled(&[hidden]),
        scaled(&[classes, hidden]),
        scaled(&[classes]),
    ];
    inputs.push(random.indices(&[batch], classes));
    inputs.extend([0.0, 1.0, batch as f32, 0.9, 0.1].map(scalar));
    let [x, y, zero, one, count, momentum, rate] = [0, 9, 10, 11, 12, 13, 14];

    let mut s = Step {
        program: Program::new(inputs),
        batch,
    };
    // Forward.
    let before = s.linear(x, 1, 2);
    let zeros = s.like(zero, before);
    let activated = s.binary(BinaryOp::Maximum, before, zeros);
    let logits = s.linear(activated, 3, 4);
    let shape = [batch, classes];
    let largest = s.reduce(ReduceOp::Max, logits, &[1]);
    let largest = s.kept(largest, &shape);
    let shifted = s.binary(BinaryOp::Sub, logits, largest);
    let powers = s.unary(UnaryOp::Exp, shifted);
    let sum = s.reduce(ReduceOp::Sum, powers, &[1]);
    let sum = s.reshape(sum, &[batch, 1]);
    let log = s.unary(UnaryOp::Log, sum);
    let log = s.broadcast(log, &shape, &[0, 1]);
    let log_softmax = s.binary(BinaryOp::Sub, shifted, log);
    let index = s.reshape(y, &[s.batch, 1]);
    let picked = s
        .program
        .add(Prim::Gather { dim: 1 }, &[log_softmax, index]);
    let losses = s.unary(UnaryOp::Neg, picked);
    let total = s.reduce(ReduceOp::Sum, losses, &[0, 1]);
    let loss = s.binary(BinaryOp::Div, total, count);
    // Backward.
    let seed = s.binary(BinaryOp::Div, one, count);
    let spread = s.broadcast(seed, &[batch, 1], &[]);
    let spread = s.unary(UnaryOp::Neg, spread);
    let nothing = s.broadcast(zero, &shape, &[]);
    let scattered = s
        .program
        .add(Prim::ScatterAdd { dim: 1 }, &[nothing, index, spread]);
    let negated = s.unary(UnaryOp::Neg, scattered);
    let of_log = s.reduce(ReduceOp::Sum, negated, &[1]);
    let of_log = s.reshape(of_log, &[batch, 1]);
    let of_sum = s.binary(BinaryOp::Div, of_log, sum);
    let of_sum = s.broadcast(of_sum, &shape, &[0, 1]);
    let of_powers = s.binary(BinaryOp::Mul, of_sum, powers);
    let of_logits = s.binary(BinaryOp::Add, scattered, of_powers);
    let of_bias2 = s.reduce(ReduceOp::Sum, of_logits, &[0]);
    let of_activated = s.dot(of_logits, 3);
    let turned = s.transpose(activated);
    let of_weight2 = s.dot(turned, of_logits);
    let of_weight2 = s.transpose(of_weight2);
    let mask = s
        .program
        .add(Prim::Compare(Predicate::Gt), &[before, zeros]);
    let of_before = s.program.add(Prim::Select, &[mask, of_activated, zeros]);
    let of_bias1 = s.reduce(ReduceOp::Sum, of_before, &[0]);
    let turned = s.transpose(x);
    let of_weight1 = s.dot(turned, of_before);
    let of_weight1 = s.transpose(of_weight1);
    // SGD with momentum.
    let mut outputs = vec![loss];
    for (weight, velocity, gradient) in [
        (1, 5, of_weight1),
        (2, 6, of_bias1),
        (3, 7, of_weight2),
        (4, 8, of_bias2),
    ] {
        let keep = s.like(momentum, weight);
        let kept = s.binary(BinaryOp::Mul, velocity, keep);
        let moved = s.binary(BinaryOp::Add, kept, gradient);
        let rate = s.like(rate, weight);
        let change = s.binary(BinaryOp::Mul, moved, rate);
        outputs.extend([s.binary(BinaryOp::Sub, weight, change), moved]);
    }
    (s.program, outputs)
}

#[test]
fn equal_bits_and_quick() {
    for (name, batch, widths) in [
        ("64-128-10", 64, [64, 128, 10]),
        ("784-128-10", 64, [784, 128, 10]),
    ] {
        let (program, outputs) = step(batch, widths);
        for extents in [Extents::Static, Extents::Some([batch].into())] {
            program.check(&outputs, &extents);
            let (stats, seconds) = program.time(&outputs, &extents, 500);
            println!(
                "{name} {extents:?}: {:.1} us a step; compile: {stats}",
                seconds * 1e6
            );
        }
    }
}
