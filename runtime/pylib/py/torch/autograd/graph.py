"""torch.autograd.graph: what concerns the tensors that a backward pass keeps."""

import contextlib

from torch import _absent

Node = _absent.absent_class("torch.autograd.graph", "Node")
GradientEdge = _absent.absent_class("torch.autograd.graph", "GradientEdge")


class save_on_cpu:
    """Where everything is on the CPU, what is kept for the backward pass is there already."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        if pin_memory:
            raise RuntimeError("Cannot access accelerator device when none is available.")
        self._device_type = device_type

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        pass


class saved_tensors_hooks:
    def __init__(self, pack_hook, unpack_hook):
        raise NotImplementedError("torch.autograd.graph.saved_tensors_hooks is not implemented in janus-jit yet")


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """There are none that would have to be kept out."""
    if not isinstance(error_message, str):
        raise TypeError(f"error_message must be a text, not {type(error_message).__name__}")
    yield
