//! `_csv_lines`: lines of fields.
//!
//! In: text lines and a dialect. Out: rows of fields, or lines. Always: quoting follows CPython's
//! state machine; a quoted field may go over several lines.

use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, ops, text};

use crate::support::{module, type_name};

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_csv_lines.parse", parse),
        NativeDef::function("_csv_lines.format_row", format_row),
    ];
    Ok(Value::Module(module("_csv_lines", "", FUNCTIONS)))
}

/// How `csv` numbers the quoting modes.
const QUOTE_ALL: i64 = 1;
const QUOTE_NONNUMERIC: i64 = 2;
const QUOTE_NONE: i64 = 3;

struct Dialect {
    delimiter: char,
    quote: Option<char>,
    escape: Option<char>,
    double_quote: bool,
    skip_space: bool,
    quoting: i64,
    strict: bool,
    terminator: String,
}

/// (delimiter, quotechar, escapechar, doublequote, skipinitialspace, quoting, strict, lineterminator)
fn dialect(vm: &mut dyn Vm, value: &Value) -> PyResult<Dialect> {
    let items = ops::collect(vm, value)?;
    let [
        delimiter,
        quote,
        escape,
        double_quote,
        skip_space,
        quoting,
        strict,
        terminator,
    ] = &items[..]
    else {
        return Err(Raised::type_error("a dialect of eight values is required"));
    };
    let letter = |v: &Value| v.as_str().and_then(|s| s.chars().next());
    Ok(Dialect {
        delimiter: letter(delimiter).unwrap_or(','),
        quote: letter(quote),
        escape: letter(escape),
        double_quote: ops::truth(vm, double_quote)?,
        skip_space: ops::truth(vm, skip_space)?,
        quoting: quoting.as_int().unwrap_or(0),
        strict: ops::truth(vm, strict)?,
        terminator: terminator.as_str().unwrap_or("\r\n").to_owned(),
    })
}

/// `csv.Error`
fn error(vm: &mut dyn Vm, message: &str) -> Raised {
    let made = vm
        .import("_csv")
        .and_then(|m| janus_object::attr::get(vm, &m, janus_object::name!("Error")));
    match made {
        Ok(Value::Class(class)) => Raised::of_class(&class, vec![Value::str(message)]),
        Ok(_) => Raised::system_error("csv.Error is not a class"),
        Err(raised) => raised,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    StartRecord,
    StartField,
    Escaped,
    InField,
    InQuoted,
    EscapedInQuoted,
    QuoteInQuoted,
    EatLineEnd,
}

/// A row being read.
struct Row {
    state: State,
    field: String,
    numeric: bool,
    fields: Vec<Value>,
}

impl Row {
    fn save(&mut self) -> PyResult<()> {
        let field = std::mem::take(&mut self.field);
        if std::mem::take(&mut self.numeric) {
            let Ok(number) = field.trim().parse::<f64>() else {
                let shown = text::str_repr(&field);
                return Err(Raised::value_error(format!(
                    "could not convert string to float: {shown}"
                )));
            };
            self.fields.push(Value::float(number));
        } else {
            self.fields.push(Value::str(field));
        }
        Ok(())
    }

    fn feed(&mut self, vm: &mut dyn Vm, d: &Dialect, c: Option<char>) -> PyResult<()> {
        use State::*;
        let line_end = matches!(c, Some('\n' | '\r') | None);
        match (self.state, c) {
            (StartRecord, None) => {}
            (StartRecord, Some('\n' | '\r')) => self.state = EatLineEnd,
            (StartRecord | StartField, _) => {
                self.state = StartField;
                match c {
                    _ if line_end => {
                        self.save()?;
                        self.state = if c.is_none() { StartRecord } else { EatLineEnd };
                    }
                    _ if c == d.quote && d.quoting != QUOTE_NONE => self.state = InQuoted,
                    _ if c == d.escape && c.is_some() => self.state = Escaped,
                    Some(' ') if d.skip_space => {}
                    _ if c == Some(d.delimiter) => self.save()?,
                    Some(c) => {
                        self.numeric = d.quoting == QUOTE_NONNUMERIC;
                        self.field.push(c);
                        self.state = InField;
                    }
                    None => {}
                }
            }
            (Escaped, _) => {
                self.field.push(c.unwrap_or('\n'));
                self.state = InField;
            }
            (InField, _) if line_end => {
                self.save()?;
                self.state = if c.is_none() { StartRecord } else { EatLineEnd };
            }
            (InField, _) if c == d.escape => self.state = Escaped,
            (InField, _) if c == Some(d.delimiter) => {
                self.save()?;
                self.state = StartField;
            }
            (InField, Some(c)) => self.field.push(c),
            (InQuoted, None) => {}
            (InQuoted, _) if c == d.escape => self.state = EscapedInQuoted,
            (InQuoted, _) if c == d.quote && d.quoting != QUOTE_NONE => {
                self.state = if d.double_quote {
                    QuoteInQuoted
                } else {
                    InField
                };
            }
            (InQuoted, Some(c)) => self.field.push(c),
            (EscapedInQuoted, _) => {
                self.field.push(c.unwrap_or('\n'));
                self.state = InQuoted;
            }
            (QuoteInQuoted, _) if d.quoting != QUOTE_NONE && c == d.quote => {
                self.field.extend(c);
                self.state = InQuoted;
            }
            (QuoteInQuoted, _) if c == Some(d.delimiter) => {
                self.save()?;
                self.state = StartField;
            }
            (QuoteInQuoted, _) if line_end => {
                self.save()?;
                self.state = if c.is_none() { StartRecord } else { EatLineEnd };
            }
            (QuoteInQuoted, Some(c)) => {
                if d.strict {
                    let quote = d.quote.unwrap_or('"');
                    return Err(error(
                        vm,
                        &format!("'{}' expected after '{quote}'", d.delimiter),
                    ));
                }
                self.field.push(c);
                self.state = InField;
            }
            (EatLineEnd, Some('\n' | '\r')) => {}
            (EatLineEnd, None) => self.state = StartRecord,
            (EatLineEnd, Some(_)) => {
                return Err(error(
                    vm,
                    "new-line character seen in unquoted field - do you need to open the file in \
                     universal-newline mode?",
                ));
            }
            (InField | QuoteInQuoted, None) => {}
        }
        Ok(())
    }
}

/// `parse(iterator, dialect)`: the next row and how many lines it took; None at the end.
fn parse(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [lines, given] = args.exactly("parse")?;
    let dialect = dialect(vm, given)?;
    let mut row = Row {
        state: State::StartRecord,
        field: String::new(),
        numeric: false,
        fields: Vec::new(),
    };
    let mut taken = 0i64;
    loop {
        let Some(line) = ops::next(vm, lines)? else {
            if row.state == State::StartRecord && row.fields.is_empty() {
                return Ok(Value::None);
            }
            if !row.field.is_empty() || row.state == State::InQuoted {
                if dialect.strict {
                    return Err(error(vm, "unexpected end of data"));
                }
                row.save()?;
            }
            break;
        };
        let Some(text) = line.as_str() else {
            return Err(error(
                vm,
                &format!(
                    "iterator should return strings, not {} (the file should be opened in text mode)",
                    type_name(&line)
                ),
            ));
        };
        taken += 1;
        for c in text.chars() {
            row.feed(vm, &dialect, Some(c))?;
        }
        row.feed(vm, &dialect, None)?;
        if row.state == State::StartRecord {
            break;
        }
    }
    Ok(Value::tuple(vec![
        Value::list(row.fields),
        Value::Int(taken),
    ]))
}

/// `format_row(row, dialect)`: the line with its end.
fn format_row(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [row, given] = args.exactly("format_row")?;
    let d = dialect(vm, given)?;
    let Ok(fields) = ops::collect(vm, row) else {
        return Err(error(
            vm,
            &format!("iterable expected, not {}", type_name(row)),
        ));
    };
    let mut line = String::new();
    let alone = fields.len() == 1;
    for (i, value) in fields.iter().enumerate() {
        if i > 0 {
            line.push(d.delimiter);
        }
        let shown = match value {
            Value::None => String::new(),
            other => text::str(vm, other)?,
        };
        let special = |c: char| {
            c == d.delimiter
                || Some(c) == d.quote
                || Some(c) == d.escape
                || c == '\n'
                || c == '\r'
                || d.terminator.contains(c)
        };
        let numeric = value.as_f64().is_some();
        let quoted = match d.quoting {
            QUOTE_ALL => true,
            QUOTE_NONNUMERIC => !numeric || shown.contains(special),
            QUOTE_NONE => false,
            _ => {
                shown.contains(special)
                    || (alone && shown.is_empty())
                    || (shown.starts_with(' ') && d.delimiter == ' ')
            }
        };
        if d.quoting == QUOTE_NONE && alone && shown.is_empty() {
            return Err(error(vm, "single empty field record must be quoted"));
        }
        let quote = d.quote.unwrap_or('"');
        if quoted {
            line.push(quote);
        }
        for c in shown.chars() {
            let escape = if quoted {
                c == quote && !d.double_quote || Some(c) == d.escape
            } else {
                special(c)
            };
            if quoted && c == quote && d.double_quote {
                line.push(quote);
            } else if escape {
                let Some(mark) = d.escape else {
                    return Err(error(vm, "need to escape, but no escapechar set"));
                };
                line.push(mark);
            }
            line.push(c);
        }
        if quoted {
            line.push(quote);
        }
    }
    line.push_str(&d.terminator);
    Ok(Value::str(line))
}
