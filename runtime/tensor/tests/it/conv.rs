//! Convolutions: against their definition, and bits that depend on neither strides nor threads.

use janus_tensor::kernels::conv::janus_rt_conv;
use janus_tensor::ops::{ConvKind, ConvWindow, Dims};
use janus_tensor::rng::Generator;
use janus_tensor::{DType, Dim, Eager, Ops, Prim, Tensor};

use crate::{apply, bits};

/// A convolution's extents.
#[derive(Debug)]
struct Case {
    window: ConvWindow,
    image: Vec<i64>,
    filters: Vec<i64>,
    result: Vec<i64>,
}

fn case(
    n: i64,
    [inner, outer, groups]: [i64; 3],
    image: &[i64],
    kernel: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
) -> Case {
    let mut shapes = [
        vec![n, inner * groups],
        vec![outer * groups, inner],
        vec![n, outer * groups],
    ];
    for i in 0..image.len() {
        let reach = dilation[i] * (kernel[i] - 1) + 1;
        shapes[0].push(image[i]);
        shapes[1].push(kernel[i]);
        shapes[2].push((image[i] + 2 * padding[i] - reach) / stride[i] + 1);
    }
    let [image, filters, result] = shapes;
    Case {
        window: ConvWindow {
            strides: stride.iter().copied().collect(),
            padding: padding.iter().copied().collect(),
            dilation: dilation.iter().copied().collect(),
            groups,
        },
        image,
        filters,
        result,
    }
}

fn cases() -> Vec<Case> {
    vec![
        case(3, [1, 6, 1], &[28, 28], &[5, 5], &[1, 1], &[2, 2], &[1, 1]),
        case(
            70,
            [6, 16, 1],
            &[14, 14],
            &[5, 5],
            &[1, 1],
            &[0, 0],
            &[1, 1],
        ),
        case(
            2,
            [64, 20, 1],
            &[14, 14],
            &[3, 3],
            &[1, 1],
            &[1, 1],
            &[1, 1],
        ),
        case(2, [70, 130, 1], &[7, 9], &[1, 1], &[1, 1], &[0, 0], &[1, 1]),
        case(
            3,
            [17, 33, 1],
            &[15, 16],
            &[1, 1],
            &[2, 2],
            &[0, 0],
            &[1, 1],
        ),
        case(2, [3, 64, 1], &[33, 31], &[7, 7], &[2, 2], &[3, 3], &[1, 1]),
        case(2, [5, 7, 3], &[12, 13], &[3, 2], &[2, 3], &[1, 1], &[2, 1]),
        case(2, [1, 1, 37], &[20, 21], &[3, 3], &[2, 1], &[1, 1], &[1, 1]),
        case(2, [1, 1, 5], &[9, 40], &[3, 5], &[1, 2], &[2, 0], &[2, 3]),
        case(2, [1, 3, 4], &[9, 9], &[2, 2], &[2, 2], &[0, 0], &[1, 1]),
        case(5, [4, 9, 1], &[100], &[7], &[3], &[3], &[2]),
        case(
            2,
            [3, 4, 1],
            &[5, 6, 7],
            &[2, 3, 2],
            &[2, 1, 2],
            &[1, 1, 0],
            &[1, 2, 1],
        ),
        case(1, [2, 2, 1], &[1, 1], &[3, 3], &[1, 1], &[1, 1], &[1, 1]),
        // A stride longer than the kernel: some elements are in no window.
        case(2, [3, 8, 1], &[11, 11], &[2, 2], &[4, 4], &[0, 0], &[1, 1]),
        // Many narrow images of one channel.
        case(37, [1, 1, 1], &[5, 5], &[3, 3], &[1, 1], &[1, 1], &[1, 1]),
        case(9, [1, 1, 3], &[7, 6], &[2, 3], &[2, 2], &[1, 0], &[1, 2]),
        // Images that are one window.
        case(9, [6, 40, 1], &[5, 5], &[5, 5], &[1, 1], &[0, 0], &[1, 1]),
        case(3, [4, 6, 2], &[3, 4], &[3, 4], &[2, 1], &[0, 0], &[1, 1]),
        // Fewer windows than channels.
        case(2, [30, 200, 1], &[3, 3], &[3, 3], &[1, 1], &[1, 1], &[1, 1]),
    ]
}

fn random(g: &mut Generator, shape: &[i64], dtype: DType) -> Tensor {
    let t = Tensor::zeros(shape, DType::F64).unwrap();
    g.uniform_(&t, -4.0, 4.0).unwrap();
    apply(Prim::Cast(dtype), &[&t])
}

/// Calls `f` with the flat indices of every triple of elements that are multiplied.
fn each_product(case: &Case, mut f: impl FnMut(usize, usize, usize)) {
    let n = case.window.strides.len();
    let (inner, outputs) = (case.filters[1], case.filters[0]);
    let outer = outputs / case.window.groups;
    let size = |s: &[i64]| s.iter().product::<i64>();
    let (windows, kernel) = (size(&case.result[2..]), size(&case.filters[2..]));
    for b in 0..case.image[0] {
        for o in 0..outputs {
            for q in 0..windows {
                for c in 0..inner {
                    'taps: for k in 0..kernel {
                        let (mut q_rest, mut k_rest) = (q, k);
                        let (mut at, mut scale) = (0, 1);
                        for i in (0..n).rev() {
                            let (wide, part) = (case.result[2 + i], case.filters[2 + i]);
                            let p = q_rest % wide * case.window.strides[i]
                                + k_rest % part * case.window.dilation[i]
                                - case.window.padding[i];
                            if !(0..case.image[2 + i]).contains(&p) {
                                continue 'taps;
                            }
                            at += p * scale;
                            scale *= case.image[2 + i];
                            (q_rest, k_rest) = (q_rest / wide, k_rest / part);
                        }
                        let channel = b * case.image[1] + o / outer * inner + c;
                        f(
                            (channel * scale + at) as usize,
                            ((o * inner + c) * kernel + k) as usize,
                            ((b * outputs + o) * windows + q) as usize,
                        );
                    }
                }
            }
        }
    }
}

/// The same values in memory that is ordered last dimension first.
fn turned(t: &Tensor) -> Tensor {
    let turn = || Prim::Permute {
        dims: (0..t.rank()).rev().collect(),
    };
    let copy = apply(turn(), &[t]).contiguous_data().unwrap();
    apply(turn(), &[&copy])
}

/// The routine of generated code, on a number of threads.
fn routine(threads: usize, kind: i64, case: &Case, a: &Tensor, b: &Tensor, out: &Tensor) {
    let window = &case.window;
    let mut words = vec![kind, 0, window.strides.len() as i64];
    words.extend(&window.strides);
    words.extend(&window.padding);
    words.extend(&window.dilation);
    words.push(window.groups);
    for t in [a, b, out] {
        words.push(t.data_ptr() as i64);
        words.extend(t.shape());
        words.extend(t.strides());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    // SAFETY: the words describe these tensors.
    pool.install(|| unsafe { janus_rt_conv(words.as_ptr()) });
}

#[test]
fn equal_their_definition() {
    let mut g = Generator::new(5);
    for case in cases() {
        for dtype in [DType::F32, DType::F64, DType::I64, DType::U8] {
            let shapes = [&case.image, &case.filters, &case.result];
            let all = shapes.map(|s| random(&mut g, s, dtype));
            let values = [0, 1, 2].map(|i: usize| -> Vec<f64> {
                let scalars = all[i].to_scalars().unwrap();
                scalars.iter().map(|v| v.to_f64()).collect()
            });
            for (which, kind) in ConvKind::ALL.iter().enumerate() {
                let (a, b, target) = [(0, 1, 2), (2, 1, 0), (0, 2, 1)][which];
                let shape: Dims = shapes[target].iter().map(|&d| Dim::Known(d)).collect();
                let apply =
                    |x: &Tensor, y: &Tensor| Eager.conv(*kind, x, y, &case.window, &shape).unwrap();
                let got = apply(&all[a], &all[b]);
                let mut want = vec![(0.0f64, 0.0f64); values[target].len()];
                each_product(&case, |i, f, r| {
                    let at = [i, f, r];
                    let product = values[a][at[a]] * values[b][at[b]];
                    let (sum, size) = &mut want[at[target]];
                    *sum += product;
                    *size += product.abs();
                });
                for (i, (g, (w, size))) in got.to_scalars().unwrap().iter().zip(&want).enumerate() {
                    let (g, w) = match dtype {
                        DType::U8 => (g.to_f64(), w.rem_euclid(256.0)),
                        _ => (g.to_f64(), *w),
                    };
                    let bound = match dtype {
                        DType::F32 => 1e-6 * (1.0 + size),
                        DType::F64 => 1e-14 * (1.0 + size),
                        _ => 0.0,
                    };
                    assert!(
                        (g - w).abs() <= bound,
                        "{case:?} {kind:?} {dtype:?} [{i}]: {g} instead of {w}"
                    );
                }
                let strided = apply(&turned(&all[a]), &turned(&all[b]));
                assert_eq!(bits(&got), bits(&strided), "{case:?} {kind:?} {dtype:?}");
                if dtype == DType::F32 {
                    for threads in [1, 3] {
                        let out = Tensor::zeros(shapes[target], dtype).unwrap();
                        routine(threads, which as i64, &case, &all[a], &all[b], &out);
                        assert_eq!(
                            bits(&got),
                            bits(&out),
                            "{case:?} {kind:?} {threads} threads"
                        );
                        let out = turned(&Tensor::zeros(shapes[target], dtype).unwrap());
                        routine(threads, which as i64, &case, &all[a], &all[b], &out);
                        assert_eq!(bits(&got), bits(&out), "{case:?} {kind:?} strided result");
                    }
                }
            }
        }
    }
}

#[test]
fn of_nothing_is_zeros() {
    let mut case = case(2, [3, 4, 1], &[5, 5], &[3, 3], &[1, 1], &[1, 1], &[1, 1]);
    case.image[1] = 0;
    case.filters[1] = 0;
    let (x, w) = (
        Tensor::zeros(&case.image, DType::F32).unwrap(),
        Tensor::zeros(&case.filters, DType::F32).unwrap(),
    );
    let shape: Dims = case.result.iter().map(|&d| Dim::Known(d)).collect();
    let out = Eager
        .conv(ConvKind::Forward, &x, &w, &case.window, &shape)
        .unwrap();
    assert!(out.to_vec::<f32>().unwrap().iter().all(|v| *v == 0.0));
}
