//! Views, shapes and their errors.

use janus_tensor::ops::ReduceOp;
use janus_tensor::rng::Generator;
use janus_tensor::shape::{broadcast_shapes, infer_shape, normalize_dim, view_strides};
use janus_tensor::{DType, Dim, Eager, Ops, Prim, Tensor};

use crate::{apply, arange, f32s};

fn dims(d: &[i64]) -> janus_tensor::ops::Dims {
    d.iter().map(|&d| Dim::Known(d)).collect()
}

#[test]
fn views_share_memory() {
    let x = arange(&[2, 3, 4], DType::F32);
    let permuted = apply(
        Prim::Permute {
            dims: [2, 0, 1].into_iter().collect(),
        },
        &[&x],
    );
    assert_eq!(permuted.shape()[..], [4, 2, 3]);
    assert_eq!(permuted.strides()[..], [1, 12, 4]);
    assert!(permuted.shares_storage(&x));
    let flat = apply(
        Prim::Reshape {
            shape: dims(&[6, 4]),
        },
        &[&x],
    );
    assert!(flat.shares_storage(&x));
    let copied = apply(Prim::Reshape { shape: dims(&[24]) }, &[&permuted]);
    assert!(!copied.shares_storage(&x));
    assert_eq!(&copied.to_vec::<f32>().unwrap()[..4], [0.0, 4.0, 8.0, 12.0]);
    let slice = apply(
        Prim::Slice {
            starts: dims(&[0, 1, 1]),
            sizes: dims(&[2, 2, 2]),
            strides: [1, 1, 2].into_iter().collect(),
        },
        &[&x],
    );
    assert_eq!(
        slice.to_vec::<f32>().unwrap(),
        [5.0, 7.0, 9.0, 11.0, 17.0, 19.0, 21.0, 23.0]
    );
    let zeros = Tensor::zeros(&slice.shape(), slice.dtype()).unwrap();
    janus_tensor::inplace::assign(&slice, &zeros).unwrap();
    assert_eq!(x.to_vec::<f32>().unwrap()[5], 0.0);
    assert_eq!((x.version(), slice.version()), (1, 1));
    assert_eq!(x.data().version(), 0);
}

#[test]
fn kernels_take_any_strides() {
    let mut g = Generator::new(4);
    let x = Tensor::zeros(&[7, 5, 6], DType::F32).unwrap();
    g.normal_(&x, 0.0, 1.0).unwrap();
    let turned = apply(
        Prim::Permute {
            dims: [1, 2, 0].into_iter().collect(),
        },
        &[&x],
    );
    let dense = turned.contiguous_data().unwrap();
    let stretched = apply(
        Prim::Broadcast {
            dims: [2].into_iter().collect(),
            shape: dims(&[5, 6, 7]),
        },
        &[&arange(&[7], DType::F32)],
    );
    let dense_stretched = stretched.contiguous_data().unwrap();
    let same = |a: &Tensor, b: &Tensor| assert_eq!(crate::bits(a), crate::bits(b));
    same(&Eager.exp(&turned).unwrap(), &Eager.exp(&dense).unwrap());
    same(
        &Eager.mul(&turned, &stretched).unwrap(),
        &Eager.mul(&dense, &dense_stretched).unwrap(),
    );
    same(
        &Eager.sub(&stretched, &turned).unwrap(),
        &Eager.sub(&dense_stretched, &dense).unwrap(),
    );
    let c = |a: &Tensor, b: &Tensor| Eager.gt(a, b).unwrap();
    same(
        &Eager
            .select(&c(&turned, &stretched), &turned, &stretched)
            .unwrap(),
        &Eager
            .select(&c(&dense, &dense_stretched), &dense, &dense_stretched)
            .unwrap(),
    );
    for axes in [&[0][..], &[1], &[2], &[0, 2], &[1, 2], &[0, 1, 2], &[]] {
        for op in ReduceOp::ALL {
            same(
                &Eager.reduce(*op, &turned, axes).unwrap(),
                &Eager.reduce(*op, &dense, axes).unwrap(),
            );
        }
    }
    for d in 0..3 {
        same(
            &Eager.cumsum(&turned, d).unwrap(),
            &Eager.cumsum(&dense, d).unwrap(),
        );
        same(
            &Eager.reverse(&turned, &[d]).unwrap(),
            &Eager.reverse(&dense, &[d]).unwrap(),
        );
        same(
            &Eager.concat(&[&turned, &dense], d).unwrap(),
            &Eager.concat(&[&dense, &dense], d).unwrap(),
        );
    }
}

#[test]
fn sums_follow_the_specified_order() {
    let mut g = Generator::new(9);
    let x = Tensor::zeros(&[300, 33], DType::F32).unwrap();
    g.normal_(&x, 0.0, 100.0).unwrap();
    let v = x.to_vec::<f32>().unwrap();
    let fold =
        |it: &mut dyn Iterator<Item = &f32>| it.fold(0.0f64, |a, v| a + f64::from(*v)) as f32;
    let columns: Vec<f32> = (0..33)
        .map(|c| fold(&mut v.iter().skip(c).step_by(33)))
        .collect();
    let rows: Vec<f32> = v.chunks(33).map(|r| fold(&mut r.iter())).collect();
    let got = |axes: &[usize]| {
        Eager
            .reduce(ReduceOp::Sum, &x, axes)
            .unwrap()
            .to_vec::<f32>()
            .unwrap()
    };
    assert_eq!(got(&[0]), columns);
    assert_eq!(got(&[1]), rows);
    assert_eq!(got(&[0, 1]), [fold(&mut v.iter())]);
}

#[test]
fn large_tensors_equal_small_ones() {
    // Above the size from which kernels use threads.
    let n = 300_000;
    let x = arange(&[n], DType::F32);
    let y = Eager.mul(&x, &x).unwrap().to_vec::<f32>().unwrap();
    assert!(y.iter().enumerate().all(|(i, v)| *v == i as f32 * i as f32));
}

#[test]
fn shape_errors() {
    let text = |e: janus_tensor::TensorError| e.to_string();
    assert_eq!(
        text(broadcast_shapes(&[2, 3], &[2, 4]).unwrap_err()),
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
    );
    assert_eq!(
        broadcast_shapes(&[3, 1], &[2, 1, 4]).unwrap()[..],
        [2, 3, 4]
    );
    assert_eq!(
        text(infer_shape(&[2, 3], 7).unwrap_err()),
        "shape '[2, 3]' is invalid for input of size 7"
    );
    assert_eq!(
        text(infer_shape(&[-1, -1], 4).unwrap_err()),
        "only one dimension can be inferred"
    );
    assert_eq!(infer_shape(&[2, -1], 6).unwrap()[..], [2, 3]);
    assert_eq!(
        text(normalize_dim(3, 2).unwrap_err()),
        "Dimension out of range (expected to be in range of [-2, 1], but got 3)"
    );
    assert_eq!(view_strides(&[4, 6], &[1, 4], &[24]), None);
    assert_eq!(
        view_strides(&[4, 6], &[1, 4], &[2, 2, 6]).unwrap()[..],
        [2, 1, 4]
    );
    assert_eq!(
        text(f32s(&[1.0, 2.0], &[2]).item().unwrap_err()),
        "a Tensor with 2 elements cannot be converted to Scalar"
    );
    assert!(f32s(&[1.0, 2.0], &[2]).truth().is_err());
    let index = crate::i64s(&[3], &[1]);
    let error = Eager.take(&f32s(&[0.0; 3], &[3]), 0, &index).unwrap_err();
    assert_eq!(text(error), "index out of range in self");
    let error = Eager.gather(&f32s(&[0.0; 3], &[3]), 0, &index).unwrap_err();
    assert_eq!(
        text(error),
        "index 3 is out of bounds for dimension 0 with size 3"
    );
    assert!(Tensor::zeros(&[1 << 40, 1 << 40], DType::F32).is_err());
    assert!(Tensor::zeros(&[-1], DType::F32).is_err());
}
