//! What is typed in: whether there is more to come.
//!
//! In: the lines so far. Out: whether they could become a statement if more lines followed. Always: a compound
//! statement ends with a blank line, as at CPython's prompt; text that is wrong however it goes on is not incomplete.

use rustpython_parser::ast::Stmt;

use crate::Mode;
use crate::parse::{Tree, parse};
use crate::source::Source;

/// Whether `text` is the beginning of a statement.
pub(crate) fn is_incomplete(source: &Source) -> bool {
    let text = source.text.as_str();
    let written = text.trim_end();
    match parse(source, Mode::Single, &mut Vec::new()) {
        Ok(Tree::Single(body)) => body.iter().any(is_compound) && !ends_with_blank_line(text),
        Ok(_) => false,
        Err(error) => {
            let at = usize::from(error.range.start());
            let message = error.message.as_str();
            message.ends_with("was never closed")
                || message.starts_with("unterminated triple-quoted")
                || message.starts_with("unexpected EOF")
                || at > written.len()
                || (message.starts_with("expected an indented block") && at >= written.len())
                || (message.starts_with("expected 'except'") && !ends_with_blank_line(text))
        }
    }
}

fn ends_with_blank_line(text: &str) -> bool {
    let last = text.strip_suffix('\n').map(|t| t.rsplit('\n').next());
    last.flatten().is_some_and(|line| line.trim().is_empty())
}

fn is_compound(statement: &Stmt) -> bool {
    matches!(
        statement,
        Stmt::FunctionDef(_)
            | Stmt::AsyncFunctionDef(_)
            | Stmt::ClassDef(_)
            | Stmt::For(_)
            | Stmt::AsyncFor(_)
            | Stmt::While(_)
            | Stmt::If(_)
            | Stmt::With(_)
            | Stmt::AsyncWith(_)
            | Stmt::Match(_)
            | Stmt::Try(_)
            | Stmt::TryStar(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_goes_on() {
        let more = |text: &str| is_incomplete(&Source::new(text, "<stdin>"));
        for text in [
            "def f():\n",
            "def f():\n    return 1\n",
            "if x: pass\n",
            "x = (1,\n",
            "x = '''a\n",
            "x = 1 + \\\n",
            "@decorated\n",
            "try:\n    x\n",
            "for i in x:\n    if i:\n",
        ] {
            assert!(more(text), "{text:?}");
        }
        for text in [
            "x = 1\n",
            "x =\n",
            "x = 'a\n",
            "if x: pass\n\n",
            "def f():\n    return 1\n\n",
            "if x\n",
            "f(1 2)\n",
            "\n",
            "# nothing\n",
            "if x:\nfoo\n",
        ] {
            assert!(!more(text), "{text:?}");
        }
    }
}
