//! What the grammar of the parser lets through and Python's does not.
//!
//! In: a fresh tree. Out: nothing, or the error that CPython's parser would have raised. Always:
//! a tree that passed nests at most [`MAX_DEPTH`] deep, assigns only to targets, and has starred
//! expressions and patterns only where they may stand.

use rustpython_parser::ast::{
    Alias, Arguments, Constant, ExceptHandler, Expr, ExprBinOp, Pattern, Ranged, Stmt,
    StmtImportFrom, TypeParam, WithItem,
};
use rustpython_parser::text_size::{TextRange, TextSize};

use crate::error::{Error, Result, err};
use crate::parse::{Tree, is_tuple_subject};
use crate::source::Source;
use crate::walk::{Visitor, walk_expr, walk_pattern, walk_stmt};

/// Nodes inside nodes. The passes recurse that deep.
const MAX_DEPTH: u32 = 5_000;

/// What [`validate`] found.
pub(crate) enum Invalid {
    /// The tree nests so deep that even dropping it may overflow the stack.
    TooDeep(Error),
    Wrong(Error),
}

/// Checks a tree: all that CPython's parser and compiler refuse where it is to be compiled, else what its parser does.
pub(crate) fn validate(
    source: &Source,
    tree: &Tree,
    compiled: bool,
) -> std::result::Result<(), Invalid> {
    let mut checker = Checker {
        source,
        compiled,
        depth: 0,
        too_deep: false,
        future_end: 0.into(),
    };
    let result = match tree {
        Tree::Module(body) | Tree::Single(body) => {
            checker.future_end = future_end(body);
            checker.body(body)
        }
        Tree::Eval(value) => checker.expr(value),
    };
    result.map_err(|e| {
        if checker.too_deep {
            Invalid::TooDeep(e)
        } else {
            Invalid::Wrong(e)
        }
    })
}

/// The words that CPython's errors have for an expression.
pub(crate) fn describe(expr: &Expr) -> &'static str {
    match expr {
        Expr::Attribute(_) => "attribute",
        Expr::Subscript(_) => "subscript",
        Expr::Starred(_) => "starred",
        Expr::Name(_) => "name",
        Expr::List(_) => "list",
        Expr::Tuple(_) => "tuple",
        Expr::Lambda(_) => "lambda",
        Expr::Call(_) => "function call",
        Expr::BoolOp(_) | Expr::BinOp(_) | Expr::UnaryOp(_) | Expr::Slice(_) => "expression",
        Expr::GeneratorExp(_) => "generator expression",
        Expr::Yield(_) | Expr::YieldFrom(_) => "yield expression",
        Expr::Await(_) => "await expression",
        Expr::ListComp(_) => "list comprehension",
        Expr::SetComp(_) => "set comprehension",
        Expr::DictComp(_) => "dict comprehension",
        Expr::Dict(_) => "dict literal",
        Expr::Set(_) => "set display",
        Expr::JoinedStr(_) | Expr::FormattedValue(_) => "f-string expression",
        Expr::Constant(c) => match c.value {
            Constant::None => "None",
            Constant::Bool(true) => "True",
            Constant::Bool(false) => "False",
            Constant::Ellipsis => "ellipsis",
            _ => "literal",
        },
        Expr::Compare(_) => "comparison",
        Expr::IfExp(_) => "conditional expression",
        Expr::NamedExpr(_) => "named expression",
    }
}

/// Where the part of a file ends that may import from `__future__`.
fn future_end(body: &[Stmt]) -> TextSize {
    let is_future = |s: &Stmt| match s {
        Stmt::ImportFrom(s) => s.module.as_deref() == Some("__future__"),
        _ => false,
    };
    let doc = usize::from(body.first().is_some_and(|s| match s {
        Stmt::Expr(s) => matches!(&*s.value, Expr::Constant(c) if c.value.is_str()),
        _ => false,
    }));
    let count = body.iter().skip(doc).take_while(|s| is_future(s)).count();
    body[..doc + count]
        .last()
        .map_or(TextSize::from(0), |s| s.end())
}

struct Checker<'s> {
    source: &'s Source,
    /// Whether the tree is to be compiled.
    compiled: bool,
    depth: u32,
    too_deep: bool,
    future_end: TextSize,
}

/// What may be imported from `__future__`.
const FEATURES: [&str; 10] = [
    "nested_scopes",
    "generators",
    "division",
    "absolute_import",
    "with_statement",
    "print_function",
    "unicode_literals",
    "barry_as_FLUFL",
    "generator_stop",
    "annotations",
];

/// What a target is for: the words differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetOf {
    /// `target = ...`, where `==` may have been meant.
    Assignment,
    /// Inside another target, or in `for`, `with` and comprehensions.
    Other,
    Deletion,
}

impl Checker<'_> {
    fn deeper(
        &mut self,
        range: TextRange,
        check: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            return err("too many nested expressions", range);
        }
        self.depth += 1;
        check(self)?;
        self.depth -= 1;
        Ok(())
    }

    /// An error of CPython's compiler, which its parser does not see.
    fn refuse(&self, message: impl Into<String>, range: TextRange) -> Result<()> {
        if self.compiled {
            return err(message, range);
        }
        Ok(())
    }

    fn target(&mut self, target: &Expr, of: TargetOf) -> Result<()> {
        match target {
            Expr::Name(e) if e.id.as_str() == "__debug__" => {
                let verb = if of == TargetOf::Deletion {
                    "delete"
                } else {
                    "assign to"
                };
                self.refuse(format!("cannot {verb} __debug__"), e.range)
            }
            Expr::Attribute(e) if e.attr.as_str() == "__debug__" => {
                let verb = if of == TargetOf::Deletion {
                    "delete"
                } else {
                    "assign to"
                };
                self.refuse(format!("cannot {verb} __debug__"), e.range)
            }
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => Ok(()),
            Expr::Starred(e) if of == TargetOf::Deletion => err("cannot delete starred", e.range),
            Expr::Starred(e) => self.target(&e.value, of),
            Expr::Tuple(e) => self.targets(&e.elts, of),
            Expr::List(e) => self.targets(&e.elts, of),
            Expr::Yield(_) | Expr::YieldFrom(_) if of == TargetOf::Assignment => err(
                "assignment to yield expression not possible",
                target.range(),
            ),
            _ => {
                let what = describe(target);
                let message = match of {
                    TargetOf::Deletion => format!("cannot delete {what}"),
                    TargetOf::Assignment if maybe_equality(target) => format!(
                        "cannot assign to {what} here. Maybe you meant '==' instead of '='?"
                    ),
                    _ => format!("cannot assign to {what}"),
                };
                err(message, target.range())
            }
        }
    }

    fn targets(&mut self, targets: &[Expr], of: TargetOf) -> Result<()> {
        let of = if of == TargetOf::Deletion {
            of
        } else {
            TargetOf::Other
        };
        targets
            .iter()
            .try_for_each(|t| self.deeper(t.range(), |c| c.target(t, of)))?;
        let mut starred = targets.iter().filter(|t| t.is_starred_expr());
        match starred.nth(1) {
            Some(_) if of != TargetOf::Deletion => {
                let range = targets.iter().map(|t| t.range()).reduce(|a, b| a.cover(b));
                let message = "multiple starred expressions in assignment";
                self.refuse(message, range.unwrap_or_default())
            }
            _ => Ok(()),
        }
    }

    /// A whole target: a lone star is wrong.
    fn whole_target(&mut self, target: &Expr, of: TargetOf) -> Result<()> {
        self.target(target, of)?;
        if target.is_starred_expr() {
            return self.refuse(
                "starred assignment target must be in a list or tuple",
                target.range(),
            );
        }
        Ok(())
    }

    fn no_star(&self, expr: &Expr) -> Result<()> {
        if expr.is_starred_expr() {
            return self.refuse("can't use starred expression here", expr.range());
        }
        Ok(())
    }

    fn with_items(&mut self, items: &[WithItem]) -> Result<()> {
        items.iter().try_for_each(|item| {
            self.no_star(&item.context_expr)?;
            match item.optional_vars.as_deref() {
                Some(target) => self.whole_target(target, TargetOf::Other),
                None => Ok(()),
            }
        })
    }

    fn call_arguments(&self, args: &[Expr], keywords: usize) -> Result<()> {
        for arg in args {
            if let Expr::GeneratorExp(e) = arg
                && !self.source.is_parenthesized(e.range)
                && (args.len() + keywords > 1
                    || self.source.after(e.range).trim_start().starts_with(','))
            {
                return err("Generator expression must be parenthesized", e.range);
            }
        }
        Ok(())
    }

    fn except_handlers(&self, handlers: &[ExceptHandler]) -> Result<()> {
        let Some((_, before)) = handlers.split_last() else {
            return Ok(());
        };
        for ExceptHandler::ExceptHandler(handler) in before {
            if handler.type_.is_none() {
                let start = handler.range.start();
                let range = TextRange::new(start, start + TextSize::of("except:"));
                return self.refuse("default 'except:' must be last", range);
            }
        }
        Ok(())
    }

    fn import_from(&self, s: &StmtImportFrom) -> Result<()> {
        import_names(&s.names)?;
        if s.module.as_deref() != Some("__future__") || !self.compiled {
            return Ok(());
        }
        if s.range.start() >= self.future_end {
            let message = "from __future__ imports must occur at the beginning of the file";
            return err(message, s.range);
        }
        for alias in &s.names {
            match alias.name.as_str() {
                "braces" => return err("not a chance", s.range),
                name if !FEATURES.contains(&name) => {
                    return err(format!("future feature {name} is not defined"), s.range);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn parameters(&self, args: &Arguments, range: TextRange) -> Result<()> {
        let slots = args
            .posonlyargs
            .iter()
            .chain(&args.args)
            .chain(&args.kwonlyargs);
        let mut all = slots
            .map(|a| &a.def)
            .chain(args.vararg.as_deref())
            .chain(args.kwarg.as_deref());
        if all.any(|a| a.arg.as_str() == "__debug__") {
            return self.refuse("cannot assign to __debug__", range);
        }
        Ok(())
    }

    /// A literal of two numbers: `-1 + 2j`.
    fn complex_literal(&self, e: &ExprBinOp) -> Result<()> {
        let imaginary = |e: &Expr| matches!(e, Expr::Constant(c) if matches!(c.value, Constant::Complex { .. }));
        let left = match &*e.left {
            Expr::UnaryOp(u) => &*u.operand,
            left => left,
        };
        if imaginary(left) {
            return err("real number required in complex literal", e.left.range());
        }
        if !imaginary(&e.right) {
            return err(
                "imaginary number required in complex literal",
                e.right.range(),
            );
        }
        Ok(())
    }

    fn for_parts(&mut self, target: &Expr, iter: &Expr) -> Result<()> {
        self.whole_target(target, TargetOf::Other)?;
        self.no_star(iter)
    }
}

/// What an import binds must be a name that can be bound.
fn import_names(names: &[Alias]) -> Result<()> {
    for alias in names {
        let bound = alias.asname.as_ref().unwrap_or(&alias.name);
        if bound.as_str() == "__debug__" {
            return err("cannot assign to __debug__", alias.range);
        }
    }
    Ok(())
}

fn no_type_parameters(parameters: &[TypeParam]) -> Result<()> {
    match parameters.first() {
        Some(p) => {
            let bracket = p.start() - TextSize::of('[');
            err("invalid syntax", TextRange::new(bracket, p.start()))
        }
        None => Ok(()),
    }
}

/// `f() = 1` looks like a mistyped comparison, `None = 1` does not.
fn maybe_equality(target: &Expr) -> bool {
    match target {
        Expr::Constant(c) => !matches!(c.value, Constant::None | Constant::Bool(_)),
        Expr::GeneratorExp(_)
        | Expr::Yield(_)
        | Expr::YieldFrom(_)
        | Expr::Lambda(_)
        | Expr::IfExp(_)
        | Expr::BoolOp(_)
        | Expr::Compare(_) => false,
        _ => true,
    }
}

impl<'a> Visitor<'a> for Checker<'_> {
    fn stmt(&mut self, stmt: &'a Stmt) -> Result<()> {
        match stmt {
            Stmt::Assign(s) => {
                for target in &s.targets {
                    self.whole_target(target, TargetOf::Assignment)?;
                }
                self.no_star(&s.value)?;
            }
            Stmt::AugAssign(s) => match &*s.target {
                Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                    self.target(&s.target, TargetOf::Other)?;
                }
                other => {
                    let what = describe(other);
                    let message =
                        format!("'{what}' is an illegal expression for augmented assignment");
                    return err(message, other.range());
                }
            },
            Stmt::AnnAssign(s) => match &*s.target {
                Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                    self.target(&s.target, TargetOf::Other)?;
                }
                Expr::List(e) => {
                    return err("only single target (not list) can be annotated", e.range);
                }
                Expr::Tuple(e) => {
                    return err("only single target (not tuple) can be annotated", e.range);
                }
                other => return err("illegal target for annotation", other.range()),
            },
            Stmt::For(s) => self.for_parts(&s.target, &s.iter)?,
            Stmt::AsyncFor(s) => self.for_parts(&s.target, &s.iter)?,
            Stmt::With(s) => self.with_items(&s.items)?,
            Stmt::AsyncWith(s) => self.with_items(&s.items)?,
            Stmt::Delete(s) => {
                s.targets
                    .iter()
                    .try_for_each(|t| self.target(t, TargetOf::Deletion))?;
            }
            Stmt::Expr(s) => self.no_star(&s.value)?,
            Stmt::Return(s) => s.value.as_deref().map_or(Ok(()), |v| self.no_star(v))?,
            Stmt::Match(s) if !is_tuple_subject(self.source, s) => self.no_star(&s.subject)?,
            Stmt::Try(s) => self.except_handlers(&s.handlers)?,
            Stmt::ImportFrom(s) => self.import_from(s)?,
            Stmt::Import(s) => import_names(&s.names)?,
            // Python 3.12.
            Stmt::TypeAlias(s) => return err("invalid syntax", s.name.range()),
            Stmt::FunctionDef(s) => {
                no_type_parameters(&s.type_params)?;
                self.parameters(&s.args, s.range)?;
            }
            Stmt::AsyncFunctionDef(s) => {
                no_type_parameters(&s.type_params)?;
                self.parameters(&s.args, s.range)?;
            }
            Stmt::ClassDef(s) => {
                no_type_parameters(&s.type_params)?;
                self.call_arguments(&s.bases, s.keywords.len())?;
                if let [Expr::GeneratorExp(e)] = s.bases.as_slice()
                    && !self.source.is_parenthesized(e.range)
                {
                    let end = e.elt.range().end();
                    let rest = self.source.slice(TextRange::new(end, e.range.end()));
                    let at = end + TextSize::from(rest.find("for").unwrap_or(0) as u32);
                    return err("invalid syntax", TextRange::at(at, TextSize::of("for")));
                }
            }
            _ => {}
        }
        self.deeper(stmt.range(), |c| walk_stmt(c, stmt))
    }

    fn expr(&mut self, expr: &'a Expr) -> Result<()> {
        match expr {
            Expr::Call(e) => {
                self.call_arguments(&e.args, e.keywords.len())?;
                if e.keywords
                    .iter()
                    .any(|k| k.arg.as_deref() == Some("__debug__"))
                {
                    return self.refuse("cannot assign to __debug__", e.range);
                }
            }
            Expr::ListComp(e) if e.elt.is_starred_expr() => {
                return err(
                    "iterable unpacking cannot be used in comprehension",
                    e.elt.range(),
                );
            }
            Expr::Lambda(e) => self.parameters(&e.args, e.range)?,
            Expr::NamedExpr(e) => self.target(&e.target, TargetOf::Other)?,
            Expr::Yield(e) => e.value.as_deref().map_or(Ok(()), |v| self.no_star(v))?,
            _ => {}
        }
        let generators = match expr {
            Expr::ListComp(e) => &e.generators,
            Expr::SetComp(e) => &e.generators,
            Expr::DictComp(e) => &e.generators,
            Expr::GeneratorExp(e) => &e.generators,
            _ => return self.deeper(expr.range(), |c| walk_expr(c, expr)),
        };
        for generator in generators {
            self.whole_target(&generator.target, TargetOf::Other)?;
        }
        self.deeper(expr.range(), |c| walk_expr(c, expr))
    }

    fn pattern(&mut self, pattern: &'a Pattern) -> Result<()> {
        match pattern {
            Pattern::MatchSequence(p) => {
                let mut stars = p.patterns.iter().filter(|p| p.is_match_star());
                if stars.nth(1).is_some() {
                    self.refuse("multiple starred names in sequence pattern", p.range)?;
                }
                // The only place where a star may stand.
                return self.deeper(p.range, |c| {
                    p.patterns
                        .iter()
                        .filter(|p| !p.is_match_star())
                        .try_for_each(|p| c.pattern(p))
                });
            }
            Pattern::MatchStar(p) => return err("invalid syntax", p.range),
            Pattern::MatchValue(p) => {
                if let Expr::BinOp(e) = &*p.value {
                    self.complex_literal(e)?;
                }
            }
            Pattern::MatchMapping(p) => {
                for key in &p.keys {
                    if let Expr::BinOp(e) = key {
                        self.complex_literal(e)?;
                    }
                }
            }
            Pattern::MatchClass(p) => {
                for (at, name) in p.kwd_attrs.iter().enumerate() {
                    if p.kwd_attrs[..at].contains(name) {
                        let message = format!("attribute name repeated in class pattern: {name}");
                        let range = p.kwd_patterns.get(at).map_or(p.range, |p| p.range());
                        return self.refuse(message, range);
                    }
                }
            }
            _ => {}
        }
        self.deeper(pattern.range(), |c| walk_pattern(c, pattern))
    }
}
