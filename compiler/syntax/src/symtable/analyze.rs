//! Second pass: decides for each name of each scope where it lives.
//!
//! In: tables with uses. Out: the same with every [`Resolution`]. Always: a free variable has a
//! cell in exactly one function around it, and passes through every scope in between; what only
//! inlined comprehensions share with their function is an ordinary local of it.

use hashbrown::{DefaultHashBuilder, HashSet};

use super::{
    ComprehensionKind, Consumed, NameSet, Resolution, ScopeId, ScopeKind, Symbol, Tables, Uses,
};
use crate::error::{Result, err};

/// Resolves all scopes, outermost first.
pub(super) fn analyze(tables: &mut Tables<'_>) -> Result<()> {
    let mut free = new_set(tables);
    let mut global = new_set(tables);
    analyze_scope(tables, Tables::TOP, None, &mut free, &mut global)
}

fn new_set<'a>(tables: &Tables<'a>) -> NameSet<'a> {
    HashSet::with_hasher_in(DefaultHashBuilder::default(), tables.bump)
}

/// `bound`: names bound by functions around this scope; `None` at module level. `global`: names
/// that they declared global. Adds what this scope captures to `free`.
fn analyze_scope<'a>(
    tables: &mut Tables<'a>,
    id: ScopeId,
    mut bound: Option<NameSet<'a>>,
    free: &mut NameSet<'a>,
    global: &mut NameSet<'a>,
) -> Result<()> {
    let kind = tables.scope(id).kind;
    let mut local = new_set(tables);
    let mut inner_bound = new_set(tables);
    let mut inner_global = new_set(tables);
    if kind == ScopeKind::Class {
        // Names bound in a class body are not visible in its methods; declarations around it are.
        inner_global.extend(global.iter());
        inner_bound.extend(bound.iter().flatten());
    }
    for at in 0..tables.scope(id).symbols.len() {
        let symbol = tables.scope(id).symbols[at];
        let resolution = resolve(&symbol, &mut bound, &mut local, free, global)?;
        tables.scope_mut(id).symbols[at].resolution = resolution;
    }
    if kind == ScopeKind::Class {
        inner_bound.insert("__class__");
    } else {
        if kind.is_function() {
            inner_bound.extend(local.iter());
        }
        inner_bound.extend(bound.iter().flatten());
        inner_global.extend(global.iter());
    }
    let mut captured = new_set(tables);
    let mut shared = new_set(tables);
    for at in 0..tables.scope(id).children.len() {
        let child = tables.scope(id).children[at];
        let mut child_global = inner_global.clone();
        let child_bound = Some(inner_bound.clone());
        let inlined = kind.is_function() && may_inline(tables, child, &inner_bound, false);
        tables.scope_mut(child).inlined = inlined;
        let taken = if inlined { &mut shared } else { &mut captured };
        analyze_scope(tables, child, child_bound, taken, &mut child_global)?;
    }
    // Of what an inlined comprehension uses, this scope's own locals stay what they are.
    captured.extend(shared.difference(&local));
    let scope = tables.scope_mut(id);
    if kind.is_function() {
        for symbol in &mut scope.symbols {
            if symbol.resolution == Resolution::Local && captured.remove(symbol.name) {
                symbol.resolution = Resolution::Cell;
            }
        }
    } else if kind == ScopeKind::Class {
        scope.needs_class_cell = captured.remove("__class__");
    }
    for name in &captured {
        match scope.symbol_mut(name) {
            Some(symbol) => {
                if kind == ScopeKind::Class && symbol.uses.any(Uses::BOUND.with(Uses::GLOBAL)) {
                    symbol.uses = symbol.uses.with(Uses::FREE_CLASS);
                }
            }
            None => {
                // Only passes through here, on its way from an outer function to an inner one.
                if bound.as_ref().is_some_and(|b| b.contains(name)) {
                    let range = Default::default();
                    scope.entry(name, range).resolution = Resolution::Free;
                }
            }
        }
    }
    free.extend(captured);
    Ok(())
}

/// Functions that tell about the frame that calls them, or that need a cell of it.
const LOOKS_AT_FRAME: [&str; 8] = [
    "locals",
    "vars",
    "dir",
    "eval",
    "exec",
    "super",
    "__class__",
    "_getframe",
];

/// Whether a comprehension can be part of the function around it, as in PEP 709: nothing in it makes a function, waits, or
/// could tell the difference. `bound`: names of the function and of those around it. `in_generator`: whether it lies in a
/// generator expression, which may have to be one after all, and then binds no name of the function.
fn may_inline(tables: &Tables<'_>, id: ScopeId, bound: &NameSet<'_>, in_generator: bool) -> bool {
    let scope = tables.scope(id);
    let ScopeKind::Comprehension(kind) = scope.kind else {
        return false;
    };
    let is_generator = kind == ComprehensionKind::Generator;
    let in_generator = in_generator || is_generator;
    let is_local = |name: &str| scope.symbol(name).is_some_and(|s| s.uses.any(Uses::BOUND));
    let made_at_once = match scope.consumer {
        Some(Consumed::By(consumer)) => {
            is_builtin(tables, bound, consumer.symbol()) && !is_local(consumer.symbol())
        }
        Some(Consumed::Join) => true,
        None => !is_generator,
    };
    let rebinds = || scope.symbols.iter().any(|s| s.uses.any(Uses::NONLOCAL));
    made_at_once
        && !scope.coroutine
        && !(in_generator && rebinds())
        && LOOKS_AT_FRAME
            .iter()
            .all(|name| scope.symbol(name).is_none())
        && scope
            .children
            .iter()
            .all(|child| may_inline(tables, *child, bound, in_generator))
}

/// Whether a name is a built-in's, as far as the source tells.
fn is_builtin(tables: &Tables<'_>, bound: &NameSet<'_>, name: &str) -> bool {
    let module = tables.scope(Tables::TOP).symbol(name);
    let is_global = module.is_some_and(|s| s.uses.any(Uses::BOUND.with(Uses::GLOBAL)));
    !tables.imports_all && !bound.contains(name) && !is_global
}

fn resolve<'a>(
    symbol: &Symbol<'a>,
    bound: &mut Option<NameSet<'a>>,
    local: &mut NameSet<'a>,
    free: &mut NameSet<'a>,
    global: &mut NameSet<'a>,
) -> Result<Resolution> {
    let Symbol {
        name, uses, range, ..
    } = *symbol;
    if uses.any(Uses::GLOBAL) {
        if uses.any(Uses::NONLOCAL) {
            return err(format!("name '{name}' is nonlocal and global"), range);
        }
        global.insert(name);
        if let Some(bound) = bound {
            bound.remove(name);
        }
        return Ok(Resolution::GlobalExplicit);
    }
    if uses.any(Uses::NONLOCAL) {
        let Some(bound) = bound else {
            return err("nonlocal declaration not allowed at module level", range);
        };
        if !bound.contains(name) {
            return err(format!("no binding for nonlocal '{name}' found"), range);
        }
        free.insert(name);
        return Ok(Resolution::Free);
    }
    if uses.any(Uses::BOUND) {
        local.insert(name);
        global.remove(name);
        return Ok(Resolution::Local);
    }
    if bound.as_ref().is_some_and(|b| b.contains(name)) {
        free.insert(name);
        return Ok(Resolution::Free);
    }
    Ok(Resolution::GlobalImplicit)
}
