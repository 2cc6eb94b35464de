//! What the graph of a recursion is given, and calls of it.
//!
//! In: the frame of a call. Out: `janus.invoke`. Always: a call whose arguments are not of the kinds of the graph's
//! parameters is one of another graph.

use std::rc::Rc;

use janus_dialect::{Attr, Type, ValueId};
use janus_object::{PyRef, Value};
use janus_plan::{Load, ReasonId};

use crate::branches::branch::Checkpoint;
use crate::executor::Executor;
use crate::recursion::graph_objects::reachable;
use crate::recursion::returned::{is_by_value, types_of};
use crate::state::running::ActiveLoop;
use crate::state::sym::{FoundKind, Keeping, Kind, Obj, Slot, Sym, SymFrame, SymFunction};
use crate::state::template::Template;
use crate::{Res, Stop};

/// How a local of the function's frame is handed over.
#[derive(Clone)]
pub(crate) enum Parameter {
    /// All calls have the same.
    Same(Slot),
    /// By address.
    Object(FoundKind, Rc<[Value]>),
    /// By value.
    Carried(Template, Sym),
}

/// What the region around a graph under construction goes on with.
pub(crate) struct Around {
    pub(crate) context: u32,
    pub(crate) loops: Vec<ActiveLoop>,
    pub(crate) start: Checkpoint,
}

impl Executor<'_> {
    pub(crate) fn parameter(&self, slot: &Slot) -> Parameter {
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
    pub(crate) fn fits(&mut self, index: usize, frame: &SymFrame) -> Res<bool> {
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

    pub(crate) fn emit_invoke(&mut self, index: usize, frame: &SymFrame) -> Res<Sym> {
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
    pub(crate) fn calls_left(&mut self) -> Res<ValueId> {
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
