//! All that surrounds a graph.
//!
//! In: nothing. Out: [`Plan`], made on the interpreter's thread and carried out there at every entry: evaluate
//! [`Plan::nodes`] in order, each with its check (that is the guard), collect the arguments in slot order, run the
//! graph, and, if no assert failed, carry out [`Plan::commits`] and leave as [`Plan::exit`] says.

use std::rc::Rc;

use janus_object::fields::FieldTable;
use janus_object::{CodeObject, PyRef};
use janus_tensor::{DType, Device};

use crate::arguments::{GraphDraw, Load, PlannedDraw};
use crate::asserts::Assertion;
use crate::commits::{Commit, Exit};
use crate::nodes::{Extent, Node, NodeId};
use crate::recipes::{Backward, Recipe};
use crate::refusal::NotConverted;

/// All that surrounds a graph.
pub struct Plan {
    /// Entry values and guards, in evaluation order.
    pub nodes: Vec<Node>,
    /// Arguments in slot order.
    pub loads: Vec<Load>,
    /// Random draws among them, in order.
    pub draws: Vec<PlannedDraw>,
    /// What the graph draws while it runs, behind those; by number.
    pub graph_draws: Vec<GraphDraw>,
    /// The result that says how many draws the graph made.
    pub drawn: Option<u32>,
    /// `torch.is_grad_enabled()` that the graph was made under.
    pub grad_enabled: bool,
    /// `torch.is_inference_mode_enabled()` that it was made under.
    pub inference: bool,
    /// `torch.get_default_dtype()` that it was made under.
    pub default_dtype: DType,
    /// `torch.get_default_device()` that it was made under.
    pub default_device: Device,
    /// Some of its tensors are on a device: so is what it computes.
    pub on_device: bool,
    /// Nodes whose object is written: no other node may be the same object or, for tensors,
    /// share its storage (nodes that are `SameAs` it excepted).
    pub unaliased: Vec<NodeId>,
    /// Nodes that an `is` found to be two objects, where their checks do not say so.
    pub distinct: Vec<(NodeId, NodeId)>,
    /// Assertions by id.
    pub asserts: Vec<Assertion>,
    /// Asserts, by id, that are decided before the graph runs: those that are not 0 hold.
    pub early: Vec<(u32, Rc<Extent>)>,
    /// What the graph reads of objects that it finds itself.
    pub fields: Box<FieldTable>,
    /// Tensors are among that: see [`FieldTable::written`].
    pub reads_tensors: bool,
    /// Values made at the end.
    pub recipes: Vec<Recipe>,
    /// State updates, in order.
    pub commits: Vec<Commit>,
    /// How it ends.
    pub exit: Exit,
    /// What kept the graph from going on, with `Exit::Call`.
    pub ends: Option<NotConverted>,
    /// Number of results of the graph.
    pub outputs: u32,
    /// Results have gradients that come from outside.
    pub backward: Option<Backward>,
    /// Paths whose value was taken as a constant, with the value in words: for `explain`.
    pub assumptions: Vec<String>,
    /// Code objects that were inlined: their lines run in this region.
    pub inlined: Vec<PyRef<CodeObject>>,
    /// Functions that are graphs of their own, which call themselves.
    pub graphs: Vec<OwnGraph>,
}

impl Plan {
    /// The code objects that run in this region beside its own: inlined, or as graphs of their own.
    pub fn parts(&self) -> impl Iterator<Item = &PyRef<CodeObject>> {
        let graphs = self.graphs.iter().map(|g| &g.code);
        self.inlined.iter().chain(graphs)
    }

    /// Whether `code` is one of them.
    pub fn contains(&self, code: &PyRef<CodeObject>) -> bool {
        self.parts().any(|part| PyRef::ptr_eq(part, code))
    }
}

/// A function that is a graph of its own beside the region's.
pub struct OwnGraph {
    /// The graph's name.
    pub name: String,
    /// The function.
    pub code: PyRef<CodeObject>,
}
