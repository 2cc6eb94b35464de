//! Running a part of a frame, for who wants to look at the state in between.
//!
//! In: a frame, and the instruction before which to stop. Out: the frame there, or what it returned.
//! Always: the frame that was given keeps its locals and its stack; what it refers to changes.

use std::cell::OnceCell;

use janus_bytecode::{Const, Instr, Opcode};
use janus_object::{CodeObject, JitState, Profile, PyRef, PyResult, Value};

use crate::frame::Purpose;
use crate::{Frame, Interp};

/// How far a frame came.
pub enum Reached {
    /// The instruction; the frame as it is before it.
    Stop(Box<Frame>),
    /// The end.
    Return(Value),
    /// A `yield` on the way.
    Yield,
}

impl Interp {
    /// Runs a copy of `frame` from its `pc` to the instruction `stop`, which is not executed, or to
    /// its end. Loops of the frame are not offered to the `Jit`, what it calls is.
    ///
    /// # Errors
    /// What the code raises; the traceback has this frame's entry.
    pub fn run_until(&mut self, frame: &Frame, stop: Option<u32>) -> PyResult<Reached> {
        let code = match stop {
            Some(stop) => stopping(&frame.code, stop),
            None => alone(&frame.code, (*frame.code.code).clone()),
        };
        let end = code.code.instrs.len() as u32;
        self.code_state(&code);
        for site in &code.profile.sites {
            site.countdown.set(u32::MAX);
        }
        let copy = Box::new(Frame {
            code,
            globals: frame.globals.clone(),
            builtins: frame.builtins.clone(),
            namespace: frame.namespace.clone(),
            mapping: frame.mapping.clone(),
            snapshot: Default::default(),
            object: Default::default(),
            steps: None,
            locals: frame.locals.clone(),
            cells: frame.cells.clone(),
            stack: frame.stack.clone(),
            purpose: Purpose::Call,
            pc: frame.pc,
        });
        // The copy stands for the frame, which counts already.
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        let value = self.eval(copy);
        self.depth = depth;
        let value = value?;
        Ok(match (self.suspended.take(), stop) {
            (Some(mut reached), Some(stop)) if reached.pc == end => {
                reached.code = frame.code.clone();
                reached.pc = stop;
                Reached::Stop(reached)
            }
            (Some(_), _) => Reached::Yield,
            (None, _) => Reached::Return(value),
        })
    }
}

/// The code with a yield in the place of the instruction at `stop`.
fn stopping(of: &CodeObject, stop: u32) -> PyRef<CodeObject> {
    let mut code = (*of.code).clone();
    let (end, nothing) = (code.instrs.len() as u32, code.consts.len() as u32);
    let span = code.spans.get(stop as usize).copied().unwrap_or_default();
    if let Some(instr) = code.instrs.get_mut(stop as usize) {
        *instr = Instr::new(Opcode::Jump, end);
    }
    code.consts.push(Const::None);
    code.stack_size += 1;
    for (op, arg) in [(Opcode::LoadConst, nothing), (Opcode::YieldValue, 0)] {
        code.instrs.push(Instr::new(op, arg));
        code.spans.push(span);
    }
    alone(of, code)
}

/// A code object that shares its constants with another one, and nothing that is observed.
fn alone(of: &CodeObject, code: janus_bytecode::Code) -> PyRef<CodeObject> {
    let mut consts = of.consts.to_vec();
    consts.resize(code.consts.len(), Value::None);
    let profile = Profile::new(&code.instrs);
    PyRef::new(CodeObject {
        code: std::rc::Rc::new(code),
        consts: consts.into(),
        names: of.names.clone(),
        profile,
        labels: OnceCell::new(),
        shown: OnceCell::new(),
        caches: OnceCell::new(),
        jit: JitState::default(),
    })
}
