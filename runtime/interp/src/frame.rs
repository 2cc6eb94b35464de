//! Frames: the state of one activation of a code object.
//!
//! In: a code object and its globals. Out: [`Frame`], and recycled frames. Always: `locals` is as
//! long as `varnames`, `cells` holds the cell variables followed by the free ones.

use std::cell::OnceCell;

use janus_object::heap::Tracer;
use janus_object::ops::Special;
use janus_object::{CodeObject, PyCell, PyDict, PyRef, Value};

use crate::Interp;
use crate::eval::push_to;
use crate::generator::Driven;

/// One activation.
pub struct Frame {
    /// The code.
    pub code: PyRef<CodeObject>,
    /// Its module's namespace.
    pub globals: PyRef<PyDict>,
    /// The namespace behind the globals.
    pub builtins: PyRef<PyDict>,
    /// The local namespace of class and module bodies.
    pub namespace: Option<PyRef<PyDict>>,
    /// The local namespace of a class body whose metaclass prepared something else than a dict.
    pub mapping: Option<Value>,
    /// Locals; `None` is unset.
    pub locals: Vec<Option<Value>>,
    /// Cell variables, then free variables.
    pub cells: Vec<PyRef<PyCell>>,
    /// The value stack; `None` is the NULL of `PushNull`.
    pub stack: Vec<Option<Value>>,
    /// What `locals()` gave for a function: the same dict each time.
    pub snapshot: OnceCell<PyRef<PyDict>>,
    /// What scripts hold of it.
    pub object: OnceCell<Value>,
    /// Where each of its instructions is told to a trace function.
    pub(crate) steps: Option<Box<crate::tracing::Steps>>,
    /// What it runs for, as far as its caller has to know.
    pub(crate) purpose: Purpose,
    /// The instruction being executed, or at which to go on.
    pub pc: u32,
}

/// What a frame runs for.
#[derive(Default)]
pub(crate) enum Purpose {
    /// Its value.
    #[default]
    Call,
    /// It is the `__init__` of a new instance, which is the call's value.
    Init(Value),
    /// The next value of a generator.
    Generator(Driven),
    /// The value of an operation that a class defines, whose operands are still on the stack of the caller.
    Operator(Special),
}

/// Recycled frames kept at most.
const POOL: usize = 256;

impl Frame {
    /// A frame with these locals and nothing else, at an instruction.
    pub fn at(
        code: PyRef<CodeObject>,
        globals: PyRef<PyDict>,
        builtins: PyRef<PyDict>,
        locals: Vec<Option<Value>>,
        pc: u32,
    ) -> Box<Frame> {
        Box::new(Frame {
            code,
            globals,
            builtins,
            namespace: None,
            mapping: None,
            locals,
            cells: Vec::new(),
            stack: Vec::new(),
            snapshot: OnceCell::new(),
            object: OnceCell::new(),
            steps: None,
            purpose: Purpose::Call,
            pc,
        })
    }

    /// Whether names are looked up in the globals alone, and behind them in the interpreter's built-ins.
    #[must_use]
    pub fn has_one_namespace(&self) -> bool {
        let is_other = |own: &PyRef<PyDict>| !PyRef::ptr_eq(own, &self.globals);
        !self.globals.has_own_builtins()
            && self.mapping.is_none()
            && !self.namespace.as_ref().is_some_and(is_other)
    }

    /// Whether it stands for an activation of compiled code, and has none of its variables.
    pub(crate) fn is_view(&self) -> bool {
        let code = &self.code.code;
        self.locals.len() < code.varnames.len()
            || self.cells.len() < code.cellvars.len() + code.freevars.len()
    }

    /// The line being executed.
    pub fn line(&self) -> u32 {
        self.code
            .code
            .spans
            .get(self.pc as usize)
            .map_or(self.code.code.first_line, |s| s.line)
    }

    /// Shows the references to objects that it holds.
    pub(crate) fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.reference(&self.code);
        tracer.reference(&self.globals);
        tracer.reference(&self.builtins);
        for dict in self.namespace.iter().chain(self.snapshot.get()) {
            tracer.reference(dict);
        }
        for cell in &self.cells {
            tracer.reference(cell);
        }
        tracer.values(&self.mapping);
        tracer.values(self.object.get());
        if let Some(steps) = &self.steps {
            steps.trace(tracer);
        }
        tracer.values(self.locals.iter().flatten());
        tracer.values(self.stack.iter().flatten());
    }

    /// Whether names without scope are globals.
    #[inline]
    pub(crate) fn at_module_level(&self) -> bool {
        match &self.namespace {
            Some(namespace) => PyRef::ptr_eq(namespace, &self.globals),
            None => true,
        }
    }

    /// What `locals()` gives: the namespace, or a dict of locals and cells, which is brought up to
    /// date and keeps what else was put into it.
    pub fn locals_dict(&self) -> PyRef<PyDict> {
        if let Some(namespace) = &self.namespace {
            return namespace.clone();
        }
        let dict = self.snapshot.get_or_init(|| PyRef::new(PyDict::new()));
        show_variables(&self.code.code, &self.locals, &self.cells, dict);
        dict.clone()
    }

    /// Brings the dict that `locals()` gave up to date, if it gave one.
    pub(crate) fn show_in_snapshot(&self) {
        if let Some(dict) = self.snapshot.get() {
            show_variables(&self.code.code, &self.locals, &self.cells, dict);
        }
    }

    /// Sets the variables to what that dict says.
    pub(crate) fn take_from_snapshot(&mut self) {
        let Some(dict) = self.snapshot.get() else {
            return;
        };
        let code = &self.code.code;
        let captured = code.cellvars.iter().chain(&code.freevars);
        for (name, cell) in captured.zip(&self.cells) {
            drop(cell.value.replace(dict.get_str(name)));
        }
        let is_captured = |name| code.cellvars.contains(name) || code.freevars.contains(name);
        for (name, local) in code.varnames.iter().zip(&mut self.locals) {
            if !is_captured(name) {
                *local = dict.get_str(name);
            }
        }
    }

    /// What `locals()` gives, which is no dict where the namespace is another mapping.
    pub fn locals_value(&self) -> Value {
        match &self.mapping {
            Some(mapping) => mapping.clone(),
            None => Value::Dict(self.locals_dict()),
        }
    }
}

/// Brings a dict of a function's variables up to date.
pub(crate) fn show_variables(
    code: &janus_bytecode::Code,
    locals: &[Option<Value>],
    cells: &[PyRef<PyCell>],
    dict: &PyDict,
) {
    let show = |name: &str, value: Option<&Value>| {
        let name = janus_object::Name::new(name);
        match value {
            Some(value) => dict.set_name(&name, value.clone()),
            None => drop(dict.remove_name(&name)),
        }
    };
    // A captured parameter is among the locals, too, but lives in its cell.
    let captured = || code.cellvars.iter().chain(&code.freevars).zip(cells);
    for (at, name) in code.visible_locals() {
        let value = locals.get(at).and_then(Option::as_ref);
        match (value, captured().find(|(cell, _)| *cell == name)) {
            (None, Some((_, cell))) => show(name, cell.value.borrow().as_ref()),
            (value, _) => show(name, value),
        }
    }
    for (name, cell) in captured().filter(|(name, _)| !code.varnames.contains(name)) {
        show(name, cell.value.borrow().as_ref());
    }
}

/// Drops the values from `base` on, first those that come first.
#[inline(always)]
pub(crate) fn drop_from(slots: &mut Vec<Option<Value>>, base: usize) {
    let end = slots.len();
    if base >= end {
        return;
    }
    // SAFETY: the vector forgets the slots before their values are dropped, each once.
    unsafe {
        slots.set_len(base);
        for at in base..end {
            let slot = slots.as_mut_ptr().add(at);
            if let Some(value) = &*slot
                && value.count().is_some()
            {
                slot.cast::<Value>().read().release();
            }
        }
    }
}

impl Interp {
    /// A frame for `code` with unset locals and fresh cells for its cell variables; the free
    /// variables' cells are still to be pushed.
    pub(crate) fn new_frame(
        &mut self,
        code: &PyRef<CodeObject>,
        globals: &PyRef<PyDict>,
    ) -> Box<Frame> {
        let mut frame = self.take_frame(code, globals);
        frame.locals.resize(code.code.varnames.len(), None);
        frame.cells.extend(
            code.code
                .cellvars
                .iter()
                .map(|_| PyRef::new(PyCell::new(None))),
        );
        frame
    }

    /// A frame with empty locals, cells and stack.
    #[inline(always)]
    pub(crate) fn take_frame(
        &mut self,
        code: &PyRef<CodeObject>,
        globals: &PyRef<PyDict>,
    ) -> Box<Frame> {
        match self.pool.pop() {
            Some(mut frame) => {
                if !PyRef::ptr_eq(&frame.code, code) {
                    frame.code = code.clone();
                }
                if !PyRef::ptr_eq(&frame.globals, globals) {
                    if globals.has_own_builtins() || frame.globals.has_own_builtins() {
                        frame.builtins = self.builtins_of(globals);
                    }
                    frame.globals = globals.clone();
                }
                frame.pc = 0;
                frame
            }
            None => self.make_frame(code, globals),
        }
    }

    #[cold]
    fn make_frame(&mut self, code: &PyRef<CodeObject>, globals: &PyRef<PyDict>) -> Box<Frame> {
        Box::new(Frame {
            code: code.clone(),
            globals: globals.clone(),
            builtins: self.builtins_of(globals),
            namespace: None,
            mapping: None,
            locals: Vec::with_capacity(code.code.varnames.len()),
            cells: Vec::new(),
            stack: Vec::with_capacity(code.code.stack_size as usize + 1),
            snapshot: OnceCell::new(),
            object: OnceCell::new(),
            steps: None,
            purpose: Purpose::Call,
            pc: 0,
        })
    }

    /// Drops what a finished frame holds and keeps its memory.
    #[inline]
    pub(crate) fn recycle(&mut self, mut frame: Box<Frame>) {
        if frame.object.get().is_some() {
            self.end_object(&mut frame);
            frame.steps = None;
        }
        drop_from(&mut frame.locals, 0);
        drop_from(&mut frame.stack, 0);
        if !frame.cells.is_empty() {
            frame.cells.clear();
        }
        let is_bare = frame.namespace.is_none()
            && frame.snapshot.get().is_none()
            && matches!(frame.purpose, Purpose::Call);
        if is_bare && self.pool.len() < POOL {
            push_to(&mut self.pool, frame);
        } else {
            self.recycle_more(frame);
        }
    }

    /// As [`Self::recycle`] of a frame with more than a function's usually has.
    #[inline(never)]
    fn recycle_more(&mut self, mut frame: Box<Frame>) {
        frame.purpose = Purpose::Call;
        frame.snapshot.take();
        // The namespace is a module's or class's: the frame would keep it alive.
        if frame.namespace.is_none() && self.pool.len() < POOL {
            self.pool.push(frame);
        }
    }
}
