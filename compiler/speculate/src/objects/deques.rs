//! `collections.deque`: a list with a bound.
//!
//! In: deques from outside, calls of the class. Out: instances of the class of the same name in `_loops`, whose
//! methods are Python code over a list. Always: what leaves is a deque again; subclasses are left to tier 0.

use indexmap::{IndexMap, IndexSet};
use janus_object::{Class, Instance, Name, PyDeque, PyRef, Value};
use janus_plan::{Check, Fresh, Step};

use crate::Res;
use crate::emit::outputs::Out;
use crate::executor::Executor;
use crate::state::sym::{Kind, Slot, Sym, SymInstance, Unloaded};

/// The attributes of the class in `_loops`.
const ITEMS: &str = "_items";
const BOUND: &str = "maxlen";

impl Executor<'_> {
    /// The class that stands for deques.
    pub(crate) fn deque_form(&mut self) -> Option<PyRef<Class>> {
        match self.loop_function("deque") {
            Some(Value::Class(class)) => Some(class),
            _ => None,
        }
    }

    fn deque_class(&mut self) -> Option<PyRef<Class>> {
        match self.vm.import_module("_deque") {
            Ok(Value::Module(module)) => match module.dict.get_name(&Name::new("deque")) {
                Some(Value::Class(class)) => Some(class),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether this is the class `collections.deque` itself.
    pub(crate) fn is_deque(&mut self, class: &PyRef<Class>) -> bool {
        self.deque_class().is_some_and(|c| PyRef::ptr_eq(&c, class))
    }

    /// The class that a script sees.
    pub(crate) fn shown_class(&mut self, class: PyRef<Class>) -> PyRef<Class> {
        let is_form = class.name.borrow().as_str() == "deque"
            && self.deque_form().is_some_and(|f| PyRef::ptr_eq(&f, &class));
        match self.deque_class() {
            Some(shown) if is_form => shown,
            _ => class,
        }
    }

    /// What a script has in the place of a method of that class: it leaves where a graph ends before its call.
    pub(crate) fn shown_function(&mut self, v: &Value) -> Value {
        if let Value::Function(f) = v
            && f.code.borrow().code.is_library()
            && let Some((_, name)) = f.code.borrow().code.qualname.clone().split_once("deque.")
            && let Some(form) = self.deque_form()
            && let Some(Value::Function(own)) = form.lookup(&Name::new(name))
            && PyRef::ptr_eq(&own, f)
            && let Some(shown) = self.deque_class().and_then(|c| c.lookup(&Name::new(name)))
        {
            return shown;
        }
        v.clone()
    }

    /// The list of a deque.
    pub(crate) fn deque_items(&mut self, v: &Sym) -> Res<Option<Sym>> {
        let Sym::Obj(obj) = v else { return Ok(None) };
        let Kind::Instance(instance) = &self.state.heap[*obj].kind else {
            return Ok(None);
        };
        let class = instance.class.clone();
        match self.deque_form() {
            Some(form) if PyRef::ptr_eq(&form, &class) => self.own_attr(*obj, &Name::new(ITEMS)),
            _ => Ok(None),
        }
    }

    /// A deque from outside.
    pub(crate) fn wrap_deque(
        &mut self,
        key: usize,
        instance: &PyRef<Instance>,
        u: &Unloaded,
    ) -> Res<Option<Sym>> {
        let class = instance.class();
        let Some(deque) = u.value.foreign::<PyDeque>() else {
            return Ok(None);
        };
        if !self.is_deque(&class) || instance.dict.get().is_some() {
            return Ok(None);
        }
        let Some(form) = self.deque_form() else {
            return Ok(None);
        };
        let identity = !self.region.relaxations.structural.contains(&u.path);
        let check = Check::Instance {
            same: identity.then(|| u.value.clone()),
            version: class.behaviour.get(),
            class,
            layout: None,
        };
        let node = self.node(u.step.clone(), check, &u.path);
        let stored = |step, value, name: &str| {
            Slot::Unloaded(Unloaded {
                step,
                value,
                path: format!("{}.{name}", u.path).into(),
            })
        };
        let items = Value::List(deque.items().clone());
        let bound = deque.max.get().map_or(Value::None, Value::from);
        let attrs = IndexMap::from_iter([
            (
                Name::new(ITEMS),
                stored(Step::DequeItems(node), items, ITEMS),
            ),
            (
                Name::new(BOUND),
                stored(Step::DequeBound(node), bound, BOUND),
            ),
        ]);
        let instance = SymInstance {
            class: form,
            attrs,
            written: IndexSet::new(),
            payload: None,
        };
        Ok(Some(Sym::Obj(self.adopt(
            key,
            node,
            u,
            Kind::Instance(instance),
        ))))
    }

    /// How a deque that was made here is made when it leaves.
    pub(crate) fn deque_recipe(
        &mut self,
        out: &mut Out,
        instance: &SymInstance,
    ) -> Res<Option<Fresh>> {
        let class = self.shown_class(instance.class.clone());
        let attr = |name: &str| instance.attrs.get(&Name::new(name));
        match (attr(ITEMS), attr(BOUND)) {
            (Some(items), Some(bound)) if !PyRef::ptr_eq(&class, &instance.class) => {
                let items = self.slot_recipe(out, items)?;
                let bound = self.slot_recipe(out, bound)?;
                Ok(Some(Fresh::Call(Value::Class(class), vec![items, bound])))
            }
            _ => Ok(None),
        }
    }
}
