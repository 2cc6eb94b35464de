//! What is differentiated.

use janus_tensor::ops::UnaryOp;

use super::machine::{Loop, Machine, Program};

/// `tanh(x[t] @ w + h @ u + b)`
fn cell<M: Machine>(m: &mut M, x: &M::T, h: &M::T, weights: [&M::T; 3]) -> M::T {
    let [w, u, b] = weights;
    let xw = m.dot(x, w);
    let hu = m.dot(h, u);
    let sum = m.add(&xw, &hu);
    let b = m.rows(b, &sum);
    let sum = m.add(&sum, &b);
    m.tanh(&sum)
}

fn below<M: Machine>(m: &mut M, at: &Loop<'_, M>) -> M::C {
    m.below(&at.number, &at.numbers[0])
}

/// Inputs x, h, w, u, b; the loss is of the last state.
pub struct Rnn;

impl Program for Rnn {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let constants = [t[0].clone(), t[2].clone(), t[3].clone(), t[4].clone()];
        let h = m.repeat(
            &constants,
            n,
            &t[1..2],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let [x, w, u, b] = at.constants else {
                    panic!("four constants")
                };
                let x = m.row(x, &at.number);
                vec![cell(m, &x, &at.carried[0], [w, u, b])]
            },
        );
        let square = m.mul(&h[0], &h[0]);
        let loss = m.sum(&square);
        let mut results = m.gradient(&loss, t);
        results.push(loss);
        results
    }
}

/// The same without a loop.
pub struct Unrolled(pub i64);

impl Program for Unrolled {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], _: &[M::I]) -> Vec<M::T> {
        let mut h = t[1].clone();
        for i in 0..self.0 {
            let i = m.number(i);
            let x = m.row(&t[0], &i);
            h = cell(m, &x, &h, [&t[2], &t[3], &t[4]]);
        }
        let square = m.mul(&h, &h);
        let loss = m.sum(&square);
        let mut results = m.gradient(&loss, t);
        results.push(loss);
        results
    }
}

/// The loss is summed up over the steps, the last state is not used.
pub struct RnnTotal;

impl Program for RnnTotal {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let constants = [t[0].clone(), t[2].clone(), t[3].clone(), t[4].clone()];
        let first = m.sum(&t[4]);
        let results = m.repeat(
            &constants,
            n,
            &[t[1].clone(), first],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let [x, w, u, b] = at.constants else {
                    panic!("four constants")
                };
                let square = m.mul(&at.carried[0], &at.carried[0]);
                let loss = m.sum(&square);
                let total = m.add(&at.carried[1], &loss);
                let x = m.row(x, &at.number);
                vec![cell(m, &x, &at.carried[0], [w, u, b]), total]
            },
        );
        let by = [t[1].clone(), t[2].clone(), t[3].clone(), t[4].clone()];
        let mut gradients = m.gradient(&results[1], &by);
        gradients.extend(results);
        gradients
    }
}

/// One branch by the number, one by the data.
pub struct Branches;

impl Program for Branches {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let h = m.repeat(
            &t[1..],
            n,
            &t[..1],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let inputs = [
                    at.carried[0].clone(),
                    at.constants[0].clone(),
                    at.constants[1].clone(),
                ];
                let even = m.is_even(&at.number);
                let h = m.choose(
                    &even,
                    &inputs,
                    &mut |m, v| {
                        let product = m.dot(&v[0], &v[1]);
                        vec![m.tanh(&product)]
                    },
                    &mut |m, v| {
                        let product = m.mul(&v[0], &v[2]);
                        let sum = m.add(&product, &v[1]);
                        vec![m.unary(UnaryOp::Sin, &sum)]
                    },
                );
                let sum = m.sum(&h[0]);
                let positive = m.is_positive(&sum);
                let inputs = [h[0].clone(), inputs[1].clone()];
                m.choose(
                    &positive,
                    &inputs,
                    &mut |m, v| vec![m.mul(&v[0], &v[1])],
                    &mut |_, v| vec![v[0].clone()],
                )
            },
        );
        let square = m.mul(&h[0], &t[2]);
        let loss = m.sum(&square);
        let mut results = m.gradient(&loss, t);
        results.push(loss);
        results
    }
}

/// A loop in a loop; both use what the function was given.
pub struct Nested;

impl Program for Nested {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let h = m.repeat(
            &t[1..],
            n,
            &t[..1],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let constants = [at.constants[0].clone(), at.carried[0].clone()];
                let start = m.mul(&at.carried[0], &at.constants[1]);
                let inner = m.repeat(
                    &constants,
                    &at.numbers[1..],
                    &[start],
                    &mut |m, at| below(m, at),
                    &mut |m, at| {
                        let product = m.dot(&at.carried[0], &at.constants[0]);
                        let sum = m.add(&product, &at.constants[1]);
                        vec![m.tanh(&sum)]
                    },
                );
                vec![m.add(&inner[0], &at.constants[0])]
            },
        );
        let loss = m.sum(&h[0]);
        let mut results = m.gradient(&loss, t);
        results.push(loss);
        results
    }
}

/// A loop on one side of a branch.
pub struct Inner;

impl Program for Inner {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let even = m.is_even(&n[0]);
        let number = n[1].clone();
        let h = m.choose(
            &even,
            t,
            &mut |m, v| {
                m.repeat(
                    &v[1..],
                    std::slice::from_ref(&number),
                    &v[..1],
                    &mut |m, at| below(m, at),
                    &mut |m, at| {
                        let product = m.dot(&at.carried[0], &at.constants[0]);
                        let sum = m.add(&product, &at.constants[1]);
                        vec![m.tanh(&sum)]
                    },
                )
            },
            &mut |m, v| vec![m.mul(&v[0], &v[1])],
        );
        let loss = m.sum(&h[0]);
        let mut results = m.gradient(&loss, t);
        results.push(loss);
        results
    }
}

/// Runs as long as a sum is positive, but not too long.
pub struct Until;

impl Program for Until {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let square = m.mul(&t[0], &t[0]);
        let h = m.repeat(
            &t[1..],
            n,
            &[square],
            &mut |m, at| {
                let product = m.mul(&at.carried[0], &at.constants[1]);
                let sum = m.sum(&product);
                let positive = m.is_positive(&sum);
                let short = below(m, at);
                m.both(&positive, &short)
            },
            &mut |m, at| {
                let product = m.dot(&at.carried[0], &at.constants[0]);
                let wave = m.unary(UnaryOp::Sin, &product);
                vec![m.add(&wave, &at.constants[1])]
            },
        );
        let loss = m.sum(&h[0]);
        let mut results = m.gradient(&loss, t);
        results.push(loss);
        results
    }
}

/// Two losses of what one loop computes.
pub struct Twice;

impl Program for Twice {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let h = m.repeat(
            &t[1..],
            n,
            &t[..1],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let product = m.dot(&at.carried[0], &at.constants[0]);
                let sum = m.add(&product, &at.constants[1]);
                vec![m.tanh(&sum)]
            },
        );
        let loss = m.sum(&h[0]);
        let mut results = m.gradient(&loss, t);
        let square = m.mul(&h[0], &h[0]);
        let loss = m.sum(&square);
        results.extend(m.gradient(&loss, t));
        // By what the loop ends with.
        results.extend(m.gradient(&loss, &h));
        results
    }
}

/// A state and the one before it.
pub struct Rotated;

impl Program for Rotated {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let h = m.repeat(
            &t[2..],
            n,
            &t[..2],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let product = m.dot(&at.carried[0], &at.constants[0]);
                let sum = m.add(&product, &at.carried[1]);
                vec![m.tanh(&sum), at.carried[0].clone()]
            },
        );
        let loss = m.sum(&h[1]);
        let mut results = m.gradient(&loss, t);
        results.push(loss);
        results
    }
}

/// The last state is a root of zero, which nothing is computed from.
pub struct Unused;

impl Program for Unused {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let total = m.sum(&t[2]);
        let results = m.repeat(
            &t[1..2],
            n,
            &[t[0].clone(), total],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let sum = m.sum(&at.carried[0]);
                let total = m.add(&sum, &at.carried[1]);
                let root = m.unary(UnaryOp::Sqrt, &at.constants[0]);
                vec![m.mul(&root, &at.carried[0]), total]
            },
        );
        let mut gradients = m.gradient(&results[1], t);
        gradients.extend(results);
        gradients
    }
}

/// A root of zero that one side of a branch uses.
pub struct Guarded;

impl Program for Guarded {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let root = m.unary(UnaryOp::Sqrt, &t[1]);
        let root = m.mul(&root, &t[0]);
        let even = m.is_even(&n[0]);
        let inputs = [root, t[2].clone(), t[0].clone()];
        let y = m.choose(
            &even,
            &inputs,
            &mut |m, v| vec![m.mul(&v[1], &v[2])],
            &mut |m, v| vec![m.add(&v[0], &v[1])],
        );
        let loss = m.sum(&y[0]);
        m.gradient(&loss, t)
    }
}

/// Steps of descent, each with its gradient.
pub struct Sgd;

impl Program for Sgd {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let start = m.leaf(&t[0]);
        m.repeat(
            &t[1..],
            n,
            &[start],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let w = m.leaf(&at.carried[0]);
                let product = m.dot(&at.constants[0], &w);
                let bent = m.tanh(&product);
                let square = m.mul(&bent, &bent);
                let loss = m.sum(&square);
                let gradient = m.gradient(&loss, std::slice::from_ref(&w));
                let gradient = m.mul(&gradient[0], &at.constants[1]);
                let next = m.add(&w, &gradient);
                vec![m.leaf(&next)]
            },
        )
    }
}

/// Each step writes a row.
pub struct Scatter;

impl Program for Scatter {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let results = m.repeat(
            &t[1..],
            n,
            &t[..1],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let row = m.row(&at.carried[0], &at.number);
                let two = m.number(2);
                let factors = m.row(&at.constants[0], &two);
                let row = m.mul(&row, &factors);
                let row = m.tanh(&row);
                vec![m.with_row(&at.carried[0], &row, &at.number)]
            },
        );
        let square = m.mul(&results[0], &results[0]);
        let loss = m.sum(&square);
        let mut gradients = m.gradient(&loss, &t[..2]);
        gradients.push(loss);
        gradients
    }
}

/// The carried tensor gets other extents in each iteration.
pub struct Shapes;

impl Program for Shapes {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        let h = m.repeat(
            &t[1..2],
            n,
            &t[..1],
            &mut |m, at| below(m, at),
            &mut |m, at| vec![m.stacked(&at.carried[0], &at.constants[0])],
        );
        let square = m.mul(&h[0], &h[0]);
        let loss = m.sum(&square);
        m.gradient(&loss, t)
    }
}

/// The same, and no gradient.
pub struct Growing;

impl Program for Growing {
    fn run<M: Machine>(&self, m: &mut M, t: &[M::T], n: &[M::I]) -> Vec<M::T> {
        m.repeat(
            &t[1..2],
            n,
            &t[..1],
            &mut |m, at| below(m, at),
            &mut |m, at| {
                let longer = m.stacked(&at.carried[0], &at.constants[0]);
                vec![m.tanh(&longer)]
            },
        )
    }
}
