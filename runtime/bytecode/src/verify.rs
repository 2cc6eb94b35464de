//! What is true of every code object, and the walk over its paths that proves it.
//!
//! In: instructions, or a whole [`Code`]. Out: the stack depth before each reachable instruction,
//! or the first thing found wrong. Always: a code object that passes has in-range operands, one
//! stack depth per instruction whatever path led there, loop jumps that end at loop heads, and
//! handlers that find at least the values that they keep.

use crate::{BinaryOp, Code, CompareOp, Const, Consumer, Instr, Opcode, OperandKind};

/// What is wrong with a code object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: at {pc}: {kind}")]
pub struct VerifyError {
    /// Qualified name of the code object.
    pub name: String,
    /// The instruction.
    pub pc: u32,
    /// What is wrong there.
    pub kind: VerifyErrorKind,
}

/// The ways in which a code object can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyErrorKind {
    /// A jump or handler leaves the code.
    #[error("target {0} is outside the code")]
    Target(u32),
    /// Control runs off the end.
    #[error("control reaches the end of the code")]
    FallsOff,
    /// An instruction pops more than there is.
    #[error("pops {pops} values where {depth} are")]
    Underflow {
        /// Values popped.
        pops: u32,
        /// Values there.
        depth: u32,
    },
    /// Two paths disagree.
    #[error("reached with stack depth {0} and with {1}")]
    Depth(u32, u32),
    /// A handler keeps more than there is.
    #[error("its handler keeps {keeps} values of {depth}")]
    Handler {
        /// Values that the handler keeps.
        keeps: u32,
        /// Values there.
        depth: u32,
    },
    /// An operand is out of its table.
    #[error("operand {0} is out of range")]
    Operand(u32),
    /// `JumpBackward` does not end at a loop head, or another jump goes backwards.
    #[error("jump to {0} breaks the rule for loops")]
    Loop(u32),
    /// `stack_size` is smaller than the deepest stack.
    #[error("stack_size is {0}, needed are {1}")]
    StackSize(u32, u32),
    /// Tables that must be parallel are not.
    #[error("{0} spans for {1} instructions")]
    Spans(u32, u32),
}

/// The stack depth before each instruction (`None`: unreachable) and the greatest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackDepths {
    /// Depth before the instruction of the same index.
    pub before: Vec<Option<u32>>,
    /// The deepest stack on any path.
    pub max: u32,
}

/// Follows every path from the first instruction. `handler(pc, before)` gives the target of the
/// handler that covers `pc` and the depth that it keeps; it may look at the depths found so far,
/// which always hold that of `pc` and of everything that dominates it.
pub fn stack_depths(
    instrs: &[Instr],
    mut handler: impl FnMut(u32, &[Option<u32>]) -> Option<(u32, u32)>,
) -> Result<StackDepths, (u32, VerifyErrorKind)> {
    let mut before: Vec<Option<u32>> = vec![None; instrs.len()];
    let mut max = 0;
    let mut work = vec![(0u32, 0u32, 0u32)];
    while let Some((from, pc, depth)) = work.pop() {
        let Some(slot) = before.get_mut(pc as usize) else {
            let kind = if pc as usize == instrs.len() {
                VerifyErrorKind::FallsOff
            } else {
                VerifyErrorKind::Target(pc)
            };
            return Err((from, kind));
        };
        match *slot {
            Some(known) if known == depth => continue,
            Some(known) => return Err((pc, VerifyErrorKind::Depth(known, depth))),
            None => *slot = Some(depth),
        }
        max = max.max(depth);
        let instr = instrs[pc as usize];
        if let Some((target, keeps)) = handler(pc, &before) {
            if keeps > depth {
                return Err((pc, VerifyErrorKind::Handler { keeps, depth }));
            }
            work.push((pc, target, keeps + 1));
        }
        let after = |(pops, pushes): (u32, u32)| match depth.checked_sub(pops) {
            Some(rest) => rest
                .checked_add(pushes)
                .ok_or((pc, VerifyErrorKind::Operand(instr.arg))),
            None => Err((pc, VerifyErrorKind::Underflow { pops, depth })),
        };
        if let Some(effect) = instr.jump_effect() {
            work.push((pc, instr.arg, after(effect)?));
        }
        let next = after(instr.effect())?;
        max = max.max(next);
        let pops = reaches(instr);
        if pops > depth {
            return Err((pc, VerifyErrorKind::Underflow { pops, depth }));
        }
        if instr.falls_through() {
            work.push((pc, pc + 1, next));
        }
    }
    Ok(StackDepths { before, max })
}

/// How deep an instruction looks into the stack, beside what it pops.
fn reaches(instr: Instr) -> u32 {
    use Opcode::*;
    match instr.op {
        Copy | Swap => instr.arg,
        ListAppend | SetAdd | ListExtend | SetUpdate | DictUpdate | DictMerge => {
            instr.arg.saturating_add(1)
        }
        MapAdd => instr.arg.saturating_add(2),
        WithExceptStart => 3,
        CheckExcMatch | MatchKeys => 2,
        GetLen | MatchSequence | MatchMapping | ImportFrom => 1,
        _ => 0,
    }
}

/// More values than any display or call has; their double does not overflow.
const MOST: u32 = 1 << 28;

/// Whether a count is one that the instruction has a meaning for.
fn counts(instr: Instr) -> bool {
    use Opcode::*;
    match instr.op {
        IsOp | ContainsOp => instr.arg <= 1,
        BuildSlice => matches!(instr.arg, 2 | 3),
        RaiseVarargs => instr.arg <= 2,
        Copy | Swap | ListAppend | SetAdd | MapAdd | ListExtend | SetUpdate | DictUpdate
        | DictMerge => (1..=MOST).contains(&instr.arg),
        _ => instr.arg <= MOST,
    }
}

/// Checks a code object and those nested in it.
pub fn verify(code: &Code) -> Result<(), VerifyError> {
    verify_one(code).map_err(|(pc, kind)| VerifyError {
        name: code.qualname.to_string(),
        pc,
        kind,
    })?;
    code.consts.iter().try_for_each(verify_const)
}

fn verify_const(constant: &Const) -> Result<(), VerifyError> {
    match constant {
        Const::Code(inner) => verify(inner),
        _ => Ok(()),
    }
}

fn verify_one(code: &Code) -> Result<(), (u32, VerifyErrorKind)> {
    let count = code.instrs.len() as u32;
    if code.spans.len() as u32 != count {
        return Err((0, VerifyErrorKind::Spans(code.spans.len() as u32, count)));
    }
    for (pc, instr) in code.instrs.iter().enumerate() {
        verify_operand(code, pc as u32, *instr).map_err(|kind| (pc as u32, kind))?;
    }
    for e in &code.exceptions {
        if e.target >= count || e.start >= e.end || e.end > count {
            return Err((e.start, VerifyErrorKind::Target(e.target)));
        }
    }
    let depths = stack_depths(&code.instrs, |pc, _| {
        code.handler(pc).map(|e| (e.target, e.depth))
    })?;
    if code.stack_size < depths.max {
        return Err((0, VerifyErrorKind::StackSize(code.stack_size, depths.max)));
    }
    Ok(())
}

fn verify_operand(code: &Code, pc: u32, instr: Instr) -> Result<(), VerifyErrorKind> {
    let arg = instr.arg as usize;
    let in_range = match instr.op.operand_kind() {
        OperandKind::None => true,
        OperandKind::Count => counts(instr),
        OperandKind::Flags => instr.arg <= MOST,
        OperandKind::Const => arg < code.consts.len(),
        OperandKind::Name => arg < code.names.len(),
        OperandKind::Local => arg < code.varnames.len(),
        OperandKind::Deref => arg < code.cellvars.len() + code.freevars.len(),
        OperandKind::Binary => BinaryOp::from_arg(instr.arg).is_some(),
        OperandKind::Compare => CompareOp::from_arg(instr.arg).is_some(),
        OperandKind::Consumer => Consumer::from_arg(instr.arg).is_some(),
        OperandKind::Target => {
            let Some(target) = code.instrs.get(arg) else {
                return Err(VerifyErrorKind::Target(instr.arg));
            };
            let backward = instr.arg <= pc;
            let allowed = match instr.op {
                Opcode::JumpBackward => {
                    backward && matches!(target.op, Opcode::LoopHead | Opcode::ForIter)
                }
                Opcode::Jump => !backward || target.op == Opcode::Send,
                _ => !backward,
            };
            if !allowed {
                return Err(VerifyErrorKind::Loop(instr.arg));
            }
            true
        }
    };
    if in_range {
        Ok(())
    } else {
        Err(VerifyErrorKind::Operand(instr.arg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Opcode::*;

    fn depths(instrs: &[Instr]) -> Result<StackDepths, (u32, VerifyErrorKind)> {
        stack_depths(instrs, |_, _| None)
    }

    #[test]
    fn joins_agree() {
        let code = [
            Instr::new(LoadConst, 0),
            Instr::new(PopJumpIfFalse, 4),
            Instr::new(LoadConst, 0),
            Instr::new(Jump, 5),
            Instr::new(LoadConst, 0),
            Instr::new(ReturnValue, 0),
        ];
        let found = depths(&code).unwrap();
        assert_eq!(found.before[5], Some(1));
        assert_eq!(found.max, 1);
    }

    #[test]
    fn disagreeing_joins_are_found() {
        let code = [
            Instr::new(LoadConst, 0),
            Instr::new(PopJumpIfFalse, 3),
            Instr::new(LoadConst, 0),
            Instr::new(LoadConst, 0),
            Instr::new(ReturnValue, 0),
        ];
        assert!(matches!(
            depths(&code),
            Err((3, VerifyErrorKind::Depth(_, _)))
        ));
    }

    #[test]
    fn reaching_below_the_stack_is_found() {
        let code = [
            Instr::new(BuildList, 0),
            Instr::new(LoadConst, 0),
            Instr::new(ListAppend, 2),
            Instr::new(ReturnValue, 0),
        ];
        assert_eq!(
            depths(&code),
            Err((2, VerifyErrorKind::Underflow { pops: 3, depth: 2 }))
        );
        assert!(!counts(Instr::new(BuildMap, u32::MAX)));
        assert!(!counts(Instr::new(Copy, 0)));
    }

    #[test]
    fn underflow_and_running_off_are_found() {
        assert_eq!(
            depths(&[Instr::new(PopTop, 0)]),
            Err((0, VerifyErrorKind::Underflow { pops: 1, depth: 0 }))
        );
        assert_eq!(
            depths(&[Instr::new(Nop, 0)]),
            Err((0, VerifyErrorKind::FallsOff))
        );
    }
}
