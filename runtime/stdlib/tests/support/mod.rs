//! Runs Python source through the front end, the interpreter and this crate.
//!
//! In: source text. Out: what it printed and its exit code. Always: each run has an interpreter of
//! its own on a thread with a large stack.

use std::io::{self, Write};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use janus_bytecode::{Code, Tree};
use janus_interp::{Compiler, Interp, SourceError, SourceKind};
use janus_object::ExcKind;
use janus_syntax::{Mode, SyntaxError, SyntaxErrorKind};

/// The front end as the interpreter wants it.
pub struct FrontEnd;

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
        janus_syntax::compile(source, filename, mode).map_err(source_error)
    }

    fn parse(&self, source: &str, filename: &str, kind: SourceKind) -> Result<Tree, SourceError> {
        let mode = match kind {
            SourceKind::Module => Mode::Module,
            SourceKind::Eval => Mode::Eval,
            SourceKind::Single => Mode::Single,
        };
        janus_syntax::parse(source, filename, mode).map_err(source_error)
    }
}

fn source_error(error: SyntaxError) -> SourceError {
    SourceError {
        kind: match error.kind {
            SyntaxErrorKind::Syntax => ExcKind::SyntaxError,
            SyntaxErrorKind::Indentation => ExcKind::IndentationError,
            SyntaxErrorKind::Tab => ExcKind::TabError,
        },
        message: error.message,
        line: error.line,
        col: error.col,
        end_line: error.end_line,
        end_col: error.end_col,
        text: error.text,
    }
}

/// An interpreter with everything installed.
pub fn interpreter() -> Interp {
    let mut interp = Interp::new();
    interp.set_compiler(Rc::new(FrontEnd));
    janus_stdlib::install(&mut interp);
    interp
}

/// Runs `body` on a thread with a large stack.
pub fn on_large_stack<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(512 << 20)
            .spawn_scoped(scope, body);
        match worker.map(|w| w.join()) {
            Ok(Ok(value)) => value,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => std::panic::resume_unwind(Box::new(error)),
        }
    })
}

/// A writer into shared memory.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Ok(mut data) = self.0.lock() {
            data.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        self.0
            .lock()
            .map(|data| String::from_utf8_lossy(&data).into_owned())
            .unwrap_or_default()
    }
}

/// Runs a program: what went to standard output and error together, and the exit code.
#[allow(dead_code, reason = "not every user of this module records output")]
pub fn run(source: &str, filename: &str) -> (String, i32) {
    on_large_stack(|| {
        let mut interp = interpreter();
        let output = Shared::default();
        interp
            .output()
            .redirect(Box::new(output.clone()), Box::new(output.clone()));
        let program = janus_object::Value::str(filename);
        interp.argv().items.borrow_mut().push(program);
        let outcome = interp.run_source(source, filename);
        janus_stdlib::finish(&mut interp);
        (output.text(), outcome.code)
    })
}
