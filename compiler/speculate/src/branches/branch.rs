//! Branches on what the graph computes: one side with an assert, or both sides merged.
//!
//! In: a conditional jump and its profile. Out: the frame after it. Always: a side sees the values
//! from outside through `janus.switch`; what differs after the sides is a `janus.merge`. Where the
//! two sides cannot be merged (one prints, say), the more frequent one is assumed.

use std::collections::HashMap;
use std::rc::Rc;

use janus_bytecode::Opcode;
use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::{AssumedBranch, AssumptionKey, DeoptReason, ReasonId, Refusal};
use janus_tensor::Dim;

use crate::branches::filtered_lists::Question;
use crate::branches::select::Pick;
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::state::cfg;
use crate::state::dims::DimInfo;
use crate::state::running::{Flow, first_operand};
use crate::state::sym::{HeapObject, Kind, Obj, State, Sym, SymFrame, SymScalar};
use crate::tensors::calls::moving_bool;
use crate::{Res, Stop};

/// Branches nested at most.
const MAX_NESTING: usize = 40;
/// Branches inside of one another whose sides are run to the end of their frame at most.
const MAX_SPLIT: u32 = 2;
/// Such branches in one conversion at most.
const MAX_SPLITS: u32 = 12;

/// Objects in the states that sides of branches start from, all sides of an attempt together, at most: bounds the
/// time that it takes, which is more than half a second for six million, and a region may have as many attempts. The largest of
/// the test programs takes 2 million.
const COPY_BUDGET: usize = 6_000_000;

/// Attempts at a branch that may fail, of each kind: branches inside of one another would
/// multiply them.
const MAX_TRIES: u32 = 2;

/// What attempts at a branch came to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tried {
    /// Both sides up to where they meet did not fit into the graph.
    unfit: u32,
    /// They did, once.
    pub fit: bool,
    /// Both sides to the end did not fit.
    unsplit: u32,
    /// The side that has to come first, since it ends.
    first: Option<bool>,
    /// The side that has no graph form.
    refused: Option<bool>,
}

/// What else a branch does than to lead to one instruction or another.
#[derive(Clone)]
pub(crate) enum Decides {
    /// Where it jumps, this stays on the stack.
    Jump { keeps: Option<Sym> },
    /// Which item of a sequence it is: this one where it jumps, else one of the rest.
    Pick { item: Sym, rest: Pick },
    /// What an operand of the instruction at `pc` is, at this place on the stack: the one thing where it jumps, or the
    /// other. The instruction runs with either.
    Operand {
        at: usize,
        then: Sym,
        otherwise: Sym,
    },
    /// Whether the next item of this iterator is there: the instruction at `pc` takes it.
    Item { it: Obj, question: Question },
    /// What the call or loop at `pc` came to: what it raised where it jumps, or what the call returned.
    Result { raised: Sym, returned: Option<Sym> },
}

/// A conditional jump whose predicate the graph computes.
#[derive(Clone)]
pub(crate) struct Branch {
    pub pc: u32,
    pub predicate: ValueId,
    /// The predicate's value that jumps.
    pub jump_on: bool,
    pub target: u32,
    pub decides: Decides,
    /// Where both sides meet again.
    pub join: Option<u32>,
    /// Effects before the branch.
    pub effects: usize,
}

/// Where an attempt began.
#[derive(Clone)]
pub(crate) struct Checkpoint {
    pub state: State,
    mark: janus_dialect::Mark,
    context: u32,
    /// Where the code was, of how many active frames the last.
    at: (usize, u32),
    /// Graphs that were done, or being made.
    graphs: usize,
    /// What each extent was known to equal, and to be at least.
    known: Vec<(Option<crate::state::dims::Same>, Option<i64>)>,
    dim_results: HashMap<(janus_tensor::ops::DimOp, Dim, Dim), Dim>,
    number_dims: HashMap<ValueId, (Dim, u32)>,
    places: crate::tensors::tensor::Places,
    any_of: HashMap<Vec<ValueId>, ValueId>,
}

/// One side after it ran.
pub(crate) struct Side {
    pub context: u32,
    pub state: State,
    pub frame: SymFrame,
    pub flow: Flow,
}

impl Side {
    /// What it ended with; what it returns lies on the stack.
    pub(crate) fn end(&self) -> (State, SymFrame) {
        let mut frame = self.frame.clone();
        match &self.flow {
            Flow::Return(v) | Flow::Yield(v) => frame.stack.push(v.clone()),
            Flow::LoopEnd { returned, .. } => frame.stack.extend(returned.clone()),
            _ => {}
        }
        (self.state.clone(), frame)
    }
}

/// Two sides being merged.
pub(crate) struct Merge {
    /// Names the branch across attempts.
    pub key: AssumptionKey,
    pub predicate: ValueId,
    /// The predicate's value on the side that ran first, which is `taken`.
    pub first: bool,
    pub taken: u32,
    pub other: u32,
    /// How many objects were there before the branch.
    pub common: usize,
    /// Objects merged from a pair.
    pub pairs: HashMap<(Obj, Obj), Obj>,
    /// Ints merged from a pair.
    pub ints: Vec<(ValueId, ValueId, ValueId)>,
    /// What an object of one side that can be changed is behind the branch.
    pub stands_for: HashMap<Obj, Obj>,
    /// How the two sides ended, `taken` first.
    pub ends: Option<Rc<[(State, SymFrame); 2]>>,
}

impl Merge {
    /// Of what a predicate decides on, of two contexts: that where it is `first`, and the other one.
    pub(crate) fn new(
        key: AssumptionKey,
        (predicate, first): (ValueId, bool),
        [taken, other]: [u32; 2],
        common: usize,
    ) -> Merge {
        Merge {
            key,
            predicate,
            first,
            taken,
            other,
            common,
            pairs: HashMap::new(),
            ints: Vec::new(),
            stands_for: HashMap::new(),
            ends: None,
        }
    }
}

impl Executor<'_> {
    /// Goes through a branch. `Some`: the frame ended on both sides.
    pub(crate) fn branch(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        stop: Option<u32>,
    ) -> Res<Option<Flow>> {
        if let Some(side) = self.known_side(branch.predicate) {
            return self.take(frame, branch, side == branch.jump_on, stop);
        }
        if self.is_probing()
            && let Some(flow) = self.probe(frame, branch, stop)?
        {
            return Ok(flow);
        }
        let key = match &branch.decides {
            Decides::Pick { rest, .. } => self.key(&format!("item {}", rest.from)),
            Decides::Operand { at, .. } => {
                let this = (self.calls.active.len(), branch.pc, *at);
                let again = self
                    .branching
                    .choosing
                    .iter()
                    .filter(|&&c| c == this)
                    .count();
                let key = self.key(&format!("operand {at}, choice {again}"));
                self.branching.choosing.push(this);
                let flow = self.branch_under(frame, branch, stop, key);
                self.branching.choosing.pop();
                return flow;
            }
            Decides::Item { .. } => self.key("whether the item is there"),
            Decides::Result { .. } => self.key("whether it raised"),
            Decides::Jump { .. } => self.key("branch"),
        };
        self.branch_under(frame, branch, stop, key)
    }

    /// The same, under this key.
    fn branch_under(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        stop: Option<u32>,
        key: AssumptionKey,
    ) -> Res<Option<Flow>> {
        // What an instruction met says nothing about which of two things an operand or a result was, or which item was
        // there.
        let site = frame.code.profile.site(branch.pc);
        let by_itself = matches!(branch.decides, Decides::Jump { .. } | Decides::Pick { .. });
        let (count, taken) = match site.filter(|_| by_itself) {
            Some(site) => (site.count.get(), site.taken.get()),
            None => (0, 0),
        };
        let generous = self.region.relaxations.generous
            && !self
                .entry_numbers
                .entry_conditions
                .contains(&branch.predicate);
        let one_sided = count > 0 && (taken == 0 || taken >= count) && !generous;
        let unrolled = self.unrolled_exit(frame, branch, &key)?;
        let apart = self.region.relaxations.apart.contains(&key);
        // The guard tells the sides apart before anything runs.
        if apart && let Some(now) = self.guarded_condition(branch.predicate) {
            return self.take(frame, branch, now == branch.jump_on, stop);
        }
        let mut unfit = unrolled || apart;
        if (!one_sided || self.region.relaxations.both_sides.contains(&key)) && !unfit {
            let unjoined = self.region.relaxations.unjoined.contains(&key);
            if self.tried(&key).unfit < MAX_TRIES && !unjoined {
                let saved = (self.checkpoint(), frame.clone());
                let guards = self.guards_made();
                match self.both_sides(frame, branch, stop, &key) {
                    Ok(flow) => {
                        self.tried(&key).fit = true;
                        self.branching.merged.insert(key);
                        return Ok(flow);
                    }
                    // What took both sides before will do so again.
                    Err(e @ Stop::Undecided(_)) if taken > 0 && taken < count => {
                        self.forget(saved.0);
                        return match self.guarded_condition(branch.predicate) {
                            Some(now) => {
                                *frame = saved.1;
                                self.take(frame, branch, now == branch.jump_on, stop)
                            }
                            None => Err(e),
                        };
                    }
                    Err(e) if e.ends_attempt() && !matches!(e, Stop::Undecided(_)) => {
                        return Err(e);
                    }
                    Err(e) => {
                        tracing::debug!("one side only: {}", self.not_converted(e));
                        self.forget(saved.0);
                        *frame = saved.1;
                        self.tried(&key).unfit += 1;
                        if self.guards_made() > guards {
                            self.looping.in_vain.branches.insert(key.clone());
                        }
                    }
                }
            }
            unfit = true;
            if let Some(now) = self.guarded_condition(branch.predicate) {
                return self.take(frame, branch, now == branch.jump_on, stop);
            }
            if let Some(flow) = self.split(frame, branch, stop, &key)? {
                self.branching.merged.insert(key);
                return Ok(flow);
            }
        }
        // Of two sides that nobody saw, the one that has a form.
        let often = match self.tried(&key).refused {
            Some(side) if by_itself && count == 0 => side != branch.jump_on,
            _ => taken.saturating_mul(2) > count,
        };
        let jump = self
            .region
            .relaxations
            .sides
            .get(&key)
            .copied()
            .unwrap_or(often);
        let want = jump == branch.jump_on;
        let predicate = Sym::Scalar(SymScalar {
            id: branch.predicate,
            ty: janus_plan::ScalarType::Bool,
        });
        let holds = if want {
            predicate
        } else {
            self.not(&predicate)?
        };
        if let Sym::Scalar(s) = holds {
            let mut expected = format!("the condition is {want}");
            if count > 0 {
                let times = if jump {
                    taken
                } else {
                    count - taken.min(count)
                };
                expected.push_str(&format!(", as {times} of {count} times before"));
            }
            self.assert(s.id, DeoptReason::BranchDirection, key, expected)?;
            if let Some(assertion) = self.emission.assertions.last_mut() {
                assertion.branch = Some(AssumedBranch { jump, unfit });
            }
        }
        self.take(frame, branch, jump, stop)
    }

    /// Where the sides do not meet: runs each of them to the end of the frame, or to where a branch
    /// around this one joins, and merges there. `None`: that is no better.
    fn split(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        stop: Option<u32>,
        key: &AssumptionKey,
    ) -> Res<Option<Option<Flow>>> {
        let depth = self.calls.active.len();
        let framed = self.looping.loops.iter().any(|l| l.depth == depth);
        let allowed = branch.join.is_some()
            && branch.join != stop
            && !framed
            && self.tried(key).unsplit < MAX_TRIES;
        if !allowed || self.branching.split >= MAX_SPLIT || self.branching.splits >= MAX_SPLITS {
            return Ok(None);
        }
        let apart = Branch {
            join: None,
            ..branch.clone()
        };
        self.branching.split += 1;
        self.branching.splits += 1;
        let saved = (self.checkpoint(), frame.clone());
        let ran = self.both_sides(frame, &apart, stop, key);
        self.branching.split -= 1;
        match ran {
            Ok(flow) => Ok(Some(flow)),
            Err(stop) if stop.ends_attempt() => Err(stop),
            Err(stop) => {
                tracing::debug!("not to the end either: {}", self.not_converted(stop));
                self.forget(saved.0);
                *frame = saved.1;
                self.tried(key).unsplit += 1;
                Ok(None)
            }
        }
    }

    /// Whether a branch decides on another trip of a `while` that is not a frame: fine while its
    /// trip count has been the same.
    fn unrolled_exit(&self, frame: &SymFrame, branch: &Branch, key: &AssumptionKey) -> Res<bool> {
        let code = &frame.code.code;
        let Some((head, end)) = cfg::while_around(code, branch.pc) else {
            return Ok(false);
        };
        let depth = self.calls.active.len();
        let framed = self
            .looping
            .loops
            .iter()
            .any(|l| l.depth == depth && l.head == head);
        let inside = |pc: u32| (head..=end).contains(&pc);
        if framed || branch.join.is_some_and(inside) {
            return Ok(false);
        }
        let Some(why) = self.looping.unframed.get(&self.key_at(head, "loop")) else {
            return Ok(false);
        };
        let profile = &frame.code.profile;
        let moves = profile.site(head).is_none_or(|site| {
            let (_, least, most) = site.trips.get();
            least != most
        });
        // What goes on, mostly or this time, would do so in each trip, for ever.
        let moves = moves
            || match self.region.relaxations.sides.get(key) {
                Some(&jump) => jump == inside(branch.target),
                None => profile.site(branch.pc).is_none_or(|site| {
                    let (count, taken) = (site.count.get(), site.taken.get());
                    let exits = match inside(branch.target) {
                        true => count - taken.min(count),
                        false => taken,
                    };
                    count == 0 || exits > 0 && exits.saturating_mul(2) <= count
                }),
            };
        if moves {
            // What kept the loop from being a frame is what there is to do something about.
            let reason = match why.reason() {
                ReasonId::CompilerError => ReasonId::LoopState,
                reason => reason,
            };
            return self.refuse(reason, format!("a loop whose trip count moves: {why}"));
        }
        Ok(true)
    }

    pub(crate) fn take(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        jump: bool,
        stop: Option<u32>,
    ) -> Res<Option<Flow>> {
        match &branch.decides {
            Decides::Item { it, question } => {
                self.take_item(frame, branch, (*it, *question), jump)?;
            }
            Decides::Operand {
                at,
                then,
                otherwise,
            } => {
                let chosen = if jump { then } else { otherwise };
                match frame.stack.get_mut(*at) {
                    Some(operand) => *operand = chosen.clone(),
                    None => return self.defect("bad operand"),
                }
                frame.pc = branch.pc;
            }
            Decides::Result { raised, returned } => {
                self.pop(frame)?;
                match jump {
                    true => frame.stack.push(raised.clone()),
                    false => frame.stack.extend(returned.clone()),
                }
                return self.after_call(frame, branch.pc, stop);
            }
            Decides::Jump { keeps } if jump => {
                frame.pc = branch.target;
                frame.stack.extend(keeps.clone());
            }
            Decides::Pick { item, .. } if jump => {
                frame.pc = branch.target;
                frame.stack.push(item.clone());
            }
            Decides::Pick { rest, .. } => return self.pick_from(frame, branch.pc, rest, stop),
            Decides::Jump { .. } => {}
        }
        Ok(None)
    }

    pub(crate) fn both_sides(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        stop: Option<u32>,
        key: &AssumptionKey,
    ) -> Res<Option<Flow>> {
        if self.nesting() >= MAX_NESTING {
            return self.refuse(ReasonId::TooLarge, "branches are nested too deeply");
        }
        let predicate = self.use_value(branch.predicate)?;
        let branch = &Branch {
            predicate,
            ..branch.clone()
        };
        let start = self.checkpoint();
        let first = self.tried(key).first.unwrap_or(true);
        match self.sides_in_order(frame, branch, stop, (key, first))? {
            Some(flow) => Ok(flow),
            // The side that ends has to come first, so that the other one can go on.
            None => {
                self.forget(start);
                self.tried(key).first = Some(!first);
                match self.sides_in_order(frame, branch, stop, (key, !first))? {
                    Some(flow) => Ok(flow),
                    None => self.refuse(
                        ReasonId::BranchSides,
                        "the two sides of a branch end differently",
                    ),
                }
            }
        }
    }

    fn tried(&mut self, key: &AssumptionKey) -> &mut Tried {
        self.branching.tried.entry(key.clone()).or_default()
    }

    /// Branches and loops around the current context.
    fn nesting(&self) -> usize {
        let (mut depth, mut at) = (0, self.emission.context);
        while at != 0 {
            depth += 1;
            at = self.emission.contexts[at as usize - 1].parent;
        }
        depth
    }

    /// What follows a loop that may have been left by a `return` of `v`: where `predicate` holds it
    /// goes on behind the loop.
    pub(crate) fn goes_on_or_returns(
        &mut self,
        frame: &mut SymFrame,
        predicate: ValueId,
        v: Sym,
        stop: Option<u32>,
    ) -> Res<Flow> {
        let predicate = self.use_value(predicate)?;
        let before = self.state.clone();
        let common = before.heap.len();
        let returned = self.new_context(ContextKind::Side {
            predicate,
            side: false,
        });
        let branch = Branch {
            pc: frame.pc,
            predicate,
            jump_on: true,
            target: frame.pc,
            decides: Decides::Jump { keeps: None },
            join: None,
            effects: before.effects.len(),
        };
        let mut ended = frame.clone();
        let flow = self.returning(&mut ended, v);
        let returned = Side {
            context: returned,
            state: before.clone(),
            frame: ended,
            flow,
        };
        let stop = match &returned.flow {
            Flow::LoopEnd { .. } => None,
            _ => stop,
        };
        let other = self.side(frame.clone(), &branch, true, stop, &before)?;
        match self.merge_sides(frame, &branch, common, returned, other, false)? {
            Some(flow) => Ok(flow),
            None => self.defect("a loop is left by a return and goes on"),
        }
    }

    /// Runs the instruction at `pc` for each of the two things that a branch before decided its
    /// operand to be, or that it is as a bool.
    pub(crate) fn for_each_operand(
        &mut self,
        frame: &mut SymFrame,
        pc: u32,
        at: usize,
        stop: Option<u32>,
    ) -> Res<Option<Flow>> {
        let (condition, then, otherwise) = match frame.stack.get(at) {
            Some(Sym::Obj(o)) => match self.state.heap[*o].kind.clone() {
                Kind::Choice {
                    condition,
                    then,
                    otherwise,
                } => (condition, then, otherwise),
                _ => return self.defect("bad operand"),
            },
            Some(Sym::Scalar(flag)) => {
                let side = |b| Sym::Known(Value::bool(b));
                (flag.id, side(true), side(false))
            }
            _ => return self.defect("bad operand"),
        };
        let join = self.post_dominator(&frame.code.clone(), pc);
        let branch = Branch {
            pc,
            predicate: condition,
            jump_on: true,
            target: pc,
            decides: Decides::Operand {
                at,
                then,
                otherwise,
            },
            join,
            effects: self.state.effects.len(),
        };
        self.branch(frame, &branch, stop)
    }

    /// The place on the stack of an operand that is one thing or another: a choice, or what a call
    /// takes as a bool.
    pub(crate) fn undecided_operand(
        &self,
        frame: &SymFrame,
        instr: janus_bytecode::Instr,
    ) -> Option<usize> {
        let first = first_operand(frame, instr);
        let is_choice = |v: &Sym| matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Choice { .. }));
        let takes_flag = matches!(instr.op, Opcode::Call | Opcode::CallKw);
        let is_flag = |v: &Sym| takes_flag && moving_bool(v).is_some();
        let operands = frame.stack.get(first..)?;
        let choice = operands.iter().position(is_choice);
        let at = choice.or_else(|| operands.iter().position(is_flag))?;
        Some(first + at)
    }

    /// Which side of a branch on this condition the current code is on, if it is on one.
    pub(crate) fn known_side(&self, condition: ValueId) -> Option<bool> {
        if let Some(&opposite) = self.ints.opposites.get(&condition)
            && let Some(side) = self.known_side(opposite)
        {
            return Some(!side);
        }
        let home = self
            .emission
            .value_context
            .get(&condition)
            .copied()
            .unwrap_or(0);
        let mut chain = Vec::new();
        let mut at = self.emission.context;
        while at != home {
            let context = self.emission.contexts.get((at as usize).checked_sub(1)?)?;
            chain.push(context);
            at = context.parent;
        }
        let mut value = condition;
        for context in chain.into_iter().rev() {
            match context.kind {
                ContextKind::Side { predicate, side } if predicate == value => return Some(side),
                ContextKind::Side { predicate, side }
                    if self.ints.opposites.get(&predicate) == Some(&value) =>
                {
                    return Some(!side);
                }
                _ => value = *context.switched.get(&value)?,
            }
        }
        None
    }

    /// Remembers where an attempt begins.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            state: self.state.clone(),
            mark: self.emission.builder.mark(),
            context: self.emission.context,
            at: (
                self.calls.active.len(),
                self.calls.active.last().map_or(0, |a| a.pc),
            ),
            graphs: self.recursing.invoked.len(),
            known: self
                .extents
                .dims
                .iter()
                .map(|d| (d.same_as, d.asserted))
                .collect(),
            dim_results: self.extents.dim_results.clone(),
            number_dims: self.extents.number_dims.clone(),
            places: self.extents.places.clone(),
            any_of: self.branching.any_of.clone(),
        }
    }

    /// Goes back to where an attempt began, and erases what it emitted: only what was there at
    /// entry stays known, so that it is not met a second time under another name.
    pub(crate) fn forget(&mut self, mut to: Checkpoint) {
        let met = (to.state.heap.len()..self.state.heap.len())
            .rev()
            .find(|obj| self.entry.pristine.contains_key(obj));
        self.state
            .heap
            .truncate(met.map_or(to.state.heap.len(), |obj| obj + 1));
        let (mark, graphs) = (to.mark, to.graphs);
        // What failed may have failed on one side of a branch.
        self.emission.context = to.context;
        let (depth, pc) = to.at;
        self.calls.active.truncate(depth);
        if let Some(active) = self.calls.active.last_mut() {
            active.pc = pc;
        }
        self.state = self.padded(std::mem::take(&mut to.state), &self.state);
        self.restore_extents(to);
        let (kept, first) = (&self.emission.kept, self.emission.builder.first_since(mark));
        let dead = |v: ValueId| first.is_some_and(|f| v >= f) && !kept.contains(&v);
        for context in &mut self.emission.contexts {
            context.switched.retain(|_, v| !dead(*v));
        }
        let first = first.filter(|_| !self.recursing.invoked.is_empty());
        if let Some(first) = first {
            self.forget_graphs(graphs, |v| v >= first);
        }
        let kept = &self.emission.kept;
        self.emission
            .builder
            .erase_since(mark, |v| !kept.contains(&v));
    }

    /// What was asserted since there were `first` asserts is left open after a miss: its key is then one of
    /// those of which both sides are compiled.
    pub(crate) fn relaxed_at_first_miss(&mut self, first: usize) {
        for assertion in self.emission.assertions.iter_mut().skip(first) {
            assertion.branch = Some(AssumedBranch {
                jump: true,
                unfit: false,
            });
        }
    }

    /// What was known of extents and lengths when an attempt began.
    pub(crate) fn restore_extents(&mut self, to: Checkpoint) {
        self.extents.dim_results = to.dim_results;
        self.extents.number_dims = to.number_dims;
        self.extents.places = to.places;
        self.branching.any_of = to.any_of;
        // Of what was met since then, and stays known, nothing is asserted any more.
        let first = |dim: &DimInfo| (dim.same_as.filter(|_| dim.is_column), None);
        let mut known = to.known.into_iter();
        for dim in &mut self.extents.dims {
            (dim.same_as, dim.asserted) = known.next().unwrap_or_else(|| first(dim));
        }
    }

    /// Runs both sides, `first` first. `None`: the first one goes on where the second one ended.
    fn sides_in_order(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        stop: Option<u32>,
        (key, first): (&AssumptionKey, bool),
    ) -> Res<Option<Option<Flow>>> {
        let until = branch.join.or(stop);
        let before = self.state.clone();
        let taken = self.side(frame.clone(), branch, first, until, &before);
        let taken = self.or_note_refused(key, first, taken)?;
        // The second side knows the objects that the first one met, as they were.
        let mut padded = before;
        let common = padded.heap.len();
        for obj in common..taken.state.heap.len() {
            match self.entry.pristine.get(&obj) {
                Some((address, object)) => {
                    padded.heap.push(object.clone());
                    padded.by_address.insert(*address, obj);
                }
                None => padded.heap.push(HeapObject {
                    origin: None,
                    kind: Kind::Tuple(Vec::new()),
                }),
            }
        }
        let other = self.side(frame.clone(), branch, !first, until, &padded);
        let mut other = self.or_note_refused(key, !first, other)?;
        // One side returned: the other one goes on until it does.
        let ended = |flow: &Flow| !matches!(flow, Flow::Stop);
        if ended(&taken.flow) != ended(&other.flow) && branch.join.is_some() {
            if !ended(&taken.flow) {
                return Ok(None);
            }
            // What leaves a loop's iteration has nothing in common with the rest of it.
            let stop = match taken.flow {
                Flow::LoopEnd { .. } => None,
                _ => stop,
            };
            self.go_on(&mut other, stop)?;
        }
        self.merge_sides(frame, branch, common, taken, other, first)
            .map(Some)
    }

    /// Notes that a side has no graph form.
    fn or_note_refused(&mut self, key: &AssumptionKey, side: bool, ran: Res<Side>) -> Res<Side> {
        if let Err(Stop::Not(_)) = &ran {
            self.tried(key).refused = Some(side);
        }
        ran
    }

    pub(crate) fn side(
        &mut self,
        mut frame: SymFrame,
        branch: &Branch,
        side: bool,
        until: Option<u32>,
        state: &State,
    ) -> Res<Side> {
        self.branching.copied += state.heap.len();
        if self.branching.copied > COPY_BUDGET {
            return Err(Stop::Undecided(Box::new(self.located(Refusal::new(
                ReasonId::TooLarge,
                "the region is too large: it has too many branches in branches",
            )))));
        }
        self.state = state.clone();
        let parent = self.emission.context;
        let kind = ContextKind::Side {
            predicate: branch.predicate,
            side,
        };
        let context = self.new_context(kind);
        self.emission.context = context;
        let (depth, loops) = (self.calls.active.len(), self.looping.loops.len());
        let flow = match self.take(&mut frame, branch, side == branch.jump_on, until) {
            Ok(None) => self.run(&mut frame, until),
            Ok(Some(flow)) => Ok(flow),
            Err(e) => Err(e),
        };
        self.emission.context = parent;
        self.calls.active.truncate(depth);
        self.looping.loops.truncate(loops);
        Ok(Side {
            context,
            state: self.state.clone(),
            frame,
            flow: flow?,
        })
    }

    fn go_on(&mut self, side: &mut Side, stop: Option<u32>) -> Res<()> {
        self.state = side.state.clone();
        let parent = std::mem::replace(&mut self.emission.context, side.context);
        let depth = self.calls.active.len();
        let flow = self.run(&mut side.frame, stop);
        self.emission.context = parent;
        self.calls.active.truncate(depth);
        side.flow = flow?;
        side.state = self.state.clone();
        Ok(())
    }
}
