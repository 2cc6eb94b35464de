//! Frames as scripts see them: `sys._getframe()`, `tb_frame`, `gi_frame`.
//!
//! In: a frame. Out: its object, with its code, line and variables. Always: a frame has one object, made when it is first
//! asked for, or when an exception passes; while the frame runs, the object tells its present state, and when it has
//! ended, what it ended with: its variables live as long as the object does.

use std::cell::{Cell, RefCell};

use janus_object::heap::Tracer;
use janus_object::{
    Args, BaseKind, Class, CodeObject, ExcKind, Instance, NativeDef, PyCell, PyDict, PyRef,
    PyResult, Raised, TracebackEntry, Value, Vm, types,
};

use crate::functions::interp_of;
use crate::{Frame, Interp};

const NATIVES: &[NativeDef] = &[
    NativeDef::getter("frame.f_code", |_, args| {
        Ok(Value::Code(own(&args)?.code.clone()))
    }),
    NativeDef::getter("frame.f_globals", |_, args| {
        Ok(Value::Dict(own(&args)?.globals.clone()))
    }),
    NativeDef::getter("frame.f_builtins", |_, args| {
        Ok(Value::Dict(own(&args)?.builtins.clone()))
    }),
    NativeDef::getter("frame.f_locals", |vm, args| {
        let this = own(&args)?;
        let interp = interp_of(vm)?;
        let at = this.find(&args.pos[0], interp);
        // Whoever looks once does so again.
        interp.variables_seen |= at.is_some();
        let frame = at.and_then(|at| interp.frames.get(at).map(|f| &**f));
        match frame {
            Some(frame) if frame.is_view() && frame.code.code.flags.module => {
                Ok(Value::Dict(this.globals.clone()))
            }
            Some(frame) if frame.is_view() => Err(Raised::new(
                ExcKind::RuntimeError,
                format!(
                    "the variables of {}() cannot be seen while its machine code runs \
                     (janus-jit run --tier 0 shows them)",
                    frame.code.code.name
                ),
            )),
            frame => Ok(this.locals(frame)),
        }
    }),
    NativeDef::getter("frame.f_lineno", |vm, args| {
        let this = own(&args)?;
        this.find(&args.pos[0], interp_of(vm)?);
        Ok(Value::Int(i64::from(this.line())))
    }),
    NativeDef::getter("frame.f_lasti", |vm, args| {
        let this = own(&args)?;
        this.find(&args.pos[0], interp_of(vm)?);
        Ok(Value::Int(2 * i64::from(this.pc.get())))
    }),
    NativeDef::getter("frame.f_back", |vm, args| {
        let this = own(&args)?;
        let interp = interp_of(vm)?;
        match this.find(&args.pos[0], interp) {
            Some(at) => Ok(at
                .checked_sub(1)
                .and_then(|at| interp.frames.get(at))
                .map_or(Value::None, |f| f.object())),
            None => Ok(this.back.borrow().clone()),
        }
    }),
    NativeDef::getset("frame.f_trace", trace_function),
    NativeDef::getset("frame.f_trace_lines", |vm, args| {
        switch(vm, &args, |this| &this.trace_lines)
    }),
    NativeDef::getset("frame.f_trace_opcodes", |vm, args| {
        switch(vm, &args, |this| &this.trace_opcodes)
    }),
    NativeDef::method("frame.clear", |vm, args| {
        let this = own(&args)?;
        if this.find(&args.pos[0], interp_of(vm)?).is_some() {
            return Err(Raised::new(
                janus_object::ExcKind::RuntimeError,
                "cannot clear an executing frame",
            ));
        }
        let held = (this.ended.take(), this.seen.take());
        if held.0.is_some() {
            *this.ended.borrow_mut() = Some(Ended::default());
        }
        Ok(Value::None)
    }),
    NativeDef::method("frame.__repr__", |vm, args| {
        let this = own(&args)?;
        this.find(&args.pos[0], interp_of(vm)?);
        Ok(Value::str(format!(
            "<frame at {:#x}, file '{}', line {}, code {}>",
            janus_object::ops::identity(&args.pos[0]),
            this.code.code.filename,
            this.line(),
            this.code.code.name
        )))
    }),
];

/// `f_trace`: what is set is told of the frame's lines from now on.
fn trace_function(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let this = own(&args)?;
    let Some(new) = args.pos.get(1) else {
        return Ok(this.trace.borrow().clone().unwrap_or(Value::None));
    };
    let function = Some(new.clone()).filter(|new| !new.is_none());
    let is_set = function.is_some();
    drop(this.trace.replace(function));
    let interp = interp_of(vm)?;
    if is_set && let Some(at) = this.find(&args.pos[0], interp) {
        let state: *const crate::cache::CodeState = interp.code_state(&this.code);
        if let Some(frame) = interp.frames.get_mut(at) {
            // SAFETY: the frame keeps its code alive, and that its state.
            Interp::watch_steps(frame, unsafe { &*state });
        }
        janus_gil::pending::ask_for_break();
    }
    Ok(Value::None)
}

/// A flag of a frame.
fn switch(vm: &mut dyn Vm, args: &Args<'_>, flag: fn(&FrameObject) -> &Cell<bool>) -> PyResult {
    let this = own(args)?;
    let Some(new) = args.pos.get(1) else {
        return Ok(Value::bool(flag(this).get()));
    };
    flag(this).set(janus_object::ops::truth(vm, new)?);
    Ok(Value::None)
}

/// What a script holds of a frame.
pub(crate) struct FrameObject {
    code: PyRef<CodeObject>,
    globals: PyRef<PyDict>,
    builtins: PyRef<PyDict>,
    /// What was given for the variables.
    seen: RefCell<Option<Value>>,
    pc: Cell<u32>,
    /// The variables of a frame that has ended.
    ended: RefCell<Option<Ended>>,
    /// The frame that called one that has ended.
    back: RefCell<Value>,
    /// `f_trace`
    pub trace: RefCell<Option<Value>>,
    pub trace_lines: Cell<bool>,
    pub trace_opcodes: Cell<bool>,
    /// The line, where it is not that of the instruction.
    stands: Cell<Option<u32>>,
}

/// What a frame ended with.
#[derive(Default)]
struct Ended {
    locals: Vec<Option<Value>>,
    cells: Vec<PyRef<PyCell>>,
}

impl janus_object::Foreign for FrameObject {
    fn trace(&self, tracer: &mut Tracer<'_>) {
        tracer.reference(&self.code);
        tracer.reference(&self.globals);
        tracer.reference(&self.builtins);
        tracer.values(&*self.seen.borrow());
        tracer.value(&self.back.borrow());
        tracer.values(&*self.trace.borrow());
        if let Some(ended) = &*self.ended.borrow() {
            tracer.values(ended.locals.iter().flatten());
            for cell in &ended.cells {
                tracer.reference(cell);
            }
        }
    }

    fn clear(&self) {
        drop(self.ended.take());
        drop(self.seen.take());
        drop(self.back.replace(Value::None));
        drop(self.trace.take());
    }
}

fn own<'a>(args: &Args<'a>) -> PyResult<&'a FrameObject> {
    let found = args.pos.first().and_then(Value::foreign::<FrameObject>);
    found.ok_or_else(|| Raised::type_error("a frame is required"))
}

impl FrameObject {
    /// Where its frame is among those that run, if it is; notes where that one is.
    fn find(&self, object: &Value, interp: &Interp) -> Option<usize> {
        let at = interp.frames.iter().rposition(|frame| {
            let known = frame.object.get();
            known.is_some_and(|known| janus_object::ops::is(known, object))
        })?;
        self.pc.set(interp.frames.get(at)?.pc);
        Some(at)
    }

    /// An object that tells nothing but where the frame is.
    fn new(
        code: PyRef<CodeObject>,
        globals: PyRef<PyDict>,
        builtins: PyRef<PyDict>,
        pc: u32,
    ) -> FrameObject {
        FrameObject {
            code,
            globals,
            builtins,
            seen: RefCell::new(None),
            pc: Cell::new(pc),
            ended: RefCell::new(None),
            back: RefCell::new(Value::None),
            trace: RefCell::new(None),
            trace_lines: Cell::new(true),
            trace_opcodes: Cell::new(false),
            stands: Cell::new(None),
        }
    }

    /// The frame is called: it stands at its `def`, or at the `yield` where it goes on.
    pub(crate) fn stand_at_start(&self, frame: &Frame) {
        let code = &frame.code.code;
        let line = match frame.pc.checked_sub(1) {
            None => Some(code.first_line),
            Some(before) => code.spans.get(before as usize).map(|span| span.line),
        };
        self.stands.set(line);
    }

    /// The frame stopped at a `yield`.
    pub(crate) fn stand_at_yield(&self, frame: &Frame) {
        self.stand_at_start(frame);
    }

    /// The frame stands at its instruction.
    pub(crate) fn run_on(&self) {
        self.stands.set(None);
    }

    fn line(&self) -> u32 {
        if let Some(line) = self.stands.get() {
            return line;
        }
        let code = &self.code.code;
        let span = code.spans.get(self.pc.get() as usize);
        span.map_or(code.first_line, |span| span.line)
    }

    /// `f_locals`; `frame` is its frame, if that runs.
    fn locals(&self, frame: Option<&Frame>) -> Value {
        if let Some(frame) = frame {
            return self.note(frame.locals_value());
        }
        let known = self.seen.borrow().clone();
        if let Some(known @ Value::Dict(dict)) = &known
            && let Some(ended) = &*self.ended.borrow()
        {
            crate::frame::show_variables(&self.code.code, &ended.locals, &ended.cells, dict);
            return known.clone();
        }
        match (known, &*self.ended.borrow()) {
            (Some(known), _) => known,
            (None, Some(ended)) => {
                let dict = PyRef::new(PyDict::new());
                crate::frame::show_variables(&self.code.code, &ended.locals, &ended.cells, &dict);
                self.note(Value::Dict(dict))
            }
            (None, None) if self.code.code.flags.module => Value::Dict(self.globals.clone()),
            (None, None) => self.note(Value::dict(PyDict::new())),
        }
    }

    fn note(&self, locals: Value) -> Value {
        drop(self.seen.replace(Some(locals.clone())));
        locals
    }
}

/// `types.FrameType`
pub fn frame_class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = Class::builtin(
            "frame", "builtins", &[&types().object], BaseKind::Foreign, NATIVES,
        );
    }
    CLASS.with(PyRef::clone)
}

impl Frame {
    /// The object that stands for this frame.
    pub fn object(&self) -> Value {
        let object = self.object.get_or_init(|| {
            Instance::native(
                &frame_class(),
                FrameObject::new(
                    self.code.clone(),
                    self.globals.clone(),
                    self.builtins.clone(),
                    self.pc,
                ),
            )
        });
        object.clone()
    }

    /// The object of a frame that is suspended, which tells what it is suspended with.
    pub(crate) fn suspended_object(&self) -> Value {
        let object = self.object();
        if let Some(this) = object.foreign::<FrameObject>() {
            this.pc.set(self.pc);
            this.note(self.locals_value());
        }
        object
    }
}

impl Interp {
    /// The frame ends: its object, if others hold it, keeps its variables.
    #[cold]
    pub(crate) fn end_object(&mut self, frame: &mut Frame) {
        let Some(object) = frame.object.take() else {
            return;
        };
        let (Value::Instance(instance), Some(this)) = (&object, object.foreign::<FrameObject>())
        else {
            return;
        };
        if PyRef::strong_count(instance) == 1 {
            return;
        }
        this.pc.set(frame.pc);
        let flags = &frame.code.code.flags;
        if !flags.generator
            && !flags.coroutine
            && let Some(caller) = self.frames.last()
        {
            *this.back.borrow_mut() = caller.object();
        }
        if frame.namespace.is_some() {
            this.note(frame.locals_value());
            return;
        }
        if let Some(snapshot) = frame.snapshot.get() {
            this.note(Value::Dict(snapshot.clone()));
        }
        *this.ended.borrow_mut() = Some(Ended {
            locals: std::mem::take(&mut frame.locals),
            cells: std::mem::take(&mut frame.cells),
        });
    }

    /// The frame of an entry of a traceback.
    pub(crate) fn frame_of_entry(&self, entry: &TracebackEntry) -> Value {
        if let Some(frame) = &entry.frame {
            return frame.clone();
        }
        // Of compiled code, which had none.
        Instance::native(
            &frame_class(),
            FrameObject::new(
                entry.code.clone(),
                entry.globals.clone(),
                self.builtins.clone(),
                entry.pc,
            ),
        )
    }

    /// The frame `depth` above the one that calls native code.
    pub fn frame_object(&self, depth: usize) -> Option<Value> {
        let at = self.frames.len().checked_sub(depth + 1)?;
        Some(self.frames.get(at)?.object())
    }
}
