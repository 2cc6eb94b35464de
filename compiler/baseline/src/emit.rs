//! Bytecode to CLIF: blocks, variables, exits.
//!
//! In: a unit with its blocks ([`crate::flow`]). Out: a function's body and its exits. Always: no
//! effect of an instruction happens before its last check, so that an exit describes the frame
//! before the instruction; machine code writes to the words of its context and to items of lists.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{
    Block as IrBlock, FuncRef, Function, Inst, InstBuilder, MemFlagsData as MemFlags, Type,
    Value as Ir,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module as _};
use janus_bytecode::BinaryOp;
use janus_object::Value;

use crate::effect::Effect;
use crate::flow::forget_dead;
use crate::kind::Kind;
use crate::layout::{DEPTH, INTERRUPT, Layout, SLOTS, word};
use crate::lower::Helper;
use crate::program::{Block, Form, Program, State, Unit, line_of};
use crate::split::{self, Place};
use crate::step::seen_at;
use crate::suspend::{ResumePoint, SuspendedFrame};
use crate::trail::Caller;
use crate::{Refused, RefusedFor};

/// Why an exit was taken.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    /// What happened.
    pub cause: Cause,
    /// What the code relied on.
    pub expected: String,
    /// What it met.
    pub actual: String,
}

/// What led to an exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// An int left 64 bits.
    Overflow,
    /// A value was not of the expected kind, or an exception is due.
    Type,
    /// Control came to what is left to tier 0.
    Cold,
}

impl Why {
    pub(crate) fn overflow() -> Why {
        Why {
            cause: Cause::Overflow,
            expected: "an int within 64 bits".into(),
            actual: "a larger int".into(),
        }
    }

    pub(crate) fn new(expected: &str, actual: &str) -> Why {
        Why {
            cause: Cause::Type,
            expected: expected.into(),
            actual: actual.into(),
        }
    }

    fn cold(reason: &str) -> Why {
        Why {
            cause: Cause::Cold,
            expected: "code that is rarely run".into(),
            actual: reason.into(),
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
    /// Kinds of the stack, and whether the references are others' than the stack's.
    pub stack: Vec<(Kind, bool)>,
    /// Why, unless the region simply ended.
    pub why: Option<Why>,
    /// An exception is raised at `pc`.
    pub raise: bool,
    /// The word in which the address of its cells is, where it was handed some.
    pub cells: Option<usize>,
}

/// A direct call, for what happens when the callee leaves its code.
pub(crate) struct CallSite {
    /// The kind of its result.
    pub result: Kind,
}

/// What a [`Generic`] computes.
#[derive(Clone, Copy)]
pub(crate) enum Compute {
    /// An operator.
    Binary(BinaryOp),
    /// A native function among the known objects.
    Call(usize),
}

/// An operation by the interpreter's own function.
pub(crate) struct Generic {
    /// What.
    pub compute: Compute,
    /// The operands.
    pub operands: Operands,
    /// Kind of the result.
    pub result: Kind,
}

/// How the operands of a [`Generic`] lie in the words of the context.
pub(crate) enum Operands {
    /// So many, as values lie in memory.
    Values(usize),
    /// The leaves of these kinds, of which values are made.
    Leaves(Vec<Kind>),
}

/// Whose the reference is that a value on the stack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// Its own.
    Self_,
    /// That of a local.
    Local(usize),
    /// The region's: the object lives as long as the code.
    Region,
}

/// A value: what is known of it, and its machine values.
#[derive(Clone, Debug)]
pub(crate) struct V {
    pub kind: Kind,
    pub leaves: Vec<Ir>,
    /// Whose its reference is, if it is counted.
    pub own: Own,
}

impl V {
    pub(crate) fn new(kind: Kind, leaves: Vec<Ir>) -> V {
        V {
            kind,
            leaves,
            own: Own::Self_,
        }
    }

    pub(crate) fn one(kind: Kind, leaf: Ir) -> V {
        V::new(kind, vec![leaf])
    }

    pub(crate) fn bare(kind: Kind) -> V {
        V::new(kind, Vec::new())
    }
}

/// Functions that generated code calls; those of them that a function does call are declared in it.
pub(crate) struct Imports<'a> {
    module: &'a mut JITModule,
    /// By the number of the helper.
    helpers: &'a [FuncId],
    units: &'a [FuncId],
    declared: HashMap<FuncId, FuncRef>,
}

impl<'a> Imports<'a> {
    pub fn new(module: &'a mut JITModule, helpers: &'a [FuncId], units: &'a [FuncId]) -> Self {
        Imports {
            module,
            helpers,
            units,
            declared: HashMap::new(),
        }
    }

    fn declare(&mut self, id: FuncId, func: &mut Function) -> FuncRef {
        let module = &mut *self.module;
        *self
            .declared
            .entry(id)
            .or_insert_with(|| module.declare_func_in_func(id, func))
    }
}

/// What all units of a region add to.
#[derive(Default)]
pub(crate) struct Tables {
    pub exits: Vec<Exit>,
    pub sites: Vec<CallSite>,
    pub generics: Vec<Generic>,
    /// Calls of the region's own functions, as the trail numbers them.
    pub callers: Vec<Caller>,
    /// What the interpreter's functions do.
    pub effects: Vec<Effect>,
    /// Kinds of what is built.
    pub kinds: Vec<Kind>,
    /// Where a suspended frame goes on.
    pub resume_points: Vec<ResumePoint>,
    /// Values on its stack at most.
    pub suspended_most: usize,
    /// Words of the context that exits write.
    pub words: usize,
}

pub(crate) struct Emitter<'a, 'b> {
    pub program: &'a Program,
    pub at: usize,
    pub b: &'a mut FunctionBuilder<'b>,
    pub tables: &'a mut Tables,
    pub imports: Imports<'a>,
    pub layout: Layout,
    pub ctx: Ir,
    pub depth: Ir,
    /// What the instruction being emitted lets go of when it is done.
    pub dropped: Vec<V>,
    /// What was written of each name that is kept in a variable, in the block so far.
    pub written: Vec<Option<Vec<Ir>>>,
    /// Whether a helper that it called left something owed.
    pub owed: Option<Ir>,
    /// Where the instruction being emitted leaves before it has done anything.
    pub out: Option<IrBlock>,
    /// The block of the analysis.
    pub block: usize,
    pub pc: u32,
    pub locals: Vec<V>,
    pub stack: Vec<V>,
    /// The frame of a generator, in which its variables are while it is suspended.
    pub frame: Option<SuspendedFrame>,
    /// The address of the cells that the code works on.
    pub cells: Option<Ir>,
    blocks: Vec<IrBlock>,
    vars: HashMap<(usize, usize, Type), Variable>,
}

pub(crate) type Done<T = ()> = Result<T, Refused>;

impl<'a, 'b> Emitter<'a, 'b> {
    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of one function being built"
    )]
    pub fn new(
        program: &'a Program,
        at: usize,
        b: &'a mut FunctionBuilder<'b>,
        tables: &'a mut Tables,
        imports: Imports<'a>,
        layout: Layout,
        ctx: Ir,
        depth: Ir,
    ) -> Self {
        Emitter {
            program,
            at,
            b,
            tables,
            imports,
            layout,
            ctx,
            depth,
            dropped: Vec::new(),
            written: Vec::new(),
            owed: None,
            out: None,
            block: 0,
            pc: 0,
            locals: Vec::new(),
            stack: Vec::new(),
            frame: None,
            cells: None,
            blocks: Vec::new(),
            vars: HashMap::new(),
        }
    }

    pub(crate) fn unit(&self) -> Done<&'a Unit> {
        self.program
            .units
            .get(self.at)
            .ok_or_else(|| Refused::new("a missing unit", 0).of(RefusedFor::Defect))
    }

    pub(crate) fn broken(&self, what: &str) -> Refused {
        let line = self
            .program
            .units
            .get(self.at)
            .map_or(0, |u| line_of(&u.code, self.pc));
        Refused::new(format!("{what} (a defect of tier 1)"), line).of(RefusedFor::Defect)
    }

    /// Emits the body; the values are those of the unit's entry.
    pub fn body(&mut self, locals: Vec<V>, stack: Vec<V>) -> Done {
        let unit = self.unit()?;
        self.locals = locals;
        self.stack = stack;
        self.pc = unit.start;
        self.make_blocks(unit);
        let Some(first) = unit.blocks.first() else {
            return Err(self.broken("no block"));
        };
        self.jump_to(0, &first.state)?;
        self.all_blocks(unit)
    }

    /// Emits what each block does.
    pub(crate) fn all_blocks(&mut self, unit: &Unit) -> Done {
        for (id, block) in unit.blocks.iter().enumerate() {
            self.block(unit, id, block)?;
        }
        Ok(())
    }

    /// Makes a block for each one of the analysis.
    pub(crate) fn make_blocks(&mut self, unit: &Unit) {
        self.blocks = unit.blocks.iter().map(|_| self.b.create_block()).collect();
    }

    fn block(&mut self, unit: &Unit, id: usize, block: &Block) -> Done {
        let Some(&at) = self.blocks.get(id) else {
            return Err(self.broken("no block"));
        };
        self.b.switch_to_block(at);
        if block.state.rare {
            self.b.set_cold_block(at);
        }
        self.block = id;
        self.written.clear();
        self.enter(&block.state);
        let mut pc = block.pc;
        loop {
            self.pc = pc;
            if !unit.is_inside(pc) || (pc != block.pc && unit.is_leader(pc)) {
                return self.goto(pc);
            }
            if let Some((exit, reason, _)) = &block.exit
                && *exit == pc
            {
                self.exit(pc, Some(Why::cold(reason)), false);
                return Ok(());
            }
            self.out = None;
            if block.effects.contains_key(&pc)
                && let Some(&instr) = unit.code.code.instrs.get(pc as usize)
            {
                if !self.effect(unit, instr)? {
                    return Ok(());
                }
                self.release_dropped(pc + 1)?;
                pc += 1;
                continue;
            }
            self.narrow(unit, pc)?;
            if block.splits == Some(pc) {
                return self.split(unit, pc);
            }
            if !self.instruction(unit, block, pc)? {
                return Ok(());
            }
            self.release_dropped(pc + 1)?;
            pc += 1;
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
        let leaves = (0..).zip(kind.types()).map(|(i, ty)| {
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

    /// Goes on at `pc` in a block for each kind of the value that decides.
    fn split(&mut self, unit: &Unit, pc: u32) -> Done {
        let Some(&instr) = unit.code.code.instrs.get(pc as usize) else {
            return Err(self.broken("pc outside code"));
        };
        let slot = unit.slot(instr);
        let seen = seen_at(&unit.code, pc, self.program.is_wide(self.at, pc));
        let state = State {
            locals: self.locals.iter().map(|v| v.kind.clone()).collect(),
            stack: self.stack.iter().map(|v| v.kind.clone()).collect(),
            rare: false,
        };
        let Some(place) = split::place(instr, slot, seen, &state, |k| self.program.is_python(k))
        else {
            return Err(self.broken("nothing to tell apart"));
        };
        let value = match place {
            Place::Local(at) => self.locals.get(at),
            Place::Stack(at) => self.stack.get(at),
        };
        let Some((item, &[actual, payload])) = value.and_then(|v| match &v.kind {
            Kind::Dyn { item, .. } => Some((item.clone(), v.leaves.get(..2)?)),
            _ => None,
        }) else {
            return Err(self.broken("nothing to tell apart"));
        };
        let Some(kind) = value.map(|v| v.kind.clone()) else {
            return Err(self.broken("nothing to tell apart"));
        };
        let tags = split::tags(&kind);
        let before = (self.locals.clone(), self.stack.clone());
        for (n, &tag) in tags.iter().enumerate() {
            let last = n + 1 == tags.len();
            let mut other = None;
            if !last {
                let next = *other.insert(self.b.create_block());
                let is = is_equal(self, actual, tag);
                let here = self.b.create_block();
                self.b.ins().brif(is, here, &[], next, &[]);
                self.b.switch_to_block(here);
            }
            let v = self.with_bits(&Kind::of_tag(tag, &item), payload);
            let slot = match place {
                Place::Local(at) => self.locals.get_mut(at),
                Place::Stack(at) => self.stack.get_mut(at),
            };
            if let Some(slot) = slot {
                *slot = V { own: slot.own, ..v };
            }
            self.goto_version(pc, true)?;
            (self.locals, self.stack) = before.clone();
            if let Some(other) = other {
                self.b.switch_to_block(other);
            }
        }
        Ok(())
    }

    /// Kinds of what is there now, without what nobody reads at `pc`.
    fn state_at(&self, pc: u32) -> Done<State> {
        let unit = self.unit()?;
        let mut locals: Vec<Kind> = self.locals.iter().map(|v| v.kind.clone()).collect();
        forget_dead(unit.live.get(pc as usize), &mut locals);
        Ok(State {
            locals,
            stack: self.stack.iter().map(|v| v.kind.clone()).collect(),
            rare: false,
        })
    }

    /// Goes to an instruction, or out if it is outside.
    pub(crate) fn goto(&mut self, pc: u32) -> Done {
        self.goto_version(pc, false)
    }

    fn goto_version(&mut self, pc: u32, split: bool) -> Done {
        let unit = self.unit()?;
        if !unit.is_inside(pc) {
            self.exit(pc, None, false);
            return Ok(());
        }
        let state = self.state_at(pc)?;
        match unit
            .block_for(pc, &state, split)
            .and_then(|id| Some((id, unit.blocks.get(id)?)))
        {
            Some((id, block)) => self.jump_to(id, &block.state),
            // The analysis found that control never comes here.
            None => {
                self.exit(pc, Some(Why::cold("a way that was never taken")), false);
                Ok(())
            }
        }
    }

    pub(crate) fn jump_to(&mut self, id: usize, state: &State) -> Done {
        let Some(&block) = self.blocks.get(id) else {
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
            let v = self.owned(v);
            let v = self.coerce(v, &kind)?;
            for ((i, ty), leaf) in (0..).zip(kind.types()).zip(v.leaves) {
                let var = self.var(slot, i, ty);
                self.b.def_var(var, leaf);
            }
        }
        self.b.ins().jump(block, &[]);
        Ok(())
    }

    /// The representation of a value as a kind that covers its own.
    pub(crate) fn coerce(&mut self, v: V, kind: &Kind) -> Done<V> {
        if v.kind == *kind {
            return Ok(v);
        }
        match (&v.kind, kind) {
            // Nobody reads it.
            (_, Kind::Keep) => Ok(V::bare(Kind::Keep)),
            (Kind::List(_), Kind::List(_))
            | (Kind::ListIter(_), Kind::ListIter(_))
            | (Kind::Dyn { .. }, Kind::Dyn { .. }) => Ok(V {
                kind: kind.clone(),
                ..v
            }),
            (Kind::Tuple(_), Kind::Tuple(_))
            | (Kind::Zip(_), Kind::Zip(_))
            | (Kind::Enumerate(_), Kind::Enumerate(_))
                if let (Some(from), Some(to)) = (v.kind.parts(), kind.parts())
                    && from.len() == to.len() =>
            {
                let mut leaves = Vec::new();
                for (item, to) in split(&v).into_iter().zip(&to) {
                    leaves.extend(self.coerce(item, to)?.leaves);
                }
                Ok(V {
                    kind: kind.clone(),
                    leaves,
                    own: v.own,
                })
            }
            (
                Kind::Tuple(_) | Kind::Known(_) | Kind::Complex | Kind::Range,
                Kind::Dyn { .. } | Kind::Object(_),
            ) => {
                let v = self.boxed(v)?;
                let v = self.owned(v);
                self.coerce(v, kind)
            }
            (from, Kind::Dyn { .. }) => {
                let Some(tag) = from.tag() else {
                    return Err(self.broken("a kind without tag"));
                };
                let tag = self.int(i64::from(tag));
                let payload = self.bits(&v);
                Ok(V {
                    kind: kind.clone(),
                    leaves: vec![tag, payload],
                    own: v.own,
                })
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
    pub(crate) fn with_bits(&mut self, kind: &Kind, bits: Ir) -> V {
        let leaves = match kind {
            Kind::Float => vec![self.b.ins().bitcast(F64, MemFlags::new(), bits)],
            Kind::Bool => vec![self.b.ins().ireduce(I8, bits)],
            Kind::Int | Kind::List(_) | Kind::Object(_) => vec![bits],
            _ => Vec::new(),
        };
        V::new(kind.clone(), leaves)
    }

    /// The tag of a value at run time.
    pub(crate) fn tag_of(&mut self, v: &V) -> Ir {
        match (&v.kind, v.leaves.as_slice()) {
            (Kind::Dyn { .. }, [tag, _]) => *tag,
            (kind, _) => self.int(i64::from(kind.tag().unwrap_or_default())),
        }
    }

    pub(crate) fn int(&mut self, i: i64) -> Ir {
        self.b.ins().iconst(I64, i)
    }

    /// Calls a helper.
    pub(crate) fn call_helper(&mut self, helper: Helper, args: &[Ir]) -> Inst {
        let id = self.imports.helpers.get(helper as usize).copied();
        // There are as many as the table says.
        let id = id.unwrap_or(FuncId::from_u32(0));
        let function = self.imports.declare(id, self.b.func);
        self.b.ins().call(function, args)
    }

    /// Calls a unit.
    pub(crate) fn call_function(&mut self, unit: usize, args: &[Ir]) -> Done<Inst> {
        let Some(&id) = self.imports.units.get(unit) else {
            return Err(self.broken("unit"));
        };
        let function = self.imports.declare(id, self.b.func);
        Ok(self.b.ins().call(function, args))
    }

    // ---- the context ---------------------------------------------------------------------

    /// Writes machine values into the words of the context.
    pub(crate) fn store_words(&mut self, leaves: &[Ir]) {
        let mut at = SLOTS;
        for leaf in leaves {
            self.b
                .ins()
                .store(MemFlags::trusted(), *leaf, self.ctx, word(at));
            at += 1;
        }
        self.tables.words = self.tables.words.max(at);
    }

    /// Reads a value from the words of the context, from the `from`-th one of `SLOTS` on.
    pub(crate) fn load_words(&mut self, kind: &Kind, from: usize) -> Vec<Ir> {
        let types = kind.types();
        self.tables.words = self.tables.words.max(SLOTS + from + types.len());
        (SLOTS + from..)
            .zip(types)
            .map(|(at, ty)| {
                self.b
                    .ins()
                    .load(ty, MemFlags::trusted(), self.ctx, word(at))
            })
            .collect()
    }

    // ---- exits ---------------------------------------------------------------------------

    /// Leaves with the present values.
    pub(crate) fn exit(&mut self, pc: u32, why: Option<Why>, raise: bool) {
        let live = self.unit().ok().and_then(|u| u.live.get(pc as usize));
        let mut kinds: Vec<Kind> = self.locals.iter().map(|v| v.kind.clone()).collect();
        forget_dead(live, &mut kinds);
        let mut leaves = Vec::new();
        for (v, kind) in self.locals.iter().zip(&kinds) {
            if *kind != Kind::Keep {
                leaves.extend(v.leaves.iter().copied());
            }
        }
        leaves.extend(self.stack.iter().flat_map(|v| v.leaves.iter().copied()));
        let handed = self.unit().is_ok_and(|unit| unit.takes_cells);
        let cells = self.cells.filter(|_| handed).map(|cells| {
            leaves.push(cells);
            leaves.len() - 1
        });
        self.store_words(&leaves);
        self.tables.exits.push(Exit {
            pc,
            unit: self.at,
            locals: kinds,
            stack: self
                .stack
                .iter()
                .map(|v| (v.kind.clone(), v.own != Own::Self_))
                .collect(),
            why,
            raise,
            cells,
        });
        let status = self.int(self.tables.exits.len() as i64);
        self.leave(status, None);
    }

    /// Returns a status, and the first machine value of the result.
    pub(crate) fn leave(&mut self, status: Ir, result: Option<Ir>) {
        let mut values = vec![status];
        if let Ok(unit) = self.unit()
            && unit.form == Form::Function
        {
            match (result, first_type(unit.result.as_ref())) {
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
        let on = self.b.create_block();
        if let Some(out) = self.out {
            self.b.ins().brif(condition, out, &[], on, &[]);
            self.b.switch_to_block(on);
            return;
        }
        let out = self.b.create_block();
        self.b.set_cold_block(out);
        self.b.ins().brif(condition, out, &[], on, &[]);
        self.b.switch_to_block(out);
        self.exit(self.pc, Some(why), false);
        self.b.switch_to_block(on);
        self.out = Some(out);
    }

    /// A block that leaves before this instruction.
    pub(crate) fn way_out(&mut self, why: Why) -> IrBlock {
        if let Some(out) = self.out {
            return out;
        }
        let out = self.b.create_block();
        self.b.set_cold_block(out);
        if let Some(here) = self.b.current_block() {
            self.b.switch_to_block(out);
            self.exit(self.pc, Some(why), false);
            self.b.switch_to_block(here);
        }
        self.out = Some(out);
        out
    }

    /// If `condition` is not 0, does what is due before the instruction at `pc`, or leaves for tier 0, which does it.
    pub(crate) fn settle_if(&mut self, condition: Ir, pc: u32) -> Done {
        let (out, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(out);
        self.b.ins().brif(condition, out, &[], on, &[]);
        self.b.switch_to_block(out);
        let unit = self.unit()?;
        let before = (self.locals.clone(), self.stack.clone());
        // The code before did not come this way.
        let written = self.written.clone();
        self.write_back(unit);
        self.written = written;
        let index = self.int(self.tables.callers.len() as i64);
        self.tables.callers.push(Caller { unit: self.at, pc });
        let call = self.call_helper(Helper::Settle, &[self.ctx, index, self.depth]);
        let &[leaves] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        let leave = self.b.create_block();
        self.b.ins().brif(leaves, leave, &[], on, &[]);
        self.b.switch_to_block(leave);
        // What ran may have assigned them.
        self.forget_names(unit);
        self.exit(pc, None, false);
        (self.locals, self.stack) = before;
        self.b.switch_to_block(on);
        Ok(())
    }

    /// Has what is due done before this instruction, or leaves if tier 0 has something else to do first.
    pub(crate) fn check_interrupt(&mut self) -> Done {
        let address = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(INTERRUPT));
        // A signal handler writes it: an atomic load is never replaced by an earlier one.
        let flag = self.b.ins().atomic_load(I8, MemFlags::new(), address);
        self.settle_if(flag, self.pc)
    }

    // ---- the stack -----------------------------------------------------------------------

    pub(crate) fn top(&self, n: usize) -> Done<V> {
        self.stack
            .len()
            .checked_sub(n)
            .and_then(|i| self.stack.get(i))
            .cloned()
            .ok_or_else(|| self.broken("corrupt stack"))
    }

    /// Takes values off the stack and lets go of them when the instruction is done.
    pub(crate) fn pop(&mut self, n: usize) {
        let len = self.stack.len().saturating_sub(n);
        let gone = self.stack.split_off(len);
        let counted = gone.into_iter().filter(|v| v.kind.is_counted());
        self.dropped.extend(counted);
    }

    pub(crate) fn replace(&mut self, pops: usize, v: V) {
        self.pop(pops);
        self.stack.push(v);
    }

    pub(crate) fn constant(&mut self, value: &Value) -> Done<V> {
        Ok(match value {
            Value::None => V::bare(Kind::None),
            Value::Bool(b) => {
                let b = self.b.ins().iconst(I8, i64::from(b.get()));
                V::one(Kind::Bool, b)
            }
            Value::Int(i) => {
                let i = self.int(*i);
                V::one(Kind::Int, i)
            }
            Value::Float(x) => {
                let x = self.b.ins().f64const(x.get());
                V::one(Kind::Float, x)
            }
            Value::Tuple(_) | Value::Str(_) | Value::Bytes(_) | Value::BigInt(_) => {
                self.immortal(value)
            }
            other => {
                if Kind::of(other) == Some(Kind::Complex)
                    && let Some((re, im)) = janus_object::complex_parts(other)
                {
                    let (re, im) = (self.b.ins().f64const(re), self.b.ins().f64const(im));
                    return Ok(V::new(Kind::Complex, vec![re, im]));
                }
                match self
                    .program
                    .known
                    .iter()
                    .position(|k| janus_object::ops::is(k, other))
                {
                    Some(k) => V::bare(Kind::Known(k)),
                    None => return Err(self.broken("an unknown constant")),
                }
            }
        })
    }

    /// An operation by the interpreter's own function. An exception, and a result of another kind,
    /// is a deopt: what is computed so changes nothing.
    pub(crate) fn generic(&mut self, compute: Compute, operands: &[V], result: &Kind) -> V {
        let are_values = operands.iter().all(|v| v.kind.is_value());
        let mut leaves: Vec<Ir> = Vec::new();
        for v in operands {
            match are_values {
                true => leaves.extend(self.as_value(v)),
                false => leaves.extend(&v.leaves),
            }
        }
        self.store_words(&leaves);
        let index = self.int(self.tables.generics.len() as i64);
        self.tables.generics.push(Generic {
            compute,
            operands: match are_values {
                true => Operands::Values(operands.len()),
                false => Operands::Leaves(operands.iter().map(|v| v.kind.clone()).collect()),
            },
            result: result.clone(),
        });
        let call = self.call_helper(Helper::Generic, &[self.ctx, index]);
        if let &[status, owed] = self.b.inst_results(call) {
            self.deopt_if(
                status,
                Why::new(result.name(), "another type, or an exception"),
            );
            if operands.iter().any(|v| v.kind.is_counted()) {
                self.owed = Some(self.b.ins().ireduce(I8, owed));
            }
        }
        let leaves = self.load_words(result, 0);
        V::new(result.clone(), leaves)
    }
}

/// The machine type of the part of a result that is returned in a register; the others are in the
/// words of the context.
pub(crate) fn first_type(kind: Option<&Kind>) -> Option<Type> {
    kind?.types().first().copied()
}

/// The items of an unbuilt tuple.
pub(crate) fn split(whole: &V) -> Vec<V> {
    let kinds = whole.kind.parts().unwrap_or_default();
    let mut leaves = whole.leaves.iter().copied();
    kinds
        .iter()
        .map(|k| V::new(k.clone(), leaves.by_ref().take(k.types().len()).collect()))
        .collect()
}

/// Loads the recursion depth at which the region is entered.
pub(crate) fn entry_depth(b: &mut FunctionBuilder<'_>, ctx: Ir) -> Ir {
    b.ins().load(I64, MemFlags::trusted(), ctx, word(DEPTH))
}

/// Whether the two are equal.
pub(crate) fn is_equal(e: &mut Emitter<'_, '_>, x: Ir, to: u32) -> Ir {
    e.b.ins().icmp_imm_u(IntCC::Equal, x, i64::from(to))
}
