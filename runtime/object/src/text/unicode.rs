//! What characters are to `str`, and their other cases.
//!
//! In: characters, texts. Out: what Python 3.11 says of them. Always: what its Unicode does not have is no letter and has
//! no other case, though the standard library of Rust may know it.

use super::characters::{
    ALPHABETIC, ASSIGNED, CONTINUES_NAME, DIGIT, FOLDED, LOWERCASE, NUMERIC, PRINTABLE, SPACE,
    STARTS_NAME, TITLED, UPPERCASE, ZEROS,
};

fn is_in(table: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let at = table.partition_point(|(first, _)| *first <= code);
    at.checked_sub(1)
        .and_then(|at| table.get(at))
        .is_some_and(|(_, last)| code <= *last)
}

macro_rules! predicates {
    ($($(#[$doc:meta])* $name:ident $table:ident $ascii:expr;)*) => {
        $($(#[$doc])*
        pub fn $name(c: char) -> bool {
            let of_ascii: fn(&char) -> bool = $ascii;
            if c.is_ascii() { of_ascii(&c) } else { is_in($table, c) }
        })*
    };
}

predicates! {
    /// `str.isalpha`
    is_alphabetic ALPHABETIC char::is_ascii_alphabetic;
    /// `str.isdigit`
    is_digit DIGIT char::is_ascii_digit;
    /// `str.isnumeric`
    is_numeric NUMERIC char::is_ascii_digit;
    /// `str.isprintable`
    is_printable PRINTABLE |c| matches!(c, ' '..='~');
    /// `str.isupper`
    is_upper UPPERCASE char::is_ascii_uppercase;
    /// `str.islower`
    is_lower LOWERCASE char::is_ascii_lowercase;
    /// `str.isspace`: also the four ASCII separators.
    is_space SPACE |c| matches!(c, '\t'..='\r' | '\u{1c}'..=' ');
    /// Whether an identifier may begin with it.
    starts_name STARTS_NAME |c| c.is_ascii_alphabetic() || *c == '_';
    /// Whether an identifier may go on with it.
    continues_name CONTINUES_NAME |c| c.is_ascii_alphanumeric() || *c == '_';
}

/// `str.isalnum`
pub fn is_alphanumeric(c: char) -> bool {
    is_alphabetic(c) || is_numeric(c)
}

/// Whether it is a capital followed by small letters, in one character.
pub fn is_title(c: char) -> bool {
    matches!(u32::from(c), 0x1c5 | 0x1c8 | 0x1cb | 0x1f2 | 0x1f88..=0x1f8f | 0x1f98..=0x1f9f
        | 0x1fa8..=0x1faf | 0x1fbc | 0x1fcc | 0x1ffc)
}

/// Whether it has a case.
pub fn is_cased(c: char) -> bool {
    is_upper(c) || is_lower(c) || is_title(c)
}

/// The ASCII form of a decimal digit.
pub fn decimal_digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c).filter(char::is_ascii_digit);
    }
    let code = u32::from(c);
    let at = ZEROS.partition_point(|zero| *zero <= code);
    let zero = at.checked_sub(1).and_then(|at| ZEROS.get(at))?;
    char::from_digit(code - zero, 10)
}

/// The other case of a character, if Python's Unicode has both.
fn other(out: &mut String, c: char, case: impl Iterator<Item = char>) {
    let start = out.len();
    out.extend(case);
    let known = |c: char| c.is_ascii() || is_in(ASSIGNED, c);
    if !known(c) || !out.get(start..).unwrap_or_default().chars().all(known) {
        out.truncate(start);
        out.push(c);
    }
}

fn exception(table: &[(u32, &'static str)], c: char) -> Option<&'static str> {
    let at = table.binary_search_by_key(&u32::from(c), |(code, _)| *code);
    Some(table.get(at.ok()?)?.1)
}

/// Pushes the capital of a character.
pub fn push_upper(out: &mut String, c: char) {
    other(out, c, c.to_uppercase());
}

/// Pushes the first letter of a word.
pub fn push_title(out: &mut String, c: char) {
    match exception(TITLED, c) {
        Some(text) => out.push_str(text),
        None => push_upper(out, c),
    }
}

/// Pushes the small form of the character at `at`: a sigma at the end of a word has its own.
pub fn push_lower(out: &mut String, text: &str, at: usize, c: char) {
    if c == 'Σ' {
        let case = |c: &char| !is_ignored(*c);
        let before = text.get(..at).unwrap_or_default().chars().rev().find(case);
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        let ends = before.is_some_and(is_cased) && !after.chars().find(case).is_some_and(is_cased);
        out.push(if ends { 'ς' } else { 'σ' });
        return;
    }
    other(out, c, c.to_lowercase());
}

/// Whether a character between letters does not part them.
fn is_ignored(c: char) -> bool {
    // Rust decides on a sigma by the same property, which it does not show.
    let probe: String = ['a', c, 'Σ'].iter().collect();
    !is_cased(c) && probe.to_lowercase().ends_with('ς')
}

/// `str.lower`
pub fn to_lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        push_lower(&mut out, text, at, c);
    }
    out
}

/// `str.upper`
pub fn to_upper(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_upper(&mut out, c);
    }
    out
}

/// `str.casefold`
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match exception(FOLDED, c) {
            Some(folded) => out.push_str(folded),
            None => other(&mut out, c, c.to_lowercase()),
        }
    }
    out
}
