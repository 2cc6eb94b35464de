//! The contexts of a graph: the region itself, sides of branches, frames of loops, graphs of functions.
//!
//! In: a value of one context. Out: the value as another one sees it. Always: a value enters a side through its
//! switch, a frame through an enter, and a graph of its own as an argument.

use std::collections::HashMap;
use std::rc::Rc;

use janus_dialect::{GraphBuilder, GraphId, ValueId};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;

/// A side of a branch, or a loop's frame.
pub(crate) struct Context {
    pub parent: u32,
    pub kind: ContextKind,
    /// The graph in which it lies.
    pub graph: GraphId,
    /// Values of the parent as they are seen here.
    pub switched: HashMap<ValueId, ValueId>,
}

/// How values get into a context.
#[derive(Clone)]
pub(crate) enum ContextKind {
    /// Through a switch on this condition of the parent.
    Side { predicate: ValueId, side: bool },
    /// Through an enter of this frame.
    Frame(Rc<str>),
    /// As an argument of this graph, whose invokes pass it; a constant is made again.
    Graph(GraphId),
}

impl Executor<'_> {
    /// The graph in which a context lies.
    pub(crate) fn graph_of(&self, context: u32) -> GraphId {
        let context = (context as usize).checked_sub(1);
        context
            .and_then(|i| self.emission.contexts.get(i))
            .map_or(0, |c| c.graph)
    }

    /// The graph of the current context, to append to.
    pub(crate) fn graph(&mut self) -> &mut GraphBuilder {
        self.emission
            .builder
            .select(self.graph_of(self.emission.context));
        &mut self.emission.builder
    }

    /// A context inside the current one.
    pub(crate) fn new_context(&mut self, kind: ContextKind) -> u32 {
        let graph = match kind {
            ContextKind::Graph(graph) => graph,
            _ => self.graph_of(self.emission.context),
        };
        self.emission.contexts.push(Context {
            parent: self.emission.context,
            kind,
            graph,
            switched: HashMap::new(),
        });
        u32::try_from(self.emission.contexts.len()).unwrap_or(u32::MAX)
    }

    /// Whether a value from outside of a context was used in it.
    pub(crate) fn was_brought_into(&self, context: u32, value: ValueId) -> bool {
        let home = self
            .emission
            .value_context
            .get(&value)
            .copied()
            .unwrap_or(0);
        let (mut chain, mut at) = (Vec::new(), context);
        while at != home {
            let Some(context) = self.emission.contexts.get((at as usize).wrapping_sub(1)) else {
                return false;
            };
            chain.push(context);
            at = context.parent;
        }
        let brought = |value: ValueId, context: &&Context| context.switched.get(&value).copied();
        let seen = chain.iter().rev().try_fold(value, brought);
        seen.is_some() && !chain.is_empty()
    }

    /// A value as the current context sees it: values from outside a side go through its switch.
    pub(crate) fn use_value(&mut self, value: ValueId) -> Res<ValueId> {
        let home = self
            .emission
            .value_context
            .get(&value)
            .copied()
            .unwrap_or(0);
        let mut path = Vec::new();
        let mut at = self.emission.context;
        while at != home {
            if at == 0 {
                return self.refuse(
                    ReasonId::BranchSides,
                    "a value of one side of a branch is used on the other",
                );
            }
            path.push(at);
            at = self.emission.contexts[at as usize - 1].parent;
        }
        let mut value = value;
        for &side in path.iter().rev() {
            let context = &self.emission.contexts[side as usize - 1];
            if let Some(&switched) = context.switched.get(&value) {
                value = switched;
                continue;
            }
            let kind = context.kind.clone();
            let ty = self.emission.builder.type_of(value);
            let loc = self.loc();
            let results = match &kind {
                // Emitted for the parent, whose values both operands are.
                ContextKind::Graph(graph) => vec![self.import(*graph, value)?],
                ContextKind::Side { predicate, .. } => self.graph().op(
                    "janus.switch",
                    &[*predicate, value],
                    &[],
                    &[ty.clone(), ty],
                    &loc,
                )?,
                ContextKind::Frame(name) => self.graph().op(
                    "janus.enter",
                    &[value],
                    &[
                        ("frame", janus_dialect::Attr::Str(name.to_string())),
                        ("constant", janus_dialect::Attr::Unit),
                    ],
                    &[ty],
                    &loc,
                )?,
            };
            let at = match kind {
                ContextKind::Side { side, .. } => usize::from(!side),
                ContextKind::Frame(_) | ContextKind::Graph(_) => 0,
            };
            let Some(&switched) = results.get(at) else {
                return self.refuse(ReasonId::NoGraphForm, "switch has no results");
            };
            for &r in &results {
                self.emission.value_context.insert(r, side);
            }
            self.emission.contexts[side as usize - 1]
                .switched
                .insert(value, switched);
            value = switched;
        }
        Ok(value)
    }
}
