//! `print`, `input`, `open`.

use janus_object::{
    Args, ExcKind, NativeDef, PyResult, Raised, Signature, Value, Vm, attr, name, text,
};

use crate::support::{interp, type_name};

pub(super) const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("builtins.print", print),
    NativeDef::function("builtins.input", input),
    NativeDef::function("builtins.open", crate::io::open),
];

fn print(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<4> = Signature::new("print", ["sep", "end", "file", "flush"])
        .required(0)
        .keyword_only(0);
    let [separator, end, file, flush] = SIGNATURE.parse(Args::with_kw(&[], args.kw))?;
    let piece = |given: &Option<Value>, what: &str, default: &str| match given {
        None | Some(Value::None) => Ok(default.to_owned()),
        Some(value) => match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(Raised::type_error(format!(
                "{what} must be None or a string, not {}",
                type_name(value)
            ))),
        },
    };
    let separator = piece(&separator, "sep", " ")?;
    let end = piece(&end, "end", "\n")?;
    let mut line = String::new();
    for (i, value) in args.pos.iter().enumerate() {
        if i > 0 {
            line.push_str(&separator);
        }
        match value {
            Value::Str(s) => line.push_str(s),
            other => line.push_str(&text::str(vm, other)?),
        }
    }
    line.push_str(&end);
    let file = match file {
        None | Some(Value::None) => crate::modules::sys::replaced_stdout(vm),
        Some(file) => Some(file),
    };
    let flush = crate::support::flag(vm, flush.as_ref(), false)?;
    match file {
        None => {
            vm.write_stdout(&line)?;
            if flush {
                let output = interp(vm)?.output().flush();
                output.map_err(|e| Raised::io_error(&e, None))?;
            }
        }
        // `sys.stdout = None`: nothing is printed.
        Some(Value::None) => {}
        Some(file) => {
            let write = attr::get(vm, &file, name!("write"))?;
            vm.call(&write, Args::new(&[Value::str(line)]))?;
            if flush {
                vm.call_method(&file, name!("flush"), Args::new(&[]))?;
            }
        }
    }
    Ok(Value::None)
}

fn input(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let prompt = match args.between("input", 0, 1)? {
        [prompt] => Some(prompt),
        _ => None,
    };
    let output = crate::modules::sys::replaced_stdout(vm);
    let source = crate::modules::sys::replaced_stdin(vm);
    if matches!(source, Some(Value::None)) {
        return Err(Raised::runtime_error("input(): lost sys.stdin"));
    }
    if matches!(output, Some(Value::None)) {
        return Err(Raised::runtime_error("input(): lost sys.stdout"));
    }
    if let Some(prompt) = prompt {
        let prompt = text::str(vm, prompt)?;
        match &output {
            Some(output) => {
                vm.call_method(output, name!("write"), Args::new(&[Value::str(prompt)]))?;
            }
            None => vm.write_stdout(&prompt)?,
        }
    }
    if let Some(output) = &output {
        vm.call_method(output, name!("flush"), Args::new(&[]))?;
    }
    if let Some(source) = source {
        let line = vm.call_method(&source, name!("readline"), Args::new(&[]))?;
        let Some(line) = line.as_str() else {
            return Err(Raised::type_error(format!(
                "object.readline() returned non-string (type {})",
                type_name(&line)
            )));
        };
        return match line {
            "" => Err(Raised::new(ExcKind::EOFError, "EOF when reading a line")),
            line => Ok(Value::str(line.strip_suffix('\n').unwrap_or(line))),
        };
    }
    let flushed = interp(vm)?.output().flush();
    flushed.map_err(|e| Raised::io_error(&e, None))?;
    let line = crate::io::input::read_line(vm)?;
    if line.is_empty() {
        return Err(Raised::new(ExcKind::EOFError, "EOF when reading a line"));
    }
    let line = String::from_utf8_lossy(&line);
    Ok(Value::str(line.strip_suffix('\n').unwrap_or(&line)))
}
