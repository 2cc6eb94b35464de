//! Compares a script's output with golden output: text to the letter, floats within a bound.

/// Largest relative difference between two printed floats that came from PyTorch and from us:
/// reduction order differs, and training carries the difference on.
pub const RELATIVE: f64 = 1e-4;

/// Floats that are nearly nothing are compared with this absolute bound.
const ABSOLUTE: f64 = 1e-6;

/// The first difference, as a message, or `None`.
pub fn difference(expected: &str, actual: &str) -> Option<String> {
    let (mut e, mut a) = (expected.lines(), actual.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (e.next(), a.next()) {
            (None, None) => return None,
            (Some(x), Some(y)) if same_line(x, y) => {}
            (x, y) => {
                return Some(format!(
                    "line {number}\n  expected: {}\n  actual:   {}",
                    x.unwrap_or("<end of output>"),
                    y.unwrap_or("<end of output>")
                ));
            }
        }
    }
}

fn same_line(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (tokens(a), tokens(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x == y || close(x, y))
}

/// Splits into numbers with a point or an exponent, and everything else.
fn tokens(line: &str) -> Vec<&str> {
    let bytes = line.as_bytes();
    let mut out = Vec::new();
    let (mut i, mut text) = (0, 0);
    while i < bytes.len() {
        let in_word = i > 0 && (bytes[i - 1].is_ascii_alphanumeric() || bytes[i - 1] == b'_');
        let len = if in_word { 0 } else { float_len(&bytes[i..]) };
        if len == 0 {
            i += 1;
            continue;
        }
        // Column padding moves when a digit does.
        out.push(line[text..i].trim_end_matches(' '));
        out.push(&line[i..i + len]);
        i += len;
        text = i;
    }
    out.push(&line[text..]);
    out
}

/// Length of the float literal at the start: `-1.5e-3`, `2.`, `1e5`; 0 if there is none (an
/// integer is none: those must be equal).
fn float_len(b: &[u8]) -> usize {
    let digits = |from: usize| b[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut i = usize::from(matches!(b.first(), Some(b'-')));
    let whole = digits(i);
    i += whole;
    let mut is_float = false;
    if b.get(i) == Some(&b'.') && whole > 0 {
        i += 1 + digits(i + 1);
        is_float = true;
    }
    if whole > 0 && matches!(b.get(i), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(b.get(i + 1), Some(b'-' | b'+')));
        let exponent = b.get(i + 1 + sign..).map_or(0, |_| digits(i + 1 + sign));
        if exponent > 0 {
            i += 1 + sign + exponent;
            is_float = true;
        }
    }
    if is_float { i } else { 0 }
}

fn close(a: &str, b: &str) -> bool {
    let (Ok(x), Ok(y)) = (a.parse::<f64>(), b.parse::<f64>()) else {
        return false;
    };
    // The last printed digit may round either way.
    let digit = a
        .split_once('.')
        .filter(|(_, f)| !f.contains(['e', 'E']))
        .map_or(0.0, |(_, f)| {
            10f64.powi(-i32::try_from(f.len()).unwrap_or(0)) * 1.01
        });
    (x - y).abs() <= (RELATIVE * x.abs().max(y.abs())).max(ABSOLUTE).max(digit)
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn floats_within_the_bound_are_equal() {
        assert_eq!(
            difference("loss 2.30259 acc 10%", "loss 2.30261 acc 10%"),
            None
        );
        assert_eq!(difference("1.5e-08", "0.0"), None);
    }

    #[test]
    fn integers_names_and_larger_differences_are_not() {
        assert!(difference("epoch 3", "epoch 4").is_some());
        assert!(difference("loss 2.3026", "loss 2.3126").is_some());
        assert!(difference("v1.5", "v1.6").is_some());
        assert!(difference("a\nb", "a").is_some());
    }
}
