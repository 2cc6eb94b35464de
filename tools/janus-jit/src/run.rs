//! One run of a script.
//!
//! In: options. Out: the exit code; emitted stages, statistics. Always: what was measured is
//! written even when the script raised.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use janus_bytecode::Code;
use janus_interp::{Compiler, Interp, SourceError, SourceKind};
use janus_object::{ExcKind, Value};
use janus_syntax::{Mode, SyntaxErrorKind};
use janus_tiering::{Emit, EmitStage, Options, Tiering};

/// Stack of the interpreter's thread: enough for `sys.setrecursionlimit(20000)`.
pub const STACK: usize = 2 << 30;

/// What to run, and how.
pub struct Job {
    pub options: Options,
    pub emit: Arc<Emit>,
    pub stats: Option<PathBuf>,
    pub explain: bool,
    pub script: PathBuf,
    pub args: Vec<String>,
    pub start: Instant,
}

/// The front end, as the interpreter wants it.
struct FrontEnd {
    emit: Arc<Emit>,
}

impl Compiler for FrontEnd {
    fn compile(
        &self,
        source: &str,
        filename: &str,
        kind: SourceKind,
    ) -> Result<Rc<Code>, SourceError> {
        let mode = match kind {
            SourceKind::Module => Mode::Module,
            SourceKind::Eval => Mode::Eval,
            SourceKind::Single => Mode::Single,
        };
        let code = janus_syntax::compile(source, filename, mode).map_err(|e| SourceError {
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
        })?;
        // Library code is not what the user asked to see.
        if !filename.starts_with('<') {
            if !self.emit.stages.is_empty() && self.emit.stages.contains(&EmitStage::Ast) {
                match janus_syntax::dump_ast(source, filename) {
                    Ok(text) => self.emit.text(EmitStage::Ast, "", filename, &text),
                    Err(e) => tracing::error!("{e}"),
                }
            }
            self.emit_bytecode(&code, filename);
        }
        Ok(code)
    }
}

impl FrontEnd {
    fn emit_bytecode(&self, code: &Rc<Code>, filename: &str) {
        if !self.emit.stages.contains(&EmitStage::Bytecode) {
            return;
        }
        match &self.emit.filter {
            None => self.emit.text(
                EmitStage::Bytecode,
                "",
                filename,
                &janus_bytecode::disassemble(code),
            ),
            Some(filter) => self.emit_matching(code, filter),
        }
    }

    fn emit_matching(&self, code: &Rc<Code>, filter: &str) {
        if code.qualname.contains(filter) {
            let text = janus_bytecode::disassemble(code);
            self.emit
                .text(EmitStage::Bytecode, &code.qualname, &code.qualname, &text);
            return;
        }
        for constant in &code.consts {
            if let janus_bytecode::Const::Code(inner) = constant {
                self.emit_matching(inner, filter);
            }
        }
    }
}

impl Job {
    /// Runs the script and returns its exit code.
    pub fn run(self) -> i32 {
        let mut vm = Interp::new();
        vm.set_compiler(Rc::new(FrontEnd {
            emit: self.emit.clone(),
        }));
        janus_stdlib::install(&mut vm);
        janus_torch::install(&mut vm);
        {
            let mut argv = vec![Value::str(self.script.to_string_lossy().into_owned())];
            argv.extend(self.args.iter().map(|a| Value::str(a.as_str())));
            *vm.argv().items.borrow_mut() = argv;
        }
        if self.explain {
            // The report is what goes to standard output.
            vm.output()
                .redirect(Box::new(std::io::sink()), Box::new(std::io::stderr()));
        }
        let tiering = Rc::new(Tiering::new(self.options.clone(), self.emit.clone()));
        tiering.install(&mut vm);
        let startup = self.start.elapsed();
        let outcome = vm.run_file(&self.script);
        janus_stdlib::finish(&mut vm);
        let mut code = outcome.code;
        let report = tiering.report(self.start.elapsed(), startup);
        if self.emit.stages.contains(&EmitStage::Profile) {
            for c in tiering
                .codes()
                .iter()
                .filter(|c| !c.code.filename.starts_with('<'))
            {
                let text = janus_interp::profile_text(c);
                self.emit.text(
                    EmitStage::Profile,
                    &c.code.qualname,
                    &c.code.qualname,
                    &text,
                );
            }
        }
        if self.explain {
            print!("{}", report.explain());
        }
        if let Some(path) = &self.stats
            && let Err(e) = write_json(path, &report)
        {
            eprintln!("janus-jit: cannot write {}: {e}", path.display());
            code = 2;
        }
        if let Some(failure) = self.emit.failure() {
            eprintln!("janus-jit: {failure}");
            code = 2;
        }
        code
    }
}

fn write_json(path: &Path, report: &janus_tiering::Report) -> std::io::Result<()> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    std::fs::write(path, text)
}
