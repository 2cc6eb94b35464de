//! One instruction to CLIF.
//!
//! In: an instruction, and the values before it in the emitter. Out: the values after it. Always:
//! kinds come out as [`crate::step`] says.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block as IrBlock, InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_bytecode::{BinaryOp, CompareOp, Consumer, Instr, Opcode};
use janus_object::ops::Special;
use janus_object::{PyCell, PyRef};

use crate::emit::{CallSite, Done, Emitter, Own, V, Why, first_type, is_equal, split};
use crate::kind::{Kind, Load, load_of, tag, tag_byte};
use crate::layout::{LENT, LIMIT, PAYLOAD, RETURNED, SHOWN, TRAIL, WORDS_LENT, payload, word};
use crate::lower::Helper;
use crate::program::{Argument, Block, Callee, Source, Unit};
use crate::step::{item_join, none_test, seen_at};
use crate::trail::Caller;
use crate::{arith, list};

/// What a direct call of a unit is the call of.
#[derive(Clone, Copy)]
enum Called {
    /// A function.
    Function,
    /// A class, of this version, whose `__init__` the unit is.
    Class(usize, u32),
    /// The method of an operation, whose operands stay on the stack meanwhile.
    Operator(Special),
}

/// Where the receiver and the argument of an operation lie, by their distance from the top of the stack, which is 1.
pub(crate) fn operands(special: Special) -> &'static [usize] {
    match special {
        Special::Len => &[1],
        Special::Contains(_) => &[1, 2],
        Special::Binary(_) | Special::Compare(_) | Special::Item => &[2, 1],
    }
}

/// How many values an operation takes off the stack: `len` itself, too.
pub(crate) fn taken(special: Special) -> usize {
    match special {
        Special::Len => 3,
        _ => 2,
    }
}

impl Emitter<'_, '_> {
    /// Emits one instruction; whether control reaches the next one.
    pub(crate) fn instruction(&mut self, unit: &Unit, block: &Block, pc: u32) -> Done<bool> {
        use Opcode as O;
        let Some(&instr) = unit.code.code.instrs.get(pc as usize) else {
            return Err(self.broken("pc outside code"));
        };
        let arg = instr.arg as usize;
        let seen = seen_at(&unit.code, pc, self.program.is_wide(self.at, pc));
        match block.calls.get(&pc) {
            Some(callee @ Callee::Operator { .. }) => return self.operate(unit, callee),
            Some(Callee::Identity) => {
                self.compare_identity(instr)?;
                return Ok(true);
            }
            _ => {}
        }
        if instr.op == O::Call
            && let Some(seen) = block.attrs.get(&pc)
        {
            self.load_super(arg, seen)?;
            return Ok(false);
        }
        match instr.op {
            O::Nop | O::LoopHead => {}
            O::PopTop => self.pop(1),
            O::Copy => {
                let v = self.top(arg)?;
                if v.own == Own::Self_ {
                    self.count_up(&v);
                }
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
                None => self.load_source(block, pc)?,
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
                (None, Some(Source::Memory(memory, _))) => self.store_memory(*memory)?,
                _ => return Err(self.broken("name")),
            },
            O::LoadAttr | O::LoadMethod => {
                return self.attribute(unit, block, instr.op, pc, arg);
            }
            O::StoreAttr => {
                let (Some(name), Some(seen)) = (unit.code.names.get(arg), block.attrs.get(&pc))
                else {
                    return Err(self.broken("attribute"));
                };
                self.store_attribute(seen, name)?;
            }
            O::ContainsOp => {
                self.box_at(2)?;
                let (item, container) = (self.top(2)?, self.top(1)?);
                let args = [
                    self.tag_of(&container),
                    self.bits(&container),
                    self.tag_of(&item),
                    self.bits(&item),
                ];
                let call = self.call_helper(Helper::Contains, &args);
                let &[found] = self.b.inst_results(call) else {
                    return Err(self.broken("call"));
                };
                let unknown = is_equal(self, found, 2);
                self.deopt_if(unknown, Why::new("a plain container", "another object"));
                let found = self.b.ins().ireduce(I8, found);
                let result = self.b.ins().bxor_imm_u(found, i64::from(instr.arg & 1));
                self.replace(2, V::one(Kind::Bool, result));
            }
            O::Call | O::CallKw => match block.calls.get(&pc) {
                Some(Callee::Unit(callee, arguments)) => {
                    return self.call_unit(unit, instr, *callee, arguments, Called::Function);
                }
                Some(Callee::Make {
                    class,
                    version,
                    unit: callee,
                    arguments,
                }) => {
                    let class = Called::Class(*class, *version);
                    return self.call_unit(unit, instr, *callee, arguments, class);
                }
                Some(Callee::Append) => {
                    self.box_at(1)?;
                    let (list, value) = (self.top(2)?, self.top(1)?);
                    let list = arith::leaf(self, &list)?;
                    let value = self.owned(value);
                    list::push(self, list, &value);
                    self.take()?;
                    self.replace(arg + 1, V::bare(Kind::None));
                }
                Some(callee @ Callee::Native(..)) => {
                    for n in 1..=arg {
                        self.box_at(n)?;
                    }
                    let result = arith::call(self, callee, arg)?;
                    self.replace(arg + 2, result);
                }
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
                let same = if a.kind == Kind::None {
                    self.is_none(&b)?
                } else if b.kind == Kind::None {
                    self.is_none(&a)?
                } else {
                    self.is_same(a, b)?
                };
                let result = match arg {
                    0 => same,
                    _ => self.b.ins().bxor_imm_u(same, 1),
                };
                self.replace(2, V::one(Kind::Bool, result));
            }
            O::IsBuiltin => {
                let known = match (Consumer::from_arg(instr.arg), self.top(1)?.kind) {
                    (Some(consumer), Kind::Known(k)) => {
                        let value = self.program.known.get(k);
                        value.map(|value| janus_object::is_builtin(consumer, value))
                    }
                    _ => None,
                };
                // What is not known before is left to tier 0.
                let Some(is) = known else {
                    return Err(self.broken("an unknown built-in"));
                };
                let is = self.b.ins().iconst(I8, i64::from(is));
                self.stack.push(V::one(Kind::Bool, is));
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
                if self.top(2)?.kind == Kind::Object(tag::DICT) {
                    self.box_at(1)?;
                }
                let (list, index) = (self.top(2)?, self.top(1)?);
                let item = match list.kind {
                    Kind::Object(tag::DICT) => list::entry(self, &list, &index)?,
                    Kind::Object(tag::STR) => list::character(self, &list, &index)?,
                    _ => list::item(self, &list, &index)?,
                };
                self.replace(2, item);
            }
            O::StoreSubscr => {
                self.box_at(3)?;
                self.box_at(1)?;
                let (value, list, index) = (self.top(3)?, self.top(2)?, self.top(1)?);
                if let Kind::Object(_) = list.kind {
                    list::set_entry(self, &value, &list, &index)?;
                    self.pop(3);
                } else {
                    list::set_item(self, &value, &list, &index)?;
                    self.pop(2);
                    self.take()?;
                }
            }
            O::BuildList => {
                let Some(at) = self.stack.len().checked_sub(arg) else {
                    return Err(self.broken("stack"));
                };
                let kinds = self.stack.iter().skip(at);
                let kind = kinds.fold(Kind::Unset, |a, b| item_join(&a, &b.kind));
                for n in 1..=arg {
                    self.box_at(n)?;
                }
                let mut items = Vec::new();
                for v in self.stack.split_off(at) {
                    items.push(self.owned(v));
                }
                let made = list::build(self, &items, &kind)?;
                self.stack.push(made);
            }
            O::ListAppend => {
                let kind = self.top(1)?.kind;
                self.box_at(1)?;
                let (item, list) = (self.top(1)?, self.top(arg + 1)?);
                let address = arith::leaf(self, &list)?;
                let item = self.owned(item);
                list::push(self, address, &item);
                let at = self.stack.len() - (arg + 1);
                if let Some(Kind::List(items)) = self.stack.get_mut(at).map(|v| &mut v.kind) {
                    **items = item_join(items, &kind);
                }
                self.take()?;
            }
            O::BuildTuple => {
                let Some(at) = self.stack.len().checked_sub(arg) else {
                    return Err(self.broken("stack"));
                };
                let mut items = Vec::new();
                for v in self.stack.split_off(at) {
                    items.push(self.owned(v));
                }
                let kinds = items.iter().map(|v| v.kind.clone()).collect();
                let leaves = items.into_iter().flat_map(|v| v.leaves).collect();
                self.stack.push(V::new(Kind::Tuple(kinds), leaves));
            }
            O::UnpackSequence => {
                let sequence = self.top(1)?;
                let items = match sequence.kind {
                    Kind::List(_) | Kind::Object(_) => {
                        let items = list::unpack(self, &sequence, arg)?;
                        self.pop(1);
                        items
                    }
                    _ => {
                        let sequence = self.take()?;
                        split(&sequence)
                    }
                };
                self.stack.extend(items.into_iter().rev());
            }
            O::GetIter => {
                if let Kind::Tuple(_) = self.top(1)?.kind {
                    self.box_at(1)?;
                }
                let v = self.top(1)?;
                let iterator = list::iterator(self, &v)?;
                // The iterator keeps what it iterates over.
                let v = self.take()?;
                let _ = self.owned(v);
                self.stack.push(iterator);
            }
            O::ForIter => {
                list::for_iter(self, instr.arg)?;
                return Ok(false);
            }
            O::JumpBackward => {
                self.check_interrupt()?;
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
                let mut gone: Vec<V> = self.locals.clone();
                let v = match v.own {
                    // The local's reference goes to the caller.
                    Own::Local(of) => {
                        gone.remove(of);
                        V {
                            own: Own::Self_,
                            ..v
                        }
                    }
                    _ => self.owned(v),
                };
                let v = self.coerce(v, &kind)?;
                let below = self.stack.len().saturating_sub(1);
                gone.extend(self.stack.iter().take(below).cloned());
                let owed = self.let_go_of(&gone);
                if v.leaves.len() > 1 {
                    let leaves = v.leaves.clone();
                    self.store_words(&leaves);
                }
                let zero = self.int(0);
                if let Some(owed) = owed {
                    // What is owed is done before the caller goes on.
                    let (out, on) = (self.b.create_block(), self.b.create_block());
                    self.b.set_cold_block(out);
                    self.b.ins().brif(owed, out, &[], on, &[]);
                    self.b.switch_to_block(out);
                    if let [only] = v.leaves.as_slice() {
                        self.store_words(&[*only]);
                    }
                    let status = self.int(RETURNED as i64);
                    self.leave(status, v.leaves.first().copied());
                    self.b.switch_to_block(on);
                }
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

    /// Whether two values, of which one is an object, are the same.
    fn is_same(&mut self, a: V, b: V) -> Done<Ir> {
        let (a, b) = (self.plain(a)?, self.plain(b)?);
        let (x, y) = (self.tag_of(&a), self.tag_of(&b));
        let tags = self.b.ins().icmp(IntCC::Equal, x, y);
        let (x, y) = (self.bits(&a), self.bits(&b));
        let bits = self.b.ins().icmp(IntCC::Equal, x, y);
        Ok(self.b.ins().band(tags, bits))
    }

    /// A known object as a value.
    fn plain(&mut self, v: V) -> Done<V> {
        match v.kind {
            Kind::Known(_) => self.boxed(v),
            _ => Ok(v),
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
            let to = if jumps { target } else { self.pc + 1 };
            if !jumps || !keeps {
                self.pop(1);
                self.release_dropped(to)?;
            }
            return self.goto(to);
        }
        let condition = match op {
            O::PopJumpIfNone | O::PopJumpIfNotNone => self.is_none(&v)?,
            _ => arith::truth(self, &v)?,
        };
        let on_zero = matches!(
            op,
            O::PopJumpIfFalse | O::JumpIfFalseOrPop | O::PopJumpIfNotNone
        );
        let owed = match keeps {
            true => None,
            false => {
                self.pop(1);
                self.let_go()
            }
        };
        let (jump, on) = (self.b.create_block(), self.b.create_block());
        let (yes, no) = if on_zero { (on, jump) } else { (jump, on) };
        self.b.ins().brif(condition, yes, &[], no, &[]);
        let (locals, whole) = (self.locals.clone(), self.stack.clone());
        self.b.switch_to_block(jump);
        if let Some(owed) = owed {
            self.settle_if(owed, target)?;
        }
        self.goto(target)?;
        self.b.switch_to_block(on);
        self.locals = locals;
        self.stack = whole;
        if keeps {
            self.pop(1);
            self.release_dropped(self.pc + 1)?;
        } else if let Some(owed) = owed {
            self.settle_if(owed, self.pc + 1)?;
        }
        self.goto(self.pc + 1)
    }

    fn attribute(
        &mut self,
        unit: &Unit,
        block: &Block,
        op: Opcode,
        pc: u32,
        arg: usize,
    ) -> Done<bool> {
        let object = self.top(1)?;
        let Some(name) = unit.code.names.get(arg) else {
            return Err(self.broken("name"));
        };
        match (&object.kind, object.leaves.as_slice()) {
            (Kind::Complex, &[re, im]) => {
                let part = if name.as_str() == "real" { re } else { im };
                self.replace(1, V::one(Kind::Float, part));
            }
            (Kind::Known(_), _) if block.loads.contains_key(&pc) => {
                self.pop(1);
                self.load_source(block, pc)?;
                if op == Opcode::LoadMethod {
                    self.stack.push(V::bare(Kind::Null));
                }
            }
            (Kind::List(_) | Kind::Object(_), _) if !block.attrs.contains_key(&pc) => {
                let method =
                    crate::object::class_of_kind(&object.kind).and_then(|class| class.lookup(name));
                let Some(method) = method else {
                    return Err(self.broken("method"));
                };
                self.push_method(&method)?;
            }
            _ => {
                let Some(seen) = block.attrs.get(&pc) else {
                    return Err(self.broken("attribute"));
                };
                if block.attr_kinds.get(&pc) == Some(&Kind::Keep) {
                    self.load_methods(seen, pc)?;
                    return Ok(seen.len() == 1);
                }
                let v = self.load_attribute(seen)?;
                self.replace(1, v);
                if op == Opcode::LoadMethod {
                    self.stack.push(V::bare(Kind::Null));
                }
            }
        }
        Ok(true)
    }

    fn load_source(&mut self, block: &Block, pc: u32) -> Done {
        let v = match block.loads.get(&pc) {
            Some(Source::Known(k)) => V::bare(Kind::Known(*k)),
            Some(Source::Object(k)) => match self.program.known.get(*k) {
                Some(value) => self.immortal(value),
                None => return Err(self.broken("a known object")),
            },
            Some(Source::Const(value)) => self.constant(value)?,
            Some(Source::Memory(memory, kind)) => {
                let mask = i64::from(kind.tags().unwrap_or_default());
                let (index, mask) = (self.int(*memory as i64), self.int(mask));
                let call = self.call_helper(Helper::GlobalGet, &[self.ctx, index, mask]);
                let &[actual, bits] = self.b.inst_results(call) else {
                    return Err(self.broken("call"));
                };
                let other = is_equal(self, actual, tag::UNSET);
                self.deopt_if(other, Why::new(kind.name(), "another type"));
                match kind {
                    Kind::Dyn { .. } => V::new(kind.clone(), vec![actual, bits]),
                    _ => self.with_bits(kind, bits),
                }
            }
            Some(Source::Cell(cell, kind)) => self.load_cell(cell, kind)?,
            _ => return Err(self.broken("a load without source")),
        };
        self.stack.push(v);
        Ok(())
    }

    /// The value of a cell, which lives as long as the code.
    fn load_cell(&mut self, cell: &PyRef<PyCell>, kind: &Kind) -> Done<V> {
        let at = self.int(cell.value.as_ptr() as i64);
        match kind {
            Kind::Known(k) => {
                let Some(known) = self.program.known.get(*k) else {
                    return Err(self.broken("a known object"));
                };
                let (tag, bits) = (i64::from(tag_byte(known)), payload(known) as i64);
                let actual = self.b.ins().uload8(I64, MemFlags::trusted(), at, 0);
                let other = self.b.ins().icmp_imm_u(IntCC::NotEqual, actual, tag);
                let why = || Why::new("a variable of another function as it was", "another value");
                self.deopt_if(other, why());
                let actual = self.b.ins().load(I64, MemFlags::trusted(), at, PAYLOAD);
                let bits = self.int(bits);
                let other = self.b.ins().icmp(IntCC::NotEqual, actual, bits);
                self.deopt_if(other, why());
                Ok(V::bare(kind.clone()))
            }
            kind => {
                let actual = self.b.ins().uload8(I64, MemFlags::trusted(), at, 0);
                let unset = self.b.ins().icmp_imm_u(
                    IntCC::UnsignedGreaterThan,
                    actual,
                    i64::from(tag::LAST),
                );
                self.deopt_if(unset, Why::new("a variable that is set", "one that is not"));
                list::read(self, kind, at)
            }
        }
    }

    fn store_memory(&mut self, memory: usize) -> Done {
        self.box_at(1)?;
        let v = self.top(1)?;
        let (tag, bits) = (self.tag_of(&v), self.bits(&v));
        let index = self.int(memory as i64);
        let call = self.call_helper(Helper::GlobalSet, &[self.ctx, index, tag, bits]);
        let &[status, owed] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        self.deopt_if(
            status,
            Why::new("a global that is assigned", "one that is not"),
        );
        self.owed = Some(self.b.ins().ireduce(I8, owed));
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
        if let Some(local) = self.locals.get_mut(slot) {
            *local = loaded.clone();
        }
        self.stack.push(V {
            own: Own::Local(slot),
            ..loaded
        });
        Ok(())
    }

    fn store(&mut self, slot: usize) -> Done {
        if matches!(self.top(1)?.kind, Kind::Tuple(_)) {
            self.box_at(1)?;
        }
        let v = self.take()?;
        self.assign(slot, v)
    }

    /// An operation on an instance, which calls a unit.
    fn operate(&mut self, unit: &Unit, callee: &Callee) -> Done<bool> {
        let Callee::Operator {
            special,
            unit: callee,
            arguments,
            receiver,
            argument,
        } = callee
        else {
            return Err(self.broken("operator"));
        };
        let places = operands(*special);
        for from_top in places {
            if matches!(self.top(*from_top)?.kind, Kind::Tuple(_)) {
                self.box_at(*from_top)?;
            }
        }
        let versions = [*receiver, *argument];
        self.check_versions(places, &versions)?;
        let Some(&instr) = unit.code.code.instrs.get(self.pc as usize) else {
            return Err(self.broken("pc outside code"));
        };
        let called = Called::Operator(*special);
        self.call_unit(unit, instr, *callee, arguments, called)
    }

    /// Leaves unless instances on the stack are of classes with these versions; 0: nothing is asked.
    fn check_versions(&mut self, places: &[usize], versions: &[u32]) -> Done {
        let no = self.way_out(Why::new("an operand as before", "another one"));
        for (from_top, version) in places.iter().zip(versions) {
            if *version != 0 {
                let operand = self.top(*from_top)?;
                let address = arith::leaf(self, &operand)?;
                let actual = self.class_version(address);
                self.check_version(actual, *version, no);
            }
        }
        Ok(())
    }

    /// A comparison of instances that are equal to nothing but themselves.
    fn compare_identity(&mut self, instr: Instr) -> Done {
        let no = self.way_out(Why::new(
            "an object that is compared by identity",
            "another one",
        ));
        let (a, b) = (self.top(2)?, self.top(1)?);
        for operand in [&a, &b] {
            if operand.kind != Kind::Object(tag::INSTANCE) {
                continue;
            }
            let address = arith::leaf(self, operand)?;
            let (class, fine) = (self.layout.class, self.b.create_block());
            let class = self.b.ins().load(I64, MemFlags::trusted(), address, class);
            let flag = self.layout.object_eq;
            let by_identity = self.b.ins().uload8(I64, MemFlags::trusted(), class, flag);
            self.b.ins().brif(by_identity, fine, &[], no, &[]);
            self.b.switch_to_block(fine);
        }
        let same = self.is_same(a, b)?;
        let result = match CompareOp::from_arg(instr.arg) {
            Some(CompareOp::Ne) => self.b.ins().bxor_imm_u(same, 1),
            _ => same,
        };
        self.replace(2, V::one(Kind::Bool, result));
        Ok(())
    }

    /// What an operation gives where the method gave a value.
    fn operated(&mut self, special: Special, result: V) -> Done<V> {
        match special {
            Special::Contains(is) => {
                let truth = arith::truth(self, &result)?;
                let found = self.b.ins().bxor_imm_u(truth, i64::from(!is));
                Ok(V::one(Kind::Bool, found))
            }
            Special::Len => {
                let length = arith::leaf(self, &result)?;
                let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, length, 0);
                let (bad, fine) = (self.b.create_block(), self.b.create_block());
                self.b.set_cold_block(bad);
                self.b.ins().brif(negative, bad, &[], fine, &[]);
                self.b.switch_to_block(bad);
                let before = (self.locals.clone(), self.stack.clone());
                self.bad_length(&result)?;
                (self.locals, self.stack) = before;
                self.b.switch_to_block(fine);
                Ok(result)
            }
            Special::Binary(_) | Special::Compare(_) | Special::Item => Ok(result),
        }
    }

    /// A direct call of another unit.
    fn call_unit(
        &mut self,
        unit: &Unit,
        instr: Instr,
        callee: usize,
        arguments: &[Argument],
        called: Called,
    ) -> Done<bool> {
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
        self.check_interrupt()?;
        let depth = self.b.ins().iadd_imm_s(self.depth, 1);
        let limit = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(LIMIT));
        let deep = self.b.ins().icmp(IntCC::SignedGreaterThan, depth, limit);
        self.deopt_if(deep, Why::new("a recursion below the limit", "the limit"));
        let mut args = vec![self.ctx, depth];
        let mut given = Vec::new();
        let mut made = None;
        if let Called::Class(k, version) = called {
            let Some(class) = self.program.known.get(k) else {
                return Err(self.broken("class"));
            };
            self.expect_version(class, version);
            let head = self.int(payload(class) as i64);
            let call = self.call_helper(Helper::InstanceNew, &[self.ctx, head]);
            let &[address] = self.b.inst_results(call) else {
                return Err(self.broken("call"));
            };
            let instance = V::one(Kind::Object(tag::INSTANCE), address);
            self.count_up(&instance);
            given.push(instance.clone());
            made = Some(instance);
        }
        if let Called::Operator(special) = called {
            // They stay where they are: another method may have to be asked.
            for from_top in operands(special) {
                let operand = self.top(*from_top)?;
                self.count_up(&operand);
                given.push(V {
                    own: Own::Self_,
                    ..operand
                });
            }
        }
        if !matches!(called, Called::Operator(_)) {
            if instr.op == Opcode::CallKw {
                // What the last ones are named is known.
                self.take()?;
            }
            for _ in 0..instr.arg {
                given.push(self.take()?);
            }
            let first = usize::from(made.is_some());
            if let Some(given) = given.get_mut(first..) {
                given.reverse();
            }
            let receiver = self.take()?;
            if receiver.kind != Kind::Null {
                given.insert(first, receiver);
            }
            self.take()?;
        }
        for (argument, kind) in arguments.iter().zip(&target.entry.locals) {
            let v = match argument {
                Argument::Given(at) => match given.get(*at) {
                    Some(v) => v.clone(),
                    None => return Err(self.broken("argument")),
                },
                Argument::Default(value) => self.constant(value)?,
            };
            let v = self.owned(v);
            args.extend(self.coerce(v, kind)?.leaves);
        }
        self.lend_names(unit);
        self.note_caller();
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
        self.callee_left(unit, called, status, depth, &result, made.clone())?;
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
        let mut result = V::new(result, leaves);
        if let Called::Operator(special) = called {
            result = self.operated(special, result)?;
            self.pop(taken(special));
        }
        self.stack.push(made.unwrap_or(result));
        self.take_names_back(unit)?;
        Ok(true)
    }

    /// Lends the names that the code keeps in variables to a function that is called: Python that runs meanwhile may see them.
    fn lend_names(&mut self, unit: &Unit) {
        let first = unit.code.code.varnames.len();
        let slots: Vec<V> = self.locals.iter().skip(first).cloned().collect();
        let stored = |at: usize| unit.names.get(at).is_some_and(|n| n.stored);
        if !(0..slots.len()).any(stored) {
            return;
        }
        let lent = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(LENT));
        for (at, v) in slots.iter().enumerate().filter(|(at, _)| stored(*at)) {
            let [_, _, words @ ..] = self.named(at, v);
            for (n, bits) in (0..).zip(words) {
                let place = word(at * WORDS_LENT + n);
                self.b.ins().store(MemFlags::trusted(), bits, lent, place);
            }
        }
    }

    /// After a call: where Python saw the names that were lent, they may have been assigned; then the code is left.
    fn take_names_back(&mut self, unit: &Unit) -> Done {
        if unit.names.is_empty() {
            return Ok(());
        }
        let shown = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(SHOWN));
        let (look, leave, on) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        self.b.set_cold_block(look);
        self.b.set_cold_block(leave);
        self.b.ins().brif(shown, look, &[], on, &[]);
        self.b.switch_to_block(look);
        let zero = self.int(0);
        self.b
            .ins()
            .store(MemFlags::trusted(), zero, self.ctx, word(SHOWN));
        match self.names_are_same(unit) {
            Some(same) => self.b.ins().brif(same, on, &[], leave, &[]),
            None => self.b.ins().jump(on, &[]),
        };
        self.b.switch_to_block(leave);
        let before = (self.locals.clone(), self.stack.clone());
        let (dropped, owed) = (self.dropped.clone(), self.owed);
        self.let_go();
        self.forget_names(unit);
        self.exit(self.pc + 1, None, false);
        (self.locals, self.stack) = before;
        (self.dropped, self.owed) = (dropped, owed);
        self.b.switch_to_block(on);
        Ok(())
    }

    /// Writes into the trail which call is made at this depth.
    fn note_caller(&mut self) {
        let number = self.int(self.tables.callers.len() as i64);
        self.tables.callers.push(Caller {
            unit: self.at,
            pc: self.pc,
        });
        let trail = self
            .b
            .ins()
            .load(I64, MemFlags::trusted(), self.ctx, word(TRAIL));
        let place = self.b.ins().ishl_imm_u(self.depth, 3);
        let place = self.b.ins().iadd(trail, place);
        self.b.ins().store(MemFlags::trusted(), number, place, 0);
    }

    /// The callee left its code: tier 0 finishes it. The code here goes on where its result is in
    /// the words of the context.
    fn callee_left(
        &mut self,
        unit: &Unit,
        called: Called,
        status: Ir,
        depth: Ir,
        result: &Kind,
        made: Option<V>,
    ) -> Done {
        let number = self.tables.sites.len();
        let index = self.int(number as i64);
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
        let (bad, fine) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(outcome, bad, &[], fine, &[]);
        self.b.switch_to_block(bad);
        let before = (self.locals.clone(), self.stack.clone());
        self.where_equal(outcome, 2, |e| {
            e.forget_names(unit);
            // The handler drops what lies on the stack.
            e.stack.extend(made.clone());
            e.exit(e.pc, None, true);
            Ok(())
        })?;
        (self.locals, self.stack) = before.clone();
        if let Some(same) = self.names_are_same(unit) {
            let other = self.b.create_block();
            self.where_equal(outcome, 3, |e| {
                let arrive = e.b.create_block();
                e.b.ins().brif(same, arrive, &[], other, &[]);
                e.b.switch_to_block(arrive);
                e.arrive(number, 0, fine, other)
            })?;
            self.b.ins().jump(other, &[]);
            self.b.switch_to_block(other);
        }
        self.forget_names(unit);
        if let Called::Operator(special) = called {
            self.operator_after(special)?;
        }
        self.stack
            .push(made.unwrap_or_else(|| V::bare(Kind::Pending)));
        self.exit(self.pc + 1, None, false);
        self.b.switch_to_block(fine);
        (self.locals, self.stack) = before;
        Ok(())
    }

    /// Writes globals and cells that are kept in variables to where they live. What was written in the block is not written
    /// again: if others assign it, the code is left.
    pub(crate) fn write_back(&mut self, unit: &Unit) {
        let first = unit.code.code.varnames.len();
        let slots: Vec<V> = self.locals.iter().skip(first).cloned().collect();
        self.written.resize(slots.len(), None);
        for (at, v) in slots.iter().enumerate() {
            let args = match self.written.get_mut(at) {
                Some(Some(written)) if *written == v.leaves && !v.leaves.is_empty() => continue,
                Some(written) if unit.names.get(at).is_some_and(|n| n.stored) => {
                    *written = Some(v.leaves.clone());
                    self.named(at, v)
                }
                _ => continue,
            };
            self.call_helper(Helper::NameSet, &args);
        }
    }

    /// A name and the variable that it is kept in, as helpers take them.
    fn named(&mut self, at: usize, v: &V) -> [Ir; 5] {
        let (index, zero) = (self.int(at as i64), self.int(0));
        let (tag, bits, more) = match (&v.kind, v.leaves.as_slice()) {
            (Kind::Complex, &[re, im]) => {
                let re = self.b.ins().bitcast(I64, MemFlags::new(), re);
                let im = self.b.ins().bitcast(I64, MemFlags::new(), im);
                (self.int(i64::from(tag::COMPLEX)), re, im)
            }
            (Kind::Known(k), _) => (self.int(i64::from(tag::KNOWN)), self.int(*k as i64), zero),
            _ => (self.tag_of(v), self.bits(v), zero),
        };
        [self.ctx, index, tag, bits, more]
    }

    /// Whether all names that the code keeps in variables are what these say; nothing if there are none.
    pub(crate) fn names_are_same(&mut self, unit: &Unit) -> Option<Ir> {
        let first = unit.code.code.varnames.len();
        let slots: Vec<V> = self.locals.iter().skip(first).cloned().collect();
        let mut all = None;
        for (at, v) in slots.iter().enumerate() {
            let args = self.named(at, v);
            let call = self.call_helper(Helper::NameIs, &args);
            let same = self.b.inst_results(call).first().copied()?;
            all = Some(match all {
                Some(all) => self.b.ins().band(all, same),
                None => same,
            });
        }
        all
    }

    /// Others may have assigned the names that the code keeps in variables: what these hold is not to be written back.
    pub(crate) fn forget_names(&mut self, unit: &Unit) {
        let count = self.locals.len().min(unit.code.code.varnames.len());
        let kept = self.locals.split_off(count);
        self.let_go_of(&kept);
        self.locals.extend(kept.iter().map(|_| V::bare(Kind::Keep)));
    }

    /// What is pending is the result, if it is of the kind that is expected.
    pub(crate) fn arrive(
        &mut self,
        number: usize,
        acts: i64,
        fine: IrBlock,
        leave: IrBlock,
    ) -> Done {
        let (number, acts) = (self.int(number as i64), self.int(acts));
        let call = self.call_helper(Helper::Arrive, &[self.ctx, number, acts]);
        let &[other] = self.b.inst_results(call) else {
            return Err(self.broken("call"));
        };
        self.b.ins().brif(other, leave, &[], fine, &[]);
        Ok(())
    }

    /// Code for where a status is this; afterwards, it is not.
    pub(crate) fn where_equal(
        &mut self,
        status: Ir,
        to: u32,
        then: impl FnOnce(&mut Self) -> Done,
    ) -> Done {
        let (here, on) = (self.b.create_block(), self.b.create_block());
        let is = is_equal(self, status, to);
        self.b.ins().brif(is, here, &[], on, &[]);
        self.b.switch_to_block(here);
        then(self)?;
        self.b.switch_to_block(on);
        Ok(())
    }

    /// The operator with this operand, without "in place".
    pub(crate) fn operator(&self, arg: u32) -> Done<BinaryOp> {
        BinaryOp::from_arg(arg)
            .map(BinaryOp::plain)
            .ok_or_else(|| self.broken("operator"))
    }
}
