//! The front end, as the interpreter wants it.
//!
//! In: source text. Out: bytecode. Always: errors are those of the language, with their place.

use std::rc::Rc;

use janus_bytecode::{Code, Const, Tree};
use janus_interp::{Compiler, Manner, SourceError, SourceKind, SourceWarning};
use janus_object::ExcKind;
use janus_syntax::{
    Mode, Refused, SyntaxError, SyntaxErrorKind, SyntaxWarning, TreeError, WarningCategory,
};

/// Compiles source text for the interpreter.
#[derive(Default)]
pub struct FrontEnd {
    /// What `-O` says, for code that is not part of the library.
    pub optimize: u8,
}

impl Compiler for FrontEnd {
    fn is_incomplete(&self, source: &str) -> bool {
        janus_syntax::is_incomplete(source)
    }

    fn compile(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        manner: Manner,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Rc<Code>, SourceError> {
        let level = match janus_bytecode::is_library(filename) {
            true => 0,
            false => self.optimize,
        };
        let options = janus_syntax::Options {
            optimize: manner.optimize.unwrap_or(level),
            annotations_as_texts: manner.annotations_as_texts,
        };
        let mut found = Vec::new();
        let compiled =
            janus_syntax::compile_with(source, filename, mode(kind), options, &mut found);
        warnings.extend(found.iter().map(source_warning));
        let code = compiled.map_err(|e| source_error(&e))?;
        expect_gradients(&code, filename);
        Ok(code)
    }

    fn parse(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Tree, SourceError> {
        let mut found = Vec::new();
        let parsed = janus_syntax::parse(source, filename, mode(kind), &mut found);
        warnings.extend(found.iter().map(source_warning));
        parsed.map_err(|e| source_error(&e))
    }

    fn compile_tree(
        &self,
        tree: &Tree,
        filename: &str,
        optimize: Option<u8>,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Rc<Code>, SourceError> {
        let optimize = optimize.unwrap_or(self.optimize);
        let mut found = Vec::new();
        let compiled = janus_syntax::compile_tree(tree, filename, optimize, &mut found);
        warnings.extend(found.iter().map(source_warning));
        let code = compiled.map_err(|e| match e {
            Refused::Tree(e) => tree_error(e),
            Refused::Program(e) => source_error(&e),
        })?;
        expect_gradients(&code, filename);
        Ok(code)
    }
}

fn mode(kind: SourceKind) -> Mode {
    match kind {
        SourceKind::Module => Mode::Module,
        SourceKind::Eval => Mode::Eval,
        SourceKind::Single => Mode::Single,
    }
}

fn source_error(e: &SyntaxError) -> SourceError {
    SourceError {
        kind: match e.kind {
            SyntaxErrorKind::Syntax => ExcKind::SyntaxError,
            SyntaxErrorKind::Indentation => ExcKind::IndentationError,
            SyntaxErrorKind::Tab => ExcKind::TabError,
        },
        message: e.message.clone(),
        line: e.line,
        col: e.col,
        end_line: e.end_line,
        end_col: e.end_col,
        text: e.text.clone(),
    }
}

fn source_warning(warning: &SyntaxWarning) -> SourceWarning {
    SourceWarning {
        kind: match warning.category {
            WarningCategory::Syntax => ExcKind::SyntaxWarning,
            WarningCategory::Deprecation => ExcKind::DeprecationWarning,
        },
        error: source_error(&warning.error),
    }
}

/// What a tree is that is none.
fn tree_error(e: TreeError) -> SourceError {
    let (kind, message) = match e {
        TreeError::Type(message) => (ExcKind::TypeError, message),
        TreeError::Value(message) => (ExcKind::ValueError, message),
        TreeError::Deep => (
            ExcKind::RecursionError,
            "maximum recursion depth exceeded during compilation".to_owned(),
        ),
    };
    SourceError::of(kind, message)
}

/// Known before anything is compiled: what a compiled region was differentiated by cannot be
/// differentiated again.
fn expect_gradients(code: &Code, filename: &str) {
    if janus_bytecode::is_library(filename) {
        return;
    }
    if mentions(&code.consts, "create_graph") {
        janus_tensor::autograd::expect_second_order();
    }
    if names_any(code, &["_version"]) {
        janus_tensor::inplace::expect_versions();
    }
    if names_any(code, &INNER_GRADIENTS) {
        janus_tensor::autograd::expect_inner_gradients();
    }
}

/// Names in code that may ask for gradients of what is no leaf.
const INNER_GRADIENTS: [&str; 3] = ["autograd", "retain_grad", "register_hook"];

/// Whether code, or code in it, uses one of these names, or a module of that name.
fn names_any(code: &Code, words: &[&str]) -> bool {
    let named = |name: &str| name.split('.').any(|part| words.contains(&part));
    let inside = |c: &Const| matches!(c, Const::Code(code) if names_any(code, words));
    code.names.iter().any(|name| named(name)) || code.consts.iter().any(inside)
}

/// Whether a string or a keyword of code with these constants is `word`.
fn mentions(consts: &[Const], word: &str) -> bool {
    consts.iter().any(|c| match c {
        Const::Str(s) => &**s == word,
        Const::Tuple(items) => mentions(items, word),
        Const::Code(code) => mentions(&code.consts, word),
        _ => false,
    })
}
