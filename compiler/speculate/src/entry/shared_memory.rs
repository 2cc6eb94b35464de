//! Tensors from outside that share memory.
//!
//! In: what the region finds and writes. Out: views from outside as views of their base in the graph, which is
//! found through them. Always: where one of several tensors in a memory is written, the others are views of the
//! same base as that one, or the region is refused.

use std::collections::BTreeMap;
use std::rc::Rc;

use janus_object::{Class, PyRef};
use janus_plan::{Check, ReasonId, Relax, Step};
use janus_tensor::Tensor;
use janus_tensor::ops::Prim;

use crate::entry::wrap::tensor_check;
use crate::executor::Executor;
use crate::state::sym::{HeapObject, Kind, Obj, Origin, Sym, SymTensor, Unloaded, View, ViewMap};
use crate::{Res, Stop};

/// The base of a view, and how the view comes about, where the graph can have it as a view of that: no gradient
/// goes through it.
fn plain_view(tensor: &Tensor) -> Option<(Tensor, Rc<[Prim]>)> {
    let (base, steps) = tensor.view_of()?;
    (!tensor.requires_grad() && !base.requires_grad()).then_some((base, steps))
}

impl Executor<'_> {
    /// A view from outside as a view of its base, where they were found to share memory that is written.
    pub(crate) fn wrap_view(
        &mut self,
        tensor: &Tensor,
        class: &PyRef<Class>,
        u: &Unloaded,
    ) -> Res<Option<Obj>> {
        if !self.region.relaxations.through_base.contains(&u.path) {
            return Ok(None);
        }
        let Some((real_base, steps)) = plain_view(tensor) else {
            return Ok(None);
        };
        let mut check = tensor_check(tensor, class);
        check.shows = Some(steps.clone());
        let node = self.node(u.step.clone(), Check::Tensor(check), &u.path);
        let base = self.wrap(&Unloaded {
            step: Step::ViewBase(node),
            value: janus_torch::wrap(real_base),
            path: format!("{}._base", u.path).into(),
        })?;
        let Sym::Obj(base) = base else {
            return self.defect("not a tensor");
        };
        // The elements as they were at entry, whatever was written since.
        let Some((
            _,
            HeapObject {
                kind: Kind::Tensor(first),
                ..
            },
        )) = self.entry.pristine.get(&base)
        else {
            return self.defect("not a tensor");
        };
        let first = first.clone();
        let mut shown = self.new_tensor(first.value, first.dtype, first.dims.clone());
        let mut parent = base;
        for (i, step) in steps.iter().enumerate() {
            let (value, dtype, dims) = self.at_entry(|this| this.emit_prim(step, &[shown]))?;
            shown = self.new_tensor(value, dtype, dims);
            let seen = SymTensor {
                class: class.clone(),
                device: tensor.device(),
                view: Some(View {
                    base,
                    version: first.version,
                    map: ViewMap::Prim(parent, Rc::new(step.clone())),
                    one_of_several: tensor.one_of_several(),
                    noted: !tensor.is_unrecorded_view(),
                }),
                ..self.tensor(shown)?.clone()
            };
            let (last, kind) = (i + 1 == steps.len(), Kind::Tensor(seen));
            let (address, origin) = if last {
                let origin = Origin {
                    node,
                    value: u.value.clone(),
                    path: u.path.clone(),
                };
                (tensor.id(), Some(origin))
            } else {
                // No object has this address.
                (usize::MAX - self.state.heap.len(), None)
            };
            parent = self.register(address, HeapObject { origin, kind });
        }
        Ok(Some(parent))
    }

    /// Refuses, or begins anew with views as views of their base, where a tensor shares the memory of one that is
    /// written.
    pub(crate) fn check_shared_memory(&self) -> Res<()> {
        let mut places: BTreeMap<usize, Vec<(Obj, Tensor, &Origin)>> = BTreeMap::new();
        for (obj, object) in self.state.heap.iter().enumerate() {
            if let (Some(origin), Kind::Tensor(_)) = (&object.origin, &object.kind)
                && let Some(real) = origin.value.foreign::<Tensor>()
            {
                let all = places.entry(real.storage_id()).or_default();
                all.push((obj, real.clone(), origin));
            }
        }
        for all in places.values().filter(|all| all.len() > 1) {
            if !all
                .iter()
                .any(|(_, _, o)| self.entry.unaliased.contains(&o.node))
            {
                continue;
            }
            let first = self.owner(all[0].0)?;
            let mut owners = all.iter().map(|(obj, ..)| self.owner(*obj));
            if owners.all(|owner| matches!(owner, Ok(o) if o == first)) {
                continue;
            }
            let views = all.iter().filter(|(_, real, _)| plain_view(real).is_some());
            let paths: Vec<Rc<str>> = views
                .map(|(.., origin)| origin.path.clone())
                .filter(|path| !self.region.relaxations.through_base.contains(path))
                .collect();
            if !paths.is_empty() {
                return Err(Stop::Again(Relax::ThroughBase(paths)));
            }
            let names: Vec<&str> = all.iter().map(|(.., o)| &*o.path).collect();
            return self.refuse(
                ReasonId::SharedMemory,
                format!("tensors share memory that is written: {}", names.join(", ")),
            );
        }
        Ok(())
    }
}
