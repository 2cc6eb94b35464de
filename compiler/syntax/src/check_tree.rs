//! Whether the parts of a tree that a script made go together.
//!
//! In: a tree whose nodes and fields are known to be of the right kinds. Out: nothing, or what is wrong as CPython says
//! it. Always: contexts (`Load`, `Store`, `Del`) fit where an expression stands; what the grammar could not have made
//! is refused before code is generated.

use janus_bytecode::{Const, Tree, TreeNode};

use crate::tree::TreeError;

type Check = Result<(), TreeError>;

fn wrong<T>(message: impl Into<String>) -> Result<T, TreeError> {
    Err(TreeError::Value(message.into()))
}

fn node(data: &Tree) -> Option<&TreeNode> {
    match data {
        Tree::Node(node) => Some(node),
        _ => None,
    }
}

/// The items of a field that is a list.
fn items<'a>(of: &'a TreeNode, field: &'static str) -> &'a [Tree] {
    match of.field(field) {
        Some(Tree::List(items)) => items,
        _ => &[],
    }
}

/// A field that is a node.
fn child<'a>(of: &'a TreeNode, field: &'static str) -> Option<&'a TreeNode> {
    of.field(field).and_then(node)
}

fn name_of<'a>(of: &'a TreeNode, field: &'static str) -> Option<&'a str> {
    match of.field(field) {
        Some(Tree::Text(text)) => Some(text),
        _ => None,
    }
}

/// Checks a whole tree.
pub(crate) fn check(data: &Tree) -> Check {
    let Some(root) = node(data) else {
        return Ok(());
    };
    match &*root.name {
        "Expression" => field(root, "body", "Load"),
        _ => statements(root, "body"),
    }
}

fn statements(of: &TreeNode, field: &'static str) -> Check {
    items(of, field)
        .iter()
        .filter_map(node)
        .try_for_each(statement)
}

fn expressions(of: &TreeNode, field: &'static str, context: &str) -> Check {
    items(of, field)
        .iter()
        .filter_map(node)
        .try_for_each(|item| expression(item, context))
}

fn field(of: &TreeNode, field: &'static str, context: &str) -> Check {
    child(of, field).map_or(Ok(()), |value| expression(value, context))
}

fn fields(of: &TreeNode, names: &[&'static str]) -> Check {
    names.iter().try_for_each(|name| field(of, name, "Load"))
}

fn statement(s: &TreeNode) -> Check {
    match &*s.name {
        "FunctionDef" | "AsyncFunctionDef" => {
            statements(s, "body")?;
            child(s, "args").map_or(Ok(()), arguments)?;
            expressions(s, "decorator_list", "Load")?;
            field(s, "returns", "Load")
        }
        "ClassDef" => {
            statements(s, "body")?;
            expressions(s, "bases", "Load")?;
            keywords(s)?;
            expressions(s, "decorator_list", "Load")
        }
        "Delete" => expressions(s, "targets", "Del"),
        "Assign" => {
            expressions(s, "targets", "Store")?;
            field(s, "value", "Load")
        }
        "AugAssign" => {
            field(s, "target", "Store")?;
            field(s, "value", "Load")
        }
        "AnnAssign" => {
            let simple = !matches!(s.field("simple"), Some(Tree::Int(0)) | None);
            if simple && child(s, "target").is_some_and(|target| target.name != "Name") {
                let message = "AnnAssign with simple non-Name target";
                return Err(TreeError::Type(message.into()));
            }
            field(s, "target", "Store")?;
            fields(s, &["value", "annotation"])
        }
        "For" | "AsyncFor" => {
            field(s, "target", "Store")?;
            field(s, "iter", "Load")?;
            statements(s, "body")?;
            statements(s, "orelse")
        }
        "While" | "If" => {
            field(s, "test", "Load")?;
            statements(s, "body")?;
            statements(s, "orelse")
        }
        "With" | "AsyncWith" => {
            for item in items(s, "items").iter().filter_map(node) {
                field(item, "context_expr", "Load")?;
                field(item, "optional_vars", "Store")?;
            }
            statements(s, "body")
        }
        "Match" => {
            field(s, "subject", "Load")?;
            for case in items(s, "cases").iter().filter_map(node) {
                child(case, "pattern").map_or(Ok(()), |p| pattern(p, false))?;
                field(case, "guard", "Load")?;
                statements(case, "body")?;
            }
            Ok(())
        }
        "Raise" => {
            if child(s, "exc").is_none() && child(s, "cause").is_some() {
                return wrong("Raise with cause but no exception");
            }
            fields(s, &["exc", "cause"])
        }
        "Try" | "TryStar" => {
            statements(s, "body")?;
            let handlers = items(s, "handlers");
            if handlers.is_empty() && items(s, "finalbody").is_empty() {
                return wrong(format!(
                    "{} has neither except handlers nor finalbody",
                    s.name
                ));
            }
            if handlers.is_empty() && !items(s, "orelse").is_empty() {
                return wrong(format!("{} has orelse but no except handlers", s.name));
            }
            for handler in handlers.iter().filter_map(node) {
                field(handler, "type", "Load")?;
                statements(handler, "body")?;
            }
            statements(s, "orelse")?;
            statements(s, "finalbody")
        }
        _ => fields(s, &["value", "test", "msg"]),
    }
}

fn keywords(of: &TreeNode) -> Check {
    items(of, "keywords")
        .iter()
        .filter_map(node)
        .try_for_each(|keyword| field(keyword, "value", "Load"))
}

fn arguments(args: &TreeNode) -> Check {
    for list in ["posonlyargs", "args", "kwonlyargs"] {
        for arg in items(args, list).iter().filter_map(node) {
            field(arg, "annotation", "Load")?;
        }
    }
    for rest in ["vararg", "kwarg"] {
        child(args, rest).map_or(Ok(()), |arg| field(arg, "annotation", "Load"))?;
    }
    let count = |field| items(args, field).len();
    if count("defaults") > count("posonlyargs") + count("args") {
        return wrong("more positional defaults than args on arguments");
    }
    if count("kw_defaults") != count("kwonlyargs") {
        return wrong("length of kwonlyargs is not the same as kw_defaults on arguments");
    }
    expressions(args, "defaults", "Load")?;
    expressions(args, "kw_defaults", "Load")
}

fn generators(e: &TreeNode) -> Check {
    let generators = items(e, "generators");
    if generators.is_empty() {
        return wrong("comprehension with no generators");
    }
    for generator in generators.iter().filter_map(node) {
        field(generator, "target", "Store")?;
        field(generator, "iter", "Load")?;
        expressions(generator, "ifs", "Load")?;
    }
    Ok(())
}

fn expression(e: &TreeNode, context: &str) -> Check {
    match child(e, "ctx") {
        Some(own) if own.name != context => {
            return wrong(format!(
                "expression must have {context} context but has {} instead",
                own.name
            ));
        }
        None if context != "Load" => {
            return wrong(format!(
                "expression which can't be assigned to in {context} context"
            ));
        }
        _ => {}
    }
    match &*e.name {
        "BoolOp" => {
            if items(e, "values").len() < 2 {
                return wrong("BoolOp with less than 2 values");
            }
            expressions(e, "values", "Load")
        }
        "Lambda" => {
            child(e, "args").map_or(Ok(()), arguments)?;
            field(e, "body", "Load")
        }
        "Dict" => {
            if items(e, "keys").len() != items(e, "values").len() {
                return wrong("Dict doesn't have the same number of keys as values");
            }
            expressions(e, "keys", "Load")?;
            expressions(e, "values", "Load")
        }
        "ListComp" | "SetComp" | "GeneratorExp" | "DictComp" => {
            generators(e)?;
            fields(e, &["elt", "key", "value"])
        }
        "Compare" => {
            let (operators, others) = (items(e, "ops").len(), items(e, "comparators").len());
            if others == 0 {
                return wrong("Compare with no comparators");
            }
            if others != operators {
                return wrong("Compare has a different number of comparators and operands");
            }
            expressions(e, "comparators", "Load")?;
            field(e, "left", "Load")
        }
        "Call" => {
            field(e, "func", "Load")?;
            expressions(e, "args", "Load")?;
            keywords(e)
        }
        "NamedExpr" => {
            if child(e, "target").is_some_and(|target| target.name != "Name") {
                let message = "NamedExpr target must be a Name";
                return Err(TreeError::Type(message.into()));
            }
            field(e, "target", "Store")?;
            field(e, "value", "Load")
        }
        "Starred" => field(e, "value", context),
        "List" | "Tuple" => expressions(e, "elts", context),
        "Set" => expressions(e, "elts", "Load"),
        "JoinedStr" => expressions(e, "values", "Load"),
        _ => fields(
            e,
            &[
                "left",
                "right",
                "operand",
                "test",
                "body",
                "orelse",
                "value",
                "format_spec",
                "slice",
                "lower",
                "upper",
                "step",
            ],
        ),
    }
}

fn capture(of: &TreeNode, field: &'static str) -> Check {
    match name_of(of, field) {
        Some("_") => wrong("can't capture name '_' in patterns"),
        _ => Ok(()),
    }
}

fn patterns(of: &TreeNode, field: &'static str, star: bool) -> Check {
    items(of, field)
        .iter()
        .filter_map(node)
        .try_for_each(|item| pattern(item, star))
}

fn pattern(p: &TreeNode, star: bool) -> Check {
    match &*p.name {
        "MatchValue" => child(p, "value").map_or(Ok(()), literal_pattern),
        "MatchSingleton" => match p.field("value") {
            Some(Tree::Constant(Const::None | Const::Bool(_))) => Ok(()),
            _ => wrong("MatchSingleton can only contain True, False and None"),
        },
        "MatchSequence" => patterns(p, "patterns", true),
        "MatchMapping" => {
            if items(p, "keys").len() != items(p, "patterns").len() {
                return wrong("MatchMapping doesn't have the same number of keys as patterns");
            }
            capture(p, "rest")?;
            for key in items(p, "keys").iter().filter_map(node) {
                let single = matches!(
                    key.field("value"),
                    Some(Tree::Constant(Const::None | Const::Bool(_)))
                );
                if !(key.name == "Constant" && single) {
                    literal_pattern(key)?;
                }
            }
            patterns(p, "patterns", false)
        }
        "MatchClass" => {
            if items(p, "kwd_attrs").len() != items(p, "kwd_patterns").len() {
                return wrong(
                    "MatchClass doesn't have the same number of keyword attributes as patterns",
                );
            }
            field(p, "cls", "Load")?;
            let mut class = child(p, "cls");
            while let Some(part) = class {
                class = match &*part.name {
                    "Name" => None,
                    "Attribute" => child(part, "value"),
                    _ => {
                        return wrong(
                            "MatchClass cls field can only contain Name or Attribute nodes.",
                        );
                    }
                };
            }
            patterns(p, "patterns", false)?;
            patterns(p, "kwd_patterns", false)
        }
        "MatchStar" if !star => wrong("can't use MatchStar here"),
        "MatchStar" => capture(p, "name"),
        "MatchAs" => {
            capture(p, "name")?;
            match child(p, "pattern") {
                None => Ok(()),
                Some(_) if name_of(p, "name").is_none() => {
                    wrong("MatchAs must specify a target name if a pattern is given")
                }
                Some(inner) => pattern(inner, false),
            }
        }
        "MatchOr" => {
            if items(p, "patterns").len() < 2 {
                return wrong("MatchOr requires at least 2 patterns");
            }
            patterns(p, "patterns", false)
        }
        _ => Ok(()),
    }
}

fn is_number(e: &TreeNode, real: bool, imaginary: bool) -> bool {
    match e.field("value") {
        Some(Tree::Constant(Const::Int(_) | Const::BigInt(_) | Const::Float(_))) => real,
        Some(Tree::Constant(Const::Complex(..))) => imaginary,
        _ => false,
    }
}

fn is_negative(e: &TreeNode, real: bool, imaginary: bool) -> bool {
    e.name == "UnaryOp"
        && child(e, "op").is_some_and(|op| op.name == "USub")
        && child(e, "operand")
            .is_some_and(|of| of.name == "Constant" && is_number(of, real, imaginary))
}

/// A value that a pattern may be: a literal, or an attribute.
fn literal_pattern(value: &TreeNode) -> Check {
    expression(value, "Load")?;
    let fits = match &*value.name {
        "Constant" => {
            return match value.field("value") {
                Some(Tree::Constant(
                    Const::Int(_)
                    | Const::BigInt(_)
                    | Const::Float(_)
                    | Const::Complex(..)
                    | Const::Str(_)
                    | Const::Bytes(_),
                )) => Ok(()),
                _ => wrong("unexpected constant inside of a literal pattern"),
            };
        }
        "Attribute" | "JoinedStr" => true,
        "UnaryOp" => is_negative(value, true, true),
        "BinOp" => {
            let sum = child(value, "op").is_some_and(|op| matches!(&*op.name, "Add" | "Sub"));
            let left = child(value, "left").is_some_and(|left| {
                left.name == "Constant" && is_number(left, true, false)
                    || is_negative(left, true, false)
            });
            let right = child(value, "right")
                .is_some_and(|right| right.name == "Constant" && is_number(right, false, true));
            sum && left && right
        }
        _ => false,
    };
    match fits {
        true => Ok(()),
        false => wrong("patterns may only match literals and attribute lookups"),
    }
}
