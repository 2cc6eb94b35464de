//! Refusals, and the user's line.
//!
//! In: why there is no graph form. Out: [`NotConverted`] at the innermost line of the user's code. Always: library
//! code is told by the line that called it.

use janus_dialect::Loc;
use janus_object::{CodeObject, PyRef};
use janus_plan::{Cause, NotConverted, ReasonId, Refusal};

use crate::executor::Executor;
use crate::state::running::Active;
use crate::{Res, Stop};

/// Operations that make a graph worth its guards, where it ends before a call or is one item's.
pub(crate) const WORTH_A_GRAPH: usize = 3;

impl Executor<'_> {
    /// Fails since it is not known which of two objects something is: the sides of the branches
    /// are kept apart in the next attempt.
    pub(crate) fn undecided<T>(&self, reason: &str) -> Res<T> {
        self.branching.blames_merges.set(true);
        self.refuse(ReasonId::BranchSides, reason)
    }

    /// The user's line at hand: the innermost active frame of user code.
    fn user_line(&self) -> (&PyRef<CodeObject>, u32) {
        let user = |code: &CodeObject| !code.code.is_library();
        let (code, pc) = self
            .calls
            .active
            .iter()
            .rev()
            .find(|a| user(&a.code))
            .or(self.calls.active.first())
            .map_or((&self.region.code, 0), |a| (&a.code, a.pc));
        let line = code
            .code
            .spans
            .get(pc as usize)
            .map_or(code.code.first_line, |s| s.line);
        (code, line)
    }

    /// Puts a cause at the user's line.
    pub(crate) fn located(&self, cause: impl Into<Cause>) -> NotConverted {
        let (code, line) = self.user_line();
        let divides = |a: &&Active| {
            let instr = a.code.code.instrs.get(a.pc as usize);
            instr.is_some_and(|i| janus_object::may_divide(i.op))
        };
        NotConverted {
            cause: cause.into(),
            file: code.code.filename.clone(),
            line,
            computed: self.emission.computes >= WORTH_A_GRAPH,
            recursive: self.recursing.recursive,
            call: self.calls.active.first().filter(divides).map(|a| a.pc),
        }
    }

    /// There is no graph form for this.
    pub(crate) fn refuse<T>(&self, reason: ReasonId, detail: impl Into<String>) -> Res<T> {
        let refusal = Refusal::new(reason, detail);
        Err(Stop::Not(Box::new(self.located(refusal))))
    }

    /// What cannot be, unless the compiler is wrong.
    pub(crate) fn defect<T>(&self, detail: &str) -> Res<T> {
        Err(Stop::Not(Box::new(self.located(Cause::defect(detail)))))
    }

    /// The line of user code being executed.
    pub(crate) fn line(&self) -> u32 {
        self.user_line().1
    }

    pub(crate) fn loc(&self) -> Loc {
        let (code, line) = self.user_line();
        Loc::new(&*code.code.filename, line, 1)
    }
}
