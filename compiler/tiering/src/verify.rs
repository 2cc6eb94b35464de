//! `--verify`: a region runs in tier 2 and in tier 0, and what they made is compared to the bit.
//!
//! In: the outputs of a run of compiled code, nothing of which was committed. Out: the region as tier 0
//! left it, or the first difference: of values, or of which tensors are one or share memory. Always: the
//! script's state is tier 0's. What deferred calls print is not compared, nor is the tape: a backward pass
//! across regions is tier 0's own here.

use std::collections::HashSet;

use janus_bytecode::{Code, Opcode};
use janus_codegen::Out;
use janus_interp::{Entry, Frame, Interp, Reached};
use janus_object::{ExcKind, PyRef, PyResult, Raised, Value, ops, text};
use janus_plan::{Commit, Exit, Recipe, RecipeId};
use janus_tensor::alloc::Buffer;
use janus_tensor::{Scalar, Tensor};

use crate::Tiering;
use crate::commit::{KeptFields, Maker, broken};
use crate::enter::Run;
use crate::guard::Values;
use crate::region::{Region, Version};

/// Objects within objects that are compared.
const DEPTH: usize = 32;
/// Tensors at most between which relations are compared.
const MAX_MET: usize = 256;
/// Elements at most of tensors whose places in one storage are compared.
const MAX_ELEMENTS: i64 = 4096;

/// Where the tiers differ.
struct Difference {
    /// What it is, in the script's words.
    name: String,
    /// Its line, if an assignment shows it.
    line: Option<u32>,
    compiled: String,
    interpreted: String,
}

/// What was found: a difference, in its place.
type Found = Option<Difference>;

/// Makes what was computed wrong: a test of `--verify`.
pub(crate) fn spoil(outs: &mut [Out]) {
    for out in outs {
        match out {
            Out::F64(f) => *f += 1.0,
            Out::Tensor { buffer, .. } => {
                if let Ok(zeros) = Buffer::zeroed(buffer.len()) {
                    *buffer = zeros;
                }
            }
            Out::I64(_) | Out::Bool(_) => {}
        }
    }
}

impl Tiering {
    /// Lets tier 0 run the region and compares what `ran` holds with what it made.
    pub(crate) fn verify(
        &self,
        vm: &mut Interp,
        frame: &mut Frame,
        region: &Region,
        version: &Version,
        nodes: &Values,
        ran: Run,
    ) -> Entry {
        let plan = &version.plan;
        let stop = match &plan.exit {
            Exit::Return(_) => None,
            Exit::LoopHead { pc, .. } | Exit::Call { pc, .. } => Some(*pc),
        };
        let before: Vec<Option<usize>> =
            plan.commits.iter().map(|c| grown(nodes, plan, c)).collect();
        let mut maker = Maker::apart(plan, nodes, ran.outs);
        // The objects have to be held before Python runs.
        let kept = maker.kept(vm);
        let reached = vm.run_until(frame, stop);
        let code = &region.code.code;
        let mut check = Check {
            vm,
            maker,
            code,
            met: Vec::new(),
        };
        let twice = matches!(kept, Ok(None));
        let kept = kept.and_then(|kept| check.kept(kept.unwrap_or_default()));
        // A commit may put something else there.
        check.met.clear();
        let (entry, found) = match reached {
            Ok(Reached::Stop(reached)) => {
                let found = check.state(&reached, &before).and_then(|found| {
                    Ok(match found {
                        None => check.exit(&plan.exit, &reached)?,
                        found => found,
                    })
                });
                frame.locals = reached.locals;
                frame.stack = reached.stack;
                frame.pc = reached.pc;
                (Entry::Resume, found)
            }
            Ok(Reached::Return(value)) => {
                let found = match &plan.exit {
                    Exit::Return(id) => check.state(frame, &before).and_then(|found| {
                        Ok(match found {
                            None => check.result(*id, &value)?,
                            found => found,
                        })
                    }),
                    _ => Ok(way("the region's end", "a return")),
                };
                (Entry::Return(value), found)
            }
            Ok(Reached::Yield) => {
                let found = Ok(way("the region's end", "a yield"));
                (Entry::Interpret, found)
            }
            // Calls inlined in a graph are not counted: with few left, tier 0 raises earlier.
            Err(raised) if raised.is(ExcKind::RecursionError) => (Entry::Raise(raised), Ok(None)),
            Err(raised) => {
                let what = text::repr(check.vm, &Value::Instance(raised.0.clone()));
                let what = what.unwrap_or_else(|_| "an exception".to_owned());
                (Entry::Raise(raised), Ok(way("the region's end", &what)))
            }
        };
        let found = match kept {
            // One that met an object twice commits nothing.
            Ok(_) if twice => Ok(None),
            kept => kept.and_then(|kept| Ok(kept.or(found?))),
        };
        let found = found.unwrap_or_else(|raised| {
            let what = text::repr(check.vm, &Value::Instance(raised.0));
            way("a plan that can be carried out", &what.unwrap_or_default())
        });
        let Some(found) = found else { return entry };
        let line = found.line.unwrap_or_else(|| region.line());
        let message = format!(
            "--verify: {}:{line}: in {}, {} is {} in tier 2 and {} in tier 0",
            code.filename, code.qualname, found.name, found.compiled, found.interpreted
        );
        self.difference.borrow_mut().get_or_insert(message);
        Entry::Raise(Raised::with_args(
            ExcKind::SystemExit,
            vec![Value::Int(i64::from(EXIT_DEFECT))],
        ))
    }

    /// The first difference that `--verify` found.
    #[must_use]
    pub fn difference(&self) -> Option<String> {
        self.difference.borrow().clone()
    }
}

/// The exit code for a defect of janus-jit (`EX_SOFTWARE`).
pub const EXIT_DEFECT: i32 = 70;

/// The tiers took different ways.
fn way(compiled: &str, interpreted: &str) -> Found {
    Some(Difference {
        name: "where it goes".to_owned(),
        line: None,
        compiled: compiled.to_owned(),
        interpreted: interpreted.to_owned(),
    })
}

/// How many items a list has that a commit appends to, of those that it keeps.
fn grown(nodes: &Values, plan: &janus_plan::Plan, commit: &Commit) -> Option<usize> {
    let Commit::Append { list, dropped, .. } = commit else {
        return None;
    };
    let Recipe::Node(id) = plan.recipes.get(*list as usize)? else {
        return None;
    };
    let list = nodes.get(id.0 as usize)?.as_ref()?.as_list()?;
    Some(list.items.borrow().len().saturating_sub(*dropped))
}

struct Check<'a> {
    vm: &'a mut Interp,
    maker: Maker<'a>,
    code: &'a Code,
    /// Tensors that were compared: what tier 2 made, and what tier 0 made.
    met: Vec<(Tensor, Tensor)>,
}

/// How two tensors are related, as a script can see it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    Shared,
    Apart,
}

impl Relation {
    /// `None`: there are too many elements to tell.
    fn of(a: &Tensor, b: &Tensor) -> Option<Relation> {
        if a.same(b) {
            return Some(Relation::Same);
        }
        if !a.shares_storage(b) {
            return Some(Relation::Apart);
        }
        if a.numel().max(b.numel()) > MAX_ELEMENTS {
            return None;
        }
        let (a, b) = (places(a), places(b));
        match a.iter().any(|place| b.contains(place)) {
            true => Some(Relation::Shared),
            false => Some(Relation::Apart),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Relation::Same => "the same tensor",
            Relation::Shared => "in the same memory",
            Relation::Apart => "in other memory",
        }
    }
}

/// Where in its storage the elements of a tensor lie.
fn places(t: &Tensor) -> HashSet<i64> {
    let mut places = HashSet::from([t.storage_offset()]);
    for (&extent, &stride) in t.shape().as_slice().iter().zip(t.strides().as_slice()) {
        let along = |place: i64| (0..extent).map(move |i| place + i * stride);
        places = places.into_iter().flat_map(along).collect();
    }
    places
}

impl Check<'_> {
    /// Compares what the plan commits with what is there.
    fn state(&mut self, frame: &Frame, before: &[Option<usize>]) -> PyResult<Found> {
        let plan = self.maker.plan();
        for (at, commit) in plan.commits.iter().enumerate() {
            let found = self.commit(frame, commit, before.get(at).copied().flatten(), at)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Compares what recursions kept in their objects.
    fn kept(&mut self, kept: KeptFields<'_>) -> PyResult<Found> {
        for (instance, name, compiled) in kept {
            let now = instance.dict().get_name(name).unwrap_or(Value::None);
            let shown = format!("{}.{name}", instance.class().display_name());
            let line = self.line(Opcode::StoreAttr, &self.code.names, name.as_str());
            let found = self.compare(&shown, line, &compiled, &now)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// An object that was there at entry. Those that the region made are compared where they are
    /// referred to.
    fn place(&self, id: RecipeId) -> PyResult<Option<Value>> {
        match self.maker.plan().recipes.get(id as usize) {
            Some(Recipe::Node(n)) => Ok(Some(self.maker.node(n.0)?)),
            Some(Recipe::Const(value)) => Ok(Some(value.clone())),
            _ => Ok(None),
        }
    }

    fn commit(
        &mut self,
        frame: &Frame,
        commit: &Commit,
        before: Option<usize>,
        at: usize,
    ) -> PyResult<Found> {
        match commit {
            Commit::UpdateTensor { tensor, out, .. } => {
                let target = self.maker.node(tensor.0)?;
                let Some(target) = target.foreign::<Tensor>() else {
                    return Err(broken("not a tensor"));
                };
                let made = self
                    .maker
                    .tensor_out(*out, target.dtype(), target.device())?;
                let wanted = made.set_requires_grad(target.requires_grad());
                wanted.map_err(janus_torch::call::raised)?;
                let node = self.maker.plan().nodes.get(tensor.0 as usize);
                let name = node.map_or_else(String::new, |n| n.path.to_string());
                Ok(tensors(&name, &made, target)?)
            }
            Commit::SetGrad { tensor, grad } => {
                let Some(target) = self.place(*tensor)? else {
                    return Ok(None);
                };
                let now = target.foreign::<Tensor>().and_then(Tensor::grad);
                let now = now.map_or(Value::None, janus_torch::wrap);
                let made = match grad {
                    Some(id) => self.maker.make(self.vm, *id)?,
                    None => Value::None,
                };
                let name = format!("{}.grad", self.name_of(*tensor));
                self.compare(&name, None, &made, &now)
            }
            Commit::SetAttr {
                object,
                name,
                value,
            } => {
                let Some(target) = self.place(*object)? else {
                    return Ok(None);
                };
                let Value::Instance(instance) = &target else {
                    return Err(broken("not an instance"));
                };
                let now = instance.dict().get_name(name);
                let shown = format!("{}.{name}", self.name_of(*object));
                let line = self.line(Opcode::StoreAttr, &self.code.names, name.as_str());
                self.optional(&shown, line, *value, now)
            }
            Commit::SetGlobal {
                namespace,
                name,
                value,
            } => {
                let now = namespace.get(name);
                let line = self
                    .line(Opcode::StoreName, &self.code.names, name.as_str())
                    .or_else(|| self.line(Opcode::StoreGlobal, &self.code.names, name.as_str()));
                self.optional(&name.to_string(), line, *value, now)
            }
            Commit::SetList { list, items } => {
                let Some(target) = self.place(*list)? else {
                    return Ok(None);
                };
                let now = target.as_list().ok_or_else(|| broken("not a list"))?;
                let now = Value::list(now.items.borrow().clone());
                let mut made = Vec::with_capacity(items.len());
                for &id in items {
                    made.push(self.maker.make(self.vm, id)?);
                }
                let name = self.name_of(*list);
                self.compare(&name, None, &Value::list(made), &now)
            }
            Commit::Append {
                list, items, more, ..
            } => {
                let Some(target) = self.place(*list)? else {
                    return Ok(None);
                };
                let now = target.as_list().ok_or_else(|| broken("not a list"))?;
                let old = before.unwrap_or(0);
                let now: Vec<Value> = now.items.borrow().iter().skip(old).cloned().collect();
                let mut made = Vec::with_capacity(items.len());
                for (id, condition) in items {
                    if self.maker.happens(*condition)? {
                        made.push(self.maker.make(self.vm, *id)?);
                    }
                }
                if let Some(more) = more {
                    made.extend(self.maker.items(self.vm, *more)?);
                }
                for (i, (made, now)) in made.iter_mut().zip(&now).enumerate() {
                    let index = Value::Int(i64::try_from(old + i).unwrap_or(i64::MAX));
                    if self.is_set_again(*list, &index, at)? {
                        made.clone_from(now);
                    }
                }
                let name = format!("{}[{old}:]", self.name_of(*list));
                self.compare(&name, None, &Value::list(made), &Value::list(now))
            }
            Commit::Add { set, items } => {
                let Some(Value::Set(target)) = self.place(*set)? else {
                    return Ok(None);
                };
                for &id in items {
                    let item = self.maker.make(self.vm, id)?;
                    if !target.contains(self.vm, &item)? {
                        let name = self.name_of(*set);
                        let (made, now) = (Value::bool(true), Value::bool(false));
                        return self.compare(&format!("an item in {name}"), None, &made, &now);
                    }
                }
                Ok(None)
            }
            Commit::Discard { set, item } => {
                let back = self.maker.plan().commits.get(at + 1);
                let is_back = matches!(back, Some(Commit::Add { items, .. }) if *items == [*item]);
                let Some(Value::Set(target)) = self.place(*set)? else {
                    return Ok(None);
                };
                let item = self.maker.make(self.vm, *item)?;
                if is_back || !target.contains(self.vm, &item)? {
                    return Ok(None);
                }
                let name = format!("an item in {}", self.name_of(*set));
                self.compare(&name, None, &Value::bool(false), &Value::bool(true))
            }
            Commit::SetItem {
                container,
                key,
                value,
            } => {
                let Some(target) = self.place(*container)? else {
                    return Ok(None);
                };
                let key = self.maker.make(self.vm, *key)?;
                if self.is_set_again(*container, &key, at)? {
                    return Ok(None);
                }
                let now = match (target.as_list(), key.as_int()) {
                    (Some(list), Some(i)) => usize::try_from(i).ok().and_then(|i| list.get(i)),
                    _ => {
                        let target = target.as_dict();
                        let target = target.ok_or_else(|| broken("not a dict"))?.clone();
                        target.get(self.vm, &key)?
                    }
                };
                let key = text::repr(self.vm, &key)?;
                let name = format!("{}[{key}]", self.name_of(*container));
                self.optional(&name, None, *value, now)
            }
            Commit::SetFrameCell { index, value } => {
                let at = *index as usize;
                let now = frame.cells.get(at).and_then(|c| c.value.borrow().clone());
                let mut names = self.code.cellvars.iter().chain(&self.code.freevars);
                let name = names.nth(at).map_or("a cell", |n| &**n).to_owned();
                let line = self.last(Opcode::StoreDeref, *index);
                self.optional(&name, line, *value, now)
            }
            Commit::SetCell { cell, value } => {
                let now = cell.value.borrow().clone();
                self.optional("a variable of a function around it", None, *value, now)
            }
            Commit::Call { .. } | Commit::Fields { .. } => Ok(None),
        }
    }

    /// Whether a later commit has the same key.
    fn is_set_again(&mut self, of: RecipeId, key: &Value, at: usize) -> PyResult<bool> {
        let plan = self.maker.plan();
        for commit in plan.commits.iter().skip(at + 1) {
            if let Commit::SetItem {
                container, key: k, ..
            } = commit
                && *container == of
            {
                let k = self.maker.make(self.vm, *k)?;
                let by_identity = key.foreign::<Tensor>().is_some();
                if ops::is(&k, key) || (!by_identity && ops::eq(self.vm, &k, key)?) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Compares locals and the stack where tier 0 goes on.
    fn exit(&mut self, exit: &Exit, frame: &Frame) -> PyResult<Found> {
        let (depth, stack, locals): (_, &[_], _) = match exit {
            Exit::Return(_) => return Ok(None),
            Exit::LoopHead { depth, locals, .. } => (*depth, &[], locals),
            Exit::Call {
                depth,
                stack,
                locals,
                ..
            } => (*depth, stack, locals),
        };
        for (local, value) in locals {
            let now = frame.locals.get(*local as usize).cloned().flatten();
            let name = self.code.varnames.get(*local as usize);
            let name = name.map_or("a local", |n| &**n).to_owned();
            let line = self.last(Opcode::StoreFast, *local);
            let found = self.optional(&name, line, *value, now)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        let expected = depth as usize + stack.len();
        if frame.stack.len() != expected {
            let depth = |n: usize| format!("{n} values deep");
            return Ok(Some(Difference {
                name: "the stack".to_owned(),
                line: None,
                compiled: depth(expected),
                interpreted: depth(frame.stack.len()),
            }));
        }
        for (at, value) in stack.iter().enumerate() {
            let now = frame.stack.get(depth as usize + at).cloned().flatten();
            // A method and its object here, one bound method there: the same call.
            let above = |at: usize| frame.stack.get(depth as usize + at + 1);
            let bound =
                stack.get(at + 1).is_some_and(Option::is_some) && matches!(above(at), Some(None));
            if now.is_none() || bound {
                continue;
            }
            let found = self.optional("an operand of the call", None, *value, now)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn result(&mut self, id: RecipeId, now: &Value) -> PyResult<Found> {
        let made = self.maker.make(self.vm, id)?;
        let line = self.last(Opcode::ReturnValue, 0);
        self.compare("the result", line, &made, now)
    }

    /// How the script names what a recipe finds.
    fn name_of(&self, id: RecipeId) -> String {
        match self.maker.plan().recipes.get(id as usize) {
            Some(Recipe::Node(n)) => self
                .maker
                .plan()
                .nodes
                .get(n.0 as usize)
                .map_or_else(String::new, |n| n.path.to_string()),
            _ => "an object".to_owned(),
        }
    }

    /// The line of the last instruction like this.
    fn last(&self, op: Opcode, arg: u32) -> Option<u32> {
        let at = self
            .code
            .instrs
            .iter()
            .rposition(|i| i.op == op && i.arg == arg)?;
        self.code.spans.get(at).map(|s| s.line)
    }

    fn line(&self, op: Opcode, names: &[std::rc::Rc<str>], name: &str) -> Option<u32> {
        let index = names.iter().position(|n| &**n == name)?;
        self.last(op, u32::try_from(index).ok()?)
    }

    fn optional(
        &mut self,
        name: &str,
        line: Option<u32>,
        compiled: Option<RecipeId>,
        now: Option<Value>,
    ) -> PyResult<Found> {
        let compiled = self.maker.make_if_set(self.vm, compiled)?;
        match (compiled, now) {
            (Some(compiled), Some(now)) => self.compare(name, line, &compiled, &now),
            (None, None) => Ok(None),
            (compiled, now) => {
                let mut shown = |v: Option<Value>| match v {
                    Some(v) => text::repr(self.vm, &v),
                    None => Ok("unset".to_owned()),
                };
                Ok(Some(Difference {
                    name: name.to_owned(),
                    line,
                    compiled: shown(compiled)?,
                    interpreted: shown(now)?,
                }))
            }
        }
    }

    fn compare(
        &mut self,
        name: &str,
        line: Option<u32>,
        compiled: &Value,
        now: &Value,
    ) -> PyResult<Found> {
        let found = self.values(name, compiled, now, DEPTH)?;
        Ok(found.map(|f| Difference {
            line: f.line.or(line),
            ..f
        }))
    }

    fn values(&mut self, name: &str, a: &Value, b: &Value, depth: usize) -> PyResult<Found> {
        if let (Some(a), Some(b)) = (a.foreign::<Tensor>(), b.foreign::<Tensor>()) {
            let found = match a.same(b) {
                true => None,
                false => tensors(name, a, b)?,
            };
            return Ok(found.or_else(|| self.related(name, a, b)));
        }
        if depth == 0 || ops::is(a, b) {
            return Ok(None);
        }
        let inner = depth - 1;
        let same = match (a, b) {
            (Value::Float(a), Value::Float(b)) => {
                a.get().to_bits() == b.get().to_bits() || a.get().is_nan() && b.get().is_nan()
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                return self.items(name, &a.items, &b.items, inner);
            }
            (Value::List(a), Value::List(b)) => {
                let (a, b) = (a.items.borrow().clone(), b.items.borrow().clone());
                return self.items(name, &a, &b, inner);
            }
            (Value::Dict(a), Value::Dict(b)) => {
                let (a, b) = (a.items(), b.items());
                let keys =
                    |d: &[(Value, Value)]| d.iter().map(|(k, _)| k.clone()).collect::<Vec<_>>();
                let found = self.items(&format!("{name}'s keys"), &keys(&a), &keys(&b), inner)?;
                if found.is_some() {
                    return Ok(found);
                }
                for ((key, a), (_, b)) in a.iter().zip(&b) {
                    let key = text::repr(self.vm, key)?;
                    let found = self.values(&format!("{name}[{key}]"), a, b, inner)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                true
            }
            // A receiver of its own is the next operand of a call.
            (Value::Function(_), Value::Method(b)) => {
                return self.values(name, a, &b.function, inner);
            }
            (Value::Method(a), Value::Method(b)) => {
                let found = self.values(name, &a.function, &b.function, inner)?;
                if found.is_some() {
                    return Ok(found);
                }
                return self.values(name, &a.receiver, &b.receiver, inner);
            }
            (Value::Instance(x), Value::Instance(y)) if PyRef::ptr_eq(&x.class(), &y.class()) => {
                let (a, b) = (Value::Dict(x.dict().clone()), Value::Dict(y.dict().clone()));
                return self.values(&format!("{name}.__dict__"), &a, &b, inner);
            }
            // These are made by calls of their classes, and hold only what those were given.
            (Value::Function(_), Value::Function(_)) | (Value::Iter(_), Value::Iter(_)) => true,
            (a, b) => {
                a.type_name() == b.type_name() && text::repr(self.vm, a)? == text::repr(self.vm, b)?
            }
        };
        if same {
            return Ok(None);
        }
        Ok(Some(Difference {
            name: name.to_owned(),
            line: None,
            compiled: text::repr(self.vm, a)?,
            interpreted: text::repr(self.vm, b)?,
        }))
    }

    /// Compares which of the tensors met so far a tensor is, or shares memory with.
    fn related(&mut self, name: &str, a: &Tensor, b: &Tensor) -> Found {
        for (p, q) in &self.met {
            if let (Some(compiled), Some(interpreted)) = (Relation::of(a, p), Relation::of(b, q))
                && compiled != interpreted
            {
                return Some(Difference {
                    name: format!("{name}, to another tensor,"),
                    line: None,
                    compiled: compiled.text().to_owned(),
                    interpreted: interpreted.text().to_owned(),
                });
            }
        }
        if self.met.len() < MAX_MET {
            self.met.push((a.clone(), b.clone()));
        }
        None
    }

    fn items(&mut self, name: &str, a: &[Value], b: &[Value], depth: usize) -> PyResult<Found> {
        if a.len() != b.len() {
            return Ok(Some(Difference {
                name: format!("len({name})"),
                line: None,
                compiled: a.len().to_string(),
                interpreted: b.len().to_string(),
            }));
        }
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            let found = self.values(&format!("{name}[{i}]"), a, b, depth)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Compares two tensors: dtype, shape, whether a gradient is wanted, and the bits of the elements.
fn tensors(name: &str, a: &Tensor, b: &Tensor) -> PyResult<Found> {
    let kind = |t: &Tensor| {
        let grad = if t.requires_grad() {
            ", requires_grad"
        } else {
            ""
        };
        format!(
            "a tensor {}{:?}{grad}",
            t.dtype().name(),
            t.shape().as_slice()
        )
    };
    let (of_a, of_b) = (kind(a), kind(b));
    if of_a != of_b {
        return Ok(Some(Difference {
            name: name.to_owned(),
            line: None,
            compiled: of_a,
            interpreted: of_b,
        }));
    }
    let all = |t: &Tensor| t.to_scalars().map_err(janus_torch::call::raised);
    let (all_a, all_b) = (all(a)?, all(b)?);
    let float = |a: f64, b: f64| a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan());
    let differ = |(a, b): (&Scalar, &Scalar)| match (a, b) {
        (Scalar::F64(a), Scalar::F64(b)) => float(*a, *b),
        (Scalar::C128(a), Scalar::C128(b)) => float(a.re, b.re) || float(a.im, b.im),
        (a, b) => a != b,
    };
    let Some(at) = all_a.iter().zip(&all_b).position(differ) else {
        return Ok(None);
    };
    let mut rest = at as i64;
    let mut index: Vec<i64> = Vec::new();
    for &extent in b.shape().as_slice().iter().rev() {
        index.insert(0, rest % extent.max(1));
        rest /= extent.max(1);
    }
    let shown = |all: &[Scalar]| match all.get(at) {
        Some(Scalar::F64(f)) => format!("{f:?}"),
        Some(Scalar::I64(i)) => i.to_string(),
        Some(Scalar::U64(i)) => i.to_string(),
        Some(Scalar::Bool(b)) => b.to_string(),
        Some(Scalar::C128(c)) => format!("{:?}+{:?}j", c.re, c.im),
        None => String::new(),
    };
    Ok(Some(Difference {
        name: format!("{name}{index:?}"),
        line: None,
        compiled: shown(&all_a),
        interpreted: shown(&all_b),
    }))
}

#[cfg(test)]
mod tests {
    use janus_tensor::{DType, Eager, Ops, Tensor};

    use super::Relation;

    fn part(of: &Tensor, start: i64, length: i64, stride: i64) -> Tensor {
        Eager
            .slice(of, &[start.into()], &[length.into()], &[stride])
            .unwrap()
    }

    #[test]
    fn tensors_are_one_or_share_memory_or_lie_apart() {
        let all = Tensor::zeros(&[6], DType::F32).unwrap();
        let relation = |a: &Tensor, b: &Tensor| Relation::of(a, b).map(Relation::text);
        let (same, shared, apart) = (Relation::Same, Relation::Shared, Relation::Apart);
        let (even, odd) = (part(&all, 0, 3, 2), part(&all, 1, 3, 2));
        let (first, last) = (part(&all, 0, 3, 1), part(&all, 3, 3, 1));
        for (a, b, wanted) in [
            (&all, &all.clone(), same),
            (&all, &even, shared),
            (&even, &first, shared),
            (&even, &odd, apart),
            (&first, &last, apart),
            (&first, &part(&all, 2, 0, 1), apart),
            (&all, &Tensor::zeros(&[6], DType::F32).unwrap(), apart),
        ] {
            assert_eq!(relation(a, b), Some(wanted.text()));
        }
    }
}
