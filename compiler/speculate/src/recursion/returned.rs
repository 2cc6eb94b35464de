//! What the graph of a recursion returns.
//!
//! In: what a call of it came to. Out: the same by results of the graph, and back. Always: what is found by running
//! the body again is what its own calls were taken to return.

use std::rc::Rc;

use janus_dialect::{Type, ValueId};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::loops::templates::template_type;
use crate::state::sym::{GradName, Kind, Leaf, Obj, Slot, State, Sym, SymDict};
use crate::state::template::Template;
use crate::state::types::type_of;

/// What comes back.
#[derive(Clone)]
pub(crate) struct Returned {
    pub(crate) template: Template,
    /// Leaves that a tensor of the result, by number, depends on in some calls only.
    pub(crate) sometimes: Vec<(usize, Leaf)>,
    /// What made a tensor of the result where a branch decides: each condition is a result, too.
    pub(crate) names: Vec<(usize, NameForm)>,
    /// Tensors that were there before the call and that one of the result, by number, may be itself.
    pub(crate) known: Vec<(usize, Vec<Obj>)>,
    /// Tensors from outside that it is computed from, and what backward needs of them.
    pub(crate) inputs: Vec<Obj>,
    pub(crate) saved: Vec<(Obj, u32)>,
}

/// [`GradName`] without its conditions.
#[derive(Clone, PartialEq)]
pub(crate) enum NameForm {
    Of(Rc<str>),
    Either(Box<(NameForm, NameForm)>),
}

impl NameForm {
    /// The form of a name, and its conditions in order; `None`: part of it is not known.
    pub(crate) fn of(name: &GradName, conditions: &mut Vec<ValueId>) -> Option<Self> {
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

    pub(crate) fn conditions(&self) -> usize {
        match self {
            NameForm::Of(_) => 0,
            NameForm::Either(names) => 1 + names.0.conditions() + names.1.conditions(),
        }
    }

    /// The name under these conditions.
    pub(crate) fn with(&self, conditions: &mut impl Iterator<Item = ValueId>) -> Option<GradName> {
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

impl Executor<'_> {
    /// Of a new dict that a body returns the values; `None`: it was not known to return one with such keys.
    pub(crate) fn values_of_dict(&mut self, index: usize, value: Sym) -> Res<Option<Sym>> {
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
    pub(crate) fn name_forms(
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
    pub(crate) fn returns(
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
}
