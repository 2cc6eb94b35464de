//! Symbol tables: which variable a name means in each scope.
//!
//! In: a syntax tree. Out: one [`Scope`] per module, class, function, lambda and comprehension,
//! with every name resolved. Always: scopes and names live in the arena that the caller hands in
//! and die with it; the rules and error messages are CPython 3.11's `symtable.c`.

mod analyze;
mod build;

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;
use hashbrown::{DefaultHashBuilder, HashMap, HashSet};
use janus_bytecode::Consumer;
use rustpython_parser::text_size::TextRange;

pub(crate) use build::{build, mangle};

pub(crate) type NameSet<'a> = HashSet<&'a str, DefaultHashBuilder, &'a Bump>;

/// Index of a scope in [`Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScopeId(u32);

/// Who a generator expression is the only argument of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consumed {
    /// What has the name of a built-in.
    By(Consumer),
    /// The method of a string that stands there.
    Join,
}

/// The four comprehensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComprehensionKind {
    List,
    Set,
    Dict,
    Generator,
}

impl ComprehensionKind {
    pub fn code_name(self) -> &'static str {
        match self {
            ComprehensionKind::List => "<listcomp>",
            ComprehensionKind::Set => "<setcomp>",
            ComprehensionKind::Dict => "<dictcomp>",
            ComprehensionKind::Generator => "<genexpr>",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            ComprehensionKind::List => "list comprehension",
            ComprehensionKind::Set => "set comprehension",
            ComprehensionKind::Dict => "dict comprehension",
            ComprehensionKind::Generator => "generator expression",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Class,
    Function,
    Lambda,
    Comprehension(ComprehensionKind),
}

impl ScopeKind {
    /// Whether locals are fast slots.
    pub fn is_function(self) -> bool {
        !matches!(self, ScopeKind::Module | ScopeKind::Class)
    }
}

/// Where a name lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// Not decided yet.
    Unknown,
    Local,
    /// A local that an inner scope captures.
    Cell,
    /// Captured from an outer scope.
    Free,
    /// Declared with `global`.
    GlobalExplicit,
    /// Bound nowhere that is visible.
    GlobalImplicit,
}

/// What a scope does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Uses(u16);

impl Uses {
    pub const NONE: Uses = Uses(0);
    pub const GLOBAL: Uses = Uses(1);
    pub const LOCAL: Uses = Uses(1 << 1);
    pub const PARAM: Uses = Uses(1 << 2);
    pub const NONLOCAL: Uses = Uses(1 << 3);
    pub const USE: Uses = Uses(1 << 4);
    /// Bound in a class body and free in a method.
    pub const FREE_CLASS: Uses = Uses(1 << 5);
    pub const IMPORT: Uses = Uses(1 << 6);
    pub const ANNOTATED: Uses = Uses(1 << 7);
    /// Target of a comprehension's `for`.
    pub const COMP_TARGET: Uses = Uses(1 << 8);
    pub const BOUND: Uses = Uses(Self::LOCAL.0 | Self::PARAM.0 | Self::IMPORT.0);

    pub fn any(self, of: Uses) -> bool {
        self.0 & of.0 != 0
    }

    pub fn with(self, more: Uses) -> Uses {
        Uses(self.0 | more.0)
    }
}

/// A name in a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol<'a> {
    pub name: &'a str,
    pub uses: Uses,
    pub resolution: Resolution,
    /// Where it was declared `global` or `nonlocal`, else where it was first seen.
    pub range: TextRange,
}

/// One namespace.
pub(crate) struct Scope<'a> {
    pub kind: ScopeKind,
    /// Inside a function, at any distance.
    pub nested: bool,
    pub symbols: BumpVec<'a, Symbol<'a>>,
    index: HashMap<&'a str, u32, DefaultHashBuilder, &'a Bump>,
    /// Parameters in order, mangled.
    pub params: BumpVec<'a, &'a str>,
    children: BumpVec<'a, ScopeId>,
    /// Contains `yield`.
    pub generator: bool,
    /// `async def`, or an asynchronous comprehension.
    pub coroutine: bool,
    /// Of a generator expression: who is through with it before anything else sees it.
    pub consumer: Option<Consumed>,
    /// A comprehension whose instructions are among those of the function around it.
    pub inlined: bool,
    /// A class whose methods use `__class__` or zero-argument `super`.
    pub needs_class_cell: bool,
    /// Inside the iterable of a comprehension, where `:=` is not allowed.
    in_comprehension_iterable: u32,
    /// Visiting the target of a comprehension's `for`.
    in_comprehension_target: bool,
}

impl<'a> Scope<'a> {
    pub fn symbol(&self, name: &str) -> Option<&Symbol<'a>> {
        self.symbols.get(*self.index.get(name)? as usize)
    }

    fn symbol_mut(&mut self, name: &str) -> Option<&mut Symbol<'a>> {
        self.symbols.get_mut(*self.index.get(name)? as usize)
    }

    fn uses(&self, name: &str) -> Uses {
        self.symbol(name).map_or(Uses::NONE, |s| s.uses)
    }

    /// The symbol of a name, made when it is new.
    fn entry(&mut self, name: &'a str, range: TextRange) -> &mut Symbol<'a> {
        let next = self.symbols.len() as u32;
        let at = *self.index.entry(name).or_insert(next);
        if at == next {
            let resolution = Resolution::Unknown;
            self.symbols.push(Symbol {
                name,
                uses: Uses::NONE,
                resolution,
                range,
            });
        }
        &mut self.symbols[at as usize]
    }

    /// Names with a property, in CPython's order.
    fn sorted(&self, keep: impl Fn(&Symbol<'a>) -> bool) -> Vec<&'a str> {
        let mut names: Vec<&str> = self
            .symbols
            .iter()
            .filter(|s| keep(s))
            .map(|s| s.name)
            .collect();
        names.sort_unstable();
        names
    }

    /// Captured parameters in their order, then the other captured locals.
    pub fn cell_names(&self) -> Vec<&'a str> {
        let is_cell = |s: &Symbol<'_>| s.resolution == Resolution::Cell;
        let captured = |name: &&&str| self.symbol(name).is_some_and(is_cell);
        let mut names: Vec<&str> = self.params.iter().filter(captured).copied().collect();
        names.extend(self.sorted(|s| is_cell(s) && !s.uses.any(Uses::PARAM)));
        names
    }

    /// Locals that nothing captures, but for parameters.
    pub fn local_names(&self) -> Vec<&'a str> {
        self.sorted(|s| s.resolution == Resolution::Local && !s.uses.any(Uses::PARAM))
    }

    pub fn free_names(&self) -> Vec<&'a str> {
        self.sorted(|s| s.resolution == Resolution::Free || s.uses.any(Uses::FREE_CLASS))
    }
}

/// All scopes of a source file.
pub(crate) struct Tables<'a> {
    bump: &'a Bump,
    scopes: BumpVec<'a, Scope<'a>>,
    /// Whether all names of a module are imported.
    imports_all: bool,
    /// The scope that a tree node opens, by the node's address.
    by_node: HashMap<usize, ScopeId, DefaultHashBuilder, &'a Bump>,
}

impl<'a> Tables<'a> {
    /// The module's scope.
    pub const TOP: ScopeId = ScopeId(0);

    pub fn scope(&self, id: ScopeId) -> &Scope<'a> {
        &self.scopes[id.0 as usize]
    }

    fn scope_mut(&mut self, id: ScopeId) -> &mut Scope<'a> {
        &mut self.scopes[id.0 as usize]
    }

    /// The scope that a node opens. Every such node was seen by [`build`].
    pub fn of_node<T>(&self, node: &T) -> ScopeId {
        self.by_node
            .get(&address(node))
            .copied()
            .unwrap_or(Self::TOP)
    }
}

fn address<T>(node: &T) -> usize {
    std::ptr::from_ref(node).addr()
}
