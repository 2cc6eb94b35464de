//! The encodings `unicode_escape` and `raw_unicode_escape`.
//!
//! In: text, or bytes. Out: bytes of ASCII and Latin-1 with escapes for the rest, or the text again. Always: what is
//! not an escape is Latin-1.

use std::fmt::Write as _;

use janus_bytecode::surrogate;

use crate::{ExcKind, PyResult, Raised, Value};

/// Bytes of text: raw escapes only what Latin-1 has not, else as in a string literal.
pub(super) fn encode(s: &str, raw: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len());
    let mut escape = String::new();
    for c in s.chars() {
        let code = surrogate::code_of(c);
        escape.clear();
        // Writing to a String cannot fail.
        let _ = match code {
            0x10000.. => write!(escape, "\\U{code:08x}"),
            0x100.. => write!(escape, "\\u{code:04x}"),
            _ if raw => {
                out.push(code as u8);
                continue;
            }
            0x5c => write!(escape, "\\\\"),
            0x0a => write!(escape, "\\n"),
            0x0d => write!(escape, "\\r"),
            0x09 => write!(escape, "\\t"),
            0x20..0x7f => {
                out.push(code as u8);
                continue;
            }
            _ => write!(escape, "\\x{code:02x}"),
        };
        out.extend_from_slice(escape.as_bytes());
    }
    out
}

/// Text of bytes.
pub(super) fn decode(data: &[u8], raw: bool) -> PyResult {
    let shown = if raw {
        "rawunicodeescape"
    } else {
        "unicodeescape"
    };
    let mut out = String::with_capacity(data.len());
    let mut at = 0;
    while let Some(&byte) = data.get(at) {
        let kind = data.get(at + 1).copied();
        if byte != b'\\' || (raw && !matches!(kind, Some(b'u' | b'U'))) {
            out.push(char::from(byte));
            at += 1;
            continue;
        }
        let fail = |length: usize, reason: &str| {
            Raised::unicode_error(
                ExcKind::UnicodeDecodeError,
                shown,
                Value::bytes(data.to_vec()),
                at..at + length,
                reason,
            )
        };
        let Some(kind) = kind else {
            return Err(fail(1, "\\ at end of string"));
        };
        let digits = match kind {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let end = data.len().min(at + 2 + digits);
            let hex = &data[at + 2..end];
            let right = hex.iter().take_while(|b| b.is_ascii_hexdigit()).count();
            if right < digits {
                let letter = char::from(kind);
                let full = "X".repeat(digits);
                let reason = format!("truncated \\{letter}{full} escape");
                return Err(fail(2 + right, &reason));
            }
            let code = hex.iter().fold(0u32, |n, b| {
                n << 4 | char::from(*b).to_digit(16).unwrap_or(0)
            });
            match surrogate::char_of(code) {
                Some(c) => out.push(c),
                None if surrogate::is_refused(code) => return Err(crate::text::refused()),
                None => return Err(fail(2 + digits, "illegal Unicode character")),
            }
            at += 2 + digits;
            continue;
        }
        if (b'0'..b'8').contains(&kind) {
            let octal = data[at + 1..].iter().take(3);
            let octal: Vec<u8> = octal
                .copied()
                .take_while(|b| (b'0'..b'8').contains(b))
                .collect();
            let code = octal.iter().fold(0u32, |n, b| n << 3 | u32::from(b - b'0'));
            out.extend(char::from_u32(code));
            at += 1 + octal.len();
            continue;
        }
        match kind {
            b'\n' => {}
            b'\\' | b'\'' | b'"' => out.push(char::from(kind)),
            b'a' => out.push('\x07'),
            b'b' => out.push('\x08'),
            b'f' => out.push('\x0c'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'v' => out.push('\x0b'),
            b'N' => return Err(fail(2, "names of characters are not supported here")),
            _ => {
                out.push('\\');
                out.push(char::from(kind));
            }
        }
        at += 2;
    }
    Ok(Value::from(out))
}
