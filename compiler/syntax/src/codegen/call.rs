//! Calls.
//!
//! In: a call, or the callable and some arguments on the stack already. Out: instructions that
//! leave the result. Always: the layout is `callable, self or NULL, arguments`; attributes called
//! at once go through `LoadMethod`, so that no bound method is made.

use std::rc::Rc;

use janus_bytecode::{Const, Opcode};
use rustpython_parser::ast::{Expr, ExprAttribute, ExprCall, Keyword};
use rustpython_parser::text_size::{TextRange, TextSize};

use super::Codegen;
use super::expr::Display;
use crate::error::Result;
use crate::parse::lone_generator;
use crate::symtable::Consumed;

impl<'a> Codegen<'a> {
    pub(super) fn call(&mut self, e: &'a ExprCall) -> Result<()> {
        let plain = !e.args.iter().any(|a| a.is_starred_expr())
            && e.keywords.iter().all(|k| k.arg.is_some());
        match &*e.func {
            Expr::Attribute(method) if plain => {
                self.expr(&method.value)?;
                let range = self.attribute_range(method);
                self.at(range, |c| c.name_op(Opcode::LoadMethod, &method.attr));
                // A call that spans lines is blamed from the method's name on.
                let start = if range == method.range {
                    e.range.start()
                } else {
                    range.start()
                };
                let call = TextRange::new(start.min(e.range.end()), e.range.end());
                self.at(call, |c| c.call_arguments(e))
            }
            func => {
                self.expr(func)?;
                if let Some((Consumed::By(consumer), generator)) = self.consumed(e) {
                    return self.call_consumer(e, consumer, generator);
                }
                self.op(Opcode::PushNull);
                self.call_arguments(e)
            }
        }
    }

    fn call_arguments(&mut self, e: &'a ExprCall) -> Result<()> {
        if let Some((Consumed::Join, generator)) = self.consumed(e) {
            return self.call_join(e, generator);
        }
        if let (Some(range), [only]) = (lone_generator(self.source, e), e.args.as_slice()) {
            self.at(range, |c| c.expr_here(only))?;
            self.op_arg(Opcode::Call, 1);
            return Ok(());
        }
        self.arguments(&e.args, &e.keywords, 0)
    }

    /// In a chain of calls over several lines, each attribute is blamed on its own line.
    pub(super) fn attribute_range(&self, e: &ExprAttribute) -> TextRange {
        let start_line = self.source.line_of(e.range.start());
        if start_line == self.source.line_of(e.range.end()) {
            return e.range;
        }
        let name = TextSize::of(e.attr.as_str());
        let start = e.range.end().checked_sub(name).unwrap_or_default();
        TextRange::new(start, e.range.end())
    }

    /// [callable, self or NULL, `pushed` arguments] -> [result].
    pub(super) fn arguments(
        &mut self,
        args: &'a [Expr],
        keywords: &'a [Keyword],
        pushed: u32,
    ) -> Result<()> {
        let starred = args.iter().any(|a| a.is_starred_expr());
        if starred || keywords.iter().any(|k| k.arg.is_none()) {
            return self.arguments_unpacked(args, keywords, pushed);
        }
        self.exprs(args)?;
        keywords.iter().try_for_each(|k| self.expr(&k.value))?;
        let count = pushed + (args.len() + keywords.len()) as u32;
        if keywords.is_empty() {
            self.op_arg(Opcode::Call, count);
        } else {
            let names: Rc<[Const]> = keywords
                .iter()
                .filter_map(|k| k.arg.as_ref())
                .map(|name| Const::Str(name.as_str().into()))
                .collect();
            self.load_const(Const::Tuple(names));
            self.op_arg(Opcode::CallKw, count);
        }
        Ok(())
    }

    /// With `*` or `**`.
    fn arguments_unpacked(
        &mut self,
        args: &'a [Expr],
        keywords: &'a [Keyword],
        pushed: u32,
    ) -> Result<()> {
        match args {
            // A lone `*args` is passed on as it is.
            [Expr::Starred(only)] if pushed == 0 => self.expr(&only.value)?,
            _ => self.display(args, Display::Tuple, pushed)?,
        }
        if keywords.is_empty() {
            self.op_arg(Opcode::CallEx, 0);
            return Ok(());
        }
        let mut built = false;
        let mut rest = keywords;
        while let Some(keyword) = rest.first() {
            let named = rest.iter().take_while(|k| k.arg.is_some()).count();
            if named > 0 {
                for keyword in &rest[..named] {
                    if let Some(name) = &keyword.arg {
                        let name = name.as_str().into();
                        self.at(keyword.range, |c| c.load_const(Const::Str(name)));
                    }
                    self.expr(&keyword.value)?;
                }
                self.op_arg(Opcode::BuildMap, named as u32);
                rest = &rest[named..];
            } else {
                if !built {
                    self.op_arg(Opcode::BuildMap, 0);
                    built = true;
                }
                self.expr(&keyword.value)?;
                rest = &rest[1..];
            }
            if built {
                self.op_arg(Opcode::DictMerge, 1);
            }
            built = true;
        }
        self.op_arg(Opcode::CallEx, 1);
        Ok(())
    }

    /// [callable] -> [callable(value)] for the value that `argument` pushes.
    pub(super) fn call_with_one(
        &mut self,
        argument: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.op(Opcode::PushNull);
        argument(self)?;
        self.op_arg(Opcode::Call, 1);
        Ok(())
    }

    /// [object] -> [object.method()].
    pub(super) fn call_method(&mut self, method: &str) {
        self.name_op_plain(Opcode::LoadMethod, method);
        self.op_arg(Opcode::Call, 0);
    }
}
