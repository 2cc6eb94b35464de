//! Printed tensors against recorded text. The cases are those of `record.py`.

use janus_tensor::print::repr;
use janus_tensor::{DType, Eager, Ops, Prim, Scalar, Tensor};

use crate::{apply, arange, f32s, f64s, golden, i64s};

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

fn scaled(x: &Tensor, f: impl Fn(f32) -> f32) -> Tensor {
    let v: Vec<f32> = Eager
        .cast(x, DType::F32)
        .unwrap()
        .to_vec::<f32>()
        .unwrap()
        .into_iter()
        .map(f)
        .collect();
    f32s(&v, &x.shape())
}

fn cases() -> Vec<(&'static str, Tensor)> {
    let grad = |t: Tensor| {
        t.set_requires_grad(true).unwrap();
        t
    };
    let of = |s: Scalar, d: DType| Tensor::from_scalar(s, d).unwrap();
    vec![
        ("float", f32s(&[1.0, 2.5, -3.25], &[3])),
        ("whole", f32s(&[1.0, 2.0, 300.0], &[3])),
        ("scalar", f32s(&[3.25159], &[])),
        ("scalar whole", f32s(&[3.0], &[])),
        ("int scalar", i64s(&[7], &[])),
        ("bool", Tensor::from_slice(&[true, false], &[2]).unwrap()),
        ("int", i64s(&[1, -20, 300, 4], &[2, 2])),
        ("special", f32s(&[NAN, INF, -INF, 1.0], &[4])),
        ("special fraction", f32s(&[NAN, INF, -INF, 1.5], &[4])),
        ("all nan", f32s(&[NAN, NAN], &[2])),
        ("zeros", Tensor::zeros(&[2, 3], DType::F32).unwrap()),
        ("sci small", f32s(&[1e-5, 1.0], &[2])),
        ("sci large", f32s(&[1e9, 1.0], &[2])),
        ("sci whole", f32s(&[1_000_000.0, 1.0], &[2])),
        ("sci exponent", f32s(&[1e-30, -1e30, 0.0], &[3])),
        ("double", f64s(&[1.5, 2.0], &[2])),
        ("int32", Tensor::from_slice(&[1i32, 2], &[2]).unwrap()),
        ("uint8", Tensor::from_slice(&[1u8, 2], &[2]).unwrap()),
        ("empty", f32s(&[], &[0])),
        ("empty int", i64s(&[], &[0])),
        ("empty 2d", f32s(&[], &[0, 3])),
        (
            "empty 2d bool",
            Tensor::from_slice::<bool>(&[], &[2, 0]).unwrap(),
        ),
        ("3d", arange(&[2, 3, 4], DType::F32)),
        ("wrap", arange(&[60], DType::F32)),
        (
            "wrap fraction",
            scaled(&arange(&[40], DType::I64), |v| v / 7.0),
        ),
        ("summary 1d", arange(&[2000], DType::I64)),
        ("summary 2d", arange(&[100, 100], DType::F32)),
        (
            "summary 3d",
            scaled(&arange(&[20, 20, 20], DType::I64), |v| v / 3.0),
        ),
        ("summary tall", arange(&[1500, 2], DType::F32)),
        ("grad", grad(f32s(&[1.0, 2.0], &[2]))),
        (
            "grad wrap",
            grad(scaled(&arange(&[20], DType::I64), |v| v / 7.0)),
        ),
        (
            "transposed",
            apply(
                Prim::Permute {
                    dims: [1, 0].into_iter().collect(),
                },
                &[&arange(&[2, 3], DType::I64)],
            ),
        ),
        (
            "negative",
            scaled(&arange(&[3, 4], DType::I64), |v| -v / 10.0),
        ),
        (
            "ones 4d",
            Tensor::full(&[2, 1, 2, 2], Scalar::I64(1), DType::F32).unwrap(),
        ),
        ("scalar sci", f32s(&[1e-7], &[])),
        ("scalar double", of(Scalar::F64(0.1), DType::F64)),
        ("scalar bool", of(Scalar::Bool(true), DType::Bool)),
    ]
}

#[test]
fn texts_equal_torch() {
    let want = golden("printing");
    let cases = cases();
    assert_eq!(cases.len(), want.len());
    for (name, t) in cases {
        assert_eq!(want[name], repr(&t, DType::F32).unwrap(), "{name}");
    }
}

#[test]
fn grad_fn_is_shown() {
    let x = f32s(&[1.0], &[1]);
    x.set_requires_grad(true).unwrap();
    let y = Eager.add(&x, &x).unwrap();
    assert_eq!(
        repr(&y, DType::F32).unwrap(),
        "tensor([2.], grad_fn=<AddBackward0>)"
    );
    Eager.label(&y, "MeanBackward0");
    assert_eq!(
        repr(&y, DType::F32).unwrap(),
        "tensor([2.], grad_fn=<MeanBackward0>)"
    );
}
