//! Random programs: whatever is fused, shared, collapsed or planned, the bits stay.

use std::collections::BTreeSet;

use janus_tensor::DType;
use janus_tensor::ops::{BinaryOp, Predicate, Prim, ReduceOp, UnaryOp};

use crate::harness::{Extents, Program, Random, dims};

/// Adds a random primitive over values of the program.
fn grow(program: &mut Program, random: &mut Random, extents: &Extents) {
    let value = |random: &mut Random, program: &Program| random.below(program.values.len());
    let x = value(random, program);
    let (shape, dtype) = (program.values[x].shape.to_vec(), program.values[x].dtype);
    let rank = shape.len();
    let float = dtype == DType::F32;
    match random.below(12) {
        0 | 1 if float => {
            let op = random.pick(&[
                UnaryOp::Neg,
                UnaryOp::Exp,
                UnaryOp::Tanh,
                UnaryOp::Abs,
                UnaryOp::Sign,
                UnaryOp::Erf,
            ]);
            program.try_add(Prim::Unary(op), &[x]);
        }
        2..=5 => {
            let y = (0..program.values.len())
                .cycle()
                .skip(random.below(program.values.len()))
                .take(program.values.len())
                .find(|&y| {
                    let other = &program.values[y];
                    other.shape[..] == shape[..] && other.dtype == dtype
                });
            let Some(y) = y else { return };
            if float {
                let op = random.pick(&[
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::Mul,
                    BinaryOp::Div,
                    BinaryOp::Maximum,
                ]);
                let z = program.add(Prim::Binary(op), &[x, y]);
                if random.below(3) == 0 {
                    let c = program.add(Prim::Compare(Predicate::Lt), &[x, z]);
                    program.add(Prim::Select, &[c, z, y]);
                }
            } else {
                program.add(Prim::Binary(BinaryOp::Xor), &[x, y]);
            }
        }
        6 if rank > 0 && float => {
            let dim = random.below(rank);
            let op = random.pick(&[ReduceOp::Sum, ReduceOp::Max]);
            let r = program.add(
                Prim::Reduce {
                    op,
                    dims: [dim].as_slice().into(),
                },
                &[x],
            );
            // Back to the operand's shape, as a softmax does it.
            let mut kept = shape.clone();
            kept[dim] = 1;
            let r = program.add(Prim::Reshape { shape: dims(&kept) }, &[r]);
            let axes = (0..rank).collect();
            program.add(
                Prim::Broadcast {
                    dims: axes,
                    shape: dims(&shape),
                },
                &[r],
            );
        }
        7 if rank >= 2 => {
            let mut axes: Vec<usize> = (0..rank).collect();
            axes.swap(random.below(rank), rank - 1);
            program.add(Prim::Permute { dims: axes.into() }, &[x]);
        }
        8 if rank == 2 && float => {
            let turned = program.add(
                Prim::Permute {
                    dims: [1, 0].as_slice().into(),
                },
                &[x],
            );
            program.add(Prim::Dot, &[x, turned]);
        }
        9 if rank > 0 => {
            let flat: i64 = shape.iter().product();
            program.add(
                Prim::Reshape {
                    shape: dims(&[flat]),
                },
                &[x],
            );
        }
        10 if rank > 0 => {
            let dim = random.below(rank);
            // The verifier wants to know the extent of the result exactly where the operands' are
            // known.
            if extents.is_dynamic(2 * shape[dim]) == extents.is_dynamic(shape[dim]) {
                program.add(Prim::Concat { dim }, &[x, x]);
            }
        }
        11 if rank > 0 => {
            program.add(
                Prim::Reverse {
                    dims: [random.below(rank)].as_slice().into(),
                },
                &[x],
            );
        }
        _ => {
            if float {
                let bits = program.add(Prim::Cast(DType::I32), &[x]);
                program.add(Prim::Cast(DType::F32), &[bits]);
            }
        }
    }
}

#[test]
fn random_programs() {
    for seed in 0..40 {
        let mut random = Random(1000 + seed);
        let (rows, columns) = (random.pick(&[3, 8, 17]), random.pick(&[5, 16, 33]));
        let inputs = vec![
            random.tensor(&[rows, columns], DType::F32, false),
            random.tensor(&[rows, columns], DType::F32, true),
            random.tensor(&[columns], DType::F32, false),
            random.tensor(&[2, rows, 4], DType::F32, false),
        ];
        let extents = match seed % 3 {
            0 => Extents::Static,
            1 => Extents::Dynamic,
            // One dimension, with the extents that come out of it.
            _ => Extents::Some((1..12).map(|k| k * rows).collect()),
        };
        let mut program = Program::new(inputs);
        let axes = [1].as_slice().into();
        program.add(
            Prim::Broadcast {
                dims: axes,
                shape: dims(&[rows, columns]),
            },
            &[2],
        );
        while program.values.len() < 28 {
            grow(&mut program, &mut random, &extents);
        }
        let count = program.values.len();
        let mut outputs: BTreeSet<usize> = [count - 1, count - 2, count - 3].into();
        for _ in 0..4 {
            outputs.insert(random.below(count));
        }
        let outputs: Vec<usize> = outputs.into_iter().collect();
        println!("seed {seed}");
        program.check(&outputs, &extents);
    }
}
