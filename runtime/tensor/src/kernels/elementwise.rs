//! Elementwise kernels.
//!
//! In: operands of one shape and dtype with any strides. Out: a row-major result.
//! Always: one scalar function per primitive and dtype; the loops around it only choose
//! between dense, stretched and strided access.

use crate::dtype::DType;
use crate::error::{Result, TensorError};
use crate::kernels::complex;
use crate::kernels::copy::{cast, copy_into};
use crate::kernels::finite::Watched;
use crate::kernels::loops::{Loops, Shared};
use crate::math;
use crate::ops::{BinaryOp, Predicate, UnaryOp};
use crate::scalar::{Element, Integer, Number};
use crate::tensor::Layout;

/// `out[i] = f(a[i])`; the layouts have one shape and the element types A and R.
#[inline(always)]
pub(crate) fn map<A: Element, R: Element>(
    out: &Layout,
    a: &Layout,
    f: impl Fn(A) -> R + Copy + Sync + Send,
) {
    debug_assert!(a.dtype == A::DTYPE && out.dtype == R::DTYPE && a.shape == out.shape);
    let loops = Loops::new(&out.shape, [&out.strides, &a.strides]);
    let (o, x) = (Shared::<R>::new(out.ptr()), Shared::<A>::new(a.ptr()));
    let watched = Watched::new(out);
    let watch = watched.watch();
    loops.each(
        #[inline(always)]
        // SAFETY: the offsets come from the layouts' own shapes and strides, and layouts
        // reach only elements inside their storage.
        move |off, n, step| unsafe {
            let (o, x) = (o.at(off[0]), x.at(off[1]));
            match step {
                [1, 1] => watch.dense(o, n, |from, to| {
                    for i in from..to {
                        *o.add(i) = f(*x.add(i));
                    }
                }),
                [1, 0] => {
                    watch.strided();
                    let v = f(*x);
                    for i in 0..n {
                        *o.add(i) = v;
                    }
                }
                [so, sx] => {
                    watch.strided();
                    for i in 0..n as isize {
                        *o.offset(i * so) = f(*x.offset(i * sx));
                    }
                }
            }
        },
    );
    watched.note(out);
}

/// `out[i] = f(a[i], b[i])`
#[inline(always)]
pub(crate) fn zip<A: Element, R: Element>(
    out: &Layout,
    a: &Layout,
    b: &Layout,
    f: impl Fn(A, A) -> R + Copy + Sync + Send,
) {
    debug_assert!(a.dtype == A::DTYPE && b.dtype == A::DTYPE && out.dtype == R::DTYPE);
    let loops = Loops::new(&out.shape, [&out.strides, &a.strides, &b.strides]);
    let (o, x, y) = (
        Shared::<R>::new(out.ptr()),
        Shared::<A>::new(a.ptr()),
        Shared::<A>::new(b.ptr()),
    );
    let watched = Watched::new(out);
    let watch = watched.watch();
    loops.each(
        #[inline(always)]
        // SAFETY: as in `map`.
        move |off, n, step| unsafe {
            let (o, x, y) = (o.at(off[0]), x.at(off[1]), y.at(off[2]));
            match step {
                [1, 1, 1] => watch.dense(o, n, |from, to| {
                    for i in from..to {
                        *o.add(i) = f(*x.add(i), *y.add(i));
                    }
                }),
                [1, 1, 0] => {
                    let v = *y;
                    watch.dense(o, n, |from, to| {
                        for i in from..to {
                            *o.add(i) = f(*x.add(i), v);
                        }
                    });
                }
                [1, 0, 1] => {
                    let v = *x;
                    watch.dense(o, n, |from, to| {
                        for i in from..to {
                            *o.add(i) = f(v, *y.add(i));
                        }
                    });
                }
                [so, sx, sy] => {
                    watch.strided();
                    for i in 0..n as isize {
                        *o.offset(i * so) = f(*x.offset(i * sx), *y.offset(i * sy));
                    }
                }
            }
        },
    );
    watched.note(out);
}

/// Integers that are computed as int64 and cut back: sums, products, bits and comparisons
/// agree, and these types are too rare to be worth kernels of their own.
fn is_narrow(d: DType) -> bool {
    matches!(
        d,
        DType::I32 | DType::I16 | DType::I8 | DType::U8 | DType::U16 | DType::U32
    )
}

fn no_kernel<T>(op: &'static str, dtype: DType) -> Result<T> {
    Err(TensorError::NoKernel { op, dtype })
}

/// Unary primitives.
pub(crate) fn unary(op: UnaryOp, x: &Layout) -> Result<Layout> {
    if x.dtype.is_complex() {
        return complex::unary(op, x);
    }
    if x.dtype == DType::U64 {
        return wide_unary(op, x);
    }
    if is_narrow(x.dtype) {
        return cast(&unary(op, &cast(x, DType::I64)?)?, x.dtype);
    }
    let out = Layout::empty(&x.shape, x.dtype)?;
    macro_rules! floats {
        ($f32:path, $f64:path) => {
            match x.dtype {
                DType::F32 => map::<f32, f32>(
                    &out,
                    x,
                    // Always inlined, or the loop would not vectorise.
                    #[inline(always)]
                    |v| $f32(v),
                ),
                DType::F64 => map::<f64, f64>(&out, x, |v| $f64(v)),
                d => return no_kernel(op.name(), d),
            }
        };
    }
    // Integers are whole already.
    macro_rules! round {
        ($f:ident) => {
            match x.dtype {
                DType::F32 => map::<f32, f32>(&out, x, |v| v.$f()),
                DType::F64 => map::<f64, f64>(&out, x, |v| v.$f()),
                DType::Bool => return no_kernel(op.name(), DType::Bool),
                _ => copy_into(&out, x),
            }
        };
    }
    match op {
        UnaryOp::Neg => match x.dtype {
            DType::F32 => map::<f32, f32>(&out, x, |v| -v),
            DType::F64 => map::<f64, f64>(&out, x, |v| -v),
            DType::I64 => map::<i64, i64>(&out, x, i64::wrapping_neg),
            d => return no_kernel("neg", d),
        },
        UnaryOp::Abs => match x.dtype {
            DType::F32 => map::<f32, f32>(&out, x, f32::abs),
            DType::F64 => map::<f64, f64>(&out, x, f64::abs),
            DType::I64 => map::<i64, i64>(&out, x, i64::wrapping_abs),
            _ => copy_into(&out, x),
        },
        UnaryOp::Sign => match x.dtype {
            // 0 for NaN, as torch.
            DType::F32 => map::<f32, f32>(&out, x, |v| f32::from(v > 0.0) - f32::from(v < 0.0)),
            DType::F64 => map::<f64, f64>(&out, x, |v| f64::from(v > 0.0) - f64::from(v < 0.0)),
            DType::I64 => map::<i64, i64>(&out, x, i64::signum),
            _ => copy_into(&out, x),
        },
        UnaryOp::Exp => floats!(math::exp, math::janus_exp_f64),
        UnaryOp::Log => floats!(math::log, math::janus_log_f64),
        UnaryOp::Log1p => floats!(math::log1p, math::janus_log1p_f64),
        UnaryOp::Expm1 => floats!(math::expm1, math::janus_expm1_f64),
        UnaryOp::Tanh => floats!(math::tanh, math::janus_tanh_f64),
        UnaryOp::Sin => floats!(math::sin, math::janus_sin_f64),
        UnaryOp::Cos => floats!(math::cos, math::janus_cos_f64),
        UnaryOp::Erf => floats!(math::erf, math::janus_erf_f64),
        UnaryOp::Sigmoid => floats!(math::sigmoid, math::sigmoid_f64),
        UnaryOp::Sqrt => floats!(f32::sqrt, f64::sqrt),
        UnaryOp::Rsqrt => match x.dtype {
            DType::F32 => map::<f32, f32>(&out, x, |v| 1.0 / v.sqrt()),
            DType::F64 => map::<f64, f64>(&out, x, |v| 1.0 / v.sqrt()),
            d => return no_kernel("rsqrt", d),
        },
        UnaryOp::Floor => round!(floor),
        UnaryOp::Ceil => round!(ceil),
        UnaryOp::Round => round!(round_ties_even),
        UnaryOp::Not => match x.dtype {
            DType::Bool => map::<bool, bool>(&out, x, |v| !v),
            DType::I64 => map::<i64, i64>(&out, x, |v| !v),
            d => return no_kernel("bitwise_not_cpu", d),
        },
    }
    Ok(out)
}

/// uint64 as int64 of the same bits, where that makes no difference.
fn wide_unary(op: UnaryOp, x: &Layout) -> Result<Layout> {
    match op {
        UnaryOp::Neg | UnaryOp::Not => cast(&unary(op, &cast(x, DType::I64)?)?, x.dtype),
        UnaryOp::Sign => {
            let out = Layout::empty(&x.shape, x.dtype)?;
            map::<u64, u64>(&out, x, |v| u64::from(v != 0));
            Ok(out)
        }
        UnaryOp::Abs | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round => {
            crate::kernels::copy::copy_of(x)
        }
        _ => no_kernel(op.name(), x.dtype),
    }
}

/// The same with two operands.
fn wide_binary(op: BinaryOp, a: &Layout, b: &Layout) -> Result<Layout> {
    let out = Layout::empty(&a.shape, a.dtype)?;
    match op {
        BinaryOp::FloorDiv | BinaryOp::Rem if b.to_vec::<u64>()?.contains(&0) => {
            return Err(TensorError::KernelZeroDivision);
        }
        BinaryOp::FloorDiv => zip::<u64, u64>(&out, a, b, Number::floor_div),
        BinaryOp::Rem => zip::<u64, u64>(&out, a, b, Number::py_rem),
        BinaryOp::Pow => zip::<u64, u64>(&out, a, b, Integer::ipow),
        BinaryOp::Maximum => zip::<u64, u64>(&out, a, b, Number::maximum),
        BinaryOp::Minimum => zip::<u64, u64>(&out, a, b, Number::minimum),
        BinaryOp::Shr => zip::<u64, u64>(&out, a, b, |x, y| if y < 64 { x >> y } else { 0 }),
        _ => {
            let (a, b) = (cast(a, DType::I64)?, cast(b, DType::I64)?);
            return cast(&binary(op, &a, &b)?, DType::U64);
        }
    }
    Ok(out)
}

/// Binary primitives.
pub(crate) fn binary(op: BinaryOp, a: &Layout, b: &Layout) -> Result<Layout> {
    let d = a.dtype;
    if d.is_complex() {
        return complex::binary(op, a, b);
    }
    if d == DType::U64 {
        return wide_binary(op, a, b);
    }
    if is_narrow(d) {
        let (a, b) = (cast(a, DType::I64)?, cast(b, DType::I64)?);
        return cast(&binary(op, &a, &b)?, d);
    }
    let out = Layout::empty(&a.shape, d)?;
    macro_rules! arith {
        ($f:expr) => {
            arith!($f, $f)
        };
        ($float:expr, $int:expr) => {
            match d {
                DType::F32 => zip::<f32, f32>(&out, a, b, $float),
                DType::F64 => zip::<f64, f64>(&out, a, b, $float),
                DType::I64 => zip::<i64, i64>(&out, a, b, $int),
                _ => return no_kernel(op.name(), d),
            }
        };
    }
    macro_rules! bits {
        ($op:tt) => {
            match d {
                DType::Bool => zip::<bool, bool>(&out, a, b, |x, y| x $op y),
                DType::I64 => zip::<i64, i64>(&out, a, b, |x, y| x $op y),
                _ => return no_kernel(op.name(), d),
            }
        };
    }
    if matches!(op, BinaryOp::FloorDiv | BinaryOp::Rem)
        && d == DType::I64
        && b.to_vec::<i64>()?.contains(&0)
    {
        return Err(TensorError::KernelZeroDivision);
    }
    match op {
        // Bools add as `or` and multiply as `and`.
        BinaryOp::Add if d == DType::Bool => zip::<bool, bool>(&out, a, b, |x, y| x | y),
        BinaryOp::Mul if d == DType::Bool => zip::<bool, bool>(&out, a, b, |x, y| x & y),
        BinaryOp::Maximum if d == DType::Bool => zip::<bool, bool>(&out, a, b, |x, y| x | y),
        BinaryOp::Minimum if d == DType::Bool => zip::<bool, bool>(&out, a, b, |x, y| x & y),
        BinaryOp::Add => arith!(|x, y| x + y, i64::wrapping_add),
        BinaryOp::Sub => arith!(|x, y| x - y, i64::wrapping_sub),
        BinaryOp::Mul => arith!(|x, y| x * y, i64::wrapping_mul),
        BinaryOp::Div => match d {
            DType::F32 => zip::<f32, f32>(&out, a, b, |x, y| x / y),
            DType::F64 => zip::<f64, f64>(&out, a, b, |x, y| x / y),
            _ => return no_kernel("div", d),
        },
        BinaryOp::FloorDiv => arith!(Number::floor_div),
        BinaryOp::Rem => arith!(Number::py_rem),
        BinaryOp::Pow => match d {
            DType::F32 => zip::<f32, f32>(&out, a, b, math::pow),
            DType::F64 => zip::<f64, f64>(&out, a, b, |x, y| math::janus_pow_f64(x, y)),
            DType::I64 => zip::<i64, i64>(&out, a, b, Integer::ipow),
            _ => return no_kernel("pow", d),
        },
        BinaryOp::Maximum => arith!(Number::maximum),
        BinaryOp::Minimum => arith!(Number::minimum),
        BinaryOp::And => bits!(&),
        BinaryOp::Or => bits!(|),
        BinaryOp::Xor => bits!(^),
        // Counts outside the width shift everything out, as torch.
        BinaryOp::Shl if d == DType::I64 => {
            zip::<i64, i64>(
                &out,
                a,
                b,
                |x, y| if (0..64).contains(&y) { x << y } else { 0 },
            );
        }
        BinaryOp::Shr if d == DType::I64 => {
            zip::<i64, i64>(&out, a, b, |x, y| {
                x >> if (0..64).contains(&y) { y } else { 63 }
            });
        }
        BinaryOp::Shl => return no_kernel("lshift_cpu", d),
        BinaryOp::Shr => return no_kernel("rshift_cpu", d),
    }
    Ok(out)
}

/// Comparisons.
pub(crate) fn compare(p: Predicate, a: &Layout, b: &Layout) -> Result<Layout> {
    if a.dtype.is_complex() {
        return complex::compare(p, a, b);
    }
    if is_narrow(a.dtype) {
        return compare(p, &cast(a, DType::I64)?, &cast(b, DType::I64)?);
    }
    let out = Layout::empty(&a.shape, DType::Bool)?;
    macro_rules! cmp {
        ($op:tt) => {
            // Operators and not method calls: the loops vectorise.
            match a.dtype {
                DType::F32 => zip::<f32, bool>(&out, a, b, |x, y| x $op y),
                DType::F64 => zip::<f64, bool>(&out, a, b, |x, y| x $op y),
                DType::Bool => zip::<bool, bool>(&out, a, b, |x, y| x $op y),
                DType::U64 => zip::<u64, bool>(&out, a, b, |x, y| x $op y),
                _ => zip::<i64, bool>(&out, a, b, |x, y| x $op y),
            }
        };
    }
    match p {
        Predicate::Eq => cmp!(==),
        Predicate::Ne => cmp!(!=),
        Predicate::Lt => cmp!(<),
        Predicate::Le => cmp!(<=),
        Predicate::Gt => cmp!(>),
        Predicate::Ge => cmp!(>=),
    }
    Ok(out)
}

/// `select(cond, a, b)`. Only the width of the elements matters.
pub(crate) fn select(c: &Layout, a: &Layout, b: &Layout) -> Result<Layout> {
    fn of<T: Copy>(out: &Layout, c: &Layout, a: &Layout, b: &Layout) {
        let loops = Loops::new(
            &out.shape,
            [&out.strides, &c.strides, &a.strides, &b.strides],
        );
        let o = Shared::<T>::new(out.ptr());
        // Bools as bytes: a load of `bool` keeps the loop from vectorising.
        let k = Shared::<u8>::new(c.ptr());
        let (x, y) = (Shared::<T>::new(a.ptr()), Shared::<T>::new(b.ptr()));
        loops.each(
            #[inline(always)]
            // SAFETY: as in `map`; T has the width of the elements.
            move |off, n, step| unsafe {
                let (o, k, x, y) = (o.at(off[0]), k.at(off[1]), x.at(off[2]), y.at(off[3]));
                match step {
                    [1, 1, 1, 1] => {
                        for i in 0..n {
                            let (p, q) = (*x.add(i), *y.add(i));
                            *o.add(i) = if *k.add(i) != 0 { p } else { q };
                        }
                    }
                    [1, 1, 1, 0] => {
                        let q = *y;
                        for i in 0..n {
                            let p = *x.add(i);
                            *o.add(i) = if *k.add(i) != 0 { p } else { q };
                        }
                    }
                    [1, 1, 0, 1] => {
                        let p = *x;
                        for i in 0..n {
                            let q = *y.add(i);
                            *o.add(i) = if *k.add(i) != 0 { p } else { q };
                        }
                    }
                    [so, sk, sx, sy] => {
                        for i in 0..n as isize {
                            let (p, q) = (*x.offset(i * sx), *y.offset(i * sy));
                            *o.offset(i * so) = if *k.offset(i * sk) != 0 { p } else { q };
                        }
                    }
                }
            },
        );
    }
    let out = Layout::empty(&a.shape, a.dtype)?;
    match a.dtype.size() {
        1 => of::<u8>(&out, c, a, b),
        2 => of::<u16>(&out, c, a, b),
        4 => of::<u32>(&out, c, a, b),
        8 => of::<u64>(&out, c, a, b),
        _ => of::<[u64; 2]>(&out, c, a, b),
    }
    Ok(out)
}
