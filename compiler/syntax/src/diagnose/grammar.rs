//! Tokens that do not fit where they stand: CPython's `invalid_*` rules, as far as they can be
//! told from the tokens around.
//!
//! In: the token that the parser refused. Out: the first rule's error that applies, else "invalid
//! syntax". Always: a rule that needs to know what could have stood there asks the parser.

use rustpython_parser::Tok;
use rustpython_parser::ast::{Expr, Ranged};
use rustpython_parser::text_size::{TextRange, TextSize};

use super::Diagnosis;
use crate::error::Error;
use crate::validate::describe;

/// Whether a token can start an expression.
fn starts_expression(tok: &Tok) -> bool {
    matches!(
        tok,
        Tok::Name { .. }
            | Tok::Int { .. }
            | Tok::Float { .. }
            | Tok::Complex { .. }
            | Tok::String { .. }
            | Tok::Lpar
            | Tok::Lsqb
            | Tok::Lbrace
            | Tok::True
            | Tok::False
            | Tok::None
            | Tok::Ellipsis
            | Tok::Lambda
            | Tok::Await
            | Tok::Tilde
            | Tok::Not
    )
}

/// Whether a token can end an expression.
fn ends_expression(tok: &Tok) -> bool {
    matches!(
        tok,
        Tok::Name { .. }
            | Tok::Int { .. }
            | Tok::Float { .. }
            | Tok::Complex { .. }
            | Tok::String { .. }
            | Tok::Rpar
            | Tok::Rsqb
            | Tok::Rbrace
            | Tok::True
            | Tok::False
            | Tok::None
            | Tok::Ellipsis
    )
}

/// Tokens that stand for no text.
fn is_empty(tok: &Tok) -> bool {
    matches!(tok, Tok::Dedent | Tok::Newline | Tok::EndOfFile)
}

/// The word for a compound statement in "expected an indented block after ...".
fn block_owner(tok: &Tok) -> Option<&'static str> {
    Some(match tok {
        Tok::If => "'if' statement",
        Tok::Elif => "'elif' statement",
        Tok::Else => "'else' statement",
        Tok::For => "'for' statement",
        Tok::While => "'while' statement",
        Tok::Try => "'try' statement",
        Tok::Except => "'except' statement",
        Tok::Finally => "'finally' statement",
        Tok::With => "'with' statement",
        Tok::Match => "'match' statement",
        Tok::Case => "'case' statement",
        Tok::Def => "function definition",
        Tok::Class => "class definition",
        _ => return None,
    })
}

impl Diagnosis<'_> {
    pub(super) fn grammar_error(&self, expected: Option<&str>) -> Error {
        let at = self.at;
        if self.tok(at) == Some(&Tok::Indent) && expected != Some("Indent") {
            return self.unexpected_indent();
        }
        self.missing_block(expected)
            .or_else(|| self.missing_except())
            .or_else(|| self.missing_colon())
            .or_else(|| self.missing_parameters())
            .or_else(|| self.parenthesized_parameters())
            .or_else(|| self.parameters())
            .or_else(|| self.legacy_statement())
            .or_else(|| self.misplaced_equal())
            .or_else(|| self.misplaced_walrus())
            .or_else(|| self.several_exception_types())
            .or_else(|| self.comprehension_target())
            .or_else(|| self.dict_entry())
            .or_else(|| self.missing_else())
            .or_else(|| self.missing_comma())
            .unwrap_or_else(|| self.generic())
    }

    /// The first token of the logical line that a token is in.
    fn line_start(&self, at: usize) -> usize {
        let starts = |n: &usize| {
            matches!(
                self.before(*n),
                None | Some(Tok::Newline | Tok::Indent | Tok::Dedent)
            )
        };
        (0..=at.min(self.tokens.len()))
            .rev()
            .find(starts)
            .unwrap_or(0)
    }

    /// For each bracket that is open before a token, the token that opened it.
    fn open_brackets(&self, at: usize) -> Vec<usize> {
        let mut open = Vec::new();
        for n in self.line_start(at)..at {
            match self.tok(n) {
                Some(Tok::Lpar | Tok::Lsqb | Tok::Lbrace) => open.push(n),
                Some(Tok::Rpar | Tok::Rsqb | Tok::Rbrace) => {
                    open.pop();
                }
                _ => {}
            }
        }
        open
    }

    /// The nearest token before `at`, inside the same brackets, that `stop` holds for.
    fn back_to(&self, at: usize, stop: impl Fn(&Tok) -> bool) -> Option<usize> {
        let mut depth = 0;
        for n in (self.line_start(at)..at).rev() {
            let tok = self.tok(n)?;
            match tok {
                Tok::Rpar | Tok::Rsqb | Tok::Rbrace => depth += 1,
                Tok::Lpar | Tok::Lsqb | Tok::Lbrace if depth > 0 => depth -= 1,
                _ if depth == 0 && stop(tok) => return Some(n),
                Tok::Lpar | Tok::Lsqb | Tok::Lbrace => return None,
                _ => {}
            }
        }
        None
    }

    /// Where the operand that ends before `at` starts: after the nearest token that separates.
    fn operand_start(&self, at: usize) -> usize {
        let separates = |tok: &Tok| {
            matches!(
                tok,
                Tok::Comma
                    | Tok::Lpar
                    | Tok::Lsqb
                    | Tok::Lbrace
                    | Tok::Colon
                    | Tok::Equal
                    | Tok::ColonEqual
                    | Tok::If
                    | Tok::Else
                    | Tok::For
                    | Tok::Return
                    | Tok::Assert
                    | Tok::Semi
                    | Tok::Yield
                    | Tok::Lambda
                    | Tok::While
                    | Tok::Elif
                    | Tok::With
                    | Tok::As
                    | Tok::From
                    | Tok::Del
                    | Tok::Raise
                    | Tok::Match
                    | Tok::Case
            )
        };
        self.back_to(at, separates)
            .map_or_else(|| self.line_start(at), |n| n + 1)
    }

    fn unexpected_indent(&self) -> Error {
        // CPython's column is that of the last blank.
        let end = self.range(self.at).end();
        let range = TextRange::empty(end.checked_sub(TextSize::from(1)).unwrap_or(end));
        Error::indentation("unexpected indent", range)
    }

    fn missing_block(&self, expected: Option<&str>) -> Option<Error> {
        // A header has just ended, and the parser takes nothing but an indent.
        let mut newline = self.at.checked_sub(1)?;
        while newline > 0 && matches!(self.tok(newline), Some(Tok::Dedent | Tok::EndOfFile)) {
            newline -= 1;
        }
        if self.tok(newline) != Some(&Tok::Newline) || self.before(newline) != Some(&Tok::Colon) {
            return None;
        }
        if expected != Some("Indent") && !self.accepts(newline + 1, &[Tok::Indent]) {
            return None;
        }
        let mut start = self.line_start(newline);
        if self.tok(start) == Some(&Tok::Async) {
            start += 1;
        }
        let owner = block_owner(self.tok(start)?)?;
        let line = self.source.line_of(self.range(start).start());
        let message = format!("expected an indented block after {owner} on line {line}");
        let range = match self.tok(self.at) {
            Some(tok) if !is_empty(tok) => self.range(self.at),
            // What follows a dedent, or the end of the last line.
            _ => match self.tokens[self.at.min(self.tokens.len())..]
                .iter()
                .find(|(t, _)| !is_empty(t))
            {
                Some((_, range)) => *range,
                None => {
                    let end = self.source.text.trim_end_matches('\n').len() as u32;
                    TextRange::empty(end.into())
                }
            },
        };
        Some(Error::indentation(message, range))
    }

    fn missing_except(&self) -> Option<Error> {
        let closed = matches!(self.before(self.at), Some(Tok::Dedent | Tok::Newline));
        if !closed || !self.accepts(self.at, &[Tok::Finally]) || self.accepts(self.at, &[Tok::Pass])
        {
            return None;
        }
        Some(Error::new(
            "expected 'except' or 'finally' block",
            self.range(self.at),
        ))
    }

    fn missing_colon(&self) -> Option<Error> {
        let start = self.line_start(self.at);
        let mut first = self.tok(start)?;
        if *first == Tok::Async {
            first = self.tok(start + 1)?;
        }
        // Words that CPython forces a colon after, whatever else follows.
        let forced = matches!(first, Tok::Else | Tok::Try | Tok::Finally | Tok::Def);
        let is_header = forced || block_owner(first).is_some();
        let at_end = matches!(self.tok(self.at), Some(Tok::Newline) | None);
        if !is_header || self.at == start || !self.open_brackets(self.at).is_empty() {
            return None;
        }
        if !(at_end || forced) || !self.accepts(self.at, &[Tok::Colon, Tok::Newline]) {
            return None;
        }
        let range = match self.tok(self.at) {
            Some(Tok::Newline) | None => TextRange::empty(self.range(self.at).start()),
            Some(_) => self.range(self.at),
        };
        Some(Error::new("expected ':'", range))
    }

    /// `def f:`
    fn missing_parameters(&self) -> Option<Error> {
        let name = self.at.checked_sub(1)?;
        let after_name = matches!(self.tok(name), Some(Tok::Name { .. }));
        if !after_name || self.before(name) != Some(&Tok::Def) {
            return None;
        }
        Some(Error::new("expected '('", self.range(self.at)))
    }

    fn parenthesized_parameters(&self) -> Option<Error> {
        if self.tok(self.at) != Some(&Tok::Lpar) {
            return None;
        }
        let name = Tok::Name {
            name: "x".to_owned(),
        };
        let (what, first) = self.parameters_at(self.at)?;
        let begins = matches!(self.before(self.at)?, Tok::Lpar | Tok::Comma | Tok::Lambda);
        let plain = |tok: Option<&Tok>| matches!(tok, Some(Tok::Name { .. } | Tok::Comma));
        let all_plain = begins && (first..self.at).all(|n| plain(self.tok(n)));
        if !all_plain || !self.accepts(self.at, &[name]) {
            return None;
        }
        let close = (self.at..self.tokens.len()).find(|n| self.tok(*n) == Some(&Tok::Rpar))?;
        let message = format!("{} parameters cannot be parenthesized", what.words());
        Some(Error::new(message, self.cover(self.at, close)))
    }

    /// `print x`, `exec "x"`.
    fn legacy_statement(&self) -> Option<Error> {
        let before = self.at.checked_sub(1)?;
        let Some(Tok::Name { name }) = self.tok(before) else {
            return None;
        };
        if !matches!(name.as_str(), "print" | "exec")
            || !self.tok(self.at).is_some_and(starts_expression)
        {
            return None;
        }
        let (_, end) = self.expression_at(self.at)?;
        let message = format!("Missing parentheses in call to '{name}'. Did you mean {name}(...)?");
        Some(Error::new(message, self.cover(before, end - 1)))
    }

    fn misplaced_equal(&self) -> Option<Error> {
        if self.tok(self.at) != Some(&Tok::Equal) {
            return None;
        }
        let start = self.operand_start(self.at);
        if self.tok(start) == Some(&Tok::Yield) || self.before(start) == Some(&Tok::Yield) {
            let first = if self.tok(start) == Some(&Tok::Yield) {
                start
            } else {
                start - 1
            };
            let range = self.cover(first, self.at - 1);
            return Some(Error::new(
                "assignment to yield expression not possible",
                range,
            ));
        }
        let left = self.expression_between(start, self.at)?;
        let open = self.open_brackets(self.at).last().copied();
        let in_call = open.is_some_and(|open| {
            self.tok(open) == Some(&Tok::Lpar) && self.before(open).is_some_and(ends_expression)
        });
        if in_call {
            let range = self.cover(start, self.at);
            return Some(match self.tok(start) {
                Some(Tok::True | Tok::False | Tok::None) if start + 1 == self.at => {
                    Error::new(format!("cannot assign to {}", describe(&left)), range)
                }
                _ => Error::new(
                    "expression cannot contain assignment, perhaps you meant \"==\"?",
                    range,
                ),
            });
        }
        match left {
            Expr::Name(_) => {
                let (right, _) = self.expression_at(self.at + 1)?;
                let message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
                let range = self.range(start).cover(right.range());
                Some(Error::new(message, range))
            }
            Expr::List(_)
            | Expr::Tuple(_)
            | Expr::GeneratorExp(_)
            | Expr::BoolOp(_)
            | Expr::Compare(_)
            | Expr::Lambda(_)
            | Expr::IfExp(_) => None,
            Expr::Constant(ref c) if c.value.is_bool() || c.value.is_none() => None,
            left => {
                let what = describe(&left);
                let message =
                    format!("cannot assign to {what} here. Maybe you meant '==' instead of '='?");
                Some(Error::new(message, left.range()))
            }
        }
    }

    fn misplaced_walrus(&self) -> Option<Error> {
        if self.tok(self.at) != Some(&Tok::ColonEqual) || self.open_brackets(self.at).is_empty() {
            return None;
        }
        let left = self.expression_between(self.operand_start(self.at), self.at)?;
        if matches!(left, Expr::Name(_)) {
            return None;
        }
        let message = format!("cannot use assignment expressions with {}", describe(&left));
        Some(Error::new(message, left.range()))
    }

    /// `except A, B:`
    fn several_exception_types(&self) -> Option<Error> {
        let start = self.line_start(self.at);
        if self.tok(self.at) != Some(&Tok::Comma) || self.tok(start) != Some(&Tok::Except) {
            return None;
        }
        let (_, end) = self.expression_at(start + 1)?;
        if !matches!(self.tok(end), Some(Tok::Colon | Tok::As)) {
            return None;
        }
        let message = "multiple exception types must be parenthesized";
        Some(Error::new(message, self.cover(start + 1, end - 1)))
    }

    /// `[x, y for x in z]`, `{**x for x in y}`
    fn comprehension_target(&self) -> Option<Error> {
        let is_for = matches!(self.tok(self.at), Some(Tok::For | Tok::Async));
        let open = *self.open_brackets(self.at).last()?;
        let in_brackets = matches!(self.tok(open), Some(Tok::Lsqb | Tok::Lbrace));
        if !is_for {
            return None;
        }
        let element = self.operand_start(self.at);
        if self.tok(element) == Some(&Tok::Star) {
            let message = "iterable unpacking cannot be used in comprehension";
            return Some(Error::new(message, self.cover(element, self.at - 1)));
        }
        if !in_brackets {
            return None;
        }
        if self.tok(open + 1) == Some(&Tok::DoubleStar) {
            let message = "dict unpacking cannot be used in dict comprehension";
            return Some(Error::new(message, self.range(open + 1)));
        }
        self.back_to(self.at, |t| *t == Tok::Comma)?;
        if self.back_to(self.at, |t| *t == Tok::Colon).is_some() {
            return None;
        }
        let message = "did you forget parentheses around the comprehension target?";
        Some(Error::new(message, self.cover(open + 1, self.at - 1)))
    }

    /// `{'a' 1}`, `{'a': }`
    fn dict_entry(&self) -> Option<Error> {
        let open = *self.open_brackets(self.at).last()?;
        if self.tok(open) != Some(&Tok::Lbrace) {
            return None;
        }
        let dict = self.back_to(self.at, |t| matches!(t, Tok::Colon | Tok::DoubleStar))?;
        if dict + 1 == self.at && matches!(self.tok(self.at), Some(Tok::Rbrace | Tok::Comma)) {
            let message = "expression expected after dictionary key and ':'";
            return Some(Error::new(message, self.range(dict)));
        }
        let comma = self.back_to(self.at, |t| *t == Tok::Comma)?;
        let complete = self.expression_between(comma + 1, self.at).is_some();
        if comma < dict || !complete || !self.accepts(self.at, &[Tok::Colon]) {
            return None;
        }
        let end = self.range(self.at - 1).end();
        let range = TextRange::new(end - TextSize::from(1), end);
        Some(Error::new("':' expected after dictionary key", range))
    }

    /// `a if b`
    fn missing_else(&self) -> Option<Error> {
        let ended = self.before(self.at).is_some_and(ends_expression);
        if !ended || self.tok(self.at) == Some(&Tok::Colon) {
            return None;
        }
        let word = self.back_to(self.at, |t| *t == Tok::If)?;
        if word == self.line_start(self.at) || !self.accepts(self.at, &[Tok::Else]) {
            return None;
        }
        let range = self.cover(self.operand_start(word), self.at - 1);
        Some(Error::new("expected 'else' after 'if' expression", range))
    }

    /// `f(a b)`
    fn missing_comma(&self) -> Option<Error> {
        let tok = self.tok(self.at)?;
        let before = self.before(self.at)?;
        if !starts_expression(tok) || !ends_expression(before) {
            return None;
        }
        // `u8"text"` is a wrong prefix, not a missing comma.
        let prefix = matches!(before, Tok::Name { .. }) && matches!(tok, Tok::String { .. });
        let bare = self.open_brackets(self.at).is_empty();
        if prefix || bare || self.is_between_parameters(self.at) {
            return None;
        }
        let start = self.operand_start(self.at);
        if matches!(
            self.before(start),
            Some(Tok::Equal | Tok::ColonEqual | Tok::Lambda)
        ) {
            return None;
        }
        let start = match self.tok(start) {
            Some(Tok::Star | Tok::DoubleStar) => start + 1,
            _ => start,
        };
        self.expression_between(start, self.at)?;
        let (right, _) = self.expression_at(self.at)?;
        let range = self.range(start).cover(right.range());
        Some(Error::new(
            "invalid syntax. Perhaps you forgot a comma?",
            range,
        ))
    }
}
