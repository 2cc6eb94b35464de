//! The parser's errors in CPython's words.
//!
//! In: source text that did not parse and where the parser stopped. Out: the error that CPython
//! raises. Always: there is an answer; where no rule knows better it is "invalid syntax" at the
//! token that did not fit. This code runs only for wrong programs, so it may parse again, and
//! does: "would a colon have been accepted here" is asked of the parser itself.

mod grammar;
mod lexical;
mod parameters;

use rustpython_parser::lexer::{LexicalError, LexicalErrorType, lex};
use rustpython_parser::text_size::{TextRange, TextSize};
use rustpython_parser::{FStringErrorType, Mode as ParserMode, ParseError, ParseErrorType, Tok};
use rustpython_parser::{ast, parse_tokens};

use crate::error::{Error, SyntaxErrorKind};
use crate::source::Source;
pub(crate) use parameters::star_without_names;

type Token = (Tok, TextRange);

/// Turns what the parser reports into what CPython would say.
pub(crate) fn diagnose(source: &Source, mode: ParserMode, error: ParseError) -> Error {
    let mut tokens = Vec::new();
    let mut lexical = None;
    for token in lex(&source.text, mode) {
        match token {
            Ok(token) => tokens.push(token),
            Err(error) => {
                lexical = Some(error);
                break;
            }
        }
    }
    let mut at = match &error.error {
        // The parser read all tokens there are.
        ParseErrorType::Eof => tokens.len(),
        _ => tokens.partition_point(|(_, range)| range.start() < error.offset),
    };
    if let ParseErrorType::UnrecognizedToken(tok, _) = &error.error {
        // Dedents are empty: they start where the token after them does.
        let matches = |(t, range): &Token| t == tok && range.start() == error.offset;
        at += tokens.iter().skip(at).position(matches).unwrap_or(0);
    }
    let diagnosis = Diagnosis {
        source,
        mode,
        tokens,
        lexical,
        at,
    };
    diagnosis.run(error)
}

struct Diagnosis<'s> {
    source: &'s Source,
    mode: ParserMode,
    /// All tokens before the first malformed one.
    tokens: Vec<Token>,
    lexical: Option<LexicalError>,
    /// The token that did not fit.
    at: usize,
}

impl Diagnosis<'_> {
    fn run(self, error: ParseError) -> Error {
        // The tokenizer speaks before the parser: what is malformed up to here comes first.
        if let Some(error) = self.malformed_token(self.at + 1) {
            return error;
        }
        let found = match error.error {
            ParseErrorType::Lexical(kind) => {
                let from_lexer = self
                    .lexical
                    .as_ref()
                    .is_some_and(|l| l.location == error.offset && l.error == kind);
                if from_lexer {
                    return self.lexical_error();
                }
                match kind {
                    // The text ends where only an indent would do.
                    LexicalErrorType::IndentationError => self.grammar_error(Some("Indent")),
                    kind => self.action_error(kind, error.offset),
                }
            }
            ParseErrorType::UnrecognizedToken(_, expected) => {
                self.grammar_error(expected.as_deref())
            }
            ParseErrorType::Eof => self.grammar_error(None),
            ParseErrorType::ExtraToken(_) | ParseErrorType::InvalidToken => self.generic(),
        };
        if found.kind == SyntaxErrorKind::Indentation && found.message == "unexpected indent" {
            return found;
        }
        // Errors in tokens that the parser has not looked at are more telling than its own.
        if let Some(error) = self.malformed_token(self.tokens.len()) {
            return error;
        }
        match &self.lexical {
            Some(_) => {
                let later = self.lexical_error();
                let unclosed = later.message.ends_with("was never closed");
                // A bracket that is still open explains only errors on later lines.
                if unclosed
                    && self.source.line_of(later.range.start())
                        >= self.source.line_of(self.range(self.at).start())
                {
                    return found;
                }
                later
            }
            None => found,
        }
    }

    fn tok(&self, at: usize) -> Option<&Tok> {
        self.tokens.get(at).map(|(tok, _)| tok)
    }

    /// The token before, if there is one.
    fn before(&self, at: usize) -> Option<&Tok> {
        self.tok(at.checked_sub(1)?)
    }

    /// Where a token is; the end of the text for the one after the last.
    fn range(&self, at: usize) -> TextRange {
        match self.tokens.get(at) {
            Some((_, range)) => *range,
            None => TextRange::empty(TextSize::of(self.source.text.as_str())),
        }
    }

    /// From the start of one token to the end of another.
    fn cover(&self, first: usize, last: usize) -> TextRange {
        TextRange::new(self.range(first).start(), self.range(last).end())
    }

    /// "invalid syntax" at the token that did not fit.
    fn generic(&self) -> Error {
        let range = match self.tok(self.at) {
            Some(Tok::Newline) | None => TextRange::empty(self.range(self.at).start()),
            // `<>` is one token to CPython.
            Some(Tok::Greater)
                if self.before(self.at) == Some(&Tok::Less)
                    && self.range(self.at - 1).end() == self.range(self.at).start() =>
            {
                self.cover(self.at - 1, self.at)
            }
            Some(_) => self.range(self.at),
        };
        Error::new("invalid syntax", range)
    }

    /// Whether the parser takes `more` after the first `count` tokens.
    fn accepts(&self, count: usize, more: &[Tok]) -> bool {
        // No rule takes this token in the middle of anything.
        let stop = Tok::StartModule;
        let mark = |n: usize| TextRange::at(TextSize::from(u32::MAX / 2 + n as u32), 0.into());
        let extra = more
            .iter()
            .chain(Some(&stop))
            .enumerate()
            .map(|(n, t)| (t.clone(), mark(n)));
        let tokens = self.tokens[..count.min(self.tokens.len())]
            .iter()
            .cloned()
            .chain(extra);
        match parse_tokens(tokens.map(Ok), self.mode, "") {
            Ok(_) => true,
            Err(error) => error.offset >= mark(more.len()).start(),
        }
    }

    /// The longest expression that starts at a token: its tree and the token after it.
    fn expression_at(&self, start: usize) -> Option<(ast::Expr, usize)> {
        let tokens = self.tokens.get(start..)?;
        let mode = ParserMode::Expression;
        let end = match parse_tokens(tokens.iter().cloned().map(Ok), mode, "") {
            Ok(_) => self.tokens.len(),
            Err(error) => {
                let stop = tokens.partition_point(|(_, r)| r.start() < error.offset);
                start + stop
            }
        };
        Some((self.expression_between(start, end)?, end))
    }

    /// The expression that some tokens are.
    fn expression_between(&self, start: usize, end: usize) -> Option<ast::Expr> {
        let tokens = self.tokens.get(start..end)?;
        match parse_tokens(tokens.iter().cloned().map(Ok), ParserMode::Expression, "") {
            Ok(ast::Mod::Expression(expr)) => Some(*expr.body),
            _ => None,
        }
    }

    /// Errors that the parser's own code raises about what it has read.
    fn action_error(&self, kind: LexicalErrorType, offset: TextSize) -> Error {
        let at = self
            .tokens
            .partition_point(|(_, range)| range.start() < offset);
        let range = self.range(at);
        let message = match kind {
            LexicalErrorType::DefaultArgumentError => {
                "non-default argument follows default argument".to_owned()
            }
            LexicalErrorType::DuplicateArgumentError(name) => {
                // The one that repeats.
                format!("duplicate argument '{name}' in function definition")
            }
            LexicalErrorType::DuplicateKeywordArgumentError(name) => {
                let end = self.expression_at(at + 2).map_or(at, |(_, end)| end - 1);
                let message = format!("keyword argument repeated: {name}");
                return Error::new(message, self.cover(at, end));
            }
            LexicalErrorType::PositionalArgumentError => return self.positional_after_keyword(at),
            LexicalErrorType::UnpackedArgumentError => {
                "iterable argument unpacking follows keyword argument unpacking".to_owned()
            }
            LexicalErrorType::FStringError(kind) => {
                return Error::new(fstring_message(kind), self.string_end(at));
            }
            LexicalErrorType::UnicodeError | LexicalErrorType::StringError => {
                return self.escape_error(offset);
            }
            LexicalErrorType::OtherError(message) => match message.as_str() {
                "bytes can only contain ASCII literal characters" => {
                    let string = self.tokens.partition_point(|(_, r)| r.end() < offset);
                    return Error::new(message, self.range(string));
                }
                "named arguments must follow bare *" => {
                    return Error::new(message, self.bare_star(at));
                }
                "cannot mix bytes and nonbytes literals" => {
                    return Error::new(message, self.string_end(at));
                }
                _ => message,
            },
            _ => "invalid syntax".to_owned(),
        };
        Error::new(message, range)
    }

    /// `f(a=1, b)`; CPython says which kind of keyword argument came before.
    fn positional_after_keyword(&self, at: usize) -> Error {
        let mut depth = 0;
        let mut unpacking = false;
        for n in (0..at).rev() {
            match self.tok(n) {
                Some(Tok::Rpar | Tok::Rsqb | Tok::Rbrace) => depth += 1,
                Some(Tok::Lpar | Tok::Lsqb | Tok::Lbrace) if depth == 0 => break,
                Some(Tok::Lpar | Tok::Lsqb | Tok::Lbrace) => depth -= 1,
                Some(Tok::DoubleStar)
                    if depth == 0 && matches!(self.before(n), Some(Tok::Comma | Tok::Lpar)) =>
                {
                    unpacking = true;
                }
                _ => {}
            }
        }
        let message = if unpacking {
            "positional argument follows keyword argument unpacking"
        } else {
            "positional argument follows keyword argument"
        };
        // CPython has read on to the end of the call by then.
        let close = self.closing(at).unwrap_or(at);
        Error::new(message, self.range(close))
    }

    /// The bracket that closes those around a token.
    fn closing(&self, at: usize) -> Option<usize> {
        let mut depth = 0;
        (at..self.tokens.len()).find(|n| match self.tok(*n) {
            Some(Tok::Lpar | Tok::Lsqb | Tok::Lbrace) => {
                depth += 1;
                false
            }
            Some(Tok::Rpar | Tok::Rsqb | Tok::Rbrace) => {
                depth -= 1;
                depth < 0
            }
            _ => false,
        })
    }

    /// The end of the strings in a row around a token: where CPython puts errors inside them.
    fn string_end(&self, at: usize) -> TextRange {
        let mut last = at.min(self.tokens.len().saturating_sub(1));
        // The place may be inside a string.
        while last > 0 && !matches!(self.tok(last), Some(Tok::String { .. })) {
            last -= 1;
        }
        while matches!(self.tok(last + 1), Some(Tok::String { .. })) {
            last += 1;
        }
        TextRange::empty(self.range(last).end())
    }
}

fn fstring_message(kind: FStringErrorType) -> String {
    use FStringErrorType::*;
    match kind {
        UnclosedLbrace | ExpectedRbrace => "f-string: expecting '}'".to_owned(),
        UnopenedRbrace | SingleRbrace => "f-string: single '}' is not allowed".to_owned(),
        InvalidConversionFlag => {
            "f-string: invalid conversion character: expected 's', 'r', or 'a'".to_owned()
        }
        InvalidExpression(inner) => match *inner {
            ParseErrorType::Lexical(LexicalErrorType::OtherError(message)) => {
                format!("f-string: {message}")
            }
            _ => "f-string: invalid syntax".to_owned(),
        },
        // The parser calls both of these an unterminated string.
        UnterminatedString => "f-string expression part cannot include a backslash".to_owned(),
        ExpressionCannotInclude('\\') => {
            "f-string expression part cannot include a backslash".to_owned()
        }
        other => format!("f-string: {other}"),
    }
}
