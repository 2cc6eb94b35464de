//! Exceptions that leave a callee on one side of a branch, or a loop of the graph, where code in the region around it
//! handles them.
//!
//! In: a frame that raises on one side of a branch and has no handler for it, or a loop inside of its handler. Out: the
//! call comes to what was raised or what was returned, as a condition tells, and behind it (behind the loop) the code
//! around goes both ways: to its handler, and on. Always: only what a call instruction calls comes to such a result,
//! and nothing runs before it is looked at.

use janus_dialect::ValueId;
use janus_object::{CodeObject, Name, PyRef, Value};
use janus_plan::ReasonId;

use crate::Res;
use crate::branches::branch::{Branch, Decides, Merge};
use crate::executor::Executor;
use crate::loops::framed::{Looped, Round};
use crate::objects::deepcopy::is_deepcopy;
use crate::state::running::{Flow, Leave};
use crate::state::sym::{Condition, Kind, Sym, SymFrame};
use crate::state::template::Template;

/// What one side of a branch comes to.
struct Outcome {
    /// What was raised there, and on which condition.
    raised: Option<(Condition, Sym)>,
    /// What was returned, if it may have been.
    returned: Option<Sym>,
}

impl Executor<'_> {
    /// A call that an instruction makes.
    pub(crate) fn call_directly(
        &mut self,
        callable: &Sym,
        args: Vec<Sym>,
        kwargs: Vec<(Name, Sym)>,
    ) -> Res<Sym> {
        self.calls.calls_directly = self.is_python_function(callable);
        let result = self.call(callable, args, kwargs);
        self.calls.calls_directly = false;
        result
    }

    /// Whether a call is no more than a call of a function written in Python.
    fn is_python_function(&self, callable: &Sym) -> bool {
        match callable {
            Sym::Known(Value::Function(f)) => !is_deepcopy(f),
            Sym::Known(Value::Method(method)) => matches!(method.function, Value::Function(_)),
            Sym::Obj(o) => match &self.state.heap[*o].kind {
                Kind::Function(_) => true,
                Kind::Instance(instance) => matches!(
                    instance.class.lookup(&Name::new("__call__")),
                    Some(Value::Function(_))
                ),
                Kind::Method { function, .. } => self.is_python_function(function),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether what is raised now becomes the result of this frame: it is raised on one side of a branch or in a loop
    /// of the graph, and a caller has a handler around the call.
    pub(crate) fn comes_to_caller(&self) -> bool {
        let mut frames = self.calls.active.iter().rev();
        let Some(this) = frames.next() else {
            return false;
        };
        let mut is_direct = this.is_direct && this.context != self.emission.context;
        for caller in frames {
            if !is_direct {
                return false;
            }
            if caller.code.code.handler(caller.pc).is_some() {
                return true;
            }
            is_direct = caller.is_direct;
        }
        false
    }

    /// Whether a call that came to this may have raised.
    pub(crate) fn may_be_raised(&self, v: &Sym) -> bool {
        let Sym::Obj(o) = v else { return false };
        match &self.state.heap[*o].kind {
            Kind::Raised(_) => true,
            Kind::Choice { then, .. } => self.may_be_raised(then),
            _ => false,
        }
    }

    fn outcome(&self, v: &Sym) -> Outcome {
        if let Sym::Obj(o) = v {
            match &self.state.heap[*o].kind {
                Kind::Raised(exception) => {
                    return Outcome {
                        raised: Some((None, exception.clone())),
                        returned: None,
                    };
                }
                Kind::Choice {
                    condition,
                    then,
                    otherwise,
                } if let Outcome {
                    raised: Some((_, exception)),
                    ..
                } = self.outcome(then) =>
                {
                    return Outcome {
                        raised: Some((Some(*condition), exception)),
                        returned: Some(otherwise.clone()),
                    };
                }
                _ => {}
            }
        }
        Outcome {
            raised: None,
            returned: Some(v.clone()),
        }
    }

    /// What a frame comes to that raised on a side of a branch: one exception, one condition and one result, however
    /// many branches raise.
    pub(crate) fn merge_raised(&mut self, merge: &mut Merge, a: &Sym, b: &Sym) -> Res<Sym> {
        if self.region.relaxations.one_kind.contains(&merge.key) {
            return self.refuse(ReasonId::BranchSides, "one side of a branch raises");
        }
        self.branching.choices.insert(merge.key.clone());
        let (a, b) = (self.outcome(a), self.outcome(b));
        let has_raised = |of: &Outcome| match &of.raised {
            None => Sym::Known(Value::bool(false)),
            Some((None, _)) => Sym::Known(Value::bool(true)),
            Some((Some(condition), _)) => Sym::flag(*condition),
        };
        let condition = self.merge_sym(merge, &has_raised(&a), &has_raised(&b))?;
        let exceptions = [a.raised, b.raised].map(|raised| raised.map(|(_, exception)| exception));
        let exception = self.of_either(merge, &exceptions)?;
        let returned = self.of_either(merge, &[a.returned, b.returned])?;
        let Some(exception) = exception else {
            return self.defect("a call that raises nothing");
        };
        let raised = self.alloc(Kind::Raised(exception));
        match (condition, returned) {
            (Sym::Scalar(condition), Some(otherwise)) => Ok(self.alloc(Kind::Choice {
                condition: condition.id,
                then: raised,
                otherwise,
            })),
            _ => Ok(raised),
        }
    }

    /// What a loop is left with, and whether that was raised.
    pub(crate) fn left_with(&self, v: Sym) -> Res<(Option<Sym>, bool)> {
        match self.outcome(&v) {
            Outcome { raised: None, .. } => Ok((Some(v), false)),
            Outcome {
                raised: Some((None, exception)),
                ..
            } => Ok((Some(exception), true)),
            _ => self.refuse(
                ReasonId::ExceptionFlow,
                "a loop is left by an exception and by a return",
            ),
        }
    }

    /// How what a loop is left with is carried to its end: an exception that an iteration made by its attributes, if
    /// nothing else names it.
    pub(crate) fn template_of_end(&self, v: &Sym, round: &Round) -> Template {
        let (Sym::Obj(obj), Some((form, items)), true) = (v, self.new_attributes(v), round.raises)
        else {
            return self.template(v);
        };
        let (state, mut frame) = round.end.clone();
        if round.broke == Some(Leave::Return) {
            // The frame ends with it.
            frame.locals.clear();
            frame.cells.clear();
            frame.stack.clear();
        }
        if self.names_of(*obj, (&state, &frame)) != Some(0) {
            return self.template(v);
        }
        Template::Sequence(form, items.iter().map(|v| self.template(v)).collect())
    }

    /// What is on both sides of a branch, or on one.
    fn of_either(&mut self, merge: &mut Merge, sides: &[Option<Sym>; 2]) -> Res<Option<Sym>> {
        Ok(match sides {
            [Some(a), Some(b)] => Some(self.merge_sym(merge, a, b)?),
            [Some(a), None] => Some(self.value_of_side(merge, true, a)?),
            [None, Some(b)] => Some(self.value_of_side(merge, false, b)?),
            [None, None] => None,
        })
    }

    /// Behind the call at `pc`, whose result lies on top of the stack: what it raised goes to the handler.
    pub(crate) fn after_call(
        &mut self,
        frame: &mut SymFrame,
        pc: u32,
        stop: Option<u32>,
    ) -> Res<Option<Flow>> {
        let Some(result) = frame
            .stack
            .last()
            .cloned()
            .filter(|v| self.may_be_raised(v))
        else {
            return Ok(None);
        };
        match self.outcome(&result) {
            Outcome { raised: None, .. } => Ok(None),
            Outcome {
                raised: Some((Some(condition), exception)),
                returned: Some(returned),
            } => self.raised_or_not(frame, pc, stop, (condition, exception, returned)),
            Outcome {
                raised: Some((_, exception)),
                ..
            } => {
                frame.stack.pop();
                self.unwind(frame, pc, exception)
            }
        }
    }

    fn raised_or_not(
        &mut self,
        frame: &mut SymFrame,
        pc: u32,
        stop: Option<u32>,
        (condition, exception, returned): (ValueId, Sym, Sym),
    ) -> Res<Option<Flow>> {
        let code = frame.code.clone();
        let handler = code.code.handler(pc).map(|h| h.target);
        let raised = self.alloc(Kind::Raised(exception));
        let branch = Branch {
            pc,
            predicate: condition,
            jump_on: true,
            target: handler.unwrap_or(frame.pc),
            decides: Decides::Result {
                raised,
                returned: Some(returned),
            },
            join: handler.and_then(|handler| self.meeting_point(&code, frame.pc, handler)),
            effects: self.state.effects.len(),
        };
        self.branch(frame, &branch, stop)
    }

    /// Behind the loop at `head` that an iteration may have left by raising this to a handler around the loop: where
    /// `ended` holds, it goes on at its exit.
    pub(crate) fn raised_in_loop(
        &mut self,
        frame: &mut SymFrame,
        head: u32,
        ended: Option<(ValueId, u32)>,
        raised: Sym,
        stop: Option<u32>,
    ) -> Res<Looped> {
        frame.stack.push(raised.clone());
        let flow = match ended {
            None => self.after_call(frame, head, stop)?,
            Some((ended, exit)) => {
                frame.pc = exit;
                let code = frame.code.clone();
                let handler = code.code.handler(head).map(|h| h.target);
                let branch = Branch {
                    pc: head,
                    predicate: self.use_value(ended)?,
                    jump_on: false,
                    target: exit,
                    decides: Decides::Result {
                        raised,
                        returned: None,
                    },
                    join: handler.and_then(|handler| self.meeting_point(&code, exit, handler)),
                    effects: self.state.effects.len(),
                };
                let key = self.key("loop-raised");
                self.both_sides(frame, &branch, stop, &key)?
            }
        };
        Ok(match flow {
            Some(flow) => Looped::Ended(flow),
            None => Looped::Done,
        })
    }

    /// The first instruction that both ways come to, if they meet before the frame ends.
    fn meeting_point(&mut self, code: &PyRef<CodeObject>, a: u32, b: u32) -> Option<u32> {
        let mut way = |from: u32| {
            let next = |&pc: &u32| self.post_dominator(code, pc);
            std::iter::successors(Some(from), next).collect::<Vec<_>>()
        };
        let (first, second) = (way(a), way(b));
        second.into_iter().find(|pc| first.contains(pc))
    }
}
