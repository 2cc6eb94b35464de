//! The syntax tree as text, as `ast.dump(tree, indent=1)` writes it.
//!
//! In: a tree. Out: text, for `--emit ast`. Always: node and field names are those of Python's
//! `ast` module, not of the parser; fields that are `None` are left out where Python leaves
//! them out.

use rustpython_parser::ast::{
    Arg, ArgWithDefault, Arguments, BoolOp, CmpOp, Comprehension, Constant, ExceptHandler, Expr,
    ExprContext, ExprJoinedStr, Keyword, Operator, Pattern, Stmt, UnaryOp, WithItem,
};

use crate::codegen::literal;
use crate::error::Result;
use crate::parse::{Tree, is_simple};
use crate::unparse::{constant_repr, string_repr};
use crate::walk::{Visitor, walk_stmt};

/// The text of a tree.
pub(crate) fn dump(tree: &Tree) -> String {
    let value = match tree {
        Tree::Module(body) => node(
            "Module",
            vec![("body", stmts(body)), ("type_ignores", Value::List(vec![]))],
        ),
        Tree::Single(body) => node("Interactive", vec![("body", stmts(body))]),
        Tree::Eval(value) => node("Expression", vec![("body", expr(value))]),
    };
    let mut out = value.format(0).0;
    out.push('\n');
    out
}

/// The texts of the outermost functions and classes whose qualified name is `wanted`, by name.
pub(crate) fn definitions(tree: &Tree, wanted: &dyn Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut search = Search {
        wanted,
        scope: String::new(),
        found: Vec::new(),
    };
    if let Tree::Module(body) | Tree::Single(body) = tree {
        // This visitor raises nothing.
        let _ = search.body(body);
    }
    search.found
}

struct Search<'w> {
    wanted: &'w dyn Fn(&str) -> bool,
    /// What the names of definitions here start with.
    scope: String,
    found: Vec<(String, String)>,
}

impl<'a> Visitor<'a> for Search<'_> {
    fn stmt(&mut self, node: &'a Stmt) -> Result<()> {
        let (name, locals) = match node {
            Stmt::FunctionDef(s) => (&s.name, ".<locals>"),
            Stmt::AsyncFunctionDef(s) => (&s.name, ".<locals>"),
            Stmt::ClassDef(s) => (&s.name, ""),
            _ => return walk_stmt(self, node),
        };
        let qualname = format!("{}{name}", self.scope);
        if (self.wanted)(&qualname) {
            let mut text = stmt(node).format(0).0;
            text.push('\n');
            self.found.push((qualname, text));
            return Ok(());
        }
        let outer = std::mem::replace(&mut self.scope, format!("{qualname}{locals}."));
        let walked = walk_stmt(self, node);
        self.scope = outer;
        walked
    }

    // No definition is inside an expression.
    fn expr(&mut self, _: &'a Expr) -> Result<()> {
        Ok(())
    }
}

/// A tree of what is shown, between the parser's nodes and the text.
enum Value {
    Node(&'static str, Vec<(&'static str, Value)>),
    List(Vec<Value>),
    /// Anything that Python shows with `repr`.
    Plain(String),
    /// An optional field that is not there.
    Absent,
}

impl Value {
    /// The text, and whether it is short enough to share a line.
    fn format(&self, level: usize) -> (String, bool) {
        let level = level + 1;
        let indent = format!("\n{}", " ".repeat(level));
        let separator = format!(",{indent}");
        match self {
            Value::Node(name, fields) => {
                let mut simple = true;
                let mut args = Vec::new();
                for (field, value) in fields {
                    if !matches!(value, Value::Absent) {
                        let (text, is_simple) = value.format(level);
                        simple &= is_simple;
                        args.push(format!("{field}={text}"));
                    }
                }
                if simple && args.len() <= 3 {
                    (format!("{name}({})", args.join(", ")), args.is_empty())
                } else {
                    (format!("{name}({indent}{})", args.join(&separator)), false)
                }
            }
            Value::List(items) if items.is_empty() => ("[]".to_owned(), true),
            Value::List(items) => {
                let items: Vec<_> = items.iter().map(|i| i.format(level).0).collect();
                (format!("[{indent}{}]", items.join(&separator)), false)
            }
            Value::Plain(text) => (text.clone(), true),
            Value::Absent => ("None".to_owned(), true),
        }
    }
}

fn node(name: &'static str, fields: Vec<(&'static str, Value)>) -> Value {
    Value::Node(name, fields)
}

fn list<T>(items: &[T], one: impl Fn(&T) -> Value) -> Value {
    Value::List(items.iter().map(one).collect())
}

fn stmts(body: &[Stmt]) -> Value {
    list(body, stmt)
}

fn exprs(items: &[Expr]) -> Value {
    list(items, expr)
}

fn optional(value: &Option<Box<Expr>>) -> Value {
    value.as_deref().map_or(Value::Absent, expr)
}

fn text(text: &str) -> Value {
    Value::Plain(string_repr(text))
}

fn optional_text<T: AsRef<str>>(value: &Option<T>) -> Value {
    value.as_ref().map_or(Value::Absent, |v| text(v.as_ref()))
}

fn number(value: impl ToString) -> Value {
    Value::Plain(value.to_string())
}

fn stmt(stmt: &Stmt) -> Value {
    match stmt {
        Stmt::FunctionDef(s) => node(
            "FunctionDef",
            vec![
                ("name", text(&s.name)),
                ("args", arguments(&s.args)),
                ("body", stmts(&s.body)),
                ("decorator_list", exprs(&s.decorator_list)),
                ("returns", optional(&s.returns)),
            ],
        ),
        Stmt::AsyncFunctionDef(s) => node(
            "AsyncFunctionDef",
            vec![
                ("name", text(&s.name)),
                ("args", arguments(&s.args)),
                ("body", stmts(&s.body)),
                ("decorator_list", exprs(&s.decorator_list)),
                ("returns", optional(&s.returns)),
            ],
        ),
        Stmt::ClassDef(s) => node(
            "ClassDef",
            vec![
                ("name", text(&s.name)),
                ("bases", exprs(&s.bases)),
                ("keywords", list(&s.keywords, keyword)),
                ("body", stmts(&s.body)),
                ("decorator_list", exprs(&s.decorator_list)),
            ],
        ),
        Stmt::Return(s) => node("Return", vec![("value", optional(&s.value))]),
        Stmt::Delete(s) => node("Delete", vec![("targets", exprs(&s.targets))]),
        Stmt::Assign(s) => node(
            "Assign",
            vec![("targets", exprs(&s.targets)), ("value", expr(&s.value))],
        ),
        Stmt::TypeAlias(s) => node(
            "TypeAlias",
            vec![("name", expr(&s.name)), ("value", expr(&s.value))],
        ),
        Stmt::AugAssign(s) => node(
            "AugAssign",
            vec![
                ("target", expr(&s.target)),
                ("op", operator(s.op)),
                ("value", expr(&s.value)),
            ],
        ),
        Stmt::AnnAssign(s) => node(
            "AnnAssign",
            vec![
                ("target", expr(&s.target)),
                ("annotation", expr(&s.annotation)),
                ("value", optional(&s.value)),
                ("simple", number(u32::from(is_simple(s)))),
            ],
        ),
        Stmt::For(s) => node(
            "For",
            vec![
                ("target", expr(&s.target)),
                ("iter", expr(&s.iter)),
                ("body", stmts(&s.body)),
                ("orelse", stmts(&s.orelse)),
            ],
        ),
        Stmt::AsyncFor(s) => node(
            "AsyncFor",
            vec![
                ("target", expr(&s.target)),
                ("iter", expr(&s.iter)),
                ("body", stmts(&s.body)),
                ("orelse", stmts(&s.orelse)),
            ],
        ),
        Stmt::While(s) => node(
            "While",
            vec![
                ("test", expr(&s.test)),
                ("body", stmts(&s.body)),
                ("orelse", stmts(&s.orelse)),
            ],
        ),
        Stmt::If(s) => node(
            "If",
            vec![
                ("test", expr(&s.test)),
                ("body", stmts(&s.body)),
                ("orelse", stmts(&s.orelse)),
            ],
        ),
        Stmt::With(s) => node(
            "With",
            vec![
                ("items", list(&s.items, with_item)),
                ("body", stmts(&s.body)),
            ],
        ),
        Stmt::AsyncWith(s) => node(
            "AsyncWith",
            vec![
                ("items", list(&s.items, with_item)),
                ("body", stmts(&s.body)),
            ],
        ),
        Stmt::Match(s) => node(
            "Match",
            vec![
                ("subject", expr(&s.subject)),
                (
                    "cases",
                    list(&s.cases, |c| {
                        node(
                            "match_case",
                            vec![
                                ("pattern", pattern(&c.pattern)),
                                ("guard", optional(&c.guard)),
                                ("body", stmts(&c.body)),
                            ],
                        )
                    }),
                ),
            ],
        ),
        Stmt::Raise(s) => node(
            "Raise",
            vec![("exc", optional(&s.exc)), ("cause", optional(&s.cause))],
        ),
        Stmt::Try(s) => try_parts("Try", &s.body, &s.handlers, &s.orelse, &s.finalbody),
        Stmt::TryStar(s) => try_parts("TryStar", &s.body, &s.handlers, &s.orelse, &s.finalbody),
        Stmt::Assert(s) => node(
            "Assert",
            vec![("test", expr(&s.test)), ("msg", optional(&s.msg))],
        ),
        Stmt::Import(s) => node("Import", vec![("names", list(&s.names, alias))]),
        Stmt::ImportFrom(s) => node(
            "ImportFrom",
            vec![
                ("module", optional_text(&s.module.as_deref())),
                ("names", list(&s.names, alias)),
                ("level", number(s.level.map_or(0, |l| l.to_u32()))),
            ],
        ),
        Stmt::Global(s) => node("Global", vec![("names", list(&s.names, |n| text(n)))]),
        Stmt::Nonlocal(s) => node("Nonlocal", vec![("names", list(&s.names, |n| text(n)))]),
        Stmt::Expr(s) => node("Expr", vec![("value", expr(&s.value))]),
        Stmt::Pass(_) => node("Pass", vec![]),
        Stmt::Break(_) => node("Break", vec![]),
        Stmt::Continue(_) => node("Continue", vec![]),
    }
}

fn try_parts(
    name: &'static str,
    body: &[Stmt],
    handlers: &[ExceptHandler],
    orelse: &[Stmt],
    finalbody: &[Stmt],
) -> Value {
    let handler = |ExceptHandler::ExceptHandler(h): &ExceptHandler| {
        node(
            "ExceptHandler",
            vec![
                ("type", optional(&h.type_)),
                ("name", optional_text(&h.name.as_deref())),
                ("body", stmts(&h.body)),
            ],
        )
    };
    node(
        name,
        vec![
            ("body", stmts(body)),
            ("handlers", list(handlers, handler)),
            ("orelse", stmts(orelse)),
            ("finalbody", stmts(finalbody)),
        ],
    )
}

fn alias(a: &rustpython_parser::ast::Alias) -> Value {
    node(
        "alias",
        vec![
            ("name", text(&a.name)),
            ("asname", optional_text(&a.asname.as_deref())),
        ],
    )
}

fn with_item(item: &WithItem) -> Value {
    node(
        "withitem",
        vec![
            ("context_expr", expr(&item.context_expr)),
            ("optional_vars", optional(&item.optional_vars)),
        ],
    )
}

fn keyword(k: &Keyword) -> Value {
    node(
        "keyword",
        vec![
            ("arg", optional_text(&k.arg.as_deref())),
            ("value", expr(&k.value)),
        ],
    )
}

fn arg(a: &Arg) -> Value {
    node(
        "arg",
        vec![
            ("arg", text(&a.arg)),
            ("annotation", optional(&a.annotation)),
        ],
    )
}

fn arguments(args: &Arguments) -> Value {
    let names = |items: &[ArgWithDefault]| list(items, |a| arg(&a.def));
    let single = |a: &Option<Box<Arg>>| a.as_deref().map_or(Value::Absent, arg);
    let positional = args.posonlyargs.iter().chain(&args.args);
    let defaults = positional
        .filter_map(|a| a.default.as_deref())
        .map(expr)
        .collect();
    node(
        "arguments",
        vec![
            ("posonlyargs", names(&args.posonlyargs)),
            ("args", names(&args.args)),
            ("vararg", single(&args.vararg)),
            ("kwonlyargs", names(&args.kwonlyargs)),
            (
                "kw_defaults",
                list(&args.kwonlyargs, |a| optional(&a.default)),
            ),
            ("kwarg", single(&args.kwarg)),
            ("defaults", Value::List(defaults)),
        ],
    )
}

fn comprehension(c: &Comprehension) -> Value {
    node(
        "comprehension",
        vec![
            ("target", expr(&c.target)),
            ("iter", expr(&c.iter)),
            ("ifs", exprs(&c.ifs)),
            ("is_async", number(u32::from(c.is_async))),
        ],
    )
}

fn context(ctx: ExprContext) -> Value {
    let name = match ctx {
        ExprContext::Load => "Load",
        ExprContext::Store => "Store",
        ExprContext::Del => "Del",
    };
    node(name, vec![])
}

fn operator(op: Operator) -> Value {
    let name = match op {
        Operator::Add => "Add",
        Operator::Sub => "Sub",
        Operator::Mult => "Mult",
        Operator::MatMult => "MatMult",
        Operator::Div => "Div",
        Operator::Mod => "Mod",
        Operator::Pow => "Pow",
        Operator::LShift => "LShift",
        Operator::RShift => "RShift",
        Operator::BitOr => "BitOr",
        Operator::BitXor => "BitXor",
        Operator::BitAnd => "BitAnd",
        Operator::FloorDiv => "FloorDiv",
    };
    node(name, vec![])
}

fn comparison(op: &CmpOp) -> Value {
    let name = match op {
        CmpOp::Eq => "Eq",
        CmpOp::NotEq => "NotEq",
        CmpOp::Lt => "Lt",
        CmpOp::LtE => "LtE",
        CmpOp::Gt => "Gt",
        CmpOp::GtE => "GtE",
        CmpOp::Is => "Is",
        CmpOp::IsNot => "IsNot",
        CmpOp::In => "In",
        CmpOp::NotIn => "NotIn",
    };
    node(name, vec![])
}

fn constant(value: &Constant) -> Value {
    let text = match value {
        Constant::Ellipsis => "Ellipsis".to_owned(),
        value => constant_repr(&literal(value)),
    };
    Value::Plain(text)
}

fn expr(e: &Expr) -> Value {
    match e {
        Expr::BoolOp(e) => {
            let op = if e.op == BoolOp::And { "And" } else { "Or" };
            node(
                "BoolOp",
                vec![("op", node(op, vec![])), ("values", exprs(&e.values))],
            )
        }
        Expr::NamedExpr(e) => node(
            "NamedExpr",
            vec![("target", expr(&e.target)), ("value", expr(&e.value))],
        ),
        Expr::BinOp(e) => node(
            "BinOp",
            vec![
                ("left", expr(&e.left)),
                ("op", operator(e.op)),
                ("right", expr(&e.right)),
            ],
        ),
        Expr::UnaryOp(e) => {
            let op = match e.op {
                UnaryOp::Invert => "Invert",
                UnaryOp::Not => "Not",
                UnaryOp::UAdd => "UAdd",
                UnaryOp::USub => "USub",
            };
            node(
                "UnaryOp",
                vec![("op", node(op, vec![])), ("operand", expr(&e.operand))],
            )
        }
        Expr::Lambda(e) => node(
            "Lambda",
            vec![("args", arguments(&e.args)), ("body", expr(&e.body))],
        ),
        Expr::IfExp(e) => node(
            "IfExp",
            vec![
                ("test", expr(&e.test)),
                ("body", expr(&e.body)),
                ("orelse", expr(&e.orelse)),
            ],
        ),
        Expr::Dict(e) => {
            let keys = list(&e.keys, |k| k.as_ref().map_or(Value::Absent, expr));
            node("Dict", vec![("keys", keys), ("values", exprs(&e.values))])
        }
        Expr::Set(e) => node("Set", vec![("elts", exprs(&e.elts))]),
        Expr::ListComp(e) => node(
            "ListComp",
            vec![
                ("elt", expr(&e.elt)),
                ("generators", list(&e.generators, comprehension)),
            ],
        ),
        Expr::SetComp(e) => node(
            "SetComp",
            vec![
                ("elt", expr(&e.elt)),
                ("generators", list(&e.generators, comprehension)),
            ],
        ),
        Expr::DictComp(e) => node(
            "DictComp",
            vec![
                ("key", expr(&e.key)),
                ("value", expr(&e.value)),
                ("generators", list(&e.generators, comprehension)),
            ],
        ),
        Expr::GeneratorExp(e) => node(
            "GeneratorExp",
            vec![
                ("elt", expr(&e.elt)),
                ("generators", list(&e.generators, comprehension)),
            ],
        ),
        Expr::Await(e) => node("Await", vec![("value", expr(&e.value))]),
        Expr::Yield(e) => node("Yield", vec![("value", optional(&e.value))]),
        Expr::YieldFrom(e) => node("YieldFrom", vec![("value", expr(&e.value))]),
        Expr::Compare(e) => node(
            "Compare",
            vec![
                ("left", expr(&e.left)),
                ("ops", list(&e.ops, comparison)),
                ("comparators", exprs(&e.comparators)),
            ],
        ),
        Expr::Call(e) => node(
            "Call",
            vec![
                ("func", expr(&e.func)),
                ("args", exprs(&e.args)),
                ("keywords", list(&e.keywords, keyword)),
            ],
        ),
        Expr::FormattedValue(e) => node(
            "FormattedValue",
            vec![
                ("value", expr(&e.value)),
                ("conversion", number(e.conversion as i32)),
                ("format_spec", optional(&e.format_spec)),
            ],
        ),
        Expr::JoinedStr(e) => node("JoinedStr", vec![("values", joined(e))]),
        Expr::Constant(e) => node(
            "Constant",
            vec![
                ("value", constant(&e.value)),
                ("kind", optional_text(&e.kind.as_deref())),
            ],
        ),
        Expr::Attribute(e) => node(
            "Attribute",
            vec![
                ("value", expr(&e.value)),
                ("attr", text(&e.attr)),
                ("ctx", context(e.ctx)),
            ],
        ),
        Expr::Subscript(e) => node(
            "Subscript",
            vec![
                ("value", expr(&e.value)),
                ("slice", subscript(&e.slice)),
                ("ctx", context(e.ctx)),
            ],
        ),
        Expr::Starred(e) => node(
            "Starred",
            vec![("value", expr(&e.value)), ("ctx", context(e.ctx))],
        ),
        Expr::Name(e) => node("Name", vec![("id", text(&e.id)), ("ctx", context(e.ctx))]),
        Expr::List(e) => node(
            "List",
            vec![("elts", exprs(&e.elts)), ("ctx", context(e.ctx))],
        ),
        Expr::Tuple(e) => node(
            "Tuple",
            vec![("elts", exprs(&e.elts)), ("ctx", context(e.ctx))],
        ),
        Expr::Slice(e) => node(
            "Slice",
            vec![
                ("lower", optional(&e.lower)),
                ("upper", optional(&e.upper)),
                ("step", optional(&e.step)),
            ],
        ),
    }
}

/// `a[*b]` is `a[(*b,)]`.
fn subscript(slice: &Expr) -> Value {
    if slice.is_starred_expr() {
        let elts = Value::List(vec![expr(slice)]);
        return node(
            "Tuple",
            vec![("elts", elts), ("ctx", context(ExprContext::Load))],
        );
    }
    expr(slice)
}

/// The parser leaves neighbouring texts apart.
fn joined(e: &ExprJoinedStr) -> Value {
    let mut values = Vec::new();
    let mut pending: Option<String> = None;
    let flush = |pending: &mut Option<String>, values: &mut Vec<Value>| {
        if let Some(joined) = pending.take().filter(|t| !t.is_empty()) {
            values.push(node("Constant", vec![("value", text(&joined))]));
        }
    };
    for value in &e.values {
        match value {
            Expr::Constant(c) if c.value.is_str() => {
                if let Constant::Str(piece) = &c.value {
                    pending.get_or_insert_default().push_str(piece);
                }
            }
            other => {
                flush(&mut pending, &mut values);
                values.push(expr(other));
            }
        }
    }
    flush(&mut pending, &mut values);
    Value::List(values)
}

fn pattern(p: &Pattern) -> Value {
    match p {
        Pattern::MatchValue(p) => node("MatchValue", vec![("value", expr(&p.value))]),
        Pattern::MatchSingleton(p) => node("MatchSingleton", vec![("value", constant(&p.value))]),
        Pattern::MatchSequence(p) => node(
            "MatchSequence",
            vec![("patterns", list(&p.patterns, pattern))],
        ),
        Pattern::MatchMapping(p) => node(
            "MatchMapping",
            vec![
                ("keys", exprs(&p.keys)),
                ("patterns", list(&p.patterns, pattern)),
                ("rest", optional_text(&p.rest.as_deref())),
            ],
        ),
        Pattern::MatchClass(p) => node(
            "MatchClass",
            vec![
                ("cls", expr(&p.cls)),
                ("patterns", list(&p.patterns, pattern)),
                ("kwd_attrs", list(&p.kwd_attrs, |n| text(n))),
                ("kwd_patterns", list(&p.kwd_patterns, pattern)),
            ],
        ),
        Pattern::MatchStar(p) => node(
            "MatchStar",
            vec![("name", optional_text(&p.name.as_deref()))],
        ),
        Pattern::MatchAs(p) => node(
            "MatchAs",
            vec![
                (
                    "pattern",
                    p.pattern.as_deref().map_or(Value::Absent, pattern),
                ),
                ("name", optional_text(&p.name.as_deref())),
            ],
        ),
        Pattern::MatchOr(p) => node("MatchOr", vec![("patterns", list(&p.patterns, pattern))]),
    }
}
