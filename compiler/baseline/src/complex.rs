//! Complex numbers in CLIF.
//!
//! In: operands, one of them complex. Out: real and imaginary parts. Always: the same operations in
//! the same order as the interpreter's, so that the parts are equal to the bit.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode as IrOp, Value as Ir, ValueDef};
use janus_bytecode::{BinaryOp, CompareOp};

use crate::arith::{as_float, constant_of};
use crate::emit::{Compute, Done, Emitter, V, Why};
use crate::kind::Kind;
use crate::lower::Helper;

type Parts = (Ir, Ir);

/// Real and imaginary part of a number.
fn parts(e: &mut Emitter<'_, '_>, v: &V) -> Done<Parts> {
    match (&v.kind, v.leaves.as_slice()) {
        (Kind::Complex, &[re, im]) => Ok((re, im)),
        _ => {
            let re = as_float(e, v)?;
            let im = e.b.ins().f64const(0.0);
            Ok((re, im))
        }
    }
}

fn value((re, im): Parts) -> V {
    V::new(Kind::Complex, vec![re, im])
}

fn times(e: &mut Emitter<'_, '_>, a: Parts, b: Parts) -> Parts {
    let rr = e.b.ins().fmul(a.0, b.0);
    let ii = e.b.ins().fmul(a.1, b.1);
    let ri = e.b.ins().fmul(a.0, b.1);
    let ir = e.b.ins().fmul(a.1, b.0);
    (e.b.ins().fsub(rr, ii), e.b.ins().fadd(ri, ir))
}

/// Whether a number is the constant 2.
fn is_two(e: &Emitter<'_, '_>, v: &V) -> bool {
    let Some(&leaf) = v.leaves.first() else {
        return false;
    };
    if v.kind == Kind::Int {
        return constant_of(e, leaf) == Some(2);
    }
    let dfg = &e.b.func.dfg;
    let ValueDef::Result(inst, _) = dfg.value_def(leaf) else {
        return false;
    };
    v.kind == Kind::Float
        && matches!(
            dfg.insts[inst],
            InstructionData::UnaryIeee64 { opcode: IrOp::F64const, imm } if imm.bits() == 2f64.to_bits()
        )
}

/// `a op b`
pub(crate) fn binary(e: &mut Emitter<'_, '_>, op: BinaryOp, a: V, b: V) -> Done<V> {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {}
        // As the interpreter does for a small exponent: one times the square.
        BinaryOp::Pow if is_two(e, &b) => {
            let base = parts(e, &a)?;
            let square = times(e, base, base);
            let zero = e.b.ins().f64const(0.0);
            let none = e.b.ins().fmul(zero, square.1);
            let re = e.b.ins().fsub(square.0, none);
            let none = e.b.ins().fmul(zero, square.0);
            let im = e.b.ins().fadd(square.1, none);
            return Ok(value((re, im)));
        }
        _ => return Ok(e.generic(Compute::Binary(op), &[a, b], &Kind::Complex)),
    }
    let (a, b) = (parts(e, &a)?, parts(e, &b)?);
    Ok(value(match op {
        BinaryOp::Add => (e.b.ins().fadd(a.0, b.0), e.b.ins().fadd(a.1, b.1)),
        BinaryOp::Sub => (e.b.ins().fsub(a.0, b.0), e.b.ins().fsub(a.1, b.1)),
        _ => times(e, a, b),
    }))
}

/// `-z`
pub(crate) fn negate(e: &mut Emitter<'_, '_>, v: &V) -> Done<V> {
    let (re, im) = parts(e, v)?;
    Ok(value((e.b.ins().fneg(re), e.b.ins().fneg(im))))
}

/// `a == b`, `a != b`
pub(crate) fn compare(e: &mut Emitter<'_, '_>, op: CompareOp, a: &V, b: &V) -> Done<Ir> {
    let (a, b) = (parts(e, a)?, parts(e, b)?);
    let re = e.b.ins().fcmp(FloatCC::Equal, a.0, b.0);
    let im = e.b.ins().fcmp(FloatCC::Equal, a.1, b.1);
    let equal = e.b.ins().band(re, im);
    Ok(match op {
        CompareOp::Eq => equal,
        _ => e.b.ins().bxor_imm_u(equal, 1),
    })
}

/// `bool(z)`
pub(crate) fn truth(e: &mut Emitter<'_, '_>, v: &V) -> Done<Ir> {
    let (re, im) = parts(e, v)?;
    let zero = e.b.ins().f64const(0.0);
    let re = e.b.ins().fcmp(FloatCC::NotEqual, re, zero);
    let im = e.b.ins().fcmp(FloatCC::NotEqual, im, zero);
    Ok(e.b.ins().bor(re, im))
}

/// `abs(z)`
pub(crate) fn magnitude(e: &mut Emitter<'_, '_>, v: &V) -> Done<V> {
    let (re, im) = parts(e, v)?;
    let call = e.call_helper(Helper::Hypot, &[re, im]);
    let &[length] = e.b.inst_results(call) else {
        return Err(e.broken("call"));
    };
    let infinite = e.b.ins().f64const(f64::INFINITY);
    let large = e.b.ins().fcmp(FloatCC::Equal, length, infinite);
    e.deopt_if(large, Why::new("a finite magnitude", "infinity"));
    Ok(V::one(Kind::Float, length))
}

/// `complex(re)`, `complex(re, im)`
pub(crate) fn make(e: &mut Emitter<'_, '_>, args: &[V]) -> Done<V> {
    match args {
        [re] => parts(e, re).map(value),
        [re, im] => Ok(value((as_float(e, re)?, as_float(e, im)?))),
        _ => Err(e.broken("complex")),
    }
}
