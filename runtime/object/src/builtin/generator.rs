//! Methods of generators and coroutines.
//!
//! In: arguments of calls. Out: `send`, `throw`, `close` and attributes. Always: a return is a
//! StopIteration here, and only here.

use crate::native::wrong_self;
use crate::{
    Args, ExcKind, Generator, NativeDef, PyRef, PyResult, Raised, Resume, Step, Value, Vm,
    close_generator, resume_generator, text,
};

pub(crate) const NATIVES: &[NativeDef] = &[
    NativeDef::method("generator.send", send),
    NativeDef::method("generator.throw", throw),
    NativeDef::method("generator.close", close),
];

pub(crate) const NAMES: &[NativeDef] = &[
    NativeDef::getset("generator.__name__", name),
    NativeDef::getset("generator.__qualname__", qualname),
];

pub(crate) const GENERATOR: &[NativeDef] = &[
    NativeDef::method("generator.__iter__", itself),
    NativeDef::method("generator.__next__", next),
    NativeDef::getter("generator.gi_running", running),
    NativeDef::getter("generator.gi_frame", frame),
    NativeDef::getter("generator.gi_code", code),
    NativeDef::getter("generator.gi_yieldfrom", delegate),
    NativeDef::getter("generator.gi_suspended", suspended),
    NativeDef::class_method("generator.__class_getitem__", super::alias::class_getitem),
];

pub(crate) const COROUTINE: &[NativeDef] = &[
    NativeDef::method("coroutine.__await__", awaiting),
    NativeDef::getter("coroutine.cr_running", running),
    NativeDef::getter("coroutine.cr_frame", frame),
    NativeDef::getter("coroutine.cr_code", code),
    NativeDef::getter("coroutine.cr_await", delegate),
    NativeDef::getter("coroutine.cr_suspended", suspended),
    NativeDef::getter("coroutine.cr_origin", |_, args| {
        let [this] = args.exactly::<1>("cr_origin")?;
        own(this, "cr_origin")?;
        Ok(Value::None)
    }),
    NativeDef::class_method("coroutine.__class_getitem__", super::alias::class_getitem),
];

fn own<'a>(v: &'a Value, method: &str) -> PyResult<&'a PyRef<Generator>> {
    match v {
        Value::Generator(g) => Ok(g),
        _ => Err(wrong_self(method, "generator", v)),
    }
}

/// What `coroutine.__await__` gives: an iterator that drives the coroutine, which is none itself.
struct Wrapper {
    coroutine: Value,
}

impl crate::Foreign for Wrapper {
    fn trace(&self, tracer: &mut crate::heap::Tracer<'_>) {
        tracer.value(&self.coroutine);
    }
}

pub(crate) const WRAPPER: &[NativeDef] = &[
    NativeDef::method("coroutine_wrapper.__iter__", itself),
    NativeDef::method("coroutine_wrapper.__next__", |vm, args| {
        let [this] = args.exactly::<1>("coroutine_wrapper.__next__")?;
        next(vm, Args::new(&[driven(this)?]))
    }),
    NativeDef::method("coroutine_wrapper.send", |vm, args| forward(vm, args, send)),
    NativeDef::method("coroutine_wrapper.throw", |vm, args| {
        forward(vm, args, throw)
    }),
    NativeDef::method("coroutine_wrapper.close", |vm, args| {
        forward(vm, args, close)
    }),
];

fn awaiting(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("coroutine.__await__")?;
    own(this, "__await__")?;
    let coroutine = this.clone();
    Ok(crate::Instance::native(
        &crate::types().coroutine_wrapper,
        Wrapper { coroutine },
    ))
}

fn driven(this: &Value) -> PyResult {
    match this.foreign::<Wrapper>() {
        Some(wrapper) => Ok(wrapper.coroutine.clone()),
        None => Err(wrong_self("method", "coroutine_wrapper", this)),
    }
}

fn forward(vm: &mut dyn Vm, args: Args<'_>, method: crate::NativeFn) -> PyResult {
    let mut pos = args.pos.to_vec();
    if let Some(this) = pos.first_mut() {
        *this = driven(this)?;
    }
    method(vm, Args::with_kw(&pos, args.kw))
}

fn finish(step: Step) -> PyResult {
    match step {
        Step::Yield(value) => Ok(value),
        Step::Return(value) => Err(Raised::stop_iteration(value)),
    }
}

fn send(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, [value]) = args.method::<1>("generator.send")?;
    finish(resume_generator(
        vm,
        own(this, "send")?,
        Resume::Send(value.clone()),
    )?)
}

fn next(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("generator.__next__")?;
    finish(resume_generator(
        vm,
        own(this, "__next__")?,
        Resume::Send(Value::None),
    )?)
}

fn itself(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("generator.__iter__")?;
    Ok(this.clone())
}

fn throw(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("generator.throw")?;
    let rest = rest.between("throw", 1, 3)?;
    let kind = rest.first().unwrap_or(&Value::None);
    let value = rest.get(1).filter(|v| !v.is_none());
    let raised = to_raised(vm, kind, value)?;
    finish(resume_generator(
        vm,
        own(this, "throw")?,
        Resume::Throw(raised),
    )?)
}

/// The exception of `raise kind` or `throw(kind, value)`.
pub(crate) fn to_raised(vm: &mut dyn Vm, kind: &Value, value: Option<&Value>) -> PyResult<Raised> {
    match kind {
        Value::Instance(i) if i.exception().is_some() => {
            if value.is_some() {
                return Err(Raised::type_error(
                    "instance exception may not have a separate value",
                ));
            }
            Ok(Raised(i.clone()))
        }
        Value::Class(class)
            if class.is_subclass_of(crate::types().exception(ExcKind::BaseException)) =>
        {
            if let Some(Value::Instance(i)) = value
                && i.class.borrow().is_subclass_of(class)
            {
                return Ok(Raised(i.clone()));
            }
            let made = vm.call(kind, Args::new(value.map_or(&[], std::slice::from_ref)))?;
            match &made {
                Value::Instance(i) if i.exception().is_some() => Ok(Raised(i.clone())),
                other => {
                    let class = text::repr(vm, kind)?;
                    let other = other.type_name();
                    Err(Raised::type_error(format!(
                        "calling {class} should have returned an instance of BaseException, not {other}"
                    )))
                }
            }
        }
        other => Err(Raised::type_error(format!(
            "exceptions must be classes or instances deriving from BaseException, not {}",
            other.type_name()
        ))),
    }
}

fn close(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("generator.close")?;
    close_generator(vm, own(this, "close")?)?;
    Ok(Value::None)
}

fn name(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__name__")?;
    let field = &own(this, "__name__")?.name;
    match rest.pos.first() {
        None => Ok(field.borrow().clone()),
        Some(new) => {
            *field.borrow_mut() = new.clone();
            Ok(Value::None)
        }
    }
}

fn qualname(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (this, rest) = args.split_self("__qualname__")?;
    let field = &own(this, "__qualname__")?.qualname;
    match rest.pos.first() {
        None => Ok(field.borrow().clone()),
        Some(new) => {
            *field.borrow_mut() = new.clone();
            Ok(Value::None)
        }
    }
}

pub(crate) fn frame(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("gi_frame")?;
    let body = own(this, "gi_frame")?.body.borrow();
    Ok(body.as_ref().map_or(Value::None, |b| b.frame()))
}

pub(crate) fn code(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("gi_code")?;
    Ok(own(this, "gi_code")?.code.clone())
}

pub(crate) fn delegate(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("gi_yieldfrom")?;
    let body = own(this, "gi_yieldfrom")?.body.borrow();
    let found = body.as_ref().and_then(|b| b.delegate());
    Ok(found.unwrap_or(Value::None))
}

fn suspended(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("gi_suspended")?;
    let generator = own(this, "gi_suspended")?;
    let stopped =
        generator.started.get() && !generator.running.get() && generator.body.borrow().is_some();
    Ok(Value::bool(stopped))
}

fn running(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [this] = args.exactly::<1>("gi_running")?;
    Ok(Value::bool(own(this, "gi_running")?.running.get()))
}
