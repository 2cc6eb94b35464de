//! Source text and its lines.
//!
//! In: text as it was read. Out: text with `\n` line ends only, and the line and column of each
//! byte offset. Always: the offsets of the syntax tree refer to the text held here.

use std::borrow::Cow;
use std::rc::Rc;

use janus_bytecode::Span;
use rustpython_parser::text_size::{TextRange, TextSize};

/// A source file.
pub(crate) struct Source {
    pub filename: Rc<str>,
    pub text: String,
    /// Byte offset at which each line starts.
    line_starts: Vec<u32>,
    /// The number of each line, where there are not all of them: in a tree without a text.
    numbers: Option<Vec<u32>>,
}

/// What no column of a tree without a text lies beyond, as in CPython's tables of positions.
const MAX_COLUMN: u32 = 0xffff;

impl Source {
    pub fn new(text: &str, filename: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text: Cow<'_, str> = if text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n").into()
        } else {
            text.into()
        };
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        Source {
            filename: filename.into(),
            text: text.into_owned(),
            line_starts,
            numbers: None,
        }
    }

    /// The same file with another text, whose lines begin where those of this one do.
    pub fn with_text(&self, text: String) -> Self {
        Source {
            filename: self.filename.clone(),
            text,
            line_starts: self.line_starts.clone(),
            numbers: self.numbers.clone(),
        }
    }

    /// The lines of a tree that was not made from a text: as long as their last column.
    pub fn of_spans(filename: &str, spans: &[Span]) -> Self {
        let mut ends = std::collections::BTreeMap::new();
        for span in spans {
            for (line, col) in [(span.line, span.col), (span.end_line, span.end_col)] {
                let end = ends.entry(line).or_insert(0);
                *end = (*end).max(col.min(MAX_COLUMN));
            }
        }
        let mut start = 0u32;
        let mut line_starts = Vec::with_capacity(ends.len());
        for end in ends.values() {
            line_starts.push(start);
            start = start.saturating_add(end + 1);
        }
        Source {
            filename: filename.into(),
            text: String::new(),
            line_starts,
            numbers: Some(ends.into_keys().collect()),
        }
    }

    /// The range that a span of those in [`Source::of_spans`] stands for.
    pub fn range_of(&self, span: Span) -> TextRange {
        let offset = |line: u32, col: u32| {
            self.line_start(line).start() + TextSize::from(col.min(MAX_COLUMN))
        };
        let start = offset(span.line, span.col);
        TextRange::new(start, start.max(offset(span.end_line, span.end_col)))
    }

    /// Index into `line_starts`.
    fn line_index(&self, offset: u32) -> usize {
        self.line_starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// Line from 1 and byte column from 0.
    pub fn position(&self, offset: TextSize) -> (u32, u32) {
        let offset = u32::from(offset);
        let index = self.line_index(offset);
        let start = self.line_starts.get(index).copied().unwrap_or(0);
        let line = match &self.numbers {
            None => index as u32 + 1,
            Some(numbers) => numbers.get(index).copied().unwrap_or(1),
        };
        (line, offset - start)
    }

    /// Line and character column, both from 1.
    pub fn character_position(&self, offset: TextSize) -> (u32, u32) {
        let (line, col) = self.position(offset);
        let text = self.line_text(line).unwrap_or("");
        let before = text
            .get(..col as usize)
            .map_or(col, |t| t.chars().count() as u32);
        (line, before + 1)
    }

    pub fn line_of(&self, offset: TextSize) -> u32 {
        self.position(offset).0
    }

    /// The empty range at the start of a line.
    pub fn line_start(&self, line: u32) -> TextRange {
        let index = match &self.numbers {
            None => (line as usize).saturating_sub(1),
            Some(numbers) => numbers.partition_point(|known| *known < line),
        };
        TextRange::empty(self.line_starts.get(index).copied().unwrap_or(0).into())
    }

    /// A line without its end.
    pub fn line_text(&self, line: u32) -> Option<&str> {
        if self.numbers.is_some() {
            return None;
        }
        let index = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)? as usize;
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |e| *e as usize - 1);
        self.text.get(start..end)
    }

    pub fn span(&self, range: TextRange) -> Span {
        let (line, col) = self.position(range.start());
        let (end_line, end_col) = self.position(range.end());
        Span {
            line,
            end_line,
            col,
            end_col,
        }
    }

    pub fn slice(&self, range: TextRange) -> &str {
        self.text
            .get(usize::from(range.start())..usize::from(range.end()))
            .unwrap_or("")
    }

    /// What comes after a range.
    pub fn after(&self, range: TextRange) -> &str {
        self.text.get(usize::from(range.end())..).unwrap_or("")
    }

    /// Whether the range of a generator expression has its own parentheses. One without them ends
    /// before the `)` or `,` of the call that it is an argument of.
    pub fn is_parenthesized(&self, range: TextRange) -> bool {
        if self.numbers.is_some() {
            return true;
        }
        let text = self.slice(range);
        if !text.starts_with('(') || !text.ends_with(')') {
            return false;
        }
        // `(a)(b) for ... in f()` also starts and ends so: the first parenthesis must be the one
        // that the last closes. Strings with parentheses could fool this; they only cost the error.
        let mut open = 0i32;
        for (at, c) in text.char_indices() {
            match c {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                return at + 1 == text.len();
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let source = Source::new("a\r\nbä = 1\rc", "x.py");
        assert_eq!(source.text, "a\nbä = 1\nc");
        assert_eq!(source.position(TextSize::from(2)), (2, 0));
        assert_eq!(source.position(TextSize::from(6)), (2, 4));
        assert_eq!(source.character_position(TextSize::from(6)), (2, 4));
        assert_eq!(source.line_text(2), Some("bä = 1"));
        assert_eq!(source.line_text(3), Some("c"));
        assert_eq!(source.line_text(4), None);
        assert_eq!(source.position(TextSize::from(11)), (3, 1));
    }
}
