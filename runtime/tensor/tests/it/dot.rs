//! Matrix products: values, and bits that depend on neither strides nor threads.

use janus_tensor::kernels::gemm::janus_rt_gemm_f32;
use janus_tensor::rng::Generator;
use janus_tensor::{DType, Eager, Ops, Prim, Tensor};

use crate::{apply, bits, f64s, i64s};

fn random(g: &mut Generator, shape: &[i64]) -> Tensor {
    let t = Tensor::zeros(shape, DType::F32).unwrap();
    g.uniform_(&t, -1.0, 1.0).unwrap();
    t
}

/// The same values, stored column by column.
fn columns(t: &Tensor) -> Tensor {
    let swap = || Prim::Permute {
        dims: [1, 0].into_iter().collect(),
    };
    let copy = apply(swap(), &[t]).contiguous_data().unwrap();
    apply(swap(), &[&copy])
}

#[test]
fn bits_do_not_depend_on_strides_or_threads() {
    let mut g = Generator::new(1);
    let sizes = [1i64, 2, 3, 5, 10, 16, 17, 33, 64, 100, 257];
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    for &m in &sizes {
        for &n in &sizes {
            for k in [1, 2, 3, 8, 31, 64, 129, 600] {
                let (a, b) = (random(&mut g, &[m, k]), random(&mut g, &[k, n]));
                let (at, bt) = (columns(&a), columns(&b));
                let want = bits(&Eager.dot(&a, &b).unwrap());
                for (x, y) in [(&a, &bt), (&at, &b), (&at, &bt)] {
                    assert_eq!(want, bits(&Eager.dot(x, y).unwrap()), "{m}x{k}x{n}");
                }
                let mut c = vec![0.0f32; (m * n) as usize];
                let (pa, pb, pc) = (
                    a.data_ptr() as usize,
                    b.data_ptr() as usize,
                    c.as_mut_ptr() as usize,
                );
                // SAFETY: row-major matrices of these extents.
                pool.install(|| unsafe {
                    let (pa, pb) = (pa as *const f32, pb as *const f32);
                    janus_rt_gemm_f32(m, n, k, pa, k, 1, pb, n, 1, pc as *mut f32, n, 1, false);
                });
                assert_eq!(
                    want,
                    bits(&crate::f32s(&c, &[m, n])),
                    "{m}x{k}x{n}, one thread"
                );
            }
        }
    }
}

#[test]
fn values() {
    let a = f64s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]);
    let b = f64s(&[1.0, 0.0, 0.0, 1.0, 2.0, 2.0], &[3, 2]);
    assert_eq!(
        Eager.dot(&a, &b).unwrap().to_vec::<f64>().unwrap(),
        [7.0, 8.0, 16.0, 17.0]
    );
    let (a, b) = (
        i64s(&[1, 2, 3, 4, 5, 6], &[3, 1, 2]),
        i64s(&[1, 2, 3, 4, 5, 6], &[3, 2, 1]),
    );
    assert_eq!(
        Eager.dot(&a, &b).unwrap().to_vec::<i64>().unwrap(),
        [5, 25, 61]
    );
    let error = Eager.dot(&f64s(&[0.0; 6], &[2, 3]), &f64s(&[0.0; 20], &[4, 5]));
    assert_eq!(
        error.unwrap_err().to_string(),
        "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
    );
    let none = Eager.dot(&f64s(&[], &[2, 0]), &f64s(&[], &[0, 2])).unwrap();
    assert_eq!(none.to_vec::<f64>().unwrap(), [0.0; 4]);
}

#[test]
fn stretched_batches() {
    let mut g = Generator::new(2);
    let (a, b) = (random(&mut g, &[4, 3, 5]), random(&mut g, &[5, 2]));
    let b3 = apply(
        Prim::Broadcast {
            dims: [1, 2].into_iter().collect(),
            shape: [4i64, 5, 2].map(Into::into).into_iter().collect(),
        },
        &[&b],
    );
    let all = Eager.dot(&a, &b3).unwrap();
    let flat = apply(
        Prim::Reshape {
            shape: [12i64, 5].map(Into::into).into_iter().collect(),
        },
        &[&a],
    );
    let rows = Eager.dot(&flat, &b).unwrap();
    let close = all
        .to_vec::<f32>()
        .unwrap()
        .iter()
        .zip(rows.to_vec::<f32>().unwrap())
        .all(|(x, y)| (x - y).abs() < 1e-6);
    assert!(close);
}
