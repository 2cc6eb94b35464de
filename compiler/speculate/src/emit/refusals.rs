//! Refusals, and the user's line.
//!
//! In: why there is no graph form. Out: [`NotConverted`] at the innermost line of the user's code. Always: library
//! code is told by the line that called it.

use janus_dialect::Loc;
use janus_object::CodeObject;

use crate::executor::Executor;
use crate::state::running::Active;
use crate::{Res, Stop};
use janus_plan::NotConverted;

/// Operations that make a graph worth its guards, where it ends before a call or is one item's.
pub(crate) const WORTH_A_GRAPH: usize = 3;

impl Executor<'_> {
    /// Puts a reason at the user's line: the innermost active frame of user code.
    pub(crate) fn reason(&self, reason: String) -> NotConverted {
        let user = |code: &CodeObject| !code.code.is_library();
        let (code, pc) = self
            .active
            .iter()
            .rev()
            .find(|a| user(&a.code))
            .or(self.active.first())
            .map_or((&self.code, 0), |a| (&a.code, a.pc));
        let line = code
            .code
            .spans
            .get(pc as usize)
            .map_or(code.code.first_line, |s| s.line);
        let divides = |a: &&Active| {
            let instr = a.code.code.instrs.get(a.pc as usize);
            instr.is_some_and(|i| janus_object::may_divide(i.op))
        };
        NotConverted {
            reason,
            file: code.code.filename.clone(),
            line,
            computed: self.computes >= WORTH_A_GRAPH,
            recursive: self.recursive,
            call: self.active.first().filter(divides).map(|a| a.pc),
        }
    }

    pub(crate) fn fail<T>(&self, reason: impl Into<String>) -> Res<T> {
        Err(Stop::Not(Box::new(self.reason(reason.into()))))
    }

    /// The line of user code being executed.
    pub(crate) fn line(&self) -> u32 {
        self.reason(String::new()).line
    }

    pub(crate) fn loc(&self) -> Loc {
        let at = self.reason(String::new());
        Loc::new(&*at.file, at.line, 1)
    }
}
