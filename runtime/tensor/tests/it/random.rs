//! The random streams against recorded draws, in the order of `record.py`.

use janus_tensor::rng::{Generator, filled};
use janus_tensor::{DType, Tensor};

use crate::{bits, checksum, golden};

#[test]
fn streams_equal_torch() {
    let want = golden("random");
    let mut g = Generator::new(0);
    let check = |key: &str, t: &Tensor| assert_eq!(want[key], bits(t), "{key}");
    let new = |n: i64, d: DType| Tensor::zeros(&[n], d).unwrap();

    let t = filled(&[5], DType::F32, |t| g.uniform_(t, 0.0, 1.0)).unwrap();
    check("rand 5", &t);
    let t = filled(&[5], DType::F64, |t| g.uniform_(t, 0.0, 1.0)).unwrap();
    check("rand64 5", &t);
    for n in 1..=40 {
        let t = new(n, DType::F32);
        g.normal_(&t, 0.0, 1.0).unwrap();
        check(&format!("randn {n}"), &t);
    }
    for n in [1000, 1003] {
        let t = new(n, DType::F32);
        g.normal_(&t, 0.0, 1.0).unwrap();
        let bytes: Vec<u8> = t
            .to_vec::<f32>()
            .unwrap()
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        assert_eq!(want[&format!("randn# {n}")], checksum(&bytes));
    }
    for n in [1, 2, 3, 15, 16, 17, 33, 40] {
        let t = new(n, DType::F64);
        g.normal_(&t, 0.0, 1.0).unwrap();
        check(&format!("randn64 {n}"), &t);
    }
    for n in [7, 40] {
        let t = new(n, DType::F32);
        g.normal_(&t, 1.5, 2.5).unwrap();
        check(&format!("normal {n} 1.5 2.5"), &t);
    }
    for (name, d) in [("uniform", DType::F32), ("uniform64", DType::F64)] {
        let t = new(50, d);
        g.uniform_(&t, -0.31, 0.47).unwrap();
        check(&format!("{name} 50 -0.31 0.47"), &t);
    }
    let ranges = [
        (0, 10),
        (-5, 100),
        (0, (1 << 28) - 1),
        (0, 1 << 28),
        (0, 1 << 32),
        (-7, 1 << 40),
    ];
    for (low, high) in ranges {
        let t = new(10, DType::I64);
        g.random_from_to_(&t, low, high).unwrap();
        check(&format!("randint 10 {low} {high}"), &t);
    }
    for n in [0, 1, 2, 10, 100, 1797] {
        check(&format!("randperm {n}"), &g.randperm(n).unwrap());
    }
    let t = new(40, DType::F32);
    g.bernoulli_(&t, 0.3).unwrap();
    check("bernoulli_ 40 0.3", &t);
    let p: Vec<f32> = (0..40u8).map(|i| f32::from(i) / 40.0).collect();
    check(
        "bernoulli 40",
        &g.bernoulli(&crate::f32s(&p, &[40])).unwrap(),
    );
    for (name, d) in [("exponential", DType::F32), ("exponential64", DType::F64)] {
        let t = new(40, d);
        g.exponential_(&t, 1.5).unwrap();
        check(&format!("{name} 40 1.5"), &t);
    }
    let p = crate::f32s(&[0.1, 0.2, 0.3, 0.4, 4.0, 3.0, 2.0, 1.0], &[2, 4]);
    for (samples, replacement) in [(12, true), (3, false), (1, false)] {
        let t = g.multinomial(&p, samples, replacement).unwrap();
        check(&format!("multinomial {samples} {replacement}"), &t);
    }
    let t = new(3, DType::F32);
    g.normal_(&t, 0.0, 1.0).unwrap();
    check("normal 3 0 1", &t);

    let state = g.state();
    assert_eq!(state.len(), janus_tensor::rng::STATE_BYTES);
    assert_eq!(want["state#"], checksum(&state));
    let mut other = Generator::new(1);
    other.set_state(&state).unwrap();
    for generator in [&mut g, &mut other] {
        let t = new(3, DType::F32);
        generator.uniform_(&t, 0.0, 1.0).unwrap();
        check("rand 3", &t);
    }
    assert!(other.set_state(&state[1..]).is_err());
}

#[test]
fn draws_go_into_strided_memory() {
    let t = Tensor::zeros(&[2, 3], DType::F32).unwrap();
    let view = crate::apply(
        janus_tensor::Prim::Permute {
            dims: [1, 0].into_iter().collect(),
        },
        &[&t],
    );
    Generator::new(3).uniform_(&view, 0.0, 1.0).unwrap();
    let flat = Tensor::zeros(&[6], DType::F32).unwrap();
    Generator::new(3).uniform_(&flat, 0.0, 1.0).unwrap();
    assert_eq!(bits(&view), bits(&flat));
}
