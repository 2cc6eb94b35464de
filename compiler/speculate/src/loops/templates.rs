//! How a loop carries a value: the numbers and tensors that it is made of.
//!
//! In: a value before a loop, and after an iteration. Out: a [`Template`] that holds both, and the
//! way from a value to the graph's values and back. Always: a tensor's dtype and rank do not change
//! in a loop; extents that do become `?`.

use std::rc::Rc;

use indexmap::IndexSet;
use janus_dialect::{Type, ValueId};
use janus_object::{PyRef, Value, types};
use janus_plan::{ReasonId, ScalarType};
use janus_tensor::ops::Dims;

use crate::Res;
use crate::emit::contexts::ContextKind;
use crate::executor::Executor;
use crate::state::sym::{
    GradName, Identity, Keeping, Kind, Leaf, Obj, Slot, State, Sym, SymFrame, SymInstance,
    SymScalar, SymTensor, Tape,
};
use crate::state::template::{SequenceForm, Template, TensorTemplate, none_is_certain};
use crate::state::types::element;

impl Executor<'_> {
    pub(crate) fn template(&self, v: &Sym) -> Template {
        match v {
            Sym::Scalar(s) => Template::Scalar(s.ty),
            Sym::Known(Value::Int(_)) => Template::Scalar(ScalarType::Int),
            Sym::Known(Value::Float(_)) => Template::Scalar(ScalarType::Float),
            Sym::Known(Value::Bool(_)) => Template::Scalar(ScalarType::Bool),
            Sym::Obj(o) => {
                let object = &self.state.heap[*o];
                match &object.kind {
                    Kind::Tensor(t) if !(t.leaf && t.requires_grad) => {
                        Template::Tensor(TensorTemplate {
                            shared: object.origin.is_some() || t.view.is_some(),
                            ..self.tensor_template(t)
                        })
                    }
                    _ => {
                        let made = self.new_items(v);
                        let items = made.and_then(|(f, items)| Some((f, self.templates(items)?)));
                        match items {
                            Some((form, items)) => Template::Sequence(form, items),
                            None => Template::Same(v.clone()),
                        }
                    }
                }
            }
            _ => Template::Same(v.clone()),
        }
    }

    /// The items of a list or tuple that was made in the region, and which of them it is.
    pub(crate) fn new_items(&self, v: &Sym) -> Option<(SequenceForm, &[Slot])> {
        let Sym::Obj(o) = v else { return None };
        let object = &self.state.heap[*o];
        match &object.kind {
            _ if object.origin.is_some() => None,
            Kind::Tuple(items) => Some((SequenceForm::new(&types().tuple), items)),
            Kind::List(list) if list.appended.is_empty() => {
                let items = list.base.as_deref().unwrap_or_default();
                Some((SequenceForm::new(&types().list), items))
            }
            Kind::Instance(instance) if instance.attrs.is_empty() => {
                let payload = &self.state.heap[instance.container()?].kind;
                let Kind::Tuple(items) = payload else {
                    return None;
                };
                Some((SequenceForm::new(&instance.class), items))
            }
            _ => None,
        }
    }

    /// The attributes of an object that was made in the region and stores nothing else.
    pub(crate) fn new_attributes(&self, v: &Sym) -> Option<(SequenceForm, Vec<Sym>)> {
        let Sym::Obj(o) = v else { return None };
        let object = &self.state.heap[*o];
        let Kind::Instance(instance) = &object.kind else {
            return None;
        };
        if object.origin.is_some() || instance.payload.is_some() || instance.attrs.is_empty() {
            return None;
        }
        let values = instance.attrs.values().map(|slot| match slot {
            Slot::Loaded(v) => Some(v.clone()),
            _ => None,
        });
        let values = values.collect::<Option<Vec<Sym>>>()?;
        let form = SequenceForm {
            names: instance.attrs.keys().cloned().collect(),
            ..SequenceForm::new(&instance.class)
        };
        Some((form, values))
    }

    /// How an object is carried that each iteration makes anew: by its attributes, if nothing else names it.
    pub(crate) fn remade(
        &self,
        first: &Sym,
        after: &Sym,
        start: &(State, SymFrame),
    ) -> Option<Template> {
        let Sym::Obj(obj) = first else { return None };
        let ((form, items), (other, _)) =
            (self.new_attributes(first)?, self.new_attributes(after)?);
        let alike = PyRef::ptr_eq(&form.class, &other.class) && form.names == other.names;
        if !alike || self.has_other_names(*obj, start) {
            return None;
        }
        let items = items.iter().map(|v| self.template(v)).collect();
        Some(Template::Sequence(form, items))
    }

    /// What a value of this form is made of.
    pub(crate) fn sequence_items(&mut self, form: &SequenceForm, v: &Sym) -> Res<Vec<Sym>> {
        if !form.names.is_empty() {
            return match self.new_attributes(v) {
                Some((now, items)) if now.names == form.names => Ok(items),
                _ => self.refuse(
                    ReasonId::LoopState,
                    "an object that an iteration makes has other attributes",
                ),
            };
        }
        match self.container(v) {
            Some(obj) => self.items_of(obj),
            None => self.defect("bad sequence"),
        }
    }

    /// What a value of this form was made of before the loop, if it was there.
    pub(crate) fn items_before(&mut self, form: &SequenceForm, before: &Sym) -> Res<Vec<Sym>> {
        match (self.new_attributes(before), self.container(before)) {
            (None, None) => Ok(Vec::new()),
            _ => self.sequence_items(form, before),
        }
    }

    /// A new list, tuple or object.
    pub(crate) fn new_sequence(&mut self, form: &SequenceForm, items: Vec<Sym>) -> Sym {
        if !form.names.is_empty() {
            let slots = items.into_iter().map(Slot::Loaded);
            self.alloc(Kind::Instance(SymInstance {
                class: form.class.clone(),
                attrs: form.names.iter().cloned().zip(slots).collect(),
                written: IndexSet::new(),
                payload: None,
            }))
        } else if form.is_list() {
            self.list(items)
        } else if PyRef::ptr_eq(&form.class, &types().tuple) {
            self.tuple(items)
        } else {
            let items = items.into_iter().map(Slot::Loaded).collect();
            self.derived(&form.class, Kind::Tuple(items))
        }
    }

    /// A list or tuple from before a loop in whose place an iteration puts a new one: by what it holds.
    pub(crate) fn taken_apart(
        &mut self,
        first: &Sym,
        after: &Sym,
        start: &(State, SymFrame),
    ) -> Res<Option<Template>> {
        let Sym::Obj(obj) = first else {
            return Ok(None);
        };
        let object = &self.state.heap[*obj];
        let is_new = object.origin.is_none();
        let class = match &object.kind {
            Kind::List(list) if is_new || list.is_unchanged() => &types().list,
            Kind::Tuple(_) if !is_new => &types().tuple,
            _ => return Ok(None),
        };
        let count = match self.new_items(after) {
            Some((form, items)) if PyRef::ptr_eq(&form.class, class) => items.len(),
            _ => return Ok(None),
        };
        let shared = !is_new
            || self.looping.known_elsewhere.contains(obj)
            || self.has_other_names(*obj, start);
        let items = self.items_of(*obj)?;
        let templates: Vec<Template> = items.iter().map(|v| self.template(v)).collect();
        // With tensors in it the first iteration is better run on its own: it names the others' objects.
        if !is_new && !templates.iter().all(|t| matches!(t, Template::Scalar(_))) {
            return Ok(None);
        }
        let form = SequenceForm {
            shared,
            ..SequenceForm::new(class)
        };
        Ok((items.len() == count).then_some(Template::Sequence(form, templates)))
    }

    pub(crate) fn tensor_template(&self, t: &SymTensor) -> TensorTemplate {
        TensorTemplate {
            dtype: t.dtype,
            device: t.device,
            dims: t.dims.iter().map(|&d| Some(self.resolve(d))).collect(),
            class: t.class.clone(),
            requires_grad: t.requires_grad,
            cut: t.tape.cut,
            leaves: t.tape.leaves.to_vec(),
            later: Vec::new(),
            decided: Vec::new(),
            shared: false,
            leaf: t.leaf && t.requires_grad,
            grad_name: t.tape.grad_name.clone(),
            parts: Vec::new(),
            scattered: false,
            listed: false,
            named: false,
        }
    }

    pub(crate) fn templates(&self, items: &[Slot]) -> Option<Vec<Template>> {
        items
            .iter()
            .map(|s| match s {
                Slot::Loaded(v) => Some(self.template(v)),
                _ => None,
            })
            .collect()
    }

    /// A template that also holds `v`; `None`: this one does.
    pub(crate) fn widen(&mut self, template: &Template, v: &Sym) -> Res<Option<Template>> {
        if let Some(wider) = self.widen_variants(template, v)? {
            return Ok(wider);
        }
        match template {
            Template::Either(_) => self.defect("bad template"),
            Template::Same(old) if old.same(v) => Ok(None),
            Template::Same(_) => self.refuse(
                ReasonId::LoopState,
                "a variable changes its kind, or its object, in a loop",
            ),
            Template::Scalar(ty) => match self.number(v)? {
                Some(s) if s.ty == *ty => Ok(None),
                _ => self.refuse(ReasonId::LoopState, "a number changes its type in a loop"),
            },
            Template::Sequence(form, items) => {
                let is_same = match (self.new_attributes(v), self.container(v)) {
                    (Some((now, _)), _) => PyRef::ptr_eq(&now.class, &form.class),
                    (None, None) => {
                        return self.refuse(
                            ReasonId::LoopState,
                            "a list, tuple or object becomes something else in a loop",
                        );
                    }
                    (None, Some(_)) => PyRef::ptr_eq(&self.class_of(v)?, &form.class),
                };
                let now = self.sequence_items(form, v)?;
                if !is_same || now.len() != items.len() {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a list or tuple changes its length in a loop",
                    );
                }
                let (mut wider, mut changed) = (Vec::with_capacity(items.len()), false);
                for (t, v) in items.iter().zip(&now) {
                    let w = self.widen(t, v)?;
                    changed |= w.is_some();
                    wider.push(w.unwrap_or_else(|| t.clone()));
                }
                Ok(changed.then_some(Template::Sequence(form.clone(), wider)))
            }
            Template::Grown(t) => {
                let wider = self.widen_grown(t, v)?;
                Ok(wider.map(|t| Template::Grown(Box::new(t))))
            }
            Template::Tensor(t) => {
                let Sym::Obj(obj) = v else {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a tensor becomes something else in a loop",
                    );
                };
                let now = self.tensor(*obj)?.clone();
                let same = now.dtype == t.dtype && now.device == t.device;
                if !same || now.dims.len() != t.dims.len() {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a tensor changes its dtype, device or rank in a loop",
                    );
                }
                if t.leaf != (now.leaf && now.requires_grad) {
                    return self.refuse(
                        ReasonId::LoopState,
                        "a variable names one parameter after another in a loop",
                    );
                }
                let mut wider = t.clone();
                let mut changed = false;
                for (d, &e) in wider.dims.iter_mut().zip(&now.dims) {
                    if d.is_some_and(|d| self.resolve(d) != self.resolve(e)) {
                        *d = None;
                        changed = true;
                    }
                }
                if t.leaf {
                    return Ok(changed.then_some(Template::Tensor(wider)));
                }
                changed |= (now.requires_grad && !t.requires_grad) || (now.tape.cut && !t.cut);
                if now.requires_grad {
                    // A name that a branch of the body decides on is not known outside of it.
                    let name = match now.tape.grad_name {
                        GradName::Of(_) => now.tape.grad_name.clone(),
                        GradName::Either(..) => GradName::Of("".into()),
                    };
                    changed |= name != wider.grad_name;
                    wider.grad_name = name;
                }
                wider.requires_grad |= now.requires_grad;
                wider.cut |= now.tape.cut;
                changed |= self.widen_leaves(&mut wider, &now.tape.leaves);
                Ok(changed.then_some(Template::Tensor(wider)))
            }
        }
    }

    /// Adds what an iteration uses to what is known of all; whether that is new.
    fn widen_leaves(&self, t: &mut TensorTemplate, now: &[Leaf]) -> bool {
        let mut decided = Vec::new();
        for known in [&mut t.leaves, &mut t.later] {
            decided.extend(known.extract_if(.., |l| !now.contains(l)));
        }
        let before = t.later.len();
        for leaf in now {
            let known = [&t.leaves, &t.later, &t.decided, &decided];
            if known.into_iter().flatten().any(|l| l.is_same(leaf)) {
                continue;
            }
            if leaf.used.is_none_or(|used| self.is_from_before_loop(used)) {
                t.later.push(*leaf);
            } else {
                decided.push(*leaf);
            }
        }
        let changed = !decided.is_empty() || t.later.len() > before;
        t.decided.extend(decided);
        changed
    }

    /// At the start of an iteration: what all iterations use is used from the second one on, when `entered` holds.
    pub(crate) fn not_at_first(&mut self, t: &Template, v: &Sym, entered: ValueId) -> Res<()> {
        match (t, v) {
            (Template::Tensor(t), Sym::Obj(obj)) if !t.later.is_empty() => {
                let mut leaves = self.tensor(*obj)?.tape.leaves.to_vec();
                for leaf in &mut leaves {
                    if t.later.iter().any(|l| l.is_same(leaf)) {
                        leaf.used = Some(match leaf.used {
                            Some(used) => {
                                self.emit1("arith.andi", &[used, entered], &[], Type::I1)?
                            }
                            None => entered,
                        });
                    }
                }
                let tensor = self.tensor_mut(*obj)?;
                tensor.some_grad = none_is_certain(&leaves);
                tensor.tape.leaves = leaves.into();
                Ok(())
            }
            (Template::Sequence(form, templates), _) => {
                let items = self.sequence_items(form, v)?;
                let mut pairs = templates.iter().zip(&items);
                pairs.try_for_each(|(t, v)| self.not_at_first(t, v, entered))
            }
            (Template::Either(kinds), _) => match (kinds.last(), self.tensor_among(v)) {
                (Some(t), Some(tensor)) => self.not_at_first(t, &Sym::Obj(tensor), entered),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The values of the graph that make up `v`.
    pub(crate) fn flatten(
        &mut self,
        v: &Sym,
        template: &Template,
        out: &mut Vec<ValueId>,
    ) -> Res<()> {
        match template {
            Template::Same(_) => Ok(()),
            Template::Scalar(_) => match self.number(v)? {
                Some(s) => {
                    out.push(s.id);
                    Ok(())
                }
                None => self.defect("bad number"),
            },
            Template::Sequence(form, templates) => {
                let items = self.sequence_items(form, v)?;
                for (item, t) in items.iter().zip(templates) {
                    self.flatten(item, t, out)?;
                }
                Ok(())
            }
            Template::Grown(t) => self.flatten_grown(v, t, out),
            Template::Either(kinds) => self.flatten_variants(v, kinds, out),
            Template::Tensor(t) => {
                let Sym::Obj(obj) = v else {
                    return self.defect("bad tensor");
                };
                let ty = template_type(t);
                let value = self.current(*obj)?;
                let value = if self.emission.builder.type_of(value) == ty {
                    value
                } else {
                    let dims = self.dims_of(*obj)?;
                    let mut operands = vec![value];
                    for (d, known) in dims.iter().zip(&t.dims) {
                        if known.and_then(|k| k.known()).is_none() {
                            operands.push(self.dim_value(*d)?);
                        }
                    }
                    self.emit1("janus.reshape", &operands, &[], ty)?
                };
                let cut = {
                    let now = self.tensor(*obj)?;
                    now.tape.cut && !now.requires_grad && t.requires_grad
                };
                let value = if cut { self.cut_off(value)? } else { value };
                out.push(value);
                let leaves = self.tensor(*obj)?.tape.leaves.clone();
                for leaf in &t.decided {
                    let now = leaves.iter().find(|l| l.is_same(leaf)).copied();
                    out.push(self.used(now)?);
                }
                Ok(())
            }
        }
    }

    /// Whether a value was there before the innermost loop that is being made.
    fn is_from_before_loop(&self, value: ValueId) -> bool {
        let home = self
            .emission
            .value_context
            .get(&value)
            .copied()
            .unwrap_or(0);
        let mut at = self.emission.context;
        let mut left = false;
        while at != 0 {
            if left && at == home {
                return true;
            }
            let context = &self.emission.contexts[at as usize - 1];
            left |= matches!(context.kind, ContextKind::Frame(_));
            at = context.parent;
        }
        left && home == 0
    }

    /// A value made of these values of the graph.
    pub(crate) fn unflatten(
        &mut self,
        template: &Template,
        values: &mut dyn Iterator<Item = ValueId>,
        before: &Sym,
    ) -> Res<Sym> {
        match template {
            Template::Same(v) => Ok(v.clone()),
            Template::Scalar(ty) => match values.next() {
                Some(id) => Ok(Sym::Scalar(SymScalar { id, ty: *ty })),
                None => self.defect("a carried value is missing"),
            },
            Template::Sequence(form, templates) => {
                let before = self.items_before(form, before)?;
                let mut items = Vec::with_capacity(templates.len());
                for (i, t) in templates.iter().enumerate() {
                    let b = before.get(i).cloned().unwrap_or(Sym::Null);
                    items.push(self.unflatten(t, values, &b)?);
                }
                Ok(self.new_sequence(form, items))
            }
            Template::Either(kinds) => {
                self.unflatten_variants(kinds, values, before, &mut |this, t, values, before| {
                    this.unflatten(t, values, before)
                })
            }
            Template::Grown(t) => {
                self.unflatten_grown(t, values, before, &mut |this, t, values, (before, _)| {
                    this.unflatten(t, values, before)
                })
            }
            Template::Tensor(t) => {
                let Some(value) = values.next() else {
                    return self.defect("a carried value is missing");
                };
                let mut dims = Dims::new();
                for (axis, d) in t.dims.iter().enumerate() {
                    dims.push(match d {
                        Some(d) => *d,
                        None => self.dim_of(value, axis, None)?,
                    });
                }
                let mut leaves = [&t.leaves[..], &t.later].concat();
                for leaf in &t.decided {
                    let used = values.next();
                    if used.is_none() {
                        return self.defect("a carried value is missing");
                    }
                    leaves.push(Leaf { used, ..*leaf });
                }
                let obj = self.new_tensor(value, t.dtype, dims);
                let inputs: Rc<[Obj]> = match before {
                    Sym::Obj(o) => Rc::new([*o]),
                    _ => Rc::new([]),
                };
                if let Kind::Tensor(tensor) = &mut self.state.heap[obj].kind {
                    let parts = inputs.iter().chain(&t.parts).copied().collect();
                    *tensor = SymTensor {
                        class: t.class.clone(),
                        device: t.device,
                        requires_grad: t.requires_grad,
                        some_grad: none_is_certain(&leaves),
                        tape: Tape {
                            cut: t.cut,
                            leaves: leaves.into(),
                            inputs,
                            kept: Keeping::Decided,
                            grad_name: t.grad_name.clone(),
                            ..tensor.tape.clone()
                        },
                        identity: Identity {
                            ambiguous: true,
                            parts,
                            scattered: t.scattered,
                            listed: t.listed,
                            ..tensor.identity.clone()
                        },
                        ..tensor.clone()
                    };
                }
                Ok(Sym::Obj(obj))
            }
        }
    }
}

/// The type of a carried tensor itself.
pub(crate) fn template_type(t: &TensorTemplate) -> Type {
    Type::Tensor {
        dtype: element(t.dtype),
        dims: t.dims.iter().map(|d| d.and_then(|d| d.known())).collect(),
    }
}
