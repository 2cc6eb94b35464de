//! Loops, and leaving blocks: what `break`, `continue` and `return` do on their way out.
//!
//! In: loops and jumps out of blocks. Out: instructions, with `finally` and `with` exits copied
//! in at every way out. Always: [`Block`]s mirror what the blocks around have on the stack and
//! which handlers are theirs.

use janus_bytecode::Opcode;
use rustpython_parser::ast::{Stmt, StmtAsyncFor, StmtFor, StmtReturn, StmtWhile};
use rustpython_parser::text_size::TextRange;

use super::constant::{constant, truth};
use super::{Access, Codegen};
use crate::assemble::Label;
use crate::error::{Result, err};

/// A block around the current instruction that leaving it must know about.
#[derive(Clone, Copy)]
pub(super) enum Block<'a> {
    /// `while`: nothing on the stack.
    While { head: Label, end: Label },
    /// `for`: its iterator is on the stack.
    For { head: Label, end: Label },
    /// The body of `try` with `except` clauses.
    Try,
    /// The body of `try` with this `finally`.
    Finally { body: &'a [Stmt] },
    /// A `finally` body that runs because of an exception: [previous, exception] on the stack.
    FinallyEnd,
    /// The body of `with`: the exit function is on the stack.
    With { is_async: bool, at: TextRange },
    /// The body of `except`: the previous exception is on the stack.
    Except { name: Option<&'a str> },
    /// The body of `except*`, which nothing but an exception leaves.
    ExceptStar,
    /// A value to return, while the blocks around it are left.
    Value,
}

/// Statements with blocks that may be inside of one another.
const MAX_BLOCKS: usize = 20;

const EXCEPT_STAR: &str = "'break', 'continue' and 'return' cannot appear in an except* block";

impl<'a> Codegen<'a> {
    pub(super) fn push_block(&mut self, block: Block<'a>) {
        // CPython's limit, which its own programs rely on.
        if self.unit.blocks.len() >= MAX_BLOCKS {
            self.unit.too_deep.get_or_insert(self.unit.at);
        }
        self.unit.blocks.push(block);
    }

    pub(super) fn pop_block(&mut self) {
        self.unit.blocks.pop();
    }

    pub(super) fn while_loop(&mut self, s: &'a StmtWhile) -> Result<()> {
        let (head, orelse, end) = (self.label(), self.label(), self.label());
        if truth(&s.test) == Some(false) {
            // The body is compiled for its errors and dropped as unreachable.
            self.jump(Opcode::Jump, orelse);
        }
        self.push_block(Block::While { head, end });
        self.bind(head);
        self.op(Opcode::LoopHead);
        self.jump_if(&s.test, orelse, false)?;
        self.body(&s.body)?;
        self.jump(Opcode::JumpBackward, head);
        self.pop_block();
        self.bind(orelse);
        self.body(&s.orelse)?;
        self.bind(end);
        Ok(())
    }

    pub(super) fn for_loop(&mut self, s: &'a StmtFor) -> Result<()> {
        let (head, orelse, end) = (self.label(), self.label(), self.label());
        self.expr(&s.iter)?;
        self.op(Opcode::GetIter);
        self.bind(head);
        self.jump(Opcode::ForIter, orelse);
        self.push_block(Block::For { head, end });
        self.store(&s.target)?;
        self.body(&s.body)?;
        self.jump(Opcode::JumpBackward, head);
        self.pop_block();
        self.bind(orelse);
        self.body(&s.orelse)?;
        self.bind(end);
        Ok(())
    }

    pub(super) fn async_for_loop(&mut self, s: &'a StmtAsyncFor) -> Result<()> {
        if !self.unit.is_async {
            return err("'async for' outside async function", s.range);
        }
        let (head, except, end) = (self.label(), self.label(), self.label());
        self.expr(&s.iter)?;
        self.call_method("__aiter__");
        self.bind(head);
        self.push_block(Block::For { head, end });
        self.async_next(except);
        self.store(&s.target)?;
        self.body(&s.body)?;
        self.jump(Opcode::JumpBackward, head);
        self.pop_block();
        self.bind(except);
        self.end_async_for()?;
        self.body(&s.orelse)?;
        self.bind(end);
        Ok(())
    }

    /// At a loop head: [iterator] -> [iterator, next], or to `except` when it raises.
    pub(super) fn async_next(&mut self, except: Label) {
        self.op(Opcode::LoopHead);
        self.unit.asm.push_handler(except, 0);
        self.op_arg(Opcode::Copy, 1);
        self.call_method("__anext__");
        self.await_top();
        self.unit.asm.pop_handler();
    }

    /// [iterator, exception] -> [] when the iterator is at its end, else raises again.
    pub(super) fn end_async_for(&mut self) -> Result<()> {
        let other = self.label();
        let end = self.label();
        self.op(Opcode::PushExcInfo);
        self.name_op_plain(Opcode::LoadGlobal, "StopAsyncIteration");
        self.op(Opcode::CheckExcMatch);
        self.jump(Opcode::PopJumpIfFalse, other);
        self.op(Opcode::PopTop);
        self.op(Opcode::PopExcept);
        self.op(Opcode::PopTop);
        self.jump(Opcode::Jump, end);
        self.bind(other);
        self.pop_except_and_reraise();
        self.bind(end);
        Ok(())
    }

    /// [previous, exception]: ends the handling of the exception by raising it again.
    pub(super) fn pop_except_and_reraise(&mut self) {
        self.op_arg(Opcode::Swap, 2);
        self.op(Opcode::PopExcept);
        self.op(Opcode::Reraise);
    }

    /// Whether the innermost block that counts for `break` is that of an `except*`.
    fn is_in_except_star(&self) -> bool {
        let innermost = self.unit.blocks.iter().rev().find(|block| {
            matches!(
                block,
                Block::ExceptStar | Block::For { .. } | Block::While { .. }
            )
        });
        matches!(innermost, Some(Block::ExceptStar))
    }

    pub(super) fn break_loop(&mut self) -> Result<()> {
        self.leave_loop("'break' outside loop", |c, block| {
            let end = match block {
                Block::For { end, .. } => {
                    c.op(Opcode::PopTop);
                    end
                }
                Block::While { end, .. } => end,
                _ => return,
            };
            c.jump(Opcode::Jump, end);
        })
    }

    pub(super) fn continue_loop(&mut self) -> Result<()> {
        self.leave_loop("'continue' not properly in loop", |c, block| {
            if let Block::For { head, .. } | Block::While { head, .. } = block {
                c.jump(Opcode::JumpBackward, head);
            }
        })
    }

    fn leave_loop(&mut self, message: &str, go: impl FnOnce(&mut Self, Block<'a>)) -> Result<()> {
        if self.is_in_except_star() {
            return err(EXCEPT_STAR, self.unit.at);
        }
        let is_loop = |b: &Block<'_>| matches!(b, Block::While { .. } | Block::For { .. });
        let Some(at) = self.unit.blocks.iter().rposition(is_loop) else {
            return err(message, self.unit.at);
        };
        let target = self.unit.blocks[at];
        self.unwinding(at + 1, false, |c| {
            go(c, target);
            Ok(())
        })
    }

    pub(super) fn return_value(&mut self, s: &'a StmtReturn) -> Result<()> {
        if !self.unit.kind.is_function() {
            return err("'return' outside function", s.range);
        }
        if s.value.is_some() && self.unit.is_async && self.unit.flags.generator {
            return err("'return' with value in async generator", s.range);
        }
        // A constant needs no place on the stack while the blocks are left.
        let kept = s.value.as_deref().filter(|v| constant(v).is_none());
        if let Some(value) = kept {
            self.expr(value)?;
        }
        self.unwinding(0, kept.is_some(), |c| {
            match s.value.as_deref() {
                None => c.load_none(),
                Some(value) if kept.is_none() => c.expr(value)?,
                Some(_) => {}
            }
            c.op(Opcode::ReturnValue);
            Ok(())
        })
    }

    /// Leaves the blocks from the innermost down to the one at `keep`, then runs `then`; what
    /// follows is in the blocks again. With `value`, the top of the stack survives.
    fn unwinding(
        &mut self,
        keep: usize,
        value: bool,
        then: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let handlers = self.unit.asm.save_handlers();
        let blocks = self.unit.blocks.clone();
        while self.unit.blocks.len() > keep {
            let Some(block) = self.unit.blocks.pop() else {
                break;
            };
            self.leave_block(block, value)?;
        }
        then(self)?;
        self.unit.blocks = blocks;
        self.unit.asm.restore_handlers(handlers);
        Ok(())
    }

    fn leave_block(&mut self, block: Block<'a>, value: bool) -> Result<()> {
        match block {
            Block::While { .. } => {}
            Block::ExceptStar => {
                return err(EXCEPT_STAR, self.unit.at);
            }
            Block::For { .. } | Block::Value => self.drop_below(value),
            Block::Try => self.unit.asm.pop_handler(),
            Block::Finally { body } => {
                self.unit.asm.pop_handler();
                if value {
                    // A `return` inside the finally body drops the value of this one.
                    self.push_block(Block::Value);
                }
                self.body(body)?;
                if value {
                    self.pop_block();
                }
            }
            Block::FinallyEnd => {
                self.drop_below(value);
                if value {
                    self.op_arg(Opcode::Swap, 2);
                }
                self.unit.asm.pop_handler();
                self.op(Opcode::PopExcept);
            }
            Block::With { is_async, at } => {
                self.unit.asm.pop_handler();
                if value {
                    self.op_arg(Opcode::Swap, 2);
                }
                self.at(at, |c| c.exit_with_none(is_async));
            }
            Block::Except { name } => {
                if name.is_some() {
                    self.unit.asm.pop_handler();
                }
                if value {
                    self.op_arg(Opcode::Swap, 2);
                }
                self.unit.asm.pop_handler();
                self.op(Opcode::PopExcept);
                if let Some(name) = name {
                    self.forget(name)?;
                }
            }
        }
        Ok(())
    }

    /// Drops the top, or the value below it when the top must survive.
    fn drop_below(&mut self, value: bool) {
        if value {
            self.op_arg(Opcode::Swap, 2);
        }
        self.op(Opcode::PopTop);
    }

    /// `name = None; del name`, at the end of `except ... as name`.
    pub(super) fn forget(&mut self, name: &'a str) -> Result<()> {
        self.load_none();
        self.variable(name, Access::Store)?;
        self.variable(name, Access::Delete)
    }
}
