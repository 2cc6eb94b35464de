//! `re.Pattern`.
//!
//! In: translated patterns and texts. Out: matches, lists of them, replaced and split texts.
//! Always: after an empty match the search goes on one character further, after any other at its
//! end, as Python's does.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use fancy_regex::{Regex, RegexBuilder, RegexInput};
use janus_object::{
    Args, Foreign, NativeDef, NativeIterator, PyDict, PyIter, PyRef, PyResult, PyStr, Raised,
    Signature, Value, Vm, ops, text,
};

use super::flags;
use super::matching::{Match, Template};
use super::translate::{self, Failure, Syntax, Translated};
use crate::support::{int, type_name};

/// How a match must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    /// Anywhere: `search`.
    None,
    /// At the start: `match`.
    Start,
    /// From start to end: `fullmatch`.
    Both,
}

/// A compiled pattern.
pub(super) struct Pattern {
    translated: Translated,
    /// Engines made when first needed, by whether a match must reach the text's end, and whether the text ends with a line
    /// feed.
    engines: [OnceCell<Option<Rc<Regex>>>; 4],
    /// The pattern as it was given.
    pub source: Value,
    /// Whether it is for bytes, whose values are then code points of the text.
    pub is_bytes: bool,
}

impl Foreign for Pattern {}

/// A text being searched: bytes as the code points with their values.
#[derive(Clone)]
pub(super) struct Subject {
    /// What the script passed.
    pub value: Value,
    /// Its text.
    pub text: PyRef<PyStr>,
    /// Whether it was bytes.
    pub is_bytes: bool,
}

impl Subject {
    /// A piece in the form the script passed it.
    pub fn piece(&self, range: Range<usize>) -> Value {
        let piece = self.text.get(range).unwrap_or("");
        if self.is_bytes {
            return Value::bytes(piece.chars().map(|c| c as u8).collect::<Vec<_>>());
        }
        Value::str(piece)
    }

    /// Byte offset as a count of code points.
    pub fn position(&self, offset: usize) -> usize {
        if self.text.is_ascii() {
            return offset;
        }
        self.text
            .get(..offset)
            .map_or(offset, |s| s.chars().count())
    }
}

/// The groups of one match as byte ranges; the whole match is group 0.
pub(super) type Groups = Vec<Option<Range<usize>>>;

/// Steps back after which a search is given up, with an error. CPython has no limit and searches on.
const BACKTRACK_LIMIT: usize = 200_000_000;

fn compiled(pattern: &str) -> fancy_regex::Result<Regex> {
    RegexBuilder::new(pattern)
        .backtrack_limit(BACKTRACK_LIMIT)
        .build()
}

impl Pattern {
    /// Compiles a pattern.
    pub fn new(
        pattern: &str,
        is_bytes: bool,
        flags: i64,
        syntax: Syntax,
        source: Value,
    ) -> Result<Self, Failure> {
        let translated = translate::translate(pattern, flags, is_bytes, syntax)?;
        let made = Pattern {
            translated,
            engines: Default::default(),
            source,
            is_bytes,
        };
        match compiled(&made.translated.plain) {
            Ok(engine) => {
                // The cell is fresh.
                let _ = made.engines[Self::slot(false, false)].set(Some(Rc::new(engine)));
                Ok(made)
            }
            Err(error) => Err(Failure::Unsupported(error.to_string())),
        }
    }

    fn slot(whole: bool, newline: bool) -> usize {
        usize::from(whole) * 2 + usize::from(newline)
    }

    fn engine(&self, whole: bool, newline: bool) -> PyResult<Rc<Regex>> {
        // Without `$` both forms are one.
        let newline = newline && self.translated.plain != self.translated.before_newline;
        let made = self.engines[Self::slot(whole, newline)].get_or_init(|| {
            let body = if newline {
                &self.translated.before_newline
            } else {
                &self.translated.plain
            };
            let engine = if whole {
                compiled(&format!(r"(?:{body})\z"))
            } else {
                compiled(body)
            };
            engine.ok().map(Rc::new)
        });
        made.clone()
            .ok_or_else(|| Raised::system_error("the regular expression does not compile anchored"))
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.translated.groups
    }

    /// Names of groups with their numbers.
    pub fn names(&self) -> &[(String, usize)] {
        &self.translated.names
    }

    fn find(
        &self,
        anchor: Anchor,
        subject: &Subject,
        from: usize,
        to: usize,
    ) -> PyResult<Option<Groups>> {
        let Some(text) = subject.text.get(..to) else {
            return Ok(None);
        };
        let engine = self.engine(anchor == Anchor::Both, text.ends_with('\n'))?;
        // What stands before `from` is seen by what looks behind.
        let input = RegexInput::new(text)
            .from_pos(from)
            .anchored(anchor != Anchor::None);
        let found = engine.captures_input(input).map_err(|e| {
            Raised::runtime_error(format!("regular expression matching failed: {e}"))
        })?;
        Ok(found.map(|captures| {
            (0..=self.groups())
                .map(|i| captures.get(i).map(|m| m.range()))
                .collect()
        }))
    }
}

pub(super) const METHODS: &[NativeDef] = &[
    NativeDef::class_method("Pattern.__class_getitem__", janus_object::class_getitem),
    NativeDef::method("Pattern.search", |vm, args| first(vm, args, Anchor::None)),
    NativeDef::method("Pattern.match", |vm, args| first(vm, args, Anchor::Start)),
    NativeDef::method("Pattern.fullmatch", |vm, args| {
        first(vm, args, Anchor::Both)
    }),
    NativeDef::method("Pattern.findall", findall),
    NativeDef::method("Pattern.finditer", finditer),
    NativeDef::method("Pattern.split", split),
    NativeDef::method("Pattern.sub", |vm, args| Ok(substitute(vm, args, "sub")?.0)),
    NativeDef::method("Pattern.subn", |vm, args| {
        let (text, count) = substitute(vm, args, "subn")?;
        Ok(Value::tuple(vec![text, Value::from(count)]))
    }),
    NativeDef::noargs_method("Pattern.__repr__", repr),
    NativeDef::method("Pattern.__copy__", |_, args| {
        args.method::<0>("__copy__").map(|(this, _)| this.clone())
    }),
    NativeDef::method("Pattern.__deepcopy__", |_, args| {
        args.method::<1>("__deepcopy__")
            .map(|(this, _)| this.clone())
    }),
    NativeDef::method("Pattern.__eq__", equal),
    NativeDef::noargs_method("Pattern.__hash__", |vm, args| {
        let pattern = this(&args)?;
        Ok(Value::Int(
            ops::hash(vm, &pattern.source)? ^ pattern.translated.flags,
        ))
    }),
    NativeDef::getter("Pattern.pattern", |_, args| Ok(this(&args)?.source.clone())),
    NativeDef::getter("Pattern.flags", |_, args| {
        Ok(Value::Int(this(&args)?.translated.flags))
    }),
    NativeDef::getter("Pattern.groups", |_, args| {
        Ok(Value::from(this(&args)?.groups()))
    }),
    NativeDef::getter("Pattern.groupindex", |_, args| {
        let dict = PyDict::new();
        for (name, number) in this(&args)?.names() {
            dict.set_str(name, Value::from(*number));
        }
        Ok(Value::dict(dict))
    }),
];

fn this<'a>(args: &Args<'a>) -> PyResult<&'a Pattern> {
    args.pos
        .first()
        .and_then(Value::foreign::<Pattern>)
        .ok_or_else(|| Raised::type_error("a re.Pattern object is required"))
}

/// The text to search.
fn subject(pattern: &Pattern, value: &Value) -> PyResult<Subject> {
    match (value.as_pystr(), janus_object::buffer::buffer_bytes(value)) {
        (Some(text), _) if !pattern.is_bytes => Ok(Subject {
            value: value.clone(),
            text: text.clone(),
            is_bytes: false,
        }),
        (None, Some(bytes)) if pattern.is_bytes => {
            let text: String = bytes.into_iter().map(char::from).collect();
            Ok(Subject {
                value: value.clone(),
                text: PyRef::new(PyStr::new(text)),
                is_bytes: true,
            })
        }
        (Some(_), _) => Err(Raised::type_error(
            "cannot use a bytes pattern on a string-like object",
        )),
        (None, Some(_)) => Err(Raised::type_error(
            "cannot use a string pattern on a bytes-like object",
        )),
        _ => Err(Raised::type_error(format!(
            "expected string or bytes-like object, got '{}'",
            type_name(value)
        ))),
    }
}

/// `string`, `pos` and `endpos` of a method.
fn region(
    vm: &mut dyn Vm,
    args: Args<'_>,
    function: &'static str,
) -> PyResult<(Subject, usize, usize)> {
    let (_, rest) = args.split_self(function)?;
    let signature: Signature<3> = Signature::new(function, ["string", "pos", "endpos"]).required(1);
    let [string, pos, endpos] = signature.parse(rest)?;
    let subject = subject(this(&args)?, &string.unwrap_or(Value::None))?;
    let mut bound = |v: Option<Value>, default: usize| -> PyResult<usize> {
        match v {
            None => Ok(default),
            Some(v) => Ok(subject
                .text
                .byte_offset(usize::try_from(int(vm, &v)?).unwrap_or(0))),
        }
    };
    let (from, to) = (bound(pos, 0)?, bound(endpos, subject.text.len())?);
    Ok((subject, from, to))
}

fn first(vm: &mut dyn Vm, args: Args<'_>, anchor: Anchor) -> PyResult {
    let (subject, from, to) = region(vm, args, "match")?;
    if from > to {
        return Ok(Value::None);
    }
    let pattern = this(&args)?;
    match pattern.find(anchor, &subject, from, to)? {
        None => Ok(Value::None),
        Some(groups) => Ok(Match::value(args.pos[0].clone(), subject, groups, from, to)),
    }
}

/// Goes from match to match.
struct Scanner {
    subject: Subject,
    next: usize,
    end: usize,
    /// Where the last match ended, if it was empty.
    empty_at: Option<usize>,
}

impl Scanner {
    fn step(&mut self, pattern: &Pattern) -> PyResult<Option<Groups>> {
        while self.next <= self.end {
            let Some(groups) = pattern.find(Anchor::None, &self.subject, self.next, self.end)?
            else {
                break;
            };
            let Some(Some(whole)) = groups.first().cloned() else {
                break;
            };
            if whole.is_empty() && self.empty_at == Some(whole.start) {
                // The same empty match again: look one character further.
                let rest = self.subject.text.get(whole.start..).unwrap_or("");
                let Some(c) = rest.chars().next() else { break };
                self.next = whole.start + c.len_utf8();
                continue;
            }
            self.empty_at = whole.is_empty().then_some(whole.start);
            self.next = whole.end;
            return Ok(Some(groups));
        }
        self.next = usize::MAX;
        Ok(None)
    }
}

fn scanner(subject: Subject, from: usize, to: usize) -> Scanner {
    Scanner {
        subject,
        next: from,
        end: to,
        empty_at: None,
    }
}

fn findall(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (subject, from, to) = region(vm, args, "findall")?;
    let pattern = this(&args)?;
    let mut scanner = scanner(subject, from, to);
    let mut found = Vec::new();
    while let Some(groups) = scanner.step(pattern)? {
        let piece = |g: &Option<Range<usize>>| match g {
            Some(range) => scanner.subject.piece(range.clone()),
            None => scanner.subject.piece(0..0),
        };
        found.push(match groups.get(1..) {
            None | Some([]) => piece(&groups[0]),
            Some([only]) => piece(only),
            Some(several) => Value::tuple(several.iter().map(piece).collect::<Vec<_>>()),
        });
    }
    Ok(Value::list(found))
}

struct Iter {
    pattern: Value,
    scanner: Scanner,
    from: usize,
}

impl NativeIterator for Iter {
    fn next(&mut self, _: &mut dyn Vm) -> PyResult<Option<Value>> {
        let Some(pattern) = self.pattern.foreign::<Pattern>() else {
            return Ok(None);
        };
        let found = self.scanner.step(pattern)?;
        Ok(found.map(|groups| {
            let subject = self.scanner.subject.clone();
            Match::value(
                self.pattern.clone(),
                subject,
                groups,
                self.from,
                self.scanner.end,
            )
        }))
    }
}

fn finditer(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (subject, from, to) = region(vm, args, "finditer")?;
    Ok(PyIter::native(Iter {
        pattern: args.pos[0].clone(),
        scanner: scanner(subject, from, to),
        from,
    }))
}

fn split(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    static SIGNATURE: Signature<2> = Signature::new("split", ["string", "maxsplit"]).required(1);
    let (_, [string, limit]) = SIGNATURE.parse_method(args)?;
    let pattern = this(&args)?;
    let subject = subject(pattern, &string.unwrap_or(Value::None))?;
    let limit = limit.map_or(Ok(0), |v| int(vm, &v))?;
    let mut parts = Vec::new();
    if limit < 0 {
        return Ok(Value::list(vec![subject.value]));
    }
    let end = subject.text.len();
    let mut scanner = scanner(subject, 0, end);
    let (mut last, mut count) = (0, 0);
    while limit == 0 || count < limit {
        let Some(groups) = scanner.step(pattern)? else {
            break;
        };
        let Some(Some(whole)) = groups.first() else {
            break;
        };
        parts.push(scanner.subject.piece(last..whole.start));
        for group in groups.iter().skip(1) {
            parts.push(
                group
                    .clone()
                    .map_or(Value::None, |range| scanner.subject.piece(range)),
            );
        }
        last = whole.end;
        count += 1;
    }
    parts.push(scanner.subject.piece(last..end));
    Ok(Value::list(parts))
}

/// `sub`: the new text and how many matches were replaced.
fn substitute(vm: &mut dyn Vm, args: Args<'_>, function: &'static str) -> PyResult<(Value, usize)> {
    let (_, rest) = args.split_self(function)?;
    let signature: Signature<3> = Signature::new(function, ["repl", "string", "count"]).required(2);
    let [replacement, string, limit] = signature.parse(rest)?;
    let replacement = replacement.unwrap_or(Value::None);
    let pattern = this(&args)?;
    let subject = subject(pattern, &string.unwrap_or(Value::None))?;
    let limit = limit.map_or(Ok(0), |v| int(vm, &v))?;
    let template = if janus_object::call::is_callable(&replacement) {
        None
    } else {
        Some(Template::parse(vm, &replacement, pattern)?)
    };
    let end = subject.text.len();
    let mut scanner = scanner(subject, 0, end);
    let mut out = String::new();
    let (mut last, mut count) = (0, 0);
    while limit <= 0 || count < limit as usize {
        let Some(groups) = scanner.step(pattern)? else {
            break;
        };
        let Some(Some(whole)) = groups.first().cloned() else {
            break;
        };
        out.push_str(scanner.subject.text.get(last..whole.start).unwrap_or(""));
        match &template {
            Some(template) => template.expand(&scanner.subject.text, &groups, &mut out),
            None => {
                let matched =
                    Match::value(args.pos[0].clone(), scanner.subject.clone(), groups, 0, end);
                let piece = vm.call(&replacement, Args::new(&[matched]))?;
                match (piece.as_str(), piece.as_bytes()) {
                    (Some(s), _) => out.push_str(s),
                    (None, Some(b)) => out.extend(b.bytes().iter().map(|b| char::from(*b))),
                    _ => {
                        return Err(Raised::type_error(format!(
                            "expected str instance, {} found",
                            type_name(&piece)
                        )));
                    }
                }
            }
        }
        last = whole.end;
        count += 1;
    }
    if count == 0 {
        return Ok((scanner.subject.value, 0));
    }
    out.push_str(scanner.subject.text.get(last..).unwrap_or(""));
    let value = if scanner.subject.is_bytes {
        Value::bytes(out.chars().map(|c| c as u8).collect::<Vec<_>>())
    } else {
        Value::str(out)
    };
    Ok((value, count))
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let pattern = this(&args)?;
    let source = text::repr(vm, &pattern.source)?;
    let shown = pattern.translated.flags & !if pattern.is_bytes { 0 } else { flags::UNICODE };
    let names: Vec<&str> = [
        (flags::IGNORECASE, "re.IGNORECASE"),
        (flags::MULTILINE, "re.MULTILINE"),
        (flags::DOTALL, "re.DOTALL"),
        (flags::VERBOSE, "re.VERBOSE"),
        (flags::ASCII, "re.ASCII"),
    ]
    .into_iter()
    .filter(|(flag, _)| shown & flag != 0)
    .map(|(_, name)| name)
    .collect();
    Ok(Value::str(if names.is_empty() {
        format!("re.compile({source})")
    } else {
        format!("re.compile({source}, {})", names.join("|"))
    }))
}

fn equal(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [other]) = args.method("__eq__")?;
    let (pattern, Some(other)) = (this(&args)?, other.foreign::<Pattern>()) else {
        return Ok(Value::NotImplemented);
    };
    let same = pattern.translated.flags == other.translated.flags
        && ops::eq(vm, &pattern.source, &other.source)?;
    Ok(Value::bool(same))
}
