//! One attempt at a region.
//!
//! In: a [`Request`](crate::Request). Out: the graph and its plan, or with what relaxed another attempt is worth it.
//! Always: nothing is left of an attempt but what it came to.

use std::rc::Rc;

use crate::executor::{Executor, InVain};
use crate::{Speculation, Stop};
use janus_plan::AssumptionKey;
use janus_plan::NotConverted;

/// What an attempt came to.
pub(crate) enum Converted {
    /// A graph, and what was tried in vain on the way there.
    Done(Box<Speculation>, InVain),
    /// Another attempt is needed, without these constants.
    Restart(Vec<Rc<str>>),
    /// Another attempt is needed, in which this dict or set is looked at entry by entry.
    Open(Rc<str>),
    /// Another attempt is needed, in which this dict is known by all of its keys.
    Close(Rc<str>),
    /// Another attempt is needed, in which what is put into this set is there at once.
    LookAt(Rc<str>),
    /// Another attempt is needed, in which these views are views of their base.
    Share(Vec<Rc<str>>),
    /// Another attempt is needed, in which a function that calls itself over objects is a graph of
    /// its own.
    Recursive,
    /// Another attempt is needed, in which no variable is one of two kinds after these branches.
    OneSided(Vec<AssumptionKey>),
    /// Another attempt is needed, in which the sides of these branches are not merged.
    Apart(Vec<AssumptionKey>),
}

impl Executor<'_> {
    pub fn convert(mut self) -> Result<Converted, NotConverted> {
        match self.convert_inner() {
            Err(Stop::Restart(paths)) => Ok(Converted::Restart(paths)),
            Err(Stop::Open(path)) => Ok(Converted::Open(path)),
            Err(Stop::Close(path)) => Ok(Converted::Close(path)),
            Err(Stop::LookAt(path)) => Ok(Converted::LookAt(path)),
            Err(Stop::Share(paths)) => Ok(Converted::Share(paths)),
            Err(Stop::Recursive) => Ok(Converted::Recursive),
            // One thing or another was too much: one side each.
            Err(stop) if !self.choices.is_empty() => {
                tracing::debug!("with one kind each: {}", self.not_converted(stop));
                Ok(Converted::OneSided(self.choices.into_iter().collect()))
            }
            Err(stop) if self.blames_merges.get() && !self.merged.is_empty() => {
                tracing::debug!("with sides apart: {}", self.not_converted(stop));
                Ok(Converted::Apart(self.merged.into_iter().collect()))
            }
            Ok((returns, plan)) => match self.builder.finish(&returns) {
                Ok(graph) => {
                    let fit = |key: &AssumptionKey| self.tried.get(key).is_some_and(|t| t.fit);
                    self.in_vain.branches.retain(|key| !fit(key));
                    let speculation = Box::new(Speculation { graph, plan });
                    Ok(Converted::Done(speculation, self.in_vain))
                }
                Err(e) => {
                    tracing::error!("the graph does not verify: {e}");
                    let code = &self.code.code;
                    let reason = format!("compiler error: {e}");
                    Err(NotConverted::new(reason, &code.filename, code.first_line))
                }
            },
            Err(stop) => Err(self.not_converted(stop)),
        }
    }
}
