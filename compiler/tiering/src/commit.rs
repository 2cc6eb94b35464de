//! The commit: makes a region's state updates visible, all at once, after every assert held.
//!
//! In: a plan, its nodes' values, the graph's outputs. Out: the frame brought forward, or the
//! return value. Always: nothing of Python's was written before; updates happen in the plan's order.

use std::collections::HashSet;
use std::rc::Rc;

use janus_codegen::Out;
use janus_interp::{Entry, Frame, Interp};
use janus_object::{
    Args, Bool, Instance, Name, Payload, PyCell, PyDict, PyFunction, PyList, PyMethod, PyRef,
    PyResult, PySlice, Raised, Value, Vm, fields, text, types,
};
use janus_plan::{
    Commit, Exit, Fresh, GradName, History as Planned, Plan, Recipe, RecipeId, RowForm, TextPiece,
    Wrote,
};
use janus_tensor::autograd::Node;
use janus_tensor::ops::Prim;
use janus_tensor::{
    DType, Device, DeviceGuard, Dim, Eager, Ops, Scalar, Tensor, TensorError, inplace,
};

use crate::enter::Run;
use crate::guard::Values;
use crate::history::{self, History};
use crate::region::Version;

/// Makes Python's values of what a graph computed.
pub(crate) struct Maker<'a> {
    plan: &'a Plan,
    nodes: &'a Values,
    /// The region's node on the tape.
    history: Option<Rc<Node>>,
    /// What is made is looked at only: it gets no place on the tape.
    apart: bool,
    outs: Vec<Option<Out>>,
    made: Vec<Option<Value>>,
    /// Tensors made, with the output each shows.
    outputs: Vec<(usize, Tensor)>,
}

pub(crate) fn broken(what: &str) -> Raised {
    Raised::system_error(format!("janus-jit: bad plan: {what}"))
}

/// Attributes that a recursion kept, with the objects that get them.
pub(crate) type KeptFields<'a> = Vec<(PyRef<Instance>, &'a Name, Value)>;

/// Carries out a plan's commits and leaves the region. `None`: a recursion met an object twice, and nothing was done.
pub(crate) fn commit(
    vm: &mut Interp,
    frame: &mut Frame,
    version: &Rc<Version>,
    nodes: &Values,
    ran: Run,
) -> Option<Entry> {
    let plan = &version.plan;
    let mut maker = Maker::new(plan, nodes, ran.outs);
    let kept = match maker.kept(vm) {
        Ok(kept) => kept?,
        Err(raised) => return Some(Entry::Raise(raised)),
    };
    // What the backward pass needs is kept as it is before anything is written.
    let history = match &plan.backward {
        Some(backward) => {
            let drawn = (ran.draws.as_slice(), ran.drawn.as_ref());
            match History::begin(version, backward, nodes, drawn, &maker.outs) {
                Ok(history) => Some(history),
                Err(raised) => return Some(Entry::Raise(raised)),
            }
        }
        None => None,
    };
    maker.history = history.as_ref().and_then(|h| h.node.clone());
    Some(match maker.run(vm, frame, kept) {
        Ok(entry) => {
            if let Some(history) = history {
                history.complete(maker.outputs, maker.outs);
            }
            entry
        }
        Err(raised) => Entry::Raise(raised),
    })
}

/// Gives tensors the history that they had in a graph that was consumed: `made_by` says for each that required grad
/// which of its names `grad_fn` has.
fn put_on_tapes(
    values: &[Value],
    tapes: &[Option<Rc<[Rc<str>]>>],
    made_by: &[Value],
) -> PyResult<()> {
    let mut pending: Vec<Value> = values.iter().rev().cloned().collect();
    let (mut tapes, mut made_by) = (tapes.iter(), made_by.iter());
    while let Some(value) = pending.pop() {
        if let Some(tuple) = value.as_tuple() {
            pending.extend(tuple.items.iter().rev().cloned());
        }
        let Some(tensor) = value.foreign::<Tensor>() else {
            continue;
        };
        let Some(Some(names)) = tapes.next() else {
            continue;
        };
        let at = made_by.next().and_then(Value::as_int);
        let name = at.and_then(|i| names.get(usize::try_from(i).ok()?));
        let name = name.ok_or_else(|| broken("no name"))?;
        history::consume(tensor, name.to_string()).map_err(janus_torch::call::raised)?;
    }
    Ok(())
}

impl<'a> Maker<'a> {
    pub fn new(plan: &'a Plan, nodes: &'a Values, outs: Vec<Out>) -> Self {
        Maker {
            plan,
            nodes,
            history: None,
            apart: false,
            outs: outs.into_iter().map(Some).collect(),
            made: vec![None; plan.recipes.len()],
            outputs: Vec::new(),
        }
    }

    /// One whose values nobody but the caller sees.
    pub fn apart(plan: &'a Plan, nodes: &'a Values, outs: Vec<Out>) -> Self {
        Maker {
            apart: true,
            ..Maker::new(plan, nodes, outs)
        }
    }

    /// The plan that it follows.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// What recursions kept in attributes of their objects; `None`: one of these was met twice. To be called before
    /// anything ran or was written since the graph did: the objects are only known to be alive by then.
    pub fn kept(&mut self, vm: &mut Interp) -> PyResult<Option<KeptFields<'a>>> {
        let plan = self.plan;
        let mut kept = Vec::new();
        for commit in &plan.commits {
            let Commit::Fields { rows, names, tapes } = commit else {
                continue;
            };
            let required = tapes.iter().flatten().count();
            let mut met = HashSet::new();
            for row in self.items(vm, *rows)? {
                let parts = row.as_tuple().ok_or_else(|| broken("not a tuple"))?;
                let Some((Value::Int(address), parts)) = parts.items.split_first() else {
                    return Err(broken("no address"));
                };
                let Some((made_by, values)) = parts.split_at_checked(required) else {
                    return Err(broken("no values"));
                };
                put_on_tapes(values, tapes, made_by)?;
                if !met.insert(*address) {
                    return Ok(None);
                }
                // SAFETY: the graph read it of what was reachable at entry, asserted that it is an instance, and no
                // Python ran since.
                let instance = unsafe { fields::instance_at(*address) };
                for (name, value) in names.iter().zip(values) {
                    kept.push((instance.clone(), name, value.clone()));
                }
            }
        }
        Ok(Some(kept))
    }

    fn run(&mut self, vm: &mut Interp, frame: &mut Frame, kept: KeptFields<'_>) -> PyResult<Entry> {
        // New content of tensors first: views made below show it.
        for commit in &self.plan.commits {
            if let Commit::UpdateTensor {
                tensor,
                out,
                wrote,
                counted,
                history,
            } = commit
            {
                let target = self.node(tensor.0)?;
                let target = target
                    .foreign::<Tensor>()
                    .ok_or_else(|| broken("not a tensor"))?;
                let written = match counted {
                    true => target.clone(),
                    false => target.data(),
                };
                let Some(Out::Tensor { buffer, .. }) =
                    self.outs.get_mut(*out as usize).and_then(Option::take)
                else {
                    return Err(broken("output is no tensor"));
                };
                let done = match wrote {
                    Wrote::Always => inplace::assign_buffer(&written, buffer),
                    Wrote::IfChanged => inplace::assign_if_changed(&written, buffer),
                    Wrote::If(n) if self.happens(Some(*n))? => {
                        inplace::assign_buffer(&written, buffer)
                    }
                    Wrote::If(_) => Ok(()),
                };
                done.map_err(janus_torch::call::raised)?;
                if let Some(history) = history {
                    self.set_history(target, history)?;
                }
                self.outputs.push((*out as usize, target.clone()));
            }
        }
        for (instance, name, value) in kept {
            instance.dict().set_name(name, value);
        }
        for commit in &self.plan.commits {
            self.apply(vm, frame, commit)?;
        }
        match &self.plan.exit {
            Exit::Return(id) => Ok(Entry::Return(self.make(vm, *id)?)),
            Exit::LoopHead { pc, depth, locals } => {
                self.set_locals(vm, frame, locals)?;
                frame.stack.truncate(*depth as usize);
                frame.pc = *pc;
                Ok(Entry::Resume)
            }
            Exit::Call {
                pc,
                depth,
                stack,
                locals,
            } => {
                let mut values = Vec::with_capacity(stack.len());
                for id in stack {
                    values.push(id.map(|id| self.make(vm, id)).transpose()?);
                }
                self.set_locals(vm, frame, locals)?;
                frame.stack.truncate(*depth as usize);
                frame.stack.extend(values);
                frame.pc = *pc;
                Ok(Entry::Resume)
            }
        }
    }

    fn set_locals(
        &mut self,
        vm: &mut Interp,
        frame: &mut Frame,
        locals: &[(u32, Option<RecipeId>)],
    ) -> PyResult<()> {
        for (i, value) in locals {
            let value = self.make_if_set(vm, *value)?;
            if let Some(slot) = frame.locals.get_mut(*i as usize) {
                *slot = value;
            }
        }
        Ok(())
    }

    /// What a name is set to; `None`: it is not set.
    pub fn make_if_set(
        &mut self,
        vm: &mut Interp,
        id: Option<RecipeId>,
    ) -> PyResult<Option<Value>> {
        let Some(id) = id else { return Ok(None) };
        match self.plan.recipes.get(id as usize) {
            Some(&Recipe::Maybe { condition, value }) => match self.scalar_out(condition)? {
                Value::Bool(Bool::True) => self.make(vm, value).map(Some),
                _ => Ok(None),
            },
            _ => self.make(vm, id).map(Some),
        }
    }

    pub fn node(&self, id: u32) -> PyResult {
        self.nodes
            .get(id as usize)
            .cloned()
            .flatten()
            .ok_or_else(|| broken("node without a value"))
    }

    fn scalar_out(&self, n: u32) -> PyResult {
        match self.outs.get(n as usize).and_then(Option::as_ref) {
            Some(Out::F64(f)) => Ok(Value::float(*f)),
            Some(Out::I64(i)) => Ok(Value::Int(*i)),
            Some(Out::Bool(b)) => Ok(Value::bool(*b)),
            _ => Err(broken("output is no number")),
        }
    }

    pub fn happens(&self, condition: Option<u32>) -> PyResult<bool> {
        match condition {
            Some(n) => Ok(matches!(self.scalar_out(n)?, Value::Bool(Bool::True))),
            None => Ok(true),
        }
    }

    pub fn tensor_out(&mut self, n: u32, dtype: DType, device: Device) -> PyResult<Tensor> {
        let _guard = DeviceGuard::new(device);
        match self.outs.get_mut(n as usize).and_then(Option::take) {
            Some(Out::Tensor { buffer, sizes }) => {
                Tensor::from_buffer(buffer, &sizes, dtype).map_err(janus_torch::call::raised)
            }
            _ => Err(broken("output is no tensor")),
        }
    }

    /// Gives a new tensor its place on the tape.
    fn set_history(&self, tensor: &Tensor, history: &Planned) -> PyResult<()> {
        let done = match history {
            Planned::None => Ok(()),
            Planned::Leaf => tensor.set_requires_grad(true),
            Planned::Consumed(name) => history::consume(tensor, self.grad_name(name)?),
            Planned::OutOfDate(leaf, name) => {
                let leaf = self.node(leaf.0)?;
                let leaf = leaf
                    .foreign::<Tensor>()
                    .ok_or_else(|| broken("not a tensor"))?;
                // What it is now was one write.
                let expected = leaf.version().saturating_sub(1);
                history::out_of_date(tensor, leaf, expected, self.grad_name(name)?)
            }
            Planned::Either(condition, sides) => {
                let first = matches!(self.scalar_out(*condition)?, Value::Bool(Bool::True));
                return self.set_history(tensor, if first { &sides.0 } else { &sides.1 });
            }
            Planned::Output(index, name) => match &self.history {
                Some(node) => {
                    history::attach(tensor, node, *index as usize, self.grad_name(name)?);
                    Ok(())
                }
                None if self.apart => tensor.set_requires_grad(true),
                None => Ok(()),
            },
        };
        done.map_err(janus_torch::call::raised)
    }

    fn grad_name(&self, name: &GradName) -> PyResult<String> {
        match name {
            GradName::Of(name) => Ok(name.to_string()),
            GradName::Either(condition, names) => {
                let first = matches!(self.scalar_out(*condition)?, Value::Bool(Bool::True));
                self.grad_name(if first { &names.0 } else { &names.1 })
            }
        }
    }

    pub fn make(&mut self, vm: &mut Interp, id: RecipeId) -> PyResult {
        let at = id as usize;
        if let Some(Some(value)) = self.made.get(at) {
            return Ok(value.clone());
        }
        let plan = self.plan;
        let recipe = plan
            .recipes
            .get(at)
            .ok_or_else(|| broken("no such recipe"))?;
        let value = match recipe {
            Recipe::Const(v) => v.clone(),
            Recipe::Node(n) => self.node(n.0)?,
            Recipe::Scalar(n) => self.scalar_out(*n)?,
            Recipe::Tensor(t) => {
                let tensor = self.tensor_out(t.out, t.dtype, t.device)?;
                self.set_history(&tensor, &t.history)?;
                if plan.backward.is_some() {
                    self.outputs.push((t.out as usize, tensor.clone()));
                }
                if PyRef::ptr_eq(&t.class, &janus_torch::objects::classes().tensor) {
                    janus_torch::wrap(tensor)
                } else {
                    janus_torch::objects::wrap_as(&t.class, tensor)
                }
            }
            Recipe::OneOf {
                condition,
                then,
                otherwise,
            } => match self.scalar_out(*condition)? {
                Value::Bool(Bool::True) => self.make(vm, *then)?,
                _ => self.make(vm, *otherwise)?,
            },
            Recipe::Maybe { .. } => return Err(broken("a name that may not be set is a value")),
            Recipe::View {
                base,
                prim,
                symbols,
                grad_name,
                one_of_several,
                noted,
            } => {
                let base = self.make(vm, *base)?;
                let base = base
                    .foreign::<Tensor>()
                    .cloned()
                    .ok_or_else(|| broken("view of no tensor"))?;
                let mut numbers = Vec::with_capacity(symbols.len());
                for (symbol, out) in symbols {
                    match self.scalar_out(*out)? {
                        Value::Int(n) => numbers.push((*symbol, n)),
                        _ => return Err(broken("extent is no int")),
                    }
                }
                let number = |s| numbers.iter().find(|(t, _)| *t == s).map_or(0, |(_, n)| *n);
                let prim = prim.with_symbols(&|s| Dim::Known(number(s)));
                // Without a gradient on either side, only what is a view of what is noted.
                let grad = janus_tensor::autograd::set_grad_enabled(grad_name.is_some());
                let view = Eager.apply(prim, &[&base]);
                janus_tensor::autograd::set_grad_enabled(grad);
                let view = view.map_err(janus_torch::call::raised)?;
                view.set_unrecorded_view(!noted || base.is_unrecorded_view());
                if let (Some(name), Some(node)) = (grad_name, view.grad_fn()) {
                    node.set_name(self.grad_name(name)?);
                }
                if let Some(index) = *one_of_several {
                    view.set_one_of_several(index);
                }
                janus_torch::wrap(view)
            }
            Recipe::Data(base) => {
                let base = self.make(vm, *base)?;
                let base = base
                    .foreign::<Tensor>()
                    .ok_or_else(|| broken("data of no tensor"))?;
                janus_torch::wrap(base.data())
            }
            Recipe::Fresh(fresh) => return self.fresh(vm, at, fresh),
        };
        self.keep(at, &value);
        Ok(value)
    }

    fn keep(&mut self, at: usize, value: &Value) {
        if let Some(slot) = self.made.get_mut(at) {
            *slot = Some(value.clone());
        }
    }

    fn make_all(&mut self, vm: &mut Interp, ids: &[RecipeId]) -> PyResult<Vec<Value>> {
        ids.iter().map(|&id| self.make(vm, id)).collect()
    }

    /// Those that are there.
    fn make_some(
        &mut self,
        vm: &mut Interp,
        items: &[(RecipeId, Option<u32>)],
    ) -> PyResult<Vec<Value>> {
        let mut made = Vec::with_capacity(items.len());
        for (item, condition) in items {
            if self.happens(*condition)? {
                made.push(self.make(vm, *item)?);
            }
        }
        Ok(made)
    }

    /// The items of a list that is made.
    pub fn items(&mut self, vm: &mut Interp, id: RecipeId) -> PyResult<Vec<Value>> {
        let list = self.make(vm, id)?;
        let list = list.as_list().ok_or_else(|| broken("not a list"))?;
        Ok(list.items.borrow().clone())
    }

    /// The items that are rows of tensors, each an object of its own.
    fn rows(&mut self, vm: &mut Interp, form: &RowForm) -> PyResult<Vec<Value>> {
        let raised = janus_torch::call::raised;
        Ok(match form {
            RowForm::Number(id) => {
                let t = self.tensor(vm, *id)?;
                let mut items = Vec::new();
                for i in 0..t.shape().first().copied().unwrap_or(0) {
                    let row = row_of(&t, i).map_err(raised)?;
                    items.push(match Eager.item(&row).map_err(raised)? {
                        Scalar::F64(f) => Value::float(f),
                        Scalar::I64(n) => Value::Int(n),
                        Scalar::U64(n) => Value::big(n.into()),
                        Scalar::Bool(b) => Value::bool(b),
                        Scalar::C128(c) => janus_object::complex_value(c.re, c.im),
                    });
                }
                items
            }
            RowForm::Tensor(id, name) => {
                let t = self.tensor(vm, *id)?;
                let grad = janus_tensor::autograd::set_grad_enabled(t.requires_grad());
                let count = t.shape().first().copied().unwrap_or(0);
                let items =
                    (0..count).map(|i| Eager.apply(Prim::Cast(t.dtype()), &[&row_of(&t, i)?]));
                let items: Result<Vec<Tensor>, _> = items.collect();
                janus_tensor::autograd::set_grad_enabled(grad);
                let items = items.map_err(raised)?;
                for item in &items {
                    if let Some(node) = item.grad_fn() {
                        node.set_name(name.to_string());
                    }
                }
                items.into_iter().map(janus_torch::wrap).collect()
            }
            RowForm::Tuple(class, forms) => {
                let mut columns = Vec::with_capacity(forms.len());
                let mut count = None;
                for form in forms {
                    let column = self.rows(vm, form)?;
                    if !form.is_constant() {
                        count.get_or_insert(column.len());
                    }
                    columns.push((form.is_constant(), column));
                }
                let item = |i: usize| {
                    let parts = columns.iter().map(|(constant, column)| {
                        let at = if *constant { 0 } else { i };
                        column.get(at).cloned().unwrap_or(Value::None)
                    });
                    let tuple = Value::tuple(parts.collect::<Vec<Value>>());
                    match tuple {
                        Value::Tuple(tuple) if !PyRef::ptr_eq(class, &types().tuple) => {
                            let payload = Payload::Tuple(tuple);
                            Value::Instance(PyRef::new(Instance::new(class.clone(), payload)))
                        }
                        plain => plain,
                    }
                };
                (0..count.unwrap_or(1)).map(item).collect()
            }
            RowForm::Same(v) => vec![v.clone()],
        })
    }

    fn tensor(&mut self, vm: &mut Interp, id: RecipeId) -> PyResult<Tensor> {
        let made = self.make(vm, id)?;
        let tensor = made.foreign::<Tensor>().cloned();
        tensor.ok_or_else(|| broken("rows of no tensor"))
    }

    fn fresh(&mut self, vm: &mut Interp, at: usize, fresh: &Fresh) -> PyResult {
        let value = match fresh {
            Fresh::Tuple(items) => Value::tuple(self.make_all(vm, items)?),
            Fresh::List(items) => {
                let list = Value::list(Vec::with_capacity(items.len()));
                self.keep(at, &list);
                let items = self.make_some(vm, items)?;
                if let Some(l) = list.as_list() {
                    *l.items.borrow_mut() = items;
                }
                list
            }
            Fresh::Rows(form, last, turned) => {
                let mut items = self.rows(vm, form)?;
                items.extend(self.make_all(vm, last)?);
                if *turned {
                    items.reverse();
                }
                Value::list(items)
            }
            Fresh::Item(list, at) => {
                let items = self.items(vm, *list)?;
                let at = self.scalar_out(*at)?.as_int();
                let item = at.and_then(|i| items.get(usize::try_from(i).ok()?));
                item.cloned().ok_or_else(|| broken("no such item"))?
            }
            Fresh::Dict(entries) => {
                let dict = PyRef::new(PyDict::new());
                self.keep(at, &Value::Dict(dict.clone()));
                for (k, v) in entries {
                    let (k, v) = (self.make(vm, *k)?, self.make(vm, *v)?);
                    dict.set(vm, k, v)?;
                }
                Value::Dict(dict)
            }
            Fresh::Set(items) => {
                let items = Value::list(self.make_all(vm, items)?);
                vm.call(
                    &Value::Class(janus_object::types().set.clone()),
                    Args::new(&[items]),
                )?
            }
            Fresh::Instance(class, stored, attrs) => {
                let payload = match stored.map(|id| self.make(vm, id)).transpose()? {
                    None => Payload::None,
                    Some(Value::List(list)) => Payload::List(list),
                    Some(Value::Tuple(tuple)) => Payload::Tuple(tuple),
                    Some(Value::Dict(dict)) => Payload::Dict(dict),
                    Some(
                        v @ (Value::Int(_)
                        | Value::Float(_)
                        | Value::Bool(_)
                        | Value::BigInt(_)
                        | Value::Str(_)),
                    ) => Payload::Wrapped(v),
                    Some(_) => return Err(broken("an object of an unknown kind")),
                };
                let instance = PyRef::new(Instance::new(class.clone(), payload));
                self.keep(at, &Value::Instance(instance.clone()));
                for (name, id) in attrs {
                    let v = self.make(vm, *id)?;
                    instance.dict().set_name(name, v);
                }
                Value::Instance(instance)
            }
            Fresh::Method(function, receiver) => Value::Method(PyRef::new(PyMethod {
                function: self.make(vm, *function)?,
                receiver: self.make(vm, *receiver)?,
            })),
            Fresh::Function(form) => {
                let defaults: Rc<[Value]> = self.make_all(vm, &form.defaults)?.into();
                let kw_defaults = match form.kw_defaults.as_slice() {
                    [] => None,
                    named => {
                        let dict = PyDict::new();
                        for (name, id) in named {
                            dict.set_name(name, self.make(vm, *id)?);
                        }
                        Some(PyRef::new(dict))
                    }
                };
                let mut closure = Vec::with_capacity(form.closure.len());
                for cell in self.make_all(vm, &form.closure)? {
                    match cell {
                        Value::Cell(cell) => closure.push(cell),
                        _ => return Err(broken("not a cell")),
                    }
                }
                let (code, globals) = (form.code.clone(), form.globals.clone());
                let function =
                    PyFunction::new(code, globals, defaults, kw_defaults, closure.into());
                Value::Function(PyRef::new(function))
            }
            Fresh::Cell(content) => {
                let cell = PyRef::new(PyCell::new(None));
                self.keep(at, &Value::Cell(cell.clone()));
                let content = content.map(|id| self.make(vm, id)).transpose()?;
                *cell.value.borrow_mut() = content;
                Value::Cell(cell)
            }
            Fresh::Slice([a, b, c]) => Value::Slice(PyRef::new(PySlice {
                start: self.make(vm, *a)?,
                stop: self.make(vm, *b)?,
                step: self.make(vm, *c)?,
            })),
            Fresh::Text(pieces) => {
                let mut s = String::new();
                for piece in pieces {
                    match piece {
                        TextPiece::Text(t) => s.push_str(t),
                        TextPiece::Format {
                            value,
                            conversion,
                            spec,
                        } => {
                            let v = self.make(vm, *value)?;
                            s.push_str(&format_piece(vm, &v, *conversion, spec)?);
                        }
                    }
                }
                Value::str(s)
            }
            Fresh::Call(function, args) => {
                let args = self.make_all(vm, args)?;
                vm.call(function, Args::new(&args))?
            }
        };
        self.keep(at, &value);
        Ok(value)
    }

    fn apply(&mut self, vm: &mut Interp, frame: &Frame, commit: &Commit) -> PyResult<()> {
        match commit {
            Commit::UpdateTensor { .. } | Commit::Fields { .. } => {}
            Commit::SetFrameCell { index, value } => {
                let value = self.make_if_set(vm, *value)?;
                if let Some(cell) = frame.cells.get(*index as usize) {
                    *cell.value.borrow_mut() = value;
                }
            }
            Commit::SetGrad { tensor, grad } => {
                let tensor = self.make(vm, *tensor)?;
                let tensor = tensor
                    .foreign::<Tensor>()
                    .ok_or_else(|| broken("not a tensor"))?
                    .clone();
                let grad = grad.map(|id| self.make(vm, id)).transpose()?;
                let grad = grad.as_ref().and_then(|g| g.foreign::<Tensor>()).cloned();
                tensor.set_grad(grad);
            }
            Commit::SetAttr {
                object,
                name,
                value,
            } => {
                let object = self.make(vm, *object)?;
                let Value::Instance(instance) = &object else {
                    return Err(broken("not an instance"));
                };
                match value {
                    Some(id) => {
                        let v = self.make(vm, *id)?;
                        instance.dict().set_name(name, v);
                    }
                    None => {
                        instance.dict().remove_name(name);
                    }
                }
            }
            Commit::SetGlobal {
                namespace,
                name,
                value,
            } => {
                let v = self.make_if_set(vm, *value)?;
                namespace.set(name, v);
            }
            Commit::SetList { list, items } => {
                let items = self.make_all(vm, items)?;
                let list = self.make(vm, *list)?;
                let list = list.as_list().ok_or_else(|| broken("not a list"))?;
                *list.items.borrow_mut() = items;
            }
            Commit::Append {
                list,
                items,
                more,
                dropped,
            } => {
                let mut grown = self.make_some(vm, items)?;
                if let Some(more) = more {
                    grown.extend(self.items(vm, *more)?);
                }
                let list = self.make(vm, *list)?;
                let list = list.as_list().ok_or_else(|| broken("not a list"))?;
                let mut items = list.items.borrow_mut();
                items.extend(grown);
                let count = (*dropped).min(items.len());
                let gone: Vec<Value> = items.drain(..count).collect();
                // What goes with them may look at the list.
                drop(items);
                drop(gone);
            }
            Commit::Add { set, items } => {
                let items = self.make_all(vm, items)?;
                let set = self.make(vm, *set)?;
                let Value::Set(set) = &set else {
                    return Err(broken("not a set"));
                };
                for item in items {
                    set.add(vm, item)?;
                }
            }
            Commit::Discard { set, item } => {
                let item = self.make(vm, *item)?;
                let set = self.make(vm, *set)?;
                let Value::Set(set) = &set else {
                    return Err(broken("not a set"));
                };
                set.remove(vm, &item)?;
            }
            Commit::SetItem {
                container,
                key,
                value,
            } => {
                let container = self.make(vm, *container)?;
                let key = self.make(vm, *key)?;
                if let (Some(list), Some(id)) = (container.as_list(), value) {
                    let v = self.make(vm, *id)?;
                    replace(list, &key, v)?;
                    return Ok(());
                }
                let dict = container.as_dict();
                let dict = dict.ok_or_else(|| broken("not a dict"))?.clone();
                match value {
                    Some(id) => {
                        let v = self.make(vm, *id)?;
                        dict.set(vm, key, v)?;
                    }
                    None => {
                        dict.remove(vm, &key)?;
                    }
                }
            }
            Commit::SetCell { cell, value } => {
                let v = value.map(|id| self.make(vm, id)).transpose()?;
                *cell.value.borrow_mut() = v;
            }
            Commit::Call {
                condition,
                function,
                args,
                kwargs,
            } => {
                if !self.happens(*condition)? {
                    return Ok(());
                }
                let args = self.make_all(vm, args)?;
                let mut kw = Vec::with_capacity(kwargs.len());
                for (name, id) in kwargs {
                    kw.push((name.clone(), self.make(vm, *id)?));
                }
                vm.call(
                    function,
                    Args {
                        pos: &args,
                        kw: &kw,
                    },
                )?;
            }
        }
        Ok(())
    }
}

/// `list[index] = v`, where there is such an item.
fn replace(list: &PyList, index: &Value, v: Value) -> PyResult<()> {
    let at = index.as_int().and_then(|i| usize::try_from(i).ok());
    let mut items = list.items.borrow_mut();
    let place = at.and_then(|at| items.get_mut(at));
    let place = place.ok_or_else(|| broken("no such item"))?;
    let old = std::mem::replace(place, v);
    // What goes may look at the list.
    drop(items);
    drop(old);
    Ok(())
}

fn format_piece(vm: &mut Interp, v: &Value, conversion: u32, spec: &str) -> PyResult<String> {
    use janus_bytecode::FormatConversion as C;
    match conversion {
        C::NONE => text::format(vm, v, spec),
        _ => {
            let s = match conversion {
                C::STR => text::str(vm, v)?,
                C::REPR => text::repr(vm, v)?,
                _ => text::ascii(vm, v)?,
            };
            if spec.is_empty() {
                Ok(s)
            } else {
                text::format(vm, &Value::str(s), spec)
            }
        }
    }
}

/// Row `i` of a tensor.
fn row_of(t: &Tensor, i: i64) -> Result<Tensor, TensorError> {
    let mut sizes: Vec<Dim> = t.shape().iter().map(|&n| Dim::Known(n)).collect();
    let mut starts = vec![Dim::Known(0); sizes.len()];
    let shape: Vec<Dim> = sizes.iter().skip(1).copied().collect();
    if let (Some(start), Some(size)) = (starts.first_mut(), sizes.first_mut()) {
        (*start, *size) = (Dim::Known(i), Dim::Known(1));
    }
    let row = Eager.slice(t, &starts, &sizes, &vec![1; starts.len()])?;
    Eager.reshape(&row, &shape)
}
