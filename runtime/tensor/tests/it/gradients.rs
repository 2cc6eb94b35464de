//! Every line of `dialects/gradients.txt` against finite differences in float64, once and
//! twice differentiated.

use std::collections::HashSet;

use janus_tensor::autograd::{grad, gradients};
use janus_tensor::ops::{BinaryOp, ConvKind, ConvWindow, ReduceOp, UnaryOp};
use janus_tensor::rng::Generator;
use janus_tensor::{DType, Dim, Eager, Ops, Prim, Tensor};

use crate::{f64s, i64s};

/// A primitive with operands; those that are f64 are differentiated.
struct Case {
    prim: Prim,
    operands: Vec<Tensor>,
}

fn dims(d: &[i64]) -> janus_tensor::ops::Dims {
    d.iter().map(|&d| Dim::Known(d)).collect()
}

fn cases() -> Vec<Case> {
    let mut g = Generator::new(11);
    let mut uniform = |shape: &[i64], low: f64, high: f64| {
        let t = Tensor::zeros(shape, DType::F64).unwrap();
        g.uniform_(&t, low, high).unwrap();
        t
    };
    let mut out = Vec::new();
    let mut add = |prim: Prim, operands: Vec<Tensor>| out.push(Case { prim, operands });
    for &op in UnaryOp::ALL {
        if op != UnaryOp::Not {
            add(Prim::Unary(op), vec![uniform(&[2, 3], 0.1, 0.9)]);
        }
    }
    for op in [
        UnaryOp::Abs,
        UnaryOp::Tanh,
        UnaryOp::Erf,
        UnaryOp::Sin,
        UnaryOp::Cos,
    ] {
        add(Prim::Unary(op), vec![uniform(&[5], -2.0, -0.1)]);
    }
    for op in [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::FloorDiv,
        BinaryOp::Rem,
        BinaryOp::Pow,
        BinaryOp::Maximum,
        BinaryOp::Minimum,
    ] {
        add(
            Prim::Binary(op),
            vec![uniform(&[7], 1.1, 1.9), uniform(&[7], 0.3, 0.5)],
        );
        add(
            Prim::Binary(op),
            vec![uniform(&[7], 0.3, 0.5), uniform(&[7], 1.1, 1.9)],
        );
    }
    let condition = Tensor::from_slice(&[true, false, true], &[3]).unwrap();
    add(
        Prim::Select,
        vec![
            condition,
            uniform(&[3], -1.0, 1.0),
            uniform(&[3], -1.0, 1.0),
        ],
    );
    add(Prim::Cast(DType::F64), vec![uniform(&[3], -1.0, 1.0)]);
    add(
        Prim::Broadcast {
            dims: [1, 3].into_iter().collect(),
            shape: dims(&[2, 3, 2, 4]),
        },
        vec![uniform(&[3, 1], -1.0, 1.0)],
    );
    add(
        Prim::Reshape {
            shape: dims(&[3, 2]),
        },
        vec![uniform(&[2, 3], -1.0, 1.0)],
    );
    let permute = Prim::Permute {
        dims: [2, 0, 1].into_iter().collect(),
    };
    add(permute, vec![uniform(&[2, 3, 4], -1.0, 1.0)]);
    add(
        Prim::Slice {
            starts: dims(&[1, 0]),
            sizes: dims(&[2, 2]),
            strides: [1, 3].into_iter().collect(),
        },
        vec![uniform(&[4, 5], -1.0, 1.0)],
    );
    add(
        Prim::Unslice {
            starts: dims(&[1, 0]),
            shape: dims(&[4, 5]),
            strides: [1, 3].into_iter().collect(),
        },
        vec![uniform(&[2, 2], -1.0, 1.0)],
    );
    add(
        Prim::UpdateSlice {
            starts: dims(&[1, 0]),
            strides: [1, 3].into_iter().collect(),
            first: false,
        },
        vec![uniform(&[4, 5], -1.0, 1.0), uniform(&[2, 2], -1.0, 1.0)],
    );
    let parts = [1, 2, 3].map(|n| uniform(&[2, n], -1.0, 1.0));
    add(Prim::Concat { dim: 1 }, parts.to_vec());
    let reverse = Prim::Reverse {
        dims: [0, 1].into_iter().collect(),
    };
    add(reverse, vec![uniform(&[2, 3], -1.0, 1.0)]);
    for &op in ReduceOp::ALL {
        let dims = [0, 2].into_iter().collect();
        add(
            Prim::Reduce { op, dims },
            vec![uniform(&[2, 3, 2], 0.5, 1.5)],
        );
    }
    // One zero and two zeros in a product.
    let zeros = f64s(&[0.0, 2.0, 3.0, 0.0, 0.0, 3.0, 1.0, 2.0, 3.0], &[3, 3]);
    let dims1: janus_tensor::ops::Axes = [1].into_iter().collect();
    add(
        Prim::Reduce {
            op: ReduceOp::Prod,
            dims: dims1,
        },
        vec![zeros],
    );
    add(
        Prim::Dot,
        vec![
            uniform(&[2, 3, 4], -1.0, 1.0),
            uniform(&[2, 4, 2], -1.0, 1.0),
        ],
    );
    let window = ConvWindow {
        strides: [2, 1].into_iter().collect(),
        padding: [1, 0].into_iter().collect(),
        dilation: [1, 2].into_iter().collect(),
        groups: 2,
    };
    let shapes = [[2, 4, 5, 6], [6, 2, 3, 2], [2, 6, 3, 4]];
    for (kind, [a, b, c]) in [
        (ConvKind::Forward, [0, 1, 2]),
        (ConvKind::Image, [2, 1, 0]),
        (ConvKind::Filters, [0, 2, 1]),
    ] {
        add(
            Prim::Conv {
                kind,
                window: window.clone(),
                shape: dims(&shapes[c]),
            },
            vec![
                uniform(&shapes[a], -1.0, 1.0),
                uniform(&shapes[b], -1.0, 1.0),
            ],
        );
    }
    let index = i64s(&[0, 2, 1, 1, 0, 2], &[2, 3]);
    add(
        Prim::Gather { dim: 1 },
        vec![uniform(&[2, 3], -1.0, 1.0), index.clone()],
    );
    add(
        Prim::ScatterAdd { dim: 1 },
        vec![
            uniform(&[2, 3], -1.0, 1.0),
            index.clone(),
            uniform(&[2, 3], -1.0, 1.0),
        ],
    );
    add(
        Prim::Take { dim: 1 },
        vec![uniform(&[2, 3, 2], -1.0, 1.0), index.clone()],
    );
    add(
        Prim::TakeAdd { dim: 1 },
        vec![
            uniform(&[2, 3, 2], -1.0, 1.0),
            index,
            uniform(&[2, 2, 3, 2], -1.0, 1.0),
        ],
    );
    add(Prim::Cumsum { dim: 1 }, vec![uniform(&[2, 4], -1.0, 1.0)]);
    out
}

/// `sum(prim(operands) * weights)`, whose weights make every element count differently.
fn weighted(prim: &Prim, operands: &[Tensor]) -> Tensor {
    let refs: Vec<&Tensor> = operands.iter().collect();
    let y = Eager.apply(prim.clone(), &refs).unwrap();
    let weights: Vec<f64> = (0..y.numel())
        .map(|i| ((i * 7 + 3) % 11) as f64 / 5.0 - 0.9)
        .collect();
    let w = f64s(&weights, &y.shape());
    let all: Vec<usize> = (0..y.rank()).collect();
    let product = Eager.mul(&y, &w).unwrap();
    Eager.reduce(ReduceOp::Sum, &product, &all).unwrap()
}

fn value(t: &Tensor) -> f64 {
    t.item().unwrap().to_f64()
}

/// Central differences of `f` with respect to operand i.
fn differences(operands: &[Tensor], i: usize, f: &dyn Fn(&[Tensor]) -> f64) -> Vec<f64> {
    let h = 1e-5;
    let x = operands[i].to_vec::<f64>().unwrap();
    (0..x.len())
        .map(|k| {
            let at = |d: f64| {
                let mut moved = x.clone();
                moved[k] += d;
                let mut all = operands.to_vec();
                all[i] = f64s(&moved, &operands[i].shape());
                f(&all)
            };
            (at(h) - at(-h)) / (2.0 * h)
        })
        .collect()
}

fn close(got: &[f64], want: &[f64], what: &str) {
    for (g, w) in got.iter().zip(want) {
        assert!(
            (g - w).abs() <= 1e-6 * (1.0 + w.abs()),
            "{what}: {got:?} instead of {want:?}"
        );
    }
}

fn leaves(operands: &[Tensor]) -> (Vec<Tensor>, Vec<usize>) {
    let all: Vec<Tensor> = operands.iter().map(|t| t.copy_data().unwrap()).collect();
    let wanted: Vec<usize> = (0..all.len())
        .filter(|&i| all[i].dtype() == DType::F64)
        .collect();
    for &i in &wanted {
        all[i].set_requires_grad(true).unwrap();
    }
    (all, wanted)
}

#[test]
fn equal_finite_differences() {
    for Case { prim, operands } in cases() {
        let name = prim.name();
        let (all, wanted) = leaves(&operands);
        let inputs: Vec<Tensor> = wanted.iter().map(|&i| all[i].clone()).collect();
        let loss = weighted(&prim, &all);
        let grads = grad(&[(loss, None)], &inputs, false, false, false).unwrap();
        for (&i, got) in wanted.iter().zip(grads) {
            let want = differences(&operands, i, &|x| value(&weighted(&prim, x)));
            close(&got.unwrap().to_vec::<f64>().unwrap(), &want, name);
        }
    }
}

#[test]
fn twice_equal_finite_differences() {
    for Case { prim, operands } in cases() {
        let name = prim.name();
        // A product with zeros is differentiated away from its kinks only once.
        if operands
            .iter()
            .any(|t| t.dtype() == DType::F64 && t.to_vec::<f64>().unwrap().contains(&0.0))
        {
            continue;
        }
        // The sum of squares of all first gradients.
        let norm = |operands: &[Tensor], keep: bool| -> (Tensor, Vec<Tensor>) {
            let (all, wanted) = leaves(operands);
            let inputs: Vec<Tensor> = wanted.iter().map(|&i| all[i].clone()).collect();
            let loss = weighted(&prim, &all);
            let grads = grad(&[(loss, None)], &inputs, true, keep, false).unwrap();
            let mut total: Option<Tensor> = None;
            for g in grads.into_iter().flatten() {
                let axes: Vec<usize> = (0..g.rank()).collect();
                let square = Eager.mul(&g, &g).unwrap();
                let sum = Eager.reduce(ReduceOp::Sum, &square, &axes).unwrap();
                total = Some(match total {
                    Some(t) => Eager.add(&t, &sum).unwrap(),
                    None => sum,
                });
            }
            (total.unwrap(), inputs)
        };
        let (total, inputs) = norm(&operands, true);
        let wanted: Vec<usize> = (0..operands.len())
            .filter(|&i| operands[i].dtype() == DType::F64)
            .collect();
        if !total.requires_grad() {
            // Linear: the first gradient is constant.
            continue;
        }
        let grads = grad(&[(total, None)], &inputs, false, false, true).unwrap();
        for (&i, got) in wanted.iter().zip(grads) {
            let want = differences(&operands, i, &|x| value(&norm(x, false).0));
            let got = match got {
                Some(g) => g.to_vec::<f64>().unwrap(),
                None => vec![0.0; want.len()],
            };
            close(&got, &want, name);
        }
    }
}

#[test]
fn every_line_has_a_case() {
    let tested: HashSet<&str> = cases().iter().map(|c| c.prim.name()).collect();
    for name in gradients::defined().unwrap() {
        let own = ["detach", "fill_slice", "with_slope"].contains(&name);
        assert!(tested.contains(name) || own, "{name}");
    }
}

/// A value computed from constants, with a derivative told beside it, and that one's own.
#[test]
fn a_value_has_the_slope_that_is_told() {
    let x = f64s(&[0.3, -1.2, 2.0], &[3]);
    x.set_requires_grad(true).unwrap();
    let value = Eager.sin(&x.detach()).unwrap();
    let slope = Eager.cos(&x).unwrap();
    let y = Eager.with_slope(&value, &x, &slope).unwrap();
    assert_eq!(y.to_vec::<f64>().unwrap(), value.to_vec::<f64>().unwrap());
    let ones = Tensor::full(&[3], janus_tensor::Scalar::F64(1.0), DType::F64).unwrap();
    let derivative = |of: Tensor| {
        let grads = grad(
            &[(of, Some(ones.clone()))],
            std::slice::from_ref(&x),
            true,
            true,
            false,
        )
        .unwrap();
        grads.into_iter().next().flatten().unwrap()
    };
    let first = derivative(y);
    close(
        &first.to_vec::<f64>().unwrap(),
        &slope.to_vec::<f64>().unwrap(),
        "first",
    );
    let minus = Eager.neg(&value).unwrap();
    let second = derivative(first);
    close(
        &second.to_vec::<f64>().unwrap(),
        &minus.to_vec::<f64>().unwrap(),
        "second",
    );
}

/// What is filled for the first time holds nothing that has a gradient: parts that do not overlap,
/// in what is made anew.
#[test]
fn filled_parts_equal_finite_differences() {
    let fill = |whole: &Tensor, part: &Tensor, at: i64| {
        let prim = Prim::UpdateSlice {
            starts: dims(&[at, 0]),
            strides: [1, 1].into_iter().collect(),
            first: true,
        };
        Eager.apply(prim, &[whole, part]).unwrap()
    };
    let loss = |parts: &[Tensor]| {
        let mut whole = Tensor::zeros(&[3, 2], DType::F64).unwrap();
        for (i, part) in parts.iter().enumerate() {
            whole = fill(&whole, part, i64::try_from(i).unwrap());
        }
        let cubes = Eager
            .mul(&whole, &Eager.mul(&whole, &whole).unwrap())
            .unwrap();
        Eager.reduce(ReduceOp::Sum, &cubes, &[0, 1]).unwrap()
    };
    let parts = [[0.5, -1.0], [2.0, 0.25]].map(|row| f64s(&row, &[1, 2]));
    let (all, _) = leaves(&parts);
    let grads = grad(&[(loss(&all), None)], &all, false, false, false).unwrap();
    for (i, got) in grads.into_iter().enumerate() {
        let want = differences(&parts, i, &|x| value(&loss(x)));
        close(&got.unwrap().to_vec::<f64>().unwrap(), &want, "fill_slice");
    }
}
