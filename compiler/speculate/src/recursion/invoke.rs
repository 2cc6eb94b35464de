//! Recursion over objects: a function that calls itself is a graph that invokes itself.
//!
//! In: the frame of such a call. Out: its result, from a `janus.invoke`. Always: the graph is made
//! once for all calls whose arguments are of the same kinds. Objects are handed over by address,
//! numbers and tensors by value; what all calls have in common (modules, parameters) the graph
//! takes from the region around it. What the result is made of is found by running the body again
//! until it is what its own calls were taken to return, first with the side of a branch, or the
//! iterations of a loop, left out that call it. A body that changes anything but what it made is refused.

use std::collections::HashSet;
use std::rc::Rc;

use janus_bytecode::CompareOp;
use janus_dialect::{Attr, GraphId, Imported, Type, ValueId};
use janus_object::{CodeObject, PyRef, Value};
use janus_plan::{DeoptReason, Load, OwnGraph, ReasonId, Recursion, RegionKind, Relax, ScalarType};

use crate::branches::branch::{Branch, Checkpoint};
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::loops::templates::template_type;
use crate::recursion::graph_objects::reachable;
use crate::recursion::object_state::Keeps;
use crate::recursion::region_state::Outside;
use crate::state::running::{ActiveLoop, Flow};
use crate::state::sym::{
    Found, FoundKind, GradName, Keeping, Kind, Leaf, Obj, Slot, State, Sym, SymDict, SymFrame,
    SymFunction,
};
use crate::state::template::Template;
use crate::state::types::type_of;
use crate::{Res, Stop};

/// Times that a body is run to find out what it takes and returns.
const MAX_ROUNDS: usize = 8;
/// Graphs of one function, for arguments of other kinds.
const MAX_GRAPHS: usize = 4;
/// Calls that a body may make beside those of itself: so many are left to Python at least.
const SPARE_CALLS: i64 = 48;

/// A function that is a graph of its own.
pub(crate) struct Invoked {
    code: PyRef<CodeObject>,
    name: String,
    graph: GraphId,
    parameters: Vec<Parameter>,
    result: Option<Returned>,
    /// Values of the region around it, and the arguments by which it gets them.
    imports: Vec<(ValueId, ValueId)>,
    /// Its invokes of itself, by their first results: they get the imports in the end.
    calls: Vec<ValueId>,
    /// It is being made.
    pub running: bool,
    /// It takes or returns more than it was taken to: it is made again.
    again: bool,
    /// Frames around it when it was made.
    depth: usize,
    /// Its argument that counts how many calls Python may make inside of it.
    calls_left: Option<ValueId>,
    /// The cells of its free variables.
    cells: Vec<Obj>,
    /// What it has to do with the region around it.
    pub outside: Outside,
    /// What it keeps in the object it is called with.
    pub keeps: Keeps,
    /// It returns a dict with these keys, of which the graph returns the values.
    keys: Option<Vec<Sym>>,
}

/// How a local of the function's frame is handed over.
#[derive(Clone)]
enum Parameter {
    /// All calls have the same.
    Same(Slot),
    /// By address.
    Object(FoundKind, Rc<[Value]>),
    /// By value.
    Carried(Template, Sym),
}

/// What comes back.
#[derive(Clone)]
struct Returned {
    template: Template,
    /// Leaves that a tensor of the result, by number, depends on in some calls only.
    sometimes: Vec<(usize, Leaf)>,
    /// What made a tensor of the result where a branch decides: each condition is a result, too.
    names: Vec<(usize, NameForm)>,
    /// Tensors that were there before the call and that one of the result, by number, may be itself.
    known: Vec<(usize, Vec<Obj>)>,
    /// Tensors from outside that it is computed from, and what backward needs of them.
    inputs: Vec<Obj>,
    saved: Vec<(Obj, u32)>,
}

/// What the region around a graph under construction goes on with.
struct Around {
    context: u32,
    loops: Vec<ActiveLoop>,
    start: Checkpoint,
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
    fn intertwine(&self, index: usize) -> Stop {
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
            outside: Outside::default(),
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
                Err(stop)
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

    fn parameter(&self, slot: &Slot) -> Parameter {
        let Slot::Loaded(v) = slot else {
            return Parameter::Same(slot.clone());
        };
        if let Some((what, roots)) = self.data_object(v) {
            let samples = reachable(&roots, &what);
            return Parameter::Object(what, samples);
        }
        let is_own = |o: &Obj| self.state.heap[*o].origin.is_none();
        match v {
            Sym::Scalar(_) => Parameter::Carried(self.template(v), v.clone()),
            Sym::Obj(o) if is_own(o) => match self.template(v) {
                template if is_by_value(&template) => Parameter::Carried(template, v.clone()),
                _ => Parameter::Same(slot.clone()),
            },
            _ => Parameter::Same(slot.clone()),
        }
    }

    /// Whether a call can be one of this graph; one that is being made takes more from now on.
    fn fits(&mut self, index: usize, frame: &SymFrame) -> Res<bool> {
        let parameters = self.recursing.invoked[index].parameters.clone();
        let mut wider = Vec::with_capacity(parameters.len());
        let mut changed = false;
        if !self.recursing.invoked[index].running && !self.reads_the_same(index, frame) {
            return Ok(false);
        }
        let own = frame.code.code.cellvars.len().min(frame.cells.len());
        let cells = self.recursing.invoked[index].cells.clone();
        if !self.are_alike(&cells, &frame.cells[own..], &mut Vec::new()) {
            return Ok(false);
        }
        for (local, (parameter, slot)) in parameters.iter().zip(&frame.locals).enumerate() {
            let now = match (parameter, slot) {
                (Parameter::Same(Slot::Empty), Slot::Empty) => None,
                (Parameter::Same(Slot::Loaded(old)), Slot::Loaded(v)) if old.same(v) => None,
                (Parameter::Same(_), Slot::Loaded(Sym::Obj(o)))
                    if self.is_such_a_list(index, local, *o) =>
                {
                    None
                }
                (Parameter::Same(Slot::Loaded(old)), Slot::Loaded(v)) => {
                    let template = match (old, v) {
                        (Sym::Known(Value::Bool(_) | Value::Int(_) | Value::Float(_)), _)
                        | (Sym::Obj(_), Sym::Obj(_)) => self.template(old),
                        _ => return Ok(false),
                    };
                    if !is_by_value(&template) {
                        return Ok(false);
                    }
                    let wide = match self.widen_for_call(&template, v) {
                        Ok(wide) => wide.unwrap_or(template),
                        Err(_) => return Ok(false),
                    };
                    Some(Parameter::Carried(wide, old.clone()))
                }
                (Parameter::Object(what, _), Slot::Loaded(v)) => match self.data_object(v) {
                    Some((other, _)) if other.is_same(what) => None,
                    _ => return Ok(false),
                },
                (Parameter::Carried(template, before), Slot::Loaded(v)) => {
                    match self.widen_for_call(template, v) {
                        Ok(wide) => wide.map(|t| Parameter::Carried(t, before.clone())),
                        Err(_) => return Ok(false),
                    }
                }
                _ => return Ok(false),
            };
            changed |= now.is_some();
            wider.push(now.unwrap_or_else(|| parameter.clone()));
        }
        let invoked = &mut self.recursing.invoked[index];
        if changed {
            if !invoked.running {
                return Ok(false);
            }
            invoked.parameters = wider;
            invoked.again = true;
        }
        Ok(true)
    }

    /// Whether free variables are the same, or name functions that are.
    fn are_alike(&self, a: &[Obj], b: &[Obj], met: &mut Vec<(Obj, Obj)>) -> bool {
        let function = |v: &Slot| match v {
            Slot::Loaded(Sym::Obj(o)) => match &self.state.heap[*o].kind {
                Kind::Function(f) => Some(f),
                _ => None,
            },
            _ => None,
        };
        a.len() == b.len()
            && a.iter().zip(b).all(|(&x, &y)| {
                if x == y || met.contains(&(x, y)) {
                    return true;
                }
                met.push((x, y));
                let (Kind::Cell(p), Kind::Cell(q)) =
                    (&self.state.heap[x].kind, &self.state.heap[y].kind)
                else {
                    return false;
                };
                if let (Slot::Loaded(v), Slot::Loaded(w)) = (&p.content, &q.content)
                    && v.same(w)
                {
                    return true;
                }
                let (Some(f), Some(g)) = (function(&p.content), function(&q.content)) else {
                    return false;
                };
                let plain = |f: &SymFunction| f.defaults.is_empty() && f.kw_defaults.is_empty();
                PyRef::ptr_eq(&f.code, &g.code)
                    && PyRef::ptr_eq(&f.globals, &g.globals)
                    && plain(f)
                    && plain(g)
                    && self.are_alike(&f.closure, &g.closure, met)
            })
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
                    .outside
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
        invoked.outside.begin();
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

    /// Of a new dict that a body returns the values; `None`: it was not known to return one with such keys.
    fn values_of_dict(&mut self, index: usize, value: Sym) -> Res<Option<Sym>> {
        let (keys, value): (Option<Vec<Sym>>, Sym) = match &value {
            Sym::Obj(obj) if self.state.heap[*obj].origin.is_none() => {
                match self.state.heap[*obj].kind.clone() {
                    Kind::Dict(dict) => {
                        let (keys, slots) = dict.entries.into_iter().unzip();
                        (Some(keys), self.alloc(Kind::Tuple(slots)))
                    }
                    _ => (None, value),
                }
            }
            _ => (None, value),
        };
        let same =
            |a: &[Sym], b: &[Sym]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b));
        let is_known = match (&self.recursing.invoked[index].keys, &keys) {
            (Some(a), Some(b)) => same(a, b),
            (known, now) => known.is_none() && now.is_none(),
        };
        self.recursing.invoked[index].keys = keys;
        Ok(is_known.then_some(value))
    }

    /// After a call: the dict that has these values.
    pub(crate) fn dict_of_values(&mut self, index: usize, value: Sym) -> Res<Sym> {
        let (Some(keys), Some(obj)) = (
            self.recursing.invoked[index].keys.clone(),
            self.container(&value),
        ) else {
            return Ok(value);
        };
        let values = self.items_of(obj)?.into_iter().map(Slot::Loaded);
        Ok(self.alloc(Kind::Dict(SymDict {
            entries: keys.into_iter().zip(values).collect(),
            written: Vec::new(),
            removed: Vec::new(),
        })))
    }

    /// What is returned is new in each call, and can be taken apart, or is there in all calls.
    pub(crate) fn check_returned(
        &self,
        value: &Sym,
        before: &State,
        met: &mut Vec<Obj>,
    ) -> Res<()> {
        let Sym::Obj(obj) = value else { return Ok(()) };
        let slots = match &self.state.heap[*obj].kind {
            Kind::Tuple(slots) => slots.as_slice(),
            Kind::List(list) => {
                if met.contains(obj) || *obj < before.heap.len() {
                    return self.refuse(
                        ReasonId::Recursion,
                        "a recursion that returns a list which others know",
                    );
                }
                met.push(*obj);
                list.base.as_deref().unwrap_or_default()
            }
            Kind::Tensor(_) => return Ok(()),
            _ if *obj < before.heap.len() || self.entry.pristine.contains_key(obj) => return Ok(()),
            _ => match self.new_items(value) {
                Some((_, slots)) => slots,
                None => {
                    return self.refuse(
                        ReasonId::Recursion,
                        "a recursion that returns an object which it came to or made",
                    );
                }
            },
        };
        slots.iter().try_for_each(|slot| match slot {
            Slot::Loaded(v) => self.check_returned(v, before, met),
            _ => Ok(()),
        })
    }

    /// What made the tensors of a result where branches of the body decide, with the conditions in order.
    fn name_forms(
        &self,
        value: &Sym,
        conditions: &mut Vec<ValueId>,
    ) -> Res<Vec<(usize, NameForm)>> {
        let mut tensors = Vec::new();
        self.tensors_of(value, &mut tensors);
        let mut forms = Vec::new();
        for (i, obj) in tensors.into_iter().enumerate() {
            let t = self.tensor(obj)?;
            let mut own = Vec::new();
            if t.requires_grad
                && let GradName::Either(..) = t.tape.grad_name
                && let Some(form) = NameForm::of(&t.tape.grad_name, &mut own)
            {
                forms.push((i, form));
                conditions.extend(own);
            }
        }
        Ok(forms)
    }

    /// Whether the body returned what it was taken to; notes it if not.
    fn returns(
        &mut self,
        index: usize,
        value: &Sym,
        leaves: &[Vec<Leaf>],
        before: &State,
    ) -> Res<bool> {
        let known = self.recursing.invoked[index].result.clone();
        let mut settled = known.is_some() && !self.recursing.invoked[index].again;
        let mut returned = known.unwrap_or_else(|| Returned {
            template: self.template(value),
            sometimes: Vec::new(),
            names: Vec::new(),
            known: Vec::new(),
            inputs: Vec::new(),
            saved: Vec::new(),
        });
        if let Some(wider) = self.widen_for_call(&returned.template, value)? {
            returned.template = wider;
            settled = false;
        }
        let names = self.name_forms(value, &mut Vec::new())?;
        if names != returned.names {
            returned.names = names;
            settled = false;
        }
        for (i, leaves) in leaves.iter().enumerate() {
            for leaf in leaves.iter().filter(|l| l.used.is_some()) {
                let leaf = Leaf::new(leaf.obj, leaf.value);
                if !returned.sometimes.contains(&(i, leaf)) {
                    returned.sometimes.push((i, leaf));
                    settled = false;
                }
            }
        }
        self.forget_inner_extents(&mut returned.template);
        let is_outside = |o: Obj| o < before.heap.len() || self.entry.pristine.contains_key(&o);
        let mut tensors = Vec::new();
        self.tensors_of(value, &mut tensors);
        let known = tensors.into_iter().map(|t| self.such_among(t, &is_outside));
        let known = known.enumerate().filter(|(_, known)| !known.is_empty());
        returned.known = known.collect();
        let (inputs, saved) = self.reached_outside(value, is_outside)?;
        settled &= inputs == returned.inputs && saved == returned.saved;
        (returned.inputs, returned.saved) = (inputs, saved);
        self.recursing.invoked[index].result = Some(returned);
        Ok(settled)
    }

    /// Extents that only the body knows are no part of what it returns.
    fn forget_inner_extents(&self, template: &mut Template) {
        match template {
            Template::Tensor(t) => {
                for dim in &mut t.dims {
                    let is_inner = |d: janus_tensor::Dim| match self.resolve(d) {
                        janus_tensor::Dim::Sym(s) => self
                            .extents
                            .dims
                            .get(s as usize)
                            .is_some_and(|i| self.emission.value_context.contains_key(&i.id)),
                        janus_tensor::Dim::Known(_) => false,
                    };
                    if dim.is_some_and(is_inner) {
                        *dim = None;
                    }
                }
            }
            Template::Sequence(_, items) => {
                items.iter_mut().for_each(|t| self.forget_inner_extents(t));
            }
            Template::Either(kinds) => {
                kinds.iter_mut().for_each(|t| self.forget_inner_extents(t));
            }
            Template::Scalar(_) | Template::Same(_) | Template::Grown(_) => {}
        }
    }

    /// The tensors from outside that a result is computed from, and what backward needs of them.
    pub(crate) fn reached_outside(
        &self,
        value: &Sym,
        is_outside: impl Fn(Obj) -> bool,
    ) -> Res<(Vec<Obj>, Vec<(Obj, u32)>)> {
        let mut tensors = Vec::new();
        self.tensors_of(value, &mut tensors);
        let (mut met, mut inputs, mut saved) = (HashSet::new(), Vec::new(), Vec::new());
        while let Some(obj) = tensors.pop() {
            if !met.insert(obj) {
                continue;
            }
            if is_outside(obj) {
                inputs.push(obj);
                continue;
            }
            let t = self.tensor(obj)?;
            tensors.extend(t.tape.inputs.iter().copied());
            saved.extend(t.tape.saved.iter().copied().filter(|(o, _)| is_outside(*o)));
        }
        inputs.sort_unstable();
        saved.sort_unstable();
        saved.dedup();
        Ok((inputs, saved))
    }

    /// The tensors in a result, in the order in which it is taken apart.
    pub(crate) fn tensors_of(&self, value: &Sym, out: &mut Vec<Obj>) {
        let Sym::Obj(obj) = value else { return };
        if let Kind::Tensor(_) = &self.state.heap[*obj].kind {
            return out.push(*obj);
        }
        let Some((_, slots)) = self.new_items(value) else {
            return;
        };
        for slot in slots {
            if let Slot::Loaded(v) = slot {
                self.tensors_of(v, out);
            }
        }
    }

    /// The same result, with tensors that depend on their leaves for sure; what they depend on goes
    /// to `leaves`, tensor by tensor.
    fn without_conditions(&mut self, value: &Sym, leaves: &mut Vec<Vec<Leaf>>) -> Res<Sym> {
        let Sym::Obj(obj) = value else {
            return Ok(value.clone());
        };
        self.decided(value)?;
        let object = self.state.heap[*obj].clone();
        match object.kind {
            Kind::Tensor(t) if t.some_grad => self.refuse(
                ReasonId::Recursion,
                "a recursion whose end decides whether its result requires grad",
            ),
            Kind::Tensor(mut t) => {
                let all = t.tape.leaves.to_vec();
                t.tape.leaves = all.iter().map(|l| Leaf::new(l.obj, l.value)).collect();
                let is_certain = all.iter().all(|l| l.used.is_none());
                leaves.push(all);
                if is_certain {
                    return Ok(value.clone());
                }
                t.value = self.current(*obj)?;
                t.view = None;
                Ok(self.alloc(Kind::Tensor(t)))
            }
            _ => {
                let form = self.new_items(value).map(|(form, _)| form);
                let (Some(form), Some(obj)) = (form, self.container(value)) else {
                    return Ok(value.clone());
                };
                let items = self.items_of(obj)?;
                let certain = items
                    .iter()
                    .map(|v| self.without_conditions(v, leaves))
                    .collect::<Res<Vec<_>>>()?;
                match items.iter().zip(&certain).all(|(a, b)| a.same(b)) {
                    true => Ok(value.clone()),
                    false => Ok(self.new_sequence(&form, certain)),
                }
            }
        }
    }

    /// What the body changed of the region around it.
    fn changed_outside(&self, before: &State) -> Option<&'static str> {
        let now = &self.state;
        if now.effects.len() != before.effects.len() || now.shown.len() != before.shown.len() {
            return Some("what is printed");
        }
        if now.backwards != before.backwards || now.mode.grad_enabled != before.mode.grad_enabled {
            return Some("gradients");
        }
        for (obj, object) in now.heap.iter().enumerate() {
            if now.heap.is_unchanged(&before.heap, obj) {
                continue;
            }
            let old = match before.heap.get(obj) {
                Some(old) => old,
                None => match self.entry.pristine.get(&obj) {
                    Some((_, old)) => old,
                    None => continue,
                },
            };
            let changed = match (&old.kind, &object.kind) {
                // Numbers and lists that grow are carried.
                (Kind::Instance(_), Kind::Instance(_))
                | (Kind::Cell(_), Kind::Cell(_))
                | (Kind::List(_) | Kind::Grown(_), Kind::List(_) | Kind::Grown(_)) => false,
                (Kind::Dict(a), Kind::Dict(b)) => {
                    a.removed.len() != b.removed.len() || a.entries.len() != b.entries.len()
                }
                (Kind::Set(a), Kind::Set(b)) => a.items.len() != b.items.len(),
                (Kind::Open(a), Kind::Open(b)) => !a.is_same(b),
                (Kind::Replaced(a), Kind::Replaced(b)) => !a.is_same(b),
                (Kind::Filtered(a), Kind::Filtered(b)) => !Self::same_items(a, b),
                (Kind::Tensor(a), Kind::Tensor(b)) => {
                    a.version != b.version
                        || a.grad_written != b.grad_written
                        || a.requires_grad != b.requires_grad
                        || (a.tape.consumed, a.tape.consumed_if)
                            != (b.tape.consumed, b.tape.consumed_if)
                }
                (Kind::Iter(a), Kind::Iter(b)) => !crate::branches::merge::same_position(a, b),
                (Kind::Generator(a), Kind::Generator(b)) => a.is_some() || b.is_some(),
                (a, b) => std::mem::discriminant(a) != std::mem::discriminant(b),
            };
            if changed {
                return Some(match &object.kind {
                    Kind::Dict(_) | Kind::Set(_) | Kind::Open(_) => "a dict or set outside",
                    Kind::Tensor(_) => "a tensor outside",
                    _ => "what is outside",
                });
            }
        }
        None
    }

    // ---- the call ------------------------------------------------------------------------

    fn emit_invoke(&mut self, index: usize, frame: &SymFrame) -> Res<Sym> {
        let Some(returned) = self.recursing.invoked[index].result.clone() else {
            return Err(Stop::Endless);
        };
        self.make_outside_rooms(index, frame)?;
        let mut operands = vec![self.calls_left()?];
        let parameters = self.recursing.invoked[index].parameters.clone();
        for (parameter, slot) in parameters.iter().zip(&frame.locals) {
            match (parameter, slot) {
                (Parameter::Object(..), Slot::Loaded(Sym::Obj(obj))) => {
                    operands.push(self.object_address(*obj)?);
                }
                (Parameter::Carried(template, _), Slot::Loaded(v)) => {
                    self.flatten(v, template, &mut operands)?;
                }
                _ => {}
            }
        }
        self.outside_operands(index, frame, &mut operands)?;
        let mut types = Vec::new();
        types_of(&returned.template, &mut types);
        types.extend(returned.sometimes.iter().map(|_| Type::I1));
        let conditions = returned.names.iter().map(|(_, name)| name.conditions());
        types.extend((0..conditions.sum()).map(|_| Type::I1));
        if types.is_empty() {
            return self.refuse(
                ReasonId::Recursion,
                "a recursion over objects without a result",
            );
        }
        // What stands for the result of a call that was not made has extents of its own choice.
        let moves = |ty: &Type| matches!(ty, Type::Tensor { dims, .. } if dims.contains(&None));
        if types.iter().any(moves) {
            return self.refuse(
                ReasonId::Recursion,
                "a recursion whose result has extents that move",
            );
        }
        let running = self.recursing.invoked[index].running;
        if running && self.graph_of(self.emission.context) != self.recursing.invoked[index].graph {
            return Err(self.intertwine(index));
        }
        if !running {
            operands.extend(
                self.recursing.invoked[index]
                    .imports
                    .iter()
                    .map(|&(v, _)| v),
            );
        }
        let attrs = [(
            "callee",
            Attr::Symbol(self.recursing.invoked[index].name.clone()),
        )];
        let results = self.emit("janus.invoke", &operands, &attrs, &types)?;
        if running {
            self.recursing.invoked[index].calls.extend(results.first());
        }
        let conditions: usize = (returned.names.iter())
            .map(|(_, name)| name.conditions())
            .sum();
        let (values, decided) = results.split_at(results.len() - conditions);
        let (values, flags) = values.split_at(values.len() - returned.sometimes.len());
        let mut decided = decided.iter().copied();
        let mut values = values.iter().copied();
        let value = self.unflatten(&returned.template, &mut values, &Sym::Null)?;
        let mut tensors = Vec::new();
        self.tensors_of(&value, &mut tensors);
        for (i, obj) in tensors.into_iter().enumerate() {
            let mut t = self.tensor(obj)?.clone();
            let mut leaves = t.tape.leaves.to_vec();
            for ((tensor, leaf), &flag) in returned.sometimes.iter().zip(flags) {
                let known = leaves.iter_mut().find(|l| *tensor == i && l.is_same(leaf));
                if let Some(known) = known {
                    known.used = Some(flag);
                }
            }
            // Inside of the recursion what is returned from one call has no name of its own.
            if let Some((_, name)) = returned.names.iter().find(|(tensor, _)| *tensor == i)
                && let Some(name) = name.with(&mut decided)
                && !running
            {
                t.tape.grad_name = name;
            }
            t.tape.leaves = leaves.into();
            t.tape.inputs = returned.inputs.clone().into();
            t.tape.saved = returned.saved.clone().into();
            t.tape.decided = true;
            t.tape.made_by = None;
            t.tape.kept = Keeping::Nothing;
            self.state.heap[obj].kind = Kind::Tensor(t);
            if let Some((_, known)) = returned.known.iter().find(|(at, _)| *at == i) {
                let mut known = known.clone();
                for slot in &frame.locals {
                    if let Slot::Loaded(v) = slot {
                        self.tensors_of(v, &mut known);
                    }
                }
                self.may_be_one_of(obj, &known)?;
            }
        }
        self.changed_by_call(index, frame, &value, running)
    }

    /// How many calls Python may make inside of a call made here.
    fn calls_left(&mut self) -> Res<ValueId> {
        let running = self
            .recursing
            .invoked
            .iter()
            .rev()
            .find(|i| i.running && i.result.is_some());
        let (left, depth) = match running {
            Some(around) => (around.calls_left, around.depth),
            None => (None, 0),
        };
        let left = match left {
            Some(left) => left,
            None => match self.recursing.calls_left_at_entry {
                Some(left) => left,
                None => {
                    let left = self.load_word(Load::CallsLeft, "calls left")?;
                    self.recursing.calls_left_at_entry = Some(left);
                    left
                }
            },
        };
        let deeper =
            i64::try_from(self.calls.active.len().saturating_sub(depth)).unwrap_or(i64::MAX);
        let deeper = self.int(deeper.saturating_add(1))?;
        self.emit1("arith.subi", &[left, deeper], &[], Type::I64)
    }
}

/// [`GradName`] without its conditions.
#[derive(Clone, PartialEq)]
enum NameForm {
    Of(Rc<str>),
    Either(Box<(NameForm, NameForm)>),
}

impl NameForm {
    /// The form of a name, and its conditions in order; `None`: part of it is not known.
    fn of(name: &GradName, conditions: &mut Vec<ValueId>) -> Option<Self> {
        match name {
            GradName::Of(name) => (!name.is_empty()).then(|| NameForm::Of(name.clone())),
            GradName::Either(condition, names) => {
                conditions.push(*condition);
                let first = Self::of(&names.0, conditions)?;
                let second = Self::of(&names.1, conditions)?;
                Some(NameForm::Either(Box::new((first, second))))
            }
        }
    }

    fn conditions(&self) -> usize {
        match self {
            NameForm::Of(_) => 0,
            NameForm::Either(names) => 1 + names.0.conditions() + names.1.conditions(),
        }
    }

    /// The name under these conditions.
    fn with(&self, conditions: &mut impl Iterator<Item = ValueId>) -> Option<GradName> {
        Some(match self {
            NameForm::Of(name) => GradName::Of(name.clone()),
            NameForm::Either(names) => {
                let condition = conditions.next()?;
                let names = (names.0.with(conditions)?, names.1.with(conditions)?);
                GradName::Either(condition, Rc::new(names))
            }
        })
    }
}

pub(crate) fn types_of(template: &Template, out: &mut Vec<Type>) {
    match template {
        Template::Scalar(ty) => out.push(type_of(*ty)),
        Template::Tensor(t) => {
            out.push(template_type(t));
            out.extend(t.decided.iter().map(|_| Type::I1));
        }
        Template::Sequence(_, items) => items.iter().for_each(|t| types_of(t, out)),
        Template::Either(kinds) => {
            out.extend(kinds.iter().skip(1).map(|_| Type::I1));
            kinds.iter().for_each(|t| types_of(t, out));
        }
        Template::Same(_) | Template::Grown(_) => {}
    }
}

/// Whether what a template stands for can be handed over as a copy.
pub(crate) fn is_by_value(template: &Template) -> bool {
    match template {
        Template::Scalar(_) | Template::Tensor(_) => true,
        Template::Sequence(form, items) => !form.is_list() && items.iter().all(is_by_value),
        Template::Same(v) => matches!(v, Sym::Known(_)),
        Template::Grown(_) | Template::Either(_) => false,
    }
}
