//! Inverse circular and hyperbolic functions, gamma functions, logarithms of sums.
//!
//! In: tensors and numbers. Out: tensors of the promoted float dtype. Always: series are evaluated
//! in double precision and rounded once; where a branch does not count, its operand is harmless.

use janus_tensor::DType;
use janus_tensor::ops::ComplexOp;

use super::pointwise::real_operand;
use super::slope::{constant_of, is_differentiated, with_gradient_of, with_slope, without_slope};
use super::{Res, TRes, named, no_kernel, promoted, splat_like, to_float, unify2};
use crate::TorchOps;
use crate::call::{CallArgs, Operand, Ret};

const PI: f64 = std::f64::consts::PI;

/// Computes in double precision and rounds to the dtype of the argument, whose slope is told beside it.
fn in_double<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    label: &'static str,
    f: impl FnOnce(&mut B, &B::T) -> TRes<B>,
    slope: impl FnOnce(&mut B, &B::T) -> TRes<B>,
) -> Res<B> {
    let x = real_operand(b, args)?;
    let dtype = b.dtype(&x);
    let constant = constant_of(b, &x)?;
    let wide = b.cast(&constant, DType::F64)?;
    let t = f(b, &wide)?;
    let t = b.cast(&t, dtype)?;
    let t = with_slope(b, t, &x, |b| slope(b, &x))?;
    named(b, t, label)
}

/// The first argument, where it is complex.
fn complex_operand<B: TorchOps>(b: &B, args: &CallArgs<B>) -> Result<Option<B::T>, B::Error> {
    let x = args.tensor(0)?;
    Ok(b.dtype(&x).is_complex().then_some(x))
}

/// `1 + sign * x^2`
fn one_and_square<B: TorchOps>(b: &mut B, x: &B::T, sign: f64) -> TRes<B> {
    let square = b.mul(x, x)?;
    let square = times(b, &square, sign)?;
    plus(b, &square, 1.0)
}

/// `c[0] + c[1] x + c[2] x^2 + ...`
fn polynomial<B: TorchOps>(b: &mut B, x: &B::T, c: &[f64]) -> TRes<B> {
    let mut sum: Option<B::T> = None;
    for &c in c.iter().rev() {
        let c = splat_like(b, c, x)?;
        sum = Some(match sum {
            None => c,
            Some(s) => {
                let s = b.mul(&s, x)?;
                b.add(&s, &c)?
            }
        });
    }
    match sum {
        Some(s) => Ok(s),
        None => splat_like(b, 0, x),
    }
}

/// `x + c`
fn plus<B: TorchOps>(b: &mut B, x: &B::T, c: f64) -> TRes<B> {
    let c = splat_like(b, c, x)?;
    b.add(x, &c)
}

/// `x * c`
fn times<B: TorchOps>(b: &mut B, x: &B::T, c: f64) -> TRes<B> {
    let c = splat_like(b, c, x)?;
    b.mul(x, &c)
}

/// `c / x`
fn over<B: TorchOps>(b: &mut B, c: f64, x: &B::T) -> TRes<B> {
    let c = splat_like(b, c, x)?;
    b.div(&c, x)
}

/// The operand without its sign, and whether it was negative; the gradient at 0 is that of `x`.
fn unsigned<B: TorchOps>(b: &mut B, x: &B::T) -> Result<(B::T, B::T), B::Error> {
    let zero = splat_like(b, 0, x)?;
    let below = b.lt(x, &zero)?;
    // A zero has a sign, too.
    let inverse = over(b, 1.0, x)?;
    let negative = b.lt(&inverse, &zero)?;
    let negative = b.or(&below, &negative)?;
    let minus = b.neg(x)?;
    Ok((b.select(&negative, &minus, x)?, negative))
}

/// Gives a result the sign of its operand.
fn signed<B: TorchOps>(b: &mut B, t: &B::T, negative: &B::T) -> TRes<B> {
    let minus = b.neg(t)?;
    b.select(negative, &minus, t)
}

/// The arc tangent of doubles, by fdlibm's reduction and polynomial.
fn atan_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    const P: [f64; 11] = [
        0.3333333333333293,
        -0.19999999999876483,
        0.14285714272503466,
        -0.11111110405462356,
        0.09090887133436507,
        -0.0769187620504483,
        0.06661073137387531,
        -0.058335701337905735,
        0.049768779946159324,
        -0.036531572744216916,
        0.016285820115365782,
    ];
    let (a, negative) = unsigned(b, x)?;
    // atan(a) = atan(c) + atan((a - c) / (1 + c a)), and pi / 2 - atan(1 / a) far out.
    let mut c = splat_like(b, 0, &a)?;
    let mut base = splat_like(b, 0, &a)?;
    for (limit, near) in [(0.4375, 0.5f64), (0.6875, 1.0), (1.1875, 1.5)] {
        let limit = splat_like(b, limit, &a)?;
        let beyond = b.ge(&a, &limit)?;
        let (value, angle) = (splat_like(b, near, &a)?, splat_like(b, near.atan(), &a)?);
        c = b.select(&beyond, &value, &c)?;
        base = b.select(&beyond, &angle, &base)?;
    }
    let limit = splat_like(b, 2.4375, &a)?;
    let far = b.ge(&a, &limit)?;
    let right = splat_like(b, PI / 2.0, &a)?;
    base = b.select(&far, &right, &base)?;
    let one = splat_like(b, 1, &a)?;
    let near = b.select(&far, &one, &a)?;
    let top = b.sub(&near, &c)?;
    let minus = splat_like(b, -1, &a)?;
    let top = b.select(&far, &minus, &top)?;
    let bottom = b.mul(&c, &near)?;
    let bottom = b.add(&bottom, &one)?;
    let bottom = b.select(&far, &a, &bottom)?;
    let t = b.div(&top, &bottom)?;
    let z = b.mul(&t, &t)?;
    let p = polynomial(b, &z, &P)?;
    let p = b.mul(&p, &z)?;
    let p = b.mul(&p, &t)?;
    let t = b.sub(&t, &p)?;
    let t = b.add(&base, &t)?;
    signed(b, &t, &negative)
}

/// `(log(1 + x) - log(1 - x)) / 2`
fn atanh_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let minus = b.neg(x)?;
    let (p, q) = (b.log1p(x)?, b.log1p(&minus)?);
    let t = b.sub(&p, &q)?;
    times(b, &t, 0.5)
}

/// `atan`
pub fn atan<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(x) = complex_operand(b, args)? {
        let t = b.complex(ComplexOp::Atan, &x)?;
        return named(b, t, "AtanBackward0");
    }
    in_double(b, args, "AtanBackward0", atan_of, |b, x| {
        let bottom = one_and_square(b, x, 1.0)?;
        over(b, 1.0, &bottom)
    })
}

fn asin_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let one = splat_like(b, 1, x)?;
    let (p, q) = (b.sub(&one, x)?, b.add(&one, x)?);
    let s = b.mul(&p, &q)?;
    let s = b.sqrt(&s)?;
    let t = b.div(x, &s)?;
    atan_of(b, &t)
}

/// `asin`
pub fn asin<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(x) = complex_operand(b, args)? {
        let t = b.complex(ComplexOp::Asin, &x)?;
        return named(b, t, "AsinBackward0");
    }
    in_double(b, args, "AsinBackward0", asin_of, |b, x| {
        let rest = one_and_square(b, x, -1.0)?;
        b.rsqrt(&rest)
    })
}

/// `acos`
pub fn acos<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(x) = complex_operand(b, args)? {
        let t = b.complex(ComplexOp::Acos, &x)?;
        return named(b, t, "AcosBackward0");
    }
    let value = |b: &mut B, x: &B::T| {
        let t = asin_of(b, x)?;
        let right = splat_like(b, PI / 2.0, x)?;
        b.sub(&right, &t)
    };
    in_double(b, args, "AcosBackward0", value, |b, x| {
        let rest = one_and_square(b, x, -1.0)?;
        let root = b.rsqrt(&rest)?;
        b.neg(&root)
    })
}

/// The operand where its square is a number and 1 elsewhere; where that is; `log(2 a)`, which is as good there.
fn near_and_far<B: TorchOps>(b: &mut B, a: &B::T) -> Result<(B::T, B::T, B::T), B::Error> {
    let limit = splat_like(b, 1e150, a)?;
    let far = b.gt(a, &limit)?;
    let one = splat_like(b, 1, a)?;
    let (near, large) = (b.select(&far, &one, a)?, b.select(&far, a, &one)?);
    let l = b.log(&large)?;
    Ok((near, far, plus(b, &l, std::f64::consts::LN_2)?))
}

/// `asinh`
pub fn asinh<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(x) = complex_operand(b, args)? {
        let t = b.complex(ComplexOp::Asinh, &x)?;
        return named(b, t, "AsinhBackward0");
    }
    let value = |b: &mut B, x: &B::T| {
        let (a, negative) = unsigned(b, x)?;
        let (near, far, double) = near_and_far(b, &a)?;
        // log(a + sqrt(a^2 + 1)) without cancellation near 0.
        let square = b.mul(&near, &near)?;
        let root = plus(b, &square, 1.0)?;
        let root = b.sqrt(&root)?;
        let root = plus(b, &root, 1.0)?;
        let rest = b.div(&square, &root)?;
        let t = b.add(&near, &rest)?;
        let t = b.log1p(&t)?;
        let t = b.select(&far, &double, &t)?;
        signed(b, &t, &negative)
    };
    in_double(b, args, "AsinhBackward0", value, |b, x| {
        let sum = one_and_square(b, x, 1.0)?;
        b.rsqrt(&sum)
    })
}

/// `acosh`
pub fn acosh<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(x) = complex_operand(b, args)? {
        let t = b.complex(ComplexOp::Acosh, &x)?;
        return named(b, t, "AcoshBackward0");
    }
    let value = |b: &mut B, x: &B::T| {
        let (near, far, double) = near_and_far(b, x)?;
        let d = plus(b, &near, -1.0)?;
        // Below 1 there is no value: the root of what is negative there, though the sum is negative further down, too.
        let root = b.sqrt(&d)?;
        let sum = plus(b, &near, 1.0)?;
        let other = b.sqrt(&sum)?;
        let root = b.mul(&root, &other)?;
        let t = b.add(&d, &root)?;
        let t = b.log1p(&t)?;
        b.select(&far, &double, &t)
    };
    in_double(b, args, "AcoshBackward0", value, |b, x| {
        let square = b.mul(x, x)?;
        let less = plus(b, &square, -1.0)?;
        b.rsqrt(&less)
    })
}

/// `atanh`
pub fn atanh<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    if let Some(x) = complex_operand(b, args)? {
        let t = b.complex(ComplexOp::Atanh, &x)?;
        return named(b, t, "AtanhBackward0");
    }
    in_double(b, args, "AtanhBackward0", atanh_of, |b, x| {
        let rest = one_and_square(b, x, -1.0)?;
        over(b, 1.0, &rest)
    })
}

/// Whether the sign is negative, also that of a zero.
pub fn signbit_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let zero = splat_like(b, 0, x)?;
    let negative = b.lt(x, &zero)?;
    if !b.dtype(x).is_float() {
        return Ok(negative);
    }
    let is_zero = b.eq(x, &zero)?;
    let constant = b.detach(x)?;
    let inverse = over(b, 1.0, &constant)?;
    let below = b.lt(&inverse, &zero)?;
    let below = b.and(&is_zero, &below)?;
    b.or(&negative, &below)
}

/// `atan2(input, other)`: the angle of the point (other, input).
pub fn atan2<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (y, x) = (args.operand(b, 0)?, args.operand(b, 1)?);
    let dtype = promoted(b, &[&y, &x]);
    let dtype = to_float(b, dtype);
    let (up, along) = unify2(b, &y, &x, dtype)?;
    let t = angle_of(b, &up, &along)?;
    named(b, t, "Atan2Backward0")
}

/// The angle of points: of each how far up it is, and how far along.
pub fn angle_of<B: TorchOps>(b: &mut B, up: &B::T, along: &B::T) -> TRes<B> {
    let dtype = b.dtype(up);
    let (y, x) = (constant_of(b, up)?, constant_of(b, along)?);
    let (y, x) = (b.cast(&y, DType::F64)?, b.cast(&x, DType::F64)?);
    let (down, left) = (signbit_of(b, &y)?, signbit_of(b, &x)?);
    // Two infinite ones are equal in size.
    let (p, q) = (b.abs(&y)?, b.abs(&x)?);
    let infinity = splat_like(b, f64::INFINITY, &p)?;
    let (tall, wide) = (b.eq(&p, &infinity)?, b.eq(&q, &infinity)?);
    let both = b.and(&tall, &wide)?;
    let (up_sign, along_sign) = (b.sign(&y)?, b.sign(&x)?);
    let y = b.select(&both, &up_sign, &y)?;
    let x = b.select(&both, &along_sign, &x)?;
    // The smaller one over the larger one, which is not 0.
    let flat = b.le(&p, &q)?;
    let (top, bottom) = (b.select(&flat, &y, &x)?, b.select(&flat, &x, &y)?);
    let zero = splat_like(b, 0, &bottom)?;
    let origin = b.eq(&bottom, &zero)?;
    let one = splat_like(b, 1, &bottom)?;
    let bottom = b.select(&origin, &one, &bottom)?;
    let ratio = b.div(&top, &bottom)?;
    let angle = atan_of(b, &ratio)?;
    let half = splat_like(b, PI, &angle)?;
    let half = signed(b, &half, &down)?;
    let behind = b.add(&angle, &half)?;
    // The ratio of a zero and a one has lost the sign of y.
    let magnitude = b.mul(&zero, &one)?;
    let nothing = signed(b, &magnitude, &down)?;
    let flat_angle = b.select(&left, &behind, &angle)?;
    let ahead = b.not(&left)?;
    let still = b.and(&origin, &ahead)?;
    let flat_angle = b.select(&still, &nothing, &flat_angle)?;
    let right = times(b, &half, 0.5)?;
    let steep = b.sub(&right, &angle)?;
    let t = b.select(&flat, &flat_angle, &steep)?;
    let mut t = b.cast(&t, dtype)?;
    if is_differentiated(b, up) || is_differentiated(b, along) {
        // Of the square of the distance from the origin, which itself has no slopes.
        let (p, q) = (b.mul(up, up)?, b.mul(along, along)?);
        let square = b.add(&p, &q)?;
        let zero = splat_like(b, 0, &square)?;
        let origin = b.eq(&square, &zero)?;
        let inverse = over(b, 1.0, &square)?;
        let inverse = b.select(&origin, &zero, &inverse)?;
        t = with_slope(b, t, up, |b| b.mul(along, &inverse))?;
        t = with_slope(b, t, along, |b| {
            let minus = b.neg(up)?;
            b.mul(&minus, &inverse)
        })?;
    }
    Ok(t)
}

/// An operand for a reflection: its mirror image where it is below a half, what it was elsewhere;
/// whether it was mirrored; its distance from the next integer there, a quarter elsewhere.
fn reflected<B: TorchOps>(b: &mut B, x: &B::T) -> Result<(B::T, B::T, B::T), B::Error> {
    let half = splat_like(b, 0.5, x)?;
    let low = b.lt(x, &half)?;
    let one = splat_like(b, 1, x)?;
    let mirror = b.sub(&one, x)?;
    let y = b.select(&low, &mirror, x)?;
    let whole = b.round(x)?;
    let rest = b.sub(x, &whole)?;
    // The side of a zero is its sign.
    let zero = splat_like(b, 0, x)?;
    let at_zero = b.eq(x, &zero)?;
    let rest = b.select(&at_zero, x, &rest)?;
    let quarter = splat_like(b, 0.25, x)?;
    let rest = b.select(&low, &rest, &quarter)?;
    Ok((y, low, rest))
}

/// `erfc` of doubles: `1 - erf(x)` where that loses nothing, else by fdlibm's rational functions of `1 / x^2`.
fn erfc_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    // Up to 1 / 0.35, and beyond.
    const TOP: [&[f64]; 2] = [
        &[
            -0.009864944034847148,
            -0.6938585727071818,
            -10.558626225323291,
            -62.375332450326006,
            -162.39666946257347,
            -184.60509290671104,
            -81.2874355063066,
            -9.814329344169145,
        ],
        &[
            -0.0098649429247001,
            -0.799283237680523,
            -17.757954917754752,
            -160.63638485582192,
            -637.5664433683896,
            -1025.0951316110772,
            -483.5191916086514,
        ],
    ];
    const BOTTOM: [&[f64]; 2] = [
        &[
            1.0,
            19.651271667439257,
            137.65775414351904,
            434.56587747522923,
            645.3872717332679,
            429.00814002756783,
            108.63500554177944,
            6.570249770319282,
            -0.0604244152148581,
        ],
        &[
            1.0,
            30.33806074348246,
            325.7925129965739,
            1536.729586084437,
            3199.8582195085955,
            2553.0504064331644,
            474.52854120695537,
            -22.44095244658582,
        ],
    ];
    let e = b.erf(x)?;
    let one = splat_like(b, 1, x)?;
    let near = b.sub(&one, &e)?;
    let limit = splat_like(b, 1.25, x)?;
    let far = b.ge(x, &limit)?;
    // Beyond 28 nothing is left, and 1 / x^2 stays a number.
    let (end, start) = (splat_like(b, 28, x)?, &limit);
    let a = b.minimum(x, &end)?;
    let a = b.maximum(&a, start)?;
    let square = b.mul(&a, &a)?;
    let s = b.div(&one, &square)?;
    let middle = splat_like(b, 1.0 / 0.35, x)?;
    let beyond = b.ge(&a, &middle)?;
    let mut ratios = Vec::with_capacity(2);
    for (top, bottom) in TOP.iter().zip(BOTTOM) {
        let (p, q) = (polynomial(b, &s, top)?, polynomial(b, &s, bottom)?);
        ratios.push(b.div(&p, &q)?);
    }
    let ratio = match &ratios[..] {
        [low, high] => b.select(&beyond, high, low)?,
        _ => near.clone(),
    };
    // exp(-a^2) with the square of the leading half of the digits, which is exact.
    let lead = b.cast(&a, DType::F32)?;
    let lead = b.cast(&lead, DType::F64)?;
    let lead_square = b.mul(&lead, &lead)?;
    let power = b.neg(&lead_square)?;
    let power = plus(b, &power, -0.5625)?;
    let power = b.exp(&power)?;
    let (d, sum) = (b.sub(&lead, &a)?, b.add(&lead, &a)?);
    let rest = b.mul(&d, &sum)?;
    let rest = b.add(&rest, &ratio)?;
    let rest = b.exp(&rest)?;
    let t = b.mul(&power, &rest)?;
    let t = b.div(&t, &a)?;
    b.select(&far, &t, &near)
}

/// `erfc`: what `erf` lacks to 1, also where that is tiny.
pub fn erfc<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    in_double(b, args, "ErfcBackward0", erfc_of, |b, x| {
        let square = b.mul(x, x)?;
        let minus = b.neg(&square)?;
        let power = b.exp(&minus)?;
        times(b, &power, -std::f64::consts::FRAC_2_SQRT_PI)
    })
}

/// `lgamma`, by the approximation of Lanczos.
pub fn lgamma<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    in_double(b, args, "LgammaBackward0", lgamma_of, |b, x| {
        let dtype = b.dtype(x);
        let constant = constant_of(b, x)?;
        let wide = b.cast(&constant, DType::F64)?;
        let t = digamma_of(b, &wide)?;
        let t = b.cast(&t, dtype)?;
        with_slope(b, t, x, |b| {
            let wide = b.cast(x, DType::F64)?;
            let t = trigamma_of(b, &wide)?;
            b.cast(&t, dtype)
        })
    })
}

/// The logarithm of the absolute value of the gamma function, of doubles.
pub fn lgamma_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    const C: [f64; 8] = [
        676.5203681218851,
        -1259.1392167224028,
        771.3234287776531,
        -176.6150291621406,
        12.507343278686905,
        -0.13857109526572012,
        9.984369578019572e-06,
        1.5056327351493116e-07,
    ];
    let (y, low, rest) = reflected(b, x)?;
    let mut sum = splat_like(b, 0.9999999999998099, &y)?;
    for (i, &c) in C.iter().enumerate() {
        let place = plus(b, &y, i as f64)?;
        let term = over(b, c, &place)?;
        sum = b.add(&sum, &term)?;
    }
    let t = plus(b, &y, 6.5)?;
    let power = plus(b, &y, -0.5)?;
    let l = b.log(&t)?;
    let l = b.mul(&power, &l)?;
    let s = b.log(&sum)?;
    let s = plus(b, &s, 0.5 * (2.0 * PI).ln())?;
    let l = b.sub(&l, &t)?;
    let t = b.add(&l, &s)?;
    let sine = times(b, &rest, PI)?;
    let sine = b.sin(&sine)?;
    let sine = b.abs(&sine)?;
    let factor = over(b, PI, &sine)?;
    let factor = b.log(&factor)?;
    let mirrored = b.sub(&factor, &t)?;
    let t = b.select(&low, &mirrored, &t)?;
    // The zeros and the far end exactly.
    let (one, two) = (splat_like(b, 1, x)?, splat_like(b, 2, x)?);
    let (one, two) = (b.eq(x, &one)?, b.eq(x, &two)?);
    let root = b.or(&one, &two)?;
    let constant = b.detach(&t)?;
    let zero = b.sub(&t, &constant)?;
    let t = b.select(&root, &zero, &t)?;
    let infinity = splat_like(b, f64::INFINITY, x)?;
    let magnitude = b.abs(x)?;
    let far = b.eq(&magnitude, &infinity)?;
    b.select(&far, &infinity, &t)
}

/// `digamma`: a recurrence up to where the asymptotic series is exact.
pub fn digamma<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    in_double(b, args, "DigammaBackward0", digamma_of, |b, x| {
        trigamma_of(b, x)
    })
}

/// The derivative of `digamma`: PyTorch's few steps and terms, in the dtype of the argument.
fn trigamma_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let half = splat_like(b, 0.5, x)?;
    let low = b.lt(x, &half)?;
    let one = splat_like(b, 1, x)?;
    let mirrored = b.sub(&one, x)?;
    let mut y = b.select(&low, &mirrored, x)?;
    let angle = times(b, x, PI)?;
    let sine = b.sin(&angle)?;
    let square = b.mul(&sine, &sine)?;
    let below = over(b, -PI * PI, &square)?;
    let zero = splat_like(b, 0, x)?;
    let mut sum = b.select(&low, &below, &zero)?;
    for _ in 0..6 {
        let square = b.mul(&y, &y)?;
        let term = over(b, 1.0, &square)?;
        sum = b.add(&sum, &term)?;
        y = plus(b, &y, 1.0)?;
    }
    let square = b.mul(&y, &y)?;
    let z = over(b, 1.0, &square)?;
    let series = polynomial(b, &z, &[1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0])?;
    let series = b.mul(&series, &z)?;
    let twice = times(b, &y, 2.0)?;
    let half = over(b, 1.0, &twice)?;
    let factor = plus(b, &half, 1.0)?;
    let factor = b.add(&factor, &series)?;
    let rest = b.div(&factor, &y)?;
    let t = b.add(&sum, &rest)?;
    let minus = b.neg(&t)?;
    b.select(&low, &minus, &t)
}

/// The derivative of `lgamma`, of doubles.
fn digamma_of<B: TorchOps>(b: &mut B, x: &B::T) -> TRes<B> {
    let (mut y, low, rest) = reflected(b, x)?;
    let mut sum = splat_like(b, 0, &y)?;
    for _ in 0..10 {
        let term = over(b, 1.0, &y)?;
        sum = b.add(&sum, &term)?;
        y = plus(b, &y, 1.0)?;
    }
    let l = b.log(&y)?;
    let half = over(b, 0.5, &y)?;
    let square = b.mul(&y, &y)?;
    let z = over(b, 1.0, &square)?;
    let c = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32760.0,
        1.0 / 12.0,
    ];
    let series = polynomial(b, &z, &c)?;
    let series = b.mul(&series, &z)?;
    let t = b.sub(&l, &half)?;
    let t = b.sub(&t, &series)?;
    let t = b.sub(&t, &sum)?;
    let angle = times(b, &rest, PI)?;
    let (s, c) = (b.sin(&angle)?, b.cos(&angle)?);
    let cot = b.div(&c, &s)?;
    let cot = times(b, &cot, PI)?;
    let mirrored = b.sub(&t, &cot)?;
    let t = b.select(&low, &mirrored, &t)?;
    // A pole has no value, but for the one at 0.
    let zero = splat_like(b, 0, x)?;
    let below = b.lt(x, &zero)?;
    let whole = b.round(x)?;
    let whole = b.eq(x, &whole)?;
    let pole = b.and(&below, &whole)?;
    let nan = splat_like(b, f64::NAN, x)?;
    b.select(&pole, &nan, &t)
}

/// `sinc`: `sin(pi x) / (pi x)`
pub fn sinc<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let p = constant_of(b, &x)?;
    let zero = splat_like(b, 0, &x)?;
    let one = splat_like(b, 1, &x)?;
    let at_zero = b.eq(&p, &zero)?;
    let safe = b.select(&at_zero, &one, &p)?;
    let angle = times(b, &safe, PI)?;
    let s = b.sin(&angle)?;
    let t = b.div(&s, &angle)?;
    let t = b.select(&at_zero, &one, &t)?;
    let t = with_slope(b, t, &x, |b| {
        let angle = times(b, &x, PI)?;
        let bottom = b.mul(&x, &angle)?;
        let (s, c) = (b.sin(&angle)?, b.cos(&angle)?);
        let top = b.mul(&angle, &c)?;
        let top = b.sub(&top, &s)?;
        let slope = b.div(&top, &bottom)?;
        let nothing = b.eq(&bottom, &zero)?;
        b.select(&nothing, &zero, &slope)
    })?;
    named(b, t, "SincBackward0")
}

/// `logit`, perhaps of an operand that is kept away from 0 and 1.
pub fn logit<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let (zero, one) = (splat_like(b, 0, &x)?, splat_like(b, 1, &x)?);
    let mut p = constant_of(b, &x)?;
    // Outside of 0 to 1 there is neither a value nor a gradient; a limit keeps the value only.
    let (inside, beyond) = match args.float_opt(b, 1)? {
        Some(eps) => {
            // The lower bound first, also where it is above the other one.
            let (low, high) = (splat_like(b, eps, &x)?, splat_like(b, 1.0 - eps, &x)?);
            let (under, over) = (b.lt(&p, &low)?, b.gt(&p, &high)?);
            let (from, to) = (b.ge(&p, &low)?, b.le(&p, &high)?);
            p = b.select(&over, &high, &p)?;
            p = b.select(&under, &low, &p)?;
            (b.and(&from, &to)?, zero)
        }
        None => {
            let (from, to) = (b.ge(&p, &zero)?, b.le(&p, &one)?);
            let inside = b.and(&from, &to)?;
            let nan = splat_like(b, f64::NAN, &x)?;
            p = b.select(&inside, &p, &nan)?;
            (inside, nan)
        }
    };
    let rest = b.sub(&one, &p)?;
    let odds = b.div(&p, &rest)?;
    let t = b.log(&odds)?;
    let t = with_slope(b, t, &x, |b| {
        let rest = b.sub(&one, &x)?;
        // Without the sign of a zero.
        let product = b.mul(&x, &rest)?;
        let product = b.abs(&product)?;
        let slope = over(b, 1.0, &product)?;
        b.select(&inside, &slope, &beyond)
    })?;
    named(b, t, "LogitBackward0")
}

fn two<B: TorchOps>(b: &mut B, args: &CallArgs<B>) -> Result<(B::T, B::T), B::Error> {
    let (x, y) = (args.operand(b, 0)?, args.operand(b, 1)?);
    let dtype = promoted(b, &[&x, &y]);
    let dtype = to_float(b, dtype);
    unify2(b, &x, &y, dtype)
}

fn times_log<B: TorchOps>(
    b: &mut B,
    args: &CallArgs<B>,
    label: &'static str,
    one_more: bool,
) -> Res<B> {
    let (x, y) = two(b, args)?;
    let zero = splat_like(b, 0, &x)?;
    let lowest = splat_like(b, if one_more { -1 } else { 0 }, &x)?;
    // The logarithm, none where nothing is times one that has no end.
    let logarithm = |b: &mut B, x: &B::T, y: &B::T| -> TRes<B> {
        let none = b.eq(x, &zero)?;
        let outside = b.le(y, &lowest)?;
        let guarded = b.and(&none, &outside)?;
        let one = splat_like(b, 1, x)?;
        let safe = b.select(&guarded, &one, y)?;
        let l = if one_more {
            b.log1p(&safe)?
        } else {
            b.log(&safe)?
        };
        b.select(&guarded, &zero, &l)
    };
    let (p, q) = (constant_of(b, &x)?, constant_of(b, &y)?);
    let l = logarithm(b, &p, &q)?;
    let t = b.mul(&p, &l)?;
    // Nothing times a logarithm is 0 without a sign.
    let (none, number) = (b.eq(&p, &zero)?, b.eq(&q, &q)?);
    let nothing = b.and(&none, &number)?;
    let t = b.select(&nothing, &zero, &t)?;
    let t = with_slope(b, t, &x, |b| logarithm(b, &x, &y))?;
    let t = with_slope(b, t, &y, |b| {
        let bottom = if one_more {
            plus(b, &y, 1.0)?
        } else {
            y.clone()
        };
        b.div(&x, &bottom)
    })?;
    named(b, t, label)
}

/// `xlogy`: `x * log(y)`, 0 where x is.
pub fn xlogy<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let label = match args.get(1) {
        Some(crate::call::Arg::Tensor(_)) => "XlogyBackward0",
        _ => "XlogyBackward2",
    };
    times_log(b, args, label, false)
}

/// `xlog1py`: `x * log1p(y)`, 0 where x is.
pub fn xlog1py<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    times_log(b, args, "SpecialXlog1PyBackward0", true)
}

/// `entr`: `-x * log(x)`
pub fn entr<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let p = constant_of(b, &x)?;
    let (zero, one) = (splat_like(b, 0, &x)?, splat_like(b, 1, &x)?);
    let none = b.eq(&p, &zero)?;
    let safe = b.select(&none, &one, &p)?;
    let l = b.log(&safe)?;
    let t = b.mul(&safe, &l)?;
    let t = b.neg(&t)?;
    let t = b.select(&none, &zero, &t)?;
    let negative = b.lt(&p, &zero)?;
    let low = splat_like(b, f64::NEG_INFINITY, &x)?;
    let t = b.select(&negative, &low, &t)?;
    let t = with_slope(b, t, &x, |b| {
        let l = b.log(&x)?;
        let l = plus(b, &l, 1.0)?;
        b.neg(&l)
    })?;
    named(b, t, "SpecialEntrBackward0")
}

/// `log(e^x + e^y)`, with another base if `scale` is its logarithm. `share` gives the share of one of the two powers out of
/// how far its exponent lies above the other one.
pub fn logaddexp_of<B: TorchOps>(
    b: &mut B,
    x: &B::T,
    y: &B::T,
    scale: f64,
    share: impl Fn(&mut B, &B::T) -> TRes<B>,
) -> TRes<B> {
    let (first, second) = (constant_of(b, x)?, constant_of(b, y)?);
    let infinity = splat_like(b, f64::INFINITY, x)?;
    let size = b.abs(&first)?;
    let far = b.eq(&size, &infinity)?;
    let equal = b.eq(&first, &second)?;
    let same = b.and(&far, &equal)?;
    let zero = splat_like(b, 0, x)?;
    let p = b.select(&same, &zero, &first)?;
    let q = b.select(&same, &zero, &second)?;
    let largest = b.maximum(&p, &q)?;
    let d = b.sub(&p, &q)?;
    let d = b.abs(&d)?;
    let d = times(b, &d, -scale)?;
    let e = b.exp(&d)?;
    let mut l = b.log1p(&e)?;
    if scale != 1.0 {
        l = times(b, &l, 1.0 / scale)?;
    }
    let t = b.add(&largest, &l)?;
    let t = b.select(&same, &first, &t)?;
    let slope = |b: &mut B, one: &B::T, other: &B::T| -> TRes<B> {
        let d = b.sub(one, other)?;
        let d = match scale {
            1.0 => d,
            _ => times(b, &d, scale)?,
        };
        share(b, &d)
    };
    let t = with_slope(b, t, x, |b| slope(b, x, y))?;
    with_slope(b, t, y, |b| slope(b, y, x))
}

/// The same of complex numbers: from the one whose real part is larger, which stays where it is infinite.
fn logaddexp_of_complex<B: TorchOps>(b: &mut B, x: &B::T, y: &B::T) -> TRes<B> {
    let (first, second) = (constant_of(b, x)?, constant_of(b, y)?);
    let p = super::complex::part(b, &first, 0)?;
    let q = super::complex::part(b, &second, 0)?;
    let above = b.ge(&p, &q)?;
    let (large, small) = (b.select(&above, x, y)?, b.select(&above, y, x)?);
    let d = b.sub(&small, &large)?;
    let e = b.exp(&d)?;
    let one = splat_like(b, 1, &e)?;
    let sum = b.add(&one, &e)?;
    let l = b.log(&sum)?;
    let t = b.add(&large, &l)?;
    let infinity = splat_like(b, f64::INFINITY, &p)?;
    let (m, n) = (b.abs(&p)?, b.eq(&p, &q)?);
    let far = b.eq(&m, &infinity)?;
    let same = b.and(&far, &n)?;
    b.select(&same, x, &t)
}

/// As PyTorch computes the share of a power in `logaddexp`: without a second derivative where one of the two is infinite.
fn share_of_two<B: TorchOps>(b: &mut B, above: &B::T) -> TRes<B> {
    let below = b.neg(above)?;
    let e = b.exp(&below)?;
    let sum = plus(b, &e, 1.0)?;
    over(b, 1.0, &sum)
}

/// `logaddexp`
pub fn logaddexp<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = two(b, args)?;
    let t = match b.dtype(&x).is_complex() {
        true => logaddexp_of_complex(b, &x, &y)?,
        false => logaddexp_of(b, &x, &y, 1.0, share_of_two)?,
    };
    named(b, t, "LogaddexpBackward0")
}

/// `logaddexp2`
pub fn logaddexp2<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = two(b, args)?;
    let t = logaddexp_of(b, &x, &y, std::f64::consts::LN_2, share_of_two)?;
    named(b, t, "Logaddexp2Backward0")
}

/// `hypot`
pub fn hypot<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.operand(b, 0)?, args.operand(b, 1)?);
    let dtype = promoted(b, &[&x, &y]);
    if !dtype.is_float() {
        return Err(no_kernel::<B>("hypot_cpu", dtype));
    }
    let (x, y) = unify2(b, &x, &y, dtype)?;
    let (p, q) = (constant_of(b, &x)?, constant_of(b, &y)?);
    let (p, q) = (b.cast(&p, DType::F64)?, b.cast(&q, DType::F64)?);
    let (p, q) = (b.abs(&p)?, b.abs(&q)?);
    // Scaled where a square is no number, or nothing.
    let largest = b.maximum(&p, &q)?;
    let (high, low) = (splat_like(b, 1e150, &p)?, splat_like(b, 1e-150, &p)?);
    let (large, small) = (b.gt(&largest, &high)?, b.lt(&largest, &low)?);
    let one = splat_like(b, 1, &p)?;
    let (down, up) = (
        splat_like(b, 2f64.powi(-600), &p)?,
        splat_like(b, 2f64.powi(600), &p)?,
    );
    let factor = b.select(&small, &up, &one)?;
    let factor = b.select(&large, &down, &factor)?;
    let (first, second) = (b.mul(&p, &factor)?, b.mul(&q, &factor)?);
    let (first, second) = (b.mul(&first, &first)?, b.mul(&second, &second)?);
    let t = b.add(&first, &second)?;
    let t = b.sqrt(&t)?;
    let t = b.div(&t, &factor)?;
    // An infinite side makes it infinite, whatever the other one is.
    let infinity = splat_like(b, f64::INFINITY, &p)?;
    let (tall, wide) = (b.eq(&p, &infinity)?, b.eq(&q, &infinity)?);
    let far = b.or(&tall, &wide)?;
    let t = b.select(&far, &infinity, &t)?;
    let mut t = b.cast(&t, dtype)?;
    if is_differentiated(b, &x) || is_differentiated(b, &y) {
        let (first, second) = (b.mul(&x, &x)?, b.mul(&y, &y)?);
        let sum = b.add(&first, &second)?;
        let root = b.sqrt(&sum)?;
        let value = b.copy(&t)?;
        let root = with_gradient_of(b, value, &root)?;
        t = with_slope(b, t, &x, |b| b.div(&x, &root))?;
        t = with_slope(b, t, &y, |b| b.div(&y, &root))?;
    }
    named(b, t, "HypotBackward0")
}

/// `copysign`
pub fn copysign<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = two(b, args)?;
    let negative = signbit_of(b, &y)?;
    let p = constant_of(b, &x)?;
    let size = b.abs(&p)?;
    let t = signed(b, &size, &negative)?;
    let value = t.clone();
    let t = with_slope(b, t, &x, |b| {
        let zero = splat_like(b, 0, &p)?;
        let none = b.eq(&p, &zero)?;
        let ratio = b.div(&value, &p)?;
        let ratio = b.select(&none, &zero, &ratio)?;
        without_slope(b, ratio, &x)
    })?;
    let t = without_slope(b, t, &y)?;
    named(b, t, "CopysignBackward0")
}

/// `signbit`
pub fn signbit<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = args.tensor(0)?;
    Ok(Ret::Tensor(signbit_of(b, &x)?))
}

/// `deg2rad`
pub fn deg2rad<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let t = times(b, &x, PI / 180.0)?;
    named(b, t, "Deg2RadBackward0")
}

/// `rad2deg`
pub fn rad2deg<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let x = real_operand(b, args)?;
    let t = times(b, &x, 180.0 / PI)?;
    named(b, t, "Rad2DegBackward0")
}

/// `ldexp`: `input * 2^other`
pub fn ldexp<B: TorchOps>(b: &mut B, args: &mut CallArgs<B>) -> Res<B> {
    let (x, y) = (args.operand(b, 0)?, args.tensor(1)?);
    if let Operand::T(t) = &x
        && b.dtype(t).is_float()
        && !b.dtype(&y).is_inexact()
    {
        // Exact powers: rounded once, to the dtype of the first operand.
        if b.dtype(&y) == DType::Bool {
            return Err(no_kernel::<B>("ldexp_cpu_exp", DType::Bool));
        }
        let dtype = b.dtype(t);
        let wide = b.cast(t, DType::F64)?;
        let y = b.cast(&y, DType::F64)?;
        let base = splat_like(b, 2, &y)?;
        let power = b.pow(&base, &y)?;
        let (x, power) = unify2(b, &Operand::T(wide), &Operand::T(power), DType::F64)?;
        let t = b.mul(&x, &power)?;
        let t = b.cast(&t, dtype)?;
        return named(b, t, "MulBackward0");
    }
    // `2.0 ** other` by itself, which a product follows: the power of ints is a float.
    let dtype = super::to_float(b, b.dtype(&y));
    let y = b.cast(&y, dtype)?;
    let base = splat_like(b, 2, &y)?;
    let power = Operand::T(b.pow(&base, &y)?);
    let dtype = promoted(b, &[&x, &power]);
    let (x, power) = unify2(b, &x, &power, dtype)?;
    let t = b.mul(&x, &power)?;
    named(b, t, "MulBackward0")
}
