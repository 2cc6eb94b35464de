//! The end of a region: what is written back, and how each value is made.
//!
//! In: the symbolic state at the region's end. Out: the graph's results and commits, and the
//! [`Plan`]. Always: an object that was there at entry is written back through its own node; every
//! other value that escapes is made once, so identity is kept.

use std::collections::HashSet;

use janus_dialect::ValueId;
use janus_object::{PyCell, PyRef, Value, view_method};
use janus_plan::{
    Check, Commit, Exit, Fresh, FunctionForm, Plan, ReasonId, Recipe, RecipeId, Step, TextPiece,
};
use janus_tensor::Device;

use crate::Res;
use crate::emit::outputs::{COMMIT, Out};
use crate::executor::Executor;
use crate::finish::backward::{place_history, place_name};
use crate::state::cfg;
use crate::state::running::Flow;
use crate::state::sym::{
    HeapObject, Kind, Obj, Piece, Slot, Stored, Sym, SymFrame, SymFunction, SymIter, SymSet,
};

impl Executor<'_> {
    pub(crate) fn finish(&mut self, frame: SymFrame, flow: Flow) -> Res<(Vec<ValueId>, Plan)> {
        let entered = janus_tensor::autograd::is_grad_enabled();
        if janus_tensor::autograd::is_anomaly_mode() {
            return self.refuse(
                ReasonId::GradMode,
                "anomaly detection looks at each gradient",
            );
        }
        if janus_tensor::autograd::packs_saved() {
            return self.refuse(
                ReasonId::GradMode,
                "hooks of saved tensors see what the tape keeps",
            );
        }
        if janus_torch::autocast::active_anywhere().is_some() {
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
        for (node, f) in std::mem::take(&mut *self.entry_numbers.wanted.borrow_mut()) {
            let node = &mut self.entry.nodes[node.0 as usize];
            if !matches!(node.check, Check::Equal(_)) {
                self.entry.assumed.push(format!(
                    "{} is {}",
                    node.path,
                    janus_object::text::float_repr(f)
                ));
                node.check = Check::Equal(Value::float(f));
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
        for (node, strides) in std::mem::take(&mut *self.layout.strided.borrow_mut()) {
            if let Check::Tensor(check) = &mut self.entry.nodes[node.0 as usize].check {
                check.strides = Some(strides);
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
        let is_there = |object: &HeapObject| matches!(&object.kind, Kind::Tensor(t) if t.device != Device::Cpu);
        let on_device = self.state.heap.iter().any(is_there);
        let plan = Plan {
            nodes: std::mem::take(&mut self.entry.nodes),
            loads: std::mem::take(&mut self.entry.loads),
            draws: std::mem::take(&mut self.random.draws),
            graph_draws: std::mem::take(&mut self.random.graph_draws),
            drawn,
            grad_enabled: entered,
            inference,
            default_dtype: janus_torch::draws::default_dtype(),
            default_device: janus_tensor::device::default_device(),
            on_device,
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

    pub(crate) fn object_recipe(&mut self, out: &mut Out, obj: Obj) -> Res<RecipeId> {
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
                let stored = instance.payload.as_ref().map(Stored::sym);
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
            Kind::View {
                dict,
                part,
                ordered,
            } => Fresh::Call(view_method(part, ordered), vec![self.recipe(out, &dict)?]),
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
}
