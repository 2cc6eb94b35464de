//! Runs scripts with torch, and compares what they print.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
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

/// Native stack for deep recursion in an unoptimised build.
const STACK: usize = 512 << 20;

/// Runs a script file in an interpreter of its own.
pub fn run(path: &Path) -> Printed {
    std::thread::scope(|scope| {
        let run = || {
            let (out, err) = (Sink::default(), Sink::default());
            let mut interp = Interp::new();
            interp.set_compiler(Rc::new(FrontEnd));
            janus_stdlib::install(&mut interp);
            janus_torch::install(&mut interp);
            interp
                .output()
                .redirect(Box::new(out.clone()), Box::new(err.clone()));
            let code = interp.run_file(path).code;
            let text = |sink: Sink| String::from_utf8(sink.0.take()).unwrap();
            Printed {
                out: text(out),
                err: text(err),
                code,
            }
        };
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, run)
            .unwrap()
            .join()
            .unwrap()
    })
}

/// How far floats in texts may be apart: relative, and absolute for what rounds to nothing.
const RELATIVE: f64 = 1e-4;
const ABSOLUTE: f64 = 1e-6;

/// Splits a text into numbers and what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut start) = (0, 0);
    while at < bytes.len() {
        let after_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if !bytes[at].is_ascii_digit() || after_word {
            at += 1;
            continue;
        }
        let mut end = at;
        while end < bytes.len() {
            let c = bytes[end];
            let exponent_sign = matches!(c, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            let exponent = matches!(c, b'e' | b'E')
                && bytes
                    .get(end + 1)
                    .is_some_and(|d| d.is_ascii_digit() || matches!(d, b'+' | b'-'));
            if c.is_ascii_digit() || c == b'.' || exponent || exponent_sign {
                end += 1;
            } else {
                break;
            }
        }
        let begin = if at > start && bytes[at - 1] == b'-' {
            at - 1
        } else {
            at
        };
        if begin > start {
            out.push(&text[start..begin]);
        }
        out.push(&text[begin..end]);
        at = end;
        start = end;
    }
    if start < bytes.len() {
        out.push(&text[start..]);
    }
    out
}

fn is_float(token: &str) -> Option<f64> {
    if !token.contains(['.', 'e', 'E']) {
        return None;
    }
    token.parse().ok()
}

/// Padding between numbers moves with their widths.
fn squeeze(token: &str) -> String {
    token
        .split([' ', '\n'])
        .filter(|s| !s.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn same(a: &str, b: &str) -> bool {
    match (is_float(a), is_float(b)) {
        (Some(x), Some(y)) => {
            // A printed number is exact to half a unit of its last digit.
            let digits = |t: &str| {
                t.split(['e', 'E'])
                    .next()
                    .and_then(|m| m.split_once('.'))
                    .map_or(0, |(_, d)| d.len())
            };
            let unit = if a.contains(['e', 'E']) {
                0.0
            } else {
                10f64.powi(-(digits(a).min(digits(b)) as i32))
            };
            (x - y).abs() <= RELATIVE * x.abs().max(y.abs()) + ABSOLUTE.max(1.01 * unit)
        }
        _ => squeeze(a) == squeeze(b),
    }
}

/// The first difference between two texts: floats may differ by rounding, nothing else may.
pub fn difference(got: &str, want: &str) -> Option<String> {
    let (g, w) = (tokens(got), tokens(want));
    let at = g.iter().zip(&w).position(|(a, b)| !same(a, b));
    let at = match at {
        Some(at) => at,
        None if g.len() == w.len() => return None,
        None => g.len().min(w.len()),
    };
    let around = |t: &[&str]| -> String {
        t[at.saturating_sub(4).min(t.len())..(at + 5).min(t.len())].concat()
    };
    Some(format!("got:\n{}\nwant:\n{}", around(&g), around(&w)))
}
