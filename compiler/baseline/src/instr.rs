//! One instruction to CLIF.
//!
//! In: an instruction, and the values before it in the emitter. Out: the values after it. Always:
//! kinds come out as [`crate::step`] says.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_bytecode::{BinaryOp, CompareOp, Opcode};

use crate::emit::{CallSite, Done, Emitter, V, Why, first_type, is_equal, split};
use crate::kind::{Kind, Load, load_of, tag};
use crate::layout::{LIMIT, word};
use crate::lower::Helper;
use crate::program::{Block, Callee, Source, Unit};
use crate::step::{item_join, none_test, seen_at};
use crate::{arith, list};

impl Emitter<'_, '_> {
    /// Emits one instruction; whether control reaches the next one.
    pub(crate) fn instruction(&mut self, unit: &Unit, block: &Block, pc: u32) -> Done<bool> {
        use Opcode as O;
        let Some(&instr) = unit.code.code.instrs.get(pc as usize) else {
            return Err(self.broken("pc outside code"));
        };
        let arg = instr.arg as usize;
        let seen = seen_at(&unit.code, pc, self.program.is_wide(self.at, pc));
        match instr.op {
            O::Nop | O::LoopHead => {}
            O::PopTop => self.pop(1),
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
            O::PushNull => self.stack.push(V::bare(Kind::Null)),
            O::LoadConst => {
                let Some(value) = unit.code.consts.get(arg) else {
                    return Err(self.broken("constant"));
                };
                let v = self.constant(value)?;
                self.stack.push(v);
            }
            O::LoadFast => self.load(arg, seen)?,
            O::StoreFast => self.store(arg)?,
            O::LoadDeref => match unit.slot(instr) {
                Some(slot) => self.load(slot, seen)?,
                None => return Err(self.broken("cell")),
            },
            O::StoreDeref => match unit.slot(instr) {
                Some(slot) => self.store(slot)?,
                None => return Err(self.broken("cell")),
            },
            O::LoadGlobal | O::LoadName => match block.loads.get(&pc) {
                Some(Source::Slot(slot)) => self.load(*slot, seen)?,
                _ => self.load_source(block, pc)?,
            },
            O::StoreGlobal | O::StoreName => match (unit.name_slot(arg), block.loads.get(&pc)) {
                (Some(slot), _) => self.store(slot)?,
                (None, Some(Source::Memory(memory))) => self.store_memory(*memory)?,
                _ => return Err(self.broken("name")),
            },
            O::LoadAttr | O::LoadMethod => self.attribute(unit, block, instr.op, pc, arg)?,
            O::Call => match block.calls.get(&pc) {
                Some(Callee::Unit(callee)) => return self.call_unit(unit, *callee, arg),
                Some(callee) => {
                    let result = arith::call(self, callee, arg)?;
                    self.replace(arg + 2, result);
                }
                None => return Err(self.broken("call")),
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
                let other = if a.kind == Kind::None { &b } else { &a };
                let same = self.is_none(other)?;
                let result = match arg {
                    0 => same,
                    _ => self.b.ins().bxor_imm_u(same, 1),
                };
                self.replace(2, V::one(Kind::Bool, result));
            }
            O::UnaryNot => {
                let v = self.top(1)?;
                let truth = arith::truth(self, &v)?;
                let result = self.b.ins().bxor_imm_u(truth, 1);
                self.replace(1, V::one(Kind::Bool, result));
            }
            O::UnaryNegative | O::UnaryPositive | O::UnaryInvert => {
                let result = arith::unary(self, instr.op)?;
                self.replace(1, result);
            }
            O::BinarySubscr => {
                let (list, index) = (self.top(2)?, self.top(1)?);
                let item = list::item(self, &list, &index)?;
                self.replace(2, item);
            }
            O::StoreSubscr => {
                let (value, list, index) = (self.top(3)?, self.top(2)?, self.top(1)?);
                list::set_item(self, &value, &list, &index)?;
                self.pop(3);
            }
            O::BuildList => {
                let Some(at) = self.stack.len().checked_sub(arg) else {
                    return Err(self.broken("stack"));
                };
                let items = self.stack.split_off(at);
                let kind = items
                    .iter()
                    .fold(Kind::Unset, |a, b| item_join(&a, &b.kind));
                let made = list::build(self, &items, &kind)?;
                self.stack.push(made);
            }
            O::ListAppend => {
                let (item, list) = (self.top(1)?, self.top(arg + 1)?);
                let address = arith::leaf(self, &list)?;
                list::push(self, address, &item);
                let at = self.stack.len() - (arg + 1);
                if let Some(Kind::List(items)) = self.stack.get_mut(at).map(|v| &mut v.kind) {
                    **items = item_join(items, &item.kind);
                }
                self.pop(1);
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
                let sequence = self.top(1)?;
                let items = match sequence.kind {
                    Kind::List(_) => list::unpack(self, &sequence, arg)?,
                    _ => split(&sequence),
                };
                self.pop(1);
                self.stack.extend(items.into_iter().rev());
            }
            O::GetIter => {
                let v = self.top(1)?;
                let iterator = list::iterator(self, &v)?;
                self.replace(1, iterator);
            }
            O::ForIter => {
                list::for_iter(self, instr.arg)?;
                return Ok(false);
            }
            O::JumpBackward => {
                self.check_interrupt();
                self.goto(instr.arg)?;
                return Ok(false);
            }
            O::Jump => {
                self.goto(instr.arg)?;
                return Ok(false);
            }
            O::PopJumpIfFalse
            | O::PopJumpIfTrue
            | O::JumpIfFalseOrPop
            | O::JumpIfTrueOrPop
            | O::PopJumpIfNone
            | O::PopJumpIfNotNone => {
                self.branch(instr.op, instr.arg)?;
                return Ok(false);
            }
            O::ReturnValue => {
                if unit.head.is_some() {
                    self.exit(pc, None, false);
                    return Ok(false);
                }
                self.write_back(unit);
                let v = self.top(1)?;
                let Some(kind) = unit.result.clone() else {
                    return Err(self.broken("return"));
                };
                let v = self.coerce(v, &kind)?;
                if v.leaves.len() > 1 {
                    let leaves = v.leaves.clone();
                    self.store_words(&leaves);
                }
                let zero = self.int(0);
                self.leave(zero, v.leaves.first().copied());
                return Ok(false);
            }
            other => return Err(self.broken(other.name())),
        }
        Ok(true)
    }

    fn is_none(&mut self, v: &V) -> Done<Ir> {
        match none_test(&v.kind) {
            Some(Some(is)) => Ok(self.b.ins().iconst(I8, i64::from(is))),
            Some(None) => {
                let tag = self.tag_of(v);
                Ok(is_equal(self, tag, tag::NONE))
            }
            None => Err(self.broken("is")),
        }
    }

    fn branch(&mut self, op: Opcode, target: u32) -> Done {
        use Opcode as O;
        let v = self.top(1)?;
        let keeps = matches!(op, O::JumpIfFalseOrPop | O::JumpIfTrueOrPop);
        // Known beforehand: one way only, as in the analysis.
        let known = match op {
            O::PopJumpIfNone | O::PopJumpIfNotNone => none_test(&v.kind)
                .flatten()
                .map(|is| is == (op == O::PopJumpIfNone)),
            _ if v.kind == Kind::None => {
                Some(matches!(op, O::PopJumpIfFalse | O::JumpIfFalseOrPop))
            }
            _ => None,
        };
        if let Some(jumps) = known {
            if !jumps || !keeps {
                self.pop(1);
            }
            return self.goto(if jumps { target } else { self.pc + 1 });
        }
        let condition = match op {
            O::PopJumpIfNone | O::PopJumpIfNotNone => self.is_none(&v)?,
            _ => arith::truth(self, &v)?,
        };
        let on_zero = matches!(
            op,
            O::PopJumpIfFalse | O::JumpIfFalseOrPop | O::PopJumpIfNotNone
        );
        let (jump, on) = (self.b.create_block(), self.b.create_block());
        let (yes, no) = if on_zero { (on, jump) } else { (jump, on) };
        self.b.ins().brif(condition, yes, &[], no, &[]);
        let (locals, whole) = (self.locals.clone(), self.stack.clone());
        self.b.switch_to_block(jump);
        if !keeps {
            self.pop(1);
        }
        self.goto(target)?;
        self.b.switch_to_block(on);
        self.locals = locals;
        self.stack = whole;
        self.pop(1);
        self.goto(self.pc + 1)
    }

    fn attribute(&mut self, unit: &Unit, block: &Block, op: Opcode, pc: u32, arg: usize) -> Done {
        let object = self.top(1)?;
        let Some(name) = unit.code.names.get(arg) else {
            return Err(self.broken("name"));
        };
        match (&object.kind, object.leaves.as_slice()) {
            (Kind::List(_), _) => {
                let append = janus_object::types().list.lookup(name);
                let known = append.and_then(|a| {
                    let all = &self.program.known;
                    all.iter().position(|k| janus_object::ops::is(k, &a))
                });
                let Some(k) = known else {
                    return Err(self.broken("method"));
                };
                self.replace(1, V::bare(Kind::Known(k)));
                self.stack.push(object);
            }
            (Kind::Complex, &[re, im]) => {
                let part = if name.as_str() == "real" { re } else { im };
                self.replace(1, V::one(Kind::Float, part));
            }
            _ => {
                self.pop(1);
                self.load_source(block, pc)?;
                if op == Opcode::LoadMethod {
                    self.stack.push(V::bare(Kind::Null));
                }
            }
        }
        Ok(())
    }

    fn load_source(&mut self, block: &Block, pc: u32) -> Done {
        let v = match block.loads.get(&pc) {
            Some(Source::Known(k)) => V::bare(Kind::Known(*k)),
            Some(Source::Const(value)) => self.constant(value)?,
            Some(Source::Memory(memory)) => {
                let Some(global) = self.program.memory.get(*memory) else {
                    return Err(self.broken("a global"));
                };
                let tag = global.kind.tag().unwrap_or_default();
                let (index, tag) = (self.int(*memory as i64), self.int(i64::from(tag)));
                let call = self.call_helper(Helper::GlobalGet, &[self.ctx, index, tag]);
                let &[status, bits] = self.b.inst_results(call) else {
                    return Err(self.broken("call"));
                };
                self.deopt_if(status, Why::new(global.kind.name(), "another type"));
                self.with_bits(&global.kind, bits)
            }
            _ => return Err(self.broken("a load without source")),
        };
        self.stack.push(v);
        Ok(())
    }

    fn store_memory(&mut self, memory: usize) -> Done {
        let v = self.top(1)?;
        let (tag, bits) = (self.tag_of(&v), self.bits(&v));
        let index = self.int(memory as i64);
        let call = self.call_helper(Helper::GlobalSet, &[self.ctx, index, tag, bits]);
        let &[status] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        self.deopt_if(
            status,
            Why::new("a global that is a number", "another object"),
        );
        self.pop(1);
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
                    .icmp_imm_u(IntCC::NotEqual, actual, i64::from(tag));
                self.deopt_if(wrong, Why::new(kind.name(), "another type"));
                self.with_bits(&kind, payload)
            }
            (Load::Set, &[actual, payload]) => {
                let most = i64::from(tag::LIST);
                let unset = self
                    .b
                    .ins()
                    .icmp_imm_u(IntCC::UnsignedGreaterThan, actual, most);
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
        self.pop(1);
        match self.locals.get_mut(slot) {
            Some(local) => *local = v,
            None => return Err(self.broken("variable")),
        }
        Ok(())
    }

    /// A direct call of another unit.
    fn call_unit(&mut self, unit: &Unit, callee: usize, count: usize) -> Done<bool> {
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
        self.check_interrupt();
        let depth = self.b.ins().iadd_imm_s(self.depth, 1);
        let limit = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(LIMIT));
        let deep = self.b.ins().icmp(IntCC::SignedGreaterThan, depth, limit);
        self.deopt_if(deep, Why::new("a recursion below the limit", "the limit"));
        let mut args = vec![self.ctx, depth];
        let first = self.stack.len().saturating_sub(count);
        let given: Vec<V> = self.stack.iter().skip(first).cloned().collect();
        for (v, kind) in given.into_iter().zip(&target.entry.locals) {
            args.extend(self.coerce(v, kind)?.leaves);
        }
        let call = self.call_function(callee, &args)?;
        let results = self.b.inst_results(call).to_vec();
        let Some(&status) = results.first() else {
            return Err(self.broken("call"));
        };
        let leaf = results.get(1).copied();

        let (left, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(left);
        let joined = first_type(Some(&result)).map(|ty| self.b.append_block_param(on, ty));
        let direct: Vec<_> = leaf.into_iter().map(Into::into).collect();
        self.b.ins().brif(status, left, &[], on, &direct);

        self.b.switch_to_block(left);
        let before = (self.locals.clone(), self.stack.clone());
        self.callee_left(unit, status, depth, &result, count)?;
        let leaf = self.load_words(&result, 0).first().copied();
        let resumed: Vec<_> = leaf.into_iter().map(Into::into).collect();
        self.b.ins().jump(on, &resumed);
        (self.locals, self.stack) = before;

        self.b.switch_to_block(on);
        let mut leaves: Vec<Ir> = joined.into_iter().collect();
        if result.types().len() > 1 {
            let rest = self.load_words(&result, 0);
            leaves.extend(rest.into_iter().skip(1));
        }
        self.replace(count + 2, V::new(result, leaves));
        Ok(true)
    }

    /// The callee left its code: tier 0 finishes it. The code here goes on where its result is in
    /// the words of the context.
    fn callee_left(
        &mut self,
        unit: &Unit,
        status: Ir,
        depth: Ir,
        result: &Kind,
        count: usize,
    ) -> Done {
        // Tier 0 sees globals and cells as they are now, and may change them.
        self.write_back(unit);
        let first = unit.code.code.varnames.len();
        for v in self.locals.iter_mut().skip(first) {
            *v = V::bare(Kind::Keep);
        }
        let index = self.int(self.tables.sites.len() as i64);
        self.tables.sites.push(CallSite {
            result: result.clone(),
        });
        let goes_on = self.int(i64::from(unit.names.is_empty()));
        let call = self.call_helper(
            Helper::CalleeExit,
            &[self.ctx, status, index, depth, goes_on],
        );
        let &[outcome] = self.b.inst_results(call) else {
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
        let is_raised = is_equal(self, outcome, 2);
        self.b.ins().brif(is_raised, raised, &[], other, &[]);
        self.b.switch_to_block(raised);
        self.exit(self.pc, None, true);
        self.b.switch_to_block(other);
        self.replace(count + 2, V::bare(Kind::Pending));
        self.exit(self.pc + 1, None, false);
        self.b.switch_to_block(fine);
        Ok(())
    }

    /// Writes globals and cells that are kept in variables to where they live.
    fn write_back(&mut self, unit: &Unit) {
        let first = unit.code.code.varnames.len();
        let slots: Vec<V> = self.locals.iter().skip(first).cloned().collect();
        for (at, v) in slots.iter().enumerate() {
            if !unit.names.get(at).is_some_and(|n| n.stored) {
                continue;
            }
            let index = self.int(at as i64);
            let zero = self.int(0);
            let (tag, bits, more) = match (&v.kind, v.leaves.as_slice()) {
                (Kind::Complex, &[re, im]) => {
                    let re = self.b.ins().bitcast(I64, MemFlags::new(), re);
                    let im = self.b.ins().bitcast(I64, MemFlags::new(), im);
                    (self.int(i64::from(tag::COMPLEX)), re, im)
                }
                (Kind::Known(k), _) => (self.int(i64::from(tag::KNOWN)), self.int(*k as i64), zero),
                _ => (self.tag_of(v), self.bits(v), zero),
            };
            let args = [self.ctx, index, tag, bits, more];
            self.call_helper(Helper::NameSet, &args);
        }
    }

    /// The operator with this operand, without "in place".
    pub(crate) fn operator(&self, arg: u32) -> Done<BinaryOp> {
        BinaryOp::from_arg(arg)
            .map(BinaryOp::plain)
            .ok_or_else(|| self.broken("operator"))
    }
}
