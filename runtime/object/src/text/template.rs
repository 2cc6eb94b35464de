//! `str.format`.
//!
//! In: a format string and arguments. Out: the text. Always: automatic and manual numbering do
//! not mix; nested fields are allowed one level deep, inside a spec.

use crate::{Args, Name, PyResult, Raised, Value, Vm, attr, ops};

/// Where automatic numbering stands.
enum Numbering {
    Unknown,
    Automatic(usize),
    Manual,
}

struct Formatter<'a> {
    args: Args<'a>,
    numbering: Numbering,
    /// `format_map`: where names are looked up instead of in the keywords.
    mapping: Option<&'a Value>,
}

/// `format.format(*args)`
pub fn str_format(vm: &mut dyn Vm, format: &str, args: Args<'_>) -> PyResult<String> {
    Formatter {
        args,
        numbering: Numbering::Unknown,
        mapping: None,
    }
    .run(vm, format, 2)
}

/// `format.format_map(mapping)`
pub(crate) fn str_format_map(vm: &mut dyn Vm, format: &str, mapping: &Value) -> PyResult<String> {
    let args = Args { pos: &[], kw: &[] };
    Formatter {
        args,
        numbering: Numbering::Unknown,
        mapping: Some(mapping),
    }
    .run(vm, format, 2)
}

impl Formatter<'_> {
    fn run(&mut self, vm: &mut dyn Vm, format: &str, depth: usize) -> PyResult<String> {
        if depth == 0 {
            return Err(Raised::value_error("Max string recursion exceeded"));
        }
        let mut out = String::with_capacity(format.len() + 16);
        let mut rest = format;
        while let Some(at) = rest.find(['{', '}']) {
            out.push_str(&rest[..at]);
            let brace = rest.as_bytes().get(at).copied().unwrap_or(b'{');
            let after = &rest[at + 1..];
            if after.as_bytes().first() == Some(&brace) {
                out.push(char::from(brace));
                rest = &after[1..];
                continue;
            }
            if brace == b'}' {
                return Err(Raised::value_error(
                    "Single '}' encountered in format string",
                ));
            }
            if after.is_empty() {
                return Err(Raised::value_error(
                    "Single '{' encountered in format string",
                ));
            }
            let Some(end) = field_end(after) else {
                return Err(Raised::value_error("expected '}' before end of string"));
            };
            self.field(vm, &after[..end], depth, &mut out)?;
            rest = &after[end + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    fn field(
        &mut self,
        vm: &mut dyn Vm,
        field: &str,
        depth: usize,
        out: &mut String,
    ) -> PyResult<()> {
        let (path, conversion, spec) = split_field(field)?;
        let value = self.value(vm, path)?;
        let value = match conversion {
            None => value,
            Some('s') => super::str_value(vm, &value)?,
            Some('r') => Value::from(super::repr(vm, &value)?),
            Some('a') => Value::from(super::ascii(vm, &value)?),
            Some(other) => {
                return Err(Raised::value_error(format!(
                    "Unknown conversion specifier {other}"
                )));
            }
        };
        let spec = if spec.contains(['{', '}']) {
            self.run(vm, spec, depth - 1)?
        } else {
            spec.to_owned()
        };
        out.push_str(&super::format(vm, &value, &spec)?);
        Ok(())
    }

    fn value(&mut self, vm: &mut dyn Vm, path: &str) -> PyResult {
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (first, mut rest) = path.split_at(end);
        let mut value = self.first(vm, first)?;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                let (attribute, tail) = after.split_at(end);
                if attribute.is_empty() {
                    return Err(Raised::value_error("Empty attribute in format string"));
                }
                value = attr::get(vm, &value, &Name::new(attribute))?;
                rest = tail;
            } else if let Some(after) = rest.strip_prefix('[') {
                let Some(end) = after.find(']') else {
                    return Err(Raised::value_error("Missing ']' in format string"));
                };
                let key = &after[..end];
                if key.is_empty() {
                    return Err(Raised::value_error("Empty attribute in format string"));
                }
                let key = match key.parse::<i64>() {
                    Ok(index) if key.bytes().all(|b| b.is_ascii_digit()) => Value::Int(index),
                    _ => Value::str(key),
                };
                value = ops::get_item(vm, &value, &key)?;
                rest = &after[end + 1..];
            } else {
                return Err(Raised::value_error(
                    "Only '.' or '[' may follow ']' in format field specifier",
                ));
            }
        }
        Ok(value)
    }

    fn first(&mut self, vm: &mut dyn Vm, first: &str) -> PyResult {
        let manual = !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit());
        let index = if first.is_empty() {
            match &mut self.numbering {
                Numbering::Manual => {
                    return Err(Raised::value_error(
                        "cannot switch from manual field specification to automatic field \
                         numbering",
                    ));
                }
                Numbering::Automatic(next) => {
                    *next += 1;
                    *next - 1
                }
                unknown => {
                    *unknown = Numbering::Automatic(1);
                    0
                }
            }
        } else if manual {
            if matches!(self.numbering, Numbering::Automatic(_)) {
                return Err(Raised::value_error(
                    "cannot switch from automatic field numbering to manual field specification",
                ));
            }
            self.numbering = Numbering::Manual;
            first.parse().unwrap_or(usize::MAX)
        } else {
            if let Some(mapping) = self.mapping {
                return ops::get_item(vm, mapping, &Value::str(first));
            }
            return match self.args.keyword(first) {
                Some(value) => Ok(value.clone()),
                None => Err(Raised::key_error(Value::str(first))),
            };
        };
        if self.mapping.is_some() {
            return Err(Raised::value_error(
                "Format string contains positional fields",
            ));
        }
        self.args.pos.get(index).cloned().ok_or_else(|| {
            Raised::index_error(format!(
                "Replacement index {index} out of range for positional args tuple"
            ))
        })
    }
}

/// Offset of the brace that closes a field.
fn field_end(text: &str) -> Option<usize> {
    let mut depth = 1;
    let mut in_key = false;
    for (i, c) in text.char_indices() {
        match c {
            '[' if depth == 1 => in_key = true,
            ']' => in_key = false,
            '{' if !in_key => depth += 1,
            '}' if !in_key => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Path, conversion and spec of a field.
fn split_field(field: &str) -> PyResult<(&str, Option<char>, &str)> {
    let mut in_key = false;
    for (i, c) in field.char_indices() {
        match c {
            '[' => in_key = true,
            ']' => in_key = false,
            ':' if !in_key => return Ok((&field[..i], None, &field[i + 1..])),
            '{' if !in_key => {
                return Err(Raised::value_error("unexpected '{' in field name"));
            }
            '!' if !in_key => {
                let mut after = field[i + 1..].chars();
                let Some(conversion) = after.next() else {
                    return Err(Raised::value_error("unmatched '{' in format spec"));
                };
                let rest = after.as_str();
                return match rest.strip_prefix(':') {
                    Some(spec) => Ok((&field[..i], Some(conversion), spec)),
                    None if rest.is_empty() => Ok((&field[..i], Some(conversion), "")),
                    None => Err(Raised::value_error(
                        "expected ':' after conversion specifier",
                    )),
                };
            }
            _ => {}
        }
    }
    Ok((field, None, ""))
}
