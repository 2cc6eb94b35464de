//! Errors in source text.
//!
//! In: a message and a place. Out: [`SyntaxError`], which prints as CPython prints it. Always: line
//! and column count from 1; columns count characters, not bytes, as `SyntaxError.offset` does.

use std::fmt;
use std::rc::Rc;

use rustpython_parser::text_size::TextRange;

use crate::source::Source;

/// The class of exception that CPython raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// `SyntaxError`
    Syntax,
    /// `IndentationError`
    Indentation,
    /// `TabError`
    Tab,
}

impl SyntaxErrorKind {
    /// The name of the class.
    pub fn class_name(self) -> &'static str {
        match self {
            SyntaxErrorKind::Syntax => "SyntaxError",
            SyntaxErrorKind::Indentation => "IndentationError",
            SyntaxErrorKind::Tab => "TabError",
        }
    }
}

/// Source text that is not Python.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// The file as it was named to the compiler.
    pub filename: Rc<str>,
    /// Line, from 1.
    pub line: u32,
    /// First column, from 1.
    pub col: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_col: u32,
    /// The source line, without its line end.
    pub text: Option<String>,
    /// Which exception this is.
    pub kind: SyntaxErrorKind,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  File \"{}\", line {}", self.filename, self.line)?;
        if let Some(text) = &self.text {
            let trimmed = text.trim_start_matches([' ', '\t', '\x0c']);
            let indent = (text.chars().count() - trimmed.chars().count()) as u32;
            let trimmed = trimmed.trim_end();
            if !trimmed.is_empty() {
                writeln!(f, "    {trimmed}")?;
                let width = trimmed.chars().count() as u32;
                // A column in the indentation, as of "unexpected indent", has no caret.
                if self.col <= indent {
                    return self.write_class(f);
                }
                let start = self.col.saturating_sub(1).saturating_sub(indent).min(width);
                let end = if self.end_line == self.line {
                    self.end_col.saturating_sub(1).saturating_sub(indent)
                } else {
                    width
                };
                let carets = end.saturating_sub(start).max(1);
                let blank = " ".repeat(start as usize);
                writeln!(f, "    {blank}{}", "^".repeat(carets as usize))?;
            }
        }
        self.write_class(f)
    }
}

impl SyntaxError {
    fn write_class(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.class_name(), self.message)
    }
}

/// An error whose place is still a byte range; what the passes hand up.
#[derive(Clone, Debug)]
pub(crate) struct Error {
    pub message: String,
    pub range: TextRange,
    pub kind: SyntaxErrorKind,
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(message: impl Into<String>, range: TextRange) -> Self {
        Error {
            message: message.into(),
            range,
            kind: SyntaxErrorKind::Syntax,
        }
    }

    pub fn indentation(message: impl Into<String>, range: TextRange) -> Self {
        Error {
            message: message.into(),
            range,
            kind: SyntaxErrorKind::Indentation,
        }
    }

    pub fn locate(self, source: &Source) -> SyntaxError {
        let (line, col) = source.character_position(self.range.start());
        let (end_line, end_col) = source.character_position(self.range.end());
        SyntaxError {
            message: self.message,
            filename: source.filename.clone(),
            line,
            col,
            end_line,
            end_col,
            text: source.line_text(line).map(str::to_owned),
            kind: self.kind,
        }
    }
}

/// Shorthand for the ubiquitous `Err(Error::new(...))`.
pub(crate) fn err<T>(message: impl Into<String>, range: TextRange) -> Result<T> {
    Err(Error::new(message, range))
}
