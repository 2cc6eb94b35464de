//! Tier 1: scalar bytecode to machine code with Cranelift.
//!
//! In: a function or loop that is hot, and the frame that is about to run it. Out:
//! [`CompiledRegion`], or [`Refused`] with the construct that stands in the way. Always: compiled
//! code does what tier 0 does, to the bit; where it cannot, it rebuilds the frame and leaves.

mod acts;
mod arith;
mod calls;
mod cells;
mod complex;
mod counted;
mod direct;
mod effect;
mod emit;
mod entry;
mod flow;
mod frameless;
mod generate;
mod instr;
mod kind;
mod layout;
mod list;
mod lower;
mod mixed;
mod names;
mod namespace;
mod object;
mod place;
mod plain;
mod program;
mod region;
mod resume;
mod runtime;
mod split;
mod step;
mod suspend;
mod trail;
mod worth;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

pub use entry::loop_suspends;
use flow::Failed;
use janus_interp::{Entry, Frame};
use janus_object::{CodeObject, PyRef};
use program::Learned;
pub use region::{CALLS_TIMED, CallRun, CompiledRegion};

/// Times that the types of a region are found again because a name is not constant.
const MAX_ANALYSES: usize = 32;

/// Why something is left to tier 0.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Refused {
    reason: String,
    line: u32,
    waits: u64,
    what: RefusedFor,
}

/// What kind of thing is left to tier 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedFor {
    /// There is no code for it.
    Form,
    /// A generator or coroutine has a frame of its own.
    Generator,
    /// Names of a class body, or under exec, may be changed by anybody.
    ClassBody,
    /// There is too much of it.
    Size,
    /// What it relies on keeps changing.
    Changes,
    /// This tier contradicts itself.
    Defect,
}

impl Refused {
    pub(crate) fn new(reason: impl Into<String>, line: u32) -> Refused {
        Refused {
            reason: reason.into(),
            line,
            waits: 0,
            what: RefusedFor::Form,
        }
    }

    /// Of this kind.
    pub(crate) fn of(self, what: RefusedFor) -> Refused {
        Refused { what, ..self }
    }

    /// What kind of thing it is.
    pub fn what(&self) -> RefusedFor {
        self.what
    }

    /// How often the region has to run before it is worth compiling, if it is only that; else 0.
    pub fn waits(&self) -> u64 {
        self.waits
    }

    /// The line of what was refused.
    pub fn line(&self) -> u32 {
        self.line
    }
}

/// Why compiled code was left, or not entered.
#[derive(Clone, Debug)]
pub struct Left {
    /// An int left 64 bits.
    pub overflow: bool,
    /// Control came to what is left to tier 0.
    pub cold: bool,
    /// The line.
    pub line: u32,
    /// What the code relied on.
    pub expected: String,
    /// What it met.
    pub actual: String,
}

/// What became of an attempt to enter compiled code.
pub enum Entered {
    /// The frame is not as the code assumes; nothing happened.
    Missed(Left),
    /// It ran.
    Ran(Entry),
}

/// How a region is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// How often it ran: where it works on objects, it is compiled only if that may pay. [`u64::MAX`]: in any case.
    pub times: u64,
    /// Whether it is mostly called from functions in Rust, where tier 0 takes longer for a call.
    pub from_outside: bool,
    /// Whether it is all done on this thread; else the code is generated on another one.
    pub at_once: bool,
    /// Whether the text of the code is wanted.
    pub shows: bool,
}

/// What became of a request.
pub struct Compiled {
    /// The code before Cranelift's optimisations, as text, if it was wanted.
    pub clif: String,
    /// How far the region is.
    pub progress: Progress,
}

/// A region with code, or that will have some.
pub enum Progress {
    /// It can be entered.
    Ready(Rc<CompiledRegion>),
    /// Its code is being generated.
    Generating(Generating),
}

/// A region whose code is being generated on another thread.
pub struct Generating {
    parts: Box<Parts>,
    generated: generate::Generated,
}

/// What there is of a region besides its code.
struct Parts {
    program: program::Program,
    tables: emit::Tables,
    learned: Rc<RefCell<Learned>>,
}

impl Parts {
    fn with(self, machine: generate::Machine) -> Result<Rc<CompiledRegion>, Refused> {
        let region = CompiledRegion::new(self.program, self.tables, self.learned, machine)?;
        Ok(Rc::new(region))
    }
}

impl Generating {
    /// The region with its code, and how long that took to generate; or itself, while it has none.
    pub fn poll(self) -> Result<Result<(Rc<CompiledRegion>, Duration), Refused>, Generating> {
        match generate::poll(&self.generated) {
            None => Err(self),
            Some(machine) => Ok(machine.and_then(|machine| {
                let took = machine.took;
                Ok((self.parts.with(machine)?, took))
            })),
        }
    }
}

/// The compiler of tier 1.
pub struct Baseline {
    lowering: lower::Lowering,
    /// What compiled code taught.
    learned: Rc<RefCell<Learned>>,
    generator: generate::Generator,
}

impl Baseline {
    /// A compiler for this machine.
    pub fn new() -> Result<Baseline, Refused> {
        Ok(Baseline {
            lowering: lower::Lowering::new()?,
            learned: Rc::default(),
            generator: generate::Generator::default(),
        })
    }

    /// In a copy of the process, in which the generating thread is missing: what it was at never comes.
    pub fn leave_behind(&mut self) {
        self.generator = generate::Generator::default();
    }

    /// Compiles the function of a frame, or its loop whose `ForIter` or `LoopHead` is `head`, for
    /// the types that the frame has.
    pub fn compile(
        &mut self,
        code: &PyRef<CodeObject>,
        head: Option<u32>,
        frame: &Frame,
        request: Request,
    ) -> Result<Compiled, Refused> {
        let times = request.times;
        let mut learned = self.learned.borrow().clone();
        let mut begins = true;
        for _ in 0..MAX_ANALYSES {
            let mut program = entry::program(code, head, frame, learned, begins)?;
            match program.analyze() {
                Ok(())
                    if program.has_objects()
                        && times < u64::MAX
                        && !program.is_generator()
                        && !program.may_pay(request.from_outside) =>
                {
                    let reason = "a call of it costs less in tier 0 than entering code of tier 1";
                    return Err(Refused::new(reason, code.code.first_line));
                }
                Ok(()) if program.has_objects() && times < program.worth() => {
                    let mut refused = Refused::new("it does not run often", code.code.first_line);
                    refused.waits = program.worth();
                    return Err(refused);
                }
                Ok(()) => {
                    program.forget_frame();
                    program.tell_effects();
                    let attrs = program.learned.attrs.clone();
                    self.learned.borrow_mut().attrs = attrs;
                    return self.generate(program, request);
                }
                // What comes before the first `yield` may be what there is no code for.
                Err(Failed::Refused(_)) if begins && program.begins() => {
                    begins = false;
                    learned = program.learned;
                }
                Err(Failed::Refused(refused)) => return Err(refused),
                Err(Failed::Again) => learned = program.learned,
            }
        }
        Err(Refused::new("its globals keep changing", code.code.first_line).of(RefusedFor::Changes))
    }

    fn generate(
        &mut self,
        program: program::Program,
        request: Request,
    ) -> Result<Compiled, Refused> {
        let (functions, tables, clif) = self.lowering.lower(&program, request.shows)?;
        let parts = Parts {
            program,
            tables,
            learned: self.learned.clone(),
        };
        let progress = if request.at_once {
            Progress::Ready(parts.with(functions.generate()?)?)
        } else {
            Progress::Generating(Generating {
                parts: Box::new(parts),
                generated: self.generator.submit(functions),
            })
        };
        Ok(Compiled { clif, progress })
    }
}
