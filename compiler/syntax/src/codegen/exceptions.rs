//! `try` and `with`.
//!
//! In: the statements. Out: instructions and handler ranges. Always: on every way out of a
//! handler the exception that was handled before is the handled one again.
//!
//! A handler starts with the exception on the stack, above what the block found there. It makes
//! it the handled one with `PushExcInfo`, and is itself covered by a cleanup handler that undoes
//! that before the next exception goes on.

use janus_bytecode::{Const, Opcode};
use rustpython_parser::ast::{
    ExceptHandler, ExceptHandlerExceptHandler, Stmt, StmtTry, StmtTryStar, WithItem,
};
use rustpython_parser::text_size::TextRange;

use super::control::Block;
use super::{Access, Codegen};
use crate::assemble::Label;
use crate::error::{Result, err};

impl<'a> Codegen<'a> {
    pub(super) fn try_statement(&mut self, s: &'a StmtTry) -> Result<()> {
        if s.finalbody.is_empty() {
            self.try_except(s)
        } else {
            self.try_finally(s)
        }
    }

    fn try_finally(&mut self, s: &'a StmtTry) -> Result<()> {
        self.finally(&s.finalbody, |c| {
            if s.handlers.is_empty() {
                c.body(&s.body)
            } else {
                c.try_except(s)
            }
        })
    }

    /// What is tried, then the `finally` body, however it was left.
    fn finally(
        &mut self,
        last: &'a [Stmt],
        tried: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (except, cleanup, end) = (self.label(), self.label(), self.label());
        self.unit.asm.push_handler(except, 0);
        self.push_block(Block::Finally { body: last });
        tried(self)?;
        self.pop_block();
        self.unit.asm.pop_handler();
        self.body(last)?;
        self.jump(Opcode::Jump, end);

        self.bind(except);
        self.unit.asm.push_handler(cleanup, 0);
        self.op(Opcode::PushExcInfo);
        self.push_block(Block::FinallyEnd);
        self.body(last)?;
        self.pop_block();
        self.op(Opcode::Reraise);
        self.unit.asm.pop_handler();
        self.bind(cleanup);
        self.pop_except_and_reraise();
        self.bind(end);
        Ok(())
    }

    /// The body and the `else` of a `try`, up to where its handlers begin; gives the labels of their cleanup and of the end.
    fn tried(&mut self, body: &'a [Stmt], orelse: &'a [Stmt]) -> Result<(Label, Label)> {
        let (except, cleanup, end) = (self.label(), self.label(), self.label());
        self.unit.asm.push_handler(except, 0);
        self.push_block(Block::Try);
        self.body(body)?;
        self.pop_block();
        self.unit.asm.pop_handler();
        self.body(orelse)?;
        self.jump(Opcode::Jump, end);

        self.bind(except);
        self.unit.asm.push_handler(cleanup, 0);
        self.op(Opcode::PushExcInfo);
        Ok((cleanup, end))
    }

    fn try_except(&mut self, s: &'a StmtTry) -> Result<()> {
        let (cleanup, end) = self.tried(&s.body, &s.orelse)?;
        for ExceptHandler::ExceptHandler(handler) in &s.handlers {
            let next = self.label();
            let outer = std::mem::replace(&mut self.unit.at, handler.range);
            if let Some(class) = &handler.type_ {
                self.expr(class)?;
                self.op(Opcode::CheckExcMatch);
                self.jump(Opcode::PopJumpIfFalse, next);
            }
            match &handler.name {
                Some(name) => {
                    let unbind = self.label();
                    self.variable(name, Access::Store)?;
                    self.unit.asm.push_handler(unbind, 0);
                    self.push_block(Block::Except { name: Some(name) });
                    self.body(&handler.body)?;
                    self.pop_block();
                    self.unit.asm.pop_handler();
                    let covered = self.unit.asm.save_handlers();
                    self.unit.asm.pop_handler();
                    self.op(Opcode::PopExcept);
                    self.forget(name)?;
                    self.jump(Opcode::Jump, end);
                    self.unit.asm.restore_handlers(covered);
                    self.bind(unbind);
                    self.forget(name)?;
                    self.op(Opcode::Reraise);
                }
                None => {
                    self.op(Opcode::PopTop);
                    self.push_block(Block::Except { name: None });
                    self.body(&handler.body)?;
                    self.pop_block();
                    let covered = self.unit.asm.save_handlers();
                    self.unit.asm.pop_handler();
                    self.op(Opcode::PopExcept);
                    self.jump(Opcode::Jump, end);
                    self.unit.asm.restore_handlers(covered);
                }
            }
            self.unit.at = outer;
            self.bind(next);
        }
        // No clause matched.
        self.op(Opcode::Reraise);
        self.unit.asm.pop_handler();
        self.bind(cleanup);
        self.pop_except_and_reraise();
        self.bind(end);
        Ok(())
    }

    pub(super) fn try_star(&mut self, s: &'a StmtTryStar) -> Result<()> {
        if s.finalbody.is_empty() {
            return self.try_except_star(s);
        }
        self.finally(&s.finalbody, |c| c.try_except_star(s))
    }

    /// The clauses work on an object of the library that holds what was raised: it stands where the exception does in
    /// `except`, and tells in the end what is raised again.
    fn try_except_star(&mut self, s: &'a StmtTryStar) -> Result<()> {
        let (cleanup, end) = self.tried(&s.body, &s.orelse)?;
        // [previous, exception] -> [previous, matching]
        self.load_const(Const::Int(0));
        self.load_none();
        self.name_op_plain(Opcode::ImportName, "_groups");
        self.name_op_plain(Opcode::LoadAttr, "Matching");
        self.op(Opcode::PushNull);
        self.op_arg(Opcode::Copy, 3);
        self.op_arg(Opcode::Call, 1);
        self.op_arg(Opcode::Swap, 2);
        self.op(Opcode::PopTop);
        for ExceptHandler::ExceptHandler(handler) in &s.handlers {
            let outer = std::mem::replace(&mut self.unit.at, handler.range);
            self.star_clause(handler)?;
            self.unit.at = outer;
        }
        let raise = self.label();
        self.op_arg(Opcode::Copy, 1);
        self.call_method("result");
        self.op_arg(Opcode::Swap, 2);
        self.op(Opcode::PopTop);
        self.op_arg(Opcode::Copy, 1);
        self.load_none();
        self.op_arg(Opcode::IsOp, 0);
        self.jump(Opcode::PopJumpIfFalse, raise);
        self.op(Opcode::PopTop);
        let covered = self.unit.asm.save_handlers();
        self.unit.asm.pop_handler();
        self.op(Opcode::PopExcept);
        self.jump(Opcode::Jump, end);
        self.unit.asm.restore_handlers(covered);
        self.bind(raise);
        self.op(Opcode::Reraise);
        self.unit.asm.pop_handler();
        self.bind(cleanup);
        self.pop_except_and_reraise();
        self.bind(end);
        Ok(())
    }

    /// [matching] -> [matching], with the body run for the part that fits.
    fn star_clause(&mut self, handler: &'a ExceptHandlerExceptHandler) -> Result<()> {
        let (next, nothing, failed) = (self.label(), self.label(), self.label());
        let Some(class) = &handler.type_ else {
            return err("expected one or more exception types", handler.range);
        };
        self.op_arg(Opcode::Copy, 1);
        self.name_op_plain(Opcode::LoadAttr, "match");
        self.call_with_one(|c| c.expr(class))?;
        self.op_arg(Opcode::Copy, 1);
        self.load_none();
        self.op_arg(Opcode::IsOp, 0);
        self.jump(Opcode::PopJumpIfTrue, nothing);
        // [matching, part] -> [matching, whole], with the part the handled one
        self.op(Opcode::PushExcInfo);
        self.unit.asm.push_handler(failed, 1);
        match &handler.name {
            Some(name) => self.variable(name, Access::Store)?,
            None => self.op(Opcode::PopTop),
        }
        self.unit.asm.pop_handler();
        self.unit.asm.push_handler(failed, 0);
        self.push_block(Block::ExceptStar);
        self.body(&handler.body)?;
        self.pop_block();
        self.unit.asm.pop_handler();
        self.op(Opcode::PopExcept);
        if let Some(name) = &handler.name {
            self.forget(name)?;
        }
        self.jump(Opcode::Jump, next);
        // [matching, whole, raised]
        self.bind(failed);
        self.op(Opcode::PushExcInfo);
        self.op_arg(Opcode::Copy, 4);
        self.name_op_plain(Opcode::LoadAttr, "add");
        self.op(Opcode::PushNull);
        self.op_arg(Opcode::Copy, 3);
        self.op_arg(Opcode::Call, 1);
        self.op(Opcode::PopTop);
        self.op(Opcode::PopTop);
        self.op(Opcode::PopExcept);
        self.op(Opcode::PopExcept);
        if let Some(name) = &handler.name {
            self.forget(name)?;
        }
        self.jump(Opcode::Jump, next);
        self.bind(nothing);
        self.op(Opcode::PopTop);
        self.bind(next);
        Ok(())
    }

    pub(super) fn with_statement(
        &mut self,
        items: &'a [WithItem],
        body: &'a [Stmt],
        is_async: bool,
        range: TextRange,
    ) -> Result<()> {
        if is_async && !self.unit.is_async {
            return err("'async with' outside async function", range);
        }
        let Some((item, rest)) = items.split_first() else {
            return self.body(body);
        };
        let (except, cleanup, suppress, end) =
            (self.label(), self.label(), self.label(), self.label());
        self.expr(&item.context_expr)?;
        self.enter_with(is_async);
        // The handler finds the exit function only, not the result of entering.
        self.unit.asm.push_handler(except, 1);
        self.push_block(Block::With {
            is_async,
            at: range,
        });
        match &item.optional_vars {
            Some(target) => self.store(target)?,
            None => self.op(Opcode::PopTop),
        }
        self.with_statement(rest, body, is_async, range)?;
        self.pop_block();
        self.unit.asm.pop_handler();
        self.exit_with_none(is_async);
        self.jump(Opcode::Jump, end);

        self.bind(except);
        self.unit.asm.push_handler(cleanup, 0);
        self.op(Opcode::PushExcInfo);
        self.op(Opcode::WithExceptStart);
        if is_async {
            self.await_top();
        }
        self.jump(Opcode::PopJumpIfTrue, suppress);
        self.op(Opcode::Reraise);
        self.bind(suppress);
        self.op(Opcode::PopTop);
        self.unit.asm.pop_handler();
        self.op(Opcode::PopExcept);
        self.op(Opcode::PopTop);
        self.jump(Opcode::Jump, end);
        self.bind(cleanup);
        self.pop_except_and_reraise();
        self.bind(end);
        Ok(())
    }

    /// [manager] -> [exit, result of entering].
    fn enter_with(&mut self, is_async: bool) {
        if is_async {
            self.op_arg(Opcode::Copy, 1);
            self.name_op_plain(Opcode::LoadAttr, "__aexit__");
            self.op_arg(Opcode::Swap, 2);
            self.call_method("__aenter__");
            self.await_top();
        } else {
            self.op(Opcode::BeforeWith);
        }
    }

    /// [exit] -> [], calling it as at the normal end of the block.
    pub(super) fn exit_with_none(&mut self, is_async: bool) {
        self.op(Opcode::PushNull);
        self.load_none();
        self.load_none();
        self.load_none();
        self.op_arg(Opcode::Call, 3);
        if is_async {
            self.await_top();
        }
        self.op(Opcode::PopTop);
    }
}
