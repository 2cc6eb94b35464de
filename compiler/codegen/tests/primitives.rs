//! Every primitive, with each element type that has a kernel, static and dynamic.

use janus_tensor::DType;
use janus_tensor::ops::{
    ArgOp, BinaryOp, ConvKind, ConvWindow, PoolWindow, Predicate, Prim, ReduceOp, SortPart, UnaryOp,
};

use crate::harness::{Extents, Program, Random, dims, unit_steps};

const DTYPES: [DType; 8] = [
    DType::F32,
    DType::F64,
    DType::I64,
    DType::I32,
    DType::I16,
    DType::I8,
    DType::U8,
    DType::Bool,
];

/// Whether the dialect has the primitive for this element type.
fn is_float(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64)
}

/// Checks all values but the inputs, with static and with dynamic extents.
fn check(program: &Program, outputs: &[usize]) {
    for extents in [Extents::Static, Extents::Dynamic] {
        program.check(outputs, &extents);
    }
}

#[test]
fn unary() {
    let mut random = Random(1);
    for dtype in DTYPES {
        let mut program = Program::new(vec![random.tensor(&[7, 37], dtype, true)]);
        let mut outputs = Vec::new();
        for &op in UnaryOp::ALL {
            let exists = match op {
                UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Sign => dtype != DType::Bool,
                UnaryOp::Not => !is_float(dtype),
                _ => is_float(dtype),
            };
            if exists {
                outputs.push(program.add(Prim::Unary(op), &[0]));
            }
        }
        check(&program, &outputs);
    }
}

#[test]
fn binary_and_comparisons() {
    let mut random = Random(2);
    for dtype in DTYPES {
        let mut b = random.tensor(&[5, 41], dtype, true);
        if !is_float(dtype) && dtype != DType::Bool {
            // Eager division by zero is an error: every element odd.
            let mut ones = Program::new(vec![b]);
            let one = ones.add(Prim::Cast(dtype), &[0]);
            let flag = ones.add(Prim::Compare(Predicate::Eq), &[0, one]);
            let flag = ones.add(Prim::Cast(dtype), &[flag]);
            let odd = ones.add(Prim::Binary(BinaryOp::Or), &[0, flag]);
            b = ones.values[odd].clone();
        }
        let a = random.tensor(&[5, 41], dtype, true);
        let mut program = Program::new(vec![a, b]);
        let mut outputs = Vec::new();
        for &op in BinaryOp::ALL {
            let exists = match op {
                BinaryOp::Div => is_float(dtype),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !is_float(dtype),
                BinaryOp::Shl | BinaryOp::Shr => !is_float(dtype) && dtype != DType::Bool,
                _ => dtype != DType::Bool,
            };
            if exists {
                outputs.push(program.add(Prim::Binary(op), &[0, 1]));
            }
        }
        for &predicate in Predicate::ALL {
            outputs.push(program.add(Prim::Compare(predicate), &[0, 1]));
        }
        let chosen = program.add(Prim::Select, &[outputs[outputs.len() - 1], 0, 1]);
        outputs.push(chosen);
        outputs.push(program.add(Prim::Detach, &[chosen]));
        if is_float(dtype) {
            let made = program.add(Prim::Binary(BinaryOp::Add), &[0, 1]);
            outputs.push(program.add(Prim::WithSlope, &[made, 0, 1]));
        }
        check(&program, &outputs);
    }
}

#[test]
fn casts() {
    let mut random = Random(3);
    for from in DTYPES {
        let mut program = Program::new(vec![random.tensor(&[67], from, true)]);
        let outputs: Vec<usize> = DTYPES
            .iter()
            .filter(|&&to| to != from)
            .map(|&to| program.add(Prim::Cast(to), &[0]))
            .collect();
        check(&program, &outputs);
    }
}

#[test]
fn reductions() {
    let mut random = Random(4);
    for dtype in DTYPES {
        let mut program = Program::new(vec![random.tensor(&[6, 5, 19], dtype, true)]);
        let mut outputs = Vec::new();
        for &op in ReduceOp::ALL {
            let adds = matches!(op, ReduceOp::Sum | ReduceOp::Prod);
            if adds && dtype == DType::Bool {
                continue;
            }
            for axes in [
                &[0][..],
                &[1],
                &[2],
                &[0, 1],
                &[1, 2],
                &[0, 2],
                &[0, 1, 2],
                &[],
            ] {
                outputs.push(program.add(
                    Prim::Reduce {
                        op,
                        dims: axes.into(),
                    },
                    &[0],
                ));
            }
        }
        for op in [ArgOp::Max, ArgOp::Min] {
            for dim in 0..3 {
                outputs.push(program.add(Prim::Arg { op, dim }, &[0]));
            }
        }
        if dtype != DType::Bool {
            for dim in 0..3 {
                outputs.push(program.add(Prim::Cumsum { dim }, &[0]));
            }
        }
        check(&program, &outputs);
    }
}

#[test]
fn shapes() {
    let mut random = Random(5);
    for dtype in [DType::F32, DType::I64, DType::Bool, DType::U8] {
        let a = random.tensor(&[4, 1, 6], dtype, false);
        let b = random.tensor(&[4, 5, 6], dtype, false);
        let mut program = Program::new(vec![a, b]);
        let mut outputs = Vec::new();
        let mut add = |prim: Prim, operands: &[usize]| {
            let value = program.add(prim, operands);
            outputs.push(value);
            value
        };
        add(
            Prim::Broadcast {
                dims: [0, 1, 2].as_slice().into(),
                shape: dims(&[4, 5, 6]),
            },
            &[0],
        );
        add(
            Prim::Broadcast {
                dims: [1, 2, 3].as_slice().into(),
                shape: dims(&[3, 4, 1, 6]),
            },
            &[0],
        );
        add(
            Prim::Reshape {
                shape: dims(&[4, 6]),
            },
            &[0],
        );
        add(Prim::Reshape { shape: dims(&[24]) }, &[0]);
        add(
            Prim::Reshape {
                shape: dims(&[2, 12, 1]),
            },
            &[0],
        );
        add(
            Prim::Reshape {
                shape: dims(&[1, 4, 1, 1, 6, 1]),
            },
            &[0],
        );
        let turned = add(
            Prim::Permute {
                dims: [2, 0, 1].as_slice().into(),
            },
            &[1],
        );
        add(
            Prim::Reshape {
                shape: dims(&[24, 5]),
            },
            &[turned],
        );
        add(
            Prim::Permute {
                dims: [1, 0, 2].as_slice().into(),
            },
            &[turned],
        );
        let starts = dims(&[1, 2, 0]);
        let slice = Prim::Slice {
            starts: starts.clone(),
            sizes: dims(&[2, 3, 3]),
            strides: [2, 1, 2].as_slice().into(),
        };
        let part = add(slice, &[1]);
        add(
            Prim::Unslice {
                starts,
                shape: dims(&[4, 5, 6]),
                strides: [2, 1, 2].as_slice().into(),
            },
            &[part],
        );
        add(
            Prim::UpdateSlice {
                starts: dims(&[1, 2, 0]),
                strides: [2, 1, 2].as_slice().into(),
                first: false,
            },
            &[1, part],
        );
        add(
            Prim::UpdateSlice {
                starts: dims(&[1, 2, 0]),
                strides: [2, 1, 2].as_slice().into(),
                first: true,
            },
            &[1, part],
        );
        add(Prim::Concat { dim: 1 }, &[0, 1, 0]);
        add(Prim::Concat { dim: 0 }, &[1, 1]);
        add(Prim::Concat { dim: 2 }, &[1, 1]);
        add(
            Prim::Reverse {
                dims: [0, 2].as_slice().into(),
            },
            &[1],
        );
        if dtype != DType::Bool {
            add(
                Prim::Iota {
                    dim: 1,
                    dtype,
                    shape: dims(&[3, 7]),
                },
                &[],
            );
        }
        check(&program, &outputs);
    }
}

#[test]
fn scalars_and_empty_tensors() {
    let mut random = Random(6);
    let zero_d = random.tensor(&[], DType::F32, false);
    let mut program = Program::new(vec![zero_d, random.tensor(&[0, 3], DType::F32, false)]);
    let mut outputs = vec![
        program.add(Prim::Unary(UnaryOp::Exp), &[0]),
        program.add(
            Prim::Reshape {
                shape: dims(&[1, 1]),
            },
            &[0],
        ),
        program.add(
            Prim::Broadcast {
                dims: [].as_slice().into(),
                shape: dims(&[2, 9]),
            },
            &[0],
        ),
        program.add(Prim::Unary(UnaryOp::Neg), &[1]),
        program.add(
            Prim::Reduce {
                op: ReduceOp::Sum,
                dims: [0].as_slice().into(),
            },
            &[1],
        ),
        program.add(Prim::Concat { dim: 0 }, &[1, 1]),
    ];
    let one = program.add(Prim::Reshape { shape: dims(&[1]) }, &[0]);
    outputs.push(program.add(Prim::Reshape { shape: dims(&[]) }, &[one]));
    program.check(&outputs, &Extents::Static);
}

#[test]
fn products() {
    let mut random = Random(7);
    for dtype in [DType::F32, DType::F64, DType::I64, DType::I8] {
        let inputs = vec![
            random.tensor(&[9, 33], dtype, false),
            random.tensor(&[33, 17], dtype, false),
            random.tensor(&[17, 33], dtype, false),
            random.tensor(&[3, 9, 33], dtype, false),
            random.tensor(&[3, 33, 17], dtype, false),
            random.tensor(&[33, 1], dtype, false),
        ];
        let mut program = Program::new(inputs);
        let swap = || Prim::Permute {
            dims: [1, 0].as_slice().into(),
        };
        let a = program.add(Prim::Dot, &[0, 1]);
        let transposed = program.add(swap(), &[2]);
        let b = program.add(Prim::Dot, &[0, transposed]);
        let (x, y) = (program.add(swap(), &[1]), program.add(swap(), &[0]));
        let c = program.add(Prim::Dot, &[x, y]);
        let d = program.add(Prim::Dot, &[3, 4]);
        let e = program.add(Prim::Dot, &[0, 5]);
        let rolled = program.add(
            Prim::Permute {
                dims: [0, 2, 1].as_slice().into(),
            },
            &[3],
        );
        let square = program.add(Prim::Dot, &[3, rolled]);
        // What feeds and what follows a product fuses, or not, but stays the same.
        let f = program.add(swap(), &[b]);
        let g = program.add(Prim::Binary(BinaryOp::Add), &[f, c]);
        let h = program.add(Prim::Unary(UnaryOp::Neg), &[g]);
        let i = program.add(Prim::Dot, &[h, a]);
        check(&program, &[a, b, c, d, e, square, g, i]);
    }
}

#[test]
fn indexing() {
    let mut random = Random(8);
    for dtype in [DType::F32, DType::F64, DType::I64, DType::U8] {
        let inputs = vec![
            random.tensor(&[11, 6], dtype, false),
            random.indices(&[5, 6], 11),
            random.indices(&[11, 3], 6),
            random.tensor(&[5, 6], dtype, false),
            random.indices(&[4, 2], 11),
            random.tensor(&[4, 2, 6], dtype, false),
            random.tensor(&[11, 3], dtype, false),
            random.indices(&[], 6),
            random.tensor(&[11], dtype, false),
        ];
        let mut program = Program::new(inputs);
        let outputs = [
            program.add(Prim::Gather { dim: 0 }, &[0, 1]),
            program.add(Prim::Gather { dim: 1 }, &[0, 2]),
            program.add(Prim::ScatterAdd { dim: 0 }, &[0, 1, 3]),
            program.add(Prim::ScatterAdd { dim: 1 }, &[0, 2, 6]),
            program.add(Prim::Take { dim: 0 }, &[0, 4]),
            program.add(Prim::TakeAdd { dim: 0 }, &[0, 4, 5]),
            program.add(Prim::Take { dim: 1 }, &[0, 7]),
            program.add(Prim::TakeAdd { dim: 1 }, &[0, 7, 8]),
        ];
        check(&program, &outputs);
    }
}

/// What the eager kernels would reject is void in compiled code, but touches no other memory.
#[test]
fn wrong_indices_stay_inside() {
    let text = "
        func.func @region(%x: tensor<4xf32>, %i: tensor<3xi64>, %n: i64)
            -> (i64, tensor<3xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) {
          %bad = arith.constant 5 : i64
          %s = arith.index_cast %n : i64 to index
          %0 = janus.gather %x, %i dim 0 : (tensor<4xf32>, tensor<3xi64>) -> tensor<3xf32>
          %1 = janus.scatter_add %x, %i, %0 dim 0
             : (tensor<4xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<4xf32>
          %2 = janus.slice %x[%s] strides [1] : tensor<4xf32> -> tensor<2xf32>
          %3 = janus.take %x, %i dim 0 : (tensor<4xf32>, tensor<3xi64>) -> tensor<3xf32>
          return %bad, %0, %1, %2, %3
             : i64, tensor<3xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>
        }";
    let compiled = crate::harness::compile_structured(text).unwrap();
    let (x, i) = ([1f32; 4], [-1i64 << 40, 1 << 40, 4]);
    let arguments = [
        janus_codegen::Arg::Tensor {
            ptr: x.as_ptr().cast(),
            sizes: &[4],
        },
        janus_codegen::Arg::Tensor {
            ptr: i.as_ptr().cast(),
            sizes: &[3],
        },
        janus_codegen::Arg::I64(1 << 50),
    ];
    // SAFETY: the arguments are arrays of these sizes.
    let error = unsafe { compiled.run(&arguments) }.unwrap_err();
    assert_eq!(error, janus_codegen::RunError::AssertFailed { id: 5 });
    let _ = unit_steps(1);
}

#[test]
fn convolutions() {
    let mut random = Random(21);
    let shapes = [[3, 4, 9, 8], [6, 2, 3, 2], [3, 6, 5, 7]];
    let window = ConvWindow {
        strides: [2, 1].into_iter().collect(),
        padding: [1, 0].into_iter().collect(),
        dilation: [1, 1].into_iter().collect(),
        groups: 2,
    };
    for dtype in [DType::F32, DType::F64, DType::I64, DType::I32, DType::U8] {
        let inputs = shapes.map(|s| random.tensor(&s, dtype, false)).to_vec();
        let mut program = Program::new(inputs);
        let mut outputs = Vec::new();
        for (kind, [a, b, c]) in [
            (ConvKind::Forward, [0, 1, 2]),
            (ConvKind::Image, [2, 1, 0]),
            (ConvKind::Filters, [0, 2, 1]),
        ] {
            let shape = dims(&shapes[c]);
            let window = window.clone();
            let prim = Prim::Conv {
                kind,
                window,
                shape,
            };
            // Once with what elementwise code made, whose result elementwise code uses.
            outputs.push(program.add(prim.clone(), &[a, b]));
            let twice = program.add(Prim::Binary(BinaryOp::Add), &[a, a]);
            let made = program.add(prim, &[twice, b]);
            outputs.push(program.add(Prim::Binary(BinaryOp::Mul), &[made, made]));
        }
        check(&program, &outputs);
    }
}

#[test]
fn convolutions_of_views() {
    let mut random = Random(22);
    let mut program = Program::new(vec![
        random.tensor(&[6, 2, 7], DType::F32, false),
        random.tensor(&[3, 4, 2], DType::F32, false),
        random.tensor(&[2, 1, 6], DType::F32, false),
    ]);
    let turn = |dims: [usize; 3]| Prim::Permute {
        dims: dims.into_iter().collect(),
    };
    let image = program.add(turn([1, 0, 2]), &[0]);
    let part = program.add(
        Prim::Slice {
            starts: dims(&[0, 2, 1]),
            sizes: dims(&[2, 4, 6]),
            strides: unit_steps(3),
        },
        &[image],
    );
    let prim = Prim::Conv {
        kind: ConvKind::Forward,
        window: ConvWindow {
            strides: [1].into_iter().collect(),
            padding: [1].into_iter().collect(),
            dilation: [2].into_iter().collect(),
            groups: 1,
        },
        shape: dims(&[2, 3, 6]),
    };
    let result = program.add(prim, &[part, 1]);
    let joined = program.add(Prim::Concat { dim: 1 }, &[result, 2, result]);
    check(&program, &[result, joined]);
}

#[test]
fn pooling() {
    let mut random = Random(23);
    for dtype in [DType::F32, DType::F64, DType::I64, DType::U8] {
        let mut program = Program::new(vec![random.tensor(&[2, 3, 7, 9], dtype, true)]);
        let prim = Prim::PoolArgmax {
            window: PoolWindow {
                kernel: [3, 2].into_iter().collect(),
                strides: [2, 2].into_iter().collect(),
                padding: [1, 0].into_iter().collect(),
                dilation: [1, 2].into_iter().collect(),
            },
            shape: dims(&[2, 3, 4, 4]),
        };
        let place = program.add(prim, &[0]);
        check(&program, &[place]);
    }
}

#[test]
fn sorting() {
    let mut random = Random(29);
    for dtype in [DType::F32, DType::F64, DType::I64, DType::U8, DType::Bool] {
        let mut program = Program::new(vec![random.tensor(&[3, 5, 4], dtype, true)]);
        let mut outputs = Vec::new();
        for dim in 0..3 {
            for descending in [false, true] {
                for part in [
                    SortPart::All,
                    SortPart::Top(2),
                    SortPart::TopUnordered(2),
                    SortPart::Kth(1),
                ] {
                    let prim = Prim::Argsort {
                        dim,
                        descending,
                        part,
                    };
                    outputs.push(program.add(prim, &[0]));
                }
            }
        }
        let turned = program.add(
            Prim::Permute {
                dims: [2, 0, 1].into_iter().collect(),
            },
            &[0],
        );
        let prim = Prim::Argsort {
            dim: 1,
            descending: false,
            part: SortPart::All,
        };
        outputs.push(program.add(prim, &[turned]));
        check(&program, &outputs);
    }
}
