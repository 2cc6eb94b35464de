//! The symbolic interpreter: one arm per instruction.
//!
//! In: a [`Request`]. Out: a converted region. Always: `self.state` is what Python would see,
//! `self.builder` holds pure ops only; nothing is written to real objects.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use janus_bytecode::{BinaryOp, CompareOp, FormatConversion, MakeFunctionFlags, Opcode};
use janus_dialect::{GraphBuilder, Loc, Passes, Type, ValueId};
use janus_interp::Interp;
use janus_object::{CodeObject, Name, Value, ops, text};
use janus_tensor::Dim;

use crate::loops::Looped;
use crate::plan::{
    Assertion, AssumptionKey, Check, DeoptReason, Load, Node, NodeId, PlannedDraw, ScalarType, Step,
};
use crate::sym::{
    HeapObject, Kind, Obj, Piece, Slot, State, Sym, SymCell, SymDict, SymFrame, SymFunction,
    SymList, SymScalar, Unloaded,
};
use crate::{NotConverted, RegionKind, Relaxations, Request, Res, Speculation, Stop, cfg};

/// Instructions executed symbolically at most: bounds unrolling.
const STEP_BUDGET: u32 = 400_000;
/// Graph operations at most: bounds compile time.
const OP_BUDGET: usize = 20_000;
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
pub(crate) struct DimInfo {
    /// Its value in the graph, an index.
    pub id: ValueId,
    /// What it is at this very entry.
    pub hint: Option<i64>,
    /// Where it comes from.
    pub source: Source,
    /// The extent it was found (and asserted) to equal.
    pub same_as: Option<crate::tensor::Same>,
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
    /// The graph's values.
    Graph,
}

/// A side of a branch, or a loop's frame.
pub(crate) struct Context {
    pub parent: u32,
    pub kind: ContextKind,
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
}

/// What an attempt came to.
pub(crate) enum Converted {
    /// A graph.
    Done(Box<Speculation>),
    /// Another attempt is needed, without these constants.
    Restart(Vec<Rc<str>>),
    /// Another attempt is needed, in which no variable is one of two kinds after these branches.
    OneSided(Vec<AssumptionKey>),
}

/// A frame that is being run.
pub(crate) struct Active {
    pub code: Rc<CodeObject>,
    pub pc: u32,
    /// What `super()` without arguments takes.
    pub receiver: Slot,
    /// The cell of `__class__`.
    pub class_cell: Option<Obj>,
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
}

/// Operations before a call that make a graph that ends there worth its guards.
const WORTH_A_GRAPH: usize = 3;

pub(crate) struct Executor<'v> {
    pub vm: &'v mut Interp,
    pub builder: GraphBuilder,
    pub relaxations: &'v Relaxations,
    pub passes: Passes,
    pub kind: RegionKind,
    pub code: Rc<CodeObject>,
    /// The head of the loop whose iteration ends the region, and that loop's last instruction.
    pub loop_head: Option<u32>,
    pub loop_end: u32,
    pub frame: Option<SymFrame>,
    pub state: State,
    pub nodes: Vec<Node>,
    pub loads: Vec<Load>,
    pub draws: Vec<PlannedDraw>,
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
    pub inlined: Vec<Rc<CodeObject>>,
    pub assumed: Vec<String>,
    /// The active frames, outermost first.
    pub active: Vec<Active>,
    /// The loops that are being turned into frames, outermost first.
    pub loops: Vec<ActiveLoop>,
    /// What is emitted now stays, whatever becomes of the branch or loop it was needed in.
    pub keeping: bool,
    /// What runs now may be run again from where it began.
    pub tentative: bool,
    pub kept: HashSet<ValueId>,
    /// Frames made so far, for their names.
    pub frames: u32,
    /// Loops that were found to be no frames: their instruction, with the call path.
    pub unframed: HashMap<AssumptionKey, String>,
    pub steps: u32,
    /// Operations on tensors that were emitted.
    pub computes: usize,
    pub ops: usize,
    /// Object values of the graph, by node.
    pub object_values: HashMap<NodeId, ValueId>,
    pub unaliased: Vec<NodeId>,
    /// Floats read at entry, by their value in the graph: what a torch function needs as a constant
    /// is guarded to be one.
    pub floats: HashMap<ValueId, (NodeId, f64)>,
    /// Ints and bools that can be told at entry: how, what they are now, and how deep.
    pub host: HashMap<ValueId, (Rc<crate::host::Host>, i64, u32)>,
    /// Branches after which a variable is one of two things of different kinds.
    pub choices: HashSet<AssumptionKey>,
    /// Floats that are guarded to be what they are now.
    pub wanted: std::cell::RefCell<Vec<(NodeId, f64)>>,
    /// Objects that were there at entry as they looked when they were first met, with addresses.
    pub pristine: HashMap<Obj, (usize, HeapObject)>,
    /// Extents computed so far, so that equal computations are equal symbols.
    pub dim_results: HashMap<(janus_tensor::ops::DimOp, Dim, Dim), Dim>,
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
            state: State {
                grad_enabled,
                ..State::default()
            },
            nodes: Vec::new(),
            loads: Vec::new(),
            draws: Vec::new(),
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
            tentative: false,
            kept: HashSet::new(),
            frames: 0,
            unframed: HashMap::new(),
            steps: 0,
            ops: 0,
            computes: 0,
            object_values: HashMap::new(),
            unaliased: Vec::new(),
            floats: HashMap::new(),
            host: HashMap::new(),
            choices: HashSet::new(),
            wanted: std::cell::RefCell::default(),
            pristine: HashMap::new(),
            dim_results: HashMap::new(),
        };
        this.enter_region(request.frame);
        this
    }

    /// Makes the symbolic frame of the region from the real one. Reads no value.
    fn enter_region(&mut self, frame: &janus_interp::Frame) {
        let code = &frame.code.code;
        let index = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
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
                let address = Rc::as_ptr(&frame.cells[i]) as usize;
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
        let receiver = frame.locals.first().cloned().unwrap_or(Slot::Empty);
        self.active.push(Active {
            code: frame.code.clone(),
            pc: frame.pc,
            receiver,
            class_cell,
        });
    }

    pub fn convert(mut self) -> Result<Converted, NotConverted> {
        match self.convert_inner() {
            Err(Stop::Restart(paths)) => Ok(Converted::Restart(paths)),
            // One thing or another was too much: one side each.
            Err(_) if !self.choices.is_empty() => {
                Ok(Converted::OneSided(self.choices.into_iter().collect()))
            }
            Ok((returns, plan)) => match self.builder.finish(&returns) {
                Ok(graph) => Ok(Converted::Done(Box::new(Speculation { graph, plan }))),
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
        let flow = self.run(&mut frame, None)?;
        if matches!(self.kind, RegionKind::Rest { .. }) && self.computes == 0 {
            return self.fail("nothing is computed on tensors after the call");
        }
        self.finish(frame, flow)
    }

    pub(crate) fn not_converted(&self, stop: Stop) -> NotConverted {
        match stop {
            Stop::Not(not) => *not,
            Stop::Tensor(e) => self.reason(format!("it would raise: {e}")),
            Stop::Reason(reason) => self.reason(reason),
            Stop::Restart(_) => self.reason("its own state moves".to_owned()),
        }
    }

    /// Puts a reason at the user's line: the innermost active frame of user code.
    fn reason(&self, reason: String) -> NotConverted {
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
        let is_call = |a: &&Active| {
            let instr = a.code.code.instrs.get(a.pc as usize);
            instr.is_some_and(|i| matches!(i.op, Opcode::Call | Opcode::CallKw | Opcode::CallEx))
        };
        NotConverted {
            reason,
            file: code.code.filename.clone(),
            line,
            computed: self.computes >= WORTH_A_GRAPH,
            call: self.active.first().filter(is_call).map(|a| a.pc),
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
        let results = self.builder.op(name, &operands, attrs, results, &loc)?;
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

    /// A context inside the current one.
    pub(crate) fn new_context(&mut self, kind: ContextKind) -> u32 {
        self.contexts.push(Context {
            parent: self.context,
            kind,
            switched: HashMap::new(),
        });
        u32::try_from(self.contexts.len()).unwrap_or(u32::MAX)
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
                ContextKind::Side { predicate, .. } => self.builder.op(
                    "janus.switch",
                    &[*predicate, value],
                    &[],
                    &[ty.clone(), ty],
                    &loc,
                )?,
                ContextKind::Frame(name) => self.builder.op(
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
                ContextKind::Frame(_) => 0,
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
        });
        self.state.asserts.push((condition, id));
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

    fn post_dominator(&mut self, code: &Rc<CodeObject>, pc: u32) -> Option<u32> {
        let all = self
            .post_dominators
            .entry(Rc::as_ptr(code))
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
        if !self.inlined.iter().any(|c| Rc::ptr_eq(c, &frame.code)) {
            self.inlined.push(frame.code.clone());
        }
        self.activate(frame);
        let flow = self.run(frame, stop);
        // On failure the active frames tell where: `not_converted` reads them, so settle it here.
        let flow = flow.map_err(|stop| Stop::Not(Box::new(self.not_converted(stop))));
        self.active.pop();
        flow
    }

    pub(crate) fn run(&mut self, frame: &mut SymFrame, stop: Option<u32>) -> Res<Flow> {
        let code = frame.code.clone();
        let region_loop = self.loop_head.filter(|_| self.active.len() == 1);
        loop {
            let pc = frame.pc;
            if stop == Some(pc) {
                return Ok(Flow::Stop);
            }
            if let Some(l) = self.loops.last()
                && l.depth == self.active.len()
                && (pc <= l.head || pc > l.end)
            {
                let leave = (pc != l.head).then_some(Leave::To(pc));
                frame.stack.truncate(l.base);
                frame.pc = l.head;
                return Ok(Flow::LoopEnd {
                    go_on: Sym::Known(Value::Bool(leave.is_none())),
                    leave,
                    returned: None,
                });
            }
            if let Some(head) = region_loop {
                if pc == head {
                    return Ok(Flow::RegionEnd);
                }
                if pc < head || pc > self.loop_end {
                    return self.fail("the loop is left here");
                }
            }
            let Some(&instr) = code.code.instrs.get(pc as usize) else {
                return self.fail("the code ends without a return");
            };
            if let Some(top) = self.active.last_mut() {
                top.pc = pc;
            }
            if self.relaxations.ends_before == Some(pc) && self.active.len() == 1 {
                if stop.is_some() || self.context != 0 || !self.loops.is_empty() {
                    return self.fail("the graph would end inside of a branch or a loop");
                }
                return Ok(Flow::Break);
            }
            self.steps += 1;
            if self.steps > STEP_BUDGET {
                return self
                    .fail("the region is too large: more than 400,000 instructions once unrolled");
            }
            frame.pc = pc + 1;
            let n = instr.arg as usize;
            match instr.op {
                Opcode::Nop => {}
                Opcode::LoopHead => {
                    if let Looped::Ended(flow) = self.while_loop(frame, pc, stop)? {
                        return Ok(flow);
                    }
                }
                Opcode::PopTop => {
                    self.pop(frame)?;
                }
                Opcode::Copy => {
                    let v = self.peek(frame, n)?;
                    frame.stack.push(v);
                }
                Opcode::Swap => {
                    let len = frame.stack.len();
                    if n == 0 || n > len {
                        return self.fail("the stack reaches below the region");
                    }
                    frame.stack.swap(len - 1, len - n);
                }
                Opcode::PushNull => frame.stack.push(Sym::Null),
                Opcode::LoadConst => {
                    let Some(value) = code.consts.get(n).cloned() else {
                        return self.fail("bad constant");
                    };
                    frame.stack.push(Sym::Known(value));
                }
                Opcode::LoadFast => {
                    let v = self.load_local(frame, n)?;
                    frame.stack.push(v);
                }
                Opcode::StoreFast => {
                    let v = self.pop(frame)?;
                    *self.local(frame, n)? = Slot::Loaded(v);
                    frame.written.insert(n);
                }
                Opcode::DeleteFast => {
                    *self.local(frame, n)? = Slot::Empty;
                    frame.written.insert(n);
                }
                Opcode::LoadGlobal => {
                    let name = self.name(&code, n)?;
                    let v = self.load_global(&frame.globals.clone(), &name)?;
                    frame.stack.push(v);
                }
                Opcode::StoreGlobal => {
                    let name = self.name(&code, n)?;
                    let v = self.pop(frame)?;
                    self.store_namespace(&frame.globals.clone(), &name, Slot::Loaded(v));
                }
                Opcode::DeleteGlobal => {
                    let name = self.name(&code, n)?;
                    self.store_namespace(&frame.globals.clone(), &name, Slot::Empty);
                }
                Opcode::LoadName => {
                    let name = self.name(&code, n)?;
                    let v = self.load_name(frame, &name)?;
                    frame.stack.push(v);
                }
                Opcode::StoreName => {
                    let name = self.name(&code, n)?;
                    let v = self.pop(frame)?;
                    let namespace = self.own_namespace(frame)?;
                    self.store_namespace(&namespace, &name, Slot::Loaded(v));
                }
                Opcode::DeleteName => {
                    let name = self.name(&code, n)?;
                    let namespace = self.own_namespace(frame)?;
                    self.store_namespace(&namespace, &name, Slot::Empty);
                }
                Opcode::LoadDeref => {
                    let v = self.load_cell(frame, n)?;
                    frame.stack.push(v);
                }
                Opcode::StoreDeref => {
                    let v = self.pop(frame)?;
                    self.store_cell(frame, n, Slot::Loaded(v))?;
                }
                Opcode::DeleteDeref => self.store_cell(frame, n, Slot::Empty)?,
                Opcode::LoadClosure => match frame.cells.get(n) {
                    Some(&cell) => frame.stack.push(Sym::Obj(cell)),
                    None => return self.fail("bad cell"),
                },
                Opcode::LoadAttr => {
                    let name = self.name(&code, n)?;
                    let object = self.pop(frame)?;
                    let v = self.get_attr(&object, &name)?;
                    frame.stack.push(v);
                }
                Opcode::StoreAttr => {
                    let name = self.name(&code, n)?;
                    let object = self.pop(frame)?;
                    let value = self.pop(frame)?;
                    self.set_attr(&object, &name, Some(value))?;
                }
                Opcode::DeleteAttr => {
                    let name = self.name(&code, n)?;
                    let object = self.pop(frame)?;
                    self.set_attr(&object, &name, None)?;
                }
                Opcode::LoadMethod => {
                    let name = self.name(&code, n)?;
                    let object = self.pop(frame)?;
                    let attr = self.get_attr(&object, &name)?;
                    match attr {
                        Sym::Obj(o) => match self.state.heap[o].kind.clone() {
                            Kind::Method { function, receiver } => {
                                frame.stack.push(function);
                                frame.stack.push(receiver);
                            }
                            _ => {
                                frame.stack.push(attr);
                                frame.stack.push(Sym::Null);
                            }
                        },
                        _ => {
                            frame.stack.push(attr);
                            frame.stack.push(Sym::Null);
                        }
                    }
                }
                Opcode::Call | Opcode::CallKw => {
                    let names = match instr.op {
                        Opcode::CallKw => self.keyword_names(frame)?,
                        _ => Vec::new(),
                    };
                    let at = self.split_at(frame, n)?;
                    let mut args = frame.stack.split_off(at);
                    let kw_values = args.split_off(args.len().saturating_sub(names.len()));
                    let kwargs: Vec<(Name, Sym)> = names.into_iter().zip(kw_values).collect();
                    let receiver = self.pop(frame)?;
                    let callable = self.pop(frame)?;
                    if !matches!(receiver, Sym::Null) {
                        args.insert(0, receiver);
                    }
                    let v = self.call(&callable, args, kwargs)?;
                    frame.stack.push(v);
                }
                Opcode::CallEx => {
                    let mapping = if instr.arg & 1 == 1 {
                        Some(self.pop(frame)?)
                    } else {
                        None
                    };
                    let positional = self.pop(frame)?;
                    let receiver = self.pop(frame)?;
                    let callable = self.pop(frame)?;
                    let mut args = self.collect(&positional)?;
                    if !matches!(receiver, Sym::Null) {
                        args.insert(0, receiver);
                    }
                    let kwargs = match mapping {
                        Some(m) => self.keyword_mapping(&m)?,
                        None => Vec::new(),
                    };
                    let v = self.call(&callable, args, kwargs)?;
                    frame.stack.push(v);
                }
                Opcode::BinaryOp => {
                    let Some(op) = BinaryOp::from_arg(instr.arg) else {
                        return self.fail("bad operator");
                    };
                    let b = self.pop(frame)?;
                    let a = self.pop(frame)?;
                    let v = self.binary(op, &a, &b)?;
                    frame.stack.push(v);
                }
                Opcode::CompareOp => {
                    let Some(op) = CompareOp::from_arg(instr.arg) else {
                        return self.fail("bad comparison");
                    };
                    let b = self.pop(frame)?;
                    let a = self.pop(frame)?;
                    let v = self.compare(op, &a, &b)?;
                    frame.stack.push(v);
                }
                Opcode::IsOp => {
                    let b = self.pop(frame)?;
                    let a = self.pop(frame)?;
                    let is = self.is(&a, &b)?;
                    frame.stack.push(Sym::Known(Value::Bool(is != (n == 1))));
                }
                Opcode::ContainsOp => {
                    let container = self.pop(frame)?;
                    let item = self.pop(frame)?;
                    let v = self.contains(&item, &container)?;
                    let v = if n == 1 { self.not(&v)? } else { v };
                    frame.stack.push(v);
                }
                Opcode::UnaryNot => {
                    let a = self.pop(frame)?;
                    let v = self.not(&a)?;
                    frame.stack.push(v);
                }
                Opcode::UnaryNegative | Opcode::UnaryPositive | Opcode::UnaryInvert => {
                    let a = self.pop(frame)?;
                    let v = self.unary(instr.op, &a)?;
                    frame.stack.push(v);
                }
                Opcode::BinarySubscr => {
                    let key = self.pop(frame)?;
                    let container = self.pop(frame)?;
                    let v = self.get_item(&container, &key)?;
                    frame.stack.push(v);
                }
                Opcode::StoreSubscr => {
                    let key = self.pop(frame)?;
                    let container = self.pop(frame)?;
                    let value = self.pop(frame)?;
                    self.set_item(&container, &key, Some(value))?;
                }
                Opcode::DeleteSubscr => {
                    let key = self.pop(frame)?;
                    let container = self.pop(frame)?;
                    self.set_item(&container, &key, None)?;
                }
                Opcode::BuildSlice => {
                    let step = if n == 3 {
                        self.pop(frame)?
                    } else {
                        Sym::Known(Value::None)
                    };
                    let stop = self.pop(frame)?;
                    let start = self.pop(frame)?;
                    let v = self.alloc(Kind::Slice([start, stop, step]));
                    frame.stack.push(v);
                }
                Opcode::BuildTuple => {
                    let at = self.split_at(frame, n)?;
                    let items = frame.stack.split_off(at);
                    let v = self.tuple(items);
                    frame.stack.push(v);
                }
                Opcode::BuildList => {
                    let at = self.split_at(frame, n)?;
                    let items = frame.stack.split_off(at);
                    let v = self.list(items);
                    frame.stack.push(v);
                }
                Opcode::BuildMap => {
                    let at = self.split_at(frame, 2 * n)?;
                    let items = frame.stack.split_off(at);
                    let dict = self.alloc(Kind::Dict(SymDict {
                        entries: Vec::new(),
                        written: Vec::new(),
                    }));
                    for pair in items.chunks_exact(2) {
                        self.set_item(&dict, &pair[0], Some(pair[1].clone()))?;
                    }
                    frame.stack.push(dict);
                }
                Opcode::BuildString => {
                    let at = self.split_at(frame, n)?;
                    let parts = frame.stack.split_off(at);
                    let v = self.join_text(&parts)?;
                    frame.stack.push(v);
                }
                Opcode::FormatValue => {
                    let spec = if instr.arg & FormatConversion::HAS_SPEC != 0 {
                        match self.pop(frame)? {
                            Sym::Known(Value::Str(s)) => Rc::from(s.as_str()),
                            _ => return self.fail("a format spec that is computed at run time"),
                        }
                    } else {
                        Rc::from("")
                    };
                    let value = self.pop(frame)?;
                    let v = self.format(value, instr.arg & 3, spec)?;
                    frame.stack.push(v);
                }
                Opcode::ListAppend => {
                    let v = self.pop(frame)?;
                    let list = self.peek(frame, n)?;
                    self.append(&list, v)?;
                }
                Opcode::ListExtend => {
                    let from = self.pop(frame)?;
                    let list = self.peek(frame, n)?;
                    for v in self.collect(&from)? {
                        self.append(&list, v)?;
                    }
                }
                Opcode::MapAdd => {
                    let value = self.pop(frame)?;
                    let key = self.pop(frame)?;
                    let dict = self.peek(frame, n)?;
                    self.set_item(&dict, &key, Some(value))?;
                }
                Opcode::DictUpdate | Opcode::DictMerge => {
                    let from = self.pop(frame)?;
                    let dict = self.peek(frame, n)?;
                    for (key, value) in self.entries(&from)? {
                        self.set_item(&dict, &key, Some(value))?;
                    }
                }
                Opcode::ListToTuple => {
                    let list = self.pop(frame)?;
                    let items = self.collect(&list)?;
                    let v = self.tuple(items);
                    frame.stack.push(v);
                }
                Opcode::UnpackSequence => {
                    let from = self.pop(frame)?;
                    let items = self.collect(&from)?;
                    if items.len() != n {
                        return self.fail(format!(
                            "it would raise: {} values to unpack, {n} expected",
                            items.len()
                        ));
                    }
                    frame.stack.extend(items.into_iter().rev());
                }
                Opcode::UnpackEx => {
                    let (before, after) = (n & 0xff, n >> 8);
                    let from = self.pop(frame)?;
                    let mut items = self.collect(&from)?;
                    if items.len() < before + after {
                        return self.fail("it would raise: not enough values to unpack");
                    }
                    let tail = items.split_off(items.len() - after);
                    let middle = items.split_off(before);
                    let middle = self.list(middle);
                    frame.stack.extend(tail.into_iter().rev());
                    frame.stack.push(middle);
                    frame.stack.extend(items.into_iter().rev());
                }
                Opcode::Jump | Opcode::JumpBackward => frame.pc = instr.arg,
                Opcode::PopJumpIfFalse
                | Opcode::PopJumpIfTrue
                | Opcode::JumpIfFalseOrPop
                | Opcode::JumpIfTrueOrPop => {
                    let v = self.pop(frame)?;
                    let jump_on =
                        matches!(instr.op, Opcode::PopJumpIfTrue | Opcode::JumpIfTrueOrPop);
                    let keeps =
                        matches!(instr.op, Opcode::JumpIfFalseOrPop | Opcode::JumpIfTrueOrPop);
                    match self.truth(&v)? {
                        crate::scalar::Truth::Known(truth) => {
                            if truth == jump_on {
                                frame.pc = instr.arg;
                                if keeps {
                                    frame.stack.push(v);
                                }
                            }
                        }
                        crate::scalar::Truth::Dynamic(predicate) => {
                            if let Some(test) =
                                self.loop_test(frame.pc, instr.arg, predicate, jump_on)?
                            {
                                return Ok(test);
                            }
                            let join = self.post_dominator(&code, pc);
                            let branch = crate::branch::Branch {
                                pc,
                                predicate,
                                jump_on,
                                target: instr.arg,
                                kept: keeps.then_some(v),
                                join,
                                effects: self.state.effects.len(),
                            };
                            if let Some(flow) = self.branch(frame, &branch, stop)? {
                                return Ok(flow);
                            }
                        }
                    }
                }
                Opcode::PopJumpIfNone | Opcode::PopJumpIfNotNone => {
                    let v = self.pop(frame)?;
                    self.decided(&v)?;
                    let none = matches!(v, Sym::Known(Value::None));
                    if none == (instr.op == Opcode::PopJumpIfNone) {
                        frame.pc = instr.arg;
                    }
                }
                Opcode::GetIter => {
                    let v = self.pop(frame)?;
                    let it = self.iter(&v)?;
                    frame.stack.push(it);
                }
                Opcode::ForIter => {
                    let it = self.peek(frame, 1)?;
                    match self.for_loop(frame, pc, instr.arg, &it, stop)? {
                        Looped::Not => {}
                        Looped::Done => continue,
                        Looped::Ended(flow) => return Ok(flow),
                    }
                    match self.next(&it)? {
                        Some(v) => frame.stack.push(v),
                        None => {
                            self.pop(frame)?;
                            frame.pc = instr.arg;
                        }
                    }
                }
                Opcode::ReturnValue => {
                    let v = self.pop(frame)?;
                    return Ok(self.returning(frame, v));
                }
                Opcode::YieldValue => {
                    let v = self.pop(frame)?;
                    return Ok(Flow::Yield(v));
                }
                Opcode::MakeFunction => self.make_function(frame, instr.arg)?,
                Opcode::BeforeWith => {
                    let manager = self.pop(frame)?;
                    let exit = self.get_attr(&manager, &Name::new("__exit__"))?;
                    let enter = self.get_attr(&manager, &Name::new("__enter__"))?;
                    let entered = self.call(&enter, Vec::new(), Vec::new())?;
                    frame.stack.push(exit);
                    frame.stack.push(entered);
                }
                Opcode::LoadAssertionError
                | Opcode::RaiseVarargs
                | Opcode::Reraise
                | Opcode::PushExcInfo
                | Opcode::PopExcept
                | Opcode::CheckExcMatch
                | Opcode::WithExceptStart => return self.fail("an exception is raised here"),
                Opcode::ImportName | Opcode::ImportFrom | Opcode::ImportStar => {
                    return self.fail("an import inside hot code");
                }
                Opcode::LoadBuildClass | Opcode::LoadClassDeref | Opcode::SetupAnnotations => {
                    return self.fail("a class is made inside hot code");
                }
                Opcode::BuildSet => {
                    let at = self.split_at(frame, n)?;
                    let items = frame.stack.split_off(at);
                    let v = self.set_of(items)?;
                    frame.stack.push(v);
                }
                Opcode::SetAdd => {
                    let v = self.pop(frame)?;
                    let set = self.peek(frame, n)?;
                    self.set_add(&set, v)?;
                }
                Opcode::SetUpdate => {
                    let from = self.pop(frame)?;
                    let set = self.peek(frame, n)?;
                    for v in self.collect(&from)? {
                        self.set_add(&set, v)?;
                    }
                }
                Opcode::Send
                | Opcode::GetYieldFromIter
                | Opcode::GetAwaitable
                | Opcode::MatchSequence
                | Opcode::MatchMapping
                | Opcode::MatchKeys
                | Opcode::MatchClass => {
                    return self.fail(format!("{} has no graph form yet", instr.op.name()));
                }
                Opcode::GetLen => {
                    let v = self.peek(frame, 1)?;
                    let len = self.len(&v)?;
                    frame.stack.push(len);
                }
            }
        }
    }

    // ---- the frame -----------------------------------------------------------------------

    /// A `return`: from a loop that is being turned into a frame it first leaves that.
    pub(crate) fn returning(&self, frame: &mut SymFrame, v: Sym) -> Flow {
        let depth = self.active.len();
        match self.loops.last().filter(|l| l.depth == depth) {
            Some(l) => {
                frame.stack.truncate(l.base);
                frame.pc = l.head;
                Flow::LoopEnd {
                    go_on: Sym::Known(Value::Bool(false)),
                    leave: Some(Leave::Return),
                    returned: Some(v),
                }
            }
            None => Flow::Return(v),
        }
    }

    pub(crate) fn pop(&self, frame: &mut SymFrame) -> Res<Sym> {
        match frame.stack.pop() {
            Some(v) => Ok(v),
            None => self.fail("the region uses values from below its stack"),
        }
    }

    fn peek(&self, frame: &SymFrame, n: usize) -> Res<Sym> {
        match frame
            .stack
            .len()
            .checked_sub(n)
            .and_then(|i| frame.stack.get(i))
        {
            Some(v) => Ok(v.clone()),
            None => self.fail("the region uses values from below its stack"),
        }
    }

    fn split_at(&self, frame: &SymFrame, n: usize) -> Res<usize> {
        match frame.stack.len().checked_sub(n) {
            Some(at) => Ok(at),
            None => self.fail("the region uses values from below its stack"),
        }
    }

    fn name(&self, code: &CodeObject, n: usize) -> Res<Name> {
        match code.names.get(n) {
            Some(name) => Ok(name.clone()),
            None => self.fail("bad name"),
        }
    }

    fn local<'f>(&self, frame: &'f mut SymFrame, n: usize) -> Res<&'f mut Slot> {
        match frame.locals.get_mut(n) {
            Some(slot) => Ok(slot),
            None => self.fail("bad local"),
        }
    }

    fn load_local(&mut self, frame: &mut SymFrame, n: usize) -> Res<Sym> {
        let slot = self.local(frame, n)?.clone();
        match slot {
            Slot::Loaded(v) => Ok(v),
            Slot::Unloaded(u) => {
                let v = self.wrap(&u)?;
                *self.local(frame, n)? = Slot::Loaded(v.clone());
                Ok(v)
            }
            Slot::Empty => self.fail("it would raise: a local is read before it is set"),
        }
    }

    fn load_cell(&mut self, frame: &SymFrame, n: usize) -> Res<Sym> {
        let Some(&cell) = frame.cells.get(n) else {
            return self.fail("bad cell");
        };
        self.cell_content(cell)
    }

    pub(crate) fn cell_content(&mut self, cell: Obj) -> Res<Sym> {
        let Kind::Cell(c) = &self.state.heap[cell].kind else {
            return self.fail("not a cell");
        };
        match c.content.clone() {
            Slot::Loaded(v) => Ok(v),
            Slot::Unloaded(u) => {
                let v = self.wrap(&u)?;
                if let Kind::Cell(c) = &mut self.state.heap[cell].kind {
                    c.content = Slot::Loaded(v.clone());
                }
                Ok(v)
            }
            Slot::Empty => self.fail("it would raise: a free variable is read before it is set"),
        }
    }

    fn store_cell(&mut self, frame: &SymFrame, n: usize, content: Slot) -> Res<()> {
        match frame.cells.get(n).map(|&c| &mut self.state.heap[c].kind) {
            Some(Kind::Cell(c)) => {
                c.content = content;
                c.written = true;
                Ok(())
            }
            _ => self.fail("bad cell"),
        }
    }

    fn own_namespace(&self, frame: &SymFrame) -> Res<Rc<janus_object::PyDict>> {
        match &frame.namespace {
            Some(namespace) => Ok(namespace.clone()),
            None => self.fail("the frame has no namespace"),
        }
    }

    fn load_name(&mut self, frame: &SymFrame, name: &Name) -> Res<Sym> {
        let namespace = self.own_namespace(frame)?;
        if !Rc::ptr_eq(&namespace, &frame.globals)
            && let Some(v) = self.load_namespace(&namespace, name)?
        {
            return Ok(v);
        }
        self.load_global(&frame.globals.clone(), name)
    }

    fn keyword_names(&self, frame: &mut SymFrame) -> Res<Vec<Name>> {
        match self.pop(frame)? {
            Sym::Known(Value::Tuple(names)) => names
                .items
                .iter()
                .map(|n| match n {
                    Value::Str(s) => Ok(Name::new(s.as_str())),
                    _ => self.fail("bad keyword"),
                })
                .collect(),
            _ => self.fail("bad keywords"),
        }
    }

    fn make_function(&mut self, frame: &mut SymFrame, flags: u32) -> Res<()> {
        let Sym::Known(Value::Code(code)) = self.pop(frame)? else {
            return self.fail("bad function");
        };
        let closure = if flags & MakeFunctionFlags::CLOSURE != 0 {
            let cells = self.pop(frame)?;
            let cells = self.collect(&cells)?;
            cells
                .iter()
                .map(|c| match c {
                    Sym::Obj(o) => Ok(*o),
                    _ => self.fail("bad closure"),
                })
                .collect::<Res<_>>()?
        } else {
            Vec::new()
        };
        if flags & MakeFunctionFlags::ANNOTATIONS != 0 {
            self.pop(frame)?;
        }
        let kw_defaults = if flags & MakeFunctionFlags::KW_DEFAULTS != 0 {
            let dict = self.pop(frame)?;
            self.keyword_mapping(&dict)?
        } else {
            Vec::new()
        };
        let defaults = if flags & MakeFunctionFlags::DEFAULTS != 0 {
            let tuple = self.pop(frame)?;
            self.collect(&tuple)?
        } else {
            Vec::new()
        };
        let function = SymFunction {
            code,
            globals: frame.globals.clone(),
            defaults,
            kw_defaults,
            closure,
        };
        let v = self.alloc(Kind::Function(Rc::new(function)));
        frame.stack.push(v);
        Ok(())
    }

    // ---- text ----------------------------------------------------------------------------

    fn format(&mut self, value: Sym, conversion: u32, spec: Rc<str>) -> Res<Sym> {
        if let Sym::Known(v) = &value
            && !matches!(v, Value::Instance(_))
        {
            let shown = match conversion {
                FormatConversion::STR => text::str(self.vm, v).map(Value::str),
                FormatConversion::REPR => text::repr(self.vm, v).map(Value::str),
                FormatConversion::NONE => Ok(v.clone()),
                _ => return self.fail("!a has no graph form"),
            };
            let formatted = shown.and_then(|v| text::format(self.vm, &v, &spec));
            return match formatted {
                Ok(s) => Ok(Sym::Known(Value::str(s))),
                Err(_) => self.fail("it would raise: the value cannot be formatted so"),
            };
        }
        let value = self.frozen(&value, conversion)?;
        Ok(self.alloc(Kind::Text(vec![Piece::Format {
            value,
            conversion,
            spec,
        }])))
    }

    pub(crate) fn join_text(&mut self, parts: &[Sym]) -> Res<Sym> {
        let mut pieces: Vec<Piece> = Vec::new();
        for part in parts {
            match part {
                Sym::Known(Value::Str(s)) => match pieces.last_mut() {
                    Some(Piece::Text(t)) => *t = format!("{t}{}", s.as_str()).into(),
                    _ => pieces.push(Piece::Text(s.as_str().into())),
                },
                Sym::Obj(o) => match &self.state.heap[*o].kind {
                    Kind::Text(inner) => pieces.extend(inner.iter().cloned()),
                    _ => return self.fail("not a string"),
                },
                _ => return self.fail("not a string"),
            }
        }
        match pieces.as_slice() {
            [] => Ok(Sym::Known(Value::str(""))),
            [Piece::Text(t)] => Ok(Sym::Known(Value::str(&**t))),
            _ => Ok(self.alloc(Kind::Text(pieces))),
        }
    }

    // ---- objects -------------------------------------------------------------------------

    pub(crate) fn alloc(&mut self, kind: Kind) -> Sym {
        self.state.heap.push(HeapObject { origin: None, kind });
        Sym::Obj(self.state.heap.len() - 1)
    }

    pub(crate) fn tuple(&mut self, items: Vec<Sym>) -> Sym {
        let known: Option<Vec<Value>> = items
            .iter()
            .map(|s| {
                s.known()
                    .filter(|v| !matches!(v, Value::Instance(_)))
                    .cloned()
            })
            .collect();
        match known {
            Some(values) => Sym::Known(Value::tuple(values)),
            None => self.alloc(Kind::Tuple(items.into_iter().map(Slot::Loaded).collect())),
        }
    }

    pub(crate) fn list(&mut self, items: Vec<Sym>) -> Sym {
        let base = items.into_iter().map(Slot::Loaded).collect();
        self.alloc(Kind::List(SymList {
            base: Some(base),
            appended: Vec::new(),
            rewritten: false,
        }))
    }

    /// Whether two values are the same object.
    /// Refuses what a branch decided between two kinds of things.
    pub(crate) fn decided(&self, v: &Sym) -> Res<()> {
        match v {
            Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Choice { .. }) => {
                self.fail("a variable is of one kind or another after a branch")
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn is(&mut self, a: &Sym, b: &Sym) -> Res<bool> {
        self.decided(a)?;
        self.decided(b)?;
        match (a, b) {
            (Sym::Known(a), Sym::Known(b)) => Ok(ops::is(a, b)),
            (Sym::Obj(a), Sym::Obj(b)) => {
                let decided = |o: &Obj| matches!(&self.state.heap[*o].kind, Kind::Tensor(t) if t.ambiguous || t.one_of.is_some());
                if a != b && (decided(a) || decided(b)) {
                    return self.fail("`is` on what a branch decided between two tensors");
                }
                Ok(a == b)
            }
            (Sym::Scalar(a), Sym::Scalar(b)) if a == b => Ok(true),
            (Sym::Scalar(_), Sym::Known(Value::None))
            | (Sym::Known(Value::None), Sym::Scalar(_)) => Ok(false),
            (Sym::Scalar(_), _) | (_, Sym::Scalar(_)) => self.fail("`is` between numbers"),
            (Sym::Obj(_), _) | (_, Sym::Obj(_)) => Ok(false),
            (Sym::Null, _) | (_, Sym::Null) => self.fail("bad operand"),
        }
    }

    /// Adds a node.
    pub(crate) fn node(&mut self, step: Step, check: Check, path: &Rc<str>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let line = self.line();
        self.nodes.push(Node {
            step,
            check,
            path: path.clone(),
            line,
        });
        id
    }

    /// A number read at entry.
    pub(crate) fn load_scalar(&mut self, node: NodeId, ty: ScalarType) -> Res<Sym> {
        let slot = self.loads.len();
        self.loads.push(Load::Scalar(node, ty));
        let id = self.emit_load(node, crate::scalar::type_of(ty), slot)?;
        Ok(Sym::Scalar(SymScalar { id, ty }))
    }
}
