//! Where a value that may be of several kinds is told apart.
//!
//! In: an instruction and the kinds before it. Out: the value whose kind decides, and the kinds
//! that it may have. Always: the block is left there for one block per kind, each of which starts
//! at the same instruction; the analysis and the emitter ask the same question.

use janus_bytecode::{Instr, Opcode};

use crate::kind::{self, Kind, load_of};
use crate::program::State;
use crate::step::{has_truth, none_test};

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a local or name.
    Local(usize),
    /// On the stack, from the bottom.
    Stack(usize),
}

/// The tags of a kind that is to be told apart.
pub(crate) fn tags(kind: &Kind) -> Vec<u32> {
    match kind {
        Kind::Dyn { mask, .. } => (0..32).filter(|tag| mask & 1 << tag != 0).collect(),
        _ => Vec::new(),
    }
}

fn is_set(kind: &Kind) -> bool {
    matches!(kind, Kind::Dyn { mask, .. } if mask & (1 << kind::tag::KEEP | 1 << kind::tag::UNSET) == 0)
}

/// The value that is to be told apart before an instruction. `slot` is the variable that it loads;
/// `seen` are the types that its site saw.
pub(crate) fn place(instr: Instr, slot: Option<usize>, seen: u32, state: &State) -> Option<Place> {
    use Opcode as O;
    let depth = state.stack.len();
    let on_stack = |n: usize| {
        let at = depth.checked_sub(n)?;
        is_set(state.stack.get(at)?).then_some(Place::Stack(at))
    };
    match instr.op {
        O::LoadFast | O::LoadName | O::LoadGlobal | O::LoadDeref => {
            let kind = state.locals.get(slot?)?;
            let stays = matches!(load_of(kind, seen), Some((_, Kind::Dyn { .. })));
            (is_set(kind) && stays).then_some(Place::Local(slot?))
        }
        O::BinaryOp | O::CompareOp | O::BinarySubscr => on_stack(2).or_else(|| on_stack(1)),
        O::StoreSubscr => on_stack(2).or_else(|| on_stack(1)),
        O::UnaryNegative | O::UnaryPositive | O::UnaryInvert | O::UnpackSequence | O::GetIter => {
            on_stack(1)
        }
        O::PopJumpIfNone | O::PopJumpIfNotNone => {
            let undecided = none_test(state.stack.last()?)?.is_none();
            undecided.then(|| on_stack(1)).flatten()
        }
        O::PopJumpIfFalse
        | O::PopJumpIfTrue
        | O::JumpIfFalseOrPop
        | O::JumpIfTrueOrPop
        | O::UnaryNot => (!has_truth(state.stack.last()?))
            .then(|| on_stack(1))
            .flatten(),
        O::Call => {
            let count = instr.arg as usize;
            (1..=count).rev().find_map(on_stack)
        }
        _ => None,
    }
}

/// The states in which control goes on: one per kind.
pub(crate) fn states(instr: Instr, place: Place, state: &State) -> Vec<(u32, State)> {
    let container = match instr.op {
        Opcode::UnpackSequence | Opcode::GetIter => true,
        Opcode::BinarySubscr | Opcode::StoreSubscr => {
            place == Place::Stack(state.stack.len().saturating_sub(2))
        }
        _ => false,
    };
    let whole = match place {
        Place::Local(at) => state.locals.get(at),
        Place::Stack(at) => state.stack.get(at),
    };
    let Some(whole @ Kind::Dyn { item, .. }) = whole else {
        return Vec::new();
    };
    let one = |tag: u32| {
        let mut state = state.clone();
        let slot = match place {
            Place::Local(at) => state.locals.get_mut(at),
            Place::Stack(at) => state.stack.get_mut(at),
        };
        if let Some(slot) = slot {
            *slot = Kind::of_tag(tag, item);
        }
        // Of what nothing is known, these are the unlikely kinds.
        let usual = match container {
            true => tag == kind::tag::LIST,
            false => !matches!(tag, kind::tag::NONE | kind::tag::LIST),
        };
        state.rare |= *whole == Kind::any_item() && !usual;
        (tag, state)
    };
    tags(whole).into_iter().map(one).collect()
}
