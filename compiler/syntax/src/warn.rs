//! What CPython's compiler warns of.
//!
//! In: tokens, and the tree of a program that is right. Out: warnings in CPython's words, in the order of the text. Always:
//! nothing here refuses anything.

use rustpython_parser::Tok;
use rustpython_parser::ast::{CmpOp, Constant, Expr, Stmt};
use rustpython_parser::lexer::LexResult;
use rustpython_parser::text_size::TextRange;

use crate::error::{Error, Result, SyntaxError};
use crate::parse::Tree;
use crate::source::Source;
use crate::walk::{Visitor, walk_expr, walk_stmt};

/// The class of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningCategory {
    /// `SyntaxWarning`
    Syntax,
    /// `DeprecationWarning`
    Deprecation,
}

/// A warning of the compiler.
#[derive(Clone, Debug)]
pub struct SyntaxWarning {
    /// Its class.
    pub category: WarningCategory,
    /// The error that it is where a filter makes errors of warnings.
    pub error: SyntaxError,
}

/// A warning whose place is still a byte range.
pub(crate) struct Warning {
    category: WarningCategory,
    error: Error,
}

impl Warning {
    fn new(category: WarningCategory, message: String, range: TextRange) -> Warning {
        let error = Error::new(message, range);
        Warning { category, error }
    }

    pub fn locate(self, source: &Source) -> SyntaxWarning {
        SyntaxWarning {
            category: self.category,
            error: self.error.locate(source),
        }
    }
}

/// What tokens show: numbers that a keyword follows at once, and escapes that mean nothing.
pub(crate) fn of_tokens(source: &Source, tokens: &[LexResult]) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut before: Option<(&Tok, TextRange)> = None;
    for (tok, range) in tokens.iter().flatten() {
        if let Some((number, at)) = before
            && at.end() == range.start()
            && let Some(kind) = number_kind(number, source.slice(at))
            && follows_number(tok)
        {
            let message = format!("invalid {kind} literal");
            found.push(Warning::new(WarningCategory::Syntax, message, at));
        }
        if matches!(tok, Tok::String { .. }) && source.slice(*range).contains('\\') {
            let warn = |message| Warning::new(WarningCategory::Deprecation, message, *range);
            found.extend(invalid_escapes(source.slice(*range)).into_iter().map(warn));
        }
        before = Some((tok, *range));
    }
    found
}

/// What CPython calls a number, if it is one.
fn number_kind(tok: &Tok, text: &str) -> Option<&'static str> {
    let prefix = text.get(..2).unwrap_or("").to_ascii_lowercase();
    Some(match tok {
        Tok::Complex { .. } => "imaginary",
        Tok::Float { .. } => "decimal",
        Tok::Int { .. } => match prefix.as_str() {
            "0x" => "hexadecimal",
            "0o" => "octal",
            "0b" => "binary",
            _ => "decimal",
        },
        _ => return None,
    })
}

/// The keywords that may stand after a number.
fn follows_number(tok: &Tok) -> bool {
    matches!(
        tok,
        Tok::And | Tok::Else | Tok::For | Tok::If | Tok::In | Tok::Is | Tok::Or | Tok::Not
    )
}

/// The first escape that means nothing, of a string; of an f-string that of each part between expressions.
fn invalid_escapes(text: &str) -> Vec<String> {
    let Some(quote) = text.find(['"', '\'']) else {
        return Vec::new();
    };
    let (prefix, rest) = text.split_at(quote);
    let prefix = prefix.to_ascii_lowercase();
    if prefix.contains('r') {
        return Vec::new();
    }
    let width = match rest.get(..3) {
        Some("\"\"\"" | "'''") if rest.len() >= 6 => 3,
        _ => 1,
    };
    let body = rest.get(width..rest.len().saturating_sub(width));
    let body = body.unwrap_or("");
    if !prefix.contains('f') {
        return invalid_escape(body, prefix.contains('b'))
            .into_iter()
            .collect();
    }
    let mut found = Vec::new();
    for part in literal_parts(body) {
        found.extend(invalid_escape(part, false));
        if part.len() < body.len() && part.ends_with('\\') && !part.ends_with("\\\\") {
            found.push("invalid escape sequence '\\{'".to_owned());
        }
    }
    found
}

/// The parts of an f-string that are no expressions.
fn literal_parts(body: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0usize);
    let mut chars = body.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if depth == 0 && body[at..].starts_with("\\N{") => {
                // The name of a character.
                while chars.next().is_some_and(|(_, c)| c != '}') {}
            }
            '{' if depth == 0 && chars.peek().is_some_and(|(_, c)| *c == '{') => {
                chars.next();
            }
            '{' => {
                if depth == 0 {
                    parts.push(&body[start..at]);
                }
                depth += 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(body.get(start..).filter(|_| depth == 0));
    parts
}

/// What is said of the first escape that means nothing.
fn invalid_escape(text: &str, is_bytes: bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('\\') {
        let escape = at + found + 1;
        let c = *bytes.get(escape)?;
        let digits = bytes.get(escape..escape + 3);
        let octal = digits.filter(|d| d.iter().all(|d| (b'0'..=b'7').contains(d)));
        match c {
            b'4'..=b'7' if let Some(digits) = octal => {
                let digits = String::from_utf8_lossy(digits);
                return Some(format!("invalid octal escape sequence '\\{digits}'"));
            }
            b'\n' | b'\\' | b'\'' | b'"' | b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v'
            | b'x' => {}
            b'0'..=b'7' => {}
            b'N' | b'u' | b'U' if !is_bytes => {}
            // A backslash before these is itself.
            128.. => {}
            c => return Some(format!("invalid escape sequence '\\{}'", char::from(c))),
        }
        at = escape + 1;
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    None
}

/// What a tree shows: comparisons by identity with literals, assertions that always hold, calls and subscripts of what
/// cannot be called and has no such items.
pub(crate) fn of_tree(tree: &Tree) -> Vec<Warning> {
    let mut finder = Finder { found: Vec::new() };
    // It never refuses.
    let _ = match tree {
        Tree::Module(body) | Tree::Single(body) => finder.body(body),
        Tree::Eval(value) => finder.expr(value),
    };
    finder.found
}

struct Finder {
    found: Vec<Warning>,
}

impl Finder {
    fn warn(&mut self, message: impl Into<String>, range: TextRange) {
        let warning = Warning::new(WarningCategory::Syntax, message.into(), range);
        self.found.push(warning);
    }
}

impl<'a> Visitor<'a> for Finder {
    fn stmt(&mut self, stmt: &'a Stmt) -> Result<()> {
        if let Stmt::Assert(s) = stmt
            && matches!(&*s.test, Expr::Tuple(t) if !t.elts.is_empty())
        {
            self.warn(
                "assertion is always true, perhaps remove parentheses?",
                s.range,
            );
        }
        walk_stmt(self, stmt)
    }

    fn expr(&mut self, expr: &'a Expr) -> Result<()> {
        match expr {
            Expr::Compare(e) => {
                let operands = std::iter::once(&*e.left).chain(&e.comparators);
                let literal: Vec<bool> = operands.map(is_identity_of_none).collect();
                let compared = e.ops.iter().zip(literal.windows(2));
                let first = compared.filter(|(_, pair)| pair.contains(&true)).find_map(
                    |(op, _)| match op {
                        CmpOp::Is => Some("\"is\" with a literal. Did you mean \"==\"?"),
                        CmpOp::IsNot => Some("\"is not\" with a literal. Did you mean \"!=\"?"),
                        _ => None,
                    },
                );
                if let Some(message) = first {
                    self.warn(message, e.range);
                }
            }
            Expr::Call(e) => {
                if let Some(class) = class_of(&e.func).filter(|c| *c != "function") {
                    self.warn(
                        format!("'{class}' object is not callable; perhaps you missed a comma?"),
                        e.range,
                    );
                }
            }
            Expr::Subscript(e) if e.ctx.is_load() => {
                if let Some(message) = wrong_subscript(&e.value, &e.slice) {
                    self.warn(message, e.range);
                }
            }
            _ => {}
        }
        walk_expr(self, expr)
    }
}

/// Whether an expression is a constant, folded, of which no two need be the same object.
fn is_identity_of_none(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(c) => !matches!(
            c.value,
            Constant::None | Constant::Bool(_) | Constant::Ellipsis
        ),
        Expr::UnaryOp(e) => is_identity_of_none(&e.operand) && !e.op.is_not(),
        Expr::BinOp(e) => is_number(&e.left) && is_number(&e.right),
        Expr::Tuple(e) => e.elts.iter().all(is_constant),
        _ => false,
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(class_of(expr), Some("int" | "float" | "complex"))
}

fn is_constant(expr: &Expr) -> bool {
    expr.is_constant_expr() || is_identity_of_none(expr)
}

/// The class of what an expression gives, where it shows.
fn class_of(expr: &Expr) -> Option<&'static str> {
    Some(match expr {
        Expr::Tuple(_) => "tuple",
        Expr::List(_) | Expr::ListComp(_) => "list",
        Expr::Dict(_) | Expr::DictComp(_) => "dict",
        Expr::Set(_) | Expr::SetComp(_) => "set",
        Expr::GeneratorExp(_) => "generator",
        Expr::Lambda(_) => "function",
        Expr::JoinedStr(_) | Expr::FormattedValue(_) => "str",
        Expr::UnaryOp(e) if e.op.is_u_sub() && is_number(&e.operand) => class_of(&e.operand)?,
        Expr::Constant(c) => match &c.value {
            Constant::None => "NoneType",
            Constant::Bool(_) => "bool",
            Constant::Ellipsis => "ellipsis",
            Constant::Str(_) => "str",
            Constant::Bytes(_) => "bytes",
            Constant::Int(_) => "int",
            Constant::Float(_) => "float",
            Constant::Complex { .. } => "complex",
            Constant::Tuple(_) => "tuple",
        },
        _ => return None,
    })
}

/// What is said of `value[index]`, if that cannot be.
fn wrong_subscript(value: &Expr, index: &Expr) -> Option<String> {
    let class = class_of(value)?;
    match class {
        "dict" => None,
        "str" | "bytes" | "tuple" | "list" => match class_of(index)? {
            "int" | "bool" => None,
            // Sets and the like are not looked at.
            "dict" | "set" | "generator" | "function" => None,
            index => Some(format!(
                "{class} indices must be integers or slices, not {index}; perhaps you missed a comma?"
            )),
        },
        _ => Some(format!(
            "'{class}' object is not subscriptable; perhaps you missed a comma?"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let first = |text: &str| invalid_escapes(text);
        assert!(first(r#""\n\x41\N{DASH}\u0041\101""#).is_empty());
        assert!(first(r#"r"\d""#).is_empty());
        assert_eq!(first(r#""\d\e""#), [r"invalid escape sequence '\d'"]);
        assert_eq!(first(r#"b"\u""#), [r"invalid escape sequence '\u'"]);
        assert_eq!(
            first(r#""\400""#),
            [r"invalid octal escape sequence '\400'"]
        );
        assert_eq!(first(r#"f"\d{x}\w""#).len(), 2);
        assert_eq!(first(r#"f"\{x}""#), [r"invalid escape sequence '\{'"]);
        assert!(first(r#"f"{x}\N{DASH}""#).is_empty());
    }
}
