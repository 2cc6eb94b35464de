//! Indentation of tabs and spaces, by CPython's rule.
//!
//! In: a text with tabs behind spaces at the start of lines, which the parser's lexer always refuses. Out: the text with a space
//! for each such tab; the first line that CPython refuses, too, is still one that the lexer refuses. Always: offsets stay
//! what they are, and strings keep their tabs.
//!
//! CPython measures each indentation twice, with tabs of eight columns and of one, and refuses what these two order in different
//! ways. Where they agree, the second one alone says what is inside of what: it counts characters.

use std::cmp::Ordering;

use rustpython_parser::lexer::{LexicalErrorType, lex};
use rustpython_parser::{Mode, Tok};

/// Columns of a tab.
const TAB: usize = 8;

const BLANKS: [char; 2] = [' ', '\t'];

/// The text with indentation of spaces, if the lexer would refuse it as it is.
pub(crate) fn of_spaces(text: &str, mode: Mode) -> Option<String> {
    let is_mixed = text.contains('\t')
        && text
            .lines()
            .any(|line| indentation(line).trim_start_matches('\t').contains('\t'));
    is_mixed.then(|| spaced(text, mode))
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(BLANKS).len()]
}

fn spaced(text: &str, mode: Mode) -> String {
    let mut spaced = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let blanks = indentation(line).len();
        spaced.extend(std::iter::repeat_n(' ', blanks));
        spaced.push_str(&line[blanks..]);
    }
    let mut kept = String::with_capacity(text.len());
    let mut levels = vec![(0, 0)];
    let mut is_start = true;
    for token in lex(&spaced, mode) {
        let (start, is_indented) = match &token {
            Ok((Tok::Newline, _)) => {
                is_start = true;
                continue;
            }
            Ok((Tok::Indent | Tok::Dedent | Tok::EndOfFile, _)) => continue,
            Ok((_, range)) => (usize::from(range.start()), std::mem::take(&mut is_start)),
            Err(error) => (
                usize::from(error.location),
                error.error == LexicalErrorType::IndentationError,
            ),
        };
        if is_indented {
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            if !enter(&mut levels, columns(&text[line..start])) {
                kept.push_str(&spaced[kept.len()..line]);
                kept.push_str(if start - line > 1 { " \t" } else { "\t" });
                break;
            }
        }
        match token {
            Ok((Tok::String { .. }, range)) => {
                kept.push_str(&spaced[kept.len()..start]);
                kept.push_str(&text[start..usize::from(range.end())]);
            }
            Ok(_) => {}
            // What else is wrong is said by whoever lexes the result.
            Err(_) => break,
        }
    }
    kept.push_str(&spaced[kept.len()..]);
    kept
}

/// Both measures of an indentation.
fn columns(indentation: &str) -> (usize, usize) {
    indentation
        .chars()
        .fold((0, 0), |(wide, count), c| match c {
            '\t' => ((wide / TAB + 1) * TAB, count + 1),
            _ => (wide + 1, count + 1),
        })
}

/// Opens or closes blocks, so that a line of this indentation is in the innermost one. `false`: the measures disagree.
fn enter(levels: &mut Vec<(usize, usize)>, line: (usize, usize)) -> bool {
    let is_inside = |level: &(usize, usize)| level.0 > line.0;
    let depth = levels.len();
    while levels.last().is_some_and(is_inside) {
        levels.pop();
    }
    let (wide, count) = levels.last().copied().unwrap_or_default();
    match (line.0.cmp(&wide), line.1.cmp(&count)) {
        (Ordering::Equal, Ordering::Equal) => true,
        // One that closes a block and is that of none: the lexer says so.
        (Ordering::Greater, _) if levels.len() < depth => true,
        (Ordering::Greater, Ordering::Greater) => {
            levels.push(line);
            true
        }
        _ => false,
    }
}
