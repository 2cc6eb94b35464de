//! What is computed at entry, as tier 0 computes it.
//!
//! In: ints and texts of nodes. Out: what an instruction makes of them. Always: the same as tier 0, or nothing.

use janus_bytecode::{BinaryOp, CompareOp};
use janus_object::Value;

/// `a op b`, where tier 0 gets a 64-bit int.
pub fn int_op(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::FloorDiv if b != 0 => {
            let q = a.checked_div(b)?;
            Some(if a % b != 0 && (a < 0) != (b < 0) {
                q - 1
            } else {
                q
            })
        }
        BinaryOp::Mod if b != 0 => {
            let r = a.checked_rem(b)?;
            Some(if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            })
        }
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
        _ => None,
    }
}

/// `a op b` on numbers of one type.
#[must_use]
pub fn holds<T: PartialOrd>(op: CompareOp, a: T, b: T) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

/// Text that is made of a value without calling Python.
pub fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::Str(s) => Some(s.as_str().to_owned()),
        Value::Int(i) => Some(i.to_string()),
        _ => None,
    }
}
