//! Where something can change.
//!
//! In: nothing. Out: [`Place`]. Always: a place names an object or a variable of the symbolic state.

use std::fmt;

use janus_object::Name;

use crate::state::sym::Obj;

/// Something that an iteration changes.
#[derive(Clone, PartialEq)]
pub(crate) enum Place {
    Local(usize),
    Cell(Obj),
    Attr(Obj, Name),
    /// An entry of a dict, or an item of a list, by position.
    Item(Obj, usize),
    Global(usize, Name),
    /// The elements of a tensor.
    Elements(Obj),
    /// The items of a list that grows.
    Growth(Obj),
    Grad(Obj),
    /// The position of an iterator.
    Position(Obj),
}

/// As people say it.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Local(_) => write!(f, "a local"),
            Place::Cell(_) => write!(f, "a variable of a function around it"),
            Place::Attr(_, name) => write!(f, "the attribute {}", name.as_str()),
            Place::Item(..) => write!(f, "an item of a list or dict"),
            Place::Global(_, name) => write!(f, "the global {}", name.as_str()),
            Place::Elements(_) => write!(f, "a tensor in place"),
            Place::Growth(_) => write!(f, "how long a list is"),
            Place::Grad(_) => write!(f, "a gradient"),
            Place::Position(_) => write!(f, "where an iterator is"),
        }
    }
}
