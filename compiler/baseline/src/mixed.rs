//! Arithmetic on numbers that are an int or a float.
//!
//! In: two numbers, one of which at least has its tag at run time. Out: the result, with its tag where it has one. Always:
//! control comes together again behind each operation, so that a region does not grow with the ways in which the types of
//! its numbers can combine.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_bytecode::{BinaryOp, CompareOp};

use crate::arith;
use crate::emit::{Done, Emitter, V, is_equal};
use crate::kind::{Kind, tag};

/// Tags of an int or a float.
const NUMBERS: u32 = 1 << tag::INT | 1 << tag::FLOAT;

/// An int or a float, which only its tag tells.
pub(crate) fn kind() -> Kind {
    Kind::of_mask(NUMBERS)
}

/// Whether it is that.
pub(crate) fn is_mixed(kind: &Kind) -> bool {
    matches!(kind, Kind::Dyn { mask, .. } if *mask == NUMBERS)
}

/// Whether one of two numbers is that, and the other one an int, a float or that, too.
pub(crate) fn are_mixed(a: &Kind, b: &Kind) -> bool {
    let number = |k: &Kind| is_mixed(k) || matches!(k, Kind::Int | Kind::Float);
    (is_mixed(a) || is_mixed(b)) && number(a) && number(b)
}

/// Kind of `a op b` of such numbers; `None` where types are told apart first.
pub(crate) fn binary_kind(op: BinaryOp, a: &Kind, b: &Kind) -> Option<Kind> {
    let float = *a == Kind::Float || *b == Kind::Float;
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if !float => Some(kind()),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::TrueDiv => Some(Kind::Float),
        _ => None,
    }
}

/// Whether a number is an int, as an `i8`.
fn is_int(e: &mut Emitter<'_, '_>, v: &V) -> Ir {
    match &v.kind {
        Kind::Int => e.b.ins().iconst(I8, 1),
        Kind::Float => e.b.ins().iconst(I8, 0),
        _ => {
            let tag = e.tag_of(v);
            is_equal(e, tag, tag::INT)
        }
    }
}

/// Leaves if a number is an int that is not exactly a float.
fn exact(e: &mut Emitter<'_, '_>, v: &V) {
    let (bits, zero) = (e.bits(v), e.int(0));
    let int = is_int(e, v);
    let bits = e.b.ins().select(int, bits, zero);
    arith::exact(e, v, bits);
}

/// `a op b`, where the result is an int or a float.
pub(crate) fn binary(e: &mut Emitter<'_, '_>, op: BinaryOp, a: &V, b: &V) -> Done<V> {
    let (ints, floats, done) = (e.b.create_block(), e.b.create_block(), e.b.create_block());
    let tag = e.b.append_block_param(done, I64);
    let bits = e.b.append_block_param(done, I64);
    let (x, y) = (is_int(e, a), is_int(e, b));
    let both = e.b.ins().band(x, y);
    e.b.ins().brif(both, ints, &[], floats, &[]);
    e.b.switch_to_block(ints);
    let (x, y) = (e.bits(a), e.bits(b));
    let sum = arith::int_op(e, op, x, y)?;
    let int = e.int(i64::from(tag::INT));
    e.b.ins().jump(done, &[int.into(), sum.into()]);
    e.b.switch_to_block(floats);
    let (x, y) = (arith::as_float(e, a)?, arith::as_float(e, b)?);
    let sum = arith::float_op(e, op, x, y);
    let sum = e.b.ins().bitcast(I64, MemFlags::new(), sum);
    let float = e.int(i64::from(tag::FLOAT));
    e.b.ins().jump(done, &[float.into(), sum.into()]);
    e.b.switch_to_block(done);
    Ok(V::new(kind(), vec![tag, bits]))
}

/// `a / b`
pub(crate) fn true_div(e: &mut Emitter<'_, '_>, a: &V, b: &V) -> Done<Ir> {
    // Of two ints the quotient is rounded once.
    exact(e, a);
    exact(e, b);
    let (x, y) = (arith::as_float(e, a)?, arith::as_float(e, b)?);
    arith::not_zero_float(e, y);
    Ok(e.b.ins().fdiv(x, y))
}

/// Whether `a op b`, as an `i8`.
pub(crate) fn compare(e: &mut Emitter<'_, '_>, op: CompareOp, a: &V, b: &V) -> Done<Ir> {
    let (ints, floats, done) = (e.b.create_block(), e.b.create_block(), e.b.create_block());
    let result = e.b.append_block_param(done, I8);
    let (x, y) = (is_int(e, a), is_int(e, b));
    let both = e.b.ins().band(x, y);
    e.b.ins().brif(both, ints, &[], floats, &[]);
    e.b.switch_to_block(ints);
    let (x, y) = (e.bits(a), e.bits(b));
    let holds = e.b.ins().icmp(arith::int_cc(op), x, y);
    e.b.ins().jump(done, &[holds.into()]);
    e.b.switch_to_block(floats);
    exact(e, a);
    exact(e, b);
    let (x, y) = (arith::as_float(e, a)?, arith::as_float(e, b)?);
    let holds = e.b.ins().fcmp(arith::float_cc(op), x, y);
    e.b.ins().jump(done, &[holds.into()]);
    e.b.switch_to_block(done);
    Ok(result)
}

/// `-a`
pub(crate) fn negate(e: &mut Emitter<'_, '_>, a: &V) -> Done<V> {
    let (ints, floats, done) = (e.b.create_block(), e.b.create_block(), e.b.create_block());
    let result = e.b.append_block_param(done, I64);
    let tag = e.tag_of(a);
    let bits = e.bits(a);
    let int = is_int(e, a);
    e.b.ins().brif(int, ints, &[], floats, &[]);
    e.b.switch_to_block(ints);
    let zero = e.int(0);
    let negative = arith::int_op(e, BinaryOp::Sub, zero, bits)?;
    e.b.ins().jump(done, &[negative.into()]);
    e.b.switch_to_block(floats);
    let x = e.b.ins().bitcast(F64, MemFlags::new(), bits);
    let negative = e.b.ins().fneg(x);
    let negative = e.b.ins().bitcast(I64, MemFlags::new(), negative);
    e.b.ins().jump(done, &[negative.into()]);
    e.b.switch_to_block(done);
    Ok(V::new(kind(), vec![tag, result]))
}

/// Whether a number is not zero, as an `i8`.
pub(crate) fn truth(e: &mut Emitter<'_, '_>, v: &V) -> Ir {
    let (bits, zero) = (e.bits(v), e.int(0));
    let int = is_int(e, v);
    let is_some = e.b.ins().icmp(IntCC::NotEqual, bits, zero);
    // Of both zeros of floats all bits but the sign's are 0.
    let shifted = e.b.ins().ishl_imm_u(bits, 1);
    let is_some_float = e.b.ins().icmp(IntCC::NotEqual, shifted, zero);
    e.b.ins().select(int, is_some, is_some_float)
}
