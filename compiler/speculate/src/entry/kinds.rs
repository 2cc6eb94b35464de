//! What kind of thing a value is.
//!
//! In: a value or an object of the symbolic heap. Out: what is known of its kind. Always: nothing is looked at that was
//! not before.

use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Sym, SymTensor};
use crate::{Res, Stop};

impl Executor<'_> {
    pub(crate) fn is_tensor(&self, v: &Sym) -> bool {
        matches!(v, Sym::Obj(o) if matches!(self.state.heap[*o].kind, Kind::Tensor(_)))
    }

    pub(crate) fn tensor(&self, obj: Obj) -> Res<&SymTensor> {
        match &self.state.heap[obj].kind {
            Kind::Tensor(t) => Ok(t),
            _ => self.defect("not a tensor"),
        }
    }

    pub(crate) fn tensor_mut(&mut self, obj: Obj) -> Res<&mut SymTensor> {
        match &mut self.state.heap[obj].kind {
            Kind::Tensor(t) => Ok(t),
            _ => Err(Stop::defect("not a tensor")),
        }
    }
}
