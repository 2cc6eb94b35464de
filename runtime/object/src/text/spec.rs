//! The format mini-language.
//!
//! In: a value and a format spec. Out: the text as `format()` gives it. Always: the spec is
//! parsed once, by one parser, for all types.

use num_bigint::BigInt;
use num_traits::Signed;

use super::float;
use crate::{PyResult, Raised, Value, Vm, memory};

/// A parsed spec.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    fill: char,
    align: Option<char>,
    sign: char,
    /// Whether a sign was written: for `-` it makes no difference but for errors.
    signed: bool,
    /// `z`: negative zero becomes positive.
    no_negative_zero: bool,
    alternate: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

/// Largest width or precision.
const MAX_SIZE: usize = i32::MAX as usize;

fn is_align(c: char) -> bool {
    matches!(c, '<' | '>' | '=' | '^')
}

impl Spec {
    pub fn parse(text: &str, type_name: &str) -> PyResult<Spec> {
        let mut rest = text;
        /// Takes the first character if it passes.
        fn take(rest: &mut &str, test: impl Fn(char) -> bool) -> Option<char> {
            let c = rest.chars().next().filter(|c| test(*c))?;
            *rest = rest.get(c.len_utf8()..).unwrap_or_default();
            Some(c)
        }
        fn number(rest: &mut &str) -> PyResult<Option<usize>> {
            let mut value: Option<usize> = None;
            while let Some(digit) = take(rest, |c| c.is_ascii_digit()) {
                let digit = digit as usize - '0' as usize;
                value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            }
            if value.is_some_and(|v| v > MAX_SIZE) {
                return Err(Raised::value_error(
                    "Too many decimal digits in format string",
                ));
            }
            Ok(value)
        }
        let mut spec = Spec {
            fill: ' ',
            align: None,
            sign: '-',
            signed: false,
            no_negative_zero: false,
            alternate: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: None,
        };
        let mut fill_given = false;
        let mut ahead = text.chars();
        if let (Some(fill), Some(align)) = (ahead.next(), ahead.next())
            && is_align(align)
        {
            spec.fill = fill;
            spec.align = Some(align);
            fill_given = true;
            rest = ahead.as_str();
        } else {
            spec.align = take(&mut rest, is_align);
        }
        if let Some(sign) = take(&mut rest, |c| matches!(c, '+' | '-' | ' ')) {
            spec.sign = sign;
            spec.signed = true;
        }
        spec.no_negative_zero = take(&mut rest, |c| c == 'z').is_some();
        spec.alternate = take(&mut rest, |c| c == '#').is_some();
        if !fill_given && take(&mut rest, |c| c == '0').is_some() {
            spec.fill = '0';
            if spec.align.is_none() {
                spec.align = Some('=');
            }
        }
        if let Some(width) = number(&mut rest)? {
            spec.width = width;
        }
        while let Some(c) = take(&mut rest, |c| matches!(c, ',' | '_')) {
            if let Some(first) = spec.grouping {
                return Err(Raised::value_error(if first == c {
                    format!("Cannot specify '{c}' with '{c}'.")
                } else {
                    "Cannot specify both ',' and '_'.".to_owned()
                }));
            }
            spec.grouping = Some(c);
        }
        if take(&mut rest, |c| c == '.').is_some() {
            spec.precision = number(&mut rest)?;
            if spec.precision.is_none() {
                return Err(Raised::value_error("Format specifier missing precision"));
            }
        }
        let mut left = rest.chars();
        spec.kind = left.next();
        if left.next().is_some() {
            return Err(Raised::value_error(format!(
                "Invalid format specifier '{text}' for object of type '{type_name}'"
            )));
        }
        if let (Some(grouping), Some(kind)) = (spec.grouping, spec.kind) {
            let fits = match grouping {
                ',' => "defgEFG%".contains(kind),
                _ => "bdefgoxXEFG%".contains(kind),
            };
            if !fits {
                return Err(Raised::value_error(format!(
                    "Cannot specify '{grouping}' with '{kind}'."
                )));
            }
        }
        memory::is_there(spec.width.saturating_add(spec.precision.unwrap_or(0)))?;
        Ok(spec)
    }

    /// Pads a text to the width.
    fn pad(&self, text: &str, default_align: char) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        if missing == 0 {
            return text.to_owned();
        }
        let (left, right) = match self.align.unwrap_or(default_align) {
            '<' => (0, missing),
            '^' => (missing / 2, missing - missing / 2),
            _ => (missing, 0),
        };
        let mut out = String::with_capacity(text.len() + missing);
        out.extend(std::iter::repeat_n(self.fill, left));
        out.push_str(text);
        out.extend(std::iter::repeat_n(self.fill, right));
        out
    }

    /// Puts sign, prefix, grouped digits and the rest together and pads.
    fn number(&self, negative: bool, prefix: &str, digits: &str, rest: &str) -> String {
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, '+') => "+",
            (false, ' ') => " ",
            _ => "",
        };
        if self.width == 0 && self.grouping.is_none() {
            return [sign, prefix, digits, rest].concat();
        }
        let align = self.align.unwrap_or('>');
        let head = sign.len() + prefix.len();
        let zero_fill = align == '=' && self.fill == '0';
        let room = self.width.saturating_sub(head + rest.chars().count());
        let digits = match self.grouping {
            Some(separator) => {
                let every = if matches!(self.kind, Some('b' | 'o' | 'x' | 'X')) {
                    4
                } else {
                    3
                };
                group(digits, separator, every, if zero_fill { room } else { 0 })
            }
            None => digits.to_owned(),
        };
        let length = head + digits.chars().count() + rest.chars().count();
        let missing = self.width.saturating_sub(length);
        if align == '=' {
            let fill: String = std::iter::repeat_n(self.fill, missing).collect();
            return [sign, prefix, &fill, &digits, rest].concat();
        }
        self.pad(&[sign, prefix, &digits, rest].concat(), '>')
    }
}

/// Inserts separators; with a minimum width leading zeros are grouped too.
fn group(digits: &str, separator: char, every: usize, width: usize) -> String {
    let mut out: Vec<char> = Vec::new();
    let mut source = digits.chars().rev();
    let mut count = 0;
    loop {
        let next = source.next();
        if next.is_none() {
            // A separator is never the first character: one more zero follows it.
            let due = count > 0 && count % every == 0;
            if out.len() >= width {
                break;
            }
            if due {
                out.push(separator);
            }
            out.push('0');
            count += 1;
            continue;
        }
        if count > 0 && count % every == 0 {
            out.push(separator);
        }
        out.extend(next);
        count += 1;
    }
    out.into_iter().rev().collect()
}

fn unknown_code(kind: char, type_name: &str) -> Raised {
    let shown = if ('!'..='~').contains(&kind) {
        kind.to_string()
    } else {
        format!("\\x{:x}", u32::from(kind))
    };
    Raised::value_error(format!(
        "Unknown format code '{shown}' for object of type '{type_name}'"
    ))
}

/// `format(str, spec)`
pub(crate) fn format_str(s: &str, text: &str, type_name: &str) -> PyResult<String> {
    let spec = Spec::parse(text, type_name)?;
    if let (None, Some(grouping)) = (spec.kind, spec.grouping) {
        return Err(Raised::value_error(format!(
            "Cannot specify '{grouping}' with 's'."
        )));
    }
    if let Some(kind) = spec.kind
        && kind != 's'
    {
        return Err(unknown_code(kind, type_name));
    }
    let refuse = |what: &str| {
        Err(Raised::value_error(format!(
            "{what} not allowed in string format specifier"
        )))
    };
    if spec.signed {
        return refuse(if spec.sign == ' ' { "Space" } else { "Sign" });
    }
    if spec.no_negative_zero {
        return refuse("Negative zero coercion (z)");
    }
    if spec.alternate {
        return refuse("Alternate form (#)");
    }
    // The `0` flag sets '=' implicitly, which strings take as '<'; an explicit one is refused.
    let mut spec = spec;
    if spec.align == Some('=') {
        if spec.fill == '0' && !text.starts_with("0=") && !text.starts_with('=') {
            spec.align = Some('<');
        } else {
            return refuse("'=' alignment");
        }
    }
    let cut: String = match spec.precision {
        Some(precision) => s.chars().take(precision).collect(),
        None => s.to_owned(),
    };
    Ok(spec.pad(&cut, '<'))
}

/// `format(int, spec)`
pub(crate) fn format_int(n: &Value, text: &str, type_name: &str) -> PyResult<String> {
    let spec = Spec::parse(text, type_name)?;
    let kind = spec.kind.unwrap_or('d');
    if matches!(kind, 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') {
        let f = n.as_f64().unwrap_or(0.0);
        if f.is_infinite() {
            return Err(Raised::overflow_error("int too large to convert to float"));
        }
        return float_with(&spec, f, type_name);
    }
    if !matches!(kind, 'b' | 'c' | 'd' | 'o' | 'x' | 'X' | 'n') {
        return Err(unknown_code(kind, type_name));
    }
    if spec.precision.is_some() {
        return Err(Raised::value_error(
            "Precision not allowed in integer format specifier",
        ));
    }
    if spec.no_negative_zero {
        return Err(Raised::value_error(
            "Negative zero coercion (z) not allowed in integer format specifier",
        ));
    }
    if kind == 'c' {
        if spec.signed {
            return Err(Raised::value_error(
                "Sign not allowed with integer format specifier 'c'",
            ));
        }
        if spec.alternate {
            return Err(Raised::value_error(
                "Alternate form (#) not allowed with integer format specifier 'c'",
            ));
        }
        let c = n
            .as_int()
            .and_then(|i| u32::try_from(i).ok())
            .and_then(janus_bytecode::surrogate::char_of);
        return match c {
            Some(c) => Ok(spec.number(false, "", "", &c.to_string())),
            None => Err(Raised::overflow_error("%c arg not in range(0x110000)")),
        };
    }
    let (negative, digits) = match (n, kind) {
        (Value::Int(i), 'd' | 'n') => (*i < 0, i.unsigned_abs().to_string()),
        (Value::Int(i), 'b') => (*i < 0, format!("{:b}", i.unsigned_abs())),
        (Value::Int(i), 'o') => (*i < 0, format!("{:o}", i.unsigned_abs())),
        (Value::Int(i), 'x') => (*i < 0, format!("{:x}", i.unsigned_abs())),
        (Value::Int(i), 'X') => (*i < 0, format!("{:X}", i.unsigned_abs())),
        (_, 'd' | 'n' | 'b' | 'o' | 'x' | 'X') => {
            let big = n.as_bigint().unwrap_or_default();
            let digits = radix_digits(&big, kind)?;
            (big.is_negative(), digits)
        }
        _ => return Err(unknown_code(kind, type_name)),
    };
    let prefix = match kind {
        'b' if spec.alternate => "0b",
        'o' if spec.alternate => "0o",
        'x' if spec.alternate => "0x",
        'X' if spec.alternate => "0X",
        _ => "",
    };
    Ok(spec.number(negative, prefix, &digits, ""))
}

fn radix_digits(n: &BigInt, kind: char) -> PyResult<String> {
    let magnitude = n.magnitude();
    Ok(match kind {
        'b' => magnitude.to_str_radix(2),
        'o' => magnitude.to_str_radix(8),
        'x' => magnitude.to_str_radix(16),
        'X' => magnitude.to_str_radix(16).to_uppercase(),
        _ => crate::digits::decimal(&magnitude.clone().into())?,
    })
}

/// `format(float, spec)`
pub(crate) fn format_float(f: f64, text: &str, type_name: &str) -> PyResult<String> {
    float_with(&Spec::parse(text, type_name)?, f, type_name)
}

fn float_with(spec: &Spec, f: f64, type_name: &str) -> PyResult<String> {
    let (body, percent) = match spec.kind {
        None => (float::digits_untyped(f, spec.precision, spec.alternate), ""),
        Some('%') => (
            float::digits(f * 100.0, 'f', spec.precision.unwrap_or(6), spec.alternate),
            "%",
        ),
        Some('n') => (
            float::digits(f, 'g', spec.precision.unwrap_or(6), spec.alternate),
            "",
        ),
        Some(kind @ ('e' | 'E' | 'f' | 'F' | 'g' | 'G')) => (
            float::digits(f, kind, spec.precision.unwrap_or(6), spec.alternate),
            "",
        ),
        Some(kind) => return Err(unknown_code(kind, type_name)),
    };
    let mut negative = f.is_sign_negative() && !f.is_nan();
    if negative && spec.no_negative_zero && !body.contains(|c: char| ('1'..='9').contains(&c)) {
        negative = f.is_infinite();
    }
    let whole = body
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(body.len());
    let (digits, rest) = body.split_at(whole);
    let rest = [rest, percent].concat();
    Ok(spec.number(negative, "", digits, &rest))
}

/// `format(complex, spec)`: each part by the spec, then padded.
pub(crate) fn format_complex(re: f64, im: f64, text: &str) -> PyResult<String> {
    let spec = Spec::parse(text, "complex")?;
    if let Some(kind) = spec.kind
        && !"eEfFgGn".contains(kind)
    {
        return Err(unknown_code(kind, "complex"));
    }
    if spec.fill == '0' {
        return Err(Raised::value_error(
            "Zero padding is not allowed in complex format specifier",
        ));
    }
    if spec.align == Some('=') {
        return Err(Raised::value_error(
            "'=' alignment flag is not allowed in complex format specifier",
        ));
    }
    let bare = Spec {
        width: 0,
        align: None,
        fill: ' ',
        ..spec.clone()
    };
    let untyped = spec.kind.is_none();
    let part = |v: f64| -> PyResult<String> {
        let text = float_with(&bare, v, "complex")?;
        Ok(match text.strip_suffix(".0") {
            Some(short) if untyped => short.to_owned(),
            _ => text,
        })
    };
    let imaginary = {
        let signed = Spec {
            sign: '+',
            ..bare.clone()
        };
        let text = float_with(&signed, im, "complex")?;
        match text.strip_suffix(".0") {
            Some(short) if untyped => short.to_owned(),
            _ => text,
        }
    };
    let body = if untyped && re == 0.0 && !re.is_sign_negative() {
        let plain = part(im)?;
        format!("{plain}j")
    } else if untyped {
        format!("({}{imaginary}j)", part(re)?)
    } else {
        format!("{}{imaginary}j", part(re)?)
    };
    Ok(spec.pad(&body, '>'))
}

/// `format(a, spec)` of a built-in value; `None` for types without a mini-language.
pub(crate) fn format_native(a: &Value, spec: &str, type_name: &str) -> PyResult<Option<String>> {
    Ok(Some(match a {
        Value::Str(s) => format_str(s, spec, type_name)?,
        Value::Int(_) | Value::BigInt(_) => format_int(a, spec, type_name)?,
        Value::Bool(b) => format_int(&Value::Int(i64::from(b.get())), spec, type_name)?,
        Value::Float(f) => format_float(f.get(), spec, type_name)?,
        _ => return Ok(None),
    }))
}

/// `format(a, spec)`
pub fn format(vm: &mut dyn Vm, a: &Value, spec: &str) -> PyResult<String> {
    if spec.is_empty() && !matches!(a, Value::Instance(_)) {
        return super::str(vm, a);
    }
    if let Some(text) = match a {
        Value::Bool(_) => format_native(a, spec, "bool")?,
        Value::Instance(_) => None,
        _ => format_native(a, spec, &a.type_name())?,
    } {
        return Ok(text);
    }
    let Some(method) = crate::ops::special(a, crate::name!("__format__")) else {
        return super::str(vm, a);
    };
    let result = crate::ops::call_special(vm, &method, a, &[Value::str(spec)])?;
    match result.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(Raised::type_error(format!(
            "__format__ must return a str, not {}",
            result.type_name()
        ))),
    }
}
