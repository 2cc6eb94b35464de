//! Short ways of NumPy's scalars: arithmetic and comparisons with one another and with Python's numbers, and functions of one number.
//!
//! In: numbers. Out: a scalar. Always: a result that is not finite, and one that is too small where that is to be told, is left to
//! the function behind, which tells errors; an int that does not fit is, too.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::ops::holds;
use janus_object::{Args, Value};
use janus_tensor::ops::{Prim, UnaryOp};
use janus_tensor::{DType, Eager, Ops, Tensor};

use super::Package;
use super::arrays;
use super::short::{Operand, Short, arithmetic, bits, comparisons, plain, whole_division};

/// Two numbers as what NumPy computes with.
enum Pair {
    F64(f64, f64),
    F32(f32, f32),
    I64(i64, i64),
}

impl Pair {
    /// Python's own numbers take the other side's type.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "the conversions that Python and NumPy do"
    )]
    fn of(a: &Operand, b: &Operand) -> Option<Pair> {
        use Operand::{Float, Float32, Float64, Int, Int64};
        Some(match (a, b) {
            (Float64(a), Float64(b) | Float(b)) | (Float(a), Float64(b)) => Pair::F64(*a, *b),
            (Float64(a), Int(b)) => Pair::F64(*a, *b as f64),
            (Int(a), Float64(b)) => Pair::F64(*a as f64, *b),
            (Float64(a), Float32(b)) => Pair::F64(*a, f64::from(*b)),
            (Float32(a), Float64(b)) => Pair::F64(f64::from(*a), *b),
            (Float32(a), Float32(b)) => Pair::F32(*a, *b),
            (Float32(a), Float(b)) => Pair::F32(*a, narrowed(*b)?),
            (Float(a), Float32(b)) => Pair::F32(narrowed(*a)?, *b),
            (Float32(a), Int(b)) => Pair::F32(*a, narrowed(*b as f64)?),
            (Int(a), Float32(b)) => Pair::F32(narrowed(*a as f64)?, *b),
            (Int64(a), Int64(b) | Int(b)) | (Int(a), Int64(b)) => Pair::I64(*a, *b),
            (Int64(a), Float64(b) | Float(b)) => Pair::F64(*a as f64, *b),
            (Float64(a) | Float(a), Int64(b)) => Pair::F64(*a, *b as f64),
            _ => return None,
        })
    }
}

/// A float as a float32, if it holds it.
#[allow(clippy::cast_possible_truncation, reason = "that is what is asked")]
fn narrowed(n: f64) -> Option<f32> {
    let narrow = n as f32;
    narrow.is_finite().then_some(narrow)
}

macro_rules! of_floats {
    ($known:ident, $op:ident, $a:ident, $b:ident, $t:ident, $make:ident) => {{
        let n = match $op {
            BinaryOp::Add => $a + $b,
            BinaryOp::Sub => $a - $b,
            BinaryOp::Mul => $a * $b,
            BinaryOp::TrueDiv if $b != 0.0 => $a / $b,
            _ => return None,
        };
        let rounds = matches!($op, BinaryOp::Mul | BinaryOp::TrueDiv);
        if !n.is_finite() || rounds && n.abs() < $t::MIN_POSITIVE && $known.tells_tiny() {
            return None;
        }
        $known.$make(n)
    }};
}

fn computed(known: &Package, op: BinaryOp, a: &Operand, b: &Operand) -> Option<Value> {
    Some(match Pair::of(a, b)? {
        Pair::F64(a, b) => of_floats!(known, op, a, b, f64, float64_value),
        Pair::F32(a, b) => of_floats!(known, op, a, b, f32, float32_value),
        #[allow(
            clippy::cast_precision_loss,
            reason = "a division of ints is one of floats"
        )]
        Pair::I64(a, b) => match op {
            BinaryOp::Add => known.int64_value(a.checked_add(b)?),
            BinaryOp::Sub => known.int64_value(a.checked_sub(b)?),
            BinaryOp::Mul => known.int64_value(a.checked_mul(b)?),
            BinaryOp::FloorDiv if b > 0 => known.int64_value(a.div_euclid(b)),
            BinaryOp::Mod if b > 0 => known.int64_value(a.rem_euclid(b)),
            BinaryOp::TrueDiv if b != 0 => known.float64_value(a as f64 / b as f64),
            BinaryOp::And => known.int64_value(a & b),
            BinaryOp::Or => known.int64_value(a | b),
            BinaryOp::Xor => known.int64_value(a ^ b),
            BinaryOp::LShift if (0..64).contains(&b) => known.int64_value(a << b),
            BinaryOp::RShift if (0..64).contains(&b) => known.int64_value(a >> b),
            _ => return None,
        },
    })
}

/// The operator of a scalar, which is the first operand where it is not `reflected`.
fn operator(op: BinaryOp, reflected: bool, args: Args<'_>) -> Option<Value> {
    let (known, [this, other]) = plain(args)? else {
        return None;
    };
    let (a, b) = (Operand::of(&known, this)?, Operand::of(&known, other)?);
    match reflected {
        false => computed(&known, op, &a, &b),
        true => computed(&known, op, &b, &a),
    }
}

/// Ints that a float holds exactly.
const EXACT: std::ops::RangeInclusive<i64> = -(1 << 53)..=1 << 53;

fn comparison(op: CompareOp, args: Args<'_>) -> Option<Value> {
    let (known, [this, other]) = plain(args)? else {
        return None;
    };
    let (a, b) = (Operand::of(&known, this)?, Operand::of(&known, other)?);
    // An int is compared as it is.
    for operand in [&a, &b] {
        if let Operand::Int(n) | Operand::Int64(n) = operand
            && !EXACT.contains(n)
        {
            return None;
        }
    }
    let truth = match Pair::of(&a, &b)? {
        Pair::F64(a, b) => holds(op, a, b),
        Pair::F32(a, b) => holds(op, a, b),
        Pair::I64(a, b) => holds(op, a, b),
    };
    Some(known.truth(truth))
}

fn negative(args: Args<'_>) -> Option<Value> {
    let (known, [this]) = plain(args)? else {
        return None;
    };
    match Operand::of(&known, this)? {
        Operand::Float64(n) => Some(known.float64_value(-n)),
        Operand::Float32(n) => Some(known.float32_value(-n)),
        Operand::Int64(n) => Some(known.int64_value(n.checked_neg()?)),
        _ => None,
    }
}

fn absolute(args: Args<'_>) -> Option<Value> {
    let (known, [this]) = plain(args)? else {
        return None;
    };
    match Operand::of(&known, this)? {
        Operand::Float64(n) => Some(known.float64_value(n.abs())),
        Operand::Float32(n) => Some(known.float32_value(n.abs())),
        Operand::Int64(n) => Some(known.int64_value(n.checked_abs()?)),
        _ => None,
    }
}

/// `numpy.float64(number)`
fn new_float64(args: Args<'_>) -> Option<Value> {
    let (known, [Value::Class(class), number]) = plain(args)? else {
        return None;
    };
    if !janus_object::PyRef::ptr_eq(class, &known.float64) {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "as float() does")]
    match Operand::of(&known, number)? {
        Operand::Float(n) | Operand::Float64(n) => Some(known.float64_value(n)),
        Operand::Float32(n) => Some(known.float64_value(f64::from(n))),
        Operand::Int(n) | Operand::Int64(n) => Some(known.float64_value(n as f64)),
        Operand::Array(_) => None,
    }
}

/// `numpy.int64(int)`
fn new_int64(args: Args<'_>) -> Option<Value> {
    let (known, [Value::Class(class), number]) = plain(args)? else {
        return None;
    };
    if !janus_object::PyRef::ptr_eq(class, &known.int64) {
        return None;
    }
    match Operand::of(&known, number)? {
        Operand::Int(n) | Operand::Int64(n) => Some(known.int64_value(n)),
        _ => None,
    }
}

/// `bool(numpy.bool)`
fn truth(args: Args<'_>) -> Option<Value> {
    let (known, [this]) = plain(args)? else {
        return None;
    };
    // There are two of them that short ways make.
    let is = |one: &Value| matches!((this, one), (Value::Instance(a), Value::Instance(b)) if janus_object::PyRef::ptr_eq(a, b));
    if is(&known.truths.0) {
        Some(Value::bool(true))
    } else if is(&known.truths.1) {
        Some(Value::bool(false))
    } else {
        None
    }
}

/// Functions of one float that are those of `math`, and floats of ints.
const FUNCTIONS: &[(&str, fn(f64) -> f64)] = &[
    ("sqrt", f64::sqrt),
    ("exp", f64::exp),
    ("log", f64::ln),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("arcsin", f64::asin),
    ("arccos", f64::acos),
    ("arctan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("fabs", f64::abs),
];

/// Functions of arrays of floats that are one primitive.
const OF_ARRAYS: &[(&str, UnaryOp)] = &[
    ("sqrt", UnaryOp::Sqrt),
    ("exp", UnaryOp::Exp),
    ("log", UnaryOp::Log),
    ("sin", UnaryOp::Sin),
    ("cos", UnaryOp::Cos),
    ("tanh", UnaryOp::Tanh),
    ("absolute", UnaryOp::Abs),
    ("fabs", UnaryOp::Abs),
    ("negative", UnaryOp::Neg),
    ("floor", UnaryOp::Floor),
    ("ceil", UnaryOp::Ceil),
    ("rint", UnaryOp::Round),
];

/// Functions that round, of floats: what they give is exact, and of the same type.
fn rounding(name: &str, n: f64) -> Option<f64> {
    Some(match name {
        "floor" => n.floor(),
        "ceil" => n.ceil(),
        "trunc" => n.trunc(),
        "rint" => n.round_ties_even(),
        "sign" if n == 0.0 => 0.0,
        "sign" => n.signum(),
        _ => return None,
    })
}

/// What kind of number a float is.
fn classified(name: &str, n: f64) -> Option<bool> {
    Some(match name {
        "isnan" => n.is_nan(),
        "isinf" => n.is_infinite(),
        "isfinite" => n.is_finite(),
        _ => return None,
    })
}

/// `maximum` and `minimum`; of zeros with different signs, and of what is no number, the function behind says.
fn larger_or_smaller<T: Copy + PartialOrd>(largest: bool, a: T, b: T) -> Option<T> {
    match (a > b, a < b) {
        (false, false) => None,
        (is_larger, _) => Some(if is_larger == largest { a } else { b }),
    }
}

/// `ufunc(a, b)`
fn of_two(known: &Package, name: &str, a: &Operand, b: &Operand) -> Option<Value> {
    let op = match name {
        "add" => Some(BinaryOp::Add),
        "subtract" => Some(BinaryOp::Sub),
        "multiply" => Some(BinaryOp::Mul),
        "divide" => Some(BinaryOp::TrueDiv),
        _ => None,
    };
    let largest = match name {
        "maximum" => Some(true),
        "minimum" => Some(false),
        _ => None,
    };
    if op.is_none() && largest.is_none() {
        return None;
    }
    // Of Python's own numbers results are NumPy's.
    let own = |o: &Operand| match o {
        Operand::Float(n) => Some(Operand::Float64(*n)),
        Operand::Int(n) => Some(Operand::Int64(*n)),
        _ => None,
    };
    let made = own(a).filter(|_| own(b).is_some());
    let a = made.as_ref().unwrap_or(a);
    if let Some(op) = op {
        return computed(known, op, a, b);
    }
    let largest = largest?;
    if let (Operand::Array(t), other) | (other, Operand::Array(t)) = (a, b) {
        return bounded(known, largest, t, other);
    }
    match Pair::of(a, b)? {
        Pair::F64(a, b) if a == b && a != 0.0 => Some(known.float64_value(a)),
        Pair::F64(a, b) => Some(known.float64_value(larger_or_smaller(largest, a, b)?)),
        Pair::F32(a, b) if a == b && a != 0.0 => Some(known.float32_value(a)),
        Pair::F32(a, b) => Some(known.float32_value(larger_or_smaller(largest, a, b)?)),
        Pair::I64(a, b) if a == b => Some(known.int64_value(a)),
        Pair::I64(a, b) => Some(known.int64_value(larger_or_smaller(largest, a, b)?)),
    }
}

/// `maximum`, or `minimum`, of a small array and a number, or an array of the same extents.
fn bounded(known: &Package, largest: bool, t: &Tensor, other: &Operand) -> Option<Value> {
    let is_strided = matches!(other, Operand::Array(o) if !o.is_contiguous());
    if !arrays::is_small(t) || is_strided {
        return None;
    }
    macro_rules! each {
        ($type:ty, $zero:expr) => {{
            let b = arrays::side::<$type>(t, other)?;
            let made = arrays::each(&t.to_vec::<$type>().ok()?, &b, |a, b| match a == b {
                true if a != $zero => Some(a),
                _ => larger_or_smaller(largest, a, b),
            });
            let made: Vec<$type> = made.into_iter().collect::<Option<_>>()?;
            Tensor::from_slice(&made, &t.shape())
        }};
    }
    let made = match t.dtype() {
        DType::F64 => each!(f64, 0.0),
        DType::F32 => each!(f32, 0.0),
        _ => return None,
    };
    Some(known.array_value(made.ok()?))
}

/// `ufunc(number)`, `ufunc(array)`, and `ufunc(a, b)`
fn call_ufunc(args: Args<'_>) -> Option<Value> {
    let (known, [Value::Instance(ufunc), x, rest @ ..]) = plain(args)? else {
        return None;
    };
    let dict = ufunc.dict.get()?;
    let name = dict.get_name(janus_object::name!("__name__"))?;
    let name = name.as_str()?;
    let operand = Operand::of(&known, x)?;
    match rest {
        [] => {}
        [y] => return of_two(&known, name, &operand, &Operand::of(&known, y)?),
        _ => return None,
    }
    if let Operand::Float(n) | Operand::Float64(n) = operand {
        if let Some(is) = classified(name, n) {
            return Some(known.truth(is));
        }
        if let Some(rounded) = rounding(name, n) {
            return n.is_finite().then(|| known.float64_value(rounded));
        }
    }
    if let Operand::Float32(n) = operand {
        let wide = f64::from(n);
        if let Some(is) = classified(name, wide) {
            return Some(known.truth(is));
        }
        #[allow(
            clippy::cast_possible_truncation,
            reason = "what rounding gives is a float32, too"
        )]
        return rounding(name, wide)
            .filter(|_| n.is_finite())
            .map(|rounded| known.float32_value(rounded as f32));
    }
    if let Operand::Array(t) = &operand
        && matches!(name, "isnan" | "isinf" | "isfinite")
    {
        let all: Vec<f64> = match t.dtype() {
            DType::F64 if arrays::is_small(t) => t.to_vec().ok()?,
            DType::F32 if arrays::is_small(t) => {
                t.to_vec::<f32>().ok()?.into_iter().map(f64::from).collect()
            }
            _ => return None,
        };
        let all: Option<Vec<bool>> = all.into_iter().map(|n| classified(name, n)).collect();
        return Some(known.array_value(Tensor::from_slice(&all?, &t.shape()).ok()?));
    }
    if let Operand::Array(t) = &operand {
        let (_, op) = OF_ARRAYS.iter().find(|(known, _)| *known == name)?;
        if t.rank() == 0 || !matches!(t.dtype(), DType::F64 | DType::F32) || known.tells_tiny() {
            return None;
        }
        let made = Eager.apply(Prim::Unary(*op), &[t]).ok()?;
        return made.result_finite().then(|| known.array_value(made));
    }
    if let (Operand::Float(n) | Operand::Float64(n), "square") = (&operand, name) {
        let square = n * n;
        return (square.is_finite() && (square >= f64::MIN_POSITIVE || *n == 0.0))
            .then(|| known.float64_value(square));
    }
    if let (Operand::Float(n) | Operand::Float64(n), "absolute") = (&operand, name) {
        return n.is_finite().then(|| known.float64_value(n.abs()));
    }
    #[allow(clippy::cast_precision_loss, reason = "as NumPy does")]
    let n = match operand {
        Operand::Float(n) | Operand::Float64(n) => n,
        Operand::Int(n) | Operand::Int64(n) => n as f64,
        _ => return None,
    };
    let (_, function) = FUNCTIONS.iter().find(|(known, _)| *known == name)?;
    let result = function(n);
    (result.is_finite() && n.is_finite()).then(|| known.float64_value(result))
}

/// What of scalars, and of functions of one number, has short ways.
pub(super) const SHORT: &[&[Short]] = &[
    arithmetic!("float64", operator),
    arithmetic!("float32", operator),
    arithmetic!("int64", operator),
    bits!("int64", operator),
    whole_division!("float64", operator),
    whole_division!("float32", operator),
    whole_division!("int64", operator),
    comparisons!("float64", comparison),
    comparisons!("float32", comparison),
    comparisons!("int64", comparison),
    &[
        Short::method("float64.__neg__", negative),
        Short::method("float32.__neg__", negative),
        Short::method("int64.__neg__", negative),
        Short::method("float64.__abs__", absolute),
        Short::method("float32.__abs__", absolute),
        Short::method("int64.__abs__", absolute),
        Short::function("float64.__new__", new_float64),
        Short::function("int64.__new__", new_int64),
        Short::method("bool.__bool__", truth),
        Short::method("ufunc.__call__", call_ufunc),
    ],
];
