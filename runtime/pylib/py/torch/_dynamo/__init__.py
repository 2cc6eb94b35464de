"""torch._dynamo: hints for a compiler that is not there; this one needs none."""

import torch
from torch.compiler import allow_in_graph, assume_constant_result, disable, is_compiling, reset

from . import config
from .eval_frame import OptimizedModule, is_dynamo_supported


def graph_break(msg=""):
    """Graphs end where they have to."""
    if not isinstance(msg, str):
        raise TypeError(f"graph_break() takes a text, not {type(msg).__name__}")


def mark_static(t, index=None):
    """Extents are static until they are seen to change."""
    _of_tensor(t, index)


def mark_dynamic(t, index, **bounds):
    """Extents that are seen to change become dynamic."""
    _of_tensor(t, index)
    if bounds.keys() - {"min", "max", "hint_override", "specialize_on"}:
        raise TypeError(f"mark_dynamic() got an unexpected keyword argument {min(bounds)!r}")


maybe_mark_dynamic = mark_dynamic


def mark_static_address(t, guard=False):
    _of_tensor(t, guard)


def _of_tensor(t, _):
    if not isinstance(t, torch.Tensor):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t).__name__}")


def __getattr__(name):
    return torch._C._missing_name("torch._dynamo", name)
