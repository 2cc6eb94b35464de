//! The syntax tree as text.
use crate::parse::Tree;

pub(crate) fn dump(tree: &Tree) -> String {
    match tree {
        Tree::Module(b) | Tree::Single(b) => format!("{b:#?}"),
        Tree::Eval(e) => format!("{e:#?}"),
    }
}
