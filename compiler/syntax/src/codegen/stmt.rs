//! Statements.
//!
//! In: a statement. Out: its instructions, or a call of the part that knows it. Always: the stack
//! is as deep after a statement as before it.

use std::rc::Rc;

use janus_bytecode::{Const, Opcode};
use rustpython_parser::ast::{
    Constant, ExceptHandler, Expr, Ranged, Stmt, StmtImport, StmtImportFrom,
};
use rustpython_parser::text_size::TextRange;

use super::constant::constant;
use super::function::FunctionParts;
use super::{Access, Codegen};
use crate::error::{Result, err};
use crate::parse::nowhere;

/// Where a body ends: what its implicit `return` is blamed on.
pub(super) fn last_range(body: &[Stmt]) -> TextRange {
    body.last().map_or_else(nowhere, |s| s.range())
}

/// Whether a module or class body annotates variables anywhere, inner scopes aside.
pub(super) fn has_annotations(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::AnnAssign(_) => true,
        Stmt::For(s) => has_annotations(&s.body) || has_annotations(&s.orelse),
        Stmt::AsyncFor(s) => has_annotations(&s.body) || has_annotations(&s.orelse),
        Stmt::While(s) => has_annotations(&s.body) || has_annotations(&s.orelse),
        Stmt::If(s) => has_annotations(&s.body) || has_annotations(&s.orelse),
        Stmt::With(s) => has_annotations(&s.body),
        Stmt::AsyncWith(s) => has_annotations(&s.body),
        Stmt::Match(s) => s.cases.iter().any(|c| has_annotations(&c.body)),
        Stmt::TryStar(s) => {
            let in_handler = |ExceptHandler::ExceptHandler(h): &_| has_annotations(&h.body);
            has_annotations(&s.body)
                || s.handlers.iter().any(in_handler)
                || has_annotations(&s.orelse)
                || has_annotations(&s.finalbody)
        }
        Stmt::Try(s) => {
            let in_handler = |ExceptHandler::ExceptHandler(h): &_| has_annotations(&h.body);
            has_annotations(&s.body)
                || s.handlers.iter().any(in_handler)
                || has_annotations(&s.orelse)
                || has_annotations(&s.finalbody)
        }
        _ => false,
    })
}

impl<'a> Codegen<'a> {
    /// The string at the start of a body.
    pub(super) fn docstring<'s>(&self, body: &'s [Stmt]) -> Option<(&'s str, TextRange)> {
        if self.optimize > 1 {
            return None;
        }
        match body.first()? {
            Stmt::Expr(s) => match &*s.value {
                Expr::Constant(e) => match &e.value {
                    Constant::Str(text) => Some((text, s.range)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// A statement; the caller has set what it is blamed on.
    pub(super) fn stmt(&mut self, stmt: &'a Stmt) -> Result<()> {
        match stmt {
            Stmt::FunctionDef(s) => self.function(s, FunctionParts::from(s)),
            Stmt::AsyncFunctionDef(s) => self.function(s, FunctionParts::from(s)),
            Stmt::ClassDef(s) => self.class(s),
            Stmt::Return(s) => self.return_value(s),
            Stmt::Delete(s) => s.targets.iter().try_for_each(|t| self.delete(t)),
            Stmt::Assign(s) => self.assign(s),
            Stmt::AugAssign(s) => self.aug_assign(s),
            Stmt::AnnAssign(s) => self.ann_assign(s),
            Stmt::For(s) => self.for_loop(s),
            Stmt::AsyncFor(s) => self.async_for_loop(s),
            Stmt::While(s) => self.while_loop(s),
            Stmt::If(s) => {
                let otherwise = self.label();
                self.jump_if(&s.test, otherwise, false)?;
                self.body(&s.body)?;
                if s.orelse.is_empty() {
                    self.bind(otherwise);
                } else {
                    let end = self.label();
                    self.jump(Opcode::Jump, end);
                    self.bind(otherwise);
                    self.body(&s.orelse)?;
                    self.bind(end);
                }
                Ok(())
            }
            Stmt::With(s) => self.with_statement(&s.items, &s.body, false, s.range),
            Stmt::AsyncWith(s) => self.with_statement(&s.items, &s.body, true, s.range),
            Stmt::Match(s) => self.match_statement(s),
            Stmt::Raise(s) => {
                let mut count = 0;
                for part in [&s.exc, &s.cause].into_iter().flatten() {
                    self.expr(part)?;
                    count += 1;
                }
                self.op_arg(Opcode::RaiseVarargs, count);
                Ok(())
            }
            Stmt::Try(s) => self.try_statement(s),
            Stmt::Assert(_) if self.optimize > 0 => Ok(()),
            Stmt::Assert(s) => {
                let end = self.label();
                self.jump_if(&s.test, end, true)?;
                self.op(Opcode::LoadAssertionError);
                if let Some(message) = &s.msg {
                    self.call_with_one(|c| c.expr(message))?;
                }
                self.op_arg(Opcode::RaiseVarargs, 1);
                self.bind(end);
                Ok(())
            }
            Stmt::Import(s) => self.import(s),
            Stmt::ImportFrom(s) => self.import_from(s),
            Stmt::Expr(s) => self.expression_statement(&s.value),
            Stmt::Break(_) => self.break_loop(),
            Stmt::Continue(_) => self.continue_loop(),
            Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::Pass(_) => Ok(()),
            // Rejected before.
            Stmt::TryStar(s) => self.try_star(s),
            Stmt::TypeAlias(s) => err("invalid syntax", s.range),
        }
    }

    fn expression_statement(&mut self, value: &'a Expr) -> Result<()> {
        if self.single && self.outer.is_empty() {
            // sys.displayhook(value)
            self.expr(value)?;
            self.load_const(Const::Int(0));
            self.load_none();
            self.name_op_plain(Opcode::ImportName, "sys");
            self.name_op_plain(Opcode::LoadAttr, "displayhook");
            self.op_arg(Opcode::Swap, 2);
            self.op(Opcode::PushNull);
            self.op_arg(Opcode::Swap, 2);
            self.op_arg(Opcode::Call, 1);
            self.op(Opcode::PopTop);
            return Ok(());
        }
        if constant(value).is_none() {
            self.expr(value)?;
            self.op(Opcode::PopTop);
        }
        Ok(())
    }

    fn import(&mut self, s: &'a StmtImport) -> Result<()> {
        for alias in &s.names {
            self.load_const(Const::Int(0));
            self.load_none();
            self.name_op_plain(Opcode::ImportName, &alias.name);
            let mut parts = alias.name.split('.');
            let first = parts.next().unwrap_or(&alias.name);
            let Some(name) = &alias.asname else {
                self.variable(first, Access::Store)?;
                continue;
            };
            // `import a.b.c as d` walks down from `a`.
            for part in parts {
                self.name_op_plain(Opcode::ImportFrom, part);
                self.op_arg(Opcode::Swap, 2);
                self.op(Opcode::PopTop);
            }
            self.variable(name, Access::Store)?;
        }
        Ok(())
    }

    fn import_from(&mut self, s: &'a StmtImportFrom) -> Result<()> {
        let level = s.level.map_or(0, |l| l.to_u32());
        self.load_const(Const::Int(i64::from(level)));
        let names: Rc<[Const]> = s
            .names
            .iter()
            .map(|alias| Const::Str(alias.name.as_str().into()))
            .collect();
        self.load_const(Const::Tuple(names));
        self.name_op_plain(Opcode::ImportName, s.module.as_deref().unwrap_or(""));
        for alias in &s.names {
            if alias.name.as_str() == "*" {
                self.op(Opcode::ImportStar);
                return Ok(());
            }
            self.name_op_plain(Opcode::ImportFrom, &alias.name);
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            self.at(s.range(), |c| c.variable(name, Access::Store))?;
        }
        self.op(Opcode::PopTop);
        Ok(())
    }
}
