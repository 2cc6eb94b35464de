//! Elementwise definitions, casts and the like against recorded results.

use janus_tensor::ops::{ArgOp, BinaryOp, UnaryOp};
use janus_tensor::{DType, Eager, Ops, Prim, Tensor};

use crate::{bits, f32s, golden, i64s};

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

const SPECIAL: [f32; 8] = [-INF, -2.5, -0.0, 0.0, 0.5, 3.0, INF, NAN];

/// All pairs.
fn pairs<T: Copy>(v: &[T]) -> (Vec<T>, Vec<T>) {
    v.iter()
        .flat_map(|a| v.iter().map(move |b| (*a, *b)))
        .unzip()
}

fn binary(op: BinaryOp, a: &Tensor, b: &Tensor) -> Tensor {
    Eager.apply(Prim::Binary(op), &[a, b]).unwrap()
}

#[test]
fn division_and_remainder() {
    let want = golden("semantics");
    let (a, b) = pairs(&[-7i64, -3, -1, 1, 2, 3, 7]);
    for d in [DType::I64, DType::I32, DType::I8, DType::F32, DType::F64] {
        let cast = |v: &[i64]| Eager.cast(&i64s(v, &[49]), d).unwrap();
        let (a, b) = (cast(&a), cast(&b));
        for (name, op) in [("floor_div", BinaryOp::FloorDiv), ("rem", BinaryOp::Rem)] {
            let key = format!("{name} {}", d.name());
            assert_eq!(want[&key], bits(&binary(op, &a, &b)), "{key}");
        }
    }
    let zero = i64s(&[1, 0], &[2]);
    let error = Eager.apply(Prim::Binary(BinaryOp::Rem), &[&zero, &zero]);
    assert_eq!(error.unwrap_err().to_string(), "ZeroDivisionError");
}

#[test]
fn special_floats() {
    let want = golden("semantics");
    let (a, b) = pairs(&SPECIAL);
    let (a, b) = (f32s(&a, &[64]), f32s(&b, &[64]));
    for (name, op) in [
        ("floor_div", BinaryOp::FloorDiv),
        ("rem", BinaryOp::Rem),
        ("pow", BinaryOp::Pow),
    ] {
        assert_eq!(
            want[&format!("special {name}")],
            bits(&binary(op, &a, &b)),
            "{name}"
        );
    }
    let max = binary(BinaryOp::Maximum, &a, &b);
    let nan = Eager.ne(&max, &max).unwrap();
    assert_eq!(want["special maximum nan"], bits(&nan));
    let x = f32s(&SPECIAL, &[8]);
    for op in [UnaryOp::Sign, UnaryOp::Sqrt, UnaryOp::Rsqrt] {
        let y = Eager.apply(Prim::Unary(op), &[&x]).unwrap();
        assert_eq!(want[&format!("special {}", op.name())], bits(&y));
    }
    let halves = f32s(&[0.5, 1.5, 2.5, -0.5, -1.5, NAN], &[6]);
    assert_eq!(want["special round"], bits(&Eager.round(&halves).unwrap()));
    // Ours are not torch's functions: equal where there is one right answer, else close.
    for op in [
        UnaryOp::Exp,
        UnaryOp::Log,
        UnaryOp::Log1p,
        UnaryOp::Expm1,
        UnaryOp::Tanh,
        UnaryOp::Sin,
        UnaryOp::Cos,
        UnaryOp::Erf,
    ] {
        let y = Eager.apply(Prim::Unary(op), &[&x]).unwrap();
        let got = bits(&y);
        let recorded = &want[&format!("special {}", op.name())];
        for (x, (g, w)) in SPECIAL.iter().zip(got.split(' ').zip(recorded.split(' '))) {
            let of = |s: &str| u32::from_str_radix(s, 16).unwrap();
            let distance = of(g).abs_diff(of(w));
            assert!(distance <= 2, "{}({x}): {g} instead of {w}", op.name());
            if !x.is_finite() || *x == 0.0 {
                assert_eq!(g, w, "{}({x})", op.name());
            }
        }
    }
}

#[test]
fn integers_and_casts() {
    let want = golden("semantics");
    let repeat = |v: &[i64], n: usize| -> Vec<i64> { v.repeat(n) };
    let each = |v: &[i64], n: usize| -> Vec<i64> {
        v.iter().flat_map(|x| std::iter::repeat_n(*x, n)).collect()
    };
    let base = i64s(&repeat(&[-2, -1, 1, 2, 3], 4), &[20]);
    let exponent = i64s(&each(&[0, 1, 2, 5], 5), &[20]);
    assert_eq!(
        want["int pow"],
        bits(&binary(BinaryOp::Pow, &base, &exponent))
    );
    let values = i64s(&repeat(&[1, 5, -9, 1 << 40], 4), &[16]);
    let counts = i64s(&each(&[0, 1, 40, 63], 4), &[16]);
    assert_eq!(want["shl"], bits(&binary(BinaryOp::Shl, &values, &counts)));
    assert_eq!(want["shr"], bits(&binary(BinaryOp::Shr, &values, &counts)));
    let x = f32s(&[-1.7, -0.2, 0.0, 0.9, 3.99, 200.0], &[6]);
    for d in [DType::I64, DType::I32, DType::I8, DType::Bool] {
        let key = format!("cast {}", d.name());
        assert_eq!(want[&key], bits(&Eager.cast(&x, d).unwrap()), "{key}");
    }
    let x = Eager.abs(&x).unwrap();
    assert_eq!(
        want["cast uint8"],
        bits(&Eager.cast(&x, DType::U8).unwrap())
    );
}

#[test]
fn along_dimensions() {
    let want = golden("semantics");
    let m = f32s(&[1.0, NAN, 3.0, 5.0, 5.0, -1.0, 2.0, 2.0, 2.0], &[3, 3]);
    for (name, op) in [("argmax", ArgOp::Max), ("argmin", ArgOp::Min)] {
        assert_eq!(want[name], bits(&Eager.arg_reduce(op, &m, 1).unwrap()));
    }
    let rest = f32s(&[5.0, 5.0, -1.0, 2.0, 2.0, 2.0], &[2, 3]);
    assert_eq!(want["cumsum"], bits(&Eager.cumsum(&rest, 1).unwrap()));
}
