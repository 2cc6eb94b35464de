//! Lists of parameters that are none: what CPython says of stars, slashes and default values in the wrong place.
//!
//! In: the tokens of a list up to the one that the parser refused. Out: the first rule's error that applies. Always: a list
//! that is right so far has no error here.

use rustpython_parser::Tok;
use rustpython_parser::lexer::LexResult;
use rustpython_parser::text_size::TextRange;

use super::Diagnosis;
use crate::error::Error;

/// What a list of parameters belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Function,
    Lambda,
}

impl Owner {
    /// The words for it in errors.
    pub(super) fn words(self) -> &'static str {
        match self {
            Owner::Function => "Function",
            Owner::Lambda => "Lambda expression",
        }
    }
}

impl Diagnosis<'_> {
    /// The list of parameters that a token is in, outside of default values in brackets: what it belongs to, and its first
    /// token.
    pub(super) fn parameters_at(&self, at: usize) -> Option<(Owner, usize)> {
        let mut depth = 0usize;
        for n in (0..at.min(self.tokens.len())).rev() {
            match self.tok(n)? {
                Tok::Rpar | Tok::Rsqb | Tok::Rbrace => depth += 1,
                Tok::Lpar if depth == 0 => {
                    let is_def = matches!(self.tok(n.checked_sub(2)?), Some(Tok::Def));
                    return is_def.then_some((Owner::Function, n + 1));
                }
                Tok::Lsqb | Tok::Lbrace if depth == 0 => return None,
                Tok::Lpar | Tok::Lsqb | Tok::Lbrace => depth -= 1,
                Tok::Lambda if depth == 0 => return Some((Owner::Lambda, n + 1)),
                Tok::Newline | Tok::Semi if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a token stands behind a parameter's name.
    pub(super) fn is_between_parameters(&self, at: usize) -> bool {
        let Some((_, start)) = self.parameters_at(at) else {
            return false;
        };
        let before = at.checked_sub(2).and_then(|n| self.tok(n));
        at.checked_sub(1) == Some(start)
            || matches!(before, Some(Tok::Comma | Tok::Star | Tok::DoubleStar))
    }

    /// The rules about parameters.
    pub(super) fn parameters(&self) -> Option<Error> {
        let (owner, start) = self.parameters_at(self.at)?;
        let wrong = |message: &str, n: usize| Some(Error::new(message, self.range(n)));
        let (mut slash, mut star, mut names) = (false, false, false);
        let mut depth = 0usize;
        // Whether a parameter begins here, and whether its default value has begun.
        let (mut begins, mut has_default) = (true, false);
        let mut n = start;
        while n <= self.at {
            let tok = self.tok(n)?;
            let next = self.tok(n + 1);
            match tok {
                Tok::Lpar | Tok::Lsqb | Tok::Lbrace => depth += 1,
                Tok::Rpar | Tok::Rsqb | Tok::Rbrace => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                Tok::Comma => {
                    (begins, has_default) = (true, false);
                    n += 1;
                    continue;
                }
                Tok::Slash if begins => {
                    if star {
                        return wrong("/ must be ahead of *", n);
                    }
                    if slash {
                        return wrong("/ may appear only once", n);
                    }
                    if !names {
                        let message = "at least one argument must precede /";
                        return (next == Some(&Tok::Comma))
                            .then(|| Error::new(message, self.range(n)));
                    }
                    slash = true;
                }
                Tok::Star if begins => {
                    if star {
                        return wrong("* argument may appear only once", n);
                    }
                    star = true;
                    let named = matches!(next, Some(Tok::Name { .. }));
                    if named && self.tok(n + 2) == Some(&Tok::Equal) {
                        return wrong("var-positional argument cannot have default value", n + 2);
                    }
                }
                Tok::DoubleStar if begins && matches!(next, Some(Tok::Name { .. })) => {
                    return self.after_keywords(n);
                }
                Tok::Equal if !has_default => {
                    has_default = true;
                    let is_end = matches!(next, Some(Tok::Comma | Tok::Rpar));
                    if is_end && owner == Owner::Function {
                        return wrong("expected default value expression", n);
                    }
                }
                Tok::Name { .. } => names = true,
                _ => {}
            }
            begins = false;
            n += 1;
        }
        None
    }

    /// What follows `**name`, whose star is this token.
    fn after_keywords(&self, star: usize) -> Option<Error> {
        let follows = (star + 2..=self.at).find(|n| matches!(self.tok(*n), Some(Tok::Comma)));
        if self.tok(star + 2) == Some(&Tok::Equal) {
            let message = "var-keyword argument cannot have default value";
            return Some(Error::new(message, self.range(star + 2)));
        }
        let next = follows? + 1;
        let is_parameter = matches!(
            self.tok(next),
            Some(Tok::Name { .. } | Tok::Star | Tok::DoubleStar | Tok::Slash)
        );
        let message = "arguments cannot follow var-keyword argument";
        is_parameter.then(|| Error::new(message, self.range(next)))
    }

    /// Where CPython sees that nothing follows a bare star.
    pub(super) fn bare_star(&self, star: usize) -> TextRange {
        match self.parameters_at(star) {
            Some((Owner::Lambda, _)) if self.tok(star + 1) == Some(&Tok::Comma) => {
                self.range(star + 2)
            }
            Some((Owner::Lambda, _)) => self.range(star + 1),
            _ => self.range(star),
        }
    }
}

/// `def f(*, **k)`, which the parser takes.
pub(crate) fn star_without_names(tokens: &[LexResult]) -> Option<Error> {
    let tok = |n: usize| tokens.get(n).and_then(|t| t.as_ref().ok());
    let is = |n: usize, wanted: &Tok| tok(n).is_some_and(|(t, _)| t == wanted);
    let star = (0..tokens.len())
        .find(|n| is(*n, &Tok::Star) && is(n + 1, &Tok::Comma) && is(n + 2, &Tok::DoubleStar))?;
    let mut depth = 0usize;
    let mut in_lambda = false;
    for n in (0..star).rev() {
        match &tok(n)?.0 {
            Tok::Rpar | Tok::Rsqb | Tok::Rbrace => depth += 1,
            Tok::Lpar | Tok::Lsqb | Tok::Lbrace if depth == 0 => break,
            Tok::Lpar | Tok::Lsqb | Tok::Lbrace => depth -= 1,
            Tok::Lambda if depth == 0 => {
                in_lambda = true;
                break;
            }
            _ => {}
        }
    }
    let (_, range) = tok(if in_lambda { star + 2 } else { star })?;
    Some(Error::new("named arguments must follow bare *", *range))
}
