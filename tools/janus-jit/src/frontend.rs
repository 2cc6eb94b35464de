//! The front end of a session, and the stages that it can show.
//!
//! In: source text. Out: bytecode; on request the syntax tree and the instructions as text.
//! Always: library code is not shown, since it is not what the user asked to see.

use std::rc::Rc;
use std::sync::Arc;

use janus_bytecode::{Code, Const, Tree};
use janus_interp::{Compiler, Manner, SourceError, SourceKind, SourceWarning};
use janus_session::FrontEnd;
use janus_tiering::{Emit, EmitStage, full_name};

/// Compiles source text for the interpreter, and shows what is asked for.
pub struct ShowingFrontEnd {
    /// What compiles.
    pub plain: FrontEnd,
    /// What to show.
    pub emit: Arc<Emit>,
}

impl Compiler for ShowingFrontEnd {
    fn is_incomplete(&self, source: &str) -> bool {
        self.plain.is_incomplete(source)
    }

    fn compile(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        manner: Manner,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Rc<Code>, SourceError> {
        let code = self
            .plain
            .compile(source, filename, kind, manner, warnings)?;
        self.show(source, filename, kind, &code);
        Ok(code)
    }

    fn parse(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Tree, SourceError> {
        self.plain.parse(source, filename, kind, warnings)
    }

    fn compile_tree(
        &self,
        tree: &Tree,
        filename: &str,
        optimize: Option<u8>,
        warnings: &mut Vec<SourceWarning>,
    ) -> Result<Rc<Code>, SourceError> {
        self.plain.compile_tree(tree, filename, optimize, warnings)
    }
}

impl ShowingFrontEnd {
    fn show(&self, source: &str, filename: &str, kind: SourceKind, code: &Rc<Code>) {
        if janus_bytecode::is_library(filename) || kind != SourceKind::Module {
            return;
        }
        if self.emit.stages.contains(&EmitStage::Ast) {
            self.emit_ast(source, code);
        }
        if self.emit.stages.contains(&EmitStage::Bytecode) {
            self.emit_bytecode(code);
        }
    }

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
