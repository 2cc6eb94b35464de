//! What opens a scope: functions, lambdas, classes, comprehensions.
//!
//! In: the tree node that owns the scope. Out: a nested [`Code`] and the instructions that make a
//! function of it, and call it for classes and comprehensions. Always: defaults, annotations and
//! the first iterable are evaluated outside the new scope.

use std::rc::Rc;

use janus_bytecode::{Code, Const, MakeFunctionFlags, Opcode};
use rustpython_parser::ast::{
    Arg, Arguments, Expr, ExprLambda, Ranged, Stmt, StmtAsyncFunctionDef, StmtClassDef,
    StmtFunctionDef,
};
use rustpython_parser::text_size::TextRange;

use super::constant::constant;
use super::stmt::{has_annotations, last_range};
use super::{Access, Codegen};
use crate::error::Result;

/// `def` and `async def` alike.
pub(super) struct FunctionParts<'a> {
    name: &'a str,
    args: &'a Arguments,
    body: &'a [Stmt],
    decorators: &'a [Expr],
    returns: Option<&'a Expr>,
    is_async: bool,
    range: TextRange,
}

impl<'a> From<&'a StmtFunctionDef> for FunctionParts<'a> {
    fn from(s: &'a StmtFunctionDef) -> Self {
        FunctionParts {
            name: &s.name,
            args: &s.args,
            body: &s.body,
            decorators: &s.decorator_list,
            returns: s.returns.as_deref(),
            is_async: false,
            range: s.range,
        }
    }
}

impl<'a> From<&'a StmtAsyncFunctionDef> for FunctionParts<'a> {
    fn from(s: &'a StmtAsyncFunctionDef) -> Self {
        FunctionParts {
            name: &s.name,
            args: &s.args,
            body: &s.body,
            decorators: &s.decorator_list,
            returns: s.returns.as_deref(),
            is_async: true,
            range: s.range,
        }
    }
}

impl<'a> Codegen<'a> {
    /// `node` is the tree node that owns the scope.
    pub(super) fn function<T>(&mut self, node: &T, parts: FunctionParts<'a>) -> Result<()> {
        self.exprs(parts.decorators)?;
        let first = parts.decorators.first().map_or(parts.range, |d| d.range());
        let first_line = self.first_line(first.start());
        let mut flags = self.defaults(parts.args)?;
        flags |= self.annotations(parts.args, parts.returns)?;

        self.enter(
            self.tables.of_node(node),
            parts.name.into(),
            first_line,
            None,
        );
        self.unit.is_async = parts.is_async;
        self.unit.flags.coroutine = parts.is_async;
        self.parameters(parts.args);
        if let Some((doc, _)) = self.docstring(parts.body) {
            self.unit.doc = Some(doc.into());
        }
        self.body(parts.body)?;
        self.at(last_range(parts.body), |c| c.return_none());
        let code = self.leave()?;

        self.make_function(code, flags)?;
        self.decorate(parts.decorators);
        self.variable(parts.name, Access::Store)
    }

    /// [decorators..., value] -> [decorated value].
    fn decorate(&mut self, decorators: &'a [Expr]) {
        for decorator in decorators.iter().rev() {
            self.at(decorator.range(), |c| {
                // [decorator, value] -> [decorator, NULL, value]
                c.op(Opcode::PushNull);
                c.op_arg(Opcode::Swap, 2);
                c.op_arg(Opcode::Call, 1);
            });
        }
    }

    fn parameters(&mut self, args: &Arguments) {
        let unit = &mut self.unit;
        unit.posonly_argcount = args.posonlyargs.len() as u32;
        unit.argcount = unit.posonly_argcount + args.args.len() as u32;
        unit.kwonly_argcount = args.kwonlyargs.len() as u32;
        unit.flags.varargs = args.vararg.is_some();
        unit.flags.varkw = args.kwarg.is_some();
    }

    /// Pushes the tuple of defaults and the dict of keyword-only defaults, where there are some.
    fn defaults(&mut self, args: &'a Arguments) -> Result<u32> {
        let mut flags = 0;
        let positional = args.posonlyargs.iter().chain(&args.args);
        let defaults: Vec<&'a Expr> = positional.filter_map(|a| a.default.as_deref()).collect();
        if !defaults.is_empty() {
            flags |= MakeFunctionFlags::DEFAULTS;
            let folded: Option<Vec<Const>> = defaults.iter().map(|e| constant(e)).collect();
            match folded {
                Some(values) => self.load_const(Const::Tuple(values.into())),
                None => {
                    for default in &defaults {
                        self.expr(default)?;
                    }
                    self.op_arg(Opcode::BuildTuple, defaults.len() as u32);
                }
            }
        }
        let mut count = 0;
        for arg in &args.kwonlyargs {
            if let Some(default) = &arg.default {
                let name = self.mangled(&arg.def.arg);
                self.load_const(Const::Str(name));
                self.expr(default)?;
                count += 1;
            }
        }
        if count > 0 {
            flags |= MakeFunctionFlags::KW_DEFAULTS;
            self.op_arg(Opcode::BuildMap, count);
        }
        Ok(flags)
    }

    /// Pushes the dict of annotations, where there are some.
    fn annotations(&mut self, args: &'a Arguments, returns: Option<&'a Expr>) -> Result<u32> {
        let positional = args.posonlyargs.iter().chain(&args.args).map(|a| &a.def);
        let keyword = args.kwonlyargs.iter().map(|a| &a.def);
        let all: Vec<&'a Arg> = positional
            .chain(args.vararg.as_deref())
            .chain(keyword)
            .chain(args.kwarg.as_deref())
            .collect();
        let mut count = 0;
        for arg in all {
            if let Some(annotation) = &arg.annotation {
                let name = self.mangled(&arg.arg);
                self.load_const(Const::Str(name));
                self.annotation(annotation)?;
                count += 1;
            }
        }
        if let Some(returns) = returns {
            self.load_str("return");
            self.annotation(returns)?;
            count += 1;
        }
        if count == 0 {
            return Ok(0);
        }
        self.op_arg(Opcode::BuildMap, count);
        Ok(MakeFunctionFlags::ANNOTATIONS)
    }

    /// [defaults][kw defaults][annotations] -> [function].
    pub(super) fn make_function(&mut self, code: Rc<Code>, mut flags: u32) -> Result<()> {
        if !code.freevars.is_empty() {
            flags |= MakeFunctionFlags::CLOSURE;
            for name in &code.freevars {
                let Some(index) = self.unit.captured_index(name) else {
                    return self.internal(format!("no cell for '{name}'"));
                };
                self.op_arg(Opcode::LoadClosure, index);
            }
            self.op_arg(Opcode::BuildTuple, code.freevars.len() as u32);
        }
        self.load_const(Const::Code(code));
        self.op_arg(Opcode::MakeFunction, flags);
        Ok(())
    }

    pub(super) fn lambda(&mut self, e: &'a ExprLambda) -> Result<()> {
        let flags = self.defaults(&e.args)?;
        let first_line = self.first_line(e.range.start());
        self.enter(self.tables.of_node(e), "<lambda>".into(), first_line, None);
        self.parameters(&e.args);
        self.expr(&e.body)?;
        self.at(e.body.range(), |c| c.op(Opcode::ReturnValue));
        let code = self.leave()?;
        self.make_function(code, flags)
    }

    pub(super) fn class(&mut self, s: &'a StmtClassDef) -> Result<()> {
        self.exprs(&s.decorator_list)?;
        let first = s.decorator_list.first().map_or(s.range, |d| d.range());
        let first_line = self.first_line(first.start());
        self.enter(
            self.tables.of_node(s),
            s.name.as_str().into(),
            first_line,
            Some(&s.name),
        );
        self.class_body(s)?;
        let code = self.leave()?;
        self.op(Opcode::LoadBuildClass);
        self.op(Opcode::PushNull);
        self.make_function(code, 0)?;
        self.load_str(&s.name);
        self.arguments(&s.bases, &s.keywords, 2)?;
        self.decorate(&s.decorator_list);
        self.variable(&s.name, Access::Store)
    }

    fn class_body(&mut self, s: &'a StmtClassDef) -> Result<()> {
        self.unit.at = self.source.line_start(self.unit.first_line);
        self.name_op_plain(Opcode::LoadName, "__name__");
        self.name_op_plain(Opcode::StoreName, "__module__");
        let qualname = self.unit.qualname.clone();
        self.load_const(Const::Str(qualname));
        self.name_op_plain(Opcode::StoreName, "__qualname__");
        if has_annotations(&s.body) {
            self.op(Opcode::SetupAnnotations);
        }
        if let Some((doc, range)) = self.docstring(&s.body) {
            self.unit.doc = Some(doc.into());
            self.at(range, |c| {
                c.load_str(doc);
                c.variable("__doc__", Access::Store)
            })?;
        }
        self.body(&s.body)?;
        self.unit.at = last_range(&s.body);
        if self.tables.scope(self.unit.scope).needs_class_cell {
            // type.__new__ puts the class into this cell.
            let Some(index) = self.unit.captured_index("__class__") else {
                return self.internal("no cell for '__class__'".to_owned());
            };
            self.op_arg(Opcode::LoadClosure, index);
            self.op_arg(Opcode::Copy, 1);
            self.name_op_plain(Opcode::StoreName, "__classcell__");
            self.op(Opcode::ReturnValue);
        } else {
            self.return_none();
        }
        Ok(())
    }
}
