//! Compares a script's output with golden output: text to the letter, floats within a bound.

/// Largest relative difference between two printed floats that came from PyTorch and from us:
/// reduction order differs, and training carries the difference on.
pub const RELATIVE: f64 = 1e-4;

/// Floats that are nearly nothing are compared with this absolute bound.
const ABSOLUTE: f64 = 1e-6;

/// The share of a printed float that its last digit is at most, for a difference of that to be rounding.
const ROUNDED: f64 = 0.05;

/// The first difference, as a message, or `None`.
pub fn difference(expected: &str, actual: &str) -> Option<String> {
    difference_within(expected, actual, |_| RELATIVE)
}

/// The same with a bound of its own for each line of the expected output.
pub fn difference_within(
    expected: &str,
    actual: &str,
    mut bound: impl FnMut(&str) -> f64,
) -> Option<String> {
    let (mut e, mut a) = (expected.lines(), actual.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (e.next(), a.next()) {
            (None, None) => return None,
            (Some(x), Some(y)) if same_line(x, y, bound(x)) => {}
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

/// The largest relative difference of two outputs' floats, or `None` if anything else differs.
pub fn spread(a: &str, b: &str) -> Option<f64> {
    if a.lines().count() != b.lines().count() {
        return None;
    }
    let mut largest = 0.0f64;
    for (x, y) in a.lines().zip(b.lines()) {
        let (x, y) = (tokens(x), tokens(y));
        if x.len() != y.len() {
            return None;
        }
        for (x, y) in x.iter().zip(&y).filter(|(x, y)| x != y) {
            let (p, q) = (x.parse::<f64>().ok()?, y.parse::<f64>().ok()?);
            let beyond_rounding = ((p - q).abs() - rounding(x)).max(0.0);
            largest = largest.max(beyond_rounding / p.abs().max(q.abs()));
        }
    }
    Some(largest)
}

fn same_line(a: &str, b: &str, bound: f64) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (tokens(a), tokens(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x == y || close(x, y, bound))
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

fn close(a: &str, b: &str, bound: f64) -> bool {
    let float = |t: &str| {
        let whole = float_len(t.as_bytes()) == t.len();
        t.parse::<f64>().ok().filter(|_| whole)
    };
    let (Some(x), Some(y)) = (float(a), float(b)) else {
        return false;
    };
    let (apart, size) = ((x - y).abs(), x.abs().max(y.abs()));
    // Its last digit may round either way, where that is not most of what is printed.
    let rounded = rounding(a).min(rounding(b)).min(ROUNDED * size);
    apart <= (bound * size).max(ABSOLUTE).max(rounded)
}

/// How far rounding may move a printed float: its last digit may round either way.
fn rounding(printed: &str) -> f64 {
    printed
        .split_once('.')
        .filter(|(_, f)| !f.contains(['e', 'E']))
        .map_or(0.0, |(_, f)| {
            10f64.powi(-i32::try_from(f.len()).unwrap_or(0)) * 1.01
        })
}

#[cfg(test)]
mod tests {
    use super::{difference, difference_within, spread};

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
        assert!(difference("100000", "100001").is_some());
        assert!(difference("x 0.01", "x 0.02").is_some());
        assert!(difference("x 1.0", "x 1.002").is_some());
        assert!(difference("a\nb", "a").is_some());
    }

    #[test]
    fn a_line_may_have_its_own_bound() {
        let bound = |line: &str| {
            if line.starts_with("first") {
                1e-6
            } else {
                1e-2
            }
        };
        let expected = "first 2.302585\nlater 2.302585";
        assert_eq!(
            difference_within(expected, "first 2.302586\nlater 2.312585", bound),
            None
        );
        assert!(difference_within(expected, "first 2.302685\nlater 2.302585", bound).is_some());
        assert!(difference_within(expected, "first 2.302585\nlater 2.402585", bound).is_some());
    }

    #[test]
    fn the_spread_of_two_outputs_is_beyond_rounding() {
        assert_eq!(spread("a 0.0001 b 3", "a 0.0002 b 3"), Some(0.0));
        let moved = spread("loss 2.0000\nloss 2.0000", "loss 2.0000\nloss 2.0200");
        assert!(moved.is_some_and(|d| (d - 0.0098).abs() < 1e-3));
        assert_eq!(spread("length 21", "length 22"), None);
        assert_eq!(spread("loss 1.0", "loss 1.0\nloss 1.0"), None);
    }
}
