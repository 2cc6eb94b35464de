//! What a recursion keeps in attributes of the objects that it goes over (`node.state = ...`).
//!
//! In: writes to attributes of the object with which a graph of its own is called. Out: their values, as further
//! results of each call, and a list of all of them with the objects' addresses, which the commit puts into the
//! objects. Always: such an attribute is read only where the call that wrote it is known (`tree.left.state` after
//! `self(tree.left)`), and an object that is met twice in one run ends it with nothing committed, since a later call
//! would have written what an earlier one is taken to have left.

use std::rc::Rc;

use janus_dialect::Type;
use janus_object::fields::Field;
use janus_object::{Class, Name, PyRef};
use janus_plan::{Commit, ReasonId, Recipe, ScalarType, Step};

use crate::Res;
use crate::branches::branch::Merge;
use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::state::sym::{GradName, KeptField, Kind, Obj, Slot, State, Sym, SymFrame, SymScalar};

/// What `grad_fn` may be called of a tensor that requires grad.
type Tape = Option<Rc<[Rc<str>]>>;

/// A result as a whole, or an item of it.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Whole,
    Item(usize),
}

/// What a graph of its own keeps in its object.
#[derive(Default)]
pub(crate) struct Keeps {
    /// Locals of the body that are objects, with what stands for them while it runs.
    objects: Vec<(usize, Obj)>,
    /// Which of the locals it is.
    local: usize,
    /// The attributes, each with which part of the call's result it is, if any.
    names: Vec<(Name, Option<Part>)>,
    /// A list that each call adds to: the object's address, for each tensor that requires grad which operation made
    /// it, and the values.
    log: Option<Obj>,
    /// For each tensor of the values: if it requires grad, the operations that may have made it.
    tapes: Vec<Tape>,
    /// What calls from the region itself left in their objects.
    left: Vec<Vec<Sym>>,
}

impl Keeps {
    /// With a list that was made for it.
    pub fn with_log(log: &Sym) -> Self {
        let log = match log {
            Sym::Obj(log) => Some(*log),
            _ => None,
        };
        Keeps {
            log,
            ..Keeps::default()
        }
    }

    /// Whether it is that list.
    pub fn is_log(&self, list: Obj) -> bool {
        self.log == Some(list)
    }

    /// The body begins.
    pub fn begin(&mut self) {
        self.objects.clear();
    }

    /// A local of the body is this object.
    pub fn note_object(&mut self, local: usize, obj: &Sym) {
        if let Sym::Obj(obj) = obj {
            self.objects.push((local, *obj));
        }
    }
}

impl Executor<'_> {
    // ---- writes and reads ----------------------------------------------------------------

    /// `object.name = value` of an object that a recursion comes to.
    pub(crate) fn keep_in_field(&mut self, obj: Obj, name: &Name, value: Option<Sym>) -> Res<()> {
        let Some(value) = value else {
            return self.refuse(
                ReasonId::Recursion,
                "an attribute of an object that a recursion comes to is deleted",
            );
        };
        let running = self.recursing.invoked.iter().rev().find(|i| i.running);
        let is_its = running.is_some_and(|i| i.keeps.objects.iter().any(|(_, o)| *o == obj));
        let class = self.class_of(&Sym::Obj(obj))?;
        let is_plain = !class.flags.get().custom_setattr && class.lookup(name).is_none();
        if !is_its || !is_plain {
            return self.refuse(
                ReasonId::Recursion,
                format!(
                    "attribute {} of an object that a recursion comes to is written",
                    name.as_str()
                ),
            );
        }
        self.guard_class(&class);
        self.set_kept(obj, class, name, value);
        Ok(())
    }

    fn set_kept(&mut self, obj: Obj, class: PyRef<Class>, name: &Name, value: Sym) {
        if !self.is_kept(&class, name) {
            self.recursing.kept_fields.push((class, name.clone()));
        }
        let frames = self.state.frames;
        let fields = &mut self.state.fields;
        fields.retain(|f| f.obj != obj || f.name != *name);
        fields.push(KeptField {
            obj,
            name: name.clone(),
            value,
            frames,
        });
    }

    fn is_kept(&self, class: &PyRef<Class>, name: &Name) -> bool {
        let mut kept = self.recursing.kept_fields.iter();
        kept.any(|(c, n)| PyRef::ptr_eq(c, class) && n == name)
    }

    /// What a recursion left in an attribute; `None`: it keeps nothing there.
    pub(crate) fn kept_in_field(&self, obj: Obj, name: &Name) -> Res<Option<Sym>> {
        if self.recursing.kept_fields.is_empty() {
            return Ok(None);
        }
        let class = self.class_of(&Sym::Obj(obj))?;
        if !self.is_kept(&class, name) {
            return Ok(None);
        }
        let known = |f: &&KeptField| f.obj == obj && f.name == *name;
        match self.state.fields.iter().find(known) {
            Some(field) if field.frames == self.state.frames => Ok(Some(field.value.clone())),
            _ => self.refuse(
                ReasonId::Recursion,
                format!(
                    "attribute {} is read where a recursion may have written it",
                    name.as_str()
                ),
            ),
        }
    }

    /// Behind a branch.
    pub(crate) fn merge_kept(&mut self, merge: &mut Merge, a: &State, b: &State) -> Res<()> {
        let mut merged = Vec::with_capacity(a.fields.len());
        for field in &a.fields {
            let same = |f: &&KeptField| f.obj == field.obj && f.name == field.name;
            match b.fields.iter().find(same) {
                Some(other) => merged.push(KeptField {
                    value: self.merge_sym(merge, &field.value, &other.value)?,
                    frames: field.frames.max(other.frames),
                    ..field.clone()
                }),
                None => self.check_one_sided(field)?,
            }
        }
        for field in &b.fields {
            let same = |f: &KeptField| f.obj == field.obj && f.name == field.name;
            if !a.fields.iter().any(same) {
                self.check_one_sided(field)?;
            }
        }
        self.state.fields = merged;
        Ok(())
    }

    /// What one side left in an object that it came to itself is not read any more; the object of the call has to be
    /// left alike.
    fn check_one_sided(&self, field: &KeptField) -> Res<()> {
        let mut running = self.recursing.invoked.iter().filter(|i| i.running);
        if running.any(|i| i.keeps.objects.iter().any(|(_, o)| *o == field.obj)) {
            return self.refuse(
                ReasonId::Recursion,
                format!(
                    "attribute {} of an object of a recursion is written on one side of a branch",
                    field.name.as_str()
                ),
            );
        }
        Ok(())
    }

    // ---- the body ------------------------------------------------------------------------

    /// At the end of a body that returns `value`: what it left in its object goes to the list. Whether that was known.
    pub(crate) fn log_kept(&mut self, index: usize, value: &Sym, before: &State) -> Res<bool> {
        let objects = self.recursing.invoked[index].keeps.objects.clone();
        let of_it = |f: &&KeptField| objects.iter().any(|(_, o)| *o == f.obj);
        let fields: Vec<KeptField> = self.state.fields.iter().filter(of_it).cloned().collect();
        let Some(first) = fields.first() else {
            return match self.recursing.invoked[index].keeps.names.is_empty() {
                true => Ok(true),
                false => self.refuse(
                    ReasonId::Recursion,
                    "a recursion that keeps something in some of its objects",
                ),
            };
        };
        if fields.iter().any(|f| f.obj != first.obj) {
            return self.refuse(
                ReasonId::Recursion,
                "a recursion that keeps something in several objects",
            );
        }
        let (obj, local) = (first.obj, objects.iter().find(|(_, o)| *o == first.obj));
        let (local, log) = match (local, self.recursing.invoked[index].keeps.log) {
            (Some((local, _)), Some(log)) => (*local, log),
            _ => return self.defect("bad object"),
        };
        let mut names = self.recursing.invoked[index].keeps.names.clone();
        let known = names.clone();
        for field in &fields {
            if !names.iter().any(|(n, _)| *n == field.name) {
                let part = self.part_of_result(value, &field.value);
                names.push((field.name.clone(), part));
            }
        }
        let id = self.object_address(obj)?;
        let mut logged = vec![Sym::Scalar(SymScalar {
            id,
            ty: ScalarType::Int,
        })];
        let (mut values, mut tapes) = (Vec::with_capacity(names.len()), Vec::new());
        let (mut results, mut met) = (Vec::new(), Vec::new());
        self.tensors_of(value, &mut results);
        if let Sym::Obj(obj) = value
            && let Kind::Dict(dict) = &self.state.heap[*obj].kind
        {
            for (_, slot) in &dict.entries {
                if let Slot::Loaded(v) = slot {
                    self.tensors_of(v, &mut results);
                }
            }
        }
        for (name, returned) in &mut names {
            let Some(field) = fields.iter().find(|f| f.name == *name) else {
                return self.refuse(
                    ReasonId::Recursion,
                    "a recursion that keeps something in some of its objects",
                );
            };
            // Once it was another thing than what is returned, it stays a result of its own.
            *returned =
                returned.filter(|part| self.part_of_result(value, &field.value) == Some(*part));
            if returned.is_none() {
                self.check_returned(&field.value, before, &mut Vec::new())?;
            }
            let mut tensors = Vec::new();
            self.tensors_of(&field.value, &mut tensors);
            for tensor in tensors {
                let t = self.tensor(tensor)?;
                let elsewhere = returned.is_none() && results.contains(&tensor);
                let is_outside =
                    |o: Obj| o < before.heap.len() || self.entry.pristine.contains_key(&o);
                if t.identity.listed
                    || met.contains(&tensor)
                    || elsewhere
                    || !self.such_among(tensor, &is_outside).is_empty()
                {
                    return self.refuse(
                        ReasonId::Recursion,
                        "a tensor that a recursion keeps in its objects is kept elsewhere, too",
                    );
                }
                met.push(tensor);
                if !t.requires_grad {
                    tapes.push(None);
                    continue;
                }
                let mut made_by = Vec::new();
                let which = self.which_name(&t.tape.grad_name.clone(), &mut made_by)?;
                logged.push(which);
                tapes.push(Some(made_by.into()));
            }
            values.push(self.without_tape(&field.value)?);
        }
        logged.extend(values);
        let items = logged.into_iter().map(Slot::Loaded).collect();
        let item = self.alloc(Kind::Tuple(items));
        self.append(&Sym::Obj(log), item)?;
        let settled = names == known && self.recursing.invoked[index].keeps.local == local;
        let keeps = &mut self.recursing.invoked[index].keeps;
        (keeps.names, keeps.local, keeps.tapes) = (names, local, tapes);
        Ok(settled)
    }

    /// The objects of this sort that a tensor is, or may be.
    pub(crate) fn such_among(&self, obj: Obj, is_such: &dyn Fn(Obj) -> bool) -> Vec<Obj> {
        let (mut such, mut met, mut pending) = (Vec::new(), Vec::new(), vec![obj]);
        while let Some(obj) = pending.pop() {
            if met.contains(&obj) {
                continue;
            }
            met.push(obj);
            if is_such(obj) {
                such.push(obj);
            } else if let Ok(t) = self.tensor(obj) {
                pending.extend(t.identity.parts.iter());
                pending.extend(t.identity.one_of.iter().flat_map(|o| [o.then, o.otherwise]));
            }
        }
        such
    }

    /// Which of several names it is, as an int; they are put into `names`.
    fn which_name(&mut self, name: &GradName, names: &mut Vec<Rc<str>>) -> Res<Sym> {
        match name {
            GradName::Of(name) if name.is_empty() => self.refuse(
                ReasonId::Recursion,
                "what a recursion keeps in its objects was made by a call of itself",
            ),
            GradName::Of(name) => {
                names.push(name.clone());
                let at = i64::try_from(names.len() - 1).unwrap_or(i64::MAX);
                let id = self.int(at)?;
                Ok(Sym::Scalar(SymScalar {
                    id,
                    ty: ScalarType::Int,
                }))
            }
            GradName::Either(condition, sides) => {
                let first = self.which_name(&sides.0, names)?;
                let second = self.which_name(&sides.1, names)?;
                let (Sym::Scalar(a), Sym::Scalar(b)) = (first, second) else {
                    return self.defect("bad number");
                };
                let operands = [*condition, a.id, b.id];
                let id = self.emit1("arith.select", &operands, &[], Type::I64)?;
                Ok(Sym::Scalar(SymScalar {
                    id,
                    ty: ScalarType::Int,
                }))
            }
        }
    }

    /// Which part of a result a value is.
    fn part_of_result(&self, result: &Sym, v: &Sym) -> Option<Part> {
        let is_it = |part: &Sym| matches!(part, Sym::Obj(_)) && part.same(v);
        if is_it(result) {
            return Some(Part::Whole);
        }
        let (_, items) = self.new_items(result)?;
        let at = items
            .iter()
            .position(|s| matches!(s, Slot::Loaded(item) if is_it(item)));
        at.map(Part::Item)
    }

    /// The same values, of tensors that require no grad.
    fn without_tape(&mut self, v: &Sym) -> Res<Sym> {
        if self.is_tensor(v) {
            return self.torch("Tensor.detach", vec![v.clone()], Vec::new());
        }
        let Some((form, _)) = self.new_items(v) else {
            return Ok(v.clone());
        };
        let Some(obj) = self.container(v) else {
            return Ok(v.clone());
        };
        let items = self.items_of(obj)?;
        let items = items.iter().map(|v| self.without_tape(v));
        let items = items.collect::<Res<Vec<_>>>()?;
        Ok(self.new_sequence(&form, items))
    }

    /// What a body leaves in its object, as results of the call.
    pub(crate) fn kept_results(&self, index: usize) -> Res<Vec<Sym>> {
        let keeps = &self.recursing.invoked[index].keeps;
        let obj = keeps.objects.iter().find(|(l, _)| *l == keeps.local);
        let mut results = Vec::new();
        for (name, returned) in &keeps.names {
            let of_it = |f: &&KeptField| obj.is_some_and(|(_, o)| *o == f.obj) && f.name == *name;
            match self.state.fields.iter().find(of_it) {
                _ if returned.is_some() => {}
                Some(field) => results.push(field.value.clone()),
                None => return self.defect("bad object"),
            }
        }
        Ok(results)
    }

    /// After a call: what it left in its object.
    pub(crate) fn kept_by_call(
        &mut self,
        index: usize,
        frame: &SymFrame,
        value: &Sym,
        results: &mut dyn Iterator<Item = Sym>,
    ) -> Res<()> {
        let keeps = &self.recursing.invoked[index].keeps;
        let (local, names, running) = (
            keeps.local,
            keeps.names.clone(),
            self.recursing.invoked[index].running,
        );
        if names.is_empty() {
            return Ok(());
        }
        let Some(Slot::Loaded(Sym::Obj(obj))) = frame.locals.get(local) else {
            return self.defect("bad object");
        };
        let (obj, mut left) = (*obj, Vec::with_capacity(names.len()));
        let class = self.class_of(&Sym::Obj(obj))?;
        for (name, returned) in names {
            let kept = match returned {
                Some(Part::Whole) => value.clone(),
                Some(Part::Item(at)) => {
                    let Some(obj) = self.container(value) else {
                        return self.defect("bad results");
                    };
                    self.items_of(obj)?.get(at).cloned().unwrap_or(Sym::Null)
                }
                None => results.next().unwrap_or(Sym::Null),
            };
            left.push(kept.clone());
            self.set_kept(obj, class.clone(), &name, kept);
        }
        if !running {
            self.recursing.invoked[index].keeps.left.push(left);
        }
        Ok(())
    }

    // ---- the end -------------------------------------------------------------------------

    /// Refuses a region that looks at, or writes, what a recursion keeps in another way than through its calls.
    pub(crate) fn check_kept_fields(&self) -> Res<()> {
        for (class, name) in &self.recursing.kept_fields {
            let read = Field::Attribute(name.clone());
            let is_it = |o: Obj| {
                let of = self.class_of(&Sym::Obj(o));
                of.is_ok_and(|c| PyRef::ptr_eq(&c, class))
            };
            let of_node = |at| {
                let origin = |o: &Obj| {
                    let origin = self.state.heap[*o].origin.as_ref();
                    origin.is_some_and(|origin| origin.node == at)
                };
                (0..self.state.heap.len()).find(origin)
            };
            let loaded = self.entry.nodes.iter().any(|n| match &n.step {
                Step::InstanceAttr(of, n) if n == name => of_node(*of).is_none_or(is_it),
                _ => false,
            });
            let written = (0..self.state.heap.len()).any(|o| match &self.state.heap[o].kind {
                Kind::Instance(i) => i.written.contains(name) && is_it(o),
                _ => false,
            });
            if loaded || written || self.recursing.fields.fields.contains(&read) {
                return self.refuse(
                    ReasonId::Recursion,
                    format!(
                        "attribute {} of objects in a recursion is used outside of it, too",
                        name.as_str()
                    ),
                );
            }
        }
        Ok(())
    }

    /// Puts into the objects what the recursions kept in them.
    pub(crate) fn commit_kept(&mut self, out: &mut Out) -> Res<()> {
        for index in 0..self.recursing.invoked.len() {
            let keeps = &self.recursing.invoked[index].keeps;
            let Some(log) = keeps.log.filter(|_| !keeps.left.is_empty()) else {
                continue;
            };
            let names: Vec<Name> = keeps.names.iter().map(|(n, _)| n.clone()).collect();
            let tapes = keeps.tapes.clone();
            for v in keeps.left.clone().iter().flatten() {
                let mut tensors = Vec::new();
                self.tensors_of(v, &mut tensors);
                for obj in tensors {
                    let t = self.tensor(obj)?;
                    if t.requires_grad && !t.is_spent() {
                        return self.refuse(ReasonId::Recursion,
                            "what a recursion keeps in its objects needs its gradient outside the region",
                        );
                    }
                }
            }
            let rows = self.rows_recipe(out, log)?;
            let rows = Self::push(out, Recipe::Fresh(rows));
            out.commits.push(Commit::Fields { rows, names, tapes });
        }
        // Where the region knows the object, it is what the region knows to be in it.
        for field in self.state.fields.clone() {
            let origin = self.state.heap[field.obj].origin.as_ref().map(|o| o.node);
            let (Some(node), true) = (origin, field.frames == self.state.frames) else {
                continue;
            };
            let object = Self::push(out, Recipe::Node(node));
            let value = Some(self.recipe(out, &field.value)?);
            out.commits.push(Commit::SetAttr {
                object,
                name: field.name,
                value,
            });
        }
        Ok(())
    }
}
