//! Assumptions that the graph checks.
//!
//! In: a condition of the graph, and what it is about. Out: an assertion of the plan, and its op. Always: the op is
//! emitted where the region ends, behind all others.

use janus_dialect::{Loc, ValueId};
use janus_plan::{Assertion, AssumptionKey, DeoptReason};

use crate::Res;
use crate::executor::Executor;

impl Executor<'_> {
    /// Records an assumption that the graph checks.
    pub(crate) fn assert(
        &mut self,
        condition: ValueId,
        reason: DeoptReason,
        key: AssumptionKey,
        expected: String,
    ) -> Res<()> {
        let condition = self.use_value(condition)?;
        let id = u32::try_from(self.emission.assertions.len()).unwrap_or(u32::MAX);
        let line = self.line();
        self.emission.assertions.push(Assertion {
            reason,
            line,
            key,
            expected,
            branch: None,
        });
        self.state.asserts.push((condition, id));
        Ok(())
    }

    /// Emits the op that checks an assumption, in the current graph; the line is no part of what the
    /// graph is.
    pub(crate) fn emit_assert(&mut self, condition: ValueId, id: u32, loc: &Loc) -> Res<()> {
        let assertion = &self.emission.assertions[id as usize];
        let mut attrs = vec![
            ("id", janus_dialect::Attr::I64(i64::from(id))),
            (
                "reason",
                janus_dialect::Attr::Str(assertion.reason.id().to_owned()),
            ),
        ];
        if assertion.reason == DeoptReason::ShapeMismatch
            && !self.entry_numbers.extents.contains_key(&condition)
        {
            attrs.push(("janus.extents", janus_dialect::Attr::Bool(true)));
        }
        let loc = Loc {
            line: assertion.line,
            ..loc.clone()
        };
        self.graph()
            .op("janus.assert", &[condition], &attrs, &[], &loc)?;
        Ok(())
    }

    /// The key of an assumption at the current instruction.
    pub(crate) fn key(&self, what: &str) -> AssumptionKey {
        let mut key = String::new();
        for a in &self.calls.active {
            key.push_str(&format!("{}@{}/", a.code.code.qualname, a.pc));
        }
        key.push_str(what);
        key.into()
    }

    /// The key of an assumption at another instruction of the innermost frame.
    pub(crate) fn key_at(&self, pc: u32, what: &str) -> AssumptionKey {
        let mut key = String::new();
        for (i, a) in self.calls.active.iter().enumerate() {
            let at = if i + 1 == self.calls.active.len() {
                pc
            } else {
                a.pc
            };
            key.push_str(&format!("{}@{at}/", a.code.code.qualname));
        }
        key.push_str(what);
        key.into()
    }
}
