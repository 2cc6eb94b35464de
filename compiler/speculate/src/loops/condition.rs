//! The test at the head of a loop that is a frame.
//!
//! In: the frame at the head of a `while`. Out: whether there is another iteration, as one value, of all parts of the
//! test. Always: the test changes nothing; a part is evaluated where those before it hold.

use janus_dialect::ValueId;
use janus_object::Value;
use janus_plan::ScalarType;

use crate::Res;
use crate::branches::branch::Merge;
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::loops::carried::first_set;
use crate::loops::frame_ops::Entered;
use crate::state::cfg;
use crate::state::running::Flow;
use crate::state::sym::{Sym, SymFrame};

/// The test at a loop's head.
pub(crate) struct Test {
    /// Whether there is another iteration, as far as the head tells.
    pub natural: Option<ValueId>,
    /// Where the body begins.
    pub stay: u32,
    /// Where the loop leads when it ends by itself.
    pub leave: Option<u32>,
    /// It holds, as far as is known at this attempt.
    pub endless: bool,
}

/// What a part of a test came to.
enum Part {
    /// It holds, as far as is known.
    Holds,
    /// The graph computes whether it does.
    Moves(ValueId),
    /// It is none.
    Not,
}

impl Executor<'_> {
    /// The dynamic test at a loop's head, when that is all that is run.
    pub(crate) fn loop_test(
        &mut self,
        next: u32,
        target: u32,
        predicate: ValueId,
        jump_on: bool,
    ) -> Res<Option<Flow>> {
        let depth = self.calls.active.len();
        let Some(l) = self
            .looping
            .loops
            .last()
            .filter(|l| l.testing && l.depth == depth)
        else {
            return Ok(None);
        };
        if (l.head..=l.end).contains(&target) {
            // A test of several parts: the body leaves by breaks.
            return Ok(Some(Flow::Stop));
        }
        let predicate = Sym::flag(predicate);
        let stays = if jump_on {
            self.not(&predicate)?
        } else {
            predicate
        };
        match stays {
            Sym::Scalar(s) => Ok(Some(Flow::Test {
                go_on: s.id,
                stay: next,
                exit: target,
            })),
            _ => self.defect("a test that is known"),
        }
    }

    /// The test of a `while`. `None`: it cannot be told apart from the body, which leaves by breaks.
    pub(crate) fn while_test(&mut self, frame: &mut SymFrame, at: &Entered) -> Res<Option<Test>> {
        let code = frame.code.clone();
        let Some((first, exit)) = self.head_test(frame, at.head) else {
            return Ok(None);
        };
        // The predicates, each in its context: where those before it hold.
        let mut moving: Vec<(u32, ValueId)> = Vec::new();
        let mut body = first + 1;
        match self.test_part(frame, at, (at.head + 1, body), exit)? {
            Part::Holds => {}
            Part::Moves(id) => moving.push((self.emission.context, self.use_value(id)?)),
            Part::Not => return Ok(None),
        }
        while let Some(next) = cfg::next_test(&code.code, body, exit) {
            let start = self.checkpoint();
            let before = frame.clone();
            if let Some(&(context, predicate)) = moving.last() {
                self.emission.context = context;
                let side = true;
                self.emission.context = self.new_context(ContextKind::Side { predicate, side });
            }
            let part = self.test_part(frame, at, (body, next), exit);
            *frame = before;
            match part {
                Ok(Part::Holds) => {}
                Ok(Part::Moves(id)) => {
                    moving.push((self.emission.context, self.use_value(id)?));
                }
                Err(stop) if stop.ends_attempt() => return Err(stop),
                Ok(Part::Not) | Err(_) => {
                    self.forget(start);
                    break;
                }
            }
            let met = std::mem::take(&mut self.state);
            self.state = self.padded(start.state, &met);
            (self.state.asserts, self.state.field_reads) = (met.asserts, met.field_reads);
            self.emission.context = at.outer;
            body = next;
        }
        Ok(Some(Test {
            natural: Some(self.all_hold(at, &moving)?),
            stay: body,
            leave: Some(exit),
            endless: moving.is_empty(),
        }))
    }

    /// Runs a part of a test, which changes nothing: from one instruction to another.
    fn test_part(
        &mut self,
        frame: &mut SymFrame,
        at: &Entered,
        (from, behind): (u32, u32),
        exit: u32,
    ) -> Res<Part> {
        let before = self.state.clone();
        frame.pc = from;
        self.begin(frame, at.head, frame.stack.len(), true, None)?;
        let flow = self.run(frame, Some(behind));
        self.looping.loops.pop();
        let part = match flow? {
            Flow::Stop if frame.pc == behind => Part::Holds,
            Flow::Test {
                go_on,
                stay,
                exit: to,
            } if (stay, to) == (behind, exit) => Part::Moves(go_on),
            _ => return Ok(Part::Not),
        };
        // What the test sets is read behind the loop as the last test left it.
        let changed = self.changes(&at.start, &(self.state.clone(), frame.clone()))?;
        let sets = first_set(&at.start.1, frame, &[exit]).next().is_some();
        Ok(
            if changed.is_empty() && !sets && self.state.only_asserts_since(&before) {
                part
            } else {
                Part::Not
            },
        )
    }

    /// Whether all parts of a test hold.
    fn all_hold(&mut self, at: &Entered, moving: &[(u32, ValueId)]) -> Res<ValueId> {
        let Some((&(mut inside, last), before)) = moving.split_last() else {
            return self.constant(ScalarType::Bool, 1);
        };
        let mut holds = Sym::flag(last);
        for &(context, predicate) in before.iter().rev() {
            self.emission.context = context;
            let side = false;
            let other = self.new_context(ContextKind::Side { predicate, side });
            let key = self.key_at(at.head, "test");
            let mut merge = Merge::new(
                key,
                (predicate, true),
                [inside, other],
                self.state.heap.len(),
            );
            holds = self.merge_sym(&mut merge, &holds, &Sym::Known(Value::bool(false)))?;
            inside = context;
        }
        match holds {
            Sym::Scalar(s) => Ok(s.id),
            _ => self.defect("a test that is known"),
        }
    }
}
