//! Normal numbers in blocks of 16, as `normal_fill` makes them.
//!
//! In: a generator and 16 or more elements. Out: the elements, normally distributed.
//! Always: f32 takes the logarithm, sine and cosine of `avx_mathfun.h` with the fused
//! multiply-adds that PyTorch's AVX2 build has; f64 takes the system's. A rest of less than
//! 16 redraws the last 16 elements.

use super::{Draw, Generator};
use crate::kernels::loops::vectorized;

type V = [f32; 8];

#[inline(always)]
fn v(f: impl FnMut(usize) -> f32) -> V {
    std::array::from_fn(f)
}

#[inline(always)]
fn fma(a: V, b: f32, c: V) -> V {
    v(|i| a[i].mul_add(b, c[i]))
}

/// `a * b + c` with a constant c.
#[inline(always)]
fn horner(a: V, b: V, c: f32) -> V {
    v(|i| a[i].mul_add(b[i], c))
}

/// `log256_ps`; the argument is in (0, 1].
#[inline(always)]
fn log(x: V) -> V {
    let bits: [i32; 8] = std::array::from_fn(|i| x[i].max(f32::MIN_POSITIVE).to_bits() as i32);
    let m = v(|i| f32::from_bits(((bits[i] & 0x007f_ffff) | 0x3f00_0000) as u32));
    let small: [bool; 8] = std::array::from_fn(|i| m[i] < std::f32::consts::FRAC_1_SQRT_2);
    let e = v(|i| ((bits[i] >> 23) - 0x7f) as f32 + if small[i] { 0.0 } else { 1.0 });
    let x = v(|i| (m[i] - 1.0) + if small[i] { m[i] } else { 0.0 });
    let z = v(|i| x[i] * x[i]);
    let mut y = [7.037_683_629_2e-2_f64 as f32; 8];
    for c in [
        -1.151_461_031_0e-1_f64,
        1.167_699_874_0e-1,
        -1.242_014_084_6e-1,
        1.424_932_278_7e-1,
        -1.666_805_766_5e-1,
        2.000_071_476_5e-1,
        -2.499_999_399_3e-1,
        3.333_333_117_4e-1,
    ] {
        y = horner(y, x, c as f32);
    }
    let y = v(|i| y[i] * x[i]);
    let low = v(|i| e[i] * -2.121_944_4e-4);
    let y = v(|i| y[i].mul_add(z[i], low[i]));
    let y = fma(z, -0.5, y);
    let x = v(|i| x[i] + y[i]);
    fma(e, 0.693_359_375_f64 as f32, x)
}

/// `sincos256_ps`; the argument is in [0, 2 pi).
#[inline(always)]
fn sin_cos(x: V) -> (V, V) {
    const FOUR_OVER_PI: f32 = 1.273_239_5;
    let q: [i32; 8] = std::array::from_fn(|i| ((x[i] * FOUR_OVER_PI) as i32 + 1) & !1);
    let y = v(|i| q[i] as f32);
    let mut r = x;
    for part in [-0.785_156_25, -2.418_756_5e-4, -3.774_895e-8] {
        r = fma(y, part, r);
    }
    let z = v(|i| r[i] * r[i]);
    let c = [2.443_315_7e-5; 8];
    let c = horner(c, z, -1.388_731_6e-3);
    let c = horner(c, z, 4.166_664_6e-2);
    let c = v(|i| c[i] * z[i]);
    let c = v(|i| c[i].mul_add(z[i], -(z[i] * 0.5)) + 1.0);
    let s = [-1.951_529_6e-4; 8];
    let s = horner(s, z, 8.332_161e-3);
    let s = horner(s, z, -1.666_665_5e-1);
    let s = v(|i| s[i] * z[i]);
    let s = v(|i| s[i].mul_add(r[i], r[i]));
    let sin = v(|i| {
        let y = if q[i] & 2 == 0 { s[i] } else { c[i] };
        if q[i] & 4 == 0 { y } else { -y }
    });
    let cos = v(|i| {
        let y = if q[i] & 2 == 0 { c[i] } else { s[i] };
        if (q[i] - 2) & 4 == 0 { -y } else { y }
    });
    (sin, cos)
}

#[inline(always)]
fn block_f32(data: &mut [f32], mean: f32, std: f32) {
    let Some((u1, u2)) = data.split_at_mut_checked(8) else {
        return;
    };
    let (Some(a), Some(b)) = (u1.first_chunk_mut::<8>(), u2.first_chunk_mut::<8>()) else {
        return;
    };
    let radius = log(v(|i| 1.0 - a[i])).map(|l| (-2.0 * l).sqrt());
    let (sin, cos) = sin_cos(b.map(|u| (2.0 * std::f64::consts::PI) as f32 * u));
    *a = v(|i| (radius[i] * cos[i]).mul_add(std, mean));
    *b = v(|i| (radius[i] * sin[i]).mul_add(std, mean));
}

fn block_f64(data: &mut [f64], mean: f64, std: f64) {
    let Some((a, b)) = data.split_at_mut_checked(8) else {
        return;
    };
    for (x, y) in a.iter_mut().zip(b) {
        let radius = (-2.0 * (1.0 - *x).ln()).sqrt();
        let theta = 2.0 * std::f64::consts::PI * *y;
        *x = radius * theta.cos() * std + mean;
        *y = radius * theta.sin() * std + mean;
    }
}

#[inline(always)]
fn fill<T: Draw>(g: &mut Generator, data: &mut [T], block: impl Fn(&mut [T])) {
    for x in data.iter_mut() {
        *x = T::unit(g);
    }
    for chunk in data.chunks_exact_mut(16) {
        block(chunk);
    }
    let rest = data.len() % 16;
    let last = data.len().saturating_sub(16);
    if rest != 0
        && let Some(tail) = data.get_mut(last..)
    {
        for x in tail.iter_mut() {
            *x = T::unit(g);
        }
        block(tail);
    }
}

/// Fills 16 or more elements.
pub(super) fn fill_f32(g: &mut Generator, data: &mut [f32], mean: f32, std: f32) {
    vectorized(
        #[inline(always)]
        || {
            fill(
                g,
                data,
                #[inline(always)]
                |block| block_f32(block, mean, std),
            );
        },
    );
}

/// Fills 16 or more elements.
pub(super) fn fill_f64(g: &mut Generator, data: &mut [f64], mean: f64, std: f64) {
    fill(g, data, |block| block_f64(block, mean, std));
}

/// Fills 16 or more elements of 16 bits; each step is rounded, as PyTorch's arithmetic on such numbers is.
pub(super) fn fill_reduced<T: Draw>(g: &mut Generator, data: &mut [T], mean: f64, std: f64) {
    let round = |v: f64| T::from_f64(v).to_f64();
    let (mean, std) = (round(mean), round(std));
    fill(g, data, |block| {
        let Some((a, b)) = block.split_at_mut_checked(8) else {
            return;
        };
        for (x, y) in a.iter_mut().zip(b) {
            let log = round(round(1.0 - x.to_f64()).ln());
            let radius = round(round(-2.0 * log).sqrt());
            let theta = round(2.0 * std::f64::consts::PI * y.to_f64());
            let scaled = |part: f64| {
                let part = round(radius * round(part));
                T::from_f64(round(part * std) + mean)
            };
            (*x, *y) = (scaled(theta.cos()), scaled(theta.sin()));
        }
    });
}
