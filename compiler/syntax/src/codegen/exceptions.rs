//! `try` and `with`.
//!
//! In: the statements. Out: instructions and handler ranges. Always: on every way out of a
//! handler the exception that was handled before is the handled one again.
//!
//! A handler starts with the exception on the stack, above what the block found there. It makes
//! it the handled one with `PushExcInfo`, and is itself covered by a cleanup handler that undoes
//! that before the next exception goes on.

use janus_bytecode::Opcode;
use rustpython_parser::ast::{ExceptHandler, Stmt, StmtTry, WithItem};
use rustpython_parser::text_size::TextRange;

use super::control::Block;
use super::{Access, Codegen};
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
        let (except, cleanup, end) = (self.label(), self.label(), self.label());
        self.unit.asm.push_handler(except, 0);
        self.push_block(Block::Finally { body: &s.finalbody });
        if s.handlers.is_empty() {
            self.body(&s.body)?;
        } else {
            self.try_except(s)?;
        }
        self.pop_block();
        self.unit.asm.pop_handler();
        self.body(&s.finalbody)?;
        self.jump(Opcode::Jump, end);

        self.bind(except);
        self.unit.asm.push_handler(cleanup, 0);
        self.op(Opcode::PushExcInfo);
        self.push_block(Block::FinallyEnd);
        self.body(&s.finalbody)?;
        self.pop_block();
        self.op(Opcode::Reraise);
        self.unit.asm.pop_handler();
        self.bind(cleanup);
        self.pop_except_and_reraise();
        self.bind(end);
        Ok(())
    }

    fn try_except(&mut self, s: &'a StmtTry) -> Result<()> {
        let (except, cleanup, end) = (self.label(), self.label(), self.label());
        self.unit.asm.push_handler(except, 0);
        self.push_block(Block::Try);
        self.body(&s.body)?;
        self.pop_block();
        self.unit.asm.pop_handler();
        self.body(&s.orelse)?;
        self.jump(Opcode::Jump, end);

        self.bind(except);
        self.unit.asm.push_handler(cleanup, 0);
        self.op(Opcode::PushExcInfo);
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
