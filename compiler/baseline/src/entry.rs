//! What is known where a region is entered.
//!
//! In: a frame that stands at a function's start or at a loop's head. Out: a [`Program`] of one
//! unit, to be analysed. Always: what is not needed inside is left in the frame.

use std::cell::Cell;

use janus_bytecode::Opcode;
use janus_interp::Frame;
use janus_object::{CodeObject, PyRef, Value};

use crate::kind::{Kind, is_own, tag, tag_byte};
use crate::program::{
    Analysis, Form, Home, Learned, NameSlot, Program, State, Unit, leaders, line_of, live_locals,
    loop_body, successors,
};
use crate::{Refused, RefusedFor, runtime};

/// The program of a region, without its types; of the body of a generator that is suspended also from its beginning, where `begins`.
pub(crate) fn program(
    code: &PyRef<CodeObject>,
    head: Option<u32>,
    frame: &Frame,
    learned: Learned,
    begins: bool,
) -> Result<Program, Refused> {
    let flags = code.code.flags;
    let has_own_frame = flags.generator || flags.coroutine;
    let is_suspended = match head {
        None => has_own_frame,
        Some(head) => loop_suspends(code, head),
    };
    if is_suspended && flags.generator && flags.coroutine {
        let reason = "an asynchronous generator";
        let refused = Refused::new(reason, code.code.first_line);
        return Err(refused.of(RefusedFor::Generator));
    }
    let mut program = Program {
        units: Vec::new(),
        known: Vec::new(),
        guards: Vec::new(),
        memory: Vec::new(),
        kept_cells: Vec::new(),
        builtins: frame.builtins.clone(),
        learned,
        functions: Vec::new(),
        cells: frame.cells.clone(),
        met: Vec::new(),
        checked: Cell::default(),
    };
    let unit = match head {
        _ if is_suspended => generator_unit(code, head, frame, begins)?,
        None => {
            let comprehends = code.code.varnames.first().is_some_and(|n| &**n == ".0");
            let kinds = frame
                .locals
                .iter()
                .enumerate()
                .map(|(at, local)| match local {
                    Some(value @ Value::Iter(_))
                        if at == 0 && comprehends && is_own(value, frame) =>
                    {
                        Kind::of(value).unwrap_or(Kind::Keep)
                    }
                    Some(value) => entry_kind(&mut program, code, at, value),
                    None => Kind::Unset,
                });
            let kinds = kinds.collect();
            let mut unit = Unit::function(code, &frame.globals, kinds);
            unit.takes_cells = !frame.cells.is_empty();
            unit
        }
        Some(head) => loop_unit(&mut program, code, head, frame)?,
    };
    if unit
        .names
        .iter()
        .any(|n| matches!(n.home, Home::Global(..)))
    {
        frame.globals.watch_assignments();
    }
    for slot in &unit.names {
        if let Home::Cell(at) = slot.home
            && let Some(cell) = frame.cells.get(at)
        {
            program.kept_cells.push((cell.clone(), slot.stored));
        }
    }
    let cells = frame.cells.iter().map(|cell| cell.value.borrow().clone());
    let met = frame.locals.iter().cloned().chain(cells).flatten();
    program.met = met.filter(is_known).collect();
    program.units.push(unit);
    Ok(program)
}

/// The body of a generator or coroutine, from where its frame stands: suspended, or at the head of a loop.
fn generator_unit(
    code: &PyRef<CodeObject>,
    head: Option<u32>,
    frame: &Frame,
    begins: bool,
) -> Result<Unit, Refused> {
    // What is captured, and what is an iterator, is an object like any other: others may see it while the frame is suspended.
    let kind = |value: &Option<Value>| match value {
        None => Ok(Kind::Unset),
        Some(Value::Iter(_)) => Ok(Kind::of_mask(1 << tag::ITER)),
        Some(value) => match Kind::of_variable(value) {
            Some(Kind::Complex) | None => Some(counted(value)).filter(|k| *k != Kind::Keep),
            Some(kind) => Some(kind),
        }
        .ok_or_else(|| Refused::new("a variable of a kind of its own", line_of(code, frame.pc))),
    };
    let locals = frame.locals.iter().map(kind).collect::<Result<_, _>>()?;
    let mut unit = Unit::function(code, &frame.globals, locals);
    unit.form = Form::Generator;
    unit.start = frame.pc;
    if head.is_some() {
        // What is assigned before it is read may be anything: the first time around it mostly is not set.
        let live = unit.live.get(unit.start as usize).into_iter().flatten();
        for (kind, live) in unit.entry.locals.iter_mut().zip(live) {
            if !live {
                *kind = Kind::of_mask(tag::ALL | 1 << tag::UNSET);
            }
        }
    }
    // What is not read any more is still shown by a suspended frame.
    unit.live = Vec::new();
    unit.entry.stack = frame.stack.iter().map(kind).collect::<Result<_, _>>()?;
    let is_there = match head {
        Some(head) => unit.start == head + 1,
        None => unit.start == 0,
    };
    if head.is_none() && unit.is_resumed_at(unit.start) {
        unit.entry.stack.push(Kind::any());
        unit.beginning = begins.then(|| beginning(&unit));
    } else if !is_there {
        return Err(Refused::new(
            "a generator that is not suspended",
            line_of(code, frame.pc),
        ));
    }
    Ok(unit)
}

/// How the frames of a generator begin, going by the parameters of one that is suspended.
fn beginning(unit: &Unit) -> State {
    let code = &unit.code.code;
    let more = usize::from(code.flags.varargs) + usize::from(code.flags.varkw);
    let parameters = code.argcount as usize + code.kwonly_argcount as usize + more;
    let locals = unit.entry.locals.iter().enumerate();
    let locals = locals.map(|(at, kind)| match at < parameters {
        true => kind.clone(),
        false => Kind::Unset,
    });
    State {
        locals: locals.collect(),
        stack: Vec::new(),
        rare: false,
    }
}

/// Whether a loop may suspend its frame, be it after a `break`, while its iterator is still on the stack.
#[must_use]
pub fn loop_suspends(code: &CodeObject, head: u32) -> bool {
    let end = match code.code.instrs.get(head as usize) {
        Some(instr) if instr.op == Opcode::ForIter => instr.arg,
        _ => head,
    };
    let places = (0..).zip(&code.code.instrs).zip(loop_body(code, head));
    let mut suspends =
        places.filter(|((_, i), _)| matches!(i.op, Opcode::YieldValue | Opcode::Send));
    suspends.any(|((pc, _), inside)| inside || (head..end).contains(&pc))
}

/// Whether code is compiled for this very object.
fn is_known(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_)
    )
}

/// Whether a function is made anew each time that the one around it runs.
fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Function(f) if f.code.borrow().code.flags.nested)
}

/// The kind of a value that a variable of some code has at entry.
fn entry_kind(program: &mut Program, code: &CodeObject, slot: usize, value: &Value) -> Kind {
    let variable = (std::ptr::from_ref(code) as usize, slot);
    match value {
        value if is_nested(value) || program.learned.others.contains(&variable) => counted(value),
        value if is_known(value) => Kind::Known(program.know(value.clone())),
        // The reference of what is counted is the code's from then on, so that it goes when the variable is assigned.
        _ => Kind::of_variable(value).unwrap_or_else(|| counted(value)),
    }
}

fn counted(value: &Value) -> Kind {
    match value.count() {
        Some(_) => Kind::of_mask(1 << tag_byte(value)),
        None => Kind::Keep,
    }
}

/// The same of a global or cell: there an object that is assigned would live on.
fn name_kind(
    program: &mut Program,
    variable: (&CodeObject, usize),
    value: &Value,
    stored: bool,
) -> Kind {
    let (code, slot) = variable;
    match entry_kind(program, code, slot, value) {
        Kind::Object(_) if stored => Kind::Keep,
        kind => kind,
    }
}

/// Cells and globals that a loop keeps in variables: what it assigns, and what it reads that is a
/// number.
fn names(program: &Program, code: &CodeObject, inside: &[bool], frame: &Frame) -> Vec<NameSlot> {
    let mut names: Vec<NameSlot> = Vec::new();
    let mut left: Vec<Home> = Vec::new();
    for stored in [true, false] {
        let instrs = code.code.instrs.iter().zip(inside);
        for (instr, _) in instrs.filter(|(_, inside)| **inside) {
            let arg = instr.arg as usize;
            let home = match instr.op {
                Opcode::StoreName | Opcode::StoreGlobal if stored => {
                    code.names.get(arg).cloned().map(Home::global)
                }
                Opcode::LoadName | Opcode::LoadGlobal if !stored => {
                    code.names.get(arg).cloned().map(Home::global)
                }
                Opcode::StoreDeref if stored => Some(Home::Cell(arg)),
                Opcode::LoadDeref if !stored => Some(Home::Cell(arg)),
                _ => None,
            };
            let Some(home) = home else {
                continue;
            };
            let keep = match &home {
                Home::Cell(_) => true,
                Home::Global(name) if program.learned.volatile.contains(name.name.as_str()) => {
                    false
                }
                Home::Global(_) => match runtime::home_value(&home, frame) {
                    None => stored,
                    // The old object must go when another one is assigned, so it is assigned where it lives.
                    Some(value) if stored => !matches!(Kind::of(&value), Some(Kind::Object(_))),
                    // Callables are guarded, which needs no look at them after each call of Python.
                    Some(value) => !is_known(&value) && Kind::of_variable(&value).is_some(),
                },
            };
            if names.iter().any(|n| n.home == home) || left.contains(&home) {
                continue;
            }
            // What is assigned where it lives is read there, too.
            match keep {
                true => names.push(NameSlot { home, stored }),
                false => left.push(home),
            }
        }
    }
    names
}

fn loop_unit(
    program: &mut Program,
    code: &PyRef<CodeObject>,
    head: u32,
    frame: &Frame,
) -> Result<Unit, Refused> {
    let refuse = |reason: &str| Refused::new(reason, line_of(code, head));
    let at_module_level = frame
        .namespace
        .as_ref()
        .is_none_or(|n| PyRef::ptr_eq(n, &frame.globals));
    if !at_module_level || frame.mapping.is_some() {
        return Err(refuse("a loop in a class body or under exec").of(RefusedFor::ClassBody));
    }
    let inside = loop_body(code, head);
    let names = names(program, code, &inside, frame);
    let start = head + 1;
    let live = live_at(code, &inside, start, &names);
    let mut stored = vec![false; frame.locals.len()];
    for (instr, _) in code.code.instrs.iter().zip(&inside).filter(|(_, i)| **i) {
        if let Some(stored) = stored.get_mut(instr.arg as usize)
            && matches!(instr.op, Opcode::StoreFast | Opcode::DeleteFast)
        {
            *stored = true;
        }
    }
    let value_of = |slot: usize| match frame.locals.get(slot) {
        Some(local) => local.clone(),
        None => {
            let name = names.get(slot - frame.locals.len())?;
            runtime::home_value(&name.home, frame)
        }
    };
    let locals = (0..frame.locals.len() + names.len())
        .map(|slot| {
            let value = value_of(slot);
            let name = slot
                .checked_sub(frame.locals.len())
                .and_then(|at| names.get(at));
            match (live.get(slot), value, name) {
                (Some(true), None, _) => Kind::Unset,
                (Some(true), Some(v), Some(name)) => {
                    name_kind(program, (code, slot), &v, name.stored)
                }
                (Some(true), Some(v), None) => entry_kind(program, code, slot, &v),
                (_, Some(value), None) if stored.get(slot) == Some(&true) => {
                    Kind::overwritten(&value)
                }
                _ => Kind::Keep,
            }
        })
        .collect();
    // What a comprehension fills lies below its iterator.
    let mut stack: Vec<Kind> = frame
        .stack
        .iter()
        .map(|value| match value {
            Some(value @ (Value::List(_) | Value::Set(_) | Value::Dict(_))) => {
                Kind::of(value).unwrap_or(Kind::Keep)
            }
            _ => Kind::Keep,
        })
        .collect();
    if code
        .code
        .instrs
        .get(head as usize)
        .is_some_and(|i| i.op == Opcode::ForIter)
    {
        let [.., Some(iterator), Some(item)] = frame.stack.as_slice() else {
            return Err(refuse("a loop that does not stand at its head"));
        };
        let iterates = Kind::of(iterator).filter(|_| is_own(iterator, frame));
        // The next one is another.
        let item = Kind::of_variable(item).unwrap_or_else(|| counted(item));
        let iterates = iterates.unwrap_or_else(|| counted(iterator));
        if item == Kind::Keep || !iterates.is_counted() && !iterates.is_iterator() {
            return Err(refuse("iteration over something else than objects"));
        }
        let top = stack.len();
        if let Some(slots) = stack.get_mut(top - 2..) {
            slots.clone_from_slice(&[iterates, item]);
        }
    }
    Ok(Unit {
        code: code.clone(),
        globals: frame.globals.clone(),
        cells: Vec::new(),
        takes_cells: false,
        form: Form::Loop(head),
        inside,
        leaders: leaders(code),
        live: live_locals(code),
        start,
        entry: State {
            locals,
            stack,
            rare: false,
        },
        beginning: None,
        names,
        blocks: Vec::new(),
        result: None,
        analysis: Analysis::default(),
    })
}

/// Variables that are read before they are written from `start` on.
fn live_at(code: &CodeObject, inside: &[bool], start: u32, names: &[NameSlot]) -> Vec<bool> {
    let locals = code.code.varnames.len();
    let slot_of = |home: Option<Home>| {
        Some(locals + names.iter().position(|n| Some(&n.home) == home.as_ref())?)
    };
    let global = |arg: usize| slot_of(code.names.get(arg).cloned().map(Home::global));
    let slots = locals + names.len();
    let mut live = vec![vec![false; slots]; inside.len() + 1];
    loop {
        let mut changed = false;
        for (at, instr) in code.code.instrs.iter().enumerate().rev() {
            let pc = at as u32;
            if !inside.get(at).copied().unwrap_or(false) {
                continue;
            }
            let mut now = vec![false; slots];
            for next in successors(pc, *instr) {
                let after = live.get(next as usize).into_iter().flatten();
                for (bit, other) in now.iter_mut().zip(after) {
                    *bit |= other;
                }
            }
            let arg = instr.arg as usize;
            let (slot, read) = match instr.op {
                Opcode::LoadFast => (Some(arg), true),
                Opcode::StoreFast => (Some(arg), false),
                Opcode::LoadName | Opcode::LoadGlobal => (global(arg), true),
                Opcode::StoreName | Opcode::StoreGlobal => (global(arg), false),
                Opcode::LoadDeref => (slot_of(Some(Home::Cell(arg))), true),
                Opcode::StoreDeref => (slot_of(Some(Home::Cell(arg))), false),
                _ => (None, false),
            };
            if let Some(bit) = slot.and_then(|s| now.get_mut(s)) {
                *bit = read;
            }
            if let Some(old) = live.get_mut(at).filter(|old| **old != now) {
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
