//! Text forms of values.
//!
//! In: values. Out: `repr`, `str`, `format` and `%` as CPython writes them. Always: a container
//! inside of itself prints as `...`.

mod characters;
mod float;
mod percent;
mod spec;
pub mod template;
pub mod unicode;

use std::cell::RefCell;
use std::fmt::Write as _;

use janus_bytecode::surrogate;

use crate::ops::{call_special, identity, special};
use crate::types::full_name;
use crate::{Binding, Bool, ExcKind, PyResult, Raised, Value, Vm, class_of, name};

pub(crate) use float::fixed;
pub use float::float_repr;
pub use percent::percent_format;
pub(crate) use percent::percent_format_bytes;
pub use spec::format;
pub(crate) use spec::{format_complex, format_native};
pub use template::str_format;
pub(crate) use template::str_format_map;

thread_local! {
    /// Addresses of the containers being printed.
    static PRINTING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Runs `print` unless the object is already being printed, in which case the result is `None`.
pub fn guard_recursion<T>(
    vm: &mut dyn Vm,
    object: &Value,
    print: impl FnOnce(&mut dyn Vm) -> PyResult<T>,
) -> PyResult<Option<T>> {
    let address = identity(object);
    let fresh = PRINTING.with_borrow_mut(|active| {
        let fresh = !active.contains(&address);
        if fresh {
            active.push(address);
        }
        fresh
    });
    if !fresh {
        return Ok(None);
    }
    let result = match vm.enter() {
        Ok(()) => {
            let result = print(vm);
            vm.leave();
            result
        }
        Err(_) => Err(Raised::recursion_error(
            "maximum recursion depth exceeded while getting the repr of an object",
        )),
    };
    PRINTING.with_borrow_mut(|active| {
        active.pop();
    });
    result.map(Some)
}

/// `repr(a)`
pub fn repr(vm: &mut dyn Vm, a: &Value) -> PyResult<String> {
    let mut out = String::new();
    write_repr(vm, &mut out, a)?;
    Ok(out)
}

fn write_repr(vm: &mut dyn Vm, out: &mut String, a: &Value) -> PyResult<()> {
    match a {
        Value::Instance(_) | Value::Iter(_) => return repr_custom(vm, out, a),
        Value::Class(c) if c.has_metaclass() => return repr_custom(vm, out, a),
        _ => {}
    }
    native_repr(vm, out, a)
}

fn repr_custom(vm: &mut dyn Vm, out: &mut String, a: &Value) -> PyResult<()> {
    let Some(method) = special(a, name!("__repr__")) else {
        out.push_str(&default_repr(a));
        return Ok(());
    };
    // A function has a frame, which is counted.
    let counted = matches!(method, Value::Function(_));
    if !counted {
        vm.enter().map_err(|_| {
            Raised::recursion_error(
                "maximum recursion depth exceeded while getting the repr of an object",
            )
        })?;
    }
    let result = call_special(vm, &method, a, &[]);
    if !counted {
        vm.leave();
    }
    let result = result?;
    match result.as_str() {
        Some(text) => {
            out.push_str(text);
            Ok(())
        }
        None => Err(Raised::type_error(format!(
            "__repr__ returned non-string (type {})",
            result.type_name()
        ))),
    }
}

/// `object.__repr__`
pub(crate) fn default_repr(a: &Value) -> String {
    format!(
        "<{} object at 0x{:x}>",
        full_name(&class_of(a)),
        identity(a)
    )
}

fn write_items(vm: &mut dyn Vm, out: &mut String, items: &[Value]) -> PyResult<()> {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_repr(vm, out, item)?;
    }
    Ok(())
}

/// `repr` of a value of a built-in class.
pub(crate) fn native_repr(vm: &mut dyn Vm, out: &mut String, a: &Value) -> PyResult<()> {
    // Writing to a String cannot fail.
    match a {
        Value::None => out.push_str("None"),
        Value::Bool(Bool::True) => out.push_str("True"),
        Value::Bool(Bool::False) => out.push_str("False"),
        Value::Int(i) => out.push_str(itoa::Buffer::new().format(*i)),
        Value::Float(f) => out.push_str(&float_repr(f.get())),
        Value::BigInt(b) => out.push_str(&crate::digits::decimal(b)?),
        Value::Str(s) => out.push_str(&str_repr(s)),
        Value::Bytes(b) => {
            let text = bytes_repr(&b.bytes());
            if b.mutable {
                let _ = write!(out, "bytearray({text})");
            } else {
                out.push_str(&text);
            }
        }
        Value::Tuple(t) => {
            let printed = guard_recursion(vm, a, |vm| {
                out.push('(');
                write_items(vm, out, &t.items)?;
                out.push_str(if t.items.len() == 1 { ",)" } else { ")" });
                Ok(())
            })?;
            if printed.is_none() {
                out.push_str("(...)");
            }
        }
        Value::List(l) => {
            let printed = guard_recursion(vm, a, |vm| {
                out.push('[');
                let items = l.to_vec();
                write_items(vm, out, &items)?;
                out.push(']');
                Ok(())
            })?;
            if printed.is_none() {
                out.push_str("[...]");
            }
        }
        Value::Dict(d) => {
            let printed = guard_recursion(vm, a, |vm| {
                out.push('{');
                for (i, (key, value)) in d.items().into_iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    write_repr(vm, out, &key)?;
                    out.push_str(": ");
                    write_repr(vm, out, &value)?;
                }
                out.push('}');
                Ok(())
            })?;
            if printed.is_none() {
                out.push_str("{...}");
            }
        }
        Value::Set(s) => {
            let class = if s.frozen { "frozenset" } else { "set" };
            out.push_str(&set_repr(vm, a, s, class, !s.frozen)?);
        }
        Value::Range(r) => {
            let _ = write!(out, "range({}, {}", r.start, r.stop);
            if r.step != 1 {
                let _ = write!(out, ", {}", r.step);
            }
            out.push(')');
        }
        Value::Slice(s) => {
            out.push_str("slice(");
            write_items(vm, out, &[s.start.clone(), s.stop.clone(), s.step.clone()])?;
            out.push(')');
        }
        Value::Function(f) => {
            let name = f.qualname.borrow().clone();
            let _ = write!(out, "<function {} at 0x{:x}>", text_of(&name), identity(a));
        }
        Value::Method(m) => match &m.function {
            Value::Native(n) => {
                let _ = write!(
                    out,
                    "<built-in method {} of {} object at 0x{:x}>",
                    n.name,
                    m.receiver.type_name(),
                    identity(&m.receiver)
                );
            }
            function => {
                let name = match function {
                    Value::Function(f) => text_of(&f.qualname.borrow()),
                    other => other.type_name(),
                };
                let _ = write!(out, "<bound method {name} of ");
                write_repr(vm, out, &m.receiver)?;
                out.push('>');
            }
        },
        Value::Native(n) => {
            let owner = n.qualname.rsplit('.').nth(1).unwrap_or("object");
            let _ = match n.binding {
                Binding::Method if n.name.starts_with("__") => {
                    write!(out, "<slot wrapper '{}' of '{owner}' objects>", n.name)
                }
                Binding::Method => write!(out, "<method '{}' of '{owner}' objects>", n.name),
                Binding::Getter | Binding::GetSet => {
                    write!(out, "<attribute '{}' of '{owner}' objects>", n.name)
                }
                Binding::ClassMethod => {
                    write!(out, "<method '{}' of '{owner}' objects>", n.name)
                }
                Binding::Static => write!(out, "<built-in function {}>", n.name),
            };
        }
        Value::Class(c) => {
            let _ = write!(out, "<class '{}'>", full_name(c));
        }
        Value::Module(_) => out.push_str(&crate::builtin::function::shown_module(vm, a)?),
        Value::Generator(g) => {
            let class = a.type_name();
            let name = g.qualname.borrow().clone();
            let _ = write!(
                out,
                "<{class} object {} at 0x{:x}>",
                text_of(&name),
                identity(a)
            );
        }
        Value::Code(c) => {
            let _ = write!(
                out,
                "<code object {} at 0x{:x}, file \"{}\", line {}>",
                c.code.name,
                identity(a),
                c.code.filename,
                c.code.first_line
            );
        }
        Value::Cell(cell) => {
            let content = match &*cell.value.borrow() {
                Some(v) => format!("{} object at 0x{:x}", v.type_name(), identity(v)),
                None => "empty".to_owned(),
            };
            let _ = write!(out, "<cell at 0x{:x}: {content}>", identity(a));
        }
        Value::Ellipsis => out.push_str("Ellipsis"),
        Value::NotImplemented => out.push_str("NotImplemented"),
        Value::Iter(_) | Value::Instance(_) => out.push_str(&default_repr(a)),
    }
    Ok(())
}

fn text_of(v: &Value) -> String {
    v.as_str().unwrap_or("?").to_owned()
}

/// `repr` of a set, a frozenset or an instance of a subclass.
pub(crate) fn set_repr(
    vm: &mut dyn Vm,
    object: &Value,
    set: &crate::PySet,
    class: &str,
    bare: bool,
) -> PyResult<String> {
    if set.is_empty() {
        return Ok(format!("{class}()"));
    }
    let printed = guard_recursion(vm, object, |vm| {
        let mut out = String::from("{");
        write_items(vm, &mut out, &set.items())?;
        out.push('}');
        Ok(out)
    })?;
    Ok(match printed {
        Some(text) if bare => text,
        Some(text) => format!("{class}({text})"),
        None => format!("{class}(...)"),
    })
}

/// `str(a)`
pub fn str(vm: &mut dyn Vm, a: &Value) -> PyResult<String> {
    match a {
        Value::Str(s) => Ok(s.as_str().to_owned()),
        Value::Instance(_) => {
            let result = str_value(vm, a)?;
            Ok(result.as_str().unwrap_or_default().to_owned())
        }
        _ => repr(vm, a),
    }
}

/// `str(a)` as a value: a string is itself.
pub fn str_value(vm: &mut dyn Vm, a: &Value) -> PyResult {
    match a {
        Value::Str(_) => Ok(a.clone()),
        Value::Int(i) => Ok(Value::str(itoa::Buffer::new().format(*i))),
        Value::Instance(_) => {
            let Some(method) = special(a, name!("__str__")) else {
                return Ok(Value::from(repr(vm, a)?));
            };
            let result = call_special(vm, &method, a, &[])?;
            if result.as_str().is_none() {
                return Err(Raised::type_error(format!(
                    "__str__ returned non-string (type {})",
                    result.type_name()
                )));
            }
            Ok(result)
        }
        _ => Ok(Value::from(repr(vm, a)?)),
    }
}

/// `ascii(a)`
pub fn ascii(vm: &mut dyn Vm, a: &Value) -> PyResult<String> {
    let text = repr(vm, a)?;
    if text.is_ascii() {
        return Ok(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push_escaped(&mut out, c, char::is_ascii(&c));
    }
    Ok(out)
}

/// Pushes a character, or its escape.
fn push_escaped(out: &mut String, c: char, plain: bool) {
    let code = surrogate::code_of(c);
    let _ = match code {
        _ if plain => {
            out.push(c);
            Ok(())
        }
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// The error for a text with characters in whose place surrogates are kept.
pub fn refused() -> Raised {
    Raised::new(ExcKind::NotImplementedError, surrogate::REFUSED)
}

/// A text that was decoded, unless it is refused.
pub fn decoded(text: String) -> PyResult<String> {
    match surrogate::has_surrogates(&text) {
        false => Ok(text),
        true => Err(refused()),
    }
}

/// Raises where a text has surrogates, which UTF-8 cannot hold.
pub fn check_utf8(text: &str) -> PyResult<()> {
    if !surrogate::has_surrogates(text) {
        return Ok(());
    }
    let is_surrogate = |c: &char| surrogate::is_surrogate(*c);
    let at = text.chars().take_while(|c| !is_surrogate(c)).count();
    let count = text.chars().skip(at).take_while(is_surrogate).count();
    Err(Raised::unicode_error(
        ExcKind::UnicodeEncodeError,
        "utf-8",
        Value::str(text),
        at..at + count,
        "surrogates not allowed",
    ))
}

/// Text for a stream that cannot fail: surrogates are escaped.
pub fn without_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_escaped(&mut out, c, !surrogate::is_surrogate(c));
    }
    out
}

/// The escape of a character.
pub(crate) fn escaped(c: char) -> String {
    let mut out = String::new();
    push_escaped(&mut out, c, false);
    out
}

/// Which quote `repr` uses.
fn quote_for(single: bool, double: bool) -> char {
    if single && !double { '"' } else { '\'' }
}

/// `repr` of a string.
pub fn str_repr(s: &str) -> String {
    let quote = quote_for(s.contains('\''), s.contains('"'));
    let mut out = String::with_capacity(s.len() + 2);
    out.push(quote);
    for c in s.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c => push_escaped(&mut out, c, unicode::is_printable(c)),
        }
    }
    out.push(quote);
    out
}

/// `repr` of bytes.
pub fn bytes_repr(bytes: &[u8]) -> String {
    let quote = quote_for(bytes.contains(&b'\''), bytes.contains(&b'"'));
    let mut out = String::with_capacity(bytes.len() + 3);
    out.push('b');
    out.push(quote);
    for &byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b if char::from(b) == quote => {
                out.push('\\');
                out.push(quote);
            }
            0x20..=0x7e => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push(quote);
    out
}
