//! Children of syntax tree nodes, once for all passes.
//!
//! In: a node. Out: a call of the visitor for each statement, expression, pattern and other part
//! directly below it, in source order. Always: every child is visited; a pass overrides what it
//! treats specially and calls `walk_*` for the rest.

use rustpython_parser::ast::{
    Arguments, Comprehension, ExceptHandler, Expr, Pattern, Stmt, WithItem,
};

use crate::error::Result;

/// A pass over the tree.
pub(crate) trait Visitor<'a> {
    fn stmt(&mut self, stmt: &'a Stmt) -> Result<()> {
        walk_stmt(self, stmt)
    }

    fn expr(&mut self, expr: &'a Expr) -> Result<()> {
        walk_expr(self, expr)
    }

    fn pattern(&mut self, pattern: &'a Pattern) -> Result<()> {
        walk_pattern(self, pattern)
    }

    fn body(&mut self, body: &'a [Stmt]) -> Result<()> {
        body.iter().try_for_each(|s| self.stmt(s))
    }

    fn exprs(&mut self, exprs: &'a [Expr]) -> Result<()> {
        exprs.iter().try_for_each(|e| self.expr(e))
    }

    fn optional(&mut self, expr: &'a Option<Box<Expr>>) -> Result<()> {
        expr.as_deref().map_or(Ok(()), |e| self.expr(e))
    }
}

/// Default values, then annotations.
pub(crate) fn walk_arguments<'a, V: Visitor<'a> + ?Sized>(
    v: &mut V,
    args: &'a Arguments,
) -> Result<()> {
    walk_defaults(v, args)?;
    walk_annotations(v, args)
}

pub(crate) fn walk_defaults<'a, V: Visitor<'a> + ?Sized>(
    v: &mut V,
    args: &'a Arguments,
) -> Result<()> {
    let all = args
        .posonlyargs
        .iter()
        .chain(&args.args)
        .chain(&args.kwonlyargs);
    all.into_iter().try_for_each(|arg| v.optional(&arg.default))
}

pub(crate) fn walk_annotations<'a, V: Visitor<'a> + ?Sized>(
    v: &mut V,
    args: &'a Arguments,
) -> Result<()> {
    let positional = args.posonlyargs.iter().chain(&args.args).map(|a| &a.def);
    let keyword = args.kwonlyargs.iter().map(|a| &a.def);
    let all = positional
        .chain(args.vararg.as_deref())
        .chain(keyword)
        .chain(args.kwarg.as_deref());
    all.into_iter()
        .try_for_each(|arg| v.optional(&arg.annotation))
}

pub(crate) fn walk_with_items<'a, V: Visitor<'a> + ?Sized>(
    v: &mut V,
    items: &'a [WithItem],
) -> Result<()> {
    items.iter().try_for_each(|item| {
        v.expr(&item.context_expr)?;
        v.optional(&item.optional_vars)
    })
}

pub(crate) fn walk_comprehensions<'a, V: Visitor<'a> + ?Sized>(
    v: &mut V,
    generators: &'a [Comprehension],
) -> Result<()> {
    generators.iter().try_for_each(|c| {
        v.expr(&c.iter)?;
        v.expr(&c.target)?;
        v.exprs(&c.ifs)
    })
}

pub(crate) fn walk_stmt<'a, V: Visitor<'a> + ?Sized>(v: &mut V, stmt: &'a Stmt) -> Result<()> {
    match stmt {
        Stmt::FunctionDef(s) => {
            v.exprs(&s.decorator_list)?;
            walk_arguments(v, &s.args)?;
            v.optional(&s.returns)?;
            v.body(&s.body)
        }
        Stmt::AsyncFunctionDef(s) => {
            v.exprs(&s.decorator_list)?;
            walk_arguments(v, &s.args)?;
            v.optional(&s.returns)?;
            v.body(&s.body)
        }
        Stmt::ClassDef(s) => {
            v.exprs(&s.decorator_list)?;
            v.exprs(&s.bases)?;
            s.keywords.iter().try_for_each(|k| v.expr(&k.value))?;
            v.body(&s.body)
        }
        Stmt::Return(s) => v.optional(&s.value),
        Stmt::Delete(s) => v.exprs(&s.targets),
        Stmt::Assign(s) => {
            v.expr(&s.value)?;
            v.exprs(&s.targets)
        }
        Stmt::TypeAlias(s) => v.expr(&s.value),
        Stmt::AugAssign(s) => {
            v.expr(&s.target)?;
            v.expr(&s.value)
        }
        Stmt::AnnAssign(s) => {
            v.expr(&s.target)?;
            v.expr(&s.annotation)?;
            v.optional(&s.value)
        }
        Stmt::For(s) => {
            v.expr(&s.target)?;
            v.expr(&s.iter)?;
            v.body(&s.body)?;
            v.body(&s.orelse)
        }
        Stmt::AsyncFor(s) => {
            v.expr(&s.target)?;
            v.expr(&s.iter)?;
            v.body(&s.body)?;
            v.body(&s.orelse)
        }
        Stmt::While(s) => {
            v.expr(&s.test)?;
            v.body(&s.body)?;
            v.body(&s.orelse)
        }
        Stmt::If(s) => {
            v.expr(&s.test)?;
            v.body(&s.body)?;
            v.body(&s.orelse)
        }
        Stmt::With(s) => {
            walk_with_items(v, &s.items)?;
            v.body(&s.body)
        }
        Stmt::AsyncWith(s) => {
            walk_with_items(v, &s.items)?;
            v.body(&s.body)
        }
        Stmt::Match(s) => {
            v.expr(&s.subject)?;
            s.cases.iter().try_for_each(|case| {
                v.pattern(&case.pattern)?;
                v.optional(&case.guard)?;
                v.body(&case.body)
            })
        }
        Stmt::Raise(s) => {
            v.optional(&s.exc)?;
            v.optional(&s.cause)
        }
        Stmt::Try(s) => {
            v.body(&s.body)?;
            walk_handlers(v, &s.handlers)?;
            v.body(&s.orelse)?;
            v.body(&s.finalbody)
        }
        Stmt::TryStar(s) => {
            v.body(&s.body)?;
            walk_handlers(v, &s.handlers)?;
            v.body(&s.orelse)?;
            v.body(&s.finalbody)
        }
        Stmt::Assert(s) => {
            v.expr(&s.test)?;
            v.optional(&s.msg)
        }
        Stmt::Expr(s) => v.expr(&s.value),
        Stmt::Import(_)
        | Stmt::ImportFrom(_)
        | Stmt::Global(_)
        | Stmt::Nonlocal(_)
        | Stmt::Pass(_)
        | Stmt::Break(_)
        | Stmt::Continue(_) => Ok(()),
    }
}

fn walk_handlers<'a, V: Visitor<'a> + ?Sized>(
    v: &mut V,
    handlers: &'a [ExceptHandler],
) -> Result<()> {
    handlers
        .iter()
        .try_for_each(|ExceptHandler::ExceptHandler(h)| {
            v.optional(&h.type_)?;
            v.body(&h.body)
        })
}

pub(crate) fn walk_expr<'a, V: Visitor<'a> + ?Sized>(v: &mut V, expr: &'a Expr) -> Result<()> {
    match expr {
        Expr::BoolOp(e) => v.exprs(&e.values),
        Expr::NamedExpr(e) => {
            v.expr(&e.value)?;
            v.expr(&e.target)
        }
        Expr::BinOp(e) => {
            v.expr(&e.left)?;
            v.expr(&e.right)
        }
        Expr::UnaryOp(e) => v.expr(&e.operand),
        Expr::Lambda(e) => {
            walk_arguments(v, &e.args)?;
            v.expr(&e.body)
        }
        Expr::IfExp(e) => {
            v.expr(&e.test)?;
            v.expr(&e.body)?;
            v.expr(&e.orelse)
        }
        Expr::Dict(e) => e.keys.iter().zip(&e.values).try_for_each(|(key, value)| {
            key.as_ref().map_or(Ok(()), |k| v.expr(k))?;
            v.expr(value)
        }),
        Expr::Set(e) => v.exprs(&e.elts),
        Expr::ListComp(e) => {
            walk_comprehensions(v, &e.generators)?;
            v.expr(&e.elt)
        }
        Expr::SetComp(e) => {
            walk_comprehensions(v, &e.generators)?;
            v.expr(&e.elt)
        }
        Expr::DictComp(e) => {
            walk_comprehensions(v, &e.generators)?;
            v.expr(&e.key)?;
            v.expr(&e.value)
        }
        Expr::GeneratorExp(e) => {
            walk_comprehensions(v, &e.generators)?;
            v.expr(&e.elt)
        }
        Expr::Await(e) => v.expr(&e.value),
        Expr::Yield(e) => v.optional(&e.value),
        Expr::YieldFrom(e) => v.expr(&e.value),
        Expr::Compare(e) => {
            v.expr(&e.left)?;
            v.exprs(&e.comparators)
        }
        Expr::Call(e) => {
            v.expr(&e.func)?;
            v.exprs(&e.args)?;
            e.keywords.iter().try_for_each(|k| v.expr(&k.value))
        }
        Expr::FormattedValue(e) => {
            v.expr(&e.value)?;
            v.optional(&e.format_spec)
        }
        Expr::JoinedStr(e) => v.exprs(&e.values),
        Expr::Constant(_) | Expr::Name(_) => Ok(()),
        Expr::Attribute(e) => v.expr(&e.value),
        Expr::Subscript(e) => {
            v.expr(&e.value)?;
            v.expr(&e.slice)
        }
        Expr::Starred(e) => v.expr(&e.value),
        Expr::List(e) => v.exprs(&e.elts),
        Expr::Tuple(e) => v.exprs(&e.elts),
        Expr::Slice(e) => {
            v.optional(&e.lower)?;
            v.optional(&e.upper)?;
            v.optional(&e.step)
        }
    }
}

pub(crate) fn walk_pattern<'a, V: Visitor<'a> + ?Sized>(
    v: &mut V,
    pattern: &'a Pattern,
) -> Result<()> {
    match pattern {
        Pattern::MatchValue(p) => v.expr(&p.value),
        Pattern::MatchSingleton(_) | Pattern::MatchStar(_) => Ok(()),
        Pattern::MatchSequence(p) => p.patterns.iter().try_for_each(|p| v.pattern(p)),
        Pattern::MatchMapping(p) => {
            v.exprs(&p.keys)?;
            p.patterns.iter().try_for_each(|p| v.pattern(p))
        }
        Pattern::MatchClass(p) => {
            v.expr(&p.cls)?;
            p.patterns
                .iter()
                .chain(&p.kwd_patterns)
                .try_for_each(|p| v.pattern(p))
        }
        Pattern::MatchAs(p) => p.pattern.as_deref().map_or(Ok(()), |p| v.pattern(p)),
        Pattern::MatchOr(p) => p.patterns.iter().try_for_each(|p| v.pattern(p)),
    }
}
