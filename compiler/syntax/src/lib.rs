//! Python source text to bytecode with spans.
//!
//! In: Python 3.11 source text. Out: a [`Code`], or a [`SyntaxError`] in CPython's words. Always:
//! no source text makes this crate panic or overflow the stack; no other crate sees the parser.
//!
//! The passes, in order: `parse` (text to tree, behind a wall), `validate` (what the parser's
//! grammar lets through and Python's does not), `symtable` (which variable a name is, in an
//! arena), `codegen` (tree to instructions), `assemble` (labels, handlers, stack depth).

mod assemble;
mod check_tree;
mod codegen;
mod diagnose;
mod dump;
mod error;
mod indents;
mod interactive;
mod parse;
mod source;
mod symtable;
mod tree;
mod unparse;
mod validate;
mod walk;
mod warn;

use std::rc::Rc;

use bumpalo::Bump;
use janus_bytecode::{Code, Tree};

pub use error::{SyntaxError, SyntaxErrorKind};
use source::Source;
pub use tree::TreeError;
use validate::Invalid;
pub use warn::{SyntaxWarning, WarningCategory};

/// What the source text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A file: `exec`.
    Module,
    /// An expression; the code returns its value.
    Eval,
    /// Interactive: expression statements show their value.
    Single,
}

/// Compiles source text.
pub fn compile(source: &str, filename: &str, mode: Mode) -> Result<Rc<Code>, SyntaxError> {
    compile_with(source, filename, mode, Options::default(), &mut Vec::new())
}

/// How source text is compiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// As `-O` says: without `assert` from 1 on, without docstrings from 2 on.
    pub optimize: u8,
    /// Whether `from __future__ import annotations` is in force without standing there.
    pub annotations_as_texts: bool,
}

/// Compiles source text. What there is to warn of is added to `warnings`, where the text does not compile, too.
pub fn compile_with(
    source: &str,
    filename: &str,
    mode: Mode,
    options: Options,
    warnings: &mut Vec<SyntaxWarning>,
) -> Result<Rc<Code>, SyntaxError> {
    let optimize = options.optimize;
    let source = Source::new(source, filename);
    on_large_stack(&source, || {
        let tree = parse::parse_optimized(&source, mode, optimize, warnings)?;
        let warned = warn::of_tree(&tree);
        warnings.extend(warned.into_iter().map(|w| w.locate(&source)));
        let bump = Bump::new();
        let options = Options {
            annotations_as_texts: options.annotations_as_texts || parse::future_annotations(&tree),
            ..options
        };
        let tables = symtable::build(&bump, &tree, options.annotations_as_texts)?;
        codegen::generate(&source, &tree, &tables, options).map(Rc::new)
    })
}

/// The syntax tree of source text, as Python's `ast` module has it; warnings as in [`compile_with`].
pub fn parse(
    source: &str,
    filename: &str,
    mode: Mode,
    warnings: &mut Vec<SyntaxWarning>,
) -> Result<Tree, SyntaxError> {
    let source = Source::new(source, filename);
    on_large_stack(&source, || {
        parse::parse(&source, mode, warnings).map(|tree| tree::write(&source, &tree))
    })
}

/// What [`compile_tree`] refuses.
#[derive(Clone, Debug)]
pub enum Refused {
    /// It is no syntax tree.
    Tree(TreeError),
    /// It is one, of a program that is not Python.
    Program(SyntaxError),
}

/// Compiles a syntax tree that a script made; warnings as in [`compile_with`].
pub fn compile_tree(
    tree: &Tree,
    filename: &str,
    optimize: u8,
    warnings: &mut Vec<SyntaxWarning>,
) -> Result<Rc<Code>, Refused> {
    stacker::grow(STACK, || {
        let (source, tree) = tree::read(tree, filename).map_err(Refused::Tree)?;
        let mut compiled = || {
            if let Err(Invalid::Wrong(e) | Invalid::TooDeep(e)) =
                validate::validate(&source, &tree, true)
            {
                return Err(e);
            }
            let warned = warn::of_tree(&tree);
            warnings.extend(warned.into_iter().map(|w| w.locate(&source)));
            let bump = Bump::new();
            let options = Options {
                optimize,
                annotations_as_texts: parse::future_annotations(&tree),
            };
            let tables = symtable::build(&bump, &tree, options.annotations_as_texts)?;
            codegen::generate(&source, &tree, &tables, options).map(Rc::new)
        };
        compiled().map_err(|e| Refused::Program(e.locate(&source)))
    })
}

/// Whether `text` is the beginning of a statement that goes on in further lines.
pub fn is_incomplete(text: &str) -> bool {
    let source = Source::new(text, "<stdin>");
    stacker::grow(STACK, || interactive::is_incomplete(&source))
}

/// The syntax tree as text, in the spirit of `ast.dump(tree, indent=1)`.
pub fn dump_ast(source: &str, filename: &str) -> Result<String, SyntaxError> {
    let source = Source::new(source, filename);
    on_large_stack(&source, || {
        parse::parse(&source, Mode::Module, &mut Vec::new()).map(|tree| dump::dump(&source, &tree))
    })
}

/// The syntax trees of the outermost functions and classes whose qualified name is `wanted`, each
/// with its name.
pub fn dump_definitions(
    source: &str,
    filename: &str,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<(String, String)>, SyntaxError> {
    let source = Source::new(source, filename);
    on_large_stack(&source, || {
        parse::parse(&source, Mode::Module, &mut Vec::new())
            .map(|tree| dump::definitions(&source, &tree, wanted))
    })
}

/// Stack for the deepest tree that passes the checks.
const STACK: usize = 64 << 20;

/// The passes recurse; the caller may be deep in a program of its own.
fn on_large_stack<T>(
    source: &Source,
    run: impl FnOnce() -> error::Result<T>,
) -> Result<T, SyntaxError> {
    stacker::grow(STACK, run).map_err(|e| e.locate(source))
}
