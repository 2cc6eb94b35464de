//! `cmath`.
//!
//! In: complex numbers, or what becomes one. Out: the functions of CPython's `cmath`, with its errors. Always: finite
//! numbers go through Kahan's formulas ("Branch cuts for complex elementary functions"), which keep the signs of
//! zeros; for infinities and NaN the C library follows annex G of the C standard, as CPython does.

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Signature, Value, Vm, attr, class_of, name};
use janus_object::{complex_parts, complex_value};

use crate::support::{float, module};

/// A complex number.
#[derive(Clone, Copy)]
#[repr(C)]
struct Z {
    re: f64,
    im: f64,
}

/// The C library's complex functions. A struct of two doubles is passed like C's `double complex` on the machines
/// that are supported.
mod c {
    use super::Z;

    // SAFETY: these are the C library's functions of the same names and types; they are pure and take any number.
    #[allow(
        improper_ctypes,
        reason = "a struct of two doubles stands for `double complex`"
    )]
    unsafe extern "C" {
        pub safe fn cacos(z: Z) -> Z;
        pub safe fn cacosh(z: Z) -> Z;
        pub safe fn casin(z: Z) -> Z;
        pub safe fn casinh(z: Z) -> Z;
        pub safe fn catan(z: Z) -> Z;
        pub safe fn catanh(z: Z) -> Z;
        pub safe fn ccosh(z: Z) -> Z;
        pub safe fn cexp(z: Z) -> Z;
        pub safe fn csinh(z: Z) -> Z;
        pub safe fn csqrt(z: Z) -> Z;
        pub safe fn ctanh(z: Z) -> Z;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn ldexp(x: f64, exponent: i32) -> f64;
    }
}

/// Above it, doubling or squaring may overflow.
const LARGE: f64 = f64::MAX / 4.0;
/// The logarithm of `LARGE`, rounded down: above it exp is taken in two steps.
const LOG_LARGE: f64 = 708.0;
const LN_2: f64 = std::f64::consts::LN_2;

fn domain() -> Raised {
    Raised::value_error("math domain error")
}

fn range() -> Raised {
    Raised::overflow_error("math range error")
}

impl Z {
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }

    /// i times it.
    fn turned(self) -> Z {
        Z {
            re: -self.im,
            im: self.re,
        }
    }

    /// -i times it.
    fn turned_back(self) -> Z {
        Z {
            re: self.im,
            im: -self.re,
        }
    }

    fn value(self) -> Value {
        complex_value(self.re, self.im)
    }
}

/// A complex number of an argument: of its type, `__complex__`, or a float.
fn complex(vm: &mut dyn Vm, value: &Value) -> PyResult<Z> {
    if let Some((re, im)) = complex_parts(value) {
        return Ok(Z { re, im });
    }
    if attr::class_lookup(&class_of(value), name!("__complex__")).is_some() {
        let made = vm.call_method(value, name!("__complex__"), Args::new(&[]))?;
        return match complex_parts(&made) {
            Some((re, im)) => Ok(Z { re, im }),
            None => Err(Raised::type_error(format!(
                "__complex__ returned non-complex (type {})",
                made.type_name()
            ))),
        };
    }
    Ok(Z {
        re: float(vm, value)?,
        im: 0.0,
    })
}

fn sqrt(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        return Ok(c::csqrt(z));
    }
    if z.re == 0.0 && z.im == 0.0 {
        return Ok(Z { re: 0.0, im: z.im });
    }
    let (mut a, b) = (z.re.abs(), z.im.abs());
    let s = if a < f64::MIN_POSITIVE && b < f64::MIN_POSITIVE && (a > 0.0 || b > 0.0) {
        // Subnormal: moved up by an even power of two first.
        a = c::ldexp(a, 54);
        c::ldexp((a + a.hypot(c::ldexp(b, 54))).sqrt(), -27)
    } else {
        a /= 8.0;
        2.0 * (a + a.hypot(b / 8.0)).sqrt()
    };
    let d = b / (2.0 * s);
    Ok(if z.re >= 0.0 {
        Z {
            re: s,
            im: d.copysign(z.im),
        }
    } else {
        Z {
            re: d,
            im: s.copysign(z.im),
        }
    })
}

/// 1 - z and 1 + z, and their square roots.
fn roots_beside_one(z: Z) -> PyResult<(Z, Z)> {
    let below = sqrt(Z {
        re: 1.0 - z.re,
        im: -z.im,
    })?;
    let above = sqrt(Z {
        re: 1.0 + z.re,
        im: z.im,
    })?;
    Ok((below, above))
}

fn is_large(z: Z) -> bool {
    z.re.abs() > LARGE || z.im.abs() > LARGE
}

/// log(2 |z|) where doubling would overflow.
fn log_of_twice(z: Z) -> f64 {
    (z.re / 2.0).hypot(z.im / 2.0).ln() + LN_2 * 2.0
}

fn acos(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        return Ok(c::cacos(z));
    }
    if is_large(z) {
        let log = log_of_twice(z);
        let im = if z.re < 0.0 {
            -log.copysign(z.im)
        } else {
            log.copysign(-z.im)
        };
        return Ok(Z {
            re: z.im.abs().atan2(z.re),
            im,
        });
    }
    let (below, above) = roots_beside_one(z)?;
    Ok(Z {
        re: 2.0 * below.re.atan2(above.re),
        im: c::asinh(above.re * below.im - above.im * below.re),
    })
}

fn acosh(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        return Ok(c::cacosh(z));
    }
    if is_large(z) {
        return Ok(Z {
            re: log_of_twice(z),
            im: z.im.atan2(z.re),
        });
    }
    let below = sqrt(Z {
        re: z.re - 1.0,
        im: z.im,
    })?;
    let above = sqrt(Z {
        re: z.re + 1.0,
        im: z.im,
    })?;
    Ok(Z {
        re: c::asinh(below.re * above.re + below.im * above.im),
        im: 2.0 * below.im.atan2(above.re),
    })
}

fn asinh(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        return Ok(c::casinh(z));
    }
    if is_large(z) {
        let log = log_of_twice(z);
        let re = if z.im.is_sign_negative() {
            -log.copysign(-z.re)
        } else {
            log.copysign(z.re)
        };
        return Ok(Z {
            re,
            im: z.im.atan2(z.re.abs()),
        });
    }
    let one = sqrt(Z {
        re: 1.0 + z.im,
        im: -z.re,
    })?;
    let other = sqrt(Z {
        re: 1.0 - z.im,
        im: z.re,
    })?;
    Ok(Z {
        re: c::asinh(one.re * other.im - other.re * one.im),
        im: z.im.atan2(one.re * other.re - one.im * other.im),
    })
}

fn asin(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        return Ok(c::casin(z));
    }
    Ok(asinh(z.turned())?.turned_back())
}

fn atanh(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        return Ok(c::catanh(z));
    }
    if z.re < 0.0 || (z.re == 0.0 && z.re.is_sign_negative()) {
        let Z { re, im } = atanh(Z {
            re: -z.re,
            im: -z.im,
        })?;
        return Ok(Z { re: -re, im: -im });
    }
    let height = z.im.abs();
    let root = f64::MIN_POSITIVE.sqrt();
    if z.re > LARGE.sqrt() || height > LARGE.sqrt() {
        let h = (z.re / 2.0).hypot(z.im / 2.0);
        return Ok(Z {
            re: z.re / 4.0 / h / h,
            im: -(std::f64::consts::FRAC_PI_2.copysign(-z.im)),
        });
    }
    if z.re == 1.0 && height < root {
        if height == 0.0 {
            return Err(domain());
        }
        return Ok(Z {
            re: -(height.sqrt() / height.hypot(2.0).sqrt()).ln(),
            im: (2.0f64.atan2(-height) / 2.0).copysign(z.im),
        });
    }
    let left = (1.0 - z.re) * (1.0 - z.re);
    Ok(Z {
        re: (4.0 * z.re / (left + height * height)).ln_1p() / 4.0,
        im: -(-2.0 * z.im).atan2((1.0 - z.re) * (1.0 + z.re) - height * height) / 2.0,
    })
}

fn atan(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        return Ok(c::catan(z));
    }
    Ok(atanh(z.turned())?.turned_back())
}

/// A finite result, or the error that says what happened.
fn ranged(z: Z) -> PyResult<Z> {
    if z.re.is_infinite() || z.im.is_infinite() {
        return Err(range());
    }
    Ok(z)
}

fn exp(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        if z.im.is_infinite() && (z.re.is_finite() || z.re == f64::INFINITY) {
            return Err(domain());
        }
        return Ok(c::cexp(z));
    }
    let (sin, cos) = z.im.sin_cos();
    ranged(if z.re > LOG_LARGE {
        let length = (z.re - 1.0).exp();
        Z {
            re: length * cos * std::f64::consts::E,
            im: length * sin * std::f64::consts::E,
        }
    } else {
        let length = z.re.exp();
        Z {
            re: length * cos,
            im: length * sin,
        }
    })
}

fn cosh(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        if z.im.is_infinite() && !z.re.is_nan() {
            return Err(domain());
        }
        return Ok(c::ccosh(z));
    }
    let (sin, cos) = z.im.sin_cos();
    ranged(if z.re.abs() > LOG_LARGE {
        let nearer = z.re - 1f64.copysign(z.re);
        Z {
            re: cos * nearer.cosh() * std::f64::consts::E,
            im: sin * nearer.sinh() * std::f64::consts::E,
        }
    } else {
        Z {
            re: cos * z.re.cosh(),
            im: sin * z.re.sinh(),
        }
    })
}

fn sinh(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        if z.im.is_infinite() && !z.re.is_nan() {
            return Err(domain());
        }
        return Ok(c::csinh(z));
    }
    let (sin, cos) = z.im.sin_cos();
    ranged(if z.re.abs() > LOG_LARGE {
        let nearer = z.re - 1f64.copysign(z.re);
        Z {
            re: cos * nearer.sinh() * std::f64::consts::E,
            im: sin * nearer.cosh() * std::f64::consts::E,
        }
    } else {
        Z {
            re: cos * z.re.sinh(),
            im: sin * z.re.cosh(),
        }
    })
}

fn tanh(z: Z) -> PyResult<Z> {
    if !z.is_finite() {
        if z.im.is_infinite() && z.re.is_finite() {
            return Err(domain());
        }
        return Ok(c::ctanh(z));
    }
    if z.re.abs() > LOG_LARGE {
        return Ok(Z {
            re: 1f64.copysign(z.re),
            im: 4.0 * z.im.sin() * z.im.cos() * (-2.0 * z.re.abs()).exp(),
        });
    }
    let (hyperbolic, tangent) = (z.re.tanh(), z.im.tan());
    let secant = 1.0 / z.re.cosh();
    let product = hyperbolic * tangent;
    let below = 1.0 + product * product;
    Ok(Z {
        re: hyperbolic * (1.0 + tangent * tangent) / below,
        im: tangent / below * secant * secant,
    })
}

fn cos(z: Z) -> PyResult<Z> {
    cosh(z.turned())
}

fn sin(z: Z) -> PyResult<Z> {
    Ok(sinh(z.turned())?.turned_back())
}

fn tan(z: Z) -> PyResult<Z> {
    Ok(tanh(z.turned())?.turned_back())
}

/// log |z|, exact where |z| is near one and where squares would overflow or vanish.
fn log_of_length(z: Z) -> PyResult<f64> {
    let (a, b) = (z.re.abs(), z.im.abs());
    let (larger, smaller) = (a.max(b), a.min(b));
    if a.is_infinite() || b.is_infinite() {
        return Ok(f64::INFINITY);
    }
    if larger > LARGE {
        return Ok((a / 2.0).hypot(b / 2.0).ln() + LN_2);
    }
    if larger < f64::MIN_POSITIVE {
        if larger == 0.0 {
            return Err(domain());
        }
        let up = c::ldexp(a, 53).hypot(c::ldexp(b, 53));
        return Ok(up.ln() - 53.0 * LN_2);
    }
    let length = a.hypot(b);
    if (0.71..=1.73).contains(&length) {
        return Ok(((larger - 1.0) * (larger + 1.0) + smaller * smaller).ln_1p() / 2.0);
    }
    Ok(length.ln())
}

fn log_of(z: Z) -> PyResult<Z> {
    Ok(Z {
        re: log_of_length(z)?,
        im: z.im.atan2(z.re),
    })
}

fn log10(z: Z) -> PyResult<Z> {
    let Z { re, im } = log_of(z)?;
    Ok(Z {
        re: re / std::f64::consts::LN_10,
        im: im / std::f64::consts::LN_10,
    })
}

macro_rules! unary {
    ($($name:ident),*) => {
        /// The functions of one number.
        const UNARY: &[NativeDef] = &[
            $(NativeDef::function(concat!("cmath.", stringify!($name)), |vm, args| {
                let [z] = args.exactly(concat!("cmath.", stringify!($name)))?;
                Ok($name(complex(vm, z)?)?.value())
            }),)*
        ];
    };
}

unary!(
    acos, acosh, asin, asinh, atan, atanh, cos, cosh, exp, log10, sin, sinh, sqrt, tan, tanh
);

const OTHERS: &[NativeDef] = &[
    NativeDef::function("cmath.log", log),
    NativeDef::function("cmath.phase", |vm, args| {
        let [z] = args.exactly("cmath.phase")?;
        let z = complex(vm, z)?;
        Ok(Value::float(z.im.atan2(z.re)))
    }),
    NativeDef::function("cmath.polar", |vm, args| {
        let [z] = args.exactly("cmath.polar")?;
        let z = complex(vm, z)?;
        let length = z.re.hypot(z.im);
        if length.is_infinite() && z.is_finite() {
            return Err(range());
        }
        Ok(Value::tuple(vec![
            Value::float(length),
            Value::float(z.im.atan2(z.re)),
        ]))
    }),
    NativeDef::function("cmath.rect", rect),
    NativeDef::function("cmath.isfinite", |vm, args| {
        let [z] = args.exactly("cmath.isfinite")?;
        Ok(Value::bool(complex(vm, z)?.is_finite()))
    }),
    NativeDef::function("cmath.isinf", |vm, args| {
        let [z] = args.exactly("cmath.isinf")?;
        let z = complex(vm, z)?;
        Ok(Value::bool(z.re.is_infinite() || z.im.is_infinite()))
    }),
    NativeDef::function("cmath.isnan", |vm, args| {
        let [z] = args.exactly("cmath.isnan")?;
        let z = complex(vm, z)?;
        Ok(Value::bool(z.re.is_nan() || z.im.is_nan()))
    }),
    NativeDef::function("cmath.isclose", isclose),
];

fn log(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let given = args.between("log", 1, 2)?;
    let of = log_of(complex(vm, &given[0])?)?;
    let Some(base) = given.get(1) else {
        return Ok(of.value());
    };
    let base = log_of(complex(vm, base)?)?;
    janus_object::ops::binary(
        vm,
        janus_bytecode::BinaryOp::TrueDiv,
        &of.value(),
        &base.value(),
    )
}

fn rect(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [r, phi] = args.exactly("rect")?;
    let (r, phi) = (float(vm, r)?, float(vm, phi)?);
    if phi.is_infinite() && r != 0.0 && !r.is_nan() {
        return Err(domain());
    }
    if !r.is_finite() || !phi.is_finite() {
        // exp(log r + i phi), whose infinities and NaN are those wanted.
        if r.is_infinite() && phi.is_finite() && phi != 0.0 {
            let (sin, cos) = phi.sin_cos();
            return Ok(complex_value(
                f64::INFINITY.copysign(if r > 0.0 { cos } else { -cos }),
                f64::INFINITY.copysign(if r > 0.0 { sin } else { -sin }),
            ));
        }
        let im = if phi == 0.0 {
            r.signum() * phi
        } else {
            r * phi.sin()
        };
        return Ok(complex_value(
            if r.is_infinite() && phi.is_nan() {
                f64::INFINITY
            } else {
                r * phi.cos()
            },
            im,
        ));
    }
    let (sin, cos) = phi.sin_cos();
    Ok(if phi == 0.0 {
        // The sign of zero is kept.
        complex_value(r, r * phi)
    } else {
        complex_value(r * cos, r * sin)
    })
}

fn isclose(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<4> = Signature::new("isclose", ["a", "b", "rel_tol", "abs_tol"])
        .required(2)
        .keyword_only(2);
    let [a, b, relative, absolute] = SIGNATURE.parse(args)?;
    let mut number = |v: Option<Value>, default: f64| v.map_or(Ok(default), |v| float(vm, &v));
    let (relative, absolute) = (number(relative, 1e-9)?, number(absolute, 0.0)?);
    let mut operand = |v: Option<Value>| complex(vm, &v.unwrap_or(Value::None));
    let (a, b) = (operand(a)?, operand(b)?);
    if relative < 0.0 || absolute < 0.0 {
        return Err(Raised::value_error("tolerances must be non-negative"));
    }
    let same = a.re == b.re && a.im == b.im;
    let infinite = |z: Z| z.re.is_infinite() || z.im.is_infinite();
    let apart = (a.re - b.re).hypot(a.im - b.im);
    let near = apart <= relative * b.re.hypot(b.im)
        || apart <= relative * a.re.hypot(a.im)
        || apart <= absolute;
    Ok(Value::bool(same || (!infinite(a) && !infinite(b) && near)))
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("cmath", "", UNARY);
    m.add_natives(OTHERS);
    m.set("pi", std::f64::consts::PI);
    m.set("e", std::f64::consts::E);
    m.set("tau", std::f64::consts::TAU);
    m.set("inf", f64::INFINITY);
    m.set("nan", f64::NAN);
    m.set("infj", complex_value(0.0, f64::INFINITY));
    m.set("nanj", complex_value(0.0, f64::NAN));
    Ok(Value::Module(m))
}
