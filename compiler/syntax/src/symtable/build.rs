//! First pass: collects what each scope does with each name.
//!
//! In: a tree. Out: [`Tables`] with every name's [`Uses`]. Always: names are mangled here, once;
//! errors that depend on the order of the text (`global` after use) are found here.

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;
use hashbrown::{DefaultHashBuilder, HashMap};
use janus_bytecode::Consumer;
use rustpython_parser::ast::{
    Arguments, Comprehension, Constant, ExceptHandler, Expr, ExprContext, Pattern, Ranged, Stmt,
};
use rustpython_parser::text_size::TextRange;

use super::{
    ComprehensionKind, Consumed, Scope, ScopeId, ScopeKind, Tables, Uses, address, analyze,
};
use crate::error::{Result, err};
use crate::parse::{Tree, is_simple};
use crate::walk::{Visitor, walk_annotations, walk_defaults, walk_expr, walk_pattern, walk_stmt};

/// Builds and resolves the symbol tables of a tree.
pub(crate) fn build<'a>(
    bump: &'a Bump,
    tree: &'a Tree,
    future_annotations: bool,
) -> Result<Tables<'a>> {
    let hasher = DefaultHashBuilder::default();
    let tables = Tables {
        bump,
        scopes: BumpVec::new_in(bump),
        imports_all: false,
        by_node: HashMap::with_hasher_in(hasher, bump),
    };
    let mut builder = Builder {
        tables,
        stack: Vec::new(),
        class_name: None,
        future_annotations,
    };
    builder.open(ScopeKind::Module);
    match tree {
        Tree::Module(body) | Tree::Single(body) => builder.body(body)?,
        Tree::Eval(value) => builder.expr(value)?,
    }
    let mut tables = builder.tables;
    analyze::analyze(&mut tables)?;
    Ok(tables)
}

/// Who a generator is handed to by a call of `callee`, if it may be one that is through with it when it returns.
fn consumer(callee: &Expr) -> Option<Consumed> {
    match callee {
        Expr::Name(name) => {
            let mut all = Consumer::ALL.iter().copied();
            all.find(|c| c.symbol() == name.id.as_str())
                .map(Consumed::By)
        }
        Expr::Attribute(method) if method.attr.as_str() == "join" => {
            let Expr::Constant(text) = &*method.value else {
                return None;
            };
            matches!(text.value, Constant::Str(_)).then_some(Consumed::Join)
        }
        _ => None,
    }
}

/// `__name` inside class `C` is `_C__name`; `None` when the name stays as it is.
pub(crate) fn mangle(class_name: Option<&str>, name: &str) -> Option<String> {
    let class = class_name?.trim_start_matches('_');
    if class.is_empty() || !name.starts_with("__") || name.ends_with("__") || name.contains('.') {
        return None;
    }
    Some(format!("_{class}{name}"))
}

struct Builder<'a> {
    tables: Tables<'a>,
    stack: Vec<ScopeId>,
    /// The innermost class, for mangling.
    class_name: Option<&'a str>,
    future_annotations: bool,
}

impl<'a> Builder<'a> {
    /// Opens a scope below the current one.
    fn open(&mut self, kind: ScopeKind) -> ScopeId {
        let bump = self.tables.bump;
        let id = ScopeId(self.tables.scopes.len() as u32);
        let parent = self.stack.last().map(|p| self.tables.scope(*p));
        let scope = Scope {
            kind,
            nested: parent.is_some_and(|p| p.nested || p.kind.is_function()),
            symbols: BumpVec::new_in(bump),
            index: HashMap::with_hasher_in(DefaultHashBuilder::default(), bump),
            params: BumpVec::new_in(bump),
            children: BumpVec::new_in(bump),
            generator: false,
            coroutine: false,
            consumer: None,
            inlined: false,
            needs_class_cell: false,
            in_comprehension_iterable: parent.map_or(0, |p| p.in_comprehension_iterable),
            in_comprehension_target: false,
        };
        self.tables.scopes.push(scope);
        if let Some(parent) = self.stack.last().copied() {
            self.tables.scope_mut(parent).children.push(id);
        }
        self.stack.push(id);
        id
    }

    /// Runs `inside` in a new scope that belongs to `node`.
    fn within<T>(
        &mut self,
        node: &'a T,
        kind: ScopeKind,
        inside: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<ScopeId> {
        let id = self.open(kind);
        self.tables.by_node.insert(address(node), id);
        inside(self)?;
        self.stack.pop();
        Ok(id)
    }

    fn current_id(&self) -> ScopeId {
        self.stack.last().copied().unwrap_or(Tables::TOP)
    }

    fn current(&mut self) -> &mut Scope<'a> {
        let id = self.current_id();
        self.tables.scope_mut(id)
    }

    fn mangled(&self, name: &'a str) -> &'a str {
        match mangle(self.class_name, name) {
            Some(mangled) => self.tables.bump.alloc_str(&mangled),
            None => name,
        }
    }

    fn define(&mut self, name: &'a str, uses: Uses, range: TextRange) -> Result<()> {
        self.define_in(self.current_id(), name, uses, range)
    }

    fn define_in(
        &mut self,
        scope: ScopeId,
        name: &'a str,
        mut uses: Uses,
        range: TextRange,
    ) -> Result<()> {
        let name = self.mangled(name);
        let scope = self.tables.scope_mut(scope);
        let target = scope.in_comprehension_target;
        let symbol = scope.entry(name, range);
        if uses.any(Uses::PARAM) && symbol.uses.any(Uses::PARAM) {
            return err(
                format!("duplicate argument '{name}' in function definition"),
                range,
            );
        }
        if target {
            if symbol.uses.any(Uses::GLOBAL.with(Uses::NONLOCAL)) {
                let message = format!(
                    "comprehension inner loop cannot rebind assignment expression target '{name}'"
                );
                return err(message, range);
            }
            uses = uses.with(Uses::COMP_TARGET);
        }
        let declared = Uses::GLOBAL.with(Uses::NONLOCAL);
        if uses.any(declared) && !symbol.uses.any(declared) {
            symbol.range = range;
        }
        symbol.uses = symbol.uses.with(uses);
        if uses.any(Uses::PARAM) {
            scope.params.push(name);
        }
        Ok(())
    }

    fn declare(&mut self, name: &'a str, global: bool, range: TextRange) -> Result<()> {
        let mangled = self.mangled(name);
        let word = if global { "global" } else { "nonlocal" };
        let uses = self.current().uses(mangled);
        let message = if uses.any(Uses::PARAM) {
            format!("name '{name}' is parameter and {word}")
        } else if uses.any(Uses::USE) {
            format!("name '{name}' is used prior to {word} declaration")
        } else if uses.any(Uses::ANNOTATED) {
            format!("annotated name '{name}' can't be {word}")
        } else if uses.any(Uses::LOCAL) {
            format!("name '{name}' is assigned to before {word} declaration")
        } else {
            let uses = if global { Uses::GLOBAL } else { Uses::NONLOCAL };
            return self.define(name, uses, range);
        };
        err(message, range)
    }

    /// Parameters in the order of `co_varnames`.
    fn parameters(&mut self, args: &'a Arguments) -> Result<()> {
        let slots = args
            .posonlyargs
            .iter()
            .chain(&args.args)
            .chain(&args.kwonlyargs);
        for arg in slots
            .map(|a| &a.def)
            .chain(args.vararg.as_deref())
            .chain(args.kwarg.as_deref())
        {
            self.define(&arg.arg, Uses::PARAM, arg.range)?;
        }
        Ok(())
    }

    fn function<T>(
        &mut self,
        node: &'a T,
        args: &'a Arguments,
        returns: &'a Option<Box<Expr>>,
        body: &'a [Stmt],
        coroutine: bool,
    ) -> Result<()> {
        walk_defaults(self, args)?;
        if !self.future_annotations {
            walk_annotations(self, args)?;
            self.optional(returns)?;
        }
        self.within(node, ScopeKind::Function, |b| {
            b.current().coroutine = coroutine;
            b.parameters(args)?;
            b.body(body)
        })?;
        Ok(())
    }

    fn comprehension<T>(
        &mut self,
        node: &'a T,
        kind: ComprehensionKind,
        generators: &'a [Comprehension],
        parts: [Option<&'a Expr>; 2],
        range: TextRange,
    ) -> Result<()> {
        let Some((first, rest)) = generators.split_first() else {
            return Ok(());
        };
        self.comprehension_iterable(&first.iter)?;
        let id = self.within(node, ScopeKind::Comprehension(kind), |b| {
            b.define(".0", Uses::PARAM, range)?;
            b.current().coroutine = first.is_async;
            b.comprehension_target(&first.target)?;
            b.exprs(&first.ifs)?;
            for generator in rest {
                b.comprehension_target(&generator.target)?;
                b.comprehension_iterable(&generator.iter)?;
                b.exprs(&generator.ifs)?;
                b.current().coroutine |= generator.is_async;
            }
            parts.into_iter().flatten().try_for_each(|e| b.expr(e))?;
            b.current().generator |= kind == ComprehensionKind::Generator;
            Ok(())
        })?;
        if self.tables.scope(id).coroutine && kind != ComprehensionKind::Generator {
            self.current().coroutine = true;
        }
        Ok(())
    }

    fn comprehension_iterable(&mut self, iter: &'a Expr) -> Result<()> {
        self.current().in_comprehension_iterable += 1;
        self.expr(iter)?;
        self.current().in_comprehension_iterable -= 1;
        Ok(())
    }

    fn comprehension_target(&mut self, target: &'a Expr) -> Result<()> {
        self.current().in_comprehension_target = true;
        self.expr(target)?;
        self.current().in_comprehension_target = false;
        Ok(())
    }

    /// `name := value` in a comprehension binds in the scope around all comprehensions.
    fn named_expr_in_comprehension(&mut self, name: &'a str, range: TextRange) -> Result<()> {
        let mangled = self.mangled(name);
        for at in (0..self.stack.len()).rev() {
            let id = self.stack[at];
            let scope = self.tables.scope(id);
            match scope.kind {
                ScopeKind::Comprehension(_) => {
                    if scope.uses(mangled).any(Uses::COMP_TARGET) {
                        let message = format!(
                            "assignment expression cannot rebind comprehension iteration \
                             variable '{name}'"
                        );
                        return err(message, range);
                    }
                }
                ScopeKind::Function | ScopeKind::Lambda => {
                    let global = scope.uses(mangled).any(Uses::GLOBAL);
                    let uses = if global { Uses::GLOBAL } else { Uses::NONLOCAL };
                    self.define(name, uses, range)?;
                    return self.define_in(id, name, Uses::LOCAL, range);
                }
                ScopeKind::Module => {
                    self.define(name, Uses::GLOBAL, range)?;
                    return self.define_in(id, name, Uses::GLOBAL, range);
                }
                ScopeKind::Class => {
                    let message = "assignment expression within a comprehension cannot be used in a class \
                         body";
                    return err(message, range);
                }
            }
        }
        Ok(())
    }

    fn annotation(&mut self, annotation: &'a Expr) -> Result<()> {
        if self.future_annotations {
            Ok(())
        } else {
            self.expr(annotation)
        }
    }
}

impl<'a> Visitor<'a> for Builder<'a> {
    fn stmt(&mut self, stmt: &'a Stmt) -> Result<()> {
        match stmt {
            Stmt::FunctionDef(s) => {
                self.define(&s.name, Uses::LOCAL, s.range)?;
                self.exprs(&s.decorator_list)?;
                self.function(s, &s.args, &s.returns, &s.body, false)
            }
            Stmt::AsyncFunctionDef(s) => {
                self.define(&s.name, Uses::LOCAL, s.range)?;
                self.exprs(&s.decorator_list)?;
                self.function(s, &s.args, &s.returns, &s.body, true)
            }
            Stmt::ClassDef(s) => {
                self.define(&s.name, Uses::LOCAL, s.range)?;
                self.exprs(&s.decorator_list)?;
                self.exprs(&s.bases)?;
                s.keywords.iter().try_for_each(|k| self.expr(&k.value))?;
                let outer = self.class_name.replace(&s.name);
                self.within(s, ScopeKind::Class, |b| b.body(&s.body))?;
                self.class_name = outer;
                Ok(())
            }
            Stmt::AnnAssign(s) => {
                if let Expr::Name(target) = &*s.target {
                    let mangled = self.mangled(&target.id);
                    let uses = self.current().uses(mangled);
                    let at_top = self.current_id() == Tables::TOP;
                    if is_simple(s) && !at_top && uses.any(Uses::GLOBAL.with(Uses::NONLOCAL)) {
                        let word = if uses.any(Uses::GLOBAL) {
                            "global"
                        } else {
                            "nonlocal"
                        };
                        let message = format!("annotated name '{}' can't be {word}", target.id);
                        return err(message, s.range);
                    }
                    if is_simple(s) {
                        let uses = Uses::ANNOTATED.with(Uses::LOCAL);
                        self.define(&target.id, uses, target.range)?;
                    } else if s.value.is_some() {
                        self.define(&target.id, Uses::LOCAL, target.range)?;
                    }
                } else {
                    self.expr(&s.target)?;
                }
                self.annotation(&s.annotation)?;
                self.optional(&s.value)
            }
            Stmt::Try(s) => {
                for ExceptHandler::ExceptHandler(handler) in &s.handlers {
                    if let Some(name) = &handler.name {
                        self.define(name, Uses::LOCAL, handler.range)?;
                    }
                }
                walk_stmt(self, stmt)
            }
            Stmt::Import(s) => s.names.iter().try_for_each(|alias| {
                let first = alias.name.split('.').next().unwrap_or(&alias.name);
                let name = alias.asname.as_deref().unwrap_or(first);
                self.define(name, Uses::IMPORT, alias.range)
            }),
            Stmt::ImportFrom(s) => s.names.iter().try_for_each(|alias| {
                if &alias.name == "*" {
                    return if self.current_id() == Tables::TOP {
                        self.tables.imports_all = true;
                        Ok(())
                    } else {
                        err("import * only allowed at module level", alias.range)
                    };
                }
                let name = alias.asname.as_ref().unwrap_or(&alias.name);
                self.define(name, Uses::IMPORT, alias.range)
            }),
            Stmt::Global(s) => s.names.iter().try_for_each(|n| {
                self.declare(n, true, s.range)?;
                // The module's own uses of the name mean the global, too, also where the module
                // is run with other locals.
                self.define_in(Tables::TOP, n, Uses::GLOBAL, s.range)
            }),
            Stmt::Nonlocal(s) => s
                .names
                .iter()
                .try_for_each(|n| self.declare(n, false, s.range)),
            _ => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &'a Expr) -> Result<()> {
        match expr {
            Expr::Name(e) => {
                let load = e.ctx == ExprContext::Load;
                let uses = if load { Uses::USE } else { Uses::LOCAL };
                self.define(&e.id, uses, e.range)?;
                // Zero-argument super needs the class.
                if load && &e.id == "super" && self.current().kind.is_function() {
                    self.define("__class__", Uses::USE, e.range)?;
                }
                Ok(())
            }
            Expr::NamedExpr(e) => {
                if self.current().in_comprehension_iterable > 0 {
                    let message = "assignment expression cannot be used in a comprehension \
                                   iterable expression";
                    return err(message, e.range);
                }
                if let Expr::Name(target) = &*e.target
                    && matches!(self.current().kind, ScopeKind::Comprehension(_))
                {
                    self.named_expr_in_comprehension(&target.id, target.range)?;
                    // The name is the outer scope's: it is not a local here.
                    return self.expr(&e.value);
                }
                walk_expr(self, expr)
            }
            Expr::Call(e) => {
                walk_expr(self, expr)?;
                if let ([Expr::GeneratorExp(generator)], []) = (&*e.args, &*e.keywords) {
                    let id = self.tables.of_node(generator);
                    self.tables.scope_mut(id).consumer = consumer(&e.func);
                }
                Ok(())
            }
            Expr::Lambda(e) => {
                walk_defaults(self, &e.args)?;
                self.within(e, ScopeKind::Lambda, |b| {
                    b.parameters(&e.args)?;
                    b.expr(&e.body)
                })?;
                Ok(())
            }
            Expr::ListComp(e) => {
                let parts = [Some(&*e.elt), None];
                self.comprehension(e, ComprehensionKind::List, &e.generators, parts, e.range)
            }
            Expr::SetComp(e) => {
                let parts = [Some(&*e.elt), None];
                self.comprehension(e, ComprehensionKind::Set, &e.generators, parts, e.range)
            }
            Expr::DictComp(e) => {
                let parts = [Some(&*e.key), Some(&*e.value)];
                self.comprehension(e, ComprehensionKind::Dict, &e.generators, parts, e.range)
            }
            Expr::GeneratorExp(e) => {
                let parts = [Some(&*e.elt), None];
                self.comprehension(
                    e,
                    ComprehensionKind::Generator,
                    &e.generators,
                    parts,
                    e.range,
                )
            }
            Expr::Yield(_) | Expr::YieldFrom(_) => {
                walk_expr(self, expr)?;
                if let ScopeKind::Comprehension(kind) = self.current().kind {
                    return err(
                        format!("'yield' inside {}", kind.description()),
                        expr.range(),
                    );
                }
                self.current().generator = true;
                Ok(())
            }
            Expr::Await(_) => {
                walk_expr(self, expr)?;
                self.current().coroutine = true;
                Ok(())
            }
            _ => walk_expr(self, expr),
        }
    }

    fn pattern(&mut self, pattern: &'a Pattern) -> Result<()> {
        let name = match pattern {
            Pattern::MatchAs(p) => p.name.as_ref(),
            Pattern::MatchStar(p) => p.name.as_ref(),
            Pattern::MatchMapping(p) => p.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.define(name, Uses::LOCAL, pattern.range())?;
        }
        walk_pattern(self, pattern)
    }
}
