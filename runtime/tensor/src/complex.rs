//! Functions of complex numbers, as PyTorch's kernels on the CPU compute them.
//!
//! In: numbers of two parts. Out: the same. Always: parts of 32 bits are added, multiplied and divided as such; other
//! functions are computed in 64 bits and rounded, which is nearer to the true value than PyTorch's own.

use crate::scalar::c128;

/// `a / b`, scaled so that nothing overflows on the way.
#[must_use]
pub fn div<T>(a: num_complex::Complex<T>, b: num_complex::Complex<T>) -> num_complex::Complex<T>
where
    T: num_complex::ComplexFloat<Real = T> + PartialOrd,
{
    let (x, y) = (b.re.abs(), b.im.abs());
    let make = num_complex::Complex::<T>::new;
    if x >= y {
        if x.is_zero() && y.is_zero() {
            return make(a.re / x, a.im / y);
        }
        let ratio = b.im / b.re;
        let scale = T::one() / (b.re + b.im * ratio);
        return make((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale);
    }
    let ratio = b.re / b.im;
    let scale = T::one() / (b.re * ratio + b.im);
    make((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale)
}

/// `a ** b`; whole exponents of small size by multiplication, so that they are exact where that is.
#[must_use]
pub fn pow(a: c128, b: c128) -> c128 {
    if b.re == 0.0 && b.im == 0.0 {
        return c128::new(1.0, 0.0);
    }
    if a.re == 0.0 && a.im == 0.0 {
        return if b.re > 0.0 {
            c128::new(0.0, 0.0)
        } else {
            c128::new(f64::NAN, f64::NAN)
        };
    }
    if b.im == 0.0 && b.re == b.re.trunc() && b.re.abs() <= 16.0 {
        let power = (1..b.re.abs() as u32).fold(a, |p, _| p * a);
        return if b.re < 0.0 {
            div(c128::new(1.0, 0.0), power)
        } else {
            power
        };
    }
    if b.im == 0.0 && b.re == 0.5 {
        return a.sqrt();
    }
    a.powc(b)
}

/// `a / |a|`, and 0 for 0.
#[must_use]
pub fn sgn(a: c128) -> c128 {
    let size = a.norm();
    if size == 0.0 {
        c128::new(0.0, 0.0)
    } else {
        a / size
    }
}

/// `log(1 + a)`, also near 0.
#[must_use]
pub fn log1p(a: c128) -> c128 {
    // |1 + a|^2 - 1 without cancellation.
    let more = a.re * (2.0 + a.re) + a.im * a.im;
    let re = if more.abs() < 0.5 {
        0.5 * more.ln_1p()
    } else {
        (1.0 + a.re).hypot(a.im).ln()
    };
    c128::new(re, a.im.atan2(1.0 + a.re))
}

/// `exp(a) - 1`, also near 0.
#[must_use]
pub fn expm1(a: c128) -> c128 {
    let (half, sin) = ((0.5 * a.im).sin(), a.im.sin());
    let (more, exp) = (a.re.exp_m1(), a.re.exp());
    // exp(x) cos(y) - 1 = expm1(x) cos(y) - 2 sin(y / 2)^2
    c128::new(more * a.im.cos() - 2.0 * half * half, exp * sin)
}

/// `tanh(a)`, also where the exponentials of its parts overflow.
#[must_use]
pub fn tanh(a: c128) -> c128 {
    if a.re.is_finite() && a.re.abs() > 20.0 {
        let im = 4.0 * (2.0 * a.im).sin() * (-2.0 * a.re.abs()).exp() / 2.0;
        return c128::new(1f64.copysign(a.re), im);
    }
    a.tanh()
}

/// `1 / (1 + exp(-a))`
#[must_use]
pub fn sigmoid(a: c128) -> c128 {
    let one = c128::new(1.0, 0.0);
    div(one, one + (-a).exp())
}

/// `-i f(i a)`, of `tanh` and the like.
fn turned(a: c128, function: fn(c128) -> c128) -> c128 {
    let f = function(c128::new(-a.im, a.re));
    c128::new(f.im, -f.re)
}

/// `tan(a)`
#[must_use]
pub fn tan(a: c128) -> c128 {
    turned(a, tanh)
}

/// `asin(a)`, as Kahan computes it: the sign of a zero tells the side of a cut.
#[must_use]
pub fn asin(a: c128) -> c128 {
    let (less, more) = (c128::new(1.0 - a.re, -a.im), c128::new(1.0 + a.re, a.im));
    let (p, q) = (less.sqrt(), more.sqrt());
    c128::new(a.re.atan2((p * q).re), (p.conj() * q).im.asinh())
}

/// `acos(a)`
#[must_use]
pub fn acos(a: c128) -> c128 {
    let (less, more) = (c128::new(1.0 - a.re, -a.im), c128::new(1.0 + a.re, a.im));
    let (p, q) = (less.sqrt(), more.sqrt());
    c128::new(2.0 * p.re.atan2(q.re), (q.conj() * p).im.asinh())
}

/// `asinh(a)`
#[must_use]
pub fn asinh(a: c128) -> c128 {
    turned(a, asin)
}

/// `acosh(a)`
#[must_use]
pub fn acosh(a: c128) -> c128 {
    let (less, more) = (c128::new(a.re - 1.0, a.im), c128::new(a.re + 1.0, a.im));
    let (p, q) = (less.sqrt(), more.sqrt());
    c128::new((p.conj() * q).re.asinh(), 2.0 * p.im.atan2(q.re))
}

/// `atanh(a)`
#[must_use]
pub fn atanh(a: c128) -> c128 {
    let less = 1.0 - a.re;
    let square = a.im * a.im;
    let re = 0.25 * (4.0 * a.re / (less * less + square)).ln_1p();
    let im = 0.5 * (2.0 * a.im).atan2(less * (1.0 + a.re) - square);
    c128::new(re, im)
}

/// `atan(a)`
#[must_use]
pub fn atan(a: c128) -> c128 {
    turned(a, atanh)
}
