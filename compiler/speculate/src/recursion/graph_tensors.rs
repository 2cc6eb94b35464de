//! Tensors that objects hold to which the graph comes by itself: those of a tree's nodes, say.
//!
//! In: the address of an object that a field gave as a tensor. Out: a tensor with its elements. Always: that it is
//! one of the form that the objects there now show is asserted. It is a copy: which object it is, nobody can tell
//! here, so it is not written, and neither it nor what may be it leaves the region as a new one.

use std::rc::Rc;

use janus_dialect::{Type, ValueId};
use janus_object::{PyRef, Value};
use janus_plan::ScalarType;
use janus_tensor::ops::Dims;
use janus_tensor::{DType, Device, Dim, Tensor};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{HeapObject, Kind, Obj, Sym};
use crate::state::types::element;

/// Stands for an address that no object has.
const NOWHERE: usize = usize::MAX;

/// What such a tensor is like.
#[derive(Clone, PartialEq)]
pub(crate) struct HeldForm {
    pub dtype: DType,
    pub extents: Rc<[i64]>,
}

impl HeldForm {
    /// That of a value, if it is a tensor that a graph can read where it comes to it.
    pub(crate) fn of(value: &Value) -> Option<HeldForm> {
        let tensor = value.foreign::<Tensor>()?;
        let class = value.as_instance()?.class();
        // The number of an element type does not tell these two apart.
        let has_number = !matches!(tensor.dtype(), DType::Bool | DType::I8);
        let is_plain = PyRef::ptr_eq(&class, &janus_torch::objects::classes().tensor)
            && tensor.is_contiguous()
            && tensor.device() == Device::Cpu
            && !tensor.requires_grad()
            && !tensor.is_inference();
        (has_number && is_plain).then(|| HeldForm {
            dtype: tensor.dtype(),
            extents: tensor.shape().as_slice().into(),
        })
    }
}

impl Executor<'_> {
    /// The tensor of this form at an address, which may be 0, and whether there is one.
    pub(crate) fn tensor_at(&mut self, address: ValueId, form: &HeldForm) -> Res<(ValueId, Sym)> {
        let table = self.field_table()?;
        let ty = Type::Tensor {
            dtype: element(form.dtype),
            dims: form.extents.iter().map(|&n| Some(n)).collect(),
        };
        let read = self.emit("janus.tensor_at", &[address, table], &[], &[ty, Type::I1])?;
        let &[value, found] = &read[..] else {
            return self.defect("janus.tensor_at has two results");
        };
        let dims: Dims = form.extents.iter().map(|&n| Dim::Known(n)).collect();
        let held = self.any_held()?;
        let obj = self.new_tensor(value, form.dtype, dims);
        let t = self.tensor_mut(obj)?;
        t.inference = false;
        t.device = Device::Cpu;
        t.identity.ambiguous = true;
        t.identity.parts = Rc::new([held]);
        Ok((found, Sym::Obj(obj)))
    }

    /// Stands for all tensors that objects hold to which the graph comes: each may be what others are.
    pub(crate) fn any_held(&mut self) -> Res<Obj> {
        if let Some(held) = self.recursing.held {
            return Ok(held);
        }
        let value = self.constant(ScalarType::Int, 0)?;
        let any = self.bare_tensor(value, DType::I64, Dims::new());
        let object = HeapObject {
            origin: None,
            kind: Kind::Tensor(any),
        };
        let held = self.register(NOWHERE, object);
        self.recursing.held = Some(held);
        Ok(held)
    }

    /// Whether an object was there at entry.
    pub(crate) fn is_from_outside(&self, obj: Obj) -> bool {
        self.recursing.held == Some(obj) || self.state.heap[obj].origin.is_some()
    }
}
