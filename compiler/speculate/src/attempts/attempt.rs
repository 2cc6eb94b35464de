//! One attempt at a region.
//!
//! In: a [`Request`](crate::Request). Out: the graph and its plan, or with what relaxed another attempt is worth it.
//! Always: nothing is left of an attempt but what it came to.

use janus_plan::{AssumptionKey, Cause, InVain, Load, NotConverted, Relax};

use crate::executor::Executor;
use crate::{Speculation, Stop};

/// What an attempt came to.
pub(crate) enum Converted {
    /// A graph, and what was tried in vain on the way there.
    Done(Box<Speculation>, InVain),
    /// Another attempt is needed, in which this is not taken for granted.
    Again(Relax),
}

impl Executor<'_> {
    pub fn convert(mut self) -> Result<Converted, NotConverted> {
        match self.convert_inner() {
            Err(Stop::Again(relax)) => Ok(Converted::Again(relax)),
            // One thing or another was too much: one side each.
            Err(stop) if !self.branching.choices.is_empty() => {
                tracing::debug!("with one kind each: {}", self.not_converted(stop));
                let keys = self.branching.choices.into_iter().collect();
                Ok(Converted::Again(Relax::OneKind(keys)))
            }
            Err(stop)
                if self.branching.blames_merges.get() && !self.branching.merged.is_empty() =>
            {
                tracing::debug!("with sides apart: {}", self.not_converted(stop));
                let keys = self.branching.merged.into_iter().collect();
                Ok(Converted::Again(Relax::Apart(keys)))
            }
            Ok((returns, mut plan)) => match self.emission.builder.finish(&returns) {
                Ok(graph) => {
                    for slot in graph.unread() {
                        if let Some(load @ Load::Tensor(_)) = plan.loads.get_mut(slot)
                            && let Load::Tensor(node) = *load
                        {
                            *load = Load::Extents(node);
                        }
                    }
                    let fit =
                        |key: &AssumptionKey| self.branching.tried.get(key).is_some_and(|t| t.fit);
                    self.looping.in_vain.branches.retain(|key| !fit(key));
                    let speculation = Box::new(Speculation { graph, plan });
                    Ok(Converted::Done(speculation, self.looping.in_vain))
                }
                Err(e) => {
                    tracing::error!("the graph does not verify: {e}");
                    let code = &self.region.code.code;
                    let cause = Cause::defect(format!("compiler error: {e}"));
                    Err(NotConverted::new(cause, &code.filename, code.first_line))
                }
            },
            Err(stop) => Err(self.not_converted(stop)),
        }
    }
}
