//! Accuracy of `dialects/math.txt` against float64 functions rounded once.

use janus_tensor::math;

/// Distance from the correctly rounded result, in units of its last place.
fn ulps(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    if rounded.is_infinite() || got.is_infinite() {
        return if got == rounded { 0.0 } else { f64::INFINITY };
    }
    let unit = f64::from(rounded.abs().next_up()) - f64::from(rounded.abs());
    (f64::from(got) - want).abs() / unit
}

/// Floats of every sign and exponent: all whose bits are a multiple of a prime.
fn all() -> impl Iterator<Item = f32> {
    (0..=u32::MAX / 997).map(|i| f32::from_bits(i * 997))
}

fn worst(
    xs: impl Iterator<Item = f32>,
    f: impl Fn(f32) -> f32,
    want: impl Fn(f64) -> f64,
) -> (f64, f32) {
    xs.map(|x| (ulps(f(x), want(f64::from(x))), x))
        .fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
}

macro_rules! accuracy {
    ($($name:ident: $bound:expr, $f:path, $want:expr, $filter:expr;)*) => {$(
        #[test]
        fn $name() {
            let (error, at) = worst(all().filter($filter), $f, $want);
            assert!(error <= $bound, "{error} ulp at {at:e}");
        }
    )*};
}

accuracy! {
    exp: 1.0, math::exp, libm::exp, |_| true;
    log: 1.0, math::log, libm::log, |_| true;
    log1p: 1.0, math::log1p, libm::log1p, |_| true;
    expm1: 1.6, math::expm1, libm::expm1, |_| true;
    tanh: 1.6, math::tanh, libm::tanh, |_| true;
    erf: 1.6, math::erf, libm::erf, |_| true;
    sin: 2.0, math::sin, libm::sin, |_| true;
    cos: 2.0, math::cos, libm::cos, |_| true;
}

#[test]
fn pow() {
    let mut worst = (0.0, 0.0, 0.0);
    for i in 0..4000u32 {
        let a = f32::from_bits(i.wrapping_mul(1_073_741_827));
        for j in 0..400u32 {
            let b = f32::from_bits(0x3800_0000 + j.wrapping_mul(0x2_bcd1) % 0x1000_0000);
            for b in [b, -b, b.floor()] {
                let want = libm::pow(f64::from(a), f64::from(b));
                let error = ulps(math::pow(a, b), want);
                if error > worst.0 {
                    worst = (error, a, b);
                }
            }
        }
    }
    assert!(
        worst.0 <= 2.0,
        "{} ulp at pow({:e}, {:e})",
        worst.0,
        worst.1,
        worst.2
    );
}

#[test]
fn signed_zeros() {
    for f in [math::sin, math::tanh, math::erf, math::expm1, math::log1p] {
        assert_eq!(f(-0.0).to_bits(), (-0.0f32).to_bits());
        assert_eq!(f(0.0).to_bits(), 0);
    }
}
