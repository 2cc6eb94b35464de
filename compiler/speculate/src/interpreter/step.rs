//! The instructions: one arm each.
//!
//! In: a symbolic frame. Out: how running it ended. Always: an instruction does to the symbolic
//! frame what tier 0 does to the real one, or the region is refused.

use std::rc::Rc;
use std::time::Instant;

use janus_bytecode::{BinaryOp, CompareOp, Consumer, FormatConversion, Instr, Opcode};
use janus_object::{CodeObject, Name, PyRef, Value};
use janus_plan::{Namespace, ReasonId, ScalarType};

use crate::branches::branch::{Branch, Decides};
use crate::emit::refusals::WORTH_A_GRAPH;
use crate::executor::Executor;
use crate::loops::framed::Looped;
use crate::objects::iterators::Resumed;
use crate::state::running::{Flow, Leave, first_operand};
use crate::state::sym::{Kind, Slot, Sym, SymDict, SymFrame};
use crate::tensors::calls::moving_bool;
use crate::{Res, Stop};

/// Instructions executed symbolically at most: bounds unrolling.
const STEP_BUDGET: u32 = 400_000;

/// Instructions from one look at the clock to the next.
const STEPS_A_LOOK: u32 = 64;

/// Whether an instruction may do better with one of the things that this operand may be.
fn is_about(refused: &Stop, operand: Option<&Sym>) -> bool {
    match (refused, operand.and_then(moving_bool)) {
        (Stop::Flag(wanted, _), Some(flag)) => *wanted == flag,
        (_, Some(_)) => false,
        (refused, None) => refused.is_refusal(),
    }
}

impl Executor<'_> {
    pub(crate) fn run(&mut self, frame: &mut SymFrame, stop: Option<u32>) -> Res<Flow> {
        let code = frame.code.clone();
        let region_loop = self
            .region
            .loop_head
            .filter(|_| self.calls.active.len() == 1);
        loop {
            let pc = frame.pc;
            if stop == Some(pc) {
                return Ok(Flow::Stop);
            }
            if let Some(l) = self.looping.loops.last()
                && l.depth == self.calls.active.len()
                && (pc <= l.head || pc > l.end)
            {
                let leave = (pc != l.head).then_some(Leave::To(pc));
                frame.stack.truncate(l.base);
                frame.pc = l.head;
                return Ok(Flow::LoopEnd {
                    go_on: Sym::Known(Value::bool(leave.is_none())),
                    leave,
                    returned: None,
                });
            }
            if let Some(head) = region_loop {
                if pc == head {
                    return Ok(Flow::RegionEnd);
                }
                if pc < head || pc > self.region.loop_end {
                    return self.end_here(stop, 1, ReasonId::LoopState, "the loop is left here");
                }
            }
            let Some(&instr) = code.code.instrs.get(pc as usize) else {
                return self.defect("the code ends without a return");
            };
            if let Some(top) = self.calls.active.last_mut() {
                top.pc = pc;
            }
            if self.region.relaxations.ends_before == Some(pc) && self.calls.active.len() == 1 {
                let detail = "the graph would end inside of a branch or a loop";
                return self.end_here(stop, WORTH_A_GRAPH, ReasonId::LoopState, detail);
            }
            if takes_from_below(frame, instr) && self.calls.active.len() == 1 {
                let detail = "a loop around the region is left here";
                return self.end_here(stop, 1, ReasonId::NoGraphForm, detail);
            }
            self.calls.steps += 1;
            if self.calls.steps > STEP_BUDGET {
                return self.refuse(
                    ReasonId::TooLarge,
                    "the region is too large: more than 400,000 instructions once unrolled",
                );
            }
            if self.calls.steps.is_multiple_of(STEPS_A_LOOK)
                && self.region.deadline.is_some_and(|d| Instant::now() >= d)
            {
                return Err(Stop::Late);
            }
            let first = first_operand(frame, instr);
            let operands = frame.stack.get_mut(first..).unwrap_or_default();
            self.settle_operands(operands);
            let keyed = may_take_key(instr.op, operands).then(|| operands.to_vec());
            let undecided = self
                .undecided_operand(frame, instr)
                .map(|at| (at, self.checkpoint(), frame.clone()));
            frame.pc = pc + 1;
            let done = match self.instruction(frame, &code, instr, pc, stop) {
                Ok(None) if is_call(instr.op) => self.after_call(frame, pc, stop),
                done => done,
            };
            let done = match (done, undecided) {
                (Err(refused), Some((at, start, before)))
                    if is_about(&refused, before.stack.get(at)) =>
                {
                    tracing::debug!("for each operand: {}", self.not_converted(refused));
                    self.forget(start);
                    *frame = before;
                    self.for_each_operand(frame, pc, at, stop)
                }
                (done, _) => done,
            };
            match done {
                Ok(None) => {}
                Ok(Some(flow)) => return Ok(flow),
                Err(Stop::WhichKey(which)) if let Some(operands) = keyed => {
                    match self.with_each_key(operands, which)? {
                        Some(operands) => {
                            frame.stack.truncate(first);
                            frame.stack.extend(operands);
                            frame.pc = pc;
                        }
                        None => {
                            return self.refuse(
                                ReasonId::MovingValue,
                                "a dict key that moves has no graph form yet",
                            );
                        }
                    }
                }
                Err(Stop::Raise(exception)) => {
                    if let Some(flow) = self.unwind(frame, pc, exception)? {
                        return Ok(flow);
                    }
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    /// Ends the graph before an instruction of the region's own code, where tier 0 goes on. What it says where it
    /// cannot end there is `detail`.
    fn end_here(
        &self,
        stop: Option<u32>,
        worth: usize,
        reason: ReasonId,
        detail: &str,
    ) -> Res<Flow> {
        if stop.is_some() || self.emission.context != 0 || !self.looping.loops.is_empty() {
            return self.refuse(reason, detail);
        }
        if self.state.handled.is_some() {
            return self.refuse(
                ReasonId::ExceptionFlow,
                "the graph would end where an exception is handled",
            );
        }
        if self.emission.computes < worth {
            return self.refuse(
                ReasonId::LittleWork,
                "nothing is computed on tensors before it",
            );
        }
        Ok(Flow::Break)
    }

    /// Runs one instruction; `Some` where the frame ends with it.
    #[allow(clippy::too_many_lines, reason = "one arm an instruction")]
    fn instruction(
        &mut self,
        frame: &mut SymFrame,
        code: &PyRef<CodeObject>,
        instr: Instr,
        pc: u32,
        stop: Option<u32>,
    ) -> Res<Option<Flow>> {
        let n = instr.arg as usize;
        match instr.op {
            Opcode::Nop => {}
            Opcode::LoopHead => {
                if let Looped::Ended(flow) = self.while_loop(frame, pc, stop)? {
                    return Ok(Some(flow));
                }
            }
            Opcode::PopTop => {
                self.pop(frame)?;
            }
            Opcode::Copy => {
                let v = self.peek(frame, n)?;
                frame.stack.push(v);
            }
            Opcode::Swap => {
                let len = frame.stack.len();
                if n == 0 || n > len {
                    return self
                        .refuse(ReasonId::NoGraphForm, "the stack reaches below the region");
                }
                frame.stack.swap(len - 1, len - n);
            }
            Opcode::PushNull => frame.stack.push(Sym::Null),
            Opcode::LoadConst => {
                let Some(value) = code.consts.get(n).cloned() else {
                    return self.defect("bad constant");
                };
                frame.stack.push(Sym::Known(value));
            }
            Opcode::LoadFast => {
                let v = self.load_local(frame, n)?;
                frame.stack.push(v);
            }
            Opcode::StoreFast => {
                let v = self.pop(frame)?;
                *self.local(frame, n)? = Slot::Loaded(v);
                frame.written.insert(n);
            }
            Opcode::DeleteFast => {
                *self.local(frame, n)? = Slot::Empty;
                frame.written.insert(n);
            }
            Opcode::LoadGlobal => {
                let name = self.name(code, n)?;
                let v = self.load_global(&frame.globals.clone(), &name)?;
                frame.stack.push(v);
            }
            Opcode::StoreGlobal => {
                let name = self.name(code, n)?;
                let v = self.pop(frame)?;
                let globals = Namespace::Globals(frame.globals.clone());
                self.store_namespace(&globals, &name, Slot::Loaded(v))?;
            }
            Opcode::DeleteGlobal => {
                let name = self.name(code, n)?;
                let globals = Namespace::Globals(frame.globals.clone());
                self.store_namespace(&globals, &name, Slot::Empty)?;
            }
            Opcode::LoadName => {
                let name = self.name(code, n)?;
                let v = self.load_name(frame, &name)?;
                frame.stack.push(v);
            }
            Opcode::StoreName => {
                let name = self.name(code, n)?;
                let v = self.pop(frame)?;
                let namespace = self.own_namespace(frame)?;
                let namespace = Namespace::Globals(namespace);
                self.store_namespace(&namespace, &name, Slot::Loaded(v))?;
            }
            Opcode::DeleteName => {
                let name = self.name(code, n)?;
                let namespace = self.own_namespace(frame)?;
                let namespace = Namespace::Globals(namespace);
                self.store_namespace(&namespace, &name, Slot::Empty)?;
            }
            Opcode::LoadDeref => {
                let v = self.load_cell(frame, n)?;
                frame.stack.push(v);
            }
            Opcode::StoreDeref => {
                let v = self.pop(frame)?;
                self.store_cell(frame, n, Slot::Loaded(v))?;
            }
            Opcode::DeleteDeref => self.store_cell(frame, n, Slot::Empty)?,
            Opcode::LoadClosure => match frame.cells.get(n) {
                Some(&cell) => frame.stack.push(Sym::Obj(cell)),
                None => return self.defect("bad cell"),
            },
            Opcode::LoadAttr => {
                let name = self.name(code, n)?;
                let object = self.pop(frame)?;
                let v = self.get_attr(&object, &name)?;
                frame.stack.push(v);
            }
            Opcode::StoreAttr => {
                let name = self.name(code, n)?;
                let object = self.pop(frame)?;
                let value = self.pop(frame)?;
                self.set_attr(&object, &name, Some(value))?;
            }
            Opcode::DeleteAttr => {
                let name = self.name(code, n)?;
                let object = self.pop(frame)?;
                self.set_attr(&object, &name, None)?;
            }
            Opcode::LoadMethod => {
                let name = self.name(code, n)?;
                let object = self.pop(frame)?;
                let attr = self.get_attr(&object, &name)?;
                match attr {
                    Sym::Obj(o) => match self.state.heap[o].kind.clone() {
                        Kind::Method { function, receiver } => {
                            frame.stack.push(function);
                            frame.stack.push(receiver);
                        }
                        _ => {
                            frame.stack.push(attr);
                            frame.stack.push(Sym::Null);
                        }
                    },
                    _ => {
                        frame.stack.push(attr);
                        frame.stack.push(Sym::Null);
                    }
                }
            }
            Opcode::Call | Opcode::CallKw => {
                let names = match instr.op {
                    Opcode::CallKw => self.keyword_names(frame)?,
                    _ => Vec::new(),
                };
                let at = self.split_at(frame, n)?;
                let mut args = frame.stack.split_off(at);
                let kw_values = args.split_off(args.len().saturating_sub(names.len()));
                let kwargs: Vec<(Name, Sym)> = names.into_iter().zip(kw_values).collect();
                let receiver = self.pop(frame)?;
                let callable = self.pop(frame)?;
                if !matches!(receiver, Sym::Null) {
                    args.insert(0, receiver);
                }
                let v = self.call_directly(&callable, args, kwargs)?;
                frame.stack.push(v);
            }
            Opcode::CallEx => {
                let mapping = if instr.arg & 1 == 1 {
                    Some(self.pop(frame)?)
                } else {
                    None
                };
                let positional = self.pop(frame)?;
                let receiver = self.pop(frame)?;
                let callable = self.pop(frame)?;
                let mut args = self.collect(&positional)?;
                if !matches!(receiver, Sym::Null) {
                    args.insert(0, receiver);
                }
                let kwargs = match mapping {
                    Some(m) => self.keyword_mapping(&m)?,
                    None => Vec::new(),
                };
                let v = self.call_directly(&callable, args, kwargs)?;
                frame.stack.push(v);
            }
            Opcode::BinaryOp => {
                let Some(op) = BinaryOp::from_arg(instr.arg) else {
                    return self.defect("bad operator");
                };
                let b = self.pop(frame)?;
                let a = self.pop(frame)?;
                let op = match op {
                    BinaryOp::Add if self.is_own_sum(frame, pc, &a, &b) => BinaryOp::InplaceAdd,
                    op => op,
                };
                let v = self.binary(op, &a, &b)?;
                frame.stack.push(v);
            }
            Opcode::CompareOp => {
                let Some(op) = CompareOp::from_arg(instr.arg) else {
                    return self.defect("bad comparison");
                };
                let b = self.pop(frame)?;
                let a = self.pop(frame)?;
                let v = self.compare(op, &a, &b)?;
                frame.stack.push(v);
            }
            Opcode::IsBuiltin => {
                let Some(consumer) = Consumer::from_arg(instr.arg) else {
                    return self.defect("bad built-in");
                };
                let is = match self.peek(frame, 1)? {
                    Sym::Known(value) => janus_object::is_builtin(consumer, &value),
                    _ => false,
                };
                frame.stack.push(Sym::Known(Value::bool(is)));
            }
            Opcode::IsOp => {
                let b = self.pop(frame)?;
                let a = self.pop(frame)?;
                let v = match (&a, &b) {
                    // There is one True and one False.
                    (s @ Sym::Scalar(x), Sym::Known(Value::Bool(wanted)))
                    | (Sym::Known(Value::Bool(wanted)), s @ Sym::Scalar(x))
                        if x.ty == janus_plan::ScalarType::Bool =>
                    {
                        match wanted.get() == (n == 0) {
                            true => s.clone(),
                            false => self.not(s)?,
                        }
                    }
                    _ => Sym::Known(Value::bool(self.is(&a, &b)? != (n == 1))),
                };
                frame.stack.push(v);
            }
            Opcode::ContainsOp => {
                let container = self.pop(frame)?;
                let item = self.pop(frame)?;
                let v = self.contains(&item, &container)?;
                let v = if n == 1 { self.not(&v)? } else { v };
                frame.stack.push(v);
            }
            Opcode::UnaryNot => {
                let a = self.pop(frame)?;
                let v = self.not(&a)?;
                frame.stack.push(v);
            }
            Opcode::UnaryNegative | Opcode::UnaryPositive | Opcode::UnaryInvert => {
                let a = self.pop(frame)?;
                let v = self.unary(instr.op, &a)?;
                frame.stack.push(v);
            }
            Opcode::BinarySubscr => {
                let key = self.pop(frame)?;
                let container = self.pop(frame)?;
                let key = self.index_of_sequence(&container, key)?;
                match self.get_item(&container, &key) {
                    Ok(v) => frame.stack.push(v),
                    Err(Stop::WhichItem) if let Sym::Scalar(index) = key => {
                        if let Some(flow) = self.pick_item(frame, pc, &container, index, stop)? {
                            return Ok(Some(flow));
                        }
                    }
                    Err(e) => return Err(e),
                }
            }
            Opcode::StoreSubscr => {
                let key = self.pop(frame)?;
                let container = self.pop(frame)?;
                let value = self.pop(frame)?;
                let key = self.index_of_sequence(&container, key)?;
                self.set_item(&container, &key, Some(value))?;
            }
            Opcode::DeleteSubscr => {
                let key = self.pop(frame)?;
                let container = self.pop(frame)?;
                self.set_item(&container, &key, None)?;
            }
            Opcode::BuildSlice => {
                let step = if n == 3 {
                    self.pop(frame)?
                } else {
                    Sym::Known(Value::None)
                };
                let stop = self.pop(frame)?;
                let start = self.pop(frame)?;
                let v = self.alloc(Kind::Slice([start, stop, step]));
                frame.stack.push(v);
            }
            Opcode::BuildTuple => {
                let at = self.split_at(frame, n)?;
                let items = frame.stack.split_off(at);
                let v = self.tuple(items);
                frame.stack.push(v);
            }
            Opcode::BuildList => {
                let at = self.split_at(frame, n)?;
                let items = frame.stack.split_off(at);
                let v = self.list(items);
                frame.stack.push(v);
            }
            Opcode::BuildMap => {
                let at = self.split_at(frame, 2 * n)?;
                let items = frame.stack.split_off(at);
                let dict = self.alloc(Kind::Dict(SymDict {
                    entries: Vec::new(),
                    written: Vec::new(),
                    removed: Vec::new(),
                }));
                for pair in items.chunks_exact(2) {
                    self.set_item(&dict, &pair[0], Some(pair[1].clone()))?;
                }
                frame.stack.push(dict);
            }
            Opcode::BuildString => {
                let at = self.split_at(frame, n)?;
                let parts = frame.stack.split_off(at);
                let v = self.join_text(&parts)?;
                frame.stack.push(v);
            }
            Opcode::FormatValue => {
                let spec = if instr.arg & FormatConversion::HAS_SPEC != 0 {
                    match self.pop(frame)? {
                        Sym::Known(Value::Str(s)) => Rc::from(s.as_str()),
                        _ => {
                            return self.refuse(
                                ReasonId::TextForm,
                                "a format spec that is computed at run time",
                            );
                        }
                    }
                } else {
                    Rc::from("")
                };
                let value = self.pop(frame)?;
                let v = self.format(value, instr.arg & 3, spec)?;
                frame.stack.push(v);
            }
            Opcode::ListAppend => {
                let v = self.pop(frame)?;
                let list = self.peek(frame, n)?;
                self.append(&list, v)?;
            }
            Opcode::ListExtend => {
                let from = self.pop(frame)?;
                let list = self.peek(frame, n)?;
                self.extend(&list, &from)?;
            }
            Opcode::MapAdd => {
                let value = self.pop(frame)?;
                let key = self.pop(frame)?;
                let dict = self.peek(frame, n)?;
                self.set_item(&dict, &key, Some(value))?;
            }
            Opcode::DictUpdate | Opcode::DictMerge => {
                let from = self.pop(frame)?;
                let dict = self.peek(frame, n)?;
                for (key, value) in self.merged_entries(&from)? {
                    self.set_item(&dict, &key, Some(value))?;
                }
            }
            Opcode::ListToTuple => {
                let list = self.pop(frame)?;
                let items = self.collect(&list)?;
                let v = self.tuple(items);
                frame.stack.push(v);
            }
            Opcode::UnpackSequence => {
                let from = self.pop(frame)?;
                let items = self.collect(&from)?;
                if items.len() != n {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        format!(
                            "it would raise: {} values to unpack, {n} expected",
                            items.len()
                        ),
                    );
                }
                frame.stack.extend(items.into_iter().rev());
            }
            Opcode::UnpackEx => {
                let (before, after) = (n & 0xff, n >> 8);
                let from = self.pop(frame)?;
                let mut items = self.collect(&from)?;
                if items.len() < before + after {
                    return self.refuse(
                        ReasonId::WouldRaise,
                        "it would raise: not enough values to unpack",
                    );
                }
                let tail = items.split_off(items.len() - after);
                let middle = items.split_off(before);
                let middle = self.list(middle);
                frame.stack.extend(tail.into_iter().rev());
                frame.stack.push(middle);
                frame.stack.extend(items.into_iter().rev());
            }
            Opcode::Jump | Opcode::JumpBackward => frame.pc = instr.arg,
            Opcode::PopJumpIfFalse
            | Opcode::PopJumpIfTrue
            | Opcode::JumpIfFalseOrPop
            | Opcode::JumpIfTrueOrPop => {
                let v = self.pop(frame)?;
                let jump_on = matches!(instr.op, Opcode::PopJumpIfTrue | Opcode::JumpIfTrueOrPop);
                let keeps = matches!(instr.op, Opcode::JumpIfFalseOrPop | Opcode::JumpIfTrueOrPop);
                match self.truth(&v)? {
                    crate::numbers::arithmetic::Truth::Known(truth) => {
                        if truth == jump_on {
                            frame.pc = instr.arg;
                            if keeps {
                                frame.stack.push(v);
                            }
                        }
                    }
                    crate::numbers::arithmetic::Truth::Dynamic(predicate) => {
                        if let Some(test) =
                            self.loop_test(frame.pc, instr.arg, predicate, jump_on)?
                        {
                            return Ok(Some(test));
                        }
                        let join = self.post_dominator(code, pc);
                        let branch = Branch {
                            pc,
                            predicate,
                            jump_on,
                            target: instr.arg,
                            decides: Decides::Jump {
                                keeps: keeps.then_some(v),
                            },
                            join,
                            effects: self.state.effects.len(),
                        };
                        if let Some(flow) = self.branch(frame, &branch, stop)? {
                            return Ok(Some(flow));
                        }
                    }
                }
            }
            Opcode::PopJumpIfNone | Opcode::PopJumpIfNotNone => {
                let v = self.pop(frame)?;
                self.decided(&v)?;
                let none = matches!(v, Sym::Known(Value::None));
                if none == (instr.op == Opcode::PopJumpIfNone) {
                    frame.pc = instr.arg;
                }
            }
            Opcode::GetIter => {
                let v = self.pop(frame)?;
                let it = self.iter(&v)?;
                frame.stack.push(it);
            }
            Opcode::ForIter => {
                let it = self.peek(frame, 1)?;
                match self.for_loop(frame, pc, instr.arg, &it, stop)? {
                    Looped::Not => {}
                    Looped::Done => return Ok(None),
                    Looped::Ended(flow) => return Ok(Some(flow)),
                }
                if let Some(flow) = self.for_filtered(frame, pc, &it, stop)? {
                    return Ok(flow);
                }
                match self.next(&it)? {
                    Some(v) => frame.stack.push(v),
                    None => {
                        self.pop(frame)?;
                        frame.pc = instr.arg;
                    }
                }
            }
            Opcode::ReturnValue => {
                let v = self.pop(frame)?;
                return Ok(Some(self.returning(frame, v)));
            }
            Opcode::YieldValue => {
                let Some(list) = frame.gathers else {
                    if self.calls.active.len() == 1 {
                        return self.refuse(ReasonId::Generator, "a generator yields here");
                    }
                    return Ok(Some(Flow::Yield(self.pop(frame)?)));
                };
                let v = self.pop(frame)?;
                self.append(&Sym::Obj(list), v)?;
                frame.stack.push(Sym::Known(Value::None));
            }
            Opcode::MakeFunction => self.make_function(frame, instr.arg)?,
            Opcode::BeforeWith => {
                let manager = self.pop(frame)?;
                let exit = self.protocol_method(&manager, "__exit__")?;
                let enter = self.protocol_method(&manager, "__enter__")?;
                let entered = self.call(&enter, Vec::new(), Vec::new())?;
                frame.stack.push(exit);
                frame.stack.push(entered);
            }
            Opcode::LoadAssertionError => {
                let class = janus_object::ExcKind::AssertionError.class();
                frame.stack.push(Sym::Known(Value::Class(class)));
            }
            Opcode::RaiseVarargs => {
                let cause = (n == 2).then(|| self.pop(frame)).transpose()?;
                let exception = match n {
                    0 => self.state.handled.clone(),
                    _ => Some(self.pop(frame)?),
                };
                return match cause {
                    Some(cause) => self.raise_from(exception, cause),
                    None => self.raise(exception),
                };
            }
            Opcode::Reraise => {
                let exception = self.pop(frame)?;
                return self.raise(Some(exception));
            }
            Opcode::ReraiseStopIteration => {
                let exception = self.pop(frame)?;
                let of = self.class_of(&exception)?;
                let stop = janus_object::ExcKind::StopIteration.class();
                let stop = Sym::Known(Value::Class(stop));
                match self.subclass(&of, &stop, &exception)? {
                    Sym::Known(Value::Bool(is)) if !is.get() => {}
                    _ => {
                        return self
                            .refuse(ReasonId::Generator, "a generator that raises StopIteration");
                    }
                }
                return self.raise(Some(exception));
            }
            Opcode::PushExcInfo => {
                let exception = self.pop(frame)?;
                let none = Sym::Known(Value::None);
                let previous = self.state.handled.replace(exception.clone());
                frame.stack.push(previous.unwrap_or(none));
                frame.stack.push(exception);
            }
            Opcode::PopExcept => {
                let previous = self.pop(frame)?;
                self.state.handled = match previous {
                    Sym::Known(Value::None) => None,
                    handled => Some(handled),
                };
            }
            Opcode::CheckExcMatch => {
                let class = self.pop(frame)?;
                let exception = self.peek(frame, 1)?;
                let of = self.class_of(&exception)?;
                let matches = self.subclass(&of, &class, &exception)?;
                frame.stack.push(matches);
            }
            Opcode::WithExceptStart => {
                let exit = self.peek(frame, 3)?;
                let exception = self.peek(frame, 1)?;
                let class = Sym::Known(Value::Class(self.class_of(&exception)?));
                let traceback = self.alloc(Kind::Traceback);
                let v = self.call(&exit, vec![class, exception, traceback], Vec::new())?;
                frame.stack.push(v);
            }
            Opcode::ImportName => {
                let name = self.name(code, n)?;
                let (from_list, level) = (self.peek(frame, 1)?, self.peek(frame, 2)?);
                let module = self.imported(&name, &from_list, &level)?;
                let at = self.split_at(frame, 2)?;
                frame.stack.truncate(at);
                frame.stack.push(module);
            }
            Opcode::ImportFrom => {
                let name = self.name(code, n)?;
                let module = self.peek(frame, 1)?;
                let v = self.imported_name(&module, &name)?;
                frame.stack.push(v);
            }
            Opcode::ImportStar => {
                return self.refuse(ReasonId::Import, "an import inside hot code");
            }
            Opcode::LoadBuildClass | Opcode::LoadClassDeref | Opcode::SetupAnnotations => {
                return self.refuse(ReasonId::ClassBody, "a class is made inside hot code");
            }
            Opcode::BuildSet => {
                let at = self.split_at(frame, n)?;
                let items = frame.stack.split_off(at);
                let v = self.set_of(items)?;
                frame.stack.push(v);
            }
            Opcode::SetAdd => {
                let v = self.pop(frame)?;
                let set = self.peek(frame, n)?;
                self.set_add(&set, v)?;
            }
            Opcode::SetUpdate => {
                let from = self.pop(frame)?;
                let set = self.peek(frame, n)?;
                for v in self.collect(&from)? {
                    self.set_add(&set, v)?;
                }
            }
            Opcode::GetYieldFromIter => {
                let v = self.pop(frame)?;
                let it = self.iter(&v)?;
                frame.stack.push(it);
            }
            Opcode::Send => {
                let sent = self.pop(frame)?;
                if !matches!(sent, Sym::Known(Value::None)) {
                    return self.refuse(ReasonId::Generator, "a value is sent into a generator");
                }
                let it = self.peek(frame, 1)?;
                match self.resumed(&it)? {
                    Resumed::Yield(v) => frame.stack.push(v),
                    Resumed::Return(v) => {
                        self.pop(frame)?;
                        frame.stack.push(v);
                        frame.pc = instr.arg;
                    }
                }
            }
            Opcode::GetAwaitable => {
                return self.refuse(ReasonId::Coroutine, "a coroutine has no graph form");
            }
            Opcode::MatchSequence => {
                let subject = self.peek(frame, 1)?;
                let is = self.is_sequence(&subject)?;
                frame.stack.push(Sym::Known(Value::bool(is)));
            }
            Opcode::MatchMapping => {
                let subject = self.peek(frame, 1)?;
                let is = self.is_mapping(&subject)?;
                frame.stack.push(Sym::Known(Value::bool(is)));
            }
            Opcode::MatchKeys => {
                let keys = self.peek(frame, 1)?;
                let subject = self.peek(frame, 2)?;
                let values = self.match_keys(&subject, &keys)?;
                frame.stack.push(values);
            }
            Opcode::MatchClass => {
                let names = self.pop(frame)?;
                let class = self.pop(frame)?;
                let subject = self.pop(frame)?;
                let attributes = self.match_class(&subject, &class, &names, n)?;
                frame.stack.push(attributes);
            }
            Opcode::GetLen => {
                let v = self.peek(frame, 1)?;
                let len = self.len(&v)?;
                frame.stack.push(len);
            }
        }
        Ok(None)
    }
}

/// Whether an instruction may ask a dict for an int that moves.
fn may_take_key(op: Opcode, operands: &[Sym]) -> bool {
    let asks = matches!(
        op,
        Opcode::BinarySubscr
            | Opcode::StoreSubscr
            | Opcode::DeleteSubscr
            | Opcode::ContainsOp
            | Opcode::Call
    );
    let is_int = |v: &Sym| matches!(v, Sym::Scalar(s) if s.ty == ScalarType::Int);
    asks && operands.iter().any(is_int)
}

fn is_call(op: Opcode) -> bool {
    matches!(op, Opcode::Call | Opcode::CallKw | Opcode::CallEx)
}

/// Whether a loop is left here: its iterator, which lies below what the region has on the stack, is taken off.
fn takes_from_below(frame: &SymFrame, instr: Instr) -> bool {
    let has = frame.stack.len();
    frame.below > 0
        && match instr.op {
            Opcode::PopTop => has == 0,
            Opcode::Swap => instr.arg as usize > has,
            _ => false,
        }
}
