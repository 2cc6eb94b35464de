//! What is compiled together: a region and the functions that it calls.
//!
//! In: code objects. Out: [`Program`], which [`crate::flow`] fills and [`crate::emit`] reads.
//! Always: the region is the first unit; blocks of a unit that start at the same instruction
//! differ in the kinds they are entered with.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use janus_bytecode::{Instr, Opcode};
use janus_interp::{SeenAttr, seen_attrs};

use janus_object::ops::Special;
use janus_object::{CodeObject, Name, PyCell, PyDict, PyFunction, PyRef, Value, changes, ops};

use crate::kind::{Kind, tag, tag_byte};
use crate::place::PlacedName;
use crate::step::is_item;

/// Departures at an instruction from which on nothing is assumed of it.
const OFTEN: u32 = 4;

/// Nanoseconds that compiling a block takes, about.
const BLOCK_COMPILED: u64 = 40_000;
/// Runs that a region has had at least when it is compiled.
const FEW: u64 = 40;

/// What compiled code taught about programs, for the next compile.
#[derive(Clone, Default)]
pub(crate) struct Learned {
    /// Names of globals that must not be taken for constant.
    pub volatile: HashSet<String>,
    /// How often instructions, by the address of their code object, met other types than expected.
    /// An address that means another code object by now costs a little speed.
    pub met: HashMap<(usize, u32), u32>,
    /// Those, by the same key, that were left where they expected none: they are the interpreter's.
    pub failing: HashSet<(usize, u32)>,
    /// Variables, by their code and slot, that had other callables at entry than the code was compiled for.
    pub others: HashSet<(usize, usize)>,
    /// What accesses of attributes found, by the same key and the name.
    pub attrs: HashMap<(usize, u32, String), Vec<SeenAttr>>,
}

/// Classes that a site has a way for at most.
pub(crate) const MAX_SEEN: usize = 8;

impl Learned {
    /// Notes what an access of an attribute found last; all that it found, the last first.
    pub fn note_attr(&mut self, code: &CodeObject, pc: u32) -> Vec<SeenAttr> {
        let now = seen_attrs(code, pc);
        if now.is_empty() {
            return now;
        }
        let instr = code.code.instrs.get(pc as usize);
        let name = instr.and_then(|instr| code.names.get(instr.arg as usize));
        let name = name.map_or("", |name| name.as_str());
        let site = (std::ptr::from_ref(code) as usize, pc, name.to_owned());
        let all = self.attrs.entry(site).or_default();
        for seen in now.into_iter().rev() {
            if !all.iter().any(|old| old.is_same(&seen)) {
                all.insert(0, seen);
            }
        }
        all.truncate(MAX_SEEN);
        all.clone()
    }
}

/// What must still be so when the region is entered.
pub(crate) struct Guard {
    /// Where the name is looked up first.
    pub dict: PyRef<PyDict>,
    /// Where then.
    pub builtins: Option<PyRef<PyDict>>,
    /// The name.
    pub name: PlacedName,
    /// What it was when compiled.
    pub value: Value,
    /// Version of a Python function.
    pub version: u32,
    /// Whether a change of it counts among [`changes`].
    watched: Cell<bool>,
}

impl Guard {
    /// Assumes that a name has a value.
    pub fn new(
        dict: PyRef<PyDict>,
        builtins: Option<PyRef<PyDict>>,
        name: Name,
        value: Value,
    ) -> Guard {
        let version = match &value {
            Value::Function(f) => f.version.get(),
            _ => 0,
        };
        Guard {
            dict,
            builtins,
            name: PlacedName::new(name),
            value,
            version,
            watched: Cell::new(false),
        }
    }

    /// Has its changes counted, if they can be.
    fn watch(&self) {
        self.dict.watch(&self.name.name);
        if let Some(builtins) = &self.builtins {
            builtins.watch(&self.name.name);
        }
        // A number in the place of another one does not count.
        self.watched.set(self.value.count().is_some());
    }

    /// Whether it still is so.
    pub fn holds(&self) -> bool {
        let now = self.name.value(&self.dict, self.builtins.as_deref());
        match (&self.value, &now) {
            (Value::Function(a), Some(Value::Function(b))) => {
                PyRef::ptr_eq(a, b) && b.version.get() == self.version
            }
            (Value::Float(a), Some(Value::Float(b))) => a.get().to_bits() == b.get().to_bits(),
            (a, Some(b)) => ops::is(a, b),
            _ => false,
        }
    }
}

/// A global that changes while the region runs: read and written where it lives.
pub(crate) struct Memory {
    /// The namespace.
    pub dict: PyRef<PyDict>,
    /// The namespace behind it.
    pub builtins: PyRef<PyDict>,
    /// The name.
    pub name: PlacedName,
    /// What it is taken to be when read.
    pub kind: Kind,
}

/// Where a load takes its value from.
#[derive(Clone)]
pub(crate) enum Source {
    /// A variable.
    Slot(usize),
    /// A known object.
    Known(usize),
    /// An object among those, that compiled code works on.
    Object(usize),
    /// An immediate value that is guarded.
    Const(Value),
    /// A global in memory, read as this kind.
    Memory(usize, Kind),
    /// A cell of a function that is called, read as this kind, which may be a known object.
    Cell(PyRef<PyCell>, Kind),
    /// One of the cells whose address the code has, read as this kind.
    OwnCell(usize, Kind),
}

/// What a call calls.
#[derive(Clone)]
pub(crate) enum Callee {
    /// `abs`
    Abs,
    /// `min`, of any number of arguments of one kind
    Min,
    /// `max`
    Max,
    /// `len` of a list
    Len,
    /// `len` of what may be any container that is built in
    Length,
    /// `isinstance`, by its places among the known objects and that of the class
    IsInstance(usize, usize),
    /// `int`
    Int,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// `complex` of real numbers
    Complex,
    /// `range`
    Range,
    /// `reversed` of a range that the next instruction goes through
    Reversed,
    /// `zip` of containers that the next instruction goes through
    Zip,
    /// `enumerate` of such a container, from a number on if there are two arguments
    Enumerate,
    /// `math.sqrt`
    Sqrt,
    /// `ord`
    Ord,
    /// `chr`
    Chr,
    /// `type` of a value
    TypeOf,
    /// `list.append`
    Append,
    /// A native function that changes nothing, with the kind of its result.
    Pure(usize, Kind),
    /// A native function, with the kind of its result; it does what it does at once, or raises and does nothing.
    Native(usize, Kind),
    /// A unit of the program, with where each parameter's value comes from.
    Unit(usize, Vec<Argument>),
    /// Any function with the code and the globals of a unit, which is handed the function's cells.
    ByCode(usize, Vec<Argument>),
    /// The method of an operation on instances: its unit, and the versions of the operands' classes; 0 of what is none, or has
    /// no say.
    Operator {
        /// What is done.
        special: Special,
        /// The unit.
        unit: usize,
        /// As of a unit.
        arguments: Vec<Argument>,
        /// Version of the receiver's class.
        receiver: u32,
        /// Version of the argument's class, or 0.
        argument: u32,
    },
    /// A comparison that looks at nothing but whether both are the same object.
    Identity,
    /// A class: its version, the unit of its `__init__`, and values as above.
    Make {
        /// The class among the known objects.
        class: usize,
        /// Its version.
        version: u32,
        /// The unit of `__init__`.
        unit: usize,
        /// As of a unit.
        arguments: Vec<Argument>,
    },
}

/// Where a parameter's value comes from.
#[derive(Clone)]
pub(crate) enum Argument {
    /// What is given at this place; a receiver is the first.
    Given(usize),
    /// Its default.
    Default(Value),
    /// The default, of this kind, that the function has for it, which may have others: so many from the last one on.
    Own(usize, Kind),
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

/// Where a variable of the region that is not a local lives.
#[derive(Clone, PartialEq)]
pub(crate) enum Home {
    /// In the namespace.
    Global(PlacedName),
    /// In a cell of the frame.
    Cell(usize),
}

impl Home {
    /// In the namespace, under a name.
    pub fn global(name: Name) -> Home {
        Home::Global(PlacedName::new(name))
    }
}

/// A global or cell that the region keeps in a variable.
pub(crate) struct NameSlot {
    /// Where it lives.
    pub home: Home,
    /// Whether the region assigns it.
    pub stored: bool,
}

/// Instructions from a leader on, entered with certain kinds.
pub(crate) struct Block {
    /// The first instruction.
    pub pc: u32,
    /// Kinds there.
    pub state: State,
    /// Whether it was made to tell a value's kinds apart: such kinds are not joined again.
    pub split: bool,
    /// Where it ends in blocks for each kind of a value.
    pub splits: Option<u32>,
    /// The instruction that tier 0 must execute, with the reason and whether it is rarely reached.
    pub exit: Option<(u32, String, bool)>,
    /// Loads that are not of locals.
    pub loads: BTreeMap<u32, Source>,
    /// Calls.
    pub calls: BTreeMap<u32, Callee>,
    /// Callables that are expected where others may be met, by their places among the known objects.
    pub expected: BTreeMap<u32, usize>,
    /// How attributes are found.
    pub attrs: BTreeMap<u32, Vec<SeenAttr>>,
    /// Instructions that are left to the interpreter's functions, and why.
    pub effects: BTreeMap<u32, String>,
    /// Their kinds.
    pub attr_kinds: BTreeMap<u32, Kind>,
}

impl Block {
    /// A block that starts here in this state.
    pub fn new(pc: u32, state: State, split: bool) -> Block {
        Block {
            pc,
            state,
            split,
            splits: None,
            exit: None,
            loads: BTreeMap::new(),
            calls: BTreeMap::new(),
            expected: BTreeMap::new(),
            attrs: BTreeMap::new(),
            effects: BTreeMap::new(),
            attr_kinds: BTreeMap::new(),
        }
    }
}

/// How a unit is entered and left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// By a call, with the values of its parameters.
    Function,
    /// At the instruction where a loop starts over, with what the frame has there.
    Loop(u32),
    /// Where the frame of a generator or coroutine is suspended: variables are in the frame, in between.
    Generator,
}

/// A function, a loop or the body of a generator.
pub(crate) struct Unit {
    /// The code.
    pub code: PyRef<CodeObject>,
    /// Its globals.
    pub globals: PyRef<PyDict>,
    /// The cells of a known function that is called; those of the region are its frame's.
    pub cells: Vec<PyRef<PyCell>>,
    /// Whether it is handed the address of its cells where it is entered, and works on what is in them.
    pub takes_cells: bool,
    /// How it is entered.
    pub form: Form,
    /// Instructions that belong to it.
    pub inside: Vec<bool>,
    /// Where blocks start.
    pub leaders: Vec<bool>,
    /// Locals that may be read later, before each instruction.
    pub live: Vec<Vec<bool>>,
    /// Where it is entered.
    pub start: u32,
    /// What is known there.
    pub entry: State,
    /// How the frame of a generator begins, where `start` is another place.
    pub beginning: Option<State>,
    /// Names kept in variables, behind the locals.
    pub names: Vec<NameSlot>,
    /// Its blocks; the first one is that of the entry.
    pub blocks: Vec<Block>,
    /// Kind of the result, once known.
    pub result: Option<Kind>,
    /// How far its analysis is.
    pub analysis: Analysis,
}

/// How far the analysis of a unit is.
#[derive(Default)]
pub(crate) struct Analysis {
    /// Whether it has begun.
    pub begun: bool,
    /// Whether it is under way.
    pub running: bool,
    /// Whether a result that it has used has changed since.
    pub stale: bool,
    /// The units whose analyses used this one's result.
    pub callers: BTreeSet<usize>,
}

impl Unit {
    /// A function whose parameters have these kinds.
    pub fn function(
        code: &PyRef<CodeObject>,
        globals: &PyRef<PyDict>,
        mut params: Vec<Kind>,
    ) -> Unit {
        params.resize(code.code.varnames.len(), Kind::Unset);
        Unit {
            code: code.clone(),
            globals: globals.clone(),
            cells: Vec::new(),
            takes_cells: false,
            form: Form::Function,
            inside: vec![true; code.code.instrs.len()],
            leaders: leaders(code),
            live: live_locals(code),
            start: 0,
            entry: State {
                locals: params,
                stack: Vec::new(),
                rare: false,
            },
            beginning: None,
            names: Vec::new(),
            blocks: Vec::new(),
            result: None,
            analysis: Analysis::default(),
        }
    }

    /// Loops: the instruction where it starts over.
    pub fn head(&self) -> Option<u32> {
        match self.form {
            Form::Loop(head) => Some(head),
            Form::Function | Form::Generator => None,
        }
    }

    /// Whether the frame may be suspended where it goes on at an instruction: what is sent to it is on top of the stack there.
    pub fn is_resumed_at(&self, pc: u32) -> bool {
        let before = pc
            .checked_sub(1)
            .and_then(|at| self.code.code.instrs.get(at as usize));
        self.form == Form::Generator && before.is_some_and(|i| i.op == Opcode::YieldValue)
    }

    /// The blocks in which a suspended frame goes on.
    pub fn resumed(&self) -> impl Iterator<Item = (usize, &Block)> {
        let blocks = self.blocks.iter().enumerate();
        let is_generator = self.form == Form::Generator;
        let begins = |b: &Block| b.pc == 0 && self.beginning.is_some();
        blocks.filter(move |(id, b)| {
            is_generator && (*id == 0 || self.is_resumed_at(b.pc) || begins(b))
        })
    }

    /// Whether it is a function that needs no frame to be called: each parameter is one by position.
    pub fn is_callable(&self) -> bool {
        let code = &self.code.code;
        self.form == Form::Function
            && !code.flags.varargs
            && !code.flags.varkw
            && code.kwonly_argcount == 0
            && code.cellvars.is_empty()
    }

    /// Whether it reads and writes cells where they are.
    pub fn has_own_cells(&self) -> bool {
        self.takes_cells || self.form == Form::Generator
    }

    /// Whether an instruction belongs to it.
    pub fn is_inside(&self, pc: u32) -> bool {
        self.inside.get(pc as usize).copied().unwrap_or(false)
    }

    /// Whether a block starts at an instruction.
    pub fn is_leader(&self, pc: u32) -> bool {
        self.leaders.get(pc as usize).copied().unwrap_or(false)
    }

    /// Whether a loop that goes on at an instruction may have come to its end, rather than to what only an exception leads
    /// back from.
    pub fn ends_at(&self, pc: u32) -> bool {
        let instrs = &self.code.code.instrs;
        match self.head().and_then(|head| instrs.get(head as usize)) {
            Some(head) if head.op == Opcode::ForIter => pc == head.arg,
            Some(_) => !self.is_inside(pc),
            None => false,
        }
    }

    /// The slot of a name that is kept in a variable.
    pub fn name_slot(&self, name: usize) -> Option<usize> {
        let name = self.code.names.get(name)?;
        self.slot_of(&Home::global(name.clone()))
    }

    /// The slot of a global or cell that is kept in a variable.
    pub fn slot_of(&self, home: &Home) -> Option<usize> {
        let slot = self.names.iter().position(|n| n.home == *home)?;
        Some(self.code.code.varnames.len() + slot)
    }

    /// The slot that an instruction loads or stores.
    pub fn slot(&self, instr: Instr) -> Option<usize> {
        let arg = instr.arg as usize;
        match instr.op {
            Opcode::LoadFast | Opcode::StoreFast => Some(arg),
            Opcode::LoadName | Opcode::LoadGlobal | Opcode::StoreName | Opcode::StoreGlobal => {
                self.name_slot(arg)
            }
            Opcode::LoadDeref | Opcode::StoreDeref => self.slot_of(&Home::Cell(arg)),
            _ => None,
        }
    }

    /// The block in which an instruction goes on in a state; after a value's kinds were told apart,
    /// only one with exactly these.
    pub fn block_for(&self, pc: u32, state: &State, split: bool) -> Option<usize> {
        let fits = |old: &State| {
            old.stack.len() == state.stack.len()
                && old
                    .locals
                    .iter()
                    .zip(&state.locals)
                    .all(|(a, b)| a.covers(b))
                && old.stack.iter().zip(&state.stack).all(|(a, b)| a.covers(b))
        };
        let mut found = None;
        for (id, block) in self.blocks.iter().enumerate().filter(|(_, b)| b.pc == pc) {
            let same = block.state.locals == state.locals && block.state.stack == state.stack;
            if same && (block.split || !split) {
                return Some(id);
            }
            if !split && found.is_none() && fits(&block.state) {
                found = Some(id);
            }
        }
        found
    }
}

/// What does not hold any more.
pub(crate) enum Broken<'p> {
    /// The code or the defaults of a function.
    Function,
    /// A global.
    Global(&'p Guard),
}

/// When all that is assumed was found to hold.
#[derive(Clone, Copy, Default)]
pub(crate) struct Checked {
    /// [`changes`] at that time.
    at: Option<u64>,
    /// Whether nothing can change without counting there.
    all_watched: bool,
}

/// All that is compiled together; the region is the first unit.
pub(crate) struct Program {
    /// The units.
    pub units: Vec<Unit>,
    /// Objects that the code refers to.
    pub known: Vec<Value>,
    /// What must hold at entry.
    pub guards: Vec<Guard>,
    /// Globals in memory.
    pub memory: Vec<Memory>,
    /// Cells that the region keeps in variables, and whether it assigns them.
    pub kept_cells: Vec<(PyRef<PyCell>, bool)>,
    /// The builtins namespace.
    pub builtins: PyRef<PyDict>,
    /// What earlier compiles taught.
    pub learned: Learned,
    /// Functions that are called, with what must be their version at entry.
    pub functions: Vec<(PyRef<PyFunction>, u32)>,
    /// The cells of the frame at entry.
    pub cells: Vec<PyRef<PyCell>>,
    /// Callables that the frame at entry had in its variables and cells.
    pub met: Vec<Value>,
    /// When that was looked at last.
    pub checked: Cell<Checked>,
}

impl Program {
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

    /// Lets go of what the analysis looked at in the frame, which is not to live as long as the code.
    pub fn forget_frame(&mut self) {
        self.cells.clear();
        self.met.clear();
        self.kept_cells.clear();
    }

    /// The kind as which a frame keeps a value while it is suspended; `None` if it cannot.
    pub fn parked(&self, kind: &Kind) -> Option<Kind> {
        Some(match kind {
            Kind::Known(known) => {
                let value = self.known.get(*known)?;
                value.count()?;
                Kind::of_mask(1 << tag_byte(value))
            }
            Kind::Tuple(items) if items.iter().all(is_item) => Kind::Object(tag::TUPLE),
            Kind::Range => Kind::Object(tag::RANGE),
            Kind::Complex => Kind::Object(tag::INSTANCE),
            Kind::Dyn { mask, .. } if mask & 1 << tag::KEEP != 0 => return None,
            Kind::Unset
            | Kind::Null
            | Kind::None
            | Kind::Int
            | Kind::Float
            | Kind::Bool
            | Kind::List(_)
            | Kind::Object(_)
            | Kind::Dyn { .. } => kind.clone(),
            _ => return None,
        })
    }

    /// Whether a callable is known, and is a function or a class in Python.
    pub fn is_python(&self, kind: &Kind) -> bool {
        let Kind::Known(known) = kind else {
            return false;
        };
        match self.known.get(*known) {
            Some(Value::Function(_)) => true,
            Some(Value::Class(class)) => class.flags.get().mutable,
            _ => false,
        }
    }

    /// Whether an instruction has often met other types than expected.
    pub fn is_wide(&self, unit: usize, pc: u32) -> bool {
        let code = self
            .units
            .get(unit)
            .map_or(0, |u| PyRef::as_ptr(&u.code) as usize);
        self.learned
            .met
            .get(&(code, pc))
            .is_some_and(|n| *n >= OFTEN)
    }

    /// Whether code for an instruction failed that expected no certain types any more.
    pub fn fails(&self, unit: usize, pc: u32) -> bool {
        let unit = self.units.get(unit);
        unit.is_some_and(|unit| {
            let code = PyRef::as_ptr(&unit.code) as usize;
            self.learned.failing.contains(&(code, pc))
        })
    }

    /// Tells the log what is left to the interpreter's functions, and why.
    pub fn tell_effects(&self) {
        if !tracing::enabled!(tracing::Level::DEBUG) {
            return;
        }
        for (at, unit) in self.units.iter().enumerate() {
            let effects: BTreeMap<u32, &String> = unit
                .blocks
                .iter()
                .flat_map(|b| &b.effects)
                .map(|(pc, why)| (*pc, why))
                .collect();
            for (pc, why) in effects {
                let op = unit
                    .code
                    .code
                    .instrs
                    .get(pc as usize)
                    .map_or("", |i| i.op.name());
                let name = &unit.code.code.qualname;
                tracing::debug!(
                    "{name}:{} leaves {op} to the interpreter: {why}",
                    self.line(at, pc)
                );
            }
        }
    }

    /// The line of an instruction, for reports.
    pub fn line(&self, unit: usize, pc: u32) -> u32 {
        self.units.get(unit).map_or(0, |u| line_of(&u.code, pc))
    }

    /// Relies on a function's code and defaults being what they are.
    pub fn rely_on(&mut self, function: &PyRef<PyFunction>) {
        if !self
            .functions
            .iter()
            .any(|(f, _)| PyRef::ptr_eq(f, function))
        {
            self.functions
                .push((function.clone(), function.version.get()));
        }
    }

    /// Whether it works on objects rather than numbers and lists of these.
    pub fn has_objects(&self) -> bool {
        let blocks = self.units.iter().flat_map(|u| &u.blocks);
        let mut blocks = blocks.filter(|b| !b.state.rare);
        blocks.any(|b| !b.attrs.is_empty() || !b.effects.is_empty())
    }

    /// Whether the region is the body of a generator or coroutine.
    pub fn is_generator(&self) -> bool {
        self.units
            .first()
            .is_some_and(|u| u.form == Form::Generator)
    }

    /// Whether it is the body of a generator from its beginning and from elsewhere.
    pub fn begins(&self) -> bool {
        self.units.first().is_some_and(|u| u.beginning.is_some())
    }

    /// How often it has to run before compiling it costs less than it saves: the calls of a function, the iterations of a loop.
    pub fn worth(&self) -> u64 {
        let size = self.size() as u64;
        let often = (size * 12).max(500);
        // What takes long in tier 0 has paid for its compilation sooner.
        let run = self.interpreted_once().as_nanos().max(1) as u64;
        often.min((size * BLOCK_COMPILED / run).max(FEW))
    }

    /// How many blocks there are.
    pub fn size(&self) -> usize {
        self.units.iter().map(|u| u.blocks.len()).sum()
    }

    /// Whether what was assumed at compile time still holds.
    ///
    /// # Errors
    /// What does not.
    #[inline]
    pub fn look_again(&self) -> Result<(), Broken<'_>> {
        let (now, checked) = (changes(), self.checked.get());
        if checked.at == Some(now) {
            let mut others = self.guards.iter().filter(|g| !g.watched.get());
            return match checked.all_watched {
                false if let Some(guard) = others.find(|g| !g.holds()) => {
                    Err(Broken::Global(guard))
                }
                _ => Ok(()),
            };
        }
        if self.functions.iter().any(|(f, v)| f.version.get() != *v) {
            return Err(Broken::Function);
        }
        if let Some(guard) = self.guards.iter().find(|g| !g.holds()) {
            return Err(Broken::Global(guard));
        }
        self.guards.iter().for_each(Guard::watch);
        self.checked.set(Checked {
            at: Some(now),
            all_watched: self.guards.iter().all(|g| g.watched.get()),
        });
        Ok(())
    }
}

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

/// Instructions that are reached by a jump, or that follow a branch.
pub(crate) fn leaders(code: &CodeObject) -> Vec<bool> {
    let instrs = &code.code.instrs;
    let mut leaders = vec![false; instrs.len()];
    for (pc, instr) in (0u32..).zip(instrs) {
        if instr.jump_effect().is_some() {
            for at in [pc + 1, instr.arg] {
                if let Some(leader) = leaders.get_mut(at as usize) {
                    *leader = true;
                }
            }
        }
    }
    leaders
}

/// What shows all locals to code that is not seen here.
const SHOWS_LOCALS: [&str; 7] = [
    "locals",
    "vars",
    "dir",
    "eval",
    "exec",
    "_getframe",
    "breakpoint",
];

/// Locals that may be read later, exception handlers included, before each instruction.
pub(crate) fn live_locals(code: &CodeObject) -> Vec<Vec<bool>> {
    let shown = SHOWS_LOCALS
        .iter()
        .any(|s| code.names.iter().any(|n| n.as_str() == *s));
    let locals = code.code.varnames.len();
    let instrs = &code.code.instrs;
    if shown {
        return Vec::new();
    }
    let mut live = vec![vec![false; locals]; instrs.len()];
    loop {
        let mut changed = false;
        for (at, instr) in instrs.iter().enumerate().rev() {
            let pc = at as u32;
            let mut now = vec![false; locals];
            let handler = code.code.handler(pc).map(|h| h.target);
            for next in successors(pc, *instr) {
                for (bit, other) in now
                    .iter_mut()
                    .zip(live.get(next as usize).into_iter().flatten())
                {
                    *bit |= other;
                }
            }
            if let Some(bit) = now.get_mut(instr.arg as usize) {
                match instr.op {
                    Opcode::LoadFast | Opcode::DeleteFast => *bit = true,
                    Opcode::StoreFast => *bit = false,
                    _ => {}
                }
            }
            // Before the instruction has done anything, it may raise.
            for (bit, other) in now.iter_mut().zip(
                handler
                    .and_then(|h| live.get(h as usize))
                    .into_iter()
                    .flatten(),
            ) {
                *bit |= other;
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
    // `super()` reads the first argument without an instruction that does.
    if code.code.freevars.iter().any(|n| &**n == "__class__") {
        for first in live.iter_mut().filter_map(|locals| locals.first_mut()) {
            *first = true;
        }
    }
    live
}
