//! The parser's nodes as data, and back.
//!
//! In: a checked tree, or a [`Tree`] that a script made. Out: the other. Always: one table says which fields
//! a node has, for both ways; what is read back is complete, or the error is CPython's.

use janus_bytecode::{Const, Span, Tree, TreeNode};
use rustpython_parser::ast::{
    self, Alias, Arg, ArgWithDefault, Arguments, BoolOp, CmpOp, Comprehension, Constant,
    ConversionFlag, ExceptHandler, Expr, ExprConstant, ExprContext, ExprJoinedStr, ExprTuple,
    Identifier, Int, Keyword, MatchCase, Operator, Pattern, Ranged, Stmt, UnaryOp, WithItem,
};
use rustpython_parser::text_size::TextRange;

use crate::codegen::literal;
use crate::parse::{self, is_simple};
use crate::source::Source;

/// Nodes inside nodes in what a script made.
const MAX_DEPTH: u32 = 4_000;

/// What is wrong with a tree that a script made.
#[derive(Clone, Debug)]
pub enum TreeError {
    /// A `TypeError`: a part is missing, or of another kind.
    Type(String),
    /// A `ValueError`: the parts do not go together.
    Value(String),
    /// A `RecursionError`: it is too deep.
    Deep,
}

type Read<T> = Result<T, TreeError>;

/// The tree as data. Its spans are in bytes, as in `ast`.
pub(crate) fn write(source: &Source, tree: &parse::Tree) -> Tree {
    let to = Writer { source };
    let (name, fields) = match tree {
        parse::Tree::Module(body) => (
            "Module",
            vec![
                ("body".into(), body.write(&to)),
                ("type_ignores".into(), Tree::List(vec![])),
            ],
        ),
        parse::Tree::Single(body) => ("Interactive", vec![("body".into(), body.write(&to))]),
        parse::Tree::Eval(value) => ("Expression", vec![("body".into(), value.write(&to))]),
    };
    plain(name, fields)
}

/// A part of a tree as data.
pub(crate) fn write_stmt(source: &Source, stmt: &Stmt) -> Tree {
    stmt.write(&Writer { source })
}

/// What `data` says, and a source that knows where its nodes stand.
pub(crate) fn read(data: &Tree, filename: &str) -> Read<(Source, parse::Tree)> {
    let mut spans = Vec::new();
    collect_spans(data, 0, &mut spans)?;
    let source = Source::of_spans(filename, &spans);
    let from = Reader { source: &source };
    let Tree::Node(node) = data else {
        return Err(unexpected("mod", data));
    };
    let tree = match &*node.name {
        "Module" => parse::Tree::Module(from.field(node, "body")?),
        "Interactive" => parse::Tree::Single(from.field(node, "body")?),
        "Expression" => parse::Tree::Eval(from.field(node, "body")?),
        _ => return Err(unexpected("mod", data)),
    };
    crate::check_tree::check(data)?;
    Ok((source, tree))
}

fn collect_spans(data: &Tree, depth: u32, spans: &mut Vec<Span>) -> Read<()> {
    if depth > MAX_DEPTH {
        return Err(TreeError::Deep);
    }
    match data {
        Tree::Node(node) => {
            spans.extend(node.span);
            node.fields
                .iter()
                .try_for_each(|(_, value)| collect_spans(value, depth + 1, spans))
        }
        Tree::List(items) => items
            .iter()
            .try_for_each(|item| collect_spans(item, depth, spans)),
        _ => Ok(()),
    }
}

struct Writer<'s> {
    source: &'s Source,
}

struct Reader<'s> {
    source: &'s Source,
}

impl Reader<'_> {
    fn field<T: Part>(&self, node: &TreeNode, name: &'static str) -> Read<T> {
        match node.field(name) {
            Some(value) => T::read(value, self).map_err(|e| match e {
                TreeError::Type(what) if what.is_empty() => {
                    TreeError::Value(format!("field '{name}' is required for {}", node.name))
                }
                other => other,
            }),
            None => T::missing().ok_or_else(|| {
                TreeError::Type(format!(
                    "required field \"{name}\" missing from {}",
                    node.name
                ))
            }),
        }
    }

    fn range(&self, node: &TreeNode, sum: &str) -> Read<TextRange> {
        let span = node.span.ok_or_else(|| no_place(sum))?;
        Ok(self.source.range_of(span))
    }

    /// A body, which may not be empty.
    fn full<T: Part>(&self, node: &TreeNode, name: &'static str) -> Read<Vec<T>> {
        let parts: Vec<T> = self.field(node, name)?;
        if parts.is_empty() {
            let message = format!("empty {name} on {}", node.name);
            return Err(TreeError::Value(message));
        }
        Ok(parts)
    }
}

fn no_place(sum: &str) -> TreeError {
    TreeError::Type(format!("required field \"lineno\" missing from {sum}"))
}

fn unexpected(sum: &str, data: &Tree) -> TreeError {
    let shown = match data {
        // The caller knows which field it is.
        Tree::Absent => return TreeError::Type(String::new()),
        Tree::Foreign(shown) => shown.clone(),
        Tree::Node(node) => format!("<ast.{} object>", node.name),
        Tree::List(_) => "a list".to_owned(),
        Tree::Text(text) => crate::unparse::string_repr(text),
        Tree::Int(value) => value.to_string(),
        Tree::Constant(value) => crate::unparse::constant_repr(value),
    };
    TreeError::Type(format!("expected some sort of {sum}, but got {shown}"))
}

/// What stands in a field.
trait Part: Sized {
    fn write(&self, to: &Writer) -> Tree;
    fn read(data: &Tree, from: &Reader) -> Read<Self>;
    /// What CPython says of None in a list of these.
    fn none_in_list() -> Option<&'static str> {
        None
    }
    /// What a node has that lacks the field.
    fn missing() -> Option<Self> {
        None
    }
}

impl<T: Part> Part for Box<T> {
    fn write(&self, to: &Writer) -> Tree {
        (**self).write(to)
    }
    fn read(data: &Tree, from: &Reader) -> Read<Self> {
        T::read(data, from).map(Box::new)
    }
    fn none_in_list() -> Option<&'static str> {
        T::none_in_list()
    }
}

impl<T: Part> Part for Option<T> {
    fn write(&self, to: &Writer) -> Tree {
        self.as_ref().map_or(Tree::Absent, |value| value.write(to))
    }
    fn read(data: &Tree, from: &Reader) -> Read<Self> {
        match data {
            Tree::Absent => Ok(None),
            data => T::read(data, from).map(Some),
        }
    }
    fn missing() -> Option<Self> {
        Some(None)
    }
}

impl<T: Part> Part for Vec<T> {
    fn write(&self, to: &Writer) -> Tree {
        Tree::List(self.iter().map(|item| item.write(to)).collect())
    }
    fn read(data: &Tree, from: &Reader) -> Read<Self> {
        match data {
            Tree::List(items) => items
                .iter()
                .map(|item| match (item, T::none_in_list()) {
                    (Tree::Absent, Some(message)) => Err(TreeError::Value(message.into())),
                    _ => T::read(item, from),
                })
                .collect(),
            other => match unexpected("list", other) {
                TreeError::Type(what) if !what.is_empty() => Err(TreeError::Type(
                    what.replace("expected some sort of list", "a field must be a list"),
                )),
                error => Err(error),
            },
        }
    }
}

impl Part for String {
    fn write(&self, _: &Writer) -> Tree {
        Tree::Text(self.clone())
    }
    fn read(data: &Tree, _: &Reader) -> Read<Self> {
        match data {
            Tree::Text(text) => Ok(text.clone()),
            // The caller knows which field it is.
            Tree::Absent => Err(TreeError::Type(String::new())),
            _ => Err(TreeError::Type("AST identifier must be of type str".into())),
        }
    }
}

impl Part for Identifier {
    fn write(&self, _: &Writer) -> Tree {
        Tree::Text(self.to_string())
    }
    fn read(data: &Tree, from: &Reader) -> Read<Self> {
        let name = String::read(data, from)?;
        if matches!(&*name, "None" | "True" | "False") {
            return Err(TreeError::Value(format!(
                "identifier field can't represent '{name}' constant"
            )));
        }
        Ok(name.into())
    }
}

impl Part for Int {
    fn write(&self, _: &Writer) -> Tree {
        Tree::Int(i64::from(self.to_u32()))
    }
    fn read(data: &Tree, _: &Reader) -> Read<Self> {
        match data {
            Tree::Int(value) => u32::try_from(*value)
                .map(Int::new)
                .map_err(|_| TreeError::Value("Negative ImportFrom level".into())),
            other => Err(invalid_integer(other)),
        }
    }
}

fn invalid_integer(data: &Tree) -> TreeError {
    match unexpected("int", data) {
        TreeError::Type(what) => TreeError::Value(what.replace(
            "expected some sort of int, but got",
            "invalid integer value:",
        )),
        other => other,
    }
}

impl Part for bool {
    fn write(&self, _: &Writer) -> Tree {
        Tree::Int(i64::from(*self))
    }
    fn read(data: &Tree, _: &Reader) -> Read<Self> {
        match data {
            Tree::Int(value) => Ok(*value != 0),
            other => Err(invalid_integer(other)),
        }
    }
}

impl Part for ConversionFlag {
    fn write(&self, _: &Writer) -> Tree {
        Tree::Int(i64::from(*self as i8))
    }
    fn read(data: &Tree, _: &Reader) -> Read<Self> {
        Ok(match data {
            Tree::Int(-1) => ConversionFlag::None,
            Tree::Int(97) => ConversionFlag::Ascii,
            Tree::Int(114) => ConversionFlag::Repr,
            Tree::Int(115) => ConversionFlag::Str,
            Tree::Int(other) => {
                return Err(TreeError::Value(format!(
                    "Unrecognized conversion character {other}"
                )));
            }
            other => return Err(invalid_integer(other)),
        })
    }
}

impl Part for Constant {
    fn write(&self, _: &Writer) -> Tree {
        Tree::Constant(literal(self))
    }
    fn read(data: &Tree, _: &Reader) -> Read<Self> {
        match data {
            Tree::Constant(value) => constant(value),
            Tree::Foreign(shown) => Err(TreeError::Type(format!(
                "got an invalid type in Constant: {shown}"
            ))),
            other => Err(unexpected("constant", other)),
        }
    }
}

fn constant(value: &Const) -> Read<Constant> {
    Ok(match value {
        Const::None => Constant::None,
        Const::Ellipsis => Constant::Ellipsis,
        Const::Bool(b) => Constant::Bool(*b),
        Const::Int(i) => Constant::Int((*i).into()),
        Const::BigInt(digits) => Constant::Int(digits.parse().unwrap_or_default()),
        Const::Float(f) => Constant::Float(*f),
        Const::Complex(real, imag) => Constant::Complex {
            real: *real,
            imag: *imag,
        },
        Const::Str(s) => Constant::Str(s.to_string()),
        Const::Bytes(b) => Constant::Bytes(b.to_vec()),
        Const::Tuple(items) => Constant::Tuple(items.iter().map(constant).collect::<Read<_>>()?),
        Const::FrozenSet(_) | Const::Code(_) => {
            let kind = match value {
                Const::Code(_) => "code",
                _ => "frozenset",
            };
            return Err(TreeError::Type(format!(
                "got an invalid type in Constant: {kind}"
            )));
        }
    })
}

/// Nodes without fields.
macro_rules! names {
    ($($type:ident $sum:literal { $($variant:ident)* })*) => {$(
        impl Part for $type {
            fn write(&self, _: &Writer) -> Tree {
                let name = match self { $($type::$variant => stringify!($variant),)* };
                plain(name, vec![])
            }
            fn read(data: &Tree, _: &Reader) -> Read<Self> {
                let Tree::Node(node) = data else {
                    return Err(unexpected($sum, data));
                };
                match &*node.name {
                    $(stringify!($variant) => Ok($type::$variant),)*
                    _ => Err(unexpected($sum, data)),
                }
            }
        }
    )*};
}

names! {
    ExprContext "expr_context" { Load Store Del }
    BoolOp "boolop" { And Or }
    Operator "operator" { Add Sub Mult MatMult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv }
    UnaryOp "unaryop" { Invert Not UAdd USub }
    CmpOp "cmpop" { Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn }
}

fn plain(name: &'static str, fields: Vec<(std::borrow::Cow<'static, str>, Tree)>) -> Tree {
    Tree::Node(Box::new(TreeNode {
        name: name.into(),
        fields,
        span: None,
    }))
}

fn placed(to: &Writer, range: TextRange, tree: Tree) -> Tree {
    match tree {
        Tree::Node(mut node) => {
            node.span = Some(to.source.span(range));
            Tree::Node(node)
        }
        other => other,
    }
}

/// The table: class, its name in `ast`, its fields. `body!` fields may not be empty, and those in
/// brackets are ones that Python 3.11 has not.
macro_rules! structs {
    ($($type:ident $name:literal ($($field:ident $(: $text:literal)? $(! $full:ident)?),*) $([$($later:ident),*])?;)*) => {$(
        impl Fields for ast::$type {
            fn write_fields(&self, _to: &Writer) -> Tree {
                plain($name, vec![$((structs!(@name $field $($text)?).into(), self.$field.write(_to)),)*])
            }
            fn read_fields(_node: &TreeNode, range: TextRange, _from: &Reader) -> Read<Self> {
                Ok(ast::$type {
                    range: range.into(),
                    $($field: structs!(@read _from _node structs!(@name $field $($text)?), $($full)?),)*
                    $($($later: Default::default(),)*)?
                })
            }
        }
    )*};
    (@name $field:ident $text:literal) => { $text };
    (@name $field:ident) => { stringify!($field) };
    (@read $from:ident $node:ident $name:expr, full) => { $from.full($node, $name)? };
    (@read $from:ident $node:ident $name:expr,) => { $from.field($node, $name)? };
}

trait Fields: Sized {
    fn write_fields(&self, to: &Writer) -> Tree;
    fn read_fields(node: &TreeNode, range: TextRange, from: &Reader) -> Read<Self>;
}

structs! {
    StmtFunctionDef "FunctionDef" (name, args, body!full, decorator_list, returns, type_comment) [type_params];
    StmtAsyncFunctionDef "AsyncFunctionDef" (name, args, body!full, decorator_list, returns, type_comment) [type_params];
    StmtClassDef "ClassDef" (name, bases, keywords, body!full, decorator_list) [type_params];
    StmtReturn "Return" (value);
    StmtDelete "Delete" (targets!full);
    StmtAssign "Assign" (targets!full, value, type_comment);
    StmtTypeAlias "TypeAlias" (name, value) [type_params];
    StmtAugAssign "AugAssign" (target, op, value);
    StmtAnnAssign "AnnAssign" (target, annotation, value, simple);
    StmtFor "For" (target, iter, body!full, orelse, type_comment);
    StmtAsyncFor "AsyncFor" (target, iter, body!full, orelse, type_comment);
    StmtWhile "While" (test, body!full, orelse);
    StmtIf "If" (test, body!full, orelse);
    StmtWith "With" (items!full, body!full, type_comment);
    StmtAsyncWith "AsyncWith" (items!full, body!full, type_comment);
    StmtMatch "Match" (subject, cases!full);
    StmtRaise "Raise" (exc, cause);
    StmtTry "Try" (body!full, handlers, orelse, finalbody);
    StmtTryStar "TryStar" (body!full, handlers, orelse, finalbody);
    StmtAssert "Assert" (test, msg);
    StmtImport "Import" (names!full);
    StmtImportFrom "ImportFrom" (module, names!full, level);
    StmtGlobal "Global" (names!full);
    StmtNonlocal "Nonlocal" (names!full);
    StmtExpr "Expr" (value);
    StmtPass "Pass" ();
    StmtBreak "Break" ();
    StmtContinue "Continue" ();
    ExprBoolOp "BoolOp" (op, values);
    ExprNamedExpr "NamedExpr" (target, value);
    ExprBinOp "BinOp" (left, op, right);
    ExprUnaryOp "UnaryOp" (op, operand);
    ExprLambda "Lambda" (args, body);
    ExprIfExp "IfExp" (test, body, orelse);
    ExprDict "Dict" (keys, values);
    ExprSet "Set" (elts);
    ExprListComp "ListComp" (elt, generators);
    ExprSetComp "SetComp" (elt, generators);
    ExprDictComp "DictComp" (key, value, generators);
    ExprGeneratorExp "GeneratorExp" (elt, generators);
    ExprAwait "Await" (value);
    ExprYield "Yield" (value);
    ExprYieldFrom "YieldFrom" (value);
    ExprCompare "Compare" (left, ops, comparators);
    ExprCall "Call" (func, args, keywords);
    ExprFormattedValue "FormattedValue" (value, conversion, format_spec);
    ExprJoinedStr "JoinedStr" (values);
    ExprConstant "Constant" (value, kind);
    ExprAttribute "Attribute" (value, attr, ctx);
    ExprSubscript "Subscript" (value, slice, ctx);
    ExprStarred "Starred" (value, ctx);
    ExprName "Name" (id, ctx);
    ExprList "List" (elts, ctx);
    ExprTuple "Tuple" (elts, ctx);
    ExprSlice "Slice" (lower, upper, step);
    PatternMatchValue "MatchValue" (value);
    PatternMatchSingleton "MatchSingleton" (value);
    PatternMatchSequence "MatchSequence" (patterns);
    PatternMatchMapping "MatchMapping" (keys, patterns, rest);
    PatternMatchClass "MatchClass" (cls, patterns, kwd_attrs, kwd_patterns);
    PatternMatchStar "MatchStar" (name);
    PatternMatchAs "MatchAs" (pattern, name);
    PatternMatchOr "MatchOr" (patterns);
    ExceptHandlerExceptHandler "ExceptHandler" (type_: "type", name, body!full);
    Comprehension "comprehension" (target, iter, ifs, is_async);
    Arg "arg" (arg, annotation, type_comment);
    Keyword "keyword" (arg, value);
    Alias "alias" (name, asname);
    WithItem "withitem" (context_expr, optional_vars);
    MatchCase "match_case" (pattern, guard, body!full);
}

/// Kinds of nodes, each with its place.
macro_rules! sums {
    ($($type:ident $sum:literal { $($variant:ident $node:ident,)* })*) => {$(
        impl Part for $type {
            fn write(&self, to: &Writer) -> Tree {
                let tree = match self {
                    $($type::$variant(node) => node.write_fields(to),)*
                };
                placed(to, self.range(), correct(self, tree, to))
            }
            fn read(data: &Tree, from: &Reader) -> Read<Self> {
                let node = match data {
                    Tree::Node(node) => node,
                    Tree::Absent => return Err(unexpected($sum, data)),
                    // CPython asks any object where it stands before it asks what it is.
                    _ => return Err(no_place($sum)),
                };
                match &*node.name {
                    $(stringify!($variant) => {
                        let range = from.range(node, $sum)?;
                        ast::$node::read_fields(node, range, from).map($type::$variant)
                    })*
                    _ => Err(unexpected($sum, data)),
                }
            }
            fn none_in_list() -> Option<&'static str> {
                match $sum {
                    "stmt" => Some("None disallowed in statement list"),
                    "expr" => Some("None disallowed in expression list"),
                    _ => None,
                }
            }
        }
    )*};
}

sums! {
    Stmt "stmt" {
        FunctionDef StmtFunctionDef, AsyncFunctionDef StmtAsyncFunctionDef, ClassDef StmtClassDef,
        Return StmtReturn, Delete StmtDelete, Assign StmtAssign, TypeAlias StmtTypeAlias,
        AugAssign StmtAugAssign, AnnAssign StmtAnnAssign, For StmtFor, AsyncFor StmtAsyncFor,
        While StmtWhile, If StmtIf, With StmtWith, AsyncWith StmtAsyncWith, Match StmtMatch,
        Raise StmtRaise, Try StmtTry, TryStar StmtTryStar, Assert StmtAssert, Import StmtImport,
        ImportFrom StmtImportFrom, Global StmtGlobal, Nonlocal StmtNonlocal, Expr StmtExpr,
        Pass StmtPass, Break StmtBreak, Continue StmtContinue,
    }
    Expr "expr" {
        BoolOp ExprBoolOp, NamedExpr ExprNamedExpr, BinOp ExprBinOp, UnaryOp ExprUnaryOp,
        Lambda ExprLambda, IfExp ExprIfExp, Dict ExprDict, Set ExprSet, ListComp ExprListComp,
        SetComp ExprSetComp, DictComp ExprDictComp, GeneratorExp ExprGeneratorExp, Await ExprAwait,
        Yield ExprYield, YieldFrom ExprYieldFrom, Compare ExprCompare, Call ExprCall,
        FormattedValue ExprFormattedValue, JoinedStr ExprJoinedStr, Constant ExprConstant,
        Attribute ExprAttribute, Subscript ExprSubscript, Starred ExprStarred, Name ExprName,
        List ExprList, Tuple ExprTuple, Slice ExprSlice,
    }
    Pattern "pattern" {
        MatchValue PatternMatchValue, MatchSingleton PatternMatchSingleton,
        MatchSequence PatternMatchSequence, MatchMapping PatternMatchMapping,
        MatchClass PatternMatchClass, MatchStar PatternMatchStar, MatchAs PatternMatchAs,
        MatchOr PatternMatchOr,
    }
    ExceptHandler "excepthandler" {
        ExceptHandler ExceptHandlerExceptHandler,
    }
}

/// Where the parser's tree is another than Python's.
trait Correct {
    fn fields(&self, _to: &Writer) -> Option<(&'static str, Tree)> {
        None
    }
}

fn correct<T: Correct>(node: &T, tree: Tree, to: &Writer) -> Tree {
    match (tree, node.fields(to)) {
        (Tree::Node(mut written), Some((name, value))) => {
            for (field, old) in &mut written.fields {
                if field == name {
                    *old = value;
                    break;
                }
            }
            Tree::Node(written)
        }
        (tree, _) => tree,
    }
}

impl Correct for Stmt {
    fn fields(&self, to: &Writer) -> Option<(&'static str, Tree)> {
        match self {
            Stmt::AnnAssign(s) => Some(("simple", is_simple(s).write(to))),
            // `import` without dots has no level in the parser's tree.
            Stmt::ImportFrom(s) if s.level.is_none() => Some(("level", Tree::Int(0))),
            Stmt::Match(s) if parse::is_tuple_subject(to.source, s) => {
                let subject = tuple_of(&s.subject).write(to);
                Some(("subject", subject))
            }
            _ => None,
        }
    }
}

impl Correct for Expr {
    fn fields(&self, to: &Writer) -> Option<(&'static str, Tree)> {
        match self {
            Expr::Call(e) => {
                let range = parse::lone_generator(to.source, e)?;
                let args = e.args.iter().map(|arg| placed(to, range, arg.write(to)));
                Some(("args", Tree::List(args.collect())))
            }
            Expr::JoinedStr(e) => Some(("values", joined(e).write(to))),
            // `a[*b]` is `a[(*b,)]`.
            Expr::Subscript(e) if e.slice.is_starred_expr() => {
                Some(("slice", tuple_of(&e.slice).write(to)))
            }
            _ => None,
        }
    }
}

impl Correct for Pattern {}
impl Correct for ExceptHandler {}

fn tuple_of(only: &Expr) -> Expr {
    Expr::Tuple(ExprTuple {
        range: only.range(),
        elts: vec![only.clone()],
        ctx: ExprContext::Load,
    })
}

/// The parser leaves neighbouring texts apart. Of an f-string's texts, Python knows where the whole stands.
fn joined(e: &ExprJoinedStr) -> Vec<Expr> {
    let mut values: Vec<Expr> = Vec::new();
    for value in &e.values {
        let Expr::Constant(ExprConstant {
            value: Constant::Str(piece),
            ..
        }) = value
        else {
            values.push(value.clone());
            continue;
        };
        if piece.is_empty() {
            continue;
        }
        if let Some(Expr::Constant(ExprConstant {
            value: Constant::Str(before),
            ..
        })) = values.last_mut()
        {
            before.push_str(piece);
            continue;
        }
        values.push(Expr::Constant(ExprConstant {
            range: e.range,
            value: Constant::Str(piece.clone()),
            kind: None,
        }));
    }
    values
}

/// Nodes with a place that are no kinds of another.
macro_rules! parts {
    ($($type:ident $name:literal $range:ident;)*) => {$(
        impl Part for $type {
            fn write(&self, to: &Writer) -> Tree {
                parts!(@write $range self to)
            }
            fn read(data: &Tree, from: &Reader) -> Read<Self> {
                match data {
                    Tree::Node(node) if node.name == $name => {
                        let range = parts!(@read $range node from $name);
                        $type::read_fields(node, range, from)
                    }
                    other => Err(unexpected($name, other)),
                }
            }
        }
    )*};
    (@write placed $node:ident $to:ident) => { placed($to, $node.range, $node.write_fields($to)) };
    (@write free $node:ident $to:ident) => { $node.write_fields($to) };
    (@read placed $node:ident $from:ident $name:literal) => { $from.range($node, $name)? };
    (@read free $node:ident $from:ident $name:literal) => { parse::nowhere() };
}

parts! {
    Arg "arg" placed;
    Keyword "keyword" placed;
    Alias "alias" placed;
    WithItem "withitem" free;
    MatchCase "match_case" free;
    Comprehension "comprehension" free;
}

/// Python keeps defaults apart from the parameters.
impl Part for Arguments {
    fn write(&self, to: &Writer) -> Tree {
        let names =
            |items: &[ArgWithDefault]| Tree::List(items.iter().map(|a| a.def.write(to)).collect());
        let positional = self.posonlyargs.iter().chain(&self.args);
        let defaults = positional.filter_map(|a| a.default.as_ref());
        let keyword = self.kwonlyargs.iter().map(|a| a.default.write(to));
        plain(
            "arguments",
            vec![
                ("posonlyargs".into(), names(&self.posonlyargs)),
                ("args".into(), names(&self.args)),
                ("vararg".into(), self.vararg.write(to)),
                ("kwonlyargs".into(), names(&self.kwonlyargs)),
                ("kw_defaults".into(), Tree::List(keyword.collect())),
                ("kwarg".into(), self.kwarg.write(to)),
                (
                    "defaults".into(),
                    Tree::List(defaults.map(|d| d.write(to)).collect()),
                ),
            ],
        )
    }

    fn read(data: &Tree, from: &Reader) -> Read<Self> {
        let node = match data {
            Tree::Node(node) if node.name == "arguments" => node,
            other => return Err(unexpected("arguments", other)),
        };
        let plain: Vec<Arg> = from.field(node, "posonlyargs")?;
        let args: Vec<Arg> = from.field(node, "args")?;
        let kwonly: Vec<Arg> = from.field(node, "kwonlyargs")?;
        let mut defaults: Vec<Box<Expr>> = from.field(node, "defaults")?;
        let kw_defaults: Vec<Option<Box<Expr>>> = from.field(node, "kw_defaults")?;
        let with = |def, default| ArgWithDefault {
            range: parse::nowhere().into(),
            def,
            default,
        };
        // Where the numbers do not go together, the whole tree is refused later.
        let without = (plain.len() + args.len()).saturating_sub(defaults.len());
        let first = plain.len();
        let mut all: Vec<ArgWithDefault> = Vec::with_capacity(first + args.len());
        let mut rest = defaults.drain(..);
        for (at, def) in plain.into_iter().chain(args).enumerate() {
            let default = if at < without { None } else { rest.next() };
            all.push(with(def, default));
        }
        let args = all.split_off(first);
        Ok(Arguments {
            range: parse::nowhere().into(),
            posonlyargs: all,
            args,
            vararg: from.field(node, "vararg")?,
            kwonlyargs: kwonly
                .into_iter()
                .zip(kw_defaults)
                .map(|(def, default)| with(def, default))
                .collect(),
            kwarg: from.field(node, "kwarg")?,
        })
    }
}
