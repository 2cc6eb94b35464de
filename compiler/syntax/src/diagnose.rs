//! The parser's errors in CPython's words.

use rustpython_parser::lexer::LexicalErrorType;
use rustpython_parser::text_size::{TextRange, TextSize};
use rustpython_parser::{Mode as ParserMode, ParseError, ParseErrorType};

use crate::error::Error;
use crate::source::Source;

/// Turns what the parser reports into what CPython would say.
pub(crate) fn diagnose(source: &Source, _mode: ParserMode, error: ParseError) -> Error {
    let _ = source;
    let range = TextRange::new(error.offset, error.offset + TextSize::from(1));
    match error.error {
        ParseErrorType::Lexical(LexicalErrorType::OtherError(m)) => Error::new(m, range),
        e => Error::new(format!("invalid syntax ({e})"), range),
    }
}
