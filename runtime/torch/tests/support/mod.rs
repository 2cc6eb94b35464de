//! Runs scripts with torch, and compares what they print.

use std::path::Path;

pub use janus_session::Printed;

/// Runs a script file in an interpreter of its own.
pub fn run(path: &Path) -> Printed {
    janus_session::run_captured(|_| (), |vm| vm.run_file(path))
}

/// How far floats in texts may be apart: relative, and absolute for what rounds to nothing.
const RELATIVE: f64 = 1e-4;
const ABSOLUTE: f64 = 1e-6;

/// Splits a text into numbers and what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut start) = (0, 0);
    while at < bytes.len() {
        let after_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if !bytes[at].is_ascii_digit() || after_word {
            at += 1;
            continue;
        }
        let mut end = at;
        while end < bytes.len() {
            let c = bytes[end];
            let exponent_sign = matches!(c, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            let exponent = matches!(c, b'e' | b'E')
                && bytes
                    .get(end + 1)
                    .is_some_and(|d| d.is_ascii_digit() || matches!(d, b'+' | b'-'));
            if c.is_ascii_digit() || c == b'.' || exponent || exponent_sign {
                end += 1;
            } else {
                break;
            }
        }
        let begin = if at > start && bytes[at - 1] == b'-' {
            at - 1
        } else {
            at
        };
        if begin > start {
            out.push(&text[start..begin]);
        }
        out.push(&text[begin..end]);
        at = end;
        start = end;
    }
    if start < bytes.len() {
        out.push(&text[start..]);
    }
    out
}

fn is_float(token: &str) -> Option<f64> {
    if !token.contains(['.', 'e', 'E']) {
        return None;
    }
    token.parse().ok()
}

/// Padding between numbers moves with their widths.
fn squeeze(token: &str) -> String {
    token
        .split([' ', '\n'])
        .filter(|s| !s.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn same(a: &str, b: &str) -> bool {
    match (is_float(a), is_float(b)) {
        (Some(x), Some(y)) => {
            // A printed number is exact to half a unit of its last digit.
            let digits = |t: &str| {
                t.split(['e', 'E'])
                    .next()
                    .and_then(|m| m.split_once('.'))
                    .map_or(0, |(_, d)| d.len())
            };
            let unit = if a.contains(['e', 'E']) {
                0.0
            } else {
                10f64.powi(-(digits(a).min(digits(b)) as i32))
            };
            (x - y).abs() <= RELATIVE * x.abs().max(y.abs()) + ABSOLUTE.max(1.01 * unit)
        }
        _ => squeeze(a) == squeeze(b),
    }
}

/// The first difference between two texts: floats may differ by rounding, nothing else may.
pub fn difference(got: &str, want: &str) -> Option<String> {
    let (g, w) = (tokens(got), tokens(want));
    let at = g.iter().zip(&w).position(|(a, b)| !same(a, b));
    let at = match at {
        Some(at) => at,
        None if g.len() == w.len() => return None,
        None => g.len().min(w.len()),
    };
    let around = |t: &[&str]| -> String {
        t[at.saturating_sub(4).min(t.len())..(at + 5).min(t.len())].concat()
    };
    Some(format!("got:\n{}\nwant:\n{}", around(&g), around(&w)))
}
