//! Which part of an expression a traceback underlines with `^` rather than `~`.
//!
//! In: the text of an expression on one line. Out: where the operator of an outermost binary
//! operation, or the brackets of an outermost subscript, stand. Always: an expression of any
//! other shape, or text that is not an expression, has no such part. The runtime has no parser;
//! a scan that knows brackets, strings and precedences decides the same.

/// The range of characters to underline with `^`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchors {
    /// First character.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
}

/// A binary operator outside of all brackets.
struct Operator {
    at: usize,
    length: usize,
    precedence: u8,
}

/// `**` binds tighter than unary operators and from the right.
const POWER: u8 = 7;

/// Longest first.
const OPERATORS: [(&str, u8); 12] = [
    ("**", POWER),
    ("//", 6),
    ("<<", 4),
    (">>", 4),
    ("*", 6),
    ("/", 6),
    ("%", 6),
    ("@", 6),
    ("+", 5),
    ("-", 5),
    ("&", 3),
    ("^", 2),
];

/// Words that make an expression something else than a binary operation or a subscript.
const KEYWORDS: [&str; 14] = [
    "not", "and", "or", "in", "is", "if", "else", "lambda", "await", "yield", "for", "async",
    "from", "return",
];

/// Finds the anchors of an expression.
pub(crate) fn anchors(segment: &[char]) -> Option<Anchors> {
    let mut scan = Scan {
        text: segment,
        at: 0,
    };
    let mut operand_next = true;
    let mut first_is_unary = false;
    let mut unary_before_power = false;
    let mut best: Option<Operator> = None;
    let mut subscript: Option<Anchors> = None;
    while let Some(c) = scan.peek() {
        let start = scan.at;
        match c {
            ' ' | '\t' | '\x0c' => scan.at += 1,
            '(' | '[' | '{' => {
                scan.skip_brackets()?;
                subscript = (c == '[' && !operand_next).then_some(Anchors {
                    start,
                    end: scan.at,
                });
                operand_next = false;
            }
            '\'' | '"' => {
                scan.skip_string()?;
                (operand_next, subscript) = (false, None);
            }
            '.' if !operand_next => {
                scan.at += 1;
                scan.skip_blanks();
                scan.skip_word();
                subscript = None;
            }
            _ if c.is_alphanumeric() || c == '_' || c == '.' => {
                let word = scan.word();
                if KEYWORDS.contains(&word.as_str()) {
                    return None;
                }
                if matches!(scan.peek(), Some('\'' | '"')) {
                    scan.skip_string()?;
                }
                (operand_next, subscript) = (false, None);
            }
            '+' | '-' | '~' if operand_next => {
                scan.at += 1;
                first_is_unary |= best.is_none();
                unary_before_power = true;
            }
            _ if !operand_next => {
                // `|` stands alone in its row: a table entry would need a thirteenth line only.
                let (length, precedence) = if c == '|' {
                    (1, 1)
                } else {
                    OPERATORS
                        .iter()
                        .find(|(text, _)| scan.starts_with(text))
                        .map(|(text, precedence)| (text.len(), *precedence))?
                };
                scan.at += length;
                if scan.peek() == Some('=') {
                    return None;
                }
                let replaces = match &best {
                    None => precedence < POWER || !unary_before_power,
                    Some(b) if precedence == POWER => b.precedence > POWER,
                    Some(b) => precedence <= b.precedence,
                };
                if replaces {
                    best = Some(Operator {
                        at: start,
                        length,
                        precedence,
                    });
                }
                unary_before_power = false;
                (operand_next, subscript) = (true, None);
            }
            _ => return None,
        }
    }
    if operand_next {
        return None;
    }
    match best {
        Some(operator) => {
            let mut end = operator.at + 1;
            // As CPython, which takes a second character without knowing the operator.
            let right = operand_start(segment, operator.at + operator.length);
            if end < right && segment.get(end).is_some_and(|c| !c.is_whitespace()) {
                end += 1;
            }
            Some(Anchors {
                start: operator.at,
                end,
            })
        }
        None if first_is_unary => None,
        None => subscript,
    }
}

/// Where the operand that begins at or after `at` starts, its parentheses left aside.
fn operand_start(text: &[char], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .take_while(|c| c.is_whitespace() || **c == '(')
        .count()
}

struct Scan<'a> {
    text: &'a [char],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(i, c)| self.text.get(self.at + i) == Some(&c))
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn skip_word(&mut self) {
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.at += 1;
        }
    }

    /// A name or number.
    fn word(&mut self) -> String {
        let start = self.at;
        let numeric = self.peek().is_some_and(|c| c.is_ascii_digit() || c == '.');
        loop {
            let before = self.at;
            self.skip_word();
            if numeric {
                let exponent = || {
                    let before = self.at.checked_sub(1).and_then(|i| self.text.get(i));
                    matches!(before, Some('e' | 'E'))
                        && !matches!(self.text.get(start + 1), Some('x' | 'X'))
                };
                let goes_on = match self.peek() {
                    Some('.') => true,
                    Some('+' | '-') => exponent(),
                    _ => false,
                };
                self.at += usize::from(goes_on);
            }
            if self.at == before || !numeric {
                break;
            }
        }
        self.text
            .get(start..self.at)
            .unwrap_or_default()
            .iter()
            .collect()
    }

    /// Goes past the bracket at hand and all that it holds.
    fn skip_brackets(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                '(' | '[' | '{' => {
                    depth += 1;
                    self.at += 1;
                }
                ')' | ']' | '}' => {
                    self.at += 1;
                    depth -= 1;
                    if depth == 0 {
                        return Some(());
                    }
                }
                '\'' | '"' => self.skip_string()?,
                '#' => return None,
                _ => self.at += 1,
            }
        }
    }

    fn skip_string(&mut self) -> Option<()> {
        let quote = self.peek()?;
        let triple: String = [quote; 3].iter().collect();
        let length = if self.starts_with(&triple) { 3 } else { 1 };
        let end: String = std::iter::repeat_n(quote, length).collect();
        self.at += length;
        while !self.starts_with(&end) {
            self.at += if self.peek()? == '\\' { 2 } else { 1 };
        }
        self.at += length;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the underline.
    fn drawn(text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        match anchors(&chars) {
            None => "^".repeat(chars.len()),
            Some(a) => (0..chars.len())
                .map(|i| if a.start <= i && i < a.end { '^' } else { '~' })
                .collect(),
        }
    }

    #[test]
    fn as_cpython() {
        for (text, expected) in [
            ("1 + None", "~~^~~~~~"),
            ("(1 )  +  (None)", "~~~~~~^~~~~~~~~"),
            ("a+(b)", "~^^~~"),
            ("a//b", "~^^~"),
            ("a - b - c", "~~~~~~^~~"),
            ("a + b * c", "~~^~~~~~~"),
            ("a ** b ** c", "~~^^~~~~~~~"),
            ("-a ** b", "^^^^^^^"),
            ("-a * b", "~~~^~~"),
            ("x[1][\"a\"]", "~~~~^^^^^"),
            ("(x) [ \"a\" ]", "~~~~^^^^^^^"),
            ("x[1].y", "^^^^^^"),
            ("f(x)", "^^^^"),
            ("f(a + b)", "^^^^^^^^"),
            ("a if b + c else d", "^^^^^^^^^^^^^^^^^"),
            ("a == b", "^^^^^^"),
            ("1e-5 * b", "~~~~~^~~"),
            ("'a+b' % c", "~~~~~~^~~"),
            ("a += b", "^^^^^^"),
            ("a | b", "~~^~~"),
        ] {
            assert_eq!(drawn(text), expected, "{text}");
        }
    }
}
