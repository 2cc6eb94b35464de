//! Behind a loop that is a frame.
//!
//! In: what left the frame. Out: the symbolic frame after the loop, wherever that leads. Always: what only
//! the iterations set means nothing there, and what relies on an iteration is asserted or flagged.

use std::collections::HashMap;

use janus_dialect::ValueId;
use janus_plan::ReasonId;

use crate::Res;
use crate::branches::branch::{Branch, Decides};
use crate::executor::Executor;
use crate::loops::carried::{Knowledge, live_at};
use crate::loops::frame_ops::Entered;
use crate::loops::framed::{ENTERED, Looped, Round};
use crate::state::place::Place;
use crate::state::running::{Leave, Leaving};
use crate::state::sym::{Kind, Slot, Sym, SymFrame};

impl Executor<'_> {
    /// Leaves a frame.
    pub(crate) fn leave_frame(
        &mut self,
        frame: &mut SymFrame,
        known: &Knowledge,
        at: Entered,
        round: Round,
        left: &[ValueId],
        stop: Option<u32>,
    ) -> Res<Looped> {
        self.emission.context = at.parent;
        let mut leaving = Leaving {
            name: at.name,
            outer: at.outer,
            parent: at.parent,
            body: round.body,
            condition: round.condition,
            before: at.before,
            entered: known.relies,
            left: HashMap::new(),
            became: HashMap::new(),
            round: HashMap::new(),
        };
        let mut places = Vec::with_capacity(known.carried.len());
        for (c, range) in known.carried.iter().zip(at.ranges) {
            let first = match c.fresh {
                true => Sym::Null,
                false => self.read_of(&at.start, &c.place)?,
            };
            let after = self.read_of(&round.end, &c.place)?;
            self.note_round(&first, &after, &mut leaving.round)?;
            places.push((c, range, first, after));
        }
        // Without an iteration what only the body uses has no gradient.
        let may_be_none = round.may_be_none && !known.relies;
        let entered = at.flags.entered.map(|i| left[i]);
        *frame = round.end.1;
        // What others may be views of, or names of, comes before them.
        places.sort_by_key(|(c, _, _, after)| match (&c.place, after) {
            (Place::Elements(_), _) => 0,
            _ if c.with.is_some() => 3,
            (_, Sym::Obj(o)) if self.tensor(*o).is_ok_and(|t| t.view.is_none()) => 1,
            _ => 2,
        });
        let mut named = Vec::with_capacity(places.len());
        for (c, range, first, after) in places {
            let mut values = left[range].iter().copied();
            let sym = if let Place::Elements(obj) = c.place {
                let sym = self.unflatten(&c.template, &mut values, &first)?;
                if let Sym::Obj(made) = sym {
                    self.leave_tape(&leaving, made, obj)?;
                }
                sym
            } else if let Some(place) = &c.with {
                self.named(&named, place)?
            } else {
                self.leave(&mut leaving, &c.template, &mut values, &first, &after)?
            };
            if let (true, Some(entered)) = (may_be_none, entered) {
                self.not_at_first(&c.template, &sym, entered)?;
            }
            named.push((c.place.clone(), sym.clone()));
            self.write(frame, &c.place, sym)?;
            if let Place::Elements(obj) = c.place {
                self.written_behind(obj, &at.start.0, known.relies)?;
            }
        }
        self.parts_outside(&leaving)?;
        for (obj, t) in known.growing() {
            self.end_sharing(obj, t, &named)?;
            self.name_again(obj, &leaving)?;
        }
        self.restore_counts(at.counts);
        for (c, first) in known.carried.iter().zip(&at.firsts) {
            if let Some((obj, t)) = c.growing()
                && let Some((_, first)) = self.grown(first)
                && let Some(trips) = at.trips
            {
                let first = first.clone();
                self.grew(obj, &first, t, trips, !known.breaks && !known.guessed)?;
                if known.guessed {
                    self.assert_rows(obj)?;
                }
            }
        }
        if let (false, Some(entered)) = (may_be_none, entered) {
            let first = self.emission.assertions.len();
            self.assert_entered(at.head, entered)?;
            let is_new = !self
                .region
                .relaxations
                .both_sides
                .contains(&self.key_at(at.head, ENTERED));
            if is_new {
                self.relaxed_at_first_miss(first);
            }
        }
        frame.stack.truncate(round.base);
        let result = match (&known.returns, &round.returned) {
            (Some(template), Some(v)) => {
                let mut values = left[at.returned..].iter().copied();
                // It is only looked at where an iteration returned it.
                let entered = std::mem::replace(&mut leaving.entered, true);
                let v = self.leave(&mut leaving, template, &mut values, &Sym::Null, v);
                leaving.entered = entered;
                Some(match round.raises {
                    true => self.alloc(Kind::Raised(v?)),
                    false => v?,
                })
            }
            _ => None,
        };
        if let (true, Some(Leave::To(_)), Some(raised)) = (round.raises, round.broke, &result) {
            let ended = at.flags.goes_on.map(|i| left[i]).zip(round.leave);
            if ended.is_none() && round.leave.is_some() {
                return self.refuse(ReasonId::ExceptionFlow, "a loop that always raises");
            }
            self.drop_iteration_locals(frame, &at.start.1, &round.exits, known)?;
            return self.raised_in_loop(frame, at.head, ended, raised.clone(), stop);
        }
        let exit = match (round.leave, round.broke) {
            (Some(a), Some(Leave::To(b))) if a != b => match (at.flags.goes_on, result.is_some()) {
                (Some(i), false) => {
                    self.drop_iteration_locals(frame, &at.start.1, &round.exits, known)?;
                    return self.leave_or_else(frame, left[i], a, b, stop);
                }
                _ => {
                    return self
                        .refuse(ReasonId::LoopState, "a loop with an else, left by a return");
                }
            },
            (None, Some(Leave::Return)) => {
                let Some(v) = result else {
                    return self.refuse(ReasonId::LoopState, "a loop without a result");
                };
                let flow = self.returning(frame, v);
                return Ok(Looped::Ended(flow));
            }
            (Some(pc), _) | (None, Some(Leave::To(pc))) => pc,
            (None, None) => return self.refuse(ReasonId::LoopState, "a loop without an end"),
        };
        self.drop_iteration_locals(frame, &at.start.1, &round.exits, known)?;
        frame.pc = exit;
        if let (Some(v), Some(i)) = (result, at.flags.goes_on) {
            let flow = self.goes_on_or_returns(frame, left[i], v, stop)?;
            return Ok(Looped::Ended(flow));
        }
        Ok(Looped::Done)
    }

    /// Behind a loop with an `else`: that where it ended by itself, what follows where it was left.
    fn leave_or_else(
        &mut self,
        frame: &mut SymFrame,
        ended: ValueId,
        otherwise: u32,
        behind: u32,
        stop: Option<u32>,
    ) -> Res<Looped> {
        let branch = Branch {
            pc: frame.pc,
            predicate: self.use_value(ended)?,
            jump_on: false,
            target: behind,
            decides: Decides::Jump { keeps: None },
            join: Some(behind),
            effects: self.state.effects.len(),
        };
        frame.pc = otherwise;
        let key = self.key("loop-else");
        Ok(match self.both_sides(frame, &branch, stop, &key)? {
            Some(flow) => Looped::Ended(flow),
            None => Looped::Done,
        })
    }

    /// Locals that only the body sets mean nothing behind the loop.
    fn drop_iteration_locals(
        &mut self,
        frame: &mut SymFrame,
        start: &SymFrame,
        exits: &[u32],
        known: &Knowledge,
    ) -> Res<()> {
        let live = live_at(frame, exits);
        for (i, live) in live.into_iter().enumerate() {
            if known
                .carried
                .iter()
                .any(|c| c.fresh && c.place == Place::Local(i))
            {
                continue;
            }
            if matches!(start.locals[i], Slot::Empty) && !matches!(frame.locals[i], Slot::Empty) {
                if live {
                    let name = frame.code.code.varnames[i].clone();
                    return self.refuse(
                        ReasonId::LoopState,
                        format!("{name} is first set inside a loop"),
                    );
                }
                frame.locals[i] = Slot::Empty;
            }
        }
        Ok(())
    }
}
