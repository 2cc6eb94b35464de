//! Code objects with changes.
//!
//! In: bytes, each eight of which are one change of a compiled program. Out: whether the verifier lets a code object
//! pass that is not what it promises. Always: the promises are counted once more here, along the instructions.

use std::rc::Rc;

use janus_bytecode::{Code, Const, ExceptionEntry, Instr, Opcode, verify};
use janus_syntax::Mode;

/// Loops, handlers, closures, generators: each kind of instruction once.
const PROGRAM: &str = include_str!("program.py");

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b))
}

/// The code object that the change is about, by a walk over all of them.
fn nth<'a>(code: &'a mut Code, left: &mut usize) -> Option<&'a mut Code> {
    if *left == 0 {
        return Some(code);
    }
    *left -= 1;
    for constant in &mut code.consts {
        if let Const::Code(inner) = constant
            && let Some(inner) = Rc::get_mut(inner)
            && let Some(found) = nth(inner, left)
        {
            return Some(found);
        }
    }
    None
}

fn change(code: &mut Code, bytes: &[u8]) {
    let [which, kind, at, rest @ ..] = bytes else {
        return;
    };
    let Some(code) = nth(code, &mut usize::from(which % 8)) else {
        return;
    };
    let (at, value) = (usize::from(*at), number(rest));
    let count = code.instrs.len().max(1);
    match kind % 8 {
        0 => {
            if let Some(instr) = code.instrs.get_mut(at % count) {
                instr.arg = value;
            }
        }
        1 => {
            if let Some(instr) = code.instrs.get_mut(at % count) {
                let all = Opcode::ALL;
                instr.op = all[value as usize % all.len()];
            }
        }
        2 => {
            let all = Opcode::ALL;
            let op = all[at % all.len()];
            code.instrs.push(Instr::new(op, value));
            code.spans
                .push(code.spans.last().copied().unwrap_or_default());
        }
        3 => code.stack_size = value,
        4 => code.exceptions.push(ExceptionEntry {
            start: at as u32,
            end: value >> 16,
            target: value & 0xff,
            depth: value >> 8 & 0xff,
        }),
        5 => {
            code.consts.truncate(at);
            code.names.truncate(value as usize);
        }
        6 => code.spans.truncate(at),
        _ => {
            code.varnames.truncate(at);
            code.cellvars.truncate(value as usize);
        }
    }
}

/// What the interpreter relies on, seen from each instruction alone.
fn promise(code: &Code) -> Result<(), String> {
    for (pc, instr) in code.instrs.iter().enumerate() {
        if let Some(pops) = instr.jump_effect()
            && (instr.arg as usize >= code.instrs.len() || pops.0 > code.stack_size)
        {
            return Err(format!("{}: a jump at {pc} leaves the code", code.qualname));
        }
    }
    for constant in &code.consts {
        if let Const::Code(inner) = constant {
            promise(inner)?;
        }
    }
    Ok(())
}

/// The verifier finds what is wrong, or nothing is.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let compiled = janus_syntax::compile(PROGRAM, "<input>", Mode::Module);
    let mut code = compiled.map_err(|e| e.message)?;
    let Some(owned) = Rc::get_mut(&mut code) else {
        return Err("a code object that somebody else holds".to_owned());
    };
    for part in bytes.chunks(7) {
        change(owned, part);
    }
    if verify(&code).is_ok() {
        promise(&code)?;
    }
    janus_bytecode::disassemble(&code);
    Ok(())
}
