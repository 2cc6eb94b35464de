//! The symbolic executor: what an attempt works on.
//!
//! In: a [`Request`]. Out: nothing by itself; each layer has its part of what is done with it. Always: `self.state` is
//! what Python would see, `self.builder` holds pure ops only; nothing is written to real objects.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use janus_dialect::{GraphBuilder, Passes, ValueId};
use janus_interp::Interp;
use janus_object::{CodeObject, PyRef, Value};
use janus_tensor::Dim;

use crate::Request;
use crate::branches::branch::Tried;
use crate::emit::contexts::Context;
use crate::entry::early_checks::Told;
use crate::entry::int_nodes::Host;
use crate::entry::settings::Setting;
use crate::numbers::linear_ints::Linear;
use crate::recursion::invoke::Invoked;
use crate::state::dims::DimInfo;
use crate::state::running::{Active, ActiveLoop};
use crate::state::sym::{HeapObject, Obj, State, Sym, SymFrame};
use janus_plan::{
    Assertion, AssumptionKey, Cause, GraphDraw, InVain, Load, Node, NodeId, PlannedDraw, ScalarType,
};
use janus_plan::{RegionKind, Relaxations};

/// How an object that is there at entry is come to: its path, the object that it was found in, and the key.
pub(crate) type Way = (Rc<str>, Option<NodeId>, Option<NodeId>);

pub(crate) struct Executor<'v> {
    pub vm: &'v mut Interp,
    pub builder: GraphBuilder,
    pub relaxations: &'v Relaxations,
    pub passes: Passes,
    pub kind: RegionKind,
    pub code: PyRef<CodeObject>,
    /// The head of the loop whose iteration ends the region, and that loop's last instruction.
    pub loop_head: Option<u32>,
    pub loop_end: u32,
    pub frame: Option<SymFrame>,
    /// What lies below the region's stack.
    pub below: Vec<Option<Value>>,
    /// Sides of branches that are being run to the end of their frame.
    pub split: u32,
    /// Branches whose sides were run so, in all attempts.
    pub splits: u32,
    /// Operands that are being decided on: how many active frames there are, the instruction, and the place on the
    /// stack. One of several things is decided on several times.
    pub choosing: Vec<(usize, u32, usize)>,
    /// Objects in the states that sides of branches started from.
    pub copied: usize,
    /// Of which bool another one is the opposite.
    pub opposites: HashMap<ValueId, ValueId>,
    /// Tensors that have no gradient at entry, until something depends on that.
    pub without_grad: HashMap<Obj, (NodeId, Rc<str>)>,
    /// What attempts at branches came to.
    pub tried: HashMap<AssumptionKey, Tried>,
    /// Rows of tensors that are gone over one by one, and whose rows they are.
    pub unbound: Vec<(Rc<[Sym]>, Obj)>,
    pub state: State,
    pub nodes: Vec<Node>,
    pub loads: Vec<Load>,
    /// The tensors among them, and those drawn at entry: each with its slot.
    pub loaded: Vec<(Obj, usize)>,
    pub draws: Vec<PlannedDraw>,
    pub graph_draws: Vec<GraphDraw>,
    /// The variable that counts the draws of the graph.
    pub draws_cell: Obj,
    /// The address of the run's draws, in the graph.
    pub drawing: Option<ValueId>,
    pub assertions: Vec<Assertion>,
    pub dims: Vec<DimInfo>,
    /// 0 is the region itself.
    pub contexts: Vec<Context>,
    pub context: u32,
    /// The context each value belongs to, where it is not 0.
    pub value_context: HashMap<ValueId, u32>,
    /// Constants of the graph by type and bits.
    pub constants: HashMap<(ScalarType, u64), ValueId>,
    pub post_dominators: HashMap<*const CodeObject, Rc<Vec<Option<u32>>>>,
    pub inlined: Vec<PyRef<CodeObject>>,
    pub assumed: Vec<String>,
    /// The active frames, outermost first.
    pub active: Vec<Active>,
    /// The loops that are being turned into frames, outermost first.
    pub loops: Vec<ActiveLoop>,
    /// Lists and tuples of the loops under way that are, in the first iteration, ones that others know.
    pub known_elsewhere: Vec<Obj>,
    /// What is emitted now stays, whatever becomes of the branch or loop it was needed in.
    pub keeping: bool,
    /// What runs now may be run again from where it began.
    pub tentative: bool,
    /// Whether a side of a branch ends a recursion is being found out.
    pub on_trial: bool,
    pub kept: HashSet<ValueId>,
    /// Frames made so far, for their names.
    pub frames: u32,
    /// Loops that were found to be no frames: their instruction, with the call path.
    pub unframed: HashMap<AssumptionKey, Cause>,
    /// What was tried in vain.
    pub in_vain: InVain,
    pub steps: u32,
    /// Operations on tensors that were emitted.
    pub computes: usize,
    pub ops: usize,
    /// Merges that were emitted.
    pub merges: usize,
    /// Object values of the graph, by node.
    pub object_values: HashMap<NodeId, ValueId>,
    pub unaliased: Vec<NodeId>,
    /// Objects by how they were come to, where several are at one address: see [`Relaxations::separate`].
    pub separated: HashMap<Way, Obj>,
    /// [`janus_plan::Plan::distinct`]
    pub distinct: Vec<(NodeId, NodeId)>,
    /// Floats read at entry, by their value in the graph: what a torch function needs as a constant
    /// is guarded to be one.
    pub floats: HashMap<ValueId, (NodeId, f64)>,
    /// Floats that are computed of these and of constants.
    pub settings: HashMap<ValueId, Setting>,
    /// Conditions that such floats decide: what they are now, and which floats at entry they depend on.
    pub set_conditions: HashMap<ValueId, (Rc<[(NodeId, f64)]>, bool)>,
    /// Comparisons of these: settings, which hardly ever change.
    pub entry_conditions: HashSet<ValueId>,
    /// Ints and bools that can be told at entry: how, what they are now, and how deep.
    pub host: HashMap<ValueId, (Rc<Host>, i64, u32)>,
    /// Ints and bools of the graph that can be told at entry, extents included.
    pub told: HashMap<ValueId, Told>,
    /// Numbers of the graph that are extents.
    pub scalar_dims: HashMap<ValueId, Dim>,
    /// Extents that are ints which can be told at entry.
    pub told_dims: Vec<Rc<janus_plan::Extent>>,
    /// Ints that are `by * base + plus`.
    pub linear: HashMap<ValueId, Linear>,
    /// Ints of which at most so much counts, and what that is.
    pub bounded: Vec<(ValueId, i64, ValueId)>,
    /// The same of int tensors of one element, and those that are a constant.
    pub shifted: HashMap<ValueId, (ValueId, i64)>,
    pub int_constants: HashMap<ValueId, i64>,
    /// The int that an extent was made of.
    pub dim_scalars: HashMap<u32, ValueId>,
    /// Branches after which a variable is one of two things of different kinds.
    pub choices: HashSet<AssumptionKey>,
    /// The item of a list, with its place, that is being taken for there.
    pub taken_item: Option<(Obj, usize)>,
    /// Keys that dicts do not have, where they are made.
    pub absent_keys: HashSet<(Obj, ValueId)>,
    /// The next frame is what a call instruction calls.
    pub calls_directly: bool,
    /// Whether one of these conditions holds at least.
    pub any_of: HashMap<Vec<ValueId>, ValueId>,
    /// Lengths of lists that may have no item: whether they have one.
    pub lengths: HashMap<ValueId, ValueId>,
    /// Branches whose sides were merged.
    pub merged: HashSet<AssumptionKey>,
    /// A failure may be due to what merges made: the region has run and what is left is to write
    /// down what it changed, or it needs to know which of two objects something is.
    pub blames_merges: std::cell::Cell<bool>,
    /// Locals that were not set when the region was looked at.
    pub unset_locals: HashSet<usize>,
    /// Floats that are guarded to be what they are now.
    pub wanted: std::cell::RefCell<Vec<(NodeId, f64)>>,
    /// Tensors that are guarded to be contiguous, or not to be.
    pub dense: std::cell::RefCell<HashMap<NodeId, bool>>,
    /// Tensors that are not contiguous, with the dimensions that are guarded to join.
    pub joined: std::cell::RefCell<HashMap<NodeId, Vec<bool>>>,
    /// What the running in-place operation is going to write over: what backward needs of it is copied.
    pub changing: Option<Obj>,
    /// Objects that were there at entry as they looked when they were first met, with addresses.
    pub pristine: HashMap<Obj, (usize, HeapObject)>,
    /// Extents computed so far, so that equal computations are equal symbols.
    pub dim_results: HashMap<(janus_tensor::ops::DimOp, Dim, Dim), Dim>,
    /// Extents made of numbers, each with its context: what is made of one number has one extent.
    pub number_dims: HashMap<ValueId, (Dim, u32)>,
    /// Where masks are set, so that one mask is of one extent however often it is asked.
    pub places: crate::tensors::tensor::Places,
    /// A call of a function that is a graph of its own was met.
    pub recursive: bool,
    /// Calls of recursions over objects that were inlined.
    pub recursive_calls: u32,
    /// Functions that are graphs of their own.
    pub invoked: Vec<Invoked>,
    /// Attributes that recursions keep something in, by the class of their objects.
    pub kept_fields: Vec<(PyRef<janus_object::Class>, janus_object::Name)>,
    /// What the graph reads of objects that it finds itself.
    pub fields: janus_object::fields::FieldTable,
    /// The address of that table, in the graph.
    pub field_table: Option<ValueId>,
    /// What stands for all tensors that objects hold to which the graph comes.
    pub held: Option<Obj>,
    /// How many calls deeper Python may go at entry, in the graph.
    pub calls_left_at_entry: Option<ValueId>,
    /// Addresses of objects that are there at entry, in the graph.
    pub addresses: HashMap<NodeId, ValueId>,
}

impl<'v> Executor<'v> {
    pub fn new(vm: &'v mut Interp, request: &Request<'v>) -> Self {
        let code = request.code.clone();
        let name = match request.kind {
            RegionKind::Function => code.code.qualname.to_string(),
            // No line: graphs are equal wherever they come from.
            RegionKind::Loop { .. } => format!("{}:loop", code.code.qualname),
            RegionKind::Rest { .. } => format!("{}:rest", code.code.qualname),
        };
        let loop_head = request.kind.loop_head(&code.code);
        let loop_end = match loop_head {
            None => u32::MAX,
            Some(head) => janus_plan::last_back_edge(&code.code, head).unwrap_or(0),
        };
        let grad_enabled = janus_tensor::autograd::is_grad_enabled();
        let mut this = Executor {
            vm,
            builder: GraphBuilder::new(&name),
            relaxations: request.relaxations,
            passes: request.passes,
            kind: request.kind,
            code: code.clone(),
            loop_head,
            loop_end,
            frame: None,
            below: Vec::new(),
            split: 0,
            splits: 0,
            choosing: Vec::new(),
            copied: 0,
            opposites: HashMap::new(),
            without_grad: HashMap::new(),
            tried: HashMap::new(),
            unbound: Vec::new(),
            state: State {
                grad_enabled,
                inference: janus_tensor::autograd::is_inference_mode(),
                ..State::default()
            },
            nodes: Vec::new(),
            loads: Vec::new(),
            loaded: Vec::new(),
            draws: Vec::new(),
            graph_draws: Vec::new(),
            draws_cell: 0,
            drawing: None,
            assertions: Vec::new(),
            dims: Vec::new(),
            contexts: vec![],
            context: 0,
            value_context: HashMap::new(),
            constants: HashMap::new(),
            post_dominators: HashMap::new(),
            inlined: Vec::new(),
            assumed: Vec::new(),
            active: Vec::new(),
            loops: Vec::new(),
            keeping: false,
            known_elsewhere: Vec::new(),
            tentative: false,
            on_trial: false,
            kept: HashSet::new(),
            frames: 0,
            unframed: request.relaxations.unframed.clone(),
            in_vain: InVain::default(),
            steps: 0,
            ops: 0,
            merges: 0,
            computes: 0,
            object_values: HashMap::new(),
            unaliased: Vec::new(),
            separated: HashMap::new(),
            distinct: Vec::new(),
            floats: HashMap::new(),
            settings: HashMap::new(),
            set_conditions: HashMap::new(),
            entry_conditions: HashSet::new(),
            host: HashMap::new(),
            choices: HashSet::new(),
            taken_item: None,
            absent_keys: HashSet::new(),
            calls_directly: false,
            any_of: HashMap::new(),
            lengths: HashMap::new(),
            merged: HashSet::new(),
            blames_merges: std::cell::Cell::new(false),
            unset_locals: HashSet::new(),
            wanted: std::cell::RefCell::default(),
            dense: std::cell::RefCell::default(),
            joined: std::cell::RefCell::default(),
            told: HashMap::new(),
            scalar_dims: HashMap::new(),
            told_dims: Vec::new(),
            linear: HashMap::new(),
            bounded: Vec::new(),
            shifted: HashMap::new(),
            int_constants: HashMap::new(),
            dim_scalars: HashMap::new(),
            changing: None,
            pristine: HashMap::new(),
            dim_results: HashMap::new(),
            number_dims: HashMap::new(),
            places: HashMap::new(),
            recursive: false,
            recursive_calls: 0,
            invoked: Vec::new(),
            kept_fields: Vec::new(),
            fields: janus_object::fields::FieldTable::default(),
            field_table: None,
            held: None,
            calls_left_at_entry: None,
            addresses: HashMap::new(),
        };
        this.enter_region(request.frame);
        this.begin_draws();
        this
    }
}
