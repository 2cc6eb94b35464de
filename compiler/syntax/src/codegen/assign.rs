//! Assignment, augmented assignment, annotation, deletion.
//!
//! In: targets that [`crate::validate`] has passed. Out: instructions that pop one value into
//! each. Always: parts of an augmented target are evaluated once.

use std::rc::Rc;

use janus_bytecode::{Const, Opcode};
use rustpython_parser::ast::{Expr, Ranged, StmtAnnAssign, StmtAssign, StmtAugAssign};

use super::constant::constant;
use super::expr::binary_op;
use super::{Access, Codegen};
use crate::error::{Result, err};
use crate::parse::is_simple;
use crate::unparse::unparse;

impl<'a> Codegen<'a> {
    pub(super) fn assign(&mut self, s: &'a StmtAssign) -> Result<()> {
        if let [Expr::Tuple(targets)] = s.targets.as_slice()
            && let Expr::Tuple(values) = &*s.value
            && self.exchange_values(&targets.elts, &values.elts)?
        {
            return Ok(());
        }
        self.expr(&s.value)?;
        let Some((last, before)) = s.targets.split_last() else {
            return Ok(());
        };
        for target in before {
            self.op_arg(Opcode::Copy, 1);
            self.store(target)?;
        }
        self.store(last)
    }

    /// `a, b = b, a` makes no tuple. Returns whether it was such an assignment.
    fn exchange_values(&mut self, targets: &'a [Expr], values: &'a [Expr]) -> Result<bool> {
        let count = targets.len();
        let starred = targets.iter().chain(values).any(|e| e.is_starred_expr());
        let folds = values.iter().all(|v| constant(v).is_some());
        if !(2..=3).contains(&count) || values.len() != count || starred || folds {
            return Ok(false);
        }
        self.exprs(values)?;
        self.op_arg(Opcode::Swap, count as u32);
        targets.iter().try_for_each(|t| self.store(t))?;
        Ok(true)
    }

    /// Pops the top into a target.
    pub(super) fn store(&mut self, target: &'a Expr) -> Result<()> {
        self.at(target.range(), |c| match target {
            Expr::Name(e) => c.variable(&e.id, Access::Store),
            Expr::Attribute(e) => {
                c.expr(&e.value)?;
                let range = c.attribute_range(e);
                c.at(range, |c| c.name_op(Opcode::StoreAttr, &e.attr));
                Ok(())
            }
            Expr::Subscript(e) => {
                c.expr(&e.value)?;
                c.subscript(&e.slice)?;
                c.op(Opcode::StoreSubscr);
                Ok(())
            }
            Expr::Tuple(e) => c.unpack(&e.elts),
            Expr::List(e) => c.unpack(&e.elts),
            Expr::Starred(e) => err(
                "starred assignment target must be in a list or tuple",
                e.range,
            ),
            other => err("cannot assign to this", other.range()),
        })
    }

    fn unpack(&mut self, targets: &'a [Expr]) -> Result<()> {
        let count = targets.len() as u32;
        match targets.iter().position(|t| t.is_starred_expr()) {
            None => self.op_arg(Opcode::UnpackSequence, count),
            Some(before) => {
                let before = before as u32;
                let after = count - before - 1;
                if before >= 1 << 8 || after >= 1 << 23 {
                    let message = "too many expressions in star-unpacking assignment";
                    return err(message, self.unit.at);
                }
                self.op_arg(Opcode::UnpackEx, before | after << 8);
            }
        }
        targets.iter().try_for_each(|target| match target {
            Expr::Starred(e) => self.store(&e.value),
            _ => self.store(target),
        })
    }

    pub(super) fn aug_assign(&mut self, s: &'a StmtAugAssign) -> Result<()> {
        let op = binary_op(s.op, true) as u32;
        match &*s.target {
            Expr::Name(e) => {
                self.at(e.range, |c| c.variable(&e.id, Access::Load))?;
                self.expr(&s.value)?;
                self.op_arg(Opcode::BinaryOp, op);
                self.at(e.range, |c| c.variable(&e.id, Access::Store))
            }
            Expr::Attribute(e) => {
                self.expr(&e.value)?;
                self.op_arg(Opcode::Copy, 1);
                let range = self.attribute_range(e);
                self.at(range, |c| c.name_op(Opcode::LoadAttr, &e.attr));
                self.expr(&s.value)?;
                self.op_arg(Opcode::BinaryOp, op);
                self.op_arg(Opcode::Swap, 2);
                self.at(range, |c| c.name_op(Opcode::StoreAttr, &e.attr));
                Ok(())
            }
            Expr::Subscript(e) => {
                self.expr(&e.value)?;
                self.subscript(&e.slice)?;
                self.op_arg(Opcode::Copy, 2);
                self.op_arg(Opcode::Copy, 2);
                self.at(e.range, |c| c.op(Opcode::BinarySubscr));
                self.expr(&s.value)?;
                self.op_arg(Opcode::BinaryOp, op);
                self.op_arg(Opcode::Swap, 3);
                self.op_arg(Opcode::Swap, 2);
                self.at(e.range, |c| c.op(Opcode::StoreSubscr));
                Ok(())
            }
            other => err("cannot assign to this", other.range()),
        }
    }

    pub(super) fn ann_assign(&mut self, s: &'a StmtAnnAssign) -> Result<()> {
        if let Some(value) = &s.value {
            self.expr(value)?;
            self.store(&s.target)?;
        }
        let evaluated = !self.unit.kind.is_function();
        match &*s.target {
            Expr::Name(e) if is_simple(s) => {
                if evaluated {
                    self.annotation(&s.annotation)?;
                    self.name_op_plain(Opcode::LoadName, "__annotations__");
                    let name = self.mangled(&e.id);
                    self.load_const(Const::Str(name));
                    self.op(Opcode::StoreSubscr);
                }
                return Ok(());
            }
            // The target is evaluated even where nothing is assigned.
            Expr::Attribute(e) if s.value.is_none() => self.evaluate_and_drop(&e.value)?,
            Expr::Subscript(e) if s.value.is_none() => {
                self.evaluate_and_drop(&e.value)?;
                self.evaluate_and_drop(&e.slice)?;
            }
            _ => {}
        }
        if evaluated && !self.future_annotations {
            self.evaluate_and_drop(&s.annotation)?;
        }
        Ok(())
    }

    fn evaluate_and_drop(&mut self, expr: &'a Expr) -> Result<()> {
        if constant(expr).is_none() {
            self.expr(expr)?;
            self.op(Opcode::PopTop);
        }
        Ok(())
    }

    /// Pushes an annotation, or its text under `from __future__ import annotations`.
    pub(super) fn annotation(&mut self, annotation: &'a Expr) -> Result<()> {
        if self.future_annotations {
            let text: Rc<str> = unparse(annotation).into();
            self.at(annotation.range(), |c| c.load_const(Const::Str(text)));
            return Ok(());
        }
        if let Expr::Starred(e) = annotation {
            // `*args: *Ts`
            self.expr(&e.value)?;
            self.op_arg(Opcode::UnpackSequence, 1);
            return Ok(());
        }
        self.expr(annotation)
    }

    pub(super) fn delete(&mut self, target: &'a Expr) -> Result<()> {
        self.at(target.range(), |c| match target {
            Expr::Name(e) => c.variable(&e.id, Access::Delete),
            Expr::Attribute(e) => {
                c.expr(&e.value)?;
                let range = c.attribute_range(e);
                c.at(range, |c| c.name_op(Opcode::DeleteAttr, &e.attr));
                Ok(())
            }
            Expr::Subscript(e) => {
                c.expr(&e.value)?;
                c.subscript(&e.slice)?;
                c.op(Opcode::DeleteSubscr);
                Ok(())
            }
            Expr::Tuple(e) => e.elts.iter().try_for_each(|t| c.delete(t)),
            Expr::List(e) => e.elts.iter().try_for_each(|t| c.delete(t)),
            other => err("cannot delete this", other.range()),
        })
    }
}
