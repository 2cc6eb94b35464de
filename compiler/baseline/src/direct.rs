//! Direct calls: of functions of the region, of classes, and of the methods of operations.
//!
//! In: a [`Callee`] that is a unit, and its operands on the stack. Out: a call, and what happens where the callee left its code.
//! Always: an operation's operands stay on the stack until its method returned, since another one may have to be asked.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData as MemFlags, Value as Ir};
use janus_bytecode::{CompareOp, Instr, Opcode};
use janus_object::ops::Special;

use crate::arith;
use crate::emit::{CallSite, Done, Emitter, Own, V, Why, first_type};
use crate::kind::{Kind, tag};
use crate::layout::{LIMIT, TRAIL, payload, word};
use crate::lower::Helper;
use crate::program::{Argument, Callee, Unit};
use crate::trail::Caller;

/// What a direct call of a unit is the call of.
#[derive(Clone, Copy)]
pub(crate) enum Called {
    /// A known function.
    Function,
    /// A function of which the code is known.
    ByCode,
    /// A class, of this version, whose `__init__` the unit is.
    Class(usize, u32),
    /// The method of an operation, whose operands stay on the stack meanwhile.
    Operator(Special),
}

/// A call whose callee left its code.
struct Left {
    called: Called,
    /// The instance that it was to fill.
    made: Option<V>,
    /// Whether the callable is on the stack still.
    stays: bool,
}

/// Where the receiver and the argument of an operation lie, by their distance from the top of the stack, which is 1.
pub(crate) fn operands(special: Special) -> &'static [usize] {
    match special {
        Special::Len | Special::Get => &[1],
        Special::Contains(_) => &[1, 2],
        Special::Binary(_) | Special::Compare(_) | Special::Item => &[2, 1],
    }
}

impl Emitter<'_, '_> {
    /// An operation on an instance, which calls a unit.
    pub(crate) fn operate(&mut self, unit: &Unit, callee: &Callee) -> Done<bool> {
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
    pub(crate) fn compare_identity(&mut self, instr: Instr) -> Done {
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
            Special::Binary(_) | Special::Compare(_) | Special::Item | Special::Get => Ok(result),
        }
    }

    /// A direct call of another unit.
    pub(crate) fn call_unit(
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
        let names = usize::from(instr.op == Opcode::CallKw);
        let from_top = instr.arg as usize + names + 2;
        let cells = match called {
            Called::ByCode => {
                let callable = self.top(from_top)?;
                Some(self.cells_of(&callable, &target.code, &target.globals)?)
            }
            _ => None,
        };
        let own = arguments.iter().filter_map(|argument| match argument {
            Argument::Own(from_last, kind) => Some((*from_last, kind)),
            _ => None,
        });
        let mut own_defaults = Vec::new();
        for (from_last, kind) in own {
            let callable = self.top(from_top)?;
            own_defaults.push(self.default_of(&callable, from_last, kind)?);
        }
        let mut own_defaults = own_defaults.into_iter();
        // One that is no constant stays on the stack meanwhile: its cells are to live.
        let stays = match called {
            Called::Operator(_) => false,
            _ => !matches!(self.top(from_top)?.kind, Kind::Known(_)),
        };
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
            if !stays {
                self.take()?;
            }
        }
        for (argument, kind) in arguments.iter().zip(&target.entry.locals) {
            let v = match argument {
                Argument::Given(at) => match given.get(*at) {
                    Some(v) => v.clone(),
                    None => return Err(self.broken("argument")),
                },
                Argument::Default(value) => self.constant(value)?,
                Argument::Own(..) => match own_defaults.next() {
                    Some(v) => {
                        self.count_up(&v);
                        v
                    }
                    None => return Err(self.broken("default")),
                },
            };
            let v = self.owned(v);
            args.extend(self.coerce(v, kind)?.leaves);
        }
        args.extend(cells);
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
        let left = Left {
            called,
            made: made.clone(),
            stays,
        };
        self.callee_left(unit, &left, status, depth, &result)?;
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
            self.pop(special.taken());
        }
        if stays {
            self.pop(1);
        }
        self.stack.push(made.unwrap_or(result));
        self.take_names_back(unit)?;
        Ok(true)
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
        left: &Left,
        status: Ir,
        depth: Ir,
        result: &Kind,
    ) -> Done {
        let made = &left.made;
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
        if let Called::Operator(special) = left.called {
            self.operator_after(special)?;
        }
        if left.stays {
            self.pop(1);
            self.let_go();
        }
        let result = made.clone();
        self.stack
            .push(result.unwrap_or_else(|| V::bare(Kind::Pending)));
        self.exit(self.pc + 1, None, false);
        self.b.switch_to_block(fine);
        (self.locals, self.stack) = before;
        Ok(())
    }
}
