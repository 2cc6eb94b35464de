//! Whether two texts say the same, and where they begin not to.
//!
//! In: what a script printed there and here. Out: the same text, the same but for the last digits of numbers, or the first line
//! that differs. Always: lines that tell of time are compared without their numbers.

use std::collections::HashMap;

/// How far numbers may be apart, as a share of the larger one: training carries the last digit's difference on.
const NEAR: f64 = 2e-3;
/// What is smaller than this share of the largest number that stood in its place counts as zero: a loss that sinks by many decades
/// carries the rounding of its beginning.
const SUNK: f64 = 1e-5;
/// So does what is this small.
const NOTHING: f64 = 2e-4;

/// Words of lines whose numbers are times.
const TIMES: &[&str] = &[
    "time", "sec", "second", "seconds", "ms", "elapsed", "s", "ms/batch", "took", "it/s", "mins",
    "minutes", "fps",
];

/// How two texts compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Likeness {
    /// Every character.
    Text,
    /// But for the last digits of numbers: the largest difference, as a share.
    Numbers(f64),
    /// The first line that differs (from 1), what it should be, and what it is.
    Differs(usize, String, String),
}

/// A text in words and numbers.
#[derive(Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Number(f64),
}

fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let bytes = rest.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let sign = usize::from(matches!(first, '-' | '+'));
        if digit(sign) || (bytes.get(sign) == Some(&b'.') && digit(sign + 1)) {
            let mut end = sign;
            while digit(end) || bytes.get(end) == Some(&b'.') {
                end += 1;
            }
            if matches!(bytes.get(end), Some(b'e' | b'E')) {
                let after = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
                if digit(after) {
                    end = after;
                    while digit(end) {
                        end += 1;
                    }
                }
            }
            let (number, behind) = rest.split_at(end);
            tokens.push(match number.trim_end_matches('.').parse() {
                Ok(number) => Token::Number(number),
                Err(_) => Token::Word(number),
            });
            rest = behind;
        } else if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if first.is_alphabetic() {
            let end = rest
                .find(|c: char| !c.is_alphanumeric() && c != '/')
                .unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            tokens.push(Token::Word(word));
            rest = behind;
        } else {
            let (word, behind) = rest.split_at(first.len_utf8());
            tokens.push(Token::Word(word));
            rest = behind;
        }
    }
    tokens
}

fn of_time(tokens: &[Token]) -> bool {
    tokens.iter().any(|t| match t {
        Token::Word(word) => TIMES.contains(&word.to_lowercase().as_str()),
        Token::Number(_) => false,
    })
}

/// The largest numbers so far, by how many tokens their lines have and which of them they are.
#[derive(Default)]
struct Largest(HashMap<(usize, usize), f64>);

impl Largest {
    /// How far two lines are apart; `None` where they say other things.
    fn apart(&mut self, expected: &str, actual: &str) -> Option<f64> {
        let (a, b) = (tokens(expected), tokens(actual));
        if a.len() != b.len() {
            return None;
        }
        let timed = of_time(&a);
        let mut furthest = 0.0_f64;
        for (at, pair) in a.iter().zip(&b).enumerate() {
            match pair {
                (Token::Number(_), Token::Number(_)) if timed => {}
                (Token::Number(x), Token::Number(y)) => {
                    let before = self.0.entry((a.len(), at)).or_default();
                    *before = before.max(x.abs());
                    let size = x.abs().max(y.abs()).max(*before * SUNK);
                    if size > NOTHING && x != y {
                        furthest = furthest.max((x - y).abs() / size);
                    }
                }
                (Token::Word(x), Token::Word(y)) if x == y => {}
                _ => return None,
            }
        }
        (furthest <= NEAR).then_some(furthest)
    }
}

/// Compares complete lines; of the longer text only as many as the other one has where `prefix` says so.
pub fn compare(expected: &str, actual: &str, prefix: bool) -> Likeness {
    let complete = |text: &str| -> Vec<String> {
        let lines = text.split_inclusive('\n');
        let lines = lines.filter(|l| !prefix || l.ends_with('\n'));
        lines.map(|l| l.trim_end().to_owned()).collect()
    };
    let (a, b) = (complete(expected), complete(actual));
    let mut furthest = 0.0_f64;
    let mut same = true;
    let mut largest = Largest::default();
    for (at, (x, y)) in a.iter().zip(&b).enumerate() {
        same &= x == y;
        match largest.apart(x, y) {
            Some(by) => furthest = furthest.max(by),
            // A text that no number is read from.
            None if x == y => {}
            None => return Likeness::Differs(at + 1, x.clone(), y.clone()),
        }
    }
    if a.len() != b.len() && !prefix {
        let line = |of: &[String], at: usize| of.get(at).cloned().unwrap_or("the end".to_owned());
        let at = a.len().min(b.len());
        return Likeness::Differs(at + 1, line(&a, at), line(&b, at));
    }
    if same {
        Likeness::Text
    } else {
        Likeness::Numbers(furthest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_digits_are_numbers_and_others_differ() {
        assert_eq!(compare("a 1.5\n", "a 1.5\n", false), Likeness::Text);
        let near = compare("loss: 1.50001e-2, [3]\n", "loss: 1.50002e-2, [3]\n", false);
        assert!(matches!(near, Likeness::Numbers(by) if by < 1e-4));
        let far = compare("1\nloss 1.5\n", "1\nloss 1.6\n", false);
        assert!(matches!(far, Likeness::Differs(2, ..)));
        assert!(matches!(
            compare("x y\n", "x z\n", false),
            Likeness::Differs(1, ..)
        ));
    }

    #[test]
    fn what_sank_by_decades_may_differ() {
        let sunk = compare("1 3e7\n2 0.0010\n", "1 3e7\n2 0.0011\n", false);
        assert!(matches!(sunk, Likeness::Numbers(_)));
        let not = compare("1 3.0\n2 0.0010\n", "1 3.0\n2 0.0011\n", false);
        assert!(matches!(not, Likeness::Differs(2, ..)));
    }

    #[test]
    fn times_do_not_count_and_a_part_is_a_part() {
        let timed = compare("step 3 took 1.2 s\n", "step 3 took 9.7 s\n", false);
        assert_eq!(timed, Likeness::Numbers(0.0));
        assert_eq!(compare("1\n2\n3\n", "1\n2\nhal", true), Likeness::Text);
        assert!(matches!(
            compare("1\n2\n", "1\n", false),
            Likeness::Differs(2, ..)
        ));
    }
}
