//! `%`-formatting.
//!
//! In: a format and the right operand of `%`. Out: the text, with CPython's errors. Always: a
//! mapping feeds `%(name)`, a tuple feeds the rest in order, anything else is a single argument.

use super::spec;
use crate::{ExcKind, PyResult, Raised, Value, Vm, memory, ops};

struct Arguments<'a> {
    values: &'a Value,
    next: usize,
    mapping_used: bool,
    /// The format is bytes: each character stands for a byte.
    bytes: bool,
}

impl Arguments<'_> {
    fn take(&mut self) -> PyResult<Value> {
        let found = match self.values {
            Value::Tuple(t) => t.items.get(self.next).cloned(),
            other if self.next == 0 => Some(other.clone()),
            _ => None,
        };
        self.next += 1;
        found.ok_or_else(|| Raised::type_error("not enough arguments for format string"))
    }

    fn finish(&self) -> PyResult<()> {
        let left = match self.values {
            Value::Tuple(t) => self.next < t.items.len(),
            other => {
                self.next == 0
                    && !self.mapping_used
                    && !matches!(other, Value::Dict(_) | Value::List(_))
                    && other.as_dict().is_none()
                    && (ops::special(other, crate::name!("__getitem__")).is_none()
                        || other.as_str().is_some()
                        || self.bytes && other.as_bytes().is_some())
            }
        };
        if left {
            return Err(Raised::type_error(match self.bytes {
                true => "not all arguments converted during bytes formatting",
                false => "not all arguments converted during string formatting",
            }));
        }
        Ok(())
    }
}

#[derive(Default)]
struct Flags {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
}

/// `format % values`
pub fn percent_format(vm: &mut dyn Vm, format: &str, values: &Value) -> PyResult<String> {
    run(vm, format, values, false)
}

/// `format % values` for bytes.
pub(crate) fn percent_format_bytes(
    vm: &mut dyn Vm,
    format: &[u8],
    values: &Value,
) -> PyResult<Vec<u8>> {
    let format: String = format.iter().map(|&b| char::from(b)).collect();
    let text = run(vm, &format, values, true)?;
    // Everything put in was made of characters below 256.
    Ok(text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
        .collect())
}

fn run(vm: &mut dyn Vm, format: &str, values: &Value, bytes: bool) -> PyResult<String> {
    let unwrapped = values.as_tuple().map(|t| Value::Tuple(t.clone()));
    let values = unwrapped.as_ref().unwrap_or(values);
    let mut arguments = Arguments {
        values,
        next: 0,
        mapping_used: false,
        bytes,
    };
    let mut out = String::with_capacity(format.len() + 16);
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let position = format.len() - rest.len() + at;
        rest = directive(
            vm,
            &rest[at + 1..],
            format,
            position,
            &mut arguments,
            &mut out,
        )?;
    }
    out.push_str(rest);
    arguments.finish()?;
    Ok(out)
}

fn incomplete() -> Raised {
    Raised::value_error("incomplete format")
}

/// Formats one directive (the text after its `%`) and returns the text after it.
fn directive<'a>(
    vm: &mut dyn Vm,
    text: &'a str,
    format: &str,
    position: usize,
    arguments: &mut Arguments<'_>,
    out: &mut String,
) -> PyResult<&'a str> {
    let mut chars = text.char_indices().peekable();
    let mut keyed = None;
    if text.starts_with('(') {
        let mut depth = 0;
        let mut end = None;
        for (i, c) in text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = Some(i);
                break;
            }
        }
        let Some(end) = end else {
            return Err(Raised::value_error("incomplete format key"));
        };
        let mapping = arguments.values;
        if matches!(mapping, Value::Tuple(_) | Value::Str(_))
            || ops::special(mapping, crate::name!("__getitem__")).is_none()
        {
            return Err(Raised::type_error("format requires a mapping"));
        }
        let key = &text[1..end];
        let key = if arguments.bytes {
            Value::bytes(key.chars().map(|c| c as u8).collect::<Vec<u8>>())
        } else {
            Value::str(key)
        };
        keyed = Some(ops::get_item(vm, mapping, &key)?);
        arguments.mapping_used = true;
        // The mapping is no argument itself any more.
        arguments.next = 1;
        while chars.peek().is_some_and(|(i, _)| *i <= end) {
            chars.next();
        }
    }
    let mut flags = Flags::default();
    while let Some((_, c)) = chars.peek() {
        match c {
            '-' => flags.left = true,
            '+' => flags.plus = true,
            ' ' => flags.space = true,
            '#' => flags.alternate = true,
            '0' => flags.zero = true,
            _ => break,
        }
        chars.next();
    }
    let size = |chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>,
                arguments: &mut Arguments<'_>,
                keyed: &mut Option<Value>|
     -> PyResult<Option<i64>> {
        if chars.next_if(|(_, c)| *c == '*').is_some() {
            let value = match keyed.take() {
                Some(value) => value,
                None => arguments.take()?,
            };
            return match value.as_int() {
                Some(n) => Ok(Some(n)),
                None => Err(Raised::type_error("* wants int")),
            };
        }
        let mut value: Option<i64> = None;
        while let Some((_, c)) = chars.next_if(|(_, c)| c.is_ascii_digit()) {
            let digit = i64::from(c.to_digit(10).unwrap_or(0));
            value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        }
        Ok(value)
    };
    let mut width = size(&mut chars, arguments, &mut keyed)?.unwrap_or(0);
    if width < 0 {
        flags.left = true;
        width = width.saturating_neg();
    }
    let mut precision = None;
    if chars.next_if(|(_, c)| *c == '.').is_some() {
        precision = Some(size(&mut chars, arguments, &mut keyed)?.unwrap_or(0).max(0));
    }
    while chars
        .next_if(|(_, c)| matches!(c, 'l' | 'h' | 'L'))
        .is_some()
    {}
    let Some((at, kind)) = chars.next() else {
        return Err(incomplete());
    };
    let rest = &text[at + kind.len_utf8()..];
    if kind == '%' {
        out.push('%');
        return Ok(rest);
    }
    let limit = i64::from(i32::MAX);
    if width > limit || precision.is_some_and(|p| p > limit) {
        return Err(Raised::value_error("width too big"));
    }
    let width = width as usize;
    let precision = precision.map(|p| p as usize);
    memory::is_there(width + precision.unwrap_or(0))?;
    let value = match keyed {
        Some(value) => value,
        None => arguments.take()?,
    };
    let body = convert(vm, arguments.bytes, kind, &value, &flags, precision, || {
        let index = format[..position].chars().count() + 1 + text[..at].chars().count();
        format!(
            "unsupported format character '{kind}' (0x{:x}) at index {index}",
            u32::from(kind)
        )
    })?;
    pad(out, body, &flags, width);
    Ok(rest)
}

/// A converted value: sign and prefix are apart because zeros go after them.
struct Body {
    head: String,
    digits: String,
    numeric: bool,
}

fn pad(out: &mut String, body: Body, flags: &Flags, width: usize) {
    let length = body.head.chars().count() + body.digits.chars().count();
    let missing = width.saturating_sub(length);
    let zeros = flags.zero && body.numeric && !flags.left;
    if !flags.left && !zeros {
        out.extend(std::iter::repeat_n(' ', missing));
    }
    out.push_str(&body.head);
    if zeros {
        out.extend(std::iter::repeat_n('0', missing));
    }
    out.push_str(&body.digits);
    if flags.left {
        out.extend(std::iter::repeat_n(' ', missing));
    }
}

fn convert(
    vm: &mut dyn Vm,
    bytes: bool,
    kind: char,
    value: &Value,
    flags: &Flags,
    precision: Option<usize>,
    unsupported: impl FnOnce() -> String,
) -> PyResult<Body> {
    let sign = |negative: bool| {
        match (negative, flags.plus, flags.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
        .to_owned()
    };
    match kind {
        's' | 'r' | 'a' | 'b' if bytes || kind != 'b' => {
            let text = match kind {
                's' | 'b' if bytes => {
                    let Some(data) = value.as_bytes() else {
                        return Err(Raised::type_error(format!(
                            "%b requires a bytes-like object, or an object that implements \
                             __bytes__, not '{}'",
                            value.type_name()
                        )));
                    };
                    data.bytes().iter().map(|&b| char::from(b)).collect()
                }
                'r' if bytes => super::ascii(vm, value)?,
                's' => super::str(vm, value)?,
                'r' => super::repr(vm, value)?,
                _ => super::ascii(vm, value)?,
            };
            let text = match precision {
                Some(precision) => text.chars().take(precision).collect(),
                None => text,
            };
            Ok(Body {
                head: String::new(),
                digits: text,
                numeric: false,
            })
        }
        'c' if bytes => {
            let single = value.as_bytes().map(|b| b.to_vec());
            let byte = match (single.as_deref(), value.as_bigint()) {
                (Some([byte]), _) => *byte,
                (None, Some(n)) => match u8::try_from(n) {
                    Ok(byte) => byte,
                    Err(_) => return Err(Raised::overflow_error("%c arg not in range(256)")),
                },
                _ => {
                    return Err(Raised::type_error(
                        "%c requires an integer in range(256) or a single byte",
                    ));
                }
            };
            Ok(Body {
                head: String::new(),
                digits: char::from(byte).to_string(),
                numeric: false,
            })
        }
        'c' => {
            let text = match (value.as_str(), value.as_int()) {
                (Some(s), _) if s.chars().count() == 1 => s.to_owned(),
                (_, Some(i)) => match u32::try_from(i)
                    .ok()
                    .and_then(janus_bytecode::surrogate::char_of)
                {
                    Some(c) => c.to_string(),
                    None => return Err(Raised::overflow_error("%c arg not in range(0x110000)")),
                },
                _ => return Err(Raised::type_error("%c requires int or char")),
            };
            Ok(Body {
                head: String::new(),
                digits: text,
                numeric: false,
            })
        }
        'd' | 'i' | 'u' | 'o' | 'x' | 'X' => {
            let int = to_int(vm, kind, value)?;
            let spec = match kind {
                'o' | 'x' | 'X' if flags.alternate => format!("#{kind}"),
                'o' | 'x' | 'X' => kind.to_string(),
                _ => "d".to_owned(),
            };
            let text = spec::format_int(&int, &spec, "int")?;
            let (negative, text) = match text.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, &*text),
            };
            let prefix = if flags.alternate && kind != 'd' && text.len() > 2 {
                2
            } else {
                0
            };
            let prefix = if matches!(kind, 'o' | 'x' | 'X') {
                prefix
            } else {
                0
            };
            let (prefix, digits) = text.split_at(prefix);
            let zeros = precision.unwrap_or(0).saturating_sub(digits.len());
            let mut padded = "0".repeat(zeros);
            padded.push_str(digits);
            Ok(Body {
                head: sign(negative) + prefix,
                digits: padded,
                numeric: true,
            })
        }
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
            let f = ops::to_f64(vm, value)?;
            let text = super::float::digits(f, kind, precision.unwrap_or(6), flags.alternate);
            let negative = f.is_sign_negative() && !f.is_nan();
            Ok(Body {
                head: sign(negative),
                digits: text,
                numeric: true,
            })
        }
        _ => Err(Raised::value_error(unsupported())),
    }
}

fn to_int(vm: &mut dyn Vm, kind: char, value: &Value) -> PyResult {
    match value.unwrapped() {
        v @ (Value::Int(_) | Value::BigInt(_)) => Ok(v),
        Value::Bool(b) => Ok(Value::Int(i64::from(b.get()))),
        Value::Float(f) if !matches!(kind, 'o' | 'x' | 'X') => {
            crate::builtin::float::to_int(f.get().trunc())
        }
        _ => {
            let real = !matches!(kind, 'o' | 'x' | 'X');
            // A tensor of a float has both, and the one for ints refuses.
            if real && let Some(method) = ops::special(value, crate::name!("__int__")) {
                return ops::call_special(vm, &method, value, &[]);
            }
            if ops::special(value, crate::name!("__index__")).is_some() {
                match ops::index(vm, value) {
                    Err(refused) if refused.is(ExcKind::TypeError) => {}
                    other => return other,
                }
            }
            let wanted = if real { "a real number" } else { "an integer" };
            Err(Raised::type_error(format!(
                "%{kind} format: {wanted} is required, not {}",
                value.type_name()
            )))
        }
    }
}
