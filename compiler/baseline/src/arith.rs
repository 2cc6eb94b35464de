//! Operators and built-in functions in CLIF.
//!
//! In: operands on the emitter's stack. Out: result values. Always: whatever Python would raise,
//! and whatever does not fit into machine values, is a deopt before the instruction.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{
    InstBuilder, InstructionData, MemFlagsData as MemFlags, Opcode as IrOp, Value as Ir, ValueDef,
};
use janus_bytecode::{BinaryOp, CompareOp, Opcode};

use crate::complex;
use crate::emit::{Compute, Done, Emitter, V, Why, is_equal, split};
use crate::kind::{Kind, MOST_COUNTED, tag};
use crate::layout::payload;
use crate::list;
use crate::lower::Helper;
use crate::mixed;
use crate::program::Callee;
use crate::step::binary_kind;

/// The largest magnitude up to which every int is a float.
const EXACT: i64 = 1 << 53;

/// The only machine value, or the payload.
pub(crate) fn leaf(e: &Emitter<'_, '_>, v: &V) -> Done<Ir> {
    v.leaves
        .last()
        .copied()
        .ok_or_else(|| e.broken("a value without machine value"))
}

/// An int, or a bool as an int.
pub(crate) fn as_int(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    let x = leaf(e, v)?;
    Ok(if v.kind == Kind::Bool {
        e.b.ins().uextend(I64, x)
    } else {
        x
    })
}

/// A number as a float, rounded as the interpreter does.
pub(crate) fn as_float(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    match (&v.kind, v.leaves.as_slice()) {
        (Kind::Float, &[x]) => Ok(x),
        (Kind::Dyn { .. }, &[actual, payload]) => {
            let is_int =
                e.b.ins()
                    .icmp_imm_s(IntCC::Equal, actual, i64::from(tag::INT));
            let converted = e.b.ins().fcvt_from_sint(F64, payload);
            let same = e.with_bits(&Kind::Float, payload);
            let same = leaf(e, &same)?;
            Ok(e.b.ins().select(is_int, converted, same))
        }
        _ => {
            let x = as_int(e, v)?;
            Ok(e.b.ins().fcvt_from_sint(F64, x))
        }
    }
}

/// The value of a constant.
pub(crate) fn constant_of(e: &Emitter<'_, '_>, v: Ir) -> Option<i64> {
    let dfg = &e.b.func.dfg;
    let ValueDef::Result(inst, _) = dfg.value_def(v) else {
        return None;
    };
    match dfg.insts[inst] {
        InstructionData::UnaryImm {
            opcode: IrOp::Iconst,
            imm,
        } => Some(imm.bits()),
        _ => None,
    }
}

/// Leaves if an int is not exactly a float.
pub(crate) fn exact(e: &mut Emitter<'_, '_>, v: &V, x: Ir) {
    if v.kind == Kind::Bool || constant_of(e, x).is_some_and(|c| c.unsigned_abs() <= EXACT as u64) {
        return;
    }
    let shifted = e.b.ins().iadd_imm_s(x, EXACT);
    let large =
        e.b.ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThan, shifted, 2 * EXACT);
    e.deopt_if(large, Why::new("an int that is a float", "a larger int"));
}

fn not_zero(e: &mut Emitter<'_, '_>, y: Ir) {
    if constant_of(e, y).is_some_and(|c| c != 0) {
        return;
    }
    let zero = e.b.ins().icmp_imm_s(IntCC::Equal, y, 0);
    e.deopt_if(zero, Why::new("a divisor", "zero"));
}

/// The two topmost values combined by the operator with this operand.
pub(crate) fn binary(e: &mut Emitter<'_, '_>, arg: u32) -> Done<V> {
    let (a, b) = (e.top(2)?, e.top(1)?);
    let op = e.operator(arg)?;
    let Some(kind) = binary_kind(op, &a.kind, &b.kind) else {
        return Err(e.broken("operands"));
    };
    let result = match (op, &kind) {
        (_, Kind::Complex) => return complex::binary(e, op, a, b),
        (BinaryOp::Mul, Kind::List(_)) => return list::repeat(e, &a, &b),
        (_, Kind::List(_) | Kind::Object(_)) => {
            return Ok(e.generic(Compute::Binary(op), &[a, b], &kind));
        }
        (BinaryOp::TrueDiv, _) if mixed::are_mixed(&a.kind, &b.kind) => mixed::true_div(e, &a, &b)?,
        (BinaryOp::TrueDiv, _) => true_div(e, &a, &b)?,
        (_, kind) if mixed::is_mixed(kind) => return mixed::binary(e, op, &a, &b),
        (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Kind::Float) => {
            let (x, y) = (as_float(e, &a)?, as_float(e, &b)?);
            float_op(e, op, x, y)
        }
        (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Kind::Bool) => {
            let (x, y) = (leaf(e, &a)?, leaf(e, &b)?);
            bitwise(e, op, x, y)
        }
        (BinaryOp::Pow, Kind::Int) => {
            let (x, y) = (as_int(e, &a)?, as_int(e, &b)?);
            if constant_of(e, y) == Some(2) {
                let (square, over) = e.b.ins().smul_overflow(x, x);
                e.deopt_if(over, Why::overflow());
                square
            } else {
                return Ok(e.generic(Compute::Binary(op), &[a, b], &kind));
            }
        }
        (_, Kind::Int) => {
            let (x, y) = (as_int(e, &a)?, as_int(e, &b)?);
            int_op(e, op, x, y)?
        }
        (BinaryOp::Pow, Kind::Float) => {
            let (x, y) = (as_float(e, &a)?, as_float(e, &b)?);
            power(e, x, y)?
        }
        _ => return Ok(e.generic(Compute::Binary(op), &[a, b], &kind)),
    };
    Ok(V::one(kind, result))
}

/// A sum, a difference or a product of floats.
pub(crate) fn float_op(e: &mut Emitter<'_, '_>, op: BinaryOp, x: Ir, y: Ir) -> Ir {
    match op {
        BinaryOp::Add => e.b.ins().fadd(x, y),
        BinaryOp::Sub => e.b.ins().fsub(x, y),
        _ => e.b.ins().fmul(x, y),
    }
}

/// `x ** y` of floats. What raises gives no number or an infinite one.
fn power(e: &mut Emitter<'_, '_>, x: Ir, y: Ir) -> Done<Ir> {
    let call = e.call_helper(Helper::Pow, &[x, y]);
    let &[result] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    let magnitude = e.b.ins().fabs(result);
    let infinite = e.b.ins().f64const(f64::INFINITY);
    let odd =
        e.b.ins()
            .fcmp(FloatCC::UnorderedOrGreaterThanOrEqual, magnitude, infinite);
    e.deopt_if(odd, Why::new("a finite power", "another one"));
    Ok(result)
}

fn bitwise(e: &mut Emitter<'_, '_>, op: BinaryOp, x: Ir, y: Ir) -> Ir {
    match op {
        BinaryOp::And => e.b.ins().band(x, y),
        BinaryOp::Or => e.b.ins().bor(x, y),
        _ => e.b.ins().bxor(x, y),
    }
}

fn true_div(e: &mut Emitter<'_, '_>, a: &V, b: &V) -> Done<Ir> {
    let integral = |k: &Kind| matches!(k, Kind::Int | Kind::Bool);
    if integral(&a.kind) && integral(&b.kind) {
        let (x, y) = (as_int(e, a)?, as_int(e, b)?);
        not_zero(e, y);
        exact(e, a, x);
        exact(e, b, y);
    }
    let (x, y) = (as_float(e, a)?, as_float(e, b)?);
    if !integral(&a.kind) || !integral(&b.kind) {
        not_zero_float(e, y);
    }
    Ok(e.b.ins().fdiv(x, y))
}

/// Leaves if a divisor is zero.
pub(crate) fn not_zero_float(e: &mut Emitter<'_, '_>, y: Ir) {
    let zero = e.b.ins().f64const(0.0);
    let is_zero = e.b.ins().fcmp(FloatCC::Equal, y, zero);
    e.deopt_if(is_zero, Why::new("a divisor", "zero"));
}

pub(crate) fn int_op(e: &mut Emitter<'_, '_>, op: BinaryOp, x: Ir, y: Ir) -> Done<Ir> {
    Ok(match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            let (result, over) = match op {
                BinaryOp::Add => e.b.ins().sadd_overflow(x, y),
                BinaryOp::Sub => e.b.ins().ssub_overflow(x, y),
                _ => e.b.ins().smul_overflow(x, y),
            };
            e.deopt_if(over, Why::overflow());
            result
        }
        BinaryOp::FloorDiv | BinaryOp::Mod => divide(e, op, x, y),
        BinaryOp::LShift => {
            let wide = e.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, y, 63);
            e.deopt_if(wide, Why::overflow());
            let shifted = e.b.ins().ishl(x, y);
            let back = e.b.ins().sshr(shifted, y);
            let lost = e.b.ins().icmp(IntCC::NotEqual, back, x);
            e.deopt_if(lost, Why::overflow());
            shifted
        }
        BinaryOp::RShift => {
            let negative = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, y, 0);
            e.deopt_if(negative, Why::new("a shift count", "a negative int"));
            let most = e.int(63);
            let count = e.b.ins().smin(y, most);
            e.b.ins().sshr(x, count)
        }
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => bitwise(e, op, x, y),
        _ => return Err(e.broken("operator")),
    })
}

/// `//` and `%` with Python's signs.
fn divide(e: &mut Emitter<'_, '_>, op: BinaryOp, x: Ir, y: Ir) -> Ir {
    let constant = constant_of(e, y);
    if let Some(c) = constant.filter(|c| *c > 0 && c.count_ones() == 1) {
        return match op {
            BinaryOp::FloorDiv => e.b.ins().sshr_imm_u(x, i64::from(c.trailing_zeros())),
            _ => e.b.ins().band_imm_s(x, c - 1),
        };
    }
    not_zero(e, y);
    if constant.is_none_or(|c| c == -1) {
        let least = e.b.ins().icmp_imm_s(IntCC::Equal, x, i64::MIN);
        let minus = e.b.ins().icmp_imm_s(IntCC::Equal, y, -1);
        let both = e.b.ins().band(least, minus);
        e.deopt_if(both, Why::overflow());
    }
    let quotient = e.b.ins().sdiv(x, y);
    let product = e.b.ins().imul(quotient, y);
    let rest = e.b.ins().isub(x, product);
    let signs = e.b.ins().bxor(rest, y);
    let differ = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
    let some = e.b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
    let adjust = e.b.ins().band(differ, some);
    let zero = e.int(0);
    if op == BinaryOp::FloorDiv {
        let one = e.int(1);
        let by = e.b.ins().select(adjust, one, zero);
        e.b.ins().isub(quotient, by)
    } else {
        let by = e.b.ins().select(adjust, y, zero);
        e.b.ins().iadd(rest, by)
    }
}

/// Comparison of the two topmost values.
pub(crate) fn compare(e: &mut Emitter<'_, '_>, op: CompareOp) -> Done<Ir> {
    let (a, b) = (e.top(2)?, e.top(1)?);
    compare_values(e, op, &a, &b)
}

fn compare_values(e: &mut Emitter<'_, '_>, op: CompareOp, a: &V, b: &V) -> Done<Ir> {
    match (&a.kind, &b.kind) {
        (Kind::Tuple(_), Kind::Tuple(_)) => compare_tuples(e, op, &split(a), &split(b)),
        (a_kind, b_kind) if mixed::are_mixed(a_kind, b_kind) => mixed::compare(e, op, a, b),
        (Kind::Complex, _) | (_, Kind::Complex) => complex::compare(e, op, a, b),
        (Kind::Object(_), Kind::Object(_)) => {
            let (x, y) = (leaf(e, a)?, leaf(e, b)?);
            let op = e.int(op as i64);
            let call = e.call_helper(Helper::CompareStr, &[op, x, y]);
            let &[truth] = e.b.inst_results(call) else {
                return Err(e.broken("call"));
            };
            Ok(e.b.ins().ireduce(I8, truth))
        }
        (Kind::Float, Kind::Float) => {
            let (x, y) = (leaf(e, a)?, leaf(e, b)?);
            Ok(e.b.ins().fcmp(float_cc(op), x, y))
        }
        (Kind::Float, _) | (_, Kind::Float) => {
            for v in [a, b] {
                if v.kind != Kind::Float {
                    let x = as_int(e, v)?;
                    exact(e, v, x);
                }
            }
            let (x, y) = (as_float(e, a)?, as_float(e, b)?);
            Ok(e.b.ins().fcmp(float_cc(op), x, y))
        }
        _ => {
            let (x, y) = (as_int(e, a)?, as_int(e, b)?);
            Ok(e.b.ins().icmp(int_cc(op), x, y))
        }
    }
}

/// Comparison of tuples of one length that were not built: by the first items that are neither the same nor equal.
fn compare_tuples(e: &mut Emitter<'_, '_>, op: CompareOp, a: &[V], b: &[V]) -> Done<Ir> {
    let alike = matches!(op, CompareOp::Eq | CompareOp::Le | CompareOp::Ge);
    let mut result = e.b.ins().iconst(I8, i64::from(alike));
    for (a, b) in a.iter().zip(b).rev() {
        let mut same = compare_values(e, CompareOp::Eq, a, b)?;
        if a.kind == Kind::Float {
            let flags = MemFlags::new();
            let (x, y) = (leaf(e, a)?, leaf(e, b)?);
            let (x, y) = (
                e.b.ins().bitcast(I64, flags, x),
                e.b.ins().bitcast(I64, flags, y),
            );
            let one = e.b.ins().icmp(IntCC::Equal, x, y);
            same = e.b.ins().bor(same, one);
        }
        let decided = match op {
            CompareOp::Eq | CompareOp::Ne => {
                let differ = op == CompareOp::Ne;
                e.b.ins().iconst(I8, i64::from(differ))
            }
            op => compare_values(e, op, a, b)?,
        };
        result = e.b.ins().select(same, result, decided);
    }
    Ok(result)
}

/// Whether a value is true, as an `i8` of 0 or 1.
pub(crate) fn truth(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    match &v.kind {
        Kind::None => Ok(e.b.ins().iconst(I8, 0)),
        Kind::Bool => leaf(e, v),
        kind if mixed::is_mixed(kind) => Ok(mixed::truth(e, v)),
        Kind::Object(_) => {
            let (tag, bits) = (e.tag_of(v), leaf(e, v)?);
            object_truth(e, tag, bits)
        }
        Kind::Dyn { mask, .. }
            if mask & !(1 << tag::NONE | 1 << tag::BOOL | 1 << tag::INT) != 0 =>
        {
            let &[tag, bits] = v.leaves.as_slice() else {
                return Err(e.broken("truth"));
            };
            let some = e.b.ins().icmp_imm_s(IntCC::NotEqual, bits, 0);
            // None, bools and ints: whether there are bits.
            let most = i64::from(tag::INT);
            let other = e.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, tag, most);
            let (ask, done) = (e.b.create_block(), e.b.create_block());
            let result = e.b.append_block_param(done, I8);
            e.b.ins().brif(other, ask, &[], done, &[some.into()]);
            e.b.switch_to_block(ask);
            let truth = object_truth(e, tag, bits)?;
            e.b.ins().jump(done, &[truth.into()]);
            e.b.switch_to_block(done);
            Ok(result)
        }
        Kind::Int | Kind::Dyn { .. } => {
            let x = leaf(e, v)?;
            Ok(e.b.ins().icmp_imm_s(IntCC::NotEqual, x, 0))
        }
        Kind::Float => {
            let x = leaf(e, v)?;
            let zero = e.b.ins().f64const(0.0);
            Ok(e.b.ins().fcmp(FloatCC::NotEqual, x, zero))
        }
        Kind::List(_) => {
            let list = leaf(e, v)?;
            let len = list::length(e, list);
            Ok(e.b.ins().icmp_imm_s(IntCC::NotEqual, len, 0))
        }
        Kind::Complex => complex::truth(e, v),
        _ => Err(e.broken("truth")),
    }
}

/// Whether an object that is no number is true.
fn object_truth(e: &mut Emitter<'_, '_>, tag: Ir, bits: Ir) -> Done<Ir> {
    let call = e.call_helper(Helper::Truth, &[tag, bits]);
    let &[truth] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    let unknown = e.b.ins().icmp_imm_u(IntCC::Equal, truth, 2);
    e.deopt_if(unknown, Why::new("a plain truth", "a method's"));
    Ok(e.b.ins().ireduce(I8, truth))
}

/// `-x`, `+x`, `~x`
pub(crate) fn unary(e: &mut Emitter<'_, '_>, op: Opcode) -> Done<V> {
    let v = e.top(1)?;
    if v.kind == Kind::Complex {
        return match op {
            Opcode::UnaryNegative => complex::negate(e, &v),
            _ => Ok(v),
        };
    }
    if mixed::is_mixed(&v.kind) {
        return mixed::negate(e, &v);
    }
    if v.kind == Kind::Float {
        let x = leaf(e, &v)?;
        let result = if op == Opcode::UnaryNegative {
            e.b.ins().fneg(x)
        } else {
            x
        };
        return Ok(V::one(Kind::Float, result));
    }
    let x = as_int(e, &v)?;
    let result = match op {
        Opcode::UnaryNegative => negate(e, x),
        Opcode::UnaryInvert => e.b.ins().bnot(x),
        _ => x,
    };
    Ok(V::one(Kind::Int, result))
}

fn negate(e: &mut Emitter<'_, '_>, x: Ir) -> Ir {
    let least = e.b.ins().icmp_imm_s(IntCC::Equal, x, i64::MIN);
    e.deopt_if(least, Why::overflow());
    e.b.ins().ineg(x)
}

/// A call of a built-in function or class with `count` arguments.
pub(crate) fn call(e: &mut Emitter<'_, '_>, callee: &Callee, count: usize) -> Done<V> {
    let last = e.top(1)?;
    let first = e.stack.len().saturating_sub(count);
    let args: Vec<V> = e.stack.iter().skip(first).cloned().collect();
    Ok(match callee {
        Callee::Len => {
            let list = leaf(e, &last)?;
            V::one(Kind::Int, list::length(e, list))
        }
        Callee::Length => {
            let (tag, bits) = (e.tag_of(&last), e.bits(&last));
            let call = e.call_helper(Helper::Length, &[tag, bits]);
            let &[length] = e.b.inst_results(call) else {
                return Err(e.broken("call"));
            };
            let none = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, length, 0);
            e.deopt_if(
                none,
                Why::new("a container that is built in", "another object"),
            );
            V::one(Kind::Int, length)
        }
        Callee::Ord => {
            let (tag, bits) = (e.tag_of(&last), e.bits(&last));
            let call = e.call_helper(Helper::Ord, &[tag, bits]);
            let &[point] = e.b.inst_results(call) else {
                return Err(e.broken("call"));
            };
            let none = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, point, 0);
            e.deopt_if(
                none,
                Why::new("a string of one code point", "another value"),
            );
            V::one(Kind::Int, point)
        }
        Callee::Chr => {
            let code = leaf(e, &last)?;
            let call = e.call_helper(Helper::Chr, &[code]);
            let &[string] = e.b.inst_results(call) else {
                return Err(e.broken("call"));
            };
            let none = is_equal(e, string, 0);
            e.deopt_if(none, Why::new("a code point of text", "another int"));
            V::one(Kind::Object(tag::STR), string)
        }
        Callee::TypeOf => type_of(e, &last)?,
        Callee::IsInstance(native, class) => is_instance(e, &args, *native, *class)?,
        Callee::Complex => complex::make(e, &args)?,
        Callee::Abs if last.kind == Kind::Complex => complex::magnitude(e, &last)?,
        Callee::Abs if last.kind == Kind::Float => {
            let x = leaf(e, &last)?;
            V::one(Kind::Float, e.b.ins().fabs(x))
        }
        Callee::Abs => {
            let x = leaf(e, &last)?;
            let negated = negate(e, x);
            let negative = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, x, 0);
            V::one(Kind::Int, e.b.ins().select(negative, negated, x))
        }
        Callee::Min | Callee::Max => {
            let least = matches!(callee, Callee::Min);
            let op = if least { CompareOp::Lt } else { CompareOp::Gt };
            if let [a, b] = args.as_slice()
                && a.kind != b.kind
            {
                // Which one it is decides of which type it is.
                let better = compare_values(e, op, b, a)?;
                let kind = a.kind.join(&b.kind).unwrap_or(Kind::Keep);
                let (a, b) = (e.coerce(a.clone(), &kind)?, e.coerce(b.clone(), &kind)?);
                let both = a.leaves.iter().zip(&b.leaves);
                let leaves = both
                    .map(|(a, b)| e.b.ins().select(better, *b, *a))
                    .collect();
                return Ok(V::new(kind, leaves));
            }
            let mut args = args.iter();
            let mut best = match args.next() {
                Some(v) => leaf(e, v)?,
                None => return Err(e.broken("arguments")),
            };
            for v in args {
                let y = leaf(e, v)?;
                let better = match last.kind {
                    Kind::Float => e.b.ins().fcmp(float_cc(op), y, best),
                    _ => e.b.ins().icmp(int_cc(op), y, best),
                };
                best = e.b.ins().select(better, y, best);
            }
            V::one(last.kind, best)
        }
        Callee::Int if last.kind == Kind::Float => {
            let x = leaf(e, &last)?;
            let magnitude = e.b.ins().fabs(x);
            let bound = e.b.ins().f64const(9.2e18);
            let out =
                e.b.ins()
                    .fcmp(FloatCC::UnorderedOrGreaterThan, magnitude, bound);
            e.deopt_if(out, Why::new("a float within 64 bits", "another float"));
            V::one(Kind::Int, e.b.ins().fcvt_to_sint_sat(I64, x))
        }
        Callee::Int => V::one(Kind::Int, as_int(e, &last)?),
        Callee::Float => V::one(Kind::Float, as_float(e, &last)?),
        Callee::Bool => V::one(Kind::Bool, truth(e, &last)?),
        Callee::Sqrt => {
            let x = as_float(e, &last)?;
            let zero = e.b.ins().f64const(0.0);
            let bad = e.b.ins().fcmp(FloatCC::UnorderedOrLessThan, x, zero);
            e.deopt_if(bad, Why::new("a number that has a root", "another number"));
            V::one(Kind::Float, e.b.ins().sqrt(x))
        }
        Callee::Range => {
            let (zero, one) = (e.int(0), e.int(1));
            let bounds: Vec<Ir> = args
                .iter()
                .filter_map(|v| v.leaves.first().copied())
                .collect();
            let leaves = match *bounds.as_slice() {
                [stop] => vec![zero, stop, one],
                [start, stop] => vec![start, stop, one],
                [start, stop, step] => {
                    not_zero(e, step);
                    vec![start, stop, step]
                }
                _ => return Err(e.broken("range")),
            };
            V::new(Kind::Range, leaves)
        }
        Callee::Reversed => {
            let of = list::iterator(e, &last)?;
            let &[first, step, remaining] = of.leaves.as_slice() else {
                return Err(e.broken("reversed"));
            };
            // From the last one on, if there is one: where there is none nobody asks what it would be.
            let steps = e.b.ins().iadd_imm_s(remaining, -1);
            let span = e.b.ins().imul(steps, step);
            let end = e.b.ins().iadd(first, span);
            let back = e.b.ins().ineg(step);
            V::new(Kind::RangeIter, vec![end, back, remaining])
        }
        Callee::Zip => {
            let mut parts = Vec::new();
            for container in &args {
                parts.push(list::iterator(e, container)?);
            }
            let zip = list::joined(&parts, Kind::Zip);
            // It keeps what it iterates over.
            e.count_up(&zip);
            zip
        }
        Callee::Enumerate => {
            let (container, start) = match args.as_slice() {
                [container] => (container, e.int(0)),
                [container, start] => (container, leaf(e, start)?),
                _ => return Err(e.broken("enumerate")),
            };
            let most = e.int(MOST_COUNTED);
            let much = e.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, start, most);
            e.deopt_if(much, Why::new("a small number", "another one"));
            let of = list::iterator(e, container)?;
            e.count_up(&of);
            let mut leaves = vec![start];
            leaves.extend(of.leaves);
            V::new(Kind::Enumerate(Box::new(of.kind)), leaves)
        }
        Callee::Pure(k, result) => e.generic(Compute::Call(*k), &args, result),
        Callee::Native(k, result) => {
            let receiver = e.top(count + 1)?;
            let mut all = args;
            if receiver.kind != Kind::Null {
                all.insert(0, receiver);
            }
            let result = e.generic(Compute::Call(*k), &all, result);
            return Ok(result);
        }
        Callee::Append
        | Callee::Unit(..)
        | Callee::ByCode(..)
        | Callee::Operator { .. }
        | Callee::Identity
        | Callee::Make { .. } => {
            return Err(e.broken("call"));
        }
    })
}

/// The class of a value.
fn type_of(e: &mut Emitter<'_, '_>, v: &V) -> Done<V> {
    let class = match v.kind {
        Kind::Object(tag::INSTANCE) => {
            let (address, class) = (leaf(e, v)?, e.layout.class);
            let class = e.b.ins().load(I64, MemFlags::trusted(), address, class);
            let class = V::one(Kind::Object(tag::CLASS), class);
            e.count_up(&class);
            return Ok(class);
        }
        _ => {
            let (tag, bits) = (e.tag_of(v), e.bits(v));
            e.call_helper(Helper::TypeOf, &[tag, bits])
        }
    };
    match e.b.inst_results(class) {
        &[class] => Ok(V::one(Kind::Object(tag::CLASS), class)),
        _ => Err(e.broken("call")),
    }
}

/// `isinstance` of a class: what is exactly of the class is found at once.
fn is_instance(e: &mut Emitter<'_, '_>, args: &[V], native: usize, class: usize) -> Done<V> {
    let (Some(object), Some(class)) = (args.first(), e.program.known.get(class)) else {
        return Err(e.broken("isinstance"));
    };
    if object.kind != Kind::Object(tag::INSTANCE) {
        return Ok(e.generic(Compute::Call(native), args, &Kind::Bool));
    }
    let (address, wanted) = (leaf(e, object)?, e.int(payload(class) as i64));
    let actual = e.layout.class;
    let actual = e.b.ins().load(I64, MemFlags::trusted(), address, actual);
    let same = e.b.ins().icmp(IntCC::Equal, actual, wanted);
    let (other, done) = (e.b.create_block(), e.b.create_block());
    let result = e.b.append_block_param(done, I8);
    e.b.ins().brif(same, done, &[same.into()], other, &[]);
    e.b.switch_to_block(other);
    let asked = e.generic(Compute::Call(native), args, &Kind::Bool);
    let asked = leaf(e, &asked)?;
    // It drops nothing.
    e.owed = None;
    e.b.ins().jump(done, &[asked.into()]);
    e.b.switch_to_block(done);
    Ok(V::one(Kind::Bool, result))
}

/// Ordering of a float comparison.
pub(crate) fn float_cc(op: CompareOp) -> FloatCC {
    match op {
        CompareOp::Lt => FloatCC::LessThan,
        CompareOp::Le => FloatCC::LessThanOrEqual,
        CompareOp::Eq => FloatCC::Equal,
        CompareOp::Ne => FloatCC::NotEqual,
        CompareOp::Gt => FloatCC::GreaterThan,
        CompareOp::Ge => FloatCC::GreaterThanOrEqual,
    }
}

/// Ordering of an int comparison.
pub(crate) fn int_cc(op: CompareOp) -> IntCC {
    match op {
        CompareOp::Lt => IntCC::SignedLessThan,
        CompareOp::Le => IntCC::SignedLessThanOrEqual,
        CompareOp::Eq => IntCC::Equal,
        CompareOp::Ne => IntCC::NotEqual,
        CompareOp::Gt => IntCC::SignedGreaterThan,
        CompareOp::Ge => IntCC::SignedGreaterThanOrEqual,
    }
}
