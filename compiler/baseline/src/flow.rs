//! The types of a region: a forward dataflow over its bytecode.
//!
//! In: a program whose units have code and the kinds at their entries. Out: the same with its
//! blocks. Always: at the fixpoint, what [`crate::emit`] makes of an instruction has the kinds
//! found here. Where different kinds meet, the code from there on is compiled once for each
//! (`total = 0` before a loop that adds floats), up to a number; then they are joined.

use std::collections::BTreeSet;

use janus_bytecode::Opcode;

use crate::kind::Kind;
use crate::program::{Block, Callee, Program, State, Unit};
use crate::step::{Next, Stop};
use crate::{Refused, RefusedFor, effect};

/// Blocks at most that start at one instruction and differ in kinds.
const MAX_VERSIONS: usize = 6;
/// Blocks of a unit from which on kinds are joined at once.
const MANY_BLOCKS: usize = 400;
/// Blocks of a unit that are gone through before the analysis gives up.
const MAX_STEPS: usize = 20_000;
/// Analyses at most that have begun others and wait for them: they are on the native stack.
const MAX_NESTED: usize = 24;

/// Why an analysis ended without a program.
pub(crate) enum Failed {
    /// The region is refused.
    Refused(Refused),
    /// A name turned out not to be constant: again, with the name among the volatile ones.
    Again,
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Failed::Refused(refused)
    }
}

impl Program {
    /// Finds the kinds of all units. A function is gone through where the first call of it is met, and again only when a result
    /// that it used has changed.
    pub fn analyze(&mut self) -> Result<(), Failed> {
        let is_open = |unit: &Unit| !unit.analysis.begun || unit.analysis.stale;
        while let Some(at) = self.units.iter().rposition(is_open) {
            self.analyze_unit(at)?;
        }
        self.check()?;
        Ok(())
    }

    /// The kind of what a unit returns, which the unit `caller` is to use.
    pub(crate) fn result_of(&mut self, caller: usize, unit: usize) -> Result<Kind, Stop> {
        let begun = self.units.get(unit).is_some_and(|u| u.analysis.begun);
        let running = self.units.iter().filter(|u| u.analysis.running).count();
        if !begun && running < MAX_NESTED {
            self.analyze_unit(unit).map_err(|failed| match failed {
                Failed::Refused(refused) => Stop::Refused(refused),
                Failed::Again => Stop::Again,
            })?;
        }
        let unit = self.units.get_mut(unit).ok_or(Stop::Pending)?;
        unit.analysis.callers.insert(caller);
        unit.result.clone().ok_or(Stop::Pending)
    }

    /// Notes what a unit returns.
    pub(crate) fn returns(&mut self, at: usize, kind: Kind) {
        let Some(unit) = self
            .units
            .get_mut(at)
            .filter(|u| u.result.as_ref() != Some(&kind))
        else {
            return;
        };
        unit.result = Some(kind);
        for caller in unit.analysis.callers.clone() {
            if let Some(caller) = self.units.get_mut(caller) {
                caller.analysis.stale = true;
            }
        }
    }

    fn refuse(&self, unit: usize, pc: u32, reason: impl Into<String>) -> Refused {
        Refused::new(reason, self.line(unit, pc))
    }

    /// What the analysis of the parts cannot see.
    fn check(&self) -> Result<(), Refused> {
        for (at, unit) in self.units.iter().enumerate() {
            for (id, block) in unit.blocks.iter().enumerate() {
                if let Some((pc, reason, rare)) = &block.exit
                    && (!rare || (id == 0 && *pc == unit.start))
                {
                    return Err(self.refuse(at, *pc, reason.clone()));
                }
            }
        }
        Ok(())
    }

    fn analyze_unit(&mut self, at: usize) -> Result<(), Failed> {
        let Some(unit) = self.units.get_mut(at) else {
            return Ok(());
        };
        unit.analysis.begun = true;
        unit.analysis.running = true;
        unit.analysis.stale = false;
        unit.blocks.clear();
        unit.blocks
            .push(Block::new(unit.start, unit.entry.clone(), false));
        let mut work = BTreeSet::from([0]);
        if let Some(beginning) = &unit.beginning {
            let first = Block::new(0, beginning.clone(), false);
            work.insert(unit.blocks.len());
            unit.blocks.push(first);
        }
        let mut steps = 0;
        while let Some(id) = work.pop_first() {
            steps += 1;
            if steps > MAX_STEPS {
                return Err(self
                    .refuse(at, 0, "its types are too many")
                    .of(RefusedFor::Size)
                    .into());
            }
            for (pc, state, split) in self.run_block(at, id)? {
                if let Some(target) = self.arrive(at, pc, state, split)? {
                    work.insert(target);
                }
            }
        }
        if let Some(unit) = self.units.get_mut(at) {
            unit.analysis.running = false;
        }
        Ok(())
    }

    /// Goes through a block; the ways out of it.
    fn run_block(&mut self, at: usize, id: usize) -> Result<Vec<(u32, State, bool)>, Failed> {
        let Some(block) = self.units.get_mut(at).and_then(|u| u.blocks.get_mut(id)) else {
            return Ok(Vec::new());
        };
        block.exit = None;
        block.splits = None;
        block.loads.clear();
        block.calls.clear();
        block.expected.clear();
        block.attrs.clear();
        block.effects.clear();
        block.attr_kinds.clear();
        let first = block.pc;
        let mut pc = first;
        let mut state = block.state.clone();
        loop {
            let Some(unit) = self.units.get(at) else {
                return Ok(Vec::new());
            };
            if !unit.is_inside(pc) {
                return Ok(Vec::new());
            }
            if pc != first && unit.is_leader(pc) {
                return Ok(vec![(pc, state, false)]);
            }
            let rare = state.rare;
            let before = state.clone();
            let failing = "what there is code for is not what comes";
            let by_effect = match self.fails(at, pc) {
                true => self.by_effect(at, id, pc, before.clone(), failing),
                false => None,
            };
            let stepped = match by_effect {
                Some(next) => Ok(next),
                None => match self.step(at, id, pc, state) {
                    Err(Stop::Unsupported(reason)) => self
                        .by_effect(at, id, pc, before, &reason)
                        .ok_or(Stop::Unsupported(reason)),
                    stepped => stepped,
                },
            };
            match stepped {
                Ok(Next::Here(next)) => state = next,
                Ok(Next::Edges(edges)) => {
                    return Ok(edges.into_iter().map(|(pc, s)| (pc, s, false)).collect());
                }
                Ok(Next::Split(states)) => {
                    if let Some(block) = self.units.get_mut(at).and_then(|u| u.blocks.get_mut(id)) {
                        block.splits = Some(pc);
                    }
                    return Ok(states.into_iter().map(|s| (pc, s, true)).collect());
                }
                Err(Stop::Pending) => return Ok(Vec::new()),
                Err(Stop::Again) => return Err(Failed::Again),
                Err(Stop::Refused(refused)) => return Err(Failed::Refused(refused)),
                Err(stop @ (Stop::Unsupported(_) | Stop::Raises(_))) => {
                    let (reason, rare) = match stop {
                        Stop::Unsupported(reason) => (reason, rare),
                        Stop::Raises(reason) => (reason, true),
                        Stop::Pending | Stop::Again | Stop::Refused(_) => return Ok(Vec::new()),
                    };
                    if let Some(block) = self.units.get_mut(at).and_then(|u| u.blocks.get_mut(id)) {
                        block.exit = Some((pc, reason, rare));
                    }
                    return Ok(Vec::new());
                }
            }
            pc += 1;
        }
    }

    /// Finds or makes the block in which an edge goes on; that block if it must be gone through.
    fn arrive(
        &mut self,
        at: usize,
        pc: u32,
        mut state: State,
        split: bool,
    ) -> Result<Option<usize>, Failed> {
        let Some(unit) = self.units.get_mut(at) else {
            return Ok(None);
        };
        if !unit.is_inside(pc) {
            return Ok(None);
        }
        forget_dead(unit.live.get(pc as usize), &mut state.locals);
        if let Some(id) = unit.block_for(pc, &state, split) {
            if let Some(block) = unit.blocks.get_mut(id)
                && block.state.rare
                && !state.rare
            {
                block.state.rare = false;
                return Ok(Some(id));
            }
            return Ok(None);
        }
        let versions: Vec<usize> = (0..unit.blocks.len())
            .filter(|id| unit.blocks.get(*id).is_some_and(|b| b.pc == pc))
            .collect();
        let mut best: Option<(usize, usize, State)> = None;
        for id in &versions {
            let Some(block) = unit.blocks.get(*id).filter(|b| !b.split && !split) else {
                continue;
            };
            let Some(joined) = join_states(&block.state, &state) else {
                continue;
            };
            let apart = distance(&block.state, &state);
            if best.as_ref().is_none_or(|(least, ..)| apart < *least) {
                best = Some((apart, *id, joined));
            }
        }
        let full = versions.len() >= MAX_VERSIONS || unit.blocks.len() >= MANY_BLOCKS;
        match best {
            Some((apart, id, joined)) if apart == 0 || full => {
                if let Some(block) = unit.blocks.get_mut(id) {
                    block.state = joined;
                }
                Ok(Some(id))
            }
            _ if versions.len() > 4 * MAX_VERSIONS => {
                Err(self.refuse(at, pc, "values of different kinds meet").into())
            }
            _ => {
                unit.blocks.push(Block::new(pc, state, split));
                Ok(Some(unit.blocks.len() - 1))
            }
        }
    }

    /// Notes where a load takes its value from.
    pub(crate) fn note_load(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        source: crate::program::Source,
    ) {
        if let Some(block) = self.units.get_mut(at).and_then(|u| u.blocks.get_mut(id)) {
            block.loads.insert(pc, source);
        }
    }

    /// Notes how an attribute is found, and its kind.
    pub(crate) fn note_attr(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        seen: Vec<janus_interp::SeenAttr>,
        kind: &Kind,
    ) {
        if let Some(block) = self.units.get_mut(at).and_then(|u| u.blocks.get_mut(id)) {
            block.attrs.insert(pc, seen);
            block.attr_kinds.insert(pc, kind.clone());
        }
    }

    /// Leaves an instruction to the interpreter's function, if there is one for it.
    fn by_effect(
        &mut self,
        at: usize,
        id: usize,
        pc: u32,
        mut state: State,
        reason: &str,
    ) -> Option<Next> {
        let instr = *self.units.get(at)?.code.code.instrs.get(pc as usize)?;
        let acting = effect::act(self, at, pc, &state)?;
        let unit = self.units.get_mut(at)?;
        let block = unit.blocks.get_mut(id)?;
        block.effects.insert(pc, reason.to_owned());
        if instr.op == Opcode::ForIter {
            let mut done = state.clone();
            done.stack.pop();
            let mut edges = vec![(instr.arg, done)];
            if effect::takes_pairs(self.units.get(at)?, pc) {
                let mut apart = state.clone();
                apart.stack.extend([Kind::any(), Kind::any()]);
                edges.push((pc + 2, apart));
            }
            state.stack.extend(acting.gives);
            edges.push((pc + 1, state));
            return Some(Next::Edges(edges));
        }
        let depth = state.stack.len();
        if matches!(acting.act, effect::Act::Send) {
            let mut done = state.clone();
            done.stack.truncate(depth.checked_sub(2)?);
            done.stack.push(Kind::any());
            state.stack.pop();
            state.stack.extend(acting.gives);
            return Some(Next::Edges(vec![(pc + 1, state), (instr.arg, done)]));
        }
        for from_top in acting.filled() {
            let at = depth.checked_sub(from_top)?;
            effect::forget_items(state.stack.get_mut(at)?);
        }
        if matches!(acting.act, effect::Act::GetMethod) {
            // The object is the receiver.
            state.stack.splice(depth - 1..depth - 1, acting.gives);
            return Some(Next::Here(state));
        }
        state.stack.truncate(depth.checked_sub(acting.takes)?);
        state.stack.extend(acting.gives);
        if instr.op == Opcode::LoadMethod {
            state.stack.push(Kind::Null);
        }
        if acting.length > 1 {
            return Some(Next::Edges(vec![(pc + acting.length, state)]));
        }
        Some(Next::Here(state))
    }

    /// Notes what a call calls.
    pub(crate) fn note_call(&mut self, at: usize, id: usize, pc: u32, callee: Callee) {
        if let Some(block) = self.units.get_mut(at).and_then(|u| u.blocks.get_mut(id)) {
            block.calls.insert(pc, callee);
        }
    }
}

/// Forgets locals that nobody reads any more, but for those that keep an object alive.
pub(crate) fn forget_dead(live: Option<&Vec<bool>>, locals: &mut [Kind]) {
    for (kind, live) in locals.iter_mut().zip(live.into_iter().flatten()) {
        if !live && !kind.is_counted() {
            *kind = Kind::Keep;
        }
    }
}

fn distance(a: &State, b: &State) -> usize {
    let count = |a: &[Kind], b: &[Kind]| a.iter().zip(b).filter(|(a, b)| !a.close_to(b)).count();
    count(&a.locals, &b.locals) + count(&a.stack, &b.stack)
}

fn join_states(a: &State, b: &State) -> Option<State> {
    if a.stack.len() != b.stack.len() {
        return None;
    }
    let join = |a: &[Kind], b: &[Kind]| {
        a.iter()
            .zip(b)
            .map(|(a, b)| a.join(b))
            .collect::<Option<Vec<_>>>()
    };
    Some(State {
        locals: join(&a.locals, &b.locals)?,
        stack: join(&a.stack, &b.stack)?,
        rare: a.rare && b.rare,
    })
}
