//! Where a value that may be of several kinds is told apart.
//!
//! In: an instruction and the kinds before it. Out: the value whose kind decides, and the kinds
//! that it may have. Always: the block is left there for one block per kind, each of which starts
//! at the same instruction; the analysis and the emitter ask the same question.

use janus_bytecode::{BinaryOp, Instr, Opcode};
use janus_interp::{SeenAttr, seen_attr};
use janus_object::{CodeObject, Value};

use crate::kind::{self, Kind, load_of};
use crate::mixed;
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

/// Tags that are told apart each on its own.
const SIMPLE: u32 = 1 << kind::tag::NONE
    | 1 << kind::tag::BOOL
    | 1 << kind::tag::INT
    | 1 << kind::tag::FLOAT
    | 1 << kind::tag::LIST;
/// Kinds that are told apart at most, if some are others than these.
const FEW: u32 = 3;

fn is_set(kind: &Kind) -> bool {
    matches!(kind, Kind::Dyn { mask, .. }
        if mask & (1 << kind::tag::KEEP | 1 << kind::tag::UNSET) == 0
            && (mask & !SIMPLE == 0 || mask.count_ones() <= FEW))
}

/// Tags that the types of a site come to; numbers, None and lists where it saw nothing.
fn expected(seen: u32) -> u32 {
    match kind::tags_of(seen) {
        0 => SIMPLE,
        mask => mask,
    }
}

/// Values that may be of many kinds, of which the instruction is compiled for some: their places and these tags.
pub(crate) fn narrowed(
    code: &CodeObject,
    pc: u32,
    wide: bool,
    stack: &[Kind],
) -> Vec<(Place, u32)> {
    use Opcode as O;
    use kind::tag;
    let Some(&instr) = code.code.instrs.get(pc as usize) else {
        return Vec::new();
    };
    let depth = stack.len();
    let mut found = Vec::new();
    let mut expect = |n: usize, tags: u32| {
        let Some(at) = depth.checked_sub(n) else {
            return;
        };
        if let Some(Kind::Dyn { mask, .. }) = stack.get(at) {
            let usual = mask & tags;
            if mask & !SIMPLE != 0 && usual != 0 && usual != *mask {
                found.push((Place::Stack(at), usual));
            }
        }
    };
    if wide {
        return Vec::new();
    }
    let seen = code.profile.site(pc).map_or(0, |site| site.types.get());
    let index = 1 << tag::INT | 1 << tag::BOOL;
    let sequences = 1 << tag::LIST | 1 << tag::TUPLE;
    match instr.op {
        O::BinaryOp | O::CompareOp => {
            expect(2, expected(seen));
            expect(1, expected(seen));
        }
        O::UnaryNegative | O::UnaryPositive | O::UnaryInvert => expect(1, expected(seen)),
        O::BinarySubscr => {
            let usual = sequences | 1 << tag::DICT;
            let others = 1 << tag::STR | 1 << tag::INSTANCE;
            let tags = match expected(seen) & (usual | others) {
                0 => usual,
                some => some,
            };
            expect(2, tags);
            let at = depth.checked_sub(2).and_then(|at| stack.get(at));
            if tags & 1 << tag::DICT == 0 && !matches!(at, Some(Kind::Object(tag::DICT))) {
                expect(1, index);
            }
        }
        O::ContainsOp => {
            let containers = 1 << tag::SET | 1 << tag::STR | 1 << tag::INSTANCE;
            expect(
                1,
                expected(seen) & (containers | sequences | 1 << tag::DICT),
            );
        }
        O::StoreSubscr => {
            let at = depth.checked_sub(2).and_then(|at| stack.get(at));
            let usual = 1 << tag::LIST | 1 << tag::DICT;
            let tags = match kind::tags_of(seen) & (usual | 1 << tag::INSTANCE) {
                0 => usual,
                some => some,
            };
            expect(2, tags);
            if matches!(at, Some(Kind::List(_))) {
                expect(1, index);
            }
        }
        O::UnpackSequence => expect(1, sequences),
        O::LoadAttr | O::LoadMethod | O::StoreAttr => {
            let tags = match seen_attr(code, pc) {
                Some(SeenAttr::OfClass { .. } | SeenAttr::MethodOfClass { .. }) => 1 << tag::CLASS,
                Some(SeenAttr::Builtin(Value::Native(native))) => {
                    match native.qualname.split('.').next() {
                        Some("list") => 1 << tag::LIST,
                        Some("str") => 1 << tag::STR,
                        Some("dict") => 1 << tag::DICT,
                        Some("set") => 1 << tag::SET,
                        Some("tuple") => 1 << tag::TUPLE,
                        _ => 1 << tag::INSTANCE,
                    }
                }
                _ => 1 << tag::INSTANCE,
            };
            expect(1, tags);
        }
        _ => {}
    }
    found
}

/// Whether nothing is known of either operand of an operator: there would be code for each pair of kinds.
pub(crate) fn is_open(instr: Instr, stack: &[Kind]) -> bool {
    let is_any = |kind: &Kind| tags(kind).len() > FEW as usize;
    matches!(instr.op, Opcode::BinaryOp | Opcode::CompareOp)
        && matches!(stack, [.., a, b] if is_any(a) && is_any(b))
}

/// The value that is to be told apart before an instruction. `slot` is the variable that it loads;
/// `seen` are the types that its site saw.
/// `is_python` says of a callable whether it is written in Python.
pub(crate) fn place(
    instr: Instr,
    slot: Option<usize>,
    seen: u32,
    state: &State,
    is_python: impl Fn(&Kind) -> bool,
) -> Option<Place> {
    use Opcode as O;
    let depth = state.stack.len();
    let top = |n: usize| state.stack.get(depth.checked_sub(n)?);
    let on_stack = |n: usize| {
        let at = depth.checked_sub(n)?;
        is_set(state.stack.get(at)?).then_some(Place::Stack(at))
    };
    match instr.op {
        O::LoadFast | O::LoadName | O::LoadGlobal | O::LoadDeref => {
            let kind = state.locals.get(slot?)?;
            let stays = matches!(load_of(kind, seen), Some((_, Kind::Dyn { .. })));
            let simple = matches!(kind, Kind::Dyn { mask, .. } if mask & !SIMPLE == 0);
            (simple && is_set(kind) && stays && !mixed::is_mixed(kind))
                .then_some(Place::Local(slot?))
        }
        // There is code for ints and floats that only their tags tell.
        O::BinaryOp
            if let (Some(a), Some(b), Some(op)) =
                (top(2), top(1), BinaryOp::from_arg(instr.arg))
                && mixed::are_mixed(a, b)
                && mixed::binary_kind(op.plain(), a, b).is_some() =>
        {
            None
        }
        O::CompareOp
            if let (Some(a), Some(b)) = (top(2), top(1))
                && mixed::are_mixed(a, b) =>
        {
            None
        }
        O::UnaryNegative if top(1).is_some_and(mixed::is_mixed) => None,
        O::BinaryOp | O::CompareOp | O::BinarySubscr => on_stack(2).or_else(|| on_stack(1)),
        O::StoreSubscr => on_stack(2).or_else(|| on_stack(1)),
        O::LoadAttr | O::LoadMethod | O::StoreAttr | O::ContainsOp => on_stack(1),
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
            // What is written in Python takes such numbers as they are.
            let in_python = top(count + 2).is_some_and(&is_python);
            let simple = |n: usize| {
                let kind = state.stack.get(depth.checked_sub(n)?)?;
                if in_python && mixed::is_mixed(kind) {
                    return None;
                }
                let simple = matches!(kind, Kind::Dyn { mask, .. } if mask & !SIMPLE == 0);
                simple.then(|| on_stack(n)).flatten()
            };
            (1..=count).rev().find_map(simple)
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
    let is_any = tags(whole).len() > FEW as usize;
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
        state.rare |= is_any && !usual;
        let of_object = matches!(
            instr.op,
            Opcode::LoadAttr | Opcode::LoadMethod | Opcode::StoreAttr
        );
        state.rare |= of_object && tag <= kind::tag::FLOAT;
        (tag, state)
    };
    tags(whole).into_iter().map(one).collect()
}
