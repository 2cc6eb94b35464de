//! What a device computes in an order of its own: reductions, products, and what is made of them.

use janus_codegen::emulation_tally;
use janus_tensor::DType;
use janus_tensor::ops::{ArgOp, BinaryOp, Prim, ReduceOp, UnaryOp};

use crate::harness::{Extents, Program, Random, dims};

/// Around what one thread takes, the threads of a block, and more than once all of them.
const EXTENTS: [i64; 12] = [1, 2, 31, 32, 33, 127, 255, 256, 257, 288, 289, 2000];

/// Compares with the CPU; what is no more than rounded differently must be close.
fn check(program: &Program, outputs: &[usize]) {
    for extents in [Extents::Static, Extents::Dynamic] {
        program.check(outputs, &extents);
    }
    let far = emulation_tally().unwrap().far;
    assert!(far.is_empty(), "{far:?}");
}

#[test]
fn trees_of_all_sizes() {
    let mut random = Random(60);
    for extent in EXTENTS {
        for dtype in [DType::F32, DType::F64, DType::I64, DType::U8, DType::Bool] {
            let x = random.tensor(&[3, extent], dtype, false);
            let turned = random.tensor(&[extent, 3], dtype, false);
            let mut program = Program::new(vec![x, turned]);
            let mut outputs = Vec::new();
            for &op in ReduceOp::ALL {
                let adds = matches!(op, ReduceOp::Sum | ReduceOp::Prod);
                // A product of many floats is zero or infinite.
                let long =
                    op == ReduceOp::Prod && extent > 33 && matches!(dtype, DType::F32 | DType::F64);
                if long || adds && dtype == DType::Bool {
                    continue;
                }
                for (from, axes) in [(0, vec![1]), (1, vec![0]), (0, vec![0, 1])] {
                    let prim = Prim::Reduce {
                        op,
                        dims: axes[..].into(),
                    };
                    outputs.extend(program.try_add(prim, &[from]));
                }
            }
            if dtype != DType::Bool {
                for op in [ArgOp::Max, ArgOp::Min] {
                    outputs.extend(program.try_add(Prim::Arg { op, dim: 1 }, &[0]));
                    outputs.extend(program.try_add(Prim::Arg { op, dim: 0 }, &[1]));
                }
            }
            check(&program, &outputs);
        }
    }
}

#[test]
fn the_first_of_equal_ones() {
    // Elements of few values, so that the largest one is there several times, in several threads' parts.
    let mut random = Random(61);
    for extent in [40, 300, 1000] {
        let mut program = Program::new(vec![random.indices(&[4, extent], 3)]);
        let floats = program.add(Prim::Cast(DType::F32), &[0]);
        let outputs: Vec<usize> = [ArgOp::Max, ArgOp::Min]
            .into_iter()
            .flat_map(|op| [0, floats].map(|from| (op, from)))
            .map(|(op, from)| program.add(Prim::Arg { op, dim: 1 }, &[from]))
            .collect();
        check(&program, &outputs);
    }
}

#[test]
fn numbers_that_are_none_and_infinite_ones() {
    let mut random = Random(62);
    for extent in [1, 33, 300] {
        // With extremes: about one element in a hundred is no number.
        let x = random.tensor(&[40, extent], DType::F32, true);
        let mut program = Program::new(vec![x]);
        let reduced = [ReduceOp::Max, ReduceOp::Min].map(|op| Prim::Reduce {
            op,
            dims: (&[1][..]).into(),
        });
        let places = [ArgOp::Max, ArgOp::Min].map(|op| Prim::Arg { op, dim: 1 });
        let outputs: Vec<usize> = reduced
            .into_iter()
            .chain(places)
            .map(|prim| program.add(prim, &[0]))
            .collect();
        check(&program, &outputs);
    }
}

#[test]
fn softmax_and_norms() {
    let mut random = Random(63);
    for (rows, columns) in [(5, 20), (3, 700)] {
        let mut program = Program::new(vec![random.tensor(&[rows, columns], DType::F32, false)]);
        let shape = dims(&[rows, columns]);
        let reduce = |op| Prim::Reduce {
            op,
            dims: (&[1][..]).into(),
        };
        let spread = || Prim::Broadcast {
            dims: (&[0][..]).into(),
            shape: shape.clone(),
        };
        let most = program.add(reduce(ReduceOp::Max), &[0]);
        let most = program.add(spread(), &[most]);
        let shifted = program.add(Prim::Binary(BinaryOp::Sub), &[0, most]);
        let powers = program.add(Prim::Unary(UnaryOp::Exp), &[shifted]);
        let sum = program.add(reduce(ReduceOp::Sum), &[powers]);
        let sum = program.add(spread(), &[sum]);
        let softmax = program.add(Prim::Binary(BinaryOp::Div), &[powers, sum]);
        let squares = program.add(Prim::Binary(BinaryOp::Mul), &[0, 0]);
        let sum = program.add(reduce(ReduceOp::Sum), &[squares]);
        let root = program.add(Prim::Unary(UnaryOp::Sqrt), &[sum]);
        let root = program.add(spread(), &[root]);
        let unit = program.add(Prim::Binary(BinaryOp::Div), &[0, root]);
        check(&program, &[softmax, unit]);
    }
}

#[test]
fn products_of_all_sizes() {
    let mut random = Random(64);
    for dtype in [DType::F32, DType::F64] {
        for (m, n, k) in [
            (1, 1, 1),
            (16, 16, 16),
            (17, 15, 33),
            (1, 40, 5),
            (33, 1, 70),
            (2, 3, 300),
        ] {
            let a = random.tensor(&[m, k], dtype, false);
            let b = random.tensor(&[k, n], dtype, false);
            let left = random.tensor(&[k, m], dtype, false);
            let right = random.tensor(&[n, k], dtype, false);
            let mut program = Program::new(vec![a, b, left, right]);
            let turn = || Prim::Permute {
                dims: (&[1, 0][..]).into(),
            };
            let left = program.add(turn(), &[2]);
            let right = program.add(turn(), &[3]);
            let outputs: Vec<usize> = [[0, 1], [left, 1], [0, right], [left, right]]
                .iter()
                .map(|pair| program.add(Prim::Dot, pair))
                .collect();
            check(&program, &outputs);
        }
    }
}
