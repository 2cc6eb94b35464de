//! Malformed tokens: numbers, strings, brackets, indentation, characters.
//!
//! In: the tokens and the text after the last good one. Out: CPython's error. Always: what is
//! wrong is read off the text; the lexer's own words are too coarse.

use rustpython_parser::Tok;
use rustpython_parser::lexer::LexicalErrorType;
use rustpython_parser::text_size::{TextRange, TextSize};

use super::Diagnosis;
use crate::error::{Error, SyntaxErrorKind};

fn size(offset: usize) -> TextSize {
    TextSize::from(offset as u32)
}

fn one_char(offset: usize, text: &str) -> TextRange {
    let length = text
        .get(offset..)
        .and_then(|t| t.chars().next())
        .map_or(0, char::len_utf8);
    TextRange::at(size(offset), size(length))
}

impl Diagnosis<'_> {
    /// The first of `count` tokens that CPython's tokenizer refuses and the parser's takes:
    /// brackets that do not match, numbers that run into names.
    pub(super) fn malformed_token(&self, count: usize) -> Option<Error> {
        let mut open: Vec<(char, TextRange)> = Vec::new();
        for (at, (tok, range)) in self.tokens.iter().take(count).enumerate() {
            match tok {
                Tok::Lpar => open.push(('(', *range)),
                Tok::Lsqb => open.push(('[', *range)),
                Tok::Lbrace => open.push(('{', *range)),
                Tok::Rpar | Tok::Rsqb | Tok::Rbrace => {
                    let close = match tok {
                        Tok::Rpar => (')', '('),
                        Tok::Rsqb => (']', '['),
                        _ => ('}', '{'),
                    };
                    match open.pop() {
                        Some((opening, place)) if opening != close.1 => {
                            return Some(self.mismatch(close.0, *range, opening, place));
                        }
                        _ => {}
                    }
                }
                Tok::Int { .. } | Tok::Float { .. } | Tok::Complex { .. } => {
                    if let Some(error) = self.number_tail(at, *range) {
                        return Some(error);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn mismatch(&self, close: char, at: TextRange, open: char, opened: TextRange) -> Error {
        let line = self.source.line_of(opened.start());
        let mut message =
            format!("closing parenthesis '{close}' does not match opening parenthesis '{open}'");
        if line != self.source.line_of(at.start()) {
            message.push_str(&format!(" on line {line}"));
        }
        Error::new(message, at)
    }

    /// `1abc`, `1__0`, `0b12`: what follows a number without a gap.
    fn number_tail(&self, at: usize, range: TextRange) -> Option<Error> {
        let (next, after) = self.tokens.get(at + 1)?;
        if after.start() != range.end() {
            return None;
        }
        let text = self.source.slice(range);
        let radix = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
            Some("0x") => "hexadecimal",
            Some("0b") => "binary",
            Some("0o") => "octal",
            _ if text.ends_with(['j', 'J']) => "imaginary",
            _ => "decimal",
        };
        let last = range.end() - TextSize::from(1);
        match next {
            Tok::Int { .. } | Tok::Float { .. } if radix == "binary" || radix == "octal" => {
                let digit = self.source.slice(*after).chars().next()?;
                let message = format!("invalid digit '{digit}' in {radix} literal");
                Some(Error::new(message, TextRange::at(after.start(), 1.into())))
            }
            Tok::Name { name } if name.starts_with('_') => {
                let message = format!("invalid {radix} literal");
                Some(Error::new(message, TextRange::at(after.start(), 1.into())))
            }
            Tok::Name { .. }
            | Tok::As
            | Tok::Class
            | Tok::Def
            | Tok::Del
            | Tok::Lambda
            | Tok::While
            | Tok::With
            | Tok::Yield
            | Tok::True
            | Tok::False
            | Tok::None => {
                let message = format!("invalid {radix} literal");
                Some(Error::new(message, TextRange::at(last, 1.into())))
            }
            _ => None,
        }
    }

    /// The error that stopped the lexer.
    pub(super) fn lexical_error(&self) -> Error {
        let Some(error) = &self.lexical else {
            return self.generic();
        };
        let text = self.source.text.as_str();
        let start = self.bad_token_start();
        let line_end = |offset: TextSize| {
            let line = self.source.line_of(offset);
            let start = self.source.line_start(line).start();
            start + TextSize::of(self.source.line_text(line).unwrap_or(""))
        };
        match &error.error {
            LexicalErrorType::IndentationError => {
                let message = "unindent does not match any outer indentation level";
                let range = TextRange::empty(line_end(error.location));
                return Error::indentation(message, range);
            }
            LexicalErrorType::TabError | LexicalErrorType::TabsAfterSpaces => {
                let line = self.source.line_of(error.location);
                let mut tab = Error::new(
                    "inconsistent use of tabs and spaces in indentation",
                    self.source.line_start(line),
                );
                tab.kind = SyntaxErrorKind::Tab;
                return tab;
            }
            LexicalErrorType::LineContinuationError => {
                let backslash = text
                    .get(..usize::from(error.location))
                    .and_then(|t| t.rfind('\\'))
                    .unwrap_or(start);
                let message = "unexpected character after line continuation character";
                return Error::new(message, one_char(backslash + 1, text));
            }
            _ => {}
        }
        let rest = text.get(start..).unwrap_or("");
        if let Some(error) = self.unterminated_string(start, rest) {
            return error;
        }
        match rest.chars().next() {
            None => self.unexpected_end(),
            Some('0'..='9' | '.') => self.bad_number(start, rest),
            Some(c @ (')' | ']' | '}')) => {
                Error::new(format!("unmatched '{c}'"), one_char(start, text))
            }
            Some('\\') => Error::new("unexpected EOF while parsing", one_char(start, text)),
            Some(c) if c.is_ascii() && !c.is_ascii_control() => {
                Error::new("invalid syntax", one_char(start, text))
            }
            Some(c) => {
                let code = c as u32;
                let message = if c.is_control() || c.is_whitespace() || is_invisible(c) {
                    format!("invalid non-printable character U+{code:04X}")
                } else {
                    format!("invalid character '{c}' (U+{code:04X})")
                };
                Error::new(message, one_char(start, text))
            }
        }
    }

    /// Where the token after the last good one starts.
    fn bad_token_start(&self) -> usize {
        let text = self.source.text.as_str();
        let mut at = usize::from(
            self.tokens
                .last()
                .map_or(TextSize::from(0), |(_, r)| r.end()),
        );
        loop {
            let rest = text.get(at..).unwrap_or("");
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\x0c']).len();
            let rest = &rest[blank..];
            at += blank;
            if rest.starts_with('#') {
                at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("\\\n") && rest.len() > 2 {
                at += 2;
            } else {
                return at;
            }
        }
    }

    fn unterminated_string(&self, start: usize, rest: &str) -> Option<Error> {
        let prefix = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        if prefix > 2 {
            return None;
        }
        let body = rest.get(prefix..)?;
        let quote = body.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let triple = body.starts_with(&quote.to_string().repeat(3));
        let text = self.source.text.as_str();
        let (what, end) = if triple {
            let end = text.trim_end_matches('\n').len();
            ("unterminated triple-quoted string literal", end.max(start))
        } else {
            // A backslash takes the line end with it.
            let mut escaped = false;
            let stop = body.char_indices().skip(1).find(|(_, c)| {
                let newline = *c == '\n' && !escaped;
                escaped = *c == '\\' && !escaped;
                newline
            });
            let end = stop.map_or(text.len(), |(at, _)| start + prefix + at);
            ("unterminated string literal", end)
        };
        let line = self.source.line_of(size(end));
        let message = format!("{what} (detected at line {line})");
        Some(Error::new(message, one_char(start, text)))
    }

    fn unexpected_end(&self) -> Error {
        let mut open: Vec<usize> = Vec::new();
        for (at, (tok, _)) in self.tokens.iter().enumerate() {
            match tok {
                Tok::Lpar | Tok::Lsqb | Tok::Lbrace => open.push(at),
                Tok::Rpar | Tok::Rsqb | Tok::Rbrace => {
                    open.pop();
                }
                _ => {}
            }
        }
        match open.last() {
            Some(at) => {
                let range = self.range(*at);
                let bracket = self.source.slice(range);
                Error::new(format!("'{bracket}' was never closed"), range)
            }
            None => Error::new(
                "unexpected EOF while parsing",
                self.range(self.tokens.len()),
            ),
        }
    }

    fn bad_number(&self, start: usize, rest: &str) -> Error {
        let at = |offset: usize| TextRange::at(size(start + offset), 1.into());
        let digits = |radix: u32| move |c: char| c.is_digit(radix) || c == '_';
        let lower = rest.get(..2).map(str::to_ascii_lowercase);
        let (name, radix) = match lower.as_deref() {
            Some("0x") => ("hexadecimal", 16),
            Some("0o") => ("octal", 8),
            Some("0b") => ("binary", 2),
            _ => {
                let zeros = rest.len() - rest.trim_start_matches(['0', '_']).len();
                if zeros > 0 && rest[zeros..].starts_with(|c: char| c.is_ascii_digit()) {
                    let message = "leading zeros in decimal integer literals are not permitted; \
                                   use an 0o prefix for octal integers";
                    return Error::new(message, TextRange::at(size(start), size(zeros)));
                }
                let number = rest.len() - rest.trim_start_matches(digits(10)).len();
                return Error::new("invalid decimal literal", at(number.saturating_sub(1)));
            }
        };
        let body = &rest[2..];
        let good = body.len() - body.trim_start_matches(digits(radix)).len();
        match body[good..].chars().next() {
            Some(c) if c.is_ascii_digit() => Error::new(
                format!("invalid digit '{c}' in {name} literal"),
                at(2 + good),
            ),
            _ => Error::new(format!("invalid {name} literal"), at(1 + good)),
        }
    }

    /// A `\x`, `\u`, `\N` escape that does not decode.
    pub(super) fn escape_error(&self, offset: TextSize) -> Error {
        let string = self.tokens.partition_point(|(_, r)| r.end() < offset);
        let range = self.range(string);
        let text = self.source.slice(range);
        let end = self.string_end(string);
        let bytes = text
            .find(['"', '\''])
            .is_some_and(|at| text[..at].contains(['b', 'B']));
        let quote = text.find(['"', '\'']).unwrap_or(0);
        let triple = text[quote..].starts_with("\"\"\"") || text[quote..].starts_with("'''");
        let body = text.get(quote + if triple { 3 } else { 1 }..).unwrap_or("");
        let chars: Vec<char> = body.chars().collect();
        let mut position = 0usize;
        let mut at = 0;
        while at < chars.len() {
            if chars[at] != '\\' {
                position += chars[at].len_utf8();
                at += 1;
                continue;
            }
            let hex = |n: usize| {
                chars
                    .get(at + 2..)
                    .unwrap_or(&[])
                    .iter()
                    .take(n)
                    .take_while(|c| c.is_ascii_hexdigit())
                    .count()
            };
            let (want, name) = match chars.get(at + 1) {
                Some('x') => (2, "truncated \\xXX escape"),
                Some('u') if !bytes => (4, "truncated \\uXXXX escape"),
                Some('U') if !bytes => (8, "truncated \\UXXXXXXXX escape"),
                Some('N') if !bytes => {
                    let close = chars[at..].iter().position(|c| *c == '}');
                    let (length, what) = match close {
                        Some(n) if chars.get(at + 2) == Some(&'{') => {
                            let name: String = chars[at + 3..at + n].iter().collect();
                            if is_known_name(&name) {
                                position += n + 1;
                                at += n + 1;
                                continue;
                            }
                            (n, "unknown Unicode character name")
                        }
                        _ => (1, "malformed \\N character escape"),
                    };
                    return Error::new(unicode_error(position, position + length, what), end);
                }
                _ => (0, ""),
            };
            let found = if want > 0 { hex(want) } else { 0 };
            if found < want {
                let message = if bytes {
                    format!("(value error) invalid \\x escape at position {position}")
                } else {
                    unicode_error(position, position + 1 + found, name)
                };
                return Error::new(message, end);
            }
            if want == 8 {
                let digits: String = chars[at + 2..at + 10].iter().collect();
                if u32::from_str_radix(&digits, 16).is_ok_and(|v| v > 0x0010_FFFF) {
                    let message =
                        unicode_error(position, position + 9, "illegal Unicode character");
                    return Error::new(message, end);
                }
            }
            position += 2 + want;
            at += 2 + want;
        }
        Error::new("invalid escape sequence", end)
    }
}

fn unicode_error(start: usize, end: usize, what: &str) -> String {
    format!(
        "(unicode error) 'unicodeescape' codec can't decode bytes in position {start}-{end}: {what}"
    )
}

/// Whether the parser knows a character of this name.
fn is_known_name(name: &str) -> bool {
    let literal = format!("'\\N{{{name}}}'");
    let mode = rustpython_parser::Mode::Expression;
    rustpython_parser::parse(&literal, mode, "").is_ok()
}

/// Format characters, such as zero-width spaces and direction marks.
fn is_invisible(c: char) -> bool {
    matches!(c as u32, 0xAD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0xFEFF)
}
