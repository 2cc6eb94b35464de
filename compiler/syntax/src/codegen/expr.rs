//! Expressions.
//!
//! In: an expression. Out: instructions that leave its value on the stack, or that jump on its
//! truth. Always: operands are evaluated from left to right, once; nothing else is left behind.

use janus_bytecode::{BinaryOp, CompareOp, Const, FormatConversion, Opcode};
use rustpython_parser::ast::{
    BoolOp, CmpOp, Constant, ConversionFlag, Expr, ExprCompare, ExprDict, ExprFormattedValue,
    ExprJoinedStr, ExprSlice, Operator, Ranged, UnaryOp,
};
use rustpython_parser::text_size::TextRange;

use super::constant::{constant, constants, literal, truth};
use super::{Access, Codegen};
use crate::assemble::Label;
use crate::error::{Result, err};
use crate::symtable::{ComprehensionKind, ScopeKind};

/// A display of more elements than this is built piece by piece, so that the stack stays small.
const MAX_ON_STACK: usize = 30;
/// Pairs of a dict display that are on the stack at once, at most.
const MAX_PAIRS: u32 = 17;

/// The collections that a display or a call's arguments can build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    List,
    Set,
    Tuple,
}

impl Display {
    fn build(self) -> Opcode {
        match self {
            Display::List => Opcode::BuildList,
            Display::Set => Opcode::BuildSet,
            Display::Tuple => Opcode::BuildTuple,
        }
    }

    /// How it is built piece by piece: make, add one, add many.
    fn pieces(self) -> (Opcode, Opcode, Opcode) {
        match self {
            Display::List | Display::Tuple => {
                (Opcode::BuildList, Opcode::ListAppend, Opcode::ListExtend)
            }
            Display::Set => (Opcode::BuildSet, Opcode::SetAdd, Opcode::SetUpdate),
        }
    }
}

pub(super) fn binary_op(op: Operator, inplace: bool) -> BinaryOp {
    use BinaryOp::*;
    let (plain, in_place) = match op {
        Operator::Add => (Add, InplaceAdd),
        Operator::Sub => (Sub, InplaceSub),
        Operator::Mult => (Mul, InplaceMul),
        Operator::MatMult => (MatMul, InplaceMatMul),
        Operator::Div => (TrueDiv, InplaceTrueDiv),
        Operator::Mod => (Mod, InplaceMod),
        Operator::Pow => (Pow, InplacePow),
        Operator::LShift => (LShift, InplaceLShift),
        Operator::RShift => (RShift, InplaceRShift),
        Operator::BitOr => (Or, InplaceOr),
        Operator::BitXor => (Xor, InplaceXor),
        Operator::BitAnd => (And, InplaceAnd),
        Operator::FloorDiv => (FloorDiv, InplaceFloorDiv),
    };
    if inplace { in_place } else { plain }
}

impl<'a> Codegen<'a> {
    /// Pushes the value of an expression.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Result<()> {
        self.at(expr.range(), |c| c.expr_here(expr))
    }

    /// As [`Self::expr`], blamed on what is current.
    pub(super) fn expr_here(&mut self, expr: &'a Expr) -> Result<()> {
        if let Some(value) = constant(expr) {
            self.load_const(value);
            return Ok(());
        }
        match expr {
            Expr::Constant(e) => self.load_const(literal(&e.value)),
            Expr::Name(e) => self.variable(&e.id, Access::Load)?,
            Expr::BoolOp(e) => {
                let end = self.label();
                let Some((last, before)) = e.values.split_last() else {
                    return Ok(());
                };
                for value in before {
                    self.operand(e.op, value, end)?;
                }
                self.expr(last)?;
                self.bind(end);
            }
            Expr::NamedExpr(e) => {
                self.expr(&e.value)?;
                self.op_arg(Opcode::Copy, 1);
                self.store(&e.target)?;
            }
            Expr::BinOp(e) => {
                self.expr(&e.left)?;
                self.expr(&e.right)?;
                self.op_arg(Opcode::BinaryOp, binary_op(e.op, false) as u32);
            }
            Expr::UnaryOp(e) => {
                self.expr(&e.operand)?;
                self.op(match e.op {
                    UnaryOp::Invert => Opcode::UnaryInvert,
                    UnaryOp::Not => Opcode::UnaryNot,
                    UnaryOp::UAdd => Opcode::UnaryPositive,
                    UnaryOp::USub => Opcode::UnaryNegative,
                });
            }
            Expr::Lambda(e) => self.lambda(e)?,
            Expr::IfExp(e) => {
                let (otherwise, end) = (self.label(), self.label());
                self.jump_if(&e.test, otherwise, false)?;
                self.expr(&e.body)?;
                self.jump(Opcode::Jump, end);
                self.bind(otherwise);
                self.expr(&e.orelse)?;
                self.bind(end);
            }
            Expr::Dict(e) => self.dict(e)?,
            Expr::Set(e) => self.display(&e.elts, Display::Set, 0)?,
            Expr::List(e) => self.display(&e.elts, Display::List, 0)?,
            Expr::Tuple(e) => self.display(&e.elts, Display::Tuple, 0)?,
            Expr::ListComp(e) => {
                self.comprehension(e, ComprehensionKind::List, &e.generators, &e.elt, None)?;
            }
            Expr::SetComp(e) => {
                self.comprehension(e, ComprehensionKind::Set, &e.generators, &e.elt, None)?;
            }
            Expr::DictComp(e) => {
                let value = Some(&*e.value);
                self.comprehension(e, ComprehensionKind::Dict, &e.generators, &e.key, value)?;
            }
            Expr::GeneratorExp(e) => {
                self.comprehension(e, ComprehensionKind::Generator, &e.generators, &e.elt, None)?;
            }
            Expr::Await(e) => {
                if !self.unit.kind.is_function() {
                    return err("'await' outside function", e.range);
                }
                if !self.unit.is_async && !matches!(self.unit.kind, ScopeKind::Comprehension(_)) {
                    return err("'await' outside async function", e.range);
                }
                self.expr(&e.value)?;
                self.await_top();
            }
            Expr::Yield(e) => {
                self.check_yield(e.range)?;
                match &e.value {
                    Some(value) => self.expr(value)?,
                    None => self.load_none(),
                }
                self.op(Opcode::YieldValue);
            }
            Expr::YieldFrom(e) => {
                self.check_yield(e.range)?;
                if self.unit.is_async {
                    return err("'yield from' inside async function", e.range);
                }
                self.expr(&e.value)?;
                self.op(Opcode::GetYieldFromIter);
                self.load_none();
                self.send_loop();
            }
            Expr::Compare(e) => self.compare(e)?,
            Expr::Call(e) => self.call(e)?,
            Expr::FormattedValue(e) => self.formatted_value(e)?,
            Expr::JoinedStr(e) => self.joined_str(e)?,
            Expr::Attribute(e) => {
                self.expr(&e.value)?;
                let range = self.attribute_range(e);
                self.at(range, |c| c.name_op(Opcode::LoadAttr, &e.attr));
            }
            Expr::Subscript(e) => {
                self.expr(&e.value)?;
                self.subscript(&e.slice)?;
                self.op(Opcode::BinarySubscr);
            }
            Expr::Starred(e) => return err("can't use starred expression here", e.range),
            Expr::Slice(e) => self.slice(e)?,
        }
        Ok(())
    }

    /// An operand of `and` or `or` that is not the last one: jumps to `end` with its value if it
    /// decides, else goes on without it. Its truth is asked for once, also where it is an
    /// operator of this kind itself.
    fn operand(&mut self, op: BoolOp, value: &'a Expr, end: Label) -> Result<()> {
        let nested = match value {
            Expr::BoolOp(e) if constant(value).is_none() => e.values.split_last().map(|v| (e, v)),
            _ => None,
        };
        let Some((inner, (last, before))) = nested else {
            self.expr(value)?;
            self.jump(
                match op {
                    BoolOp::And => Opcode::JumpIfFalseOrPop,
                    BoolOp::Or => Opcode::JumpIfTrueOrPop,
                },
                end,
            );
            return Ok(());
        };
        if inner.op == op {
            for value in before {
                self.operand(op, value, end)?;
            }
            return self.operand(op, last, end);
        }
        // `(a and b) or c`: a false `a` is not the result, so `c` comes next.
        let next = self.label();
        for value in before {
            self.at(value.range(), |c| {
                c.jump_if(value, next, inner.op == BoolOp::Or)
            })?;
        }
        self.operand(op, last, end)?;
        self.bind(next);
        Ok(())
    }

    fn check_yield(&self, range: TextRange) -> Result<()> {
        if self.unit.kind.is_function() {
            Ok(())
        } else {
            err("'yield' outside function", range)
        }
    }

    /// [awaitable] -> [result].
    pub(super) fn await_top(&mut self) {
        self.op(Opcode::GetAwaitable);
        self.load_none();
        self.send_loop();
    }

    /// [iterator, value] -> [result], yielding what the iterator yields.
    pub(super) fn send_loop(&mut self) {
        let (send, end) = (self.label(), self.label());
        self.bind(send);
        self.jump(Opcode::Send, end);
        self.op(Opcode::YieldValue);
        self.jump(Opcode::Jump, send);
        self.bind(end);
    }

    /// What stands between the brackets: `a[*b]` is `a[(*b,)]`.
    pub(super) fn subscript(&mut self, slice: &'a Expr) -> Result<()> {
        if slice.is_starred_expr() {
            return self.at(slice.range(), |c| {
                c.display(std::slice::from_ref(slice), Display::Tuple, 0)
            });
        }
        self.expr(slice)
    }

    fn slice(&mut self, e: &'a ExprSlice) -> Result<()> {
        for bound in [&e.lower, &e.upper] {
            match bound {
                Some(bound) => self.expr(bound)?,
                None => self.load_none(),
            }
        }
        let mut count = 2;
        if let Some(step) = &e.step {
            self.expr(step)?;
            count = 3;
        }
        self.op_arg(Opcode::BuildSlice, count);
        Ok(())
    }

    /// A list, set or tuple of elements, some of which may be starred. `pushed` elements are on
    /// the stack already.
    pub(super) fn display(&mut self, elts: &'a [Expr], what: Display, pushed: u32) -> Result<()> {
        let starred = elts.iter().any(|e| e.is_starred_expr());
        let (make, add_one, add_many) = what.pieces();
        if what != Display::Tuple
            && pushed == 0
            && elts.len() > 2
            && let Some(values) = constants(elts)
        {
            self.op_arg(make, 0);
            // The order of a set is what became of a set with these.
            self.load_const(match what {
                Display::Set => Const::FrozenSet(values),
                Display::List | Display::Tuple => Const::Tuple(values),
            });
            self.op_arg(add_many, 1);
            return Ok(());
        }
        if !starred && elts.len() <= MAX_ON_STACK {
            self.exprs(elts)?;
            self.op_arg(what.build(), pushed + elts.len() as u32);
            return Ok(());
        }
        // Elements before the first star are built at once when they are few.
        let before = elts.iter().take_while(|e| !e.is_starred_expr()).count();
        let at_once = if before <= MAX_ON_STACK { before } else { 0 };
        let (first, rest) = elts.split_at(at_once);
        self.exprs(first)?;
        self.op_arg(make, pushed + at_once as u32);
        for elt in rest {
            match elt {
                Expr::Starred(e) => {
                    self.expr(&e.value)?;
                    self.op_arg(add_many, 1);
                }
                _ => {
                    self.expr(elt)?;
                    self.op_arg(add_one, 1);
                }
            }
        }
        if what == Display::Tuple {
            self.op(Opcode::ListToTuple);
        }
        Ok(())
    }

    fn dict(&mut self, e: &'a ExprDict) -> Result<()> {
        let mut built = false;
        let mut pending = 0;
        for (key, value) in e.keys.iter().zip(&e.values) {
            match key {
                Some(key) => {
                    self.expr(key)?;
                    self.expr(value)?;
                    pending += 1;
                    if pending == MAX_PAIRS {
                        self.flush_pairs(&mut built, &mut pending);
                    }
                }
                None => {
                    self.flush_pairs(&mut built, &mut pending);
                    if !built {
                        self.op_arg(Opcode::BuildMap, 0);
                        built = true;
                    }
                    self.expr(value)?;
                    self.op_arg(Opcode::DictUpdate, 1);
                }
            }
        }
        self.flush_pairs(&mut built, &mut pending);
        if !built {
            self.op_arg(Opcode::BuildMap, 0);
        }
        Ok(())
    }

    fn flush_pairs(&mut self, built: &mut bool, pending: &mut u32) {
        if *pending > 0 {
            self.op_arg(Opcode::BuildMap, *pending);
            if *built {
                self.op_arg(Opcode::DictUpdate, 1);
            }
            *built = true;
            *pending = 0;
        }
    }

    fn compare_op(&mut self, op: CmpOp) {
        let (op, arg) = match op {
            CmpOp::Eq => (Opcode::CompareOp, CompareOp::Eq as u32),
            CmpOp::NotEq => (Opcode::CompareOp, CompareOp::Ne as u32),
            CmpOp::Lt => (Opcode::CompareOp, CompareOp::Lt as u32),
            CmpOp::LtE => (Opcode::CompareOp, CompareOp::Le as u32),
            CmpOp::Gt => (Opcode::CompareOp, CompareOp::Gt as u32),
            CmpOp::GtE => (Opcode::CompareOp, CompareOp::Ge as u32),
            CmpOp::Is => (Opcode::IsOp, 0),
            CmpOp::IsNot => (Opcode::IsOp, 1),
            CmpOp::In => (Opcode::ContainsOp, 0),
            CmpOp::NotIn => (Opcode::ContainsOp, 1),
        };
        self.op_arg(op, arg);
    }

    /// The last right side of a comparison; `x in [1, 2]` and `x in {1, 2}` look into constants.
    /// One before it is an operand of the next comparison, too, and stays what it is.
    fn last_comparator(&mut self, op: CmpOp, expr: &'a Expr) -> Result<()> {
        if matches!(op, CmpOp::In | CmpOp::NotIn) {
            let folded = match expr {
                Expr::List(e) => constants(&e.elts).map(Const::Tuple),
                Expr::Set(e) => constants(&e.elts).map(Const::FrozenSet),
                _ => None,
            };
            if let Some(folded) = folded {
                self.at(expr.range(), |c| c.load_const(folded));
                return Ok(());
            }
        }
        self.expr(expr)
    }

    fn compare(&mut self, e: &'a ExprCompare) -> Result<()> {
        self.expr(&e.left)?;
        let mut links = e.ops.iter().zip(&e.comparators);
        let Some((last_op, last)) = links.next_back() else {
            return Ok(());
        };
        let (cleanup, end) = (self.label(), self.label());
        let chained = links.len() > 0;
        for (op, comparator) in links {
            self.expr(comparator)?;
            self.op_arg(Opcode::Swap, 2);
            self.op_arg(Opcode::Copy, 2);
            self.compare_op(*op);
            self.jump(Opcode::JumpIfFalseOrPop, cleanup);
        }
        self.last_comparator(*last_op, last)?;
        self.compare_op(*last_op);
        if chained {
            self.jump(Opcode::Jump, end);
            self.bind(cleanup);
            self.op_arg(Opcode::Swap, 2);
            self.op(Opcode::PopTop);
            self.bind(end);
        }
        Ok(())
    }

    /// Jumps to `target` when the truth of `expr` is `when`, else goes on.
    ///
    /// As in CPython, what follows a comparison is blamed on it until the caller says otherwise:
    /// a failing `assert a == b` points at `a == b`.
    pub(super) fn jump_if(&mut self, expr: &'a Expr, target: Label, when: bool) -> Result<()> {
        if let Some(truth) = truth(expr) {
            if truth == when {
                self.jump(Opcode::Jump, target);
            }
            return Ok(());
        }
        match expr {
            Expr::UnaryOp(e) if e.op == UnaryOp::Not => {
                return self.jump_if(&e.operand, target, !when);
            }
            Expr::BoolOp(e) => {
                let Some((last, before)) = e.values.split_last() else {
                    return Ok(());
                };
                // What decides the whole when a single value is so.
                let decisive = e.op == BoolOp::Or;
                let decided = if decisive == when {
                    target
                } else {
                    self.label()
                };
                for value in before {
                    self.jump_if(value, decided, decisive)?;
                }
                self.jump_if(last, target, when)?;
                if decided != target {
                    self.bind(decided);
                }
                return Ok(());
            }
            Expr::IfExp(e) => {
                let (otherwise, end) = (self.label(), self.label());
                self.jump_if(&e.test, otherwise, false)?;
                self.jump_if(&e.body, target, when)?;
                self.jump(Opcode::Jump, end);
                self.bind(otherwise);
                self.jump_if(&e.orelse, target, when)?;
                self.bind(end);
                return Ok(());
            }
            Expr::Compare(e) if e.ops.len() > 1 => {
                self.unit.at = e.range;
                self.expr(&e.left)?;
                let mut links = e.ops.iter().zip(&e.comparators);
                let Some((last_op, last)) = links.next_back() else {
                    return Ok(());
                };
                let (cleanup, end) = (self.label(), self.label());
                for (op, comparator) in links {
                    self.expr(comparator)?;
                    self.op_arg(Opcode::Swap, 2);
                    self.op_arg(Opcode::Copy, 2);
                    self.compare_op(*op);
                    self.jump(Opcode::PopJumpIfFalse, cleanup);
                }
                self.last_comparator(*last_op, last)?;
                self.compare_op(*last_op);
                self.jump(pop_jump_if(when), target);
                self.jump(Opcode::Jump, end);
                self.bind(cleanup);
                self.op(Opcode::PopTop);
                if !when {
                    self.jump(Opcode::Jump, target);
                }
                self.bind(end);
                return Ok(());
            }
            // `x is None` has instructions of its own.
            Expr::Compare(e) => {
                self.unit.at = e.range;
                if let ([op @ (CmpOp::Is | CmpOp::IsNot)], [Expr::Constant(right)]) =
                    (e.ops.as_slice(), e.comparators.as_slice())
                    && right.value == Constant::None
                {
                    self.expr(&e.left)?;
                    let jump_if_none = (*op == CmpOp::Is) == when;
                    let op = if jump_if_none {
                        Opcode::PopJumpIfNone
                    } else {
                        Opcode::PopJumpIfNotNone
                    };
                    self.jump(op, target);
                    return Ok(());
                }
            }
            _ => {}
        }
        self.expr(expr)?;
        self.jump(pop_jump_if(when), target);
        Ok(())
    }

    fn formatted_value(&mut self, e: &'a ExprFormattedValue) -> Result<()> {
        self.expr(&e.value)?;
        let mut flags = match e.conversion {
            ConversionFlag::None => FormatConversion::NONE,
            ConversionFlag::Str => FormatConversion::STR,
            ConversionFlag::Repr => FormatConversion::REPR,
            ConversionFlag::Ascii => FormatConversion::ASCII,
        };
        if let Some(spec) = &e.format_spec {
            self.expr(spec)?;
            flags |= FormatConversion::HAS_SPEC;
        }
        self.op_arg(Opcode::FormatValue, flags);
        Ok(())
    }

    fn joined_str(&mut self, e: &'a ExprJoinedStr) -> Result<()> {
        let mut count = 0;
        let mut text = String::new();
        for value in &e.values {
            match value {
                // The parser leaves neighbours apart, as in `f"{x=}"`.
                Expr::Constant(c) => match &c.value {
                    Constant::Str(s) => text.push_str(s),
                    _ => {
                        self.flush_text(&mut text, &mut count);
                        self.expr(value)?;
                        count += 1;
                    }
                },
                // Blamed on the whole string, as in CPython 3.11.
                _ => {
                    self.flush_text(&mut text, &mut count);
                    self.expr_here(value)?;
                    count += 1;
                }
            }
        }
        self.flush_text(&mut text, &mut count);
        match count {
            0 => self.load_str(""),
            1 => {}
            _ => self.op_arg(Opcode::BuildString, count),
        }
        Ok(())
    }

    fn flush_text(&mut self, text: &mut String, count: &mut u32) {
        if !text.is_empty() {
            self.load_str(text);
            text.clear();
            *count += 1;
        }
    }
}

fn pop_jump_if(when: bool) -> Opcode {
    if when {
        Opcode::PopJumpIfTrue
    } else {
        Opcode::PopJumpIfFalse
    }
}
