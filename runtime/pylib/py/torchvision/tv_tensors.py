"""Tensors that say what they are."""

import torch
from torch import _C


class TVTensor(torch.Tensor):
    """A tensor of a kind; what is computed from it is a plain tensor."""

    __torch_function__ = torch._C._disabled_torch_function_impl


class Image(TVTensor):
    __module__ = "torchvision.tv_tensors._image"

    def __new__(cls, data, *, dtype=None, device=None, requires_grad=None):
        from PIL.Image import Image as Picture
        from torchvision.transforms import functional

        if isinstance(data, Picture):
            data = functional.pil_to_tensor(data)
        tensor = torch.as_tensor(data, dtype=dtype, device=device)
        if tensor.ndim < 2:
            raise ValueError
        if tensor.ndim == 2:
            tensor = tensor.unsqueeze(0)
        if requires_grad is None:
            requires_grad = data.requires_grad if isinstance(data, torch.Tensor) else False
        return _C._make_subclass(cls, tensor, requires_grad)

    def __init__(self, data, *, dtype=None, device=None, requires_grad=None):
        pass


def wrap(wrappee, *, like):
    """A tensor as one of the kind of another."""
    return _C._make_subclass(type(like), wrappee, wrappee.requires_grad) if isinstance(like, TVTensor) else wrappee


def __getattr__(name):
    return _C._missing_name("torchvision.tv_tensors", name)
