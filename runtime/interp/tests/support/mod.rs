//! An interpreter with the front end and the standard library, whose output is caught.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use janus_bytecode::Code;
use janus_interp::{Compiler, Interp, SourceError, SourceKind};
use janus_object::ExcKind;
use janus_syntax::{Mode, SyntaxErrorKind};

/// What a script printed, and its exit code.
pub struct Printed {
    pub out: String,
    pub err: String,
    pub code: i32,
}

struct FrontEnd;

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
        janus_syntax::compile(source, filename, mode).map_err(|e| SourceError {
            kind: match e.kind {
                SyntaxErrorKind::Syntax => ExcKind::SyntaxError,
                SyntaxErrorKind::Indentation => ExcKind::IndentationError,
                SyntaxErrorKind::Tab => ExcKind::TabError,
            },
            message: e.message,
            line: e.line,
            col: e.col,
            end_line: e.end_line,
            end_col: e.end_col,
            text: e.text,
        })
    }
}

#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Native stack for 20,000 Python frames in an unoptimised build.
const STACK: usize = 512 << 20;

/// Runs a script; `prepare` may change the interpreter first.
pub fn run(source: &str, filename: &str, prepare: impl FnOnce(&mut Interp) + Send) -> Printed {
    std::thread::scope(|scope| {
        let run = || {
            let (out, err) = (Sink::default(), Sink::default());
            let mut interp = Interp::new();
            interp.set_compiler(Rc::new(FrontEnd));
            janus_stdlib::install(&mut interp);
            interp
                .output()
                .redirect(Box::new(out.clone()), Box::new(err.clone()));
            prepare(&mut interp);
            let code = interp.run_source(source, filename).code;
            let text = |sink: Sink| String::from_utf8(sink.0.take()).unwrap();
            Printed {
                out: text(out),
                err: text(err),
                code,
            }
        };
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, run);
        thread.unwrap().join().unwrap()
    })
}
