//! The parser, behind a wall.
//!
//! In: source text. Out: a syntax tree that passed the checks of [`crate::validate`], or an error
//! with CPython's words. Always: nesting is bounded before anything recurses, by brackets and
//! indentation here and by depth there.

use janus_bytecode::surrogate;
use rustpython_parser::ast::{Expr, ExprCall, Mod, Ranged, Stmt, StmtAnnAssign, StmtMatch};
use rustpython_parser::lexer::{LexResult, lex};
use rustpython_parser::text_size::{TextRange, TextSize};
use rustpython_parser::{Mode as ParserMode, Tok, parse_tokens};
use unicode_normalization::UnicodeNormalization;

use crate::Mode;
use crate::diagnose::{diagnose, star_without_names};
use crate::error::{Error, Result};
use crate::indents;
use crate::source::Source;
use crate::validate::{Invalid, validate};
use crate::warn::{self, SyntaxWarning};

/// Brackets inside brackets, as in CPython's tokenizer.
const MAX_BRACKETS: usize = 200;
/// Blocks inside blocks, as in CPython's tokenizer.
const MAX_BLOCKS: usize = 100;
/// Tokens in a row that may each nest one level deeper, such as operators.
const MAX_CHAIN: usize = 50_000;

/// A parsed source file.
pub(crate) enum Tree {
    Module(Vec<Stmt>),
    /// As a module, but expression statements show their value.
    Single(Vec<Stmt>),
    Eval(Box<Expr>),
}

/// Parses, and checks what CPython's parser does.
pub(crate) fn parse(
    source: &Source,
    mode: Mode,
    warnings: &mut Vec<SyntaxWarning>,
) -> Result<Tree> {
    parse_for(source, mode, None, warnings)
}

/// Parses what is to be compiled, with a false `__debug__` where `optimize` is not 0.
pub(crate) fn parse_optimized(
    source: &Source,
    mode: Mode,
    optimize: u8,
    warnings: &mut Vec<SyntaxWarning>,
) -> Result<Tree> {
    parse_for(source, mode, Some(optimize), warnings)
}

fn parse_for(
    source: &Source,
    mode: Mode,
    compiled: Option<u8>,
    warnings: &mut Vec<SyntaxWarning>,
) -> Result<Tree> {
    let parser_mode = match mode {
        Mode::Module => ParserMode::Module,
        Mode::Eval => ParserMode::Expression,
        Mode::Single => ParserMode::Interactive,
    };
    if let Some(at) = source.text.find('\0') {
        let range = TextRange::at((at as u32).into(), 1.into());
        return Err(Error::new(
            "source code string cannot contain null bytes",
            range,
        ));
    }
    let spaced = indents::of_spaces(&source.text, parser_mode);
    let spaced = spaced.map(|text| source.with_text(text));
    let source = spaced.as_ref().unwrap_or(source);
    let mut tokens = tokenize(source, parser_mode)?;
    let warned = warn::of_tokens(source, &tokens);
    warnings.extend(warned.into_iter().map(|w| w.locate(source)));
    if compiled.is_some_and(|optimize| optimize > 0) {
        for (token, _) in tokens.iter_mut().flatten() {
            if matches!(token, Tok::Name { name } if name == "__debug__") {
                *token = Tok::False;
            }
        }
    }
    let star = star_without_names(&tokens);
    let tree = match parse_tokens(tokens, parser_mode, &source.filename) {
        Ok(Mod::Module(module)) => Tree::Module(module.body),
        Ok(Mod::Interactive(module)) => Tree::Single(module.body),
        Ok(Mod::Expression(expr)) => Tree::Eval(expr.body),
        Ok(Mod::FunctionType(function)) => Tree::Eval(function.returns),
        Err(error) => return Err(diagnose(source, parser_mode, error)),
    };
    if let Some(error) = star {
        return Err(error);
    }
    match validate(source, &tree, compiled.is_some()) {
        Ok(()) => Ok(tree),
        Err(Invalid::Wrong(error)) => Err(error),
        Err(Invalid::TooDeep(error)) => {
            // Dropping recurses as deep as the tree: better to leak it than to crash.
            std::mem::forget(tree);
            Err(error)
        }
    }
}

/// All tokens up to the first one that is malformed, that error last.
fn tokenize(source: &Source, mode: ParserMode) -> Result<Vec<LexResult>> {
    let mut tokens = Vec::with_capacity(source.text.len() / 4);
    let mut nesting = Nesting::default();
    for token in lex(&source.text, mode) {
        let mut token = token.map(normalize);
        if let Ok((tok, range)) = &mut token {
            keep_surrogates(tok, *range)?;
            take_apart_inner_strings(tok);
        }
        if let Ok((tok, range)) = &token {
            nesting.see(tok, *range)?;
        }
        let stop = token.is_err();
        tokens.push(token);
        if stop {
            break;
        }
    }
    Ok(tokens)
}

/// Identifiers are compared in normal form (PEP 3131).
fn normalize((tok, range): (Tok, TextRange)) -> (Tok, TextRange) {
    match tok {
        Tok::Name { name } if !name.is_ascii() => (
            Tok::Name {
                name: name.nfkc().collect(),
            },
            range,
        ),
        tok => (tok, range),
    }
}

/// Writes the escapes of surrogates as those of the characters that stand for them: the parser would lose them.
fn keep_surrogates(tok: &mut Tok, range: TextRange) -> Result<()> {
    let Tok::String { value, kind, .. } = tok else {
        return Ok(());
    };
    if kind.is_raw() || kind.is_any_bytes() || !value.contains('\\') {
        return Ok(());
    }
    let mut out = String::new();
    let mut rest = value.as_str();
    while let Some(at) = rest.find('\\') {
        let digits = match rest.as_bytes().get(at + 1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let code = match digits {
            0 => None,
            n => rest.get(at + 2..at + 2 + n),
        };
        let code = code.and_then(|hex| u32::from_str_radix(hex, 16).ok());
        if code.is_some_and(surrogate::is_refused) {
            return Err(Error::new(surrogate::REFUSED, range));
        }
        let stand_in = code
            .filter(|code| char::from_u32(*code).is_none())
            .and_then(surrogate::char_of);
        if let Some(c) = stand_in {
            out.push_str(&rest[..at]);
            out.push(c);
            rest = &rest[at + 2 + digits..];
            continue;
        }
        // The character after the backslash is no backslash of another escape.
        let escaped = rest[at + 1..].chars().next().map_or(0, char::len_utf8);
        let (before, after) = rest.split_at(at + 1 + escaped);
        out.push_str(before);
        rest = after;
    }
    out.push_str(rest);
    *value = out;
    Ok(())
}

/// Writes strings with three quotes in the expressions of an f-string as ones with one quote, several in a row where the
/// quote itself stands in it: the parser ends them at the first quote.
fn take_apart_inner_strings(tok: &mut Tok) {
    let Tok::String { value, kind, .. } = tok else {
        return;
    };
    if !kind.is_any_fstring() || !(value.contains("\"\"\"") || value.contains("'''")) {
        return;
    }
    let mut out = String::new();
    let (mut depth, mut rest) = (0usize, value.as_str());
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '{' if depth == 0 && rest.starts_with("{{") => taken = 2,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '"' | '\'' if depth > 0 => {
                let three = String::from(c).repeat(3);
                let width = if rest.starts_with(&three) { 3 } else { 1 };
                let quote = if width == 3 {
                    three.as_str()
                } else {
                    &three[..1]
                };
                let inside = rest.get(width..).and_then(|r| Some(&r[..r.find(quote)?]));
                if let Some(inside) = inside {
                    taken = inside.len() + 2 * width;
                    let prefix: String = before_quote(&out).to_owned();
                    let plain = !inside.contains('\n') && !prefix.contains(['f', 'F']);
                    if width == 3 && inside.contains(c) && plain {
                        let other = if c == '"' { '\'' } else { '"' };
                        let between = format!("{c} {prefix}{other}{c}{other} {prefix}{c}");
                        out.push(c);
                        out.push_str(&inside.replace(c, &between));
                        out.push(c);
                        rest = &rest[taken..];
                        continue;
                    }
                }
            }
            _ => {}
        }
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    *value = out;
}

/// The letters before a quote that are the string's prefix.
fn before_quote(text: &str) -> &str {
    let start = text
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
    let word = &text[start..];
    let is_prefix = word.len() <= 2 && word.chars().all(|c| "rRbBuUfF".contains(c));
    if is_prefix { word } else { "" }
}

/// Bounds how deep the tree can become, before there is one.
#[derive(Default)]
struct Nesting {
    /// For each open bracket, and for the statement: tokens since the last comma. A tree inside
    /// one element of a list is not deeper than it has tokens.
    brackets: Vec<usize>,
    statement: usize,
    /// For each open block: `elif` clauses in a row, each of which is inside the one before.
    blocks: Vec<usize>,
    elifs: usize,
    line_start: bool,
    /// The token before was `**`.
    after_double_star: bool,
}

impl Nesting {
    fn see(&mut self, tok: &Tok, range: TextRange) -> Result<()> {
        // The parser takes `def f(**)`.
        if self.after_double_star && matches!(tok, Tok::Rpar | Tok::Comma | Tok::Colon) {
            return Err(Error::new("invalid syntax", range));
        }
        self.after_double_star = *tok == Tok::DoubleStar;
        let here = self.brackets.last_mut().unwrap_or(&mut self.statement);
        *here += 1;
        if *here > MAX_CHAIN {
            return Err(Error::new("too many nested expressions", range));
        }
        match tok {
            Tok::Lpar | Tok::Lsqb | Tok::Lbrace => {
                self.brackets.push(0);
                if self.brackets.len() > MAX_BRACKETS {
                    return Err(Error::new("too many nested parentheses", range));
                }
            }
            Tok::Rpar | Tok::Rsqb | Tok::Rbrace => {
                self.brackets.pop();
            }
            // Strings in a row are one string.
            Tok::Comma | Tok::String { .. } => *here = 0,
            Tok::Newline | Tok::Semi => self.statement = 0,
            Tok::Indent => {
                self.blocks.push(std::mem::take(&mut self.elifs));
                if self.blocks.len() >= MAX_BLOCKS {
                    return Err(Error::indentation("too many levels of indentation", range));
                }
            }
            Tok::Dedent => self.elifs = self.blocks.pop().unwrap_or(0),
            Tok::If if self.line_start => self.elifs = 0,
            Tok::Elif => {
                self.elifs += 1;
                if self.elifs > MAX_CHAIN {
                    return Err(Error::new("too many elif clauses", range));
                }
            }
            _ => {}
        }
        self.line_start = matches!(tok, Tok::Newline | Tok::Indent | Tok::Dedent);
        Ok(())
    }
}

/// Whether an annotation's target is a name without parentheses around it; the parser does not
/// look at the parentheses.
pub(crate) fn is_simple(s: &StmtAnnAssign) -> bool {
    s.simple && s.range.start() == s.target.start()
}

/// Where the generator expression is that shares the parentheses of the call that it is the argument of: Python
/// counts these as its own.
pub(crate) fn lone_generator(source: &Source, e: &ExprCall) -> Option<TextRange> {
    let ([Expr::GeneratorExp(generator)], []) = (e.args.as_slice(), e.keywords.as_slice()) else {
        return None;
    };
    if source.is_parenthesized(generator.range) {
        return None;
    }
    let callee = e.func.range().end();
    let between = source.slice(TextRange::new(callee, generator.range.start()));
    let open = between.find('(').unwrap_or(0) as u32;
    Some(TextRange::new(callee + TextSize::from(open), e.range.end()))
}

/// Whether `match x,:` matches a tuple of one; the parser drops the comma.
pub(crate) fn is_tuple_subject(source: &Source, s: &StmtMatch) -> bool {
    let rest = source.after(s.subject.range());
    !s.subject.is_tuple_expr()
        && rest
            .trim_start_matches([' ', '\t', '\n', ')'])
            .starts_with(',')
}

/// Whether `from __future__ import annotations` is in force.
pub(crate) fn future_annotations(tree: &Tree) -> bool {
    let (Tree::Module(body) | Tree::Single(body)) = tree else {
        return false;
    };
    body.iter().any(|stmt| match stmt {
        Stmt::ImportFrom(s) => {
            s.module.as_deref() == Some("__future__")
                && s.names.iter().any(|n| n.name.as_str() == "annotations")
        }
        _ => false,
    })
}

/// A range without text, where nothing better is known.
pub(crate) fn nowhere() -> TextRange {
    TextRange::default()
}
