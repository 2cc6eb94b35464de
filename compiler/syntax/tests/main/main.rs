//! Tests of the whole front end: text in, code or error out.
//!
//! `golden/*.py` have their disassembly beside them; `JANUS_BLESS=1` records it anew. `errors.txt`
//! holds wrong programs with what CPython 3.11 says about each.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};

use janus_bytecode::{Code, Const, Opcode, disassemble, verify};
use janus_syntax::{Mode, SyntaxErrorKind, compile, dump_ast};

mod constructs;
mod errors;
mod golden;

fn manifest_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The `.py` files of a folder, sorted.
fn python_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    files.sort();
    files
}

/// Compiles text that must be right, and checks what must be true of all code.
fn compiled(source: &str, mode: Mode) -> std::rc::Rc<Code> {
    let code = compile(source, "test.py", mode).unwrap_or_else(|e| panic!("{source}\n{e}"));
    verify(&code).unwrap_or_else(|e| panic!("{source}\n{e}\n{}", disassemble(&code)));
    code
}

/// The code object of an inner function or class.
fn inner<'a>(code: &'a Code, name: &str) -> &'a Code {
    let found = code.consts.iter().find_map(|c| match c {
        Const::Code(inner) if &*inner.name == name => Some(&**inner),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no {name} in {}", code.name))
}

fn opcodes(code: &Code) -> Vec<Opcode> {
    code.instrs.iter().map(|i| i.op).collect()
}
