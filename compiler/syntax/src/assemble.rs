//! The assembler: instructions with labels and handlers become a code object's tables.
//!
//! In: instructions in order, labels bound along the way, handlers pushed and popped as the
//! blocks that they protect open and close. Out: [`Assembled`]. Always: unreachable instructions
//! are gone; jump targets are absolute; the exception table is flat, in order of `start`, each
//! entry the innermost handler of its range; the stack depth is the same on every path.

use std::rc::Rc;

use janus_bytecode::{
    ExceptionEntry, Inlined, Instr, Opcode, OperandKind, Span, VerifyErrorKind, stack_depths,
};

/// A place to jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(u32);

/// A handler that instructions can be covered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HandlerId(u32);

struct Handler {
    target: Label,
    /// The first instruction covered: what is on the stack before it, less `drop`, is kept.
    setup: u32,
    drop: u32,
}

/// The handlers in force at some point.
pub(crate) struct HandlerStack(Vec<HandlerId>);

const UNBOUND: u32 = u32::MAX;

/// See the module's description.
#[derive(Default)]
pub(crate) struct Assembler {
    /// The operand of a jump is its label until the end.
    instrs: Vec<Instr>,
    spans: Vec<Span>,
    covered_by: Vec<Option<HandlerId>>,
    labels: Vec<u32>,
    handlers: Vec<Handler>,
    active: Vec<HandlerId>,
    inlined: Vec<Inlined>,
}

/// Inlined instructions that are being emitted.
#[derive(Clone, Copy)]
pub(crate) struct InlinedId(usize);

/// The finished tables.
pub(crate) struct Assembled {
    pub instrs: Vec<Instr>,
    pub spans: Vec<Span>,
    pub exceptions: Vec<ExceptionEntry>,
    pub inlined: Vec<Inlined>,
    pub stack_size: u32,
}

impl Assembler {
    pub fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    /// The next instruction is where the label points to.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.instrs.len() as u32;
    }

    pub fn emit(&mut self, op: Opcode, arg: u32, span: Span) {
        self.instrs.push(Instr::new(op, arg));
        self.spans.push(span);
        self.covered_by.push(self.active.last().copied());
    }

    pub fn jump(&mut self, op: Opcode, target: Label, span: Span) {
        self.emit(op, target.0, span);
    }

    /// From here on exceptions go to `target`, with the stack as it is now less `drop` values.
    pub fn push_handler(&mut self, target: Label, drop: u32) {
        let setup = self.instrs.len() as u32;
        self.handlers.push(Handler {
            target,
            setup,
            drop,
        });
        self.active.push(HandlerId(self.handlers.len() as u32 - 1));
    }

    pub fn pop_handler(&mut self) {
        self.active.pop();
    }

    /// Code that leaves a block pops handlers as it goes; what follows has them again.
    pub fn save_handlers(&self) -> HandlerStack {
        HandlerStack(self.active.clone())
    }

    pub fn restore_handlers(&mut self, saved: HandlerStack) {
        self.active = saved.0;
    }

    /// The next instruction is the first of what is a function of its own in CPython.
    pub fn begin_inlined(&mut self, name: &str, qualname: &Rc<str>, first_line: u32) -> InlinedId {
        let start = self.instrs.len() as u32;
        self.inlined.push(Inlined {
            start,
            end: start,
            name: name.into(),
            qualname: qualname.clone(),
            first_line,
        });
        InlinedId(self.inlined.len() - 1)
    }

    pub fn end_inlined(&mut self, id: InlinedId) {
        self.inlined[id.0].end = self.instrs.len() as u32;
    }

    /// Resolves labels and drops what cannot be reached. An error is a bug in code generation.
    pub fn finish(mut self) -> Result<Assembled, (u32, VerifyErrorKind)> {
        for instr in &mut self.instrs {
            if instr.op.operand_kind() == OperandKind::Target {
                instr.arg = self.labels[instr.arg as usize];
            }
        }
        let handler_of =
            |pc: u32| self.covered_by[pc as usize].map(|h| &self.handlers[h.0 as usize]);
        let target_of = |h: &Handler| self.labels[h.target.0 as usize];
        let kept = |h: &Handler, before: &[Option<u32>]| {
            before[h.setup as usize].unwrap_or(0).saturating_sub(h.drop)
        };
        let depths = stack_depths(&self.instrs, |pc, before| {
            handler_of(pc).map(|h| (target_of(h), kept(h, before)))
        })?;
        // Where each instruction goes once the unreachable ones are gone.
        let mut moved = Vec::with_capacity(self.instrs.len() + 1);
        let mut next = 0;
        for depth in &depths.before {
            moved.push(next);
            next += u32::from(depth.is_some());
        }
        moved.push(next);
        for inlined in &mut self.inlined {
            inlined.start = moved[inlined.start as usize];
            inlined.end = moved[inlined.end as usize];
        }
        self.inlined.retain(|inlined| inlined.start < inlined.end);
        let mut out = Assembled {
            instrs: Vec::with_capacity(next as usize),
            spans: Vec::with_capacity(next as usize),
            exceptions: Vec::new(),
            inlined: std::mem::take(&mut self.inlined),
            stack_size: depths.max,
        };
        for (pc, instr) in self.instrs.iter().enumerate() {
            if depths.before[pc].is_none() {
                continue;
            }
            let mut instr = *instr;
            if instr.op.operand_kind() == OperandKind::Target {
                instr.arg = moved[instr.arg as usize];
            }
            let at = out.instrs.len() as u32;
            out.instrs.push(instr);
            out.spans.push(self.spans[pc]);
            if let Some(handler) = handler_of(pc as u32) {
                let target = moved[target_of(handler) as usize];
                let depth = kept(handler, &depths.before);
                match out.exceptions.last_mut() {
                    Some(last) if (last.end, last.target, last.depth) == (at, target, depth) => {
                        last.end = at + 1;
                    }
                    _ => {
                        let entry = ExceptionEntry {
                            start: at,
                            end: at + 1,
                            target,
                            depth,
                        };
                        out.exceptions.push(entry);
                    }
                }
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Opcode::*;

    fn assemble(build: impl FnOnce(&mut Assembler)) -> Assembled {
        let mut asm = Assembler::default();
        build(&mut asm);
        asm.finish().unwrap()
    }

    #[test]
    fn unreachable_code_goes() {
        let span = Span::default();
        let out = assemble(|asm| {
            let end = asm.label();
            asm.jump(Jump, end, span);
            asm.emit(Nop, 0, span);
            asm.bind(end);
            asm.emit(LoadConst, 0, span);
            asm.emit(ReturnValue, 0, span);
        });
        assert_eq!(out.instrs[0], Instr::new(Jump, 1));
        assert_eq!(out.instrs.len(), 3);
        assert_eq!(out.stack_size, 1);
    }

    #[test]
    fn innermost_handler_covers() {
        let span = Span::default();
        let out = assemble(|asm| {
            let (outer, inner) = (asm.label(), asm.label());
            asm.push_handler(outer, 0);
            asm.emit(LoadConst, 0, span);
            asm.push_handler(inner, 0);
            asm.emit(LoadConst, 0, span);
            asm.emit(PopTop, 0, span);
            asm.pop_handler();
            asm.emit(ReturnValue, 0, span);
            asm.bind(inner);
            asm.emit(Reraise, 0, span);
            asm.pop_handler();
            asm.bind(outer);
            asm.emit(Reraise, 0, span);
        });
        let entry = |start, end, target, depth| ExceptionEntry {
            start,
            end,
            target,
            depth,
        };
        assert_eq!(
            out.exceptions,
            [entry(0, 1, 5, 0), entry(1, 3, 4, 1), entry(3, 5, 5, 0)]
        );
        assert_eq!(out.stack_size, 2);
    }
}
