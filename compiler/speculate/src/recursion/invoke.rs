//! Recursion over objects: a function that calls itself is a graph that invokes itself.
//!
//! In: the frame of such a call. Out: its result, from a `janus.invoke`. Always: the graph is made
//! once for all calls whose arguments are of the same kinds. Objects are handed over by address,
//! numbers and tensors by value; what all calls have in common (modules, parameters) the graph
//! takes from the region around it. What the result is made of is found by running the body again
//! until it is what its own calls were taken to return, first with the side of a branch, or the
//! iterations of a loop, left out that call it. A body that changes anything but what it made is refused.

use janus_bytecode::CompareOp;
use janus_dialect::{GraphId, Imported, Type, ValueId};
use janus_object::{CodeObject, PyRef};
use janus_plan::{DeoptReason, OwnGraph, ReasonId, Recursion, RegionKind, Relax, ScalarType};

use crate::branches::branch::{Branch, Checkpoint};
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::recursion::arguments::{Around, Parameter};
use crate::recursion::object_state::Keeps;
use crate::recursion::region_state::Accesses;
use crate::recursion::returned::{Returned, types_of};
use crate::state::running::Flow;
use crate::state::sym::{Found, Kind, Leaf, Obj, Slot, State, Sym, SymFrame};
use crate::{Res, Stop};

/// Times that a body is run to find out what it takes and returns.
const MAX_ROUNDS: usize = 8;
/// Graphs of one function, for arguments of other kinds.
const MAX_GRAPHS: usize = 4;
/// Calls that a body may make beside those of itself: so many are left to Python at least.
const SPARE_CALLS: i64 = 48;

/// A function that is a graph of its own.
pub(crate) struct Invoked {
    pub code: PyRef<CodeObject>,
    pub name: String,
    pub graph: GraphId,
    pub parameters: Vec<Parameter>,
    pub result: Option<Returned>,
    /// Values of the region around it, and the arguments by which it gets them.
    pub imports: Vec<(ValueId, ValueId)>,
    /// Its invokes of itself, by their first results: they get the imports in the end.
    pub calls: Vec<ValueId>,
    /// It is being made.
    pub running: bool,
    /// It takes or returns more than it was taken to: it is made again.
    pub again: bool,
    /// Frames around it when it was made.
    pub depth: usize,
    /// Its argument that counts how many calls Python may make inside of it.
    pub calls_left: Option<ValueId>,
    /// The cells of its free variables.
    pub cells: Vec<Obj>,
    /// What it has to do with the region around it.
    pub accesses: Accesses,
    /// What it keeps in the object it is called with.
    pub keeps: Keeps,
    /// It returns a dict with these keys, of which the graph returns the values.
    pub keys: Option<Vec<Sym>>,
}

impl Executor<'_> {
    pub(crate) fn is_graph_of_its_own(&self, code: &PyRef<CodeObject>) -> bool {
        self.region.relaxations.recursion == Recursion::Invoked && code.profile.recursive.get()
    }

    /// Whether a function is inlined into the graph under construction, to whose function its calls lead back. One
    /// that calls itself there, too, is not.
    pub(crate) fn is_part_of_recursion(&self, code: &PyRef<CodeObject>) -> bool {
        let running = self.recursing.invoked.iter().rev().find(|i| i.running);
        code.profile.intertwined.get()
            && running.is_some_and(|i| {
                let inside = self.calls.active.iter().skip(i.depth);
                !PyRef::ptr_eq(&i.code, code)
                    && !inside.into_iter().any(|a| PyRef::ptr_eq(&a.code, code))
            })
    }

    /// A graph under construction is called from within that of another function: the one inside becomes a part of
    /// the other.
    pub(crate) fn intertwine(&self, index: usize) -> Stop {
        let inside = self
            .recursing
            .invoked
            .iter()
            .skip(index + 1)
            .filter(|i| i.running);
        let mut is_new = false;
        for i in inside {
            is_new |= !i.code.profile.intertwined.replace(true);
        }
        match is_new {
            true => Stop::Again(Relax::Recursive),
            false => Stop::refused(
                ReasonId::CallsEachOther,
                "functions over objects that call one another, and themselves",
            ),
        }
    }

    /// The functions that are graphs of their own.
    pub(crate) fn own_graphs(&self) -> Vec<OwnGraph> {
        let own = |i: &Invoked| OwnGraph {
            name: i.name.clone(),
            code: i.code.clone(),
        };
        self.recursing.invoked.iter().map(own).collect()
    }

    /// Goes back to where there were `count` graphs, without the calls that `is_dead`.
    pub(crate) fn forget_graphs(&mut self, count: usize, is_dead: impl Fn(ValueId) -> bool) {
        for gone in self
            .recursing
            .invoked
            .drain(count.min(self.recursing.invoked.len())..)
        {
            self.emission.builder.drop_graph(gone.graph);
        }
        for invoked in &mut self.recursing.invoked {
            invoked.calls.retain(|&call| !is_dead(call));
        }
    }

    /// Whether the result of a call of a graph under construction is not known yet.
    pub(crate) fn is_probing(&self) -> bool {
        self.recursing
            .invoked
            .iter()
            .any(|i| i.running && i.result.is_none())
    }

    /// Finds out whether a side of a branch always ends in a call whose result nothing tells yet:
    /// then goes the other way.
    pub(crate) fn probe(
        &mut self,
        frame: &mut SymFrame,
        branch: &Branch,
        stop: Option<u32>,
    ) -> Res<Option<Option<Flow>>> {
        let until = branch.join.or(stop);
        for side in [true, false] {
            let start = self.checkpoint();
            let state = self.state.clone();
            let around = std::mem::replace(&mut self.looping.on_trial, true);
            let ran = self.side(frame.clone(), branch, side, until, &state);
            self.looping.on_trial = around;
            self.forget(start);
            if matches!(ran, Err(Stop::Endless)) {
                let jump = side != branch.jump_on;
                return self.take(frame, branch, jump, stop).map(Some);
            }
        }
        Ok(None)
    }

    /// A value of the region for a graph.
    pub(crate) fn import(&mut self, graph: GraphId, value: ValueId) -> Res<ValueId> {
        self.emission.builder.select(graph);
        Ok(match self.emission.builder.import(value)? {
            Imported::Copy(copy) => copy,
            Imported::Argument(argument) => {
                if let Some(i) = self.recursing.invoked.iter_mut().find(|i| i.graph == graph) {
                    i.imports.push((value, argument));
                }
                argument
            }
        })
    }

    /// Calls a function that is a graph of its own.
    pub(crate) fn invoke(&mut self, frame: SymFrame) -> Res<Sym> {
        self.recursing.recursive = true;
        for i in 0..self.recursing.invoked.len() {
            if PyRef::ptr_eq(&self.recursing.invoked[i].code, &frame.code)
                && self.fits(i, &frame)?
            {
                return self.emit_invoke(i, &frame);
            }
        }
        let of_it = |i: &&Invoked| PyRef::ptr_eq(&i.code, &frame.code);
        if self.recursing.invoked.iter().filter(of_it).count() >= MAX_GRAPHS {
            return self.refuse(
                ReasonId::Recursion,
                "a recursion over objects of many kinds",
            );
        }
        let mut parameters = Vec::with_capacity(frame.locals.len());
        for slot in &frame.locals {
            parameters.push(self.parameter(slot));
        }
        let log = self.list(Vec::new());
        self.recursing.invoked.push(Invoked {
            code: frame.code.clone(),
            name: format!(
                "{}#{}",
                frame.code.code.qualname,
                self.recursing.invoked.len()
            ),
            graph: 0,
            parameters,
            result: None,
            imports: Vec::new(),
            calls: Vec::new(),
            running: true,
            again: false,
            depth: self.calls.active.len(),
            calls_left: None,
            cells: frame.cells[frame.code.code.cellvars.len().min(frame.cells.len())..].to_vec(),
            accesses: Accesses::default(),
            keeps: Keeps::with_log(&log),
            keys: None,
        });
        let index = self.recursing.invoked.len() - 1;
        self.lists_handed_over(index, &frame);
        match self.build(index, &frame) {
            Ok(()) => self.emit_invoke(index, &frame),
            Err(stop) => {
                // The graph itself is gone.
                self.recursing.invoked.truncate(index);
                // Which side ends it is asked by the graphs under construction around it, which are then built
                // again. Where there is none, whoever took the other side would do so for good.
                match stop {
                    Stop::Endless if !self.is_probing() => self.refuse(
                        ReasonId::Recursion,
                        "a recursion over objects without a way to its end",
                    ),
                    stop => Err(stop),
                }
            }
        }
    }

    /// A region that is such a function is an invoke of its graph: what it is called with first is
    /// no more special than what it calls itself with.
    pub(crate) fn invoked_region(&mut self, frame: &mut SymFrame) -> Res<Option<Flow>> {
        let code = frame.code.clone();
        let is_plain = !code.code.flags.generator && !code.code.flags.coroutine;
        if self.region.kind != RegionKind::Function || !is_plain || !self.is_graph_of_its_own(&code)
        {
            return Ok(None);
        }
        for i in 0..frame.locals.len() {
            // A parameter that inner functions use lives in a cell.
            let name = code.code.varnames.get(i);
            let cell = code.code.cellvars.iter().position(|c| Some(c) == name);
            match (&frame.locals[i], cell) {
                (Slot::Empty, Some(cell)) if i < code.code.parameter_count() => {
                    frame.locals[i] = Slot::Loaded(self.load_cell(frame, cell)?);
                }
                (Slot::Empty, _) => {}
                _ => {
                    self.load_local(frame, i)?;
                }
            }
        }
        let is_data = |s: &Slot| matches!(s, Slot::Loaded(v) if self.data_object(v).is_some());
        if !frame.locals.iter().any(is_data) {
            return Ok(None);
        }
        self.invoke(frame.clone()).map(|v| Some(Flow::Return(v)))
    }

    // ---- the body ------------------------------------------------------------------------

    /// Makes the graph: runs the body until what it takes and returns is known, then for good.
    fn build(&mut self, index: usize, frame: &SymFrame) -> Res<()> {
        for _ in 0..MAX_ROUNDS {
            let before = self.checkpoint();
            self.make_outside_rooms(index, frame)?;
            let around = Around {
                context: std::mem::replace(&mut self.emission.context, 0),
                loops: std::mem::take(&mut self.looping.loops),
                start: self.checkpoint(),
            };
            let active = self.calls.active.len();
            let ran = self.run_body(index, frame, &around.start.state);
            // The frames tell where it failed: `not_converted` has read them by now.
            let ran = ran.map_err(|stop| match stop {
                stop if stop.ends_attempt() => stop,
                stop => Stop::Not(Box::new(self.not_converted(stop))),
            });
            self.calls.active.truncate(active);
            self.emission.context = around.context;
            self.looping.loops = around.loops;
            let graph = self.recursing.invoked[index].graph;
            if matches!(ran, Ok(true)) {
                self.keep_graph(around.start);
                self.recursing.invoked[index].running = false;
                self.recursing.invoked[index]
                    .accesses
                    .end(self.state.clone());
                return Ok(());
            }
            let met = self.state.clone();
            self.forget(before.clone());
            self.state = self.padded(before.state, &met);
            self.emission.builder.drop_graph(graph);
            ran?;
        }
        self.refuse(
            ReasonId::Recursion,
            "a recursion whose arguments or result do not settle",
        )
    }

    /// Goes on around a graph that is done: with what was met in it, as it was at entry.
    fn keep_graph(&mut self, start: Checkpoint) {
        let met = std::mem::take(&mut self.state);
        let mut state = self.padded(start.state.clone(), &met);
        state.asserts = met.asserts;
        self.state = state;
        // What the body found out of extents holds where it runs.
        self.restore_extents(start);
    }

    /// Emits the asserts of a graph; those of the region around it stay.
    fn emit_asserts(&mut self, graph: GraphId) -> Res<()> {
        let loc = self.loc();
        for (condition, id) in std::mem::take(&mut self.state.asserts) {
            let context = self
                .emission
                .value_context
                .get(&condition)
                .copied()
                .unwrap_or(0);
            if self.graph_of(context) == graph {
                self.emit_assert(condition, id, &loc)?;
            } else {
                self.state.asserts.push((condition, id));
            }
        }
        Ok(())
    }

    /// Runs the body once. `false`: it takes or returns more than was known.
    fn run_body(&mut self, index: usize, frame: &SymFrame, before: &State) -> Res<bool> {
        let parameters = self.recursing.invoked[index].parameters.clone();
        let mut types = vec![Type::I64];
        for parameter in &parameters {
            match parameter {
                Parameter::Same(_) => {}
                Parameter::Object(..) => types.push(Type::I64),
                Parameter::Carried(template, _) => types_of(template, &mut types),
            }
        }
        types.extend(self.outside_types(index)?);
        let name = self.recursing.invoked[index].name.clone();
        let (graph, arguments) = self.emission.builder.begin_graph(&name, &types);
        let context = self.new_context(ContextKind::Graph(graph));
        for &argument in &arguments {
            self.emission.value_context.insert(argument, context);
        }
        self.emission.context = context;
        let mut arguments = arguments.into_iter();
        let calls_left = arguments.next();
        let invoked = &mut self.recursing.invoked[index];
        invoked.graph = graph;
        invoked.imports.clear();
        invoked.calls.clear();
        invoked.again = false;
        invoked.calls_left = calls_left;
        invoked.accesses.begin();
        invoked.keeps.begin();

        let mut body = frame.clone();
        for (local, (slot, parameter)) in body.locals.iter_mut().zip(parameters).enumerate() {
            *slot = match parameter {
                Parameter::Same(slot) => slot,
                Parameter::Object(what, samples) => {
                    let Some(address) = arguments.next() else {
                        return self.defect("an argument is missing");
                    };
                    let found = Found {
                        address,
                        what,
                        samples,
                    };
                    let object = self.alloc(Kind::Found(found));
                    self.recursing.invoked[index]
                        .keeps
                        .note_object(local, &object);
                    Slot::Loaded(object)
                }
                Parameter::Carried(template, before) => {
                    Slot::Loaded(self.unflatten(&template, &mut arguments, &before)?)
                }
            };
        }
        let cells = self.own_cells(&body.code.clone(), &body.locals);
        body.cells.splice(..cells.len(), cells);
        self.enter_outside(index, &mut body, &mut arguments)?;
        let start = self.state.clone();
        if let Some(left) = calls_left {
            let spare = self.int(SPARE_CALLS)?;
            let enough = self.cmpi(CompareOp::Gt, left, spare)?;
            let expected = "Python may call deeper".to_owned();
            let key = self.key("call depth");
            self.assert(enough, DeoptReason::CallDepth, key, expected)?;
        }
        let Flow::Return(value) = self.run_nested(&mut body, None)? else {
            return self.defect("a callee did not return");
        };
        if let Some(what) = self.changed_outside(before) {
            return self.refuse(
                ReasonId::Recursion,
                format!("a recursion that changes {what}"),
            );
        }
        let kept = self.log_kept(index, &value, before)?;
        if !self.outside_settles(index, &start, frame)? || !kept {
            self.recursing.invoked[index].result = None;
            return Ok(false);
        }
        let Some(value) = self.values_of_dict(index, value)? else {
            self.recursing.invoked[index].result = None;
            return Ok(false);
        };
        let mut leaves = Vec::new();
        self.check_returned(&value, before, &mut Vec::new())?;
        let value = self.leave_outside(index, &value, frame)?;
        let value = self.without_conditions(&value, &mut leaves)?;
        if !self.returns(index, &value, &leaves, before)? {
            return Ok(false);
        }
        let Some(returned) = self.recursing.invoked[index].result.clone() else {
            return Ok(false);
        };
        let mut results = Vec::new();
        self.flatten(&value, &returned.template, &mut results)?;
        for (tensor, leaf) in &returned.sometimes {
            let now = leaves
                .get(*tensor)
                .and_then(|l: &Vec<Leaf>| l.iter().find(|l| l.is_same(leaf)));
            let used = match now {
                Some(Leaf { used: Some(c), .. }) => *c,
                now => self.constant(ScalarType::Bool, u64::from(now.is_some()))?,
            };
            results.push(used);
        }
        self.name_forms(&value, &mut results)?;
        let results: Vec<ValueId> = results
            .into_iter()
            .map(|v| self.use_value(v))
            .collect::<Res<_>>()?;
        self.emit_asserts(graph)?;
        let invoked = &self.recursing.invoked[index];
        let imported: Vec<ValueId> = invoked.imports.iter().map(|&(_, a)| a).collect();
        for call in invoked.calls.clone() {
            self.emission.builder.add_operands(call, &imported)?;
        }
        self.emission.builder.end_graph(graph, &results)?;
        Ok(true)
    }
}
