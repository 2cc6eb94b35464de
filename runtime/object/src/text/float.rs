//! Text of floats.
//!
//! In: a float, a presentation type and a precision. Out: its digits as CPython writes them.
//! Always: `repr` is the shortest text that reads back; everything else is correctly rounded.

/// `repr` of a float: shortest digits, exponent form below 1e-4 and from 1e16 on.
pub fn float_repr(f: f64) -> String {
    if !f.is_finite() {
        return special(f).to_owned();
    }
    let (negative, digits, exponent) = shortest(f);
    let mut out = String::with_capacity(24);
    if negative {
        out.push('-');
    }
    if (-4..16).contains(&exponent) {
        push_fixed(&mut out, &digits, exponent);
        if exponent >= digits.len() as i32 - 1 {
            out.push_str(".0");
        }
    } else {
        push_scientific(&mut out, &digits, exponent, 'e');
    }
    out
}

fn special(f: f64) -> &'static str {
    if f.is_nan() {
        "nan"
    } else if f > 0.0 {
        "inf"
    } else {
        "-inf"
    }
}

/// Sign, shortest digits and decimal exponent (of the first digit) of a finite float.
fn shortest(f: f64) -> (bool, String, i32) {
    if f == 0.0 {
        return (f.is_sign_negative(), "0".to_owned(), 0);
    }
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(f.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: String = [whole, fraction].concat();
    let leading = all.len() - all.trim_start_matches('0').len();
    let digits = all.trim_matches('0').to_owned();
    (
        f < 0.0,
        digits,
        exponent + whole.len() as i32 - 1 - leading as i32,
    )
}

/// Digits in positional notation, without a trailing ".0".
fn push_fixed(out: &mut String, digits: &str, exponent: i32) {
    if exponent < 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', (-exponent - 1) as usize));
        out.push_str(digits);
        return;
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        out.push_str(digits);
        out.extend(std::iter::repeat_n('0', whole - digits.len()));
    } else {
        let (before, after) = digits.split_at(whole);
        out.push_str(before);
        out.push('.');
        out.push_str(after);
    }
}

fn push_scientific(out: &mut String, digits: &str, exponent: i32, e: char) {
    let (first, rest) = digits.split_at(1.min(digits.len()));
    out.push_str(first);
    if !rest.is_empty() {
        out.push('.');
        out.push_str(rest);
    }
    push_exponent(out, exponent, e);
}

fn push_exponent(out: &mut String, exponent: i32, e: char) {
    out.push(e);
    out.push(if exponent < 0 { '-' } else { '+' });
    out.push_str(&format!("{:02}", exponent.abs()));
}

/// The magnitude of a float in a presentation type: `e f g E F G`, or `r` for `repr` without the
/// ".0" rule (the empty type of `format`). `alternate` keeps the point and trailing zeros.
pub(super) fn digits(f: f64, kind: char, precision: usize, alternate: bool) -> String {
    let f = f.abs();
    let upper = kind.is_ascii_uppercase();
    if !f.is_finite() {
        let text = special(f);
        return if upper {
            text.to_uppercase()
        } else {
            text.to_owned()
        };
    }
    let e = if upper { 'E' } else { 'e' };
    match kind.to_ascii_lowercase() {
        'f' => {
            let mut out = fixed(f, precision);
            if alternate && precision == 0 {
                out.push('.');
            }
            out
        }
        'e' => {
            let (mantissa, exponent) = scientific(f, precision);
            let mut out = mantissa;
            if alternate && precision == 0 {
                out.push('.');
            }
            push_exponent(&mut out, exponent, e);
            out
        }
        // 'g'
        _ => {
            let significant = precision.max(1);
            let (mantissa, exponent) = scientific(f, significant - 1);
            let mut all: String = mantissa.chars().filter(|c| *c != '.').collect();
            if !alternate {
                let kept = all.trim_end_matches('0').len().max(1);
                all.truncate(kept);
            }
            let mut out = String::new();
            if exponent < -4 || exponent >= significant as i32 {
                push_scientific(&mut out, &all, exponent, e);
                if alternate && all.len() == 1 {
                    out.insert(1, '.');
                }
            } else {
                push_fixed(&mut out, &all, exponent);
                if alternate && !out.contains('.') {
                    out.push('.');
                }
            }
            out
        }
    }
}

/// The magnitude as `format(f, "")` and `str` write it when a precision is given without a type:
/// as `g`, but with at least one digit after the point, and in exponent form already when the
/// exponent reaches the precision.
pub(super) fn digits_untyped(f: f64, precision: Option<usize>, alternate: bool) -> String {
    let f = f.abs();
    if !f.is_finite() {
        return special(f).to_owned();
    }
    let Some(precision) = precision else {
        return float_repr(f);
    };
    let significant = precision.max(1);
    let (mantissa, exponent) = scientific(f, significant - 1);
    let mut all: String = mantissa.chars().filter(|c| *c != '.').collect();
    if !alternate {
        let kept = all.trim_end_matches('0').len().max(1);
        all.truncate(kept);
    }
    let mut out = String::new();
    // One digit after the point is reserved, so the switch comes one exponent earlier.
    if exponent < -4 || exponent >= significant as i32 - 1 {
        push_scientific(&mut out, &all, exponent, 'e');
        // One digit alone keeps its point where that is asked for.
        if alternate && !out.contains('.') {
            out.insert(1, '.');
        }
    } else {
        push_fixed(&mut out, &all, exponent);
        if !out.contains('.') {
            out.push_str(".0");
        }
    }
    out
}

/// No float has more digits than these, before or behind the point; what else is asked for are zeros.
const MOST_DIGITS: usize = 1100;

/// Positional notation with `precision` digits after the point.
pub(crate) fn fixed(f: f64, precision: usize) -> String {
    if let Some(out) = fixed_in_words(f, precision) {
        return out;
    }
    let known = precision.min(MOST_DIGITS);
    let mut out = format!("{f:.known$}");
    out.extend(std::iter::repeat_n('0', precision - known));
    out
}

/// The same where the digits are an integer of 64 bits, which that of a float times a power of ten is rounded to exactly, half to even.
fn fixed_in_words(f: f64, precision: usize) -> Option<String> {
    /// Ten to this power times a mantissa are 110 bits.
    const MOST: usize = 17;
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    let exponent = (f.to_bits() >> MANTISSA & 0x7ff) as i32;
    // Neither denormal nor infinite.
    if precision > MOST || !(1..0x7ff).contains(&exponent) {
        return None;
    }
    let mantissa = f.to_bits() & ((1 << MANTISSA) - 1) | 1 << MANTISSA;
    let scaled = u128::from(mantissa) * 10u128.pow(precision as u32);
    let shift = 1023 + MANTISSA as i32 - exponent;
    let digits = match shift {
        ..=0 => scaled.checked_mul(1u128.checked_shl(shift.unsigned_abs())?)?,
        1..=120 => {
            let (floor, rest) = (scaled >> shift, scaled & ((1 << shift) - 1));
            let half = 1 << (shift - 1);
            floor + u128::from(rest > half || rest == half && floor & 1 == 1)
        }
        _ => return None,
    };
    let digits = u64::try_from(digits).ok()?;
    let sign = if f < 0.0 { "-" } else { "" };
    let ten = 10u64.pow(precision as u32);
    let (whole, behind) = (digits / ten, digits % ten);
    Some(match precision {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{behind:0precision$}"),
    })
}

/// Mantissa with `precision` digits after the point, and exponent.
fn scientific(f: f64, precision: usize) -> (String, i32) {
    let known = precision.min(MOST_DIGITS);
    let text = format!("{f:.known$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut mantissa = mantissa.to_owned();
    mantissa.extend(std::iter::repeat_n('0', precision - known));
    (mantissa, exponent.parse().unwrap_or(0))
}
