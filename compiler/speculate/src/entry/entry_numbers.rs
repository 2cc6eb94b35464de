//! Numbers of the graph that can be told at entry.
//!
//! In: nothing. Out: [`EntryNumbers`], a part of the executor. Always: what only this layer uses is private to it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use janus_dialect::ValueId;
use janus_plan::NodeId;
use janus_tensor::Dim;

use crate::entry::early_checks::EntryExtent;
use crate::entry::int_nodes::EntryInt;
use crate::entry::settings::Setting;

/// Numbers of the graph that can be told at entry.
#[derive(Default)]
pub(crate) struct EntryNumbers {
    /// Floats read at entry, by their value in the graph: what a torch function needs as a constant
    /// is guarded to be one.
    pub(crate) floats: HashMap<ValueId, (NodeId, f64)>,
    /// Floats that are computed of these and of constants.
    pub(in crate::entry) settings: HashMap<ValueId, Setting>,
    /// Conditions that such floats decide: what they are now, and which floats at entry they depend on.
    pub(in crate::entry) set_conditions: HashMap<ValueId, (Rc<[(NodeId, f64)]>, bool)>,
    /// Comparisons of these: settings, which hardly ever change.
    pub(crate) entry_conditions: HashSet<ValueId>,
    /// Ints and bools that can be told at entry: how, what they are now, and how deep.
    pub(crate) ints: HashMap<ValueId, (Rc<EntryInt>, i64, u32)>,
    /// Ints and bools of the graph that can be told at entry, extents included.
    pub(crate) extents: HashMap<ValueId, EntryExtent>,
    /// Extents that are ints which can be told at entry.
    pub(crate) extent_dims: Vec<Rc<janus_plan::Extent>>,
    /// Numbers of the graph that are extents.
    pub(crate) scalar_dims: HashMap<ValueId, Dim>,
    /// Floats that are guarded to be what they are now.
    pub(crate) wanted: std::cell::RefCell<Vec<(NodeId, f64)>>,
}
