//! How symbolic execution stops.
//!
//! In: nothing. Out: [`Stop`]. Always: what ends an attempt goes through all branches and loops under way.

use std::rc::Rc;

use janus_tensor::TensorError;

use crate::state::sym::{Obj, Sym, SymScalar};
use janus_plan::NotConverted;

/// A key that moves, and those ints that are keys of the dict.
#[derive(Debug)]
pub(crate) struct WhichKey {
    pub dict: Obj,
    pub key: SymScalar,
    pub among: Vec<i64>,
}

/// How symbolic execution stops.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The region is not converted.
    Not(Box<NotConverted>),
    /// A tensor operation refused; becomes `Not` at the instruction.
    Tensor(TensorError),
    /// The same, in words.
    Reason(String),
    /// A Python exception: unwinds to its handler, if the region has one.
    Raise(Sym),
    /// Which item of a list it is depends on an int that the graph computes.
    WhichItem,
    /// Which entry of a dict it is depends on an int that the graph computes.
    WhichKey(WhichKey),
    /// A call wants as a constant the bool that the graph computes.
    Flag(janus_dialect::ValueId, Box<NotConverted>),
    /// The region itself moves what was taken as constant: start again without that.
    Restart(Vec<Rc<str>>),
    /// Another attempt is needed, in which these views from outside are views of their base.
    Share(Vec<Rc<str>>),
    /// Another attempt is needed, in which this dict or set is looked at entry by entry.
    Open(Rc<str>),
    /// Another attempt is needed, in which this dict is known by all of its keys.
    Close(Rc<str>),
    /// Another attempt is needed, in which what is put into this set is there at once.
    LookAt(Rc<str>),
    /// A function was found to call itself over objects: start again with it as a graph of its own.
    Recursive,
    /// A call of a graph under construction whose result nothing tells yet.
    Endless,
    /// A recursion that ends where the graph's own values say: which side is taken of the branches in it helps
    /// nothing. Becomes `Not` at the first of its calls.
    Undecided(Box<NotConverted>),
}

impl Stop {
    /// Whether there is no graph form for what was tried.
    pub(crate) fn is_refusal(&self) -> bool {
        !matches!(self, Stop::Raise(_)) && !self.ends_attempt()
    }

    /// Whether no other way through a branch or loop helps.
    pub(crate) fn ends_attempt(&self) -> bool {
        matches!(
            self,
            Stop::Restart(_)
                | Stop::Share(_)
                | Stop::Open(_)
                | Stop::Close(_)
                | Stop::LookAt(_)
                | Stop::Recursive
                | Stop::Endless
                | Stop::Undecided(_)
        )
    }
}

impl From<TensorError> for Stop {
    fn from(e: TensorError) -> Self {
        Stop::Tensor(e)
    }
}

impl From<janus_dialect::DialectError> for Stop {
    fn from(e: janus_dialect::DialectError) -> Self {
        Stop::Reason(format!("the graph was refused: {e}"))
    }
}

pub(crate) type Res<T> = Result<T, Stop>;
