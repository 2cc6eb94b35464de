//! `strptime`: dates and times out of text.
//!
//! In: text and a format. Out: the fields it gives. Always: the errors are those of CPython; what
//! the format does not mention is that of the first of January 1900.

use chrono::{Datelike, NaiveDate, NaiveDateTime};
use janus_object::{PyResult, Raised, text::str_repr};

/// What was read.
pub(super) struct Parsed {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    /// `%f`
    pub microsecond: i64,
    /// `%z` in seconds.
    pub offset: Option<i64>,
    day_of_year: Option<i64>,
    hour12: Option<i64>,
    afternoon: Option<bool>,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

impl Parsed {
    /// The date and time.
    pub fn date_time(&self) -> PyResult<NaiveDateTime> {
        let hour = match (self.hour12, self.afternoon) {
            (Some(hour), Some(true)) => hour % 12 + 12,
            (Some(hour), Some(false)) => hour % 12,
            (Some(hour), None) => hour,
            (None, _) => self.hour,
        };
        let (mut month, mut day) = (self.month, self.day);
        if let Some(ordinal) = self.day_of_year
            && let Some(date) = NaiveDate::from_yo_opt(self.year as i32, ordinal as u32)
        {
            (month, day) = (i64::from(date.month()), i64::from(date.day()));
        }
        super::date_time([
            self.year,
            month,
            day,
            hour,
            self.minute,
            self.second.min(59),
        ])
    }
}

/// Reads `text` by `format`.
pub(super) fn parse(text: &str, format: &str) -> PyResult<Parsed> {
    let mut parsed = Parsed {
        year: 1900,
        month: 1,
        day: 1,
        hour: 0,
        minute: 0,
        second: 0,
        microsecond: 0,
        offset: None,
        day_of_year: None,
        hour12: None,
        afternoon: None,
    };
    match run(text, format, &mut parsed)? {
        Some("") => Ok(parsed),
        Some(rest) => Err(Raised::value_error(format!(
            "unconverted data remains: {rest}"
        ))),
        None => Err(Raised::value_error(format!(
            "time data {} does not match format {}",
            str_repr(text),
            str_repr(format)
        ))),
    }
}

/// What is left of the text; none if it does not fit.
fn run<'a>(mut text: &'a str, format: &str, parsed: &mut Parsed) -> PyResult<Option<&'a str>> {
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            let trimmed = text.trim_start();
            if trimmed.len() == text.len() {
                return Ok(None);
            }
            text = trimmed;
            continue;
        }
        let rest = if c != '%' {
            text.strip_prefix(c)
        } else {
            let Some(directive) = chars.next() else {
                return Err(Raised::value_error(format!(
                    "stray % in format {}",
                    str_repr(format)
                )));
            };
            match field(text, directive, parsed) {
                Ok(rest) => rest,
                Err(()) => {
                    return Err(Raised::value_error(format!(
                        "'{directive}' is a bad directive in format {}",
                        str_repr(format)
                    )));
                }
            }
        };
        match rest {
            Some(rest) => text = rest,
            None => return Ok(None),
        }
    }
    Ok(Some(text))
}

/// Up to `width` digits within bounds. Fewer are taken if all of them are out of bounds.
fn number(text: &str, width: usize, low: i64, high: i64) -> Option<(i64, &str)> {
    let digits = text
        .bytes()
        .take(width)
        .take_while(u8::is_ascii_digit)
        .count();
    (1..=digits).rev().find_map(|n| {
        let value: i64 = text.get(..n)?.parse().ok()?;
        ((low..=high).contains(&value)).then_some((value, text.get(n..)?))
    })
}

/// A name, or its first three letters.
fn word<'a>(text: &'a str, names: &[&str], short: bool) -> Option<(usize, &'a str)> {
    names.iter().enumerate().find_map(|(i, name)| {
        let wanted = if short { name.get(..3)? } else { name };
        let head = text.get(..wanted.len())?;
        head.eq_ignore_ascii_case(wanted)
            .then_some((i, text.get(wanted.len()..)?))
    })
}

/// Reads one directive; an error for one that does not exist.
fn field<'a>(text: &'a str, directive: char, parsed: &mut Parsed) -> Result<Option<&'a str>, ()> {
    let take = |width: usize, low: i64, high: i64, slot: &mut i64| {
        number(text, width, low, high).map(|(value, rest)| {
            *slot = value;
            rest
        })
    };
    Ok(match directive {
        'Y' => match text.bytes().take(4).filter(u8::is_ascii_digit).count() {
            4 => take(4, 0, 9999, &mut parsed.year),
            _ => None,
        },
        'm' => take(2, 1, 12, &mut parsed.month),
        'd' => take(2, 1, 31, &mut parsed.day),
        'e' => number(text.trim_start(), 2, 1, 31).map(|(value, rest)| {
            parsed.day = value;
            rest
        }),
        'H' => take(2, 0, 23, &mut parsed.hour),
        'M' => take(2, 0, 59, &mut parsed.minute),
        'S' => take(2, 0, 61, &mut parsed.second),
        'y' => number(text, 2, 0, 99).map(|(value, rest)| {
            parsed.year = if value <= 68 {
                2000 + value
            } else {
                1900 + value
            };
            rest
        }),
        'I' => number(text, 2, 1, 12).map(|(value, rest)| {
            parsed.hour12 = Some(value);
            rest
        }),
        'j' => number(text, 3, 1, 366).map(|(value, rest)| {
            parsed.day_of_year = Some(value);
            rest
        }),
        'f' => {
            let digits = text.bytes().take(6).take_while(u8::is_ascii_digit).count();
            text.get(..digits).filter(|d| !d.is_empty()).map(|d| {
                parsed.microsecond = format!("{d:0<6}").parse().unwrap_or(0);
                text.get(digits..).unwrap_or("")
            })
        }
        'p' => word(text, &["am", "pm"], false).map(|(i, rest)| {
            parsed.afternoon = Some(i == 1);
            rest
        }),
        'b' | 'h' => word(text, &MONTHS, true).map(|(i, rest)| {
            parsed.month = i as i64 + 1;
            rest
        }),
        'B' => word(text, &MONTHS, false).map(|(i, rest)| {
            parsed.month = i as i64 + 1;
            rest
        }),
        'a' => word(text, &DAYS, true).map(|(_, rest)| rest),
        'A' => word(text, &DAYS, false).map(|(_, rest)| rest),
        'z' => offset(text).map(|(seconds, rest)| {
            parsed.offset = Some(seconds);
            rest
        }),
        'Z' => ["UTC", "GMT"]
            .iter()
            .find_map(|zone| text.strip_prefix(zone)),
        'T' => return run(text, "%H:%M:%S", parsed).map_err(|_| ()),
        'D' => return run(text, "%m/%d/%y", parsed).map_err(|_| ()),
        'F' => return run(text, "%Y-%m-%d", parsed).map_err(|_| ()),
        'R' => return run(text, "%H:%M", parsed).map_err(|_| ()),
        'x' => return run(text, "%m/%d/%y", parsed).map_err(|_| ()),
        'X' => return run(text, "%H:%M:%S", parsed).map_err(|_| ()),
        'c' => return run(text, "%a %b %d %H:%M:%S %Y", parsed).map_err(|_| ()),
        '%' => text.strip_prefix('%'),
        _ => return Err(()),
    })
}

/// `+hhmm`, `+hh:mm` or `Z`.
fn offset(text: &str) -> Option<(i64, &str)> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some((0, rest));
    }
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    let (hours, rest) = (rest.get(..2)?.parse::<i64>().ok()?, rest.get(2..)?);
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let (minutes, rest) = (rest.get(..2)?.parse::<i64>().ok()?, rest.get(2..)?);
    Some((sign * (hours * 3600 + minutes * 60), rest))
}
