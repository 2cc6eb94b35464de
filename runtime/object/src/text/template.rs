//! `str.format`.
//!
//! In: a format string and arguments. Out: the text, or the segments of the format for one who makes
//! the text at another time. Always: automatic and manual numbering do not mix; nested fields are
//! allowed one level deep, inside a spec; what stands before an error in a format is evaluated.

use crate::{Args, Name, PyResult, Raised, Value, Vm, attr, ops};

/// How deep formats may be nested: a spec may have fields, and their specs none.
pub const MAX_DEPTH: usize = 2;

/// A part of a format string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment<'a> {
    /// As it stands.
    Text(&'a str),
    /// `{path!conversion:spec}`
    Field {
        /// Which argument, and what of it.
        path: &'a str,
        /// The letter after `!`.
        conversion: Option<char>,
        /// A format string of its own.
        spec: &'a str,
    },
}

/// The segments of a format string in order; it ends with the first error.
#[derive(Debug)]
pub struct Segments<'a> {
    rest: &'a str,
}

impl<'a> Segments<'a> {
    /// Of `format`.
    pub fn of(format: &'a str) -> Self {
        Self { rest: format }
    }

    fn after_text(&mut self) -> PyResult<Segment<'a>> {
        let (brace, after) = self.rest.split_at(1);
        if after.starts_with(brace) {
            self.rest = &after[1..];
            return Ok(Segment::Text(brace));
        }
        if brace == "}" {
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
        self.rest = &after[end + 1..];
        let (path, conversion, spec) = split_field(&after[..end])?;
        Ok(Segment::Field {
            path,
            conversion,
            spec,
        })
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = PyResult<Segment<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rest.find(['{', '}']) {
            _ if self.rest.is_empty() => None,
            Some(0) => {
                let segment = self.after_text();
                if segment.is_err() {
                    self.rest = "";
                }
                Some(segment)
            }
            end => {
                let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                self.rest = rest;
                Some(Ok(Segment::Text(text)))
            }
        }
    }
}

/// Which argument a field shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// By its place.
    Position(usize),
    /// By its keyword.
    Keyword(&'a str),
}

/// Where the numbering of a format's fields stands.
#[derive(Debug, Default)]
pub enum Numbering {
    /// No field yet that says.
    #[default]
    Unknown,
    /// `{}`, with the next place.
    Automatic(usize),
    /// `{0}`
    Manual,
}

impl Numbering {
    /// The argument that `first`, the beginning of a path, names.
    ///
    /// # Errors
    /// A `ValueError` if `{}` and `{0}` are mixed.
    pub fn argument<'a>(&mut self, first: &'a str) -> PyResult<Argument<'a>> {
        if first.is_empty() {
            let place = match self {
                Self::Manual => {
                    return Err(Raised::value_error(
                        "cannot switch from manual field specification to automatic field \
                         numbering",
                    ));
                }
                Self::Automatic(next) => *next,
                Self::Unknown => 0,
            };
            *self = Self::Automatic(place + 1);
            return Ok(Argument::Position(place));
        }
        if !first.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(Argument::Keyword(first));
        }
        if matches!(self, Self::Automatic(_)) {
            return Err(Raised::value_error(
                "cannot switch from automatic field numbering to manual field specification",
            ));
        }
        *self = Self::Manual;
        Ok(Argument::Position(first.parse().unwrap_or(usize::MAX)))
    }
}

/// What is taken of a field's argument.
#[derive(Debug, Clone)]
pub enum Access {
    /// `.name`
    Attribute(Name),
    /// `[key]`: an int if it is digits, else text.
    Item(Value),
}

/// The beginning of a field's path, and what is taken of the argument that it names.
pub fn split_path(path: &str) -> (&str, Accesses<'_>) {
    let (first, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
    (first, Accesses { rest })
}

/// What is taken of a field's argument, in order; nothing is to be asked for after an error.
#[derive(Debug)]
pub struct Accesses<'a> {
    rest: &'a str,
}

impl Accesses<'_> {
    fn access(&mut self) -> PyResult<Access> {
        if let Some(after) = self.rest.strip_prefix('.') {
            let (name, rest) = after.split_at(after.find(['.', '[']).unwrap_or(after.len()));
            if name.is_empty() {
                return Err(Raised::value_error("Empty attribute in format string"));
            }
            self.rest = rest;
            return Ok(Access::Attribute(Name::new(name)));
        }
        let Some(after) = self.rest.strip_prefix('[') else {
            return Err(Raised::value_error(
                "Only '.' or '[' may follow ']' in format field specifier",
            ));
        };
        let Some(end) = after.find(']') else {
            return Err(Raised::value_error("Missing ']' in format string"));
        };
        let key = &after[..end];
        if key.is_empty() {
            return Err(Raised::value_error("Empty attribute in format string"));
        }
        self.rest = &after[end + 1..];
        Ok(Access::Item(match key.parse::<i64>() {
            Ok(index) if key.bytes().all(|b| b.is_ascii_digit()) => Value::Int(index),
            _ => Value::str(key),
        }))
    }
}

impl Iterator for Accesses<'_> {
    type Item = PyResult<Access>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.rest.is_empty()).then(|| self.access())
    }
}

/// `format.format(*args)`
pub fn str_format(vm: &mut dyn Vm, format: &str, args: Args<'_>) -> PyResult<String> {
    Formatter {
        args,
        numbering: Numbering::default(),
        mapping: None,
    }
    .run(vm, format, MAX_DEPTH)
}

/// `format.format_map(mapping)`
pub(crate) fn str_format_map(vm: &mut dyn Vm, format: &str, mapping: &Value) -> PyResult<String> {
    let args = Args { pos: &[], kw: &[] };
    Formatter {
        args,
        numbering: Numbering::default(),
        mapping: Some(mapping),
    }
    .run(vm, format, MAX_DEPTH)
}

struct Formatter<'a> {
    args: Args<'a>,
    numbering: Numbering,
    /// `format_map`: where names are looked up instead of in the keywords.
    mapping: Option<&'a Value>,
}

impl Formatter<'_> {
    fn run(&mut self, vm: &mut dyn Vm, format: &str, depth: usize) -> PyResult<String> {
        if depth == 0 {
            return Err(Raised::value_error("Max string recursion exceeded"));
        }
        let mut out = String::with_capacity(format.len() + 16);
        for segment in Segments::of(format) {
            match segment? {
                Segment::Text(text) => out.push_str(text),
                Segment::Field {
                    path,
                    conversion,
                    spec,
                } => {
                    let value = self.value(vm, path)?;
                    let value = converted(vm, value, conversion)?;
                    let spec = if spec.contains(['{', '}']) {
                        self.run(vm, spec, depth - 1)?
                    } else {
                        spec.to_owned()
                    };
                    out.push_str(&super::format(vm, &value, &spec)?);
                }
            }
        }
        Ok(out)
    }

    fn value(&mut self, vm: &mut dyn Vm, path: &str) -> PyResult {
        let (first, accesses) = split_path(path);
        let mut value = self.first(vm, first)?;
        for access in accesses {
            value = match access? {
                Access::Attribute(name) => attr::get(vm, &value, &name)?,
                Access::Item(key) => ops::get_item(vm, &value, &key)?,
            };
        }
        Ok(value)
    }

    fn first(&mut self, vm: &mut dyn Vm, first: &str) -> PyResult {
        match (self.numbering.argument(first)?, self.mapping) {
            (Argument::Keyword(name), Some(mapping)) => {
                ops::get_item(vm, mapping, &Value::str(name))
            }
            (Argument::Keyword(name), None) => match self.args.keyword(name) {
                Some(value) => Ok(value.clone()),
                None => Err(Raised::key_error(Value::str(name))),
            },
            (Argument::Position(_), Some(_)) => Err(Raised::value_error(
                "Format string contains positional fields",
            )),
            (Argument::Position(place), None) => match self.args.pos.get(place) {
                Some(value) => Ok(value.clone()),
                None => Err(Raised::index_error(format!(
                    "Replacement index {place} out of range for positional args tuple"
                ))),
            },
        }
    }
}

fn converted(vm: &mut dyn Vm, value: Value, conversion: Option<char>) -> PyResult {
    match conversion {
        None => Ok(value),
        Some('s') => super::str_value(vm, &value),
        Some('r') => Ok(Value::from(super::repr(vm, &value)?)),
        Some('a') => Ok(Value::from(super::ascii(vm, &value)?)),
        Some(other) => Err(Raised::value_error(format!(
            "Unknown conversion specifier {other}"
        ))),
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
