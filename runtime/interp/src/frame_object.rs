//! Frames as scripts see them: `sys._getframe()`, `gi_frame`.
//!
//! In: an active or a suspended frame. Out: an object with its code, line and variables. Always: while the frame is active,
//! the object tells its present state; later, what was last seen of it.

use std::cell::Cell;

use janus_object::{
    Args, BaseKind, Class, CodeObject, Instance, NativeDef, PyDict, PyRef, PyResult, Raised,
    TracebackEntry, Value, types,
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
        // Looking brings the dict up to date.
        this.see(interp_of(vm)?);
        Ok(this.locals.clone())
    }),
    NativeDef::getter("frame.f_lineno", |vm, args| {
        let this = own(&args)?;
        this.see(interp_of(vm)?);
        Ok(Value::Int(i64::from(this.line.get())))
    }),
    NativeDef::getter("frame.f_lasti", |vm, args| {
        let this = own(&args)?;
        this.see(interp_of(vm)?);
        Ok(Value::Int(2 * i64::from(this.pc.get())))
    }),
    NativeDef::getter("frame.f_back", |vm, args| {
        let this = own(&args)?;
        let interp = interp_of(vm)?;
        let at = this.see(interp).and_then(|at| at.checked_sub(1));
        Ok(at
            .and_then(|at| interp.frames.get(at))
            .map_or(Value::None, |f| f.object()))
    }),
    NativeDef::getter("frame.f_trace", |_, args| {
        own(&args)?;
        Ok(Value::None)
    }),
    NativeDef::method("frame.clear", |_, args| {
        own(&args)?;
        Ok(Value::None)
    }),
    NativeDef::method("frame.__eq__", |_, args| {
        let (_, [other]) = args.method::<1>("__eq__")?;
        let this = own(&args)?;
        let same = other
            .foreign::<FrameObject>()
            .is_some_and(|o| this.is_of(&o.locals, &o.code));
        Ok(Value::Bool(same))
    }),
    NativeDef::method("frame.__hash__", |_, args| {
        Ok(Value::from(
            janus_object::ops::identity(&own(&args)?.locals) >> 4,
        ))
    }),
    NativeDef::method("frame.__repr__", |vm, args| {
        let this = own(&args)?;
        this.see(interp_of(vm)?);
        Ok(Value::str(format!(
            "<frame at {:#x}, file '{}', line {}, code {}>",
            janus_object::ops::identity(&args.pos[0]),
            this.code.code.filename,
            this.line.get(),
            this.code.code.name
        )))
    }),
];

/// What a script holds of a frame.
struct FrameObject {
    code: PyRef<CodeObject>,
    globals: PyRef<PyDict>,
    builtins: PyRef<PyDict>,
    /// The dict that `locals()` gives in the frame, by which it is found again.
    locals: Value,
    line: Cell<u32>,
    pc: Cell<u32>,
}

impl janus_object::Foreign for FrameObject {
    fn trace(&self, tracer: &mut janus_object::heap::Tracer<'_>) {
        tracer.reference(&self.globals);
        tracer.reference(&self.builtins);
        tracer.value(&self.locals);
    }
}

fn own<'a>(args: &Args<'a>) -> PyResult<&'a FrameObject> {
    let found = args.pos.first().and_then(Value::foreign::<FrameObject>);
    found.ok_or_else(|| Raised::type_error("a frame is required"))
}

impl FrameObject {
    fn is_of(&self, locals: &Value, code: &PyRef<CodeObject>) -> bool {
        PyRef::ptr_eq(&self.code, code) && janus_object::ops::is(&self.locals, locals)
    }

    /// Notes the state of the frame if it is active: where it is among the active ones.
    fn see(&self, interp: &Interp) -> Option<usize> {
        let at = interp.frames.iter().rposition(|frame| {
            frame
                .known_locals()
                .is_some_and(|locals| self.is_of(&locals, &frame.code))
        })?;
        let frame = interp.frames.get(at)?;
        frame.locals_value();
        self.line.set(frame.line());
        self.pc.set(frame.pc);
        Some(at)
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
        Instance::native(
            &frame_class(),
            FrameObject {
                code: self.code.clone(),
                globals: self.globals.clone(),
                builtins: self.builtins.clone(),
                locals: self.locals_value(),
                line: Cell::new(self.line()),
                pc: Cell::new(self.pc),
            },
        )
    }

    /// What `locals()` gave, if it was asked, or would always give.
    fn known_locals(&self) -> Option<Value> {
        if let Some(mapping) = &self.mapping {
            return Some(mapping.clone());
        }
        let dict = self.namespace.as_ref().or_else(|| self.snapshot.get());
        dict.map(|dict| Value::Dict(dict.clone()))
    }
}

impl Interp {
    /// The frame of an entry of a traceback: the innermost that runs this code, or what is known of one that has ended.
    pub(crate) fn frame_of_entry(&self, entry: &TracebackEntry) -> Value {
        let is_it = |frame: &&Frame| {
            PyRef::ptr_eq(&frame.code, &entry.code) && PyRef::ptr_eq(&frame.globals, &entry.globals)
        };
        if let Some(frame) = self.frames.iter().rev().map(|frame| &**frame).find(is_it) {
            return frame.object();
        }
        let code = &entry.code.code;
        let locals = match code.flags.module {
            true => entry.globals.clone(),
            false => PyRef::new(PyDict::new()),
        };
        let line = code.spans.get(entry.pc as usize);
        Instance::native(
            &frame_class(),
            FrameObject {
                code: entry.code.clone(),
                globals: entry.globals.clone(),
                builtins: self.builtins.clone(),
                locals: Value::Dict(locals),
                line: Cell::new(line.map_or(code.first_line, |span| span.line)),
                pc: Cell::new(entry.pc),
            },
        )
    }

    /// The frame `depth` above the one that calls native code.
    pub fn frame_object(&self, depth: usize) -> Option<Value> {
        let at = self.frames.len().checked_sub(depth + 1)?;
        Some(self.frames.get(at)?.object())
    }
}
