//! `_traceback` and `atexit`: what only the interpreter knows about frames and the program's end.
//!
//! In: exceptions and callbacks. Out: the text of a traceback, the active frames. Always: the text
//! is the one an uncaught exception prints.

use janus_interp::{Frame, Interp};
use janus_object::{Args, NativeDef, NativeFunction, PyResult, Raised, Value, Vm};

use crate::support::{interp, module};

/// Makes `_traceback`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_traceback.format", format_exception),
        NativeDef::function("_traceback.frames", frames),
    ];
    Ok(Value::Module(module("_traceback", "", FUNCTIONS)))
}

/// Makes `atexit`.
pub(crate) fn build_atexit(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[NativeDef::function("atexit.register", register)];
    Ok(Value::Module(module("atexit", "", FUNCTIONS)))
}

fn format_exception(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [exception] = args.exactly("format")?;
    match exception.as_instance() {
        Some(instance) if instance.exception().is_some() => {
            Ok(Value::str(interp(vm)?.format_exception(instance)))
        }
        _ => Err(Raised::type_error("an exception is required")),
    }
}

/// File, line and function of a frame.
pub(crate) fn describe(frame: &Frame) -> (Value, Value, Value) {
    let code = &frame.code.code;
    (
        Value::str(&*code.filename),
        Value::Int(i64::from(frame.line())),
        Value::str(&*code.name),
    )
}

fn frames(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [] = args.exactly("frames")?;
    let rows = interp(vm)?.frames().iter().map(|frame| {
        let (file, line, function) = describe(frame);
        Value::tuple(vec![file, line, function])
    });
    Ok(Value::list(rows.collect()))
}

fn register(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [callback, rest @ ..] = args.pos else {
        return Err(Raised::type_error(
            "register() takes at least 1 argument (0 given)",
        ));
    };
    let function = callback.clone();
    let (pos, kw) = (rest.to_vec(), args.kw.to_vec());
    let call = NativeFunction::closure("atexit.callback", move |vm, _| {
        vm.call(&function, Args::with_kw(&pos, &kw))
    });
    interp(vm)?.at_exit(call);
    Ok(callback.clone())
}
