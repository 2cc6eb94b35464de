//! Pooling: where the largest element of each window is, against its definition.

use janus_tensor::ops::{Dims, PoolWindow, Prim};
use janus_tensor::rng::Generator;
use janus_tensor::{DType, Dim, Tensor};

use crate::apply;

/// Image, kernel, strides, padding and dilation.
type Case = [&'static [i64]; 5];

const CASES: [Case; 9] = [
    [&[51, 50], &[3, 3], &[2, 2], &[0, 0], &[1, 1]],
    [&[5, 5], &[3, 3], &[2, 2], &[1, 1], &[1, 1]],
    [&[40, 39], &[3, 2], &[1, 1], &[1, 1], &[1, 1]],
    [&[20, 70], &[2, 3], &[3, 4], &[0, 0], &[2, 3]],
    [&[9, 9], &[2, 3], &[2, 1], &[1, 1], &[4, 1]],
    // Windows between whose elements the image lies.
    [&[2, 2], &[2, 2], &[1, 1], &[1, 1], &[3, 3]],
    [&[100], &[7], &[3], &[3], &[2]],
    [&[7, 6, 40], &[2, 3, 2], &[2, 1, 2], &[1, 1, 0], &[1, 2, 1]],
    [&[3, 3], &[3, 3], &[1, 1], &[0, 0], &[1, 1]],
];

/// Of equal elements the first one counts, and a NaN is larger than what came before it.
fn place_of_largest(
    values: &[f64],
    [image, kernel, strides, padding, dilation]: Case,
    window: &[i64],
) -> i64 {
    let (mut best, mut place) = (None, 0);
    'taps: for tap in 0..kernel.iter().product::<i64>() {
        let (mut rest, mut at, mut scale) = (tap, 0, 1);
        for i in (0..image.len()).rev() {
            let p = window[i] * strides[i] + rest % kernel[i] * dilation[i] - padding[i];
            rest /= kernel[i];
            if !(0..image[i]).contains(&p) {
                continue 'taps;
            }
            at += p * scale;
            scale *= image[i];
        }
        let v = values[at as usize];
        if best.is_none_or(|b| v > b) || v.is_nan() {
            (best, place) = (Some(v), at);
        }
    }
    place
}

#[test]
fn places_are_those_of_the_definition() {
    let mut g = Generator::new(7);
    for (case, dtype) in CASES
        .iter()
        .flat_map(|c| [DType::F32, DType::F64, DType::I64, DType::U8].map(|dtype| (*c, dtype)))
    {
        let [image, kernel, strides, padding, dilation] = case;
        let full = [&[3, 4], image].concat();
        // Few values, so that many are equal; some are no numbers.
        let drawn = Tensor::zeros(&full, DType::F64).unwrap();
        g.uniform_(&drawn, 0.0, 12.0).unwrap();
        let values: Vec<f64> = (drawn.to_vec::<f64>().unwrap().iter().map(|v| v.floor()))
            .map(|v| {
                if v == 11.0 && dtype.is_float() {
                    f64::NAN
                } else {
                    v
                }
            })
            .collect();
        let x = Tensor::from_slice(&values, &full).unwrap();
        let x = apply(Prim::Cast(dtype), &[&x]);
        let windows: Vec<i64> = (0..image.len())
            .map(|i| {
                (image[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) / strides[i] + 1
            })
            .collect();
        let shape: Dims = [&[3, 4], &windows[..]]
            .concat()
            .iter()
            .map(|&d| Dim::Known(d))
            .collect();
        let window = PoolWindow {
            kernel: kernel.iter().copied().collect(),
            strides: strides.iter().copied().collect(),
            padding: padding.iter().copied().collect(),
            dilation: dilation.iter().copied().collect(),
        };
        let found = apply(Prim::PoolArgmax { window, shape }, &[&x]);
        let found = found.to_vec::<i64>().unwrap();
        let plane: usize = image.iter().product::<i64>() as usize;
        let count = windows.iter().product::<i64>() as usize;
        for (p, values) in values.chunks(plane).enumerate() {
            for q in 0..count {
                let mut at = vec![0; windows.len()];
                let mut rest = q as i64;
                for i in (0..windows.len()).rev() {
                    at[i] = rest % windows[i];
                    rest /= windows[i];
                }
                let want = place_of_largest(values, case, &at);
                assert_eq!(
                    found[p * count + q],
                    want,
                    "{case:?} {dtype:?} plane {p} window {at:?}"
                );
            }
        }
    }
}
