"""Shapes of all values of a graph, by running it."""

from typing import NamedTuple

import torch
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]


class TensorMetadata(NamedTuple):
    shape: torch.Size
    dtype: torch.dtype
    requires_grad: bool
    stride: tuple
    memory_format: torch.memory_format
    is_quantized: bool
    qparams: dict


def _extract_tensor_metadata(result, include_contiguity=True):
    memory_format = None
    if include_contiguity:
        for form in (torch.contiguous_format, torch.channels_last, torch.channels_last_3d):
            if form is torch.channels_last and result.dim() != 4 or form is torch.channels_last_3d and result.dim() != 5:
                continue
            if result.is_contiguous(memory_format=form):
                memory_format = form
                break
    return TensorMetadata(
        result.shape, result.dtype, result.requires_grad, result.stride(), memory_format, result.is_quantized, {}
    )


class ShapeProp(Interpreter):
    """Notes `tensor_meta` and `type` in each node's `meta`."""

    def __init__(self, gm, fake_mode=None):
        if fake_mode is not None:
            raise NotImplementedError("ShapeProp: fake_mode is not implemented in janus-jit yet")
        super().__init__(gm)

    def run_node(self, n):
        result = super().run_node(n)
        found = []

        def note(value):
            if isinstance(value, torch.Tensor):
                found.append(value)
                return _extract_tensor_metadata(value)
            return value

        meta = map_aggregate(result, note)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)
