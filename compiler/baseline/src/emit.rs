//! Bytecode to CLIF.
//!
//! In: a unit with its kinds ([`crate::flow`]). Out: a function's body and its exits. Always: no
//! effect of an instruction happens before its last check, so that an exit describes the frame
//! before the instruction; machine code writes only to the words of its context.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{
    Block, FuncRef, InstBuilder, MemFlagsData as MemFlags, Type, Value as Ir,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use janus_bytecode::{CompareOp, Opcode};
use janus_object::Value;

use crate::flow::{Callee, Program, Source, State, Unit, line_of};
use crate::kind::{Kind, Load, load_of, tag};
use crate::layout::{DEPTH, LIMIT, SLOTS, word};
use crate::{Refused, arith};

/// Why an exit was taken.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    /// An int left 64 bits.
    pub overflow: bool,
    /// What the code relied on.
    pub expected: String,
    /// What it met.
    pub actual: String,
}

impl Why {
    pub(crate) fn overflow() -> Why {
        Why {
            overflow: true,
            expected: "an int within 64 bits".into(),
            actual: "a larger int".into(),
        }
    }

    pub(crate) fn new(expected: &str, actual: &str) -> Why {
        Why {
            overflow: false,
            expected: expected.into(),
            actual: actual.into(),
        }
    }
}

/// A way out: how to rebuild the frame out of the context's words.
pub(crate) struct Exit {
    /// Where tier 0 goes on.
    pub pc: u32,
    /// The unit.
    pub unit: usize,
    /// Kinds of the locals and names.
    pub locals: Vec<Kind>,
    /// Kinds of the stack.
    pub stack: Vec<Kind>,
    /// Why, unless the region simply ended.
    pub why: Option<Why>,
    /// An exception is raised at `pc`.
    pub raise: bool,
}

/// A direct call, for what happens when the callee leaves its code.
pub(crate) struct CallSite {
    /// The calling unit.
    pub unit: usize,
    /// The call.
    pub pc: u32,
    /// The kind of its result.
    pub result: Kind,
}

/// A value: what is known of it, and its machine values.
#[derive(Clone, Debug)]
pub(crate) struct V {
    pub kind: Kind,
    pub leaves: Vec<Ir>,
}

impl V {
    pub(crate) fn new(kind: Kind, leaves: Vec<Ir>) -> V {
        V { kind, leaves }
    }

    pub(crate) fn one(kind: Kind, leaf: Ir) -> V {
        V {
            kind,
            leaves: vec![leaf],
        }
    }
}

/// Functions that generated code calls.
pub(crate) struct Imports {
    pub list_get: FuncRef,
    pub list_next: FuncRef,
    pub list_set: FuncRef,
    pub list_len: FuncRef,
    pub binary: FuncRef,
    pub math: FuncRef,
    pub callee_exit: FuncRef,
    pub units: Vec<FuncRef>,
}

/// What all units of a region add to.
#[derive(Default)]
pub(crate) struct Tables {
    pub exits: Vec<Exit>,
    pub sites: Vec<CallSite>,
    /// Words of the context that exits write.
    pub words: usize,
}

pub(crate) struct Emitter<'a, 'b> {
    pub program: &'a Program,
    pub at: usize,
    pub b: &'a mut FunctionBuilder<'b>,
    pub tables: &'a mut Tables,
    pub imports: &'a Imports,
    pub ctx: Ir,
    pub depth: Ir,
    pub pc: u32,
    pub locals: Vec<V>,
    pub stack: Vec<V>,
    blocks: HashMap<u32, Block>,
    vars: HashMap<(usize, usize, Type), Variable>,
}

type Done<T = ()> = Result<T, Refused>;

impl<'a, 'b> Emitter<'a, 'b> {
    pub fn new(
        program: &'a Program,
        at: usize,
        b: &'a mut FunctionBuilder<'b>,
        tables: &'a mut Tables,
        imports: &'a Imports,
        ctx: Ir,
        depth: Ir,
    ) -> Self {
        Emitter {
            program,
            at,
            b,
            tables,
            imports,
            ctx,
            depth,
            pc: 0,
            locals: Vec::new(),
            stack: Vec::new(),
            blocks: HashMap::new(),
            vars: HashMap::new(),
        }
    }

    fn unit(&self) -> Done<&'a Unit> {
        self.program
            .units
            .get(self.at)
            .ok_or_else(|| Refused::new("a missing unit", 0))
    }

    pub(crate) fn broken(&self, what: &str) -> Refused {
        let line = self
            .program
            .units
            .get(self.at)
            .map_or(0, |u| line_of(&u.code, self.pc));
        Refused::new(format!("{what} (a defect of tier 1)"), line)
    }

    /// Emits the body; the values are those of the entry state.
    pub fn body(&mut self, locals: Vec<V>, stack: Vec<V>) -> Done {
        let unit = self.unit()?;
        self.locals = locals;
        self.stack = stack;
        self.pc = unit.start;
        self.find_blocks(unit);
        self.goto(unit.start)?;
        let mut open = false;
        for (pc, state) in (0u32..).zip(&unit.states) {
            let Some(state) = state else {
                open = false;
                continue;
            };
            self.pc = pc;
            if let Some(&block) = self.blocks.get(&pc) {
                if open {
                    self.goto(pc)?;
                }
                self.b.switch_to_block(block);
                self.enter(state);
            }
            open = self.instruction(unit, pc)?;
            // The next instruction is reached by falling through only if it is inside.
            let next = pc + 1;
            if open && !self.reached(unit, next) {
                self.pc = next;
                self.exit(next, None, false);
                open = false;
            }
        }
        Ok(())
    }

    fn reached(&self, unit: &Unit, pc: u32) -> bool {
        unit.states.get(pc as usize).is_some_and(Option::is_some)
    }

    /// A block for each instruction that is jumped to.
    fn find_blocks(&mut self, unit: &Unit) {
        let mut starts = vec![unit.start];
        for (pc, instr) in (0u32..).zip(&unit.code.code.instrs) {
            if self.reached(unit, pc) && instr.jump_effect().is_some() {
                starts.extend([pc + 1, instr.arg]);
            }
        }
        for pc in starts {
            if self.reached(unit, pc) && !self.blocks.contains_key(&pc) {
                let block = self.b.create_block();
                self.blocks.insert(pc, block);
            }
        }
    }

    /// Reads the variables at the start of a block.
    fn enter(&mut self, state: &State) {
        let count = state.locals.len();
        self.locals = (0..count)
            .zip(&state.locals)
            .map(|(i, k)| self.read(i, k))
            .collect();
        self.stack = (count..)
            .zip(&state.stack)
            .map(|(i, k)| self.read(i, k))
            .collect();
    }

    fn read(&mut self, slot: usize, kind: &Kind) -> V {
        let mut types = Vec::new();
        kind.leaves(&mut types);
        let leaves = (0..).zip(types).map(|(i, ty)| {
            let var = self.var(slot, i, ty);
            self.b.use_var(var)
        });
        V::new(kind.clone(), leaves.collect())
    }

    fn var(&mut self, slot: usize, leaf: usize, ty: Type) -> Variable {
        let b = &mut *self.b;
        *self
            .vars
            .entry((slot, leaf, ty))
            .or_insert_with(|| b.declare_var(ty))
    }

    /// Goes to an instruction, or out if it is outside.
    fn goto(&mut self, pc: u32) -> Done {
        let unit = self.unit()?;
        let Some(state) = unit
            .states
            .get(pc as usize)
            .and_then(Option::as_ref)
            .filter(|_| unit.inside.get(pc as usize).copied().unwrap_or(false))
        else {
            self.exit(pc, None, false);
            return Ok(());
        };
        let Some(&block) = self.blocks.get(&pc) else {
            return Err(self.broken("no block"));
        };
        let count = self.locals.len();
        let values: Vec<(usize, V, Kind)> = (0..)
            .zip(
                self.locals
                    .iter()
                    .cloned()
                    .zip(state.locals.iter().cloned()),
            )
            .chain((count..).zip(self.stack.iter().cloned().zip(state.stack.iter().cloned())))
            .map(|(slot, (v, kind))| (slot, v, kind))
            .collect();
        for (slot, v, kind) in values {
            let v = self.coerce(v, &kind)?;
            let mut types = Vec::new();
            kind.leaves(&mut types);
            for ((i, ty), leaf) in (0..).zip(types).zip(v.leaves) {
                let var = self.var(slot, i, ty);
                self.b.def_var(var, leaf);
            }
        }
        self.b.ins().jump(block, &[]);
        Ok(())
    }

    /// The representation of a value as a kind that covers its own.
    fn coerce(&mut self, v: V, kind: &Kind) -> Done<V> {
        if v.kind == *kind {
            return Ok(v);
        }
        match (&v.kind, kind) {
            (Kind::List(_), Kind::List(_))
            | (Kind::ListIter(_), Kind::ListIter(_))
            | (Kind::Dyn { .. }, Kind::Dyn { .. }) => Ok(V::new(kind.clone(), v.leaves)),
            (Kind::Tuple(from), Kind::Tuple(to)) if from.len() == to.len() => {
                let mut leaves = Vec::new();
                for (item, to) in split(&v).into_iter().zip(to) {
                    leaves.extend(self.coerce(item, to)?.leaves);
                }
                Ok(V::new(kind.clone(), leaves))
            }
            (from, Kind::Dyn { .. }) => {
                let Some(tag) = from.tag() else {
                    return Err(self.broken("a kind without tag"));
                };
                let tag = self.int(i64::from(tag));
                let payload = self.bits(&v);
                Ok(V::new(kind.clone(), vec![tag, payload]))
            }
            (from, to) => {
                let what = format!("{} where {} is due", from.name(), to.name());
                Err(self.broken(&what))
            }
        }
    }

    /// The payload as 64 bits.
    pub(crate) fn bits(&mut self, v: &V) -> Ir {
        match (&v.kind, v.leaves.as_slice()) {
            (Kind::Float, [x]) => self.b.ins().bitcast(I64, MemFlags::new(), *x),
            (Kind::Bool, [x]) => self.b.ins().uextend(I64, *x),
            (Kind::Dyn { .. }, [_, x]) | (_, [x]) => *x,
            _ => self.int(0),
        }
    }

    /// The machine values of 64 bits of payload.
    pub(crate) fn from_bits(&mut self, kind: &Kind, bits: Ir) -> V {
        let leaves = match kind {
            Kind::Float => vec![self.b.ins().bitcast(F64, MemFlags::new(), bits)],
            Kind::Bool => vec![self.b.ins().ireduce(I8, bits)],
            Kind::Int | Kind::List(_) => vec![bits],
            _ => Vec::new(),
        };
        V::new(kind.clone(), leaves)
    }

    pub(crate) fn int(&mut self, i: i64) -> Ir {
        self.b.ins().iconst(I64, i)
    }

    // ---- exits ---------------------------------------------------------------------------

    /// Leaves with the present values.
    fn exit(&mut self, pc: u32, why: Option<Why>, raise: bool) {
        let mut at = SLOTS;
        let leaves: Vec<Ir> = self
            .locals
            .iter()
            .chain(&self.stack)
            .flat_map(|v| v.leaves.iter().copied())
            .collect();
        for leaf in leaves {
            self.b
                .ins()
                .store(MemFlags::trusted(), leaf, self.ctx, word(at));
            at += 1;
        }
        self.tables.words = self.tables.words.max(at);
        self.tables.exits.push(Exit {
            pc,
            unit: self.at,
            locals: self.locals.iter().map(|v| v.kind.clone()).collect(),
            stack: self.stack.iter().map(|v| v.kind.clone()).collect(),
            why,
            raise,
        });
        let status = self.int(self.tables.exits.len() as i64);
        self.leave(status, None);
    }

    /// Returns a status, and a result.
    fn leave(&mut self, status: Ir, result: Option<Ir>) {
        let mut values = vec![status];
        if self
            .program
            .units
            .get(self.at)
            .is_some_and(|u| u.head.is_none())
        {
            let ty = self
                .program
                .units
                .get(self.at)
                .and_then(|u| result_type(u.result.as_ref()));
            match (result, ty) {
                (Some(r), Some(_)) => values.push(r),
                (None, Some(F64)) => values.push(self.b.ins().f64const(0.0)),
                (None, Some(ty)) => values.push(self.b.ins().iconst(ty, 0)),
                (_, None) => {}
            }
        }
        self.b.ins().return_(&values);
    }

    /// Leaves for tier 0 before this instruction if `condition` is not 0.
    pub(crate) fn deopt_if(&mut self, condition: Ir, why: Why) {
        let (out, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(out);
        self.b.ins().brif(condition, out, &[], on, &[]);
        self.b.switch_to_block(out);
        self.exit(self.pc, Some(why), false);
        self.b.switch_to_block(on);
    }

    // ---- instructions --------------------------------------------------------------------

    pub(crate) fn top(&self, n: usize) -> Done<V> {
        self.stack
            .len()
            .checked_sub(n)
            .and_then(|i| self.stack.get(i))
            .cloned()
            .ok_or_else(|| self.broken("corrupt stack"))
    }

    pub(crate) fn replace(&mut self, pops: usize, v: V) {
        let len = self.stack.len().saturating_sub(pops);
        self.stack.truncate(len);
        self.stack.push(v);
    }

    /// Emits one instruction; whether control reaches the next one.
    fn instruction(&mut self, unit: &Unit, pc: u32) -> Done<bool> {
        use Opcode as O;
        if let Some(reason) = unit.exits.get(&pc) {
            self.exit(pc, Some(Why::new("code that is rarely run", reason)), false);
            return Ok(false);
        }
        let Some(&instr) = unit.code.code.instrs.get(pc as usize) else {
            return Err(self.broken("pc outside code"));
        };
        let arg = instr.arg as usize;
        let seen = unit.code.profile.site(pc).map_or(0, |s| s.types.get());
        match instr.op {
            O::Nop | O::LoopHead => {}
            O::PopTop => {
                self.stack.pop();
            }
            O::Copy => {
                let v = self.top(arg)?;
                self.stack.push(v);
            }
            O::Swap => {
                let len = self.stack.len();
                match len.checked_sub(arg) {
                    Some(i) if i < len => self.stack.swap(i, len - 1),
                    _ => return Err(self.broken("corrupt stack")),
                }
            }
            O::PushNull => self.stack.push(V::new(Kind::Null, Vec::new())),
            O::LoadConst => {
                let Some(value) = unit.code.consts.get(arg) else {
                    return Err(self.broken("constant"));
                };
                let v = self.constant(value)?;
                self.stack.push(v);
            }
            O::LoadFast => self.load(arg, seen)?,
            O::StoreFast => self.store(arg)?,
            O::LoadGlobal | O::LoadName => match unit.loads.get(&pc) {
                Some(Source::Slot(slot)) => self.load(*slot, seen)?,
                _ => self.load_source(unit, pc)?,
            },
            O::StoreGlobal | O::StoreName => {
                let name = unit.code.names.get(arg);
                let slot = unit.names.iter().position(|n| Some(&n.name) == name);
                let Some(slot) = slot else {
                    return Err(self.broken("name"));
                };
                self.store(unit.code.code.varnames.len() + slot)?;
            }
            O::LoadAttr | O::LoadMethod => {
                self.stack.pop();
                self.load_source(unit, pc)?;
                if instr.op == O::LoadMethod {
                    self.stack.push(V::new(Kind::Null, Vec::new()));
                }
            }
            O::Call => match unit.calls.get(&pc) {
                Some(Callee::Unit(callee)) => return self.call_unit(*callee, arg),
                Some(callee) => {
                    let result = arith::call(self, callee, arg)?;
                    self.replace(arg + 2, result);
                }
                // Its result is not known since it never returns.
                None => {
                    self.exit(
                        pc,
                        Some(Why::new("a call that returns", "nothing known")),
                        false,
                    );
                    return Ok(false);
                }
            },
            O::BinaryOp => {
                let result = arith::binary(self, instr.arg)?;
                self.replace(2, result);
            }
            O::CompareOp => {
                let op = CompareOp::from_arg(instr.arg).ok_or_else(|| self.broken("comparison"))?;
                let result = arith::compare(self, op)?;
                self.replace(2, V::one(Kind::Bool, result));
            }
            O::IsOp => {
                let (a, b) = (self.top(2)?, self.top(1)?);
                let same = a.kind == Kind::None && b.kind == Kind::None;
                let result = self.b.ins().iconst(I8, i64::from(same == (arg == 0)));
                self.replace(2, V::one(Kind::Bool, result));
            }
            O::UnaryNot => {
                let v = self.top(1)?;
                let truth = arith::truth(self, &v)?;
                let result = self.b.ins().bxor_imm_s(truth, 1);
                self.replace(1, V::one(Kind::Bool, result));
            }
            O::UnaryNegative | O::UnaryPositive | O::UnaryInvert => {
                let result = arith::unary(self, instr.op)?;
                self.replace(1, result);
            }
            O::BinarySubscr => {
                let (list, index) = (self.top(2)?, self.top(1)?);
                let item = arith::item(self, &list, &index)?;
                self.replace(2, item);
            }
            O::StoreSubscr => {
                let (value, list, index) = (self.top(3)?, self.top(2)?, self.top(1)?);
                arith::set_item(self, &value, &list, &index)?;
                let len = self.stack.len().saturating_sub(3);
                self.stack.truncate(len);
            }
            O::BuildTuple => {
                let Some(at) = self.stack.len().checked_sub(arg) else {
                    return Err(self.broken("stack"));
                };
                let items = self.stack.split_off(at);
                let kinds = items.iter().map(|v| v.kind.clone()).collect();
                let leaves = items.into_iter().flat_map(|v| v.leaves).collect();
                self.stack.push(V::new(Kind::Tuple(kinds), leaves));
            }
            O::UnpackSequence => {
                let tuple = self.top(1)?;
                self.stack.pop();
                self.stack.extend(split(&tuple).into_iter().rev());
            }
            O::GetIter => {
                let v = self.top(1)?;
                let iterator = arith::iterator(self, &v)?;
                self.replace(1, iterator);
            }
            O::ForIter => {
                self.for_iter(instr.arg)?;
                return Ok(false);
            }
            O::Jump | O::JumpBackward => {
                self.goto(instr.arg)?;
                return Ok(false);
            }
            O::PopJumpIfFalse
            | O::PopJumpIfTrue
            | O::JumpIfFalseOrPop
            | O::JumpIfTrueOrPop
            | O::PopJumpIfNone
            | O::PopJumpIfNotNone => {
                let v = self.top(1)?;
                let jumps = match instr.op {
                    O::PopJumpIfNone | O::PopJumpIfNotNone => {
                        let is = (v.kind == Kind::None) == (instr.op == O::PopJumpIfNone);
                        self.b.ins().iconst(I8, i64::from(is))
                    }
                    _ => arith::truth(self, &v)?,
                };
                let keeps = matches!(instr.op, O::JumpIfFalseOrPop | O::JumpIfTrueOrPop);
                let on_zero = matches!(instr.op, O::PopJumpIfFalse | O::JumpIfFalseOrPop);
                let (jump, on) = (self.b.create_block(), self.b.create_block());
                let (yes, no) = if on_zero { (on, jump) } else { (jump, on) };
                self.b.ins().brif(jumps, yes, &[], no, &[]);
                let popped = self.stack.len().saturating_sub(1);
                let whole = self.stack.clone();
                self.b.switch_to_block(jump);
                if !keeps {
                    self.stack.truncate(popped);
                }
                self.goto(instr.arg)?;
                self.b.switch_to_block(on);
                self.stack = whole;
                self.stack.truncate(popped);
                self.goto(pc + 1)?;
                return Ok(false);
            }
            O::ReturnValue => {
                let v = self.top(1)?;
                let zero = self.int(0);
                self.leave(zero, v.leaves.first().copied());
                return Ok(false);
            }
            other => return Err(self.broken(other.name())),
        }
        Ok(true)
    }

    pub(crate) fn constant(&mut self, value: &Value) -> Done<V> {
        Ok(match value {
            Value::None => V::new(Kind::None, Vec::new()),
            Value::Bool(b) => {
                let b = self.b.ins().iconst(I8, i64::from(*b));
                V::one(Kind::Bool, b)
            }
            Value::Int(i) => {
                let i = self.int(*i);
                V::one(Kind::Int, i)
            }
            Value::Float(x) => {
                let x = self.b.ins().f64const(*x);
                V::one(Kind::Float, x)
            }
            Value::Tuple(t) => {
                let (mut kinds, mut leaves) = (Vec::new(), Vec::new());
                for item in t.items.iter() {
                    let v = self.constant(item)?;
                    kinds.push(v.kind);
                    leaves.extend(v.leaves);
                }
                V::new(Kind::Tuple(kinds), leaves)
            }
            other => match self
                .program
                .known
                .iter()
                .position(|k| janus_object::ops::is(k, other))
            {
                Some(k) => V::new(Kind::Known(k), Vec::new()),
                None => return Err(self.broken("an unknown constant")),
            },
        })
    }

    fn load_source(&mut self, unit: &Unit, pc: u32) -> Done {
        let v = match unit.loads.get(&pc) {
            Some(Source::Known(k)) => V::new(Kind::Known(*k), Vec::new()),
            Some(Source::Const(value)) => self.constant(value)?,
            _ => return Err(self.broken("a load without source")),
        };
        self.stack.push(v);
        Ok(())
    }

    fn load(&mut self, slot: usize, seen: u32) -> Done {
        let Some(v) = self.locals.get(slot).cloned() else {
            return Err(self.broken("variable"));
        };
        let Some((plan, kind)) = load_of(&v.kind, seen) else {
            return Err(self.broken("unset variable"));
        };
        let loaded = match (plan, v.leaves.as_slice()) {
            (Load::Plain, _) => v,
            (Load::Expect(tag), &[actual, payload]) => {
                let wrong = self
                    .b
                    .ins()
                    .icmp_imm_s(IntCC::NotEqual, actual, i64::from(tag));
                self.deopt_if(wrong, Why::new(kind.name(), "another type"));
                self.from_bits(&kind, payload)
            }
            (Load::Set(_), &[actual, payload]) => {
                let least = i64::from(tag::NONE);
                let unset = self
                    .b
                    .ins()
                    .icmp_imm_s(IntCC::SignedLessThan, actual, least);
                self.deopt_if(unset, Why::new("a number", "unset"));
                V::new(kind, vec![actual, payload])
            }
            _ => return Err(self.broken("variable")),
        };
        if let Some(slot) = self.locals.get_mut(slot) {
            *slot = loaded.clone();
        }
        self.stack.push(loaded);
        Ok(())
    }

    fn store(&mut self, slot: usize) -> Done {
        let v = self.top(1)?;
        self.stack.pop();
        match self.locals.get_mut(slot) {
            Some(local) => *local = v,
            None => return Err(self.broken("variable")),
        }
        Ok(())
    }

    fn for_iter(&mut self, end: u32) -> Done {
        let iterator = self.top(1)?;
        let (on, done) = (self.b.create_block(), self.b.create_block());
        let before = self.stack.clone();
        let pushed = match (&iterator.kind, iterator.leaves.as_slice()) {
            (Kind::RangeIter, &[next, step, remaining]) => {
                self.b.ins().brif(remaining, on, &[], done, &[]);
                self.b.switch_to_block(on);
                let left = self.b.ins().iadd_imm_s(remaining, -1);
                let after = self.b.ins().iadd(next, step);
                let advanced = V::new(Kind::RangeIter, vec![after, step, left]);
                [advanced, V::one(Kind::Int, next)]
            }
            (Kind::ListIter(kind), &[list, index]) => {
                let kind = (**kind).clone();
                let tag = self.int(i64::from(kind.tag().unwrap_or_default()));
                let call = self
                    .b
                    .ins()
                    .call(self.imports.list_next, &[list, index, tag]);
                let &[status, bits] = self.b.inst_results(call) else {
                    return Err(self.broken("call"));
                };
                let other = self.b.ins().icmp_imm_s(IntCC::Equal, status, 1);
                self.deopt_if(other, Why::new(kind.name(), "an item of another type"));
                self.b.ins().brif(status, done, &[], on, &[]);
                self.b.switch_to_block(on);
                let after = self.b.ins().iadd_imm_s(index, 1);
                let item = self.from_bits(&kind, bits);
                [V::new(iterator.kind.clone(), vec![list, after]), item]
            }
            _ => return Err(self.broken("iterator")),
        };
        self.stack.pop();
        self.stack.extend(pushed);
        self.goto(self.pc + 1)?;
        self.b.switch_to_block(done);
        self.stack = before;
        self.stack.pop();
        self.goto(end)
    }

    /// A direct call of another unit.
    fn call_unit(&mut self, callee: usize, count: usize) -> Done<bool> {
        let Some(target) = self.program.units.get(callee) else {
            return Err(self.broken("unit"));
        };
        let Some(result) = target.result.clone() else {
            self.exit(
                self.pc,
                Some(Why::new("a call that returns", "nothing known")),
                false,
            );
            return Ok(false);
        };
        let depth = self.b.ins().iadd_imm_s(self.depth, 1);
        let limit = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(LIMIT));
        let deep = self.b.ins().icmp(IntCC::SignedGreaterThan, depth, limit);
        self.deopt_if(deep, Why::new("a recursion below the limit", "the limit"));
        let mut args = vec![self.ctx, depth];
        let first = self.stack.len().saturating_sub(count);
        for v in self.stack.iter().skip(first) {
            args.extend(v.leaves.iter().copied());
        }
        let Some(&function) = self.imports.units.get(callee) else {
            return Err(self.broken("unit"));
        };
        let call = self.b.ins().call(function, &args);
        let results = self.b.inst_results(call).to_vec();
        let Some(&status) = results.first() else {
            return Err(self.broken("call"));
        };
        let leaf = results.get(1).copied();

        let (left, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(left);
        let ty = result_type(Some(&result));
        let joined = ty.map(|ty| self.b.append_block_param(on, ty));
        let direct: Vec<_> = leaf.into_iter().map(Into::into).collect();
        self.b.ins().brif(status, left, &[], on, &direct);

        // The callee left its code: tier 0 finished it, or it raised.
        self.b.switch_to_block(left);
        let index = self.int(self.tables.sites.len() as i64);
        self.tables.sites.push(CallSite {
            unit: self.at,
            pc: self.pc,
            result: result.clone(),
        });
        let call = self
            .b
            .ins()
            .call(self.imports.callee_exit, &[self.ctx, status, index, depth]);
        let &[outcome, bits] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        let (other, raised, fine) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let bad = self.b.create_block();
        self.b.ins().brif(outcome, bad, &[], fine, &[]);
        self.b.switch_to_block(bad);
        let is_raised = self.b.ins().icmp_imm_s(IntCC::Equal, outcome, 2);
        self.b.ins().brif(is_raised, raised, &[], other, &[]);
        self.b.switch_to_block(raised);
        self.exit(self.pc, None, true);
        self.b.switch_to_block(other);
        let before = self.stack.clone();
        self.replace(count + 2, V::new(Kind::Pending, Vec::new()));
        self.exit(
            self.pc + 1,
            Some(Why::new(result.name(), "a result of another type")),
            false,
        );
        self.stack = before;
        self.b.switch_to_block(fine);
        let v = self.from_bits(&result, bits);
        let resumed: Vec<_> = v
            .leaves
            .first()
            .copied()
            .into_iter()
            .map(Into::into)
            .collect();
        self.b.ins().jump(on, &resumed);

        self.b.switch_to_block(on);
        self.replace(count + 2, V::new(result, joined.into_iter().collect()));
        Ok(true)
    }
}

/// The machine type of a result.
pub(crate) fn result_type(kind: Option<&Kind>) -> Option<Type> {
    match kind? {
        Kind::Int => Some(I64),
        Kind::Float => Some(F64),
        Kind::Bool => Some(I8),
        _ => None,
    }
}

/// The items of an unbuilt tuple.
pub(crate) fn split(tuple: &V) -> Vec<V> {
    let Kind::Tuple(kinds) = &tuple.kind else {
        return Vec::new();
    };
    let mut leaves = tuple.leaves.iter().copied();
    kinds
        .iter()
        .map(|k| V::new(k.clone(), leaves.by_ref().take(k.width()).collect()))
        .collect()
}

/// Loads the recursion depth at which the region is entered.
pub(crate) fn entry_depth(b: &mut FunctionBuilder<'_>, ctx: Ir) -> Ir {
    b.ins().load(I64, MemFlags::trusted(), ctx, word(DEPTH))
}

/// Ordering of a float comparison.
pub(crate) fn float_cc(op: CompareOp) -> FloatCC {
    match op {
        CompareOp::Lt => FloatCC::LessThan,
        CompareOp::Le => FloatCC::LessThanOrEqual,
        CompareOp::Eq => FloatCC::Equal,
        CompareOp::Ne => FloatCC::NotEqual,
        CompareOp::Gt => FloatCC::GreaterThan,
        CompareOp::Ge => FloatCC::GreaterThanOrEqual,
    }
}

/// Ordering of an int comparison.
pub(crate) fn int_cc(op: CompareOp) -> IntCC {
    match op {
        CompareOp::Lt => IntCC::SignedLessThan,
        CompareOp::Le => IntCC::SignedLessThanOrEqual,
        CompareOp::Eq => IntCC::Equal,
        CompareOp::Ne => IntCC::NotEqual,
        CompareOp::Gt => IntCC::SignedGreaterThan,
        CompareOp::Ge => IntCC::SignedGreaterThanOrEqual,
    }
}
