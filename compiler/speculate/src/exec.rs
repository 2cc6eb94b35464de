//! The symbolic interpreter: one arm per instruction.
//!
//! In: a [`Request`]. Out: a converted region. Always: `self.state` is what Python would see,
//! `self.builder` holds pure ops only; nothing is written to real objects.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use janus_bytecode::Opcode;
use janus_dialect::{GraphBuilder, GraphId, Loc, Passes, Type, ValueId};
use janus_interp::Interp;
use janus_object::{CodeObject, PyRef, Value};
use janus_tensor::Dim;

use crate::plan::{
    Assertion, AssumptionKey, Check, DeoptReason, GraphDraw, Load, Node, NodeId, PlannedDraw,
    ScalarType, Step,
};
use crate::numbers::linear_ints::Linear;
use crate::state::sym::{HeapObject, Kind, Obj, Slot, State, Sym, SymCell, SymFrame, Unloaded};
use crate::{NotConverted, RegionKind, Relaxations, Request, Res, Speculation, Stop, state::cfg};

/// Instructions executed symbolically at most: bounds unrolling.
pub(crate) const STEP_BUDGET: u32 = 400_000;
/// Graph operations at most: bounds compile time.
const OP_BUDGET: usize = 20_000;
/// Merges of branches at most, attempts that came to nothing included: bounds the time of a conversion.
pub(crate) const MERGE_BUDGET: usize = 40_000;
/// Inlined calls nested at most.
const DEPTH_BUDGET: usize = 60;

/// How running a frame ended.
pub(crate) enum Flow {
    /// It returned.
    Return(Sym),
    /// It reached the instruction at which to stop.
    Stop,
    /// The region's iteration is complete.
    RegionEnd,
    /// It reached the call before which the graph ends.
    Break,
    /// A generator yielded.
    Yield(Sym),
    /// An iteration of the innermost framed loop is over: whether another one follows, and where
    /// the loop is left to if not.
    LoopEnd {
        go_on: Sym,
        leave: Option<Leave>,
        /// What is returned, where it leaves by a `return`.
        returned: Option<Sym>,
    },
    /// The test at a loop's head, and where its two sides lead: on, and out.
    Test {
        go_on: ValueId,
        stay: u32,
        exit: u32,
    },
}

/// How a loop is left before its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// To this instruction.
    To(u32),
    /// By a `return`.
    Return,
}

/// What is known of a symbolic extent.
#[derive(Clone, Copy)]
pub(crate) struct DimInfo {
    /// Its value in the graph, an index.
    pub id: ValueId,
    /// What it is at this very entry.
    pub hint: Option<i64>,
    /// Where it comes from.
    pub source: Source,
    /// It is how many items a list has, and not negative.
    pub is_length: bool,
    /// What it was asserted to be at least, before the graph runs.
    pub asserted: Option<i64>,
    /// It is how many rows a tensor has that the guard makes of a list, as others of that list.
    pub is_column: bool,
    /// The extent it was found (and asserted) to equal.
    pub same_as: Option<crate::tensors::extents::Same>,
}

/// Where an extent comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// A dimension of a tensor that is there at entry.
    Entry(NodeId, usize),
    /// An int that is known at entry.
    Int(NodeId),
    /// Other extents.
    Op(janus_tensor::ops::DimOp, Dim, Dim),
    /// An int that can be told at entry, by its place in [`Executor::told_dims`].
    Told(u32),
    /// A dimension of a tensor that the graph makes.
    Extent,
    /// The graph's values.
    Graph,
}

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

/// Attempts that came to nothing and left guards behind: what they met they looked at.
#[derive(Default)]
pub(crate) struct InVain {
    /// Branches whose sides could not be merged.
    pub branches: HashSet<AssumptionKey>,
    /// Loops that are no frames, and why.
    pub loops: HashMap<AssumptionKey, String>,
}

impl InVain {
    pub(crate) fn is_empty(&self) -> bool {
        self.branches.is_empty() && self.loops.is_empty()
    }
}

/// A frame that is being run.
pub(crate) struct Active {
    pub code: PyRef<CodeObject>,
    pub pc: u32,
    /// What it was called with; `super()` without arguments takes the first.
    pub arguments: Vec<Slot>,
    /// The cell of `__class__`.
    pub class_cell: Option<Obj>,
    /// [`Executor::context`] when it began.
    pub context: u32,
    /// Objects from before it.
    pub before: usize,
    /// What it returns is what a call instruction of the frame below comes to.
    pub is_direct: bool,
}

/// A loop that is being turned into a frame.
#[derive(Clone, Copy)]
pub(crate) struct ActiveLoop {
    /// Active frames when it began.
    pub depth: usize,
    pub head: u32,
    pub end: u32,
    /// Stack depth without the loop's iterator.
    pub base: usize,
    /// Only the test at its head is run.
    pub testing: bool,
    /// Where it leads when it ends by itself.
    pub natural: Option<u32>,
    /// Objects from before it.
    pub before: usize,
}

/// How an object that is there at entry is come to: its path, the object that it was found in, and the key.
pub(crate) type Way = (Rc<str>, Option<NodeId>, Option<NodeId>);

/// Operations that make a graph worth its guards, where it ends before a call or is one item's.
pub(crate) const WORTH_A_GRAPH: usize = 3;

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
    pub without_grad: HashMap<crate::state::sym::Obj, (NodeId, Rc<str>)>,
    /// What attempts at branches came to.
    pub tried: HashMap<AssumptionKey, crate::branches::branch::Tried>,
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
    pub unframed: HashMap<AssumptionKey, String>,
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
    /// [`crate::plan::Plan::distinct`]
    pub distinct: Vec<(NodeId, NodeId)>,
    /// Floats read at entry, by their value in the graph: what a torch function needs as a constant
    /// is guarded to be one.
    pub floats: HashMap<ValueId, (NodeId, f64)>,
    /// Floats that are computed of these and of constants.
    pub settings: HashMap<ValueId, crate::entry::settings::Setting>,
    /// Conditions that such floats decide: what they are now, and which floats at entry they depend on.
    pub set_conditions: HashMap<ValueId, (Rc<[(NodeId, f64)]>, bool)>,
    /// Comparisons of these: settings, which hardly ever change.
    pub entry_conditions: HashSet<ValueId>,
    /// Ints and bools that can be told at entry: how, what they are now, and how deep.
    pub host: HashMap<ValueId, (Rc<crate::entry::int_nodes::Host>, i64, u32)>,
    /// Ints and bools of the graph that can be told at entry, extents included.
    pub told: HashMap<ValueId, crate::entry::early_checks::Told>,
    /// Numbers of the graph that are extents.
    pub scalar_dims: HashMap<ValueId, Dim>,
    /// Extents that are ints which can be told at entry.
    pub told_dims: Vec<Rc<crate::plan::Extent>>,
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
    pub invoked: Vec<crate::recursion::invoke::Invoked>,
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
            Some(head) => cfg::last_back_edge(&code.code, head).unwrap_or(0),
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

    /// Makes the symbolic frame of the region from the real one. Reads no value.
    fn enter_region(&mut self, frame: &janus_interp::Frame) {
        let code = &frame.code.code;
        let index = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        let unset = frame.locals.iter().enumerate();
        self.unset_locals = unset.filter(|(_, v)| v.is_none()).map(|(i, _)| i).collect();
        let locals = code
            .varnames
            .iter()
            .zip(&frame.locals)
            .enumerate()
            .map(|(i, (name, value))| match value {
                Some(value) => Slot::Unloaded(Unloaded {
                    step: Step::Local(index(i)),
                    value: value.clone(),
                    path: name.clone(),
                }),
                None => Slot::Empty,
            })
            .collect();
        let cells = frame
            .cells
            .iter()
            .enumerate()
            .map(|(i, cell)| {
                let name = code
                    .deref_name(index(i))
                    .cloned()
                    .unwrap_or_else(|| "cell".into());
                // Cell variables are made anew at each entry; free ones belong to the function.
                let content = match cell.value.borrow().as_ref() {
                    Some(value) => Slot::Unloaded(Unloaded {
                        step: Step::Cell(index(i)),
                        value: value.clone(),
                        path: name,
                    }),
                    None => Slot::Empty,
                };
                let cell = SymCell {
                    content,
                    written: false,
                    cell: Some(cell.clone()),
                };
                self.state.heap.push(HeapObject {
                    origin: None,
                    kind: Kind::Cell(cell),
                });
                let obj = self.state.heap.len() - 1;
                let address = PyRef::as_ptr(&frame.cells[i]) as usize;
                self.state.by_address.insert(address, obj);
                obj
            })
            .collect();
        // The loop's own iterator and what lies below it stay where they are; a `for` has just
        // pushed an item on top.
        let is_for = |head: u32| {
            let head = code.instrs.get(head as usize);
            head.is_some_and(|i| i.op == Opcode::ForIter)
        };
        let below = match (self.kind, self.loop_head) {
            (RegionKind::Loop { head }, _) => {
                frame.stack.len() - usize::from(is_for(head) && !frame.stack.is_empty())
            }
            (RegionKind::Rest { .. }, Some(head)) => {
                cfg::stack_depth(code, head).map_or(frame.stack.len(), |d| d as usize)
            }
            _ => 0,
        };
        self.below = frame.stack.iter().take(below).cloned().collect();
        let mut symbolic = SymFrame {
            code: frame.code.clone(),
            globals: frame.globals.clone(),
            namespace: frame.namespace.clone(),
            locals,
            written: indexmap::IndexSet::new(),
            cells,
            stack: Vec::new(),
            below: index(below),
            pc: frame.pc,
            gathers: None,
        };
        // Loaded when the region starts to run, where a refusal can be reported.
        for value in frame.stack.iter().skip(below) {
            symbolic.stack.push(match value {
                Some(value) => Sym::Known(value.clone()),
                None => Sym::Null,
            });
        }
        self.activate(&symbolic);
        self.frame = Some(symbolic);
    }

    fn activate(&mut self, frame: &SymFrame) {
        let code = &frame.code.code;
        let names = code.cellvars.iter().chain(&code.freevars);
        let class_cell = names
            .zip(&frame.cells)
            .find(|(n, _)| &***n == "__class__")
            .map(|(_, &c)| c);
        let arguments = frame.locals.iter().take(code.argcount as usize);
        let arguments = arguments.cloned().collect();
        self.active.push(Active {
            code: frame.code.clone(),
            pc: frame.pc,
            arguments,
            class_cell,
            context: self.context,
            before: self.state.heap.len(),
            is_direct: std::mem::take(&mut self.calls_directly),
        });
    }

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

    fn convert_inner(&mut self) -> Res<(Vec<ValueId>, crate::plan::Plan)> {
        let Some(mut frame) = self.frame.take() else {
            return self.fail("the region has no frame");
        };
        let is_loop = matches!(self.kind, RegionKind::Loop { .. });
        for i in 0..frame.stack.len() {
            let Sym::Known(value) = frame.stack[i].clone() else {
                continue;
            };
            let at = frame.below + u32::try_from(i).unwrap_or(0);
            let item = Unloaded {
                step: Step::Stack(at),
                value,
                path: if is_loop {
                    "item".into()
                } else {
                    format!("stack[{at}]").into()
                },
            };
            frame.stack[i] = match &item.value {
                // The loop variable moves by nature.
                value @ Value::Int(_) if is_loop => {
                    let value = value.clone();
                    let check = Check::Scalar(ScalarType::Int);
                    let node = self.node(item.step.clone(), check, &item.path);
                    let v = self.load_scalar(node, ScalarType::Int)?;
                    self.note_host(&v, node, &value);
                    v
                }
                _ => self.wrap(&item)?,
            };
        }
        let flow = match self.invoked_region(&mut frame)? {
            Some(flow) => flow,
            None => self.run(&mut frame, None)?,
        };
        if matches!(self.kind, RegionKind::Rest { .. }) && self.computes == 0 {
            return self.fail("nothing is computed on tensors after the call");
        }
        // A comprehension's body is entered once an item, and ends soon.
        let inside = self.code.code.name.starts_with('<') && &*self.code.code.name != "<module>";
        let worth = if inside { WORTH_A_GRAPH } else { 1 };
        if !self.below.is_empty() && self.computes < worth {
            return self.fail("too little is computed for each item");
        }
        self.finish(frame, flow)
    }

    pub(crate) fn not_converted(&self, stop: Stop) -> NotConverted {
        match stop {
            Stop::Not(not) | Stop::Flag(_, not) | Stop::Undecided(not) => *not,
            Stop::Tensor(e) => self.reason(format!("it would raise: {e}")),
            Stop::Reason(reason) => self.reason(reason),
            Stop::WhichItem => self.reason(
                "a list is indexed by an int that moves; it has no graph form yet".to_owned(),
            ),
            Stop::WhichKey(_) => {
                self.reason("a dict key that moves has no graph form yet".to_owned())
            }
            Stop::Restart(_)
            | Stop::Share(_)
            | Stop::Open(_)
            | Stop::Close(_)
            | Stop::LookAt(_)
            | Stop::Recursive => self.reason("its own state moves".to_owned()),
            Stop::Endless => {
                self.reason("a recursion over objects without a way to its end".to_owned())
            }
            Stop::Raise(exception) => {
                let class = self.class_of(&exception).map(|c| c.display_name());
                let class = class.unwrap_or_else(|_| "an exception".to_owned());
                self.reason(format!("it would raise {class}"))
            }
        }
    }

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

    // ---- the graph -----------------------------------------------------------------------

    /// Emits an op in the current context and returns its results.
    pub(crate) fn emit(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, janus_dialect::Attr)],
        results: &[Type],
    ) -> Res<Vec<ValueId>> {
        // What is computed from nothing is on no side of a branch.
        let is_constant = operands.is_empty() && matches!(name, "janus.constant" | "janus.iota");
        if is_constant && self.context != 0 {
            return self.at_entry(|this| this.emit(name, operands, attrs, results));
        }
        self.ops += 1;
        if self.ops > OP_BUDGET {
            return self.fail("the region is too large: more than 20,000 operations");
        }
        let operands: Vec<ValueId> = operands
            .iter()
            .map(|&v| self.use_value(v))
            .collect::<Res<_>>()?;
        let loc = self.loc();
        if matches!(results, [Type::Tensor { .. }, ..])
            && !operands.is_empty()
            && !name.starts_with("janus.get_")
        {
            self.computes += 1;
        }
        let results = self.graph().op(name, &operands, attrs, results, &loc)?;
        if self.context != 0 {
            for &r in &results {
                self.value_context.insert(r, self.context);
            }
        }
        if self.keeping {
            self.kept.extend(results.first());
        }
        Ok(results)
    }

    /// Emits what stands outside of all branches and is there for good: loads, constants.
    pub(crate) fn at_entry<T>(&mut self, emit: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let context = std::mem::replace(&mut self.context, 0);
        let keeping = std::mem::replace(&mut self.keeping, true);
        let result = emit(self);
        self.context = context;
        self.keeping = keeping;
        result
    }

    /// As [`Self::emit`], for one result.
    pub(crate) fn emit1(
        &mut self,
        name: &str,
        operands: &[ValueId],
        attrs: &[(&str, janus_dialect::Attr)],
        result: Type,
    ) -> Res<ValueId> {
        let results = self.emit(name, operands, attrs, std::slice::from_ref(&result))?;
        match results.first() {
            Some(&r) => Ok(r),
            None => self.fail(format!("{name} has no result")),
        }
    }

    /// The graph in which a context lies.
    pub(crate) fn graph_of(&self, context: u32) -> GraphId {
        let context = (context as usize).checked_sub(1);
        context
            .and_then(|i| self.contexts.get(i))
            .map_or(0, |c| c.graph)
    }

    /// The graph of the current context, to append to.
    pub(crate) fn graph(&mut self) -> &mut GraphBuilder {
        self.builder.select(self.graph_of(self.context));
        &mut self.builder
    }

    /// A context inside the current one.
    pub(crate) fn new_context(&mut self, kind: ContextKind) -> u32 {
        let graph = match kind {
            ContextKind::Graph(graph) => graph,
            _ => self.graph_of(self.context),
        };
        self.contexts.push(Context {
            parent: self.context,
            kind,
            graph,
            switched: HashMap::new(),
        });
        u32::try_from(self.contexts.len()).unwrap_or(u32::MAX)
    }

    /// Whether a value from outside of a context was used in it.
    pub(crate) fn was_brought_into(&self, context: u32, value: ValueId) -> bool {
        let home = self.value_context.get(&value).copied().unwrap_or(0);
        let (mut chain, mut at) = (Vec::new(), context);
        while at != home {
            let Some(context) = self.contexts.get((at as usize).wrapping_sub(1)) else {
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
        let home = self.value_context.get(&value).copied().unwrap_or(0);
        let mut path = Vec::new();
        let mut at = self.context;
        while at != home {
            if at == 0 {
                return self.fail("a value of one side of a branch is used on the other");
            }
            path.push(at);
            at = self.contexts[at as usize - 1].parent;
        }
        let mut value = value;
        for &side in path.iter().rev() {
            let context = &self.contexts[side as usize - 1];
            if let Some(&switched) = context.switched.get(&value) {
                value = switched;
                continue;
            }
            let kind = context.kind.clone();
            let ty = self.builder.type_of(value);
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
                return self.fail("switch has no results");
            };
            for &r in &results {
                self.value_context.insert(r, side);
            }
            self.contexts[side as usize - 1]
                .switched
                .insert(value, switched);
            value = switched;
        }
        Ok(value)
    }

    /// Records an assumption that the graph checks.
    pub(crate) fn assert(
        &mut self,
        condition: ValueId,
        reason: DeoptReason,
        key: AssumptionKey,
        expected: String,
    ) -> Res<()> {
        let condition = self.use_value(condition)?;
        let id = u32::try_from(self.assertions.len()).unwrap_or(u32::MAX);
        let line = self.line();
        self.assertions.push(Assertion {
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
        let assertion = &self.assertions[id as usize];
        let mut attrs = vec![
            ("id", janus_dialect::Attr::I64(i64::from(id))),
            (
                "reason",
                janus_dialect::Attr::Str(assertion.reason.id().to_owned()),
            ),
        ];
        if assertion.reason == DeoptReason::ShapeMismatch && !self.told.contains_key(&condition) {
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
        for a in &self.active {
            key.push_str(&format!("{}@{}/", a.code.code.qualname, a.pc));
        }
        key.push_str(what);
        key.into()
    }

    /// The key of an assumption at another instruction of the innermost frame.
    pub(crate) fn key_at(&self, pc: u32, what: &str) -> AssumptionKey {
        let mut key = String::new();
        for (i, a) in self.active.iter().enumerate() {
            let at = if i + 1 == self.active.len() { pc } else { a.pc };
            key.push_str(&format!("{}@{at}/", a.code.code.qualname));
        }
        key.push_str(what);
        key.into()
    }

    // ---- running -------------------------------------------------------------------------

    pub(crate) fn post_dominator(&mut self, code: &PyRef<CodeObject>, pc: u32) -> Option<u32> {
        let all = self
            .post_dominators
            .entry(PyRef::as_ptr(code))
            .or_insert_with(|| Rc::new(cfg::post_dominators(&code.code)));
        all.get(pc as usize).copied().flatten()
    }

    /// Runs an inlined frame to its return.
    pub(crate) fn run_inlined(&mut self, mut frame: SymFrame) -> Res<Sym> {
        match self.run_nested(&mut frame, None)? {
            Flow::Return(value) => Ok(value),
            _ => self.fail("a callee did not return"),
        }
    }

    /// Runs a frame above the active ones.
    pub(crate) fn run_nested(&mut self, frame: &mut SymFrame, stop: Option<u32>) -> Res<Flow> {
        if self.active.len() >= DEPTH_BUDGET {
            return self.fail("calls are nested too deeply to inline (recursion)");
        }
        if !self.inlined.iter().any(|c| PyRef::ptr_eq(c, &frame.code)) {
            self.inlined.push(frame.code.clone());
        }
        self.activate(frame);
        let flow = self.run(frame, stop);
        // On failure the active frames tell where: `not_converted` reads them, so settle it here.
        let flow = flow.map_err(|stop| match stop {
            stop if !stop.is_refusal() => stop,
            stop => Stop::Not(Box::new(self.not_converted(stop))),
        });
        self.active.pop();
        flow
    }
}
