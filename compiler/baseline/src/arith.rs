//! Operators and built-in functions in CLIF.
//!
//! In: operands on the emitter's stack. Out: result values. Always: whatever Python would raise,
//! and whatever does not fit into machine values, is a deopt before the instruction.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode as IrOp, Value as Ir, ValueDef};
use janus_bytecode::{BinaryOp, CompareOp, Opcode};

use crate::Refused;
use crate::emit::{Emitter, V, Why, float_cc, int_cc};
use crate::flow::{Callee, binary_kind, math_result};
use crate::kind::{Kind, tag};

/// The largest magnitude up to which every int is a float.
const EXACT: i64 = 1 << 53;

type Done<T> = Result<T, Refused>;

fn leaf(e: &Emitter<'_, '_>, v: &V) -> Done<Ir> {
    v.leaves
        .last()
        .copied()
        .ok_or_else(|| e.broken("a value without machine value"))
}

/// An int, or a bool as an int.
fn as_int(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    let x = leaf(e, v)?;
    Ok(if v.kind == Kind::Bool {
        e.b.ins().uextend(I64, x)
    } else {
        x
    })
}

/// A number as a float, rounded as the interpreter does.
fn as_float(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    match (&v.kind, v.leaves.as_slice()) {
        (Kind::Float, &[x]) => Ok(x),
        (Kind::Dyn { .. }, &[actual, payload]) => {
            let is_int =
                e.b.ins()
                    .icmp_imm_s(IntCC::Equal, actual, i64::from(tag::INT));
            let converted = e.b.ins().fcvt_from_sint(F64, payload);
            let same = e.from_bits(&Kind::Float, payload);
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
fn constant_of(e: &Emitter<'_, '_>, v: Ir) -> Option<i64> {
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
fn exact(e: &mut Emitter<'_, '_>, v: &V, x: Ir) {
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
    let Some(op) = BinaryOp::from_arg(arg).map(BinaryOp::plain) else {
        return Err(e.broken("operator"));
    };
    let Some(kind) = binary_kind(op, &a.kind, &b.kind) else {
        return Err(e.broken("operands"));
    };
    let result = match (op, &kind) {
        (BinaryOp::TrueDiv, _) => true_div(e, &a, &b)?,
        (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Kind::Float) => {
            let (x, y) = (as_float(e, &a)?, as_float(e, &b)?);
            match op {
                BinaryOp::Add => e.b.ins().fadd(x, y),
                BinaryOp::Sub => e.b.ins().fsub(x, y),
                _ => e.b.ins().fmul(x, y),
            }
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
                return general(e, op, &a, &b, kind);
            }
        }
        (_, Kind::Int) => {
            let (x, y) = (as_int(e, &a)?, as_int(e, &b)?);
            int_op(e, op, x, y)?
        }
        _ => return general(e, op, &a, &b, kind),
    };
    Ok(V::one(kind, result))
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
        let zero = e.b.ins().f64const(0.0);
        let is_zero = e.b.ins().fcmp(FloatCC::Equal, y, zero);
        e.deopt_if(is_zero, Why::new("a divisor", "zero"));
    }
    Ok(e.b.ins().fdiv(x, y))
}

fn int_op(e: &mut Emitter<'_, '_>, op: BinaryOp, x: Ir, y: Ir) -> Done<Ir> {
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

/// By the interpreter's own function.
fn general(e: &mut Emitter<'_, '_>, op: BinaryOp, a: &V, b: &V, kind: Kind) -> Done<V> {
    let tags = [&a.kind, &b.kind, &kind].iter().fold(0, |tags, k| {
        tags << 8 | i64::from(k.tag().unwrap_or_default())
    });
    let (op, tags) = (e.int(op as i64), e.int(tags));
    let (x, y) = (e.bits(a), e.bits(b));
    let call = e.b.ins().call(e.imports.binary, &[e.ctx, op, tags, x, y]);
    checked(e, call, kind, "a result of another type, or an exception")
}

/// The result of a function that gives a status and bits.
fn checked(
    e: &mut Emitter<'_, '_>,
    call: cranelift_codegen::ir::Inst,
    kind: Kind,
    actual: &str,
) -> Done<V> {
    let &[status, bits] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    e.deopt_if(status, Why::new(kind.name(), actual));
    Ok(e.from_bits(&kind, bits))
}

/// Comparison of the two topmost values.
pub(crate) fn compare(e: &mut Emitter<'_, '_>, op: CompareOp) -> Done<Ir> {
    let (a, b) = (e.top(2)?, e.top(1)?);
    match (&a.kind, &b.kind) {
        (Kind::Float, Kind::Float) => {
            let (x, y) = (leaf(e, &a)?, leaf(e, &b)?);
            Ok(e.b.ins().fcmp(float_cc(op), x, y))
        }
        (Kind::Float, _) | (_, Kind::Float) => {
            for v in [&a, &b] {
                if v.kind != Kind::Float {
                    let x = as_int(e, v)?;
                    exact(e, v, x);
                }
            }
            let (x, y) = (as_float(e, &a)?, as_float(e, &b)?);
            Ok(e.b.ins().fcmp(float_cc(op), x, y))
        }
        _ => {
            let (x, y) = (as_int(e, &a)?, as_int(e, &b)?);
            Ok(e.b.ins().icmp(int_cc(op), x, y))
        }
    }
}

/// Whether a value is true, as an `i8` of 0 or 1.
pub(crate) fn truth(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    match &v.kind {
        Kind::None => Ok(e.b.ins().iconst(I8, 0)),
        Kind::Bool => leaf(e, v),
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
            let len = length(e, v)?;
            Ok(e.b.ins().icmp_imm_s(IntCC::NotEqual, len, 0))
        }
        _ => Err(e.broken("truth")),
    }
}

fn length(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    let list = leaf(e, v)?;
    let call = e.b.ins().call(e.imports.list_len, &[list]);
    e.b.inst_results(call)
        .first()
        .copied()
        .ok_or_else(|| e.broken("call"))
}

/// `-x`, `+x`, `~x`
pub(crate) fn unary(e: &mut Emitter<'_, '_>, op: Opcode) -> Done<V> {
    let v = e.top(1)?;
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

/// `list[index]`
pub(crate) fn item(e: &mut Emitter<'_, '_>, list: &V, index: &V) -> Done<V> {
    let Kind::List(kind) = &list.kind else {
        return Err(e.broken("list"));
    };
    let kind = (**kind).clone();
    let (address, at) = (leaf(e, list)?, leaf(e, index)?);
    let tag = e.int(i64::from(kind.tag().unwrap_or_default()));
    let call = e.b.ins().call(e.imports.list_get, &[address, at, tag]);
    checked(
        e,
        call,
        kind,
        "an item of another type, or an index out of range",
    )
}

/// `list[index] = value`
pub(crate) fn set_item(e: &mut Emitter<'_, '_>, value: &V, list: &V, index: &V) -> Done<()> {
    let (address, at) = (leaf(e, list)?, leaf(e, index)?);
    let tag = e.int(i64::from(value.kind.tag().unwrap_or_default()));
    let bits = e.bits(value);
    let call =
        e.b.ins()
            .call(e.imports.list_set, &[address, at, tag, bits]);
    let &[status] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    e.deopt_if(status, Why::new("an index of a number", "something else"));
    Ok(())
}

/// `iter(x)`
pub(crate) fn iterator(e: &mut Emitter<'_, '_>, v: &V) -> Done<V> {
    match (&v.kind, v.leaves.as_slice()) {
        (Kind::List(kind), &[list]) => {
            let zero = e.int(0);
            Ok(V::new(Kind::ListIter(kind.clone()), vec![list, zero]))
        }
        (Kind::Range, &[start, stop, step]) => {
            let zero = e.int(0);
            let up = e.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, step, 0);
            let low = e.b.ins().select(up, start, stop);
            let high = e.b.ins().select(up, stop, start);
            let some = e.b.ins().icmp(IntCC::SignedGreaterThan, high, low);
            // As unsigned numbers, the span and the magnitude of the step always fit.
            let span = e.b.ins().isub(high, low);
            let back = e.b.ins().ineg(step);
            let stride = e.b.ins().select(up, step, back);
            let count = if constant_of(e, step) == Some(1) {
                span
            } else {
                let before = e.b.ins().iadd_imm_s(span, -1);
                let strides = e.b.ins().udiv(before, stride);
                e.b.ins().iadd_imm_s(strides, 1)
            };
            let remaining = e.b.ins().select(some, count, zero);
            Ok(V::new(Kind::RangeIter, vec![start, step, remaining]))
        }
        _ => Err(e.broken("iterable")),
    }
}

/// A call of a built-in function or class with `count` arguments.
pub(crate) fn call(e: &mut Emitter<'_, '_>, callee: &Callee, count: usize) -> Done<V> {
    let last = e.top(1)?;
    Ok(match callee {
        Callee::Len => {
            let len = length(e, &last)?;
            V::one(Kind::Int, len)
        }
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
            let first = e.top(2)?;
            let op = if matches!(callee, Callee::Min) {
                CompareOp::Lt
            } else {
                CompareOp::Gt
            };
            let (x, y) = (leaf(e, &first)?, leaf(e, &last)?);
            let second = match last.kind {
                Kind::Float => e.b.ins().fcmp(float_cc(op), y, x),
                _ => e.b.ins().icmp(int_cc(op), y, x),
            };
            V::one(last.kind, e.b.ins().select(second, y, x))
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
            let mut args = Vec::new();
            for n in (1..=count).rev() {
                let v = e.top(n)?;
                args.push(leaf(e, &v)?);
            }
            let leaves = match args.as_slice() {
                &[stop] => vec![zero, stop, one],
                &[start, stop] => vec![start, stop, one],
                &[start, stop, step] => {
                    not_zero(e, step);
                    vec![start, stop, step]
                }
                _ => return Err(e.broken("range")),
            };
            V::new(Kind::Range, leaves)
        }
        Callee::Math(k) => {
            let kind = e.program.known.get(*k).map_or(Kind::Float, math_result);
            let first = e.top(count)?;
            let (x, y) = (e.bits(&first), e.bits(&last));
            let (k, n) = (e.int(*k as i64), e.int(count as i64));
            let call = e.b.ins().call(e.imports.math, &[e.ctx, k, n, x, y]);
            checked(e, call, kind, "another type, or an exception")?
        }
        Callee::Unit(_) => return Err(e.broken("call")),
    })
}
