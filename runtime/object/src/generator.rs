//! Generators and coroutines.
//!
//! In: a body that the interpreter suspends and resumes. Out: [`Generator`]. Always: the body is
//! not borrowed while it runs; once it returned or raised it is dropped.

use std::cell::{Cell, RefCell};

use crate::heap::Tracer;
use crate::{ExcKind, PyResult, Raised, Value, Vm};

/// A generator, coroutine or asynchronous generator.
pub struct Generator {
    /// `__name__`
    pub name: RefCell<Value>,
    /// `__qualname__`
    pub qualname: RefCell<Value>,
    /// The suspended frame; none once finished. While it is resumed it may be there, too, without the frame.
    pub body: RefCell<Option<Box<dyn GeneratorBody>>>,
    /// Whether it is being resumed.
    pub running: Cell<bool>,
    /// Whether it was resumed before.
    pub started: Cell<bool>,
    /// Its code, also once it is finished.
    pub code: Value,
    /// Whether an awaitable of this asynchronous generator is under way.
    pub awaited: Cell<bool>,
    /// Whether an awaitable of this asynchronous generator was made.
    pub seen: Cell<bool>,
    /// What it is.
    pub kind: GeneratorKind,
}

/// What a [`Generator`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratorKind {
    /// `def` with `yield`.
    Generator,
    /// `async def`.
    Coroutine,
    /// `async def` with `yield`.
    AsyncGenerator,
}

/// A suspended frame.
///
/// # Safety
/// There is one implementation, of the interpreter, which takes each body for its own.
pub unsafe trait GeneratorBody {
    /// Runs up to the next yield, return or exception.
    fn resume(&mut self, vm: &mut dyn Vm, input: Resume) -> PyResult<Step>;
    /// Whether dropping it has to raise GeneratorExit inside, since it stopped in a `try` or `with`.
    fn needs_close(&self) -> bool;
    /// Shows the references to objects that it holds, as [`crate::heap::Object::trace`] does.
    fn trace(&self, tracer: &mut Tracer<'_>);
    /// Whether it stopped inside of a `yield from` or an `await`.
    fn is_delegating(&self) -> bool {
        false
    }
    /// What it delegates to by `yield from` or `await`.
    fn delegate(&self) -> Option<Value> {
        None
    }
    /// The frame, as scripts see it.
    fn frame(&self) -> Value {
        Value::None
    }
    /// Its code.
    fn code(&self) -> Value {
        Value::None
    }
    /// Whether `types.coroutine` marked its code.
    fn is_iterable_coroutine(&self) -> bool {
        false
    }
    /// For access to the concrete frame (`gi_frame`).
    fn as_any(&self) -> &dyn std::any::Any;
}

/// What a generator is resumed with.
pub enum Resume {
    /// The value of the `yield` expression.
    Send(Value),
    /// An exception raised at the `yield`.
    Throw(Raised),
}

/// How a resumed generator stopped.
pub enum Step {
    /// At a `yield`.
    Yield(Value),
    /// It returned.
    Return(Value),
}

impl Generator {
    /// Whether it is a coroutine that nobody awaited, or resumed in another way.
    pub fn is_unawaited(&self) -> bool {
        self.kind == GeneratorKind::Coroutine && !self.started.get() && !self.running.get()
    }

    /// Makes a generator that was not started.
    pub fn new(
        name: Value,
        qualname: Value,
        body: Box<dyn GeneratorBody>,
        kind: GeneratorKind,
    ) -> Self {
        let code = body.code();
        Generator {
            name: RefCell::new(name),
            qualname: RefCell::new(qualname),
            body: RefCell::new(Some(body)),
            running: Cell::new(false),
            started: Cell::new(false),
            code,
            awaited: Cell::new(false),
            seen: Cell::new(false),
            kind,
        }
    }

    /// What its caller sees of an exception that leaves its frame.
    pub fn raises(&self, raised: Raised) -> Raised {
        self.kind.raises(raised)
    }

    fn noun(&self) -> &'static str {
        self.kind.noun()
    }
}

impl GeneratorKind {
    /// What the caller of such a generator sees of an exception that leaves its frame.
    pub fn raises(self, raised: Raised) -> Raised {
        let name = if raised.is(ExcKind::StopIteration) {
            "StopIteration"
        } else if self == GeneratorKind::AsyncGenerator && raised.is(ExcKind::StopAsyncIteration) {
            "StopAsyncIteration"
        } else {
            return raised;
        };
        let noun = self.noun();
        let error = Raised::runtime_error(format!("{noun} raised {name}"));
        error.set_cause(Some(Value::Instance(raised.0.clone())));
        error.set_context(Some(raised.0));
        error
    }

    fn noun(self) -> &'static str {
        match self {
            GeneratorKind::Generator => "generator",
            GeneratorKind::Coroutine => "coroutine",
            GeneratorKind::AsyncGenerator => "async generator",
        }
    }
}

/// Resumes a generator. A finished one returns None, or raises what was thrown in.
pub fn resume_generator(vm: &mut dyn Vm, generator: &Generator, input: Resume) -> PyResult<Step> {
    if generator.running.get() {
        let noun = generator.noun();
        return Err(Raised::value_error(format!("{noun} already executing")));
    }
    if !generator.started.get()
        && let Resume::Send(value) = &input
        && !matches!(value, Value::None)
        && generator.body.borrow().is_some()
    {
        let noun = generator.noun();
        return Err(Raised::type_error(format!(
            "can't send non-None value to a just-started {noun}"
        )));
    }
    let taken = generator.body.borrow_mut().take();
    let Some(mut body) = taken else {
        return match input {
            Resume::Throw(raised) => Err(raised),
            Resume::Send(_) if generator.kind == GeneratorKind::Coroutine => Err(
                Raised::runtime_error("cannot reuse already awaited coroutine"),
            ),
            Resume::Send(_) => Ok(Step::Return(Value::None)),
        };
    };
    generator.started.set(true);
    generator.running.set(true);
    let outcome = body.resume(vm, input);
    generator.running.set(false);
    match outcome {
        Ok(Step::Yield(value)) => {
            *generator.body.borrow_mut() = Some(body);
            Ok(Step::Yield(value))
        }
        Err(raised) => Err(generator.raises(raised)),
        returned => returned,
    }
}

/// `generator.close()`: raises GeneratorExit inside.
pub fn close_generator(vm: &mut dyn Vm, generator: &Generator) -> PyResult<()> {
    if !generator.started.get() {
        let body = generator.body.borrow_mut().take();
        drop(body);
        return Ok(());
    }
    if generator.body.borrow().is_none() && !generator.running.get() {
        return Ok(());
    }
    let exit = Raised::with_args(ExcKind::GeneratorExit, Vec::new());
    match resume_generator(vm, generator, Resume::Throw(exit)) {
        Ok(Step::Yield(_)) => {
            let noun = generator.noun();
            Err(Raised::runtime_error(format!(
                "{noun} ignored GeneratorExit"
            )))
        }
        Ok(Step::Return(_)) => Ok(()),
        Err(raised) if raised.is(ExcKind::GeneratorExit) || raised.is(ExcKind::StopIteration) => {
            Ok(())
        }
        Err(raised) => Err(raised),
    }
}
