//! Tier 1: scalar bytecode to machine code with Cranelift.
//!
//! In: a function or loop that is hot, and the frame that is about to run it. Out:
//! [`CompiledRegion`], or [`Refused`] with the construct that stands in the way. Always: compiled
//! code does what tier 0 does, to the bit; where it cannot, it rebuilds the frame and leaves.

mod arith;
mod emit;
mod flow;
mod kind;
mod layout;
mod lower;
mod region;
mod runtime;

use std::collections::BTreeMap;
use std::rc::Rc;

use janus_bytecode::Opcode;
use janus_interp::Frame;
use janus_object::{CodeObject, Name, Value};

use flow::{NameSlot, Program, State, Unit, line_of, loop_body, successors};
use kind::Kind;
pub use region::CompiledRegion;

/// Why something is left to tier 0.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Refused {
    reason: String,
    line: u32,
}

impl Refused {
    pub(crate) fn new(reason: impl Into<String>, line: u32) -> Refused {
        Refused {
            reason: reason.into(),
            line,
        }
    }

    /// The line of what was refused.
    pub fn line(&self) -> u32 {
        self.line
    }
}

/// A deopt.
#[derive(Clone, Debug)]
pub struct Left {
    /// An int left 64 bits.
    pub overflow: bool,
    /// The line.
    pub line: u32,
    /// What the code relied on.
    pub expected: String,
    /// What it met.
    pub actual: String,
}

/// The compiler of tier 1.
pub struct Baseline {
    lowering: lower::Lowering,
}

impl Baseline {
    /// A compiler for this machine.
    pub fn new() -> Result<Baseline, Refused> {
        Ok(Baseline {
            lowering: lower::Lowering::new()?,
        })
    }

    /// Compiles the function of a frame, or its loop whose `ForIter` or `LoopHead` is `head`, for
    /// the types that the frame has.
    pub fn compile(
        &mut self,
        code: &Rc<CodeObject>,
        head: Option<u32>,
        frame: &Frame,
    ) -> Result<CompiledRegion, Refused> {
        let flags = code.code.flags;
        if flags.generator || flags.coroutine {
            return Err(Refused::new(
                "generators and coroutines",
                code.code.first_line,
            ));
        }
        let mut program = Program {
            units: Vec::new(),
            known: Vec::new(),
            guards: Vec::new(),
            builtins: frame.builtins.clone(),
            nested: false,
        };
        let unit = match head {
            None => function_unit(code, frame),
            Some(head) => loop_unit(code, head, frame)?,
        };
        program.units.push(unit);
        program.analyze()?;
        self.lowering.compile(program)
    }
}

fn function_unit(code: &Rc<CodeObject>, frame: &Frame) -> Unit {
    let params = frame
        .locals
        .iter()
        .map(|local| {
            local
                .as_ref()
                .map_or(Kind::Unset, |v| scalar(v).unwrap_or(Kind::Keep))
        })
        .collect();
    Unit::function(code, &frame.globals, params)
}

/// The kind of a value that a variable may hold.
fn scalar(value: &Value) -> Option<Kind> {
    Kind::of(value).filter(|k| k.tag().is_some())
}

fn loop_unit(code: &Rc<CodeObject>, head: u32, frame: &Frame) -> Result<Unit, Refused> {
    let refuse = |reason: &str| Refused::new(reason, line_of(code, head));
    let at_module_level = frame
        .namespace
        .as_ref()
        .is_none_or(|n| Rc::ptr_eq(n, &frame.globals));
    if !at_module_level || frame.mapping.is_some() {
        return Err(refuse("a loop in a class body or under exec"));
    }
    let instrs = &code.code.instrs;
    let inside = loop_body(code, head);
    let mut names: Vec<NameSlot> = Vec::new();
    for stored in [true, false] {
        for (instr, _) in instrs.iter().zip(&inside).filter(|(_, inside)| **inside) {
            let wanted = match instr.op {
                Opcode::StoreName | Opcode::StoreGlobal => stored,
                Opcode::LoadName | Opcode::LoadGlobal => !stored,
                _ => false,
            };
            let Some(name) = code.names.get(instr.arg as usize).filter(|_| wanted) else {
                continue;
            };
            let value = runtime::name_value(&frame.globals, &frame.builtins, name);
            let keep = stored || value.as_ref().is_some_and(|v| scalar(v).is_some());
            if keep && !names.iter().any(|n| n.name == *name) {
                names.push(NameSlot {
                    name: name.clone(),
                    stored,
                });
            }
        }
    }
    let start = head + 1;
    let live = live_at(code, &inside, start, &names);
    let value_of = |slot: usize| match frame.locals.get(slot) {
        Some(local) => local.clone(),
        None => {
            let name = names.get(slot - frame.locals.len())?;
            runtime::name_value(&frame.globals, &frame.builtins, &name.name)
        }
    };
    let locals = (0..frame.locals.len() + names.len())
        .map(|slot| match live.get(slot) {
            Some(true) => value_of(slot).map_or(Kind::Unset, |v| scalar(&v).unwrap_or(Kind::Keep)),
            _ => Kind::Keep,
        })
        .collect();
    let mut stack = vec![Kind::Keep; frame.stack.len()];
    if instrs
        .get(head as usize)
        .is_some_and(|i| i.op == Opcode::ForIter)
    {
        let [.., Some(iterator), Some(item)] = frame.stack.as_slice() else {
            return Err(refuse("a loop that does not stand at its head"));
        };
        let iterates = Kind::of(iterator);
        let (Some(iterates), Some(item)) = (iterates, scalar(item)) else {
            return Err(refuse(
                "iteration over something else than a range or a list of numbers",
            ));
        };
        let top = stack.len();
        if let Some(slots) = stack.get_mut(top - 2..) {
            slots.clone_from_slice(&[iterates, item]);
        }
    }
    Ok(Unit {
        code: code.clone(),
        globals: frame.globals.clone(),
        head: Some(head),
        inside,
        start,
        entry: State {
            locals,
            stack,
            rare: false,
        },
        names,
        states: Vec::new(),
        exits: BTreeMap::new(),
        loads: BTreeMap::new(),
        calls: BTreeMap::new(),
        result: None,
    })
}

/// Variables that are read before they are written from `start` on.
fn live_at(code: &CodeObject, inside: &[bool], start: u32, names: &[NameSlot]) -> Vec<bool> {
    let locals = code.code.varnames.len();
    let slot_of =
        |name: Option<&Name>| Some(locals + names.iter().position(|n| Some(&n.name) == name)?);
    let slots = locals + names.len();
    let mut live = vec![vec![false; slots]; inside.len() + 1];
    loop {
        let mut changed = false;
        for (at, instr) in code.code.instrs.iter().enumerate().rev() {
            let pc = at as u32;
            if !inside.get(pc as usize).copied().unwrap_or(false) {
                continue;
            }
            let mut now = vec![false; slots];
            for next in successors(pc, *instr) {
                for (bit, other) in now
                    .iter_mut()
                    .zip(live.get(next as usize).into_iter().flatten())
                {
                    *bit |= other;
                }
            }
            let arg = instr.arg as usize;
            let (slot, read) = match instr.op {
                Opcode::LoadFast => (Some(arg), true),
                Opcode::StoreFast => (Some(arg), false),
                Opcode::LoadName | Opcode::LoadGlobal => (slot_of(code.names.get(arg)), true),
                Opcode::StoreName | Opcode::StoreGlobal => (slot_of(code.names.get(arg)), false),
                _ => (None, false),
            };
            if let Some(bit) = slot.and_then(|s| now.get_mut(s)) {
                *bit = read;
            }
            if let Some(old) = live.get_mut(pc as usize).filter(|old| **old != now) {
                *old = now;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    live.into_iter().nth(start as usize).unwrap_or_default()
}
