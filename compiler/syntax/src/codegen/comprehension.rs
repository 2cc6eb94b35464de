//! Comprehensions and generator expressions.
//!
//! In: one of them, and who is handed a generator. Out: a function that is called at once, or the loop among the instructions
//! of the function around it. Always: a traceback shows the frame that CPython 3.11 has for it; variables of an inlined one
//! are hidden locals, which are let go at its end.

use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp, Const, Consumer, Opcode};
use rustpython_parser::ast::{Comprehension, Expr, ExprCall, ExprGeneratorExp, Ranged};
use rustpython_parser::text_size::TextRange;

use super::{Access, Codegen, Inlining};
use crate::assemble::{InlinedId, Label};
use crate::error::{Result, err};
use crate::parse::lone_generator;
use crate::symtable::{ComprehensionKind, Consumed, ScopeId, ScopeKind};

/// A comprehension whose loop is being generated.
struct Body<'a> {
    sink: Sink,
    element: &'a Expr,
    value: Option<&'a Expr>,
}

/// What becomes of an element.
enum Sink {
    /// It is put into a collection, or yielded.
    Of(ComprehensionKind),
    /// What would be done outside of a generator's frame is done here, where an inlined generator's instructions end.
    Outside(InlinedId, TextRange, Outside),
}

/// What a consumer does with an element, blamed on its call.
enum Outside {
    /// It is appended to the list below the iterators, or put into the set.
    Put(Opcode),
    /// It is added to this local.
    Add(Rc<str>),
    /// It is compared with the best one so far.
    Compare(CompareOp, Best),
    /// It is looked at (`PopJumpIfTrue` or `PopJumpIfFalse`); one that decides ends the loop.
    Decide(Opcode, Label),
}

/// The locals of `min` and `max`.
#[derive(Clone)]
struct Best {
    /// The smallest or largest element so far.
    element: Rc<str>,
    /// Whether there was one.
    any: Rc<str>,
}

impl<'a> Codegen<'a> {
    /// `element` is the key of a dict comprehension, `value` its value.
    pub(super) fn comprehension<T>(
        &mut self,
        node: &T,
        kind: ComprehensionKind,
        generators: &'a [Comprehension],
        element: &'a Expr,
        value: Option<&'a Expr>,
    ) -> Result<()> {
        let Some(first) = generators.first() else {
            return Ok(());
        };
        let range = self.unit.at;
        let id = self.tables.of_node(node);
        let is_async = self.tables.scope(id).coroutine;
        let awaits = is_async && kind != ComprehensionKind::Generator;
        let async_allowed =
            self.unit.is_async || matches!(self.unit.kind, ScopeKind::Comprehension(_));
        if awaits && !async_allowed {
            let message = "asynchronous comprehension outside of an asynchronous function";
            return err(message, range);
        }
        let body = Body {
            sink: Sink::Of(kind),
            element,
            value,
        };
        let inlined = self.tables.scope(id).inlined;
        if inlined && kind != ComprehensionKind::Generator {
            return self.inlined_comprehension(id, kind, generators, first, &body);
        }
        // A generator that could have been inlined has no cells of the function's locals: it gets their values.
        let mut handed = Vec::new();
        for name in self.tables.scope(id).free_names() {
            if inlined && self.is_local(name) {
                handed.push(name);
            }
        }
        let first_line = self.first_line(range.start());
        self.enter(id, kind.code_name().into(), first_line, None);
        self.unit.argcount = 1 + handed.len() as u32;
        self.unit.is_async = is_async;
        for name in &handed {
            self.unit.varnames.insert(Rc::from(*name));
        }
        self.unit.freevars.retain(|free| !handed.contains(&&**free));
        self.unit.handed = handed.iter().map(|name| Rc::from(*name)).collect();
        self.empty_collection(kind);
        // The outermost iterator is the argument.
        self.op_arg(Opcode::LoadFast, 0);
        self.comprehension_loop(generators, 0, &body)?;
        if kind == ComprehensionKind::Generator {
            self.load_none();
        }
        self.op(Opcode::ReturnValue);
        let code = self.leave()?;

        self.make_function(code, 0)?;
        self.op(Opcode::PushNull);
        self.expr(&first.iter)?;
        if first.is_async {
            self.call_method("__aiter__");
        } else {
            self.op(Opcode::GetIter);
        }
        for name in &handed {
            self.mangled_variable(Rc::from(*name), Access::Load)?;
        }
        self.op_arg(Opcode::Call, 1 + handed.len() as u32);
        if awaits {
            self.await_top();
        }
        Ok(())
    }

    /// Who is handed the only argument of a call, if that is a generator whose loop can be part of this function.
    pub(super) fn consumed(&self, e: &'a ExprCall) -> Option<(Consumed, &'a ExprGeneratorExp)> {
        let ([Expr::GeneratorExp(generator)], []) = (&*e.args, &*e.keywords) else {
            return None;
        };
        let scope = self.tables.scope(self.tables.of_node(generator));
        let consumer = scope.consumer.filter(|_| scope.inlined);
        consumer.map(|by| (by, generator))
    }

    /// [callable] -> [callable(generator)], where the callable is probably the built-in one.
    pub(super) fn call_consumer(
        &mut self,
        e: &'a ExprCall,
        consumer: Consumer,
        generator: &'a ExprGeneratorExp,
    ) -> Result<()> {
        let (other, done) = (self.label(), self.label());
        self.op_arg(Opcode::IsBuiltin, consumer as u32);
        self.jump(Opcode::PopJumpIfFalse, other);
        match consumer {
            Consumer::Sorted | Consumer::FrozenSet => self.op(Opcode::PushNull),
            // Without an element they are called to say so.
            Consumer::Min | Consumer::Max => {}
            _ => self.op(Opcode::PopTop),
        }
        self.inlined_generator(e, Some(consumer), generator)?;
        match consumer {
            Consumer::Sorted | Consumer::FrozenSet => self.op_arg(Opcode::Call, 1),
            Consumer::Tuple => self.op(Opcode::ListToTuple),
            _ => {}
        }
        self.jump(Opcode::Jump, done);
        self.bind(other);
        self.op(Opcode::PushNull);
        let range = lone_generator(self.source, e).unwrap_or(generator.range());
        let kind = ComprehensionKind::Generator;
        let (generators, element) = (&generator.generators, &generator.elt);
        self.at(range, |c| {
            c.comprehension(generator, kind, generators, element, None)
        })?;
        self.op_arg(Opcode::Call, 1);
        self.bind(done);
        Ok(())
    }

    /// [method, string] -> [string.join(generator)].
    pub(super) fn call_join(
        &mut self,
        e: &'a ExprCall,
        generator: &'a ExprGeneratorExp,
    ) -> Result<()> {
        self.inlined_generator(e, None, generator)?;
        self.op_arg(Opcode::Call, 1);
        Ok(())
    }

    /// The loop of a generator, and what its consumer does with the elements; leaves the result, or a list of them where
    /// the consumer is called with that.
    fn inlined_generator(
        &mut self,
        e: &'a ExprCall,
        consumer: Option<Consumer>,
        generator: &'a ExprGeneratorExp,
    ) -> Result<()> {
        let Some(first) = generator.generators.first() else {
            return Ok(());
        };
        let range = lone_generator(self.source, e).unwrap_or(generator.range());
        let depth = self.unit.inlined.len();
        let hidden = |name: &str| -> Rc<str> { janus_bytecode::hidden_local(depth, name).into() };
        let sum = hidden(".sum");
        let best = Best {
            element: hidden(".best"),
            any: hidden(".any"),
        };
        let (stopped, decided, end) = (self.label(), self.label(), self.label());
        let id = self.tables.of_node(generator);
        self.at(range, |c| {
            c.expr(&first.iter)?;
            c.op(Opcode::GetIter);
            Ok(())
        })?;
        self.unit.asm.push_handler(stopped, 1);
        let first_line = self.first_line(range.start());
        // What comes first is blamed on the call: so is the frame of the function while the loop runs.
        let inlined = self.begin_inlined(id, ComprehensionKind::Generator, first_line);
        let outside = match consumer {
            Some(Consumer::Sum) => {
                self.load_const(Const::Int(0));
                self.local(sum.clone(), Opcode::StoreFast);
                Outside::Add(sum.clone())
            }
            Some(consumer @ (Consumer::Min | Consumer::Max)) => {
                self.load_const(Const::Bool(false));
                self.local(best.any.clone(), Opcode::StoreFast);
                let op = match consumer {
                    Consumer::Min => CompareOp::Lt,
                    _ => CompareOp::Gt,
                };
                Outside::Compare(op, best.clone())
            }
            Some(Consumer::Any) => {
                self.op(Opcode::Nop);
                Outside::Decide(Opcode::PopJumpIfTrue, decided)
            }
            Some(Consumer::All) => {
                self.op(Opcode::Nop);
                Outside::Decide(Opcode::PopJumpIfFalse, decided)
            }
            Some(Consumer::Set) => {
                self.empty_collection(ComprehensionKind::Set);
                self.op_arg(Opcode::Swap, 2);
                Outside::Put(Opcode::SetAdd)
            }
            _ => {
                self.empty_collection(ComprehensionKind::List);
                self.op_arg(Opcode::Swap, 2);
                Outside::Put(Opcode::ListAppend)
            }
        };
        let body = Body {
            sink: Sink::Outside(inlined, self.unit.at, outside),
            element: &generator.elt,
            value: None,
        };
        self.at(range, |c| {
            c.comprehension_loop(&generator.generators, 0, &body)
        })?;
        self.unit.asm.pop_handler();
        self.unit.inlined.pop();
        match consumer {
            Some(Consumer::Sum) => {
                self.local(sum.clone(), Opcode::LoadFast);
                self.load_none();
                self.local(sum, Opcode::StoreFast);
            }
            Some(Consumer::Min | Consumer::Max) => {
                let (none, after) = (self.label(), self.label());
                self.local(best.any, Opcode::LoadFast);
                self.jump(Opcode::PopJumpIfFalse, none);
                self.local(best.element.clone(), Opcode::LoadFast);
                self.op_arg(Opcode::Swap, 2);
                self.op(Opcode::PopTop);
                self.load_none();
                self.local(best.element, Opcode::StoreFast);
                self.jump(Opcode::Jump, after);
                self.bind(none);
                self.op(Opcode::PushNull);
                self.load_const(Const::Tuple(Rc::new([])));
                self.op_arg(Opcode::Call, 1);
                self.bind(after);
            }
            Some(Consumer::Any | Consumer::All) => {
                let all = consumer == Some(Consumer::All);
                let after = self.label();
                self.load_const(Const::Bool(all));
                self.jump(Opcode::Jump, after);
                self.bind(decided);
                for _ in &generator.generators {
                    self.op(Opcode::PopTop);
                }
                self.load_const(Const::Bool(!all));
                self.bind(after);
            }
            _ => {}
        }
        self.let_go(id, depth)?;
        self.jump(Opcode::Jump, end);
        self.bind(stopped);
        self.op(Opcode::ReraiseStopIteration);
        self.bind(end);
        Ok(())
    }

    /// A comprehension among the instructions of the function around it.
    fn inlined_comprehension(
        &mut self,
        id: ScopeId,
        kind: ComprehensionKind,
        generators: &'a [Comprehension],
        first: &'a Comprehension,
        body: &Body<'a>,
    ) -> Result<()> {
        self.expr(&first.iter)?;
        self.op(Opcode::GetIter);
        let first_line = self.first_line(self.unit.at.start());
        let range = self.begin_inlined(id, kind, first_line);
        self.empty_collection(kind);
        self.op_arg(Opcode::Swap, 2);
        self.comprehension_loop(generators, 0, body)?;
        self.unit.inlined.pop();
        let depth = self.unit.inlined.len();
        self.let_go(id, depth)?;
        self.unit.asm.end_inlined(range);
        Ok(())
    }

    /// From here on names are those of a comprehension, until it is taken off `Unit::inlined`.
    fn begin_inlined(
        &mut self,
        id: ScopeId,
        kind: ComprehensionKind,
        first_line: u32,
    ) -> InlinedId {
        let name = kind.code_name();
        let qualname: Rc<str> = match self.unit.inlined.last() {
            Some(around) => format!("{}.{name}", around.qualname).into(),
            None => self.qualname_of(id, name),
        };
        let inlined = self.unit.asm.begin_inlined(name, &qualname, first_line);
        self.unit.inlined.push(Inlining {
            scope: id,
            qualname,
        });
        inlined
    }

    /// Lets go of the variables of a comprehension that so many others are around.
    fn let_go(&mut self, id: ScopeId, depth: usize) -> Result<()> {
        for name in self.tables.scope(id).local_names() {
            self.load_none();
            let hidden = janus_bytecode::hidden_local(depth, name);
            self.local(hidden.into(), Opcode::StoreFast);
        }
        Ok(())
    }

    fn empty_collection(&mut self, kind: ComprehensionKind) {
        match kind {
            ComprehensionKind::List => self.op_arg(Opcode::BuildList, 0),
            ComprehensionKind::Set => self.op_arg(Opcode::BuildSet, 0),
            ComprehensionKind::Dict => self.op_arg(Opcode::BuildMap, 0),
            ComprehensionKind::Generator => {}
        }
    }

    /// The first iterator is on the stack.
    fn comprehension_loop(
        &mut self,
        generators: &'a [Comprehension],
        depth: u32,
        body: &Body<'a>,
    ) -> Result<()> {
        let Some((generator, rest)) = generators.split_first() else {
            return self.comprehension_element(depth, body);
        };
        let (head, skip, end) = (self.label(), self.label(), self.label());
        if depth > 0 {
            self.expr(&generator.iter)?;
            if generator.is_async {
                self.call_method("__aiter__");
            } else {
                self.op(Opcode::GetIter);
            }
        }
        self.bind(head);
        if generator.is_async {
            self.async_next(end);
        } else {
            self.jump(Opcode::ForIter, end);
        }
        self.store(&generator.target)?;
        for condition in &generator.ifs {
            self.jump_if(condition, skip, false)?;
        }
        self.comprehension_loop(rest, depth + 1, body)?;
        self.bind(skip);
        self.jump(Opcode::JumpBackward, head);
        self.bind(end);
        if generator.is_async {
            self.end_async_for()?;
        }
        Ok(())
    }

    /// `depth` iterators are on the stack, above the collection.
    fn comprehension_element(&mut self, depth: u32, body: &Body<'a>) -> Result<()> {
        if let Sink::Outside(_, _, Outside::Add(sum)) = &body.sink {
            self.local(sum.clone(), Opcode::LoadFast);
        }
        self.expr(body.element)?;
        if let Some(value) = body.value {
            self.expr(value)?;
        }
        match &body.sink {
            Sink::Of(ComprehensionKind::List) => self.op_arg(Opcode::ListAppend, depth + 1),
            Sink::Of(ComprehensionKind::Set) => self.op_arg(Opcode::SetAdd, depth + 1),
            Sink::Of(ComprehensionKind::Dict) => self.op_arg(Opcode::MapAdd, depth + 1),
            Sink::Of(ComprehensionKind::Generator) => {
                self.op(Opcode::YieldValue);
                self.op(Opcode::PopTop);
            }
            Sink::Outside(inlined, call, outside) => {
                self.unit.asm.end_inlined(*inlined);
                self.at(*call, |c| match outside {
                    Outside::Put(op) => c.op_arg(*op, depth + 1),
                    Outside::Add(sum) => {
                        c.op_arg(Opcode::BinaryOp, BinaryOp::Add as u32);
                        c.local(sum.clone(), Opcode::StoreFast);
                    }
                    Outside::Compare(op, best) => c.keep_best(*op, best),
                    Outside::Decide(op, decided) => c.jump(*op, *decided),
                });
            }
        }
        Ok(())
    }

    /// [element] -> []: it is kept if it is the first one, or before or after the best one so far.
    fn keep_best(&mut self, op: CompareOp, best: &Best) {
        let (keep, done) = (self.label(), self.label());
        self.local(best.any.clone(), Opcode::LoadFast);
        self.jump(Opcode::PopJumpIfFalse, keep);
        self.op_arg(Opcode::Copy, 1);
        self.local(best.element.clone(), Opcode::LoadFast);
        self.op_arg(Opcode::CompareOp, op as u32);
        self.jump(Opcode::PopJumpIfTrue, keep);
        self.op(Opcode::PopTop);
        self.jump(Opcode::Jump, done);
        self.bind(keep);
        self.local(best.element.clone(), Opcode::StoreFast);
        self.load_const(Const::Bool(true));
        self.local(best.any.clone(), Opcode::StoreFast);
        self.bind(done);
    }

    /// An instruction about a local of this unit.
    fn local(&mut self, name: Rc<str>, op: Opcode) {
        let index = self.unit.varnames.insert_full(name).0;
        self.op_arg(op, index as u32);
    }
}
