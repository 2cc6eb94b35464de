//! The end of a region: what is written back, and how each value is made.
//!
//! In: the symbolic state at the region's end. Out: the graph's results and commits, and the
//! [`Plan`]. Always: an object that was there at entry is written back through its own node; every
//! other value that escapes is made once, so identity is kept.

use std::collections::HashSet;
use std::rc::Rc;

use janus_dialect::{Type, ValueId};
use janus_object::{DictPart, Name, PyCell, PyRef, Value, types};
use janus_plan::{
    Check, Commit, Exit, Fresh, FunctionForm, Plan, ReasonId, Recipe, RecipeId, Relax, Step,
    TensorRecipe, TextPiece,
};
use janus_tensor::Dim;
use janus_tensor::ops::Prim;

use crate::emit::outputs::{COMMIT, Out};
use crate::executor::Executor;
use crate::finish::backward::{place_history, place_name};
use crate::state::cfg;
use crate::state::running::Flow;
use crate::state::sym::{
    Kind, Obj, OneOf, Origin, Piece, Slot, Sym, SymFrame, SymFunction, SymIter, SymSet, SymTensor,
    View, ViewMap, same_known,
};
use crate::{Res, Stop};

impl Executor<'_> {
    pub(crate) fn finish(&mut self, frame: SymFrame, flow: Flow) -> Res<(Vec<ValueId>, Plan)> {
        let entered = janus_tensor::autograd::is_grad_enabled();
        if janus_tensor::autograd::is_anomaly_mode() {
            return self.refuse(
                ReasonId::GradMode,
                "anomaly detection looks at each gradient",
            );
        }
        if janus_torch::autocast::active().is_some() {
            return self.refuse(ReasonId::ReducedFloat, "torch.autocast is on");
        }
        let inference = janus_tensor::autograd::is_inference_mode();
        if self.state.mode.grad_enabled != entered || self.state.mode.inference != inference {
            return self.refuse(ReasonId::GradMode, "grad mode is left changed");
        }
        self.check_shown()?;
        self.check_generators(&self.state)?;
        self.branching.blames_merges.set(true);
        self.check_inference(&frame, &flow)?;
        let mut out = Out {
            leaving: self.leaving_tensors(&frame, &flow)?,
            ..Out::default()
        };
        let exit = match flow {
            Flow::Return(v) => Exit::Return(self.recipe(&mut out, &v)?),
            Flow::RegionEnd => self.loop_exit(&mut out, &frame)?,
            Flow::Break => self.call_exit(&mut out, &frame)?,
            Flow::Stop | Flow::Yield(_) | Flow::LoopEnd { .. } | Flow::Test { .. } => {
                return self.defect("the region was left");
            }
        };
        self.commit_state(&mut out)?;
        self.commit_cells(&mut out, &frame)?;
        self.commit_new_grads(&mut out)?;
        let drawn = self.draws_made().map(|n| Self::result(&mut out, n));
        for (node, f) in std::mem::take(&mut *self.told.wanted.borrow_mut()) {
            let node = &mut self.entry.nodes[node.0 as usize];
            if !matches!(node.check, Check::Equal(_)) {
                self.entry.assumed.push(format!(
                    "{} is {}",
                    node.path,
                    janus_object::text::float_repr(f)
                ));
                node.check = Check::Equal(Value::Float(f));
            }
        }
        for (node, dense) in std::mem::take(&mut *self.layout.dense.borrow_mut()) {
            if let Check::Tensor(check) = &mut self.entry.nodes[node.0 as usize].check {
                check.contiguous = Some(dense);
            }
        }
        for (node, order) in std::mem::take(&mut *self.layout.ordered.borrow_mut()) {
            if let Check::Tensor(check) = &mut self.entry.nodes[node.0 as usize].check {
                check.order = Some(order);
            }
        }
        for (node, joins) in std::mem::take(&mut *self.layout.joined.borrow_mut()) {
            if let Check::Tensor(check) = &mut self.entry.nodes[node.0 as usize].check {
                check.joins = joins;
            }
        }
        self.restart_if_moved(&frame)?;
        self.check_shared_memory()?;
        self.check_fields()?;
        self.check_dicts()?;
        let early = self.early_asserts();
        for (condition, id) in std::mem::take(&mut self.state.asserts) {
            let loc = self.loc();
            self.emit_assert(condition, id, &loc)?;
        }
        if out
            .copied
            .iter()
            .any(|base| out.of_object.contains_key(base) || out.taken.contains(base))
            || out.taken.iter().any(|o| out.of_object.contains_key(o))
        {
            return self.refuse(
                ReasonId::EscapingObject,
                "a tensor leaves the region under two names",
            );
        }
        let first_commit = u32::try_from(out.results.len()).unwrap_or(u32::MAX);
        let mut backward = self.pullback(&mut out)?;
        let place = |n: &mut u32| {
            if *n & COMMIT != 0 {
                *n = first_commit + (*n & !COMMIT);
            }
        };
        let passed = backward.iter_mut().flat_map(|b| &mut b.outputs);
        passed.flat_map(|p| &mut p.keeps_outs).for_each(place);
        for recipe in &mut out.recipes {
            match recipe {
                Recipe::Scalar(n) => place(n),
                Recipe::Tensor(t) => {
                    place(&mut t.out);
                    place_history(&mut t.history, &place);
                }
                Recipe::OneOf { condition, .. } | Recipe::Maybe { condition, .. } => {
                    place(condition);
                }
                Recipe::View {
                    symbols, grad_name, ..
                } => {
                    symbols.iter_mut().for_each(|(_, n)| place(n));
                    if let Some(name) = grad_name {
                        place_name(name, &place);
                    }
                }
                Recipe::Const(_) | Recipe::Node(_) | Recipe::Data(_) | Recipe::Fresh(_) => {}
            }
        }
        for commit in &mut out.commits {
            if let Commit::UpdateTensor { out, history, .. } = commit {
                place(out);
                history.iter_mut().for_each(|h| place_history(h, &place));
            }
        }
        let mut returns = out.results.clone();
        returns.extend(out.token);
        let plan = Plan {
            nodes: std::mem::take(&mut self.entry.nodes),
            loads: std::mem::take(&mut self.entry.loads),
            draws: std::mem::take(&mut self.random.draws),
            graph_draws: std::mem::take(&mut self.random.graph_draws),
            drawn,
            grad_enabled: entered,
            inference,
            default_dtype: janus_torch::draws::default_dtype(),
            unaliased: std::mem::take(&mut self.entry.unaliased),
            distinct: std::mem::take(&mut self.entry.distinct),
            asserts: std::mem::take(&mut self.emission.assertions),
            early,
            fields: Box::new(std::mem::take(&mut self.recursing.fields)),
            reads_tensors: self.recursing.held.is_some(),
            recipes: out.recipes,
            commits: out.commits,
            exit,
            ends: None,
            outputs: first_commit + out.committed,
            backward,
            assumptions: std::mem::take(&mut self.entry.assumed),
            inlined: std::mem::take(&mut self.calls.inlined),
            graphs: self.own_graphs(),
        };
        Ok((returns, plan))
    }

    fn loop_exit(&mut self, out: &mut Out, frame: &SymFrame) -> Res<Exit> {
        let Some(head) = self.region.loop_head else {
            return self.defect("the loop has no head");
        };
        if !frame.stack.is_empty() {
            return self.refuse(ReasonId::LoopState, "the loop leaves values on the stack");
        }
        let locals = self.changed_locals(out, frame, head)?;
        Ok(Exit::LoopHead {
            pc: head,
            depth: frame.below,
            locals,
        })
    }

    fn call_exit(&mut self, out: &mut Out, frame: &SymFrame) -> Res<Exit> {
        out.before_call = true;
        let locals = self.changed_locals(out, frame, frame.pc)?;
        let mut stack = Vec::with_capacity(frame.stack.len());
        for v in &frame.stack {
            stack.push(match v {
                Sym::Null => None,
                v => Some(self.recipe(out, v)?),
            });
        }
        Ok(Exit::Call {
            pc: frame.pc,
            depth: frame.below,
            stack,
            locals,
        })
    }

    /// The locals that were written and are read from `pc` on.
    fn changed_locals(
        &mut self,
        out: &mut Out,
        frame: &SymFrame,
        pc: u32,
    ) -> Res<Vec<(u32, Option<RecipeId>)>> {
        let code = frame.code.clone();
        let live = cfg::live_locals(&code.code, pc);
        let mut locals = Vec::new();
        for &i in &frame.written {
            let slot = &frame.locals[i];
            let index = u32::try_from(i).unwrap_or(u32::MAX);
            if !live.get(i).copied().unwrap_or(true) {
                continue;
            }
            // Where the region does not set it, it is what it was: a branch took that for nothing.
            if self.region.unset_locals.contains(&i) && self.is_partial(slot) {
                let name = code.code.varnames.get(i).cloned().unwrap_or_default();
                self.node(Step::Local(index), Check::Missing, &name);
            }
            let value = match slot {
                Slot::Loaded(v) => Some(self.recipe(out, v)?),
                Slot::Unloaded(_) => continue,
                Slot::Empty => None,
            };
            locals.push((index, value));
        }
        Ok(locals)
    }

    fn commit_cells(&mut self, out: &mut Out, frame: &SymFrame) -> Res<()> {
        for (i, &cell) in frame.cells.iter().enumerate() {
            let Kind::Cell(c) = self.state.heap[cell].kind.clone() else {
                continue;
            };
            if !c.written {
                continue;
            }
            let index = u32::try_from(i).unwrap_or(u32::MAX);
            let unset = c.cell.as_ref().is_some_and(|c| c.value.borrow().is_none());
            if unset && self.is_partial(&c.content) {
                let name = frame
                    .code
                    .code
                    .deref_name(index)
                    .cloned()
                    .unwrap_or_default();
                self.node(Step::Cell(index), Check::Missing, &name);
            }
            let value = match &c.content {
                Slot::Loaded(v) => Some(self.recipe(out, v)?),
                Slot::Unloaded(_) => continue,
                Slot::Empty => None,
            };
            out.commits.push(Commit::SetFrameCell { index, value });
        }
        Ok(())
    }

    // ---- recipes -------------------------------------------------------------------------

    pub(crate) fn push(out: &mut Out, recipe: Recipe) -> RecipeId {
        out.recipes.push(recipe);
        u32::try_from(out.recipes.len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn result(out: &mut Out, value: ValueId) -> u32 {
        out.results.push(value);
        u32::try_from(out.results.len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn slot_recipe(&mut self, out: &mut Out, slot: &Slot) -> Res<RecipeId> {
        match slot {
            Slot::Loaded(v) => self.recipe(out, v),
            Slot::Unloaded(u) => {
                let node = self.node(u.step.clone(), Check::None, &u.path);
                Ok(Self::push(out, Recipe::Node(node)))
            }
            Slot::Empty => self.defect("a value that is not there escapes"),
        }
    }

    pub(crate) fn recipe(&mut self, out: &mut Out, v: &Sym) -> Res<RecipeId> {
        match v {
            Sym::Known(v) => {
                let shown = self.shown_function(v);
                Ok(Self::push(out, Recipe::Const(shown)))
            }
            Sym::Scalar(s) => {
                let n = Self::result(out, s.id);
                Ok(Self::push(out, Recipe::Scalar(n)))
            }
            Sym::Obj(o) => self.object_recipe(out, *o),
            Sym::Null => self.defect("a value that is not there escapes"),
        }
    }

    /// A function that the region made.
    fn function_recipe(&mut self, out: &mut Out, obj: Obj, function: &SymFunction) -> Res<Fresh> {
        if function.annotated {
            return self.refuse(
                ReasonId::EscapingObject,
                "a function with annotations, made in the region, escapes",
            );
        }
        out.functions.push(obj);
        let mut defaults = Vec::with_capacity(function.defaults.len());
        for v in &function.defaults {
            defaults.push(self.recipe(out, v)?);
        }
        let mut kw_defaults = Vec::with_capacity(function.kw_defaults.len());
        for (name, v) in &function.kw_defaults {
            kw_defaults.push((name.clone(), self.recipe(out, v)?));
        }
        let mut closure = Vec::with_capacity(function.closure.len());
        for &cell in &function.closure {
            closure.push(self.object_recipe(out, cell)?);
        }
        out.functions.pop();
        Ok(Fresh::Function(FunctionForm {
            code: function.code.clone(),
            globals: function.globals.clone(),
            defaults,
            kw_defaults,
            closure,
        }))
    }

    /// A cell that was there at entry: of the region's frame, or of a function that is always the same.
    fn cell_recipe(&mut self, obj: Obj, cell: &PyRef<PyCell>) -> Recipe {
        match self.frame_cell(obj) {
            Some(index) => {
                let path = "closure".into();
                Recipe::Node(self.node(Step::FrameCell(index), Check::None, &path))
            }
            None => Recipe::Const(Value::Cell(cell.clone())),
        }
    }

    fn object_recipe(&mut self, out: &mut Out, obj: Obj) -> Res<RecipeId> {
        if out.functions.contains(&obj) {
            return self.refuse(
                ReasonId::EscapingObject,
                "a function made in the region that refers to itself escapes",
            );
        }
        if let Some(&id) = out.of_object.get(&obj) {
            return Ok(id);
        }
        let object = self.state.heap[obj].clone();
        if let Some(origin) = &object.origin {
            let id = Self::push(out, Recipe::Node(origin.node));
            out.of_object.insert(obj, id);
            return Ok(id);
        }
        if let Kind::Tensor(_) = &object.kind {
            return self.tensor_recipe(out, obj, &mut HashSet::new());
        }
        if let Kind::Choice {
            condition,
            then,
            otherwise,
        } = object.kind
        {
            let condition = Self::result(out, condition);
            let (then, otherwise) = (self.recipe(out, &then)?, self.recipe(out, &otherwise)?);
            let id = Self::push(
                out,
                Recipe::OneOf {
                    condition,
                    then,
                    otherwise,
                },
            );
            out.of_object.insert(obj, id);
            return Ok(id);
        }
        if let Kind::Maybe { condition, value } = object.kind {
            let condition = Self::result(out, condition);
            let value = self.recipe(out, &value)?;
            return Ok(Self::push(out, Recipe::Maybe { condition, value }));
        }
        // Contents may point back: the place is taken first.
        let id = Self::push(out, Recipe::Const(Value::None));
        out.of_object.insert(obj, id);
        let fresh = match object.kind {
            Kind::Found(_) => {
                return self.refuse(
                    ReasonId::Recursion,
                    "an object that a recursion comes to leaves the region",
                );
            }
            Kind::Tuple(items) => Fresh::Tuple(self.slot_recipes(out, &items)?),
            Kind::List(list) => {
                let items = self.slot_recipes(out, &list.base.unwrap_or_default())?;
                let mut items: Vec<_> = items.into_iter().map(|item| (item, None)).collect();
                for (v, condition) in &list.appended {
                    if condition.is_some() {
                        return self.refuse(
                            ReasonId::EscapingObject,
                            "a list that may have grown escapes",
                        );
                    }
                    items.push((self.recipe(out, v)?, None));
                }
                Fresh::List(items)
            }
            Kind::Filtered(items) => {
                let mut made = Vec::with_capacity(items.len());
                for (v, condition) in &items {
                    let condition = condition.map(|c| Self::result(out, c));
                    made.push((self.recipe(out, v)?, condition));
                }
                Fresh::List(made)
            }
            Kind::Grown(_) => self.rows_recipe(out, obj)?,
            Kind::Set(set) if set.unordered => {
                return self.refuse(
                    ReasonId::EscapingObject,
                    "a set whose order depends on that of another one escapes",
                );
            }
            Kind::Set(SymSet { items, .. }) => {
                let mut made = Vec::with_capacity(items.len());
                for v in &items {
                    made.push(self.recipe(out, v)?);
                }
                Fresh::Set(made)
            }
            Kind::Dict(dict) => {
                let mut entries = Vec::with_capacity(dict.entries.len());
                for (k, v) in &dict.entries {
                    entries.push((self.recipe(out, k)?, self.slot_recipe(out, v)?));
                }
                Fresh::Dict(entries)
            }
            Kind::Instance(instance) if self.is_exception(&instance.class) => {
                return self.refuse(
                    ReasonId::ExceptionFlow,
                    "an exception made in the region escapes",
                );
            }
            Kind::Instance(instance) if let Some(deque) = self.deque_recipe(out, &instance)? => {
                deque
            }
            Kind::Instance(instance) => {
                let stored = instance.payload.map(Sym::Obj);
                let stored = stored.map(|v| self.recipe(out, &v)).transpose()?;
                let mut attrs = Vec::with_capacity(instance.attrs.len());
                for (name, slot) in &instance.attrs {
                    if !matches!(slot, Slot::Empty) {
                        attrs.push((name.clone(), self.slot_recipe(out, slot)?));
                    }
                }
                Fresh::Instance(instance.class.clone(), stored, attrs)
            }
            Kind::Method { function, receiver } => {
                Fresh::Method(self.recipe(out, &function)?, self.recipe(out, &receiver)?)
            }
            Kind::Slice([a, b, c]) => Fresh::Slice([
                self.recipe(out, &a)?,
                self.recipe(out, &b)?,
                self.recipe(out, &c)?,
            ]),
            Kind::Text(pieces) => {
                let mut made = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    made.push(match piece {
                        Piece::Text(t) => TextPiece::Text(t),
                        Piece::Format {
                            value,
                            conversion,
                            spec,
                        } => TextPiece::Format {
                            value: self.recipe(out, &value)?,
                            conversion,
                            spec,
                        },
                    });
                }
                Fresh::Text(made)
            }
            Kind::Later { function, args, .. } => {
                let mut made = Vec::with_capacity(args.len());
                for v in &args {
                    made.push(self.recipe(out, v)?);
                }
                Fresh::Call(function, made)
            }
            Kind::Choice { .. } | Kind::Maybe { .. } | Kind::Raised(_) => {
                return self.defect("a choice escapes twice");
            }
            Kind::Range { .. } => {
                return self.refuse(
                    ReasonId::EscapingObject,
                    "a range whose bounds move escapes",
                );
            }
            Kind::Function(function) => self.function_recipe(out, obj, &function)?,
            Kind::Cell(cell) => match &cell.cell {
                Some(known) => {
                    out.recipes[id as usize] = self.cell_recipe(obj, known);
                    return Ok(id);
                }
                None => Fresh::Cell(match &cell.content {
                    Slot::Empty => None,
                    content => Some(self.slot_recipe(out, content)?),
                }),
            },
            Kind::View { dict, part } => {
                let method = Name::new(match part {
                    DictPart::Keys => "keys",
                    DictPart::Values => "values",
                    DictPart::Items => "items",
                });
                let Some(method) = types().dict.lookup(&method) else {
                    return self.refuse(ReasonId::EscapingObject, "a view of a dict escapes");
                };
                Fresh::Call(method, vec![self.recipe(out, &dict)?])
            }
            Kind::Iter(SymIter::Items { of, next }) if self.is_complete(of) => {
                let Some(function) = self.loop_function("iterator_at") else {
                    return self.refuse(
                        ReasonId::OutsideIterator,
                        "an iterator made in the region escapes",
                    );
                };
                let next = Value::Int(i64::try_from(next).unwrap_or(i64::MAX));
                let items = self.recipe(out, &Sym::Obj(of))?;
                let next = Self::push(out, Recipe::Const(next));
                Fresh::Call(function, vec![items, next])
            }
            Kind::Iter(_) | Kind::Generator(_) => {
                return self.refuse(
                    ReasonId::OutsideIterator,
                    "an iterator made in the region escapes",
                );
            }
            Kind::Open(_)
            | Kind::Replaced(_)
            | Kind::Told
            | Kind::Super { .. }
            | Kind::InstanceDict(_)
            | Kind::Traceback
            | Kind::Opaque { .. }
            | Kind::Tensor(_) => {
                return self.defect("an internal object escapes");
            }
        };
        out.recipes[id as usize] = Recipe::Fresh(fresh);
        Ok(id)
    }

    /// Whether a list or tuple has all its items as soon as it is there at the commit.
    fn is_complete(&self, obj: Obj) -> bool {
        let object = &self.state.heap[obj];
        match &object.kind {
            Kind::Tuple(_) => true,
            Kind::List(list) => object.origin.is_none() || list.is_unchanged(),
            _ => false,
        }
    }

    pub(crate) fn slot_recipes(&mut self, out: &mut Out, slots: &[Slot]) -> Res<Vec<RecipeId>> {
        slots.iter().map(|s| self.slot_recipe(out, s)).collect()
    }

    /// A tensor object. `alternatives` is what those stand for of which only this one or another one will be.
    fn tensor_recipe(
        &mut self,
        out: &mut Out,
        obj: Obj,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<RecipeId> {
        if let Some(&id) = out.of_object.get(&obj) {
            return Ok(id);
        }
        let id = self.new_tensor_recipe(out, obj, alternatives)?;
        out.of_object.insert(obj, id);
        Ok(id)
    }

    fn new_tensor_recipe(
        &mut self,
        out: &mut Out,
        obj: Obj,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<RecipeId> {
        let t = self.tensor(obj)?.clone();
        if let Some(one_of) = t.identity.one_of
            && !self.is_own(obj)
        {
            return self.one_of_recipe(out, obj, one_of, &mut None, alternatives);
        }
        if let Some(view) = self.view_recipe(out, obj, &t)? {
            return Ok(view);
        }
        if let Some(item) = self.item_recipe(out, obj)? {
            return Ok(item);
        }
        if !self.is_own(obj) {
            return self.undecided("a loop decided which tensor it is that leaves the region");
        }
        let value = self.current(obj)?;
        if !self.is_visible(value) {
            return self.undecided("what a view shows was made on one side of a branch");
        }
        let n = Self::result(out, value);
        self.takes_over(out, obj, alternatives)?;
        self.own_recipe(out, obj, n)
    }

    /// A tensor object of its own, with result `n` for elements.
    pub(crate) fn own_recipe(&mut self, out: &mut Out, obj: Obj, n: u32) -> Res<RecipeId> {
        let recipe = TensorRecipe {
            out: n,
            dtype: self.tensor(obj)?.dtype,
            history: self.history(out, obj, n)?,
            class: self.tensor(obj)?.class.clone(),
        };
        Ok(Self::push(out, Recipe::Tensor(recipe)))
    }

    /// Whether a new tensor is as good as what branches made it of: nothing else can refer to that.
    pub(crate) fn is_own(&self, obj: Obj) -> bool {
        let from_outside = |o: &Obj| self.is_from_outside(*o);
        if self.all_parts_of(obj).iter().any(from_outside) {
            return false;
        }
        let (mut pending, mut met) = (vec![obj], HashSet::new());
        while let Some(obj) = pending.pop() {
            let Ok(t) = self.tensor(obj) else {
                return false;
            };
            for part in t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]) {
                let local = |t: &SymTensor| t.view.is_none() && !self.is_visible(t.value);
                if from_outside(&part) || !self.tensor(part).is_ok_and(local) {
                    return false;
                }
                if met.insert(part) {
                    pending.push(part);
                }
            }
        }
        true
    }

    /// Notes what a new tensor stands for: no other one may stand for the same, but its alternatives, nor may that
    /// leave.
    pub(crate) fn takes_over(
        &self,
        out: &mut Out,
        obj: Obj,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<()> {
        let (mut pending, mut met) = (vec![obj], HashSet::new());
        while let Some(obj) = pending.pop() {
            let t = self.tensor(obj)?;
            let sides = t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
            for part in sides.chain(t.identity.parts.iter().copied()) {
                for part in [part, self.owner(part)?] {
                    if met.insert(part) {
                        pending.push(part);
                    }
                }
            }
        }
        for part in met {
            if alternatives.insert(part) && !out.taken.insert(part) {
                return self.undecided(
                    "a tensor that a branch or a loop decided on has two names after it",
                );
            }
        }
        Ok(())
    }

    /// One of two objects. Those among them that only one side knows have the elements of `merged`,
    /// which are the result that is noted at the first use.
    fn one_of_recipe(
        &mut self,
        out: &mut Out,
        merged: Obj,
        one_of: OneOf,
        result: &mut Option<u32>,
        alternatives: &mut HashSet<Obj>,
    ) -> Res<RecipeId> {
        if !self.is_visible(one_of.condition) {
            return self.undecided("one side of a branch decided which tensor leaves the region");
        }
        let condition = Self::result(out, one_of.condition);
        let mut sides = [0; 2];
        for (side, obj) in sides.iter_mut().zip([one_of.then, one_of.otherwise]) {
            let t = self.tensor(obj)?.clone();
            *side = if self.state.heap[obj].origin.is_some() {
                self.object_recipe(out, obj)?
            } else if self.is_visible(t.value) {
                self.tensor_recipe(out, obj, alternatives)?
            } else if let Some(inner) = t.identity.one_of {
                self.one_of_recipe(out, merged, inner, result, alternatives)?
            } else if let Some(&view) = out.of_object.get(&obj) {
                view
            } else if let Some(view) = self.view_recipe(out, obj, &t)? {
                // Whatever else may be this view is the same object.
                out.of_object.insert(obj, view);
                view
            } else {
                let n = match *result {
                    Some(n) => n,
                    None => {
                        let value = self.current(merged)?;
                        *result.insert(Self::result(out, value))
                    }
                };
                if alternatives.insert(obj) && !out.taken.insert(obj) {
                    return self.refuse(
                        ReasonId::BranchSides,
                        "a tensor made on one side of a branch has two names after it",
                    );
                }
                if !self.is_own(obj) {
                    return self
                        .undecided("a loop decided which tensor it is that leaves the region");
                }
                self.takes_over(out, obj, alternatives)?;
                self.own_recipe(out, obj, n)?
            };
        }
        let [then, otherwise] = sides;
        Ok(Self::push(
            out,
            Recipe::OneOf {
                condition,
                then,
                otherwise,
            },
        ))
    }

    /// A view of a tensor that is visible outside the region. Others are as good as new tensors.
    fn view_recipe(&mut self, out: &mut Out, obj: Obj, t: &SymTensor) -> Res<Option<RecipeId>> {
        if let Some(view) = &t.view {
            let (base, prim) = match &view.map {
                ViewMap::Same => (view.base, Rc::new(Prim::Detach)),
                ViewMap::Prim(parent, prim) => (*parent, prim.clone()),
            };
            let consumed = t.requires_grad && t.tape.consumed;
            if consumed && t.tape.consumed_if.is_some() {
                return self.undecided("a backward on one side of a branch goes through a view");
            }
            // Through a view no gradient goes again where none goes through what it shows.
            let spent = consumed && (self.is_spent(view.base) || self.tensor(view.base)?.leaf);
            // A view of what does not escape is as good as its elements.
            let shared = (!consumed || spent) && (out.before_call || self.escapes(out, base));
            if !shared {
                out.copied.extend([base, view.base]);
            }
            let is_plain = PyRef::ptr_eq(&t.class, &self.tensor_class());
            if shared && (t.leaf && t.requires_grad || !is_plain) {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "a leaf shares memory with a tensor that leaves the region",
                );
            }
            if shared && t.requires_grad && !spent {
                out.viewed.push(view.base);
            }
            if !shared && self.is_unrecorded_leaf(obj)? {
                return self.refuse(
                    ReasonId::GradientInPlace,
                    "a view made in no_grad of what requires grad leaves the region",
                );
            }
            if shared && !self.shows_the_same_later(t)? {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "a reshape that may be a copy or a view leaves after an in-place write",
                );
            }
            if shared {
                let base = self.object_recipe(out, base)?;
                if t.unversioned {
                    return Ok(Some(Self::push(out, Recipe::Data(base))));
                }
                let mut symbols = Vec::new();
                for s in prim.symbols() {
                    let index = self.dim_value(Dim::Sym(s))?;
                    let int = self.emit1("arith.index_cast", &[index], &[], Type::I64)?;
                    symbols.push((s, Self::result(out, int)));
                }
                let grad_name = if t.requires_grad {
                    Some(self.grad_name(out, &t.tape.grad_name)?)
                } else {
                    None
                };
                let recipe = Recipe::View {
                    base,
                    prim,
                    symbols,
                    grad_name,
                    one_of_several: t.view.as_ref().and_then(|v| v.one_of_several),
                    noted: t.view.as_ref().is_some_and(|v| v.noted),
                };
                return Ok(Some(Self::push(out, recipe)));
            }
        }
        Ok(None)
    }

    /// Whether a tensor, or what it is a view of or may be, is visible outside the region.
    pub(crate) fn escapes(&self, out: &Out, obj: Obj) -> bool {
        let mut seen = HashSet::from([obj]);
        let mut pending = vec![obj];
        while let Some(obj) = pending.pop() {
            let known = out.of_object.contains_key(&obj) || out.leaving.contains(&obj);
            if known || self.is_from_outside(obj) {
                return true;
            }
            let Ok(t) = self.tensor(obj) else { continue };
            let shown = t.view.as_ref().map(View::parent);
            let sides = t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]);
            let parts = shown
                .into_iter()
                .chain(sides)
                .chain(t.identity.parts.iter().copied());
            pending.extend(parts.filter(|&part| seen.insert(part)));
        }
        false
    }

    // ---- constants that the region itself moves --------------------------------------------

    fn restart_if_moved(&mut self, frame: &SymFrame) -> Res<()> {
        let mut writes: Vec<(Rc<str>, Option<Sym>)> = Vec::new();
        let written = |slot: Option<&Slot>| match slot {
            Some(Slot::Loaded(v)) => Some(v.clone()),
            _ => None,
        };
        if self.region.loop_head.is_some() {
            for &i in &frame.written {
                writes.push((
                    frame.code.code.varnames[i].clone(),
                    written(frame.locals.get(i)),
                ));
            }
        }
        for (at, object) in self.state.heap.iter().enumerate() {
            match (&object.origin, &object.kind) {
                (Some(origin), Kind::Instance(instance)) => {
                    for name in &instance.written {
                        let path = format!("{}.{}", origin.path, name.as_str());
                        writes.push((path.into(), written(instance.attrs.get(name))));
                    }
                }
                (Some(origin), Kind::Dict(dict)) => {
                    for (key, slot) in &dict.entries {
                        if dict.written.iter().any(|k| k.same(key)) {
                            let path = match key {
                                Sym::Known(Value::Str(s)) => {
                                    format!("{}['{}']", origin.path, s.as_str())
                                }
                                Sym::Known(Value::Int(n)) => format!("{}[{n}]", origin.path),
                                _ => continue,
                            };
                            writes.push((path.into(), written(Some(slot))));
                        }
                    }
                }
                (Some(_), Kind::Open(open)) => {
                    let now = open
                        .written()
                        .map(|e| (e.path.clone(), written(Some(&e.value))));
                    writes.extend(now);
                }
                (Some(origin), Kind::List(list)) if list.rewritten => {
                    let length = list.base.as_ref().map_or(0, Vec::len);
                    let length = i64::try_from(length).ok().map(Value::Int);
                    let path = format!("len({})", origin.path);
                    writes.push((path.into(), length.map(Sym::Known)));
                    for (i, slot) in list.base.iter().flatten().enumerate() {
                        writes.push((format!("{}[{i}]", origin.path).into(), written(Some(slot))));
                    }
                }
                (Some(origin), Kind::List(list)) if !list.is_unchanged() => {
                    self.note_longer(origin, &mut writes);
                }
                (Some(origin), Kind::Grown(_) | Kind::Replaced(_)) => {
                    self.note_longer(origin, &mut writes);
                }
                (None, Kind::Cell(cell)) if cell.written && !frame.cells.contains(&at) => {
                    if let Slot::Loaded(v) = &cell.content {
                        let name = self.cell_name(cell);
                        writes.push((name, Some(v.clone())));
                    }
                }
                _ => {}
            }
        }
        for (i, &cell) in frame.cells.iter().enumerate() {
            if let Kind::Cell(c) = &self.state.heap[cell].kind
                && c.written
                && let Some(name) = frame
                    .code
                    .code
                    .deref_name(u32::try_from(i).unwrap_or(u32::MAX))
            {
                writes.push((name.clone(), written(Some(&c.content))));
            }
        }
        for namespace in self.state.namespaces.values() {
            for name in &namespace.written {
                let path = namespace.place.path(name);
                writes.push((path, written(namespace.entries.get(name))));
            }
        }
        let written_paths: Vec<Rc<str>> = writes.iter().map(|(path, _)| path.clone()).collect();
        let mut moved = Vec::new();
        for (path, new) in writes {
            let assumed = self.entry.nodes.iter().find_map(|n| match &n.check {
                Check::Equal(v @ (Value::Int(_) | Value::Bool(_) | Value::Float(_)))
                    if n.path == path =>
                {
                    Some(v)
                }
                _ => None,
            });
            if let Some(old) = assumed
                && !matches!(&new, Some(Sym::Known(v)) if same_known(v, old))
                && !self.is_symbolic(&path)
            {
                moved.push(path);
            }
        }
        if self.region.loop_head.is_some() {
            moved.extend(self.longer_each_time(&written_paths));
        }
        if moved.is_empty() {
            Ok(())
        } else {
            Err(Stop::Again(Relax::Symbolic(moved)))
        }
    }

    /// What is known of a list's length and last items moves when it gets longer.
    fn note_longer(&self, list: &Origin, writes: &mut Vec<(Rc<str>, Option<Sym>)>) {
        writes.push((format!("len({})", list.path).into(), None));
        for node in &self.entry.nodes {
            if matches!(&node.step, Step::ItemFromEnd(of, _) if *of == list.node) {
                writes.push((node.path.clone(), None));
            }
        }
    }

    /// Lists whose length is assumed, and another one after an iteration, while what they are found through is as it
    /// was: the next iteration would meet the same list.
    fn longer_each_time(&self, written: &[Rc<str>]) -> Vec<Rc<str>> {
        let mut longer = Vec::new();
        for object in self.state.heap.iter() {
            let (Some(origin), Kind::List(list)) = (&object.origin, &object.kind) else {
                continue;
            };
            let (Check::List(Some(assumed)), Some(base)) =
                (&self.entry.nodes[origin.node.0 as usize].check, &list.base)
            else {
                continue;
            };
            let is_certain = list.appended.iter().all(|(_, c)| c.is_none());
            let through = |path: &Rc<str>| {
                let rest = origin.path.strip_prefix(&**path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            if is_certain
                && base.len() + list.appended.len() != *assumed
                && !written.iter().any(through)
                && !self.region.relaxations.symbolic.contains(&origin.path)
            {
                longer.push(origin.path.clone());
            }
        }
        longer
    }

    /// The name under which a cell's content is known.
    fn cell_name(&self, cell: &crate::state::sym::SymCell) -> Rc<str> {
        let Some(real) = &cell.cell else {
            return "".into();
        };
        for n in &self.entry.nodes {
            if let janus_plan::Step::CellContent(c) = &n.step
                && PyRef::ptr_eq(c, real)
            {
                return n.path.clone();
            }
        }
        "".into()
    }
}
