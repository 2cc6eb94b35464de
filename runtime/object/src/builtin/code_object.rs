//! What code objects say of their instructions, and copies of them with other names.
//!
//! In: code. Out: `co_code`, `co_lines()`, `co_positions()`, `replace()`. Always: the instructions are our own, two bytes
//! each, as `co_code` shows them.

use std::rc::Rc;

use janus_bytecode::Code;

use crate::native::wrong_self;
use crate::{Args, CodeObject, ExcKind, PyRef, PyResult, Raised, Value, Vm, ops};

/// `CO_VARARGS`
pub(crate) const VARARGS: i64 = 0x04;
/// `CO_VARKEYWORDS`
pub(crate) const VARKEYWORDS: i64 = 0x08;
/// `CO_ITERABLE_COROUTINE`
pub(crate) const ITERABLE_COROUTINE: i64 = 0x100;

fn own(args: &Args<'_>) -> PyResult<PyRef<CodeObject>> {
    match args.pos.first() {
        Some(Value::Code(code)) => Ok(code.clone()),
        other => Err(wrong_self("method", "code", other.unwrap_or(&Value::None))),
    }
}

pub(crate) fn code(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let code = own(&args)?;
    let bytes = code
        .code
        .instrs
        .iter()
        .flat_map(|i| [i.op as u8, i.arg as u8]);
    Ok(Value::bytes(bytes.collect::<Vec<u8>>()))
}

pub(crate) fn stack_size(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    Ok(Value::from(own(&args)?.code.stack_size as usize))
}

/// `(start, end, line)` for each run of instructions of one line, in bytes.
pub(crate) fn lines(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let code = own(&args)?;
    let mut rows: Vec<(usize, usize, u32)> = Vec::new();
    for (at, span) in code.code.spans.iter().enumerate() {
        match rows.last_mut() {
            Some((_, end, line)) if *line == span.line => *end = 2 * at + 2,
            _ => rows.push((2 * at, 2 * at + 2, span.line)),
        }
    }
    let rows = rows.into_iter().map(|(start, end, line)| {
        Value::tuple(vec![
            Value::from(start),
            Value::from(end),
            Value::from(line as usize),
        ])
    });
    ops::iter(vm, &Value::list(rows.collect()))
}

/// `(line, end line, column, end column)` for each instruction.
pub(crate) fn positions(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let code = own(&args)?;
    let rows = code.code.spans.iter().map(|span| {
        let column = |n: u32| Value::from(n as usize);
        Value::tuple(vec![
            column(span.line),
            column(span.end_line),
            column(span.col),
            column(span.end_col),
        ])
    });
    ops::iter(vm, &Value::list(rows.collect()))
}

/// A copy with some fields replaced. What the instructions depend on cannot be.
pub(crate) fn replace(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let object = own(&args)?;
    let mut code: Code = (*object.code).clone();
    for (key, value) in args.kw {
        let text = || -> PyResult<Rc<str>> {
            value.as_str().map(Rc::from).ok_or_else(|| {
                Raised::type_error(format!(
                    "replace() argument '{key}' must be str, not {}",
                    value.type_name()
                ))
            })
        };
        let count = || -> PyResult<u32> {
            let n = value.as_int().and_then(|n| u32::try_from(n).ok());
            n.ok_or_else(|| Raised::value_error("code: argcounts must be non-negative"))
        };
        match key.as_str() {
            "co_name" => code.name = text()?,
            "co_qualname" => code.qualname = text()?,
            "co_filename" => code.filename = text()?,
            "co_firstlineno" => {
                let line = value.as_int().and_then(|n| u32::try_from(n).ok());
                code.first_line = line.ok_or_else(|| {
                    Raised::value_error("code: co_firstlineno must be a positive int")
                })?;
            }
            "co_flags" => {
                let flags = value.as_int().unwrap_or_default();
                code.flags.iterable_coroutine = flags & ITERABLE_COROUTINE != 0;
                code.flags.varargs = flags & VARARGS != 0;
                code.flags.varkw = flags & VARKEYWORDS != 0;
            }
            "co_argcount" => code.argcount = count()?,
            "co_posonlyargcount" => code.posonly_argcount = count()?,
            "co_kwonlyargcount" => code.kwonly_argcount = count()?,
            other => {
                return Err(Raised::new(
                    ExcKind::NotImplementedError,
                    format!("code.replace() of '{other}' is not implemented in janus-jit"),
                ));
            }
        }
    }
    // The variables of a frame lie in the order of its parameters: these may be of another kind, and not more or fewer.
    if parameters(&code) != parameters(&object.code) || code.posonly_argcount > code.argcount {
        return Err(Raised::value_error(
            "code: another number of parameters is not implemented in janus-jit",
        ));
    }
    Ok(Value::Code(CodeObject::new(Rc::new(code))))
}

/// How many variables are parameters, starred ones included.
fn parameters(code: &Code) -> u32 {
    code.argcount
        + code.kwonly_argcount
        + u32::from(code.flags.varargs)
        + u32::from(code.flags.varkw)
}
