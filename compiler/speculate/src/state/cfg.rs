//! Control flow of bytecode: where the two sides of a branch meet again, how far a loop reaches.
//!
//! In: a code object. Out: immediate post-dominators and loop extents. Always: exception edges are left out, except
//! where a `raise` leads to a handler of its own frame.

use janus_bytecode::{Code, Opcode, OperandKind};
use janus_plan::last_back_edge;

/// Where an instruction leads.
fn successors(code: &Code, pc: usize) -> Vec<usize> {
    let n = code.instrs.len();
    let instr = code.instrs[pc];
    let mut next = Vec::with_capacity(2);
    if instr.falls_through() && pc + 1 < n {
        next.push(pc + 1);
    }
    if instr.op.operand_kind() == OperandKind::Target {
        next.push((instr.arg as usize).min(n));
    }
    next
}

/// Conditional jumps in the body of a loop of which one side leads out of it for sure: `break`, `return`.
pub(crate) fn breaks(code: &Code, head: u32) -> Vec<u32> {
    let Some(end) = last_back_edge(code, head) else {
        return Vec::new();
    };
    let body = head as usize + 1..=end as usize;
    // What can lead to another trip.
    let mut stays = vec![false; code.instrs.len() + 1];
    stays[head as usize] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for pc in body.clone().rev() {
            if !stays[pc] && successors(code, pc).iter().any(|&s| stays[s]) {
                stays[pc] = true;
                changed = true;
            }
        }
    }
    let leaves = |&pc: &usize| {
        let next = successors(code, pc);
        stays[pc] && code.instrs[pc].op != Opcode::ForIter && next.iter().any(|&s| !stays[s])
    };
    body.filter(leaves)
        .filter_map(|pc| u32::try_from(pc).ok())
        .collect()
}

/// Whether an instruction is in a loop, other than the one at `around`.
pub(crate) fn is_in_loop(code: &Code, pc: u32, around: Option<u32>) -> bool {
    let mut jumps = (0u32..).zip(&code.instrs);
    jumps.any(|(at, instr)| {
        instr.op.operand_kind() == OperandKind::Target
            && Some(instr.arg) != around
            && (instr.arg..=at).contains(&pc)
    })
}

/// Immediate post-dominators of all instructions; `None`: only the code's end. A `raise` leads to its handler; that
/// none of the handlers there fits an exception is left out.
pub(crate) fn post_dominators(code: &Code) -> Vec<Option<u32>> {
    let n = code.instrs.len();
    let exit = n;
    let successors: Vec<Vec<usize>> = (0..n)
        .map(|pc| {
            let mut next = successors(code, pc);
            let handler = || code.handler(u32::try_from(pc).unwrap_or(u32::MAX));
            match code.instrs[pc].op {
                Opcode::Reraise | Opcode::ReraiseStopIteration => {}
                Opcode::RaiseVarargs if let Some(handler) = handler() => {
                    next.push((handler.target as usize).min(n));
                }
                _ if next.is_empty() => next.push(exit),
                _ => {}
            }
            next
        })
        .collect();
    // Cooper, Harvey, Kennedy ("A Simple, Fast Dominance Algorithm") on the reversed graph.
    let mut predecessors = vec![Vec::new(); n + 1];
    for (pc, next) in successors.iter().enumerate() {
        for &s in next {
            predecessors[s].push(pc);
        }
    }
    let mut order = Vec::with_capacity(n + 1);
    let mut number = vec![usize::MAX; n + 1];
    let mut seen = vec![false; n + 1];
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((node, at)) = stack.pop() {
        if let Some(&p) = predecessors[node].get(at) {
            stack.push((node, at + 1));
            if !seen[p] {
                seen[p] = true;
                stack.push((p, 0));
            }
        } else {
            number[node] = order.len();
            order.push(node);
        }
    }
    let mut idom = vec![usize::MAX; n + 1];
    idom[exit] = exit;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev() {
            if node == exit {
                continue;
            }
            let mut new = usize::MAX;
            for &s in &successors[node] {
                if idom[s] == usize::MAX {
                    continue;
                }
                new = if new == usize::MAX {
                    s
                } else {
                    intersect(&idom, &number, new, s)
                };
            }
            if new != idom[node] && new != usize::MAX {
                idom[node] = new;
                changed = true;
            }
        }
    }
    (0..n)
        .map(|pc| match idom[pc] {
            d if d == usize::MAX || d == exit => None,
            d => u32::try_from(d).ok(),
        })
        .collect()
}

fn intersect(idom: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = idom[a];
        }
        while number[b] < number[a] {
            b = idom[b];
        }
    }
    a
}

/// Where the test of a `while` goes on that began before `from`, and leads to `exit` where it does not hold: behind
/// its next part (`a and b`), up to which nothing is set. `None`: it is over, the body begins at `from`.
pub(crate) fn next_test(code: &Code, from: u32, exit: u32) -> Option<u32> {
    for pc in from.. {
        let instr = code.instrs.get(pc as usize)?;
        match instr.op {
            Opcode::PopJumpIfFalse | Opcode::PopJumpIfTrue => {
                return (instr.arg == exit).then_some(pc + 1);
            }
            Opcode::LoadConst
            | Opcode::LoadFast
            | Opcode::LoadGlobal
            | Opcode::LoadName
            | Opcode::LoadDeref
            | Opcode::LoadAttr
            | Opcode::LoadMethod
            | Opcode::PushNull
            | Opcode::Call
            | Opcode::CallKw
            | Opcode::BinaryOp
            | Opcode::BinarySubscr
            | Opcode::CompareOp
            | Opcode::IsOp
            | Opcode::IsBuiltin
            | Opcode::ContainsOp
            | Opcode::UnaryNegative
            | Opcode::UnaryNot => {}
            _ => return None,
        }
    }
    None
}

/// The innermost `while` around an instruction: its head and its last back edge.
pub(crate) fn while_around(code: &Code, pc: u32) -> Option<(u32, u32)> {
    (0..=pc).rev().find_map(|head| {
        let instr = code.instrs.get(head as usize)?;
        let end = (instr.op == Opcode::LoopHead)
            .then(|| last_back_edge(code, head))
            .flatten()?;
        (pc <= end).then_some((head, end))
    })
}

/// Locals that may be read before they are written, starting at `from`.
pub(crate) fn live_locals(code: &Code, from: u32) -> Vec<bool> {
    let n = code.instrs.len();
    let count = code.varnames.len();
    let mut live = vec![vec![false; count]; n + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..n).rev() {
            let instr = code.instrs[pc];
            let mut now = vec![false; count];
            let mut join = |other: &[bool]| now.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
            if instr.falls_through() && pc + 1 < n {
                join(&live[pc + 1]);
            }
            if instr.op.operand_kind() == OperandKind::Target {
                join(&live[(instr.arg as usize).min(n)]);
            }
            if let Some(handler) = code.handler(u32::try_from(pc).unwrap_or(u32::MAX)) {
                join(&live[(handler.target as usize).min(n)]);
            }
            if let Some(slot) = now.get_mut(instr.arg as usize) {
                match instr.op {
                    Opcode::StoreFast => *slot = false,
                    Opcode::LoadFast | Opcode::DeleteFast => *slot = true,
                    _ => {}
                }
            }
            if now != live[pc] {
                live[pc] = now;
                changed = true;
            }
        }
    }
    live.into_iter()
        .nth(from as usize)
        .unwrap_or_else(|| vec![true; count])
}

/// The depth of the stack at an instruction.
pub(crate) fn stack_depth(code: &Code, pc: u32) -> Option<u32> {
    let handlers = |at: u32, _: &[Option<u32>]| {
        let covers = |e: &&janus_bytecode::ExceptionEntry| e.start <= at && at < e.end;
        code.exceptions
            .iter()
            .find(covers)
            .map(|e| (e.target, e.depth))
    };
    let depths = janus_bytecode::stack_depths(&code.instrs, handlers).ok()?;
    depths.before.get(pc as usize).copied().flatten()
}
