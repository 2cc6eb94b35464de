//! Exceptions that are raised and caught inside the region.
//!
//! In: a `raise`, or an operation that is known to fail. Out: the frame at its handler. Always: an
//! exception that nobody here catches keeps the region out of the graph: tier 0 raises it.

use indexmap::{IndexMap, IndexSet};
use janus_object::{BaseKind, Class, ExcKind, Name, PyRef, Raised, Value};
use janus_plan::ReasonId;

use crate::executor::Executor;
use crate::state::running::{Flow, Leave};
use crate::state::sym::{Kind, Slot, Sym, SymFrame, SymInstance};
use crate::{Res, Stop};

/// What `raise ... from` sets.
const CAUSE: &str = "__cause__";

impl Executor<'_> {
    /// Whether instances of a class can be raised.
    pub(crate) fn is_exception(&self, class: &PyRef<Class>) -> bool {
        class.kind.get() == BaseKind::Exception
    }

    /// Raises an exception, or an instance of an exception class.
    pub(crate) fn raise<T>(&mut self, exception: Option<Sym>) -> Res<T> {
        let Some(exception) = exception else {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: no active exception to reraise",
            );
        };
        let exception = match &exception {
            Sym::Known(Value::Class(_)) => self.call(&exception, Vec::new(), Vec::new())?,
            _ => exception,
        };
        match self.class_of(&exception)? {
            class if self.is_exception(&class) => Err(Stop::Raise(exception)),
            _ => self.refuse(
                ReasonId::WouldRaise,
                "it would raise: what is raised is no exception",
            ),
        }
    }

    /// `raise exception from cause`.
    pub(crate) fn raise_from<T>(&mut self, exception: Option<Sym>, cause: Sym) -> Res<T> {
        let raised = self.raise(exception);
        if let Err(Stop::Raise(Sym::Obj(obj))) = raised {
            let cause = match &cause {
                Sym::Known(Value::Class(_)) => self.call(&cause, Vec::new(), Vec::new())?,
                _ => cause,
            };
            let class = self.class_of(&cause)?;
            if !self.is_exception(&class) && !matches!(cause, Sym::Known(Value::None)) {
                return self.refuse(
                    ReasonId::WouldRaise,
                    "it would raise: exception causes must derive from BaseException",
                );
            }
            let object = &mut self.state.heap[obj];
            if let (Kind::Instance(instance), None) = (&mut object.kind, &object.origin) {
                let slot = Slot::Loaded(cause);
                instance.attrs.insert(Name::new(CAUSE), slot);
                return raised;
            }
        }
        match raised {
            Err(Stop::Raise(_)) => self.refuse(
                ReasonId::ExceptionFlow,
                "an exception from outside gets a cause",
            ),
            raised => raised,
        }
    }

    /// Whether an attribute of an exception stands with its own ones here.
    pub(crate) fn is_kept_by_exception(&self, class: &PyRef<Class>, name: &Name) -> bool {
        matches!(name.as_str(), "args" | CAUSE) && self.is_exception(class)
    }

    /// Raises a built-in exception.
    pub(crate) fn raise_kind<T>(&mut self, kind: ExcKind, args: Vec<Sym>) -> Res<T> {
        let exception = self.exception(&kind.class(), args);
        Err(Stop::Raise(exception))
    }

    pub(crate) fn raise_index<T>(&mut self, message: String) -> Res<T> {
        self.raise_kind(ExcKind::IndexError, vec![Sym::Known(Value::str(message))])
    }

    /// Raises what an operation on known values raised.
    pub(crate) fn raise_known<T>(&mut self, raised: &Raised) -> Res<T> {
        let args = raised.args();
        let args = args.items.iter().cloned().map(Sym::Known).collect();
        let exception = self.exception(&raised.class(), args);
        Err(Stop::Raise(exception))
    }

    /// `args` of an exception: a tuple of its own, however much of it is known, so that iterations which raise with
    /// other arguments raise alike.
    pub(crate) fn exception_args(&mut self, args: Vec<Sym>) -> Sym {
        self.alloc(Kind::Tuple(args.into_iter().map(Slot::Loaded).collect()))
    }

    /// A new exception object.
    pub(crate) fn exception(&mut self, class: &PyRef<Class>, args: Vec<Sym>) -> Sym {
        let args = self.exception_args(args);
        let mut attrs = IndexMap::new();
        attrs.insert(Name::new("args"), Slot::Loaded(args));
        let none = Slot::Loaded(Sym::Known(Value::None));
        attrs.insert(Name::new(CAUSE), none);
        self.alloc(Kind::Instance(SymInstance {
            class: class.clone(),
            attrs,
            written: IndexSet::new(),
            payload: None,
        }))
    }

    /// Goes to the handler of an instruction that raised, or out of the frame.
    pub(crate) fn unwind(
        &mut self,
        frame: &mut SymFrame,
        pc: u32,
        exception: Sym,
    ) -> Res<Option<Flow>> {
        let Some(handler) = frame.code.code.handler(pc).copied() else {
            if self.comes_to_caller() {
                let raised = self.alloc(Kind::Raised(exception));
                return Ok(Some(self.returning(frame, raised)));
            }
            return Err(Stop::Raise(exception));
        };
        if let Some(l) = self.looping.loops.last().copied()
            && l.depth == self.calls.active.len()
            && !(l.head..=l.end).contains(&handler.target)
        {
            if frame.code.code.handler(l.head).map(|h| h.target) != Some(handler.target) {
                return self.refuse(
                    ReasonId::ExceptionFlow,
                    "an exception leaves a loop inside of the code that handles it",
                );
            }
            let raised = self.alloc(Kind::Raised(exception));
            frame.stack.truncate(l.base);
            frame.pc = l.head;
            return Ok(Some(Flow::LoopEnd {
                go_on: Sym::Known(Value::bool(false)),
                leave: Some(Leave::To(handler.target)),
                returned: Some(raised),
            }));
        }
        let depth = (handler.depth as usize).checked_sub(frame.below as usize);
        let Some(depth) = depth.filter(|&d| d <= frame.stack.len()) else {
            return self.refuse(ReasonId::ExceptionFlow, "an exception leaves the region");
        };
        frame.stack.truncate(depth);
        frame.stack.push(exception);
        frame.pc = handler.target;
        Ok(None)
    }

    /// `str()` of an exception whose class does not define it.
    pub(crate) fn exception_text(&mut self, exception: &Sym, class: &PyRef<Class>) -> Res<Sym> {
        use janus_bytecode::FormatConversion as C;
        let args = self.get_attr(exception, &Name::new("args"))?;
        let items = self.collect(&args)?;
        match items.as_slice() {
            [] => Ok(Sym::Known(Value::str(""))),
            [one] => {
                let key_error = class.is_subclass_of(&ExcKind::KeyError.class());
                let conversion = if key_error { C::REPR } else { C::STR };
                self.format(one.clone(), conversion, "".into())
            }
            _ => self.format(args, C::STR, "".into()),
        }
    }
}
