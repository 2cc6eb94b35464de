//! What differs between two results of a sample.
//!
//! In: what CPython + PyTorch show, and what is shown here. Out: the kind of difference. Always: text, ints, shapes, dtypes
//! and errors are compared to the letter, floats within the bound of their dtype.

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The process ended.
    Crash,
    /// It did not end.
    Hang,
    /// Compiled code gives something else than tier 0.
    Tiers,
    /// A number.
    Value,
    /// The dtype of a result.
    Dtype,
    /// The shape of a result.
    Shape,
    /// Whether a result requires grad.
    RequiresGrad,
    /// Anything else that is shown.
    Text,
    /// The sign of a zero.
    SignOfZero,
    /// It gives something where PyTorch raises.
    DoesNotRaise,
    /// It raises where PyTorch does not.
    Raises,
    /// The class of the error.
    ErrorType,
    /// The error's first line.
    Message,
    /// It is not implemented, and says so.
    Missing,
}

impl Kind {
    /// Its name in reports and in the list of known differences.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Crash => "crash",
            Kind::Hang => "hang",
            Kind::Tiers => "tiers",
            Kind::Value => "value",
            Kind::Dtype => "dtype",
            Kind::Shape => "shape",
            Kind::RequiresGrad => "requires-grad",
            Kind::Text => "text",
            Kind::SignOfZero => "sign-of-zero",
            Kind::DoesNotRaise => "does-not-raise",
            Kind::Raises => "raises",
            Kind::ErrorType => "error-type",
            Kind::Message => "message",
            Kind::Missing => "missing",
        }
    }
}

/// Of each dtype: how far two floats may lie apart, as a share of the larger one; and the smallest number, twice.
const BOUNDS: [(&str, f64, f64); 6] = [
    ("f64", 1e-11, 1e-323),
    ("c128", 1e-11, 1e-323),
    ("f32", 1e-5, 3e-45),
    ("c64", 1e-5, 3e-45),
    ("f16", 4e-3, 1.2e-7),
    ("bf16", 3e-2, 2e-40),
];
/// The same for Python's floats.
const PYTHON: (f64, f64) = (4e-15, 1e-323);

#[derive(Debug, PartialEq)]
enum Token<'a> {
    Text(&'a str),
    Int(&'a str),
    Float(f64),
    /// The head of a tensor: dtype, shape, whether it requires grad.
    Head(&'a str, &'a str, bool),
    End,
}

/// The head of a tensor at the start of a text, and its length.
fn head(text: &str) -> Option<(Token<'_>, usize)> {
    let bracket = text.find('[')?;
    let dtype = &text[..bracket];
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if dtype.is_empty()
        || !dtype.chars().all(word)
        || dtype.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let close = bracket + text[bracket..].find(']')?;
    let shape = &text[bracket + 1..close];
    if !shape.chars().all(|c| c.is_ascii_digit() || c == 'x') {
        return None;
    }
    let rest = &text[close + 1..];
    let grad = rest.starts_with("g(");
    (grad || rest.starts_with('(')).then(|| {
        let len = close + 2 + usize::from(grad);
        (Token::Head(dtype, shape, grad), len)
    })
}

/// The number at the start of a text, and its length.
fn number(text: &str) -> Option<(Token<'_>, usize)> {
    for (name, value) in [
        ("nan", f64::NAN),
        ("inf", f64::INFINITY),
        ("-inf", f64::NEG_INFINITY),
    ] {
        if text.starts_with(name)
            && !text[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        {
            return Some((Token::Float(value), name.len()));
        }
    }
    let b = text.as_bytes();
    let digits = |from: usize| b[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let sign = usize::from(b.first() == Some(&b'-'));
    let whole = digits(sign);
    if whole == 0 {
        return None;
    }
    let mut len = sign + whole;
    let mut float = false;
    if b.get(len) == Some(&b'.') {
        len += 1 + digits(len + 1);
        float = true;
    }
    if matches!(b.get(len), Some(b'e' | b'E')) {
        let s = usize::from(matches!(b.get(len + 1), Some(b'-' | b'+')));
        let exponent = b.get(len + 1 + s..).map_or(0, |_| digits(len + 1 + s));
        if exponent > 0 {
            len += 1 + s + exponent;
            float = true;
        }
    }
    let token = match text[..len].parse() {
        Ok(value) if float => Token::Float(value),
        _ => Token::Int(&text[..len]),
    };
    Some((token, len))
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let (mut at, mut from) = (0, 0);
    // Inside of a tensor numbers are of its dtype.
    let mut inside = false;
    let mut last_word = false;
    let mut quote: Option<char> = None;
    while let Some(c) = text[at..].chars().next() {
        if let Some(q) = quote {
            // Text of a string is compared to the letter.
            let step = if c == '\\' {
                text[at..].chars().nth(1).map_or(1, |d| 1 + d.len_utf8())
            } else {
                c.len_utf8()
            };
            if c == q {
                quote = None;
            }
            at += step;
            last_word = false;
            continue;
        }
        if !inside && (c == '\'' || c == '"') {
            quote = Some(c);
            at += 1;
            continue;
        }
        let found = if last_word {
            None
        } else if inside {
            number(&text[at..])
        } else {
            head(&text[at..]).or_else(|| number(&text[at..]))
        };
        if let Some((token, len)) = found {
            if from < at {
                out.push(Token::Text(&text[from..at]));
            }
            inside |= matches!(token, Token::Head(..));
            out.push(token);
            at += len;
            from = at;
            last_word = false;
            continue;
        }
        if inside && c == ')' {
            if from < at {
                out.push(Token::Text(&text[from..at]));
            }
            out.push(Token::End);
            inside = false;
            at += 1;
            from = at;
            last_word = false;
            continue;
        }
        last_word = c.is_alphanumeric() || c == '_' || c == '.';
        at += c.len_utf8();
    }
    if from < at {
        out.push(Token::Text(&text[from..]));
    }
    out
}

/// Whether the numbers of one tensor lie within its dtype's bound; a number that is small beside most of the others comes
/// of a sum that cancels, and is measured by them.
fn close(x: f64, y: f64, (relative, tiny): (f64, f64), scale: f64) -> bool {
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    x == y
        || x.is_finite()
            && y.is_finite()
            && (x - y).abs() <= (relative * x.abs().max(y.abs()).max(scale * 0.1)).max(tiny)
}

/// The median of the finite numbers of a tensor, without signs.
fn scale(of: &[Token]) -> f64 {
    let mut all: Vec<f64> = of
        .iter()
        .take_while(|t| **t != Token::End)
        .filter_map(|t| match t {
            Token::Float(v) if v.is_finite() => Some(v.abs()),
            Token::Int(text) => text.parse::<f64>().ok().map(f64::abs),
            _ => None,
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

fn of_results(expected: &str, actual: &str) -> Option<Kind> {
    let (e, a) = (tokens(expected), tokens(actual));
    let heads = |t: &[Token<'_>]| -> Vec<(String, String, bool)> {
        t.iter()
            .filter_map(|t| match t {
                Token::Head(d, s, g) => Some(((*d).to_owned(), (*s).to_owned(), *g)),
                _ => None,
            })
            .collect()
    };
    let (he, ha) = (heads(&e), heads(&a));
    if he.len() != ha.len() {
        return Some(Kind::Text);
    }
    for ((de, se, ge), (da, sa, ga)) in he.iter().zip(&ha) {
        let kind = if de != da {
            Kind::Dtype
        } else if se != sa {
            Kind::Shape
        } else if ge != ga {
            Kind::RequiresGrad
        } else {
            continue;
        };
        return Some(kind);
    }
    if e.len() != a.len() {
        return Some(Kind::Text);
    }
    let mut bound = None;
    let mut worst: Option<Kind> = None;
    for (k, pair) in e.iter().zip(&a).enumerate() {
        let kind = match pair {
            (Token::Head(dtype, ..), Token::Head(..)) => {
                let of = BOUNDS.iter().find(|b| b.0 == *dtype);
                bound = of.map(|b| ((b.1, b.2), scale(&e[k + 1..])));
                continue;
            }
            (Token::End, Token::End) => {
                bound = None;
                continue;
            }
            (Token::Text(x), Token::Text(y)) if x == y => continue,
            (Token::Text(_), Token::Text(_)) if bound.is_none() => Kind::Text,
            (Token::Int(x), Token::Int(y)) if x == y => continue,
            (x, y) => {
                let value = |t: &Token| match t {
                    Token::Float(v) => Some(*v),
                    Token::Int(text) => text.parse().ok(),
                    _ => None,
                };
                let ints = matches!((x, y), (Token::Int(_), Token::Int(_))) && bound.is_none();
                match (value(x), value(y)) {
                    (Some(x), Some(y)) if x == 0.0 && y == 0.0 => {
                        if x.is_sign_negative() == y.is_sign_negative() {
                            continue;
                        }
                        Kind::SignOfZero
                    }
                    (Some(x), Some(y)) if !ints => {
                        let (limits, scale) = bound.unwrap_or((PYTHON, 0.0));
                        if close(x, y, limits, scale) {
                            continue;
                        }
                        Kind::Value
                    }
                    (Some(_), Some(_)) => Kind::Value,
                    _ => Kind::Text,
                }
            }
        };
        worst = Some(worst.map_or(kind, |w| w.min(kind)));
    }
    worst
}

/// What differs, if anything does.
pub fn difference(expected: &str, actual: &str) -> Option<Kind> {
    if expected == actual {
        return None;
    }
    if actual.starts_with("! crash") {
        return Some(Kind::Crash);
    }
    if actual.starts_with("! hang") {
        return Some(Kind::Hang);
    }
    let error = |text: &'_ str| text.strip_prefix("! ").map(str::to_owned);
    match (error(expected), error(actual)) {
        (None, None) => of_results(expected, actual),
        (_, Some(a)) if a.starts_with("NotImplementedError") => Some(Kind::Missing),
        (Some(_), None) => Some(Kind::DoesNotRaise),
        (None, Some(_)) => Some(Kind::Raises),
        (Some(e), Some(a)) => {
            let class = |text: &str| text.split(':').next().map(str::to_owned);
            Some(if class(&e) == class(&a) {
                Kind::Message
            } else {
                Kind::ErrorType
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, difference};

    #[test]
    fn kinds_are_told_apart() {
        let d = difference;
        assert_eq!(d("f32[2](1 2)", "f32[2](1.000001 2)"), None);
        assert_eq!(d("f32[2](1 2)", "f32[2](1.1 2)"), Some(Kind::Value));
        assert_eq!(d("f32[2](1 0)", "f32[2](1 -0)"), Some(Kind::SignOfZero));
        assert_eq!(d("f32[2](1 2)", "f64[2](1 2)"), Some(Kind::Dtype));
        assert_eq!(d("f32[2](1 2)", "f32[1x2](1 2)"), Some(Kind::Shape));
        assert_eq!(d("int64[1](3)", "int64[1](4)"), Some(Kind::Value));
        assert_eq!(d("'1.0'", "'1.000000001'"), Some(Kind::Text));
        assert_eq!(d("! TypeError: a", "! TypeError: b"), Some(Kind::Message));
        assert_eq!(d("1.0", "! ValueError: b"), Some(Kind::Raises));
        assert_eq!(d("f32[1](nan)", "f32[1](1)"), Some(Kind::Value));
    }
}
