//! The syntax tree as text, as `ast.dump(tree, indent=1)` writes it.
//!
//! In: a tree. Out: text, for `--emit ast`. Always: node and field names are those of Python's
//! `ast` module, not of the parser; fields that are `None` are left out where Python leaves
//! them out.

use janus_bytecode::{Const, Tree as Data};
use rustpython_parser::ast::{Expr, Stmt};

use crate::error::Result;
use crate::parse::Tree;
use crate::source::Source;
use crate::tree::{write, write_stmt};
use crate::unparse::{constant_repr, string_repr};
use crate::walk::{Visitor, walk_stmt};

/// The text of a tree.
pub(crate) fn dump(source: &Source, tree: &Tree) -> String {
    let mut out = format(&write(source, tree), 0).0;
    out.push('\n');
    out
}

/// The texts of the outermost functions and classes whose qualified name is `wanted`, by name.
pub(crate) fn definitions(
    source: &Source,
    tree: &Tree,
    wanted: &dyn Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let mut search = Search {
        source,
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
    source: &'w Source,
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
            let mut text = format(&write_stmt(self.source, node), 0).0;
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

/// The text of a part, and whether it is short enough to share a line.
fn format(data: &Data, level: usize) -> (String, bool) {
    let level = level + 1;
    let indent = format!("\n{}", " ".repeat(level));
    let separator = format!(",{indent}");
    match data {
        Data::Node(node) => {
            let mut simple = true;
            let mut args = Vec::new();
            for (field, value) in &node.fields {
                if !matches!(value, Data::Absent) {
                    let (text, is_simple) = format(value, level);
                    simple &= is_simple;
                    args.push(format!("{field}={text}"));
                }
            }
            let name = &node.name;
            if simple && args.len() <= 3 {
                (format!("{name}({})", args.join(", ")), args.is_empty())
            } else {
                (format!("{name}({indent}{})", args.join(&separator)), false)
            }
        }
        Data::List(items) if items.is_empty() => ("[]".to_owned(), true),
        Data::List(items) => {
            let items: Vec<_> = items.iter().map(|i| format(i, level).0).collect();
            (format!("[{indent}{}]", items.join(&separator)), false)
        }
        Data::Text(text) => (string_repr(text), true),
        Data::Int(value) => (value.to_string(), true),
        Data::Constant(Const::Ellipsis) => ("Ellipsis".to_owned(), true),
        Data::Constant(value) => (constant_repr(value), true),
        Data::Foreign(shown) => (shown.clone(), true),
        Data::Absent => ("None".to_owned(), true),
    }
}
