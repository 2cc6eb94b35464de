//! New leaves: `nn.Parameter(tensor)`, and what modules ask of a tensor before they take it in.
//!
//! In: functions that are no torch functions, but torch's own. Out: their results. Always: a leaf that shares
//! memory with something that leaves the region is left to tier 0.

use janus_object::Value;
use janus_plan::ReasonId;
use janus_tensor::Ops;
use janus_torch::TorchOps;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::Sym;

impl Executor<'_> {
    /// `None`: another function.
    pub(crate) fn leaf_function(&mut self, name: &str, args: &[Sym]) -> Res<Option<Sym>> {
        match (name, args) {
            ("Tensor.grad_fn", [Sym::Obj(obj)]) if self.is_tensor(&args[0]) => {
                let t = self.tensor(*obj)?;
                let none = !t.is_decided() && (t.leaf || !t.requires_grad && !t.some_grad);
                Ok(none.then_some(Sym::Known(Value::None)))
            }
            (
                "torch._C._make_subclass",
                [
                    Sym::Known(Value::Class(class)),
                    data @ Sym::Obj(obj),
                    rest @ ..,
                ],
            ) if self.is_tensor(data) && rest.len() <= 1 => {
                let requires_grad = match rest {
                    [] => false,
                    [Sym::Known(Value::Bool(on))] => on.get(),
                    _ => return Ok(None),
                };
                self.refuse_overriding(class)?;
                // What branches and loops make of two tensors knows of one class.
                if self.emission.context != 0
                    || !self.looping.loops.is_empty()
                    || self.tensor(*obj)?.is_decided()
                {
                    return self.refuse(
                        ReasonId::NoGraphForm,
                        "a tensor of another class is made in a branch or a loop",
                    );
                }
                self.guard_class(class);
                let made = self.detach(obj)?;
                self.set_requires_grad(&made, requires_grad)?;
                self.tensor_mut(made)?.class = class.clone();
                Ok(Some(Sym::Obj(made)))
            }
            _ => Ok(None),
        }
    }
}
