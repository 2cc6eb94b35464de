//! Tracebacks as CPython 3.11 prints them.
//!
//! In: an exception with its traceback, cause and context. Out: text. Always: nothing here raises:
//! what cannot be shown is replaced as CPython replaces it.

use std::fmt::Write as _;
use std::rc::Rc;

use janus_bytecode::Span;
use janus_object::{
    Args, ExcKind, Instance, Name, PyRef, TracebackEntry, Value, attr, class_of, name, text, types,
};

use crate::Interp;
use crate::anchors::anchors;
use crate::suggest::closest;

/// Equal entries shown in a row before the rest is counted.
const REPEATED: usize = 3;
/// Entries shown at most; the outermost ones are left out.
const LIMIT: usize = 1000;

const CAUSE: &str = "\nThe above exception was the direct cause of the following exception:\n\n";
const CONTEXT: &str = "\nDuring handling of the above exception, another exception occurred:\n\n";

impl Interp {
    /// The text that an uncaught exception prints: its chain of causes, tracebacks, messages.
    pub fn format_exception(&mut self, exception: &PyRef<Instance>) -> String {
        let mut out = String::new();
        let chain = chain(exception);
        let group = types().exception(ExcKind::BaseExceptionGroup);
        if chain.iter().any(|(e, _)| e.class().is_subclass_of(group))
            && let Ok(text) = self.format_groups(exception)
        {
            return text;
        }
        for (exception, join) in chain {
            out.push_str(join);
            if let Some(data) = exception.exception() {
                let entries = data.traceback.borrow().clone();
                if !entries.is_empty() {
                    out.push_str("Traceback (most recent call last):\n");
                    self.format_entries(&entries, &mut out);
                }
            }
            out.push_str(&self.format_exception_only(&exception));
        }
        out
    }

    /// The text where groups of exceptions are in the chain: the module `traceback` knows how these look.
    fn format_groups(&mut self, exception: &PyRef<Instance>) -> janus_object::PyResult<String> {
        let module = self.import_module("traceback")?;
        let format = attr::get(self, &module, name!("format_exception"))?;
        let lines = self.call_value(&format, Args::new(&[Value::Instance(exception.clone())]))?;
        let lines = self.collect(&lines)?;
        Ok(lines.iter().filter_map(Value::as_str).collect())
    }

    /// The lines of a traceback without its heading, as `traceback.format_tb`.
    pub fn format_traceback(&mut self, entries: &[TracebackEntry]) -> String {
        let mut out = String::new();
        self.format_entries(entries, &mut out);
        out
    }

    fn format_entries(&mut self, entries: &[TracebackEntry], out: &mut String) {
        let shown = entries
            .get(entries.len().saturating_sub(LIMIT)..)
            .unwrap_or_default();
        let mut repeats = 0;
        let mut last: Option<(&TracebackEntry, u32)> = None;
        for entry in shown {
            let span = span_of(entry);
            let same = last.is_some_and(|(e, line)| {
                line == span.line
                    && e.code.code.filename == entry.code.code.filename
                    && e.code.code.name == entry.code.code.name
            });
            if !same {
                write_repeats(repeats, out);
                repeats = 0;
                last = Some((entry, span.line));
            }
            repeats += 1;
            if repeats <= REPEATED {
                self.format_entry(entry, span, out);
            }
        }
        write_repeats(repeats, out);
    }

    fn format_entry(&mut self, entry: &TracebackEntry, span: Span, out: &mut String) {
        let code = &entry.code.code;
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "  File \"{}\", line {}, in {}",
            code.filename, span.line, code.name
        );
        if let Some(line) = self.source_line(&code.filename, span.line) {
            write_source(&line, span, out);
        }
    }

    /// A line of a source file, if it can be had.
    pub fn source_line(&mut self, filename: &Rc<str>, line: u32) -> Option<String> {
        if !self.sources.contains_key(filename) {
            // `<string>` and embedded modules have no file.
            let text = if filename.starts_with('<') {
                None
            } else {
                std::fs::read(&**filename).ok()
            };
            let text = text
                .and_then(|t| crate::source::decode(self, t, filename).ok())
                .unwrap_or_default();
            self.sources.insert(filename.clone(), text.into());
        }
        let source = self.sources.get(filename)?;
        let index = (line as usize).checked_sub(1)?;
        source.lines().nth(index).map(str::to_owned)
    }

    /// The last lines: class, message and notes; for a SyntaxError the place in the source.
    pub fn format_exception_only(&mut self, exception: &PyRef<Instance>) -> String {
        let [place, last, notes] = self.format_exception_parts(exception);
        place + &last + &notes
    }

    /// The place in the source of a SyntaxError, class with message, and notes: the parts of
    /// [`Self::format_exception_only`].
    pub fn format_exception_parts(&mut self, exception: &PyRef<Instance>) -> [String; 3] {
        let value = Value::Instance(exception.clone());
        let name = class_name(&value);
        let mut place = String::new();
        let mut out = String::new();
        let message = match self.syntax_error_place(&value, &mut place) {
            Some(message) => message,
            None => match text::str(self, &value) {
                Ok(message) => message.to_string(),
                Err(_) => "<exception str() failed>".to_owned(),
            },
        };
        out.push_str(&name);
        if !message.is_empty() {
            out.push_str(": ");
            out.push_str(&message);
        }
        if let Some(suggestion) = self.suggestion(exception) {
            let _ = write!(out, ". Did you mean: '{suggestion}'?");
        }
        out.push('\n');
        let mut notes = String::new();
        self.format_notes(&value, &mut notes);
        [place, out, notes]
    }

    /// The name that a NameError or AttributeError may have meant.
    fn suggestion(&mut self, exception: &PyRef<Instance>) -> Option<String> {
        let data = exception.exception()?;
        let wrong = data.member("name")?;
        let wrong = wrong.as_str()?;
        let mut candidates: Vec<String> = Vec::new();
        if Self::is_kind(exception, ExcKind::NameError) {
            if let Some(entry) = data.traceback.borrow().last() {
                let locals = entry.code.code.visible_locals();
                candidates.extend(locals.map(|(_, name)| name.to_string()));
            }
            let near = closest(wrong, candidates.iter().map(String::as_str));
            if near.is_some() {
                return near.map(str::to_owned);
            }
            let globals = data.member("<globals>");
            for namespace in [
                globals.as_ref().and_then(Value::as_dict),
                Some(&self.builtins),
            ] {
                let keys = namespace.map(|n| n.keys()).unwrap_or_default();
                let near = closest(wrong, keys.iter().filter_map(Value::as_str));
                if near.is_some() {
                    return near.map(str::to_owned);
                }
            }
            return None;
        }
        if Self::is_kind(exception, ExcKind::AttributeError) {
            let object = data.member("obj")?;
            let dir = self.builtins.get_str("dir")?;
            let names = self.call_value(&dir, Args::new(&[object])).ok()?;
            let names = self.collect(&names).ok()?;
            return closest(wrong, names.iter().filter_map(Value::as_str)).map(str::to_owned);
        }
        None
    }

    fn format_notes(&mut self, value: &Value, out: &mut String) {
        let Ok(Some(notes)) = attr::get_opt(self, value, &Name::new("__notes__")) else {
            return;
        };
        match &notes {
            Value::List(_) | Value::Tuple(_) => {
                for note in self.collect(&notes).unwrap_or_default() {
                    let text = match &note {
                        Value::Str(s) => s.as_str().to_owned(),
                        other => text::str(self, other)
                            .map(|s| s.to_string())
                            .unwrap_or_else(|_| "<note str() failed>".to_owned()),
                    };
                    for line in text.split('\n') {
                        out.push_str(line);
                        out.push('\n');
                    }
                }
            }
            other => {
                let text = text::repr(self, other).map(|s| s.to_string());
                out.push_str(&text.unwrap_or_else(|_| "<__notes__ repr() failed>".to_owned()));
                out.push('\n');
            }
        }
    }

    /// For a SyntaxError with a place: writes file and source line, and gives the message.
    fn syntax_error_place(&mut self, value: &Value, out: &mut String) -> Option<String> {
        if !class_of(value).is_subclass_of(types().exception(ExcKind::SyntaxError)) {
            return None;
        }
        let mut field = |name: &str| -> Option<Value> {
            attr::get_opt(self, value, &Name::new(name)).ok().flatten()
        };
        let (Some(message), Some(Value::Int(line))) = (field("msg"), field("lineno")) else {
            return None;
        };
        let filename = match field("filename") {
            Some(Value::Str(s)) => s.as_str().to_owned(),
            _ => "<string>".to_owned(),
        };
        let (source, offset, end_offset, end_line) = (
            field("text"),
            field("offset"),
            field("end_offset"),
            field("end_lineno"),
        );
        let _ = writeln!(out, "  File \"{filename}\", line {line}");
        if let Some(Value::Str(source)) = source {
            let end_line = match end_line {
                Some(Value::Int(end)) => end,
                _ => line,
            };
            let int = |v: Option<Value>| match v {
                Some(Value::Int(i)) => Some(i),
                _ => None,
            };
            write_syntax_line(&source, int(offset), int(end_offset), end_line > line, out);
        }
        Some(self.safe_str(&message))
    }
}

/// The exceptions to print, outermost cause first, each with the line that joins it to the one
/// before.
fn chain(last: &PyRef<Instance>) -> Vec<(PyRef<Instance>, &'static str)> {
    let mut chain = vec![(last.clone(), "")];
    let mut current = last.clone();
    while let Some(data) = current.exception() {
        let cause = match &*data.cause.borrow() {
            Some(Value::Instance(cause)) => Some(cause.clone()),
            _ => None,
        };
        let context = if data.suppress_context.get() {
            None
        } else {
            data.context.borrow().clone()
        };
        let (next, join) = match (cause, context) {
            (Some(cause), _) => (cause, CAUSE),
            (None, Some(context)) => (context, CONTEXT),
            (None, None) => break,
        };
        if chain.iter().any(|(seen, _)| PyRef::ptr_eq(seen, &next)) {
            break;
        }
        // The line stands before the exception that came after.
        if let Some((_, before)) = chain.last_mut() {
            *before = join;
        }
        chain.push((next.clone(), ""));
        current = next;
    }
    chain.reverse();
    chain
}

/// Where an entry's instruction comes from.
fn span_of(entry: &TracebackEntry) -> Span {
    let code = &entry.code.code;
    code.spans.get(entry.pc as usize).copied().unwrap_or(Span {
        line: code.first_line,
        end_line: code.first_line,
        col: 0,
        end_col: 0,
    })
}

fn write_repeats(count: usize, out: &mut String) {
    if let Some(more) = count.checked_sub(REPEATED)
        && more > 0
    {
        let plural = if more > 1 { "s" } else { "" };
        let _ = writeln!(out, "  [Previous line repeated {more} more time{plural}]");
    }
}

/// The qualified name of an exception's class, as its last line shows it.
fn class_name(value: &Value) -> String {
    let class = class_of(value);
    let qualname = class.qualname.borrow().to_string();
    let module = class.dict.borrow().get(name!("__module__")).cloned();
    match module.as_ref().and_then(Value::as_str) {
        Some("builtins" | "__main__") | None => qualname,
        Some(module) => format!("{module}.{qualname}"),
    }
}

/// A source line and the carets under a part of it, as a traceback shows them.
pub fn marked_source(line: &str, span: Span) -> String {
    let mut out = String::new();
    write_source(line, span, &mut out);
    out
}

/// Writes a source line and the carets under the span.
fn write_source(line: &str, span: Span, out: &mut String) {
    let chars: Vec<char> = line.chars().collect();
    let indent = chars
        .iter()
        .take_while(|c| matches!(c, ' ' | '\t' | '\x0c'))
        .count();
    let shown: String = chars.get(indent..).unwrap_or_default().iter().collect();
    let _ = writeln!(out, "    {}", shown.trim_end());
    if span.end_line == span.line && span.end_col <= span.col {
        // No place is known.
        return;
    }
    let characters = |bytes: u32| {
        line.get(..bytes as usize)
            .map_or(chars.len(), |before| before.chars().count())
    };
    let start = characters(span.col);
    let (end, range) = if span.end_line == span.line {
        let end = characters(span.end_col);
        (end, anchors(chars.get(start..end).unwrap_or_default()))
    } else {
        (line.trim_end().chars().count(), None)
    };
    if range.is_none() && end.saturating_sub(start) == chars.len() - indent {
        // The whole line is meant.
        return;
    }
    out.push_str("    ");
    for at in indent..end {
        out.push(match range {
            _ if at < start => ' ',
            Some(r) if at < start + r.start || at >= start + r.end => '~',
            _ => '^',
        });
    }
    out.push('\n');
}

/// Writes the source line of a SyntaxError and carets under the columns, which count from 1.
fn write_syntax_line(
    source: &str,
    offset: Option<i64>,
    end_offset: Option<i64>,
    ends_later: bool,
    out: &mut String,
) {
    let line = source.trim_end_matches('\n');
    let stripped = line.trim_start_matches([' ', '\n', '\x0c', '\t']);
    let spaces = (line.chars().count() - stripped.chars().count()) as i64;
    let _ = writeln!(out, "    {}", stripped.trim_end());
    let Some(offset) = offset.filter(|o| *o > 0) else {
        return;
    };
    let mut end = match end_offset {
        _ if ends_later => line.chars().count() as i64 + 1,
        None | Some(0) => offset,
        Some(end) => end,
    };
    if end <= offset {
        end = offset + 1;
    }
    let start = offset - 1 - spaces;
    if start < 0 {
        return;
    }
    let blank: String = stripped
        .chars()
        .chain(std::iter::repeat(' '))
        .take(start as usize)
        .map(|c| if c.is_whitespace() { c } else { ' ' })
        .collect();
    let _ = writeln!(out, "    {blank}{}", "^".repeat((end - offset) as usize));
}
