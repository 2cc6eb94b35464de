//! `_traceback` and `atexit`: what only the interpreter knows about frames and the program's end.
//!
//! In: exceptions and callbacks. Out: the text of a traceback, the active frames. Always: the text
//! is the one an uncaught exception prints.

use janus_interp::{Frame, Interp};
use janus_object::{Args, NativeDef, NativeFunction, PyResult, Raised, Value, Vm};

use crate::support::{int, interp, module};

/// Makes `_traceback`.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_traceback.only", only),
        NativeDef::function("_traceback.marked", marked),
    ];
    Ok(Value::Module(module("_traceback", "", FUNCTIONS)))
}

/// Makes `atexit`.
pub(crate) fn build_atexit(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("atexit.register", register),
        NativeDef::function("atexit.unregister", |vm, args| {
            let [function] = args.exactly("unregister")?;
            interp(vm)?.not_at_exit(function)?;
            Ok(Value::None)
        }),
        NativeDef::function("atexit._ncallbacks", |vm, args| {
            let [] = args.exactly("_ncallbacks")?;
            Ok(Value::from(interp(vm)?.at_exit_count()))
        }),
        NativeDef::function("atexit._clear", |vm, args| {
            let [] = args.exactly("_clear")?;
            interp(vm)?.clear_at_exit();
            Ok(Value::None)
        }),
    ];
    Ok(Value::Module(module("atexit", "", FUNCTIONS)))
}

/// The last lines of what is printed of an exception.
fn only(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [exception] = args.exactly("only")?;
    match exception.as_instance() {
        Some(instance) if instance.exception().is_some() => {
            let [place, last, notes] = interp(vm)?.format_exception_parts(instance);
            // A message of several lines is one text.
            let lines = place
                .split_inclusive('\n')
                .chain(std::iter::once(last.as_str()))
                .chain(notes.split_inclusive('\n'));
            Ok(Value::list(lines.map(Value::str).collect()))
        }
        _ => Err(Raised::type_error("an exception is required")),
    }
}

/// A source line with marks under a part of it.
fn marked(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [line, rest @ ..] = args.exactly::<5>("marked")?;
    let mut place = [0u32; 4];
    for (number, given) in place.iter_mut().zip(rest) {
        if !given.is_none() {
            *number = u32::try_from(int(vm, given)?).unwrap_or(0);
        }
    }
    let [first, last, col, end_col] = place;
    let span = janus_bytecode::Span {
        line: first,
        end_line: last,
        col,
        end_col,
    };
    let line = crate::support::string(line, "the line")?;
    Ok(Value::str(janus_interp::marked_source(line, span)))
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
    interp(vm)?.at_exit(callback.clone(), call);
    Ok(callback.clone())
}
