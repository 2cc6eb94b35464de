//! Raising, handling and matching exceptions.
//!
//! In: what instructions raised. Out: the handler to go on at, or none. Always: an exception gets
//! one traceback entry per frame it leaves, and one more where it is raised again by name;
//! `__context__` is set when an exception is first raised, never when it passes through.

use janus_object::{
    Args, CodeObject, ExcKind, GeneratorKind, Instance, PyRef, PyResult, Raised, TracebackEntry,
    Value, Vm, name, types,
};

use crate::bind::Bound;
use crate::interp::SourceError;
use crate::{Frame, Interp};

/// The RecursionError of a call that goes too deep.
#[cold]
pub(crate) fn recursion_error() -> Raised {
    Raised::recursion_error("maximum recursion depth exceeded")
}

/// The exception for source text that does not compile.
pub(crate) fn syntax_error(error: &SourceError, filename: &str) -> Raised {
    if !matches!(
        error.kind,
        ExcKind::SyntaxError | ExcKind::IndentationError | ExcKind::TabError
    ) {
        return Raised::new(error.kind, error.message.as_str());
    }
    let int = |n: u32| Value::Int(i64::from(n));
    let place = Value::tuple(vec![
        Value::str(filename),
        int(error.line),
        int(error.col),
        error
            .text
            .as_deref()
            .map_or(Value::None, |t| Value::str(format!("{t}\n"))),
        int(error.end_line),
        int(error.end_col),
    ]);
    let raised = Raised::with_args(error.kind, vec![Value::str(error.message.as_str()), place]);
    if let Some(data) = raised.data() {
        for (field, value) in [
            (name!("msg"), Value::str(error.message.as_str())),
            (name!("filename"), Value::str(filename)),
            (name!("lineno"), int(error.line)),
            (name!("offset"), int(error.col)),
            (
                name!("text"),
                error
                    .text
                    .as_deref()
                    .map_or(Value::None, |t| Value::str(format!("{t}\n"))),
            ),
            (name!("end_lineno"), int(error.end_line)),
            (name!("end_offset"), int(error.end_col)),
        ] {
            data.set_member(field, value);
        }
    }
    raised
}

/// What is raised where the loop of a generator that has no frame of its own ends in an exception, and whether that is
/// another one, which begins here.
#[cold]
pub(crate) fn leave_generator(
    code: &CodeObject,
    pc: u32,
    exception: PyRef<Instance>,
) -> (Raised, bool) {
    let raised = Raised(exception);
    let seen = GeneratorKind::Generator.raises(raised.clone());
    let is_other = !PyRef::ptr_eq(&seen.0, &raised.0);
    if let Some(data) = raised.data().filter(|_| is_other) {
        // It got no further than to the generator's frame.
        let mut entries = data.traceback.borrow_mut();
        let frames_around = 1 + code.code.inlined_at(pc).count();
        let last = frames_around.min(entries.len());
        entries.drain(..last);
    }
    (seen, is_other)
}

impl Interp {
    /// Records that `raised` leaves the instruction at the frame's `pc`, and finds its handler.
    /// `fresh` is false for an exception that is raised again as if it had never been caught.
    #[cold]
    pub(crate) fn unwind(
        &mut self,
        frame: &mut Frame,
        raised: &Raised,
        fresh: bool,
    ) -> Option<u32> {
        if fresh && let Some(data) = raised.data() {
            let new = data.traceback.borrow().is_empty();
            if new {
                self.set_context(raised, false);
            }
            let entry = |(code, pc), frame_object| TracebackEntry {
                code,
                pc,
                globals: frame.globals.clone(),
                frame: frame_object,
            };
            let object = Some(frame.object());
            let mut entries = data.traceback.borrow_mut();
            if frame.code.code.inlined.is_empty() {
                entries.insert(0, entry((frame.code.clone(), frame.pc), object));
            } else {
                // An inlined comprehension has no frame of its own.
                let mut shown = CodeObject::shown_at(&frame.code, frame.pc).into_iter();
                let own = shown.next().map(|at| entry(at, object));
                let inner = shown.map(|at| entry(at, None));
                entries.splice(0..0, own.into_iter().chain(inner));
            }
        }
        let handler = *frame.code.code.handler(frame.pc)?;
        frame.stack.truncate(handler.depth as usize);
        frame.stack.push(Some(raised.to_value()));
        Some(handler.target)
    }

    /// Records that `raised` leaves a frame that has not begun: it is blamed on the `def`.
    #[cold]
    pub(crate) fn raise_at_definition(&self, frame: &Frame, raised: &Raised) {
        let Some(data) = raised.data() else { return };
        if data.traceback.borrow().is_empty() {
            self.set_context(raised, false);
        }
        let entry = TracebackEntry {
            code: frame.code.clone(),
            pc: u32::MAX,
            globals: frame.globals.clone(),
            frame: None,
        };
        data.traceback.borrow_mut().insert(0, entry);
    }

    /// Makes the exception being handled the context of another one. Native code that raises
    /// while it handles an exception of its own has set the context already; `raise` replaces it.
    fn set_context(&self, raised: &Raised, replace: bool) {
        let (Some(handled), Some(data)) = (self.handled_exception(), raised.data()) else {
            return;
        };
        if PyRef::ptr_eq(&handled, &raised.0) || (!replace && data.context.borrow().is_some()) {
            return;
        }
        // An exception must not be among its own contexts.
        let mut link = handled.clone();
        // One that a script closed to a ring has no end: at half the pace, this one is met again.
        let (mut behind, mut steps) = (handled.clone(), 0u32);
        while let Some(link_data) = link.exception() {
            let next = link_data.context.borrow().clone();
            match next {
                Some(next) if PyRef::ptr_eq(&next, &raised.0) => {
                    *link_data.context.borrow_mut() = None;
                    break;
                }
                Some(next) if PyRef::ptr_eq(&next, &behind) => break,
                Some(next) => link = next,
                None => break,
            }
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(2) {
                let next = behind.exception().and_then(|d| d.context.borrow().clone());
                behind = next.unwrap_or(behind);
            }
        }
        *data.context.borrow_mut() = Some(handled);
    }

    /// `raise`, `raise exception`, `raise exception from cause`. The bool says whether the
    /// exception is raised anew here.
    pub(crate) fn raise(
        &mut self,
        exception: Option<Value>,
        cause: Option<Value>,
    ) -> (Raised, bool) {
        match exception {
            None => match self.handled_exception() {
                Some(handled) => (Raised(handled), false),
                None => (
                    Raised::runtime_error("No active exception to reraise"),
                    true,
                ),
            },
            Some(exception) => match self.make_raised(exception, cause) {
                Ok(raised) => {
                    self.set_context(&raised, true);
                    (raised, true)
                }
                Err(raised) => (raised, true),
            },
        }
    }

    fn make_raised(&mut self, exception: Value, cause: Option<Value>) -> PyResult<Raised> {
        let raised =
            self.exception_from(&exception, "exceptions must derive from BaseException")?;
        match cause {
            None => {}
            Some(Value::None) => raised.set_cause(None),
            Some(cause) => {
                let cause =
                    self.exception_from(&cause, "exception causes must derive from BaseException")?;
                raised.set_cause(Some(cause.to_value()));
            }
        }
        Ok(raised)
    }

    /// An exception instance, or an instance of an exception class.
    fn exception_from(&mut self, value: &Value, error: &str) -> PyResult<Raised> {
        match value {
            Value::Instance(instance) if instance.exception().is_some() => {
                Ok(Raised(instance.clone()))
            }
            Value::Class(class) if class.flags.get().exception => {
                match self.call_value(value, Args::new(&[]))? {
                    Value::Instance(instance) if instance.exception().is_some() => {
                        Ok(Raised(instance))
                    }
                    other => {
                        let class = janus_object::text::repr(self, value)?;
                        let kind = Value::Class(janus_object::class_of(&other));
                        let kind = janus_object::text::repr(self, &kind)?;
                        Err(Raised::type_error(format!(
                            "calling {class} should have returned an instance of BaseException, \
                             not {kind}"
                        )))
                    }
                }
            }
            _ => Err(Raised::type_error(error)),
        }
    }

    /// Makes an exception the handled one; gives the previous one.
    pub(crate) fn push_handled(&mut self, exception: &Value) -> Value {
        let new = exception.as_instance().cloned();
        match self.handled.last_mut() {
            Some(top) => {
                let previous = std::mem::replace(top, new);
                previous.map_or(Value::None, Value::Instance)
            }
            None => {
                self.handled.push(new);
                Value::None
            }
        }
    }

    /// Makes the previous exception the handled one again.
    pub(crate) fn pop_handled(&mut self, previous: &Value) {
        let previous = previous.as_instance().cloned();
        if let Some(top) = self.handled.last_mut() {
            let old = std::mem::replace(top, previous);
            drop(old);
        }
    }

    /// `except class:`
    pub(crate) fn exception_matches(&self, exception: &Value, class: &Value) -> PyResult<bool> {
        let classes: &[Value] = match class {
            Value::Tuple(t) => &t.items,
            one => std::slice::from_ref(one),
        };
        let legal = |c: &Value| matches!(c, Value::Class(c) if c.flags.get().exception);
        if !classes.iter().all(legal) {
            return Err(Raised::type_error(
                "catching classes that do not inherit from BaseException is not allowed",
            ));
        }
        let Value::Instance(exception) = exception else {
            return Ok(false);
        };
        let raised_class = exception.class();
        Ok(classes
            .iter()
            .filter_map(Value::as_class)
            .any(|c| raised_class.is_subclass_of(c)))
    }

    /// `exit(type, value, traceback)` of a `with` statement that an exception leaves.
    pub(crate) fn with_except(&mut self, exit: &Value, exception: &Value) -> PyResult {
        let class = Value::Class(janus_object::class_of(exception));
        let traceback = janus_object::attr::get(self, exception, name!("__traceback__"))?;
        self.call_value(exit, Args::new(&[class, exception.clone(), traceback]))
    }

    /// `with manager:`: the bound `__exit__`, and a frame of `__enter__` or what that returned.
    pub(crate) fn before_with(&mut self, manager: &Value) -> PyResult<(Value, Bound)> {
        let unsupported = |missing: &str| {
            Raised::type_error(format!(
                "'{}' object does not support the context manager protocol{missing}",
                manager.type_name()
            ))
        };
        let class = janus_object::class_of(manager);
        let Some(enter) = class.lookup(name!("__enter__")) else {
            return Err(unsupported(""));
        };
        let Some(exit) = class.lookup(name!("__exit__")) else {
            return Err(unsupported(" (missed __exit__ method)"));
        };
        let owner = Value::Class(class);
        let exit = janus_object::attr::descriptor_get(self, &exit, Some(manager), &owner)?;
        let entered = match &enter {
            Value::Function(enter) => self.bind_values(enter, Some(manager), &[])?,
            other => {
                let enter = janus_object::attr::descriptor_get(self, other, Some(manager), &owner)?;
                Bound::Suspended(self.call_value(&enter, Args::new(&[]))?)
            }
        };
        Ok((exit, entered))
    }

    /// Whether an exception is an instance of a built-in class.
    pub(crate) fn is_kind(exception: &Instance, kind: ExcKind) -> bool {
        exception
            .class
            .borrow()
            .is_subclass_of(types().exception(kind))
    }
}
