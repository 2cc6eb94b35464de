//! The front end, as the interpreter wants it, and the stages that it can show.
//!
//! In: source text. Out: bytecode; on request the syntax tree and the instructions as text.
//! Always: library code is not shown, since it is not what the user asked to see.

use std::rc::Rc;
use std::sync::Arc;

use janus_bytecode::{Code, Const, Tree};
use janus_interp::{Compiler, SourceError, SourceKind};
use janus_object::ExcKind;
use janus_syntax::{Mode, Refused, SyntaxError, SyntaxErrorKind, TreeError};
use janus_tiering::{Emit, EmitStage, full_name};

/// Compiles source text for the interpreter.
pub struct FrontEnd {
    /// What to show.
    pub emit: Arc<Emit>,
    /// What `-O` says, for code that is not part of the library.
    pub optimize: u8,
}

impl Compiler for FrontEnd {
    fn compile(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
    ) -> Result<Rc<Code>, SourceError> {
        let optimize = match janus_bytecode::is_library(filename) {
            true => 0,
            false => self.optimize,
        };
        self.compile_optimized(source, filename, kind, optimize)
    }

    fn is_incomplete(&self, source: &str) -> bool {
        janus_syntax::is_incomplete(source)
    }

    fn compile_optimized(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        optimize: u8,
    ) -> Result<Rc<Code>, SourceError> {
        let compiled = janus_syntax::compile_optimized(source, filename, mode(kind), optimize);
        let code = compiled.map_err(|e| source_error(&e))?;
        expect_gradients(&code, filename);
        if !janus_bytecode::is_library(filename) && kind == SourceKind::Module {
            if self.emit.stages.contains(&EmitStage::Ast) {
                self.emit_ast(source, &code);
            }
            if self.emit.stages.contains(&EmitStage::Bytecode) {
                self.emit_bytecode(&code);
            }
        }
        Ok(code)
    }

    fn parse(&self, source: &str, filename: &str, kind: SourceKind) -> Result<Tree, SourceError> {
        janus_syntax::parse(source, filename, mode(kind)).map_err(|e| source_error(&e))
    }

    fn compile_tree(
        &self,
        tree: &Tree,
        filename: &str,
        optimize: Option<u8>,
    ) -> Result<Rc<Code>, SourceError> {
        let optimize = optimize.unwrap_or(self.optimize);
        let compiled = janus_syntax::compile_tree(tree, filename, optimize);
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

impl FrontEnd {
    fn emit_ast(&self, source: &str, code: &Code) {
        let filename = &*code.filename;
        let module = full_name(code);
        let module = module.strip_suffix(&*code.qualname).unwrap_or(&module);
        if self.emit.filter.is_none() {
            match janus_syntax::dump_ast(source, filename) {
                Ok(text) => self.emit.text(EmitStage::Ast, "", filename, &text),
                Err(e) => tracing::error!("{e}"),
            }
            return;
        }
        let full = |qualname: &str| format!("{module}{qualname}");
        let wanted = |qualname: &str| self.emit.wants(EmitStage::Ast, &full(qualname));
        match janus_syntax::dump_definitions(source, filename, &wanted) {
            Ok(found) => {
                for (qualname, text) in found {
                    self.emit
                        .text(EmitStage::Ast, &full(&qualname), &qualname, &text);
                }
            }
            Err(e) => tracing::error!("{e}"),
        }
    }

    fn emit_bytecode(&self, code: &Rc<Code>) {
        if self.emit.filter.is_none() {
            let text = janus_bytecode::disassemble(code);
            self.emit
                .text(EmitStage::Bytecode, "", &code.filename, &text);
        } else {
            self.emit_matching(code);
        }
    }

    fn emit_matching(&self, code: &Rc<Code>) {
        let name = full_name(code);
        if self.emit.wants(EmitStage::Bytecode, &name) {
            let text = janus_bytecode::disassemble(code);
            self.emit
                .text(EmitStage::Bytecode, &name, &code.qualname, &text);
            return;
        }
        for constant in &code.consts {
            if let Const::Code(inner) = constant {
                self.emit_matching(inner);
            }
        }
    }
}
