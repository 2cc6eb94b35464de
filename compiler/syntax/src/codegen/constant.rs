//! Constants: the pool of a code object, and the little folding that Python shows.
//!
//! In: literals. Out: [`Const`]s and their indices. Always: equal constants of one type share an
//! index; constants of different types never do.

use std::collections::HashMap;
use std::rc::Rc;

use janus_bytecode::Const;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use rustpython_parser::ast::{Constant, Expr, Operator, UnaryOp};

/// Constants without duplicates. `1`, `1.0` and `True` are three; so are `0.0` and `-0.0` two.
#[derive(Default)]
pub(super) struct ConstPool {
    values: Vec<Const>,
    index: HashMap<Key, u32>,
}

/// A constant as a hash key: floats by their bits.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    BigInt(Rc<str>),
    Float(u64),
    Complex(u64, u64),
    Str(Rc<str>),
    Bytes(Rc<[u8]>),
    Tuple(Vec<Key>),
    FrozenSet(Vec<Key>),
}

impl Key {
    /// `None` for code objects, which are never shared.
    fn of(value: &Const) -> Option<Key> {
        let all = |items: &[Const]| items.iter().map(Key::of).collect::<Option<Vec<_>>>();
        Some(match value {
            Const::None => Key::None,
            Const::Ellipsis => Key::Ellipsis,
            Const::Bool(b) => Key::Bool(*b),
            Const::Int(i) => Key::Int(*i),
            Const::BigInt(digits) => Key::BigInt(digits.clone()),
            Const::Float(f) => Key::Float(f.to_bits()),
            Const::Complex(re, im) => Key::Complex(re.to_bits(), im.to_bits()),
            Const::Str(s) => Key::Str(s.clone()),
            Const::Bytes(b) => Key::Bytes(b.clone()),
            Const::Tuple(items) => Key::Tuple(all(items)?),
            Const::FrozenSet(items) => Key::FrozenSet(all(items)?),
            Const::Code(_) => return None,
        })
    }
}

impl ConstPool {
    pub fn add(&mut self, value: Const) -> u32 {
        let next = self.values.len() as u32;
        if let Some(key) = Key::of(&value) {
            let at = *self.index.entry(key).or_insert(next);
            if at != next {
                return at;
            }
        }
        self.values.push(value);
        next
    }

    pub fn finish(self) -> Vec<Const> {
        self.values
    }
}

/// Operators in one another that are looked into at most: what is deeper is computed when it runs.
const MOST_DEEP: usize = 8;
/// Bits of an int that an operator makes at most, as in CPython, and characters of a text, items of a tuple.
const MOST_BITS: u64 = 128;
const MOST_CHARACTERS: usize = 4096;
const MOST_ITEMS: usize = 256;

/// The value of an expression that Python shows as a constant: literals, signed numbers, tuples
/// of these, what operators make of them, `__debug__`.
pub(super) fn constant(expr: &Expr) -> Option<Const> {
    folded(expr, MOST_DEEP)
}

fn folded(expr: &Expr, depth: usize) -> Option<Const> {
    match expr {
        Expr::BinOp(e) if depth > 0 => {
            // A variable is more often on the left.
            let right = folded(&e.right, depth - 1)?;
            operation(e.op, &folded(&e.left, depth - 1)?, &right)
        }
        Expr::Constant(e) => Some(literal(&e.value)),
        Expr::Tuple(e) => constants(&e.elts).map(Const::Tuple),
        Expr::UnaryOp(e) => match &*e.operand {
            Expr::Constant(operand) => signed(e.op, &operand.value),
            _ => None,
        },
        Expr::Name(e) if e.id.as_str() == "__debug__" => Some(Const::Bool(true)),
        _ => None,
    }
}

/// The values of expressions that are all constant.
pub(super) fn constants(exprs: &[Expr]) -> Option<Rc<[Const]>> {
    exprs.iter().map(constant).collect()
}

/// Whether a condition always holds or never does.
pub(super) fn truth(expr: &Expr) -> Option<bool> {
    Some(match constant(expr)? {
        Const::None => false,
        Const::Ellipsis | Const::BigInt(_) | Const::Code(_) => true,
        Const::Bool(b) => b,
        Const::Int(i) => i != 0,
        Const::Float(f) => f != 0.0,
        Const::Complex(re, im) => re != 0.0 || im != 0.0,
        Const::Str(s) => !s.is_empty(),
        Const::Bytes(b) => !b.is_empty(),
        Const::Tuple(items) | Const::FrozenSet(items) => !items.is_empty(),
    })
}

pub(crate) fn literal(value: &Constant) -> Const {
    match value {
        Constant::None => Const::None,
        Constant::Bool(b) => Const::Bool(*b),
        Constant::Str(s) => Const::Str(s.as_str().into()),
        Constant::Bytes(b) => Const::Bytes(b.as_slice().into()),
        Constant::Int(i) => integer(i),
        Constant::Tuple(items) => Const::Tuple(items.iter().map(literal).collect()),
        Constant::Float(f) => Const::Float(*f),
        Constant::Complex { real, imag } => Const::Complex(*real, *imag),
        Constant::Ellipsis => Const::Ellipsis,
    }
}

fn integer(value: &BigInt) -> Const {
    value
        .to_i64()
        .map_or_else(|| Const::BigInt(value.to_string().into()), Const::Int)
}

/// What an operator makes of two constants, if it neither raises nor makes something large.
fn operation(op: Operator, left: &Const, right: &Const) -> Option<Const> {
    use Operator as O;
    Some(match (op, left, right) {
        (op, Const::Int(a), Const::Int(b)) => match op {
            O::Div if *b != 0 && exact(*a) && exact(*b) => Const::Float(*a as f64 / *b as f64),
            op => integer(&int_operation(op, *a, *b)?),
        },
        (op, Const::Float(a), Const::Float(b)) => Const::Float(float_operation(op, *a, *b)?),
        (op, Const::Float(a), Const::Int(b)) if exact(*b) => {
            Const::Float(float_operation(op, *a, *b as f64)?)
        }
        (op, Const::Int(a), Const::Float(b)) if exact(*a) => {
            Const::Float(float_operation(op, *a as f64, *b)?)
        }
        (O::Add, Const::Str(a), Const::Str(b)) if a.len() + b.len() <= MOST_CHARACTERS => {
            Const::Str(format!("{a}{b}").into())
        }
        (O::Add, Const::Bytes(a), Const::Bytes(b)) if a.len() + b.len() <= MOST_CHARACTERS => {
            Const::Bytes([&**a, &**b].concat().into())
        }
        (O::Mult, Const::Str(text), Const::Int(n)) | (O::Mult, Const::Int(n), Const::Str(text)) => {
            let n = usize::try_from((*n).max(0)).ok()?;
            let fits = text.len().checked_mul(n)? <= MOST_CHARACTERS;
            fits.then(|| Const::Str(text.repeat(n).into()))?
        }
        (O::Add, Const::Tuple(a), Const::Tuple(b)) if a.len() + b.len() <= MOST_ITEMS => {
            Const::Tuple(a.iter().chain(b.iter()).cloned().collect())
        }
        (O::Mult, Const::Tuple(items), Const::Int(n)) => {
            let n = usize::try_from((*n).max(0)).ok()?;
            let fits = items.len().checked_mul(n)? <= MOST_ITEMS;
            fits.then(|| Const::Tuple(vec![&**items; n].concat().into()))?
        }
        _ => return None,
    })
}

/// Whether a float holds an int exactly.
fn exact(i: i64) -> bool {
    i.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

fn int_operation(op: Operator, a: i64, b: i64) -> Option<BigInt> {
    use Operator as O;
    let (x, y) = (BigInt::from(a), BigInt::from(b));
    let made = match op {
        O::Add => x + y,
        O::Sub => x - y,
        O::Mult => x * y,
        O::FloorDiv if b != 0 => x.div_floor(&y),
        O::Mod if b != 0 => x.mod_floor(&y),
        O::Pow if (0..=128).contains(&b) && x.bits() * b as u64 <= MOST_BITS => x.pow(b as u32),
        O::LShift if (0..=128).contains(&b) => x << b,
        O::RShift if b >= 0 => x >> b.min(64),
        O::BitAnd => x & y,
        O::BitOr => x | y,
        O::BitXor => x ^ y,
        _ => return None,
    };
    (made.bits() <= MOST_BITS).then_some(made)
}

fn float_operation(op: Operator, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        Operator::Add => a + b,
        Operator::Sub => a - b,
        Operator::Mult => a * b,
        Operator::Div if b != 0.0 => a / b,
        _ => return None,
    })
}

fn signed(op: UnaryOp, value: &Constant) -> Option<Const> {
    Some(match (op, value) {
        (UnaryOp::USub, Constant::Int(i)) => integer(&-i),
        (UnaryOp::USub, Constant::Float(f)) => Const::Float(-f),
        (UnaryOp::USub, Constant::Complex { real, imag }) => Const::Complex(-real, -imag),
        (UnaryOp::UAdd, Constant::Int(_) | Constant::Float(_) | Constant::Complex { .. }) => {
            literal(value)
        }
        (UnaryOp::Invert, Constant::Int(i)) => integer(&(-i - 1)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_of_different_types_stay_apart() {
        let mut pool = ConstPool::default();
        let values = [
            Const::Int(1),
            Const::Bool(true),
            Const::Float(1.0),
            Const::Float(0.0),
            Const::Float(-0.0),
            Const::Tuple([Const::Int(1)].into()),
            Const::Tuple([Const::Bool(true)].into()),
        ];
        for (at, value) in values.iter().enumerate() {
            assert_eq!(pool.add(value.clone()), at as u32);
        }
        for (at, value) in values.iter().enumerate() {
            assert_eq!(pool.add(value.clone()), at as u32);
        }
    }
}
