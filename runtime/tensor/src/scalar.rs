//! Numbers outside tensors, and the element trait of the kernels.
//!
//! In: Python numbers. Out: [`Scalar`], and [`Element`], which gives every Rust element type
//! its conversions.
//! Always: float to int conversions truncate and wrap like torch's on x86-64 for values in
//! range; anything to bool is `!= 0`.

pub use half::{bf16, f16};
use num_complex::Complex;

use crate::dtype::DType;
use crate::error::TensorError;
use crate::ops::BinaryOp;

/// An element of `torch.complex64`.
#[allow(non_camel_case_types)]
pub type c64 = Complex<f32>;
/// An element of `torch.complex128`.
#[allow(non_camel_case_types)]
pub type c128 = Complex<f64>;

/// Python type of a scalar, ordered by promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarKind {
    /// `bool`
    Bool,
    /// `int`
    I64,
    /// `float`
    F64,
    /// `complex`
    C128,
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `bool`
    Bool(bool),
    /// `int`
    I64(i64),
    /// `int`, of 2**63 or more
    U64(u64),
    /// `float`
    F64(f64),
    /// `complex`
    C128(c128),
}

impl Scalar {
    /// Whether it is zero, of whatever kind and sign.
    pub fn is_zero(self) -> bool {
        match self {
            Scalar::C128(c) => c.re == 0.0 && c.im == 0.0,
            other => other.to_f64() == 0.0,
        }
    }

    /// Whether it is one, of whatever kind: multiplying by it changes nothing.
    pub fn is_one(self) -> bool {
        match self {
            Scalar::C128(c) => c.re == 1.0 && c.im == 0.0,
            other => other.to_f64() == 1.0,
        }
    }

    /// Its type.
    #[must_use]
    pub fn kind(self) -> ScalarKind {
        match self {
            Scalar::Bool(_) => ScalarKind::Bool,
            Scalar::I64(_) | Scalar::U64(_) => ScalarKind::I64,
            Scalar::F64(_) => ScalarKind::F64,
            Scalar::C128(_) => ScalarKind::C128,
        }
    }

    /// As a float; of a complex number the real part.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::I64(i) => i as f64,
            Scalar::U64(i) => i as f64,
            Scalar::F64(f) => f,
            Scalar::C128(c) => c.re,
        }
    }

    /// As a complex number.
    #[must_use]
    pub fn to_c128(self) -> c128 {
        match self {
            Scalar::C128(c) => c,
            real => c128::new(real.to_f64(), 0.0),
        }
    }

    /// As an int; floats truncate, and what is too large wraps.
    #[must_use]
    pub fn to_i64(self) -> i64 {
        match self {
            Scalar::Bool(b) => i64::from(b),
            Scalar::I64(i) => i,
            Scalar::U64(i) => i.cast_signed(),
            Scalar::F64(f) => f as i64,
            Scalar::C128(c) => c.re as i64,
        }
    }

    /// Whether a tensor of this dtype holds it, as `overflows` in PyTorch's c10 has it: infinities and NaN are floats,
    /// and a negative int may stand for its complement in uint8.
    #[must_use]
    pub fn fits(self, dtype: DType) -> bool {
        let (low, high) = match dtype.int_range() {
            Some((low, high)) => (low, high),
            None => {
                let most = dtype.real().largest();
                let holds = |v: f64| most.is_none_or(|most| !v.is_finite() || v.abs() <= most);
                return match self {
                    Scalar::C128(c) if dtype.is_complex() => holds(c.re) && holds(c.im),
                    Scalar::C128(c) => dtype == DType::Bool || c.im == 0.0 && holds(c.re),
                    other => holds(other.to_f64()),
                };
            }
        };
        match self {
            Scalar::Bool(_) => true,
            Scalar::I64(n) if low == 0 => (-high..=high).contains(&i128::from(n)),
            Scalar::I64(n) => (low..=high).contains(&i128::from(n)),
            Scalar::U64(n) => (low..=high).contains(&i128::from(n)),
            Scalar::F64(v) => (low as f64..=high as f64).contains(&v),
            Scalar::C128(c) => c.im == 0.0 && (low as f64..=high as f64).contains(&c.re),
        }
    }

    /// As a truth value.
    #[must_use]
    pub fn to_bool(self) -> bool {
        match self {
            Scalar::Bool(b) => b,
            Scalar::I64(i) => i != 0,
            Scalar::U64(i) => i != 0,
            Scalar::F64(f) => f != 0.0,
            Scalar::C128(c) => c.re != 0.0 || c.im != 0.0,
        }
    }

    /// Arithmetic with Python's promotion; ints wrap where Python would leave 64 bits.
    pub fn binary(op: BinaryOp, a: Scalar, b: Scalar) -> Result<Scalar, TensorError> {
        let unsupported = || TensorError::Runtime(format!("{} of Python numbers", op.name()));
        if a.kind() == ScalarKind::C128 || b.kind() == ScalarKind::C128 {
            let (x, y) = (a.to_c128(), b.to_c128());
            return Ok(Scalar::C128(match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => crate::complex::div(x, y),
                BinaryOp::Pow => crate::complex::pow(x, y),
                _ => return Err(unsupported()),
            }));
        }
        if a.kind() == ScalarKind::F64 || b.kind() == ScalarKind::F64 || op == BinaryOp::Div {
            let (x, y) = (a.to_f64(), b.to_f64());
            return Ok(Scalar::F64(match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => x / y,
                BinaryOp::FloorDiv => f64::floor_div(x, y),
                BinaryOp::Rem => f64::py_rem(x, y),
                BinaryOp::Pow => crate::math::janus_pow_f64(x, y),
                BinaryOp::Maximum => <f64 as Number>::maximum(x, y),
                BinaryOp::Minimum => <f64 as Number>::minimum(x, y),
                _ => return Err(unsupported()),
            }));
        }
        let (x, y) = (a.to_i64(), b.to_i64());
        let zero = || TensorError::ZeroDivision;
        Ok(Scalar::I64(match op {
            BinaryOp::Add => x.wrapping_add(y),
            BinaryOp::Sub => x.wrapping_sub(y),
            BinaryOp::Mul => x.wrapping_mul(y),
            BinaryOp::FloorDiv if y == 0 => return Err(zero()),
            BinaryOp::Rem if y == 0 => return Err(zero()),
            BinaryOp::FloorDiv => i64::floor_div(x, y),
            BinaryOp::Rem => i64::py_rem(x, y),
            BinaryOp::Maximum => x.max(y),
            BinaryOp::Minimum => x.min(y),
            BinaryOp::And => x & y,
            BinaryOp::Or => x | y,
            BinaryOp::Xor => x ^ y,
            BinaryOp::Pow => i64::ipow(x, y),
            BinaryOp::Shl => x.checked_shl(y.clamp(0, 64) as u32).unwrap_or(0),
            BinaryOp::Shr => x >> y.clamp(0, 63),
            BinaryOp::Div => return Err(unsupported()),
        }))
    }
}

impl From<f64> for Scalar {
    fn from(v: f64) -> Self {
        Scalar::F64(v)
    }
}
impl From<c128> for Scalar {
    fn from(v: c128) -> Self {
        Scalar::C128(v)
    }
}
impl From<i64> for Scalar {
    fn from(v: i64) -> Self {
        Scalar::I64(v)
    }
}
impl From<bool> for Scalar {
    fn from(v: bool) -> Self {
        Scalar::Bool(v)
    }
}

/// A Rust type that is the element of a tensor.
pub trait Element: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Its dtype.
    const DTYPE: DType;
    /// Converts a number.
    fn from_scalar(s: Scalar) -> Self;
    /// The number.
    fn to_scalar(self) -> Scalar;
    /// From a float, truncating.
    fn from_f64(v: f64) -> Self;
    /// To a float.
    fn to_f64(self) -> f64;
    /// From an int, wrapping.
    fn from_i64(v: i64) -> Self;
    /// To an int, truncating.
    fn to_i64(self) -> i64;
    /// NaN; false for types without one.
    fn is_nan(self) -> bool;
}

/// Arithmetic whose definition is not one Rust operator, for elements that are numbers.
pub trait Number: Element {
    /// Rounds toward minus infinity. Integer division by zero is excluded before.
    fn floor_div(a: Self, b: Self) -> Self;
    /// Python's remainder.
    fn py_rem(a: Self, b: Self) -> Self;
    /// The larger one; NaN wins.
    fn maximum(a: Self, b: Self) -> Self;
    /// The smaller one; NaN wins.
    fn minimum(a: Self, b: Self) -> Self;
}

macro_rules! float_element {
    ($t:ident, $d:ident) => {
        impl Element for $t {
            const DTYPE: DType = DType::$d;
            #[inline(always)]
            fn from_scalar(s: Scalar) -> Self {
                match s {
                    Scalar::I64(i) => i as $t,
                    Scalar::U64(i) => i as $t,
                    other => other.to_f64() as $t,
                }
            }
            #[inline(always)]
            fn to_scalar(self) -> Scalar {
                Scalar::F64(f64::from(self))
            }
            #[inline(always)]
            fn from_f64(v: f64) -> Self {
                v as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn from_i64(v: i64) -> Self {
                v as $t
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
        }

        impl Number for $t {
            // floor(a / b) on the exact remainder, as c10::div_floor_floating does it.
            #[inline(always)]
            fn floor_div(a: Self, b: Self) -> Self {
                if b == 0.0 {
                    return a / b;
                }
                let m = a % b;
                let mut div = (a - m) / b;
                if m != 0.0 && (b < 0.0) != (m < 0.0) {
                    div -= 1.0;
                }
                if div != 0.0 {
                    let f = div.floor();
                    if div - f > 0.5 { f + 1.0 } else { f }
                } else {
                    (0.0 as $t).copysign(a / b)
                }
            }
            #[inline(always)]
            fn py_rem(a: Self, b: Self) -> Self {
                let m = a % b;
                if m != 0.0 && (b < 0.0) != (m < 0.0) {
                    m + b
                } else {
                    m
                }
            }
            #[inline(always)]
            fn maximum(a: Self, b: Self) -> Self {
                let larger = if a > b { a } else { b };
                if a != a { a } else { larger }
            }
            #[inline(always)]
            fn minimum(a: Self, b: Self) -> Self {
                let smaller = if a < b { a } else { b };
                if a != a { a } else { smaller }
            }
        }
    };
}
float_element!(f32, F32);
float_element!(f64, F64);

macro_rules! reduced_element {
    ($t:ident, $d:ident) => {
        impl Element for $t {
            const DTYPE: DType = DType::$d;
            // By way of float32, as PyTorch converts.
            #[inline(always)]
            fn from_scalar(s: Scalar) -> Self {
                $t::from_f32(f32::from_scalar(s))
            }
            #[inline(always)]
            fn to_scalar(self) -> Scalar {
                Scalar::F64(f64::from(self))
            }
            #[inline(always)]
            fn from_f64(v: f64) -> Self {
                $t::from_f32(v as f32)
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn from_i64(v: i64) -> Self {
                $t::from_f32(v as f32)
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                self.to_f32() as i64
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
        }
    };
}
reduced_element!(f16, F16);
reduced_element!(bf16, BF16);

/// A float as an int of 64 bits, truncated; what is out of range and NaN are the smallest one, as the processor has it
/// and so PyTorch.
#[inline(always)]
pub(crate) fn truncated(v: f64) -> i64 {
    if v < 9_223_372_036_854_775_808.0 {
        v as i64
    } else {
        i64::MIN
    }
}

/// A float as an int of 64 bits without a sign; what is negative wraps.
#[inline(always)]
pub(crate) fn truncated_unsigned(v: f64) -> u64 {
    if v >= 9_223_372_036_854_775_808.0 {
        v as u64
    } else {
        truncated(v).cast_unsigned()
    }
}

/// The same with 32 bits, by way of which shorter signed ints are made.
#[inline(always)]
pub(crate) fn truncated_short(v: f64) -> i32 {
    if v > -2_147_483_649.0 && v < 2_147_483_648.0 {
        v as i32
    } else {
        i32::MIN
    }
}

/// An int of 64 bits without a sign, as a Python number.
fn unsigned(v: u64) -> Scalar {
    i64::try_from(v).map_or(Scalar::U64(v), Scalar::I64)
}

macro_rules! int_element {
    ($t:ident, $d:ident, $truncated:ident) => {
        int_element!($t, $d, $truncated, |v| Scalar::I64(i64::from(v)));
    };
    ($t:ident, $d:ident, $truncated:ident, $scalar:expr) => {
        impl Element for $t {
            const DTYPE: DType = DType::$d;
            #[inline(always)]
            fn from_scalar(s: Scalar) -> Self {
                match s {
                    Scalar::F64(f) => Self::from_f64(f),
                    Scalar::C128(c) => Self::from_f64(c.re),
                    other => other.to_i64() as $t,
                }
            }
            #[inline(always)]
            fn to_scalar(self) -> Scalar {
                let scalar: fn($t) -> Scalar = $scalar;
                scalar(self)
            }
            #[inline(always)]
            fn from_f64(v: f64) -> Self {
                $truncated(v) as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn from_i64(v: i64) -> Self {
                v as $t
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                false
            }
        }

        impl Number for $t {
            #[inline(always)]
            fn floor_div(a: Self, b: Self) -> Self {
                let q = a.wrapping_div(b);
                let r = a.wrapping_rem(b);
                #[allow(unused_comparisons)]
                if r != 0 && (r < 0) != (b < 0) {
                    q.wrapping_sub(1)
                } else {
                    q
                }
            }
            #[inline(always)]
            fn py_rem(a: Self, b: Self) -> Self {
                let r = a.wrapping_rem(b);
                #[allow(unused_comparisons)]
                if r != 0 && (r < 0) != (b < 0) {
                    r.wrapping_add(b)
                } else {
                    r
                }
            }
            #[inline(always)]
            fn maximum(a: Self, b: Self) -> Self {
                a.max(b)
            }
            #[inline(always)]
            fn minimum(a: Self, b: Self) -> Self {
                a.min(b)
            }
        }

        impl Integer for $t {
            #[inline(always)]
            fn ipow(base: Self, exp: Self) -> Self {
                #[allow(unused_comparisons)]
                if exp < 0 {
                    // As torch: only 1 and -1 have integral inverses.
                    return if base == 1 {
                        1
                    } else if base.wrapping_add(1) == 0 {
                        if exp & 1 == 0 { 1 } else { base }
                    } else {
                        0
                    };
                }
                let (mut result, mut b, mut e) = (1 as $t, base, exp);
                while e != 0 {
                    if e & 1 != 0 {
                        result = result.wrapping_mul(b);
                    }
                    e >>= 1;
                    b = b.wrapping_mul(b);
                }
                result
            }
        }
    };
}
int_element!(i64, I64, truncated);
int_element!(i32, I32, truncated_short);
int_element!(i16, I16, truncated_short);
int_element!(i8, I8, truncated_short);
int_element!(u8, U8, truncated);
int_element!(u16, U16, truncated);
int_element!(u32, U32, truncated);
int_element!(u64, U64, truncated_unsigned, unsigned);

macro_rules! complex_element {
    ($t:ident, $part:ident, $d:ident) => {
        impl Element for $t {
            const DTYPE: DType = DType::$d;
            #[inline(always)]
            fn from_scalar(s: Scalar) -> Self {
                match s {
                    Scalar::C128(c) => $t::new(c.re as $part, c.im as $part),
                    real => $t::new($part::from_scalar(real), 0.0),
                }
            }
            #[inline(always)]
            fn to_scalar(self) -> Scalar {
                Scalar::C128(c128::new(f64::from(self.re), f64::from(self.im)))
            }
            #[inline(always)]
            fn from_f64(v: f64) -> Self {
                $t::new(v as $part, 0.0)
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self.re)
            }
            #[inline(always)]
            fn from_i64(v: i64) -> Self {
                $t::new(v as $part, 0.0)
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                truncated(f64::from(self.re))
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.re.is_nan() || self.im.is_nan()
            }
        }
    };
}
complex_element!(c64, f32, C64);
complex_element!(c128, f64, C128);

/// Integer elements.
pub trait Integer: Number {
    /// Power by squaring, wrapping; negative exponents give 0 but for bases 1 and -1.
    fn ipow(base: Self, exp: Self) -> Self;
}

impl Element for bool {
    const DTYPE: DType = DType::Bool;
    #[inline(always)]
    fn from_scalar(s: Scalar) -> Self {
        s.to_bool()
    }
    #[inline(always)]
    fn to_scalar(self) -> Scalar {
        Scalar::Bool(self)
    }
    #[inline(always)]
    fn from_f64(v: f64) -> Self {
        v != 0.0
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(u8::from(self))
    }
    #[inline(always)]
    fn from_i64(v: i64) -> Self {
        v != 0
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        i64::from(self)
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
}
