//! `re.Match`, and replacement templates.
//!
//! In: the groups of a match. Out: pieces of the text and their positions. Always: group numbers
//! and names are those of the pattern; a group that took no part is None.

use std::ops::Range;

use janus_object::{
    Args, Foreign, Instance, NativeDef, PyDict, PyResult, Raised, Signature, Value, Vm, text,
};

use super::pattern::{Groups, Pattern, Subject};

/// A match.
pub(super) struct Match {
    pattern: Value,
    subject: Subject,
    groups: Groups,
    from: usize,
    to: usize,
}

impl Foreign for Match {}

impl Match {
    /// A match object.
    pub fn value(
        pattern: Value,
        subject: Subject,
        groups: Groups,
        from: usize,
        to: usize,
    ) -> Value {
        Instance::native(
            &super::classes().matched,
            Match {
                pattern,
                subject,
                groups,
                from,
                to,
            },
        )
    }

    fn compiled(&self) -> PyResult<&Pattern> {
        self.pattern
            .foreign()
            .ok_or_else(|| Raised::system_error("a match without its pattern"))
    }

    /// The number of a group given by number or name.
    fn number(&self, group: &Value) -> PyResult<usize> {
        let number = match (group.as_int(), group.as_str()) {
            (Some(i), _) => usize::try_from(i).ok(),
            (None, Some(name)) => self
                .compiled()?
                .names()
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, number)| *number),
            _ => None,
        };
        number
            .filter(|n| *n < self.groups.len())
            .ok_or_else(|| Raised::index_error("no such group"))
    }

    fn piece(&self, number: usize) -> Option<Value> {
        self.range(number).map(|range| self.subject.piece(range))
    }

    fn range(&self, number: usize) -> Option<Range<usize>> {
        self.groups.get(number).cloned().flatten()
    }

    fn group(&self, group: &Value) -> PyResult {
        Ok(self.piece(self.number(group)?).unwrap_or(Value::None))
    }

    /// Start and end of a group; -1 if it took no part.
    fn span(&self, args: Args<'_>, function: &'static str) -> PyResult<(i64, i64)> {
        let (_, rest) = args.split_self(function)?;
        let number = match rest.between(function, 0, 1)? {
            [group] => self.number(group)?,
            _ => 0,
        };
        Ok(match self.range(number) {
            Some(range) => (
                self.subject.position(range.start) as i64,
                self.subject.position(range.end) as i64,
            ),
            None => (-1, -1),
        })
    }

    /// The last group that closed.
    fn last_index(&self) -> Option<usize> {
        // Of the groups that end last, the outermost closes last.
        let last_end = self.groups.iter().skip(1).flatten().map(|r| r.end).max()?;
        (1..self.groups.len()).find(|i| self.range(*i).is_some_and(|r| r.end == last_end))
    }
}

pub(super) const METHODS: &[NativeDef] = &[
    NativeDef::class_method("Match.__class_getitem__", janus_object::class_getitem),
    NativeDef::method("Match.group", group).leaf(),
    NativeDef::method("Match.__getitem__", |_, args| {
        let (_, [which]) = args.method("__getitem__")?;
        this(&args)?.group(which)
    })
    .leaf(),
    NativeDef::method("Match.groups", groups).leaf(),
    NativeDef::method("Match.groupdict", groupdict).leaf(),
    NativeDef::method("Match.start", |_, args| {
        Ok(Value::Int(this(&args)?.span(args, "start")?.0))
    })
    .leaf(),
    NativeDef::method("Match.end", |_, args| {
        Ok(Value::Int(this(&args)?.span(args, "end")?.1))
    })
    .leaf(),
    NativeDef::method("Match.span", |_, args| {
        let (start, end) = this(&args)?.span(args, "span")?;
        Ok(Value::tuple(vec![Value::Int(start), Value::Int(end)]))
    })
    .leaf(),
    NativeDef::method("Match.expand", expand),
    NativeDef::noargs_method("Match.__repr__", repr),
    NativeDef::getter("Match.string", |_, args| {
        Ok(this(&args)?.subject.value.clone())
    })
    .leaf(),
    NativeDef::getter("Match.re", |_, args| Ok(this(&args)?.pattern.clone())).leaf(),
    NativeDef::getter("Match.pos", |_, args| {
        let matched = this(&args)?;
        Ok(Value::from(matched.subject.position(matched.from)))
    })
    .leaf(),
    NativeDef::getter("Match.endpos", |_, args| {
        let matched = this(&args)?;
        Ok(Value::from(matched.subject.position(matched.to)))
    })
    .leaf(),
    NativeDef::getter("Match.lastindex", |_, args| {
        Ok(this(&args)?.last_index().map_or(Value::None, Value::from))
    })
    .leaf(),
    NativeDef::getter("Match.lastgroup", |_, args| {
        let matched = this(&args)?;
        let last = matched.last_index();
        let name = matched
            .compiled()?
            .names()
            .iter()
            .find(|(_, number)| Some(*number) == last);
        Ok(name.map_or(Value::None, |(name, _)| Value::str(name.as_str())))
    })
    .leaf(),
];

fn this<'a>(args: &Args<'a>) -> PyResult<&'a Match> {
    args.pos
        .first()
        .and_then(Value::foreign::<Match>)
        .ok_or_else(|| Raised::type_error("a re.Match object is required"))
}

fn group(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let matched = this(&args)?;
    match args.split_self("group")?.1.pos {
        [] => Ok(matched.piece(0).unwrap_or(Value::None)),
        [which] => matched.group(which),
        several => {
            let pieces = several
                .iter()
                .map(|which| matched.group(which))
                .collect::<PyResult<Vec<_>>>()?;
            Ok(Value::tuple(pieces))
        }
    }
}

fn default(args: Args<'_>, function: &'static str) -> PyResult {
    let signature: Signature<1> = Signature::new(function, ["default"]).required(0);
    let (_, [default]) = signature.parse_method(args)?;
    Ok(default.unwrap_or(Value::None))
}

fn groups(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let matched = this(&args)?;
    let default = default(args, "groups")?;
    let pieces =
        (1..matched.groups.len()).map(|i| matched.piece(i).unwrap_or_else(|| default.clone()));
    Ok(Value::tuple(pieces.collect::<Vec<_>>()))
}

fn groupdict(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let matched = this(&args)?;
    let default = default(args, "groupdict")?;
    let dict = PyDict::new();
    for (name, number) in matched.compiled()?.names() {
        dict.set_str(
            name,
            matched.piece(*number).unwrap_or_else(|| default.clone()),
        );
    }
    Ok(Value::dict(dict))
}

fn expand(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [template]) = args.method("expand")?;
    let matched = this(&args)?;
    let template = Template::parse(vm, template, matched.compiled()?)?;
    let mut out = String::new();
    template.expand(&matched.subject.text, &matched.groups, &mut out);
    Ok(Value::str(out))
}

fn repr(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let matched = this(&args)?;
    let (start, end) = matched.span(Args::new(&args.pos[..1]), "span")?;
    let piece = text::repr(vm, &matched.piece(0).unwrap_or(Value::None))?;
    Ok(Value::str(format!(
        "<re.Match object; span=({start}, {end}), match={piece}>"
    )))
}

/// A replacement text: literals and groups.
pub(super) struct Template(Vec<Part>);

enum Part {
    Literal(String),
    Group(usize),
}

impl Template {
    /// Reads `\1`, `\g<name>` and escapes.
    pub fn parse(vm: &mut dyn Vm, template: &Value, pattern: &Pattern) -> PyResult<Template> {
        let source: String = match (template.as_str(), template.as_bytes()) {
            (Some(s), _) => s.to_owned(),
            (None, Some(b)) => b.bytes().iter().map(|b| char::from(*b)).collect(),
            _ => {
                return Err(Raised::type_error(format!(
                    "decoding to str: need a bytes-like object, {} found",
                    crate::support::type_name(template)
                )));
            }
        };
        let chars: Vec<char> = source.chars().collect();
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut at = 0;
        while let Some(c) = chars.get(at) {
            if *c != '\\' {
                literal.push(*c);
                at += 1;
                continue;
            }
            let start = at;
            at += 1;
            let group = match chars.get(at) {
                Some('g') => {
                    let close = chars.iter().skip(at).position(|c| *c == '>');
                    let name: Option<String> = match (chars.get(at + 1), close) {
                        (Some('<'), Some(close)) => {
                            Some(chars[at + 2..at + close].iter().collect())
                        }
                        _ => None,
                    };
                    let Some(name) = name else {
                        return Err(super::error(vm, "missing group name", template, at + 1));
                    };
                    at += name.chars().count() + 3;
                    Some(match name.parse::<usize>() {
                        Ok(number) => number,
                        Err(_) => match pattern.names().iter().find(|(known, _)| *known == name) {
                            Some((_, number)) => *number,
                            None => {
                                let shown = text::str_repr(&name);
                                return Err(Raised::index_error(format!(
                                    "unknown group name {shown}"
                                )));
                            }
                        },
                    })
                }
                Some('0') => {
                    let digits: String = chars[at..]
                        .iter()
                        .take(3)
                        .take_while(|c| ('0'..='7').contains(c))
                        .collect();
                    at += digits.len();
                    let code = u32::from_str_radix(&digits, 8)
                        .ok()
                        .and_then(char::from_u32);
                    literal.push(code.unwrap_or('\0'));
                    None
                }
                Some('1'..='9') => {
                    let digits: String = chars[at..]
                        .iter()
                        .take(2)
                        .take_while(|c| c.is_ascii_digit())
                        .collect();
                    at += digits.len();
                    digits.parse().ok()
                }
                Some(c) => {
                    let escaped = match c {
                        'n' => Some('\n'),
                        't' => Some('\t'),
                        'r' => Some('\r'),
                        'f' => Some('\u{c}'),
                        'v' => Some('\u{b}'),
                        'a' => Some('\u{7}'),
                        'b' => Some('\u{8}'),
                        '\\' => Some('\\'),
                        c if c.is_ascii_alphabetic() => {
                            return Err(super::error(
                                vm,
                                &format!("bad escape \\{c}"),
                                template,
                                start,
                            ));
                        }
                        _ => None,
                    };
                    match escaped {
                        Some(escaped) => literal.push(escaped),
                        None => literal.extend(['\\', *c]),
                    }
                    at += 1;
                    None
                }
                None => {
                    return Err(super::error(
                        vm,
                        "bad escape (end of pattern)",
                        template,
                        start,
                    ));
                }
            };
            if let Some(group) = group {
                if group > pattern.groups() {
                    let message = format!("invalid group reference {group}");
                    return Err(super::error(vm, &message, template, start + 1));
                }
                if !literal.is_empty() {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                }
                parts.push(Part::Group(group));
            }
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Ok(Template(parts))
    }

    /// Appends the replacement for a match.
    pub fn expand(&self, text: &str, groups: &Groups, out: &mut String) {
        for part in &self.0 {
            match part {
                Part::Literal(literal) => out.push_str(literal),
                Part::Group(number) => {
                    if let Some(Some(range)) = groups.get(*number) {
                        out.push_str(text.get(range.clone()).unwrap_or(""));
                    }
                }
            }
        }
    }
}
