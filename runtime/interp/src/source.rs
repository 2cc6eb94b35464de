//! Bytes of a source file to text.
//!
//! In: a file's bytes, or those that `compile` is given. Out: their text, or CPython's SyntaxError. Always: UTF-8 unless
//! one of the first two lines declares another encoding (PEP 263), which may be any that `codecs` knows.

use janus_object::{Args, ExcKind, PyResult, Raised, Value, Vm, attr, name, text};

/// The text of a source file. `shown` is its name in messages.
pub(crate) fn decode(vm: &mut dyn Vm, bytes: Vec<u8>, shown: &str) -> PyResult<String> {
    read(vm, bytes, Some(shown))
}

/// The text of bytes that `compile`, `exec` or `eval` is given.
pub(crate) fn decode_given(vm: &mut dyn Vm, bytes: Vec<u8>) -> PyResult<String> {
    read(vm, bytes, None)
}

fn read(vm: &mut dyn Vm, bytes: Vec<u8>, shown: Option<&str>) -> PyResult<String> {
    let declared = declared_encoding(&bytes);
    let encoding = declared.as_deref().map(normalized);
    match encoding.as_deref() {
        None | Some("utf-8") => String::from_utf8(bytes)
            .map_err(|e| {
                let at = e.utf8_error().valid_up_to();
                match shown {
                    Some(shown) => undecodable(e.as_bytes(), at, declared.is_some(), shown),
                    None => error(format!(
                        "(unicode error) 'utf-8' codec can't decode byte 0x{:02x} in position {at}: \
                         invalid start byte",
                        e.as_bytes().get(at).copied().unwrap_or_default()
                    )),
                }
            })
            .and_then(janus_object::text::decoded),
        // The first 256 characters of Unicode are those of Latin-1.
        Some("latin-1") => Ok(bytes.into_iter().map(char::from).collect()),
        Some("ascii") => match bytes.iter().position(|b| !b.is_ascii()) {
            None => Ok(bytes.into_iter().map(char::from).collect()),
            Some(at) => Err(error(format!(
                "(unicode error) 'ascii' codec can't decode byte 0x{:02x} in position {at}: \
                 ordinal not in range(128)",
                bytes[at]
            ))),
        },
        Some(other) => {
            let problem = match shown {
                Some(_) => "encoding problem",
                None => "unknown encoding",
            };
            by_codec(vm, other, Value::bytes(bytes), problem)
        }
    }
}

/// Decodes with an encoding of the module `codecs`.
fn by_codec(vm: &mut dyn Vm, encoding: &str, bytes: Value, problem: &str) -> PyResult<String> {
    let codecs = vm.import("codecs")?;
    let decode = attr::get(vm, &codecs, name!("decode"))?;
    let decoded = vm.call(&decode, Args::new(&[bytes, Value::str(encoding)]));
    match decoded {
        Ok(decoded) => match decoded.as_str() {
            Some(decoded) => Ok(decoded.to_owned()),
            None => Err(error(format!("{problem}: {encoding}"))),
        },
        Err(raised) if raised.is(ExcKind::LookupError) => {
            Err(error(format!("{problem}: {encoding}")))
        }
        Err(raised) if raised.is(ExcKind::UnicodeDecodeError) => {
            let why = text::str(vm, &Value::Instance(raised.0))?;
            Err(error(format!("(unicode error) {why}")))
        }
        Err(raised) => Err(raised),
    }
}

fn error(message: String) -> Raised {
    Raised::new(ExcKind::SyntaxError, message)
}

fn undecodable(bytes: &[u8], at: usize, declared: bool, shown: &str) -> Raised {
    let byte = bytes.get(at).copied().unwrap_or_default();
    let before = bytes.get(..at).unwrap_or_default();
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    if declared {
        return error(format!(
            "(unicode error) 'utf-8' codec can't decode byte 0x{byte:02x} in line {line}"
        ));
    }
    error(format!(
        "Non-UTF-8 code starting with '\\x{byte:02x}' in file {shown} on line {line}, but no \
         encoding declared; see https://peps.python.org/pep-0263/ for details"
    ))
}

/// The name in a comment such as `# -*- coding: latin-1 -*-` in the first two lines.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for line in bytes.split(|&b| b == b'\n').take(2) {
        let line = line.trim_ascii();
        let Some(comment) = line.strip_prefix(b"#") else {
            // Only a blank first line lets the second one declare anything.
            if line.is_empty() {
                continue;
            }
            return None;
        };
        if let Some(name) = in_comment(comment) {
            return Some(name);
        }
    }
    None
}

fn in_comment(comment: &[u8]) -> Option<String> {
    const WORD: &[u8] = b"coding";
    let at = comment
        .windows(WORD.len() + 1)
        .position(|w| w.starts_with(WORD) && matches!(w[WORD.len()], b':' | b'='))?;
    let name: String = comment
        .get(at + WORD.len() + 1..)?
        .trim_ascii_start()
        .iter()
        .map(|&b| char::from(b))
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .collect();
    (!name.is_empty()).then_some(name)
}

/// One name for each encoding that we read.
fn normalized(name: &str) -> String {
    let lower = name.to_ascii_lowercase().replace('_', "-");
    match lower.as_str() {
        "utf-8" | "utf8" | "utf-8-sig" => "utf-8".to_owned(),
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" => "latin-1".to_owned(),
        "ascii" | "us-ascii" => "ascii".to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_declared_encodings() {
        let mut interp = crate::Interp::new();
        let mut text = |bytes: &[u8]| decode(&mut interp, bytes.to_vec(), "f.py").ok();
        assert_eq!(text(b"x = 1"), Some("x = 1".to_owned()));
        let latin = b"#!/bin/x\n# -*- coding: latin-1 -*-\n'\xe9'";
        assert!(text(latin).is_some_and(|t| t.ends_with("'\u{e9}'")));
        // Not in the third line, and not after code.
        assert_eq!(text(b"\n\n# coding: latin-1\n'\xe9'"), None);
        assert_eq!(text(b"x = 1\n# coding: latin-1\n'\xe9'"), None);
        assert_eq!(text(b"# coding: nonsense\n"), None);
        assert_eq!(text(b"# coding=utf8\n\xff"), None);
    }
}
