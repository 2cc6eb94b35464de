//! NumPy's arrays, which are objects over tensors, where they meet torch.
//!
//! In: arrays and tensors. Out: what torch's functions take, tensors over the memory of arrays, and arrays over that of
//! tensors. Always: the same arguments are taken for tensors as in tier 0.

use janus_object::PyRef;
use janus_plan::ReasonId;
use janus_tensor::ops::Prim;
use janus_tensor::{DType, Device};
use janus_torch::TorchOps;
use janus_torch::numpy::{array_class, array_maker, tensor_attribute};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Obj, Sym};

const BACKWARDS: &str = "a tensor of an array that may go backwards through its memory";

impl Executor<'_> {
    /// Arguments of a torch function, with the tensors of arrays in their places.
    pub(crate) fn with_array_tensors(&mut self, name: &str, args: &mut [Sym]) -> Res<()> {
        let Some(function) = janus_torch::lookup::<Self>(name) else {
            return Ok(());
        };
        // An operator leaves an array to the array.
        if array_class().is_none() || function.is_operator() {
            return Ok(());
        }
        for v in args {
            let stacked = match function.takes_sequences() {
                true => {
                    if let Some(t) = self.array_tensor(v)?
                        && self.may_go_backwards(t)?
                    {
                        return self.refuse(ReasonId::SharedMemory, BACKWARDS);
                    }
                    self.stacked_arrays(v)?
                }
                false => None,
            };
            let taken = match stacked {
                Some(stacked) => Some(stacked),
                None => self.without_arrays(v)?,
            };
            if let Some(taken) = taken {
                *v = taken;
            }
        }
        Ok(())
    }

    /// `torch.FloatTensor(...)` and `tensor.new(...)`, of arrays, too.
    pub(crate) fn old_constructor(
        &mut self,
        (dtype, device): (DType, Device),
        given: &[Sym],
    ) -> Res<Sym> {
        let stacked = match given {
            [data] if !self.is_tensor(data) => self.stacked_arrays(data)?,
            _ => None,
        };
        let Some(stacked) = stacked else {
            return self.legacy_tensor((dtype, device), given);
        };
        let kwargs = crate::tensors::calls::of_class(dtype, device);
        self.torch("torch.tensor", vec![stacked], kwargs)
    }

    /// The tensor of an array.
    fn array_tensor(&mut self, v: &Sym) -> Res<Option<Obj>> {
        let (Some(class), Sym::Obj(o)) = (array_class(), v) else {
            return Ok(None);
        };
        match &self.state.heap[*o].kind {
            Kind::Instance(i) if PyRef::ptr_eq(&i.class, &class) => {}
            _ => return Ok(None),
        }
        match self.own_attr(*o, tensor_attribute())? {
            Some(Sym::Obj(t)) if self.is_tensor(&Sym::Obj(t)) => Ok(Some(t)),
            _ => Ok(None),
        }
    }

    /// The items of a list or tuple that holds objects.
    fn objects_in(&mut self, v: &Sym) -> Res<Option<Vec<Sym>>> {
        let Some(sequence) = self.container(v) else {
            return Ok(None);
        };
        let items = self.items_of(sequence)?;
        let objects = items.iter().any(|i| matches!(i, Sym::Obj(_)));
        Ok(objects.then_some(items))
    }

    /// An argument with tensors in place of the arrays in it; `None`: there are none.
    fn without_arrays(&mut self, v: &Sym) -> Res<Option<Sym>> {
        if let Some(t) = self.array_tensor(v)? {
            return Ok(Some(Sym::Obj(t)));
        }
        let Some(mut items) = self.objects_in(v)? else {
            return Ok(None);
        };
        let mut any = false;
        for item in &mut items {
            if let Some(taken) = self.without_arrays(item)? {
                *item = taken;
                any = true;
            }
        }
        Ok(match any {
            true if self.is_list(v) => Some(self.list(items)),
            true => Some(self.tuple(items)),
            false => None,
        })
    }

    /// The tensor of nested lists of arrays, which are data to PyTorch where tensors are not.
    fn stacked_arrays(&mut self, v: &Sym) -> Res<Option<Sym>> {
        if let Some(t) = self.array_tensor(v)? {
            return Ok(Some(Sym::Obj(t)));
        }
        let Some(items) = self.objects_in(v)? else {
            return Ok(None);
        };
        let mut rows = Vec::with_capacity(items.len());
        for item in &items {
            match self.stacked_arrays(item)? {
                Some(row) => rows.push(row),
                None => return Ok(None),
            }
        }
        let rows = self.list(rows);
        self.torch("torch.stack", vec![rows], Vec::new()).map(Some)
    }

    /// Whether the steps of an array's tensor may be below zero.
    fn may_go_backwards(&self, t: Obj) -> Res<bool> {
        if let Some(place) = self.place_in_owner(t)? {
            return Ok(place.goes_backwards());
        }
        let turned = self.steps_to(t)?;
        let turned = turned.iter().any(|s| matches!(**s, Prim::Backwards { .. }));
        Ok(turned || !self.dense_view(self.owner(t)?)?)
    }

    /// `torch.from_numpy(v)`: a tensor over the array's memory; `None`: it would raise.
    pub(crate) fn tensor_of_array(&mut self, v: &Sym) -> Res<Option<Sym>> {
        let Some(t) = self.array_tensor(v)? else {
            return Ok(None);
        };
        if self.may_go_backwards(t)? {
            return self.refuse(ReasonId::SharedMemory, BACKWARDS);
        }
        self.torch("Tensor.detach", vec![Sym::Obj(t)], Vec::new())
            .map(Some)
    }

    /// `Tensor.numpy()`: an array over the tensor's memory.
    pub(crate) fn array_of_tensor(&mut self, t: Obj) -> Res<Sym> {
        let Some(maker) = array_maker() else {
            return self.refuse(ReasonId::Import, "Tensor.numpy() imports numpy");
        };
        let is_elsewhere = self.device_of(t) != Device::Cpu;
        if is_elsewhere || self.requires_grad(&t) || self.tensor(t)?.dtype == DType::BF16 {
            return self.refuse(
                ReasonId::WouldRaise,
                "it would raise: numpy() on a tensor that requires grad, of bfloat16, or on a device",
            );
        }
        let shared = self.torch("Tensor.detach", vec![Sym::Obj(t)], Vec::new())?;
        self.call(&Sym::Known(maker), vec![shared], Vec::new())
    }
}
