//! How symbolic execution stops.
//!
//! In: nothing. Out: [`Stop`]. Always: what ends an attempt goes through all branches and loops under way.

use janus_plan::{Cause, NotConverted, ReasonId, Refusal, Relax};
use janus_tensor::TensorError;

use crate::state::sym::{Obj, Sym, SymScalar};

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
    /// Something refused that does not know where it is; becomes `Not` at the instruction.
    Cause(Cause),
    /// A Python exception: unwinds to its handler, if the region has one.
    Raise(Sym),
    /// Which item of a list it is depends on an int that the graph computes.
    WhichItem,
    /// Which entry of a dict it is depends on an int that the graph computes.
    WhichKey(WhichKey),
    /// A call wants as a constant the bool that the graph computes.
    Flag(janus_dialect::ValueId, Box<NotConverted>),
    /// Another attempt is needed, in which this is not taken for granted.
    Again(Relax),
    /// A call of a graph under construction whose result nothing tells yet.
    Endless,
    /// It takes longer than it may.
    Late,
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
            Stop::Again(_) | Stop::Endless | Stop::Late | Stop::Undecided(_)
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
        Stop::Cause(Cause::defect(format!("the graph was refused: {e}")))
    }
}

impl Stop {
    /// Something refused that does not know where it is.
    pub(crate) fn refused(reason: ReasonId, detail: impl Into<String>) -> Stop {
        Stop::Cause(Refusal::new(reason, detail).into())
    }

    /// Something found, not knowing where it is, what cannot be.
    pub(crate) fn defect(detail: &str) -> Stop {
        Stop::Cause(Cause::defect(detail))
    }
}

/// Why a tensor operation refused: a graph cannot have it, or tier 0 would raise, too.
pub(crate) fn reason_of(e: &TensorError) -> ReasonId {
    match e {
        TensorError::NoGraphForm(_) => ReasonId::NoGraphForm,
        TensorError::NotKnown(_) => ReasonId::MovingValue,
        _ => ReasonId::WouldRaise,
    }
}

pub(crate) type Res<T> = Result<T, Stop>;
