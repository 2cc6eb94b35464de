//! Numbers that the graph computes, with Python's meaning.
//!
//! In: operands, known or not. Out: a [`Sym`]. Always: what would leave 64 bits, divide by zero or
//! otherwise raise is asserted not to happen; tier 0 then does it as Python does.

use janus_bytecode::{BinaryOp, CompareOp, Opcode};
use janus_dialect::{Attr, Type, ValueId};
use janus_object::{Value, ops};
use janus_plan::{DeoptReason, ReasonId, ScalarType};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Sym, SymScalar};
use crate::state::types::type_of;

/// Powers of ints that are multiplied out.
const MAX_POWER: i64 = 16;

/// A truth value.
pub(crate) enum Truth {
    /// Known now.
    Known(bool),
    /// An i1 of the graph.
    Dynamic(ValueId),
}

/// Predicates of `arith.cmpi` and `arith.cmpf`, as their enums number them.
const fn int_predicate(op: CompareOp) -> i64 {
    match op {
        CompareOp::Eq => 0,
        CompareOp::Ne => 1,
        CompareOp::Lt => 2,
        CompareOp::Le => 3,
        CompareOp::Gt => 4,
        CompareOp::Ge => 5,
    }
}

const fn float_predicate(op: CompareOp) -> i64 {
    match op {
        CompareOp::Eq => 1,
        CompareOp::Gt => 2,
        CompareOp::Ge => 3,
        CompareOp::Lt => 4,
        CompareOp::Le => 5,
        // Unordered: NaN differs from everything.
        CompareOp::Ne => 13,
    }
}

impl Executor<'_> {
    /// A constant of the graph.
    pub(crate) fn constant(&mut self, ty: ScalarType, bits: u64) -> Res<ValueId> {
        if let Some(&v) = self.emission.constants.get(&(ty, bits)) {
            return Ok(v);
        }
        let attr = match ty {
            ScalarType::Float => Attr::F64(f64::from_bits(bits)),
            ScalarType::Int => Attr::I64(bits.cast_signed()),
            ScalarType::Bool => Attr::Bool(bits != 0),
        };
        let v = self
            .at_entry(|this| this.emit1("arith.constant", &[], &[("value", attr)], type_of(ty)))?;
        self.emission.constants.insert((ty, bits), v);
        Ok(v)
    }

    pub(crate) fn int(&mut self, n: i64) -> Res<ValueId> {
        self.constant(ScalarType::Int, n.cast_unsigned())
    }

    pub(crate) fn float(&mut self, f: f64) -> Res<ValueId> {
        self.constant(ScalarType::Float, f.to_bits())
    }

    /// A number as a value of the graph; `None` for what is not a number.
    pub(crate) fn number(&mut self, v: &Sym) -> Res<Option<SymScalar>> {
        Ok(Some(match v {
            Sym::Scalar(s) => *s,
            Sym::Known(Value::Int(n)) => SymScalar {
                id: self.int(*n)?,
                ty: ScalarType::Int,
            },
            Sym::Known(Value::Float(f)) => SymScalar {
                id: self.float(f.get())?,
                ty: ScalarType::Float,
            },
            Sym::Known(Value::Bool(b)) => SymScalar {
                id: self.constant(ScalarType::Bool, u64::from(b.get()))?,
                ty: ScalarType::Bool,
            },
            _ => return Ok(None),
        }))
    }

    /// Converts as arithmetic does: bool to int to float.
    pub(crate) fn convert_scalar(&mut self, s: SymScalar, to: ScalarType) -> Res<ValueId> {
        match (s.ty, to) {
            (a, b) if a == b => Ok(s.id),
            (ScalarType::Bool, ScalarType::Int) => {
                self.emit1("arith.extui", &[s.id], &[], Type::I64)
            }
            (ScalarType::Bool, ScalarType::Float) => {
                self.emit1("arith.uitofp", &[s.id], &[], Type::F64)
            }
            (ScalarType::Int, ScalarType::Float) => {
                self.emit1("arith.sitofp", &[s.id], &[], Type::F64)
            }
            _ => self.refuse(ReasonId::MovingValue, "a float where an int is needed"),
        }
    }

    pub(crate) fn cmpi(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> Res<ValueId> {
        let id = self.emit1(
            "arith.cmpi",
            &[a, b],
            &[("predicate", Attr::I64(int_predicate(op)))],
            Type::I1,
        )?;
        self.note_host_compare(op, a, b, id);
        Ok(id)
    }

    fn cmpf(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> Res<ValueId> {
        self.emit1(
            "arith.cmpf",
            &[a, b],
            &[("predicate", Attr::I64(float_predicate(op)))],
            Type::I1,
        )
    }

    fn assert_here(&mut self, condition: ValueId, reason: DeoptReason) -> Res<()> {
        let key = self.key(reason.id());
        self.assert(condition, reason, key, String::new())
    }

    /// `a op b` on numbers, at least one of them not known.
    pub(crate) fn arithmetic(&mut self, op: BinaryOp, a: SymScalar, b: SymScalar) -> Res<Sym> {
        let op = op.plain();
        let float = a.ty == ScalarType::Float || b.ty == ScalarType::Float;
        if float || op == BinaryOp::TrueDiv {
            return self.float_arithmetic(op, a, b);
        }
        let bools = a.ty == ScalarType::Bool && b.ty == ScalarType::Bool;
        if bools && matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            let name = match op {
                BinaryOp::And => "arith.andi",
                BinaryOp::Or => "arith.ori",
                _ => "arith.xori",
            };
            let id = self.emit1(name, &[a.id, b.id], &[], Type::I1)?;
            return Ok(Sym::Scalar(SymScalar {
                id,
                ty: ScalarType::Bool,
            }));
        }
        let x = self.convert_scalar(a, ScalarType::Int)?;
        let y = self.convert_scalar(b, ScalarType::Int)?;
        let id = match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let name = if op == BinaryOp::Add {
                    "arith.addi"
                } else {
                    "arith.subi"
                };
                let r = self.emit1(name, &[x, y], &[], Type::I64)?;
                // Overflow: the operands' signs (for a sum) agree and the result's differs.
                let p = self.emit1("arith.xori", &[r, x], &[], Type::I64)?;
                let other = if op == BinaryOp::Add { r } else { x };
                let q = self.emit1("arith.xori", &[other, y], &[], Type::I64)?;
                let both = self.emit1("arith.andi", &[p, q], &[], Type::I64)?;
                let zero = self.int(0)?;
                let fits = self.cmpi(CompareOp::Ge, both, zero)?;
                self.assert_here(fits, DeoptReason::IntOverflow)?;
                r
            }
            BinaryOp::Mul => {
                let parts = self.emit(
                    "arith.mulsi_extended",
                    &[x, y],
                    &[],
                    &[Type::I64, Type::I64],
                )?;
                let [low, high] = parts[..] else {
                    return self.defect("bad product");
                };
                let bits = self.int(63)?;
                let sign = self.emit1("arith.shrsi", &[low, bits], &[], Type::I64)?;
                let fits = self.cmpi(CompareOp::Eq, sign, high)?;
                self.assert_here(fits, DeoptReason::IntOverflow)?;
                low
            }
            BinaryOp::FloorDiv | BinaryOp::Mod => {
                let zero = self.int(0)?;
                let minus_one = self.int(-1)?;
                let ok = self.cmpi(CompareOp::Ne, y, zero)?;
                self.assert_here(ok, DeoptReason::ArithmeticError)?;
                // -2**63 // -1 does not fit; dividing by -1 is left to tier 0.
                let ok = self.cmpi(CompareOp::Ne, y, minus_one)?;
                self.assert_here(ok, DeoptReason::IntOverflow)?;
                // A failed assert does not stop the graph: keep the division defined.
                let one = self.int(1)?;
                let divisor_ok = self.cmpi(CompareOp::Gt, y, zero)?;
                let negative_ok = self.cmpi(CompareOp::Lt, y, minus_one)?;
                let defined = self.emit1("arith.ori", &[divisor_ok, negative_ok], &[], Type::I1)?;
                let d = self.emit1("arith.select", &[defined, y, one], &[], Type::I64)?;
                let q = self.emit1("arith.floordivsi", &[x, d], &[], Type::I64)?;
                if op == BinaryOp::FloorDiv {
                    q
                } else {
                    let p = self.emit1("arith.muli", &[q, d], &[], Type::I64)?;
                    self.emit1("arith.subi", &[x, p], &[], Type::I64)?
                }
            }
            BinaryOp::LShift | BinaryOp::RShift => {
                let Some(by) = self.known_int(y).filter(|by| (0..63).contains(by)) else {
                    return self.moving_shift(op, x, y);
                };
                if op == BinaryOp::LShift {
                    let factor = SymScalar {
                        id: self.int(1 << by)?,
                        ty: ScalarType::Int,
                    };
                    let x = SymScalar {
                        id: x,
                        ty: ScalarType::Int,
                    };
                    return self.arithmetic(BinaryOp::Mul, x, factor);
                }
                self.emit1("arith.shrsi", &[x, y], &[], Type::I64)?
            }
            BinaryOp::Pow => {
                let Some(times) = self.known_int(y).filter(|n| (0..=MAX_POWER).contains(n)) else {
                    return self.moving_power(x, y);
                };
                let x = SymScalar {
                    id: x,
                    ty: ScalarType::Int,
                };
                let mut power = Sym::Known(Value::Int(1));
                for _ in 0..times {
                    power = self.binary(BinaryOp::Mul, &power, &Sym::Scalar(x))?;
                }
                return Ok(power);
            }
            BinaryOp::And => self.emit1("arith.andi", &[x, y], &[], Type::I64)?,
            BinaryOp::Or => self.emit1("arith.ori", &[x, y], &[], Type::I64)?,
            BinaryOp::Xor => self.emit1("arith.xori", &[x, y], &[], Type::I64)?,
            _ => {
                return self.refuse(
                    ReasonId::MovingValue,
                    format!("`{}` on ints that move has no graph form yet", op.symbol()),
                );
            }
        };
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Int,
        }))
    }

    /// `x << y`, `x >> y` by an int that is not known.
    fn moving_shift(&mut self, op: BinaryOp, x: ValueId, y: ValueId) -> Res<Sym> {
        let (zero, most) = (self.int(0)?, self.int(62)?);
        let ok = self.cmpi(CompareOp::Ge, y, zero)?;
        self.assert_here(ok, DeoptReason::ArithmeticError)?;
        let small = self.cmpi(CompareOp::Le, y, most)?;
        // A failed assert does not stop the graph: keep the shift defined.
        let by = self.emit1("arith.select", &[small, y, most], &[], Type::I64)?;
        let by = self.emit1("arith.select", &[ok, by, zero], &[], Type::I64)?;
        let int = |id| SymScalar {
            id,
            ty: ScalarType::Int,
        };
        if op == BinaryOp::RShift {
            // What is shifted out by 63 is the sign alone, as by any more.
            let all = self.int(63)?;
            let by = self.emit1("arith.select", &[small, by, all], &[], Type::I64)?;
            let id = self.emit1("arith.shrsi", &[x, by], &[], Type::I64)?;
            return Ok(Sym::Scalar(int(id)));
        }
        self.assert_here(small, DeoptReason::IntOverflow)?;
        let one = self.int(1)?;
        let factor = self.emit1("arith.shli", &[one, by], &[], Type::I64)?;
        self.arithmetic(BinaryOp::Mul, int(x), int(factor))
    }

    /// A known int to the power of one that is not: the product of its powers whose bits are set in that. A negative
    /// one, which makes a float, is left to tier 0.
    fn moving_power(&mut self, x: ValueId, y: ValueId) -> Res<Sym> {
        let Some(base) = self.known_int(x) else {
            return self.refuse(
                ReasonId::MovingValue,
                "a power whose exponent moves, or is large, of an int that moves",
            );
        };
        let (zero, one) = (self.int(0)?, self.int(1)?);
        let ok = self.cmpi(CompareOp::Ge, y, zero)?;
        self.assert_here(ok, DeoptReason::ArithmeticError)?;
        let mut power = Sym::Known(Value::Int(1));
        let mut factor = Some(base);
        let mut bit = 0;
        while let Some(now) = factor.filter(|&f| f != 1) {
            let (by, now) = (self.int(bit)?, self.int(now)?);
            let rest = self.emit1("arith.shrsi", &[y, by], &[], Type::I64)?;
            let rest = self.emit1("arith.andi", &[rest, one], &[], Type::I64)?;
            let is_set = self.cmpi(CompareOp::Ne, rest, zero)?;
            let id = self.emit1("arith.select", &[is_set, now, one], &[], Type::I64)?;
            let ty = ScalarType::Int;
            power = self.binary(BinaryOp::Mul, &power, &Sym::Scalar(SymScalar { id, ty }))?;
            factor = factor.and_then(|f| f.checked_mul(f)).filter(|&f| f != 0);
            bit += 1;
        }
        if base == 0 {
            let is_zero = self.cmpi(CompareOp::Eq, y, zero)?;
            let id = self.emit1("arith.select", &[is_zero, one, zero], &[], Type::I64)?;
            let ty = ScalarType::Int;
            return Ok(Sym::Scalar(SymScalar { id, ty }));
        }
        if factor.is_none() {
            let limit = self.int(1 << bit)?;
            let small = self.cmpi(CompareOp::Lt, y, limit)?;
            self.assert_here(small, DeoptReason::IntOverflow)?;
        }
        Ok(power)
    }

    /// An int that is a constant of the graph.
    fn known_int(&self, v: ValueId) -> Option<i64> {
        let found = self
            .emission
            .constants
            .iter()
            .find(|((ty, _), id)| *ty == ScalarType::Int && **id == v);
        found.map(|((_, bits), _)| bits.cast_signed())
    }

    fn float_arithmetic(&mut self, op: BinaryOp, a: SymScalar, b: SymScalar) -> Res<Sym> {
        if a.ty != ScalarType::Float && b.ty != ScalarType::Float {
            // int / int: exact in doubles below 2**53 only.
            self.assert_exact(a)?;
            self.assert_exact(b)?;
        }
        let x = self.convert_scalar(a, ScalarType::Float)?;
        let y = self.convert_scalar(b, ScalarType::Float)?;
        let name = match op {
            BinaryOp::Add => "arith.addf",
            BinaryOp::Sub => "arith.subf",
            BinaryOp::Mul => "arith.mulf",
            BinaryOp::TrueDiv => {
                let zero = self.float(0.0)?;
                let ok = self.cmpf(CompareOp::Ne, y, zero)?;
                self.assert_here(ok, DeoptReason::ArithmeticError)?;
                "arith.divf"
            }
            BinaryOp::Pow => return self.float_power(x, y, b),
            BinaryOp::FloorDiv | BinaryOp::Mod => return self.float_division(op, x, y),
            _ => {
                return self.refuse(
                    ReasonId::MovingValue,
                    format!(
                        "`{}` on floats that move has no graph form yet",
                        op.symbol()
                    ),
                );
            }
        };
        let id = self.emit1(name, &[x, y], &[], Type::F64)?;
        self.note_setting(op, x, y, id);
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Float,
        }))
    }

    /// Asserts that a number is the same one as a float.
    fn assert_exact(&mut self, s: SymScalar) -> Res<()> {
        const LIMIT: i64 = 1 << 53;
        let is_exact = |n: i64| (-LIMIT..=LIMIT).contains(&n);
        if s.ty != ScalarType::Int || self.known_int(s.id).is_some_and(is_exact) {
            return Ok(());
        }
        for (op, limit) in [(CompareOp::Le, LIMIT), (CompareOp::Ge, -LIMIT)] {
            let limit = self.int(limit)?;
            let fits = self.cmpi(op, s.id, limit)?;
            self.assert_here(fits, DeoptReason::IntOverflow)?;
        }
        Ok(())
    }

    /// A constant of the graph that is a whole number.
    fn known_whole(&self, s: SymScalar) -> Option<f64> {
        if s.ty == ScalarType::Int {
            return self.known_int(s.id).map(|n| n as f64);
        }
        let of_float = |((ty, _), id): &(&(ScalarType, u64), &ValueId)| {
            *ty == ScalarType::Float && **id == s.id
        };
        let ((_, bits), _) = self.emission.constants.iter().find(of_float)?;
        Some(f64::from_bits(*bits)).filter(|f| f.fract() == 0.0)
    }

    /// `x // y` or `x % y`, step by step as CPython's `_float_div_mod` does it.
    fn float_division(&mut self, op: BinaryOp, x: ValueId, y: ValueId) -> Res<Sym> {
        let zero = self.float(0.0)?;
        let ok = self.cmpf(CompareOp::Ne, y, zero)?;
        self.assert_here(ok, DeoptReason::ArithmeticError)?;
        let arith = |this: &mut Self, name: &str, operands: &[ValueId]| {
            this.emit1(name, operands, &[], Type::F64)
        };
        let rest = arith(self, "arith.remf", &[x, y])?;
        let some_rest = self.cmpf(CompareOp::Ne, rest, zero)?;
        // The remainder takes the divisor's sign.
        let (down, below) = (
            self.cmpf(CompareOp::Lt, y, zero)?,
            self.cmpf(CompareOp::Lt, rest, zero)?,
        );
        let differ = self.emit1("arith.xori", &[down, below], &[], Type::I1)?;
        let moves = self.emit1("arith.andi", &[some_rest, differ], &[], Type::I1)?;
        let id = if op == BinaryOp::Mod {
            let moved = arith(self, "arith.addf", &[rest, y])?;
            let moved = arith(self, "arith.select", &[moves, moved, rest])?;
            let none = self.zero_signed_as(y)?;
            arith(self, "arith.select", &[some_rest, moved, none])?
        } else {
            let whole = arith(self, "arith.subf", &[x, rest])?;
            let quotient = arith(self, "arith.divf", &[whole, y])?;
            let one = self.float(1.0)?;
            let less = arith(self, "arith.subf", &[quotient, one])?;
            let quotient = arith(self, "arith.select", &[moves, less, quotient])?;
            let Sym::Scalar(floor) = self.float_primitive("janus.floor", quotient)? else {
                return self.refuse(ReasonId::NoGraphForm, "floor()");
            };
            let beyond = arith(self, "arith.subf", &[quotient, floor.id])?;
            let half = self.float(0.5)?;
            let up = self.cmpf(CompareOp::Gt, beyond, half)?;
            let next = arith(self, "arith.addf", &[floor.id, one])?;
            let floor = arith(self, "arith.select", &[up, next, floor.id])?;
            let plain = arith(self, "arith.divf", &[x, y])?;
            let none = self.zero_signed_as(plain)?;
            let some = self.cmpf(CompareOp::Ne, quotient, zero)?;
            arith(self, "arith.select", &[some, floor, none])?
        };
        let ty = ScalarType::Float;
        Ok(Sym::Scalar(SymScalar { id, ty }))
    }

    /// `copysign(0.0, x)`
    fn zero_signed_as(&mut self, x: ValueId) -> Res<ValueId> {
        let bits = self.emit1("arith.bitcast", &[x], &[], Type::I64)?;
        let sign = self.int(i64::MIN)?;
        let bits = self.emit1("arith.andi", &[bits, sign], &[], Type::I64)?;
        self.emit1("arith.bitcast", &[bits], &[], Type::F64)
    }

    /// `x ** y`, by the routine that tier 0 calls: for a positive base, for zero with an exponent that is not
    /// negative, and for any where the exponent, which is `y` before it was a float, is known to be a whole number
    /// that is not negative.
    fn float_power(&mut self, x: ValueId, y: ValueId, exponent: SymScalar) -> Res<Sym> {
        if self.known_whole(exponent).is_none_or(|n| n < 0.0) {
            let zero = self.float(0.0)?;
            let positive = self.cmpf(CompareOp::Gt, x, zero)?;
            let not_negative = self.cmpf(CompareOp::Ge, x, zero)?;
            let grows = self.cmpf(CompareOp::Ge, y, zero)?;
            let of_zero = self.emit1("arith.andi", &[not_negative, grows], &[], Type::I1)?;
            let defined = self.emit1("arith.ori", &[positive, of_zero], &[], Type::I1)?;
            self.assert_here(defined, DeoptReason::ArithmeticError)?;
        }
        let ty = || Type::Tensor {
            dtype: janus_dialect::DType::F64,
            dims: Vec::new(),
        };
        let x = self.emit1("janus.full", &[x], &[], ty())?;
        let y = self.emit1("janus.full", &[y], &[], ty())?;
        let p = self.emit1("janus.pow", &[x, y], &[], ty())?;
        let id = self.emit1("janus.item", &[p], &[], Type::F64)?;
        // Overflow is an OverflowError in Python.
        self.assert_finite(id)?;
        Ok(Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Float,
        }))
    }

    /// A function of `math` on a number of the graph, by the routine that tier 0 calls; what raises is left to it.
    pub(crate) fn float_function(&mut self, name: &str, x: &Sym) -> Res<Option<Sym>> {
        // From where on it is defined, and whether there, too.
        let (op, least) = match name {
            "math.exp" => ("janus.exp", None),
            "math.expm1" => ("janus.expm1", None),
            "math.log" => ("janus.log", Some((0.0, CompareOp::Gt))),
            "math.log1p" => ("janus.log1p", Some((-1.0, CompareOp::Gt))),
            "math.sin" => ("janus.sin", None),
            "math.cos" => ("janus.cos", None),
            "math.tanh" => ("janus.tanh", None),
            "math.erf" => ("janus.erf", None),
            _ => return Ok(None),
        };
        let Some(x) = self.number(x)? else {
            return Ok(None);
        };
        let x = self.convert_scalar(x, ScalarType::Float)?;
        if let Some((least, compare)) = least {
            let least = self.float(least)?;
            let defined = self.cmpf(compare, x, least)?;
            self.assert_here(defined, DeoptReason::ArithmeticError)?;
        }
        let ty = || Type::Tensor {
            dtype: janus_dialect::DType::F64,
            dims: Vec::new(),
        };
        let x = self.emit1("janus.full", &[x], &[], ty())?;
        let y = self.emit1(op, &[x], &[], ty())?;
        let id = self.emit1("janus.item", &[y], &[], Type::F64)?;
        self.assert_finite(id)?;
        let ty = ScalarType::Float;
        Ok(Some(Sym::Scalar(SymScalar { id, ty })))
    }

    fn assert_finite(&mut self, id: ValueId) -> Res<()> {
        for (bound, compare) in [(f64::MAX, CompareOp::Le), (f64::MIN, CompareOp::Ge)] {
            let bound = self.float(bound)?;
            let finite = self.cmpf(compare, id, bound)?;
            self.assert_here(finite, DeoptReason::ArithmeticError)?;
        }
        Ok(())
    }

    /// A binary operator of the values that are stored in its operands, where these are instances.
    pub(crate) fn binary_of_stored(&mut self, op: BinaryOp, a: &Sym, b: &Sym) -> Res<Sym> {
        if self.is_tensor(a) || self.is_tensor(b) {
            self.refuse_numpy_bool(a)?;
            self.refuse_numpy_bool(b)?;
        }
        let (a, b) = (self.state.plain(a), self.state.plain(b));
        self.binary(op, &a, &b)
    }

    /// Refuses numpy's bool, which is a float to a tensor though it stores an int.
    pub(crate) fn refuse_numpy_bool(&self, v: &Sym) -> Res<()> {
        let is_bool = match v {
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Instance(i) => {
                    i.value().is_some() && janus_torch::numpy::is_bool_class(&i.class)
                }
                _ => false,
            },
            Sym::Known(Value::Instance(i)) => janus_torch::numpy::is_bool_class(&i.class()),
            _ => false,
        };
        match is_bool {
            true => self.refuse(
                ReasonId::NoGraphForm,
                "numpy's bool as an operand of a tensor",
            ),
            false => Ok(()),
        }
    }

    /// Any binary operator.
    pub(crate) fn binary(&mut self, op: BinaryOp, a: &Sym, b: &Sym) -> Res<Sym> {
        if let Some(v) = self.special_binary(op, a, b)? {
            return Ok(v);
        }
        if self.state.stored_value(a).is_some() || self.state.stored_value(b).is_some() {
            return self.binary_of_stored(op, a, b);
        }
        // A format takes a tensor as it takes a number.
        let formats = matches!(op, BinaryOp::Mod | BinaryOp::InplaceMod) && self.is_text(a);
        if (self.is_tensor(a) || self.is_tensor(b)) && !formats {
            return self.tensor_binary(op, a, b);
        }
        if let (Sym::Known(x), Sym::Known(y)) = (a, b)
            && !matches!(x, Value::Instance(_))
            && !matches!(y, Value::Instance(_))
        {
            let (x, y) = (x.clone(), y.clone());
            self.told_now(&x)?;
            self.told_now(&y)?;
            return match ops::binary(self.vm, op.plain(), &x, &y) {
                Ok(v) => Ok(Sym::Known(v)),
                Err(raised) => self.raise_known(&raised),
            };
        }
        if let (Some(x), Some(y)) = (self.number(a)?, self.number(b)?) {
            let result = self.arithmetic(op, x, y)?;
            self.note_host_op(op.plain(), x, y, &result);
            self.note_linear(op.plain(), a, b, &result);
            return Ok(result);
        }
        self.object_binary(op, a, b)
    }

    /// Any comparison.
    pub(crate) fn compare(&mut self, op: CompareOp, a: &Sym, b: &Sym) -> Res<Sym> {
        if let Some(v) = self.special_compare(op, a, b)? {
            return Ok(v);
        }
        if self.state.stored_value(a).is_some() || self.state.stored_value(b).is_some() {
            let (a, b) = (self.state.plain(a), self.state.plain(b));
            return self.compare(op, &a, &b);
        }
        if self.is_tensor(a) || self.is_tensor(b) {
            return self.tensor_compare(op, a, b);
        }
        if let (Sym::Known(x), Sym::Known(y)) = (a, b) {
            let (x, y) = (x.clone(), y.clone());
            self.told_now(&x)?;
            self.told_now(&y)?;
            return match ops::compare(self.vm, op, &x, &y) {
                Ok(v) => Ok(Sym::Known(v)),
                Err(raised) => self.raise_known(&raised),
            };
        }
        if let Some(any) = self.compared_length(op, a, b)? {
            return Ok(any);
        }
        if let Some([x, y]) = beside_big(a, b) {
            return self.compare(op, &x, &y);
        }
        if let (Some(x), Some(y)) = (self.number(a)?, self.number(b)?) {
            let id = if x.ty == ScalarType::Float || y.ty == ScalarType::Float {
                // Python compares an int with a float as they are.
                self.assert_exact(x)?;
                self.assert_exact(y)?;
                let p = self.convert_scalar(x, ScalarType::Float)?;
                let q = self.convert_scalar(y, ScalarType::Float)?;
                let id = self.cmpf(op, p, q)?;
                self.note_setting_compare(op, p, q, id);
                let at_entry = |v: &Sym| match v {
                    Sym::Scalar(s) => self.entry_numbers.floats.contains_key(&s.id),
                    _ => true,
                };
                if at_entry(a) && at_entry(b) {
                    self.entry_numbers.entry_conditions.insert(id);
                }
                id
            } else {
                let p = self.convert_scalar(x, ScalarType::Int)?;
                let q = self.convert_scalar(y, ScalarType::Int)?;
                self.cmpi(op, p, q)?
            };
            return Ok(Sym::Scalar(SymScalar {
                id,
                ty: ScalarType::Bool,
            }));
        }
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let none = |v: &Sym| matches!(v, Sym::Known(Value::None));
        self.decided(a)?;
        self.decided(b)?;
        if let Some(told) = self.told_compare(op, a, b)? {
            return Ok(told);
        }
        if equality && (none(a) || none(b)) {
            return Ok(Sym::Known(Value::bool(op == CompareOp::Ne)));
        }
        self.object_compare(op, a, b)
    }

    pub(crate) fn truth(&mut self, v: &Sym) -> Res<Truth> {
        match v {
            Sym::Known(known) => {
                let known = known.clone();
                if let Some(truth) = self.special_truth(v)? {
                    return Ok(truth);
                }
                self.told_now(&known)?;
                match ops::truth(self.vm, &known) {
                    Ok(t) => Ok(Truth::Known(t)),
                    Err(_) => self.refuse(ReasonId::WouldRaise, "it would raise: a truth value"),
                }
            }
            Sym::Scalar(s) => Ok(Truth::Dynamic(match s.ty {
                ScalarType::Bool => s.id,
                ScalarType::Int if let Some(any) = self.is_length_of_some(s.id) => any,
                ScalarType::Int => {
                    let zero = self.int(0)?;
                    self.cmpi(CompareOp::Ne, s.id, zero)?
                }
                ScalarType::Float => {
                    let zero = self.float(0.0)?;
                    self.cmpf(CompareOp::Ne, s.id, zero)?
                }
            })),
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Tensor(_) => {
                    let o = *o;
                    if let Some(truth) = self.special_truth(v)? {
                        return Ok(truth);
                    }
                    let scalar = self.tensor_item(o)?;
                    self.truth(&scalar)
                }
                Kind::Filtered(items) => {
                    let items = items.clone();
                    let any = self.has_items(&items)?;
                    self.truth(&any)
                }
                Kind::List(_)
                | Kind::Grown(_)
                | Kind::Replaced(_)
                | Kind::Tuple(_)
                | Kind::Dict(_)
                | Kind::Open(_)
                | Kind::View { .. }
                | Kind::Set(_) => {
                    let len = self.len(v)?;
                    self.truth(&len)
                }
                Kind::Instance(_) | Kind::Found(_) => self.instance_truth(v),
                Kind::Choice { .. } => self.choice_truth(v),
                Kind::Told => match self.equal_at_entry(v, &Sym::Known(Value::str("")))? {
                    Some(empty) => Ok(Truth::Known(!empty)),
                    None => self.refuse(ReasonId::MovingValue, "the truth of text that moves"),
                },
                Kind::Text(_) | Kind::Later { .. } => self.refuse(
                    ReasonId::TextForm,
                    "the truth of a text that is put together where the region ends",
                ),
                Kind::Range { start, stop, step } => {
                    let (start, stop, step) = (start.clone(), stop.clone(), step.clone());
                    self.comes_before(&start, &stop, &step)
                }
                Kind::InstanceDict(_) | Kind::Maybe { .. } | Kind::Raised(_) => {
                    self.refuse(ReasonId::NoGraphForm, "the truth of a namespace")
                }
                Kind::Function(_)
                | Kind::Method { .. }
                | Kind::Cell(_)
                | Kind::Iter(_)
                | Kind::Opaque { .. }
                | Kind::Generator(_)
                | Kind::Slice(_)
                | Kind::Super { .. }
                | Kind::Traceback => Ok(Truth::Known(true)),
            },
            Sym::Null => self.defect("bad operand"),
        }
    }

    /// The truth of what a branch decided between two kinds of things.
    fn choice_truth(&mut self, v: &Sym) -> Res<Truth> {
        let Sym::Obj(o) = v else {
            return self.defect("bad operand");
        };
        let Kind::Choice {
            condition,
            then,
            otherwise,
        } = self.state.heap[*o].kind.clone()
        else {
            return self.defect("bad operand");
        };
        match (self.truth(&then)?, self.truth(&otherwise)?) {
            (Truth::Known(a), Truth::Known(b)) if a == b => Ok(Truth::Known(a)),
            (Truth::Known(true), Truth::Known(false)) => Ok(Truth::Dynamic(condition)),
            (Truth::Known(false), Truth::Known(true)) => {
                let is = Sym::Scalar(SymScalar {
                    id: condition,
                    ty: ScalarType::Bool,
                });
                let not = self.not(&is)?;
                self.truth(&not)
            }
            (a, b) => {
                let mut flags = [condition; 2];
                for (flag, truth) in flags.iter_mut().zip([a, b]) {
                    *flag = match truth {
                        Truth::Known(b) => self.constant(ScalarType::Bool, u64::from(b))?,
                        Truth::Dynamic(is) => is,
                    };
                }
                let operands = [condition, flags[0], flags[1]];
                let id = self.emit1("arith.select", &operands, &[], janus_dialect::Type::I1)?;
                Ok(Truth::Dynamic(id))
            }
        }
    }

    pub(crate) fn not(&mut self, v: &Sym) -> Res<Sym> {
        match self.truth(v)? {
            Truth::Known(t) => Ok(Sym::Known(Value::bool(!t))),
            Truth::Dynamic(t) => {
                let one = self.constant(ScalarType::Bool, 1)?;
                let id = self.emit1("arith.xori", &[t, one], &[], Type::I1)?;
                self.note_host_not(t, id);
                self.ints.opposites.insert(id, t);
                Ok(Sym::Scalar(SymScalar {
                    id,
                    ty: ScalarType::Bool,
                }))
            }
        }
    }

    pub(crate) fn unary(&mut self, op: Opcode, v: &Sym) -> Res<Sym> {
        if let Some(v) = self.special_unary(op, v)? {
            return Ok(v);
        }
        match v {
            Sym::Known(x) if !matches!(x, Value::Instance(_)) => {
                let op = match op {
                    Opcode::UnaryNegative => ops::UnaryOp::Negative,
                    Opcode::UnaryPositive => ops::UnaryOp::Positive,
                    _ => ops::UnaryOp::Invert,
                };
                match ops::unary(self.vm, op, &x.clone()) {
                    Ok(v) => Ok(Sym::Known(v)),
                    Err(_) => self.refuse(ReasonId::WouldRaise, "it would raise: a unary operator"),
                }
            }
            Sym::Scalar(s) => match (op, s.ty) {
                (Opcode::UnaryNegative, ScalarType::Float) => {
                    let id = self.emit1("arith.negf", &[s.id], &[], Type::F64)?;
                    Ok(Sym::Scalar(SymScalar {
                        id,
                        ty: ScalarType::Float,
                    }))
                }
                (Opcode::UnaryNegative, _) => {
                    self.binary(BinaryOp::Sub, &Sym::Known(Value::Int(0)), v)
                }
                (Opcode::UnaryPositive, ScalarType::Float | ScalarType::Int) => Ok(v.clone()),
                (Opcode::UnaryPositive, ScalarType::Bool) => {
                    let id = self.convert_scalar(*s, ScalarType::Int)?;
                    Ok(Sym::Scalar(SymScalar {
                        id,
                        ty: ScalarType::Int,
                    }))
                }
                (_, ScalarType::Float) => {
                    self.refuse(ReasonId::WouldRaise, "it would raise: ~ on a float")
                }
                _ => {
                    let minus_one = Sym::Known(Value::Int(-1));
                    self.binary(BinaryOp::Xor, v, &minus_one)
                }
            },
            _ if self.is_tensor(v) => {
                let name = match op {
                    Opcode::UnaryNegative => "__neg__",
                    Opcode::UnaryPositive => "__pos__",
                    _ => "__invert__",
                };
                let method = self.get_attr(v, &janus_object::Name::new(name))?;
                self.call(&method, Vec::new(), Vec::new())
            }
            _ if let Some(plain) = self.state.stored_value(v) => self.unary(op, &plain),
            _ => self.refuse(
                ReasonId::NoGraphForm,
                format!("a unary operator on a {}", self.class_of(v)?.display_name()),
            ),
        }
    }
}

/// What is compared with an int beyond 64 bits: any int within them does as 0 does.
fn beside_big(a: &Sym, b: &Sym) -> Option<[Sym; 2]> {
    let is_big = |v: &Sym| matches!(v, Sym::Known(Value::BigInt(_)));
    let is_int =
        |v: &Sym| matches!(v, Sym::Scalar(s) if matches!(s.ty, ScalarType::Int | ScalarType::Bool));
    let zero = || Sym::Known(Value::Int(0));
    match (a, b) {
        (a, big) if is_int(a) && is_big(big) => Some([zero(), big.clone()]),
        (big, b) if is_big(big) && is_int(b) => Some([big.clone(), zero()]),
        _ => None,
    }
}
