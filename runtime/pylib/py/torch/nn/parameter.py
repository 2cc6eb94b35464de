"""Parameter and Buffer: tensors that modules register by themselves."""

import torch
from torch import Tensor


class Parameter(Tensor):
    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = torch.empty(0)
        if type(data) is not Tensor and isinstance(data, Tensor) and not isinstance(data, (Parameter, Buffer)):
            # PyTorch gives one of the subclass back, which counts as a parameter.
            raise NotImplementedError(
                f"torch.nn.Parameter of a subclass of Tensor ({type(data).__name__}) is not implemented in janus-jit yet"
            )
        return torch._C._make_subclass(cls, data, requires_grad)

    def __init__(self, data=None, requires_grad=True):
        pass

    def __deepcopy__(self, memo):
        # A parameter's copy starts without a gradient.
        new = super().__deepcopy__(memo)
        new.grad = None
        return new

    __torch_function__ = torch._C._disabled_torch_function_impl

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()


class Buffer(Tensor):
    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = torch.empty(0)
        buffer = torch._C._make_subclass(cls, data, data.requires_grad)
        buffer.persistent = persistent
        return buffer

    def __init__(self, data=None, *, persistent=True):
        pass

    __torch_function__ = torch._C._disabled_torch_function_impl


class _Uninitialized:
    """What has a dtype and a device, and no extents yet."""

    def materialize(self, shape, device=None, dtype=None):
        self.data = torch.empty(shape, device=device or self.data.device, dtype=dtype or self.data.dtype)
        self.__class__ = self.cls_to_become

    def __repr__(self):
        return f"<{type(self).__name__}>"


class UninitializedParameter(_Uninitialized, Parameter):
    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return torch._C._make_subclass(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)

    def __init__(self, requires_grad=True, device=None, dtype=None):
        pass

    def __deepcopy__(self, memo):
        return type(self)(self.requires_grad, self.data.device, self.data.dtype)


class UninitializedBuffer(_Uninitialized, Tensor):
    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        buffer = torch._C._make_subclass(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)
        buffer.persistent = persistent
        return buffer

    def __init__(self, requires_grad=False, device=None, dtype=None, persistent=True):
        pass


def is_lazy(param):
    return isinstance(param, _Uninitialized)
