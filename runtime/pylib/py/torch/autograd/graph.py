"""torch.autograd.graph: the operations of the tape, and what they keep for the backward pass."""

import contextlib
import functools

import torch
from torch import _C
from torch.autograd import GradientEdge
from torch.utils.hooks import RemovableHandle

Node = _C._Node


def get_gradient_edge(tensor):
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    return GradientEdge(*_C._edge_of(tensor))


class saved_tensors_hooks:
    """Within it, what is kept for a backward pass is what `pack_hook` makes of it."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        _C._push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args):
        _C._pop_saved_tensors_default_hooks()


class save_on_cpu(saved_tensors_hooks):
    def __init__(self, pin_memory=False, device_type="cuda"):
        if pin_memory:
            raise RuntimeError("Cannot access accelerator device when none is available.")
        self._device_type = device_type

        def pack(tensor):
            return tensor.device, tensor.cpu()

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    if not isinstance(error_message, str):
        raise TypeError(f"error_message must be a text, not {type(error_message).__name__}")
    before = _C._saved_tensors_hooks_disable(error_message)
    try:
        yield
    finally:
        _C._saved_tensors_hooks_disable(before)


class _MultiHandle(RemovableHandle):
    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """`fn` sees the gradients of several tensors once all that a backward pass gives are there, or the first of them."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        seen = set()

        @functools.wraps(fn)
        def first(grad):
            number = _C._current_graph_task_id()
            if number not in seen:
                seen.add(number)
                fn(grad)

        return _MultiHandle(tuple([t.register_hook(first) for t in tensors if t.requires_grad]))

    tensors = tuple(tensors)
    # By the pass: the gradients, and how many are to come.
    passes = {}

    def hook_of(index):
        def hook(grad):
            number = _C._current_graph_task_id()
            if number not in passes:
                passes[number] = [[None] * len(tensors), sum([_C._will_execute(t) for t in tensors])]
            grads = passes[number][0]
            grads[index] = grad
            passes[number][1] -= 1
            if passes[number][1] == 0:
                del passes[number]
                fn(grads)

        return hook

    for t in tensors:
        _C._will_execute(t)
    return _MultiHandle(tuple([t.register_hook(hook_of(i)) for i, t in enumerate(tensors)]))


def increment_version(tensor):
    raise NotImplementedError("torch.autograd.graph.increment_version is not implemented in janus-jit yet")


def allow_mutation_on_saved_tensors():
    raise NotImplementedError(
        "torch.autograd.graph.allow_mutation_on_saved_tensors is not implemented in janus-jit yet"
    )
