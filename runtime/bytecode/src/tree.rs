//! Syntax trees as data, between the front end and the objects of Python's `ast` module.
//!
//! In: nothing. Out: [`Tree`]. Always: the names of nodes and fields are those of `ast`; a field that is
//! `None` where Python allows that is [`Tree::Absent`].

use std::borrow::Cow;

use crate::{Const, Span};

/// A node, or what stands in a node's field.
#[derive(Clone, Debug)]
pub enum Tree {
    /// An optional part that is not there.
    Absent,
    /// A node.
    Node(Box<TreeNode>),
    /// Several of them.
    List(Vec<Tree>),
    /// A name.
    Text(String),
    /// A number that is part of the grammar, as an import's level is.
    Int(i64),
    /// The value of a literal.
    Constant(Const),
    /// An object of a script's that is none of these, as its `repr` shows it.
    Foreign(String),
}

/// A node with its fields.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The name of its class in `ast`.
    pub name: Cow<'static, str>,
    /// The fields in their order.
    pub fields: Vec<(Cow<'static, str>, Tree)>,
    /// Where it stands in the source text.
    pub span: Option<Span>,
}

impl TreeNode {
    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&Tree> {
        self.fields
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }
}
