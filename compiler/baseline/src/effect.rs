//! What compiled code leaves to the interpreter's own functions, and goes on behind it.
//!
//! In: an instruction whose operands are of kinds that there is no code for. Out: a call that does what tier 0 does. Always:
//! an exception is raised at the instruction; where Python ran meanwhile and changed what the code relies on, the code is
//! left behind the instruction; what would look at the calling frame is tier 0's before it begins.

use cranelift_codegen::ir::{Block as IrBlock, InstBuilder, Value as Ir};
use janus_bytecode::{BinaryOp, CompareOp, Instr, Opcode};
use janus_object::ops::{Special, UnaryOp};
use janus_object::{PyRef, Value, types};
use smallvec::SmallVec;

use crate::acts::looks_at_caller;
use crate::direct::operands;
use crate::emit::{Done, Emitter, V, Why, is_equal};
use crate::kind::{Kind, tag};
use crate::lower::Helper;
use crate::program::{Program, State, Unit};
use crate::step::is_item;

/// What is done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    /// An operator.
    Binary(BinaryOp),
    /// A comparison.
    Compare(CompareOp),
    /// `a[b]`
    GetItem,
    /// `b[c] = a`
    SetItem,
    /// `a[b:c]` or `a[b:c:d]`, with the instruction that follows.
    GetSlice,
    /// `b[c:d] = a` or `b[c:d:e] = a`, likewise.
    SetSlice,
    /// `a in b`, or not.
    Contains(bool),
    /// An attribute.
    GetAttr,
    /// What a method call calls, where that is probably a method of the object, which stays on the stack.
    GetMethod,
    /// `b.name = a`
    SetAttr,
    /// A call with so many arguments.
    Call,
    /// A call of a known function in Rust, which does not look at its caller.
    CallNative,
    /// `super()`, of the class in this cell of the region's frame and of the first argument, which is an operand, too.
    Super(usize),
    /// As that, where a function in the function has the argument in this cell.
    SuperOfCell(usize, usize),
    /// `iter(a)`
    Iter,
    /// The next item.
    Next,
    /// One step of what a generator delegates to.
    Send,
    /// What `yield from`, or `await`, delegates to.
    Delegate(bool),
    /// What `def` and `lambda` make.
    MakeFunction,
    /// What is left of an operation whose method gave what is pending.
    After(Special),
    /// What is no length raises.
    BadLength,
    /// Whether two are the same object, or not.
    Is(bool),
    /// Whether it is false.
    Not,
    /// A unary operator.
    Unary(UnaryOp),
    /// `del a[b]`
    DelItem,
    /// A call with so many arguments, the last of them by name, or with a sequence and a mapping of them.
    Spread(bool),
    /// What builds or fills a container or a string.
    Build,
}

/// An act of an instruction.
pub(crate) struct Effect {
    /// What.
    pub act: Act,
    /// The instruction.
    pub instr: Instr,
    /// How many operands there are.
    pub operands: usize,
    /// The kind of the result, if there is one.
    pub gives: Option<Kind>,
    /// The unit.
    pub unit: usize,
    /// The instruction.
    pub pc: u32,
}

/// What an instruction does that tier 0's functions do for it.
pub(crate) struct Acting {
    /// What.
    pub act: Act,
    /// Its operands, by their distance from the top of the stack, which is 1.
    pub operands: SmallVec<[usize; 8]>,
    /// How many values it takes off the stack.
    pub takes: usize,
    /// The kind of what it leaves.
    pub gives: Option<Kind>,
    /// How many instructions it does; what it raises is blamed on the last of them.
    pub length: u32,
}

/// Whether a callable is the class `super`.
pub(crate) fn is_super(callable: &Value) -> bool {
    matches!(callable, Value::Class(class) if PyRef::ptr_eq(class, &types().super_))
}

/// `super()`, where the class and the first argument can be found; nothing if another thing is called.
fn super_of(program: &Program, unit: usize, instr: Instr, state: &State) -> Option<Act> {
    let callable = state.stack.len().checked_sub(2)?;
    let Some(Kind::Known(known)) = state.stack.get(callable) else {
        return None;
    };
    if instr.op != Opcode::Call
        || instr.arg != 0
        || unit != 0
        || !program.known.get(*known).is_some_and(is_super)
    {
        return None;
    }
    let code = &program.units.first()?.code.code;
    let class = code.freevars.iter().position(|n| &**n == "__class__")?;
    let class = code.cellvars.len() + class;
    let first = code.varnames.first().filter(|_| code.argcount > 0)?;
    if let Some(cell) = code.cellvars.iter().position(|n| n == first) {
        return Some(Act::SuperOfCell(class, cell));
    }
    let is_object = |k: &&Kind| is_item(k) && !matches!(k, Kind::Tuple(_) | Kind::Complex);
    state.locals.first().filter(is_object)?;
    Some(Act::Super(class))
}

/// What an instruction of a unit does that tier 0's functions do for it, if its operands are such that they can be handed
/// over.
pub(crate) fn act(program: &Program, unit: usize, pc: u32, state: &State) -> Option<Acting> {
    use Opcode as O;
    let instr = *program.units.get(unit)?.code.code.instrs.get(pc as usize)?;
    let stack = state.stack.as_slice();
    if let Some(acting) = slicing(program, unit, pc, stack) {
        return Some(acting);
    }
    if let Some(act) = super_of(program, unit, instr, state) {
        return Acting::new(
            act,
            SmallVec::from_slice(&[2, 1]),
            2,
            Some(Kind::any()),
            stack,
        );
    }
    let any = || Some(Kind::any());
    let arg = instr.arg as usize;
    if let Some(shape) = janus_interp::shape(instr.op, instr.arg) {
        let kept = shape.kept.into_iter().flatten();
        let operands: SmallVec<_> = kept.chain((1..=shape.takes).rev()).collect();
        let gives = shape.gives.then_some(match instr.op {
            O::BuildSlice => Kind::Object(tag::SLICE),
            O::BuildSet => Kind::Object(tag::SET),
            O::BuildMap => Kind::Object(tag::DICT),
            O::ListToTuple => Kind::Object(tag::TUPLE),
            _ => Kind::Object(tag::STR),
        });
        return Acting::new(Act::Build, operands, shape.takes, gives, stack);
    }
    let (act, takes, gives) = match instr.op {
        O::BinaryOp => (Act::Binary(BinaryOp::from_arg(instr.arg)?), 2, any()),
        O::CompareOp => (Act::Compare(CompareOp::from_arg(instr.arg)?), 2, any()),
        O::BinarySubscr => (Act::GetItem, 2, Some(item_kind(stack))),
        O::StoreSubscr => (Act::SetItem, 3, None),
        O::ContainsOp => (Act::Contains(arg == 0), 2, Some(Kind::Bool)),
        O::LoadMethod if program.expects_method(unit, pc) => (Act::GetMethod, 1, any()),
        O::LoadAttr | O::LoadMethod => (Act::GetAttr, 1, any()),
        O::StoreAttr => (Act::SetAttr, 2, None),
        O::Call if calls_native(program, stack, arg) => (Act::CallNative, arg + 2, any()),
        O::Call => (Act::Call, arg + 2, any()),
        O::GetIter => (Act::Iter, 1, any()),
        O::ForIter => (Act::Next, 1, any()),
        O::IsOp => (Act::Is(arg == 0), 2, Some(Kind::Bool)),
        O::UnaryNot => (Act::Not, 1, Some(Kind::Bool)),
        O::UnaryNegative => (Act::Unary(UnaryOp::Negative), 1, any()),
        O::UnaryPositive => (Act::Unary(UnaryOp::Positive), 1, any()),
        O::UnaryInvert => (Act::Unary(UnaryOp::Invert), 1, any()),
        O::DeleteSubscr => (Act::DelItem, 2, None),
        O::CallKw => (Act::Spread(true), arg + 3, any()),
        O::CallEx => (Act::Spread(false), 3 + (arg & 1), any()),
        O::GetYieldFromIter => (Act::Delegate(false), 1, any()),
        O::GetAwaitable => (Act::Delegate(true), 1, any()),
        O::Send => return Acting::new(Act::Send, SmallVec::from_slice(&[2, 1]), 1, any(), stack),
        O::MakeFunction => {
            let function = Kind::Object(tag::FUNCTION);
            (
                Act::MakeFunction,
                1 + (arg & 15).count_ones() as usize,
                Some(function),
            )
        }
        _ => return None,
    };
    let operands = (1..=takes).rev().collect();
    Acting::new(act, operands, takes, gives, stack)
}

/// Whether what is called with so many arguments is a function in Rust that does not look at its caller.
fn calls_native(program: &Program, stack: &[Kind], arguments: usize) -> bool {
    let callable = stack.len().checked_sub(arguments + 2);
    let Some(Kind::Known(known)) = callable.and_then(|at| stack.get(at)) else {
        return false;
    };
    let callable = program.known.get(*known);
    callable.is_some_and(|c| matches!(c, Value::Native(_)) && !looks_at_caller(c))
}

/// The slice that is built at an instruction and used by the next one, which makes no object of it.
fn slicing(program: &Program, unit: usize, pc: u32, stack: &[Kind]) -> Option<Acting> {
    let unit = program.units.get(unit)?;
    let instrs = &unit.code.code.instrs;
    let (built, used) = (instrs.get(pc as usize)?, instrs.get(pc as usize + 1)?);
    if built.op != Opcode::BuildSlice || !unit.is_inside(pc + 1) || unit.is_leader(pc + 1) {
        return None;
    }
    let bounds = built.arg as usize;
    let container = stack.get(stack.len().checked_sub(bounds + 1)?)?;
    let (act, takes, gives) = match used.op {
        Opcode::BinarySubscr => (Act::GetSlice, bounds + 1, Some(slice_kind(container))),
        Opcode::StoreSubscr => (Act::SetSlice, bounds + 2, None),
        _ => return None,
    };
    let operands = (1..=takes).rev().collect();
    let acting = Acting::new(act, operands, takes, gives, stack)?;
    Some(Acting {
        length: 2,
        ..acting
    })
}

/// The kind of a slice: that of what it is taken of, if that is built in.
fn slice_kind(container: &Kind) -> Kind {
    match container {
        Kind::List(_) | Kind::Object(tag::STR | tag::TUPLE) => container.clone(),
        _ => Kind::any(),
    }
}

/// The kind of `a[b]`: a slice of what is built in is of its type.
fn item_kind(stack: &[Kind]) -> Kind {
    match stack {
        [.., container, Kind::Object(tag::SLICE)] => slice_kind(container),
        _ => Kind::any(),
    }
}

impl Acting {
    fn new(
        act: Act,
        operands: SmallVec<[usize; 8]>,
        takes: usize,
        gives: Option<Kind>,
        stack: &[Kind],
    ) -> Option<Acting> {
        let calls = matches!(
            act,
            Act::Call | Act::CallNative | Act::Spread(_) | Act::Super(_) | Act::SuperOfCell(..)
        );
        let fits = operands.iter().enumerate().all(|(n, from_top)| {
            let at = stack.len().checked_sub(*from_top);
            match at.and_then(|at| stack.get(at)) {
                Some(Kind::Null) => calls && n == 1,
                // Its state is in registers.
                Some(kind) if kind.is_iterator() => false,
                None => false,
                Some(Kind::Range) => true,
                Some(kind) => is_item(kind),
            }
        });
        fits.then_some(Acting {
            act,
            operands,
            takes,
            gives,
            length: 1,
        })
    }

    /// Containers that it fills, by their distance from the top: what was known of a list's items is known no longer.
    pub fn filled(&self) -> impl Iterator<Item = usize> {
        let fills = matches!(self.act, Act::Build) && self.gives.is_none();
        let kept = self.operands.iter().copied();
        kept.filter(move |at| fills && *at > self.takes)
    }
}

/// Whether what a loop's head gives is taken apart into two by the next instruction.
pub(crate) fn takes_pairs(unit: &Unit, head: u32) -> bool {
    let next = unit.code.code.instrs.get(head as usize + 1);
    let unpacks = next.is_some_and(|i| i.op == Opcode::UnpackSequence && i.arg == 2);
    unpacks && unit.is_inside(head + 1) && unit.is_inside(head + 2)
}

/// What is known of a list that got other items.
pub(crate) fn forget_items(kind: &mut Kind) {
    if let Kind::List(item) = kind {
        **item = Kind::Keep;
    }
}

impl Emitter<'_, '_> {
    /// Has the interpreter's function do what the instruction does.
    pub(crate) fn effect(&mut self, unit: &Unit, instr: Instr) -> Done<bool> {
        let state = State {
            locals: self.locals.iter().map(|v| v.kind.clone()).collect(),
            stack: self.stack.iter().map(|v| v.kind.clone()).collect(),
            rare: false,
        };
        let Some(acting) = act(self.program, self.at, self.pc, &state) else {
            return Err(self.broken("an act"));
        };
        let (act, takes, gives) = (acting.act, acting.takes, acting.gives.clone());
        for n in &acting.operands {
            self.box_at(*n)?;
        }
        if matches!(act, Act::Call | Act::CallNative | Act::Spread(_)) {
            self.check_interrupt()?;
        }
        let ended = self.b.create_block();
        match act {
            Act::Next => self.next_without_python()?,
            Act::Send => self.send_without_python(ended)?,
            _ => {}
        }
        self.write_back(unit);
        let mut operands: Vec<V> = Vec::new();
        for n in &acting.operands {
            operands.push(self.top(*n)?);
        }
        // It is an object already, or a known one: nothing is made here.
        if let (Act::Super(_), Some(first)) = (act, self.locals.first()) {
            let first = first.clone();
            operands.push(self.boxed(first)?);
        }
        let mut leaves: Vec<Ir> = Vec::new();
        for v in &operands {
            leaves.extend(self.as_value(v));
        }
        self.store_words(&leaves);
        let number = self.tables.effects.len();
        let index = self.int(number as i64);
        self.tables.effects.push(Effect {
            act,
            instr,
            operands: operands.len(),
            gives: gives.clone(),
            unit: self.at,
            pc: self.pc + acting.length - 1,
        });
        let goes_on = self.int(i64::from(unit.names.is_empty()));
        let call = self.call_helper(Helper::Effect, &[self.ctx, index, self.depth, goes_on]);
        let &[status] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        let (odd, fine) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(odd);
        self.b.ins().brif(status, odd, &[], fine, &[]);
        self.b.switch_to_block(odd);
        let before = (self.locals.clone(), self.stack.clone());
        let depth = self.stack.len();
        for from_top in acting.filled() {
            let at = depth.checked_sub(from_top);
            if let Some(v) = at.and_then(|at| self.stack.get_mut(at)) {
                forget_items(&mut v.kind);
            }
        }
        let before = (before.0, self.stack.clone());
        let on = Places { fine, ended };
        self.odd(status, number, &acting, on)?;
        (self.locals, self.stack) = before.clone();
        self.b.switch_to_block(fine);
        let leaves = match &gives {
            Some(kind) => self.load_words(kind, 0),
            None => Vec::new(),
        };
        if matches!(act, Act::Next) {
            let item = V::new(Kind::any(), leaves);
            self.stack.push(item);
            self.goto(self.pc + 1)?;
            self.b.switch_to_block(ended);
            (self.locals, self.stack) = before;
            self.pop(1);
            self.release_dropped(instr.arg)?;
            if let Some(same) = self.names_are_same(unit) {
                let (on, changed) = (self.b.create_block(), self.b.create_block());
                self.b.set_cold_block(changed);
                self.b.ins().brif(same, on, &[], changed, &[]);
                self.b.switch_to_block(changed);
                let before = (self.locals.clone(), self.stack.clone());
                self.forget_names(unit);
                self.exit(instr.arg, None, false);
                (self.locals, self.stack) = before;
                self.b.switch_to_block(on);
            }
            self.goto(instr.arg)?;
            return Ok(false);
        }
        if matches!(act, Act::Send) {
            let value = V::new(Kind::any(), leaves);
            self.pop(1);
            self.stack.push(value);
            self.release_dropped(self.pc + 1)?;
            self.goto(self.pc + 1)?;
            self.b.switch_to_block(ended);
            (self.locals, self.stack) = before;
            let value = self.load_words(&Kind::any(), 0);
            self.replace(2, V::new(Kind::any(), value));
            self.release_dropped(instr.arg)?;
            self.goto(instr.arg)?;
            return Ok(false);
        }
        if let (Act::GetMethod, Some(kind)) = (act, &gives) {
            let below = self.stack.len().saturating_sub(1);
            self.stack.insert(below, V::new(kind.clone(), leaves));
            return Ok(true);
        }
        self.pop(takes);
        if let Some(kind) = gives {
            self.stack.push(V::new(kind, leaves));
        }
        if instr.op == Opcode::LoadMethod {
            self.stack.push(V::bare(Kind::Null));
        }
        if acting.length > 1 {
            let next = self.pc + acting.length;
            self.release_dropped(next)?;
            self.goto(next)?;
            return Ok(false);
        }
        Ok(true)
    }

    /// The next item, or the two parts of one that is taken apart at once, where that needs no Python; goes on where it does.
    fn next_without_python(&mut self) -> Done {
        let iterator = self.top(1)?;
        let leaves = self.as_value(&iterator);
        let (&[tag, bits], before) = (leaves.as_slice(), self.stack.clone()) else {
            return Err(self.broken("an iterator"));
        };
        let locals = self.locals.clone();
        if takes_pairs(self.unit()?, self.pc) {
            let call = self.call_helper(Helper::NextPair, &[self.ctx, tag, bits]);
            let &[status] = self.b.inst_results(call) else {
                return Err(self.broken("call"));
            };
            self.where_equal(status, SIMPLE_ITEM, |e| {
                for n in [1, 0] {
                    let leaves = e.load_words(&Kind::any(), 2 * n);
                    e.stack.push(V::new(Kind::any(), leaves));
                }
                e.goto(e.pc + 2)
            })?;
            (self.locals, self.stack) = (locals.clone(), before.clone());
        }
        // The body of a generator may read and assign names that the region keeps in variables.
        let keeps_names = self
            .program
            .units
            .first()
            .is_none_or(|u| !u.names.is_empty());
        let asks_generators = self.int(i64::from(!keeps_names));
        let args = [self.ctx, tag, bits, asks_generators];
        let call = self.call_helper(Helper::NextSimple, &args);
        let &[status] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        self.where_equal(status, SIMPLE_ITEM, |e| {
            let leaves = e.load_words(&Kind::any(), 0);
            e.stack.push(V::new(Kind::any(), leaves));
            e.goto(e.pc + 1)
        })?;
        (self.locals, self.stack) = (locals.clone(), before.clone());
        // No Python ran that could have assigned names, which were not written to where they live.
        self.where_equal(status, SIMPLE_END, |e| {
            let end = e.end_of_loop()?;
            e.pop(1);
            e.release_dropped(end)?;
            e.goto(end)
        })?;
        (self.locals, self.stack) = (locals.clone(), before.clone());
        self.where_equal(status, SIMPLE_ITEM_LEAVE, |e| {
            let leaves = e.load_words(&Kind::any(), 0);
            e.stack.push(V::new(Kind::any(), leaves));
            e.exit(e.pc + 1, None, false);
            Ok(())
        })?;
        (self.locals, self.stack) = (locals.clone(), before.clone());
        self.where_equal(status, SIMPLE_END_LEAVE, |e| {
            let end = e.end_of_loop()?;
            e.pop(1);
            // Tier 0 looks at what is owed first.
            e.let_go();
            e.exit(end, None, false);
            Ok(())
        })?;
        (self.locals, self.stack) = (locals, before);
        Ok(())
    }

    /// Where the instruction goes on whose iterator is at its end.
    fn end_of_loop(&self) -> Done<u32> {
        let instr = self.unit()?.code.code.instrs.get(self.pc as usize);
        instr
            .map(|i| i.arg)
            .ok_or_else(|| self.broken("pc outside code"))
    }

    /// One step of what is delegated to, where that needs no Python; goes on where it does.
    fn send_without_python(&mut self, ended: IrBlock) -> Done {
        let (iterator, sent) = (self.top(2)?, self.top(1)?);
        let mut args = vec![self.ctx];
        args.extend(self.as_value(&iterator));
        args.extend(self.as_value(&sent));
        let before = (self.locals.clone(), self.stack.clone());
        let call = self.call_helper(Helper::SendSimple, &args);
        let &[status] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        self.where_equal(status, SIMPLE_ITEM, |e| {
            let leaves = e.load_words(&Kind::any(), 0);
            e.replace(1, V::new(Kind::any(), leaves));
            e.release_dropped(e.pc + 1)?;
            e.goto(e.pc + 1)
        })?;
        (self.locals, self.stack) = before.clone();
        for (leaves_by, takes) in [(SIMPLE_ITEM_LEAVE, 1), (SIMPLE_END_LEAVE, 2)] {
            self.where_equal(status, leaves_by, |e| {
                let on = match takes {
                    1 => e.pc + 1,
                    _ => e.end_of_loop()?,
                };
                let leaves = e.load_words(&Kind::any(), 0);
                e.replace(takes, V::new(Kind::any(), leaves));
                e.let_go();
                e.exit(on, None, false);
                Ok(())
            })?;
            (self.locals, self.stack) = before.clone();
        }
        self.where_equal(status, SIMPLE_END, |e| {
            e.b.ins().jump(ended, &[]);
            Ok(())
        })
    }

    /// The method of an operation gave another result than expected, which is pending: if that is not what the operation gives,
    /// it becomes that. Takes the operands off.
    pub(crate) fn operator_after(&mut self, special: Special) -> Done {
        let mut leaves = Vec::new();
        for from_top in operands(special) {
            let operand = self.top(*from_top)?;
            leaves.extend(self.as_value(&operand));
        }
        let status = self.act(Act::After(special), &leaves)?;
        let (raised, on) = (self.b.create_block(), self.b.create_block());
        let is_raised = is_equal(self, status, RAISED);
        self.b.ins().brif(is_raised, raised, &[], on, &[]);
        self.b.switch_to_block(raised);
        let before = (self.locals.clone(), self.stack.clone());
        // What ran before it raised may have assigned them.
        let unit = self.unit()?;
        self.forget_names(unit);
        self.exit(self.pc, None, true);
        (self.locals, self.stack) = before;
        self.b.switch_to_block(on);
        self.pop(special.taken());
        self.let_go();
        Ok(())
    }

    /// `__len__` gave what is no length: raises.
    pub(crate) fn bad_length(&mut self, length: &V) -> Done {
        let leaves = self.as_value(length);
        self.act(Act::BadLength, &leaves)?;
        let unit = self.unit()?;
        self.forget_names(unit);
        self.exit(self.pc, None, true);
        Ok(())
    }

    /// Has the interpreter do something with values, whose words these are; the status.
    fn act(&mut self, act: Act, leaves: &[Ir]) -> Done<Ir> {
        let unit = self.unit()?;
        let Some(&instr) = unit.code.code.instrs.get(self.pc as usize) else {
            return Err(self.broken("pc outside code"));
        };
        self.store_words(leaves);
        let index = self.int(self.tables.effects.len() as i64);
        self.tables.effects.push(Effect {
            act,
            instr,
            operands: leaves.len() / 2,
            gives: None,
            unit: self.at,
            pc: self.pc,
        });
        let goes_on = self.int(0);
        let call = self.call_helper(Helper::Effect, &[self.ctx, index, self.depth, goes_on]);
        match self.b.inst_results(call) {
            &[status] => Ok(status),
            _ => Err(self.broken("call")),
        }
    }

    /// The two words of a value as it lies in memory.
    pub(crate) fn as_value(&mut self, v: &V) -> [Ir; 2] {
        if v.kind == Kind::Null {
            let null = self.int(null_tag());
            return [null, null];
        }
        [self.tag_of(v), self.bits(v)]
    }

    /// Goes where a status that is not 0 leads to.
    fn odd(&mut self, status: Ir, number: usize, acting: &Acting, on: Places) -> Done {
        let unit = self.unit()?;
        let (act, takes) = (acting.act, acting.takes);
        let before = (self.locals.clone(), self.stack.clone());
        self.where_equal(status, RAISED, |e| {
            // What ran before it raised may have assigned them.
            e.forget_names(unit);
            e.exit(e.pc + acting.length - 1, None, true);
            Ok(())
        })?;
        (self.locals, self.stack) = before.clone();
        if matches!(act, Act::Next | Act::Send) {
            self.where_equal(status, ENDED, |e| {
                e.b.ins().jump(on.ended, &[]);
                Ok(())
            })?;
            self.where_equal(status, ENDED_LEAVE, |e| {
                e.forget_names(unit);
                match act {
                    Act::Send => e.replace(2, V::bare(Kind::Pending)),
                    _ => e.pop(1),
                }
                e.let_go();
                let end = e.end_of_loop()?;
                e.exit(end, None, false);
                Ok(())
            })?;
            (self.locals, self.stack) = before.clone();
        }
        self.where_equal(status, BEFORE, |e| {
            let why = Why::new("a call", "one that looks at its caller");
            e.exit(e.pc, Some(why), false);
            Ok(())
        })?;
        if let Some(same) = self.names_are_same(unit) {
            let leave = self.b.create_block();
            self.where_equal(status, ASK, |e| {
                let arrive = e.b.create_block();
                e.b.ins().brif(same, arrive, &[], leave, &[]);
                e.b.switch_to_block(arrive);
                e.arrive(number, 1, on.fine, leave)
            })?;
            self.b.ins().jump(leave, &[]);
            self.b.switch_to_block(leave);
        }
        // Done, but the code must be left.
        self.forget_names(unit);
        if matches!(act, Act::Next) {
            self.stack.push(V::bare(Kind::Pending));
        } else {
            self.pop(takes);
            // Whatever is owed then: tier 0 looks at it first.
            self.let_go();
            if acting.gives.is_some() {
                self.stack.push(V::bare(Kind::Pending));
            }
            let op = unit.code.code.instrs.get(self.pc as usize).map(|i| i.op);
            if op == Some(Opcode::LoadMethod) {
                self.stack.push(V::bare(Kind::Null));
            }
        }
        let why = matches!(act, Act::GetMethod)
            .then(|| Why::new("a method of an object", "another attribute"));
        self.exit(self.pc + acting.length, why, false);
        Ok(())
    }
}

/// Where an effect goes on.
#[derive(Clone, Copy)]
struct Places {
    /// Its result is in the words of the context.
    fine: IrBlock,
    /// There is no next item.
    ended: IrBlock,
}

/// The tag of no value.
pub(crate) fn null_tag() -> i64 {
    let none: Option<Value> = None;
    // SAFETY: the first byte of a value is its tag, and that of no value is one that values do not have.
    i64::from(unsafe { std::ptr::from_ref(&none).cast::<u8>().read() })
}

/// There is an item that an iterator gave without Python.
pub(crate) const SIMPLE_ITEM: u32 = 1;
/// Such an iterator is at its end.
pub(crate) const SIMPLE_END: u32 = 2;

/// As [`SIMPLE_ITEM`], and the code is to be left.
pub(crate) const SIMPLE_ITEM_LEAVE: u32 = 3;
/// As [`SIMPLE_END`], likewise.
pub(crate) const SIMPLE_END_LEAVE: u32 = 4;

/// It did not begin.
pub(crate) const BEFORE: u32 = 1;
/// It raised.
pub(crate) const RAISED: u32 = 2;
/// It is done, and the code is to be left.
pub(crate) const LEAVE: u32 = 3;
/// There is no next item.
pub(crate) const ENDED: u32 = 4;
/// As that, and the code is to be left.
pub(crate) const ENDED_LEAVE: u32 = 5;
/// It is done, its result is pending, and Python ran that may have assigned names that the code keeps in variables.
pub(crate) const ASK: u32 = 6;
