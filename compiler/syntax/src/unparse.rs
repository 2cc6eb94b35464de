//! Expressions back to text, as `ast.unparse` writes them.
//!
//! In: an expression. Out: text that parses to it again; `from __future__ import annotations`
//! stores annotations so. Always: parentheses only where precedence needs them.

use std::fmt::Write as _;

use janus_bytecode::Const;
use rustpython_parser::ast::{
    Arguments, BoolOp, CmpOp, Comprehension, Constant, ConversionFlag, Expr, Keyword, Operator,
    UnaryOp,
};

use crate::codegen::literal;

/// Python's precedence levels, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Tuple,
    Test,
    Or,
    And,
    Not,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Arith,
    Term,
    Factor,
    Power,
    Await,
    Atom,
}

/// The text of an expression.
pub(crate) fn unparse(expr: &Expr) -> String {
    let mut out = Unparser { out: String::new() };
    out.expr(expr, Level::Test);
    out.out
}

/// `repr` of a constant.
pub(crate) fn constant_repr(value: &Const) -> String {
    let list = |items: &[Const]| {
        items
            .iter()
            .map(constant_repr)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match value {
        Const::None => "None".to_owned(),
        Const::Ellipsis => "...".to_owned(),
        Const::Bool(true) => "True".to_owned(),
        Const::Bool(false) => "False".to_owned(),
        Const::Int(i) => i.to_string(),
        Const::BigInt(digits) => digits.to_string(),
        Const::Float(f) => float_repr(*f),
        Const::Complex(re, im) if *re == 0.0 => format!("{}j", complex_part(*im)),
        Const::Complex(re, im) => format!("({}{:+}j)", complex_part(*re), im),
        Const::Str(s) => string_repr(s),
        Const::Bytes(b) => bytes_repr(b),
        Const::Tuple(items) if items.len() == 1 => format!("({},)", list(items)),
        Const::Tuple(items) => format!("({})", list(items)),
        Const::FrozenSet(items) => format!("frozenset({{{}}})", list(items)),
        Const::Code(code) => format!("<code object {}>", code.name),
    }
}

fn complex_part(value: f64) -> String {
    let text = float_repr(value);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn float_repr(value: f64) -> String {
    if value.is_infinite() {
        // No literal means infinity; one that overflows does.
        return if value > 0.0 {
            "1e309".to_owned()
        } else {
            "-1e309".to_owned()
        };
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let digits = digits.strip_suffix(".0").unwrap_or(digits);
            match exponent.strip_prefix('-') {
                Some(e) => format!("{digits}e-{e:0>2}"),
                None => format!("{digits}e+{exponent:0>2}"),
            }
        }
        None => text,
    }
}

pub(crate) fn string_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if is_printable(c) => out.push(c),
            c => {
                // Writing to a String cannot fail.
                let _ = match c as u32 {
                    code @ 0..=0xFF => write!(out, "\\x{code:02x}"),
                    code @ 0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
                    code => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
    out
}

/// Whether `repr` shows a character as it is: near enough to Unicode's categories.
fn is_printable(c: char) -> bool {
    c == ' '
        || !(c.is_control()
            || c.is_whitespace()
            || matches!(c as u32,
                0xAD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xE000..=0xF8FF
                | 0xFEFF | 0xFFF0..=0xFFFB | 0xE0000.. ))
}

fn bytes_repr(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
        b'"'
    } else {
        b'\''
    };
    let mut out = String::from("b");
    out.push(quote as char);
    for &b in bytes {
        match b {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b if b == quote => {
                out.push('\\');
                out.push(b as char);
            }
            0x20..=0x7e => out.push(b as char),
            _ => {
                let _ = write!(out, "\\x{b:02x}");
            }
        }
    }
    out.push(quote as char);
    out
}

pub(crate) fn operator(op: Operator) -> &'static str {
    match op {
        Operator::Add => "+",
        Operator::Sub => "-",
        Operator::Mult => "*",
        Operator::MatMult => "@",
        Operator::Div => "/",
        Operator::Mod => "%",
        Operator::Pow => "**",
        Operator::LShift => "<<",
        Operator::RShift => ">>",
        Operator::BitOr => "|",
        Operator::BitXor => "^",
        Operator::BitAnd => "&",
        Operator::FloorDiv => "//",
    }
}

fn operator_level(op: Operator) -> Level {
    match op {
        Operator::BitOr => Level::BitOr,
        Operator::BitXor => Level::BitXor,
        Operator::BitAnd => Level::BitAnd,
        Operator::LShift | Operator::RShift => Level::Shift,
        Operator::Add | Operator::Sub => Level::Arith,
        Operator::Pow => Level::Power,
        _ => Level::Term,
    }
}

fn next(level: Level) -> Level {
    match level {
        Level::BitOr => Level::BitXor,
        Level::BitXor => Level::BitAnd,
        Level::BitAnd => Level::Shift,
        Level::Shift => Level::Arith,
        Level::Arith => Level::Term,
        Level::Term => Level::Factor,
        Level::Factor => Level::Power,
        Level::Power => Level::Await,
        _ => Level::Atom,
    }
}

pub(crate) fn comparison(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "==",
        CmpOp::NotEq => "!=",
        CmpOp::Lt => "<",
        CmpOp::LtE => "<=",
        CmpOp::Gt => ">",
        CmpOp::GtE => ">=",
        CmpOp::Is => "is",
        CmpOp::IsNot => "is not",
        CmpOp::In => "in",
        CmpOp::NotIn => "not in",
    }
}

struct Unparser {
    out: String,
}

impl Unparser {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut one: impl FnMut(&mut Self, T)) {
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                self.text(", ");
            }
            one(self, item);
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        self.list(exprs, |u, e| u.expr(e, Level::Test));
    }

    fn wrapped(&mut self, wrap: bool, inside: impl FnOnce(&mut Self)) {
        if wrap {
            self.text("(");
        }
        inside(self);
        if wrap {
            self.text(")");
        }
    }

    /// An expression where `least` is the loosest level that needs no parentheses.
    fn expr(&mut self, expr: &Expr, least: Level) {
        match expr {
            Expr::BoolOp(e) => {
                let (level, word) = match e.op {
                    BoolOp::And => (Level::And, " and "),
                    BoolOp::Or => (Level::Or, " or "),
                };
                let inner = if e.op == BoolOp::And {
                    Level::Not
                } else {
                    Level::And
                };
                self.wrapped(least > level, |u| {
                    for (at, value) in e.values.iter().enumerate() {
                        if at > 0 {
                            u.text(word);
                        }
                        u.expr(value, inner);
                    }
                });
            }
            Expr::NamedExpr(e) => self.wrapped(true, |u| {
                u.expr(&e.target, Level::Atom);
                u.text(" := ");
                u.expr(&e.value, Level::Atom);
            }),
            Expr::BinOp(e) => {
                let level = operator_level(e.op);
                let (left, right) = match e.op {
                    Operator::Pow => (next(level), Level::Factor),
                    _ => (level, next(level)),
                };
                self.wrapped(least > level, |u| {
                    u.expr(&e.left, left);
                    u.text(" ");
                    u.text(operator(e.op));
                    u.text(" ");
                    u.expr(&e.right, right);
                });
            }
            Expr::UnaryOp(e) => {
                let (level, word) = match e.op {
                    UnaryOp::Not => (Level::Not, "not "),
                    UnaryOp::Invert => (Level::Factor, "~"),
                    UnaryOp::UAdd => (Level::Factor, "+"),
                    UnaryOp::USub => (Level::Factor, "-"),
                };
                self.wrapped(least > level, |u| {
                    u.text(word);
                    u.expr(&e.operand, level);
                });
            }
            Expr::Lambda(e) => self.wrapped(least > Level::Test, |u| {
                u.text("lambda");
                let before = u.out.len();
                u.arguments(&e.args);
                if u.out.len() > before {
                    u.out.insert(before, ' ');
                }
                u.text(": ");
                u.expr(&e.body, Level::Test);
            }),
            Expr::IfExp(e) => self.wrapped(least > Level::Test, |u| {
                u.expr(&e.body, Level::Or);
                u.text(" if ");
                u.expr(&e.test, Level::Or);
                u.text(" else ");
                u.expr(&e.orelse, Level::Test);
            }),
            Expr::Dict(e) => {
                self.text("{");
                self.list(e.keys.iter().zip(&e.values), |u, (key, value)| match key {
                    Some(key) => {
                        u.expr(key, Level::Test);
                        u.text(": ");
                        u.expr(value, Level::Test);
                    }
                    None => {
                        u.text("**");
                        u.expr(value, Level::BitOr);
                    }
                });
                self.text("}");
            }
            Expr::Set(e) => {
                self.text("{");
                self.exprs(&e.elts);
                self.text("}");
            }
            Expr::ListComp(e) => self.comprehension("[", &e.elt, None, &e.generators, "]"),
            Expr::SetComp(e) => self.comprehension("{", &e.elt, None, &e.generators, "}"),
            Expr::DictComp(e) => {
                self.comprehension("{", &e.key, Some(&e.value), &e.generators, "}");
            }
            Expr::GeneratorExp(e) => self.comprehension("(", &e.elt, None, &e.generators, ")"),
            Expr::Await(e) => self.wrapped(least > Level::Await, |u| {
                u.text("await ");
                u.expr(&e.value, Level::Atom);
            }),
            Expr::Yield(e) => self.wrapped(true, |u| {
                u.text("yield");
                if let Some(value) = &e.value {
                    u.text(" ");
                    u.expr(value, Level::Test);
                }
            }),
            Expr::YieldFrom(e) => self.wrapped(true, |u| {
                u.text("yield from ");
                u.expr(&e.value, Level::Test);
            }),
            Expr::Compare(e) => self.wrapped(least > Level::Compare, |u| {
                u.expr(&e.left, Level::BitOr);
                for (op, right) in e.ops.iter().zip(&e.comparators) {
                    u.text(" ");
                    u.text(comparison(*op));
                    u.text(" ");
                    u.expr(right, Level::BitOr);
                }
            }),
            Expr::Call(e) => {
                self.expr(&e.func, Level::Atom);
                self.text("(");
                if let ([Expr::GeneratorExp(only)], []) = (e.args.as_slice(), e.keywords.as_slice())
                {
                    self.comprehension("", &only.elt, None, &only.generators, "");
                } else {
                    self.exprs(&e.args);
                    if !e.args.is_empty() && !e.keywords.is_empty() {
                        self.text(", ");
                    }
                    self.list(&e.keywords, Self::keyword);
                }
                self.text(")");
            }
            Expr::FormattedValue(_) => {
                let values = std::slice::from_ref(expr);
                self.joined_str(values);
            }
            Expr::JoinedStr(e) => self.joined_str(&e.values),
            Expr::Constant(e) => {
                if e.kind.is_some() {
                    self.text("u");
                }
                let text = constant_repr(&literal(&e.value));
                self.text(&text);
            }
            Expr::Attribute(e) => {
                // `1 .real`
                let number = matches!(&*e.value, Expr::Constant(c) if c.value.is_int());
                self.expr(&e.value, Level::Atom);
                self.text(if number { " ." } else { "." });
                self.text(&e.attr);
            }
            Expr::Subscript(e) => {
                self.expr(&e.value, Level::Atom);
                self.text("[");
                match &*e.slice {
                    Expr::Tuple(slice) if !slice.elts.is_empty() => {
                        self.exprs(&slice.elts);
                        if slice.elts.len() == 1 {
                            self.text(",");
                        }
                    }
                    slice => self.expr(slice, Level::Test),
                }
                self.text("]");
            }
            Expr::Starred(e) => {
                self.text("*");
                self.expr(&e.value, Level::BitOr);
            }
            Expr::Name(e) => self.text(&e.id),
            Expr::List(e) => {
                self.text("[");
                self.exprs(&e.elts);
                self.text("]");
            }
            Expr::Tuple(e) => self.wrapped(least > Level::Tuple, |u| {
                u.exprs(&e.elts);
                if e.elts.len() == 1 {
                    u.text(",");
                }
            }),
            Expr::Slice(e) => {
                if let Some(lower) = &e.lower {
                    self.expr(lower, Level::Test);
                }
                self.text(":");
                if let Some(upper) = &e.upper {
                    self.expr(upper, Level::Test);
                }
                if let Some(step) = &e.step {
                    self.text(":");
                    self.expr(step, Level::Test);
                }
            }
        }
    }

    fn keyword(&mut self, keyword: &Keyword) {
        match &keyword.arg {
            Some(name) => {
                self.text(name);
                self.text("=");
            }
            None => self.text("**"),
        }
        self.expr(&keyword.value, Level::Test);
    }

    fn arguments(&mut self, args: &Arguments) {
        let mut parts: Vec<(String, Option<&Expr>)> = Vec::new();
        for arg in &args.posonlyargs {
            parts.push((arg.def.arg.to_string(), arg.default.as_deref()));
        }
        if !args.posonlyargs.is_empty() {
            parts.push(("/".to_owned(), None));
        }
        for arg in &args.args {
            parts.push((arg.def.arg.to_string(), arg.default.as_deref()));
        }
        match &args.vararg {
            Some(arg) => parts.push((format!("*{}", arg.arg), None)),
            None if !args.kwonlyargs.is_empty() => parts.push(("*".to_owned(), None)),
            None => {}
        }
        for arg in &args.kwonlyargs {
            parts.push((arg.def.arg.to_string(), arg.default.as_deref()));
        }
        if let Some(arg) = &args.kwarg {
            parts.push((format!("**{}", arg.arg), None));
        }
        self.list(parts, |u, (name, default)| {
            u.text(&name);
            if let Some(default) = default {
                u.text("=");
                u.expr(default, Level::Test);
            }
        });
    }

    fn comprehension(
        &mut self,
        open: &str,
        element: &Expr,
        value: Option<&Expr>,
        generators: &[Comprehension],
        close: &str,
    ) {
        self.text(open);
        self.expr(element, Level::Test);
        if let Some(value) = value {
            self.text(": ");
            self.expr(value, Level::Test);
        }
        for generator in generators {
            self.text(if generator.is_async {
                " async for "
            } else {
                " for "
            });
            self.expr(&generator.target, Level::Tuple);
            self.text(" in ");
            self.expr(&generator.iter, Level::Or);
            for condition in &generator.ifs {
                self.text(" if ");
                self.expr(condition, Level::Or);
            }
        }
        self.text(close);
    }

    fn joined_str(&mut self, values: &[Expr]) {
        let mut inner = String::new();
        fstring_parts(values, &mut inner);
        self.text("f");
        let text = string_repr(&inner);
        self.text(&text);
    }
}

fn fstring_parts(values: &[Expr], out: &mut String) {
    for value in values {
        match value {
            Expr::Constant(c) => {
                if let Constant::Str(text) = &c.value {
                    out.push_str(&text.replace('{', "{{").replace('}', "}}"));
                }
            }
            Expr::FormattedValue(f) => {
                let text = unparse(&f.value);
                out.push('{');
                if text.starts_with('{') {
                    out.push(' ');
                }
                out.push_str(&text);
                match f.conversion {
                    ConversionFlag::None => {}
                    ConversionFlag::Str => out.push_str("!s"),
                    ConversionFlag::Repr => out.push_str("!r"),
                    ConversionFlag::Ascii => out.push_str("!a"),
                }
                if let Some(Expr::JoinedStr(spec)) = f.format_spec.as_deref() {
                    out.push(':');
                    fstring_parts(&spec.values, out);
                }
                out.push('}');
            }
            Expr::JoinedStr(inner) => fstring_parts(&inner.values, out),
            _ => {}
        }
    }
}
