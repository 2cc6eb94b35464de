//! Asynchronous generators, and what their methods return to be awaited.
//!
//! In: `__anext__`, `asend`, `athrow` and `aclose`. Out: awaitables that run the generator up to its next `yield`. Always:
//! what the generator awaits goes through to whoever runs the awaitable; what it yields ends it.

use std::cell::{Cell, RefCell};

use crate::native::wrong_self;
use crate::{
    Args, ExcKind, Generator, Instance, NativeDef, PyRef, PyResult, Raised, Resume, Step, Value,
    Vm, name, ops, resume_generator, types,
};

use super::generator::to_raised;

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::method("async_generator.__aiter__", |_, args| {
        let [this] = args.exactly::<1>("__aiter__")?;
        Ok(this.clone())
    }),
    NativeDef::method("async_generator.__anext__", |vm, args| {
        let [this] = args.exactly::<1>("__anext__")?;
        awaitable(vm, this, Input::Send(Value::None))
    }),
    NativeDef::method("async_generator.asend", |vm, args| {
        let (this, [value]) = args.method::<1>("asend")?;
        awaitable(vm, this, Input::Send(value.clone()))
    }),
    NativeDef::method("async_generator.athrow", |vm, args| {
        let (this, rest) = args.split_self("athrow")?;
        let rest = rest.between("athrow", 1, 3)?;
        let value = rest.get(1).filter(|v| !v.is_none()).cloned();
        awaitable(vm, this, Input::Throw(rest[0].clone(), value))
    }),
    NativeDef::method("async_generator.aclose", |vm, args| {
        let [this] = args.exactly::<1>("aclose")?;
        awaitable(vm, this, Input::Close)
    }),
    NativeDef::getter("async_generator.ag_running", |_, args| {
        let [this] = args.exactly::<1>("ag_running")?;
        Ok(Value::bool(own(this)?.awaited.get()))
    }),
    NativeDef::getter("async_generator.ag_frame", super::generator::frame),
    NativeDef::getter("async_generator.ag_code", super::generator::code),
    NativeDef::getter("async_generator.ag_await", super::generator::delegate),
    NativeDef::class_method(
        "async_generator.__class_getitem__",
        super::alias::class_getitem,
    ),
];

pub(crate) const AWAITABLE: &[NativeDef] = &[
    NativeDef::method("async_generator_asend.__await__", itself),
    NativeDef::method("async_generator_asend.__iter__", itself),
    NativeDef::method("async_generator_asend.__next__", |vm, args| {
        let [this] = args.exactly::<1>("__next__")?;
        run(vm, awaited(this)?, Resume::Send(Value::None))
    }),
    NativeDef::method("async_generator_asend.send", |vm, args| {
        let (this, [value]) = args.method::<1>("send")?;
        run(vm, awaited(this)?, Resume::Send(value.clone()))
    }),
    NativeDef::method("async_generator_asend.throw", |vm, args| {
        let (this, rest) = args.split_self("throw")?;
        let rest = rest.between("throw", 1, 3)?;
        let value = rest.get(1).filter(|v| !v.is_none());
        let raised = to_raised(vm, &rest[0], value)?;
        run(vm, awaited(this)?, Resume::Throw(raised))
    }),
    NativeDef::method("async_generator_asend.close", |_, args| {
        let [this] = args.exactly::<1>("close")?;
        let awaited = awaited(this)?;
        if awaited.state.replace(State::Done) == State::Running {
            awaited.generator.awaited.set(false);
        }
        Ok(Value::None)
    }),
];

/// What the generator is resumed with first.
enum Input {
    Send(Value),
    Throw(Value, Option<Value>),
    Close,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Running,
    Done,
}

/// One step of a generator, to be awaited.
struct Awaitable {
    generator: PyRef<Generator>,
    input: RefCell<Option<Input>>,
    closes: bool,
    what: &'static str,
    state: Cell<State>,
}

impl crate::Foreign for Awaitable {
    fn trace(&self, tracer: &mut crate::heap::Tracer<'_>) {
        tracer.reference(&self.generator);
    }
}

fn own(value: &Value) -> PyResult<&PyRef<Generator>> {
    match value {
        Value::Generator(g) => Ok(g),
        _ => Err(wrong_self("method", "async_generator", value)),
    }
}

fn awaited(value: &Value) -> PyResult<&Awaitable> {
    value
        .foreign::<Awaitable>()
        .ok_or_else(|| wrong_self("method", "async_generator_asend", value))
}

fn itself(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("__await__")?;
    awaited(this)?;
    Ok(this.clone())
}

fn awaitable(vm: &mut dyn Vm, generator: &Value, input: Input) -> PyResult {
    let own = own(generator)?;
    if !own.seen.replace(true) {
        let (first, _) = hooks(vm);
        if !first.is_none() {
            vm.call(&first, Args::new(std::slice::from_ref(generator)))?;
        }
    }
    let closes = matches!(input, Input::Close);
    let (class, what) = match &input {
        Input::Send(_) => (&types().async_generator_asend, "__anext__()/asend()"),
        _ => (&types().async_generator_athrow, "aclose()/athrow()"),
    };
    Ok(Instance::native(
        class,
        Awaitable {
            generator: own.clone(),
            input: RefCell::new(Some(input)),
            closes,
            what,
            state: Cell::new(State::New),
        },
    ))
}

fn run(vm: &mut dyn Vm, this: &Awaitable, given: Resume) -> PyResult {
    let generator = &this.generator;
    let mut resume = given;
    match this.state.get() {
        State::Done => {
            return Err(Raised::runtime_error(format!(
                "cannot reuse already awaited {}",
                this.what
            )));
        }
        State::Running => {}
        State::New => {
            if generator.awaited.get() {
                this.state.set(State::Done);
                let method = match (&this.closes, this.what) {
                    (true, _) => "aclose()",
                    (false, "__anext__()/asend()") => "anext()",
                    _ => "athrow()",
                };
                return Err(Raised::runtime_error(format!(
                    "{method}: asynchronous generator is already running"
                )));
            }
            let input = this.input.borrow_mut().take();
            let sends_none = matches!(&resume, Resume::Send(Value::None));
            let finished = generator.body.borrow().is_none();
            match input {
                Some(Input::Send(value)) if sends_none => resume = Resume::Send(value),
                Some(Input::Throw(kind, value)) if matches!(resume, Resume::Send(_)) => {
                    if finished {
                        this.state.set(State::Done);
                        return Err(stop());
                    }
                    resume = Resume::Throw(to_raised(vm, &kind, value.as_ref())?);
                }
                Some(Input::Close) if matches!(resume, Resume::Send(_)) => {
                    if finished || !generator.started.get() {
                        this.state.set(State::Done);
                        let body = generator.body.borrow_mut().take();
                        drop(body);
                        return Err(Raised::stop_iteration(Value::None));
                    }
                    resume = Resume::Throw(Raised::with_args(ExcKind::GeneratorExit, Vec::new()));
                }
                _ => {}
            }
            this.state.set(State::Running);
            generator.awaited.set(true);
        }
    }
    let outcome = resume_generator(vm, generator, resume);
    let passes_on = generator
        .body
        .borrow()
        .as_ref()
        .is_some_and(|b| b.is_delegating());
    if let Ok(Step::Yield(value)) = &outcome
        && passes_on
    {
        return Ok(value.clone());
    }
    this.state.set(State::Done);
    generator.awaited.set(false);
    match outcome {
        Ok(Step::Yield(_)) if this.closes => Err(Raised::runtime_error(
            "async generator ignored GeneratorExit",
        )),
        Ok(Step::Yield(value)) => Err(Raised::stop_iteration(value)),
        Ok(Step::Return(_)) if this.closes => Err(Raised::stop_iteration(Value::None)),
        Ok(Step::Return(_)) => Err(stop()),
        Err(raised)
            if this.closes
                && (raised.is(ExcKind::StopAsyncIteration)
                    || raised.is(ExcKind::GeneratorExit)) =>
        {
            Err(Raised::stop_iteration(Value::None))
        }
        Err(raised) => Err(raised),
    }
}

fn stop() -> Raised {
    Raised::with_args(ExcKind::StopAsyncIteration, Vec::new())
}

pub(crate) const NEXT: &[NativeDef] = &[
    NativeDef::method("anext_awaitable.__await__", |_, args| {
        let [this] = args.exactly::<1>("__await__")?;
        Ok(this.clone())
    }),
    NativeDef::method("anext_awaitable.__iter__", |_, args| {
        let [this] = args.exactly::<1>("__iter__")?;
        Ok(this.clone())
    }),
    NativeDef::method("anext_awaitable.__next__", |vm, args| {
        let [this] = args.exactly::<1>("__next__")?;
        forward(vm, this, name!("send"), &[Value::None])
    }),
    NativeDef::method("anext_awaitable.send", |vm, args| {
        let (this, [value]) = args.method::<1>("send")?;
        forward(vm, this, name!("send"), std::slice::from_ref(value))
    }),
    NativeDef::method("anext_awaitable.throw", |vm, args| {
        let (this, rest) = args.split_self("throw")?;
        forward(vm, this, name!("throw"), rest.pos)
    }),
    NativeDef::method("anext_awaitable.close", |vm, args| {
        let [this] = args.exactly::<1>("close")?;
        forward(vm, this, name!("close"), &[])
    }),
];

/// `anext(iterator, default)`, to be awaited.
struct NextOr {
    /// What is awaited, as an iterator.
    steps: Value,
    default: Value,
}

impl crate::Foreign for NextOr {
    fn trace(&self, tracer: &mut crate::heap::Tracer<'_>) {
        tracer.values([&self.steps, &self.default]);
    }
}

/// Hands a call on; the end of the asynchronous iterator is the default.
fn forward(vm: &mut dyn Vm, this: &Value, method: &crate::Name, given: &[Value]) -> PyResult {
    let Some(next) = this.foreign::<NextOr>() else {
        return Err(wrong_self("method", "anext_awaitable", this));
    };
    match vm.call_method(&next.steps, method, Args::new(given)) {
        Err(raised) if raised.is(ExcKind::StopAsyncIteration) => {
            Err(Raised::stop_iteration(next.default.clone()))
        }
        other => other,
    }
}

/// `aiter(iterable)`
pub fn async_iter(vm: &mut dyn Vm, iterable: &Value) -> PyResult {
    let Some(method) = ops::special(iterable, name!("__aiter__")).filter(|m| !m.is_none()) else {
        return Err(Raised::type_error(format!(
            "'{}' object is not an async iterable",
            iterable.type_name()
        )));
    };
    let iterator = ops::call_special(vm, &method, iterable, &[])?;
    if ops::special(&iterator, name!("__anext__")).is_none() {
        return Err(Raised::type_error(format!(
            "aiter() returned not an async iterator of type '{}'",
            iterator.type_name()
        )));
    }
    Ok(iterator)
}

/// `anext(iterator)`, `anext(iterator, default)`
pub fn async_next(vm: &mut dyn Vm, iterator: &Value, default: Option<&Value>) -> PyResult {
    let Some(method) = ops::special(iterator, name!("__anext__")) else {
        return Err(Raised::type_error(format!(
            "'{}' object is not an async iterator",
            iterator.type_name()
        )));
    };
    let awaitable = ops::call_special(vm, &method, iterator, &[])?;
    let Some(default) = default else {
        return Ok(awaitable);
    };
    let is_coroutine = matches!(&awaitable, Value::Generator(_));
    let steps = match ops::special(&awaitable, name!("__await__")) {
        Some(method) if !is_coroutine => ops::call_special(vm, &method, &awaitable, &[])?,
        _ => awaitable,
    };
    let default = default.clone();
    Ok(Instance::native(
        &types().anext_awaitable,
        NextOr { steps, default },
    ))
}

/// Where the hooks are kept.
const HOOKS: &str = "async generators";

/// What `sys.get_asyncgen_hooks()` gives: what is called with each generator before its first step, and what an event loop
/// wants to be told of generators that are dropped, which nothing does.
pub fn hooks(vm: &mut dyn Vm) -> (Value, Value) {
    let kept = vm.native_state().get(HOOKS);
    let kept = kept.and_then(|hooks| hooks.downcast_ref::<(Value, Value)>());
    kept.cloned().unwrap_or((Value::None, Value::None))
}

/// Sets them.
pub fn set_hooks(vm: &mut dyn Vm, first: Value, finalizer: Value) {
    vm.native_state()
        .insert(HOOKS, Box::new((first, finalizer)));
}
