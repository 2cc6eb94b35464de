//! One instruction to CLIF.
//!
//! In: an instruction, and the values before it in the emitter. Out: the values after it. Always:
//! kinds come out as [`crate::step`] says.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_bytecode::{BinaryOp, CompareOp, Instr, Opcode};
use janus_object::{PyCell, PyRef};

use crate::direct::Called;
use crate::emit::{Done, Emitter, Own, V, Why, is_equal, split};
use crate::kind::{Kind, Load, load_of, tag, tag_byte};
use crate::layout::{PAYLOAD, RETURNED, payload};
use crate::lower::Helper;
use crate::program::{Block, Callee, Form, Source, Unit};
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
                None => self.store_own_cell(arg)?,
            },
            O::LoadClosure => {
                let cell = self.own_cell_object(arg)?;
                self.stack.push(cell);
            }
            O::YieldValue => {
                self.suspend(unit)?;
                return Ok(false);
            }
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
            O::Call | O::CallKw => {
                if let Some(&known) = block.expected.get(&pc) {
                    let names = usize::from(instr.op == O::CallKw);
                    self.expect_callable(arg + names + 2, known)?;
                }
                return self.call(unit, block, instr);
            }
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
                let known = self.program.is_builtin(instr.arg, &self.top(1)?.kind);
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
                if iterator.kind == Kind::RangeIter {
                    self.replace(1, iterator);
                } else {
                    // The iterator keeps what it iterates over.
                    let v = self.take()?;
                    let _ = self.owned(v);
                    self.stack.push(iterator);
                }
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
                if let Form::Loop(_) = unit.form {
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
    pub(crate) fn is_same(&mut self, a: V, b: V) -> Done<Ir> {
        let (a, b) = (self.plain(a)?, self.plain(b)?);
        let (x, y) = (self.tag_of(&a), self.tag_of(&b));
        let tags = self.b.ins().icmp(IntCC::Equal, x, y);
        let (x_bits, y_bits) = (self.bits(&a), self.bits(&b));
        let mut bits = self.b.ins().icmp(IntCC::Equal, x_bits, y_bits);
        let common = [&a, &b].map(|v| v.kind.tags().unwrap_or_default());
        if common.iter().all(|tags| tags & tag::BARE != 0) {
            // There is but one of each, and no payload: what lies in its place is not looked at.
            let most = i64::from(tag::CODE);
            let bare = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, x, most);
            bits = self.b.ins().bor(bits, bare);
        }
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
        let below = self.stack.len().checked_sub(2);
        let below = below.and_then(|at| Some(&self.stack.get(at)?.kind));
        let code = &self.unit()?.code.code;
        let known = self.program.always_jumps(code, self.pc, &v.kind, below);
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

    /// A call of what the analysis found.
    fn call(&mut self, unit: &Unit, block: &Block, instr: Instr) -> Done<bool> {
        let count = instr.arg as usize;
        match block.calls.get(&self.pc) {
            Some(Callee::Unit(callee, arguments)) => {
                return self.call_unit(unit, instr, *callee, arguments, Called::Function);
            }
            Some(Callee::ByCode(callee, arguments)) => {
                return self.call_unit(unit, instr, *callee, arguments, Called::ByCode);
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
                self.replace(count + 1, V::bare(Kind::None));
            }
            Some(callee) => {
                if let Callee::Native(..) = callee {
                    for n in 1..=count {
                        self.box_at(n)?;
                    }
                }
                let result = arith::call(self, callee, count)?;
                self.replace(count + 2, result);
            }
            None => return Err(self.broken("call")),
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
            Some(Source::OwnCell(cell, kind)) => self.load_own_cell(*cell, kind)?,
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
            kind => self.load_set(kind, at),
        }
    }

    /// The value of a variable at an address, which is left where it is not set.
    pub(crate) fn load_set(&mut self, kind: &Kind, at: Ir) -> Done<V> {
        let actual = self.b.ins().uload8(I64, MemFlags::trusted(), at, 0);
        let last = i64::from(tag::LAST);
        let unset = self
            .b
            .ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThan, actual, last);
        self.deopt_if(unset, Why::new("a variable that is set", "one that is not"));
        list::read(self, kind, at)
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
