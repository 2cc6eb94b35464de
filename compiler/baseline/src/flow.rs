//! The types of a region: a forward dataflow over its bytecode.
//!
//! In: code, and the kinds of what is live at its entry. Out: [`Program`]: the units to compile
//! (the region and the functions that it calls), each with the kinds before every instruction.
//! Always: at the fixpoint, what [`crate::emit`] makes of an instruction has the kinds found here.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use janus_bytecode::{BinaryOp, Instr, Opcode};
use janus_object::{Binding, CodeObject, Name, PyDict, PyFunction, Value, ops, types};

use crate::Refused;
use crate::kind::{Kind, load_of, tag};

/// Functions that one region may call directly.
const MAX_UNITS: usize = 16;

/// What must still be so when the region is entered.
pub(crate) struct Guard {
    /// Where the name is looked up first.
    pub dict: Rc<PyDict>,
    /// Where then.
    pub builtins: Option<Rc<PyDict>>,
    /// The name.
    pub name: Name,
    /// What it was when compiled.
    pub value: Value,
    /// Version of a Python function.
    pub version: u32,
}

impl Guard {
    fn now(&self) -> Option<Value> {
        self.dict
            .get_name(&self.name)
            .or_else(|| self.builtins.as_ref().and_then(|b| b.get_name(&self.name)))
    }

    /// Whether it still is so.
    pub fn holds(&self) -> bool {
        match (&self.value, &self.now()) {
            (Value::Function(a), Some(Value::Function(b))) => {
                Rc::ptr_eq(a, b) && b.version.get() == self.version
            }
            (Value::Float(a), Some(Value::Float(b))) => a.to_bits() == b.to_bits(),
            (a, Some(b)) => ops::is(a, b),
            _ => false,
        }
    }
}

/// Where a load takes its value from.
#[derive(Clone)]
pub(crate) enum Source {
    /// A variable.
    Slot(usize),
    /// A known object.
    Known(usize),
    /// An immediate value that is guarded.
    Const(Value),
}

/// What a call calls.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// `abs`
    Abs,
    /// `min` of two
    Min,
    /// `max` of two
    Max,
    /// `len` of a list
    Len,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// `range`
    Range,
    /// `math.sqrt`
    Sqrt,
    /// A pure function of floats: its index among the known objects.
    Math(usize),
    /// A unit of the program.
    Unit(usize),
}

/// Kinds before an instruction.
#[derive(Clone, PartialEq)]
pub(crate) struct State {
    /// Locals, then names of the namespace.
    pub locals: Vec<Kind>,
    /// The value stack.
    pub stack: Vec<Kind>,
    /// Whether every way here is rarely taken.
    pub rare: bool,
}

/// A name of the namespace that the region keeps in a variable.
pub(crate) struct NameSlot {
    /// The name.
    pub name: Name,
    /// Whether the region assigns it.
    pub stored: bool,
}

/// A function or a loop.
pub(crate) struct Unit {
    /// The code.
    pub code: Rc<CodeObject>,
    /// Its globals.
    pub globals: Rc<PyDict>,
    /// Loops: the instruction where it starts over.
    pub head: Option<u32>,
    /// Instructions that belong to it.
    pub inside: Vec<bool>,
    /// Where it is entered.
    pub start: u32,
    /// What is known there.
    pub entry: State,
    /// Names kept in variables, behind the locals.
    pub names: Vec<NameSlot>,
    /// Kinds before each instruction that is reached.
    pub states: Vec<Option<State>>,
    /// Instructions that tier 0 executes, with the reason.
    pub exits: BTreeMap<u32, String>,
    /// Loads that are not of locals.
    pub loads: BTreeMap<u32, Source>,
    /// Calls.
    pub calls: BTreeMap<u32, Callee>,
    /// Kind of the result, once known.
    pub result: Option<Kind>,
}

/// All that is compiled together; the region is the first unit.
pub(crate) struct Program {
    /// The units.
    pub units: Vec<Unit>,
    /// Objects that the code refers to.
    pub known: Vec<Value>,
    /// What must hold at entry.
    pub guards: Vec<Guard>,
    /// The builtins namespace.
    pub builtins: Rc<PyDict>,
    /// Whether lists are taken out of lists.
    pub nested: bool,
}

enum Stop {
    /// Tier 0 must do this.
    Unsupported(String),
    /// The result of a call is not known yet.
    Pending,
}

fn unsupported<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unsupported(what.into()))
}

type Edges = Vec<(u32, State)>;

/// The line of an instruction.
pub(crate) fn line_of(code: &CodeObject, pc: u32) -> u32 {
    code.code
        .spans
        .get(pc as usize)
        .map_or(code.code.first_line, |s| s.line)
}

/// The possible successors of an instruction.
pub(crate) fn successors(pc: u32, instr: Instr) -> impl Iterator<Item = u32> {
    let jump = instr.jump_effect().is_some().then_some(instr.arg);
    instr
        .falls_through()
        .then_some(pc + 1)
        .into_iter()
        .chain(jump)
}

/// The instructions of the natural loop at `head`.
pub(crate) fn loop_body(code: &CodeObject, head: u32) -> Vec<bool> {
    let instrs = &code.code.instrs;
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); instrs.len()];
    for (pc, instr) in (0..).zip(instrs) {
        for next in successors(pc, *instr) {
            if let Some(list) = before.get_mut(next as usize) {
                list.push(pc);
            }
        }
    }
    let mut inside = vec![false; instrs.len()];
    let mut work: Vec<u32> = (0..)
        .zip(instrs)
        .filter(|(_, i)| i.op == Opcode::JumpBackward && i.arg == head)
        .map(|(pc, _)| pc)
        .collect();
    if let Some(at) = inside.get_mut(head as usize) {
        *at = true;
    }
    while let Some(pc) = work.pop() {
        if let Some(at) = inside.get_mut(pc as usize).filter(|at| !**at) {
            *at = true;
            work.extend(before.get(pc as usize).into_iter().flatten());
        }
    }
    inside
}

/// Kind of `a op b`; `None` if tier 0 must do it.
pub(crate) fn binary_kind(op: BinaryOp, a: &Kind, b: &Kind) -> Option<Kind> {
    use BinaryOp as B;
    let number = |k: &Kind| matches!(k, Kind::Int | Kind::Bool | Kind::Float);
    // Either an int or a float: with a float the result is a float.
    let mixed = |k: &Kind| matches!(k, Kind::Dyn { mask, .. } if mask & !(1 << tag::INT | 1 << tag::FLOAT) == 0);
    if (mixed(a) && *b == Kind::Float) || (mixed(b) && *a == Kind::Float) {
        return matches!(op, B::Add | B::Sub | B::Mul | B::TrueDiv).then_some(Kind::Float);
    }
    if !number(a) || !number(b) {
        return None;
    }
    let float = *a == Kind::Float || *b == Kind::Float;
    match op {
        B::Add | B::Sub | B::Mul | B::FloorDiv | B::Mod | B::Pow => {
            Some(if float { Kind::Float } else { Kind::Int })
        }
        B::TrueDiv => Some(Kind::Float),
        B::And | B::Or | B::Xor if *a == Kind::Bool && *b == Kind::Bool => Some(Kind::Bool),
        B::And | B::Or | B::Xor | B::LShift | B::RShift if !float => Some(Kind::Int),
        _ => None,
    }
}

/// Whether two kinds can be compared in compiled code.
pub(crate) fn comparable(a: &Kind, b: &Kind) -> bool {
    let number = |k: &Kind| matches!(k, Kind::Int | Kind::Bool | Kind::Float);
    number(a) && number(b)
}

/// Whether compiled code can tell if a value of this kind is true.
pub(crate) fn has_truth(kind: &Kind) -> bool {
    match kind {
        Kind::None | Kind::Int | Kind::Bool | Kind::Float | Kind::List(_) => true,
        Kind::Dyn { mask, .. } => mask & !(1 << tag::NONE | 1 << tag::BOOL | 1 << tag::INT) == 0,
        _ => false,
    }
}

/// Pure functions of module math by their number of arguments; whether the result is a bool.
fn math_function(qualname: &str) -> Option<(usize, Kind)> {
    Some(match qualname.strip_prefix("math.")? {
        "exp" | "exp2" | "expm1" | "log" | "log2" | "log10" | "log1p" | "cbrt" | "sin" | "cos"
        | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "asinh" | "acosh"
        | "atanh" | "fabs" | "degrees" | "radians" | "erf" | "erfc" | "gamma" | "lgamma" => {
            (1, Kind::Float)
        }
        "floor" | "ceil" | "trunc" => (1, Kind::Int),
        "isnan" | "isinf" | "isfinite" => (1, Kind::Bool),
        "atan2" | "copysign" | "fmod" | "pow" | "hypot" => (2, Kind::Float),
        _ => return None,
    })
}

/// Kind of what a pure function of floats gives.
pub(crate) fn math_result(value: &Value) -> Kind {
    match value {
        Value::Native(native) => math_function(native.qualname).map_or(Kind::Float, |(_, k)| k),
        _ => Kind::Float,
    }
}

impl Program {
    /// Finds the kinds of all units.
    pub fn analyze(&mut self) -> Result<(), Refused> {
        loop {
            let before: Vec<Option<Kind>> = self.units.iter().map(|u| u.result.clone()).collect();
            let mut at = 0;
            while at < self.units.len() {
                self.analyze_unit(at)?;
                at += 1;
            }
            let after: Vec<Option<Kind>> = self.units.iter().map(|u| u.result.clone()).collect();
            if before == after {
                break;
            }
        }
        self.check()
    }

    fn refuse(&self, unit: usize, pc: u32, reason: impl Into<String>) -> Refused {
        let line = self.units.get(unit).map_or(0, |u| line_of(&u.code, pc));
        Refused::new(reason, line)
    }

    /// What the analysis of the parts cannot see.
    fn check(&self) -> Result<(), Refused> {
        for (at, unit) in self.units.iter().enumerate() {
            for (pc, reason) in &unit.exits {
                let rare = unit
                    .states
                    .get(*pc as usize)
                    .and_then(Option::as_ref)
                    .is_some_and(|s| s.rare);
                if !rare || (*pc == unit.start) {
                    return Err(self.refuse(at, *pc, reason.clone()));
                }
            }
        }
        let Some((main, callees)) = self.units.split_first() else {
            return Ok(());
        };
        let calls = self
            .units
            .iter()
            .any(|u| u.calls.values().any(|c| matches!(c, Callee::Unit(_))));
        if !calls {
            return Ok(());
        }
        if self.nested {
            return Err(self.refuse(
                0,
                main.start,
                "lists in lists together with calls of functions",
            ));
        }
        if !main.names.is_empty() && callees.iter().any(|u| !u.exits.is_empty()) {
            return Err(self.refuse(0, main.start, "a called function may do anything"));
        }
        for slot in main.names.iter().filter(|n| n.stored) {
            if self
                .guards
                .iter()
                .any(|g| g.name == slot.name && Rc::ptr_eq(&g.dict, &main.globals))
            {
                let reason = format!(
                    "the global '{}' is assigned here and read in a function that is called",
                    slot.name
                );
                return Err(self.refuse(0, main.start, reason));
            }
        }
        Ok(())
    }

    fn analyze_unit(&mut self, at: usize) -> Result<(), Refused> {
        let Some(unit) = self.units.get_mut(at) else {
            return Ok(());
        };
        let start = unit.start;
        let entry = unit.entry.clone();
        unit.states = vec![None; unit.code.code.instrs.len()];
        unit.exits.clear();
        if let Some(slot) = unit.states.get_mut(start as usize) {
            *slot = Some(entry);
        }
        let mut work = BTreeSet::from([start]);
        while let Some(pc) = work.pop_first() {
            let state = self
                .units
                .get(at)
                .and_then(|u| u.states.get(pc as usize)?.clone());
            let Some(state) = state else { continue };
            let edges = match self.step(at, pc, state) {
                Ok(edges) => edges,
                Err(Stop::Pending) => continue,
                Err(Stop::Unsupported(reason)) => {
                    if let Some(unit) = self.units.get_mut(at) {
                        unit.exits.insert(pc, reason);
                    }
                    continue;
                }
            };
            let Some(unit) = self.units.get_mut(at) else {
                break;
            };
            unit.exits.remove(&pc);
            for (next, state) in edges {
                if !unit.inside.get(next as usize).copied().unwrap_or(false) {
                    continue;
                }
                let Some(slot) = unit.states.get_mut(next as usize) else {
                    continue;
                };
                let joined = match slot {
                    None => Some(state),
                    Some(old) => join_states(old, &state),
                };
                let Some(joined) = joined else {
                    return Err(self.refuse(at, next, "values of different kinds meet"));
                };
                if slot.as_ref() != Some(&joined) {
                    *slot = Some(joined);
                    work.insert(next);
                }
            }
        }
        Ok(())
    }

    /// The effect of an instruction on kinds.
    fn step(&mut self, at: usize, pc: u32, mut st: State) -> Result<Edges, Stop> {
        use Opcode as O;
        let Some(unit) = self.units.get(at) else {
            return Err(Stop::Pending);
        };
        let code = unit.code.clone();
        let Some(&instr) = code.code.instrs.get(pc as usize) else {
            return Err(Stop::Pending);
        };
        let arg = instr.arg as usize;
        let seen = code.profile.site(pc).map_or(0, |s| s.types.get());
        let depth = st.stack.len();
        let short = || Stop::Unsupported("corrupt stack".to_owned());
        let get = |st: &State, n: usize| -> Result<Kind, Stop> {
            depth
                .checked_sub(n)
                .and_then(|i| st.stack.get(i))
                .cloned()
                .ok_or_else(short)
        };
        let next = pc + 1;
        macro_rules! pop {
            ($n:expr) => {
                st.stack.truncate(depth.saturating_sub($n))
            };
        }
        match instr.op {
            O::Nop | O::LoopHead => {}
            O::PopTop => pop!(1),
            O::Copy => {
                let k = get(&st, arg)?;
                st.stack.push(k);
            }
            O::Swap => {
                let i = depth.checked_sub(arg).ok_or_else(short)?;
                st.stack.swap(i, depth - 1);
            }
            O::PushNull => st.stack.push(Kind::Null),
            O::LoadConst => match code.consts.get(arg) {
                Some(v @ (Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_))) => {
                    st.stack.push(Kind::of(v).ok_or_else(short)?);
                }
                Some(Value::Tuple(t)) => {
                    let items: Option<Vec<Kind>> = t.items.iter().map(Kind::of).collect();
                    match items {
                        Some(items) if t.items.iter().all(|i| !matches!(i, Value::List(_))) => {
                            st.stack.push(Kind::Tuple(items));
                        }
                        _ => return unsupported("a tuple of other things than numbers"),
                    }
                }
                Some(other) => {
                    let k = self.know(other.clone());
                    st.stack.push(Kind::Known(k));
                }
                None => return Err(short()),
            },
            O::LoadFast => self.load(at, pc, arg, seen, &mut st)?,
            O::StoreFast => {
                let k = get(&st, 1)?;
                pop!(1);
                *st.locals.get_mut(arg).ok_or_else(short)? = storable(k)?;
            }
            O::LoadGlobal | O::LoadName => self.load_name(at, pc, arg, seen, &mut st)?,
            O::StoreGlobal | O::StoreName => {
                let slot = self.name_slot(at, arg);
                let Some(slot) = slot else {
                    return unsupported("assignment to a global in a function");
                };
                let k = get(&st, 1)?;
                pop!(1);
                *st.locals.get_mut(slot).ok_or_else(short)? = storable(k)?;
            }
            O::LoadAttr | O::LoadMethod => {
                let Kind::Known(k) = get(&st, 1)? else {
                    return unsupported("an attribute of an object");
                };
                let Some(Value::Module(module)) = self.known.get(k).cloned() else {
                    return unsupported("an attribute of an object");
                };
                let name = code.names.get(arg).ok_or_else(short)?;
                let Some(value) = module.dict.get_name(name) else {
                    return unsupported("a missing attribute");
                };
                pop!(1);
                let kind = self.guarded(at, pc, module.dict.clone(), None, name, value)?;
                st.stack.push(kind);
                if instr.op == O::LoadMethod {
                    st.stack.push(Kind::Null);
                }
            }
            O::Call => {
                let result = self.call(at, pc, arg, &st)?;
                pop!(arg + 2);
                st.stack.push(result);
            }
            O::BinaryOp => {
                let (a, b) = (get(&st, 2)?, get(&st, 1)?);
                let op = BinaryOp::from_arg(instr.arg).ok_or_else(short)?.plain();
                let Some(k) = binary_kind(op, &a, &b) else {
                    return unsupported(format!(
                        "'{}' of {} and {}",
                        op.symbol(),
                        a.name(),
                        b.name()
                    ));
                };
                pop!(2);
                st.stack.push(k);
            }
            O::CompareOp => {
                let (a, b) = (get(&st, 2)?, get(&st, 1)?);
                if !comparable(&a, &b) {
                    return unsupported(format!("comparison of {} and {}", a.name(), b.name()));
                }
                pop!(2);
                st.stack.push(Kind::Bool);
            }
            O::IsOp => {
                let (a, b) = (get(&st, 2)?, get(&st, 1)?);
                let simple = |k: &Kind| {
                    matches!(
                        k,
                        Kind::None | Kind::Bool | Kind::Int | Kind::Float | Kind::List(_)
                    )
                };
                if !(a == Kind::None || b == Kind::None) || !simple(&a) || !simple(&b) {
                    return unsupported("'is'");
                }
                pop!(2);
                st.stack.push(Kind::Bool);
            }
            O::UnaryNot => {
                if !has_truth(&get(&st, 1)?) {
                    return unsupported("the truth of an object");
                }
                pop!(1);
                st.stack.push(Kind::Bool);
            }
            O::UnaryNegative | O::UnaryPositive | O::UnaryInvert => {
                let k = match (get(&st, 1)?, instr.op) {
                    (Kind::Int | Kind::Bool, _) => Kind::Int,
                    (Kind::Float, O::UnaryNegative | O::UnaryPositive) => Kind::Float,
                    (other, _) => {
                        return unsupported(format!("a unary operator on {}", other.name()));
                    }
                };
                pop!(1);
                st.stack.push(k);
            }
            O::BinarySubscr => {
                let k = match (get(&st, 2)?, get(&st, 1)?) {
                    (Kind::List(item), Kind::Int) if *item != Kind::Unset => *item,
                    (a, b) => return unsupported(format!("{}[{}]", a.name(), b.name())),
                };
                self.nested |= matches!(k, Kind::List(_));
                pop!(2);
                st.stack.push(k);
            }
            O::StoreSubscr => {
                match (get(&st, 3)?, get(&st, 2)?, get(&st, 1)?) {
                    (Kind::Int | Kind::Float | Kind::Bool, Kind::List(_), Kind::Int) => {}
                    (v, a, i) => {
                        return unsupported(format!("{}[{}] = {}", a.name(), i.name(), v.name()));
                    }
                }
                pop!(3);
            }
            O::BuildTuple => {
                let items = st
                    .stack
                    .split_off(depth.checked_sub(arg).ok_or_else(short)?);
                st.stack.push(Kind::Tuple(items));
            }
            O::UnpackSequence => {
                let Kind::Tuple(items) = get(&st, 1)? else {
                    return unsupported("unpacking");
                };
                if items.len() != arg {
                    return unsupported("unpacking a tuple of another length");
                }
                pop!(1);
                st.stack.extend(items.into_iter().rev());
            }
            O::GetIter => {
                let k = match get(&st, 1)? {
                    Kind::Range => Kind::RangeIter,
                    Kind::List(item) if *item != Kind::Unset => Kind::ListIter(item),
                    other => return unsupported(format!("iteration over {}", other.name())),
                };
                pop!(1);
                st.stack.push(k);
            }
            O::ForIter => {
                let item = match get(&st, 1)? {
                    Kind::RangeIter => Kind::Int,
                    Kind::ListIter(item) => *item,
                    _ => return unsupported("iteration over an object"),
                };
                self.nested |= matches!(item, Kind::List(_));
                let mut done = st.clone();
                done.stack.truncate(depth - 1);
                st.stack.push(item);
                return Ok(vec![(next, st), (instr.arg, done)]);
            }
            O::Jump | O::JumpBackward => return Ok(vec![(instr.arg, st)]),
            O::PopJumpIfFalse
            | O::PopJumpIfTrue
            | O::JumpIfFalseOrPop
            | O::JumpIfTrueOrPop
            | O::PopJumpIfNone
            | O::PopJumpIfNotNone => {
                let k = get(&st, 1)?;
                let none = matches!(instr.op, O::PopJumpIfNone | O::PopJumpIfNotNone);
                if none && matches!(k, Kind::Dyn { .. } | Kind::Keep | Kind::Pending)
                    || !none && !has_truth(&k)
                {
                    return unsupported(format!("a condition on {}", k.name()));
                }
                let (count, taken) = code
                    .profile
                    .site(pc)
                    .map_or((0, 0), |s| (s.count.get(), s.taken.get()));
                let mut jump = st.clone();
                pop!(1);
                if !matches!(instr.op, O::JumpIfFalseOrPop | O::JumpIfTrueOrPop) {
                    jump.stack.truncate(depth - 1);
                }
                let rare = |times: u32| u64::from(times) * 32 <= u64::from(count);
                jump.rare |= rare(taken);
                st.rare |= rare(count.saturating_sub(taken));
                return Ok(vec![(next, st), (instr.arg, jump)]);
            }
            O::ReturnValue => {
                let k = get(&st, 1)?;
                let Some(unit) = self.units.get_mut(at) else {
                    return Err(Stop::Pending);
                };
                if !matches!(k, Kind::Int | Kind::Float | Kind::Bool | Kind::None) {
                    return unsupported(format!("return of {}", k.name()));
                }
                match &unit.result {
                    None => unit.result = Some(k),
                    Some(known) if *known == k => {}
                    Some(known) => {
                        return unsupported(format!(
                            "return of {} and of {}",
                            known.name(),
                            k.name()
                        ));
                    }
                }
                return Ok(Vec::new());
            }
            other => return unsupported(format!("the instruction {}", other.name())),
        }
        Ok(vec![(next, st)])
    }

    fn load(
        &mut self,
        _at: usize,
        _pc: u32,
        slot: usize,
        seen: u32,
        st: &mut State,
    ) -> Result<(), Stop> {
        let Some(kind) = st.locals.get_mut(slot) else {
            return unsupported("a missing variable");
        };
        match load_of(kind, seen) {
            Some((_, loaded)) => {
                *kind = loaded.clone();
                st.stack.push(loaded);
                Ok(())
            }
            None => unsupported(format!("a variable that is {}", kind.name())),
        }
    }

    fn name_slot(&self, at: usize, name: usize) -> Option<usize> {
        let unit = self.units.get(at)?;
        let name = unit.code.names.get(name)?;
        let slot = unit.names.iter().position(|n| n.name == *name)?;
        Some(unit.code.code.varnames.len() + slot)
    }

    fn load_name(
        &mut self,
        at: usize,
        pc: u32,
        arg: usize,
        seen: u32,
        st: &mut State,
    ) -> Result<(), Stop> {
        if let Some(slot) = self.name_slot(at, arg) {
            if let Some(unit) = self.units.get_mut(at) {
                unit.loads.insert(pc, Source::Slot(slot));
            }
            return self.load(at, pc, slot, seen, st);
        }
        let Some(unit) = self.units.get(at) else {
            return Err(Stop::Pending);
        };
        let Some(name) = unit.code.names.get(arg).cloned() else {
            return Err(Stop::Pending);
        };
        let globals = unit.globals.clone();
        let builtins = self.builtins.clone();
        let found = globals.get_name(&name).or_else(|| builtins.get_name(&name));
        let Some(value) = found else {
            return unsupported(format!("the name '{name}'"));
        };
        let kind = self.guarded(at, pc, globals, Some(builtins), &name, value)?;
        st.stack.push(kind);
        Ok(())
    }

    /// Assumes that a name keeps its value.
    fn guarded(
        &mut self,
        at: usize,
        pc: u32,
        dict: Rc<PyDict>,
        builtins: Option<Rc<PyDict>>,
        name: &Name,
        value: Value,
    ) -> Result<Kind, Stop> {
        let (source, kind) = match &value {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                match Kind::of(&value) {
                    Some(kind) => (Source::Const(value.clone()), kind),
                    None => return unsupported("a global"),
                }
            }
            Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_) => {
                let k = self.know(value.clone());
                (Source::Known(k), Kind::Known(k))
            }
            other => return unsupported(format!("a global that is a {}", other.type_name())),
        };
        let known = self
            .guards
            .iter()
            .any(|g| Rc::ptr_eq(&g.dict, &dict) && g.name == *name);
        if !known {
            let version = match &value {
                Value::Function(f) => f.version.get(),
                _ => 0,
            };
            self.guards.push(Guard {
                dict,
                builtins,
                name: name.clone(),
                value,
                version,
            });
        }
        if let Some(unit) = self.units.get_mut(at) {
            unit.loads.insert(pc, source);
        }
        Ok(kind)
    }

    /// The index of a known object.
    pub fn know(&mut self, value: Value) -> usize {
        match self.known.iter().position(|k| ops::is(k, &value)) {
            Some(at) => at,
            None => {
                self.known.push(value);
                self.known.len() - 1
            }
        }
    }

    fn call(&mut self, at: usize, pc: u32, count: usize, st: &State) -> Result<Kind, Stop> {
        let base = st.stack.len().checked_sub(count + 2);
        let Some([Kind::Known(k), Kind::Null, args @ ..]) = base.and_then(|b| st.stack.get(b..))
        else {
            return unsupported("a call of an unknown callable");
        };
        let Some(value) = self.known.get(*k).cloned() else {
            return Err(Stop::Pending);
        };
        let number = |k: &Kind| matches!(k, Kind::Int | Kind::Float | Kind::Bool);
        let (callee, result) = match &value {
            Value::Native(native) if native.binding == Binding::Static => {
                match (native.qualname, args) {
                    ("builtins.abs", [k @ (Kind::Int | Kind::Float)]) => (Callee::Abs, k.clone()),
                    ("builtins.min", [a @ (Kind::Int | Kind::Float), b]) if a == b => {
                        (Callee::Min, a.clone())
                    }
                    ("builtins.max", [a @ (Kind::Int | Kind::Float), b]) if a == b => {
                        (Callee::Max, a.clone())
                    }
                    ("builtins.len", [Kind::List(_)]) => (Callee::Len, Kind::Int),
                    ("math.sqrt", [a]) if number(a) => (Callee::Sqrt, Kind::Float),
                    (name, args) => match math_function(name) {
                        Some((n, result))
                            if n == args.len() && args.iter().all(|k| *k == Kind::Float) =>
                        {
                            (Callee::Math(*k), result)
                        }
                        _ => return unsupported(format!("a call of {name}")),
                    },
                }
            }
            Value::Class(class) => {
                let t = types();
                match args {
                    [a] if Rc::ptr_eq(class, &t.int) && number(a) => (Callee::Int, Kind::Int),
                    [a] if Rc::ptr_eq(class, &t.float) && number(a) => (Callee::Float, Kind::Float),
                    [a] if Rc::ptr_eq(class, &t.bool) && number(a) => (Callee::Bool, Kind::Bool),
                    [_] | [_, _] | [_, _, _]
                        if Rc::ptr_eq(class, &t.range) && args.iter().all(|k| *k == Kind::Int) =>
                    {
                        (Callee::Range, Kind::Range)
                    }
                    _ => return unsupported(format!("a call of {}", class.name.borrow())),
                }
            }
            Value::Function(function) => {
                let args = args.to_vec();
                let unit = self.unit_for(at, pc, function, args)?;
                let result = self.units.get(unit).and_then(|u| u.result.clone());
                if let Some(caller) = self.units.get_mut(at) {
                    caller.calls.insert(pc, Callee::Unit(unit));
                }
                return result.ok_or(Stop::Pending);
            }
            other => return unsupported(format!("a call of a {}", other.type_name())),
        };
        if let Some(unit) = self.units.get_mut(at) {
            unit.calls.insert(pc, callee);
        }
        Ok(result)
    }

    fn unit_for(
        &mut self,
        at: usize,
        pc: u32,
        function: &PyFunction,
        args: Vec<Kind>,
    ) -> Result<usize, Stop> {
        let code = function.code.borrow().clone();
        let c = &code.code;
        if let Some(unit) = self.units.get(at)
            && unit.code.code.handler(pc).is_some()
        {
            return unsupported("a call of a function inside try");
        }
        let flags = c.flags;
        if flags.varargs
            || flags.varkw
            || flags.generator
            || flags.coroutine
            || c.kwonly_argcount > 0
            || !c.cellvars.is_empty()
            || !c.freevars.is_empty()
            || c.argcount as usize != args.len()
        {
            return unsupported(format!("a call of {} as it is defined", c.qualname));
        }
        if !args.iter().all(|k| {
            matches!(
                k,
                Kind::Int | Kind::Float | Kind::Bool | Kind::None | Kind::List(_)
            )
        }) {
            return unsupported(format!(
                "a call of {} with other things than numbers",
                c.qualname
            ));
        }
        let same = |u: &Unit| {
            u.head.is_none()
                && Rc::ptr_eq(&u.code, &code)
                && Rc::ptr_eq(&u.globals, &function.globals)
                && u.entry.locals.get(..args.len()) == Some(&args)
        };
        if let Some(found) = self.units.iter().position(same) {
            return Ok(found);
        }
        if self.units.len() >= MAX_UNITS {
            return unsupported("too many functions in one region");
        }
        self.units
            .push(Unit::function(&code, &function.globals, args));
        Ok(self.units.len() - 1)
    }
}

impl Unit {
    /// A function whose parameters have these kinds.
    pub fn function(code: &Rc<CodeObject>, globals: &Rc<PyDict>, mut params: Vec<Kind>) -> Unit {
        params.resize(code.code.varnames.len(), Kind::Unset);
        Unit {
            code: code.clone(),
            globals: globals.clone(),
            head: None,
            inside: vec![true; code.code.instrs.len()],
            start: 0,
            entry: State {
                locals: params,
                stack: Vec::new(),
                rare: false,
            },
            names: Vec::new(),
            states: Vec::new(),
            exits: BTreeMap::new(),
            loads: BTreeMap::new(),
            calls: BTreeMap::new(),
            result: None,
        }
    }
}

/// What may be kept in a variable.
fn storable(kind: Kind) -> Result<Kind, Stop> {
    match kind {
        Kind::Int | Kind::Float | Kind::Bool | Kind::None | Kind::List(_) | Kind::Dyn { .. } => {
            Ok(kind)
        }
        other => unsupported(format!("a variable that is {}", other.name())),
    }
}

fn join_states(a: &State, b: &State) -> Option<State> {
    if a.stack.len() != b.stack.len() {
        return None;
    }
    let join = |a: &[Kind], b: &[Kind]| {
        a.iter()
            .zip(b)
            .map(|(a, b)| a.join(b))
            .collect::<Option<Vec<_>>>()
    };
    Some(State {
        locals: join(&a.locals, &b.locals)?,
        stack: join(&a.stack, &b.stack)?,
        rare: a.rare && b.rare,
    })
}
